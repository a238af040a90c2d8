"""Dependency model with valence (Klein & Manning 2004): unsupervised parsing from tags."""

from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from copy import copy
from itertools import pairwise
from typing import Any, Literal, NamedTuple, Self

import numpy as np
import pandas as pd

from analysis.dependencies.models.dmv_parameters import (
    Arrays,
    Parameters,
    divergence,
    normalised,
    smoothed,
    stop_table,
    variational,
    with_unknown,
)
from analysis.dependencies.models.dmv_streaming import Chunk, read_chunks, read_training
from analysis.dependencies.models.sequences import Sequences, encode_sequences, with_punctuation
from analysis.dependencies.punctuation import Rule
from analysis.structures import check_at_least, check_choice
from analysis.structures.model import Model

_BLOCKS = 16  # maximum number of blocks of sentences; independent of the number of threads, so that sums are equal
_BLOCK_SENTENCES = 250  # fewer sentences do not get separate tables


class Parses(NamedTuple):
    """Trees of sentences, and their probabilities.

    Attributes
    ----------
    heads : ndarray of int64, shape (n_tokens,)
        Concatenated over sentences; positions in the sentence from 1, 0 is the root.
    sentences : DataFrame
        One row per sentence: ``sentence`` (its number in the table; from 0 for lists), ``words`` (without ignored
        punctuation), ``log_probability`` of the tags (summed over trees for posterior decoding, of the best tree and
        the tags for Viterbi) and ``smoothed``: whether no tree was possible, so that 0.1 was added to every factor.
    """

    heads: np.ndarray
    sentences: pd.DataFrame


