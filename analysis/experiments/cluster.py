"""Cells of a grid on a Dask cluster: the optional backend of the grid runner."""

import pickle
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any

from analysis.experiments.settings import take_settings

LINES = """    from distributed import Client
    client = Client("scheduler:8786")  # its address; Client() starts a cluster on this machine
    run_grid(function, grid, backend="dask")"""


def connected_client() -> Any:
    """The Dask client of this process.

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
    """Whether the call stands inside ``with joblib.parallel_config("dask"):``.

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
    numbers: Sequence[int],
    settings: Mapping[str, str],
) -> Iterator[tuple[int, Any]]:
    """What ``function`` returns for the cells of these numbers, as they are done.

    Cells and results travel as bytes, so that Dask reads nothing into them and what comes back is what a call in this
    process would have returned. What has not been started when the iteration ends is taken off the cluster.

    Parameters
    ----------
    function : callable
        A function of a module that the workers can import, or one of the running script or notebook.
    cells : sequence of mappings
        Arguments.
    numbers : sequence of int
        Which of the cells.
    settings : mapping
        The ``ANALYSIS_...`` variables of the environment, which the workers take over.

    Raises
    ------
    ImportError, RuntimeError
        As `connected_client`. Errors of the function pass through.
    """
    client = connected_client()
    import cloudpickle
    from distributed import as_completed

    calls = [cloudpickle.dumps((settings, number, function, cells[number])) for number in numbers]
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Sending large graph")  # each cell goes once, whatever its size
        futures = client.map(_called, calls, pure=False)
    try:
        for future in as_completed(futures):
            number, result = pickle.loads(future.result())
            future.release()
            yield number, result
    finally:
        with suppress(Exception):  # a cluster that is gone has nothing to take off
            client.cancel(futures)


def _called(call: bytes) -> bytes:
    """One cell, in a worker."""
    import cloudpickle
    from threadpoolctl import threadpool_limits

    settings, number, function, cell = pickle.loads(call)
    take_settings(settings)
    threadpool_limits(limits=1)  # for good: threads of one worker must not set each other's limit back
    return cloudpickle.dumps((number, function(**cell)))
