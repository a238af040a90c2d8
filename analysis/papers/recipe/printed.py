"""Printed numbers, and their comparison with recomputed ones."""

from collections.abc import Iterator, Mapping, Sequence
from decimal import ROUND_HALF_UP, Decimal
from pathlib import Path
from typing import Any

import pandas as pd

from analysis.corpora.folders import data_folder
from analysis.papers.recipe.finding import folder_of
from analysis.papers.recipe.settings import check_known
from analysis.structures.kept import kept
from analysis.structures.units import in_percent

REPRODUCIBLE = ("exactly", "at best approximately", "not at all")
#: Names of the glossary for those in the headers of ``data/published``.
_HEADERS = {"metric": "measure", "metric_a": "measure_a", "metric_b": "measure_b", "model": "system"}


def printed_folder(paper: str) -> Path:
    """The folder of a paper's printed numbers: in the suite's data, or next to the module of an external paper."""
    shipped = data_folder() / "published" / paper
    return shipped if shipped.is_dir() else folder_of(paper)


@kept
def printed(paper: str, table: str) -> pd.DataFrame:
    """The numbers that a paper prints, as a tidy table.

    Parameters
    ----------
    paper : str
        Folder of ``data/published``, such as ``"frank2009"``.
    table : str
        File there without its ending, such as ``"table3_merge"``.

    Returns
    -------
    DataFrame
        In printed order, with the columns of the glossary; ``digits`` keeps the text of ``value`` as printed.

    Raises
    ------
    ValueError
        If there is no such file; the message lists the existing ones.

    Examples
    --------
    >>> printed("frank2009", "table2_spearman")[["measure_a", "measure_b", "value"]]
      measure_a measure_b  value
    0        SP        PP  0.638
    1        SR        PR  0.755
    2        SP        MA  0.677
    """
    files = {path.stem: path for path in sorted(printed_folder(paper).glob("*.csv"))}
    check_known([table], files, f"no printed numbers for {paper!r}, table")
    frame = pd.read_csv(files[table], keep_default_na=False, dtype="str", encoding="utf-8").rename(columns=_HEADERS)
    for column in frame.columns.difference(["row", "printed", "id"], sort=False):
        numbers = pd.to_numeric(frame[column].replace("", None), errors="coerce")
        if column == "value":
            frame["digits"] = frame[column]
            frame[column] = numbers.astype("Float64") if not (numbers.isna() & ~frame[column].isin(["", "N/A"])).any() \
                else frame[column]  # fmt: skip
        elif set(frame[column]) <= {"true", "false"}:
            frame[column] = frame[column] == "true"
        elif numbers.notna().all():
            frame[column] = numbers
    return frame


