from math import sqrt

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.stats import spearmanr

from analysis.statistics import Correlation, spearman, spearman_matrix
from analysis.structures import UndefinedScoreError

PAIRS = st.lists(st.tuples(st.integers(-5, 5), st.integers(-5, 5)), min_size=3, max_size=30)


def test_without_ties_it_is_one_less_the_squared_rank_differences():
    # y has ranks 3, 2, 4, 5, 1: differences 2, 0, 1, 1, 4, their squares sum to 22
    assert spearman([10, 20, 30, 40, 50], [0.2, 0.1, 0.3, 0.9, 0.05]).rho == pytest.approx(1 - 6 * 22 / (5 * 24))


def test_ties_share_the_average_of_their_ranks():
    # ranks 1.5 1.5 3 and 1 2 3, less the mean 2: sums of products 1.5, of squares 1.5 and 2
    assert spearman([7, 7, 9], [1, 2, 3]).rho == pytest.approx(1.5 / sqrt(1.5 * 2))


@given(PAIRS)
def test_it_agrees_with_scipy(pairs):
    x, y = zip(*pairs, strict=True)
    assume(len(set(x)) > 1 and len(set(y)) > 1)
    expected = spearmanr(x, y)
    found = spearman(x, y)
    assert found.rho == pytest.approx(expected.statistic, abs=1e-12)
    if abs(found.rho) < 1:
        assert found.p == pytest.approx(expected.pvalue, rel=1e-6, abs=1e-12)
    assert found.n == len(pairs)


@given(PAIRS)
def test_it_is_symmetric_and_depends_on_ranks_only(pairs):
    x, y = (np.array(side, dtype=float) for side in zip(*pairs, strict=True))
    results = [spearman(x, y), spearman(y, x), spearman(np.exp(x), 3 * y + 1)]
    assert len({(found.rho, found.p, found.n) for found in results}) == 1


def test_the_same_order_is_exactly_one_and_the_reverse_minus_one():
    values = [3.0, 1.0, 1.0, 2.0, 7.5, 7.5, 7.5]
    assert spearman(values, values) == Correlation(1.0, 0.0, 7)
    assert spearman(values, [-value for value in values]) == Correlation(-1.0, 0.0, 7)


def test_two_pairs_have_a_coefficient_but_no_p_value():
    assert spearman([1, 2], [4, 3]) == Correlation(-1.0, None, 2)


@pytest.mark.parametrize(
    ("x", "y", "reason"),
    [
        ([1, 1, 1], [1, 2, 3], "all values of x are equal"),
        ([1, 2, 3], [2, 2, 2], "all values of y are equal"),
        ([1], [1], "fewer than two pairs"),
        ([], [], "fewer than two pairs"),
    ],
)
def test_what_has_no_correlation_says_why(x, y, reason):
    found = spearman(x, y)
    assert (found.rho, found.p, found.undefined) == (None, None, reason)
    with pytest.raises(UndefinedScoreError, match=reason):
        float(found)
    assert found.to_frame()["rho"].isna().all()
    assert reason in repr(found)


@pytest.mark.parametrize(
    ("x", "y", "message"),
    [
        ([1, 2], [1], "x has 2 values, y has 1"),
        ([1, None], [1, 2], "x has a missing or infinite value at index 1"),
        ([1, 2], [np.nan, 2], "y has a missing or infinite value at index 0"),
        ([1, 2], [np.inf, 2], "y has a missing or infinite value at index 0"),
    ],
)
def test_values_that_cannot_be_ranked_are_refused(x, y, message):
    with pytest.raises(ValueError, match=message):
        spearman(x, y)


def test_a_matrix_leaves_missing_values_out_by_pair():
    table = pd.DataFrame({"A": [1, 2, 3, 4], "B": [1, 2, None, 4], "C": [5.0] * 4})
    found = spearman_matrix(table, ["C", "A", "B"])
    assert list(found[["measure_a", "measure_b", "n"]].itertuples(index=False, name=None)) == [
        ("C", "A", 4),
        ("C", "B", 3),
        ("A", "B", 3),
    ]
    assert found["rho"].isna().tolist() == [True, True, False]
    assert found["undefined"].tolist() == ["all values of x are equal"] * 2 + [""]
    assert found.loc[2, "rho"] == 1.0


def test_a_matrix_of_unknown_or_repeated_columns_is_refused():
    with pytest.raises(ValueError, match="the table lacks the column 'B'; it has A"):
        spearman_matrix(pd.DataFrame({"A": [1, 2]}), ["A", "B"])
    with pytest.raises(ValueError, match="named twice"):
        spearman_matrix(pd.DataFrame({"A": [1, 2]}), ["A", "A"])


def test_a_correlation_shows_itself():
    found = spearman([1, 2, 3, 4], [1, 3, 2, 4])
    assert float(found) == found.to_frame()["rho"].iloc[0]
    assert "0.8" in found._repr_html_()
