"""Regressions that state their coding: linear, binomial, and with random intercepts.

A coefficient that cannot be estimated is missing in the table, with the reason; it is never infinite or zero.
"""

import warnings
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from analysis.statistics.designs import Design, design, independent_columns, one_thread
from analysis.structures import check_choice, check_columns

_COLUMNS = ["estimate", "error", "statistic", "p", "lower", "upper"]


class Regression(NamedTuple):
    """A fitted regression as tables.

    Attributes
    ----------
    coefficients : DataFrame
        ``term``, ``estimate``, ``error``, ``statistic``, ``p``, ``lower``, ``upper``, ``note``; missing if it cannot be
        estimated, with the reason in ``note``.
    summary : DataFrame
        ``quantity``, ``value``: observations, columns, rank, residual degrees of freedom, and quantities specific to
        the model.
    anova : DataFrame
        ``term``, ``df``, ``sum_of_squares``, ``F``, ``p``, ``type``; empty except for linear models.
    residuals : DataFrame
        ``fitted`` and ``residual``, with the table's index.
    coding : str
        The coding of each factor.
    problems : tuple of str
        Empty cells, rank deficiency, saturation, separation, no convergence.
    """

    coefficients: pd.DataFrame
    summary: pd.DataFrame
    anova: pd.DataFrame
    residuals: pd.DataFrame
    coding: str
    problems: tuple[str, ...]

    def quantity(self, name: str) -> float:
        """Return a value of the summary, by name."""
        return float(self.summary.set_index("quantity")["value"][name])

    def estimate(self, term: str) -> pd.Series:
        """Return the row of one coefficient, by the name of its term.

        Raises
        ------
        ValueError
            If there is no such term; the message lists the existing terms.
        """
        rows = self.coefficients[self.coefficients["term"] == term]
        if rows.empty:
            raise ValueError(f"there is no coefficient {term!r}; there are {', '.join(self.coefficients['term'])}.")
        return rows.iloc[0]


def linear_regression(
    table: pd.DataFrame,
    response: str,
    terms: str,
    *,
    coding: str = "treatment",
    base_levels: Mapping[str, str] | None = None,
    categorical: Sequence[str] = (),
    anova: int = 2,
    confidence: float = 0.95,
) -> Regression:
    """Fit a linear regression by ordinary least squares.

    Parameters
    ----------
    table : DataFrame
        One row per observation.
    response : str
        A numeric column.
    terms, coding, base_levels, categorical
        As for `analysis.statistics.designs.design`.
    anova : {1, 2, 3}
        Type of the analysis of variance: each term adjusted for earlier terms (1), for all terms that do not contain it
        (2), or for all others (3, meaningful with sum coding only).
    confidence : float
        Confidence of the intervals (t distribution).

    Returns
    -------
    Regression
        A column that depends linearly on earlier ones is aliased: it has no estimate, and its note says so. Without
        residual degrees of freedom there are only estimates.

    Raises
    ------
    ValueError
        If the response has missing values, or an error of `design`.

    References
    ----------
    Kodner et al. (2023), sections "Effect of training size" and "Variation across random seeds"; R's lm.

    Examples
    --------
    >>> runs = pd.DataFrame({"size": [1, 2, 3, 4], "accuracy": [1.0, 2.1, 2.9, 4.0]})
    >>> fit = linear_regression(runs, "accuracy", "size")
    >>> round(float(fit.estimate("size")["estimate"]), 2), int(fit.quantity("observations"))
    (0.98, 4)
    """
    check_choice("anova", anova, (1, 2, 3))
    y = _response(table, response)
    made = design(table, terms, coding=coding, base_levels=base_levels, categorical=categorical)
    with one_thread():
        return _least_squares(made, y, table.index, anova, confidence)


