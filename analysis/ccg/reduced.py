"""Derivations without punctuation as arrays, the input of Parseval and tree dependencies."""

from dataclasses import dataclass
from typing import Literal

import numpy as np

from analysis.ccg.alignment import Alignment
from analysis.statistics.sentence_counts import SCORED
from analysis.structures import check_choice
from analysis.structures.ccg_category import PUNCTUATION
from analysis.structures.ccg_rules import conjunct, head_daughter
from analysis.structures.columns import as_given, equal_to
from analysis.structures.derivation import Coded, Derivations

Level = Literal["same label", "always", "never"]
Heads = Literal["auto", "field", "rule"]

LEVELS = ("same label", "always", "never")


@dataclass(frozen=True)
class Reduced:
    """Remaining nodes of one side, in order, conjuncts labelled X[conj]; all arrays have one entry per node.

    Attributes
    ----------
    sentence, start, end : ndarray of int64
        Words ``start`` to ``end`` (not included) of the sentence, counted without deleted words.
    code : ndarray of int64
        Index of the label in ``names``.
    names : ndarray of object
    leaf : ndarray of bool
    parent, left, right : ndarray of int64
        Rows of these arrays; -1 if there is none. ``right`` is -1 in a node with one daughter.
    head_field : ndarray of int64
        The head daughter as the file marks it.
    position : ndarray of int64
        Position of a leaf's word in the whole sentence; 0 in other nodes.
    """

    sentence: np.ndarray
    start: np.ndarray
    end: np.ndarray
    code: np.ndarray
    names: np.ndarray
    leaf: np.ndarray
    parent: np.ndarray
    left: np.ndarray
    right: np.ndarray
    head_field: np.ndarray
    position: np.ndarray

    @property
    def label(self) -> np.ndarray:
        """The labels as text."""
        return self.names[self.code]

    def head_leaves(self, heads: Literal["field", "rule"]) -> tuple[np.ndarray, np.ndarray]:
        """Return the head daughter of each node (0, 1, or -1 in a leaf), and the row of its head leaf."""
        binary = self.right >= 0
        side = np.where(self.leaf, -1, 0)
        if heads == "field":
            side[binary] = self.head_field[binary]
        else:
            labels = self.label
            rows = np.flatnonzero(binary)
            side[rows] = [
                head_daughter(labels[row], labels[one], labels[two])
                for row, one, two in zip(
                    rows.tolist(), self.left[rows].tolist(), self.right[rows].tolist(), strict=True
                )
            ]
        down = np.where(self.leaf, np.arange(len(self.leaf)), np.where(side == 1, self.right, self.left))
        while True:
            further = down[down]
            if np.array_equal(further, down):
                return side, down
            down = further


def kept_words(alignment: Alignment, punctuation: bool) -> tuple[np.ndarray, np.ndarray]:
    """Return whether each token is kept, for gold standard and system; the gold categories determine both."""
    ours, theirs = alignment.gold, alignment.predicted
    coded, words_of_theirs = ours.coded, len(theirs.coded.form)
    if punctuation:
        return np.ones(len(coded.form), dtype=bool), np.ones(words_of_theirs, dtype=bool)
    marks = np.array([label in PUNCTUATION for label in coded.labels], dtype=bool)
    keep = ~marks[coded.token_label]
    if len(keep) == words_of_theirs:
        return keep, keep
    scored = equal_to(as_given(alignment, "sentences")["status"], SCORED)
    return keep, keep[scored[coded.token_sentence]]


