"""Chrupała's model: a topic model of the neighbours of each word, and a tree of the topic distributions."""

import copy
from time import perf_counter
from types import ModuleType
from typing import Any, Self

import numpy as np
import pandas as pd

from analysis.categories.codes import sentence_starts
from analysis.categories.models.base import Model, cluster_series, interruption_deferred
from analysis.structures import check_tokens, encode_labels
from analysis.structures.labels import word_codes
from analysis.structures.progress import progress_bar

_MOST_LEAVES = 10_000  # the divergences of all pairs are stored: 0.8 GB
_ROUNDS = 30  # iterations to find the topics of an unseen word


def _kernels() -> ModuleType:
    from analysis.categories.models import chrupala_kernels

    return chrupala_kernels


class ChrupalaClustering(Model):
    """Latent Dirichlet allocation over word types and their neighbours, then agglomerative clustering by divergence.

    Stage 1: a word type is a document; the words to the left and to the right of its tokens, marked L and R, are
    its words. Collapsed Gibbs sampling gives each type a distribution over topics, p(z | w) = (n[w,z] + alpha) /
    (n[w] + Z alpha). Stage 2: the two nodes with the smallest Jensen-Shannon divergence are merged, JSD(p, q) =
    H(a p + (1 - a) q) - a H(p) - (1 - a) H(q), until one is left. Leaves are the types with at least ``min_count``
    tokens; the distribution of a node is the mean of its types weighted by frequency. The path to a leaf has one bit
    per node, 0 for the child with the more frequent first type. All other types join the leaf with the smallest
    divergence.

    Parameters
    ----------
    prefix_length : int, optional
        Number of bits of the path that form the tag; shorter paths are used completely.
    n_clusters : int, optional
        Alternative: undo the last ``n_clusters`` - 1 merges of the tree. Give one of the two.
    n_topics : int
        Z, number of topics of stage 1, after Chrupała.
    sweeps : int
        Total number of Gibbs sweeps, including sweeps before a resumed `fit`.
    document_prior : float, optional
        alpha; by default 10 / Z, after Chrupała.
    feature_prior : float
        beta, after Chrupała.
    boundaries : {"symbol", "separate"}
        The neighbour beyond the end of a sentence is a boundary symbol, or there is none.
    min_count : int
        Types with fewer tokens are not leaves.
    weighting, leaf_weighting : {"half", "frequency"}
        a in the divergence of two nodes, and of a type and a leaf: 1/2, or the proportion of tokens of the first. With
        frequency weights a type of one token is close to every frequent one, and one cluster gets most tokens.
    progress : bool
        Whether to show a progress bar with the log probability.
    random_state : int, Generator or None
        Seed of the chain.

    Attributes
    ----------
    clusters_ : DataFrame
        ``form``, ``frequency``, ``leaf`` (form of its leaf), ``path`` (bits), ``cluster``; in descending order of
        frequency, ties by first occurrence.
    labels_ : ndarray of int64, shape (n_tokens,)
        Cluster of each token of the training text, 0 .. n_clusters_ - 1, in order of the paths.
    n_clusters_ : int
        Number of tags found.
    linkage_ : ndarray of float64, shape (n_leaves - 1, 4)
        As in SciPy, with the divergence in bits in the third column; it may decrease from step to step.
    topics_ : ndarray of float64, shape (n_types, Z)
        p(z | w) of the types, in the order of ``clusters_``, after the last sweep.
    log_probability_ : ndarray of float64, shape (sweeps_done_,)
        Joint log probability of features and topics after each sweep, in nats.
    changed_ : ndarray of int64, shape (sweeps_done_,)
        Features whose topic changed in each sweep.
    seconds_ : ndarray of float64, shape (sweeps_done_,)
        Time of each sweep.
    sweeps_done_ : int
        Sweeps done; fewer than requested if the user interrupted `fit`.

    References
    ----------
    Chrupała (2012), "Hierarchical clustering of word class distributions"; Gelling et al. (2012), section 4 (there C).

    Examples
    --------
    >>> text = "the dog ran the cat ran a dog sat a cat sat".split()
    >>> tokens = pd.DataFrame({"sentence": np.repeat(range(4), 3), "form": text})
    >>> model = ChrupalaClustering(n_clusters=3, n_topics=4, sweeps=50, min_count=1, progress=False).fit(tokens)
    >>> model.n_clusters_, model.linkage_.shape
    (3, (5, 4))
    """

    def __init__(
        self,
        prefix_length: int | None = None,
        n_clusters: int | None = None,
        n_topics: int = 50,
        sweeps: int = 100,
        document_prior: float | None = None,
        feature_prior: float = 0.1,
        boundaries: str = "symbol",
        min_count: int = 5,
        weighting: str = "half",
        leaf_weighting: str = "half",
        progress: bool = True,
        random_state: int | np.random.Generator | None = 0,
    ) -> None:
        self.prefix_length = prefix_length
        self.n_clusters = n_clusters
        self.n_topics = n_topics
        self.sweeps = sweeps
        self.document_prior = document_prior
        self.feature_prior = feature_prior
        self.boundaries = boundaries
        self.min_count = min_count
        self.weighting = weighting
        self.leaf_weighting = leaf_weighting
        self.progress = progress
        self.random_state = random_state

    def fit(self, tokens: pd.DataFrame, resume: "ChrupalaClustering | None" = None) -> Self:
        """Sample topics until the chain has ``sweeps`` sweeps, then build the tree and cut it.

        Parameters
        ----------
        tokens : DataFrame
            Columns ``sentence`` and ``form``.
        resume : ChrupalaClustering, optional
            A model with the same ``n_topics``, priors and ``boundaries``, fitted on the same tokens: its chain is
            continued as if it had not been interrupted. It may be the model itself.

        Returns
        -------
        ChrupalaClustering
            The fitted model.

        Raises
        ------
        ValueError
            If a parameter or the table is invalid, ``resume`` belongs to other tokens or another model, or the number
            of types that reach ``min_count`` is 0, too small for ``n_clusters``, or above 10,000.
        KeyboardInterrupt
                After Ctrl-C: the current sweep is completed first and the tree is built; ``fit(tokens, resume=model)``
                continues.
        """
        self._check_parameters()
        check_tokens(tokens)
        codes, vocabulary = encode_labels(tokens["form"], "form")
        order = np.argsort(-np.bincount(codes), kind="stable")
        codes, vocabulary = np.argsort(order)[codes], vocabulary[order]
        frequencies = np.bincount(codes)
        self._check_leaves(frequencies)
        documents, features = neighbours(codes, sentence_starts(tokens), len(vocabulary), self.boundaries)
        if not len(features):
            raise ValueError("no token has a neighbour: every sentence is one word, and boundaries is 'separate'.")
        if resume is None:
            self._begin(codes, vocabulary, frequencies, documents, features)
        else:
            self._take_over(resume, codes, vocabulary)
        with interruption_deferred() as interrupted:
            self._sample(interrupted)
            self._agglomerate()
            self._cut()
        return self

    def fit_predict(self, tokens: pd.DataFrame) -> pd.Series:
        """Fit, and return the clusters of the training text, ``labels_``, with the index of ``tokens``."""
        return cluster_series(self.fit(tokens).labels_, tokens.index)

    def cut(self, prefix_length: int | None = None, n_clusters: int | None = None) -> "ChrupalaClustering":
        """Return the fitted model with a different cut of the tree, as a new object, without fitting again; give one
        argument.
        """
        self._require_fit("linkage_")
        other = copy.copy(self)
        other.prefix_length, other.n_clusters = prefix_length, n_clusters
        other._check_parameters()
        other._check_leaves(self._frequencies)
        other._cut()
        return other

    def predict(self, tokens: pd.DataFrame, unknown: str = "context") -> pd.Series:
        """Assign each token the cluster of its type.

        Parameters
        ----------
        tokens : DataFrame
            Columns ``sentence`` and ``form``.
        unknown : {"context", "missing"}
            An unseen type gets its most probable topics from its known neighbours in ``tokens``, with p(feature |
            topic) fixed, and the cluster of the leaf with the smallest divergence; or it gets none.

        Returns
        -------
        Series of Int32, named ``cluster``
            With the index of ``tokens``.
        """
        self._require_fit("linkage_")
        if unknown not in ("context", "missing"):
            raise ValueError(f"unknown is {unknown!r}; it must be 'context' or 'missing'.")
        check_tokens(tokens)
        codes, forms = encode_labels(tokens["form"], "form")
        known = self._vocabulary.get_indexer(pd.Index(np.asarray(forms, dtype=object)))
        clusters = np.append(self.clusters_["cluster"].to_numpy(), -1)[known]
        new = np.flatnonzero(known < 0)
        if unknown == "context" and len(new):
            clusters[new] = self._clusters_of_unknown(tokens, codes, known, new)
        return cluster_series(clusters[codes], tokens.index)

    # Implementation

    def _check_parameters(self) -> None:
        if (self.prefix_length is None) == (self.n_clusters is None):
            raise ValueError(
                f"prefix_length is {self.prefix_length} and n_clusters {self.n_clusters}; give one of the two."
            )
        for name, least in (("prefix_length", 0), ("n_clusters", 1), ("n_topics", 1), ("sweeps", 0), ("min_count", 1)):
            value = getattr(self, name)
            if value is not None and value < least:
                raise ValueError(f"{name} is {value}; it must be at least {least}.")
        for name, prior in (("document_prior", self._alpha), ("feature_prior", self.feature_prior)):
            if not 0 < prior < np.inf:
                raise ValueError(f"{name} is {prior}; it must be a number above 0.")
        if self.boundaries not in ("symbol", "separate"):
            raise ValueError(f"boundaries is {self.boundaries!r}; it must be 'symbol' or 'separate'.")
        for name in ("weighting", "leaf_weighting"):
            if getattr(self, name) not in ("half", "frequency"):
                raise ValueError(f"{name} is {getattr(self, name)!r}; it must be 'half' or 'frequency'.")

    @property
    def _alpha(self) -> float:
        return 10 / self.n_topics if self.document_prior is None else self.document_prior

    def _check_leaves(self, frequencies: np.ndarray) -> None:
        leaves = int((frequencies >= self.min_count).sum())
        if not 1 <= leaves <= _MOST_LEAVES:
            raise ValueError(
                f"{leaves:,} types have at least min_count = {self.min_count} tokens; "
                f"the tree needs from 1 to {_MOST_LEAVES:,} of them."
            )
        if self.n_clusters is not None and self.n_clusters > leaves:
            raise ValueError(f"{leaves:,} types that reach min_count cannot make {self.n_clusters:,} clusters.")

    def _begin(
        self, codes: np.ndarray, vocabulary: pd.Index, frequencies: np.ndarray, documents: np.ndarray,
        features: np.ndarray,
    ) -> None:  # fmt: skip
        self._random = np.random.default_rng(np.random.default_rng(self.random_state).integers(2**63))
        self._codes, self._vocabulary, self._frequencies = codes, vocabulary, frequencies
        self._known_features, self._features = np.unique(features, return_inverse=True)
        self._documents = documents
        self._topics = self._random.integers(0, self.n_topics, len(documents))
        self._of_document = np.empty((len(vocabulary), self.n_topics), np.int32)
        self._of_feature = np.empty((len(self._known_features), self.n_topics), np.int32)
        self._totals = np.empty(self.n_topics, np.int64)
        _kernels().count(
            self._documents, self._features, self._topics, self._of_document, self._of_feature, self._totals
        )
        self.log_probability_, self.changed_, self.seconds_ = np.array([]), np.array([], np.int64), np.array([])
        self.sweeps_done_ = 0
        self._settings = self._alpha, self.feature_prior, self.n_topics, self.boundaries

    def _take_over(self, other: "ChrupalaClustering", codes: np.ndarray, vocabulary: pd.Index) -> None:
        other._require_fit("linkage_")
        if other._settings != (self._alpha, self.feature_prior, self.n_topics, self.boundaries):
            raise ValueError("the chain to resume has other n_topics, priors or boundaries.")
        if not (np.array_equal(other._codes, codes) and list(other._vocabulary) == list(vocabulary)):
            raise ValueError("the chain to resume was fitted on other tokens.")
        for name, value in vars(other).items():
            if name.startswith("_") or name.endswith("_"):
                setattr(self, name, copy.deepcopy(value))

    def _sample(self, interrupted: Any) -> None:
        kernels = _kernels()
        traces = [list(trace) for trace in (self.log_probability_, self.changed_, self.seconds_)]
        counts = self._of_document, self._of_feature, self._totals
        bar_options: dict[str, Any] = {"initial": self.sweeps_done_, "unit": "sweep", "leave": True}
        with progress_bar(
            self.sweeps, label=f"Chrupała, Z = {self.n_topics}", shown=self.progress, **bar_options
        ) as bar:
            while len(traces[0]) < self.sweeps and not interrupted():
                start = perf_counter()
                priors = (self._alpha, self.feature_prior)
                changed = kernels.sweep(self._documents, self._features, self._topics, *counts, priors, self._random)
                log_probability = kernels.log_probability(*counts, *priors)
                for trace, value in zip(traces, (log_probability, changed, perf_counter() - start), strict=True):
                    trace.append(value)
                bar.set_postfix_str(f"log probability {log_probability:,.0f}", refresh=False)
                bar.update()
        self.log_probability_, self.seconds_ = np.array(traces[0]), np.array(traces[2])
        self.changed_ = np.array(traces[1], np.int64)
        self.sweeps_done_ = len(self.log_probability_)
        smoothed = self._of_document + self._alpha
        self.topics_ = smoothed / smoothed.sum(axis=1, keepdims=True)

    def _agglomerate(self) -> None:
        self._n_leaves = n = int((self._frequencies >= self.min_count).sum())
        weights = self._frequencies.astype(np.float64)
        rows = self.topics_[:n].copy()
        children, heights = _kernels().agglomerate(rows, weights[:n].copy(), self.weighting == "frequency")
        sizes = np.ones(2 * n - 1)
        for step, (one, other) in enumerate(children):
            sizes[n + step] = sizes[one] + sizes[other]
        self.linkage_ = np.column_stack([children, heights, sizes[n:]]).astype(np.float64)
        self._paths = _paths(children, n)
        self._leaf = self._nearest(self.topics_, weights)
        self._leaf[:n] = np.arange(n)

    def _nearest(self, rows: np.ndarray, weights: np.ndarray) -> np.ndarray:
        n = self._n_leaves
        leaf_weights = self._frequencies[:n].astype(np.float64)
        by_frequency = self.leaf_weighting == "frequency"
        return _kernels().nearest_leaves(rows, weights, self.topics_[:n], leaf_weights, by_frequency)

    def _cut(self) -> None:
        n = self._n_leaves
        if self.prefix_length is not None:
            tags = [path[: self.prefix_length] for path in self._paths]
        else:
            assert self.n_clusters is not None
            tags = _cut_paths(self.linkage_[:, :2].astype(np.int64), n, self.n_clusters, self._paths)
        self._of_leaf, names = word_codes(pd.Series(tags, dtype=object))
        self.n_clusters_ = len(names)
        clusters = self._of_leaf[self._leaf]
        self.clusters_ = pd.DataFrame(
            {
                "form": self._vocabulary,
                "frequency": self._frequencies,
                "leaf": self._vocabulary[self._leaf],
                "path": np.array(self._paths, dtype=object)[self._leaf],
                "cluster": clusters,
            }
        )
        self.labels_ = clusters[self._codes]

    def _clusters_of_unknown(
        self, tokens: pd.DataFrame, codes: np.ndarray, known: np.ndarray, new: np.ndarray
    ) -> np.ndarray:
        W = len(self._vocabulary)
        beyond = 2 * W + 2  # no feature has this number or a higher one
        numbers = np.where(known < 0, beyond, known)[codes]
        starts = sentence_starts(tokens)
        documents, features = neighbours(codes, starts, beyond, self.boundaries, numbers, W)
        place = np.searchsorted(self._known_features, features)
        found = self._known_features[np.minimum(place, len(self._known_features) - 1)] == features
        documents, place = documents[found], place[found]
        phi = (self._of_feature + self.feature_prior) / (self._totals + len(self._known_features) * self.feature_prior)
        begins, ends = np.searchsorted(documents, new), np.searchsorted(documents, new, side="right")
        rows = np.empty((len(new), self.n_topics))
        for i, (begin, end) in enumerate(zip(begins, ends, strict=True)):
            rows[i] = _topics_of(phi[place[begin:end]], self._alpha)
        frequencies = np.bincount(codes)[new].astype(np.float64)
        return self._of_leaf[self._nearest(rows, frequencies)]


