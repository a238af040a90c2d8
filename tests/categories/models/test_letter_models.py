import math
from itertools import pairwise, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis.categories.models.letter_models import LetterModels

WORDS = st.lists(st.text(alphabet="abc", max_size=4), min_size=1, max_size=12)


def by_enumeration(models, word, k):
    """Sum over all paths of states that spell the word and the end symbol."""
    symbols = [models.letters.index(letter) for letter in word] + [len(models.letters)]
    total = 0.0
    for path in product(range(models.initial.shape[1]), repeat=len(symbols)):
        p = models.initial[k, path[0]]
        for one, two in pairwise(path):
            p *= models.transitions[k, one, two]
        total += p * math.prod(models.emissions[k, s, symbol] for s, symbol in zip(path, symbols, strict=True))
    return total


@settings(deadline=None, max_examples=50)
@given(WORDS, st.integers(0, 100))
def test_probabilities_equal_the_sum_over_all_paths(words, seed):
    models = LetterModels(words, n_classes=3, n_states=2, smoothing=0.1, random=np.random.default_rng(seed))
    found = np.exp(models.log_probabilities())
    for i, word in enumerate(words):
        for k in range(3):
            assert found[i, k] == pytest.approx(by_enumeration(models, word, k), rel=1e-9)


@settings(deadline=None, max_examples=30)
@given(WORDS, st.data())
def test_a_part_of_the_words_gets_the_same_probabilities_as_all(words, data):
    models = LetterModels(words, n_classes=2, n_states=2, smoothing=0.1, random=np.random.default_rng(0))
    begin = data.draw(st.integers(0, len(words)))
    end = data.draw(st.integers(begin, len(words)))
    np.testing.assert_array_equal(models.log_probabilities(begin, end), models.log_probabilities()[begin:end])


def expected_counts(models, words, k):
    """Expected uses of initial states, transitions and emissions, by enumeration of paths."""
    counts = [
        np.zeros_like(models.initial[k]),
        np.zeros_like(models.transitions[k]),
        np.zeros_like(models.emissions[k]),
    ]
    for word in words:
        symbols = [models.letters.index(letter) for letter in word] + [len(models.letters)]
        whole = by_enumeration(models, word, k)
        for path in product(range(models.initial.shape[1]), repeat=len(symbols)):
            p = models.initial[k, path[0]]
            for one, two in pairwise(path):
                p *= models.transitions[k, one, two]
            p *= math.prod(models.emissions[k, s, symbol] for s, symbol in zip(path, symbols, strict=True)) / whole
            counts[0][path[0]] += p
            for one, two in pairwise(path):
                counts[1][one, two] += p
            for s, symbol in zip(path, symbols, strict=True):
                counts[2][s, symbol] += p
    return counts


def shares(counts):
    return counts / counts.sum(axis=-1, keepdims=True)


@pytest.mark.parametrize("smoothing", [0.0, 0.3])
def test_one_iteration_sets_the_parameters_to_expected_counts(smoothing):
    words, classes = ["ab", "abc", "b", "ca", "cc"], np.array([0, 0, 0, 1, -1])
    models = LetterModels(words, n_classes=3, n_states=2, smoothing=smoothing, random=np.random.default_rng(3))
    expected = [
        [
            (counts + smoothing) / (counts + smoothing).sum(axis=-1, keepdims=True)
            for counts in expected_counts(models, own, k)
        ]
        for k, own in enumerate((["ab", "abc", "b"], ["ca"]))
    ]
    untouched = models.emissions[2].copy()
    likelihood = sum(math.log(by_enumeration(models, word, k)) for word, k in zip(words[:4], classes[:4], strict=True))
    trace = models.train(classes, 1)
    assert trace.tolist() == pytest.approx([likelihood])
    for k in range(2):
        np.testing.assert_allclose(models.initial[k], expected[k][0], atol=1e-12)
        np.testing.assert_allclose(models.transitions[k], expected[k][1], atol=1e-12)
        np.testing.assert_allclose(models.emissions[k], expected[k][2], atol=1e-12)
    assert (models.emissions[2] == untouched).all()  # a class without a word


@settings(deadline=None, max_examples=30)
@given(WORDS, st.integers(0, 100))
def test_without_smoothing_the_likelihood_never_falls(words, seed):
    models = LetterModels(words, n_classes=2, n_states=3, smoothing=0.0, random=np.random.default_rng(seed))
    trace = models.train(np.arange(len(words)) % 2, 15)
    assert (np.diff(trace) > -1e-9).all()


def test_what_an_unsmoothed_model_has_never_seen_is_impossible():
    models = LetterModels(["aa", "ba", "b"], n_classes=1, n_states=2, smoothing=0.0, random=np.random.default_rng(0))
    models.train(np.array([0, -1, -1]), 3)
    assert models.log_probabilities().ravel()[1:].tolist() == [-math.inf, -math.inf]
    assert models.train(np.array([0, 0, -1]), 1).tolist() == [-math.inf]


def test_very_long_words_do_not_vanish():
    long, longer = "ab" * 400, "ab" * 400 + "a"
    models = LetterModels([long, longer], n_classes=2, n_states=1, smoothing=0.0, random=np.random.default_rng(0))
    (a, b, end) = np.log(models.emissions[:, 0]).T
    np.testing.assert_allclose(models.log_probabilities()[0], 400 * (a + b) + end, rtol=1e-12)
    np.testing.assert_allclose(models.log_probabilities()[1], 401 * a + 400 * b + end, rtol=1e-12)
    assert models.train(np.array([0, 1]), 1)[0] == pytest.approx(
        400 * (a[0] + b[0]) + end[0] + 401 * a[1] + 400 * b[1] + end[1]
    )


def test_classes_can_be_kept_in_another_order():
    models = LetterModels(["a", "b"], n_classes=3, n_states=2, smoothing=0.1, random=np.random.default_rng(0))
    before = models.log_probabilities()
    models.keep([2, 0])
    np.testing.assert_array_equal(models.log_probabilities(), before[:, [2, 0]])


def test_impossible_models_are_refused():
    for states, smoothing in ((0, 0.1), (2, -1.0), (2, math.nan)):
        with pytest.raises(ValueError, match="at least one state"):
            LetterModels(["a"], n_classes=1, n_states=states, smoothing=smoothing, random=np.random.default_rng(0))
