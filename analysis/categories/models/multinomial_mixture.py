"""Bayesian multinomial mixture of Christodoulopoulos et al.: one class per word type, by collapsed Gibbs sampling."""

import copy
from collections.abc import Mapping, Sequence
from time import perf_counter
from types import ModuleType
from typing import Any, Self

import numpy as np
import pandas as pd

from analysis.categories.codes import sentence_starts
from analysis.categories.models.base import Chain, cluster_series
from analysis.categories.models.type_features import (
    NO_DRAWS,
    OWN_KINDS,
    Choices,
    frequent_suffixes,
    gather,
    given_draws,
    own_draws,
    value_table,
)
from analysis.structures import check_at_least, check_choice, check_positive, check_tokens, encode_labels


def _kernels() -> ModuleType:
    from analysis.categories.models import multinomial_mixture_kernels

    return multinomial_mixture_kernels


class MultinomialMixture(Chain):
    """Bayesian mixture of multinomials over word types; its parameters are integrated out.

    Every type has one class, drawn from a distribution over K classes with a symmetric Dirichlet prior. The class
    generates all features of the type: for each kind of feature (words to the left of its tokens, words to the right,
    suffixes, and features given by the caller) as many values as the type has, from a multinomial of the class with a
    symmetric Dirichlet prior. A sweep draws the class of every type once from its exact conditional given all other
    types: the size of the class, and for each kind the ratio of Dirichlet-multinomials with and without all counts of
    the type.

    Parameters
    ----------
    n_clusters : int
        Number of classes, K; some may be empty at the end.
    sweeps : int
        Total length of the chain, including sweeps before a resumed `fit`.
    features : sequence of {"left", "right", "suffix"}
        Kinds extracted from the text, after Christodoulopoulos et al.
    n_context_words : int, optional
        Number of the most frequent words used as values of ``"left"`` and ``"right"``, after Christodoulopoulos et al.;
        None uses all.
    boundaries : {"symbol", "separate"}
        The neighbour beyond the edge of a sentence is a boundary symbol, or there is none.
    suffix_lengths : sequence of int
        Lengths of suffixes in letters; every length is one draw per type, not per token.
    suffix_min_types : int
        Minimum number of types with a suffix. A type is longer than its suffix.
    rest : {"together", "left out"}
        All other words, and all other suffixes of one length, share one value, or are ignored.
    class_prior : float
        Parameter of the Dirichlet prior of the classes.
    feature_prior : float or mapping from kind to float
        Parameter of the Dirichlet prior of the values of each kind. The authors resample both priors; here they
        are fixed.
    annealing : (float, float), optional
        Temperature of the first and of the last sweep, decreasing by a constant factor; a class is drawn from its
        conditional to the power 1 / temperature.
    initialisation : "random" or mapping from form to class
        Initial class of each type, 0 .. K-1.
    progress : bool
        Whether to show a progress bar with the log probability.
    random_state : int, Generator or None
        Seed of the chain.

    Attributes
    ----------
    labels_ : ndarray of int64, shape (n_tokens,)
        Class, 0 .. K-1, of each token of the training text after the last sweep.
    clusters_ : DataFrame
        ``form``, ``frequency``, ``cluster``; in descending order of frequency, ties by first occurrence.
    features_ : DataFrame
        ``kind``, ``value``, ``count``: every value of a feature and its frequency among types.
    feature_counts_ : ndarray of int32, shape (n_values, K)
        How often types of each class have each value, in the order of ``features_``.
    log_probability_ : ndarray of float64, shape (sweeps_done_,)
        Log of the joint probability of classes and features given the priors, after each sweep, in nats. Features are
        treated as sequences, so multinomial coefficients, which are equal for all classes, are left out.
    changed_ : ndarray of int64, shape (sweeps_done_,)
        Types whose class changed in each sweep.
    seconds_ : ndarray of float64, shape (sweeps_done_,)
        Time of each sweep, including the log probability.
    sweeps_done_ : int
        Sweeps done; fewer than requested if the user interrupted `fit`.

    References
    ----------
    Christodoulopoulos, Goldwater & Steedman (2011), "A Bayesian mixture model for part-of-speech induction using
    multiple features"; (2012), "Turning the pipeline into a loop"; Gelling et al. (2012), section 4 (there CGS).

    Examples
    --------
    >>> text = "the dog ran the cat ran a dog sat a cat sat".split()
    >>> tokens = pd.DataFrame({"sentence": np.repeat(range(4), 3), "form": text})
    >>> model = MultinomialMixture(n_clusters=3, sweeps=50, features=("left", "right"), progress=False).fit(tokens)
    >>> model.labels_.shape, model.clusters_["form"].tolist()
    ((12,), ['the', 'dog', 'ran', 'cat', 'a', 'sat'])
    >>> model.predict(pd.DataFrame({"sentence": [0, 0], "form": ["the", "cow"]})).dtype
    Int32Dtype()
    """

    def __init__(
        self,
        n_clusters: int = 45,
        sweeps: int = 100,
        features: Sequence[str] = OWN_KINDS,
        n_context_words: int | None = 100,
        boundaries: str = "symbol",
        suffix_lengths: Sequence[int] = (1, 2, 3),
        suffix_min_types: int = 5,
        rest: str = "together",
        class_prior: float = 1.0,
        feature_prior: float | Mapping[str, float] = 0.1,
        annealing: tuple[float, float] | None = None,
        initialisation: Any = "random",
        progress: bool = True,
        random_state: int | np.random.Generator | None = 0,
    ) -> None:
        self.n_clusters = n_clusters
        self.sweeps = sweeps
        self.features = features
        self.n_context_words = n_context_words
        self.boundaries = boundaries
        self.suffix_lengths = suffix_lengths
        self.suffix_min_types = suffix_min_types
        self.rest = rest
        self.class_prior = class_prior
        self.feature_prior = feature_prior
        self.annealing = annealing
        self.initialisation = initialisation
        self.progress = progress
        self.random_state = random_state

    def fit(
        self, tokens: pd.DataFrame, resume: "MultinomialMixture | None" = None, extra: pd.DataFrame | None = None
    ) -> Self:
        """Sample until the chain has ``sweeps`` sweeps.

        Parameters
        ----------
        tokens : DataFrame
            Columns ``sentence`` and ``form``.
        resume : MultinomialMixture, optional
            A model with the same classes, priors and features, fitted on the same tokens and `extra`: its chain is
            continued as if it had not been interrupted. It may be the model itself.
        extra : DataFrame, optional
            More kinds of features: ``kind``, ``form``, ``value``, ``count``; rows with the same value are summed.

        Returns
        -------
        MultinomialMixture
            The fitted model.

        Raises
        ------
        ValueError
            If a parameter or a table is invalid, no type has a feature, or ``resume`` belongs to other tokens or
            another model.
        KeyboardInterrupt
                After Ctrl-C: the current sweep is completed first, and the model is fitted up to it; ``fit(tokens,
                resume=model)`` continues.
        """
        self._check_parameters()
        check_tokens(tokens)
        codes, vocabulary = encode_labels(tokens["form"], "form")
        order = np.argsort(-np.bincount(codes), kind="stable")
        codes, vocabulary = np.argsort(order)[codes], pd.Index(np.asarray(vocabulary, dtype=object)[order])
        choices, everyone = self._choices(), np.arange(len(vocabulary))
        suffixes = frequent_suffixes(vocabulary, choices.suffix_lengths, choices.suffix_min_types)
        place = codes, sentence_starts(tokens), vocabulary, vocabulary, everyone, suffixes
        draws = {kind: own_draws(kind, choices, *place) for kind in choices.kinds} | given_draws(extra, vocabulary)
        draws = {kind: found for kind, found in draws.items() if len(found.types)}
        if not draws:
            raise ValueError("no type has a feature: name kinds in features, or give them in extra.")
        values = value_table(draws)
        arrays = gather(draws, values, len(vocabulary))
        settings = choices, self._priors(tuple(draws)), self.n_clusters
        if resume is None:
            self._vocabulary, self._codes, self._suffixes = vocabulary, codes, suffixes
            self.features_, self._arrays, self._kinds, self._settings = values, arrays, tuple(draws), settings
            self._begin()
        else:
            self._resume(resume, settings, codes, vocabulary, values, arrays)
        self._sample()
        return self

    def predict(
        self, tokens: pd.DataFrame, unknown: str = "features", extra: pd.DataFrame | None = None
    ) -> pd.Series:  # fmt: skip
        """Assign each token the class of its type.

        Parameters
        ----------
        tokens : DataFrame
            Columns ``sentence`` and ``form``.
        unknown : {"features", "missing"}
            An unseen type gets its most probable class given its features in `tokens` and the counts of the last sweep,
            without unseen values; or it gets none.
        extra : DataFrame, optional
            More features of unknown types, as in `fit`.

        Returns
        -------
        Series of Int32, named ``cluster``
            With the index of ``tokens``.
        """
        self._require_fit("labels_")
        check_choice("unknown", unknown, ("features", "missing"))
        check_tokens(tokens)
        codes, forms = encode_labels(tokens["form"], "form")
        forms = pd.Index(np.asarray(forms, dtype=object))
        known = self._vocabulary.get_indexer(forms)
        clusters = np.append(self._classes, -1)[known]
        if unknown == "features" and (known < 0).any():
            choices = self._settings[0]
            place = codes, sentence_starts(tokens), forms, self._vocabulary, known, self._suffixes
            given = given_draws(extra, forms, strict=False)
            draws = {
                kind: own_draws(kind, choices, *place) if kind in OWN_KINDS else given.get(kind, NO_DRAWS)
                for kind in self._kinds
            }
            arrays = gather(draws, self.features_, len(forms))
            found = self._most_probable(arrays, len(forms))
            clusters = np.where(known < 0, found, clusters)
        return cluster_series(clusters[codes], tokens.index)

    # Implementation

    def _check_parameters(self) -> None:
        check_at_least(0, sweeps=self.sweeps)
        check_at_least(1, n_clusters=self.n_clusters, n_context_words=self.n_context_words)
        check_at_least(1, suffix_min_types=self.suffix_min_types)
        if isinstance(self.features, str) or len(set(self.features)) < len(self.features):
            raise ValueError(f"features is {self.features!r}; give different kinds out of {', '.join(OWN_KINDS)}.")
        for kind in self.features:
            if kind not in OWN_KINDS:
                raise ValueError(f"{kind!r} is not a kind of feature of the text: {', '.join(OWN_KINDS)}.")
        if not self.suffix_lengths or min(self.suffix_lengths) < 1:
            raise ValueError(f"suffix_lengths is {self.suffix_lengths!r}; give numbers of letters from 1.")
        check_choice("boundaries", self.boundaries, ("symbol", "separate"))
        check_choice("rest", self.rest, ("together", "left out"))
        check_positive(class_prior=self.class_prior)
        self._check_annealing()
        if isinstance(self.initialisation, str) and self.initialisation != "random":
            raise ValueError(
                f"initialisation is {self.initialisation!r}; it must be 'random' or a mapping of forms to classes."
            )

    def _choices(self) -> Choices:
        lengths = tuple(dict.fromkeys(self.suffix_lengths))
        return Choices(
            tuple(self.features), self.n_context_words, self.boundaries, lengths, self.suffix_min_types, self.rest
        )

    def _priors(self, kinds: tuple[str, ...]) -> tuple[float, ...]:
        """Return the prior of the classes, then of each kind."""
        prior = self.feature_prior
        if isinstance(prior, Mapping):
            lacking = [kind for kind in kinds if kind not in prior]
            if lacking:
                raise ValueError(f"feature_prior names {', '.join(prior)}, but not the kind {lacking[0]!r}.")
            found = [float(prior[kind]) for kind in kinds]
        else:
            found = [float(prior)] * len(kinds)
        if not all(0 < value < np.inf for value in found):
            raise ValueError(f"feature_prior is {prior}; it must be a number above 0.")
        return (float(self.class_prior), *found)

    def _begin(self) -> None:
        self._random = np.random.default_rng(np.random.default_rng(self.random_state).integers(2**63))
        K, kinds = self.n_clusters, pd.Index(self._kinds)
        if isinstance(self.initialisation, str):
            self._classes = self._random.integers(0, K, len(self._vocabulary))
        else:
            given = pd.Series([self.initialisation.get(form, -1) for form in self._vocabulary]).to_numpy(np.float64)
            wrong = np.flatnonzero(~((given >= 0) & (given < K) & (given == np.floor(given))))
            if len(wrong):
                raise ValueError(f"initialisation must give {self._vocabulary[wrong[0]]!r} a class from 0 to {K - 1}.")
            self._classes = given.astype(np.int64)
        self._kind_of = kinds.get_indexer(pd.Index(self.features_["kind"])).astype(np.int64)
        self.feature_counts_ = np.empty((len(self.features_), K), np.int32)
        self._totals, self._sizes = np.empty((len(kinds), K), np.int64), np.empty(K, np.int64)
        _kernels().count(self._classes, self._arrays, self._counts())
        self.log_probability_, self.changed_, self.seconds_ = np.array([]), np.array([], np.int64), np.array([])
        self.sweeps_done_ = 0

    def _resume(
        self, other: "MultinomialMixture", settings: tuple, codes: np.ndarray, vocabulary: pd.Index,
        values: pd.DataFrame, arrays: Any,
    ) -> None:  # fmt: skip
        other._require_fit("labels_")
        if other._settings != settings:
            raise ValueError("the chain to resume has other classes, priors or features.")
        if not (np.array_equal(other._codes, codes) and list(other._vocabulary) == list(vocabulary)):
            raise ValueError("the chain to resume was fitted on other tokens.")
        same = all(np.array_equal(one, two) for one, two in zip(other._arrays, arrays, strict=True))
        if not (same and other.features_.equals(values)):
            raise ValueError("the chain to resume was fitted with other extra features.")
        self._take_over(copy.deepcopy(other))

    def _counts(self) -> Any:
        return _kernels().Counts(self.feature_counts_, self._totals, self._sizes)

    def _prior_tables(self, longest: int) -> Any:
        alpha, *priors = self._settings[1]
        sizes, kernels = np.bincount(self._kind_of, minlength=len(priors)), _kernels()
        return kernels.Priors(alpha, kernels.rising_factorials(np.array(priors), longest), np.array(priors) * sizes)

    def _sample(self) -> None:
        kernels, counts, V = _kernels(), self._counts(), len(self._vocabulary)
        prior = self._prior_tables(int(self.features_["count"].max()))
        traces = [list(trace) for trace in (self.log_probability_, self.changed_, self.seconds_)]
        label = f"mixture, K = {self.n_clusters}"
        with self._steps(label, self.sweeps_done_, self.sweeps, self.sweeps) as (steps, bar):
            for done in steps:
                start, power = perf_counter(), 1.0 / self._temperature(done)
                changed = kernels.sweep(self._classes, self._arrays, counts, prior, power, self._random)
                value = kernels.log_probability(V, self._kind_of, counts, prior)
                for trace, now in zip(traces, (value, changed, perf_counter() - start), strict=True):
                    trace.append(now)
                bar.set_postfix_str(f"log probability {value:,.0f}", refresh=False)
            self._finish(traces)

    def _finish(self, traces: list[list]) -> None:
        self.log_probability_, self.seconds_ = np.array(traces[0]), np.array(traces[2])
        self.changed_ = np.array(traces[1], np.int64)
        self.sweeps_done_ = len(self.log_probability_)
        self.labels_ = self._classes[self._codes]
        frequency = np.bincount(self._codes)
        self.clusters_ = pd.DataFrame(
            {"form": self._vocabulary, "frequency": frequency, "cluster": self._classes.copy()}
        )

    def _most_probable(self, arrays: Any, n_types: int) -> np.ndarray:
        longest = int(self.features_["count"].max() + (arrays.amounts.max() if len(arrays.amounts) else 0))
        return _kernels().most_probable(n_types, arrays, self._counts(), self._prior_tables(longest))
