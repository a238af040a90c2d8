"""Words and labels as integer codes, the same way for every measure and model of word classes."""

import numpy as np
import pandas as pd

from analysis.structures import Labels, encode_labels

#: Integer labels whose values span at most this many numbers (or the number of tokens) are codes already.
_NARROW = 1 << 20


def label_codes(labels: Labels, what: str = "labels") -> tuple[np.ndarray, pd.Index]:
    """Code of each label, without a copy where the labels are codes already.

    Unlike `analysis.structures.encode_labels` this may return codes of any integer type, and names that no
    token has: a categorical gives its own codes, integers of a narrow range give themselves less the smallest.

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
    names : pandas.Index
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
    array = labels.array if isinstance(labels, pd.Series | pd.Index) else labels
    if isinstance(array, pd.Categorical):
        codes = np.asarray(array.codes)
        if len(codes) and codes.min() < 0:
            return encode_labels(labels, what)  # raises, and says where
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
    """The values if they are integers, one-dimensional, and none is missing; else None."""
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
    """Code of each word, in its own vocabulary or in a given one.

    Parameters
    ----------
    forms : Series
        One word a token; strings or categories. Compared as they stand.
    vocabulary : pandas.Index, optional
        The words that have codes. Without it, the words of `forms`, in code-point order.

    Returns
    -------
    codes : ndarray of int64, shape (n_tokens,)
        -1 for words outside `vocabulary`.
    vocabulary : pandas.Index

    Examples
    --------
    >>> word_codes(pd.Series(["the", "cat", "the"]))[0].tolist()
    [1, 0, 1]
    >>> word_codes(pd.Series(["the", "dog"]), pd.Index(["cat", "the"]))[0].tolist()
    [1, -1]
    """
    if isinstance(forms.dtype, pd.CategoricalDtype):
        codes, names = np.asarray(forms.cat.codes, dtype=np.int64), forms.cat.categories
    else:
        codes, names = pd.factorize(forms)
        names = pd.Index(names)
    if len(codes) and codes.min() < 0:
        row = int((codes < 0).argmax())
        raise ValueError(f"{int((codes < 0).sum()):,} of {len(codes):,} tokens have no form, the first in row {row}.")
    if vocabulary is None:
        used = np.bincount(codes, minlength=len(names)) > 0
        vocabulary = pd.Index(sorted(names[used], key=str))
    translation = vocabulary.get_indexer(names).astype(np.int64)
    return translation[codes], vocabulary


def sentence_starts(tokens: pd.DataFrame) -> np.ndarray:
    """True where a token is the first of its sentence.

    Examples
    --------
    >>> sentence_starts(pd.DataFrame({"sentence": [0, 0, 1]})).tolist()
    [True, False, True]
    """
    sentence = tokens["sentence"].to_numpy()
    starts = np.ones(len(sentence), dtype=np.bool_)
    np.not_equal(sentence[1:], sentence[:-1], out=starts[1:])
    return starts


def sentence_lengths(tokens: pd.DataFrame) -> np.ndarray:
    """Tokens of each sentence.

    Examples
    --------
    >>> sentence_lengths(pd.DataFrame({"sentence": [7, 7, 1]})).tolist()
    [2, 1]
    """
    return np.diff(np.append(np.flatnonzero(sentence_starts(tokens)), len(tokens))).astype(np.int64)
