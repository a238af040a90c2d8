"""Base class of inflection models."""

from abc import ABC, abstractmethod
from typing import Self

import pandas as pd

from analysis.inflection.forms import check_forms
from analysis.structures.model import Model


class InflectionModel(Model, ABC):
    """A model that predicts forms from lemmas and features: `fit` on a forms table, `predict` for items without form.

    A subclass has ``_fit`` and ``_predict_one``; the latter returns the form of one lemma and feature set, and the rule
    that produced it.
    """

    def fit(self, forms: pd.DataFrame) -> Self:
        """Fit the model to a forms table.

        Parameters
        ----------
        forms : DataFrame
            ``lemma``, ``form`` and optionally ``features``; an empty table is accepted.
        """
        check_forms(forms, ("lemma", "form"), "the training set", empty=True)
        features = feature_sets(forms)
        self._fit(forms["lemma"].astype("str").tolist(), forms["form"].astype("str").tolist(), features)
        self.n_items_ = len(forms)
        return self

    def predict(self, items: pd.DataFrame) -> pd.Series:
        """Predict the form of each item.

        Parameters
        ----------
        items : DataFrame
            ``lemma`` and optionally ``features``.

        Returns
        -------
        Series of str
            Named ``predicted``, with the index of ``items``.

        Raises
        ------
        ValueError
            If the model is not fitted, or there is no item.
        """
        self._require_fit("n_items_")
        check_forms(items, ("lemma",), "the items")
        lemmas = items["lemma"].astype("str").tolist()
        answers = [
            self._predict_one(lemma, tags, False)[0] for lemma, tags in zip(lemmas, feature_sets(items), strict=True)
        ]
        return pd.Series(answers, index=items.index, name="predicted", dtype="str")

    def explain(self, lemma: str, features: str = "") -> tuple[str, str]:
        """Return the form of one lemma, and a short description of the rule that produced it."""
        self._require_fit("n_items_")
        return self._predict_one(str(lemma), str(features), True)

    @abstractmethod
    def _fit(self, lemmas: list[str], forms: list[str], features: list[str]) -> None:
        """Fit the model to items without missing values."""

    @abstractmethod
    def _predict_one(self, lemma: str, features: str, say: bool) -> tuple[str, str]:
        """Return the form of one lemma, and if ``say`` the rule that produced it."""


def feature_sets(table: pd.DataFrame) -> list[str]:
    """Return the feature set of each item; empty if the table has no features."""
    return table["features"].astype("str").tolist() if "features" in table.columns else [""] * len(table)
