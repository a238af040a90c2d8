"""Kernels of Brown clustering and the exchange algorithm; imported on demand.

Classes 0 .. K-1 are searched; further classes (rare words, the boundary symbol) are fixed.
Throughout, h(x) = x log x with h(0) = 0, looked up in a table.
"""

from typing import NamedTuple

import numpy as np

from analysis.structures.compiled import njit

#: Losses and gains that differ by less than this (in nats times counts) are treated as equal.
TOLERANCE = 1e-6


class Neighbours(NamedTuple):
    """Words after and before each type with their counts; those of type t go from ``start[t]`` to ``start[t + 1]``."""

    after_start: np.ndarray
    after: np.ndarray
    after_counts: np.ndarray
    before_start: np.ndarray
    before: np.ndarray
    before_counts: np.ndarray


class Counts(NamedTuple):
    """Adjacent pairs by class, row and column sums, and the table of h."""

    N: np.ndarray
    out: np.ndarray
    into: np.ndarray
    table: np.ndarray


class Slots(NamedTuple):
    """State of Brown clustering: classes in slots, merges done, and components of the losses of other merges."""

    classes: np.ndarray  # slot of each type, -1 before it is added
    members: np.ndarray  # next type in the same class, -1: the last
    ends: np.ndarray  # first and last type of each slot
    active: np.ndarray  # whether a slot is in use
    first: np.ndarray  # most frequent word of each slot
    cells: np.ndarray
    sums: np.ndarray
    merges: np.ndarray  # the first words of the two classes merged
    losses: np.ndarray


class Work(NamedTuple):
    """Work arrays of a pass of the exchange algorithm."""

    before: np.ndarray  # tokens before the type, by class
    after: np.ndarray
    before_used: np.ndarray  # the classes with a non-zero count
    after_used: np.ndarray
    N_across: np.ndarray  # N by the second class
    h_cells: np.ndarray  # h(N)
    h_across: np.ndarray


@njit
def h_table(size: int) -> np.ndarray:
    """h(0) .. h(size - 1)."""
    table = np.zeros(size, dtype=np.float64)
    for x in range(2, size):
        table[x] = x * np.log(x)
    return table


@njit
def _h(x: int, table: np.ndarray) -> float:
    if x < len(table):
        return table[x]
    return x * np.log(x)


@njit
def _d(x: int, y: int, table: np.ndarray) -> float:
    """Compute h(x) + h(y) - h(x + y): 0 if either is 0, else negative."""
    if x == 0 or y == 0:
        return 0.0
    return _h(x, table) + _h(y, table) - _h(x + y, table)


@njit
def mutual_information_sum(pairs: np.ndarray, table: np.ndarray) -> float:
    """Compute F without the constant of the words: sum h(N[c,d]) - sum h(N[c,.]) - sum h(N[.,d])."""
    n = len(pairs)
    total = 0.0
    for c in range(n):
        out, into = 0, 0
        for d in range(n):
            total += _h(pairs[c, d], table)
            out += pairs[c, d]
            into += pairs[d, c]
        total -= _h(out, table) + _h(into, table)
    return total


# --- Brown clustering -------------------------------------------------------------------------------------------


@njit
def _own_cells(i: int, j: int, N: np.ndarray, table: np.ndarray) -> float:
    """Compute the loss in the four cells of i and j when the two are merged."""
    ii, ij, ji, jj = N[i, i], N[i, j], N[j, i], N[j, j]
    kept = _h(ii, table) + _h(ij, table) + _h(ji, table) + _h(jj, table)
    return kept - _h(ii + ij + ji + jj, table)


@njit
def _cells_row(x: int, active: np.ndarray, N: np.ndarray, cells: np.ndarray, table: np.ndarray) -> None:
    """Compute the cell component of the loss of merging x with every active class, from scratch."""
    n_slots, n_all = len(active), len(N)
    for j in range(n_slots):
        if active[j] and j != x:
            cells[x, j] = _own_cells(x, j, N, table)
    for other in range(n_all):
        if other == x:
            continue
        out, into = N[x, other], N[other, x]
        if out == 0 and into == 0:
            continue
        for j in range(n_slots):
            if active[j] and j != x and j != other:
                cells[x, j] += _d(out, N[j, other], table) + _d(into, N[other, j], table)
    for j in range(n_slots):
        if active[j] and j != x:
            cells[j, x] = cells[x, j]


