"""What the neural inflection models share: PyTorch as an optional dependency, one thread, tuning items, decoding."""

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Self

import numpy as np
import pandas as pd

from analysis.inflection.forms import check_forms
from analysis.inflection.models.base import InflectionModel, feature_sets


class NeuralInflection(InflectionModel):
    """An inflection model that is trained with PyTorch and can choose among its states by tuning items.

    A subclass has ``beam_width``, ``_check_parameters``, ``_fit`` and ``_decode``. While ``_fit`` runs,
    ``_tuning_set`` holds the tuning items, or None.
    """

    beam_width: int
    _tuning_set: Any

    def fit(self, forms: pd.DataFrame, tuning: pd.DataFrame | None = None) -> Self:
        """Train on a forms table.

        Parameters
        ----------
        forms : DataFrame
            ``lemma``, ``form`` and optionally ``features``.
        tuning : DataFrame, optional
            Items with the same columns; the state of the model with most correct items is kept.

        Raises
        ------
        ImportError
            If PyTorch is not installed.
        ValueError
            If there is no item to train on, or a parameter is out of range.
        """
        self._check_parameters()
        check_forms(forms, ("lemma", "form"), "the training set")
        if tuning is not None:
            check_forms(tuning, ("lemma", "form"), "the tuning set")
        self._tuning_set = tuning
        self._fit(forms["lemma"].astype("str").tolist(), forms["form"].astype("str").tolist(), feature_sets(forms))
        del self._tuning_set
        self.n_items_ = len(forms)
        return self

    def predict(self, items: pd.DataFrame) -> pd.Series:
        """Predict the form of each item, like `InflectionModel.predict`, in batches."""
        return self.predict_with_scores(items)["predicted"]

    def predict_with_scores(self, items: pd.DataFrame) -> pd.DataFrame:
        """Predict the form of each item with its probability.

        Returns
        -------
        DataFrame
            ``predicted``, ``log_probability`` (nats, including the end), with the index of ``items``.
        """
        self._require_fit("n_items_")
        check_forms(items, ("lemma",), "the items")
        lemmas, features = items["lemma"].astype("str").tolist(), feature_sets(items)
        forms, scores = self._decode(lemmas, features, self.beam_width)
        predicted = pd.Series(forms, index=items.index, dtype="str")
        return pd.DataFrame({"predicted": predicted, "log_probability": scores}, index=items.index)

    def _predict_one(self, lemma: str, features: str, say: bool) -> tuple[str, str]:
        forms, scores = self._decode([lemma], [features], self.beam_width)
        how = "greedy" if self.beam_width == 1 else f"beam of {self.beam_width}"
        return forms[0], f"probability {np.exp(scores[0]):.3f} ({how})"

    def _right_in_tuning(self) -> tuple[int, int]:
        """Exact matches among the tuning items with greedy decoding, and their number."""
        gold = self._tuning_set["form"].astype("str").tolist()
        lemmas = self._tuning_set["lemma"].astype("str").tolist()
        forms, _ = self._decode(lemmas, feature_sets(self._tuning_set), 1)
        return sum(form == wanted for form, wanted in zip(forms, gold, strict=True)), len(gold)

    @abstractmethod
    def _check_parameters(self) -> None:
        """Raise ValueError if a parameter is out of range."""

    @abstractmethod
    def _decode(self, lemmas: Sequence[str], features: Sequence[str], width: int) -> tuple[list[str], np.ndarray]:
        """Return the form of each item, and its log probability."""


def load_torch() -> Any:
    """Import torch.

    Raises
    ------
    ImportError
        If it is not installed; the message says what to install.
    """
    try:
        import torch
    except ImportError as error:
        raise ImportError(
            "a neural inflection model needs PyTorch, which is not installed: pip install 'language-yardstick[neural]'."
        ) from error
    return torch


@contextmanager
def one_thread() -> Iterator[None]:
    """Let PyTorch use one thread, so that a seed gives the same numbers on the same machine."""
    torch = load_torch()
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)


@contextmanager
def own_randomness(seed: int) -> Iterator[None]:
    """Seed PyTorch's global generator within the context, on one thread; afterwards it is as it was."""
    torch = load_torch()
    with one_thread(), torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        yield
