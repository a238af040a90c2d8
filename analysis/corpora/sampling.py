"""Random samples of whole sentences."""

from typing import Any

import numpy as np
import pandas as pd

from analysis.structures import check_tokens


def sample_sentences(tokens: pd.DataFrame, sentences: int, random_state: Any = 0) -> pd.DataFrame:
    """Draw whole sentences at random without replacement, in the order of the corpus.

    Parameters
    ----------
    tokens : DataFrame
        A tokens table.
    sentences : int
        Number of sentences; all if the table has fewer.
    random_state : None, int or numpy.random.Generator

    Returns
    -------
    DataFrame
        Rows of ``tokens`` with their sentence numbers; the index counts from 0. Unused categories are removed.

    Raises
    ------
    ValueError
        If ``sentences`` is not positive, or the table is not a tokens table.

    Examples
    --------
    >>> tokens = pd.DataFrame({"sentence": [0, 0, 1, 2], "form": ["look", "here", "yes", "no"]})
    >>> sample_sentences(tokens, 2, random_state=1)
       sentence  form
    0         0  look
    1         0  here
    2         1   yes
    """
    check_tokens(tokens, ["sentence"])
    if sentences < 1:
        raise ValueError(f"sentences must be 1 or more, not {sentences}.")
    numbers = tokens["sentence"].to_numpy()
    starts = np.flatnonzero(np.append(True, numbers[1:] != numbers[:-1]))
    if sentences < len(starts):
        drawn = np.zeros(len(starts), dtype=bool)
        drawn[np.random.default_rng(random_state).choice(len(starts), sentences, replace=False)] = True
        tokens = tokens[np.repeat(drawn, np.diff(np.append(starts, len(numbers))))]
    tokens = tokens.reset_index(drop=True)
    for column in tokens.columns:
        if isinstance(tokens[column].dtype, pd.CategoricalDtype):
            tokens[column] = tokens[column].cat.remove_unused_categories()
    return tokens
