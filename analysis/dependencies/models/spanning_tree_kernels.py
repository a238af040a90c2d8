# ruff: noqa: ANN001, ANN201, ANN202
# mypy: disable-error-code="no-untyped-def"
"""Best trees with one root by the sum of the weights of their edges, projective or not."""

import numpy as np

from analysis.structures.compiled import njit


@njit(nogil=True)
def best_arborescence(weights):
    """Find the maximum spanning arborescence with one root (Chu & Liu 1965; Edmonds 1967).

    Parameters
    ----------
    weights : ndarray of float64, shape (n, n + 1)
        Of each head of each word; column 0 is the root.

    Returns
    -------
    ndarray of int64, shape (n,)
        Heads, from 1; 0 is the root.
    """
    n = weights.shape[0]
    size = n + 1
    w = np.zeros((size, size))  # w[head, word]
    source, target = np.empty((size, size), dtype=np.int64), np.empty((size, size), dtype=np.int64)
    many = 1.0
    for word in range(1, size):
        for head in range(size):
            w[head, word] = weights[word - 1, head]
            source[head, word], target[head, word] = head, word
            many += 2.0 * abs(w[head, word])
    for word in range(1, size):
        w[0, word] -= many  # a second root costs more than any edges bring
    active, node = np.ones(size, dtype=np.bool_), np.arange(size)
    best = np.zeros(size, dtype=np.int64)
    cycles = np.zeros((size, size), dtype=np.bool_)  # of each contraction: the nodes of the cycle,
    nodes = np.zeros((size, size), dtype=np.int64)  # the node of each word before it,
    sources, targets = np.zeros((size, size), dtype=np.int64), np.zeros((size, size), dtype=np.int64)  # its edges,
    names = np.zeros(size, dtype=np.int64)  # and the node that stands for it
    levels = 0
    while True:
        for word in range(1, size):
            if active[word]:
                best[word] = -1
                for head in range(size):
                    if head != word and active[head] and (best[word] < 0 or w[head, word] > w[best[word], word]):
                        best[word] = head
        name = _on_a_cycle(best, active)
        if name == 0:
            break
        cycle = cycles[levels]
        member = name
        while not cycle[member]:
            cycle[member] = True
            sources[levels, member] = source[best[member], member]
            targets[levels, member] = target[best[member], member]
            member = best[member]
        for word in range(size):
            nodes[levels, word] = node[word]
        names[levels] = name
        levels += 1
        for other in range(size):
            if not active[other] or cycle[other]:
                continue
            out = into = -1
            gain = 0.0
            for member in range(1, size):
                if cycle[member]:
                    if out < 0 or w[member, other] > w[out, other]:
                        out = member
                    if into < 0 or w[other, member] - w[best[member], member] > gain:
                        into, gain = member, w[other, member] - w[best[member], member]
            w[name, other], w[other, name] = w[out, other], gain
            source[name, other], source[other, name] = source[out, other], source[other, into]
            target[name, other], target[other, name] = target[out, other], target[other, into]
        for member in range(1, size):
            if cycle[member]:
                active[member] = member == name
        for word in range(size):
            if cycle[node[word]]:
                node[word] = name
    heads, entered = np.zeros(size, dtype=np.int64), np.zeros(size, dtype=np.int64)
    for word in range(1, size):
        if active[word]:
            entered[word] = target[best[word], word]
            heads[entered[word]] = source[best[word], word]
    for level in range(levels - 1, -1, -1):
        first = entered[names[level]]
        for member in range(1, size):
            if cycles[level, member]:
                if member == nodes[level, first]:
                    entered[member] = first
                else:
                    entered[member] = targets[level, member]
                    heads[entered[member]] = sources[level, member]
    return heads[1:]