def reduce(bank: Derivations, keep: np.ndarray, level: Level = "same label") -> Reduced:
    """Delete words and return the remaining nodes.

    Parameters
    ----------
    bank : Derivations
    keep : ndarray of bool
        One entry per token.
    level : {"same label", "always", "never"}
        When to drop a node that has a single daughter after the deletion: if its label equals the daughter's, always,
        or never.

    Raises
    ------
    ValueError
        If ``level`` is unknown.
    """
    check_choice("level", level, LEVELS)
    coded = bank.coded
    label, names = with_conjuncts(coded)
    before = np.concatenate([[0], np.cumsum(keep)]).astype(np.int64)
    begin, stop = before[coded.first_token + coded.start], before[coded.first_token + coded.end]
    stays = (stop > begin) & ~_left_with_one(coded.up, stop > begin, label, level)
    rows = np.flatnonzero(stays)
    above = coded.up[rows]
    while (gone := (above >= 0) & ~stays[above]).any():
        above[gone] = coded.up[above[gone]]
    parent = np.where(above >= 0, np.cumsum(stays)[above] - 1, -1)
    left, right = np.full((2, len(rows)), -1, dtype=np.int64)
    daughters = np.flatnonzero(parent >= 0)
    left[parent[daughters[::-1]]] = daughters[::-1]  # the last one written is kept: the first in order
    others = daughters[left[parent[daughters]] != daughters]
    right[parent[others]] = others
    leaf = coded.leaf[rows]
    return Reduced(
        coded.sentence[rows],
        begin[rows] - before[coded.first_token[rows]],
        stop[rows] - before[coded.first_token[rows]],
        label[rows],
        names,
        leaf,
        parent,
        left,
        right,
        coded.head[rows],
        np.where(leaf, coded.start[rows] + 1, 0),
    )


def _left_with_one(up: np.ndarray, filled: np.ndarray, label: np.ndarray, level: Level) -> np.ndarray:
    """Find the nodes to drop, because only one of several daughters has words left."""
    n = len(up)
    full = np.flatnonzero(filled & (up >= 0))
    dropped = (np.bincount(up[full], minlength=n) == 1) & (np.bincount(up[up >= 0], minlength=n) > 1)
    if level == "same label":
        only = np.zeros(n, dtype=np.int64)
        only[up[full]] = full
        dropped &= label == label[only]
    return dropped & (level != "never")


def with_conjuncts(coded: Coded) -> tuple[np.ndarray, np.ndarray]:
    r"""Return the labels of the nodes as codes and names, X[conj] also where a file writes X\\X over ``conj X``.

    Examples
    --------
    >>> from analysis.structures.derivation import Derivation, derivations
    >>> tree = Derivation.build(("N", ("N", "cats"), (r"N\N", ("conj", "and"), ("N", "dogs"))))
    >>> codes, names = with_conjuncts(derivations(*tree.to_tables()).coded)
    >>> names[codes].tolist()
    ['N', 'N', 'N[conj]', 'conj', 'N']
    """
    names = coded.labels.tolist()
    place = {name: code for code, name in enumerate(names)}
    label = coded.label.copy()
    left = coded.leaf & (label == place.get("conj", -1))
    coordinated = np.zeros(len(label) + 1, dtype=bool)
    coordinated[coded.up[left]] = True
    second = np.flatnonzero(coordinated[coded.up] & ~left)
    rows = second[coded.up[second] < second - 1]  # right daughters of nodes whose left daughter is conj
    above = coded.up[rows]
    triples = list(zip(*(label[node].tolist() for node in (above, above + 1, rows)), strict=True))
    code = {
        triple: place.setdefault(conjunct(*(names[label] for label in triple)), len(place))
        for triple in dict.fromkeys(triples)
    }
    label[above] = [code[triple] for triple in triples]
    return label, np.array(list(place), dtype=object)


def head_field_means_nothing(bank: Derivations) -> bool:
    r"""Return whether the head field is 0 in all nodes with two daughters, as in the output of some parsers.

    Examples
    --------
    >>> from analysis.structures.derivation import Derivation, derivations
    >>> tree = Derivation.build(("S[dcl]", ("NP", "dogs"), ("S[dcl]\\NP", "bark")))
    >>> head_field_means_nothing(derivations(*tree.to_tables()))
    False
    """
    coded = bank.coded
    daughters = np.bincount(coded.up[coded.up >= 0], minlength=len(coded.up))
    return not (coded.head[daughters == 2] == 1).any()
