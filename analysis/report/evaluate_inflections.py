"""Score a system's inflected forms against gold forms from files: what ``evaluate inflections`` prints."""

from collections.abc import Sequence
from pathlib import Path

import pandas as pd

from analysis.corpora.unimorph import read_forms
from analysis.inflection import accuracy_table, aligned, classify_errors, error_counts
from analysis.statistics.intervals import wilson

ITEM = ("lemma", "form", "features")
COLUMNS = ["system", "by", "group", "value", "unit", "numerator", "denominator", "lower", "upper", "convention"]


def evaluate_inflections(
    gold: str | Path,
    systems: Sequence[str | Path],
    *,
    training: str | Path | None = None,
    language: str | None = None,
    confidence: float = 0.95,
) -> pd.DataFrame:
    """Accuracy of each system's forms: over all items, by feature set, by what training had, and its error types.

    Parameters
    ----------
    gold : str or Path
        Lemma, form and features, tab-separated.
    systems : sequence of str or Path
        Lemma, predicted form and features for the same items, in any order.
    training : str or Path, optional
        Lemma, form and features of the training items; without it nothing is said by what was seen.
    language : {"Arabic", "English", "German"}, optional
        Class the wrong forms by the rules of this language (noun plurals, English past tense).
    confidence : float
        Of the Wilson intervals.

    Returns
    -------
    DataFrame
        ``system`` (file name), ``by`` (all, features, seen, errors), ``group``, ``value``, ``numerator``,
        ``denominator``, ``lower``, ``upper``, ``convention``. For errors the denominator is the wrong forms.

    Raises
    ------
    DataError
        If a file is missing or cannot be read; names file and line.
    ValueError
        If a system's items are not those of gold; names the system and the first row that differs.
    """
    reference = read_forms(gold, columns=ITEM).forms
    seen = None if training is None else read_forms(training, columns=ITEM).forms
    frames = []
    for path in systems:
        answers = read_forms(path, columns=("lemma", "predicted", "features")).forms
        try:
            scored = accuracy_table(reference, answers, seen, confidence=confidence)
        except ValueError as error:
            raise ValueError(f"{Path(path).name}: {error}") from None
        parts = [scored]
        if language is not None:
            parts.append(_errors(aligned(reference, answers), language, confidence))
        frames.append(pd.concat(parts, ignore_index=True).assign(system=Path(path).name))
    return pd.concat(frames, ignore_index=True)[COLUMNS]


def _errors(items: pd.DataFrame, language: str, confidence: float) -> pd.DataFrame:
    counts = error_counts(classify_errors(language, items["lemma"], items["form"], items["predicted"]))
    wrong = int(counts["errors"].sum())
    bounds = wilson(counts["errors"], [wrong] * len(counts), confidence=confidence)
    return pd.DataFrame(
        {
            "by": "errors",
            "group": counts["type"].astype("str"),
            "value": bounds["value"],
            "unit": "proportion",
            "numerator": counts["errors"],
            "denominator": wrong,
            "lower": bounds["lower"],
            "upper": bounds["upper"],
            "convention": "share of wrong forms, classed by rule; exact match in NFC; Wilson interval, "
            f"{confidence:.0%}",
        }
    )
