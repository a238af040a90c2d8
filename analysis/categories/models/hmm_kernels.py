"""Kernels of the Bayesian HMM: counts, conditionals, sweeps, priors, tagging of new text.

Layout
------
Tags are 0 .. K-1, the boundary is K, so there are M = K+1 symbols. Each utterance is preceded by two boundaries in
one flat array of tags, and two more end it; there is no other special case at its ends. Counts are stored in one flat
array, ``cells``, so that the tag being drawn is always the last and contiguous index, in rows of ``stride`` lanes (K
rounded up to a multiple of 8): one pass of vector instructions gives the weights of all tags. For the trigram n[a,b,c]
is stored three times, as first[a,b,c], middle[a,c,b] and last[b,c,a]; for the bigram n[a,b] twice, as first[a,b] and
last[b,a]; then n[w,k], with a row of zeros for the unknown word. ``totals`` holds the tokens of each tag, then contexts
(M x M; for the bigram, where a tag is a context once for each of its tokens, only the utterances). ``inverses`` holds
reciprocals of the divisors in the vector pass: 1 / (n[k] + W beta), then for the trigram left[q,k] = 1 / (n[q,k] + M
alpha) and right[r,k] = 1 / (n[k,r] + M alpha); for the bigram 1 / ((n[k] + W beta) (n[k] + M alpha)) alone. Lanes
beyond K have weight 0 because their inverse is 0. The transition after the end of an utterance has a constant weight by
construction: its counts are 0 and its row of ``right`` is 1.

Order of a sweep
----------------
Tokens are visited by their position in the flat array modulo the order of the model. Any fixed order gives a Gibbs
sampler with the same target; in this order the tags around a token were not drawn immediately before, so a processor
can start a token before the previous one is finished.

The vector pass itself is in `hmm_vectors`. No arithmetic is reassociated or fused: the results are the same on every
processor.
"""

# mypy: ignore-errors
# ruff: noqa: ANN001, ANN202
import math
from typing import NamedTuple

import numpy as np

from analysis.categories.models.hmm_vectors import LANES, pointer, prefetch, row_of_weights
from analysis.structures.compiled import njit

AHEAD = 2  # number of tokens whose rows are prefetched


class Shape(NamedTuple):
    """Sizes, and the start of each table in its array; ``first``, the tokens and 1 / (n[k] + W beta) start at 0."""

    order: int
    clusters: int
    stride: int
    words: int
    middle: int
    last: int
    emission: int
    cells: int
    contexts: int
    totals: int
    left: int
    right: int
    inverses: int


class Tables(NamedTuple):
    """Tags of a text, and counts and reciprocals of the model; within a sweep, the addresses of the four arrays."""

    tags: np.ndarray
    cells: np.ndarray
    totals: np.ndarray
    inverses: np.ndarray


