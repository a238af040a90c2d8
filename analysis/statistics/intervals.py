"""Intervals: Wilson's for proportions, the percentile bootstrap for means of groups."""

from collections.abc import Sequence
from statistics import NormalDist

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

BLOCK = 1 << 20  # picks drawn at a time


def _check_confidence(confidence: float) -> None:
    if not 0 < confidence < 1:
        raise ValueError(f"confidence must lie between 0 and 1, not {confidence}.")


def wilson(successes: ArrayLike, trials: ArrayLike, *, confidence: float = 0.95) -> pd.DataFrame:
    """Wilson's score interval of proportions, without continuity correction.

    Parameters
    ----------
    successes, trials : array-like of int, shape (n,)
    confidence : float

    Returns
    -------
    DataFrame
        ``value``, ``lower``, ``upper``; ``<NA>`` where there is no trial.

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
    _check_confidence(confidence)
    k = np.atleast_1d(np.asarray(successes, dtype="float64"))
    n = np.atleast_1d(np.asarray(trials, dtype="float64"))
    if k.shape != n.shape or k.ndim != 1:
        raise ValueError(f"successes and trials must be as long as each other: {k.shape}, {n.shape}.")
    if (k < 0).any() or (k > n).any():
        raise ValueError("successes must be from 0 to the number of trials.")
    z2 = NormalDist().inv_cdf((1 + confidence) / 2) ** 2
    some = np.where(n > 0, n, 1.0)
    p = k / some
    middle = (p + z2 / (2 * some)) / (1 + z2 / some)
    half = np.sqrt(z2) / (1 + z2 / some) * np.sqrt(p * (1 - p) / some + z2 / (4 * some**2))
    lower = np.where(k == 0, 0.0, np.clip(middle - half, 0, 1))
    upper = np.where(k == n, 1.0, np.clip(middle + half, 0, 1))
    values = {"value": p, "lower": lower, "upper": upper}
    return pd.DataFrame({name: _missing_where(n == 0, column) for name, column in values.items()})


def _missing_where(missing: np.ndarray, values: np.ndarray) -> pd.api.extensions.ExtensionArray:
    return pd.arrays.FloatingArray(np.where(missing, 1.0, values), missing.copy())


def bootstrap_means(
    table: pd.DataFrame,
    by: Sequence[str],
    value: str,
    *,
    confidence: float = 0.95,
    resamples: int = 1000,
    random_state: int | np.random.Generator | None = 0,
) -> pd.DataFrame:
    """Percentile bootstrap interval of the mean of each group; groups of the same size are resampled together.

    Parameters
    ----------
    table : DataFrame
        The columns ``by`` and ``value``, one row an observation.
    by : sequence of str
        Factors that name a group.
    value : str
        A numeric column without missing values.
    confidence : float
    resamples : int
    random_state : None, int or Generator

    Returns
    -------
    DataFrame
        ``by``, ``value`` (the mean), ``lower``, ``upper``, ``n``; one row a group, in order of appearance. The bounds
        of a group of one are missing.

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
    _check_confidence(confidence)
    if resamples < 1:
        raise ValueError(f"resamples must be at least 1, not {resamples}.")
    factors = list(by)
    numbers = table[value].to_numpy(dtype="float64")
    if not len(numbers) or np.isnan(numbers).any():
        raise ValueError(f"{value} must have values, and none missing.")
    generator = np.random.default_rng(random_state)
    grouped = table.groupby(factors, sort=False, observed=True, dropna=False)
    codes = grouped.ngroup().to_numpy()
    sizes = np.bincount(codes)
    order = np.argsort(codes, kind="stable")
    starts = np.concatenate([[0], np.cumsum(sizes)[:-1]])
    lower, upper = np.full(len(sizes), np.nan), np.full(len(sizes), np.nan)
    tails = [(1 - confidence) / 2, (1 + confidence) / 2]
    for size in np.unique(sizes[sizes > 1]):
        groups = np.flatnonzero(sizes == size)
        values = numbers[order[starts[groups][:, None] + np.arange(size)]]
        block = max(1, BLOCK // (resamples * int(size)))  # groups at a time: the picks must fit into memory
        for start in range(0, len(groups), block):
            part = values[start : start + block]
            picks = generator.integers(0, size, (len(part), resamples, size), dtype=np.int32)
            picks += np.arange(0, len(part) * size, size, dtype=np.int32)[:, None, None]
            means = part.ravel().take(picks) @ np.full(size, 1 / size)
            where = groups[start : start + block]
            lower[where], upper[where] = np.quantile(means, tails, axis=1)
    result = grouped[value].agg(value="mean", n="size").reset_index()
    return result.assign(lower=lower, upper=upper)[[*factors, "value", "lower", "upper", "n"]]
