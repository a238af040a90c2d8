"""Shared code of Brown, exchange and Clark clustering: pairs of adjacent words and the score of their classes."""

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass
from types import ModuleType
from typing import Any, Self

import numpy as np
import pandas as pd

from analysis.categories.codes import sentence_starts
from analysis.categories.models.base import Model, cluster_series
from analysis.structures import check_at_least, check_choice, check_tokens
from analysis.structures.labels import word_codes

BOUNDARIES = ("symbol", "separate", "cross")
_TABLE = 1 << 22  # x log x is looked up below this, and computed above


def _kernels() -> ModuleType:
    from analysis.categories.models import class_bigram_kernels

    return class_bigram_kernels


@dataclass(frozen=True, eq=False)
class AdjacentPairs:
    """Counts of adjacent pairs of word types.

    Parameters
    ----------
    forms : pandas.Index
        Word types in descending order of frequency, ties by first occurrence: type t is ``forms[t]``.
    frequencies : ndarray of int64
        Tokens of each type.
    n_frequent : int
        Number of types at or above the threshold; they come first.
    left, right, counts : ndarray of int64
        The pairs, sorted by left then right; the number ``len(forms)`` is the boundary symbol.
    """

    forms: pd.Index
    frequencies: np.ndarray
    n_frequent: int
    left: np.ndarray
    right: np.ndarray
    counts: np.ndarray

    @property
    def boundary(self) -> int:
        """Number of the boundary symbol."""
        return len(self.forms)

    def neighbours(self) -> Any:
        """Compressed rows for `Neighbours` of the kernels: start, words after, counts; start, words before, counts."""
        n = len(self.forms) + 1
        back = np.argsort(self.right, kind="stable")
        after_start = np.searchsorted(self.left, np.arange(n + 1)).astype(np.int64)
        before_start = np.searchsorted(self.right[back], np.arange(n + 1)).astype(np.int64)
        after = after_start, self.right, self.counts
        return _kernels().Neighbours(*after, before_start, self.left[back], self.counts[back])


def adjacent_pairs(tokens: pd.DataFrame, *, min_count: int = 1, boundaries: str = "symbol") -> AdjacentPairs:
    """Count adjacent words.

    Parameters
    ----------
    tokens : DataFrame
        ``sentence``, ``form``; one row per token.
    min_count : int
        Types with fewer tokens are rare.
    boundaries : {"symbol", "separate", "cross"}
        A boundary symbol before, between and after sentences; pairs within sentences only; or pairs across sentences
        too, as in one continuous text.

    Returns
    -------
    AdjacentPairs

    Examples
    --------
    >>> pairs = adjacent_pairs(pd.DataFrame({"sentence": [0, 0, 1], "form": ["b", "a", "a"]}))
    >>> pairs.forms.tolist(), pairs.left.tolist(), pairs.right.tolist(), pairs.counts.tolist()
    (['a', 'b'], [0, 1, 2, 2], [2, 0, 0, 1], [2, 1, 1, 1])
    """
    check_choice("boundaries", boundaries, BOUNDARIES)
    check_at_least(1, min_count=min_count)
    check_tokens(tokens)
    codes, names = word_codes(tokens["form"])
    frequencies = np.bincount(codes, minlength=len(names)).astype(np.int64)
    first = np.full(len(names), len(codes), dtype=np.int64)
    np.minimum.at(first, codes, np.arange(len(codes)))
    order = np.lexsort((first, -frequencies))
    rank = np.empty(len(order), dtype=np.int64)
    rank[order] = np.arange(len(order))
    words, boundary = rank[codes], len(order)
    starts = sentence_starts(tokens)
    if boundaries == "symbol":
        text = np.full(len(words) + int(starts.sum()) + 1, boundary, dtype=np.int64)
        text[np.arange(len(words)) + np.cumsum(starts)] = words
        left, right = text[:-1], text[1:]
    else:
        left, right = words[:-1], words[1:]
        if boundaries == "separate":
            left, right = left[~starts[1:]], right[~starts[1:]]
    pairs, counts = np.unique(left * (boundary + 1) + right, return_counts=True)
    left, right = np.divmod(pairs, boundary + 1)
    return AdjacentPairs(
        names[order],
        frequencies[order],
        int((frequencies >= min_count).sum()),
        left.astype(np.int64),
        right.astype(np.int64),
        counts.astype(np.int64),
    )


