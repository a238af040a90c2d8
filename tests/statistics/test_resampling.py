import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis.statistics.differences import compare_scored, sign_flips
from analysis.statistics.intervals import bootstrap_means
from analysis.statistics.power import power_of_difference
from analysis.statistics.resampling import (
    check_resampling,
    count_draws,
    draw_units,
    paired_difference,
    percentile_interval,
    resampled_ratios,
)
from analysis.statistics.scored import Measure, ScoredRatios, estimates
from analysis.statistics.specification_curves import curve_test


@settings(deadline=None)
@given(st.integers(1, 30), st.integers(1, 20), st.integers(1, 25), st.integers(0, 99))
def test_the_same_units_are_drawn_whatever_the_block(n, resamples, block, seed):
    generator = np.random.default_rng(seed)
    expected = [generator.integers(0, n, n).tolist() for _ in range(resamples)]
    blocks = list(draw_units(n, resamples, seed, block=block))
    assert max(map(len, blocks)) <= block
    assert np.concatenate(blocks).tolist() == expected
    times = np.concatenate(list(count_draws(n, resamples, seed, block=block)))
    assert times.tolist() == [[row.count(unit) for unit in range(n)] for row in expected]


def test_a_generator_goes_on_where_it_was():
    generator = np.random.default_rng(4)
    two = [np.concatenate(list(draw_units(5, 3, generator))) for _ in range(2)]
    assert np.concatenate(two).tolist() == np.concatenate(list(draw_units(5, 6, 4))).tolist()


def test_every_unit_is_drawn_as_often_as_any_other():
    times = np.concatenate(list(count_draws(4, 20_000, 1)))
    assert (times.sum(axis=1) == 4).all()
    assert times.mean(axis=0) == pytest.approx(np.ones(4), abs=0.03)
    assert times.var(axis=0) == pytest.approx(np.full(4, 0.75), abs=0.03)  # binomial: 4 draws, each with p = 1/4


def test_counts_are_summed_over_a_resample_before_they_are_divided():
    right, all_ = np.array([[1, 0], [2, 5], [0, 1]]), np.array([[2, 0], [2, 9], [7, 3]])
    expected = [
        [sum(right[unit, 0] for unit in row) / sum(all_[unit, 0] for unit in row) for row in units]
        for units in draw_units(3, 40, 8)
    ]
    found = resampled_ratios(right, all_, 40, 8)
    assert found[:, 0].tolist() == expected[0]
    assert np.isnan(found[:, 1]).sum() == sum(set(row) == {0} for row in next(draw_units(3, 40, 8)).tolist())


def test_an_interval_leaves_out_what_is_undefined_and_says_how_much_is_left():
    values = np.array([np.nan, 4.0, np.inf, 0.0, 1.0, 2.0, 3.0])
    assert percentile_interval(values, 0.5) == (1.0, 3.0, 5)
    lower, upper, resamples = percentile_interval(np.array([np.nan]))
    assert np.isnan([lower, upper]).all() and resamples == 0


def test_a_difference_is_opposite_where_it_is_zero_or_has_the_other_sign():
    first, second = np.array([3.0, 1.0, 0.0, np.nan]), np.array([1.0, 1.0, 1.0, 0.0])
    assert paired_difference(first, second, 0.5).opposite == pytest.approx(2 / 3)
    assert paired_difference(second, first, -0.5).opposite == pytest.approx(2 / 3)
    assert paired_difference(second, first, 0.5).opposite == pytest.approx(2 / 3)
    assert paired_difference(first, second, 0.5).resamples == 3
    assert np.isnan(paired_difference(first, second, np.nan).opposite), "no sign that it could be opposite to"


@pytest.mark.parametrize(
    ("resamples", "confidence", "message"),
    [
        (1, 0.95, "resamples is 1; it must be at least 2"),
        (2, 95, "between 0 and 1, not 95"),
        (2, 0, "not 0"),
        (2, 1, "not 1"),
    ],
)
def test_numbers_out_of_range_are_refused(resamples, confidence, message):
    with pytest.raises(ValueError, match=message):
        check_resampling(resamples, confidence)


SCORED = ScoredRatios("trees", (Measure("UAS"),), np.arange(12).reshape(-1, 1) % 4, np.full((12, 1), 4))
OTHER = ScoredRatios("trees", (Measure("UAS"),), np.arange(12).reshape(-1, 1) % 3, np.full((12, 1), 4))
RESAMPLED = {
    "estimates": lambda resamples: estimates(SCORED, resamples=resamples),
    "compare_scored": lambda resamples: compare_scored({"a": SCORED, "b": OTHER}, resamples=resamples),
    "sign_flips": lambda resamples: sign_flips(SCORED, OTHER, "UAS", resamples),
    "power": lambda resamples: power_of_difference(SCORED, OTHER, "UAS", [12], resamples=resamples),
    "means": lambda resamples: bootstrap_means(
        pd.DataFrame({"k": [1, 1], "value": [1.0, 2.0]}), ["k"], "value", resamples=resamples
    ),
    "curve_test": lambda resamples: curve_test(np.arange(12.0).reshape(4, 3), resamples=resamples),
}


@pytest.mark.parametrize("name", RESAMPLED)
def test_no_function_takes_one_resample(name):
    with pytest.raises(ValueError, match="resamples is 1; it must be at least 2"):
        RESAMPLED[name](1)
    RESAMPLED[name](2)