@njit
def _sums_row(
    x: int, active: np.ndarray, out: np.ndarray, into: np.ndarray, sums: np.ndarray, table: np.ndarray
) -> None:
    """Compute the marginal component of the loss of merging x with every active class."""
    for j in range(len(active)):
        if active[j] and j != x:
            sums[x, j] = _d(out[x], out[j], table) + _d(into[x], into[j], table)
            sums[j, x] = sums[x, j]


@njit
def _merge(a: int, b: int, slots: Slots, counts: Counts) -> None:
    """Merge b into a and update all losses; fast if b has few neighbours."""
    active, cells, sums = slots.active, slots.cells, slots.sums
    N, out, into, table = counts
    n_slots, n_all = len(active), len(N)
    # pairs (i, j) without a and b: their columns a and b are merged, and their rows too
    for way in range(2):
        for i in range(n_slots):
            if not active[i] or i in (a, b):
                continue
            ia, ib = (N[i, a], N[i, b]) if way == 0 else (N[a, i], N[b, i])
            if ib == 0:
                continue
            for j in range(n_slots):
                if not active[j] or j in (i, a, b):
                    continue
                ja, jb = (N[j, a], N[j, b]) if way == 0 else (N[a, j], N[b, j])
                if jb > 0 and j < i:
                    continue  # already done with i and j exchanged
                change = _d(ia + ib, ja + jb, table) - _d(ia, ja, table) - _d(ib, jb, table)
                cells[i, j] += change
                cells[j, i] += change
    # pairs (a, j): first without the four cells between a and j, and without the column and row of b
    for j in range(n_slots):
        if active[j] and j != a and j != b:
            gone = _own_cells(a, j, N, table) + _d(N[a, b], N[j, b], table) + _d(N[b, a], N[b, j], table)
            cells[a, j] -= gone
    for other in range(n_all):
        if other in (a, b):
            continue
        a_out, b_out, a_in, b_in = N[a, other], N[b, other], N[other, a], N[other, b]
        if b_out == 0 and b_in == 0:
            continue
        for j in range(n_slots):
            if active[j] and j != a and j != b and j != other:
                j_out, j_in = N[j, other], N[other, j]
                if b_out > 0:
                    cells[a, j] += _d(a_out + b_out, j_out, table) - _d(a_out, j_out, table)
                if b_in > 0:
                    cells[a, j] += _d(a_in + b_in, j_in, table) - _d(a_in, j_in, table)
    for other in range(n_all):
        N[a, other] += N[b, other]
        N[b, other] = 0
    for other in range(n_all):
        N[other, a] += N[other, b]
        N[other, b] = 0
    out[a] += out[b]
    into[a] += into[b]
    out[b] = into[b] = 0
    active[b] = False
    for j in range(n_slots):
        if active[j] and j != a:
            cells[a, j] += _own_cells(a, j, N, table)
            cells[j, a] = cells[a, j]
        cells[b, j] = cells[j, b] = np.inf
        sums[b, j] = sums[j, b] = 0.0
    _sums_row(a, active, out, into, sums, table)


@njit
def _least_loss(cells: np.ndarray, sums: np.ndarray, first: np.ndarray) -> tuple[int, int]:
    """Find the pair of slots with the smallest loss; ties go to the most frequent first word, then second word."""
    n_slots = len(cells)
    least = np.empty(n_slots, dtype=np.float64)
    best = np.inf
    for i in range(n_slots):
        row = np.inf
        for j in range(i):
            row = min(row, cells[i, j] - sums[i, j])
        least[i] = row
        best = min(best, row)
    chosen_i, chosen_j = -1, -1
    low, high = 0, 0
    for i in range(n_slots):
        if least[i] > best + TOLERANCE:
            continue
        for j in range(i):
            if cells[i, j] - sums[i, j] <= best + TOLERANCE:
                one, two = min(first[i], first[j]), max(first[i], first[j])
                if chosen_i < 0 or one < low or (one == low and two < high):
                    chosen_i, chosen_j, low, high = i, j, one, two
    return chosen_i, chosen_j


