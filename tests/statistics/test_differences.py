"""Comparisons of systems: exact tests by hand, paired intervals, runs, and Holm's correction."""

import math
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.statistics.differences import BELOW_SEEDS, compare_scored, holm, mcnemar, paired_shares, sign_flips
from analysis.statistics.scored import Measure, ScoredRatios, estimates, resampled_values


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
