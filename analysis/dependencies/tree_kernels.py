"""Trees as arrays: what is wrong with them, punctuation taken out of them, and how two of them agree.

Heads are positions within the sentence, from 1; 0 is the root, -1 no head at all. ``starts`` has one entry more than
there are sentences: sentence s is ``starts[s]`` to ``starts[s + 1]``.
"""

import numpy as np
from numba import njit, types

_WORDS = types.Array(types.int64, 1, "C", readonly=True)  # also takes arrays that may be written
_MASK = types.Array(types.boolean, 1, "C", readonly=True)
_COUNTS = types.Array(types.int64, 2, "C")
_NEW_WORDS = types.Array(types.int64, 1, "C")
_REASONS = types.Array(types.int8, 1, "C")

#: Values of `agreement`: not scored; wrong; counted by NED only; by undirected too; by all three.
NOT_SCORED, WRONG, GRANDPARENT, REVERSED, SAME = 0, 1, 2, 3, 4


@njit(types.Tuple((_NEW_WORDS, types.int64))(_WORDS), cache=True, nogil=True)
def sentence_starts(numbers):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN201
    """Row in which each sentence begins, then the number of rows; and the first row whose number falls, or -1."""
    starts = np.empty(numbers.size + 1, dtype=np.int64)
    found = 0
    for row in range(numbers.size):
        if row == 0 or numbers[row] != numbers[row - 1]:
            if row > 0 and numbers[row] < numbers[row - 1]:
                return starts[:0].copy(), row
            starts[found] = row
            found += 1
    starts[found] = numbers.size
    return starts[: found + 1].copy(), -1


@njit(types.int64(_WORDS, _WORDS), cache=True, nogil=True)
def wrong_position(starts, positions):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN201
    """The first row whose position is not its place in the sentence, counted from 1; or -1."""
    for s in range(starts.size - 1):
        for row in range(starts[s], starts[s + 1]):
            if positions[row] != row - starts[s] + 1:
                return row
    return -1


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
        for start in range(first, starts[s + 1]):
            if not removed[start] or state[start] == 2:
                continue
            word = start
            while True:  # up, until something is known
                state[word] = 1
                head = heads[word]
                if head <= 0:
                    ancestor = head
                    break
                following = first + head - 1
                if not removed[following]:
                    ancestor = head
                    break
                if state[following] == 2:
                    ancestor = result[following]
                    break
                if state[following] == 1:
                    ancestor = 0
                    cycles += 1
                    break
                word = following
            word = start
            while state[word] == 1:  # the same way again
                state[word] = 2
                result[word] = ancestor
                head = heads[word]
                if head <= 0:
                    break
                following = first + head - 1
                if not removed[following]:
                    break
                word = following
        for word in range(first, starts[s + 1]):
            if not removed[word] and heads[word] > 0:
                above = first + heads[word] - 1
                if removed[above]:
                    result[word] = result[above]
                    if first + result[above] - 1 == word:
                        result[word] = 0
                        cycles += 1
    return result, cycles


@njit(
    types.Tuple((_REASONS, _COUNTS))(_WORDS, _WORDS, _WORDS, _MASK, _MASK, types.boolean),
    cache=True,
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
            position = word - first + 1
            if p == g:
                why[word] = 4
                directed += 1
                undirected += 1
                neutral += 1
            elif p > 0 and gold[first + p - 1] == position:
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
