"""How many sentences, items or seeds a test needs to see a difference: power by resampling a pair of systems."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import numpy as np

from analysis.statistics.intervals import wilson_bounds
from analysis.statistics.resampling import RandomState, check_confidence, check_resampling
from analysis.statistics.scored import Scored, named_measures
from analysis.structures.lazy import pd

_NUMBERS = 1 << 21  # of a block of resamples (16 MB)
COLUMNS = ["measure", "unit", "difference", "n", "power", "lower", "upper", "se", "resamples"]


def power_of_difference(
    first: Scored,
    second: Scored,
    measure: str,
    sizes: Sequence[int],
    *,
    difference: float | None = None,
    resamples: int = 1000,
    confidence: float = 0.95,
    random_state: RandomState = 0,
) -> pd.DataFrame:
    """The probability that a paired two-sided test on n units finds a difference, for several n.

    Test sets of n units are drawn with replacement from those that both systems were scored on, also more than there
    are. The difference of the systems on each is moved so that its mean is the difference asked for; power is the share
    of test sets on which it is farther from 0 than the normal quantile times its standard deviation, as in a test whose
    standard error is known. Variation and bias are those of the pair as it is; they hold for other differences as far
    as these change the spread little.

    Parameters
    ----------
    first, second : Scored
        Two systems on the same units, such as from `scored_tokens`, `scored_trees` or `scored_items`.
    measure : str
    sizes : sequence of int
        Numbers of units n.
    difference : float, optional
        The difference to find, in the unit of the measure; by default that of the pair.
    resamples : int
        Test sets of each size.
    confidence : float
        1 - the level of the test.
    random_state : None, int or numpy Generator

    Returns
    -------
    DataFrame
        One row per size: ``measure``, ``unit`` (what is drawn), ``difference``, ``n``, ``power``, ``lower`` and
        ``upper`` (Wilson's 95 % interval of the simulation), ``se`` of the difference, ``resamples`` in which it is
        defined. Power is NaN where the difference is never defined.

    Raises
    ------
    ValueError
        If the systems were not scored on the same units, there is no such measure, or a number is out of range.

    References
    ----------
    Efron & Tibshirani (1993), An Introduction to the Bootstrap, chapter 25 (power by resampling).

    Examples
    --------
    >>> from analysis.statistics.scored import Measure, ScoredRatios
    >>> def scored(right):
    ...     return ScoredRatios("trees", (Measure("UAS"),), np.array(right)[:, None], np.full((len(right), 1), 4))
    >>> table = power_of_difference(scored([1, 2, 3, 4] * 20), scored([2, 2, 3, 3] * 20), "UAS", [50, 3200],
    ...                             difference=0.02, resamples=200)
    >>> (table["power"] > 0.8).tolist()
    [False, True]
    """
    check_resampling(resamples, confidence)
    if first.n != second.n or first.data != second.data:
        raise ValueError(
            f"the systems must be scored on the same units: {first.n:,} {first.resampled}s, data {first.data or '-'}; "
            f"{second.n:,} {second.resampled}s, data {second.data or '-'}."
        )
    places = [named_measures(side, [measure])[0] for side in (first, second)]
    whole = float(first.values()[0, places[0]] - second.values()[0, places[1]])
    wanted = whole if difference is None else float(difference)
    generator = np.random.default_rng(random_state)
    rows = []
    for n in _checked(sizes, 1):
        drawn = np.concatenate([
            first.values(times)[:, places[0]] - second.values(times)[:, places[1]]
            for times in _test_sets(first.n, n, resamples, generator)
        ])  # fmt: skip
        power, bounds, error, defined = _found(drawn[np.isfinite(drawn)], wanted, confidence)
        rows.append((measure, first.resampled, wanted, n, power, *bounds, error, defined))
    return pd.DataFrame(rows, columns=COLUMNS)


def power_of_seeds(
    spreads: tuple[float, float],
    difference: float,
    sizes: Sequence[int],
    *,
    measure: str = "",
    confidence: float = 0.95,
) -> pd.DataFrame:
    """The probability that Welch's two-sided t test on n runs of each system finds a difference of their means.

    Parameters
    ----------
    spreads : pair of float
        Deviation of the measure over runs of each system (n - 1), such as ``sd_runs`` of a comparison.
    difference : float
        In the unit of the measure.
    sizes : sequence of int
        Numbers of runs of each system, from 2.
    measure : str
        Name, for the table.
    confidence : float
        1 - the level of the test.

    Returns
    -------
    DataFrame
        As `power_of_difference`; the unit is ``seed``, power is exact for normal values, and nothing is resampled.

    Raises
    ------
    ValueError
        If a deviation is not above 0, or a number is out of range.

    References
    ----------
    Cohen (1988), Statistical Power Analysis for the Behavioral Sciences, chapter 2; Welch (1947) for the degrees of
    freedom.

    Examples
    --------
    Two groups of 64 have power .80 for half a deviation (Cohen 1988, Table 2.3.5):

    >>> power_of_seeds((1.0, 1.0), 0.5, [64])["power"].round(2).tolist()
    [0.8]
    """
    from scipy.special import nctdtr, stdtrit

    check_confidence(confidence)
    if not all(spread > 0 and math.isfinite(spread) for spread in spreads):
        raise ValueError(f"deviations over seeds must be above 0, not {', '.join(map(str, spreads))}.")
    one, two = (spread**2 for spread in spreads)
    rows = []
    for n in _checked(sizes, 2):
        error = math.sqrt((one + two) / n)
        freedom = (n - 1) * (one + two) ** 2 / (one**2 + two**2)
        bound, centre = float(stdtrit(freedom, (1 + confidence) / 2)), abs(difference) / error
        power = float(1 - nctdtr(freedom, centre, bound) + nctdtr(freedom, centre, -bound))
        rows.append((measure, "seed", float(difference), n, power, power, power, error, 0))
    return pd.DataFrame(rows, columns=COLUMNS)


def units_needed(table: pd.DataFrame, power: float = 0.8) -> float:
    """The number of units from which a test has a power, between the sizes of a table on a straight line.

    Parameters
    ----------
    table : DataFrame
        Of `power_of_difference` or `power_of_seeds`, of one measure.
    power : float
        Between 0 and 1.

    Returns
    -------
    float
        NaN if no size of the table reaches it; the smallest size if that does.

    Raises
    ------
    ValueError
        If `power` is not between 0 and 1.

    Examples
    --------
    >>> units_needed(pd.DataFrame({"n": [100, 200], "power": [0.7, 0.9]}))
    150.0
    """
    if not 0 < power < 1:
        raise ValueError(f"power is between 0 and 1, not {power!r}.")
    rows = table.sort_values("n")
    sizes, found = rows["n"].to_numpy(dtype=np.float64), rows["power"].to_numpy(dtype=np.float64)
    enough = np.flatnonzero(found >= power)
    if not len(enough):
        return math.nan
    place = int(enough[0])
    if place == 0 or not math.isfinite(found[place - 1]):
        return float(sizes[place])
    share = (power - found[place - 1]) / (found[place] - found[place - 1])
    return round(float(sizes[place - 1] + share * (sizes[place] - sizes[place - 1])), 9)


def _checked(sizes: Sequence[int], least: int) -> list[int]:
    found = [int(n) for n in sizes]
    if not found or min(found) < least:
        raise ValueError(f"sizes are numbers from {least}, not {list(sizes)}.")
    return found


def _test_sets(units: int, n: int, resamples: int, generator: np.random.Generator) -> Iterator[np.ndarray]:
    """How often each unit is in each of the test sets of n units, shape (resamples of a block, units)."""
    block = max(1, _NUMBERS // max(units, 1))
    for start in range(0, resamples, block):
        yield generator.multinomial(n, np.full(units, 1 / units), size=min(block, resamples - start))


def _found(drawn: np.ndarray, wanted: float, confidence: float) -> tuple[float, tuple[float, float], float, int]:
    from scipy.special import ndtri

    if len(drawn) < 2 or not math.isfinite(wanted):
        return math.nan, (math.nan, math.nan), math.nan, len(drawn)
    error = float(drawn.std(ddof=1))
    far = np.abs(drawn - drawn.mean() + wanted) > float(ndtri((1 + confidence) / 2)) * error
    bounds = wilson_bounds([int(far.sum())], [len(drawn)])
    return float(far.mean()), (float(bounds["lower"][0]), float(bounds["upper"][0])), error, len(drawn)
