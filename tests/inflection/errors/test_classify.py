import pandas as pd
import pytest

from analysis.inflection import classify_errors, error_counts, error_types
from analysis.papers.kodner2023 import second_reader


def test_right_answers_are_no_errors_whatever_their_normal_form():
    table = classify_errors("German", ["Bär"], ["Ba\u0308ren"], ["Bären"])
    assert table["type"].tolist() == ["correct"]


def test_counts_have_every_type_and_add_up():
    table = classify_errors(
        "English",
        ["fly", "go", "walk", "tweet"],
        ["flew", "went", "walked", "tweeted"],
        ["flied", "goed", "walked", "twet"],
    )
    counts = error_counts(table)
    assert counts["type"].tolist() == list(error_types("English")) and counts["errors"].tolist() == [2, 1, 0]
    assert counts["share"].sum() == pytest.approx(1) and set(counts["items"]) == {4}


def test_without_an_error_there_is_no_share():
    counts = error_counts(classify_errors("English", ["fly"], ["flew"], ["flew"]))
    assert counts["errors"].sum() == 0 and counts["share"].isna().all()


def test_languages_and_lengths_are_checked():
    with pytest.raises(ValueError, match="language is 'Danish'"):
        classify_errors("Danish", [], [], [])
    with pytest.raises(ValueError, match="must have the same length"):
        classify_errors("English", ["fly"], ["flew"], [])


def test_series_with_any_index_are_taken_in_order():
    lemma = pd.Series(["fly", "go"], index=[5, 3])
    table = classify_errors("English", lemma, ["flew", "went"], ["flied", "went"])
    assert table["lemma"].tolist() == ["fly", "go"] and list(table.index) == [0, 1]


@pytest.mark.real_corpus
def test_the_rules_agree_with_a_reader_who_did_not_see_them():
    table = second_reader().set_index(["set", "language"])
    for language in ("Arabic", "English", "German"):
        assert table.loc[("checking", language), "n"] == 50
        assert table.loc[("checking", language), "agree"] >= 45
