"""Agreement of measures about systems: ranks, rank correlations, differences between systems and test sets.

Every function takes a long table: one row per number, with ``measure``, ``testset``, ``system`` and ``value``.
"""

from collections.abc import Collection, Sequence
from typing import Literal

import pandas as pd

from analysis.statistics.correlation import spearman_matrix


def rank_systems(
    table: pd.DataFrame, lower_is_better: Collection[str] = (), ties: Literal["average", "min"] = "average"
) -> pd.DataFrame:
    """Rank systems by each measure; 1 is the best.

    Parameters
    ----------
    table : DataFrame
        ``measure``, ``system``, ``value``, of one test set or of means.
    lower_is_better : collection of str
        Measures for which lower values are better, such as variation of information.
    ties : {"average", "min"}
        Values that are equal to ten digits share the average or the best of their ranks.

    Returns
    -------
    DataFrame
        ``measure``, ``system``, ``value``, ``rank``; rows without a value are left out.

    Examples
    --------
    >>> table = pd.DataFrame({"measure": "VI", "system": ["A", "B", "C"], "value": [2.0, 1.0, None]})
    >>> rank_systems(table, ["VI"])["rank"].tolist()
    [2.0, 1.0]
    >>> rank_systems(table.fillna(1.0), ["VI"], ties="min")["rank"].tolist()
    [3.0, 1.0, 1.0]
    """
    rows = table.loc[table["value"].notna(), ["measure", "system", "value"]].reset_index(drop=True)
    signed = rows["value"].astype("float64").round(10)
    signed = signed.where(rows["measure"].isin(lower_is_better), -signed)
    return rows.assign(rank=signed.groupby(rows["measure"], observed=True).rank(method=ties))


def measure_agreement(
    table: pd.DataFrame, measures: Sequence[str], lower_is_better: Collection[str] = ()
) -> pd.DataFrame:
    """Compute rank correlations between measures over systems, on each test set.

    Parameters
    ----------
    table : DataFrame
        ``measure``, ``testset``, ``system``, ``value``; a system without a value is left out of its test set.
    measures : sequence of str
        Measures to compare.
    lower_is_better : collection of str
        Measures whose sign is changed, so that agreement is positive.

    Returns
    -------
    DataFrame
        ``testset``, then the columns of `spearman_matrix`: ``measure_a``, ``measure_b``, ``rho``, ``p``, ``n``
        (systems), ``undefined``.

    Examples
    --------
    >>> table = pd.DataFrame({"measure": ["V", "V", "VI", "VI"], "testset": "danish", "system": ["A", "B"] * 2,
    ...                       "value": [0.6, 0.5, 2.0, 3.0]})
    >>> float(measure_agreement(table, ["V", "VI"], ["VI"])["rho"].iloc[0])
    1.0
    """
    frames = []
    for testset, part in table.groupby("testset", sort=False, observed=True):
        wide = part.pivot(index="system", columns="measure", values="value").reindex(columns=measures).astype("float64")
        wide[[name for name in measures if name in lower_is_better]] *= -1
        frames.append(spearman_matrix(wide, measures).assign(testset=testset))
    found = pd.concat(frames, ignore_index=True)
    return found[["testset", *(name for name in found.columns if name != "testset")]]


def spread_of_systems(table: pd.DataFrame) -> pd.DataFrame:
    """Compute how much systems differ in each measure, on average over test sets.

    Parameters
    ----------
    table : DataFrame
        ``measure``, ``testset``, ``system``, ``value``.

    Returns
    -------
    DataFrame
        ``measure``, ``mean``, ``range`` and ``deviation`` (sample) over systems, each the mean over test sets.

    Examples
    --------
    >>> table = pd.DataFrame({"measure": "NED", "testset": ["a", "a", "b", "b"], "system": ["A", "B"] * 2,
    ...                       "value": [0.2, 0.4, 0.5, 0.9]})
    >>> spread_of_systems(table).round(2).to_numpy().tolist()
    [['NED', 0.5, 0.3, 0.21]]
    """
    rows = table[table["value"].notna()].astype({"value": "float64"})
    found = rows.groupby(["measure", "testset"], sort=False, observed=True)["value"].agg(
        mean="mean", range=lambda values: values.max() - values.min(), deviation="std"
    )
    return found.groupby("measure", sort=False).mean().reset_index()


def hardest_testsets(table: pd.DataFrame, measure: str, lower_is_better: Collection[str] = ()) -> pd.DataFrame:
    """Compute the mean of one measure over systems on each test set, hardest first: ``testset``, ``value``, ``n``
    (systems).

    Parameters
    ----------
    table : DataFrame
        ``measure``, ``testset``, ``value``; one row per system.
    measure : str
    lower_is_better : collection of str
        Measures for which lower values are better.

    Returns
    -------
    DataFrame

    Examples
    --------
    >>> table = pd.DataFrame({"measure": "V", "testset": ["easy", "hard"], "system": "A", "value": [0.9, 0.1]})
    >>> hardest_testsets(table, "V")["testset"].tolist(), hardest_testsets(table, "V", ["V"])["testset"].tolist()
    (['hard', 'easy'], ['easy', 'hard'])
    """
    rows = table[table["measure"] == measure]
    found = rows.groupby("testset", sort=False, observed=True)["value"].agg(value="mean", n="count").reset_index()
    return found.sort_values("value", ascending=measure not in lower_is_better, kind="stable", ignore_index=True)
