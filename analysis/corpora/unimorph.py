"""Inflected forms as UniMorph and the SIGMORPHON shared tasks write them: tab-separated, one item a line."""

import lzma
import unicodedata
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import pandas as pd

from analysis.structures import DataError, Incident, incidents_table

READER_VERSION = "1"
FIELDS = ("lemma", "form", "features", "frequency")
ADVICE = "Give strict=False to leave such lines out and list the incidents."


class FormsReading(NamedTuple):
    """A forms table, and what was not as expected when it was read."""

    forms: pd.DataFrame
    incidents: pd.DataFrame


def nfc(text: str) -> str:
    r"""The text in composed form, by which words are compared; tables keep words as they were written.

    Examples
    --------
    >>> nfc("a\u0308") == "ä"
    True
    """
    return text if unicodedata.is_normalized("NFC", text) else unicodedata.normalize("NFC", text)


def read_forms(
    path: str | Path, *, columns: Sequence[str] | None = None, duplicates: str = "keep", strict: bool = True
) -> FormsReading:
    """Read a tab-separated file of lemmas, forms, features and frequencies.

    Parameters
    ----------
    path : str or Path
        UTF-8, plain or ``.xz``; a byte order mark and CRLF are accepted.
    columns : sequence of str, optional
        What the columns are, of ``lemma``, ``form``, ``features``, ``frequency``, ``predicted``. By default
        the number of columns of the first line decides: two are lemma and form, three lemma, form and features,
        four these and the frequency. A test file without forms needs ``("lemma", "features")``.
    duplicates : {"keep", "drop"}
        Whether an item that stands twice (same lemma, form and features in NFC) is kept twice. Both are reported.
    strict : bool
        Whether a line that cannot be used is an error; otherwise it is left out and listed.

    Returns
    -------
    FormsReading
        ``forms`` (one row an item, in file order) and ``incidents``. Blank lines, blanks around a field (removed)
        and duplicates are incidents and never errors. No word is read as missing: "null", "NA" and a lone
        quotation mark are words.

    Raises
    ------
    DataError
        If there is no item, or a line has too few or too many columns, an empty field, or a frequency that is no
        number from 0; names file and line.

    References
    ----------
    Kodner et al. (2023), section "Data sources and preparation".
    """
    path = Path(path)
    if not path.is_file():
        raise DataError(f"{path}: there is no such file.")
    content = path.read_bytes()
    try:
        text = (lzma.decompress(content) if path.suffix == ".xz" else content).decode("utf-8")
    except UnicodeDecodeError as error:
        raise DataError(Incident(path.name, 0, "not UTF-8", f"byte {error.start} is not UTF-8", "", "UTF-8")) from None
    return parse_forms(text, columns=columns, duplicates=duplicates, strict=strict, name=path.name)


def parse_forms(
    text: str,
    *,
    columns: Sequence[str] | None = None,
    duplicates: str = "keep",
    strict: bool = True,
    name: str = "text",
) -> FormsReading:
    r"""Read the text of a forms file; see `read_forms`.

    Examples
    --------
    >>> parse_forms("fly\tflew\tV;PST\nnull\tnulled\tV;PST").forms
      lemma    form features
    0   fly    flew    V;PST
    1  null  nulled    V;PST
    """
    if duplicates not in ("keep", "drop"):
        raise ValueError(f"duplicates is 'keep' or 'drop', not {duplicates!r}.")
    known = [*FIELDS, "predicted"]
    if columns is not None and (
        "lemma" not in columns or set(columns) - set(known) or len(set(columns)) != len(columns)
    ):
        raise ValueError(f"columns must name lemma and others of {', '.join(known)}, each once; not {tuple(columns)}.")
    found: list[Incident] = []
    rows: list[list[str | float]] = []
    seen: dict[tuple[str, ...], int] = {}
    names = None if columns is None else list(columns)
    lines = text.removeprefix("\ufeff").replace("\r\n", "\n").split("\n")
    if lines and not lines[-1]:
        lines.pop()
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            found.append(Incident(name, number, "blank line", "the line is blank", line))
            continue
        fields = line.split("\t")
        if names is None:
            if not 2 <= len(fields) <= 4:
                raise DataError(_wrong_number(name, number, line, len(fields), "2, 3 or 4 columns"))
            names = list(FIELDS[: len(fields)])
        problem = _problem(name, number, line, fields, names)
        if problem is not None:
            if strict:
                raise DataError(problem, ADVICE)
            found.append(problem)
            continue
        stripped = [field.strip() for field in fields]
        if stripped != fields:
            found.append(Incident(name, number, "blanks", "a field has blanks around it", line, "no blanks; removed"))
        key = tuple(nfc(field) for field, column in zip(stripped, names, strict=True) if column != "frequency")
        first = seen.setdefault(key, number)
        if first != number:
            kept = "kept" if duplicates == "keep" else "left out"
            found.append(Incident(name, number, "duplicate", f"the item of line {first} again; {kept}", line))
            if duplicates == "drop":
                continue
        rows.append([float(f) if c == "frequency" else f for f, c in zip(stripped, names, strict=True)])
    if not rows:
        raise DataError(Incident(name, 0, "empty", "there is no item", "", "lines such as walk<tab>walked<tab>V;PST"))
    types = {column: "float64" if column == "frequency" else "str" for column in names or []}
    return FormsReading(pd.DataFrame(rows, columns=names).astype(types), incidents_table(found))


def _problem(name: str, number: int, line: str, fields: list[str], names: list[str]) -> Incident | None:
    if len(fields) != len(names):
        return _wrong_number(name, number, line, len(fields), f"{len(names)} ({', '.join(names)})")
    for field, column in zip(fields, names, strict=True):
        if not field.strip():
            return Incident(name, number, "empty field", f"the {column} is empty", line, f"a {column}")
        if column == "frequency":
            try:
                good = 0 <= float(field) < float("inf")
            except ValueError:
                good = False
            if not good:
                found = f"the frequency is {field.strip()!r}"
                return Incident(name, number, "no frequency", found, line, "a number from 0")
    return None


def _wrong_number(name: str, number: int, line: str, found: int, expected: str) -> Incident:
    kind = "missing column" if found < int(expected[0]) else "extra tab"
    return Incident(name, number, kind, f"the line has {found} column{'' if found == 1 else 's'}", line, expected)
