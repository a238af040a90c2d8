"""Word classes around prototypes, in the spirit of Abend, Reichart & Rappoport (2010)."""

import math
from typing import Any, NamedTuple, Self

import numpy as np
import pandas as pd

from analysis.categories.models.base import Model, cluster_series
from analysis.categories.models.last_morphs import last_morphs
from analysis.categories.models.pmi_clustering import context_counts
from analysis.structures import check_at_least, check_between, check_positive, check_tokens
from analysis.structures.labels import word_codes
from analysis.structures.progress import progress_bar

_DIGITS = 10  # similarities are rounded to this many, so that equal words tie


class PrototypeClustering(Model):
    """Landmark clusters of representative words, to which all other words are mapped.

    In the spirit of Abend, Reichart & Rappoport (2010), and no reproduction: of their algorithm, only the outline is
    known here (landmark clusters first, then the other words are mapped to them; words are represented by distribution
    and by morphology, neither supervised). Every step and every number below is a choice of this suite.

    1. *Distribution*: counts of the context words by position, to a power, as vectors of length 1; similarity is their
       dot product (0 for a word without any context word).
    2. *Morphology*: the ending (see `last_morphs`), and whether the word begins with a capital, has a digit, has a
       hyphen. Similarity is 1 if all four are equal, `suffix_similarity` if only the endings are, else 0; two words
       without an ending have equal ones. The similarity s of two words weights both.
    3. *Candidates*: the frequent types, clustered by average linkage of 1 - s into `clusters_per_landmark` clusters for
       each landmark.
    4. *Landmarks*: the score of a cluster is its number of types times the mean s of two of them (1 if there is one
       only). The best cluster is taken, then repeatedly the best whose centroid has a similarity below
       `max_similarity` to the centroids of all that were taken; the limit is relaxed where there is none. The
       prototypes of a landmark are the types nearest its centroid.
    5. *Mapping*: every other type goes to the landmark with the largest mean s to its prototypes; rare types by an s in
       which morphology has another weight. Ties go to the landmark that was taken first.

    All tokens of a type have its cluster. The order of the sentences does not matter; the seed only sets the order in
    which Morfessor takes the words.

    Parameters
    ----------
    n_clusters : int
        K, the number of landmarks and so of clusters; 34 in Reichart et al. There are fewer if fewer types are
        candidates.
    n_context : int
        Number of most frequent word types used as context, ties by code-point order; others are not counted.
    window : int
        Positions on either side, within the sentence.
    power : float
        Of the counts; 0.5 are square roots.
    morphology_weight : float
        Weight of morphology in s, from 0 to 1; distribution has the rest. With 0 here and for rare types, no word is
        divided into morphs.
    suffix_similarity : float
        Morphological similarity of two words whose endings alone are equal, from 0 to 1.
    min_suffix_types : int
        Minimum number of word types that have an ending; words with a rarer one have none.
    corpus_weight : float
        Of Morfessor; see `last_morphs`.
    min_count : int
    min_share : float
        Minimum number of tokens of a candidate, and minimum share of all tokens; the larger counts.
    clusters_per_landmark : int
        Clusters of candidates for each landmark (all candidates by themselves, if they are fewer). With 1, all clusters
        become landmarks.
    max_similarity : float
        Limit of the cosine of two landmarks' centroids, from 0 to 1.
    relaxation : float
        Step by which the limit is raised.
    prototype_share : float
        Share of a landmark's types that become prototypes, rounded up; with 1, all.
    min_prototypes : int
        Minimum number of prototypes; a landmark with fewer types keeps all.
    rare_count : int
        Types with fewer tokens are rare.
    rare_morphology_weight : float
        Weight of morphology in the mapping of rare types, from 0 to 1.
    progress : bool
        Whether to show a progress bar.
    random_state : None, int or numpy.random.Generator

    Attributes
    ----------
    targets_ : DataFrame
        ``form``, ``tokens``, ``cluster``, ``prototype`` (whether it is one), ``suffix`` (the ending; empty if none),
        ``similarity`` (mean s to the prototypes of its cluster) of each type, the most frequent first.
    landmarks_ : DataFrame
        ``cluster``, ``score``, ``types`` and ``prototypes`` (numbers) of each landmark, in the order in which they were
        taken: cluster 0 is the first.
    merges_ : ndarray of float64, shape (n_merges, 4)
        The mergers of candidates, as in scipy.cluster.hierarchy.linkage.
    objective_ : float
        Mean of ``similarity`` over the types.

    References
    ----------
    Reichart, Abend & Rappoport (2010), section 5.1 (there ARR10). Known of the method itself: the abstract of Abend,
    Reichart & Rappoport (2010).

    Examples
    --------
    >>> text = [f"{left} {right}" for left in ("a", "the", "my") for right in ("cat", "dog", "cow")]
    >>> tokens = pd.DataFrame({"sentence": np.repeat(range(9), 2), "form": " ".join(text).split()})
    >>> model = PrototypeClustering(n_clusters=2, min_count=3, rare_count=1, progress=False).fit(tokens)
    >>> model.targets_.groupby("cluster")["form"].agg(list).tolist()
    [['a', 'my', 'the'], ['cat', 'cow', 'dog']]
    """

    def __init__(
        self,
        n_clusters: int = 34,
        n_context: int = 150,
        window: int = 1,
        power: float = 0.5,
        morphology_weight: float = 0.3,
        suffix_similarity: float = 0.5,
        min_suffix_types: int = 10,
        corpus_weight: float = 1.0,
        min_count: int = 10,
        min_share: float = 0.0001,
        clusters_per_landmark: int = 3,
        max_similarity: float = 0.8,
        relaxation: float = 0.05,
        prototype_share: float = 0.5,
        min_prototypes: int = 3,
        rare_count: int = 5,
        rare_morphology_weight: float = 0.7,
        progress: bool = True,
        random_state: Any = 0,
    ) -> None:
        self.n_clusters = n_clusters
        self.n_context = n_context
        self.window = window
        self.power = power
        self.morphology_weight = morphology_weight
        self.suffix_similarity = suffix_similarity
        self.min_suffix_types = min_suffix_types
        self.corpus_weight = corpus_weight
        self.min_count = min_count
        self.min_share = min_share
        self.clusters_per_landmark = clusters_per_landmark
        self.max_similarity = max_similarity
        self.relaxation = relaxation
        self.prototype_share = prototype_share
        self.min_prototypes = min_prototypes
        self.rare_count = rare_count
        self.rare_morphology_weight = rare_morphology_weight
        self.progress = progress
        self.random_state = random_state

    def fit(self, tokens: pd.DataFrame) -> Self:
        """Divide the words into morphs, find landmarks among the frequent words, and map the others to them.

        Parameters
        ----------
        tokens : DataFrame
            Tokens table with ``sentence`` and ``form``.

        Raises
        ------
        ValueError
            If a parameter is out of range, or no word is frequent enough.
        """
        self._check()
        check_tokens(tokens)
        codes, vocabulary = word_codes(tokens["form"])
        counts = np.bincount(codes)
        by_frequency = np.argsort(-counts, kind="stable")  # the vocabulary is in code-point order
        self._words, frequency = vocabulary[by_frequency], counts[by_frequency]
        least = max(self.min_count, self.min_share * len(codes))
        n_candidates = int((frequency >= least).sum())
        if not n_candidates:
            raise ValueError(f"no word has {least:g} tokens: lower min_count and min_share.")
        self._n_landmarks = min(self.n_clusters, n_candidates)
        contexts = by_frequency[: self.n_context]
        table = context_counts(codes, tokens["sentence"].to_numpy(), by_frequency, contexts, self.window)
        with progress_bar(3, label="Prototypes", unit="step", shown=self.progress) as bar:
            endings = self._endings()
            bar.update()
            words = _Words(_unit_vectors(table, self.power, len(contexts) + 1), *_morphology(self._words, endings))
            similarity = words.similarities(n_candidates, self.morphology_weight, self.suffix_similarity)
            self.landmarks_, owner = self._landmarks(similarity)
            bar.update()
            owner = np.append(owner, np.full(len(frequency) - n_candidates, -1))
            rare = (frequency < self.rare_count) & (owner < 0)
            weights = np.where(rare, self.rare_morphology_weight, self.morphology_weight)
            means = words.means(owner, self._n_landmarks, weights, self.suffix_similarity)
            bar.update()
        self._clusters = np.where(owner >= 0, owner, means.argmax(axis=1))
        own = means[np.arange(len(means)), self._clusters]
        self.targets_ = pd.DataFrame({"form": self._words, "tokens": frequency, "cluster": self._clusters,
                                      "prototype": owner >= 0, "suffix": endings, "similarity": own})  # fmt: skip
        self.objective_ = float(own.mean())
        return self

    def predict(self, tokens: pd.DataFrame) -> pd.Series:
        """Return the cluster of each token's word; missing if the word was not in the training text.

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

    def _check(self) -> None:
        check_at_least(
            1, n_clusters=self.n_clusters, n_context=self.n_context, window=self.window, min_count=self.min_count,
            clusters_per_landmark=self.clusters_per_landmark, min_prototypes=self.min_prototypes,
            min_suffix_types=self.min_suffix_types,
        )  # fmt: skip
        check_at_least(0, power=self.power, min_share=self.min_share, rare_count=self.rare_count)
        check_between(
            0, 1, morphology_weight=self.morphology_weight, rare_morphology_weight=self.rare_morphology_weight,
            suffix_similarity=self.suffix_similarity, max_similarity=self.max_similarity,
            prototype_share=self.prototype_share,
        )  # fmt: skip
        check_positive(relaxation=self.relaxation, corpus_weight=self.corpus_weight)

    def _endings(self) -> list[str]:
        """The ending of each word; none if morphology has no weight."""
        words = [str(word) for word in self._words]
        if not (self.morphology_weight or self.rare_morphology_weight):
            return [""] * len(words)
        return last_morphs(words, self.min_suffix_types, self.corpus_weight, self.random_state)

    def _landmarks(self, similarity: np.ndarray) -> tuple[pd.DataFrame, np.ndarray]:
        """The table of landmarks, and the landmark of each candidate that is a prototype (-1: it is none)."""
        clusters, self.merges_ = _average_link(similarity, self.clusters_per_landmark * self._n_landmarks)
        sizes = np.bincount(clusters)
        sums = _sums(_sums(similarity, clusters).T, clusters)  # of all pairs of types, by cluster
        same = np.bincount(clusters, np.diag(similarity))  # of each type with itself
        scores = np.where(sizes > 1, (np.diag(sums) - same) / np.maximum(sizes - 1, 1), 1.0).round(_DIGITS)
        lengths = np.sqrt(np.diag(sums))
        lengths[lengths == 0] = np.inf
        cosines = (sums / lengths / lengths[:, np.newaxis]).round(_DIGITS)
        chosen = distant(scores, cosines, self._n_landmarks, self.max_similarity, self.relaxation)
        owner, kept = np.full(len(clusters), -1), []
        for landmark, cluster in enumerate(chosen):
            types = np.flatnonzero(clusters == cluster)
            near = similarity[np.ix_(types, types)].mean(axis=1).round(_DIGITS)
            share = math.ceil(round(self.prototype_share * len(types), _DIGITS))
            kept.append(min(max(share, self.min_prototypes), len(types)))
            owner[types[np.argsort(-near, kind="stable")[: kept[-1]]]] = landmark
        table = {
            "cluster": range(self._n_landmarks),
            "score": scores[chosen],
            "types": sizes[chosen],
            "prototypes": kept,
        }
        return pd.DataFrame(table), owner


class _Words(NamedTuple):
    """What the similarity of words is computed from.

    Attributes
    ----------
    vectors : scipy.sparse.csr_array of float64, shape (n_words, n_features)
        Rows of length 1, or 0.
    endings, shapes : ndarray of int64, shape (n_words,)
        Codes of the ending, and of the ending with the properties of the spelling.
    """

    vectors: Any
    endings: np.ndarray
    shapes: np.ndarray

    def similarities(self, n: int, weight: float, of_endings: float) -> np.ndarray:
        """Similarity s of the first n words: distribution, and morphology with this weight; shape (n, n)."""
        near = self.vectors[:n]
        codes = ((self.endings[:n], of_endings), (self.shapes[:n], 1 - of_endings))
        morphology = sum(part * np.equal.outer(code, code) for code, part in codes)
        rounded: np.ndarray = ((1 - weight) * (near @ near.T).toarray() + weight * morphology).round(_DIGITS)
        return rounded

    def means(self, owner: np.ndarray, n: int, weights: np.ndarray, of_endings: float) -> np.ndarray:
        """Mean similarity of each word to the words of each owner, with the word's own weight of morphology.

        Parameters
        ----------
        owner : ndarray of int64, shape (n_words,)
            From 0 to n - 1; -1 for a word without one.
        n : int
        weights : ndarray of float64, shape (n_words,)
        of_endings : float

        Returns
        -------
        ndarray of float64, shape (n_words, n)
        """
        from scipy.sparse import csr_array

        owned = np.flatnonzero(owner >= 0)
        shares = 1 / np.bincount(owner[owned], minlength=n)[owner[owned]]
        mean = csr_array((shares, (owned, owner[owned])), shape=(len(owner), n))
        morphology = np.zeros((len(owner), n))
        for code, part in ((self.endings, of_endings), (self.shapes, 1 - of_endings)):
            found = np.zeros((int(code.max()) + 1, n))
            np.add.at(found, (code[owned], owner[owned]), shares)
            morphology += part * found[code]
        distribution = (self.vectors @ (self.vectors.T @ mean)).toarray()
        column = weights[:, np.newaxis]
        rounded: np.ndarray = ((1 - column) * distribution + column * morphology).round(_DIGITS)
        return rounded


def distant(scores: np.ndarray, cosines: np.ndarray, n: int, limit: float, step: float) -> list[int]:
    """Take the best cluster, then repeatedly the best one that is unlike all that were taken.

    Parameters
    ----------
    scores : ndarray of float64, shape (n_clusters,)
        Ties go to the first.
    cosines : ndarray of float64, shape (n_clusters, n_clusters)
    n : int
        How many are taken, at most n_clusters.
    limit : float
        What the cosine with each that was taken must be below.
    step : float
        By which the limit is raised when there is none.

    Returns
    -------
    list of int

    Examples
    --------
    >>> alike = np.array([[1, 0.9, 0.1], [0.9, 1, 0.1], [0.1, 0.1, 1]])
    >>> distant(np.array([3.0, 2.0, 1.0]), alike, 3, limit=0.8, step=0.05)
    [0, 2, 1]
    """
    order, raised = np.argsort(-scores, kind="stable"), 0
    taken: list[int] = []
    highest = np.full(len(scores), -np.inf)  # cosine with the nearest one taken
    while len(taken) < n:
        free = order[highest[order] < limit + raised * step]
        if len(free):
            taken.append(int(free[0]))
            highest = np.maximum(highest, cosines[free[0]])
            highest[free[0]] = np.inf
        else:
            raised += 1
    return taken


def _morphology(words: pd.Index, endings: list[str]) -> tuple[np.ndarray, np.ndarray]:
    """Codes of the endings, and of the endings together with capital, digit and hyphen."""
    texts = words.astype("str")
    spelled = zip(endings, texts.str[:1].str.isupper(), texts.str.contains(r"\d"), texts.str.contains("-"), strict=True)
    return pd.factorize(pd.Index(endings))[0], pd.factorize(pd.Index([str(each) for each in spelled]))[0]


def _unit_vectors(table: Any, power: float, width: int) -> Any:
    """Counts without those of boundaries, the last of each `width` columns, to a power, as rows of length 1."""
    from scipy.sparse import diags_array

    vectors = table[:, np.arange(table.shape[1]) % width != width - 1]
    vectors.data **= power
    lengths = np.sqrt((vectors**2).sum(axis=1))
    lengths[lengths == 0] = np.inf
    return (diags_array(1 / lengths) @ vectors).tocsr()


def _average_link(similarity: np.ndarray, n_clusters: int) -> tuple[np.ndarray, np.ndarray]:
    """The cluster of each word, numbered by its first word, and the mergers made."""
    from scipy.cluster.hierarchy import cut_tree, linkage

    n = len(similarity)
    n_clusters = min(n_clusters, n)
    if n_clusters == n:
        return np.arange(n), np.empty((0, 4))
    tree = linkage((1 - similarity)[np.triu_indices(n, 1)].clip(0), method="average")
    labels = pd.factorize(cut_tree(tree, n_clusters)[:, 0])[0]
    return labels, tree[: n - n_clusters]


def _sums(table: np.ndarray, groups: np.ndarray) -> np.ndarray:
    """Sums of the rows of each group, in one order wherever it is computed."""
    order = np.argsort(groups, kind="stable")
    summed: np.ndarray = np.add.reduceat(table[order], np.searchsorted(groups[order], np.arange(groups.max() + 1)))
    return summed
