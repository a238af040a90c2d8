"""Trees as arrays: defects, removal of punctuation, and agreement.

Heads are positions within the sentence, from 1; 0 is the root, -1 means no head. ``starts`` has one more entry than
sentences: sentence s is ``starts[s]`` to ``starts[s + 1]``.

Only NumPy is used: scoring two files takes less time than loading compiled code.
"""

import numpy as np


def sentence_starts(numbers: np.ndarray, positions: np.ndarray) -> tuple[np.ndarray, int, int]:
    """Find the first row of each sentence, followed by the number of rows, and the first errors of the order.

    Returns
    -------
    starts : ndarray of int64
    falls : int
        The first row whose sentence number decreases; -1 if none.
    misplaced : int
        The first row whose position is not its index in the sentence, from 1; -1 if none, or without positions.

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
    """Set heads that are out of range to -1, and count the defects of each sentence.

    Returns
    -------
    heads : ndarray of int64
    defects : ndarray of int64, shape (n_sentences, 5)
        Cycles of two words or more; words that are their own heads; words under the root; words whose head is -1;
        words whose head is out of range.

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
    above = first + clean - 1
    above[own | (clean <= 0)] = -1
    longest = int(lengths.max(initial=0))
    cycles = _first_rows(above, _rows_in_cycles(above, longest), longest)
    defects[:, 0] = np.diff(np.searchsorted(cycles, starts))
    return clean, defects


def reattach(starts: np.ndarray, heads: np.ndarray, removed: np.ndarray) -> tuple[np.ndarray, int]:
    """Replace removed heads by the nearest ancestor that is kept, or the root.

    A path that returns to a removed word, or through removed words to the word itself, ends at the root. Removed words
    get the head that their children would get.

    Returns
    -------
    heads : ndarray of int64
    cycles : int
        Number of such returning paths.

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
    place = np.zeros(len(heads), dtype=np.int64)  # index of each removed word among the removed
    place[gone] = np.arange(len(gone))
    above = first[gone] + heads[gone] - 1
    leaves = (heads[gone] <= 0) | ~removed[np.maximum(above, 0)]
    step = np.where(leaves, np.arange(len(gone)), place[np.where(leaves, 0, above)])
    last = step  # the last removed word on the path, after enough steps
    longest = int(np.diff(starts).max())
    for _ in range(longest.bit_length()):
        if leaves[last].all():
            break
        last = last[last]
    ancestor = np.where(leaves[last], heads[gone[last]], 0)
    cycles = len(_first_rows(step, last[~leaves[last]], longest))
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
    """Compute the reason why each token counts, and the counts of each sentence.

    Returns
    -------
    why : ndarray of int8, shape (n_tokens,)
        0 = not scored, 1 = wrong, 2 = counted by NED only, 3 = also by undirected, 4 = by all three.
    counts : ndarray of int64, shape (n_sentences, 4)
        Tokens scored, correct directed, correct undirected, correct by NED.

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
    """Count the tokens of each sentence selected by a mask."""
    return np.diff(np.searchsorted(np.flatnonzero(mask), starts))


def _rows_in_cycles(above: np.ndarray, longest: int) -> np.ndarray:
    """Find rows on cycles of at most `longest` rows, some more than once; `above` is the row of the head, -1 if none.

    By pointer doubling, every word moves to its head, its head's head and so on, twice as far each time, until it has
    left the tree or made `longest` steps.
    """
    jumps, rows = np.append(above, -1), np.flatnonzero(above >= 0)  # from row -1, the last, to row -1
    while longest and len(rows):
        jumps[rows] = jumps[jumps[rows]]
        rows = rows[jumps[rows] >= 0]
        longest >>= 1
    return jumps[rows]


def _first_rows(above: np.ndarray, arrived: np.ndarray, longest: int) -> np.ndarray:
    """Find the smallest row of each cycle, ascending; `arrived` contains every row on a cycle at least once."""
    on_cycle = np.zeros(len(above), dtype=bool)
    on_cycle[arrived] = True
    rows = np.flatnonzero(on_cycle)
    jumps, least = (np.cumsum(on_cycle) - 1)[above[rows]], rows
    for _ in range(longest.bit_length()):
        least, jumps = np.minimum(least, least[jumps]), jumps[jumps]
    return rows[least == rows]
