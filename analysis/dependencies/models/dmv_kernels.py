# ruff: noqa: ANN001, ANN201, ANN202
# mypy: disable-error-code="no-untyped-def"
"""Inside-outside, Viterbi and the harmonic initialiser of the dependency model with valence.

Tags are codes from 0. Parameters: ``root[tag]``; ``attach[side, head, child]``; ``stop[side, head, valence]`` and
``go[side, head, valence]``, the factors for stopping and for continuing; side 0 is left, 1 is right; valence 0 is
adjacent (no child on that side yet), 1 is not. ``go`` is a separate array because it may differ from 1 - stop: factors
may be raised to a power, or be variational weights that do not sum to 1.

The value of a right span from head i to j without stopping is the product of what the head generated there:
``go_right`` is this value times the factor for continuing, ``stop_right`` times the factor for stopping (sealed),
``edge_right[i, j]`` is the span of a head i and a child j and everything between them. The left side is the mirror
image.

The four arrays go together as a tuple, once as they are and once as logarithms. Sentences are summed with plain numbers
where that is exact: each edge is multiplied by a power of two, of its own for each long sentence, and afterwards the
sums are compared with what may have been lost below the smallest double. What is not safe is done in logarithms.

A chart of plain numbers has left sides transposed, [j, i], and sealed sides in both orders, so that each inner loop
runs along two rows.
"""

import numpy as np

from analysis.structures.compiled import compiler, njit

types = compiler("numba.core.types")
_INT1 = types.Array(types.int64, 1, "C", readonly=True)
_F1 = types.Array(types.float64, 1, "C", readonly=True)
_F2 = types.Array(types.float64, 2, "C", readonly=True)
_NEW1 = types.Array(types.float64, 1, "C")
_NEW2 = types.Array(types.float64, 2, "C")
_NEW3 = types.Array(types.float64, 3, "C")
_FACTORS = types.Tuple((_NEW1, _NEW3, _NEW3, _NEW3))
_HEADS = types.Array(types.int64, 1, "C")
_CHART = types.Array(types.float64, 3, "C")
_TEXT = types.Tuple((_INT1, _INT1, _F1))  # words, first word of each sentence and the end, weight of each sentence

# Layers of a chart: go_right, stop_right, edge_right, go_left, stop_left, edge_left, then their derivatives; of plain
# numbers two more before and after the derivatives, stop_right transposed and stop_left not.
_SR, _ER, _SL, _EL = 1, 2, 4, 5
_LAYERS = 16

_SHORT = 40  # words to which one scale fits all sentences
_SMALLEST, _LARGEST = 1e-140, 1e250  # sentences whose scaled probability lies outside are summed in logarithms
_SAFE = 1e280  # so are those with sums so many times larger than it: what underflows may have been a share of 1e-17


# ------------------------------------------------------------------------------------------------------- charts


@njit(types.float64(_INT1, _FACTORS, types.float64, _CHART), nogil=True)
def _inside(tags, factors, scale, chart):
    """Fill the values of a chart; the probability of the sentence times scale ** n, for each word has one edge."""
    root, attach, stop, go = factors
    n = tags.size
    gr, sr, er, gl, sl, el, across_sr, across_sl = (
        chart[0], chart[1], chart[2], chart[3], chart[4], chart[5], chart[6], chart[7]
    )  # fmt: skip
    for i in range(n):
        t = tags[i]
        gr[i, i], gl[i, i] = go[1, t, 0], go[0, t, 0]
        sr[i, i] = across_sr[i, i] = stop[1, t, 0]
        sl[i, i] = across_sl[i, i] = stop[0, t, 0]
        er[i, i] = el[i, i] = 0.0
    for width in range(1, n):
        for i in range(n - width):
            j = i + width
            a, b = tags[i], tags[j]
            right = left = 0.0
            one, two, three, four = gr[i], sl[j], sr[i], gl[j]
            for k in range(i, j):
                right += one[k] * two[k + 1]
                left += three[k] * four[k + 1]
            er[i, j] = right * attach[1, a, b] * scale
            el[j, i] = left * attach[0, b, a] * scale
            right = left = 0.0
            one, two, three, four = er[i], across_sr[j], across_sl[i], el[j]
            for k in range(i, j):
                right += one[k + 1] * two[k + 1]
                left += three[k] * four[k]
            gr[i, j], gl[j, i] = right * go[1, a, 1], left * go[0, b, 1]
            sr[i, j] = across_sr[j, i] = right * stop[1, a, 1]
            sl[j, i] = across_sl[i, j] = left * stop[0, b, 1]
    total = 0.0
    for r in range(n):
        total += root[tags[r]] * sl[r, 0] * sr[r, n - 1]
    return total * scale


