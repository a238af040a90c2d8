"""Bayesian HMM of Goldwater & Griffiths (2007), fitted by collapsed Gibbs sampling."""

import json
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from time import perf_counter
from types import ModuleType
from typing import Any, Self

import numpy as np
import pandas as pd

from analysis.categories.codes import sentence_lengths
from analysis.categories.models.base import Chain, Text, check_same_text, cluster_series, known_words, read_text
from analysis.structures import check_at_least, check_between, check_choice, check_positive
from analysis.structures.source import check_source
from analysis.structures.writing import write_whole

_ORDERS = {"trigram": 3, "bigram": 2, 3: 3, 2: 2}
_CHUNK = 100_000  # number of tokens of new text tagged at a time
_VITERBI_STEPS = 10**11
_TRACES = ("log_probability", "transition_prior", "emission_prior", "changed", "seconds")


def _kernels() -> ModuleType:
    from analysis.categories.models import hmm_kernels

    return hmm_kernels


def _aligned(length: int, dtype: Any) -> np.ndarray:
    """Allocate zeros aligned to 64 bytes."""
    size = length * np.dtype(dtype).itemsize
    buffer = np.zeros(size + 64, np.uint8)
    start = -buffer.ctypes.data % 64
    return buffer[start : start + size].view(dtype)


class _Layout:
    """Tokens in one flat array with boundaries, and their order in a sweep."""

    def __init__(self, lengths: np.ndarray, words: np.ndarray, order: int, boundary: int) -> None:
        utterance = np.repeat(np.arange(len(lengths)), lengths)
        self.places = (np.arange(len(words)) + 2 * (utterance + 1)).astype(np.int32)
        self.tags = np.full(len(words) + 2 * len(lengths) + 2, boundary, np.int16)
        ranks = np.concatenate([np.flatnonzero(self.places % order == colour) for colour in range(order)])
        self.order = self.places[ranks]
        self.words = words
        self.ordered_words = words[ranks]


