"""Infinite HMM of Van Gael, Vlachos & Ghahramani (2009): the number of tags is inferred."""

from collections.abc import Mapping
from time import perf_counter
from types import MappingProxyType, ModuleType
from typing import Any, Self

import numpy as np
import pandas as pd

from analysis.categories.codes import sentence_lengths
from analysis.categories.models.base import Chain, Text, check_same_text, cluster_series, known_words, read_text
from analysis.structures import check_at_least, check_between, check_choice, check_positive, check_share
from analysis.structures.source import check_source

_TRACES = ("log_probability", "clusters", "concentration", "base_concentration", "changed", "seconds")
_VITERBI_STEPS = 10**11

CONFIGURATIONS = MappingProxyType(
    {
        1: {"process": "dirichlet", "learn_concentrations": False},
        2: {"process": "pitman-yor", "learn_concentrations": False},
        3: {"process": "dirichlet", "learn_concentrations": True},
    }
)
"""Arguments of the three configurations of Reichart et al. (2010): GVG09(1), (2) and (3)."""


def _kernels() -> ModuleType:
    from analysis.categories.models import infinite_hmm_kernels

    return infinite_hmm_kernels


class InfiniteHMM(Chain):
    """Bigram hidden Markov model with an unbounded number of tags, fitted by beam sampling.

    Base weights b come from a stick-breaking process of concentration gamma; the transitions of each tag are a
    Dirichlet process of concentration alpha around them; emissions have a symmetric Dirichlet prior. The text is one
    sequence of states in which the boundary is a fixed state: it precedes each utterance and ends it by one transition,
    it emits nothing, and the first boundary of the text is itself a draw from b. So the boundary has the first stick,
    and the tags share the remaining weight.

    A sweep draws for each transition a slice u, uniform below its probability; then the tags of each utterance
    together, forward filtering and backward sampling over the finitely many transitions more probable than their
    slice (more sticks are broken when a state that was reached needs them); then it removes empty tags, and draws
    tables of the Chinese restaurant franchise, base weights given the tables, transitions, and emissions.

    Parameters
    ----------
    process : {"dirichlet", "pitman-yor"}
        Stick number k has the proportion Beta(1 - d, gamma + k d), with d = 0 for the Dirichlet process.
    discount : float
        d of the Pitman-Yor process, from 0 to below 1; the Dirichlet process does not use it.
    concentration, base_concentration : float
        alpha, of the transitions, and gamma, of the base weights; initial values if they are learned.
    learn_concentrations : bool
        Whether to draw both in each sweep, with the auxiliary variables of Escobar & West (1995) and Teh et al. (2006).
    concentration_prior, base_concentration_prior : (float, float)
        Shape and rate of the gamma prior of each, if they are learned.
    emission_prior : float
        Parameter e of the Dirichlet prior of emissions.
    initial_clusters : int
        Initial number of tags.
    sweeps : int
        Total length of the chain, including sweeps before a resumed `fit`.
    initialisation : {"random", "type"} or array-like of shape (n_tokens,)
        Each token, or each word type, starts with a random tag, or with the tag given (0, 1, ...).
    keep_every : int, optional
        Interval, in sweeps, at which the tags of all tokens are stored in ``kept_labels_``.
    progress : bool
        Whether to show a progress bar with the number of clusters.
    random_state : int, Generator or None
        Seed of the chain.

    Attributes
    ----------
    labels_ : ndarray of int64, shape (n_tokens,)
        Tag, 0 .. K-1, of each token of the training text in the last sweep. Numbers are consecutive; remaining tags
        keep their order, so the number of a tag decreases when an earlier one is removed.
    n_clusters_ : int
        K, the number of tags in the last sweep.
    clusters_ : ndarray of int64, shape (sweeps_done_,)
        K after each sweep.
    log_probability_ : ndarray of float64, shape (sweeps_done_,)
        Log of the probability of words and tags together given the base weights, alpha and e, transitions and
        emissions integrated out, after each sweep.
    concentration_, base_concentration_ : ndarray of float64, shape (sweeps_done_,)
        alpha and gamma after each sweep.
    changed_ : ndarray of int64, shape (sweeps_done_,)
        Tokens whose tag changed in each sweep.
    seconds_ : ndarray of float64, shape (sweeps_done_,)
        Total time of each sweep.
    kept_labels_ : ndarray of int16 or int32, shape (n_kept, n_tokens)
        Tags after the sweeps whose numbers, from 1, are ``kept_sweeps_``.
    sweeps_done_ : int
        Sweeps done; fewer than requested if the user interrupted `fit`.
    vocabulary_ : pandas.Index
        The word types of the training text.

    Notes
    -----
    Reichart et al. (2010) give neither the fixed values nor the priors nor the initial number of tags; the defaults
    here are our choice. `CONFIGURATIONS` has the differences between the paper's three configurations.

    References
    ----------
    Van Gael, Vlachos & Ghahramani (2009); Van Gael, Saatci, Teh & Ghahramani (2008) for the beam sampler; Reichart,
    Abend & Rappoport (2010), section 5 (there GVG09).

    Examples
    --------
    >>> tokens = pd.DataFrame({"sentence": [0, 0, 1, 1], "form": ["the", "dog", "the", "cat"]})
    >>> model = InfiniteHMM(initial_clusters=2, sweeps=20, progress=False, random_state=1).fit(tokens)
    >>> model.labels_.shape, bool(model.n_clusters_ == model.labels_.max() + 1 == model.clusters_[-1])
    ((4,), True)
    """

    def __init__(
        self,
        process: str = "dirichlet",
        discount: float = 0.1,
        concentration: float = 1.0,
        base_concentration: float = 1.0,
        learn_concentrations: bool = False,
        concentration_prior: tuple[float, float] = (1.0, 1.0),
        base_concentration_prior: tuple[float, float] = (1.0, 1.0),
        emission_prior: float = 0.1,
        initial_clusters: int = 50,
        sweeps: int = 100,
        initialisation: Any = "random",
        keep_every: int | None = None,
        progress: bool = True,
        random_state: int | np.random.Generator | None = 0,
    ) -> None:
        self.process = process
        self.discount = discount
        self.concentration = concentration
        self.base_concentration = base_concentration
        self.learn_concentrations = learn_concentrations
        self.concentration_prior = concentration_prior
        self.base_concentration_prior = base_concentration_prior
        self.emission_prior = emission_prior
        self.initial_clusters = initial_clusters
        self.sweeps = sweeps
        self.initialisation = initialisation
        self.keep_every = keep_every
        self.progress = progress
        self.random_state = random_state

    def fit(
        self, tokens: pd.DataFrame, resume: "InfiniteHMM | Mapping | None" = None, until: int | None = None
    ) -> Self:
        """Sample until the chain has ``sweeps`` sweeps.

        Parameters
        ----------
        tokens : DataFrame
            Columns ``sentence`` and ``form``; a sentence is an utterance.
        resume : InfiniteHMM or mapping, optional
            A model, or the result of `state`, fitted on the same tokens: the chain continues exactly as if it had not
            been interrupted. Its tags, parameters and random numbers are taken over; ``initialisation``,
            ``initial_clusters``, ``random_state`` and initial values of learned concentrations are not used.
        until : int, optional
            Pause after this many sweeps.

        Returns
        -------
        InfiniteHMM
            The fitted model.

        Raises
        ------
        ValueError
            If a parameter or the table is invalid, or ``resume`` belongs to other tokens.
        KeyboardInterrupt
                After Ctrl-C: the current sweep is completed first, and the model is fitted up to it; ``fit(tokens,
                resume=model)`` continues.
        """
        self._check_parameters()
        text = read_text(tokens)
        if resume is None:
            self._begin(text)
        else:
            self._resume(resume.state() if isinstance(resume, InfiniteHMM) else resume, text)
        self._sample(self.sweeps if until is None else min(until, self.sweeps))
        return self

    def predict(self, tokens: pd.DataFrame, beam: int | None = None) -> pd.Series:
        """Tag new text with the most probable tags of each utterance (Viterbi), without new tags.

        Transitions and emissions are their expectations given the tags of the last sweep and the base weights:
        (n[j,k] + alpha b[k]) / (n[j] + alpha) and (n[k,w] + e) / (n[k] + W e), W the types of the training text. A
        word unknown to training has n[k,w] = 0. The training text is treated as new text too; its tags from training
        are ``labels_``.

        Parameters
        ----------
        tokens : DataFrame
            Columns ``sentence`` and ``form``.
        beam : int, optional
            Number of tags kept at each token. None keeps all: exact, with K^2 steps per token.

        Returns
        -------
        Series of Int32, named ``cluster``
            Tag, 0 .. K-1, of each token, with the index of ``tokens``.

        Raises
        ------
        ValueError
            If an argument is invalid, or exact Viterbi would take more than 10^11 steps.
        """
        self._require_fit("labels_")
        check_at_least(1, beam=beam)
        steps = len(tokens) * self.n_clusters_**2
        if beam is None and steps > _VITERBI_STEPS:
            raise ValueError(f"exact Viterbi would take {steps:.1e} steps; give a beam, such as beam=20.")
        from analysis.categories.models.hmm_kernels import viterbi

        out = np.empty(len(tokens), np.int64)
        kept = self.n_clusters_ + 1 if beam is None else beam
        words, lengths = known_words(tokens, self.vocabulary_), sentence_lengths(tokens)
        viterbi(*self._log_expectations(), False, lengths, words, kept, out)
        return cluster_series(out, tokens.index)

    def state(self) -> dict[str, Any]:
        """Everything the chain consists of, as arrays and numbers: `from_state` makes the same model of it."""
        self._require_fit("labels_")
        K = self.n_clusters_ + 1
        tables = self._tables
        return {
            **self._provenance(),
            "vocabulary": list(self.vocabulary_),
            "words": self._words.copy(),
            "lengths": np.diff(self._starts),
            "tags": self._tags.copy(),
            "concentrations": self._concentrations.copy(),
            "weights": np.append(tables.weights[:K], tables.rest),
            "transitions": np.vstack([tables.into[:K, :K], tables.row_rest[:K]]),
            "random": self._random.copy(),
            "kept_sweeps": self.kept_sweeps_.copy(),
            "kept_labels": self.kept_labels_.copy(),
            **{name: getattr(self, f"{name}_").copy() for name in _TRACES},
        }

    @classmethod
    def from_state(cls, state: Mapping[str, Any]) -> Self:
        """Make a fitted model from what `state` returned.

        Raises
        ------
        ValueError
            If the state was made by another source of the model.
        """
        check_source(state, cls)
        model = cls(**state["parameters"])
        model._check_parameters()
        model._restore(state)
        return model

    # Implementation. The states of the kernels are the boundary, 0, and the tags from 1.

    def _check_parameters(self) -> None:
        check_choice("process", self.process, ("dirichlet", "pitman-yor"))
        check_share(discount=self.discount)
        check_positive(concentration=self.concentration, base_concentration=self.base_concentration)
        check_positive(emission_prior=self.emission_prior)
        for name in ("concentration_prior", "base_concentration_prior"):
            pair = getattr(self, name)
            if not (len(pair) == 2 and min(pair) > 0 and max(pair) < np.inf):
                raise ValueError(f"{name} is {pair}; give the shape and the rate of a gamma prior, both above 0.")
        check_between(1, 2**15 - 1, initial_clusters=self.initial_clusters)
        check_at_least(0, sweeps=self.sweeps)
        check_at_least(1, keep_every=self.keep_every)

    @property
    def _discount(self) -> float:
        return float(self.discount) if self.process == "pitman-yor" else 0.0

    def _begin(self, text: Text) -> None:
        words, lengths, self.vocabulary_ = text
        generator = np.random.default_rng(self.random_state)
        self._random = generator.integers(0, 2**64, size=4, dtype=np.uint64)
        self._random[3] |= np.uint64(1)  # a generator with four zeros would only return zeros
        tags = self._first_tags(words, len(self.vocabulary_), generator) + 1
        self._tags, self._words = tags.astype(np.int32), words
        self._starts = np.append(0, np.cumsum(lengths))
        self._concentrations = np.array([self.concentration, self.base_concentration], np.float64)
        K = int(tags.max()) + 1
        self._tables = _kernels().tables(max(2 * K, 16), len(self.vocabulary_), lengths.max())
        self._tables.size[0], self._tables.weights[:K], self._tables.rest[0] = K, 1 / (K + 1), 1 / (K + 1)
        self._redraw(learn=False)
        self._set_traces([[] for _ in _TRACES], [], [])

    def _first_tags(self, words: np.ndarray, types: int, generator: np.random.Generator) -> np.ndarray:
        start = self.initialisation
        if isinstance(start, str) and start == "random":
            return generator.integers(0, self.initial_clusters, len(words))
        if isinstance(start, str) and start == "type":
            return generator.integers(0, self.initial_clusters, types)[words]
        if isinstance(start, str):
            raise ValueError(f"initialisation is {start!r}; it must be 'random', 'type' or one tag per token.")
        given = np.asarray(start)
        if given.shape != words.shape or given.min() < 0 or given.max() >= 2**15:
            raise ValueError(f"initialisation must give {len(words):,} tags from 0 to {2**15 - 1}.")
        return given

    def _sweep(self) -> int:
        """Draw all tags, and return how many changed."""
        kernels, done = _kernels(), np.zeros(4, np.int64)
        process = (*self._concentrations, self._discount, float(self.emission_prior))
        while not kernels.sweep(self._tables, self._tags, self._words, self._starts, done, process, self._random):
            self._tables = kernels.wider(self._tables)
        return int(done[2])

    def _redraw(self, learn: bool) -> None:
        """Draw everything else; concentrations only if they are learned."""
        gammas = np.array([*self.concentration_prior, *self.base_concentration_prior], np.float64)
        _kernels().redraw(
            self._tables, (self._tags, self._words, self._starts), self._concentrations, self._discount, learn,
            gammas, self._random,
        )  # fmt: skip

    def _resume(self, state: Mapping[str, Any], text: Text) -> None:
        check_source(state, type(self))
        check_same_text(text, Text(state["words"], state["lengths"], pd.Index(state["vocabulary"])))
        self._restore(state)
        if not self.learn_concentrations:
            self._concentrations[:] = self.concentration, self.base_concentration

    def _restore(self, state: Mapping[str, Any]) -> None:
        kernels = _kernels()
        self.vocabulary_ = pd.Index(state["vocabulary"])
        self._words, self._tags = state["words"].copy(), state["tags"].copy()
        self._starts = np.append(0, np.cumsum(state["lengths"]))
        self._concentrations, self._random = state["concentrations"].copy(), state["random"].copy()
        K = len(state["weights"]) - 1
        self._tables = tables = kernels.tables(max(2 * K, 16), len(self.vocabulary_), max(state["lengths"]))
        tables.size[0], tables.weights[:K], tables.rest[0] = K, state["weights"][:K], state["weights"][K]
        kernels.count(tables, self._tags, self._words, self._starts)
        tables.into[:K, :K], tables.row_rest[:K] = state["transitions"][:K], state["transitions"][K]
        for row in range(K):
            kernels.rank(tables, row)
        kernels.renew_sticks(tables)
        self._set_traces([state[name] for name in _TRACES], state["kept_sweeps"], list(state["kept_labels"]))

    def _set_traces(self, traces: list, kept_sweeps: Any, kept_labels: list) -> None:
        for name, values in zip(_TRACES, traces, strict=True):
            kind = np.int64 if name in ("clusters", "changed") else np.float64
            setattr(self, f"{name}_", np.array(values, kind))
        self.sweeps_done_ = len(traces[0])
        self.labels_ = self._tags.astype(np.int64) - 1
        self.n_clusters_ = int(self._tables.size[0]) - 1
        self.kept_sweeps_ = np.array(kept_sweeps, np.int64)
        self.kept_labels_ = np.array(kept_labels, np.int16).reshape(len(kept_labels), len(self._tags))

    def _sample(self, until: int) -> None:
        traces: list[list] = [list(getattr(self, f"{name}_")) for name in _TRACES]
        kept_sweeps, kept_labels = list(self.kept_sweeps_), list(self.kept_labels_)
        with self._steps("infinite HMM", self.sweeps_done_, until, self.sweeps) as (steps, bar):
            for done in steps:
                start = perf_counter()
                changed = self._sweep()
                self._redraw(self.learn_concentrations)
                log_probability = _kernels().log_probability(
                    self._tables, self._concentrations[0], float(self.emission_prior)
                )
                clusters = int(self._tables.size[0]) - 1
                values = (log_probability, clusters, *self._concentrations, changed, perf_counter() - start)
                for trace, value in zip(traces, values, strict=True):
                    trace.append(value)
                if self.keep_every and (done + 1) % self.keep_every == 0:
                    kept_sweeps.append(done + 1)
                    kept_labels.append((self._tags - 1).astype(np.int16))
                bar.set_postfix_str(f"{clusters} clusters, log probability {log_probability:,.0f}", refresh=False)
            self._set_traces(traces, kept_sweeps, kept_labels)

    def _log_expectations(self) -> tuple[np.ndarray, np.ndarray]:
        """Return logs of expected transitions, [0, j, k], boundary last, and of emissions, [w, k], unknown word
        last.
        """
        tables, K, W = self._tables, self.n_clusters_, len(self.vocabulary_)
        alpha, prior = self._concentrations[0], self.emission_prior
        followed = tables.followed[: K + 1, : K + 1]
        transitions = (followed + alpha * tables.weights[: K + 1]) / (followed.sum(axis=1, keepdims=True) + alpha)
        emitted = np.vstack([tables.emitted[:, 1 : K + 1], np.zeros((1, K))])
        with np.errstate(divide="ignore"):  # a weight can underflow
            logs = np.log(np.roll(transitions, (-1, -1), axis=(0, 1)))
        return np.ascontiguousarray(logs[None]), np.log((emitted + prior) / (emitted.sum(axis=0) + W * prior))
