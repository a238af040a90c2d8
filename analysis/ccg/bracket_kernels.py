"""Brackets of two trees matched one by one. Used by `analysis.ccg.measures` only."""

import numpy as np

from analysis.structures.compiled import njit


@njit
def match_brackets(
    bounds: np.ndarray, other_bounds: np.ndarray, brackets: tuple, others: tuple, labelled: bool
) -> tuple[np.ndarray, np.ndarray]:
    """Whether each bracket (label, start, end) has a partner of its own in the other tree of its sentence.

    ``bounds`` are the first brackets of the sentences, with the number of brackets at the end. Of equal brackets the
    first ones are matched. Labels are compared only if ``labelled``.
    """
    (label, start, end), (other_label, other_start, other_end) = brackets, others
    matched = np.zeros(len(label), dtype=np.bool_)
    other = np.zeros(len(other_label), dtype=np.bool_)
    for sentence in range(len(bounds) - 1):
        for i in range(bounds[sentence], bounds[sentence + 1]):
            for j in range(other_bounds[sentence], other_bounds[sentence + 1]):
                if other[j] or start[i] != other_start[j] or end[i] != other_end[j]:
                    continue
                if labelled and label[i] != other_label[j]:
                    continue
                matched[i] = other[j] = True
                break
    return matched, other


@njit
def reduce_nodes(
    first: np.ndarray,
    last: np.ndarray,
    offset: np.ndarray,
    before: np.ndarray,
    up: np.ndarray,
    label: np.ndarray,
    level: int,
) -> tuple:
    """Nodes in preorder without the words that are not kept.

    ``before`` counts the kept words before each token, ``offset`` is the first token of a node's sentence. A node left
    with one of several daughters is dropped if ``level`` is 1, or is 0 and its label equals the daughter's. Gives the
    rows that stay, and of these start, end, parent, left and right (or no) daughter.
    """
    n = len(up)
    daughters = np.zeros(n, dtype=np.int64)
    filled = np.zeros(n, dtype=np.int64)
    only = np.full(n, -1, dtype=np.int64)
    for row in range(n):
        if up[row] >= 0:
            daughters[up[row]] += 1
            if before[offset[row] + last[row]] > before[offset[row] + first[row]]:
                filled[up[row]] += 1
                only[up[row]] = row
    nearest = np.full(n, -1, dtype=np.int64)  # the node itself, or else its next ancestor, as numbered here
    rows = np.empty(n, dtype=np.int64)
    start = np.empty(n, dtype=np.int64)
    end = np.empty(n, dtype=np.int64)
    parent = np.empty(n, dtype=np.int64)
    left = np.full(n, -1, dtype=np.int64)
    right = np.full(n, -1, dtype=np.int64)
    count = 0
    for row in range(n):
        above = nearest[up[row]] if up[row] >= 0 else -1
        nearest[row] = above
        begin = before[offset[row] + first[row]]
        stop = before[offset[row] + last[row]]
        if stop == begin:
            continue
        if filled[row] == 1 and daughters[row] > 1 and (level == 1 or (level == 0 and label[row] == label[only[row]])):
            continue
        nearest[row] = count
        rows[count] = row
        start[count] = begin - before[offset[row]]
        end[count] = stop - before[offset[row]]
        parent[count] = above
        if above >= 0:
            if left[above] < 0:
                left[above] = count
            else:
                right[above] = count
        count += 1
    return rows[:count], start[:count], end[:count], parent[:count], left[:count], right[:count]
