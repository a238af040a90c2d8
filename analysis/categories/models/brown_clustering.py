"""Brown clustering: greedy merging of classes by average mutual information."""

import math
from typing import Self

import numpy as np
import pandas as pd

from analysis.categories.models.class_bigrams import (
    ClassBigramModel,
    ClassCounts,
    _kernels,
    adjacent_pairs,
    check_number_of_clusters,
)
from analysis.structures import check_choice
from analysis.structures.progress import progress_bar

RARE = ("left out", "one class")
_STEPS = 2000  # types between two looks at the progress bar


class BrownClustering(ClassBigramModel):
    """Greedy agglomerative clustering by the average mutual information of adjacent classes.

    The C most frequent words are one class each; then the next word is added as class C + 1 and the pair of classes
    with the smallest loss is merged, until all words have been added. C - 1 further merges give a binary tree; the path
    of a class is the sequence of bits from the root. Losses are exact. Probabilities are relative frequencies of pairs
    among the present classes, so words that have not been added are ignored. Losses that differ by less than 1e-6 nats
    times counts are equal: then the pair with the most frequent first word is merged, of these the pair with the most
    frequent second word. Time is O(V C²).

    Parameters
    ----------
    n_clusters : int
        C.
    min_count : int
        Words with fewer tokens are rare.
    rare : {"left out", "one class"}
        Rare words have no cluster and their pairs are ignored; or they form one additional, fixed class without a path.
    boundaries : {"symbol", "separate", "cross"}
        A boundary symbol in a fixed class of its own; pairs within sentences only; or pairs across sentences too.
    progress : bool
        Whether to show a progress bar.

    Attributes
    ----------
    clusters_ : DataFrame
        ``form``, ``cluster``, ``frequency``, ``path``; in descending order of frequency. Cluster 0 has the most
        frequent word.
    merges_ : DataFrame
        One row per merge, in order: ``left`` and ``right``, the most frequent words of the two classes; ``loss`` of
        average mutual information in bits (of the pairs of the whole text); ``tree``, whether it is one of the last C -
        1 merges, which form the tree.
    n_clusters_, average_mutual_information_, objective_
        Number of clusters; mutual information of adjacent classes in bits; the class bigram model's F in nats.

    References
    ----------
    Brown, Della Pietra, deSouza, Lai & Mercer (1992), "Class-based n-gram models of natural language", section 3;
    Gelling et al. (2012), section 4.

    Examples
    --------
    >>> text = "the dog ran the cat ran a dog sat a cat sat".split()
    >>> tokens = pd.DataFrame({"sentence": np.repeat(range(4), 3), "form": text})
    >>> model = BrownClustering(n_clusters=3, progress=False).fit(tokens)
    >>> model.clusters_[["form", "cluster", "path"]].values.tolist()[:4]
    [['the', 0, '00'], ['dog', 1, '01'], ['ran', 2, '1'], ['cat', 1, '01']]
    """

    def __init__(
        self,
        n_clusters: int = 45,
        min_count: int = 1,
        rare: str = "left out",
        boundaries: str = "symbol",
        progress: bool = True,
    ) -> None:
        self.n_clusters = n_clusters
        self.min_count = min_count
        self.rare = rare
        self.boundaries = boundaries
        self.progress = progress

    def fit(self, tokens: pd.DataFrame) -> Self:
        """Cluster the words of a text.

        Parameters
        ----------
        tokens : DataFrame
            ``sentence``, ``form``; one row per token.

        Returns
        -------
        BrownClustering
            The fitted model.

        Raises
        ------
        ValueError
            If the table lacks a column, a word or a token, no word reaches `min_count`, or a parameter is unknown.
        """
        check_choice("rare", self.rare, RARE)
        pairs = adjacent_pairs(tokens, min_count=self.min_count, boundaries=self.boundaries)
        n_types = pairs.n_frequent
        check_number_of_clusters(self.n_clusters, n_types)
        size = min(self.n_clusters, n_types)
        slots = size + 1
        classes = np.full(len(pairs.forms) + 1, -1, dtype=np.int64)
        if self.rare == "one class":
            classes[n_types:] = slots
        classes[pairs.boundary] = slots + 1
        fixed = ClassCounts(pairs, classes, slots + 2)  # pairs of rare words and boundaries
        cells, sums = np.full((slots, slots), np.inf), np.zeros((slots, slots))
        merges, losses = np.zeros((n_types - 1, 2), dtype=np.int64), np.zeros(n_types - 1)
        active, first = np.zeros(slots, dtype=np.bool_), np.zeros(slots, dtype=np.int64)
        members, ends = np.full(n_types, -1, dtype=np.int64), np.full((slots, 2), -1, dtype=np.int64)
        kernels, neighbours, counts = _kernels(), pairs.neighbours(), fixed.arrays()
        state = kernels.Slots(classes, members, ends, active, first, cells, sums, merges, losses)

        def run(done: int, until: int) -> None:
            kernels.brown(n_types, size, neighbours, state, counts, done, until)

        with progress_bar(n_types, label="Brown clustering", unit="word", shown=self.progress) as bar:
            for done in range(0, n_types, _STEPS):
                until = min(done + _STEPS, n_types)
                run(done, until)
                bar.update(until - done)
        clustered = classes.copy()
        run(n_types, n_types + size - 1)

        self._keep(pairs, clustered, ClassCounts(pairs, clustered, slots + 2))
        n_pairs = max(int(pairs.counts.sum()), 1)
        self.merges_ = pd.DataFrame(
            {
                "left": pairs.forms[merges[:, 0]],
                "right": pairs.forms[merges[:, 1]],
                "loss": losses / n_pairs / math.log(2),
                "tree": np.arange(n_types - 1) >= n_types - size,
            }
        )
        paths = _paths(merges[n_types - size :].tolist())
        firsts = self.clusters_.drop_duplicates("cluster")
        path_of = {
            cluster: paths.get(place, "")
            for cluster, place in zip(firsts["cluster"].tolist(), firsts.index.tolist(), strict=True)
        }
        self.clusters_["path"] = [path_of[cluster] for cluster in self.clusters_["cluster"].tolist()]
        return self


def _paths(merges: list[list[int]]) -> dict[int, str]:
    """Compute the path of each class, named by its first word, from the merges of the tree in order.

    Examples
    --------
    >>> _paths([[1, 2], [0, 1]])
    {0: '0', 1: '10', 2: '11'}
    """
    paths = {merges[-1][0]: ""} if merges else {0: ""}
    for left, right in reversed(merges):
        paths[right] = paths[left] + "1"
        paths[left] += "0"
    return dict(sorted(paths.items()))
