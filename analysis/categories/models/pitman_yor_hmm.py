"""Pitman-Yor HMM of Blunsom & Cohn (2011) with one tag per word type, fitted by a sampler over types."""

import copy
import math
from collections.abc import Mapping
from time import perf_counter
from types import ModuleType
from typing import Any, Self

import numpy as np
import pandas as pd

from analysis.categories.codes import sentence_lengths
from analysis.categories.models.base import Chain, Text, check_same_text, cluster_series, known_words, read_text
from analysis.structures import check_at_least, check_between, check_choice

_LEVELS = 4  # trigram, bigram, unigram, emission
_STEP = 0.3  # standard deviation of the proposals for the logit of a discount and the logarithm of a concentration


def _kernels() -> ModuleType:
    from analysis.categories.models import pitman_yor_kernels

    return pitman_yor_kernels


class PitmanYorHMM(Chain):
    """Trigram hidden Markov model with hierarchical Pitman-Yor transitions and one tag for each word type.

    The tag k after i and j is drawn from T[i,j] ~ PY(a, b, B[j]), B[j] ~ PY(a, b, U), U ~ PY(a, b, uniform over the
    K tags and the boundary); the word from E[k] ~ PY(a, b, uniform over the types of the text). With n customers and t
    tables, P(k | i, j) = (n[ijk] - a t[ijk] + (b + a t[ij]) P(k | j)) / (n[ij] + b). An utterance follows two boundary
    tags and is ended by one transition to the boundary. A step takes all tokens of a word type out of the counts,
    weighs each tag by the product of the probabilities of adding its events again one after another, and draws. Of
    expected tables equal events are added together, in the order of the first ones; exact probabilities do not depend
    on the order. A sweep visits all types in a random order.

    Parameters
    ----------
    n_clusters : int
        Number of tags, K.
    sweeps : int
        Total length of the chain, including sweeps before a resumed `fit`.
    tables : {"expected", "simulated"}
        ``"expected"``, after Blunsom & Cohn: each customer adds the expected fraction of a table and removes the
        average fraction when leaving, and the text is seated again after each sweep; a fast approximation.
        ``"simulated"``: tables are part of the state. The tables of each other tag are simulated once, the present tag
        keeps its tables, and one of the K tags is drawn by weight: this leaves the exact posterior invariant.
    discounts, concentrations : float or four floats
        a, from 0 to below 1, and b, above 0, of trigram, bigram, unigram and emission; initial values if resampled.
    resample : bool
        Whether to take a Metropolis-Hastings step for each a and b after each sweep. With expected tables the
        probability is that of seating the text from empty restaurants.
    discount_prior, concentration_prior : (float, float)
        Beta prior of each a, and shape and scale of the Gamma prior of each b, after Blunsom & Cohn.
    annealing : (float, float), optional
        Temperature of the first and of the last sweep, decreasing by a constant factor; tags are drawn from their
        weights to the power 1 / temperature.
    initialisation : {"random"} or mapping
        A random tag for each type, or the tag, 0 .. K-1, of each type.
    progress : bool
        Whether to show a progress bar with the log probability.
    random_state : int, Generator or None
        Seed of the chain.

    Attributes
    ----------
    labels_ : ndarray of int64, shape (n_tokens,)
        Tag, 0 .. K-1, of each token of the training text: that of its type.
    type_labels_ : ndarray of int64, shape (n_types,)
        Tag of each type of ``vocabulary_``.
    log_probability_ : ndarray of float64, shape (sweeps_done_,)
        After each sweep, in nats: with expected tables the log probability of tags and words, seated from empty
        restaurants in the order of the text; with simulated ones the joint log probability of tags, words and tables.
    discounts_, concentrations_ : ndarray of float64, shape (sweeps_done_, 4)
        After each sweep.
    moves_ : ndarray of int64, shape (sweeps_done_,)
        Types whose tag changed in each sweep.
    seconds_ : ndarray of float64, shape (sweeps_done_,)
        Time of each sweep, including resampling.
    sweeps_done_ : int
        Sweeps done; fewer than requested if the user interrupted `fit`.
    vocabulary_ : pandas.Index
        The word types of the training text.

    References
    ----------
    Blunsom & Cohn (2011), "A hierarchical Pitman-Yor process HMM for unsupervised part of speech induction"; Gelling
    et al. (2012), section 4 (there BC). Simulated tables: conditional importance sampling, after Andrieu, Doucet &
    Holenstein (2010).

    Examples
    --------
    >>> tokens = pd.DataFrame({"sentence": [0, 0, 1, 1], "form": ["the", "dog", "the", "cat"]})
    >>> model = PitmanYorHMM(n_clusters=2, sweeps=20, progress=False).fit(tokens)
    >>> model.labels_.shape, model.sweeps_done_, bool(model.labels_[0] == model.labels_[2])
    ((4,), 20, True)
    """

    def __init__(
        self,
        n_clusters: int = 45,
        sweeps: int = 100,
        tables: str = "expected",
        discounts: float | tuple[float, float, float, float] = 0.5,
        concentrations: float | tuple[float, float, float, float] = 1.0,
        resample: bool = True,
        discount_prior: tuple[float, float] = (1.0, 1.0),
        concentration_prior: tuple[float, float] = (10.0, 0.1),
        annealing: tuple[float, float] | None = None,
        initialisation: Any = "random",
        progress: bool = True,
        random_state: int | np.random.Generator | None = 0,
    ) -> None:
        self.n_clusters = n_clusters
        self.sweeps = sweeps
        self.tables = tables
        self.discounts = discounts
        self.concentrations = concentrations
        self.resample = resample
        self.discount_prior = discount_prior
        self.concentration_prior = concentration_prior
        self.annealing = annealing
        self.initialisation = initialisation
        self.progress = progress
        self.random_state = random_state

    def fit(self, tokens: pd.DataFrame, resume: "PitmanYorHMM | None" = None) -> Self:
        """Sample until the chain has ``sweeps`` sweeps.

        Parameters
        ----------
        tokens : DataFrame
            Columns ``sentence`` and ``form``; a sentence is an utterance.
        resume : PitmanYorHMM, optional
            A model with as many tags and the same ``tables``, fitted on the same tokens: its chain is continued as if
            it had not been interrupted. It may be the model itself.

        Returns
        -------
        PitmanYorHMM
            The fitted model.

        Raises
        ------
        ValueError
            If a parameter or the table is invalid, or ``resume`` belongs to other tokens or another model.
        KeyboardInterrupt
                After Ctrl-C: the current sweep is completed first, and the model is fitted up to it; ``fit(tokens,
                resume=model)`` continues.
        """
        self._check_parameters()
        text = read_text(tokens)
        if resume is None:
            self._begin(text)
        else:
            self._resume(copy.deepcopy(resume), text)
        self._sample()
        return self

    def predict(self, tokens: pd.DataFrame, unknown: str = "context") -> pd.Series:
        """Tag each token with the tag of its type.

        Parameters
        ----------
        tokens : DataFrame
            Columns ``sentence`` and ``form``.
        unknown : {"context", "missing"}
            A token of an unseen word gets, in one pass from left to right, the most probable tag given the surrounding
            tags: those before it, and those of known words after it. The emission factor is the tag's probability of a
            new table. Or it gets none.

        Returns
        -------
        Series of Int32, named ``cluster``
            Tag, 0 .. K-1, of each token, with the index of ``tokens``.
        """
        self._require_fit("labels_")
        check_choice("unknown", unknown, ("context", "missing"))
        tags = np.append(self.type_labels_, -1)[known_words(tokens, self.vocabulary_)]
        if unknown == "context" and (tags < 0).any():
            self._tag_unknown(tags, sentence_lengths(tokens))
        return cluster_series(tags, tokens.index)

    def transition_probabilities(self) -> np.ndarray:
        """Compute P(k | i, j) given the training text: float64 of shape (K + 1, K + 1, K + 1), [i, j, k], boundary
        last.
        """
        self._require_fit("labels_")
        M, s = self.n_clusters + 1, self._seating
        a, b = self._parameters()
        p = np.full(M, 1 / M)
        cell, row = len(s.customers) - len(self.vocabulary_), len(s.all_customers) - self.n_clusters
        for level, shape in ((2, (M,)), (1, (M, M)), (0, (M, M, M))):
            cells, rows = int(np.prod(shape)), int(np.prod(shape[:-1]))
            cell, row = cell - cells, row - rows
            customers, tables = (part[cell : cell + cells].reshape(shape) for part in (s.customers, s.tables))
            all_customers, all_tables = (
                part[row : row + rows].reshape(*shape[:-1], 1) for part in (s.all_customers, s.all_tables)
            )
            p = (customers - a[level] * tables + (b[level] + a[level] * all_tables) * p) / (all_customers + b[level])
        return p

    def emission_probabilities(self) -> np.ndarray:
        """Compute P(word | k) given the training text: float64 of shape (K, n_types)."""
        self._require_fit("labels_")
        s, K, W = self._seating, self.n_clusters, len(self.vocabulary_)
        a, b = (float(values[3]) for values in self._parameters())
        all_customers, all_tables = s.all_customers[-K:], s.all_tables[-K:]
        p = np.repeat(((b + a * all_tables) / W)[:, None], W, axis=1)
        p[self.type_labels_, np.arange(W)] += s.customers[-W:] - a * s.tables[-W:]
        return p / (all_customers + b)[:, None]

    # Implementation

    def _check_parameters(self) -> None:
        check_between(1, 1000, n_clusters=self.n_clusters)
        check_at_least(0, sweeps=self.sweeps)
        check_choice("tables", self.tables, ("expected", "simulated"))
        a, b = _four(self.discounts, "discounts"), _four(self.concentrations, "concentrations")
        if not ((a >= 0) & (a < 1)).all():
            raise ValueError(f"discounts is {self.discounts}; they must be from 0 to below 1.")
        if not ((b > 0) & (b < np.inf)).all():
            raise ValueError(f"concentrations is {self.concentrations}; they must be numbers above 0.")
        if self.resample and (a == 0).any():
            raise ValueError("a discount of 0 cannot be resampled: give one above 0, or resample=False.")
        for name in ("discount_prior", "concentration_prior"):
            if len(getattr(self, name)) != 2 or not min(getattr(self, name)) > 0:
                raise ValueError(f"{name} is {getattr(self, name)}; give two numbers above 0.")
        self._check_annealing()

    def _begin(self, text: Text) -> None:
        codes, self._lengths, self.vocabulary_ = text
        self._codes = codes.astype(np.int64)
        K, W = self.n_clusters, len(self.vocabulary_)
        self._random = np.random.default_rng(np.random.default_rng(self.random_state).integers(2**63))
        self._tag_of = np.append(self._start(self.vocabulary_), K)
        self._words, self._places = _layout(self._codes, self._lengths, W)
        self._tokens_of = np.bincount(codes, minlength=W)
        self._event_start, self._events = _events_of_types(self._words, self._places, W)
        room = 3 * len(self._places) + len(codes) + 1 if self.tables == "simulated" else 1
        self._seating = _kernels().empty(K, W, room)
        self.log_probability_, self.moves_, self.seconds_ = np.array([]), np.array([], np.int64), np.array([])
        self.discounts_, self.concentrations_ = np.empty((0, _LEVELS)), np.empty((0, _LEVELS))
        self._finish()
        if self.tables == "simulated":
            _kernels().build_simulated(self._seating, self._text(), self._parameters(), self._random)
        else:
            _kernels().build_expected(self._seating, self._text(), self._parameters())

    def _start(self, vocabulary: pd.Index) -> np.ndarray:
        start = self.initialisation
        if isinstance(start, str) and start == "random":
            return self._random.integers(0, self.n_clusters, len(vocabulary))
        if not isinstance(start, Mapping | pd.Series):
            raise ValueError(f"initialisation is {start!r}; it must be 'random' or a mapping from types to tags.")
        missing = [form for form in vocabulary if form not in start]
        if missing:
            raise ValueError(f"initialisation has no tag for {missing[0]!r}.")
        tags = np.array([start[form] for form in vocabulary], dtype=np.int64)
        if tags.min() < 0 or tags.max() >= self.n_clusters:
            raise ValueError(f"initialisation must give tags from 0 to {self.n_clusters - 1}.")
        return tags

    def _resume(self, other: "PitmanYorHMM", text: Text) -> None:
        other._require_fit("labels_")
        for name in ("n_clusters", "tables"):
            if getattr(other, name) != getattr(self, name):
                raise ValueError(
                    f"{name} of the chain to resume is {getattr(other, name)!r}, here {getattr(self, name)!r}."
                )
        check_same_text(text, Text(other._codes, other._lengths, other.vocabulary_))
        self._take_over(other)
        self._seating = _kernels().packed(self._seating)

    def _text(self) -> Any:
        return _kernels().Text(
            self._words, self._places, self._event_start, self._events, self._tag_of, self._tokens_of,
            self.n_clusters + 1,
        )  # fmt: skip

    def _parameters(self) -> tuple[np.ndarray, np.ndarray]:
        """Return the current discounts and concentrations."""
        if self.sweeps_done_:
            return self.discounts_[-1].copy(), self.concentrations_[-1].copy()
        return _four(self.discounts, "discounts"), _four(self.concentrations, "concentrations")

    def _finish(self) -> None:
        self.sweeps_done_ = len(self.log_probability_)
        self.type_labels_ = self._tag_of[:-1].astype(np.int64)
        self.labels_ = self.type_labels_[self._codes]

    def _log_probability(self, a: np.ndarray, b: np.ndarray) -> float:
        """Compute the log probability of tags and words, and of simulated tables; with expected tables seat the text
        again.
        """
        kernel = _kernels().log_simulated if self.tables == "simulated" else _kernels().build_expected
        return float(kernel(self._seating, self._text(), (a, b)))

    def _sample(self) -> None:
        kernels = _kernels()
        sweep_types = kernels.sweep_simulated if self.tables == "simulated" else kernels.sweep_expected
        a, b = self._parameters()
        traces = self.log_probability_, self.discounts_, self.concentrations_, self.moves_, self.seconds_
        rows: list[tuple] = list(zip(*traces, strict=True))
        label = f"Pitman-Yor HMM, K = {self.n_clusters}"
        with self._steps(label, self.sweeps_done_, self.sweeps, self.sweeps) as (steps, bar):
            for done in steps:
                start, power = perf_counter(), 1.0 / self._temperature(done)
                order = self._random.permutation(len(self.vocabulary_))
                moves = sweep_types(self._seating, self._text(), order, (a, b), power, self._random)
                log_probability = self._log_probability(a, b)
                if self.resample:
                    a, b, log_probability = self._resample(a, b, log_probability)
                rows.append((log_probability, a.copy(), b.copy(), moves, perf_counter() - start))
                bar.set_postfix_str(f"log probability {log_probability:,.0f}", refresh=False)
            if rows:
                values = list(zip(*rows, strict=True))
                self.log_probability_, self.moves_, self.seconds_ = (np.array(values[i]) for i in (0, 3, 4))
                self.discounts_, self.concentrations_ = np.array(values[1]), np.array(values[2])
            self._finish()

    def _resample(self, a: np.ndarray, b: np.ndarray, present: float) -> tuple[np.ndarray, np.ndarray, float]:
        """Take one Metropolis-Hastings step for each parameter, on the logit or the logarithmic scale."""
        shape, scale = self.concentration_prior
        one, other = self.discount_prior
        for kind in range(2 * _LEVELS):
            new_a, new_b, level = a.copy(), b.copy(), kind // 2
            step = _STEP * self._random.standard_normal()
            if kind % 2 == 0:
                odds = a[level] / (1 - a[level]) * math.exp(step)
                new_a[level] = odds / (1 + odds)
                # the Beta prior times the derivative of the logit
                prior = one * math.log(new_a[level] / a[level]) + other * math.log((1 - new_a[level]) / (1 - a[level]))
            else:
                new_b[level] = b[level] * math.exp(step)
                prior = shape * step - (new_b[level] - b[level]) / scale
            proposed = self._log_probability(new_a, new_b)
            if math.log(1.0 - self._random.random()) < proposed - present + prior:
                a, b, present = new_a, new_b, proposed
        if self.tables == "expected":
            present = self._log_probability(a, b)
        return a, b, present

    def _tag_unknown(self, tags: np.ndarray, lengths: np.ndarray) -> None:
        """Assign tags to the tokens without one, from left to right."""
        K, s = self.n_clusters, self._seating
        a, b = (float(values[3]) for values in self._parameters())
        steps = np.log(self.transition_probabilities())
        emission = np.log((b + a * s.all_tables[-K:]) / (s.all_customers[-K:] + b))
        ends = np.cumsum(lengths)
        for at in np.flatnonzero(tags < 0):
            sentence = int(np.searchsorted(ends, at, side="right"))
            first, last = ends[sentence] - lengths[sentence], ends[sentence]
            before2, before1 = (tags[at - d] if at - d >= first else K for d in (2, 1))
            after1 = tags[at + 1] if at + 1 < last else K
            weights = emission + steps[before2, before1, :K]
            if after1 >= 0:
                weights = weights + steps[before1, :K, after1]
                after2 = tags[at + 2] if at + 2 < last else K
                if after1 < K and after2 >= 0:
                    weights = weights + steps[np.arange(K), after1, after2]
            tags[at] = int(np.argmax(weights))


