# ruff: noqa: ANN001, ANN201, ANN202
# mypy: disable-error-code="no-untyped-def"
"""Kernels of the tree substitution grammar: seating of trees and rules, proposals, sweeps, hyper-parameters, decoding.

Grammar
-------
Every word H is split into a left and a right half, H_l H_r; tags are 0 .. T-1. Categories and their rules:

- S: L_H R_H, H being the root.
- L_H: H_l (no left child), or L1_H; Ls_H: H_l (no further left child), or L1_H. L1_H: L_C M_CH (C is attached on the
  left). M_CH: R_C Ls_H. Children are made from far to near.
- The mirror image: R_H, Rs_H, R1_H: M'_HC R_C, M'_HC: Rs_H L_C.

What covers words i to j is one of nine kinds of category; its tags are those of i and j. Left kinds end at their head
j, right kinds begin at it, M and M' lie between two words. A parse of n words has 5 n - 2 nodes. They are listed in
preorder, each by its rule and by whether it is a site, at which an elementary tree begins.

An elementary tree, and each part of one, is a fragment: a rule with a fragment or a site for each child. Equal
fragments are one, so that the fragments are the grammar of the cached trees, and what covers a span is computed once
for all trees with that part. A fragment lives while a tree that has customers contains it.

Restaurants
-----------
One of elementary trees for each category, then one of rules for each category. Dishes are fragments, then rules.
Each dish has a list of its tables. When a tree gets a new table, its rules become customers one after another; which
of equal customers sits where is drawn when one leaves. ``free`` is a stack of tables: what is taken back in the reverse
order gets the same tables.
"""

import math
from typing import NamedTuple

import numpy as np

from analysis.structures.compiled import njit

L, LS, L1, R, RS, R1, M, M2, S = range(9)
#: Rows of a derivation, one column a node.
RULE, SITE, LEFT, RIGHT, OWNER, NEXT, BACK, SIZE, FRAGMENT, TREE_TABLE, TREE_NEW, TABLE, NEW = range(13)
ROWS = 13
#: Rows of rules and, with RULE, LEFT and RIGHT, columns of fragments.
PARENT, TAGS = 0, 1
USES, CHAIN, FOLLOWING, BEFORE = range(4, 8)
#: Columns of dishes, restaurants and tables, and of hyper-parameters.
CUSTOMERS, TABLES, FIRST = range(3)
AFTER = 1
DISCOUNT, CONCENTRATION = range(2)
IS_SITE, ABSENT = -1, -2  # what a child is, other than a fragment
BASE = -2  # what a node of a chart is made by, other than a cached tree: the rules; -1: a site, to be decided
_DOUBLINGS = 20


class Grammar(NamedTuple):
    """Rules and categories."""

    rules: np.ndarray  # PARENT, TAGS (as bits), LEFT, RIGHT of each; -1 where there is no such child
    choices: np.ndarray  # ways to rewrite each category; 1: nothing is drawn
    n_tags: int


class State(NamedTuple):
    """Restaurants, fragments and hyper-parameters; a list of tables or fragments ends with -1."""

    dishes: np.ndarray  # CUSTOMERS, TABLES, and FIRST, the first table, of each fragment and then of each rule
    restaurants: np.ndarray  # CUSTOMERS, TABLES of each
    seats: np.ndarray  # CUSTOMERS of each table, and the table AFTER it
    fragments: np.ndarray
    # RULE, LEFT and RIGHT child, TAGS (as bits), USES (as a child of others, and one if it has customers), CHAIN (next
    # one with the same hash value), FOLLOWING and BEFORE (of those with the same rule)
    bucket: np.ndarray  # first fragment with each hash value
    first: np.ndarray  # first fragment of each rule
    unused: np.ndarray  # first unused table, first unused fragment, number of used fragments
    hyper: np.ndarray  # DISCOUNT, CONCENTRATION of each restaurant
    substitution: np.ndarray  # probability that a node of each category is a site


class Text(NamedTuple):
    """Sentences and their derivations; the nodes of sentence s begin at 5 starts[s] - 2 s."""

    words: np.ndarray
    starts: np.ndarray
    heads: np.ndarray
    rules: np.ndarray
    sites: np.ndarray


class Chart(NamedTuple):
    """What covers each span: of a sentence with D different tags, by kind, first and last word."""

    tags: np.ndarray
    local: np.ndarray  # of each word, its tag among those of the sentence
    begin: np.ndarray  # of each group of fragments, see `_group`
    fragments: np.ndarray
    left: np.ndarray  # place of the child among `fragments`; IS_SITE
    right: np.ndarray
    weight: np.ndarray
    offset: np.ndarray  # cells[offset + place] is what a fragment yields
    cells: np.ndarray
    value: np.ndarray  # of a site
    base: np.ndarray  # of the same, made by rules
    mixed: np.ndarray  # of a child that may be a site or not


# --------------------------------------------------------------------------------------------------- the grammar


def make_grammar(n_tags: int, expected: int | None = None) -> Grammar:
    """List the rules in the order in which `_rule` numbers them; so many of the tags are expected, or all."""
    T = n_tags
    tags = np.arange(T)
    one, two = (each.reshape(-1) for each in np.meshgrid(tags, tags, indexing="ij"))

    def category(kind: int, a: np.ndarray, b: np.ndarray | int = 0) -> np.ndarray:
        return 1 + kind * T + a if kind < M else 1 + 6 * T + (kind - M) * T * T + a * T + b

    nothing = np.full(T, -1)
    ends = []
    for kind, inner in ((L, L1), (LS, L1), (R, R1), (RS, R1)):
        stop = np.column_stack([category(kind, tags), nothing, nothing])
        go = np.column_stack([category(kind, tags), category(inner, tags), nothing])
        ends.append(np.stack([stop, go], axis=1).reshape(-1, 3))
    table = np.concatenate([
        np.column_stack([np.zeros(T, np.int64), category(L, tags), category(R, tags)]), *ends,
        np.column_stack([category(L1, one), category(L, two), category(M, two, one)]),
        np.column_stack([category(R1, one), category(M2, one, two), category(R, two)]),
        np.column_stack([category(M, one, two), category(R, one), category(LS, two)]),
        np.column_stack([category(M2, one, two), category(RS, one), category(L, two)]),
    ]).astype(np.int64)  # fmt: skip
    bit = np.left_shift(np.int64(1), tags % 62)
    pairs = bit[one] | bit[two]
    bits = np.concatenate([bit, *(np.repeat(bit, 2) for _ in range(4)), *(pairs for _ in range(4))])
    choices = np.ones(1 + 6 * T + 2 * T * T, np.int64)
    choices[: 1 + 6 * T] = 2
    choices[0] = choices[category(L1, tags)] = choices[category(R1, tags)] = expected or T
    return Grammar(np.stack([table[:, 0], bits, table[:, 1], table[:, 2]]), choices, T)


