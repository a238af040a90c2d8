"""The grid of BH: which cells there are, one cell computed small, and the stored grid beside the printed numbers."""

from importlib import import_module

import pandas as pd
import pytest

from analysis.dependencies import attachment_scores
from analysis.dependencies.models import CCGInduction
from analysis.papers import gelling2012
from analysis.papers.gelling2012.measures import short_sentences
from analysis.papers.gelling2012.setting import Data

bh = import_module("analysis.papers.gelling2012.bh")


def test_each_printed_number_has_one_cell_and_no_cell_is_there_twice():
    cells = bh.bh_cells(gelling2012.Setting())
    keys = [tuple(cell.items()) for cell in cells]
    assert len(set(keys)) == len(keys)
    usual = [cell for cell in cells if all(cell[name] == bh._USUAL[name] for name in bh._KEYS[4:])]
    found = [
        (cell["rules"], cell["training"], cell["rounds"], cell["derived"]) for cell in usual if cell["scored"] == "10"
    ]
    assert set(bh.PRINTED) <= set(found)
    assert bh.PRINTED["B1+TR", "k-best", 2, True] == bh.PRINTED_LENGTHS["10"]


def test_a_cell_trains_on_short_sentences_and_scores_those_that_are_asked_for(monkeypatch):
    some = short_sentences("nursery", 60)
    monkeypatch.setattr(bh, "data", lambda name: Data(some, "1", ""))
    cell = dict(bh.bh_cells(gelling2012.Setting())[7], longest=5, scored="all", n_best=5)
    table = bh.bh_cell(**cell)["scores"].set_index("measure")
    model = CCGInduction(max_length=5, n_best=5, derived=True, normal_form=False).fit(some)
    directed = attachment_scores(some, model.predict(some), punctuation=False).directed
    assert table.loc["directed", "value"] == pytest.approx(float(directed))
    sizes = some.groupby("sentence").size()
    assert table["trained"].iloc[0] == (sizes <= 5).sum() < table["sentences"].iloc[0] == len(sizes)


def test_on_the_penn_sample_the_best_derivations_and_two_rounds_are_best_as_printed():
    table = gelling2012.bh_settings()
    printed = table.dropna(subset="printed")
    assert len(printed) == len(bh.PRINTED) + len(bh.PRINTED_LENGTHS) - 1 == 21
    pd.testing.assert_series_equal(table["difference"], table["recomputed"] - table["printed"], check_names=False)
    short = printed[printed["scored"] == "10"]
    by_training = short.query("derived and rounds == 2").pivot(index="rules", columns="training", values="recomputed")
    assert (by_training.idxmax(axis=1) == "k-best").all()
    rounds = short.query("training == 'k-best' and rules == 'B1+TR' and not derived").set_index("rounds")["recomputed"]
    assert rounds.idxmax() == 2
    lengths = printed.query("derived and rounds == 2 and training == 'k-best' and rules == 'B1+TR'")
    assert lengths.set_index("scored")["recomputed"].loc[["10", "20"]].is_monotonic_decreasing
