"""G, the HMM with posterior regularisation, and its variants from several starts: a grid, stored."""

import math
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import pandas as pd

from analysis.categories import contingency, many_to_one, one_to_one, v_measure, variation_of_information
from analysis.categories.models import PosteriorRegularisedHMM
from analysis.categories.models.posterior_regularised_hmm import VARIANTS
from analysis.experiments import cache_key, fit_resumed, forget
from analysis.papers.gelling2012.setting import LEVELS, Setting, capitals, data, number_of_tags
from analysis.papers.recipe import evaluate_all, printed, stored, takes_setting

GOLD = "gold"
TAGS = "types with at least so many tags"
_FREQUENT = 10  # tokens of a type whose tags are counted: the constrained ones
_LETTERS = {level: letter for letter, level in LEVELS.items()}


def regularised_cells(
    setting: Setting, seeds: int, variants: Iterable[str], levels: Sequence[str]
) -> list[dict[str, Any]]:
    """The runs of the grid, seed by seed; the gold tags of each test set come first.

    Examples
    --------
    >>> cells = regularised_cells(Setting(), 2, ["HMM", "G"], ["universal"])
    >>> [(cell["variant"], cell["seed"]) for cell in cells]
    [('gold', 0), ('HMM', 0), ('G', 0), ('HMM', 1), ('G', 1)]
    """
    model = {"iterations": setting.g_iterations, "strength": setting.g_strength, "variance": setting.g_variance}
    grid = [(testset, GOLD, "universal", 0) for testset in setting.testsets]
    grid += [(testset, variant, level, seed) for seed in range(seeds) for level in levels
             for testset in setting.testsets for variant in variants]  # fmt: skip
    return [{"testset": testset, "version": data(testset).version, "variant": variant, "level": level, "seed": seed,
             "model": {} if variant == GOLD else model} for testset, variant, level, seed in grid]  # fmt: skip


def regularised_cell(
    testset: str, version: str, variant: str, level: str, seed: int, model: dict[str, float]
) -> dict[str, pd.DataFrame]:
    """One run: the four measures against universal tags, and how many tags frequent word types use."""
    tokens, k = data(testset).tokens, number_of_tags(testset, level)
    gold = tokens["universal"].astype("str").to_numpy()
    labels, rows, stated = gold, [], "tags of the treebank"
    if variant != GOLD:
        labels, chosen = regularised_labels(testset, variant, k, seed, model)
        stated = ", ".join(f"{name}={value}" for name, value in chosen.items())
        scored = tokens["scored"].to_numpy()
        table = contingency(gold[scored], labels[scored])
        found = {"M-1": many_to_one(table), "1-1": one_to_one(table, assignment="greedy"),
                 "VM": v_measure(table, base=math.e), "VI": variation_of_information(table, base=2)}  # fmt: skip
        rows = [{"measure": name, "value": float(score), "unit": "bits" if name == "VI" else "proportion", "n": table.n}
                for name, score in found.items()]  # fmt: skip
    counts = tags_of_types(tokens["form"].astype("str").to_numpy(), labels)
    rows += [{"measure": TAGS, "tags": number, "value": float((counts >= number).mean()), "unit": "proportion",
              "n": len(counts)} for number in range(1, int(counts.max(initial=0)) + 1)]  # fmt: skip
    name = GOLD if variant == GOLD else f"{variant}-{_LETTERS[level]}"
    about = {"testset": testset, "system": name, "k": k, "seed": str(seed), "data_version": version,
             "convention": f"{stated}; gold=universal tags; punctuation scored; assignment=greedy"}  # fmt: skip
    return {"scores": pd.DataFrame(rows).assign(**about).reindex(columns=[
        *about, "measure", "tags", "value", "unit", "n"]).astype({"tags": "Int64"})}  # fmt: skip


def regularised_labels(
    testset: str, variant: str, k: int, seed: int, model: dict[str, float]
) -> tuple[np.ndarray, dict[str, Any]]:
    """Tags of all the text by a variant, going on where an interrupted fit was, and the arguments of the model."""
    chosen = {**model, "warm_up": warm_up(int(model["iterations"])), "capitals": capitals(testset), **VARIANTS[variant]}
    asked = PosteriorRegularisedHMM(k, progress=False, random_state=seed, **chosen)
    which = {"testset": testset, "variant": variant, "k": k, "seed": seed, **chosen}
    key = cache_key(data=data(testset).version, parameters=which, function=PosteriorRegularisedHMM)
    labels = fit_resumed(asked, data(testset).tokens, key)[0].labels_
    forget(key)
    return labels, chosen


def warm_up(iterations: int) -> int:
    """Iterations of plain expectation maximisation among all: 30 of 200, and as large a share of fewer.

    Examples
    --------
    >>> warm_up(200), warm_up(20)
    (30, 3)
    """
    return 3 * iterations // 20


