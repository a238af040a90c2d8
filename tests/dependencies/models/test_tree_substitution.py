"""The tree substitution grammar, against enumeration of derivations and seatings, and against numbers by hand."""

import itertools
from collections import Counter
from functools import cache
from math import exp, log

import numpy as np
import pandas as pd
import pytest

from analysis.dependencies.models import DMV, TreeSubstitutionGrammar
from analysis.dependencies.models import tree_substitution_kernels as kernels
from analysis.experiments.saved_models import fit_keeping_state, model_bytes, model_from
from tests.dependencies.models.enumeration import enumerated, projective_trees

TEXT = [["N", "V"], ["V"], ["N", "V", "N"], ["D", "N", "V"], ["V", "D", "N"], ["N", "V", "D", "N"], ["N"]]
QUIET = {"progress": False}


# ---------------------------------------------------- parses and derivations by another route: nested tuples


def parse_of(tags, heads):
    """The parse of a tree: (category, rule, children), children from far to near; a rule is named by what it makes."""
    n = len(tags)

    def below(word):
        return {word}.union(*(below(other) for other in range(n) if heads[other] == word + 1))

    def left(kind, head, children):  # children from far to near
        if not children:
            return (kind, tags[head]), "stop", ()
        far, *others = children
        right_of_far = right("R", far, [w for w in range(n - 1, far, -1) if heads[w] == far + 1])
        between = ("M", tags[far], tags[head]), "only", (right_of_far, left("Ls", head, others))
        attached = ("L1", tags[head]), tags[far], (left("L", far, lefts(far)), between)
        return (kind, tags[head]), "go", (attached,)

    def right(kind, head, children):
        if not children:
            return (kind, tags[head]), "stop", ()
        far, *others = children
        between = ("M'", tags[head], tags[far]), "only", (right("Rs", head, others), left("L", far, lefts(far)))
        attached = ("R1", tags[head]), tags[far], (between, right("R", far, rights(far)))
        return (kind, tags[head]), "go", (attached,)

    def lefts(head):
        return [word for word in range(head) if heads[word] == head + 1]

    def rights(head):
        return [word for word in range(n - 1, head, -1) if heads[word] == head + 1]

    assert below(heads.index(0)) == set(range(n))
    root = heads.index(0)
    return ("S",), tags[root], (left("L", root, lefts(root)), right("R", root, rights(root)))


def size(node):
    return 1 + sum(map(size, node[2]))


def cut(node, sites):
    """Elementary trees of a parse in preorder, roots first; `sites` are flags of its nodes in preorder."""
    trees = []

    def build(node, at):
        children, place = [], at + 1
        for child in node[2]:
            if sites[place]:
                children.append((child[0], None, ()))
            else:
                children.append(build(child, place))
            place += size(child)
        return node[0], node[1], tuple(children)

    def walk(node, at):
        if sites[at]:
            trees.append(build(node, at))
        place = at + 1
        for child in node[2]:
            walk(child, place)
            place += size(child)

    walk(node, 0)
    return tuple(trees)


@cache
def derivations(tags):
    """All derivations of a sentence: heads, and elementary trees in preorder."""
    found = []
    for heads in projective_trees(len(tags)):
        parse = parse_of(tags, list(heads))
        for flags in itertools.product((0, 1), repeat=size(parse) - 1):
            found.append((heads, cut(parse, (1, *flags))))
    return found


def rules_of(tree):
    """Rules of an elementary tree in preorder."""
    if tree[1] is None:
        return []
    return [(tree[0], tree[1]), *(rule for child in tree[2] for rule in rules_of(child))]


def site_factor(tree, s):
    product = 1.0
    for child in tree[2]:
        product *= s if child[1] is None else (1 - s) * site_factor(child, s)
    return product


def choices(category, n_tags):
    return 1 if category[0] in ("M", "M'") else n_tags if category[0] in ("S", "L1", "R1") else 2