def compare(
    recomputed: pd.DataFrame,
    printed_table: pd.DataFrame,
    on: Sequence[str],
    *,
    reproducible: str | Mapping[str, str] = "at best approximately",
    why: Mapping[str, str] | str = "",
    percent: bool = False,
) -> pd.DataFrame:
    """Compare recomputed numbers with the printed ones.

    Parameters
    ----------
    recomputed, printed_table : DataFrame
        Both with the columns ``on`` and ``value``.
    on : sequence of str
        The factors that name a number.
    reproducible : {"exactly", "at best approximately", "not at all"} or mapping of str to these
        How far the available data can reproduce the rows that are in both tables, whatever the result is: exactly
        (derived from printed numbers), at best approximately (another edition or seed; the difference says how near),
        not at all (other or generated data); by test set where these differ.
    why : str or mapping of str to str
        Why a printed number is not recomputed; by system where the reasons differ (``""``: all others;
        ``"MZ-c"`` is a system ``"MZ"``).
    percent : bool
        Whether the paper prints percent: recomputed proportions are then converted to percent.

    Returns
    -------
    DataFrame
        The columns ``on``, then ``printed``, ``recomputed``, ``difference`` (recomputed minus printed; empty where
        the available data can reproduce nothing), ``reproducible`` and ``why`` (of printed rows without a recomputed
        number); further columns of ``recomputed`` are kept. Printed rows without a recomputed number stay, with
        ``not at all``; recomputed rows that the paper does not print stay too, with ``not printed``.

    Raises
    ------
    ValueError
        If ``reproducible`` is none of the three words or a factor names two numbers.

    Examples
    --------
    >>> ours = pd.DataFrame({"measure": ["PP"], "value": [0.25]})
    >>> theirs = pd.DataFrame({"measure": ["PP", "PR"], "value": [0.24, 0.5]})
    >>> compare(ours, theirs, on=["measure"], why="not measured").round(2)
      measure  printed  recomputed  difference           reproducible           why
    0      PP     0.24        0.25        0.01  at best approximately
    1      PR      0.5        <NA>        <NA>             not at all  not measured
    """
    on = list(on)
    if not {*([reproducible] if isinstance(reproducible, str) else reproducible.values())} <= set(REPRODUCIBLE):
        raise ValueError(f"reproducible is one of {', '.join(REPRODUCIBLE)}, not {reproducible!r}.")
    for name, frame in (("recomputed", recomputed), ("printed", printed_table)):
        if frame.duplicated(on).any():
            row = frame.loc[frame.duplicated(on), on].iloc[0].to_dict()
            raise ValueError(f"the {name} table has two numbers for {row}: name a further factor in `on`.")
    ours = (in_percent(recomputed) if percent else recomputed).rename(columns={"value": "recomputed"})
    theirs = printed_table[[*on, "value"]].rename(columns={"value": "printed"})
    both = theirs.merge(ours, on=on, how="outer", indicator=True, sort=False)
    order = pd.concat([theirs, ours])[on].drop_duplicates(ignore_index=True)  # printed order first
    both = order.merge(both, on=on, how="left", validate="one_to_one")
    both = both.astype({"printed": "Float64", "recomputed": "Float64", "_merge": "str"})
    absent = both["recomputed"].isna() & both["printed"].notna()
    how = reproducible if isinstance(reproducible, str) else both["testset"].map(reproducible)
    alone = both["_merge"].map({"left_only": "", "right_only": "not printed"}).mask(absent, "not at all")
    both["reproducible"] = alone.fillna(how)
    # a difference between data that have nothing to do with each other means nothing
    both["difference"] = (both["recomputed"] - both["printed"]).mask(both["reproducible"] == "not at all")
    reasons = {"": why} if isinstance(why, str) else dict(why)
    of_system = both["system"].astype("str") if "system" in both.columns else pd.Series("", index=both.index)
    named = of_system.map(reasons).fillna(of_system.str.partition("-")[0].map(reasons))
    both["why"] = named.fillna(reasons.get("", "")).where(absent, "")
    first = [*on, "printed", "recomputed", "difference", "reproducible", "why"]
    return both[first + [column for column in both.columns if column not in [*first, "_merge"]]]


def side_by_side(
    comparison: pd.DataFrame, rows: Sequence[str], columns: str, order: Sequence[str] | None = None
) -> pd.DataFrame:
    """Arrange the result of `compare` like the paper's table: printed and recomputed numbers by measure or system.

    Parameters
    ----------
    comparison : DataFrame
        One number for each pair of row and column.
    rows : sequence of str
        Factors that name a row.
    columns : str
        The factor whose values are the columns.
    order : sequence of str, optional
        Its values; by default in order of appearance.

    Returns
    -------
    DataFrame
    """
    wide = comparison.pivot(index=list(rows), columns=columns, values=["printed", "recomputed"])
    kept = comparison[list(rows)].drop_duplicates().itertuples(index=False, name=None)
    across = list(order) if order is not None else list(dict.fromkeys(comparison[columns]))
    pairs = [(value, side) for value in across for side in ("printed", "recomputed")]
    index = list(kept) if len(rows) > 1 else [key for (key,) in kept]
    return wide.swaplevel(axis=1)[pairs].loc[index].rename_axis(columns=["", ""])