@njit(types.void(_NEW1, _F1, types.float64, types.int64, types.int64, types.int64), nogil=True)
def _add(out, row, weight, begin, end, step):
    """Add part of a row, shifted by so many places, times a weight."""
    for k in range(begin, end):
        out[k] += weight * row[k + step]


@njit(types.void(_INT1, _FACTORS, types.float64, _CHART), nogil=True)
def _outside(tags, factors, scale, chart):
    """Fill the derivatives of the sentence's probability (times scale ** n) by each value of the chart.

    Those by sealed sides are the sum of two layers.
    """
    root, attach, stop, go = factors
    n = tags.size
    gr, sr, er, gl, sl, el, across_sr, across_sl = (
        chart[0], chart[1], chart[2], chart[3], chart[4], chart[5], chart[6], chart[7]
    )  # fmt: skip
    dgr, dsr, der, dgl, dsl, del_, across_dsr, across_dsl = (
        chart[8], chart[9], chart[10], chart[11], chart[12], chart[13], chart[14], chart[15]
    )  # fmt: skip
    chart[8:] = 0.0
    for r in range(n):
        weight = root[tags[r]] * scale
        dsl[r, 0] += weight * sr[r, n - 1]
        dsr[r, n - 1] += weight * sl[r, 0]
    for width in range(n - 1, 0, -1):
        for i in range(n - width):
            j = i + width
            a, b = tags[i], tags[j]
            right = dgr[i, j] * go[1, a, 1] + (dsr[i, j] + across_dsr[j, i]) * stop[1, a, 1]
            left = dgl[j, i] * go[0, b, 1] + (dsl[j, i] + across_dsl[i, j]) * stop[0, b, 1]
            _add(der[i], across_sr[j], right, i + 1, j + 1, 0)
            _add(across_dsr[j], er[i], right, i + 1, j + 1, 0)
            _add(del_[j], across_sl[i], left, i, j, 0)
            _add(across_dsl[i], el[j], left, i, j, 0)
            right = der[i, j] * attach[1, a, b] * scale
            left = del_[j, i] * attach[0, b, a] * scale
            _add(dgr[i], sl[j], right, i, j, 1)
            _add(dsl[j], gr[i], right, i + 1, j + 1, -1)
            _add(dsr[i], gl[j], left, i, j, 1)
            _add(dgl[j], sr[i], left, i + 1, j + 1, -1)


@njit(types.float64(types.float64, types.float64), forceinline=True, nogil=True)
def _plus(x, y):
    """The logarithm of the sum of two numbers that are given by their logarithms."""
    if x < y:
        x, y = y, x
    if y == -np.inf:
        return x
    return x + np.log1p(np.exp(y - x))


@njit(types.float64(_INT1, _FACTORS, _CHART), nogil=True)
def _log_inside(tags, factors, chart):
    """As `_inside`, with all that goes in and comes out as logarithms, unscaled, and all layers as [i, j]."""
    root, attach, stop, go = factors
    n = tags.size
    gr, sr, er, gl, sl, el = chart[0], chart[1], chart[2], chart[3], chart[4], chart[5]
    for i in range(n):
        t = tags[i]
        gr[i, i] = go[1, t, 0]
        sr[i, i] = stop[1, t, 0]
        gl[i, i] = go[0, t, 0]
        sl[i, i] = stop[0, t, 0]
        er[i, i] = el[i, i] = -np.inf
    for width in range(1, n):
        for i in range(n - width):
            j = i + width
            a, b = tags[i], tags[j]
            right = left = -np.inf
            for k in range(i, j):
                right = _plus(right, gr[i, k] + sl[k + 1, j])
                left = _plus(left, sr[i, k] + gl[k + 1, j])
            er[i, j] = right + attach[1, a, b]
            el[i, j] = left + attach[0, b, a]
            right = left = -np.inf
            for k in range(i, j):
                right = _plus(right, er[i, k + 1] + sr[k + 1, j])
                left = _plus(left, sl[i, k] + el[k, j])
            gr[i, j] = right + go[1, a, 1]
            sr[i, j] = right + stop[1, a, 1]
            gl[i, j] = left + go[0, b, 1]
            sl[i, j] = left + stop[0, b, 1]
    total = -np.inf
    for r in range(n):
        total = _plus(total, root[tags[r]] + sl[0, r] + sr[r, n - 1])
    return total


