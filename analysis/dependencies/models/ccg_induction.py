r"""Induction of CCG categories and of a model of derivations, from tags (Bisk & Hockenmaier 2012)."""

from collections.abc import Mapping, Sequence
from math import exp
from typing import Any, Literal, NamedTuple, Self

import numpy as np
import pandas as pd

from analysis.dependencies.models import ccg_kernels as kernels
from analysis.dependencies.models.ccg_grammar import RULES, Grammar, Rule, Symbol, make_grammar
from analysis.dependencies.models.ccg_lexicon import (
    NOT_FINITE,
    Lexicon,
    induce_lexicon,
    next_to_constituents,
    seeds_of,
)
from analysis.dependencies.models.ccg_parameters import (
    Events,
    event_counts,
    find_events,
    maximum_likelihood,
    raise_to_floor,
    rule_scores,
    uniform,
)
from analysis.dependencies.models.sequences import (
    Sequences,
    distinct_sequences,
    encode_sequences,
    with_punctuation,
)
from analysis.dependencies.punctuation import Rule as PunctuationRule
from analysis.dependencies.punctuation import find_punctuation
from analysis.structures import check_at_least, check_choice, incidents_table
from analysis.structures.ccg_category import parse_category
from analysis.structures.ccg_rules import binary_rule, unary_rule
from analysis.structures.derivation import FAILED, NODE_COLUMNS, PARSED, Derivations
from analysis.structures.incidents import Incident
from analysis.structures.model import Model

#: What heads a coordination X1 conj X2: a chain X1, conj, X2; X1 heads both; X1 heads X2, which heads conj (Universal
#: Dependencies); conj heads both; X2 heads both.
CONVENTIONS = {
    "chain": kernels.CHAIN,
    "first": kernels.FIRST,
    "second": kernels.SECOND,
    "conjunction": kernels.CONJUNCTION,
    "last": kernels.LAST,
}
#: Ways of training.
TRAINING = ("full", "viterbi", "k-best")


class CCGParses(NamedTuple):
    """Trees and derivations of sentences.

    Attributes
    ----------
    heads : ndarray of int64, shape (n_tokens,)
        Concatenated over sentences; positions in the sentence from 1, 0 is the root.
    derivations : Derivations or None
        Of the words (without ignored punctuation); the form of a word is its tag if only tags are known.
    sentences : DataFrame
        ``sentence``, ``words``, ``log_probability`` of the best derivation and the tags (missing if there is none) and
        ``parsed``; without a derivation the tree is right-branching.
    """

    heads: np.ndarray
    derivations: Derivations | None
    sentences: pd.DataFrame


