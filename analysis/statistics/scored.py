"""Measures of a system as functions of the units (sentences, items, word types) that happened to be in the test set.

Every subject gives what a system scored as a `Scored`: its measures on the units as they are, on units drawn again, and
without each unit. The interval of a measure depends on what kind of statistic it is:

- ``percentile``: ratios of sums over units, and matchings that are found again in each resample;
- ``basic``: the bootstrap interval turned round the value, for many-to-one, which resampling raises;
- ``jackknife``: entropies and what is made of them. Their plug-in value is biased by about the number of cells of the
  table over twice the number of tokens, and resampling adds that bias once more. The interval is centred on the value
  without the bias, and the value itself may lie outside;
- ``wilson``: shares of independent items.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol

import numpy as np

from analysis.statistics.intervals import wilson_bounds
from analysis.statistics.resampling import RandomState, check_resampling, count_draws, percentile_interval
from analysis.structures import check_choice

#: How an interval is found.
METHODS = ("percentile", "basic", "jackknife", "wilson")

#: Units below which the jackknife's correction for bias is itself uncertain.
FEW_UNITS = 200

_NUMBERS = 1 << 21  # of a block of draws (16 MB)


class Measure(NamedTuple):
    """What is known of a measure before anything is scored.

    Attributes
    ----------
    name, unit : str
    method : str
        One of `METHODS`.
    least, most : float
        Bounds of its values, which no interval passes.
    lower_is_better : bool
    """

    name: str
    unit: str = "proportion"
    method: str = "percentile"
    least: float = 0.0
    most: float = 1.0
    lower_is_better: bool = False


class Scored(Protocol):
    """What one system scored, unit by unit.

    Attributes
    ----------
    task : str
        ``tags``, ``types``, ``trees``, ``ccg``, ``brackets``, ``inflections``.
    measures : tuple of Measure
    n : int
        Number of units.
    resampled : str
        What a unit is: ``sentence``, ``item``, ``type``.
    data : str
        Eight hexadecimal digits of the gold standard that was scored.
    """

    @property
    def task(self) -> str:
        """What kind of thing is scored."""

    @property
    def measures(self) -> tuple[Measure, ...]:
        """The measures, and how their intervals are found."""

    @property
    def n(self) -> int:
        """Number of units."""

    @property
    def resampled(self) -> str:
        """What a unit is."""

    @property
    def data(self) -> str:
        """Digest of the scored gold standard."""

    def values(self, times: np.ndarray | None = None) -> np.ndarray:
        """Every measure (column) in each resample (row) of `times`, shape (resamples, n); by default as units are."""

    def left_out(self) -> dict[str, np.ndarray]:
        """Values without each unit, of the measures whose method is the jackknife."""

    def conventions(self, measure: str) -> Mapping[str, object]:
        """The choices on which the number of a measure depends, by name."""


@dataclass(frozen=True, eq=False)
class ScoredRatios:
    """Measures that are ratios of sums over units.

    Parameters
    ----------
    task : str
    measures : tuple of Measure
    numerators, denominators : ndarray, shape (n_units, n_measures)
    resampled, data : str
        As in `Scored`.
    choices : mapping
        The conventions.
    own_choices : mapping of str to mapping
        Further ones of single measures, by name of the measure.

    Examples
    --------
    >>> found = ScoredRatios("trees", (Measure("UAS"),), np.array([[1], [3]]), np.array([[2], [4]]))
    >>> found.values().round(3).tolist(), found.values(np.array([[2, 0], [0, 2]])).tolist()
    ([[0.667]], [[0.5], [0.75]])
    """

    task: str
    measures: tuple[Measure, ...]
    numerators: np.ndarray
    denominators: np.ndarray
    resampled: str = "sentence"
    data: str = ""
    choices: Mapping[str, object] = field(default_factory=dict)
    own_choices: Mapping[str, Mapping[str, object]] = field(default_factory=dict)

    @property
    def n(self) -> int:
        """Number of units."""
        return len(self.numerators)

    def values(self, times: np.ndarray | None = None) -> np.ndarray:
        """As in `Scored`; not finite where a denominator is 0."""
        counts = np.hstack([self.numerators, self.denominators]).astype(np.float64)
        sums = counts.sum(axis=0, keepdims=True) if times is None else times.astype(np.float64) @ counts
        width = self.numerators.shape[1]
        with np.errstate(divide="ignore", invalid="ignore"):
            return sums[:, :width] / sums[:, width:]

    def left_out(self) -> dict[str, np.ndarray]:
        """Nothing: no ratio of sums needs it."""
        return {}

    def conventions(self, measure: str) -> Mapping[str, object]:
        """The choices of all measures, and the measure's own."""
        return {**self.choices, **self.own_choices.get(measure, {})}


