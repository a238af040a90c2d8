"""What the models of word classes share: parameters by name, how clusters are returned, how a chain is interrupted."""

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import numpy as np
import pandas as pd

from analysis.structures.model import Model

__all__ = ["Model", "cluster_series", "interruption_deferred"]


def cluster_series(codes: np.ndarray, index: pd.Index) -> pd.Series:
    """Clusters of tokens as a nullable series named ``cluster``; -1 becomes a missing value.

    Examples
    --------
    >>> cluster_series(np.array([2, -1]), pd.RangeIndex(2)).tolist()
    [2, <NA>]
    """
    values = pd.arrays.IntegerArray(np.asarray(codes, dtype=np.int32), np.asarray(codes) < 0)
    return pd.Series(values, index=index, name="cluster")


@contextmanager
def interruption_deferred() -> Iterator[Callable[[], bool]]:
    """Let Ctrl-C wait: yields a function that says whether it came; it is raised at the end.

    In other threads than the main one, which no signal reaches, it never comes.

    Examples
    --------
    >>> with interruption_deferred() as interrupted:
    ...     interrupted()
    False
    """
    came: list[bool] = []
    if threading.current_thread() is not threading.main_thread():
        yield lambda: False
        return
    before = signal.signal(signal.SIGINT, lambda *_: came.append(True))
    try:
        yield lambda: bool(came)
    finally:
        signal.signal(signal.SIGINT, before)
    if came:
        raise KeyboardInterrupt
