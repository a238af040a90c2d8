"""Baselines of today: words as vectors of positive pointwise mutual information, reduced and clustered."""

import warnings
from abc import ABC, abstractmethod
from typing import Any, Literal, Self

import numpy as np
import pandas as pd

from analysis.categories.models.base import Model, cluster_series
from analysis.structures import check_at_least, check_choice, check_tokens
from analysis.structures.labels import word_codes


class _PmiClustering(Model, ABC):
    """Vectors of words, common to both ways of clustering; a subclass has the parameters and ``_cluster``."""

    n_clusters: int
    n_dimensions: int
    n_context: int | None
    window: int
    weighting: float
    min_count: int
    random_state: Any

    def fit(self, tokens: pd.DataFrame) -> Self:
        """Count contexts, weight and reduce them, and cluster the words.

        Parameters
        ----------
        tokens : DataFrame
            Tokens table with ``sentence`` and ``form``.

        Raises
        ------
        ValueError
            If a parameter is out of range, or there are fewer words than clusters.
        """
        from threadpoolctl import threadpool_limits

        check_at_least(
            1, n_clusters=self.n_clusters, n_dimensions=self.n_dimensions, n_context=self.n_context,
            window=self.window, min_count=self.min_count,
        )  # fmt: skip
        check_at_least(0, weighting=self.weighting)
        check_tokens(tokens)
        codes, vocabulary = word_codes(tokens["form"])
        counts = np.bincount(codes)
        by_frequency = np.argsort(-counts, kind="stable")  # the vocabulary is in code-point order
        words = by_frequency[counts[by_frequency] >= self.min_count]
        if len(words) < self.n_clusters:
            raise ValueError(f"{len(words):,} words cannot form {self.n_clusters:,} clusters.")
        contexts = by_frequency[: self.n_context]
        seed = int(np.random.default_rng(self.random_state).integers(2**31 - 1))
        with threadpool_limits(limits=1):  # so that sums have the same order wherever the model is fitted
            table = context_counts(codes, tokens["sentence"].to_numpy(), words, contexts, self.window)
            self.vectors_ = reduced_vectors(positive_pmi(table), self.n_dimensions, self.weighting, seed)
            found = self._cluster(self.vectors_, seed)
        self._words = vocabulary[words]
        self._clusters = _by_first_word(found)
        self.targets_ = pd.DataFrame({"form": self._words, "tokens": counts[words], "cluster": self._clusters})
        return self

    def predict(self, tokens: pd.DataFrame) -> pd.Series:
        """Return the cluster of each token's word; missing if the word was not clustered in training.

        Parameters
        ----------
        tokens : DataFrame
            Tokens table with ``form``.

        Returns
        -------
        Series of Int32
            Named ``cluster``, with the index of `tokens`.
        """
        self._require_fit("targets_")
        check_tokens(tokens, ["form"])
        codes, _ = word_codes(tokens["form"], self._words)
        return cluster_series(np.append(self._clusters, -1)[codes], tokens.index)

    @abstractmethod
    def _cluster(self, vectors: np.ndarray, seed: int) -> np.ndarray:
        """Return the cluster of each vector; the names of clusters carry no meaning."""


class PmiKMeans(_PmiClustering):
    """Word vectors of positive PMI, reduced by truncated SVD and clustered by k-means.

    A baseline of today, in no paper. Each word has one count for each context word and position, `window` positions on
    either side; a position outside the sentence counts as a boundary symbol. Counts become positive pointwise mutual
    information (see `positive_pmi`), this the first `n_dimensions` left singular vectors, each weighted by a power of
    its singular value, and rows of length 1. All tokens of a type have its cluster.

    Clusters are numbered by their most frequent word. There are fewer than `n_clusters` if fewer vectors differ. The
    result depends on the text, the parameters and the seed only, not on the number of threads or processes.

    Parameters
    ----------
    n_clusters : int
        K.
    n_dimensions : int
        Number of singular vectors; all, if the table has no more rows or columns.
    n_context : int, optional
        Number of most frequent word types used as context, ties by code-point order; None: all.
    window : int
        Positions on either side.
    weighting : float
        Power of the singular values: 1 keeps the distances of the table, 0 gives all dimensions the same weight.
    min_count : int
        Minimum number of tokens of a word; rarer words have no cluster.
    n_starts : int
        Number of random starts (k-means++); the one with the smallest sum of squared distances is kept.
    random_state : None, int or numpy.random.Generator

    Attributes
    ----------
    targets_ : DataFrame
        ``form``, ``tokens``, ``cluster`` of each word, the most frequent first.
    vectors_ : ndarray of float64, shape (n_words, n_dimensions)
        In the order of ``targets_``.

    References
    ----------
    Levy, Goldberg & Dagan (2015), sections 2 and 3, for the vectors.

    Examples
    --------
    >>> tokens = pd.DataFrame({"sentence": [0, 0, 1, 1, 2, 2, 3, 3], "form": "a dog a cat the dog the cat".split()})
    >>> PmiKMeans(n_clusters=2).fit(tokens).targets_
      form  tokens  cluster
    0    a       2        0
    1  cat       2        1
    2  dog       2        1
    3  the       2        0
    """

    def __init__(
        self,
        n_clusters: int = 12,
        n_dimensions: int = 50,
        n_context: int | None = 1000,
        window: int = 2,
        weighting: float = 0.5,
        min_count: int = 1,
        n_starts: int = 10,
        random_state: Any = 0,
    ) -> None:
        self.n_clusters = n_clusters
        self.n_dimensions = n_dimensions
        self.n_context = n_context
        self.window = window
        self.weighting = weighting
        self.min_count = min_count
        self.n_starts = n_starts
        self.random_state = random_state

    def _cluster(self, vectors: np.ndarray, seed: int) -> np.ndarray:
        from sklearn.cluster import KMeans

        check_at_least(1, n_starts=self.n_starts)
        k = min(self.n_clusters, len(np.unique(vectors, axis=0)))
        labels: np.ndarray = KMeans(k, n_init=self.n_starts, random_state=seed).fit(vectors).labels_
        return labels


