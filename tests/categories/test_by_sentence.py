"""Measures on sentences drawn again, or left out, against tokens that are really drawn again or left out."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis.categories import (
    adjusted_mutual_information,
    adjusted_rand_index,
    cross_validated_many_to_one,
    entropies,
    many_to_one,
    normalised_variation_of_information,
    one_to_one,
    pairwise_precision_recall,
    scored_tokens,
    tagging_accuracy,
    v_measure,
    variation_of_information,
)
from analysis.categories.by_sentence import MEASURES
from analysis.statistics.resampling import draw_units
from analysis.statistics.scored import estimates

PLAIN = tuple(name for name in MEASURES if name not in ("cross-validated many-to-one", "AMI"))
JACKKNIFED = ("NVI", "V", "H(C|K)", "H(K|C)", "VI", "AMI")


def scored(gold, predicted, base=2, assignment="optimal"):
    """Every measure by its public function; NaN where it is undefined."""
    pairs, known = pairwise_precision_recall(gold, predicted), entropies(gold, predicted, base=base)

    def ratio(a, b):
        return a / b if b else math.nan

    return {
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
        "ARI": float(adjusted_rand_index(gold, predicted)),
        "AMI": float(adjusted_mutual_information(gold, predicted)),
        "tagging accuracy": float(tagging_accuracy(gold, predicted)),
    }


def corpus(seed, n_sentences, classes=4, clusters=5):
    rng = np.random.default_rng(seed)
    sentences = np.repeat(np.arange(n_sentences) * 3, rng.integers(1, 7, n_sentences))
    gold = rng.integers(0, classes, len(sentences))
    predicted = np.where(rng.random(len(gold)) < 0.6, gold, rng.integers(0, clusters, len(gold)))
    return gold, predicted, sentences


def draws(n, resamples, seed):
    drawn = np.concatenate(list(draw_units(n, resamples, seed)))
    return drawn, np.stack([np.bincount(row, minlength=n) for row in drawn])


def brute_force(gold, predicted, sentences, drawn, **options):
    """Measures of the tokens of sentences that are drawn one by one."""
    names, rows = np.unique(sentences), []
    for units in drawn:
        tokens = np.concatenate([np.flatnonzero(sentences == names[unit]) for unit in units])
        found = scored(gold[tokens], predicted[tokens], **options)
        rows.append([found[name] for name in PLAIN])
    return np.array(rows)


@pytest.mark.parametrize(("n_sentences", "options"), [(40, {}), (3, {"base": math.e}), (25, {"assignment": "greedy"})])
def test_measures_of_sentences_drawn_again_are_those_of_their_tokens(n_sentences, options):
    gold, predicted, sentences = corpus(n_sentences, n_sentences)
    drawn, times = draws(n_sentences, 20, 7)
    found = scored_tokens(gold, predicted, sentences, PLAIN, **options)
    expected = brute_force(gold, predicted, sentences, drawn, **options)
    np.testing.assert_allclose(found.values(times), expected, rtol=1e-9, atol=1e-9)
    whole = scored(gold, predicted, **options)
    every = scored_tokens(gold, predicted, sentences, **options)
    for name, value in zip(every.names, every.values()[0], strict=True):
        if name in whole:
            assert value == pytest.approx(whole[name], abs=1e-9)


@settings(deadline=None)
@given(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2)), min_size=1, max_size=8), st.integers(0, 99))
def test_tables_in_which_classes_or_pairs_are_missing_are_scored_by_the_same_definitions(labels, seed):
    gold, predicted = (np.array(column) for column in zip(*labels, strict=True))
    sentences = np.arange(len(gold))
    drawn, times = draws(len(gold), 5, seed)
    found = scored_tokens(gold, predicted, sentences, PLAIN).values(times)
    np.testing.assert_allclose(found, brute_force(gold, predicted, sentences, drawn), rtol=1e-9, atol=1e-9)


def test_equal_pairs_are_matched_in_the_order_of_their_names():
    rng = np.random.default_rng(8)
    gold, predicted = rng.choice(["zeta", "a", "10", "9"], 24), rng.choice([10, 9, 100, 2], 24)
    sentences = np.repeat(np.arange(8), 3)
    drawn, times = draws(8, 40, 1)
    found = scored_tokens(gold, predicted, sentences, PLAIN, assignment="greedy").values(times)
    expected = brute_force(gold, predicted, sentences, drawn, assignment="greedy")
    np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-9)


@settings(deadline=None, max_examples=30)
@given(st.integers(2, 12), st.integers(0, 999))
def test_values_without_a_sentence_are_those_of_the_other_sentences(n_sentences, seed):
    gold, predicted, sentences = corpus(seed, n_sentences)
    without = scored_tokens(gold, predicted, sentences, JACKKNIFED).left_out()
    for place, sentence in enumerate(np.unique(sentences)):
        kept = sentences != sentence
        expected = scored(gold[kept], predicted[kept])
        for name in JACKKNIFED:
            assert without[name][place] == pytest.approx(expected[name], abs=1e-9), name


def test_cross_validation_in_a_resample_keeps_each_sentence_in_its_part():
    gold, predicted, sentences = corpus(5, 12)
    drawn, times = draws(12, 15, 3)
    found = scored_tokens(gold, predicted, sentences, ["cross-validated many-to-one"], folds=3)
    for row, units in zip(found.values(times)[:, 0], drawn, strict=True):
        part = np.sort(units)  # part by part, as many sentences as were drawn of each
        right = total = 0
        for fold in range(3):
            own, other = ([u for u in part if (u * 3 // 12 == fold) == inside] for inside in (True, False))
            read = [np.flatnonzero(sentences == 3 * u) for u in other]
            learnt = np.concatenate(read) if read else np.zeros(0, dtype=int)
            for unit in own:
                for token in np.flatnonzero(sentences == 3 * unit):
                    tags = gold[learnt[predicted[learnt] == predicted[token]]].tolist()
                    right += bool(tags) and max(sorted(set(tags)), key=tags.count) == gold[token]
                    total += 1
        assert row == pytest.approx(right / total)
    whole = cross_validated_many_to_one(gold, predicted, sentences, folds=3)
    assert found.values()[0, 0] == pytest.approx(float(whole))


def test_a_cluster_that_no_mapping_reads_is_wrong_in_mappings_only():
    gold, predicted, sentences = ["N", "N", "N", "V"], ["none", "none", "none", "b"], [0, 0, 1, 1]
    names = ["many-to-one", "one-to-one", "V"]
    plain, unread = (scored_tokens(gold, predicted, sentences, names, unread=cluster) for cluster in (None, "none"))
    assert plain.values()[0].tolist()[:2] == [1.0, 1.0] and unread.values()[0].tolist()[:2] == [0.25, 0.25]
    assert plain.values()[0, 2] == unread.values()[0, 2]


def test_the_jackknife_centres_entropies_on_the_value_of_the_population():
    # the population is independent: VI is H(C) + H(K) = 4 bits, and the plug-in value of a sample lies far below
    rng = np.random.default_rng(1)
    gold, predicted = rng.integers(0, 4, 400), rng.integers(0, 4, 400)
    (row,) = estimates(scored_tokens(gold, predicted, np.arange(400) // 4, ["VI"]))
    assert row.value < 3.99 and abs(row.corrected - 4) < abs(row.value - 4) and row.lower < 4 < row.upper
    (few,) = estimates(scored_tokens(gold[:60], predicted[:60], np.arange(60) // 4, ["H(C|K)"]))
    assert few.note.startswith("bias exceeds spread: 15 sentences are few for so many cells")
    gold, predicted = rng.integers(0, 2, 8000), rng.integers(0, 2, 8000)
    (many,) = estimates(scored_tokens(gold, (gold + (predicted & 1)) % 3, np.arange(8000) // 4, ["H(C|K)"]))
    assert abs(many.corrected - many.value) < many.upper - many.lower and many.note == ""


def test_sentences_need_not_stand_together_and_names_carry_no_meaning():
    gold, predicted, sentences = corpus(4, 20)
    order = np.random.default_rng(0).permutation(len(gold))
    plain = estimates(scored_tokens(gold, predicted, sentences, PLAIN[:-1]), resamples=30)
    mixed = estimates(scored_tokens(gold[order], 9 - predicted[order], sentences[order], PLAIN[:-1]), resamples=30)
    assert np.array([row[2:6] for row in mixed]) == pytest.approx(np.array([row[2:6] for row in plain]), nan_ok=True)


def test_the_digest_tells_gold_standards_apart_whatever_the_clusters_are():
    gold, predicted, sentences = corpus(6, 9)
    data = scored_tokens(gold, predicted, sentences).data
    assert scored_tokens(gold.astype(str), predicted[::-1], sentences).data == data
    assert scored_tokens(gold, predicted, sentences // 6).data != data
    assert scored_tokens((gold + 1) % 4, predicted, sentences).data != data


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"measures": ["F"]}, "measures must be a list of some of many-to-one"),
        ({"measures": "V"}, "measures must be a list"),
        ({"base": 1}, "base of a logarithm"),
        ({"assignment": "best"}, "assignment is 'best'"),
        ({"sentences": [0]}, "2 tokens and 1 sentence numbers"),
        ({"gold": [], "predicted": [], "sentences": []}, "there is no token"),
        ({"gold": ["N", None]}, "gold"),
    ],
    ids=str,
)
def test_wrong_input_is_refused(change, message):
    arguments = {"gold": ["N", "V"], "predicted": [1, 2], "sentences": [0, 1]} | change
    with pytest.raises(ValueError, match=message):
        scored_tokens(**arguments)
