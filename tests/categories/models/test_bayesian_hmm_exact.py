"""The sampler's conditionals against a slow joint probability, event by event, for every tagging of small corpora."""

import itertools
import math

import numpy as np
import pandas as pd
import pytest

from analysis.categories.models import hmm_kernels as kernels
from analysis.categories.models.bayesian_hmm import BayesianHMM

pytestmark = pytest.mark.thorough

CORPORA = {
    "one word": [["a"]],
    "one word repeated": [["a", "a", "a", "a"]],
    "five times one word": [["a", "a", "a", "a", "a"]],
    "five tokens": [["a", "b", "a", "a", "b"]],
    "two utterances": [["a", "a"], ["a", "b", "a"]],
    "three utterances": [["a"], ["b", "a"], ["a", "a"]],
    "five utterances": [["a"], ["a"], ["b"], ["a"], ["b"]],
}


def table(corpus):
    return pd.DataFrame(
        [(number, word) for number, utterance in enumerate(corpus) for word in utterance], columns=["sentence", "form"]
    )


def joint(corpus, tags, K, order, alpha, beta):
    """Probability of words and tags: each event from the counts of the events before it."""
    W = len({word for utterance in corpus for word in utterance})
    seen, contexts = {}, {}
    probability, rest = 1.0, list(tags)

    def event(kind, context, outcome, prior, outcomes):
        nonlocal probability
        key, whole = (kind, context, outcome), (kind, context)
        probability *= (seen.get(key, 0) + prior) / (contexts.get(whole, 0) + outcomes * prior)
        seen[key] = seen.get(key, 0) + 1
        contexts[whole] = contexts.get(whole, 0) + 1

    for utterance in corpus:
        history = ["#"] * (order - 1)
        for word in utterance:
            tag = rest.pop(0)
            event("transition", tuple(history), tag, alpha, K + 1)
            event("emission", tag, word, beta, W)
            history = [*history[1:], tag]
        event("transition", tuple(history), "#", alpha, K + 1)
    return probability


def fitted(text, tags, K, order, alpha, beta, **options):
    options = {"sweeps": 0, "resample_priors": False} | options
    return BayesianHMM(
        K, order, transition_prior=alpha, emission_prior=beta, initialisation=tags, progress=False, **options
    ).fit(text)


def arrays(model):
    tables = kernels.Tables(model._layout.tags, model._cells, model._totals, model._inverses)
    return model._shape, tables


def conditionals(model):
    """The weights by which a sweep draws each token, from the function that the sweep itself calls."""
    layout, weights = model._layout, np.zeros(model._shape.stride)
    for place, word in zip(layout.places, layout.words, strict=True):
        total, present = kernels.token_weights(
            *arrays(model), int(place), int(word), (model.transition_prior, model.emission_prior), weights
        )
        assert present == weights[layout.tags[place]]
        assert math.isclose(total, weights.sum(), rel_tol=1e-12)
        assert not weights[model.n_clusters :].any()
        yield weights[: model.n_clusters] / total


@pytest.mark.parametrize("order", [2, 3])
@pytest.mark.parametrize("K", [1, 2, 3])
@pytest.mark.parametrize("corpus", CORPORA.values(), ids=CORPORA)
def test_conditionals_are_ratios_of_joint_probabilities_for_every_tagging(corpus, K, order):
    alpha, beta = 0.37, 0.013
    text, size = table(corpus), sum(map(len, corpus))
    probability = {
        tags: joint(corpus, tags, K, order, alpha, beta) for tags in itertools.product(range(K), repeat=size)
    }
    for tags in probability:
        for i, found in enumerate(conditionals(fitted(text, tags, K, order, alpha, beta))):
            expected = np.array([probability[(*tags[:i], k, *tags[i + 1 :])] for k in range(K)])
            np.testing.assert_allclose(found, expected / expected.sum(), rtol=0, atol=1e-10)


@pytest.mark.parametrize("order", [2, 3])
@pytest.mark.parametrize("K", [4, 9, 17])
def test_conditionals_are_exact_with_several_vectors_of_tags_and_longer_utterances(order, K):
    generator = np.random.default_rng(K)
    corpus = [list(generator.choice(list("abc"), size)) for size in (1, 7, 2, 12, 3)]
    for _ in range(4):
        tags = tuple(generator.integers(0, generator.integers(1, K + 1), 25).tolist())  # few tags: many overlaps
        for i, found in enumerate(conditionals(fitted(table(corpus), tags, K, order, 0.2, 0.05))):
            expected = np.array([joint(corpus, (*tags[:i], k, *tags[i + 1 :]), K, order, 0.2, 0.05) for k in range(K)])
            np.testing.assert_allclose(found, expected / expected.sum(), rtol=0, atol=1e-10)


