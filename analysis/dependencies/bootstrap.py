"""Bootstrap over sentences of scores, and of the difference between two systems."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd

from analysis.dependencies.attachment import MEASURES, AttachmentScores
from analysis.statistics.resampling import check_resampling, paired_difference, percentile_interval, resampled_ratios
from analysis.structures import check_columns


@dataclass(frozen=True)
class BootstrapDifference:
    """Difference between two systems in one measure, with its interval.

    Attributes
    ----------
    measure : str
    difference : float
        Value of the first system minus that of the second, on the original sentences; a proportion, not a percentage.
    lower, upper : float
        Percentile interval of the difference.
    opposite : float
        Proportion of resamples in which the difference is zero or has the opposite sign.
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
        """Return one row with all attributes."""
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
    """Compute a bootstrap interval for the difference between two systems on the same sentences.

    As many sentences as in the data are drawn with replacement, the same for both systems; counts are summed before
    they are divided.

    Parameters
    ----------
    counts_a, counts_b : DataFrame or AttachmentScores
        Counts of each sentence: ``sentence``, the column `measure` and the column `denominator`, in the same order.
        Any ratio of sums over sentences can be compared.
    measure : str
        Column of the numerators: ``"directed"``, ``"undirected"``, ``"NED"``.
    denominator : str
        Column of the denominators.
    resamples : int
    confidence : float
        Between 0 and 1.
    random_state : None, int or numpy.random.Generator

    Returns
    -------
    BootstrapDifference

    Raises
    ------
    ValueError
        If a column is missing, the sentences differ, or nothing is scored.

    Examples
    --------
    >>> counts = pd.DataFrame({"sentence": range(50), "scored": 4, "directed": [3, 2] * 25})
    >>> other = counts.assign(directed=[2, 2] * 25)
    >>> result = paired_bootstrap(counts, other, random_state=1)
    >>> result.difference, result.lower > 0, result.opposite
    (0.125, True, 0.0)
    """
    systems = {"a": counts_a, "b": counts_b}
    (found,) = _differences(systems, measure, denominator, resamples, confidence, random_state).values()
    return found


def bootstrap_intervals(
    counts: pd.DataFrame | AttachmentScores,
    measures: tuple[str, ...] = MEASURES,
    *,
    denominator: str = "scored",
    resamples: int = 1000,
    confidence: float = 0.95,
    random_state: Any = 0,
) -> pd.DataFrame:
    """Compute a percentile bootstrap interval of each measure of one system, resampling sentences.

    Parameters
    ----------
    counts : DataFrame or AttachmentScores
        See `paired_bootstrap`.
    measures : tuple of str
        Columns of the numerators; all use the same resampled sentences.
    denominator, resamples, confidence, random_state
        See `paired_bootstrap`.

    Returns
    -------
    DataFrame
        One row per measure: ``measure``, ``value``, ``lower``, ``upper``, ``n`` (sentences), ``unit``.

    Examples
    --------
    >>> counts = pd.DataFrame({"sentence": range(4), "scored": 2, "directed": 1})
    >>> bootstrap_intervals(counts, ("directed",))
        measure  value  lower  upper  n        unit
    0  directed    0.5    0.5    0.5  4  proportion
    """
    values, drawn, n = _resampled(
        [(counts, measure) for measure in measures], denominator, resamples, confidence, random_state
    )
    rows = [
        (measure, value, *percentile_interval(column, confidence)[:2], n, "proportion")
        for measure, value, column in zip(measures, values, drawn.T, strict=True)
    ]
    return pd.DataFrame(rows, columns=["measure", "value", "lower", "upper", "n", "unit"])


def intervals_by(counts: Mapping[Any, pd.DataFrame | AttachmentScores], name: str, **options: Any) -> pd.DataFrame:
    """Compute `bootstrap_intervals` for several scores of one system, e.g. by relation or gold standard.

    Parameters
    ----------
    counts : mapping
        Counts or scores by label; see `analysis.dependencies.sentence_counts_by`.
    name : str
        Name of the label column.
    **options
        Options of `bootstrap_intervals`.

    Returns
    -------
    DataFrame
        ``name``, then the columns of `bootstrap_intervals`.

    Examples
    --------
    >>> counts = pd.DataFrame({"sentence": range(4), "scored": 2, "directed": 1})
    >>> intervals_by({"SBJ": counts, "OBJ": counts}, "relation", measures=("directed",))["relation"].tolist()
    ['SBJ', 'OBJ']
    """
    tables = {label: bootstrap_intervals(part, **options) for label, part in counts.items()}
    return pd.concat(tables, names=[name]).reset_index(name).reset_index(drop=True)