def joint(trees, n_tags, a, b, s):
    """Probability of a sequence of elementary trees: the sum over all seatings of trees and of their rules."""
    upper, lower = {}, {}  # of each category its tables: [dish, customers]

    def seat_rules(rules, rest):
        if not rules:
            return after(rest)
        (category, _), *others = rules
        ways, tables = choices(category, n_tags), lower.setdefault(category, [])
        if ways == 1:
            return seat_rules(others, rest)
        n = sum(table[1] for table in tables)
        return options(tables, rules[0], n, 1 / ways, lambda new: seat_rules(others, rest))

    def options(tables, dish, n, base, then):
        total = 0.0
        for table in list(tables):
            if table[0] == dish:
                share = (table[1] - a) / (n + b)
                table[1] += 1
                total += share * then(False)
                table[1] -= 1
        share = (len(tables) * a + b) / (n + b) * base
        tables.append([dish, 1])
        total += share * then(True)
        tables.pop()
        return total

    def after(rest):
        if not rest:
            return 1.0
        tree, *others = rest
        tables = upper.setdefault(tree[0], [])
        n = sum(table[1] for table in tables)

        def then(new):
            return seat_rules(rules_of(tree), others) if new else after(others)

        return options(tables, tree, n, site_factor(tree, s), then)

    return after(list(trees))


# ------------------------------------------------------------------------------------ the state by another route


def names(grammar, tags):
    """Categories and rules by number, as `parse_of` names them."""
    kinds = ("L", "Ls", "L1", "R", "Rs", "R1")
    categories = [("S",), *((kind, tag) for kind in kinds for tag in tags)]
    categories += [(kind, a, b) for kind in ("M", "M'") for a in tags for b in tags]
    made = [*tags, *(way for _ in range(4 * len(tags)) for way in ("stop", "go"))]
    made += [tag for _ in range(2 * len(tags)) for tag in tags] + ["only"] * (2 * len(tags) ** 2)
    return categories, made


def fragment_tree(state, grammar, f, tags):
    categories, made = names(grammar, tags)
    rule, left, right = state.fragments[f, [kernels.RULE, kernels.LEFT, kernels.RIGHT]]
    children = []
    for child, row in ((left, kernels.LEFT), (right, kernels.RIGHT)):
        category = grammar.rules[row, rule]
        if category >= 0:
            site = (categories[category], None, ())
            children.append(site if child < 0 else fragment_tree(state, grammar, child, tags))
    return categories[grammar.rules[kernels.PARENT, rule]], made[rule], tuple(children)


def trees_of(model, run=0):
    """The elementary trees of all sentences of a fitted model, from its derivations."""
    text, tags = model._texts[run], [*model.tags_, "?"]
    found = []
    for at, (first, last) in enumerate(itertools.pairwise(text.starts)):
        words, node = [tags[word] for word in text.words[first:last]], 5 * first - 2 * at
        parse = parse_of(words, text.heads[first:last].tolist())
        assert size(parse) == 5 * (last - first) - 2
        found.append(cut(parse, text.sites[node : node + size(parse)]))
    return found


