"""Training sentences of the DMV: in memory, or read chunk by chunk in every pass."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from analysis.dependencies.models.dmv_parameters import Parameters, enlarged
from analysis.dependencies.models.sequences import Sequences, distinct_sequences

Encode = Callable[[Any, pd.Index | None], Sequences]  # sentences, and the tags that define the codes


class Chunk(NamedTuple):
    """Concatenated distinct sequences of tag codes, and their frequencies; see `distinct_sequences`."""

    words: np.ndarray
    starts: np.ndarray
    weights: np.ndarray


@dataclass(frozen=True)
class TrainingSentences:
    """Result of one pass over the training sentences, and access to the sentences.

    Attributes
    ----------
    tags : pandas.Index
        Tags of the sentences within the length limit, by first appearance.
    n_sentences, n_distinct : int
        Number of sentences within the length limit, and of distinct ones summed over chunks.
    counts : Parameters
        Counts of this pass.
    chunks : callable without arguments
        Returns the chunks, in codes of `tags`, at every call.
    """

    tags: pd.Index
    n_sentences: int
    n_distinct: int
    counts: Parameters
    chunks: Callable[[], Iterator[Chunk]]


def read_chunks(
    sequences: Any, encode: Encode, max_length: int | None, tags: pd.Index | None = None
) -> Iterator[tuple[pd.Index, Chunk]]:
    """Yield tags and distinct sequences of each chunk that has a sentence of 1 to `max_length` words.

    Parameters
    ----------
    sequences : DataFrame, sequence of lists of tags, or callable
        All sentences as one chunk; or a function without arguments that returns an iterable of such chunks.
    encode : callable
        `encode_sequences` with all arguments except the sentences and the tags.
    max_length : int, optional
    tags : Index, optional
        Codes to use.

    Raises
    ------
    ValueError
        If the function does not return chunks, or a chunk is not a table or lists of tags.
    """
    for part in _parts(sequences):
        coded = encode(part, tags)
        chunk = Chunk(*distinct_sequences(coded.words, coded.starts, max_length))
        if len(chunk.weights):
            yield coded.tags, chunk


def read_training(
    sequences: Any, encode: Encode, max_length: int | None, count: Callable[[Chunk, Parameters], None]
) -> TrainingSentences:
    """Read all sentences once: find the tags, and compute the counts of the initialiser.

    Sentences in memory are encoded once; those of a function are read again, so that memory is limited to one chunk.

    Parameters
    ----------
    sequences, encode, max_length
        See `read_chunks`.
    count : callable
        Adds the counts of a chunk to parameters.

    Raises
    ------
    ValueError
        See `read_chunks`; also later, if another pass finds different sentences.
    """
    tags = pd.Index([])
    counts = Parameters.zeros(0)
    n_sentences = n_distinct = 0
    chunk = None
    for names, found in read_chunks(sequences, encode, max_length):
        used = np.unique(found.words)  # tags of sentences that are too long are unknown tags
        names = names[used]
        tags = tags.append(names[~names.isin(tags)]) if len(tags) else names
        counts = enlarged(counts, len(tags))
        codes = tags.get_indexer(names).astype(np.int64)
        chunk = found._replace(words=codes[np.searchsorted(used, found.words)])
        count(chunk, counts)
        n_sentences += int(chunk.weights.sum())
        n_distinct += len(chunk.weights)

    def again() -> Iterator[Chunk]:
        left = n_sentences
        for _, part in read_chunks(sequences, encode, max_length, tags):
            left -= int(part.weights.sum())
            if len(part.words) and part.words.max() >= len(tags):
                raise ValueError(
                    "the function gave a tag that it did not give at first: "
                    "it must return the same chunks whenever it is called, as from a new generator."
                )
            yield part
        if left:
            raise ValueError(
                f"the function gave {n_sentences:,} sentences at first and {n_sentences - left:,} now: "
                "it must return the same chunks whenever it is called, as from a new generator."
            )

    chunks = again if callable(sequences) else lambda: iter([chunk] if chunk else [])
    return TrainingSentences(tags, n_sentences, n_distinct, counts, chunks)


def _parts(sequences: Any) -> Iterator[Any]:
    if not callable(sequences):
        yield sequences
        return
    parts = sequences()
    if isinstance(parts, pd.DataFrame | str) or not hasattr(parts, "__iter__"):
        raise ValueError(f"the function must return chunks of sentences one after the other, not a {type(parts)}.")
    yield from parts
