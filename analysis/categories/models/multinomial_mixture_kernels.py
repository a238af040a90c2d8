"""Kernels of the multinomial mixture: counts, conditionals of a type's class, sweeps, log probability.

The features of types are `type_features.Features`.
"""

# mypy: ignore-errors
# ruff: noqa: ANN001
import math
from typing import NamedTuple

import numpy as np

from analysis.structures.compiled import njit


class Counts(NamedTuple):
    """Counts of feature values by class."""

    values: np.ndarray  # [f, k] how often types of class k have the value f
    totals: np.ndarray  # [m, k] the sum over the values of kind m
    sizes: np.ndarray  # [k] types of class k


class Priors(NamedTuple):
    """Prior of the classes, and tables for the priors of the features."""

    alpha: float
    rising: (
        np.ndarray
    )  # [m, n] log of the rising factorial of n steps from the prior b: log Gamma(n + b) - log Gamma(b)
    mass: np.ndarray  # [m] prior times the values of kind m


def rising_factorials(priors: np.ndarray, longest: int) -> np.ndarray:
    """Compute logs of rising factorials of 0 to `longest` steps from each prior."""
    from scipy.special import gammaln

    return gammaln(np.arange(longest + 1) + priors[:, None]) - gammaln(priors[:, None])


@njit
def shift(w, k, sign, features, counts) -> None:
    """Add a type to class k (sign 1), or remove it (sign -1)."""
    bounds, values, amounts = features
    M = len(counts.totals)
    counts.sizes[k] += sign
    for m in range(M):
        for e in range(bounds[w * M + m], bounds[w * M + m + 1]):
            counts.values[values[e], k] += sign * amounts[e]
            counts.totals[m, k] += sign * amounts[e]


@njit
def count(classes, features, counts) -> None:
    """Fill the counts."""
    counts.values[:] = 0
    counts.totals[:] = 0
    counts.sizes[:] = 0
    for w in range(len(classes)):
        shift(w, classes[w], 1, features, counts)


@njit
def log_weights(w, features, counts, priors, out) -> None:
    """Compute the log weight of each class for a type that is not counted: all its features, and the size of the
    class.
    """
    (bounds, values, amounts), (found, totals, sizes), (alpha, rising, mass) = features, counts, priors
    M, K = totals.shape
    for k in range(K):
        out[k] = math.log(sizes[k] + alpha)
    for m in range(M):
        first, last, n = bounds[w * M + m], bounds[w * M + m + 1], 0
        for e in range(first, last):
            row, amount = found[values[e]], amounts[e]
            n += amount
            for k in range(K):
                out[k] += rising[m, row[k] + amount] - rising[m, row[k]]
        if n == 1:
            for k in range(K):
                out[k] -= math.log(totals[m, k] + mass[m])
        elif n > 1:
            for k in range(K):
                out[k] -= math.lgamma(totals[m, k] + mass[m] + n) - math.lgamma(totals[m, k] + mass[m])


@njit
def draw(weights, power, generator) -> int:
    """Draw a class with probability proportional to exp(power * weight)."""
    cumulative = np.cumsum(np.exp(power * (weights - weights.max())))
    k = np.searchsorted(cumulative, generator.random() * cumulative[-1], side="right")
    return min(k, len(weights) - 1)


@njit
def sweep(classes, features, counts, priors, power, generator) -> int:
    """Draw the class of every type once from its conditional given all others; return how many changed."""
    weights, changed = np.empty(len(counts.sizes)), 0
    for w in range(len(classes)):
        before = classes[w]
        shift(w, before, -1, features, counts)
        log_weights(w, features, counts, priors, weights)
        classes[w] = draw(weights, power, generator)
        changed += classes[w] != before
        shift(w, classes[w], 1, features, counts)
    return changed


@njit
def log_probability(n_types, kind_of, counts, priors) -> float:
    """Compute the log of the joint probability of classes and features, in nats."""
    (values, totals, sizes), (alpha, rising, mass) = counts, priors
    K, log_p = len(sizes), 0.0
    for k in range(K):
        log_p += math.lgamma(sizes[k] + alpha) - math.lgamma(alpha)
    log_p += math.lgamma(K * alpha) - math.lgamma(K * alpha + n_types)
    for f in range(len(values)):
        for k in range(K):
            log_p += rising[kind_of[f], values[f, k]]
    for m in range(len(totals)):
        for k in range(K):
            log_p -= math.lgamma(totals[m, k] + mass[m]) - math.lgamma(mass[m])
    return log_p


@njit
def most_probable(n_types, features, counts, priors) -> np.ndarray:
    """Find the most probable class of types that are not counted; ties go to the first class."""
    out, weights = np.empty(n_types, np.int64), np.empty(len(counts.sizes))
    for w in range(n_types):
        log_weights(w, features, counts, priors, weights)
        out[w] = np.argmax(weights)
    return out
