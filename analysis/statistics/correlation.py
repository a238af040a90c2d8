"""Rank correlation between measures, for small numbers of systems."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

import numpy as np
import pandas as pd

from analysis.structures import UndefinedScoreError, check_columns
from analysis.structures.markup import html_frame
from analysis.structures.units import shown_p

_COLUMNS = {"measure_a": "str", "measure_b": "str", "rho": "Float64", "p": "Float64", "n": "int64", "undefined": "str"}


@dataclass(frozen=True)
class Correlation:
    """A rank correlation.

    Parameters
    ----------
    rho : float or None
        The coefficient, None if undefined; ``float(correlation)`` then raises `UndefinedScoreError`.
    p : float or None
        Two-sided p-value, None if undefined.
    n : int
        Number of pairs.
    undefined : str
        Why the coefficient is undefined; empty if it is defined.

    Examples
    --------
    >>> Correlation(rho=0.677, p=0.0156, n=12)
    rho 0.677, p = 0.0156, n 12
    """

    rho: float | None
    p: float | None
    n: int
    undefined: str = ""

    def __float__(self) -> float:
        if self.rho is None:
            raise UndefinedScoreError(f"the rank correlation is undefined: {self.undefined}.")
        return self.rho

    def __repr__(self) -> str:
        if self.rho is None:
            return f"rho undefined ({self.undefined}), n {self.n}"
        return f"rho {self.rho:.3f}, {'p undefined' if self.p is None else shown_p(self.p, 3)}, n {self.n}"

    def to_frame(self) -> pd.DataFrame:
        """Return one row: ``rho``, ``p``, ``n``, ``undefined``."""
        return _table([("", "", self)]).drop(columns=["measure_a", "measure_b"])

    def _repr_html_(self) -> str:
        return html_frame(self.to_frame())


def spearman(x: Sequence[float], y: Sequence[float]) -> Correlation:
    """Compute Spearman's rank correlation: Pearson's correlation of the ranks.

    Equal values share the average of their ranks. The p-value is two-sided, from the t distribution with n - 2
    degrees of freedom; it is an approximation, inaccurate below about ten pairs.

    Parameters
    ----------
    x, y : array-like of shape (n,)
        Finite numbers.

    Returns
    -------
    Correlation
        Undefined if there are fewer than two pairs, or all values of one side are equal.
        With two pairs there is no p-value.

    Raises
    ------
    ValueError
        If the lengths differ or a value is missing or not finite.

    References
    ----------
    Frank, Goldwater & Keller (2009), Table 2.

    Examples
    --------
    >>> spearman([1, 2, 3, 4], [1, 3, 2, 4])
    rho 0.800, p = 0.2, n 4
    >>> spearman([1, 2, 3], [5, 5, 5])
    rho undefined (all values of y are equal), n 3
    """
    ranks = []
    for name, values in (("x", x), ("y", y)):
        numbers = pd.Series(values).astype("Float64").to_numpy(dtype=np.float64, na_value=np.nan)
        if not np.isfinite(numbers).all():
            place = int((~np.isfinite(numbers)).argmax())
            raise ValueError(f"{name} has a missing or infinite value at index {place}: leave the pair out first.")
        ranks.append(_doubled_ranks(numbers))
    n = len(ranks[0])
    if n != len(ranks[1]):
        raise ValueError(f"x has {n} values, y has {len(ranks[1])}: they must be pairs.")
    if n < 2:
        return Correlation(None, None, n, "fewer than two pairs")
    # twice the rank minus twice the mean rank is an integer, so the sums are exact
    a, b = (doubled - (n + 1) for doubled in ranks)
    both, within_a, within_b = int(a @ b), int(a @ a), int(b @ b)
    for name, within in (("x", within_a), ("y", within_b)):
        if within == 0:
            return Correlation(None, None, n, f"all values of {name} are equal")
    product = within_a * within_b
    if both * both == product:
        return Correlation(1.0 if both > 0 else -1.0, 0.0 if n > 2 else None, n)
    rho = both / sqrt(product)
    from scipy.special import stdtr

    t = rho * sqrt((n - 2) * product / (product - both * both))
    return Correlation(rho, float(2 * stdtr(n - 2, -abs(t))), n)


def kendall(x: Sequence[float], y: Sequence[float]) -> Correlation:
    """Compute Kendall's tau-b: concordant minus discordant pairs, corrected for ties.

    Parameters
    ----------
    x, y : array-like of shape (n,)

    Returns
    -------
    Correlation
        ``rho`` is tau-b. Undefined if there are fewer than two pairs, or all values of one side are equal.

    References
    ----------
    Reichart, Abend & Rappoport (2010), section 5.2.

    Examples
    --------
    >>> round(float(kendall([1, 2, 3, 4], [1, 3, 2, 4])), 3), kendall([1, 2], [5, 5]).undefined
    (0.667, 'all values of y are equal')
    """
    from scipy.stats import kendalltau

    defined = spearman(x, y)
    if defined.rho is None:
        return defined
    found = kendalltau(x, y)
    return Correlation(float(found.statistic), float(found.pvalue), defined.n)


def weakest_agreement(table: pd.DataFrame) -> pd.DataFrame:
    """Compute the mean, smallest and largest rank correlation within and between groups of measures.

    Parameters
    ----------
    table : DataFrame
        One row per pair of measures: ``levels`` (one group, or a pair of groups), ``rho`` and ``tau``; see
        `spearman_matrix`.

    Returns
    -------
    DataFrame
        ``levels``, ``mean``, ``min``, ``max``, ``coefficient`` (Spearman, Kendall), ``pairs``.

    Examples
    --------
    >>> pairs = pd.DataFrame({"levels": ["token", "token"], "rho": [0.2, 0.4], "tau": [0.1, 0.3]})
    >>> weakest_agreement(pairs).round(2).values.tolist()
    [['token', 0.3, 0.2, 0.4, 'Spearman', 2], ['token', 0.2, 0.1, 0.3, 'Kendall', 2]]
    """
    long = table.melt(["levels"], ["rho", "tau"], "coefficient").replace({"rho": "Spearman", "tau": "Kendall"})
    found = long.groupby(["coefficient", "levels"], sort=False)["value"].agg(["mean", "min", "max", "size"])
    return found.reset_index().rename(columns={"size": "pairs"})[
        ["levels", "mean", "min", "max", "coefficient", "pairs"]
    ]


def clustered_order(table: pd.DataFrame, coefficient: str = "rho") -> tuple[list[str], np.ndarray]:
    """Order measures by a hierarchical clustering of their correlations; also return its merges.

    Parameters
    ----------
    table : DataFrame
        ``measure_a``, ``measure_b`` and the coefficient; one row per pair. A missing coefficient counts as 0.
    coefficient : str

    Returns
    -------
    order : list of str
    mergers : ndarray
        Result of `scipy.cluster.hierarchy.linkage`: average linkage of 1 minus the coefficient.

    Examples
    --------
    >>> pairs = pd.DataFrame({"measure_a": ["A", "A", "B"], "measure_b": ["B", "C", "C"], "rho": [-0.5, 0.9, 0.0]})
    >>> clustered_order(pairs)[0]
    ['B', 'A', 'C']
    """
    from scipy.cluster.hierarchy import leaves_list, linkage

    names = list(dict.fromkeys([*table["measure_a"], *table["measure_b"]]))
    far = 1 - table.set_index(["measure_a", "measure_b"])[coefficient].astype("Float64").fillna(0).astype("float64")
    pairs = [(a, b) for place, a in enumerate(names) for b in names[place + 1 :]]
    mergers = linkage([far[pair] if pair in far.index else far[pair[::-1]] for pair in pairs], method="average")
    return [names[leaf] for leaf in leaves_list(mergers)], mergers


def spearman_matrix(table: pd.DataFrame, measures: Sequence[str], *, tau: bool = False) -> pd.DataFrame:
    """Compute the rank correlation of every pair of columns.

    Parameters
    ----------
    table : DataFrame
        One row per system, one numeric column per measure.
    measures : sequence of str
        The columns to compare. Rows in which either measure is missing are left out of that pair; see ``n``.
    tau : bool
        Whether to add Kendall's tau-b, in the columns ``tau`` and ``tau_p``.

    Returns
    -------
    DataFrame
        ``measure_a``, ``measure_b``, ``rho``, ``p``, ``n``, ``undefined``: one row for each unordered pair, in the
        order of `measures`.

    Raises
    ------
    ValueError
        If a column is missing or named twice.

    Examples
    --------
    >>> scores = pd.DataFrame({"SP": [1, 2, 3, 4], "PP": [1, 3, 2, 4], "MA": [4, 3, 2, 1]})
    >>> spearman_matrix(scores, ["SP", "PP", "MA"])[["measure_a", "measure_b", "rho", "n"]]
      measure_a measure_b  rho  n
    0       SP       PP  0.8  4
    1       SP       MA -1.0  4
    2       PP       MA -0.8  4
    """
    measures = list(measures)
    if len(set(measures)) != len(measures):
        raise ValueError(f"a measure is named twice: {', '.join(measures)}.")
    check_columns(table, measures, "the table")
    rows, taus = [], []
    for place, first in enumerate(measures):
        for second in measures[place + 1 :]:
            pair = table[[first, second]].dropna()
            rows.append((first, second, spearman(pair[first], pair[second])))
            taus += [kendall(pair[first], pair[second])] if tau else []
    found = _table(rows)
    columns = {"tau": [one.rho for one in taus], "tau_p": [one.p for one in taus]} if tau else {}
    return found.assign(**{name: pd.array(values, dtype="Float64") for name, values in columns.items()})


def _doubled_ranks(values: np.ndarray) -> np.ndarray:
    """Return twice the average rank, an integer."""
    ordered = np.sort(values)
    return np.searchsorted(ordered, values, "left") + np.searchsorted(ordered, values, "right") + 1


def _table(rows: Sequence[tuple[str, str, Correlation]]) -> pd.DataFrame:
    table = pd.DataFrame(
        [(first, second, found.rho, found.p, found.n, found.undefined) for first, second, found in rows],
        columns=list(_COLUMNS),
    )
    return table.astype(_COLUMNS)
