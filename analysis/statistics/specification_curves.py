"""Specification curves: one claim under every defensible combination of conventions.

A curve is a table with one row per specification: one column per factor (the convention chosen), ``estimate`` (a signed
statistic, positive where the claim holds) and, from `judge_curve`, ``verdict``. Conventions make the specifications;
seeds, treebanks and similar factors are replicates within each (`mean_over_replicates`).

References
----------
Simonsohn, Simmons & Nelson (2020), Specification curve analysis, Nature Human Behaviour 4, 1208-1214.
"""

import itertools
import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd

from analysis.statistics.resampling import (
    RandomState,
    check_confidence,
    check_resampling,
    count_draws,
    percentile_interval,
)
from analysis.structures import check_at_least

STANDS, UNDECIDED, TURNED, UNDEFINED, FAILED = "stands", "undecided", "turned", "undefined", "failed"
#: Possible verdicts of a specification on a claim, in the order of figures and summaries.
VERDICTS = (STANDS, UNDECIDED, TURNED, UNDEFINED, FAILED)


def mean_over_replicates(values: pd.DataFrame, factors: Sequence[str], confidence: float = 0.95) -> pd.DataFrame:
    """Average the replicates of each specification, with a t interval.

    Parameters
    ----------
    values : DataFrame
        The factors' columns, ``replicate`` and ``estimate`` (NaN where undefined).
    factors : sequence of str
    confidence : float

    Returns
    -------
    DataFrame
        The factors, ``estimate``, ``lower``, ``upper`` (NaN with fewer than two replicates), ``replicates`` (the number
        of defined ones).

    Examples
    --------
    >>> values = pd.DataFrame({"gold": ["fine"] * 3, "replicate": [0, 1, 2], "estimate": [1.0, 2.0, 3.0]})
    >>> mean_over_replicates(values, ["gold"])[["estimate", "lower", "upper"]].round(2).values.tolist()
    [[2.0, -0.48, 4.48]]
    """
    from scipy import stats

    check_confidence(confidence)
    groups = values.groupby(list(factors), sort=False, dropna=False)["estimate"]
    curve = groups.agg(estimate="mean", deviation="std", replicates="count").reset_index()
    n = curve["replicates"].clip(lower=1)
    half = stats.t.ppf((1 + confidence) / 2, (n - 1).clip(lower=1)) * curve.pop("deviation") / np.sqrt(n)
    curve.insert(len(factors) + 1, "lower", curve["estimate"] - half)
    curve.insert(len(factors) + 2, "upper", curve["estimate"] + half)
    return curve


def judge_curve(curve: pd.DataFrame, margin: float = 0.0) -> pd.DataFrame:
    """Judge each specification: the claim stands, is reversed, or the result is too close to decide.

    Parameters
    ----------
    curve : DataFrame
        ``estimate``; and a column ``failed`` (error message, else empty) if some specifications failed.
    margin : float
        The claim is undecided if the estimate is within this distance of 0.

    Returns
    -------
    DataFrame
        The curve with a column ``verdict``: one of `VERDICTS`.

    Examples
    --------
    >>> curve = pd.DataFrame({"estimate": [0.2, 0.01, -0.2, math.nan]})
    >>> judge_curve(curve, margin=0.02)["verdict"].tolist()
    ['stands', 'undecided', 'turned', 'undefined']
    """
    if not margin >= 0:
        raise ValueError(f"margin must be at least 0, not {margin!r}.")
    estimate = curve["estimate"].to_numpy(dtype="float64")
    failed = curve["failed"].ne("").to_numpy() if "failed" in curve.columns else np.zeros(len(curve), bool)
    cases = [failed, np.isnan(estimate), estimate > margin, estimate < -margin]
    return curve.assign(verdict=np.select(cases, [FAILED, UNDEFINED, STANDS, TURNED], UNDECIDED))


def level_weights(curve: pd.DataFrame, factors: Sequence[str], rounds: int = 200) -> np.ndarray:
    """Compute weights of the defined rows such that all levels of a factor have equal total weight.

    If every combination exists, all weights are equal; the weights sum to 1.

    Notes
    -----
    Iterative proportional fitting: the weights are scaled to equal sums per level, one factor after another.

    Examples
    --------
    >>> curve = pd.DataFrame({"gold": ["a", "a", "b"], "estimate": [1.0, 1.0, 1.0]})
    >>> level_weights(curve, ["gold"]).tolist()
    [0.25, 0.25, 0.5]
    """
    weights = curve["estimate"].notna().to_numpy(dtype="float64")
    if not weights.any():
        return weights
    codes = [pd.factorize(curve[factor])[0] for factor in factors]
    for _ in range(rounds):
        before = weights.copy()
        for code in codes:
            sums = np.bincount(code, weights)
            weights = weights / np.where(sums > 0, sums, 1)[code]
        weights /= weights.sum()
        if np.allclose(weights, before, rtol=0, atol=1e-12):
            break
    return weights / weights.sum()


