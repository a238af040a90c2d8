"""Definitions of punctuation, which differ between treebanks and papers."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import numpy as np

from analysis.structures.columns import Coded, Columns
from analysis.structures.labels import value_codes
from analysis.structures.lazy import pd

#: Universal tags of punctuation in Universal Dependencies, and in Petrov, Das & McDonald (2011).
UNIVERSAL_PUNCTUATION = frozenset({"PUNCT", "."})

#: Tags of the Penn Treebank that Petrov, Das & McDonald (2011) map to ".", including currency signs.
PENN_PUNCTUATION = frozenset({"#", "$", "''", ",", "-LRB-", "-RRB-", ".", ":", "``"})

_PENN_TAGS = frozenset({"DT", "IN", "JJ", "NN", "NNS", "PRP", "RB", "VB", "VBD", "VBZ"})

Rule = Any  # None, "form", a column's name, a mapping from a column to tags, or one boolean per token


class Punctuation(NamedTuple):
    """Mask of punctuation tokens, and the rule used.

    Attributes
    ----------
    mask : ndarray of bool, shape (n_tokens,)
    rule : str
        Description of the rule, for the conventions of a score.
    """

    mask: np.ndarray
    rule: str


def find_punctuation(tokens: pd.DataFrame | Columns, rule: Rule = None) -> Punctuation:
    """Find the punctuation tokens.

    Parameters
    ----------
    tokens : DataFrame or Columns
        Tokens table.
    rule : optional
        - ``None``: the first that applies of: the column ``punctuation``; universal tag ``PUNCT`` or ``.``;
          if the column ``fine`` has tags of the Penn Treebank, its nine tags ``# $ '' , -LRB- -RRB- . :`` and the
          opening quotes (those that the universal tag set calls punctuation); ``"form"``.
        - ``"form"``: every character of the word is punctuation in Unicode (categories P…).
        - another string: the name of a column of booleans.
        - a mapping such as ``{"coarse": ["PUNT"]}``: tokens with one of these tags in that column.
        - an array of booleans, one per token.

    Returns
    -------
    Punctuation
        The mask, and a description of the rule.

    Raises
    ------
    ValueError
        If the column is missing, does not hold booleans, or the array has a different length.

    Examples
    --------
    >>> tokens = pd.DataFrame({"form": ["Look", "!"], "universal": ["VERB", "PUNCT"]})
    >>> mask, rule = find_punctuation(tokens)
    >>> mask.tolist(), rule
    ([False, True], 'universal in . PUNCT')
    >>> find_punctuation(tokens, "form").mask.tolist()
    [False, True]
    """
    if rule is None:
        rule = _default_rule(tokens)
    if isinstance(rule, str) and rule == "form":
        return Punctuation(_by_value(_column(tokens, "form"), _is_mark), "form is of Unicode punctuation")
    if isinstance(rule, str):
        return Punctuation(_booleans(_column(tokens, rule), len(tokens), f"column {rule!r}"), f"column {rule}")
    if isinstance(rule, Mapping):
        mask = np.zeros(len(tokens), dtype=bool)
        for column, tags in rule.items():
            if isinstance(tags, str) or not isinstance(tags, Iterable):
                raise ValueError(f"the punctuation tags of column {column!r} must be a list of tags, not {tags!r}.")
            mask |= _by_value(_column(tokens, column), frozenset(map(str, tags)).__contains__)
        words = " or ".join(f"{column} in {' '.join(sorted(map(str, tags)))}" for column, tags in rule.items())
        return Punctuation(mask, words)
    return Punctuation(_booleans(rule, len(tokens), "the punctuation array"), "given")


def sentences_without_punctuation(
    tokens: pd.DataFrame, *, shortest: int = 1, longest: int | None = None, first: int | None = None, rule: Rule = None
) -> pd.DataFrame:
    """Select the sentences without punctuation whose length is within bounds.

    Parameters
    ----------
    tokens : DataFrame
    shortest, longest : int
        Minimum and maximum number of words of a sentence; by default no maximum.
    first : int, optional
        Number of first sentences to keep; by default all.
    rule : optional
        Definition of punctuation; see `find_punctuation`.

    Returns
    -------
    DataFrame
        The rows of these sentences, in their order.

    Examples
    --------
    >>> tokens = pd.DataFrame({"sentence": [0, 0, 1, 1, 2], "form": ["Look", "!", "ducks", "swim", "yes"]})
    >>> sentences_without_punctuation(tokens, shortest=2)["form"].tolist()
    ['ducks', 'swim']
    """
    sentences = tokens["sentence"].to_numpy()
    marked = np.isin(sentences, sentences[find_punctuation(tokens, rule).mask])
    sizes = tokens.groupby("sentence")["sentence"].transform("size").to_numpy()
    kept = tokens[~marked & (sizes >= shortest) & (sizes <= (longest or len(tokens)))]
    return kept[kept["sentence"].isin(kept["sentence"].unique()[:first])].reset_index(drop=True)


def _default_rule(tokens: pd.DataFrame | Columns) -> Rule:
    if "punctuation" in tokens.columns:
        return "punctuation"
    if "universal" in tokens.columns:
        return {"universal": UNIVERSAL_PUNCTUATION}
    if "fine" in tokens.columns and not _PENN_TAGS.isdisjoint(_distinct(tokens["fine"])):
        return {"fine": PENN_PUNCTUATION}
    if "form" not in tokens.columns:
        raise ValueError(
            "punctuation cannot be found without a column punctuation, universal, fine or form: "
            "leave punctuation in (punctuation=True, keep_punctuation=True), or give a rule."
        )
    return "form"


def _column(tokens: pd.DataFrame | Columns, name: str) -> Any:
    if name not in tokens.columns:
        has = ", ".join(map(str, tokens.columns)) or "no column"
        raise ValueError(f"the rule for punctuation needs the column {name!r}; the table has {has}.")
    return tokens[name]


def _distinct(column: pd.Series | Coded) -> frozenset[str]:
    if isinstance(column, Coded):
        return frozenset(column.values)
    values = column.cat.categories if isinstance(column.dtype, pd.CategoricalDtype) else column.unique()
    return frozenset(map(str, values))


def _by_value(column: pd.Series | Coded, test: Any) -> np.ndarray:
    """Test each distinct value once."""
    codes, values = value_codes(column)
    found = np.array([bool(test(str(value))) for value in values] + [False], dtype=bool)  # the last code: missing
    return found[codes]


def _is_mark(form: str) -> bool:
    return bool(form) and all(unicodedata.category(character).startswith("P") for character in form)


def _booleans(values: Any, n: int, what: str) -> np.ndarray:
    array = np.asarray(values)
    if array.dtype != np.bool_:
        raise ValueError(f"{what} must hold True or False for each token; it holds {array.dtype}.")
    if array.shape != (n,):
        raise ValueError(f"{what} has shape {array.shape}; there are {n:,} tokens.")
    return array
