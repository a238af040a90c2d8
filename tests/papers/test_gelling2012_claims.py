import numpy as np
import pandas as pd

from analysis.papers import gelling2012
from analysis.papers.gelling2012.claims import entrants_over_dmv, fall_with_length, least_against_others, slight_gains
from analysis.papers.gelling2012.edges import _crosses
from analysis.papers.gelling2012.headlines import narrower
from analysis.papers.gelling2012.tu import tu_cell, tu_cells
from analysis.papers.recipe import Evidence


def test_edges_that_share_an_end_or_nest_do_not_cross():
    def crosses(*heads):
        places = np.arange(1, len(heads) + 1)
        edges = np.column_stack([places, heads])
        return _crosses(edges[edges[:, 1] > 0]).tolist()

    assert crosses(2, 0, 2, 3) == [False, False, False]
    assert crosses(3, 4, 0, 3) == [True, True, False]  # 1-3 and 2-4
    assert crosses(4, 3, 0, 3) == [False, False, False]  # 2-3 lies inside 1-4


def test_lengths_are_counted_without_punctuation_and_without_the_edge_to_the_root():
    table = gelling2012.gold_edges().set_index("relation")
    assert "ROOT" not in table.index and table.loc["all", "length"] > 1
    named = table.drop("all")
    assert named["edges"].sum() <= table.loc["all", "edges"] and (named["length"] >= 1).all()


def test_margins_are_points_over_all_cases_and_the_worst_test_set_of_a_system_is_named():
    rows = [("a", "H", 0.2), ("b", "H", 0.2), *((name, f"DMV-{level}", value) for level in "cpu"
            for name, value in (("a", 0.22), ("b", 0.4))), ("a", "Tu", 0.3), ("b", "Tu", 0.1), ("a", "S1", 0.2),
            ("b", "S1", 0.3)]  # fmt: skip
    table = pd.DataFrame(rows, columns=["testset", "system", "value"]).assign(measure="directed")
    of = Evidence(gelling2012.Setting(), {"table3": lambda setting: table})
    assert (slight_gains(of, 5), slight_gains(of, 1), slight_gains(of, 21)) == (0.5, 0, 1)  # gains of 2 and 20 points
    table.loc[table["system"] == "H", "value"] = 0.3
    assert slight_gains(of, 21) == 0.5, "a loss is no slight gain"
    table.loc[table["system"] == "H", "value"] = 0.2
    assert round(entrants_over_dmv(of), 6) == -6  # the middle of 8, -2, -10 and -30
    assert {name: round(value, 6) for name, value in least_against_others(of, "Tu").items()} == {"b": -20}


def test_the_default_tu_of_the_stored_grid_is_the_stored_entrant_and_plain_dmv_the_stored_dmv():
    grid = gelling2012.tu_settings().query("max_length == '10' and tags == 'fine' and smoothing == '0.0'")
    grid = grid.set_index(["testset", "prior", "unambiguity"])["all"].astype(float)
    runs = gelling2012.stored_entrants_run().query("system == 'Tu' and measure == 'directed' and length == 'all'")
    stored = runs.set_index("testset")["value"].astype(float)
    for testset in ("danish", "en-ptb", "basque-conll2007"):
        assert abs(grid[(testset, "0.25", "annealed")] - stored[testset]) < 0.001


def test_a_cell_of_the_grid_scores_all_and_short_sentences_and_has_no_development_trees_where_all_are_scored():
    setting = gelling2012.Setting(iterations=1, annealing=1)
    cell = tu_cells(setting)[0]
    scores = tu_cell(**cell)["scores"].set_index("scored")["value"]
    assert 0 < scores["all"] < 1 and 0 < scores["short"] < 1 and pd.isna(scores["development"])


def test_what_is_said_of_the_settings_of_tu_is_what_the_stored_grid_shows():
    grid = gelling2012.tu_settings()
    keys = ["testset", "tags", "max_length", "prior", "unambiguity", "smoothing"]
    value = grid.set_index(keys)["all"].astype(float).round(3)
    penn = value["en-ptb"]
    assert penn.idxmax() == ("fine", "15", "0.25", "annealed", "0.0") and penn.max() == 0.411
    named = {"fine": 0.375, "coarse": 0.223}
    assert {tags: penn[(tags, "10", "0.25", "annealed", "0.0")] for tags in named} == named
    assert penn[("fine", "10", "0.25", "0.0", "0.0")] == 0.323 and penn[("fine", "10", "none", "0.0", "0.0")] == 0.289
    assert penn[("fine", "10", "none", "annealed", "0.0")] == 0.374  # the prior adds a tenth of a point
    assert value["danish"].loc[["coarse", "fine"], "10", "0.25", "annealed", "0.0"].tolist() == [0.306, 0.186]
    best = grid[grid["best_on_development"]].set_index("testset")[["tags", "max_length", "prior", "unambiguity"]]
    assert best.loc["danish"].tolist() == ["coarse", "10", "none", "0.0"]
    assert best.loc["basque-conll2007"].tolist() == ["fine", "10", "0.25", "0.0"]


def test_averages_over_fewer_test_sets_are_not_drawn_beside_the_printed_ones():
    figure = gelling2012.figures.stored_averages_figure(2)
    drawn = {label.get_text() for label in figure.axes[0].get_yticklabels()}
    assert {"C-c", "MK-u"} <= drawn and not {"BC", "CGS"} & drawn


def test_accuracy_by_length_is_compared_where_both_lengths_have_edges_enough():
    rows = pd.DataFrame({
        "testset": ["a", "a", "b", "b"], "system": "LB", "length": [1, 9] * 2, "measure": "directed",
        "value": [0.9, 0.6, 0.2, 0.8], "denominator": [50, 20, 50, 19],
    })  # fmt: skip
    found = fall_with_length(lambda name: rows, edges=20)
    assert {name: round(value, 6) for name, value in found.items()} == {"a LB": 0.3}
    assert fall_with_length(lambda name: rows, edges=21) is None
    assert list(fall_with_length(lambda name: rows, edges=19)) == ["b LB"]


def test_the_larger_spread_is_the_whole():
    rows = pd.DataFrame(
        [("a", "directed", 0.5), ("b", "directed", 0.75), ("a", "NED", 0.25), ("b", "NED", 0.75)],
        columns=["system", "measure", "value"],
    ).assign(testset="nursery")
    assert narrower({"table3": rows}.get, spread="range") == {"nursery": -0.5}
