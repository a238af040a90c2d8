"""The paper's table, recomputed and beside the printed one, and the tables behind the figures."""

import numpy as np
import pandas as pd

from analysis.papers.comparison import compare as compare_tables
from analysis.papers.comparison import printed
from analysis.papers.reichart2010.evaluation import (
    COLUMNS,
    LOWER_IS_BETTER,
    MEASURES,
    curve_evaluations,
    evaluations,
)
from analysis.papers.reichart2010.setting import Setting, generated, gold_lexicon, make_setting
from analysis.papers.reichart2010.systems import SYSTEMS
from analysis.papers.reichart2010.words import lexicon_statistics
from analysis.statistics import spearman_matrix

PRINTED_SYSTEMS = ("ARR10", "Clark03", "GG07", "GVG09(1)", "GVG09(2)", "GVG09(3)", "GJ08")


def printed_table1() -> pd.DataFrame:
    """The printed Table 1 with our names of its columns: ``system``, ``measure``, ``level``, ``value``.

    Examples
    --------
    >>> printed_table1().head(2)
      system measure  level  value
    0  ARR10    M-1  token  0.675
    1  ARR10    1-1  token  0.588
    """
    table = printed("reichart2010", "table1")
    names = {(level, measure, mapping): name for level, measure, mapping, name in COLUMNS}
    keys = table[["level", "measure", "mapping"]].itertuples(index=False, name=None)
    return table.assign(measure=[names[key] for key in keys])[["system", "measure", "level", "value"]]


def scores(setting: Setting | None = None, **choices: object) -> pd.DataFrame:
    """Every score of every run of Table 1.

    Parameters
    ----------
    setting : Setting, optional
        All choices at once.
    **choices
        Single choices of `Setting`, such as ``corpus="nltk-dependency-treebank"`` or ``sweeps=10_000``.

    Returns
    -------
    DataFrame
        A long result table, one row a run and measure, with ``level`` (token, type), ``clusters`` (how many the
        labels have) and ``steps``. ``n`` counts tokens or types. MicroI and MicroC sum fractions, so they have no
        counts.
    """
    return evaluations(make_setting(setting, choices)).scores


def table1(setting: Setting | None = None, **choices: object) -> pd.DataFrame:
    """The twelve measures of each system.

    Parameters
    ----------
    setting, **choices
        As for `scores`.

    Returns
    -------
    DataFrame
        As `scores`, one row a system and measure; Clark03 is the mean over its seeds, with ``lower`` and ``upper``
        one sample deviation away. Brown and Exchange are not in the paper.

    References
    ----------
    Reichart, Abend & Rappoport (2010), Table 1.
    """
    runs = scores(setting, **choices)
    rows = []
    for _, group in runs.groupby(["system", "measure"], sort=False, observed=True):
        first = group.iloc[0].to_dict()
        if len(group) > 1:
            mean, deviation = group["value"].mean(), group["value"].std(ddof=1)
            seeds = f"{group['seed'].iloc[0]}–{group['seed'].iloc[-1]}"
            clusters, steps = group["clusters"], group["steps"].str.extract(r"([\d,]+) (.*)")
            count = steps[0].str.replace(",", "").astype(int)
            first |= {"value": mean, "lower": mean - deviation, "upper": mean + deviation, "seed": seeds}
            first |= {"numerator": pd.NA, "denominator": pd.NA, "clusters": clusters.mean()}
            first["steps"] = f"{count.min():,}–{count.max():,} {steps[1].iloc[0]}"
            first["convention"] += f"; mean of {len(group)} seeds ± one sample deviation"
        rows.append(first)
    table = pd.DataFrame(rows, columns=runs.columns)
    numbers = dict.fromkeys(("value", "lower", "upper", "clusters"), "Float64")
    table = table.astype(numbers | dict.fromkeys(("numerator", "denominator", "n"), "Int64"))
    order = {system: place for place, system in enumerate(SYSTEMS)}
    return table.sort_values("system", key=lambda names: names.map(order), kind="stable", ignore_index=True)


