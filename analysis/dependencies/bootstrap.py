"""How far a score, or the difference of two systems, depends on the sentences that happened to be in the test set."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd

from analysis.dependencies.attachment import MEASURES, AttachmentScores


@dataclass(frozen=True)
class BootstrapDifference:
    """The difference of two systems in one measure, with its interval.

    Attributes
    ----------
    measure : str
    difference : float
        Value of the first system minus that of the second, on the sentences as they are; a proportion, not a
        percentage.
    lower, upper : float
        Percentile interval of the difference.
    opposite : float
        Share of the resamples in which the difference is zero or has the other sign.
    confidence, resamples, sentences : float, int, int
    convention : str

    Examples
    --------
    >>> counts = pd.DataFrame({"sentence": [0, 1], "scored": [2, 2], "directed": [2, 2]})
    >>> result = paired_bootstrap(counts, counts.assign(directed=[1, 1]), "directed", random_state=0)
    >>> result.difference, result.lower, result.upper, result.opposite
    (0.5, 0.5, 0.5, 0.0)
    """

    measure: str
    difference: float
    lower: float
    upper: float
    opposite: float
    confidence: float
    resamples: int
    sentences: int
    convention: str
    unit: str = "proportion"

    def to_frame(self) -> pd.DataFrame:
        """One row with every attribute."""
        return pd.DataFrame([vars(self)])


def paired_bootstrap(
    counts_a: pd.DataFrame | AttachmentScores,
    counts_b: pd.DataFrame | AttachmentScores,
    measure: str = "directed",
    *,
    denominator: str = "scored",
    resamples: int = 1000,
    confidence: float = 0.95,
    random_state: Any = 0,
) -> BootstrapDifference:
    """Interval for the difference of two systems on the same sentences.

    Sentences are drawn with replacement, as many as there are, the same for both systems; counts are summed before
    they are divided.

    Parameters
    ----------
    counts_a, counts_b : DataFrame or AttachmentScores
        Counts of each sentence: ``sentence``, the column `measure` and the column `denominator`, in the same order.
        Any measure that is a ratio of sums over sentences can be compared.
    measure : str
        Column with the numerators: ``"directed"``, ``"undirected"``, ``"NED"``.
    denominator : str
        Column with the denominators.
    resamples : int
    confidence : float
        Between 0 and 1.
    random_state : None, int or numpy.random.Generator

    Raises
    ------
    ValueError
        If a column is missing, the sentences are not the same, or nothing is scored.

    Examples
    --------
    >>> counts = pd.DataFrame({"sentence": range(50), "scored": 4, "directed": [3, 2] * 25})
    >>> other = counts.assign(directed=[2, 2] * 25)
    >>> result = paired_bootstrap(counts, other, random_state=1)
    >>> result.difference, result.lower > 0, result.opposite
    (0.125, True, 0.0)
    """
    table = _side_by_side([counts_a, counts_b], measure, denominator)
    _check(table, table.sum(axis=0)[1::2], resamples, confidence)
    sums = _resampled(table, resamples, random_state)
    return _difference(measure, sums, table, (0, 1), confidence)


def bootstrap_intervals(
    counts: pd.DataFrame | AttachmentScores,
    measures: tuple[str, ...] = MEASURES,
    *,
    denominator: str = "scored",
    resamples: int = 1000,
    confidence: float = 0.95,
    random_state: Any = 0,
) -> pd.DataFrame:
    """Percentile interval of each measure of one system, sentences resampled.

    Parameters
    ----------
    counts : DataFrame or AttachmentScores
        As in `paired_bootstrap`.
    measures : tuple of str
        Columns with numerators; all are resampled with the same sentences.
    denominator, resamples, confidence, random_state
        As in `paired_bootstrap`.

    Returns
    -------
    DataFrame
        One row a measure: ``measure``, ``value``, ``lower``, ``upper``, ``n`` (sentences), ``unit``.

    Examples
    --------
    >>> counts = pd.DataFrame({"sentence": range(4), "scored": 2, "directed": 1})
    >>> bootstrap_intervals(counts, ("directed",))
        measure  value  lower  upper  n        unit
    0  directed    0.5    0.5    0.5  4  proportion
    """
    columns = [_counts(counts, measure, denominator) for measure in measures]
    table = np.column_stack([*(column[1] for column in columns), columns[0][2]])
    _check(table, table.sum(axis=0)[-1:], resamples, confidence)
    sums = _resampled(table, resamples, random_state)
    sums = sums[sums[:, -1] > 0]
    total = table.sum(axis=0)
    rows = []
    for place, measure in enumerate(measures):
        lower, upper = _interval(sums[:, place] / sums[:, -1], confidence)
        rows.append((measure, float(total[place] / total[-1]), lower, upper, len(table), "proportion"))
    return pd.DataFrame(rows, columns=["measure", "value", "lower", "upper", "n", "unit"])


def compare_systems(
    systems: Mapping[str, pd.DataFrame | AttachmentScores],
    measure: str = "directed",
    *,
    denominator: str = "scored",
    resamples: int = 1000,
    confidence: float = 0.95,
    random_state: Any = 0,
) -> pd.DataFrame:
    """`paired_bootstrap` for each pair of systems, all with the same sentences drawn, the better of the two first.

    Parameters and errors are those of `paired_bootstrap`.

    Returns
    -------
    DataFrame
        One row a pair: ``better``, ``worse``, then as `BootstrapDifference`.

    Examples
    --------
    >>> counts = pd.DataFrame({"sentence": range(4), "scored": 2, "directed": 1})
    >>> compare_systems({"LB": counts, "DMV": counts.assign(directed=2)})[["better", "worse", "difference"]]
      better worse  difference
    0    DMV    LB         0.5
    """
    if len(systems) < 2:
        return pd.DataFrame(columns=["better", "worse"])
    table = _side_by_side(list(systems.values()), measure, denominator)
    total = table.sum(axis=0)
    _check(table, total[1::2], resamples, confidence)
    sums = _resampled(table, resamples, random_state)
    rows = []
    for first, second in combinations(range(len(systems)), 2):
        values = total[[2 * first, 2 * second]] / total[[2 * first + 1, 2 * second + 1]]
        pair = (second, first) if values[1] > values[0] else (first, second)
        better, worse = (list(systems)[place] for place in pair)
        rows.append(_difference(measure, sums, table, pair, confidence).to_frame().assign(better=better, worse=worse))
    found = pd.concat(rows, ignore_index=True)
    return found[["better", "worse", *(name for name in found.columns if name not in ("better", "worse"))]]


def _side_by_side(systems: Sequence[pd.DataFrame | AttachmentScores], measure: str, denominator: str) -> np.ndarray:
    """Numerators and denominators of each system in turn, a row a sentence."""
    sides = [_counts(side, measure, denominator) for side in systems]
    if not all(np.array_equal(sides[0][0], side[0]) for side in sides):
        raise ValueError("the two tables must have the same sentences in the same order.")
    return np.column_stack([column for side in sides for column in side[1:]])


def _difference(
    measure: str, sums: np.ndarray, table: np.ndarray, pair: tuple[int, int], confidence: float
) -> BootstrapDifference:
    """One system of `_side_by_side` less another, from the sums of the resamples."""
    columns = [column for place in pair for column in (2 * place, 2 * place + 1)]
    a, b, c, d = sums[:, columns].T
    with np.errstate(divide="ignore", invalid="ignore"):
        drawn = a / b - c / d
    total = table.sum(axis=0)[columns]
    difference = float(total[0] / total[1] - total[2] / total[3])
    drawn = drawn[np.isfinite(drawn)]
    lower, upper = _interval(drawn, confidence)
    return BootstrapDifference(
        measure,
        difference,
        lower,
        upper,
        float(np.mean(drawn * np.sign(difference) <= 0)),
        confidence,
        len(drawn),
        len(table),
        "sentences resampled, both systems together; percentile interval",
    )


def _counts(
    counts: pd.DataFrame | AttachmentScores, measure: str, denominator: str
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    table = counts.sentences if isinstance(counts, AttachmentScores) else counts
    for column in ("sentence", measure, denominator):
        if column not in table.columns:
            raise ValueError(f"the counts have no column {column!r}; they have {', '.join(map(str, table.columns))}.")
    return (
        table["sentence"].to_numpy(),
        table[measure].to_numpy(dtype=np.int64),
        table[denominator].to_numpy(dtype=np.int64),
    )


def _check(table: np.ndarray, scored: np.ndarray, resamples: int, confidence: float) -> None:
    if not 0 < confidence < 1:
        raise ValueError(f"confidence must lie between 0 and 1, not be {confidence!r}.")
    if resamples < 1:
        raise ValueError(f"resamples must be at least 1, not {resamples!r}.")
    if not len(table) or not scored.all():
        raise ValueError("nothing is scored: there is no interval.")


def _resampled(table: np.ndarray, resamples: int, random_state: Any) -> np.ndarray:
    """Sums of the columns of `table` in each resample of its rows.

    Returns
    -------
    ndarray of int64, shape (resamples, n_columns)
    """
    rng = np.random.default_rng(random_state)
    n = len(table)
    sums = np.empty((resamples, table.shape[1]), dtype=np.int64)
    for resample in range(resamples):
        times_drawn = np.bincount(rng.integers(0, n, n), minlength=n)
        sums[resample] = times_drawn @ table
    return sums


def _interval(values: np.ndarray, confidence: float) -> tuple[float, float]:
    tail = (1 - confidence) / 2
    lower, upper = np.quantile(values, [tail, 1 - tail])
    return float(lower), float(upper)
