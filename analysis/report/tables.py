"""One table as CSV, LaTeX and HTML."""

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from analysis.structures.cells import best_cells, decimals, unit_in_heads
from analysis.structures.markup import NO_FORMULAS, html_text, latex_text
from analysis.structures.publication import Table

MISSING = "–"
LONG = 40  # rows above which a LaTeX table may break over pages
LONG_TEXT = 40  # characters of a cell above which its column has a least width


def written(value: Any, digits: int) -> str:
    """Format a cell: thousands separators, a fixed number of digits, and small numbers never shown as zero.

    Examples
    --------
    >>> [written(value, 3) for value in (0.12345, 0.000065, 0.0, 1234, None, True, "NA")]
    ['0.123', '0.000065', '0.000', '1,234', '–', 'yes', 'NA']
    """
    if value is None or value is pd.NA or (isinstance(value, float) and math.isnan(value)):
        return MISSING
    if isinstance(value, (bool, np.bool_)):
        return "yes" if value else "no"
    if isinstance(value, str):
        return value
    if not hasattr(value, "__float__"):
        return str(value)
    if hasattr(value, "__index__"):
        return f"{int(value):,}"
    number = float(value)
    if number and abs(number) < 0.5 * 10**-digits:
        return f"{number:.{1 - math.floor(math.log10(abs(number)))}f}" if abs(number) >= 1e-7 else f"{number:.1e}"
    return f"{number:,.{digits}f}"


def _cells(table: Table) -> list[list[str]]:
    years = {name for name in table.frame.columns if str(name).lower() in ("year", "seed", "k")}
    digits = decimals(table.frame, table.digits)
    return [
        [
            written(value, places).replace(",", "") if name in years else written(value, places)
            for name, value, places in zip(table.frame.columns, row, shown, strict=True)
        ]
        for row, shown in zip(
            table.frame.astype(object).itertuples(index=False, name=None), digits.tolist(), strict=True
        )
    ]


def _numeric(table: Table) -> list[bool]:
    return [
        pd.api.types.is_numeric_dtype(dtype) and not pd.api.types.is_bool_dtype(dtype) for dtype in table.frame.dtypes
    ]


def csv_bytes(table: Table) -> bytes:
    r"""All digits, UTF-8, one header row; missing values are empty.

    Examples
    --------
    >>> csv_bytes(Table("a", "A", pd.DataFrame({"form": ["NA"], "value": [0.1 + 0.2]}), "made up"))
    b'form,value\nNA,0.30000000000000004\n'
    """
    return table.frame.to_csv(index=False, lineterminator="\n").encode("utf-8")


def latex_bytes(table: Table, label: str) -> bytes:
    r"""A booktabs table with caption and label; one of many rows is a longtable.

    Examples
    --------
    >>> text = latex_bytes(Table("a", "A", pd.DataFrame({"value": [0.5]}), "made up"), "mine_a").decode()
    >>> text.splitlines()[1:4]
    ['\\begin{table}', '\\centering', '\\caption{A. made up}']
    """
    frame, heads = unit_in_heads(table.frame)
    table = replace(table, frame=frame)
    columns = "".join("r" if numeric else "l" for numeric in _numeric(table))
    head = " & ".join(map(latex_text, heads)) + r" \\"
    best = set(best_cells(table.frame, table.digits))
    rows = [
        " & ".join(
            rf"\textbf{{{latex_text(cell)}}}" if (at, place) in best else latex_text(cell)
            for place, cell in enumerate(row)
        )
        + r" \\"
        for at, row in enumerate(_cells(table))
    ]
    caption = rf"\caption{{{latex_text(f'{table.title}. {table.caption}')}}}"
    mark = rf"\label{{tab:{label}}}"
    if len(rows) > LONG:
        packages = "% needs the packages booktabs and longtable"
        lines = [
            packages, rf"\begin{{longtable}}{{{columns}}}", caption, mark + r" \\", r"\toprule", head, r"\midrule",
            r"\endhead", *rows, r"\bottomrule", r"\end{longtable}",
        ]  # fmt: skip
    else:
        lines = [
            "% needs the package booktabs", r"\begin{table}", r"\centering", caption, mark,
            rf"\begin{{tabular}}{{{columns}}}", r"\toprule", head, r"\midrule", *rows, r"\bottomrule",
            r"\end{tabular}", r"\end{table}",
        ]  # fmt: skip
    return ("\n".join(lines) + "\n").encode()


def shown_table(table: Table) -> dict[str, Any]:
    """A table as text, for JSON: ``columns``, which are ``numeric``, ``rows``, and places of the ``best`` values.

    Examples
    --------
    >>> shown_table(Table("a", "A", pd.DataFrame({"value": [1.0]}), "made up"))
    {'columns': ['value'], 'numeric': [True], 'rows': [['1.000']], 'best': []}
    """
    frame, heads = unit_in_heads(table.frame)
    table = replace(table, frame=frame)
    return {
        "columns": heads,
        "numeric": _numeric(table),
        "rows": _cells(table),
        "best": [list(place) for place in best_cells(table.frame, table.digits)],
    }


def html_table(shown: Mapping[str, Any]) -> str:
    """Result of `shown_table` as HTML, with numbers aligned right, room for long texts, and the best values in bold.

    Examples
    --------
    >>> "<th class='n'>value</th>" in html_table({"columns": ["value"], "numeric": [True], "rows": [["1"]]})
    True
    """
    longest = [max((len(row[place]) for row in shown["rows"]), default=0) for place in range(len(shown["columns"]))]
    marks = [
        " class='n'" if number else " class='long-text'" if length > LONG_TEXT else ""
        for number, length in zip(shown["numeric"], longest, strict=True)
    ]
    names = [name.replace("_", " ") if name.isidentifier() else name for name in shown["columns"]]
    head = "".join(f"<th{mark}>{html_text(name)}</th>" for mark, name in zip(marks, names, strict=True))
    best = {tuple(place) for place in shown.get("best", ())}
    rows = "\n".join(
        "<tr>"
        + "".join(
            f"<td{mark}><b>{html_text(cell)}</b></td>" if (at, place) in best else f"<td{mark}>{html_text(cell)}</td>"
            for place, (mark, cell) in enumerate(zip(marks, row, strict=True))
        )
        + "</tr>"
        for at, row in enumerate(shown["rows"])
    )
    return f"<table class='{NO_FORMULAS}'>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{rows}\n</tbody>\n</table>"
