"""The grid of G and its variants: runs, their means beside the printed ones, the tags of word types, the figure."""

import numpy as np
import pandas as pd
import pytest

from analysis.categories import many_to_one
from analysis.papers import gelling2012
from analysis.papers.gelling2012.regularised import GOLD, TAGS, regularised_cells, regularised_labels, warm_up
from analysis.papers.gelling2012.runs import fit, systems
from analysis.papers.gelling2012.setting import data, number_of_tags

SETTING = gelling2012.Setting(corpus="nursery", g_iterations=4)


@pytest.fixture(scope="module")
def runs():
    return gelling2012.regularised_runs(SETTING, seeds=2, variants=("HMM", "G"))


def test_each_run_has_the_four_measures_and_the_gold_tags_none(runs):
    scores = runs[runs["measure"] != TAGS]
    assert scores.groupby(["system", "seed"]).size().to_dict() == {
        ("G-u", "0"): 4, ("G-u", "1"): 4, ("HMM-u", "0"): 4, ("HMM-u", "1"): 4}  # fmt: skip
    assert set(runs["system"]) == {GOLD, "HMM-u", "G-u"} and set(scores["unit"]) == {"proportion", "bits"}


def test_scores_are_those_of_the_tags_of_the_model(runs):
    model = {"iterations": 4, "strength": 32.0, "variance": 1.0}
    labels, chosen = regularised_labels("nursery", "G", number_of_tags("nursery", "universal"), 0, model)
    scored = data("nursery").tokens["scored"].to_numpy()
    expected = float(many_to_one(data("nursery").test["universal"].astype("str"), labels[scored]))
    row = runs.query("system == 'G-u' and seed == '0' and measure == 'M-1'")
    assert row["value"].tolist() == pytest.approx([expected])
    assert chosen["warm_up"] == warm_up(4) == 0 and chosen["capitals"] == "A-Z"


def test_the_run_of_the_tables_is_that_of_the_grid(runs):
    (run,) = [run for run in systems("nursery", SETTING) if run.system == "G-u"]
    model = {"iterations": 4, "strength": 32.0, "variance": 1.0}
    labels, _ = regularised_labels("nursery", "G", 12, 0, model)
    assert fit("nursery", run).labels.tolist() == labels.tolist()


def test_the_tags_of_word_types_are_those_counted_by_hand(runs):
    table = gelling2012.tags_per_type(runs).set_index(["system", "tags"])["value"]
    tokens = data("nursery").tokens
    tags = tokens.groupby(tokens["form"].astype("str"))["universal"].agg(["size", "nunique"])
    frequent = tags.loc[tags["size"] >= 10, "nunique"]
    assert table[GOLD, 1] == 1 and table[GOLD].sum() == pytest.approx(frequent.mean())
    assert table["G-u"].is_monotonic_decreasing


def test_means_and_deviations_are_over_the_starts():
    rows = {"testset": "danish", "system": "G-u", "measure": "1-1", "unit": "proportion", "tags": pd.NA, "n": 9}
    runs = pd.DataFrame([{**rows, "seed": str(seed), "value": value} for seed, value in enumerate((0.25, 0.5))])
    (row,) = gelling2012.regularised_scores(runs).to_dict("records")
    assert row["mean"] == 37.5 and row["deviation"] == pytest.approx(np.std([25, 50], ddof=1)) and row["n"] == 2
    assert row["printed"] == 45.58 and row["unit"] == "percent"


def test_a_system_that_never_uses_so_many_tags_counts_as_none_in_the_mean():
    common = {"testset": "t", "system": "G-u", "measure": TAGS, "unit": "proportion", "n": 4}
    found = (("0", 1, 1.0), ("1", 1, 1.0), ("1", 2, 0.5))
    runs = pd.DataFrame([{**common, "seed": seed, "tags": tags, "value": value} for seed, tags, value in found])
    assert gelling2012.tags_per_type(runs)["value"].tolist() == [1.0, 0.25]


def test_seeds_are_the_outer_loop_so_that_a_stopped_grid_has_whole_starts():
    cells = regularised_cells(gelling2012.Setting(), 2, ["HMM", "G"], ["coarse", "universal"])
    assert [cell["seed"] for cell in cells] == [0] * 5 + [1] * 4


def test_the_figure_has_a_panel_for_each_test_set_and_a_line_for_each_system(runs):
    table = gelling2012.tags_per_type(runs)
    figure = gelling2012.tags_per_type_figure(table)
    (ax,) = figure.axes
    assert len(ax.lines) == 3 and ax.get_title() == "nursery"
    drawn = {tuple(line.get_ydata()) for line in ax.lines}
    assert tuple(100 * table.query("system == 'gold'")["value"]) in drawn


def test_the_stored_grid_is_of_200_iterations_and_shows_fewer_tags_with_the_constraint():
    stored = gelling2012.stored_regularised_run()
    assert {"HMM-u", "HMM+ME-u", "HMM+Sp-u", "G-u", GOLD} == set(stored["system"]) and "en-ptb" in set(
        stored["testset"]
    )
    fits = stored[stored["system"] != GOLD]
    assert fits["convention"].str.contains("iterations=200, ").all()
    tags = gelling2012.tags_per_type().groupby(["testset", "system"])["value"].sum().unstack()
    assert (tags["G-u"] < tags["HMM-u"]).all() and (tags["G-u"] < tags["HMM+ME-u"]).all()
