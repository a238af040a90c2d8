"""A baseline of today: inflect a lemma as the most similar training lemma with the same features."""

from typing import NamedTuple

import numpy as np

from analysis.inflection.models.base import InflectionModel
from analysis.inflection.models.edit_rules import align


class Items(NamedTuple):
    """Training items with one feature set, in the order of training.

    Attributes
    ----------
    lemmas, forms : list of str
    letters : ndarray of uint32
        Code points of all lemmas, one after another.
    starts : ndarray of int64, shape (n_items + 1,)
    """

    lemmas: list[str]
    forms: list[str]
    letters: np.ndarray
    starts: np.ndarray


class NearestAnalogy(InflectionModel):
    """Inflect a lemma as the most similar training lemma with the same features.

    A baseline of today, in no paper. The most similar lemma has the smallest edit distance (insertion, deletion and
    substitution of a letter cost 1); ties go to the longest common ending, then to the first in training. Its change is
    transferred as `transfer` says. For unseen features the prediction is the lemma.

    Attributes
    ----------
    items_ : dict of str to Items
        Training items by feature set.

    Examples
    --------
    >>> import pandas as pd
    >>> pairs = [("walk", "walked"), ("talk", "talked"), ("sing", "sang")]
    >>> model = NearestAnalogy().fit(pd.DataFrame(pairs, columns=["lemma", "form"]))
    >>> model.explain("ring")
    ('rang', 'as sing becomes sang (edit distance 1)')
    """

    def _fit(self, lemmas: list[str], forms: list[str], features: list[str]) -> None:
        pairs: dict[str, list[tuple[str, str]]] = {}
        for lemma, form, tags in zip(lemmas, forms, features, strict=True):
            pairs.setdefault(tags, []).append((lemma, form))
        self.items_ = {tags: _items(found) for tags, found in pairs.items()}

    def _predict_one(self, lemma: str, features: str, say: bool) -> tuple[str, str]:
        from analysis.inflection.models.analogy_kernels import nearest_word

        items = self.items_.get(features)
        if items is None:
            return lemma, f"no item with the features {features!r} in training: the unchanged lemma"
        row = np.empty(len(lemma) + 1, dtype=np.int64)
        place, distance = nearest_word(_code_points(lemma), items.letters, items.starts, row)
        model, form = items.lemmas[place], items.forms[place]
        return transfer(model, form, lemma), f"as {model} becomes {form} (edit distance {distance})" if say else ""


def transfer(model: str, form: str, lemma: str) -> str:
    """Change a lemma as a model lemma is changed into its form.

    The model is aligned with its form and with the lemma (see `edit_rules.align`). A letter of the model that its form
    keeps gives the letter of the lemma aligned with it, or nothing. One that is replaced or deleted gives its
    replacement or nothing, whatever is aligned with it. What the form inserts is inserted at the same place, and what
    the lemma has in addition is kept; at the beginning of the word the former comes first, elsewhere the latter.

    Parameters
    ----------
    model, form : str
        A lemma and its form.
    lemma : str
        The lemma to inflect.

    Returns
    -------
    str

    Examples
    --------
    >>> transfer("sing", "sang", "spring"), transfer("walk", "walked", "stalk"), transfer("sagen", "gesagt", "fragen")
    ('sprang', 'stalked', 'gefragt')
    """
    kept, changed = _columns(model, lemma), _columns(model, form)
    parts = []
    for place in range(len(model) + 1):
        added, inserted = kept[place][0], changed[place][0]
        parts.append(inserted + added if place == 0 else added + inserted)
        if place < len(model):
            same = changed[place][1] == model[place]
            parts.append(kept[place][1] if same else changed[place][1])
    return "".join(parts)


def _columns(model: str, other: str) -> list[tuple[str, str]]:
    """For each letter of the model, and its end: what the other word has before it, and in its place."""
    found, before = [], ""
    for letter, counterpart in zip(*align(model, other), strict=True):
        if letter:
            found.append((before, counterpart))
            before = ""
        else:
            before += counterpart
    return [*found, (before, "")]


def _items(pairs: list[tuple[str, str]]) -> Items:
    lemmas, forms = [lemma for lemma, _ in pairs], [form for _, form in pairs]
    starts = np.append(0, np.cumsum([len(lemma) for lemma in lemmas])).astype(np.int64)
    return Items(lemmas, forms, _code_points("".join(lemmas)), starts)


def _code_points(word: str) -> np.ndarray:
    return np.fromiter(map(ord, word), dtype=np.uint32, count=len(word))
