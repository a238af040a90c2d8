"""The most similar lemma and the transfer of its change: by hand, and against a slow search."""

from functools import cache

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.experiments.saved_models import model_bytes, model_from
from analysis.inflection import NearestAnalogy
from analysis.inflection.models.nearest_analogy import transfer

WORDS = st.text("abé", max_size=6)


def forms(*rows):
    return pd.DataFrame(rows, columns=["lemma", "form", "features"])


TRAINING = forms(("walk", "walked", "V"), ("sing", "sang", "V"), ("cry", "cried", "V"), ("ox", "oxen", "N"))


@pytest.mark.parametrize(
    ("model", "form", "lemma", "expected"),
    [
        ("walk", "walked", "talk", "talked"),
        ("sing", "sang", "ring", "rang"),
        ("cry", "cried", "try", "tried"),
        ("sehen", "gesehen", "stehen", "gestehen"),  # ge- comes before the additional letter
        ("walk", "walked", "walks", "walksed"),  # -ed comes after it
        ("bake", "bakd", "bak", "bakd"),  # a replacement stays where the lemma has no such letter
        ("abc", "c", "xbc", "c"),  # what the form drops is dropped, whatever it is
        ("", "s", "a", "sa"),
        ("go", "went", "go", "went"),
    ],
)
def test_a_change_is_transferred_letter_by_letter(model, form, lemma, expected):
    assert transfer(model, form, lemma) == expected


@given(WORDS, WORDS)
def test_a_lemma_seen_in_training_has_its_form_and_no_change_changes_nothing(one, other):
    assert transfer(one, other, one) == other
    assert transfer(one, one, other) == other


def test_the_features_decide_which_lemmas_are_looked_at():
    model = NearestAnalogy().fit(TRAINING)
    assert model.explain("fox", "N") == ("foxen", "as ox becomes oxen (edit distance 1)")
    assert model.explain("fry", "V") == ("fried", "as cry becomes cried (edit distance 1)")
    assert model.explain("ox", "A") == ("ox", "no item with the features 'A' in training: the unchanged lemma")
    assert model.predict(forms(("ring", "", "V"), ("stalk", "", "V"))).tolist() == ["rang", "stalked"]


def test_ties_go_to_the_longest_common_ending_and_then_to_the_first():
    # both have distance 1 from "bat"; "cat" shares -at, "bad" nothing at the end
    model = NearestAnalogy().fit(forms(("bad", "bad1", ""), ("cat", "cat2", ""), ("rat", "rat3", "")))
    assert model.explain("bat") == ("bat2", "as cat becomes cat2 (edit distance 1)")
    # a smaller distance wins over a longer common ending
    model.fit(forms(("xxbat", "xxbat1", ""), ("bad", "bad2", "")))
    assert model.explain("bat")[1] == "as bad becomes bad2 (edit distance 1)"


@cache
def distance(one, other):
    if not one or not other:
        return len(one) + len(other)
    steps = distance(one[1:], other) + 1, distance(one, other[1:]) + 1
    return min(*steps, distance(one[1:], other[1:]) + (one[0] != other[0]))


def common_ending(one, other):
    return max(n for n in range(min(len(one), len(other)) + 1) if one[len(one) - n :] == other[len(other) - n :])


@given(st.lists(st.text("abé", min_size=1, max_size=6), min_size=1, max_size=8), WORDS)
def test_the_nearest_lemma_is_that_of_a_slow_search(lemmas, word):
    table = forms(*((lemma, f"{lemma}{number}", "") for number, lemma in enumerate(lemmas)))
    best = min(range(len(lemmas)), key=lambda i: (distance(lemmas[i], word), -common_ending(lemmas[i], word), i))
    expected = f"as {lemmas[best]} becomes {lemmas[best]}{best} (edit distance {distance(lemmas[best], word)})"
    assert NearestAnalogy().fit(table).explain(word)[1] == expected


def test_an_empty_training_set_changes_nothing():
    assert NearestAnalogy().fit(TRAINING.iloc[:0]).explain("walk", "V")[0] == "walk"


def test_a_saved_model_predicts_alike():
    fitted = NearestAnalogy().fit(TRAINING)
    again = model_from(model_bytes(fitted))
    items = forms(("ring", "", "V"), ("box", "", "N"), ("go", "", "A"))
    assert again.predict(items).tolist() == fitted.predict(items).tolist()
    assert again.explain("ring", "V") == fitted.explain("ring", "V")
