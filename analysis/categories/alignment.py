"""Alignment of gold labels and clusters of the same tokens, with counts of tokens that are not scored."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

import numpy as np

from analysis.categories.unclustered import MERGED
from analysis.structures import check_choice, check_columns, check_tokens, first_difference
from analysis.structures.lazy import pd

UNLABELLED = ("refuse", "leave out", "one cluster")


@dataclass(frozen=True, eq=False)
class AlignedLabels:
    """Tokens to score, and the numbers of tokens that are not scored.

    Parameters
    ----------
    tokens : DataFrame, or Columns
        ``form`` (if the gold table has it), ``gold``, ``predicted``; one row per token that is scored.
    n_tokens : int
        Number of tokens of the gold table.
    n_left_out : int
        Number of tokens whose gold class is left out, such as punctuation.
    n_unlabelled : int
        Number of the other tokens without a cluster: left out, or all in one cluster.
    unlabelled : str
        How these were treated.
    sentences : ndarray, optional
        Sentence of each token that is scored, if the gold table says.
    """

    tokens: Any
    n_tokens: int
    n_left_out: int
    n_unlabelled: int
    unlabelled: str
    sentences: np.ndarray | None = None

    def __repr__(self) -> str:
        return (
            f"{len(self.tokens):,} of {self.n_tokens:,} tokens are scored: {self.n_left_out:,} left out by class, "
            f"{self.n_unlabelled:,} without a cluster ({self.unlabelled})"
        )


def align_labels(
    gold: pd.DataFrame,
    predicted: pd.DataFrame | pd.Series,
    *,
    label: str = "fine",
    cluster: str = "cluster",
    leave_out: Collection[object] = (),
    unlabelled: str = "refuse",
) -> AlignedLabels:
    """Align the clusters of a system with the gold classes of the same tokens.

    Parameters
    ----------
    gold : DataFrame
        Tokens table with the column `label`.
    predicted : DataFrame or Series
        The clusters: one per token in the same order (a Series, or a table with the column `cluster`, whose forms, if
        any, are compared with the gold ones); or, if the table has a column ``form`` and no ``sentence``, one per word
        type, which is assigned to all its tokens.
    label, cluster : str
        Columns of the gold classes and of the clusters.
    leave_out : collection
        Gold classes that are not scored: Reichart et al. train on punctuation and leave it out of the evaluation.
    unlabelled : {"refuse", "leave out", "one cluster"}
        What to do with tokens without a cluster; the one cluster is called ``"unclustered"``. Their number is recorded
        in both cases.

    Returns
    -------
    AlignedLabels

    Raises
    ------
    ValueError
        If the lengths or the words differ (the message gives the first difference; forms are compared in composed form,
        NFC); if a gold class is missing; if no token is left; or if a cluster is missing and `unlabelled` is
        ``"refuse"``.

    Examples
    --------
    >>> gold = pd.DataFrame({"sentence": 0, "form": ["the", "dog", "."], "fine": ["D", "N", "."]})
    >>> align_labels(gold, pd.Series([1, 2, 2]), leave_out=["."])
    2 of 3 tokens are scored: 1 left out by class, 0 without a cluster (refuse)
    >>> align_labels(gold, pd.DataFrame({"form": ["the", "cat", "."], "cluster": [1, 2, 2], "sentence": 0}))
    Traceback (most recent call last):
    ...
    ValueError: gold and predicted do not label the same tokens: row 1: form is 'dog' in the first table and 'cat' in
    the second (sentence 1, word 2).
    """
    check_choice("unlabelled", unlabelled, UNLABELLED)
    check_tokens(gold, [label], "gold")
    clusters = _clusters_of_tokens(gold, predicted, cluster)
    tokens = pd.DataFrame({"gold": gold[label].array, "predicted": clusters})
    if "form" in gold:
        tokens.insert(0, "form", gold["form"].array)
    scored = ~tokens["gold"].isin(list(leave_out)) if leave_out else pd.Series(True, index=tokens.index)
    tokens = tokens[scored]
    missing = tokens["predicted"].isna()
    n_missing = int(missing.sum())
    if n_missing and unlabelled == "refuse":
        row = int(missing.index[missing.to_numpy().argmax()])
        word = f" ({str(gold['form'].iloc[row])!r})" if "form" in gold else ""
        raise ValueError(
            f"{n_missing:,} of {len(tokens):,} tokens have no cluster, the first in row {row}{word}. Give "
            "unlabelled='leave out' to score the others, or unlabelled='one cluster' to count them as one cluster."
        )
    if n_missing and unlabelled == "one cluster":
        names = tokens["predicted"].astype(object)
        tokens = tokens.assign(predicted=names.where(~missing, MERGED))
    elif n_missing:
        tokens = tokens[~missing]
    if not len(tokens):
        raise ValueError("no token is left to score.")
    sentences = gold["sentence"].to_numpy()[tokens.index.to_numpy()] if "sentence" in gold else None
    found = tokens.reset_index(drop=True)
    return AlignedLabels(found, len(gold), int((~scored).sum()), n_missing, unlabelled, sentences)


def _clusters_of_tokens(gold: pd.DataFrame, predicted: pd.DataFrame | pd.Series, cluster: str) -> object:
    if isinstance(predicted, pd.Series):
        if len(predicted) != len(gold):
            raise ValueError(
                f"gold and predicted do not label the same tokens: gold has {len(gold):,} rows, "
                f"predicted {len(predicted):,}."
            )
        return predicted.array
    check_columns(predicted, [cluster], "predicted")
    if "form" in predicted.columns and "sentence" not in predicted.columns:
        return _clusters_of_types(gold, predicted, cluster)
    if "form" in predicted.columns and "form" in gold.columns:
        own = _composed(gold)
        own = own.assign(sentence=gold["sentence"].to_numpy()) if "sentence" in gold.columns else own
        difference = first_difference(own, _composed(predicted))
    elif len(gold) != len(predicted):
        difference = f"gold has {len(gold):,} rows, predicted {len(predicted):,}"
    else:
        difference = ""
    if difference:
        raise ValueError(f"gold and predicted do not label the same tokens: {difference}.")
    return predicted[cluster].array


def _clusters_of_types(gold: pd.DataFrame, predicted: pd.DataFrame, cluster: str) -> object:
    check_tokens(gold, ["form"], "gold")
    forms = _composed(predicted)["form"]
    if forms.duplicated().any():
        raise ValueError(f"predicted lists the word {forms[forms.duplicated()].iloc[0]!r} more than once.")
    place = pd.Index(forms).get_indexer(_composed(gold)["form"])
    values = predicted[cluster].array.take(place, allow_fill=True)
    return values


def _composed(table: pd.DataFrame) -> pd.DataFrame:
    """Return the forms in composed form (NFC)."""
    form = table["form"]
    if isinstance(form.dtype, pd.CategoricalDtype):
        names = pd.Series(form.cat.categories.astype("str")).str.normalize("NFC")
        return pd.DataFrame({"form": names.take(form.cat.codes).to_numpy()})
    return pd.DataFrame({"form": form.astype("str").str.normalize("NFC").to_numpy()})
