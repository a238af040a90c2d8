"""Hill climbing over many-to-one mappings in numba; imported on demand.

As plain Python the kernels also take lists instead of arrays, whose elements are read several times as fast.
"""

from typing import NamedTuple

import numpy as np

from analysis.structures.compiled import njit

MACRO_I, MICRO_I, MICRO_C = 0, 1, 2

#: A move must increase the sum by more than this, so that rounding errors cannot prevent convergence.
_TOLERANCE = 1e-10


class Memberships(NamedTuple):
    """Compressed sparse tables: clusters of each type, types of each cluster, classes of each type."""

    type_start: np.ndarray
    type_clusters: np.ndarray
    cluster_start: np.ndarray
    cluster_types: np.ndarray
    gold_start: np.ndarray
    gold_classes: np.ndarray


class Tally(NamedTuple):
    """Sums for each class while a cluster is reassigned."""

    mark: np.ndarray  # last (visit, type) in which the class occurred
    is_gold: np.ndarray
    covered: np.ndarray  # types of the cluster that have the class from another cluster
    new_match: np.ndarray  # types that would newly match in the class
    bonus: np.ndarray  # MicroI: gain of the class beyond the base; MicroC: |U| times F of its merged cluster, or MicroC
    union_sizes: np.ndarray  # MicroC: number of types of the merged cluster mapped to the class
    union_matches: np.ndarray


@njit
def climb(
    measure: int, table: Memberships, class_sizes: np.ndarray, reading: np.ndarray, order: np.ndarray, tally: Tally
) -> int:
    """Remap one cluster at a time to the class that increases the measure most, until a pass changes none.

    Changes `reading` (the class of each cluster) in place; returns the number of passes. `tally` is a new `Tally`: -1
    for each class in its marks, 0 elsewhere.
    """
    n, bonus = len(class_sizes), tally.bonus
    matched, read = _read_all(table, reading, tally)  # MacroI: sum of |A & h(B)| and of |h(B)|
    gold_total, cluster_start = len(table.gold_classes), table.cluster_start
    passes, stamp = 0, 0
    moved = True
    while moved:
        moved = False
        passes += 1
        for k in order:
            size = cluster_start[k + 1] - cluster_start[k]
            if size == 0:
                continue
            stamp = _take_out(measure, k, table, reading, tally, stamp)
            here = reading[k]
            if measure == MACRO_I:
                best, matched, read = _best_macro(here, size, matched, read, gold_total, tally)
            elif measure == MICRO_I:
                best = here
                for c in range(n):
                    if bonus[c] > bonus[best] + _TOLERANCE:
                        best = c
            else:
                best = _best_merged(here, size, class_sizes, tally)
            if best != here:
                reading[k] = best
                moved = True
    return passes


@njit
def _read_all(table: Memberships, reading: np.ndarray, tally: Tally) -> tuple[int, int]:
    """Fill the merged clusters; return numbers of matching types and of mapped types, summed over classes."""
    type_start, type_clusters, _, _, gold_start, gold_classes = table
    mark, is_gold, union_sizes, union_matches = tally.mark, tally.is_gold, tally.union_sizes, tally.union_matches
    matched, read = 0, 0
    for i in range(len(type_start) - 1):
        for at in range(gold_start[i], gold_start[i + 1]):
            is_gold[gold_classes[at]] = i
        for at in range(type_start[i], type_start[i + 1]):
            c = reading[type_clusters[at]]
            if mark[c] != i:
                mark[c] = i
                read += 1
                union_sizes[c] += 1
                if is_gold[c] == i:
                    matched += 1
                    union_matches[c] += 1
    for c in range(len(mark)):
        mark[c] = is_gold[c] = -1
    return matched, read


@njit
def _take_out(measure: int, k: int, table: Memberships, reading: np.ndarray, tally: Tally, stamp: int) -> int:
    """Compute the gain of each class from cluster k, with the cluster removed; return the last stamp used."""
    type_start, type_clusters, cluster_start, cluster_types, gold_start, gold_classes = table
    mark, is_gold, covered, new_match, bonus, _, _ = tally
    for c in range(len(covered)):
        covered[c] = new_match[c] = 0
        bonus[c] = 0.0
    for member in range(cluster_start[k], cluster_start[k + 1]):
        i = cluster_types[member]
        stamp += 1
        n_gold = gold_start[i + 1] - gold_start[i]
        for at in range(gold_start[i], gold_start[i + 1]):
            c = gold_classes[at]
            is_gold[c] = stamp
            new_match[c] += 1
        others, right = 0, 0  # |h(B)| and |A & h(B)| without this cluster
        for at in range(type_start[i], type_start[i + 1]):
            if type_clusters[at] == k:
                continue
            c = reading[type_clusters[at]]
            if mark[c] != stamp:
                mark[c] = stamp
                others += 1
                covered[c] += 1
                if is_gold[c] == stamp:
                    right += 1
                    new_match[c] -= 1
        if measure != MICRO_I:
            continue
        # base: the cluster mapped to a new, wrong class; the bonus of a class is its gain beyond the base
        wrong = 2.0 * right / (n_gold + others + 1)
        for at in range(gold_start[i], gold_start[i + 1]):
            if mark[gold_classes[at]] != stamp:
                bonus[gold_classes[at]] += 2.0 / (n_gold + others + 1)
        if n_gold + others > 0:
            same = 2.0 * right / (n_gold + others) - wrong
            for at in range(type_start[i], type_start[i + 1]):
                if type_clusters[at] == k:
                    continue
                c = reading[type_clusters[at]]
                if mark[c] == stamp:
                    mark[c] = -1
                    bonus[c] += same
    return stamp


@njit
def _best_macro(here: int, size: int, matched: int, read: int, gold_total: int, tally: Tally) -> tuple[int, int, int]:
    """Return the class with the highest MacroI, and the two sums with the cluster mapped to it."""
    covered, new_match, best = tally.covered, tally.new_match, here
    matched -= new_match[here]
    read -= size - covered[here]
    top, bottom = matched + new_match[here], gold_total + read + size - covered[here]
    for c in range(len(covered)):
        up, down = matched + new_match[c], gold_total + read + size - covered[c]
        if up * bottom > top * down:
            best, top, bottom = c, up, down
    return best, matched + new_match[best], read + size - covered[best]


@njit
def _best_merged(here: int, size: int, class_sizes: np.ndarray, tally: Tally) -> int:
    """Return the class with the highest MicroC, and update the merged clusters; the cluster has `size` > 0 types."""
    _, _, covered, new_match, worth, union_sizes, union_matches = tally
    union_sizes[here] -= size - covered[here]
    union_matches[here] -= new_match[here]
    weight, total = 0.0, 0
    for c in range(len(class_sizes)):
        worth[c] = 0.0
        if union_sizes[c] > 0:
            total += union_sizes[c]
            worth[c] = 2.0 * union_sizes[c] * union_matches[c] / (union_sizes[c] + class_sizes[c])
            weight += worth[c]
    for c in range(len(class_sizes)):  # MicroC with the cluster mapped to class c
        fresh = size - covered[c]
        larger = union_sizes[c] + fresh
        merged = 2.0 * larger * (union_matches[c] + new_match[c]) / (larger + class_sizes[c])
        worth[c] = (weight - worth[c] + merged) / (total + fresh)
    best = here
    for c in range(len(class_sizes)):
        if worth[c] > worth[best] + _TOLERANCE:
            best = c
    union_sizes[best] += size - covered[best]
    union_matches[best] += new_match[best]
    return best
