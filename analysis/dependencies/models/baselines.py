"""Baseline trees: left-branching, right-branching, and random."""

from typing import Any

import numpy as np
import pandas as pd

from analysis.dependencies.alignment import find_sentences
from analysis.structures import check_at_least, check_tokens


def left_branching(tokens: pd.DataFrame) -> pd.Series:
    """Make left-branching trees (LB): the head of each word is the next word; the last word is the root.

    Punctuation is treated as words. If it is removed as in `attachment_scores`, the tree of the remaining words is
    still left-branching, except if the root was punctuation.

    Parameters
    ----------
    tokens : DataFrame
        Tokens table with ``sentence``.

    Returns
    -------
    Series of int64
        Named ``head``, with the index of `tokens`.

    References
    ----------
    Gelling et al. (2012), section 4.

    Examples
    --------
    >>> left_branching(pd.DataFrame({"sentence": [0, 0, 0, 1]})).tolist()
    [2, 3, 0, 0]
    """
    last, position = _places(tokens)
    return pd.Series(np.where(last, 0, position + 1), index=tokens.index, name="head")


def right_branching(tokens: pd.DataFrame) -> pd.Series:
    """Make right-branching trees (RB): the head of each word is the previous word; the first word is the root.

    Parameters
    ----------
    tokens : DataFrame
        See `left_branching`.

    Returns
    -------
    Series of int64, named ``head``

    References
    ----------
    Gelling et al. (2012), section 4.

    Examples
    --------
    >>> right_branching(pd.DataFrame({"sentence": [0, 0, 0, 1]})).tolist()
    [0, 1, 2, 0]
    """
    _, position = _places(tokens)
    return pd.Series(position - 1, index=tokens.index, name="head")


def random_projective_trees(n: int, size: int = 1, random_state: Any = 0) -> np.ndarray:
    """Draw trees uniformly from all projective trees with one root.

    There are binom(3n - 2, n - 1) / n of them: 1, 2, 7, 30, 143 for n = 1 to 5. The sampling is exact, with uniform
    random integers only.

    Parameters
    ----------
    n : int
        Number of words.
    size : int
        Number of trees.
    random_state : None, int or numpy.random.Generator

    Returns
    -------
    ndarray of int64, shape (size, n)
        Heads, from 1; 0 is the root.

    Raises
    ------
    ValueError
        If `n` is less than 1.

    Examples
    --------
    >>> sorted(set(map(tuple, random_projective_trees(2, 20, random_state=1).tolist())))
    [(0, 1), (2, 0)]
    """
    check_at_least(1, n=n)
    starts = np.arange(0, (size + 1) * n, n, dtype=np.int64)
    return draw_heads(starts, random_state).reshape(size, n)


def random_trees(tokens: pd.DataFrame, random_state: Any = 0) -> pd.Series:
    """Draw a random tree (R) for each sentence, uniformly from all projective trees with one root.

    The paper does not describe its random trees; this is the simplest interpretation.

    Parameters
    ----------
    tokens : DataFrame
        Tokens table with ``sentence``.
    random_state : None, int or numpy.random.Generator

    Returns
    -------
    Series of int64
        Named ``head``, with the index of `tokens`.

    References
    ----------
    Gelling et al. (2012), Table 6 (there R).

    Examples
    --------
    >>> random_trees(pd.DataFrame({"sentence": [0, 1]})).tolist()
    [0, 0]
    """
    check_tokens(tokens, ["sentence"])
    return pd.Series(draw_heads(find_sentences(tokens).starts, random_state), index=tokens.index, name="head")


def draw_heads(starts: np.ndarray, random_state: Any) -> np.ndarray:
    """Draw a projective tree with one root for each sentence, uniformly; heads from 1, 0 is the root.

    Examples
    --------
    >>> draw_heads(np.array([0, 1, 2]), 0).tolist()
    [0, 0]
    """
    from analysis.dependencies import random_kernels

    rng = np.random.default_rng(random_state)
    lengths = np.diff(starts)
    place = np.arange(int(starts[-1]), dtype=np.int64) - np.repeat(starts[:-1], lengths)
    picks = rng.integers(place, np.repeat(3 * lengths - 1, lengths))
    return random_kernels.random_heads(starts, picks, rng.integers(0, 2, len(lengths)))


def _places(tokens: pd.DataFrame) -> tuple[np.ndarray, np.ndarray]:
    """Return whether each token is the last of its sentence, and its position from 1."""
    check_tokens(tokens, ["sentence"])
    starts = find_sentences(tokens).starts
    last = np.zeros(len(tokens), dtype=bool)
    last[starts[1:] - 1] = True
    return last, np.arange(1, len(tokens) + 1) - np.repeat(starts[:-1], np.diff(starts))
