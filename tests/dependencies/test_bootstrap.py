import numpy as np
import pandas as pd
import pytest

from analysis.dependencies import attachment_scores, bootstrap_intervals, compare_pairs, paired_bootstrap
from tests.dependencies.trees import table


def counts(right, scored=None):
    right = np.asarray(right)
    size = np.full(len(right), 4) if scored is None else scored
    return pd.DataFrame({"sentence": np.arange(len(right)), "scored": size, "directed": right})


def test_the_interval_has_the_width_that_the_normal_approximation_gives():
    rng = np.random.default_rng(0)
    a, b = rng.binomial(4, 0.6, 4000), rng.binomial(4, 0.5, 4000)
    result = paired_bootstrap(counts(a), counts(b), resamples=2000, random_state=3)
    per_sentence = (a - b) / 4
    error = per_sentence.std() / np.sqrt(4000)
    assert result.difference == pytest.approx(per_sentence.mean())
    assert result.upper - result.lower == pytest.approx(2 * 1.96 * error, rel=0.06)
    assert result.opposite == 0


def test_counts_are_summed_before_they_are_divided():
    result = paired_bootstrap(counts([1, 9], [1, 9]), counts([0, 9], [1, 9]), random_state=0)
    assert result.difference == pytest.approx(0.1)


def test_drawing_is_paired():
    # The systems differ by exactly 1 in 4 in every sentence, however hard the sentence is.
    hard = np.random.default_rng(1).integers(1, 5, 200)
    result = paired_bootstrap(counts(hard), counts(hard - 1), random_state=0)
    assert (result.lower, result.upper) == pytest.approx((0.25, 0.25))


def test_two_equal_systems_differ_by_nothing_in_every_resample():
    result = paired_bootstrap(counts([1, 2, 3]), counts([1, 2, 3]))
    assert (result.difference, result.opposite) == (0, 1)


def test_a_difference_of_noise_changes_its_sign_often():
    rng = np.random.default_rng(4)
    right = rng.binomial(4, 0.5, 400)
    other = right + rng.permutation(np.repeat([-1, 0, 1], [133, 133, 134])) * (right > 0) * (right < 4)
    result = paired_bootstrap(counts(right), counts(other), random_state=0)
    assert result.opposite > 0.1


def test_a_seed_gives_the_same_interval_and_global_state_none():
    a, b = counts([1, 2, 3, 0] * 5), counts([2, 2, 1, 1] * 5)
    assert paired_bootstrap(a, b, random_state=7) == paired_bootstrap(a, b, random_state=7)
    assert paired_bootstrap(a, b, random_state=7) != paired_bootstrap(a, b, random_state=8)


def test_scores_can_be_given_as_they_are_for_each_measure():
    gold = table([0, 1, 2], [0, 1])
    a, b = (attachment_scores(gold, heads, punctuation=True) for heads in ([0, 1, 2, 0, 1], [0, 1, 1, 2, 0]))
    for measure, difference in (("directed", 3 / 5), ("undirected", 2 / 5), ("NED", 0)):
        assert paired_bootstrap(a, b, measure).difference == pytest.approx(difference)
    assert bootstrap_intervals(b)["value"].tolist() == [0.4, 0.6, 1.0]


def test_intervals_of_one_system_contain_its_value():
    frame = bootstrap_intervals(counts([1, 2, 3, 4] * 20), ("directed",), random_state=0)
    assert frame["lower"][0] < frame["value"][0] == 10 / 16 < frame["upper"][0]


def test_what_cannot_be_compared_is_refused():
    with pytest.raises(ValueError, match="the same sentences"):
        paired_bootstrap(counts([1]), counts([1, 1]))
    with pytest.raises(ValueError, match="counts lacks the column 'NED'"):
        paired_bootstrap(counts([1]), counts([1]), "NED")
    with pytest.raises(ValueError, match="nothing is scored"):
        paired_bootstrap(counts([0], [0]), counts([0], [0]))
    with pytest.raises(ValueError, match="confidence"):
        paired_bootstrap(counts([0]), counts([0]), confidence=95)
    with pytest.raises(ValueError, match="resamples"):
        bootstrap_intervals(counts([0]), ("directed",), resamples=0)


def test_pairs_of_systems_are_listed_with_the_better_first():
    systems = {"a": counts([1, 1]), "b": counts([2, 2]), "c": counts([4, 4])}
    found = compare_pairs(systems)
    assert found[["better", "worse"]].to_numpy().tolist() == [["b", "a"], ["c", "a"], ["c", "b"]]
    assert (found["difference"] > 0).all()
    assert compare_pairs({"a": counts([1])}).empty


def test_systems_compared_together_have_the_intervals_of_each_pair_by_itself():
    rng = np.random.default_rng(4)
    systems = {
        name: pd.DataFrame({"sentence": range(60), "scored": 5, "directed": rng.integers(low, 6, 60)})
        for name, low in (("a", 0), ("b", 2), ("c", 1))
    }
    found = compare_pairs(systems, resamples=100, random_state=3)
    assert len(found) == 3
    for row in found.itertuples():
        alone = paired_bootstrap(systems[row.better], systems[row.worse], resamples=100, random_state=3)
        assert (row.difference, row.lower, row.upper, row.opposite) == (
            alone.difference, alone.lower, alone.upper, alone.opposite,
        )  # fmt: skip
        assert row.difference >= 0
