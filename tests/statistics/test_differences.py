"""Comparisons of systems: exact tests by hand, paired intervals, runs, and Holm's correction."""

import math
from dataclasses import dataclass
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.statistics.differences import (
    BELOW_SEEDS,
    _two_levels,
    bootstrap_p,
    compare_scored,
    holm,
    mcnemar,
    paired_shares,
    sign_flips,
)
from analysis.statistics.scored import Measure, ScoredRatios, bootstrap_bounds, estimates, resampled_values


def trees(right, scored=4, measure="UAS", data="d"):
    right = np.asarray(right)[:, None]
    return ScoredRatios("trees", (Measure(measure),), right, np.full_like(right, scored), data=data)


def items(right):
    right = np.asarray(right)[:, None]
    return ScoredRatios("inflections", (Measure("accuracy", method="wilson"),), right, np.ones_like(right), "item")


@given(st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=9))
def test_mcnemar_counts_all_ways_in_which_discordant_items_could_have_fallen(pairs):
    first, second = (np.array(side, dtype=int) for side in zip(*pairs, strict=True))
    discordant = int((first != second).sum())
    gap = abs(int((first > second).sum()) - int((second > first).sum()))
    ways = [abs(sum(way)) >= gap for way in product([-1, 1], repeat=discordant)]
    assert mcnemar(first, second) == pytest.approx(sum(ways) / len(ways))


def test_sign_flips_agree_with_all_exchanges():
    first, second = trees([4, 3, 2, 4, 1]), trees([3, 3, 0, 2, 1])
    gaps = (first.numerators - second.numerators)[:, 0]
    exact = np.mean([abs(np.dot(signs, gaps)) >= abs(gaps.sum()) for signs in product([-1, 1], repeat=5)])
    assert sign_flips(first, second, "UAS", 20_000, 0) == pytest.approx(exact, abs=0.02)


@given(st.lists(st.one_of(st.floats(0, 1), st.just(math.nan)), max_size=6))
def test_holm_never_lowers_a_p_and_keeps_their_order(values):
    adjusted = holm(values)
    for p, corrected in zip(values, adjusted, strict=True):
        assert (math.isnan(p) and math.isnan(corrected)) or p <= corrected <= 1
    known = sorted((p, q) for p, q in zip(values, adjusted, strict=True) if not math.isnan(p))
    assert [q for _, q in known] == sorted(q for _, q in known)
    if known:
        assert known[0][1] == pytest.approx(min(1, len(known) * known[0][0]))


def test_differences_are_paired_by_unit():
    rng = np.random.default_rng(0)
    right = rng.integers(0, 4, 200)
    base, better = trees(right), trees(right + 1)
    scores, (row,) = compare_scored({"base": base, "better": better}, resamples=200)
    assert (row.difference, row.lower, row.upper) == pytest.approx((0.25, 0.25, 0.25))
    assert (row.system, row.baseline, row.better) == ("better", "base", "better")
    first, second = resampled_values([base, better], 200)
    assert (second - first) == pytest.approx(0.25)
    assert [one.lower for one in scores] == [estimates(one, resamples=200)[0].lower for one in (base, better)]


def test_items_are_compared_by_mcnemar_and_each_has_wilsons_interval():
    first, second = np.repeat([1, 1, 0, 0], [36, 2, 12, 0]), np.repeat([1, 0, 1, 0], [36, 2, 12, 0])
    scores, (row,) = compare_scored({"a": items(first), "b": items(second)})
    assert row.test == "McNemar, exact" and row.p == pytest.approx(mcnemar(second, first))
    assert (row.lower, row.upper) == pytest.approx((0.0569, 0.3404), abs=5e-5)  # Newcombe (1998), Table II
    assert [one.method for one in scores] == ["wilson", "wilson"]
    assert paired_shares(first, first) == pytest.approx((0, 0), abs=1e-12) or paired_shares(first, first)[0] < 0


def test_variation_over_runs_and_over_units_is_told_apart_and_together():
    rng = np.random.default_rng(1)
    easy = rng.integers(0, 3, 300)
    noisy = [trees(easy + (rng.random(300) < share)) for share in (0.1, 0.5, 0.9)]
    steady = [trees(easy + (rng.random(300) < 0.5)) for _ in range(3)]
    scores, (row,) = compare_scored({"noisy": noisy, "steady": steady}, resamples=500)
    first, second = scores
    assert first.runs == 3 and first.sd_runs > 3 * second.sd_runs
    assert first.sd_runs == pytest.approx(np.std([float(run.values()[0, 0]) for run in noisy], ddof=1))
    assert first.se_units < first.se_both < math.hypot(first.se_units, first.sd_runs / math.sqrt(3))
    assert row.note == BELOW_SEEDS and row.better == ""
    assert row.test == "bootstrap of runs and units" and row.lower < 0 < row.upper


