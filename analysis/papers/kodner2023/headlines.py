"""The signed statistics of the headline claims, named in ``data/specifications/kodner2023.csv``.

Samples are replicates. Training sizes are compared within a language, since the languages have different ones.
"""

from collections.abc import Mapping

import numpy as np
import pandas as pd

from analysis.papers.recipe import Evidence

#: Spread over the samples of a cell.
_SPREADS = {
    "range": lambda values: values.max() - values.min(),
    "deviation": lambda values: values.std(ddof=1),
    "population deviation": lambda values: values.std(ddof=0),
    "median deviation": lambda values: (values - values.median()).abs().median(),
}


def _cells(of: Evidence, response: str = "percent", sizes: str = "all") -> pd.DataFrame:
    """The samplings: language, strategy, size, seed, and accuracy in percent or as a logit (half a case added)."""
    runs = of("samplings")[["language", "strategy", "size", "seed", "right", "n"]].copy()
    if sizes == "shared":
        common = set.intersection(*(set(part) for _, part in runs.groupby("language")["size"]))
        runs = runs[runs["size"].isin(common)]
    right, wrong = runs["right"].astype("float64"), (runs["n"] - runs["right"]).astype("float64")
    runs["value"] = np.log((right + 0.5) / (wrong + 0.5)) if response == "logit" else 100 * right / (right + wrong)
    return runs


def _within(table: pd.DataFrame, groups: list[str], scale: str) -> pd.DataFrame:
    """Size, or its logarithm, and value as differences from the means of the groups."""
    x = np.log(table["size"].astype("float64")) if scale == "log" else table["size"].astype("float64")
    centred = pd.DataFrame({"x": x, "y": table["value"]}, index=table.index)
    keys = [table[name] for name in groups]
    return centred - centred.groupby(keys).transform("mean")


def growth(
    of: Evidence, scale: str = "linear", response: str = "percent", strategy: str = "UNIFORM", sizes: str = "all"
) -> Mapping[str, float]:
    """Correlation of training size and accuracy within the languages, by sample.

    Examples
    --------
    >>> runs = pd.DataFrame({"size": [100, 200, 300], "right": [1, 2, 3], "n": 4, "seed": 0})
    >>> found = growth({"samplings": runs.assign(language="English", strategy="UNIFORM")}.get)
    >>> {seed: round(value, 3) for seed, value in found.items()}
    {'0': 1.0}
    """
    cells = _cells(of, response, sizes)
    cells = cells[cells["strategy"] == strategy]
    centred = _within(cells, ["language", "seed"], scale)
    return {str(seed): float(part["x"].corr(part["y"])) for seed, part in centred.groupby(cells["seed"])}


def _gaps(of: Evidence, response: str, sizes: str) -> pd.DataFrame:
    cells = _cells(of, response, sizes)
    wide = cells.pivot(index=["language", "size", "seed"], columns="strategy", values="value")
    return (wide["UNIFORM"] - wide["WEIGHTED"]).rename("value").reset_index()


def uniform_gain(of: Evidence, averaged: str = "by language", sizes: str = "all") -> Mapping[str, float]:
    """UNIFORM minus WEIGHTED in points, by sample."""
    gaps = _gaps(of, "percent", sizes)
    keys = ["seed", "language"] if averaged == "by language" else ["seed"]
    means = gaps.groupby(keys)["value"].mean().groupby("seed").mean()
    return {str(seed): float(value) for seed, value in means.items()}


def gain_at_small_sizes(
    of: Evidence, scale: str = "linear", response: str = "percent", sizes: str = "all"
) -> Mapping[str, float]:
    """How much the gain of UNIFORM falls with the size: minus their correlation within the languages, by sample."""
    gaps = _gaps(of, response, sizes)
    centred = _within(gaps, ["language", "seed"], scale)
    return {str(seed): -float(part["x"].corr(part["y"])) for seed, part in centred.groupby(gaps["seed"])}


def _spreads(of: Evidence, spread: str, response: str, strategy: str, sizes: str) -> pd.DataFrame:
    cells = _cells(of, response, sizes)
    cells = cells[cells["strategy"] == strategy].groupby(["language", "size"])["value"]
    return cells.agg(_SPREADS[spread]).rename("value").reset_index()


def spread_falls(
    of: Evidence,
    spread: str = "range",
    scale: str = "linear",
    response: str = "percent",
    strategy: str = "UNIFORM",
    sizes: str = "all",
) -> float:
    """Minus the correlation of training size and spread over the samples, within the languages."""
    centred = _within(_spreads(of, spread, response, strategy, sizes), ["language"], scale)
    return -float(centred["x"].corr(centred["y"]))


def more_variable(
    of: Evidence,
    language: str,
    spread: str = "range",
    response: str = "percent",
    strategy: str = "UNIFORM",
    sizes: str = "all",
) -> float:
    """By how much the spread of a language over its samples exceeds that of English, as a share of the larger."""
    means = _spreads(of, spread, response, strategy, sizes).groupby("language")["value"].mean()
    return float((means[language] - means["English"]) / means[[language, "English"]].max())
