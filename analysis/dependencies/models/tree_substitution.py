"""Tree substitution grammar over the split-head dependency model (Cohn, Blunsom & Goldwater 2010)."""

import copy
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from itertools import pairwise
from time import perf_counter
from types import ModuleType
from typing import Any, Literal, NamedTuple, Self

import numpy as np
import pandas as pd

from analysis.dependencies.models.dmv import DMV, thread_count
from analysis.dependencies.models.sequences import Sequences, encode_sequences, with_punctuation
from analysis.dependencies.punctuation import Rule
from analysis.structures import check_at_least, check_between, check_choice
from analysis.structures.model import Model
from analysis.structures.progress import progress_bar

_LONGEST = 60  # words of a training sentence: the probability of a longer one could underflow


def _kernels() -> ModuleType:
    from analysis.dependencies.models import tree_substitution_kernels

    return tree_substitution_kernels


class GrammarParses(NamedTuple):
    """Trees of sentences.

    Attributes
    ----------
    heads : ndarray of int64, shape (n_tokens,)
        Concatenated over sentences; positions in the sentence from 1, 0 is the root.
    sentences : DataFrame
        One row per sentence: ``sentence``, ``words`` (without ignored punctuation), ``log_probability`` of the best
        derivation (mean over the runs), and ``agreement``: share of the heads of all runs that are in the tree
        (undefined without words).
    """

    heads: np.ndarray
    sentences: pd.DataFrame


