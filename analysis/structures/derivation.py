"""CCG derivations: a table of nodes is stored; the tree of one sentence is an immutable view of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from analysis.structures.ccg_rules import binary_rule, conjunct, head_daughter, unary_rule
from analysis.structures.checks import check_columns
from analysis.structures.columns import as_given, as_text_frame, equal_to, framed, numbered, numbers_of
from analysis.structures.incidents import incidents_frame
from analysis.structures.labels import value_codes
from analysis.structures.lazy import pd

#: Columns of a nodes table and what they hold.
NODE_COLUMNS = {
    "sentence": "number of the sentence, in ascending order",
    "node": "number of the node in preorder, from 0",
    "parent": "number of its parent, -1 = root",
    "category": "its CCG category",
    "rule": "rule that produced it; lex for a leaf",
    "start": "the node covers words start + 1 to end",
    "end": "",
    "head_daughter": "0 = left or only, 1 = right, -1 = leaf",
}

#: Status of a sentence.
PARSED, FAILED = "parsed", "failed"


@dataclass(frozen=True)
class Coded:
    """A treebank as integer arrays; one entry per node, unless stated otherwise.

    Attributes
    ----------
    sentence, start, end, head : ndarray of int64
        As in the nodes table; ``head`` is ``head_daughter``.
    up : ndarray of int64
        Row of the parent; -1 = root.
    left, right : ndarray of int64
        Rows of the left (or only) daughter and of the right one; -1 if there is none.
    leaf : ndarray of bool
    label : ndarray of int64
        Index of the category in ``labels``.
    labels : ndarray of object, shape (n_categories,)
    first_token : ndarray of int64
        Row of the first token of the node's sentence.
    token_sentence, form, token_label : ndarray of int64, shape (n_tokens,)
        Sentence, index of the form in ``forms``, and index of the category in ``labels``.
    forms : ndarray of object, shape (n_forms,)
    """

    sentence: np.ndarray
    start: np.ndarray
    end: np.ndarray
    head: np.ndarray
    up: np.ndarray
    left: np.ndarray
    right: np.ndarray
    leaf: np.ndarray
    label: np.ndarray
    labels: np.ndarray
    first_token: np.ndarray
    token_sentence: np.ndarray
    form: np.ndarray
    token_label: np.ndarray
    forms: np.ndarray


def _codes(column: Any) -> tuple[np.ndarray, np.ndarray]:
    codes, names = value_codes(column)
    return codes.astype(np.int64), np.array(list(map(str, names)), dtype=object)


def daughter_rows(up: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Row of the left (or only) and of the right daughter of each node, in preorder; -1 if there is none.

    Parameters
    ----------
    up : ndarray of int64, shape (n_nodes,)
        Row of the parent; -1 = root.

    Examples
    --------
    >>> [side.tolist() for side in daughter_rows(np.array([-1, 0, 0]))]
    [[1, -1, -1], [2, -1, -1]]
    """
    left, right = np.full((2, len(up)), -1, dtype=np.int64)
    below = np.flatnonzero(up >= 0)
    above = up[below]
    eldest = above == below - 1
    left[above[eldest]] = below[eldest]
    right[above[~eldest]] = below[~eldest]
    return left, right


