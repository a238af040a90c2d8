"""The treebank grammar against enumeration, relative frequencies by hand, and nltk."""

import math
from itertools import product

import numpy as np
import pytest
from nltk import PCFG, Nonterminal, Tree, induce_pcfg
from nltk.parse import ViterbiParser

from analysis.constituents.binarising import binarised
from analysis.constituents.models import TreebankPCFG, word_signature
from analysis.corpora.bracketed_trees import read_bracketed_trees

PLAIN = {"vertical": 1, "horizontal": None, "tag_parents": False, "rare": 0}
#: Ambiguous: where a prepositional phrase is attached, and how nouns are put together. No rule makes a cycle.
TOY = """(S (NP (N hens)) (VP (VB eat) (NP (N corn)) (PP (P at) (NP (N noon)))))
(S (NP (N hens)) (VP (VB eat) (NP (NP (N corn)) (PP (P of) (NP (N clay))))))
(S (NP (N ducks)) (VP (VB swim)))
(S (NP (N ducks) (N eggs)) (VP (VB swim) (PP (P at) (NP (N noon)))))
(S (NP (N corn)) (VP (VB eat) (NP (N hens))))
(S (NP (NP (N hens)) (PP (P of) (NP (N clay)))) (VP (VB eat) (NP (N corn)) (PP (P of) (NP (N noon)))))
"""
SENTENCES = ["hens eat corn at noon", "ducks eggs swim", "corn eat", "hens of clay eat corn of clay at noon", "hens at",
             "eggs swim at noon of clay"]  # fmt: skip


def read(text):
    return read_bracketed_trees(text.encode())


def grammar_of(text=TOY, **choices):
    return TreebankPCFG(**{**PLAIN, **choices}).fit(read(text))


def every_tree(grammar, words):
    """All binarised trees of a sentence, with their probabilities.

    Recursion over the rules of the grammar as texts; nothing of the chart.
    """
    two, one = {}, {}
    for rule in grammar.rules_.itertuples():
        (two if rule.right else one).setdefault(rule.parent, []).append((rule.left, rule.right, rule.probability))

    def trees(symbol, start, end):
        if end - start == 1:
            given = grammar.tag_probabilities(words[start], start == 0).get(symbol, 0.0)
            if given > 0:
                yield f"({symbol} {words[start]})", given
        for other, _, p in one.get(symbol, ()):
            for tree, q in trees(other, start, end):
                yield f"({symbol} {tree})", p * q
        for first, second, p in two.get(symbol, ()):
            for middle in range(start + 1, end):
                for (a, q), (b, r) in product(trees(first, start, middle), trees(second, middle, end)):
                    yield f"({symbol} {a} {b})", p * q * r

    return [(tree, p) for root in grammar._roots for tree, p in trees(grammar.symbols_[root], 0, len(words))]


def test_rules_have_their_relative_frequencies():
    found = grammar_of().rules_.set_index(["parent", "left", "right"])["probability"]
    # by hand: 17 noun phrases, of which 14 a noun, 1 two nouns, 2 with a modifier; 6 verb phrases
    assert found["NP", "N", ""] == pytest.approx(14 / 17)
    assert found["NP", "N", "N"] == pytest.approx(1 / 17)
    assert found["NP", "NP", "PP"] == pytest.approx(2 / 17)
    assert found["VP", "@VP~VB>NP", "PP"] == pytest.approx(2 / 6)
    assert found["@VP~VB>NP", "VB", "NP"] == 1.0
    assert found.groupby("parent").sum().to_numpy() == pytest.approx(1.0)


def test_with_all_sisters_remembered_a_rule_has_the_frequency_that_nltk_gives_it():
    trees = [Tree.fromstring(line) for line in TOY.splitlines()]
    theirs = induce_pcfg(Nonterminal("S"), [rule for tree in trees for rule in tree.productions()])
    of_rule = {(str(rule.lhs()), tuple(map(str, rule.rhs()))): rule.prob() for rule in theirs.productions()}
    expected = [
        sum(math.log(of_rule[str(rule.lhs()), tuple(map(str, rule.rhs()))]) for rule in tree.productions())
        for tree in trees
    ]
    for horizontal in (None, 3):
        grammar = grammar_of(horizontal=horizontal)
        assert grammar.log_probability(read(TOY)) == pytest.approx(expected)


def test_the_probabilities_of_all_trees_of_a_finite_grammar_sum_to_1():
    text = "(S (A a) (B b))\n(S (A c) (B b))\n(S (A a))\n"  # two rules, S over A B and S over A
    grammar = grammar_of(text)
    words = ("a", "b", "c")
    total = sum(
        math.exp(grammar.log_inside(list(sentence))) for n in (1, 2, 3) for sentence in product(words, repeat=n)
    )
    assert total == pytest.approx(1.0, abs=1e-12)
    assert math.exp(grammar.log_inside(["a", "b"])) == pytest.approx(2 / 3 * 2 / 3)