@njit(nogil=True)
def _on_a_cycle(best, active):
    """A node on a cycle of best heads; 0 if there is none."""
    seen = np.zeros(best.size, dtype=np.int64)
    for start in range(1, best.size):
        at = start
        while active[start] and at != 0 and seen[at] == 0:
            seen[at] = start
            at = best[at]
        if active[start] and at != 0 and seen[at] == start:
            return at
    return 0


@njit(nogil=True)
def _push(work, top, first, last, by_first, is_half):
    work[top, 0], work[top, 1], work[top, 2], work[top, 3] = first, last, by_first, is_half
    return top + 1


@njit(nogil=True)
def best_projective_tree(weights):
    """Find the best projective tree with one root (Eisner 1996); arguments as in `best_arborescence`."""
    n = weights.shape[0]
    # value and split of spans of heads: 0 headed by the last word, 1 by the first; open ones lack a side of the other
    full, half = np.zeros((2, n, n)), np.zeros((2, n, n))
    full_at, half_at = np.zeros((2, n, n), dtype=np.int64), np.zeros((n, n), dtype=np.int64)
    for size in range(1, n):
        for i in range(n - size):
            j = i + size
            top = -np.inf
            for k in range(i, j):
                value = full[1, i, k] + full[0, k + 1, j]
                if value > top:
                    top, half_at[i, j] = value, k
            half[0, i, j], half[1, i, j] = top + weights[i, j + 1], top + weights[j, i + 1]
            full[0, i, j] = full[1, i, j] = -np.inf
            for k in range(i, j):
                value = full[0, i, k] + half[0, k, j]
                if value > full[0, i, j]:
                    full[0, i, j], full_at[0, i, j] = value, k
                value = half[1, i, k + 1] + full[1, k + 1, j]
                if value > full[1, i, j]:
                    full[1, i, j], full_at[1, i, j] = value, k + 1
    root, top = 0, -np.inf
    for word in range(n):
        value = full[0, 0, word] + full[1, word, n - 1] + weights[word, 0]
        if value > top:
            root, top = word, value
    heads = np.zeros(n, dtype=np.int64)
    work = np.empty((2 * n + 2, 4), dtype=np.int64)  # first, last, whether headed by the first, whether half
    left = _push(work, _push(work, 0, 0, root, 0, 0), root, n - 1, 1, 0)
    while left:
        left -= 1
        i, j, by_first, is_half = work[left, 0], work[left, 1], work[left, 2], work[left, 3]
        if i == j:
            continue
        if is_half:
            heads[j if by_first else i] = i + 1 if by_first else j + 1
            k = half_at[i, j]
            left = _push(work, _push(work, left, i, k, 1, 0), k + 1, j, 0, 0)
        elif by_first:
            k = full_at[1, i, j]
            left = _push(work, _push(work, left, i, k, 1, 1), k, j, 1, 0)
        else:
            k = full_at[0, i, j]
            left = _push(work, _push(work, left, i, k, 0, 0), k, j, 0, 1)
    return heads


@njit(nogil=True)
def best_trees(starts, tally, places, projective):
    """Find the best tree of each sentence from counts of edges.

    Parameters
    ----------
    starts : ndarray of int64, shape (n_sentences + 1,)
    tally, places : ndarray of int64
        Counts of edges of each sentence, from its place on, one row of n + 1 heads a word.
    projective : bool

    Returns
    -------
    ndarray of int64, shape (n_words,)
        Heads, from 1; 0 is the root.
    """
    heads = np.zeros(starts[-1], dtype=np.int64)
    for sentence in range(starts.size - 1):
        begin, end = starts[sentence], starts[sentence + 1]
        n = end - begin
        if n == 0:
            continue
        weights = np.empty((n, n + 1))
        for word in range(n):
            for head in range(n + 1):
                weights[word, head] = tally[places[sentence] + word * (n + 1) + head]
        best = best_projective_tree(weights) if projective else best_arborescence(weights)
        for word in range(n):
            heads[begin + word] = best[word]
    return heads
