"""The paper's tables, recomputed and beside the printed ones, and what they average."""

from collections.abc import Callable, Mapping, Sequence
from itertools import product

import numpy as np
import pandas as pd

from analysis.corpora.treebanks import treebank_sizes
from analysis.dependencies import find_punctuation, table6_relations
from analysis.papers import recipe
from analysis.papers.gelling2012.runs import (
    CLASS_MEASURES,
    LOWER_IS_BETTER,
    TREE_MEASURES,
    attached,
    evaluate,
    evaluations,
    relations,
)
from analysis.papers.gelling2012.setting import TESTSETS, Setting, data, treebank, treebanks

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
ROWS: Mapping[int, dict[str, str]] = {
    2: {"track": "word classes", "gold": "universal"}, 7: {"track": "word classes", "gold": "fine"},
    3: {"track": "dependencies", "length": "all"}, 8: {"track": "dependencies", "length": "short"},
    4: {"track": "joint", "length": "all"}, 9: {"track": "joint", "length": "short"},
    5: {"track": "dependencies", "measure": "directed"}, 6: {"track": "dependencies", "measure": "directed"},
}  # fmt: skip
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
    rows = chosen(scores, ROWS[number] | marks).sort_values(
        "measure", key=lambda names: names.map(MEASURES[number].index), kind="stable", ignore_index=True
    )
    return rows.assign(bold=is_best(rows))


def chosen(table: pd.DataFrame, factors: Mapping[str, object]) -> pd.DataFrame:
    """The rows of a table that have these values of some columns."""
    return table[np.logical_and.reduce([table[name] == value for name, value in factors.items()])]


def _by(number: int, table: pd.DataFrame | None) -> pd.DataFrame:
    """Table 5 or 6; without a row where nothing can be re-headed or no relation is known."""
    further = ["value", "unit", "numerator", "denominator", "convention", *(["of"] if number == 5 else [])]
    if table is None or not len(table):
        return pd.DataFrame(columns=[*KEYS[number], *further, "bold"])
    rows = chosen(table, ROWS[number])[[*KEYS[number], *further]].reset_index(drop=True)
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


def _of_scores(number: int, what: str) -> Callable[..., pd.DataFrame]:
    """The function of a table of scores."""

    def table(setting: Setting) -> pd.DataFrame:
        return of_scores(number, evaluations(setting)["scores"], setting.punctuation)

    table.__name__, table.__doc__ = f"table{number}", _OF_SCORES.format(what=what, number=number)
    return recipe.takes_setting(Setting)(table)


_OF_SCORES = """{what}

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
    Gelling et al. (2012), Table {number}.
    """
_SCORED = {
    2: "Word classes against the universal tags: M-1, 1-1 and VM as proportions, VI in bits.",
    3: "Trees from gold tags, all sentences: directed and undirected accuracy and NED.",
    4: "Trees from words alone: DMV on Brown clusters; all sentences.",
    7: "Word classes against the fine tags.",
    8: "Trees from gold tags, sentences of at most ten tokens with punctuation.",
    9: "Trees from words alone, sentences of at most ten tokens.",
}
table2, table3, table4, table7, table8, table9 = (_of_scores(number, what) for number, what in _SCORED.items())
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
    rows = chosen(evaluations(setting)["lengths"], {"track": "dependencies"}).reset_index(drop=True)
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
    """Scores of the rebuilt entrants (BC, C, CGS, G, Tu, S1, S2) on the ten treebanks with many sweeps, stored.

    Returns
    -------
    DataFrame
        A long result table as `scores` gives, with ``command`` and ``seconds`` (of the fit).
    """
    return recipe.stored("gelling2012_entrants", evaluate)


def stored_table(number: int) -> pd.DataFrame:
    """Table 2, 3, 4, 7, 8 or 9 of the stored long runs: rows of `scores`, with ``bold``.

    The test sets are the ten treebanks and basque-conll2007, which is in no average.

    Parameters
    ----------
    number : int
        Number of the table in the paper.

    Returns
    -------
    DataFrame
    """
    return of_scores(number, pd.concat([stored_full_run(), stored_entrants_run()], ignore_index=True))


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
        "no test set of the paper is run on this corpus"
        if not table["testset"].isin(TESTSETS).any() else
        "no such part beside what is counted, or the test set was not chosen" if number == 1 else
        "not run on this test set with this setting"
    )  # fmt: skip
    absent = recipe.printed_only("Gelling et al. 2012", ROWS[number]["track"]) if number > 1 else {}
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
    how = {name: "at best approximately" if number not in _TREES or near.get(name) else "not at all"
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
    how = "at best approximately" if number in (2, 7) and table["testset"].isin(TESTSETS).any() else "not at all"
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
    """What could give the printed rows of Table 6 whose trees need no training: each reading beside the printed.

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


# Could it be chance? --------------------------------------------------------------------------------------------------
