r"""Trees sampled by edges, fertilities, distances and reducibility of tags (after Mareček & Žabokrtský 2012)."""

from typing import Any, Literal, Self

import numpy as np
import pandas as pd

from analysis.dependencies.models import reducibility_kernels as kernels
from analysis.dependencies.models.baselines import draw_heads
from analysis.dependencies.models.reducibility import log_scores, reducibility_scores
from analysis.dependencies.models.sequences import Sequences, encode_sequences, with_punctuation
from analysis.dependencies.models.spanning_tree_kernels import best_trees
from analysis.dependencies.punctuation import Rule
from analysis.structures import check_at_least, check_choice, check_positive, check_share
from analysis.structures.model import Model

DECODINGS = ("arborescence", "projective", "annealed")
NOT_SAMPLED = -1  #: Head of a word of a sentence that was not trained on


class ReducibilityModel(Model):
    r"""Projective trees of a tagged text, sampled by edges, fertilities, distances and reducibility.

    All trees of the text together have a probability proportional to the product, over the words i with tag t, head p
    and f children, of

    .. math:: \frac{c(t_p, t) + \alpha}{c(t_p) + \alpha T} \cdot \frac{c(t, f) + \beta P_0(f)}{c(t) + \beta} \cdot
              |i - p|^{-\gamma} \cdot R(\text{tags of the subtree of } i)^{\delta},

    where c counts the same events of the other words, T is the number of tags and :math:`P_0(f) = 2^{-(f+1)}`. The head
    of a sentence depends on a technical root at distance 1, and has no factor R. R scores how often the words with
    these tags can be left out of a sentence, see `reducibility_scores`; of more than three tags it is 1.

    A Gibbs sampler starts from uniform random projective trees. A sweep makes n - 1 small changes in each sentence of n
    words: a random word that is not the head of the sentence, and its head, divide the words between them anew. After
    `burn_in` edges are counted, once a sweep, and each sentence gets the tree with the most frequent edges.

    What is not in the paper of the challenge is after general knowledge of the authors' papers (?); they computed
    reducibility from the Wikipedia of each language.

    Parameters
    ----------
    alpha, beta : float
        How little counts of edges and of fertilities weigh, above 0.
    gamma, delta : float
        Weights of distance and of reducibility; 0: none.
    directed : bool
        Whether a tag has separate children on the left and on the right.
    fertility : {"number", "pair"}
        The number of children, or the pair of those on the left and on the right, whose P0 is the product.
    lexical : bool
        Whether beta is `lexical_beta` divided by the relative frequency of the word's form, so that the fertility of
        frequent words varies less. The product above then depends on the order of the words: it is taken in that of
        the text.
    lexical_beta : float
        Of the lexical fertility.
    sweeps : int
        Sweeps over the training text.
    burn_in : float
        Share of the sweeps, from the first on, whose edges are not counted; rounded down.
    decoding : {"arborescence", "projective", "annealed"}
        The tree with the most frequent edges, projective or not; or the last tree, with probabilities to the power 1 /
        temperature.
    annealing : (float, float)
        First and last temperature of ``"annealed"``; it changes by a constant factor (?).
    max_length : int, optional
        Maximum number of words of a training sentence, without punctuation.
    parse_sweeps : int
        Sweeps over each sentence that is not of the training text.
    smoothing : {"all", "length"}
        See `reducibility_scores`.
    lowercase : bool
        Whether reducibility takes capitals as small letters (?).
    tags : str
        Column of a tokens table to train on.
    keep_punctuation : bool
        Whether punctuation is treated as words; if not, its head is the previous word.
    punctuation_rule : optional
        Definition of punctuation; see `find_punctuation`.
    random_state : None, int or numpy.random.Generator

    Attributes
    ----------
    heads_ : ndarray of int64, shape (n_tokens,)
        Trees of the training text: positions in the sentence from 1, 0 is the root; -1 in sentences longer than
        `max_length`.
    edges_ : DataFrame
        ``parent``, ``side`` (root, whose parent is empty; both; with `directed` left, right), ``child``, ``count`` in
        the last trees of the chain.
    fertilities_ : DataFrame
        ``tag``, ``left``, ``right``, ``count`` in the last trees; without pairs ``left`` has all children.
    reducibility_ : DataFrame
        Of `reducibility_scores`; empty if delta is 0.
    frequencies_ : DataFrame
        ``form``, ``count`` in the training text; empty without lexical fertility.
    tags_ : Index
    log_probabilities_ : ndarray of float64, shape (sweeps,)
        Of all training trees, not normalised, after each sweep (natural logarithm).
    n_sentences_ : int
        Training sentences.

    References
    ----------
    Mareček & Žabokrtský (2012), "Exploiting reducibility in unsupervised dependency parsing" (EMNLP); Gelling et al.
    (2012), section 5.2 (there MZ).

    Examples
    --------
    >>> tokens = pd.DataFrame({"sentence": [0, 0, 0, 1, 1], "form": ["the", "dog", "runs", "dogs", "run"]})
    >>> tokens["fine"] = ["D", "N", "V", "N", "V"]
    >>> model = ReducibilityModel(sweeps=20).fit(tokens)
    >>> model.heads_.shape, model.predict(tokens).tolist() == model.heads_.tolist()
    ((5,), True)
    """

    def __init__(
        self,
        alpha: float = 0.01,
        beta: float = 1.0,
        gamma: float = 1.5,
        delta: float = 1.0,
        directed: bool = False,
        fertility: Literal["number", "pair"] = "number",
        lexical: bool = False,
        lexical_beta: float = 0.01,
        sweeps: int = 200,
        burn_in: float = 0.5,
        decoding: Literal["arborescence", "projective", "annealed"] = "arborescence",
        annealing: tuple[float, float] = (1.0, 0.1),
        max_length: int | None = None,
        parse_sweeps: int = 200,
        smoothing: Literal["all", "length"] = "all",
        lowercase: bool = False,
        tags: str = "fine",
        keep_punctuation: bool = False,
        punctuation_rule: Rule = None,
        random_state: int | np.random.Generator | None = 0,
    ) -> None:
        self.alpha = alpha
        self.beta = beta
        self.gamma = gamma
        self.delta = delta
        self.directed = directed
        self.fertility = fertility
        self.lexical = lexical
        self.lexical_beta = lexical_beta
        self.sweeps = sweeps
        self.burn_in = burn_in
        self.decoding = decoding
        self.annealing = annealing
        self.max_length = max_length
        self.parse_sweeps = parse_sweeps
        self.smoothing = smoothing
        self.lowercase = lowercase
        self.tags = tags
        self.keep_punctuation = keep_punctuation
        self.punctuation_rule = punctuation_rule
        self.random_state = random_state

    def fit(self, sequences: Any, y: Any = None, *, reducibility: pd.DataFrame | None = None) -> Self:
        """Sample the trees of a text.

        Parameters
        ----------
        sequences : DataFrame or sequence of lists of tags
            Tokens table with ``sentence``, ``form`` and the column named by the parameter `tags`. Lists have no forms:
            they need `reducibility`, or delta = 0.
        y : ignored
        reducibility : DataFrame, optional
            Scores of a larger text with the same tags, from `reducibility_scores`; by default of this text, with all
            its sentences.

        Raises
        ------
        ValueError
            If a parameter is out of range, there is no sentence to train on, or forms are missing.
        """
        self._check_parameters()
        coded = encode_sequences(sequences, self.tags, self.keep_punctuation, self.punctuation_rule)
        chosen = (coded.lengths >= 1) & (coded.lengths <= (self.max_length or np.inf))
        if not chosen.any():
            raise ValueError(f"there is no sentence of 1 to {self.max_length or 'any number of'} words to train on.")
        self.tags_, self.n_sentences_ = coded.tags, int(chosen.sum())
        self.reducibility_ = self._reducibility(sequences) if reducibility is None else reducibility
        self.frequencies_ = self._frequencies(sequences, coded)
        kept = np.repeat(chosen, coded.lengths)
        text = self._text(sequences, coded, chosen)
        counts = empty_counts(len(self.tags_), int(coded.lengths.max()), self.directed, self.fertility == "pair")
        heads, self.log_probabilities_ = self._sample(text, counts, self.sweeps, False, np.random.default_rng(
            self.random_state))  # fmt: skip
        self._keep(counts)
        of_words = np.full(len(coded.words), NOT_SAMPLED)
        of_words[kept] = heads
        self._trained = of_words, coded.words, coded.starts
        tokens = with_punctuation(of_words, coded)
        tokens[~np.repeat(chosen, np.diff(coded.token_starts))] = NOT_SAMPLED
        self.heads_ = tokens
        return self

    def predict(self, sequences: Any) -> pd.Series | list[np.ndarray]:
        """Predict the head of each word.

        The sentences of the training text, given again all together, have the trees of the chain. Any other sentence is
        sampled by itself, given the last trees of the training text. A tag that was not seen there is one of its own;
        a form is counted as seen once.

        Parameters
        ----------
        sequences : DataFrame or sequence of lists of tags
            See `fit`; sentences of any length.

        Returns
        -------
        Series of int64, or list of ndarray
            For a table: named ``head``, with its index. For lists: one array per sentence.
        """
        self._require_fit("edges_")
        self._check_parameters()
        coded = encode_sequences(sequences, self.tags, self.keep_punctuation, self.punctuation_rule, self.tags_)
        known, words, starts = self._trained
        heads = np.full(len(coded.words), NOT_SAMPLED)
        if np.array_equal(coded.words, words) and np.array_equal(coded.starts, starts):
            heads = known.copy()
        missing = heads == NOT_SAMPLED
        if missing.any():
            chosen = np.zeros(len(coded.lengths), dtype=bool)
            chosen[np.repeat(np.arange(len(chosen)), coded.lengths)[missing]] = True
            text = self._text(sequences, coded, chosen)
            counts = self._counts(int(coded.lengths.max()))
            rng = np.random.default_rng(self.random_state)
            heads[missing] = self._sample(text, counts, self.parse_sweeps, True, rng)[0]
        found = with_punctuation(heads, coded)
        if isinstance(sequences, pd.DataFrame):
            return pd.Series(found, index=sequences.index, name="head")
        return np.split(found, coded.starts[1:-1]) if len(sequences) else []

    def _check_parameters(self) -> None:
        check_positive(alpha=self.alpha, beta=self.beta, lexical_beta=self.lexical_beta)
        check_at_least(0, gamma=self.gamma, delta=self.delta)
        check_at_least(1, sweeps=self.sweeps, parse_sweeps=self.parse_sweeps, max_length=self.max_length)
        check_choice("fertility", self.fertility, ("number", "pair"))
        check_choice("decoding", self.decoding, DECODINGS)
        check_share(burn_in=self.burn_in)
        if self.burn_in == 1:
            raise ValueError("burn_in is 1; it must be below 1, or no sweep is counted.")
        if not (len(self.annealing) == 2 and min(self.annealing) > 0):
            raise ValueError(f"annealing is {self.annealing}; give two temperatures above 0, the first and the last.")

    def _reducibility(self, sequences: Any) -> pd.DataFrame:
        if self.delta == 0:
            return pd.DataFrame({"n": np.empty(0, np.int64), "tags": np.empty(0, str), "score": np.empty(0)})
        if not isinstance(sequences, pd.DataFrame):
            raise ValueError(
                "lists of tags have no words, by which reducibility is found: give a tokens table with form, the "
                "argument reducibility, or delta = 0."
            )
        return reducibility_scores(
            sequences, tags=self.tags, smoothing=self.smoothing, lowercase=self.lowercase,
            keep_punctuation=self.keep_punctuation, punctuation_rule=self.punctuation_rule,
        )  # fmt: skip

    def _forms(self, sequences: Any, coded: Sequences) -> pd.Series:
        if not isinstance(sequences, pd.DataFrame) or "form" not in sequences:
            raise ValueError("lexical fertility needs words: give a tokens table with form.")
        return sequences["form"][coded.kept].astype("str")

    def _frequencies(self, sequences: Any, coded: Sequences) -> pd.DataFrame:
        if not self.lexical:
            return pd.DataFrame({"form": np.empty(0, str), "count": np.empty(0, np.int64)})
        return self._forms(sequences, coded).value_counts(sort=False).rename_axis("form").reset_index()

    def _text(self, sequences: Any, coded: Sequences, chosen: np.ndarray) -> kernels.Text:
        """The chosen sentences with the scores of their n-grams and the beta of their words."""
        kept = np.repeat(chosen, coded.lengths)
        words, starts = coded.words[kept], np.append(0, np.cumsum(coded.lengths[chosen])).astype(np.int64)
        beta = np.full(len(words), float(self.beta))
        if self.lexical:
            counts = self.frequencies_.set_index("form")["count"]
            seen = self._forms(sequences, coded)[kept].map(counts).fillna(1).to_numpy(dtype=np.float64)
            beta = self.lexical_beta * counts.sum() / seen
        names = [*self.tags_.astype("str"), ""]
        scores = log_scores(self.reducibility_, [names[word] for word in words], starts)
        distances = np.maximum(np.arange(max(2, np.diff(starts).max())), 1.0) ** -float(self.gamma)
        return kernels.Text(words, starts, scores, beta, distances)

    def _sample(
        self, text: kernels.Text, counts: kernels.Counts, sweeps: int, apart: bool, rng: np.random.Generator
    ) -> tuple[np.ndarray, np.ndarray]:
        """Sample trees; return the decoded heads, and the log-probability of all trees after each sweep."""
        first = np.repeat(text.starts[:-1], np.diff(text.starts))
        local = draw_heads(text.starts, rng)
        heads = np.where(local > 0, local - 1 + first, kernels.ROOT)
        trees = kernels.Trees(heads, np.empty_like(heads), np.empty_like(heads))
        kernels.find_spans(text, trees)
        weights = kernels.Weights(
            float(self.alpha), float(self.alpha * len(self.tags_)), float(self.delta), bool(self.directed),
            self.fertility == "pair",
        )  # fmt: skip
        state = kernels.State(text, trees, counts, weights)
        if not apart:
            kernels.add_trees(text, trees, counts, weights, 0, len(text.starts) - 1)
        lengths = np.diff(text.starts)
        places = np.append(0, np.cumsum(lengths * (lengths + 1))).astype(np.int64)
        annealed = self.decoding == "annealed"
        tally, nothing = np.zeros(0 if annealed else places[-1], dtype=np.int64), np.zeros(0, dtype=np.int64)
        values = np.empty(sweeps)
        for number in range(sweeps):
            into = tally if number >= int(self.burn_in * sweeps) else nothing
            power = 1.0 / self._temperature(number, sweeps)
            kernels.sweep(state, power, apart, into, places, rng)
            if not apart:
                values[number] = self._log_probability(text, trees, counts, weights)
        if annealed:
            return np.where(heads == kernels.ROOT, 0, heads - first + 1), values
        return best_trees(text.starts, tally, places, self.decoding == "projective"), values

    def _temperature(self, sweep: int, sweeps: int) -> float:
        if self.decoding != "annealed":
            return 1.0
        first, last = self.annealing
        return float(first * (last / first) ** (sweep / max(sweeps - 1, 1)))

    def _log_probability(
        self, text: kernels.Text, trees: kernels.Trees, counts: kernels.Counts, weights: kernels.Weights
    ) -> float:
        again = kernels.Counts(*(np.zeros_like(array) for array in counts))
        return float(kernels.add_trees(text, trees, again, weights, 0, len(text.starts) - 1))

    def _keep(self, counts: kernels.Counts) -> None:
        """Keep the counts as tables."""
        names = [*self.tags_.astype("str"), ""]
        parent, child = np.nonzero(counts.edges)
        root = parent == len(counts.edges) - 1
        sides = np.array(["left", "right"])[parent % 2] if self.directed else np.full(len(parent), "both")
        tags = np.where(root, len(names) - 1, parent // (2 if self.directed else 1))
        self.edges_ = pd.DataFrame({"parent": [names[tag] for tag in tags], "side": np.where(root, "root", sides),
                                    "child": [names[tag] for tag in child],
                                    "count": counts.edges[parent, child]})  # fmt: skip
        tag, column = np.nonzero(counts.fertilities)
        left, right = _children(column) if self.fertility == "pair" else (column, np.zeros_like(column))
        self.fertilities_ = pd.DataFrame({"tag": [names[one] for one in tag], "left": left, "right": right,
                                          "count": counts.fertilities[tag, column]})  # fmt: skip

    def _counts(self, longest: int) -> kernels.Counts:
        """The counts of the training trees, with room for sentences of any length up to `longest`."""
        most = int((self.fertilities_["left"] + self.fertilities_["right"]).max()) + 1
        counts = empty_counts(len(self.tags_), max(longest, most), self.directed, self.fertility == "pair")
        edges, fertilities = self.edges_, self.fertilities_
        parent, child = (self.tags_.astype("str").get_indexer(edges[name]) for name in ("parent", "child"))
        if self.directed:
            parent = 2 * parent + edges["side"].eq("right").to_numpy()
        parent = np.where(edges["side"] == "root", len(counts.parents) - 1, parent)
        counts.edges[parent, child] = edges["count"]
        counts.parents[:] = counts.edges.sum(axis=1)
        left, right = (fertilities[name].to_numpy() for name in ("left", "right"))
        both = left + right
        column = both * (both + 1) // 2 + right if self.fertility == "pair" else both
        counts.fertilities[self.tags_.astype("str").get_indexer(fertilities["tag"]), column] = fertilities["count"]
        counts.tags[:] = counts.fertilities.sum(axis=1)
        return counts


def empty_counts(n_tags: int, longest: int, directed: bool = False, pairs: bool = False) -> kernels.Counts:
    """Counts of no tree, with one more tag for the unknown ones.

    Parameters
    ----------
    n_tags : int
    longest : int
        Words of the longest sentence.
    directed, pairs : bool
        As in `ReducibilityModel`.

    Returns
    -------
    Counts

    Examples
    --------
    >>> empty_counts(2, 3).edges.shape, empty_counts(2, 3, True, True).fertilities.shape
    ((4, 3), (3, 6))
    """
    parents = (n_tags + 1) * (2 if directed else 1) + 1
    columns = longest * (longest + 1) // 2 if pairs else longest
    sizes = ((parents, n_tags + 1), (parents,), (n_tags + 1, columns), (n_tags + 1,))
    return kernels.Counts(*(np.zeros(size, dtype=np.int64) for size in sizes))


def _children(columns: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Left and right children of the columns of pairs: those of the same sum lie together."""
    both = ((np.sqrt(8 * columns + 1) - 1) / 2).astype(np.int64)
    right = columns - both * (both + 1) // 2
    return both - right, right