@pytest.mark.parametrize("choices", [{}, {"vertical": 2, "horizontal": 1}, {"vertical": 2, "horizontal": 0},
                                     {"coordination": "table", "horizontal": 0}])  # fmt: skip
def test_inside_probability_and_best_tree_are_those_of_enumeration(choices):
    grammar = grammar_of(**choices)
    parsed = 0
    for sentence in SENTENCES:
        words = sentence.split()
        trees = every_tree(grammar, words)
        if not trees:
            assert grammar.log_inside(words) == grammar.viterbi(words) == -math.inf
            continue
        parsed += 1
        best = max(p for _, p in trees)
        assert math.exp(grammar.log_inside(words)) == pytest.approx(sum(p for _, p in trees), rel=1e-9)
        assert math.exp(grammar.viterbi(words)) == pytest.approx(best, rel=1e-12)
        ours = grammar.predict([words])
        assert grammar.log_probability(ours)[0] == pytest.approx(math.log(best), rel=1e-12)
        two = binarised(ours, vertical=grammar.vertical, horizontal=grammar.horizontal,
                        coordination=grammar.coordination)  # fmt: skip
        assert any(repr(two.tree(0)) == tree and p == pytest.approx(best) for tree, p in trees)
    assert parsed >= 3


def random_grammar(seed):
    """A grammar in which each of three symbols has binary and lexical rules with random counts, as trees of them."""
    rng = np.random.default_rng(seed)
    lines = []
    for parent, left, right in product("SAB", repeat=3):
        count = int(rng.integers(0, 4))
        lines += [f"({parent} ({left} ({left}T x)) ({right} ({right}T x)))"] * count
    for symbol in "SAB":
        lines += [f"({symbol} ({symbol}T {word}))" for word in "xy" for _ in range(int(rng.integers(1, 9)))]
    return "\n".join(lines)


def test_all_chains_of_unary_rules_are_added_and_the_best_has_no_cycle():
    grammar = grammar_of("(S (S (T x)))\n(S (T x))")  # S over S: 1/3, S over T: 2/3; 2/3 + 2/9 + 2/27 + .. = 1
    assert grammar.log_inside(["x"]) == pytest.approx(0.0, abs=1e-9)
    assert repr(grammar.predict([["x"]]).tree(0)) == "(S (T x))"
    assert math.exp(grammar.viterbi(["x"])) == pytest.approx(2 / 3)


@pytest.mark.parametrize("seed", range(6))
def test_the_best_tree_is_that_of_nltk(seed):
    text = random_grammar(seed)
    grammar = grammar_of(text, horizontal=0)
    rules = [
        f"{rule.parent} -> {rule.left} {rule.right} [{rule.probability!r}]" for rule in grammar.rules_.itertuples()
    ]
    for tag in ("ST", "AT", "BT"):
        given = {word: grammar.tag_probabilities(word).get(tag, 0.0) for word in "xy"}
        rules += [f"{tag} -> '{word}' [{p!r}]" for word, p in given.items() if p]
    tops = [f"TOP -> {grammar.symbols_[root]} [{math.exp(score)!r}]" for root, score in grammar._roots.items()]
    parser = ViterbiParser(PCFG.fromstring("\n".join([*tops, *rules])))  # the first rule's parent is the top
    for words in (["x", "y", "x"], ["y", "y", "x", "x", "y"]):
        theirs = next(iter(parser.parse(words)))
        ours = grammar.predict([words])
        assert grammar.viterbi(words) == pytest.approx(math.log(theirs.prob()), rel=1e-9)
        assert grammar.log_probability(ours)[0] == pytest.approx(math.log(theirs.prob()), rel=1e-9)


def test_of_equal_trees_the_first_split_and_then_the_first_rule_is_chosen():
    text = "(S (S (T x)) (S (T x)))\n(S (T x))"
    assert repr(grammar_of(text).predict([["x"] * 3]).tree(0)) == "(S (S (T x)) (S (S (T x)) (S (T x))))"
    even = "(S (A (T x)))\n(S (B (T x)))"
    assert repr(grammar_of(even).predict([["x"]]).tree(0)) == "(S (A (T x)))"
    tops = "(B (T x))\n(A (T x))"
    assert repr(grammar_of(tops).predict([["x"]]).tree(0)) == "(A (T x))"


def test_a_symbol_above_words_and_phrases_shares_its_probability():
    grammar = grammar_of("(S (S x) (T y))\n(S (T y))")  # three S, one of them above a word
    assert math.exp(grammar.log_inside(["x", "y"])) == pytest.approx(1 / 3 * 1 / 3)
    assert math.exp(grammar.log_inside(["y"])) == pytest.approx(1 / 3)
    assert math.exp(grammar.log_inside(["x"])) == pytest.approx(1 / 3)


