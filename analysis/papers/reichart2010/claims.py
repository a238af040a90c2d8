"""Quantities that the claims of the paper are about: one function each, named in
``data/claims/reichart2010.csv``.
"""

import math

import pandas as pd

from analysis.papers.recipe import Evidence
from analysis.papers.reichart2010.runs import CHAINS, COLUMNS, IN_THE_SPIRIT, LOWER_IS_BETTER, SYSTEMS
from analysis.papers.reichart2010.setting import Setting, number_of_clusters
from analysis.papers.reichart2010.tables import PRINTED_SYSTEMS, item_measures_differ, ranks

# What the paper sets -------------------------------------------------------------------------------------------------


def clusters_chosen(setting: Setting) -> float:
    """Clusters of Clark03."""
    return float(number_of_clusters(setting))


def systems_that_run(setting: Setting) -> float:
    """Systems of the paper that run here; not one that is in the spirit of the paper's only."""
    return float(len(set(PRINTED_SYSTEMS) & set(SYSTEMS) - {IN_THE_SPIRIT}))


def logarithm(setting: Setting) -> str:
    """Base of the logarithms."""
    return "e" if setting.base == math.e else f"{setting.base:g}"


def number_of_measures(setting: Setting, level: str) -> float:
    """Measures of tokens or of types."""
    return float(sum(where == level for where, *_ in COLUMNS))


# What is counted -----------------------------------------------------------------------------------------------------


def best_starts(of: Evidence, measures: str) -> dict[str, float]:
    """For each system, random starts within 1 percent of the best one, in the run and measure with the fewest."""
    starts, one = _of_systems(of, "restarts"), ["system", "seed", "measure"]
    starts = starts[(starts["initialisation"] == "random") & starts["measure"].isin(measures.split())]
    near = starts.assign(near=starts["value"] >= 0.99 * starts.groupby(one)["value"].transform("max"))
    return near.groupby(one)["near"].sum().groupby("system", sort=False).min().astype(float).to_dict()


def edges_gain(of: Evidence) -> float:
    """Largest difference between the best start from the heaviest edges and the best random start, as a share of the
    latter.
    """
    best = _of_systems(of, "spread").pivot(index=["system", "seed", "measure"], columns="initialisation", values="best")
    return float((best["edges"] / best["random"] - 1).abs().max())


def _of_systems(of: Evidence, table: str) -> pd.DataFrame:
    """The rows of a recomputed table, without a system that is in the spirit of the paper's only."""
    rows = of(table)
    return rows[rows["system"] != IN_THE_SPIRIT]


def clusters_found(of: Evidence, system: str) -> dict[str, float]:
    """Clusters that chains of GVG09 end with, by the number of tags at the start."""
    rows = of("infinite_chains").query("system == @system")
    return {f"from {start}": float(clusters) for start, clusters in zip(rows["start"], rows["clusters"], strict=True)}


# What is compared ----------------------------------------------------------------------------------------------------


def _papers_systems(of: Evidence, table: str) -> pd.DataFrame:
    """The systems of the paper, as far as they are in the table and count."""
    rows = of(table) if table == "printed" else _of_systems(of, table)
    return rows[rows["system"].isin(PRINTED_SYSTEMS)]


def rank(of: Evidence, table: str, system: str, measures: str) -> dict[str, float]:
    """Ranks of a system, 1 the best, among those of the paper."""
    found = ranks(_papers_systems(of, table)).loc[system]
    return {name: float(found[name]) for name in measures.split(", ")}


def agreement_of_levels(of: Evidence, table: str) -> float:
    """Mean rank correlation of a token and a type measure over the systems of the paper."""
    wide = _papers_systems(of, table).pivot(index="system", columns="measure", values="value").astype("float64")
    wide[list(LOWER_IS_BETTER)] *= -1
    tokens, types = ([name for level, *_, name in COLUMNS if level == which] for which in ("token", "type"))
    return float(wide.corr(method="spearman").loc[tokens, types].to_numpy().mean())


def best_in(of: Evidence, system: str) -> float:
    """Number of measures of the printed table on which a system is the best."""
    return float((ranks(of("printed")).loc[system] == 1).sum())


def ahead_of_polysemous(of: Evidence, system: str, measures: str) -> dict[str, float]:
    """How much better a system is than the best of the polysemous ones, by the printed table."""
    rows = of("printed").pivot(index="measure", columns="system", values="value").astype("float64")
    rows.loc[list(LOWER_IS_BETTER)] *= -1
    others = rows[[name for name in CHAINS if name in rows.columns]].max(axis=1)
    return {name: float(rows.loc[name, system] - others[name]) for name in measures.split(", ")}


def item_difference(of: Evidence, table: str) -> float:
    """Largest difference between MacroI and MicroI with one-to-one mapping."""
    return float(item_measures_differ(_papers_systems(of, table))["difference"].abs().max())


def ambiguity_over_gold(of: Evidence) -> dict[str, float]:
    """Clusters per type divided by gold classes per type, for each polysemous system of the paper."""
    sizes = of("runs").set_index("system")["clusters_a_type"]
    return {name: float(sizes[name] / sizes["gold"]) for name in CHAINS if name in PRINTED_SYSTEMS}


def more_clusters(of: Evidence, measure: str, beyond: bool) -> dict[str, float] | None:
    """By how much each system is better with about 17 clusters than with the fewest, or with the most than with 17."""
    curve = of("curves")
    values = curve[curve["measure"] == measure].pivot(index="system", columns="k", values="value").astype("float64")
    first, near, last = min(values), min(values, key=lambda k: abs(k - 17)), max(values)
    change = values[last] - values[near] if beyond else values[near] - values[first]
    return (-change if measure in LOWER_IS_BETTER else change).to_dict() if first < near < last else None


# The measures themselves ----------------------------------------------------------------------------------------------


def worked_case(of: Evidence, case: str, measures: str) -> dict[str, float]:
    """Measures of a small lexicon whose names begin with a prefix."""
    rows = of("small_lexicons").query("case == @case").set_index("measure")["value"]
    return {name: float(value) for name, value in rows.items() if str(name).startswith(tuple(measures.split()))}
