"""Word types by gold class and by cluster, from which all type-level measures are computed."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np

from analysis.structures import check_choice, check_memberships, check_tokens
from analysis.structures.labels import word_codes
from analysis.structures.lazy import pd, sparse

MISSING = ("refuse", "empty", "leave out")


@dataclass(frozen=True, eq=False)
class TypeTable:
    """The gold classes and the clusters of each word type.

    Parameters
    ----------
    gold : csr_array of int64, shape (n_types, n_classes)
        1 where the type has the class.
    predicted : csr_array of int64, shape (n_types, n_clusters)
        1 where the type is in the cluster.
    forms : pandas.Index
        The types, in code-point order.
    gold_names, predicted_names : pandas.Index
        Classes and clusters, in the order of their names as strings.
    without_gold, without_cluster : int
        Number of types that only one of the two lexicons lists; they have an empty set or were left out.
    missing : str
        How these were treated.

    Examples
    --------
    >>> gold = pd.DataFrame({"form": ["run", "run", "dog"], "cluster": ["N", "V", "N"]})
    >>> type_table(gold, gold.assign(cluster=1).drop_duplicates())
    2 types, 2 classes × 1 clusters
    """

    gold: sparse.csr_array
    predicted: sparse.csr_array
    forms: pd.Index
    gold_names: pd.Index
    predicted_names: pd.Index
    without_gold: int = 0
    without_cluster: int = 0
    missing: str = "refuse"

    @property
    def n_types(self) -> int:
        """Number of word types."""
        return len(self.forms)

    @property
    def gold_entries(self) -> np.ndarray:
        """Number of gold classes of each type, |A_i|, int64."""
        return np.diff(self.gold.indptr).astype(np.int64)

    @property
    def predicted_entries(self) -> np.ndarray:
        """Number of clusters of each type, |B_i|, int64."""
        return np.diff(self.predicted.indptr).astype(np.int64)

    @property
    def class_sizes(self) -> np.ndarray:
        """Types of each gold class, |c|, int64."""
        return np.bincount(self.gold.indices, minlength=self.gold.shape[1]).astype(np.int64)

    @property
    def cluster_sizes(self) -> np.ndarray:
        """Types of each cluster, |k|, int64."""
        return np.bincount(self.predicted.indices, minlength=self.predicted.shape[1]).astype(np.int64)

    def __repr__(self) -> str:
        return f"{self.n_types:,} types, {self.gold.shape[1]:,} classes × {self.predicted.shape[1]:,} clusters"


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


def _incidence(memberships: pd.DataFrame, forms: pd.Index) -> tuple[sparse.csr_array, pd.Index]:
    rows, _ = word_codes(memberships["form"], forms)
    inside = rows >= 0
    columns, names = word_codes(memberships["cluster"][inside])
    ones = np.ones(int(inside.sum()), dtype=np.int64)
    table = sparse.csr_array((ones, (rows[inside], columns)), shape=(len(forms), len(names)))
    table.sort_indices()
    return table, names
