"""Score every system of a setting once: scores, cluster sizes, ambiguity, coverage."""

from collections.abc import Iterable, Iterator
from dataclasses import asdict
from functools import lru_cache
from typing import Any, Literal, NamedTuple

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
from analysis.experiments import run_cells
from analysis.papers.frank2009.setting import INVENTORIES, Setting, data
from analysis.papers.frank2009.systems import (
    System,
    frequent_frames,
    hierarchical_clustering,
    label,
    prepared,
    systems,
)
from analysis.structures import Score, results_table

MEASURES = ("PP", "PR", "MA", "SP", "SR")
LINKAGES = ("average", "complete", "single", "weighted")
CONVENTIONS = ("boundaries", "minimum_frequency", "frames_in_training", "annotate")


class Evaluations(NamedTuple):
    """Long tables over all systems of a setting."""

    scores: pd.DataFrame
    sizes: pd.DataFrame
    ambiguity: pd.DataFrame
    coverage: pd.DataFrame


@lru_cache(maxsize=8)
def evaluations(setting: Setting, n_jobs: int = -1) -> Evaluations:
    """Fit, label and score every system; each is cached by data, parameters and source, so it is computed once.

    Parameters
    ----------
    setting : Setting
    n_jobs : int
        Processes; the numbers do not depend on it.
    """
    version = data(setting.corpus).version
    conventions = {name: value for name, value in asdict(setting).items() if name in CONVENTIONS}
    grid = [
        {
            "corpus": setting.corpus,
            "model": system.model,
            "k": system.k,
            "seed": system.seed,
            "parameters": dict(system.parameters),
            "conventions": conventions,
        }
        for system in systems(setting)
    ]
    cells = run_cells(evaluate, grid, n_jobs=n_jobs, cache={"data": version, "name": "frank2009_evaluate"})
    cells.append(gold_standard(setting.corpus))
    joined = {
        name: [cell[name] for cell in cells if len(cell[name])] or [cells[0][name]] for name in Evaluations._fields
    }
    return Evaluations(**{name: pd.concat(tables, ignore_index=True) for name, tables in joined.items()})


def evaluate(
    corpus: str,
    model: str,
    k: int,
    seed: int,
    parameters: dict[str, Any],
    conventions: dict[str, Any],
) -> dict[str, pd.DataFrame]:
    """One system's tables: ``scores``, ``sizes``, ``ambiguity``, ``coverage``."""
    system = System(model, k, seed, tuple(sorted(parameters.items())))
    labels = label(corpus, system, "train")
    stated = "; ".join([f"{name}={value}" for name, value in parameters.items()])
    common = {"system": model, "corpus": corpus, "k": k, "seed": str(seed), "data_version": data(corpus).version}
    return {
        "scores": results_table(_scores(corpus, labels, label(corpus, system, "test"), conventions, common, stated)),
        "sizes": label_sizes(corpus, labels, model, k),
        "ambiguity": _ambiguity(corpus, labels, common | {"convention": stated}),
        "coverage": _coverage(corpus, system, labels, common | {"convention": stated}),
    }


def _scores(
    corpus: str,
    train_labels: pd.Series,
    test_labels: pd.Series,
    conventions: dict[str, Any],
    common: dict[str, Any],
    stated: str,
) -> list[dict[str, Any]]:
    return [
        common
        | {"measure": measure, "value": score.value, "unit": score.unit}
        | {"numerator": score.numerator, "denominator": score.denominator}
        | {"n": n, "condition": condition, "inventory": inventory, "clusters": clusters}
        | {"convention": "; ".join([stated, *(f"{name}={value}" for name, value in score.conventions.items())])}
        for condition in (("merge", "split") if train_labels.isna().any() else ("merge",))
        for measure, inventory, score, n, clusters in score_labels(
            corpus, train_labels, test_labels, condition, **conventions
        )
    ]


def score_labels(
    corpus: str,
    train_labels: pd.Series,
    test_labels: pd.Series,
    condition: Literal["merge", "split"],
    inventories: Iterable[str] = INVENTORIES,
    **conventions: Any,
) -> Iterator[tuple[str, str, Score, int, int]]:
    """The five measures of one system's labels: measure, gold tags, score, tokens scored, clusters.

    Parameters
    ----------
    corpus : str
    train_labels, test_labels : Series
        Cluster of each token, missing where the system has none.
    condition : {"merge", "split"}
        What becomes of unclustered words.
    inventories : iterable of {"coarse", "fine"}
        Gold tags of PP, PR and MA.
    **conventions
        Of SP and SR: see `analysis.categories.substitutable_precision_recall`.
    """
    train, test, _ = data(corpus)
    filled_train = fill_unclustered(train_labels, train, condition)
    filled_test = fill_unclustered(test_labels, test, condition)
    clusters = int(filled_train.nunique())
    for inventory in inventories:
        table = contingency(train[inventory], filled_train)
        scores = (*pairwise_precision_recall(table).scores(), many_to_one(table))
        yield from (
            (name, inventory, score, table.n, clusters) for name, score in zip(MEASURES[:3], scores, strict=True)
        )
    substitutable = substitutable_precision_recall(
        train.assign(cluster=filled_train), test.assign(cluster=filled_test), prepared=prepared(corpus), **conventions
    )
    for name, score in zip(MEASURES[3:], substitutable.scores(), strict=True):
        yield name, "none", score, len(test), clusters