def check_counts(model, run=0):
    """All counts are those of the derivations, and lists, uses and unused places are consistent."""
    state, grammar, tags = model._states[run], model._grammar(), [*model.tags_, "?"]
    F = len(state.fragments)
    customers = Counter(tree for trees in trees_of(model, run) for tree in trees)
    expected_rules, used, uses = Counter(), set(), Counter()
    categories, made = names(grammar, tags)
    for dish in np.flatnonzero(state.dishes[:F, kernels.CUSTOMERS]):
        tree = fragment_tree(state, grammar, dish, tags)
        assert customers.pop(tree) == state.dishes[dish, kernels.CUSTOMERS]
        for rule in rules_of(tree):
            expected_rules[rule] += state.dishes[dish, kernels.TABLES]
        uses[dish] += 1
        waiting = [dish]
        while waiting:
            f = waiting.pop()
            if f not in used:
                used.add(f)
                children = [child for child in state.fragments[f, [kernels.LEFT, kernels.RIGHT]] if child >= 0]
                uses.update(children)
                waiting += children
    assert not customers
    assert len({fragment_tree(state, grammar, f, tags) for f in used}) == len(used) == state.unused[2]
    assert all(state.fragments[f, kernels.USES] == uses[f] for f in used)
    listed = []
    for f in state.first:
        while f >= 0:
            listed.append(f)
            f = state.fragments[f, kernels.FOLLOWING]
    assert sorted(listed) == sorted(used)
    totals = np.zeros_like(state.restaurants)
    for dish in range(len(state.dishes)):
        sizes, table = [], state.dishes[dish, kernels.FIRST]
        if dish < F and dish not in used:
            continue
        while table >= 0:
            sizes.append(state.seats[table, kernels.CUSTOMERS])
            table = state.seats[table, kernels.AFTER]
        assert (sum(sizes), len(sizes)) == tuple(state.dishes[dish, :2])
        assert all(sizes)
        rule = state.fragments[dish, kernels.RULE] if dish < F else dish - F
        parent = grammar.rules[kernels.PARENT, rule]
        totals[parent + (0 if dish < F else len(grammar.choices))] += state.dishes[dish, :2]
        if dish >= F and grammar.choices[parent] > 1:
            assert sum(sizes) == expected_rules[categories[parent], made[rule]]
    assert np.array_equal(totals, state.restaurants)


def fitted(sentences, sweeps=0, **choices):
    return TreeSubstitutionGrammar(**{"sweeps": sweeps, "runs": 1, **QUIET, **choices}).fit(sentences)


# --------------------------------------------------------------------------------------------- exact small cases


def chart_of(state, grammar, words):
    room = np.zeros(len(state.fragments), np.int64)
    return kernels.make_chart(state, grammar, np.asarray(words), np.empty(0), room)


@pytest.mark.parametrize(("n", "number"), [(1, 4), (2, 256), (3, 28_672), (4, 3_932_160)])
def test_the_number_of_derivations_is_that_of_the_trees_times_all_sets_of_sites(n, number):
    """Each ends or goes on 3 n - 1 times and has 5 n - 3 nodes that are sites or not, all with probability 1/2."""
    grammar = kernels.make_grammar(1)
    state = kernels.empty(grammar, 5 * n, 5 * n)
    total = kernels.inside(state, grammar, chart_of(state, grammar, [0] * n), 1.0, False)
    assert total * 2 ** (8 * n - 4) == number
    if n < 4:
        assert len(derivations(("V",) * n)) == number


def test_if_all_nodes_are_sites_the_inside_probability_is_that_of_the_model_with_valence():
    random, grammar = np.random.default_rng(3), kernels.make_grammar(3)
    state = kernels.empty(grammar, 50, 50)
    state.substitution[:], state.hyper[:, kernels.DISCOUNT] = 1.0, 0.0
    for rule in range(grammar.rules.shape[1]):
        for _ in range(random.integers(6)):
            here = len(grammar.choices) + grammar.rules[kernels.PARENT, rule]
            kernels._sit(state, len(state.fragments) + rule, here, -1)
    p = [kernels.rule_probability(state, grammar, rule) for rule in range(grammar.rules.shape[1])]
    ends = np.array(p[3:27]).reshape(2, 2, 3, 2)  # side, valence, tag, stop or go
    stop, go = (ends[..., way].transpose(0, 2, 1) for way in (0, 1))
    attach = np.array(p[27:45]).reshape(2, 3, 3)
    for words in itertools.product(range(3), repeat=3):
        total = kernels.inside(state, grammar, chart_of(state, grammar, words), 1.0, False)
        assert total == pytest.approx(enumerated(words, (np.array(p[:3]), attach, stop, go))[0], rel=1e-12)


