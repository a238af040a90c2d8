"""Alignment of two tables of the same tokens; if they differ, the first difference is reported.

Tables are matched by sentence number, so that a sentence that was left out of one file does not shift the others.
Within a sentence all words must be equal in Unicode normal form NFC.
"""

from __future__ import annotations

import unicodedata
from typing import Any, NamedTuple

import numpy as np

from analysis.dependencies.tree_arrays import sentence_starts
from analysis.structures import DataError, check_tokens
from analysis.structures.columns import Coded, Columns, numbers_of, texts_at
from analysis.structures.lazy import pd


class Sentences(NamedTuple):
    """Numbers and starts of the sentences of a table.

    Attributes
    ----------
    numbers : ndarray of int64, shape (n_sentences,)
    starts : ndarray of int64, shape (n_sentences + 1,)
        Sentence s is rows ``starts[s]`` to ``starts[s + 1]``.
    """

    numbers: np.ndarray
    starts: np.ndarray

    @property
    def lengths(self) -> np.ndarray:
        """Number of tokens of each sentence."""
        return np.diff(self.starts)


class Aligned(NamedTuple):
    """Predicted heads in the order of the gold tokens.

    Attributes
    ----------
    heads : ndarray of int64, shape (n_tokens,)
        -1 if the prediction lacks the sentence.
    missing : ndarray of bool, shape (n_sentences,)
        Whether the prediction lacks the sentence.
    surplus : int
        Number of predicted sentences that the gold standard lacks.
    """

    heads: np.ndarray
    missing: np.ndarray
    surplus: int


def find_sentences(tokens: pd.DataFrame | Columns, what: str = "tokens") -> Sentences:
    """Find the sentences of a tokens table; positions, if any, must be 1, 2, 3 … in each.

    Raises
    ------
    ValueError
        If positions are not 1, 2, 3 …, since heads would then refer to other words.

    Examples
    --------
    >>> find_sentences(pd.DataFrame({"sentence": [0, 0, 4]})).starts.tolist()
    [0, 2, 3]
    """
    numbers = numbers_of(tokens["sentence"])
    positions = np.empty(0, dtype=np.int64)
    if "position" in tokens.columns:
        positions = numbers_of(tokens["position"])
    starts, falls, row = sentence_starts(numbers, positions)
    if falls >= 0:
        check_tokens(tokens, ["sentence"], what)  # raises the error
    if row >= 0:
        s = int(np.searchsorted(starts, row, side="right")) - 1
        raise ValueError(
            f"{what}: row {row} has position {positions[row]}, but is word {row - starts[s] + 1} of "
            f"sentence {numbers[row]}; heads are positions, so give whole sentences, or renumber both."
        )
    return Sentences(numbers[starts[:-1]], starts)


def head_array(heads: Any, what: str) -> np.ndarray:
    """Convert heads to 64-bit integers; a missing head is -1.

    Raises
    ------
    ValueError
        If a head is not a whole number.

    Examples
    --------
    >>> head_array(pd.array([2, None, 0], dtype="Int64"), "predicted").tolist()
    [2, -1, 0]
    """
    if isinstance(heads, np.ndarray) and heads.dtype == np.int64 and heads.ndim == 1:
        return np.ascontiguousarray(heads)
    series = heads if isinstance(heads, pd.Series) else pd.Series(heads)
    if series.dtype == np.int64:
        return np.ascontiguousarray(series.to_numpy())
    numbers = pd.to_numeric(series, errors="coerce")
    bad = (numbers.isna() & series.notna()) | (numbers % 1 != 0).fillna(False).astype(bool) & numbers.notna()
    if bad.any():
        row = int(bad.to_numpy().argmax())
        raise ValueError(f"{what}: row {row} has the head {series.iloc[row]}; a head is a whole number, 0 = root.")
    return np.ascontiguousarray(numbers.fillna(-1).to_numpy(dtype=np.int64))


