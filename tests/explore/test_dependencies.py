import numpy as np
import pandas as pd
import pytest

from analysis import explore
from analysis.explore.dependencies import HeadsEditor
from analysis.papers import gelling2012

pytestmark = pytest.mark.thorough

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


def test_a_tree_with_ned_100_and_directed_0_can_be_drawn():
    arcs = explore.arcs_by_hand()
    arcs.set(heads=(0, (3, 0, 2, 6, 4, 3)))  # swims and in reversed, the others under their grandparents
    values = arcs.value["scores"].set_index("measure")["value"]
    assert (values["directed"], values["undirected"], values["NED"]) == (0, 2 / 6, 1)
    reasons = arcs.value["tokens"]["counts_as"].astype("str").tolist()
    assert reasons == ["grandparent", "grandparent", "reversed", "reversed", "grandparent", "grandparent"]
    assert not arcs.error and arcs.figure().axes


def test_two_clicks_move_one_edge_and_a_new_sentence_brings_its_own_buttons():
    editor = HeadsEditor([["a", "b"], ["c", "d", "e"]], [[2, 0], [0, 1, 1]])
    assert [button.description for button in editor.buttons] == ["ROOT", "1 a", "2 b"]
    editor.buttons[2].click()
    assert editor.selected == 2 and editor.value == (0, (2, 0))
    assert [button.button_style for button in editor.buttons] == ["info", "", "primary"]
    editor.buttons[1].click()
    assert editor.selected == 0 and editor.value == (0, (2, 1))
    assert {button.button_style for button in editor.buttons} == {""}
    editor.chooser.value = 1
    assert editor.value == (1, (0, 1, 1)) and len(editor.buttons) == 4
    editor.value = (0, (0, 1))
    assert len(editor.buttons) == 3 and editor.chooser.value == 0
    with pytest.raises(ValueError, match="3 heads for 2 words"):
        editor.value = (0, (0, 1, 1))
    assert editor.value == (0, (0, 1))


def test_a_word_clicked_twice_is_let_go_and_the_root_is_a_head_only():
    editor = HeadsEditor([["a", "b"]], [[2, 0]])
    editor.buttons[0].click()
    assert editor.selected == 0 and "ROOT has no head" in editor._told.value
    for _ in range(2):
        editor.buttons[1].click()
    assert editor.selected == 0 and editor.value == (0, (2, 0))
    editor.buttons[1].click()
    editor.buttons[0].click()
    assert editor.value == (0, (0, 0))


def test_clicks_redraw_the_arcs_once_and_resets_bring_back_gold_and_prediction():
    arcs = explore.arcs_by_hand()
    editor = arcs.controls["heads"]
    begun = editor.value
    before, drawn = arcs.value["scores"]["numerator"].tolist(), arcs._output.outputs
    editor.buttons[3].click()
    assert arcs._output.outputs == drawn
    editor.buttons[0].click()
    assert arcs._output.outputs != drawn and len(arcs._output.outputs) == len(drawn)
    assert arcs.value["scores"]["numerator"].tolist() != before
    editor.buttons[1].click()
    editor.resets["gold"].click()
    assert (arcs.value["scores"]["value"] == 1).all() and editor.selected == 0
    editor.resets["prediction"].click()
    assert editor.value == begun and arcs.value["scores"]["numerator"].tolist() == before


def test_the_gold_tree_counts_whole_and_punctuation_is_a_choice():
    tokens = pd.DataFrame({"sentence": 0, "form": ["go", "!"], "universal": ["VERB", "PUNCT"], "head": [0, 1]})
    arcs = explore.arcs_by_hand(tokens, [0, 1])
    assert arcs.value["scores"]["denominator"].tolist() == [2, 2, 2]
    arcs.set(kept="left out")
    assert arcs.value["scores"]["denominator"].tolist() == [1, 1, 1]
    assert (arcs.value["scores"]["value"] == 1).all() and "same head" in arcs._alt(arcs.value)


def test_dmv_moves_through_its_iterations_with_rising_log_likelihood():
    dmv = explore.dmv_iterations("nursery", "coarse", SETTING, sentences=40)
    trace = dmv.value["trace"]
    assert trace["iteration"].tolist() == [0, 1, 2] and (np.diff(trace["log_likelihood"]) > 0).all()
    dmv.set(iteration=2)
    assert dmv.value["iteration"] == 2 and dmv.figure().axes
    assert np.allclose(dmv.value["posteriors"].sum(), 1)
    before = dmv.value["sentence"]["form"].tolist()
    dmv.set(sentence=dmv.controls["sentence"].options[1])
    assert dmv.value["sentence"]["form"].tolist() != before and not dmv.error


def test_accuracy_in_parts_shows_the_numbers_of_the_tables():
    parts = explore.accuracy_breakdown(SETTING)
    table = gelling2012.figure1_points(SETTING)
    expected = table[(table["system"] == "LB") & (table["measure"] == "directed")]["value"].tolist()
    assert parts.value[parts.value["system"] == "LB"]["value"].tolist() == expected
    for by in ("relation", "sentence_length"):
        parts.set(by=by)
        assert not parts.error and by in parts.value.columns and parts.figure().axes
    parts.set(shown=())
    assert parts.error == "choose at least one system."


def test_conventions_show_values_and_ranks_before_and_after():
    changed = explore.conventions_and_ranks(SETTING)
    changed.set(convention="root edges left out", measure="NED")
    table = gelling2012.conventions("nursery", SETTING).set_index(["convention", "measure", "system"])
    row = changed.value.set_index("system").loc["LB"]
    assert row["value_then"] == table.loc[("root edges left out", "NED", "LB"), "value"]
    assert row["moved"] == row["rank"] - row["rank_then"] and changed.figure().axes
    changed.set(measure="directed")
    moved = changed.value["moved"]
    assert moved.equals(changed.value["rank"] - changed.value["rank_then"]) and moved.abs().max() > 0