def compare(table: pd.DataFrame) -> pd.DataFrame:
    """What `table1` returned beside the printed table.

    Returns
    -------
    DataFrame
        ``system``, ``measure``, ``printed``, ``recomputed``, ``difference``, ``reproducible``; see
        `analysis.papers.compare`. A generated corpus reproduces nothing; the sample of the Penn Treebank is 8 % of
        the paper's corpus, so its numbers are approximate at best.

    Raises
    ------
    ValueError
        If the table is none of this paper's.
    """
    if not {"system", "measure", "corpus", "level"} <= set(table.columns):
        raise ValueError("compare takes what table1 returned.")
    real = not generated(str(table["corpus"].iloc[0]))
    kept = ["system", "measure", "value", "lower", "upper", "n", "k", "seed", "steps", "corpus", "data_version"]
    return compare_tables(
        table[[*kept, "convention"]],
        printed_table1(),
        on=["system", "measure"],
        reproducible="approximately" if real else "not at all",
    )


def side_by_side(comparison: pd.DataFrame) -> pd.DataFrame:
    """What `compare` returned as the paper prints it: one row a system and source, one column a measure."""
    long = comparison.melt(
        id_vars=["system", "measure"], value_vars=["printed", "recomputed"], var_name="source"
    ).dropna(subset="value")
    rows = long.pivot(index=["system", "source"], columns="measure", values="value")[list(MEASURES)]
    order = [
        (system, source)
        for system in comparison["system"].drop_duplicates()
        for source in ("printed", "recomputed")
        if (system, source) in rows.index
    ]
    return rows.loc[order].rename_axis(columns=None)


def wide(table: pd.DataFrame) -> pd.DataFrame:
    """A score table with one row a system (and seed and K, where they differ) and one column a measure."""
    keys = ["system", *(key for key in ("k", "seed") if table.groupby("system")[key].nunique().max() > 1)]
    rows = table.pivot(index=keys, columns="measure", values="value")[list(MEASURES)]
    index = pd.Index(table["system"].drop_duplicates()) if len(keys) == 1 else rows.index
    return rows.loc[index].rename_axis(columns=None)


def runs(setting: Setting | None = None, *, seconds: bool = True, **choices: object) -> pd.DataFrame:
    """What each run did, and the size of the lexicon that it induced; the gold lexicon first.

    Parameters
    ----------
    seconds : bool
        Whether to say how long each fit took when it was computed.

    Returns
    -------
    DataFrame
        ``system``, ``k``, ``seed``, ``clusters``, ``steps`` (sweeps, passes or mergers), ``moves``, ``objective``,
        ``seconds``, ``tokens`` and ``types`` that are scored, ``polysemous_types``, ``polysemous_tokens`` (those of
        such types) with their shares in percent, ``clusters_a_type``.
    """
    chosen = make_setting(setting, choices)
    table = evaluations(chosen).runs.copy()
    table["k"] = table["k"].astype("Int64")
    gold = lexicon_statistics(chosen).set_index("statistic")["numerator"]
    sizes = gold_lexicon(chosen).groupby("form", observed=True).size()
    first = {
        "system": "gold",
        "seed": "",
        "clusters": int(gold["gold classes that are scored"]),
        "steps": "",
        "tokens": int(table["tokens"].iloc[0]),
        "types": int(table["types"].iloc[0]),
        "polysemous_types": int((sizes > 1).sum()),
        "polysemous_tokens": int(gold["tokens of polysemous types, punctuation left out"]),
        "clusters_a_type": float(sizes.mean()),
    }
    table = pd.concat([pd.DataFrame([first]), table], ignore_index=True)
    for unit in ("types", "tokens"):
        table[f"percent_of_{unit}"] = 100 * table[f"polysemous_{unit}"] / table[unit]
    columns = ["system", "k", "seed", "clusters", "steps", "moves", "objective", "seconds", "tokens", "types"]
    columns += ["polysemous_types", "percent_of_types", "polysemous_tokens", "percent_of_tokens", "clusters_a_type"]
    table = table.astype({"k": "Int64", "moves": "Int64", "objective": "Float64", "seconds": "Float64"})
    return table[[column for column in columns if seconds or column != "seconds"]]


