"""Results of long runs that the suite ships, in ``data/results``, each with a record of how it was made.

Beside ``NAME.csv`` lies ``NAME.json``: the command, the seeds, the versions, the checksum of the table, and the digest
of the source that computed it. A table is never recomputed silently: where the source has changed since, it is
*made by other source* (`StoredRun.note`) until someone runs it again or certifies it (`certify`).
"""

import hashlib
import io
import json
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
from analysis.structures.source import COMPUTING, source_of
from analysis.structures.writing import write_whole

OTHER_SOURCE = "made by other source"


class StoredRun(NamedTuple):
    """A stored table and how it was made.

    Attributes
    ----------
    table : DataFrame
    about : dict
        The record: ``command``, ``seeds``, ``versions``, ``source``, ``definitions``, ``packages``, ``sha256``, and
        ``certified``: of each renewal the seed and the cells.
    note : str
        "made by other source" where the source has changed since, to be shown beside the table; else empty.
    changed : str
        Which definitions changed.
    """

    table: pd.DataFrame
    about: dict[str, Any]
    note: str
    changed: str


def write_stored(
    name: str,
    table: pd.DataFrame,
    function: Callable[..., Any],
    *,
    command: str,
    seeds: Sequence[int] = (),
    folder: Path | None = None,
) -> None:
    """Write ``NAME.csv`` and its record ``NAME.json``.

    Parameters
    ----------
    name : str
    table : DataFrame
        The index is not written.
    function : callable
        What computed it.
    command : str
        How a reader runs it again.
    seeds : sequence of int
    folder : Path, optional
        By default ``data/results``.
    """
    content = table.to_csv(index=False, lineterminator="\n").encode()
    write_whole(_folder(folder) / f"{name}.csv", content)
    about = {"command": command, "seeds": [int(seed) for seed in seeds], "certified": []}
    _write_record(name, about, content, function, folder)


def read_stored(name: str, function: Callable[..., Any], *, folder: Path | None = None, **options: Any) -> StoredRun:
    """Read ``NAME.csv``, and tell whether the function that computes it has changed since.

    Parameters
    ----------
    name : str
    function : callable
        What computes the table.
    folder : Path, optional
    **options
        Of `pandas.read_csv`. By default only empty fields are missing.

    Raises
    ------
    DataError
        If the table or its record is missing, or the table is not the one of the record.
    """
    about, content = _record(name, folder)
    options = {"keep_default_na": False, "na_values": [""], "encoding": "utf-8"} | options
    table = pd.read_csv(io.BytesIO(content), **options)
    now = source_of(function)
    if about["source"] == now.digest or about["definitions"] == now.definitions:
        return StoredRun(table, about, "", "")
    return StoredRun(table, about, OTHER_SOURCE, changed_source(about["definitions"], about["packages"], now)[1])


def certify(
    name: str,
    function: Callable[..., Any],
    recompute: Callable[..., pd.DataFrame],
    by: Sequence[str],
    *,
    cells: int = 3,
    random_state: int = 0,
    ignore: Sequence[str] = ("seconds",),
    folder: Path | None = None,
) -> pd.DataFrame:
    """Recompute some cells of a stored table; if they come out to the same digits, note the present source.

    Parameters
    ----------
    name : str
    function : callable
        What computes the table; its digest is noted.
    recompute : callable
        Gets the columns ``by`` of a cell as keyword arguments and returns its rows, in the order of the table.
    by : sequence of str
        Columns that name a cell.
    cells : int
        How many are drawn; all, if there are no more.
    random_state : int
        Of the drawing; goes into the record.
    ignore : sequence of str
        Columns that differ from run to run.
    folder : Path, optional

    Returns
    -------
    DataFrame
        The cells that were recomputed.

    Raises
    ------
    ValueError
        If a cell comes out otherwise: names cell, column and both values. The record stays as it was.
    DataError
        As `read_stored`.
    """
    about, content = _record(name, folder)
    text = pd.read_csv(io.BytesIO(content), dtype="str", keep_default_na=False, encoding="utf-8")
    typed = pd.read_csv(io.BytesIO(content), keep_default_na=False, na_values=[""], encoding="utf-8")
    every = typed[list(by)].drop_duplicates()
    order = np.random.default_rng(random_state).permutation(len(every))[:cells]
    drawn = every.iloc[np.sort(order)]
    for cell in drawn.to_dict("records"):
        chosen = (typed[list(by)] == pd.Series(cell)).all(axis=1).to_numpy()
        found = recompute(**{str(key): value for key, value in cell.items()})
        _compare(name, cell, text[chosen].reset_index(drop=True), found, ignore)
    told = {"random_state": int(random_state), "cells": json.loads(drawn.to_json(orient="records"))}
    _write_record(name, about | {"certified": [*about["certified"], told]}, content, function, folder)
    return drawn.reset_index(drop=True)


def _compare(
    name: str, cell: Mapping[Any, Any], stored: pd.DataFrame, found: pd.DataFrame, ignore: Sequence[str]
) -> None:
    written = io.StringIO(found.to_csv(index=False, lineterminator="\n"))
    again = pd.read_csv(written, dtype="str", keep_default_na=False)
    columns = [column for column in stored.columns if column not in ignore]
    if len(again) != len(stored) or not set(columns) <= set(again.columns):
        raise ValueError(f"{name}, {dict(cell)}: {len(again)} rows with other columns; stored are {len(stored)} rows.")
    for column in columns:
        for row, (one, other) in enumerate(zip(stored[column], again[column], strict=True)):
            if one != other:
                raise ValueError(f"{name}, {dict(cell)}, row {row}: {column} is {other!r}; stored is {one!r}.")


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


def _write_record(
    name: str, about: Mapping[str, Any], content: bytes, function: Callable[..., Any], folder: Path | None
) -> None:
    source = source_of(function)
    versions = {"language-yardstick": analysis.__version__, "python": platform.python_version()}
    versions |= {each: metadata.version(COMPUTING[each]) for each in source.packages}
    record = {
        **about,
        "versions": versions,
        "sha256": hashlib.sha256(content).hexdigest(),
        "source": source.digest,
        "packages": source.packages,
        "definitions": source.definitions,
    }
    text = json.dumps(record, ensure_ascii=False, indent=1) + "\n"
    write_whole(_folder(folder) / f"{name}.json", text.encode())
