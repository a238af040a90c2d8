"""Which items a system inflects rightly, one by one."""

from collections.abc import Mapping

import numpy as np
import pandas as pd

from analysis.statistics.scored import Measure, ScoredRatios
from analysis.structures import check_columns
from analysis.structures.digests import gold_digest


def scored_items(items: pd.DataFrame, choices: Mapping[str, object] | None = None) -> ScoredRatios:
    """Counts of each item, for intervals and for comparing systems.

    Parameters
    ----------
    items : DataFrame
        What `aligned` gave: ``lemma``, ``form``, ``features`` if there are any, ``correct``.
    choices : mapping, optional
        What the numbers depend on, for the signature.

    Returns
    -------
    ScoredRatios
        One measure, ``accuracy``: Wilson's interval, and McNemar's test between two systems.

    Examples
    --------
    >>> from analysis.inflection import aligned
    >>> gold = pd.DataFrame({"lemma": ["fly", "walk"], "form": ["flew", "walked"]})
    >>> found = scored_items(aligned(gold, gold.assign(form=["flied", "walked"])))
    >>> found.values().tolist(), found.resampled
    ([[0.5]], 'item')
    """
    check_columns(items, ["lemma", "form", "correct"], "items")
    right = items["correct"].to_numpy(dtype=np.int64)[:, None]
    columns = [items[name].astype("str") for name in ("lemma", "features", "form") if name in items.columns]
    said: dict[str, object] = {"match": "exact, NFC"}
    return ScoredRatios(
        "inflections", (Measure("accuracy", method="wilson"),), right, np.ones_like(right), "item",
        gold_digest(*columns), {**(choices or {}), **said},
    )  # fmt: skip