# Agreement of the measures --------------------------------------------------------------------------------------------


def correlations(
    setting: Setting | None = None, *, source: str = "recomputed", over: str = "clusters", **choices: object
) -> pd.DataFrame:
    """Rank correlations between all pairs of the twelve measures.

    NVI, H(C|K) and H(K|C) are taken negative, so that more is better everywhere and agreement is positive.

    Parameters
    ----------
    source : {"recomputed", "printed"}
        Scores of `table1` or of the curves, or the printed Table 1 (seven systems).
    over : {"clusters", "systems"}
        Recomputed: over every system at every K of the curves, or over the systems of Table 1 only.
    setting, **choices
        As for `scores`; not used with ``source="printed"``.

    Returns
    -------
    DataFrame
        One row a pair: ``measure_a``, ``measure_b``, ``rho`` and ``p`` (Spearman, average ranks, t approximation),
        ``tau`` and ``tau_p`` (Kendall's tau-b), ``n``, ``levels`` (token, type, or token and type), ``source``.

    Raises
    ------
    ValueError
        If ``source`` or ``over`` is unknown.

    References
    ----------
    Reichart, Abend & Rappoport (2010), section 5.2: token and type measures correlate weakly or negatively.

    Examples
    --------
    >>> table = correlations(source="printed").set_index(["measure_a", "measure_b"])
    >>> table.loc[("M-1", "MacroI M-1"), ["rho", "n"]].tolist()
    [0.25, 7.0]
    """
    if source == "printed":
        table = printed_table1()
        rows = table.pivot(index="system", columns="measure", values="value")
    elif source == "recomputed":
        if over not in ("clusters", "systems"):
            raise ValueError(f"over is {over!r}; it must be 'clusters' or 'systems'.")
        table = curves(setting, **choices) if over == "clusters" else table1(setting, **choices)
        rows = table.pivot(index=["system", "k"], columns="measure", values="value")
    else:
        raise ValueError(f"source is 'recomputed' or 'printed', not {source!r}.")
    rows = rows[list(MEASURES)].astype("float64")
    rows[list(LOWER_IS_BETTER)] *= -1
    found = spearman_matrix(rows, MEASURES)
    taus = [_kendall(rows[a], rows[b]) for a, b in zip(found["measure_a"], found["measure_b"], strict=True)]
    found["tau"] = pd.array([tau for tau, _ in taus], dtype="Float64")
    found["tau_p"] = pd.array([p for _, p in taus], dtype="Float64")
    level = {name: level for level, _, _, name in COLUMNS}
    pairs = zip(found["measure_a"].map(level), found["measure_b"].map(level), strict=True)
    found["levels"] = [a if a == b else f"{a} and {b}" for a, b in pairs]
    found["source"] = source
    return found[["measure_a", "measure_b", "rho", "p", "tau", "tau_p", "n", "levels", "source", "undefined"]]


def _kendall(x: pd.Series, y: pd.Series) -> tuple[float | None, float | None]:
    """Kendall's tau-b and its p-value; nothing where all values of a side are equal."""
    from scipy.stats import kendalltau

    if x.nunique() < 2 or y.nunique() < 2:
        return None, None
    result = kendalltau(x, y)
    return float(result.statistic), float(result.pvalue)


def ranks(table: pd.DataFrame) -> pd.DataFrame:
    """Rank of each system on each measure, 1 the best; equal scores share the better rank.

    Parameters
    ----------
    table : DataFrame
        ``system``, ``measure``, ``value``: `table1` or `printed_table1`.

    Examples
    --------
    >>> ranks(printed_table1()).loc["Clark03", ["M-1", "1-1", "MacroI 1-1", "MacroI M-1"]].tolist()
    [3, 2, 5, 7]
    """
    rows = table.pivot(index="system", columns="measure", values="value")[list(MEASURES)].astype("float64")
    rows[list(LOWER_IS_BETTER)] *= -1
    placed = rows.rank(ascending=False, method="min").astype("int64")
    return placed.loc[table["system"].drop_duplicates()].rename_axis(columns=None)


