"""Bands, groups and the costliest units."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.statistics.breakdowns import costliest, in_bands, scores_of_groups


@given(st.lists(st.integers(1, 200), max_size=30), st.sets(st.integers(1, 150), min_size=1, max_size=5))
def test_every_number_is_in_the_band_whose_bounds_hold_it(numbers, bounds):
    for number, name in zip(numbers, in_bands(numbers, sorted(bounds)).tolist(), strict=True):
        low, _, high = name.removesuffix("+").partition("–")
        assert int(low) <= number <= (np.inf if name.endswith("+") else int(high or low))


@pytest.mark.parametrize("bands", [(), (5, 1), (1, 1), (0, 2)])
def test_bands_that_do_not_rise_are_refused(bands):
    with pytest.raises(ValueError, match="rising numbers from 1"):
        in_bands([1], bands)


def test_a_number_below_the_first_band_is_refused_and_a_missing_one_has_no_band():
    with pytest.raises(ValueError, match="there is 0"):
        in_bands([0, 1], (1, 2))
    assert pd.isna(in_bands(pd.array([None, 1], dtype="Int64"), (1,))[0])


@given(st.lists(st.tuples(st.sampled_from("abc"), st.booleans(), st.booleans()), min_size=1, max_size=40))
def test_the_counts_of_groups_sum_to_those_of_the_whole(rows):
    groups, right, counted = map(list, zip(*rows, strict=True))
    table = scores_of_groups("letter", pd.Categorical(groups, list("abcd")), {"accuracy": right}, counted)
    assert table["group"].tolist() == list("abcd")
    assert table["denominator"].sum() == sum(counted)
    assert table["numerator"].sum() == sum(r and c for r, c in zip(right, counted, strict=True))
    assert table["value"].isna().tolist() == (table["denominator"] == 0).tolist()


def test_plain_groups_are_in_the_order_of_their_size_then_of_their_names_and_na_is_a_word():
    table = scores_of_groups("tag", ["V", "NA", "V", "D"], {"accuracy": [True] * 4}, sizes={"types": list("aabc")})
    assert table[["group", "denominator", "types"]].values.tolist() == [["V", 2, 2], ["D", 1, 1], ["NA", 1, 1]]


def test_lengths_that_differ_are_refused():
    with pytest.raises(ValueError, match="2 groups, and 1 units of 'accuracy'"):
        scores_of_groups("tag", ["V", "N"], {"accuracy": [True]})


def test_the_costliest_come_first_and_their_shares_sum_to_1():
    words = pd.DataFrame({"form": list("abbcccd")})
    right = [False, False, False, True, False, False, True]
    table = costliest(words, ["form"], right)
    assert table[["form", "wrong", "n"]].values.tolist() == [["b", 2, 2], ["c", 2, 3], ["a", 1, 1]]
    assert table["share"].sum() == pytest.approx(1) and table["cumulative"].iloc[-1] == pytest.approx(1)
    assert costliest(words, ["form"], right, 1)["cumulative"].tolist() == [0.4]
    assert costliest(words, ["form"], [True] * 7).empty
    with pytest.raises(ValueError, match="most must be at least 1"):
        costliest(words, ["form"], right, 0)
