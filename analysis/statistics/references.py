"""Ceilings, floors and random systems, as rows that stand beside the scores of a system."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from analysis.statistics.differences import SystemScore, compare_scored
from analysis.statistics.resampling import check_confidence, percentile_interval
from analysis.statistics.scored import Scored, named_measures
from analysis.structures.lazy import pd


def fixed_rows(
    systems: Mapping[str, tuple[Scored, str]],
    measures: Sequence[str] | None = None,
    *,
    resamples: int = 1000,
    confidence: float = 0.95,
    random_state: int = 0,
) -> list[SystemScore]:
    """Scores of systems that no chance enters, with the intervals that any system has.

    Parameters
    ----------
    systems : mapping of str to (Scored, str)
        What each scored, and what it is: the note of its rows.
    measures : sequence of str, optional
        By default all that every system has.
    resamples, confidence, random_state
        As in `analysis.statistics.differences.compare_scored`.

    Returns
    -------
    list of SystemScore

    Examples
    --------
    >>> from analysis.statistics.scored import Measure, ScoredRatios
    >>> one = ScoredRatios("trees", (Measure("UAS"),), np.array([[1], [3]]), np.array([[2], [4]]))
    >>> (row,) = fixed_rows({"left branching": (one, "floor")})
    >>> row.system, round(row.value, 3), row.note
    ('left branching', 0.667, 'floor')
    """
    scored = {name: own for name, (own, _) in systems.items()}
    if not scored:
        return []
    rows, _ = compare_scored(scored, measures, resamples=resamples, confidence=confidence, random_state=random_state)
    return [row._replace(note="; ".join(filter(None, [systems[row.system][1], row.note]))) for row in rows]


def random_rows(
    name: str, note: str, runs: Iterable[Scored], measures: Sequence[str] | None = None, *, confidence: float = 0.95
) -> list[SystemScore]:
    """The mean over runs of a random system, with the interval in which the values of its runs lie.

    The interval is that of single runs, not of their mean: a system inside it scores what chance scores.

    Parameters
    ----------
    name, note : str
    runs : iterable of Scored
        One is scored at a time.
    measures : sequence of str, optional
        By default all.
    confidence : float
        Share of the runs in the interval.

    Returns
    -------
    list of SystemScore
        Runs in which a measure is undefined are left out, and the note says how many; NaN if it always is.

    Raises
    ------
    ValueError
        If there is no run.

    Examples
    --------
    >>> from analysis.statistics.scored import Measure, ScoredRatios
    >>> runs = [ScoredRatios("trees", (Measure("UAS"),), np.array([[k]]), np.array([[4]])) for k in (1, 2, 3)]
    >>> (row,) = random_rows("random", "floor", runs)
    >>> row.value, row.runs, row.lower >= 0.25, row.upper <= 0.75
    (0.5, 3, True, True)
    """
    check_confidence(confidence)
    values, first = [], None
    for run in runs:
        first = first or run
        values.append(run.values()[0, named_measures(run, measures)])
    if first is None:
        raise ValueError("a random system needs at least one run.")
    table, rows = np.array(values), []
    for column, place in enumerate(named_measures(first, measures)):
        measure, drawn = first.measures[place], table[:, column]
        defined = drawn[np.isfinite(drawn)]
        lower, upper, _ = percentile_interval(drawn, confidence)
        mean = float(defined.mean()) if len(defined) else math.nan
        spread = float(defined.std(ddof=1)) if len(defined) > 1 else math.nan
        lost = len(drawn) - len(defined)
        said = f"{note}; interval: {confidence:.0%} of {len(defined):,} runs"
        said += f"; undefined in {lost:,} of {len(drawn):,} runs" if lost else ""
        rows.append(
            SystemScore(name, measure.name, measure.unit, mean, math.nan, lower, upper, len(defined), first.n, spread,
                        math.nan, math.nan, "range of runs", said)
        )  # fmt: skip
    return rows


def references_table(rows: Sequence[SystemScore]) -> pd.DataFrame:
    """Rows as a table with the columns of every table of scores.

    Examples
    --------
    >>> references_table([]).columns.tolist()[:4]
    ['system', 'measure', 'unit', 'value']
    """
    return pd.DataFrame(rows, columns=list(SystemScore._fields))
