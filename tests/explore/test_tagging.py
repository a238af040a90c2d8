import pytest

from analysis import explore
from analysis.categories import contingency, one_to_one
from analysis.explore.tagging import confusion
from analysis.papers import gelling2012

#: As in tests/papers/test_gelling2012.py, whose fits are found in the cache.
SETTING = gelling2012.Setting(
    corpus="nursery",
    iterations=2,
    annealing=2,
    bc_sweeps=1,
    bh_sentences=100,
    mz_sweeps=2,
    tsg_sweeps=2,
    tsg_sentences=100,
    c_sweeps=5,
    cgs_sweeps=3,
    cgs_rounds=1,
    g_iterations=3,
    curve=(3, 12, 30),
)


def test_matched_pairs_stand_on_the_diagonal_and_add_up_to_one_to_one():
    found = confusion("nursery", "MK-u", "universal", SETTING)
    tokens = gelling2012.labelled("nursery", "MK-u", SETTING)
    cells = contingency(tokens["universal"].astype("str"), tokens["predicted"])
    score = one_to_one(cells, assignment="greedy")
    clusters = found["clusters"]
    matched = int((clusters["gold"] != "").sum())
    diagonal = [found["matrix"].iloc[place, place] for place in range(matched)]
    assert sum(diagonal) == score.numerator == clusters["shared"].sum()
    assert diagonal == sorted(diagonal, reverse=True)
    assert clusters["tokens"].sum() == score.denominator == found["matrix"].to_numpy().sum()


def test_words_of_a_cluster_stand_by_frequency():
    found = confusion("nursery", "B-u", "universal", SETTING)["clusters"].iloc[0]
    tokens = gelling2012.labelled("nursery", "B-u", SETTING)
    forms = tokens["form"][tokens["predicted"] == found["cluster"]].astype("str").value_counts()
    assert found["words"].split()[0] == forms.index[0] or forms.iloc[0] == forms.iloc[1]


@pytest.mark.thorough
def test_the_explorer_shows_the_scores_of_the_table():
    classes = explore.induced_classes(SETTING)
    classes.set(system="B-c")
    expected = gelling2012.table2(SETTING).query("system == 'B-c'")["value"].round(6).tolist()
    assert classes.value["scores"]["value"].round(6).tolist() == expected
    assert classes.figure().axes and "Confusion matrix" in classes._alt(classes.value)


def test_printed_rankings_offer_the_measures_and_systems_of_the_chosen_table():
    rankings = explore.printed_rankings()
    assert rankings.value["order"]["system"].iloc[0] == "BC"
    rankings.set(measure="VI")
    assert rankings.value["order"]["system"].iloc[0] == "G-u" and rankings.figure().axes
    rankings.set(number=3)
    assert rankings.error == "" and rankings.value["measure"] == "directed"
    assert rankings.controls["measure"].options == tuple(gelling2012.TREE_MEASURES)
    assert set(rankings.controls["system"].options) == {"none", *gelling2012.printed_table(3)["system"]}
    rankings.set(measure="NED", system="none")
    assert rankings.value["order"]["system"].iloc[0] == "Tu" and rankings.value["system"] is None
