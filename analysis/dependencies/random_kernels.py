"""Uniform random projective trees from uniform random integers, in linear time.

Each side of a head is a ternary tree: empty, or a nearest child with three parts: the child's left side, the child's
right side, and the head's further children on the same side. A projective tree with one root of n words is thus a
pair of ternary trees with n - 1 nodes together. Written in preorder, with a step of +2 for a node and -1 for an empty
tree, such a pair is a sequence of 3n - 1 steps that reaches -2 for the first time at its end. Of the rotations of any
sequence of n - 1 steps +2 and 2n steps -1 exactly two are of that kind (the cycle lemma), and each pair is reached from
equally many sequences.
"""

import numpy as np

from analysis.structures.compiled import njit

_WORDS = 'Array(int64, 1, "C", readonly=True)'


@njit(forceinline=True, nogil=True)
def _push(work, top, place, head, first, right):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN202
    """Write a row number by number: numba takes two seconds to compile the assignment of a tuple."""
    work[top, 0] = place
    work[top, 1] = head
    work[top, 2] = first
    work[top, 3] = right
    return top + 1


@njit(f"void(int64, {_WORDS}, int64, int64[::1])", cache=True, nogil=True)
def _one_tree(n, picks, which, heads):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN202
    """Compute the heads of one tree: `picks[t]` is uniform from t to 3n - 2, `which` is 0 or 1."""
    nodes = n - 1
    length = 3 * nodes + 2
    order = np.arange(length)
    is_node = np.zeros(length, dtype=np.bool_)
    for t in range(nodes):  # the first steps of a shuffle: a random set of positions
        other = picks[t]
        order[t], order[other] = order[other], order[t]
        is_node[order[t]] = True

    lowest = total = 0
    for step in range(length):
        total += 2 if is_node[step] else -1
        lowest = min(lowest, total)
    start = total = 0
    for step in range(length):
        total += 2 if is_node[step] else -1
        if total == lowest + which:
            start = step + 1
            break

    sizes = np.zeros(length, dtype=np.int64)  # nodes of the ternary tree that begins at each step
    stack = np.empty(length + 1, dtype=np.int64)
    top = 0
    for place in range(length - 1, -1, -1):
        size = 0
        if is_node[(start + place) % length]:
            top -= 3
            size = 1 + stack[top] + stack[top + 1] + stack[top + 2]
        sizes[place] = size
        stack[top] = size
        top += 1

    # index in the sequence, head (position from 1), first word of the span (from 0), whether on the right of the head
    work = np.empty((length + 1, 4), dtype=np.int64)
    root = sizes[0]
    heads[root] = 0
    top = _push(work, 0, 0, root + 1, 0, 0)
    top = _push(work, top, 3 * root + 1, root + 1, root + 1, 1)
    while top:
        top -= 1
        place, head, first, right = work[top]
        if sizes[place] == 0:
            continue
        a = place + 1
        b = a + 3 * sizes[a] + 1
        c = b + 3 * sizes[b] + 1
        own_left = first if right else first + sizes[c]
        child = own_left + sizes[a]
        heads[child] = head
        top = _push(work, top, a, child + 1, own_left, 0)
        top = _push(work, top, b, child + 1, child + 1, 1)
        top = _push(work, top, c, head, child + 1 + sizes[b] if right else first, right)


@njit(f"int64[::1]({_WORDS}, {_WORDS}, {_WORDS})", cache=True, nogil=True)
def random_heads(starts, picks, which):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN201
    """Compute a tree for each sentence; `picks` has one entry per word, the last of each sentence is unused."""
    heads = np.empty(starts[-1], dtype=np.int64)
    for s in range(starts.size - 1):
        first, last = starts[s], starts[s + 1]
        _one_tree(last - first, picks[first:last], which[s], heads[first:last])
    return heads
