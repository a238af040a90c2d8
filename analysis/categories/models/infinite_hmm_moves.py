"""Split and merge moves of the states of the infinite HMM (Jain & Neal 2004), with exact acceptance.

Two tokens are chosen. If a split is tried they have one state, and all its tokens are shared out between two: the
first token stays, the second founds the new state. If a merger is tried they have two, which become one. Transitions
and emissions are integrated out; the base weights of the states are part of what is proposed: a split divides one by
a share u, uniform, and a merger adds two up.

The new division is drawn in three steps, of which only the last counts in the probability of the proposal: the tokens
are shared out one after the other, given those before; then they are drawn again by so many scans, each given all
others; then by one more. A merger is judged by the probability of the same last scan drawing the division there is.
That probability is at most 1, so that most mergers are refused before anything is drawn.
"""

# mypy: ignore-errors
# ruff: noqa: ANN001, ANN202
import math

import numpy as np

from analysis.categories.models.hmm_kernels import random_unit
from analysis.categories.models.infinite_hmm_kernels import Tables, Text
from analysis.structures.compiled import njit


@njit
def split_and_merge(
    t: Tables, text: Text, moves: tuple[int, int], process: tuple[float, float, float, float], state: np.ndarray
) -> np.ndarray:
    """Try splits and mergers of states that are counted; a state left without tokens stays, with the weight 0.

    Parameters
    ----------
    moves
        How many are tried, each a split or a merger with equal chance, and the scans before the last. The tables
        must have room for so many states more.
    process
        The concentration of the rows and of the base weights, the discount, the prior of the emissions.

    Returns
    -------
    ndarray of int64, shape (4,)
        Splits tried and accepted, mergers tried and accepted.
    """
    tried = np.zeros(4, np.int64)
    left, tokens = np.zeros(len(t.weights), np.int64), np.zeros(len(t.weights), np.int64)
    for at in range(len(text.path) - 1):
        left[text.path[at]] += 1
    live = 0
    for k in range(1, len(left)):
        tokens[k] = left[k]
        live += left[k] > 0
    for _ in range(moves[0]):
        split = random_unit(state) < 0.5
        tried[0 if split else 2] += 1
        one = _a_token(text, state)
        k = np.int64(text.path[one])
        if split and tokens[k] > 1:
            new = t.size[0]
            t.size[0] += 1
            if _propose_split(t, text, (left, tokens), (one, k, new), live, moves[1], process, state):
                tried[1] += 1
                live += 1
            else:
                t.size[0] -= 1
        elif not split and live > 1:
            new = _another_state(tokens, k, live, state)
            if _propose_merger(t, text, (left, tokens), (one, k, new), live - 1, moves[1], process, state):
                tried[3] += 1
                live -= 1
    return tried


@njit
def _a_token(text, state):
    """Any token with equal chance."""
    while True:
        at = int(random_unit(state) * len(text.path))
        if text.path[at] > 0:
            return at


@njit
def _another_state(tokens, k, live, state):
    """Any state with tokens but one, with equal chance."""
    mark = int(random_unit(state) * (live - 1))
    for other in range(1, len(tokens)):
        if tokens[other] > 0 and other != k:
            if mark == 0:
                return other
            mark -= 1
    return -1


@njit
def _propose_split(t, text, counts, pair, live, scans, process, state):
    """Divide a state among two, and accept it or not."""
    one, k, new = pair
    whole, share, number = t.weights[k], 1.0 - random_unit(state), counts[1][k]
    t.weights[k], t.weights[new] = share * whole, (1.0 - share) * whole
    if t.weights[new] == 0.0:
        t.weights[k] = whole
        return False
    members = _members(text.path, one, k, k, number, state)
    _launch(t, text, counts, pair, members, scans, process, state)
    chance = _scan(t, text, counts, pair, members[1:], members[:0], process, state)
    gain = _log_division(t, counts, k, new, whole, process) - chance
    gain += _log_split(live, number, counts[1][new], share, whole, t.rest[0], process)
    if math.log(1.0 - random_unit(state)) < gain:
        return True
    _set_all(t, text, counts, members, np.full(number - 1, k))
    t.weights[k], t.weights[new] = whole, 0.0
    return False


@njit
def _propose_merger(t, text, counts, pair, live, scans, process, state):
    """Join two states, and accept it or not; ``live`` states have tokens then."""
    one, k, new = pair
    first, second, number = t.weights[k], t.weights[new], counts[1][new]
    whole = first + second
    loss = _log_division(t, counts, k, new, whole, process)
    loss += _log_split(live, counts[1][k] + number, number, first / whole, whole, t.rest[0], process)
    mark = math.log(1.0 - random_unit(state))
    if mark >= -loss:
        return False
    members = _members(text.path, one, k, new, number, state)
    before = text.path[members].astype(np.int64)
    _launch(t, text, counts, pair, members, scans, process, state)
    chance = _scan(t, text, counts, pair, members[1:], before[1:], process, state)
    if mark >= chance - loss:
        return False
    _set_all(t, text, counts, members, np.full(len(members), k))
    t.weights[k], t.weights[new] = whole, 0.0
    return True


@njit
def _log_split(live, number, second, share, whole, rest, process):
    """Log of the ratio of prior and proposal of a split, but for transitions, emissions and the last scan.

    ``live`` states become one more; ``number`` tokens are divided, and the new state has ``second`` of them.
    """
    _, base, d, _ = process
    grown = base + (live + 1) * d
    prior = math.log(grown) + math.lgamma(grown) - math.lgamma(grown + d) - math.lgamma(1.0 - d)
    weights = d * (math.log(rest) - math.log(whole)) if d > 0.0 else 0.0
    weights -= (1.0 + d) * (math.log(share) + math.log1p(-share))
    return prior + weights + math.log(number - 1.0) - math.log(live * second)


