"""The paper's table, recomputed and compared with the printed one, and the tables behind the figures and the text."""

import dataclasses
from collections.abc import Sequence
from typing import Any

import pandas as pd

from analysis import categories
from analysis.categories import WordCounts, word_counts
from analysis.papers import recipe
from analysis.papers.recipe import check_known, evaluate_all, kept, mean_over_seeds, printed, stored, takes_setting
from analysis.papers.reichart2010.runs import (
    ASSIGNED,
    CHAINS,
    COLUMNS,
    LOWER_IS_BETTER,
    MEASURES,
    SYSTEMS,
    cells,
    chain,
    conventions,
    curve_evaluations,
    evaluate,
    evaluate_priors,
    evaluate_runs,
    evaluate_samples,
    evaluations,
    first_tokens,
    fit,
    lexicons,
    scored_tokens,
)
from analysis.papers.reichart2010.setting import Setting, data
from analysis.statistics import rank_systems, spearman_matrix, weakest_agreement

PRINTED_SYSTEMS = ("ARR10", "Clark03", "GG07", "GVG09(1)", "GVG09(2)", "GVG09(3)", "GJ08")
PRIORS = (1.0, 0.1, 0.01, 0.001)
#: Requirements of a faithful ARR10; the paper only names the system.
ARR10_NEEDS = (
    "from Abend, Reichart & Rappoport (2010): how landmark words are chosen (features, frequency and distance "
    "thresholds), how other words are mapped to them, and the unsupervised morphological segmenter with its settings"
)
#: Statistics whose value the paper prints, with their id in the printed facts.
FACTS = {
    "sentences": "R19",
    "tokens": "R20",
    "types": "R21",
    "tokens that are scored": "R22",
    "tokens that are scored, share": "R23",
    "punctuation tokens, share": "R24",
    "gold classes": "R31",
    "gold classes that are punctuation": "R32",
    "gold classes that are scored": "R15",
    "tokens of the 100 most frequent types": "R12",
    "classes with one of the 100 most frequent types": "R14",
    "tokens of the 17 most frequent tags": "R29",
    "types with one of the 17 most frequent tags": "R30",
    "types with one tag": "R55",
    "types with two tags": "R56",
    "types with three tags": "R57",
    "types with more than three tags": "R58",
    "polysemous types": "R46",
    "tokens of polysemous types, of all tokens": "R43",
    "tokens of types that are polysemous but not weakly": "R52",
    "types that are prepositions (IN)": "R04",
    "tokens that are prepositions (IN)": "R05",
    "types that are determiners (DT)": "R06",
    "tokens that are determiners (DT)": "R07",
}
CLASSES = {"prepositions (IN)": ["IN"], "prepositions (IN, TO)": ["IN", "TO"], "determiners (DT)": ["DT"]}


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
    table, names = printed("reichart2010", "table1"), {(level, *name): ours for level, *name, ours in COLUMNS}
    keys = table[["level", "measure", "mapping"]].itertuples(index=False, name=None)
    return table.assign(measure=[names[key] for key in keys])[["system", "measure", "level", "value"]]


@takes_setting(Setting)
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


@takes_setting(Setting)
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
        one sample deviation away. Brown and Exchange are not in the paper.

    References
    ----------
    Reichart, Abend & Rappoport (2010), Table 1.
    """
    return averaged(scores(setting))


def averaged(runs: pd.DataFrame) -> pd.DataFrame:
    """As `table1`, from the scores of single runs."""
    by_system, table = runs.groupby("system"), mean_over_seeds(runs, ["system", "measure"])
    table["clusters"] = table["system"].map(by_system["clusters"].mean()).astype("Float64")
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
        Result of a table function of the paper.

    Returns
    -------
    DataFrame
        ``system``, ``measure``, ``printed``, ``recomputed``, ``difference``, ``reproducible``, ``why``; see
        `analysis.papers.recipe.compare`. A generated corpus reproduces nothing; the open sample of the Penn Treebank
        is not part of the paper's data, so its numbers are approximate at best.

    Raises
    ------
    ValueError
        If the table is none of this paper's.
    """
    if not {"system", "measure", "corpus", "level"} <= set(table.columns):
        raise ValueError("compare takes what table1 returned.")
    how = "not at all" if Setting(corpus=str(table["corpus"].iloc[0])).generated else "approximately"
    columns = ["system", "measure", "value", "lower", "upper", "n", "k", "seed", "steps", "corpus", "data_version",
               "convention"]  # fmt: skip
    return recipe.compare(
        table[columns], printed_table1(), ["system", "measure"], reproducible=how,
        why={"ARR10": f"the paper names the system and does not define it; needed, {ARR10_NEEDS}"},
    )  # fmt: skip