class DMV(Model):
    """Dependency model with valence, trained by expectation maximisation.

    The root is drawn from ``root``. Every head then generates children on its left and on its right, from near to far:
    it stops with a probability that depends on its tag, the side, and whether it already has a child on that side
    (valence), or else draws a child from ``attach`` and continues. The probability of a tree is the product of all
    these.

    ``DMV(iterations=0)`` is H of the paper, the harmonic initialiser without training.

    Parameters
    ----------
    initializer : {"harmonic", "uniform"}
        ``"harmonic"``: soft heads. In a sentence of n words every word is the root with probability 1/n, and has each
        other word as head with probability proportional to 1 / (distance + `harmonic_constant`); children on a side
        are taken as independent events to count stops; then one M-step without smoothing. ``"uniform"``: uniform
        attachment and root, stopping probability 1/2.
    normalise : {"child", "head"}
        How soft heads are normalised: per child, as above; or first per head, so that every word takes the same number
        of arguments (the wording of Klein & Manning), then per child. The choice changes accuracy by tens of percentage
        points.
    harmonic_constant : float
        Greater than -1.
    iterations : int
        Maximum number of EM iterations.
    tolerance : float
        Stop when an iteration increases the objective by less than this proportion of it; 0 runs all iterations.
    smoothing : float
        Added to every expected count in each M-step.
    max_length : int, optional
        Maximum length of the training sentences in words, without ignored punctuation. None: no limit.
    decoding : {"viterbi", "posterior"}
        The most probable tree, or the projective tree with one root whose heads have the highest sum of posterior
        probabilities. Ties go to the tree with the leftmost root, then the leftmost splits.
    tags : str
        Column of a tokens table to train on.
    keep_punctuation : bool
        Whether punctuation of a tokens table is part of training and trees; if not, its head is the previous word.
    punctuation_rule : optional
        Definition of punctuation; see `find_punctuation`.
    unambiguity : float or "annealed"
        After Tu (2012): the E-step uses tree probabilities raised to 1 / (1 - s) and normalised again. 0 is EM,
        1 is Viterbi EM, ``"annealed"`` decreases s linearly from 1 to 0 over the first `annealing` iterations.
    annealing : int
    prior : float, optional
        After Tu (2012): parameter of a symmetric Dirichlet prior of every distribution, less than 1 for sparse ones;
        the M-step is then that of variational Bayes, without `smoothing`. Fitted tables hold the variational weights,
        which sum to less than 1.
    keep_history : bool
        Whether to keep the parameters of each iteration, for `at_iteration`.
    n_jobs : int
        Number of threads for the E-step, -1 for one per processor. The result does not depend on it.

    Attributes
    ----------
    tags_ : pandas.Index
    root_ : Series
        Probability of each tag as the root.
    attach_left_, attach_right_ : DataFrame
        Head (row) by child (column).
    stop_ : DataFrame
        ``head``, ``direction``, ``adjacent`` (no child on that side yet), ``stop`` (probability of stopping).
    log_likelihoods_ : ndarray of float64, shape (n_iter_,)
        Log-probability of the training sentences (natural logarithm) under the parameters before each update.
    objectives_ : ndarray of float64, shape (n_iter_,)
        The objective, which never decreases: the log-likelihood; with `smoothing` plus smoothing times the sum of
        log-parameters; with a fixed `unambiguity` s < 1 the sum over sentences of (1 - s) log sum over trees of P ** (1
        / (1 - s)), with s = 1 the log-probability of the best trees; with `prior` minus the divergence of posterior
        from prior, and undefined (NaN) before the first update.
    n_iter_ : int
    converged_ : bool
        Whether training ended because of `tolerance`.
    n_sentences_, n_distinct_ : int
        Number of training sentences, and of distinct tag sequences, each of which is processed once. With chunks, the
        sum of the distinct ones in each chunk.
    impossible_ : int
        Number of training sentences with probability 0 under the initial parameters; they are ignored.

    References
    ----------
    Klein & Manning (2004); Gelling et al. (2012), section 4; unambiguity and prior after Tu (2012).

    Examples
    --------
    >>> model = DMV(iterations=20).fit([["N", "V"], ["V"], ["N", "V", "N"], ["V", "N"]])
    >>> bool(np.all(np.diff(model.log_likelihoods_) >= -1e-9))
    True
    >>> [heads.tolist() for heads in model.predict([["N", "V"], ["N", "V", "N"]])]
    [[2, 0], [2, 0, 2]]
    """

    def __init__(
        self,
        initializer: Literal["harmonic", "uniform"] = "harmonic",
        normalise: Literal["child", "head"] = "child",
        harmonic_constant: float = 0.0,
        iterations: int = 50,
        tolerance: float = 0.0,
        smoothing: float = 0.0,
        max_length: int | None = 10,
        decoding: Literal["viterbi", "posterior"] = "viterbi",
        tags: str = "fine",
        keep_punctuation: bool = False,
        punctuation_rule: Rule = None,
        unambiguity: float | Literal["annealed"] = 0.0,
        annealing: int = 100,
        prior: float | None = None,
        keep_history: bool = False,
        n_jobs: int = 1,
    ) -> None:
        self.initializer = initializer
        self.normalise = normalise
        self.harmonic_constant = harmonic_constant
        self.iterations = iterations
        self.tolerance = tolerance
        self.smoothing = smoothing
        self.max_length = max_length
        self.decoding = decoding
        self.tags = tags
        self.keep_punctuation = keep_punctuation
        self.punctuation_rule = punctuation_rule
        self.unambiguity = unambiguity
        self.annealing = annealing
        self.prior = prior
        self.keep_history = keep_history
        self.n_jobs = n_jobs

    def fit(self, sequences: Any, y: Any = None) -> Self:
        """Train on sentences.

        Parameters
        ----------
        sequences : DataFrame, sequence of lists of tags, or callable
            Tokens table with ``sentence`` and the column named by the parameter `tags`, or one list of tags per
            sentence. Or, for data larger than memory, a function without arguments that returns such tables or lists
            one after the other, the same at every call; it is called once for the initialiser and once per iteration,
            twice with `unambiguity`. The fitted model is the same up to rounding.
        y : ignored

        Raises
        ------
        ValueError
            If a parameter is out of range, there is no sentence to train on, or the function returns different
            sentences in different calls.

        Examples
        --------
        >>> from analysis.corpora.language import generate_blocks
        >>> model = DMV(iterations=2).fit(lambda: (block.tokens for block in generate_blocks(5_000, random_state=1)))
        >>> model.n_sentences_ > 4_000
        True
        """
        self._check_parameters()
        training = read_training(sequences, self._encode, self.max_length, self._count_soft_heads)
        if not training.n_sentences:
            raise ValueError(f"there is no sentence of 1 to {self.max_length or 'any number of'} words to train on.")
        self.tags_ = training.tags
        self.n_sentences_, self.n_distinct_ = training.n_sentences, training.n_distinct
        if self.initializer == "uniform":
            training.counts.stop[:] = training.counts.go[:] = 1.0
        parameters = normalised(training.counts)
        history = [parameters]
        log_likelihoods, objectives = [], []
        self.converged_ = False
        self.impossible_ = 0
        counts = None
        for iteration in range(self.iterations):
            s = self._sharpness(iteration)
            penalty = self._penalty(parameters, counts)
            value, impossible, counts = self._total_expectation(training.chunks(), parameters, s)
            self.impossible_ = max(self.impossible_, impossible)
            objectives.append(value + penalty)
            log_likelihoods.append(
                value if s == 0 else self._total_expectation(training.chunks(), parameters, 0, with_counts=False)[0]
            )
            if self.prior is None:
                parameters = normalised(counts, self.smoothing)
            else:
                parameters = variational(counts, self.prior)
            if self.keep_history:
                history.append(parameters)
            if self._has_converged(objectives, iteration):
                self.converged_ = True
                break
        self.n_iter_ = len(objectives)
        self.log_likelihoods_ = np.array(log_likelihoods)
        self.objectives_ = np.array(objectives)
        self._history = history if self.keep_history else []
        self._set_parameters(parameters)
        return self

    def predict(self, sequences: Any) -> pd.Series | list[np.ndarray]:
        """Predict the head of each word.

        Words whose tag was not seen in training attach uniformly, take no children, and are not the root. If a sentence
        has no possible tree, 0.1 is added to every factor for that sentence; `parse` reports these sentences.

        Parameters
        ----------
        sequences : DataFrame or sequence of lists of tags
            See `fit`; sentences of any length.

        Returns
        -------
        Series of int64, or list of ndarray
            For a table: named ``head``, with its index. For lists: one array per sentence.
        """
        parses = self.parse(sequences)
        if isinstance(sequences, pd.DataFrame):
            return pd.Series(parses.heads, index=sequences.index, name="head")
        return np.split(parses.heads, np.cumsum([len(tags) for tags in sequences])[:-1]) if len(sequences) else []

    def parse(self, sequences: Any) -> Parses:
        """Return trees with the probability of each sentence. Arguments as in `predict`."""
        self._require_fit("root_")
        check_choice("decoding", self.decoding, ("viterbi", "posterior"))
        coded = self._encode(sequences, self.tags_)
        known = with_unknown(self._parameters)
        factors, softer = known.factors(), smoothed(known).factors()
        lengths = coded.lengths
        heads = np.zeros(len(coded.words), dtype=np.int64)
        values = np.zeros(len(lengths))
        was_smoothed = np.zeros(len(lengths), dtype=bool)
        for s in range(len(lengths)):
            tags = coded.words[coded.starts[s] : coded.starts[s + 1]]
            if not len(tags):
                continue
            tree = heads[coded.starts[s] : coded.starts[s + 1]]
            values[s] = self._best(tags, factors, tree)
            if values[s] == -np.inf:
                was_smoothed[s] = True
                values[s] = self._best(tags, softer, tree)
        numbers = np.arange(len(lengths))
        if isinstance(sequences, pd.DataFrame):
            numbers = sequences["sentence"].to_numpy()[coded.token_starts[:-1]]
        table = pd.DataFrame(
            {
                "sentence": numbers,
                "words": lengths,
                "log_probability": values,
                "smoothed": was_smoothed,
            }
        )
        return Parses(with_punctuation(heads, coded), table)

    def posteriors(self, tags: Any) -> pd.DataFrame:
        """Compute the probability of each head of each word of one sentence.

        Parameters
        ----------
        tags : sequence of tags

        Returns
        -------
        DataFrame of shape (n + 1, n)
            Row 0 is the root, row i word i; one column per word, from 1. Every column sums to 1.
        """
        self._require_fit("root_")
        coded = encode_sequences([tags], self.tags, tags=self.tags_)
        known = with_unknown(self._parameters)
        value, found = _posteriors(coded.words, known.factors())
        if value == -np.inf:
            found = _posteriors(coded.words, smoothed(known).factors())[1]
        n = len(coded.words)
        return pd.DataFrame(
            found, index=pd.RangeIndex(n + 1, name="head"), columns=pd.RangeIndex(1, n + 1, name="word")
        )

    def score(self, sequences: Any, y: Any = None) -> float:
        """Compute the log-probability of sentences of any length (natural logarithm); -inf if one of them is
        impossible.

        Sentences as in `fit`, including a function that returns chunks.
        """
        self._require_fit("root_")
        chunks = (chunk for _, chunk in read_chunks(sequences, self._encode, None, self.tags_))
        value, impossible, _ = self._total_expectation(chunks, with_unknown(self._parameters), 0, with_counts=False)
        return float("-inf") if impossible else value

    def at_iteration(self, iteration: int) -> Self:
        """Return the model after a number of updates, 0 for the initialiser; needs ``keep_history=True``.

        Returns
        -------
        DMV
            A fitted copy with the parameters of that iteration.
        """
        self._require_fit("root_")
        if not self._history:
            raise ValueError("the parameters of single iterations were not kept: fit with keep_history=True.")
        if not 0 <= iteration < len(self._history):
            raise ValueError(f"iteration must be 0 to {len(self._history) - 1}, not {iteration!r}.")
        model = copy(self)
        model.log_likelihoods_, model.objectives_ = self.log_likelihoods_[:iteration], self.objectives_[:iteration]
        model.n_iter_, model.converged_ = iteration, False
        model._history = self._history[: iteration + 1]
        model._set_parameters(self._history[iteration])
        return model

    # ------------------------------------------------------------------------------------------------- training

    def _check_parameters(self) -> None:
        check_choice("initializer", self.initializer, ("harmonic", "uniform"))
        check_choice("normalise", self.normalise, ("child", "head"))
        if not self.harmonic_constant > -1:
            raise ValueError(f"harmonic_constant must be more than -1, not {self.harmonic_constant!r}.")
        check_at_least(0, smoothing=self.smoothing, iterations=self.iterations, tolerance=self.tolerance)
        if self.unambiguity != "annealed" and not (
            isinstance(self.unambiguity, int | float) and 0 <= self.unambiguity <= 1
        ):
            raise ValueError(f"unambiguity must be 0 to 1 or 'annealed', not {self.unambiguity!r}.")
        if self.prior is not None and not (self.prior > 0 and self.smoothing == 0):
            raise ValueError("prior must be more than 0, and replaces smoothing, which must be 0.")

    def _encode(self, sequences: Any, tags: pd.Index | None = None) -> Sequences:
        return encode_sequences(sequences, self.tags, self.keep_punctuation, self.punctuation_rule, tags)

    def _count_soft_heads(self, chunk: Chunk, counts: Parameters) -> None:
        """Add the counts of the harmonic initialiser for a chunk; the uniform one has none."""
        from analysis.dependencies.models import dmv_kernels as kernels

        if self.initializer == "harmonic":
            by_head = self.normalise == "head"
            kernels.harmonic_counts(*chunk, float(self.harmonic_constant), by_head, counts.arrays())

    def _sharpness(self, iteration: int) -> float:
        if self.unambiguity == "annealed":
            return max(0.0, 1.0 - iteration / self.annealing) if self.annealing > 0 else 0.0
        return float(self.unambiguity)

    def _penalty(self, parameters: Parameters, counts: Parameters | None) -> float:
        """Compute the term that the objective adds to the log-likelihood, or to its replacement."""
        if self.prior is not None:
            return float("nan") if counts is None else -divergence(counts, self.prior)
        if not self.smoothing:
            return 0.0
        with np.errstate(divide="ignore"):
            return self.smoothing * sum(float(np.log(array).sum()) for array in parameters.arrays())

    def _has_converged(self, objectives: list[float], iteration: int) -> bool:
        if not self.tolerance or len(objectives) < 2:
            return False
        if self.unambiguity == "annealed" and iteration < self.annealing:
            return False
        rise = objectives[-1] - objectives[-2]
        return bool(rise < self.tolerance * abs(objectives[-1]))  # false for NaN

    def _total_expectation(
        self, chunks: Iterable[Chunk], parameters: Parameters, s: float, *, with_counts: bool = True
    ) -> tuple[float, int, Parameters]:
        """Compute `_expectation` of all chunks together."""
        total, impossible, counts = 0.0, 0, Parameters.zeros(len(parameters.root))
        for chunk in chunks:
            value, number, part = self._expectation(*chunk, parameters, s, with_counts=with_counts)
            total += value
            impossible += number
            counts.add(part)
        return total, impossible, counts

    def _expectation(
        self,
        words: np.ndarray,
        starts: np.ndarray,
        weights: np.ndarray,
        parameters: Parameters,
        s: float,
        *,
        with_counts: bool = True,
    ) -> tuple[float, int, Parameters]:
        """Compute log-likelihood (or its replacement), number of impossible sentences, and expected counts."""
        from analysis.dependencies.models import dmv_kernels as kernels

        kernel = kernels.viterbi_counts if s == 1 else kernels.expected_counts
        factors, logs = parameters.factors(1.0 if s in (0, 1) else 1 / (1 - s))
        n_tags = len(parameters.root)
        scale = _scale(n_tags)
        bounds = _blocks(starts)

        def block(begin: int, end: int) -> tuple[float, int, Parameters]:
            counts = Parameters.zeros(n_tags)
            text = (words, starts, weights)
            value, impossible = kernel(text, begin, end, factors, logs, scale, with_counts, counts.arrays())
            return value, impossible, counts

        threads = thread_count(self.n_jobs)
        pairs = list(pairwise(bounds.tolist()))
        if threads == 1 or len(pairs) == 1:
            results = [block(*pair) for pair in pairs]
        else:
            with ThreadPoolExecutor(threads) as pool:
                results = list(pool.map(lambda pair: block(*pair), pairs))
        total, impossible, counts = results[0]
        for value, number, part in results[1:]:
            total += value
            impossible += number
            counts.add(part)
        return (total if s in (0, 1) else (1 - s) * total), impossible, counts

    def _set_parameters(self, parameters: Parameters) -> None:
        self._parameters = parameters
        heads, children = self.tags_.rename("head"), self.tags_.rename("child")
        self.root_ = pd.Series(parameters.root, index=self.tags_, name="root")
        self.attach_left_, self.attach_right_ = (
            pd.DataFrame(side, index=heads, columns=children) for side in parameters.attach
        )
        self.stop_ = stop_table(parameters, self.tags_)

    # ------------------------------------------------------------------------------------------------- decoding

    def _best(self, tags: np.ndarray, factors: tuple[Arrays, Arrays], heads: np.ndarray) -> float:
        from analysis.dependencies.models import dmv_kernels as kernels

        if self.decoding == "viterbi":
            return kernels.viterbi(tags, factors[1], heads)
        value, found = _posteriors(tags, factors)
        if value > -np.inf:
            free = np.zeros((2, len(tags), 2))
            kernels.best_tree(np.ascontiguousarray(found[0]), np.ascontiguousarray(found[1:]), free, free, heads)
        return value


