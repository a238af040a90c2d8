"""The paper's table, recomputed and compared with the printed one, and the agreement of its measures."""

from collections.abc import Sequence

import pandas as pd

from analysis import categories
from analysis.papers import recipe
from analysis.papers.reichart2010.runs import (
    COLUMNS,
    IN_THE_SPIRIT,
    LOWER_IS_BETTER,
    MEASURES,
    SYSTEMS,
    curve_evaluations,
    evaluate,
    evaluations,
)
from analysis.papers.reichart2010.setting import Setting
from analysis.papers.reichart2010.words import counts
from analysis.statistics import rank_systems, spearman_matrix, weakest_agreement

PRINTED_SYSTEMS = ("ARR10", "Clark03", "GG07", "GVG09(1)", "GVG09(2)", "GVG09(3)", "GJ08")
#: What a faithful ARR10 would need; the paper only names the system.
ARR10_NEEDS = (
    "from Abend, Reichart & Rappoport (2010): how landmark words are chosen (features, frequency and distance "
    "thresholds), how other words are mapped to them, and the unsupervised morphological segmenter with its settings"
)
#: What the printed numbers of ARR10 say beside this suite's row.
NO_TARGET = (
    "the paper names the system and does not define it: the row is in its spirit only, and the printed number is no "
    f"target; a faithful version would need, {ARR10_NEEDS}"
)


# Table 1 --------------------------------------------------------------------------------------------------------------


def printed_table1() -> pd.DataFrame:
    """The printed Table 1 with this suite's names for its columns: ``system``, ``measure``, ``level``, ``value``.

    Returns
    -------
    DataFrame

    Examples
    --------
    >>> printed_table1().head(2)
      system measure  level  value
    0  ARR10    M-1  token  0.675
    1  ARR10    1-1  token  0.588
    """
    table, names = recipe.printed("reichart2010", "table1"), {(level, *name): ours for level, *name, ours in COLUMNS}
    keys = table[["level", "measure", "mapping"]].itertuples(index=False, name=None)
    return table.assign(measure=[names[key] for key in keys])[["system", "measure", "level", "value"]]


@recipe.takes_setting(Setting)
def scores(setting: Setting) -> pd.DataFrame:
    """Every score of every run of Table 1.

    Parameters
    ----------
    setting : Setting, optional
        All settings together.
    **choices
        Single fields of `Setting`, such as ``corpus="nltk-dependency-treebank"`` or ``sweeps=10_000``.

    Returns
    -------
    DataFrame
        A long result table, one row per run and measure, with ``level`` (token, type), ``clusters`` (number of clusters
        in the labels), ``steps`` and ``unit``. ``n`` counts tokens or types. MicroI and MicroC sum fractions, so they
        have no counts.
    """
    return evaluations(setting)["scores"]


@recipe.takes_setting(Setting)
def table1(setting: Setting) -> pd.DataFrame:
    """The twelve measures of each system.

    Parameters
    ----------
    setting, **choices
        As for `scores`.

    Returns
    -------
    DataFrame
        As `scores`, one row per system and measure; Clark03 is the mean over its seeds, with ``lower`` and ``upper``
        one sample deviation away. ``clusters`` is missing where one chain does not say: see `infinite_chains`. ARR10 is
        in the spirit of the paper's only, and its printed numbers are no target; Brown and Exchange are not in the
        paper.

    References
    ----------
    Reichart, Abend & Rappoport (2010), Table 1.
    """
    return averaged(scores(setting))


def averaged(runs: pd.DataFrame) -> pd.DataFrame:
    """As `table1`, from the scores of single runs."""
    by_system, table = runs.groupby("system"), recipe.mean_over_seeds(runs, ["system", "measure"])
    table["clusters"] = table["system"].map(by_system["clusters"].mean()).astype("Float64")
    table.loc[table["system"].str.startswith("GVG09"), "clusters"] = pd.NA  # one chain does not say: `infinite_chains`
    table["steps"] = table["system"].map(by_system["steps"].agg(_span))
    return table.sort_values("system", key=lambda names: names.map(SYSTEMS.index), kind="stable", ignore_index=True)


