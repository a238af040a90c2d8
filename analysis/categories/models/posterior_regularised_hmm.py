"""HMM with posterior regularisation and maximum-entropy emissions (Graça et al. 2011)."""

import copy
from collections.abc import Mapping
from time import perf_counter
from types import ModuleType
from typing import Any, NamedTuple, Self

import numpy as np
import pandas as pd

from analysis.categories.codes import sentence_lengths
from analysis.categories.models.base import Chain, Text, check_same_text, cluster_series, read_text
from analysis.categories.models.maxent_emissions import Fitting, fit_weights, log_probabilities
from analysis.categories.models.sparse_posteriors import Descent, Expected, projected, sparse_posteriors
from analysis.categories.models.spelling_features import (
    FeatureChoices,
    Inventory,
    feature_inventory,
    feature_matrix,
)
from analysis.statistics.designs import one_thread
from analysis.structures import check_at_least, check_between, check_choice, check_positive, check_tokens, encode_labels
from analysis.structures.source import check_source

_EMISSIONS = ("maxent", "multinomial")
_DECODERS = ("posterior", "viterbi")
_ARRAYS = ("transitions", "emissions", "weights", "objective", "passes", "seconds")
_LEAST = 1e-300  # probabilities below are raised to it, so that logarithms are finite
UNKNOWN = "<unknown>"  # the type of all rare words, if they share one

#: Variants by the names of the paper: arguments of `PosteriorRegularisedHMM` that differ from those of G.
VARIANTS: dict[str, dict[str, Any]] = {
    "HMM": {"strength": 0.0, "emissions": "multinomial"},
    "HMM+ME": {"strength": 0.0},
    "HMM+Sp": {"emissions": "multinomial"},
    "G": {},
}


def _kernels() -> tuple[ModuleType, ModuleType]:
    from analysis.categories.models import posterior_regularised_kernels, variational_hmm_kernels

    return variational_hmm_kernels, posterior_regularised_kernels


class _Constrained(NamedTuple):
    """Constrained tokens: sorted by type, where each type begins, and the row of every token (-1: not constrained)."""

    tokens: np.ndarray
    begins: np.ndarray
    places: np.ndarray


class _Pass(NamedTuple):
    """Posteriors of all tokens, expected transitions, and the most probable tag of each token."""

    posteriors: np.ndarray
    transitions: np.ndarray
    tags: np.ndarray


