"""Results of long runs, shipped in ``data/results``, each with a record of how it was made.

``NAME.json`` next to ``NAME.csv`` is the record: the command, the seeds, the versions, the checksum of the table, and
the digest of the source that computed it. A table is never recomputed silently: if the source has changed since, it is
marked *made by other source* (`StoredRun.note`) until it is computed again or certified (`certify`). A certificate
covers some rows, and is valid as long as the source is the one that it was made with; the record of how the table was
made is kept.
"""

import hashlib
import io
import json
import math
import platform
from collections.abc import Callable, Mapping, Sequence
from importlib import metadata
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

import analysis
from analysis.corpora.folders import data_folder
from analysis.experiments.explaining import changed_source
from analysis.structures import DataError
from analysis.structures.source import COMPUTING, Source, source_of
from analysis.structures.writing import write_whole

OTHER_SOURCE = "made by other source"

Computing = Callable[..., Any] | Sequence[Callable[..., Any]]  # what a table is computed by


class StoredRun(NamedTuple):
    """A stored table and how it was made.

    Attributes
    ----------
    table : DataFrame
    about : dict
        The record: ``command``, ``seeds``, ``versions``, ``source``, ``definitions``, ``packages``, ``sha256``;
        ``certified``: the certificates, see `certify`; ``remarks``: notes (``text``) on some rows (``where``).
    note : str
        Empty if the source is unchanged. Otherwise a note to show with the table: "certified: 3 of 9 cells" if
        certificates of the present source cover all rows, else "made by other source".
    notes : Series of str
        The note of each row, with the remarks on it.
    changed : str
        Definitions that changed, if the record names them.
    """

    table: pd.DataFrame
    about: dict[str, Any]
    note: str
    notes: pd.Series
    changed: str


def write_stored(
    name: str,
    table: pd.DataFrame,
    function: Computing,
    *,
    command: str,
    seeds: Sequence[int] = (),
    caption: str = "",
    named: bool = True,
    folder: Path | None = None,
) -> None:
    """Write ``NAME.csv`` and its record ``NAME.json``.

    Parameters
    ----------
    name : str
    table : DataFrame
        The index is not written.
    function : callable or sequence of callables
        Function that computed it.
    command : str
        Command that computes it again.
    seeds : sequence of int
    caption : str
        What the numbers count, on which data; see `stored_caption`.
    named : bool
        Whether the record has the digest of each definition that the function reaches, so that `StoredRun.changed`
        can name those that changed, or, much shorter, one digest of all.
    folder : Path, optional
        The default is ``data/results``.
    """
    source = source_of(function)
    content = table.to_csv(index=False, lineterminator="\n").encode()
    write_whole(_folder(folder) / f"{name}.csv", content)
    record = {
        "command": command,
        "seeds": [int(seed) for seed in seeds],
        "caption": caption,
        "certified": [],
        "versions": _versions(source),
        "sha256": hashlib.sha256(content).hexdigest(),
        "source": source.digest,
        "packages": source.packages,
        "definitions": source.definitions if named else _digest(source.definitions),
    }
    _write_json(name, record, folder)


def stored_caption(name: str, *, folder: Path | None = None) -> str:
    """What the record of a stored table says of it: its caption, and the call that computed it.

    Parameters
    ----------
    name : str
    folder : Path, optional

    Returns
    -------
    str

    Raises
    ------
    DataError
        See `read_stored`.
    """
    about, _ = _record(name, folder)
    said = about.get("caption", "").strip()
    return f"{said}{'' if not said or said[-1] in '.!?' else '.'} Stored; computed by {about['command']}.".strip()