def _span(steps: pd.Series) -> str:
    """Smallest and largest number of steps: ``8–11 passes``."""
    found = sorted(set(steps), key=lambda text: int(text.split()[0].replace(",", "")))
    return found[0] if len(found) == 1 else f"{found[0].split()[0]}–{found[-1]}"


def compare(table: pd.DataFrame) -> pd.DataFrame:
    """Compare the result of `table1` with the printed table.

    Parameters
    ----------
    table : DataFrame
        Result of `table1`.

    Returns
    -------
    DataFrame
        ``system``, ``measure``, ``printed``, ``recomputed``, ``difference``, ``reproducible``, ``why``; see
        `analysis.papers.recipe.compare`. A generated corpus reproduces nothing; the open sample of the Penn Treebank
        is not part of the paper's data, so its numbers are approximate at best. ARR10 reproduces nothing anywhere: it
        is another system, in the spirit of the paper's.

    Raises
    ------
    ValueError
        If the table is none of this paper's.
    """
    if not {"system", "measure", "corpus", "level"} <= set(table.columns):
        raise ValueError("compare takes what table1 returned.")
    how = "not at all" if Setting(corpus=str(table["corpus"].iloc[0])).generated else "at best approximately"
    columns = ["system", "measure", "value", "lower", "upper", "n", "k", "seed", "steps", "corpus", "data_version",
               "convention"]  # fmt: skip
    both = recipe.compare(table[columns], printed_table1(), ["system", "measure"], reproducible=how)
    spirit = both["system"] == IN_THE_SPIRIT
    both.loc[spirit, ["difference", "reproducible", "why"]] = [pd.NA, "not at all", NO_TARGET]
    return both


def covered(comparison: pd.DataFrame) -> pd.DataFrame:
    """The result of `compare` without the numbers that are made in the spirit of a row only: they recompute nothing."""
    return comparison.assign(recomputed=comparison["recomputed"].mask(comparison["system"] == IN_THE_SPIRIT))


def side_by_side(comparison: pd.DataFrame) -> pd.DataFrame:
    """Arrange the result of `compare` like the paper's table: one row per system and source, one column per measure.

    The source is printed or recomputed; of the row of this suite that is no recomputation, "in its spirit".

    Parameters
    ----------
    comparison : DataFrame
        Result of `compare`.

    Returns
    -------
    DataFrame
    """
    table = recipe.stacked(comparison, ["system"], "measure")[list(MEASURES)]
    named = [(system, "in its spirit" if (system, source) == (IN_THE_SPIRIT, "recomputed") else source)
             for system, source in table.index]  # fmt: skip
    return table.set_axis(pd.MultiIndex.from_tuples(named, names=table.index.names))


def wide(table: pd.DataFrame) -> pd.DataFrame:
    """A score table with one row per system (and seed and K, where they differ) and one column per measure.

    Parameters
    ----------
    table : DataFrame
        Result of `table1` or a table like it.

    Returns
    -------
    DataFrame
    """
    several = table.groupby("system").nunique().max() > 1
    keys = ["system", *(key for key in ("k", "seed") if several.get(key, False))]
    rows = table.pivot(index=keys, columns="measure", values="value")[list(MEASURES)]
    index = pd.Index(table["system"].drop_duplicates()) if len(keys) == 1 else rows.index
    return rows.loc[index].rename_axis(columns=None)