def neighbours(
    codes: np.ndarray,
    starts: np.ndarray,
    n_types: int,
    boundaries: str,
    names: np.ndarray | None = None,
    boundary: int | None = None,
) -> tuple[np.ndarray, np.ndarray]:
    """Return type and neighbour of every token and side, sorted by type.

    Parameters
    ----------
    codes : ndarray of int, shape (n_tokens,)
        Types.
    starts : ndarray of bool, shape (n_tokens,)
        Whether a token is the first of its sentence.
    n_types : int
    boundaries : {"symbol", "separate"}
    names : ndarray of int, optional
        Codes of the tokens as neighbours, if different from ``codes``.
    boundary : int, optional
        Code of the boundary as a neighbour, if different from ``n_types``.

    Returns
    -------
    documents, features : ndarray of int64
        Neighbour x to the left is 2 x, to the right 2 x + 1.

    Examples
    --------
    >>> documents, features = neighbours(np.array([0, 1]), np.array([True, False]), 2, "symbol")
    >>> documents.tolist(), features.tolist()
    ([0, 0, 1, 1], [4, 3, 0, 5])
    """
    edge = n_types if boundary is None else boundary
    names = codes if names is None else names
    left, right = np.roll(names, 1), np.roll(names, -1)
    ends = np.append(starts[1:], True)
    left[starts], right[ends] = edge, edge
    features = np.stack([2 * left, 2 * right + 1], axis=1).ravel()
    documents = np.repeat(codes, 2)
    if boundaries == "separate":
        kept = ~np.stack([starts, ends], axis=1).ravel()
        features, documents = features[kept], documents[kept]
    order = np.argsort(documents, kind="stable")
    return documents[order], features[order]


