"""Intervals: Wilson's for proportions, the percentile bootstrap for means of groups."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from analysis.statistics.resampling import check_confidence, check_resampling, draw_units, percentile_interval
from analysis.structures.lazy import pd

if TYPE_CHECKING:
    from numpy.typing import ArrayLike


def wilson(successes: ArrayLike, trials: ArrayLike, *, confidence: float = 0.95) -> pd.DataFrame:
    """Compute Wilson's score interval of proportions, without continuity correction.

    Parameters
    ----------
    successes, trials : array-like of int, shape (n,)
    confidence : float

    Returns
    -------
    DataFrame
        ``value``, ``lower``, ``upper``; ``<NA>`` without trials.

    Raises
    ------
    ValueError
        If a count is negative or there are more successes than trials.

    References
    ----------
    Wilson (1927), Journal of the American Statistical Association 22.

    Examples
    --------
    >>> wilson([8], [10]).round(3)
       value  lower  upper
    0    0.8   0.49  0.943
    """
    return pd.DataFrame(
        {
            name: pd.arrays.FloatingArray(np.where(np.isnan(column), 1.0, column), np.isnan(column))
            for name, column in wilson_bounds(successes, trials, confidence=confidence).items()
        }
    )


def wilson_bounds(successes: ArrayLike, trials: ArrayLike, *, confidence: float = 0.95) -> dict[str, np.ndarray]:
    """The columns of `wilson`, NaN where there is no trial; arguments and errors as there."""
    check_confidence(confidence)
    k = np.atleast_1d(np.asarray(successes, dtype="float64"))
    n = np.atleast_1d(np.asarray(trials, dtype="float64"))
    if k.shape != n.shape or k.ndim != 1:
        raise ValueError(f"successes and trials must have the same length: {k.shape}, {n.shape}.")
    if (k < 0).any() or (k > n).any():
        raise ValueError("successes must be from 0 to the number of trials.")
    from statistics import NormalDist

    z2 = NormalDist().inv_cdf((1 + confidence) / 2) ** 2
    some = np.where(n > 0, n, 1.0)
    p = k / some
    middle = (p + z2 / (2 * some)) / (1 + z2 / some)
    half = np.sqrt(z2) / (1 + z2 / some) * np.sqrt(p * (1 - p) / some + z2 / (4 * some**2))
    lower = np.where(k == 0, 0.0, np.clip(middle - half, 0, 1))
    upper = np.where(k == n, 1.0, np.clip(middle + half, 0, 1))
    values = {"value": p, "lower": lower, "upper": upper}
    return {name: np.where(n == 0, np.nan, column) for name, column in values.items()}


def bootstrap_means(
    table: pd.DataFrame,
    by: Sequence[str],
    value: str,
    *,
    confidence: float = 0.95,
    resamples: int = 1000,
    random_state: int | np.random.Generator | None = 0,
) -> pd.DataFrame:
    """Compute a percentile bootstrap interval of the mean of each group; groups are resampled separately.

    Parameters
    ----------
    table : DataFrame
        The columns ``by`` and ``value``, one row per observation.
    by : sequence of str
        Factors that define a group.
    value : str
        A numeric column without missing values.
    confidence : float
    resamples : int
    random_state : None, int or Generator

    Returns
    -------
    DataFrame
        ``by``, ``value`` (the mean), ``lower``, ``upper``, ``n``; one row per group, in order of appearance. The bounds
        are missing for a group with one observation.

    References
    ----------
    Efron & Tibshirani (1993), An Introduction to the Bootstrap, section 13.3.

    Examples
    --------
    >>> runs = pd.DataFrame({"size": [100] * 4, "accuracy": [60.0, 62.0, 64.0, 66.0]})
    >>> row = bootstrap_means(runs, ["size"], "accuracy", random_state=0).iloc[0]
    >>> float(row["value"]), bool(60 <= row["lower"] < 63 < row["upper"] <= 66)
    (63.0, True)
    """
    check_resampling(resamples, confidence)
    factors = list(by)
    numbers = table[value].to_numpy(dtype="float64")
    if not len(numbers) or np.isnan(numbers).any():
        raise ValueError(f"{value} must have values, and no missing ones.")
    generator = np.random.default_rng(random_state)
    grouped = table.groupby(factors, sort=False, observed=True, dropna=False)
    codes = grouped.ngroup().to_numpy()
    sizes = np.bincount(codes)
    order = np.argsort(codes, kind="stable")
    starts = np.cumsum(sizes) - sizes
    lower, upper = np.full(len(sizes), np.nan), np.full(len(sizes), np.nan)
    for group in np.argsort(sizes, kind="stable"):
        size = sizes[group]
        if size < 2:
            continue
        values, equal = numbers[order[starts[group] :][:size]], np.full(size, 1 / size)
        means = np.concatenate([values[units] @ equal for units in draw_units(size, resamples, generator)])
        lower[group], upper[group], _ = percentile_interval(means, confidence)
    result = grouped[value].agg(value="mean", n="size").reset_index()
    return result.assign(lower=lower, upper=upper)[[*factors, "value", "lower", "upper", "n"]]