def curves(setting: Setting | None = None, **choices: object) -> pd.DataFrame:
    """Every measure of every system at several numbers of clusters K.

    Returns
    -------
    DataFrame
        As `scores`; one run a system and K (Clark03: one seed).
    """
    return curve_evaluations(make_setting(setting, choices)).scores


def item_measures_differ(table: pd.DataFrame) -> pd.DataFrame:
    """MacroI against MicroI, both 1-1: ``system``, ``MacroI``, ``MicroI``, ``difference``."""
    rows = table.pivot(index="system", columns="measure", values="value")[["MacroI 1-1", "MicroI 1-1"]]
    rows = rows.loc[table["system"].drop_duplicates()].set_axis(["MacroI", "MicroI"], axis=1)
    return rows.assign(difference=rows["MacroI"] - rows["MicroI"]).reset_index()


def weakest_agreement(table: pd.DataFrame) -> pd.DataFrame:
    """Mean, smallest and largest correlation within token measures, within type measures and between the two."""
    grouped = table.groupby("levels", sort=False)
    return pd.concat(
        [
            grouped[column].agg(["mean", "min", "max"]).assign(coefficient=name, pairs=grouped.size())
            for column, name in (("rho", "Spearman"), ("tau", "Kendall"))
        ]
    ).reset_index()


# The printed table against itself -------------------------------------------------------------------------------------


def inconsistencies() -> pd.DataFrame:
    """The entropy of the gold classes that each printed row implies; one corpus has only one.

    H(C) = (H(C|K) + H(K|C)) / NVI, with the interval that rounding to three decimals allows.

    Returns
    -------
    DataFrame
        ``system``, ``entropy`` with ``lower``, ``upper``; ``fits``, whether the interval meets the one that ARR10,
        Clark03, GG07 and GJ08 share (``shared_lower``, ``shared_upper``); ``v_implied`` from the row's own H(C),
        with the values ``v_lower``, ``v_upper`` that rounding allows; ``v_printed``; ``v_fits``, whether the printed
        V lies between them when rounded to three decimals.

    Examples
    --------
    >>> table = inconsistencies().set_index("system")
    >>> table.index[~table["fits"]].tolist()
    ['GVG09(1)', 'GVG09(2)', 'GVG09(3)']
    """
    half = 0.0005
    table = printed_table1().pivot(index="system", columns="measure", values="value").astype("float64")
    table = table.loc[list(PRINTED_SYSTEMS)]
    sums = table["H(C|K)"] + table["H(K|C)"]
    found = pd.DataFrame({"entropy": sums / table["NVI"]})
    found["lower"] = (sums - 2 * half) / (table["NVI"] + half)
    found["upper"] = (sums + 2 * half) / (table["NVI"] - half)
    agreeing = found.loc[["ARR10", "Clark03", "GG07", "GJ08"]]
    low, high = agreeing["lower"].max(), agreeing["upper"].min()
    found["shared_lower"], found["shared_upper"] = low, high
    found["fits"] = (found["lower"] <= high) & (found["upper"] >= low)
    corners = [
        _v_from(table["NVI"] + a * half, table["H(C|K)"] + b * half, table["H(K|C)"] + c * half)
        for a, b, c in np.ndindex(3, 3, 3)
        for a, b, c in [(a - 1, b - 1, c - 1)]
    ]
    found["v_implied"] = _v_from(table["NVI"], table["H(C|K)"], table["H(K|C)"])
    found["v_lower"], found["v_upper"] = np.min(corners, axis=0), np.max(corners, axis=0)
    found["v_printed"] = table["V"]
    found["v_fits"] = (found["v_lower"] <= table["V"] + half) & (found["v_upper"] >= table["V"] - half)
    return found.reset_index()


def _v_from(nvi: pd.Series, classes: pd.Series, clusters: pd.Series) -> pd.Series:
    """V from NVI, H(C|K) and H(K|C): 2 I / (H(C) + H(K)), where I = H(C) - H(C|K)."""
    entropy = (classes + clusters) / nvi
    shared = entropy - classes
    return 2 * shared / (entropy + shared + clusters)
