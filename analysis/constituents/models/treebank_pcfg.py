"""A treebank grammar: an unlexicalised PCFG read off a treebank, with markovised rules, and exact CKY parsing."""

import math
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import pandas as pd

from analysis.constituents.binarising import absolute_parents, binarised, flattened, simple_label
from analysis.constituents.heads import Coordination
from analysis.structures import incidents_table
from analysis.structures.derivation import FAILED, NODE_COLUMNS, PARSED, Derivations
from analysis.structures.incidents import Incident
from analysis.structures.model import Model

_SUFFIXES = ("ing", "ed", "ly", "ion", "ity", "ment", "ness", "able", "ible", "al", "ous", "ive", "ic", "er", "or",
             "est", "ss", "s", "y")  # fmt: skip


_UNSEEN = 1e-9  # probability of a word given a tag that it is said to have and never had


def word_signature(word: str, first: bool = False) -> str:
    """Return the class of a rare or unknown word by its letters, for English.

    Parameters
    ----------
    word : str
    first : bool
        Whether it is the first word of its sentence, where a capital says less.

    Returns
    -------
    str

    Examples
    --------
    >>> [word_signature(word) for word in ("Ducks", "ducks", "swimming", "3.5", "well-fed", "U.S.")]
    ['capital-s', 'lower-s', 'lower-ing', 'digit', 'lower-hyphen-ed', 'capital-mark']
    >>> word_signature("Ducks", first=True)
    'first-s'
    """
    if any(letter.isdigit() for letter in word):
        return "digit-letters" if any(letter.isalpha() for letter in word) else "digit"
    parts = [("first" if first else "capital") if word[:1].isupper() else "lower" if word[:1].islower() else "other"]
    if "-" in word[1:-1]:
        parts.append("hyphen")
    if not word.replace("-", "").isalpha():
        parts.append("mark")
    lower = word.lower()
    parts += [suffix for suffix in _SUFFIXES if lower.endswith(suffix) and len(lower) > len(suffix) + 1][:1]
    return "-".join(parts)


