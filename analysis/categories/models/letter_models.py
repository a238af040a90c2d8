"""Small hidden Markov models of spelling, one for each word class."""

from collections.abc import Sequence
from types import ModuleType

import numpy as np
import pandas as pd


def _kernels() -> ModuleType:
    from analysis.categories.models import letter_kernels

    return letter_kernels


class LetterModels:
    """Probability of a spelling in each of several classes.

    A hidden Markov model generates a word by emitting a letter (a Unicode character) from each state, and finally an
    end symbol. Initial parameters are random; `train` fits each class's model to the words of the class.

    Parameters
    ----------
    forms : sequence of str
        All words that will be used; their characters are the letters.
    n_classes, n_states : int
        Number of models, and number of states per model.
    smoothing : float
        Added to each expected count in training (a symmetric Dirichlet prior with parameter 1 + smoothing).
    random : Generator
        Source of the initial parameters.

    Attributes
    ----------
    letters : list of str
        Symbol ``i`` is ``letters[i]``; the last symbol is the end.
    initial : ndarray of float64, shape (n_classes, n_states)
    transitions : ndarray of float64, shape (n_classes, n_states, n_states)
    emissions : ndarray of float64, shape (n_classes, n_states, n_letters + 1)

    References
    ----------
    After Clark (2003), "Combining distributional and morphological information for part of speech induction".

    Examples
    --------
    >>> models = LetterModels(["a", "ab"], n_classes=2, n_states=2, smoothing=0.1, random=np.random.default_rng(0))
    >>> trace = models.train(np.array([0, 1]), iterations=20)
    >>> log_p = models.log_probabilities()
    >>> bool(log_p[0, 0] > log_p[0, 1] and log_p[1, 1] > log_p[1, 0])
    True
    """

    def __init__(
        self,
        forms: Sequence[str] | pd.Index,
        n_classes: int,
        n_states: int,
        smoothing: float,
        random: np.random.Generator,
    ) -> None:
        if n_states < 1 or not smoothing >= 0:
            raise ValueError("a letter model needs at least one state, and smoothing of at least 0.")
        words = [str(form) for form in forms]
        self.letters = sorted(set().union(*words))
        code = {letter: number for number, letter in enumerate(self.letters)}
        end = len(self.letters)
        spelt = [[*(code[letter] for letter in word), end] for word in words]
        self._start = np.concatenate([[0], np.cumsum([len(word) for word in spelt])]).astype(np.int64)
        self._letters = np.array([letter for word in spelt for letter in word], dtype=np.int64)
        self._longest = max(len(word) for word in spelt)
        self._order = np.array(sorted(range(len(spelt)), key=spelt.__getitem__), dtype=np.int64)
        self._shared = np.zeros(len(spelt), dtype=np.int64)
        for at in range(1, len(spelt)):
            one, two = spelt[self._order[at - 1]], spelt[self._order[at]]
            self._shared[at] = next((t for t, pair in enumerate(zip(one, two, strict=False)) if pair[0] != pair[1]), 0)
        self.smoothing = smoothing
        self.initial = random.dirichlet(np.ones(n_states), size=n_classes)
        self.transitions = random.dirichlet(np.ones(n_states), size=(n_classes, n_states))
        self.emissions = random.dirichlet(np.ones(end + 1), size=(n_classes, n_states))

    def train(self, classes: np.ndarray, iterations: int) -> np.ndarray:
        """Continue expectation maximisation from the present parameters.

        Parameters
        ----------
        classes : ndarray of int, shape (n_forms,)
            Class of each form; forms whose class has no model are ignored.
        iterations : int

        Returns
        -------
        ndarray of float64, shape (iterations,)
            Log-likelihood of the words before each iteration, without the prior.
        """
        classes = np.ascontiguousarray(classes, dtype=np.int64)
        spelling, models = self._arrays()
        return _kernels().train(spelling, classes, float(self.smoothing), iterations, models)

    def log_probabilities(self, begin: int = 0, end: int | None = None) -> np.ndarray:
        """Compute the log probability of the spelling of the forms `begin` .. `end` - 1 in each class, in nats.

        Returns
        -------
        ndarray of float64, shape (end - begin, n_classes)
        """
        end = len(self._order) if end is None else end
        inside = (self._order >= begin) & (self._order < end)
        result = np.empty((len(self._order), len(self.initial)))
        order, shared = self._order, self._shared
        if not inside.all():  # the prefix shared with the last kept word is the minimum over the words between
            order, shared = order[inside], self._shared_of(inside)
        spelling, models = self._arrays()
        _kernels().log_probabilities(spelling, order, shared, models, result)
        return result[begin:end]

    def _arrays(self) -> tuple:
        """Return spelling and models in the form used by the kernels."""
        kernels = _kernels()
        models = kernels.Models(self.initial, self.transitions, self.emissions)
        return kernels.Spelling(self._start, self._letters, self._longest), models

    def _shared_of(self, inside: np.ndarray) -> np.ndarray:
        kept = np.flatnonzero(inside)
        if not len(kept):
            return np.zeros(0, dtype=np.int64)
        after = np.concatenate([[0], kept[:-1] + 1])
        return np.minimum.reduceat(self._shared[: kept[-1] + 1], after)

    def keep(self, classes: Sequence[int]) -> None:
        """Keep the models of these classes only, in this order."""
        for name in ("initial", "transitions", "emissions"):
            setattr(self, name, np.ascontiguousarray(getattr(self, name)[list(classes)]))
