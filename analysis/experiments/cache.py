"""Results on disk, each under the data's checksum, the parameters and the version of the algorithm.

A stored result is a pickle behind its own SHA-256, written beside its place and then moved there, so that a crash
leaves nothing half-written and a damaged file is noticed and computed again. ``ANALYSIS_NO_CACHE=1`` switches
reading and writing off; the results are the same either way.
"""

import hashlib
import json
import logging
import math
import os
import pickle
import re
import tempfile
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import pandas as pd

from analysis.corpora.folders import cache_folder

Result = TypeVar("Result")

_log = logging.getLogger(__name__)


def _plain(value: Any) -> Any:
    """A key as JSON knows it; refuses what has no one written form."""
    if value is None or value is pd.NA:
        return None
    if isinstance(value, (bool, np.bool_)):
        return bool(value)
    if isinstance(value, (int, np.integer)):
        return int(value)
    if isinstance(value, (float, np.floating)):
        if not math.isfinite(value):
            return {"float": repr(float(value))}
        return float(value)
    if isinstance(value, str):
        return str(value)
    if isinstance(value, Path):
        return value.as_posix()
    if isinstance(value, Mapping):
        wrong = [name for name in value if not isinstance(name, str)]
        if wrong:
            raise ValueError(f"a cache key names its entries with strings, not {wrong[0]!r}.")
        return {name: _plain(entry) for name, entry in value.items()}
    if isinstance(value, (set, frozenset)):
        return {"set": sorted((_plain(entry) for entry in value), key=lambda entry: json.dumps(entry, sort_keys=True))}
    if isinstance(value, (pd.DataFrame, pd.Series)):
        return {"sha256": fingerprint(value)}
    if isinstance(value, np.ndarray):
        return [_plain(entry) for entry in value.tolist()]
    if isinstance(value, Sequence) and not isinstance(value, (bytes, bytearray)):
        return [_plain(entry) for entry in value]
    raise ValueError(
        f"a cache key cannot hold a {type(value).__name__} ({str(value)[:80]!r}): give numbers, strings, lists, "
        "mappings or tables; for a random generator, its seed."
    )


