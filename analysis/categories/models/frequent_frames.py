"""Frequent frames: words that occur between the same two words form a cluster."""

from copy import copy
from typing import Any, Self

import numpy as np
import pandas as pd

from analysis.categories.codes import sentence_starts
from analysis.categories.models.base import Model, cluster_series
from analysis.structures import Score, check_tokens, scores_table
from analysis.structures.labels import word_codes

_LINE = 1 << 23  # entries, 64 MB


class FrequentFrames(Model):
    """Clusters of the words inside frequent frames, after Mintz (2003) with the changes of the paper.

    A frame is the previous and the next word of a token, both within its sentence. The types in a frequent frame form a
    cluster. The two clusters A and B with the largest overlap (types in both, divided by types in the larger one) are
    merged until `n_clusters` are left; ties go to the more frequent frames.

    A token in a frequent frame has the cluster of the frame. Other tokens of a type in several clusters are assigned
    one of them with probability proportional to the number of types in the cluster. Types in no cluster are
    unclustered.

    Parameters
    ----------
    n_clusters : int
        K, the number of clusters.
    threshold : float
        Minimum proportion of all frame tokens for a frequent frame; 0.0009 in the paper.
    minimum : int, optional
        Minimum number of tokens for a frequent frame, instead of `threshold`.
    random_state : None, int or numpy.random.Generator
        Seed of the draws in `predict`; with an integer the same text always gets the same clusters.

    Attributes
    ----------
    frames_ : DataFrame
        ``left``, ``right``, ``tokens``, ``types``, ``cluster`` of each frequent frame; the most frequent first,
        then in code-point order. Clusters are numbered by their first frame.
    clusters_ : DataFrame
        ``form``, ``cluster``: each type with each of its clusters.
    sizes_ : Series
        Number of types of each cluster.
    merges_ : DataFrame
        ``kept``, ``absorbed`` (rows of `frames_`), ``overlap``, ``types`` of each merge, down to one cluster.
    n_frame_tokens_ : int
        Number of tokens with a word on both sides in their sentence.

    References
    ----------
    Frank, Goldwater & Keller (2009), section "Frequent Frames" and "Model Implementation and Experiments".

    Examples
    --------
    >>> words = "to eat it to see it to eat up to run up".split()
    >>> tokens = pd.DataFrame({"sentence": [0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3], "form": words})
    >>> model = FrequentFrames(n_clusters=2, minimum=2).fit(tokens)
    >>> model.frames_
      left right  tokens  types  cluster
    0   to    it       2      2        0
    1   to    up       2      2        1
    >>> model.predict(tokens).tolist()[:6]
    [<NA>, 0, <NA>, <NA>, 0, <NA>]
    >>> model.cut(1).sizes_.tolist()
    [3]
    """

    def __init__(
        self, n_clusters: int = 12, threshold: float = 0.0009, minimum: int | None = None, random_state: Any = 0
    ) -> None:
        self.n_clusters = n_clusters
        self.threshold = threshold
        self.minimum = minimum
        self.random_state = random_state

    def fit(self, tokens: pd.DataFrame) -> Self:
        """Find the frequent frames and the order in which their clusters merge.

        Parameters
        ----------
        tokens : DataFrame
            Tokens table with ``sentence`` and ``form``.

        Raises
        ------
        ValueError
            If the table is invalid, or fewer frames than `n_clusters` are frequent.
        """
        check_tokens(tokens)
        words, self._vocabulary = word_codes(tokens["form"])
        n_words = len(self._vocabulary)
        inside = _inside(tokens)
        left, filler, right = words[inside - 1], words[inside], words[inside + 1]
        codes, keys = pd.factorize(left * n_words + right)
        counts = np.bincount(codes, minlength=len(keys))
        self.n_frame_tokens_ = len(inside)
        least = self.minimum if self.minimum is not None else self.threshold * self.n_frame_tokens_
        frequent = np.flatnonzero(counts >= least)
        frequent = frequent[np.lexsort((keys[frequent], -counts[frequent]))]
        self._left, self._right = np.divmod(keys[frequent], n_words)
        self._frame_tokens = counts[frequent]

        number = np.full(len(keys), -1)
        number[frequent] = np.arange(len(frequent))
        frame = number[codes]
        self._in_frames = int((frame >= 0).sum())
        self._frame_types = np.unique(frame[frame >= 0] * n_words + filler[frame >= 0])
        self._word_tokens = np.bincount(words, minlength=n_words)
        self.merges_ = _merges(self._frame_types // n_words, self._frame_types % n_words, len(frequent))
        return self._cut()

    def cut(self, n_clusters: int) -> Self:
        """Return the fitted model merged to another number of clusters, as a new object, without counting again."""
        self._require_fit("merges_")
        other = copy(self)
        other.n_clusters = n_clusters
        return other._cut()

    def predict(self, tokens: pd.DataFrame) -> pd.Series:
        """Return the cluster of each token: that of its frame if frequent, else one drawn from the clusters of its
        word.

        Parameters
        ----------
        tokens : DataFrame
            Tokens table with ``sentence`` and ``form``; training text or other.

        Returns
        -------
        Series of Int32
            Named ``cluster``, with the index of `tokens`; missing if the token is not in a frequent frame and its word
            has no cluster.
        """
        self._require_fit("frames_")
        check_tokens(tokens)
        words, _ = word_codes(tokens["form"], self._vocabulary)
        frame = self._frames_of(words, tokens)
        clusters = np.where(frame >= 0, np.append(self._cluster_of_frame, -1)[frame], -1)

        # one draw per token, used or not, so that other values of K or the threshold use the same draws
        draws = np.random.default_rng(self.random_state).random(len(tokens))
        known = np.flatnonzero((frame < 0) & (words >= 0))
        total = np.diff(self._edges)[words[known]]
        known, total = known[total > 0], total[total > 0]
        # the clusters of a word are adjacent intervals of a line, as long as their numbers of types
        places = self._edges[words[known]] + (draws[known] * total).astype(np.int64)
        clusters[known] = self._clusters_at(places)
        return cluster_series(clusters, tokens.index)

    def coverage(self) -> pd.DataFrame:
        """Compute the coverage of the training corpus by the frames, with counts.

        Returns
        -------
        DataFrame
            Rows ``tokens in frequent frames``, ``tokens of clustered types``, ``types clustered``,
            in the columns of `analysis.structures.scores_table`.
        """
        self._require_fit("frames_")
        clustered = np.diff(self._edges) > 0
        n_tokens = int(self._word_tokens.sum())
        return scores_table(
            [
                Score("tokens in frequent frames", self._in_frames, n_tokens),
                Score("tokens of clustered types", int(self._word_tokens[clustered].sum()), n_tokens),
                Score("types clustered", int(clustered.sum()), len(clustered)),
            ]
        )

    def _frames_of(self, words: np.ndarray, tokens: pd.DataFrame) -> np.ndarray:
        """Return the row of `frames_` for each token, -1 if its frame is not frequent or it has none."""
        lefts, rights = np.unique(self._left), np.unique(self._right)
        left_row, right_column = (np.full(len(self._vocabulary) + 1, -1) for _ in range(2))
        left_row[lefts], right_column[rights] = np.arange(len(lefts)), np.arange(len(rights))
        table = np.full((len(lefts) + 1, len(rights) + 1), -1)
        table[left_row[self._left], right_column[self._right]] = np.arange(len(self._left))
        frame = np.full(len(words), -1)
        inside = _inside(tokens)
        # the last row and column represent all other words, also unseen ones
        frame[inside] = table[left_row[words[inside - 1]], right_column[words[inside + 1]]]
        return frame

    def _clusters_at(self, places: np.ndarray) -> np.ndarray:
        """Return the cluster at each position of the line of intervals."""
        ends = self._entry_ends
        if ends[-1] <= _LINE:  # a lookup table is faster than a search
            return np.repeat(self._entry_cluster, np.diff(ends, prepend=0))[places]
        return self._entry_cluster[np.searchsorted(ends, places, side="right")]

    def _cut(self) -> Self:
        n, n_words = len(self._left), len(self._vocabulary)
        if not 1 <= self.n_clusters <= n:
            raise ValueError(
                f"{n:,} frames are frequent, too few for {self.n_clusters:,} clusters: "
                "choose fewer clusters, or a lower threshold."
            )
        owner = np.arange(n)
        for kept, absorbed in self.merges_[["kept", "absorbed"]].to_numpy()[: n - self.n_clusters]:
            owner[owner == absorbed] = kept
        self._cluster_of_frame = np.unique(owner, return_inverse=True)[1]
        frame, word = np.divmod(self._frame_types, n_words)
        entries = np.unique(word * self.n_clusters + self._cluster_of_frame[frame])
        word, self._entry_cluster = np.divmod(entries, self.n_clusters)
        sizes = np.bincount(self._entry_cluster, minlength=self.n_clusters)
        self._entry_ends = np.cumsum(sizes[self._entry_cluster])
        ends = np.append(0, self._entry_ends)
        self._edges = ends[np.searchsorted(word, np.arange(n_words + 1))]
        self.sizes_ = pd.Series(sizes, index=pd.RangeIndex(self.n_clusters, name="cluster"), name="types")
        self.clusters_ = pd.DataFrame({"form": self._vocabulary[word], "cluster": self._entry_cluster})
        self.frames_ = pd.DataFrame(
            {
                "left": self._vocabulary[self._left],
                "right": self._vocabulary[self._right],
                "tokens": self._frame_tokens,
                "types": np.bincount(frame, minlength=n),
                "cluster": self._cluster_of_frame,
            }
        )
        return self


def _inside(tokens: pd.DataFrame) -> np.ndarray:
    """Return the rows of tokens that are neither first nor last in their sentence."""
    starts = sentence_starts(tokens)
    return np.flatnonzero(~starts[:-1] & ~starts[1:])


def _merges(frame: np.ndarray, word: np.ndarray, n_frames: int) -> pd.DataFrame:
    """Merge clusters by overlap until one is left; ties go to the lowest kept, then the lowest absorbed row."""
    types, columns = np.unique(word, return_inverse=True)
    member = np.zeros((n_frames, len(types)), dtype=np.float32)  # counts of types are exact below 2 ** 24
    member[frame, columns] = 1
    shared = (member @ member.T).astype(np.float64)
    sizes = shared.diagonal().copy()
    overlap = np.triu(shared / np.maximum.outer(sizes, sizes), 1) - np.tri(n_frames)  # negative: no pair
    rows = []
    for _ in range(n_frames - 1):
        kept, absorbed = divmod(int(overlap.argmax()), n_frames)
        best = overlap[kept, absorbed]
        member[kept] = np.maximum(member[kept], member[absorbed])
        overlap[absorbed, :] = overlap[:, absorbed] = -1
        sizes[kept] = member[kept].sum(dtype=np.float64)
        ratios = (member @ member[kept]).astype(np.float64) / np.maximum(sizes, sizes[kept])
        before, after = overlap[:kept, kept], overlap[kept, kept + 1 :]
        before[before >= 0] = ratios[:kept][before >= 0]
        after[after >= 0] = ratios[kept + 1 :][after >= 0]
        rows.append((kept, absorbed, best, int(sizes[kept])))
    return pd.DataFrame(rows, columns=["kept", "absorbed", "overlap", "types"]).astype(
        {"kept": "int64", "absorbed": "int64", "overlap": "float64", "types": "int64"}
    )
