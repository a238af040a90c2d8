"""Treatment of unclustered words: one additional cluster, or one for each word."""

from __future__ import annotations

from typing import Literal

import numpy as np

from analysis.structures import check_choice, check_tokens
from analysis.structures.labels import label_codes, word_codes
from analysis.structures.lazy import pd

#: Name of the cluster of all unclustered words; in the split condition it precedes the word.
MERGED = "unclustered"


def fill_unclustered(
    labels: pd.Series, tokens: pd.DataFrame, condition: Literal["merge", "split"], form: str = "form"
) -> pd.Series:
    """Assign a cluster to every token, as in the paper's merge and split conditions.

    The new clusters are named ``"unclustered"`` or, for example, ``"unclustered: duck"``, so a word has the same
    cluster in training and test text although these are filled separately. All names become strings.

    Parameters
    ----------
    labels : Series
        Cluster of each token, missing if it has none; for example the result of ``predict``.
    tokens : DataFrame
        Tokens table of the same tokens, with the column `form`.
    condition : {"merge", "split"}
        One cluster for all unclustered tokens, or one for each word type among them.
    form : str
        Column with the words.

    Returns
    -------
    Series of category
        Name and index of `labels`; the categories are strings.

    Raises
    ------
    ValueError
        If the lengths differ, the condition is unknown, or a cluster already has such a name.

    References
    ----------
    Frank, Goldwater & Keller (2009), section "Model Implementation and Experiments".

    Examples
    --------
    >>> tokens = pd.DataFrame({"form": ["the", "duck", "pond", "duck"]})
    >>> labels = pd.Series([3, None, None, None], dtype="Int32", name="cluster")
    >>> fill_unclustered(labels, tokens, "merge").tolist()
    ['3', 'unclustered', 'unclustered', 'unclustered']
    >>> fill_unclustered(labels, tokens, "split").tolist()
    ['3', 'unclustered: duck', 'unclustered: pond', 'unclustered: duck']
    """
    check_choice("condition", condition, ("merge", "split"))
    check_tokens(tokens, [form])
    if len(labels) != len(tokens):
        raise ValueError(f"there are {len(labels):,} labels for {len(tokens):,} tokens.")
    missing = labels.isna().to_numpy()
    codes = np.empty(len(labels), dtype=np.int64)
    names: list[str] = []
    if not missing.all():
        clustered, clusters = label_codes(labels[~missing] if missing.any() else labels)
        used = np.bincount(clustered, minlength=len(clusters)) > 0
        codes[~missing] = (np.cumsum(used) - 1)[clustered]
        names = [str(name) for name in clusters[used]]
    taken = next((name for name in names if name == MERGED or name.startswith(f"{MERGED}: ")), None)
    if taken is not None:
        raise ValueError(f"a cluster is already named {taken!r}: rename it, or fill each labelling only once.")
    if missing.any() and condition == "merge":
        codes[missing] = len(names)
        names.append(MERGED)
    elif missing.any():
        words, vocabulary = word_codes(tokens[form][missing])
        codes[missing] = len(names) + words
        names += [f"{MERGED}: {word}" for word in vocabulary]
    categories = pd.Index(names, dtype="str")
    return pd.Series(pd.Categorical.from_codes(codes, categories), index=labels.index, name=labels.name)
