"""Kernels of the infinite HMM: slices, sticks, forward filtering, backward sampling, weights.

State 0 is the boundary, states from 1 on emit words. `Tables` holds the represented part of the infinite model: the
states represented so far and, for the base weights and each row of transitions, the mass of all others. Sticks are
broken on demand: when the mass that a reached state leaves to unrepresented states is at least the slice, one more
state is represented. The emissions of a state are also drawn on demand, word by word, in the order in which the text
needs them: a Dirichlet distribution may be drawn in any order. Gamma variables with very small shapes can underflow;
their logarithms do not.
"""

# mypy: ignore-errors
# ruff: noqa: ANN001, ANN202
import math
from typing import NamedTuple

import numpy as np

from analysis.categories.models.hmm_kernels import random_normal, random_unit
from analysis.structures.compiled import njit


class Tables(NamedTuple):
    """Parameters and counts; the width of the arrays limits the number of states."""

    size: np.ndarray  # [0] number of states represented, including the boundary
    rest: np.ndarray  # [0] base weight of all states not represented
    weights: np.ndarray  # base weight of a state
    into: np.ndarray  # [k, j] probability of the transition from j to k
    row_rest: np.ndarray  # [j] probability of a transition from j to a state not represented
    ranked: np.ndarray  # [j, r] the r-th greatest probability of a transition from j to a state that emits, then 0
    order: np.ndarray  # [j, r] the state it leads to
    emission: np.ndarray  # [w, k] probability of the word, -1 if not drawn yet
    emission_rest: np.ndarray  # [k] probability of the words not drawn yet
    tokens_left: np.ndarray  # [k] tokens of the words not drawn
    types_left: np.ndarray  # [k] number of the words not drawn
    emitted: np.ndarray  # [w, k] tokens
    followed: np.ndarray  # [j, k] transitions
    slices: np.ndarray  # of the transitions of an utterance, the last to the boundary
    first: np.ndarray  # [i] place of the first state reached at token i
    active: np.ndarray  # states reached in an utterance, token after token
    filtered: np.ndarray  # their probabilities
    reached: np.ndarray  # [k] probability of reaching the state, 0 between tokens
    drawn: np.ndarray  # states drawn for an utterance


def tables(room: int, words: int, longest: int) -> Tables:
    """Make empty tables for given numbers of states, word types, and tokens of the longest utterance."""
    return Tables(
        np.zeros(1, np.int64), np.ones(1), np.zeros(room), np.zeros((room, room)), np.zeros(room),
        np.zeros((room, room)), np.zeros((room, room), np.int32), np.full((words, room), -1.0), np.zeros(room),
        np.zeros(room, np.int64), np.zeros(room, np.int64), np.zeros((words, room), np.int32),
        np.zeros((room, room), np.int64), np.zeros(longest + 1), np.zeros(longest + 2, np.int64),
        np.zeros(longest * room, np.int32), np.zeros(longest * room), np.zeros(room), np.zeros(longest, np.int32),
    )  # fmt: skip


def wider(old: Tables) -> Tables:
    """Copy the tables into new ones for twice as many states."""
    new = tables(2 * len(old.weights), old.emission.shape[0], len(old.drawn))
    for source, target in zip(old, new, strict=True):
        target[tuple(slice(length) for length in source.shape)] = source
    return new


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
    values = logs[:length]
    values[:] = np.exp(values - values.max())
    values /= values.sum()


@njit
def rank(t: Tables, j: int) -> None:
    """Sort the row of transitions from j, without the boundary, and end it with a 0."""
    length = t.size[0] - 1
    ranked, order = t.ranked[j], t.order[j]
    order[:length] = np.argsort(-t.into[1 : length + 1, j]) + 1
    for r in range(length):
        ranked[r] = t.into[order[r], j]
    ranked[length] = 0.0


@njit
def represent(t: Tables, concentration: float, base: float, discount: float, state: np.ndarray) -> None:
    """Break the next stick of the base weights and of each row: one more state, with new emissions."""
    new = t.size[0]
    share, rest = beta_variable(1.0 - discount, base + (new + 1) * discount, state)
    t.weights[new] = share * t.rest[0]
    t.rest[0] *= rest
    for j in range(new):
        share, rest = beta_variable(concentration * t.weights[new], concentration * t.rest[0], state)
        value = share * t.row_rest[j]
        t.into[new, j] = value
        t.row_rest[j] *= rest
        r = new - 1
        while r > 0 and t.ranked[j, r - 1] < value:
            t.ranked[j, r], t.order[j, r] = t.ranked[j, r - 1], t.order[j, r - 1]
            r -= 1
        t.ranked[j, r], t.order[j, r] = value, new
        t.ranked[j, new] = 0.0
    t.size[0] = new + 1
    _draw_row(t, new, concentration, state)
    t.emission_rest[new], t.tokens_left[new], t.types_left[new] = 1.0, 0, t.emission.shape[0]


