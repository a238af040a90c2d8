"""Parts of a graph that hang together."""

import numpy as np


def lowest_linked(one: np.ndarray, other: np.ndarray, size: int) -> np.ndarray:
    """Find the smallest of the numbers that are linked with each number, over any number of pairs.

    Parameters
    ----------
    one, other : ndarray of integers, shape (n_pairs,)
        Linked numbers, below ``size``.
    size : int

    Returns
    -------
    ndarray of int64, shape (size,)
        Equal for two numbers if and only if a chain of pairs links them.

    Examples
    --------
    >>> lowest_linked(np.array([3, 1]), np.array([1, 4]), 5).tolist()
    [0, 1, 2, 1, 1]
    """
    lowest = np.arange(size)
    while True:
        a, b = lowest[one], lowest[other]
        apart = a != b
        if not apart.any():
            return lowest
        one, other, a, b = one[apart], other[apart], a[apart], b[apart]
        np.minimum.at(lowest, np.maximum(a, b), np.minimum(a, b))
        lowest = ends_of_chains(lowest)


def ends_of_chains(pointer: np.ndarray) -> np.ndarray:
    """Follow each pointer to the end of its chain; an end points to itself.

    Examples
    --------
    >>> ends_of_chains(np.array([0, 0, 1, 2])).tolist()
    [0, 0, 0, 0]
    """
    while True:
        further = pointer[pointer]
        if np.array_equal(further, pointer):
            return pointer
        pointer = further
