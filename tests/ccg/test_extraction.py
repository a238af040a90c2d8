"""Predicate-argument dependencies traced out of derivations."""

import pytest

from analysis.ccg.examples import treebank
from analysis.ccg.extraction import extract_dependencies
from analysis.corpora.catalogue import locate
from analysis.corpora.ccg_dependencies import read_dependencies
from analysis.corpora.ccgbank import read_auto
from analysis.corpora.language import generate
from analysis.structures.derivation import derivations

THE_CAT = ("NP", ("NP/N", "the"), ("N", "cat"))
VP = r"S[dcl]\NP"


def links(*trees):
    """(functor, slot, argument, range) by words, of one sentence."""
    bank = treebank(*trees)
    words = bank.tree(0).words
    table = extract_dependencies(bank).dependencies
    return {
        (words[row.functor - 1], row.slot, words[row.argument - 1], row.range) for row in table.itertuples()
    }  # fmt: skip


def test_the_built_in_language_agrees_with_its_generator_in_every_dependency():
    drawn = generate(2000, random_state=11)
    found = extract_dependencies(derivations(drawn.nodes, drawn.tokens))
    columns = ["sentence", "functor", "category", "slot", "spine_slot", "argument", "range"]
    truth = drawn.dependencies[columns].astype({"category": "str", "range": "str"})
    assert set(found.dependencies[columns].itertuples(index=False)) == set(truth.itertuples(index=False))
    assert len(found.dependencies) == len(truth) > 8000
    assert found.unknown.empty


@pytest.mark.real_corpus
def test_the_gold_dependencies_of_the_geometry_problems_are_found():
    bank = read_auto(locate("ccg-geometry", "*geo-dev.auto")[0])
    gold = read_dependencies(locate("ccg-geometry", "*gold_deps")[0])
    columns = ["sentence", "functor", "category", "spine_slot", "argument"]
    theirs = set(gold[columns].itertuples(index=False))
    ours = set(extract_dependencies(bank).dependencies[columns].itertuples(index=False))
    assert len(theirs) == 717
    assert len(ours & theirs) >= 0.98 * 717
    assert len(ours) <= 730


def test_a_list_in_the_notation_of_backward_modifiers_is_a_coordination():
    pairs = {
        "X[conj]": ("NP[conj]", ("conj", "and"), ("NP", "dogs")),
        r"X\X": (r"NP\NP", ("conj", "and"), ("NP", "dogs")),
        "comma": (r"NP\NP", (",", ","), (r"NP\NP", ("conj", "and"), ("NP", "dogs"))),
    }
    for second in pairs.values():
        tree = ("S[dcl]", ("NP", ("NP", "cats"), second), (VP, "sleep"))
        assert links(tree) == {("sleep", 1, "cats", "local"), ("sleep", 1, "dogs", "local")}


def test_conjoined_transitive_verbs_share_both_arguments():
    verb = r"(S[dcl]\NP)/NP"
    tree = (
        "S[dcl]",
        ("NP", "dogs"),
        (VP, (verb, (verb, "see"), (r"(S[dcl]\NP)/NP[conj]", ("conj", "and"), (verb, "chase"))), ("NP", "cats")),
    )
    expected = {(verb_, slot, noun, "local") for verb_ in ("see", "chase") for slot, noun in ((1, "dogs"), (2, "cats"))}
    assert links(tree) == expected


def test_an_inserted_adverb_composes_and_leaves_the_arguments_alone():
    aux, adverb = r"(S[dcl]\NP)/(S[b]\NP)", r"(S\NP)\(S\NP)"
    tree = ("S[dcl]", ("NP", "dogs"), (VP, (aux, (aux, "do"), (adverb, "not")), (r"S[b]\NP", "bark")))
    assert links(tree) == {
        ("do", 1, "dogs", "local"),
        ("do", 2, "bark", "local"),
        ("not", 1, "do", "local"),
        ("bark", 1, "dogs", "shared"),
    }


def test_a_possessive_relative_pronoun_gives_its_noun_to_the_gap():
    tree = (
        "NP",
        ("NP", "man"),
        (r"NP\NP", (r"(NP\NP)/(S[dcl]\NP)", (r"((NP\NP)/(S[dcl]\NP))/N", "whose"), ("N", "dog")), (VP, "barked")),
    )
    assert ("barked", 1, "dog", "extracted") in links(tree)
    assert ("barked", 1, "man", "extracted") not in links(tree)


def test_a_type_raised_object_is_in_situ():
    tree = (
        "S[dcl]/PP",
        (r"S/(S\NP)", ("NP", "dogs")),
        (r"(S[dcl]\NP)/PP", (r"((S[dcl]\NP)/PP)/NP", "put"), ("NP", "cats")),
    )
    assert links(tree) == {("put", 1, "dogs", "local"), ("put", 3, "cats", "local")}


def test_punctuation_may_change_a_type_and_says_nothing_itself():
    tree = (
        "S[dcl]",
        ("NP", "dogs"),
        (VP, (VP, "ran"), (r"(S\NP)\(S\NP)", (",", ","), (r"S[ng]\NP", "barking"))),
    )
    assert links(tree) == {("ran", 1, "dogs", "local"), ("barking", 1, "dogs", "shared")}


def test_a_rule_that_is_not_known_costs_one_sentence_and_is_listed():
    bank = treebank(("PP", ("NP", "dogs"), (VP, "bark")), THE_CAT)
    found = extract_dependencies(bank)
    assert found.unknown[["sentence", "parent", "left", "right"]].values.tolist() == [[0, "PP", "NP", VP]]
    assert found.incidents["kind"].tolist() == ["unknown rule"]
    assert found.dependencies["sentence"].tolist() == [1]


def test_a_derivation_of_1500_words_is_no_matter_of_depth():
    n = 1500
    text = "(<T N 1 2> (<L N/N JJ JJ big N/N>) " * (n - 1) + "(<L N NN NN cat N>)" + " )" * (n - 1) + "\n"
    table = extract_dependencies(read_auto(text)).dependencies
    assert len(table) == n - 1
    assert set(table["argument"]) == {n}
