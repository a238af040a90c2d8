"""The chain against enumeration: partitions of tiny corpora, and the conditionals of the concentrations."""

import itertools
import math

import numpy as np
import pandas as pd
import pytest

from analysis.categories.models import infinite_hmm_kernels as kernels
from analysis.categories.models.infinite_hmm import InfiniteHMM
from analysis.categories.models.infinite_hmm_moves import _log_division, split_and_merge
from analysis.structures.compiled import njit  # keeps the machine code between runs

pytestmark = pytest.mark.thorough

TWO_WORDS = [["a", "b", "a"], ["b", "a"]]


def table(corpus):
    return pd.DataFrame(
        [(number, word) for number, utterance in enumerate(corpus) for word in utterance], columns=["sentence", "form"]
    )


def partitions(size):
    """All partitions, as states from 1 numbered in the order in which they appear."""
    found = [[]]
    for _ in range(size):
        found = [[*one, k] for one in found for k in range(1, max(one, default=0) + 2)]
    return found


def probability_of_states(corpus, states, alpha, gamma, discount):
    """Chinese restaurant franchise, transition by transition, summed over who opens a table.

    The base restaurant begins with one table, of the boundary; a transition is a customer of the row it leaves.
    """
    transitions, rest = [], list(states)
    for utterance in corpus:
        path = [0, *(rest.pop(0) for _ in utterance), 0]
        transitions += list(itertools.pairwise(path))

    def following(at, seated, left, served):
        if at == len(transitions):
            return 1.0
        j, k = transitions[at]
        joined = seated | {(j, k): seated.get((j, k), 0) + 1}
        left_now = left | {j: left.get(j, 0) + 1}
        customers, tables = left.get(j, 0), sum(served.values())
        base = (served[k] - discount if k in served else gamma + discount * len(served)) / (gamma + tables)
        opened = alpha / (customers + alpha) * base
        total = opened * following(at + 1, joined, left_now, served | {k: served.get(k, 0) + 1})
        if (j, k) in seated:
            total = total + seated[j, k] / (customers + alpha) * following(at + 1, joined, left_now, served)
        return total

    return following(0, {}, {}, {0: 1})


def probability_of_words(corpus, states, prior):
    words = [word for utterance in corpus for word in utterance]
    types, emitted, probability = len(set(words)), {}, 1.0
    for word, k in zip(words, states, strict=True):
        mine = emitted.setdefault(k, [])
        probability *= (mine.count(word) + prior) / (len(mine) + types * prior)
        mine.append(word)
    return probability


def posterior(corpus, alpha, gamma, discount, prior, weights=1.0):
    """Probability of each partition given the words; over a grid of them, averaged by their weights."""
    size = sum(map(len, corpus))
    return pd.Series(
        {
            tuple(states): float(
                np.sum(
                    weights
                    * probability_of_states(corpus, states, alpha, gamma, discount)
                    * probability_of_words(corpus, states, prior)
                )
            )
            for states in partitions(size)
        }
    ).pipe(lambda joint: joint / joint.sum())


@njit
def run(t, text, slices, concentrations, discount, learn, gammas, moves, state, out):
    """Many sweeps; each row of ``out`` gets the states, renumbered in the order in which they appear.

    Without slices only splits and mergers change the states. Returns the rows, and how often a move was accepted.
    """
    number = np.zeros(len(t.weights), np.int64)
    accepted = 0
    for row in range(len(out)):
        process = (concentrations[0], concentrations[1], discount, concentrations[2])
        if len(slices) and kernels.sweep(t, text, slices, process, state) < 0:
            return row, accepted
        kernels.count(t, text)
        if moves[0]:
            tried = split_and_merge(t, text, moves, process, state)
            accepted += tried[1] + tried[3]
            kernels.count(t, text)
        kernels.redraw(t, concentrations, discount, learn, gammas, state)
        number[:] = 0
        used, at = 0, 0
        for k in text.path:
            if k:
                if number[k] == 0:
                    used += 1
                    number[k] = used
                out[row, at] = number[k]
                at += 1
    return len(out), accepted


