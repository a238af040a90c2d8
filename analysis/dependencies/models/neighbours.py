"""Supervised baselines: the better constant direction, and the left or right neighbour by tag, from gold trees."""

from typing import Any, Self

import numpy as np
import pandas as pd

from analysis.dependencies.alignment import find_sentences, head_array
from analysis.dependencies.models.baselines import left_branching, right_branching
from analysis.structures import check_tokens, encode_labels
from analysis.structures.labels import value_codes
from analysis.structures.model import Model


class ConstantDirection(Model):
    """Left- or right-branching trees, whichever agree with more gold heads of the training text.

    A baseline of today, in no paper. It is supervised: one bit is learnt from gold trees. If both agree with equally
    many heads, the trees are right-branching.

    Parameters
    ----------
    punctuation : bool
        Whether punctuation of the training text is scored; see `attachment_scores`.

    Attributes
    ----------
    direction_ : {"left", "right"}
    correct_ : dict
        Number of correct heads in training, by direction.

    Examples
    --------
    >>> train = pd.DataFrame({"sentence": [0, 0, 0], "form": ["the", "dog", "barks"], "head": [2, 3, 0]})
    >>> model = ConstantDirection().fit(train)
    >>> model.direction_, model.correct_
    ('left', {'left': 3, 'right': 0})
    >>> model.predict(pd.DataFrame({"sentence": [0, 0], "form": ["a", "cat"]})).tolist()
    [2, 0]
    """

    def __init__(self, punctuation: bool = True) -> None:
        self.punctuation = punctuation

    def fit(self, tokens: pd.DataFrame) -> Self:
        """Compare both directions with gold heads.

        Parameters
        ----------
        tokens : DataFrame
            ``sentence``, ``form`` and ``head``.

        Raises
        ------
        ValueError
            If there is no gold head.
        """
        from analysis.dependencies.attachment import attachment_scores

        _gold_heads(tokens)
        self.correct_ = {}
        for name, trees in (("left", left_branching), ("right", right_branching)):
            scored = attachment_scores(tokens, trees(tokens), punctuation=self.punctuation)
            correct: Any = scored.directed.numerator
            self.correct_[name] = int(correct)
        self.direction_ = "left" if self.correct_["left"] > self.correct_["right"] else "right"
        return self

    def predict(self, tokens: pd.DataFrame) -> pd.Series:
        """Return left- or right-branching trees.

        Parameters
        ----------
        tokens : DataFrame
            Tokens table with ``sentence``.

        Returns
        -------
        Series of int64
            Named ``head``, with the index of `tokens`.
        """
        self._require_fit("direction_")
        return left_branching(tokens) if self.direction_ == "left" else right_branching(tokens)


