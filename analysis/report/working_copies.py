"""Copies of the notebooks to work on, so that opening and running one changes nothing that is shipped."""

import hashlib
import json
from collections.abc import Callable
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
    copied = _copied(target)
    for shipped in sorted(folders.notebooks_folder().glob("*.ipynb")):
        copy, content = target / shipped.name, shipped.read_bytes()
        there = _digest(copy.read_bytes()) if copy.is_file() else ""
        now, before = _digest(content), copied.get(shipped.name, "")
        if there == now:
            copied[shipped.name] = now
        elif there in ("", before):
            write_whole(copy, content)
            tell(f"{copy}: {'replaced by the newer one' if there else 'copied'}")
            copied[shipped.name] = now
        elif now != before:
            tell(f"{copy}: kept, since you changed it; the suite has a newer one: rename yours to get it")
    write_whole(target / RECORD, (json.dumps(copied, indent=1) + "\n").encode())
    return target


def _copied(folder: Path) -> dict[str, str]:
    try:
        return dict(json.loads((folder / RECORD).read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):
        return {}


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
