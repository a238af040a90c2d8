"""Kernels of the infinite HMM: slices, sticks, forward filtering, backward sampling, weights.

State 0 is the boundary, states from 1 on emit words. The text is one path of states: a boundary before each utterance
and one at the end, so that entry i of ``slices`` belongs to the transition into place i of ``path``. All that is known
of the infinite model lies in `Tables`: the states represented so far and, for the base weights and for each row of
transitions, the mass of all the others.

Before a sweep all slices are drawn, and sticks are broken until no state that is not represented can be reached from
any state by a transition as probable as the least slice. Then each utterance is drawn by itself, with random numbers
of its own: the numbers are the same however the utterances are shared out. Transitions and emissions are single
precision, 16 to a block, and a state less probable than 1e-30 of its token is left out. Emissions of states that no
token has are broken from their stick word by word, before the sweep, for the words whose slices let them be reached:
a Dirichlet distribution may be drawn in any order. Shapes of gamma variables can be so small that the variables
underflow; their logarithms do not.
"""

# mypy: ignore-errors
# ruff: noqa: ANN001, ANN202
import math
from typing import NamedTuple

import numpy as np

from analysis.categories.models.hmm_kernels import random_normal, random_unit
from analysis.structures.compiled import njit

BLOCK = 16  # states that are handled together
TINY = np.float32(1e-30)
ZERO = np.float32(0.0)
FEW = 8  # tokens of a word up to which its gamma variable is a sum
WORDS = 64  # word types whose emissions share random numbers


class Tables(NamedTuple):
    """Parameters and counts; the width of the arrays limits the number of states."""

    size: np.ndarray  # [0] states represented, [1] of which have tokens, the boundary included in both
    rest: np.ndarray  # [0] base weight of all states not represented
    weights: np.ndarray  # base weight of a state
    rows: np.ndarray  # [j, k] probability of the transition from j to k
    into: np.ndarray  # its transpose
    row_rest: np.ndarray  # [j] probability of a transition from j to a state not represented
    reach: np.ndarray  # [s, m] the greatest probability of a transition from the first s states to state m or later
    emission: np.ndarray  # [w, k] probability of the word, -1 while it is not drawn
    emission_rest: np.ndarray  # [k] probability of the words not drawn, of a state without tokens
    types_left: np.ndarray  # [k] number of the words not drawn
    emitted: np.ndarray  # [w, k] tokens
    followed: np.ndarray  # [j, k] transitions


class Text(NamedTuple):
    """The states and words of the text, boundaries included."""

    path: np.ndarray
    words: np.ndarray  # -1 at a boundary
    starts: np.ndarray  # place of the boundary before each utterance, and of the last


