"""Floors that stand beside the scores of predicted trees: branching, and random trees."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from analysis.dependencies.attachment import attachment_scores
from analysis.dependencies.by_sentence import scored_trees
from analysis.dependencies.models.baselines import left_branching, random_trees, right_branching
from analysis.statistics.references import fixed_rows, random_rows, references_table


def reference_scores(
    gold: pd.DataFrame,
    measures: Sequence[str] | None = None,
    *,
    runs: int = 20,
    resamples: int = 1000,
    confidence: float = 0.95,
    random_state: int = 0,
    conventions: Mapping[str, Any] | None = None,
) -> pd.DataFrame:
    """Score left branching, right branching and random projective trees against a gold standard.

    Parameters
    ----------
    gold : DataFrame
        Tokens table with ``sentence``, ``form``, ``head``.
    measures : sequence of str, optional
        Of ``directed``, ``undirected``, ``NED``; by default all.
    runs : int
        Number of random trees of each sentence.
    resamples, confidence : int and float
        Of the intervals. That of random trees holds this share of the runs.
    random_state : int
    conventions : mapping, optional
        Options of `attachment_scores`, such as ``punctuation``; the trees are built over all words.

    Returns
    -------
    DataFrame
        The columns of `analysis.statistics.differences.SystemScore`.

    Raises
    ------
    ValueError
        If a column is missing, or a number is out of range.

    References
    ----------
    Gelling et al. (2012), where left and right branching are the baselines LB and RB.

    Examples
    --------
    >>> gold = pd.DataFrame({"sentence": 0, "form": ["the", "duck", "swims"], "head": [2, 3, 0]})
    >>> table = reference_scores(gold, ["directed"], runs=3, resamples=10)
    >>> table["system"].tolist()
    ['left branching', 'right branching', 'random trees']
    >>> table["value"].tolist()[:2]
    [1.0, 0.0]
    """
    if runs < 1:
        raise ValueError(f"runs must be at least 1, not {runs!r}.")
    options = dict(conventions or {})

    def scored(heads: pd.Series) -> Any:
        return scored_trees(attachment_scores(gold, heads, **options))

    fixed = {"left branching": (scored(left_branching(gold)), "floor"),
             "right branching": (scored(right_branching(gold)), "floor")}  # fmt: skip
    rows = fixed_rows(fixed, measures, resamples=resamples, confidence=confidence, random_state=random_state)
    seeds = np.random.default_rng(random_state).spawn(runs)
    drawn = (scored(random_trees(gold, generator)) for generator in seeds)
    rows += random_rows("random trees", "floor; projective, all equally probable", drawn, measures,
                        confidence=confidence)  # fmt: skip
    return references_table(rows)