class PosteriorRegularisedHMM(Chain):
    """Bigram hidden Markov model whose posteriors are made sparse by type, with features of words in its emissions.

    An iteration of expectation maximisation replaces the posterior p(y | x) by the q with the least KL(q || p(y | x)) +
    strength * sum over frequent word types w and tags t of the max over the tokens of w of q(t): a type pays for each
    tag that any of its tokens uses. An emission is p(w | k) = exp(theta_k . f(w)) / sum over all types of the text, so
    rare words share what is learnt of their suffixes and shape. Features, each 0 or 1: one that is always on; the
    identity of a word with more than ``identity_above`` tokens; its suffixes; whether it is among the most frequent;
    whether it is short and no number or mark; whether its first letter is a capital; whether it has a hyphen, an
    underscore, only capitals.

    Parameters
    ----------
    n_clusters : int
        Number of tags, K.
    iterations : int
        Maximum total number of iterations, including iterations before a resumed `fit`.
    warm_up : int
        So many first iterations are plain expectation maximisation, without the constraint.
    strength : float
        sigma, the weight of the constraint; 0 is expectation maximisation.
    emissions, warm_up_emissions : {"maxent", "multinomial"}
        Of all iterations, and of the first ones if they differ.
    constrained_from : int
        Types with at least so many tokens are constrained.
    final_state : bool
        Whether each sentence ends by a transition to a final state.
    variance : float
        v of the penalty ||theta_k||^2 / v on the weights; may be infinite.
    identity_above : int
        Types with more tokens have a feature of their own.
    suffix_lengths, suffix_above : tuple of int
        Lengths of suffixes, and for each length the number of types above which a suffix is a feature.
    frequent_above : float
        From rare to frequent, the types above this share of the tokens are the most frequent.
    short_below : int
        A word with fewer letters is short.
    capitals : {"A-Z", "unicode"}
        Which letters are capitals.
    noise : float
        X: every initial probability is proportional to 1 + X u, u uniform from 0 to 1.
    restart_weights : bool
        Whether weights are fitted from 0 in each iteration, not from those before.
    fit_tolerance : float
        Weights are fitted until the objective changes by less than this share: crude, as in the authors' program.
    dual_steps, dual_tolerances, dual_first_step : int, (float, float), float
        Steps of the projected gradient at most; shares of the gradient and of the value at which it stops; first step.
    rare_as_one : int
        Multinomial emissions: types with at most so many tokens are read as one type.
    decode : {"posterior", "viterbi"}
        Tags of a sentence, without the constraint: the most probable of each token, or the most probable sequence.
    progress : bool
        Whether to show a progress bar with the objective.
    random_state : int, Generator or None
        Seed of the initial probabilities.

    Attributes
    ----------
    labels_ : ndarray of int64, shape (n_tokens,)
        Tag, 0 .. K-1, of each token of the training text.
    objective_ : ndarray of float64, shape (iterations_done_,)
        At the start of each iteration the log probability of the words minus KL and the weighted constraint, minus the
        penalty on weights. With exact steps it does not fall while the constraint stays the same.
    passes_ : ndarray of int64, shape (iterations_done_,)
        Forward-backward passes of each iteration.
    seconds_ : ndarray of float64, shape (iterations_done_,)
        Time of each iteration.
    iterations_done_ : int
    transitions_ : ndarray of float64, shape (K + 1, K + 1)
        Probabilities of a tag after another; the last row is the start, the last column the end.
    emissions_ : ndarray of float64, shape (n_types, K)
        Probability of each word type given each tag.
    weights_ : ndarray of float64, shape (n_features, K)
        theta; no rows if the emissions are multinomial.
    features_ : list of str
        Names of the features.
    vocabulary_ : pandas.Index
        The word types of the training text; with ``rare_as_one`` the last stands for the rare ones.

    References
    ----------
    Graça, Ganchev, Coheur, Pereira & Taskar (2011); Ganchev, Graça, Gillenwater & Taskar (2010), section 8; Gelling et
    al. (2012), section 4 (there G). Defaults that the papers do not state are those of the authors' program.

    Examples
    --------
    >>> tokens = pd.DataFrame({"sentence": [0, 0, 1, 1], "form": ["the", "dog", "the", "cat"]})
    >>> model = PosteriorRegularisedHMM(n_clusters=2, iterations=20, warm_up=5, progress=False).fit(tokens)
    >>> model.labels_.shape, model.emissions_.sum(axis=0).round(6).tolist()
    ((4,), [1.0, 1.0])
    """

    def __init__(
        self,
        n_clusters: int = 45,
        iterations: int = 200,
        warm_up: int = 30,
        strength: float = 32.0,
        emissions: str = "maxent",
        warm_up_emissions: str | None = None,
        constrained_from: int = 10,
        final_state: bool = True,
        variance: float = 1.0,
        identity_above: int = 5,
        suffix_lengths: tuple[int, ...] = (2, 3),
        suffix_above: tuple[int, ...] = (10, 10),
        frequent_above: float = 0.8,
        short_below: int = 4,
        capitals: str = "A-Z",
        noise: float = 1.0,
        restart_weights: bool = True,
        fit_tolerance: float = 0.05,
        dual_steps: int = 40,
        dual_tolerances: tuple[float, float] = (1e-3, 1e-4),
        dual_first_step: float = 1000.0,
        rare_as_one: int = 0,
        decode: str = "posterior",
        progress: bool = True,
        random_state: int | np.random.Generator | None = 0,
    ) -> None:
        self.n_clusters = n_clusters
        self.iterations = iterations
        self.warm_up = warm_up
        self.strength = strength
        self.emissions = emissions
        self.warm_up_emissions = warm_up_emissions
        self.constrained_from = constrained_from
        self.final_state = final_state
        self.variance = variance
        self.identity_above = identity_above
        self.suffix_lengths = suffix_lengths
        self.suffix_above = suffix_above
        self.frequent_above = frequent_above
        self.short_below = short_below
        self.capitals = capitals
        self.noise = noise
        self.restart_weights = restart_weights
        self.fit_tolerance = fit_tolerance
        self.dual_steps = dual_steps
        self.dual_tolerances = dual_tolerances
        self.dual_first_step = dual_first_step
        self.rare_as_one = rare_as_one
        self.decode = decode
        self.progress = progress
        self.random_state = random_state

    def fit(
        self, tokens: pd.DataFrame, resume: "PosteriorRegularisedHMM | Mapping | None" = None, until: int | None = None
    ) -> Self:
        """Run iterations until there are ``iterations`` of them.

        Parameters
        ----------
        tokens : DataFrame
            Columns ``sentence`` and ``form``.
        resume : PosteriorRegularisedHMM or mapping, optional
            A model with as many tags, fitted on the same tokens, or its `state`: it is continued as if it had not been
            interrupted. It may be the model itself.
        until : int, optional
            Pause after this many iterations; ``fit(tokens, resume=model)`` continues as if there had been no pause.

        Returns
        -------
        PosteriorRegularisedHMM
                The fitted model.

        Raises
        ------
        ValueError
            If a parameter or the table is invalid, or ``resume`` belongs to other tokens or another number of tags.
        KeyboardInterrupt
                After Ctrl-C: the current iteration is completed first, and the model is fitted up to it.
        """
        self._check_parameters()
        text = self._merged(read_text(tokens))
        if resume is None:
            self._begin(text)
        else:
            same = isinstance(resume, PosteriorRegularisedHMM)
            self._resume(copy.deepcopy(resume) if same else type(self).from_state(resume), text)  # type: ignore[arg-type]
        self._improve(self.iterations if until is None else min(until, self.iterations))
        return self

    def predict(self, tokens: pd.DataFrame, decode: str | None = None) -> pd.Series:
        """Tag text with the fitted model.

        An unseen word is emitted by its features; with multinomial emissions as a rare word if those share a type, or
        else with the same probability by each tag.

        Parameters
        ----------
        tokens : DataFrame
            Columns ``sentence`` and ``form``.
        decode : {"posterior", "viterbi"}, optional
            The default is that of the model.

        Returns
        -------
        Series of Int32, named ``cluster``
            Tag, 0 .. K-1, of each token, with the index of ``tokens``.
        """
        self._require_fit("labels_")
        check_tokens(tokens)
        words, forms = encode_labels(tokens["form"], "form")
        begins = np.r_[0, np.cumsum(sentence_lengths(tokens))]
        return cluster_series(self._decode(words, begins, self._log_emissions(forms), decode), tokens.index)

    def state(self) -> dict[str, Any]:
        """Everything the fit consists of, as arrays and numbers: `from_state` makes the same model of it."""
        self._require_fit("labels_")
        used = np.flatnonzero(self._multipliers)
        return {
            **self._provenance(),
            "vocabulary": list(self.vocabulary_),
            "words": self._words.copy(),
            "begins": self._begins.copy(),
            "multiplier_places": used,
            "multipliers": self._multipliers.ravel()[used],
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
        model._prepare(
            Text(state["words"].copy(), np.diff(state["begins"]), pd.Index(state["vocabulary"], dtype=object))
        )
        for name in _ARRAYS:
            setattr(model, f"{name}_", state[name].copy())
        model._multipliers.ravel()[state["multiplier_places"]] = state["multipliers"]
        model._finish()
        return model

    # Implementation

    def _check_parameters(self) -> None:
        check_between(1, 2**15 - 2, n_clusters=self.n_clusters)
        check_at_least(1, iterations=self.iterations, constrained_from=self.constrained_from)
        check_at_least(0, warm_up=self.warm_up, strength=self.strength, identity_above=self.identity_above,
                       short_below=self.short_below, noise=self.noise, fit_tolerance=self.fit_tolerance,
                       dual_steps=self.dual_steps, rare_as_one=self.rare_as_one)  # fmt: skip
        check_positive(dual_first_step=self.dual_first_step)
        check_between(0, 1, frequent_above=self.frequent_above)
        check_choice("emissions", self.emissions, _EMISSIONS)
        check_choice("warm_up_emissions", self.warm_up_emissions, (None, *_EMISSIONS))
        check_choice("capitals", self.capitals, ("A-Z", "unicode"))
        check_choice("decode", self.decode, _DECODERS)
        if not self.variance > 0:
            raise ValueError(f"variance is {self.variance}; it must be above 0, or infinite for no penalty.")
        if len(self.suffix_lengths) != len(self.suffix_above) or min(self.suffix_lengths, default=1) < 1:
            raise ValueError(
                f"suffix_lengths is {self.suffix_lengths} and suffix_above {self.suffix_above}; give as many lengths, "
                "at least 1, as numbers of types."
            )
        if len(self.dual_tolerances) != 2 or not min(self.dual_tolerances) >= 0:
            raise ValueError(f"dual_tolerances is {self.dual_tolerances}; give two numbers, at least 0.")
        if self.rare_as_one and "maxent" in (self.emissions, self.warm_up_emissions):
            raise ValueError("rare_as_one is for multinomial emissions: give emissions='multinomial', or 0.")

    def _merged(self, text: Text) -> Text:
        """The text with rare words as one type."""
        counts = np.bincount(text.words, minlength=len(text.vocabulary))
        rare = counts <= self.rare_as_one
        if not (self.rare_as_one and rare.any()):
            return text
        kept = np.flatnonzero(~rare)
        number = np.full(len(counts), len(kept), dtype=text.words.dtype)
        number[kept] = np.arange(len(kept))
        vocabulary = pd.Index([*np.asarray(text.vocabulary, dtype=object)[kept], UNKNOWN], dtype=object)
        return Text(number[text.words], text.lengths, vocabulary)

    def _prepare(self, text: Text) -> None:
        """Set what follows from the text alone."""
        words, lengths, self.vocabulary_ = text
        self._words, self._begins = words, np.r_[0, np.cumsum(lengths)]
        counts = np.bincount(words, minlength=len(self.vocabulary_))
        choices = FeatureChoices(
            self.identity_above, tuple(self.suffix_lengths), tuple(self.suffix_above), self.frequent_above,
            self.short_below, self.capitals,
        )  # fmt: skip
        self._inventory: Inventory = feature_inventory(self.vocabulary_, counts, choices)
        self._features = feature_matrix(self.vocabulary_, self._inventory)
        self._turned = self._features.T.tocsr()
        self.features_ = list(self._inventory.columns)
        self._constrained = _constrained(words, counts, self.constrained_from)
        self._multipliers = np.zeros((len(self._constrained.tokens), self.n_clusters))

    def _begin(self, text: Text) -> None:
        self._prepare(text)
        generator = np.random.default_rng(self.random_state)
        K, W = self.n_clusters, len(self.vocabulary_)
        transitions = 1 + self.noise * generator.random((K + 1, K + 1))
        transitions[K, K] = 0
        if not self.final_state:
            transitions[:, K] = 0
        self.transitions_ = transitions / transitions.sum(axis=1, keepdims=True)
        emissions = 1 + self.noise * generator.random((W, K))
        self.emissions_, self.weights_ = emissions / emissions.sum(axis=0), np.empty((0, K))
        self.objective_, self.seconds_, self.passes_ = np.array([]), np.array([]), np.array([], dtype=np.int64)
        self.iterations_done_ = 0

    def _resume(self, other: "PosteriorRegularisedHMM", text: Text) -> None:
        other._require_fit("labels_")
        if other.n_clusters != self.n_clusters:
            raise ValueError(f"the model to resume has {other.n_clusters} tags, this one {self.n_clusters}.")
        check_same_text(text, Text(other._words, np.diff(other._begins), other.vocabulary_))
        found = {name: getattr(other, f"{name}_") for name in _ARRAYS}
        multipliers = other._multipliers
        self._prepare(Text(other._words, np.diff(other._begins), other.vocabulary_))
        for name, value in found.items():
            setattr(self, f"{name}_", value)
        if multipliers.shape == self._multipliers.shape:
            self._multipliers = multipliers
        if len(self.weights_) != len(self.features_):
            self.weights_ = np.empty((0, self.n_clusters))
        self.iterations_done_ = len(self.objective_)

    def _improve(self, until: int) -> None:
        import scipy.optimize  # noqa: F401 - before the threads of its linear algebra are limited

        traces: dict[str, list] = {name: list(getattr(self, f"{name}_")) for name in ("objective", "passes", "seconds")}
        label = f"posterior-regularised HMM, K = {self.n_clusters}"
        span = self.iterations_done_, until, self.iterations, "iteration"
        with one_thread(), self._steps(label, *span) as (steps, bar):
            for step in steps:
                start = perf_counter()
                found, passes = self._expect(step)
                penalty = float((self.weights_**2).sum()) / self.variance
                self._maximise(found.all, step)
                for name, value in zip(traces, (found.log_z - penalty, passes, perf_counter() - start), strict=True):
                    traces[name].append(value)
                bar.set_postfix_str(f"objective {traces['objective'][-1]:,.0f}", refresh=False)
            self.objective_, self.seconds_ = np.array(traces["objective"]), np.array(traces["seconds"])
            self.passes_ = np.array(traces["passes"], dtype=np.int64)
            self._finish()

    def _finish(self) -> None:
        self.iterations_done_ = len(self.objective_)
        logs = np.log(np.maximum(self.emissions_, _LEAST))
        self.labels_ = self._decode(self._words, self._begins, logs)

    def _expect(self, step: int) -> tuple[Expected, int]:
        """The E-step: expected counts under the posteriors, made sparse after the warm-up; and its passes."""
        log_types = np.log(np.maximum(self.emissions_, _LEAST))
        tokens, begins, places = self._constrained

        def expect(multipliers: np.ndarray) -> Expected:
            log_z, found = self._pass(self._words, self._begins, log_types, places, multipliers)
            return Expected(log_z, found.posteriors[tokens], found)

        if step < self.warm_up or not self.strength or not len(tokens):
            return expect(np.zeros_like(self._multipliers)), 1
        descent = Descent(self.dual_steps, *self.dual_tolerances, self.dual_first_step)
        self._multipliers, found, _, passes = sparse_posteriors(
            expect, projected(self._multipliers, begins, self.strength), begins, self.strength, descent
        )
        return found, passes

    def _pass(
        self, words: np.ndarray, begins: np.ndarray, log_types: np.ndarray, places: np.ndarray, multipliers: np.ndarray
    ) -> tuple[float, _Pass]:
        """Run forward-backward with weights of their own for all tokens."""
        forward_backward, own = _kernels()
        n, K = len(words), self.n_clusters
        emit, shift, log_emit = np.empty((n, K)), np.empty(n), np.empty((n, K))
        own.token_weights(log_types, words, places, multipliers, emit, shift, log_emit)
        logs, every = self._log_transitions(), np.exp(self._log_transitions())
        step = np.ascontiguousarray(every[:K, :K])
        weights = forward_backward.Weights(
            step, step.T.copy(), every[K, :K].copy(), every[:K, K].copy(), emit, shift, logs, log_emit
        )
        transitions, posteriors, tags = np.zeros((K + 1, K + 1)), np.zeros((n, K)), np.empty(n, np.int64)
        each = np.arange(n, dtype=np.int32)
        log_z = forward_backward.expectations(begins, each, weights, transitions, posteriors, tags)
        return float(log_z), _Pass(posteriors, transitions, tags)

    def _log_transitions(self) -> np.ndarray:
        logs = np.log(np.maximum(self.transitions_, _LEAST))
        if not self.final_state:
            logs[:, -1] = 0.0
        return logs

    def _maximise(self, found: _Pass, step: int) -> None:
        """The M-step: normalised expected counts, or weights of features."""
        K, W = self.n_clusters, len(self.vocabulary_)
        transitions = found.transitions.copy()
        transitions[K, K] = 0
        if not self.final_state:
            transitions[:, K] = 0
        self.transitions_ = _normalised(transitions, self.transitions_, axis=1)
        counts = np.zeros((W, K))
        _kernels()[1].count_types(found.posteriors, self._words, counts)
        how = self.warm_up_emissions if step < self.warm_up and self.warm_up_emissions else self.emissions
        if how == "multinomial":
            self.emissions_, self.weights_ = _normalised(counts, self.emissions_, axis=0), np.empty((0, K))
            return
        fitting = Fitting(self.variance, self.fit_tolerance)
        starts = (
            self.weights_ if len(self.weights_) and not self.restart_weights else np.zeros((len(self.features_), K))
        )
        self.weights_ = np.column_stack([
            fit_weights(counts[:, k].copy(), self._features, self._turned, starts[:, k], fitting)[0] for k in range(K)
        ])  # fmt: skip
        for k in range(K):
            self.emissions_[:, k] = np.exp(log_probabilities(self._features, self.weights_[:, k])[0])

    def _log_emissions(self, forms: pd.Index) -> np.ndarray:
        """Log emission probabilities of word types, seen or unseen."""
        known = pd.Index(np.asarray(self.vocabulary_, dtype=object)).get_indexer(pd.Index(np.asarray(forms, object)))
        found = np.zeros((len(forms), self.n_clusters))
        seen = np.log(np.maximum(self.emissions_, _LEAST))
        found[known >= 0] = seen[known[known >= 0]]
        unseen = np.flatnonzero(known < 0)
        if len(unseen) and len(self.weights_):
            totals = [log_probabilities(self._features, weights)[1] for weights in self.weights_.T]
            found[unseen] = feature_matrix(forms[unseen], self._inventory) @ self.weights_ - np.array(totals)
        elif len(unseen) and self.vocabulary_[-1] == UNKNOWN:
            found[unseen] = seen[-1]
        return found

    def _decode(
        self, words: np.ndarray, begins: np.ndarray, log_types: np.ndarray, decode: str | None = None
    ) -> np.ndarray:
        how = self.decode if decode is None else decode
        check_choice("decode", how, _DECODERS)
        words = words.astype(np.int32)
        if how == "posterior":
            unconstrained = np.full(len(words), -1), np.empty((0, self.n_clusters))
            return self._pass(words, begins, log_types, *unconstrained)[1].tags
        from analysis.categories.models.hmm_kernels import viterbi

        tags, every = np.empty(len(words), np.int64), self.n_clusters + 1
        viterbi(self._log_transitions()[None], log_types, False, np.diff(begins), words, every, tags)
        return tags


def _constrained(words: np.ndarray, counts: np.ndarray, least: int) -> _Constrained:
    """Sort the tokens of types with at least so many tokens by type.

    Examples
    --------
    >>> _constrained(np.array([1, 0, 1, 2, 2]), np.array([1, 2, 2]), 2)[:2]
    (array([0, 2, 3, 4]), array([0, 2, 4]))
    """
    order = np.argsort(words, kind="stable")
    tokens = order[counts[words[order]] >= least]
    begins = np.r_[0, np.cumsum(counts[counts >= least])]
    places = np.full(len(words), -1)
    places[tokens] = np.arange(len(tokens))
    return _Constrained(tokens, begins, places)


def _normalised(counts: np.ndarray, before: np.ndarray, axis: int) -> np.ndarray:
    """Counts divided by their sum; where there is none, the probabilities before."""
    totals = counts.sum(axis=axis, keepdims=True)
    return np.where(totals > 0, counts / np.where(totals > 0, totals, 1.0), before)
