"""Fit each system, label training and test tokens with it, and score the labels; each step is cached."""

from collections.abc import Mapping
from copy import copy
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import pandas as pd

from analysis.categories.models import BayesianHMM, FrequentFrames, HierarchicalClustering, RandomCategories
from analysis.categories.substitutability import PreparedWords, prepare_words
from analysis.experiments import cache_key, cached, fit_resumed, forget
from analysis.papers.frank2009.setting import MODELS, Setting, data

LONG = 500  # sweeps from which a fit shows its own bar


@dataclass(frozen=True)
class System:
    """One row of the paper's tables: a model, a number of clusters, a seed."""

    model: str
    k: int
    seed: int
    parameters: tuple[tuple[str, object], ...] = ()


def systems(setting: Setting) -> list[System]:
    """Every system of a setting, the slowest first.

    Examples
    --------
    >>> [(system.model, system.k) for system in systems(Setting(clusters=(12,), random_seeds=1))]
    [('BHMM', 12), ('FF', 12), ('HC', 12), ('Random', 12)]
    """
    rows = []
    for k in sorted(setting.clusters, reverse=True):
        rows.append(System("BHMM", k, setting.seed, (("sweeps", setting.sweeps), ("tagging", setting.tagging))))
    rows += [System("FF", k, setting.seed, (("threshold", setting.frame_threshold),)) for k in setting.clusters]
    rows += [
        System("HC", k, setting.seed, (("linkage", setting.linkage), ("targets", setting.clustered_types)))
        for k in setting.clusters
    ]
    for k, gold in zip(setting.clusters, ("coarse", "fine"), strict=False):
        seeds = range(setting.seed, setting.seed + setting.random_seeds)
        rows += [System("Random", k, seed, (("gold", gold),)) for seed in seeds]
    return rows


@lru_cache(maxsize=2)
def _contexts(corpus: str, targets: int) -> HierarchicalClustering:
    return HierarchicalClustering(n_targets=targets).fit(data(corpus).train)


@lru_cache(maxsize=8)
def hierarchical_clustering(corpus: str, linkage: str, targets: int) -> HierarchicalClustering:
    """The fitted clustering of a corpus, to be cut at any K; the contexts are counted once for all linkages."""
    return copy(_contexts(corpus, targets)).link(linkage)  # type: ignore[arg-type]


@lru_cache(maxsize=8)
def frequent_frames(corpus: str, threshold: float) -> FrequentFrames:
    """The frequent frames of a corpus, to be merged down to any K."""
    return FrequentFrames(n_clusters=1, threshold=threshold).fit(data(corpus).train)


def bayesian_hmm(corpus: str, k: int, sweeps: int, seed: int) -> BayesianHMM:
    """The HMM after some sweeps; its state is saved on the way, so that an interrupted run goes on where it stopped.

    Parameters
    ----------
    corpus : str
        Its part ``train`` is used.
    k, sweeps, seed : int
        Number of tags, sweeps, random state.
    """
    train, _, version = data(corpus)
    parameters = {"k": k, "sweeps": sweeps, "seed": seed, "order": "trigram"}
    key = cache_key(data=version, parameters=parameters, function=BayesianHMM)
    model = BayesianHMM(n_clusters=k, sweeps=sweeps, random_state=seed, progress=False)
    state = cached(
        "frank2009_bayesian_hmm", key, lambda: fit_resumed(model, train, key, progress=sweeps >= LONG)[0].state()
    )
    forget(key)
    return BayesianHMM.from_state(state)


def label(corpus: str, system: System, part: str = "train") -> pd.Series:
    """One system's labels of a part of a corpus, missing where it has none.

    Parameters
    ----------
    corpus : str
    system : System
    part : {"train", "test"}

    Returns
    -------
    Series of Int32 named ``cluster``, one a token.

    Raises
    ------
    ValueError
        If the model or the part is unknown.
    """
    if part not in ("train", "test"):
        raise ValueError(f"part is 'train' or 'test', not {part!r}.")
    tokens = getattr(data(corpus), part)
    choices: Mapping[str, Any] = dict(system.parameters)
    if system.model == "BHMM":
        hmm = bayesian_hmm(corpus, system.k, choices["sweeps"], system.seed)
        found = hmm.labels_ if part == "train" else hmm.predict(tokens, method=choices["tagging"])
        return pd.Series(found, index=tokens.index, name="cluster", dtype="Int32")
    if system.model == "HC":
        return hierarchical_clustering(corpus, choices["linkage"], choices["targets"]).cut(system.k).predict(tokens)
    if system.model == "FF":
        frames = frequent_frames(corpus, choices["threshold"]).cut(system.k)
        frames.random_state = system.seed
        return frames.predict(tokens)
    if system.model == "Random":
        train = data(corpus).train
        return RandomCategories(gold=choices["gold"], random_state=system.seed).fit(train).predict(tokens)
    raise ValueError(f"{system.model!r} is no model of this paper: {', '.join(MODELS)}.")


@lru_cache(maxsize=2)
def prepared(corpus: str) -> PreparedWords:
    """The words of both parts as codes, once for all systems; see `analysis.categories.substitutability`."""
    train, test, _ = data(corpus)
    return prepare_words(train, test)