@recipe.takes_setting(Setting)
def runs(setting: Setting, seconds: bool = True) -> pd.DataFrame:
    """Details of each run, and the size of its induced lexicon; the gold lexicon is first.

    Parameters
    ----------
    setting, **choices
        Setting of the paper, or single fields of it by name; see `Setting`.
    seconds : bool
        Whether to include the time that each fit took when it was computed.

    Returns
    -------
    DataFrame
        ``system``, ``k``, ``seed``, ``clusters``, ``steps`` (sweeps, passes or mergers), ``moves``, ``objective``,
        ``seconds``, ``tokens`` and ``types`` that are scored, ``polysemous_types``, ``polysemous_tokens`` (those of
        such types) with their shares, ``clusters_a_type``.
    """
    counted = categories.word_frequencies(counts(setting))
    several = counted["classes"] > 1
    gold = {"system": "gold", "seed": "", "steps": "", "clusters": len(counts(setting).classes), "types": len(counted),
            "tokens": counted["frequency"].sum(), "polysemous_types": several.sum(),
            "polysemous_tokens": counted.loc[several, "frequency"].sum(),
            "clusters_a_type": counted["classes"].mean()}  # fmt: skip
    table = pd.concat([pd.DataFrame([gold]), evaluations(setting)["runs"]], ignore_index=True)
    for unit in ("types", "tokens"):
        table[f"share_of_{unit}"] = table[f"polysemous_{unit}"] / table[unit]
    columns = ["system", "k", "seed", "clusters", "steps", "moves", "objective", *(["seconds"] if seconds else [])]
    columns += ["tokens", "types", "polysemous_types", "share_of_types", "polysemous_tokens", "share_of_tokens"]
    return table.astype({"k": "Int64", "moves": "Int64"})[[*columns, "clusters_a_type"]]


# Agreement of the measures --------------------------------------------------------------------------------------------