class TreeSubstitutionGrammar(Model):
    """Pitman-Yor grammar of elementary trees over the dependency model with valence, by blocked Metropolis-Hastings.

    Parses are those of a context-free grammar in which every word is split into a left and a right half: categories
    S, L, Ls, L1, M, R, Rs, R1, M' with one tag or two, children made from far to near. A derivation cuts a parse into
    elementary trees. One with root c is drawn from G[c] ~ PY(a[c], b[c], P): P draws its rules, each from H[c'] ~
    PY(a'[c'], b'[c'], uniform), and whether each node below the root is a substitution site, with probability s of its
    category. The rules of a tree are counted when a table opens for it.

    A step takes the trees of a sentence away, proposes a derivation under the grammar with the other counts frozen,
    and accepts it with the ratio that makes the chain exact. Which customers open tables is part of the state. A sweep
    visits all sentences in a random order.

    Parameters
    ----------
    sweeps : int
        Total length of each chain, including sweeps before a resumed `fit`; 1,000 in the paper.
    runs : int
        Independent chains; 40 in the challenge. The tree of a sentence is the projective one with one root and the
        largest number of heads of the runs' trees; ties as for `DMV`.
    start : {"sites", "whole"}
        The chains start from the trees of the harmonic initialiser, every node a substitution site, or none (?).
    resample_every : int
        Sweeps from one draw of all hyper-parameters to the next; 0: they keep their initial values.
    discount, concentration, substitution : float
        Initial a and a', from 0 to below 1; b and b', above 0; s, between 0 and 1 (?). Resampled by slice sampling
        under the priors Beta(1, 1) and Gamma(1, 1), s from its posterior under Beta(1, 1).
    max_length : int
        Maximum length of the training sentences in words, without ignored punctuation; at most 60. The paper has 10,
        and 10 that rises to 15.
    normalise, harmonic_constant
        Of the harmonic initialiser; see `DMV`.
    tags : str
        Column of a tokens table to train on. A chain takes about 300 bytes times the square of the number of tags.
    keep_punctuation : bool
        Whether punctuation of a tokens table is part of training and trees; if not, its head is the previous word.
    punctuation_rule : optional
        Definition of punctuation; see `find_punctuation`.
    progress : bool
        Whether to show a progress bar.
    n_jobs : int
        Threads, at most one a chain. The result does not depend on it.
    random_state : int, Generator or None
        Seed of the chains.

    Attributes
    ----------
    tags_ : pandas.Index
        Tags of the text; an unseen tag is treated as one more, without counts.
    log_probability_ : ndarray of float64, shape (runs, sweeps_done_)
        After each sweep, in nats: joint log probability of derivations and seats, given the hyper-parameters.
    accepted_ : ndarray of float64, shape (runs, sweeps_done_)
        Share of proposals that were accepted.
    trees_ : ndarray of int64, shape (runs, sweeps_done_)
        Number of elementary trees of all sentences.
    seconds_ : ndarray of float64, shape (sweeps_done_,)
        Time of each sweep of all chains.
    sweeps_done_ : int
        Fewer than requested if the user interrupted `fit`.
    n_sentences_ : int
        Number of training sentences.

    References
    ----------
    Cohn, Blunsom & Goldwater (2010), "Inducing tree-substitution grammars", sections 3 to 5 and 7, the unlexicalised
    grammar. The denominator of its equation 9 is a misprint: n, not K. Gelling et al. (2012), section 4 (there BC).
    Neal (2003) for slice sampling.

    Examples
    --------
    >>> model = TreeSubstitutionGrammar(sweeps=20, runs=2, progress=False)
    >>> model = model.fit([["N", "V"], ["V"], ["N", "V", "N"], ["V", "N"]])
    >>> [int((heads == 0).sum()) for heads in model.predict([["N", "V"], ["N", "V", "N"]])]
    [1, 1]
    """

    def __init__(
        self,
        sweeps: int = 200,
        runs: int = 5,
        start: Literal["sites", "whole"] = "sites",
        resample_every: int = 10,
        discount: float = 0.5,
        concentration: float = 1.0,
        substitution: float = 0.5,
        max_length: int = 10,
        normalise: Literal["child", "head"] = "child",
        harmonic_constant: float = 0.0,
        tags: str = "fine",
        keep_punctuation: bool = False,
        punctuation_rule: Rule = None,
        progress: bool = True,
        n_jobs: int = 1,
        random_state: int | np.random.Generator | None = 0,
    ) -> None:
        self.sweeps = sweeps
        self.runs = runs
        self.start = start
        self.resample_every = resample_every
        self.discount = discount
        self.concentration = concentration
        self.substitution = substitution
        self.max_length = max_length
        self.normalise = normalise
        self.harmonic_constant = harmonic_constant
        self.tags = tags
        self.keep_punctuation = keep_punctuation
        self.punctuation_rule = punctuation_rule
        self.progress = progress
        self.n_jobs = n_jobs
        self.random_state = random_state

    def fit(self, sequences: Any, resume: "TreeSubstitutionGrammar | None" = None) -> Self:
        """Sample until each chain has ``sweeps`` sweeps.

        Parameters
        ----------
        sequences : DataFrame or sequence of lists of tags
            Tokens table with ``sentence`` and the column named by the parameter `tags`, or one list of tags per
            sentence.
        resume : TreeSubstitutionGrammar, optional
            A model with as many runs, fitted on the same sentences: its chains are continued as if they had not been
            interrupted. It may be the model itself.

        Raises
        ------
        ValueError
            If a parameter is out of range, there is no sentence to train on, or ``resume`` is of other sentences.
        KeyboardInterrupt
            After Ctrl-C; the attributes cover the whole sweeps, and ``fit(sequences, resume=model)`` goes on.
        """
        self._check_parameters()
        coded = self._encode(sequences)
        chosen = (coded.lengths >= 1) & (coded.lengths <= self.max_length)
        if not chosen.any():
            raise ValueError(f"there is no sentence of 1 to {self.max_length} words to train on.")
        words = coded.words[np.repeat(chosen, coded.lengths)]
        starts = np.append(0, np.cumsum(coded.lengths[chosen])).astype(np.int64)
        if resume is None:
            self._begin(words, starts, coded.tags)
        else:
            self._resume(copy.deepcopy(resume), words, starts, coded.tags)
        self._sample()
        return self

    def predict(self, sequences: Any) -> pd.Series | list[np.ndarray]:
        """Predict the head of each word.

        Parameters
        ----------
        sequences : DataFrame or sequence of lists of tags
            See `fit`; sentences of any length.

        Returns
        -------
        Series of int64, or list of ndarray
            For a table: named ``head``, with its index. For lists: one array per sentence.
        """
        heads = self.parse(sequences).heads
        if isinstance(sequences, pd.DataFrame):
            return pd.Series(heads, index=sequences.index, name="head")
        return np.split(heads, np.cumsum([len(tags) for tags in sequences])[:-1]) if len(sequences) else []

    def parse(self, sequences: Any) -> GrammarParses:
        """Return trees, with the log probability of the best derivations. Arguments as in `predict`.

        The tree of a run is that of the best derivation under the grammar of its last sample, with the counts frozen.
        """
        self._require_fit("log_probability_")
        coded = self._encode(sequences, self.tags_)
        heads, agreement, scores = self._vote(coded)
        numbers = np.arange(len(scores))
        if isinstance(sequences, pd.DataFrame):
            numbers = sequences["sentence"].to_numpy()[coded.token_starts[:-1]]
        table = pd.DataFrame(
            {"sentence": numbers, "words": coded.lengths, "log_probability": scores, "agreement": agreement}
        )
        return GrammarParses(with_punctuation(heads, coded), table)

    def elementary_trees(self, run: int = 0) -> pd.DataFrame:
        """Elementary trees of the last sample of a run, the most frequent first.

        Parameters
        ----------
        run : int
            Number of the run, from 0.

        Returns
        -------
        DataFrame
            ``root`` (category), ``tree`` (in brackets; a substitution site is a category alone, L* is Ls, N< and N> are
            the halves of N), ``nodes`` (rules), ``customers`` and ``tables``.

        Examples
        --------
        >>> model = TreeSubstitutionGrammar(sweeps=0, runs=1, progress=False).fit([["V"], ["V"]])
        >>> model.elementary_trees()["tree"].tolist()
        ['(L[V] V<)', '(R[V] V>)', '(S L[V] R[V])']
        """
        self._require_fit("log_probability_")
        kernels, state = _kernels(), self._states[run]
        grammar, names = self._grammar(), [*map(str, self.tags_), "?"]
        rules, categories, leaves = _names(grammar.rules, names)
        rows = []
        for f in np.flatnonzero(state.dishes[: len(state.fragments), kernels.CUSTOMERS]).tolist():
            text, nodes = _bracketed(state.fragments, f, rules, categories, leaves)
            root = categories[rules[state.fragments[f, kernels.RULE]][0]]
            rows.append((root, text, nodes, *state.dishes[f, :2].tolist()))
        table = pd.DataFrame(rows, columns=["root", "tree", "nodes", "customers", "tables"])
        return table.sort_values(["customers", "tree"], ascending=[False, True], ignore_index=True)

    # ------------------------------------------------------------------------------------------------- training

    def _check_parameters(self) -> None:
        check_at_least(0, sweeps=self.sweeps, resample_every=self.resample_every)
        check_at_least(1, runs=self.runs)
        check_between(1, _LONGEST, max_length=self.max_length)
        check_choice("start", self.start, ("sites", "whole"))
        if not 0 <= self.discount < 1:
            raise ValueError(f"discount is {self.discount}; it must be from 0 to below 1.")
        if not 0 < self.concentration < np.inf:
            raise ValueError(f"concentration is {self.concentration}; it must be a number above 0.")
        if not 0 < self.substitution < 1:
            raise ValueError(f"substitution is {self.substitution}; it must be between 0 and 1.")
        if self.resample_every and self.discount == 0:
            raise ValueError("a discount of 0 cannot be resampled: give one above 0, or resample_every=0.")

    def _encode(self, sequences: Any, tags: pd.Index | None = None) -> Sequences:
        return encode_sequences(sequences, self.tags, self.keep_punctuation, self.punctuation_rule, tags)

    def _begin(self, words: np.ndarray, starts: np.ndarray, tags: pd.Index) -> None:
        kernels = _kernels()
        self.tags_, self.n_sentences_ = tags, len(starts) - 1
        sentences = [words[first:last].tolist() for first, last in pairwise(starts)]
        harmonic = DMV(iterations=0, normalise=self.normalise, harmonic_constant=self.harmonic_constant,
                       max_length=None)  # fmt: skip
        heads = np.concatenate(harmonic.fit(sentences).predict(sentences)).astype(np.int64)
        nodes = 5 * len(words) - 2 * self.n_sentences_
        sites = np.full(nodes, int(self.start == "sites"))
        sites[5 * starts[:-1] - 2 * np.arange(self.n_sentences_)] = 1
        grammar = self._grammar()
        self._randoms = np.random.default_rng(np.random.default_rng(self.random_state).integers(2**63)).spawn(self.runs)
        self._states: list[Any] = []
        self._texts: list[Any] = []
        for random in self._randoms:
            state = kernels.empty(grammar, nodes, 5 * int(np.diff(starts).max()))
            state.hyper[:], state.substitution[:] = (self.discount, self.concentration), self.substitution
            text = kernels.Text(words, starts, heads.copy(), np.zeros(nodes, np.int64), sites.copy())
            kernels.begin(state, grammar, text, random)
            self._states.append(state)
            self._texts.append(text)
        self.sweeps_done_ = 0
        self.log_probability_, self.accepted_ = np.empty((self.runs, 0)), np.empty((self.runs, 0))
        self.trees_, self.seconds_ = np.empty((self.runs, 0), np.int64), np.empty(0)

    def _grammar(self) -> Any:
        """The rules, with those of one more tag for what was not seen."""
        return _kernels().make_grammar(len(self.tags_) + 1, len(self.tags_))

    def _resume(self, other: "TreeSubstitutionGrammar", words: np.ndarray, starts: np.ndarray, tags: pd.Index) -> None:
        other._require_fit("log_probability_")
        if other.runs != self.runs:
            raise ValueError(f"runs of the chains to resume is {other.runs}, here {self.runs}.")
        text = other._texts[0]
        if not (np.array_equal(text.starts, starts) and np.array_equal(other.tags_[text.words], tags[words])):
            raise ValueError("the chains to resume were fitted on other sentences.")
        for name, value in vars(other).items():
            if name.startswith("_") or name.endswith("_"):
                setattr(self, name, value)

    def _sample(self) -> None:
        """Run the chains sweep by sweep; what is done is kept if the user interrupts it."""
        grammar, rows, seconds = self._grammar(), [], []
        options: dict[str, Any] = {"initial": self.sweeps_done_, "unit": "sweep", "shown": self.progress}
        try:
            with (
                _mapped(min(thread_count(self.n_jobs), self.runs)) as each,
                progress_bar(self.sweeps, label="tree substitution grammar", **options) as bar,
            ):
                for done in range(self.sweeps_done_ + 1, self.sweeps + 1):
                    started = perf_counter()
                    resampled = self.resample_every > 0 and done % self.resample_every == 0
                    rows.append(list(each(lambda run: self._one_sweep(run, grammar, resampled), range(self.runs))))  # noqa: B023
                    seconds.append(perf_counter() - started)
                    bar.update()
        finally:
            self._finish(rows[: len(seconds)], seconds)

    def _one_sweep(self, run: int, grammar: Any, resampled: bool) -> tuple[float, float, int]:
        """A sweep of one chain; returns log probability, share of accepted proposals, and number of trees."""
        kernels, state, text, random = _kernels(), self._states[run], self._texts[run], self._randoms[run]
        accepted = kernels.sweep(state, grammar, text, random.permutation(self.n_sentences_), random)
        if resampled:
            kernels.resample(state, grammar, random)
        return kernels.log_probability(state, grammar), accepted / self.n_sentences_, int(text.sites.sum())

    def _finish(self, rows: list[list[tuple[float, float, int]]], seconds: list[float]) -> None:
        self.sweeps_done_ += len(rows)
        self.seconds_ = np.append(self.seconds_, seconds)
        if rows:
            values = np.array(rows, dtype=np.float64).transpose(2, 1, 0)  # trace, run, sweep
            self.log_probability_ = np.hstack([self.log_probability_, values[0]])
            self.accepted_ = np.hstack([self.accepted_, values[1]])
            self.trees_ = np.hstack([self.trees_, values[2].astype(np.int64)])

    # ------------------------------------------------------------------------------------------------- decoding

    def _vote(self, coded: Sequences) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Heads of all words, and of each sentence the share of agreeing heads and the log probability."""
        kernels, grammar = _kernels(), self._grammar()
        found, scores = [], np.zeros(len(coded.lengths))
        place, unused = np.empty(len(self._states[0].fragments), np.int64), np.random.default_rng(0)
        for state in self._states:
            weights, known = kernels.tree_probabilities(state, grammar), dict[bytes, tuple]()
            heads = np.zeros(len(coded.words), np.int64)
            for at, (first, last) in enumerate(pairwise(coded.starts)):
                tags = coded.words[first:last]
                if first < last:
                    if tags.tobytes() not in known:
                        tree = np.zeros(last - first, np.int64)
                        value = _decode(kernels, (state, grammar, weights), tags, (place, unused), tree)
                        known[tags.tobytes()] = tree, value
                    heads[first:last], value = known[tags.tobytes()]
                    scores[at] += value / self.runs
            found.append(heads)
        heads = agreed_trees(found, coded.starts)
        agreeing = np.append(0, np.cumsum(np.mean([one == heads for one in found], axis=0)))[coded.starts]
        with np.errstate(invalid="ignore"):
            return heads, np.diff(agreeing) / coded.lengths, scores


def joined_runs(models: Sequence[TreeSubstitutionGrammar]) -> TreeSubstitutionGrammar:
    """A model of all runs of several models, fitted on the same sentences with as many sweeps.

    Parameters
    ----------
    models : sequence of TreeSubstitutionGrammar

    Returns
    -------
    TreeSubstitutionGrammar

    Raises
    ------
    ValueError
        If they were fitted on different sentences, or have different numbers of sweeps.

    Examples
    --------
    >>> runs = [TreeSubstitutionGrammar(2, runs=1, random_state=seed, progress=False).fit([["V"]]) for seed in (0, 1)]
    >>> joined_runs(runs).log_probability_.shape
    (2, 2)
    """
    first, texts = models[0], [text for model in models for text in model._texts]
    for model, text in zip([one for one in models for _ in one._texts], texts, strict=True):
        same = np.array_equal(text.starts, texts[0].starts) and np.array_equal(text.words, texts[0].words)
        if not (same and model.tags_.equals(first.tags_) and model.sweeps_done_ == first.sweeps_done_):
            raise ValueError("the models were fitted on different sentences, or have different numbers of sweeps.")
    found = copy.copy(first).set_params(runs=len(texts))
    found._texts = texts
    found._states = [state for model in models for state in model._states]
    found._randoms = [random for model in models for random in model._randoms]
    for name in ("log_probability_", "accepted_", "trees_"):
        setattr(found, name, np.vstack([getattr(model, name) for model in models]))
    found.seconds_ = np.sum([model.seconds_ for model in models], axis=0)
    return found


def agreed_trees(found: Sequence[np.ndarray], starts: np.ndarray) -> np.ndarray:
    """The projective trees with one root and the largest number of heads of several trees.

    Parameters
    ----------
    found : sequence of ndarray of int64, shape (n_words,)
        Heads of all sentences, once a run.
    starts : ndarray of int64, shape (n_sentences + 1,)
        First word of each sentence, and the end.

    Returns
    -------
    ndarray of int64, shape (n_words,)

    Examples
    --------
    >>> runs = [np.array([0, 1, 2]), np.array([0, 1, 1]), np.array([2, 0, 1])]
    >>> agreed_trees(runs, np.array([0, 3])).tolist()
    [0, 1, 1]
    """
    from analysis.dependencies.models.dmv_kernels import best_tree

    if len(found) == 1:
        return found[0]
    heads = np.zeros(len(found[0]), np.int64)
    for first, last in pairwise(starts):
        n = last - first
        if n:
            votes, free = np.zeros((n + 1, n)), np.zeros((2, n, 2))
            for one in found:
                votes[one[first:last], np.arange(n)] += 1
            best_tree(votes[0].copy(), votes[1:].copy(), free, free, heads[first:last])
    return heads


def _decode(kernels: ModuleType, model: tuple, tags: np.ndarray, room: tuple, heads: np.ndarray) -> float:
    """Write the heads of the best derivation; return its log probability. Long sentences need another scale."""
    power = 4
    for step in range(1, 200):
        value = kernels.decode(*model, tags, 2.0**power, *room, heads)
        if 0 < value < np.inf:
            return float(np.log(value) - len(tags) * power * np.log(2))
        power += step if step % 2 else -step  # 5, 3, 6, 2, ...
    raise ValueError(f"a sentence of {len(tags)} words is too long to be parsed.")


@contextmanager
def _mapped(threads: int) -> Iterator[Any]:
    """``map``, or that of a pool of threads."""
    if threads == 1:
        yield map
        return
    with ThreadPoolExecutor(threads) as pool:
        yield pool.map


def _names(rules: np.ndarray, tags: list[str]) -> tuple[list[tuple[int, int, int]], list[str], list[list[str]]]:
    """Parent and children of each rule; names of the categories; halves of words in each rule that ends a side."""
    T = len(tags)
    one = [f"{kind}[{tag}]" for kind in ("L", "L*", "L1", "R", "R*", "R1") for tag in tags]
    two = [f"{kind}[{a} {b}]" for kind in ("M", "M'") for a in tags for b in tags]
    halves: list[list[str]] = [[] for _ in range(rules.shape[1])]
    for kind, mark in enumerate("<<>>"):
        for at, tag in enumerate(tags):
            halves[T + 2 * (kind * T + at)] = [f"{tag}{mark}"]
    return list(zip(rules[0].tolist(), rules[2].tolist(), rules[3].tolist(), strict=True)), ["S", *one, *two], halves


def _bracketed(
    fragments: np.ndarray, f: int, rules: list[tuple[int, int, int]], categories: list[str], halves: list[list[str]]
) -> tuple[str, int]:
    """A fragment in brackets, and its number of rules."""
    rule, left, right = (int(fragments[f, column]) for column in (0, 2, 3))
    parent, *below = rules[rule]
    parts, nodes = [categories[parent], *halves[rule]], 1
    for child, category in zip((left, right), below, strict=True):
        if category >= 0 and child < 0:
            parts.append(categories[category])
        elif category >= 0:
            text, more = _bracketed(fragments, child, rules, categories, halves)
            parts.append(text)
            nodes += more
    return f"({' '.join(parts)})", nodes
