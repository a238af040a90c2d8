"""Trees from the order in which their nodes open and close."""

from typing import NamedTuple

import numpy as np


class Preorder(NamedTuple):
    """Nodes of trees in preorder; one entry per node.

    Attributes
    ----------
    place : ndarray of int64
        Step at which the node opens.
    parent : ndarray of int64
        Row of the parent; -1 = root.
    leaf : ndarray of bool
    before, until : ndarray of int64
        Leaves of all trees before the node, and up to its end.
    """

    place: np.ndarray
    parent: np.ndarray
    leaf: np.ndarray
    before: np.ndarray
    until: np.ndarray


def preorder(steps: np.ndarray) -> Preorder | None:
    """Find the parent and the leaves of each node.

    Parameters
    ----------
    steps : ndarray of int8, shape (n_steps,)
        1 where a node with daughters opens, -1 where it closes, 0 where there is a leaf.

    Returns
    -------
    Preorder
        None if a step closes nothing, a node is not closed, or a node has no daughter.

    Examples
    --------
    >>> tree = preorder(np.array([1, 0, 1, 0, -1, -1], dtype=np.int8))
    >>> tree.parent.tolist(), tree.before.tolist(), tree.until.tolist()
    ([-1, 0, 0, 2], [0, 0, 1, 1], [2, 1, 2, 2])
    """
    depth = np.cumsum(steps, dtype=np.int32)
    if not len(steps) or depth[-1] or depth.min() < 0 or ((steps[:-1] == 1) & (steps[1:] == -1)).any():
        return None
    place, closing = np.flatnonzero(steps >= 0), np.flatnonzero(steps < 0)
    inner = steps[place] == 1
    level = depth[place] - inner
    small = np.int16 if int(depth.max()) < 2**15 else np.int32  # 16 bits are sorted faster
    order, closed = (np.argsort(each.astype(small), kind="stable") for each in (level, depth[closing]))
    opened = order[inner[order]]  # of each level, the n-th node that opens is closed by the n-th that closes
    leaves = np.cumsum(steps == 0)
    until = leaves[place]
    before = until - ~inner
    until[opened] = leaves[closing[closed]]
    below = order[level[order] > 0]
    eldest = steps[place[below] - 1] == 1
    parent = np.full(len(place), -1)
    parent[below] = opened[np.cumsum(eldest) - 1]  # level by level, each node has one eldest daughter
    return Preorder(place, parent, ~inner, before, until)
