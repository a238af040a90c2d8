"""Stored chains of BC and GJ08 VB: what is scored after each number of steps."""

import numpy as np
import pandas as pd
import pytest

from analysis.categories import v_measure
from analysis.categories.models import PitmanYorHMM
from analysis.papers import gelling2012
from analysis.papers.gelling2012.convergence import MEASURES, convergence_cell
from analysis.papers.gelling2012.setting import NURSERY, data


def cell(system, steps):
    version = data(NURSERY).version
    found = convergence_cell(NURSERY, version, system, steps, assignment="optimal", random_state=3)["scores"]
    return found.pivot(index="step", columns="measure", values="value")


def test_a_chain_that_is_scored_on_the_way_is_the_chain_that_is_not():
    stopped, straight = cell("BC", (1, 3)), cell("BC", (3,))
    assert stopped.index.tolist() == [1, 3] and stopped.columns.tolist() == sorted(MEASURES)
    pd.testing.assert_series_equal(stopped.loc[3], straight.loc[3])
    assert stopped.loc[1].ne(stopped.loc[3]).any()


def test_scored_tokens_are_scored_against_fine_tags_with_one_cluster_for_each():
    tokens = data(NURSERY).tokens
    scored, fine = tokens["scored"].to_numpy(), tokens["fine"].astype("str")
    model = PitmanYorHMM(n_clusters=fine.nunique(), sweeps=2, random_state=3, progress=False).fit(tokens)
    expected = float(v_measure(fine[scored], np.asarray(model.labels_)[scored]))
    assert cell("BC", (2,)).loc[2, "VM"] == pytest.approx(expected)


def test_a_chain_that_has_converged_is_scored_once_more_and_ends():
    found = cell("GJ08 VB", (5, 3000, 3001))
    assert found.index[0] == 5 and 5 < found.index[1] < 3000 and len(found) == 2


def test_the_stored_chains_are_whole():
    table = gelling2012.convergence()
    assert set(table["system"]) == {"BC", "GJ08 VB"} and table[list(MEASURES)].notna().all(axis=None)
    bc = table[(table["testset"] == "arabic") & (table["system"] == "BC")].set_index(["random_state", "step"])["VM"]
    assert all(bc[seed, 1000] > bc[seed, 20] + 0.2 for seed in (0, 1))


def test_what_is_said_of_the_stored_chains_is_so():
    table = gelling2012.convergence().round(3)
    arabic = table[table["testset"] == "arabic"].groupby(["system", "step"])["VM"].apply(list)
    assert arabic["BC", 20] == [0.305, 0.338] and arabic["BC", 1000] == [0.565, 0.581]
    ends = table[(table["testset"] == "arabic") & (table["system"] == "GJ08 VB")].groupby("random_state")["VM"].last()
    assert sorted(ends) == [0.209, 0.223]
    assert set(table.loc[table["testset"] == "en-ptb", "system"]) == {"GJ08 VB"}
    assert table.loc[table["system"] == "GJ08 VB", "step"].max() <= 155