@njit
def _add(step: int, near: Neighbours, slots: Slots, counts: Counts) -> None:
    """Add a type as a new class, and update all losses."""
    classes, active, cells = slots.classes, slots.active, slots.cells
    N, out, into, table = counts
    n_slots = len(active)
    x = 0
    while active[x]:
        x += 1
    active[x] = True
    slots.first[x] = step
    classes[step] = x
    slots.members[step] = -1
    slots.ends[x, 0] = slots.ends[x, 1] = step
    for at in range(near.after_start[step], near.after_start[step + 1]):
        c = classes[near.after[at]]
        if c >= 0:
            N[x, c] += near.after_counts[at]
            out[x] += near.after_counts[at]
            into[c] += near.after_counts[at]
    for at in range(near.before_start[step], near.before_start[step + 1]):
        c = classes[near.before[at]]
        if c >= 0 and near.before[at] != step:
            N[c, x] += near.before_counts[at]
            out[c] += near.before_counts[at]
            into[x] += near.before_counts[at]
    beside = np.empty(n_slots, dtype=np.int64)
    for way in range(2):  # pairs of classes that both precede x, or both follow it
        n_beside = 0
        for i in range(n_slots):
            if active[i] and i != x and (N[i, x] if way == 0 else N[x, i]) > 0:
                beside[n_beside] = i
                n_beside += 1
        for one in range(n_beside):
            for two in range(one):
                i, j = beside[one], beside[two]
                change = _d(N[i, x], N[j, x], table) if way == 0 else _d(N[x, i], N[x, j], table)
                cells[i, j] += change
                cells[j, i] += change
    _cells_row(x, active, N, cells, table)
    _sums_row(x, active, out, into, slots.sums, table)
    for i in range(n_slots):
        if active[i] and i != x and (N[i, x] > 0 or N[x, i] > 0):
            _sums_row(i, active, out, into, slots.sums, table)


@njit
def _merge_best(number: int, slots: Slots, counts: Counts) -> None:
    """Merge the two classes with the smallest loss; ``number`` is the number of the merge."""
    classes, members, ends, first = slots.classes, slots.members, slots.ends, slots.first
    i, j = _least_loss(slots.cells, slots.sums, first)
    slots.losses[number] = slots.cells[i, j] - slots.sums[i, j]
    slots.merges[number, 0], slots.merges[number, 1] = min(first[i], first[j]), max(first[i], first[j])
    N, neighbours_i, neighbours_j = counts.N, 0, 0
    for c in range(len(N)):
        neighbours_i += (N[i, c] > 0) + (N[c, i] > 0)
        neighbours_j += (N[j, c] > 0) + (N[c, j] > 0)
    a, b = (i, j) if neighbours_i >= neighbours_j else (j, i)
    _merge(a, b, slots, counts)
    first[a] = slots.merges[number, 0]
    at = ends[b, 0]
    while at >= 0:
        classes[at] = a
        at = members[at]
    members[ends[a, 1]] = ends[b, 0]
    ends[a, 1] = ends[b, 1]


@njit
def brown(n_types: int, n_clusters: int, near: Neighbours, slots: Slots, counts: Counts, done: int, until: int) -> None:
    """Add the types `done` .. `until` - 1 (by frequency) one by one, merging whenever there are too many classes.

    For each number of `until` beyond the types, one further merge is done. `slots` and `counts` are changed in place.
    """
    for step in range(done, until):
        if step < n_types:
            _add(step, near, slots, counts)
            if step % (16 * n_clusters) == 0:  # so that rounding errors do not accumulate
                for i in range(len(slots.active)):
                    if slots.active[i]:
                        _cells_row(i, slots.active, counts.N, slots.cells, counts.table)
        if step >= n_clusters:
            _merge_best(step - n_clusters, slots, counts)


# --- the exchange algorithm -------------------------------------------------------------------------------------


@njit
def _work(N: np.ndarray, table: np.ndarray) -> Work:
    n = len(N)
    N_across = np.empty_like(N)
    h_cells, h_across = np.empty(N.shape, dtype=np.float64), np.empty(N.shape, dtype=np.float64)
    for c in range(n):
        for d in range(n):
            N_across[d, c] = N[c, d]
            h_cells[c, d] = h_across[d, c] = _h(N[c, d], table)
    before, after = np.zeros(n, dtype=np.int64), np.zeros(n, dtype=np.int64)
    return Work(before, after, np.empty(n, dtype=np.int64), np.empty(n, dtype=np.int64), N_across, h_cells, h_across)