@pytest.mark.parametrize(("dishes", "probability"), [
    ("xxy", 0.09375), ("xyx", 0.09375), ("yxx", 0.09375), ("xxx", 0.21875),
])  # fmt: skip
def test_probability_of_three_draws_from_a_pitman_yor_process(dishes, probability):
    """a = 0.5, b = 1, two dishes of equal base probability; the sum over all seatings."""
    grammar = kernels.make_grammar(1)
    state = kernels.empty(grammar, 9, 9)

    def seatings(left):
        if not left:
            return 1.0
        rule = 1 + (left[0] == "y")  # L of the only tag, which ends or goes on
        dish, here = len(state.fragments) + rule, len(grammar.choices) + 1
        n, tables = state.restaurants[here]
        options, table = [(-1, (tables * 0.5 + 1) / (n + 1) / 2)], state.dishes[dish, kernels.FIRST]
        while table >= 0:
            options.append((table, (state.seats[table, kernels.CUSTOMERS] - 0.5) / (n + 1)))
            table = state.seats[table, kernels.AFTER]
        assert sum(share for _, share in options) == pytest.approx(kernels.rule_probability(state, grammar, rule))
        total = 0.0
        for table, share in options:
            seat = kernels._sit(state, dish, here, table)
            total += share * seatings(left[1:])
            kernels._leave(state, dish, here, seat)
        return total

    assert seatings(dishes) == pytest.approx(probability, rel=1e-12)
    assert not state.restaurants.any()
    assert not state.dishes[:, :2].any()


def test_probability_of_a_seating():
    """The second customer joins the first, 0.5 / 2; the third opens a table, 1.5 / 3."""
    assert exp(kernels.log_seating(0.5, 1.0, np.array([2, 1]))) == pytest.approx(0.125)
    assert exp(kernels.log_seating(0.5, 1.0, np.array([1, 2]))) == pytest.approx(0.125)


def test_joint_probability_of_one_sentence_by_hand():
    """Sites everywhere: two sites below S, and two sides that end."""
    model = fitted([["V"]], substitution=0.3)
    assert kernels.log_probability(model._states[0], model._grammar()) == pytest.approx(log(0.3**2 / 4))
    whole = fitted([["V"]], substitution=0.3, start="whole")
    assert kernels.log_probability(whole._states[0], whole._grammar()) == pytest.approx(log(0.7**2 / 4))


def test_joint_probability_of_two_sentences_by_hand():
    a, b, model = 0.4, 0.7, fitted([["V"], ["V"]], substitution=0.3, discount=0.4, concentration=0.7)
    state, expected = model._states[0], 1.0
    assert state.dishes[state.dishes[:, kernels.CUSTOMERS] > 0][:3, kernels.CUSTOMERS].tolist() == [2, 2, 2]
    for category in range(3):  # S, L, R have the numbers 0, 1 and 7 for two tags
        number, sites = ((0, 0.3**2), (1, 1.0), (7, 1.0))[category]
        tables = state.restaurants[number, kernels.TABLES]
        expected *= sites if category == 0 else 0.5
        if tables == 1:
            expected *= (1 - a) / (1 + b)
        else:  # the rule sits at the first table of its restaurant or at another
            expected *= (a + b) / (1 + b) * (sites if category == 0 else 1)
            if category:
                lower = state.restaurants[len(model._grammar().choices) + number, kernels.TABLES]
                expected *= (1 - a) / (1 + b) if lower == 1 else (a + b) / (1 + b) / 2
    assert kernels.log_probability(state, model._grammar()) == pytest.approx(log(expected))