@njit(types.void(_INT1, _FACTORS, _CHART), nogil=True)
def _log_outside(tags, factors, chart):
    """As `_outside`, of `_log_inside`; layers 6 to 11."""
    root, attach, stop, go = factors
    n = tags.size
    gr, sr, er, gl, sl, el = chart[0], chart[1], chart[2], chart[3], chart[4], chart[5]
    dgr, dsr, der, dgl, dsl, del_ = chart[6], chart[7], chart[8], chart[9], chart[10], chart[11]
    for i in range(n):
        for j in range(i, n):
            dgr[i, j] = dsr[i, j] = der[i, j] = dgl[i, j] = dsl[i, j] = del_[i, j] = -np.inf
    for r in range(n):
        weight = root[tags[r]]
        dsl[0, r] = _plus(dsl[0, r], weight + sr[r, n - 1])
        dsr[r, n - 1] = _plus(dsr[r, n - 1], weight + sl[0, r])
    for width in range(n - 1, 0, -1):
        for i in range(n - width):
            j = i + width
            a, b = tags[i], tags[j]
            right = _plus(dgr[i, j] + go[1, a, 1], dsr[i, j] + stop[1, a, 1])
            left = _plus(dgl[i, j] + go[0, b, 1], dsl[i, j] + stop[0, b, 1])
            for k in range(i, j):
                der[i, k + 1] = _plus(der[i, k + 1], right + sr[k + 1, j])
                dsr[k + 1, j] = _plus(dsr[k + 1, j], right + er[i, k + 1])
                del_[k, j] = _plus(del_[k, j], left + sl[i, k])
                dsl[i, k] = _plus(dsl[i, k], left + el[k, j])
            right = der[i, j] + attach[1, a, b]
            left = del_[i, j] + attach[0, b, a]
            for k in range(i, j):
                dgr[i, k] = _plus(dgr[i, k], right + sl[k + 1, j])
                dsl[k + 1, j] = _plus(dsl[k + 1, j], right + gr[i, k])
                dsr[i, k] = _plus(dsr[i, k], left + gl[k + 1, j])
                dgl[k + 1, j] = _plus(dgl[k + 1, j], left + sr[i, k])


# ------------------------------------------------------------------------------------------------ expected counts


@njit(types.float64(_INT1, _FACTORS, types.float64, _CHART), nogil=True)
def _scale_of(tags, factors, scale, chart):
    """The power of two, near the scale, by which a sentence that begins as this one does has a probability near 1."""
    total = _inside(tags[:_SHORT], factors, scale, chart)
    if not 0.0 < total < np.inf:
        return scale
    return scale * 2.0 ** np.rint(-np.log2(total) / _SHORT)


@njit(types.boolean(_INT1, _FACTORS, types.float64, types.float64, _CHART), nogil=True)
def _share_out(tags, factors, scale, total, chart):
    """Turn a chart of plain numbers into expected numbers of spans; False if too much may have underflowed."""
    n = tags.size
    _outside(tags, factors, scale, chart)
    share, mass = 1.0 / total, 0.0
    for r in range(n):  # kept where no edge is: a word is not its own head
        chart[13, r, r] = factors[0][tags[r]] * scale * chart[_SL, r, 0] * chart[_SR, r, n - 1] * share
    for i in range(n):
        for j in range(i, n):
            chart[9, i, j] += chart[14, j, i]
            chart[12, j, i] += chart[15, i, j]
            for layer in range(3):
                value, other = chart[layer, i, j], chart[layer + 8, i, j]
                chart[layer, i, j] = value * other * share
                mass += value + other
            for layer in range(3, 6):
                value, other = chart[layer, j, i], chart[layer + 8, j, i]
                chart[layer, i, j] = value * other * share
                mass += value + other
    for r in range(n):
        chart[_ER, r, r] = chart[13, r, r]
    return mass * n * n < _SAFE * total


