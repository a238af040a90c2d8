"""Forms tables: ``lemma``, ``form``, ``features``, ``frequency``; a system's output adds ``predicted``."""

from collections.abc import Iterable

import pandas as pd

from analysis.structures.checks import check_columns, check_complete

#: Column of a forms table and what it holds; absent layers are absent columns.
FORM_COLUMNS = {
    "lemma": "the word as a dictionary lists it",
    "form": "its inflected form",
    "features": "morphological features, such as V;PST",
    "frequency": "how often the form, or the lemma, occurs",
    "predicted": "the form that a system gave",
}


def check_forms(
    table: pd.DataFrame,
    columns: Iterable[str] = ("lemma", "form", "features"),
    what: str = "forms",
    empty: bool = False,
) -> None:
    """Refuse a forms table that lacks a column, has no row, or a missing or empty word.

    Parameters
    ----------
    table : DataFrame
        One row per item.
    columns : iterable of str
        The columns that the caller needs.
    what : str
        How an error names the table.
    empty : bool
        Whether a table without rows is allowed.

    Raises
    ------
    ValueError
        Says which column, and the first row that is wrong.

    Examples
    --------
    >>> check_forms(pd.DataFrame({"lemma": ["fly"]}))
    Traceback (most recent call last):
    ...
    ValueError: forms lacks the column 'form' (its inflected form); it has lemma.
    """
    if not isinstance(table, pd.DataFrame):
        raise ValueError(f"{what} must be a DataFrame with one row per item, not {type(table).__name__}.")
    columns = list(columns)
    check_columns(table, columns, what, FORM_COLUMNS)
    if not len(table) and not empty:
        raise ValueError(f"{what} has no item.")
    for column in columns:
        empty_word = table[column].isna() | (table[column].astype("str") == "")
        check_complete(empty_word, f"items have no {column!r}", what)