@pytest.mark.parametrize("start", ["sites", "whole"])
@pytest.mark.parametrize("sentences", [[("V",)], [("V",), ("V",)], [("V", "V")]])
def test_the_sampler_visits_derivations_as_often_as_enumeration_says(sentences, start):
    """All seatings are summed by the other route; two equal words have the same rule twice in one elementary tree."""
    a, b, s, sweeps = 0.4, 0.7, 0.35, 40_000
    choice = {"discount": a, "concentration": b, "substitution": s, "resample_every": 0, "start": start}
    model = fitted([list(words) for words in sentences], **choice)
    expected = {}
    for combination in itertools.product(*(derivations(words) for words in sentences)):
        trees = [tree for _, one in combination for tree in one]
        expected[tuple(heads + one for heads, one in combination)] = joint(trees, 1, a, b, s)
    total = sum(expected.values())
    state, text, random, grammar = model._states[0], model._texts[0], model._randoms[0], model._grammar()
    found, accepted, order = Counter(), 0, np.arange(len(sentences))
    for _ in range(sweeps):
        accepted += kernels.sweep(state, grammar, text, order, random)
        found[text.heads.tobytes(), text.sites.tobytes()] += 1
    check_counts(model)
    by_key = {}
    nodes = [5 * len(words) - 2 for words in sentences]
    for heads, sites in found:
        heads_, sites_ = np.frombuffer(heads, np.int64), np.frombuffer(sites, np.int64)
        key, word, node = [], 0, 0
        for words, many in zip(sentences, nodes, strict=True):
            own = heads_[word : word + len(words)].tolist()
            key.append(tuple(own) + cut(parse_of(words, own), sites_[node : node + many].tolist()))
            word, node = word + len(words), node + many
        by_key[tuple(key)] = found[heads, sites] / sweeps
    assert set(by_key) <= set(expected)
    distance = sum(abs(by_key.get(key, 0.0) - p / total) for key, p in expected.items()) / 2
    assert distance < (0.01 if len(expected) < 20 else 0.03)
    if len(sentences[0]) > 1:
        assert accepted < sweeps * len(sentences)  # proposals are rejected too


def frozen(model):
    """The probability of an elementary tree under the counts of a model, by the other route."""
    state, grammar, tags = model._states[0], model._grammar(), [*model.tags_, "?"]
    F, a, b = len(state.fragments), *state.hyper.T
    categories, made = names(grammar, tags)
    number = {category: c for c, category in enumerate(categories)}
    counts = {fragment_tree(state, grammar, f, tags): state.dishes[f, :2]
              for f in np.flatnonzero(state.dishes[:F, 0])}  # fmt: skip
    p = {(categories[grammar.rules[kernels.PARENT, rule]], made[rule]): kernels.rule_probability(state, grammar, rule)
         for rule in range(grammar.rules.shape[1])}  # fmt: skip

    def sites(tree):
        product = 1.0
        for child in tree[2]:
            s = state.substitution[number[child[0]]]
            product *= s if child[1] is None else (1 - s) * sites(child)
        return product

    @cache
    def probability(tree):
        c = number[tree[0]]
        n, tables = counts.get(tree, (0, 0))
        by_rules = sites(tree) * np.prod([p[rule] for rule in rules_of(tree)])
        all_n, all_tables = state.restaurants[c]
        return (n - a[c] * tables + (b[c] + a[c] * all_tables) * by_rules) / (all_n + b[c])

    return probability


def test_the_frozen_grammar_sums_over_derivations_and_its_best_one_is_the_best():
    model = fitted(TEXT, sweeps=20, random_state=4)
    probability, tags = frozen(model), list(model.tags_)
    for words in (("N", "V"), ("N", "N"), ("D", "N")):
        scores = [(np.prod([probability(tree) for tree in trees]), heads) for heads, trees in derivations(words)]
        chart = chart_of(model._states[0], model._grammar(), [tags.index(word) for word in words])
        total = kernels.inside(model._states[0], model._grammar(), chart, 1.0, False)
        assert total == pytest.approx(sum(score for score, _ in scores), rel=1e-10)
        parses = model.parse([list(words)])
        assert parses.sentences["log_probability"].iloc[0] == pytest.approx(log(max(scores)[0]), rel=1e-10)
        assert tuple(parses.heads) == max(scores)[1]


def test_more_tags_than_bits_change_nothing():
    """Of 62 tags each has a bit of its own; the trees of t0 t63 and t62 t1 must not get into a chart of t0 t1."""
    text = [[f"t{i}"] for i in range(70)] + [["t0", "t63"], ["t62", "t1"], ["t63", "t0", "t1"], ["t1", "t0"]]
    model = fitted(text, sweeps=3, start="whole", resample_every=0)
    check_counts(model)
    probability, tags = frozen(model), list(model.tags_)
    for words in (("t0", "t1"), ("t63", "t0")):
        expected = sum(np.prod([probability(tree) for tree in trees]) for _, trees in derivations(words))
        chart = chart_of(model._states[0], model._grammar(), [tags.index(word) for word in words])
        total = kernels.inside(model._states[0], model._grammar(), chart, 1.0, False)
        assert total == pytest.approx(expected, rel=1e-10)


