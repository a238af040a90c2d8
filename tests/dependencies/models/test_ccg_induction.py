"""CCG induction: the printed lexicon, restrictions, and EM against an enumeration of all derivations."""

import math
from collections import Counter
from itertools import product

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.dependencies.models import CCGInduction
from analysis.dependencies.models import ccg_kernels as kernels
from analysis.dependencies.models.ccg_grammar import RULES, Rule, Symbol, combine, make_grammar
from analysis.dependencies.models.ccg_induction import build_forests
from analysis.dependencies.models.ccg_lexicon import induce_lexicon, seeds_of
from analysis.dependencies.models.ccg_parameters import find_events, raise_to_floor, rule_scores, uniform
from analysis.structures.ccg_category import parse_category
from analysis.structures.derivation import Derivation

SENTENCE = ["DT", "NNS", "VBD", "RB"]
SEEDS = {"NNS": "N", "VBD": "S", "CC": "conj"}
TEXT = [SENTENCE, ["NNS", "VBD"], ["NNS", "VBD", "DT", "NNS"], ["NNS", "CC", "NNS", "VBD"], ["NNS", "RB"], ["VBD"]]
TAGS = ["DT", "NNS", "VBD", "RB", "CC"]


def categories(rounds, text=(SENTENCE,)):
    return {tag: [str(one) for one in own] for tag, own in induce_lexicon(text, SEEDS, rounds=rounds).items()}


def test_the_first_round_gives_the_printed_lexicon():
    assert categories(1) == {
        "NNS": ["N", "S/S"], "VBD": ["S", r"N\N", r"S\N"], "DT": ["N/N"], "RB": [r"S\S"], "CC": ["conj"],
    }  # fmt: skip


def test_the_second_round_adds_modifiers_of_modifiers_and_second_arguments():
    found = categories(2)
    assert {tag: len(found[tag]) for tag in SENTENCE} == {"DT": 3, "NNS": 5, "VBD": 7, "RB": 3}
    verb = {"S", r"N\N", r"S\N", r"(S\N)\N", r"(N\N)\N", r"(S\S)/(S\S)", r"(S/S)\(S/S)"}
    assert set(found["VBD"]) == verb


def test_a_round_sees_the_lexicon_as_it_was_before():
    assert categories(1, [["RB", "RB", "VBD"]])["RB"] == ["S/S"]  # not yet (S/S)/(S/S) before another RB


def test_a_conjunction_is_a_neighbour_at_the_edges_of_a_sentence_only():
    assert categories(1, [["NNS", "CC", "NNS"]])["CC"] == ["conj"]
    assert categories(1, [["CC", "NNS"]])["CC"] == ["conj", "N/N"]


texts = st.lists(st.lists(st.sampled_from(TAGS), min_size=1, max_size=6), min_size=1, max_size=6)


@given(texts, st.integers(0, 4))
def test_no_category_breaks_the_restrictions(text, rounds):
    for own in induce_lexicon(text, SEEDS, rounds=rounds).values():
        for category in own:
            parts = list(category.parts())
            modifiers = [part for part in parts if part.slash and part.result == part.argument]
            assert category.arity <= (2 if modifiers else 3)
            assert str(category) not in (r"(S/N)\N", r"(N/N)\N", r"(S/S)\S")
            assert category.target.name != "N" or category == parse_category("N") or modifiers  # N takes nothing
            for part in parts:
                if part.slash and part.argument.slash:  # only modifiers take functors
                    assert part.result == part.argument


def test_seeds_come_from_the_usual_universal_tag_of_other_tags():
    table = pd.DataFrame({"tag": ["a", "a", "b", "c"], "universal": ["NOUN", "VERB", "VERB", "CONJ"]})
    assert seeds_of(["a", "b", "c"], table) == {"a": "N", "b": "S", "c": "conj"}  # equal numbers: by name
    assert seeds_of(["NN", "VBD", "VBP", "CC"]) == {"NN": "N", "VBD": "S", "CC": "conj"}  # VBP is missing in print


# Derivations, enumerated without the kernels -------------------------------------------------------------------------


def grammar_of(rules="B1+TR", normal_form=True, rounds=2, text=TEXT):
    lexicon = induce_lexicon(text, SEEDS, rounds=rounds)
    return lexicon, make_grammar(lexicon, TAGS, rules=rules, normal_form=normal_form, verbs=frozenset({"VBD"}))