def read_stored(
    name: str,
    function: Computing,
    *,
    folder: Path | None = None,
    **options: Any,
) -> StoredRun:
    """Read ``NAME.csv``, and check whether the function that computes it has changed since.

    Parameters
    ----------
    name : str
    function : callable or sequence of callables
        Function that computes the table.
    folder : Path, optional
    **options
        Options of `pandas.read_csv`. By default only empty fields are missing values.

    Returns
    -------
    StoredRun

    Raises
    ------
    DataError
        If the table or its record is missing, or the table does not match the record.
    """
    about, content = _record(name, folder)
    options = {"keep_default_na": False, "na_values": [""], "encoding": "utf-8"} | options
    table = pd.read_csv(io.BytesIO(content), **options)
    now = source_of(function)
    present = about["source"] == now.digest or about["definitions"] in (now.definitions, _digest(now.definitions))
    notes = pd.Series("" if present else OTHER_SOURCE, table.index, dtype="str")
    for told in [] if present else about["certified"]:
        if told["definitions"] == _digest(now.definitions):
            notes[_chosen(table, told["where"])] = f"certified: {len(told['cells'])} of {told['of']} cells"
    note = "; ".join(notes.unique()) if OTHER_SOURCE not in set(notes) else OTHER_SOURCE
    for remark in about.get("remarks", []):
        rows = _chosen(table, remark["where"])
        notes[rows] = [": ".join(filter(None, (one, remark["text"]))) for one in notes[rows]]
    named = not present and not isinstance(about["definitions"], str)
    changed = changed_source(about["definitions"], about["packages"], now)[1] if named else ""
    return StoredRun(table, about, note, notes, changed)


def certify(
    name: str,
    function: Computing,
    recompute: Callable[..., pd.DataFrame],
    by: Sequence[str],
    *,
    where: Mapping[str, str] | None = None,
    cells: int = 3,
    random_state: int = 0,
    ignore: Sequence[str] = ("seconds",),
    decimals: Mapping[str, int] | None = None,
    digits: int | None = None,
    folder: Path | None = None,
) -> pd.DataFrame:
    """Recompute some cells of a stored table and, if all digits agree, certify it for the present source.

    The certificate is written into the record and replaces any other one of the same rows. It contains the arguments
    ``where``, ``random_state``, ``ignore``, ``decimals``, ``digits``; the recomputed ``cells`` and the total number
    ``of``; and the source: ``source`` (its digest), ``definitions`` (the digest of all that is reached) and
    ``versions``.

    Parameters
    ----------
    name : str
    function : callable or sequence of callables
        Function that computes the table; its digest is stored.
    recompute : callable
        Function that takes the columns ``by`` of a cell as keyword arguments, as they are written in the file (text),
        and returns its rows, in the order of the table.
    by : sequence of str
        Columns that identify a cell.
    where : mapping of str to str, optional
        Values of columns, as in the file: only matching rows are drawn and certified. The default is all rows.
    cells : int
        Number of cells to draw; all if there are fewer.
    random_state : int
        Seed for drawing the cells.
    ignore : sequence of str
        Columns that are not compared because they describe the run itself.
    decimals : mapping of str to int, optional
        Decimal places to which the column ``value`` of the table was rounded, by ``unit``; recomputed values are
        rounded in the same way. By default there was no rounding.
    digits : int, optional
        Significant digits to which numbers must agree, for sums whose last bit may depend on the processor; below
        1e-15 they are 0. By default all.
    folder : Path, optional

    Returns
    -------
    DataFrame
        The recomputed cells.

    Raises
    ------
    ValueError
        If no row matches ``where``, or a recomputed cell differs; the message gives cell, column and both values. The
        record is then unchanged.
    DataError
        See `read_stored`.
    """
    about, content = _record(name, folder)
    text = pd.read_csv(io.BytesIO(content), dtype="str", keep_default_na=False, encoding="utf-8")
    within = dict(where or {})
    every = text.loc[_chosen(text, within), list(by)].drop_duplicates()
    if every.empty:
        raise ValueError(f"{name} has no row with {within}.")
    order = np.random.default_rng(random_state).permutation(len(every))[:cells]
    drawn = every.iloc[np.sort(order)]
    for cell in drawn.to_dict("records"):
        chosen = _chosen(text, {**within, **cell})
        found = recompute(**cell)
        if decimals is not None:
            pairs = zip(found["value"], found["unit"], strict=True)
            found = found.assign(value=[round(float(value), decimals[unit]) for value, unit in pairs])
        _compare(name, cell, text[chosen].reset_index(drop=True), found, ignore, digits)
    source = source_of(function)
    told = {
        "where": within, "random_state": int(random_state), "cells": json.loads(drawn.to_json(orient="records")),
        "of": len(every), "ignore": list(ignore), "decimals": decimals and dict(decimals), "digits": digits,
        "source": source.digest, "definitions": _digest(source.definitions), "versions": _versions(source),
    }  # fmt: skip
    others = [one for one in about["certified"] if one["where"] != within]
    _write_json(name, about | {"certified": [*others, told]}, folder)
    return drawn.reset_index(drop=True)


