"""Posteriors in which each word type keeps to few states: the dual problem, by projected gradient."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

_TRIALS = 60  # of one line search


class Descent(NamedTuple):
    """How the dual problem is solved; the defaults are those of the program of Graça et al. (2011).

    Attributes
    ----------
    most_steps : int
        Steps at most.
    gradient_tolerance : float
        Stop when the norm of the projected gradient is below this share of its first value.
    value_tolerance : float
        Stop when a step changes the value by less than this share of it.
    first_step : float
        Length tried first.
    armijo : float
        Share of the decrease promised by the gradient that a step must bring.
    """

    most_steps: int = 40
    gradient_tolerance: float = 1e-3
    value_tolerance: float = 1e-4
    first_step: float = 1000.0
    armijo: float = 1e-4


class Expected(NamedTuple):
    """What a forward-backward pass finds.

    Attributes
    ----------
    log_z : float
    posteriors : ndarray of float64, shape (n_constrained, K)
        q(state) of each constrained token.
    all : object
        Whatever else the caller needs.
    """

    log_z: float
    posteriors: np.ndarray
    all: Any = None


class Solution(NamedTuple):
    """Multipliers, what a pass with them finds, and how many steps and passes were made."""

    multipliers: np.ndarray
    expected: Expected
    steps: int
    passes: int


def projected(points: np.ndarray, begins: np.ndarray, size: float) -> np.ndarray:
    """The nearest multipliers that are not negative and sum to at most ``size`` for each word type and state.

    Parameters
    ----------
    points : ndarray of float64, shape (n_constrained, K)
        The tokens of a type are neighbours.
    begins : ndarray of int, shape (n_constrained_types + 1,)
        Where the tokens of each type begin.
    size : float

    Returns
    -------
    ndarray of float64, shape (n_constrained, K)

    Examples
    --------
    >>> projected(np.array([[3.0, 0.2], [1.0, -1.0]]), np.array([0, 2]), 1.0).tolist()
    [[1.0, 0.2], [0.0, 0.0]]
    """
    from analysis.categories.models.posterior_regularised_kernels import project

    out = np.empty_like(points)
    project(points, begins, float(size), out)
    return out


def sparse_posteriors(
    expect: Callable[[np.ndarray], Expected],
    start: np.ndarray,
    begins: np.ndarray,
    strength: float,
    descent: Descent | None = None,
) -> Solution:
    """Find q with the least KL(q || p(y | x)) + strength * sum over types and states of max over tokens of q(state).

    The dual problem has a multiplier for each constrained token and state, none negative, and of each type and state
    they sum to at most ``strength``; it asks for the least log Z, where Z weighs each tagging of the text by p(x, y)
    exp(-its multipliers). The gradient of log Z is -q. The least log Z is log p(x) minus the least value above.

    Parameters
    ----------
    expect : callable
        From multipliers to `Expected`.
    start : ndarray of float64, shape (n_constrained, K)
    begins : ndarray of int, shape (n_constrained_types + 1,)
        Where the tokens of each type begin.
    strength : float
        sigma.
    descent : Descent, optional
        The default is that of the program.

    Returns
    -------
    Solution

    References
    ----------
    Ganchev, Graça, Gillenwater & Taskar (2010), section 8. Steps along the projection arc by Armijo's rule: Bertsekas
    (1999), section 2.3.

    Examples
    --------
    Two tokens of a type, whose tags are independent:

    >>> p = np.array([[0.9, 0.1], [0.2, 0.8]])
    >>> def expect(multipliers):
    ...     weights = p * np.exp(-multipliers)
    ...     totals = weights.sum(axis=1, keepdims=True)
    ...     return Expected(float(np.log(totals).sum()), weights / totals)
    >>> exact = Descent(2000, 1e-12, 0.0)
    >>> sparse_posteriors(expect, np.zeros((2, 2)), np.array([0, 2]), 10.0, exact).expected.posteriors.round(3).tolist()
    [[0.6, 0.4], [0.6, 0.4]]
    """
    descent, at, now = descent or Descent(), start, expect(start)
    passes, steps, first, step, slope = 1, 0, 0.0, descent.first_step, 0.0
    for steps in range(descent.most_steps + 1):
        norm = float(((projected(at + now.posteriors, begins, strength) - at) ** 2).sum() ** 0.5)
        first = first if steps else norm
        if steps == descent.most_steps or norm == 0 or (steps and norm < descent.gradient_tolerance * first):
            break
        before, slope = slope, float((now.posteriors**2).sum())
        step *= 1.01 * before / slope if steps else 1.0
        point, after, step, tried = _line_search(expect, at, now, step, (begins, strength, descent.armijo))
        passes += tried
        if after is None:
            break
        change, at, now = now.log_z - after.log_z, point, after
        if abs(change) <= descent.value_tolerance * abs(now.log_z):
            steps += 1
            break
    return Solution(at, now, steps, passes)


def _line_search(
    expect: Callable[[np.ndarray], Expected], at: np.ndarray, now: Expected, step: float,
    limits: tuple[np.ndarray, float, float],
) -> tuple[np.ndarray, Expected | None, float, int]:  # fmt: skip
    """Shorten a step until it brings its share of the promised decrease; None if no step does."""
    begins, strength, armijo = limits
    for tried in range(_TRIALS):
        point = projected(at + step * now.posteriors, begins, strength)
        promised = -float((now.posteriors * (point - at)).sum())
        if promised >= 0:
            return at, None, step, tried
        found = expect(point)
        if found.log_z <= now.log_z + armijo * promised:
            return point, found, step, tried + 1
        curvature = found.log_z - now.log_z - promised
        guess = -promised * step / (2 * curvature)  # where a parabola through both values with this slope is lowest
        step = guess if 0.1 * step <= guess <= 0.9 * step else step / 2
    return at, None, step, _TRIALS
