"""The paper's tables, recomputed and beside the printed ones, with its averages and its bold."""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from analysis.dependencies import find_punctuation
from analysis.papers.comparison import compare as compare_tables
from analysis.papers.comparison import printed
from analysis.papers.gelling2012.evaluation import CLASS_MEASURES, LOWER_IS_BETTER, TREE_MEASURES, evaluations
from analysis.papers.gelling2012.setting import TESTSETS, Setting, data, make_setting, treebank, treebanks

#: Printed tables by number; those with averages have them in a file of their own.
FILES = {
    1: "table1_treebanks", 2: "table2_pos_upos", 3: "table3_dependency", 4: "table4_joint",
    5: "table5_ptb_conversions", 6: "table6_ptb_relations", 7: "table7_pos_fine", 8: "table8_dependency_len10",
    9: "table9_joint_len10",
}  # fmt: skip
WITH_AVERAGES = (2, 3, 4, 7, 8, 9)
MEASURES = {number: CLASS_MEASURES if number in (2, 7) else TREE_MEASURES for number in WITH_AVERAGES}
#: What names a number of each table.
KEYS = {
    1: ["partition", "property", "testset"],
    **{number: ["measure", "testset", "system"] for number in WITH_AVERAGES},
    5: ["measure", "testset", "conversion", "system"],
    6: ["measure", "testset", "relation", "system"],
}  # fmt: skip
_SOURCES = {
    2: ("word classes", {"gold": "universal"}), 7: ("word classes", {"gold": "fine"}),
    3: ("dependencies", {"length": "all"}), 8: ("dependencies", {"length": "short"}),
    4: ("joint", {"length": "all"}), 9: ("joint", {"length": "short"}),
}  # fmt: skip


def printed_table(number: int) -> pd.DataFrame:
    """A printed table: what names each number, ``value`` and, where the paper has it, ``bold``.

    Parameters
    ----------
    number : int
        1 to 9.

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
    if number not in FILES:
        raise ValueError(f"the paper has tables 1 to 9, not {number!r}.")
    table = printed("gelling2012", FILES[number])
    table = table.assign(value=pd.to_numeric(table["value"], errors="coerce").astype("Float64"))  # N/A is missing
    if number == 1:
        return table[table["value"].notna()].reset_index(drop=True)[[*KEYS[1], "value", "unit"]]
    return table[[*KEYS[number], "value", "bold"]]


def printed_averages(number: int) -> pd.DataFrame:
    """The printed averages of Table 2, 3, 4, 7, 8 or 9: ``measure``, ``system``, ``value``, ``bold``."""
    if number not in WITH_AVERAGES:
        raise ValueError(f"tables {', '.join(map(str, WITH_AVERAGES))} have averages, not {number!r}.")
    return printed("gelling2012", f"{FILES[number]}_averages")[["measure", "system", "value", "bold"]]


def scores(setting: Setting | None = None, **choices: object) -> pd.DataFrame:
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
        A long result table with ``testset``, ``track`` (word classes, dependencies, joint), ``gold`` (which tags, or
        heads), ``punctuation`` (scored, left out), ``length`` (all, short), and for word classes ``classes`` and
        ``clusters``. Values are percentages, VI is in bits. ``k`` is the number of tags or clusters of the system.
    """
    return evaluations(make_setting(setting, choices)).scores


def runs(setting: Setting | None = None, *, seconds: bool = True, **choices: object) -> pd.DataFrame:
    """What each run did: steps, sentences trained on, sentences smoothed, last log-likelihood.

    Parameters
    ----------
    seconds : bool
        Whether to say how long each fit took when it was computed.
    """
    table = evaluations(make_setting(setting, choices)).runs.drop(columns=["corpus"])
    whole = dict.fromkeys(("k", "steps", "trained", "smoothed"), "Int64")
    return (table if seconds else table.drop(columns="seconds")).astype(whole)


def _scores_of(number: int, setting: Setting) -> pd.DataFrame:
    track, factors = _SOURCES[number]
    table = evaluations(setting).scores
    rows = table[table["track"] == track]
    for name, value in factors.items():
        rows = rows[rows[name] == value]
    if track == "word classes":
        rows = rows[rows["punctuation"] == ("scored" if setting.punctuation else "left out")]
    measures = {name: place for place, name in enumerate(MEASURES[number])}
    rows = rows.sort_values("measure", key=lambda column: column.map(measures), kind="stable", ignore_index=True)
    return rows.assign(bold=is_best(rows))


