"""Kernels of the variational HMM: expected counts by the forward-backward algorithm.

Layout
------
Tags are 0 .. K-1. The tokens of all sentences lie in one flat array; those of sentence s go from ``begins[s]`` to
``begins[s + 1]``. Each inner loop runs along a row, so the compiler makes vector instructions of it without changing
the order of any sum: the numbers are the same on every processor. Rows are filled up with zeros to whole blocks of 16,
since what is left over of a row is done one by one.

Scale
-----
Forward weights are divided by their sum at each token. With very small priors a weight can underflow; a sentence in
which such a sum is below ``SMALLEST`` is computed again with logarithms.

Expected logarithms
-------------------
The digamma function and the logarithm of the gamma function of the same numbers are computed together, from their
asymptotic series at x + 8, whose loops have vector instructions too. They agree with SciPy's to 1e-13.
"""

# mypy: ignore-errors
# ruff: noqa: ANN001, ANN202
import math
from typing import NamedTuple

import numpy as np

from analysis.structures.compiled import njit

SMALLEST = 1e-30
BLOCK = 16


class Weights(NamedTuple):
    """Weights of transitions and emissions, and their logarithms; the boundary is the last index of the logarithms."""

    step: np.ndarray  # [j, k] of tag k after tag j
    back: np.ndarray  # its transpose
    start: np.ndarray  # [k] of k as the first tag
    end: np.ndarray  # [j] of a sentence that ends in j
    emit: np.ndarray  # [w, k] of word w from tag k, divided by the largest of its row
    shift: np.ndarray  # [w] logarithm of that largest
    logs: np.ndarray  # of all transition weights, shape (K + 1, K + 1)
    log_emit: np.ndarray


@njit(nogil=True)
def expectations(begins, words, weights, transitions, emissions, tags) -> float:
    """Add the expected counts of all sentences, set the most probable tag of each token, return log Z.

    ``transitions`` (K + 1, K + 1), with the boundary last, and ``emissions`` (words, K) are added to.
    """
    K, shift, logs, log_emit = len(weights.start), weights.shift, weights.logs, weights.log_emit
    step, back, emit = _padded(weights.step, True), _padded(weights.back, True), _padded(weights.emit, False)
    start, end = _padded(weights.start.reshape(1, K), False)[0], _padded(weights.end.reshape(1, K), False)[0]
    width = len(start)
    longest = 0
    for s in range(len(begins) - 1):
        longest = max(longest, begins[s + 1] - begins[s])
    forward, scale = np.empty((longest, width)), np.empty(longest)
    behind, ahead, expected = np.empty(width), np.empty((longest, width)), np.empty(width)
    pairs = np.zeros((width, width))  # of step[j, k] times this come the expected transitions
    log_z = 0.0
    for s in range(len(begins) - 1):
        first, n = begins[s], begins[s + 1] - begins[s]
        last, found = _forward(words[first : first + n], step, start, end, emit, shift, forward, scale)
        if last == 0.0:
            log_z += _in_logarithms(words[first : first + n], logs, log_emit, transitions, emissions, tags[first:])
            continue
        log_z += found
        for k in range(width):
            behind[k] = end[k] / last
        for k in range(K):
            transitions[k, K] += forward[n - 1, k] * behind[k]
        for t in range(n - 1, -1, -1):
            w = words[first + t]
            for k in range(width):
                expected[k] = forward[t, k] * behind[k]
            best, highest = 0, -1.0
            for k in range(K):
                emissions[w, k] += expected[k]
                if expected[k] > highest:
                    best, highest = k, expected[k]
            tags[first + t] = best
            inverse = 1.0 / scale[t]
            for k in range(width):
                ahead[t, k] = emit[w, k] * behind[k] * inverse
            if t > 0:
                _times(ahead[t], back, behind)
        for k in range(K):
            transitions[K, k] += start[k] * ahead[0, k]
        _add_pairs(forward, ahead, n, pairs)
    for j in range(K):
        for k in range(K):
            transitions[j, k] += pairs[j, k] * step[j, k]
    return log_z