def _least_squares(made: Design, y: np.ndarray, index: pd.Index, anova: int, confidence: float) -> Regression:
    from scipy import linalg, stats

    X = made.matrix.to_numpy()
    kept = independent_columns(X)
    Q, R = linalg.qr(X[:, kept], mode="economic")
    z = Q.T @ y
    estimates = linalg.solve_triangular(R, z)
    fitted = Q @ z
    residual = y - fitted
    rank, n = int(kept.sum()), len(y)
    df = n - rank
    rss, tss = float(residual @ residual), float(((y - y.mean()) ** 2).sum())
    problems = [*made.problems, *_aliased(made, kept)]
    notes = np.where(kept, "", "aliased: depends on the columns before it").astype("object")
    values = np.full((X.shape[1], 6), np.nan)
    values[kept, 0] = estimates
    exact = df > 0 and rss <= 1e-20 * max(float(y @ y), 1e-300)
    if df == 0:
        problems.append(f"saturated: {rank} coefficients for {n} observations, no residual degree of freedom")
        notes[kept] = "saturated: no error can be estimated"
    elif exact:
        problems.append("the fit is exact: residuals are 0, so errors and tests mean nothing")
        notes[kept] = "exact fit: no error can be estimated"
    else:
        inverse = linalg.solve_triangular(R, np.eye(rank))
        error = np.sqrt((inverse**2).sum(axis=1) * rss / df)
        t = estimates / error
        half = stats.t.ppf((1 + confidence) / 2, df) * error
        values[kept, 1:] = np.column_stack(
            [error, t, 2 * stats.t.sf(np.abs(t), df), estimates - half, estimates + half]
        )
    tested = df > 0 and not exact
    summary = {
        "observations": n,
        "columns": X.shape[1],
        "rank": rank,
        "residual degrees of freedom": df,
        "R squared": 1 - rss / tss if tss > 0 else np.nan,
        "residual deviation": np.sqrt(rss / df) if tested else np.nan,
    }
    return Regression(
        _coefficients(made, values, notes),
        _summary(summary),
        _anova(np.array(made.terms)[kept], R, z, rss, df, anova) if tested else _no_anova(),
        pd.DataFrame({"fitted": fitted, "residual": residual}, index=index),
        made.coding,
        tuple(problems),
    )


def _anova(of: np.ndarray, R: np.ndarray, z: np.ndarray, rss: float, df: int, kind: int) -> pd.DataFrame:
    """Compute sums of squares as differences between nested models, tested against the residual of the full model.

    ``of`` names the term of each column of R, and ``z`` is the response in the coordinates of R's rows.
    """
    from scipy import linalg, stats

    names = [str(term) for term in dict.fromkeys(of) if term != "Intercept"]
    parts = {term: set(term.split(":")) for term in names}

    def unexplained(chosen: Iterable[str]) -> tuple[float, int]:
        columns = np.isin(of, ["Intercept", *chosen])
        Q, _ = linalg.qr(R[:, columns], mode="economic")
        return rss + float(((z - Q @ (Q.T @ z)) ** 2).sum()), int(columns.sum())

    rows: list[dict[str, Any]] = []
    for place, term in enumerate(names):
        if kind == 1:
            without = names[:place]
        elif kind == 2:
            without = [other for other in names if not parts[term] <= parts[other]]
        else:
            without = [other for other in names if other != term]
        before, rank_before = unexplained(without)
        after, rank_after = unexplained([*without, term])
        freedom = rank_after - rank_before
        F = (before - after) / freedom / (rss / df) if freedom else np.nan
        p = float(stats.f.sf(F, freedom, df)) if freedom else np.nan
        rows.append({"term": term, "df": freedom, "sum_of_squares": before - after, "F": F, "p": p, "type": kind})
    rows.append(
        {"term": "residual", "df": df, "sum_of_squares": rss, "F": np.nan, "p": np.nan, "type": kind},
    )
    return pd.DataFrame(rows)


