"""Fit each system and label the tokens; every fit is kept with what it did and how long it took."""

from dataclasses import dataclass
from functools import partial
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from analysis.categories.models import (
    BayesianHMM,
    BrownClustering,
    ChrupalaClustering,
    ClarkClustering,
    ExchangeClustering,
    InfiniteHMM,
    PitmanYorHMM,
    VariationalHMM,
)
from analysis.categories.models.infinite_hmm import CONFIGURATIONS
from analysis.experiments import cache_key, cached, fit_resumed, forget, steps_spread
from analysis.experiments.cache import place
from analysis.experiments.resumed import FIRST, steps_done
from analysis.papers.reichart2010.setting import ANNEALING, Setting, data, number_of_clusters

CLASSES: dict[str, Any] = {
    "Clark03": ClarkClustering,
    "GG07": BayesianHMM,
    "GVG09(1)": InfiniteHMM,
    "GVG09(2)": InfiniteHMM,
    "GVG09(3)": InfiniteHMM,
    "GJ08": BayesianHMM,
    "GJ08 VB": VariationalHMM,
    "Brown": BrownClustering,
    "Exchange": ExchangeClustering,
}
SYSTEMS = tuple(CLASSES)
#: Systems of Gelling et al. (2012), in none of this paper's tables; `challenge_evaluations` measures them.
CHALLENGE: dict[str, Any] = {"BC": PitmanYorHMM, "C": ChrupalaClustering}
CLASSES |= CHALLENGE
#: Those that the curves are drawn of: each at any number of clusters.
CURVE_SYSTEMS = ("Clark03", "GG07", "Brown", "Exchange")
#: Those that go over the text again and again: what is counted, and the choice of `Setting` that says how often.
CHAINS = {
    "GG07": "sweeps",
    "GVG09(1)": "infinite_sweeps",
    "GVG09(2)": "infinite_sweeps",
    "GVG09(3)": "infinite_sweeps",
    "GJ08": "gj_sweeps",
    "GJ08 VB": "vb_passes",
}
LONG = 200  # sweeps or passes from which a run is stored as it grows
_SEEDLESS = ("Brown", "Exchange")
STEPS = {"Clark03": "passes", "Brown": "mergers", "Exchange": "passes", "GJ08 VB": "passes"}


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
    moves : int or None
        Tokens (samplers: in the last sweep) or word types that were moved, or mergers; none for variational Bayes.
    objective : float
        Log probability of words and tags (samplers), its lower bound (variational Bayes), or log-likelihood F of
        the class bigram model, in nats.
    seconds : float
    trace : ndarray of float64, shape (steps,), or None
        Of a chain: the objective after each sweep or pass.
    kept_steps, kept_labels : ndarray of int, shape (n_kept,), and of int16, shape (n_kept, n_tokens); or None
        Of a chain: the labels after some of the sweeps.
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
        """The labels that were kept, by number of sweeps."""
        if self.kept_steps is None or self.kept_labels is None:
            return {}
        return dict(zip(self.kept_steps.tolist(), self.kept_labels, strict=True))


def systems(setting: Setting) -> list[System]:
    """Every run of Table 1, the slowest first.

    Examples
    --------
    >>> [run.model for run in systems(Setting(runs=1))][:6]
    ['GG07', 'GVG09(1)', 'GVG09(2)', 'GVG09(3)', 'GJ08', 'GJ08 VB']
    >>> [(run.model, run.k, run.seed) for run in systems(Setting(clusters=34, runs=2))][6:]
    [('Clark03', 34, 0), ('Clark03', 34, 1), ('Brown', 34, 0), ('Exchange', 34, 0)]
    """
    k = number_of_clusters(setting)
    return [
        *(chain(name, setting) for name in CHAINS),
        *(_clark(k, setting, seed) for seed in range(setting.seed, setting.seed + setting.runs)),
        System("Brown", k, setting.seed),
        System("Exchange", k, setting.seed),
    ]


def chain(name: str, setting: Setting, steps: int | None = None) -> System:
    """The run of a system that goes over the text again and again, by default as often as the setting says.

    Examples
    --------
    >>> chain("GJ08", Setting(), steps=5)
    System(model='GJ08', k=45, seed=0, parameters=(('sweeps', 5), ('priors', (0.1, 0.1))))
    """
    if name not in CHAINS:
        raise ValueError(f"{name!r} is not among the samplers: {', '.join(CHAINS)}.")
    steps = getattr(setting, CHAINS[name]) if steps is None else steps
    if name == "GG07":
        return _hmm(setting.hmm_clusters, steps, setting.seed)
    if name.startswith("GVG09"):  # K is that of the start; the sampler finds its own
        return System(name, int(setting.infinite_start or 1), setting.seed, (("sweeps", steps),))
    return System(name, setting.gj_clusters, setting.seed, (("sweeps", steps), ("priors", setting.gj_priors)))