def side_by_side(comparison: pd.DataFrame) -> pd.DataFrame:
    """Arrange the result of `compare` like the paper's table: one row per system and source, one column per measure.

    Parameters
    ----------
    comparison : DataFrame
        Result of `compare`.

    Returns
    -------
    DataFrame
    """
    return recipe.stacked(comparison, ["system"], "measure")[list(MEASURES)]


def wide(table: pd.DataFrame) -> pd.DataFrame:
    """A score table with one row per system (and seed and K, where they differ) and one column per measure.

    Parameters
    ----------
    table : DataFrame
        Result of a table function of the paper.

    Returns
    -------
    DataFrame
    """
    several = table.groupby("system").nunique().max() > 1
    keys = ["system", *(key for key in ("k", "seed") if several.get(key, False))]
    rows = table.pivot(index=keys, columns="measure", values="value")[list(MEASURES)]
    index = pd.Index(table["system"].drop_duplicates()) if len(keys) == 1 else rows.index
    return rows.loc[index].rename_axis(columns=None)


@takes_setting(Setting)
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


@takes_setting(Setting)
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
    check_known([source], ("recomputed", "printed"), "source is")
    check_known([over], tables, "over is")
    table = printed_table1().assign(k=0) if source == "printed" else tables[over](setting)
    rows = table.pivot(index=["system", "k"], columns="measure", values="value")[list(MEASURES)].astype("float64")
    rows[list(LOWER_IS_BETTER)] *= -1
    found = spearman_matrix(rows, MEASURES, tau=True)
    level = {name: level for level, _, _, name in COLUMNS}
    first, second = (found[column].map(level) for column in ("measure_a", "measure_b"))
    found = found.assign(levels=first.where(first == second, first + " and " + second), source=source)
    return found[["measure_a", "measure_b", "rho", "p", "tau", "tau_p", "n", "levels", "source", "undefined"]]


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


