from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics.cluster import contingency_matrix, pair_confusion_matrix

from analysis.categories.contingency import contingency
from analysis.categories.token_measures import many_to_one, pairwise_precision_recall

PAIRS = st.lists(st.tuples(st.sampled_from("NVADP"), st.integers(0, 5)), min_size=1, max_size=40)


def sides(pairs):
    gold, predicted = zip(*pairs, strict=True)
    return list(gold), list(predicted)


def counts(result):
    return result.matched, result.predicted, result.gold


def test_each_cluster_is_read_as_its_most_frequent_class():
    # cluster 1: N N V, read as N; cluster 2: V; cluster 3: N V, either way one of two
    gold, predicted = ["N", "N", "V", "V", "N", "V"], [1, 1, 1, 2, 3, 3]
    score = many_to_one(gold, predicted)
    assert (score.numerator, score.denominator) == (4, 6)
    assert float(score) == 4 / 6
    assert score.parts == {"classes": 2, "clusters": 3}


@given(PAIRS)
def test_pairs_are_those_found_by_going_through_all(pairs):
    gold, predicted = sides(pairs)
    in_class = {pair for pair in combinations(range(len(gold)), 2) if gold[pair[0]] == gold[pair[1]]}
    in_cluster = {pair for pair in combinations(range(len(gold)), 2) if predicted[pair[0]] == predicted[pair[1]]}
    expected = (len(in_class & in_cluster), len(in_cluster), len(in_class))
    assert counts(pairwise_precision_recall(gold, predicted)) == expected


@given(PAIRS)
def test_both_measures_agree_with_scikit_learn(pairs):
    gold, predicted = sides(pairs)
    (_, false_positive), (false_negative, true_positive) = pair_confusion_matrix(gold, predicted) // 2
    expected = (true_positive, true_positive + false_positive, true_positive + false_negative)
    assert counts(pairwise_precision_recall(gold, predicted)) == expected
    assert many_to_one(gold, predicted).numerator == contingency_matrix(gold, predicted).max(axis=0).sum()


@given(PAIRS, st.permutations(range(6)), st.permutations("NVADP"))
def test_renaming_classes_and_clusters_changes_nothing(pairs, clusters, classes):
    gold, predicted = sides(pairs)
    renamed = ([dict(zip("NVADP", classes, strict=True))[label] for label in gold], [clusters[k] for k in predicted])
    assert many_to_one(*renamed) == many_to_one(gold, predicted)
    assert pairwise_precision_recall(*renamed) == pairwise_precision_recall(gold, predicted)


@given(PAIRS)
def test_values_lie_between_zero_and_one(pairs):
    gold, predicted = sides(pairs)
    result = pairwise_precision_recall(gold, predicted)
    assert 0 < float(many_to_one(gold, predicted)) <= 1
    assert all(value is None or 0 <= value <= 1 for value in (result.precision, result.recall, result.f1))


@given(PAIRS)
def test_precision_and_recall_change_places_with_gold_and_predicted(pairs):
    gold, predicted = sides(pairs)
    result, exchanged = pairwise_precision_recall(gold, predicted), pairwise_precision_recall(predicted, gold)
    assert (result.precision, result.recall) == (exchanged.recall, exchanged.precision)


@given(PAIRS, st.data())
def test_splitting_clusters_never_lowers_many_to_one(pairs, data):
    gold, predicted = sides(pairs)
    halves = data.draw(st.lists(st.booleans(), min_size=len(gold), max_size=len(gold)))
    split = [10 * cluster + half for cluster, half in zip(predicted, halves, strict=True)]
    assert many_to_one(gold, split).numerator >= many_to_one(gold, predicted).numerator


@given(PAIRS)
def test_a_clustering_agrees_perfectly_with_itself(pairs):
    _, labels = sides(pairs)
    assert float(many_to_one(labels, labels)) == 1
    result = pairwise_precision_recall(labels, labels)
    assert result.matched == result.predicted == result.gold


def test_with_one_class_everything_but_recall_is_perfect():
    result = pairwise_precision_recall(["N"] * 4, [1, 1, 2, 2])
    assert float(many_to_one(["N"] * 4, [1, 1, 2, 2])) == 1
    assert counts(result) == (2, 2, 6)


def test_one_cluster_scores_the_share_of_the_largest_class():
    assert many_to_one(["N", "N", "V", "V", "V"], [1] * 5).numerator == 3
    assert counts(pairwise_precision_recall(["N", "N", "V", "V", "V"], [1] * 5)) == (4, 10, 4)


def test_singletons_have_no_pairs_so_precision_is_undefined():
    gold = ["N", "N", "V"]
    result = pairwise_precision_recall(gold, [1, 2, 3])
    assert float(many_to_one(gold, [1, 2, 3])) == 1
    assert (result.precision, result.recall, result.f1) == (None, 0.0, None)
    assert pairwise_precision_recall(["N"], ["a"]).recall is None


def test_ten_million_tokens_in_one_class_do_not_overflow():
    labels = np.zeros(10**7, dtype=np.int8)
    result = pairwise_precision_recall(labels, labels)
    assert counts(result) == (49_999_995_000_000,) * 3
    assert many_to_one(labels, labels).numerator == 10**7


def test_one_table_serves_both_measures():
    gold, predicted = ["N", "V", "N"], pd.Categorical(["x", "x", "y"])
    table = contingency(gold, predicted)
    assert many_to_one(table) == many_to_one(gold, predicted)
    assert pairwise_precision_recall(table) == pairwise_precision_recall(gold, predicted)


@pytest.mark.parametrize("measure", [many_to_one, pairwise_precision_recall])
def test_no_token_and_missing_labels_are_refused(measure):
    with pytest.raises(ValueError, match="no token"):
        measure([], [])
    with pytest.raises(ValueError, match="missing labels"):
        measure(["N", None], [1, 2])