def summarise_curve(curve: pd.DataFrame, factors: Sequence[str]) -> pd.DataFrame:
    """Count the specifications per verdict, also as proportions of the defined ones.

    Parameters
    ----------
    curve : DataFrame
        What `judge_curve` returned.
    factors : sequence of str

    Returns
    -------
    DataFrame
        One row for each of `VERDICTS`: ``verdict``, ``specifications``, ``share`` of the defined ones,
        ``share_by_level`` (with equal weight for each level of a factor; see `level_weights`), ``interval_beyond_0``
        (how many have an interval over replicates that does not contain 0, on whatever side: the verdict is of the
        estimate alone). Shares are missing for undefined and failed, the last number where the curve has no interval.

    Examples
    --------
    >>> curve = pd.DataFrame({"gold": ["a", "a", "b"], "estimate": [1.0, 1.0, -1.0]})
    >>> summarise_curve(judge_curve(curve), ["gold"]).head(3)["share_by_level"].tolist()
    [0.5, 0.0, 0.5]
    """
    verdicts, weights = curve["verdict"].to_numpy(), level_weights(curve, factors)
    defined = int(curve["estimate"].notna().sum())
    bounds = curve.reindex(columns=["lower", "upper"]).to_numpy(dtype="float64")
    beyond = (bounds[:, 0] > 0) | (bounds[:, 1] < 0)
    rows = []
    for verdict in VERDICTS:
        chosen = verdicts == verdict
        shared = defined > 0 and verdict in (STANDS, UNDECIDED, TURNED)
        shares = (chosen.sum() / defined, float(weights[chosen].sum())) if shared else (math.nan, math.nan)
        surely = int(beyond[chosen].sum()) if np.isfinite(bounds).any() else pd.NA
        rows.append((verdict, int(chosen.sum()), *shares, surely))
    columns = ["verdict", "specifications", "share", "share_by_level", "interval_beyond_0"]
    return pd.DataFrame(rows, columns=columns).astype({"interval_beyond_0": "Int64"})


def influence(curve: pd.DataFrame, factors: Sequence[str]) -> pd.DataFrame:
    """Compute the influence of each choice on the statistic, as proportions of its variance over the specifications.

    Parameters
    ----------
    curve : DataFrame
    factors : sequence of str

    Returns
    -------
    DataFrame
        One row per factor, the most influential first: ``factor``, ``main`` (variance of its levels' means), ``total``
        (what remains with all other factors fixed), ``turns`` (proportion of the pairs of specifications differing only
        in this factor in which the claim stands in one and is turned in the other; missing without verdicts),
        ``partner`` and ``interaction`` (the factor with which it interacts most, and how much). Shares are missing if
        the statistic is constant or some combination is undefined, since they require a balanced grid.

    References
    ----------
    Saltelli et al. (2008), Global Sensitivity Analysis, chapter 1: first-order and total effects.

    Examples
    --------
    >>> curve = pd.DataFrame({"k": [1, 1, 2, 2], "gold": ["a", "b"] * 2, "estimate": [0.0, 1.0, 0.0, 1.0]})
    >>> influence(curve, ["k", "gold"])[["factor", "main", "total"]].values.tolist()
    [['gold', 1.0, 1.0], ['k', 0.0, 0.0]]
    """
    values = curve["estimate"].to_numpy(dtype="float64")
    codes = {factor: pd.factorize(curve[factor])[0] for factor in factors}
    whole = math.prod(code.max() + 1 for code in codes.values()) if len(curve) else 0
    balanced = len(curve) == whole and bool(np.isfinite(values).all())
    variance = float(values.var()) if balanced else math.nan
    if not variance > 0:
        variance = math.nan

    def explained(names: Sequence[str]) -> float:
        """Compute the variance of the means over rows with equal values of these factors."""
        if not names:
            return 0.0
        group = pd.factorize(pd.MultiIndex.from_arrays([codes[name] for name in names]))[0]
        means = np.bincount(group, values) / np.bincount(group)
        return float(means[group].var())

    rows = []
    for factor in factors:
        others = [name for name in factors if name != factor]
        main = explained([factor])
        pairs = {name: explained([factor, name]) - main - explained([name]) for name in others}
        partner = max(pairs, key=lambda name: pairs[name]) if pairs else ""
        shares = (main / variance, (float(values.var()) - explained(others)) / variance)
        rows.append((factor, *shares, _turns(curve, factor, others), partner, pairs.get(partner, 0.0) / variance))
    columns = ["factor", "main", "total", "turns", "partner", "interaction"]
    table = pd.DataFrame(rows, columns=columns)
    return table.sort_values(["total", "turns"], ascending=False, kind="stable", ignore_index=True)


