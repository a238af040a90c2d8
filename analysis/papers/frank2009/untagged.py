"""Models ranked on a corpus without tags: by substitutable precision and recall alone."""

from typing import Any

import pandas as pd

from analysis.papers.frank2009.runs import labels, score_labels, systems
from analysis.papers.frank2009.setting import Setting


def without_gold(corpus: str = "nursery", **choices: Any) -> pd.DataFrame:
    """SP and SR of each model on a corpus that needs no tags, unclustered words merged.

    PP, PR and MA compare clusters with gold tags; SP and SR compare contexts of words in training and test text, and
    rank models of any corpus. Random needs the sizes of gold classes and is left out.

    Parameters
    ----------
    corpus : str
        Any with the parts ``train`` and ``test``, such as one of the reader's own in plain text.
    **choices
        Of `Setting`: ``clusters``, ``sweeps``, ``sentences`` and others.

    Returns
    -------
    DataFrame
        One row a model, number of clusters and measure: ``system``, ``k``, ``measure``, ``value``, ``numerator``,
        ``denominator``, ``n`` (test tokens), ``rank`` (1: the highest of the measure).

    References
    ----------
    Frank, Goldwater & Keller (2009), section "Substitutability".
    """
    setting = Setting.choose(None, **{"models": ("BHMM", "HC", "FF"), "corpus": corpus, **choices})
    rows = [
        {"system": run.system, "k": run.k, "measure": measure, "value": score.value, "numerator": score.numerator,
         "denominator": score.denominator, "n": n}
        for run in systems(setting)
        for measure, _, score, n, _ in score_labels(
            corpus, labels(corpus, run, setting.sentences), "merge", setting.sentences, inventories=()
        )
    ]  # fmt: skip
    table = pd.DataFrame(rows)
    rank = table.groupby("measure")["value"].rank(ascending=False, method="min").astype("Int64")
    return table.assign(rank=rank).sort_values(["measure", "rank"], kind="stable", ignore_index=True)
