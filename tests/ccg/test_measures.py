"""The three evaluations: the paper's worked example to the last number, real files against brute force, limit cases."""

import dataclasses
import importlib.util
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis.ccg import (
    bootstrap_intervals,
    equivalent_derivations,
    evaluate,
    extract_dependencies,
    lexical_category_accuracy,
    parseval,
    predicate_argument_dependencies,
    tree_dependencies,
    treebank,
    worked_example,
)
from analysis.ccg.alignment import align
from analysis.ccg.extraction import Extraction
from analysis.ccg.models import NormalFormParser
from analysis.corpora.bracketed_trees import read_bracketed_trees
from analysis.corpora.catalogue import locate
from analysis.corpora.ccg_dependencies import read_dependencies
from analysis.corpora.ccgbank import daughters, read_auto
from analysis.corpora.language import generate
from analysis.statistics.sentence_counts import multiset_matches, relation_table
from analysis.structures import DataError
from analysis.structures.derivation import Derivations, derivations

FILES = Path(__file__).parents[1] / "corpora" / "ccgbank"
VP = r"S[dcl]\NP"


def counts(evaluation):
    return {score.measure: (score.numerator, score.denominator) for score in evaluation.scores()}


def load_brute_force():
    spec = importlib.util.spec_from_file_location("brute_force", Path(__file__).parent / "brute_force.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


# The worked example ---------------------------------------------------------------------------------------------------


def test_the_worked_example_in_parseval():
    assert counts(parseval(*worked_example())) == {
        "labelled precision": (3, 7),
        "labelled recall": (3, 6),
        "bracketed precision": (3, 7),
        "bracketed recall": (3, 6),
    }


def test_the_worked_example_in_lexical_categories():
    result = lexical_category_accuracy(*worked_example())
    assert counts(result) == {"accuracy": (4, 6)}
    assert result.items.loc[~result.items["matched"], "form"].tolist() == ["has", "bought"]


@pytest.mark.parametrize("heads", ["field", "rule", "auto"])
def test_the_worked_example_in_evaluation_1(heads):
    result = tree_dependencies(*worked_example(), heads=heads)
    assert counts(result)["labelled recall"] == (5, 6)
    assert counts(result)["unlabelled recall"] == (5, 6)
    gold = result.items[result.items["side"] == "gold"]
    columns = ["parent", "head_label", "sister", "head", "dependent", "matched"]
    assert gold[columns].values.tolist() == [
        ["NP", "N", "NP/N", 2, 1, True],
        ["", "HEAD", "", 0, 2, True],
        ["NP", "NP", r"NP\NP", 2, 3, True],
        ["S[dcl]/NP", r"(S[dcl]\NP)/NP", r"S/(S\NP)", 5, 4, True],
        [r"NP\NP", r"(NP\NP)/(S[dcl]/NP)", "S[dcl]/NP", 3, 5, True],
        [r"(S[dcl]\NP)/NP", r"(S[dcl]\NP)/(S[pt]\NP)", r"(S[pt]\NP)/NP", 5, 6, False],
    ]
    wrong = result.items[(result.items["side"] == "predicted") & ~result.items["matched"]]
    assert wrong[columns[:5]].values.tolist() == [["NP", "NP", r"NP\NP", 2, 6]]


def test_the_worked_example_in_evaluation_2():
    result = predicate_argument_dependencies(*worked_example())
    assert counts(result) == {
        "labelled precision": (3, 6),
        "labelled recall": (3, 7),
        "unlabelled precision": (5, 6),
        "unlabelled recall": (5, 7),
    }
    relative = r"(NP\NP)/(S[dcl]/NP)"
    columns = ["functor", "category", "slot", "argument", "matched", "matched_pair"]
    sides = {side: part[columns].values.tolist() for side, part in result.items.groupby("side")}
    shared = [[1, "NP/N", 1, 2, True, True], [3, relative, 1, 2, True, True], [3, relative, 2, 5, True, True]]
    assert sides["gold"] == [
        *shared,
        [5, r"(S[dcl]\NP)/(S[pt]\NP)", 1, 4, False, True],
        [5, r"(S[dcl]\NP)/(S[pt]\NP)", 2, 6, False, False],
        [6, r"(S[pt]\NP)/NP", 1, 4, False, False],
        [6, r"(S[pt]\NP)/NP", 2, 2, False, True],
    ]
    assert sides["predicted"] == [
        *shared,
        [5, r"(S[dcl]\NP)/NP", 1, 4, False, True],
        [5, r"(S[dcl]\NP)/NP", 2, 2, False, False],
        [6, r"S[pss]\NP", 1, 2, False, True],
    ]
    assert result.items.query("side == 'gold' and extracted")[["functor", "argument"]].values.tolist() == [[6, 2]]


# Two notations of coordination ----------------------------------------------------------------------------------------


def relabelled(bank, label):
    """The treebank with ``label(parent, right)`` for the label of each node over a conjunction and what it joins."""
    nodes, (left, right) = bank.nodes, daughters(bank.nodes)
    old = nodes["category"].astype("str").tolist()
    new = [label(old[row], old[two]) if two >= 0 and old[one] == "conj" else old[row]
           for row, (one, two) in enumerate(zip(left, right, strict=True))]  # fmt: skip
    return dataclasses.replace(bank, nodes=nodes.assign(category=new))


def marked_conjuncts(bank):
    r"""X\X over ``conj X`` written as X[conj]."""
    return relabelled(bank, lambda _, conjunct: f"{conjunct}[conj]")


def unmarked_conjuncts(bank):
    r"""X[conj] written as X\X."""
    return relabelled(bank, lambda _, conjunct: f"({conjunct})\\({conjunct})")


def assert_same_scores(banks, others, heads="rule"):
    for one, other in zip(
        evaluate(*banks, punctuation=False, heads=heads), evaluate(*others, punctuation=False, heads=heads), strict=True
    ):
        assert counts(one) == counts(other), one.name


def test_the_same_trees_have_the_same_scores_in_either_notation_of_coordination():
    drawn = generate(400, random_state=23)
    bank = derivations(drawn.nodes, drawn.tokens)
    gold = bank.select(range(150))
    marked = [gold, NormalFormParser(lexicalised=False).fit(bank.select(range(150, 400))).predict(gold)]
    unmarked = [unmarked_conjuncts(bank) for bank in marked]
    assert (unmarked[0].nodes["category"] != gold.nodes["category"].astype("str")).sum() > 10
    assert tree_dependencies(*marked, heads="rule").score("labelled recall").value < 1
    assert_same_scores(marked, unmarked)
    assert_same_scores(marked, [marked[0], unmarked[1]])
    assert_same_scores(marked, [unmarked[0], marked[1]])


# Real files, and the built-in language --------------------------------------------------------------------------------


@pytest.mark.real_corpus
def test_the_geometry_problems_score_as_brute_force_says():
    slow = load_brute_force()
    paths = [locate("ccg-geometry", pattern)[0] for pattern in ("*geo-dev.auto", "*depccg_default.auto")]
    gold, system = map(read_auto, paths)
    expected = slow.compare(*map(slow.trees, paths))
    accuracy, brackets, local, deep = evaluate(gold, system, punctuation=False)
    assert counts(accuracy)["accuracy"] == (expected["categories"], expected["words"])
    assert counts(brackets) == {
        "labelled precision": (expected["labelled"], expected["predicted"]),
        "labelled recall": (expected["labelled"], expected["gold"]),
        "bracketed precision": (expected["bracketed"], expected["predicted"]),
        "bracketed recall": (expected["bracketed"], expected["gold"]),
    }
    assert counts(local)["labelled recall"] == (expected["relations"], expected["words"])
    assert counts(local)["unlabelled recall"] == (expected["heads"], expected["words"])
    assert local.conventions["heads"] == "rule (the head field of gold and predicted is 0 everywhere)"
    columns = ["sentence", "functor", "category", "spine_slot", "argument"]
    theirs = [tuple(row) for row in read_dependencies(locate("ccg-geometry", "*gold_deps")[0])[columns].values]
    ours = [tuple(row) for row in extract_dependencies(system).dependencies[columns].values]
    found = slow.compare_dependencies(theirs, ours)
    assert counts(deep) == {
        "labelled precision": (found["matched"], len(ours)),
        "labelled recall": (found["matched"], 717),
        "unlabelled precision": (found["UP"], len(ours)),
        "unlabelled recall": (found["UR"], 717),
    }
    assert deep.parts["words that differ"] == 1  # "mearure" in one of the files


@pytest.mark.real_corpus
def test_the_geometry_problems_score_the_same_when_their_conjuncts_are_marked():
    banks = [read_auto(locate("ccg-geometry", pattern)[0]) for pattern in ("*geo-dev.auto", "*depccg_default.auto")]
    marked = [marked_conjuncts(bank) for bank in banks]
    assert "S[dcl][conj]" in set(marked[0].nodes["category"]) - set(banks[0].nodes["category"])
    assert_same_scores(banks, marked)
    assert counts(tree_dependencies(*marked, punctuation=False))["labelled recall"] == (518, 785)


@pytest.mark.real_corpus
def test_a_head_field_that_is_0_everywhere_would_give_a_meaningless_score():
    gold, system = (
        read_auto(locate("ccg-geometry", pattern)[0]) for pattern in ("*geo-dev.auto", "*depccg_default.auto")
    )
    senseless = float(tree_dependencies(gold, system, heads="field").score("unlabelled recall"))
    assert senseless > 0.95 > float(tree_dependencies(gold, system).score("unlabelled recall"))


@pytest.mark.parametrize("heads", ["field", "rule"])
def test_tree_dependencies_of_the_built_in_language_have_the_heads_of_its_trees(heads):
    drawn = generate(500, random_state=21)
    bank = derivations(drawn.nodes, drawn.tokens)
    items = tree_dependencies(bank, bank, heads=heads).items.query("side == 'gold'")
    assert items["dependent"].tolist() == drawn.tokens["position"].tolist()
    assert items["head"].tolist() == drawn.tokens["head"].tolist()


def test_a_treebank_agrees_with_itself_completely():
    drawn = generate(200, random_state=22)
    bank = derivations(drawn.nodes, drawn.tokens)
    for evaluation in evaluate(bank, bank):
        assert all(float(score) == 1.0 for score in evaluation.scores()), evaluation.name


# Conventions ----------------------------------------------------------------------------------------------------------

COMMA = treebank(("S[dcl]", ("S[dcl]", ("NP", "dogs"), (VP, "bark")), (".", ".")))
NO_COMMA = treebank(("S[dcl]", ("NP", "dogs"), (VP, (VP, "bark"), (".", "."))))


def test_punctuation_and_its_level_count_and_can_be_disregarded():
    assert counts(parseval(COMMA, NO_COMMA, punctuation=False))["labelled recall"] == (1, 1)
    assert counts(parseval(COMMA, NO_COMMA, punctuation=False, level="never"))["labelled recall"] == (1, 2)
    assert counts(parseval(COMMA, NO_COMMA))["labelled recall"] == (1, 2)
    assert counts(lexical_category_accuracy(COMMA, NO_COMMA, punctuation=False))["accuracy"] == (2, 2)
    assert counts(lexical_category_accuracy(COMMA, NO_COMMA))["accuracy"] == (3, 3)


def test_a_node_left_with_a_daughter_of_another_label_stays_unless_all_are_dropped():
    tree = treebank(("S[dcl]", ("NP", "cats"), (VP, (VP, "ran"), (r"(S\NP)\(S\NP)", (",", ","), ("NP", "today")))))
    same, always, never = (
        parseval(tree, tree, punctuation=False, level=level).score("labelled recall").denominator
        for level in ("same label", "always", "never")
    )
    assert (same, always, never) == (3, 2, 3)


def test_unary_nodes_and_lexical_categories_are_switches():
    tree = treebank(("S[dcl]", ("NP", ("N", "dogs")), (VP, "bark")))

    def total(**choices):
        return parseval(tree, tree, **choices).score("labelled recall").denominator

    assert (total(), total(unary=False), total(lexical=True), total(unary=False, lexical=True)) == (2, 1, 4, 3)


def test_equal_brackets_are_a_multiset():
    twice = treebank(("NP", ("NP", ("N", "dogs"))))
    once = treebank(("NP", ("N", "dogs")))
    assert counts(parseval(twice, once))["labelled recall"] == (1, 2)
    assert counts(parseval(twice, once))["labelled precision"] == (1, 1)


def test_features_count_in_labels():
    one, other = (treebank(("NP", (f"NP{mark}/N", "the"), ("N", "cat"))) for mark in ("", "[nb]"))
    assert counts(lexical_category_accuracy(one, other))["accuracy"] == (1, 2)
    assert counts(predicate_argument_dependencies(one, other))["labelled recall"] == (0, 1)


def test_directed_and_undirected_differ_where_a_head_is_reversed():
    one = treebank(("NP", ("NP/N", "the"), ("N", "cat")))  # cat heads
    other = treebank(("NP", ("NP/PP", "the"), ("PP", "cat")))  # the heads
    assert counts(tree_dependencies(one, other))["unlabelled recall"] == (0, 2)
    undirected = counts(tree_dependencies(one, other, directed=False))["unlabelled recall"]
    assert undirected == (1, 2)  # the pair is there; the head of the sentence is another word
    reversed_pair = treebank(("NP", ("N", "the"), (r"NP\N", "cat")))
    assert counts(predicate_argument_dependencies(one, reversed_pair))["unlabelled recall"] == (1, 1)
    assert counts(predicate_argument_dependencies(one, reversed_pair, directed=True))["unlabelled recall"] == (0, 1)


def test_order_of_left_and_right_modifiers_matters_to_parseval_alone():
    one, other = equivalent_derivations()
    assert counts(parseval(one, other))["labelled recall"] == (2, 3)
    assert counts(tree_dependencies(one, other))["labelled recall"] == (4, 4)
    assert counts(predicate_argument_dependencies(one, other))["labelled recall"] == (3, 3)


def test_phrase_structure_trees_can_be_scored_by_parseval():
    one = read_bracketed_trees(b"(S (NP (DT the) (JJ big) (NN cat)) (VP (VBD sat)))\n")
    other = read_bracketed_trees(b"(S (NP (DT the) (NP (JJ big) (NN cat))) (VP (VBD sat)))\n")
    assert counts(parseval(one, other))["labelled precision"] == (3, 4)
    with pytest.raises(ValueError, match="more than two daughters"):
        tree_dependencies(one, other)


def test_two_gold_dependencies_on_one_pair_of_words_both_count_in_unlabelled_recall():
    one = treebank(("S[dcl]", ("NP", "cats"), (VP, "sleep")))

    def extracted(*dependencies):
        names = ["sentence", "functor", "category", "slot", "spine_slot", "argument", "range", "extracted"]
        rows = [(0, functor, category, slot, slot, argument, "local", False) for functor, category, slot, argument in
                dependencies]  # fmt: skip
        nothing = extract_dependencies(one)
        return Extraction(pd.DataFrame(rows, columns=names), nothing.unknown, nothing.incidents)

    gold = extracted((2, VP, 1, 1), (1, "NP/NP", 1, 2))  # the second from the other word: the same pair, unordered
    found = predicate_argument_dependencies(one, one, extractions=(gold, extracted((2, VP, 1, 1))))
    assert counts(found)["unlabelled recall"] == (2, 2)
    assert counts(found)["unlabelled precision"] == (1, 1)
    assert counts(found)["labelled recall"] == (1, 2)
    directed = predicate_argument_dependencies(one, one, directed=True, extractions=(gold, extracted((2, VP, 1, 1))))
    assert counts(directed)["unlabelled recall"] == (1, 2)


# Sentences that fail, are dropped, do not align -----------------------------------------------------------------------


@pytest.mark.parametrize(
    "name", ["failed_word", "failed_leaf", "failed_no_line", "failed_brackets", "missing_sentence"]
)
def test_a_failed_or_missing_parse_counts_against_recall_only(name):
    gold, system = read_auto(FILES / "good.auto"), read_auto(FILES / f"{name}.auto")
    accuracy, brackets, local, deep = evaluate(gold, system, punctuation=False)
    assert counts(accuracy)["accuracy"] == (4, 8)  # 2 + 2 of 2 + 4 + 2 words; the full stop does not count
    assert counts(brackets)["labelled recall"] == (4, 7)
    assert counts(brackets)["labelled precision"] == (4, 4)
    assert counts(local)["labelled recall"] == (4, 8)
    assert counts(local)["labelled precision"] == (4, 4)
    assert counts(deep)["labelled recall"] == (2, 5)
    assert counts(deep)["labelled precision"] == (2, 2)
    for evaluation in (accuracy, brackets, local, deep):
        assert evaluation.sentences["status"].tolist() == ["scored", "failed", "scored"]
        assert evaluation.parts["sentences failed"] == 1
        assert evaluation.parts["words that differ"] == 0


def test_a_gold_sentence_without_a_derivation_is_dropped_from_both_sides():
    for evaluation in evaluate(read_auto(FILES / "failed_word.auto"), read_auto(FILES / "good.auto")):
        assert evaluation.sentences["status"].tolist() == ["scored", "dropped", "scored"]
        assert all(float(score) == 1.0 for score in evaluation.scores())


def test_an_unknown_rule_drops_a_gold_sentence_and_fails_a_parse_in_evaluation_2():
    good, unknown = read_auto(FILES / "good.auto"), read_auto(FILES / "unknown_rule.auto")
    dropped = predicate_argument_dependencies(unknown, good)
    assert dropped.sentences["status"].tolist() == ["dropped", "scored", "scored"]
    assert counts(dropped)["labelled precision"] == (4, 4)
    assert dropped.incidents["kind"].tolist() == ["unknown rule"]
    failed = predicate_argument_dependencies(good, unknown)
    assert failed.sentences["status"].tolist() == ["failed", "scored", "scored"]
    assert counts(failed)["labelled recall"] == (4, 5)
    assert counts(failed)["labelled precision"] == (4, 4)


def test_a_system_that_parses_nothing_has_no_precision_and_recall_0():
    system = read_auto("FAILED\nFAILED\nFAILED\n")
    for evaluation in evaluate(read_auto(FILES / "without_ids.auto"), system):
        for score in evaluation.scores():
            assert score.value == (None if "precision" in score.measure else 0.0)


def test_words_that_differ_are_counted_and_listed_or_refused():
    gold, system = read_auto(FILES / "good.auto"), read_auto(FILES / "other_word.auto")
    result = parseval(gold, system)
    assert float(result.score("labelled recall")) == 1.0
    assert result.incidents[["kind", "text", "expected"]].values.tolist() == [["different word", "cta", "cat"]]
    with pytest.raises(DataError, match=r"number 2:\n  gold:   the cat saw it \.\n  system: the cta saw it \."):
        parseval(gold, system, differing_words="refuse")


def test_sentences_in_another_order_are_refused_with_the_first_two_that_differ():
    with pytest.raises(DataError, match=r"number 2:\n  gold:   the cat saw it"):
        parseval(read_auto(FILES / "good.auto"), read_auto(FILES / "other_sentence.auto"))


def test_a_missing_sentence_without_ids_is_refused():
    gold = read_auto(FILES / "without_ids.auto")
    system = gold.select([0, 2])
    with pytest.raises(DataError, match="3 sentences and the system 2"):
        align(gold, Derivations(system.nodes, system.tokens, system.sentences.assign(header="")))


def test_a_wrong_choice_is_refused():
    gold, output = worked_example()
    with pytest.raises(ValueError, match="heads is 'left'"):
        tree_dependencies(gold, output, heads="left")
    with pytest.raises(ValueError, match="level is 'sometimes'"):
        parseval(gold, output, level="sometimes")
    with pytest.raises(ValueError, match="differing_words is 'ignore'"):
        align(gold, output, differing_words="ignore")
    with pytest.raises(ValueError, match="measure is 'F1'"):
        parseval(gold, output).score("F1")


def test_a_derivation_of_1500_words_is_scored():
    n = 1500
    text = "(<T N 1 2> (<L N/N JJ JJ big N/N>) " * (n - 1) + "(<L N NN NN cat N>)" + " )" * (n - 1) + "\n"
    bank = read_auto(text)
    accuracy, brackets, local, deep = evaluate(bank, bank)
    assert counts(accuracy)["accuracy"] == (n, n)
    assert counts(brackets)["labelled recall"] == (n - 1, n - 1)
    assert counts(local)["labelled recall"] == (n, n)
    assert counts(deep)["labelled recall"] == (n - 1, n - 1)


# Counting -------------------------------------------------------------------------------------------------------------


@given(st.lists(st.integers(0, 5)), st.lists(st.integers(0, 5)))
def test_matched_items_are_the_intersection_of_multisets(one, other):
    from collections import Counter

    ours, theirs = multiset_matches(np.array(one, dtype=np.int64), np.array(other, dtype=np.int64))
    expected = (Counter(one) & Counter(other)).total()
    assert ours.sum() == theirs.sum() == expected


@settings(deadline=None, max_examples=20)
@given(st.integers(0, 1000))
@pytest.mark.thorough
def test_counts_of_sentences_add_up_to_the_totals_and_stay_within_them(seed):
    drawn = generate(30, random_state=seed)
    bank = derivations(drawn.nodes, drawn.tokens)
    labels = drawn.nodes["category"].astype("str").str.replace("dcl", "b")
    changed = derivations(drawn.nodes.assign(category=labels), drawn.tokens)
    for evaluation in evaluate(bank, changed):
        for score in evaluation.scores():
            assert 0 <= score.numerator <= score.denominator
        items = evaluation.items
        if "side" in items:
            gold = items[items["side"] == "gold"].groupby("sentence").size()
            expected = evaluation.sentences.set_index("sentence")["gold"]
            assert gold.reindex(expected.index, fill_value=0).tolist() == expected.tolist()
        if len(evaluation.relations):
            assert int(evaluation.relations["ref"].sum()) == int(evaluation.sentences["gold"].sum())


def test_bootstrap_intervals_hold_the_value_and_repeat():
    drawn = generate(300, random_state=1)
    bank = derivations(drawn.nodes, drawn.tokens)
    other = bank.nodes.assign(category=bank.nodes["category"].astype("str").where(bank.nodes["sentence"] % 3 > 0, "X"))
    result = parseval(bank, derivations(other, bank.tokens))
    table = bootstrap_intervals(result, resamples=200, random_state=3)
    assert (table["lower"] <= table["value"]).all() and (table["value"] <= table["upper"]).all()
    assert (table["lower"] < table["upper"]).iloc[:2].all()
    pd.testing.assert_frame_equal(table, bootstrap_intervals(result, resamples=200, random_state=3))
    with pytest.raises(ValueError, match="resamples is 0"):
        bootstrap_intervals(result, resamples=0)


def test_results_show_counts_conventions_and_sentences():
    table = parseval(*worked_example(), punctuation=False).to_frame()
    assert table["convention"].str.contains("punctuation=disregarded").all()
    assert parseval(*worked_example()).to_frame()["convention"].str.contains("punctuation=counted").all()
    assert table["sentences scored"].tolist() == [1, 1, 1, 1]
    assert "labelled recall" in parseval(*worked_example())._repr_html_()


def test_relations_of_one_size_in_gold_come_by_size_in_the_output():
    relations = pd.DataFrame({"relation": ["a", "a", "b", "c", "c", "b", "b"]})
    gold = pd.Series([True, False, True, True, False, False, False])
    found = relation_table(relations, gold, gold & False)
    assert found[["relation", "ref", "test"]].values.tolist() == [["b", 1, 2], ["a", 1, 1], ["c", 1, 1]]