@recipe.takes_setting(Setting)
def correlations(setting: Setting, source: str = "recomputed", over: str = "clusters") -> pd.DataFrame:
    """Rank correlations between all pairs of the twelve measures.

    NVI, H(C|K) and H(K|C) are taken negative, so that more is better everywhere and agreement is positive.

    Parameters
    ----------
    setting, **choices
        Setting of the paper, or single fields of it by name; see `Setting`.
    source : {"recomputed", "printed"}
        Scores of `table1` or of the curves, or the printed Table 1 (seven systems).
    over : {"clusters", "systems"}
        Recomputed: over every system at every K of the curves, or over the systems of Table 1 only.

    Returns
    -------
    DataFrame
        One row per pair: ``measure_a``, ``measure_b``, ``rho`` and ``p`` (Spearman, average ranks, t approximation),
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
    tables = {"clusters": curves, "systems": table1}
    recipe.check_known([source], ("recomputed", "printed"), "source is")
    recipe.check_known([over], tables, "over is")
    table = printed_table1().assign(k=0) if source == "printed" else tables[over](setting)
    return _pairs(table).assign(source=source)[
        ["measure_a", "measure_b", "rho", "p", "tau", "tau_p", "n", "levels", "source", "undefined"]
    ]


def _pairs(table: pd.DataFrame) -> pd.DataFrame:
    """Rank correlations of all pairs of measures over the systems (and K) of a table, with their ``levels``."""
    rows = table.pivot(index=["system", "k"], columns="measure", values="value")[list(MEASURES)].astype("float64")
    rows[list(LOWER_IS_BETTER)] *= -1
    found = spearman_matrix(rows, MEASURES, tau=True)
    level = {name: level for level, _, _, name in COLUMNS}
    first, second = (found[column].map(level) for column in ("measure_a", "measure_b"))
    return found.assign(levels=first.where(first == second, first + " and " + second))


def ranks(table: pd.DataFrame) -> pd.DataFrame:
    """Rank of each system on each measure, 1 the best; equal scores share the better rank.

    Parameters
    ----------
    table : DataFrame
        ``system``, ``measure``, ``value``: `table1` or `printed_table1`.

    Returns
    -------
    DataFrame

    Examples
    --------
    >>> ranks(printed_table1()).loc["Clark03", ["M-1", "1-1", "MacroI 1-1", "MacroI M-1"]].tolist()
    [3, 2, 5, 7]
    """
    placed = rank_systems(table, LOWER_IS_BETTER, ties="min").pivot(index="system", columns="measure", values="rank")
    return placed.loc[list(dict.fromkeys(table["system"])), list(MEASURES)].astype("int64").rename_axis(columns=None)


@recipe.takes_setting(Setting)
def curves(setting: Setting) -> pd.DataFrame:
    """Every measure of every system at several numbers of clusters K.

    Parameters
    ----------
    setting, **choices
        Setting of the paper, or single fields of it by name; see `Setting`.

    Returns
    -------
    DataFrame
        As `scores`; one run per system and K (Clark03: one seed).
    """
    return curve_evaluations(setting)["scores"]


def item_measures_differ(table: pd.DataFrame) -> pd.DataFrame:
    """MacroI against MicroI, both 1-1: ``system``, ``MacroI``, ``MicroI``, ``difference``.

    Parameters
    ----------
    table : DataFrame
        Result of `table1`.

    Returns
    -------
    DataFrame
    """
    rows = wide(table)[["MacroI 1-1", "MicroI 1-1"]].set_axis(["MacroI", "MicroI"], axis=1)
    return rows.assign(difference=rows["MacroI"] - rows["MicroI"]).reset_index()


@recipe.takes_setting(Setting)
def agreement(setting: Setting) -> pd.DataFrame:
    """`weakest_agreement` of the printed and of the recomputed correlations, by ``source``."""
    tables = {
        "printed, over systems": correlations(source="printed"),
        "recomputed, over systems and K": correlations(setting),
        "recomputed, over systems": correlations(setting, over="systems"),
    }
    return pd.concat(
        [weakest_agreement(table).assign(source=source) for source, table in tables.items()], ignore_index=True
    )


def inconsistencies() -> pd.DataFrame:
    """The entropy of the gold classes that each printed row implies; one corpus has only one.

    Returns
    -------
    DataFrame
        `analysis.categories.implied_entropies`; ``fits`` says whether the interval that rounding allows meets the one
        that ARR10, Clark03, GG07 and GJ08 share.

    Examples
    --------
    >>> table = inconsistencies().set_index("system")
    >>> table.index[~table["fits"]].tolist()
    ['GVG09(1)', 'GVG09(2)', 'GVG09(3)']
    """
    return categories.implied_entropies(
        wide(printed_table1()).astype("float64"), agreeing=("ARR10", "Clark03", "GG07", "GJ08")
    )


# Stored long runs -----------------------------------------------------------------------------------------------------


def stored_full_run() -> pd.DataFrame:
    """Scores of long runs on the open sample of the Penn Treebank, on nursery and on part of Manchester, stored.

    GG07 made 10,000 sweeps on the sample.

    Returns
    -------
    DataFrame
        A long result table with ``command``, ``seconds`` (of the fit) and ``steps``.
    """
    return recipe.stored("reichart2010_full", evaluate)


def stored_table1() -> pd.DataFrame:
    """Table 1 of the stored long runs on the open sample beside the printed one: a row per system, as `side_by_side`.

    Returns
    -------
    DataFrame
    """
    runs = stored_full_run()
    return side_by_side(compare(averaged(runs[runs["corpus"] == "nltk-dependency-treebank"])))


def stored_larger_run() -> pd.DataFrame:
    """Scores of runs on more text than the open sample, stored.

    Trained on the sample and on the text of CoNLL-2000 together (353,188 tokens of the Wall Street Journal) and scored
    on the sample; and on the Brown corpus (1,161,192 tokens).

    Returns
    -------
    DataFrame
        As `stored_full_run`.
    """
    return recipe.stored("reichart2010_larger", evaluate)


def stored_sweeps_run() -> pd.DataFrame:
    """Scores of the samplers on more text, with more sweeps or from other seeds than in `stored_larger_run`, stored.

    Returns
    -------
    DataFrame
        As `stored_full_run`, and ``factor``: how many times as many sweeps as there; 1 for other seeds.
    """
    return recipe.stored("reichart2010_sweeps", evaluate).astype({"factor": "int64", "seed": "int64"})


def ranks_by_sweeps() -> pd.DataFrame:
    """Do ranks change when samplers make twice and four times as many sweeps, or begin from another seed?

    The samplers of `stored_sweeps_run` are put in place of their rows in `stored_larger_run`, whose other systems stay
    as they are.

    Returns
    -------
    DataFrame
        ``corpus``, ``level``, ``measure``, ``systems`` (ranked), and how many of them have another rank: with twice as
        many sweeps (``changed_twice``), when these are doubled again (``changed_twice_to_four``), and with another
        seed, the mean over ``seeds`` (``changed_other_seed``; GJ08 VB stays, as it does with more sweeps). Missing
        where nothing is stored.
    """
    level = {name: level for level, _, _, name in COLUMNS}
    larger, pieces = stored_larger_run(), []
    for corpus, rows in stored_sweeps_run().groupby("corpus", sort=False):
        own = larger[larger["corpus"] == corpus]
        table = own.groupby(["system", "measure"], sort=False)["value"].mean().reset_index()
        samplers = rows[rows["system"] != "GJ08 VB"]  # of which no run with more passes is stored
        placed = {key: ranks(_in_place(table, run)) for key, run in samplers.groupby(["factor", "seed"])}
        first, seeds = ranks(table), [ranked for (factor, _), ranked in placed.items() if factor == 1]
        changed = {
            "changed_twice": _changed(first, [placed.get((2, 0))]),
            "changed_twice_to_four": _changed(placed.get((2, 0)), [placed.get((4, 0))]),
            "seeds": len(seeds),
            "changed_other_seed": _changed(first, seeds),
        }
        found = pd.DataFrame({"measure": MEASURES, "systems": len(first), **changed}, index=MEASURES)
        pieces.append(found.assign(corpus=corpus, level=found["measure"].map(level)))
    return pd.concat(pieces, ignore_index=True)[["corpus", "level", "measure", "systems", *changed]]


def _in_place(table: pd.DataFrame, rows: pd.DataFrame) -> pd.DataFrame:
    """Scores of systems, with those of some of them replaced by other rows."""
    return pd.concat([table[~table["system"].isin(rows["system"])], rows])[["system", "measure", "value"]]


def _changed(before: pd.DataFrame | None, after: Sequence[pd.DataFrame | None]) -> pd.Series:
    """How many systems have another rank, by measure: the mean over some rankings; missing if there is none."""
    found = [(before != each.loc[before.index]).sum() for each in after if before is not None and each is not None]
    return pd.concat(found, axis=1).mean(axis=1) if found else pd.Series(pd.NA, index=MEASURES, dtype="Float64")


def agreement_by_text() -> pd.DataFrame:
    """Do token and type measures agree more when systems have more text? `weakest_agreement` of the stored runs.

    Only systems that were run on every text are ranked.

    Returns
    -------
    DataFrame
        ``corpus``, ``tokens`` (scored), ``systems`` (ranked), and the columns of `weakest_agreement` for pairs of a
        token and a type measure.
    """
    runs = pd.concat([stored_full_run(), stored_larger_run()], ignore_index=True)
    by_text = runs.groupby("corpus", sort=False)
    everywhere = set.intersection(*by_text["system"].agg(set))
    pieces = []
    for corpus, rows in by_text:
        found = averaged(rows[rows["system"].isin(everywhere)])
        agreed = weakest_agreement(_pairs(found)).query("levels == 'token and type'")
        tokens = rows.loc[rows["level"] == "token", "n"].iloc[0]
        pieces.append(agreed.assign(corpus=corpus, tokens=tokens, systems=len(everywhere)))
    table = pd.concat(pieces, ignore_index=True)
    return table[["corpus", "tokens", "systems", "coefficient", "mean", "min", "max", "pairs"]]


def stored_challenge_run() -> pd.DataFrame:
    """BC and C of Gelling et al. (2012) by this paper's measures on the three corpora, stored.

    Returns
    -------
    DataFrame
        As `stored_full_run`.
    """
    return recipe.stored("reichart2010_challenge", evaluate)
