"""Hill climbing over many-to-one mappings, in numba: imported only where it is run."""

import numpy as np

from analysis.structures.compiled import njit

MACRO_I, MICRO_I, MICRO_C = 0, 1, 2

#: A move must raise the measure's sum by more than this, so that rounding never keeps the search going.
_TOLERANCE = 1e-10


@njit(cache=True)
def climb(
    measure: int,
    type_start: np.ndarray,
    type_clusters: np.ndarray,
    cluster_start: np.ndarray,
    cluster_types: np.ndarray,
    gold_start: np.ndarray,
    gold_classes: np.ndarray,
    n_classes: int,
    class_sizes: np.ndarray,
    reading: np.ndarray,
    order: np.ndarray,
) -> int:
    """Move one cluster at a time to the class that raises the measure most, until a pass moves none.

    Changes `reading` (the class of each cluster) in place; returns the number of passes.
    The three compressed tables are: the clusters of each type, the types of each cluster, the classes of each type.
    """
    n_types, n_clusters = len(type_start) - 1, len(cluster_start) - 1
    mark = np.full(n_classes, -1, dtype=np.int64)  # which (visit, type) last saw this class
    is_gold = np.full(n_classes, -1, dtype=np.int64)
    covered = np.zeros(n_classes, dtype=np.int64)  # types of the cluster that have the class from another cluster
    new_match = np.zeros(n_classes, dtype=np.int64)  # types that would newly match in the class
    bonus = np.zeros(n_classes, dtype=np.float64)  # MicroI: what the class adds beyond the base
    union_sizes = np.zeros(n_classes, dtype=np.int64)  # MicroC: types of the merged cluster read as the class
    union_matches = np.zeros(n_classes, dtype=np.int64)
    matched, read = 0, 0  # MacroI: sum of |A & h(B)| and of |h(B)|
    gold_total = gold_start[n_types]
    stamp = 0
    for i in range(n_types):
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
    mark[:] = -1
    is_gold[:] = -1

    passes = 0
    moved = True
    while moved:
        moved = False
        passes += 1
        for turn in range(n_clusters):
            k = order[turn]
            size = cluster_start[k + 1] - cluster_start[k]
            if size == 0:
                continue
            covered[:] = 0
            new_match[:] = 0
            bonus[:] = 0.0
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
                if measure == MICRO_I:
                    # reading the cluster as a new wrong class is the base; what else a class gives is its bonus
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
            here = reading[k]
            best = here
            if measure == MACRO_I:
                matched -= new_match[here]
                read -= size - covered[here]
                top, bottom = matched + new_match[here], gold_total + read + size - covered[here]
                for c in range(n_classes):
                    up, down = matched + new_match[c], gold_total + read + size - covered[c]
                    if up * bottom > top * down:
                        best, top, bottom = c, up, down
                matched += new_match[best]
                read += size - covered[best]
            elif measure == MICRO_I:
                for c in range(n_classes):
                    if bonus[c] > bonus[best] + _TOLERANCE:
                        best = c
            else:
                union_sizes[here] -= size - covered[here]
                union_matches[here] -= new_match[here]
                weight, total = 0.0, 0
                for c in range(n_classes):
                    total += union_sizes[c]
                    weight += _merged(union_sizes[c], union_matches[c], class_sizes[c])
                value = _with(here, size, covered, new_match, union_sizes, union_matches, class_sizes, weight, total)
                for c in range(n_classes):
                    other = _with(c, size, covered, new_match, union_sizes, union_matches, class_sizes, weight, total)
                    if other > value + _TOLERANCE:
                        best, value = c, other
                union_sizes[best] += size - covered[best]
                union_matches[best] += new_match[best]
            if best != here:
                reading[k] = best
                moved = True
    return passes


@njit(cache=True)
def _merged(size: int, matches: int, class_size: int) -> float:
    """|U| times F of one merged cluster and its class."""
    if size == 0:
        return 0.0
    return 2.0 * size * matches / (size + class_size)


@njit(cache=True)
def _with(
    c: int,
    size: int,
    covered: np.ndarray,
    new_match: np.ndarray,
    union_sizes: np.ndarray,
    union_matches: np.ndarray,
    class_sizes: np.ndarray,
    weight: float,
    total: int,
) -> float:
    """MicroC if the cluster is read as class c."""
    fresh = size - covered[c]
    without = _merged(union_sizes[c], union_matches[c], class_sizes[c])
    with_it = _merged(union_sizes[c] + fresh, union_matches[c] + new_match[c], class_sizes[c])
    return (weight - without + with_it) / (total + fresh)
