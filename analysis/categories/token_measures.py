"""Measures of agreement between a clustering of tokens and a gold standard."""

import numpy as np

from analysis.categories.contingency import Contingency, as_contingency
from analysis.structures import Labels, PrecisionRecall, Score


def many_to_one(gold: Labels | Contingency, predicted: Labels | None = None) -> Score:
    """Compute the accuracy when each cluster is mapped to its most frequent gold class.

    Several clusters may be mapped to the same class, so splitting a cluster never lowers the score. Also called purity,
    cluster purity, matched accuracy. The choice among equally frequent classes does not change the value.

    Parameters
    ----------
    gold, predicted : array-like of shape (n_tokens,)
        Class and cluster of each token; strings, integers or categories. Names have no meaning. A single `Contingency`
        may replace both.

    Returns
    -------
    Score
        numerator = correctly mapped tokens, denominator = n_tokens; parts: the number of classes and clusters.

    Raises
    ------
    ValueError
        If the lengths differ, a label is missing, or there is no token.

    References
    ----------
    Frank, Goldwater & Keller (2009), section "Gold-standard-based Evaluation Measures" (there matched accuracy);
    Gelling et al. (2012), section 2.2 (there M-1).

    Examples
    --------
    >>> many_to_one(["N", "N", "V"], [1, 1, 1])
    many-to-one 0.667 (2/3)
    """
    table = as_contingency(gold, predicted)
    best = np.zeros(len(table.clusters), dtype=np.int64)
    np.maximum.at(best, table.columns, table.cells)
    return Score(
        "many-to-one",
        numerator=int(best.sum()),
        denominator=table.n,
        conventions={"mapping": "each cluster to its most frequent class"},
        parts=_shape(table),
    )


def pairwise_precision_recall(gold: Labels | Contingency, predicted: Labels | None = None) -> PrecisionRecall:
    """Compute pairwise precision and recall: pairs of tokens in the same cluster, compared with pairs in the same
    class.

    Pairs are unordered pairs of distinct tokens. The counts are exact 64-bit integers:
    10 million tokens in one class are 5e13 pairs.

    Parameters
    ----------
    gold, predicted : array-like of shape (n_tokens,)
        Class and cluster of each token; strings, integers or categories. Names have no meaning. A single `Contingency`
        may replace both.

    Returns
    -------
    PrecisionRecall
        matched = pairs that share both (tp), predicted = pairs within clusters (tp + fp),
        gold = pairs within classes (tp + fn). Precision is undefined if no cluster has two tokens,
        recall if no class has two.

    Raises
    ------
    ValueError
        If the lengths differ, a label is missing, or there is no token.

    References
    ----------
    Frank, Goldwater & Keller (2009), equation 1.

    Examples
    --------
    >>> pairwise_precision_recall(["N", "N", "V"], [1, 1, 1])
    pairwise precision 0.333 (1/3), recall 1.000 (1/1), F1 0.500
    """
    table = as_contingency(gold, predicted)
    return PrecisionRecall(
        "pairwise",
        matched=_pairs(table.cells),
        predicted=_pairs(table.predicted_sizes),
        gold=_pairs(table.gold_sizes),
        conventions={"pairs": "unordered pairs of distinct tokens"},
        parts=_shape(table) | {"n": table.n},
    )


def _pairs(sizes: np.ndarray) -> int:
    """Count unordered pairs within groups of these sizes; fits 64 bits up to 4e9 tokens."""
    return int((sizes * (sizes - 1) // 2).sum())


def _shape(table: Contingency) -> dict[str, float]:
    classes, clusters = table.shape
    return {"classes": classes, "clusters": clusters}
