"""Emission probabilities with features, as log-linear models: fitted to expected counts by L-BFGS."""

from typing import Any, NamedTuple

import numpy as np


class Fitting(NamedTuple):
    """How weights are fitted.

    Attributes
    ----------
    variance : float
        v of the penalty ||theta||^2 / v; infinite: no penalty.
    tolerance : float
        Stop when the change of the objective is below this share of the mean of the two values, but not after the
        first step, which only finds the scale: its length is 1 / norm of the gradient, or a few times that.
    memory, most_steps : int
        Of L-BFGS.
    """

    variance: float
    tolerance: float
    memory: int = 10
    most_steps: int = 1000


def log_probabilities(features: Any, weights: np.ndarray) -> tuple[np.ndarray, float]:
    """Log probability of each word type, and the logarithm of the sum that it is divided by.

    Examples
    --------
    >>> log_p, total = log_probabilities(np.eye(2), np.log([1.0, 3.0]))
    >>> np.exp(log_p).round(6).tolist(), round(total, 6)
    ([0.25, 0.75], 1.386294)
    """
    scores = features @ weights
    highest = scores.max()
    total = float(highest + np.log(np.exp(scores - highest).sum()))
    return scores - total, total


def loss(
    weights: np.ndarray, counts: np.ndarray, features: Any, turned: Any, variance: float
) -> tuple[float, np.ndarray]:
    """Minus the penalised log-likelihood of counts, and its gradient.

    Parameters
    ----------
    weights : ndarray of float64, shape (n_features,)
    counts : ndarray of float64, shape (n_types,)
        Expected tokens of each word type with the state.
    features, turned : sparse matrix of shape (n_types, n_features), and its transpose
    variance : float

    Returns
    -------
    float
        - sum over w of n[w] log p(w) + ||theta||^2 / v. (A Gaussian prior of this form has variance v / 2.)
    ndarray
        Its gradient.

    Examples
    --------
    >>> value, slope = loss(np.zeros(2), np.array([1.0, 3.0]), np.eye(2), np.eye(2), 1.0)
    >>> round(value, 6), slope.tolist()
    (2.772589, [1.0, -1.0])
    """
    log_p, _ = log_probabilities(features, weights)
    expected = counts.sum() * np.exp(log_p)
    value = -float((counts * log_p).sum()) + float((weights**2).sum()) / variance
    return value, turned @ (expected - counts) + 2 * weights / variance


def fit_weights(
    counts: np.ndarray, features: Any, turned: Any, start: np.ndarray, fitting: Fitting
) -> tuple[np.ndarray, int]:
    """Fit the weights of one state to its expected counts.

    Parameters
    ----------
    counts, features, turned
        As for `loss`.
    start : ndarray of float64, shape (n_features,)
    fitting : Fitting

    Returns
    -------
    weights : ndarray of float64, shape (n_features,)
    steps : int
        Steps of L-BFGS.

    Examples
    --------
    >>> weights, _ = fit_weights(np.array([1.0, 3.0]), np.eye(2), np.eye(2), np.zeros(2), Fitting(np.inf, 1e-12))
    >>> np.exp(log_probabilities(np.eye(2), weights)[0]).round(4).tolist()
    [0.25, 0.75]
    """
    from scipy.optimize import minimize

    values = [loss(start, counts, features, turned, fitting.variance)[0]]

    def stop_if_flat(intermediate_result: Any) -> None:
        values.append(float(intermediate_result.fun))
        mean = (values[-2] + values[-1]) / 2
        if len(values) > 2 and abs(values[-2] - values[-1]) < fitting.tolerance * abs(mean):
            raise StopIteration

    options = {"maxcor": fitting.memory, "maxiter": fitting.most_steps, "maxfun": 20 * fitting.most_steps,
               "ftol": 0.0, "gtol": 1e-9}  # fmt: skip
    data = counts, features, turned, fitting.variance
    found = minimize(loss, start, data, "L-BFGS-B", jac=True, options=options, callback=stop_if_flat)
    return found.x, int(found.nit)
