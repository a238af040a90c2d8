"""Do the measures agree? Ranks, rank correlations, number of clusters, conventions, and chance."""

from collections.abc import Mapping
from functools import lru_cache
from itertools import product

import numpy as np
import pandas as pd
from scipy.sparse import coo_array, csr_array

from analysis.categories.contingency import Contingency
from analysis.dependencies import (
    AttachmentScores,
    attachment_scores,
    bootstrap_intervals,
    compare_systems,
    find_punctuation,
)
from analysis.papers.gelling2012.evaluation import (
    CLASS_METRICS,
    LOWER_IS_BETTER,
    attached,
    class_scores,
    curve_evaluations,
    evaluations,
)
from analysis.papers.gelling2012.setting import LEVELS, Setting, data, make_setting
from analysis.papers.gelling2012.systems import TREES, fit_classes, fit_trees, systems
from analysis.papers.gelling2012.tables import METRICS, WITH_AVERAGES, averages, printed_table
from analysis.statistics import spearman_matrix

OVERALL = "averages"


def _rows(number: int, table: pd.DataFrame | None) -> pd.DataFrame:
    if number not in WITH_AVERAGES:
        raise ValueError(f"tables {', '.join(map(str, WITH_AVERAGES))} have several measures, not {number!r}.")
    return printed_table(number) if table is None else table


def ranks(number: int, table: pd.DataFrame | None = None, testset: str = OVERALL) -> pd.DataFrame:
    """Rank of each system by each measure, 1 the best.

    Parameters
    ----------
    number : int
        Table 2, 3, 4, 7, 8 or 9.
    table : DataFrame, optional
        What its function returned; by default the printed table.
    testset : str
        One test set, or ``"averages"``.

    Returns
    -------
    DataFrame
        ``metric``, ``system``, ``value``, ``rank``; equal values share the average of their ranks; systems without a
        value are left out.

    Examples
    --------
    >>> ranks(3).query("metric == 'directed' and rank <= 2")[["system", "rank"]].values.tolist()
    [['BC', 2.0], ['Tu', 1.0]]
    """
    rows = _rows(number, table)
    if testset == OVERALL:
        rows = averages(rows)
    else:
        rows = rows[rows["testset"] == testset]
        if not len(rows):
            raise ValueError(f"table {number} has no test set {testset!r}.")
    rows = rows[rows["value"].notna()]
    signed = rows["value"].astype("float64").round(10)
    signed = signed.where(rows["metric"].isin(LOWER_IS_BETTER), -signed)
    found = rows.assign(rank=signed.groupby(rows["metric"], observed=True).rank(method="average"))
    return found[["metric", "system", "value", "rank"]].reset_index(drop=True)


def agreement(number: int, table: pd.DataFrame | None = None) -> pd.DataFrame:
    """Rank correlations between the measures over systems, on each test set and on the averages.

    VI is taken negative, so that agreement is positive. A system without a value is left out of its test set.

    Parameters
    ----------
    number : int
        Table 2, 3, 4, 7, 8 or 9.
    table : DataFrame, optional
        What its function returned; by default the printed table.

    Returns
    -------
    DataFrame
        ``testset``, ``metric_a``, ``metric_b``, ``rho``, ``p`` (Spearman, average ranks, t approximation), ``n``
        (systems), ``undefined``.

    Examples
    --------
    >>> agreement(3).query("testset == 'averages' and metric_b == 'undirected'")[["metric_a", "n"]].values.tolist()
    [['directed', 14]]
    """
    rows = _rows(number, table)
    names = list(METRICS[number])
    parts = {str(name): part for name, part in rows.groupby("testset", sort=False, observed=True)}
    parts[OVERALL] = averages(rows)
    frames = []
    for testset, part in parts.items():
        wide = part.pivot(index="system", columns="metric", values="value").reindex(columns=names).astype("float64")
        wide[[name for name in names if name in LOWER_IS_BETTER]] *= -1
        frames.append(spearman_matrix(wide, names).assign(testset=testset))
    found = pd.concat(frames, ignore_index=True)
    return found[["testset", "metric_a", "metric_b", "rho", "p", "n", "undefined"]]


def clusters(setting: Setting | None = None, **choices: object) -> pd.DataFrame:
    """Number of clusters against each measure, universal gold tags: every system on every test set.

    Returns
    -------
    DataFrame
        ``testset``, ``system``, ``model``, ``k``, ``metric``, ``value``.
    """
    chosen = make_setting(setting, choices)
    return _clusters(evaluations(chosen).scores, chosen)