@njit
def _members(path, one, k, new, number, state):
    """The tokens of two states but the chosen one: first another, any of ``new``, then the rest in their order.

    ``number`` tokens have the state ``new``, which may be ``k``: then the chosen one is among them.
    """
    found, size = np.empty(len(path) + 1, np.int64), 0
    for at in range(len(path)):
        found[size + 1] = at
        size += (path[at] == k or path[at] == new) and at != one
    mark = int(random_unit(state) * (number - (k == new)))
    at = 0
    while mark >= 0:
        at += 1
        mark -= path[found[at]] == new
    found[0] = found[at]
    found[at:size] = found[at + 1 : size + 1].copy()
    return found[:size].copy()


@njit
def _launch(t, text, counts, pair, members, scans, process, state):
    """Share the tokens out anew, one after the other, then by so many scans; the first founds the new state."""
    states = np.full(len(members), -1)
    states[0] = pair[2]
    _set_all(t, text, counts, members, states)
    for _ in range(1 + scans):
        _scan(t, text, counts, pair, members[1:], members[:0], process, state)


@njit
def _scan(t, text, counts, pair, members, forced, process, state):
    """Draw the state of each token given all others that have one; return the log of the chance.

    If ``forced`` is not empty, it holds the states to set instead. A state's weight for a token that has none is
    given by its word and the neighbours that have a state.
    """
    _, k, new = pair
    concentration, _, _, prior = process
    path, words, followed, emitted, weights = text.path, text.words, t.followed, t.emitted, t.weights
    left, tokens = counts
    all_words, mine, others = emitted.shape[0] * prior, concentration * weights[k], concentration * weights[new]
    log_chance, product = 0.0, 1.0
    for number in range(len(members)):
        at = members[number]
        w, before, after, old = words[at], path[at - 1], path[at + 1], path[at]
        if old >= 0:
            _change(followed, emitted, left, tokens, w, (before, old, after), -1)
        first, second = emitted[w, k] + prior, emitted[w, new] + prior
        below_first, below_second = tokens[k] + all_words, tokens[new] + all_words
        if before >= 0:
            first *= followed[before, k] + mine
            second *= followed[before, new] + others
        if after >= 0:
            mass = concentration * weights[after]
            first *= followed[k, after] + mass + (before == k and after == k)
            second *= followed[new, after] + mass + (before == new and after == new)
            below_first *= left[k] + concentration + (before == k)
            below_second *= left[new] + concentration + (before == new)
        first *= below_second
        second *= below_first
        share = first / (first + second)
        if len(forced):
            chosen = forced[number]
        else:
            chosen = k if random_unit(state) < share else new
        product *= share if chosen == k else second / (first + second)
        if product < 1e-200:
            log_chance += math.log(product) if product > 0.0 else -np.inf
            product = 1.0
        _change(followed, emitted, left, tokens, w, (before, chosen, after), 1)
        path[at] = chosen
    return log_chance + math.log(product)


@njit(forceinline=True)
def _change(followed, emitted, left, tokens, w, states, sign):
    """Count a token's word and its transitions from and to neighbours that have a state.

    ``states`` are those of the token before it, its own, and that of the token after it; -1 is none.
    """
    before, k, after = states
    if before >= 0:
        followed[before, k] += sign
        left[before] += sign
    if after >= 0:
        followed[k, after] += sign
        left[k] += sign
    emitted[w, k] += sign
    tokens[k] += sign


@njit
def _set_all(t, text, counts, members, states):
    """Give tokens other states, or none, -1, and change the counts."""
    path, words, followed, emitted = text.path, text.words, t.followed, t.emitted
    left, tokens = counts
    for number in range(len(members)):
        at = members[number]
        for sign in (-1, 1):
            k = np.int64(path[at])
            if k >= 0:
                _change(followed, emitted, left, tokens, words[at], (path[at - 1], k, path[at + 1]), sign)
            if sign < 0:
                path[at] = states[number]


@njit
def _log_division(t, counts, k, new, whole, process):
    """Log of how much more probable words and states are as they are than with two states joined.

    ``whole`` is the base weight of the joined state.
    """
    left, tokens = counts
    concentration, _, _, prior = process
    followed, emitted, types = t.followed, t.emitted, t.emission.shape[0]
    total, inside = 0.0, 0
    for j in range(t.size[0]):
        mass, one, two = concentration * t.weights[j], followed[j, k], followed[j, new]
        total += _log_rising(concentration * t.weights[k], one) + _log_rising(concentration * t.weights[new], two)
        if j in (k, new):
            inside += one + two
            continue
        total -= _log_rising(concentration * whole, one + two)
        one, two = followed[k, j], followed[new, j]
        if one and two:
            total += _log_rising(mass, one) + _log_rising(mass, two) - _log_rising(mass, one + two)
    total -= _log_rising(concentration * whole, inside)
    for start, number in ((concentration, left), (types * prior, tokens)):
        one, two = number[k], number[new]
        total -= _log_rising(start, one) + _log_rising(start, two) - _log_rising(start, one + two)
    for w in range(types):
        one, two = emitted[w, k], emitted[w, new]
        if one and two:
            total += _log_rising(prior, one) + _log_rising(prior, two) - _log_rising(prior, one + two)
    return total


@njit
def _log_rising(start, steps):
    """Log of start (start + 1) ... (start + steps - 1)."""
    return math.lgamma(start + steps) - math.lgamma(start) if steps else 0.0
