"""Contingency table of gold classes and clusters, from which all token-level measures are computed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from analysis.structures import Labels
from analysis.structures.labels import encode_pair, number_codes
from analysis.structures.lazy import pd, sparse
from analysis.structures.markup import html_frame, html_text

_CHUNK = 1 << 18  # tokens counted at a time: their cell numbers stay in the processor's cache
_DENSE_CELLS = 1 << 22  # up to this many cells (32 MB) tokens are counted in a dense table


@dataclass(frozen=True, eq=False)
class Contingency:
    """Number of tokens with each gold class and cluster.

    Parameters
    ----------
    rows, columns : ndarray of int64, shape (n_cells,)
        Class and cluster of each cell that is not empty, row by row.
    cells : ndarray of int64, shape (n_cells,)
        Its tokens.
    classes, clusters : sequence
        Names of the rows and of the columns, none of which is empty: categories in their order, integers ascending,
        other labels by first appearance.

    Attributes
    ----------
    counts : csr_array of int64, shape (n_classes, n_clusters)
        The same as a sparse table.
    gold_names, predicted_names : pandas.Index
        The names.

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

    rows: np.ndarray
    columns: np.ndarray
    cells: np.ndarray
    classes: Sequence[Any]
    clusters: Sequence[Any]

    @classmethod
    def of(cls, counts: sparse.csr_array, gold_names: pd.Index, predicted_names: pd.Index) -> Contingency:
        """A table that is counted already, without an empty row or column."""
        edges = sparse.csr_array(counts)
        edges.sort_indices()
        rows = np.repeat(np.arange(edges.shape[0]), np.diff(edges.indptr))
        return cls(rows, edges.indices.astype(np.int64), edges.data, gold_names, predicted_names)

    @property
    def shape(self) -> tuple[int, int]:
        """Number of classes and of clusters."""
        return len(self.classes), len(self.clusters)

    @cached_property
    def counts(self) -> sparse.csr_array:
        """Tokens of each class and cluster as a sparse table."""
        table = sparse.csr_array((self.cells, (self.rows, self.columns)), shape=self.shape, dtype=np.int64)
        table.sort_indices()
        return table

    @cached_property
    def gold_names(self) -> pd.Index:
        """Names of the classes."""
        return index_of(self.classes)

    @cached_property
    def predicted_names(self) -> pd.Index:
        """Names of the clusters."""
        return index_of(self.clusters)

    @property
    def n(self) -> int:
        """Number of tokens."""
        return int(self.cells.sum())

    @property
    def gold_sizes(self) -> np.ndarray:
        """Tokens of each gold class, int64, shape (n_classes,)."""
        return np.add.reduceat(self.cells, np.flatnonzero(np.diff(self.rows, prepend=-1)))

    @property
    def predicted_sizes(self) -> np.ndarray:
        """Tokens of each cluster, int64, shape (n_clusters,)."""
        sizes = np.zeros(len(self.clusters), dtype=np.int64)
        np.add.at(sizes, self.columns, self.cells)
        return sizes

    def to_frame(self) -> pd.DataFrame:
        """Return the non-empty cells, one per row: ``gold``, ``predicted``, ``tokens``."""
        return pd.DataFrame(
            {
                "gold": self.gold_names[self.rows],
                "predicted": self.predicted_names[self.columns],
                "tokens": self.cells,
            }
        )

    def __repr__(self) -> str:
        classes, clusters = self.shape
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
    row_used, rows = used_codes(rows)
    column_used, columns = used_codes(columns)
    return Contingency(rows, columns, counts, _named(gold_names, row_used), _named(predicted_names, column_used))


def used_codes(codes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The codes that occur, ascending, and the place of each code among them.

    Examples
    --------
    >>> [part.tolist() for part in used_codes(np.array([3, 1, 3]))]
    [[1, 3], [1, 0, 1]]
    """
    occurs = np.bincount(codes) > 0
    return np.flatnonzero(occurs), (np.cumsum(occurs) - 1)[codes]


def _named(names: Any, codes: np.ndarray) -> Sequence[Any]:
    return [names[code] for code in codes.tolist()] if isinstance(names, list) else names[codes]


def index_of(names: Any) -> pd.Index:
    """Names as an Index.

    Examples
    --------
    >>> index_of(["N", "V"]).tolist()
    ['N', 'V']
    """
    return pd.Index(names, dtype="str") if isinstance(names, list) else names


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
    every = _cells(gold, predicted, width)
    codes, first = number_codes(every.view(np.uint64))
    cells, counts = every[first], np.bincount(codes)
    order = np.argsort(cells)
    return cells[order], counts[order]


def _cells(gold: np.ndarray, predicted: np.ndarray, width: int) -> np.ndarray:
    cells = gold.astype(np.int64)
    cells *= width
    cells += predicted.astype(np.int64, copy=False)
    return cells