@framed(nodes=as_text_frame, tokens=as_text_frame, sentences=as_text_frame, incidents=incidents_frame)
@dataclass(frozen=True)
class Derivations:
    """Sentences with their derivations.

    Attributes
    ----------
    nodes : DataFrame
        One row per node, sentences in order and nodes in preorder: the columns of ``NODE_COLUMNS``, and ``spelling``
        where a file writes a category with redundant brackets. A sentence without a derivation has no rows.
    tokens : DataFrame
        One row per leaf: ``sentence``, ``position`` (from 1), ``form``, ``category``, and if available ``fine``,
        ``fine_original`` and ``annotated`` (the category with head indices).
    sentences : DataFrame
        One row per sentence, from 0: ``sentence``, ``id``, ``status`` (``parsed`` or ``failed``), ``words``; if read
        from a file also ``header`` and ``line``.
    incidents : DataFrame
        Problems found while reading.

    Examples
    --------
    >>> nodes = pd.DataFrame([[0, 0, -1, "N", "lex", 0, 1, -1]], columns=list(NODE_COLUMNS))
    >>> derivations(nodes, pd.DataFrame({"sentence": [0], "position": [1], "form": ["cat"]}))
    1 derivation, 1 word
    """

    nodes: pd.DataFrame
    tokens: pd.DataFrame
    sentences: pd.DataFrame
    incidents: pd.DataFrame = field(default_factory=tuple)

    @cached_property
    def coded(self) -> Coded:
        """The treebank as arrays; computed once."""
        nodes, tokens = as_given(self, "nodes"), as_given(self, "tokens")
        sentence, start, end, head, node, parent = (
            numbers_of(nodes[name]) for name in ("sentence", "start", "end", "head_daughter", "node", "parent")
        )
        label, labels = _codes(nodes["category"])
        form, forms = _codes(tokens["form"])
        leaf = equal_to(nodes["rule"], "lex")
        token_sentence = numbers_of(tokens["sentence"])
        up = np.where(parent >= 0, np.arange(len(node)) - node + parent, -1)
        first_token = np.searchsorted(token_sentence, sentence, "left").astype(np.int64)
        return Coded(
            sentence, start, end, head, up, *daughter_rows(up), leaf, label, labels, first_token, token_sentence, form,
            label[leaf], forms,
        )  # fmt: skip

    def __len__(self) -> int:
        return len(as_given(self, "sentences"))

    def __repr__(self) -> str:
        failed = int((~equal_to(as_given(self, "sentences")["status"], PARSED)).sum())
        count, words = len(self) - failed, len(as_given(self, "tokens"))
        tail = f", {failed:,} without a derivation" if failed else ""
        return f"{count:,} derivation{'s' * (count != 1)}, {words:,} word{'s' * (words != 1)}{tail}"

    def tree(self, sentence: int) -> Derivation:
        """Return the tree of one sentence.

        Raises
        ------
        ValueError
            If the sentence has no derivation.
        """
        rows = _slice(self.nodes["sentence"].to_numpy(), sentence)
        words = _slice(self.tokens["sentence"].to_numpy(), sentence)
        if rows.start == rows.stop:
            raise ValueError(f"sentence {sentence} has no derivation.")
        return Derivation.from_tables(self.nodes.iloc[rows], self.tokens.iloc[words])

    def select(self, sentences: Iterable[int]) -> Derivations:
        """Select sentences and number them from 0 in the given order."""
        chosen = np.fromiter(sentences, dtype=np.int64)
        tables = []
        for name in ("nodes", "tokens", "sentences"):
            table = as_given(self, name)
            numbers = numbers_of(table["sentence"])
            begin, end = np.searchsorted(numbers, chosen, "left"), np.searchsorted(numbers, chosen, "right")
            length = end - begin
            first = np.repeat(begin - np.concatenate([[0], np.cumsum(length)[:-1]]), length) if len(chosen) else begin
            rows = (first + np.arange(length.sum())).astype(np.int64)
            tables.append(numbered(table, rows, np.repeat(np.arange(len(chosen)), length)))
        return Derivations(*tables)


def _slice(numbers: np.ndarray, number: int) -> slice:
    return slice(int(np.searchsorted(numbers, number, "left")), int(np.searchsorted(numbers, number, "right")))


def derivations(nodes: pd.DataFrame, tokens: pd.DataFrame) -> Derivations:
    """Make derivations from their tables, every sentence parsed; add ``category`` to the tokens if it is missing.

    Raises
    ------
    ValueError
        If a column is missing, or the numbers of leaves and words differ.

    Examples
    --------
    >>> nodes = pd.DataFrame([[4, 0, -1, "N", "lex", 0, 1, -1]], columns=list(NODE_COLUMNS))
    >>> derivations(nodes, pd.DataFrame({"sentence": [4], "position": [1], "form": ["cat"]})).tokens
       sentence  position form category
    0         0         1  cat        N
    """
    for what, table, columns in (
        ("nodes", nodes, NODE_COLUMNS),
        ("tokens", tokens, {"sentence": "", "position": "", "form": ""}),
    ):
        check_columns(table, columns, what)
    leaf = nodes["rule"].astype("str").to_numpy() == "lex"
    if int(leaf.sum()) != len(tokens) or not np.array_equal(
        nodes["sentence"].to_numpy()[leaf], tokens["sentence"].to_numpy()
    ):
        raise ValueError(f"the derivations have {int(leaf.sum())} leaves for {len(tokens)} words.")
    numbers, words = np.unique(tokens["sentence"].to_numpy(), return_counts=True)
    if not np.array_equal(numbers, np.arange(len(numbers))):
        codes = {int(old): new for new, old in enumerate(numbers)}
        nodes = nodes.assign(sentence=nodes["sentence"].map(codes))
        tokens = tokens.assign(sentence=tokens["sentence"].map(codes))
    if "category" not in tokens.columns:
        tokens = tokens.assign(category=nodes["category"].astype("str").to_numpy()[leaf])
    sentences = pd.DataFrame(
        {
            "sentence": np.arange(len(numbers)),
            "id": [f"{number}" for number in numbers],
            "status": PARSED,
            "words": words,
        }
    )
    return Derivations(nodes.reset_index(drop=True), tokens.reset_index(drop=True), sentences)


def join(banks: Iterable[Derivations]) -> Derivations:
    """Concatenate treebanks; sentences are numbered consecutively.

    Raises
    ------
    ValueError
        If there is no treebank.

    Examples
    --------
    >>> tree = derivations(*Derivation.build(("N", "dogs")).to_tables())
    >>> join([tree, tree])
    2 derivations, 2 words
    """
    first = 0
    parts: tuple[list[pd.DataFrame], ...] = ([], [], [], [])
    for bank in banks:
        for place, table in enumerate((bank.nodes, bank.tokens, bank.sentences)):
            parts[place].append(table.assign(sentence=table["sentence"] + first))
        if len(bank.incidents):
            parts[3].append(bank.incidents)
        first += len(bank)
    if not parts[0]:
        raise ValueError("there is no treebank to join.")
    nodes, tokens, sentences = (pd.concat(part, ignore_index=True) for part in parts[:3])
    found = pd.concat(parts[3], ignore_index=True) if parts[3] else incidents_frame(())
    return Derivations(nodes, tokens, sentences, found)