def frequencies(corpus, sweeps, slices=True, moves=(0, 0), **options):
    """How often a long chain has each partition."""
    model = InfiniteHMM(initial_clusters=1, sweeps=0, progress=False, **options).fit(table(corpus))
    for _ in range(6):
        model._tables = kernels.wider(model._tables)
    out = np.zeros((sweeps, len(model._words)), np.int8)
    gammas = np.array([*model.concentration_prior, *model.base_concentration_prior, *model.emission_prior_prior])
    learn = model.learn_concentrations, model.learn_emission_prior
    finished, accepted = run(
        model._tables, model._text, model._slices if slices else model._slices[:0], model._concentrations,
        model._discount, learn, gammas, moves, model._random, out,
    )  # fmt: skip
    assert finished == sweeps, "a sweep needs more room"
    assert accepted > sweeps / 50 or not moves[0], "moves are accepted"
    rows, counts = np.unique(out, axis=0, return_counts=True)
    return pd.Series({tuple(row): count / sweeps for row, count in zip(rows.tolist(), counts, strict=True)})


def total_variation(one, other):
    return one.sub(other, fill_value=0).abs().sum() / 2


def test_the_franchise_gives_probabilities_and_the_first_steps_are_those_by_hand():
    assert [len(partitions(size)) for size in range(6)] == [1, 1, 2, 5, 15, 52]
    alpha, gamma, d = 0.7, 1.3, 0.2
    new = alpha / (alpha + 0) * (gamma + d) / (gamma + 1)  # the boundary's row is empty; its table is the first
    end = alpha / alpha * (1 - d) / (gamma + 2)  # the tag's row is empty; one of two tables serves the boundary
    assert math.isclose(probability_of_states([["a"]], [1], alpha, gamma, d), new * end)


@pytest.mark.parametrize(("discount", "sweeps"), [(0.0, 1_000_000), (0.1, 400_000)], ids=["Dirichlet", "Pitman-Yor"])
def test_partitions_are_as_frequent_as_enumeration_says(discount, sweeps):
    options = {"concentration": 0.9, "base_concentration": 1.6, "emission_prior": 0.3}
    found = frequencies(TWO_WORDS, sweeps, process="pitman-yor", discount=discount, **options)
    assert total_variation(found, posterior(TWO_WORDS, 0.9, 1.6, discount, 0.3)) < 0.01


@pytest.mark.slow
def test_partitions_are_as_frequent_as_enumeration_says_when_concentrations_are_learnt():
    options = {"learn_concentrations": True, "base_concentration_prior": (2.0, 1.0)}
    found = frequencies(TWO_WORDS, 350_000, emission_prior=0.3, **options)
    nodes, weights = np.polynomial.laguerre.laggauss(60)  # integrates with exp(-x), the density of Gamma(1, 1)
    alpha, gamma = np.meshgrid(nodes, nodes, indexing="ij")
    weights = np.outer(weights, weights * nodes)  # Gamma(2, 1) has x exp(-x)
    assert total_variation(found, posterior(TWO_WORDS, alpha, gamma, 0.0, 0.3, weights)) < 0.01


@pytest.mark.parametrize("discount", [0.0, 0.3], ids=["Dirichlet", "Pitman-Yor"])
@pytest.mark.parametrize("scans", [0, 2])
def test_splits_and_mergers_alone_visit_partitions_as_often_as_enumeration_says(discount, scans):
    options = {"concentration": 0.9, "base_concentration": 1.6, "emission_prior": 0.3}
    found = frequencies(
        TWO_WORDS, 300_000, slices=False, moves=(2, scans), process="pitman-yor", discount=discount, **options
    )
    assert total_variation(found, posterior(TWO_WORDS, 0.9, 1.6, discount, 0.3)) < 0.01


def test_sweeps_with_splits_and_mergers_visit_partitions_as_often_as_enumeration_says():
    options = {"concentration": 0.9, "base_concentration": 1.6, "emission_prior": 0.3}
    found = frequencies(TWO_WORDS, 200_000, moves=(1, 1), **options)
    assert total_variation(found, posterior(TWO_WORDS, 0.9, 1.6, 0.0, 0.3)) < 0.01


def test_partitions_are_as_frequent_as_enumeration_says_when_the_emission_prior_is_learnt():
    options = {"learn_emission_prior": True, "emission_prior_prior": (2.0, 1.0), "concentration": 0.9}
    found = frequencies(TWO_WORDS, 300_000, base_concentration=1.6, **options)
    nodes, weights = np.polynomial.laguerre.laggauss(60)  # integrates with exp(-x); Gamma(2, 1) has x exp(-x)
    assert total_variation(found, posterior(TWO_WORDS, 0.9, 1.6, 0.0, nodes, weights * nodes)) < 0.01


