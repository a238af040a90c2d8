"""The paper's tables, recomputed and beside the printed ones; what they average; whether it could be chance."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from itertools import product
from typing import Any

import numpy as np
import pandas as pd

from analysis import categories
from analysis.corpora.treebanks import treebank_sizes
from analysis.dependencies import (
    attachment_scores,
    compare_conventions,
    compare_systems,
    find_punctuation,
    intervals_by,
    paired_bootstrap,
    sentence_counts_by,
    sentences_without_punctuation,
    table6_relations,
)
from analysis.dependencies.models import DMV, DMV_VARIANTS, compare_variants, train_variant
from analysis.papers import recipe
from analysis.papers.gelling2012.runs import (
    CLASS_MEASURES,
    LOWER_IS_BETTER,
    OTHERS,
    TREE_MEASURES,
    TREES,
    Parameters,
    attached,
    curve_evaluations,
    evaluate,
    evaluate_quality,
    evaluations,
    fit,
    gold_standards,
    heads,
    make_run,
    relations,
    run_named,
    systems,
)
from analysis.papers.gelling2012.setting import LEVELS, TESTSETS, Setting, data, number_of_tags, treebank, treebanks
from analysis.statistics import hardest_testsets, measure_agreement, rank_systems, spread_of_systems

PAPER = "gelling2012"
#: Printed tables by number; those with averages have them in a file of their own.
FILES = {
    1: "table1_treebanks", 2: "table2_pos_upos", 3: "table3_dependency", 4: "table4_joint",
    5: "table5_ptb_conversions", 6: "table6_ptb_relations", 7: "table7_pos_fine", 8: "table8_dependency_len10",
    9: "table9_joint_len10",
}  # fmt: skip
WITH_AVERAGES = (2, 3, 4, 7, 8, 9)
MEASURES = {number: CLASS_MEASURES if number in (2, 7) else TREE_MEASURES for number in WITH_AVERAGES}
_TREES = (3, 4, 8, 9)
#: What names a number of each table.
KEYS = {
    1: ["partition", "property", "testset"],
    **{number: ["measure", "testset", "system"] for number in WITH_AVERAGES},
    5: ["measure", "testset", "conversion", "system"],
    6: ["measure", "testset", "relation", "system"],
}  # fmt: skip
#: Track of the rows of each table, and what else chooses them.
_ROWS: Mapping[int, dict[str, str]] = {
    2: {"track": "word classes", "gold": "universal"}, 7: {"track": "word classes", "gold": "fine"},
    3: {"track": "dependencies", "length": "all"}, 8: {"track": "dependencies", "length": "short"},
    4: {"track": "joint", "length": "all"}, 9: {"track": "joint", "length": "short"},
    5: {"track": "dependencies", "measure": "directed"}, 6: {"track": "dependencies", "measure": "directed"},
}  # fmt: skip
#: The challenge's names of the measures of word classes, and those of `analysis.categories`.
_NAMES = dict(zip(CLASS_MEASURES, ("many-to-one", "one-to-one", "V", "VI"), strict=True))
OVERALL = "averages"


def printed_table(number: int) -> pd.DataFrame:
    """A printed table: what names each number, ``value`` (percent, VI in bits) and, where there is any, ``bold``.

    Parameters
    ----------
    number : int
        1 to 9.

    Returns
    -------
    DataFrame

    Raises
    ------
    ValueError
        If the paper has no such table.

    Examples
    --------
    >>> printed_table(3).head(2)
         measure testset system  value   bold
    0  directed  arabic     BC   48.7  False
    1  directed  arabic     BH   23.5  False
    """
    recipe.check_known([number], FILES, "the paper has no table")
    table = recipe.printed(PAPER, FILES[number])
    if number == 1:  # without the kind of annotation, which is not a number
        table = table[table["property"] != "annotation"].reset_index(drop=True).astype({"value": "Float64"})
    return table[[*KEYS[number], "value", "unit" if number == 1 else "bold"]]


def printed_averages(number: int) -> pd.DataFrame:
    """The printed averages of Table 2, 3, 4, 7, 8 or 9: ``measure``, ``system``, ``value``, ``bold``.

    Parameters
    ----------
    number : int
        Number of the table in the paper.

    Returns
    -------
    DataFrame
    """
    return recipe.printed(PAPER, f"{FILES[number]}_averages")[["measure", "system", "value", "bold"]]


# The tables ----------------------------------------------------------------------------------------------------------


@recipe.takes_setting(Setting)
def scores(setting: Setting) -> pd.DataFrame:
    """Every score of every run.

    Parameters
    ----------
    setting : Setting, optional
        All choices at once.
    **choices
        Single choices of `Setting`, such as ``corpus="treebanks"`` or ``iterations=50``.

    Returns
    -------
    DataFrame
        A long result table with ``unit`` (proportion; VI in bits), ``testset``, ``track`` (word classes, dependencies,
        joint), ``gold`` (which tags, or heads), ``punctuation`` (scored, left out), ``length`` (all, short), and for
        word classes ``classes`` and ``clusters``. ``k`` is the number of tags or clusters of the system.
    """
    return evaluations(setting)["scores"]


@recipe.takes_setting(Setting)
def runs(setting: Setting, *, seconds: bool = True) -> pd.DataFrame:
    """What each run did: steps, sentences trained on, sentences smoothed, last log-likelihood.

    Parameters
    ----------
    setting, **choices
        Setting of the paper, or single fields of it by name; see `Setting`.
    seconds : bool
        Whether to say how long each fit took when it was computed.

    Returns
    -------
    DataFrame
    """
    table = evaluations(setting)["runs"].drop(columns=["corpus", *([] if seconds else ["seconds"])])
    return table.astype(dict.fromkeys(("k", "steps", "trained", "smoothed"), "Int64"))


def of_scores(number: int, scores: pd.DataFrame, punctuation: bool = True) -> pd.DataFrame:
    """Table 2, 3, 4, 7, 8 or 9 from scores such as `scores` gives them, or a stored run."""
    marks = {"punctuation": "scored" if punctuation else "left out"} if number in (2, 7) else {}
    rows = _chosen(scores, _ROWS[number] | marks).sort_values(
        "measure", key=lambda names: names.map(MEASURES[number].index), kind="stable", ignore_index=True
    )
    return rows.assign(bold=is_best(rows))


def _chosen(table: pd.DataFrame, factors: Mapping[str, object]) -> pd.DataFrame:
    return table[np.logical_and.reduce([table[name] == value for name, value in factors.items()])]


def _by(number: int, table: pd.DataFrame | None) -> pd.DataFrame:
    """Table 5 or 6; without a row where nothing can be re-headed or no relation is known."""
    further = ["value", "unit", "numerator", "denominator", "convention", *(["of"] if number == 5 else [])]
    if table is None or not len(table):
        return pd.DataFrame(columns=[*KEYS[number], *further, "bold"])
    rows = _chosen(table, _ROWS[number])[[*KEYS[number], *further]].reset_index(drop=True)
    return rows.astype({KEYS[number][2]: "str"}).assign(bold=is_best(rows, KEYS[number][:3]))


@recipe.takes_setting(Setting)
def table1(setting: Setting) -> pd.DataFrame:
    """Properties of the treebanks: sizes of the test set and numbers of tags in all available text.

    Parameters
    ----------
    setting, **choices
        As for `scores`.

    Returns
    -------
    DataFrame
        ``partition``, ``property``, ``testset``, ``value``, ``unit``, ``corpus``, ``data_version``. ``train`` is all
        the text that systems are trained on here, the test set included; ``new_words`` is the share of word types of
        the test set that the rest of the text lacks, and is missing where there is no other text.

    References
    ----------
    Gelling et al. (2012), Table 1.

    Examples
    --------
    >>> table1().query("property == 'cpostag'")[["testset", "value"]].values.tolist()
    [['nursery', 12.0]]
    """
    frames = [
        treebank_sizes(data(testset).tokens).assign(
            testset=testset, corpus=treebank(testset)["corpus"], data_version=data(testset).version
        )
        for testset in setting.testsets
    ]
    return pd.concat(frames, ignore_index=True)[[*KEYS[1], "value", "unit", "corpus", "data_version"]]


@recipe.takes_setting(Setting)
def table2(setting: Setting) -> pd.DataFrame:
    """Word classes against the universal tags: M-1, 1-1 and VM as proportions, VI in bits.

    Parameters
    ----------
    setting, **choices
        As for `scores`.

    Returns
    -------
    DataFrame
        Rows of `scores`, with ``bold``, whether the value is the best of its row; see `averages` and `compare`.

    References
    ----------
    Gelling et al. (2012), Table 2.
    """
    return of_scores(2, evaluations(setting)["scores"], setting.punctuation)


@recipe.takes_setting(Setting)
def table3(setting: Setting) -> pd.DataFrame:
    """Trees from gold tags, all sentences: directed and undirected accuracy and NED.

    Parameters and result as in `table2`.

    Parameters
    ----------
    setting, **choices
        Setting of the paper, or single fields of it by name; see `Setting`.

    Returns
    -------
    DataFrame

    References
    ----------
    Gelling et al. (2012), Table 3.
    """
    return of_scores(3, evaluations(setting)["scores"])


@recipe.takes_setting(Setting)
def table4(setting: Setting) -> pd.DataFrame:
    """Trees from words alone: DMV on Brown clusters; all sentences. Parameters and result as in `table2`.

    Parameters
    ----------
    setting, **choices
        Setting of the paper, or single fields of it by name; see `Setting`.

    Returns
    -------
    DataFrame

    References
    ----------
    Gelling et al. (2012), Table 4.
    """
    return of_scores(4, evaluations(setting)["scores"])


@recipe.takes_setting(Setting)
def table5(setting: Setting) -> pd.DataFrame:
    """Directed accuracy against five conversions of the Penn sample or of the built-in language, with the best.

    Parameters
    ----------
    setting, **choices
        As for `scores`.

    Returns
    -------
    DataFrame
        ``measure``, ``testset``, ``conversion`` (``best`` for the highest, which ``of`` names), ``system``, ``value``,
        ``unit``, ``numerator``, ``denominator``, ``convention``, ``bold``. No row if neither is among the test sets:
        other treebanks lack the tags that re-heading needs.

    References
    ----------
    Gelling et al. (2012), Table 5; see `analysis.dependencies.rules_table`.
    """
    return _by(5, evaluations(setting).get("standards"))


@recipe.takes_setting(Setting)
def table6(setting: Setting) -> pd.DataFrame:
    """Directed accuracy over the tokens of each gold relation.

    Parameters
    ----------
    setting, **choices
        As for `scores`.

    Returns
    -------
    DataFrame
        ``measure``, ``testset``, ``relation``, ``system``, ``value``, ``unit``, ``numerator``, ``denominator``,
        ``convention``, ``bold``. The paper prints en-ptb only; other test sets are there too, by the map of relations.

    References
    ----------
    Gelling et al. (2012), Table 6.
    """
    return _by(6, evaluations(setting)["relations"])


@recipe.takes_setting(Setting)
def table7(setting: Setting) -> pd.DataFrame:
    """Word classes against the fine tags. Parameters and result as in `table2`.

    Parameters
    ----------
    setting, **choices
        Setting of the paper, or single fields of it by name; see `Setting`.

    Returns
    -------
    DataFrame

    References
    ----------
    Gelling et al. (2012), Table 7.
    """
    return of_scores(7, evaluations(setting)["scores"], setting.punctuation)


@recipe.takes_setting(Setting)
def table8(setting: Setting) -> pd.DataFrame:
    """Trees from gold tags, sentences of at most ten tokens with punctuation. Parameters and result as in `table2`.

    Parameters
    ----------
    setting, **choices
        Setting of the paper, or single fields of it by name; see `Setting`.

    Returns
    -------
    DataFrame

    References
    ----------
    Gelling et al. (2012), Table 8.
    """
    return of_scores(8, evaluations(setting)["scores"])


@recipe.takes_setting(Setting)
def table9(setting: Setting) -> pd.DataFrame:
    """Trees from words alone, sentences of at most ten tokens. Parameters and result as in `table2`.

    Parameters
    ----------
    setting, **choices
        Setting of the paper, or single fields of it by name; see `Setting`.

    Returns
    -------
    DataFrame

    References
    ----------
    Gelling et al. (2012), Table 9.
    """
    return of_scores(9, evaluations(setting)["scores"])


TABLES = {1: table1, 2: table2, 3: table3, 4: table4, 5: table5, 6: table6, 7: table7, 8: table8, 9: table9}


@recipe.takes_setting(Setting)
def figure1_points(setting: Setting) -> pd.DataFrame:
    """Accuracy against the length of the gold dependency, 1 to 9 words, punctuation taken out: what `figure1` draws.

    Parameters
    ----------
    setting, **choices
        As for `scores`.

    Returns
    -------
    DataFrame
        ``testset``, ``system``, ``length``, ``measure``, ``value``, ``unit``, ``numerator``, ``denominator``,
        ``convention``: all three measures, on all test sets; the paper draws directed accuracy on en-ptb. It prints
        no numbers.
    """
    rows = _chosen(evaluations(setting)["lengths"], {"track": "dependencies"}).reset_index(drop=True)
    return rows[["testset", "system", "length", "measure", "value", "unit", "numerator", "denominator", "convention"]]


def stored_full_run() -> pd.DataFrame:
    """Scores of all tables on the ten treebanks with 200 iterations of DMV, stored.

    Returns
    -------
    DataFrame
        A long result table as `scores` gives, with ``command`` and ``seconds`` (of the fit).
    """
    return recipe.stored("gelling2012_full", evaluate)


def stored_entrants_run() -> pd.DataFrame:
    """Scores of the rebuilt entrants (BC, C, CGS, Tu, S1, S2) on the ten treebanks with many sweeps, stored.

    Returns
    -------
    DataFrame
        A long result table as `scores` gives, with ``command`` and ``seconds`` (of the fit).
    """
    return recipe.stored("gelling2012_entrants", evaluate)


# Averages, bold, printed beside recomputed ----------------------------------------------------------------------------


def averages(table: pd.DataFrame) -> pd.DataFrame:
    """Mean over the paper's ten test sets, N/A left out, as the paper averages.

    Parameters
    ----------
    table : DataFrame
        ``measure``, ``testset``, ``system``, ``value``; a test set that is none of the ten counts only if there is no
        other.

    Returns
    -------
    DataFrame
        ``measure``, ``system``, ``value``, ``n`` (test sets averaged) and ``bold``, and ``unit`` if the table has it;
        in order of appearance.

    Examples
    --------
    >>> averages(printed_table(4)).query("system == 'CGS'")[["measure", "n"]].values.tolist()
    [['directed', 9], ['undirected', 9], ['NED', 9]]
    """
    of_paper = table["testset"].isin(TESTSETS)
    return recipe.averages(table[of_paper] if of_paper.any() else table, lower_is_better=LOWER_IS_BETTER)


def is_best(table: pd.DataFrame, row: Sequence[str] = ("measure", "testset")) -> pd.Series:
    """The paper's rule for bold: the best value of the row, ties included; lowest of VI, highest of all others.

    Parameters
    ----------
    table : DataFrame
        Result of a table function of the paper.
    row : sequence of str

    Returns
    -------
    Series
    """
    return recipe.is_best(table, row, LOWER_IS_BETTER)


def _why(table: pd.DataFrame, number: int) -> dict[str, str]:
    """Why a printed number of a table has no recomputed one, by system."""
    own = (
        "the corpus is generated by the suite: no test set of the paper is run"
        if not table["testset"].isin(TESTSETS).any() else
        "no such part beside what is counted, or the test set was not chosen" if number == 1 else
        "not run on this test set with this setting"
    )  # fmt: skip
    absent = recipe.printed_only("Gelling et al. 2012", _ROWS[number]["track"]) if number > 1 else {}
    return absent | {"": own}


def compare(table: pd.DataFrame, number: int) -> pd.DataFrame:
    """What `table1` … `table9` returned beside the printed table, in percent as the paper prints (VI in bits).

    Parameters
    ----------
    table : DataFrame
    number : int
        Of the table.

    Returns
    -------
    DataFrame
        What names a number, ``printed``, ``recomputed``, ``difference``, ``reproducible``, ``why``; see
        `analysis.papers.recipe.compare`. Word classes are approximate, of another edition and less text; trees are
        approximate on en-ptb only, since UD has other heads (not at all comparable).

    Raises
    ------
    ValueError
        If the table is none of this paper's, or the number is another table's.
    """
    keys = KEYS.get(number, [])
    if not keys or not {*keys, "value", "unit"} <= set(table.columns):
        raise ValueError(f"compare takes what table{number} returned.")
    further = ("unit", "k", "clusters", "numerator", "denominator", "data_version", "convention")
    extra = [name for name in further if name in table.columns]
    ours, theirs = table[[*keys, "value", *extra]], printed_table(number)
    if number == 5:
        best = recipe.printed(PAPER, f"{FILES[5]}_best").assign(conversion="best")
        theirs = pd.concat([theirs, best], ignore_index=True)
    near = dict(zip(treebanks()["testset"], treebanks()["comparable"] == "approximately", strict=True))
    how = {name: "approximately" if number not in _TREES or near.get(name) else "not at all"
           for name in ours["testset"].unique()}  # fmt: skip
    return recipe.compare(ours, theirs, keys, reproducible=how, why=_why(table, number), percent=True)


def compare_averages(table: pd.DataFrame, number: int) -> pd.DataFrame:
    """The averages of a table beside the printed ones, in percent: ``measure``, ``system``, ``printed``, …

    Parameters
    ----------
    table : DataFrame
        Result of a table function of the paper.
    number : int
        Number of the table in the paper.

    Returns
    -------
    DataFrame
    """
    how = "approximately" if number in (2, 7) and table["testset"].isin(TESTSETS).any() else "not at all"
    ours = averages(table)[["measure", "system", "value", "unit", "n"]]
    return recipe.compare(ours, printed_averages(number), ["measure", "system"], reproducible=how,
                          why=_why(table, number), percent=True)  # fmt: skip


def side_by_side(comparison: pd.DataFrame, measure: str | None = None, *, run_only: bool = False) -> pd.DataFrame:
    """What `compare` returned as the paper prints it: a row a test set (or conversion, relation), a column a system.

    Parameters
    ----------
    comparison : DataFrame
    measure : str, optional
        One of the table's measures; by default the first.
    run_only : bool
        Whether to leave out systems that do not run here.

    Returns
    -------
    DataFrame
        Indexed by the row's name and ``source`` (printed, recomputed). Systems that do not run here have no
        recomputed number.
    """
    rows = comparison[comparison["measure"] == (measure or comparison["measure"].iloc[0])]
    if run_only:
        rows = rows[rows["system"].isin(rows["system"][rows["recomputed"].notna()])]
    return recipe.stacked(rows, [name for name in ("testset", "conversion", "relation") if name in rows.columns])


def inconsistencies() -> pd.DataFrame:
    """Where the printed averages and bold marks do not follow from the printed rows.

    Returns
    -------
    DataFrame
        ``table``, ``kind`` (average, bold), ``measure``, ``row`` (averages, or the test set), ``system``, ``printed``,
        ``expected``, ``why``.

    Examples
    --------
    >>> inconsistencies()["kind"].value_counts().to_dict()
    {'average': 18, 'bold': 7}
    """
    tables = {n: recipe.inconsistencies(PAPER, name, LOWER_IS_BETTER) for n, name in FILES.items() if n > 1}
    found = pd.concat(tables, names=["table"]).reset_index("table")
    return found.sort_values(["kind", "table"], kind="stable", ignore_index=True)


@recipe.takes_setting(Setting)
def relation_readings(setting: Setting, systems: tuple[str, ...] = ("LB", "RB")) -> pd.DataFrame:
    """What could give the printed rows of Table 6 whose trees need no training: six readings, each beside the printed.

    The trees of LB and RB are known, so what is printed of them shows how the table was counted. The paper says
    directed accuracy; the readings also count undirected edges and grandparents, and take the relation of the gold
    head, or of the head that the system found, in the place of the word's own.

    Parameters
    ----------
    setting, **choices
        Setting of the paper, or single fields of it by name; see `Setting`.
    systems : tuple of str
        Names of systems.

    Returns
    -------
    DataFrame
        ``testset``, ``system``, ``reading``, ``relation``, ``value``, ``unit``, ``numerator``, ``denominator``,
        ``printed`` (percent, of en-ptb), ``difference`` (points), ``largest`` (of the reading and system).

    References
    ----------
    Gelling et al. (2012), Table 6.
    """
    rows = []
    for testset, system in product(setting.testsets, systems):
        tokens = attached(testset, system, "dependencies", setting).tokens
        found = tokens[tokens["counts_as"] != "not scored"]
        labels = table6_relations(relations(testset), (tokens["gold_head"] == 0).to_numpy())
        named = pd.Series(labels, index=pd.MultiIndex.from_frame(tokens[["sentence", "position"]]))
        for whose, column in (("the word", "position"), ("its gold head", "gold_head"), ("its head", "predicted_head")):
            groups = pd.Series(named.reindex(pd.MultiIndex.from_frame(found[["sentence", column]])).array, found.index)
            for measure in ("directed", "undirected", "NED") if whose == "the word" else ("directed", "undirected"):
                counts = found[measure].groupby(groups, observed=True).agg(["sum", "count"])
                rows += [(testset, system, f"{measure}, relation of {whose}", relation, n, of)
                         for relation, n, of in counts.itertuples()]  # fmt: skip
    keys = ["testset", "system", "reading", "relation"]
    table = pd.DataFrame(rows, columns=[*keys, "numerator", "denominator"])
    table.insert(4, "value", table["numerator"] / table["denominator"])
    table.insert(5, "unit", "proportion")
    theirs = printed_table(6).rename(columns={"value": "printed"})[["testset", "system", "relation", "printed"]]
    table = table.merge(theirs, on=["testset", "system", "relation"], how="left")
    table["difference"] = 100 * table["value"] - table["printed"]
    return table.assign(largest=table["difference"].abs().groupby([table[name] for name in keys[:3]]).transform("max"))


@recipe.takes_setting(Setting)
def punctuation_share(setting: Setting) -> pd.DataFrame:
    """How many tokens of each test set are punctuation, as ``value`` of all, and by which rule.

    Parameters
    ----------
    setting, **choices
        Setting of the paper, or single fields of it by name; see `Setting`.

    Returns
    -------
    DataFrame
    """
    found = {testset: find_punctuation(data(testset).test) for testset in setting.testsets}
    return pd.DataFrame(
        [(name, len(marks.mask), int(marks.mask.sum()), float(np.mean(marks.mask)), "proportion", marks.rule)
         for name, marks in found.items()],
        columns=["testset", "tokens", "punctuation", "value", "unit", "rule"],
    )  # fmt: skip


# Do the measures agree? -----------------------------------------------------------------------------------------------


def _printed_unless(number: int, table: pd.DataFrame | None) -> pd.DataFrame:
    recipe.check_known([number], WITH_AVERAGES, "there are no averages of table")
    return (printed_table(number) if table is None else table)[["measure", "testset", "system", "value"]]


def ranks(number: int, table: pd.DataFrame | None = None, testset: str = OVERALL) -> pd.DataFrame:
    """Rank of each system by each measure, 1 the best; see `analysis.statistics.rank_systems`.

    Parameters
    ----------
    number : int
        Table 2, 3, 4, 7, 8 or 9.
    table : DataFrame, optional
        Result of the table's function; by default the printed table.
    testset : str
        One test set, or ``"averages"``.

    Returns
    -------
    DataFrame

    Raises
    ------
    ValueError
        If the table does not have the test set.

    Examples
    --------
    >>> ranks(3).query("measure == 'directed' and rank <= 2")[["system", "rank"]].values.tolist()
    [['BC', 2.0], ['Tu', 1.0]]
    """
    rows = _printed_unless(number, table)
    part = averages(rows) if testset == OVERALL else rows[rows["testset"] == testset]
    if not len(part):
        raise ValueError(f"table {number} has no test set {testset!r}.")
    return rank_systems(part, LOWER_IS_BETTER)


def agreement(number: int, table: pd.DataFrame | None = None) -> pd.DataFrame:
    """`analysis.statistics.measure_agreement` on each test set and on the averages; arguments as for `ranks`.

    Parameters
    ----------
    number : int
        Number of the table in the paper.
    table : DataFrame, optional
        Result of a table function of the paper.

    Returns
    -------
    DataFrame

    Examples
    --------
    >>> agreement(3).query("testset == 'averages' and measure_b == 'undirected'")[["measure_a", "n"]].values.tolist()
    [['directed', 14]]
    """
    rows = _printed_unless(number, table)
    both = pd.concat([rows, averages(rows).assign(testset=OVERALL)], ignore_index=True)
    return measure_agreement(both, MEASURES[number], LOWER_IS_BETTER)


def spread(number: int = 3, table: pd.DataFrame | None = None) -> pd.DataFrame:
    """`analysis.statistics.spread_of_systems` of a table; arguments as for `ranks`.

    Parameters
    ----------
    number : int
        Number of the table in the paper.
    table : DataFrame, optional
        Result of a table function of the paper.

    Returns
    -------
    DataFrame

    Examples
    --------
    >>> spread(3)["measure"].tolist()
    ['directed', 'undirected', 'NED']
    """
    return spread_of_systems(_printed_unless(number, table))


def hardness(number: int, table: pd.DataFrame | None = None, measure: str | None = None) -> pd.DataFrame:
    """`analysis.statistics.hardest_testsets` by one measure, the table's first by default; arguments as for `ranks`.

    Parameters
    ----------
    number : int
        Number of the table in the paper.
    table : DataFrame, optional
        Result of a table function of the paper.
    measure : str, optional
        Name of a measure.

    Returns
    -------
    DataFrame

    Examples
    --------
    >>> hardness(3, measure="directed")["testset"].tolist()[:2]
    ['basque', 'slovene']
    """
    return hardest_testsets(_printed_unless(number, table), measure or MEASURES[number][0], LOWER_IS_BETTER)


@recipe.takes_setting(Setting)
def clusters(setting: Setting) -> pd.DataFrame:
    """Number of clusters against each measure, universal gold tags: every system on every test set.

    Parameters
    ----------
    setting, **choices
        Setting of the paper, or single fields of it by name; see `Setting`.

    Returns
    -------
    DataFrame
        ``testset``, ``system``, ``model``, ``k``, ``measure``, ``value``, ``unit``.
    """
    return _clusters(evaluations(setting)["scores"], setting)


@recipe.takes_setting(Setting)
def curves(setting: Setting) -> pd.DataFrame:
    """The four measures against the number of clusters, B and MK on one test set; as `clusters`.

    Parameters
    ----------
    setting, **choices
        Setting of the paper, or single fields of it by name; see `Setting`.

    Returns
    -------
    DataFrame
    """
    return _clusters(curve_evaluations(setting), setting)


def _clusters(scores: pd.DataFrame, setting: Setting) -> pd.DataFrame:
    rows = _chosen(scores, _ROWS[2] | {"punctuation": "scored" if setting.punctuation else "left out"})
    rows = rows.assign(model=rows["system"].str.partition("-")[0], k=rows["k"].astype("Int64"))
    return rows[["testset", "system", "model", "k", "measure", "value", "unit"]].reset_index(drop=True)


@recipe.kept
def conventions(testset: str, setting: Setting | None = None) -> pd.DataFrame:
    """`analysis.dependencies.compare_conventions` of the systems of the track of dependencies.

    Parameters
    ----------
    testset : str
        Name of a test set.
    setting : Setting, optional
        Setting of the paper, or single fields of it by name; see `Setting`.

    Returns
    -------
    DataFrame
    """
    return compare_conventions(data(testset).test, heads(testset, Setting.choose(setting))).assign(unit="proportion")


# Could it be chance? --------------------------------------------------------------------------------------------------


def with_intervals(
    table: pd.DataFrame,
    number: int,
    setting: Setting | None = None,
    *,
    resamples: int = 1000,
    confidence: float = 0.95,
    **choices: object,
) -> pd.DataFrame:
    """What `table2` to `table9` returned, with an interval in each row: sentences resampled, percentiles.

    Parameters
    ----------
    table : DataFrame
        All rows, or some.
    number : int
        Of the table.
    setting, **choices
        Those with which the table was made; the seed is that of the resampling.
    resamples : int
    confidence : float

    Returns
    -------
    DataFrame
        The table with ``lower`` and ``upper``, in its units. The rows of Table 5 that hold the best of the conversions
        have none, since which is the best would change from resample to resample.

    Raises
    ------
    ValueError
        If the number is that of no table with scores, or a system of the table does not run with this setting.

    Examples
    --------
    >>> quick = Setting(iterations=0, annealing=0, bc_sweeps=0, cgs_sweeps=0, c_sweeps=1)
    >>> rows = with_intervals(table3(quick).query("system == 'LB'"), 3, quick, resamples=100)
    >>> bool(((rows["lower"] < rows["value"]) & (rows["value"] < rows["upper"])).all())
    True
    """
    recipe.check_known([number], sorted(_ROWS), "there are no intervals of table")
    chosen, on = Setting.choose(setting, **choices), KEYS[number]
    pairs = table[["testset", "system"]].drop_duplicates().itertuples(index=False)
    bounds = pd.concat([_bounds(number, *pair, chosen, resamples, confidence) for pair in pairs])
    rows = table.drop(columns=["lower", "upper"], errors="ignore")
    found = rows.merge(bounds[[*on, "lower", "upper"]], on=on, how="left", validate="many_to_one")
    return found.astype({"lower": "Float64", "upper": "Float64"}).set_index(table.index)


@recipe.kept
def _bounds(
    number: int, testset: str, system: str, setting: Setting, resamples: int, confidence: float
) -> pd.DataFrame:
    """The `KEYS` of a table, ``value``, ``lower``, ``upper``, ``unit``, ``n`` (sentences) of one system."""
    options: dict[str, Any] = {"resamples": resamples, "confidence": confidence}
    rows, key, named = _ROWS[number], KEYS[number][2], {"testset": testset, "system": system}
    if rows["track"] == "word classes":
        return class_intervals(testset, system, setting, gold=rows["gold"], **options).assign(**named)
    heads = fit(testset, run_named(testset, system, rows["track"], setting)).labels
    longest = setting.short if rows.get("length") == "short" else None
    golds = gold_standards(testset) if number == 5 else {"": data(testset).test}
    counts: Any = {name: attachment_scores(gold, heads[: len(gold)], max_length=longest, punctuation=False)
                   for name, gold in golds.items()}  # fmt: skip
    if number == 6:
        labels = table6_relations(relations(testset), (counts[""].tokens["gold_head"] == 0).to_numpy())
        counts = dict(iter(sentence_counts_by(counts[""], labels, key).groupby(key, sort=False)))
    return intervals_by(counts, key, random_state=setting.seed, **options).assign(**named)


@recipe.takes_setting(Setting)
def intervals(setting: Setting) -> pd.DataFrame:
    """Directed, undirected and NED of each system with a 95 % bootstrap interval, sentences resampled 1,000 times.

    Parameters
    ----------
    setting, **choices
        Setting of the paper, or single fields of it by name; see `Setting`.

    Returns
    -------
    DataFrame
        ``testset``, ``system``, ``measure``, ``value``, ``lower``, ``upper``, ``unit``, ``n`` (sentences).
    """
    frames = [_bounds(3, testset, system, setting, 1000, 0.95) for testset in setting.testsets for system in TREES]
    columns = ["testset", "system", "measure", "value", "lower", "upper", "unit", "n"]
    return pd.concat(frames, ignore_index=True)[columns]


def differences(testset: str, setting: Setting | None = None, measure: str = "directed") -> pd.DataFrame:
    """Paired bootstrap for each pair of systems on one test set; see `analysis.dependencies.compare_systems`.

    Parameters
    ----------
    testset : str
        Name of a test set.
    setting : Setting, optional
        Setting of the paper, or single fields of it by name; see `Setting`.
    measure : str
        Name of a measure.

    Returns
    -------
    DataFrame
    """
    chosen = Setting.choose(setting)
    scored = {name: attached(testset, name, "dependencies", chosen) for name in TREES}
    return compare_systems(scored, measure, random_state=chosen.seed)


def difference(
    system: str,
    other: str,
    testset: str,
    measure: str = "directed",
    setting: Setting | None = None,
    *,
    track: str = "dependencies",
    gold: str = "universal",
    resamples: int = 1000,
    confidence: float = 0.95,
) -> pd.Series:
    """Paired bootstrap of two systems in any measure of the challenge.

    Parameters
    ----------
    system, other : str
    testset : str
    measure : {"directed", "undirected", "NED", "M-1", "1-1", "VM", "VI"}
        A measure of word classes compares systems of that track, whatever `track` says.
    setting : Setting, optional
        Its seed is that of the resampling.
    track : {"dependencies", "joint"}
    gold : {"coarse", "fine", "universal"}
        Of word classes.
    resamples : int
    confidence : float

    Returns
    -------
    Series
        ``measure``; ``difference``, ``lower``, ``upper`` of the first system's value minus the other's (proportions; VI
        in bits); ``opposite``, the share of resamples in which it is zero or has the other sign; ``resamples``.

    Raises
    ------
    ValueError
        If a system does not run, or there is no such measure.
    """
    recipe.check_known([measure], (*TREE_MEASURES, *_NAMES), "there is no measure")
    chosen = Setting.choose(setting)
    options: dict[str, Any] = {"resamples": resamples, "confidence": confidence, "random_state": chosen.seed}
    if measure in TREE_MEASURES:
        first, second = (attached(testset, name, track, chosen) for name in (system, other))
        found = paired_bootstrap(first, second, measure, **options).to_frame()
    else:
        ours, theirs = (labelled(testset, name, chosen) for name in (system, other))
        found = categories.paired_bootstrap(
            ours[gold], ours["predicted"], theirs["predicted"], ours["sentence"], [_NAMES[measure]],
            base=2, assignment=chosen.assignment, **options,
        )  # fmt: skip
    row = found.assign(measure=measure).iloc[0].rename(f"{system} - {other}")
    return row[["measure", "difference", "lower", "upper", "opposite", "resamples"]]


def labelled(testset: str, system: str, setting: Setting | None = None) -> pd.DataFrame:
    """The scored tokens of a test set with the clusters of one system of the track of word classes.

    Parameters
    ----------
    testset : str
        Name of a test set.
    system : str
        Name of a system.
    setting : Setting, optional
        Setting of the paper, or single fields of it by name; see `Setting`.

    Returns
    -------
    DataFrame
        ``sentence``, ``form``, ``coarse``, ``fine``, ``universal``, ``predicted``; without punctuation if the setting
        leaves it out.

    Raises
    ------
    ValueError
        If there is no such system, or it does not run on this test set.
    """
    chosen, (tokens, _, _) = Setting.choose(setting), data(testset)
    clusters = fit(testset, run_named(testset, system, "word classes", chosen)).labels
    scored = tokens.assign(predicted=clusters)[tokens["scored"]].reset_index(drop=True)
    words = scored[["sentence", "form", *LEVELS.values(), "predicted"]]
    return words if chosen.punctuation else words[~find_punctuation(scored).mask].reset_index(drop=True)


@recipe.kept
def class_intervals(
    testset: str,
    system: str,
    setting: Setting | None = None,
    *,
    gold: str = "universal",
    resamples: int = 1000,
    confidence: float = 0.95,
) -> pd.DataFrame:
    """The four measures of one system with a bootstrap interval, sentences resampled.

    Parameters
    ----------
    testset, system : str
    setting : Setting, optional
        Its seed is that of the resampling.
    gold : {"coarse", "fine", "universal"}
    resamples : int
    confidence : float

    Returns
    -------
    DataFrame
        ``measure``, ``value``, ``lower``, ``upper``, ``unit`` (proportion; VI in bits), ``n`` (sentences).
    """
    tokens, chosen = labelled(testset, system, setting), Setting.choose(setting)
    found = categories.bootstrap_intervals(
        tokens[gold], tokens["predicted"], tokens["sentence"], list(_NAMES.values()),
        resamples=resamples, confidence=confidence, base=2, assignment=chosen.assignment, random_state=chosen.seed,
    )  # fmt: skip
    found = found.assign(measure=CLASS_MEASURES, n=tokens["sentence"].nunique())
    return found[["measure", "value", "lower", "upper", "unit", "n"]]


# DMV on other tags, and its variants ----------------------------------------------------------------------------------


@recipe.takes_setting(Setting)
def joint_quality(
    setting: Setting,
    testset: str | None = None,
    n_jobs: int = 1,
    *,
    others: Sequence[str] = ("Clark03", "GG07"),
) -> pd.DataFrame:
    """Quality of the tags against quality of the trees that DMV induces on them.

    Parameters
    ----------
    setting, **choices
        As for `scores`.
    testset : str, optional
        By default that of the curves.
    n_jobs : int
        Processes; the numbers do not depend on it.
    others : sequence of str
        Of `OTHERS`: clusterings that are not in the challenge. The last two take longer.

    Returns
    -------
    DataFrame
        One row per clustering: ``testset``, ``system`` (as in Table 2, or of `OTHERS`; ``gold-c``, ``gold-p``,
        ``gold-u`` for gold tags, ``Random`` for random classes of word types), ``model``, ``k`` (asked for),
        ``clusters`` (found), ``M-1`` and ``VM`` (against fine tags, punctuation included), ``directed``,
        ``undirected``, ``NED`` with their ``unit`` and ``n`` (tokens scored), ``seed``, ``data_version``,
        ``convention``.

    Raises
    ------
    ValueError
        If one of `others` is unknown.
    """
    recipe.check_known(others, OTHERS, "there is no other clustering")
    name, seed = testset or setting.curve_testset, ("random_state", setting.seed)
    fine, more = number_of_tags(name, "fine"), {**{other: OTHERS[other] for other in others}, "Random": ()}
    found = [
        *systems(name, setting, "word classes"),
        *(make_run(other, "other", "fine", fine, (*parameters, seed)) for other, parameters in more.items()),
        *(make_run(f"gold-{tags}", "gold", level, number_of_tags(name, level)) for tags, level in LEVELS.items()),
    ]
    trees = {"iterations": setting.iterations, "max_length": setting.train_length, "normalise": setting.normalise}
    cells = [{"testset": name, "run": asdict(run), "trees": trees, "seed": setting.seed} for run in found]
    version = data(name).version
    return recipe.evaluate_all(evaluate_quality, cells, data=version, n_jobs=n_jobs, progress=False)["quality"]


@recipe.kept
def variants(
    testset: str = "nursery", level: str = "fine", *, sentences: int = 500, iterations: int = 15, read: int = 60
) -> pd.DataFrame:
    """Ambiguity and accuracy of each variant of DMV, iteration by iteration, on the sentences trained on.

    Parameters
    ----------
    testset : str
    level : {"coarse", "fine", "universal"}
        Granularity of tags.
    sentences : int
        So many, of 2 to 10 words, are trained on and scored.
    iterations : int
    read : int
        Sentences, the first, over which ambiguity is averaged.

    Returns
    -------
    DataFrame
        ``system`` (of `DMV_VARIANTS`), then as `analysis.dependencies.models.training_trace`, scores as proportions.

    References
    ----------
    Tu & Honavar (2012); Gelling et al. (2012), section 3 (there Tu).
    """
    some = short_sentences(testset, sentences)
    models = {name: trained(testset, level, sentences, iterations, tuple(parameters.items()))
              for name, parameters in DMV_VARIANTS.items()}  # fmt: skip
    return compare_variants(models, some, sentences=read)


def short_sentences(testset: str = "nursery", sentences: int = 500) -> pd.DataFrame:
    """The first sentences of the test set that have 2 to 10 words and no punctuation."""
    return sentences_without_punctuation(data(testset).test, shortest=2, longest=10, first=sentences)


@recipe.kept(copied=False)
def trained(testset: str, level: str, sentences: int, iterations: int, parameters: Parameters) -> DMV:
    """A variant of DMV, trained on `short_sentences`; see `analysis.dependencies.models.train_variant`."""
    return train_variant(short_sentences(testset, sentences), level, iterations, **dict(parameters))
