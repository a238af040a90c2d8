"""Binarised trees: the labels of nodes between, and the way back."""

import numpy as np
import pytest

from analysis.constituents.binarising import binarised, flattened, simple_label
from analysis.constituents.heads import head_daughter
from analysis.corpora.bracketed_trees import read_bracketed_trees
from analysis.structures import DataError

FLAT = b"(NP (DT the) (JJ red) (NN hen) (PP (IN of) (NP (NN clay))) (RB here))\n(S (NP (NNS hens)) (VP (VBP eat)))"
ORDERS = [(vertical, horizontal) for vertical in (1, 2, 3) for horizontal in (None, 0, 1, 2)]


def labels(trees, **choices):
    nodes = binarised(trees, **choices).nodes
    return nodes[nodes["sentence"] == 0]["category"].tolist()


def test_right_sisters_are_attached_before_left_ones_and_each_node_has_two_daughters():
    trees = binarised(read_bracketed_trees(FLAT), horizontal=0)
    assert repr(trees.tree(0)) == (
        "(NP (DT the) (@NP~NN< (JJ red) (@NP~NN> (@NP~NN> (NN hen) (PP (IN of) (NP (NN clay)))) (RB here))))"
    )
    assert trees.nodes["head_daughter"].tolist()[:6] == [1, -1, 1, -1, 0, 0]


def test_a_node_between_remembers_as_many_sisters_as_it_is_told_to():
    trees = read_bracketed_trees(FLAT)
    for horizontal, expected in {
        0: ["@NP~NN<", "@NP~NN>", "@NP~NN>"],
        1: ["@NP~NN<JJ", "@NP~NN>RB", "@NP~NN>PP"],
        2: ["@NP~NN<JJ", "@NP~NN>RB>PP", "@NP~NN>PP"],
        None: ["@NP~NN<JJ>RB>PP", "@NP~NN>RB>PP", "@NP~NN>PP"],
    }.items():
        assert [label for label in labels(trees, horizontal=horizontal) if label.startswith("@")] == expected


def test_labels_have_as_many_ancestors_as_they_are_told_to():
    trees = read_bracketed_trees(FLAT)
    assert labels(trees, vertical=1, horizontal=0)[-4:] == ["IN", "NP", "NN", "RB"]
    assert labels(trees, vertical=2, horizontal=0)[-4:] == ["IN", "NP^PP", "NN", "RB"]
    assert labels(trees, vertical=3, horizontal=0, tag_parents=True)[-4:] == ["IN^PP", "NP^PP^NP", "NN^NP", "RB^NP"]
    assert labels(trees, vertical=2, horizontal=0)[:3] == ["NP^TOP", "DT", "@NP^TOP~NN<"]


@pytest.mark.parametrize(("vertical", "horizontal"), ORDERS)
def test_flattening_undoes_it(vertical, horizontal):
    trees = read_bracketed_trees(FLAT)
    back = flattened(binarised(trees, vertical=vertical, horizontal=horizontal, tag_parents=True))
    assert back.nodes.equals(trees.nodes) and back.tokens.equals(trees.tokens)


@pytest.mark.real_corpus
def test_every_tree_of_the_penn_sample_comes_back_as_it_was():
    from analysis.corpora.penn_trees import as_derivations, read_penn_sample

    trees = as_derivations(read_penn_sample())
    assert len(trees) == 3914
    for vertical, horizontal in ((1, None), (2, 1)):
        two = binarised(trees, vertical=vertical, horizontal=horizontal, tag_parents=True)
        parents = two.nodes[two.nodes["parent"] >= 0].groupby(["sentence", "parent"]).size()
        assert parents.max() == 2
        back = flattened(two)
        assert back.nodes.equals(trees.nodes) and back.tokens.equals(trees.tokens)


def test_the_marked_head_is_that_of_the_table():
    trees = read_bracketed_trees(b"(VP (ADVP (RB so)) (VBZ eats) (NP (NN corn)))")
    head = head_daughter("VP", ["ADVP", "VBZ", "NP"])
    assert head == 1
    nodes = binarised(trees).nodes
    at = 0
    while nodes["rule"][at] != "lex":
        below = np.flatnonzero(nodes["parent"] == at)
        at = int(below[nodes["head_daughter"][at]])
    assert nodes["category"][at] == "VBZ"


def test_a_label_is_freed_of_its_annotations():
    assert [simple_label(label) for label in ("@VP^S^TOP~VBZ<NP", "NP^S", "NP")] == ["VP", "NP", "NP"]


@pytest.mark.parametrize("label", ["@NP", "N^P", "N~P"])
def test_labels_with_the_marks_of_annotations_are_refused(label):
    with pytest.raises(DataError, match="cannot be annotated"):
        binarised(read_bracketed_trees(f"({label} (NN hen))".encode()))


def test_orders_that_make_no_sense_are_refused():
    trees = read_bracketed_trees(FLAT)
    with pytest.raises(ValueError, match="vertical"):
        binarised(trees, vertical=0)
    with pytest.raises(ValueError, match="horizontal"):
        binarised(trees, horizontal=-1)
