import pandas as pd

from analysis.inflection import CopyBaseline, MajoritySuffix

TRAINING = pd.DataFrame(
    [
        ("walk", "walked", "V"),
        ("bake", "baked", "V"),
        ("talk", "talked", "V"),
        ("cry", "cried", "V"),
        ("ox", "oxen", "N"),
    ],
    columns=["lemma", "form", "features"],
)


def test_copying_gives_the_lemma_whatever_it_learnt():
    items = pd.DataFrame({"lemma": ["go", "null"], "features": "V"})
    assert CopyBaseline().fit(TRAINING).predict(items).tolist() == ["go", "null"]


def test_the_most_frequent_change_that_fits_is_applied():
    model = MajoritySuffix().fit(TRAINING)
    assert model.changes_["V"] == {("", "ed"): 2, ("", "d"): 1, ("y", "ied"): 1}
    assert model.explain("fry", "V")[0] == "fryed", "-ed fits every verb"
    assert model.explain("fax", "N")[0] == "faxen"


def test_a_change_that_takes_letters_away_needs_them():
    model = MajoritySuffix().fit(pd.DataFrame({"lemma": ["cry", "dry"], "form": ["cried", "dried"]}))
    assert model.explain("fry")[0] == "fried"
    assert model.explain("walk") == ("walk", "no change fits: the unchanged lemma")


def test_features_never_seen_give_the_lemma():
    assert MajoritySuffix().fit(TRAINING).explain("walk", "A")[0] == "walk"
