import pandas as pd
import pytest

from analysis.corpora.sigmorphon import baseline_accuracies, sigmorphon_split
from analysis.inflection import NonNeural


def forms(*pairs, features="V;PST"):
    return pd.DataFrame([(*pair, features) for pair in pairs], columns=["lemma", "form", "features"])


@pytest.mark.real_corpus
def test_all_52_published_accuracies_come_out_to_the_printed_digit():
    published = baseline_accuracies()
    published = published[published["model"] == "NONNEUR"]
    assert len(published) == 52
    models = {}
    for language, size, part, accuracy in zip(
        published["language"], published["size"], published["part"], published["accuracy"], strict=True
    ):
        split = sigmorphon_split(language)
        key = language, size
        models.setdefault(key, None)
        if models[key] is None:
            models[key] = NonNeural().fit(split.training.head(size))
        items = getattr(split, part)
        right = (models[key].predict(items) == items["form"]).mean()
        assert round(100 * right, 3) == accuracy, (language, size, part)


def test_the_longest_known_ending_decides_and_then_the_most_frequent_change():
    model = NonNeural().fit(forms(("walk", "walked"), ("bake", "baked"), ("sing", "sang"), ("ring", "rang")))
    items = pd.DataFrame({"lemma": ["talk", "make", "bring"], "features": "V;PST"})
    assert model.predict(items).tolist() == ["talked", "maked", "brang"]
    assert model.explain("bring", "V;PST")[1] == "ring> becomes rang> (1 of 1 with this ending)"


def test_of_equally_frequent_changes_the_longer_result_is_taken():
    model = NonNeural().fit(forms(("at", "at"), ("it", "ited")))
    assert model.explain("ut", "V;PST")[0] == "uted"


def test_prefixing_data_are_read_from_the_right():
    model = NonNeural().fit(forms(("bala", "kabala"), ("tiko", "katiko"), ("suma", "kasuma"), features="PL"))
    assert model.reversed_
    answer, why = model.explain("nupe", "PL")
    assert answer == "kanupe" and "<" in why and "beginning" in why


def test_words_with_a_blank_or_a_hyphen_do_not_decide_the_direction_but_teach_their_rules():
    model = NonNeural().fit(forms(("a-b", "xxa-b"), ("c d", "xxc d"), ("walk", "walked")))
    assert not model.reversed_ and len(model.suffix_rules_["V;PST"]) > 5


def test_a_feature_set_never_seen_gives_the_lemma_and_says_so():
    model = NonNeural().fit(forms(("walk", "walked")))
    assert model.explain("talk", "V;PRS") == (
        "talk",
        "no item with the features 'V;PRS' in training: the unchanged lemma",
    )


def test_an_empty_training_set_teaches_nothing():
    model = NonNeural().fit(forms().astype("str"))
    assert model.explain("walk", "V;PST")[0] == "walk" and model.n_items_ == 0


def test_one_letter_lemmas_and_marks_in_words_are_no_trouble():
    model = NonNeural().fit(forms(("a", "aed"), ("<b>", "<b>ed")))
    assert model.explain("c", "V;PST")[0] == "ced"
    assert model.explain("<b>", "V;PST")[0] == "<b>ed"


def test_rules_are_counted_by_feature_set():
    both = pd.concat([forms(("walk", "walked")), forms(("walk", "walks"), features="V;PRS")], ignore_index=True)
    model = NonNeural().fit(both)
    assert [model.explain("talk", tags)[0] for tags in ("V;PST", "V;PRS")] == ["talked", "talks"]


def test_the_order_of_training_does_not_matter_without_ties():
    table = forms(("walk", "walked"), ("talk", "talked"), ("sing", "sang"), ("bake", "baked"))
    items = pd.DataFrame({"lemma": ["chalk", "wing", "cake"], "features": "V;PST"})
    assert NonNeural().fit(table).predict(items).tolist() == NonNeural().fit(table[::-1]).predict(items).tolist()


def test_predictions_keep_the_index_of_the_items():
    items = pd.DataFrame({"lemma": ["talk"], "features": ["V;PST"]}, index=[7])
    assert NonNeural().fit(forms(("walk", "walked"))).predict(items).to_dict() == {7: "talked"}


def test_it_must_be_fitted_first_and_needs_words():
    with pytest.raises(ValueError, match="not fitted"):
        NonNeural().predict(pd.DataFrame({"lemma": ["a"]}))
    with pytest.raises(ValueError, match="no 'form'"):
        NonNeural().fit(pd.DataFrame({"lemma": ["a"], "form": [None]}))


def front(word, rules):
    return NonNeural()._change_front(f"<{word}", rules, False)[0]


def test_of_equally_frequent_beginnings_the_longest_is_changed_and_of_equally_long_ones_the_first():
    assert front("abc", {"<": {"<x": 2}, "<a": {"<ya": 2}}) == "<yabc"
    assert front("abc", {"<a": {"<ya": 2}, "<": {"<x": 2}}) == "<yabc"
    assert front("abc", {"<": {"<x": 3}, "<a": {"<ya": 2}}) == "<xabc"
    assert front("abc", {"<": {"<x": 2, "<y": 2}}) == "<xabc"


def test_words_are_read_from_the_right_only_if_more_letters_are_added_in_front_than_behind():
    assert not NonNeural().fit(forms(("ab", "xaby"))).reversed_
    assert NonNeural().fit(forms(("ab", "xxaby"))).reversed_