def curves(setting: Setting | None = None, **choices: object) -> pd.DataFrame:
    """The four measures against the number of clusters, B and MK on one test set; as `clusters`."""
    chosen = make_setting(setting, choices)
    return _clusters(curve_evaluations(chosen), chosen)


def _clusters(scores: pd.DataFrame, setting: Setting) -> pd.DataFrame:
    kept = "scored" if setting.punctuation else "left out"
    rows = scores[(scores["track"] == "word classes") & (scores["gold"] == "universal")]
    rows = rows[rows["punctuation"] == kept]
    rows = rows.assign(model=rows["system"].str.partition("-")[0], k=rows["k"].astype("Int64"))
    return rows[["testset", "system", "model", "k", "metric", "value"]].reset_index(drop=True)


def heads(testset: str, setting: Setting | None = None, *, track: str = "dependencies") -> dict[str, np.ndarray]:
    """Predicted heads of the test set by system.

    Examples
    --------
    >>> heads("nursery")["LB"][:4].tolist()
    [2, 3, 4, 0]
    """
    chosen = make_setting(setting, {})
    return {run.name: fit_trees(testset, run).heads for run in systems(testset, chosen) if run.track == track}


#: Conventions of the challenge, and what other evaluations do instead.
CONVENTIONS: Mapping[str, Mapping[str, object]] = {
    "the challenge's": {},
    "punctuation kept": {"punctuation": "keep"},
    "at most 10 tokens": {"max_length": 10},
    "root edges left out": {"root_edges": False},
}


def conventions(testset: str, setting: Setting | None = None) -> pd.DataFrame:
    """Scores and ranks of the systems of the track of dependencies under several conventions.

    Returns
    -------
    DataFrame
        ``convention``, ``metric``, ``system``, ``value`` (percent), ``rank``, ``numerator``, ``denominator``.
    """
    return _conventions(testset, make_setting(setting, {}))


@lru_cache(maxsize=16)
def _conventions(testset: str, setting: Setting) -> pd.DataFrame:
    test, predicted = data(testset).test, heads(testset, setting)
    rows = []
    for (name, options), (system, tree) in product(CONVENTIONS.items(), predicted.items()):
        for score in attachment_scores(test, tree, **options).scores():
            value = None if score.value is None else 100 * score.value
            rows.append((name, score.metric, system, value, score.numerator, score.denominator))
    table = pd.DataFrame(rows, columns=["convention", "metric", "system", "value", "numerator", "denominator"])
    table["value"] = table["value"].astype("Float64")
    table["rank"] = table.groupby(["convention", "metric"], sort=False)["value"].rank(ascending=False)
    return table


def intervals(setting: Setting | None = None, **choices: object) -> pd.DataFrame:
    """Directed, undirected and NED of each system with a 95 % bootstrap interval, sentences resampled 1,000 times.

    Returns
    -------
    DataFrame
        ``testset``, ``system``, ``metric``, ``value``, ``lower``, ``upper`` (percent), ``n`` (sentences).
    """
    chosen = make_setting(setting, choices)
    frames = []
    for testset in chosen.testsets or ():
        for name in TREES:
            found = bootstrap_intervals(attached(testset, name, "dependencies", chosen), random_state=chosen.seed)
            found[["value", "lower", "upper"]] *= 100
            frames.append(found.assign(testset=testset, system=name))
    table = pd.concat(frames, ignore_index=True)
    return table[["testset", "system", "metric", "value", "lower", "upper", "n"]]


def differences(testset: str, setting: Setting | None = None, metric: str = "directed") -> pd.DataFrame:
    """Paired bootstrap for each pair of systems on one test set; see `analysis.dependencies.compare_systems`."""
    chosen = make_setting(setting, {})
    scored: dict[str, AttachmentScores] = {name: attached(testset, name, "dependencies", chosen) for name in TREES}
    return compare_systems(scored, metric, random_state=chosen.seed)


def spread(number: int = 3, table: pd.DataFrame | None = None) -> pd.DataFrame:
    """Spread of the systems in each measure, on average over the test sets.

    Returns
    -------
    DataFrame
        ``metric``, ``mean``, ``range`` and ``deviation`` (sample) over systems, each the mean over test sets.

    Examples
    --------
    >>> spread(3)["metric"].tolist()
    ['directed', 'undirected', 'NED']
    """
    rows = _rows(number, table)
    rows = rows[rows["value"].notna()].astype({"value": "float64"})
    found = rows.groupby(["metric", "testset"], sort=False, observed=True)["value"].agg(
        mean="mean", range=lambda v: v.max() - v.min(), deviation="std"
    )
    return found.groupby("metric", sort=False).mean().reset_index()


