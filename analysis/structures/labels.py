"""Conversion of labels of any type to integer codes, shared by all measures."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from typing import Any

import numpy as np

from analysis.structures.columns import Coded, Columns
from analysis.structures.lazy import pd

Labels = Any  # array-like of shape (n,): strings, integers or categories

#: Integer labels whose values span at most this many numbers (or the number of tokens) are codes already.
_NARROW = 1 << 20
#: Odd constants: multiples of them are spread over the highest bits.
_FACTORS = np.array([0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9, 0xD6E8FEB86659FD93], dtype=np.uint64)
_NO_LABELS = (list, tuple, Mapping, Set, np.ndarray)


def encode_labels(labels: Labels, what: str = "labels") -> tuple[np.ndarray, pd.Index]:
    """Give each distinct label a code.

    Parameters
    ----------
    labels : array-like of shape (n,)
        Strings, integers, booleans or categories. Strings such as ``"NA"`` and ``"null"`` are ordinary labels.
    what : str
        How an error names the array.

    Returns
    -------
    codes : ndarray of int64, shape (n,)
        From 0, without gaps.
    names : pandas.Index
        ``names[code]`` is the label. Categories keep their order (unused ones are left out); other labels are in order
        of first appearance.

    Raises
    ------
    ValueError
        If the labels have no order of tokens (a DataFrame, a mapping, a set), a label is itself a sequence or a
        non-integer number, the array is not one-dimensional, or a label is missing (``None`` or NaN). The message gives
        the first such index.

    Examples
    --------
    >>> codes, names = encode_labels(["N", "V", "N"])
    >>> codes.tolist(), names.tolist()
    ([0, 1, 0], ['N', 'V'])
    """
    series = labels if isinstance(labels, pd.Series | pd.Index) else pd.Series(_one_dimensional(labels, what))
    try:
        codes, names = value_codes(series)
    except TypeError as error:
        raise ValueError(f"{what} has an invalid label ({error}); expected strings, integers or booleans.") from None
    codes = codes.astype(np.int64, copy=False)
    _refuse_fractions(codes, names, what)
    _refuse_missing(codes, what)
    used = np.bincount(codes, minlength=len(names)) > 0
    return (codes, names) if used.all() else ((np.cumsum(used) - 1)[codes], names[used])


def value_codes(column: pd.Series | pd.Index | Coded) -> tuple[np.ndarray, Any]:
    """Encode the values of a column; -1 where a value is missing.

    Returns
    -------
    codes : ndarray of integers, shape (n,)
    values : pandas.Index or, of a coded column, sequence of str
        ``values[code]`` is the value: categories as they are, others by first appearance.

    Examples
    --------
    >>> codes, values = value_codes(pd.Series(["nsubj", None, "obj", "nsubj"]))
    >>> codes.tolist(), values.tolist()
    ([0, -1, 1, 0], ['nsubj', 'obj'])
    """
    if isinstance(column, Coded):
        return column.codes, column.values
    if isinstance(column.array, pd.Categorical):
        return np.asarray(column.array.codes), column.array.categories
    codes, values = pd.factorize(column)
    return codes, pd.Index(values)


def tag_codes(column: pd.Series | pd.Index | Coded) -> Coded:
    """A column of tags of a treebank, in which ``_`` stands for no tag: a missing value.

    Examples
    --------
    >>> list(tag_codes(Coded.of(["N", "_", "V"])))
    ['N', None, 'V']
    """
    codes, values = value_codes(column)
    none = [code for code, value in enumerate(values) if value == "_"]
    return Coded(np.where(np.isin(codes, none), -1, codes), values) if none else Coded(codes, values)


def first_tagged(tokens: pd.DataFrame | Columns, names: Iterable[str]) -> str | None:
    """The first of these columns that the tokens have, with a tag for most of them.

    Examples
    --------
    >>> few, all_of_them = Coded.of(["N", "_", "_"]), Coded.of(["NOUN", "VERB", "X"])
    >>> first_tagged(Columns({"fine": few, "universal": all_of_them}), ("fine", "universal", "coarse"))
    'universal'
    """
    there = (name for name in names if name in tokens.columns)
    return next((name for name in there if 2 * (tag_codes(tokens[name]).codes >= 0).sum() > len(tokens)), None)


def number_codes(numbers: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Give equal numbers equal codes, in order of their first use, and find the first place of each.

    Each number is written into a table at a place that its product with an odd constant gives, the first one last;
    numbers that find another one there try again with another constant. What many trials left is sorted.

    Parameters
    ----------
    numbers : ndarray of uint64, shape (n,)

    Returns
    -------
    codes : ndarray of int64, shape (n,)
    first : ndarray of int64
        ``numbers[first[code]]`` is the number.

    Examples
    --------
    >>> codes, first = number_codes(np.array([7, 9, 7, 8], dtype=np.uint64))
    >>> codes.tolist(), first.tolist()
    ([0, 1, 0, 2], [0, 1, 3])
    """
    bits = min(max(len(numbers).bit_length() + 1, 8), 24)
    table = np.empty(1 << bits, dtype=np.int64)
    places = np.arange(len(numbers))
    like, rows = np.empty_like(places), places
    for factor in _FACTORS:
        own = numbers[rows]
        slots = ((own * factor) >> np.uint64(64 - bits)).view(np.int64)
        table[slots[::-1]] = rows[::-1]
        found = table[slots]
        like[rows] = found
        other = numbers[found] != own
        rows = rows[other]
        if not len(rows):
            break
    else:
        _, first, back = np.unique(numbers[rows], return_index=True, return_inverse=True)
        like[rows] = rows[first[back]]
    first = np.flatnonzero(like == places)
    codes = np.empty_like(places)
    codes[first] = np.arange(len(first))
    return codes[like], first