class TreebankPCFG(Model):
    """A probabilistic context-free grammar read off a treebank, without words in its rules.

    Trees are binarised outwards from their heads and annotated (`analysis.constituents.binarising.binarised`). The
    probability of a rule is its relative frequency given its parent, that of the top symbol its share of the trees.

    A word w with tag t has P(w|t) = P(t|w) P(w) / P(t), with P(t|w) = (c(t,w) + smoothing P(t|s)) / (c(w) + smoothing)
    for a word seen at most ``rare`` times, s its signature (`word_signature`), and c(t,w) / c(w) for others. P(t|s) is
    that of the rare words of this signature, with one occurrence of a rare word of any signature added. For an unseen
    word P(w) is one token of the training text: the same factor for all its trees. If tags have their parents' labels,
    P(w|t^p) = l c(t^p,w) / c(t^p) + (1 - l) P(w|t), with l = f / (f + tag_smoothing u), f the number of tokens of t^p
    and u that of its different words.

    Parameters
    ----------
    vertical, horizontal, tag_parents, coordination
        See `analysis.constituents.binarising.binarised`.
    rare : int
        Words seen at most so often may have other tags than those seen; 0 gives unseen words no tag.
    smoothing : float
        Weight of the signature of a rare word, in tokens.
    tag_smoothing : float
        Factor of u above.
    max_length : int, optional
        Longer sentences are not parsed, and fail.

    Attributes
    ----------
    symbols_ : list of str
        Annotated labels.
    rules_ : DataFrame
        ``parent``, ``left``, ``right`` (empty if unary), ``count``, ``probability``.

    Notes
    -----
    Of trees with equal probability, the one found first is returned: from the top down, a rule with two daughters
    before one with one, the earliest split before later ones, then the order of ``rules_``, which is that of their
    texts.

    References
    ----------
    Charniak (1996), Tree-bank grammars; Johnson (1998), PCFG models of linguistic tree representations; Klein & Manning
    (2003), Accurate unlexicalized parsing.

    Examples
    --------
    >>> from analysis.corpora.bracketed_trees import read_bracketed_trees
    >>> trees = read_bracketed_trees(b"(S (NP (NNS hens)) (VP (VBP eat) (NP (NN corn))))")
    >>> grammar = TreebankPCFG(rare=0).fit(trees)
    >>> grammar.predict([["hens", "eat", "corn"]]).nodes["category"].tolist()
    ['S', 'NP', 'NNS', 'VP', 'VBP', 'NP', 'NN']
    """

    def __init__(
        self,
        vertical: int = 2,
        horizontal: int | None = 1,
        tag_parents: bool = True,
        coordination: Coordination = "first",
        rare: int = 5,
        smoothing: float = 1.0,
        tag_smoothing: float = 1.0,
        max_length: int | None = None,
    ) -> None:
        self.vertical = vertical
        self.horizontal = horizontal
        self.tag_parents = tag_parents
        self.coordination = coordination
        self.rare = rare
        self.smoothing = smoothing
        self.tag_smoothing = tag_smoothing
        self.max_length = max_length

    def fit(self, trees: Derivations) -> "TreebankPCFG":
        """Read the grammar off trees without function tags and empty elements; sentences without a tree are skipped.

        Parameters
        ----------
        trees : Derivations

        Raises
        ------
        ValueError
            If there is no tree, or a parameter is out of range.
        DataError
            If a label cannot be annotated.
        """
        longest = 1 if self.max_length is None else self.max_length
        if self.rare < 0 or self.smoothing <= 0 or self.tag_smoothing < 0 or longest < 1:
            raise ValueError(
                "rare and tag_smoothing must be at least 0, smoothing above 0 and max_length at least 1; they are "
                f"{self.rare}, {self.tag_smoothing}, {self.smoothing} and {self.max_length}."
            )
        if not len(trees.nodes):
            raise ValueError("there is no tree to learn from.")
        nodes = self._annotated(trees).nodes
        names = nodes["category"].astype("str").to_numpy(dtype=object)
        self.symbols_ = sorted(set(names))
        self._number = {name: number for number, name in enumerate(self.symbols_)}
        above = absolute_parents(nodes)
        leaf = (nodes["rule"] == "lex").to_numpy(dtype=bool)
        self._count_rules(names, above, leaf)
        roots = pd.Series(names[above < 0]).value_counts()
        self._roots = {self._number[name]: math.log(count / roots.sum()) for name, count in roots.items()}
        self._count_words(trees.tokens)
        self._annotations: dict[str, list[str]] = {}
        for name in sorted(set(names[leaf])):
            self._annotations.setdefault(simple_label(name), []).append(name)
        forms = trees.tokens["form"].astype("str").to_numpy(dtype=object)
        self._of_annotated = pd.Series(forms).groupby(names[leaf]).value_counts().to_dict()
        sizes = pd.Series(forms).groupby(names[leaf]).agg(["size", "nunique"])
        weight = sizes["size"] / (sizes["size"] + self.tag_smoothing * sizes["nunique"])
        annotated = self.tag_parents and self.vertical > 1
        self._weights = {name: (annotated * float(weight[name]), int(sizes["size"][name])) for name in weight.index}
        return self

    def _annotated(self, trees: Derivations) -> Derivations:
        return binarised(trees, vertical=self.vertical, horizontal=self.horizontal, tag_parents=self.tag_parents,
                         coordination=self.coordination)  # fmt: skip

    def _count_rules(self, names: np.ndarray, above: np.ndarray, leaf: np.ndarray) -> None:
        daughters: list[list[str]] = [[] for _ in names]
        for name, parent in zip(names, above.tolist(), strict=True):
            if parent >= 0:
                daughters[parent].append(name)
        rows = [(names[row], *daughters[row], *[""] * (2 - len(daughters[row]))) for row in np.flatnonzero(~leaf)]
        table = pd.DataFrame(rows, columns=["parent", "left", "right"], dtype="str")
        table = table.groupby(["parent", "left", "right"]).size().rename("count").reset_index()
        # of a symbol that is a tag at one place and a phrase at another, words have their share
        total = pd.Series(names).value_counts()
        table["probability"] = table["count"] / table["parent"].map(total)
        self.rules_ = table
        words = pd.Series(names[leaf]).value_counts()
        self._leaf = {str(name): math.log(count / total[name]) for name, count in words.items()}
        number = self._number
        codes = [table[name].map(number).fillna(-1).to_numpy(dtype=np.int64) for name in ("parent", "left", "right")]
        score = np.log(table["probability"].to_numpy())
        self._codes, self._score = codes, score
        self._of_parent = np.searchsorted(codes[0], np.arange(len(number) + 1))
        self._rules = self._by_daughters()

    def _count_words(self, tokens: pd.DataFrame) -> None:
        table = tokens[["form", "category"]].astype("str")
        first = (tokens["position"] == 1).to_numpy(dtype=bool)
        self._of_word: dict[str, dict[str, int]] = {}
        for (word, tag), count in table.groupby(["form", "category"]).size().items():
            self._of_word.setdefault(word, {})[tag] = int(count)
        self._of_tag = table["category"].value_counts().to_dict()
        self._tokens = len(table)
        total = table["form"].map(table["form"].value_counts())
        rare = table[(total <= self.rare).to_numpy()]
        self._any = rare["category"].value_counts(normalize=True).to_dict() if len(rare) else {}
        self._of_signature: dict[str, dict[str, int]] = {}
        for word, tag, begins in zip(
            rare["form"], rare["category"], first[(total <= self.rare).to_numpy()], strict=True
        ):
            seen = self._of_signature.setdefault(word_signature(word, begins), {})
            seen[tag] = seen.get(tag, 0) + 1

    def tag_probabilities(self, word: str, first: bool = False) -> dict[str, float]:
        """The probabilities P(w|t) of a word given each tag that it can have; see the class.

        Parameters
        ----------
        word : str
        first : bool
            Whether it is the first word of its sentence.

        Returns
        -------
        dict of str to float
        """
        seen = self._of_word.get(word, {})
        count, weight = sum(seen.values()), 0.0
        guessed: dict[str, float] = {}
        if count <= self.rare:
            alike = self._of_signature.get(word_signature(word, first), {})
            size = sum(alike.values()) + 1
            guessed = {tag: (alike.get(tag, 0) + share) / size for tag, share in self._any.items()}
            weight = self.smoothing
        share = max(count, 1) / self._tokens
        return {
            tag: (seen.get(tag, 0) + weight * guessed.get(tag, 0.0)) / (count + weight)
            * share / (self._of_tag[tag] / self._tokens)
            for tag in sorted({*seen, *guessed})
        }  # fmt: skip

    def _emitted(self, word: str, name: str, plain: float) -> float:
        """Log probability of a word given an annotated tag, if ``plain`` is its probability given the tag."""
        weight, size = self._weights[name]
        probability = weight * self._of_annotated.get((name, word), 0) / size + (1 - weight) * plain
        return math.log(probability) + self._leaf[name] if probability > 0 else -math.inf

    def _by_daughters(self) -> Any:
        """The rules by their left, or only, daughter."""
        from analysis.constituents.models.chart_kernels import Rules

        parent, left, right = self._codes
        every = np.arange(len(self.symbols_) + 1)
        parts: list[np.ndarray] = []
        for chosen, unary in ((right >= 0, False), (right < 0, True)):
            rows = np.flatnonzero(chosen)
            rows = rows[np.argsort(left[rows], kind="stable")]
            parts += [np.searchsorted(left[rows], every), parent[rows], *(() if unary else (right[rows],)),
                      self._score[rows]]  # fmt: skip
        return Rules(*parts)

    def predict(
        self,
        sentences: pd.DataFrame | Derivations | Iterable[Sequence[str]],
        tags: Iterable[Sequence[str]] | None = None,
    ) -> Derivations:
        """Parse sentences.

        Parameters
        ----------
        sentences : tokens table, Derivations (their words are used), or iterable of lists of words
        tags : iterable of lists of str, optional
            Tags of the words, also such as they never had; by default the grammar finds them.

        Returns
        -------
        Derivations
            A sentence without a parse has the status ``failed``, and is listed in ``incidents``.

        Raises
        ------
        ValueError
            If the grammar was not fitted, a sentence has no word, or words and tags are not equally many.
        """
        self._require_fit("symbols_")
        rows: list[tuple] = []
        tokens: list[tuple] = []
        about: list[tuple] = []
        incidents = []
        every = list(_sentences(sentences))
        told: Iterable[Sequence[str] | None] = [None] * len(every) if tags is None else tags
        for number, (words, given) in enumerate(zip(every, told, strict=True)):
            tree = self._best(words, given)
            about.append((number, str(number), PARSED if tree else FAILED, len(words) if tree else 0))
            if not tree:
                incidents.append(Incident("parser", 0, "no parse", f"sentence {number} has no parse", " ".join(words)))
                continue
            rows += [(number, *node) for node in tree]
            leaves = [node for node in tree if node[3] == "lex"]
            tokens += [(number, place, word, leaf[2])
                       for place, (word, leaf) in enumerate(zip(words, leaves, strict=True), 1)]  # fmt: skip
        kinds = {name: "str" if name in ("category", "rule") else "int64" for name in NODE_COLUMNS}
        nodes = pd.DataFrame(rows, columns=list(NODE_COLUMNS)).astype(kinds)
        table = pd.DataFrame(tokens, columns=["sentence", "position", "form", "category"])
        table = table.astype({"sentence": "int64", "position": "int64", "form": "str", "category": "str"})
        sentence_table = pd.DataFrame(about, columns=["sentence", "id", "status", "words"])
        return flattened(Derivations(nodes, table, sentence_table, incidents_table(incidents)))

    def viterbi(self, words: Sequence[str], tags: Sequence[str] | None = None) -> float:
        """Compute the log probability (natural) of the best tree of a sentence; -inf if it has none."""
        return self._top(self._chart(words, tags, False)[_whole(words)])[1]

    def log_inside(self, words: Sequence[str], tags: Sequence[str] | None = None) -> float:
        """Compute the log probability (natural) of a sentence, which is that of all its trees; -inf if it has none."""
        tops = self._chart(words, tags, True)[_whole(words)]
        return float(np.logaddexp.reduce([score + tops[root] for root, score in self._roots.items()]))

    def log_probability(self, trees: Derivations) -> np.ndarray:
        """Compute the log probability (natural) of trees and their words.

        Parameters
        ----------
        trees : Derivations

        Returns
        -------
        ndarray of float64, shape (n_sentences,)
            ``-inf`` if a rule or the tag of a word is not in the grammar, NaN without a tree.
        """
        self._require_fit("symbols_")
        bank = self._annotated(trees)
        known = dict(zip(self.rules_[["parent", "left", "right"]].itertuples(index=False, name=None), self._score,
                         strict=True))  # fmt: skip
        names, above = bank.nodes["category"].tolist(), absolute_parents(bank.nodes).tolist()
        sentence = bank.nodes["sentence"].to_numpy()
        leaf = (bank.nodes["rule"] == "lex").tolist()
        below: list[list[str]] = [[] for _ in names]
        for name, parent in zip(names, above, strict=True):
            if parent >= 0:
                below[parent].append(name)
        words = iter(trees.tokens[["form", "category", "position"]].itertuples(index=False, name=None))
        result = np.full(len(trees), np.nan)
        result[np.unique(sentence)] = 0.0
        for row, name in enumerate(names):
            score = 0.0
            if above[row] < 0:
                score += self._roots.get(self._number.get(name, -1), -math.inf)
            if leaf[row]:
                word, tag, position = next(words)
                plain = self.tag_probabilities(word, position == 1).get(tag, 0.0)
                score += self._emitted(word, name, plain) if name in self._leaf else -math.inf
            else:
                score += known.get((name, *below[row], *[""] * (2 - len(below[row]))), -math.inf)
            result[sentence[row]] += score
        return result

    def _entries(self, words: Sequence[str], tags: Sequence[str] | None) -> list[tuple[int, int, float]]:
        """Position, symbol and log probability of what each word can be."""
        rows = []
        for position, word in enumerate(words):
            plain = self.tag_probabilities(word, position == 0)
            for tag in plain if tags is None else [tags[position]]:
                rows += [(position, self._number[name], self._emitted(word, name, plain.get(tag, _UNSEEN)))
                         for name in self._annotations.get(tag, ())]  # fmt: skip
        return [row for row in rows if row[2] > -math.inf]

    def _chart(self, words: Sequence[str], tags: Sequence[str] | None, total: bool) -> np.ndarray:
        from analysis.constituents.models import chart_kernels as kernels

        self._require_fit("symbols_")
        if not len(words):
            raise ValueError("a sentence has no word.")
        if tags is not None and len(tags) != len(words):
            raise ValueError(f"a sentence has {len(words)} words and {len(tags)} tags.")
        entries = self._entries(words, tags)
        position, symbol = (np.array([row[at] for row in entries], dtype=np.int64) for at in (0, 1))
        score = np.array([row[2] for row in entries], dtype=np.float64)
        return kernels.chart(len(words), len(self.symbols_), position, symbol, score, self._rules, total)

    def _top(self, whole: np.ndarray) -> tuple[int, float]:
        """The top symbol of the best tree and its log probability; of equal ones the first."""
        found = [(score + whole[root], -root) for root, score in self._roots.items()]
        best, root = max(found)
        return -root, float(best)

    def _best(self, words: Sequence[str], tags: Sequence[str] | None) -> list[tuple]:
        """The nodes of the best tree in preorder, annotated; empty if there is none."""
        if self.max_length is not None and len(words) > self.max_length:
            return []
        scores = self._chart(words, tags, False)
        root, best = self._top(scores[_whole(words)])
        if best == -math.inf:
            return []
        entries = {(position, symbol): score for position, symbol, score in self._entries(words, tags)}
        nodes: list[tuple] = []
        waiting = [(root, 0, len(words), -1)]
        while waiting:
            symbol, start, end, parent = waiting.pop()
            row = len(nodes)
            below = self._daughters(scores, symbol, start, end, entries)
            nodes.append((row, parent, self.symbols_[symbol], "phrase" if below else "lex", start, end,
                          0 if below else -1))  # fmt: skip
            waiting += [(*one, row) for one in reversed(below)]
        return nodes

    def _daughters(
        self, scores: np.ndarray, symbol: int, start: int, end: int, entries: dict[tuple[int, int], float]
    ) -> list[tuple[int, int, int]]:
        """Symbol, start and end of the daughters of a node of the best tree; none of a tag above its word."""
        from analysis.constituents.models.chart_kernels import cell

        here = scores[cell(start, end), symbol]
        first, last = self._of_parent[symbol : symbol + 2]
        left, right = self._codes[1][first:last], self._codes[2][first:last]
        score, two = self._score[first:last], right >= 0
        for middle in range(start + 1, end):
            one, other = scores[cell(start, middle)], scores[cell(middle, end)]
            found = np.flatnonzero((score[two] + one[left[two]]) + other[right[two]] == here)
            if len(found):
                rule = np.flatnonzero(two)[found[0]]
                return [(int(left[rule]), start, middle), (int(right[rule]), middle, end)]
        if end - start == 1 and entries.get((start, symbol)) == here:
            return []
        found = np.flatnonzero(score[~two] + scores[cell(start, end), left[~two]] == here)
        return [(int(left[~two][found[0]]), start, end)]


def _whole(words: Sequence[str]) -> int:
    """Row of the whole sentence in its chart."""
    from analysis.constituents.models.chart_kernels import cell

    return int(cell(0, len(words)))


def _sentences(sentences: pd.DataFrame | Derivations | Iterable[Sequence[str]]) -> Iterable[list[str]]:
    if isinstance(sentences, Derivations):
        sentences = sentences.tokens
    if isinstance(sentences, pd.DataFrame):
        forms = sentences["form"].astype("str").tolist()
        numbers = sentences["sentence"].to_numpy()
        edges = np.flatnonzero(np.r_[True, numbers[1:] != numbers[:-1], True]).tolist() if len(forms) else []
        return (forms[begin:end] for begin, end in pairwise(edges))
    return ([str(word) for word in words] for words in sentences)