def flat(table: pd.DataFrame) -> pd.DataFrame:
    """Give a side-by-side table plain columns (``PP printed``, ``PP recomputed``), as in the report.

    Parameters
    ----------
    table : DataFrame
        Printed and recomputed values side by side; the columns may have two levels.

    Returns
    -------
    DataFrame
    """
    plain = table.copy(deep=False)
    plain.columns = [" ".join(map(str, name)) if isinstance(name, tuple) else str(name) for name in plain.columns]
    return plain.reset_index()


def is_best(table: pd.DataFrame, row: Sequence[str], lower_is_better: Sequence[str] = ()) -> pd.Series:
    """Mark the best value of each row, ties included: the rule for bold.

    Parameters
    ----------
    table : DataFrame
        ``measure``, ``value``, and what names a row.
    row : sequence of str
    lower_is_better : sequence of str
        Measures of which the lowest value is the best.

    Returns
    -------
    Series

    Examples
    --------
    >>> rows = pd.DataFrame({"measure": "VI", "testset": "danish", "value": [2.5, 3.1, None]})
    >>> is_best(rows, ["measure", "testset"], ["VI"]).tolist()
    [True, False, False]
    """
    values = table["value"].astype("Float64").round(10)  # equal means that differ in the last bit are ties
    signed = values.where(~table["measure"].isin(list(lower_is_better)), -values)
    best = signed.groupby([table[name] for name in row], observed=True).transform("max")
    return (signed == best).fillna(False).astype(bool)


def averages(table: pd.DataFrame, over: str = "testset", lower_is_better: Sequence[str] = ()) -> pd.DataFrame:
    """Mean of each system on each measure over test sets, without missing values.

    Parameters
    ----------
    table : DataFrame
        ``measure``, ``system``, ``value``, what it is averaged over and, if wished, ``unit``.
    over : str
        Column that is averaged over.
    lower_is_better : sequence of str
        Measures of which the lowest mean is the best.

    Returns
    -------
    DataFrame
        ``measure``, ``system``, ``value``, ``unit`` if the table has it, ``n`` (averaged), ``bold``; in order of
        appearance.

    Raises
    ------
    ValueError
        If a system has two numbers for one value of ``over``.

    Examples
    --------
    >>> rows = pd.DataFrame({"measure": "V", "system": "A", "testset": ["czech", "dutch"], "value": [0.5, None]})
    >>> averages(rows)[["value", "n"]].values.tolist()
    [[0.5, 1]]
    """
    keys = ["measure", "system", *(["unit"] if "unit" in table.columns else [])]
    if table.duplicated([*keys, over]).any():
        raise ValueError(f"a system has two numbers for one {over}: choose the rows first.")
    found = table.groupby(keys, sort=False, observed=True)["value"].agg(value="mean", n="count").reset_index()
    found = found.astype({"value": "Float64"})[["measure", "system", "value", *keys[2:], "n"]]
    return found.assign(bold=is_best(found, ["measure"], lower_is_better))


def stacked(comparison: pd.DataFrame, rows: Sequence[str], columns: str = "system") -> pd.DataFrame:
    """Arrange the result of `compare` with the recomputed row below the printed one, for tables with many columns.

    Parameters
    ----------
    comparison : DataFrame
        One number for each pair of row and column.
    rows : sequence of str
        Factors that name a row.
    columns : str
        The factor whose values are the columns; columns without numbers are left out.

    Returns
    -------
    DataFrame
        Indexed by the factors and ``source`` (printed, recomputed).
    """
    sides = ["printed", "recomputed"]
    long = comparison.melt([*rows, columns], sides, "source").dropna(subset="value")
    wide = long.pivot(index=[*rows, "source"], columns=columns, values="value").rename_axis(columns=None)
    names = comparison[list(rows)].drop_duplicates().itertuples(index=False, name=None)
    order = [(*name, side) for name in names for side in sides if (*name, side) in wide.index]
    return wide.loc[order, [name for name in dict.fromkeys(comparison[columns]) if name in wide.columns]]


