"""Trees with at most two daughters a node: outwards from the heads, with labels that remember their context."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pandas as pd

from analysis.constituents.heads import Coordination, head_daughter
from analysis.structures import DataError
from analysis.structures.derivation import NODE_COLUMNS, Derivations

INTERMEDIATE, ANCESTOR, CONTEXT = "@", "^", "~"


def binarised(
    trees: Derivations,
    *,
    vertical: int = 1,
    horizontal: int | None = None,
    tag_parents: bool = False,
    coordination: Coordination = "first",
) -> Derivations:
    """Binarise trees outwards from the head daughters, and annotate labels with ancestors and neighbours.

    Above the head daughter come first its right sisters, then its left ones, one a node. The label of such a node
    between is ``@``, the label of the whole, ``~``, the head daughter's label and the sisters attached so far.

    Parameters
    ----------
    trees : Derivations
        Phrase-structure trees, as of `analysis.corpora.bracketed_trees.read_bracketed_trees`, without function tags.
    vertical : int
        Order of vertical markovisation: 1 leaves labels as they are, 2 adds the parent's label, 3 the grandparent's.
    horizontal : int, optional
        Order of horizontal markovisation: how many sisters attached last, on the side of the last one, the label of a
        node between remembers; 0 leaves the side; None: all, of both sides.
    tag_parents : bool
        Whether tags have their parent's label too, if vertical is 2 or more.
    coordination : {"first", "table"}
        See `analysis.constituents.heads.head_daughter`.

    Returns
    -------
    Derivations
        ``head_daughter`` marks the heads.

    Raises
    ------
    DataError
        If a label begins with ``@``, or has ``^`` or ``~``.
    ValueError
        If an order is too small.

    References
    ----------
    Johnson (1998), PCFG models of linguistic tree representations; Klein & Manning (2003), Accurate unlexicalized
    parsing, section 2.

    Examples
    --------
    >>> from analysis.corpora.bracketed_trees import read_bracketed_trees
    >>> tree = read_bracketed_trees(b"(VP (VBZ eats) (NP (NN corn)) (PP (IN at) (NP (NN noon))))")
    >>> binarised(tree, vertical=2, horizontal=1).nodes["category"].tolist()[:4]
    ['VP^TOP', '@VP^TOP~VBZ>NP', 'VBZ', 'NP^VP']
    """
    if vertical < 1 or (horizontal is not None and horizontal < 0):
        raise ValueError(f"vertical must be at least 1 and horizontal at least 0; they are {vertical}, {horizontal}.")
    for label in pd.unique(trees.nodes["category"].astype("str")):
        if label.startswith(INTERMEDIATE) or ANCESTOR in label or CONTEXT in label:
            raise DataError(f"the label {label!r} cannot be annotated: '@', '^' and '~' are the marks of annotations.")
    rows: list[tuple] = []
    for sentence, labels, below, start, end in whole_trees(trees):
        rows += [(sentence, *row) for row in _binary(labels, below, start, end, vertical, horizontal, tag_parents,
                                                     coordination)]  # fmt: skip
    return with_nodes(trees, rows)


def flattened(trees: Derivations) -> Derivations:
    """Undo `binarised`: take out the nodes between, and the annotations of labels.

    Parameters
    ----------
    trees : Derivations

    Returns
    -------
    Derivations

    Examples
    --------
    >>> from analysis.corpora.bracketed_trees import read_bracketed_trees
    >>> tree = read_bracketed_trees(b"(VP (VBZ eats) (NP (NN corn)) (PP (IN at) (NP (NN noon))))")
    >>> flattened(binarised(tree, vertical=3)).nodes.equals(tree.nodes)
    True
    """
    nodes = trees.nodes
    label = nodes["category"].astype("str")
    between = label.str.startswith(INTERMEDIATE).to_numpy(dtype=bool)
    above = absolute_parents(nodes)
    while (skipped := (above >= 0) & between[above]).any():
        above[skipped] = above[above[skipped]]
    return chosen_nodes(trees, ~between, above, label.str.split(ANCESTOR, n=1).str[0])


def simple_label(label: str) -> str:
    """The label without its annotations; of a node between, that of the whole.

    Examples
    --------
    >>> simple_label("@VP^S~VBZ>NP"), simple_label("NP^S")
    ('VP', 'NP')
    """
    return label.removeprefix(INTERMEDIATE).split(CONTEXT)[0].split(ANCESTOR)[0]


def absolute_parents(nodes: pd.DataFrame) -> np.ndarray:
    """Row of each node's parent in the table, -1 at the top."""
    parent, node = (nodes[name].to_numpy(dtype=np.int64) for name in ("parent", "node"))
    return np.where(parent >= 0, np.arange(len(nodes)) - node + parent, -1)