def table1(setting: Setting | None = None, **choices: object) -> pd.DataFrame:
    """Properties of the treebanks: sizes of the test set and numbers of tags in all the text at hand.

    Parameters
    ----------
    setting, **choices
        As for `scores`.

    Returns
    -------
    DataFrame
        ``partition``, ``property``, ``testset``, ``value``, ``unit``, ``corpus``, ``data_version``. ``train`` is all
        the text that systems are trained on here, the test set included; ``new_words`` is the share of word types of
        the test set that the rest of the text lacks, in percent, and is missing where there is no other text.

    References
    ----------
    Gelling et al. (2012), Table 1.

    Examples
    --------
    >>> table1().query("property == 'cpostag'")[["testset", "value"]].values.tolist()
    [['nursery', 12.0]]
    """
    rows = []
    for testset in make_setting(setting, choices).testsets or ():
        found = data(testset)
        common = {"testset": testset, "corpus": treebank(testset)["corpus"], "data_version": found.version}
        for partition, part in (("train", found.tokens), ("test", found.test)):
            sentences = int(part["sentence"].nunique())
            sizes = {"tokens": len(part), "sentences": sentences, "tokens_per_sentence": len(part) / sentences}
            units = ("tokens", "sentences", "tokens per sentence")
            rows += [
                common | {"partition": partition, "property": name, "value": float(value), "unit": unit}
                for (name, value), unit in zip(sizes.items(), units, strict=True)
            ]
        for name, column in (("cpostag", "coarse"), ("postag", "fine"), ("feats", "features")):
            value = float(found.tokens[column].nunique()) if column in found.tokens.columns else 0.0
            rows.append(common | {"partition": "train", "property": name, "value": value, "unit": "types"})
        rest = set(found.tokens["form"][~found.tokens["scored"]].astype("str"))
        types = set(found.test["form"].astype("str"))
        share = 100 * len(types - rest) / len(types) if rest else None
        unit = "percent of word types"
        rows.append(common | {"partition": "test", "property": "new_words", "value": share, "unit": unit})
    table = pd.DataFrame(rows)[[*KEYS[1], "value", "unit", "corpus", "data_version"]]
    return table.astype({"value": "Float64"})


def table2(setting: Setting | None = None, **choices: object) -> pd.DataFrame:
    """Word classes against the universal tags: M-1, 1-1 and VM in percent, VI in bits.

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
    return _scores_of(2, make_setting(setting, choices))


def table3(setting: Setting | None = None, **choices: object) -> pd.DataFrame:
    """Trees from gold tags, all sentences: directed and undirected accuracy and NED, in percent.

    Parameters and result as in `table2`.

    References
    ----------
    Gelling et al. (2012), Table 3.
    """
    return _scores_of(3, make_setting(setting, choices))


def table4(setting: Setting | None = None, **choices: object) -> pd.DataFrame:
    """Trees from words alone: DMV on Brown clusters; all sentences. Parameters and result as in `table2`.

    References
    ----------
    Gelling et al. (2012), Table 4.
    """
    return _scores_of(4, make_setting(setting, choices))


def table5(setting: Setting | None = None, **choices: object) -> pd.DataFrame:
    """Directed accuracy against five conversions of the Penn sample or of the built-in language, with the best.

    Parameters
    ----------
    setting, **choices
        As for `scores`.

    Returns
    -------
    DataFrame
        ``measure``, ``testset``, ``conversion`` (``best`` for the highest, which ``of`` names), ``system``, ``value``,
        ``numerator``, ``denominator``, ``convention``, ``bold``. No row if neither is among the test sets: other
        treebanks lack the tags that re-heading needs.

    References
    ----------
    Gelling et al. (2012), Table 5; see `analysis.dependencies.rules_table`.
    """
    table = evaluations(make_setting(setting, choices)).standards
    columns = [*KEYS[5], "value", "numerator", "denominator", "convention", "of"]
    if not len(table):
        return pd.DataFrame(columns=[*columns, "bold"])
    rows = table[(table["measure"] == "directed") & (table["track"] == "dependencies")].reset_index(drop=True)
    return rows[columns].assign(bold=is_best(rows, ["measure", "testset", "conversion"]))


def table6(setting: Setting | None = None, **choices: object) -> pd.DataFrame:
    """Directed accuracy over the tokens of each gold relation.

    Parameters
    ----------
    setting, **choices
        As for `scores`.

    Returns
    -------
    DataFrame
        ``measure``, ``testset``, ``relation``, ``system``, ``value``, ``numerator``, ``denominator``, ``convention``,
        ``bold``. The paper prints en-ptb only; other test sets are there too, by the map of relations.

    References
    ----------
    Gelling et al. (2012), Table 6.
    """
    table = evaluations(make_setting(setting, choices)).relations
    columns = [*KEYS[6], "value", "numerator", "denominator", "convention"]
    if not len(table):
        return pd.DataFrame(columns=[*columns, "bold"])
    rows = table[(table["measure"] == "directed") & (table["track"] == "dependencies")].reset_index(drop=True)
    rows = rows.astype({"relation": "str"})
    return rows[columns].assign(bold=is_best(rows, ["measure", "testset", "relation"]))


def table7(setting: Setting | None = None, **choices: object) -> pd.DataFrame:
    """Word classes against the fine tags. Parameters and result as in `table2`.

    References
    ----------
    Gelling et al. (2012), Table 7.
    """
    return _scores_of(7, make_setting(setting, choices))


def table8(setting: Setting | None = None, **choices: object) -> pd.DataFrame:
    """Trees from gold tags, sentences of at most ten tokens with punctuation. Parameters and result as in `table2`.

    References
    ----------
    Gelling et al. (2012), Table 8.
    """
    return _scores_of(8, make_setting(setting, choices))


def table9(setting: Setting | None = None, **choices: object) -> pd.DataFrame:
    """Trees from words alone, sentences of at most ten tokens. Parameters and result as in `table2`.

    References
    ----------
    Gelling et al. (2012), Table 9.
    """
    return _scores_of(9, make_setting(setting, choices))


def figure1(setting: Setting | None = None, **choices: object) -> pd.DataFrame:
    """Directed accuracy against the length of the gold dependency, 1 to 9 words, punctuation taken out.

    Parameters
    ----------
    setting, **choices
        As for `scores`.

    Returns
    -------
    DataFrame
        ``testset``, ``system``, ``length``, ``measure``, ``value``, ``numerator``, ``denominator``, ``convention``: all
        three measures, on all test sets; the paper draws directed accuracy on en-ptb. It prints no numbers.

    References
    ----------
    Gelling et al. (2012), Figure 1.
    """
    table = evaluations(make_setting(setting, choices)).lengths
    rows = table[table["track"] == "dependencies"].reset_index(drop=True)
    return rows[["testset", "system", "length", "measure", "value", "numerator", "denominator", "convention"]]


# Averages and bold ----------------------------------------------------------------------------------------------------


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
        ``measure``, ``system``, ``value``, ``n`` (test sets averaged) and ``bold``; in order of appearance.

    Examples
    --------
    >>> averages(printed_table(4)).query("system == 'CGS'")[["measure", "n"]].values.tolist()
    [['directed', 9], ['undirected', 9], ['NED', 9]]
    """
    of_paper = table["testset"].isin(TESTSETS)
    rows = table[of_paper] if of_paper.any() else table
    found = rows.groupby(["measure", "system"], sort=False, observed=True)["value"].agg(["mean", "count"]).reset_index()
    found = found.rename(columns={"mean": "value", "count": "n"}).astype({"value": "Float64"})
    return found.assign(bold=is_best(found, ["measure"]))


