"""Processes that a report starts end with the process that writes it."""

import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from types import FrameType
from typing import Any

import psutil


@contextmanager
def ended_together() -> Iterator[None]:
    """While the block runs, let SIGTERM and SIGINT also end all processes that this one has started.

    Workers and the Python of a notebook would go on computing otherwise. SIGTERM ends this process as an exception
    does, so that no incomplete file is left. In a thread other than the main one, where Python takes no signals,
    nothing is changed.

    Examples
    --------
    >>> with ended_together():
    ...     pass
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before: dict[int, Any] = {}

    def end(number: int, frame: FrameType | None) -> None:
        for process in psutil.Process().children(recursive=True):
            with suppress(psutil.Error):
                process.terminate()
        if callable(before[number]):
            before[number](number, frame)
        else:
            sys.exit(128 + number)

    for number in (signal.SIGTERM, signal.SIGINT):
        if signal.getsignal(number) != signal.SIG_IGN:  # a job in the background of a script ignores SIGINT
            before[number] = signal.signal(number, end)
    try:
        yield
    finally:
        for known, handler in before.items():
            signal.signal(known, handler)
