import math
from collections import Counter

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import homogeneity_completeness_v_measure

from analysis.categories.contingency import contingency
from analysis.categories.information import (
    conditional_entropy_of_classes,
    conditional_entropy_of_clusters,
    entropies,
    normalised_variation_of_information,
    token_level_scores,
    v_measure,
    variation_of_information,
)

PAIRS = st.lists(st.tuples(st.sampled_from("NVADP"), st.integers(0, 5)), min_size=1, max_size=40)
MEASURES = [
    conditional_entropy_of_classes,
    conditional_entropy_of_clusters,
    v_measure,
    variation_of_information,
    normalised_variation_of_information,
]


def sides(pairs):
    gold, predicted = zip(*pairs, strict=True)
    return list(gold), list(predicted)


def surprise(labels, given=None, base=2):
    """Mean surprise of a label in a dictionary of counts, token by token."""
    given = given or [None] * len(labels)
    both, condition = Counter(zip(labels, given, strict=True)), Counter(given)
    return sum(-math.log(both[pair] / condition[pair[1]], base) for pair in zip(labels, given, strict=True)) / len(
        labels
    )


@given(PAIRS, st.sampled_from([2, math.e, 10]))
def test_entropies_are_mean_surprises_token_by_token(pairs, base):
    gold, predicted = sides(pairs)
    known = entropies(gold, predicted, base=base)
    assert known.classes == pytest.approx(surprise(gold, base=base), abs=1e-12)
    assert known.clusters == pytest.approx(surprise(predicted, base=base), abs=1e-12)
    assert known.classes_given_clusters == pytest.approx(surprise(gold, predicted, base), abs=1e-12)
    assert known.clusters_given_classes == pytest.approx(surprise(predicted, gold, base), abs=1e-12)


@given(PAIRS)
def test_measures_follow_from_mean_surprises(pairs):
    gold, predicted = sides(pairs)
    hc, hk, hck, hkc = surprise(gold), surprise(predicted), surprise(gold, predicted), surprise(predicted, gold)
    assert float(conditional_entropy_of_classes(gold, predicted)) == pytest.approx(hck, abs=1e-12)
    assert float(conditional_entropy_of_clusters(gold, predicted)) == pytest.approx(hkc, abs=1e-12)
    assert float(variation_of_information(gold, predicted)) == pytest.approx(hck + hkc, abs=1e-12)
    nvi = (hck + hkc) / hc if len(set(gold)) > 1 else hk
    assert float(normalised_variation_of_information(gold, predicted)) == pytest.approx(nvi, abs=1e-12)


@given(PAIRS)
def test_v_agrees_with_scikit_learn(pairs):
    gold, predicted = sides(pairs)
    score = v_measure(gold, predicted)
    expected = homogeneity_completeness_v_measure(gold, predicted)
    assert (score.parts["h"], score.parts["c"], float(score)) == pytest.approx(expected, abs=1e-9)


@given(PAIRS, st.permutations(range(6)), st.permutations("NVADP"))
@pytest.mark.parametrize("measure", MEASURES)
def test_renaming_classes_and_clusters_changes_nothing(measure, pairs, clusters, classes):
    gold, predicted = sides(pairs)
    renamed = ([dict(zip("NVADP", classes, strict=True))[c] for c in gold], [clusters[k] for k in predicted])
    assert float(measure(*renamed)) == pytest.approx(float(measure(gold, predicted)), abs=1e-12)


@given(PAIRS)
def test_vi_is_zero_for_a_clustering_and_itself_and_the_same_both_ways(pairs):
    gold, predicted = sides(pairs)
    assert float(variation_of_information(gold, gold)) == 0.0
    both_ways = float(variation_of_information(gold, predicted)), float(variation_of_information(predicted, gold))
    assert both_ways[0] == pytest.approx(both_ways[1], abs=1e-12)


@given(PAIRS)
def test_v_is_the_same_both_ways_and_lies_between_zero_and_one(pairs):
    gold, predicted = sides(pairs)
    value = float(v_measure(gold, predicted))
    assert 0 <= value <= 1
    assert float(v_measure(predicted, gold)) == pytest.approx(value, abs=1e-12)


@given(PAIRS)
def test_base_changes_entropies_by_a_factor_and_v_not_at_all(pairs):
    gold, predicted = sides(pairs)
    in_nats, in_bits = (
        float(variation_of_information(gold, predicted, base=math.e)),
        variation_of_information(gold, predicted),
    )
    assert float(in_bits) == pytest.approx(in_nats / math.log(2), abs=1e-12)
    assert in_bits.conventions == {"base": 2}
    assert float(v_measure(gold, predicted, base=math.e)) == pytest.approx(float(v_measure(gold, predicted)), abs=1e-12)


