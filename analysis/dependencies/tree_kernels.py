"""Trees as arrays: what is wrong with them, punctuation taken out of them, and how two of them agree.

Heads are positions within the sentence, from 1; 0 is the root, -1 no head at all. ``starts`` has one entry more than
there are sentences: sentence s is ``starts[s]`` to ``starts[s + 1]``.
"""

import numpy as np
from numba import types

from analysis.structures.compiled import njit

_WORDS = types.Array(types.int64, 1, "C", readonly=True)  # also takes arrays that may be written
_MASK = types.Array(types.boolean, 1, "C", readonly=True)
_COUNTS = types.Array(types.int64, 2, "C")
_NEW_WORDS = types.Array(types.int64, 1, "C")
_REASONS = types.Array(types.int8, 1, "C")

#: Values of `agreement`: not scored; wrong; counted by NED only; by undirected too; by all three.
NOT_SCORED, WRONG, GRANDPARENT, REVERSED, SAME = 0, 1, 2, 3, 4


@njit(types.Tuple((_NEW_WORDS, types.int64, types.int64))(_WORDS, _WORDS), cache=True, nogil=True)
def sentence_starts(numbers, positions):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN201
    """Row in which each sentence begins, then the number of rows; and what is wrong with the order, -1 if nothing.

    Returns
    -------
    starts : ndarray of int64
    falls : int
        The first row whose sentence number falls.
    misplaced : int
        The first row whose position is not its place in the sentence, counted from 1; no positions, no such row.
    """
    starts = np.empty(numbers.size + 1, dtype=np.int64)
    found = 0
    first = 0
    misplaced = -1
    with_positions = positions.size > 0
    for row in range(numbers.size):
        if row == 0 or numbers[row] != numbers[row - 1]:
            if row > 0 and numbers[row] < numbers[row - 1]:
                return starts[:0].copy(), row, -1
            starts[found] = row
            first = row
            found += 1
        if with_positions and positions[row] != row - first + 1 and misplaced < 0:
            misplaced = row
    starts[found] = numbers.size
    return starts[: found + 1].copy(), -1, misplaced


@njit(types.Tuple((_NEW_WORDS, _COUNTS))(_WORDS, _WORDS), cache=True, nogil=True)
def find_defects(starts, heads):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN201
    """Heads with those out of range set to -1, and what is wrong with each sentence.

    Returns
    -------
    heads : ndarray of int64
    defects : ndarray of int64, shape (n_sentences, 5)
        Cycles of two words or more; words that are their own heads; words under the root; words whose head is -1;
        words whose head is out of range.
    """
    n_sentences = starts.size - 1
    clean = np.empty(heads.size, dtype=np.int64)
    defects = np.zeros((n_sentences, 5), dtype=np.int64)
    seen = np.zeros(heads.size, dtype=np.int64)  # 0: not visited; otherwise the walk that came here, from 1
    walk = 0
    for s in range(n_sentences):
        first = starts[s]
        length = starts[s + 1] - first
        left = False  # whether a head is further to the right: without one there is no cycle
        for word in range(first, first + length):
            head = heads[word]
            if head == 0:
                defects[s, 2] += 1
            elif head == -1:
                defects[s, 3] += 1
            elif head < -1 or head > length:
                defects[s, 4] += 1
                head = -1
            elif first + head - 1 == word:
                defects[s, 1] += 1
            elif first + head - 1 > word:
                left = True
            clean[word] = head
        if not left:
            continue
        for start in range(first, first + length):
            if seen[start]:
                continue
            walk += 1
            word = start
            while True:
                seen[word] = walk
                head = clean[word]
                if head <= 0:
                    break
                following = first + head - 1
                if following == word:
                    break
                if seen[following]:
                    if seen[following] == walk:
                        defects[s, 0] += 1
                    break
                word = following
    return clean, defects


@njit(types.Tuple((_NEW_WORDS, types.int64))(_WORDS, _WORDS, _MASK), cache=True, nogil=True)
def reattach(starts, heads, removed):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN201
    """Heads with removed words passed over, up to the nearest ancestor that stays, or the root.

    A way up that comes back to a removed word, or through removed words to the word itself, ends at the root.
    Removed words get the head that their own children would get. Linear in the number of words.

    Returns
    -------
    heads : ndarray of int64
    cycles : int
        How often a way up came back.
    """
    result = heads.copy()
    state = np.zeros(heads.size, dtype=np.uint8)  # of removed words: 1 = on the way, 2 = known
    cycles = 0
    for s in range(starts.size - 1):
        first = starts[s]
        for word in range(first, starts[s + 1]):
            head = heads[word]
            if head <= 0 or not removed[first + head - 1] or state[word] == 2:
                continue
            above = first + head - 1
            while True:  # up, until something is known
                if state[above] == 2:
                    ancestor = result[above]
                    break
                if state[above] == 1:
                    ancestor = 0
                    cycles += 1
                    break
                state[above] = 1
                ancestor = heads[above]
                if ancestor <= 0 or not removed[first + ancestor - 1]:
                    break
                above = first + ancestor - 1
            above = first + head - 1
            while state[above] == 1:  # the same way again
                state[above] = 2
                result[above] = ancestor
                if heads[above] <= 0 or not removed[first + heads[above] - 1]:
                    break
                above = first + heads[above] - 1
            result[word] = ancestor
            if ancestor > 0 and first + ancestor - 1 == word:
                result[word] = 0
                cycles += 1
    return result, cycles


@njit(
    types.Tuple((_REASONS, _COUNTS))(_WORDS, _WORDS, _WORDS, _MASK, _MASK, types.boolean),
    nogil=True,
)
def agreement(starts, gold, predicted, removed, chosen, root_edges):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN201
    """Why each token counts, and the counts of each sentence.

    Returns
    -------
    why : ndarray of int8, shape (n_tokens,)
    counts : ndarray of int64, shape (n_sentences, 4)
        Tokens scored, right directed, right undirected, right by NED.
    """
    why = np.zeros(gold.size, dtype=np.int8)
    counts = np.zeros((starts.size - 1, 4), dtype=np.int64)
    for s in range(starts.size - 1):
        if not chosen[s]:
            continue
        first = starts[s]
        scored = directed = undirected = neutral = 0
        for word in range(first, starts[s + 1]):
            g, p = gold[word], predicted[word]
            if removed[word] or g < 0 or (g == 0 and not root_edges):
                continue
            scored += 1
            if p == g:
                why[word] = 4
                directed += 1
                undirected += 1
                neutral += 1
            elif p > 0 and gold[first + p - 1] == word - first + 1:
                why[word] = 3
                undirected += 1
                neutral += 1
            elif g > 0 and p >= 0 and gold[first + g - 1] == p and (p > 0 or root_edges):
                why[word] = 2
                neutral += 1
            else:
                why[word] = 1
        counts[s, 0] = scored
        counts[s, 1] = directed
        counts[s, 2] = undirected
        counts[s, 3] = neutral
    return why, counts