def _chosen(table: pd.DataFrame, where: Mapping[str, str]) -> np.ndarray:
    """Select the rows that have these values."""
    chosen = np.full(len(table), True)
    for column, value in where.items():
        chosen &= (table[column].astype("str") == value).to_numpy()
    return chosen


def _compare(
    name: str,
    cell: Mapping[Any, Any],
    stored: pd.DataFrame,
    found: pd.DataFrame,
    ignore: Sequence[str],
    digits: int | None,
) -> None:
    written = io.StringIO(found.to_csv(index=False, lineterminator="\n"))
    again = pd.read_csv(written, dtype="str", keep_default_na=False)
    columns = [name for name in stored.columns if name not in ignore and (name in again or (stored[name] != "").any())]
    missing = [column for column in columns if column not in again]
    if len(again) != len(stored) or missing:
        raise ValueError(
            f"{name}, {dict(cell)}: {len(again)} rows with other columns (missing: {', '.join(missing) or 'none'}); "
            f"stored are {len(stored)} rows."
        )
    for column in columns:
        for row, (one, other) in enumerate(zip(stored[column], again[column], strict=True)):
            if one != other and not _agree(one, other, digits):
                raise ValueError(f"{name}, {dict(cell)}, row {row}: {column} is {other!r}; stored is {one!r}.")


def _agree(one: str, other: str, digits: int | None) -> bool:
    """Whether two numbers agree to so many significant digits."""
    try:
        return digits is not None and math.isclose(float(one), float(other), rel_tol=0.5 * 10.0**-digits, abs_tol=1e-15)
    except ValueError:
        return False


def _digest(definitions: Mapping[str, str]) -> str:
    return hashlib.sha256(json.dumps(definitions, sort_keys=True).encode()).hexdigest()[:32]


def _folder(folder: Path | None) -> Path:
    return data_folder() / "results" if folder is None else folder


def _record(name: str, folder: Path | None) -> tuple[dict[str, Any], bytes]:
    path = _folder(folder) / f"{name}.csv"
    try:
        content = path.read_bytes()
        about = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise DataError(f"{path} or its record {name}.json cannot be read: {error}") from None
    if hashlib.sha256(content).hexdigest() != about.get("sha256"):
        raise DataError(
            f"{path} is not the table of its record: its SHA-256 is another.",
            f"It was edited or is damaged: run it again ({about.get('command')}), or take back the change.",
        )
    return about, content


def _versions(source: Source) -> dict[str, str]:
    versions = {"language-yardstick": analysis.__version__, "python": platform.python_version()}
    return versions | {each: metadata.version(COMPUTING[each]) for each in source.packages}


def _write_json(name: str, record: Mapping[str, Any], folder: Path | None) -> None:
    text = json.dumps(record, ensure_ascii=False, indent=1) + "\n"
    write_whole(_folder(folder) / f"{name}.json", text.encode())
