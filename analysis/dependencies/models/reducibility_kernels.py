# ruff: noqa: ANN001, ANN201, ANN202
# mypy: disable-error-code="no-untyped-def"
"""Gibbs sampling of projective trees by small changes, with the counts of all other edges and fertilities.

Words are numbered over all sentences; the head of the first word of a tree is `ROOT`. ``left`` and ``right`` hold the
first and the last word of each subtree, which are contiguous.

A small change takes a word i that is not the head of its sentence, and its head g. The span of g is a row of units: i,
g, and the whole subtrees of the other children of both. A candidate is a run of units with exactly one of i and g: that
one heads the run and depends on the other, which heads the rest and takes g's place. The candidates are the same from
each of them, so that drawing one in proportion to the probability of all trees leaves this probability unchanged.
"""

import math
from typing import NamedTuple

import numpy as np

from analysis.structures.compiled import njit

ROOT = -1
_SMALL = 1e-100  # a product below it is turned into its logarithm


class Text(NamedTuple):
    """Sentences, word after word."""

    tags: np.ndarray  # codes
    starts: np.ndarray  # first word of each sentence, and the end
    scores: np.ndarray  # (n_words, 3): logarithm of R of the n-grams from each word on
    beta: np.ndarray  # of each word
    distances: np.ndarray  # factor of each distance from 0 on


class Trees(NamedTuple):
    """A tree of each sentence."""

    heads: np.ndarray
    left: np.ndarray
    right: np.ndarray


class Counts(NamedTuple):
    """How often each event occurs; the last parent is the technical root."""

    edges: np.ndarray  # (parents, tags)
    parents: np.ndarray
    fertilities: np.ndarray  # (tags, fertilities)
    tags: np.ndarray


class Weights(NamedTuple):
    """Parameters of the model."""

    alpha: float
    alphas: float  # alpha times the number of tags
    delta: float
    sides: bool  # whether left and right parents are separate
    pairs: bool  # whether fertilities are pairs


class State(NamedTuple):
    """A chain of trees."""

    text: Text
    trees: Trees
    counts: Counts
    weights: Weights


class Work(NamedTuple):
    """Workspace of a small change: of units their heads, as words, and what these depend on; candidates, and values."""

    units: np.ndarray
    above: np.ndarray
    candidates: np.ndarray  # first and last unit of the run, and whether the word is inside
    values: np.ndarray


@njit(nogil=True)
def _parent(text, counts, weights, head, word):
    """Row of the counts of edges."""
    if head == ROOT:
        return counts.parents.size - 1
    return 2 * text.tags[head] + (word > head) if weights.sides else text.tags[head]


@njit(nogil=True)
def _count_edge(text, counts, weights, head, word, step):
    parent = _parent(text, counts, weights, head, word)
    counts.edges[parent, text.tags[word]] += step
    counts.parents[parent] += step


@njit(error_model="numpy", nogil=True)
def _add_edge(text, counts, weights, head, word):
    """Probability of an edge given the others, with its distance; then it counts."""
    parent, tag = _parent(text, counts, weights, head, word), text.tags[word]
    value = (counts.edges[parent, tag] + weights.alpha) / (counts.parents[parent] + weights.alphas)
    counts.edges[parent, tag] += 1
    counts.parents[parent] += 1
    return value if head == ROOT else value * text.distances[abs(head - word)]


@njit(nogil=True)
def _fertility(weights, lefts, rights):
    """Column of the counts of fertilities."""
    both = lefts + rights
    return both * (both + 1) // 2 + rights if weights.pairs else both


@njit(nogil=True)
def _count_fertility(text, counts, weights, word, lefts, rights, step):
    counts.fertilities[text.tags[word], _fertility(weights, lefts, rights)] += step
    counts.tags[text.tags[word]] += step


@njit(error_model="numpy", nogil=True)
def _add_fertility(text, counts, weights, word, lefts, rights):
    """Probability of a fertility given the others; then it counts."""
    tag, beta, column = text.tags[word], text.beta[word], _fertility(weights, lefts, rights)
    prior = beta * 0.5 ** (lefts + rights + (2 if weights.pairs else 1))
    value = (counts.fertilities[tag, column] + prior) / (counts.tags[tag] + beta)
    counts.fertilities[tag, column] += 1
    counts.tags[tag] += 1
    return value


@njit(nogil=True)
def _children(trees, word, first, last):
    """Numbers of left and right children of a word whose sentence is known."""
    lefts = rights = 0
    for child in range(first, last):
        if trees.heads[child] == word:
            if child < word:
                lefts += 1
            else:
                rights += 1
    return lefts, rights