def chosen_nodes(trees: Derivations, chosen: np.ndarray, above: np.ndarray, label: pd.Series) -> Derivations:
    """Trees with the chosen nodes only; ``above`` has the row of the parent of each, which is chosen too."""
    nodes = trees.nodes.assign(category=label.to_numpy())[chosen].reset_index(drop=True)
    place = np.cumsum(chosen) - 1
    sentence = nodes["sentence"].to_numpy(dtype=np.int64)
    node = np.arange(len(nodes)) - np.searchsorted(sentence, sentence)
    parent = above[chosen]
    parent = np.where(parent >= 0, node[place[parent]], -1)
    leaf = (nodes["rule"].astype("str") == "lex").to_numpy(dtype=bool)
    nodes = nodes.assign(node=node, parent=parent, head_daughter=np.where(leaf, -1, 0))
    nodes["rule"] = np.where(leaf, "lex", "phrase")
    return Derivations(_typed(nodes), _tagged(trees.tokens, nodes, leaf), trees.sentences, trees.incidents)


def with_nodes(trees: Derivations, rows: Sequence[tuple]) -> Derivations:
    """The same sentences with other nodes."""
    nodes = _typed(pd.DataFrame(rows, columns=list(NODE_COLUMNS)))
    leaf = (nodes["rule"] == "lex").to_numpy(dtype=bool)
    return Derivations(nodes, _tagged(trees.tokens, nodes, leaf), trees.sentences, trees.incidents)


def whole_trees(trees: Derivations) -> Iterator[tuple[int, list[str], list[list[int]], list[int], list[int]]]:
    """Of each sentence with a tree: its number; labels, daughters, start and end of the nodes."""
    nodes = trees.nodes
    sentence = nodes["sentence"].to_numpy(dtype=np.int64)
    bounds = np.flatnonzero(np.r_[True, sentence[1:] != sentence[:-1], True]) if len(nodes) else np.zeros(1, int)
    columns = [nodes["category"].astype("str").tolist(), *(nodes[name].tolist() for name in ("parent", "start", "end"))]
    for first, stop in zip(bounds[:-1].tolist(), bounds[1:].tolist(), strict=True):
        labels, parents, start, end = (column[first:stop] for column in columns)
        below: list[list[int]] = [[] for _ in labels]
        for number, parent in enumerate(parents):
            if parent >= 0:
                below[parent].append(number)
        yield int(sentence[first]), labels, below, start, end


def _typed(nodes: pd.DataFrame) -> pd.DataFrame:
    kinds = {name: "str" if name in ("category", "rule") else "int64" for name in NODE_COLUMNS}
    return nodes[list(NODE_COLUMNS)].astype(kinds)


def _tagged(tokens: pd.DataFrame, nodes: pd.DataFrame, leaf: np.ndarray) -> pd.DataFrame:
    return tokens.assign(category=nodes["category"].astype("str").to_numpy()[leaf])


def _binary(
    labels: Sequence[str],
    below: Sequence[Sequence[int]],
    start: Sequence[int],
    end: Sequence[int],
    vertical: int,
    horizontal: int | None,
    tag_parents: bool,
    coordination: Coordination,
) -> list[tuple]:
    """The rows of the binarised tree of one sentence, without the number of the sentence."""
    rows: list[tuple] = []
    # a node (its number, its ancestors' labels) or, with lowest and highest daughter, what is left of it
    waiting: list[tuple[int, tuple[str, ...], Any, int]] = [(0, ("TOP",), None, -1)]
    heads: dict[int, int] = {}
    while waiting:
        node, above, part, parent = waiting.pop()
        daughters, row = below[node], len(rows)
        if not daughters:
            annotated = vertical > 1 and tag_parents
            name = ANCESTOR.join((labels[node], *above[: annotated * 1]))
            rows.append((row, parent, name, "lex", start[node], end[node], -1))
            continue
        if part is None:
            heads[node] = head_daughter(labels[node], [labels[one] for one in daughters], coordination=coordination)
            part = (0, len(daughters) - 1)
        low, high = part
        head = heads[node]
        name = ANCESTOR.join((labels[node], *above[: vertical - 1]))
        if (low, high) != (0, len(daughters) - 1):
            inside = [labels[one] for one in daughters[low : high + 1]]
            name = f"{INTERMEDIATE}{name}{CONTEXT}{_context(inside, head - low, horizontal)}"
        context = (labels[node], *above)

        def remaining(one: int, other: int, node: int = node, above: tuple = above, context: tuple = context) -> tuple:
            alone = one == other
            return (below[node][one], context, None) if alone else (node, above, (one, other))

        if low == high:
            parts = [remaining(low, high)]
        elif low < head:
            parts = [(daughters[low], context, None), remaining(low + 1, high)]
        else:
            parts = [remaining(low, high - 1), (daughters[high], context, None)]
        rows.append((row, parent, name, "phrase", start[daughters[low]], end[daughters[high]], int(low < head)))
        waiting += [(*one, row) for one in reversed(parts)]
    return rows


def _context(inside: Sequence[str], head: int, horizontal: int | None) -> str:
    """The head's label and its sisters, the last attached first; of a part of the daughters, the head at an index."""
    left, right = list(inside[:head]), list(inside[:head:-1])
    if horizontal == 0:
        return inside[head] + ("<" if left else ">")
    if horizontal is not None:
        left, right = left[:horizontal], [] if left else right[:horizontal]
    return inside[head] + "".join(f"<{label}" for label in left) + "".join(f">{label}" for label in right)
