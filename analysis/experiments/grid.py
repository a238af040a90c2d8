"""The grid runner: call a function for each row of a grid, serially or in parallel."""

import itertools
import time
import warnings
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, closing, nullcontext, suppress
from typing import Any, TypeAlias

import numpy as np
import pandas as pd

from analysis.experiments.cache import Place, cache_key, place
from analysis.experiments.cluster import CellFailure, cluster_is_configured, noted, results_from_cluster
from analysis.experiments.settings import settings_now, take_settings
from analysis.structures import check_choice
from analysis.structures.progress import progress_bar

BETWEEN_LOOKS = 0.5  # seconds, while another process computes the cells that are left

Grid: TypeAlias = pd.DataFrame | Iterable[Mapping[str, Any]]


def cross(**factors: Iterable[Any]) -> list[dict[str, Any]]:
    """List every combination of the factors' values; the last factor changes fastest.

    Parameters
    ----------
    **factors
        Values of each factor, by name.

    Returns
    -------
    list[dict[str, Any]]

    Examples
    --------
    >>> cross(system=["HC", "FF"], k=[12, 53])
    [{'system': 'HC', 'k': 12}, {'system': 'HC', 'k': 53}, {'system': 'FF', 'k': 12}, {'system': 'FF', 'k': 53}]
    """
    values = [list(entries) for entries in factors.values()]
    return [dict(zip(factors, combination, strict=True)) for combination in itertools.product(*values)]


def spawn_seeds(count: int, random_state: int | np.random.Generator | None = 0) -> list[int]:
    """Make seeds for independent runs; a longer list begins with the seeds of a shorter one.

    Parameters
    ----------
    count : int
        Number of seeds.
    random_state : int or np.random.Generator, optional
        Seed or generator.

    Returns
    -------
    list of int

    Examples
    --------
    >>> spawn_seeds(3, 1)[:2] == spawn_seeds(2, 1)
    True
    """
    generator = np.random.default_rng(random_state)
    return [int(seed) for seed in generator.integers(0, 2**31 - 1, size=count)]


def grid_cells(grid: Grid) -> list[dict[str, Any]]:
    """Convert the cells of a grid to mappings of arguments; an empty field of a table becomes None."""
    if isinstance(grid, pd.DataFrame):
        rows: list[Any] = grid.to_dict("records")
        return [{str(name): None if _missing(value) else value for name, value in row.items()} for row in rows]
    cells = []
    for number, cell in enumerate(grid):
        if not isinstance(cell, Mapping):
            raise ValueError(f"cell {number} of the grid is a {type(cell).__name__}, not a mapping of arguments.")
        cells.append(dict(cell))
    return cells


def _missing(value: Any) -> bool:
    return value is None or value is pd.NA or value is pd.NaT or (isinstance(value, float) and value != value)


def _one_thread() -> AbstractContextManager:
    """Run linear algebra on one thread, so that sums have the same order in every process."""
    try:
        from threadpoolctl import threadpool_limits
    except ImportError:
        return nullcontext()
    return threadpool_limits(limits=1)


def _run_as(settings: Mapping[str, str], *arguments: Any) -> tuple[int, Any]:
    take_settings(settings)
    return _run(*arguments)


def _run(
    number: int, function: Callable[..., Any], cell: dict[str, Any], stored: Place, limit: bool, keep: bool
) -> tuple[int, Any]:
    with stored.claimed() as mine:
        if not mine:
            return number, CellFailure(None)
        found, result = stored.read()  # another process may have computed it meanwhile
        if found:
            return number, result
        try:
            with _one_thread() if limit else nullcontext():
                result = function(**cell)
        except Exception as error:
            noted(error, function, number, cell)
            if not keep:
                raise
            return number, CellFailure(error)
        stored.write(result)
        return number, result


