"""Optional backend of the grid runner: cells of a grid on a Dask cluster."""

import math
import pickle
import reprlib
import time
import warnings
from collections import Counter
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from analysis.experiments.settings import take_settings

LARGE = 100_000  # bytes from which a value that several cells have in common is sent once
LARGEST_SHARE = 1 / 3  # of a worker's memory, for one result: its copy as bytes is as large
SECONDS_BETWEEN_COUNTS = 5  # of the cluster's threads
_SMALL = (str, int, float, bool, type(None))
_SHORT = reprlib.Repr()
_SHORT.maxother = 60

LINES = """    from distributed import Client
    client = Client("scheduler:8786")  # its address; on this machine alone: Client(dashboard_address="127.0.0.1:0")
    run_grid(function, grid, backend="dask")"""


def connected_client() -> Any:
    """Return the Dask client of this process.

    Raises
    ------
    ImportError
        If Dask is not installed.
    RuntimeError
        If no client is connected.

    Examples
    --------
    >>> connected_client()  # doctest: +SKIP
    <Client: 'tcp://scheduler:8786' processes=2 threads=2, memory=8.00 GiB>
    """
    try:
        from distributed import get_client
    except ImportError:
        raise ImportError(
            "the backend 'dask' needs the package distributed, which is not installed: "
            f"pip install 'language-yardstick[cluster]'. Then\n\n{LINES}"
        ) from None
    try:
        return get_client()
    except ValueError:
        raise RuntimeError(f"the backend 'dask' finds no connected client. Type\n\n{LINES}") from None


def cluster_is_configured() -> bool:
    """Return whether the call is inside ``with joblib.parallel_config("dask"):``.

    Examples
    --------
    >>> cluster_is_configured()
    False
    """
    from joblib.parallel import get_active_backend

    return type(get_active_backend()[0]).__name__ == "DaskDistributedBackend"


def results_from_cluster(
    function: Callable[..., Any],
    cells: Sequence[Mapping[str, Any]],
    numbers: Iterable[int],
    settings: Mapping[str, str],
    *,
    keep: bool = False,
) -> Generator[tuple[int, Any], None, None]:
    """Yield the results of ``function`` for the given cells as they are completed.

    Cells and results are sent as bytes, so that Dask does not interpret them and the result is the same as from a call
    in this process. Few cells more than there are threads are on the cluster at a time. A large value that several
    cells have in common is sent once. Cells that have not been started when the iteration ends are cancelled.

    Parameters
    ----------
    function : callable
        A function of a module that the workers can import, or of the running script or notebook.
    cells : sequence of mappings
        Arguments of each call.
    numbers : iterable of int
        Numbers of the cells to compute; each is asked for when its cell is to be submitted.
    settings : mapping
        The ``ANALYSIS_...`` environment variables, which are set in the workers.
    keep : bool
        Whether the error of a cell is yielded as a `CellFailure` instead of being raised.

    Raises
    ------
    ImportError, RuntimeError
        See `connected_client`. Errors of the function are raised unchanged, after the results of the cells that were
        already completed have been yielded.
    ResultTooLargeError, WorkerDiedError
        If a result is too large for a worker, or one that computes a cell dies each time.
    """
    client = connected_client()
    from distributed import as_completed

    sender, waiting = _Sender(client, function, settings, cells), iter(numbers)
    running, of_future = as_completed(), dict[Any, int]()
    error: Exception | None = None
    try:
        while True:
            while error is None and len(of_future) < sender.window():
                number = next(waiting, None)
                if number is None:
                    break
                future = sender.submit(number)
                of_future[future] = number
                running.add(future)
            if not of_future:
                break
            if error is not None and not any(future.done() for future in of_future):
                break
            future = next(running)
            number = of_future.pop(future)
            try:
                result = pickle.loads(future.result())
            except Exception as failed:
                failure = _explained(failed)
                if keep:
                    yield number, CellFailure(failure)
                else:
                    error = error or noted(failure, function, number, cells[number])
            else:
                yield number, result
            future.release()
        if error is not None:
            raise error
    finally:
        with suppress(Exception):  # nothing to cancel if the cluster no longer exists
            client.cancel(list(of_future))


@dataclass(frozen=True)
class CellFailure:
    """The error of a cell, or None if another process computes the cell."""

    error: Exception | None


class ResultTooLargeError(MemoryError):
    """A result that takes a large part of a worker's memory."""


