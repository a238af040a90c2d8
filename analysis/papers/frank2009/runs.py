"""Fit each system, label both parts of the corpus with it, and score the labels once."""

from collections.abc import Iterable, Iterator
from copy import copy
from dataclasses import asdict, replace
from itertools import product
from typing import Any, Literal

import pandas as pd

from analysis.categories import (
    ambiguity,
    cluster_sizes,
    contingency,
    coverage,
    fill_unclustered,
    many_to_one,
    pairwise_precision_recall,
    substitutable_precision_recall,
)
from analysis.categories.models import BayesianHMM, FrequentFrames, HierarchicalClustering, RandomCategories
from analysis.categories.substitutability import PreparedWords, prepare_words
from analysis.experiments import cache_key, cached, fit_resumed, forget
from analysis.papers.frank2009.setting import INVENTORIES, LINKAGES, MODELS, Setting, parts
from analysis.papers.recipe import Run, check_known, counted, evaluate_all, kept, takes_setting
from analysis.structures import Score, results_table

MEASURES = ("PP", "PR", "MA", "SP", "SR")
LONG = 500  # sweeps from which a fit shows its own bar
CONVENTIONS = ("boundaries", "minimum_frequency", "frames_in_training", "annotate")


def systems(setting: Setting) -> list[Run]:
    """Every run of a setting, the slowest first.

    Examples
    --------
    >>> [(run.system, run.k) for run in systems(Setting(clusters=(12,), random_seeds=1))]
    [('BHMM', 12), ('FF', 12), ('HC', 12), ('Random', 12)]
    """
    parameters: dict[str, tuple[tuple[str, Any], ...]] = {
        "BHMM": (("sweeps", setting.sweeps), ("tagging", setting.tagging)),
        "FF": (("threshold", setting.threshold),),
        "HC": (("linkage", setting.linkage), ("targets", setting.targets)),
    }
    ks = {"BHMM": sorted(setting.clusters, reverse=True)}
    rows = [
        Run(name, "", k, setting.seed, own) for name, own in parameters.items() for k in ks.get(name, setting.clusters)
    ]
    seeds = range(setting.seed, setting.seed + setting.random_seeds)
    rows += [
        Run("Random", "", k, seed, (("gold", gold),))
        for k, gold in zip(setting.clusters, INVENTORIES, strict=False)
        for seed in seeds
    ]
    return [run for run in rows if run.system in setting.models]


@kept(copied=False)
def _contexts(corpus: str, targets: int, sentences: int | None) -> HierarchicalClustering:
    return HierarchicalClustering(n_targets=targets).fit(parts(corpus, sentences).train)


@kept(copied=False)
def hierarchical_clustering(
    corpus: str, linkage: str, targets: int, sentences: int | None = None
) -> HierarchicalClustering:
    """The fitted clustering of a corpus, to be cut at any K; the contexts are counted once for all linkages."""
    return copy(_contexts(corpus, targets, sentences)).link(linkage)


@kept(copied=False)
def frequent_frames(corpus: str, threshold: float, sentences: int | None = None) -> FrequentFrames:
    """The frequent frames of a corpus, to be merged down to any K."""
    return FrequentFrames(n_clusters=1, threshold=threshold).fit(parts(corpus, sentences).train)


@kept(copied=False)
def prepared(corpus: str, sentences: int | None = None) -> PreparedWords:
    """The words of both parts as codes, once for all systems; see `analysis.categories.substitutability`."""
    return prepare_words(*parts(corpus, sentences)[:2])


def _bayesian_hmm(train: pd.DataFrame, version: str, k: int, sweeps: int, seed: int) -> BayesianHMM:
    """The HMM after some sweeps; its state is stored on the way, so that an interrupted run goes on."""
    key = cache_key(data=version, parameters={"k": k, "sweeps": sweeps, "seed": seed}, function=BayesianHMM)
    model = BayesianHMM(n_clusters=k, sweeps=sweeps, random_state=seed, progress=False)
    state = cached("bayesian_hmm", key, lambda: fit_resumed(model, train, key, progress=sweeps >= LONG)[0].state())
    forget(key)
    return BayesianHMM.from_state(state)


@kept
def labels(corpus: str, run: Run, sentences: int | None = None) -> tuple[pd.Series, pd.Series]:
    """One system's labels of the training and of the test tokens, missing where it has none.

    Returns
    -------
    (Series, Series) of Int32 named ``cluster``

    Raises
    ------
    ValueError
        If the model is unknown.
    """
    train, test, version = parts(corpus, sentences)
    choices, k, seed = run.choices, run.k or 1, run.seed or 0
    check_known([run.model], MODELS, "model is")
    if run.model == "BHMM":
        fitted: Any = _bayesian_hmm(train, version, k, choices["sweeps"], seed)
        found = fitted.labels_, fitted.predict(test, method=choices["tagging"])
        first, second = (
            pd.Series(tags, index=part.index, name="cluster", dtype="Int32")
            for tags, part in zip(found, (train, test), strict=True)
        )
        return first, second
    if run.model == "HC":
        fitted = hierarchical_clustering(corpus, choices["linkage"], choices["targets"], sentences).cut(k)
    elif run.model == "FF":
        fitted = frequent_frames(corpus, choices["threshold"], sentences).cut(k)
        fitted.random_state = seed
    else:
        fitted = RandomCategories(gold=choices["gold"], random_state=seed).fit(train)
    return fitted.predict(train), fitted.predict(test)