@njit(nogil=True)
def _reducibility(text, weights, first, last):
    return weights.delta * text.scores[first, last - first] if last - first < 3 else 0.0


@njit(nogil=True)
def find_spans(text, trees):
    """Fill the spans of all subtrees from the heads."""
    for word in range(trees.heads.size):
        trees.left[word] = trees.right[word] = word
    for word in range(trees.heads.size):
        above = trees.heads[word]
        while above != ROOT:
            trees.left[above] = min(trees.left[above], word)
            trees.right[above] = max(trees.right[above], word)
            above = trees.heads[above]


@njit(nogil=True)
def add_trees(text, trees, counts, weights, first, last):
    """Count the events of the trees of sentences first to last - 1.

    Returns their log-probability, not normalised, given what was counted before.
    """
    total = 0.0
    for sentence in range(first, last):
        begin, end = text.starts[sentence], text.starts[sentence + 1]
        for word in range(begin, end):
            lefts, rights = _children(trees, word, begin, end)
            total += math.log(_add_edge(text, counts, weights, trees.heads[word], word))
            total += math.log(_add_fertility(text, counts, weights, word, lefts, rights))
            if trees.heads[word] != ROOT:
                total += _reducibility(text, weights, trees.left[word], trees.right[word])
    return total


@njit(nogil=True)
def _remove_trees(text, trees, counts, weights, sentence):
    begin, end = text.starts[sentence], text.starts[sentence + 1]
    for word in range(begin, end):
        _count_edge(text, counts, weights, trees.heads[word], word, -1)
        lefts, rights = _children(trees, word, begin, end)
        _count_fertility(text, counts, weights, word, lefts, rights, -1)


@njit(nogil=True)
def find_candidates(trees, word, units, candidates):
    """Find the candidates of a small change.

    Parameters
    ----------
    trees : Trees
    word : int
        i, not the head of its sentence.
    units, candidates : ndarray of int64, shapes (n,), (n_candidates, 3)
        Filled: the head of each unit; first and last unit of the run, and whether i is inside.

    Returns
    -------
    int, int
        Numbers of units and of candidates.
    """
    head = trees.heads[word]
    n = own = other = 0
    for each in range(trees.left[head], trees.right[head] + 1):
        above = trees.heads[each]
        if each == head or above in (head, word):
            if each == word:
                own = n
            elif each == head:
                other = n
            units[n] = each
            n += 1
    found = 0
    for inside in range(2):
        inner, outer = (own, other) if inside else (other, own)
        lowest, highest = (0, outer - 1) if inner < outer else (outer + 1, n - 1)
        for first in range(lowest, inner + 1):
            for last in range(inner, highest + 1):
                candidates[found, 0], candidates[found, 1], candidates[found, 2] = first, last, inside
                found += 1
    return n, found


@njit(nogil=True)
def _run(trees, word, head, units, first, last):
    """First and last word of a run of units."""
    one, other = units[first], units[last]
    return (one if one in (word, head) else trees.left[one],
            other if other in (word, head) else trees.right[other])  # fmt: skip


@njit(nogil=True)
def _attach(trees, word, work, n, k):
    """Fill the head of each unit in a candidate; return the word that heads the run, and the one that heads that."""
    head = trees.heads[word]
    first, last = work.candidates[k, 0], work.candidates[k, 1]
    inner, outer = (word, head) if work.candidates[k, 2] else (head, word)
    for at in range(n):
        work.above[at] = inner if first <= at <= last else outer
        if work.units[at] == inner:
            work.above[at] = outer
        elif work.units[at] == outer:
            work.above[at] = trees.heads[head]
    return inner, outer


@njit(nogil=True)
def _count_units(state, work, n, inner, outer, step):
    """Count the edges to units and the fertilities of two words, or, with step -1, take them out again.

    Returns their log-probability given what was counted before; 0 for step -1.
    """
    text, counts, weights = state.text, state.counts, state.weights
    total, product = 0.0, 1.0
    lefts = rights = outer_lefts = outer_rights = 0
    for at in range(n):
        unit, head = work.units[at], work.above[at]
        if step > 0:
            product *= _add_edge(text, counts, weights, head, unit)
            if product < _SMALL:
                total += math.log(product)
                product = 1.0
        else:
            _count_edge(text, counts, weights, head, unit, step)
        if head == inner:
            lefts += unit < inner
            rights += unit > inner
        elif head == outer:
            outer_lefts += unit < outer
            outer_rights += unit > outer
    if step > 0:
        product *= _add_fertility(text, counts, weights, inner, lefts, rights)
        product *= _add_fertility(text, counts, weights, outer, outer_lefts, outer_rights)
    else:
        _count_fertility(text, counts, weights, inner, lefts, rights, step)
        _count_fertility(text, counts, weights, outer, outer_lefts, outer_rights, step)
    return total + math.log(product)


