"""Variational Bayes: the forward-backward pass against enumeration, the bound, stopping and going on."""

import itertools
import math
import os
import signal

import numpy as np
import pandas as pd
import pytest

from analysis.categories.models import VariationalHMM
from analysis.categories.models import variational_hmm_kernels as kernels

CORPORA = {
    "one word": [["a"]],
    "one word repeated": [["a", "a", "a", "a"]],
    "two utterances": [["a", "a"], ["a", "b", "a"]],
    "three utterances": [["a"], ["b", "a"], ["a", "c", "b", "a"]],
}


def table(corpus):
    return pd.DataFrame(
        [(number, word) for number, utterance in enumerate(corpus) for word in utterance], columns=["sentence", "form"]
    )


def model(**options):
    return VariationalHMM(**({"n_clusters": 3, "iterations": 12, "tolerance": 0, "progress": False} | options))


def random_corpus(seed, utterances=40, types=12):
    generator = np.random.default_rng(seed)
    words = [f"w{number}" for number in range(types)]
    weight = 1 / np.arange(1, types + 1)
    return [
        list(generator.choice(words, size, p=weight / weight.sum())) for size in generator.integers(1, 15, utterances)
    ]


def enumerated(corpus, weights, vocabulary, K):
    """log Z, expected transitions, expected emissions and best taggings, by every tagging of every utterance."""
    transitions, emissions, best, log_z = np.zeros((K + 1, K + 1)), np.zeros((len(vocabulary), K)), [], 0.0
    for utterance in corpus:
        words = [vocabulary.get_loc(word) for word in utterance]
        found = {}
        for tags in itertools.product(range(K), repeat=len(words)):
            path = [K, *tags, K]
            log = sum(weights.transitions[j, k] for j, k in itertools.pairwise(path))
            found[tags] = log + sum(weights.emissions[w, k] for w, k in zip(words, tags, strict=True))
        highest = max(found.values())
        total = sum(math.exp(log - highest) for log in found.values())
        log_z += highest + math.log(total)
        best.extend(max(found, key=found.get))
        for tags, log in found.items():
            share = math.exp(log - highest) / total
            for j, k in itertools.pairwise([K, *tags, K]):
                transitions[j, k] += share
            for w, k in zip(words, tags, strict=True):
                emissions[w, k] += share
    return log_z, transitions, emissions, best