def test_powers_are_those_of_numpy():
    values = np.random.default_rng(1).random(1000)
    room, found = np.empty(1000), np.empty(1000)
    for exponent in (1.0, 10.0, 33.3):
        kernels.powers(values, exponent, room, found)
        np.testing.assert_allclose(found, values**exponent, rtol=1e-8)


def test_gamma_variables_of_emissions_have_the_mean_and_variance_of_their_shape():
    for prior in (0.1, 0.7, 2.5):
        tables = kernels.tables(16, 200_000)
        tables.size[:] = 5
        tables.emitted[:, :5] = [0, 0, 1, 8, 9]
        sums = np.zeros((kernels.word_blocks(200_000), 16))
        kernels.draw_emissions(tables, 0, len(sums), prior, 3, sums)
        drawn = tables.emission[:, 1:5].astype(float)
        shapes = np.array([0, 1, 8, 9]) + prior
        np.testing.assert_allclose(sums.sum(axis=0)[1:5], drawn.sum(axis=0), rtol=1e-6)
        assert (abs(drawn.mean(axis=0) - shapes) < 5 * np.sqrt(shapes / len(drawn))).all()
        spread = np.sqrt((6 * shapes + 2 * shapes**2) / len(drawn))  # of the sample variance
        assert (abs(drawn.var(axis=0) - shapes) < 5 * spread).all()


@pytest.mark.parametrize("states", [1, 2, 5])
def test_a_new_stick_has_the_mean_of_its_beta_distribution(states):
    # state 0, the boundary, holds stick 1; so the next stick is number states + 1: Beta(1 - d, gamma + (states + 1) d)
    d, gamma, draws = 0.5, 1.0, 40_000
    state = np.array([1, 2, 3, 4], dtype=np.uint64)
    tables = kernels.tables(16, 2)
    shares = np.empty(draws)
    for number in range(draws):
        tables.size[0], tables.rest[0], tables.row_rest[:] = states, 1.0, 1.0
        tables.weights[:states] = 1.0 / states
        kernels.represent(tables, 1.0, gamma, d, state)
        shares[number] = tables.weights[states]
        assert tables.rest[0] == pytest.approx(1 - shares[number])
    a, b = 1 - d, gamma + (states + 1) * d
    error = math.sqrt(a * b / ((a + b) ** 2 * (a + b + 1)) / draws)
    assert abs(shares.mean() - a / (a + b)) < 5 * error
    off_by_one = [a / (a + gamma + (states + other) * d) for other in (0, 2)]
    assert all(abs(mean - a / (a + b)) > 7 * error for mean in off_by_one), "the test would notice"


def test_a_division_is_as_probable_as_the_probability_of_words_and_states_says():
    generator = np.random.default_rng(4)
    corpus = [list(generator.choice(list("abcdef"), size)) for size in generator.integers(1, 9, 50)]
    model = InfiniteHMM(initial_clusters=4, sweeps=0, progress=False).fit(table(corpus))
    t, text, (alpha, _, _, prior) = model._tables, model._text, model._process
    divided = kernels.log_probability(t, alpha, prior)
    left = np.bincount(text.path[:-1], minlength=len(t.weights))
    tokens, whole = np.where(np.arange(len(left)) > 0, left, 0), t.weights[1] + t.weights[3]
    found = _log_division(t, (left, tokens), 1, 3, whole, model._process)
    text.path[text.path == 3] = 1
    t.weights[1], t.weights[3] = whole, 0.0
    kernels.count(t, text)
    assert math.isclose(found, divided - kernels.log_probability(t, alpha, prior), rel_tol=1e-9)


def test_forward_weights_are_sums_over_the_transitions_above_the_slice():
    generator, K, limit = np.random.default_rng(5), 40, np.float32(0.02)
    t = kernels.tables(K, 1)
    t.size[:] = K
    t.rows[:K, :K] = generator.dirichlet(np.ones(K), K)
    assert kernels.break_sticks(t, 1.0, (1.0, 1.0, 0.0, 0.1), np.array([1, 2, 3, 4], np.uint64))
    before, here, room = (np.zeros(len(t.weights), np.float32) for _ in range(3))
    before[1:K], here[:K] = generator.random(K - 1), generator.random(K)
    expected = here[:K] * (before[:K] @ (t.rows[:K, :K] > limit)) * (np.arange(K) > 0)
    assert kernels._step(t.rows, before, K, limit, K, here, room)
    np.testing.assert_allclose(here[:K], expected / expected.sum(), rtol=1e-5)
