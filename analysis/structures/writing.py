"""The one way in which the suite writes a file: whole or not at all."""

import os
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO


def write_whole(path: str | os.PathLike, content: bytes | Callable[[BinaryIO], object]) -> None:
    """Write a file so that its place holds either the old content or all of the new, whoever else writes it.

    Parameters
    ----------
    path : path
        Its folder is made if it is not there.
    content : bytes or callable
        A callable writes to the open file that it gets.

    Raises
    ------
    OSError
        If the folder or the file cannot be written. Nothing is left behind then.

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
    """A path beside a file, to be written; it takes the file's place at the end, or goes if there was an error.

    For writers that want a path; it ends as the file's does.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with whole_file(Path(folder) / "a.txt") as part:
    ...         _ = part.write_text("all of it")
    ...     [path.name for path in Path(folder).iterdir()]
    ['a.txt']
    """
    target = Path(path)
    part = target.with_name(f".{target.name[:100]}.{uuid.uuid4().hex[:12]}.part{target.suffix}")
    try:
        yield part
        part.replace(target)
    except BaseException:
        with suppress(OSError):
            part.unlink(missing_ok=True)
        raise