@njit
def _draw_row(t, j, concentration, state):
    """Draw the transitions from j given their counts and the base weights."""
    K = t.size[0]
    row = np.empty(K + 1)
    for k in range(K):
        row[k] = _log_gamma_variable(t.followed[j, k] + concentration * t.weights[k], state)
    row[K] = _log_gamma_variable(concentration * t.rest[0], state)
    _dirichlet(row, K + 1)
    for k in range(K):
        t.into[k, j] = row[k]
    t.row_rest[j] = row[K]
    rank(t, j)


@njit
def _draw_emission(t, w, k, prior, state):
    """Draw the proportion of a word from the rest of the state's emissions."""
    t.types_left[k] -= 1
    t.tokens_left[k] -= t.emitted[w, k]
    value = t.emission_rest[k]
    if t.types_left[k]:
        others = t.tokens_left[k] + prior * t.types_left[k]
        share, rest = beta_variable(t.emitted[w, k] + prior, others, state)
        value *= share
        t.emission_rest[k] *= rest
    t.emission[w, k] = value
    return value


@njit
def sweep(
    t: Tables, tags: np.ndarray, words: np.ndarray, starts: np.ndarray, done: np.ndarray,
    process: tuple[float, float, float, float], state: np.ndarray,
) -> bool:  # fmt: skip
    """Draw the states of each utterance together, given the slices; return False if the tables are full.

    ``process``: the concentration of the rows and of the base weights, the discount, the prior of the emissions.
    ``done`` holds the utterances done, whether the next one has its slices, the tokens changed, and the steps
    taken; zeros begin a sweep. If the tables are full, the sweep stops at an utterance with its slices, and continues
    when called again with `wider` tables. A step is one transition in the forward pass. If all paths of an utterance
    underflow, it keeps its states.
    """
    while done[0] < len(starts) - 1:
        begin, end = starts[done[0]], starts[done[0] + 1]
        if not done[1]:
            before = 0
            for i in range(begin, end + 1):
                here = tags[i] if i < end else 0
                t.slices[i - begin] = 0.0
                while t.slices[i - begin] == 0.0:
                    t.slices[i - begin] = t.into[here, before] * random_unit(state)
                before = here
        done[1] = 1
        steps = _filter(t, words, begin, end - begin, process, state)
        if steps < 0:
            return False
        if steps > 0:
            done[2] += _sample_back(t, tags, begin, end - begin, state)
        done[0] += 1
        done[1] = 0
        done[3] += steps
    return True


@njit
def _filter(t, words, begin, length, process, state):
    """Forward pass: compute the reachable states at each token, and their probabilities.

    Returns the steps taken; 0 if all paths underflow, -1 if the tables are full.
    """
    concentration, base, discount, prior = process
    first, active, filtered, reached = t.first, t.active, t.filtered, t.reached
    emission, ranked, order = t.emission, t.ranked, t.order
    steps, end = 0, 0
    first[0] = 0
    for i in range(length):
        w, limit, here = words[begin + i], t.slices[i], end
        source, sources = (first[i - 1], first[i]) if i else (0, 1)
        for a in range(source, sources):
            j, probability = (active[a], filtered[a]) if i else (0, 1.0)
            while t.row_rest[j] >= limit:
                if t.size[0] + 1 == len(t.weights):
                    reached[:] = 0.0
                    return -1
                represent(t, concentration, base, discount, state)
            r = 0
            while ranked[j, r] > limit:
                k = order[j, r]
                if reached[k] == 0.0:
                    active[end] = k
                    end += 1
                reached[k] += probability
                r += 1
            steps += r
        kept, total = here, 0.0
        for a in range(here, end):
            k = active[a]
            value = emission[w, k]
            if value < 0.0:
                value = _draw_emission(t, w, k, prior, state)
            value *= reached[k]
            reached[k] = 0.0
            if value > 0.0:
                active[kept], filtered[kept] = k, value
                total += value
                kept += 1
        if total == 0.0:
            return 0
        scale = 1.0 / total
        for a in range(here, kept):
            filtered[a] *= scale
        first[i], first[i + 1], end = here, kept, kept
    return steps


