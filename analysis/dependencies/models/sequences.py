"""Sentences as sequences of tag codes, from a tokens table or from lists of tags."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from analysis.dependencies.alignment import find_sentences
from analysis.dependencies.punctuation import Rule, find_punctuation
from analysis.structures import check_tokens, encode_labels


class Sequences(NamedTuple):
    """Concatenated words of the sentences.

    Attributes
    ----------
    words : ndarray of int64, shape (n_words,)
        Code of the tag of each word; the number of tags for unknown tags.
    starts : ndarray of int64, shape (n_sentences + 1,)
    tags : pandas.Index
        Tag of each code.
    kept : ndarray of bool, shape (n_tokens,)
        Whether each token of the table is kept as a word; all, for lists.
    token_starts : ndarray of int64, shape (n_sentences + 1,)
        As `starts`, for all tokens.
    """

    words: np.ndarray
    starts: np.ndarray
    tags: pd.Index
    kept: np.ndarray
    token_starts: np.ndarray

    @property
    def lengths(self) -> np.ndarray:
        """Number of words of each sentence, possibly 0."""
        return np.diff(self.starts)


def encode_sequences(
    sequences: Any, column: str, keep_punctuation: bool = False, rule: Rule = None, tags: pd.Index | None = None
) -> Sequences:
    """Encode the tags of sentences.

    Parameters
    ----------
    sequences : DataFrame or sequence of sequences of tags
        A tokens table with ``sentence`` and the column `column`, or one list of tags per sentence.
    column : str
    keep_punctuation : bool
        Whether punctuation of a table is kept. Lists are used unchanged.
    rule : optional
        Definition of punctuation; see `find_punctuation`.
    tags : Index, optional
        Tags that define the codes; by default all tags in order of first appearance.

    Raises
    ------
    ValueError
        If a column or a tag is missing, or a sentence is one string.

    Examples
    --------
    >>> found = encode_sequences([["D", "N"], ["V"]], "fine")
    >>> found.words.tolist(), found.starts.tolist(), found.tags.tolist()
    ([0, 1, 2], [0, 2, 3], ['D', 'N', 'V'])
    """
    if not isinstance(keep_punctuation, bool | np.bool_):
        raise ValueError(f"keep_punctuation is True or False, not {keep_punctuation!r}.")
    if isinstance(sequences, pd.DataFrame):
        check_tokens(sequences, ["sentence", column])
        token_starts = find_sentences(sequences).starts
        kept = np.ones(len(sequences), dtype=bool)
        if not keep_punctuation:
            kept = ~find_punctuation(sequences, rule).mask
        labels: Any = sequences[column][kept]
        starts = np.append(0, np.cumsum(kept))[token_starts].astype(np.int64)
    else:
        lists = [_checked(tags_, i) for i, tags_ in enumerate(sequences)]
        labels = [tag for tags_ in lists for tag in tags_]
        starts = np.append(0, np.cumsum([len(tags_) for tags_ in lists])).astype(np.int64)
        token_starts, kept = starts, np.ones(len(labels), dtype=bool)
    codes, names = encode_labels(labels, "tags") if len(labels) else (np.empty(0, np.int64), pd.Index([]))
    if tags is None:
        return Sequences(codes, starts, pd.Index(names.tolist()), kept, token_starts)
    place = tags.get_indexer(pd.Index(names.tolist())) if len(names) else np.empty(0, np.int64)
    place = np.where(place < 0, len(tags), place).astype(np.int64)
    return Sequences(place[codes], starts, tags, kept, token_starts)


def distinct_sequences(
    words: np.ndarray, starts: np.ndarray, max_length: int | None
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Find distinct sequences by length, with their frequencies, without empty and too long ones.

    Equal sequences have equal expected counts, so each is processed once.

    Returns
    -------
    words : ndarray of int64
    starts : ndarray of int64
    weights : ndarray of float64, shape (n_distinct,)

    Examples
    --------
    >>> words, starts, weights = distinct_sequences(np.array([3, 1, 2, 3]), np.array([0, 1, 3, 4]), None)
    >>> words.tolist(), starts.tolist(), weights.tolist()
    ([3, 1, 2], [0, 1, 3], [2.0, 1.0])
    """
    lengths = np.diff(starts)
    parts, sizes, weights = [], [], []
    for length in np.unique(lengths):
        if length == 0 or (max_length is not None and length > max_length):
            continue
        first = starts[:-1][lengths == length]
        rows = words[first[:, None] + np.arange(length)]
        different, times = _distinct_rows(rows)
        parts.append(different.reshape(-1))
        sizes.append(np.full(len(different), length))
        weights.append(times)
    if not parts:
        return np.empty(0, np.int64), np.zeros(1, np.int64), np.empty(0)
    ends = np.cumsum(np.concatenate(sizes))
    return (
        np.ascontiguousarray(np.concatenate(parts), dtype=np.int64),
        np.append(0, ends).astype(np.int64),
        np.concatenate(weights).astype(np.float64),
    )


def _distinct_rows(rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Find distinct rows of codes in lexical order, with frequencies; each row is encoded as one number if it fits."""
    bits = max(1, int(rows.max()).bit_length())
    length = rows.shape[1]
    if bits * length > 63:
        return np.unique(rows, axis=0, return_counts=True)
    packed = np.zeros(len(rows), dtype=np.int64)
    for column in range(length):
        packed = (packed << bits) | rows[:, column]
    numbers, times = np.unique(packed, return_counts=True)
    shifts = bits * np.arange(length - 1, -1, -1)
    return (numbers[:, None] >> shifts) & ((1 << bits) - 1), times


def with_punctuation(heads: np.ndarray, sequences: Sequences) -> np.ndarray:
    """Compute the heads of all tokens from those of the words: the head of a punctuation mark is the previous word.

    The head of marks before the first word is that word. In a sentence without words, the first mark is the head of the
    others.

    Parameters
    ----------
    heads : ndarray of int64, shape (n_words,)
        Positions among the words of the sentence, from 1.
    sequences : Sequences

    Returns
    -------
    ndarray of int64, shape (n_tokens,)
        Positions in the whole sentence.
    """
    kept = sequences.kept
    if kept.all():
        return heads
    n = len(kept)
    lengths = np.diff(sequences.token_starts)
    first = np.repeat(sequences.token_starts[:-1], lengths)
    position = np.arange(n) - first + 1
    places = position[kept]  # position of each word in the whole sentence
    result = np.zeros(n, dtype=np.int64)
    own = np.repeat(sequences.starts[:-1], sequences.lengths)
    result[kept] = np.where(heads > 0, places[np.maximum(own + heads - 1, 0)], 0)
    before = np.maximum.accumulate(np.where(kept, np.arange(n), -1))
    after = np.minimum.accumulate(np.where(kept, np.arange(n), n)[::-1])[::-1]
    last = first + np.repeat(lengths, lengths)
    near = np.where(before >= first, before, np.where(after < last, after, first))
    marks = np.where(near == np.arange(n), 0, near - first + 1)
    return np.where(kept, result, marks)


def _checked(tags: Sequence, place: int) -> Sequence:
    if isinstance(tags, str):
        raise ValueError(f"sentence {place} is the string {tags!r}, not a list of tags.")
    return list(tags)
