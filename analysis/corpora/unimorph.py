"""Read inflected forms in the format of UniMorph and the SIGMORPHON shared tasks: tab-separated, one item per line."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np

from analysis.corpora.opening import Source, Text, decoded, open_text
from analysis.corpora.writing import Target, write_target
from analysis.structures import DataError, Incident, incidents_table
from analysis.structures.columns import Column, Columns
from analysis.structures.incidents import line_named, quoted
from analysis.structures.lazy import pd

FIELDS = ("lemma", "form", "features", "frequency", "segmentation", "predicted")
ADVICE = "Give strict=False to leave such lines out and list the incidents."


class FormsReading(NamedTuple):
    """A forms table, and incidents found while reading it."""

    forms: pd.DataFrame
    incidents: pd.DataFrame


class FormColumns(NamedTuple):
    """The same before there is need of a DataFrame."""

    forms: Columns
    incidents: list[Incident]


def nfc(text: str) -> str:
    r"""Normalise text to composed form (NFC) for comparing words; tables keep the original spelling.

    Examples
    --------
    >>> nfc("a\u0308") == "ä"
    True
    """
    return text if unicodedata.is_normalized("NFC", text) else unicodedata.normalize("NFC", text)


_FEATURE = r"(?:[A-Z0-9{][A-Z0-9.+/&{}!-]*(?:\([^()\t]*\))?|\w+=[^;,=\t]+)"
_FEATURES = re.compile(rf"{_FEATURE}(?:[;,|]{_FEATURE})*", re.ASCII)


def read_forms(
    source: Source,
    *,
    columns: Sequence[str] | None = None,
    duplicates: str = "keep",
    sort_features: bool = False,
    strict: bool = True,
    encoding: str | None = None,
) -> FormsReading:
    r"""Read a tab-separated file of lemmas, forms, features and frequencies.

    Parameters
    ----------
    source : path, text, or another source of `analysis.corpora.opening.open_text`
    columns : sequence of str, optional
        Names of the columns, among ``lemma``, ``form``, ``features``, ``frequency``, ``segmentation``, ``predicted``.
        By default they are detected from all lines: the lemma is first, the features are in the column in which most
        cells look like features (``V;PST``, ``pos=V,tense=PST``, ``V;NOM(1,SG)``), the form is in the other one; a
        fourth column has frequencies if most cells are numbers, and segmentations otherwise. If no column looks like
        features, or both do, the order is lemma, form, features, and an incident reports this.
    duplicates : {"keep", "drop"}
        Whether a repeated item (same lemma, form and features in NFC) is kept twice. It is reported in both cases.
    sort_features : bool
        Whether features are sorted and separated by ``;``, so that ``V;PST`` and ``PST,V`` are equal.
    strict : bool
        Whether an invalid line raises an error; otherwise it is left out and listed.
    encoding : str, optional

    Returns
    -------
    FormsReading
        ``forms`` (one row per item, in file order) and ``incidents``. Blank lines, blanks around a field (removed)
        and duplicates are incidents, never errors. No word is read as a missing value: "null", "NA" and a single
        quotation mark are words.

    Raises
    ------
    DataError
        If there is no item, or a line has too few or too many columns, an empty field, or a frequency that is not a
        number of at least 0; the message names file and line.

    References
    ----------
    Kodner et al. (2023), section "Data sources and preparation"; Cotterell et al. (2016) and later shared tasks for the
    orders of columns.

    Examples
    --------
    >>> read_forms("fly\tflew\tV;PST\nnull\tnulled\tV;PST").forms
      lemma    form features
    0   fly    flew    V;PST
    1  null  nulled    V;PST
    >>> read_forms("fly\tpos=V,tense=PST\tflew\n").forms.columns.tolist()
    ['lemma', 'features', 'form']
    """
    read = read_form_columns(
        source, columns=columns, duplicates=duplicates, sort_features=sort_features, strict=strict, encoding=encoding
    )
    return FormsReading(read.forms.to_frame(), incidents_table(read.incidents))


def read_form_columns(
    source: Source,
    *,
    columns: Sequence[str] | None = None,
    duplicates: str = "keep",
    sort_features: bool = False,
    strict: bool = True,
    encoding: str | None = None,
) -> FormColumns:
    """What `read_forms` gives, as columns; arguments and errors as there."""
    if duplicates not in ("keep", "drop"):
        raise ValueError(f"duplicates is 'keep' or 'drop', not {duplicates!r}.")
    if columns is not None and (
        "lemma" not in columns or set(columns) - set(FIELDS) or len(set(columns)) != len(columns)
    ):
        raise ValueError(f"columns must name lemma and others of {', '.join(FIELDS)}, each once; not {tuple(columns)}.")
    opened = open_text(source, encoding=encoding)
    name, lines = opened.name, opened.lines()
    found: list[Incident] = list(opened.incidents)
    rows: list[list[str]] = []
    seen: dict[tuple[str, ...], int] = {}
    if columns is None:
        names, doubt = columns_of_forms(line for line in lines if line.strip())
        if doubt:
            found.append(Incident(name, 0, "columns not certain", doubt))
        expected = "2, 3 or 4 columns" if not names else f"{len(names)} columns ({', '.join(names)})"
    else:
        names = list(columns)
        expected = f"{len(names)} columns ({', '.join(names)})"
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            found.append(Incident(name, number, "blank line", "the line is blank", line))
            continue
        fields = line.split("\t")
        problem = _problem(name, number, line, fields, names, expected)
        if problem is not None:
            if strict or not names:
                raise DataError(problem, ADVICE)
            found.append(problem)
            continue
        stripped = [field.strip() for field in fields]
        if stripped != fields:
            found.append(Incident(name, number, "blanks", "a field has blanks around it", line, "no blanks; removed"))
        if sort_features and "features" in names:
            place = names.index("features")
            stripped[place] = ";".join(sorted(_divided(stripped[place])))
        key = tuple(nfc(field) for field, column in zip(stripped, names, strict=True) if column != "frequency")
        first = seen.setdefault(key, number)
        if first != number:
            kept = "kept" if duplicates == "keep" else "left out"
            found.append(
                Incident(name, number, "duplicate", f"the item of {line_named(name, first)} again; {kept}", line)
            )
            if duplicates == "drop":
                continue
        rows.append(stripped)
    if not rows:
        nothing = Incident(name, 0, "empty", "there is no item", "", "lines such as walk<tab>walked<tab>V;PST")
        raise DataError(nothing, gathered=found)
    forms: dict[str, Column] = {}
    for column, texts in zip(names, zip(*rows, strict=True), strict=True):
        forms[column] = np.array([float(text) for text in texts]) if column == "frequency" else list(texts)
    return FormColumns(Columns(forms), found)


def read_items(source: Source, *, columns: Sequence[str] | None = None, encoding: str | None = None) -> pd.DataFrame:
    r"""Read items whose forms are asked for: lemmas, with features if there are any; forms may be there too.

    Parameters
    ----------
    source : path, text, or what else `analysis.corpora.opening.open_text` takes
    columns : sequence of str, optional
        See `read_forms`. By default one column has lemmas, two have lemmas and features; more are as there.
    encoding : str, optional

    Raises
    ------
    DataError
        As `read_forms`, at the first defect.

    Examples
    --------
    >>> read_items("fly\tV;PST\n").columns.tolist(), read_items("fly\n\ngo\n")["lemma"].tolist()
    (['lemma', 'features'], ['fly', 'go'])
    """
    text = open_text(source, encoding=encoding)
    if columns is None:
        widths = Counter(line.count("\t") + 1 for line in text.lines() if line.strip())
        usual = {1: ("lemma",), 2: ("lemma", "features")}
        columns = usual.get(max(widths, key=lambda width: widths[width], default=3))
    return read_forms(text, columns=columns).forms


def write_forms(forms: pd.DataFrame, file: Target = None) -> str | None:
    r"""Write a table of forms, tab-separated: what `read_forms` reads, the same again if it is told the columns.

    Parameters
    ----------
    forms : DataFrame
        Of `FIELDS`, those that it has are written, in the table's order; the first must be ``lemma``.
    file : path or open text file, optional
        Written whole or not at all (UTF-8, LF line ends; .xz and .gz compress); without it the text is returned.

    Returns
    -------
    str or None

    Raises
    ------
    ValueError
        If there is no item, ``lemma`` is not the first column, or a cell is empty or holds a tab or a line end.

    Examples
    --------
    >>> write_forms(pd.DataFrame({"lemma": ["fly"], "form": ["flew"], "features": ["V;PST"]}))
    'fly\tflew\tV;PST\n'
    """
    names = [name for name in forms.columns if name in FIELDS]
    if not len(forms) or names[:1] != ["lemma"]:
        raise ValueError(f"a table of forms begins with lemma and has an item; this has {len(forms):,} items, {names}.")
    columns = [list(map(_written, forms[name].tolist())) for name in names]
    for name, column in zip(names, columns, strict=True):
        for row, cell in enumerate(column):
            if not cell.strip() or cell != cell.strip() or any(mark in cell for mark in "\t\n\r\0"):
                raise ValueError(f"row {row}: {name} is {cell!r}, which a line of the file cannot hold.")
    return write_target("".join("\t".join(row) + "\n" for row in zip(*columns, strict=True)), file)


def _written(value: object) -> str:
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)


def columns_of_forms(lines: Iterable[str]) -> tuple[list[str], str]:
    r"""Detect the names of the columns of a forms file from all its lines; return also why they are uncertain, if they
    are.

    There are no names if most lines have fewer than two or more than four columns.

    Examples
    --------
    >>> columns_of_forms(["fly\tV;PST\tflew", "walk\tV;PST\twalked"])
    (['lemma', 'features', 'form'], '')
    """
    cells = [line.split("\t") for line in lines]
    widths = Counter(map(len, cells))
    width = max((count, width == 3, width) for width, count in widths.items())[2] if widths else 0
    if not 2 <= width <= 4:
        return [], ""
    rows = [row for row in cells if len(row) == width]
    features = [sum(bool(_FEATURES.fullmatch(row[place].strip())) for row in rows) for place in range(1, width)]
    if width == 2:
        return ["lemma", "features" if 2 * features[0] > len(rows) else "form"], ""
    names = ["lemma", "features", "form"] if features[0] > features[1] else ["lemma", "form", "features"]
    doubt = ""
    if features[0] == features[1]:
        doubt = "neither column looks like features" if not features[0] else "two columns look like features"
        doubt += "; taken as lemma, form, features. Name the columns if this is wrong"
    if width == 4:
        numbers = sum(_number(row[3]) is not None for row in rows)
        names.append("frequency" if 2 * numbers >= len(rows) else "segmentation")
    return names, doubt


def parse_forms(text: str, *, name: str = "text", **choices: Any) -> FormsReading:
    r"""Read the text of a forms file; see `read_forms`.

    Examples
    --------
    >>> parse_forms("fly\tflew\tV;PST").forms["form"].tolist()
    ['flew']
    """
    return read_forms(Text(name, decoded(name, text.encode("utf-8", "surrogatepass"), "utf-8")), **choices)


def _divided(features: str) -> list[str]:
    """Split features; separators within brackets are ignored.

    Examples
    --------
    >>> _divided("V;NOM(1,PL),PST")
    ['V', 'NOM(1,PL)', 'PST']
    """
    parts, depth = [""], 0
    for character in features:
        depth += (character == "(") - (character == ")")
        if character in ";,|" and depth == 0:
            parts.append("")
        else:
            parts[-1] += character
    return parts


def _number(field: str) -> float | None:
    """Parse a frequency: a number of at least 0."""
    try:
        number = float(field)
    except ValueError:
        return None
    return number if 0 <= number < float("inf") else None


def _problem(name: str, number: int, line: str, fields: list[str], names: list[str], expected: str) -> Incident | None:
    if len(fields) != len(names):
        kind = "missing column" if len(fields) < (len(names) or 2) else "extra tab"
        found = f"the line has {len(fields)} column{'' if len(fields) == 1 else 's'}"
        return Incident(name, number, kind, found, line, expected)
    for field, column in zip(fields, names, strict=True):
        if not field.strip():
            return Incident(name, number, "empty field", f"the {column} is empty", line, f"a {column}")
        if column == "frequency" and _number(field) is None:
            return Incident(
                name, number, "no frequency", f"the frequency is {quoted(field.strip())}", line, "a number from 0"
            )
    return None
