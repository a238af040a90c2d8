"""Download files: resumed, verified and written atomically; several in parallel."""

import hashlib
import os
import threading
import time
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from analysis.structures import DataError, Incident
from analysis.structures.locks import locked_file

CHUNK = 1 << 13  # maximum loss when a connection breaks
_LONGEST_PAUSE = 60.0
BETWEEN_LOOKS = 0.1  # seconds, while another process fetches the same file


@dataclass(frozen=True, slots=True)
class Wanted:
    """A file to fetch.

    Parameters
    ----------
    address : str
        Web address.
    target : Path
        Path of the file on disk.
    sha256, blob_sha1 : str
        Expected checksums, in hexadecimal digits; empty if unknown. The second is git's name for the content.
    size : int or None
        Size in bytes, if known.
    """

    address: str
    target: Path
    sha256: str = ""
    blob_sha1: str = ""
    size: int | None = None


class NotThereError(DataError):
    """The server answers, but has no such file."""


class UnreachableError(DataError):
    """The server does not answer, or the connection breaks each time; trying again later may help."""


def digest(path: str | Path, kind: str) -> str:
    """Compute the SHA-256 of a file (``kind="sha256"``), or git's SHA-1 of it as a blob (``"blob_sha1"``).

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     empty = Path(folder) / "empty"
    ...     _ = empty.write_bytes(b"")
    ...     digest(empty, "blob_sha1")
    'e69de29bb2d1d6434b8b29ae775ad8c2e48c5391'
    """
    path = Path(path)
    if kind == "sha256":
        running = hashlib.sha256()
    elif kind == "blob_sha1":
        running = hashlib.sha1(b"blob %d\0" % path.stat().st_size, usedforsecurity=False)
    else:
        raise ValueError(f"kind must be 'sha256' or 'blob_sha1', not {kind!r}.")
    with path.open("rb") as stream:
        while chunk := stream.read(1 << 20):
            running.update(chunk)
    return running.hexdigest()


def difference(path: Path, *, sha256: str = "", blob_sha1: str = "", size: int | None = None) -> str:
    """Describe how a file differs from the expected one, in one sentence; empty if it does not, or nothing is known."""
    has = path.stat().st_size
    if size is not None and has != size:
        return f"has {has:,} bytes, not {size:,}"
    for kind, stated in (("sha256", sha256), ("blob_sha1", blob_sha1)):
        if stated and (found := digest(path, kind)) != stated.lower():
            name = {"sha256": "SHA-256", "blob_sha1": "git blob SHA-1"}[kind]
            return f"has the {name} {found}, not {stated}"
    return ""


def is_html(beginning: bytes) -> bool:
    r"""Return whether a file begins like a web page.

    Examples
    --------
    >>> is_html(b"\n<!DOCTYPE html>"), is_html(b"1\tthe\tthe")
    (True, False)
    """
    start = beginning.removeprefix(b"\xef\xbb\xbf").lstrip()[:14].lower()
    return start.startswith((b"<!doctype html", b"<html", b"<head"))


def fetch_file(
    address: str,
    target: str | Path,
    *,
    sha256: str = "",
    blob_sha1: str = "",
    size: int | None = None,
    tries: int = 5,
    pause: float = 1.0,
    timeout: float = 30.0,
    on_bytes: Callable[[int], Any] | None = None,
    stop: threading.Event | None = None,
) -> Path:
    """Fetch one file and verify it before it replaces the target.

    A partial download is kept next to the target under a name that ends in ``.part``; a later call resumes it if a
    checksum is given, since otherwise nothing shows that both parts belong together. The target is replaced atomically,
    so it is never incomplete. An existing correct target is kept. While another call fetches the same target, in this
    process or another, this one waits. A body longer than ``size`` is cut off while it arrives, and a body in an
    encoding is refused before it is unpacked.

    Parameters
    ----------
    address : str
        Web address.
    target : path
        Path of the file on disk; its folder is created.
    sha256, blob_sha1 : str
        Expected checksums: SHA-256, or the SHA-1 of git for the content as a blob.
    size : int, optional
        Expected size in bytes.
    tries : int
        Number of tries before the address counts as unreachable; a try that received data does not count.
    pause : float
        Seconds before the second try; each further pause is twice as long, at most a minute. A ``Retry-After`` of the
        server is respected.
    timeout : float
        Seconds without an answer or data after which a try fails.
    on_bytes : function, optional
        Called with the number of bytes received (negative if they are discarded).
    stop : threading.Event, optional
        When set, the download ends with `UnreachableError` at the next opportunity.

    Returns
    -------
    Path
        The target.

    Raises
    ------
    DataError
        If a web page or a truncated file was received instead of the file, or it differs from the expected one. Nothing
        is kept then.
    NotThereError
        If the server answers that there is no such file.
    UnreachableError
        If the server does not answer, or the connection breaks too often. The partial download is kept.
    """
    target = Path(target)
    stated = {"sha256": sha256, "blob_sha1": blob_sha1, "size": size}
    target.parent.mkdir(parents=True, exist_ok=True)
    part = target.with_name(target.name + ".part")
    while stop is None or not stop.is_set():
        if target.exists() and (sha256 or blob_sha1) and not difference(target, **stated):  # type: ignore[arg-type]
            return target
        with locked_file(part) as mine:
            if mine:
                called = on_bytes or (lambda count: None)
                _Download(part, sha256, blob_sha1, size, timeout, called, stop).run(address, tries, pause)
                os.replace(part, target)  # noqa: PTH105  # the name says that it is atomic
                return target
        time.sleep(BETWEEN_LOOKS)
    raise UnreachableError(Incident(address, 0, "unreachable", "stopped"))


