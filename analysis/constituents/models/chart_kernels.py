"""Kernels of the treebank grammar: the chart of best, or of inside, log probabilities of a sentence."""

from typing import NamedTuple

import numpy as np

from analysis.structures.compiled import njit

_CONVERGED = 1e-13  # relative change of a sum over chains of unary rules


class Rules(NamedTuple):
    """A grammar as arrays; scores are natural logarithms of probabilities.

    Attributes
    ----------
    binary_start : ndarray of int64, shape (n_symbols + 1,)
        First binary rule of each left daughter.
    binary_parent, binary_right : ndarray of int64
    binary_score : ndarray of float64
    unary_start : ndarray of int64, shape (n_symbols + 1,)
        First unary rule of each daughter.
    unary_parent : ndarray of int64
    unary_score : ndarray of float64
    """

    binary_start: np.ndarray
    binary_parent: np.ndarray
    binary_right: np.ndarray
    binary_score: np.ndarray
    unary_start: np.ndarray
    unary_parent: np.ndarray
    unary_score: np.ndarray


@njit
def cell(start: int, end: int) -> int:
    """Row of a span in a chart: by end, then by start."""
    return end * (end - 1) // 2 + start


@njit
def _added(one: float, other: float) -> float:
    """Logarithm of a sum."""
    if one < other:
        one, other = other, one
    return one + np.log1p(np.exp(other - one)) if other > -np.inf else one


@njit
def _best_chains(scores: np.ndarray, rules: Rules) -> None:
    """Raise each score to that of the best chain of unary rules above what is in the cell."""
    changed = True
    while changed:
        changed = False
        for below in range(len(scores)):
            if scores[below] > -np.inf:
                for rule in range(rules.unary_start[below], rules.unary_start[below + 1]):
                    score = rules.unary_score[rule] + scores[below]
                    if score > scores[rules.unary_parent[rule]]:
                        scores[rules.unary_parent[rule]] = score
                        changed = True


@njit
def _all_chains(scores: np.ndarray, rules: Rules) -> None:
    """Add to each score those of all chains of unary rules above what is in the cell."""
    base = scores.copy()
    changed = True
    while changed:
        found = base.copy()
        for below in range(len(scores)):
            if scores[below] > -np.inf:
                for rule in range(rules.unary_start[below], rules.unary_start[below + 1]):
                    parent = rules.unary_parent[rule]
                    found[parent] = _added(found[parent], rules.unary_score[rule] + scores[below])
        changed = False
        for symbol in range(len(scores)):
            if found[symbol] > scores[symbol] + _CONVERGED:
                changed = True
            scores[symbol] = found[symbol]


@njit
def chart(
    n: int, n_symbols: int, position: np.ndarray, symbol: np.ndarray, score: np.ndarray, rules: Rules, total: bool
) -> np.ndarray:
    """Compute for each span and symbol the log probability of its best tree, or of all its trees.

    Parameters
    ----------
    n, n_symbols : int
        Number of words and of symbols.
    position, symbol, score : ndarray
        The symbols that each word can have, and the log probability of the word.
    rules : Rules
    total : bool
        Whether the probabilities of all trees are added; else the best one.

    Returns
    -------
    ndarray of float64, shape (n (n + 1) / 2, n_symbols)
        Rows as `cell` numbers them; -inf if there is no tree.
    """
    scores = np.full((n * (n + 1) // 2, n_symbols), -np.inf)
    for entry in range(len(position)):
        row = scores[cell(position[entry], position[entry] + 1)]
        row[symbol[entry]] = _added(row[symbol[entry]], score[entry]) if total else score[entry]
    lefts = np.empty((n * (n + 1) // 2, n_symbols), dtype=np.int32)  # symbols of a cell that begin a binary rule
    number = np.zeros(n * (n + 1) // 2, dtype=np.int64)
    for width in range(1, n + 1):
        for start in range(n - width + 1):
            end = start + width
            here = cell(start, end)
            row = scores[here]
            for middle in range(start + 1, end):
                left, right = cell(start, middle), cell(middle, end)
                for item in range(number[left]):
                    one = lefts[left, item]
                    first = scores[left, one]
                    for rule in range(rules.binary_start[one], rules.binary_start[one + 1]):
                        second = scores[right, rules.binary_right[rule]]
                        if second > -np.inf:
                            parent = rules.binary_parent[rule]
                            found = (rules.binary_score[rule] + first) + second
                            if total:
                                row[parent] = _added(row[parent], found)
                            elif found > row[parent]:
                                row[parent] = found
            if total:
                _all_chains(row, rules)
            else:
                _best_chains(row, rules)
            for one in range(n_symbols):
                if row[one] > -np.inf and rules.binary_start[one + 1] > rules.binary_start[one]:
                    lefts[here, number[here]] = one
                    number[here] += 1
    return scores