@pytest.mark.parametrize("prior", [1.0, 0.1, 0.003])
@pytest.mark.parametrize("K", [1, 2, 3])
@pytest.mark.parametrize("corpus", CORPORA.values(), ids=CORPORA)
@pytest.mark.parametrize("smallest", [kernels.SMALLEST, np.inf], ids=["scaled", "in logarithms"])
def test_a_pass_equals_the_sum_over_all_taggings(corpus, K, prior, smallest, monkeypatch):
    fitted = model(n_clusters=K, iterations=2, transition_prior=prior, emission_prior=prior / 2).fit(table(corpus))
    weights = fitted._weights()
    expected = enumerated(corpus, weights, fitted.vocabulary_, K)
    if smallest == np.inf:  # as if every sum were too small
        monkeypatch.setattr(kernels, "_forward", lambda *_: (0.0, 0.0))
        monkeypatch.setattr(kernels, "expectations", kernels.expectations.py_func)
    log_z, transitions, emissions, tags = fitted._pass(weights, fitted._words, fitted._begins)
    assert math.isclose(log_z, expected[0], rel_tol=1e-12)
    np.testing.assert_allclose(transitions, expected[1], rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(emissions[:-1], expected[2], rtol=1e-9, atol=1e-12)
    assert fitted.labels_.tolist() == expected[3]
    assert len(tags) == len(fitted._words)


@pytest.mark.parametrize("prior", [1.0, 0.1, 0.01, 0.0001])
@pytest.mark.parametrize("seed", range(6))
def test_the_bound_never_falls(seed, prior):
    tokens = table(random_corpus(seed))
    for a, b in ((prior, prior), (prior, 0.5), (0.5, prior)):
        fitted = model(n_clusters=6, iterations=60, transition_prior=a, emission_prior=b, random_state=seed).fit(tokens)
        assert (np.diff(fitted.bound_) >= -1e-9 * np.abs(fitted.bound_[1:])).all()
        assert np.isfinite(fitted.bound_).all() and fitted.bound_[-1] < 0


def test_the_bound_is_below_the_log_probability_of_the_words():
    corpus, K, a, b = [["a", "b", "a"], ["b"]], 2, 0.4, 0.3
    W = 2

    def joint(tags):
        """Probability of words and tags, the parameters integrated out: each event given the events before it."""
        counts, probability, rest = {}, 1.0, list(tags)
        for utterance in corpus:
            path = [rest.pop(0) for _ in utterance]
            events = [("step", j, k, a, K + 1) for j, k in itertools.pairwise([K, *path, K])]
            events += [("word", k, w, b, W) for k, w in zip(path, utterance, strict=True)]
            for kind, context, outcome, prior, outcomes in events:
                seen = counts.get((kind, context, outcome), 0)
                whole = sum(n for key, n in counts.items() if key[:2] == (kind, context))
                probability *= (seen + prior) / (whole + outcomes * prior)
                counts[kind, context, outcome] = seen + 1
        return probability

    evidence = math.log(sum(joint(tags) for tags in itertools.product(range(K), repeat=4)))
    for seed in range(5):
        fitted = model(n_clusters=K, iterations=200, transition_prior=a, emission_prior=b, random_state=seed)
        assert fitted.fit(table(corpus)).bound_[-1] < evidence


def test_expected_counts_sum_to_the_tokens_and_the_utterances():
    corpus = random_corpus(1)
    fitted = model(n_clusters=5).fit(table(corpus))
    forms = pd.Series([word for utterance in corpus for word in utterance]).value_counts()
    np.testing.assert_allclose(fitted.emissions_.sum(axis=1), forms[fitted.vocabulary_])
    np.testing.assert_allclose(fitted.transitions_[-1].sum(), len(corpus))
    np.testing.assert_allclose(fitted.transitions_[:, -1].sum(), len(corpus))
    assert fitted.transitions_[-1, -1] == 0
    np.testing.assert_allclose(fitted.transitions_[:, :-1].sum(axis=0), fitted.emissions_.sum(axis=0))
    np.testing.assert_allclose(fitted.transitions_[:-1].sum(axis=1), fitted.emissions_.sum(axis=0))


def test_the_divergence_is_that_of_the_beta_distribution():
    # KL(Beta(2, 1) || Beta(1, 1)) = integral of 2p log 2p = log 2 - 1/2
    from analysis.categories.models.variational_hmm import _dirichlet_divergence

    expected_logs = np.array([[-0.5, -1.5]])  # of p and 1 - p under Beta(2, 1): psi(2) - psi(3), psi(1) - psi(3)
    found = _dirichlet_divergence(np.array([[1.0, 0.0]]), 1.0, expected_logs)
    assert math.isclose(found, math.log(2) - 0.5)


@pytest.mark.parametrize("prior", [1e-4, 0.1, 1.0, 7.5])
def test_expected_logarithms_and_their_divergence_are_those_of_scipy(prior):
    from scipy.special import gammaln, psi

    counts = np.random.default_rng(2).gamma(0.05, 100.0, (300, 13))
    counts[:4] = [[0.0], [1e-12], [1.0], [2e6]]
    totals, found = np.arange(13.0), np.empty(counts.shape)
    divergence = kernels.expected_logs(counts, prior, totals, found)
    expected = psi(counts + prior) - totals
    np.testing.assert_allclose(found, expected, rtol=1e-13, atol=1e-13)
    parts = counts * expected - gammaln(counts + prior) + gammaln(prior)
    np.testing.assert_allclose(divergence, parts.sum(), rtol=1e-12)


@pytest.mark.parametrize("threads", [2, -1])
def test_threads_change_no_number_and_parts_only_their_rounding(threads, monkeypatch):
    tokens = table(random_corpus(8))
    whole = model().fit(tokens)
    monkeypatch.setattr("analysis.categories.models.variational_hmm._TOKENS_A_PART", 40)
    one, other = model().fit(tokens), model(n_jobs=threads).fit(tokens)
    for name in ("bound_", "transitions_", "emissions_", "labels_"):
        np.testing.assert_array_equal(getattr(one, name), getattr(other, name))
        np.testing.assert_allclose(getattr(one, name), getattr(whole, name), rtol=1e-10)
    assert (one.emissions_ != whole.emissions_).any(), "the text was divided"


def test_one_tag_gives_every_token_that_tag_and_the_exact_probability_of_the_words():
    fitted = model(n_clusters=1, iterations=3, transition_prior=0.5, emission_prior=0.5).fit(table([["a", "a", "b"]]))
    # transitions: boundary to tag 1/2; tag to tag (.5/1)(1.5/2), to the boundary .5/3; words: .5/1, 1.5/2, .5/3
    exact = math.log(0.5 * (0.5 * 0.75 * 0.5 / 3) * (0.5 * 0.75 * 0.5 / 3))
    assert fitted.labels_.tolist() == [0, 0, 0]
    assert math.isclose(fitted.bound_[-1], exact, rel_tol=1e-12)


def test_the_classes_of_a_regular_language_are_found():
    generator = np.random.default_rng(3)
    rows = [
        (sentence, "dnv"[position % 3] + str(generator.integers(0, 5)))
        for sentence in range(150)
        for position in range(generator.integers(1, 9))
    ]
    tokens = pd.DataFrame(rows, columns=["sentence", "form"])
    for decode in ("viterbi", "posterior"):
        fits = [model(iterations=200, decode=decode, random_state=seed).fit(tokens) for seed in range(4)]
        best = max(fits, key=lambda fitted: fitted.bound_[-1])
        pairs = set(zip(tokens["form"].str[0], best.labels_, strict=True))
        assert len(pairs) == 3


@pytest.mark.parametrize("decode", ["viterbi", "posterior"])
def test_training_text_is_tagged_as_in_training_and_an_unknown_word_by_its_neighbours(decode):
    tokens = table(random_corpus(2))
    fitted = model(decode=decode).fit(tokens)
    assert fitted.predict(tokens).tolist() == fitted.labels_.tolist()
    new = pd.DataFrame({"sentence": [5, 5], "form": ["w0", "never seen"]}, index=[7, 3])
    found = fitted.predict(new)
    assert found.index.tolist() == [7, 3] and found.between(0, 2).all()


def test_posterior_tags_are_the_most_probable_of_each_token():
    corpus = [["a", "b", "a", "c"]]
    fitted = model(iterations=3, decode="posterior").fit(table(corpus))
    weights = fitted._weights()
    share = np.zeros((4, 3))
    words = [fitted.vocabulary_.get_loc(word) for word in corpus[0]]
    for tags in itertools.product(range(3), repeat=4):
        log = sum(weights.transitions[j, k] for j, k in itertools.pairwise([3, *tags, 3]))
        log += sum(weights.emissions[w, k] for w, k in zip(words, tags, strict=True))
        for t, tag in enumerate(tags):
            share[t, tag] += math.exp(log)
    assert fitted.labels_.tolist() == share.argmax(axis=1).tolist()


def test_stopping_and_going_on_changes_no_bit():
    tokens = table(random_corpus(4))
    whole = model(iterations=12).fit(tokens)
    part = model(iterations=5).fit(tokens)
    rest = model(iterations=12, random_state=99).fit(tokens, resume=part)
    itself = part.set_params(iterations=12).fit(tokens, resume=part)
    for other in (rest, itself):
        np.testing.assert_array_equal(other.bound_, whole.bound_)
        np.testing.assert_array_equal(other.emissions_, whole.emissions_)
        np.testing.assert_array_equal(other.labels_, whole.labels_)


def test_it_stops_when_the_bound_rises_no_more_and_then_makes_no_pass():
    tokens = table(random_corpus(5))
    fitted = model(iterations=5000, tolerance=1e-6).fit(tokens)
    assert fitted.converged_ and fitted.iterations_done_ < 5000
    rise = np.diff(fitted.bound_) / np.abs(fitted.bound_[1:])
    assert rise[-1] < 1e-6 and (rise[:-1] >= 1e-6).all()
    assert fitted.fit(tokens, resume=fitted).iterations_done_ == len(rise) + 1


def test_interruption_leaves_a_model_that_can_go_on(monkeypatch):
    tokens = table(random_corpus(6))
    whole = model(iterations=9).fit(tokens)
    part, passes = model(iterations=9), []
    one = VariationalHMM._pass

    def stopped(self, *arguments):
        passes.append(1)
        if len(passes) == 4:
            os.kill(os.getpid(), signal.SIGINT)
        return one(self, *arguments)

    with monkeypatch.context() as patched:
        patched.setattr(VariationalHMM, "_pass", stopped)
        with pytest.raises(KeyboardInterrupt):
            part.fit(tokens)
    assert part.iterations_done_ == 4
    np.testing.assert_array_equal(part.fit(tokens, resume=part).bound_, whole.bound_)


def test_the_same_seed_gives_the_same_and_another_seed_another():
    tokens = table(random_corpus(7))
    one, again, other = (model(random_state=seed).fit(tokens) for seed in (0, 0, 1))
    np.testing.assert_array_equal(one.bound_, again.bound_)
    assert (one.bound_ != other.bound_).any()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"n_clusters": 0}, "n_clusters is 0"),
        ({"iterations": 0}, "iterations is 0"),
        ({"transition_prior": 0}, "transition_prior is 0"),
        ({"emission_prior": float("nan")}, "emission_prior is nan"),
        ({"decode": "best"}, "decode is 'best'"),
        ({"tolerance": -1}, "tolerance is -1"),
    ],
)
def test_a_wrong_parameter_is_refused(options, message):
    with pytest.raises(ValueError, match=message):
        model(**options).fit(table([["a"]]))


def test_wrong_calls_are_refused():
    tokens = table([["a", "b"]])
    with pytest.raises(ValueError, match="not fitted yet"):
        model().predict(tokens)
    fitted = model().fit(tokens)
    with pytest.raises(ValueError, match="decode is 'best'"):
        fitted.predict(tokens, decode="best")
    with pytest.raises(ValueError, match="fitted on other tokens"):
        model().fit(table([["a"], ["b"]]), resume=fitted)
    with pytest.raises(ValueError, match="has 3 tags, this one 2"):
        model(n_clusters=2).fit(tokens, resume=fitted)


def test_the_bar_tells_the_bound(capsys):
    model(progress=True).fit(table([["a", "b"]]))
    assert "bound" in capsys.readouterr().err
