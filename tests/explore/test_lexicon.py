import pandas as pd
import pytest

from analysis import explore
from analysis.categories import micro_i, one_to_one, restart_values, type_level_scores, type_mapping
from analysis.explore.lexicon import CLASSES, WORDS, CheckboxGrid, moved_words, word_frequencies_of
from analysis.papers import reichart2010
from analysis.papers.reichart2010.runs import lexicons

pytestmark = pytest.mark.thorough

FEW = {"sweeps": 3, "gj_clusters": 6, "gj_sweeps": 3, "vb_passes": 2, "infinite_sweeps": 2, "infinite_start": 4}
SETTING = reichart2010.Setting(corpus="nursery", gold="coarse", runs=1, curve=(3, 17, 25), curve_sweeps=2, **FEW)


def printed(explorer):
    return [output["data"]["text/plain"] for output in explorer.children[1].outputs]


def pictures(explorer):
    return [output for output in explorer.children[1].outputs if "<img " in output["data"]["text/html"]]


@pytest.fixture
def checkboxes():
    return explore.checkbox_lexicon()


def ticked(pairs):
    return pd.DataFrame(sorted(pairs), columns=["form", "cluster"])


def test_ticking_a_box_changes_the_value_of_the_grid_and_setting_the_value_ticks_boxes():
    grid = CheckboxGrid("gold", ["dog", "run"], ["N", "V"], {("dog", "N")})
    grid.boxes["run", "V"].value = True
    assert grid.value == {("dog", "N"), ("run", "V")}
    grid.value = frozenset({("run", "N")})
    assert [pair for pair, box in grid.boxes.items() if box.value] == [("run", "N")]
    with pytest.raises(ValueError, match="no box"):
        grid.value = frozenset({("cat", "N")})


def test_the_checkbox_lexicon_shows_the_measures_and_the_mapping_of_what_is_ticked(checkboxes):
    for word, mark in (("run", "1"), ("dog", "4")):
        checkboxes.controls["predicted"].boxes[word, mark].value = True
    settings = checkboxes.settings()
    gold, predicted = ticked(settings["gold"]), ticked(settings["predicted"])
    assert ("run", "1") in settings["predicted"]
    expected = [float(score) for score in type_level_scores(gold, predicted, random_state=0)]
    assert checkboxes.value["scores"]["value"].tolist() == expected
    mapping = type_mapping(gold, predicted).reset_index(drop=True)
    pd.testing.assert_frame_equal(checkboxes.value["mapping"].drop(columns="words"), mapping)
    assert len(pictures(checkboxes)) == 1 and f"{expected[0]:.3f}" in printed(checkboxes)[0]


def test_a_word_without_a_tick_counts_as_wrong(checkboxes):
    gold = frozenset((word, CLASSES[0]) for word in WORDS)
    checkboxes.set(gold=gold, predicted=frozenset((word, "1") for word in WORDS))
    assert checkboxes.value["scores"]["value"].tolist() == [1.0] * 6
    checkboxes.set(predicted=frozenset((word, "1") for word in WORDS[1:]))
    scores = checkboxes.value["scores"].set_index("measure")["value"]
    assert scores["MicroI 1-1"] == pytest.approx(5 / 6)
    assert scores["MacroI 1-1"] == pytest.approx(2 * 5 / (6 + 5))


def test_an_empty_grid_is_one_line(checkboxes):
    checkboxes.set(gold=frozenset())
    assert checkboxes.value is None and checkboxes.error == "tick at least one box of gold."
    assert printed(checkboxes) == [checkboxes.error]


def test_r_of_n_shows_that_v_and_nvi_do_not_see_r():
    explorer = explore.each_in_r_of_n()
    for n, r in ((6, 3), (6, 6), (12, 2)):
        explorer.set(r=1).set(n=n).set(r=r)
        at_r = explorer.value["curve"].query(f"r == {r}").set_index("measure")["value"]
        assert at_r["MacroI 1-1"] == pytest.approx(2 * r / (n + r))
        assert at_r["V"] == pytest.approx(0) and at_r["NVI"] == pytest.approx(2)
        assert f"at r = {r}: MacroI M-1 {2 * r / (n + r):.3f}" in printed(explorer)[0]
    assert explorer.set(n=6).controls["r"].max == 6 and explorer.set(r=7).value["r"] == 6


def test_moved_words_are_scored_as_a_clustering_of_the_tokens():
    result = moved_words(SETTING, 3, 4, "PREP")
    words = word_frequencies_of(SETTING)
    assert result["words"]["rank"].tolist() == [3, 4, 5, 6]
    clusters = words.set_index("form")["gold"].copy()
    clusters.loc[result["words"]["form"]] = "PREP"
    tokens = reichart2010.data("nursery").tokens
    scores = result["scores"].set_index("measure")["after"]
    forms = tokens["form"].astype(str)
    assert scores["1-1"] == one_to_one(tokens["coarse"], forms.map(clusters), assignment="optimal").value
    predicted = pd.DataFrame({"form": clusters.index, "cluster": clusters.to_numpy()})
    assert scores["MicroI 1-1"] == pytest.approx(
        micro_i(reichart2010.gold_lexicon(SETTING).astype(str), predicted).value
    )
    assert result["share"] == pytest.approx(100 * forms.isin(result["words"]["form"]).mean())


def test_frequent_words_cost_the_token_score_more_and_rare_words_the_type_score():
    explorer = explore.token_against_type("nursery")
    frequent = explorer.set(first=1, count=10).value["scores"].eval("before - after")
    rare = explorer.set(first=500, count=200).value["scores"].eval("before - after")
    assert frequent[0] > rare[0] and rare[1] > frequent[1]
    assert len(pictures(explorer)) == 1 and printed(explorer)[1].startswith("moved: ")


def test_clusters_against_measures_shows_rows_of_the_curves():
    explorer = explore.clusters_against_measures(SETTING).set(system="Brown", first="V", second="MicroC 1-1")
    curves = reichart2010.curves(SETTING).query("system == 'Brown' and measure in ['V', 'MicroC 1-1']")
    assert explorer.value["curve"]["value"].tolist() == curves["value"].tolist()
    assert len(explorer.figure().axes) == 2
    assert len(explorer.set(second="V").figure().axes) == 1, "one measure chosen twice is drawn once"


def test_restarts_are_those_of_the_library():
    explorer = explore.restarts_of_hill_climbing(SETTING).set(system="GG07", starts=5, seed=3)
    table = lexicons("GG07", SETTING)
    values = restart_values(table, measure="micro_c", restarts=5, initialisation="edges", random_state=3)["value"]
    shown = explorer.value.query("measure == 'MicroC' and initialisation == 'edges'")
    assert shown["value"].tolist() == values.tolist()
    assert shown["of_best"].max() <= 1


def test_going_back_shows_the_same_picture_byte_for_byte():
    explorer = explore.restarts_of_hill_climbing(SETTING)
    before = explorer.children[1].outputs
    assert explorer.set(system="GG07").children[1].outputs != before
    assert explorer.set(system="Clark03").children[1].outputs == before


def test_the_column_of_words_is_as_wide_as_the_longest():
    widths = [
        CheckboxGrid("gold", [word], ["N"], set()).children[0].children[0].layout.width for word in ("dog", "predicted")
    ]
    assert float(widths[0].removesuffix("em")) < float(widths[1].removesuffix("em"))