def _topics_of(likelihoods: np.ndarray, alpha: float) -> np.ndarray:
    """Estimate the topics of a document from the likelihoods of its features, one per row: soft counts plus alpha,
    normalised.
    """
    topics = np.full(likelihoods.shape[1], 1 / likelihoods.shape[1])
    for _ in range(_ROUNDS):
        shares = likelihoods * topics
        topics = alpha + (shares / shares.sum(axis=1, keepdims=True)).sum(axis=0)
        topics /= topics.sum()
    return topics


def _paths(children: np.ndarray, n: int) -> list[str]:
    """Compute the bits from the root to each leaf.

    Examples
    --------
    >>> _paths(np.array([[0, 2], [3, 1]]), 3)
    ['00', '1', '01']
    """
    paths = [""] * (2 * n - 1)
    for step in range(n - 2, -1, -1):
        for bit, child in enumerate(children[step]):
            paths[child] = paths[n + step] + str(bit)
    return paths[:n]


def _cut_paths(children: np.ndarray, n: int, n_clusters: int, paths: list[str]) -> list[str]:
    """Compute the path to the node of each leaf when ``n_clusters`` nodes are left.

    Examples
    --------
    >>> _cut_paths(np.array([[0, 2], [3, 1]]), 3, 2, ["00", "1", "01"])
    ['0', '1', '0']
    """
    depth = np.zeros(2 * n - 1, np.int64)
    kept = np.zeros(2 * n - 1, np.int64)
    for step in range(n - 2, -1, -1):
        whole = step < n - n_clusters  # this node is not split
        for child in children[step]:
            depth[child] = depth[n + step] + 1
            kept[child] = kept[n + step] if whole else depth[child]
    return [path[: kept[leaf]] for leaf, path in enumerate(paths)]
