"""The generative parser: against exhaustive search, on held-out generated sentences, and in its corners."""

import math
import pickle
from collections import Counter
from functools import cache

import numpy as np
import pytest

from analysis.ccg import predicate_argument_dependencies, treebank
from analysis.ccg.models import NormalFormParser, word_shape
from analysis.corpora.language import generate
from analysis.structures.derivation import Derivations, derivations

VP = r"S[dcl]\NP"


def bank_of(utterances, seed):
    drawn = generate(utterances, random_state=seed)
    return derivations(drawn.nodes, drawn.tokens)


class Exhaustive:
    """The same model from its definition: dictionaries of counts, and every derivation of a sentence listed."""

    def __init__(self, bank, lexicalised, rare, smoothing):
        self.lexicalised, self.smoothing = lexicalised, smoothing
        frequency = Counter(bank.tokens["form"])
        self.known = {form for form, count in frequency.items() if count >= rare}
        self.counts, self.rules, self.lexicon, self.roots = {}, set(), {}, Counter()
        for sentence in range(len(bank)):
            tree = bank.tree(sentence)
            for number, node in enumerate(tree.nodes):
                self._learn(tree, number, node)

    def word(self, form):
        return form if form in self.known else word_shape(form)

    def _head(self, tree, number):
        node = tree.nodes[number]
        leaf = next(leaf for leaf in tree.leaves() if leaf.start == node.head - 1)
        return leaf.category, self.word(tree.words[leaf.start])

    def _count(self, outcome, *contexts):
        for context in contexts:
            self.counts.setdefault(context, Counter())[outcome] += 1

    def _learn(self, tree, number, node):
        c, w = self._head(tree, number)
        p = node.category
        if node.parent < 0:
            self._count(p, "TOP")
            self._count(c, ("root", p))
        if not node.daughters:
            self._count("leaf", *self._levels("e", p, c, w))
            self._count(w, ("w", c))
            self.lexicon.setdefault(w, set()).add(c)
            return
        kind = "unary" if len(node.daughters) == 1 else ("right" if node.head_daughter == 1 else "left")
        head = node.daughters[node.head_daughter]
        h = tree.nodes[head].category
        self._count(kind, *self._levels("e", p, c, w))
        self._count(h, *self._levels("h", (p, kind), c, w))
        s = None
        if kind != "unary":
            sister = node.daughters[1 - node.head_daughter]
            s = tree.nodes[sister].category
            self._count(s, *self._levels("s", (p, kind, h), c, w))
            cs, ws = self._head(tree, sister)
            rule = (p, kind, h, s)
            self._count(cs, ("c", s), ("c", s, rule))
            self._count(ws, ("w", cs, rule), ("w", cs, rule, w))
        self.rules.add((p, kind, h, s))

    @staticmethod
    def _levels(name, place, c, w):
        return (name, place), (name, place, c), (name, place, c, w)

    def p(self, outcome, *contexts):
        lower = None
        for context in contexts:
            seen = self.counts.get(context)
            if seen is None:
                lower = 0.0 if lower is None else lower
                continue
            f, u = seen.total(), len(seen)
            weight = 1.0 if lower is None else f / (f + self.smoothing * u)
            lower = weight * seen[outcome] / f + (1 - weight) * (lower or 0.0)
        return lower

    def _conditioned(self, outcome, name, place, c, w):
        levels = self._levels(name, place, c, w)
        return self.p(outcome, *(levels if self.lexicalised else levels[:1]))

    def best(self, words):
        """Log probability of the best derivation and, of the unlexicalised model, the sum over all (no unary loops)."""
        words = [self.word(form) for form in words]

        @cache
        def span(start, end):
            """Every derivation as (category, head category, head word, probability); unary chains without repeats."""
            found = []
            if end == start + 1:
                w = words[start]
                for c in self.lexicon.get(w, ()):
                    p = self._conditioned("leaf", "e", c, c, w)
                    found.append((c, c, w, p if self.lexicalised else p * self.p(w, ("w", c))))
            for split in range(start + 1, end):
                for left in span(start, split):
                    for right in span(split, end):
                        for kind, head, sister in (("left", left, right), ("right", right, left)):
                            for rule in by_daughters.get((kind, head[0], sister[0]), ()):
                                found.append(self._combine(rule, head, sister))
            chains = [(item, {item[0]}) for item in found]
            while chains:
                item, seen = chains.pop()
                for rule in by_daughters.get(("unary", item[0], None), ()):
                    if rule[0] not in seen:
                        made = self._combine(rule, item, None)
                        found.append(made)
                        chains.append((made, seen | {rule[0]}))
            return [item for item in found if item[3] > 0]

        by_daughters = {}
        for rule in self.rules:
            by_daughters.setdefault(rule[1:], []).append(rule)
        scores = []
        for category, c, w, p in span(0, len(words)):
            p *= self.p(category, "TOP") or 0.0
            if self.lexicalised:
                p *= (self.p(c, ("root", category)) or 0.0) * self.p(w, ("w", c))
            if p > 0:
                scores.append(p)
        return (math.log(max(scores)) if scores else None), len(scores)

    def _combine(self, rule, head, sister):
        p, kind, h, s = rule
        _, c, w, score = head
        score *= self._conditioned(kind, "e", p, c, w) * self._conditioned(h, "h", (p, kind), c, w)
        if sister:
            _, cs, ws, inside = sister
            score *= inside * self._conditioned(s, "s", (p, kind, h), c, w)
            if self.lexicalised:
                score *= self.p(cs, ("c", s), ("c", s, rule))
                score *= self.p(ws, ("w", cs), ("w", cs, rule), ("w", cs, rule, w))
        return p, c, w, score


