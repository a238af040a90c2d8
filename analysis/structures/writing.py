"""Atomic writing of files: completely or not at all."""

import os
import stat
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO


def write_whole(path: str | os.PathLike, content: bytes | Callable[[BinaryIO], object]) -> None:
    """Write a file atomically: the path holds either the old content or all of the new.

    Parameters
    ----------
    path : path
        Its folder is created if it does not exist.
    content : bytes or callable
        A callable is called with the open file and writes to it.

    Raises
    ------
    OSError
        If the folder or the file cannot be written. No partial file remains.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_whole(Path(folder) / "a.txt", b"whole")
    ...     [path.name for path in Path(folder).iterdir()]
    ['a.txt']
    """
    target = Path(path)
    target.parent.mkdir(parents=True, exist_ok=True)
    with whole_file(target) as part, part.open("xb") as file:
        if callable(content):
            content(file)
        else:
            file.write(content)


@contextmanager
def whole_file(path: str | os.PathLike) -> Iterator[Path]:
    """Yield a temporary path; it replaces the file at the end, or is deleted after an error.

    For writers that need a path; it has the same suffix as the file. A link stays: the file that it leads to is
    replaced. What replaces a file has its permissions.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with whole_file(Path(folder) / "a.txt") as part:
    ...         _ = part.write_text("all of it")
    ...     [path.name for path in Path(folder).iterdir()]
    ['a.txt']
    """
    target = Path(os.path.realpath(path))
    part = target.with_name(f".{target.name[:100]}.{uuid.uuid4().hex[:12]}.part{Path(path).suffix}")
    try:
        yield part
        with suppress(OSError):
            part.chmod(stat.S_IMODE(target.stat().st_mode))
        part.replace(target)
    except BaseException:
        with suppress(OSError):
            part.unlink(missing_ok=True)
        raise
