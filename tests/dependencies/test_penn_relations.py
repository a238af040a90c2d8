import pandas as pd
import pytest

from analysis.corpora.penn_trees import read_penn_trees
from analysis.dependencies import attachment_scores, scores_by_relation
from analysis.dependencies.penn_relations import penn_relations
from analysis.structures import DataError

TREE = """
( (S
    (NP-SBJ-1 (NP (DT the) (NN duck)) (PP (IN of) (NP (NN town))))
    (VP (VBZ sees)
      (NP (NP (JJ white) (NNS swans)) (, ,) (NP (NNS geese)) (CC and) (NP (NNS hens)))
      (NP-TMP (NN today)))
    (. .)))
( (S (NP-SBJ (PRP it)) (VP (VBZ is) (NP-PRD (DT a) (NN duck) (CC or) (NN hen)) (ADVP-TMP (RB now)))))
"""


def tokens(heads):
    words = read_penn_trees(TREE).tokens
    return words.assign(head=heads)


# the <- duck <- sees; duck -> of -> town; in each coordination the last conjunct heads
LAST = [2, 5, 2, 3, 0, 7, 11, 11, 11, 11, 5, 5, 5, 2, 0, 6, 6, 6, 2, 2]


def relations(heads):
    trees = read_penn_trees(TREE)
    found = penn_relations(tokens(heads), trees.constituents, trees.tokens)
    return [None if pd.isna(relation) else relation for relation in found]


def test_relations_of_two_sentences_by_hand():
    assert relations(LAST) == [
        "NMOD", "SBJ", "NMOD", None, "ROOT",
        "NMOD", "COORD", None, "COORD", "CC", "OBJ", None, None,
        "SBJ", "ROOT", "NMOD", "COORD", "CC", "PRD", None,
    ]  # fmt: skip


def test_the_relation_of_coordination_is_that_of_the_conjunct_that_hangs_under_another():
    first = [2, 5, 2, 3, 0, 7, 5, 7, 7, 7, 7, 5, 5, 2, 0, 4, 2, 4, 4, 2]
    assert relations(first)[6:11] == ["OBJ", None, "COORD", "CC", "COORD"]
    assert relations(first)[16:19] == ["PRD", "CC", "COORD"]
    chain = [2, 5, 2, 3, 0, 7, 5, 7, 7, 7, 10, 5, 5, 2, 0, 4, 2, 4, 5, 2]
    assert relations(chain)[10] == "COORD"
    assert relations(chain)[18] == "COORD"


def test_other_sentences_are_refused():
    trees = read_penn_trees(TREE)
    other = tokens(LAST).assign(form=lambda table: table["form"].str.replace("geese", "ducks"))
    with pytest.raises(DataError, match="row 8: form is 'ducks' in the first table and 'geese' in the second"):
        penn_relations(other, trees.constituents, trees.tokens)


def test_accuracy_by_these_relations():
    table = tokens(LAST)
    trees = read_penn_trees(TREE)
    scores = attachment_scores(table, table, punctuation=False)
    found = scores_by_relation(scores, penn_relations(table, trees.constituents))
    directed = found[found["measure"] == "directed"].set_index("relation")["denominator"]
    assert directed.to_dict() == {"ROOT": 2, "SBJ": 2, "OBJ": 1, "PRD": 1, "NMOD": 4, "COORD": 3, "CC": 2}


@pytest.mark.real_corpus
def test_the_bracketed_trees_of_the_sample_are_those_of_its_dependencies():
    from analysis.corpora.penn_trees import read_penn_sample
    from analysis.corpora.treebanks import read_treebank

    trees = read_penn_sample()
    table = read_treebank("nltk-dependency-treebank").tokens
    found = pd.Series(penn_relations(table, trees.constituents, trees.tokens))
    assert (found == "ROOT").sum() == len(trees.sentences) == 3914
    assert found.value_counts().min() > 1000
