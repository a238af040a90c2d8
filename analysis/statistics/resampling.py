"""Bootstrap: units (sentences, runs) drawn with replacement, and the resulting intervals."""

import math
from collections.abc import Iterator
from typing import NamedTuple, TypeAlias

import numpy as np

from analysis.structures import check_at_least

RandomState: TypeAlias = "int | np.random.Generator | None"  # a string: numpy.random is imported when it is used

_BLOCK = 1 << 16  # units drawn at a time: they stay in the processor's cache


class Interval(NamedTuple):
    """Percentile interval of a statistic, and the number of resamples in which it was defined."""

    lower: float
    upper: float
    resamples: int


class Difference(NamedTuple):
    """Percentile interval of the difference between two systems.

    Attributes
    ----------
    lower, upper : float
    opposite : float
        Proportion of resamples in which the difference is zero or has the opposite sign.
    resamples : int
    """

    lower: float
    upper: float
    opposite: float
    resamples: int


def check_confidence(confidence: float) -> None:
    """Raise an error unless the confidence is between 0 and 1."""
    if not 0 < confidence < 1:
        raise ValueError(f"confidence must lie between 0 and 1, not {confidence!r}.")


def check_resampling(resamples: int, confidence: float) -> None:
    """Raise an error for fewer than two resamples, of which there is no interval, or a confidence outside 0 to 1."""
    check_at_least(2, resamples=resamples)
    check_confidence(confidence)


def draw_units(n: int, resamples: int, random_state: RandomState = 0, *, block: int = 0) -> Iterator[np.ndarray]:
    """Draw n of n units with replacement, once per resample.

    Parameters
    ----------
    n, resamples : int
    random_state : None, int or numpy Generator
    block : int
        Number of resamples drawn at a time; the default is the fastest. The units drawn do not depend on it.

    Yields
    ------
    ndarray of int64, shape (at most block, n)
        The units of each resample, from 0.

    Examples
    --------
    >>> np.concatenate(list(draw_units(3, 2, random_state=0))).tolist()
    [[2, 1, 1], [0, 0, 0]]
    """
    generator = np.random.default_rng(random_state)
    block = block or max(1, _BLOCK // n)
    for start in range(0, resamples, block):
        yield generator.integers(0, n, (min(block, resamples - start), n))


def count_draws(n: int, resamples: int, random_state: RandomState = 0, *, block: int = 0) -> Iterator[np.ndarray]:
    """Count how often each unit (column) is drawn in each resample (row); otherwise like `draw_units`.

    Examples
    --------
    >>> np.concatenate(list(count_draws(3, 2, random_state=0))).tolist()
    [[0, 2, 1], [3, 0, 0]]
    """
    for units in draw_units(n, resamples, random_state, block=block):
        yield np.stack([np.bincount(row, minlength=n) for row in units])


def resampled_ratios(
    numerators: np.ndarray, denominators: np.ndarray, resamples: int, random_state: RandomState = 0
) -> np.ndarray:
    """Compute ratios of counts: counts are summed over the units of each resample, then divided.

    Parameters
    ----------
    numerators, denominators : ndarray of int, shape (n_units, n_ratios)

    Returns
    -------
    ndarray of float, shape (resamples, n_ratios)
        Not finite where a denominator is 0.

    Examples
    --------
    >>> np.concatenate(list(draw_units(2, 3))).tolist()
    [[1, 1], [1, 0], [0, 0]]
    >>> resampled_ratios(np.array([[1], [3]]), np.array([[2], [4]]), 3).round(3).tolist()
    [[0.75], [0.667], [0.5]]
    """
    counts = np.hstack([numerators, denominators]).astype(np.float64)
    blocks = count_draws(len(counts), resamples, random_state)
    sums = np.concatenate([times.astype(np.float64) @ counts for times in blocks])
    with np.errstate(divide="ignore", invalid="ignore"):
        return sums[:, : numerators.shape[1]] / sums[:, numerators.shape[1] :]


def percentile_interval(values: np.ndarray, confidence: float = 0.95) -> Interval:
    """Compute the percentile interval of a statistic from its values in the resamples; non-finite values are left out.

    References
    ----------
    Efron & Tibshirani (1993), An Introduction to the Bootstrap, section 13.3.

    Examples
    --------
    >>> percentile_interval(np.array([1.0, 2.0, 3.0, math.nan]), 0.5)
    Interval(lower=1.5, upper=2.5, resamples=3)
    """
    values = values[np.isfinite(values)]
    if not len(values):
        return Interval(math.nan, math.nan, 0)
    tail = (1 - confidence) / 2
    lower, upper = np.quantile(values, [tail, 1 - tail])
    return Interval(float(lower), float(upper), len(values))


def paired_difference(first: np.ndarray, second: np.ndarray, difference: float, confidence: float = 0.95) -> Difference:
    """Compute the interval of the difference between two systems from their values in the same resamples.

    Parameters
    ----------
    first, second : ndarray of float, shape (resamples,)
    difference : float
        Difference on the original units; `opposite` is counted relative to its sign, and is NaN if it is undefined.
    confidence : float

    Examples
    --------
    >>> paired_difference(np.array([0.5, 0.75, 0.25]), np.array([0.25, 0.25, 0.25]), 0.25, 0.5)
    Difference(lower=0.125, upper=0.375, opposite=0.3333333333333333, resamples=3)
    """
    drawn = first - second
    lower, upper, resamples = percentile_interval(drawn, confidence)
    defined = drawn[np.isfinite(drawn)] if math.isfinite(difference) else drawn[:0]
    opposite = float(np.mean(defined * np.sign(difference) <= 0)) if len(defined) else math.nan
    return Difference(lower, upper, opposite, resamples)
