"""What all subjects share: a scored file, its records with intervals and signatures, and systems of several runs."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from analysis.evaluation.records import Record
from analysis.evaluation.signatures import signature
from analysis.statistics.differences import SystemDifference, SystemScore, Test, compare_scored
from analysis.statistics.scored import Estimate, Scored, estimates
from analysis.structures.digests import plain_number


@dataclass(frozen=True)
class IntervalOptions:
    """How intervals are found, beside the method, which the measure decides.

    Attributes
    ----------
    resamples : int
        Of the bootstrap, at least 2; not read without intervals.
    confidence : float
    random_state : int
    shown : bool
        Whether there are intervals at all.

    Examples
    --------
    >>> IntervalOptions(confidence=0.9)
    IntervalOptions(resamples=1000, confidence=0.9, random_state=0, shown=True)
    """

    resamples: int = 1000
    confidence: float = 0.95
    random_state: int = 0
    shown: bool = True


@dataclass(frozen=True, eq=False)
class Run:
    """One file of a system, scored.

    Attributes
    ----------
    system : str
        Name of the file, or of the system.
    records : list of dict
        One per row that is shown: ``system``, ``measure``, ``value``, ``unit``, counts, ``conventions``.
    measures : list of str
        Name in `scored` of the measure of each record.
    scored : Scored
    alone : frozenset of str
        Measures whose denominator the system itself decides; systems are not compared by them.
    references : callable, optional
        Takes `IntervalOptions`, returns ceilings, floors and random systems for these scores: a table such as
        `analysis.categories.reference_scores` gives.
    dependent : str
        What is said of units that tests and intervals take for independent; empty if they are.
    lists : mapping of str to callable
        ``costliest`` and ``confusion``, where there are such: functions without arguments that give a table.

    Examples
    --------
    >>> import numpy as np
    >>> from analysis.statistics.scored import Measure, ScoredRatios
    >>> scored = ScoredRatios("trees", (Measure("UAS"),), np.array([[1], [2]]), np.array([[2], [2]]))
    >>> row = {"system": "a", "measure": "UAS", "value": 0.75, "conventions": "punctuation=kept"}
    >>> (found,) = with_intervals([Run("a", [row], ["UAS"], scored)], IntervalOptions(resamples=50))
    >>> found["lower"], found["upper"], found["signature"].partition("|")[0]
    (0.5, 1.0, 'trees/uas')
    """

    system: str
    records: list[Record]
    measures: list[str]
    scored: Scored
    alone: frozenset[str] = field(default_factory=frozenset)
    references: Callable[[IntervalOptions], Any] | None = None
    lists: Mapping[str, Callable[[], Any]] = field(default_factory=dict)
    dependent: str = ""


class Compared(NamedTuple):
    """Systems on the same units: a record per system and measure, and one per difference from the first system."""

    scores: list[Record]
    differences: list[Record]


def with_intervals(
    runs: Iterable[Run],
    options: IntervalOptions | None = None,
    known: Mapping[tuple[str, str], SystemScore] | None = None,
) -> list[Record]:
    """The records of all files, with ``lower``, ``upper``, ``corrected`` where a measure is biased, and ``signature``.

    Parameters
    ----------
    runs : iterable of Run
    options : IntervalOptions, optional
    known : mapping of (system, measure) to SystemScore, optional
        Scores with these options that a comparison of the runs found; they are not computed again.

    Returns
    -------
    list of dict
        What a reader must know of an interval is added to ``conventions``.

    Examples
    --------
    See `Run`.
    """
    chosen = options or IntervalOptions()
    records = []
    for run in runs:
        found: dict[str, Estimate | SystemScore] = {
            name: known[run.system, name] for name in run.measures if known and (run.system, name) in known
        }
        missing = [name for name in dict.fromkeys(run.measures) if name not in found]
        if chosen.shown and run.scored.n and missing:
            rows = estimates(
                run.scored, missing, resamples=chosen.resamples, confidence=chosen.confidence,
                random_state=chosen.random_state,
            )  # fmt: skip
            found |= {row.measure: row for row in rows}
        biased = any(measure.method == "jackknife" for measure in run.scored.measures)
        for record, measure in zip(run.records, run.measures, strict=True):
            row = found.get(measure)
            doubtful = row is not None and _bias_exceeds_interval(row)
            lower, upper = (None, None) if row is None or doubtful else (row.lower, row.upper)
            bounds = (lower, upper, row.corrected if row else None)
            names = (("lower", "upper", "corrected") if biased else ("lower", "upper")) if chosen.shown else ()
            own: Record = {name: _number(bound) for name, bound in zip(names, bounds, strict=False)}
            own["signature"] = signature_of(run, measure, chosen)
            noted = _NO_INTERVAL if doubtful else _said(row, chosen.confidence)
            said = "; ".join(part for part in (record["conventions"], noted) if part)
            kept = {name: value for name, value in record.items() if name not in (*own, "conventions")}
            records.append({**kept, **own, "conventions": said})
    return records


def reference_records(runs: Iterable[Run], options: IntervalOptions, like: Record) -> list[Record]:
    """Ceilings, floors and random systems for scored files, as records; what is the same for all files comes once.

    Parameters
    ----------
    runs : iterable of Run
    options : IntervalOptions
    like : dict
        A record of the scores; the new ones have its fields.

    Returns
    -------
    list of dict
        ``conventions`` says which are ceilings and which are floors.

    Raises
    ------
    ValueError
        If nothing is known to compare the scores of this subject with.

    Examples
    --------
    >>> import pandas as pd
    >>> table = pd.DataFrame([{"system": "copy", "measure": "accuracy", "value": 0.5, "note": "floor"}])
    >>> run = Run("a", [], ["accuracy"], None, references=lambda options: table)
    >>> reference_records([run, run], IntervalOptions(), {"system": "a", "measure": "accuracy", "value": 1.0,
    ...                                                   "conventions": ""})
    [{'system': 'copy', 'measure': 'accuracy', 'value': 0.5, 'conventions': 'floor'}]
    """
    found: dict[tuple[str, str], Record] = {}
    for run in runs:
        if run.references is None:
            raise ValueError("there is no ceiling or floor of these scores: of groups there is none.")
        for row in run.references(options).to_dict("records"):
            name = row["system"].replace("own sizes", f"sizes of {run.system}")
            if row["measure"] not in run.measures or (name, row["measure"]) in found:
                continue
            evaluation, _, measure = row["measure"].rpartition(": ")
            values = {each: _number(row.get(each)) for each in ("value", "lower", "upper", "corrected")}
            n = row.get("n") if "runs" in like else None  # of single files n is not the number of resampled units
            own = {"evaluation": evaluation, "measure": measure} if "evaluation" in like else {}
            known = {**row, **values, **own, "n": n, "system": name, "conventions": row["note"], "signature": ""}
            found[name, row["measure"]] = {each: known.get(each) for each in like}
    return list(found.values())


def _said(row: Estimate | SystemScore | None, confidence: float) -> str:
    """What a reader must know of an interval."""
    if row is None or not math.isfinite(row.lower):
        return ""
    kind = f"Wilson interval, {plain_number(round(100 * confidence, 10))}%" if row.method == "wilson" else ""
    few = _FEW if row.measure == "one-to-one" and row.n < _ENOUGH else ""
    return "; ".join(part for part in (kind, row.note, few) if part)


_NO_INTERVAL = (
    "no interval: the estimated bias is larger than the interval would be wide, and so may be what is left of it; "
    "corrected is the estimate without it"
)
_ENOUGH = 1000  # sentences from which the interval of one-to-one holds the value about as often as it says
_FEW = f"on less than {_ENOUGH:,} sentences this interval holds the value less often than it says"


def _bias_exceeds_interval(row: Estimate | SystemScore) -> bool:
    """Whether the bias that the jackknife estimates is larger than its interval is wide.

    The jackknife removes the part of the bias that falls as 1/n. In the simulation of ``docs/coverage.md`` the interval
    held the value in 0 to 6 % of such samples of up to 1,000 sentences, and in 94 % or more of the others.
    """
    return row.method == "jackknife" and abs(row.value - row.corrected) > row.upper - row.lower + 1e-9


def signature_of(run: Run, measure: str, options: IntervalOptions, *, runs: int = 1) -> str:
    """Signature of one measure of a file, or of several runs such as it.

    Examples
    --------
    >>> import numpy as np
    >>> from analysis.statistics.scored import Measure, ScoredRatios
    >>> scored = ScoredRatios("trees", (Measure("UAS"),), np.array([[1], [2]]), np.array([[2], [2]]))
    >>> signature_of(Run("a", [], [], scored), "UAS", IntervalOptions(shown=False)).rpartition("|yardstick")[0]
    'trees/uas|resampled:sentence|n:2|interval:none|data:unknown'
    """
    return signature(
        run.scored, measure, resamples=options.resamples, confidence=options.confidence,
        random_state=options.random_state, intervals=options.shown, runs=runs,
    )  # fmt: skip


def compare_runs(
    systems: Mapping[str, Sequence[Run]], options: IntervalOptions | None = None, *, test: Test = "bootstrap"
) -> Compared:
    """Systems of one or several runs: scores with the variation over runs and units, and tests against the first.

    Parameters
    ----------
    systems : mapping of str to sequence of Run
        The first is the baseline.
    options : IntervalOptions, optional
    test : {"bootstrap", "sign flips"}
        Of ratios of sums of single runs; other measures have their own test, see
        `analysis.statistics.differences.compare_scored`.

    Returns
    -------
    Compared
        What `analysis.evaluation.compare_systems` gives, as records: missing numbers are None, and each record has a
        ``signature``; a difference has the values of both systems.

    Raises
    ------
    ValueError
        If the systems were not scored on the same data in the same way, or have no measure in common.

    Examples
    --------
    >>> import numpy as np
    >>> from analysis.statistics.scored import Measure, ScoredRatios
    >>> def run(name, right):
    ...     scored = ScoredRatios("trees", (Measure("UAS"),), np.array(right)[:, None], np.full((len(right), 1), 4))
    ...     return [Run(name, [], ["UAS"], scored)]
    >>> found = compare_runs({"LB": run("LB", [1, 2] * 20), "DMV": run("DMV", [2, 3] * 20)})
    >>> row = found.differences[0]
    >>> row["difference"], row["value"], row["baseline value"], row["better"]
    (0.25, 0.625, 0.375, 'DMV')
    """
    chosen = options or IntervalOptions()
    scores, differences = _compared(systems, chosen, test)
    first = next(iter(systems.values()))[0]
    plain = [
        row._replace(lower=math.nan, upper=math.nan, note=_NO_INTERVAL) if _bias_exceeds_interval(row) else row
        for row in scores
    ]
    return Compared(
        [_plain(row, signature_of(first, row.measure, chosen, runs=row.runs)) for row in plain], differences
    )


def scores_beside_differences(
    systems: Mapping[str, Run], options: IntervalOptions | None = None, *, test: Test = "bootstrap"
) -> Compared:
    """As `compare_runs` for single runs, with the scores as `with_intervals` gives them.

    Parameters
    ----------
    systems : mapping of str to Run
        By their names; the first is the baseline.
    options : IntervalOptions, optional
    test : {"bootstrap", "sign flips"}

    Returns
    -------
    Compared

    Raises
    ------
    ValueError
        As `compare_runs`.

    Examples
    --------
    >>> import numpy as np
    >>> from analysis.statistics.scored import Measure, ScoredRatios
    >>> def run(name, right):
    ...     scored = ScoredRatios("trees", (Measure("UAS"),), np.array(right)[:, None], np.full((len(right), 1), 4))
    ...     return Run(name, [{"system": name, "measure": "UAS", "value": 0.5, "conventions": ""}], ["UAS"], scored)
    >>> systems = {"LB": run("LB", [1, 2] * 20), "DMV": run("DMV", [2, 3] * 20)}
    >>> found = scores_beside_differences(systems)
    >>> found.scores == with_intervals(systems.values()), found.differences[0]["difference"]
    (True, 0.25)
    """
    chosen = options or IntervalOptions()
    scores, differences = _compared({name: [run] for name, run in systems.items()}, chosen, test)
    known = {(row.system, row.measure): row for row in scores}
    return Compared(with_intervals(systems.values(), chosen, known), differences)


#: Fields of a difference that stand beside a score, and their names there.
_BESIDE = {
    "baseline": "baseline", "difference": "difference", "corrected": "difference_corrected",
    "lower": "difference_lower", "upper": "difference_upper", "p": "p", "p_holm": "p_holm", "test": "test",
    "better": "better", "note": "difference_note",
}  # fmt: skip


def with_differences(records: Sequence[Record], measures: Sequence[str], differences: Iterable[Record]) -> list[Record]:
    """Scores with the difference from the baseline beside each, None where there is none.

    Parameters
    ----------
    records : sequence of dict
        As `scores_beside_differences` or `compare_runs` gives them; others may follow.
    measures : sequence of str
        Name in ``Run.measures`` of the measure of each of the first records.
    differences : iterable of dict

    Examples
    --------
    >>> scores = [{"system": "LB", "value": 0.25}, {"system": "DMV", "value": 0.5}]
    >>> row = {"system": "DMV", "measure": "UAS", "baseline": "LB", "difference": 0.25, "lower": 0.1, "upper": 0.4,
    ...        "p": 0.01, "p_holm": 0.01, "test": "bootstrap", "better": "DMV"}
    >>> [(found["difference"], found["better"]) for found in with_differences(scores, ["UAS", "UAS"], [row])]
    [(None, None), (0.25, 'DMV')]
    """
    found = {(row["system"], row["measure"]): row for row in differences}
    names = [*measures, *[""] * (len(records) - len(measures))]
    rows = (found.get((record["system"], name), {}) for record, name in zip(records, names, strict=True))
    return [
        {**record, **{name: row.get(field) for field, name in _BESIDE.items()}}
        for record, row in zip(records, rows, strict=True)
    ]


def _compared(
    systems: Mapping[str, Sequence[Run]], chosen: IntervalOptions, test: Test
) -> tuple[list[SystemScore], list[Record]]:
    """Scores as the statistics have them, and differences as records."""
    first = next(iter(systems.values()))[0]
    shared = [
        name for name in dict.fromkeys(first.measures)
        if all(name in run.measures and name not in run.alone for runs in systems.values() for run in runs)
    ]  # fmt: skip
    if not shared:
        raise ValueError("the systems have no measure in common by which they can be compared.")
    scores, differences = compare_scored(
        {name: [run.scored for run in runs] for name, runs in systems.items()}, shared, test=test,
        resamples=chosen.resamples, confidence=chosen.confidence, random_state=chosen.random_state,
    )  # fmt: skip
    runs = {name: len(own) for name, own in systems.items()}
    values = {(row.system, row.measure): row.value for row in scores}
    compared = []
    for row in differences:
        number = max(runs[row.system], runs[row.baseline])
        row = row._replace(note="; ".join(filter(None, (row.note, first.dependent))))
        record = _plain(row, signature_of(first, row.measure, chosen, runs=number))
        both = {
            "value": _number(values[row.system, row.measure]),
            "baseline value": _number(values[row.baseline, row.measure]),
        }
        place = list(record).index("difference")
        pairs = list(record.items())
        compared.append({**dict(pairs[:place]), **both, **dict(pairs[place:])})
    return scores, compared


def _plain(row: SystemScore | SystemDifference, line: str) -> Record:
    record: Record = row._asdict()
    for name, value in record.items():
        record[name] = _number(value) if isinstance(value, float) else value
    return {**record, "signature": line}


def _number(value: float | None) -> float | None:
    """A number as Python has it; None where it is missing or not finite."""
    return None if value is None or not math.isfinite(value) else float(value)