def compare_pairs(
    systems: Mapping[str, pd.DataFrame | AttachmentScores],
    measure: str = "directed",
    *,
    denominator: str = "scored",
    resamples: int = 1000,
    confidence: float = 0.95,
    random_state: Any = 0,
) -> pd.DataFrame:
    """Compute `paired_bootstrap` for every pair of systems with the same resampled sentences, better system first.

    Errors are those of `paired_bootstrap`.

    Parameters
    ----------
    systems : mapping of str to DataFrame or AttachmentScores
        Counts of each system, by name.
    measure, denominator, resamples, confidence, random_state
        See `paired_bootstrap`.

    Returns
    -------
    DataFrame
        One row per pair: ``better``, ``worse``, then the attributes of `BootstrapDifference`.

    Examples
    --------
    >>> counts = pd.DataFrame({"sentence": range(4), "scored": 2, "directed": 1})
    >>> compare_pairs({"LB": counts, "DMV": counts.assign(directed=2)})[["better", "worse", "difference"]]
      better worse  difference
    0    DMV    LB         0.5
    """
    if len(systems) < 2:
        return pd.DataFrame(columns=["better", "worse"])
    found = _differences(systems, measure, denominator, resamples, confidence, random_state, better_first=True)
    rows = [{"better": better, "worse": worse} | vars(row) for (better, worse), row in found.items()]
    return pd.DataFrame(rows)


def _differences(
    systems: Mapping[str, pd.DataFrame | AttachmentScores],
    measure: str,
    denominator: str,
    resamples: int,
    confidence: float,
    random_state: Any,
    *,
    better_first: bool = False,
) -> dict[tuple[str, str], BootstrapDifference]:
    """Compute the difference of each pair of systems with the same resampled sentences."""
    values, drawn, n = _resampled(
        [(counts, measure) for counts in systems.values()], denominator, resamples, confidence, random_state
    )
    names, found = list(systems), {}
    for first, second in combinations(range(len(names)), 2):
        a, b = (second, first) if better_first and values[second] > values[first] else (first, second)
        difference = float(values[a] - values[b])
        lower, upper, opposite, defined = paired_difference(drawn[:, a], drawn[:, b], difference, confidence)
        found[names[a], names[b]] = BootstrapDifference(
            measure,
            difference,
            lower,
            upper,
            opposite,
            confidence,
            defined,
            n,
            "sentences resampled, both systems together; percentile interval",
        )
    return found


def _resampled(
    sides: Sequence[tuple[pd.DataFrame | AttachmentScores, str]],
    denominator: str,
    resamples: int,
    confidence: float,
    random_state: Any,
) -> tuple[list[float], np.ndarray, int]:
    """Compute a measure of each table on the original sentences and in each resample (row); return also their
    number.
    """
    check_resampling(resamples, confidence)
    columns = [_counts(counts, measure, denominator) for counts, measure in sides]
    if not all(np.array_equal(columns[0][0], column[0]) for column in columns):
        raise ValueError("the two tables must have the same sentences in the same order.")
    right, scored = (np.column_stack([column[place] for column in columns]) for place in (1, 2))
    if not scored.sum(axis=0).all():
        raise ValueError("nothing is scored: there is no interval.")
    values = (right.sum(axis=0) / scored.sum(axis=0)).tolist()
    return values, resampled_ratios(right, scored, resamples, random_state), len(right)


def _counts(
    counts: pd.DataFrame | AttachmentScores, measure: str, denominator: str
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    table = counts.sentences if isinstance(counts, AttachmentScores) else counts
    check_columns(table, ("sentence", measure, denominator), "counts")
    return (
        table["sentence"].to_numpy(),
        table[measure].to_numpy(dtype=np.int64),
        table[denominator].to_numpy(dtype=np.int64),
    )
