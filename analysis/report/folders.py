"""Atomic replacement of a folder, and the manifest of its files."""

import contextlib
import ctypes
import hashlib
import json
import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from analysis.structures import DataError

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

MANIFEST = "manifest.json"
RUN_TIMES = "run_times.json"
RUN_TIMES_PAGE = "run_times.html"
RUN_TIME_MARK = 'class="run-time"'  # on each of its lines that differs from run to run
LITTER = {".DS_Store", "Thumbs.db", "desktop.ini"}
_HERE, _SWAP = (
    -100,
    2,
)  # the current folder (AT_FDCWD) and the flag that exchanges two names, as Linux and macOS have it


@contextlib.contextmanager
def replaced_folder(target: str | Path) -> Iterator[Path]:
    """Yield an empty folder; if the block ends without an error, it replaces ``target``.

    ``target`` is the old folder or the new one at every moment, even if the process is killed: the two folders
    exchange their names in one step. On systems that cannot do this (Windows, some network disks) there are two steps;
    the next run finds the old folder if the process was killed between them. Only one process at a time is inside the
    block, where files can be locked.

    After an error or Ctrl-C in the block, ``target`` is unchanged and nothing else remains. Files that a killed process
    left next to ``target`` are deleted by the next process.

    Raises
    ------
    DataError
        If ``target`` contains anything that is not part of an earlier report, or is a file.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as home:
    ...     with replaced_folder(Path(home) / "report") as folder:
    ...         (folder / "a.txt").touch()
    ...     [path.name for path in Path(home).rglob("*")]
    ['report', 'a.txt']
    """
    target = Path(target).resolve()
    check_target(target)
    filling, aside = (target.with_name(f".{target.name}.report-{kind}") for kind in ("new", "old"))
    new_parents = [parent for parent in target.parents if not parent.exists()]
    target.parent.mkdir(parents=True, exist_ok=True)
    with _locked(target.parent):
        try:
            if aside.exists() and not target.exists():
                aside.replace(target)  # a process was killed between two steps
            check_target(target)
            for left in (filling, aside):
                shutil.rmtree(left, ignore_errors=True)
            filling.mkdir()
            yield filling
            if not target.exists():
                filling.replace(target)
            elif not _exchanged(filling, target):
                target.replace(aside)
                filling.replace(target)
            for left in (filling, aside):
                shutil.rmtree(left, ignore_errors=True)
        except BaseException:
            if aside.exists() and not target.exists():
                aside.replace(target)
            shutil.rmtree(filling, ignore_errors=True)
            for parent in new_parents:
                with contextlib.suppress(OSError):
                    parent.rmdir()
            raise


@contextlib.contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Wait until no other process writes a report into this folder; the lock ends with the process."""
    if fcntl is None:
        yield
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        with contextlib.suppress(OSError):  # a disk without locks
            fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


def _exchanged(one: Path, other: Path) -> bool:
    """Exchange the names of two folders in one step; return False, with no change, if the system cannot do this."""
    names = os.fsencode(one), os.fsencode(other)
    library: Any = ctypes.CDLL(None) if sys.platform != "win32" else None
    if hasattr(library, "renameat2"):  # Linux
        return bool(library.renameat2(_HERE, names[0], _HERE, names[1], _SWAP) == 0)
    if hasattr(library, "renamex_np"):  # macOS
        return bool(library.renamex_np(*names, _SWAP) == 0)
    return False


def check_target(target: str | Path) -> None:
    """Refuse a folder that contains anything other than a report.

    Raises
    ------
    DataError
        If there is; the message names it.

    Examples
    --------
    >>> check_target("no such folder")
    """
    target = Path(target).resolve()
    if not target.exists():
        return
    if not target.is_dir():
        raise DataError(f"{target} is a file; the report needs a folder.", "Name another with --output.")
    present = {path.relative_to(target).as_posix() for path in target.rglob("*") if not path.is_dir()}
    present = {name for name in present if name.rpartition("/")[2] not in LITTER}
    if not present:
        return
    try:
        manifest = json.loads((target / MANIFEST).read_text(encoding="utf-8"))
        known = {MANIFEST, *(entry["path"] for entry in manifest["files"])}
    except (OSError, ValueError, KeyError, TypeError):
        known = set()
    strange = sorted(present - known)
    if strange:
        what = "is not a report" if not known else f"holds {strange[0]!r}, which is not a file of the report"
        raise DataError(f"{target} {what}; it would be deleted.", "Move it, or name another folder with --output.")


def without_run_times(content: bytes) -> bytes:
    r"""The content of a page without the lines that differ from run to run.

    Examples
    --------
    >>> without_run_times(b'same\n<p class="run-time">3 s</p>\nsame\n')
    b'same\nsame\n'
    """
    mark = RUN_TIME_MARK.encode()
    return b"".join(line for line in content.splitlines(keepends=True) if mark not in line)


def _entry(path: Path, name: str) -> dict[str, Any]:
    content = path.read_bytes()
    if name == RUN_TIMES:
        return {"path": name, "sha256": None, "note": "run times only"}
    if name == RUN_TIMES_PAGE:
        digest = hashlib.sha256(without_run_times(content)).hexdigest()
        return {"path": name, "sha256": digest, "note": f"of the lines without {RUN_TIME_MARK}"}
    return {"path": name, "sha256": hashlib.sha256(content).hexdigest(), "bytes": len(content)}


def write_manifest(folder: Path, about: dict[str, Any]) -> None:
    """List every file of a folder with its SHA-256; run times are left out of the sums, so that runs can be compared.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as home:
    ...     (Path(home) / "a.txt").touch()
    ...     write_manifest(Path(home), {})
    ...     check_manifest(home)
    []
    """
    names = sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())
    listed = about | {"files": [_entry(folder / name, name) for name in names if name != MANIFEST]}
    text = json.dumps(listed, indent=1, ensure_ascii=False) + "\n"
    (folder / MANIFEST).write_bytes(text.encode())


def check_manifest(folder: str | Path) -> list[str]:
    """Names of the files of a report that are missing, added or changed; empty if nothing has changed.

    Parameters
    ----------
    folder : str or Path

    Returns
    -------
    list of str

    Raises
    ------
    DataError
        If the folder has no readable manifest.

    Examples
    --------
    >>> check_manifest("no such folder")
    Traceback (most recent call last):
    ...
    analysis.structures.incidents.DataError: no such folder holds no readable manifest.json, so it is not a report.
    """
    folder = Path(folder)
    try:
        entries = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))["files"]
    except (OSError, ValueError, KeyError) as error:
        raise DataError(f"{folder} holds no readable {MANIFEST}, so it is not a report.") from error
    present = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()} - {MANIFEST}
    listed = {entry["path"]: entry for entry in entries}
    altered = {name for name in present & set(listed) if _entry(folder / name, name) != listed[name]}
    return sorted((present ^ set(listed)) | altered)