def tables(room: int, words: int) -> Tables:
    """Make empty tables for so many states, rounded up to whole blocks, and word types."""
    room = -(-room // BLOCK) * BLOCK
    square, row = (room, room), np.zeros(room, np.int64)
    return Tables(
        np.zeros(2, np.int64), np.ones(1), np.zeros(room), np.zeros(square, np.float32), np.zeros(square, np.float32),
        np.zeros(room), np.zeros((room + 1, room + 1), np.float32), np.full((words, room), -1.0, np.float32),
        np.zeros(room), row, np.zeros((words, room), np.int32), np.zeros(square, np.int64),
    )  # fmt: skip


def wider(old: Tables) -> Tables:
    """Copy the tables into some with room for twice as many states."""
    new = tables(2 * len(old.weights), old.emission.shape[0])
    for source, target in zip(old, new, strict=True):
        target[tuple(slice(length) for length in source.shape)] = source
    return new


def text(tags: np.ndarray, words: np.ndarray, lengths: np.ndarray) -> Text:
    """Put a boundary before each utterance and one at the end.

    Examples
    --------
    >>> text(np.array([1, 2, 1]), np.array([0, 1, 0]), np.array([2, 1])).path.tolist()
    [0, 1, 2, 0, 1, 0]
    """
    starts = np.append(0, np.cumsum(np.asarray(lengths, np.int64) + 1))
    path, padded = np.zeros(starts[-1] + 1, np.int32), np.full(starts[-1] + 1, -1, np.int32)
    inside = np.ones(len(path), bool)
    inside[starts] = False
    path[inside], padded[inside] = tags, words
    return Text(path, padded, starts)


@njit(nogil=True)
def stream(seed: int, number: int, state: np.ndarray) -> None:
    """Set the state of the random numbers that belong to a seed and a number (SplitMix64)."""
    z = np.uint64(seed) ^ (np.uint64(number) * np.uint64(0xD1342543DE82EF95))
    for at in range(4):
        z += np.uint64(0x9E3779B97F4A7C15)
        x = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        state[at] = x ^ (x >> np.uint64(31))


@njit
def word_blocks(types: int) -> int:
    """How many blocks of word types there are."""
    return (types + WORDS - 1) // WORDS


@njit
def random_seed(state: np.ndarray) -> int:
    """A seed for `stream`."""
    return np.int64(random_unit(state) * 2.0**53)


@njit
def _gamma_variable(shape, state):
    """Marsaglia & Tsang (2000), for shapes of 1 and more."""
    d = shape - 1.0 / 3.0
    c = 1.0 / math.sqrt(9.0 * d)
    while True:
        x = random_normal(state)
        v = 1.0 + c * x
        if v > 0.0:
            v *= v * v
            chance = 1.0 - random_unit(state)
            if chance < 1.0 - 0.0331 * x**4 or math.log(chance) < 0.5 * x * x + d * (1.0 - v + math.log(v)):
                return d * v


@njit(error_model="numpy")
def _log_gamma_variable(shape, state):
    """Draw the logarithm of a gamma variable of scale 1; minus infinity for the shape 0."""
    if shape >= 1.0:
        return math.log(_gamma_variable(shape, state))
    if shape <= 0.0:
        return -np.inf
    return math.log(_gamma_variable(shape + 1.0, state)) + math.log(1.0 - random_unit(state)) / shape


@njit(error_model="numpy")
def beta_variable(a: float, b: float, state: np.ndarray) -> tuple[float, float]:
    """Draw a Beta(a, b) variable, and return it and 1 minus it, neither rounded to 1."""
    one, other = _log_gamma_variable(a, state), _log_gamma_variable(b, state)
    if one == other:
        return 0.5, 0.5
    return 1.0 / (1.0 + math.exp(other - one)), 1.0 / (1.0 + math.exp(one - other))


@njit
def _dirichlet(logs, length):
    """Convert logarithms of gamma variables to proportions."""
    greatest = logs[0]
    for k in range(1, length):
        greatest = max(greatest, logs[k])
    total = 0.0
    for k in range(length):
        logs[k] = math.exp(logs[k] - greatest)
        total += logs[k]
    for k in range(length):
        logs[k] /= total


@njit
def _set_row(t, j, shares, length):
    """Set the transitions from j."""
    for k in range(length):
        t.rows[j, k] = shares[k]
        t.into[k, j] = shares[k]
    t.row_rest[j] = shares[length]


@njit
def _draw_row(t, j, concentration, state):
    """Draw the transitions from j given their counts and the base weights."""
    K = t.size[0]
    row = np.empty(K + 1)
    for k in range(K):
        row[k] = _log_gamma_variable(t.followed[j, k] + concentration * t.weights[k], state)
    row[K] = _log_gamma_variable(concentration * t.rest[0], state)
    _dirichlet(row, K + 1)
    _set_row(t, j, row, K)


@njit
def represent(t: Tables, concentration: float, base: float, discount: float, state: np.ndarray) -> None:
    """Break the next stick of the base weights and of each row: one more state, new from its emissions on."""
    new = t.size[0]
    share, rest = beta_variable(1.0 - discount, base + (new + 1) * discount, state)
    t.weights[new] = share * t.rest[0]
    t.rest[0] *= rest
    for j in range(new):
        share, rest = beta_variable(concentration * t.weights[new], concentration * t.rest[0], state)
        t.rows[j, new] = t.into[new, j] = share * t.row_rest[j]
        t.row_rest[j] *= rest
    t.size[0] = new + 1
    _draw_row(t, new, concentration, state)
    t.emission_rest[new], t.types_left[new] = 1.0, t.emission.shape[0]


@njit(nogil=True, error_model="numpy")
def _small_gamma(shape, bound, p, chance, state):
    """A gamma variable of a shape up to 1 (Ahrens & Dieter 1974, GS), begun with p = bound times a uniform number.

    ``bound`` is 1 + shape / e; ``chance`` is the first uniform number by which what is proposed is accepted.
    """
    while True:
        if p <= 1.0:
            x = p ** (1.0 / shape)
            if chance <= math.exp(-x):
                return x
        else:
            x = -math.log((bound - p) / shape)
            if chance <= x ** (shape - 1.0):
                return x
        p, chance = bound * (1.0 - random_unit(state)), random_unit(state)


@njit(nogil=True, error_model="numpy")
def powers(values: np.ndarray, exponent: float, part: np.ndarray, out: np.ndarray) -> None:
    """Write numbers, above 0, raised to a power into ``out``; exact to 1e-11 of the logarithm, 0 below 2**-1000.

    It is quicker than ``**`` because the compiler makes vector instructions of it. ``part`` is room for as many.
    """
    bits, mantissa, result = values.view(np.int64), part.view(np.int64), out.view(np.int64)
    half = math.sqrt(2.0)
    for k in range(len(values)):
        mantissa[k] = (bits[k] & np.int64(0xFFFFFFFFFFFFF)) | np.int64(0x3FF0000000000000)
        out[k] = np.int32((bits[k] >> 52) - 1023) + 0.5
    for k in range(len(values)):
        s = (part[k] - half) / (part[k] + half)
        q = s * s
        series = 1.0 + q * (1 / 3 + q * (1 / 5 + q * (1 / 7 + q * (1 / 9 + q * (1 / 11)))))
        part[k] = max((out[k] + 2.0 / math.log(2.0) * s * series) * exponent, -1001.0)
    for k in range(len(values)):
        whole = np.int32(part[k] - 0.5)
        x = (part[k] - whole) * math.log(2.0)
        part[k] = 1.0 + x * (1.0 + x * (1 / 2 + x * (1 / 6 + x * (1 / 24 + x * (1 / 120 + x * (
            1 / 720 + x * (1 / 5040 + x * (1 / 40320 + x * (1 / 362880)))))))))  # fmt: skip
        result[k] = np.int64(whole + 1023) << 52
    for k in range(len(values)):
        out[k] = out[k] * part[k] if out[k] > 2.0**-1000 else 0.0


@njit(nogil=True, error_model="numpy")
def draw_emissions(t: Tables, begin: int, end: int, prior: float, seed: int, sums: np.ndarray) -> None:
    """Draw gamma variables for the words of some blocks from each state that has tokens; add them up in ``sums``."""
    state = np.empty(4, np.uint64)
    K, bound = t.size[1], 1.0 + prior / math.e
    uniform, power, part = np.ones(K), np.zeros(K), np.empty(K)
    for block in range(begin, end):
        stream(seed, block, state)
        total = sums[block]
        for w in range(block * WORDS, min((block + 1) * WORDS, t.emission.shape[0])):
            row, counts = t.emission[w], t.emitted[w]
            if prior <= 1.0:
                for k in range(K):
                    uniform[k] = bound * (1.0 - random_unit(state))
                powers(uniform, 1.0 / prior, part, power)
            for k in range(1, K):
                tokens = counts[k]
                if prior > 1.0 or tokens > FEW:
                    value = _gamma_variable(tokens + prior, state)
                else:
                    value = power[k]
                    if value >= 1e-17:  # less is always accepted
                        chance = random_unit(state)
                        if uniform[k] > 1.0 or chance > 1.0 - value:  # 1 - x is below exp(-x)
                            value = _small_gamma(prior, bound, uniform[k], chance, state)
                    if tokens:  # each adds a variable of shape 1
                        product = 1.0
                        for _ in range(tokens):
                            product *= 1.0 - random_unit(state)
                        value -= math.log(product)
                row[k] = value
                total[k] += value


@njit
def scale_emissions(t: Tables, sums: np.ndarray) -> None:
    """Divide the gamma variables of each state by their sum."""
    K = t.size[1]
    scale = np.zeros(K, np.float32)
    for k in range(1, K):
        scale[k] = 1.0 / sums[:, k].sum()
    for w in range(t.emission.shape[0]):
        row = t.emission[w]
        for k in range(K):
            row[k] *= scale[k]


@njit(nogil=True)
def slice_utterances(t: Tables, text: Text, slices: np.ndarray, begin: int, end: int, seed: int) -> float:
    """Draw the slice of each transition of some utterances; return the least."""
    path, _, starts = text
    state, least = np.empty(4, np.uint64), np.float32(1.0)
    for utterance in range(begin, end):
        stream(seed, 2 * utterance, state)
        for at in range(starts[utterance] + 1, starts[utterance + 1] + 1):
            whole = t.rows[path[at - 1], path[at]]
            limit = ZERO
            while not (ZERO < limit < whole):
                limit = np.float32(whole * random_unit(state))
            slices[at] = limit
            least = min(least, limit)
    return least


@njit
def break_sticks(t: Tables, least: float, process: tuple[float, float, float, float], state: np.ndarray) -> bool:
    """Represent states until no row leaves the others as much as the least slice; False if there is no room."""
    concentration, base, discount, _ = process
    j = 0
    while j < t.size[0]:
        while t.row_rest[j] >= least:
            if t.size[0] + 1 >= len(t.weights):
                return False
            represent(t, concentration, base, discount, state)
        j += 1
    K = t.size[0]
    for k in range(K + 1):
        t.reach[k, K] = t.reach[0, k] = ZERO
    for j in range(K):
        greatest = ZERO
        for m in range(K - 1, -1, -1):
            greatest = max(greatest, t.rows[j, m])
            t.reach[j + 1, m] = max(greatest, t.reach[j, m])
    return True


@njit(nogil=True, forceinline=True)
def _width(reach, occupied, sources, limit):
    """How many states may be reached from the first ``sources`` ones; at least all that have tokens."""
    width = occupied
    while reach[sources, width] > limit:
        width += 1
    return width


@njit
def emit_new(t: Tables, text: Text, slices: np.ndarray, prior: float, state: np.ndarray) -> None:
    """Draw emissions of states without tokens, of the words whose slices may let them be reached."""
    _, words, starts = text
    K = t.size[1]
    highest = t.reach[t.size[0], K]
    for utterance in range(len(starts) - 1):
        sources = 1
        for at in range(starts[utterance] + 1, starts[utterance + 1]):
            if slices[at] >= highest:
                sources = K
                continue
            sources = _width(t.reach, K, sources, slices[at])
            for k in range(K, sources):
                if t.emission[words[at], k] < ZERO:
                    _emit_new(t, words[at], k, prior, state)


@njit
def _emit_new(t, w, k, prior, state):
    """Break the word's share from what is left of the state's emissions."""
    t.types_left[k] -= 1
    value = t.emission_rest[k]
    if t.types_left[k]:
        share, rest = beta_variable(prior, prior * t.types_left[k], state)
        value *= share
        t.emission_rest[k] *= rest
    t.emission[w, k] = value


@njit(nogil=True)
def sample_utterances(t: Tables, text: Text, slices: np.ndarray, begin: int, end: int, seed: int) -> int:
    """Draw the states of some utterances, each together, given the slices; return how many tokens changed.

    An utterance all of whose paths underflow keeps its states.
    """
    path, words, starts = text
    longest, changed, room = 1, 0, len(t.weights)
    for utterance in range(begin, end):
        longest = max(longest, starts[utterance + 1] - starts[utterance])
    forward, widths = np.zeros((longest, room), np.float32), np.ones(longest, np.int64)
    weights, state = np.empty(room, np.float32), np.empty(4, np.uint64)
    blocks, drawn = np.empty(room // BLOCK), np.empty(longest, np.int32)
    forward[0, 0] = 1.0  # the boundary
    rows, into, reach, occupied, emission = t.rows, t.into, t.reach, t.size[1], t.emission
    for utterance in range(begin, end):
        first, n = starts[utterance], starts[utterance + 1] - starts[utterance]
        for i in range(1, n):
            widths[i] = _width(reach, occupied, widths[i - 1], slices[first + i])
            here, chances = forward[i], emission[words[first + i]]
            for k in range(_whole(widths[i])):
                here[k] = chances[k]
        alive = True
        for i in range(1, n):
            if not _step(rows, forward[i - 1], widths[i - 1], slices[first + i], widths[i], forward[i], weights):
                alive = False
                break
        stream(seed, 2 * utterance + 1, state)
        if alive and _sample_back(
            into, forward, widths, slices[first : first + n + 1], (weights, blocks), state, drawn
        ):
            for i in range(1, n):
                changed += drawn[i] != path[first + i]
                path[first + i] = drawn[i]
    return changed


@njit(nogil=True, forceinline=True)
def _whole(width):
    """The width, rounded up to whole blocks."""
    return (width + BLOCK - 1) // BLOCK * BLOCK


@njit(nogil=True, forceinline=True)
def _block_sum(w, b):
    return (((w[b] + w[b + 1]) + (w[b + 2] + w[b + 3])) + ((w[b + 4] + w[b + 5]) + (w[b + 6] + w[b + 7]))) + (
        ((w[b + 8] + w[b + 9]) + (w[b + 10] + w[b + 11])) + ((w[b + 12] + w[b + 13]) + (w[b + 14] + w[b + 15]))
    )


@njit(nogil=True, error_model="numpy")
def _step(rows, before, sources, limit, width, here, sums):
    """Forward weights of a token from those of the one before; ``here`` holds the emissions. False if all are 0."""
    length = _whole(width)
    for k in range(length):
        sums[k] = ZERO
    for j in range(0, _whole(sources), 4):
        a, b, c, d = before[j], before[j + 1], before[j + 2], before[j + 3]
        if a + b + c + d == ZERO:
            continue
        one, two, three, four = rows[j], rows[j + 1], rows[j + 2], rows[j + 3]
        for k in range(length):
            x = a if one[k] > limit else ZERO
            y = b if two[k] > limit else ZERO
            z = c if three[k] > limit else ZERO
            v = d if four[k] > limit else ZERO
            sums[k] += (x + y) + (z + v)
    sums[0] = ZERO
    for k in range(length):
        here[k] *= sums[k]
    total = ZERO
    for block in range(0, length, BLOCK):
        total += _block_sum(here, block)
    if not total > ZERO:
        return False
    scale = np.float32(1.0) / total
    for k in range(length):
        value = here[k] * scale
        here[k] = value if value > TINY else ZERO
    return True


@njit(nogil=True)
def _sample_back(into, forward, widths, slices, room, state, drawn):
    """Draw the states from the last to the first; False if no path is left."""
    weights, sums = room
    after = 0
    for i in range(len(slices) - 2, 0, -1):
        limit, here, row = slices[i + 1], forward[i], into[after]
        total, length = 0.0, _whole(widths[i])
        for k in range(length):
            weights[k] = here[k] if row[k] > limit else ZERO
        for block in range(length // BLOCK):
            sums[block] = _block_sum(weights, block * BLOCK)
            total += sums[block]
        if total == 0.0:
            return False
        after = _draw(weights, sums, length // BLOCK, random_unit(state) * total)
        drawn[i] = after
    return True


@njit(nogil=True)
def _draw(weights, sums, blocks, mark):
    """The state at which the running sum of the weights exceeds the mark, or the last of some weight."""
    chosen = 0
    for block in range(blocks):
        if mark >= sums[block] and block + 1 < blocks:
            mark -= sums[block]
            continue
        for k in range(block * BLOCK, (block + 1) * BLOCK):
            if weights[k] > ZERO:
                chosen = k
                mark -= weights[k]
                if mark < 0.0:
                    return k
        if chosen:
            return chosen  # rounding left a rest
    for k in range(blocks * BLOCK):  # or passed by the last block of some weight
        if weights[k] > ZERO:
            chosen = k
    return chosen


@njit
def sweep(
    t: Tables, text: Text, slices: np.ndarray, process: tuple[float, float, float, float], state: np.ndarray
) -> int:
    """All the steps of a sweep, one after the other; -1 if the tables have no room for the states needed.

    ``process``: the concentration of the rows and of the base weights, the discount, the prior of the emissions.
    Returns how many tokens changed. `count` and `redraw` then draw what is left.
    """
    utterances, blocks = len(text.starts) - 1, word_blocks(t.emission.shape[0])
    sums, seed = np.zeros((blocks, len(t.weights))), random_seed(state)
    draw_emissions(t, 0, blocks, process[3], seed, sums)
    scale_emissions(t, sums)
    seed = random_seed(state)
    least = slice_utterances(t, text, slices, 0, utterances, seed)
    if not break_sticks(t, least, process, state):
        return -1
    emit_new(t, text, slices, process[3], state)
    return sample_utterances(t, text, slices, 0, utterances, seed)


@njit
def count(t: Tables, text: Text) -> None:
    """Drop the states that no token has, number the others from 1 in the order they had, and count.

    Emissions are forgotten, to be drawn again.
    """
    path, words, _ = text
    K = t.size[0]
    tokens = np.zeros(K, np.int64)
    for state in path:
        tokens[state] += 1
    number = np.zeros(K, np.int32)
    kept = 1
    for k in range(1, K):
        if tokens[k]:
            number[k] = kept
            t.weights[kept] = t.weights[k]
            kept += 1
        else:
            t.rest[0] += t.weights[k]
    t.size[0] = t.size[1] = kept
    t.emitted[:] = 0
    t.emission[:, kept:K] = -1.0
    t.followed[:K, :K] = 0
    t.rows[:, kept:K] = ZERO
    t.rows[kept:K] = ZERO
    t.into[:, kept:K] = ZERO
    t.into[kept:K] = ZERO
    before = 0
    for at in range(1, len(path)):
        k = number[path[at]]
        path[at] = k
        t.followed[before, k] += 1
        if k:
            t.emitted[words[at], k] += 1
        before = k


@njit
def seat(t: Tables, concentration: float, served: np.ndarray, state: np.ndarray) -> None:
    """Draw the number of tables of each transition and sum them by the state served.

    The first boundary of the text is a draw from the base weights: it has one table of its own.
    """
    K = t.size[0]
    for k in range(K):
        served[k] = k == 0
    for j in range(K):
        for k in range(K):
            served[k] += _tables_of(t.followed[j, k], concentration * t.weights[k], state)


@njit
def _tables_of(customers, mass, state):
    """Draw at how many tables so many customers sit: the next one opens a table with mass / (mass + customers)."""
    opened = 0
    for customer in range(customers):
        if customer == 0 or random_unit(state) * (mass + customer) < mass:
            opened += 1
    return opened


@njit(error_model="numpy")
def _draw_total(customers, seated, concentration, shape, rate, state):
    """Draw the concentration that several restaurants share, given their customers and tables (Teh et al. 2006)."""
    shape += seated
    for number in customers:
        if number:
            rate -= math.log(beta_variable(concentration + 1.0, number, state)[0])
            shape -= random_unit(state) * (number + concentration) < number
    return math.exp(_log_gamma_variable(shape, state)) / rate


@njit
def draw_concentration(
    t: Tables, seated: int, concentration: float, shape: float, rate: float, state: np.ndarray
) -> float:
    """Draw the concentration of the rows given all tables but the text's first, by the variables of Teh et al."""
    customers = np.zeros(t.size[0], np.int64)
    for j in range(t.size[0]):
        for k in range(t.size[0]):
            customers[j] += t.followed[j, k]
    return _draw_total(customers, seated, concentration, shape, rate, state)


@njit
def draw_emission_prior(t: Tables, prior: float, shape: float, rate: float, state: np.ndarray) -> float:
    """Draw the prior of the emissions: a state's words sit in a restaurant of concentration ``prior`` times the types.

    The same auxiliary variables serve, for a symmetric Dirichlet distribution is a Dirichlet process with uniform
    base weights.
    """
    types = t.emission.shape[0]
    customers, seated = np.zeros(t.size[0], np.int64), 0
    for w in range(types):
        for k in range(1, t.size[0]):
            if t.emitted[w, k]:
                customers[k] += t.emitted[w, k]
                seated += _tables_of(t.emitted[w, k], prior, state)
    return _draw_total(customers, seated, prior * types, shape, rate / types, state) / types


@njit
def draw_base_concentration(
    clusters: int, seated: int, base: float, discount: float, shape: float, rate: float,
    state: np.ndarray,
) -> float:  # fmt: skip
    """Draw the concentration of the base weights given the tables, including the text's first.

    With discount 0 it is the step of Escobar & West, given that one table serves the boundary.
    """
    rate -= math.log(beta_variable(base + 1.0, seated - 1.0, state)[0])
    for k in range(1, clusters + 1):
        shape += random_unit(state) * (base + k * discount) < base
    return math.exp(_log_gamma_variable(shape, state)) / rate


@njit
def draw_parameters(
    t: Tables, served: np.ndarray, concentration: float, base: float, discount: float, state: np.ndarray
) -> None:
    """Draw base weights given the tables, then transitions; emissions are drawn when a sweep begins."""
    K = t.size[0]
    logs = np.empty(K + 1)
    for k in range(K):
        logs[k] = _log_gamma_variable(served[k] - discount, state)
    logs[K] = _log_gamma_variable(base + K * discount, state)
    _dirichlet(logs, K + 1)
    for k in range(K):
        t.weights[k] = logs[k]
    t.rest[0] = logs[K]
    for j in range(K):
        _draw_row(t, j, concentration, state)


@njit
def log_probability(t: Tables, concentration: float, prior: float) -> float:
    """Compute the log probability of words and states given base weights and priors; other parameters integrated
    out.
    """
    K, words = t.size[0], t.emission.shape[0]
    total = 0.0
    for j in range(K):
        customers = 0
        for k in range(K):
            if t.followed[j, k]:
                customers += t.followed[j, k]
                mass = concentration * t.weights[k]
                total += math.lgamma(t.followed[j, k] + mass) - math.lgamma(mass)
        total += math.lgamma(concentration) - math.lgamma(customers + concentration)
    nothing = math.lgamma(prior)
    tokens = np.zeros(K, np.int64)
    for w in range(words):
        for k in range(1, K):
            if t.emitted[w, k]:
                tokens[k] += t.emitted[w, k]
                total += math.lgamma(t.emitted[w, k] + prior) - nothing
    for k in range(1, K):
        total += math.lgamma(words * prior) - math.lgamma(tokens[k] + words * prior)
    return total


@njit
def redraw(
    t: Tables, concentrations: np.ndarray, discount: float, learn: tuple[bool, bool], gammas: np.ndarray,
    state: np.ndarray,
) -> None:  # fmt: skip
    """Draw tables, concentrations and parameters given the states, which are counted.

    ``concentrations``: of the rows, of the base weights, and the prior of the emissions; the first two are drawn if
    ``learn`` begins with True, the last if it ends so. ``gammas``: shape and rate of the prior of each.
    """
    served = np.zeros(len(t.weights), np.int64)
    seat(t, concentrations[0], served, state)
    if learn[0]:
        seated = served.sum()
        concentrations[0] = draw_concentration(t, seated - 1, concentrations[0], gammas[0], gammas[1], state)
        concentrations[1] = draw_base_concentration(
            t.size[0] - 1, seated, concentrations[1], discount, gammas[2], gammas[3], state
        )
    if learn[1]:
        concentrations[2] = draw_emission_prior(t, concentrations[2], gammas[4], gammas[5], state)
    draw_parameters(t, served, concentrations[0], concentrations[1], discount, state)