class CCGInduction(Model):
    r"""Categories of CCG from a few seeds, and a model of derivations trained by expectation maximisation.

    Rounds of induction give each tag categories from those of its neighbours (see `induce_lexicon`); all derivations of
    the training sentences are found once. Top-down, the model generates the root, S or N; for a category P how it
    expands, p(e|P): to a word, by a unary rule, or with the head on the left or right; the tag, p(tag|P), or the head
    H, p(H|P,e), and the other daughter, p(S|P,H,e). At first the outcomes that occur in the complete derivations are
    equally probable; nothing is random.

    The functor heads a constituent; but a modifier X|X does not, nor a type-raised noun. A word depends on the head of
    the constituent that its own is combined with.

    Parameters
    ----------
    rounds : int
        Rounds of induction.
    derived : bool
        Whether one more round lets a word look at the categories of whole constituents of at least two words beside it
        ("+d"), complete derivation or not (?).
    rules : {"B0", "B1", "B1+TR", "B2", "B2+TR"}
        Application; composition; with type-raising; generalised composition with two arguments, whose results have at
        most 3 (?).
    normal_form : bool
        Whether only derivations in normal form count (Hockenmaier & Bisk 2010), as in the paper of the challenge; the
        paper of AAAI has all.
    training : {"k-best", "full", "viterbi"}
        Where counts come from: the `n_best` best derivations interpolated with all of them, all, or the best. The paper
        of the challenge does not say which (?).
    n_best : int
    interpolation : float, optional
        Weight of the best derivations in the estimate of each context. By default c / (c + f) with the expected counts
        c of the context in them, f in all derivations.
    weighting : {"probability", "equal"}
        How the best derivations of a sentence are weighted (?).
    floor : float
        No probability is below it; 0: none. The default is e to the power of -6.
    floor_taken : {"equally", "proportionally"}
        How the larger probabilities pay for it; equally, as in the authors' program.
    iterations : int
        Maximum number of EM iterations.
    tolerance : float
        Stop when the objective changes by less than this proportion.
    max_length : int, optional
        Maximum number of words of a training sentence, without punctuation.
    coordination : {"chain", "first", "second", "conjunction", "last"}
        Trees of coordinations, see `CONVENTIONS`; only the first is sure to be the authors' (?).
    seeds : mapping, optional
        Tag to N, S or conj. By default the printed ones for tags of the Penn Treebank, else by universal tag; see
        `seeds_of`.
    tags : str
        Column of a tokens table to train on.
    keep_punctuation : bool
        Whether punctuation is absorbed in derivations; if not, it is left out, and its head is the previous word.
    punctuation_rule : optional
        Definition of punctuation; see `find_punctuation`.

    Attributes
    ----------
    lexicon_ : DataFrame
        ``tag``, ``category``, ``count`` (expected, in the last iteration) and ``share`` of the tag's; only categories
        that occur in a complete derivation.
    rules_ : DataFrame
        Rules that occur: ``parent``, ``head``, ``sister``, ``side``, ``log_probability``. TOP is the parent of roots;
        ``*`` marks a functor X|X that composition made, ``^`` a raised noun.
    log_likelihoods_ : ndarray of float64, shape (n_iter_,)
        Log-probability of the parsed training sentences (natural logarithm) before each update.
    objectives_ : ndarray of float64, shape (n_iter_,)
        The same; with ``training="viterbi"`` that of the best derivations.
    n_iter_ : int
    converged_ : bool
    n_sentences_, n_distinct_ : int
        Training sentences, and distinct sequences of tags among them.
    unparsed_ : int
        Training sentences without a complete derivation; they are left out.
    n_edges_ : int
        Edges of all forests.

    References
    ----------
    Bisk & Hockenmaier (2012), "Simple robust grammar induction with combinatory categorial grammars" (AAAI), and
    "Induction of linguistic structure with combinatory categorial grammars" (WILS); Bisk (2015); Gelling et al. (2012),
    section 3 (there BH). Huang & Chiang (2005), algorithm 3, for the best derivations.

    Examples
    --------
    >>> model = CCGInduction().fit([["DT", "NNS", "VBD", "RB"], ["NNS", "VBD"]])
    >>> model.predict([["DT", "NNS", "VBD"]])[0].tolist()
    [2, 3, 0]
    """

    def __init__(
        self,
        rounds: int = 2,
        derived: bool = False,
        rules: Literal["B0", "B1", "B1+TR", "B2", "B2+TR"] = "B1+TR",
        normal_form: bool = True,
        training: Literal["k-best", "full", "viterbi"] = "k-best",
        n_best: int = 100,
        interpolation: float | None = None,
        weighting: Literal["probability", "equal"] = "probability",
        floor: float = exp(-6),
        floor_taken: Literal["equally", "proportionally"] = "equally",
        iterations: int = 50,
        tolerance: float = 0.001,
        max_length: int | None = 10,
        coordination: Literal["chain", "first", "second", "conjunction", "last"] = "chain",
        seeds: Mapping[str, str] | None = None,
        tags: str = "fine",
        keep_punctuation: bool = False,
        punctuation_rule: PunctuationRule = None,
    ) -> None:
        self.rounds = rounds
        self.derived = derived
        self.rules = rules
        self.normal_form = normal_form
        self.training = training
        self.n_best = n_best
        self.interpolation = interpolation
        self.weighting = weighting
        self.floor = floor
        self.floor_taken = floor_taken
        self.iterations = iterations
        self.tolerance = tolerance
        self.max_length = max_length
        self.coordination = coordination
        self.seeds = seeds
        self.tags = tags
        self.keep_punctuation = keep_punctuation
        self.punctuation_rule = punctuation_rule

    def fit(self, sequences: Any, y: Any = None) -> Self:
        """Induce the lexicon, and train the model.

        Parameters
        ----------
        sequences : DataFrame or sequence of lists of tags
            Tokens table with ``sentence`` and the column named by the parameter `tags`; ``universal`` gives the seeds
            of tags that are neither of the Penn Treebank nor universal.
        y : ignored

        Raises
        ------
        ValueError
            If a parameter is out of range, no tag has a seed, or no training sentence has a derivation.
        """
        self._check_parameters()
        coded = self._encode(sequences)
        self.tags_ = coded.tags
        self._marks = self._find_marks(sequences, coded)
        words, starts, weights = self._training(coded)
        self.n_sentences_, self.n_distinct_ = int(weights.sum()), len(weights)
        names = [str(tag) for tag in self.tags_]
        seeds = dict(self.seeds) if self.seeds is not None else self._find_seeds(sequences, coded)
        self._verbs = tuple(tag for tag, name in seeds.items() if name == "S" and tag not in NOT_FINITE)
        sentences = [[names[tag] for tag in words[begin:end]] for begin, end in _pairs(starts)]
        lexicon = induce_lexicon(sentences, seeds, rounds=self.rounds, marks=self._marks)
        if self.derived:
            lexicon = self._from_constituents(lexicon, words, starts, names)
        grammar = self._grammar(lexicon)
        forest, parsed = build_forests(words, starts, weights, grammar.tables)
        self.unparsed_, self.n_edges_ = int(weights[~parsed].sum()), len(forest.rule)
        if not len(forest.weights):
            raise ValueError("no training sentence has a derivation: are there seeds for verbs and nouns?")
        used = np.zeros(len(grammar.rules), dtype=bool)
        used[forest.rule] = True
        counts, scores = self._train(forest, find_events(grammar.rules, used))
        self._keep(grammar, used, counts, scores)
        return self

    def _check_parameters(self) -> None:
        check_choice("rules", self.rules, tuple(RULES))
        check_choice("training", self.training, TRAINING)
        check_choice("weighting", self.weighting, ("probability", "equal"))
        check_choice("floor_taken", self.floor_taken, ("equally", "proportionally"))
        check_choice("coordination", self.coordination, tuple(CONVENTIONS))
        check_at_least(0, rounds=self.rounds, tolerance=self.tolerance)
        check_at_least(1, n_best=self.n_best, iterations=self.iterations, max_length=self.max_length)
        for name, value in (("floor", self.floor), ("interpolation", self.interpolation)):
            if value is not None and not 0 <= value <= 1:
                raise ValueError(f"{name} is {value}; it must be from 0 to 1.")

    def _encode(self, sequences: Any, tags: pd.Index | None = None) -> Sequences:
        return encode_sequences(sequences, self.tags, self.keep_punctuation, self.punctuation_rule, tags)

    def _find_marks(self, sequences: Any, coded: Sequences) -> tuple[str, ...]:
        """The tags all of whose tokens are punctuation, if punctuation is kept."""
        if not self.keep_punctuation or not isinstance(sequences, pd.DataFrame):
            return ()
        mask = find_punctuation(sequences, self.punctuation_rule).mask
        n = len(self.tags_)
        whole = np.bincount(coded.words, minlength=n) == np.bincount(coded.words[mask], minlength=n)
        return tuple(str(tag) for tag in self.tags_[whole])

    def _find_seeds(self, sequences: Any, coded: Sequences) -> dict[str, str]:
        universal = None
        if isinstance(sequences, pd.DataFrame) and "universal" in sequences and self.tags != "universal":
            universal = sequences.loc[coded.kept, [self.tags, "universal"]].set_axis(["tag", "universal"], axis=1)
        seeds = seeds_of([str(tag) for tag in self.tags_], universal)
        return {tag: name for tag, name in seeds.items() if tag not in self._marks}

    def _training(self, coded: Sequences) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The distinct training sequences, with their frequencies."""
        marks = np.isin([str(tag) for tag in self.tags_], self._marks)
        lengths = np.diff(np.append(0, np.cumsum(~marks[coded.words]))[coded.starts])
        chosen = (lengths >= 1) & (lengths <= (self.max_length or np.inf))
        kept = np.repeat(chosen, coded.lengths)
        starts = np.append(0, np.cumsum(coded.lengths[chosen])).astype(np.int64)
        if not chosen.any():
            raise ValueError(f"there is no sentence of 1 to {self.max_length or 'any number of'} words to train on.")
        return distinct_sequences(coded.words[kept], starts, None)

    def _grammar(self, lexicon: Lexicon) -> Grammar:
        return make_grammar(
            lexicon, [str(tag) for tag in self.tags_], rules=self.rules, normal_form=self.normal_form,
            verbs=frozenset(self._verbs), marks=frozenset(self._marks),
        )  # fmt: skip

    def _from_constituents(self, lexicon: Lexicon, words: np.ndarray, starts: np.ndarray, names: list[str]) -> Lexicon:
        grammar = self._grammar(lexicon)
        found: dict[tuple, None] = {}
        for begin, end in _pairs(starts):
            tags = words[begin:end]
            nodes = kernels.build_forest(tags, grammar.tables, False)[0][:-1]
            for symbol, first, last in nodes[nodes[:, 2] - nodes[:, 1] > 1].tolist():
                category = grammar.symbols[symbol].category
                if first > 0:
                    found[names[tags[first - 1]], "right", category] = None
                if last < len(tags):
                    found[names[tags[last]], "left", category] = None
        return next_to_constituents(lexicon, found, self._marks)

    def _train(self, forest: kernels.Forest, events: Events) -> tuple[np.ndarray, np.ndarray]:
        """Expectation maximisation; returns the counts of the rules in the last iteration, and their scores."""
        probabilities = uniform(events)
        values = np.empty(len(forest.first_edge) - 1)
        counts = np.zeros(len(events.used))
        log_likelihoods: list[float] = []
        objectives: list[float] = []
        self.converged_ = False
        for _ in range(self.iterations):
            scores = rule_scores(events, probabilities)
            log_likelihoods.append(kernels.inside(forest, scores, values))
            estimate, counts, best = self._expected(forest, events, scores, values, probabilities)
            objectives.append(best if self.training == "viterbi" else log_likelihoods[-1])
            taken = self.floor_taken == "equally"
            probabilities = raise_to_floor(estimate, events.context, self.floor, equally=taken)
            if len(objectives) > 1 and abs(objectives[-1] - objectives[-2]) < self.tolerance * abs(objectives[-2]):
                self.converged_ = True
                break
        self.n_iter_ = len(objectives)
        self.log_likelihoods_, self.objectives_ = np.array(log_likelihoods), np.array(objectives)
        return counts, rule_scores(events, probabilities)

    def _expected(
        self, forest: kernels.Forest, events: Events, scores: np.ndarray, values: np.ndarray, before: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray, float]:
        """New probabilities, the counts of the rules that they rest on, and the score of the best derivations."""
        every, few, best = np.zeros(len(scores)), np.zeros(len(scores)), 0.0
        share = 1.0 if self.training == "viterbi" else self.interpolation
        if self.training != "full":
            k = 1 if self.training == "viterbi" else self.n_best
            best = kernels.k_best_counts(forest, scores, k, self.weighting == "equal", few)
        if share != 1:
            kernels.expected_counts(forest, scores, values, every)
        of_few, few_totals = maximum_likelihood(events, event_counts(events, few), before)
        if share == 1:
            return of_few, few, best
        of_all, all_totals = maximum_likelihood(events, event_counts(events, every), before)
        if self.training == "full":
            return of_all, every, best
        both = few_totals + all_totals
        weight = np.divide(few_totals, both, out=np.zeros_like(both), where=both > 0)
        if share is not None:
            weight = np.where(few_totals > 0, share, 0.0)
        return weight * of_few + (1 - weight) * of_all, few, best

    def _keep(self, grammar: Grammar, used: np.ndarray, counts: np.ndarray, scores: np.ndarray) -> None:
        """Keep what was learnt, as tables."""
        rows = [(*_names(rule), rule.side, scores[number]) for number, rule in enumerate(grammar.rules) if used[number]]
        table = pd.DataFrame(rows, columns=["kind", "parent", "head", "sister", "side", "log_probability"])
        self.rules_ = table.astype({"kind": "int64", "side": "int64"})
        lexical = [number for number, rule in enumerate(grammar.rules) if used[number] and rule.kind == kernels.LEXICAL]
        pairs = [(*_names(grammar.rules[number])[2:0:-1], counts[number]) for number in lexical]
        lexicon = pd.DataFrame(pairs, columns=["tag", "category", "count"])
        totals = lexicon.groupby("tag")["count"].transform("sum")
        lexicon["share"] = (lexicon["count"] / totals).where(totals > 0)
        self.lexicon_ = lexicon.sort_values(["tag", "count"], ascending=[True, False], kind="stable", ignore_index=True)

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
        heads = self.parse(sequences, derivations=False).heads
        if isinstance(sequences, pd.DataFrame):
            return pd.Series(heads, index=sequences.index, name="head")
        return np.split(heads, np.cumsum([len(tags) for tags in sequences])[:-1]) if len(sequences) else []

    def parse(self, sequences: Any, *, derivations: bool = True) -> CCGParses:
        """Return trees, and the best derivation of each sentence.

        Parameters
        ----------
        sequences : DataFrame or sequence of lists of tags
            As in `predict`.
        derivations : bool
            Whether derivations are returned too, which takes longer than finding them.

        Returns
        -------
        CCGParses
        """
        self._require_fit("rules_")
        coded = self._encode(sequences, self.tags_)
        grammar, scores = self._decoder()
        kind = np.array([rule.kind for rule in grammar.rules], dtype=np.int64)
        side = np.array([rule.side for rule in grammar.rules], dtype=np.int64)
        convention = CONVENTIONS[self.coordination]
        heads = np.zeros(len(coded.words), dtype=np.int64)
        done: dict[bytes, tuple] = {}
        found = []
        for begin, end in _pairs(coded.starts):
            tags = coded.words[begin:end]
            if tags.tobytes() not in done:
                done[tags.tobytes()] = kernels.best_derivation(tags, grammar.tables, scores)
            rows, value = done[tags.tobytes()]
            found.append((rows, value))
            heads[begin:end] = np.arange(end - begin)  # right-branching
            if len(rows):
                kernels.word_heads(rows, kind, side, convention, heads[begin:end])
        numbers = np.arange(len(found))
        if isinstance(sequences, pd.DataFrame):
            numbers = sequences["sentence"].to_numpy()[coded.token_starts[:-1]]
        parsed = np.array([len(rows) > 0 for rows, _ in found], dtype=bool)
        scored = np.array([value for _, value in found], dtype=np.float64)
        table = pd.DataFrame({"sentence": numbers, "words": coded.lengths,
                              "log_probability": np.where(parsed, scored, np.nan), "parsed": parsed})  # fmt: skip
        trees = _derivations(found, grammar, self._forms(sequences, coded), coded, numbers) if derivations else None
        return CCGParses(with_punctuation(heads, coded), trees, table)

    def _forms(self, sequences: Any, coded: Sequences) -> list[str]:
        if not isinstance(sequences, pd.DataFrame):
            return [str(tag) for tags in sequences for tag in tags]
        return sequences["form" if "form" in sequences else self.tags][coded.kept].astype("str").tolist()

    def _decoder(self) -> tuple[Grammar, np.ndarray]:
        """The grammar without the rules that were not seen, and the scores of its rules."""
        lexicon: Lexicon = {}
        for tag, category in zip(self.lexicon_["tag"], self.lexicon_["category"], strict=True):
            if tag not in self._marks:
                lexicon[tag] = (*lexicon.get(tag, ()), parse_category(category))
        grammar = self._grammar(lexicon)
        columns = ["kind", "parent", "head", "sister", "side"]
        known = dict(zip(self.rules_[columns].itertuples(index=False, name=None), self.rules_["log_probability"],
                         strict=True))  # fmt: skip
        scores = np.array([known.get((*_names(rule), rule.side), kernels.NEGATIVE) for rule in grammar.rules])
        return grammar._replace(tables=restricted(grammar.tables, scores > kernels.NEGATIVE / 2)), scores


def build_forests(
    words: np.ndarray, starts: np.ndarray, weights: np.ndarray, tables: kernels.Tables
) -> tuple[kernels.Forest, np.ndarray]:
    """Find all complete derivations of sentences.

    Parameters
    ----------
    words : ndarray of int64, shape (n_words,)
        Codes of tags.
    starts : ndarray of int64, shape (n_sentences + 1,)
    weights : ndarray of float64, shape (n_sentences,)
    tables : Tables

    Returns
    -------
    forest : Forest
        Of the sentences that have a derivation.
    parsed : ndarray of bool, shape (n_sentences,)
    """
    first_edges, edges, sizes, parsed = [np.zeros(1, np.int64)], [], [0], np.zeros(len(weights), dtype=bool)
    n_nodes, n_edges = 0, 0
    for sentence, (begin, end) in enumerate(_pairs(starts)):
        nodes, first, found = kernels.build_forest(words[begin:end], tables, True)
        if not len(nodes):
            continue
        parsed[sentence] = True
        first_edges.append(first[1:] + n_edges)
        found[:, 1:][found[:, 1:] >= 0] += n_nodes
        edges.append(found)
        n_nodes, n_edges = n_nodes + len(nodes), n_edges + len(found)
        sizes.append(n_nodes)
    rule, left, right = np.concatenate([np.empty((0, 3), np.int32), *edges]).T
    forest = kernels.Forest(
        np.concatenate(first_edges), rule.copy(), left.copy(), right.copy(), np.array(sizes, dtype=np.int64),
        weights[parsed],
    )  # fmt: skip
    return forest, parsed


def restricted(tables: kernels.Tables, known: np.ndarray) -> kernels.Tables:
    """Leave out the binary rules that are not known.

    Parameters
    ----------
    tables : Tables
    known : ndarray of bool, shape (n_rules,)

    Returns
    -------
    Tables
    """
    keep = known[tables.pair_rule]
    return tables._replace(
        pair_start=np.append(0, np.cumsum(keep))[tables.pair_start].astype(np.int64),
        pair_right=tables.pair_right[keep],
        pair_symbol=tables.pair_symbol[keep],
        pair_rule=tables.pair_rule[keep],
    )


def _pairs(starts: np.ndarray) -> list[tuple[int, int]]:
    return list(zip(starts[:-1].tolist(), starts[1:].tolist(), strict=True))


def _symbol_name(symbol: Symbol | None) -> str:
    if symbol is None:
        return "TOP"
    return f"{symbol.category}{'*' * symbol.composed}{'^' * symbol.raised}"


def _names(rule: Rule) -> tuple[int, str, str, str]:
    head = rule.head if isinstance(rule.head, str) else _symbol_name(rule.head)
    return rule.kind, _symbol_name(rule.parent), head, "" if rule.sister is None else _symbol_name(rule.sister)


def _derivations(
    found: Sequence[tuple[np.ndarray, float]], grammar: Grammar, forms: list[str], coded: Sequences, numbers: np.ndarray
) -> Derivations:
    """The best derivations as tables."""
    texts = [str(symbol.category) for symbol in grammar.symbols]
    rows: list[tuple] = []
    tokens: list[tuple] = []
    status, incidents = [], []
    for sentence, ((nodes, _), (begin, end)) in enumerate(zip(found, _pairs(coded.starts), strict=True)):
        parsed = len(nodes) > 0
        status.append((sentence, str(numbers[sentence]), PARSED if parsed else FAILED, end - begin if parsed else 0))
        if not parsed:
            said = f"sentence {numbers[sentence]} has no derivation; its tree is right-branching"
            incidents.append(Incident("CCGInduction", 0, "no parse", said))
            continue
        labels = [texts[symbol] for symbol in nodes[:, 0]]
        below: list[list[str]] = [[] for _ in labels]
        for node in range(1, len(nodes)):
            below[nodes[node, 4]].append(labels[node])
        for node, (_, number, start, stop, parent) in enumerate(nodes.tolist()):
            rule, under = grammar.rules[number], below[node]
            name = "lex" if not under else (
                unary_rule(labels[node], *under) if len(under) == 1 else binary_rule(labels[node], *under)
            ).name  # fmt: skip
            side = rule.side if under else -1
            rows.append((sentence, node, parent, labels[node], name, start, stop, side))
            if not under:
                tokens.append((sentence, start + 1, forms[begin + start], labels[node]))
    table = pd.DataFrame(rows, columns=list(NODE_COLUMNS))
    table = table.astype({name: "str" if name in ("category", "rule") else "int64" for name in NODE_COLUMNS})
    words = pd.DataFrame(tokens, columns=["sentence", "position", "form", "category"])
    words = words.astype({"sentence": "int64", "position": "int64", "form": "str", "category": "str"})
    sentences = pd.DataFrame(status, columns=["sentence", "id", "status", "words"])
    return Derivations(table, words, sentences, incidents_table(incidents))
