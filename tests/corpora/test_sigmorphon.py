import pytest

from analysis.corpora import sigmorphon
from analysis.structures import DataError

pytestmark = pytest.mark.real_corpus


def test_the_pools_have_the_papers_sizes_and_one_item_a_lemma():
    for language, items in (("English", 2054), ("German", 1700), ("Arabic", 1943)):
        pool = sigmorphon.sigmorphon_pool(language)
        assert len(pool) == items and not pool["lemma"].duplicated().any()
        assert pool["frequency"].dropna().min() > 0


def test_a_lemma_is_weighted_by_its_inflected_forms_only():
    pool = sigmorphon.sigmorphon_pool("English").set_index("lemma")["frequency"]
    listed = sigmorphon.frequency_list("English")
    takes = listed[(listed["lemma"] == "take") & listed["features"].str.contains("PST")]
    assert pool["take"] == takes["frequency"].sum() < listed[listed["lemma"] == "take"]["frequency"].sum()


def test_the_given_split_has_600_test_items_and_nested_training_sets():
    for language, dev in (("Arabic", 343), ("English", 454), ("German", 500)):
        split = sigmorphon.sigmorphon_split(language)
        assert (len(split.test), len(split.dev)) == (600, dev)
        assert len(split.training) == sigmorphon.training_sizes(language)[-1]


def test_published_accuracies_are_26_a_baseline_and_part():
    table = sigmorphon.baseline_accuracies()
    assert (table.groupby(["model", "part"]).size() == 26).all() and len(table) == 104
    row = table.query("model == 'neural' and part == 'test' and language == 'English' and size == 1000").iloc[0]
    assert row["accuracy"] == pytest.approx(84.8, abs=0.05) and row["n"] == 600


def test_reality_check_has_other_languages_and_two_sizes():
    table = sigmorphon.reality_check_results()
    assert set(table["language"]) == {"ar", "de", "en", "es", "sw", "tr"} and set(table["trainsize"]) == {
        "large",
        "small",
    }
    split = sigmorphon.reality_check_split("en", "naive_uniform", 0, "small")
    assert {part: len(rows) for part, rows in split.items()} == {"train": 400, "ftune": 100, "dev": 500, "gold": 1000}


def test_what_is_not_there_is_said():
    with pytest.raises(DataError, match="no 'Danish'"):
        sigmorphon.sigmorphon_split("Danish")
    with pytest.raises(DataError, match="no predictions for 150"):
        sigmorphon.cluzh_predictions("German", 150)
    with pytest.raises(DataError, match="have no naive_uniform/fr_0"):
        sigmorphon.reality_check_split("fr", "naive_uniform", 0)
