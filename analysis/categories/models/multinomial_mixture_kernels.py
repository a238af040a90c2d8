"""The compiled inner loops of the multinomial mixture: counts, conditionals of a type's class, sweeps, log probability.

``bounds``, ``values`` and ``amounts`` are the features of types (see `type_features.Features`); ``counts[f, k]`` is
how often types of class k have the value f, ``totals[m, k]`` the sum over the values of kind m, ``sizes[k]`` the types
of class k. ``rising[m, n]`` is the log of the rising factorial of n steps from the prior of kind m, log Gamma(n + b) -
log Gamma(b), and ``mass[m]`` the prior times the values of the kind.
"""

# mypy: ignore-errors
# ruff: noqa: ANN001, ANN202
import math

import numpy as np

from analysis.structures.compiled import njit


def rising_factorials(priors: np.ndarray, longest: int) -> np.ndarray:
    """Logs of rising factorials of 0 to `longest` steps from each prior."""
    from scipy.special import gammaln

    return gammaln(np.arange(longest + 1) + priors[:, None]) - gammaln(priors[:, None])


@njit(cache=True)
def shift(w, k, sign, bounds, values, amounts, counts, totals, sizes) -> None:
    """Put a type into class k (sign 1), or take it out (sign -1)."""
    M = len(totals)
    sizes[k] += sign
    for m in range(M):
        for e in range(bounds[w * M + m], bounds[w * M + m + 1]):
            counts[values[e], k] += sign * amounts[e]
            totals[m, k] += sign * amounts[e]


@njit(cache=True)
def count(classes, bounds, values, amounts, counts, totals, sizes) -> None:
    """Fill the counts."""
    counts[:] = 0
    totals[:] = 0
    sizes[:] = 0
    for w in range(len(classes)):
        shift(w, classes[w], 1, bounds, values, amounts, counts, totals, sizes)


@njit(cache=True)
def log_weights(w, bounds, values, amounts, counts, totals, sizes, alpha, rising, mass, out) -> None:
    """Log weight of each class for a type that is not counted: all its features at once, and the class's size."""
    M, K = totals.shape
    for k in range(K):
        out[k] = math.log(sizes[k] + alpha)
    for m in range(M):
        first, last, n = bounds[w * M + m], bounds[w * M + m + 1], 0
        for e in range(first, last):
            row, amount = counts[values[e]], amounts[e]
            n += amount
            for k in range(K):
                out[k] += rising[m, row[k] + amount] - rising[m, row[k]]
        if n == 1:
            for k in range(K):
                out[k] -= math.log(totals[m, k] + mass[m])
        elif n > 1:
            for k in range(K):
                out[k] -= math.lgamma(totals[m, k] + mass[m] + n) - math.lgamma(totals[m, k] + mass[m])


@njit(cache=True)
def _draw(weights, power, generator):
    """A class, with probability proportional to the weight to the power; the weights are overwritten."""
    top, total = weights.max(), 0.0
    for k in range(len(weights)):
        total += math.exp(power * (weights[k] - top))
        weights[k] = total
    mark, k = generator.random() * total, 0
    while k < len(weights) - 1 and weights[k] <= mark:
        k += 1
    return k


@njit(cache=True)
def sweep(
    classes, bounds, values, amounts, counts, totals, sizes, alpha, rising, mass, power, generator
) -> int:  # fmt: skip
    """Draw the class of every type once from its conditional given all others; return how many changed."""
    weights, changed = np.empty(len(sizes)), 0
    for w in range(len(classes)):
        before = classes[w]
        shift(w, before, -1, bounds, values, amounts, counts, totals, sizes)
        log_weights(w, bounds, values, amounts, counts, totals, sizes, alpha, rising, mass, weights)
        classes[w] = _draw(weights, power, generator)
        changed += classes[w] != before
        shift(w, classes[w], 1, bounds, values, amounts, counts, totals, sizes)
    return changed


@njit(cache=True)
def log_probability(n_types, counts, kind_of, totals, sizes, alpha, rising, mass) -> float:
    """Log of the joint probability of classes and features, in nats: every type's class and every feature drawn."""
    K, log_p = len(sizes), 0.0
    for k in range(K):
        log_p += math.lgamma(sizes[k] + alpha) - math.lgamma(alpha)
    log_p += math.lgamma(K * alpha) - math.lgamma(K * alpha + n_types)
    for f in range(len(counts)):
        for k in range(K):
            log_p += rising[kind_of[f], counts[f, k]]
    for m in range(len(totals)):
        for k in range(K):
            log_p -= math.lgamma(totals[m, k] + mass[m]) - math.lgamma(mass[m])
    return log_p


@njit(cache=True)
def most_probable(n_types, bounds, values, amounts, counts, totals, sizes, alpha, rising, mass) -> np.ndarray:
    """The most probable class of each of some types that are not counted, the first of equals."""
    out, weights = np.empty(n_types, np.int64), np.empty(len(sizes))
    for w in range(n_types):
        log_weights(w, bounds, values, amounts, counts, totals, sizes, alpha, rising, mass, weights)
        out[w] = np.argmax(weights)
    return out
