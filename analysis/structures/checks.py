"""Checks of arguments and tables, with uniform error messages."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping
from typing import Any

from analysis.structures.lazy import pd


def check_choice(name: str, value: Any, choices: Collection[Any]) -> None:
    """Raise an error unless an argument is one of the choices.

    Parameters
    ----------
    name : str
        Name of the argument.
    value : object
    choices : collection

    Raises
    ------
    ValueError
        If the value is not one of the choices.

    Examples
    --------
    >>> check_choice("linkage", "mean", ("single", "complete", "average"))
    Traceback (most recent call last):
    ...
    ValueError: linkage is 'mean'; it must be 'single', 'complete' or 'average'.
    """
    if value not in choices:
        *others, last = map(repr, choices)
        allowed = f"{', '.join(others)} or {last}" if others else last
        raise ValueError(f"{name} is {value!r}; it must be {allowed}.")


def check_at_least(least: float, **values: float | None) -> None:
    """Raise an error if a number is below a bound. None is accepted.

    Parameters
    ----------
    least : float
    **values : float or None
        Values by argument name.

    Raises
    ------
    ValueError
        If a value is too small.

    Examples
    --------
    >>> check_at_least(1, n_words=0)
    Traceback (most recent call last):
    ...
    ValueError: n_words is 0; it must be at least 1.
    """
    for name, value in values.items():
        if value is not None and not value >= least:
            raise ValueError(f"{name} is {value}; it must be at least {least}.")


def check_between(least: float, most: float, **values: float) -> None:
    """Raise an error if a number is outside two inclusive bounds.

    Parameters
    ----------
    least, most : float
    **values : float
        Values by argument name.

    Raises
    ------
    ValueError
        If a value is out of bounds.

    Examples
    --------
    >>> check_between(1, 1000, n_clusters=0)
    Traceback (most recent call last):
    ...
    ValueError: n_clusters is 0; it must be from 1 to 1,000.
    """
    for name, value in values.items():
        if not least <= value <= most:
            raise ValueError(f"{name} is {value}; it must be from {least:,} to {most:,}.")


def check_positive(**values: float) -> None:
    """Raise an error unless a number is finite and above 0.

    Parameters
    ----------
    **values : float
        Values by argument name.

    Raises
    ------
    ValueError
        If a value is not allowed.

    Examples
    --------
    >>> check_positive(prior=0)
    Traceback (most recent call last):
    ...
    ValueError: prior is 0; it must be a number above 0.
    """
    for name, value in values.items():
        if not 0 < value < math.inf:
            raise ValueError(f"{name} is {value}; it must be a number above 0.")


def check_share(**values: float) -> None:
    """Raise an error unless a number is at least 0 and below 1.

    Parameters
    ----------
    **values : float
        Values by argument name.

    Raises
    ------
    ValueError
        If a value is not allowed.

    Examples
    --------
    >>> check_share(damping=1)
    Traceback (most recent call last):
    ...
    ValueError: damping is 1; it must be from 0 to below 1.
    """
    for name, value in values.items():
        if not 0 <= value < 1:
            raise ValueError(f"{name} is {value}; it must be from 0 to below 1.")


def check_complete(missing: pd.Series, problem: str, what: str) -> None:
    """Raise an error if rows of a table have no value.

    Parameters
    ----------
    missing : Series of bool
        Whether each row lacks the value.
    problem, what : str
        How the error describes the problem, and names the table.

    Raises
    ------
    ValueError
        If a row lacks the value; the message gives their number and the first one.

    Examples
    --------
    >>> check_complete(pd.Series([False, True]), "tokens have no 'form'", "train")
    Traceback (most recent call last):
    ...
    ValueError: train: 1 of 2 tokens have no 'form', the first in row 1.
    """
    if missing.any():
        first = int(missing.to_numpy().argmax())
        raise ValueError(f"{what}: {int(missing.sum()):,} of {len(missing):,} {problem}, the first in row {first}.")


def check_columns(
    table: pd.DataFrame, columns: Iterable[str], what: str, meanings: Mapping[str, str] | None = None
) -> None:
    """Raise an error if a table lacks a column.

    Parameters
    ----------
    table : DataFrame
    columns : iterable of str
        The columns that the caller needs.
    what : str
        How the error names the table.
    meanings : mapping, optional
        Description of the columns, for the error message.

    Raises
    ------
    ValueError
        If a column is missing; the message names it and the existing columns.

    Examples
    --------
    >>> check_columns(pd.DataFrame({"form": ["look"]}), ["form", "head"], "tokens")
    Traceback (most recent call last):
    ...
    ValueError: tokens lacks the column 'head'; it has form.
    """
    for column in columns:
        if column not in table.columns:
            meaning = f" ({meanings[column]})" if meanings and column in meanings else ""
            has = ", ".join(map(str, table.columns)) or "no column"
            raise ValueError(f"{what} lacks the column {column!r}{meaning}; it has {has}.")
