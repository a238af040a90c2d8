"""Do the measures agree? Ranks, rank correlations, number of clusters, conventions."""

from collections.abc import Mapping
from functools import lru_cache
from itertools import product

import numpy as np
import pandas as pd

from analysis.dependencies import attachment_scores
from analysis.papers.gelling2012.evaluation import (
    LOWER_IS_BETTER,
    curve_evaluations,
    evaluations,
)
from analysis.papers.gelling2012.setting import Setting, data, make_setting
from analysis.papers.gelling2012.systems import fit_trees, systems
from analysis.papers.gelling2012.tables import MEASURES, WITH_AVERAGES, averages, printed_table
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
        ``measure``, ``system``, ``value``, ``rank``; equal values share the average of their ranks; systems without a
        value are left out.

    Examples
    --------
    >>> ranks(3).query("measure == 'directed' and rank <= 2")[["system", "rank"]].values.tolist()
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
    signed = signed.where(rows["measure"].isin(LOWER_IS_BETTER), -signed)
    found = rows.assign(rank=signed.groupby(rows["measure"], observed=True).rank(method="average"))
    return found[["measure", "system", "value", "rank"]].reset_index(drop=True)


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
        ``testset``, ``measure_a``, ``measure_b``, ``rho``, ``p`` (Spearman, average ranks, t approximation), ``n``
        (systems), ``undefined``.

    Examples
    --------
    >>> agreement(3).query("testset == 'averages' and measure_b == 'undirected'")[["measure_a", "n"]].values.tolist()
    [['directed', 14]]
    """
    rows = _rows(number, table)
    names = list(MEASURES[number])
    parts = {str(name): part for name, part in rows.groupby("testset", sort=False, observed=True)}
    parts[OVERALL] = averages(rows)
    frames = []
    for testset, part in parts.items():
        wide = part.pivot(index="system", columns="measure", values="value").reindex(columns=names).astype("float64")
        wide[[name for name in names if name in LOWER_IS_BETTER]] *= -1
        frames.append(spearman_matrix(wide, names).assign(testset=testset))
    found = pd.concat(frames, ignore_index=True)
    return found[["testset", "measure_a", "measure_b", "rho", "p", "n", "undefined"]]


def clusters(setting: Setting | None = None, **choices: object) -> pd.DataFrame:
    """Number of clusters against each measure, universal gold tags: every system on every test set.

    Returns
    -------
    DataFrame
        ``testset``, ``system``, ``model``, ``k``, ``measure``, ``value``.
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
    return rows[["testset", "system", "model", "k", "measure", "value"]].reset_index(drop=True)


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
        ``convention``, ``measure``, ``system``, ``value`` (percent), ``rank``, ``numerator``, ``denominator``.
    """
    return _conventions(testset, make_setting(setting, {}))


@lru_cache(maxsize=16)
def _conventions(testset: str, setting: Setting) -> pd.DataFrame:
    test, predicted = data(testset).test, heads(testset, setting)
    rows = []
    for (name, options), (system, tree) in product(CONVENTIONS.items(), predicted.items()):
        for score in attachment_scores(test, tree, **options).scores():
            value = None if score.value is None else 100 * score.value
            rows.append((name, score.measure, system, value, score.numerator, score.denominator))
    table = pd.DataFrame(rows, columns=["convention", "measure", "system", "value", "numerator", "denominator"])
    table["value"] = table["value"].astype("Float64")
    table["rank"] = table.groupby(["convention", "measure"], sort=False)["value"].rank(ascending=False)
    return table


def spread(number: int = 3, table: pd.DataFrame | None = None) -> pd.DataFrame:
    """Spread of the systems in each measure, on average over the test sets.

    Returns
    -------
    DataFrame
        ``measure``, ``mean``, ``range`` and ``deviation`` (sample) over systems, each the mean over test sets.

    Examples
    --------
    >>> spread(3)["measure"].tolist()
    ['directed', 'undirected', 'NED']
    """
    rows = _rows(number, table)
    rows = rows[rows["value"].notna()].astype({"value": "float64"})
    found = rows.groupby(["measure", "testset"], sort=False, observed=True)["value"].agg(
        mean="mean", range=lambda v: v.max() - v.min(), deviation="std"
    )
    return found.groupby("measure", sort=False).mean().reset_index()


def hardness(number: int, table: pd.DataFrame | None = None, measure: str | None = None) -> pd.DataFrame:
    """Mean over systems of one measure on each test set, hardest first: ``testset``, ``value``, ``n``.

    Examples
    --------
    >>> hardness(3, measure="directed")["testset"].tolist()[:2]
    ['basque', 'slovene']
    """
    rows = _rows(number, table)
    rows = rows[rows["measure"] == (measure or MEASURES[number][0])]
    found = rows.groupby("testset", sort=False, observed=True)["value"].agg(["mean", "count"]).reset_index()
    found = found.rename(columns={"mean": "value", "count": "n"})
    return found.sort_values("value", ascending=measure not in LOWER_IS_BETTER, kind="stable", ignore_index=True)