def empty(grammar: Grammar, nodes: int, longest: int) -> State:
    """Restaurants without customers, with room for so many nodes of derivations, and twice the longest of them."""
    room, n_rules, n_categories = nodes + 2 * longest, grammar.rules.shape[1], len(grammar.choices)
    dishes, seats, fragments = np.zeros((room + n_rules, 3)), np.zeros((2 * room, 2)), np.zeros((room, 8))
    dishes[:, FIRST] = -1
    seats[:, AFTER] = np.arange(1, 2 * room + 1)
    fragments[:, CHAIN] = np.arange(1, room + 1)
    restaurants = np.zeros((2 * n_categories, 2), np.int64)
    parts = (dishes.astype(np.int64), restaurants, seats.astype(np.int64), fragments.astype(np.int64))
    buckets = 1 << max(4, room.bit_length())
    hyper = np.tile([0.5, 1.0], (2 * n_categories, 1))
    return State(*parts, np.full(buckets, -1), np.full(n_rules, -1), np.zeros(3, np.int64), hyper,
                 np.full(n_categories, 0.5))  # fmt: skip


@njit(nogil=True, forceinline=True)
def _category(T, kind, a, b):
    """Number of a category: with the head's tag, or, between two words, with those of the left and the right one."""
    if kind == S:
        return 0
    if kind < M:
        return 1 + kind * T + a
    return 1 + 6 * T + (kind - M) * T * T + a * T + b


@njit(nogil=True, forceinline=True)
def _end(T, kind, tag):
    """Number of the rule that ends a side; that which goes on is the next."""
    return T + 2 * ((kind if kind < R else kind - 1) * T + tag)


@njit(nogil=True, forceinline=True)
def _rule(T, kind, a, b):
    """Number of a rule with two children: the root; head and child; the words on the left and on the right."""
    if kind == S:
        return a
    if kind == L1:
        return 9 * T + a * T + b
    if kind == R1:
        return 9 * T + T * T + a * T + b
    return 9 * T + (2 + kind - M) * T * T + a * T + b


@njit(nogil=True, forceinline=True)
def _group(D, kind, a, b):
    """Number of a group of fragments: those of a rule with two children, or of a category of another kind."""
    if kind == S:
        return 4 * D + 4 * D * D + a
    if kind == L1:
        return 4 * D + a * D + b
    if kind == R1:
        return 4 * D + D * D + a * D + b
    if kind >= M:
        return 4 * D + (2 + kind - M) * D * D + a * D + b
    return (kind if kind < R else kind - 1) * D + a


# ----------------------------------------------------------------------------------------------------- restaurants


@njit(nogil=True)
def _sit(s, dish, restaurant, table):
    """Seat a customer at a table of the dish, or at a new one if it is -1; return the table."""
    if table < 0:
        table = s.unused[0]
        s.unused[0] = s.seats[table, AFTER]
        s.seats[table, CUSTOMERS] = 0
        s.seats[table, AFTER] = s.dishes[dish, FIRST]
        s.dishes[dish, FIRST] = table
        s.dishes[dish, TABLES] += 1
        s.restaurants[restaurant, TABLES] += 1
    s.seats[table, CUSTOMERS] += 1
    s.dishes[dish, CUSTOMERS] += 1
    s.restaurants[restaurant, CUSTOMERS] += 1
    return table


@njit(nogil=True)
def _leave(s, dish, restaurant, table):
    """Take a customer from a table, which is removed if it is empty."""
    s.seats[table, CUSTOMERS] -= 1
    s.dishes[dish, CUSTOMERS] -= 1
    s.restaurants[restaurant, CUSTOMERS] -= 1
    if s.seats[table, CUSTOMERS] > 0:
        return
    if s.dishes[dish, FIRST] == table:
        s.dishes[dish, FIRST] = s.seats[table, AFTER]
    else:
        place = s.dishes[dish, FIRST]
        while s.seats[place, AFTER] != table:
            place = s.seats[place, AFTER]
        s.seats[place, AFTER] = s.seats[table, AFTER]
    s.seats[table, AFTER] = s.unused[0]
    s.unused[0] = table
    s.dishes[dish, TABLES] -= 1
    s.restaurants[restaurant, TABLES] -= 1


@njit(nogil=True)
def _draw_table(s, dish, discount, generator):
    """Draw a table of a dish with probability proportional to its size minus the discount; 0: of a random customer."""
    mark = generator.random() * (s.dishes[dish, CUSTOMERS] - discount * s.dishes[dish, TABLES])
    table = s.dishes[dish, FIRST]
    while True:
        mark -= s.seats[table, CUSTOMERS] - discount
        if mark < 0.0 or s.seats[table, AFTER] < 0:
            return table
        table = s.seats[table, AFTER]


@njit(nogil=True)
def rule_probability(s, g, rule):
    """Probability of a rule given its parent and the customers."""
    c = g.rules[PARENT, rule]
    if g.choices[c] == 1:
        return 1.0
    dish, here = len(s.fragments) + rule, len(g.choices) + c
    a, b = s.hyper[here, DISCOUNT], s.hyper[here, CONCENTRATION]
    share = (s.restaurants[here, TABLES] * a + b) / g.choices[c]
    return (s.dishes[dish, CUSTOMERS] - a * s.dishes[dish, TABLES] + share) / (s.restaurants[here, CUSTOMERS] + b)


@njit(nogil=True)
def _opened_share(s, c):
    """Probability that a new table is opened, given the restaurant of trees of a category."""
    a, b = s.hyper[c, DISCOUNT], s.hyper[c, CONCENTRATION]
    return (b + a * s.restaurants[c, TABLES]) / (s.restaurants[c, CUSTOMERS] + b)


# ------------------------------------------------------------------------------------------------------- fragments


@njit(nogil=True, forceinline=True)
def _hash(s, rule, left, right):
    return (rule * 7919 + left * 104_729 + right * 1_299_709) & (len(s.bucket) - 1)


