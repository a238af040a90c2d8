"""Split and merge moves of the states of the infinite HMM (Jain & Neal 2004), with exact acceptance.

Two tokens are chosen. If a split is tried they have one state, and all its tokens are shared out between two: the
first token stays, the second founds the new state. If a merger is tried they have two, which become one. Transitions
and emissions are integrated out; the base weights of the states are part of what is proposed: a split divides one by
a share u, uniform, and a merger adds two up.

The new division is drawn in three steps, of which only the last counts in the probability of the proposal: the tokens
are shared out one after the other, given those before; then they are drawn again by so many scans, each given all
others; then by one more. A merger is judged by the probability of the same last scan drawing the division there is.
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
            other = _another(text, k, tokens[k] - 1, one, state)
            pair = one, other, k, t.size[0]
            t.size[0] += 1
            if _propose_split(t, text, (left, tokens), pair, live, moves[1], process, state):
                tried[1] += 1
                live += 1
            else:
                t.size[0] -= 1
        elif not split and live > 1:
            new = _another_state(tokens, k, live, state)
            other = _another(text, new, tokens[new], -1, state)
            if _propose_merger(t, text, (left, tokens), (one, other, k, new), live - 1, moves[1], process, state):
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
def _another(text, k, number, but, state):
    """Any of the so many tokens of a state, one left out, with equal chance."""
    mark = int(random_unit(state) * number)
    for at in range(len(text.path)):
        if text.path[at] == k and at != but:
            if mark == 0:
                return at
            mark -= 1
    return -1


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
    _, other, k, new = pair
    whole, share, number = t.weights[k], 1.0 - random_unit(state), counts[1][k]
    joined = _log_pair(t, counts, k, new, process)
    members = _members(text.path, pair)
    t.weights[k], t.weights[new] = share * whole, (1.0 - share) * whole
    if t.weights[new] == 0.0:
        t.weights[k] = whole
        return False
    _launch(t, text, counts, pair, members, scans, process, state)
    chance = _scan(t, text, counts, pair, members, members[:0], process, state)
    gain = _log_pair(t, counts, k, new, process) - joined - chance
    gain += _log_split(live, number, counts[1][new], share, whole, t.rest[0], process)
    if math.log(1.0 - random_unit(state)) < gain:
        return True
    _set_all(t, text, counts, members, k)
    _set(t, text, counts, other, k)
    t.weights[k], t.weights[new] = whole, 0.0
    return False


@njit
def _propose_merger(t, text, counts, pair, live, scans, process, state):
    """Join two states, and accept it or not; ``live`` states have tokens then."""
    _, other, k, new = pair
    first, second, number = t.weights[k], t.weights[new], counts[1][new]
    whole = first + second
    divided = _log_pair(t, counts, k, new, process)
    members = _members(text.path, pair)
    before = text.path[members].astype(np.int64)
    _launch(t, text, counts, pair, members, scans, process, state)
    chance = _scan(t, text, counts, pair, members, before, process, state)
    _set_all(t, text, counts, members, k)
    _set(t, text, counts, other, k)
    t.weights[k], t.weights[new] = whole, 0.0
    gain = divided - _log_pair(t, counts, k, new, process) - chance
    gain += _log_split(live, counts[1][k], number, first / whole, whole, t.rest[0], process)
    if math.log(1.0 - random_unit(state)) < -gain:
        return True
    for at in range(len(members)):
        _set(t, text, counts, members[at], before[at])
    _set(t, text, counts, other, new)
    t.weights[k], t.weights[new] = first, second
    return False


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
def _members(path, pair):
    """The tokens of two states, the two chosen ones left out, in the order of the text."""
    one, other, k, new = pair
    number = 0
    for state in path:
        number += state in (k, new)
    members = np.empty(number - 2, np.int64)
    number = 0
    for at in range(len(path)):
        if (path[at] == k or path[at] == new) and at not in (one, other):
            members[number] = at
            number += 1
    return members


@njit
def _launch(t, text, counts, pair, members, scans, process, state):
    """Share the tokens out anew, one after the other, then by so many scans."""
    for at in members:
        _take(t, text, counts, at)
    _set(t, text, counts, pair[1], pair[3])
    for _ in range(1 + scans):
        _scan(t, text, counts, pair, members, members[:0], process, state)


@njit
def _scan(t, text, counts, pair, members, forced, process, state):
    """Draw the state of each token given all others that have one; return the log of the chance.

    If ``forced`` is not empty, it holds the states to set instead.
    """
    _, _, k, new = pair
    log_chance, product = 0.0, 1.0
    for number in range(len(members)):
        at = members[number]
        if text.path[at] >= 0:
            _take(t, text, counts, at)
        first, second = _weight(t, text, counts, at, k, process), _weight(t, text, counts, at, new, process)
        share = first / (first + second)
        if len(forced):
            chosen = forced[number]
        else:
            chosen = k if random_unit(state) < share else new
        product *= share if chosen == k else second / (first + second)
        if product < 1e-200:
            log_chance += math.log(product) if product > 0.0 else -np.inf
            product = 1.0
        _put(t, text, counts, at, chosen)
    return log_chance + math.log(product)


@njit
def _weight(t, text, counts, at, k, process):
    """Weight of a state for a token that has none, given its word and those of its neighbours that have a state."""
    concentration, _, _, prior = process
    before, after, w = text.path[at - 1], text.path[at + 1], text.words[at]
    value = (t.emitted[w, k] + prior) / (counts[1][k] + t.emission.shape[0] * prior)
    if before >= 0:
        value *= t.followed[before, k] + concentration * t.weights[k]
    if after >= 0:
        again = before == k
        value *= t.followed[k, after] + concentration * t.weights[after] + (again and after == k)
        value /= counts[0][k] + concentration + again
    return value


@njit
def _put(t, text, counts, at, k):
    _change(t, text, counts, at, k, 1)
    text.path[at] = k


@njit
def _take(t, text, counts, at):
    _change(t, text, counts, at, text.path[at], -1)
    text.path[at] = -1


@njit
def _set(t, text, counts, at, k):
    _take(t, text, counts, at)
    _put(t, text, counts, at, k)


@njit
def _set_all(t, text, counts, members, k):
    for at in members:
        _set(t, text, counts, at, k)


@njit
def _change(t, text, counts, at, k, sign):
    """Count a token's word and its transitions from and to neighbours that have a state."""
    left, tokens = counts
    before, after = text.path[at - 1], text.path[at + 1]
    if before >= 0:
        t.followed[before, k] += sign
        left[before] += sign
    if after >= 0:
        t.followed[k, after] += sign
        left[k] += sign
    t.emitted[text.words[at], k] += sign
    tokens[k] += sign


@njit
def _log_pair(t, counts, k, new, process):
    """Log probability of words and states, as far as it depends on two states."""
    left, tokens = counts
    concentration, _, _, prior = process
    types, nothing, total = t.emission.shape[0], math.lgamma(prior), 0.0
    for j in range(t.size[0]):
        for state in (k, new):
            total += _log_rising(concentration * t.weights[state], t.followed[j, state])
            if j not in (k, new):
                total += _log_rising(concentration * t.weights[j], t.followed[state, j])
    for state in (k, new):
        total -= _log_rising(concentration, left[state]) + _log_rising(types * prior, tokens[state])
        for w in range(types):
            if t.emitted[w, state]:
                total += math.lgamma(prior + t.emitted[w, state]) - nothing
    return total


@njit
def _log_rising(start, steps):
    """Log of start (start + 1) ... (start + steps - 1)."""
    return math.lgamma(start + steps) - math.lgamma(start) if steps else 0.0
