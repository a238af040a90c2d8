"""Artificial clusterings that show the behaviour of the measures."""

from itertools import cycle

import pandas as pd

from analysis.categories.information import (
    conditional_entropy_of_classes,
    normalised_variation_of_information,
    v_measure,
)
from analysis.categories.type_measures import macro_i, micro_i, type_level_scores, type_mapping
from analysis.structures import check_at_least


def r_of_n(n: int = 6) -> pd.DataFrame:
    """Compute scores when every word has r of n gold classes of equal size and is in all n clusters.

    Parameters
    ----------
    n : int
        Number of classes, and of clusters. There are n words; word i has the classes i to i + r - 1, modulo n.

    Returns
    -------
    DataFrame
        ``r``, ``measure``, ``value``: the six type-level measures, and V, NVI and H(C|K) of the pairs of class and
        cluster, one pair per word, class and cluster.

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
    check_at_least(2, n=n)
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


def small_lexicons() -> pd.DataFrame:
    """Compute type-level measures, and their difference from a formula, for small invented lexicons.

    Returns
    -------
    DataFrame
        ``case``, ``measure``, ``value``, ``unit``. Cases: *right* (scores of the gold lexicon itself); *lacks a class*
        (one of two classes of one of two words is missing); *r of 6* (largest difference from 2r / (6 + r), of V from
        0, of NVI from 2, where each word has r of six classes and all six clusters); *equal sizes* (MacroI minus
        MicroI, where all words have equally many classes and clusters); *by cluster* (the macro measure over clusters
        minus that over words).

    References
    ----------
    Reichart, Abend & Rappoport (2010), sections 3 and 4.

    Examples
    --------
    >>> table = small_lexicons().set_index(["case", "measure"])["value"]
    >>> table["lacks a class", "MicroC 1-1"], table["lacks a class", "MacroI 1-1"].round(2)
    (np.float64(1.0), np.float64(0.8))
    """
    gold, one = (_lexicon("run run dog", "N V N"), _lexicon("run dog", "1 1"))
    rows = []
    for case, predicted in (("right", gold), ("lacks a class", one)):
        for score, mapping in zip(type_level_scores(gold, predicted, random_state=0), cycle(["M-1", "1-1"])):
            rows.append((case, f"{score.measure} {mapping}", float(score)))
    table = r_of_n(6)
    formula = (2 * table["r"] / (6 + table["r"])).mask(table["measure"] == "V", 0).mask(table["measure"] == "NVI", 2)
    misses = (table["value"] - formula).abs().groupby(table["measure"]).max()
    rows += [
        ("r of 6", name, misses[name]) for name in misses.index if name.startswith(("MacroI", "MicroI", "V", "NVI"))
    ]
    equal = _lexicon("a a b b c c", "N V N A V A"), _lexicon("a a b b c c", "1 2 1 2 2 3")
    rows.append(("equal sizes", "MacroI - MicroI", abs(float(macro_i(*equal)) - float(micro_i(*equal)))))
    read = type_mapping(gold, one)
    by_cluster = 2 * read["shared"].sum() / (len(gold) + read["types"].sum())
    rows.append(("by cluster", "MacroC - MacroI", abs(float(by_cluster) - float(macro_i(gold, one)))))
    return pd.DataFrame(rows, columns=["case", "measure", "value"]).assign(unit="proportion")


def _lexicon(forms: str, clusters: str) -> pd.DataFrame:
    return pd.DataFrame({"form": forms.split(), "cluster": clusters.split()})