def _posteriors(tags: np.ndarray, factors: tuple[Arrays, Arrays]) -> tuple[float, np.ndarray]:
    """Compute the log-probability of a sentence and the probability of each head (row) of each word."""
    from analysis.dependencies.models import dmv_kernels as kernels

    found = np.zeros((len(tags) + 1, len(tags)))
    return kernels.head_posteriors(tags, *factors, _scale(len(factors[0][0])), found), found


def _scale(n_tags: int) -> float:
    """Return the scale of each edge that keeps products in range: a power of two, so that no rounding occurs."""
    return float(2 ** min(10, int(np.ceil(np.log2(n_tags))) + 1))


def _blocks(starts: np.ndarray) -> np.ndarray:
    """Compute bounds of blocks of sentences with about equal work (cube of the length)."""
    work = np.append(0.0, np.cumsum(np.diff(starts).astype(np.float64) ** 3))
    number = min(_BLOCKS, max(1, (len(starts) - 1) // _BLOCK_SENTENCES))
    wanted = np.linspace(0, work[-1], number + 1)
    bounds = np.unique(np.searchsorted(work, wanted))
    bounds[-1] = len(starts) - 1
    return bounds


def thread_count(n_jobs: int) -> int:
    """Number of threads; -1: one per processor."""
    if n_jobs >= 1:
        return int(n_jobs)
    import os

    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
