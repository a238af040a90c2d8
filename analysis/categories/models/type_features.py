"""Features of word types: words to the left and right of their tokens, suffixes, and tables given by the caller."""

from collections import Counter
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from analysis.structures.labels import value_codes

#: Kinds extracted from the text.
OWN_KINDS = ("left", "right", "suffix")
BOUNDARY, OTHER = "(boundary)", "(other)"


class Choices(NamedTuple):
    """Which features are used; see `MultinomialMixture`."""

    kinds: tuple[str, ...]
    n_context_words: int | None
    boundaries: str
    suffix_lengths: tuple[int, ...]
    suffix_min_types: int
    rest: str


class Features(NamedTuple):
    """Counts of feature values of each type, by kind.

    Attributes
    ----------
    bounds : ndarray of int64, shape (n_types * n_kinds + 1,)
        Entries of type w and kind m are those from ``bounds[w * n_kinds + m]`` to the next bound.
    values : ndarray of int64, shape (n_entries,)
        Code of the value, which also determines the kind.
    amounts : ndarray of int64, shape (n_entries,)
        How often the type has the value, at least 1.
    """

    bounds: np.ndarray
    values: np.ndarray
    amounts: np.ndarray


class Draws(NamedTuple):
    """Values of one kind by type, with names and counts; a pair may occur more than once."""

    types: np.ndarray
    names: np.ndarray
    amounts: np.ndarray


NO_DRAWS = Draws(np.empty(0, np.int64), np.empty(0, dtype=object), np.empty(0, np.int64))