class ClassCounts:
    """Adjacent pairs by class, and the objective of the class bigram model.

    Parameters
    ----------
    pairs : AdjacentPairs
    classes : ndarray of int64, shape (n_types + 1,)
        Class of each type and of the boundary symbol; -1 = left out.
    n_classes : int
        Number of classes, including fixed ones.
    """

    def __init__(self, pairs: AdjacentPairs, classes: np.ndarray, n_classes: int) -> None:
        kernels = _kernels()
        self.table = kernels.h_table(int(min(pairs.counts.sum() + 1, _TABLE)))  # h of all counts up to a limit
        left, right = classes[pairs.left], classes[pairs.right]
        counted = (left >= 0) & (right >= 0)
        self.N = np.zeros((n_classes, n_classes), dtype=np.int64)
        np.add.at(self.N, (left[counted], right[counted]), pairs.counts[counted])
        self.out, self.into = self.N.sum(axis=1), self.N.sum(axis=0)

    def arrays(self) -> Any:
        """The counts in the form used by the kernels."""
        return _kernels().Counts(self.N, self.out, self.into, self.table)

    @property
    def objective(self) -> float:
        """F = sum h(N[c,d]) - sum h(N[c,.]) - sum h(N[.,d]) with h(x) = x log x, in nats."""
        return float(_kernels().mutual_information_sum(self.N, self.table))

    @property
    def average_mutual_information(self) -> float:
        """Compute the mean of log2 p(c,d) / (p(c,.) p(.,d)) over pairs, in bits; 0 without pairs."""
        n = int(self.N.sum())
        return (self.objective + n * math.log(n)) / n / math.log(2) if n else 0.0


class ClassBigramModel(Model, ABC):
    """Base class of models with one cluster per word type.

    Attributes
    ----------
    clusters_ : DataFrame
        ``form``, ``cluster``, ``frequency``; in descending order of frequency. Cluster 0 has the most frequent word.
    n_clusters_ : int
        Number of non-empty clusters.
    average_mutual_information_ : float
        Average mutual information of adjacent classes, including fixed classes, in bits.
    objective_ : float
        F of the class bigram model, without the constant of the words, in nats.
    """

    clusters_: pd.DataFrame

    @abstractmethod
    def fit(self, tokens: pd.DataFrame) -> Self:
        """Cluster the words of a text."""

    def predict(self, tokens: pd.DataFrame) -> pd.Series:
        """Return the cluster of each token's word; missing if the word has none.

        Parameters
        ----------
        tokens : DataFrame
            ``form``; one row per token.

        Returns
        -------
        Series of Int32
            Named ``cluster``, with the index of `tokens`.

        Raises
        ------
        ValueError
            If the model is not fitted, or the table has no ``form`` or no row.
        """
        self._require_fit("clusters_")
        check_tokens(tokens, ["form"])
        words, _ = word_codes(tokens["form"], pd.Index(self.clusters_["form"]))
        clusters = np.where(words >= 0, self.clusters_["cluster"].to_numpy()[words], -1)
        return cluster_series(clusters, tokens.index)

    def fit_predict(self, tokens: pd.DataFrame) -> pd.Series:
        """Fit, then return the cluster of each token of the same text."""
        return self.fit(tokens).predict(tokens)

    def _keep(self, pairs: AdjacentPairs, classes: np.ndarray, counts: ClassCounts) -> dict[int, int]:
        """Number the clusters by their most frequent word and store them; return the number of each old class."""
        typed = classes[: len(pairs.forms)]
        inside = np.flatnonzero(typed >= 0)
        number = {int(old): new for new, old in enumerate(dict.fromkeys(typed[inside].tolist()))}
        self.clusters_ = pd.DataFrame(
            {
                "form": pairs.forms[inside],
                "cluster": np.array([number[c] for c in typed[inside].tolist()], dtype=np.int32),
                "frequency": pairs.frequencies[inside],
            }
        )
        self.n_clusters_ = len(number)
        self.objective_ = counts.objective
        self.average_mutual_information_ = counts.average_mutual_information
        return number


def check_number_of_clusters(n_clusters: int, n_types: int) -> None:
    """Raise an error for a number of clusters below 1, or a text without words to cluster.

    Raises
    ------
    ValueError
    """
    check_at_least(1, n_clusters=n_clusters)
    if not n_types:
        raise ValueError("no word reaches min_count: there is nothing to cluster.")
