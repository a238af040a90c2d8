"""Ceiling and floor that stand beside the lexical categories of a CCG parser."""

from collections.abc import Mapping

import numpy as np
import pandas as pd

from analysis.statistics.references import fixed_rows, references_table
from analysis.statistics.scored import Measure, ScoredRatios
from analysis.statistics.sentence_counts import DROPPED, Evaluation, per_sentence


def reference_scores(
    categories: Evaluation, *, resamples: int = 1000, confidence: float = 0.95, random_state: int = 0
) -> pd.DataFrame:
    """Score taggers that know no context on lexical categories.

    - ``one category per type``: every word has its most frequent gold category; no tagger that gives a word one
      category is more often right.
    - ``most frequent category``: every word has the same.

    Of brackets and dependencies there is no such score: a derivation of these categories need not exist.

    Parameters
    ----------
    categories : Evaluation
        Of lexical categories, the first of `analysis.ccg.evaluate`; the words that are scored are its.
    resamples, confidence, random_state
        Of the intervals.

    Returns
    -------
    DataFrame
        The columns of `analysis.statistics.differences.SystemScore`.

    Examples
    --------
    >>> from analysis.ccg import evaluate, worked_example
    >>> table = reference_scores(evaluate(*worked_example())[0], resamples=10)
    >>> table[["system", "value"]].round(3).values.tolist()
    [['one category per type', 1.0], ['most frequent category', 0.167]]
    """
    words, sentences = categories.items, categories.sentences
    gold, forms = (words[name].astype("str") for name in ("category", "form"))
    best = gold.groupby(forms).agg(lambda own: own.mode().iloc[0])
    guesses: Mapping[str, tuple[object, str]] = {
        "one category per type": (forms.map(best), "ceiling of taggers with one category per word type"),
        "most frequent category": (gold.mode().iloc[0], "floor"),
    }
    kept = (sentences["status"] != DROPPED).to_numpy()
    unit, n = pd.Index(sentences["sentence"]).get_indexer(words["sentence"]), len(sentences)
    measure = Measure("lexical categories: accuracy")
    total = np.where(kept, per_sentence(unit, n), 0)[:, None]
    fixed = {}
    for name, (guess, note) in guesses.items():
        right = np.where(kept, per_sentence(unit, n, (gold == guess).to_numpy()), 0)[:, None]
        fixed[name] = (ScoredRatios("ccg", (measure,), right, total), note)
    rows = fixed_rows(fixed, resamples=resamples, confidence=confidence, random_state=random_state)
    return references_table(rows)
