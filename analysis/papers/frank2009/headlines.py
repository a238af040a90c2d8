"""The signed statistics of the headline claims, named in ``data/specifications/frank2009.csv``."""

import pandas as pd

from analysis.papers.recipe import Evidence


def _across(of: Evidence, measure: str, gold: str, k: int, table: str = "table3") -> pd.Series:
    """Scores of a measure at one K, by system."""
    rows = of(table)
    rows = rows[(rows["measure"] == measure) & (rows["k"] == k) & rows["inventory"].isin([gold, "none"])]
    return rows.set_index("system")["value"].astype("float64")


def lead(of: Evidence, measure: str, system: str, k: int, gold: str = "coarse") -> float:
    """By how much a system is above the best of the others, as a share of the higher of both.

    Examples
    --------
    >>> table = pd.DataFrame({"system": ["A", "B"], "measure": "m", "k": 2, "inventory": "none", "value": [0.5, 0.25]})
    >>> float(lead({"table3": table}.get, "m", "A", 2))
    0.5
    """
    values = _across(of, measure, gold, k)
    other = float(values.drop(system).max())
    return (values[system] - other) / max(values[system], other)


def over_frames(of: Evidence, measure: str, k: int, gold: str = "coarse") -> float:
    """By how much Random is above FF, as a share of the higher of both."""
    values = _across(of, measure, gold, k)
    return float(values["Random"] - values["FF"]) / float(values[["Random", "FF"]].max())


def correlation(of: Evidence, a: str, b: str, gold: str = "coarse") -> float:
    """Rank correlation of two measures over systems and K."""
    rows = of("table2")
    return float(rows[rows["inventory"] == gold].set_index(["measure_a", "measure_b"]).loc[(a, b), "rho"])


def split_gain(of: Evidence, measure: str, system: str, k: int, sign: int = 1, gold: str = "coarse") -> float:
    """Change of a score from merge to split, as a share of the higher; with sign -1 how much it falls."""
    before, after = (_across(of, measure, gold, k, name)[system] for name in ("table3", "table4"))
    return sign * (after - before) / max(after, before)
