"""Read a whole file of bracketed trees without a defect at once, from the places of its brackets and words.

`analysis.corpora.bracketed_trees` reads token by token what `scanned_trees` does not take, to say what is wrong where.
"""

import re
from typing import NamedTuple

import numpy as np
import pandas as pd

from analysis.corpora.spans import distinct_spans
from analysis.structures.columns import Coded
from analysis.structures.derivation import FAILED, PARSED

_WORD, _SPACE, _LINE_END, _OPEN, _CLOSE, _OTHER = range(6)
_OF_BYTE = {b" ": _SPACE, b"\t": _SPACE, b"\n": _LINE_END, b"(": _OPEN, b")": _CLOSE}
_KINDS = bytes(_OF_BYTE.get(bytes([byte]), _OTHER if 10 < byte < 32 else _WORD) for byte in range(256))
_OTHER_SPACE = re.compile(  # beyond ASCII
    rb"\xc2[\x85\xa0]|\xe1\x9a\x80|\xe2\x80[\x80-\x8a\xa8\xa9\xaf]|\xe2\x81\x9f|\xe3\x80\x80"
)
_WITHOUT_WORD = re.compile(rb"(?m)^[() \t]+$")


class ScannedTrees(NamedTuple):
    """The tables of `analysis.structures.derivation.Derivations`."""

    nodes: pd.DataFrame
    tokens: pd.DataFrame
    sentences: pd.DataFrame


class _Brackets(NamedTuple):
    """What opens in a text; one entry per opening bracket, unless stated otherwise.

    Attributes
    ----------
    labelled, leaf, root : ndarray of bool
        Whether a label follows the bracket, and a word the label; whether the bracket is in no other.
    parent : ndarray of int64
        Opening bracket around it; -1 = none.
    before, until : ndarray of int64
        Words of the text before the bracket, and before the one that closes it.
    first, last : ndarray of int64, shape (n_trees,)
        Bytes at which a tree begins and ends.
    """

    labelled: np.ndarray
    leaf: np.ndarray
    root: np.ndarray
    parent: np.ndarray
    before: np.ndarray
    until: np.ndarray
    first: np.ndarray
    last: np.ndarray


def scanned_trees(data: bytes, *, by_line: bool = False) -> ScannedTrees | None:
    """Read all trees of a text; None if there is a defect, no tree, or unusual white space.

    Parameters
    ----------
    data : bytes
        Of `analysis.corpora.opening.Text`.
    by_line : bool
        As in `analysis.corpora.bracketed_trees.read_bracketed_trees`.

    Examples
    --------
    >>> scanned_trees(b"( (S (NP (NN dogs)) (VP (VBP bark))) )").nodes[["category", "start", "end"]].values.tolist()
    [['S', 0, 2], ['NP', 0, 1], ['NN', 0, 1], ['VP', 1, 2], ['VBP', 1, 2]]
    >>> scanned_trees(b"(S (NP dogs bark))") is None
    True
    """
    kinds = np.frombuffer(data.translate(_KINDS), dtype=np.uint8)
    if kinds.max() == _OTHER or (not data.isascii() and _OTHER_SPACE.search(data)):
        return None
    inside = kinds == _WORD
    begins = inside.copy()
    begins[1:] &= ~inside[:-1]
    places = np.flatnonzero(begins | (kinds >= _OPEN))
    kind = kinds[places]
    brackets = _brackets(kind, places)
    if brackets is None:
        cleared = _WITHOUT_WORD.sub(b"", data) if by_line else data
        return scanned_trees(cleared, by_line=True) if cleared != data else None
    words = np.flatnonzero(kind == _WORD)
    ends = np.flatnonzero(inside & ~np.append(inside[1:], False)) + 1
    lines = np.flatnonzero(kinds == _LINE_END)
    line = np.searchsorted(lines, brackets.first)
    number = np.arange(len(line))
    if by_line:
        if (np.diff(line) == 0).any() or (line != np.searchsorted(lines, brackets.last)).any():
            return None
        number, line = line, np.arange(len(lines))
    coded = distinct_spans(data, places[words], ends)
    is_label = kind[words - 1] == _OPEN
    return _tables(brackets, coded.take(is_label.nonzero()[0]), coded.take((~is_label).nonzero()[0]), number, line + 1)


