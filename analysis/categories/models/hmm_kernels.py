"""The compiled inner loops of the Bayesian HMM: counts, conditionals, sweeps, priors, tagging of new text.

Layout
------
Tags are 0 .. K-1, the boundary is K, so there are M = K+1 symbols. Each utterance is preceded by two boundaries in
one flat array of tags, and two more end it; there is no other special case at its ends. Arrays of counts are flat;
the tag that is being drawn is always the last and contiguous index, in rows of ``stride`` lanes (K rounded up to a
multiple of 8), so one pass of vector instructions gives the weights of all tags. For the trigram n[a,b,c] is kept
three times: ``first[a,b,c]``, ``middle[a,c,b]`` and ``last[b,c,a]``. Lanes beyond K have weight 0 because their
``inverse`` is 0. The transition that would follow the end of an utterance has weight 1 by construction: its counts
stay 0 and its row of ``right_inverse`` is 1.

Order of a sweep
----------------
Tokens are visited in the order of their place in the flat array modulo the order of the model. Any fixed order is a
Gibbs sampler with the same target; in this one the tags around a token are never those just drawn, so a processor
can begin a token before the one before it is done.

Nothing here uses reassociated or fused arithmetic: the numbers are the same on every processor.
"""

# mypy: ignore-errors
# ruff: noqa: ANN001, ANN202
import math
from typing import Any, NamedTuple

import numpy as np
from llvmlite import ir
from numba import njit, types
from numba.core import cgutils
from numba.extending import intrinsic

LANES = 8


class Trigram(NamedTuple):
    """Counts of a trigram model; see the layout above."""

    tags: np.ndarray  # int16, flat, with boundaries
    emission: np.ndarray  # int32, (W+1) x stride; the last row, always 0, is the unknown word
    tokens: np.ndarray  # int64, stride: tokens of each tag
    first: np.ndarray  # int32, M x M x stride
    middle: np.ndarray
    last: np.ndarray
    contexts: np.ndarray  # int64, M x M
    inverse: np.ndarray  # float64, stride: 1 / (n[k] + W beta)
    left_inverse: np.ndarray  # float64, M x stride: [q, k] is 1 / (n[q,k] + M alpha)
    right_inverse: np.ndarray  # float64, M x stride: [r, k] is 1 / (n[k,r] + M alpha)
    clusters: int
    stride: int
    words: int


class Bigram(NamedTuple):
    """Counts of a bigram model; a tag is a context once for each of its tokens, so ``tokens`` counts both."""

    tags: np.ndarray
    emission: np.ndarray
    tokens: np.ndarray
    first: np.ndarray  # int32, M x stride: [q, k] is n[q,k]
    last: np.ndarray  # int32, M x stride: [r, k] is n[k,r]
    starts: np.ndarray  # int64, 1: utterances
    inverse: np.ndarray  # float64, stride: 1 / ((n[k] + W beta) (n[k] + M alpha))
    clusters: int
    stride: int
    words: int


# ---------------------------------------------------------------------------------------------------------------
# Vector passes, written as LLVM vectors: LLVM lowers them to what the processor has.


