import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.proportion import proportion_confint

from analysis.statistics.intervals import bootstrap_means, wilson


@given(st.integers(1, 5000).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))), st.floats(0.5, 0.999))
def test_wilson_is_the_interval_of_statsmodels(pair, confidence):
    k, n = pair
    ours = wilson([k], [n], confidence=confidence).iloc[0]
    theirs = proportion_confint(k, n, 1 - confidence, method="wilson")
    assert ours["lower"] == pytest.approx(theirs[0], abs=1e-9) and ours["upper"] == pytest.approx(theirs[1], abs=1e-9)


def test_wilson_at_the_limits():
    table = wilson([0, 5, 0], [5, 5, 0])
    assert table["lower"][0] == 0 and table["upper"][1] == 1
    assert table.loc[2].isna().all(), "no trial, no value"


def test_wilson_refuses_impossible_counts():
    for k, n in ((3, 2), (-1, 2)):
        with pytest.raises(ValueError, match="from 0 to"):
            wilson([k], [n])
    with pytest.raises(ValueError, match="confidence"):
        wilson([1], [2], confidence=1.0)


def test_the_bootstrap_is_close_to_scipys_and_the_same_for_the_same_seed():
    values = np.random.default_rng(1).normal(60, 5, 40)
    table = pd.DataFrame({"model": "A", "accuracy": values})
    ours = bootstrap_means(table, ["model"], "accuracy", resamples=20_000, random_state=0).iloc[0]
    theirs = stats.bootstrap((values,), np.mean, n_resamples=20_000, method="percentile", rng=3).confidence_interval
    assert ours["lower"] == pytest.approx(theirs.low, abs=0.1) and ours["upper"] == pytest.approx(theirs.high, abs=0.1)
    again = bootstrap_means(table, ["model"], "accuracy", resamples=20_000, random_state=0).iloc[0]
    assert again.equals(ours)


def test_groups_of_different_sizes_are_each_resampled_from_their_own():
    table = pd.DataFrame({"g": list("aaabbc"), "x": [1.0, 1.0, 1.0, 5.0, 7.0, 9.0]})
    result = bootstrap_means(table, ["g"], "x", random_state=0).set_index("g")
    assert result.loc["a", ["value", "lower", "upper"]].tolist() == [1, 1, 1]
    assert 5 <= result.loc["b", "lower"] <= 6 <= result.loc["b", "upper"] <= 7
    assert np.isnan(result.loc["c", "lower"]) and result.loc["c", "value"] == 9 and result["n"].tolist() == [3, 2, 1]


def test_missing_values_are_refused():
    with pytest.raises(ValueError, match="no missing ones"):
        bootstrap_means(pd.DataFrame({"g": ["a"], "x": [np.nan]}), ["g"], "x")


def test_wilson_begins_at_0_without_a_success_and_ends_at_1_without_a_failure():
    trials = np.arange(1, 500)
    assert (wilson(np.zeros_like(trials), trials)["lower"] == 0).all()
    assert (wilson(trials, trials)["upper"] == 1).all()


def test_groups_are_drawn_independently():
    runs = pd.DataFrame({"size": [100] * 6 + [200] * 6, "accuracy": [*range(6), *range(6)]})
    one, two = bootstrap_means(runs.astype({"accuracy": float}), ["size"], "accuracy", resamples=50)[
        ["lower", "upper"]
    ].to_numpy()
    assert one.tolist() != two.tolist()
