"""Variables of all derivations of a treebank at once: which are equal, which words they have, which ranges they get.

A variable belongs to a part of the category of a node. What a rule does with the parts of its daughters is an `Effect`,
the same for all nodes with the same categories; the effects of all nodes are applied together.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from analysis.structures.components import ends_of_chains, lowest_linked

#: Ranges of an argument as codes; `OPEN` is that of a part that is no argument here.
LOCAL, SHARED, EXTRACTED, OPEN = -1, -2, -3, -4


class Effect(NamedTuple):
    """What a node does with the variables of its daughters.

    Attributes
    ----------
    new : int
        Number of new variables; in a leaf the first is that of the word.
    parts : tuple of pairs
        Variable of each part of the node: (0, part) of the left daughter, (1, part) of the right one, or (2, number) of
        the new ones.
    equal : tuple of (side, part, side, part)
        References such as those, which are unified.
    within : tuple of (number, side, part)
        The words of the daughter's part are among those of the new variable.
    up : pair of tuple of int
        For each part of the left and of the right daughter: the part of the node with the same range, or a range.
    """

    new: int
    parts: tuple[tuple[int, int], ...]
    equal: tuple[tuple[int, int, int, int], ...] = ()
    within: tuple[tuple[int, int, int], ...] = ()
    up: tuple[tuple[int, ...], tuple[int, ...]] = ((), ())


class Lists:
    """Lists of tuples of numbers, one list per kind.

    Parameters
    ----------
    lists : sequence of sequences of tuples
    width : int
        Numbers in each tuple.

    Examples
    --------
    >>> owner, (one, two) = Lists([[(7, 8)], [], [(1, 2), (3, 4)]], 2).of(np.array([2, 1, 0]))
    >>> owner.tolist(), one.tolist(), two.tolist()
    ([0, 0, 2], [1, 3, 7], [2, 4, 8])
    """

    def __init__(self, lists: Sequence[Sequence[tuple[int, ...]]], width: int) -> None:
        self.count = np.array([len(each) for each in lists], dtype=np.intp)
        self._start = np.cumsum(self.count) - self.count
        self._values = np.array([row for each in lists for row in each], dtype=np.intp).reshape(-1, width).T.copy()

    def of(self, kind: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The tuples of each of these kinds one after the other: index in ``kind``, and one array per number."""
        count = self.count[kind]
        owner = np.repeat(np.arange(len(kind)), count)
        return owner, self._values.take(ranges(self._start[kind], count), axis=1)


def ranges(start: np.ndarray, count: np.ndarray) -> np.ndarray:
    """The numbers from each start on, as many as said.

    Examples
    --------
    >>> ranges(np.array([5, 0]), np.array([2, 3])).tolist()
    [5, 6, 0, 1, 2]
    """
    return np.arange(int(count.sum())) + np.repeat(start - np.cumsum(count) + count, count)


class Nodes(NamedTuple):
    """Nodes of derivations; one entry per node.

    Attributes
    ----------
    kind : ndarray of int64
        Index of the effect.
    left, right : ndarray of int64
        Rows of the daughters; -1 if there is none.
    word : ndarray of int64
        Number of a leaf's word, ascending in each sentence; -1 in other nodes.
    """

    kind: np.ndarray
    left: np.ndarray
    right: np.ndarray
    word: np.ndarray


class Filled(NamedTuple):
    """Words of arguments; one entry per word of an argument.

    Attributes
    ----------
    asked : ndarray of int64
        Index of what was asked.
    word : ndarray of int64
    range : ndarray of int64
        Code of the range of the argument.
    """

    asked: np.ndarray
    word: np.ndarray
    range: np.ndarray