@njit
def _sample_back(t, tags, begin, length, state):
    """Draw the states from the last to the first; return how many changed."""
    after, changed = 0, 0
    for i in range(length - 1, -1, -1):
        limit, total, chosen = t.slices[i + 1], 0.0, -1
        for a in range(t.first[i], t.first[i + 1]):
            if t.into[after, t.active[a]] > limit:
                total += t.filtered[a]
                chosen = a
        if chosen < 0:
            return 0
        mark = random_unit(state) * total
        for a in range(t.first[i], t.first[i + 1]):
            if t.into[after, t.active[a]] > limit:
                mark -= t.filtered[a]
                if mark < 0.0:
                    chosen = a
                    break
        after = t.active[chosen]
        t.drawn[i] = after
    for i in range(length):
        changed += t.drawn[i] != tags[begin + i]
        tags[begin + i] = t.drawn[i]
    return changed


@njit
def count(t: Tables, tags: np.ndarray, words: np.ndarray, starts: np.ndarray) -> None:
    """Remove states without tokens, number the others from 1 in the same order, and count.

    Emissions are discarded and drawn again on demand.
    """
    K = t.size[0]
    tokens = np.zeros(K, np.int64)
    for i in range(len(tags)):
        tokens[tags[i]] += 1
    number = np.zeros(K, np.int64)
    kept = 1
    for k in range(1, K):
        if tokens[k]:
            number[k] = kept
            t.weights[kept] = t.weights[k]
            kept += 1
        else:
            t.rest[0] += t.weights[k]
    t.size[0] = kept
    t.emitted[:, :K] = 0
    t.emission[:, :K] = -1.0
    t.followed[:K, :K] = 0
    for utterance in range(len(starts) - 1):
        before = 0
        for i in range(starts[utterance], starts[utterance + 1]):
            k = number[tags[i]]
            tags[i] = k
            t.followed[before, k] += 1
            t.emitted[words[i], k] += 1
            before = k
        t.followed[before, 0] += 1


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
            mass = concentration * t.weights[k]
            for customer in range(t.followed[j, k]):
                if customer == 0 or random_unit(state) * (mass + customer) < mass:
                    served[k] += 1


@njit(error_model="numpy")
def draw_concentration(
    t: Tables, seated: int, concentration: float, shape: float, rate: float, state: np.ndarray
) -> float:
    """Draw the concentration of the rows given all tables except the text's first, with the variables of Teh et al."""
    shape += seated
    for j in range(t.size[0]):
        customers = 0
        for k in range(t.size[0]):
            customers += t.followed[j, k]
        if customers:
            rate -= math.log(beta_variable(concentration + 1.0, customers, state)[0])
            shape -= random_unit(state) * (customers + concentration) < customers
    return math.exp(_log_gamma_variable(shape, state)) / rate


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
    """Draw base weights given the tables, then transitions; emissions are drawn on demand."""
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
    renew_sticks(t)


@njit
def renew_sticks(t: Tables) -> None:
    """Reset the emissions of each state to an unbroken stick."""
    K = t.size[0]
    for k in range(K):
        t.emission_rest[k], t.tokens_left[k], t.types_left[k] = 1.0, 0, t.emission.shape[0]
    for w in range(t.emission.shape[0]):
        for k in range(1, K):
            t.tokens_left[k] += t.emitted[w, k]


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
    t: Tables, text: tuple[np.ndarray, np.ndarray, np.ndarray], concentrations: np.ndarray, discount: float,
    learn: bool, gammas: np.ndarray, state: np.ndarray,
) -> np.ndarray:  # fmt: skip
    """Count, then draw tables, concentrations and parameters given the states; return the tables by state served.

    ``text``: states and words of the tokens, and where the utterances start.
    """
    tags, words, starts = text
    count(t, tags, words, starts)
    served = np.zeros(len(t.weights), np.int64)
    seat(t, concentrations[0], served, state)
    if learn:
        seated = 0
        for k in range(t.size[0]):
            seated += served[k]
        concentrations[0] = draw_concentration(t, seated - 1, concentrations[0], gammas[0], gammas[1], state)
        concentrations[1] = draw_base_concentration(
            t.size[0] - 1, seated, concentrations[1], discount, gammas[2], gammas[3], state
        )
    draw_parameters(t, served, concentrations[0], concentrations[1], discount, state)
    return served
