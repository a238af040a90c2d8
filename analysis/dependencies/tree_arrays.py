"""Trees as arrays, as in `tree_kernels` and with the same results, by numpy alone.

The kernels are several times as fast once they are loaded, but loading them takes longer than a command needs to score
two files. `tree_functions` says which of the two is to be used; the tests hold them together.
"""

import sys
from types import ModuleType

import numpy as np

_KERNELS = "analysis.dependencies.tree_kernels"
_LOADING_PAYS = 5_000_000  # words: numpy takes about as long for so many as loading the kernels takes

_words_so_far = 0


def tree_functions(words: int) -> ModuleType:
    """The module to use for trees of so many words: the kernels once they are loaded, or as soon as loading them pays.

    Parameters
    ----------
    words : int
        Added to those of earlier calls.
    """
    global _words_so_far
    _words_so_far += words
    if _KERNELS in sys.modules or _words_so_far > _LOADING_PAYS:
        from analysis.dependencies import tree_kernels

        return tree_kernels
    return sys.modules[__name__]


def sentence_starts(numbers: np.ndarray, positions: np.ndarray) -> tuple[np.ndarray, int, int]:
    """Row in which each sentence begins, then the number of rows; what is wrong with the order; see `tree_kernels`.

    Examples
    --------
    >>> sentence_starts(np.array([0, 0, 4]), np.array([1, 2, 2]))
    (array([0, 2, 3]), -1, 2)
    """
    steps = np.diff(numbers)
    falls = np.flatnonzero(steps < 0)
    if len(falls):
        return np.empty(0, dtype=np.int64), int(falls[0]) + 1, -1
    starts = np.concatenate([np.zeros(min(1, len(numbers)), np.int64), np.flatnonzero(steps) + 1, [len(numbers)]])
    misplaced = -1
    if len(positions):
        wrong = np.flatnonzero(positions != np.arange(1, len(numbers) + 1) - np.repeat(starts[:-1], np.diff(starts)))
        misplaced = int(wrong[0]) if len(wrong) else -1
    return starts, -1, misplaced