def binomial_regression(
    table: pd.DataFrame,
    successes: str,
    trials: str,
    terms: str,
    *,
    coding: str = "treatment",
    base_levels: Mapping[str, str] | None = None,
    categorical: Sequence[str] = (),
    dispersion: str = "estimated",
    confidence: float = 0.95,
) -> Regression:
    """Fit a binomial regression of counts with the logistic link.

    Parameters
    ----------
    table : DataFrame
        One row per observation.
    successes, trials : str
        Columns of counts.
    terms, coding, base_levels, categorical
        As for `analysis.statistics.designs.design`.
    dispersion : {"estimated", "one"}
        Whether standard errors are scaled by the estimated dispersion (Pearson's chi-squared over the residual degrees
        of freedom), as in a quasi-binomial model, or not. The dispersion is reported in both cases.
    confidence : float
        Confidence of the intervals (normal distribution).

    Returns
    -------
    Regression
        Coefficients are log odds. A coefficient whose standard error diverges (a level with no success, or only
        successes) has no estimate, and its note says separation.

    Raises
    ------
    ValueError
        If a count is negative, there are more successes than trials or no trials, or an error of `design`.
    """
    import statsmodels.api as sm
    from scipy import stats
    from statsmodels.tools.sm_exceptions import ConvergenceWarning, PerfectSeparationWarning

    check_choice("dispersion", dispersion, ("estimated", "one"))
    k, n = _response(table, successes), _response(table, trials)
    if (k < 0).any() or (k > n).any() or (n < 1).any():
        raise ValueError("each row needs at least one trial, and successes from 0 to the trials.")
    made = design(table, terms, coding=coding, base_levels=base_levels, categorical=categorical)
    X = made.matrix.to_numpy()
    kept = independent_columns(X)
    problems = [*made.problems, *_aliased(made, kept)]
    df = len(k) - int(kept.sum())
    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always")
        counts = np.column_stack([k, n - k])
        fit = sm.GLM(counts, X[:, kept], family=sm.families.Binomial()).fit(scale=1.0, maxiter=100)
    if not fit.converged or any(issubclass(w.category, ConvergenceWarning) for w in heard):
        problems.append("did not converge")
    if any(issubclass(w.category, PerfectSeparationWarning) for w in heard):
        problems.append("perfect separation: estimates are not finite")
    estimates, errors = np.asarray(fit.params), np.asarray(fit.bse)
    fitted = np.clip(np.asarray(fit.fittedvalues), 1e-15, 1 - 1e-15)
    chi2 = float(((k - n * fitted) ** 2 / (n * fitted * (1 - fitted))).sum())
    finite = np.isfinite(errors) & (errors < 100) & (np.abs(estimates) < 1e6)
    notes = np.where(kept, "", "aliased: depends on the columns before it").astype("object")
    values = np.full((X.shape[1], 6), np.nan)
    where = np.flatnonzero(kept)
    sound = where[finite]
    values[sound, 0] = estimates[finite]
    notes[where[~finite]] = "separation: the estimate is not finite"
    if not finite.all():
        problems.append(f"separation: {int((~finite).sum())} coefficients are not finite")
    if df > 0:
        b, e = estimates[finite], errors[finite] * (np.sqrt(chi2 / df) if dispersion == "estimated" else 1.0)
        half = stats.norm.ppf((1 + confidence) / 2) * e
        values[sound, 1:] = np.column_stack([e, b / e, 2 * stats.norm.sf(np.abs(b / e)), b - half, b + half])
    else:
        problems.append(f"saturated: {len(k)} coefficients for {len(k)} observations")
        notes[sound] = "saturated: no error can be estimated"
    summary = {
        "observations": len(k),
        "columns": X.shape[1],
        "rank": int(kept.sum()),
        "residual degrees of freedom": df,
        "dispersion": chi2 / df if df else np.nan,
        "deviance": float(fit.deviance),
    }
    return Regression(
        _coefficients(made, values, notes),
        _summary(summary),
        _no_anova(),
        pd.DataFrame({"fitted": fitted, "residual": k / n - fitted}, index=table.index),
        f"{made.coding}; dispersion {dispersion}",
        tuple(problems),
    )