@njit(nogil=True)
def _find(s, rule, left, right):
    """The fragment with this rule and these children, or ABSENT."""
    if left == ABSENT or right == ABSENT:
        return ABSENT
    f = s.bucket[_hash(s, rule, left, right)]
    while f >= 0:
        if s.fragments[f, RULE] == rule and s.fragments[f, LEFT] == left and s.fragments[f, RIGHT] == right:
            return f
        f = s.fragments[f, CHAIN]
    return ABSENT


@njit(nogil=True)
def _make(s, g, rule, left, right):
    """The fragment with this rule and these children, a new one if there is none."""
    f = _find(s, rule, left, right)
    if f >= 0:
        return f
    f = s.unused[1]
    s.unused[1] = s.fragments[f, CHAIN]
    s.unused[2] += 1
    s.fragments[f, RULE], s.fragments[f, LEFT], s.fragments[f, RIGHT], s.fragments[f, USES] = rule, left, right, 0
    s.fragments[f, TAGS] = g.rules[TAGS, rule]
    if left >= 0:
        s.fragments[left, USES] += 1
        s.fragments[f, TAGS] |= s.fragments[left, TAGS]
    if right >= 0:
        s.fragments[right, USES] += 1
        s.fragments[f, TAGS] |= s.fragments[right, TAGS]
    place = _hash(s, rule, left, right)
    s.fragments[f, CHAIN] = s.bucket[place]
    s.bucket[place] = f
    s.fragments[f, BEFORE] = -1
    s.fragments[f, FOLLOWING] = s.first[rule]
    if s.first[rule] >= 0:
        s.fragments[s.first[rule], BEFORE] = f
    s.first[rule] = f
    return f


@njit(nogil=True)
def _unlink(s, f):
    """Take a fragment out of the lists."""
    place = _hash(s, s.fragments[f, RULE], s.fragments[f, LEFT], s.fragments[f, RIGHT])
    if s.bucket[place] == f:
        s.bucket[place] = s.fragments[f, CHAIN]
    else:
        other = s.bucket[place]
        while s.fragments[other, CHAIN] != f:
            other = s.fragments[other, CHAIN]
        s.fragments[other, CHAIN] = s.fragments[f, CHAIN]
    if s.fragments[f, BEFORE] >= 0:
        s.fragments[s.fragments[f, BEFORE], FOLLOWING] = s.fragments[f, FOLLOWING]
    else:
        s.first[s.fragments[f, RULE]] = s.fragments[f, FOLLOWING]
    if s.fragments[f, FOLLOWING] >= 0:
        s.fragments[s.fragments[f, FOLLOWING], BEFORE] = s.fragments[f, BEFORE]
    s.unused[2] -= 1


@njit(nogil=True)
def _release(s, f):
    """A fragment has one use less: remove it if it was the last, and parts that nothing else has."""
    s.fragments[f, USES] -= 1
    if s.fragments[f, USES] > 0:
        return
    _unlink(s, f)
    s.fragments[f, FOLLOWING] = -1
    top = f
    while top >= 0:
        f = top
        top = s.fragments[f, FOLLOWING]
        for child in (s.fragments[f, LEFT], s.fragments[f, RIGHT]):
            if child >= 0:
                s.fragments[child, USES] -= 1
                if s.fragments[child, USES] == 0:
                    _unlink(s, child)
                    s.fragments[child, FOLLOWING] = top
                    top = child
        s.fragments[f, CHAIN] = s.unused[1]
        s.unused[1] = f


# ----------------------------------------------------------------------------------------------------- derivations


@njit(nogil=True)
def read_derivation(g, d, n):
    """Of n nodes given by rules and sites, find children and elementary trees.

    The nodes of a tree are linked in preorder by NEXT, and backwards by BACK, from the last one of its root on.
    """
    for v in range(n - 1, -1, -1):
        rule = d[RULE, v]
        d[LEFT, v] = d[RIGHT, v] = -1
        d[SIZE, v] = 1
        if g.rules[LEFT, rule] >= 0:
            d[LEFT, v] = v + 1
            d[SIZE, v] += d[SIZE, v + 1]
        if g.rules[RIGHT, rule] >= 0:
            d[RIGHT, v] = v + d[SIZE, v]
            d[SIZE, v] += d[SIZE, d[RIGHT, v]]
    for v in range(n):
        if d[SITE, v]:
            d[OWNER, v] = d[BACK, v] = v
        d[NEXT, v] = -1
        own = d[OWNER, v]
        for child in (d[LEFT, v], d[RIGHT, v]):
            if child >= 0:
                d[OWNER, child] = own
        if own != v:
            d[BACK, v] = d[BACK, own]
            d[NEXT, d[BACK, own]] = v
            d[BACK, own] = v


@njit(nogil=True)
def _name_fragments(s, g, d, n, make):
    """Find the fragment below each node; if `make`, create those that are new, else they are ABSENT."""
    for v in range(n - 1, -1, -1):
        left = right = IS_SITE
        if d[LEFT, v] >= 0 and not d[SITE, d[LEFT, v]]:
            left = d[FRAGMENT, d[LEFT, v]]
        if d[RIGHT, v] >= 0 and not d[SITE, d[RIGHT, v]]:
            right = d[FRAGMENT, d[RIGHT, v]]
        rule = d[RULE, v]
        d[FRAGMENT, v] = _make(s, g, rule, left, right) if make else _find(s, rule, left, right)


@njit(nogil=True)
def _by_rules(s, g, d, v):
    """Probability of the elementary tree at node v from its rules as counted now: rules, and sites."""
    rules, sites = 1.0, 1.0
    while v >= 0:
        rules *= rule_probability(s, g, d[RULE, v])
        for child in (d[LEFT, v], d[RIGHT, v]):
            if child >= 0:
                share = s.substitution[g.rules[PARENT, d[RULE, child]]]
                sites *= share if d[SITE, child] else 1.0 - share
        v = d[NEXT, v]
    return rules, sites


@njit(nogil=True)
def _frozen(s, g, d, n):
    """Log probability of a derivation under the counts as they are: that of proposing it."""
    total = 0.0
    _name_fragments(s, g, d, n, False)
    for v in range(n):
        if d[SITE, v]:
            c, f = g.rules[PARENT, d[RULE, v]], d[FRAGMENT, v]
            rules, sites = _by_rules(s, g, d, v)
            p = _opened_share(s, c) * rules * sites
            if f >= 0:
                p += (s.dishes[f, CUSTOMERS] - s.hyper[c, DISCOUNT] * s.dishes[f, TABLES]) / (
                    s.restaurants[c, CUSTOMERS] + s.hyper[c, CONCENTRATION]
                )
            total += math.log(p)
    return total


