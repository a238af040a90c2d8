"""Random baseline: clusters of the sizes of the gold classes, filled at random."""

from typing import Any, Self

import numpy as np
import pandas as pd

from analysis.categories.contingency import contingency
from analysis.categories.models.base import Model, cluster_series
from analysis.structures import check_tokens
from analysis.structures.labels import word_codes


class RandomCategories(Model):
    """Random partition of the word types with the sizes of the gold classes.

    In the paper each gold class has a cluster "with the same number of word types, selected at random from the full
    vocabulary". Gold classes share types, so their sizes do not sum to the vocabulary. Here a type counts for its most
    frequent class, ties go to the first class in code-point order, and each type is drawn once. Single draws vary:
    report mean and standard deviation over several seeds.

    Parameters
    ----------
    gold : str
        Column with the gold class of each token.
    random_state : None, int or numpy.random.Generator
        Seed of the draw.

    Attributes
    ----------
    sizes_ : Series
        Number of types of each class, by class in code-point order; cluster k has the size of the k-th.
    clusters_ : DataFrame
        ``form`` and ``cluster`` of each type of the training corpus.

    References
    ----------
    Frank, Goldwater & Keller (2009), section "Model Implementation and Experiments".

    Examples
    --------
    >>> tokens = pd.DataFrame({"form": ["the", "duck", "pond"], "coarse": ["DET", "N", "N"]})
    >>> model = RandomCategories(random_state=0).fit(tokens)
    >>> model.sizes_.to_dict()
    {'DET': 1, 'N': 2}
    >>> model.predict(pd.DataFrame({"form": ["swan"]})).tolist()
    [<NA>]
    """

    def __init__(self, gold: str = "coarse", random_state: Any = 0) -> None:
        self.gold = gold
        self.random_state = random_state

    def fit(self, tokens: pd.DataFrame) -> Self:
        """Draw the partition.

        Parameters
        ----------
        tokens : DataFrame
            Tokens table with ``form`` and the column named by `gold`.
        """
        check_tokens(tokens, ["form", self.gold])
        codes, self._vocabulary = word_codes(tokens["form"])
        table = contingency(codes, tokens[self.gold])
        by_name = np.argsort(table.predicted_names.astype("str").to_numpy(), kind="stable")
        counts = table.counts[:, by_name].tocsr()
        counts.sort_indices()
        largest = np.maximum.reduceat(counts.data, counts.indptr[:-1])
        ties = np.flatnonzero(counts.data == np.repeat(largest, np.diff(counts.indptr)))
        first = ties[np.searchsorted(ties, counts.indptr[:-1])]
        sizes = np.bincount(counts.indices[first], minlength=counts.shape[1])
        self.sizes_ = pd.Series(sizes, index=table.predicted_names[by_name], name="types")
        rng = np.random.default_rng(self.random_state)
        self._clusters = rng.permutation(np.repeat(np.arange(len(sizes)), sizes))
        self.clusters_ = pd.DataFrame({"form": self._vocabulary, "cluster": self._clusters})
        return self

    def predict(self, tokens: pd.DataFrame) -> pd.Series:
        """Return the cluster of each token's word; missing if the word is not in the training corpus.

        Parameters
        ----------
        tokens : DataFrame
            Tokens table with ``form``.

        Returns
        -------
        Series of Int32
            Named ``cluster``, with the index of `tokens`.
        """
        self._require_fit("clusters_")
        check_tokens(tokens, ["form"])
        codes, _ = word_codes(tokens["form"], self._vocabulary)
        return cluster_series(np.append(self._clusters, -1)[codes], tokens.index)
