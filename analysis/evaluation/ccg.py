"""Score a parser's AUTO file against a gold one: what ``evaluate ccg`` prints."""

from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import pandas as pd

from analysis.ccg import bootstrap_intervals, evaluate
from analysis.corpora.ccgbank import read_auto
from analysis.corpora.opening import Text, open_text
from analysis.dependencies.punctuation import find_punctuation
from analysis.evaluation.incidents import incident_lines, incidents_of, with_incidents
from analysis.evaluation.records import csv_text, frame_records, json_text
from analysis.structures import DataError, Incident, check_choice, incidents_table
from analysis.structures.ccg_category import PUNCTUATION
from analysis.structures.derivation import Derivations
from analysis.structures.incidents import gathering

FORMATS = ("table", "csv", "json")


class Scored(NamedTuple):
    """What two files give.

    Attributes
    ----------
    table : DataFrame
        One row per measure: ``evaluation``, ``measure``, ``value``, ``numerator``, ``denominator``, ``lower``,
        ``upper`` (95 % bootstrap intervals over sentences), how many sentences were scored, failed, dropped, and
        ``convention``.
    relations : dict
        Tables by relation, by name of the evaluation.
    incidents : DataFrame
        What was found in reading and aligning.
    """

    table: pd.DataFrame
    relations: dict[str, pd.DataFrame]
    incidents: pd.DataFrame


def evaluate_ccg_files(
    gold: str | Path,
    system: str | Path,
    *,
    punctuation: bool = True,
    heads: str = "auto",
    differing_words: str = "count",
    strict: bool = False,
    resamples: int = 1000,
    random_state: int = 0,
    encoding: str | None = None,
) -> Scored:
    r"""All evaluations of Clark & Hockenmaier (2002) for two AUTO files.

    Parameters
    ----------
    gold, system : path
    punctuation : bool
        Whether punctuation counts; in the paper it does not.
    heads : {"auto", "field", "rule"}
        See `analysis.ccg.tree_dependencies`.
    differing_words : {"count", "refuse"}
        See `analysis.ccg.alignment.align`.
    strict : bool
        Raise at the first defect of a file; else a sentence that cannot be read counts as one without a derivation, and
        is listed.
    resamples, random_state : int
        Of the bootstrap; no intervals with 0 resamples.
    encoding : str, optional
        Of both files.

    Returns
    -------
    Scored

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
    ...     scored = evaluate_ccg_files(file, file, resamples=0)
    >>> scored.table["measure"].tolist()[0], scored.table["value"].tolist()[0]
    ('accuracy', 1.0)
    """
    texts = [open_text(Path(path), encoding=encoding) for path in (gold, system)]
    banks = []
    told: list[Incident] = []
    for text in texts:
        with gathering(told):
            banks.append(read_auto(text, strict=strict))
        told += incidents_of(banks[-1].incidents)
    with gathering(told):
        return _scored(texts, banks, punctuation, heads, differing_words, strict, resamples, random_state)


def _scored(
    texts: list[Text],
    banks: list[Derivations],
    punctuation: bool,
    heads: str,
    differing_words: str,
    strict: bool,
    resamples: int,
    random_state: int,
) -> Scored:
    found = evaluate(*banks, punctuation=punctuation, heads=heads, differing_words=differing_words)  # type: ignore[arg-type]
    if (found[0].sentences["status"] == "dropped").all():
        found_first = "; ".join(incident_lines(incidents_of(banks[0].incidents)))
        raise DataError(
            f"nothing is left to score: no gold sentence has a derivation ({found_first or texts[0].name})."
        )
    tables = []
    for evaluation in found:
        table = evaluation.to_frame()
        if resamples and (evaluation.sentences["status"] != "dropped").any():
            bounds = bootstrap_intervals(evaluation, resamples=resamples, random_state=random_state)
            table = table.merge(bounds[["measure", "lower", "upper"]], on="measure", how="left", sort=False)
        tables.append(table)
    joined = pd.concat(tables, ignore_index=True)
    if not punctuation:
        without = joined["convention"].str.contains("punctuation=disregarded")
        joined.loc[without, "convention"] += "; " + _removed(banks[0].tokens)
    first = ["evaluation", "measure", "value", "unit", "numerator", "denominator"]
    first += [name for name in ("lower", "upper") if name in joined.columns]
    order = [*first, *[name for name in joined.columns if name not in (*first, "convention")], "convention"]
    lacking = [incident for incident in incidents_of(found[3].incidents) if incident.kind.startswith("missing in")]
    if strict and lacking:
        raise DataError(lacking[0])
    names = {"gold": texts[0].name, "system": texts[1].name}

    def named(incident: Incident) -> Incident:
        return replace(incident, file=names.get(incident.file, incident.file))

    incidents = [bank.incidents for bank in banks] + [evaluation.incidents for evaluation in found[3:]]
    return Scored(
        joined[order],
        {evaluation.name: evaluation.relations for evaluation in found},
        incidents_table(named(incident) for table in incidents for incident in incidents_of(table)),
    )


def _removed(tokens: pd.DataFrame) -> str:
    """How many gold words have categories of punctuation; if none has, how many are only marks."""
    removed = int(tokens["category"].astype("str").isin(PUNCTUATION).sum())
    marks = 0 if removed else int(find_punctuation(tokens, "form").mask.sum())
    said = f"punctuation: {removed:,} gold words disregarded"
    return said + (f", though {marks:,} are only punctuation marks" if marks else "")


def written(scored: Scored, format: str = "table") -> str:
    """The measures as text: a table to read, CSV, or JSON with one record per measure.

    CSV and JSON have a column ``incidents``.

    Raises
    ------
    ValueError
        If the format is none of these.
    """
    check_choice("format", format, tuple(FORMATS))
    if format != "table":
        records = with_incidents(frame_records(scored.table), incidents_of(scored.incidents), as_text=format == "csv")
        return csv_text(records, list(records[0])) if format == "csv" else json_text(records)
    shown = scored.table.drop(columns="convention")
    text = shown.to_string(index=False, float_format=lambda value: f"{value:.4f}", na_rep="undefined")
    lines = [text, ""]
    for name, part in scored.table.groupby("evaluation", sort=False):
        lines.append(f"{name}: {part['convention'].iloc[0]}")
    return "\n".join(lines) + "\n"