@njit(nogil=True)
def _add_tree(s, g, d, v, recorded, generator):
    """Seat the elementary tree at node v, as recorded or as drawn; return its log weight.

    The weight is the probability of the tree and its seats, divided by that with which the seats are drawn.
    """
    f, c = d[FRAGMENT, v], g.rules[PARENT, d[RULE, v]]
    a, b = s.hyper[c, DISCOUNT], s.hyper[c, CONCENTRATION]
    rules, sites = _by_rules(s, g, d, v)
    new = (b + a * s.restaurants[c, TABLES]) * rules * sites
    old = s.dishes[f, CUSTOMERS] - a * s.dishes[f, TABLES]
    weight = (new + old) / (s.restaurants[c, CUSTOMERS] + b)
    if not recorded:
        d[TREE_NEW, v] = s.dishes[f, CUSTOMERS] == 0 or generator.random() * (new + old) < new
        if not d[TREE_NEW, v]:
            d[TREE_TABLE, v] = _draw_table(s, f, a, generator)
    s.fragments[f, USES] += s.dishes[f, CUSTOMERS] == 0
    d[TREE_TABLE, v] = _sit(s, f, c, -1 if d[TREE_NEW, v] else d[TREE_TABLE, v])
    if d[TREE_NEW, v]:
        weight /= rules
        u = v
        while u >= 0:
            weight *= _add_rule(s, g, d, u, recorded, generator)
            u = d[NEXT, u]
    return math.log(weight)


@njit(nogil=True)
def _add_rule(s, g, d, u, recorded, generator):
    """Seat the rule of node u, as recorded or as drawn; return its probability."""
    rule = d[RULE, u]
    c, dish = g.rules[PARENT, rule], len(s.fragments) + rule
    if g.choices[c] == 1:
        return 1.0
    p, here = rule_probability(s, g, rule), len(g.choices) + c
    if not recorded:
        a, b = s.hyper[here, DISCOUNT], s.hyper[here, CONCENTRATION]
        share = (s.restaurants[here, TABLES] * a + b) / g.choices[c] / (s.restaurants[here, CUSTOMERS] + b)
        d[NEW, u] = s.dishes[dish, CUSTOMERS] == 0 or generator.random() * p < share
        if not d[NEW, u]:
            d[TABLE, u] = _draw_table(s, dish, a, generator)
    d[TABLE, u] = _sit(s, dish, here, -1 if d[NEW, u] else d[TABLE, u])
    return p


@njit(nogil=True)
def _remove_tree(s, g, d, v, recorded, generator):
    """Take the elementary tree at node v away and record its seats; return the log weight of adding it again."""
    f, c = d[FRAGMENT, v], g.rules[PARENT, d[RULE, v]]
    if not recorded:
        d[TREE_TABLE, v] = _draw_table(s, f, 0.0, generator)
    d[TREE_NEW, v] = s.seats[d[TREE_TABLE, v], CUSTOMERS] == 1
    one_by_one = 1.0
    if d[TREE_NEW, v]:
        u = d[BACK, v]
        while True:
            one_by_one *= _remove_rule(s, g, d, u, recorded, generator)
            if u == v:
                break
            u = d[BACK, u]
    _leave(s, f, c, d[TREE_TABLE, v])
    a, b = s.hyper[c, DISCOUNT], s.hyper[c, CONCENTRATION]
    rules, sites = _by_rules(s, g, d, v)
    new = (b + a * s.restaurants[c, TABLES]) * rules * sites
    weight = (new + s.dishes[f, CUSTOMERS] - a * s.dishes[f, TABLES]) / (s.restaurants[c, CUSTOMERS] + b)
    if d[TREE_NEW, v]:
        weight *= one_by_one / rules
    if s.dishes[f, CUSTOMERS] == 0:
        _release(s, f)
    return math.log(weight)


@njit(nogil=True)
def _remove_rule(s, g, d, u, recorded, generator):
    """Take the rule of node u away and record its seat; return the probability of adding it again."""
    rule = d[RULE, u]
    c, dish = g.rules[PARENT, rule], len(s.fragments) + rule
    if g.choices[c] == 1:
        return 1.0
    if not recorded:
        d[TABLE, u] = _draw_table(s, dish, 0.0, generator)
    d[NEW, u] = s.seats[d[TABLE, u], CUSTOMERS] == 1
    _leave(s, dish, len(g.choices) + c, d[TABLE, u])
    return rule_probability(s, g, rule)


@njit(nogil=True)
def _add_derivation(s, g, d, n, recorded, generator):
    """Seat all trees of a derivation in preorder; return the log weight."""
    total = 0.0
    _name_fragments(s, g, d, n, True)
    for v in range(n):
        if d[SITE, v]:
            total += _add_tree(s, g, d, v, recorded, generator)
    return total


@njit(nogil=True)
def _remove_derivation(s, g, d, n, recorded, generator):
    """Take all trees of a derivation away, the last first; return the log weight of adding them again."""
    total = 0.0
    for v in range(n - 1, -1, -1):
        if d[SITE, v]:
            total += _remove_tree(s, g, d, v, recorded, generator)
    return total


@njit(nogil=True)
def derivation_of(T, tags, heads, d):
    """Write the rules of the parse of a projective tree in preorder; return the number of nodes."""
    n = tags.size
    first, last = np.arange(n), np.arange(n)  # words below each word
    for _ in range(n):
        for word in range(n):
            h = heads[word] - 1
            if h >= 0:
                first[h], last[h] = min(first[h], first[word]), max(last[h], last[word])
    stack, nodes = np.empty((5 * n, 3), dtype=np.int64), 0
    stack[0, 0], stack[0, 1], stack[0, 2] = S, 0, n - 1
    top = 1
    while top:
        top -= 1
        kind, i, j = stack[top, 0], stack[top, 1], stack[top, 2]
        if kind in (L, LS, R, RS):
            d[RULE, nodes] = _end(T, kind, tags[j if kind < R else i]) + (i < j)
            if i < j:
                stack[top, 0], stack[top, 1], stack[top, 2] = L1 if kind < R else R1, i, j
                top += 1
        else:
            k = 0
            if kind == S:
                while heads[k] > 0:
                    k += 1
            elif kind == L1:
                while heads[k] != j + 1 or first[k] != i:
                    k += 1
            elif kind == R1:
                while heads[k] != i + 1 or last[k] != j:
                    k += 1
            else:
                k = last[i] if kind == M else first[j] - 1
            a, b = _split_tags(kind, i, j, k, tags)
            d[RULE, nodes] = _rule(T, kind, a, b)
            one, i1, j1, two, i2, j2 = _halves(kind, i, j, k)
            stack[top, 0], stack[top, 1], stack[top, 2] = two, i2, j2
            stack[top + 1, 0], stack[top + 1, 1], stack[top + 1, 2] = one, i1, j1
            top += 2
        nodes += 1
    return nodes


