"""Score a parser's AUTO file against a gold one: the command ``evaluate ccg``."""

import json
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd

from analysis.ccg import bootstrap_intervals, evaluate
from analysis.corpora.ccgbank import read_auto

FORMATS = ("table", "csv", "json")


class Scored(NamedTuple):
    """What two files give.

    Attributes
    ----------
    table : DataFrame
        One row a measure: ``evaluation``, ``measure``, ``value``, ``numerator``, ``denominator``, ``lower``, ``upper``
        (95 % bootstrap intervals over sentences), how many sentences were scored, failed, dropped, and ``convention``.
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
) -> Scored:
    """All evaluations of Clark & Hockenmaier (2002) for two AUTO files.

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

    Returns
    -------
    Scored

    Raises
    ------
    DataError
        If a file cannot be read or the sentences do not align.
    """
    banks = [read_auto(Path(path), strict=strict) for path in (gold, system)]
    found = evaluate(*banks, punctuation=punctuation, heads=heads, differing_words=differing_words)  # type: ignore[arg-type]
    tables = []
    for evaluation in found:
        table = evaluation.to_frame()
        if resamples and (evaluation.sentences["status"] != "dropped").any():
            bounds = bootstrap_intervals(evaluation, resamples=resamples, random_state=random_state)
            table = table.merge(bounds[["measure", "lower", "upper"]], on="measure", how="left", sort=False)
        tables.append(table)
    joined = pd.concat(tables, ignore_index=True)
    first = ["evaluation", "measure", "value", "unit", "numerator", "denominator"]
    first += [name for name in ("lower", "upper") if name in joined.columns]
    order = [*first, *[name for name in joined.columns if name not in (*first, "convention")], "convention"]
    incidents = [bank.incidents for bank in banks] + [evaluation.incidents for evaluation in found[3:]]
    filled = [table for table in incidents if len(table)]
    return Scored(
        joined[order],
        {evaluation.name: evaluation.relations for evaluation in found},
        pd.concat(filled, ignore_index=True) if filled else incidents[0],
    )


def written(scored: Scored, format: str = "table") -> str:
    """The measures as text: a table to read, CSV, or JSON with one record a measure.

    Raises
    ------
    ValueError
        If the format is none of these.
    """
    if format == "csv":
        return scored.table.to_csv(index=False)
    if format == "json":
        records: list[dict[str, Any]] = json.loads(scored.table.to_json(orient="records"))
        return json.dumps(records, indent=1, ensure_ascii=False) + "\n"
    if format != "table":
        raise ValueError(f"format must be one of {', '.join(FORMATS)}, not {format!r}.")
    shown = scored.table.drop(columns="convention")
    text = shown.to_string(index=False, float_format=lambda value: f"{value:.4f}", na_rep="undefined")
    lines = [text, ""]
    for name, part in scored.table.groupby("evaluation", sort=False):
        lines.append(f"{name}: {part['convention'].iloc[0]}")
    if len(scored.incidents):
        kinds = scored.incidents["kind"].value_counts()
        lines.append("found: " + ", ".join(f"{count} {kind}" for kind, count in kinds.items()))
    return "\n".join(lines) + "\n"