@pytest.mark.parametrize("tags", [("a",), ("a", "b"), ("a", "b", "a"), ("a", "b", "c", "a")])
def test_the_parse_of_each_projective_tree(tags):
    grammar, words = kernels.make_grammar(3), np.array([ord(tag) - ord("a") for tag in tags])
    categories, made = names(grammar, ["a", "b", "c"])
    for heads in projective_trees(len(tags)):
        d = np.zeros((kernels.ROWS, 5 * len(tags)), np.int64)
        n = kernels.derivation_of(3, words, np.array(heads), d)
        found = [(categories[grammar.rules[kernels.PARENT, rule]], made[rule]) for rule in d[kernels.RULE, :n]]
        assert found == rules_of(parse_of(tags, list(heads)))


@pytest.mark.parametrize(("sizes", "a", "b"), [((3, 1, 2), 0.5, 1.0), ((1, 1, 1, 1), 0.9, 5.0), ((40,), 0.1, 0.1)])
def test_the_slice_sampler_agrees_with_an_integral_over_a_grid(sizes, a, b):
    one, other = (np.arange(400) + 0.5) / 400, (np.arange(3000) + 0.5) / 100
    grid = np.zeros((400, 3000))
    for i, x in enumerate(one):
        n = sum(sizes)
        grid[i] = -other - sum(np.log(other + k) for k in range(1, n))
        grid[i] += sum(np.log(other + k * x) for k in range(1, len(sizes)))
        grid[i] += sum(log(m - x) for many in sizes for m in range(1, many))
    weights = np.exp(grid - grid.max())
    weights /= weights.sum()
    random, drawn = np.random.default_rng(1), []
    for _ in range(30_000):
        a, b = kernels.resample_restaurant(a, b, np.array(sizes), random)
        drawn.append((a, b))
    a_drawn, b_drawn = np.array(drawn).T
    for draws, values, density in ((a_drawn, one, weights.sum(axis=1)), (b_drawn, other, weights.sum(axis=0))):
        mean = float(values @ density)
        deviation = float(np.sqrt(((values - mean) ** 2) @ density))
        assert draws.mean() == pytest.approx(mean, abs=0.05 * deviation)
        assert draws.std() == pytest.approx(deviation, rel=0.05)


def test_hyperparameters_of_an_empty_restaurant_come_from_the_prior():
    random, none = np.random.default_rng(2), np.empty(0, np.int64)
    drawn = np.array([kernels.resample_restaurant(0.5, 1.0, none, random) for _ in range(20_000)])
    assert drawn.mean(axis=0) == pytest.approx([0.5, 1.0], abs=0.02)


# ------------------------------------------------------------------------------------------------------ bookkeeping


@pytest.mark.parametrize("choices", [
    {}, {"start": "whole"}, {"resample_every": 1}, {"resample_every": 0, "discount": 0.0, "substitution": 0.05},
])  # fmt: skip
def test_counts_are_those_of_the_derivations_after_any_number_of_sweeps(choices):
    model = None
    for sweeps in (0, 1, 2, 30, 200):
        again = TreeSubstitutionGrammar(sweeps=sweeps, runs=2, **QUIET, **choices)
        model = again.fit(TEXT, resume=model)
        for run in range(2):
            check_counts(model, run)
            text = model._texts[run]
            d = np.zeros((kernels.ROWS, 40), np.int64)
            for at, (first, last) in enumerate(itertools.pairwise(text.starts)):
                words, heads = text.words[first:last], text.heads[first:last]
                n = kernels.derivation_of(len(model.tags_) + 1, words, heads, d)
                assert np.array_equal(d[kernels.RULE, :n], text.rules[5 * first - 2 * at : 5 * first - 2 * at + n])
    assert model.accepted_.min() < 1