@dataclass
class _Download:
    part: Path
    sha256: str
    blob_sha1: str
    size: int | None
    timeout: float
    on_bytes: Callable[[int], Any]
    stop: threading.Event | None

    def run(self, address: str, tries: int, pause: float) -> None:
        """Try until the download is complete and correct."""
        failures, most = 0, self._has()
        while True:
            resumed = self._resumable()
            before = self._has()
            try:
                self._ask(address, before if resumed else 0)
                problem = self._problem()
                if not problem:
                    return
                if not resumed or before == 0:
                    self._drop()
                    raise DataError(
                        Incident(address, 0, "altered", f"the received file {problem}"),
                        "It is not the expected file; nothing is kept of it. If a newer version is wanted, its "
                        "checksum must be given.",
                    )
                self._drop()  # the two parts do not belong together: start again
            except _BrokenOff as broken:
                failures = 0 if self._has() > most else failures + 1
                most = max(most, self._has())
                if failures >= tries or self._stopped():
                    kept = f"; {self._has():,} bytes are kept, and the next call resumes" if self._has() else ""
                    raise UnreachableError(Incident(address, 0, "unreachable", f"{broken}{kept}")) from None
                self._wait(broken.wait if broken.wait is not None else pause * 2 ** max(failures - 1, 0))

    def _ask(self, address: str, offset: int) -> None:
        import requests

        if self.size is not None and offset == self.size:
            return
        headers = {"Accept-Encoding": "identity"} | ({"Range": f"bytes={offset}-"} if offset else {})
        try:
            with requests.get(address, headers=headers, stream=True, timeout=self.timeout) as response:
                self._refuse(response, address, offset)
                if response.status_code == 200:
                    offset = 0  # the server does not support ranges
                self._receive(response, address, offset)
        except (requests.RequestException, OSError) as error:
            if isinstance(error, OSError) and not isinstance(error, requests.RequestException | TimeoutError):
                raise  # an error of the disk, not of the network
            raise _BrokenOff(_reason(error)) from error

    def _refuse(self, response: Any, address: str, offset: int) -> None:
        status = response.status_code
        if status == 416:  # the server has no such range: what is kept is not a prefix of this file
            self._drop()
            raise _BrokenOff("the server has fewer bytes than are kept", wait=0.0)
        if status in (408, 425, 429) or status >= 500:
            raise _BrokenOff(f"the server answers {status} ({response.reason})", _seconds(response))
        if status in (401, 403, 404, 410):
            raise NotThereError(Incident(address, 0, "not there", f"the server answers {status} ({response.reason})"))
        if status not in (200, 206):
            raise DataError(Incident(address, 0, "refused", f"the server answers {status} ({response.reason})"))
        encoding = response.headers.get("Content-Encoding", "").strip().lower()
        if encoding not in ("", "identity"):
            raise DataError(
                Incident(address, 0, "refused", f"the body is in the encoding {encoding}, which was not asked for"),
                "It is not unpacked, since it may be of any size.",
            )
        begins = response.headers.get("Content-Range", "").removeprefix("bytes ").split("-")[0]
        if status == 206 and begins != str(offset):
            self._drop()
            raise _BrokenOff(f"the server sent bytes from {begins or '?'} instead of {offset}", wait=0.0)

    def _receive(self, response: Any, address: str, offset: int) -> None:
        promised = response.headers.get("Content-Length", "")
        arrived = 0
        if not offset:
            self._drop()
        with self.part.open("ab" if offset else "wb") as stream:
            for chunk in response.iter_content(CHUNK):
                if not (offset or arrived) and is_html(chunk[:512]):
                    stream.close()
                    self._drop()
                    first = chunk[:200].decode("utf-8", "replace").strip().split("\n")[0]
                    raise DataError(
                        Incident(address, 1, "HTML page", "a web page was received instead of the file", first),
                        "This may be a log-in page or a proxy; open the address in a browser.",
                    )
                if self.size is not None and offset + arrived + len(chunk) > self.size:
                    stream.close()
                    self._drop()
                    raise DataError(
                        Incident(address, 0, "too long", f"more than the expected {self.size:,} bytes were sent"),
                        "It is not the expected file; nothing is kept of it.",
                    )
                stream.write(chunk)
                arrived += len(chunk)
                self.on_bytes(len(chunk))
                if self._stopped():
                    raise _BrokenOff("stopped")
            stream.flush()
            os.fsync(stream.fileno())
        if promised.isdecimal() and arrived < int(promised):
            raise _BrokenOff(f"the file is truncated: {arrived:,} of {int(promised):,} bytes were received")
        if self.size is not None and offset + arrived < self.size:  # all that the server has sent
            self._drop()
            raise DataError(
                Incident(
                    address, 0, "truncated", f"the file is truncated: {offset + arrived:,} of {self.size:,} bytes"
                ),
                "Nothing is kept of it.",
            )

    def _problem(self) -> str:
        return difference(self.part, sha256=self.sha256, blob_sha1=self.blob_sha1, size=self.size)

    def _has(self) -> int:
        return self.part.stat().st_size if self.part.exists() else 0

    def _resumable(self) -> bool:
        """Return whether the partial download can be resumed; otherwise it is deleted."""
        if self._has() and (self.sha256 or self.blob_sha1) and (self.size is None or self._has() <= self.size):
            return True
        self._drop()
        return False

    def _drop(self) -> None:
        if self._has():
            self.on_bytes(-self._has())
            os.truncate(self.part, 0)  # the name is locked, so it stays until the end

    def _stopped(self) -> bool:
        return self.stop is not None and self.stop.is_set()

    def _wait(self, seconds: float) -> None:
        seconds = min(seconds, _LONGEST_PAUSE)
        if self.stop is not None:
            self.stop.wait(seconds)
        else:
            time.sleep(seconds)


