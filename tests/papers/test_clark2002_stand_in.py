"""The treebank grammar beside Collins's printed numbers: one small run by hand, and the stored one."""

from importlib import import_module

import numpy as np
import pandas as pd
import pytest

from analysis.corpora.bracketed_trees import read_bracketed_trees
from analysis.papers import clark2002
from analysis.papers.recipe import printed

stand_in = import_module("analysis.papers.clark2002.treebank_grammar")

ONE = "(S (NP (NNS hens)) (VP (VBP eat) (NP (NN corn)) (PP (IN at) (NP (NN noon)))) (. .))\n"
OTHER = "(S (NP (NNS ducks)) (VP (VBP swim)) (. .))\n"
GOLD = "(S (NP (NNS hens)) (VP (VBP eat) (NP (NP (NN corn)) (PP (IN at) (NP (NN noon))))) (. .))\n"


@pytest.fixture
def small(monkeypatch):
    train, test = (read_bracketed_trees(text.encode()) for text in (3 * ONE + OTHER, GOLD + OTHER + "(X (XX x))\n"))
    monkeypatch.setattr(stand_in, "split", lambda: stand_in.Split(train, test, "small"))
    return train, test


def counts(table, system=None):
    part = table[table["system"] == (system or stand_in.STAND_IN)]
    return {
        (evaluation, measure): (one, other)
        for evaluation, measure, one, other in part[["evaluation", "measure", "numerator", "denominator"]].itertuples(
            index=False, name=None
        )
    }


def test_a_small_run_has_the_scores_counted_by_hand(small):
    parsers = {stand_in.STAND_IN: ({"rare": 0}, False)}
    found = counts(stand_in.stand_in_runs(resamples=5, parsers=parsers))
    # the noun phrase is attached to the verb, the third sentence has no parse
    assert found["tags", "accuracy"] == (7, 8)
    assert found["Parseval", "LP"] == (9, 9) and found["Parseval", "LR"] == (9, 11)
    assert found["Parseval", "BP"] == (9, 9) and found["Parseval", "BR"] == (9, 11)
    assert found["Parseval", "crossing"] == (0, 2)
    assert found["dependency evaluation 1", "UR"] == (6, 8) == found["dependency evaluation 1", "LR"]
    # binarised, the output has a verb phrase over 'eat corn', which crosses the noun phrase 'corn at noon'
    assert found["Parseval, binarised", "LP"] == (9, 10) and found["Parseval, binarised", "LR"] == (9, 11)
    assert found["Parseval, binarised", "crossing"] == (1, 2)


def test_given_tags_are_right(small):
    parsers = {"given": ({}, True)}
    table = stand_in.stand_in_runs(resamples=5, parsers=parsers)
    accuracy = table[table["evaluation"] == "tags"].iloc[0]
    assert accuracy["numerator"] == 7 and accuracy["sentences_failed"] == 1
    assert set(table["trained_on"]) == {4} and set(table["tested_on"]) == {3}


def test_the_binarised_trees_are_scored_without_punctuation():
    trees = read_bracketed_trees(b"(S (NP (NNS hens)) (, ,) (VP (VBP eat)) (. .))")
    found = stand_in.tree_evaluations(trees, trees)
    assert [found[name].sentences["gold"].item() for name in ("flat", "binary", "dependencies")] == [3, 3, 2]


def test_the_stored_run_stands_beside_the_printed_numbers_and_is_not_called_collins():
    table = clark2002.stand_in()
    assert set(table["system"]) == set(stand_in.PARSERS)
    assert not table["system"].str.startswith("Collins").any() and table["system"].iloc[0].endswith("(not Collins)")
    facts = printed("clark2002", "facts").set_index("id")["value"]
    own = table[table["system"] == stand_in.STAND_IN].set_index(["evaluation", "measure"])
    assert own["collins"].dropna().to_dict() == {key: facts[name] for key, name in stand_in.COLLINS.items()}
    assert own.index.tolist() == list(stand_in.MEASURES)
    share = table["measure"] != "crossing"
    counted = table["numerator"] / table["denominator"] * np.where(share, 100, 1)
    assert np.allclose(counted.astype(float), table["recomputed"].astype(float))
    assert (table["lower"] <= table["recomputed"]).all() and (table["recomputed"] <= table["upper"]).all()
    beside = clark2002.collins().set_index("measure")
    assert beside.loc["Parseval LP", stand_in.STAND_IN] == own.loc[("Parseval", "LP"), "recomputed"]


def test_dependencies_score_above_brackets_and_flat_trees_have_fewer_crossing_brackets():
    table = clark2002.stand_in().set_index(["system", "evaluation", "measure"])["recomputed"]
    for system in stand_in.PARSERS:
        assert table[system, "dependency evaluation 1", "UR"] > table[system, "Parseval", "BR"]
    trees = clark2002.flat_and_binary().set_index(["system", "trees"])
    flat, binary = trees.xs("flat", level="trees"), trees.xs("binarised", level="trees")
    assert (flat["brackets"] < binary["brackets"]).all() and (flat["crossing"] < binary["crossing"]).all()


@pytest.mark.real_corpus
def test_the_split_is_by_file_and_nine_to_one():
    found = stand_in.split()
    assert (len(found.train), len(found.test)) == (3563, 351)
    files = [set(part.sentences["file"]) for part in (found.train, found.test)]
    assert (len(files[0]), len(files[1])) == (180, 19) and not files[0] & files[1]


@pytest.mark.real_corpus
@pytest.mark.slow
def test_the_stored_counts_are_those_of_a_new_run():
    stored = stand_in.stand_in()
    new = stand_in.stand_in_runs(resamples=2, parsers={stand_in.STAND_IN: stand_in.PARSERS[stand_in.STAND_IN]})
    assert counts(new) == counts(stored)
    assert isinstance(new, pd.DataFrame)