@njit
def _beside(
    w: int, start: np.ndarray, words: np.ndarray, counts: np.ndarray, classes: np.ndarray, by_class: np.ndarray,
    used: np.ndarray,
) -> tuple[int, int, int]:  # fmt: skip
    """Sum the neighbours of a type by class; return the numbers of classes, of tokens, and of pairs of w and w."""
    n_used, total, own = 0, 0, 0
    for at in range(start[w], start[w + 1]):
        if words[at] == w:
            own = counts[at]
            continue
        c = classes[words[at]]
        if c < 0:
            continue
        if by_class[c] == 0:
            used[n_used] = c
            n_used += 1
        by_class[c] += counts[at]
        total += counts[at]
    return n_used, total, own


@njit(forceinline=True)
def _add_gains(
    gain: np.ndarray, used: np.ndarray, by_class: np.ndarray, N: np.ndarray, h_cells: np.ndarray, table: np.ndarray
) -> None:
    """Add the gain in the cells of the neighbouring classes of a type if it is moved to each class."""
    for at in range(len(used)):
        c = used[at]
        count = by_class[c]
        for k in range(len(gain)):
            if k != c:
                gain[k] += _h(N[c, k] + count, table) - h_cells[c, k]


@njit
def exchange_pass(
    begin: int, end: int, n_clusters: int, forced: bool, classes: np.ndarray, near: Neighbours, counts: Counts,
    prior: np.ndarray,
) -> tuple[np.ndarray, np.ndarray]:  # fmt: skip
    """Visit the types `begin` .. `end` - 1 and move each to the class with the highest objective.

    A type moves only if this improves the objective; if `forced`, it always leaves its class. `classes` and `counts`
    are updated. `prior` has a row for each type and a column for each class, or no rows. Returns the moves (type, from,
    to), and the increase of the objective by each.
    """
    N, out, into, table = counts
    after_start, after, after_counts, before_start, before, before_counts = near
    work = _work(N, table)
    a, b, before_used, after_used, N_across, h_cells, h_across = work
    moves, changes = np.empty((end - begin, 3), dtype=np.int64), np.empty(end - begin, dtype=np.float64)
    gain = np.empty(n_clusters, dtype=np.float64)
    n_moves = 0
    for w in range(begin, end):
        home = classes[w]
        n_a, a_total, own = _beside(w, before_start, before, before_counts, classes, a, before_used)
        n_b, b_total, _ = _beside(w, after_start, after, after_counts, classes, b, after_used)
        a_used, b_used = before_used[:n_a], after_used[:n_b]
        a_total += own
        b_total += own
        _shift(-1, home, own, a_used, b_used, counts, work)
        out[home] -= b_total
        into[home] -= a_total
        for k in range(n_clusters):
            gain[k] = (
                _h(N[k, k] + a[k] + b[k] + own, table)
                - h_cells[k, k]
                - _h(out[k] + b_total, table)
                + _h(out[k], table)
                - _h(into[k] + a_total, table)
                + _h(into[k], table)
            )
            if len(prior) > 0:
                gain[k] += prior[w, k]
        _add_gains(gain, a_used, a, N, h_cells, table)
        _add_gains(gain, b_used, b, N_across, h_across, table)
        best = 0 if forced else home
        for k in range(n_clusters):
            if gain[k] > gain[best] + TOLERANCE:
                best = k
        _shift(1, best, own, a_used, b_used, counts, work)
        out[best] += b_total
        into[best] += a_total
        if best != home:
            classes[w] = best
            moves[n_moves, 0], moves[n_moves, 1], moves[n_moves, 2] = w, home, best
            changes[n_moves] = gain[best] - gain[home] if home < n_clusters else np.nan
            n_moves += 1
        for c in a_used:
            a[c] = 0
        for c in b_used:
            b[c] = 0
    return moves[:n_moves], changes[:n_moves]


@njit
def _shift(sign: int, k: int, own: int, a_used: np.ndarray, b_used: np.ndarray, counts: Counts, work: Work) -> None:
    """Add the pairs of a type to class k, or subtract them."""
    N, table, before, after = counts.N, counts.table, work.before, work.after
    N_across, h_cells, h_across = work.N_across, work.h_cells, work.h_across
    for c in a_used:
        N[c, k] += sign * before[c]
    for c in b_used:
        N[k, c] += sign * after[c]
    N[k, k] += sign * own
    for c in a_used:
        N_across[k, c] = N[c, k]
        h_cells[c, k] = h_across[k, c] = _h(N[c, k], table)
    for c in b_used:
        N_across[c, k] = N[k, c]
        h_cells[k, c] = h_across[c, k] = _h(N[k, c], table)
    N_across[k, k] = N[k, k]
    h_cells[k, k] = h_across[k, k] = _h(N[k, k], table)
