"""Schemas of the tables that the packages exchange, and their checks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from analysis.structures.checks import check_columns, check_complete
from analysis.structures.columns import Columns, as_frame
from analysis.structures.lazy import pd

#: Columns of a tokens table and their meaning; absent layers are absent columns.
TOKEN_COLUMNS: Mapping[str, str] = {
    "sentence": "number of the sentence, from 0, in ascending order",
    "position": "position of the token in its sentence, from 1, without gaps",
    "form": "the word",
    "lemma": "its lemma",
    "coarse": "collapsed word class",
    "fine": "fine word class",
    "universal": "universal word class",
    "features": "morphological features",
    "head": "position of the head, 0 = root",
    "relation": "dependency relation to the head",
    "speaker": "who speaks",
}

#: Columns of every long result table (attributes would not survive pandas operations).
RESULT_COLUMNS = [
    "system",
    "corpus",
    "k",
    "measure",
    "value",
    "unit",
    "numerator",
    "denominator",
    "n",
    "seed",
    "lower",
    "upper",
    "convention",
    "data_version",
]


def check_tokens(
    tokens: pd.DataFrame | Columns, columns: Iterable[str] = ("sentence", "form"), what: str = "tokens"
) -> None:
    """Raise an error if a tokens table is invalid.

    Parameters
    ----------
    tokens : DataFrame or Columns
        One row per token.
    columns : iterable of str
        The required columns.
    what : str
        How an error names the table.

    Raises
    ------
    ValueError
        If a column is missing or occurs twice, there is no row, a word or label is missing, or sentence numbers fall.
        The message gives the column and the first such row.

    Examples
    --------
    >>> check_tokens(pd.DataFrame({"form": ["look"]}))
    Traceback (most recent call last):
    ...
    ValueError: tokens lacks the column 'sentence' (number of the sentence, from 0, in ascending order); it has form.
    """
    tokens = as_frame(tokens)
    if not isinstance(tokens, pd.DataFrame):
        raise ValueError(f"{what} must be a DataFrame with one row per token, not {type(tokens).__name__}.")
    columns = list(columns)
    check_columns(tokens, columns, what, TOKEN_COLUMNS)
    for column in columns:
        if (count := list(tokens.columns).count(column)) > 1:
            raise ValueError(f"{what} has {count} columns named {column!r}; keep one of them.")
    if not len(tokens):
        raise ValueError(f"{what} has no token.")
    for column in columns:
        check_complete(tokens[column].isna(), f"tokens have no {column!r}", what)
    if "sentence" in columns:
        falls = tokens["sentence"].to_numpy()[1:] < tokens["sentence"].to_numpy()[:-1]
        if falls.any():
            raise ValueError(
                f"{what}: sentence numbers fall at row {int(falls.argmax()) + 1}; "
                "sort the table by sentence and position first."
            )


def check_memberships(memberships: pd.DataFrame, what: str = "memberships") -> None:
    """Raise an error if a memberships table (``form``, ``cluster``; one row per pair) has missing values or repeated
    rows.

    Parameters
    ----------
    memberships : DataFrame
    what : str
        How an error names the table.

    Raises
    ------
    ValueError
        If a value is missing or a row is repeated; the message shows the first such row.
    """
    check_columns(memberships, ("form", "cluster"), what)
    for column in ("form", "cluster"):
        if memberships[column].isna().any():
            raise ValueError(f"{what} has a row without {column!r}.")
    repeated = memberships.duplicated(["form", "cluster"])
    if repeated.any():
        row = memberships[repeated].iloc[0]
        raise ValueError(f"{what} lists '{row['form']}' in cluster {row['cluster']} more than once.")


def first_difference(gold: pd.DataFrame, other: pd.DataFrame, column: str = "form") -> str:
    """Describe the first row in which two tables of tokens differ, with its sentence; empty if there is none.

    Parameters
    ----------
    gold, other : DataFrame
    column : str
        The column that is compared.

    Returns
    -------
    str

    Examples
    --------
    >>> first_difference(pd.DataFrame({"form": ["a", "b"]}), pd.DataFrame({"form": ["a", "c"]}))
    "row 1: form is 'b' in the first table and 'c' in the second"
    """
    length = min(len(gold), len(other))
    left = gold[column].iloc[:length].astype("str").to_numpy()
    right = other[column].iloc[:length].astype("str").to_numpy()
    unequal = left != right
    if unequal.any():
        row = int(unequal.argmax())
        said = f"row {row}: {column} is {left[row]!r} in the first table and {right[row]!r} in the second"
        if "sentence" not in gold.columns:
            return said
        sentence = gold["sentence"].iloc[: row + 1]
        word = int((sentence == sentence.iloc[-1]).sum())
        return f"{said} (sentence {sentence.nunique():,}, word {word:,})"
    if len(gold) != len(other):
        return f"the first table has {len(gold):,} rows and the second {len(other):,}"
    return ""


def results_table(rows: Iterable[Mapping[str, object]]) -> pd.DataFrame:
    """Make a long result table: every column of ``RESULT_COLUMNS``, then any further factor, in order of appearance.

    Rows without ``unit`` are proportions.

    Parameters
    ----------
    rows : iterable of mapping
        One mapping of columns to values per row.

    Returns
    -------
    DataFrame

    Examples
    --------
    >>> list(results_table([{"system": "Random", "measure": "PP", "value": 0.2, "condition": "merge"}]).columns[-2:])
    ['data_version', 'condition']
    """
    rows = list(rows)
    further = [name for name in dict.fromkeys(key for row in rows for key in row) if name not in RESULT_COLUMNS]
    columns = RESULT_COLUMNS + further
    table = pd.DataFrame([{column: row.get(column) for column in columns} for row in rows], columns=columns)
    table["unit"] = pd.array([row.get("unit", "proportion") for row in rows], dtype="str")
    counts = dict.fromkeys(("numerator", "denominator", "n"), "Int64")
    for column, dtype in (counts | dict.fromkeys(("value", "lower", "upper"), "Float64")).items():
        table[column] = pd.array([None if pd.isna(value) else value for value in table[column]], dtype=dtype)
    return table