def own_draws(
    kind: str, choices: Choices, codes: np.ndarray, starts: np.ndarray, forms: pd.Index, vocabulary: pd.Index,
    known: np.ndarray, suffixes: frozenset[str],
) -> Draws:  # fmt: skip
    """Extract the values of one of the three kinds from the text.

    Parameters
    ----------
    kind : {"left", "right", "suffix"}
    choices : Choices
    codes : ndarray of int64, shape (n_tokens,)
        Index of each token's word in `forms`.
    starts : ndarray of bool, shape (n_tokens,)
        Whether a token is the first of its sentence.
    forms : Index
        Types of this text.
    vocabulary : Index
        Types of the training text, in descending order of frequency.
    known : ndarray of int64, shape (n_forms,)
        Index of each form in `vocabulary`, -1 if missing.
    suffixes : frozenset of str
        Suffixes that are values, from `frequent_suffixes`.
    """
    if kind == "suffix":
        return suffix_draws(forms, choices.suffix_lengths, suffixes, choices.rest)
    n_words = len(vocabulary) if choices.n_context_words is None else min(choices.n_context_words, len(vocabulary))
    words = known[codes]
    neighbour = neighbour_numbers(np.where(words < 0, n_words, np.minimum(words, n_words)), starts, kind, n_words + 1)
    kept = np.ones(len(codes), dtype=bool)
    if choices.boundaries == "separate":
        kept &= neighbour != n_words + 1
    if choices.rest == "left out":
        kept &= neighbour != n_words
    words_named = [repr(word) if word in (OTHER, BOUNDARY) else str(word) for word in vocabulary[:n_words]]
    names = np.array([*words_named, OTHER, BOUNDARY], dtype=object)
    pairs, amounts = np.unique(codes[kept] * (n_words + 2) + neighbour[kept], return_counts=True)
    return Draws(pairs // (n_words + 2), names[pairs % (n_words + 2)], amounts)


def neighbour_numbers(numbers: np.ndarray, starts: np.ndarray, side: str, boundary: int) -> np.ndarray:
    """Return the code of the left or right neighbour of each token, `boundary` at the edge of a sentence.

    Examples
    --------
    >>> numbers, starts = np.array([4, 5, 6]), np.array([True, False, True])
    >>> neighbour_numbers(numbers, starts, "left", 9).tolist(), neighbour_numbers(numbers, starts, "right", 9).tolist()
    ([9, 4, 9], [5, 9, 9])
    """
    if side == "left":
        return np.where(starts, boundary, np.roll(numbers, 1))
    return np.where(np.append(starts[1:], True), boundary, np.roll(numbers, -1))


def frequent_suffixes(forms: Sequence[Any], lengths: Sequence[int], min_types: int) -> frozenset[str]:
    """Find suffixes of given lengths that at least `min_types` types have; a type is longer than its suffix.

    Examples
    --------
    >>> sorted(frequent_suffixes(["walks", "talks", "s", "talked"], [1, 2], 2))
    ['ks', 's']
    """
    found = Counter(str(form)[-length:] for form in forms for length in lengths if len(str(form)) > length)
    return frozenset(suffix for suffix, types in found.items() if types >= min_types)


def suffix_draws(forms: pd.Index, lengths: Sequence[int], suffixes: frozenset[str], rest: str) -> Draws:
    """Extract the suffix of each length, once per type; without a frequent one, ``(other)`` of that length or nothing.

    Examples
    --------
    >>> suffix_draws(pd.Index(["walks", "talked"]), [1, 2], frozenset(["s"]), "together").names.tolist()
    ['-s', '(other) 2', '(other) 1', '(other) 2']
    """
    types, names = [], []
    for i, form in enumerate(forms.astype("str")):
        for length in lengths:
            if len(form) > length and form[-length:] in suffixes:
                names.append("-" + form[-length:])
            elif rest == "together":
                names.append(f"{OTHER} {length}")
            else:
                continue
            types.append(i)
    return Draws(np.array(types, np.int64), np.array(names, dtype=object), np.ones(len(types), np.int64))


def given_draws(extra: pd.DataFrame | None, forms: pd.Index, *, strict: bool = True) -> dict[str, Draws]:
    """Read features from a table given by the caller, by kind.

    Parameters
    ----------
    extra : DataFrame, optional
        ``kind``, ``form``, ``value`` and ``count`` (integers of at least 1).
    forms : Index
        Types of the text.
    strict : bool
        Whether forms that do not occur in the text raise an error; otherwise they are left out.

    Raises
    ------
    ValueError
        If a column is missing or has a missing value, a count is not an integer of at least 1, a kind has the name of
        one extracted from the text, or a form is not in the text.
    """
    if extra is None:
        return {}
    lacking = [name for name in ("kind", "form", "value", "count") if name not in extra.columns]
    if lacking:
        raise ValueError(f"extra lacks the column {lacking[0]!r}; it needs kind, form, value and count.")
    if extra[["kind", "form", "value", "count"]].isna().to_numpy().any():
        raise ValueError("extra has a missing value; kind, form, value and count are required.")
    count = pd.to_numeric(extra["count"], errors="coerce").to_numpy(np.float64)
    wrong = np.flatnonzero(~((count >= 1) & (count == np.floor(count))))
    if len(wrong):
        raise ValueError(f"extra has the count {extra['count'].iloc[wrong[0]]!r}; give whole numbers from 1.")
    types = pd.Index(forms.tolist()).get_indexer(pd.Index(extra["form"].tolist()))
    if strict and (types < 0).any():
        raise ValueError(f"extra has the form {extra['form'].iloc[int(np.argmin(types))]!r}, which the text lacks.")
    kinds = extra["kind"].astype("str").to_numpy(dtype=object)
    names = extra["value"].astype("str").to_numpy(dtype=object)
    found = {}
    for kind in dict.fromkeys(kinds):
        if kind in OWN_KINDS:
            raise ValueError(f"extra has the kind {kind!r}, which is extracted from the text; give it another name.")
        rows = (kinds == kind) & (types >= 0)
        found[kind] = Draws(types[rows].astype(np.int64), names[rows], count[rows].astype(np.int64))
    return found


def value_table(draws: dict[str, Draws]) -> pd.DataFrame:
    """List every value of every kind: ``kind``, ``value``, ``count``; kinds in order, values by first appearance."""
    parts = []
    for kind, found in draws.items():
        codes, names = value_codes(pd.Series(found.names, dtype=object))
        counts = np.bincount(codes, found.amounts, minlength=len(names)).astype(np.int64)
        parts.append(pd.DataFrame({"kind": kind, "value": list(names), "count": counts}))
    return pd.concat(parts, ignore_index=True)


def gather(draws: dict[str, Draws], values: pd.DataFrame, n_types: int) -> Features:
    """Collect the counts of all kinds in one set of arrays; values that are not in the table of values are left out.

    Examples
    --------
    >>> draws = {"suffix": Draws(np.array([1, 1, 0]), np.array(["-s", "-s", "-d"], object), np.array([1, 2, 1]))}
    >>> found = gather(draws, value_table(draws), 2)
    >>> found.bounds.tolist(), found.values.tolist(), found.amounts.tolist()
    ([0, 1, 2], [1, 0], [1, 3])
    """
    n_kinds, n_values = len(draws), len(values)
    keys, amounts = [np.empty(0, np.int64)], [np.empty(0, np.int64)]
    for m, (kind, found) in enumerate(draws.items()):
        of_kind = values.index[values["kind"] == kind].to_numpy()
        place = pd.Index(values["value"].to_numpy(dtype=object)[of_kind]).get_indexer(pd.Index(found.names))
        kept = place >= 0
        keys.append((found.types[kept] * n_kinds + m) * n_values + of_kind[place[kept]])
        amounts.append(found.amounts[kept])
    cells, inverse = np.unique(np.concatenate(keys), return_inverse=True)
    summed = np.bincount(inverse, np.concatenate(amounts), minlength=len(cells)).astype(np.int64)
    bounds = np.searchsorted(cells, np.arange(n_types * n_kinds + 1) * max(n_values, 1)).astype(np.int64)
    return Features(bounds, cells % max(n_values, 1), summed)
