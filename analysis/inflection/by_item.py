"""Which items a system inflects rightly, one by one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from analysis.inflection.accuracy import texts_of
from analysis.statistics.scored import Measure, ScoredRatios
from analysis.structures import check_columns
from analysis.structures.columns import Columns
from analysis.structures.digests import gold_digest
from analysis.structures.lazy import pd


def scored_items(
    items: pd.DataFrame | Columns,
    choices: Mapping[str, object] | None = None,
    *,
    groups: Sequence[tuple[str, str, np.ndarray]] = (),
    errors: Mapping[str, np.ndarray] | None = None,
) -> ScoredRatios:
    """Counts of each item, for intervals and for comparing systems.

    Parameters
    ----------
    items : DataFrame or Columns
        What `aligned` gave: ``lemma``, ``form``, ``features`` if there are any, ``correct``.
    choices : mapping, optional
        What the numbers depend on, for the signature.
    groups : sequence of (str, str, ndarray of bool)
        Groups of items, as `item_groups` gives them; that of all items is there in any case.
    errors : mapping of str to ndarray of bool, optional
        Which items have each type of error, a share of the wrong ones.

    Returns
    -------
    ScoredRatios
        The measure ``accuracy``, and such as ``features: V;PST`` and ``errors: irreg``: Wilson's interval, and
        McNemar's test between two systems.

    Examples
    --------
    >>> from analysis.inflection import aligned
    >>> gold = pd.DataFrame({"lemma": ["fly", "walk"], "form": ["flew", "walked"]})
    >>> found = scored_items(aligned(gold, gold.assign(form=["flied", "walked"])))
    >>> found.values().tolist(), found.resampled
    ([[0.5]], 'item')
    """
    check_columns(items, ["lemma", "form", "correct"], "items")
    right = np.asarray(items["correct"], dtype=bool)
    columns = [texts_of(items[name]) for name in ("lemma", "features", "form") if name in items.columns]
    shares = [("accuracy", right, np.ones_like(right))]
    own: dict[str, Mapping[str, object]] = {}
    for by, group, chosen in groups:
        if by != "all":
            shares.append((f"{by}: {group}", right & chosen, chosen))
            own[f"{by}: {group}"] = {"by": by, "group": group}
    for kind, chosen in (errors or {}).items():
        shares.append((f"errors: {kind}", chosen, ~right))
        own[f"errors: {kind}"] = {"by": "errors", "group": kind}
    said: dict[str, object] = {"match": "exact, NFC"}
    return ScoredRatios(
        "inflections",
        tuple(Measure(name, method="wilson") for name, _, _ in shares),
        np.column_stack([above for _, above, _ in shares]).astype(np.int64),
        np.column_stack([below for _, _, below in shares]).astype(np.int64),
        "item",
        gold_digest(*columns),
        {**(choices or {}), **said},
        own,
    )