class _BrokenOff(Exception):  # noqa: N818  # never leaves this module
    """A failed try after which another may succeed."""

    def __init__(self, reason: str, wait: float | None = None) -> None:
        super().__init__(reason)
        self.wait = wait


def _seconds(response: Any) -> float | None:
    stated = response.headers.get("Retry-After", "")
    return float(stated) if stated.isdecimal() else None


def _reason(error: BaseException) -> str:
    import requests

    if isinstance(error, requests.Timeout | TimeoutError):
        return "the server does not answer in time"
    if isinstance(error, requests.exceptions.ChunkedEncodingError):
        return "the connection broke before the file was complete (truncated)"
    if isinstance(error, requests.ConnectionError):
        return "the server cannot be reached"
    return f"the download failed ({error})"


def fetch_all(
    wanted: Iterable[Wanted],
    *,
    n_jobs: int = 4,
    on_bytes: Callable[[int], Any] | None = None,
    on_file: Callable[[Wanted, DataError | None], Any] | None = None,
    **options: Any,
) -> dict[Path, DataError | None]:
    """Fetch several files at once; a file that fails does not stop the others, an unreachable address does.

    Parameters
    ----------
    wanted : iterable of Wanted
        The files.
    n_jobs : int
            Number of files fetched at a time.
    on_bytes, on_file : function, optional
        Called with the number of bytes received, and with each file when it is done (and its error, or None).
    **options
        ``tries``, ``pause``, ``timeout`` of `fetch_file`.

    Returns
    -------
    dict
        The error of each target, or None, in the order of ``wanted``.
    """
    if n_jobs < 1:
        raise ValueError(f"n_jobs must be at least 1, not {n_jobs}.")
    stop, lock = threading.Event(), threading.Lock()

    def count(number: int) -> None:
        if on_bytes is not None:
            with lock:
                on_bytes(number)

    def one(file: Wanted) -> DataError | None:
        error: DataError | None = None
        if stop.is_set():
            error = UnreachableError(
                Incident(file.target.name, 0, "not tried", "not tried, because another address was unreachable")
            )
        else:
            try:
                fetch_file(
                    file.address,
                    file.target,
                    sha256=file.sha256,
                    blob_sha1=file.blob_sha1,
                    size=file.size,
                    on_bytes=count,
                    stop=stop,
                    **options,
                )
            except UnreachableError as unreachable:
                error = unreachable
                stop.set()
            except DataError as other:
                error = other
        if on_file is not None:
            with lock:
                on_file(file, error)
        return error

    files = list(wanted)
    with ThreadPoolExecutor(n_jobs) as pool:
        try:
            return dict(zip([file.target for file in files], pool.map(one, files), strict=True))
        except BaseException:
            stop.set()
            pool.shutdown(cancel_futures=True)
            raise