# ----------------------------------------------------------------------------------------------------------- chart


@njit(nogil=True, forceinline=True)
def _halves(kind, i, j, k):
    """Kind, first and last word of the two children of a span that is split at word k."""
    if kind == L1:
        return L, i, k, M, k, j
    if kind == R1:
        return M2, i, k, R, k, j
    if kind == M:
        return R, i, k, LS, k + 1, j
    if kind == M2:
        return RS, i, k, L, k + 1, j
    return L, i, k, R, k, j


@njit(nogil=True, forceinline=True)
def _split_tags(kind, i, j, k, tags):
    """The two tags of a rule, see `_rule`."""
    if kind == L1:
        return tags[j], tags[k]
    if kind == R1:
        return tags[i], tags[k]
    if kind == S:
        return tags[k], 0
    return tags[i], tags[j]


@njit(nogil=True, forceinline=True)
def _splits(kind, i, j):
    """The first word at which a span can be split, and the word after the last one."""
    if kind == R1:
        return i + 1, j + 1
    return i, j + (kind == S)


@njit(nogil=True, forceinline=True)
def _own_tags(kind, i, j, tags):
    """The tags of a category, see `_category`."""
    if kind >= M:
        return tags[i], tags[j]
    return (tags[j], 0) if kind < R else (tags[i], 0)


@njit(nogil=True, forceinline=True)
def _range(c, kind, i, j):
    """The first place of the fragments of the category of a span, and that after the last."""
    D = c.tags.size
    if kind == S:
        return c.begin[_group(D, S, 0, 0)], c.begin[_group(D, S, D - 1, 0) + 1]
    a, b = _own_tags(kind, i, j, c.local)
    if kind in (L1, R1):
        return c.begin[_group(D, kind, a, 0)], c.begin[_group(D, kind, a, D - 1) + 1]
    return c.begin[_group(D, kind, a, b)], c.begin[_group(D, kind, a, b) + 1]


@njit(nogil=True)
def _list_rule(s, rule, seen, found, fragments, place):
    """Append the fragments of a rule all of whose tags the sentence has."""
    f = s.first[rule]
    while f >= 0:
        if s.fragments[f, TAGS] & ~seen == 0:
            place[f] = found
            fragments[found] = f
            found += 1
        f = s.fragments[f, FOLLOWING]
    return found


@njit(nogil=True)
def _place(child, fragments, found, place):
    """Where a child is listed; IS_SITE; ABSENT if it is not listed."""
    if child < 0:
        return IS_SITE
    q = place[child]
    return q if 0 <= q < found and fragments[q] == child else ABSENT


@njit(nogil=True)
def _leave_out_incomplete(left, right, weight):
    """Give no weight to fragments with a part that is not listed.

    Beyond 62 tags different tags share a bit, so that a fragment can be listed without one of its parts.
    """
    incomplete = (left == ABSENT) | (right == ABSENT)
    changed = True
    while changed:
        changed = False
        for q in range(left.size):
            if not incomplete[q]:
                above = (left[q] >= 0 and incomplete[left[q]]) or (right[q] >= 0 and incomplete[right[q]])
                incomplete[q] = above
                changed = changed or above
    for q in range(left.size):
        if incomplete[q]:
            left[q] = right[q] = IS_SITE
            weight[q] = 0.0


@njit(nogil=True)
def make_chart(s, g, words, full, place):
    """List the fragments that can occur in a sentence, and make room for what they yield.

    `full` are the weights of all fragments; if it is empty, the frozen ones of the proposal are taken. `place` is
    room for one number a fragment.
    """
    n, T = words.size, g.n_tags
    local, tags, D = np.empty(n, np.int64), np.empty(n, np.int64), 0
    seen = np.int64(0)
    for i in range(n):
        known = -1
        for k in range(D):
            if tags[k] == words[i]:
                known = k
        if known < 0:
            known, tags[D] = D, words[i]
            D += 1
            seen |= g.rules[TAGS, words[i]]
        local[i] = known
    tags = tags[:D]
    fragments = np.empty(s.unused[2], np.int64)
    begin = np.zeros(5 * D + 4 * D * D + 1, np.int64)
    found = group = 0
    for kind in (L, LS, R, RS):
        for a in range(D):
            for rule in range(_end(T, kind, tags[a]), _end(T, kind, tags[a]) + 2):
                found = _list_rule(s, rule, seen, found, fragments, place)
            group += 1
            begin[group] = found
    for kind in (L1, R1, M, M2):
        for a in range(D):
            for b in range(D):
                found = _list_rule(s, _rule(T, kind, tags[a], tags[b]), seen, found, fragments, place)
                group += 1
                begin[group] = found
    for a in range(D):
        found = _list_rule(s, tags[a], seen, found, fragments, place)
        group += 1
        begin[group] = found
    left, right, weight = np.empty(found, np.int64), np.empty(found, np.int64), np.zeros(found)
    whole = True
    for q in range(found):
        f = fragments[q]
        left[q] = _place(s.fragments[f, LEFT], fragments, found, place)
        right[q] = _place(s.fragments[f, RIGHT], fragments, found, place)
        whole = whole and left[q] != ABSENT and right[q] != ABSENT
        if full.size:
            weight[q] = full[f]
        elif s.dishes[f, CUSTOMERS] > 0:
            c = g.rules[PARENT, s.fragments[f, RULE]]
            old = s.dishes[f, CUSTOMERS] - s.hyper[c, DISCOUNT] * s.dishes[f, TABLES]
            weight[q] = old / (s.restaurants[c, CUSTOMERS] + s.hyper[c, CONCENTRATION])
    if not whole:
        _leave_out_incomplete(left, right, weight)
    offset, values = np.zeros((9, n, n), np.int64), np.zeros((3, 9, n, n))
    chart = Chart(tags, local, begin, fragments, left, right, weight, offset, weight, values[0], values[1],
                  values[2])  # fmt: skip
    total = 0
    for kind in range(9):
        for i in range(n):
            for j in range(i, n):
                if (kind == S and j - i < n - 1) or (i == j and kind in (L1, R1, M, M2)):
                    continue
                start, end = _range(chart, kind, i, j)
                offset[kind, i, j] = total - start
                total += end - start
    return Chart(tags, local, begin, fragments, left, right, weight, offset, np.zeros(total), values[0], values[1],
                 values[2])  # fmt: skip


