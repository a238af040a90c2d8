"""Clusterings made by rule, to show what the measures see."""

from itertools import cycle

import pandas as pd

from analysis.categories.information import (
    conditional_entropy_of_classes,
    normalised_variation_of_information,
    v_measure,
)
from analysis.categories.type_measures import type_level_scores


def r_of_n(n: int = 6) -> pd.DataFrame:
    """Scores where every word has r of n gold classes of equal size, and is in all n clusters.

    Parameters
    ----------
    n : int
        Number of classes, and of clusters. There are n words; word i has the classes i to i + r - 1, around.

    Returns
    -------
    DataFrame
        ``r``, ``measure``, ``value``: the six type-level measures, and V, NVI and H(C|K) of the pairs of class and
        cluster, one pair a word, class and cluster.

    Raises
    ------
    ValueError
        If n is below 2.

    References
    ----------
    Reichart, Abend & Rappoport (2010), section 3.

    Examples
    --------
    >>> table = r_of_n(4).set_index(["r", "measure"])["value"]
    >>> table[(2, "MacroI 1-1")].round(3), abs(table[(2, "V")].round(3)), table[(2, "NVI")].round(3)
    (np.float64(0.667), np.float64(0.0), np.float64(2.0))
    """
    if n < 2:
        raise ValueError(f"n must be at least 2, not {n}.")
    rows = []
    for r in range(1, n + 1):
        gold = pd.DataFrame([(i, (i + step) % n) for i in range(n) for step in range(r)], columns=["form", "cluster"])
        predicted = pd.DataFrame([(i, k) for i in range(n) for k in range(n)], columns=["form", "cluster"])
        pairs = gold.merge(predicted, on="form")
        for score, mapping in zip(type_level_scores(gold, predicted, random_state=0), cycle(["M-1", "1-1"])):
            rows.append((r, f"{score.measure} {mapping}", float(score), score.unit))
        for function in (v_measure, normalised_variation_of_information, conditional_entropy_of_classes):
            score = function(pairs["cluster_x"], pairs["cluster_y"])
            rows.append((r, score.measure, float(score), score.unit))
    return pd.DataFrame(rows, columns=["r", "measure", "value", "unit"])