def mixed_regression(
    table: pd.DataFrame,
    response: str,
    terms: str,
    *,
    group: str = "language",
    within: str = "sample",
    coding: str = "treatment",
    base_levels: Mapping[str, str] | None = None,
    categorical: Sequence[str] = (),
    confidence: float = 0.95,
) -> Regression:
    """Fit a linear regression with random intercepts, (1 | group) + (1 | within), by restricted maximum likelihood.

    Parameters
    ----------
    table : DataFrame
        One row per observation.
    response : str
        A numeric column.
    terms, coding, base_levels, categorical
        The fixed effects, as for `analysis.statistics.designs.design`.
    group : str
        The outer factor.
    within : str
        The inner factor: each of its levels must belong to one level of ``group``. A sample is identified by language,
        strategy and seed together; seed numbers alone are not allowed, because the same number occurs in different
        languages.
    confidence : float
        Confidence of the intervals (normal distribution).

    Returns
    -------
    Regression
        ``summary`` has the variances. ``problems`` reports missing convergence and variances at the boundary 0.

    Raises
    ------
    ValueError
        If ``within`` is not nested in ``group``, either has one level, or an error of `design`.
    """
    from statsmodels.regression.mixed_linear_model import MixedLM, VCSpec

    y = _response(table, response)
    check_columns(table, (group, within), "the table")
    for name in (group, within):
        if table[name].nunique() < 2:
            raise ValueError(f"{name!r} has one level only.")
    crossed = table.groupby(within, observed=True)[group].nunique()
    if (crossed > 1).any():
        raise ValueError(
            f"{within!r} is not nested in {group!r}: {crossed.index[crossed > 1][0]!r} occurs in several. "
            "Name each sample by language, strategy and seed."
        )
    made = design(table, terms, coding=coding, base_levels=base_levels, categorical=categorical)
    X = made.matrix.to_numpy()
    kept = independent_columns(X)
    problems = [*made.problems, *_aliased(made, kept)]
    groups = table[group].astype("str").to_numpy()
    inner, matrices = [], []
    for name in sorted(set(groups)):
        members = table.loc[groups == name, within].astype("str")
        levels = sorted(members.unique())
        inner.append(levels)
        matrices.append((members.to_numpy()[:, None] == np.array(levels)).astype("float64"))
    components = VCSpec([within], [inner], [matrices])
    order = np.argsort(groups, kind="stable")
    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always")
        fit = MixedLM(y[order], X[order][:, kept], groups[order], exog_re=np.ones((len(y), 1)), exog_vc=components).fit(
            reml=True, method=["lbfgs", "powell"]
        )
    if not fit.converged:
        problems.append("did not converge")
    between = float(np.asarray(fit.cov_re)[0, 0])
    inside, rest = float(fit.vcomp[0]), float(fit.scale)
    for name, variance in ((group, between), (within, inside)):
        if variance < 1e-6 * rest:
            problems.append(f"singular: the variance of {name} is estimated as 0")
    bad_hessian = any("Hessian" in str(w.message) or "boundary" in str(w.message) for w in heard)
    if bad_hessian:
        problems.append("the optimum lies on or near the boundary: errors of the variances are unreliable")
    estimates, errors = np.asarray(fit.fe_params), np.asarray(fit.bse_fe)
    values = np.full((X.shape[1], 6), np.nan)
    notes = np.where(kept, "", "aliased: depends on the columns before it").astype("object")
    values[kept, 0] = estimates
    from scipy import stats

    sound = np.isfinite(errors) & (errors > 0)
    where = np.flatnonzero(kept)[sound]
    z = estimates[sound] / errors[sound]
    half = stats.norm.ppf((1 + confidence) / 2) * errors[sound]
    values[where, 1:] = np.column_stack(
        [errors[sound], z, 2 * stats.norm.sf(np.abs(z)), estimates[sound] - half, estimates[sound] + half]
    )
    notes[np.flatnonzero(kept)[~sound]] = "no error can be estimated"
    fitted = np.empty(len(y))
    fitted[order] = np.asarray(fit.fittedvalues)
    summary = {
        "observations": len(y),
        "columns": X.shape[1],
        "rank": int(kept.sum()),
        f"variance of {group}": between,
        f"variance of {within}": inside,
        "residual variance": rest,
        "log likelihood (restricted)": float(fit.llf),
    }
    return Regression(
        _coefficients(made, values, notes),
        _summary(summary),
        _no_anova(),
        pd.DataFrame({"fitted": fitted, "residual": y - fitted}, index=table.index),
        f"{made.coding}; random intercepts of {group} and of {within} within it, REML",
        tuple(problems),
    )


def _response(table: pd.DataFrame, name: str) -> np.ndarray:
    check_columns(table, [name], "the table")
    values = table[name].to_numpy(dtype="float64", na_value=np.nan)
    if not len(values) or not np.isfinite(values).all():
        raise ValueError(f"{name!r} must be a finite number in every row, and there must be at least one row.")
    return values


def _aliased(made: Design, kept: np.ndarray) -> list[str]:
    lost = [name for name, used in zip(made.matrix.columns, kept, strict=True) if not used]
    if not lost:
        return []
    return [
        f"rank {int(kept.sum())} of {len(kept)} columns: {', '.join(lost[:3])}{' …' if len(lost) > 3 else ''} aliased"
    ]


def _coefficients(made: Design, values: np.ndarray, notes: np.ndarray) -> pd.DataFrame:
    table = pd.DataFrame({"term": list(made.matrix.columns)})
    for number, name in enumerate(_COLUMNS):
        column = values[:, number]
        table[name] = pd.array([None if np.isnan(value) else value for value in column], dtype="Float64")
    return table.assign(note=pd.array([str(note) for note in notes], dtype="str"))


def _summary(numbers: Mapping[str, float]) -> pd.DataFrame:
    return pd.DataFrame({"quantity": list(numbers), "value": [float(value) for value in numbers.values()]})


def _no_anova() -> pd.DataFrame:
    return pd.DataFrame(columns=["term", "df", "sum_of_squares", "F", "p", "type"])