def _labelled(corpus: str, labels: pd.Series) -> pd.DataFrame:
    train = data(corpus).train
    kept = labels.notna().to_numpy()
    return pd.DataFrame({"form": train["form"].array[kept], "cluster": labels.array[kept]})


def label_sizes(corpus: str, labels: pd.Series, system: str, k: int) -> pd.DataFrame:
    """Cluster sizes by rank, in types and in tokens: ``system``, ``k``, ``unit``, ``rank``, ``size``."""
    tokens = _labelled(corpus, labels)
    tables = []
    for unit in ("types", "tokens"):
        sizes = cluster_sizes(tokens, cluster="cluster", unit=unit).rename(columns={unit: "size"})
        tables.append(sizes[["rank", "size"]].assign(system=system, k=k, unit=unit))
    return pd.concat(tables, ignore_index=True)[["system", "k", "unit", "rank", "size"]]


def _ambiguity(corpus: str, labels: pd.Series, common: dict[str, Any]) -> pd.DataFrame:
    tokens = _labelled(corpus, labels)
    rows = []
    for weighting in ("types", "tokens"):
        score = ambiguity(tokens, cluster="cluster", weight=weighting)
        rows.append(
            common
            | {"measure": "clusters a type", "value": score.value, "unit": "count", "numerator": score.numerator}
            | {"denominator": score.denominator, "n": len(tokens), "weighting": weighting}
        )
    return results_table(rows)


def _coverage(corpus: str, system: System, labels: pd.Series, common: dict[str, Any]) -> pd.DataFrame:
    if system.model not in ("HC", "FF"):
        return results_table([])
    train = data(corpus).train
    labelled = train[["form"]].assign(cluster=labels)
    types, tokens = (coverage(labelled, cluster="cluster", unit=unit) for unit in ("types", "tokens"))
    largest = cluster_sizes(_labelled(corpus, labels), cluster="cluster", unit="types")["types"].max()
    statistics = [
        ("types clustered", types),
        ("tokens clustered", tokens),
        ("types in the largest cluster", Score("types in the largest cluster", int(largest), types.numerator)),
    ]
    if system.model == "FF":
        frames = frequent_frames(corpus, float(dict(system.parameters)["threshold"]))  # type: ignore[arg-type]
        inside, of_types = frames.coverage().iloc[:2].to_dict("records")
        for row in (inside, of_types):
            statistics.append((row["measure"], Score(row["measure"], row["numerator"], row["denominator"])))
        statistics.append(("frequent frames", Score("frequent frames", number=len(frames.frames_), unit="count")))
    rows = [
        common
        | {"measure": name, "value": score.value, "unit": score.unit}
        | {"numerator": score.numerator, "denominator": score.denominator}
        | {"n": len(train)}
        for name, score in statistics
    ]
    return results_table(rows)


def gold_standard(corpus: str) -> dict[str, pd.DataFrame]:
    """The gold classes as a system: their sizes and ambiguity, in both inventories; they have no scores."""
    train, _, version = data(corpus)
    sizes, ambiguities = [], []
    for inventory in INVENTORIES:
        system = f"gold {inventory}"
        k = int(train[inventory].nunique())
        sizes.append(label_sizes(corpus, train[inventory], system, k))
        common = {"system": system, "corpus": corpus, "k": k, "seed": "", "data_version": version}
        ambiguities.append(_ambiguity(corpus, train[inventory], common | {"convention": "as transcribed"}))
    empty = results_table([])
    return {
        "scores": empty,
        "sizes": pd.concat(sizes, ignore_index=True),
        "ambiguity": pd.concat(ambiguities, ignore_index=True),
        "coverage": empty,
    }


def linkages(setting: Setting) -> pd.DataFrame:
    """HC with each linkage at each K, in the merge condition: the largest cluster, and PP, PR, MA."""
    train = data(setting.corpus).train
    rows = []
    for linkage in LINKAGES:
        tree = hierarchical_clustering(setting.corpus, linkage, setting.clustered_types)
        for k in setting.clusters:
            labels = tree.cut(k).predict(train)
            sizes = cluster_sizes(_labelled(setting.corpus, labels), cluster="cluster", unit="types")["types"]
            filled = fill_unclustered(labels, train, "merge")
            for inventory in INVENTORIES:
                table = contingency(train[inventory], filled)
                pairs, accuracy = pairwise_precision_recall(table), many_to_one(table)
                rows.append(
                    {"linkage": linkage, "k": k, "inventory": inventory, "largest": int(sizes.max())}
                    | {"types": int(sizes.sum()), "PP": pairs.precision, "PR": pairs.recall, "MA": accuracy.value}
                )
    return pd.DataFrame(rows)