@njit(types.float64(_INT1, _FACTORS, _CHART), nogil=True)
def _share_out_logs(tags, logs, chart):
    """Log-probability of a sentence, and expected numbers of spans as `_share_out`, all in logarithms."""
    n = tags.size
    result = _log_inside(tags, logs, chart)
    if result == -np.inf:
        return result
    _log_outside(tags, logs, chart)
    for r in range(n):
        chart[11, r, r] = np.exp(logs[0][tags[r]] + chart[_SL, 0, r] + chart[_SR, r, n - 1] - result)
    for i in range(n):
        for j in range(i, n):
            for layer in range(6):
                chart[layer, i, j] = np.exp(chart[layer, i, j] + chart[layer + 6, i, j] - result)
    for r in range(n):
        chart[_ER, r, r] = chart[11, r, r]
    return result


@njit(types.float64(_INT1, _FACTORS, _FACTORS, types.float64, types.boolean, _CHART), nogil=True)
def _expect(tags, factors, logs, scale, with_outside, chart):
    """Compute the log-probability of a sentence; each layer of the chart becomes the expected number of its spans.

    After a call with `with_outside`, for right sides layer 0 holds how often a head continues after the span, 1 how
    often it stops, 2 the probability of the edge; layers 3 to 5 are for left sides. The diagonal of layer 2 holds the
    probability that the word is the root.
    """
    n = tags.size
    if n > _SHORT:
        scale = _scale_of(tags, factors, scale, chart)
    total = _inside(tags, factors, scale, chart)
    if _SMALLEST < total < _LARGEST:
        checked = with_outside or n > _SHORT
        if not checked or _share_out(tags, factors, scale, total, chart):
            return np.log(total) - n * np.log(scale)
    return _share_out_logs(tags, logs, chart) if with_outside else _log_inside(tags, logs, chart)


@njit(
    types.Tuple((types.float64, types.int64))(
        _TEXT, types.int64, types.int64, _FACTORS, _FACTORS, types.float64, types.boolean, _FACTORS
    ),
    nogil=True,
)
def expected_counts(text, begin, end, factors, logs, scale, with_counts, counts):
    """Add the expected counts of sentences `begin` to `end`, weighted.

    Parameters
    ----------
    text : words, starts, weights

    Returns
    -------
    log_likelihood : float
    impossible : int
        Number of sentences with probability 0, which add nothing to either.
    """
    words, starts, weights = text
    size = 0
    chart = np.empty((_LAYERS, 0, 0))
    roots, attachments, stops, goes = counts
    log_likelihood = 0.0
    impossible = 0
    for s in range(begin, end):
        tags = words[starts[s] : starts[s + 1]]
        n = tags.size
        if n != size:
            chart = np.empty((_LAYERS, n, n))
            size = n
        value = _expect(tags, factors, logs, scale, with_counts, chart)
        if value == -np.inf:
            impossible += 1
            continue
        weight = weights[s]
        log_likelihood += weight * value
        if not with_counts:
            continue
        gr, sr, er, gl, sl, el = chart[0], chart[1], chart[2], chart[3], chart[4], chart[5]
        for i in range(n):
            a = tags[i]
            goes[1, a, 0] += weight * gr[i, i]
            stops[1, a, 0] += weight * sr[i, i]
            goes[0, a, 0] += weight * gl[i, i]
            stops[0, a, 0] += weight * sl[i, i]
            roots[a] += weight * er[i, i]
            for j in range(i + 1, n):
                b = tags[j]
                attachments[1, a, b] += weight * er[i, j]
                attachments[0, b, a] += weight * el[i, j]
                goes[1, a, 1] += weight * gr[i, j]
                stops[1, a, 1] += weight * sr[i, j]
                goes[0, b, 1] += weight * gl[i, j]
                stops[0, b, 1] += weight * sl[i, j]
    return log_likelihood, impossible