def shape(order: int, clusters: int, words: int) -> Shape:
    """Compute the layout of the tables."""
    stride = -(-clusters // LANES) * LANES
    M = clusters + 1
    table = M ** (order - 1) * stride
    last = table * (order - 1)
    emission = last + table
    contexts = M * M if order == 3 else 1
    left = stride
    right = left + (M * stride if order == 3 else 0)
    return Shape(
        order, clusters, stride, words, table, last, emission, emission + (words + 1) * stride,
        stride, stride + contexts, left, right, right + right - left,
    )  # fmt: skip


# ---------------------------------------------------------------------------------------------------------------
# Random numbers: xoshiro256++ (Blackman & Vigna 2021), its state in four words.


@njit(forceinline=True)
def random_unit(state: np.ndarray) -> float:
    """Return a number from [0, 1), in steps of 2**-53; ``state`` (uint64, 4) is advanced."""
    s0, s1, s2, s3 = state[0], state[1], state[2], state[3]
    mixed = s0 + s3
    result = ((mixed << np.uint64(23)) | (mixed >> np.uint64(41))) + s0
    shifted = s1 << np.uint64(17)
    s2 ^= s0
    s3 ^= s1
    s1 ^= s2
    s0 ^= s3
    s2 ^= shifted
    s3 = (s3 << np.uint64(45)) | (s3 >> np.uint64(19))
    state[0], state[1], state[2], state[3] = s0, s1, s2, s3
    return np.float64(np.int64(result >> np.uint64(11))) * 2.0**-53


@njit
def random_normal(state: np.ndarray) -> float:
    """Return a standard normal number (Box & Muller)."""
    radius = math.sqrt(-2.0 * math.log(1.0 - random_unit(state)))
    return radius * math.cos(2.0 * math.pi * random_unit(state))


@njit
def random_tags(out: np.ndarray, clusters: int, state: np.ndarray) -> None:
    """Fill ``out`` with tags drawn uniformly."""
    for i in range(len(out)):
        out[i] = min(int(random_unit(state) * clusters), clusters - 1)


@njit(forceinline=True)
def _block(weights, b):
    return ((weights[b] + weights[b + 1]) + (weights[b + 2] + weights[b + 3])) + (
        (weights[b + 4] + weights[b + 5]) + (weights[b + 6] + weights[b + 7])
    )


@njit(forceinline=True)
def _find(weights, stride: int, rest: float) -> int:
    """Return the first index at which the running sum of ``weights`` exceeds ``rest``."""
    for b in range(0, stride, LANES):
        total = _block(weights, b)
        if rest < total:
            for k in range(b, b + LANES):
                rest -= weights[k]
                if rest < 0.0:
                    return k
            break
        rest -= total
    best = 0
    for k in range(stride):  # remainder due to rounding: choose the largest weight
        if weights[k] > weights[best]:
            best = k
    return best


@njit(forceinline=True)
def _sum(weights, stride: int) -> float:
    total = 0.0
    for b in range(0, stride, LANES):
        total += _block(weights, b)
    return total


@njit
def _heat(weights, stride: int, power: float) -> float:
    """Raise weights, scaled to a maximum of 1, to a power; return their sum."""
    largest = 0.0
    for k in range(stride):
        largest = max(largest, weights[k])
    total = 0.0
    for k in range(stride):
        weights[k] = (weights[k] / largest) ** power if weights[k] > 0.0 else 0.0
        total += weights[k]
    return total


# ---------------------------------------------------------------------------------------------------------------
# Counts


@njit(forceinline=True)
def _event(c, cells, a, b, d, change):
    """Add or subtract the trigram transition from (a, b) to d."""
    K, S = c.clusters, c.stride
    M = K + 1
    if d != K:
        cells[(a * M + b) * S + d] += change
    if b != K:
        cells[c.middle + (a * M + d) * S + b] += change
        if a != K:
            cells[c.last + (b * M + d) * S + a] += change


@njit(forceinline=True)
def _context(c, totals, inverses, a, b, change, alpha):
    """Add or subtract the trigram context (a, b), where b is not a boundary."""
    M, S = c.clusters + 1, c.stride
    totals[c.contexts + a * M + b] += change
    inverse = 1.0 / (totals[c.contexts + a * M + b] + M * alpha)
    inverses[c.left + a * S + b] = inverse
    if a != c.clusters:
        inverses[c.right + b * S + a] = inverse


@njit
def count(
    c: Shape, tags: np.ndarray, cells: np.ndarray, totals: np.ndarray, order: np.ndarray, words: np.ndarray
) -> None:
    """Fill the counts, initially 0, from the tags."""
    K, S = c.clusters, c.stride
    M = K + 1
    for j in range(len(order)):
        i = order[j]
        p, q, k, r = np.int64(tags[i - 2]), np.int64(tags[i - 1]), np.int64(tags[i]), np.int64(tags[i + 1])
        cells[c.emission + words[j] * S + k] += 1
        totals[k] += 1
        if c.order == 3:
            totals[c.contexts + p * M + q] += 1
            _event(c, cells, p, q, k, 1)
            if r == K:
                totals[c.contexts + q * M + k] += 1
                _event(c, cells, q, k, K, 1)
        else:
            totals[c.contexts] += q == K
            cells[q * S + k] += 1
            cells[c.last + r * S + k] += 1


@njit
def invert(c: Shape, totals: np.ndarray, inverses: np.ndarray, alpha: float, beta: float) -> None:
    """Compute all reciprocals, at the start and after a change of the priors."""
    K, S = c.clusters, c.stride
    M = K + 1
    for k in range(K):
        inverses[k] = 1.0 / (totals[k] + c.words * beta)
        if c.order == 2:
            inverses[k] /= totals[k] + M * alpha
            continue
        inverses[c.right + K * S + k] = 1.0
        for q in range(M):
            inverses[c.left + q * S + k] = 1.0 / (totals[c.contexts + q * M + k] + M * alpha)
        for r in range(K):
            inverses[c.right + r * S + k] = 1.0 / (totals[c.contexts + k * M + r] + M * alpha)


# ---------------------------------------------------------------------------------------------------------------
# Conditionals


@njit(forceinline=True)
def _around(tags, i):
    """Return the tags at i - 2 .. i + 2."""
    return (
        np.int64(tags[i - 2]), np.int64(tags[i - 1]), np.int64(tags[i]), np.int64(tags[i + 1]), np.int64(tags[i + 2])
    )  # fmt: skip


@njit(forceinline=True)
def _trigram_starts(c, around, w):
    """Where the rows of counts of word w between these tags start."""
    p, q, _, r, s = around
    S, M = c.stride, c.clusters + 1
    return c.emission + w * S, (p * M + q) * S, c.middle + (q * M + r) * S, c.last + (r * M + s) * S


@njit(forceinline=True)
def _trigram_row(c, t, around, w, priors, present, weights):
    alpha, beta = priors
    starts, S = _trigram_starts(c, around, w), c.stride
    inverses = (0, c.left + around[1] * S, c.right + around[3] * S)
    rows = (starts, (beta, alpha, alpha, alpha))
    return row_of_weights(t.cells, rows, t.inverses, inverses, present, weights, S // LANES)


@njit(forceinline=True)
def _bigram_row(c, t, around, w, priors, present, weights):
    alpha, beta = priors
    S = c.stride
    starts = (c.emission + w * S, around[1] * S, c.last + around[3] * S)
    rows = (starts, (beta, alpha, alpha))
    return row_of_weights(t.cells, rows, t.inverses, (0,), present, weights, S // LANES)


@njit(forceinline=True)
def _trigram_weight(c, t, around, w, k, priors):
    """Compute the weight of tag k if events overlap: each count minus events of the old tag, plus earlier events of
    k.
    """
    (p, q, o, r, s), (alpha, beta), cells, totals = around, priors, t.cells, t.totals
    S, M = c.stride, c.clusters + 1
    inside = r != c.clusters
    kept = k == o
    one = cells[(p * M + q) * S + k] - kept - ((q == p) & (o == q) & (r == k))
    one -= inside & (o == p) & (r == q) & (s == k)
    two = cells[c.middle + (q * M + r) * S + k] - kept - ((p == q) & (q == k) & (o == r))
    two += ((p == q) & (q == k) & (k == r)) - (inside & (o == q) & (r == k) & (s == r))
    out_of_left = totals[c.contexts + q * M + k] - kept - (inside & (o == q) & (r == k))
    product = (cells[c.emission + w * S + k] - kept + beta) * (one + alpha) * (two + alpha)
    below = (totals[k] - kept + c.words * beta) * (out_of_left + M * alpha)
    if inside:
        three = cells[c.last + (r * M + s) * S + k] - kept - ((p == k) & (q == r) & (o == s))
        three += ((p == k) & (q == r) & (k == s)) + ((q == k) & (k == r) & (r == s))
        three -= (q == k) & (o == r) & (r == s)
        out_of_right = totals[c.contexts + k * M + r] - kept - ((q == k) & (o == r)) + ((q == k) & (k == r))
        product *= three + alpha
        below *= out_of_right + M * alpha
    else:
        product *= alpha  # as in the vector pass, in which the row after the end is 0 + alpha
    return product / below


@njit(forceinline=True)
def _trigram_weights(c, t, i, w, priors, weights):
    around, (alpha, beta), cells, totals = _around(t.tags, i), priors, t.cells, t.totals
    _, q, o, r, _ = around
    K, M = c.clusters, c.clusters + 1
    inside = r != K
    overlap = ((o == q) & inside) | ((o == r) & (q != K)) | ((q == r) & inside)
    old, present = -1, 0.0
    if not overlap:  # only the cells of the old tag change
        emitted, first, middle, last = _trigram_starts(c, around, w)
        below = (totals[o] - 1 + c.words * beta) * (totals[c.contexts + q * M + o] - 1 + M * alpha)
        below *= totals[c.contexts + o * M + r] - 1 + M * alpha if inside else 1.0
        above = (cells[emitted + o] - 1 + beta) * (cells[first + o] - 1 + alpha)
        above *= (cells[middle + o] - 1 + alpha) * (cells[last + o] - inside + alpha)
        old, present = o, above / below
    total = _trigram_row(c, t, around, w, priors, (old, present), weights)
    if overlap:  # only this tag and its neighbours can need a correction
        for k in around:
            if k != K:
                weights[k] = _trigram_weight(c, t, around, w, k, priors)
        present = weights[o]
        total = _sum(weights, c.stride)
    return total, present


@njit(forceinline=True)
def _bigram_weight(c, t, around, w, k, priors):
    """Compute the weight of tag k if the two events overlap."""
    (_, q, o, r, _), (alpha, beta), cells, S = around, priors, t.cells, c.stride
    kept = k == o
    one = cells[q * S + k] - kept - ((o == q) & (r == k))
    two = cells[c.last + r * S + k] - kept - ((q == k) & (o == r)) + ((q == k) & (k == r))
    product = (cells[c.emission + w * S + k] - kept + beta) * (one + alpha) * (two + alpha)
    tokens = t.totals[k] - kept
    return product / ((tokens + c.words * beta) * (tokens + (c.clusters + 1) * alpha))


@njit(forceinline=True)
def _bigram_weights(c, t, i, w, priors, weights):
    around, (alpha, beta), cells = _around(t.tags, i), priors, t.cells
    _, q, o, r, _ = around
    K, S = c.clusters, c.stride
    overlap = ((o == q) & (r != K)) | ((o == r) & (q != K)) | ((q == r) & (q != K))
    old, present = -1, 0.0
    if not overlap:
        tokens = t.totals[o] - 1
        above = (cells[c.emission + w * S + o] - 1 + beta) * (cells[q * S + o] - 1 + alpha)
        above *= cells[c.last + r * S + o] - 1 + alpha
        old, present = o, above / ((tokens + c.words * beta) * (tokens + (K + 1) * alpha))
    total = _bigram_row(c, t, around, w, priors, (old, present), weights)
    if overlap:
        for k in (q, o, r):
            if k != K:
                weights[k] = _bigram_weight(c, t, around, w, k, priors)
        present = weights[o]
        total = _sum(weights, S)
    return total, present


@njit(forceinline=True)
def _weights(c, t, i, w, priors, weights):
    if c.order == 3:
        return _trigram_weights(c, t, i, w, priors, weights)
    return _bigram_weights(c, t, i, w, priors, weights)


@njit(forceinline=True)
def _addresses(t):
    return Tables(pointer(t.tags), pointer(t.cells), pointer(t.totals), pointer(t.inverses))


@njit
def token_weights(
    c: Shape, t: Tables, i: int, w: int, priors: tuple[float, float], weights: np.ndarray
) -> tuple[float, float]:
    """Fill ``weights`` as a sweep does for the token at i, up to a factor; return their sum, and that of the present
    tag.
    """
    return _weights(c, _addresses(t), i, w, priors, pointer(weights))


# ---------------------------------------------------------------------------------------------------------------
# Sweeps


@njit(forceinline=True)
def _move(c, t, i, w, k, priors):
    """Assign tag k to the token at i, and update the counts."""
    (p, q, o, r, s), (alpha, beta) = _around(t.tags, i), priors
    cells, totals, inverses = t.cells, t.totals, t.inverses
    K, S = c.clusters, c.stride
    t.tags[i] = k
    tag, change = o, -1
    for _ in range(2):
        cells[c.emission + w * S + tag] += change
        totals[tag] += change
        inverses[tag] = 1.0 / (totals[tag] + c.words * beta)
        if c.order == 3:
            _event(c, cells, p, q, tag, change)
            _event(c, cells, q, tag, r, change)
            _context(c, totals, inverses, q, tag, change, alpha)
            if r != K:
                _event(c, cells, tag, r, s, change)
                _context(c, totals, inverses, tag, r, change, alpha)
        else:
            inverses[tag] /= totals[tag] + (K + 1) * alpha
            cells[q * S + tag] += change
            cells[c.last + r * S + tag] += change
            if r != K:
                cells[tag * S + r] += change
            if q != K:
                cells[c.last + tag * S + q] += change
        tag, change = k, 1


@njit(forceinline=True)
def _prefetch_rows(c, t, i, w):
    """Prefetch the rows of a later token; its neighbours' tags will not change before its turn."""
    emitted, first, middle, last = _trigram_starts(c, _around(t.tags, i), w)
    for line in range(0, c.stride, 16):
        prefetch(t.cells, emitted + line)
        if c.order == 3:
            prefetch(t.cells, first + line)
            prefetch(t.cells, middle + line)
            prefetch(t.cells, last + line)


@njit
def sweep(
    c: Shape, tables: Tables, order: np.ndarray, words: np.ndarray, priors: tuple[float, float], power: float,
    state: np.ndarray, weights: np.ndarray,
) -> int:  # fmt: skip
    """Draw every tag once from its conditional, raised to ``power`` (1 / temperature); return how many changed.

    ``priors``: of transitions and of emissions. ``weights`` is a work array.
    """
    t = _addresses(tables)
    order_, words_, state_, weights_ = pointer(order), pointer(words), pointer(state), pointer(weights)
    ahead, changed = len(order) - AHEAD, 0
    for j in range(len(order)):
        i, w = np.int64(order_[j]), np.int64(words_[j])
        if j < ahead:
            _prefetch_rows(c, t, np.int64(order_[j + AHEAD]), np.int64(words_[j + AHEAD]))
        total, present = _weights(c, t, i, w, priors, weights_)
        old = np.int64(t.tags[i])
        if power != 1.0:
            total = _heat(weights_, c.stride, power)
            present = weights_[old]
        rest = random_unit(state_) * total - present
        if rest >= 0.0:  # the present tag is first in the cumulative sum
            weights_[old] = 0.0
            k = _find(weights_, c.stride, rest)
            if k != old:
                _move(c, t, i, w, k, priors)
                changed += 1
    return changed


# ---------------------------------------------------------------------------------------------------------------
# Probabilities and priors


@njit
def _dirichlet_cells(cells: np.ndarray, prior: float) -> float:
    """Sum of lgamma(n + prior) - lgamma(prior) over cells."""
    total = 0.0
    nothing = math.lgamma(prior)
    for i in range(len(cells)):
        if cells[i] > 0:
            total += math.lgamma(cells[i] + prior) - nothing
    return total


@njit
def _dirichlet_totals(totals: np.ndarray, mass: float) -> float:
    """Sum of lgamma(mass) - lgamma(n + mass) over contexts."""
    total = 0.0
    nothing = math.lgamma(mass)
    for i in range(len(totals)):
        if totals[i] > 0:
            total += nothing - math.lgamma(totals[i] + mass)
    return total


@njit
def log_emissions(c: Shape, cells: np.ndarray, totals: np.ndarray, beta: float) -> float:
    """Compute the log probability of the words given the tags."""
    return _dirichlet_totals(totals[: c.stride], c.words * beta) + _dirichlet_cells(cells[c.emission :], beta)


@njit
def log_transitions(c: Shape, cells: np.ndarray, totals: np.ndarray, alpha: float) -> float:
    """Compute the log probability of the tags, including the ends of utterances."""
    K, S = c.clusters, c.stride
    M = K + 1
    total = _dirichlet_totals(totals[c.contexts :], M * alpha) + _dirichlet_cells(cells[: c.middle], alpha)
    if c.order == 3:
        for a in range(M):  # transitions to the end are only in the other layouts
            start = c.middle + (a * M + K) * S
            total += _dirichlet_cells(cells[start : start + S], alpha)
        return total
    start = c.last + K * S
    return total + _dirichlet_totals(totals[:S], M * alpha) + _dirichlet_cells(cells[start : start + S], alpha)


@njit
def _accept(x: float, proposal: float, gain: float, state: np.ndarray) -> bool:
    """Metropolis-Hastings test for Normal(x, (0.1 x)^2), flat prior on x > 0; ``gain`` is the change of log
    likelihood.
    """
    distance = (proposal - x) * (proposal - x)
    forward = -math.log(x) - distance / (2.0 * (0.1 * x) * (0.1 * x))
    backward = -math.log(proposal) - distance / (2.0 * (0.1 * proposal) * (0.1 * proposal))
    return math.log(1.0 - random_unit(state)) < gain + backward - forward


@njit
def propose(x: float, state: np.ndarray) -> float:
    """Draw from Normal(x, (0.1 x)^2)."""
    return x + 0.1 * x * random_normal(state)


@njit
def step_alpha(c: Shape, cells: np.ndarray, totals: np.ndarray, alpha: float, state: np.ndarray) -> float:
    """Take one Metropolis-Hastings step of the prior on transitions."""
    proposal = propose(alpha, state)
    if proposal > 0.0:
        gain = log_transitions(c, cells, totals, proposal) - log_transitions(c, cells, totals, alpha)
        if _accept(alpha, proposal, gain, state):
            return proposal
    return alpha


@njit
def step_beta(c: Shape, cells: np.ndarray, totals: np.ndarray, beta: float, state: np.ndarray) -> float:
    """Take one Metropolis-Hastings step of the prior on emissions."""
    proposal = propose(beta, state)
    if proposal > 0.0:
        gain = log_emissions(c, cells, totals, proposal) - log_emissions(c, cells, totals, beta)
        if _accept(beta, proposal, gain, state):
            return proposal
    return beta


# ---------------------------------------------------------------------------------------------------------------
# New text: the counts are those of training; ``tags`` are those of the new text.


@njit
def tag_start(
    c: Shape, t: Tables, places: np.ndarray, words: np.ndarray, priors: tuple[float, float], state: np.ndarray,
    weights: np.ndarray,
) -> None:  # fmt: skip
    """Draw each tag, from left to right, given its word and the previous tags."""
    S, M = c.stride, c.clusters + 1
    tags, cells, totals, (alpha, beta) = t.tags, t.cells, t.totals, priors
    for j in range(len(places)):
        i = places[j]
        before = np.int64(tags[i - 1])
        if c.order == 3:
            before += np.int64(tags[i - 2]) * M
        total = 0.0
        for k in range(c.clusters):
            emission = (cells[c.emission + words[j] * S + k] + beta) / (totals[k] + c.words * beta)
            weights[k] = emission * (cells[before * S + k] + alpha)
            total += weights[k]
        tags[i] = _find(weights, S, random_unit(state) * total)


@njit
def tag_sweep(
    c: Shape, tables: Tables, order: np.ndarray, words: np.ndarray, priors: tuple[float, float], state: np.ndarray,
    weights: np.ndarray,
) -> None:  # fmt: skip
    """Draw every tag of the new text once."""
    t, weights_ = _addresses(tables), pointer(weights)
    for j in range(len(order)):
        i, w = np.int64(order[j]), np.int64(words[j])
        around = _around(t.tags, i)
        if c.order == 3:
            total = _trigram_row(c, t, around, w, priors, (-1, 0.0), weights_)
        else:
            total = _bigram_row(c, t, around, w, priors, (-1, 0.0), weights_)
        rest = random_unit(state) * total - weights_[around[2]]
        if rest >= 0.0:
            weights_[around[2]] = 0.0
            t.tags[i] = _find(weights_, c.stride, rest)


@njit
def most_frequent(samples: np.ndarray, clusters: int, out: np.ndarray) -> None:
    """Find the most frequent tag of each column of ``samples`` (sweeps x tokens); ties go to the lowest tag."""
    for j in range(samples.shape[1]):
        out[j] = np.argmax(np.bincount(samples[:, j], minlength=clusters))


@njit
def viterbi(
    transitions: np.ndarray, emissions: np.ndarray, trigram: bool, lengths: np.ndarray, words: np.ndarray,
    beam: int, out: np.ndarray,
) -> None:  # fmt: skip
    """Find the most probable tags of each utterance; at most ``beam`` histories (and ties) are kept at each token.

    ``transitions``: log probabilities, M x M x M, or 1 x M x M for the bigram; ``emissions``: W+1 x K. A history is
    the last tag, or the last two, as one number.
    """
    M = transitions.shape[2]
    K = M - 1
    size = M * M if trigram else M
    alive, score = np.empty(size, np.int64), np.empty(size)
    best, origin = np.full(size, -np.inf), np.zeros(size, np.int64)
    longest = 0
    for u in range(len(lengths)):
        longest = max(longest, lengths[u])
    back = np.zeros((longest, size), np.int32)
    start = 0
    for u in range(len(lengths)):
        alive[0], score[0], living = (K * M + K if trigram else K), 0.0, 1
        for t in range(lengths[u]):
            for h in range(living):
                a, b = (alive[h] // M, alive[h] % M) if trigram else (0, alive[h])
                for k in range(K):
                    value = score[h] + transitions[a, b, k]
                    new = b * M + k if trigram else k
                    if value > best[new]:
                        best[new] = value
                        origin[new] = alive[h]
            living = 0
            for new in range(size):
                if best[new] > -np.inf:
                    alive[living] = new
                    score[living] = best[new] + emissions[words[start + t], new % M]
                    back[t, new] = origin[new]
                    best[new] = -np.inf
                    living += 1
            if living > beam:
                least = np.partition(score[:living], living - beam)[living - beam]
                kept = 0
                for h in range(living):
                    if score[h] >= least:
                        alive[kept], score[kept] = alive[h], score[h]
                        kept += 1
                living = kept
        final, highest = alive[0], -np.inf
        for h in range(living):
            a, b = (alive[h] // M, alive[h] % M) if trigram else (0, alive[h])
            value = score[h] + transitions[a, b, K]
            if value > highest:
                highest, final = value, alive[h]
        for t in range(lengths[u] - 1, -1, -1):
            out[start + t] = final % M
            final = back[t, final]
        start += lengths[u]
