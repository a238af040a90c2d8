"""Do the measures agree? Ranks, rank correlations, number of clusters, conventions."""

from functools import lru_cache

import numpy as np
import pandas as pd

from analysis.dependencies import CONVENTIONS, compare_conventions
from analysis.papers.gelling2012.evaluation import LOWER_IS_BETTER, curve_evaluations, evaluations
from analysis.papers.gelling2012.setting import Setting, data, make_setting
from analysis.papers.gelling2012.systems import fit_trees, systems
from analysis.papers.gelling2012.tables import MEASURES, WITH_AVERAGES, averages, printed_table
from analysis.statistics import hardest_testsets, measure_agreement, rank_systems, spread_of_systems

__all__ = [
    "CONVENTIONS", "OVERALL", "agreement", "clusters", "conventions", "curves", "hardness", "heads", "ranks", "spread",
]  # fmt: skip

OVERALL = "averages"


def _rows(number: int, table: pd.DataFrame | None) -> pd.DataFrame:
    if number not in WITH_AVERAGES:
        raise ValueError(f"tables {', '.join(map(str, WITH_AVERAGES))} have several measures, not {number!r}.")
    return printed_table(number) if table is None else table


def ranks(number: int, table: pd.DataFrame | None = None, testset: str = OVERALL) -> pd.DataFrame:
    """Rank of each system by each measure, 1 the best; see `analysis.statistics.rank_systems`.

    Parameters
    ----------
    number : int
        Table 2, 3, 4, 7, 8 or 9.
    table : DataFrame, optional
        What its function returned; by default the printed table.
    testset : str
        One test set, or ``"averages"``.

    Examples
    --------
    >>> ranks(3).query("measure == 'directed' and rank <= 2")[["system", "rank"]].values.tolist()
    [['BC', 2.0], ['Tu', 1.0]]
    """
    rows = _rows(number, table)
    if testset == OVERALL:
        return rank_systems(averages(rows), LOWER_IS_BETTER)
    if not rows["testset"].eq(testset).any():
        raise ValueError(f"table {number} has no test set {testset!r}.")
    return rank_systems(rows[rows["testset"] == testset], LOWER_IS_BETTER)


def agreement(number: int, table: pd.DataFrame | None = None) -> pd.DataFrame:
    """`analysis.statistics.measure_agreement` on each test set and on the averages; arguments as for `ranks`.

    Examples
    --------
    >>> agreement(3).query("testset == 'averages' and measure_b == 'undirected'")[["measure_a", "n"]].values.tolist()
    [['directed', 14]]
    """
    rows = _rows(number, table)[["measure", "testset", "system", "value"]]
    rows = pd.concat([rows, averages(rows).assign(testset=OVERALL)], ignore_index=True)
    return measure_agreement(rows, MEASURES[number], LOWER_IS_BETTER)


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


def conventions(testset: str, setting: Setting | None = None) -> pd.DataFrame:
    """`analysis.dependencies.compare_conventions` of the systems of the track of dependencies, in percent."""
    return _conventions(testset, make_setting(setting, {})).copy()


@lru_cache(maxsize=16)
def _conventions(testset: str, setting: Setting) -> pd.DataFrame:
    table = compare_conventions(data(testset).test, heads(testset, setting))
    return table.assign(value=100 * table["value"])


def spread(number: int = 3, table: pd.DataFrame | None = None) -> pd.DataFrame:
    """`analysis.statistics.spread_of_systems` of a table; arguments as for `ranks`.

    Examples
    --------
    >>> spread(3)["measure"].tolist()
    ['directed', 'undirected', 'NED']
    """
    return spread_of_systems(_rows(number, table))


def hardness(number: int, table: pd.DataFrame | None = None, measure: str | None = None) -> pd.DataFrame:
    """`analysis.statistics.hardest_testsets` by one measure, the table's first by default; arguments as for `ranks`.

    Examples
    --------
    >>> hardness(3, measure="directed")["testset"].tolist()[:2]
    ['basque', 'slovene']
    """
    return hardest_testsets(_rows(number, table), measure or MEASURES[number][0], LOWER_IS_BETTER)
