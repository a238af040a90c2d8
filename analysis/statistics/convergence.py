"""Whether several chains of a sampler agree."""

import numpy as np
from numpy.typing import ArrayLike


def split_r_hat(chains: ArrayLike) -> float:
    """How much wider the values of all chains are spread than those of one; near 1 if the chains agree.

    Each chain is cut into halves, so that one that still moves in one direction disagrees with itself.

    Parameters
    ----------
    chains : array-like of shape (n_chains, n_draws)
        Values after each sweep, those of the beginning left out; at least four per chain.

    Returns
    -------
    float
        1 if no chain moves and all have the same value; infinite if none moves and they have not. A usual limit
        is 1.1, or 1.01 where much depends on it.

    Raises
    ------
    ValueError
        If there are fewer than four draws per chain, or a value is not finite.

    References
    ----------
    Gelman & Rubin (1992); Gelman and others (2013), Bayesian Data Analysis, section 11.4.

    Examples
    --------
    >>> split_r_hat([[10, 10, 10, 10], [50, 46, 46, 45]]) > 5, split_r_hat([[3, 4, 3, 4], [4, 3, 4, 3]]) < 1
    (True, True)
    """
    values = np.asarray(chains, dtype=float)
    if values.ndim != 2 or values.shape[1] < 4 or not np.isfinite(values).all():
        raise ValueError("give at least four draws per chain, as many of each chain, all finite.")
    half = values.shape[1] // 2
    halves = np.concatenate([values[:, :half], values[:, -half:]])
    within = halves.var(axis=1, ddof=1).mean()
    between = half * halves.mean(axis=1).var(ddof=1)
    if within == 0:
        return 1.0 if between == 0 else float("inf")
    return float(np.sqrt((half - 1) / half + between / within / half))