def shared_codes(*columns: pd.Series | pd.Index | Coded) -> tuple[list[np.ndarray], list[str]]:
    """Encode the texts of several columns: equal texts have equal codes, also across columns.

    Returns
    -------
    codes : list of ndarray of int64
        One array per column.
    texts : list of str
        ``texts[code]`` is the text.

    Examples
    --------
    >>> codes, texts = shared_codes(pd.Series(["NP", "S"]), pd.Series(["S", "VP"]))
    >>> [column.tolist() for column in codes], texts
    ([[0, 1], [1, 2]], ['NP', 'S', 'VP'])
    """
    places: dict[str, int] = {}
    found = []
    for column in columns:
        codes, values = value_codes(column)
        texts = np.asarray(values, dtype=object).tolist()
        found.append(np.array([places.setdefault(str(text), len(places)) for text in texts], dtype=np.int64)[codes])
    return found, list(places)


def encode_rows(*tables: Sequence[np.ndarray]) -> list[np.ndarray]:
    """Encode the rows of several tables: equal rows have equal numbers, also across tables.

    Parameters
    ----------
    tables : sequences of ndarray of shape (n_rows,)
        The columns of each table: integers, or labels of any type.

    Returns
    -------
    list of ndarray of int64, shape (n_rows,)
        One array per table.

    Examples
    --------
    >>> gold, predicted = [np.array([0, 0]), np.array(["NP", "S"])], [np.array([0]), np.array(["S"])]
    >>> [numbers.tolist() for numbers in encode_rows(gold, predicted)]
    [[0, 1], [1]]
    """
    lengths = [len(table[0]) for table in tables]
    keys, distinct = np.zeros(sum(lengths), dtype=np.int64), 1
    for columns in zip(*tables, strict=True):
        column = np.concatenate(columns)
        numbers = column.dtype.kind in "iu" and len(column) > 0
        codes = (
            column.astype(np.int64) - int(column.min()) if numbers else pd.factorize(column, use_na_sentinel=False)[0]
        )
        width = int(codes.max(initial=-1)) + 1
        if distinct * width >= 2**62:  # the numbers would overflow
            keys, codes = (pd.factorize(values)[0] for values in (keys, codes))
            distinct, width = len(keys), len(keys)
        keys, distinct = keys * width + codes, distinct * width
    return np.split(keys, np.cumsum(lengths)[:-1])


