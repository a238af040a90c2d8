import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.statistics import hardest_testsets, measure_agreement, rank_systems, spread_of_systems

VALUES = {"M-1": (1, 2, 3), "1-1": (3, 2, 1), "VM": (1, 2, 3), "VI": (3, 2, 1)}


def table(values, testset="danish"):
    rows = [
        (measure, testset, system, value)
        for measure, numbers in values.items()
        for system, value in zip("XYZ", numbers, strict=False)
    ]
    return pd.DataFrame(rows, columns=["measure", "testset", "system", "value"]).astype({"value": "Float64"})


def test_ranks_begin_with_the_best_and_equal_values_share_their_mean_rank():
    found = rank_systems(table({"V": (0.5, 0.7, 0.5), "VI": (2.0, 1.0, 3.0)}), ["VI"])
    assert found.set_index(["measure", "system"])["rank"].to_dict() == {
        ("V", "X"): 2.5, ("V", "Y"): 1, ("V", "Z"): 2.5, ("VI", "X"): 2, ("VI", "Y"): 1, ("VI", "Z"): 3,
    }  # fmt: skip


def test_values_that_differ_in_the_last_bit_are_ties():
    assert rank_systems(table({"V": (0.1 + 0.2, 0.3, 0.2)}))["rank"].tolist() == [1.5, 1.5, 3]


def test_a_system_without_a_value_has_no_rank():
    found = rank_systems(table({"V": (None, 0.7, 0.5)}))
    assert found[["system", "rank"]].to_numpy().tolist() == [["Y", 1], ["Z", 2]]


@given(st.lists(st.integers(0, 5), min_size=3, max_size=3))
def test_ranks_by_a_measure_of_which_less_is_better_are_those_of_its_negative(values):
    lower = rank_systems(table({"VI": values}), ["VI"])["rank"]
    assert lower.equals(rank_systems(table({"VI": [-value for value in values]}))["rank"])


def test_measures_agree_as_their_ranks_correlate_with_vi_turned_round():
    found = measure_agreement(table(VALUES), list(VALUES), ["VI"]).set_index(["measure_a", "measure_b"])["rho"]
    assert found["M-1", "VI"] == 1 and found["M-1", "1-1"] == -1 and found["1-1", "VI"] == -1
    assert measure_agreement(table(VALUES), ["M-1", "VI"])["rho"].tolist() == [-1], "as it is if nobody says so"


def test_each_test_set_is_compared_by_itself_in_the_order_of_the_table():
    both = pd.concat([table(VALUES, "swedish"), table(VALUES | {"VM": (3, None, 1)}, "danish")])
    found = measure_agreement(both, ["M-1", "VM"])
    assert found[["testset", "rho", "n"]].to_numpy().tolist() == [["swedish", 1, 3], ["danish", -1, 2]]


def test_the_spread_is_the_mean_over_test_sets_of_range_and_sample_deviation():
    both = pd.concat([table({"V": (1.0, 2.0, 3.0)}, "a"), table({"V": (1.0, None, 7.0)}, "b")])
    row = spread_of_systems(both).iloc[0]
    assert (row["mean"], row["range"]) == (3, 4)  # means 2 and 4, ranges 2 and 6
    assert row["deviation"] == pytest.approx((1 + 18**0.5) / 2)


def test_the_hardest_test_set_has_the_lowest_mean_or_the_highest_vi():
    both = pd.concat([table({"V": (1.0,), "VI": (1.0,)}, "a"), table({"V": (2.0, 4.0), "VI": (2.0,)}, "b")])
    assert hardest_testsets(both, "V", ["VI"])[["testset", "value", "n"]].to_numpy().tolist() == [
        ["a", 1, 1],
        ["b", 3, 2],
    ]
    assert hardest_testsets(both, "VI", ["VI"])["testset"].tolist() == ["b", "a"]