@pytest.mark.parametrize("of_runs", [0.0, 0.06])
def test_the_error_of_runs_and_units_is_that_of_their_mean(of_runs):
    """Shares whose variances over runs, over units, and over both at once are known: each counts once."""
    rng = np.random.default_rng(3)
    runs, units, squares = 4, 100, []
    for _ in range(60):
        hardness, skill = rng.uniform(-0.2, 0.2, units), rng.normal(0, of_runs, runs)
        right = [rng.random((units, 4)) < 0.5 + hardness[:, None] + own for own in skill]
        (score,), _ = compare_scored({"a": [trees(own.sum(axis=1)) for own in right]}, resamples=100)
        squares.append(score.se_both**2)
    of_units = 0.4**2 / 12
    between = (0.25 - of_units - of_runs**2) / 4  # of four words in a sentence, given its hardness and the run's skill
    true = of_runs**2 / runs + of_units / units + between / (runs * units)
    assert np.mean(squares) == pytest.approx(true, rel=0.15)


def test_runs_that_differ_by_no_more_than_chance_add_nothing():
    rng = np.random.default_rng(4)
    same = trees(rng.integers(0, 4, 100))
    (score,), _ = compare_scored({"a": [same, same]}, resamples=100)
    assert score.se_both == pytest.approx(score.se_units) and score.sd_runs == 0


def test_a_jackknifed_measure_counts_runs_and_units_too():
    from analysis.categories import scored_tokens

    rng = np.random.default_rng(2)
    gold, sentences = rng.integers(0, 4, 1200), np.arange(1200) // 4

    def run(share):
        return scored_tokens(gold, np.where(rng.random(1200) < share, gold, rng.integers(0, 4, 1200)), sentences, ["V"])

    scores, (row,) = compare_scored({"a": [run(0.5), run(0.6)], "b": [run(0.9), run(0.9)]})
    both = math.hypot(scores[0].se_units, scores[0].sd_runs / math.sqrt(2))
    assert scores[0].se_units <= scores[0].se_both < both
    assert scores[0].lower < scores[0].corrected < scores[0].upper
    assert row.corrected > 0.1 and row.test == "jackknife t, runs and units"


@pytest.mark.parametrize(
    ("other", "message"),
    [
        (trees([1, 2], data="x"), "not scored on the same data"),
        (trees([1, 2, 3]), "2 sentences, data d; 3 sentences"),
        (items([1, 0]), "scored as trees, b as inflections"),
        (trees([1, 2], measure="LAS"), "measure"),
    ],
)
def test_systems_that_were_not_scored_alike_are_not_compared(other, message):
    with pytest.raises(ValueError, match=message):
        compare_scored({"a": trees([1, 2]), "b": other}, ["UAS"])


def test_choices_that_differ_are_named():
    one, two = trees([1, 2]), trees([1, 2])
    object.__setattr__(two, "choices", {"punctuation": "removed"})
    with pytest.raises(ValueError, match="punctuation is not the same: a has none, b has removed"):
        compare_scored({"a": one, "b": two})


def test_a_share_of_some_items_is_tested_on_these_and_not_where_each_system_has_its_own():
    some = np.array([1, 1, 1, 1, 1, 0, 0, 0])

    def share(right, items=some):
        return ScoredRatios("inflections", (Measure("V", method="wilson"),), np.array(right)[:, None] * items[:, None],
                            items[:, None], "item")  # fmt: skip

    first, second = share([0, 0, 0, 0, 1, 1, 1, 1]), share([1, 1, 1, 1, 1, 0, 0, 0])
    scores, (row,) = compare_scored({"a": first, "b": second})
    assert row.difference == pytest.approx(0.8) and row.p == pytest.approx(2 * 0.5**4)
    assert (row.lower, row.upper) == paired_shares(np.ones(5), np.array([0, 0, 0, 0, 1]))
    assert scores[0].se_units == pytest.approx(math.sqrt(0.2 * 0.8 / 5))
    with pytest.raises(ValueError, match="V is a share of other items for each system"):
        compare_scored({"a": first, "b": share([1] * 8, 1 - some)})
    assert math.isnan(compare_scored({"a": share([0] * 8, 0 * some), "b": share([0] * 8, 0 * some)})[1][0].p)