def encode_pair(gold: Labels, predicted: Labels) -> tuple[np.ndarray, Any, np.ndarray, Any]:
    """Encode two label arrays of the same tokens with `label_codes`.

    Parameters
    ----------
    gold, predicted : array-like of shape (n_tokens,)

    Returns
    -------
    gold_codes, gold_names, predicted_codes, predicted_names : ndarray and Index of each side

    Raises
    ------
    ValueError
        If the lengths differ, there is no token, or a label is missing.

    Examples
    --------
    >>> encode_pair(["N", "V"], [7])
    Traceback (most recent call last):
    ...
    ValueError: gold has 2 labels, predicted has 1: they must label the same tokens.
    """
    gold_codes, gold_names = label_codes(gold, "gold")
    predicted_codes, predicted_names = label_codes(predicted, "predicted")
    if len(gold_codes) != len(predicted_codes):
        raise ValueError(
            f"gold has {len(gold_codes):,} labels, predicted has {len(predicted_codes):,}: "
            "they must label the same tokens."
        )
    if not len(gold_codes):
        raise ValueError("there is no token to score: gold and predicted are empty.")
    return gold_codes, gold_names, predicted_codes, predicted_names


def label_codes(labels: Labels, what: str = "labels") -> tuple[np.ndarray, Any]:
    """Encode labels, without a copy if the labels are codes already.

    Unlike `encode_labels` this may return codes of any integer type, and names that no token has: a categorical returns
    its own codes; integers of a narrow range are returned minus the smallest one.

    Parameters
    ----------
    labels : array-like of shape (n,)
        Strings, integers, booleans or categories.
    what : str
        How an error names the array.

    Returns
    -------
    codes : ndarray of integers, shape (n,)
        From 0.
    names : pandas.Index, or list of str of a coded column
        ``names[code]`` is the label: categories in their order, integers ascending, others by first appearance.

    Raises
    ------
    ValueError
        If the array is not one-dimensional or a label is missing.

    Examples
    --------
    >>> codes, names = label_codes(np.array([7, 9, 7]))
    >>> codes.tolist(), names.tolist()
    ([0, 2, 0], [7, 8, 9])
    """
    if isinstance(labels, Coded):
        _refuse_missing(labels.codes, what)
        return labels.codes, list(labels.values)
    array = labels.array if isinstance(labels, pd.Series | pd.Index) else labels
    if isinstance(array, pd.Categorical):
        codes = np.asarray(array.codes)
        if len(codes) and codes.min() < 0:
            return encode_labels(labels, what)  # raises the error
        return codes, array.categories
    values = _plain_integers(array)
    if values is None:
        codes, names = encode_labels(labels, what)
        if pd.api.types.is_integer_dtype(names.dtype):
            return _ascending(codes, names)
        return codes, names
    lowest, highest = int(values.min()), int(values.max())
    if highest - lowest >= max(_NARROW, len(values)):
        return _ascending(*encode_labels(values, what))
    names = pd.RangeIndex(lowest, highest + 1)
    if lowest == 0:
        return values, names
    if not -(2**62) < lowest <= highest < 2**62:
        return _ascending(*encode_labels(values, what))
    return values.astype(np.int64) - lowest, names


def _ascending(codes: np.ndarray, names: pd.Index) -> tuple[np.ndarray, pd.Index]:
    order = np.argsort(names.to_numpy(), kind="stable")
    rank = np.empty(len(order), dtype=np.int64)
    rank[order] = np.arange(len(order))
    return rank[codes], names[order]


def _plain_integers(array: Labels) -> np.ndarray | None:
    """Return the values if they are one-dimensional integers without missing values; else None."""
    if not isinstance(array, np.ndarray | pd.api.extensions.ExtensionArray) or array.ndim != 1 or not len(array):
        return None
    if not pd.api.types.is_integer_dtype(array.dtype):
        return None
    if isinstance(array, np.ndarray):
        return array
    if array.isna().any():
        return None
    return array.to_numpy(dtype=getattr(array.dtype, "numpy_dtype", np.dtype(np.int64)))


