"""Starts and lengths of sentences."""

import numpy as np
import pandas as pd


def sentence_starts(tokens: pd.DataFrame) -> np.ndarray:
    """Mark the first token of each sentence.

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
    """Count the tokens of each sentence.

    Examples
    --------
    >>> sentence_lengths(pd.DataFrame({"sentence": [7, 7, 1]})).tolist()
    [2, 1]
    """
    return np.diff(np.append(np.flatnonzero(sentence_starts(tokens)), len(tokens))).astype(np.int64)