def canonical_json(key: Any) -> str:
    """One written form of a key: sorted names, no spaces, NumPy's numbers as plain ones.

    Integers and floats stay apart (1 and 1.0 are different keys); tuples and arrays are written as lists,
    tables by their `fingerprint`.

    Raises
    ------
    ValueError
        If the key holds something without one written form, such as a random generator.

    Examples
    --------
    >>> canonical_json({"k": np.int64(12), "data": "ab", "linkage": None})
    '{"data":"ab","k":12,"linkage":null}'
    """
    return json.dumps(_plain(key), sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def fingerprint(table: pd.DataFrame | pd.Series) -> str:
    """SHA-256 of a table's columns and values in row order; the row index and unused categories do not count.

    Examples
    --------
    >>> words = pd.DataFrame({"form": ["look", "there"]})
    >>> fingerprint(words) == fingerprint(words.astype("category"))
    True
    >>> fingerprint(words) == fingerprint(words[::-1])
    False
    """
    frame = table.to_frame() if isinstance(table, pd.Series) else table
    digest = hashlib.sha256()
    for name, column in frame.items():
        if isinstance(column.dtype, pd.CategoricalDtype):
            kind = str(column.dtype.categories.dtype)
        else:
            kind = str(column.dtype)
        hashes = pd.util.hash_pandas_object(column, index=False, categorize=True).to_numpy()
        digest.update(f"{name!r}:{kind}:{len(hashes)};".encode())
        digest.update(hashes.tobytes())
    return digest.hexdigest()


def cache_key(*, data: object, parameters: Mapping[str, object], version: object) -> dict[str, object]:
    """The three things that a result depends on, as the key of `cached`.

    Parameters
    ----------
    data : str or DataFrame
        The version or checksum of the data, or the table itself (then its `fingerprint`).
    parameters : mapping
        Each argument that the result depends on, the seed included.
    version : str
        The model's or measure's version string.

    Examples
    --------
    >>> canonical_json(cache_key(data="sha256:ab", parameters={"k": 12}, version="1"))
    '{"data":"sha256:ab","parameters":{"k":12},"version":"1"}'
    """
    return {"data": data, "parameters": dict(parameters), "version": version}


def switched_off() -> bool:
    """Whether ``ANALYSIS_NO_CACHE`` forbids the cache.

    Examples
    --------
    >>> isinstance(switched_off(), bool)
    True
    """
    return os.environ.get("ANALYSIS_NO_CACHE", "").strip().lower() not in ("", "0", "no", "false")


def results_folder() -> Path:
    """Where results are stored; the folder may not exist yet.

    Examples
    --------
    >>> results_folder().name
    'results'
    """
    return cache_folder() / "results"


@dataclass(frozen=True)
class Place:
    """Where one result is stored: its file and its key as written (None, None if the cache is switched off).

    Examples
    --------
    >>> Place(None, None).read()
    (False, None)
    """

    path: Path | None
    key: str | None

    def read(self) -> tuple[bool, Any]:
        """Whether a sound result is stored here, and the result.

        A file that is missing, truncated, altered or of another key counts as nothing stored.
        """
        if self.path is None:
            return False, None
        try:
            content = self.path.read_bytes()
        except OSError:
            return False, None
        digest, _, payload = content.partition(b"\n")
        try:
            if hashlib.sha256(payload).hexdigest().encode() != digest:
                raise ValueError("its checksum does not match")
            stored = pickle.loads(payload)
            if stored["key"] != self.key:
                raise ValueError("it belongs to another key")
            return True, stored["value"]
        except Exception as error:  # whatever a damaged or outdated pickle raises, the answer is to compute again
            _log.info("%s cannot be used (%s); it is computed again", self.path, error)
            return False, None

    def write(self, value: Any) -> None:
        """Store a result, whole or not at all.

        A folder that cannot be written (read-only, full) is no error: the result is then simply not kept.
        """
        if self.path is None:
            return
        payload = pickle.dumps({"key": self.key, "value": value}, protocol=5)
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            write_whole(self.path, hashlib.sha256(payload).hexdigest().encode() + b"\n" + payload)
        except OSError as error:
            _log.info("%s is not stored: %s", self.path, error)


def place(name: str, key: Any) -> Place:
    """The place of one result, by its name and key.

    Raises
    ------
    ValueError
        If the name is no plain file name, or the key cannot be written down.

    Examples
    --------
    >>> place("many_to_one", {"data": "ab"}).key
    '{"data":"ab"}'
    """
    if not re.fullmatch(r"[A-Za-z0-9_][A-Za-z0-9_.-]*", name):
        raise ValueError(f"{name!r} is no name for a cached result: letters, digits, '_', '.' and '-' only.")
    written = canonical_json(key)
    if switched_off():
        return Place(None, None)
    return Place(results_folder() / name / f"{hashlib.sha256(written.encode()).hexdigest()[:32]}.pickle", written)


def write_whole(path: Path, content: bytes) -> None:
    """Write a file so that its place holds either the old content or all of the new.

    Examples
    --------
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_whole(Path(folder) / "a.txt", b"whole")
    ...     [path.name for path in Path(folder).iterdir()]
    ['a.txt']
    """
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".part")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        Path(name).replace(path)
    except BaseException:
        with suppress(OSError):
            Path(name).unlink()
        raise


def cached(name: str, key: Any, compute: Callable[[], Result]) -> Result:
    """The result of ``compute()``, from disk if it is stored there under the same name and key.

    Parameters
    ----------
    name : str
        What is computed, such as ``"bayesian_hmm"``; one folder a name.
    key : mapping
        Everything that the result depends on: see `cache_key`.
    compute : callable without arguments
        Called if nothing sound is stored. Its result must survive pickling.

    Returns
    -------
    The result; equal whether it was computed or read.

    Raises
    ------
    ValueError
        If the name or the key cannot be written down.

    Examples
    --------
    >>> cached("square", cache_key(data="none", parameters={"x": 3}, version="1"), lambda: 3**2)
    9
    """
    stored = place(name, key)
    found, value = stored.read()
    if not found:
        value = compute()
        stored.write(value)
    return value