class Estimate(NamedTuple):
    """One measure with its interval.

    Attributes
    ----------
    measure, unit : str
    value : float
        On the units as they are; NaN if undefined.
    corrected : float
        The value without its bias, where the method is the jackknife; else NaN.
    lower, upper : float
    method : str
    n : int
        Units.
    resamples : int
        Resamples in which the measure is defined; 0 where nothing is resampled.
    note : str
        What a reader must know of this interval.
    """

    measure: str
    unit: str
    value: float
    corrected: float
    lower: float
    upper: float
    method: str
    n: int
    resamples: int
    note: str


def named_measures(scored: Scored, measures: Sequence[str] | None = None) -> list[int]:
    """Places of some measures, by default of all.

    Raises
    ------
    ValueError
        If there is no such measure; names those that there are.

    Examples
    --------
    >>> one = ScoredRatios("trees", (Measure("UAS"), Measure("LAS")), np.ones((1, 2)), np.ones((1, 2)))
    >>> named_measures(one, ["LAS"])
    [1]
    """
    names = [measure.name for measure in scored.measures]
    if measures is None:
        return list(range(len(names)))
    if isinstance(measures, str) or not len(measures):
        raise ValueError(f"measures must be a list of some of {', '.join(names)}, not {measures!r}.")
    for name in measures:
        check_choice("measure", name, names)
    return [names.index(name) for name in measures]


def estimates(
    scored: Scored,
    measures: Sequence[str] | None = None,
    *,
    resamples: int = 1000,
    confidence: float = 0.95,
    random_state: RandomState = 0,
) -> list[Estimate]:
    """Each measure with its interval, by the method that suits it.

    Parameters
    ----------
    scored : Scored
    measures : sequence of str, optional
        By default all.
    resamples : int
    confidence : float
    random_state : None, int or numpy Generator

    Returns
    -------
    list of Estimate

    References
    ----------
    Efron & Tibshirani (1993), An Introduction to the Bootstrap, chapters 11 and 13; Miller (1955) for the bias of
    entropies; Wilson (1927).

    Examples
    --------
    >>> one = ScoredRatios("trees", (Measure("UAS"),), np.array([[1], [3]] * 9), np.array([[2], [4]] * 9))
    >>> (found,) = estimates(one, resamples=200)
    >>> found.lower < found.value < found.upper, found.method
    (True, 'percentile')
    """
    check_resampling(resamples, confidence)
    places = named_measures(scored, measures)
    whole = scored.values()[0]
    needs = {scored.measures[place].method for place in places}
    drawn = None
    if needs & {"percentile", "basic"}:
        (drawn,) = resampled_values([scored], resamples, random_state)
    without = scored.left_out() if "jackknife" in needs else {}
    found = []
    for place in places:
        measure, value = scored.measures[place], float(whole[place])
        column = None if drawn is None else drawn[:, place]
        found.append(_estimate(scored, place, value, column, without.get(measure.name), confidence))
    return found


def _estimate(
    scored: Scored, place: int, value: float, drawn: np.ndarray | None, without: np.ndarray | None, confidence: float
) -> Estimate:
    measure = scored.measures[place]
    corrected, number, note = math.nan, 0, ""
    if measure.method == "jackknife":
        assert without is not None
        corrected, error, units = jackknife(value, without)
        lower, upper = t_interval(corrected, error, units - 1, confidence)
        note = few_units(value, corrected, error, scored)
    elif measure.method == "wilson":
        right, items = item_counts(scored, place)
        found = wilson_bounds([right.sum()], [items.sum()], confidence=confidence)
        lower, upper = float(found["lower"][0]), float(found["upper"][0])
    else:
        assert drawn is not None
        lower, upper, number = bootstrap_bounds(drawn, value, measure, confidence)
    if not math.isfinite(value):
        value = lower = upper = math.nan
    lower, upper = within(lower, measure), within(upper, measure)
    return Estimate(measure.name, measure.unit, value, corrected, lower, upper, measure.method, scored.n, number, note)


def bootstrap_bounds(
    drawn: np.ndarray, value: float, measure: Measure, confidence: float = 0.95
) -> tuple[float, float, int]:
    """Percentile interval of the values in the resamples, turned round the value for the basic bootstrap.

    Examples
    --------
    >>> bootstrap_bounds(np.array([0.5, 0.75, 1.0]), 0.5, Measure("many-to-one", method="basic"), 0.5)
    (0.125, 0.375, 3)
    """
    lower, upper, number = percentile_interval(drawn, confidence)
    if measure.method == "basic":
        lower, upper = 2 * value - upper, 2 * value - lower
    return lower, upper, number


