"""The runs of MZ: which cells there are, one cell computed small, and the stored runs beside the printed numbers."""

from importlib import import_module

import numpy as np
import pandas as pd
import pytest

from analysis.dependencies import attachment_scores
from analysis.dependencies.models import ReducibilityModel, reducibility_scores
from analysis.papers import gelling2012
from analysis.papers.gelling2012.measures import short_sentences
from analysis.papers.gelling2012.setting import Data
from analysis.papers.recipe import printed

mz = import_module("analysis.papers.gelling2012.mz")


@pytest.mark.real_corpus
def test_each_treebank_has_three_levels_of_tags_and_some_have_every_variant():
    cells = mz.mz_cells(gelling2012.Setting(corpus="treebanks"), seeds=2, sentences=100)
    keys = [tuple(cell.items()) for cell in cells]
    assert len(set(keys)) == len(keys) == 11 * 3 + 3 * len(mz.VARIANTS) * 2
    assert {cell["testset"] for cell in cells if cell["longest"]} == set(mz.PARTS_OF)
    assert {cell["variant"] for cell in cells if not cell["longest"]} == {"usual"}


@pytest.fixture
def some(monkeypatch):
    sentences = short_sentences("nursery", 400)
    found = sentences.assign(scored=sentences["sentence"] % 3 == 0)
    monkeypatch.setattr(mz, "data", lambda name: Data(found, "1", ""))
    return found


def cell_of(**changes):
    cell = {"testset": "nursery", "version": "1", "variant": "no distance", "level": "coarse", "seed": 4,
            "longest": 5, "sentences": 1000, "sweeps": 4}  # fmt: skip
    return mz.mz_cell(**cell | changes)["scores"]


def test_a_cell_trains_on_short_sentences_with_the_reducibility_of_all_and_scores_the_scored_ones(some):
    table = cell_of().query("scored == 'all'").set_index("measure")
    sizes = some.groupby("sentence")["form"].transform("size")
    few = some[sizes <= 5].reset_index(drop=True)
    scores = reducibility_scores(some, tags="coarse")
    model = ReducibilityModel(tags="coarse", sweeps=4, random_state=4, gamma=0).fit(few, reducibility=scores)
    chosen = few["scored"].to_numpy()
    gold = few[chosen].reset_index(drop=True)
    directed = attachment_scores(gold, model.heads_[chosen], punctuation=False).directed
    assert table.loc["directed", "value"] == pytest.approx(float(directed))
    assert table["sentences"].iloc[0] == few["sentence"].nunique() < some["sentence"].nunique()
    assert table["n_grams"].iloc[0] == len(scores)
    assert table["reducible"].iloc[0] == (scores["reducible"] > 0).sum() > 0


def test_if_few_sentences_are_asked_for_those_of_the_test_set_come_first(some):
    scored = some.loc[some["scored"], "sentence"].nunique()
    table = cell_of(longest=None, sentences=scored).query("scored == 'all' and measure == 'directed'")
    assert table["denominator"].iloc[0] == some["scored"].sum() and table["sentences"].iloc[0] == scored


def test_several_processes_give_the_same_numbers_as_one(monkeypatch):
    monkeypatch.setattr(mz, "PARTS_OF", ())
    choices = {"corpus": "nursery", "mz_sweeps": 1}
    one, two = (gelling2012.mz_runs(**choices, n_jobs=n_jobs) for n_jobs in (1, 2))
    pd.testing.assert_frame_equal(one.drop(columns="seconds"), two.drop(columns="seconds"))


def test_the_stored_runs_are_of_every_treebank_beside_the_printed_numbers():
    table = gelling2012.mz_settings()
    whole = table[table["trained"] == "all"]
    assert set(whole["testset"]) == set(gelling2012.treebanks()["testset"]) and (whole["n"] == 1).all()
    theirs = printed("gelling2012", "table3_dependency").query("measure == 'directed'")
    theirs = theirs.set_index(["testset", "system"])["value"]
    assert whole.loc[(whole["testset"] == "en-ptb") & (whole["level"] == "fine"), "printed"].item() == theirs[
        "en-ptb", "MZ-p"]  # fmt: skip
    assert whole["printed"].notna().sum() == 30  # Basque of CoNLL 2007 is not in the paper
    parts = table[table["trained"] == "short"]
    assert set(parts["testset"]) == set(mz.PARTS_OF) and (parts["n"] == 3).all()
    assert set(parts["variant"]) == set(mz.VARIANTS) and (parts["sentences"] <= 1000).all()
    for _, own in parts.groupby("testset"):
        usual = own.loc[own["variant"] == "usual", "directed"].item()
        others = own[own["variant"] != "usual"]
        assert np.allclose(others["change"], others["directed"] - usual)