def curve_systems(setting: Setting) -> list[System]:
    """One run a system and number of clusters of the curves, the slowest first."""
    ks = sorted(set(setting.curve), reverse=True)
    return [
        *(_hmm(k, int(setting.curve_sweeps or 1), setting.seed) for k in ks),
        *(_clark(k, setting, setting.seed) for k in ks),
        *(System(model, k, setting.seed) for model in ("Brown", "Exchange") for k in ks),
    ]


def _hmm(k: int, sweeps: int, seed: int) -> System:
    return System("GG07", k, seed, (("sweeps", sweeps), ("annealing", ANNEALING)))


def _clark(k: int, setting: Setting, seed: int) -> System:
    return System("Clark03", k, seed, (("min_count", setting.min_count),))


def fit(corpus: str, system: System) -> Fit:
    """One run on a corpus, punctuation included; cached by data, parameters and source.

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
    key = fit_key(corpus, system)
    stored = key if is_long(system) else None
    compute = partial(run_system, data(corpus).tokens, estimator(system), system, stored)
    found = cached("reichart2010_run", key, compute, classes=(Fit,))
    if system.model in CHAINS:
        forget(key)
    return found


def fit_key(corpus: str, system: System) -> dict[str, Any]:
    """What a run depends on."""
    parameters = {"model": system.model, "k": system.k, "seed": system.seed, **dict(system.parameters)}
    return cache_key(
        data=data(corpus).version, parameters=parameters, function=(CLASSES[system.model], options, run_system)
    )


def is_long(system: System) -> bool:
    """Whether a run is stored as it grows.

    Examples
    --------
    >>> is_long(chain("GG07", Setting(), steps=10_000)), is_long(System("Brown", 34, 0))
    (True, False)
    """
    return system.model in CHAINS and _sweeps(system) >= LONG


def _sweeps(system: System) -> int:
    return int(str(dict(system.parameters)["sweeps"]))


def is_fitted(corpus: str, system: System) -> bool:
    """Whether a run is done and stored."""
    return place("reichart2010_run", fit_key(corpus, system)).is_stored()


def begin(corpus: str, system: System) -> None:
    """Make the first sweeps of a long run, unless some are stored, so that the time of one is known."""
    sweeps = steps_spread(_sweeps(system))
    fit_resumed(estimator(system), data(corpus).tokens, fit_key(corpus, system), keep=sweeps, until=FIRST)


def estimator(system: System) -> Any:
    """The model of a run, to be fitted.

    Examples
    --------
    >>> estimator(System("GJ08 VB", 5, 0, (("sweeps", 7), ("priors", (0.3, 0.02))))).emission_prior
    0.02
    """
    return CLASSES[system.model](progress=False, **options(system))


def options(system: System) -> dict[str, Any]:
    """Arguments of the model's class.

    Examples
    --------
    >>> options(System("Brown", 34, 0))
    {'n_clusters': 34}
    """
    chosen: dict[str, Any] = dict(system.parameters)
    if "priors" in chosen:
        chosen["transition_prior"], chosen["emission_prior"] = chosen.pop("priors")
    if system.model == "GJ08 VB":
        chosen["iterations"] = chosen.pop("sweeps")
    if system.model == "GJ08":
        chosen |= {"order": "bigram", "resample_priors": False}
    if system.model.startswith("GVG09"):
        chosen |= {"initial_clusters": system.k, **CONFIGURATIONS[int(system.model[-2])]}
    else:
        chosen["n_clusters"] = system.k
    if system.model not in _SEEDLESS:
        chosen["random_state"] = system.seed
    return chosen


def run_system(tokens: pd.DataFrame, model: Any, system: System, key: dict[str, Any] | None) -> Fit:
    """One run of a model; a chain is stored under ``key`` as it grows. `fit` keeps the result."""
    if system.model in CHAINS:
        return chain_fit(*fit_resumed(model, tokens, key, keep=steps_spread(_sweeps(system))))
    started = perf_counter()
    model.fit(tokens)
    seconds = perf_counter() - started
    labels = model.predict(tokens).to_numpy(dtype=np.int32)
    if system.model in CHALLENGE:
        moved = model.moves_ if system.model == "BC" else model.changed_
        return Fit(labels, model.sweeps_done_, int(moved[-1]), float(model.log_probability_[-1]), seconds)
    if system.model == "Brown":
        steps = moves = len(model.merges_)
    else:
        steps, moves = len(model.trace_), int(model.trace_["moves"].sum())
    return Fit(labels, steps, moves, float(model.objective_), seconds)


def chain_fit(model: Any, kept: dict[int, np.ndarray]) -> Fit:
    """What a fitted sampler, or variational Bayes, has found, with the labels that were kept."""
    trace = model.bound_ if hasattr(model, "bound_") else model.log_probability_
    return Fit(
        model.labels_.astype(np.int32),
        steps_done(model),
        int(model.changed_[-1]) if hasattr(model, "changed_") else None,
        float(trace[-1]),
        float(model.seconds_.sum()),
        trace,
        np.array([*kept], dtype=np.int64),
        np.array([*kept.values()]),
    )
