"""Contingency table of gold classes and clusters, from which all token-level measures are computed."""

from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy.sparse import csr_array

from analysis.structures import Labels
from analysis.structures.labels import encode_pair
from analysis.structures.markup import html_frame, html_text

_CHUNK = 1 << 18  # tokens counted at a time: their cell numbers stay in the processor's cache
_DENSE_CELLS = 1 << 22  # up to this many cells (32 MB) tokens are counted in a dense table


@dataclass(frozen=True, eq=False)
class Contingency:
    """Number of tokens with each gold class and cluster.

    Parameters
    ----------
    counts : csr_array of int64, shape (n_classes, n_clusters)
        Tokens; no empty row, no empty column, no stored zero.
    gold_names, predicted_names : pandas.Index
        Names of the rows and of the columns: categories in their order, integers ascending,
        other labels by first appearance.

    Examples
    --------
    >>> table = contingency(["N", "N", "V"], [1, 1, 1])
    >>> table
    2 classes × 1 clusters, 3 tokens
    >>> table.to_frame()
      gold  predicted  tokens
    0    N          1       2
    1    V          1       1
    """

    counts: csr_array
    gold_names: pd.Index
    predicted_names: pd.Index

    @property
    def n(self) -> int:
        """Number of tokens."""
        return int(self.counts.data.sum())

    @property
    def cells(self) -> np.ndarray:
        """Counts of the cells that are not empty, int64."""
        return self.counts.data

    @property
    def gold_sizes(self) -> np.ndarray:
        """Tokens of each gold class, int64, shape (n_classes,)."""
        return np.add.reduceat(self.counts.data, self.counts.indptr[:-1])

    @property
    def predicted_sizes(self) -> np.ndarray:
        """Tokens of each cluster, int64, shape (n_clusters,)."""
        sizes = np.zeros(self.counts.shape[1], dtype=np.int64)
        np.add.at(sizes, self.counts.indices, self.counts.data)
        return sizes

    def to_frame(self) -> pd.DataFrame:
        """Return the non-empty cells, one per row: ``gold``, ``predicted``, ``tokens``."""
        cells = self.counts.tocoo()
        return pd.DataFrame(
            {
                "gold": self.gold_names[cells.coords[0]],
                "predicted": self.predicted_names[cells.coords[1]],
                "tokens": cells.data,
            }
        )

    def __repr__(self) -> str:
        classes, clusters = self.counts.shape
        return f"{classes:,} classes × {clusters:,} clusters, {self.n:,} tokens"

    def _repr_html_(self) -> str:
        return f"<p>{html_text(repr(self))}</p>" + html_frame(self.to_frame(), index=True, max_rows=20)


def contingency(gold: Labels, predicted: Labels) -> Contingency:
    """Count tokens by gold class and cluster.

    Integer codes and categories are counted directly; other labels are encoded first. Time and memory are linear in the
    number of tokens for any number of classes and clusters.

    Parameters
    ----------
    gold, predicted : array-like of shape (n_tokens,)
        Class and cluster of each token; strings, integers, booleans or categories.
        Tokens are matched by position, not by the index of a Series.

    Returns
    -------
    Contingency
        All measures of word classes accept it instead of the two arrays.

    Raises
    ------
    ValueError
        If the lengths differ, a label is missing, or there is no token.

    Examples
    --------
    >>> contingency(["N", "V", "N"], ["a", "a", "b"]).counts.toarray()
    array([[1, 1],
           [1, 0]])
    """
    gold_codes, gold_names, predicted_codes, predicted_names = encode_pair(gold, predicted)
    width = len(predicted_names)
    if len(gold_names) * width <= _DENSE_CELLS:
        cells, counts = _count_dense(gold_codes, predicted_codes, len(gold_names), width)
    else:
        cells, counts = _count_sparse(gold_codes, predicted_codes, width)
    rows, columns = np.divmod(cells, width)
    row_used, rows = np.unique(rows, return_inverse=True)
    column_used, columns = np.unique(columns, return_inverse=True)
    table = csr_array((counts, (rows, columns)), shape=(len(row_used), len(column_used)), dtype=np.int64)
    table.sort_indices()
    return Contingency(table, gold_names[row_used], predicted_names[column_used])


def as_contingency(gold: Labels | Contingency, predicted: Labels | None = None) -> Contingency:
    """Return the given table, or count one from two arrays.

    Examples
    --------
    >>> table = contingency(["N", "V"], [1, 1])
    >>> as_contingency(table) is table
    True
    """
    if isinstance(gold, Contingency):
        if predicted is not None:
            raise ValueError("give either a contingency table or two label arrays, not a table and an array.")
        return gold
    if predicted is None:
        raise ValueError("predicted is missing: give gold and predicted labels, or one contingency table.")
    return contingency(gold, predicted)


def _count_dense(gold: np.ndarray, predicted: np.ndarray, height: int, width: int) -> tuple[np.ndarray, np.ndarray]:
    counts = np.zeros(height * width, dtype=np.int64)
    chunk = max(_CHUNK, height * width)
    for start in range(0, len(gold), chunk):
        part = slice(start, start + chunk)
        counts += np.bincount(_cells(gold[part], predicted[part], width), minlength=height * width)
    cells = np.flatnonzero(counts)
    return cells, counts[cells]


def _count_sparse(gold: np.ndarray, predicted: np.ndarray, width: int) -> tuple[np.ndarray, np.ndarray]:
    codes, cells = pd.factorize(_cells(gold, predicted, width))
    return cells, np.bincount(codes)


def _cells(gold: np.ndarray, predicted: np.ndarray, width: int) -> np.ndarray:
    cells = gold.astype(np.int64)
    cells *= width
    cells += predicted.astype(np.int64, copy=False)
    return cells
