"""Read many derivations of AUTO files without a defect at once, from the places of their fields.

`analysis.corpora.ccgbank` reads node by node what `scanned_derivations` does not take, to say what is wrong where.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from analysis.corpora.nesting import Preorder, preorder
from analysis.corpora.spans import distinct_spans, has_wide_space
from analysis.structures.ccg_category import parse_category
from analysis.structures.columns import Coded, Columns

_BLANK, _LINE_END = 1, 2
_KINDS = bytes({ord(" "): _BLANK, ord("\n"): _LINE_END}.get(byte, 3 if byte < 32 else 0) for byte in range(256))
_NODE, _LEAF = (int.from_bytes(mark, "little") for mark in (b"(<T", b"(<L"))


class Layout(NamedTuple):
    """Number of fields of a node and of a leaf, and which field is which, from 1.

    The first field is the category; the last one is the number of daughters, or the category with head indices.
    """

    node: int
    head: int
    leaf: int
    word: int
    fine: int
    further: int


PLAIN = Layout(node=3, head=2, leaf=5, word=4, fine=2, further=3)
EXTENDED = Layout(node=4, head=3, leaf=7, word=2, fine=4, further=3)


class Scanned(NamedTuple):
    """Derivations as tables.

    Attributes
    ----------
    nodes : Columns
        ``sentence`` (number of the line), ``node``, ``parent``, ``category``, ``start``, ``end``, ``head_daughter``,
        ``spelling``.
    tokens : Columns
        ``sentence``, ``position``, ``form``, ``category``, ``fine``, a further column, ``annotated``.
    words : ndarray of int64, shape (n_lines,)
    single : list of str
        Forms of the words that are a whole derivation.
    """

    nodes: Columns
    tokens: Columns
    words: np.ndarray
    single: list[str]


class _Fields(NamedTuple):
    """Places of the fields of a text, and the nodes.

    Attributes
    ----------
    starts, ends : ndarray of int64, shape (n_fields,)
        Bytes; brackets that close are fields too.
    node : ndarray of int64, shape (n_nodes,)
        Field in which each node opens.
    tree : Preorder
    """

    starts: np.ndarray
    ends: np.ndarray
    node: np.ndarray
    tree: Preorder


def scanned_derivations(lines: Sequence[str], layout: Layout, further: str) -> Scanned | None:
    r"""Read derivations, one a line; None if one has a defect or is not written as usual.

    Parameters
    ----------
    lines : sequence of str
        Without blanks around them.
    layout : Layout
    further : str
        Name of the column of the field ``further``.

    Examples
    --------
    >>> found = scanned_derivations(["(<T NP 0 1> (<L N NN NN dogs N>) )"], PLAIN, "fine_original")
    >>> list(found.nodes["category"]), list(found.tokens["form"])
    (['NP', 'N'], ['dogs'])
    """
    data = "\n".join(lines).encode("utf-8", "surrogatepass") + b"\n"
    kinds = np.frombuffer(data.translate(_KINDS), dtype=np.uint8)
    if kinds.max() > _LINE_END or b">)(" in data or b">))" in data or has_wide_space(data):
        return None
    fields = _fields(data, kinds, layout)
    if fields is None:
        return None
    tree, node = fields.tree, fields.node
    line_starts = np.r_[0, np.flatnonzero(kinds == _LINE_END)[:-1] + 1]
    root = tree.parent < 0
    if not np.array_equal(fields.starts[node[root]], line_starts):
        return None
    inner, leaves = node[~tree.leaf], node[tree.leaf]
    head = _digits(data, fields.starts[inner + layout.head], fields.ends[inner + layout.head])
    arity = _digits(data, fields.starts[inner + layout.node], fields.ends[inner + layout.node] - 1)
    counted = np.bincount(tree.parent[~root], minlength=len(node))[~tree.leaf]
    if ((head > 1) | (arity > 2) | (arity != counted)).any():
        return None
    marked = np.full(len(node), -1)
    marked[~tree.leaf] = np.where(arity == 2, head, 0)
    spelling = distinct_spans(data, fields.starts[node + 1], fields.ends[node + 1])
    try:
        plain = Coded.of([str(parse_category(text)) for text in spelling.values])
    except ValueError:
        return None
    places = [(leaves + place, 0) for place in (layout.word, layout.fine, layout.further)] + [(leaves + layout.leaf, 2)]
    columns = [distinct_spans(data, fields.starts[at], fields.ends[at] - marks) for at, marks in places]
    category = plain.take(spelling.codes)
    return _tables(tree, (spelling, category), columns, marked, further)


def _digits(data: bytes, starts: np.ndarray, ends: np.ndarray) -> np.ndarray:
    """The digits that these fields are; 10 or more for anything else."""
    buffer = np.frombuffer(data, dtype=np.uint8)
    return np.where(ends - starts == 1, buffer[starts] - np.uint8(ord("0")), 10)  # what is below 0 becomes large


def _fields(data: bytes, kinds: np.ndarray, layout: Layout) -> _Fields | None:
    """Divide the text at its blanks; None if brackets and fields do not follow each other as in trees."""
    inside = kinds == 0
    before, after = (np.r_[False, inside[:-1]], np.r_[inside[1:], False])
    starts, ends = np.flatnonzero(inside & ~before), np.flatnonzero(inside & ~after) + 1
    buffer = np.frombuffer(data + bytes(3), dtype=np.uint8)
    size = ends - starts
    opening = np.ndarray((len(data),), dtype="<u4", buffer=buffer, strides=(1,))[starts] & 0xFFFFFF
    is_node, is_leaf = (size == 3) & (opening == _NODE), (size == 3) & (opening == _LEAF)
    begins = np.flatnonzero(is_node | is_leaf)
    until = begins + 1 + np.where(is_node[begins], layout.node, layout.leaf)
    if not len(begins) or until[-1] > len(starts) or (until[:-1] > begins[1:]).any():
        return None
    covered = np.zeros(len(starts) + 1, dtype=np.int8)
    covered[begins] = 1
    covered[until] -= 1
    covered = np.cumsum(covered, dtype=np.int8)[:-1]
    other = np.flatnonzero(covered == 0)
    if (size[other] > 1).any() or (buffer[starts[other]] != ord(")")).any():
        return None
    covered[begins] = 0
    inner = np.flatnonzero(covered)  # each after one blank
    if (starts[inner] - ends[inner - 1] != 1).any() or (kinds[starts[inner] - 1] != _BLANK).any():
        return None
    last = until[is_node[begins]] - 1
    end = ends[until[is_leaf[begins]] - 1]
    if (buffer[ends[last] - 1] != ord(">")).any() or (size[until[is_leaf[begins]] - 1] < 3).any():
        return None
    if (buffer[end - 2] != ord(">")).any() or (buffer[end - 1] != ord(")")).any():
        return None
    step = np.full(len(starts), 2, dtype=np.int8)
    step[is_node], step[is_leaf], step[other] = 1, 0, -1
    taken = np.flatnonzero(step != 2)
    tree = preorder(step[taken])
    return None if tree is None else _Fields(starts, ends, taken[tree.place], tree)


def _tables(
    tree: Preorder, categories: tuple[Coded, Coded], columns: list[Coded], marked: np.ndarray, further: str
) -> Scanned:
    spelling, category = categories
    root = tree.parent < 0
    rows, line = np.flatnonzero(root), np.cumsum(root) - 1
    origin, begins = tree.before[rows][line], rows[line]
    start = tree.before - origin
    nodes = {
        "sentence": line,
        "node": np.arange(len(line)) - begins,
        "parent": np.where(root, -1, tree.parent - begins),
        "category": category,
        "start": start,
        "end": tree.until - origin,
        "head_daughter": marked,
        "spelling": spelling,
    }
    form, fine, other, annotated = columns
    tokens = {
        "sentence": line[tree.leaf], "position": start[tree.leaf] + 1, "form": form,
        "category": category.take(np.flatnonzero(tree.leaf)), "fine": fine, further: other, "annotated": annotated,
    }  # fmt: skip
    alone = tree.before[rows[tree.leaf[rows]]]
    single = sorted({form.values[code] for code in form.codes[alone].tolist()})
    return Scanned(Columns(nodes), Columns(tokens), (tree.until - tree.before)[rows], single)