class PmiAgglomerative(_PmiClustering):
    """Word vectors of positive PMI, reduced by truncated SVD and clustered by merging the closest clusters.

    A baseline of today, in no paper. The vectors are those of `PmiKMeans`. Memory grows with the square of the number
    of words: 10,000 words need about 0.8 GB; `min_count` leaves rare words out.

    Parameters
    ----------
    n_clusters : int
        K.
    n_dimensions, n_context, window, weighting, min_count
        See `PmiKMeans`.
    linkage : {"ward", "average", "complete", "single"}
        Distance of two clusters: increase of the sum of squared distances, or mean, maximum or minimum distance.
    random_state : None, int or numpy.random.Generator
        Start of the iterative decomposition; it changes the vectors by less than their rounding to 10 digits, unless
        singular values are equal.

    Attributes
    ----------
    targets_, vectors_
        See `PmiKMeans`.

    References
    ----------
    Levy, Goldberg & Dagan (2015), sections 2 and 3, for the vectors.

    Examples
    --------
    >>> tokens = pd.DataFrame({"sentence": [0, 0, 1, 1, 2, 2, 3, 3], "form": "a dog a cat the dog the cat".split()})
    >>> PmiAgglomerative(n_clusters=2).fit(tokens).predict(tokens).tolist()
    [0, 1, 0, 1, 0, 1, 0, 1]
    """

    def __init__(
        self,
        n_clusters: int = 12,
        n_dimensions: int = 50,
        n_context: int | None = 1000,
        window: int = 2,
        weighting: float = 0.5,
        min_count: int = 1,
        linkage: Literal["ward", "average", "complete", "single"] = "ward",
        random_state: Any = 0,
    ) -> None:
        self.n_clusters = n_clusters
        self.n_dimensions = n_dimensions
        self.n_context = n_context
        self.window = window
        self.weighting = weighting
        self.min_count = min_count
        self.linkage = linkage
        self.random_state = random_state

    def _cluster(self, vectors: np.ndarray, seed: int) -> np.ndarray:
        from sklearn.cluster import AgglomerativeClustering

        check_choice("linkage", self.linkage, ("ward", "average", "complete", "single"))
        if len(vectors) == 1:
            return np.zeros(1, dtype=np.int64)
        with warnings.catch_warnings():
            # SciPy takes vectors that happen to form a symmetric square for distances, but treats them as vectors
            warnings.filterwarnings("ignore", message="The symmetric non-negative hollow observation matrix")
            labels: np.ndarray = AgglomerativeClustering(self.n_clusters, linkage=self.linkage).fit(vectors).labels_
        return labels


