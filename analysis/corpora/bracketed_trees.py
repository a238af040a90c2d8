"""Read phrase-structure trees in Penn brackets."""

import re
from collections.abc import Iterator
from typing import Any

import pandas as pd

from analysis.corpora.conll_reading import Source, _decoded
from analysis.structures import DataError, Incident
from analysis.structures.derivation import PARSED, Derivations


def read_bracketed_trees(source: Source, *, encoding: str = "utf-8") -> Derivations:
    """Read phrase-structure trees in Penn brackets, for Parseval; nodes may have any number of daughters.

    The nodes table has no rules but ``lex`` and ``phrase``, ``head_daughter`` is 0. A tree's outer bracket without a
    label is left out. Part-of-speech tags are the leaves' categories.

    Raises
    ------
    DataError
        If the brackets do not match.

    Examples
    --------
    >>> trees = read_bracketed_trees(b"( (S (NP (NN dogs)) (VP (VBP bark))) )")
    >>> trees.nodes[["category", "rule", "start", "end"]].values.tolist()[:2]
    [['S', 'phrase', 0, 2], ['NP', 'phrase', 0, 1]]
    """
    from nltk import Tree

    name, data, _ = _decoded(source, encoding, True)
    rows: list[list] = []
    tokens: list[tuple] = []
    sentences: list[tuple] = []
    for sentence, text in enumerate(_bracketed(data.decode("utf-8"))):
        try:
            tree: Any = Tree.fromstring(text, remove_empty_top_bracketing=True)
        except (ValueError, RecursionError) as error:
            incident = Incident(name, 0, "brackets", f"tree {sentence + 1} cannot be read: {error}", text[:200])
            raise DataError(incident) from None
        words, first = 0, len(rows)
        stack: list[tuple[Any, int]] = [(tree, -1)]
        while stack:
            node, parent = stack.pop()
            leaf = len(node) == 1 and isinstance(node[0], str)
            number = len(rows) - first
            rows.append([sentence, number, parent, node.label(), "lex" if leaf else "phrase", words, words + leaf, 0])
            if leaf:
                words += 1
                tokens.append((sentence, words, node[0], node.label()))
                rows[-1][7] = -1
            else:
                stack += [(daughter, number) for daughter in reversed(node)]
        for row in reversed(rows[first + 1 :]):
            above = rows[first + row[2]]
            above[6] = max(above[6], row[6])
        sentences.append((sentence, str(sentence), PARSED, words))
    if not sentences:
        raise DataError(Incident(name, 0, "empty", "the file has no tree", "", "(S (NP (NN dogs)) ...)"))
    nodes = pd.DataFrame(
        rows, columns=["sentence", "node", "parent", "category", "rule", "start", "end", "head_daughter"]
    )
    return Derivations(
        nodes,
        pd.DataFrame(tokens, columns=["sentence", "position", "form", "category"]),
        pd.DataFrame(sentences, columns=["sentence", "id", "status", "words"]),
    )


def _bracketed(text: str) -> Iterator[str]:
    """The texts of the trees: a tree ends where as many brackets are closed as opened."""
    depth, start = 0, 0
    for match in re.finditer(r"[()]", text):
        if match.group() == "(":
            if depth == 0:
                start = match.start()
            depth += 1
        else:
            depth -= 1
            if depth == 0:
                yield text[start : match.end()]
    if depth > 0:
        yield text[start:]