def enumerated(tags, lexicon, rules, normal_form):
    """Every complete derivation, as the multiset of its rules."""
    order, raising = RULES[rules]
    known = {str(category) for own in lexicon.values() for category in own}
    raised = [Symbol(parse_category(text), raised=True) for text, verb in
              ((r"S/(S\N)", r"S\N"), (r"S\(S/N)", "S/N")) if raising and verb in known]  # fmt: skip

    def spans(begin, end):
        found = []
        if end - begin == 1:
            found = [(Symbol(one), (Rule(kernels.LEXICAL, Symbol(one), tags[begin]),)) for one in lexicon[tags[begin]]]
        for split in range(begin + 1, end):
            for (left, one), (right, two) in product(spans(begin, split), spans(split, end)):
                made = dict.fromkeys(combine(left, right, order, normal_form))
                found += [(symbol, (*one, *two, rule)) for symbol, rule in made]
        nouns = [(symbol, used) for symbol, used in found if str(symbol.category) == "N" and symbol.made != "coord"]
        found += [(up, (*used, Rule(kernels.UNARY, up, symbol.plain))) for symbol, used in nouns for up in raised]
        return found

    roots = ("S",) if "VBD" in tags else ("S", "N")
    return [(*used, Rule(kernels.UNARY, None, symbol.plain)) for symbol, used in spans(0, len(tags))
            if str(symbol.category) in roots]  # fmt: skip


def coded(text):
    words = np.array([TAGS.index(tag) for tags in text for tag in tags], dtype=np.int64)
    return words, np.append(0, np.cumsum([len(tags) for tags in text])).astype(np.int64), np.ones(len(text))


def random_scores(grammar, forest, seed=0):
    used = np.zeros(len(grammar.rules), dtype=bool)
    used[forest.rule] = True
    events = find_events(grammar.rules, used)
    drawn = np.random.default_rng(seed).uniform(0.2, 1, len(events.context))
    drawn /= np.bincount(events.context, weights=drawn)[events.context]
    return rule_scores(events, drawn)


CASES = [("B0", True), ("B1", True), ("B1", False), ("B1+TR", True), ("B1+TR", False), ("B2+TR", True)]


@pytest.mark.parametrize(("rules", "normal_form"), CASES)
@pytest.mark.parametrize("tags", TEXT[:4], ids=" ".join)
def test_the_inside_probability_and_the_counts_are_sums_over_all_derivations(tags, rules, normal_form):
    lexicon, grammar = grammar_of(rules, normal_form)
    forest, _ = build_forests(*coded([tags]), grammar.tables)
    scores = random_scores(grammar, forest)
    number = {rule: place for place, rule in enumerate(grammar.rules)}
    every = enumerated(tags, lexicon, rules, normal_form)
    shares = np.array([math.exp(sum(scores[number[rule]] for rule in used)) for used in every])
    values = np.empty(len(forest.first_edge) - 1)
    assert kernels.inside(forest, scores, values) == pytest.approx(math.log(shares.sum()))
    expected = np.zeros(len(scores))
    for used, share in zip(every, shares / shares.sum(), strict=True):
        for rule, times in Counter(used).items():
            expected[number[rule]] += times * share
    counts = np.zeros(len(scores))
    kernels.expected_counts(forest, scores, values, counts)
    np.testing.assert_allclose(counts, expected, atol=1e-12)


@pytest.mark.parametrize(("rules", "normal_form"), CASES)
@pytest.mark.parametrize("k", [1, 2, 7, 10_000])
def test_the_best_derivations_are_those_of_the_enumeration(rules, normal_form, k):
    tags = TEXT[2]
    lexicon, grammar = grammar_of(rules, normal_form)
    forest, _ = build_forests(*coded([tags]), grammar.tables)
    scores = random_scores(grammar, forest, seed=k)
    number = {rule: place for place, rule in enumerate(grammar.rules)}
    every = enumerated(tags, lexicon, rules, normal_form)
    totals = np.array([sum(scores[number[rule]] for rule in used) for used in every])
    best = np.sort(totals)[::-1][:k]
    counts = np.zeros(len(scores))
    assert kernels.k_best_counts(forest, scores, k, True, counts) == pytest.approx(best[0])
    equal = counts @ np.maximum(scores, -1e9)  # with equal weights: the mean of the log probabilities
    assert equal == pytest.approx(best.mean())
    counts[:] = 0
    kernels.k_best_counts(forest, scores, k, False, counts)
    shares = np.exp(best - best[0]) / np.exp(best - best[0]).sum()
    assert counts @ np.maximum(scores, -1e9) == pytest.approx(best @ shares)


@pytest.mark.parametrize(("rules", "normal_form"), CASES)
def test_the_decoder_finds_the_best_derivation(rules, normal_form):
    lexicon, grammar = grammar_of(rules, normal_form)
    forest, _ = build_forests(*coded(TEXT), grammar.tables)
    scores = random_scores(grammar, forest)
    number = {rule: place for place, rule in enumerate(grammar.rules)}
    for tags in TEXT[:5]:
        rows, value = kernels.best_derivation(coded([tags])[0], grammar.tables, scores)
        every = enumerated(tags, lexicon, rules, normal_form)
        assert value == pytest.approx(max(sum(scores[number[rule]] for rule in used) for used in every))
        used = [grammar.rules[rule] for rule in rows[:, 1]]
        assert Counter(used) in [Counter(one[:-1]) for one in every]