def _four(values: float | tuple[float, ...], name: str) -> np.ndarray:
    """One value per level."""
    found = np.asarray(values, dtype=np.float64)
    if found.shape not in ((), (_LEVELS,)):
        raise ValueError(f"{name} is {values}; give one number, or four: trigram, bigram, unigram, emission.")
    return np.broadcast_to(found, _LEVELS).copy()


def _layout(codes: np.ndarray, lengths: np.ndarray, boundary: int) -> tuple[np.ndarray, np.ndarray]:
    """Insert two boundaries before each utterance and two at the end; return also the positions of all events.

    Examples
    --------
    >>> words, places = _layout(np.array([0, 1, 0]), np.array([2, 1]), boundary=9)
    >>> words.tolist(), places.tolist()
    ([9, 9, 0, 1, 9, 9, 0, 9, 9], [2, 3, 4, 6, 7])
    """
    starts = np.cumsum(lengths + 2) - lengths
    words = np.full(len(codes) + 2 * len(lengths) + 2, boundary, dtype=np.int64)
    of_tokens = np.arange(len(codes)) + 2 * (np.repeat(np.arange(len(lengths)), lengths) + 1)
    words[of_tokens] = codes
    return words, np.sort(np.concatenate([of_tokens, starts + lengths]))


def _events_of_types(words: np.ndarray, places: np.ndarray, n_types: int) -> tuple[np.ndarray, np.ndarray]:
    """List the events of each type, each once, in the order of the text; those of type w begin at ``start[w]``."""
    pairs = np.unique(np.concatenate([words[places - back] * len(words) + places for back in range(3)]))
    starts = np.searchsorted(pairs, np.arange(n_types + 1) * len(words))
    return starts, pairs[: starts[-1]] % len(words)
