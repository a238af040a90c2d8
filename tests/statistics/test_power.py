"""Power against formulas and against tests that are run."""

import math
from statistics import NormalDist

import numpy as np
import pytest

from analysis.statistics.differences import mcnemar
from analysis.statistics.power import power_of_difference, power_of_seeds, units_needed
from analysis.statistics.scored import Measure, ScoredRatios

ONLY_FIRST, ONLY_SECOND, ITEMS = 240, 160, 2000  # discordant items: shares .12 and .08
NORMAL = NormalDist()


def items(right):
    column = np.asarray(right, dtype=np.int64)[:, None]
    return ScoredRatios("inflections", (Measure("accuracy", method="wilson"),), column, np.ones_like(column), "item")


def pair():
    both = (ITEMS - ONLY_FIRST - ONLY_SECOND) // 2
    sizes = [ONLY_FIRST, ONLY_SECOND, both, ITEMS - ONLY_FIRST - ONLY_SECOND - both]
    return np.repeat([1, 0, 1, 0], sizes), np.repeat([0, 1, 1, 0], sizes)


def formula(n, difference):
    """Power of the paired z test of two shares (Connor 1987, without continuity)."""
    own = (ONLY_FIRST - ONLY_SECOND) / ITEMS
    error = math.sqrt(((ONLY_FIRST + ONLY_SECOND) / ITEMS - own**2) / n)
    bound = NORMAL.inv_cdf(0.975)
    return 1 - NORMAL.cdf(bound - difference / error) + NORMAL.cdf(-bound - difference / error)


@pytest.mark.parametrize("difference", [None, 0.02, 0.06, -0.04])
def test_power_of_independent_items_is_that_of_the_paired_z_test(difference):
    first, second = map(items, pair())
    table = power_of_difference(first, second, "accuracy", [300, 1000, 4000], difference=difference, resamples=4000)
    wanted = 0.04 if difference is None else difference
    for row in table.itertuples():
        assert row.difference == pytest.approx(wanted)
        assert row.power == pytest.approx(formula(row.n, abs(wanted)), abs=0.04)
        assert row.lower <= row.power <= row.upper


def test_power_is_how_often_mcnemars_test_rejects():
    first, second = pair()
    rng = np.random.default_rng(1)
    rejected = 0
    for _ in range(500):
        drawn = rng.integers(0, ITEMS, 1000)
        rejected += mcnemar(first[drawn], second[drawn]) < 0.05
    (found,) = power_of_difference(items(first), items(second), "accuracy", [1000], resamples=2000)["power"]
    assert rejected / 500 == pytest.approx(found, abs=0.08)  # the exact test is somewhat conservative


def test_without_a_difference_the_power_is_the_level():
    first, second = map(items, pair())
    table = power_of_difference(first, second, "accuracy", [500], difference=0.0, resamples=4000, confidence=0.9)
    assert table["power"].iloc[0] == pytest.approx(0.1, abs=0.02)


def test_equal_systems_have_no_power_and_no_spread():
    first, _ = map(items, pair())
    row = power_of_difference(first, first, "accuracy", [500], resamples=100).iloc[0]
    assert (row["power"], row["se"]) == (0, 0)


def test_the_same_seed_gives_the_same_table_and_a_measure_of_clusterings_has_power():
    from analysis.categories import scored_tokens

    rng = np.random.default_rng(0)
    gold, sentences = rng.integers(0, 3, 600), np.arange(600) // 4
    noisy = [np.where(rng.random(600) < share, gold, rng.integers(0, 3, 600)) for share in (0.9, 0.5)]
    first, second = (scored_tokens(gold, clusters, sentences, ["V"]) for clusters in noisy)
    one, two = (power_of_difference(first, second, "V", [20, 600], resamples=200, random_state=3) for _ in range(2))
    assert one.equals(two) and one["unit"].eq("sentence").all()
    assert one["power"].iloc[1] > 0.99


def test_seeds_have_the_power_of_cohens_tables():
    # Cohen (1988), Table 2.3.5, two-sided .05: n = 26 for d = .80, 64 for .50, 17 for 1.00 have power .80
    for n, effect in ((26, 0.8), (64, 0.5), (17, 1.0)):
        assert power_of_seeds((2.0, 2.0), 2 * effect, [n])["power"].iloc[0] == pytest.approx(0.8, abs=0.015)


def test_seeds_have_the_power_of_welchs_test_that_is_run():
    from scipy.stats import ttest_ind

    rng = np.random.default_rng(5)
    a, b = rng.normal(0, 1, (2000, 8)), rng.normal(2, 2, (2000, 8))
    rejected = (ttest_ind(a, b, axis=1, equal_var=False).pvalue < 0.05).mean()
    assert power_of_seeds((1, 2), 2, [8])["power"].iloc[0] == pytest.approx(rejected, abs=0.03)


def test_the_units_needed_lie_between_the_sizes_of_the_table():
    table = power_of_seeds((1, 1), 1, [5, 10, 20, 40])
    needed = units_needed(table)
    assert 10 < needed < 20
    assert math.isnan(units_needed(table.head(1))) and units_needed(table.tail(1)) == 40


@pytest.mark.parametrize("wrong", [[], [0], [-3]])
def test_sizes_that_are_none_are_refused(wrong):
    first, second = map(items, pair())
    with pytest.raises(ValueError, match="sizes are numbers from 1"):
        power_of_difference(first, second, "accuracy", wrong)


def test_other_units_and_spreads_of_0_are_refused():
    first, _ = map(items, pair())
    with pytest.raises(ValueError, match="same units"):
        power_of_difference(first, items([1, 0]), "accuracy", [10])
    with pytest.raises(ValueError, match="above 0"):
        power_of_seeds((0, 1), 1, [5])
    with pytest.raises(ValueError, match="power is between"):
        units_needed(power_of_seeds((1, 1), 1, [5]), 1.0)
