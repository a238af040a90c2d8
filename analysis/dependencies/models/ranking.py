"""S1 and S2: trees from a ranking of the words of a sentence, without training (after Søgaard 2012)."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from analysis.dependencies.models.sequences import encode_sequences, with_punctuation
from analysis.dependencies.punctuation import Rule
from analysis.structures import check_at_least

#: Universal rules of Naseem et al. (2010): tag of a head, tags that it may head; for the 17 tags of Universal
#: Dependencies and of the 12 of Petrov, Das & McDonald. Proper nouns count as nouns.
UNIVERSAL_RULES: Mapping[str, tuple[str, ...]] = {
    "ROOT": ("VERB", "AUX"),
    "VERB": ("NOUN", "PROPN", "PRON", "ADV", "VERB"),
    "NOUN": ("ADJ", "DET", "NOUN", "PROPN", "NUM"),
    "PROPN": ("ADJ", "DET", "NOUN", "PROPN", "NUM"),
    "ADP": ("NOUN", "PROPN"),
    "ADJ": ("ADV",),
    "AUX": ("VERB",),
}


#: Tags of verbs and of nouns in S1, for both tag sets.
VERBS, NOUNS = ("VERB", "AUX"), ("NOUN", "PROPN")
#: Possible heads in S1: tag of a head, tags that it may head.
POSSIBLE_HEADS: Mapping[str, tuple[str, ...]] = {
    "ROOT": VERBS,
    **dict.fromkeys(VERBS, (*VERBS, *NOUNS, "ADJ", "DET", "NUM", "ADV", "ADP", "CONJ", "CCONJ", "SCONJ")),
    **dict.fromkeys(NOUNS, (*NOUNS, "ADJ", "DET", "NUM")),
    "ADP": (*NOUNS, "ADV"),
}


def ranked_trees(
    tokens: pd.DataFrame,
    *,
    column: str | None = "universal",
    function_words: int = 100,
    letters: tuple[int, int] = (2, 3),
    weights: Sequence[float] = (1.0, 1.0, 1.0, 1.0),
    damping: float = 1.0,
    rules: Mapping[str, Sequence[str]] = POSSIBLE_HEADS,
    keep_punctuation: bool = False,
    punctuation_rule: Rule = None,
) -> pd.Series:
    """Make S1 trees: rank the words of a sentence by votes, and attach them in that order.

    Each word votes for its two neighbours, and once more for a neighbour that is a function word; for each word whose
    first or last letters, or whose tag, are not the same; for each verb; and, if it is a verb, for each noun. No word
    votes for itself. The words are ranked by PageRank of the votes; ties go to the left word. The root is the
    highest-ranked verb, if there is a verb, else the highest-ranked word. In order of rank each other word is attached
    to the nearest word already in the tree whose tag is a possible head of its tag, else to the nearest word in the
    tree; of two equally near words, to the higher-ranked one. Without tags neither verbs nor possible heads are known,
    and the tree is projective. After Søgaard (2012), following a public re-implementation.

    Parameters
    ----------
    tokens : DataFrame
        Tokens table with ``sentence``, ``form`` and `column`; only word frequencies are estimated from it.
    column : str, optional
        The tags, of Universal Dependencies or of Petrov, Das & McDonald; None for words alone.
    function_words : int
        Number of the most frequent word types that count as function words (not stated in the paper); ties by first
        occurrence.
    letters : (int, int)
        Numbers of first and of last letters to compare.
    weights : sequence of four float
        Weights of votes for neighbours, for function words, by letters and tags, for verbs and nouns.
    damping : float
        Damping of PageRank; 1 is not a damping: the ranking is the stationary distribution of the votes.
    rules : mapping of str to sequences of str
        Possible heads, as in `universal_rule_trees`: tag of a head, tags that it may head; ``"ROOT"`` lists the verbs.
    keep_punctuation : bool
        Whether punctuation votes and is ranked like words; if not, its head is the previous word.
    punctuation_rule : optional
        Definition of punctuation; see `find_punctuation`.

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
    >>> tokens["universal"] = ["DET", "NOUN", "VERB"]
    >>> ranked_trees(tokens, function_words=1).tolist()
    [2, 3, 0]
    >>> ranked_trees(tokens, column=None, function_words=0).tolist()
    [2, 0, 2]
    """
    if len(weights) != 4:
        raise ValueError(
            f"weights are four numbers (neighbours, function words, letters, verbs and nouns), not {list(weights)}."
        )
    words = encode_sequences(tokens, "form", keep_punctuation, punctuation_rule)
    frequent = np.zeros(len(words.tags), dtype=np.bool_)
    frequent[_most_frequent(words.words, len(words.tags), function_words)] = True
    first, last = _letters(words.tags, *letters)
    tags, names = np.zeros(len(words.words), np.int64), pd.Index([""])
    if column is not None:
        tagged = encode_sequences(tokens, column, keep_punctuation, punctuation_rule)
        tags, names = tagged.words, tagged.tags
    rule, root = _rules(rules, names)
    nouns = np.isin(names.astype("str"), NOUNS)
    vote = root[None, :] | (root[:, None] & nouns[None, :])
    known = (words.words, tags, first, last, frequent, vote, rule, root, column is not None)
    return _trees(tokens, words, known, tuple(weights), damping)


def universal_rule_trees(
    tokens: pd.DataFrame,
    *,
    column: str = "universal",
    rules: Mapping[str, Sequence[str]] = UNIVERSAL_RULES,
    weights: Sequence[float] = (0.0, 1.0),
    damping: float = 0.85,
    keep_punctuation: bool = False,
    punctuation_rule: Rule = None,
) -> pd.Series:
    """Make S2 trees: rank the words by universal rules, and attach each to the nearest head that a rule allows.

    Each word votes for every word that a rule allows as its head, and for its neighbours if these have a weight; the
    words are ranked by PageRank of the votes. The root is the highest-ranked word that the rules allow as root, if
    there is one, else the highest-ranked word. In order of rank each other word is attached to the nearest word already
    in the tree that a rule allows as head, else to the nearest word in the tree; of two equally near words, to the
    higher-ranked one. Edges may cross. After Søgaard (2012), with the rules of Naseem et al. (2010).

    Parameters
    ----------
    tokens : DataFrame
        Tokens table with ``sentence`` and `column`.
    column : str
        The tags used in the rules.
    rules : mapping of str to sequences of str
        Tag of a head, tags that it may head; ``"ROOT"`` for the root. Tags that do not occur are ignored.
    weights : sequence of two float
        Weights of votes for neighbours and by the rules (not stated in the paper).
    damping : float
            Damping of PageRank (not stated in the paper).
    keep_punctuation, punctuation_rule
        See `ranked_trees`.

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
    rule, root = _rules(rules, words.tags)
    same, no_function_word = np.zeros(1, np.int64), np.zeros(1, np.bool_)
    known = (np.zeros(len(words.words), np.int64), words.words, same, same, no_function_word, rule.T.copy(), rule, root,
             True)  # fmt: skip
    return _trees(tokens, words, known, (weights[0], 0.0, 0.0, weights[1]), damping)


