"""Units of results: inside the suite shares are proportions; percent is made here, for showing and for comparing."""

from collections.abc import Sequence

import pandas as pd


def in_percent(table: pd.DataFrame, columns: Sequence[str] = ("value", "lower", "upper")) -> pd.DataFrame:
    """The table with its proportions in percent; rows of other units stay as they are.

    Parameters
    ----------
    table : DataFrame
        With a column ``unit``, if its rows differ in unit; without, all are proportions.
    columns : sequence of str
        Columns that hold the numbers; those that the table lacks are passed over.

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