@kept
def evaluations(setting: Setting, n_jobs: int = -1) -> dict[str, pd.DataFrame]:
    """Fit, label and score every system of a setting; each is stored, so it is computed once.

    Returns
    -------
    dict of str to DataFrame
        ``scores``, ``sizes``, ``ambiguity``, ``coverage``: long tables over all systems.
    """
    conventions = {name: value for name, value in asdict(setting).items() if name in CONVENTIONS}
    common = {"corpus": setting.corpus, "sentences": setting.sentences, "conventions": conventions}
    cells = [common | {"run": asdict(run)} for run in systems(setting)]
    version = parts(setting.corpus, setting.sentences).version
    tables = evaluate_all(evaluate, cells, data=version, n_jobs=n_jobs)
    gold = gold_standard(setting.corpus, setting.sentences)
    joined = {name: pd.concat([tables[name], table], ignore_index=True) for name, table in gold.items()}
    return {**tables, **joined}


def evaluate(
    corpus: str, run: dict[str, Any], conventions: dict[str, Any], sentences: int | None = None
) -> dict[str, pd.DataFrame]:
    """One run's tables: ``scores``, ``sizes``, ``ambiguity``, ``coverage``."""
    one = Run.restored(run)
    train, _, version = parts(corpus, sentences)
    found = labels(corpus, one, sentences)
    common = {"system": one.system, "corpus": corpus, "k": one.k, "seed": str(one.seed), "data_version": version}
    rows = [
        common | counted(score, one.stated) | {"measure": measure, "n": n, "condition": condition, "clusters": clusters,
                                               "inventory": inventory}
        for condition in (("merge", "split") if found[0].isna().any() else ("merge",))
        for measure, inventory, score, n, clusters in score_labels(corpus, found, condition, sentences, **conventions)
    ]  # fmt: skip
    clustered = labelled_tokens(train, found[0])
    common |= {"convention": one.stated}
    return {
        "scores": results_table(rows),
        "sizes": sizes_of(clustered, one.system, one.k),
        "ambiguity": _ambiguity(clustered, common),
        "coverage": results_table(
            counted(score) | {"measure": score.measure, "n": len(train)} | common
            for score in _coverage(corpus, sentences, one, found[0])
        ),
    }


def score_labels(
    corpus: str,
    found: tuple[pd.Series, pd.Series],
    condition: Literal["merge", "split"],
    sentences: int | None = None,
    *,
    inventories: Iterable[str] = INVENTORIES,
    **conventions: Any,
) -> Iterator[tuple[str, str, Score, int, int]]:
    """The five measures of one system's labels: measure, gold tags, score, tokens scored, clusters.

    Parameters
    ----------
    corpus : str
    found : (Series, Series)
        Cluster of each training and test token, missing where the system has none; see `labels`.
    condition : {"merge", "split"}
        What becomes of unclustered words.
    sentences : int, optional
        As for `labels`.
    inventories : iterable of {"coarse", "fine"}
        Gold tags of PP, PR and MA.
    **conventions
        Of SP and SR: see `analysis.categories.substitutable_precision_recall`.
    """
    train, test, _ = parts(corpus, sentences)
    filled = [fill_unclustered(tags, part, condition) for tags, part in zip(found, (train, test), strict=True)]
    clusters = int(filled[0].nunique())
    for inventory in inventories:
        for name, score in against_gold(train[inventory], filled[0]).items():
            yield name, inventory, score, len(train), clusters
    tokens = [part.assign(cluster=tags) for part, tags in zip((train, test), filled, strict=True)]
    words = prepared(corpus, sentences)
    pairs = substitutable_precision_recall(tokens[0], tokens[1], prepared=words, **conventions)
    for name, score in zip(MEASURES[3:], pairs.scores(), strict=True):
        yield name, "none", score, len(test), clusters


def against_gold(gold: pd.Series, tags: pd.Series) -> dict[str, Score]:
    """PP, PR and MA of a clustering."""
    table = contingency(gold, tags)
    return dict(zip(MEASURES, (*pairwise_precision_recall(table).scores(), many_to_one(table)), strict=False))