@njit(nogil=True, forceinline=True)
def _plus(best, total, x):
    return max(total, x) if best else total + x


@njit(nogil=True, forceinline=True)
def _child(c, kind, i, j, place):
    """What the child of a fragment yields: a site, or the fragment at that place."""
    return c.value[kind, i, j] if place < 0 else c.cells[c.offset[kind, i, j] + place]


@njit(nogil=True)
def _fill_ends(s, g, c, kind, i, j, scale):
    """Fill a span of L, Ls, R or Rs, which end or go on, but for the last steps."""
    inner = L1 if kind < R else R1
    tag = c.tags[c.local[j if kind < R else i]]
    rule = _end(g.n_tags, kind, tag)
    end = scale if kind < R else 1.0
    if i == j:
        c.base[kind, i, j] = end * rule_probability(s, g, rule)
    else:
        c.base[kind, i, j] = rule_probability(s, g, rule + 1) * c.mixed[inner, i, j]
    first, last = _range(c, kind, i, j)
    for q in range(first, last):
        if s.fragments[c.fragments[q], RULE] == rule:
            value = end if i == j else 0.0
        else:
            value = 0.0 if i == j else _child(c, inner, i, j, c.left[q])
        c.cells[c.offset[kind, i, j] + q] = value


@njit(nogil=True)
def _fill_pairs(s, g, c, kind, i, j, best):
    """Fill a span of a kind with two children, but for the last steps."""
    T, D = g.n_tags, c.tags.size
    here = c.offset[kind, i, j]
    first, last = _splits(kind, i, j)
    total = 0.0
    for k in range(first, last):
        one, i1, j1, two, i2, j2 = _halves(kind, i, j, k)
        a, b = _split_tags(kind, i, j, k, c.local)
        both = c.mixed[one, i1, j1] * c.mixed[two, i2, j2]
        if kind != M and kind != M2:
            both *= rule_probability(s, g, _rule(T, kind, c.tags[a], c.tags[b]))
        total = _plus(best, total, both)
        group = _group(D, kind, a, b)
        for q in range(c.begin[group], c.begin[group + 1]):
            value = _child(c, one, i1, j1, c.left[q])
            if value > 0.0:
                value *= _child(c, two, i2, j2, c.right[q])
                c.cells[here + q] = _plus(best, c.cells[here + q], value)
    c.base[kind, i, j] = total


@njit(nogil=True)
def _finish(s, g, c, kind, i, j, best):
    """The value of a span as a site, and as a child that may be one."""
    a, b = _own_tags(kind, i, j, c.local)
    category = _category(g.n_tags, kind, c.tags[a], c.tags[b])
    total = _opened_share(s, category) * c.base[kind, i, j]
    first, last = _range(c, kind, i, j)
    here = c.offset[kind, i, j]
    for q in range(first, last):
        total = _plus(best, total, c.weight[q] * c.cells[here + q])
    c.value[kind, i, j] = total
    share = s.substitution[category]
    c.mixed[kind, i, j] = _plus(best, share * total, (1.0 - share) * c.base[kind, i, j])


@njit(nogil=True)
def inside(s, g, c, scale, best):
    """Fill a chart; return the sum over derivations, or the largest, times scale to the power of the words."""
    n = c.local.size
    for width in range(n):
        for i in range(n - width):
            j = i + width
            if width:
                for kind in (M, M2, L1, R1):
                    _fill_pairs(s, g, c, kind, i, j, best)
                    _finish(s, g, c, kind, i, j, best)
            for kind in (L, LS, R, RS):
                _fill_ends(s, g, c, kind, i, j, scale)
                _finish(s, g, c, kind, i, j, best)
    _fill_pairs(s, g, c, S, 0, n - 1, best)
    _finish(s, g, c, S, 0, n - 1, best)
    return c.value[S, 0, n - 1]


@njit(nogil=True, forceinline=True)
def _consider(best, x, mark):
    """Whether to take this alternative instead of those before, and what is left of the mark, or the largest so far."""
    if best:
        return (True, x) if x > mark else (False, mark)
    return (True, mark - x) if x > 0.0 and mark >= 0.0 else (False, mark)


@njit(nogil=True)
def _push(stack, top, kind, i, j, made_by):
    stack[top, 0] = kind
    stack[top, 1] = i
    stack[top, 2] = j
    stack[top, 3] = made_by
    return top + 1


@njit(nogil=True)
def _mark(best, total, generator):
    return 0.0 if best else generator.random() * total


@njit(nogil=True)
def _site_or_not(s, g, c, kind, i, j, best, generator):
    """What makes a child of a rule: a new site, or rules."""
    a, b = _own_tags(kind, i, j, c.local)
    share = s.substitution[_category(g.n_tags, kind, c.tags[a], c.tags[b])]
    made_by, mark = BASE, _mark(best, c.mixed[kind, i, j], generator)
    take, mark = _consider(best, share * c.value[kind, i, j], mark)
    if take:
        made_by = IS_SITE
    take, mark = _consider(best, (1.0 - share) * c.base[kind, i, j], mark)
    return BASE if take else made_by