def test_with_one_class_it_is_homogeneous_and_nvi_is_the_entropy_of_clusters():
    gold, predicted = ["N"] * 4, [1, 1, 2, 2]
    score = v_measure(gold, predicted)
    assert (score.parts["h"], score.parts["c"], float(score)) == (1, 0, 0)
    assert float(normalised_variation_of_information(gold, predicted, base=math.e)) == pytest.approx(math.log(2))
    assert float(normalised_variation_of_information(gold, predicted)) == pytest.approx(1)
    assert float(conditional_entropy_of_classes(gold, predicted)) == 0


def test_with_one_cluster_it_is_complete_and_nothing_is_known_of_the_class():
    gold, predicted = ["N", "N", "V", "V"], [1] * 4
    score = v_measure(gold, predicted)
    assert (score.parts["h"], score.parts["c"], float(score)) == (0, 1, 0)
    assert float(conditional_entropy_of_classes(gold, predicted)) == pytest.approx(1)
    assert float(conditional_entropy_of_clusters(gold, predicted)) == 0
    assert float(normalised_variation_of_information(gold, predicted)) == pytest.approx(1)


def test_one_class_and_one_cluster_agree_perfectly():
    assert float(v_measure(["N"] * 5, [1] * 5)) == 1
    assert float(normalised_variation_of_information(["N"] * 5, [1] * 5)) == 0


def test_singletons_are_homogeneous_and_their_entropy_is_the_logarithm_of_their_number():
    gold, predicted = ["N", "N", "V", "V"], [1, 2, 3, 4]
    score = v_measure(gold, predicted)
    assert score.parts["h"] == 1
    assert score.parts["c"] == pytest.approx(0.5)  # H(K|C) = log 2, H(K) = log 4
    assert float(variation_of_information(gold, predicted)) == pytest.approx(1)


def test_independent_classes_and_clusters_take_the_worst_values():
    n = 5  # a uniform table: V = 0, NVI = 1 + log n / log n
    gold, predicted = np.repeat(np.arange(n), n), np.tile(np.arange(n), n)
    assert float(v_measure(gold, predicted)) == pytest.approx(0, abs=1e-12)
    assert float(normalised_variation_of_information(gold, predicted)) == pytest.approx(2)


def test_the_measures_have_no_counts_but_n_and_the_entropies():
    for measure in MEASURES:
        score = measure(["N", "V", "V"], [1, 1, 2])
        assert score.numerator is None and score.denominator is None
        assert {"n", "H(C)", "H(K)", "H(C|K)", "H(K|C)"} <= set(score.parts)
        assert score.parts["n"] == 3
        assert score.conventions == {"base": 2}
        assert measure(["N", "V", "V"], [1, 1, 2], base=math.e).conventions == {"base": "e"}


def test_all_token_measures_come_from_one_table():
    gold, predicted = list("NNVVA"), [1, 1, 1, 2, 2]
    scores = token_level_scores(contingency(gold, predicted))
    assert scores == token_level_scores(gold, predicted)
    assert [score.measure for score in scores] == ["many-to-one", "one-to-one", "NVI", "V", "H(C|K)", "H(K|C)", "VI"]
    assert scores[1].conventions == {"assignment": "optimal"}
    for score, measure in zip(scores[2:], [MEASURES[i] for i in (4, 2, 0, 1, 3)], strict=True):
        assert score == measure(gold, predicted)


def test_strings_integers_and_categories_give_the_same_and_na_and_null_are_labels():
    gold, predicted = ["NA", "null", "NA", "N"], [3, 3, 1, 1]
    expected = token_level_scores(gold, predicted)
    assert token_level_scores(pd.Categorical(gold), pd.Series(predicted, dtype="Int64")) == expected
    assert token_level_scores(np.array(gold), [str(k) for k in predicted]) == expected
    assert expected[0].parts["classes"] == 3


def test_ten_million_tokens_in_one_class_do_not_overflow():
    labels = np.zeros(10**7, dtype=np.int8)
    scores = {score.measure: float(score) for score in token_level_scores(labels, labels)}
    assert scores == {"many-to-one": 1, "one-to-one": 1, "NVI": 0, "V": 1, "H(C|K)": 0, "H(K|C)": 0, "VI": 0}


@pytest.mark.parametrize("measure", MEASURES)
def test_no_token_different_lengths_and_missing_labels_are_refused(measure):
    with pytest.raises(ValueError, match="no token"):
        measure([], [])
    with pytest.raises(ValueError, match="gold has 2 labels, predicted has 1"):
        measure(["N", "V"], [1])
    with pytest.raises(ValueError, match="missing labels"):
        measure(["N", None], [1, 2])


@pytest.mark.parametrize("base", [1, 0, -2, math.inf, math.nan])
def test_what_is_no_base_of_a_logarithm_is_refused(base):
    with pytest.raises(ValueError, match="base of a logarithm"):
        entropies(["N"], [1], base=base)