@pytest.mark.parametrize("order", [2, 3])
def test_log_probability_is_that_of_the_joint(order):
    corpus = CORPORA["two utterances"]
    for tags in itertools.product(range(2), repeat=5):
        model = fitted(table(corpus), tags, 2, order, 0.37, 0.013, sweeps=1, random_state=sum(tags))
        expected = math.log(joint(corpus, model.labels_.tolist(), 2, order, 0.37, 0.013))
        assert math.isclose(model.log_probability_[-1], expected, rel_tol=1e-12)


@pytest.mark.parametrize("order", [2, 3])
def test_counts_after_many_sweeps_are_those_of_the_tags(order):
    generator = np.random.default_rng(5)
    corpus = [list(generator.choice(list("abcde"), size)) for size in generator.integers(1, 9, 60)]
    model = BayesianHMM(9, order, sweeps=50, progress=False).fit(table(corpus))
    again = BayesianHMM.from_state(model.state())
    for mine, fresh in zip(arrays(model)[1], arrays(again)[1], strict=True):
        np.testing.assert_array_equal(mine, fresh)


@pytest.mark.parametrize("order", [2, 3])
@pytest.mark.parametrize("corpus", [[["a", "a", "a", "a"]], [["a", "b"], ["b", "b"]]], ids=["one", "two"])
def test_a_long_run_visits_taggings_as_often_as_the_posterior_says(corpus, order):
    K, alpha, beta, sweeps = 2, 0.5, 0.3, 200_000
    taggings = list(itertools.product(range(K), repeat=4))
    posterior = np.array([joint(corpus, tags, K, order, alpha, beta) for tags in taggings])
    posterior /= posterior.sum()
    model = fitted(table(corpus), taggings[0], K, order, alpha, beta)
    layout = model._layout
    shape, tables = arrays(model)
    weights, visits = np.zeros(shape.stride), np.zeros(len(taggings))
    for _ in range(sweeps):
        kernels.sweep(shape, tables, layout.order, layout.ordered_words, (alpha, beta), 1.0, model._random, weights)
        visits[int("".join(map(str, layout.tags[layout.places])), K)] += 1
    assert abs(visits / sweeps - posterior).sum() / 2 < 0.01


@pytest.mark.parametrize("order", [2, 3])
def test_annealing_draws_from_the_power_of_the_conditional(order):
    corpus, K, alpha, beta, sweeps, power = [["a", "b", "a"]], 2, 0.5, 0.3, 50_000, 0.5
    taggings = list(itertools.product(range(K), repeat=3))
    weight = {tags: joint(corpus, tags, K, order, alpha, beta) for tags in taggings}
    # conditionals to a power are those of the joint to that power, so its frequencies are what a run must show
    expected = np.array([weight[tags] ** power for tags in taggings])
    expected /= expected.sum()
    model = fitted(table(corpus), taggings[0], K, order, alpha, beta)
    layout = model._layout
    shape, tables = arrays(model)
    weights, visits = np.zeros(shape.stride), np.zeros(len(taggings))
    for _ in range(sweeps):
        kernels.sweep(shape, tables, layout.order, layout.ordered_words, (alpha, beta), power, model._random, weights)
        visits[int("".join(map(str, layout.tags[layout.places])), K)] += 1
    assert abs(visits / sweeps - expected).sum() / 2 < 0.01


@pytest.mark.parametrize("prior", ["alpha", "beta"])
@pytest.mark.parametrize("order", [2, 3])
def test_the_priors_are_drawn_from_their_posterior_given_the_tags(order, prior):
    # Two tags and words in strict alternation: the likelihood falls by far from its peak to infinity, so the flat
    # prior does no harm within the range that is integrated.
    corpus = [["a", "b"] * 6] * 4
    tags = [0, 1] * 24
    model = fitted(table(corpus), tags, 2, order, 0.1, 0.1)
    grid = np.exp(np.linspace(math.log(1e-4), math.log(1e3), 4000))
    if prior == "alpha":
        likelihood = np.array([joint(corpus, tags, 2, order, x, 0.1) for x in grid])
        step = kernels.step_alpha
    else:
        likelihood = np.array([joint(corpus, tags, 2, order, 0.1, x) for x in grid])
        step = kernels.step_beta
    density = likelihood * grid  # flat in x, on a grid that is even in log x
    density /= density.sum()
    x, draws = 0.1, np.empty(400_000)
    for i in range(len(draws)):
        x = step(model._shape, model._cells, model._totals, x, model._random)
        draws[i] = x
    cuts = np.interp([0.1, 0.25, 0.5, 0.75, 0.9], np.cumsum(density), grid)
    found = [(draws[2000:] < cut).mean() for cut in cuts]
    np.testing.assert_allclose(found, [0.1, 0.25, 0.5, 0.75, 0.9], atol=0.025)
