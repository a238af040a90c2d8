"""Parameters of the dependency model with valence: counts, their normalisation, and the tables that show them."""

from dataclasses import dataclass, fields
from typing import Self

import numpy as np
import pandas as pd

SIDES = ("left", "right")

Arrays = tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]  # root, attach, stop, go


@dataclass(frozen=True)
class Parameters:
    """Factors of the model, or counts of the same shapes.

    Attributes
    ----------
    root : ndarray of float64, shape (n_tags,)
    attach : ndarray of float64, shape (2, n_tags, n_tags)
        Side (0 left, 1 right), head, child.
    stop, go : ndarray of float64, shape (2, n_tags, 2)
        Side, head, valence (0 adjacent: no child on that side yet; 1 not).
    """

    root: np.ndarray
    attach: np.ndarray
    stop: np.ndarray
    go: np.ndarray

    @classmethod
    def zeros(cls, n_tags: int) -> Self:
        """Make zero counts."""
        return cls(np.zeros(n_tags), np.zeros((2, n_tags, n_tags)), np.zeros((2, n_tags, 2)), np.zeros((2, n_tags, 2)))

    def arrays(self) -> Arrays:
        """Root, attach, stop, go."""
        return self.root, self.attach, self.stop, self.go

    def factors(self, exponent: float = 1.0) -> tuple[Arrays, Arrays]:
        """Return every factor raised to a power, and the logarithms, which do not underflow."""
        with np.errstate(divide="ignore"):
            logs = (np.log(self.root), np.log(self.attach), np.log(self.stop), np.log(self.go))
        if exponent == 1:
            return self.arrays(), logs
        root, attach, stop, go = (
            (array**exponent, log * exponent) for array, log in zip(self.arrays(), logs, strict=True)
        )
        return (root[0], attach[0], stop[0], go[0]), (root[1], attach[1], stop[1], go[1])

    def add(self, other: Self) -> None:
        """Add counts in place."""
        for field in fields(self):
            array = getattr(self, field.name)
            array += getattr(other, field.name)


def normalised(counts: Parameters, smoothing: float = 0.0) -> Parameters:
    """Compute relative frequencies; `smoothing` is added to each count first.

    Rows without counts get uniform attachment over the tags, certain stopping, and a uniform root.

    Examples
    --------
    >>> counts = Parameters.zeros(2)
    >>> counts.stop[1, 0] = [3, 0]
    >>> counts.go[1, 0] = [1, 0]
    >>> normalised(counts).stop[1, 0].tolist()
    [0.75, 1.0]
    """
    n_tags = len(counts.root)
    root, attach, stop, go = (array + smoothing for array in counts.arrays())
    decisions = stop + go
    with np.errstate(invalid="ignore", divide="ignore"):
        stop = np.where(decisions > 0, stop / decisions, 1.0)
        go = np.where(decisions > 0, go / decisions, 0.0)
    return Parameters(_rows(root, n_tags), _rows(attach, n_tags), stop, go)


def variational(counts: Parameters, alpha: float) -> Parameters:
    """Compute variational weights under a symmetric Dirichlet prior: exp(psi(count + alpha) - psi(total + N alpha)).

    The weights of a distribution sum to less than 1.
    """
    from scipy.special import digamma

    n_tags = len(counts.root)

    def weights(count: np.ndarray, total: np.ndarray, outcomes: int) -> np.ndarray:
        return np.exp(digamma(count + alpha) - digamma(total + outcomes * alpha))

    decisions = counts.stop + counts.go
    return Parameters(
        weights(counts.root, counts.root.sum(), n_tags),
        weights(counts.attach, counts.attach.sum(axis=-1, keepdims=True), n_tags),
        weights(counts.stop, decisions, 2),
        weights(counts.go, decisions, 2),
    )


def divergence(counts: Parameters, alpha: float) -> float:
    """Compute the Kullback-Leibler divergence of the posterior Dirichlets from their prior, summed over
    distributions.
    """
    from scipy.special import digamma, gammaln

    decisions = np.stack([counts.stop, counts.go], axis=-1)
    total = 0.0
    for count in (counts.root, counts.attach, decisions):
        size = count.shape[-1]
        posterior = count + alpha
        sums = posterior.sum(axis=-1)
        total += float(np.sum(gammaln(sums) - gammaln(size * alpha)))
        total -= float(np.sum(gammaln(posterior) - gammaln(alpha)))
        total += float(np.sum(count * (digamma(posterior) - digamma(sums)[..., None])))
    return total


def enlarged(counts: Parameters, n_tags: int) -> Parameters:
    """Enlarge counts for new tags with zero counts; return the same counts if there are no new tags.

    Examples
    --------
    >>> enlarged(Parameters.zeros(1), 3).attach.shape
    (2, 3, 3)
    """
    old = len(counts.root)
    if old == n_tags:
        return counts
    larger = Parameters.zeros(n_tags)
    larger.root[:old] = counts.root
    larger.attach[:, :old, :old] = counts.attach
    larger.stop[:, :old] = counts.stop
    larger.go[:, :old] = counts.go
    return larger


def with_unknown(parameters: Parameters) -> Parameters:
    """Add a tag for unseen tags: uniform attachment, certain stopping, never the root.

    As a child it has the probability of a uniform distribution over tags, under any head.
    """
    n_tags = len(parameters.root)
    larger = enlarged(parameters, n_tags + 1)
    larger.attach[:, n_tags, :] = larger.attach[:, :, n_tags] = 1 / max(n_tags, 1)
    larger.stop[:, n_tags] = 1.0
    return larger


def smoothed(parameters: Parameters, amount: float = 0.1) -> Parameters:
    """Add `amount` to each factor and normalise every distribution, so that no tree is impossible."""
    return normalised(parameters, amount)


def stop_table(parameters: Parameters, tags: pd.Index) -> pd.DataFrame:
    """Make a table of stopping probabilities: ``head``, ``direction``, ``adjacent`` (no child yet), ``stop``."""
    n_tags = len(tags)
    return pd.DataFrame(
        {
            "head": np.tile(np.repeat(tags.to_numpy(), 2), 2),
            "direction": np.repeat(SIDES, 2 * n_tags),
            "adjacent": np.tile([True, False], 2 * n_tags),
            "stop": parameters.stop.reshape(-1),
        }
    )


def _rows(counts: np.ndarray, n_tags: int) -> np.ndarray:
    totals = counts.sum(axis=-1, keepdims=True)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(totals > 0, counts / totals, 1 / n_tags)
