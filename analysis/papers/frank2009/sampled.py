"""The same recomputation on a sample of a corpus, quick enough to answer a moved slider."""

from copy import copy
from functools import lru_cache
from typing import Literal

import numpy as np
import pandas as pd

from analysis import corpora
from analysis.categories import (
    cluster_sizes,
    contingency,
    fill_unclustered,
    many_to_one,
    pairwise_precision_recall,
    substitutable_precision_recall,
)
from analysis.categories.models import BayesianHMM, FrequentFrames, HierarchicalClustering, RandomCategories
from analysis.categories.substitutability import PreparedWords, prepare_words
from analysis.experiments import cache_key, cached
from analysis.papers.frank2009.setting import INVENTORIES, MODELS, Data, Setting, data
from analysis.structures import scores_table

SWEEPS = 50


@lru_cache(maxsize=4)
def sample(corpus: str, sentences: int = 10_000, seed: int = 0) -> Data:
    """Whole sentences of both parts of a corpus, drawn once; twice as many of the test part.

    Parameters
    ----------
    corpus : str
    sentences : int
        Of the training part; all, if it has no more.
    seed : int
    """
    whole = data(corpus)
    train = corpora.sample(whole.train, sentences, random_state=seed)
    test = corpora.sample(whole.test, 2 * sentences, random_state=seed)
    return Data(train, test, f"{whole.version}, {sentences:,} sentences drawn with seed {seed}")


@lru_cache(maxsize=2)
def _contexts(corpus: str, sentences: int) -> HierarchicalClustering:
    return HierarchicalClustering(n_targets=Setting(corpus=corpus).clustered_types).fit(sample(corpus, sentences).train)


@lru_cache(maxsize=16)
def _tree(corpus: str, sentences: int, linkage: str) -> HierarchicalClustering:
    return copy(_contexts(corpus, sentences)).link(linkage)  # type: ignore[arg-type]


@lru_cache(maxsize=16)
def _frames(corpus: str, sentences: int, threshold: float) -> FrequentFrames:
    return FrequentFrames(n_clusters=1, threshold=threshold).fit(sample(corpus, sentences).train)


@lru_cache(maxsize=64)
def _hmm(corpus: str, sentences: int, k: int) -> tuple[pd.Series, pd.Series]:
    train, test, version = sample(corpus, sentences)

    def compute() -> tuple[pd.Series, pd.Series]:
        model = BayesianHMM(n_clusters=k, sweeps=SWEEPS, random_state=0, progress=False).fit(train)
        found = zip((model.labels_, model.predict(test)), (train, test), strict=True)
        first, second = (pd.Series(tags, index=part.index, name="cluster", dtype="Int32") for tags, part in found)
        return first, second

    key = cache_key(data=version, parameters={"k": k, "sweeps": SWEEPS, "seed": 0}, version=BayesianHMM.version)
    return cached("frank2009_sampled_hmm", key, compute)


def labels(
    corpus: str,
    model: str,
    k: int,
    *,
    linkage: str = "average",
    threshold: float = 0.0009,
    sentences: int = 10_000,
) -> tuple[pd.Series, pd.Series]:
    """Labels of the sampled training and test tokens, missing where a word is unclustered.

    Parameters
    ----------
    corpus : str
    model : {"Random", "BHMM", "HC", "FF"}
        Random takes the sizes of the collapsed classes for K of at most 12, of the fine tags above.
    k : int
        Number of clusters; not used by Random.
    linkage : str
        Of HC.
    threshold : float
        Of FF.
    sentences : int

    Raises
    ------
    ValueError
        If the model is unknown or cannot make k clusters.
    """
    if model not in MODELS:
        raise ValueError(f"{model!r} is no model of this paper: {', '.join(MODELS)}.")
    train, test, _ = sample(corpus, sentences)
    fitted: HierarchicalClustering | FrequentFrames | RandomCategories
    if model == "BHMM":
        return _hmm(corpus, sentences, k)
    if model == "HC":
        fitted = _tree(corpus, sentences, linkage).cut(k)
    elif model == "FF":
        fitted = _frames(corpus, sentences, threshold).cut(k)
    else:
        fitted = RandomCategories(gold="coarse" if k <= 12 else "fine", random_state=0).fit(train)
    return fitted.predict(train), fitted.predict(test)


@lru_cache(maxsize=4)
def _words(corpus: str, sentences: int) -> PreparedWords:
    train, test, _ = sample(corpus, sentences)
    return prepare_words(train, test)


def word_class_scores(
    corpus: str,
    model: str,
    k: int,
    *,
    linkage: str = "average",
    threshold: float = 0.0009,
    condition: Literal["merge", "split"] = "merge",
    inventory: str = "coarse",
    sentences: int = 10_000,
) -> pd.DataFrame:
    """The five measures for one model with the choices given, on the sample.

    Parameters
    ----------
    corpus, model, k, linkage, threshold, sentences
        As for `labels`.
    condition : {"merge", "split"}
        What becomes of unclustered words.
    inventory : {"coarse", "fine"}
        Gold tags of PP, PR and MA.

    Returns
    -------
    DataFrame
        Rows PP, PR, MA, SP, SR: ``measure``, ``value``, ``numerator``, ``denominator``, ``convention``.
    """
    if inventory not in INVENTORIES:
        raise ValueError(f"inventory is one of {', '.join(INVENTORIES)}, not {inventory!r}.")
    train, test, _ = sample(corpus, sentences)
    pair = labels(corpus, model, k, linkage=linkage, threshold=threshold, sentences=sentences)
    filled_train, filled_test = (
        fill_unclustered(found, tokens, condition) for found, tokens in zip(pair, (train, test), strict=True)
    )
    table = contingency(train[inventory], filled_train)
    substitutable = substitutable_precision_recall(
        train.assign(cluster=filled_train), test.assign(cluster=filled_test), prepared=_words(corpus, sentences)
    )
    rows = [*pairwise_precision_recall(table).scores(), many_to_one(table), *substitutable.scores()]
    shown = scores_table(rows)[["measure", "value", "numerator", "denominator", "convention"]]
    return shown.assign(measure=["PP", "PR", "MA", "SP", "SR"])


def ranked_sizes(
    corpus: str,
    model: str,
    k: int,
    *,
    linkage: str = "average",
    threshold: float = 0.0009,
    inventory: str = "coarse",
    sentences: int = 10_000,
) -> pd.DataFrame:
    """Cluster sizes in types by rank, of the model and of the gold classes, on the sample.

    Parameters are those of `word_class_scores`; unclustered words are left out.

    Returns
    -------
    DataFrame
        ``system``, ``rank``, ``size``.
    """
    train = sample(corpus, sentences).train
    found, _ = labels(corpus, model, k, linkage=linkage, threshold=threshold, sentences=sentences)
    kept = np.flatnonzero(found.notna().to_numpy())
    tables = []
    for system, clusters in (("gold", train[inventory].array[kept]), (model, found.array[kept])):
        tokens = pd.DataFrame({"form": train["form"].array[kept], "cluster": clusters})
        sizes = cluster_sizes(tokens, cluster="cluster", unit="types").rename(columns={"types": "size"})
        tables.append(sizes[["rank", "size"]].assign(system=system))
    return pd.concat(tables, ignore_index=True)[["system", "rank", "size"]]