def fill(nodes: Nodes, effects: Sequence[Effect], leaf: np.ndarray, part: np.ndarray) -> Filled:
    """Find the words and the range of parts of the categories of leaves, after all unifications.

    Parameters
    ----------
    nodes : Nodes
    effects : sequence of Effect
    leaf, part : ndarray of int64, shape (n_asked,)
        Rows of the leaves, and parts of their categories.

    Examples
    --------
    >>> word, verb = Effect(1, ((2, 0),)), Effect(2, ((2, 0), (2, 0), (2, 1)))
    >>> clause = Effect(0, ((1, 0),), ((0, 0, 1, 2),), (), ((LOCAL,), (OPEN, 0, LOCAL)))
    >>> nodes = Nodes(*map(np.array, ([2, 0, 1], [1, -1, -1], [2, -1, -1], [-1, 1, 2])))
    >>> [found.tolist() for found in fill(nodes, [word, verb, clause], np.array([2]), np.array([2]))]
    [[0], [1], [-1]]
    """
    parts = Lists([each.parts for each in effects], 2)
    count = parts.count[nodes.kind]
    offset = np.cumsum(count) - count
    size = int(count.sum())
    new = np.array([each.new for each in effects], dtype=np.intp)[nodes.kind]
    first = size + np.cumsum(new) - new
    base = np.stack([offset[nodes.left], offset[nodes.right], first])
    owner, (side, place) = parts.of(nodes.kind)
    variable = (
        ends_of_chains(np.concatenate([base[side, owner] + place, np.arange(size, size + int(new.sum()))])) - size
    )

    def at(owner: np.ndarray, side: np.ndarray, place: np.ndarray) -> np.ndarray:
        return variable[base[side, owner] + place]

    owner, (side, place, other, there) = Lists([each.equal for each in effects], 4).of(nodes.kind)
    same = lowest_linked(at(owner, side, place), at(owner, other, there), int(new.sum()))
    of_word = np.flatnonzero(nodes.word >= 0)
    owner, (number, side, place) = Lists([each.within for each in effects], 3).of(nodes.kind)
    whole, within = same[first[owner] - size + number], same[at(owner, side, place)]
    holder, word = _with_words_within(same[first[of_word] - size], nodes.word[of_word], whole, within)
    entry = offset[leaf] + part
    wanted = same[variable[entry]]
    words_of = np.bincount(holder, minlength=len(same))
    found = words_of[wanted]
    asked = np.repeat(np.arange(len(leaf)), found)
    kind = _range_codes(nodes, effects, offset, count, entry)
    return Filled(asked, word[ranges((np.cumsum(words_of) - words_of)[wanted], found)], kind[asked])


def _range_codes(
    nodes: Nodes, effects: Sequence[Effect], offset: np.ndarray, count: np.ndarray, entry: np.ndarray
) -> np.ndarray:
    """The range of some of the parts of all nodes, found upwards."""
    size = int(count.sum())
    above = np.full(size + 4, size + 3)  # the last four stand for the ranges
    above[size:] = np.arange(size, size + 4)
    for number, daughter in enumerate((nodes.left, nodes.right)):
        owner, (part, code) = Lists([list(enumerate(each.up[number])) for each in effects], 2).of(nodes.kind)
        child = daughter[owner]
        known = (child >= 0) & (part < count[child])
        owner, part, code, child = owner[known], part[known], code[known], child[known]
        above[offset[child] + part] = np.where(code < 0, size - 1 - code, offset[owner] + code)
    place, left = above[entry], np.arange(len(entry))
    while len(left := left[place[left] < size]):
        place[left] = above[place[left]]
    return size - 1 - place


def _with_words_within(
    holder: np.ndarray, word: np.ndarray, whole: np.ndarray, part: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Add to the words of variables those of the variables within them; ordered by variable, then word, each once."""
    linked = _distinct(whole, part)
    reached = frontier = linked[:, linked[0] != linked[1]]
    while frontier.shape[1]:
        begin, end = (np.searchsorted(linked[0], frontier[1], side) for side in ("left", "right"))
        further = linked[1][ranges(begin, end - begin)]
        both = np.stack([np.repeat(frontier[0], end - begin), further])
        known = _distinct(*np.concatenate([reached, both], axis=1))
        if known.shape[1] == reached.shape[1]:
            break
        reached, frontier = known, both
    order = np.argsort(holder, kind="stable")
    begin, end = (np.searchsorted(holder[order], reached[1], side) for side in ("left", "right"))
    more = word[order][ranges(begin, end - begin)]
    holders, words = _distinct(
        np.concatenate([holder, np.repeat(reached[0], end - begin)]), np.concatenate([word, more])
    )
    return holders, words


def _distinct(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    """The pairs of two arrays, in order, each once; shape (2, n_pairs)."""
    order = np.lexsort((other, one))
    pairs = np.stack([one[order], other[order]])
    return pairs[:, np.append(True, (pairs[:, 1:] != pairs[:, :-1]).any(axis=0))[: len(one)]]
