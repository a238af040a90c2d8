"""Derivations as tables and as trees."""

import dataclasses

import pandas as pd
import pytest

from analysis.ccg import lexical_category_accuracy, parseval
from analysis.corpora.ccgbank import read_auto
from analysis.corpora.language import generate
from analysis.structures.derivation import Derivation, derivations, join

TREE = ("S[dcl]", ("NP", ("N", "dogs")), (r"S[dcl]\NP", (r"(S[dcl]\NP)/NP", "chase"), ("NP", ("N", "cats"))))


def test_a_tree_of_tuples_gets_spans_rules_and_heads():
    tree = Derivation.build(TREE)
    assert tree.words == ("dogs", "chase", "cats")
    assert [(node.category, node.start, node.end) for node in tree.nodes if node.daughters] == [
        ("S[dcl]", 0, 3), ("NP", 0, 1), (r"S[dcl]\NP", 1, 3), ("NP", 2, 3),
    ]  # fmt: skip
    assert [node.head for node in tree.nodes] == [2, 1, 1, 2, 2, 3, 3]
    assert tree.nodes[0].rule == "<"


def test_a_derivation_cannot_be_changed():
    tree = Derivation.build(TREE)
    with pytest.raises(dataclasses.FrozenInstanceError):
        tree.words = ()
    with pytest.raises(dataclasses.FrozenInstanceError):
        tree.nodes[0].category = "NP"


def test_tables_and_trees_are_views_of_each_other():
    drawn = generate(30, random_state=5)
    bank = derivations(drawn.nodes, drawn.tokens)
    for sentence in range(30):
        tree = bank.tree(sentence)
        nodes, tokens = tree.to_tables(sentence)
        rows = drawn.nodes.query("sentence == @sentence").reset_index(drop=True)
        pd.testing.assert_frame_equal(
            nodes, rows.astype({"category": "str", "rule": "str"}), check_dtype=False, check_column_type=False
        )
        assert tuple(tokens["form"]) == tree.words
        root = drawn.tokens.query("sentence == @sentence and head == 0")["position"].item()
        assert tree.nodes[0].head == root


def test_chosen_sentences_are_numbered_anew_in_the_order_of_choice():
    drawn = generate(5, random_state=5)
    bank = derivations(drawn.nodes, drawn.tokens)
    chosen = bank.select([3, 1])
    assert chosen.tree(0) == bank.tree(3)
    assert chosen.tree(1) == bank.tree(1)
    assert len(chosen) == 2
    both = join([chosen, bank])
    assert len(both) == 7
    assert both.tree(2) == bank.tree(0)


def test_tables_that_do_not_fit_are_refused():
    nodes, tokens = Derivation.build(TREE).to_tables()
    with pytest.raises(ValueError, match="3 leaves for 2 words"):
        derivations(nodes, tokens.iloc[:2])
    with pytest.raises(ValueError, match="nodes lacks the column 'rule'"):
        derivations(nodes.drop(columns="rule"), tokens)
    with pytest.raises(ValueError, match="no treebank"):
        join([])


def test_what_was_changed_in_a_table_counts():
    text = "ID=1\n(<T S[dcl] 1 2> (<L NP NN NN dogs NP>) (<L S[dcl]\\NP VB VB bark S[dcl]\\NP>) )\n"
    gold, changed = read_auto(text), read_auto(text)
    changed.tokens.loc[0, "category"] = "N"
    changed.nodes.loc[0, "category"] = "S[b]"
    assert lexical_category_accuracy(gold, changed).score("accuracy").numerator == 1
    assert parseval(gold, changed).score("labelled recall").numerator == 0
    assert changed.nodes is changed.nodes


def test_a_sentence_without_a_derivation_has_no_tree():
    bank = derivations(*Derivation.build(TREE).to_tables())
    with pytest.raises(ValueError, match="sentence 1 has no derivation"):
        bank.tree(1)