@dataclass(frozen=True, slots=True)
class Node:
    """One node of a derivation; ``daughters`` are node numbers, ``head`` is the position of its head word."""

    category: str
    rule: str
    start: int
    end: int
    parent: int
    daughters: tuple[int, ...]
    head_daughter: int
    head: int


@dataclass(frozen=True)
class Derivation:
    r"""The derivation of one sentence: words, and nodes in preorder. Immutable.

    Examples
    --------
    >>> tree = Derivation.build(("S[dcl]", ("NP", "dogs"), (r"S[dcl]\NP", "bark")))
    >>> tree
    (S[dcl] (NP dogs) (S[dcl]\NP bark))
    >>> tree.nodes[0].rule, tree.words[tree.nodes[0].head - 1]
    ('<', 'bark')
    """

    words: tuple[str, ...]
    nodes: tuple[Node, ...]

    @classmethod
    def from_tables(cls, nodes: pd.DataFrame, tokens: pd.DataFrame) -> Derivation:
        """Make the tree of one sentence from its rows."""
        parents = [int(parent) for parent in nodes["parent"]]
        below: list[list[int]] = [[] for _ in parents]
        for number, parent in enumerate(parents):
            if parent >= 0:
                below[parent].append(number)
        heads = [0] * len(parents)
        columns = [nodes[name].tolist() for name in ("category", "rule", "start", "end", "head_daughter")]
        for number in reversed(range(len(parents))):
            daughters = below[number]
            marked = int(columns[4][number])
            heads[number] = (
                heads[daughters[marked if 0 <= marked < len(daughters) else 0]] if daughters else columns[2][number] + 1
            )
        made = tuple(
            Node(str(category), str(rule), int(start), int(end), parents[number], tuple(below[number]), int(head), word)
            for number, (category, rule, start, end, head, word) in enumerate(zip(*columns, heads, strict=True))
        )
        return cls(tuple(tokens["form"].astype("str")), made)

    @classmethod
    def build(cls, tree: tuple) -> Derivation:
        """Build a tree from nested tuples ``(category, daughter, ...)`` or ``(category, word)``; rules and heads are
        inferred.
        """
        rows: list[list] = []
        words: list[str] = []
        stack: list[tuple[tuple, int]] = [(tree, -1)]
        while stack:
            (category, *below), parent = stack.pop()
            number = len(rows)
            leaf = isinstance(below[0], str)
            rows.append([0, number, parent, category, "lex" if leaf else "", len(words), len(words) + leaf, -1])
            if leaf:
                words.append(below[0])
            else:
                stack += [(daughter, number) for daughter in reversed(below)]
        daughters: list[list[list]] = [[] for _ in rows]
        for row in rows:
            if row[2] >= 0:
                daughters[row[2]].append(row)
        read = [row[3] for row in rows]
        for row, below in zip(reversed(rows), reversed(daughters), strict=True):
            if below:
                row[6] = below[-1][6]
                labels = [daughter[3] for daughter in below]
                rule = unary_rule(row[3], *labels) if len(below) == 1 else binary_rule(row[3], *labels)
                row[4] = rule.name
                if len(below) == 2:
                    read[row[1]] = conjunct(row[3], *labels)
                row[7] = 0 if len(below) == 1 else head_daughter(row[3], *(read[daughter[1]] for daughter in below))
        nodes = pd.DataFrame(rows, columns=list(NODE_COLUMNS))
        return cls.from_tables(nodes, pd.DataFrame({"form": words}))

    def to_tables(self, sentence: int = 0) -> tuple[pd.DataFrame, pd.DataFrame]:
        """Return the rows of a nodes table and of a tokens table."""
        rows = [
            (sentence, number, node.parent, node.category, node.rule, node.start, node.end, node.head_daughter)
            for number, node in enumerate(self.nodes)
        ]
        tokens = pd.DataFrame(
            {"sentence": sentence, "position": range(1, len(self.words) + 1), "form": list(self.words)}
        )
        tokens["category"] = [node.category for node in self.leaves()]
        return pd.DataFrame(rows, columns=list(NODE_COLUMNS)), tokens

    def leaves(self) -> Iterator[Node]:
        """The leaves, from left to right."""
        return (node for node in self.nodes if not node.daughters)

    def __repr__(self) -> str:
        pieces: list[str] = []
        for number, node in enumerate(self.nodes):
            pieces.append(f"({node.category}")
            if node.daughters:
                continue
            pieces[-1] += f" {self.words[node.start]})"
            while node.parent >= 0 and self.nodes[node.parent].daughters[-1] == number:
                number, node = node.parent, self.nodes[node.parent]
                pieces[-1] += ")"
        return " ".join(pieces)