def trained(**choices):
    return CCGInduction(**{"seeds": SEEDS, "iterations": 6, "tolerance": 0, "normal_form": False, **choices}).fit(TEXT)


def test_viterbi_training_is_one_best_derivation_without_the_others():
    one, other = trained(training="viterbi"), trained(training="k-best", n_best=1, interpolation=1.0)
    pd.testing.assert_frame_equal(one.rules_, other.rules_)


def test_with_all_derivations_among_the_best_k_best_training_is_full_training():
    one, other = trained(training="full"), trained(training="k-best", n_best=100_000)
    pd.testing.assert_frame_equal(one.rules_, other.rules_, rtol=1e-9)


@pytest.mark.parametrize("rules", list(RULES))
def test_the_likelihood_never_falls_under_full_training_without_floor(rules):
    assert (np.diff(trained(training="full", floor=0.0, rules=rules, iterations=30).log_likelihoods_) >= -1e-9).all()


def test_the_likelihood_of_the_best_derivations_never_falls_under_viterbi_training_without_floor():
    assert (np.diff(trained(training="viterbi", floor=0.0, iterations=30).objectives_) >= -1e-9).all()


def test_training_starts_from_equal_probabilities_of_what_occurs():
    _, grammar = grammar_of()
    forest, _ = build_forests(*coded(TEXT), grammar.tables)
    used = np.zeros(len(grammar.rules), dtype=bool)
    used[forest.rule] = True
    events = find_events(grammar.rules, used)
    tags = {rule.head for rule, is_used in zip(grammar.rules, used, strict=True)
            if is_used and rule.kind == kernels.LEXICAL and rule.parent == Symbol(parse_category("N"))}  # fmt: skip
    place = next(place for place, rule in enumerate(grammar.rules)
                 if used[place] and rule.parent == Symbol(parse_category("N")) and rule.head in tags)  # fmt: skip
    assert uniform(events)[events.of_rule[place, 1]] == pytest.approx(1 / len(tags))


@given(st.lists(st.lists(st.floats(0, 1), min_size=1, max_size=9), min_size=1, max_size=4), st.floats(0, 0.4),
       st.booleans())  # fmt: skip
def test_the_floor_keeps_sums_and_raises_all_to_it(rows, floor, equally):
    rows = [row if sum(row) > 0 else [1.0] * len(row) for row in rows]
    context = np.repeat(np.arange(len(rows)), [len(row) for row in rows])
    given_ = np.concatenate([np.array(row) / sum(row) for row in rows])
    found = raise_to_floor(given_, context, floor, equally=equally)
    np.testing.assert_allclose(np.bincount(context, weights=found), 1)
    assert (found >= np.minimum(floor, 1 / np.bincount(context))[context] - 1e-12).all()
    if given_.min() >= floor:
        np.testing.assert_array_equal(found, given_)


# Trees ---------------------------------------------------------------------------------------------------------------


def test_the_example_sentence_has_the_expected_derivation():
    model = CCGInduction(seeds=SEEDS, max_length=4).fit(TEXT)
    tree = model.parse([SENTENCE]).derivations.tree(0)
    assert tree == Derivation.build(("S", ("S", ("N", ("N/N", "DT"), ("N", "NNS")), (r"S\N", "VBD")), (r"S\S", "RB")))
    assert model.predict([SENTENCE])[0].tolist() == [2, 3, 0, 3]


@pytest.mark.parametrize(
    ("convention", "heads"),
    [("chain", [4, 1, 2, 0]), ("first", [4, 1, 1, 0]), ("second", [4, 3, 1, 0]), ("conjunction", [2, 4, 2, 0]),
     ("last", [3, 3, 4, 0])],
)  # fmt: skip
def test_a_coordination_is_read_by_a_convention(convention, heads):
    model = CCGInduction(seeds=SEEDS, coordination=convention).fit(TEXT)
    parses = model.parse([["NNS", "CC", "NNS", "VBD"]])
    assert [rule for rule in parses.derivations.nodes["rule"] if rule not in ("lex", "<")] == ["coord", "conj"]
    assert parses.heads.tolist() == heads


def test_a_type_raised_noun_depends_on_the_verb_it_is_composed_with():
    symbols = [Symbol(parse_category(text)) for text in ("N", r"(S\N)/N", "N")]
    raised = Symbol(parse_category(r"S/(S\N)"), raised=True)
    ((made, rule),) = combine(raised, symbols[1])
    assert str(made.category) == "S/N" and rule.side == 1  # the verb heads
    assert list(combine(raised, Symbol(parse_category(r"S\N")))) == []  # a raised noun does not apply
    assert [rule.side for _, rule in combine(made, symbols[2])] == []  # normal form: composed, so it does not apply
    assert [rule.side for _, rule in combine(made.plain, symbols[2], normal_form=False)] == [0]