def test_equal_trees_in_one_sentence_are_counted_each():
    model = fitted([["V", "V", "V"]], sweeps=50, resample_every=0)
    check_counts(model)
    customers = model.elementary_trees()["customers"]
    assert customers.sum() == model.trees_[0, -1] == sum(map(len, trees_of(model)))


def test_taking_a_proposal_back_restores_every_seat():
    model = fitted(TEXT, sweeps=10)
    state, grammar, text = model._states[0], model._grammar(), model._texts[0]
    first, last = text.starts[5:7]
    n = 5 * (last - first) - 2
    d, random = np.zeros((kernels.ROWS, 40), np.int64), np.random.default_rng(0)
    d[kernels.RULE, :n] = text.rules[5 * first - 10 : 5 * first - 10 + n]
    d[kernels.SITE, :n] = text.sites[5 * first - 10 : 5 * first - 10 + n]
    kernels.read_derivation(grammar, d, n)
    kernels._name_fragments(state, grammar, d, n, False)
    before, sizes = state.restaurants.copy(), kernels._sizes(state, grammar)
    left = kernels._remove_derivation(state, grammar, d, n, False, random)
    assert (state.restaurants != before).any()
    assert kernels._add_derivation(state, grammar, d, n, True, random) == pytest.approx(left, rel=1e-12)
    assert np.array_equal(state.restaurants, before)
    for mine, theirs in zip(
        *(np.split(found, starts[1:-1]) for found, starts in (sizes, kernels._sizes(state, grammar))), strict=True
    ):
        assert sorted(mine) == sorted(theirs)
    check_counts(model)


# ----------------------------------------------------------------------------------------------------------- model


def test_the_chains_start_from_the_trees_of_the_harmonic_initialiser():
    model = fitted(TEXT)
    assert model._texts[0].heads.tolist() == np.concatenate(DMV(iterations=0).fit(TEXT).predict(TEXT)).tolist()
    assert model._texts[0].sites.all()
    assert fitted(TEXT, start="whole")._texts[0].sites.sum() == len(TEXT)


def test_a_seed_gives_the_same_chains_and_another_seed_others():
    one, again, other = (fitted(TEXT, sweeps=25, random_state=seed) for seed in (1, 1, 2))
    assert np.array_equal(one.log_probability_, again.log_probability_)
    assert np.array_equal(one._texts[0].sites, again._texts[0].sites)
    assert not np.array_equal(one.log_probability_, other.log_probability_)


def test_threads_and_the_number_of_runs_do_not_change_a_run():
    one = fitted(TEXT, sweeps=15, runs=3)
    threads = fitted(TEXT, sweeps=15, runs=3, n_jobs=3)
    assert np.array_equal(one.log_probability_, threads.log_probability_)
    assert np.array_equal(one.log_probability_[:2], fitted(TEXT, sweeps=15, runs=2).log_probability_)
    assert not np.array_equal(one.log_probability_[0], one.log_probability_[1])


def test_a_resumed_or_saved_chain_goes_on_as_if_never_interrupted():
    whole = fitted(TEXT, sweeps=24, runs=2)
    half = fitted(TEXT, sweeps=11, runs=2)
    saved = model_from(model_bytes(half))
    for start in (half, saved):
        again = TreeSubstitutionGrammar(sweeps=24, runs=2, **QUIET).fit(TEXT, resume=start)
        assert np.array_equal(again.log_probability_, whole.log_probability_)
        assert [heads.tolist() for heads in again.predict(TEXT)] == [heads.tolist() for heads in whole.predict(TEXT)]
    assert half.sweeps_done_ == 11
    with pytest.raises(ValueError, match="other sentences"):
        TreeSubstitutionGrammar(sweeps=24, runs=2, **QUIET).fit(TEXT[1:], resume=half)
    with pytest.raises(ValueError, match="runs of the chains to resume is 2, here 1"):
        TreeSubstitutionGrammar(sweeps=24, runs=1, **QUIET).fit(TEXT, resume=half)


