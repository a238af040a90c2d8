"""Kernels of the posterior-regularised HMM: weights of single tokens, counts by type, and projection of multipliers.

The forward-backward pass is that of `variational_hmm_kernels`, in which each token has a row of weights of its own.
"""

# mypy: ignore-errors
# ruff: noqa: ANN001
import math

import numpy as np

from analysis.structures.compiled import njit


@njit
def token_weights(log_types, words, places, multipliers, emit, shift, log_emit) -> None:
    """Set the weights of each token: the emission of its word times exp(-multiplier).

    Parameters
    ----------
    log_types : (n_types, K)
        Log emission probabilities.
    words, places : (n_tokens,)
        Type of each token, and its row in ``multipliers``, -1 if it has none.
    multipliers : (n_constrained, K)
    emit, shift, log_emit : (n_tokens, K), (n_tokens,), (n_tokens, K)
        Set to the weights divided by the largest of their row, its logarithm, and the logarithms of the weights.
    """
    n, K = emit.shape
    for t in range(n):
        source, row, highest = log_types[words[t]], log_emit[t], -np.inf
        for k in range(K):
            row[k] = source[k]
        if places[t] >= 0:
            less = multipliers[places[t]]
            for k in range(K):
                row[k] -= less[k]
        for k in range(K):
            if row[k] > highest:
                highest = row[k]
        shift[t] = highest
        for k in range(K):
            emit[t, k] = math.exp(row[k] - highest)


@njit
def count_types(posteriors, words, counts) -> None:
    """Add the posterior of each token to the row of its word type."""
    n, K = posteriors.shape
    for t in range(n):
        row, source = counts[words[t]], posteriors[t]
        for k in range(K):
            row[k] += source[k]


@njit
def project(points, begins, size, out) -> None:
    """Set ``out`` to the nearest multipliers allowed: none negative, and of no type and state a sum above ``size``.

    Parameters
    ----------
    points, out : (n_constrained, K)
        The tokens of a type are neighbours.
    begins : (n_constrained_types + 1,)
        Where the tokens of each type begin.
    size : float
    """
    K = points.shape[1]
    for w in range(len(begins) - 1):
        first, last = begins[w], begins[w + 1]
        for k in range(K):
            total = 0.0
            for i in range(first, last):
                value = max(points[i, k], 0.0)
                out[i, k] = value
                total += value
            if total > size:
                _project_block(out, first, last, k, total, size)


@njit
def _project_block(out, first, last, k, total, size) -> None:
    """Project one type and state on the simplex: a threshold rises until no kept value is below it (Michelot 1986)."""
    kept, threshold = last - first, (total - size) / (last - first)
    while True:
        left, rest = 0, 0.0
        for i in range(first, last):
            if out[i, k] > threshold:
                left += 1
                rest += out[i, k]
        if left >= kept or left == 0:  # above: rounding lowered the threshold by a last digit
            break
        kept, threshold = left, (rest - size) / left
    for i in range(first, last):
        out[i, k] = max(out[i, k] - threshold, 0.0)
