"""Fits that label tokens, stored with their history; iterative fits are stored while they run."""

import contextlib
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from analysis.experiments.cache import cached, place
from analysis.experiments.resumed import FIRST, fit_resumed, forget, steps_done, steps_spread, time_left

LONG = 200  # number of sweeps or passes from which intermediate states of a chain are stored
NAME = "labelling"


class Labelling(NamedTuple):
    """Result of a fit.

    Attributes
    ----------
    labels : ndarray of int32, shape (n_tokens,)
    steps : int
        Number of sweeps, passes over the words, or merges.
    moves : int or None
        Number of tokens (samplers: in the last sweep) or word types that were moved, or of merges; None for variational
        Bayes.
    objective : float
        Log probability of words and tags (samplers), its lower bound (variational Bayes), or log-likelihood F of
        the class bigram model, in nats.
    seconds : float
    trace : ndarray of float64, shape (steps,), or None
        For a chain: the objective after each sweep or pass.
    kept_steps, kept_labels : ndarray of int, shape (n_kept,), and of int16, shape (n_kept, n_tokens); or None
        For a chain: the labels after some of the sweeps.
    """

    labels: np.ndarray
    steps: int
    moves: int | None
    objective: float
    seconds: float
    trace: np.ndarray | None = None
    kept_steps: np.ndarray | None = None
    kept_labels: np.ndarray | None = None

    @property
    def kept(self) -> dict[int, np.ndarray]:
        """Return the labels that were kept, by number of sweeps."""
        if self.kept_steps is None or self.kept_labels is None:
            return {}
        return dict(zip(self.kept_steps.tolist(), self.kept_labels, strict=True))


def fit_labels(model: Any, tokens: pd.DataFrame, key: Mapping[str, Any], *, chain: bool) -> Labelling:
    """Fit a model of word classes and label its tokens; store the result under the key.

    Parameters
    ----------
    model : estimator
    tokens : DataFrame
    key : mapping
        What the fit depends on; see `analysis.experiments.cache_key`.
    chain : bool
        Whether the fit is iterative and can be resumed; see `fit_resumed`. The labels after some of the sweeps are then
        kept, and intermediate states of a long fit (`LONG`) are stored.

    Returns
    -------
    Labelling
    """
    compute = partial(_fit_chain if chain else _fit_at_once, model, tokens, key)
    found = cached(NAME, key, compute, classes=(Labelling,))
    if chain:
        forget(key)
    return found


def is_long(model: Any) -> bool:
    """Return whether intermediate states of a chain are stored.

    Parameters
    ----------
    model : object
        An estimator with ``sweeps`` or ``iterations``.

    Returns
    -------
    bool

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> is_long(SimpleNamespace(sweeps=10_000)), is_long(SimpleNamespace(iterations=20))
    (True, False)
    """
    return _total(model) >= LONG


@contextlib.contextmanager
def growing(fits: Sequence[tuple[str, Any, pd.DataFrame, Mapping[str, Any]]], processes: int) -> Iterator[bool]:
    """Show progress and estimated time while long chains run in any processes.

    The first sweeps of each chain that is not stored are run at once, to measure the time per sweep.

    Parameters
    ----------
    fits : sequence of (str, estimator, DataFrame, mapping)
        Name, model, tokens and key of each chain.
    processes : int

    Yields
    ------
    bool
        Whether there are long chains.
    """
    long = [fit for fit in fits if is_long(fit[1]) and not place(NAME, fit[3]).is_stored()]
    for _, model, tokens, key in long:
        fit_resumed(model, tokens, key, keep=steps_spread(_total(model)), until=FIRST)
    with time_left([(name, key) for name, _, _, key in long], processes=processes):
        yield bool(long)


def _total(model: Any) -> int:
    return int(model.sweeps if hasattr(model, "sweeps") else model.iterations)


def _fit_chain(model: Any, tokens: pd.DataFrame, key: Mapping[str, Any]) -> Labelling:
    stored = key if is_long(model) else None
    model, kept = fit_resumed(model, tokens, stored, keep=steps_spread(_total(model)))
    if hasattr(model, "sweeps") and steps_done(model) < model.sweeps:
        raise KeyboardInterrupt  # a chain does not converge, so it was interrupted and has no result
    trace = model.bound_ if hasattr(model, "bound_") else model.log_probability_
    moves = int(model.changed_[-1]) if hasattr(model, "changed_") else None
    steps, labels = np.array([*kept], dtype=np.int64), np.array([*kept.values()])
    seconds = float(model.seconds_.sum())
    return Labelling(
        model.labels_.astype(np.int32), steps_done(model), moves, float(trace[-1]), seconds, trace, steps, labels
    )


def _fit_at_once(model: Any, tokens: pd.DataFrame, key: Mapping[str, Any]) -> Labelling:
    started = perf_counter()
    model.fit(tokens)
    seconds = perf_counter() - started
    if hasattr(model, "merges_"):
        steps, moves, objective = len(model.merges_), len(model.merges_), model.objective_
    elif hasattr(model, "objective_"):
        steps, moves, objective = len(model.trace_), model.trace_["moves"].sum(), model.objective_
    else:
        moved = model.moves_ if hasattr(model, "moves_") else model.changed_
        steps, moves, objective = model.sweeps_done_, moved[-1], model.log_probability_[-1]
    labels = model.predict(tokens).to_numpy(dtype=np.int32)
    return Labelling(labels, int(steps), int(moves), float(objective), seconds)
