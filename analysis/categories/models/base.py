"""Shared code of the models of word classes: encoded text, cluster columns, and running and resuming chains."""

import signal
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple, Self

import numpy as np
import pandas as pd

from analysis.categories.codes import sentence_lengths
from analysis.structures import check_tokens, encode_labels
from analysis.structures.labels import word_codes
from analysis.structures.model import Model
from analysis.structures.progress import progress_bar
from analysis.structures.source import source_digest

__all__ = [
    "Chain",
    "Model",
    "Text",
    "check_same_text",
    "cluster_series",
    "interruption_deferred",
    "known_words",
    "read_text",
]


def cluster_series(codes: np.ndarray, index: pd.Index) -> pd.Series:
    """Convert clusters of tokens to a nullable series named ``cluster``; -1 becomes a missing value.

    Examples
    --------
    >>> cluster_series(np.array([2, -1]), pd.RangeIndex(2)).tolist()
    [2, <NA>]
    """
    values = pd.arrays.IntegerArray(np.asarray(codes, dtype=np.int32), np.asarray(codes) < 0)
    return pd.Series(values, index=index, name="cluster")


class Text(NamedTuple):
    """An encoded text: the word of each token, the length of each sentence, and the vocabulary."""

    words: np.ndarray
    lengths: np.ndarray
    vocabulary: pd.Index


def read_text(tokens: pd.DataFrame) -> Text:
    """Number the words of a text in the order of their first tokens, or of their categories.

    Examples
    --------
    >>> read_text(pd.DataFrame({"sentence": [0, 0, 1], "form": ["look", "here", "look"]})).words.tolist()
    [0, 1, 0]
    """
    check_tokens(tokens)
    words, vocabulary = encode_labels(tokens["form"], "form")
    return Text(words.astype(np.int32), sentence_lengths(tokens), vocabulary)


def known_words(tokens: pd.DataFrame, vocabulary: pd.Index) -> np.ndarray:
    """Encode each token's word in a given vocabulary; an unknown word has the number after the last.

    Examples
    --------
    >>> known_words(pd.DataFrame({"sentence": 0, "form": ["look", "there"]}), pd.Index(["here", "look"])).tolist()
    [1, 2]
    """
    check_tokens(tokens)
    codes, _ = word_codes(tokens["form"], vocabulary)
    return np.where(codes < 0, len(vocabulary), codes).astype(np.int32)


class Chain(Model, ABC):
    """A model that is fitted step by step with a progress bar, and can be interrupted and resumed."""

    progress: bool
    sweeps: int
    annealing: tuple[float, float] | None = None
    labels_: np.ndarray

    @abstractmethod
    def fit(self, tokens: pd.DataFrame) -> Self:
        """Fit the model to a text."""

    def fit_predict(self, tokens: pd.DataFrame) -> pd.Series:
        """Fit, and return the clusters of the training text, ``labels_``, with the index of ``tokens``."""
        return cluster_series(self.fit(tokens).labels_, tokens.index)

    def _check_annealing(self) -> None:
        if self.annealing is not None and not (len(self.annealing) == 2 and min(self.annealing) > 0):
            raise ValueError(f"annealing is {self.annealing}; give two temperatures above 0, the first and the last.")

    def _temperature(self, sweep: int) -> float:
        """Return the temperature of a sweep (from 0); it changes by a constant factor."""
        if self.annealing is None:
            return 1.0
        first, last = self.annealing
        return float(first * (last / first) ** (sweep / max(self.sweeps - 1, 1)))

    @contextmanager
    def _steps(
        self, label: str, done: int, until: int, total: int, unit: str = "sweep"
    ) -> Iterator[tuple[Iterator[int], Any]]:
        """Yield the remaining steps with a progress bar; Ctrl-C ends them."""
        options: dict[str, Any] = {"initial": done, "unit": unit, "leave": True, "shown": self.progress}
        with interruption_deferred() as interrupted, progress_bar(total, label=label, **options) as bar:

            def steps() -> Iterator[int]:
                for step in range(done, until):
                    if interrupted():
                        return
                    yield step
                    bar.update()

            yield steps(), bar

    def _provenance(self) -> dict[str, Any]:
        """Return source and parameters for a state; a chain that has begun does not use its initialisation again."""
        parameters = self.get_params()
        if not isinstance(parameters.get("initialisation", ""), str):
            parameters["initialisation"] = "random"
        seed = parameters["random_state"]
        parameters["random_state"] = int(seed) if isinstance(seed, int | np.integer) else None
        return {"source": source_digest(type(self)), "parameters": parameters}

    def _take_over(self, other: Self) -> None:
        """Continue another chain and take over its arrays."""
        for name, value in vars(other).items():
            if name.startswith("_") or name.endswith("_"):
                setattr(self, name, value)


def check_same_text(text: Text, fitted: Text) -> None:
    """Raise an error if a chain is resumed on a different text; the words may be numbered differently.

    Raises
    ------
    ValueError
        If words or sentences differ.
    """
    vocabulary, other = (pd.Index(np.asarray(side.vocabulary, dtype=object)) for side in (text, fitted))
    number = vocabulary.get_indexer(other)
    same = np.array_equal(fitted.lengths, text.lengths) and len(fitted.words) == len(text.words)
    if not (same and len(vocabulary) == len(other) and np.array_equal(number[fitted.words], text.words)):
        raise ValueError("the chain to resume was fitted on other tokens.")


@contextmanager
def interruption_deferred() -> Iterator[Callable[[], bool]]:
    """Defer Ctrl-C: yield a function that tells whether it was pressed; it is raised at the end.

    In threads other than the main one, which receive no signals, nothing is deferred.

    Examples
    --------
    >>> with interruption_deferred() as interrupted:
    ...     interrupted()
    False
    """
    came: list[bool] = []
    if threading.current_thread() is not threading.main_thread():
        yield lambda: False
        return
    before = signal.signal(signal.SIGINT, lambda *_: came.append(True))
    try:
        yield lambda: bool(came)
    finally:
        signal.signal(signal.SIGINT, before)
    if came:
        raise KeyboardInterrupt
