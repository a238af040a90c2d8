"""A generative parser for normal-form CCG derivations, after Hockenmaier & Steedman (2002)."""

import math
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from analysis.corpora.ccgbank import daughters, rules
from analysis.structures import incidents_table
from analysis.structures.derivation import FAILED, PARSED, Derivations
from analysis.structures.incidents import Incident
from analysis.structures.labels import word_codes
from analysis.structures.model import Model

_BINARY = (2, 3)
_BLOCK = 100  # sentences parsed before Python can be interrupted


def word_shape(word: str) -> str:
    """Return the class of a rare or unknown word, by its letters.

    Parameters
    ----------
    word : str

    Returns
    -------
    str
        A name in angle brackets, such as ``<digit>`` or ``<-ing>``.

    Examples
    --------
    >>> [word_shape(word) for word in ("Anna", "walking", "3", "cats", "x")]
    ['<capital>', '<-ing>', '<digit>', '<-s>', '<other>']
    """
    if any(character.isdigit() for character in word):
        return "<digit>"
    if word[:1].isupper():
        return "<capital>"
    if not word.isalpha():
        return "<hyphen>" if "-" in word else "<mark>"
    for suffix in ("ing", "ed", "ly", "es", "s", "er", "y"):
        if word.endswith(suffix) and len(word) > len(suffix) + 1:
            return f"<-{suffix}>"
    return "<other>"


class _Places(NamedTuple):
    """Nodes of a treebank as arrays."""

    codes: np.ndarray  # category
    expansion: np.ndarray  # 0 leaf, 1 unary, 2 and 3 binary with the head on the left, on the right
    head: np.ndarray  # daughter, -1 for a leaf
    sister: np.ndarray  # the other daughter or -1
    down: np.ndarray  # the leaf that heads the node
    word_of: np.ndarray  # word of a leaf, else -1
    leaf: np.ndarray