class BayesianHMM(Chain):
    """Bayesian hidden Markov model over word tokens; its parameters are integrated out.

    Transitions and emissions have symmetric Dirichlet priors. An utterance is preceded by boundary tags (two for the
    trigram) and ended by one transition to the boundary, so a transition has K + 1 outcomes. A sweep draws the tag of
    every token once from its exact conditional given all other tags, repeated and overlapping transitions included.
    Tokens are visited by their position modulo the order of the model, a valid order for Gibbs sampling that is faster
    than from left to right.

    Parameters
    ----------
    n_clusters : int
        Number of tags, K.
    order : {"trigram", "bigram"}
        A tag depends on the two previous tags or on one; 3 and 2 are also accepted.
    sweeps : int
        Total length of the chain, including sweeps before a resumed `fit`.
    transition_prior, emission_prior : float
        Parameters of the Dirichlet priors, alpha and beta; initial values if they are resampled.
    resample_priors : bool
        After each sweep take one Metropolis-Hastings step for each prior: proposal Normal(x, (0.1 x)^2), flat prior on
        x > 0. (The flat prior and therefore the posterior are improper, but the tail has negligible weight in
        practice.)
    annealing : (float, float), optional
        Temperature of the first and of the last sweep, decreasing by a constant factor; a tag is drawn from its
        conditional to the power 1 / temperature. Reichart et al. (2010) anneal; (2, 0.08) are the values of
        Goldwater & Griffiths. The priors are not tempered.
    initialisation : {"random", "type"} or array-like of shape (n_tokens,)
        Each token, or each word type, starts with a random tag, or with the tag given (0 .. K-1).
    progress : bool
        Whether to show a progress bar with the log probability.
    random_state : int, Generator or None
        Seed of the chain and of `predict`.

    Attributes
    ----------
    labels_ : ndarray of int64, shape (n_tokens,)
        Tag, 0 .. K-1, of each token of the training text in the last sweep.
    log_probability_ : ndarray of float64, shape (sweeps_done_,)
        Log of the joint probability of words and tags given the priors, after each sweep, with all constants.
    transition_prior_, emission_prior_ : ndarray of float64, shape (sweeps_done_,)
        The priors after each sweep.
    changed_ : ndarray of int64, shape (sweeps_done_,)
        Tokens whose tag changed in each sweep.
    seconds_ : ndarray of float64, shape (sweeps_done_,)
        Time of each sweep, priors and log probability included.
    sweeps_done_ : int
        Sweeps done; fewer than requested if the user interrupted `fit`.
    vocabulary_ : pandas.Index
        The word types of the training text.

    References
    ----------
    Goldwater & Griffiths (2007); Frank, Goldwater & Keller (2009), section "Bayesian Hidden Markov Model";
    Reichart, Abend & Rappoport (2010), section 5 (there GG07).

    Examples
    --------
    >>> tokens = pd.DataFrame({"sentence": [0, 0, 1, 1], "form": ["the", "dog", "the", "cat"]})
    >>> model = BayesianHMM(n_clusters=2, sweeps=20, progress=False, random_state=1).fit(tokens)
    >>> model.labels_.shape, model.sweeps_done_
    ((4,), 20)
    >>> model.predict(pd.DataFrame({"sentence": [0, 0], "form": ["the", "cow"]})).dtype
    Int32Dtype()
    """

    def __init__(
        self,
        n_clusters: int = 12,
        order: str | int = "trigram",
        sweeps: int = 100,
        transition_prior: float = 1.0,
        emission_prior: float = 1.0,
        resample_priors: bool = True,
        annealing: tuple[float, float] | None = None,
        initialisation: Any = "random",
        progress: bool = True,
        random_state: int | np.random.Generator | None = 0,
    ) -> None:
        self.n_clusters = n_clusters
        self.order = order
        self.sweeps = sweeps
        self.transition_prior = transition_prior
        self.emission_prior = emission_prior
        self.resample_priors = resample_priors
        self.annealing = annealing
        self.initialisation = initialisation
        self.progress = progress
        self.random_state = random_state

    def fit(
        self,
        tokens: pd.DataFrame,
        resume: "BayesianHMM | Mapping | str | os.PathLike | None" = None,
        until: int | None = None,
    ) -> Self:
        """Sample until the chain has ``sweeps`` sweeps.

        Parameters
        ----------
        tokens : DataFrame
            Columns ``sentence`` and ``form``; a sentence is an utterance.
        resume : BayesianHMM, mapping or path, optional
            A model, the result of `state`, or a file of `save`, fitted on the same tokens: the chain continues exactly
            as if it had not been interrupted. Its tags, priors and random numbers are taken over; ``initialisation``
            and ``random_state`` are not used.
        until : int, optional
            Pause after this many sweeps; the temperature schedule is still that of ``sweeps``; ``fit(tokens,
            resume=model)`` continues as if there had been no pause.

        Returns
        -------
        BayesianHMM
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
            self._resume(resume, text)
        self._sample(self.sweeps if until is None else min(until, self.sweeps))
        return self

    def predict(
        self, tokens: pd.DataFrame, method: str = "gibbs", sweeps: int = 5, beam: int | None = None
    ) -> pd.Series:
        """Tag new text; the counts of the training text are not changed.

        A word unknown to training has emission beta / (n[k] + W beta), W the types of the training text. The training
        text is treated as new text too; its tags from training are ``labels_``.

        Parameters
        ----------
        tokens : DataFrame
            Columns ``sentence`` and ``form``.
        method : {"gibbs", "mode", "viterbi"}
            ``"gibbs"``: the last of ``sweeps`` Gibbs sweeps, which start from tags drawn from left to right.
            ``"mode"``: the most frequent of each token's ``sweeps`` samples; ties go to the lowest tag.
            ``"viterbi"``: the most probable tags of each utterance.
        sweeps : int
            Gibbs sweeps over the text.
        beam : int, optional
            Number of histories that Viterbi keeps at each token (a history is one tag, for the trigram two). None keeps
            all: exact, with K^2 steps per token for the bigram and K^3 for the trigram.

        Returns
        -------
        Series of Int32, named ``cluster``
            Tag, 0 .. K-1, of each token, with the index of ``tokens``. Repeated calls give the same tags.

        Raises
        ------
        ValueError
            If an argument is invalid, or exact Viterbi would take more than 10^11 steps.
        """
        self._require_fit("labels_")
        check_choice("method", method, ("gibbs", "mode", "viterbi"))
        check_at_least(1, sweeps=sweeps, beam=beam)
        words, lengths = known_words(tokens, self.vocabulary_), sentence_lengths(tokens)
        if method == "viterbi":
            return cluster_series(self._viterbi(words, lengths, beam), tokens.index)
        return cluster_series(self._tag(words, lengths, method == "mode", sweeps), tokens.index)

    def state(self) -> dict[str, Any]:
        """Return the complete state of the chain as arrays and numbers, for `from_state`."""
        self._require_fit("labels_")
        return {
            **self._provenance(),
            "vocabulary": list(self.vocabulary_),
            "words": self._words.copy(),
            "lengths": self._lengths.copy(),
            "tags": self._tags.copy(),
            "random": self._random.copy(),
            **{name: getattr(self, f"{name}_").copy() for name in _TRACES},
        }

    @classmethod
    def from_state(cls, state: Mapping[str, Any]) -> Self:
        """Make a fitted model from the result of `state`.

        Raises
        ------
        ValueError
            If the state was made by other source of the model.
        """
        check_source(state, cls)
        model = cls(**state["parameters"])
        model._check_parameters()
        model.vocabulary_ = pd.Index(state["vocabulary"])
        model._words, model._lengths = state["words"].copy(), state["lengths"].copy()
        model._tags, model._random = state["tags"].copy(), state["random"].copy()
        model._set_traces([state[name] for name in _TRACES])
        model._count()
        return model

    def save(self, path: str | os.PathLike) -> None:
        """Write the state to one compressed file, atomically."""
        state = self.state()
        plain = {name: state.pop(name) for name in ("source", "parameters", "vocabulary")}
        target = Path(path)
        plain_text = np.array(json.dumps(plain, default=_plain))
        write_whole(target, lambda stream: np.savez_compressed(stream, plain=plain_text, **state))

    @classmethod
    def load(cls, path: str | os.PathLike) -> Self:
        """Read a model written by `save`.

        Raises
        ------
        ValueError
            If the file does not contain a state made by this source of the model.
        """
        with np.load(path, allow_pickle=False) as arrays:
            if "plain" not in arrays:
                raise ValueError(f"{os.fspath(path)} holds no saved Bayesian HMM.")
            state = {name: arrays[name] for name in arrays.files if name != "plain"}
            state |= json.loads(str(arrays["plain"]))
        if state["parameters"]["annealing"] is not None:
            state["parameters"]["annealing"] = tuple(state["parameters"]["annealing"])
        return cls.from_state(state)

    # Implementation

    def _check_parameters(self) -> None:
        check_choice("order", self.order, tuple(_ORDERS))
        check_between(1, 2**15 - 2, n_clusters=self.n_clusters)
        check_at_least(0, sweeps=self.sweeps)
        check_positive(transition_prior=self.transition_prior, emission_prior=self.emission_prior)
        self._check_annealing()

    @property
    def _name(self) -> str:
        return "trigram" if _ORDERS[self.order] == 3 else "bigram"

    def _begin(self, text: Text) -> None:
        generator = np.random.default_rng(self.random_state)
        self._random = generator.integers(0, 2**64, size=4, dtype=np.uint64)
        self._random[3] |= np.uint64(1)  # a generator with four zeros would only return zeros
        words = text.words
        tags = np.empty(len(words), np.int16)
        start = self.initialisation
        if isinstance(start, str) and start == "random":
            _kernels().random_tags(tags, self.n_clusters, self._random)
        elif isinstance(start, str) and start == "type":
            of_type = np.empty(len(text.vocabulary), np.int16)
            _kernels().random_tags(of_type, self.n_clusters, self._random)
            tags[:] = of_type[words]
        elif isinstance(start, str):
            raise ValueError(f"initialisation is {start!r}; it must be 'random', 'type' or one tag per token.")
        else:
            given = np.asarray(start)
            if given.shape != words.shape or given.min() < 0 or given.max() >= self.n_clusters:
                raise ValueError(f"initialisation must give {len(words):,} tags from 0 to {self.n_clusters - 1}.")
            tags[:] = given
        self._words, self._lengths, self.vocabulary_ = text
        self._tags = tags
        self._set_traces([[] for _ in _TRACES])
        self._count()

    def _resume(self, resume: "BayesianHMM | Mapping | str | os.PathLike", text: Text) -> None:
        if isinstance(resume, str | os.PathLike):
            resume = type(self).load(resume)
        state = resume.state() if isinstance(resume, BayesianHMM) else resume
        other = type(self).from_state(state)
        if (other._name, other.n_clusters) != (self._name, self.n_clusters):
            raise ValueError(
                f"the chain to resume is a {other._name} with {other.n_clusters} clusters, "
                f"this model a {self._name} with {self.n_clusters}."
            )
        check_same_text(text, Text(other._words, other._lengths, other.vocabulary_))
        self._take_over(other)

    def _set_traces(self, traces: Any) -> None:
        log_probability, transition, emission, changed, seconds = traces
        self.log_probability_ = np.array(log_probability, np.float64)
        self.transition_prior_ = np.array(transition, np.float64)
        self.emission_prior_ = np.array(emission, np.float64)
        self.changed_ = np.array(changed, np.int64)
        self.seconds_ = np.array(seconds, np.float64)
        self.sweeps_done_ = len(self.log_probability_)
        self.labels_ = self._tags.astype(np.int64)

    def _count(self) -> None:
        """Compute the counts from words and tags."""
        kernels = _kernels()
        K, W = self.n_clusters, len(self.vocabulary_)
        self._layout = layout = _Layout(self._lengths, self._words, _ORDERS[self.order], K)
        layout.tags[layout.places] = self._tags
        self._shape = shape = kernels.shape(_ORDERS[self.order], K, W)
        self._cells = _aligned(shape.cells, np.int32)
        self._totals = _aligned(shape.totals, np.int64)
        self._inverses = _aligned(shape.inverses, np.float64)
        kernels.count(shape, layout.tags, self._cells, self._totals, layout.order, layout.ordered_words)
        kernels.invert(shape, self._totals, self._inverses, *self._priors())

    def _priors(self) -> tuple[float, float]:
        """Return the current alpha and beta."""
        if self.sweeps_done_:
            return float(self.transition_prior_[-1]), float(self.emission_prior_[-1])
        return float(self.transition_prior), float(self.emission_prior)

    def _sample(self, until: int) -> None:
        kernels = _kernels()
        shape, layout, cells, totals, inverses = self._shape, self._layout, self._cells, self._totals, self._inverses
        tables = kernels.Tables(layout.tags, cells, totals, inverses)
        weights = _aligned(shape.stride, np.float64)
        alpha, beta = self._priors()
        traces: list[list] = [list(getattr(self, f"{name}_")) for name in _TRACES]
        with self._steps(f"HMM, K = {self.n_clusters}", self.sweeps_done_, until, self.sweeps) as (steps, bar):
            for done in steps:
                start, power = perf_counter(), 1.0 / self._temperature(done)
                changed = kernels.sweep(
                    shape, tables, layout.order, layout.ordered_words, (alpha, beta), power, self._random, weights
                )
                if self.resample_priors:
                    alpha = kernels.step_alpha(shape, cells, totals, alpha, self._random)
                    beta = kernels.step_beta(shape, cells, totals, beta, self._random)
                    kernels.invert(shape, totals, inverses, alpha, beta)
                log_probability = kernels.log_transitions(shape, cells, totals, alpha)
                log_probability += kernels.log_emissions(shape, cells, totals, beta)
                seconds = perf_counter() - start
                for trace, value in zip(traces, (log_probability, alpha, beta, changed, seconds), strict=True):
                    trace.append(value)
                bar.set_postfix_str(f"log probability {log_probability:,.0f}", refresh=False)
            self._tags = layout.tags[layout.places]
            self._set_traces(traces)

    def _tag(self, words: np.ndarray, lengths: np.ndarray, mode: bool, sweeps: int) -> np.ndarray:
        kernels = _kernels()
        seed = self.random_state if isinstance(self.random_state, int | np.integer) else 0
        state = np.random.default_rng([int(seed) % 2**64, 1]).integers(1, 2**64, size=4, dtype=np.uint64)
        shape = self._shape
        weights = _aligned(shape.stride, np.float64)
        out = np.empty(len(words), np.int64)
        for first, last, begin, end in _chunks(lengths):
            layout = _Layout(lengths[first:last], words[begin:end], _ORDERS[self.order], self.n_clusters)
            tables = kernels.Tables(layout.tags, self._cells, self._totals, self._inverses)
            draw = (self._priors(), state, weights)
            kernels.tag_start(shape, tables, layout.places, layout.words, *draw)
            samples = np.empty((sweeps if mode else 1, end - begin), np.int16)
            for t in range(sweeps):
                kernels.tag_sweep(shape, tables, layout.order, layout.ordered_words, *draw)
                if mode or t == sweeps - 1:
                    samples[t if mode else 0] = layout.tags[layout.places]
            kernels.most_frequent(samples, self.n_clusters, out[begin:end])
        return out

    def _viterbi(self, words: np.ndarray, lengths: np.ndarray, beam: int | None) -> np.ndarray:
        steps = len(words) * self.n_clusters ** _ORDERS[self.order]
        if beam is None and steps > _VITERBI_STEPS:
            raise ValueError(f"exact Viterbi would take {steps:.1e} steps; give a beam, such as beam=100.")
        transitions, emissions = self._log_probabilities()
        out = np.empty(len(words), np.int64)
        trigram = self._name == "trigram"
        kept = beam if beam is not None else (self.n_clusters + 1) ** 2
        _kernels().viterbi(transitions, emissions, trigram, lengths, words, kept, out)
        return out

    def _log_probabilities(self) -> tuple[np.ndarray, np.ndarray]:
        """Return logs of the expected transitions, [a, b, c] (a is 0 for the bigram), and emissions, [w, k]."""
        shape, counts, K = self._shape, self._cells, self.n_clusters
        M, S, W = K + 1, shape.stride, shape.words
        alpha, beta = self._priors()
        emitted = counts[shape.emission :].reshape(W + 1, S)[:, :K]
        emissions = np.log((emitted + beta) / (self._totals[:K] + W * beta))
        cells = np.zeros((M if self._name == "trigram" else 1, M, M))
        cells[:, :, :K] = counts[: shape.middle].reshape(-1, M, S)[:, :, :K]
        if self._name == "trigram":
            cells[:, :K, K] = counts[shape.middle : shape.last].reshape(M, M, S)[:, K, :K]
        else:
            cells[0, :K, K] = counts[shape.last : shape.emission].reshape(M, S)[K, :K]
        contexts = cells.sum(axis=2, keepdims=True)
        return np.log((cells + alpha) / (contexts + M * alpha)), emissions


def _chunks(lengths: np.ndarray) -> Iterator[tuple[int, int, int, int]]:
    """Yield chunks of whole utterances: first and last utterance, first and last token."""
    ends = np.cumsum(lengths)
    first, begin = 0, 0
    while first < len(lengths):
        last = max(int(np.searchsorted(ends, begin + _CHUNK, side="right")), first + 1)
        yield first, last, begin, int(ends[last - 1])
        first, begin = last, int(ends[last - 1])


def _plain(value: Any) -> Any:
    """Convert NumPy numbers for JSON."""
    if isinstance(value, np.generic):
        return value.item()
    raise ValueError(f"a word must be a string or a number to be saved, not {type(value).__name__}: {value!r}.")