@njit(nogil=True)
def choose(s, g, c, best, generator, d, heads):
    """Write a derivation of a filled chart, drawn or the best: rules and sites in preorder, and heads."""
    T, D, n = g.n_tags, c.tags.size, c.local.size
    stack, nodes = np.empty((5 * n + 2, 4), dtype=np.int64), 0
    top = _push(stack, 0, S, 0, n - 1, IS_SITE)
    while top:
        top -= 1
        kind, i, j, made_by = stack[top, 0], stack[top, 1], stack[top, 2], stack[top, 3]
        here = c.offset[kind, i, j]
        d[SITE, nodes] = made_by == IS_SITE
        if made_by == IS_SITE:
            a, b = _own_tags(kind, i, j, c.local)
            category = _category(T, kind, c.tags[a], c.tags[b])
            mark, made_by = _mark(best, c.value[kind, i, j], generator), BASE
            take, mark = _consider(best, _opened_share(s, category) * c.base[kind, i, j], mark)
            first, last = _range(c, kind, i, j)
            for q in range(first, last):
                take, mark = _consider(best, c.weight[q] * c.cells[here + q], mark)
                if take:
                    made_by = q
        if kind in (L, LS, R, RS):
            d[RULE, nodes] = _end(T, kind, c.tags[c.local[j if kind < R else i]]) + (i < j)
            if i < j:
                inner = L1 if kind < R else R1
                below = _site_or_not(s, g, c, inner, i, j, best, generator) if made_by == BASE else c.left[made_by]
                top = _push(stack, top, inner, i, j, below)
            nodes += 1
            continue
        first, last = _splits(kind, i, j)
        total = c.base[kind, i, j] if made_by == BASE else c.cells[here + made_by]
        split, mark = -1, _mark(best, total, generator)
        for k in range(first, last):
            one, i1, j1, two, i2, j2 = _halves(kind, i, j, k)
            a, b = _split_tags(kind, i, j, k, c.local)
            if made_by == BASE:
                x = c.mixed[one, i1, j1] * c.mixed[two, i2, j2]
                x *= rule_probability(s, g, _rule(T, kind, c.tags[a], c.tags[b]))
            else:
                group = _group(D, kind, a, b)
                x = 0.0
                if c.begin[group] <= made_by < c.begin[group + 1]:
                    x = _child(c, one, i1, j1, c.left[made_by]) * _child(c, two, i2, j2, c.right[made_by])
            take, mark = _consider(best, x, mark)
            if take:
                split = k
        one, i1, j1, two, i2, j2 = _halves(kind, i, j, split)
        a, b = _split_tags(kind, i, j, split, c.local)
        d[RULE, nodes] = _rule(T, kind, c.tags[a], c.tags[b])
        nodes += 1
        if kind == S:
            heads[split] = 0
        elif kind == L1:
            heads[split] = j + 1
        elif kind == R1:
            heads[split] = i + 1
        left = _site_or_not(s, g, c, one, i1, j1, best, generator) if made_by == BASE else c.left[made_by]
        right = _site_or_not(s, g, c, two, i2, j2, best, generator) if made_by == BASE else c.right[made_by]
        top = _push(stack, top, two, i2, j2, right)
        top = _push(stack, top, one, i1, j1, left)
    return nodes


# ---------------------------------------------------------------------------------------------------------- sampler


@njit(nogil=True)
def begin(s, g, text, generator):
    """Seat the derivations of all sentences, given by heads and sites, one after the other."""
    longest = 0
    for at in range(text.starts.size - 1):
        longest = max(longest, text.starts[at + 1] - text.starts[at])
    d = np.zeros((ROWS, 5 * longest), dtype=np.int64)
    for at in range(text.starts.size - 1):
        first, last = text.starts[at], text.starts[at + 1]
        n = derivation_of(g.n_tags, text.words[first:last], text.heads[first:last], d)
        node = 5 * first - 2 * at
        for v in range(n):
            text.rules[node + v] = d[RULE, v]
            d[SITE, v] = text.sites[node + v]
        read_derivation(g, d, n)
        _add_derivation(s, g, d, n, False, generator)


@njit(nogil=True)
def sweep(s, g, text, order, generator):
    """Take a Metropolis-Hastings step for each sentence in turn; return how many proposals were accepted."""
    longest, accepted = 0, 0
    for at in range(text.starts.size - 1):
        longest = max(longest, text.starts[at + 1] - text.starts[at])
    old, new = np.zeros((ROWS, 5 * longest), dtype=np.int64), np.zeros((ROWS, 5 * longest), dtype=np.int64)
    heads, place, nothing = np.empty(longest, np.int64), np.empty(len(s.fragments), np.int64), np.empty(0)
    for at in order:
        first, last = text.starts[at], text.starts[at + 1]
        node, n = 5 * first - 2 * at, 5 * (last - first) - 2
        for v in range(n):
            old[RULE, v], old[SITE, v] = text.rules[node + v], text.sites[node + v]
        read_derivation(g, old, n)
        _name_fragments(s, g, old, n, False)
        present = _remove_derivation(s, g, old, n, False, generator) - _frozen(s, g, old, n)
        chart = make_chart(s, g, text.words[first:last], nothing, place)
        inside(s, g, chart, 1.0, False)
        choose(s, g, chart, False, generator, new, heads)
        read_derivation(g, new, n)
        frozen = _frozen(s, g, new, n)
        proposed = _add_derivation(s, g, new, n, False, generator) - frozen
        if math.log(1.0 - generator.random()) < proposed - present:
            accepted += 1
            for v in range(n):
                text.rules[node + v], text.sites[node + v] = new[RULE, v], new[SITE, v]
            text.heads[first:last] = heads[: last - first]
        else:
            _remove_derivation(s, g, new, n, True, generator)
            _add_derivation(s, g, old, n, True, generator)
    return accepted


# -------------------------------------------------------------------------------------------------- hyper-parameters


@njit(nogil=True)
def log_seating(a, b, sizes):
    """Log probability of seating so many customers at each table, whatever the dishes."""
    total, customers, closed = math.lgamma(1.0 + b), 0, math.lgamma(1.0 - a)
    for k in range(sizes.size):
        if k:
            total += math.log(k * a + b)
        total += math.lgamma(sizes[k] - a) - closed
        customers += sizes[k]
    return total - math.lgamma(customers + b)


@njit(nogil=True)
def _log_posterior(of_discount, x, other, sizes):
    """Log of the density of a discount or a concentration, up to a constant; priors Beta(1, 1) and Gamma(1, 1)."""
    if x <= 0.0 or (of_discount and x >= 1.0):
        return -np.inf
    return log_seating(x, other, sizes) if of_discount else log_seating(other, x, sizes) - x


