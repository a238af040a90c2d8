"""Derivations without their punctuation, as arrays: what Parseval and the tree dependencies count on."""

from dataclasses import dataclass
from typing import Literal

import numpy as np

from analysis.ccg.alignment import Alignment
from analysis.corpora.ccgbank import daughters
from analysis.structures.ccg_category import PUNCTUATION
from analysis.structures.ccg_rules import head_daughter
from analysis.structures.derivation import Derivations

Level = Literal["same label", "always", "never"]
Heads = Literal["auto", "field", "rule"]

LEVELS = ("same label", "always", "never")


@dataclass(frozen=True)
class Reduced:
    """Nodes of one side that are left, in order; all arrays have one entry a node.

    Attributes
    ----------
    sentence, start, end : ndarray of int64
        Words ``start`` to ``end`` (not included) of the sentence, counted without those deleted.
    label : ndarray of object
    leaf : ndarray of bool
    parent, left, right : ndarray of int64
        Rows here; -1 where there is none. ``right`` is -1 in a node with one daughter.
    head_field : ndarray of int64
        The head daughter as the file marks it.
    position : ndarray of int64
        Position of a leaf's word in the whole sentence; 0 in other nodes.
    """

    sentence: np.ndarray
    start: np.ndarray
    end: np.ndarray
    label: np.ndarray
    leaf: np.ndarray
    parent: np.ndarray
    left: np.ndarray
    right: np.ndarray
    head_field: np.ndarray
    position: np.ndarray

    def head_leaves(self, heads: Literal["field", "rule"]) -> tuple[np.ndarray, np.ndarray]:
        """Head daughter of each node (0, 1, or -1 in a leaf), and the row of the leaf that heads it."""
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
    """Whether each token is kept, of the gold standard and of the system; the gold categories decide for both."""
    ours, theirs = alignment.gold, alignment.system
    if punctuation:
        return np.ones(len(ours.tokens), dtype=bool), np.ones(len(theirs.tokens), dtype=bool)
    keep = ~ours.tokens["category"].astype("str").isin(PUNCTUATION).to_numpy(dtype=bool)
    scored = np.isin(ours.tokens["sentence"].to_numpy(), theirs.tokens["sentence"].to_numpy())
    return keep, keep[scored]


def reduce(bank: Derivations, keep: np.ndarray, level: Level = "same label") -> Reduced:
    """The nodes that are left when words are deleted.

    Parameters
    ----------
    bank : Derivations
    keep : ndarray of bool
        One entry a token.
    level : {"same label", "always", "never"}
        A node that is left with one daughter by the deletion is dropped if its label equals the daughter's, always, or
        never.

    Raises
    ------
    ValueError
        If ``level`` is none of the three.
    """
    if level not in LEVELS:
        raise ValueError(f"level must be one of {', '.join(map(repr, LEVELS))}, not {level!r}.")
    nodes = bank.nodes
    n = len(nodes)
    sentence = nodes["sentence"].to_numpy(dtype=np.int64)
    token_sentence = bank.tokens["sentence"].to_numpy(dtype=np.int64)
    offset = np.searchsorted(token_sentence, sentence, "left")
    before = np.concatenate([[0], np.cumsum(keep)]).astype(np.int64)
    first, last = nodes["start"].to_numpy(dtype=np.int64), nodes["end"].to_numpy(dtype=np.int64)
    start = before[offset + first] - before[offset]
    end = before[offset + last] - before[offset]
    label = nodes["category"].astype("str").to_numpy(dtype=object)
    leaf = (nodes["rule"].astype("str") == "lex").to_numpy(dtype=bool)
    rows = np.arange(n)
    parents = nodes["parent"].to_numpy(dtype=np.int64)
    up = np.where(parents >= 0, rows - nodes["node"].to_numpy(dtype=np.int64) + parents, -1)
    filled = end > start
    below = filled & (up >= 0)
    arity_before = np.bincount(up[up >= 0], minlength=n)
    arity = np.bincount(up[below], minlength=n)
    only = np.full(n, -1)
    only[up[below]] = rows[below]  # the last one; used where there is one
    single = filled & (arity == 1) & (arity_before > 1)
    if level == "same label":
        single &= label == label[only]
    elif level == "never":
        single[:] = False
    stays = filled & ~single
    above = up.copy()
    while True:
        gone = (above >= 0) & ~stays[above]
        if not gone.any():
            break
        above[gone] = up[above[gone]]
    new = np.cumsum(stays) - 1
    parent = np.where(above[stays] >= 0, new[above[stays]], -1)
    count = int(stays.sum())
    left, right = np.full(count, -1), np.full(count, -1)
    numbers = np.arange(count)
    has = parent >= 0
    left[parent[has][::-1]] = numbers[has][::-1]  # the first one
    last_one = np.full(count, -1)
    last_one[parent[has]] = numbers[has]
    right = np.where(last_one != left, last_one, -1)
    return Reduced(
        sentence[stays],
        start[stays],
        end[stays],
        label[stays],
        leaf[stays],
        parent,
        left,
        right,
        nodes["head_daughter"].to_numpy(dtype=np.int64)[stays],
        np.where(leaf, first + 1, 0)[stays],
    )


def head_field_means_nothing(bank: Derivations) -> bool:
    r"""Whether no node with two daughters is marked as headed by the right one: some parsers write 0 everywhere.

    Examples
    --------
    >>> from analysis.structures.derivation import Derivation, derivations
    >>> tree = Derivation.build(("S[dcl]", ("NP", "dogs"), ("S[dcl]\\NP", "bark")))
    >>> head_field_means_nothing(derivations(*tree.to_tables()))
    False
    """
    _, right = daughters(bank.nodes)
    binary = right >= 0
    return not (bank.nodes["head_daughter"].to_numpy()[binary] == 1).any()
