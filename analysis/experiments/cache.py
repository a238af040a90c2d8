"""Results on disk, each under the data's checksum, the parameters and a digest of the source that computes it.

A stored result is a zip file of data (`analysis.experiments.storing`) preceded by its SHA-256. It is written
atomically, so a crash leaves no partial file; a damaged file is detected and computed again. Reading it runs no code.
``ANALYSIS_NO_CACHE=1`` switches reading and writing off; the results are the same.
"""

import hashlib
import json
import logging
import math
import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import pandas as pd

from analysis.corpora.folders import cache_folder
from analysis.experiments.storing import decode, encode, manifest
from analysis.structures.locks import locked_file
from analysis.structures.source import known_source, source_of
from analysis.structures.writing import write_whole

Result = TypeVar("Result")

_log = logging.getLogger(__name__)

#: Folder, next to the results, of the digests of the definitions that computed them.
SOURCES = ".sources"


def _plain(value: Any) -> Any:
    """Convert a key to JSON types; raise an error for values without a unique written form."""
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
            raise ValueError(f"the names in a cache key must be strings, not {wrong[0]!r}.")
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
        "mappings or tables; instead of a random generator, its seed."
    )


def canonical_json(key: Any) -> str:
    """Write a key in a unique form: sorted names, no spaces, NumPy numbers as plain numbers.

    Integers and floats are distinguished (1 and 1.0 are different keys); tuples and arrays are written as lists,
    tables by their `fingerprint`.

    Parameters
    ----------
    key : object
        Mappings, lists, numbers, strings, arrays and tables.

    Returns
    -------
    str

    Raises
    ------
    ValueError
        If the key contains a value without a unique written form, such as a random generator.

    Examples
    --------
    >>> canonical_json({"k": np.int64(12), "data": "ab", "linkage": None})
    '{"data":"ab","k":12,"linkage":null}'
    """
    return json.dumps(_plain(key), sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def fingerprint(table: pd.DataFrame | pd.Series) -> str:
    """Compute the SHA-256 of a table's columns and values in row order; the row index and unused categories are
    ignored.

    Parameters
    ----------
    table : DataFrame or Series
        The table; only its columns and values count.

    Returns
    -------
    str

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


def cache_key(
    *, data: object, parameters: Mapping[str, object], function: Callable[..., Any] | Sequence[Callable[..., Any]]
) -> dict[str, object]:
    """Make the key of `cached` from the three things that a result depends on.

    Parameters
    ----------
    data : str or DataFrame
        The version or checksum of the data, or the table itself (then its `fingerprint`).
    parameters : mapping
        Each argument that the result depends on, the seed included.
    function : callable or sequence of callables
        The function that computes the result. The key contains a digest of its source and of all that it reaches; see
        `analysis.structures.source`.

    Returns
    -------
    dict of str to object

    Examples
    --------
    >>> key = cache_key(data="sha256:ab", parameters={"k": 12}, function=fingerprint)
    >>> canonical_json(key | {"source": "cd"})
    '{"data":"sha256:ab","parameters":{"k":12},"source":"cd"}'
    """
    return {"data": data, "parameters": dict(parameters), "source": source_of(function).digest}


def switched_off() -> bool:
    """Return whether ``ANALYSIS_NO_CACHE`` switches the cache off.

    Examples
    --------
    >>> isinstance(switched_off(), bool)
    True
    """
    return os.environ.get("ANALYSIS_NO_CACHE", "").strip().lower() not in ("", "0", "no", "false")


def results_folder() -> Path:
    """Return the folder of stored results; it may not exist yet.

    Examples
    --------
    >>> results_folder().name
    'results'
    """
    return cache_folder() / "results"


@dataclass(frozen=True)
class Place:
    """Location of a stored result: its file and its written key (None, None if the cache is switched off).

    Parameters
    ----------
    path : Path or None
    key : str or None
    classes : tuple of type
        Named tuples and dataclasses that the result may contain.

    Examples
    --------
    >>> Place(None, None).read()
    (False, None)
    """

    path: Path | None
    key: str | None
    classes: tuple[type, ...] = ()

    def read(self) -> tuple[bool, Any]:
        """Return whether a valid result is stored, and the result.

        A file that is missing, truncated, altered or of another key counts as not stored.
        """
        if self.path is None:
            return False, None
        try:
            payload = sound_content(self.path)
            if manifest(payload)["key"] != self.key:
                raise ValueError("it belongs to another key")
            return True, decode(payload, self.classes)
        except FileNotFoundError:
            return False, None
        except Exception as error:  # a damaged file may raise anything; the result is then computed again
            _log.info("%s cannot be used (%s); it is computed again", self.path, error)
            return False, None

    def is_stored(self) -> bool:
        """Return whether a valid result is stored, without decoding it."""
        try:
            return self.path is not None and manifest(sound_content(self.path))["key"] == self.key
        except Exception:  # as in `read`
            return False

    def write(self, value: Any) -> None:
        """Store a result atomically.

        If the folder cannot be written (read-only, full), the result is not stored; this is not an error.

        Raises
        ------
        TypeError
            If the result contains something that cannot be stored; see `analysis.experiments.storing`.
        """
        if self.path is None:
            return
        payload = encode(value, {"key": self.key}, self.classes)
        try:
            write_whole(self.path, hashlib.sha256(payload).hexdigest().encode() + b"\n" + payload)
            self.keep_source()
        except OSError as error:
            _log.info("%s is not stored: %s", self.path, error)

    @contextmanager
    def claimed(self) -> Iterator[bool]:
        """Claim the result for the time of a block, so that other processes do not compute it too.

        The claim ends with the process, however that ends. Where nothing can be stored, everyone has the claim.

        Yields
        ------
        bool
            Whether this block has the claim.

        Examples
        --------
        >>> with Place(None, None).claimed() as mine:
        ...     mine
        True
        """
        with ExitStack() as stack:
            mine = True
            if self.path is not None:
                with suppress(OSError):
                    mine = stack.enter_context(locked_file(self.path.with_suffix(".claim")))
            yield mine

    def keep_source(self) -> None:
        """Store the parts of the source digest once, so that `explain` can report what changed.

        Raises
        ------
        OSError
            If it cannot be written.
        """
        key = json.loads(self.key or "{}")
        source = known_source(key.get("source")) if isinstance(key, dict) else None
        if source is None:
            return
        path = results_folder() / SOURCES / f"{source.digest}.json"
        if not path.is_file():
            about = {"definitions": source.definitions, "packages": source.packages}
            write_whole(path, json.dumps(about, indent=0).encode())

    def forget(self) -> None:
        """Delete the stored result."""
        if self.path is not None:
            self.path.unlink(missing_ok=True)


def sound_content(path: Path) -> bytes:
    """Read the bytes of a stored result and verify its checksum.

    Raises
    ------
    OSError, ValueError
        If the file cannot be read, or its checksum does not match.
    """
    digest, _, payload = path.read_bytes().partition(b"\n")
    if hashlib.sha256(payload).hexdigest().encode() != digest:
        raise ValueError("its checksum does not match")
    return payload


def place(name: str, key: Any, classes: Sequence[type] = ()) -> Place:
    """Return the location of a result, by its name and key.

    Raises
    ------
    ValueError
        If the name is not a plain file name, or the key has no written form.

    Examples
    --------
    >>> place("many_to_one", {"data": "ab"}).key
    '{"data":"ab"}'
    """
    if not re.fullmatch(r"[A-Za-z0-9_][A-Za-z0-9_.-]*", name):
        raise ValueError(f"{name!r} is not a name for a cached result: letters, digits, '_', '.' and '-' only.")
    written = canonical_json(key)
    if switched_off():
        return Place(None, None)
    digest = hashlib.sha256(written.encode()).hexdigest()[:32]
    return Place(results_folder() / name / f"{digest}.zip", written, tuple(classes))


def cached(name: str, key: Any, compute: Callable[[], Result], classes: Sequence[type] = ()) -> Result:
    """Return the result of ``compute()``, read from disk if it is stored under the same name and key.

    Parameters
    ----------
    name : str
        Name of the computation, such as ``"bayesian_hmm"``; one folder per name.
    key : mapping
        Everything that the result depends on: see `cache_key`.
    compute : callable without arguments
        Called if no valid result is stored. For the allowed types of its result, see `analysis.experiments.storing`.
    classes : sequence of type
        Named tuples and dataclasses in the result.

    Returns
    -------
    object
        The result; equal whether it was computed or read.

    Raises
    ------
    ValueError
        If the name is not a plain file name, or the key has no written form.
    TypeError
        If the result contains something that cannot be stored.

    Examples
    --------
    >>> cached("square", cache_key(data="none", parameters={"x": 3}, function=pow), lambda: 3**2)
    9
    """
    stored = place(name, key, classes)
    found, value = stored.read()
    if not found:
        value = compute()
        stored.write(value)
    return value
