"""Functions that the list of claims of any paper may use: a field of the setting, a default, a number of a table."""

import inspect
from importlib import import_module

from analysis.papers.recipe.claims import Evidence
from analysis.papers.recipe.settings import Setting, check_known


def field(setting: Setting, name: str, place: int | None = None, times: float = 1, plus: float = 0) -> float | None:
    """A field or property of the setting, on the scale that the paper prints.

    Parameters
    ----------
    name : str
    place : int, optional
        Index of one of several values, from 0; the result is None if there are fewer. By default, their number.
    times, plus : float
        The number is multiplied by ``times``, then ``plus`` is added.

    Examples
    --------
    >>> field(Setting(), "generated", plus=1)
    2.0
    """
    value = getattr(setting, name)
    if isinstance(value, tuple):
        value = len(value) if place is None else next(iter(value[place:]), None)
    return None if value is None else times * float(value) + plus


def default(setting: Setting, of: str, name: str, times: float = 1) -> float:
    """Default of an argument that the setting does not change.

    Parameters
    ----------
    of : str
        The function or class with its module, as for an import.
    name : str
        Of the argument.
    times : float

    Examples
    --------
    >>> default(Setting(), "analysis.papers.recipe.finders.field", "times", times=100)
    100.0
    """
    module, _, function = of.rpartition(".")
    return times * float(inspect.signature(getattr(import_module(module), function)).parameters[name].default)


def number(
    of: Evidence, table: str, column: str = "", where: str = "", take: str = "item", times: float = 1, plus: float = 0
) -> float:
    """A number of a table: the value of a row, or a summary of several rows.

    Parameters
    ----------
    table : str
        Name of the evidence.
    column : str, optional
        By default the rows are counted.
    where : str, optional
        Condition on the rows, as for `pandas.DataFrame.query`; ``@setting`` is the setting.
    take : str
        Summary of the column: a method of `pandas.Series` such as ``max``; by default its only value.
    times, plus : float
        As for `field`.

    Raises
    ------
    ValueError
        If there is no such column, or more than one value where one is expected.

    Examples
    --------
    >>> import pandas as pd
    >>> of = Evidence(Setting(), {"sizes": lambda setting: pd.DataFrame({"k": [2, 3], "types": [5, 7]})})
    >>> number(of, "sizes"), number(of, "sizes", column="types", take="max"), number(of, "sizes", "types", "k == 2")
    (2.0, 7.0, 5.0)
    """
    rows, setting = of(table), of.setting  # noqa: F841 (the query may name the setting)
    rows = rows.query(where) if where else rows
    check_known([column] if column else [], list(rows.columns), f"{table} has no column")
    return times * float(getattr(rows[column], take)() if column else len(rows)) + plus
