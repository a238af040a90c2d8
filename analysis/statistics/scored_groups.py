"""Scores of groups of items, such as the words of each tag, as functions of the units that are drawn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from analysis.statistics.scored import Measure, ScoredRatios
from analysis.structures.lazy import pd

#: What scores can be divided by, in each subject.
BY = {
    "tags": ("tag", "cluster", "frequency", "sentence length", "seen"),
    "types": ("frequency",),
    "trees": ("relation", "tag", "distance", "length", "frequency", "sentence length", "seen"),
    "ccg": ("relation", "sentence length"),
    "brackets": ("relation", "sentence length"),
    "inflections": ("features", "frequency", "letters", "seen"),
}


class Items(NamedTuple):
    """The items that one measure is a share of.

    Attributes
    ----------
    measure : str
    group : array-like
        Group of each item; one with a missing group is left out.
    unit : ndarray of int
        Unit, such as the sentence, of each item, from 0.
    right : ndarray of bool
    """

    measure: str
    group: Any
    unit: np.ndarray
    right: np.ndarray


def scored_groups(
    task: str,
    by: str,
    items: Sequence[Items],
    n: int,
    *,
    resampled: str = "sentence",
    data: str = "",
    choices: Mapping[str, object] | None = None,
    method: str = "percentile",
) -> ScoredRatios:
    """Count the items of each group in each unit, and those that are right.

    Parameters
    ----------
    task : str
        As in `analysis.statistics.scored.Scored`.
    by : str
        What the groups are.
    items : sequence of Items
        Groups come in the order of their categories, or else by size, the largest first; then a measure without an
        item in a group is left out.
    n : int
        Number of units.
    resampled, data, choices
        As in `ScoredRatios`.
    method : str
        Of the intervals, one of `analysis.statistics.scored.METHODS`.

    Returns
    -------
    ScoredRatios
        Measures such as ``accuracy: N``.

    Examples
    --------
    >>> words = Items("accuracy", ["N", "V", "N"], np.array([0, 0, 1]), np.array([True, False, False]))
    >>> found = scored_groups("tags", "tag", [words], 2)
    >>> [measure.name for measure in found.measures], found.values().tolist()
    (['accuracy: N', 'accuracy: V'], [[0.5, 0.0]])
    """
    names = group_names([each.group for each in items])
    banded = any(isinstance(pd.Series(each.group).dtype, pd.CategoricalDtype) for each in items)
    columns: list[tuple[str, Mapping[str, object], np.ndarray, np.ndarray]] = []
    counted = []
    for each in items:
        codes = pd.Index(names, dtype="str").get_indexer(pd.Series(each.group).astype("str"))
        known = (codes >= 0) & pd.Series(each.group).notna().to_numpy()
        cell = np.asarray(each.unit)[known] * len(names) + codes[known]
        right = np.asarray(each.right, dtype=bool)[known]
        size = n * len(names)
        counted.append([np.bincount(own, minlength=size).reshape(n, -1) for own in (cell[right], cell)])
    for place, name in enumerate(names):
        for each, (above, below) in zip(items, counted, strict=True):
            own = {"by": by, "group": name}
            if not (below[:, place].any() or banded):
                continue
            columns.append((f"{each.measure}: {name}", own, above[:, place], below[:, place]))
    empty = np.zeros((n, 0), dtype=np.int64)
    return ScoredRatios(
        task,
        tuple(Measure(name, method=method) for name, *_ in columns),
        np.column_stack([above for *_, above, _ in columns]) if columns else empty,
        np.column_stack([below for *_, below in columns]) if columns else empty,
        resampled,
        data,
        dict(choices or {}),
        {name: own for name, own, *_ in columns},
    )


def divided_by_unit(scored: ScoredRatios, by: str, groups: Any) -> ScoredRatios:
    """Divide every measure by a group of whole units, such as sentences of some length.

    Parameters
    ----------
    scored : ScoredRatios
    by : str
    groups : Categorical or array-like of shape (n_units,)

    Examples
    --------
    >>> one = ScoredRatios("trees", (Measure("UAS"),), np.array([[1], [3]]), np.array([[2], [4]]))
    >>> found = divided_by_unit(one, "sentence length", ["1–5", "6+"])
    >>> dict(zip([measure.name for measure in found.measures], found.values()[0].tolist()))
    {'UAS: 1–5': 0.5, 'UAS: 6+': 0.75}
    """
    names = group_names([groups])
    chosen = np.asarray(pd.Series(groups).astype("str"), dtype=object)[:, None] == np.array(names, dtype=object)
    parts = [(place, group, name) for group, name in enumerate(names) for place in range(len(scored.measures))]

    def columns(counts: np.ndarray) -> np.ndarray:
        return np.column_stack([np.where(chosen[:, group], counts[:, place], 0) for place, group, _ in parts])

    measures, own = [], {}
    for place, _, name in parts:
        measure = scored.measures[place]
        measures.append(measure._replace(name=f"{measure.name}: {name}"))
        own[measures[-1].name] = {**scored.own_choices.get(measure.name, {}), "by": by, "group": name}
    return ScoredRatios(
        scored.task, tuple(measures), columns(scored.numerators), columns(scored.denominators), scored.resampled,
        scored.data, scored.choices, own,
    )  # fmt: skip


def group_names(groups: Sequence[Any]) -> list[str]:
    """Every group of several arrays, in the order of the categories, or else by size.

    Examples
    --------
    >>> group_names([["N", "V", "V"], ["D"]])
    ['V', 'D', 'N']
    """
    sizes: dict[str, int] = {}
    for each in groups:
        series = pd.Series(each)
        if isinstance(series.dtype, pd.CategoricalDtype):
            return [str(name) for name in series.cat.categories]
        for name, count in series[series.notna()].astype("str").value_counts().items():
            sizes[str(name)] = sizes.get(str(name), 0) + int(count)
    return sorted(sizes, key=lambda name: (-sizes[name], name))