def _vector_row(context: Any, builder: Any, signature: Any, args: Any, counts: int, inverses: int) -> Any:
    """Emit the weights of all lanes: product of ``counts`` factors (count + prior) and ``inverses`` factors.

    Arguments: ``counts`` times (array, start, prior), ``inverses`` times (array, start), then old, weight, out, blocks.
    """
    double, i64 = ir.DoubleType(), ir.IntType(64)
    doubles, integers, indices = (ir.VectorType(kind, LANES) for kind in (double, ir.IntType(32), i64))

    def splat(value: Any, vector: Any) -> Any:
        single = builder.insert_element(ir.Constant(vector, ir.Undefined), value, ir.Constant(ir.IntType(32), 0))
        mask = ir.Constant(ir.VectorType(ir.IntType(32), LANES), [0] * LANES)
        return builder.shuffle_vector(single, ir.Constant(vector, ir.Undefined), mask)

    def data(position: int) -> Any:
        return context.make_array(signature.args[position])(context, builder, args[position]).data

    def pointer(base: Any, index: Any, vector: Any) -> Any:
        return builder.bitcast(builder.gep(base, [index]), vector.as_pointer())

    count_rows = [(data(3 * i), args[3 * i + 1], splat(args[3 * i + 2], doubles)) for i in range(counts)]
    inverse_rows = [(data(3 * counts + 2 * i), args[3 * counts + 2 * i + 1]) for i in range(inverses)]
    tail = 3 * counts + 2 * inverses
    old, weight = splat(args[tail], indices), splat(args[tail + 1], doubles)
    out, blocks = data(tail + 2), args[tail + 3]
    lanes = ir.Constant(indices, list(range(LANES)))
    sums = cgutils.alloca_once_value(builder, ir.Constant(doubles, [0.0] * LANES))
    with cgutils.for_range(builder, blocks) as loop:
        base = builder.mul(loop.index, ir.Constant(i64, LANES))
        product = None
        for array, start, prior in count_rows:
            loaded = builder.load(pointer(array, builder.add(start, base), integers), align=4)
            factor = builder.fadd(builder.sitofp(loaded, doubles), prior)
            product = factor if product is None else builder.fmul(product, factor)
        for array, start in inverse_rows:
            loaded = builder.load(pointer(array, builder.add(start, base), doubles), align=8)
            product = builder.fmul(product, loaded)
        here = builder.icmp_signed("==", builder.add(lanes, splat(base, indices)), old)
        product = builder.select(here, weight, product)
        builder.store(product, pointer(out, base, doubles), align=8)
        builder.store(builder.fadd(builder.load(sums), product), sums)
    return _pairwise(builder, builder.load(sums))


def _pairwise(builder: Any, vector: Any) -> Any:
    """Sum the lanes of a vector, halving it, in a fixed order."""
    width = LANES
    while width > 1:
        width //= 2
        halves = [
            builder.shuffle_vector(
                vector,
                ir.Constant(vector.type, ir.Undefined),
                ir.Constant(ir.VectorType(ir.IntType(32), width), list(range(start, start + width))),
            )
            for start in (0, width)
        ]
        vector = builder.fadd(*halves)
    return builder.extract_element(vector, ir.Constant(ir.IntType(32), 0))


@intrinsic
def _trigram_row(
    typingctx, emission, e, beta, first, f, alpha1, middle, m, alpha2, last, t, alpha3,
    inverse, i, left, j, right, k, old, weight, out, blocks,
):  # fmt: skip
    """Fill ``out`` with the weight of each tag (``weight`` for the tag ``old``) and return their sum."""
    arguments = (
        emission, e, types.float64, first, f, types.float64, middle, m, types.float64, last, t, types.float64,
        inverse, i, left, j, right, k, types.int64, types.float64, out, types.int64,
    )  # fmt: skip
    signature = types.float64(*(types.int64 if isinstance(a, types.Integer) else a for a in arguments))

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return _vector_row(context, builder, signature, args, counts=4, inverses=3)

    return signature, codegen


@intrinsic
def _bigram_row(typingctx, emission, e, beta, first, f, alpha1, last, t, alpha2, inverse, i, old, weight, out, blocks):
    """Fill ``out`` with the weight of each tag (``weight`` for the tag ``old``) and return their sum."""
    arguments = (
        emission, e, types.float64, first, f, types.float64, last, t, types.float64,
        inverse, i, types.int64, types.float64, out, types.int64,
    )  # fmt: skip
    signature = types.float64(*(types.int64 if isinstance(a, types.Integer) else a for a in arguments))

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return _vector_row(context, builder, signature, args, counts=3, inverses=1)

    return signature, codegen


# ---------------------------------------------------------------------------------------------------------------
# Random numbers: xoshiro256++ (Blackman & Vigna 2021), its state in four words.