def find_defects(starts: np.ndarray, heads: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Heads with those out of range set to -1, and what is wrong with each sentence; see `tree_kernels`.

    Examples
    --------
    >>> find_defects(np.array([0, 3]), np.array([2, 1, 9]))[1].tolist()  # a cycle, and a head out of range
    [[1, 0, 0, 0, 1]]
    """
    lengths = np.diff(starts)
    first = np.repeat(starts[:-1], lengths)
    outside = (heads < -1) | (heads > np.repeat(lengths, lengths))
    clean = np.where(outside, -1, heads)
    own = clean == np.arange(1, len(clean) + 1) - first
    defects = np.zeros((len(lengths), 5), dtype=np.int64)
    for column, mask in enumerate((own, clean == 0, heads == -1, outside), start=1):
        defects[:, column] = _sums(starts, mask)
    above = _rows_above(first, clean)
    for row in _distinct_cycles(above, _rows_in_cycles(above, int(lengths.max(initial=0)))):
        defects[np.searchsorted(starts, row, side="right") - 1, 0] += 1
    return clean, defects


def reattach(starts: np.ndarray, heads: np.ndarray, removed: np.ndarray) -> tuple[np.ndarray, int]:
    """Heads with removed words passed over, and how often a way up came back; see `tree_kernels`.

    Examples
    --------
    >>> heads, cycles = reattach(np.array([0, 3]), np.array([0, 1, 2]), np.array([False, True, False]))
    >>> heads.tolist(), cycles
    ([0, 1, 1], 0)
    """
    first = np.repeat(starts[:-1], np.diff(starts))
    gone = np.flatnonzero(removed)
    under = np.flatnonzero((heads > 0) & removed[np.maximum(first + heads, 1) - 1])
    result = heads.copy()
    if not len(under):
        return result, 0
    place = np.zeros(len(heads), dtype=np.int64)  # of each removed word among the removed
    place[gone] = np.arange(len(gone))
    above = first[gone] + heads[gone] - 1
    leaves = (heads[gone] <= 0) | ~removed[np.maximum(above, 0)]
    step = np.where(leaves, np.arange(len(gone)), place[np.where(leaves, 0, above)])
    last = step  # the last removed word on the way up, once the jumps are long enough
    for _ in range(len(gone).bit_length()):
        if leaves[last].all():
            break
        last = last[last]
    ancestor = np.where(leaves[last], heads[gone[last]], 0)
    cycles = len(_distinct_cycles(step, last[~leaves[last]]))
    result[gone] = ancestor
    stays = under[~removed[under]]
    result[stays] = ancestor[place[first[stays] + heads[stays] - 1]]
    own = stays[result[stays] == stays - first[stays] + 1]
    result[own] = 0
    return result, cycles + len(own)


def agreement(
    starts: np.ndarray,
    gold: np.ndarray,
    predicted: np.ndarray,
    removed: np.ndarray,
    chosen: np.ndarray,
    root_edges: bool,
) -> tuple[np.ndarray, np.ndarray]:
    """Why each token counts, and the counts of each sentence; see `tree_kernels`.

    Examples
    --------
    >>> words = np.zeros(3, dtype=bool)
    >>> why, counts = agreement(np.array([0, 3]), np.array([2, 3, 0]), np.array([0, 1, 2]), words, ~words[:1], True)
    >>> why.tolist(), counts.tolist()
    ([1, 3, 3], [[3, 0, 2, 2]])
    """
    lengths = np.diff(starts)
    least = 0 if root_edges else 1
    scored = ~removed & (gold >= least) & np.repeat(chosen, lengths)
    same = gold == predicted
    why = (same & scored).view(np.int8) * np.int8(4)
    rest = np.flatnonzero(scored & ~same)
    g, p = gold[rest], predicted[rest]
    before = np.repeat(starts[:-1], lengths)[rest] - 1
    reversed_ = (p > 0) & (gold[before + np.maximum(p, 1)] == rest - before)
    grandparent = (g > 0) & (p >= least) & (gold[before + np.maximum(g, 1)] == p)
    why[rest] = np.where(reversed_, 3, np.where(grandparent, 2, 1))
    return why, np.stack([_sums(starts, why >= reason) for reason in (1, 4, 3, 2)], axis=1)


def _sums(starts: np.ndarray, mask: np.ndarray) -> np.ndarray:
    """Number of tokens of each sentence that a mask holds."""
    counted = np.concatenate([np.zeros(1, dtype=np.int64), np.cumsum(mask, dtype=np.int64)])
    return np.diff(counted[starts])


def _rows_above(first: np.ndarray, heads: np.ndarray) -> np.ndarray:
    """Row of each word's head; the number of words where there is none: the root, no head, or the word itself.

    One entry more than there are words: the last, the row of no word, leads to itself.
    """
    n = len(heads)
    above = np.append(first + heads - 1, n)
    above[:n][(heads <= 0) | (above[:n] == np.arange(n))] = n
    return above


def _rows_in_cycles(above: np.ndarray, longest: int) -> np.ndarray:
    """Rows on cycles, some of each: where words are after at least `longest` steps whose way up never ends.

    Every word jumps to its head, then to its head's head and so on, twice as far each time.
    """
    nowhere = len(above) - 1
    lost, jumps = np.arange(nowhere), above
    while True:
        lost = lost[jumps[lost] != nowhere]
        if not len(lost) or not longest:
            return jumps[lost]
        jumps = jumps[jumps]
        longest >>= 1


def _distinct_cycles(above: np.ndarray, arrived: np.ndarray) -> list[int]:
    """The least row of each cycle on which some of these rows are."""
    seen: set[int] = set()
    firsts = []
    for begin in np.unique(arrived).tolist():
        if begin in seen:
            continue
        members = [begin]
        while (following := int(above[members[-1]])) != begin:
            members.append(following)
        seen.update(members)
        firsts.append(min(members))
    return firsts
