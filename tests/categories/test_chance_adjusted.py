"""ARI and AMI against scikit-learn, cross-validated many-to-one against a plain count, accuracy of tags."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.categories import (
    adjusted_mutual_information,
    adjusted_rand_index,
    contingency,
    cross_validated_many_to_one,
    many_to_one,
    tagging_accuracy,
)
from analysis.categories.chance_adjusted import expected_mutual_information

pairs = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 4)), min_size=1, max_size=40)


@given(pairs)
def test_chance_adjusted_scores_are_those_of_scikit_learn(labels):
    from sklearn.metrics import adjusted_mutual_info_score, adjusted_rand_score

    gold, predicted = zip(*labels, strict=True)
    assert float(adjusted_rand_index(gold, predicted)) == pytest.approx(adjusted_rand_score(gold, predicted), abs=1e-12)
    theirs = adjusted_mutual_info_score(gold, predicted)
    assert float(adjusted_mutual_information(gold, predicted)) == pytest.approx(theirs, abs=1e-9)


def test_large_tables_with_a_long_tail_are_adjusted_as_in_scikit_learn():
    from sklearn.metrics import adjusted_mutual_info_score

    rng = np.random.default_rng(3)
    gold, predicted = rng.zipf(1.5, 20_000) % 50, rng.zipf(1.2, 20_000) % 900
    ours = float(adjusted_mutual_information(gold, predicted))
    assert ours == pytest.approx(adjusted_mutual_info_score(gold, predicted), abs=1e-10)


def test_expected_information_is_the_mean_over_shuffled_clusters():
    rng = np.random.default_rng(0)
    gold, predicted = np.repeat([0, 1, 2], [5, 3, 4]), np.repeat([0, 1], [4, 8])
    drawn = []
    for _ in range(4000):
        cells = contingency(gold, rng.permutation(predicted))
        shares = cells.counts.toarray() / 12
        outer = np.outer(shares.sum(axis=1), shares.sum(axis=0))
        drawn.append((shares[shares > 0] * np.log(shares[shares > 0] / outer[shares > 0])).sum())
    expected = expected_mutual_information(np.array([5, 3, 4]), np.array([4, 8]))
    assert expected == pytest.approx(np.mean(drawn), abs=4 * np.std(drawn) / np.sqrt(4000))


@given(
    st.lists(st.tuples(st.sampled_from("NVD"), st.integers(0, 2), st.integers(0, 5)), min_size=6, max_size=40),
    st.sampled_from([2, 3]),
)
def test_cross_validation_reads_each_part_by_the_other_parts(rows, folds):
    gold, predicted, sentences = (list(column) for column in zip(*rows, strict=True))
    order = sorted(set(sentences))
    if len(order) < folds:
        with pytest.raises(ValueError, match="at most this many folds"):
            cross_validated_many_to_one(gold, predicted, sentences, folds=folds)
        return
    fold = {sentence: place * folds // len(order) for place, sentence in enumerate(order)}
    right = 0
    for tag, cluster, sentence in rows:
        others = [one for one, k, s in rows if k == cluster and fold[s] != fold[sentence]]
        right += bool(others) and tag == max(sorted(set(others)), key=others.count)
    score = cross_validated_many_to_one(gold, predicted, sentences, folds=folds)
    assert (score.numerator, score.denominator) == (right, len(rows))


def test_a_cluster_for_each_token_is_perfect_only_where_the_mapping_is_not_cross_validated():
    gold, predicted, sentences = ["N", "V"] * 10, list(range(20)), [i // 2 for i in range(20)]
    assert float(many_to_one(gold, predicted)) == 1.0
    assert float(cross_validated_many_to_one(gold, predicted, sentences)) == 0.0


def test_tags_are_compared_by_name():
    assert tagging_accuracy(["1", "2", "3"], [1, 2, 2]).numerator == 2
    with pytest.raises(ValueError, match="one per token"):
        cross_validated_many_to_one(["N"], [1], [0, 1])