class WorkerDiedError(RuntimeError):
    """The workers that computed a cell died each time."""


def noted(error: Exception, function: Callable[..., Any], number: int, cell: Mapping[str, Any]) -> Exception:
    """Add to an error the cell in which it arose.

    Examples
    --------
    >>> noted(ValueError("no"), pow, 3, {"base": 2, "exp": "x" * 100}).__notes__
    ["in cell 3 of the grid: pow(base=2, exp='xxxxxxxxxxxx...xxxxxxxxxxxxx')"]
    """
    given = ", ".join(f"{name}={' '.join(_SHORT.repr(value).split())}" for name, value in cell.items())
    error.add_note(f"in cell {number} of the grid: {getattr(function, '__qualname__', function)}({given})")
    return error


def _explained(error: Exception) -> Exception:
    from distributed import KilledWorker

    if not isinstance(error, KilledWorker):
        return error
    return WorkerDiedError(
        "the workers that computed this cell died each time, most likely for lack of memory: give each worker more "
        "memory or fewer threads, or make the cell smaller."
    )


class _Sender:
    """Sends cells to a cluster; what is large and common to several cells is sent once, as a task of its own.

    A task, unlike scattered data, is computed again if the only worker that has it dies.
    """

    def __init__(
        self, client: Any, function: Callable[..., Any], settings: Mapping[str, str], cells: Sequence[Mapping[str, Any]]
    ) -> None:
        import cloudpickle

        self.client, self.cells, self.settings = client, cells, settings
        self.sent: dict[int, Any] = {}  # by the identity of a value, its task; None if it is small
        self.times = Counter(id(value) for cell in cells for value in cell.values() if not isinstance(value, _SMALL))
        self.function = self._put(cloudpickle.dumps(function))
        self.asked, self.size = -math.inf, 0

    def window(self) -> int:
        """Most cells on the cluster at a time; workers may come and go."""
        if time.monotonic() - self.asked > SECONDS_BETWEEN_COUNTS:
            self.size = 2 + 2 * sum(self.client.nthreads().values())
            self.asked = time.monotonic()
        return self.size

    def submit(self, number: int) -> Any:
        """Send one cell."""
        import cloudpickle

        own: dict[str, Any] = {}
        shared: dict[str, Any] = {}
        for name, value in self.cells[number].items():
            task = self._shared(value)
            (own if task is None else shared)[name] = value if task is None else task
        call = cloudpickle.dumps((self.settings, own, list(self.cells[number])))
        return self._submit(_called, call, self.function, *[part for pair in shared.items() for part in pair])

    def _shared(self, value: Any) -> Any:
        """The task that holds a value; None if it is small or of one cell only."""
        import cloudpickle

        if self.times[id(value)] < 2:
            return None
        if id(value) not in self.sent:
            payload = cloudpickle.dumps(value)
            self.sent[id(value)] = self._put(payload) if len(payload) >= LARGE else None
        return self.sent[id(value)]

    def _put(self, payload: bytes) -> Any:
        return self._submit(_held, payload) if len(payload) >= LARGE else payload

    def _submit(self, *arguments: Any) -> Any:
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", message="Sending large graph")  # each value is sent once: no problem
            return self.client.submit(*arguments, pure=False)


def _held(payload: bytes) -> bytes:
    return payload


def _called(call: bytes, function: bytes, *shared: Any) -> bytes:
    """Compute one cell in a worker; ``shared`` are names and values in turn, each value as bytes."""
    import cloudpickle
    from threadpoolctl import threadpool_limits

    settings, cell, names = pickle.loads(call)
    take_settings(settings)
    threadpool_limits(limits=1)  # permanently: threads of one worker must not reset each other's limit
    cell |= {name: pickle.loads(value) for name, value in zip(shared[::2], shared[1::2], strict=True)}
    result = pickle.loads(function)(**{name: cell[name] for name in names})
    payload = cloudpickle.dumps(result)
    _check_size(len(payload))
    return bytes(payload)


def _check_size(size: int) -> None:
    """Refuse a result that would soon exhaust the worker, which Dask would then compute again and again."""
    from distributed import get_worker

    limit = get_worker().memory_manager.memory_limit
    if limit and size > LARGEST_SHARE * limit:
        raise ResultTooLargeError(
            f"the result takes {size / 1e6:,.0f} MB, and a worker has {limit / 1e6:,.0f} MB: return less (scores "
            "instead of models), write it to a file and return its path, or give each worker more memory."
        )