@njit(nogil=True)
def _slice(of_discount, x, other, sizes, width, generator):
    """One step of slice sampling with doubling (Neal 2003, figures 4 to 6)."""
    level = _log_posterior(of_discount, x, other, sizes) - generator.standard_exponential()
    low = x - width * generator.random()
    high = low + width
    at_low, at_high = (
        _log_posterior(of_discount, low, other, sizes), _log_posterior(of_discount, high, other, sizes)
    )  # fmt: skip
    for _ in range(_DOUBLINGS):
        if level >= at_low and level >= at_high:
            break
        if generator.random() < 0.5:
            low -= high - low
            at_low = _log_posterior(of_discount, low, other, sizes)
        else:
            high += high - low
            at_high = _log_posterior(of_discount, high, other, sizes)
    inner_low, inner_high = low, high
    while True:
        y = inner_low + generator.random() * (inner_high - inner_low)
        if level < _log_posterior(of_discount, y, other, sizes) and _reachable(
            of_discount, (x, y), level, (low, high), other, sizes, width
        ):
            return y
        if y < x:
            inner_low = y
        else:
            inner_high = y


@njit(nogil=True)
def _reachable(of_discount, points, level, interval, other, sizes, width):
    """Whether doubling from the second of two points would have found the same interval."""
    (x, y), (low, high), differ = points, interval, False
    while high - low > 1.1 * width:
        middle = 0.5 * (low + high)
        differ = differ or (x < middle) != (y < middle)
        if y < middle:
            high = middle
        else:
            low = middle
        if differ and level >= max(
            _log_posterior(of_discount, low, other, sizes), _log_posterior(of_discount, high, other, sizes)
        ):
            return False
    return True


@njit(nogil=True)
def resample_restaurant(a, b, sizes, generator):
    """A new discount and a new concentration of a restaurant; from the prior if it has no customers."""
    if sizes.size == 0:
        return generator.random(), generator.standard_exponential()
    a = _slice(True, a, b, sizes, 0.25, generator)
    return a, _slice(False, b, a, sizes, 1.0, generator)


@njit(nogil=True)
def _sizes(s, g):
    """Sizes of the tables of each restaurant, one restaurant after the other, and where each begins."""
    F, C = len(s.fragments), len(g.choices)
    starts = np.zeros(2 * C + 1, np.int64)
    for here in range(2 * C):
        starts[here + 1] = starts[here] + s.restaurants[here, TABLES]
    sizes, place = np.empty(starts[2 * C], np.int64), starts.copy()
    for dish in range(F + g.rules.shape[1]):
        if s.dishes[dish, TABLES]:
            here = g.rules[PARENT, s.fragments[dish, RULE]] if dish < F else C + g.rules[PARENT, dish - F]
            table = s.dishes[dish, FIRST]
            while table >= 0:
                sizes[place[here]] = s.seats[table, CUSTOMERS]
                place[here] += 1
                table = s.seats[table, AFTER]
    return sizes, starts


@njit(nogil=True)
def _walk(s, g, f, stops, goes, times):
    """Count the sites and the inner nodes of a tree by category, the root left out; return its probability by rules."""
    stack, top, p = np.empty(s.unused[2] + 1, np.int64), 1, 1.0
    stack[0] = f
    while top:
        top -= 1
        f = stack[top]
        rule = s.fragments[f, RULE]
        p *= rule_probability(s, g, rule)
        for child, c in ((s.fragments[f, LEFT], g.rules[LEFT, rule]), (s.fragments[f, RIGHT], g.rules[RIGHT, rule])):
            if c >= 0 and child < 0:
                p *= s.substitution[c]
                stops[c] += times
            elif c >= 0:
                p *= 1.0 - s.substitution[c]
                goes[c] += times
                stack[top] = child
                top += 1
    return p


@njit(nogil=True)
def site_counts(s, g):
    """Sites and inner nodes of each category in the trees of all tables."""
    C = len(g.choices)
    stops, goes = np.zeros(C, np.int64), np.zeros(C, np.int64)
    for f in range(len(s.fragments)):
        if s.dishes[f, TABLES]:
            _walk(s, g, f, stops, goes, s.dishes[f, TABLES])
    return stops, goes


@njit(nogil=True)
def resample(s, g, generator):
    """Draw all hyper-parameters again."""
    sizes, starts = _sizes(s, g)
    for here in range(2 * len(g.choices)):
        mine = sizes[starts[here] : starts[here + 1]]
        s.hyper[here, DISCOUNT], s.hyper[here, CONCENTRATION] = resample_restaurant(
            s.hyper[here, DISCOUNT], s.hyper[here, CONCENTRATION], mine, generator
        )
    stops, goes = site_counts(s, g)
    for c in range(len(g.choices)):
        s.substitution[c] = generator.beta(1.0 + stops[c], 1.0 + goes[c])


@njit(nogil=True)
def log_probability(s, g):
    """Log of the joint probability of derivations and seats, given the hyper-parameters."""
    total, C = 0.0, len(g.choices)
    sizes, starts = _sizes(s, g)
    for here in range(2 * C):
        if s.restaurants[here, TABLES]:
            mine = sizes[starts[here] : starts[here + 1]]
            total += log_seating(s.hyper[here, DISCOUNT], s.hyper[here, CONCENTRATION], mine)
        if here >= C:
            total -= s.restaurants[here, TABLES] * math.log(g.choices[here - C])
    stops, goes = site_counts(s, g)
    for c in range(C):
        if stops[c]:
            total += stops[c] * math.log(s.substitution[c])
        if goes[c]:
            total += goes[c] * math.log(1.0 - s.substitution[c])
    return total


# --------------------------------------------------------------------------------------------------------- decoding


@njit(nogil=True)
def tree_probabilities(s, g):
    """Probability of each elementary tree that has customers, given its root; 0 of other fragments."""
    found, C = np.zeros(len(s.fragments)), len(g.choices)
    stops, goes = np.zeros(C, np.int64), np.zeros(C, np.int64)
    for f in range(len(s.fragments)):
        if s.dishes[f, TABLES]:
            c = g.rules[PARENT, s.fragments[f, RULE]]
            old = (s.dishes[f, CUSTOMERS] - s.hyper[c, DISCOUNT] * s.dishes[f, TABLES]) / (
                s.restaurants[c, CUSTOMERS] + s.hyper[c, CONCENTRATION]
            )
            found[f] = old + _opened_share(s, c) * _walk(s, g, f, stops, goes, 1)
    return found


@njit(nogil=True)
def decode(s, g, full, words, scale, place, generator, heads):
    """Write the heads of the most probable derivation; return its probability times scale to the power of the words.

    Nothing is drawn.
    """
    chart = make_chart(s, g, words, full, place)
    value = inside(s, g, chart, scale, True)
    d = np.empty((ROWS, 5 * words.size), dtype=np.int64)
    if 0.0 < value < np.inf:
        choose(s, g, chart, True, generator, d, heads)
    return value