def within(bound: float, measure: Measure) -> float:
    """A bound of an interval, no farther than the measure goes; NaN stays.

    Examples
    --------
    >>> within(1.2, Measure("V")), within(-0.1, Measure("V"))
    (1.0, 0.0)
    """
    return bound if math.isnan(bound) else min(max(bound, measure.least), measure.most)


def item_counts(scored: Scored, place: int) -> tuple[np.ndarray, np.ndarray]:
    """What each item adds to the numerator and to the denominator of a share of items."""
    assert isinstance(scored, ScoredRatios)
    return scored.numerators[:, place], scored.denominators[:, place]


def few_units(value: float, corrected: float, error: float, scored: Scored) -> str:
    """What to say of a jackknife on few units whose bias is larger than its standard error; else nothing.

    Examples
    --------
    >>> few_units(3.0, 3.5, 0.1, ScoredRatios("tags", (), np.ones((20, 1)), np.ones((20, 1))))
    'bias exceeds spread: 20 sentences are few, and the interval is too narrow'
    """
    if scored.n >= FEW_UNITS or not abs(value - corrected) > error:
        return ""
    return f"bias exceeds spread: {scored.n:,} {scored.resampled}s are few, and the interval is too narrow"


def resampled_values(
    systems: Sequence[Scored], resamples: int = 1000, random_state: RandomState = 0
) -> list[np.ndarray]:
    """Every measure of each system in the same resamples: one array of shape (resamples, n_measures) a system.

    Raises
    ------
    ValueError
        If the systems have not equally many units.

    Examples
    --------
    >>> one = ScoredRatios("trees", (Measure("UAS"),), np.array([[1], [3]]), np.array([[2], [4]]))
    >>> a, b = resampled_values([one, one], 3)
    >>> bool((a == b).all())
    True
    """
    n = systems[0].n
    if any(system.n != n for system in systems):
        sizes = ", ".join(f"{system.n:,}" for system in systems)
        raise ValueError(f"systems must be scored on the same units; they have {sizes} {systems[0].resampled}s.")
    parts: list[list[np.ndarray]] = [[] for _ in systems]
    for times in _draws(n, resamples, random_state):
        for system, own in zip(systems, parts, strict=True):
            own.append(system.values(times))
    return [np.concatenate(own) for own in parts]


def _draws(n: int, resamples: int, random_state: RandomState) -> Iterator[np.ndarray]:
    return count_draws(n, resamples, random_state, block=max(1, min(resamples, _NUMBERS // max(n, 1))))


class Jackknife(NamedTuple):
    """Value without its bias, its standard error, and the number of units left out in turn."""

    corrected: float
    error: float
    units: int


def jackknife(value: float, without: np.ndarray) -> Jackknife:
    """Correct a statistic for its bias by leaving out each unit in turn.

    Parameters
    ----------
    value : float
        On all units.
    without : ndarray of float, shape (n_units,)
        Without each.

    References
    ----------
    Efron & Tibshirani (1993), An Introduction to the Bootstrap, chapter 11.

    Examples
    --------
    The plug-in variance of 1, 2, 3 is 2/3; without its bias it is 1:

    >>> found = jackknife(np.var([1, 2, 3]), np.array([np.var([2, 3]), np.var([1, 3]), np.var([1, 2])]))
    >>> round(float(found.corrected), 9)
    1.0
    """
    n = len(without)
    if n < 2 or not np.isfinite(without).all():
        return Jackknife(math.nan, math.nan, n)
    mean = float(without.mean())
    error = math.sqrt((n - 1) / n * float(((without - mean) ** 2).sum()))
    return Jackknife(n * value - (n - 1) * mean, error, n)


def t_interval(centre: float, error: float, freedom: float, confidence: float = 0.95) -> tuple[float, float]:
    """Interval of Student's t round a value; NaN without freedom.

    Examples
    --------
    >>> tuple(round(bound, 2) for bound in t_interval(0.0, 1.0, 9))
    (-2.26, 2.26)
    """
    from scipy.special import stdtrit

    if not freedom > 0 or not math.isfinite(error):
        return math.nan, math.nan
    half = float(stdtrit(freedom, (1 + confidence) / 2)) * error
    return centre - half, centre + half


def t_test(difference: float, error: float, freedom: float) -> float:
    """Two-sided p of Student's t for a difference of 0; 1 where the difference has no spread and is 0.

    Examples
    --------
    >>> round(t_test(2.26, 1.0, 9), 2), t_test(0.0, 0.0, 9), t_test(1.0, 0.0, 9)
    (0.05, 1.0, 0.0)
    """
    from scipy.special import stdtr

    if not freedom > 0 or not math.isfinite(error):
        return math.nan
    if error == 0:
        return 1.0 if difference == 0 else 0.0
    return float(2 * stdtr(freedom, -abs(difference) / error))
