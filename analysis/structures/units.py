"""Units of results: values are proportions inside the suite; percent is used for display and comparison only."""

from collections.abc import Sequence

import pandas as pd


def in_percent(table: pd.DataFrame, columns: Sequence[str] = ("value", "lower", "upper")) -> pd.DataFrame:
    """Convert the proportions of a table to percent; rows of other units are unchanged.

    Parameters
    ----------
    table : DataFrame
        With a column ``unit`` if the units of rows differ; without it, all rows are proportions.
    columns : sequence of str
        Columns to convert; columns that the table lacks are ignored.

    Returns
    -------
    DataFrame

    Examples
    --------
    >>> in_percent(pd.DataFrame({"measure": ["V", "VI"], "value": [0.5, 3.0], "unit": ["proportion", "bits"]}))
      measure  value     unit
    0       V   50.0  percent
    1      VI    3.0     bits
    """
    result = table.copy(deep=False)
    shares = table["unit"].eq("proportion") if "unit" in table.columns else pd.Series(True, index=table.index)
    for name in columns:
        if name in table.columns:
            result[name] = table[name].where(~shares, 100 * table[name])
    if "unit" in table.columns:
        result["unit"] = table["unit"].where(~shares, "percent")
    return result


def shown_p(p: float, digits: int = 2) -> str:
    """A p-value as text: no test gives exactly 0, which is what a number too small for the machine would show.

    Parameters
    ----------
    p : float
    digits : int
        Significant digits.

    Returns
    -------
    str

    Examples
    --------
    >>> shown_p(0.0123), shown_p(1.2e-05), shown_p(0.0)
    ('p = 0.012', 'p < 0.0001', 'p < 0.0001')
    """
    return f"p = {p:.{digits}g}" if p >= 0.0001 else "p < 0.0001"
