"""S1 and S2: trees from a ranking of the words of a sentence, without training (after Søgaard 2012)."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from analysis.dependencies.models.sequences import encode_sequences, with_punctuation
from analysis.dependencies.punctuation import Rule

#: Universal rules of Naseem and others (2010): tag of a head, tags that it may head; of the 17 tags of Universal
#: Dependencies and of the 12 of Petrov, Das & McDonald. A proper noun is a noun.
UNIVERSAL_RULES: Mapping[str, tuple[str, ...]] = {
    "ROOT": ("VERB", "AUX"),
    "VERB": ("NOUN", "PROPN", "PRON", "ADV", "VERB"),
    "NOUN": ("ADJ", "DET", "NOUN", "PROPN", "NUM"),
    "PROPN": ("ADJ", "DET", "NOUN", "PROPN", "NUM"),
    "ADP": ("NOUN", "PROPN"),
    "ADJ": ("ADV",),
    "AUX": ("VERB",),
}


def ranked_trees(
    tokens: pd.DataFrame,
    *,
    function_words: int = 100,
    ending_letters: int = 3,
    reach: int = 1,
    weights: Sequence[float] = (1.0, 1.0, 1.0),
    damping: float = 0.85,
    keep_punctuation: bool = False,
    punctuation_rule: Rule = None,
) -> pd.Series:
    """S1: rank the words of a sentence by adjacency, function words and morphology, and attach them in that order.

    Each word votes for others as its head: for its neighbours, once more for the content words among
    them, and for the words that end as it does. PageRank of the votes ranks the words. The first is the
    root; each next one goes under the nearest word that has its place already, of two as near under the left one.
    So the tree is projective. "After Søgaard 2012": the kinds of votes and the ranking are his as Gelling et al. tell
    of them, the numbers are ours.

    Parameters
    ----------
    tokens : DataFrame
        Tokens table with ``sentence`` and ``form``; nothing is learnt but the frequencies of its words.
    function_words : int
        So many of the most frequent word types are function words (?); ties by first occurrence.
    ending_letters : int
        Letters that must agree; words that are not longer than that have no ending (?). 0 for no such votes.
    reach : int
        Distance up to which words are neighbours (?).
    weights : sequence of three float
        Of votes by adjacency, by function words, by morphology (?).
    damping : float
        Of PageRank (?).
    keep_punctuation : bool
        Whether punctuation is ranked as words are; if not, it goes under the word before it.
    punctuation_rule : optional
        What is punctuation; see `find_punctuation`.

    Returns
    -------
    Series of int64
        Named ``head``, with the index of `tokens`.

    Raises
    ------
    ValueError
        If a column is missing or an argument is out of its range.

    References
    ----------
    Gelling et al. (2012), section 3 (there S1); Søgaard (2012), "Two baselines for unsupervised dependency parsing".

    Examples
    --------
    >>> tokens = pd.DataFrame({"sentence": [0] * 3, "form": ["the", "cat", "slept"]})
    >>> ranked_trees(tokens, function_words=1).tolist()
    [2, 0, 2]
    """
    if len(weights) != 3:
        raise ValueError(f"weights are three numbers (adjacency, function words, morphology), not {list(weights)}.")
    words = encode_sequences(tokens, "form", keep_punctuation, punctuation_rule)
    frequent = np.zeros(len(words.tags), dtype=np.bool_)
    frequent[_most_frequent(words.words, len(words.tags), function_words)] = True
    endings = _endings(words.tags, ending_letters)
    nothing = np.zeros((1, 1), dtype=np.bool_)
    known = (words.words, np.zeros(len(words.words), np.int64), endings, frequent, nothing, nothing[0], False)
    return _trees(tokens, words, known, (*weights, 0.0), reach, damping)


def universal_rule_trees(
    tokens: pd.DataFrame,
    *,
    column: str = "universal",
    rules: Mapping[str, Sequence[str]] = UNIVERSAL_RULES,
    reach: int = 1,
    weights: Sequence[float] = (0.0, 1.0),
    damping: float = 0.85,
    keep_punctuation: bool = False,
    punctuation_rule: Rule = None,
) -> pd.Series:
    """S2: rank the words of a sentence by universal rules, and attach each to the nearest head that a rule allows.

    Each word votes for every word of which a rule says that it may be its head, and for its neighbours if they are
    given a weight; PageRank of the votes ranks the words. The root is the first in rank of those that the rules allow
    as root, if there is one, else the first. In the order of rank each other word goes under the nearest word with a
    place already that a rule allows, else under the nearest with a place; of two as near, under the left one. Edges
    may cross. "After Søgaard 2012", with the rules of Naseem and others (2010).

    Parameters
    ----------
    tokens : DataFrame
        Tokens table with ``sentence`` and `column`.
    column : str
        The tags that the rules speak of.
    rules : mapping of str to sequences of str
        Tag of a head, tags that it may head; ``"ROOT"`` for the root. Tags that no token has do no harm.
    reach : int
        Distance up to which words are neighbours (?).
    weights : sequence of two float
        Of votes by adjacency, by the rules (?).
    damping, keep_punctuation, punctuation_rule
        As in `ranked_trees`.

    Returns
    -------
    Series of int64
        Named ``head``, with the index of `tokens`.

    Raises
    ------
    ValueError
        If a column is missing or an argument is out of its range.

    References
    ----------
    Gelling et al. (2012), section 3 (there S2); Naseem, Chen, Barzilay & Johnson (2010), Table 1.

    Examples
    --------
    >>> tokens = pd.DataFrame({"sentence": [0] * 3, "universal": ["DET", "NOUN", "VERB"]})
    >>> universal_rule_trees(tokens).tolist()
    [2, 3, 0]
    """
    if len(weights) != 2:
        raise ValueError(f"weights are two numbers (adjacency, rules), not {list(weights)}.")
    words = encode_sequences(tokens, column, keep_punctuation, punctuation_rule)
    place = {tag: code for code, tag in enumerate(words.tags)}
    rule = np.zeros((len(place), len(place)), dtype=np.bool_)
    for head, dependents in rules.items():
        for dependent in dependents:
            if head in place and dependent in place:
                rule[place[head], place[dependent]] = True
    root = np.array([tag in rules.get("ROOT", ()) for tag in words.tags], dtype=np.bool_)
    no_ending, no_function_word = np.full(1, -1, np.int64), np.zeros(1, np.bool_)
    known = (np.zeros(len(words.words), np.int64), words.words, no_ending, no_function_word, rule, root, True)
    return _trees(tokens, words, known, (weights[0], 0.0, 0.0, weights[1]), reach, damping)


def _trees(
    tokens: pd.DataFrame,
    sequences: Any,
    known: tuple,
    weights: tuple[float, ...],
    reach: int,
    damping: float,
) -> pd.Series:
    """Heads of the tokens; ``known`` are the fields of `Words` of the kernels."""
    if min(weights) < 0:
        raise ValueError(f"a weight is {min(weights)}; it cannot be negative.")
    if reach < 1:
        raise ValueError(f"reach is {reach}; it must be at least 1.")
    if not 0 <= damping < 1:
        raise ValueError(f"damping is {damping}; it must be from 0 to below 1.")
    from analysis.dependencies.models import ranking_kernels

    words, heads = ranking_kernels.Words(*known), np.zeros(len(sequences.words), dtype=np.int64)
    ranking_kernels.ranked_trees(sequences.starts, words, tuple(map(float, weights)), reach, float(damping), heads)
    return pd.Series(with_punctuation(heads, sequences), index=tokens.index, name="head")


def _most_frequent(words: np.ndarray, n_types: int, number: int) -> np.ndarray:
    if number < 0:
        raise ValueError(f"function_words is {number}; it cannot be negative.")
    return np.argsort(-np.bincount(words, minlength=n_types), kind="stable")[:number]


def _endings(forms: pd.Index, letters: int) -> np.ndarray:
    """Code of the last letters of each word type, -1 for none."""
    if letters < 0:
        raise ValueError(f"ending_letters is {letters}; it cannot be negative.")
    known: dict[str, int] = {}
    codes = [
        known.setdefault(form[-letters:], len(known)) if letters and len(form) > letters else -1
        for form in map(str, forms)
    ]
    return np.array(codes, dtype=np.int64)