def word_codes(forms: pd.Series, vocabulary: pd.Index | None = None) -> tuple[np.ndarray, pd.Index]:
    """Encode words, in a given vocabulary or in that of the words.

    Parameters
    ----------
    forms : Series
        One word per token; strings or categories. Compared without normalisation.
    vocabulary : pandas.Index, optional
        The words that have codes. Without it, the words of `forms`, in code-point order.

    Returns
    -------
    codes : ndarray of int64, shape (n_tokens,)
        Code of each word; Code of each word; -1 for words outside `vocabulary`.
    vocabulary : pandas.Index

    Examples
    --------
    >>> word_codes(pd.Series(["the", "cat", "the"]))[0].tolist()
    [1, 0, 1]
    >>> word_codes(pd.Series(["the", "dog"]), pd.Index(["cat", "the"]))[0].tolist()
    [1, -1]
    """
    codes, names = value_codes(forms)
    if len(codes) and codes.min() < 0:
        row = int((codes < 0).argmax())
        raise ValueError(f"{int((codes < 0).sum()):,} of {len(codes):,} tokens have no form, the first in row {row}.")
    if vocabulary is None:
        used = np.bincount(codes, minlength=len(names)) > 0
        vocabulary = pd.Index(sorted(names[used], key=str))
    translation = vocabulary.get_indexer(names).astype(np.int64)
    return translation[codes], vocabulary


def _one_dimensional(labels: Labels, what: str) -> Any:
    if isinstance(labels, np.ndarray | pd.Categorical | pd.api.extensions.ExtensionArray):
        array = labels
    else:
        array = _array_of(labels, what)
    if array.ndim != 1:
        raise ValueError(f"{what} must have one dimension, one label per token; its shape is {array.shape}.")
    return array


def _array_of(labels: Any, what: str) -> Any:
    """Convert a sequence of labels to an array; raise an error if it has no order of tokens or is not a sequence."""
    if isinstance(labels, str | bytes):
        raise ValueError(f"{what} is one string, not a sequence of labels: {labels!r}.")
    kind = type(labels).__name__
    if isinstance(labels, pd.DataFrame):
        raise ValueError(f"{what} is a DataFrame; give one column of it, one label per token.")
    if isinstance(labels, Mapping | Set):
        raise ValueError(f"{what} is a {kind}, which has no order of tokens; give a sequence, one label per token.")
    if not isinstance(labels, Iterable):
        raise ValueError(f"{what} is not a sequence of labels but a {kind}: {labels!r}.")
    labels = list(labels)
    nested = tuple(kind for kind in set(map(type, labels)) if issubclass(kind, _NO_LABELS))
    if nested:
        index = next(index for index, label in enumerate(labels) if isinstance(label, nested))
        raise ValueError(
            f"{what} must have one dimension, one label per token: the label at index {index} is "
            f"a {type(labels[index]).__name__}, {labels[index]!r}; expected a string, an integer or a boolean."
        )
    return pd.array(labels)


def _refuse_fractions(codes: np.ndarray, names: pd.Index, what: str) -> None:
    """Raise an error for non-integer numbers, which are not labels; whole numbers may have a float type."""
    if names.dtype != object and not pd.api.types.is_float_dtype(names.dtype):
        return
    whole = [not isinstance(name, float | np.floating) or float(name).is_integer() for name in names]
    places = np.flatnonzero(~np.array([*whole, True])[codes])  # the last value has code -1: missing
    if len(places):
        raise ValueError(
            f"{what} has the number {names[codes[places[0]]]:g} at index {places[0]}; "
            "expected a string, an integer or a boolean."
        )


def _refuse_missing(codes: np.ndarray, what: str) -> None:
    missing = codes < 0
    if missing.any():
        raise ValueError(
            f"{what} has {int(missing.sum()):,} missing labels of {len(codes):,}, the first at index "
            f"{int(missing.argmax())}: label every token, or leave these tokens out of both sides."
        )