@pytest.mark.parametrize("lexicalised", [False, True])
@pytest.mark.thorough
def test_without_a_beam_the_viterbi_tree_is_the_best_of_all_derivations(lexicalised):
    bank = bank_of(400, seed=3)
    parser = NormalFormParser(lexicalised=lexicalised, beam=0, rare=3, smoothing=2.0).fit(bank)
    slow = Exhaustive(bank, lexicalised, rare=3, smoothing=2.0)
    words = bank_of(120, seed=4).tokens.groupby("sentence")["form"].agg(list)
    ambiguous = 0
    for sentence in words[words.str.len() <= 6]:
        expected, derivations_listed = slow.best(sentence)
        found = parser.viterbi(sentence)
        if expected is None:
            assert found is None
            continue
        assert found == pytest.approx(expected, abs=1e-9)
        tree = parser.predict([sentence])
        assert parser.log_probability(tree)[0] == pytest.approx(expected, abs=1e-9)
        ambiguous += derivations_listed > 1
    assert ambiguous > 20


@pytest.mark.thorough
def test_held_out_sentences_are_parsed_and_the_lexicalised_model_is_the_better():
    train, test = bank_of(16_000, seed=31), bank_of(1500, seed=32)
    scores = {}
    for lexicalised in (True, False):
        output = NormalFormParser(lexicalised=lexicalised).fit(train).predict(test)
        assert (output.sentences["status"] == "parsed").mean() >= 0.95
        sentences = predicate_argument_dependencies(test, output).sentences
        scores[lexicalised] = 2 * sentences["matched"].sum() / (sentences["gold"].sum() + sentences["predicted"].sum())
    assert scores[True] >= 0.85
    assert scores[True] > scores[False]


def test_the_log_probability_of_a_treebank_is_that_of_its_trees_by_definition():
    bank = bank_of(60, seed=5)
    parser = NormalFormParser(lexicalised=False, rare=1).fit(bank)
    trees = [bank.tree(number) for number in range(len(bank))]
    nodes = [node for tree in trees for node in tree.nodes]
    parents = Counter(node.category for node in nodes)
    roots = Counter(tree.nodes[0].category for tree in trees)
    expected = []
    expansions, leaves = Counter(), Counter()
    for tree in trees:
        for node in tree.nodes:
            below = tuple(tree.nodes[number].category for number in node.daughters) or tree.words[node.start]
            expansions[node.category, node.head_daughter, below] += 1
            leaves[node.category] += not node.daughters
    for tree in trees:
        score = math.log(roots[tree.nodes[0].category] / len(trees))
        for node in tree.nodes:
            below = tuple(tree.nodes[number].category for number in node.daughters) or tree.words[node.start]
            score += math.log(expansions[node.category, node.head_daughter, below] / parents[node.category])
        expected.append(score)
    np.testing.assert_allclose(parser.log_probability(bank), expected, atol=1e-9)