@takes_setting(Setting)
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
        Result of a table function of the paper.

    Returns
    -------
    DataFrame
    """
    rows = wide(table)[["MacroI 1-1", "MicroI 1-1"]].set_axis(["MacroI", "MicroI"], axis=1)
    return rows.assign(difference=rows["MacroI"] - rows["MicroI"]).reset_index()


@takes_setting(Setting)
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


# Words, mappings and starts -------------------------------------------------------------------------------------------


@takes_setting(Setting)
def lexicon_statistics(setting: Setting, share: float = 1.0) -> pd.DataFrame:
    """How words, tags and tokens are spread in the gold standard: what the paper says of it in sections 2 and 5.

    Parameters
    ----------
    setting, **choices
        Setting of the paper, or single fields of it by name; see `Setting`.
    share : float
        The first sentences that are counted, as a share of all.

    Returns
    -------
    DataFrame
        ``fact`` (id in the printed facts, if the paper gives the number), `analysis.categories.lexicon_statistics`
        in percent, as the paper prints it, and ``printed``.
    """
    tokens = data(setting.text).tokens
    begins = tokens["sentence"].ne(tokens["sentence"].shift()).cumsum()
    tokens = tokens[begins <= share * begins.iloc[-1]]
    result = recipe.in_percent(categories.lexicon_statistics(
        tokens, setting.gold, leave_out=setting.leave_out, classes=CLASSES))  # fmt: skip
    result.insert(0, "fact", [FACTS.get(name, "") for name in result["statistic"]])
    theirs = pd.to_numeric(printed("reichart2010", "facts").set_index("id")["value"], errors="coerce")  # one is "e"
    return result.assign(printed=result["fact"].map(theirs).astype("Float64"))


@takes_setting(Setting)
def lexicon_readings(setting: Setting) -> pd.DataFrame:
    """`lexicon_statistics` of lower-cased and of cased words, and of half the text, beside the printed numbers.

    Parameters
    ----------
    setting, **choices
        Setting of the paper, or single fields of it by name; see `Setting`.

    Returns
    -------
    DataFrame
        ``fact``, ``statistic``, ``unit``, ``printed``, ``lower-cased``, ``cased``, ``first half`` (in the case of the
        setting).
    """
    readings = {"lower-cased": False, "cased": True}
    table = lexicon_statistics(setting)[["fact", "statistic", "unit", "printed"]]
    for name, cased in readings.items():
        table[name] = lexicon_statistics(dataclasses.replace(setting, cased=cased))["value"]
    return table.assign(**{"first half": lexicon_statistics(setting, share=0.5)["value"]})


@kept(copied=False)
def counts(setting: Setting) -> WordCounts:
    """Tokens of each scored word by gold class."""
    return word_counts(data(setting.text).tokens, setting.gold, leave_out=setting.leave_out)


@takes_setting(Setting)
def word_frequencies(setting: Setting) -> pd.DataFrame:
    """The words that are scored, most frequent first; see `analysis.categories.word_frequencies`.

    Parameters
    ----------
    setting, **choices
        Setting of the paper, or single fields of it by name; see `Setting`.

    Returns
    -------
    DataFrame
    """
    return categories.word_frequencies(counts(setting))


@takes_setting(Setting)
def zipf(setting: Setting, points: int = 25) -> pd.DataFrame:
    """Right about frequent, or rare, words only: see `analysis.categories.scores_of_words_right`.

    Parameters
    ----------
    setting, **choices
        Setting of the paper, or single fields of it by name; see `Setting`.
    points : int
        Number of points.

    Returns
    -------
    DataFrame
    """
    return categories.scores_of_words_right(counts(setting), points=points)


@takes_setting(Setting)
def restarts(setting: Setting) -> pd.DataFrame:
    """What each start of hill climbing reaches, for every run of Table 1, both initialisations and three measures.

    Parameters
    ----------
    setting, **choices
        Setting of the paper, or single fields of it by name; see `Setting`.

    Returns
    -------
    DataFrame
        ``measure``, ``initialisation``, ``restart``, ``value``, ``passes``, ``system``, ``corpus``, ``k``, ``seed``,
        ``of_best`` (the value over the best of its run and measure, whichever way it started).
    """
    return evaluations(setting)["restarts"].assign(
        of_best=lambda starts: starts["value"] / starts.groupby(["system", "seed", "measure"])["value"].transform("max")
    )


@takes_setting(Setting)
def restart_spread(setting: Setting) -> pd.DataFrame:
    """How far the best 9 of 10 starts (of MicroC, 7) lie from the best, in percent of it, as the paper prints it.

    Parameters
    ----------
    setting, **choices
        Setting of the paper, or single fields of it by name; see `Setting`.

    Returns
    -------
    DataFrame
    """
    by = ("system", "seed", "measure", "initialisation")
    return recipe.in_percent(
        categories.restart_spread(restarts(setting), by=by, share=0.9, micro_c=0.7), ["spread", "all"]
    )


@takes_setting(Setting)
def mapping(
    setting: Setting, system: str = "Clark03", measure: str = "macro_i", how: str = "one-to-one"
) -> pd.DataFrame:
    """The class to which each cluster of a system is mapped, and the words in it.

    Parameters
    ----------
    setting, **choices
        Setting of the paper, or single fields of it by name; see `Setting`.
    system : str
        Its first run in Table 1.
    measure : {"macro_i", "micro_i", "micro_c"}
    how : {"one-to-one", "many-to-one"}

    Returns
    -------
    DataFrame
        `analysis.categories.type_mapping`, with ``words``, the three that the cluster holds most tokens of.
    """
    climbing: Any = {
        "restarts": setting.restarts, "initialisation": setting.initialisation, "random_state": setting.seed
    }  # fmt: skip
    found = categories.type_mapping(lexicons(system, setting), measure=measure, mapping=how, **climbing)
    words = categories.cluster_words(first_tokens(system, setting), words=3)
    return found.assign(words=found["cluster"].map(words.set_index("cluster")["words"]))


@takes_setting(Setting)
def frequency_bands(setting: Setting, systems: Sequence[str] = ("Clark03", ASSIGNED, "Exchange")) -> pd.DataFrame:
    """Token and type scores of some systems' first runs in bands of word frequency.

    It shows why types tell otherwise than tokens: most types are rare, and Clark03 leaves those in one class.

    Parameters
    ----------
    setting, **choices
        Setting of the paper, or single fields of it by name; see `Setting`.
    systems : sequence of str
        Names of systems.

    Returns
    -------
    DataFrame
        `analysis.categories.scores_by_frequency` of each ``system``.
    """
    climbing: Any = {
        "restarts": setting.restarts, "initialisation": setting.initialisation, "random_state": setting.seed
    }  # fmt: skip
    tables = [
        categories.scores_by_frequency(first_tokens(system, setting), **climbing).assign(system=system)
        for system in systems
    ]
    return pd.concat(tables, ignore_index=True).assign(unit="proportion")


@takes_setting(Setting)
def mappings(setting: Setting) -> pd.DataFrame:
    """`mapping` of Clark03 and of GG07."""
    return pd.concat([mapping(setting, system).assign(system=system) for system in ("Clark03", "GG07")])


# From sweep to sweep, and the priors ----------------------------------------------------------------------------------


def sampled(setting: Setting, systems: Sequence[str] = tuple(CHAINS), n_jobs: int = -1) -> dict[str, pd.DataFrame]:
    """The ``traces`` and ``samples`` of some chains, and nothing computed of the others."""
    return evaluate_runs(evaluate_samples, setting, tuple(chain(name, setting) for name in systems), n_jobs)


@takes_setting(Setting)
def traces(setting: Setting, systems: Sequence[str] = tuple(CHAINS)) -> pd.DataFrame:
    """Objective after each sweep: log probability of words and tags, of variational Bayes its lower bound.

    Parameters
    ----------
    setting, **choices
        Setting of the paper, or single fields of it by name; see `Setting`.
    systems : sequence of str
        Among GG07, GVG09(1) to (3), GJ08, GJ08 VB.

    Returns
    -------
    DataFrame
        ``system``, ``sweep`` (from 1), ``objective`` (in nats).
    """
    return sampled(setting, systems)["traces"]


@takes_setting(Setting)
def samples(setting: Setting, systems: Sequence[str] = tuple(CHAINS)) -> pd.DataFrame:
    """Number of clusters and some scores after some of the sweeps.

    Parameters
    ----------
    setting, **choices
        Setting of the paper, or single fields of it by name; see `Setting`.
    systems : sequence of str
        As for `traces`.

    Returns
    -------
    DataFrame
        ``system``, ``sweep``, ``clusters`` (with at least one token, scored or not), ``objective``, and one column a
        measure: V, M-1 and 1-1 of tokens, MacroI 1-1 and MicroI 1-1 of types.
    """
    return sampled(setting, systems)["samples"]


@takes_setting(Setting)
def cluster_words(
    setting: Setting, system: str = "GJ08", sweep: int = 1, clusters: int = 10, words: int = 6
) -> pd.DataFrame:
    """The largest clusters after a sweep, with their most frequent words.

    Parameters
    ----------
    setting, **choices
        Setting of the paper, or single fields of it by name; see `Setting`.
    system : str
        As for `traces`.
    sweep : int
        One of those in `samples`.
    clusters, words : int
        How many are shown, and how many words of each.

    Returns
    -------
    DataFrame
        `analysis.categories.cluster_words` of the tokens that are scored.

    Raises
    ------
    ValueError
        If the labels after that sweep were not kept.
    """
    labels = fit(setting.text, chain(system, setting)).kept
    if sweep not in labels:
        raise ValueError(f"the tags of {system} after sweep {sweep} were not kept; there are {list(labels)}.")
    tokens = scored_tokens(setting.text, labels[sweep], conventions(setting))
    return categories.cluster_words(tokens, clusters=clusters, words=words)


@takes_setting(Setting)
def priors(
    setting: Setting,
    values: Sequence[float] = PRIORS,
    system: str = "GJ08",
    sweeps: int | None = None,
    n_jobs: int = -1,
) -> pd.DataFrame:
    """GJ08 at every pair of priors.

    Parameters
    ----------
    setting, **choices
        Setting of the paper, or single fields of it by name; see `Setting`.
    values : sequence of float
        Of the priors a (transitions) and b (emissions). Gao & Johnson tried 1, 0.5, 0.1 and so on down to 0.0001.
    system : {"GJ08", "GJ08 VB"}
    sweeps : int, optional
        Of each run; by default 30 on the generated corpus and 300 on others.
    n_jobs : int
        Processes.

    Returns
    -------
    DataFrame
        ``system``, ``k``, ``seed``, ``sweeps``, ``transition_prior``, ``emission_prior``, ``clusters``, ``seconds``
        and one column per measure, as in `samples`.

    Raises
    ------
    ValueError
        If the system is not one of the two.
    """
    check_known([system], ("GJ08", "GJ08 VB"), "system is")
    steps = sweeps or (30 if setting.generated else 300)
    runs = tuple(chain(system, Setting.choose(setting, gj_priors=(a, b)), steps) for a in values for b in values)
    return evaluate_all(evaluate_priors, cells(setting, runs), data=data(setting.text).version, n_jobs=n_jobs)["scores"]


# Stored long runs -----------------------------------------------------------------------------------------------------


def stored_full_run() -> pd.DataFrame:
    """Scores of long runs on the open sample of the Penn Treebank, on nursery and on part of Manchester, stored.

    GG07 made 10,000 sweeps on the sample.

    Returns
    -------
    DataFrame
        A long result table with ``command``, ``seconds`` (of the fit) and ``steps``.
    """
    return stored("reichart2010_full", evaluate)


def stored_challenge_run() -> pd.DataFrame:
    """BC and C of Gelling et al. (2012) by this paper's measures on the three corpora, stored.

    Returns
    -------
    DataFrame
        As `stored_full_run`.
    """
    return stored("reichart2010_challenge", evaluate)


def stored_samples() -> pd.DataFrame:
    """What `samples` gave for the stored long runs, one more column naming the ``corpus``, one the ``command``.

    Returns
    -------
    DataFrame
    """
    numbers: Any = dict.fromkeys(("objective", *categories.QUICK_MEASURES), "float64")
    return stored("reichart2010_samples", evaluate_samples).astype({**numbers, "sweep": "int64"})