@njit(
    types.float64(_INT1, _FACTORS, _FACTORS, types.float64, _NEW2),
    nogil=True,
)
def head_posteriors(tags, factors, logs, scale, posteriors):
    """Write the probability of each head of each word: row 0 the root, row i word i, one column per word.

    Returns
    -------
    float
        Log-probability of the sentence; if it is -inf, nothing is written.
    """
    n = tags.size
    chart = np.empty((_LAYERS, n, n))
    value = _expect(tags, factors, logs, scale, True, chart)
    if value == -np.inf:
        return value
    posteriors[:, :] = 0.0
    for j in range(n):
        posteriors[0, j] = chart[_ER, j, j]
        for i in range(j):
            posteriors[i + 1, j] = chart[_ER, i, j]
        for i in range(j + 1, n):
            posteriors[i + 1, j] = chart[_EL, j, i]
    return value


# --------------------------------------------------------------------------------------------------- best trees


@njit(forceinline=True, nogil=True)
def _put(stack, top, side, first, last):
    """Write a row of a stack number by number: numba takes two seconds to compile the assignment of a tuple."""
    stack[top, 0] = side
    stack[top, 1] = first
    stack[top, 2] = last
    return top + 1


@njit(
    types.float64(_F1, _F2, _NEW3, _NEW3, _HEADS),
    nogil=True,
)
def best_tree(root, edge, stop, go, heads):
    """Find the projective tree with one root and the highest sum of scores; write `heads` and return the score.

    `root[word]`, `edge[head, child]`, `stop[side, word, valence]` and `go` are additive scores. Ties go to the tree
    with the leftmost root, then with the leftmost splits of spans.
    """
    n = root.size
    lowest = -np.inf
    gr, sr, er = np.full((n, n), lowest), np.full((n, n), lowest), np.full((n, n), lowest)
    gl, sl, el = np.full((n, n), lowest), np.full((n, n), lowest), np.full((n, n), lowest)
    split = np.zeros((4, n, n), dtype=np.int64)  # for right edges, right sides, left edges, left sides
    for i in range(n):
        gr[i, i], sr[i, i] = go[1, i, 0], stop[1, i, 0]
        gl[i, i], sl[i, i] = go[0, i, 0], stop[0, i, 0]
    for width in range(1, n):
        for i in range(n - width):
            j = i + width
            right = left = lowest
            split[0, i, j] = split[2, i, j] = i
            for k in range(i, j):
                value = gr[i, k] + sl[k + 1, j]
                if value > right:
                    right = value
                    split[0, i, j] = k
                value = sr[i, k] + gl[k + 1, j]
                if value > left:
                    left = value
                    split[2, i, j] = k
            er[i, j] = right + edge[i, j]
            el[i, j] = left + edge[j, i]
            right = left = lowest
            split[1, i, j] = i + 1
            split[3, i, j] = i
            for k in range(i, j):
                value = er[i, k + 1] + sr[k + 1, j]
                if value > right:
                    right = value
                    split[1, i, j] = k + 1
                value = sl[i, k] + el[k, j]
                if value > left:
                    left = value
                    split[3, i, j] = k
            gr[i, j], sr[i, j] = right + go[1, i, 1], right + stop[1, i, 1]
            gl[i, j], sl[i, j] = left + go[0, j, 1], left + stop[0, j, 1]
    best, chosen = lowest, 0
    for r in range(n):
        value = root[r] + sl[0, r] + sr[r, n - 1]
        if value > best:
            best = value
            chosen = r
    heads[chosen] = 0
    stack = np.empty((2 * n + 2, 3), dtype=np.int64)  # side, first, last word of a side to be expanded
    top = _put(stack, 0, 0, 0, chosen)
    top = _put(stack, top, 1, chosen, n - 1)
    while top:
        top -= 1
        side, i, j = stack[top, 0], stack[top, 1], stack[top, 2]
        if i == j:
            continue
        if side == 1:
            child = split[1, i, j]
            k = split[0, i, child]
            heads[child] = i + 1
            top = _put(stack, top, 1, child, j)
            top = _put(stack, top, 1, i, k)
            top = _put(stack, top, 0, k + 1, child)
        else:
            child = split[3, i, j]
            k = split[2, child, j]
            heads[child] = j + 1
            top = _put(stack, top, 0, i, child)
            top = _put(stack, top, 1, child, k)
            top = _put(stack, top, 0, k + 1, j)
    return best