def context_counts(
    codes: np.ndarray, sentence: np.ndarray, words: np.ndarray, contexts: np.ndarray, window: int
) -> Any:
    """Count the context words of each word by position; a position outside the sentence has a boundary symbol.

    Parameters
    ----------
    codes : ndarray of int64, shape (n_tokens,)
        Code of each token's word.
    sentence : ndarray, shape (n_tokens,)
    words, contexts : ndarray of int64
        Codes of the words that have rows, and of those that have columns; no other neighbour is counted.
    window : int
        Positions on either side.

    Returns
    -------
    scipy.sparse.csr_array of float64, shape (n_words, 2 * window * (n_contexts + 1))
        Positions from left to right; the last column of each is the boundary.

    Examples
    --------
    >>> codes, both = np.array([0, 1, 0]), np.array([0, 1])
    >>> context_counts(codes, np.array([0, 0, 1]), both, both, 1).toarray().astype(int).tolist()
    [[0, 0, 2, 0, 1, 1], [1, 0, 0, 0, 0, 1]]
    """
    from scipy.sparse import coo_array

    n_tokens, n_types, width = len(codes), int(codes.max()) + 1, len(contexts) + 1
    row_of, column_of = np.full(n_types, -1), np.full(n_types, -1)
    row_of[words] = np.arange(len(words))
    column_of[contexts] = np.arange(len(contexts))
    here = np.arange(n_tokens)
    rows, columns = [], []
    for block, offset in enumerate((*range(-window, 0), *range(1, window + 1))):
        there = np.clip(here + offset, 0, n_tokens - 1)
        inside = (there == here + offset) & (sentence[there] == sentence)
        column = np.where(inside, column_of[codes[there]], width - 1)
        kept = (row_of[codes] >= 0) & (column >= 0)
        rows.append(row_of[codes][kept])
        columns.append(block * width + column[kept])
    row, column = np.concatenate(rows), np.concatenate(columns)
    return coo_array((np.ones(len(row)), (row, column)), shape=(len(words), 2 * window * width)).tocsr()


def positive_pmi(counts: Any) -> Any:
    """Positive pointwise mutual information: max(0, log2 n(w, c) n / (n(w) n(c))); 0 where nothing was counted.

    Parameters
    ----------
    counts : sparse array or ndarray, shape (n_words, n_contexts)

    Returns
    -------
    scipy.sparse.csr_array of float64, shape (n_words, n_contexts)

    References
    ----------
    Levy, Goldberg & Dagan (2015), section 2.1.

    Examples
    --------
    >>> positive_pmi(np.array([[2, 0], [1, 1]])).toarray().round(3).tolist()
    [[0.415, 0.0], [0.0, 1.0]]
    """
    from scipy.sparse import coo_array

    table = coo_array(counts)
    table.eliminate_zeros()
    row, column = table.coords
    of_row = np.bincount(row, table.data, minlength=table.shape[0])
    of_column = np.bincount(column, table.data, minlength=table.shape[1])
    values = np.log2(table.data * table.data.sum() / of_row[row] / of_column[column])
    kept = values > 0
    return coo_array((values[kept], (row[kept], column[kept])), shape=table.shape).tocsr()


def reduced_vectors(table: Any, n_dimensions: int, weighting: float, seed: int) -> np.ndarray:
    """Left singular vectors of a table, weighted by a power of their singular values, as rows of length 1.

    Columns beyond the rank of the table are 0, and so is the row of a word without any association.

    Parameters
    ----------
    table : scipy.sparse.csr_array, shape (n_words, n_contexts)
    n_dimensions : int
        Number of singular vectors; all, if the table has no more rows or columns.
    weighting : float
        Power of the singular values.
    seed : int
        Of the start of the iterative decomposition.

    Returns
    -------
    ndarray of float64, shape (n_words, at most n_dimensions)
        Rounded to 10 digits, so that words with equal contexts have equal vectors.

    Examples
    --------
    >>> from scipy.sparse import csr_array
    >>> abs(reduced_vectors(csr_array([[3.0, 0], [0, 2], [6, 0]]), 5, 1.0, 0)).tolist()
    [[1.0, 0.0], [0.0, 1.0], [1.0, 0.0]]
    """
    if min(table.shape) <= n_dimensions:
        left, values, _ = np.linalg.svd(table.toarray(), full_matrices=False)
    else:
        from sklearn.decomposition import TruncatedSVD

        model = TruncatedSVD(n_dimensions, algorithm="arpack", random_state=seed)
        weighted, values = model.fit_transform(table), model.singular_values_
        left = weighted / np.where(values > 0, values, 1)
    kept = values > 1e-10 * max(float(values.max()), 1e-300)
    vectors = left * np.where(kept, np.where(kept, values, 1) ** weighting, 0)
    lengths = np.sqrt((vectors**2).sum(axis=1, keepdims=True))
    lengths[lengths < 1e-10] = np.inf
    rounded: np.ndarray = np.round(vectors / lengths, 10) + 0.0  # no -0
    return rounded


def _by_first_word(labels: np.ndarray) -> np.ndarray:
    """Number clusters by their first word."""
    codes, _ = pd.factorize(labels)
    return codes.astype(np.int64)
