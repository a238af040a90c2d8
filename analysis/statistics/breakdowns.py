"""Counts and ratios of correct units by group: bands of numbers, sentence lengths, labels; and the costliest units."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from analysis.structures import check_columns
from analysis.structures.lazy import pd

#: Largest frequency of each band except the last, which has no limit.
FREQUENCIES = (1, 5, 20, 100)

#: Largest number of words of each band of sentence lengths except the last.
LENGTHS = (5, 10, 20, 40)

#: Largest distance of a word from its head in each band except the last.
DISTANCES = (1, 2, 3, 5, 10)

#: Largest number of letters of each band of lemmas except the last.
LETTERS = (4, 6, 8, 12)

COLUMNS = ["by", "group", "measure", "value", "unit", "numerator", "denominator"]


def band_names(bands: Sequence[int], first: int = 1) -> list[str]:
    """Names of bands: the numbers in each.

    Parameters
    ----------
    bands : sequence of int
        Largest number of each band except the last, which has no limit.
    first : int
        Smallest number of the first band.

    Raises
    ------
    ValueError
        If the bands do not rise from `first`.

    Examples
    --------
    >>> band_names((1, 5)), band_names((0, 1), first=0)
    (['1', '2–5', '6+'], ['0', '1', '2+'])
    """
    if list(bands) != sorted(set(bands)) or not len(bands) or bands[0] < first:
        raise ValueError(f"bands must be rising numbers from {first}, not {list(bands)}.")
    lows = [first, *(bound + 1 for bound in bands)]
    names = [f"{low}–{high}" if low < high else f"{high}" for low, high in zip(lows, bands, strict=False)]
    return [*names, f"{lows[-1]}+"]


def in_bands(numbers: Any, bands: Sequence[int], first: int = 1) -> pd.Categorical:
    """The band of each number; missing numbers have none. All bands are categories, also those that are empty.

    Parameters
    ----------
    numbers : array-like of int, shape (n,)
    bands, first
        As in `band_names`.

    Raises
    ------
    ValueError
        If a number is below the first band.

    Examples
    --------
    >>> in_bands([1, 7, 3], (1, 5)).tolist()
    ['1', '6+', '2–5']
    """
    names = band_names(bands, first)
    values = pd.array(numbers, dtype="Int64")
    missing = np.asarray(values.isna())
    plain = values.fillna(first).to_numpy(dtype=np.int64)
    if (plain < first).any():
        raise ValueError(f"the first band begins at {first}, and there is {int(plain.min())}.")
    codes = np.where(missing, -1, np.searchsorted(np.asarray(bands), plain))
    return pd.Categorical.from_codes(codes, names, ordered=True)


def scores_of_groups(
    by: str, groups: Any, right: Mapping[str, Any], counted: Any = None, sizes: Mapping[str, Any] | None = None
) -> pd.DataFrame:
    """Count the correct units of each group, and divide.

    Parameters
    ----------
    by : str
        What the groups are.
    groups : array-like of shape (n_units,)
        Group of each unit, in the order of its categories, or else by size; units with a missing one are left out.
    right : mapping of str to array-like of bool
        For each measure whether each unit is correct.
    counted : array-like of bool, optional
        Units that are scored; by default all.
    sizes : mapping of str to array-like, optional
        Further labels of units, such as word types or sentences, whose distinct ones are counted in each group.

    Returns
    -------
    DataFrame
        ``by``, ``group``, ``measure``, ``value`` (proportion), ``unit``, ``numerator``, ``denominator``, then a column
        for each of `sizes`. A group without a unit has counts of 0 and the value ``<NA>``.

    Raises
    ------
    ValueError
        If the lengths differ.

    Examples
    --------
    >>> bands = in_bands([1, 1, 3], (1, 2))
    >>> scores_of_groups("frequency", bands, {"accuracy": [True, False, True]})[["group", "value"]].values.tolist()
    [['1', 0.5], ['2', <NA>], ['3+', 1.0]]
    """
    series = pd.Series(groups)
    known = series.notna().to_numpy()
    if counted is not None:
        known = known & np.asarray(counted, dtype=bool)
    for name, values in {**right, **(sizes or {})}.items():
        if len(values) != len(series):
            raise ValueError(f"there are {len(series):,} groups, and {len(values):,} units of {name!r}.")
    if isinstance(series.dtype, pd.CategoricalDtype):
        names, codes = list(series.cat.categories), series.cat.codes.to_numpy(dtype=np.int64)
    else:
        texts = series.astype("str")
        names = sorted(texts[known].unique(), key=lambda name: (-int((texts[known] == name).sum()), name))
        codes = pd.Index(names).get_indexer(texts.to_numpy(dtype=object)).astype(np.int64)
    totals = np.bincount(codes[known], minlength=len(names))
    further = {
        name: _distinct(codes[known], pd.Series(labels)[known], len(names)) for name, labels in (sizes or {}).items()
    }
    rows = []
    hits = {
        name: np.bincount(codes[known & np.asarray(own, dtype=bool)], minlength=len(names))
        for name, own in right.items()
    }
    for place, name in enumerate(names):
        numbers = [int(own[place]) for own in further.values()]
        for measure in right:
            above, below = int(hits[measure][place]), int(totals[place])
            rows.append((by, str(name), measure, "proportion", above, below, *numbers))
    table = pd.DataFrame(rows, columns=["by", "group", "measure", "unit", "numerator", "denominator", *further])
    return with_values(table)


def with_values(table: pd.DataFrame) -> pd.DataFrame:
    """A table of counts with their ratio, undefined where the denominator is 0.

    Examples
    --------
    >>> with_values(pd.DataFrame({"numerator": [1, 0], "denominator": [2, 0]}))["value"].tolist()
    [0.5, <NA>]
    """
    below = table["denominator"].astype("Float64")
    value = (table["numerator"].astype("Float64") / below.where(below > 0)).astype("Float64")
    result = table.assign(value=value).astype({"numerator": "Int64", "denominator": "Int64"})
    first = [name for name in COLUMNS if name in result.columns]
    return result[[*first, *(name for name in result.columns if name not in first)]]


def _distinct(codes: np.ndarray, labels: pd.Series, n: int) -> np.ndarray:
    pairs = pd.DataFrame({"code": codes, "label": pd.factorize(labels)[0]}).drop_duplicates()
    return np.bincount(pairs["code"], minlength=n)


def seen_before(items: pd.Series, training: Any) -> pd.Categorical:
    """Whether each item occurs in training: ``seen`` or ``unseen``.

    Parameters
    ----------
    items, training : Series or array-like
        Words as they are spelled.

    Examples
    --------
    >>> seen_before(pd.Series(["a", "b"]), ["b"]).tolist()
    ['unseen', 'seen']
    """
    known = items.astype("str").isin(set(pd.Series(training).astype("str")))
    return pd.Categorical(np.where(known, "seen", "unseen"), ["seen", "unseen"])


def frequency_of(forms: pd.Series, training: pd.Series | None = None) -> np.ndarray:
    """How often the word type of each token occurs in the text, or in a training text.

    Examples
    --------
    >>> frequency_of(pd.Series(list("aab"))).tolist(), frequency_of(pd.Series(["a"]), pd.Series(["b"])).tolist()
    ([2, 2, 1], [0])
    """
    counts = (forms if training is None else training).astype("str").value_counts()
    return counts.reindex(forms.astype("str")).fillna(0).to_numpy(dtype=np.int64)


def costliest(items: pd.DataFrame, keys: Sequence[str], right: Any, most: int = 100) -> pd.DataFrame:
    """The groups of items that cost most: those with most errors, equal ones by name.

    Parameters
    ----------
    items : DataFrame
        One row per scored item.
    keys : sequence of str
        Columns that make a group, such as the word, or gold label and answer.
    right : array-like of bool
        Whether each item is correct.
    most : int
        Number of groups that are listed.

    Returns
    -------
    DataFrame
        The keys, ``wrong``, ``n`` (items), ``share`` (of all errors), ``cumulative`` (of this group and those above).
        Groups without an error are left out.

    Raises
    ------
    ValueError
        If a column is missing, or `most` is below 1.

    Examples
    --------
    >>> words = pd.DataFrame({"form": list("aabc")})
    >>> costliest(words, ["form"], [False, False, False, True])[["form", "wrong", "n", "cumulative"]].values.tolist()
    [['a', 2, 2, 0.6666666666666666], ['b', 1, 1, 1.0]]
    """
    check_columns(items, keys, "items")
    if most < 1:
        raise ValueError(f"most must be at least 1, not {most!r}.")
    wrong = ~np.asarray(right, dtype=bool)
    table = items[list(keys)].astype("str").assign(wrong=wrong.astype(np.int64), n=1)
    sums = table.groupby(list(keys), sort=True, observed=True)[["wrong", "n"]].sum().reset_index()
    sums = sums[sums["wrong"] > 0].sort_values(["wrong", *keys], ascending=[False, *[True] * len(keys)])
    total = int(wrong.sum())
    sums["share"] = sums["wrong"] / max(total, 1)
    sums["cumulative"] = sums["wrong"].cumsum() / max(total, 1)
    return sums.head(most).reset_index(drop=True)