def tags_of_types(words: np.ndarray, labels: np.ndarray) -> np.ndarray:
    """How many tags each frequent word type has: those with at least ten tokens.

    Examples
    --------
    >>> tags_of_types(np.repeat(["to", "of", "rare"], [11, 10, 3]), np.r_[[0, 1] * 5, 0, [1] * 10, [2] * 3]).tolist()
    [1, 2]
    """
    found = pd.Series(labels).groupby(words).agg(["size", "nunique"])
    return found.loc[found["size"] >= _FREQUENT, "nunique"].to_numpy(dtype=np.int64)


@takes_setting(Setting)
def regularised_runs(
    setting: Setting,
    *,
    seeds: int = 5,
    variants: Sequence[str] = tuple(VARIANTS),
    levels: Sequence[str] = ("universal",),
    n_jobs: int = 1,
) -> pd.DataFrame:
    """G and its variants from several random starts, as a long result table.

    Parameters
    ----------
    setting, **choices
        As for `scores`; its test sets, ``g_iterations``, ``g_strength`` and ``g_variance``.
    seeds : int
        Random starts, numbered from 0.
    variants : sequence of str
        Of `analysis.categories.models.posterior_regularised_hmm.VARIANTS`: HMM (plain), HMM+ME (features, no
        constraint), HMM+Sp (constraint, no features), G (both).
    levels : sequence of {"coarse", "fine", "universal"}
        Whose number of tags the models have.
    n_jobs : int
        Processes; the numbers do not depend on it.

    Returns
    -------
    DataFrame
        ``testset``, ``system`` (with the letter of the level; gold), ``k``, ``seed``, ``measure`` (M-1, 1-1, VM, VI
        against universal tags; the share of the types of at least ten tokens that have at least ``tags`` tags),
        ``value``, ``unit``, ``n`` (tokens, or types), ``data_version``, ``convention``.
    """
    cells = regularised_cells(setting, seeds, variants, levels)
    return evaluate_all(regularised_cell, cells, data="each cell names its own", n_jobs=n_jobs)["scores"]


def stored_regularised_run() -> pd.DataFrame:
    """The stored grid: `regularised_runs` with 200 iterations.

    Returns
    -------
    DataFrame
        As `regularised_runs` gives.
    """
    table = stored("gelling2012_regularised", regularised_cell)
    return table.astype({"tags": "Int64"})


def regularised_scores(runs: pd.DataFrame | None = None) -> pd.DataFrame:
    """Mean and deviation of G and its variants over the starts, beside the printed G, in percent (VI in bits).

    Parameters
    ----------
    runs : DataFrame, optional
        Result of `regularised_runs`; by default the stored grid.

    Returns
    -------
    DataFrame
        ``testset``, ``system``, ``measure``, ``mean``, ``deviation`` (of the sample; missing of one start), ``n``
        (starts), ``printed`` (of G, on another edition and more text: compare the order, not the digits), ``unit``.
    """
    table = stored_regularised_run() if runs is None else runs
    rows = table[table["measure"] != TAGS].astype({"value": "float64"})
    keys = ["testset", "system", "measure", "unit"]
    means = rows.groupby(keys, sort=False)["value"].agg(mean="mean", deviation="std", n="size").reset_index()
    share = means["unit"].eq("proportion")
    for name in ("mean", "deviation"):
        means[name] = means[name].where(~share, 100 * means[name])
    means["unit"] = means["unit"].where(~share, "percent")
    theirs = printed("gelling2012", "table2_pos_upos")[["testset", "system", "measure", "value"]]
    found = means.merge(theirs.rename(columns={"value": "printed"}), on=keys[:3], how="left")
    return found[["testset", "system", "measure", "mean", "deviation", "n", "printed", "unit"]]


def tags_per_type(runs: pd.DataFrame | None = None) -> pd.DataFrame:
    """How many tags frequent word types use, by the gold standard and each system: mean over the starts.

    Parameters
    ----------
    runs : DataFrame, optional
        Result of `regularised_runs`; by default the stored grid.

    Returns
    -------
    DataFrame
        ``testset``, ``system``, ``tags``, ``value`` (share of the types with at least ten tokens that have at least so
        many tags), ``unit``, ``n`` (types). The sum of the values of a system is its mean number of tags a type.

    Examples
    --------
    >>> table = tags_per_type()
    >>> bool((table.query("tags == 1")["value"] == 1).all())
    True
    """
    table = stored_regularised_run() if runs is None else runs
    rows, keys = table[table["measure"] == TAGS].astype({"value": "float64"}), ["testset", "system"]
    starts = table.groupby(keys)["seed"].nunique()
    sums = rows.groupby([*keys, "tags"], sort=False).agg(value=("value", "sum"), n=("n", "first")).reset_index()
    sums["value"] /= starts.reindex(pd.MultiIndex.from_frame(sums[keys])).to_numpy()
    return sums.assign(unit="proportion")[[*keys, "tags", "value", "unit", "n"]]