def _rules(rules: Mapping[str, Sequence[str]], tags: pd.Index) -> tuple[np.ndarray, np.ndarray]:
    """Return whether each tag may head each other tag, and whether it may be the root."""
    names = tags.astype("str")
    rule = np.array([np.isin(names, list(rules.get(head, ()))) for head in names], dtype=np.bool_)
    return rule.reshape(len(names), len(names)), np.isin(names, list(rules.get("ROOT", ())))


def _trees(tokens: pd.DataFrame, sequences: Any, known: tuple, weights: tuple[float, ...], damping: float) -> pd.Series:
    """Compute the heads of the tokens; ``known`` are the fields of `Words` of the kernels."""
    if min(weights) < 0:
        raise ValueError(f"a weight is {min(weights)}; it cannot be negative.")
    if not 0 <= damping <= 1:
        raise ValueError(f"damping is {damping}; it must be from 0 to 1.")
    if damping == 1 and weights[0] == 0:
        raise ValueError("without votes for neighbours damping must be below 1: two words may not be connected.")
    from analysis.dependencies.models import ranking_kernels

    words, heads = ranking_kernels.Words(*known), np.zeros(len(sequences.words), dtype=np.int64)
    ranking_kernels.ranked_trees(sequences.starts, words, tuple(map(float, weights)), float(damping), heads)
    return pd.Series(with_punctuation(heads, sequences), index=tokens.index, name="head")


def _most_frequent(words: np.ndarray, n_types: int, number: int) -> np.ndarray:
    check_at_least(0, function_words=number)
    return np.argsort(-np.bincount(words, minlength=n_types), kind="stable")[:number]


def _letters(forms: pd.Index, first: int, last: int) -> tuple[np.ndarray, np.ndarray]:
    """Encode the first and the last letters of each word type."""
    if min(first, last) < 0:
        raise ValueError(f"letters are {(first, last)}; they cannot be negative.")
    names = [str(form) for form in forms]
    parts = ([name[:first] for name in names], [name[len(name) - min(last, len(name)) :] for name in names])
    one, other = (pd.factorize(np.array(part, dtype=object))[0].astype(np.int64) for part in parts)
    return one, other
