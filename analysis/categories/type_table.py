"""Word types by gold class and by cluster, from which all type-level measures are computed."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from analysis.categories.contingency import index_of
from analysis.structures import check_choice, check_memberships, check_tokens
from analysis.structures.columns import Coded, Columns
from analysis.structures.labels import number_codes, word_codes
from analysis.structures.lazy import pd, sparse

_DENSE_CELLS = 1 << 24  #: up to this many pairs (16 MB) are marked in a dense table, others sorted
MISSING = ("refuse", "empty", "leave out")


@dataclass(frozen=True, eq=False)
class Sets:
    """A set of numbers, such as those of classes, of each word type.

    Attributes
    ----------
    starts : ndarray of int64, shape (n_types + 1,)
        The numbers of type i are ``members[starts[i] : starts[i + 1]]``, ascending.
    members : ndarray of int64
    width : int
        No number is as large.
    """

    starts: np.ndarray
    members: np.ndarray
    width: int

    @cached_property
    def rows(self) -> np.ndarray:
        """Type of each member."""
        return np.repeat(np.arange(len(self.starts) - 1), np.diff(self.starts))

    @cached_property
    def keys(self) -> np.ndarray:
        """Type and member as one number, ascending."""
        return self.rows * self.width + self.members

    def table(self) -> sparse.csr_array:
        """The sets as a sparse table of 0 and 1."""
        ones = np.ones(len(self.members), dtype=np.int64)
        return sparse.csr_array((ones, self.members, self.starts), shape=(len(self.starts) - 1, self.width))

    def turned(self) -> Sets:
        """The types of each member."""
        starts = np.concatenate([[0], np.cumsum(np.bincount(self.members, minlength=self.width))])
        return Sets(starts, self.rows[np.argsort(self.members, kind="stable")], len(self.starts) - 1)


def sets_of(rows: np.ndarray, members: np.ndarray, n_rows: int, width: int) -> Sets:
    """Collect pairs of a row and a member; a pair that is there twice counts once.

    Examples
    --------
    >>> sets = sets_of(np.array([1, 0, 1, 1]), np.array([2, 0, 0, 2]), 2, 3)
    >>> sets.starts.tolist(), sets.members.tolist()
    ([0, 1, 3], [0, 0, 2])
    """
    keys = rows.astype(np.int64) * width + members
    if n_rows * width <= _DENSE_CELLS:
        there = np.zeros(n_rows * width, dtype=bool)
        there[keys] = True
        keys = np.flatnonzero(there)
    else:
        keys.sort()
        keys = keys[np.diff(keys, prepend=-1) > 0]
    own, members = np.divmod(keys, max(width, 1))
    return Sets(np.concatenate([[0], np.cumsum(np.bincount(own, minlength=n_rows))]), members, width)


def _sets_of_table(table: sparse.csr_array) -> Sets:
    entries = sparse.csr_array(table).tocoo().coords
    return sets_of(*entries, *table.shape)


@dataclass(frozen=True, eq=False)
class TypeTable:
    """The gold classes and the clusters of each word type.

    Parameters
    ----------
    gold_sets, predicted_sets : Sets
        Classes and clusters of each type.
    types : sequence
        The types, in code-point order.
    classes, clusters : sequence
        Their names, in the order of the names as strings.
    without_gold, without_cluster : int
        Number of types that only one of the two lexicons lists; they have an empty set or were left out.
    missing : str
        How these were treated.

    Attributes
    ----------
    gold, predicted : csr_array of int64, shape (n_types, n_classes) and (n_types, n_clusters)
        1 where the type has the class, or is in the cluster.
    forms, gold_names, predicted_names : pandas.Index
        The types, classes and clusters.

    Examples
    --------
    >>> gold = pd.DataFrame({"form": ["run", "run", "dog"], "cluster": ["N", "V", "N"]})
    >>> type_table(gold, gold.assign(cluster=1).drop_duplicates())
    2 types, 2 classes × 1 clusters
    """

    gold_sets: Sets
    predicted_sets: Sets
    types: Sequence[Any]
    classes: Sequence[Any]
    clusters: Sequence[Any]
    without_gold: int = 0
    without_cluster: int = 0
    missing: str = "refuse"

    @classmethod
    def of(
        cls, gold: sparse.csr_array, predicted: sparse.csr_array, types: Any, classes: Any, clusters: Any
    ) -> TypeTable:
        """A table of two that are there already, types by classes and types by clusters."""
        return cls(_sets_of_table(gold), _sets_of_table(predicted), types, classes, clusters)

    @cached_property
    def gold(self) -> sparse.csr_array:
        """Whether each type has each class, as a sparse table of 0 and 1."""
        return self.gold_sets.table()

    @cached_property
    def predicted(self) -> sparse.csr_array:
        """Whether each type is in each cluster, as a sparse table of 0 and 1."""
        return self.predicted_sets.table()

    @cached_property
    def forms(self) -> pd.Index:
        """The types."""
        return index_of(self.types)

    @cached_property
    def gold_names(self) -> pd.Index:
        """Names of the classes."""
        return index_of(self.classes)

    @cached_property
    def predicted_names(self) -> pd.Index:
        """Names of the clusters."""
        return index_of(self.clusters)

    @property
    def n_types(self) -> int:
        """Number of word types."""
        return len(self.types)

    @property
    def gold_entries(self) -> np.ndarray:
        """Number of gold classes of each type, |A_i|, int64."""
        return np.diff(self.gold_sets.starts)

    @property
    def predicted_entries(self) -> np.ndarray:
        """Number of clusters of each type, |B_i|, int64."""
        return np.diff(self.predicted_sets.starts)

    @property
    def class_sizes(self) -> np.ndarray:
        """Types of each gold class, |c|, int64."""
        return np.bincount(self.gold_sets.members, minlength=len(self.classes)).astype(np.int64)

    @property
    def cluster_sizes(self) -> np.ndarray:
        """Types of each cluster, |k|, int64."""
        return np.bincount(self.predicted_sets.members, minlength=len(self.clusters)).astype(np.int64)

    def __repr__(self) -> str:
        return f"{self.n_types:,} types, {len(self.classes):,} classes × {len(self.clusters):,} clusters"


def lexicon(
    tokens: pd.DataFrame, label: str, *, leave_out: Collection[object] = (), gold: str | None = None
) -> pd.DataFrame:
    """Collect the set of labels of each word; one token is enough.

    Parameters
    ----------
    tokens : DataFrame
        One row per token: ``form``, the column `label`, and the column `gold` if tokens are left out.
    label : str
        Column of gold classes, or of clusters.
    leave_out : collection
        Gold classes whose tokens are left out, such as punctuation: Reichart et al. train on all tokens and leave
        punctuation out of the evaluation, on both sides.
    gold : str, optional
        Column to which `leave_out` applies; default: `label`.

    Returns
    -------
    DataFrame
        Memberships: ``form``, ``cluster``, one row per pair, in order of first appearance.

    Raises
    ------
    ValueError
        If a column or a label is missing, or no token is left.

    References
    ----------
    Reichart, Abend & Rappoport (2010), section 5.1.

    Examples
    --------
    >>> tokens = pd.DataFrame({"form": ["run", ".", "run"], "fine": ["N", ".", "V"], "predicted": [1, 2, 1]})
    >>> lexicon(tokens, "predicted", gold="fine", leave_out=["."]).values.tolist()
    [['run', 1]]
    """
    gold = label if gold is None else gold
    check_tokens(tokens, dict.fromkeys(["form", label, gold]) if leave_out else ["form", label])
    kept = tokens[~tokens[gold].isin(list(leave_out))] if leave_out else tokens
    if not len(kept):
        raise ValueError(f"no token is left: all have a {gold!r} that is left out.")
    pairs = kept[["form", label]].drop_duplicates(ignore_index=True)
    return pairs.set_axis(["form", "cluster"], axis=1)


def type_table(gold: pd.DataFrame, predicted: pd.DataFrame, *, missing: str = "refuse") -> TypeTable:
    """Encode two lexicons of the same word types for the type-level measures.

    Parameters
    ----------
    gold, predicted : DataFrame
        Memberships: ``form`` and ``cluster``, one row per pair; the clusters of `gold` are the gold classes.
    missing : {"refuse", "empty", "leave out"}
        Treatment of forms that only one lexicon lists: raise an error, use an empty set on the other side (so that it
        counts as wrong), or leave the form out. The table records their numbers.

    Returns
    -------
    TypeTable

    Raises
    ------
    ValueError
        If a table lacks a column, repeats a pair, the forms differ and `missing` is ``"refuse"``, or no type is left.

    Examples
    --------
    >>> gold = pd.DataFrame({"form": ["dog", "run"], "cluster": ["N", "V"]})
    >>> type_table(gold, gold.iloc[:1], missing="empty").without_cluster
    1
    >>> type_table(gold, gold.iloc[:1])
    Traceback (most recent call last):
    ...
    ValueError: 1 of 2 forms of the gold lexicon are not in the predicted one, the first is 'run'. Give missing='empty'
    to count them as wrong or missing='leave out' not to.
    """
    check_choice("missing", missing, MISSING)
    check_memberships(gold, "gold")
    check_memberships(predicted, "predicted")
    if not len(gold) or not len(predicted):
        raise ValueError(f"the {'gold' if not len(gold) else 'predicted'} lexicon is empty: there is no type to score.")
    _, gold_forms = word_codes(gold["form"])
    _, predicted_forms = word_codes(predicted["form"])
    only_gold = gold_forms.difference(predicted_forms, sort=False)
    only_predicted = predicted_forms.difference(gold_forms, sort=False)
    if missing == "refuse":
        _refuse_other_forms(only_gold, gold_forms, "gold", "predicted")
        _refuse_other_forms(only_predicted, predicted_forms, "predicted", "gold")
    kept = gold_forms.union(only_predicted) if missing == "empty" else gold_forms.intersection(predicted_forms)
    forms = pd.Index(sorted(kept, key=str))
    if not len(forms):
        raise ValueError("the two lexicons share no form: there is no type to score.")
    gold_table, gold_names = _incidence(gold, forms)
    predicted_table, predicted_names = _incidence(predicted, forms)
    return TypeTable(
        gold_table, predicted_table, forms, gold_names, predicted_names, len(only_predicted), len(only_gold), missing
    )


def type_table_of_tokens(tokens: Columns) -> TypeTable:
    """The lexicons of the columns ``gold`` and ``predicted`` of the same tokens, as `type_table` encodes them.

    Examples
    --------
    >>> columns = {name: Coded.of(texts) for name, texts in {"form": "aba", "gold": "VNN", "predicted": "112"}.items()}
    >>> type_table_of_tokens(Columns(columns))
    2 types, 2 classes × 2 clusters
    """
    codes, names = [], []
    for name in ("form", "gold", "predicted"):
        column = tokens[name] if isinstance(tokens[name], Coded) else Coded.of(tokens[name])
        column = column.used()
        order = sorted(range(len(column.values)), key=column.values.__getitem__)
        rank = np.empty(len(order), dtype=np.int64)
        rank[order] = np.arange(len(order))
        codes.append(rank[column.codes])
        names.append([column.values[place] for place in order])
    gold, predicted = (
        sets_of(codes[0], own, len(names[0]), len(values)) for own, values in zip(codes[1:], names[1:], strict=True)
    )
    types, classes, clusters = names
    return TypeTable(gold, predicted, types, classes, clusters)


def as_type_table(
    gold: pd.DataFrame | TypeTable, predicted: pd.DataFrame | None = None, *, missing: str = "refuse"
) -> TypeTable:
    """Return the given table, or encode two lexicons.

    Examples
    --------
    >>> table = type_table(*[pd.DataFrame({"form": ["dog"], "cluster": ["N"]})] * 2)
    >>> as_type_table(table) is table
    True
    """
    if isinstance(gold, TypeTable):
        if predicted is not None:
            raise ValueError("give either a type table or two memberships tables, not both.")
        return gold
    if predicted is None:
        raise ValueError("predicted is missing: give gold and predicted memberships, or one type table.")
    return type_table(gold, predicted, missing=missing)


def _refuse_other_forms(missing: pd.Index, forms: pd.Index, side: str, other: str) -> None:
    if len(missing):
        raise ValueError(
            f"{len(missing):,} of {len(forms):,} forms of the {side} lexicon are not in the {other} one, the first is "
            f"{str(missing[0])!r}. Give missing='empty' to count them as wrong or missing='leave out' not to."
        )


def cells_of_types(table: TypeTable) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """For each pair of a class and a cluster of one type: place of the pair's cell, and the type; and the cells.

    Examples
    --------
    >>> lexicon = pd.DataFrame({"form": ["dog", "run", "run"], "cluster": ["N", "N", "V"]})
    >>> [part.tolist() for part in cells_of_types(type_table(lexicon, lexicon.iloc[:2]))]
    [[0, 0, 1], [0, 1, 1], [0, 1]]
    """
    gold, predicted, width = table.gold_sets, table.predicted_sets, len(table.clusters)
    ours, theirs = table.gold_entries, table.predicted_entries
    types = np.repeat(np.arange(table.n_types), ours * theirs)
    within = np.arange(len(types)) - np.repeat(np.cumsum(ours * theirs) - ours * theirs, ours * theirs)
    classes = gold.members[gold.starts[types] + within // np.maximum(theirs[types], 1)]
    clusters = predicted.members[predicted.starts[types] + within % np.maximum(theirs[types], 1)]
    codes, first = number_codes((classes * width + clusters).view(np.uint64))
    cells = (classes * width + clusters)[first]
    order = np.argsort(cells)
    place = np.empty(len(order), dtype=np.int64)
    place[order] = np.arange(len(order))
    return place[codes], types, cells[order]


def _incidence(memberships: pd.DataFrame, forms: pd.Index) -> tuple[Sets, pd.Index]:
    rows, _ = word_codes(memberships["form"], forms)
    inside = rows >= 0
    columns, names = word_codes(memberships["cluster"][inside])
    return sets_of(rows[inside], columns, len(forms), len(names)), names
