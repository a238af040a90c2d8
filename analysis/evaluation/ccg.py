"""Score a parser's AUTO file against a gold one: what ``evaluate ccg`` prints."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from analysis.ccg import evaluate, scored_derivations
from analysis.corpora.ccgbank import read_auto
from analysis.corpora.opening import Text
from analysis.evaluation.incidents import check_systems, incident_lines, incidents_of, opened
from analysis.evaluation.parts import check_by, evaluations_by, group_records
from analysis.evaluation.records import Record, score_record, tabulated
from analysis.evaluation.scoring import IntervalOptions, Run, with_intervals
from analysis.statistics.scored import ScoredRatios
from analysis.statistics.sentence_counts import Evaluation
from analysis.structures import DataError, Incident
from analysis.structures.ccg_category import PUNCTUATION
from analysis.structures.columns import Columns, as_given
from analysis.structures.derivation import Derivations
from analysis.structures.incidents import gathering
from analysis.structures.scores import describe_conventions

if TYPE_CHECKING:
    import pandas as pd


def score_ccg(
    gold: str | Path,
    systems: Sequence[str | Path | Text],
    *,
    punctuation: bool = True,
    heads: str = "auto",
    differing_words: str = "count",
    by: str | None = None,
    strict: bool = False,
    encoding: str | None = None,
    incidents: list[Incident] | None = None,
) -> list[Run]:
    r"""Score AUTO files by all evaluations of Clark & Hockenmaier (2002).

    Parameters
    ----------
    gold, systems : path
    punctuation : bool
        Whether punctuation counts; in the paper it does not.
    heads : {"auto", "field", "rule"}
        See `analysis.ccg.tree_dependencies`.
    differing_words : {"count", "refuse"}
        See `analysis.ccg.alignment.align`.
    by : {"relation", "sentence length"}, optional
        One record per measure and group: category, label or relation, or length of the gold sentence.
    strict : bool
        Raise at the first defect of a file; else a sentence that cannot be read counts as one without a derivation, and
        is listed.
    encoding : str, optional
        Of all files.
    incidents : list of Incident, optional
        Gets what was wrong with the files.

    Returns
    -------
    list of Run
        One per file. A sentence whose gold derivation cannot be read counts nothing.

    Raises
    ------
    DataError
        If a file cannot be read, the sentences do not align, or no gold sentence can be scored.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = Path(folder) / "gold.auto"
    ...     _ = file.write_text("ID=s\n(<L N X X dogs N>)\n", encoding="utf-8")
    ...     (run,) = score_ccg(file, [file])
    >>> run.measures[0], run.records[0]["value"]
    ('lexical categories: accuracy', 1.0)
    """
    check_by("ccg", by)
    check_systems(systems)
    told = [] if incidents is None else incidents
    reference, gold_bank = _read(gold, strict, encoding, told)
    options: dict[str, Any] = {"punctuation": punctuation, "heads": heads, "differing_words": differing_words}
    runs = []
    for path in systems:
        text, bank = _read(path, strict, encoding, told)
        with gathering(told):
            runs.append(_run((reference.name, text.name), (gold_bank, bank), options, strict, told, by))
    return runs


@tabulated
def evaluate_ccg(
    gold: str | Path, systems: Sequence[str | Path], *, intervals: IntervalOptions | None = None, **choices: Any
) -> list[Record]:
    r"""All evaluations of Clark & Hockenmaier (2002) of each system's AUTO file, with intervals by sentence.

    Parameters
    ----------
    gold, systems : path
        See `score_ccg`.
    intervals : IntervalOptions, optional
    **choices
        As in `score_ccg`.

    Returns
    -------
    DataFrame
        One row per system and measure: ``system``, ``evaluation``, ``measure``, ``value``, ``unit``, ``numerator``,
        ``denominator``, how many sentences were scored, failed, dropped, ``lower``, ``upper``, ``signature``,
        ``conventions``.

    Raises
    ------
    DataError
        As `score_ccg`.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = Path(folder) / "gold.auto"
    ...     _ = file.write_text("ID=s\n(<L N X X dogs N>)\n", encoding="utf-8")
    ...     table = evaluate_ccg(file, [file])
    >>> table["measure"].tolist()[0], table["value"].tolist()[0]
    ('accuracy', 1.0)
    """
    return with_intervals(score_ccg(gold, systems, **choices), intervals)


def choices_of_ccg(parts: Mapping[str, str]) -> dict[str, Any]:
    """The arguments of `score_ccg` that a signature names.

    Examples
    --------
    >>> choices_of_ccg({"punctuation": "counted", "heads": "field", "differing-words": "count"})
    {'punctuation': True, 'heads': 'field', 'differing_words': 'count', 'by': None}
    """
    return {
        "punctuation": parts.get("punctuation", "counted") == "counted",
        "heads": parts.get("heads", "auto").partition(" ")[0],
        "differing_words": parts["differing-words"],
        "by": parts.get("by"),
    }


def _read(
    path: str | Path | Text, strict: bool, encoding: str | None, told: list[Incident]
) -> tuple[Text, Derivations]:
    text = opened(path, encoding)
    with gathering(told):
        bank = read_auto(text, strict=strict)
    told += _incidents(bank)
    return text, bank


def _incidents(found: Derivations | Evaluation) -> list[Incident]:
    return incidents_of(as_given(found, "incidents"))


def _run(
    names: tuple[str, str],
    banks: tuple[Derivations, Derivations],
    options: Mapping[str, Any],
    strict: bool,
    told: list[Incident],
    by: str | None,
) -> Run:
    found = evaluate(*banks, **options)
    if not found[0].counted().any():
        found_first = "; ".join(incident_lines(_incidents(banks[0])))
        raise DataError(f"nothing is left to score: no gold sentence has a derivation ({found_first or names[0]}).")
    lacking = [incident for incident in _incidents(found[3]) if incident.kind.startswith("missing in")]
    if strict and lacking:
        raise DataError(lacking[0])
    files = dict(zip(("gold", "system"), names, strict=True))
    told += [
        replace(incident, file=files.get(incident.file, incident.file))
        for evaluation in found[3:]
        for incident in _incidents(evaluation)
    ]
    tokens = as_given(banks[0], "tokens")
    without = "" if options["punctuation"] else f"; {_removed(tokens)}"
    records: list[Record] = []
    for evaluation in found:
        for score in evaluation.scores():
            record = score_record(score)
            said = record.pop("convention")
            said += without if "punctuation=disregarded" in said else ""
            parts = {name: int(count) for name, count in score.parts.items()}
            row = {"system": names[1], "evaluation": evaluation.name, **record, **parts}
            records.append({**row, "conventions": said})
    every = dict.fromkeys(name for record in records for name in record)
    records = [{name: record.get(name) for name in every if name != "conventions"} | {
        "conventions": record["conventions"]} for record in records]  # fmt: skip
    scored = scored_derivations(found, banks[0], {"differing words": options["differing_words"]})
    if by is not None:
        return _run_by(names[1], found, scored, by, banks[0].tokens)
    measures = [measure.name for measure in scored.measures]
    return Run(names[1], records, measures, scored, references=partial(_references, found[0]))


def _references(categories: Evaluation, options: IntervalOptions) -> pd.DataFrame:
    from analysis.ccg.references import reference_scores

    return reference_scores(categories, resamples=max(options.resamples, 2), confidence=options.confidence,
                            random_state=options.random_state)  # fmt: skip


def _run_by(name: str, found: Sequence[Evaluation], scored: ScoredRatios, by: str, tokens: pd.DataFrame) -> Run:
    """All evaluations by group; a measure's name begins with that of its evaluation."""
    divided = evaluations_by(found, scored, by, tokens.groupby("sentence", observed=True).size())
    records = []
    for record in group_records(name, divided, by, ""):
        evaluation, _, measure = record.pop("measure").partition(": ")
        said = next(each.conventions for each in found if each.name == evaluation)
        own = {"system": record.pop("system"), "evaluation": evaluation, by: record.pop(by), "measure": measure}
        records.append({**own, **record, "conventions": describe_conventions(said)})
    return Run(name, records, [measure.name for measure in divided.measures], divided)


def _removed(tokens: Columns | pd.DataFrame) -> str:
    """How many gold words have categories of punctuation; if none has, how many are only marks."""
    from analysis.dependencies.punctuation import find_punctuation

    removed = int(find_punctuation(tokens, {"category": PUNCTUATION}).mask.sum())
    marks = 0 if removed else int(find_punctuation(tokens, "form").mask.sum())
    said = f"punctuation: {removed:,} gold words disregarded"
    return said + (f", though {marks:,} are only punctuation marks" if marks else "")