def hardness(number: int, table: pd.DataFrame | None = None, metric: str | None = None) -> pd.DataFrame:
    """Mean over systems of one measure on each test set, hardest first: ``testset``, ``value``, ``n``.

    Examples
    --------
    >>> hardness(3, metric="directed")["testset"].tolist()[:2]
    ['basque', 'slovene']
    """
    rows = _rows(number, table)
    rows = rows[rows["metric"] == (metric or METRICS[number][0])]
    found = rows.groupby("testset", sort=False, observed=True)["value"].agg(["mean", "count"]).reset_index()
    found = found.rename(columns={"mean": "value", "count": "n"})
    return found.sort_values("value", ascending=metric not in LOWER_IS_BETTER, kind="stable", ignore_index=True)


# Word classes in the small -------------------------------------------------------------------------------------------


def labelled(testset: str, system: str, setting: Setting | None = None) -> pd.DataFrame:
    """The scored tokens of a test set with the clusters of one system of the track of word classes.

    Returns
    -------
    DataFrame
        ``sentence``, ``form``, ``coarse``, ``fine``, ``universal``, ``predicted``; without punctuation if the setting
        leaves it out.

    Raises
    ------
    ValueError
        If there is no such system.
    """
    return _labelled(testset, system, make_setting(setting, {}))


@lru_cache(maxsize=16)
def _labelled(testset: str, system: str, setting: Setting) -> pd.DataFrame:
    runs_here = {run.name: run for run in systems(testset, setting) if run.track == "word classes"}
    if system not in runs_here:
        raise ValueError(f"{system!r} is no system of word classes: {', '.join(runs_here)}.")
    run = runs_here[system]
    found = fit_classes(testset, run.model, run.k, run.parameters)
    test = data(testset).test
    columns = ["sentence", "form", *LEVELS.values()]
    table = test[columns].assign(predicted=found.labels[data(testset).tokens["scored"].to_numpy()])
    return table if setting.punctuation else table[~find_punctuation(test).mask].reset_index(drop=True)


def class_intervals(
    testset: str,
    system: str,
    setting: Setting | None = None,
    *,
    gold: str = "universal",
    resamples: int = 100,
    confidence: float = 0.95,
) -> pd.DataFrame:
    """The four measures of one system with a bootstrap interval, sentences resampled.

    Parameters
    ----------
    testset, system : str
    setting : Setting, optional
        Its seed is that of the resampling.
    gold : {"coarse", "fine", "universal"}
    resamples : int
    confidence : float

    Returns
    -------
    DataFrame
        ``metric``, ``value``, ``lower``, ``upper`` (percent, VI in bits), ``n`` (sentences).
    """
    return _class_intervals(testset, system, make_setting(setting, {}), gold, resamples, confidence)


@lru_cache(maxsize=64)
def _class_intervals(
    testset: str, system: str, setting: Setting, gold: str, resamples: int, confidence: float
) -> pd.DataFrame:
    tokens = _labelled(testset, system, setting)
    sentence = pd.factorize(tokens["sentence"])[0]
    classes, clusters = (pd.factorize(tokens[name])[0] for name in (gold, "predicted"))
    width = int(clusters.max()) + 1
    cells, cell = np.unique(classes * width + clusters, return_inverse=True)
    n = int(sentence.max()) + 1

    def measured(counts: np.ndarray) -> list[float]:
        kept = counts > 0  # classes and clusters of sentences that were not drawn are none
        (rows, row), (columns, column) = (
            np.unique(codes, return_inverse=True) for codes in np.divmod(cells[kept], width)
        )
        matrix = csr_array((counts[kept].astype(np.int64), (row, column)), shape=(len(rows), len(columns)))
        table = Contingency(matrix, pd.Index(rows), pd.Index(columns))
        scored = [float(score) for score in class_scores(table, setting.assignment)]
        return [*(100 * value for value in scored[:3]), scored[3]]

    rng = np.random.default_rng(setting.seed)
    of_sentence = coo_array((np.ones(len(cell), dtype=np.int64), (cell, sentence)), shape=(len(cells), n)).tocsr()
    times = rng.multinomial(n, np.full(n, 1 / n), size=resamples)  # how often each sentence is drawn
    drawn = np.array([measured(counts) for counts in (of_sentence @ times.T).T])
    tails = [50 * (1 - confidence), 50 * (1 + confidence)]
    lower, upper = np.percentile(drawn, tails, axis=0)
    whole = measured(np.bincount(cell))
    return pd.DataFrame({"metric": CLASS_METRICS, "value": whole, "lower": lower, "upper": upper, "n": n})