def test_an_interrupted_fit_keeps_the_whole_sweeps(monkeypatch):
    model, calls, plain = TreeSubstitutionGrammar(sweeps=9, runs=2, **QUIET), [], kernels.log_probability

    def interrupted(*arguments):
        calls.append(1)
        if len(calls) == 7:
            raise KeyboardInterrupt
        return plain(*arguments)

    monkeypatch.setattr(kernels, "log_probability", interrupted)
    with pytest.raises(KeyboardInterrupt):
        model.fit(TEXT)
    monkeypatch.undo()
    assert model.sweeps_done_ == model.log_probability_.shape[1] == len(model.seconds_) == 3


def test_a_stored_fit_depends_on_the_tags(tokens):
    model = TreeSubstitutionGrammar(sweeps=4, runs=1, **QUIET)
    stored = fit_keeping_state(model, tokens, progress=False)
    other = fit_keeping_state(TreeSubstitutionGrammar(sweeps=4, runs=1, tags="coarse", **QUIET), tokens, progress=False)
    assert stored.sweeps_done_ == other.sweeps_done_ == 4
    assert not stored.tags_.equals(other.tags_)


def test_the_tree_of_several_runs_has_the_most_of_their_heads():
    model = fitted(TEXT, sweeps=3, runs=4, random_state=5)
    for tags in (["N", "V", "D", "N"], ["D", "N", "N"], ["N"]):
        votes = Counter()
        for run in range(4):
            single = fitted(TEXT, sweeps=0)
            single._states = [model._states[run]]
            for word, head in enumerate(single.predict([tags])[0]):
                votes[word, head] += 1
        totals = {heads: sum(votes[pair] for pair in enumerate(heads)) for heads in projective_trees(len(tags))}
        parses = model.parse([tags])
        assert totals[tuple(parses.heads)] == max(totals.values())
        assert parses.sentences["agreement"].iloc[0] == pytest.approx(max(totals.values()) / (4 * len(tags)))


def test_an_unseen_tag_and_a_long_sentence_have_trees():
    model = fitted(TEXT, sweeps=5)
    for tags in (["X", "V", "X"], ["X"], ["N", "V", "D"] * 50):
        heads = model.predict([tags])[0]
        assert (heads == 0).sum() == 1
        assert np.isfinite(model.parse([tags]).sentences["log_probability"]).all()
    assert model.predict([]) == []


@pytest.fixture
def tokens():
    words = [("the", "D", "x"), ("dog", "N", "y"), ("runs", "V", "y"), (".", ".", "z")]
    rows = [(sentence, *word) for sentence in range(3) for word in words[sentence % 2 :]]
    return pd.DataFrame(rows, columns=["sentence", "form", "fine", "coarse"]).assign(
        universal=lambda table: table["fine"]
    )


def test_punctuation_is_left_out_or_kept(tokens):
    left = TreeSubstitutionGrammar(sweeps=2, runs=1, **QUIET).fit(tokens)
    assert left._texts[0].starts[-1] == 8
    heads = left.predict(tokens)
    assert heads.index.equals(tokens.index)
    assert heads[tokens["form"] == "."].tolist() == [3, 2, 3]
    kept = TreeSubstitutionGrammar(sweeps=2, runs=1, keep_punctuation=True, **QUIET).fit(tokens)
    assert kept._texts[0].starts[-1] == 11


def test_longer_sentences_are_not_trained_on():
    assert fitted(TEXT, max_length=2).n_sentences_ == 3
    with pytest.raises(ValueError, match="no sentence of 1 to 2 words"):
        fitted([["N", "V", "N"]], max_length=2)


@pytest.mark.parametrize(("choice", "message"), [
    ({"start": "none"}, "start"), ({"discount": 1.0}, "discount"), ({"concentration": 0.0}, "concentration"),
    ({"substitution": 1.0}, "substitution"), ({"runs": 0}, "runs"), ({"sweeps": -1}, "sweeps"),
    ({"max_length": 61}, "max_length"), ({"discount": 0.0}, "resample_every=0"),
])  # fmt: skip
def test_wrong_parameters_are_refused(choice, message):
    with pytest.raises(ValueError, match=message):
        fitted(TEXT, **choice)