@dataclass
class Biased:
    """A measure with values that were computed without each unit."""

    value: float
    without: np.ndarray
    task, resampled, data, n = "tags", "sentence", "d", 11
    measures = (Measure("V", method="jackknife"),)

    def values(self, times=None):
        return np.array([[self.value]])

    def left_out(self):
        return {"V": self.without}

    def conventions(self, measure):
        return {}


def test_the_better_system_is_named_by_the_corrected_p():
    base, other = items([0] * 6 + [1] * 4), items([1] * 10)
    one = compare_scored({"a": base, "b": other})[1]
    three = compare_scored({"a": base, "b": other, "c": other, "d": other})[1]
    assert [row.better for row in one] == ["b"] and {row.p for row in three} == {2 * 0.5**6}
    assert {row.p_holm for row in three} == {6 * 0.5**6} and {row.better for row in three} == {""}


def test_the_sign_of_the_corrected_difference_decides():
    rng = np.random.default_rng(0).normal(0, 1e-3, 11)
    base, other = Biased(0.5, np.full(11, 0.5)), Biased(0.6, 0.63 + rng - rng.mean())
    (row,) = compare_scored({"a": base, "b": other})[1]
    assert row.difference > 0 > row.corrected and row.p < 0.001 and row.better == "a"


def test_degrees_of_freedom_of_two_levels_are_satterthwaites():
    assert _two_levels([(3.0, 4), (4.0, 9)]) == (5.0, pytest.approx(25**2 / (9**2 / 4 + 16**2 / 9)))
    assert _two_levels([(3.0, 4), (math.nan, 0)]) == (3.0, 4.0)


def test_sign_flips_take_number_and_seed():
    first, second = trees([4, 3, 2, 4, 1] * 4), trees([3, 3, 0, 4, 2] * 4)
    for resamples, seed in ((99, 0), (300, 5)):
        options = {"resamples": resamples, "random_state": seed}
        _, (row,) = compare_scored({"a": first, "b": second}, test="sign flips", **options)
        assert row.p == sign_flips(second, first, "UAS", resamples, seed) != sign_flips(second, first, "UAS")


def test_p_of_the_basic_bootstrap_agrees_with_its_interval():
    drawn, basic = np.array([0.1, 0.2, 0.3, 0.5]), Measure("many-to-one", method="basic")
    assert bootstrap_p(drawn, 0.1, Measure("UAS")) == 0.4
    assert bootstrap_p(drawn, 0.1, basic) == 1.0
    assert bootstrap_bounds(drawn, 0.1, basic, 0.5)[0] < 0 < bootstrap_bounds(drawn, 0.1, basic, 0.5)[1]


def test_the_variation_of_seeds_is_that_of_both_systems():
    a, b = [trees([k] * 10, 100) for k in (50, 60)], [trees([k] * 10, 100) for k in (59, 69)]
    c = [trees([k] * 10, 100) for k in (62, 72)]
    _, (near, far) = compare_scored({"a": a, "b": b, "c": c}, resamples=50)
    # each system varies by 7.07 points, both together by 10
    assert round(near.difference, 9) == 0.09 and near.note == BELOW_SEEDS
    assert round(far.difference, 9) == 0.12 and far.note == ""


def test_one_run_has_wilsons_interval_and_two_have_not():
    rows = [items(np.arange(40) % 3 > 0), items(np.arange(40) % 4 > 0)]
    scores, _ = compare_scored({"a": rows, "b": rows[:1]}, resamples=50)
    assert [row.method for row in scores] == ["percentile", "wilson"]


def test_a_jackknifed_difference_of_runs_by_hand():
    pattern = np.linspace(-1, 1, 11) / 100

    def system(*values):
        return [Biased(value, value + pattern) for value in values]

    scores, (row,) = compare_scored({"a": system(0.4, 0.6), "b": system(0.5, 0.7)})
    spread = 0.2 / math.sqrt(2)  # of each system; units move all runs alike, and none of the difference
    assert [one.sd_runs for one in scores] == pytest.approx([spread] * 2)
    half = 4.302653 * spread  # t with 2 degrees of freedom: two variances of one each
    assert (row.upper - row.lower) / 2 == pytest.approx(half, rel=1e-6)


def test_what_runs_do_on_units_is_taken_from_their_spread():
    pattern = np.linspace(-1, 1, 11) / 500
    runs = [Biased(0.4, 0.4 + pattern), Biased(0.6, 0.6 - pattern)]
    ((score,), _) = compare_scored({"a": runs})
    own = 10 / 11 * float(np.square(pattern).sum())  # squared error of each run's deviation from their mean
    assert score.se_both == pytest.approx(math.sqrt((0.2**2 / 2 - 2 * own) / 2))
