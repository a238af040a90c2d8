"""Infinite HMM of Van Gael, Vlachos & Ghahramani (2009): the number of tags is inferred."""

import itertools
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from time import perf_counter
from types import MappingProxyType, ModuleType
from typing import Any, Self

import numpy as np
import pandas as pd
from joblib import effective_n_jobs

from analysis.categories.codes import sentence_lengths
from analysis.categories.models.base import Chain, Text, check_same_text, cluster_series, known_words, read_text
from analysis.statistics.convergence import split_r_hat
from analysis.structures import check_at_least, check_between, check_choice, check_positive, check_share
from analysis.structures.source import check_source

_TRACES = (
    "log_probability", "clusters", "concentration", "base_concentration", "emission_concentration", "changed",
    "split_merge", "seconds",
)  # fmt: skip
_SCANS = 5  # of a split or merge move, before the last
_PARTS = 64  # in which the utterances are shared out among threads
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

    A sweep draws emissions; for each transition a slice u, uniform below its probability; breaks sticks until no state
    left out can be reached above the least slice; then draws the tags of each utterance together, forward filtering
    and backward sampling over the finitely many transitions more probable than their slice. It drops empty tags,
    tries to split and to merge tags, and draws tables of the Chinese restaurant franchise, base weights given the
    tables, and transitions. Moving one token after the other hardly ever empties a tag or fills a new one, so a chain
    without splits and mergers keeps about as many tags as it begins with; see `overdispersed_starts`.

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
        Parameter e of the Dirichlet prior of emissions; its first value if it is learned.
    learn_emission_prior : bool
        Draw e in each sweep, by the same auxiliary variables.
    emission_prior_prior : (float, float)
        Shape and rate of the gamma prior of e, if it is learned.
    split_merge : int
        Splits and mergers of tags tried in a sweep, each accepted with its exact probability (Jain & Neal 2004).
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
    n_jobs : int
        Threads that draw tags and emissions, -1 for all processors; the numbers do not depend on it.

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
    concentration_, base_concentration_, emission_concentration_ : ndarray of float64, shape (sweeps_done_,)
        alpha, gamma and e after each sweep.
    changed_ : ndarray of int64, shape (sweeps_done_,)
        Tokens whose tag changed in each sweep, those of accepted splits and mergers left out.
    split_merge_ : ndarray of int64, shape (sweeps_done_, 4)
        Splits tried and accepted, mergers tried and accepted, in each sweep.
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
    Neither the fixed values nor the priors nor the number of tags at the start are in Reichart et al. (2010), nor
    whether tags were split and merged. The defaults here are chosen: see `CONFIGURATIONS` for what distinguishes the
    paper's three.

    References
    ----------
    Van Gael, Vlachos & Ghahramani (2009); Van Gael, Saatci, Teh & Ghahramani (2008) for the beam sampler; Jain & Neal
    (2004) for splits and mergers; Reichart, Abend & Rappoport (2010), section 5 (there GVG09).

    Examples
    --------
    >>> tokens = pd.DataFrame({"sentence": [0, 0, 1, 1], "form": ["the", "dog", "the", "cat"]})
    >>> model = InfiniteHMM(initial_clusters=2, sweeps=20, progress=False, random_state=1).fit(tokens)
    >>> model.labels_.shape, bool(model.n_clusters_ == model.labels_.max() + 1 == model.clusters_[-1])
    ((4,), True)
    """

    clusters_: np.ndarray
    log_probability_: np.ndarray

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
        learn_emission_prior: bool = False,
        emission_prior_prior: tuple[float, float] = (1.0, 1.0),
        split_merge: int = 10,
        initial_clusters: int = 50,
        sweeps: int = 100,
        initialisation: Any = "random",
        keep_every: int | None = None,
        progress: bool = True,
        random_state: int | np.random.Generator | None = 0,
        n_jobs: int = 1,
    ) -> None:
        self.process = process
        self.discount = discount
        self.concentration = concentration
        self.base_concentration = base_concentration
        self.learn_concentrations = learn_concentrations
        self.concentration_prior = concentration_prior
        self.base_concentration_prior = base_concentration_prior
        self.emission_prior = emission_prior
        self.learn_emission_prior = learn_emission_prior
        self.emission_prior_prior = emission_prior_prior
        self.split_merge = split_merge
        self.initial_clusters = initial_clusters
        self.sweeps = sweeps
        self.initialisation = initialisation
        self.keep_every = keep_every
        self.progress = progress
        self.random_state = random_state
        self.n_jobs = n_jobs

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
            "lengths": np.diff(self._text.starts) - 1,
            "tags": self._tags(),
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
        for name in ("concentration_prior", "base_concentration_prior", "emission_prior_prior"):
            pair = getattr(self, name)
            if not (len(pair) == 2 and min(pair) > 0 and max(pair) < np.inf):
                raise ValueError(f"{name} is {pair}; give the shape and the rate of a gamma prior, both above 0.")
        check_between(1, 2**15 - 1, initial_clusters=self.initial_clusters)
        check_at_least(0, sweeps=self.sweeps, split_merge=self.split_merge)
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
        self._words = words
        self._concentrations = np.array([self.concentration, self.base_concentration, self.emission_prior], np.float64)
        K = int(tags.max()) + 1
        self._set_text(tags, lengths, K)
        self._tables.size[:], self._tables.weights[:K], self._tables.rest[0] = K, 1 / (K + 1), 1 / (K + 1)
        _kernels().count(self._tables, self._text)
        self._redraw(learn=False)
        self._set_traces([[] for _ in _TRACES], [], [])

    def _set_text(self, tags: np.ndarray, lengths: np.ndarray, states: int) -> None:
        """Lay out the text, and tables with room for more states."""
        kernels = _kernels()
        self._text = kernels.text(tags, self._words, lengths)
        self._slices = np.zeros(len(self._text.path), np.float32)
        self._tables = kernels.tables(states + states // 2 + 8, len(self.vocabulary_))

    def _tags(self) -> np.ndarray:
        """States of the tokens, from 1."""
        return self._text.path[self._text.words >= 0]

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

    @property
    def _process(self) -> tuple[float, float, float, float]:
        concentration, base, prior = self._concentrations.tolist()
        return concentration, base, self._discount, prior

    def _sweep(self, run: Callable[[Callable, Iterable], Iterable]) -> int:
        """Draw all tags, and return how many changed; ``run`` maps a function over arguments."""
        kernels, text, slices = _kernels(), self._text, self._slices
        prior, blocks = self._process[3], kernels.word_blocks(len(self.vocabulary_))
        sums, seed = np.zeros((blocks, len(self._tables.weights))), kernels.random_seed(self._random)
        parts = _parts(np.arange(blocks + 1))
        list(run(lambda part: kernels.draw_emissions(self._tables, *part, prior, seed, sums), parts))
        kernels.scale_emissions(self._tables, sums)
        other, parts = kernels.random_seed(self._random), _parts(text.starts)
        least = min(run(lambda part: kernels.slice_utterances(self._tables, text, slices, *part, other), parts))
        while not kernels.break_sticks(self._tables, least, self._process, self._random):
            self._tables = kernels.wider(self._tables)
        kernels.emit_new(self._tables, text, slices, prior, self._random)
        return sum(run(lambda part: kernels.sample_utterances(self._tables, text, slices, *part, other), parts))

    def _move(self) -> np.ndarray:
        """Count, try splits and mergers, and say how many were tried and accepted."""
        from analysis.categories.models.infinite_hmm_moves import split_and_merge

        kernels = _kernels()
        kernels.count(self._tables, self._text)
        if not self.split_merge:
            return np.zeros(4, np.int64)
        while self._tables.size[0] + self.split_merge >= len(self._tables.weights):
            self._tables = kernels.wider(self._tables)
        moves = self.split_merge, _SCANS
        tried = split_and_merge(self._tables, self._text, moves, self._process, self._random)
        if tried[3]:
            kernels.count(self._tables, self._text)
        else:
            self._tables.size[1] = self._tables.size[0]
        return tried

    def _redraw(self, learn: bool) -> None:
        """Draw everything but the tags, which are counted; concentrations only if they are learned."""
        gammas = [*self.concentration_prior, *self.base_concentration_prior, *self.emission_prior_prior]
        learnt = (learn and self.learn_concentrations, learn and self.learn_emission_prior)
        _kernels().redraw(
            self._tables, self._concentrations, self._discount, learnt, np.array(gammas, np.float64), self._random
        )

    def _resume(self, state: Mapping[str, Any], text: Text) -> None:
        check_source(state, type(self))
        check_same_text(text, Text(state["words"], state["lengths"], pd.Index(state["vocabulary"])))
        self._restore(state)
        if not self.learn_concentrations:
            self._concentrations[:2] = self.concentration, self.base_concentration
        if not self.learn_emission_prior:
            self._concentrations[2] = self.emission_prior

    def _restore(self, state: Mapping[str, Any]) -> None:
        kernels = _kernels()
        self.vocabulary_ = pd.Index(state["vocabulary"])
        self._words = state["words"].copy()
        self._concentrations, self._random = state["concentrations"].copy(), state["random"].copy()
        K = len(state["weights"]) - 1
        self._set_text(state["tags"], state["lengths"], K)
        tables = self._tables
        tables.size[:], tables.weights[:K], tables.rest[0] = K, state["weights"][:K], state["weights"][K]
        kernels.count(tables, self._text)
        tables.into[:K, :K], tables.row_rest[:K] = state["transitions"][:K], state["transitions"][K]
        tables.rows[:K, :K] = tables.into[:K, :K].T
        self._set_traces([state[name] for name in _TRACES], state["kept_sweeps"], list(state["kept_labels"]))

    def _set_traces(self, traces: list, kept_sweeps: Any, kept_labels: list) -> None:
        for name, values in zip(_TRACES, traces, strict=True):
            kind = np.int64 if name in ("clusters", "changed", "split_merge") else np.float64
            array = np.array(values, kind)
            setattr(self, f"{name}_", array.reshape(-1, 4) if name == "split_merge" else array)
        self.sweeps_done_ = len(traces[0])
        self.labels_ = self._tags().astype(np.int64) - 1
        self.n_clusters_ = int(self._tables.size[0]) - 1
        self.kept_sweeps_ = np.array(kept_sweeps, np.int64)
        self.kept_labels_ = np.array(kept_labels, np.int16).reshape(len(kept_labels), len(self._words))

    def _sample(self, until: int) -> None:
        traces: list[list] = [list(getattr(self, f"{name}_")) for name in _TRACES]
        kept_sweeps, kept_labels = list(self.kept_sweeps_), list(self.kept_labels_)
        steps_of = self._steps("infinite HMM", self.sweeps_done_, until, self.sweeps)
        with self._runner() as pool, steps_of as (steps, bar):
            for done in steps:
                start = perf_counter()
                changed = self._sweep(pool.map if pool else map)
                moves = self._move()
                self._redraw(learn=True)
                log_probability = _kernels().log_probability(
                    self._tables, self._concentrations[0], self._concentrations[2]
                )
                clusters = int(self._tables.size[0]) - 1
                values = (log_probability, clusters, *self._concentrations, changed, moves, perf_counter() - start)
                for trace, value in zip(traces, values, strict=True):
                    trace.append(value)
                if self.keep_every and (done + 1) % self.keep_every == 0:
                    kept_sweeps.append(done + 1)
                    kept_labels.append((self._tags() - 1).astype(np.int16))
                bar.set_postfix_str(f"{clusters} clusters, log probability {log_probability:,.0f}", refresh=False)
            self._set_traces(traces, kept_sweeps, kept_labels)

    def _runner(self) -> Any:
        """Threads, or none."""
        threads = effective_n_jobs(self.n_jobs)
        return ThreadPoolExecutor(threads) if threads > 1 else nullcontext()

    def _log_expectations(self) -> tuple[np.ndarray, np.ndarray]:
        """Return logs of expected transitions, [0, j, k], boundary last, and of emissions, [w, k], unknown word
        last.
        """
        tables, K, W = self._tables, self.n_clusters_, len(self.vocabulary_)
        alpha, prior = self._concentrations[0], self._concentrations[2]
        followed = tables.followed[: K + 1, : K + 1]
        transitions = (followed + alpha * tables.weights[: K + 1]) / (followed.sum(axis=1, keepdims=True) + alpha)
        emitted = np.vstack([tables.emitted[:, 1 : K + 1], np.zeros((1, K))])
        with np.errstate(divide="ignore"):  # a weight can underflow
            logs = np.log(np.roll(transitions, (-1, -1), axis=(0, 1)))
        return np.ascontiguousarray(logs[None]), np.log((emitted + prior) / (emitted.sum(axis=0) + W * prior))


def overdispersed_starts(
    tokens: pd.DataFrame, starts: Sequence[int] = (10, 50, 200), burn_in: float = 0.5, **parameters: Any
) -> pd.DataFrame:
    """Fit one chain from each of several numbers of tags, and say whether they come to the same number.

    Parameters
    ----------
    tokens : DataFrame
        Columns ``sentence`` and ``form``.
    starts : sequence of int
        Numbers of tags at the start, from far below to far above what is expected.
    burn_in : float
        Share of the sweeps that is left out, from 0 to below 1.
    **parameters
        Further arguments of `InfiniteHMM`.

    Returns
    -------
    DataFrame
        See `agreement_of_chains`.

    Examples
    --------
    >>> tokens = pd.DataFrame({"sentence": [0, 0, 1, 1], "form": ["the", "dog", "the", "cat"]})
    >>> overdispersed_starts(tokens, starts=(1, 3), sweeps=40, progress=False)["start"].tolist()
    [1, 3]
    """
    chains = [InfiniteHMM(**{**parameters, "initial_clusters": start}).fit(tokens) for start in starts]
    return agreement_of_chains(list(starts), [(chain.clusters_, chain.log_probability_) for chain in chains], burn_in)


def agreement_of_chains(
    starts: Sequence[int], traces: Sequence[tuple[np.ndarray, np.ndarray]], burn_in: float = 0.5
) -> pd.DataFrame:
    """Number of tags of several chains, and whether they agree.

    Parameters
    ----------
    starts : sequence of int
        Number of tags at the start of each chain.
    traces : sequence of (array, array)
        Number of tags and log probability after each sweep, as many of each chain.
    burn_in : float
        Share of the sweeps that is left out, from 0 to below 1.

    Returns
    -------
    DataFrame
        One row per chain: ``start``, ``clusters`` (after the last sweep), ``lower``, ``mean`` and ``upper`` (of the
        sweeps that are not left out), ``log_probability`` (their mean), ``sweeps``. In each row the same two:
        ``r_hat`` of the number of tags and ``r_hat_log_probability`` (`split_r_hat`), missing if fewer than four
        sweeps are not left out. While either is above 1.1 the chains have found no number of tags.

    Examples
    --------
    >>> still = [(np.full(8, start), np.full(8, -9.0)) for start in (10, 50)]
    >>> agreement_of_chains([10, 50], still)[["start", "clusters", "r_hat"]].values.tolist()
    [[10, 10, inf], [50, 50, inf]]
    """
    check_share(burn_in=burn_in)
    later = [[np.asarray(trace)[int(len(trace) * burn_in) :] for trace in pair] for pair in traces]
    rows = [
        {"start": start, "clusters": int(clusters[-1]), "lower": int(clusters.min()), "mean": float(clusters.mean()),
         "upper": int(clusters.max()), "log_probability": float(values.mean()), "sweeps": len(pair[0])}
        for start, pair, (clusters, values) in zip(starts, traces, later, strict=True)
    ]  # fmt: skip
    enough = all(len(clusters) >= 4 for clusters, _ in later)
    r_hats = [split_r_hat(list(values)) if enough else pd.NA for values in zip(*later, strict=True)]
    return (
        pd.DataFrame(rows)
        .assign(r_hat=r_hats[0], r_hat_log_probability=r_hats[1])
        .astype({"r_hat": "Float64", "r_hat_log_probability": "Float64"})
    )


def _parts(starts: np.ndarray) -> list[tuple[int, int]]:
    """Share out utterances, given where they start, into parts of about as many tokens, whoever draws them.

    Examples
    --------
    >>> _parts(np.array([0, 5, 6, 7]))
    [(0, 1), (1, 2), (2, 3)]
    """
    wanted = np.linspace(starts[0], starts[-1], _PARTS + 1)
    cuts = np.unique(np.append(np.searchsorted(starts, wanted[:-1]), len(starts) - 1))
    return [(int(begin), int(end)) for begin, end in itertools.pairwise(cuts)]
