"""Copies of the notebooks to work on, so that opening and running one changes nothing that is shipped."""

import hashlib
import json
from collections.abc import Callable, Mapping
from pathlib import Path

from analysis.corpora import folders
from analysis.structures.writing import write_whole

RECORD = ".copied.json"  #: SHA-256 of each notebook as it was copied


def working_folder() -> Path:
    """Folder of the copies: ``work`` in a checkout, else ``notebooks`` in the user's data folder.

    Returns
    -------
    Path

    Examples
    --------
    >>> working_folder().name in ("work", "notebooks")
    True
    """
    root = folders.checkout()
    return root / "work" if root else folders.user_data_folder() / "notebooks"


def working_copies(folder: str | Path | None = None, tell: Callable[[str], None] = lambda line: None) -> Path:
    """Copy the shipped notebooks into a folder; a copy that the reader has changed is kept.

    Parameters
    ----------
    folder : path, optional
        The default is `working_folder`.
    tell : callable
        Is called with one line about each notebook that was copied, replaced by a newer one, or kept although there is
        a newer one.

    Returns
    -------
    Path
        The folder.

    Raises
    ------
    OSError
        If the folder cannot be written.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as home:
    ...     "00_tour.ipynb" in [path.name for path in working_copies(home).iterdir()]
    True
    """
    target = working_folder() if folder is None else Path(folder)
    shipped = {path.name: path.read_bytes() for path in sorted(folders.notebooks_folder().glob("*.ipynb"))}
    return keep_copies(shipped, target, RECORD, tell)


def keep_copies(shipped: Mapping[str, bytes], target: Path, record: str, tell: Callable[[str], None]) -> Path:
    """Write files into a folder; a file that the reader has changed is kept.

    Parameters
    ----------
    shipped : mapping of str to bytes
        Contents by file name.
    target : Path
    record : str
        Name of the file that says what was written before.
    tell : callable
        As in `working_copies`.

    Returns
    -------
    Path
        The folder.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as home:
    ...     _ = keep_copies({"a.ipynb": b"{}"}, Path(home), ".record.json", lambda line: None)
    ...     (Path(home) / "a.ipynb").read_bytes()
    b'{}'
    """
    copied = _copied(target / record)
    for name, content in shipped.items():
        copy = target / name
        there = _digest(copy.read_bytes()) if copy.is_file() else ""
        now, before = _digest(content), copied.get(name, "")
        if there == now:
            copied[name] = now
        elif there in ("", before):
            write_whole(copy, content)
            tell(f"{copy}: {'replaced by the newer one' if there else 'copied'}")
            copied[name] = now
        elif now != before:
            tell(f"{copy}: kept, since you changed it; the suite has a newer one: rename yours to get it")
    write_whole(target / record, (json.dumps(copied, indent=1) + "\n").encode())
    return target


def _copied(record: Path) -> dict[str, str]:
    try:
        return dict(json.loads(record.read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):
        return {}


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
