"""Optional backend of the grid runner: cells of a grid on a Dask cluster."""

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
    numbers: Sequence[int],
    settings: Mapping[str, str],
) -> Iterator[tuple[int, Any]]:
    """Yield the results of ``function`` for the given cells as they are completed.

    Cells and results are sent as bytes, so that Dask does not interpret them and the result is the same as from a call
    in this process. Cells that have not been started when the iteration ends are cancelled.

    Parameters
    ----------
    function : callable
        A function of a module that the workers can import, or of the running script or notebook.
    cells : sequence of mappings
        Arguments of each call.
    numbers : sequence of int
        Numbers of the cells to compute.
    settings : mapping
        The ``ANALYSIS_...`` environment variables, which are set in the workers.

    Raises
    ------
    ImportError, RuntimeError
        See `connected_client`. Errors of the function are raised unchanged.
    """
    client = connected_client()
    import cloudpickle
    from distributed import as_completed

    calls = [cloudpickle.dumps((settings, number, function, cells[number])) for number in numbers]
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Sending large graph")  # each cell is sent once: no problem
        futures = client.map(_called, calls, pure=False)
    try:
        for future in as_completed(futures):
            number, result = pickle.loads(future.result())
            future.release()
            yield number, result
    finally:
        with suppress(Exception):  # nothing to cancel if the cluster no longer exists
            client.cancel(futures)


def _called(call: bytes) -> bytes:
    """Compute one cell in a worker."""
    import cloudpickle
    from threadpoolctl import threadpool_limits

    settings, number, function, cell = pickle.loads(call)
    take_settings(settings)
    threadpool_limits(limits=1)  # permanently: threads of one worker must not reset each other's limit
    return cloudpickle.dumps((number, function(**cell)))
