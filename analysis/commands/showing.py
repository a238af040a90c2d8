"""Scores as text of each format, and as a figure."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import click

from analysis.commands.base import BY

if TYPE_CHECKING:
    import pandas as pd

    from analysis.structures.publication import Table

_HIDDEN = ("system", "baseline", "conventions", "signature")
_GROUPS = ("by", "evaluation", *BY)
_SMALL = 0.00005  # below it four digits show nothing


def shown_scores(
    records: Sequence[dict[str, Any]],
    kind: str,
    confidence: float = 0.95,
    differences: Sequence[dict[str, Any]] = (),
) -> str:
    r"""Records of scores or of differences as text.

    Parameters
    ----------
    records : sequence of dict
        One per measure, as `analysis.evaluation.scoring.with_intervals` or ``compare_runs`` gives them.
    kind : {"table", "csv", "json", "latex", "html"}
    confidence : float
        Of the intervals, for captions.
    differences : sequence of dict
        Shown below the scores as a table of their own; in CSV and JSON they must stand in the records.

    Examples
    --------
    >>> row = {"system": "a&b", "measure": "UAS", "value": 0.5, "conventions": "", "signature": "trees/uas|n:2"}
    >>> print(shown_scores([row], "table"))
    a&b
    measure  value
    UAS      0.5000
    UAS: trees/uas|n:2
    <BLANKLINE>
    >>> r"a\&b & UAS & 0.5000 \\" in shown_scores([row], "latex")
    True
    """
    from analysis.evaluation.records import csv_text, json_text

    if kind == "csv":
        return csv_text(records, list(records[0]))
    if kind == "json":
        return json_text(records)
    known = {record["signature"] for record in records}
    below = [{**row, "signature": "" if row["signature"] in known else row["signature"]} for row in differences]
    parts = [records, below] if below else [records]
    if kind == "html":
        return _html(parts, confidence)
    return "".join({"table": _table, "latex": _latex}[kind](part, confidence) for part in parts)


def _table(records: Sequence[dict[str, Any]], confidence: float) -> str:
    """One part per system; numbers are rounded and what holds of all measures is said once, below."""
    from analysis.evaluation.records import lines_of
    from analysis.structures.incidents import printable

    lines: list[str] = []
    for system in dict.fromkeys(record["system"] for record in records):
        rows = [record for record in records if record["system"] == system]
        lines.append(system + (f" against {rows[0]['baseline']}" if "baseline" in rows[0] else ""))
        names = _columns(rows, _HIDDEN)
        lines += lines_of([names, *([_cell(name, row[name]) for name in names] for row in rows)])
        parts = [row.get("conventions", "").split("; ") for row in rows]
        shared = [part for part in parts[0] if all(part in others for others in parts)]
        special = ["; ".join(part for part in own if part not in shared) for own in parts]
        named = [(row.get("evaluation", row["measure"]), said) for row, said in zip(rows, special, strict=True) if said]
        lines += dict.fromkeys(f"{name}: {said}" for name, said in named)
        lines += [f"{row['measure']}: {row['signature']}" for row in rows if row["signature"]]
        lines += ["; ".join(shared), ""] if any(shared) else [""]
    return printable("\n".join(lines) + "\n")


def _columns(rows: Sequence[dict[str, Any]], hidden: Sequence[str]) -> list[str]:
    """Names of the columns that are shown: those in which something stands."""
    return [name for name in rows[0] if name not in hidden and any(row[name] not in (None, "") for row in rows)]


def _cell(name: str, value: Any) -> str:
    from analysis.evaluation.records import shown

    return "<0.0001" if name in ("p", "p_holm") and _is_small(value) else shown(value)


def _is_small(p: float | None) -> bool:
    return p is not None and p < _SMALL


def _publication(records: Sequence[dict[str, Any]], confidence: float) -> Table:
    """The columns of a table for print, with a caption."""
    from analysis.evaluation.records import records_table
    from analysis.structures.publication import Table

    names = _columns(records, ("conventions", "signature", "incidents"))
    rows = [{name: record[name] for name in names} for record in records]
    for row in rows:
        row |= {name: _cell(name, row[name]) for name in ("p", "p_holm") if name in row and _is_small(row[name])}
    title = "Differences" if "difference" in names else "Scores"
    caption = f"{confidence:.0%} intervals." if "lower" in names else "Without intervals."
    return Table(title.lower(), title, records_table(rows), caption, digits=4)


def _latex(records: Sequence[dict[str, Any]], confidence: float) -> str:
    """A booktabs table; signatures follow as comments."""
    from analysis.report.tables import latex_bytes
    from analysis.structures.incidents import printable

    table = _publication(records, confidence)
    text = latex_bytes(table, table.name).decode("utf-8")
    lines = (" ".join(printable(line).split()) for line in _signatures(records))
    return text + "".join(f"% {line}\n" for line in lines)


def _html(parts: Sequence[Sequence[dict[str, Any]]], confidence: float) -> str:
    """A page with the tables and the signatures."""
    from analysis.report.tables import html_table, shown_table
    from analysis.structures.markup import NO_FORMULAS, html_text

    tables = [_publication(records, confidence) for records in parts]
    lines = [line for records in parts for line in _signatures(records)]
    signatures = "\n".join(f"<li><code>{html_text(line)}</code></li>" for line in lines)
    shown = "\n".join(f"{html_table(shown_table(table))}\n<p>{html_text(table.caption)}</p>" for table in tables)
    return (
        f"<!doctype html>\n<html lang='en'>\n<head><meta charset='utf-8'><title>{html_text(tables[0].title)}</title>"
        f"</head>\n<body>\n{shown}\n<ul class='{NO_FORMULAS}'>\n{signatures}\n</ul>\n</body>\n</html>\n"
    )


def _signatures(records: Sequence[dict[str, Any]]) -> list[str]:
    """Each once; references have none."""
    return list(dict.fromkeys(record["signature"] for record in records if record["signature"]))


def print_scores(score: Callable[..., list[Any]], gold: str, name: str, text: str | None, **choices: Any) -> None:
    """Score what a command made of its input, and print it as `evaluate` does, under the name of the input.

    Parameters
    ----------
    score : callable
        Such as `analysis.evaluation.tags.score_tags`.
    gold : str
    name : str
        Of the input.
    text : str
        What would be in the system's file.
    **choices
        Of `score`.
    """
    from analysis.corpora.opening import Text, decoded
    from analysis.evaluation.incidents import incident_lines
    from analysis.evaluation.scoring import with_intervals

    incidents: list[Any] = []
    shown = "standard input" if name == "-" else name
    system = Text(shown, decoded(shown, str(text).encode("utf-8", "surrogatepass"), "utf-8"))
    records = with_intervals(score(gold, [system], incidents=incidents, **choices))
    click.echo(shown_scores(records, "table"), nl=False)
    for line in incident_lines(incidents):
        click.echo(line, err=True)


def plot_scores(records: Sequence[dict[str, Any]], file: str, confidence: float = 0.95) -> None:
    """Draw values, or differences, with their intervals into a file; one panel for each unit.

    Parameters
    ----------
    records : sequence of dict
        As in `shown_scores`.
    file : str
        Ends in .svg, .pdf or .png.
    confidence : float
        Of the intervals.
    """
    import pandas as pd

    from analysis.figures.saving import save_drawing
    from analysis.figures.scores import score_figure

    differs = "difference" in records[0]
    rows = [
        {
            "system": record["system"],
            "measure": " ".join(str(record[name]) for name in (*_GROUPS, "measure") if record.get(name) is not None),
            "value": record["difference" if differs else "value"],
            "unit": record.get("unit") or "proportion",
            **{name: record.get(name) for name in ("lower", "upper", "corrected")},
        }
        for record in records
    ]
    table = pd.DataFrame(rows).astype(dict.fromkeys(("value", "lower", "upper", "corrected"), "Float64"))
    baseline = records[0]["baseline"] if differs else None
    said = f"Differences from {baseline}" if differs else "Scores"
    listed = "; ".join(
        f"{row['system']} {row['measure']} {row['value']:.4g}" for row in rows if row["value"] is not None
    )
    figure = score_figure(table, baseline=baseline)
    save_drawing(figure, file, alt=f"{said} with {confidence:.0%} intervals: {listed}")


def plot_confusion(table: pd.DataFrame, file: str, system: str) -> None:
    """Draw a confusion as a heat map into a file; classes in the order of their sizes.

    Parameters
    ----------
    table : DataFrame
        ``gold``, ``read as``, ``numerator``, ``denominator``, ``value``.
    file : str
        Ends in .svg, .pdf or .png.
    system : str
        For the text that describes the figure.
    """
    import pandas as pd

    from analysis.figures import confusion_heatmap
    from analysis.figures.saving import save_drawing

    sizes = table.drop_duplicates("gold").sort_values(["denominator", "gold"], ascending=[False, True])
    order = sizes["gold"].tolist()
    columns = [*order, *sorted(set(table["read as"]) - set(order))]
    drawn = table.assign(
        gold=pd.Categorical(table["gold"], order),
        predicted=pd.Categorical(table["read as"], [name for name in columns if name in set(table["read as"])]),
    )
    figure = confusion_heatmap(drawn, labels=("read as", "gold")).get_figure(root=True)
    assert figure is not None
    worst = table[table["gold"] != table["read as"]].head(3)
    pairs = zip(worst["gold"], worst["read as"], worst["numerator"], strict=True)
    said = "; ".join(f"{gold} as {other} {count:,}" for gold, other, count in pairs)
    save_drawing(figure, file, alt=f"Confusion of gold tags and clusters of {system}. Most often wrong: {said}")