@njit(cache=True, forceinline=True)
def random_unit(state: np.ndarray) -> float:
    """Return a number from [0, 1), in steps of 2**-53; ``state`` (uint64, 4) moves on."""
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


@njit(cache=True)
def random_normal(state: np.ndarray) -> float:
    """Return a standard normal number (Box & Muller)."""
    radius = math.sqrt(-2.0 * math.log(1.0 - random_unit(state)))
    return radius * math.cos(2.0 * math.pi * random_unit(state))


@njit(cache=True)
def random_tags(out: np.ndarray, clusters: int, state: np.ndarray) -> None:
    """Fill ``out`` with tags drawn uniformly."""
    for i in range(len(out)):
        out[i] = min(int(random_unit(state) * clusters), clusters - 1)


@njit(cache=True, forceinline=True)
def _find(weights: np.ndarray, rest: float) -> int:
    """Return the first index at which the running sum of ``weights`` exceeds ``rest``."""
    for block in range(len(weights) // LANES):
        b = block * LANES
        total = ((weights[b] + weights[b + 1]) + (weights[b + 2] + weights[b + 3])) + (
            (weights[b + 4] + weights[b + 5]) + (weights[b + 6] + weights[b + 7])
        )
        if rest < total:
            for k in range(b, b + LANES):
                rest -= weights[k]
                if rest < 0.0:
                    return k
            break
        rest -= total
    best = 0
    for k in range(len(weights)):  # rounding left a rest: the heaviest takes it
        if weights[k] > weights[best]:
            best = k
    return best


@njit(cache=True)
def _sum(weights: np.ndarray) -> float:
    total = 0.0
    for k in range(len(weights)):
        total += weights[k]
    return total


@njit(cache=True)
def _heat(weights: np.ndarray, power: float) -> float:
    """Raise weights to a power, the largest being 1; return their sum."""
    largest = 0.0
    for k in range(len(weights)):
        largest = max(largest, weights[k])
    total = 0.0
    for k in range(len(weights)):
        weights[k] = (weights[k] / largest) ** power if weights[k] > 0.0 else 0.0
        total += weights[k]
    return total


# ---------------------------------------------------------------------------------------------------------------
# Trigram


@njit(cache=True)
def _trigram_event(c: Trigram, a: int, b: int, d: int, change: int) -> None:
    """Count, or take away, the transition from (a, b) to d."""
    K, S = c.clusters, c.stride
    M = K + 1
    if d != K:
        c.first[(a * M + b) * S + d] += change
    if b != K:
        c.middle[(a * M + d) * S + b] += change
        if a != K:
            c.last[(b * M + d) * S + a] += change


@njit(cache=True)
def _trigram_context(c: Trigram, a: int, b: int, change: int, alpha: float) -> None:
    """Count, or take away, the context (a, b)."""
    K, S = c.clusters, c.stride
    M = K + 1
    c.contexts[a * M + b] += change
    if b != K:
        inverse = 1.0 / (c.contexts[a * M + b] + M * alpha)
        c.left_inverse[a * S + b] = inverse
        if a != K:
            c.right_inverse[b * S + a] = inverse


@njit(cache=True)
def trigram_count(c: Trigram, order: np.ndarray, words: np.ndarray) -> None:
    """Fill the counts from the tags."""
    K, S = c.clusters, c.stride
    M = K + 1
    for j in range(len(order)):
        i = order[j]
        p, q, k, r = np.int64(c.tags[i - 2]), np.int64(c.tags[i - 1]), np.int64(c.tags[i]), np.int64(c.tags[i + 1])
        c.emission[words[j] * S + k] += 1
        c.tokens[k] += 1
        c.contexts[p * M + q] += 1
        _trigram_event(c, p, q, k, 1)
        if r == K:
            c.contexts[q * M + k] += 1
            _trigram_event(c, q, k, K, 1)


@njit(cache=True)
def trigram_invert(c: Trigram, alpha: float, beta: float) -> None:
    """Recompute every reciprocal, as after a change of the priors."""
    K, S = c.clusters, c.stride
    M = K + 1
    for k in range(K):
        c.inverse[k] = 1.0 / (c.tokens[k] + c.words * beta)
        c.right_inverse[K * S + k] = 1.0
        for q in range(M):
            c.left_inverse[q * S + k] = 1.0 / (c.contexts[q * M + k] + M * alpha)
        for r in range(K):
            c.right_inverse[r * S + k] = 1.0 / (c.contexts[k * M + r] + M * alpha)


@njit(cache=True)
def _trigram_weight(
    c: Trigram, p: int, q: int, o: int, r: int, s: int, w: int, k: int, alpha: float, beta: float
) -> float:
    """Weight of tag k where the events overlap: each count less the events of the old tag o, plus those of k before."""
    K, S = c.clusters, c.stride
    M = K + 1
    inside = r != K
    kept = k == o
    one = c.first[(p * M + q) * S + k] - kept - (q == p and o == q and r == k)
    one -= inside and o == p and r == q and s == k
    two = c.middle[(q * M + r) * S + k] - kept - (p == q and q == k and o == r) + (p == q and q == k and k == r)
    two -= inside and o == q and r == k and s == r
    out_of_left = c.contexts[q * M + k] - kept - (inside and o == q and r == k)
    product = (c.emission[w * S + k] - kept + beta) * (one + alpha) * (two + alpha)
    below = (c.tokens[k] - kept + c.words * beta) * (out_of_left + M * alpha)
    if inside:
        three = c.last[(r * M + s) * S + k] - kept - (p == k and q == r and o == s) + (p == k and q == r and k == s)
        three += (q == k and k == r and r == s) - (q == k and o == r and r == s)
        out_of_right = c.contexts[k * M + r] - kept - (q == k and o == r) + (q == k and k == r)
        product *= three + alpha
        below *= out_of_right + M * alpha
    else:
        product *= alpha  # as in the vector pass, where the row after the end is 0 + alpha
    return product / below


@njit(cache=True, forceinline=True)
def _trigram_weights(c: Trigram, i: int, w: int, alpha: float, beta: float, weights: np.ndarray) -> tuple[float, float]:
    """Weights of all tags for the token at i, up to a factor; return their sum and the weight of the present tag."""
    K, S = c.clusters, c.stride
    M = K + 1
    tags = c.tags
    p, q, o = np.int64(tags[i - 2]), np.int64(tags[i - 1]), np.int64(tags[i])
    r, s = np.int64(tags[i + 1]), np.int64(tags[i + 2])
    e, f, m, t = w * S, (p * M + q) * S, (q * M + r) * S, (r * M + s) * S
    inside = r != K
    overlap = ((o == q) & inside) | ((o == r) & (q != K)) | ((q == r) & inside)
    present = 0.0
    if not overlap:  # only the old tag's own cells change
        below = (c.tokens[o] - 1 + c.words * beta) * (c.contexts[q * M + o] - 1 + M * alpha)
        below *= c.contexts[o * M + r] - 1 + M * alpha if inside else 1.0
        present = (c.emission[e + o] - 1 + beta) * (c.first[f + o] - 1 + alpha)
        present *= (c.middle[m + o] - 1 + alpha) * (c.last[t + o] - inside + alpha)
        present /= below
    old = -1 if overlap else o
    total = _trigram_row(
        c.emission, e, beta, c.first, f, alpha, c.middle, m, alpha, c.last, t, alpha,
        c.inverse, 0, c.left_inverse, q * S, c.right_inverse, r * S, old, present, weights, S // LANES,
    )  # fmt: skip
    if overlap:  # a correction can fall on the tags around, and on no other
        weights[o] = _trigram_weight(c, p, q, o, r, s, w, o, alpha, beta)
        for k in (p, q, r, s):
            if k != K and k != o:
                weights[k] = _trigram_weight(c, p, q, o, r, s, w, k, alpha, beta)
        present = weights[o]
        total = _sum(weights)
    return total, present


@njit(cache=True)
def trigram_weights(c: Trigram, i: int, w: int, alpha: float, beta: float, weights: np.ndarray) -> tuple[float, float]:
    """Give the weights that a sweep uses for one token."""
    return _trigram_weights(c, i, w, alpha, beta, weights)


@njit(cache=True)
def _trigram_move(c: Trigram, i: int, w: int, k: int, alpha: float, beta: float) -> None:
    """Give the token at i the tag k, and change the counts."""
    K, S = c.clusters, c.stride
    tags = c.tags
    p, q, o = np.int64(tags[i - 2]), np.int64(tags[i - 1]), np.int64(tags[i])
    r, s = np.int64(tags[i + 1]), np.int64(tags[i + 2])
    tags[i] = k
    for tag, change in ((o, -1), (k, 1)):
        c.emission[w * S + tag] += change
        c.tokens[tag] += change
        c.inverse[tag] = 1.0 / (c.tokens[tag] + c.words * beta)
        _trigram_event(c, p, q, tag, change)
        _trigram_event(c, q, tag, r, change)
        _trigram_context(c, q, tag, change, alpha)
        if r != K:
            _trigram_event(c, tag, r, s, change)
            _trigram_context(c, tag, r, change, alpha)


@njit(cache=True)
def trigram_sweep(
    c: Trigram, order: np.ndarray, words: np.ndarray, alpha: float, beta: float, power: float,
    state: np.ndarray, weights: np.ndarray,
) -> int:  # fmt: skip
    """Draw every tag once from its conditional, raised to ``power`` (1 / temperature); return how many changed."""
    changed = 0
    for j in range(len(order)):
        i, w = np.int64(order[j]), np.int64(words[j])
        total, present = _trigram_weights(c, i, w, alpha, beta, weights)
        old = np.int64(c.tags[i])
        if power != 1.0:
            total = _heat(weights, power)
            present = weights[old]
        rest = random_unit(state) * total - present
        if rest >= 0.0:  # the present tag comes first in the running sum
            weights[old] = 0.0
            k = _find(weights, rest)
            if k != old:
                _trigram_move(c, i, w, k, alpha, beta)
                changed += 1
    return changed


@njit(cache=True)
def _dirichlet_cells(cells: np.ndarray, prior: float) -> float:
    """Sum of lgamma(n + prior) - lgamma(prior) over cells."""
    total = 0.0
    nothing = math.lgamma(prior)
    for i in range(len(cells)):
        if cells[i] > 0:
            total += math.lgamma(cells[i] + prior) - nothing
    return total


@njit(cache=True)
def _dirichlet_totals(totals: np.ndarray, mass: float) -> float:
    """Sum of lgamma(mass) - lgamma(n + mass) over contexts."""
    total = 0.0
    nothing = math.lgamma(mass)
    for i in range(len(totals)):
        if totals[i] > 0:
            total += nothing - math.lgamma(totals[i] + mass)
    return total


@njit(cache=True)
def log_emissions(c: Any, beta: float) -> float:
    """Log probability of the words given the tags."""
    return _dirichlet_totals(c.tokens, c.words * beta) + _dirichlet_cells(c.emission, beta)


@njit(cache=True)
def trigram_log_transitions(c: Trigram, alpha: float) -> float:
    """Log probability of the tags, ends of utterances included."""
    K, S = c.clusters, c.stride
    M = K + 1
    total = _dirichlet_totals(c.contexts, M * alpha) + _dirichlet_cells(c.first, alpha)
    for a in range(M):  # transitions to the end stand only in the other layouts
        total += _dirichlet_cells(c.middle[(a * M + K) * S : (a * M + K) * S + S], alpha)
    return total


# ---------------------------------------------------------------------------------------------------------------
# Bigram


@njit(cache=True)
def bigram_count(c: Bigram, order: np.ndarray, words: np.ndarray) -> None:
    """Fill the counts from the tags."""
    K, S = c.clusters, c.stride
    for j in range(len(order)):
        i = order[j]
        q, k, r = np.int64(c.tags[i - 1]), np.int64(c.tags[i]), np.int64(c.tags[i + 1])
        c.emission[words[j] * S + k] += 1
        c.tokens[k] += 1
        c.first[q * S + k] += 1
        c.last[r * S + k] += 1
        if q == K:
            c.starts[0] += 1


@njit(cache=True)
def bigram_invert(c: Bigram, alpha: float, beta: float) -> None:
    """Recompute every reciprocal, as after a change of the priors."""
    for k in range(c.clusters):
        c.inverse[k] = 1.0 / ((c.tokens[k] + c.words * beta) * (c.tokens[k] + (c.clusters + 1) * alpha))


@njit(cache=True)
def _bigram_weight(c: Bigram, q: int, o: int, r: int, w: int, k: int, alpha: float, beta: float) -> float:
    """Weight of tag k where the two events overlap."""
    S = c.stride
    kept = k == o
    one = c.first[q * S + k] - kept - (o == q and r == k)
    two = c.last[r * S + k] - kept - (q == k and o == r) + (q == k and k == r)
    product = (c.emission[w * S + k] - kept + beta) * (one + alpha) * (two + alpha)
    tokens = c.tokens[k] - kept
    return product / ((tokens + c.words * beta) * (tokens + (c.clusters + 1) * alpha))


@njit(cache=True, forceinline=True)
def _bigram_weights(c: Bigram, i: int, w: int, alpha: float, beta: float, weights: np.ndarray) -> tuple[float, float]:
    """Weights of all tags for the token at i, up to a factor; return their sum and the weight of the present tag."""
    K, S = c.clusters, c.stride
    tags = c.tags
    q, o, r = np.int64(tags[i - 1]), np.int64(tags[i]), np.int64(tags[i + 1])
    e, f, t = w * S, q * S, r * S
    overlap = ((o == q) & (r != K)) | ((o == r) & (q != K)) | ((q == r) & (q != K))
    present = 0.0
    if not overlap:
        tokens = c.tokens[o] - 1
        present = (c.emission[e + o] - 1 + beta) * (c.first[f + o] - 1 + alpha) * (c.last[t + o] - 1 + alpha)
        present /= (tokens + c.words * beta) * (tokens + (K + 1) * alpha)
    old = -1 if overlap else o
    total = _bigram_row(
        c.emission, e, beta, c.first, f, alpha, c.last, t, alpha, c.inverse, 0, old, present, weights, S // LANES
    )
    if overlap:
        weights[o] = _bigram_weight(c, q, o, r, w, o, alpha, beta)
        for k in (q, r):
            if k != K and k != o:
                weights[k] = _bigram_weight(c, q, o, r, w, k, alpha, beta)
        present = weights[o]
        total = _sum(weights)
    return total, present


@njit(cache=True)
def bigram_weights(c: Bigram, i: int, w: int, alpha: float, beta: float, weights: np.ndarray) -> tuple[float, float]:
    """Give the weights that a sweep uses for one token."""
    return _bigram_weights(c, i, w, alpha, beta, weights)


@njit(cache=True)
def _bigram_move(c: Bigram, i: int, w: int, k: int, alpha: float, beta: float) -> None:
    """Give the token at i the tag k, and change the counts."""
    K, S = c.clusters, c.stride
    q, o, r = np.int64(c.tags[i - 1]), np.int64(c.tags[i]), np.int64(c.tags[i + 1])
    c.tags[i] = k
    for tag, change in ((o, -1), (k, 1)):
        c.emission[w * S + tag] += change
        c.tokens[tag] += change
        c.inverse[tag] = 1.0 / ((c.tokens[tag] + c.words * beta) * (c.tokens[tag] + (K + 1) * alpha))
        c.first[q * S + tag] += change
        c.last[r * S + tag] += change
        if r != K:
            c.first[tag * S + r] += change
        if q != K:
            c.last[tag * S + q] += change


@njit(cache=True)
def bigram_sweep(
    c: Bigram, order: np.ndarray, words: np.ndarray, alpha: float, beta: float, power: float,
    state: np.ndarray, weights: np.ndarray,
) -> int:  # fmt: skip
    """Draw every tag once from its conditional, raised to ``power`` (1 / temperature); return how many changed."""
    changed = 0
    for j in range(len(order)):
        i, w = np.int64(order[j]), np.int64(words[j])
        total, present = _bigram_weights(c, i, w, alpha, beta, weights)
        old = np.int64(c.tags[i])
        if power != 1.0:
            total = _heat(weights, power)
            present = weights[old]
        rest = random_unit(state) * total - present
        if rest >= 0.0:
            weights[old] = 0.0
            k = _find(weights, rest)
            if k != old:
                _bigram_move(c, i, w, k, alpha, beta)
                changed += 1
    return changed


@njit(cache=True)
def bigram_log_transitions(c: Bigram, alpha: float) -> float:
    """Log probability of the tags, ends of utterances included."""
    K, S = c.clusters, c.stride
    mass = (K + 1) * alpha
    total = _dirichlet_totals(c.tokens, mass) + _dirichlet_totals(c.starts, mass) + _dirichlet_cells(c.first, alpha)
    return total + _dirichlet_cells(c.last[K * S : K * S + S], alpha)


# ---------------------------------------------------------------------------------------------------------------
# Priors


@njit(cache=True)
def _accept(x: float, proposal: float, gain: float, state: np.ndarray) -> bool:
    """Metropolis-Hastings for Normal(x, (0.1 x)^2), flat prior on x > 0; ``gain`` is the rise of the log likelihood."""
    distance = (proposal - x) * (proposal - x)
    forward = -math.log(x) - distance / (2.0 * (0.1 * x) * (0.1 * x))
    backward = -math.log(proposal) - distance / (2.0 * (0.1 * proposal) * (0.1 * proposal))
    return math.log(1.0 - random_unit(state)) < gain + backward - forward


@njit(cache=True)
def propose(x: float, state: np.ndarray) -> float:
    """Draw from Normal(x, (0.1 x)^2)."""
    return x + 0.1 * x * random_normal(state)


@njit(cache=True)
def step_beta(c: Any, beta: float, state: np.ndarray) -> float:
    """Take one Metropolis-Hastings step of the prior on emissions."""
    proposal = propose(beta, state)
    if proposal > 0.0 and _accept(beta, proposal, log_emissions(c, proposal) - log_emissions(c, beta), state):
        return proposal
    return beta


@njit(cache=True)
def trigram_step_alpha(c: Trigram, alpha: float, state: np.ndarray) -> float:
    """Take one Metropolis-Hastings step of the prior on transitions."""
    proposal = propose(alpha, state)
    if proposal > 0.0:
        gain = trigram_log_transitions(c, proposal) - trigram_log_transitions(c, alpha)
        if _accept(alpha, proposal, gain, state):
            return proposal
    return alpha


@njit(cache=True)
def bigram_step_alpha(c: Bigram, alpha: float, state: np.ndarray) -> float:
    """Take one Metropolis-Hastings step of the prior on transitions."""
    proposal = propose(alpha, state)
    if proposal > 0.0:
        gain = bigram_log_transitions(c, proposal) - bigram_log_transitions(c, alpha)
        if _accept(alpha, proposal, gain, state):
            return proposal
    return alpha


# ---------------------------------------------------------------------------------------------------------------
# New text: the counts stay as training left them; ``tags`` are those of the new text.


@njit(cache=True)
def trigram_tag_start(c: Trigram, places: np.ndarray, words: np.ndarray, alpha: float, beta: float,
                      state: np.ndarray, weights: np.ndarray) -> None:  # fmt: skip
    """Draw each tag, from left to right, given its word and the two tags before it."""
    K, S = c.clusters, c.stride
    M = K + 1
    for j in range(len(places)):
        i = places[j]
        before = (np.int64(c.tags[i - 2]) * M + np.int64(c.tags[i - 1])) * S
        total = 0.0
        for k in range(K):
            weights[k] = (c.emission[words[j] * S + k] + beta) * c.inverse[k] * (c.first[before + k] + alpha)
            total += weights[k]
        c.tags[i] = _find(weights, random_unit(state) * total)


@njit(cache=True)
def bigram_tag_start(c: Bigram, places: np.ndarray, words: np.ndarray, alpha: float, beta: float,
                     state: np.ndarray, weights: np.ndarray) -> None:  # fmt: skip
    """Draw each tag, from left to right, given its word and the tag before it."""
    K, S = c.clusters, c.stride
    for j in range(len(places)):
        i = places[j]
        before = np.int64(c.tags[i - 1]) * S
        total = 0.0
        for k in range(K):
            emission = (c.emission[words[j] * S + k] + beta) / (c.tokens[k] + c.words * beta)
            weights[k] = emission * (c.first[before + k] + alpha)
            total += weights[k]
        c.tags[i] = _find(weights, random_unit(state) * total)


@njit(cache=True, forceinline=True)
def _draw(c: Any, i: int, total: float, state: np.ndarray, weights: np.ndarray) -> None:
    old = np.int64(c.tags[i])
    rest = random_unit(state) * total - weights[old]
    if rest >= 0.0:
        weights[old] = 0.0
        c.tags[i] = _find(weights, rest)


@njit(cache=True)
def trigram_tag_sweep(c: Trigram, order: np.ndarray, words: np.ndarray, alpha: float, beta: float,
                      state: np.ndarray, weights: np.ndarray) -> None:  # fmt: skip
    """Draw every tag of the new text once."""
    K, S = c.clusters, c.stride
    M = K + 1
    tags = c.tags
    for j in range(len(order)):
        i, w = np.int64(order[j]), np.int64(words[j])
        p, q, r, s = np.int64(tags[i - 2]), np.int64(tags[i - 1]), np.int64(tags[i + 1]), np.int64(tags[i + 2])
        total = _trigram_row(
            c.emission, w * S, beta, c.first, (p * M + q) * S, alpha, c.middle, (q * M + r) * S, alpha,
            c.last, (r * M + s) * S, alpha, c.inverse, 0, c.left_inverse, q * S, c.right_inverse, r * S,
            -1, 0.0, weights, S // LANES,
        )  # fmt: skip
        _draw(c, i, total, state, weights)


@njit(cache=True)
def bigram_tag_sweep(c: Bigram, order: np.ndarray, words: np.ndarray, alpha: float, beta: float,
                     state: np.ndarray, weights: np.ndarray) -> None:  # fmt: skip
    """Draw every tag of the new text once."""
    S = c.stride
    tags = c.tags
    for j in range(len(order)):
        i, w = np.int64(order[j]), np.int64(words[j])
        total = _bigram_row(
            c.emission, w * S, beta, c.first, np.int64(tags[i - 1]) * S, alpha, c.last, np.int64(tags[i + 1]) * S,
            alpha, c.inverse, 0, -1, 0.0, weights, S // LANES,
        )  # fmt: skip
        _draw(c, i, total, state, weights)


@njit(cache=True)
def most_frequent(samples: np.ndarray, clusters: int, out: np.ndarray) -> None:
    """Most frequent tag of each column of ``samples`` (sweeps x tokens); of equals, the lowest tag."""
    seen = np.zeros(clusters, np.int64)
    for j in range(samples.shape[1]):
        seen[:] = 0
        for t in range(samples.shape[0]):
            seen[samples[t, j]] += 1
        best = 0
        for k in range(clusters):
            if seen[k] > seen[best]:
                best = k
        out[j] = best


@njit(cache=True)
def viterbi(
    transitions: np.ndarray, emissions: np.ndarray, trigram: bool, lengths: np.ndarray, words: np.ndarray,
    beam: int, out: np.ndarray,
) -> None:  # fmt: skip
    """Most probable tags of each utterance; at most ``beam`` histories (and their equals) are kept at each token.

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
