"""Floors and a ceiling that stand beside the accuracy of a system of inflection."""

import pandas as pd

from analysis.inflection.accuracy import aligned
from analysis.inflection.by_item import scored_items
from analysis.inflection.forms import check_forms
from analysis.inflection.models.baselines import CopyBaseline, MajoritySuffix
from analysis.statistics.references import fixed_rows, references_table
from analysis.structures import check_columns


def reference_scores(
    gold: pd.DataFrame, training: pd.DataFrame | None = None, *, confidence: float = 0.95
) -> pd.DataFrame:
    """Score the unchanged lemma, the most frequent change of the ending, and one form per lemma and feature set.

    - ``copy``: the unchanged lemma.
    - ``majority suffix``: the most frequent change of the ending in training for the feature set. Needs `training`.
    - ``one form per item``: the most frequent form of each lemma and feature set among the gold items: the ceiling of
      systems that give an item one form, below 1 where gold has several.

    Parameters
    ----------
    gold : DataFrame
        ``lemma``, ``form`` and optionally ``features``.
    training : DataFrame, optional
        The same columns.
    confidence : float

    Returns
    -------
    DataFrame
        The columns of `analysis.statistics.differences.SystemScore`, with Wilson's intervals.

    Raises
    ------
    ValueError
        If a column is missing.

    Examples
    --------
    >>> gold = pd.DataFrame({"lemma": ["put", "walk"], "form": ["put", "walked"]})
    >>> reference_scores(gold, gold)[["system", "value"]].values.tolist()
    [['copy', 0.5], ['majority suffix', 0.5], ['one form per item', 1.0]]
    """
    check_forms(gold, ("lemma", "form"), "gold")
    keys = [name for name in ("lemma", "features") if name in gold.columns]

    def scored(forms: object, note: str) -> tuple:
        return scored_items(aligned(gold, gold[keys].assign(predicted=forms))), note

    empty = gold.iloc[:1] if training is None else training
    fixed = {"copy": scored(_forms(CopyBaseline(), empty, gold), "floor")}
    if training is not None:
        check_columns(training, ["lemma", "form"], "training")
        fixed["majority suffix"] = scored(_forms(MajoritySuffix(), training, gold), "floor")
    most = gold.groupby(keys, observed=True, dropna=False)["form"].transform(lambda forms: forms.mode().iloc[0])
    fixed["one form per item"] = scored(most, "ceiling of systems with one form per item")
    return references_table(fixed_rows(fixed, resamples=2, confidence=confidence))


def _forms(model: CopyBaseline | MajoritySuffix, training: pd.DataFrame, gold: pd.DataFrame) -> list[str]:
    return list(model.fit(training).predict(gold))
