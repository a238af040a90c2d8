"""Specification curves: verdicts, shares, influence, and tests of whole curves."""

import itertools

import numpy as np
import pandas as pd
import pytest

from analysis.statistics.specification_curves import (
    curve_interval,
    curve_test,
    influence,
    judge_curve,
    level_weights,
    mean_over_replicates,
    summarise_curve,
)


def grid(function, **levels):
    rows = [dict(zip(levels, chosen, strict=True)) for chosen in itertools.product(*levels.values())]
    return pd.DataFrame([row | {"estimate": function(**row)} for row in rows])


def test_a_value_on_the_margin_is_undecided_and_one_beyond_it_is_not():
    curve = judge_curve(pd.DataFrame({"estimate": [0.1, 0.1 + 1e-9, -0.1, -0.1 - 1e-9]}), margin=0.1)
    assert curve["verdict"].tolist() == ["undecided", "stands", "undecided", "turned"]
    with pytest.raises(ValueError, match="margin must be at least 0"):
        judge_curve(curve, margin=-0.1)


def test_the_one_convention_that_turns_a_claim_round_is_named_first():
    curve = judge_curve(grid(lambda a, b, c: (1 if b == "x" else -1) + 0.01 * a, a=[1, 2, 3], b=["x", "y"], c=[0, 1]))
    table = influence(curve, ["a", "b", "c"]).set_index("factor")
    assert table.index[0] == "b" and table.loc["b", "turns"] == 1
    assert table.loc["b", "main"] > 0.99 and table.loc["c", "total"] == pytest.approx(0)
    assert (table["turns"].drop("b") == 0).all()


def test_two_choices_that_matter_only_together_have_an_interaction_and_no_main_effect():
    curve = judge_curve(grid(lambda a, b, c: a * b, a=[-1, 1], b=[-1, 1], c=[0, 1]))
    table = influence(curve, ["a", "b", "c"]).set_index("factor")
    assert table["main"].tolist() == pytest.approx([0, 0, 0])
    assert table.loc[["a", "b"], "total"].tolist() == pytest.approx([1, 1])
    assert table.loc["a", "partner"] == "b" and table.loc["a", "interaction"] == pytest.approx(1)


def test_main_and_total_effects_are_those_of_an_analysis_of_variance():
    rng = np.random.default_rng(3)
    effects = rng.normal(size=(2, 3, 2))
    curve = grid(lambda a, b, c: effects[a, b, c], a=[0, 1], b=[0, 1, 2], c=[0, 1])
    table = influence(curve, ["a", "b", "c"]).set_index("factor")
    means = effects.mean(axis=(0, 2))
    assert table.loc["b", "main"] == pytest.approx(means.var() / effects.var())
    within = effects.var(axis=1).mean()  # over b, with the others fixed
    assert table.loc["b", "total"] == pytest.approx(within / effects.var())


def test_shares_are_of_the_defined_specifications_and_levels_weigh_the_same():
    curve = judge_curve(pd.DataFrame({
        "gold": ["a", "a", "a", "b", "b"], "estimate": [1.0, 1.0, np.nan, -1.0, np.nan],
        "failed": ["", "", "", "", "ValueError: no"],
    }))  # fmt: skip
    table = summarise_curve(curve, ["gold"]).set_index("verdict")
    assert table["specifications"].to_dict() == {"stands": 2, "undecided": 0, "turned": 1, "undefined": 1, "failed": 1}
    assert table.loc["stands", "share"] == pytest.approx(2 / 3)
    assert table.loc["stands", "share_by_level"] == pytest.approx(1 / 2)
    assert table["share"].isna().tolist() == [False, False, False, True, True]


def test_a_summary_counts_the_intervals_that_do_not_contain_0():
    curve = judge_curve(pd.DataFrame({
        "gold": list("abcdef"), "estimate": [2.0, 2.0, 2.0, -2.0, -2.0, 0.1],
        "lower": [1.0, -1.0, np.nan, -3.0, -5.0, np.nan], "upper": [3.0, 5.0, np.nan, -1.0, 0.0, np.nan],
    }), margin=1)  # fmt: skip
    counts = summarise_curve(curve, ["gold"]).set_index("verdict")["interval_beyond_0"]
    assert counts.to_dict() == {"stands": 1, "undecided": 0, "turned": 1, "undefined": 0, "failed": 0}
    without = summarise_curve(curve.drop(columns=["lower", "upper"]), ["gold"])
    assert without["interval_beyond_0"].isna().all()


def test_weights_by_level_have_equal_sums_for_every_factor():
    curve = grid(lambda a, b: np.nan if (a, b) in {(0, 0), (1, 2)} else 1.0, a=[0, 1], b=[0, 1, 2])
    weights = level_weights(curve, ["a", "b"])
    assert curve.assign(w=weights).groupby("a")["w"].sum().tolist() == pytest.approx([1 / 2] * 2)
    assert curve.assign(w=weights).groupby("b")["w"].sum().tolist() == pytest.approx([1 / 3] * 3)


def test_replicates_give_an_interval_and_are_no_specifications():
    values = pd.DataFrame({"gold": ["a"] * 4 + ["b"], "replicate": [0, 1, 2, 3, 0], "estimate": [1.0, 2, 3, np.nan, 5]})
    curve = mean_over_replicates(values, ["gold"])
    assert curve["replicates"].tolist() == [3, 1] and curve["estimate"].tolist() == [2, 5]
    assert curve.loc[0, "upper"] == pytest.approx(2 + 4.302653 / np.sqrt(3), abs=1e-5)
    assert np.isnan(curve.loc[1, "lower"])


def test_equal_systems_are_told_apart_in_about_one_of_twenty_curves():
    rng, rejected = np.random.default_rng(0), 0
    for pair in range(1000):
        shared = rng.normal(size=(12, 1))  # what all specifications of a unit have in common
        values = shared + 0.5 * rng.normal(size=(12, 8))
        rejected += curve_test(values, resamples=199, random_state=pair) <= 0.05
    assert 30 <= rejected <= 70


def test_a_clear_difference_is_found_and_a_single_unit_proves_nothing():
    rng = np.random.default_rng(1)
    assert curve_test(1 + 0.1 * rng.normal(size=(20, 5))) < 0.01
    assert np.isnan(curve_test(np.ones((1, 5))))
    assert curve_interval(np.ones((1, 5))).share == 1 and np.isnan(curve_interval(np.ones((1, 5))).lower)


def test_a_curve_is_resampled_by_whole_units_so_that_opposite_halves_cancel():
    values = np.concatenate([np.eye(1), -np.eye(1)]).repeat(3, axis=1)  # one unit for, one against, in all alike
    found = curve_interval(values, resamples=4000)
    assert found.median == 0 and (found.lower, found.upper) == (-1, 1)
    assert found.share == 0 and (found.share_lower, found.share_upper) == (0, 1)


def test_the_interval_of_the_share_has_the_margin():
    values = np.array([[0.2], [0.4]])
    found = curve_interval(values, 0.25, resamples=400)
    assert (found.share, found.share_lower, found.share_upper) == (
        1,
        0,
        1,
    )  # one resample in four is 0.2, which decides nothing
