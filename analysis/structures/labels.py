"""Labels of any type become integer codes, once, for every measure."""

from typing import Any

import numpy as np
import pandas as pd

Labels = Any  # array-like of shape (n,): strings, integers or categories


def encode_labels(labels: Labels, what: str = "labels") -> tuple[np.ndarray, pd.Index]:
    """Give each distinct label a code.

    Parameters
    ----------
    labels : array-like of shape (n,)
        Strings, integers, booleans or categories. Words such as ``"NA"`` and ``"null"`` are labels like others.
    what : str
        How an error names the array.

    Returns
    -------
    codes : ndarray of int64, shape (n,)
        From 0, without gaps.
    names : pandas.Index
        ``names[code]`` is the label. Categories keep their order (unused ones are left out);
        other labels stand in order of first appearance.

    Raises
    ------
    ValueError
        If the array is not one-dimensional or a label is missing (``None`` or NaN); the first such place is named.

    Examples
    --------
    >>> codes, names = encode_labels(["N", "V", "N"])
    >>> codes.tolist(), names.tolist()
    ([0, 1, 0], ['N', 'V'])
    """
    series = labels if isinstance(labels, pd.Series | pd.Index) else pd.Series(_one_dimensional(labels, what))
    if isinstance(series.dtype, pd.CategoricalDtype):
        categorical = pd.Categorical(series)
        codes = np.asarray(categorical.codes, dtype=np.int64)
        _refuse_missing(codes, what)
        used = np.bincount(codes, minlength=len(categorical.categories)) > 0
        return (np.cumsum(used) - 1)[codes], categorical.categories[used]
    codes, names = pd.factorize(series)
    codes = codes.astype(np.int64, copy=False)
    _refuse_missing(codes, what)
    return codes, pd.Index(names)


def encode_pair(gold: Labels, predicted: Labels) -> tuple[np.ndarray, pd.Index, np.ndarray, pd.Index]:
    """Encode two label arrays of the same tokens; refuse them if they cannot belong together.

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
    gold_codes, gold_names = encode_labels(gold, "gold")
    predicted_codes, predicted_names = encode_labels(predicted, "predicted")
    if len(gold_codes) != len(predicted_codes):
        raise ValueError(
            f"gold has {len(gold_codes):,} labels, predicted has {len(predicted_codes):,}: "
            "they must label the same tokens."
        )
    if not len(gold_codes):
        raise ValueError("there is no token to score: gold and predicted are empty.")
    return gold_codes, gold_names, predicted_codes, predicted_names


def _one_dimensional(labels: Labels, what: str) -> Any:
    if isinstance(labels, np.ndarray | pd.Categorical | pd.api.extensions.ExtensionArray):
        array = labels
    else:
        array = pd.array(list(labels)) if not isinstance(labels, str) else None
        if array is None:
            raise ValueError(f"{what} is one string, not a sequence of labels: {labels!r}.")
    if array.ndim != 1:
        raise ValueError(f"{what} must have one dimension, one label a token; its shape is {array.shape}.")
    return array


def _refuse_missing(codes: np.ndarray, what: str) -> None:
    missing = codes < 0
    if missing.any():
        raise ValueError(
            f"{what} has {int(missing.sum()):,} missing labels of {len(codes):,}, the first at index "
            f"{int(missing.argmax())}: label every token, or leave these tokens out of both sides."
        )