class NeighbourByTag(Model):
    """Attach each word to its left or its right neighbour, as most words with its tag in the training trees.

    A baseline of today, in no paper. It is supervised: gold trees give three counts for each tag.

    1. A tag goes to the side on which more of its words have their head as a neighbour. With equal counts, and for a
       tag unseen in training, it goes to the side to which more words of the whole text go, with equal counts right.
    2. A first word that goes left and a last word that goes right have no neighbour: they are free. Of two neighbours
       that go to each other, the one whose tag is more often a root is free, with equal shares the left one.
    3. Of the free words of a sentence, the one whose tag is most often a root is the root, with equal shares the first;
       the others depend on it. So every sentence has a projective tree with one root.

    How often a tag is a root is the share of its words in training; it is 0 for an unseen tag. Punctuation is treated
    as words.

    Parameters
    ----------
    tags : str
        Column of the tags.

    Attributes
    ----------
    counts_ : DataFrame
        ``tag``, then its numbers of words: ``left``, ``right`` (whose head is that neighbour), ``root``, ``words``.
    directions_ : dict
        ``"left"`` or ``"right"`` by tag.
    default_ : {"left", "right"}
        Of other tags.

    Examples
    --------
    >>> train = pd.DataFrame({"sentence": [0, 0, 0], "form": ["the", "dog", "barks"], "fine": ["D", "N", "V"],
    ...                       "head": [2, 3, 0]})
    >>> model = NeighbourByTag().fit(train)
    >>> model.directions_
    {'D': 'right', 'N': 'right', 'V': 'right'}
    >>> model.predict(train).tolist()
    [2, 3, 0]
    """

    def __init__(self, tags: str = "fine") -> None:
        self.tags = tags

    def fit(self, tokens: pd.DataFrame) -> Self:
        """Count on which side the heads of each tag's words are.

        Parameters
        ----------
        tokens : DataFrame
            ``sentence``, ``head`` and the column of tags. A word without a head is not counted.

        Raises
        ------
        ValueError
            If a column is missing, or there is no gold head.
        """
        check_tokens(tokens, ["sentence", self.tags])
        heads = _gold_heads(tokens)
        codes, names = encode_labels(tokens[self.tags], "tags")
        starts = find_sentences(tokens).starts
        position = np.arange(1, len(tokens) + 1) - np.repeat(starts[:-1], np.diff(starts))

        def count(which: np.ndarray) -> np.ndarray:
            return np.bincount(codes[which], minlength=len(names)).astype(np.int64)

        left, right = count((heads == position - 1) & (heads > 0)), count(heads == position + 1)
        self.counts_ = pd.DataFrame({"tag": names.astype("str"), "left": left, "right": right,
                                     "root": count(heads == 0), "words": count(heads >= 0)})  # fmt: skip
        self.default_ = "left" if left.sum() > right.sum() else "right"
        sides = np.where(left > right, "left", np.where(right > left, "right", self.default_))
        self.directions_ = dict(zip(self.counts_["tag"].tolist(), sides.tolist(), strict=True))
        return self

    def predict(self, tokens: pd.DataFrame) -> pd.Series:
        """Return the trees of the three steps.

        Parameters
        ----------
        tokens : DataFrame
            ``sentence`` and the column of tags.

        Returns
        -------
        Series of int64
            Named ``head``, with the index of `tokens`.
        """
        self._require_fit("directions_")
        check_tokens(tokens, ["sentence", self.tags])
        starts = find_sentences(tokens).starts
        codes, values = value_codes(tokens[self.tags])
        tag = pd.Index(self.counts_["tag"]).get_indexer(pd.Index(values).astype("str"))[codes]
        goes_left = np.array([*(side == "left" for side in self.directions_.values()), self.default_ == "left"])[tag]
        words = self.counts_["words"].to_numpy()
        shares = np.append(self.counts_["root"].to_numpy() / np.maximum(words, 1), 0.0)[tag]
        return pd.Series(_trees(goes_left, shares, starts), index=tokens.index, name="head")


def _gold_heads(tokens: pd.DataFrame) -> np.ndarray:
    """Return the heads of a training text, -1 where one is missing."""
    if "head" not in tokens:
        raise ValueError("the training text has no column 'head': this baseline learns from gold trees.")
    heads = head_array(tokens["head"], "the training text")
    if not (heads >= 0).any():
        raise ValueError("the training text has no head: this baseline learns from gold trees.")
    return heads


def _trees(goes_left: np.ndarray, shares: np.ndarray, starts: np.ndarray) -> np.ndarray:
    """Turn the side and the root share of each word into heads (steps 2 and 3 of `NeighbourByTag`)."""
    lengths = np.diff(starts)
    first = np.zeros(len(goes_left), dtype=bool)
    last = first.copy()
    first[starts[:-1]] = True
    last[starts[1:] - 1] = True
    position = np.arange(1, len(goes_left) + 1) - np.repeat(starts[:-1], lengths)
    free = (first & goes_left) | (last & ~goes_left)
    meets = ~goes_left & np.append(goes_left[1:], False) & ~last  # goes to the next word, which goes back
    (one,) = np.nonzero(meets)
    free[np.where(shares[one] >= shares[one + 1], one, one + 1)] = True
    heads = np.where(goes_left, position - 1, position + 1)
    sentence = np.repeat(np.arange(len(lengths)), lengths)
    (places,) = np.nonzero(free)
    order = places[np.lexsort((places, -shares[places], sentence[places]))]
    _, top = np.unique(sentence[order], return_index=True)  # every sentence has a free word
    root = order[top]
    heads[places] = position[root][sentence[places]]
    heads[root] = 0
    return heads.astype(np.int64)