def is_best(table: pd.DataFrame, row: Sequence[str] = ("measure", "testset")) -> pd.Series:
    """The paper's rule for bold: the best value of the row, ties included; lowest of VI, highest of all others.

    Parameters
    ----------
    table : DataFrame
        ``measure``, ``value``, and what names a row.
    row : sequence of str

    Examples
    --------
    >>> rows = pd.DataFrame({"measure": "VI", "testset": "danish", "value": [2.5, 3.1, None]})
    >>> is_best(rows).tolist()
    [True, False, False]
    """
    values = table["value"].astype("Float64").round(10)  # equal means that differ in the last bit are ties
    signed = values.where(~table["measure"].isin(LOWER_IS_BETTER), -values)
    best = signed.groupby([table[name] for name in row], observed=True).transform("max")
    return (signed == best).fillna(False).astype(bool)


def compare(table: pd.DataFrame, number: int) -> pd.DataFrame:
    """What `table1` … `table9` returned beside the printed table.

    Parameters
    ----------
    table : DataFrame
    number : int
        Of the table.

    Returns
    -------
    DataFrame
        What names a number, ``printed``, ``recomputed``, ``difference``, ``reproducible``; see
        `analysis.papers.comparison.compare`. Word classes are approximate, of another edition and less text; trees are
        approximate on en-ptb only, since UD has other heads (not at all comparable).

    Raises
    ------
    ValueError
        If the table is none of this paper's, or the number is another table's.
    """
    keys = KEYS.get(number, [])
    if not keys or not {*keys, "value"} <= set(table.columns):
        raise ValueError(f"compare takes what table{number} returned.")
    extra = [name for name in ("k", "clusters", "numerator", "denominator", "data_version", "convention")
             if name in table.columns]  # fmt: skip
    ours = table[[*keys, "value", *extra]]
    theirs = printed_table(number)
    if number == 5:
        best = printed("gelling2012", f"{FILES[5]}_best").assign(conversion="best")
        theirs = pd.concat([theirs, best[theirs.columns]], ignore_index=True)
    found = compare_tables(ours, theirs, on=keys)
    if number in (3, 4, 8, 9):
        near = set(treebanks().query("comparable == 'approximately'")["testset"])
        other = (found["reproducible"] == "approximately") & ~found["testset"].isin(near)
        found.loc[other, "reproducible"] = "not at all"
        found.loc[other, "difference"] = pd.NA
    return found