def printed_only(paper: str, task: str) -> dict[str, str]:
    """Systems of a paper that do not run in this suite, with the reason that `compare` gives.

    Parameters
    ----------
    paper : str
        As in ``data/systems.csv``.
    task : str

    Returns
    -------
    dict of str to str

    Examples
    --------
    >>> printed_only("Gelling et al. 2012", "dependencies"), *printed_only("Clark & Hockenmaier 2002", "CCG parsing")
    ({}, "Collins's parser")
    """
    table = pd.read_csv(data_folder() / "systems.csv", dtype="str", keep_default_na=False, encoding="utf-8")
    rows = table[(table["paper"] == paper) & (table["task"] == task) & (table["state"] == "printed only")]
    return {row.system: f"printed only: {row.name} does not run in this suite" for row in rows.itertuples(index=False)}


def inconsistencies(paper: str, table: str, lower_is_better: Sequence[str] = ()) -> pd.DataFrame:
    """Find averages and bold marks of a printed table that do not follow from its rows.

    Parameters
    ----------
    paper, table : str
        As for `printed`: a table with ``bold``; its averages, if any, are in the file ``TABLE_averages``.
    lower_is_better : sequence of str

    Returns
    -------
    DataFrame
        ``kind`` (average, bold), ``measure``, ``row`` (averages, or what names it), ``system``, ``printed``,
        ``expected``, ``why``.

    Examples
    --------
    >>> inconsistencies("gelling2012", "table9_joint_len10")[["kind", "system", "printed"]].values.tolist()
    [['average', 'CGS', '29.3'], ['average', 'DMV-u', '31.1'], ['bold', 'CGS, DMV-p', 'CGS']]
    """
    rows, means = printed(paper, table), pd.DataFrame()
    if (printed_folder(paper) / f"{table}_averages.csv").is_file():
        means = printed(paper, f"{table}_averages")
    keys = [name for name in rows.columns if name not in ("system", "value", "bold", "digits")]
    found = [*_wrong_averages(rows, means), *_wrong_bold(rows, keys, lower_is_better)]
    found += _wrong_bold(means, ["measure"], lower_is_better) if len(means) else []
    return pd.DataFrame(found, columns=["kind", "measure", "row", "system", "printed", "expected", "why"])


def _wrong_averages(rows: pd.DataFrame, means: pd.DataFrame) -> Iterator[Any]:
    """Averages whose last printed digit is not that of the rounded mean."""
    for mean in means.itertuples():
        part = rows.loc[(rows["measure"] == mean.measure) & (rows["system"] == mean.system) & rows["value"].notna()]
        exact = sum(map(Decimal, part["digits"]), Decimal(0)) / len(part)
        given = Decimal(str(mean.digits))
        if exact.quantize(given, ROUND_HALF_UP) != given:
            half = exact - Decimal(5).scaleb(int(given.as_tuple().exponent) - 1) == given
            expected = f"{exact.normalize():f}" if half else f"{exact:.4f}"
            why = "an exact half, rounded down in print" if half else "explained by unrounded rows"
            yield "average", mean.measure, "averages", mean.system, str(given), expected, why


def _wrong_bold(block: pd.DataFrame, keys: list[str], lower_is_better: Sequence[str]) -> Iterator[Any]:
    """Rows in which the bold value is not the best."""
    best = is_best(block, keys, lower_is_better)
    for key, part in block.groupby(keys, sort=False, observed=True):
        expected = part["system"][best[part.index]]
        if not (best[part.index] == part["bold"]).all():
            marked = ", ".join(part["system"][part["bold"]]) or "none"
            why = "as if N/A had counted as zero" if part["value"].isna().any() else "a tie, of which one is marked"
            row = key[-1] if len(keys) > 1 else "averages"
            yield "bold", key[0], row, ", ".join(expected), marked, ", ".join(expected), why