def test_composing_functors_that_modify_nothing_makes_no_modifier():
    first, second = Symbol(parse_category("S/N")), Symbol(parse_category("N/S"))
    ((made, _),) = combine(first, second)
    assert str(made.category) == "S/S" and not made.is_modifier
    assert Symbol(parse_category("S/S")).is_modifier and made.plain != Symbol(parse_category("S/S"))
    assert list(combine(Symbol(parse_category("S/N")), Symbol(parse_category("N/N")))) == []  # into a modifier: no


def test_sentences_without_a_derivation_are_right_branching_and_reported():
    parses = CCGInduction(seeds=SEEDS).fit(TEXT).parse([["NNS", "XX", "VBD"], ["NNS", "VBD"]])
    assert parses.heads.tolist() == [0, 1, 2, 2, 0]
    assert parses.sentences["parsed"].tolist() == [False, True]
    assert parses.sentences["log_probability"].isna().tolist() == [True, False]
    assert parses.derivations.sentences["status"].tolist() == ["failed", "parsed"]


def table(keep=False):
    rows = [(s, i, f"w{i}", tag, "PUNCT" if tag == "." else "X") for s, tags in enumerate(TEXT)
            for i, tag in enumerate([*tags, "."], 1)]  # fmt: skip
    return pd.DataFrame(rows, columns=["sentence", "position", "form", "fine", "universal"])


def test_punctuation_is_left_out_or_absorbed():
    kept = CCGInduction(seeds=SEEDS, keep_punctuation=True).fit(table()).parse(table())
    left = CCGInduction(seeds=SEEDS).fit(table()).parse(table())
    assert "punct" in set(kept.derivations.nodes["rule"]) and "punct" not in set(left.derivations.nodes["rule"])
    assert kept.sentences["parsed"].all() and left.sentences["parsed"].all()
    assert left.sentences["words"].tolist() == [len(tags) for tags in TEXT]
    assert kept.sentences["words"].tolist() == [len(tags) + 1 for tags in TEXT]


def test_the_limit_of_length_counts_words_only():
    assert CCGInduction(seeds=SEEDS, max_length=2, keep_punctuation=True).fit(table()).n_sentences_ == 3
    assert CCGInduction(seeds=SEEDS, max_length=2).fit(table()).n_sentences_ == 3


def test_constituents_beside_a_word_give_it_categories():
    """A preposition before an article and a noun gets (S\\S)/N from the constituent, not from the article alone."""
    text = [["NNS", "VBD", "IN", "JJ", "NNS"], ["NNS", "VBD"], ["JJ", "NNS", "VBD"]]
    plain = CCGInduction(rounds=1, seeds=SEEDS).fit(text)
    derived = CCGInduction(rounds=1, derived=True, seeds=SEEDS).fit(text)
    of_preposition = [set(model.lexicon_.query("tag == 'IN'")["category"]) for model in (plain, derived)]
    assert r"(S\S)/N" in of_preposition[1] - of_preposition[0]


@pytest.mark.parametrize(
    ("choice", "said"),
    [({"rules": "B3"}, "rules is 'B3'"), ({"training": "em"}, "training"), ({"n_best": 0}, "n_best is 0"),
     ({"floor": 2.0}, "floor is 2.0"), ({"interpolation": -1.0}, "interpolation"), ({"seeds": {"NNS": "N"}}, "no verb"),
     ({"seeds": {"NNS": "NP"}}, "must be N, S or conj"), ({"max_length": 0}, "max_length is 0")],
)  # fmt: skip
def test_what_cannot_be_is_refused(choice, said):
    with pytest.raises(ValueError, match=said):
        CCGInduction(**{"seeds": SEEDS, **choice}).fit(TEXT)


def test_a_text_without_derivations_is_refused():
    with pytest.raises(ValueError, match="no training sentence has a derivation"):
        CCGInduction(seeds={"A": "N", "B": "S", "C": "conj"}, rounds=0).fit([["C", "C"]])


def test_training_is_deterministic_and_does_not_depend_on_the_order_of_sentences():
    one, other = CCGInduction(seeds=SEEDS).fit(TEXT), CCGInduction(seeds=SEEDS).fit(TEXT[::-1])
    pd.testing.assert_frame_equal(one.rules_, CCGInduction(seeds=SEEDS).fit(TEXT).rules_)
    assert one.log_likelihoods_[-1] == pytest.approx(other.log_likelihoods_[-1])