@njit
def _padded(matrix, both):
    """A copy whose rows, and columns if so wanted, are filled up with zeros to whole blocks."""
    rows, columns = matrix.shape
    width = (columns + BLOCK - 1) // BLOCK * BLOCK
    out = np.zeros((width if both else rows, width))
    out[:rows, :columns] = matrix
    return out


@njit
def _sum(values):
    """The sum of a row of whole blocks, four numbers at a time."""
    a = b = c = d = 0.0
    for k in range(0, len(values), 4):
        a += values[k]
        b += values[k + 1]
        c += values[k + 2]
        d += values[k + 3]
    return (a + b) + (c + d)


@njit
def _times(weights, rows, out):
    """Compute a weighted sum of rows, four at a time to reduce memory access."""
    K = len(out)
    whole = len(weights) // 4 * 4
    for k in range(K):
        out[k] = 0.0
    for j in range(0, whole, 4):
        a, b, c, d = weights[j], weights[j + 1], weights[j + 2], weights[j + 3]
        one, two, three, four = rows[j], rows[j + 1], rows[j + 2], rows[j + 3]
        for k in range(K):
            out[k] += (a * one[k] + b * two[k]) + (c * three[k] + d * four[k])
    for j in range(whole, len(weights)):
        weight, row = weights[j], rows[j]
        for k in range(K):
            out[k] += weight * row[k]


@njit
def _add_pairs(forward, ahead, n, pairs):
    """Add forward[t - 1, j] * ahead[t, k] of all tokens except the first, four at a time."""
    K = len(pairs)
    whole = (n - 1) // 4 * 4
    for t in range(1, 1 + whole, 4):
        one, two, three, four = ahead[t], ahead[t + 1], ahead[t + 2], ahead[t + 3]
        for j in range(K):
            a, b, c, d, row = forward[t - 1, j], forward[t, j], forward[t + 1, j], forward[t + 2, j], pairs[j]
            for k in range(K):
                row[k] += (a * one[k] + b * two[k]) + (c * three[k] + d * four[k])
    for t in range(1 + whole, n):
        one = ahead[t]
        for j in range(K):
            a, row = forward[t - 1, j], pairs[j]
            for k in range(K):
                row[k] += a * one[k]


@njit
def _forward(words, step, start, end, emit, shift, forward, scale):
    """Fill ``forward`` and ``scale``; return the weight of the end and log Z, or 0 and 0 if a sum is too small."""
    K, n = len(start), len(words)
    log_z = 0.0
    for t in range(n):
        w, here = words[t], forward[t]
        if t == 0:
            for k in range(K):
                here[k] = start[k]
        else:
            _times(forward[t - 1], step, here)
        for k in range(K):
            here[k] *= emit[w, k]
        total = _sum(here)
        if not total > SMALLEST:
            return 0.0, 0.0
        scale[t] = total
        log_z += math.log(total) + shift[w]
        inverse = 1.0 / total
        for k in range(K):
            here[k] *= inverse
    last = 0.0
    for k in range(K):
        last += forward[n - 1, k] * end[k]
    if not last > SMALLEST:
        return 0.0, 0.0
    return last, log_z + math.log(last)


@njit
def _log_sum(values):
    highest = values.max()
    return highest + math.log(np.exp(values - highest).sum())