def test_a_rule_or_word_that_was_never_seen_has_no_probability():
    parser = NormalFormParser(rare=1).fit(treebank(("S[dcl]", ("NP", "dogs"), (VP, "bark"))))
    other = treebank(("S[dcl]", ("NP", "dogs"), (VP, "sleep")), ("NP", ("N", "dogs")))
    assert parser.log_probability(other).tolist() == [-math.inf, -math.inf]


def test_a_sentence_without_a_parse_is_counted_and_listed():
    parser = NormalFormParser(rare=1).fit(treebank(("S[dcl]", ("NP", "dogs"), (VP, "bark"))))
    output = parser.predict([["dogs", "bark"], ["bark", "dogs"], ["cats", "bark"]])
    assert output.sentences["status"].tolist() == ["parsed", "failed", "failed"]
    assert output.incidents["kind"].tolist() == ["no parse", "no parse"]
    assert parser.viterbi(["bark", "dogs"]) is None


def test_an_unknown_word_is_read_as_its_class():
    trees = [("S[dcl]", ("NP", name), (VP, "bark")) for name in ("Anna", "Tom", "Rex")]
    parser = NormalFormParser(rare=2).fit(treebank(*trees))
    assert parser.predict([["Zoe", "bark"]]).tree(0).words == ("Zoe", "bark")
    assert parser.predict([["zoe", "bark"]]).sentences["status"].tolist() == ["parsed"]  # an unseen class: any rare


def test_of_equal_derivations_the_first_split_wins():
    left, right = r"(S\NP)/(S\NP)", r"(S\NP)\(S\NP)"
    trees = treebank(
        ("S[dcl]", ("NP", "we"), (VP, (left, "often"), (VP, (VP, "sing"), (right, "here")))),
        ("S[dcl]", ("NP", "we"), (VP, (VP, (left, "often"), (VP, "sing")), (right, "here"))),
    )
    parser = NormalFormParser(rare=1).fit(trees)
    one, other = parser.log_probability(trees)
    assert one == pytest.approx(other, abs=1e-12)
    assert parser.predict([["we", "often", "sing", "here"]]).tree(0) == trees.tree(0)


def test_sentences_come_as_lists_tokens_or_derivations():
    bank = bank_of(300, seed=6)
    parser = NormalFormParser().fit(bank)
    lists = bank.tokens.groupby("sentence")["form"].agg(list).tolist()
    outputs = [parser.predict(lists), parser.predict(bank.tokens), parser.predict(bank)]
    for output in outputs[1:]:
        assert output.nodes.equals(outputs[0].nodes)
    assert parser.predict([]).sentences.empty


def test_fitting_and_parsing_repeat_and_survive_pickling():
    bank = bank_of(300, seed=7)
    parser, other = NormalFormParser().fit(bank), NormalFormParser().fit(bank)
    expected = parser.predict(bank).nodes
    assert other.predict(bank).nodes.equals(expected)
    assert pickle.loads(pickle.dumps(parser)).predict(bank).nodes.equals(expected)


def test_nothing_to_learn_from_or_a_wrong_parameter_is_refused():
    bank = bank_of(5, seed=8)
    with pytest.raises(ValueError, match="not fitted yet"):
        NormalFormParser().predict([["a"]])
    with pytest.raises(ValueError, match="beam must lie"):
        NormalFormParser(beam=1).fit(bank)
    with pytest.raises(ValueError, match="no derivation to learn"):
        NormalFormParser().fit(Derivations(bank.nodes.iloc[:0], bank.tokens.iloc[:0], bank.sentences.iloc[:0]))
    with pytest.raises(ValueError, match="sentence 0 has no word"):
        NormalFormParser().fit(bank).predict([[]])


def test_sentences_parsed_together_have_the_derivations_that_each_has_alone():
    parser = NormalFormParser().fit(bank_of(300, 2))
    bank = bank_of(230, 3)
    together = parser.predict(bank)
    forms = bank.tokens.groupby("sentence")["form"].agg(list)
    assert len(together) == len(forms)
    for sentence, words in enumerate(forms):
        alone = parser.predict([words])
        nodes = together.nodes[together.nodes["sentence"] == sentence].drop(columns="sentence")
        assert nodes.to_numpy().tolist() == alone.nodes.drop(columns="sentence").to_numpy().tolist()