def run_cells(
    function: Callable[..., Any],
    grid: Grid,
    *,
    n_jobs: int = 1,
    backend: str | None = None,
    cache: Mapping[str, object] | None = None,
    progress: bool = True,
    on_error: str = "raise",
) -> list[Any]:
    """Call ``function(**cell)`` for every cell of a grid and return the results as a list, in grid order.

    Parameters and errors are those of `run_grid`, which also makes a table of the results.

    Parameters
    ----------
    function : callable
        See `run_grid`.
    grid : Grid
        See `run_grid`.
    n_jobs : int
        See `run_grid`.
    backend : str, optional
        See `run_grid`.
    cache : mapping of str to object, optional
        See `run_grid`.
    progress : bool
        See `run_grid`.
    on_error : {"raise", "keep"}
        See `run_grid`.

    Returns
    -------
    list of Any
        Results in grid order, of any type; with ``on_error="keep"``, the exception of a cell that failed.

    Examples
    --------
    >>> run_cells(dict, [{"k": 12}, {"k": 53}], progress=False)
    [{'k': 12}, {'k': 53}]
    """
    check_choice("on_error", on_error, ("raise", "keep"))
    cells = grid_cells(grid)
    name = _name(function)
    places = [Place(None, None)] * len(cells)
    if cache is not None:
        name, places = grid_places(function, cells, cache)

    results: list[Any] = [None] * len(cells)
    left = []
    for number, stored in enumerate(places):
        found, results[number] = stored.read()
        if not found:
            left.append(number)
    if left:
        with suppress(OSError):  # here, because other processes do not know it
            places[left[0]].keep_source()
    with _progress_bar(len(cells), len(cells) - len(left), name.rpartition(".")[2], progress and bool(left)) as bar:
        while left:
            elsewhere = []
            outcomes = _outcomes(function, cells, left, places, n_jobs, backend, on_error == "keep")
            with closing(outcomes):  # claims end with it, even if a traceback keeps it
                for number, value in outcomes:
                    if isinstance(value, CellFailure) and value.error is None:
                        elsewhere.append(number)
                        continue
                    results[number] = value.error if isinstance(value, CellFailure) else value
                    bar.update(1)
            left = elsewhere
            if left:
                time.sleep(BETWEEN_LOOKS)
    return results


def _name(function: Callable[..., Any]) -> str:
    return f"{function.__module__}.{getattr(function, '__qualname__', type(function).__name__)}"


def grid_places(
    function: Callable[..., Any], cells: Sequence[dict[str, Any]], cache: Mapping[str, object]
) -> tuple[str, list[Place]]:
    """Return the name of a grid's results, and the location of each cell."""
    unknown = set(cache) - {"name", "data", "classes"}
    if unknown or "data" not in cache:
        wrong = f"has {', '.join(sorted(unknown))}" if unknown else "lacks data"
        raise ValueError(f"cache takes data and, optionally, name and classes; this one {wrong}.")
    name = str(cache.get("name", _name(function).replace("<", "").replace(">", "")))
    classes: Any = cache.get("classes", ())
    about = cache_key(data=cache["data"], parameters={}, function=function)
    return name, [place(name, about | {"parameters": cell}, classes) for cell in cells]


def _outcomes(
    function: Callable[..., Any],
    cells: Sequence[dict[str, Any]],
    left: Sequence[int],
    places: Sequence[Place],
    n_jobs: int,
    backend: str | None,
    keep: bool,
) -> Generator[tuple[int, Any], None, None]:
    if backend == "dask" or (backend is None and cluster_is_configured()):
        with _one_thread():  # workers may be threads of this process
            yield from _outcomes_from_cluster(function, cells, left, places, keep)
        return
    if n_jobs == 1 or len(left) < 2:
        with _one_thread():
            for number in left:
                yield _run(number, function, cells[number], places[number], False, keep)
        return
    from joblib import Parallel, delayed

    backend = backend or "loky"
    threads, settings = backend == "threading", settings_now()
    with _one_thread() if threads else nullcontext(), warnings.catch_warnings():
        # loky replaces a worker whose memory has grown; results do not change
        warnings.filterwarnings("ignore", message="A worker stopped while some jobs")
        yield from Parallel(n_jobs=n_jobs, backend=backend, return_as="generator_unordered", batch_size=1)(
            delayed(_run_as)(settings, number, function, cells[number], places[number], not threads, keep)
            for number in left
        )


def _outcomes_from_cluster(
    function: Callable[..., Any],
    cells: Sequence[dict[str, Any]],
    left: Sequence[int],
    places: Sequence[Place],
    keep: bool,
) -> Iterator[tuple[int, Any]]:
    """Compute cells on the cluster; this process claims each when it is sent, and stores it when it returns."""
    claims: dict[int, ExitStack] = {}
    settled: list[tuple[int, Any]] = []  # of which nothing is to be computed here

    def claimed() -> Iterator[int]:
        for number in left:
            claim = ExitStack()
            if not claim.enter_context(places[number].claimed()):
                settled.append((number, CellFailure(None)))
                continue
            found, result = places[number].read()
            if found:
                claim.close()
                settled.append((number, result))
                continue
            claims[number] = claim
            yield number

    arriving = results_from_cluster(function, cells, claimed(), settings_now(), keep=keep)
    try:
        for number, result in arriving:
            if isinstance(result, CellFailure) and result.error is not None:
                noted(result.error, function, number, cells[number])
            else:
                places[number].write(result)
            claims.pop(number).close()
            yield number, result
        yield from settled
    finally:
        arriving.close()
        for claim in claims.values():
            claim.close()


