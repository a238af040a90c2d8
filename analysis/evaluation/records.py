"""Scores as records, one per measure: what the commands print, and the tables that readers of Python get."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import wraps
from typing import Any, ForwardRef, ParamSpec, Protocol, cast

from analysis.structures.lazy import pd
from analysis.structures.scores import Score, describe_conventions

#: Plain Python values by the name of the column; None where there is no number.
Record = dict[str, Any]
Given = ParamSpec("Given")

_COUNTS = ("numerator", "denominator", "n")
_TEXTS = ("system", "measure", "unit", "by", "group", "convention", "conventions")


class Evaluation(Protocol[Given]):
    """A function that gives a table, with the function that gives the same as records."""

    records: Callable[Given, list[Record]]

    def __call__(self, *given: Given.args, **named: Given.kwargs) -> pd.DataFrame:
        """The table."""


def tabulated(function: Callable[Given, list[Record]]) -> Evaluation[Given]:
    """Let a function that gives records give a DataFrame; its attribute ``records`` is the function as it was.

    Examples
    --------
    >>> @tabulated
    ... def score(numerator: int) -> list[Record]:
    ...     return [{"measure": "accuracy", "numerator": numerator, "denominator": 4}]
    >>> score(3)
        measure  numerator  denominator
    0  accuracy          3            4
    >>> score.records(3)
    [{'measure': 'accuracy', 'numerator': 3, 'denominator': 4}]
    """

    @wraps(function)
    def table(*given: Given.args, **named: Given.kwargs) -> pd.DataFrame:
        return records_table(function(*given, **named))

    frame = ForwardRef("pd.DataFrame", module="analysis.structures.lazy")  # pandas is imported if it is asked for
    table.__annotations__ = {**function.__annotations__, "return": frame}
    result = cast(Evaluation[Given], table)
    result.records = function
    return result


def records_table(records: Sequence[Record]) -> pd.DataFrame:
    """Records as a DataFrame: counts whole where they are, numbers that are missing as such.

    Examples
    --------
    >>> records_table([{"measure": "V", "value": 0.5, "numerator": None}]).dtypes.tolist()
    [<StringDtype(na_value=nan)>, Float64Dtype(), Int64Dtype()]
    """
    table = pd.DataFrame(list(records), dtype=object)
    for name in table.columns:
        values = table[name].tolist()
        if name in _TEXTS:
            table[name] = table[name].astype("str")
        elif all(value is None or isinstance(value, int | float) for value in values):
            whole = not any(isinstance(value, float) for value in values) and (
                name in _COUNTS or any(value is not None for value in values)
            )
            table[name] = pd.array(values, dtype="Int64" if whole else "Float64")
    return table


def score_record(score: Score) -> Record:
    """A score as a record: the columns that all subjects have.

    Examples
    --------
    >>> score_record(Score("accuracy", 1, 2, conventions={"unit": "words"}))["convention"]
    'unit=words'
    """
    return {
        "measure": score.measure,
        "value": score.value,
        "unit": score.unit,
        "numerator": score.numerator,
        "denominator": score.denominator,
        "convention": describe_conventions(score.conventions),
    }


def frame_records(table: pd.DataFrame) -> list[Record]:
    """Rows of a DataFrame as records.

    Examples
    --------
    >>> frame_records(pd.DataFrame({"n": [1], "value": pd.array([None], dtype="Float64")}))
    [{'n': 1, 'value': None}]
    """
    plain = table.astype(object)
    return plain.where(plain.notna(), None).to_dict("records")


def csv_text(records: Iterable[Mapping[str, Any]], columns: Sequence[str]) -> str:
    r"""Records as CSV.

    Examples
    --------
    >>> csv_text([{"measure": "V", "value": 0.5, "numerator": None}], ["measure", "value", "numerator"])
    'measure,value,numerator\nV,0.5,\n'
    """
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows([["" if record[name] is None else record[name] for name in columns] for record in records])
    return stream.getvalue()


def json_text(records: Sequence[Record]) -> str:
    r"""Records as JSON.

    Examples
    --------
    >>> json_text([{"value": None}])
    '[\n {\n  "value": null\n }\n]\n'
    """
    return json.dumps(list(records), indent=1, ensure_ascii=False) + "\n"


def lines_of(rows: Sequence[Sequence[str]]) -> list[str]:
    """Rows of cells, the names of the columns first, as lines in which columns are flush left.

    Examples
    --------
    >>> lines_of([["measure", "value"], ["V", "0.5"]])
    ['measure  value', 'V        0.5']
    """
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]


def shown(value: Any) -> str:
    """A number as a table of scores shows it.

    Examples
    --------
    >>> shown(0.5), shown(1234), shown(None)
    ('0.5000', '1,234', '')
    """
    if value is None:
        return ""
    if isinstance(value, float):
        return f"{value:,.4f}"
    return f"{value:,}" if isinstance(value, int) else str(value)
