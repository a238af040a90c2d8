"""Read a whole file of bracketed trees without a defect at once, from the places of its brackets and words.

`analysis.corpora.bracketed_trees` reads token by token what `scanned_trees` does not take, to say what is wrong where.
"""

import re
from typing import NamedTuple

import numpy as np

from analysis.corpora.nesting import Preorder, preorder
from analysis.corpora.spans import distinct_spans, has_wide_space
from analysis.structures.columns import Coded, Columns
from analysis.structures.derivation import FAILED, PARSED

_NO_STEP = 2
_WORD, _SPACE, _LINE_END, _OPEN, _CLOSE, _OTHER = range(6)
_OF_BYTE = {b" ": _SPACE, b"\t": _SPACE, b"\n": _LINE_END, b"(": _OPEN, b")": _CLOSE}
_KINDS = bytes(_OF_BYTE.get(bytes([byte]), _OTHER if 10 < byte < 32 else _WORD) for byte in range(256))
_WITHOUT_WORD = re.compile(rb"(?m)^[() \t]+$")


class ScannedTrees(NamedTuple):
    """The tables of `analysis.structures.derivation.Derivations`."""

    nodes: Columns
    tokens: Columns
    sentences: Columns


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
    >>> nodes = scanned_trees(b"( (S (NP (NN dogs)) (VP (VBP bark))) )").nodes
    >>> list(zip(nodes["category"], nodes["start"].tolist(), nodes["end"].tolist()))
    [('S', 0, 2), ('NP', 0, 1), ('NN', 0, 1), ('VP', 1, 2), ('VBP', 1, 2)]
    >>> scanned_trees(b"(S (NP dogs bark))") is None
    True
    """
    kinds = np.frombuffer(data.translate(_KINDS), dtype=np.uint8)
    if kinds.max() == _OTHER or has_wide_space(data):
        return None
    inside = kinds == _WORD
    begins = inside.copy()
    begins[1:] &= ~inside[:-1]
    places = np.flatnonzero(begins | (kinds >= _OPEN))
    kind = kinds[places]
    trees = _trees(kind)
    if trees is None:
        cleared = _WITHOUT_WORD.sub(b"", data) if by_line else data
        return scanned_trees(cleared, by_line=True) if cleared != data else None
    words = np.flatnonzero(kind == _WORD)
    ends = np.flatnonzero(inside & ~np.append(inside[1:], False)) + 1
    lines = np.flatnonzero(kinds == _LINE_END)
    line = np.searchsorted(lines, places[trees.first])
    number = np.arange(len(line))
    if by_line:
        if (np.diff(line) == 0).any() or (line != np.searchsorted(lines, places[trees.last])).any():
            return None
        number, line = line, np.arange(len(lines))
    coded = distinct_spans(data, places[words], ends)
    is_label = kind[words - 1] == _OPEN
    labels, forms = (coded.take(np.flatnonzero(chosen)).used() for chosen in (is_label, ~is_label))
    return _tables(trees.nodes, labels, forms, number, line + 1)


class _Trees(NamedTuple):
    """Nodes, and the first and the last bracket of each tree among the brackets and words."""

    nodes: Preorder
    first: np.ndarray
    last: np.ndarray


def _trees(kind: np.ndarray) -> _Trees | None:
    """Match the brackets; None if they or the words are not as in trees."""
    opening, closing = np.flatnonzero(kind == _OPEN), np.flatnonzero(kind == _CLOSE)
    depth = np.cumsum((kind == _OPEN).view(np.int8) - (kind == _CLOSE).view(np.int8), dtype=np.int32)
    if not len(opening) or len(opening) != len(closing) or depth.min() < 0:
        return None
    follows = np.append(kind, np.full(3, _SPACE, dtype=np.uint8))
    after = [follows[opening + step] for step in range(4)]
    labelled = after[1] == _WORD
    leaf = labelled & (after[2] == _WORD)
    first, last = opening[depth[opening] == 1], closing[depth[closing] == 0]
    bare = kind[first + 1] == _OPEN  # outer brackets without a label
    sound = np.where(leaf, after[3] == _CLOSE, (after[2] == _OPEN) | ~labelled)
    n_words, n_bare = int((kind == _WORD).sum()), int((~labelled).sum())
    if not sound.all() or n_words != int(labelled.sum() + leaf.sum()) or n_bare != int(bare.sum()):
        return None
    step = np.full(len(kind), _NO_STEP, dtype=np.int8)
    step[opening], step[closing] = 1, -1
    step[opening[leaf]], step[opening[leaf] + 3] = 0, _NO_STEP
    step[first[bare]] = step[last[bare]] = _NO_STEP
    nodes = preorder(step[step != _NO_STEP])
    if nodes is None or int((nodes.parent < 0).sum()) != len(first):
        return None  # an outer bracket without a label contains two trees
    return _Trees(nodes, first, last)


def _tables(nodes: Preorder, labels: Coded, forms: Coded, number: np.ndarray, line: np.ndarray) -> ScannedTrees:
    """The tables, from the sentence of each tree, and the line of each sentence."""
    root = nodes.parent < 0
    rows = np.flatnonzero(root)  # the first node of each tree
    tree = np.cumsum(root) - 1
    origin, begins = nodes.before[rows][tree], rows[tree]
    sentence, start = number[tree], nodes.before - origin
    counts = np.zeros(len(line), dtype=np.int64)
    counts[number] = (nodes.until - nodes.before)[rows]
    table = {
        "sentence": sentence,
        "node": np.arange(len(tree)) - begins,
        "parent": np.where(root, -1, nodes.parent - begins),
        "category": labels,
        "rule": Coded(nodes.leaf.astype(np.int64), ["phrase", "lex"]),
        "start": start,
        "end": nodes.until - origin,
        "head_daughter": -nodes.leaf.astype(np.int64),
    }
    tokens = {
        "sentence": sentence[nodes.leaf],
        "position": start[nodes.leaf] + 1,
        "form": forms,
        "category": labels.take(np.flatnonzero(nodes.leaf)),
    }
    sentences = {
        "sentence": np.arange(len(line)),
        "id": Coded(np.arange(len(line)), [str(each) for each in range(len(line))]),
        "status": Coded((counts > 0).astype(np.int64), [FAILED, PARSED]),
        "words": counts,
        "line": line,
    }
    return ScannedTrees(*map(Columns, (table, tokens, sentences)))