def align(gold: pd.DataFrame | Columns, sentences: Sentences, predicted: Any, column: str = "head") -> Aligned:
    """Bring predicted heads to the order of the gold tokens.

    Parameters
    ----------
    gold : DataFrame or Columns
        Tokens table.
    sentences : Sentences
        Of `gold`.
    predicted : DataFrame, Columns or array-like of shape (n_tokens,)
        A tokens table with the column `column`, matched by sentence number and by form if both have forms;
        or heads, one per gold token.
    column : str
            Column of the heads in a table.

    Raises
    ------
    DataError
        At the first word that differs, or the first sentence of a different length.
    ValueError
        If the length of an array differs from that of the gold table.
    """
    if not isinstance(predicted, Columns) and not isinstance(predicted, pd.DataFrame):
        heads = head_array(predicted, "predicted")
        if len(heads) != len(gold):
            raise ValueError(f"predicted has {len(heads):,} heads, gold has {len(gold):,} tokens.")
        return Aligned(heads, np.zeros(len(sentences.numbers), dtype=bool), 0)
    has_columns = {"sentence", column} <= set(predicted.columns)
    if not len(predicted) or not has_columns or getattr(predicted["sentence"], "hasnans", False):
        check_tokens(predicted, ["sentence", column], "predicted")  # says what is wrong
    with_forms = "form" in gold.columns and "form" in predicted.columns
    heads = head_array(predicted[column], "predicted")
    if _same_columns(gold, predicted):
        if with_forms:
            _compare_forms(gold, predicted, sentences)
        return Aligned(heads, np.zeros(len(sentences.numbers), dtype=bool), 0)
    other = find_sentences(predicted, "predicted")
    if np.array_equal(other.starts, sentences.starts) and np.array_equal(other.numbers, sentences.numbers):
        if with_forms:
            _compare_forms(gold, predicted, sentences)
        return Aligned(heads, np.zeros(len(sentences.numbers), dtype=bool), 0)

    place = np.searchsorted(other.numbers, sentences.numbers)
    inside = np.minimum(place, len(other.numbers) - 1)
    present = other.numbers[inside] == sentences.numbers
    if not present.any():
        raise DataError("gold and predicted have no sentence number in common.")
    own, others = sentences.lengths[present], other.lengths[inside[present]]
    rows = np.flatnonzero(np.repeat(present, sentences.lengths))
    unequal = own != others
    upto = int(unequal.argmax()) if unequal.any() else len(own)  # sentences that can be compared word by word
    n = int(own[:upto].sum())
    source = _ranges(other.starts[:-1][inside[present]][:upto], own[:upto])
    if with_forms and n:
        compared = gold.take(rows[:n])
        _compare_forms(compared, predicted.take(source), find_sentences(compared))
    if unequal.any():
        _refuse_lengths(gold, predicted, sentences, other, np.flatnonzero(present)[upto], inside[present][upto])
    aligned = np.full(len(gold), -1, dtype=np.int64)
    aligned[rows] = heads[source]
    return Aligned(aligned, ~present, len(other.numbers) - int(present.sum()))


def _same_columns(gold: pd.DataFrame | Columns, predicted: pd.DataFrame | Columns) -> bool:
    """Return whether sentences and positions are the same in all rows, so that no lookup is needed."""
    if len(gold) != len(predicted) or ("position" in predicted.columns) > ("position" in gold.columns):
        return False
    shared = [name for name in ("sentence", "position") if name in predicted.columns]
    return all(np.array_equal(np.asarray(gold[name]), np.asarray(predicted[name])) for name in shared)


def _ranges(first: np.ndarray, lengths: np.ndarray) -> np.ndarray:
    """Concatenate several ranges of rows."""
    ends = np.cumsum(lengths)
    return np.arange(int(ends[-1]) if len(ends) else 0) + np.repeat(first - np.append(0, ends[:-1]), lengths)


def _compare_forms(gold: pd.DataFrame | Columns, predicted: pd.DataFrame | Columns, sentences: Sentences) -> None:
    unequal = _forms_differ(gold["form"], predicted["form"])
    if not unequal.any():
        return
    row = int(unequal.argmax())
    s = int(np.searchsorted(sentences.starts, row, side="right")) - 1
    raise DataError(
        f"gold and predicted are not the same text: sentence {sentences.numbers[s]}, word "
        f"{row - sentences.starts[s] + 1} is {texts_at(gold['form'], [row])[0]!r} in gold and "
        f"{texts_at(predicted['form'], [row])[0]!r} in predicted ({int(unequal.sum()):,} words differ)."
    )


def _refuse_lengths(
    gold: pd.DataFrame | Columns,
    predicted: pd.DataFrame | Columns,
    own: Sentences,
    other: Sentences,
    s: int,
    t: int,
) -> None:
    """Raise an error with the first difference of a sentence with different numbers of words."""
    n, m = int(own.lengths[s]), int(other.lengths[t])
    text = f"gold and predicted are not the same text: sentence {own.numbers[s]} has {n} words in gold and {m} in "
    text += "predicted"
    if "form" in gold.columns and "form" in predicted.columns:
        words = list(map(_normal, texts_at(gold["form"], slice(own.starts[s], own.starts[s + 1]))))
        others = list(map(_normal, texts_at(predicted["form"], slice(other.starts[t], other.starts[t + 1]))))
        same = next((i for i, pair in enumerate(zip(words, others, strict=False)) if pair[0] != pair[1]), min(n, m))
        shown = [repr(side[same]) if same < len(side) else "nothing" for side in (words, others)]
        text += f"; word {same + 1} is {shown[0]} in gold and {shown[1]} in predicted"
    raise DataError(text + ".")


def _forms_differ(left: Any, right: Any) -> np.ndarray:
    own, other = _as_coded(left), _as_coded(right)
    if isinstance(own, Coded) and isinstance(other, Coded):
        if own.values is other.values or list(own.values) == list(other.values):
            unequal = own.codes != other.codes
        else:
            places = {value: place for place, value in enumerate(own.values)}
            place = np.array([*(places.get(value, -1) for value in other.values), -2], dtype=np.int64)
            unequal = own.codes != place[other.codes]
    else:
        unequal = left.astype("str").to_numpy() != right.astype("str").to_numpy()
    rows = np.flatnonzero(unequal)
    if len(rows):  # equal after all, once in the same normal form?
        pairs = zip(left.take(rows), right.take(rows), strict=True)
        unequal[rows] = [_normal(word) != _normal(other) for word, other in pairs]
    return unequal


def _as_coded(column: Any) -> Any:
    """A categorical as codes and values; other columns as they are."""
    if not isinstance(column, Coded) and isinstance(column.dtype, pd.CategoricalDtype):
        return Coded(column.cat.codes.to_numpy(), column.cat.categories)
    return column


def _normal(word: object) -> str:
    return unicodedata.normalize("NFC", str(word))