class NormalFormParser(Model):
    r"""Head-driven generative model over binary derivation trees, estimated from a treebank; CKY parsing with a beam.

    Top-down, the model generates the root's category P; for a node with category P its expansion e (leaf, unary, left-
    or right-headed), P(e|P), its head daughter H, P(H|P,e), and the sister S of H, P(S|P,e,H); for a leaf the word,
    P(w|P). Only rules of the treebank are used.

    With ``lexicalised=True`` every constituent has a head (lexical category c, word w), generated where it is
    introduced: for the root P(c|P) P(w|c); for a sister P(c_S|S;P,H) and P(w_S|c_S;P,H,S;w_P). Expansions, heads and
    sisters then also depend on c_P, w_P; a leaf adds its expansion only. Probabilities are interpolated, most specific
    level first, with lambda = f/(f + smoothing u) for a context seen f times with u different outcomes.

    Parameters
    ----------
    lexicalised : bool
        Whether to model word-word dependencies.
    beam : float
        An item is pruned if its inside probability times the probability of its category and head is below this
        proportion of the best in its cell; 0 keeps all.
    rare : int
        Words seen less often are replaced by a class of their shape (`word_shape`), like unknown words.
    smoothing : float
        Factor of u above.

    Attributes
    ----------
    categories_ : list of str
    words_ : dict
        Number of each word and word class.
    rules_ : DataFrame
        ``parent``, ``expansion``, ``head``, ``sister``, ``count``.

    Notes
    -----
    The smoothing constants and the classes of rare words, which the evaluation paper does not state, differ from
    Hockenmaier & Steedman (2002). Of derivations with equal probability (a verb phrase with left and right modifiers:
    Clark & Hockenmaier 2002, section 5.1) the one with the first split in reading order is returned.

    References
    ----------
    Hockenmaier & Steedman (2002); Clark & Hockenmaier (2002), section 3.

    Examples
    --------
    >>> from analysis.structures.derivation import Derivation, derivations
    >>> tree = Derivation.build(("S[dcl]", ("NP", "dogs"), (r"S[dcl]\NP", "bark")))
    >>> parser = NormalFormParser(rare=1).fit(derivations(*tree.to_tables()))
    >>> parser.predict([["dogs", "bark"]]).tree(0)
    (S[dcl] (NP dogs) (S[dcl]\NP bark))
    >>> parser.predict([["bark", "dogs"]])
    0 derivations, 0 words, 1 without a derivation
    """

    def __init__(self, lexicalised: bool = True, beam: float = 1e-4, rare: int = 5, smoothing: float = 5.0) -> None:
        self.lexicalised = lexicalised
        self.beam = beam
        self.rare = rare
        self.smoothing = smoothing

    def fit(self, derivations: Derivations) -> "NormalFormParser":
        """Estimate the model from a treebank; sentences without a derivation are skipped.

        Raises
        ------
        ValueError
            If there is no derivation, or a parameter is out of range.
        """
        if not 0 <= self.beam < 1 or self.rare < 1 or self.smoothing < 0:
            raise ValueError(
                f"beam must lie in [0, 1), rare be at least 1 and smoothing at least 0; they are {self.beam}, "
                f"{self.rare} and {self.smoothing}."
            )
        nodes = derivations.nodes
        if not len(nodes):
            raise ValueError("there is no derivation to learn from.")
        codes, names = word_codes(nodes["category"].astype("str"))
        self.categories_ = [str(name) for name in names]
        leaf = (nodes["rule"].astype("str") == "lex").to_numpy(dtype=bool)
        forms = derivations.tokens["form"].astype("str").tolist()
        frequency = pd.Series(forms).value_counts()
        known = set(frequency.index[frequency >= self.rare])
        seen = [form if form in known else word_shape(form) for form in forms]
        self.words_: dict[str, int] = {}
        for form in seen:
            self.words_.setdefault(form, len(self.words_))
        self._known = known
        left, right = daughters(nodes)
        side = nodes["head_daughter"].to_numpy(dtype=np.int64)
        expansion = np.where(leaf, 0, np.where(right < 0, 1, np.where(side == 1, 3, 2)))
        head = np.where(leaf, -1, np.where(expansion == 3, right, left))
        sister = np.where(expansion == 2, right, np.where(expansion == 3, left, -1))
        down = np.where(leaf, np.arange(len(nodes)), head)
        while not np.array_equal(further := down[down], down):
            down = further
        word_of = np.full(len(nodes), -1, dtype=np.int64)
        word_of[leaf] = [self.words_[form] for form in seen]
        self._count(nodes, _Places(codes.astype(np.int64), expansion, head, sister, down, word_of, leaf))
        return self

    def _count(self, nodes: pd.DataFrame, at: _Places) -> None:
        """Count rules, contexts with their outcomes, and the lexicon."""
        number = self._number_rules(at)
        roots = np.flatnonzero(nodes["parent"].to_numpy() < 0)
        self._count_contexts(at, number, roots)
        self._index(at.codes, roots)
        self._count_words(at)

    def _number_rules(self, at: _Places) -> np.ndarray:
        """Make the rules, and return the rule of each node that has one."""
        from analysis.ccg.models import chart_kernels as kernels

        n_categories = len(self.categories_)
        inner = ~at.leaf
        sister = at.sister[inner]
        frame = pd.DataFrame(
            {
                "parent": at.codes[inner],
                "expansion": at.expansion[inner],
                "head": at.codes[at.head[inner]],
                "sister": np.where(sister >= 0, at.codes[sister], -1),
            }
        )
        columns = list(frame.columns)
        self.rules_ = frame.groupby(columns).size().rename("count").reset_index()
        pair_names: dict[tuple, int] = {}
        triple_names: dict[tuple, int] = {}
        rule_names: dict[tuple, int] = {}
        rows: list[tuple[int, ...]] = []
        for rule in self.rules_[columns].itertuples(index=False, name=None):
            pair = pair_names.setdefault(rule[:2], len(pair_names))
            triple = triple_names.setdefault(rule[:3], len(triple_names))
            rule_names[rule] = len(rows)
            rows.append((*rule, pair, triple))
        self._rules = np.array(rows, dtype=np.int64).reshape(-1, 6)
        if len(rows) >= 2**kernels.PLACE_BITS or n_categories >= 2**kernels.CATEGORY_BITS:
            raise ValueError("the treebank has too many rules or categories for this parser.")
        return np.array([rule_names[row] for row in frame.itertuples(index=False, name=None)], dtype=np.int64)

    def _count_contexts(self, at: _Places, number: np.ndarray, roots: np.ndarray) -> None:
        """Count outcomes in their contexts: expansions, heads, sisters, categories, words, roots."""
        from analysis.ccg.models import chart_kernels as kernels

        codes, sister, word_of = at.codes, at.sister, at.word_of
        head_category, head_word = codes[at.down], word_of[at.down]
        contexts: list[np.ndarray] = []
        outcomes: list[np.ndarray] = []

        def add(kind: int, places: np.ndarray, category: Any, word: Any, outcome: np.ndarray) -> None:
            zero = np.zeros(len(places), dtype=np.int64)
            contexts.append(
                kernels.context_key.py_func(np.int64(kind), places, zero + category, zero + word).astype(np.int64)
            )
            outcomes.append(outcome.astype(np.int64))

        def levels(kind: int, places: np.ndarray, rows: np.ndarray, outcome: np.ndarray) -> None:
            add(kind, places, 0, 0, outcome)
            if self.lexicalised:
                add(kind + 1, places, head_category[rows], 0, outcome)
                add(kind + 2, places, head_category[rows], head_word[rows], outcome)

        every, inside = np.arange(len(codes)), np.flatnonzero(~at.leaf)
        levels(kernels.EXPANSION, codes, every, at.expansion)
        levels(kernels.HEAD, self._rules[number, 4], inside, codes[at.head[inside]])
        binary = np.flatnonzero(~at.leaf & (sister >= 0))
        rule_of = np.full(len(codes), -1, dtype=np.int64)
        rule_of[inside] = number
        levels(kernels.SISTER, self._rules[rule_of[binary], 5], binary, codes[sister[binary]])
        beside = sister[binary]
        if self.lexicalised:
            add(kernels.CATEGORY, codes[beside], 0, 0, head_category[beside])
            add(kernels.CATEGORY + 1, rule_of[binary], 0, 0, head_category[beside])
            add(kernels.WORD + 1, rule_of[binary], head_category[beside], 0, head_word[beside])
            add(kernels.WORD + 2, rule_of[binary], head_category[beside], head_word[binary], head_word[beside])
            add(kernels.ROOT, codes[roots], 0, 0, head_category[roots])
        words = np.flatnonzero(at.leaf)
        add(kernels.WORD, np.zeros(len(words), dtype=np.int64), codes[words], 0, word_of[words])
        keys, place, frequency = np.unique(np.concatenate(contexts), return_inverse=True, return_counts=True)
        joint = place.astype(np.int64) * 2**kernels.OUTCOME_BITS + np.concatenate(outcomes)
        joints, joint_count = np.unique(joint, return_counts=True)
        different = np.bincount(joints >> kernels.OUTCOME_BITS, minlength=len(keys))
        self._tables = (
            kernels.hash_table(keys),
            keys,
            frequency.astype(np.float64),
            different.astype(np.float64),
            kernels.hash_table(joints),
            joints,
            joint_count.astype(np.float64),
        )
        self._static = np.array(
            [
                kernels.rule_score(rule, 0, 0, 1, self._rules, self.smoothing, self._tables)
                for rule in range(len(self._rules))
            ],
            dtype=np.float64,
        )

    def _count_words(self, at: _Places) -> None:
        """Count the lexical categories of each word, and of the classes of rare words."""
        table = pd.DataFrame({"word": at.word_of[at.leaf], "category": at.codes[at.leaf]})
        counted = table.groupby(["word", "category"]).size()
        self._lexicon: dict[int, list[tuple[int, float]]] = {}
        by_category = table.groupby("category").size()
        for (word, category), count in counted.items():
            self._lexicon.setdefault(int(word), []).append((int(category), math.log(count / by_category[category])))
        rare_words = {number for word, number in self.words_.items() if word not in self._known}
        rare = table[table["word"].isin(rare_words)].groupby("category").size()
        self._any_rare = [(int(category), math.log(count / by_category[category])) for category, count in rare.items()]

    def _index(self, codes: np.ndarray, roots: np.ndarray) -> None:
        """Index rules by their daughters, and compute the probabilities of categories and roots."""
        n, kinds, heads, sisters = len(self.categories_), *self._rules[:, 1:4].T
        binary = np.flatnonzero(np.isin(kinds, _BINARY))
        left = np.where(kinds[binary] == 2, heads[binary], sisters[binary])
        right = np.where(kinds[binary] == 2, sisters[binary], heads[binary])
        key = left * n + right
        order = np.argsort(key, kind="stable")
        pairs, first = np.unique(key[order], return_index=True)
        pair_of = np.full(n * n, -1, dtype=np.int64)
        pair_of[pairs] = np.arange(len(pairs))
        pair_start, pair_rules = np.append(first, len(binary)).astype(np.int64), binary[order].astype(np.int64)
        unary = np.flatnonzero(kinds == 1)
        order = np.argsort(heads[unary], kind="stable")
        unary_start = np.searchsorted(heads[unary][order], np.arange(n + 1)).astype(np.int64)
        self._by_daughters = pair_of, pair_start, pair_rules, unary_start, unary[order].astype(np.int64)
        self._prior = np.log(np.bincount(codes, minlength=n) / len(codes))
        counts = np.bincount(codes[roots], minlength=n)
        with np.errstate(divide="ignore"):
            self._root = np.maximum(np.log(counts / counts.sum()), -1e300)

    def _lexical(self, forms: Sequence[str]) -> tuple[np.ndarray, Any]:
        """Number the words of a text, and return the candidate lexical categories of each: category, word, log
        probability, log probability of the word.
        """
        from analysis.ccg.models import chart_kernels as kernels

        places: dict[str, int] = {}
        words = np.array([places.setdefault(form, len(places)) for form in forms], dtype=np.int64)
        numbers = [self._word(form) for form in places]
        candidates = [self._any_rare if number < 0 else self._lexicon[number] for number in numbers]
        counts = np.array(list(map(len, candidates)), dtype=np.int64)
        pairs = [pair for each in candidates for pair in each]
        category = np.array([category for category, _ in pairs], dtype=np.int64)
        prior = np.array([given for _, given in pairs], dtype=np.float64)
        word = np.repeat(np.maximum(np.array(numbers, dtype=np.int64), 0), counts)
        levels = 3 if self.lexicalised else 1
        found = kernels.leaf_probabilities(levels, category, word, float(self.smoothing), self._tables).tolist()
        score = np.array([math.log(each) if each > 0 else -1e300 for each in found], dtype=np.float64)
        score = score if self.lexicalised else score + prior
        return words, kernels.Lexicon(np.append(0, np.cumsum(counts)), category, word, score, prior)

    def _word(self, form: str) -> int:
        """Return the number of a word or of its class; -1 if the class was never seen."""
        return self.words_[form] if form in self._known else self.words_.get(word_shape(form), -1)

    def predict(self, sentences: pd.DataFrame | Derivations | Iterable[Sequence[str]]) -> Derivations:
        """Parse sentences.

        Parameters
        ----------
        sentences : tokens table, Derivations (their words are used), or iterable of lists of words

        Returns
        -------
        Derivations
            A sentence without a parse has the status ``failed``, and is listed in ``incidents``.

        Raises
        ------
        ValueError
            If the parser was not fitted, or a sentence has no word.
        """
        self._require_fit("categories_")
        given = list(_sentences(sentences))
        if not all(given):
            raise ValueError(f"sentence {list(map(len, given)).index(0)} has no word.")
        forms = np.array([word for words in given for word in words], dtype=object)
        length = np.array(list(map(len, given)), dtype=np.int64)
        best, found = self._parse(forms.tolist(), length)
        parsed = ~np.isnan(best)
        leaf = found["head_daughter"] < 0
        category = pd.Index(self.categories_, dtype="str").take(found.pop("category"))
        nodes = pd.DataFrame(found)
        nodes.insert(3, "category", category)
        nodes.insert(4, "rule", rules(nodes))
        start = found["start"][leaf]
        tokens = pd.DataFrame(
            {
                "sentence": found["sentence"][leaf],
                "position": start + 1,
                "form": pd.Index(forms[np.repeat(parsed, length)], dtype="str"),
                "category": category[leaf],
            }
        )
        status = np.where(parsed, PARSED, FAILED).tolist()
        table = {"sentence": np.arange(len(given)), "id": list(map(str, range(len(given)))), "status": status}
        incidents = [
            Incident("parser", 0, "no parse", f"sentence {number} has no parse", " ".join(given[number]))
            for number in np.flatnonzero(~parsed).tolist()
        ]
        return Derivations(
            nodes, tokens, pd.DataFrame({**table, "words": np.where(parsed, length, 0)}), incidents_table(incidents)
        )

    def viterbi(self, words: Sequence[str]) -> float | None:
        """Compute the log probability of the best derivation of one sentence (natural logarithm); None without a
        parse.
        """
        best, _ = self._parse(list(words), np.array([len(words)], dtype=np.int64))
        return None if np.isnan(best[0]) else float(best[0])

    def log_probability(self, derivations: Derivations) -> np.ndarray:
        """Compute the log probability (natural logarithm) of each derivation and its words under the fitted model.

        Returns
        -------
        ndarray of float64, shape (n_sentences,)
            ``-inf`` if a rule or a lexical category of a word was never seen, NaN without a derivation.
        """
        from analysis.ccg.models import chart_kernels as kernels

        nodes = derivations.nodes
        number = {name: code for code, name in enumerate(self.categories_)}
        known = {tuple(int(v) for v in row[:4]): place for place, row in enumerate(self._rules)}
        left, right = daughters(nodes)
        labels = [number.get(name, -1) for name in nodes["category"].astype("str")]
        side = nodes["head_daughter"].tolist()
        words = iter(derivations.tokens["form"].astype("str"))
        result = np.full(len(derivations), np.nan)
        sentences, parents = nodes["sentence"].tolist(), nodes["parent"].tolist()
        heads = np.full((len(nodes), 2), -1, dtype=np.int64)  # lexical category, word
        below = [self._word(next(words)) if left[row] < 0 else -1 for row in range(len(nodes))]
        for row in reversed(range(len(nodes))):
            if left[row] < 0:
                heads[row] = labels[row], below[row]
            else:
                heads[row] = heads[right[row] if side[row] == 1 and right[row] >= 0 else left[row]]
        levels, smoothing, tables = 3 if self.lexicalised else 1, float(self.smoothing), self._tables

        def log(p: float) -> float:
            return math.log(p) if p > 0 else -math.inf

        def lexical(category: int, word: int) -> float:
            return dict(self._lexicon.get(word, [])).get(category, -math.inf)

        for row, sentence in enumerate(sentences):
            parent, (category, word) = labels[row], (int(v) for v in heads[row])
            score = 0.0
            if parents[row] < 0:
                result[sentence] = 0.0
                score += self._root[parent] if parent >= 0 and self._root[parent] > -1e299 else -math.inf
                if self.lexicalised:
                    score += lexical(category, word)
                    score += log(kernels.probability(kernels.ROOT, 1, parent, 0, 0, category, smoothing, tables))
            if left[row] < 0:
                score += log(
                    kernels.probability(kernels.EXPANSION, levels, parent, category, word, 0, smoothing, tables)
                )
                score += 0.0 if self.lexicalised else lexical(category, word)
                result[sentence] += score
                continue
            kind = 1 if right[row] < 0 else (3 if side[row] == 1 else 2)
            head = right[row] if kind == 3 else left[row]
            sister = -1 if kind == 1 else (left[row] if kind == 3 else right[row])
            rule = known.get((parent, kind, labels[head], labels[sister] if sister >= 0 else -1), -1)
            if rule < 0:
                result[sentence] = -math.inf
                continue
            made = kernels.rule_score(rule, category, word, levels, self._rules, smoothing, tables)
            score += made if made > -1e299 else -math.inf
            if self.lexicalised and sister >= 0:
                theirs, their_word = (int(v) for v in heads[sister])
                score += log(kernels.category_probability(2, labels[sister], rule, theirs, smoothing, tables))
                score += log(kernels.word_probability(3, rule, theirs, word, their_word, smoothing, tables))
            result[sentence] += score
        return result

    def _parse(self, forms: list[str], length: np.ndarray) -> tuple[np.ndarray, dict[str, np.ndarray]]:
        """Return the log probability of the best derivation of each sentence, NaN if there is none, and the columns of
        the nodes; categories as numbers.
        """
        from analysis.ccg.models import chart_kernels as kernels

        grammar = kernels.Grammar(
            self.lexicalised, len(self.categories_), self._rules, self._static, *self._by_daughters, self._prior,
            self._root, float(self.smoothing), self._tables, *(kernels.Memory.empty() for _ in range(3)),
        )  # fmt: skip
        words, lexicon = self._lexical(forms)
        edges = np.append(0, np.cumsum(length))
        scores, blocks = [np.empty(0)], [np.empty((0, 7), dtype=np.int64)]
        for first in range(0, len(length), _BLOCK):
            best, nodes = kernels.parse_all(
                words, edges[first : first + _BLOCK + 1], lexicon, grammar, float(self.beam)
            )
            nodes[:, 0] += first
            scores.append(best)
            blocks.append(nodes)
        columns = ("sentence", "node", "parent", "category", "start", "end", "head_daughter")
        return np.concatenate(scores), dict(zip(columns, np.concatenate(blocks).T.copy(), strict=True))


def _sentences(sentences: pd.DataFrame | Derivations | Iterable[Sequence[str]]) -> Iterable[list[str]]:
    if isinstance(sentences, Derivations):
        sentences = sentences.tokens
    if isinstance(sentences, pd.DataFrame):
        forms = sentences["form"].astype("str").tolist()
        numbers = sentences["sentence"].to_numpy()
        edges = np.flatnonzero(np.r_[True, numbers[1:] != numbers[:-1], True]).tolist() if len(forms) else []
        return (forms[begin:end] for begin, end in pairwise(edges))
    return ([str(word) for word in words] for words in sentences)