def _turns(curve: pd.DataFrame, factor: str, others: Sequence[str]) -> float:
    """Compute the proportion of pairs differing in one factor in which one stands and the other is turned."""
    if "verdict" not in curve.columns:
        return math.nan
    side = curve["verdict"].map({STANDS: 1, TURNED: -1, UNDECIDED: 0})
    opposed = pairs = 0
    groups = side.groupby([curve[name] for name in others], sort=False) if others else [("", side)]
    for _, group in groups:
        for one, other in itertools.combinations(group.dropna(), 2):
            pairs += 1
            opposed += one * other < 0
    return opposed / pairs if pairs else math.nan


class CurveInterval(NamedTuple):
    """Bootstrap intervals of a whole curve.

    Attributes
    ----------
    median, lower, upper : float
        Median of the curve with its interval; the interval is missing with fewer than two units.
    share, share_lower, share_upper : float
        Proportion of specifications in which the claim stands.
    resamples : int
    """

    median: float
    lower: float
    upper: float
    share: float
    share_lower: float
    share_upper: float
    resamples: int


def curve_interval(
    values: np.ndarray,
    margin: float = 0.0,
    *,
    resamples: int = 1000,
    confidence: float = 0.95,
    random_state: RandomState = 0,
) -> CurveInterval:
    """Bootstrap a curve: units are drawn once per resample, and every specification is computed from them.

    Parameters
    ----------
    values : ndarray of float, shape (n_units, n_specifications)
        The statistic of each unit, such as a replicate; the statistic of a specification is the mean.
    margin : float
        As for `judge_curve`.
    resamples, confidence, random_state
        See `analysis.statistics.resampling`.

    Examples
    --------
    >>> curve_interval(np.array([[1.0, -1.0], [3.0, -1.0]]), resamples=10).share
    0.5
    """
    check_resampling(resamples, confidence)
    values = values[:, np.isfinite(values).all(axis=0)]
    if len(values) < 2 or not values.size:
        means = values.mean(axis=0) if values.size else np.array([math.nan])
        alone = float(np.mean(means > margin)) if values.size else math.nan
        return CurveInterval(float(np.median(means)), math.nan, math.nan, alone, math.nan, math.nan, 0)
    blocks = count_draws(len(values), resamples, random_state)
    drawn = np.concatenate([times @ values for times in blocks]) / len(values)
    median = percentile_interval(np.median(drawn, axis=1), confidence)
    share = percentile_interval(np.mean(drawn > margin, axis=1), confidence)
    means = values.mean(axis=0)
    return CurveInterval(float(np.median(means)), median.lower, median.upper, float(np.mean(means > margin)),
                         share.lower, share.upper, resamples)  # fmt: skip


def curve_test(values: np.ndarray, *, resamples: int = 1000, random_state: RandomState = 0) -> float:
    """Test whether two systems are equal over all specifications, by flipping the signs of whole units.

    Under the null hypothesis the labels of the systems are exchangeable, so the difference on a unit is equally likely
    to have the opposite sign in all specifications.

    Parameters
    ----------
    values : ndarray of float, shape (n_units, n_specifications)
        Difference between the two systems on each unit.
    resamples : int
    random_state : None, int or numpy Generator

    Returns
    -------
    float
        Two-sided p-value of the median of the curve: (1 + k) / (B + 1), where k is the number of the B flips with an
        absolute median at least as large. Missing with fewer than two units.

    Examples
    --------
    >>> curve_test(np.ones((30, 3)), resamples=99)
    0.01
    """
    check_at_least(2, resamples=resamples)
    values = values[:, np.isfinite(values).all(axis=0)]
    if len(values) < 2 or not values.size:
        return math.nan
    generator = np.random.default_rng(random_state)
    signs = generator.choice([-1.0, 1.0], (resamples, len(values)))
    flipped = np.abs(np.median(signs @ values / len(values), axis=1))
    observed = abs(float(np.median(values.mean(axis=0))))
    return float(1 + np.sum(flipped >= observed - 1e-12 * max(1.0, observed))) / (resamples + 1)