def _progress_bar(total: int, done: int, label: str, progress: bool) -> Any:
    return progress_bar(total, label=label, shown=progress, initial=done)


def run_grid(
    function: Callable[..., Any],
    grid: Grid,
    *,
    n_jobs: int = 1,
    backend: str | None = None,
    cache: Mapping[str, object] | None = None,
    progress: bool = True,
    on_error: str = "raise",
) -> pd.DataFrame:
    """Call ``function(**cell)`` for every cell of a grid and concatenate the results, in grid order.

    Parameters
    ----------
    function : callable
        Takes the cell's keyword arguments and returns a number (column ``value``), a mapping (one row),
        a DataFrame (any rows) or a result with ``to_frame()`` such as a Score.
        For ``n_jobs`` other than 1 it must be a function at the top of a module.
    grid : DataFrame or iterable of mappings
        One row or mapping a cell; see `cross`. An empty field of a DataFrame is passed as None.
        Randomness should be part of the grid, as a seed (see `spawn_seeds`).
    n_jobs : int
        Number of processes; -1 for all cores. The results do not depend on it. On a cluster all workers are used.
    backend : str, optional
        A joblib backend, ``"loky"``, ``"multiprocessing"``, ``"threading"``; or ``"dask"``: the cluster that this
        process's ``distributed.Client`` is connected to. The workers must have the suite installed; they need not share
        a disk with this process, which stores the cells. None: the cluster inside ``with
        joblib.parallel_config("dask"):``, else loky.
    cache : mapping, optional
        ``{"data": checksum}`` and, optionally, ``"name"`` (default: the function's name) and ``"classes"`` (named
        tuples and dataclasses in the results). Each cell is then stored when it is done, under its data, arguments and
        the source of the function with all that it reaches, so an interrupted grid can be resumed. `explain` reports
        why a cell is computed again. Several processes may run one grid on one cache: each cell is computed once, and
        the others wait for it; if the process that computes it ends, another takes the cell over. None stores nothing.
    progress : bool
        Whether to show a progress bar: on standard error, or in the output of a notebook cell.
    on_error : {"raise", "keep"}
        ``"raise"``: the first error of the function ends the grid; it carries a note with the cell's arguments, and
        what was finished is stored. ``"keep"``: the other cells are computed, and the row of a cell that failed has the
        error in the column ``error``; it is not stored, so the same call tries it again.

    Returns
    -------
    DataFrame
        The cell's arguments, then the function's result; if a name occurs in both, the result is used.

    Raises
    ------
    ValueError
        If a cell is not a mapping, the cache lacks data, or a result does not fit in a table
        (`run_cells` returns such results unchanged). Errors of the function are raised with their type and message.
    TypeError
        If a result is to be stored but contains something that cannot be; see `analysis.experiments.storing`.
    ImportError, RuntimeError
        If the backend is ``"dask"`` and the package distributed is not installed or no client is connected.

    Examples
    --------
    >>> run_grid(pow, [{"base": 2, "exp": 3}, {"base": 3, "exp": 2}], progress=False)
       base  exp  value
    0     2    3      8
    1     3    2      9
    """
    cells = grid_cells(grid)
    results = run_cells(
        function, cells, n_jobs=n_jobs, backend=backend, cache=cache, progress=progress, on_error=on_error
    )
    frames = [_rows(cell, result) for cell, result in zip(cells, results, strict=True)]
    frames = [frame for frame in frames if len(frame)]
    return pd.concat(frames, ignore_index=True) if frames else pd.DataFrame()


def _rows(cell: Mapping[str, Any], result: Any) -> pd.DataFrame:
    if hasattr(result, "to_frame") and not isinstance(result, pd.DataFrame):
        result = result.to_frame()
    if isinstance(result, Exception):
        result = {"error": f"{type(result).__name__}: {result}"}
    if isinstance(result, Mapping):
        result = pd.DataFrame([dict(result)])
    elif isinstance(result, (int, float, np.number)):
        result = pd.DataFrame({"value": [result]})
    if not isinstance(result, pd.DataFrame):
        raise ValueError(
            f"a cell returned a {type(result).__name__}; a table takes a number, a mapping, a DataFrame or a score. "
            "run_cells returns results of any type."
        )
    factors = [name for name in cell if name not in result.columns]
    front = pd.DataFrame({name: [cell[name]] * len(result) for name in factors}, index=result.index)
    return pd.concat([front, result], axis=1)