def compare_averages(table: pd.DataFrame, number: int) -> pd.DataFrame:
    """The averages of a recomputed table beside the printed ones: ``measure``, ``system``, ``printed``, …"""
    reproducible = "approximately" if number in (2, 7) else "not at all"
    if not table["testset"].isin(TESTSETS).any():
        reproducible = "not at all"
    return compare_tables(
        averages(table)[["measure", "system", "value", "n"]],
        printed_averages(number),
        on=["measure", "system"],
        reproducible=reproducible,
    )


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
    name = next((key for key in ("conversion", "relation") if key in rows.columns), "testset")
    keys = ["testset", name] if name != "testset" else ["testset"]
    long = rows.melt(id_vars=[*keys, "system"], value_vars=["printed", "recomputed"], var_name="source")
    systems = list(dict.fromkeys(long["system"]))
    wide = long.dropna(subset="value").pivot(index=[*keys, "source"], columns="system", values="value")
    names = list(dict.fromkeys(zip(*(long[key] for key in keys), strict=True)))
    order = [(*name, source) for name in names for source in ("printed", "recomputed")]
    wide = wide.loc[[index for index in order if index in wide.index], [name for name in systems if name in wide]]
    return wide.rename_axis(columns=None)


# The printed tables against themselves -------------------------------------------------------------------------------


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
    rows: list[dict[str, object]] = []
    for number in WITH_AVERAGES:
        table = printed_table(number)
        for row in _wrong_averages(number, table):
            rows.append({"table": number, "kind": "average", "row": "averages", **row})
        blocks = [(table, ["measure", "testset"]), (printed_averages(number), ["measure"])]
        for block, keys in blocks:
            rows += [{"table": number, "kind": "bold", **row} for row in _wrong_bold(block, keys)]
    for number in (5, 6):
        table = printed_table(number)
        keys = ["measure", "testset", "conversion" if number == 5 else "relation"]
        rows += [{"table": number, "kind": "bold", **row} for row in _wrong_bold(table, keys)]
    columns = ["table", "kind", "measure", "row", "system", "printed", "expected", "why"]
    return pd.DataFrame(rows, columns=columns).sort_values(["kind", "table"], kind="stable", ignore_index=True)


def _wrong_averages(number: int, table: pd.DataFrame) -> list[dict[str, object]]:
    """Averages whose last printed digit is not that of the rounded mean."""
    from decimal import ROUND_HALF_UP, Decimal

    digits = printed("gelling2012", f"{FILES[number]}_averages")
    places = 2 if number in (2, 7) else 1
    rows = []
    for row in digits.itertuples():
        part = table[(table["measure"] == row.measure) & (table["system"] == row.system)]["value"].dropna()
        mean = sum((Decimal(f"{value:.2f}") for value in part), Decimal(0)) / len(part)
        unit = Decimal(1).scaleb(-places)
        expected, given = mean.quantize(unit, ROUND_HALF_UP), Decimal(f"{row.value:.{places}f}")
        if expected == given:
            continue
        half = (mean - unit / 2) == given
        why = "an exact half, printed down" if half else "explained by unrounded rows"
        rows.append({"measure": row.measure, "system": row.system, "printed": str(given),
                     "expected": f"{mean.normalize():f}" if half else f"{mean:.4f}", "why": why})  # fmt: skip
    return rows


def _wrong_bold(table: pd.DataFrame, keys: list[str]) -> list[dict[str, object]]:
    best = is_best(table, keys)
    rows = []
    for key, part in table.groupby(keys, sort=False, observed=True):
        should = best[part.index]
        if (should == part["bold"]).all():
            continue
        marked = ", ".join(part["system"][part["bold"]]) or "none"
        expected = ", ".join(part["system"][should])
        why = "as if N/A had counted as zero" if part["value"].isna().any() else "a tie, of which one is marked"
        name = key[-1] if len(keys) > 1 else "averages"
        rows.append({"measure": key[0], "row": name, "system": expected, "printed": marked, "expected": expected,
                     "why": why})  # fmt: skip
    return rows


def punctuation_share(setting: Setting | None = None, **choices: object) -> pd.DataFrame:
    """How many tokens of each test set are punctuation, and by which rule."""
    rows = []
    for testset in make_setting(setting, choices).testsets or ():
        test = data(testset).test
        marks = find_punctuation(test)
        rows.append((testset, len(test), int(marks.mask.sum()), 100 * float(np.mean(marks.mask)), marks.rule))
    return pd.DataFrame(rows, columns=["testset", "tokens", "punctuation", "percent", "rule"])