@njit(nogil=True)
def score_candidates(state, word, work):
    """Find the candidates of a small change, take the events of the tree out of the counts, and score all.

    Parameters
    ----------
    state : State
    word : int
        As in `find_candidates`.
    work : Work
        Filled; ``values`` are log-probabilities up to a constant.

    Returns
    -------
    int, int
        Numbers of units and of candidates.
    """
    trees = state.trees
    head = trees.heads[word]
    n, found = find_candidates(trees, word, work.units, work.candidates)
    for at in range(n):
        work.above[at] = trees.heads[work.units[at]]
    _count_units(state, work, n, word, head, -1)
    for k in range(found):
        inner, outer = _attach(trees, word, work, n, k)
        begin, end = _run(trees, word, head, work.units, work.candidates[k, 0], work.candidates[k, 1])
        work.values[k] = _reducibility(state.text, state.weights, begin, end)
        work.values[k] += _count_units(state, work, n, inner, outer, 1)
        _count_units(state, work, n, inner, outer, -1)
    return n, found


@njit(nogil=True)
def change_tree(state, word, work, n, k):
    """Make a candidate the tree, and count its events; return the word that took the place of the head."""
    trees = state.trees
    head = trees.heads[word]
    begin, end = _run(trees, word, head, work.units, work.candidates[k, 0], work.candidates[k, 1])
    whole = trees.left[head], trees.right[head]
    inner, outer = _attach(trees, word, work, n, k)
    _count_units(state, work, n, inner, outer, 1)
    for at in range(n):
        trees.heads[work.units[at]] = work.above[at]
    trees.left[inner], trees.right[inner] = begin, end
    trees.left[outer], trees.right[outer] = whole
    return outer


@njit(nogil=True)
def _draw(values, found, power, generator):
    """Number of a candidate, in proportion to its probability to a power."""
    highest, total = values[0], 0.0
    for k in range(1, found):
        highest = max(highest, values[k])
    for k in range(found):
        total += math.exp(power * (values[k] - highest))
    mark = generator.random() * total
    for k in range(found):
        mark -= math.exp(power * (values[k] - highest))
        if mark < 0:
            return k
    return found - 1


@njit(nogil=True)
def sweep(state, power, apart, tally, places, generator):
    """Make n - 1 small changes in each sentence of n words.

    Parameters
    ----------
    state : State
    power : float
        Of the probabilities of candidates.
    apart : bool
        Whether each sentence counts only while its own tree is sampled; otherwise all are counted already.
    tally, places : ndarray of int64
        Edges of each sentence after its changes are counted here, from its place on, one row of n + 1 heads a word; not
        if it is empty.
    generator : Generator
    """
    text, trees, counts, weights = state.text, state.trees, state.counts, state.weights
    longest = 0
    for sentence in range(text.starts.size - 1):
        longest = max(longest, text.starts[sentence + 1] - text.starts[sentence])
    most = longest * longest // 2 + longest
    work = Work(np.empty(longest, dtype=np.int64), np.empty(longest, dtype=np.int64),
                np.empty((most, 3), dtype=np.int64), np.empty(most))  # fmt: skip
    for sentence in range(text.starts.size - 1):
        begin, end = text.starts[sentence], text.starts[sentence + 1]
        size = end - begin
        if apart:
            add_trees(text, trees, counts, weights, sentence, sentence + 1)
        top = begin
        while top < end and trees.heads[top] != ROOT:
            top += 1
        for _ in range(size - 1):
            word = begin + int(generator.random() * (size - 1))
            word += word >= top
            n, found = score_candidates(state, word, work)
            outer = change_tree(state, word, work, n, _draw(work.values, found, power, generator))
            if trees.heads[outer] == ROOT:
                top = outer
        if apart:
            _remove_trees(text, trees, counts, weights, sentence)
        if tally.size:
            for word in range(begin, end):
                head = 0 if trees.heads[word] == ROOT else trees.heads[word] - begin + 1
                tally[places[sentence] + (word - begin) * (size + 1) + head] += 1
