"""Phrase-structure trees."""

import pytest

from analysis.corpora.bracketed_trees import read_bracketed_trees
from analysis.structures import DataError


def test_penn_trees_have_any_number_of_daughters():
    bank = read_bracketed_trees(b"( (S (NP (DT the) (JJ big) (NN cat)) (VP (VBD sat))) )\n(NP (NN cat))\n")
    assert bank.nodes[["category", "start", "end"]].values.tolist()[:2] == [["S", 0, 4], ["NP", 0, 3]]
    assert bank.tokens["form"].tolist() == ["the", "big", "cat", "sat", "cat"]
    with pytest.raises(DataError):
        read_bracketed_trees(b"(S (NP (NN cat)")
