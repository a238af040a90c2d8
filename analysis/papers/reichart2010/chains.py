"""Long chains: stored as they grow, so that what was interrupted goes on, with an estimate of the time left."""

import contextlib
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np

from analysis.experiments.cache import Place, place
from analysis.structures.progress import progress_bar

LONG = 200  # sweeps or passes from which a chain is stored as it grows
EVERY = 10.0  # seconds from one stored state to the next
FIRST = 3  # sweeps by which the time of one is measured
LOOK = 2.0  # seconds between two looks at what the chains have done


class Done(NamedTuple):
    """How far a chain is: sweeps (or passes) done, those to be done, and seconds that one takes."""

    steps: int
    total: int
    seconds: float


def steps_done(model: Any) -> int:
    """Sweeps of a sampler, or passes of variational Bayes, that a model has made.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> steps_done(SimpleNamespace(iterations_done_=4)), steps_done(SimpleNamespace(sweeps_done_=7))
    (4, 7)
    """
    return int(model.sweeps_done_ if hasattr(model, "sweeps_done_") else model.iterations_done_)


class Chain(NamedTuple):
    """A model, and its tags after some of the sweeps.

    Attributes
    ----------
    model : BayesianHMM, InfiniteHMM or VariationalHMM
    kept : dict of int to ndarray of int16, shape (n_tokens,)
        By number of sweeps.
    """

    model: Any
    kept: dict[int, np.ndarray]


def kept_sweeps(total: int, points: int = 12) -> list[int]:
    """After which sweeps the tags are kept: spread evenly on a logarithmic scale, the first and the last among them.

    Examples
    --------
    >>> kept_sweeps(100, points=6)
    [1, 3, 6, 16, 40, 100]
    """
    return sorted({round(sweep) for sweep in np.geomspace(1, total, points)})


def run_chain(
    advance: Callable[[Any, int], Any], total: int, key: Mapping[str, Any] | None = None, until: int | None = None
) -> Chain:
    """Make a chain of so many sweeps, from where it was stored last.

    Parameters
    ----------
    advance : callable
        Gets the model so far (None at the beginning) and a number of sweeps, and returns a model that has made them
        in all, or has converged.
    total : int
        Sweeps in all.
    key : mapping, optional
        What the chain depends on; see `analysis.experiments.cache_key`. Without one nothing is stored.
    until : int, optional
        Stop here for now.

    Returns
    -------
    Chain
        After an interruption what was done is stored, but for the last `EVERY` seconds or so.
    """
    stored, told = (Place(None, None), Place(None, None)) if key is None else _places(key)
    found, value = stored.read()
    model, kept = Chain(*value) if found else Chain(None, {})
    done, goal = (0 if model is None else steps_done(model)), total if until is None else min(until, total)
    size, points, last_stored = FIRST if key else total, kept_sweeps(total), perf_counter()
    while model is None or done < goal:
        point = next(sweep for sweep in points if sweep > done)
        asked = min(done + size, goal, point)
        model = advance(model, asked)
        new, done = steps_done(model) - done, steps_done(model)
        ended = done < asked  # it has converged
        if done == point or ended:
            kept[done] = model.labels_.astype(np.int16)
        if key is not None:
            seconds = float(np.median(model.seconds_[-max(new, 1) :]))
            size = max(1, int(EVERY / max(seconds, 1e-6)))
            if done >= goal or ended or perf_counter() - last_stored > EVERY / 2:
                stored.write(tuple(Chain(model, kept)))
                told.write(tuple(Done(total if ended else done, total, seconds)))
                last_stored = perf_counter()
        if ended:
            break
    return Chain(model, kept)


def forget(key: Mapping[str, Any]) -> None:
    """Delete the stored state of a chain that is done."""
    path = _places(key)[0].path
    if path is not None:
        path.unlink(missing_ok=True)


def progress_of(key: Mapping[str, Any]) -> Done | None:
    """How far a chain is, by what it stored; None if it has not begun."""
    found, done = _places(key)[1].read()
    return Done(*done) if found else None


def _places(key: Mapping[str, Any]) -> tuple[Place, Place]:
    return place("reichart2010_chain", key), place("reichart2010_progress", key)


@contextlib.contextmanager
def time_left(keys: Iterable[Mapping[str, Any]], processes: int = 1, shown: bool = True) -> Iterator[None]:
    """While chains grow, in whatever processes, show how much of their work is done and about how long it will take.

    The work is the sweeps of all chains, each at the time that one takes. Each chain must have stored something, so
    that this time is known. Nothing is shown without chains, or where the cache is switched off.

    Parameters
    ----------
    keys : iterable of mapping
        Those of the chains.
    processes : int
        How many work on them.
    shown : bool
    """
    chains = list(keys)
    if not shown or not any(map(progress_of, chains)):
        yield
        return
    done, total, _ = _standing(chains, processes)
    ended = threading.Event()
    layout = "{l_bar}{bar}| {elapsed} so far{postfix}"
    bar = progress_bar(total, label="long chains", initial=done, bar_format=layout)

    def show() -> None:
        done, bar.total, text = _standing(chains, processes)
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


def _standing(keys: Iterable[Mapping[str, Any]], processes: int) -> tuple[float, float, str]:
    """Seconds of work done, seconds in all, and in words what is left and which chains are under way."""
    from tqdm import tqdm

    found = [(str(key["parameters"]["model"]), done) for key in keys if (done := progress_of(key)) is not None]
    worked = sum(done.steps * done.seconds for _, done in found)
    left = time_estimate([done for _, done in found], processes)
    under_way = [
        f"{name} {100 * done.steps // done.total} %" for name, done in found if FIRST < done.steps < done.total
    ]
    total = sum(done.total * done.seconds for _, done in found)
    return worked, total, "; ".join([f"about {tqdm.format_interval(left)} left", *under_way])


def time_estimate(chains: Sequence[Done], processes: int = 1) -> float:
    """Seconds until so many processes have done what is left: at least those of the longest chain.

    Examples
    --------
    >>> time_estimate([Done(50, 100, 0.1), Done(0, 100, 0.2)], processes=2)
    20.0
    """
    left = [(done.total - done.steps) * done.seconds for done in chains]
    return max(max(left, default=0.0), sum(left) / max(processes, 1))
