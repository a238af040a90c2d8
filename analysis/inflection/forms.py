"""Forms tables: ``lemma``, ``form``, ``features``, ``frequency``; a system's output adds ``predicted``."""

from __future__ import annotations

from collections.abc import Iterable

from analysis.structures.checks import check_columns, check_complete
from analysis.structures.columns import Columns, as_frame
from analysis.structures.lazy import pd

#: Columns of a forms table and their meaning; absent layers are absent columns.
FORM_COLUMNS = {
    "lemma": "dictionary form of the word",
    "form": "inflected form",
    "features": "morphological features, such as V;PST",
    "frequency": "frequency of the form or the lemma",
    "predicted": "form predicted by a system",
}


def check_forms(
    table: pd.DataFrame | Columns,
    columns: Iterable[str] = ("lemma", "form", "features"),
    what: str = "forms",
    empty: bool = False,
) -> None:
    """Raise an error if a forms table is invalid.

    Parameters
    ----------
    table : DataFrame or Columns
        One row per item; of `Columns` as a reader gives them, every word is there.
    columns : iterable of str
        The required columns.
    what : str
        How the error names the table.
    empty : bool
        Whether a table without rows is allowed.

    Raises
    ------
    ValueError
        If a column is missing, there is no row, or a word is missing or empty; the message gives the column and the
        first such row.

    Examples
    --------
    >>> check_forms(pd.DataFrame({"lemma": ["fly"]}))
    Traceback (most recent call last):
    ...
    ValueError: forms lacks the column 'form' (inflected form); it has lemma.
    """
    columns = list(columns)
    if isinstance(table, Columns) and len(table) and set(columns) <= set(table.columns):
        return
    table = as_frame(table)
    if not isinstance(table, pd.DataFrame):
        raise ValueError(f"{what} must be a DataFrame with one row per item, not {type(table).__name__}.")
    check_columns(table, columns, what, FORM_COLUMNS)
    if not len(table) and not empty:
        raise ValueError(f"{what} has no item.")
    for column in columns:
        empty_word = table[column].isna() | (table[column].astype("str") == "")
        check_complete(empty_word, f"items have no {column!r}", what)