def _brackets(kind: np.ndarray, places: np.ndarray) -> _Brackets | None:
    """Match the brackets; None if there is none, or they or the words are not as in a tree."""
    opening, closing = np.flatnonzero(kind == _OPEN), np.flatnonzero(kind == _CLOSE)
    depth = np.cumsum((kind == _OPEN).view(np.int8) - (kind == _CLOSE).view(np.int8), dtype=np.int32)
    if not len(opening) or len(opening) != len(closing) or depth.min() < 0:
        return None
    follows = np.append(kind, np.full(3, _SPACE, dtype=np.uint8))
    after = [follows[opening + step] for step in range(4)]
    labelled, level = after[1] == _WORD, depth[opening]
    leaf = labelled & (after[2] == _WORD)
    sound = np.where(
        labelled, np.where(leaf, after[3] == _CLOSE, after[2] == _OPEN), (after[1] == _OPEN) & (level == 1)
    )
    if not sound.all() or int((kind == _WORD).sum()) != int(labelled.sum() + leaf.sum()):
        return None
    small = np.int16 if int(level.max()) < 2**15 else np.int32  # 16 bits are sorted faster
    order, closed = (
        np.argsort(levels.astype(small), kind="stable") for levels in (level, depth[closing] + 1)
    )  # of each level, the n-th bracket that opens is closed by the n-th that closes
    is_word = np.zeros(len(kind), dtype=np.int8)
    is_word[opening[leaf] + 2] = 1
    words = np.cumsum(is_word, dtype=np.int64)
    until = np.empty(len(opening), dtype=np.int64)
    until[order] = words[closing[closed]]
    parent = np.full(len(opening), -1)
    below = order[level[order] > 1]
    eldest = kind[opening[below] - 1] != _CLOSE
    parent[below] = order[~leaf[order]][np.cumsum(eldest) - 1]  # level by level, each parent has one first daughter
    root = level == 1
    if int((~labelled[parent[below]]).sum()) != int((~labelled).sum()):
        return None  # an outer bracket without a label that contains two trees
    first, last = places[opening[root]], places[closing[depth[closing] == 0]]
    return _Brackets(labelled, leaf, root, parent, words[opening], until, first, last)


def _tables(brackets: _Brackets, labels: Coded, forms: Coded, number: np.ndarray, line: np.ndarray) -> ScannedTrees:
    """The tables, from the sentence of each tree, and the line of each sentence."""
    kept = brackets.labelled
    leaf, tree = brackets.leaf[kept], (np.cumsum(brackets.root) - 1)[kept]
    rows = np.flatnonzero(np.r_[True, np.diff(tree) > 0])  # the first node of each tree
    new = np.append(np.where(kept, np.cumsum(kept) - 1, -1), -1)
    parent = new[brackets.parent[kept]]
    origin = brackets.before[kept][rows]
    start, end = (words[kept] - origin[tree] for words in (brackets.before, brackets.until))
    words = np.bincount(tree[leaf], minlength=len(rows))
    categories = pd.Index(labels.values, dtype="str").take(labels.codes)
    rules = pd.Index(["phrase", "lex"], dtype="str").take(leaf.astype(np.intp))
    nodes = {
        "sentence": number[tree],
        "node": np.arange(len(tree)) - rows[tree],
        "parent": np.where(parent < 0, -1, parent - rows[tree]),
        "category": categories,
        "rule": rules,
        "start": start,
        "end": end,
        "head_daughter": -leaf.astype(np.int64),
    }
    tokens = {
        "sentence": nodes["sentence"][leaf],
        "position": start[leaf] + 1,
        "form": pd.Index(forms.values, dtype="str").take(forms.codes),
        "category": categories[leaf],
    }
    counts = np.zeros(len(line), dtype=np.int64)
    counts[number] = words
    sentences = {
        "sentence": np.arange(len(line)),
        "id": pd.array([str(each) for each in range(len(line))], dtype="str"),
        "status": pd.Index([FAILED, PARSED], dtype="str").take((counts > 0).astype(np.intp)),
        "words": counts,
        "line": line,
    }
    return ScannedTrees(*map(pd.DataFrame, (nodes, tokens, sentences)))
