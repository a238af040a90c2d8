"""Hidden Markov model of Gao & Johnson (2008), fitted by variational Bayes."""

import copy
import itertools
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from time import perf_counter
from types import ModuleType
from typing import Any, NamedTuple, Self

import numpy as np
import pandas as pd
from joblib import effective_n_jobs

from analysis.categories.codes import sentence_lengths
from analysis.categories.models.base import Chain, Text, check_same_text, cluster_series, known_words, read_text
from analysis.structures import check_at_least, check_between, check_choice, check_positive
from analysis.structures.source import check_source

_DECODERS = ("viterbi", "posterior")
_ARRAYS = ("transitions", "emissions", "bound", "seconds")
_PARTS, _TOKENS_A_PART = 4, 50_000  # into how many the text is shared out for threads at most, and how large they are


def _kernels() -> ModuleType:
    from analysis.categories.models import variational_hmm_kernels

    return variational_hmm_kernels


class _Weights(NamedTuple):
    """Logarithms of the weights: transitions (K + 1, K + 1), boundary last, and emissions (words + 1, K).

    ``divergence`` is the Kullback-Leibler divergence of the posterior of all parameters from the prior.
    """

    transitions: np.ndarray
    emissions: np.ndarray
    divergence: float


class VariationalHMM(Chain):
    """Bigram hidden Markov model with fixed symmetric Dirichlet priors, fitted by variational Bayes.

    The posterior of tags and parameters is approximated by a product of two distributions, of tags and of parameters,
    which are optimised in turn. Boundaries are those of `BayesianHMM`: an utterance follows the boundary and is ended
    by a transition to it, so a transition has K + 1 outcomes. The weights of the forward-backward pass are exp(psi(E
    n[j,k] + a) - psi(E n[j] + (K+1) a)) for transitions and exp(psi(E n[k,w] + b) - psi(E n[k] + W b)) for emissions,
    psi the digamma function; they need not sum to 1.

    Parameters
    ----------
    n_clusters : int
        Number of tags, K; 45 in Reichart et al. (2010).
    iterations : int
        Maximum total number of passes over the text, including passes before a resumed `fit`.
    transition_prior, emission_prior : float
        Parameters a and b of the Dirichlet priors. Gao & Johnson tried 1, 0.5, 0.1 and so on down to 0.0001; the best
        value depends on the size of the corpus.
    decode : {"viterbi", "posterior"}
        Tags of an utterance: the most probable sequence, or the most probable tag of each token.
    tolerance : float
        Stop when a pass increases the bound by less than this proportion of it; 0 never stops early.
    progress : bool
        Whether to show a progress bar with the bound.
    random_state : int, Generator or None
        Seed of the initial state: the tokens of each word type, and the transitions from each tag, are divided in
        random proportions.
    n_jobs : int
        Threads that go over the text, -1 for all processors; the numbers do not depend on it.

    Attributes
    ----------
    labels_ : ndarray of int64, shape (n_tokens,)
        Tag, 0 .. K-1, of each token of the training text.
    bound_ : ndarray of float64, shape (iterations_done_,)
        Lower bound of the log probability of the words: log Z of each pass minus the Kullback-Leibler divergence of
        the approximate posterior of the parameters from their prior. It never decreases.
    seconds_ : ndarray of float64, shape (iterations_done_,)
        Time of each pass.
    iterations_done_ : int
    converged_ : bool
        Whether the last pass increased the bound by less than ``tolerance``.
    transitions_ : ndarray of float64, shape (K + 1, K + 1)
        Expected transitions; the last row and column are the boundary.
    emissions_ : ndarray of float64, shape (n_types, K)
        Expected tokens of each word type with each tag.
    vocabulary_ : pandas.Index
        The word types of the training text.

    References
    ----------
    Gao & Johnson (2008); Reichart, Abend & Rappoport (2010), section 5 (there GJ08).

    Examples
    --------
    >>> tokens = pd.DataFrame({"sentence": [0, 0, 1, 1], "form": ["the", "dog", "the", "cat"]})
    >>> model = VariationalHMM(n_clusters=2, iterations=30, emission_prior=0.1, progress=False).fit(tokens)
    >>> bool((np.diff(model.bound_) > -1e-9).all()), model.emissions_.sum().round(6).item()
    (True, 4.0)
    """

    def __init__(
        self,
        n_clusters: int = 45,
        iterations: int = 100,
        transition_prior: float = 0.1,
        emission_prior: float = 0.1,
        decode: str = "viterbi",
        tolerance: float = 1e-7,
        progress: bool = True,
        random_state: int | np.random.Generator | None = 0,
        n_jobs: int = 1,
    ) -> None:
        self.n_clusters = n_clusters
        self.iterations = iterations
        self.transition_prior = transition_prior
        self.emission_prior = emission_prior
        self.decode = decode
        self.tolerance = tolerance
        self.progress = progress
        self.random_state = random_state
        self.n_jobs = n_jobs

    def fit(
        self, tokens: pd.DataFrame, resume: "VariationalHMM | Mapping | None" = None, until: int | None = None
    ) -> Self:
        """Run passes until there are ``iterations`` of them or the bound converges.

        Parameters
        ----------
        tokens : DataFrame
            Columns ``sentence`` and ``form``; a sentence is an utterance.
        resume : VariationalHMM or mapping, optional
            A model with as many tags, fitted on the same tokens, or its `state`: its expected counts and traces are
            continued as if it had not been interrupted. It may be the model itself.
        until : int, optional
            Pause after this many passes; ``fit(tokens, resume=model)`` continues as if there had been no pause.

        Returns
        -------
        VariationalHMM
                The fitted model.

        Raises
        ------
        ValueError
            If a parameter or the table is invalid, or ``resume`` belongs to other tokens or another number of tags.
        KeyboardInterrupt
                After Ctrl-C: the current pass is completed first, and the model is fitted up to it.
        """
        self._check_parameters()
        text = read_text(tokens)
        if resume is None:
            self._begin(text)
        else:
            other = copy.deepcopy(resume) if isinstance(resume, VariationalHMM) else type(self).from_state(resume)
            self._resume(other, text)
        self._improve(self.iterations if until is None else min(until, self.iterations))
        return self

    def predict(self, tokens: pd.DataFrame, decode: str | None = None) -> pd.Series:
        """Tag text with the fitted model; an unseen word is treated as a word with zero counts.

        Parameters
        ----------
        tokens : DataFrame
            Columns ``sentence`` and ``form``.
        decode : {"viterbi", "posterior"}, optional
            The default is that of the model.

        Returns
        -------
        Series of Int32, named ``cluster``
            Tag, 0 .. K-1, of each token, with the index of ``tokens``.
        """
        self._require_fit("labels_")
        words = known_words(tokens, self.vocabulary_)
        begins = np.r_[0, np.cumsum(sentence_lengths(tokens))]
        return cluster_series(self._decode(words, begins, decode), tokens.index)

    def state(self) -> dict[str, Any]:
        """Everything the fit consists of, as arrays and numbers: `from_state` makes the same model of it."""
        self._require_fit("labels_")
        return {
            **self._provenance(),
            "vocabulary": list(self.vocabulary_),
            "words": self._words.copy(),
            "begins": self._begins.copy(),
            "converged": bool(self.converged_),
            **{name: getattr(self, f"{name}_").copy() for name in _ARRAYS},
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
        model.vocabulary_ = pd.Index(state["vocabulary"])
        model._words, model._begins = state["words"].copy(), state["begins"].copy()
        for name in _ARRAYS:
            setattr(model, f"{name}_", state[name].copy())
        model.iterations_done_, model.converged_ = len(model.bound_), bool(state["converged"])
        model.labels_ = model._decode(model._words, model._begins)
        return model

    # Implementation

    def _check_parameters(self) -> None:
        check_between(1, 2**15 - 2, n_clusters=self.n_clusters)
        check_at_least(1, iterations=self.iterations)
        check_positive(transition_prior=self.transition_prior, emission_prior=self.emission_prior)
        check_choice("decode", self.decode, _DECODERS)
        check_at_least(0, tolerance=self.tolerance)

    def _begin(self, text: Text) -> None:
        generator = np.random.default_rng(self.random_state)
        words, lengths, self.vocabulary_ = text
        begins = np.r_[0, np.cumsum(lengths)]
        K, W = self.n_clusters, len(self.vocabulary_)
        counts = np.bincount(words, minlength=W)
        self.emissions_ = generator.dirichlet(np.ones(K), W) * counts[:, None]
        contexts = np.r_[self.emissions_.sum(axis=0), len(begins) - 1]
        self.transitions_ = generator.dirichlet(np.ones(K + 1), K + 1) * contexts[:, None]
        self._words, self._begins = words, begins
        self.bound_, self.seconds_ = np.array([]), np.array([])
        self.iterations_done_, self.converged_ = 0, False

    def _resume(self, other: "VariationalHMM", text: Text) -> None:
        other._require_fit("labels_")
        if other.n_clusters != self.n_clusters:
            raise ValueError(f"the model to resume has {other.n_clusters} tags, this one {self.n_clusters}.")
        check_same_text(text, Text(other._words, np.diff(other._begins), other.vocabulary_))
        self._take_over(other)

    def _improve(self, until: int) -> None:
        bounds, seconds = list(self.bound_), list(self.seconds_)
        label = f"variational HMM, K = {self.n_clusters}"
        with self._steps(label, self.iterations_done_, until, self.iterations, "pass") as (steps, bar):
            for _ in steps:
                if self.converged_:
                    break
                start = perf_counter()
                weights = self._weights()
                log_z, self.transitions_, emissions, _ = self._pass(weights, self._words, self._begins)
                self.emissions_ = emissions[:-1]
                bounds.append(log_z - weights.divergence)
                seconds.append(perf_counter() - start)
                self.converged_ = len(bounds) > 1 and bounds[-1] - bounds[-2] < self.tolerance * abs(bounds[-1])
                bar.set_postfix_str(f"bound {bounds[-1]:,.0f}", refresh=False)
            self.bound_, self.seconds_, self.iterations_done_ = np.array(bounds), np.array(seconds), len(bounds)
            self.labels_ = self._decode(self._words, self._begins)

    def _weights(self) -> _Weights:
        from scipy.special import gammaln, psi

        a, b, W = self.transition_prior, self.emission_prior, len(self.vocabulary_)
        contexts = self.transitions_.sum(axis=1, keepdims=True) + (self.n_clusters + 1) * a
        transitions = psi(self.transitions_ + a) - psi(contexts)
        totals = self.emissions_.sum(axis=0) + W * b
        emissions = np.empty((W + 1, self.n_clusters))
        emissions[-1] = psi(b) - psi(totals)  # the unseen word
        divergence = _kernels().expected_logs(np.ascontiguousarray(self.emissions_), b, psi(totals), emissions[:-1])
        divergence += (gammaln(totals) - gammaln(W * b)).sum()
        divergence += _dirichlet_divergence(self.transitions_, a, transitions)
        return _Weights(transitions, emissions, float(divergence))

    def _pass(
        self, weights: _Weights, words: np.ndarray, begins: np.ndarray
    ) -> tuple[float, np.ndarray, np.ndarray, np.ndarray]:
        """Compute log Z, expected transitions, expected emissions, and the most probable tag of each token."""
        K = self.n_clusters
        shift = weights.emissions.max(axis=1)
        emit, all_steps = np.exp(weights.emissions - shift[:, None]), np.exp(weights.transitions)
        step = np.ascontiguousarray(all_steps[:K, :K])
        start, end = all_steps[K, :K].copy(), all_steps[:K, K].copy()
        tags = np.empty(len(words), np.int64)
        kernels = _kernels()
        plain = step, step.T.copy(), start, end, emit, shift
        every = kernels.Weights(*plain, weights.transitions, weights.emissions)

        def part(some: np.ndarray) -> tuple[float, np.ndarray, np.ndarray]:
            transitions, emissions = np.zeros((K + 1, K + 1)), np.zeros(emit.shape)
            log_z = kernels.expectations(some, words, every, transitions, emissions, tags)
            return log_z, transitions, emissions

        parts, threads = _parts(begins), effective_n_jobs(self.n_jobs)
        if min(threads, len(parts)) > 1:
            with ThreadPoolExecutor(threads) as pool:
                found = list(pool.map(part, parts))
        else:
            found = list(map(part, parts))
        log_z, transitions, emissions = found[0]
        for more, steps, words_of in found[1:]:
            log_z += more
            transitions += steps
            emissions += words_of
        return float(log_z), transitions, emissions, tags

    def _decode(self, words: np.ndarray, begins: np.ndarray, decode: str | None = None) -> np.ndarray:
        how = self.decode if decode is None else decode
        check_choice("decode", how, _DECODERS)
        weights = self._weights()
        if how == "posterior":
            return self._pass(weights, words, begins)[3]
        from analysis.categories.models.hmm_kernels import viterbi

        tags, every = np.empty(len(words), np.int64), self.n_clusters + 1
        viterbi(weights.transitions[None], weights.emissions, False, np.diff(begins), words, every, tags)
        return tags


def _parts(begins: np.ndarray) -> list[np.ndarray]:
    """Share out the sentences, given where they begin, into parts of about as many tokens, whoever goes over them.

    Examples
    --------
    >>> [part.tolist() for part in _parts(np.array([0, 60_000, 70_000, 120_000]))]
    [[0, 60000], [60000, 70000, 120000]]
    """
    number = min(_PARTS, max(1, int(begins[-1]) // _TOKENS_A_PART))
    cuts = np.searchsorted(begins, np.linspace(0, begins[-1], number + 1))
    cuts = np.unique(np.append(cuts, len(begins) - 1))
    return [begins[first : last + 1] for first, last in itertools.pairwise(cuts)] or [begins]


def _dirichlet_divergence(counts: np.ndarray, prior: float, expected_logs: np.ndarray) -> float:
    """Compute the sum over rows of KL(Dirichlet(counts + prior) || Dirichlet(prior)), given E log p under the former.

    Examples
    --------
    >>> _dirichlet_divergence(np.zeros((1, 3)), 0.5, np.zeros((1, 3)))
    0.0
    """
    from scipy.special import gammaln

    outcomes = counts.shape[1]
    rows = gammaln(counts.sum(axis=1) + outcomes * prior) - gammaln(outcomes * prior)
    rows -= (gammaln(counts + prior) - gammaln(prior)).sum(axis=1)
    return float((rows + (counts * expected_logs).sum(axis=1)).sum())