def labelled_tokens(train: pd.DataFrame, tags: pd.Series) -> pd.DataFrame:
    """The tokens that have a cluster: ``form``, ``cluster``."""
    kept_rows = tags.notna().to_numpy()
    return pd.DataFrame({"form": train["form"].array[kept_rows], "cluster": tags.array[kept_rows]})


def sizes_of(tokens: pd.DataFrame, system: str, k: int | None) -> pd.DataFrame:
    """The clusters of a system by size, in types and in tokens: ``system``, ``k``, ``unit``, ``rank``, ``size``."""
    tables = [
        cluster_sizes(tokens, cluster="cluster", unit=unit).rename(columns={unit: "size"})[["rank", "size"]]
        .assign(system=system, k=k, unit=unit)
        for unit in ("types", "tokens")
    ]  # fmt: skip
    return pd.concat(tables, ignore_index=True)[["system", "k", "unit", "rank", "size"]]


def _ambiguity(tokens: pd.DataFrame, common: dict[str, Any]) -> pd.DataFrame:
    return results_table(
        counted(ambiguity(tokens, cluster="cluster", weight=weighting)) | common
        | {"measure": "clusters a type", "n": len(tokens), "unit": "count", "weighting": weighting}
        for weighting in ("types", "tokens")
    )  # fmt: skip


def _coverage(corpus: str, sentences: int | None, run: Run, tags: pd.Series) -> list[Score]:
    """How much of the corpus HC or FF clusters; of other systems nothing."""
    if run.model not in ("HC", "FF"):
        return []
    train = parts(corpus, sentences).train
    labelled = train[["form"]].assign(cluster=tags)
    found = [
        replace(coverage(labelled, cluster="cluster", unit=unit), measure=f"{unit} clustered")
        for unit in ("types", "tokens")
    ]
    largest = cluster_sizes(labelled_tokens(train, tags), cluster="cluster", unit="types")["types"].max()
    found.append(Score("types in the largest cluster", int(largest), found[0].numerator))
    if run.model == "FF":
        frames = frequent_frames(corpus, run.choices["threshold"], sentences)
        inside = frames.coverage().iloc[:2].to_dict("records")
        found += [Score(row["measure"], row["numerator"], row["denominator"]) for row in inside]
        found.append(Score("frequent frames", number=len(frames.frames_), unit="count"))
    return found


def gold_standard(corpus: str, sentences: int | None = None) -> dict[str, pd.DataFrame]:
    """The gold classes as a system: their ``sizes`` and ``ambiguity``, in both inventories."""
    train, _, version = parts(corpus, sentences)
    common = {"corpus": corpus, "seed": "", "data_version": version, "convention": "as transcribed"}
    gold: list[tuple[pd.DataFrame, dict[str, Any]]] = [
        (labelled_tokens(train, train[name]), {"system": f"gold {name}", "k": int(train[name].nunique())})
        for name in INVENTORIES
    ]
    return {
        "sizes": pd.concat([sizes_of(tokens, **named) for tokens, named in gold], ignore_index=True),
        "ambiguity": pd.concat([_ambiguity(tokens, named | common) for tokens, named in gold], ignore_index=True),
    }


@takes_setting(Setting)
def linkages(setting: Setting) -> pd.DataFrame:
    """What the unstated linkage of the hierarchical clustering changes.

    On the Manchester corpus the paper's 969 of 1,000 types in one cluster, and its scores, come near single linkage
    at K = 12; at K = 53 and 80 its scores lie between those of single and of average linkage.

    Parameters
    ----------
    setting, **choices
        Setting of the paper, or single fields of it by name; see `Setting`.

    Returns
    -------
    DataFrame
        ``linkage``, ``k``, ``inventory``, ``largest`` (types in the largest cluster), ``types`` (clustered in all),
        ``PP``, ``PR``, ``MA`` in the merge condition.

    References
    ----------
    Frank, Goldwater & Keller (2009), sections "Hierarchical Clustering" and "Model Performance".
    """
    train, rows = parts(setting.corpus, setting.sentences).train, []
    for linkage, k in product(LINKAGES, setting.clusters):
        tree = hierarchical_clustering(setting.corpus, linkage, setting.targets, setting.sentences)
        tags = tree.cut(k).predict(train)
        sizes = cluster_sizes(labelled_tokens(train, tags), cluster="cluster", unit="types")["types"]
        filled = fill_unclustered(tags, train, "merge")
        about = {"linkage": linkage, "k": k, "largest": int(sizes.max()), "types": int(sizes.sum())}
        scores = {name: against_gold(train[name], filled) for name in INVENTORIES}
        rows += [about | {"inventory": name} | {measure: score.value for measure, score in found.items()}
                 for name, found in scores.items()]  # fmt: skip
    return pd.DataFrame(rows)[["linkage", "k", "inventory", "largest", "types", *MEASURES[:3]]]
