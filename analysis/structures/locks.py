"""Locks on files, so that two processes do not write the same thing at once."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]


@contextmanager
def locked_file(path: str | os.PathLike) -> Iterator[bool]:
    """Lock a file for the time of a block, if no other block has locked it; never waits.

    The file is created if it does not exist, and deleted at the end if it is empty then. The lock is the system's: it
    ends with the process, however that ends. Where files cannot be locked (Windows, some network disks), every block is
    told that the file is its own.

    Yields
    ------
    bool
        Whether the file is locked by this block.

    Raises
    ------
    OSError
        If the file or its folder cannot be written.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with locked_file(Path(folder) / "a.lock") as mine:
    ...         print(mine, [path.name for path in Path(folder).iterdir()])
    ...     print([path.name for path in Path(folder).iterdir()])
    True ['a.lock']
    []
    """
    target = Path(path)
    if fcntl is None:
        yield True
        return
    target.parent.mkdir(parents=True, exist_ok=True)
    handle = _locked_handle(target)
    if handle is None:
        yield False
        return
    try:
        yield True
    finally:
        if _is_same(handle, target) and os.fstat(handle).st_size == 0:
            target.unlink(missing_ok=True)
        os.close(handle)


def _locked_handle(target: Path) -> int | None:
    """Open the file that has the name now and lock it; None if another block has locked it."""
    while True:
        handle = os.open(target, os.O_RDWR | os.O_CREAT, 0o666)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(handle)
            return None
        except OSError:  # a disk without locks
            return handle
        if _is_same(handle, target):
            return handle
        os.close(handle)  # it was renamed or deleted before it was locked


def _is_same(handle: int, target: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(handle), target.stat())
    except FileNotFoundError:
        return False
