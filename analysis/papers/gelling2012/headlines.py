"""The signed statistics of the headline claims, named in ``data/specifications/gelling2012.csv``.

Each is one number per test set: the treebanks are replicates.
"""

from collections.abc import Mapping

import pandas as pd

from analysis.papers.gelling2012.runs import BASELINES, LOWER_IS_BETTER
from analysis.papers.recipe import Evidence

#: Number of the table of word classes by gold tags, and of the table of trees by the scored sentences.
_CLASSES = {"universal": "table2", "fine": "table7"}
_TREES = {"all": "table3", "short": "table8"}


def _by_system(table: pd.DataFrame) -> dict[str, pd.DataFrame]:
    """One table per test set, with one row per system and one column per measure, larger values better."""
    wide = {
        str(name): part.pivot(index="system", columns="measure", values="value").astype("float64")
        for name, part in table.groupby("testset", sort=False)
    }
    return {name: scores.assign(**{low: -scores[low] for low in LOWER_IS_BETTER if low in scores})
            for name, scores in wide.items()}  # fmt: skip


def _leads(scores: pd.DataFrame) -> pd.DataFrame:
    """By how much each system is above the best other, as a share of the larger of both."""
    leads = {}
    for system in scores.index:
        own, other = scores.loc[system], scores.drop(system).max()
        leads[system] = (own - other) / pd.concat([own.abs(), other.abs()], axis=1).max(axis=1)
    return pd.DataFrame(leads).T


def no_best_of_all(of: Evidence, gold: str = "universal") -> Mapping[str, float]:
    """How far the closest system is from being best on every measure; negative if one system is."""
    return {name: -float(_leads(scores).min(axis=1).max())
            for name, scores in _by_system(of(_CLASSES[gold])).items()}  # fmt: skip


def lead(of: Evidence, system: str, measure: str, gold: str = "universal") -> Mapping[str, float]:
    """By how much a system of word classes is above the best other, as a share of the larger of both."""
    return {name: float(_leads(scores).loc[system, measure])
            for name, scores in _by_system(of(_CLASSES[gold])).items() if system in scores.index}  # fmt: skip


def training_gain(
    of: Evidence, system: str = "DMV-p", measure: str = "directed", length: str = "all"
) -> Mapping[str, float]:
    """By how much training raises DMV above its harmonic initialiser.

    Examples
    --------
    >>> rows = {"testset": "nursery", "system": ["H", "DMV-p"], "measure": "directed", "value": [0.25, 0.75]}
    >>> training_gain({"table3": pd.DataFrame(rows)}.get)
    {'nursery': 0.5}
    """
    return {name: float(scores.loc[system, measure] - scores.loc["H", measure])
            for name, scores in _by_system(of(_TREES[length])).items()}  # fmt: skip


def training_gain_against(of: Evidence, conversion: str = "standard", system: str = "DMV-p") -> Mapping[str, float]:
    """The same in directed accuracy against one conversion of the gold trees."""
    rows = of("table5")
    return {name: float(scores.loc[system, "directed"] - scores.loc["H", "directed"])
            for name, scores in _by_system(rows[rows["conversion"] == conversion]).items()}  # fmt: skip


def over(of: Evidence, systems: str, others: str, measure: str = "VM", gold: str = "universal") -> Mapping[str, float]:
    """By how much the best of some systems of word classes is above the best of others, as a share of the larger.

    Parameters
    ----------
    of : Evidence
    systems, others : str
        Names divided by blanks. A test set on which none of one side ran has no number.
    measure, gold : str

    Examples
    --------
    >>> rows = {"testset": "nursery", "system": ["C-p", "MK-p", "G-c"], "measure": "VM", "value": [0.25, 0.5, 0.375]}
    >>> over({"table2": pd.DataFrame(rows)}.get, "C-p MK-p", "G-c")
    {'nursery': 0.25}
    """
    best = {name: [float(scores.loc[scores.index.isin(side.split()), measure].max()) for side in (systems, others)]
            for name, scores in _by_system(of(_CLASSES[gold])).items()}  # fmt: skip
    return {name: (own - other) / max(abs(own), abs(other))
            for name, (own, other) in best.items() if own == own and other == other}  # fmt: skip


def tree_lead(of: Evidence, system: str, other: str, conversion: str = "standard") -> Mapping[str, float]:
    """By how much one system of trees is above another in directed accuracy against one conversion of the gold trees.

    Examples
    --------
    >>> rows = {"testset": "nursery", "system": ["BC", "BH"], "measure": "directed", "value": [0.25, 0.75]}
    >>> tree_lead({"table5": pd.DataFrame(rows).assign(conversion="lexical")}.get, "BH", "BC", "lexical")
    {'nursery': 0.5}
    """
    rows = of("table5")
    return {name: float(scores.loc[system, "directed"] - scores.loc[other, "directed"])
            for name, scores in _by_system(rows[rows["conversion"] == conversion]).items()
            if {system, other} <= set(scores.index)}  # fmt: skip


def narrower(
    of: Evidence, measure: str = "NED", spread: str = "deviation", length: str = "all", systems: str = "all"
) -> Mapping[str, float]:
    """How much smaller the spread of systems is on a measure than on directed accuracy, as a share of the larger
    spread.
    """
    found = {}
    for name, scores in _by_system(of(_TREES[length])).items():
        chosen = scores if systems == "all" else scores.drop(index=["H", *BASELINES], errors="ignore")
        spreads = chosen.std() if spread == "deviation" else chosen.max() - chosen.min()
        strict, lenient = float(spreads["directed"]), float(spreads[measure])
        found[name] = (strict - lenient) / max(strict, lenient)
    return found