@njit
def _in_logarithms(words, logs, log_emit, transitions, emissions, tags):
    """Process one sentence slowly, without underflow: add its expected counts and return its log Z."""
    K, n = len(logs) - 1, len(words)
    forward, behind = np.empty((n, K)), np.empty((n, K))
    for k in range(K):
        forward[0, k] = logs[K, k] + log_emit[words[0], k]
        behind[n - 1, k] = logs[k, K]
    for t in range(1, n):
        for k in range(K):
            forward[t, k] = _log_sum(forward[t - 1] + logs[:K, k]) + log_emit[words[t], k]
    for t in range(n - 2, -1, -1):
        for j in range(K):
            behind[t, j] = _log_sum(logs[j, :K] + log_emit[words[t + 1]] + behind[t + 1])
    log_z = _log_sum(forward[n - 1] + behind[n - 1])
    for t in range(n):
        tags[t] = np.argmax(forward[t] + behind[t])
        for k in range(K):
            emissions[words[t], k] += math.exp(forward[t, k] + behind[t, k] - log_z)
            if t == 0:
                transitions[K, k] += math.exp(forward[0, k] + behind[0, k] - log_z)
            if t == n - 1:
                transitions[k, K] += math.exp(forward[t, k] + behind[t, k] - log_z)
            else:
                ahead = log_emit[words[t + 1], k] + behind[t + 1, k] - log_z
                for j in range(K):
                    transitions[j, k] += math.exp(forward[t, j] + logs[j, k] + ahead)
    return log_z


@njit(error_model="numpy")
def expected_logs(counts, prior, totals, out) -> float:
    """Write digamma(counts + prior) - totals; return the sum of counts * out - log(gamma(counts + prior)/gamma(prior)).

    ``counts`` and ``out`` have a row a word, ``totals`` a number a tag.
    """
    K, sums, half_log = counts.shape[1], np.zeros(counts.shape[1]), 0.5 * math.log(2.0 * math.pi)
    product, log_product, shifted, log_shifted = np.empty(K), np.empty(K), np.empty(K), np.empty(K)
    whole, nothing = np.empty(K), math.lgamma(prior)
    for w in range(len(counts)):
        row, target = counts[w], out[w]
        for k in range(K):  # x (x + 1) ... (x + 7), and the derivative of its logarithm
            x = row[k] + prior
            z = x * (x + 7.0)
            first, second = z * (z + 6.0), (z + 10.0) * (z + 12.0)
            product[k], shifted[k] = first * second, x + 8.0
            target[k] = (2.0 * x + 7.0) * ((2.0 * z + 6.0) * second + (2.0 * z + 22.0) * first) / (first * second)
        _logarithms(product, whole, log_product)
        _logarithms(shifted, whole, log_shifted)
        for k in range(K):
            y, log = shifted[k], log_shifted[k]
            r = 1.0 / y
            q = r * r
            digamma = log - 0.5 * r - q * (1 / 12 - q * (1 / 120 - q * (1 / 252 - q * (1 / 240 - q * (
                1 / 132 - q * (691 / 32760 - q * (1 / 12)))))))  # fmt: skip
            log_gamma = (y - 0.5) * log - y + half_log + r * (1 / 12 - q * (1 / 360 - q * (1 / 1260 - q * (
                1 / 1680 - q * (1 / 1188 - q * (691 / 360360 - q * (1 / 156)))))))  # fmt: skip
            target[k] = digamma - target[k] - totals[k]
            sums[k] += row[k] * target[k] - (log_gamma - log_product[k] - nothing)
    return sums.sum()


@njit(error_model="numpy")
def _logarithms(values, whole, out):
    """Write the logarithms of normal numbers above 0; ``whole`` is room for as many."""
    bits, mantissa, half = values.view(np.int64), out.view(np.int64), math.sqrt(2.0)
    for k in range(len(values)):
        mantissa[k] = (bits[k] & np.int64(0xFFFFFFFFFFFFF)) | np.int64(0x3FF0000000000000)
        whole[k] = np.int32((bits[k] >> 52) - 1023) + 0.5
    for k in range(len(values)):
        s = (out[k] - half) / (out[k] + half)
        q = s * s
        series = 1.0 + q * (1 / 3 + q * (1 / 5 + q * (1 / 7 + q * (1 / 9 + q * (1 / 11 + q * (1 / 13 + q * (
            1 / 15 + q * (1 / 17 + q * (1 / 19)))))))))  # fmt: skip
        out[k] = whole[k] * math.log(2.0) + 2.0 * s * series
