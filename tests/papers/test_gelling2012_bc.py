"""BC of the trees by sweep: which cells there are, one cell computed small, and the stored chains."""

from importlib import import_module

import pandas as pd
import pytest

from analysis.dependencies import attachment_scores
from analysis.dependencies.models import DMV, TreeSubstitutionGrammar
from analysis.dependencies.models.tree_substitution import joined_runs
from analysis.papers import gelling2012
from analysis.papers.gelling2012.measures import short_sentences
from analysis.papers.gelling2012.setting import Data

bc = import_module("analysis.papers.gelling2012.bc")


def test_there_is_one_cell_a_test_set_with_coarse_tags_where_there_are_many_fine_ones():
    assert [cell["tags"] for cell in bc.bc_cells(gelling2012.Setting(), 2, (5,))] == ["fine"]
    few = gelling2012.Setting(most_tags=20)
    assert [(cell["testset"], cell["tags"]) for cell in bc.bc_cells(few, 2, (5,))] == [("nursery", "coarse")]


@pytest.fixture
def small(monkeypatch):
    some = short_sentences("nursery", 60).assign(scored=True)
    monkeypatch.setattr(bc, "data", lambda name: Data(some, "small", ""))
    return some, dict(bc.bc_cells(gelling2012.Setting(iterations=3), 2, (1, 3))[0], longest=4)


def test_a_cell_scores_each_run_their_vote_and_the_models_that_they_start_from(small):
    some, cell = small
    table = bc.bc_cell(**cell)["scores"].query("measure == 'directed'")
    assert len(table) == 4 + 3 * (1 + 2)  # H and DMV twice; after one sweep short sentences, after three both
    sizes = some.groupby("sentence").size()
    short = some[some["sentence"].isin(sizes.index[sizes <= 4])].reset_index(drop=True)

    def value(system, run, scored):
        return table.query("system == @system and run == @run and scored == @scored")["value"].iloc[-1]

    def accuracy(model, gold):
        return float(attachment_scores(gold, model.predict(gold), punctuation=False).directed)

    runs = [
        TreeSubstitutionGrammar(3, runs=1, max_length=4, random_state=seed, progress=False).fit(some) for seed in (0, 1)
    ]
    for scored, gold in (("4", short), ("all", some)):
        assert value("DMV", "", scored) == accuracy(DMV(iterations=3, max_length=4).fit(some), gold)
        for seed, model in enumerate(runs):
            assert value("BC", str(seed), scored) == accuracy(model, gold)
        assert value("BC", "vote", scored) == accuracy(joined_runs(runs), gold)
    assert set(table["trained"]) == {(sizes <= 4).sum()}


def test_more_sweeps_and_more_runs_go_on_from_the_chains_that_are_stored(small, monkeypatch, tmp_path):
    _, cell = small
    first = bc.bc_cell(**cell)["scores"]
    fits, plain = [], TreeSubstitutionGrammar.fit

    def counted(model, *arguments, **named):
        fits.append((model.random_state, model.sweeps))
        return plain(model, *arguments, **named)

    monkeypatch.setattr(TreeSubstitutionGrammar, "fit", counted)
    monkeypatch.setattr(bc, "cache_key", lambda **named: {"data": str(tmp_path), **named["parameters"]})
    bc.bc_cell(**cell)
    fits.clear()
    more = bc.bc_cell(**dict(cell, runs=3, steps=(1, 3, 4)))["scores"]
    assert fits == [(2, 1), (2, 3), (0, 4), (1, 4), (2, 4)]
    same = ["system", "run", "step", "scored", "measure", "value"]
    both = first[same].merge(more[same], on=same[:-1], suffixes=("", "_again"))
    assert len(both) and both.query("run != 'vote'")["value"].equals(both.query("run != 'vote'")["value_again"])


def test_joined_runs_are_of_the_same_sentences():
    one = TreeSubstitutionGrammar(1, runs=1, progress=False).fit([["N", "V"]])
    other = TreeSubstitutionGrammar(1, runs=1, progress=False).fit([["N", "V"], ["V"]])
    with pytest.raises(ValueError, match="different sentences"):
        joined_runs([one, other])


def test_on_the_penn_sample_the_vote_is_above_the_model_with_valence_after_each_number_of_sweeps():
    table = gelling2012.bc_sweeps()
    penn = table.query("testset == 'en-ptb'")
    short = penn.query("scored == '10'")
    assert short["sentences"].eq(555).all() and short["trained"].eq(555).all()
    assert short["sweeps"].tolist() == [10, 20, 50, 100, 200] and penn["runs"].ge(2).all()
    assert (penn["over_dmv"] > 0).all()
    assert penn.query("scored == 'all'")[["sweeps", "printed"]].to_numpy().tolist() == [[200, 56.0]]
    assert (table["lowest"] <= table["mean"]).all() and (table["mean"] <= table["highest"]).all()
    pd.testing.assert_series_equal(table["over_dmv"], table["vote"] - table["DMV"], check_names=False)
