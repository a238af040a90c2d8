"""Fit each system and label the tokens; every fit is kept with what it did and how long it took."""

from dataclasses import dataclass
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from analysis.categories.models import BayesianHMM, BrownClustering, ClarkClustering, ExchangeClustering
from analysis.experiments import cache_key, cached
from analysis.papers.reichart2010.setting import ANNEALING, FULL_SWEEPS, Setting, data, number_of_clusters

CLASSES: dict[str, Any] = {
    "Clark03": ClarkClustering,
    "GG07": BayesianHMM,
    "Brown": BrownClustering,
    "Exchange": ExchangeClustering,
}
SYSTEMS = tuple(CLASSES)
STEPS = {"Clark03": "passes", "GG07": "sweeps", "Brown": "mergers", "Exchange": "passes"}
LONG = 500  # sweeps from which a fit shows its own bar


@dataclass(frozen=True)
class System:
    """One run: a model, a number of clusters, a seed."""

    model: str
    k: int
    seed: int
    parameters: tuple[tuple[str, object], ...] = ()


class Fit(NamedTuple):
    """What a run found.

    Attributes
    ----------
    labels : ndarray of int32, shape (n_tokens,)
    steps : int
        Sweeps, passes over the words, or mergers.
    moves : int
        Tokens (GG07: in the last sweep) or word types that were moved, or mergers.
    objective : float
        Log probability (GG07) or log-likelihood F of the class bigram model, in nats.
    seconds : float
    """

    labels: np.ndarray
    steps: int
    moves: int
    objective: float
    seconds: float


def systems(setting: Setting) -> list[System]:
    """Every run of Table 1, the slowest first.

    Examples
    --------
    >>> [(run.model, run.k, run.seed) for run in systems(Setting(clusters=34, runs=2))]
    [('GG07', 17, 0), ('Clark03', 34, 0), ('Clark03', 34, 1), ('Brown', 34, 0), ('Exchange', 34, 0)]
    """
    k = number_of_clusters(setting)
    return [
        _hmm(setting.hmm_clusters, setting.sweeps or FULL_SWEEPS, setting.seed),
        *(_clark(k, setting, seed) for seed in range(setting.seed, setting.seed + setting.runs)),
        System("Brown", k, setting.seed),
        System("Exchange", k, setting.seed),
    ]


def curve_systems(setting: Setting) -> list[System]:
    """One run a system and number of clusters of the curves, the slowest first."""
    ks = sorted(set(setting.curve), reverse=True)
    return [
        *(_hmm(k, setting.curve_sweeps or FULL_SWEEPS, setting.seed) for k in ks),
        *(_clark(k, setting, setting.seed) for k in ks),
        *(System(model, k, setting.seed) for model in ("Brown", "Exchange") for k in ks),
    ]


def _hmm(k: int, sweeps: int, seed: int) -> System:
    return System("GG07", k, seed, (("sweeps", sweeps), ("annealing", ANNEALING)))


def _clark(k: int, setting: Setting, seed: int) -> System:
    return System("Clark03", k, seed, (("min_count", setting.min_count),))


def fit(corpus: str, system: System) -> Fit:
    """One run on a corpus, punctuation included; cached by data, parameters and version.

    Parameters
    ----------
    corpus : str
    system : System

    Raises
    ------
    ValueError
        If the model is unknown.
    """
    if system.model not in CLASSES:
        raise ValueError(f"{system.model!r} is no system that runs here: {', '.join(SYSTEMS)}.")
    parameters = {"model": system.model, "k": system.k, "seed": system.seed, **dict(system.parameters)}
    key = cache_key(data=data(corpus).version, parameters=parameters, version=CLASSES[system.model].version)
    return cached("reichart2010_fit", key, lambda: _fit(corpus, system))


def _fit(corpus: str, system: System) -> Fit:
    tokens = data(corpus).tokens
    choices: dict[str, Any] = dict(system.parameters)
    if system.model == "GG07":
        return _fit_hmm(tokens, system, choices)
    if system.model == "Clark03":
        choices["random_state"] = system.seed
    started = perf_counter()
    model = CLASSES[system.model](n_clusters=system.k, progress=False, **choices).fit(tokens)
    seconds = perf_counter() - started
    labels = model.predict(tokens).to_numpy(dtype=np.int32)
    if system.model == "Brown":
        steps = moves = len(model.merges_)
    else:
        steps, moves = len(model.trace_), int(model.trace_["moves"].sum())
    return Fit(labels, steps, moves, float(model.objective_), seconds)


def _fit_hmm(tokens: pd.DataFrame, system: System, choices: dict[str, Any]) -> Fit:
    sweeps = choices["sweeps"]
    model = BayesianHMM(
        n_clusters=system.k,
        sweeps=sweeps,
        annealing=choices["annealing"],
        random_state=system.seed,
        progress=sweeps >= LONG,
    ).fit(tokens)
    if model.sweeps_done_ < sweeps:  # an annealed chain that was stopped midway is still hot: no result
        raise KeyboardInterrupt
    return Fit(
        model.labels_.astype(np.int32),
        int(model.sweeps_done_),
        int(model.changed_[-1]),
        float(model.log_probability_[-1]),
        float(model.seconds_.sum()),
    )
