"""Resampled tables of word classes, against tokens that are really drawn again."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis.categories import (
    bootstrap_intervals,
    entropies,
    many_to_one,
    normalised_variation_of_information,
    one_to_one,
    paired_bootstrap,
    pairwise_precision_recall,
    v_measure,
    variation_of_information,
)
from analysis.categories.bootstrap import MEASURES, _resampled


def scored(gold, predicted, base=2, assignment="optimal"):
    """Every measure of MEASURES by its public function; NaN where it is undefined."""
    pairs, known = pairwise_precision_recall(gold, predicted), entropies(gold, predicted, base=base)

    def ratio(a, b):
        return a / b if b else math.nan

    values = {
        "many-to-one": float(many_to_one(gold, predicted)),
        "one-to-one": float(one_to_one(gold, predicted, assignment=assignment)),
        "V": float(v_measure(gold, predicted)),
        "VI": float(variation_of_information(gold, predicted, base=base)),
        "NVI": float(normalised_variation_of_information(gold, predicted, base=base)),
        "H(C|K)": known.classes_given_clusters,
        "H(K|C)": known.clusters_given_classes,
        "pairwise precision": ratio(pairs.matched, pairs.predicted),
        "pairwise recall": ratio(pairs.matched, pairs.gold),
        "pairwise F1": ratio(2 * pairs.matched, pairs.predicted + pairs.gold),
    }
    return [values[measure] for measure in MEASURES]


def corpus(seed, n_sentences, classes=4, clusters=5):
    rng = np.random.default_rng(seed)
    sentences = np.repeat(np.arange(n_sentences) * 3, rng.integers(1, 7, n_sentences))
    gold = rng.integers(0, classes, len(sentences))
    a = np.where(rng.random(len(gold)) < 0.6, gold, rng.integers(0, clusters, len(gold)))
    b = np.where(rng.random(len(gold)) < 0.4, gold, rng.integers(0, clusters, len(gold)))
    return gold, a, b, sentences


def brute_force(gold, predicted, sentences, resamples, seed, **options):
    """Measures of tokens of sentences that are drawn one by one, in the order of the same generator."""
    rng = np.random.default_rng(seed)
    names = np.unique(sentences)
    rows = []
    for _ in range(resamples):
        places = [np.flatnonzero(sentences == names[drawn]) for drawn in rng.integers(0, len(names), len(names))]
        tokens = np.concatenate(places)
        rows.append(scored(gold[tokens], predicted[tokens], **options))
    return np.array(rows)


@pytest.mark.parametrize(("n_sentences", "options"), [(40, {}), (3, {"base": math.e}), (25, {"assignment": "greedy"})])
def test_resampled_tables_are_those_of_tokens_drawn_again(n_sentences, options):
    gold, a, b, sentences = corpus(n_sentences, n_sentences)
    arguments = (MEASURES, 30, options.get("base", 2), options.get("assignment", "optimal"), 7)
    drawn, whole = _resampled(gold, {"a": a, "b": b}, sentences, *arguments)
    for name, predicted in (("a", a), ("b", b)):
        expected = brute_force(gold, predicted, sentences, 30, 7, **options)
        np.testing.assert_allclose(drawn[name], expected, rtol=1e-9, atol=1e-9)
        np.testing.assert_allclose(whole[name], scored(gold, predicted, **options), rtol=1e-9, atol=1e-9)


@settings(deadline=None)
@given(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2)), min_size=1, max_size=8), st.integers(0, 99))
def test_tables_in_which_classes_or_pairs_are_missing_are_scored_by_the_same_definitions(labels, seed):
    gold, predicted = (np.array(column) for column in zip(*labels, strict=True))
    sentences = np.arange(len(gold))
    drawn, _ = _resampled(gold, {"a": predicted}, sentences, MEASURES, 5, 2.0, "optimal", seed)
    expected = brute_force(gold, predicted, sentences, 5, seed, base=2.0, assignment="optimal")
    np.testing.assert_allclose(drawn["a"], expected, rtol=1e-9, atol=1e-9)


def test_equal_pairs_are_matched_in_the_order_of_their_names():
    rng = np.random.default_rng(8)
    gold, predicted = rng.choice(["zeta", "a", "10", "9"], 24), rng.choice([10, 9, 100, 2], 24)
    sentences = np.repeat(np.arange(8), 3)
    drawn, _ = _resampled(gold, {"a": predicted}, sentences, MEASURES, 60, math.e, "greedy", 1)
    expected = brute_force(gold, predicted, sentences, 60, 1, base=math.e, assignment="greedy")
    np.testing.assert_allclose(drawn["a"], expected, rtol=1e-9, atol=1e-9)


@pytest.mark.thorough
def test_the_intervals_are_the_quantiles_of_the_differences():
    gold, a, b, sentences = corpus(1, 60)
    found = paired_bootstrap(gold, a, b, sentences, MEASURES, resamples=200, confidence=0.9, random_state=3)
    differences = brute_force(gold, a, sentences, 200, 3) - brute_force(gold, b, sentences, 200, 3)
    lower, upper = np.quantile(differences, [0.05, 0.95], axis=0)
    np.testing.assert_allclose(found["lower"], lower, atol=1e-9)
    np.testing.assert_allclose(found["upper"], upper, atol=1e-9)
    np.testing.assert_allclose(found["difference"], np.subtract(scored(gold, a), scored(gold, b)), atol=1e-9)
    assert found["opposite"].tolist() == [
        np.mean(column * np.sign(whole) <= 0) for column, whole in zip(differences.T, found["difference"], strict=True)
    ]
    assert (found["resamples"] == 200).all()
    alone = bootstrap_intervals(gold, a, sentences, MEASURES, resamples=200, confidence=0.9, random_state=3)
    lower = np.quantile(brute_force(gold, a, sentences, 200, 3), 0.05, axis=0)
    np.testing.assert_allclose(alone["lower"], lower, atol=1e-9)
    assert alone["value"].tolist() == found["a"].tolist()


def test_a_clustering_does_not_differ_from_itself_or_from_itself_renamed():
    gold, a, _, sentences = corpus(2, 30)
    found = paired_bootstrap(gold, a, 9 - a, sentences, MEASURES, resamples=50, assignment="optimal")
    assert found[["difference", "lower", "upper"]].to_numpy() == pytest.approx(0, abs=1e-12)


def test_the_same_seed_draws_the_same_sentences_however_many_resamples_are_worked_out_together(monkeypatch):
    gold, a, b, sentences = corpus(3, 30)
    found = paired_bootstrap(gold, a, b, sentences, resamples=40, random_state=5)
    monkeypatch.setattr("analysis.categories.bootstrap._NUMBERS", 100)
    assert paired_bootstrap(gold, a, b, sentences, resamples=40, random_state=5).equals(found)
    assert not paired_bootstrap(gold, a, b, sentences, resamples=40, random_state=6).equals(found)


def test_what_is_undefined_in_a_resample_is_left_out_and_counted():
    # two tokens of two clusters and classes: a pair only if one sentence is drawn twice
    found = paired_bootstrap(["N", "V"], [1, 2], [1, 2], [0, 1], ["pairwise recall"], resamples=100)
    assert math.isnan(found["a"][0])
    assert 20 < found["resamples"][0] < 80


def test_sentences_need_not_stand_together_and_names_carry_no_meaning():
    gold, a, b, sentences = corpus(4, 20)
    order = np.random.default_rng(0).permutation(len(gold))
    plain = paired_bootstrap(gold, a, b, sentences, resamples=30)
    mixed = paired_bootstrap(gold[order], a[order], b[order], sentences[order], resamples=30)
    assert mixed.drop(columns="measure").to_numpy() == pytest.approx(plain.drop(columns="measure").to_numpy())


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"measures": ["F"]}, "measures must be a list of some of many-to-one"),
        ({"measures": "V"}, "measures must be a list"),
        ({"resamples": 0}, "resamples is 0; it must be at least 1"),
        ({"confidence": 95}, "between 0 and 1, not 95"),
        ({"base": 1}, "base of a logarithm"),
        ({"assignment": "best"}, "assignment is 'best'"),
        ({"sentences": [0]}, "predicted 2, sentences 1: they must label the same tokens"),
        ({"gold": [], "predicted_a": [], "predicted_b": [], "sentences": []}, "there is no token"),
        ({"gold": ["N", None]}, "gold"),
    ],
    ids=str,
)
def test_wrong_input_is_refused(change, message):
    arguments = {"gold": ["N", "V"], "predicted_a": [1, 2], "predicted_b": [1, 1], "sentences": [0, 1]} | change
    with pytest.raises(ValueError, match=message):
        paired_bootstrap(**arguments)