def test_known_words_keep_their_tags_and_rare_ones_have_those_of_their_signature():
    text = "\n".join(["(S (A lots))"] * 6 + ["(S (A walking))", "(S (B talking))", "(S (B talking))", "(S (A Jo))"])
    grammar = TreebankPCFG(rare=2, smoothing=1.0).fit(read(text))
    assert set(grammar.tag_probabilities("lots")) == {"A"}
    # P(A) = 8/10; rare tokens: A A B B, and of -ing A B B, with half of each added: P(A|-ing) = 1.5/4
    assert grammar.tag_probabilities("singing")["A"] == pytest.approx(1.5 / 4 * (1 / 10) / (8 / 10))
    assert grammar.tag_probabilities("talking")["A"] == pytest.approx((0 + 1.5 / 4) / 3 * (2 / 10) / (8 / 10))
    assert grammar.tag_probabilities("talking")["B"] == pytest.approx((2 + 2.5 / 4) / 3 * (2 / 10) / (2 / 10))
    assert grammar.tag_probabilities("99")["A"] == pytest.approx(1 / 2 * (1 / 10) / (8 / 10))  # never seen: of any
    unsmoothed = TreebankPCFG(rare=0).fit(read(text))
    assert unsmoothed.tag_probabilities("singing") == {}
    assert unsmoothed.predict([["singing"]]).sentences["status"].tolist() == ["failed"]


def test_words_of_an_annotated_tag_are_interpolated_with_those_of_the_tag():
    text = "\n".join(["(S (A (T x)) (B (T y)))"] * 6)  # T of A is x only: 6 tokens, one word; l = 6 / (6 + 2)
    grammar = TreebankPCFG(vertical=2, rare=0, tag_smoothing=2.0).fit(read(text))
    x_of_a, x_of_b = 6 / 8 + 2 / 8 * 1 / 2, 2 / 8 * 1 / 2
    assert math.exp(grammar.log_inside(["x", "y"])) == pytest.approx(x_of_a**2)
    assert math.exp(grammar.log_inside(["x", "x"])) == pytest.approx(x_of_a * x_of_b)
    total = sum(math.exp(grammar.log_inside(list(words))) for words in product("xy", repeat=2))
    assert total == pytest.approx(1.0)


def test_tags_can_be_given():
    grammar = grammar_of()
    words = ["hens", "eat", "corn"]
    assert (
        repr(grammar.predict([words], tags=[["N", "VB", "N"]]).tree(0))
        == "(S (NP (N hens)) (VP (VB eat) (NP (N corn))))"
    )
    verb = grammar.predict([["hens", "corn"]], tags=[["N", "VB"]])  # corn is no verb of the treebank
    assert repr(verb.tree(0)) == "(S (NP (N hens)) (VP (VB corn)))"
    assert grammar.predict([["hens"]], tags=[["XX"]]).sentences["status"].tolist() == ["failed"]
    with pytest.raises(ValueError, match="3 words and 1 tags"):
        grammar.predict([words], tags=[["N"]])


def test_sentences_without_a_parse_and_too_long_ones_fail_and_are_listed():
    grammar = grammar_of(max_length=3)
    found = grammar.predict([["ducks", "swim"], ["swim", "ducks"], ["hens", "eat", "corn", "noon"]])
    assert found.sentences["status"].tolist() == ["parsed", "failed", "failed"]
    assert len(found.incidents) == 2 and found.tokens["sentence"].tolist() == [0, 0]
    assert len(grammar_of().predict([["zebras"]]).nodes) == 0
    trees = read(TOY)
    assert grammar_of().predict(trees).tokens["form"].tolist() == trees.tokens["form"].tolist()
    assert grammar_of().predict(trees.tokens).nodes.equals(grammar_of().predict(trees).nodes)


def test_a_tree_with_what_the_grammar_has_not_has_probability_0():
    grammar = grammar_of()
    for text in ("(S (VP (VB swim)))", "(S (NP (N swim)) (VP (VB swim)))", "(VP (VB swim))", "(S (X hens))"):
        assert grammar.log_probability(read(text))[0] == -math.inf


def test_what_makes_no_sense_is_refused():
    trees = read(TOY)
    for choices in ({"rare": -1}, {"smoothing": 0}, {"max_length": 0}, {"tag_smoothing": -1}):
        with pytest.raises(ValueError, match="must be at least"):
            TreebankPCFG(**choices).fit(trees)
    with pytest.raises(ValueError, match="no tree"):
        TreebankPCFG().fit(read_bracketed_trees(b"(())\n(S (N a))", by_line=True).select([0]))
    with pytest.raises(ValueError, match="not fitted"):
        TreebankPCFG().predict([["hens"]])
    with pytest.raises(ValueError, match="no word"):
        grammar_of().predict([[]])


def test_signatures_tell_capitals_numbers_marks_and_endings_apart():
    words = ("Ducks", "ducks", "1990s", "12", "U.S.", "co-founded", "%", "s")
    assert [word_signature(word) for word in words] == [
        "capital-s", "lower-s", "digit-letters", "digit", "capital-mark", "lower-hyphen-ed", "other-mark", "lower",
    ]  # fmt: skip
