"""Long fits: intermediate states are stored, so that an interrupted fit can be resumed; the time left is estimated."""

import contextlib
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from analysis.experiments.cache import Place, place
from analysis.structures.progress import progress_bar

EVERY = 10.0  # seconds between stored states
FIRST = 3  # number of steps for measuring the time per step
LOOK = 2.0  # seconds between updates of the progress


class Progress(NamedTuple):
    """Progress of a fit: steps (sweeps or passes) done, total steps, and seconds per step."""

    steps: int
    total: int
    seconds: float


def steps_done(model: Any) -> int:
    """Return the number of sweeps of a sampler, or passes of variational Bayes, that a model has made.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> steps_done(SimpleNamespace(iterations_done_=4)), steps_done(SimpleNamespace(sweeps_done_=7))
    (4, 7)
    """
    return int(model.sweeps_done_ if hasattr(model, "sweeps_done_") else model.iterations_done_)


def steps_spread(total: int, points: int = 12) -> list[int]:
    """Choose steps that are evenly spaced on a logarithmic scale, including the first and the last.

    Parameters
    ----------
    total : int
        The last step.
    points : int
        Approximate number of steps.

    Returns
    -------
    list of int

    Examples
    --------
    >>> steps_spread(100, points=6)
    [1, 3, 6, 16, 40, 100]
    """
    return sorted({round(step) for step in np.geomspace(1, total, points)})


def fit_resumed(
    model: Any,
    tokens: pd.DataFrame,
    key: Mapping[str, Any] | None = None,
    *,
    keep: Iterable[int] = (),
    until: int | None = None,
    progress: bool = False,
) -> tuple[Any, dict[int, np.ndarray]]:
    """Fit an iterative model, starting from its last stored state.

    Parameters
    ----------
    model : BayesianHMM, InfiniteHMM, VariationalHMM or PosteriorRegularisedHMM
        Or another estimator with ``sweeps`` or ``iterations`` (the total), ``fit(tokens, resume=, until=)`` and
        ``state()``.
    tokens : DataFrame
    key : mapping, optional
        What the fit depends on; see `analysis.experiments.cache_key`. Without one nothing is stored.
    keep : iterable of int
        Steps after which the labels are kept; if there are any, also after the last step.
    until : int, optional
        Step at which to stop for now.
    progress : bool
        Whether to show a bar.

    Returns
    -------
    model
        The fitted estimator, up to ``until`` if given.
    kept : dict of int to ndarray of int16, shape (n_tokens,)
        Labels by number of steps.

    Notes
    -----
    An interruption loses at most about the last `EVERY` seconds. The stored state is kept until `forget` is called;
    call it when the result is stored elsewhere.
    """
    total = int(model.sweeps if hasattr(model, "sweeps") else model.iterations)
    keep = sorted(keep)
    goal, points = total if until is None else min(until, total), sorted({*keep, total})
    stored, told = (Place(None, None), Place(None, None)) if key is None else _places(key)
    found, value = stored.read()
    kept: dict[int, np.ndarray] = {}
    done, size, last_stored = 0, FIRST if key else total, perf_counter()
    if found:
        model = model.fit(tokens, resume=value["state"], until=0)
        done, kept = steps_done(model), dict(zip(value["kept_steps"].tolist(), value["kept_labels"], strict=True))
    with progress_bar(total, label=type(model).__name__, initial=done, shown=progress, leave=True) as bar:
        while done < goal or not found:
            point = next((step for step in points if step > done), total)
            asked = min(done + size, goal, point)
            model = model.fit(tokens, resume=model if done else None, until=asked)
            new, done = steps_done(model) - done, steps_done(model)
            found, ended = True, done < asked  # converged
            bar.update(new)
            if keep and (ended or done == point):
                kept[done] = model.labels_.astype(np.int16)
            if key is not None:
                seconds = float(np.median(model.seconds_[-max(new, 1) :]))
                size = max(1, int(EVERY / max(seconds, 1e-6)))
                if done >= goal or ended or perf_counter() - last_stored > EVERY / 2:
                    labels = np.array([*kept.values()], dtype=np.int16)
                    stored.write({"state": model.state(), "kept_steps": np.array([*kept], int), "kept_labels": labels})
                    told.write(Progress(total if ended else done, total, seconds)._asdict())
                    last_stored = perf_counter()
            if ended:
                break
    return model, kept


def forget(key: Mapping[str, Any]) -> None:
    """Delete the stored state of a fit whose result is stored elsewhere.

    Parameters
    ----------
    key : mapping
        Key of the fit; see `analysis.experiments.cache_key`.
    """
    _places(key)[0].forget()


def progress_of(key: Mapping[str, Any]) -> Progress | None:
    """Return the progress of a fit according to its stored state; None if it has not begun."""
    found, done = _places(key)[1].read()
    return Progress(**done) if found else None


def _places(key: Mapping[str, Any]) -> tuple[Place, Place]:
    return place("unfinished", key), place("unfinished_progress", key)


@contextlib.contextmanager
def time_left(fits: Sequence[tuple[str, Mapping[str, Any]]], processes: int = 1, shown: bool = True) -> Iterator[None]:
    """Show progress and estimated time while fits run in any processes.

    Progress is measured in steps of all fits, weighted by their time per step. Each fit must have stored a state, so
    that this time is known. Nothing is shown without fits, or if the cache is switched off.

    Parameters
    ----------
    fits : sequence of (str, mapping)
        Name and key of each fit.
    processes : int
        Number of processes that work on them.
    shown : bool

    Yields
    ------
    None
    """
    if not shown or not any(progress_of(key) for _, key in fits):
        yield
        return
    done, total, _ = _standing(fits, processes)
    ended = threading.Event()
    layout = "{l_bar}{bar}| {elapsed} so far{postfix}"
    bar = progress_bar(total, label="long fits", initial=done, bar_format=layout)

    def show() -> None:
        done, bar.total, text = _standing(fits, processes)
        bar.n = min(done, bar.total)
        bar.set_postfix_str(text)

    def look() -> None:
        while not ended.wait(LOOK):
            show()

    show()
    watcher = threading.Thread(target=look, daemon=True)
    watcher.start()
    try:
        yield
    finally:
        ended.set()
        watcher.join()
        bar.close()


def _standing(fits: Sequence[tuple[str, Mapping[str, Any]]], processes: int) -> tuple[float, float, str]:
    """Return the seconds of work done, the total, and a text with the time left and the running fits."""
    from tqdm import tqdm

    found = [(name, done) for name, key in fits if (done := progress_of(key)) is not None]
    worked = sum(done.steps * done.seconds for _, done in found)
    total = sum(done.total * done.seconds for _, done in found)
    left = f"about {tqdm.format_interval(time_estimate([done for _, done in found], processes))} left"
    under_way = [
        f"{name} {100 * done.steps // done.total} %" for name, done in found if FIRST < done.steps < done.total
    ]
    return worked, total, "; ".join([left, *under_way])


def time_estimate(fits: Sequence[Progress], processes: int = 1) -> float:
    """Estimate the seconds until this number of processes has finished: at least those of the longest fit.

    Examples
    --------
    >>> time_estimate([Progress(50, 100, 0.1), Progress(0, 100, 0.2)], processes=2)
    20.0
    """
    left = [(done.total - done.steps) * done.seconds for done in fits]
    return max(max(left, default=0.0), sum(left) / max(processes, 1))
