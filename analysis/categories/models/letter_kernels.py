"""Kernels of letter hidden Markov models; imported on demand."""

from typing import NamedTuple

import numpy as np

from analysis.structures.compiled import njit


class Spelling(NamedTuple):
    """Concatenated letters of all words, the start of each word and the end, and the longest word."""

    start: np.ndarray
    letters: np.ndarray
    longest: int


class Models(NamedTuple):
    """Parameters of the models: initial states, transitions, letter emissions."""

    initial: np.ndarray
    transitions: np.ndarray
    emissions: np.ndarray


@njit
def log_probabilities(
    spelling: Spelling, order: np.ndarray, shared: np.ndarray, models: Models, result: np.ndarray
) -> None:
    """Compute the log probability of every word under every model, into `result`, shape (n_words, n_models).

    Words are visited in the order of their spelling; `shared[at]` is the length of the prefix that word `at` shares
    with the previous word, whose forward probabilities are reused.
    """
    (start, letters, longest), (initial, transitions, emissions) = spelling, models
    n_models, n_states = initial.shape
    # models in the last axis, so that they are processed together
    begin = np.ascontiguousarray(initial.T)
    forward = np.zeros((longest, n_states, n_models), dtype=np.float64)
    taken_out = np.zeros((longest, n_models), dtype=np.float64)  # log of the scaling factors of a row
    across = np.empty((n_states, n_states, n_models), dtype=np.float64)
    by_letter = np.empty((emissions.shape[2], n_states, n_models), dtype=np.float64)
    for c in range(n_models):
        for s in range(n_states):
            for r in range(n_states):
                across[s, r, c] = transitions[c, r, s]
            for letter in range(emissions.shape[2]):
                by_letter[letter, s, c] = emissions[c, s, letter]
    total, added = np.empty(n_models, dtype=np.float64), np.empty(n_models, dtype=np.float64)
    for at in range(len(order)):
        word = order[at]
        first, length = start[word], start[word + 1] - start[word]
        total[:] = 0.0
        for t in range(shared[at], length):
            letter = letters[first + t]
            total[:] = 0.0
            for s in range(n_states):
                here, likely = forward[t, s], by_letter[letter, s]
                if t == 0:
                    for c in range(n_models):
                        here[c] = begin[s, c] * likely[c]
                else:
                    added[:] = 0.0
                    for r in range(n_states):
                        last, way = forward[t - 1, r], across[s, r]
                        for c in range(n_models):
                            added[c] += last[c] * way[c]
                    for c in range(n_models):
                        here[c] = added[c] * likely[c]
                for c in range(n_models):
                    total[c] += here[c]
            if t > 0:
                for c in range(n_models):
                    taken_out[t, c] = taken_out[t - 1, c]
            for c in range(n_models):
                if total[c] < 1e-150 and total[c] > 0.0:
                    for s in range(n_states):
                        forward[t, s, c] *= 1e150
                    total[c] *= 1e150
                    taken_out[t, c] -= 150 * np.log(10.0)
        for c in range(n_models):
            if shared[at] == length:  # same word as before
                result[word, c] = result[order[at - 1], c]
            else:
                result[word, c] = np.log(total[c]) + taken_out[length - 1, c] if total[c] > 0.0 else -np.inf


@njit
def train(spelling: Spelling, classes: np.ndarray, smoothing: float, iterations: int, models: Models) -> np.ndarray:
    """Train each class's model on the words of the class by expectation maximisation, in place.

    `smoothing` is added to every expected count. Returns the log-likelihood of the words before each iteration, shape
    (iterations,), summed over classes. Models of classes without words do not change.
    """
    (start, letters, longest), (initial, transitions, emissions) = spelling, models
    n_models, n_states = initial.shape
    n_symbols = emissions.shape[2]
    trace = np.zeros(iterations, dtype=np.float64)
    forward, scaled = np.zeros((longest, n_states)), np.zeros((longest, n_states))
    backward, before = np.zeros(n_states), np.zeros(n_states)
    members = np.zeros(n_models, dtype=np.int64)
    for word in range(len(classes)):
        if 0 <= classes[word] < n_models:
            members[classes[word]] += 1
    by_letter = np.empty((n_models, n_symbols, n_states))
    for iteration in range(iterations):
        new_initial = np.full(initial.shape, smoothing)
        new_transitions = np.full(transitions.shape, smoothing)
        new_emissions = np.full(by_letter.shape, smoothing)
        by_letter[:] = emissions.transpose(0, 2, 1)
        for word in range(len(classes)):
            c = classes[word]
            if c < 0 or c >= n_models:
                continue
            first, length = start[word], start[word + 1] - start[word]
            product, likelihood = 1.0, 0.0
            for t in range(length):
                letter = letters[first + t]
                if t == 0:
                    for s in range(n_states):
                        forward[0, s] = initial[c, s]
                else:
                    for s in range(n_states):
                        forward[t, s] = forward[t - 1, 0] * transitions[c, 0, s]
                    for r in range(1, n_states):
                        for s in range(n_states):
                            forward[t, s] += forward[t - 1, r] * transitions[c, r, s]
                norm = 0.0
                for s in range(n_states):
                    forward[t, s] *= by_letter[c, letter, s]
                    norm += forward[t, s]
                product *= norm
                if norm == 0.0:
                    break
                if product < 1e-150:
                    likelihood += np.log(product)
                    product = 1.0
                inverse = 1.0 / norm
                for s in range(n_states):
                    forward[t, s] *= inverse
                    scaled[t, s] = by_letter[c, letter, s] * inverse
            if product == 0.0:
                trace[iteration] = -np.inf
                continue
            trace[iteration] += likelihood + np.log(product)
            for s in range(n_states):
                backward[s] = 1.0
            for t in range(length - 1, -1, -1):
                letter = letters[first + t]
                for s in range(n_states):
                    new_emissions[c, letter, s] += forward[t, s] * backward[s]
                if t == 0:
                    for s in range(n_states):
                        new_initial[c, s] += forward[0, s] * backward[s]
                    break
                for s in range(n_states):
                    before[s] = scaled[t, s] * backward[s]
                for r in range(n_states):
                    total = 0.0
                    for s in range(n_states):
                        share = transitions[c, r, s] * before[s]
                        new_transitions[c, r, s] += forward[t - 1, r] * share
                        total += share
                    backward[r] = total
        for c in range(n_models):
            if members[c] == 0:
                continue
            _normalise(new_initial[c], initial[c])
            for s in range(n_states):
                _normalise(new_transitions[c, s], transitions[c, s])
                _normalise(new_emissions[c, :, s], emissions[c, s])
    return trace


@njit
def _normalise(counts: np.ndarray, target: np.ndarray) -> None:
    """Compute relative frequencies, if there is any count."""
    total = 0.0
    for at in range(len(counts)):
        total += counts[at]
    if total > 0.0:
        for at in range(len(counts)):
            target[at] = counts[at] / total
