"""Features of word forms for maximum-entropy emissions: identity of frequent words, suffixes and shape."""

import unicodedata
from collections import Counter
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

BIAS, FREQUENT = "bias", "frequent"
_SHAPES = ("short", "capital", "hyphen", "underscore", "all capitals")
_LATIN = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZ")


class FeatureChoices(NamedTuple):
    """Which features words have; see `PosteriorRegularisedHMM`."""

    identity_above: int
    suffix_lengths: tuple[int, ...]
    suffix_above: tuple[int, ...]
    frequent_above: float
    short_below: int
    capitals: str


class Inventory(NamedTuple):
    """The features of a text: the column of each by its name, and the types that count as frequent."""

    columns: dict[str, int]
    frequent: frozenset[str]
    choices: FeatureChoices


def feature_inventory(forms: Sequence[Any], counts: np.ndarray, choices: FeatureChoices) -> Inventory:
    """Collect the features that the word types of a text have.

    Parameters
    ----------
    forms : sequence
        The word types.
    counts : ndarray of int, shape (n_types,)
        Tokens of each.
    choices : FeatureChoices

    Returns
    -------
    Inventory

    References
    ----------
    The feature files of the program of Graça et al. (2011).

    Examples
    --------
    >>> choices = FeatureChoices(1, (2,), (1,), 0.8, 4, "A-Z")
    >>> list(feature_inventory(["walking", "talking", "the"], np.array([1, 1, 4]), choices).columns)[:4]
    ['bias', 'word the', 'suffix 2 ng', 'frequent']
    """
    words = [str(form) for form in forms]
    names = [BIAS, *(f"word {word}" for word, n in zip(words, counts, strict=True) if n > choices.identity_above)]
    for length, least in zip(choices.suffix_lengths, choices.suffix_above, strict=True):
        types = Counter(word[-length:] for word in words if len(word) > length)
        names += [f"suffix {length} {suffix}" for suffix, n in types.items() if n > least]
    names += [FREQUENT, *_SHAPES]
    return Inventory({name: column for column, name in enumerate(names)},
                     _frequent(words, counts, choices.frequent_above), choices)  # fmt: skip


def _frequent(words: list[str], counts: np.ndarray, above: float) -> frozenset[str]:
    """The types that lie, from rare to frequent, above a share of the tokens.

    Examples
    --------
    >>> sorted(_frequent(["a", "b", "c"], np.array([5, 1, 4]), 0.5))
    ['a']
    """
    order = np.argsort(counts, kind="stable")
    share = np.cumsum(counts[order]) / max(int(counts.sum()), 1)
    return frozenset(words[place] for place in order[share > above])


def word_features(word: str, inventory: Inventory) -> list[int]:
    """The columns of the features that a word has; a word of another text has no identity.

    Examples
    --------
    >>> choices = FeatureChoices(0, (2,), (1,), 0.8, 4, "A-Z")
    >>> inventory = feature_inventory(["walking", "talking", "a"], np.array([1, 1, 1]), choices)
    >>> names = list(inventory.columns)
    >>> [names[column] for column in word_features("X-ing", inventory)]
    ['bias', 'suffix 2 ng', 'capital', 'hyphen']
    """
    choices = inventory.choices
    names = [BIAS, f"word {word}"]
    names += [f"suffix {length} {word[-length:]}" for length in choices.suffix_lengths if len(word) > length]
    upper = str.isupper if choices.capitals == "unicode" else _LATIN.__contains__
    shapes = (
        len(word) < choices.short_below and not all(map(_digit_or_mark, word)),
        bool(word) and upper(word[0]),
        "-" in word,
        "_" in word,
        bool(word) and all(map(upper, word)),
    )
    names += [FREQUENT] if word in inventory.frequent else []
    names += [name for name, has in zip(_SHAPES, shapes, strict=True) if has]
    return [inventory.columns[name] for name in names if name in inventory.columns]


def _digit_or_mark(letter: str) -> bool:
    """Whether a character is a digit, a punctuation mark or a symbol."""
    return unicodedata.category(letter)[0] in "PS" or letter.isdigit()


def feature_matrix(forms: Sequence[Any], inventory: Inventory) -> Any:
    """The features of words as a sparse matrix of 0 and 1.

    Parameters
    ----------
    forms : sequence
    inventory : Inventory

    Returns
    -------
    scipy.sparse.csr_array of float64, shape (n_forms, n_features)

    Examples
    --------
    >>> inventory = feature_inventory(["a", "b"], np.array([1, 9]), FeatureChoices(5, (), (), 0.8, 4, "A-Z"))
    >>> feature_matrix(["a", "b"], inventory).sum(axis=1).tolist()
    [2.0, 4.0]
    """
    from scipy.sparse import csr_array

    rows = [word_features(str(form), inventory) for form in forms]
    columns = np.array([column for row in rows for column in row], dtype=np.int64)
    starts = np.r_[0, np.cumsum([len(row) for row in rows], dtype=np.int64)]
    return csr_array((np.ones(len(columns)), columns, starts), shape=(len(rows), len(inventory.columns)))