@njit(
    types.float64(_INT1, _FACTORS, _HEADS),
    nogil=True,
)
def viterbi(tags, logs, heads):
    """Find the most probable tree; write `heads` and return its joint log-probability. See `best_tree`."""
    root, attach, stop, go = logs
    n = tags.size
    roots, edges = np.empty(n), np.empty((n, n))
    stops, goes = np.empty((2, n, 2)), np.empty((2, n, 2))
    for i in range(n):
        roots[i] = root[tags[i]]
        for j in range(n):
            edges[i, j] = attach[1 if j > i else 0, tags[i], tags[j]]
        for side in range(2):
            for valence in range(2):
                stops[side, i, valence] = stop[side, tags[i], valence]
                goes[side, i, valence] = go[side, tags[i], valence]
    return best_tree(roots, edges, stops, goes, heads)


@njit(
    types.void(_INT1, _INT1, types.float64, _FACTORS),
    nogil=True,
)
def count_tree(tags, heads, weight, counts):
    """Add the counts of one tree, `weight` times."""
    roots, attachments, stops, goes = counts
    n = tags.size
    children = np.zeros((2, n), dtype=np.int64)
    for word in range(n):
        if heads[word] == 0:
            roots[tags[word]] += weight
            continue
        head = heads[word] - 1
        side = 1 if word > head else 0
        attachments[side, tags[head], tags[word]] += weight
        children[side, head] += 1
    for word in range(n):
        for side in range(2):
            number = children[side, word]
            stops[side, tags[word], 0 if number == 0 else 1] += weight
            if number:
                goes[side, tags[word], 0] += weight
                goes[side, tags[word], 1] += weight * (number - 1)


@njit(
    types.Tuple((types.float64, types.int64))(
        _TEXT, types.int64, types.int64, _FACTORS, _FACTORS, types.float64, types.boolean, _FACTORS
    ),
    nogil=True,
)
def viterbi_counts(text, begin, end, factors, logs, scale, with_counts, counts):
    """Add counts like `expected_counts`, but of the most probable tree of each sentence only."""
    words, starts, weights = text
    log_likelihood = 0.0
    impossible = 0
    for s in range(begin, end):
        tags = words[starts[s] : starts[s + 1]]
        heads = np.zeros(tags.size, dtype=np.int64)
        value = viterbi(tags, logs, heads)
        if value == -np.inf:
            impossible += 1
            continue
        log_likelihood += weights[s] * value
        if with_counts:
            count_tree(tags, heads, weights[s], counts)
    return log_likelihood, impossible


# ------------------------------------------------------------------------------------------ harmonic initialiser


@njit(
    _NEW2(types.int64, types.float64, types.boolean),
    nogil=True,
)
def soft_heads(n, constant, by_head):
    """Compute the probability of each head (row) of each word (column) in a sentence of n words, without roots."""
    weights = np.zeros((n, n))
    for i in range(n):
        for j in range(n):
            if i != j:
                weights[i, j] = 1.0 / (abs(i - j) + constant)
    if by_head:
        for i in range(n):
            total = 0.0
            for j in range(n):
                total += weights[i, j]
            if total > 0.0:
                for j in range(n):
                    weights[i, j] /= total
    for j in range(n):
        total = 0.0
        for i in range(n):
            total += weights[i, j]
        if total > 0.0:
            for i in range(n):
                weights[i, j] *= (1.0 - 1.0 / n) / total
    return weights


@njit(
    types.void(_INT1, _INT1, _F1, types.float64, types.boolean, _FACTORS),
    nogil=True,
)
def harmonic_counts(words, starts, weights, constant, by_head, counts):
    """Add the counts of soft heads; the children of a head on one side are treated as independent events."""
    roots, attachments, stops, goes = counts
    size = -1
    soft = np.zeros((0, 0))
    for s in range(starts.size - 1):
        tags = words[starts[s] : starts[s + 1]]
        n = tags.size
        if n != size:
            soft = soft_heads(n, constant, by_head)
            size = n
        weight = weights[s]
        for i in range(n):
            head = tags[i]
            roots[head] += weight / n
            for side in range(2):
                none = 1.0
                expected = 0.0
                for j in range(i + 1 if side else 0, n if side else i):
                    attachments[side, head, tags[j]] += weight * soft[i, j]
                    none *= 1.0 - soft[i, j]
                    expected += soft[i, j]
                stops[side, head, 0] += weight * none
                goes[side, head, 0] += weight * (1.0 - none)
                stops[side, head, 1] += weight * (1.0 - none)
                goes[side, head, 1] += weight * max(expected - (1.0 - none), 0.0)
