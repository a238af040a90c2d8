"""Read bracketed trees of the Penn Treebank into a tokens table and a table of constituents.

A word is a bracket with a tag and a word, ``(NN duck)``. Empty categories (``(-NONE- *T*-1)``) are not words; a
constituent that contains nothing else is left out. A label such as ``NP-SBJ-1`` is the category ``NP`` with the
function tag ``SBJ``; indices are left out. The outer brackets without a label are left out too.
"""

import re
from pathlib import Path
from typing import NamedTuple

import pandas as pd

from analysis.corpora.bracketed_trees import Numbered, read_trees
from analysis.corpora.opening import Source, Text, corpus_texts, decoded, open_text
from analysis.structures import DataError, Incident, incidents_table
from analysis.structures.derivation import FAILED, NODE_COLUMNS, PARSED, Derivations
from analysis.structures.incidents import FolderName, quoted

_TOKEN = re.compile(r"[()]|[^\s()]+")


class BracketedTrees(NamedTuple):
    """Trees as tables.

    Attributes
    ----------
    tokens : DataFrame
        ``sentence`` (from 0), ``position`` (from 1), ``form``, ``fine``.
    constituents : DataFrame
        One row per constituent above the words: ``sentence``; ``node`` (from 0 in each sentence, a parent before its
        daughters); ``parent`` (node, -1 at the top); ``label`` (category); ``functions`` (function tags joined by
        ``-``, often empty); ``start`` and ``end``: it covers the words at positions start + 1 to end.
    sentences : DataFrame
        ``sentence``, ``file``, ``line`` of its first bracket, ``words`` (0 if it was left out).
    incidents : DataFrame
        One row per defect: ``file``, ``line``, ``kind``, ``found``, ``text``, ``expected``.
    """

    tokens: pd.DataFrame
    constituents: pd.DataFrame
    sentences: pd.DataFrame
    incidents: pd.DataFrame


def read_penn_trees(
    source: Source, *, name: str = "", strict: bool = True, encoding: str | None = None
) -> BracketedTrees:
    """Read bracketed trees.

    Parameters
    ----------
    source : path, text, or what else `analysis.corpora.opening.open_text` takes
        A file of trees, or a folder or archive of such files (those that end in ``.mrg``, if there are any, or all, if
        they are of one ending), read in the order of their names; a string with a bracket in it is the text itself.
    name : str
        Name of a text in error messages; a file is named by its path.
    strict : bool
        Whether the first defect raises an error (default); else a tree with a defect is left out, keeps its number as a
        sentence, and is listed (as in `analysis.corpora.bracketed_trees`).
    encoding : str, optional

    Returns
    -------
    BracketedTrees

    Raises
    ------
    DataError
        If strict and brackets do not match, a word has no tag, or a constituent has no label (with file, line and
        text); or if there is no tree.

    References
    ----------
    Marcus, Santorini & Marcinkiewicz (1993).

    Examples
    --------
    >>> trees = read_penn_trees("( (S (NP-SBJ (DT the) (NN duck)) (VP (VBZ swims) (NP (-NONE- *)))))")
    >>> trees.tokens
       sentence  position   form fine
    0         0         1    the   DT
    1         0         2   duck   NN
    2         0         3  swims  VBZ
    >>> trees.constituents
       sentence  node  parent label functions  start  end
    0         0     0      -1     S                0    3
    1         0     1       0    NP       SBJ      0    2
    2         0     2       0    VP                2    3
    """
    trees = _Trees()
    incidents: list[Incident] = []
    for text in _texts(source, name, encoding, incidents):
        trees.name, trees.kept = text.name, tuple(map(len, trees.tables))
        read_trees(text, trees.begun, incidents, strict)
    if not trees.words:
        nothing = Incident(name or str(source), 0, "empty", "there is no tree", "", "(S (NP (DT the) (NN duck)))")
        raise DataError(nothing, gathered=incidents)
    return BracketedTrees(
        pd.DataFrame(trees.words, columns=["sentence", "position", "form", "fine"]),
        pd.DataFrame(trees.nodes, columns=["sentence", "node", "parent", "label", "functions", "start", "end"]),
        pd.DataFrame(trees.sentences, columns=["sentence", "file", "line", "words"]),
        incidents_table(incidents),
    )


def read_penn_sample() -> BracketedTrees:
    """Read the bracketed trees of nltk's Penn Treebank sample; the sentences are those of ``nltk-dependency-treebank``.

    Raises
    ------
    NotAtHandError
        If the data set ``nltk-treebank`` is not available; the message says what to do.
    """
    from analysis.corpora.catalogue import locate

    return read_penn_trees(locate("nltk-treebank")[0])


def as_derivations(trees: BracketedTrees) -> Derivations:
    """The trees as `analysis.corpora.bracketed_trees.read_bracketed_trees` returns trees, for parsers and Parseval.

    Function tags are left out, as are empty elements. A sentence that was left out has the status ``failed``.

    Parameters
    ----------
    trees : BracketedTrees

    Returns
    -------
    Derivations

    Raises
    ------
    DataError
        If the words of a sentence are not all in one constituent.

    Examples
    --------
    >>> as_derivations(read_penn_trees("( (S (NP-SBJ (NNS ducks)) (VP (VBP swim) (NP (-NONE- *)))))")).tree(0)
    (S (NP (NNS ducks)) (VP (VBP swim)))
    """
    words, nodes = trees.tokens, trees.constituents
    place = words["position"]
    leaves = pd.DataFrame({"sentence": words["sentence"], "node": len(nodes) + place, "label": words["fine"],
                           "start": place - 1, "end": place})  # fmt: skip
    both = pd.concat([nodes[list(leaves.columns)].assign(rule="phrase"), leaves.assign(rule="lex")], ignore_index=True)
    both = both.assign(width=both["start"] - both["end"])  # the wider first, then what is higher in the tree
    both = both.sort_values(["sentence", "start", "width", "node"], kind="stable").reset_index(drop=True)
    parents: list[int] = []
    path: list[tuple[int, int]] = []  # number and end of the open constituents
    before = number = -1
    for sentence, end, rule in both[["sentence", "end", "rule"]].itertuples(index=False, name=None):
        number = number + 1 if sentence == before else 0
        path = [one for one in path if one[1] >= end] if number else []
        if number and not path:
            raise DataError(f"the words of sentence {sentence} are not all in one constituent.")
        parents.append(path[-1][0] if path else -1)
        if rule == "phrase":
            path.append((number, end))
        before = sentence
    first = both["sentence"].searchsorted(both["sentence"])
    table = both.assign(node=range(len(both)), parent=parents, category=both["label"].astype("str"))
    table = table.assign(node=table["node"] - first, head_daughter=table["rule"].eq("phrase").astype("int64") - 1)
    kinds = {name: "str" if name in ("category", "rule") else "int64" for name in NODE_COLUMNS}
    sentences = trees.sentences.assign(
        id=trees.sentences["sentence"].astype("str"),
        status=trees.sentences["words"].gt(0).map({True: PARSED, False: FAILED}),
    )
    return Derivations(
        table[list(NODE_COLUMNS)].astype(kinds),
        words.rename(columns={"fine": "category"}).astype({"form": "str", "category": "str"}),
        sentences[["sentence", "id", "status", "words", "line", "file"]],
        trees.incidents,
    )


def _texts(source: Source, name: str, encoding: str | None, left: list[Incident]) -> list[Text]:
    if isinstance(source, str) and "(" in source:
        return [Text(name or "text", decoded(name or "text", source.encode("utf-8", "surrogatepass"), "utf-8"))]
    text = open_text(source, encoding=encoding)
    if not isinstance(text.name, FolderName):
        left += text.incidents
        return [text]
    assert isinstance(source, str | Path)
    texts = corpus_texts(Path(source), encoding=encoding, left=left)
    return [Text(Path(text.name).name, text.data) for text in texts]


class _Trees:
    """Rows of the trees of several files."""

    def __init__(self) -> None:
        self.name = ""
        self.words: list[tuple] = []
        self.nodes: list[tuple] = []
        self.sentences: list[tuple] = []
        self.kept: tuple[int, ...] = (0, 0, 0)  # rows of earlier files

    @property
    def tables(self) -> tuple[list, list, list]:
        return self.words, self.nodes, self.sentences

    def begun(self) -> "_Trees":
        """Discard what has been read of this file."""
        for table, rows in zip(self.tables, self.kept, strict=True):
            del table[rows:]
        return self

    def leave_out(self, line: int) -> None:
        self.sentences.append((len(self.sentences), self.name, line, 0))

    def read(self, lines: Numbered) -> None:
        """Read the trees, each from its first bracket to the matching one."""
        stack: list[list] = []  # open brackets: label, line, node number, word, number of the parent node
        own_words: list[tuple] = []
        own_nodes: list[list] = []
        begin = 0
        texts = dict(lines)

        def error(line: int, kind: str, found: str, expected: str) -> DataError:
            return DataError(Incident(self.name, line, kind, found, texts[line], expected))

        for number, line in lines:
            for token in _TOKEN.findall(line):
                if token == "(":
                    if not stack:
                        begin, own_words, own_nodes = number, [], []
                    elif stack[-1][3]:
                        raise error(number, "bracket", f"a bracket opens after the word {quoted(stack[-1][3])}", "')'")
                    elif stack[-1][0] and stack[-1][2] is None:
                        stack[-1][2] = len(own_nodes)
                        own_nodes.append([stack[-1][4], stack[-1][0], len(own_words), -1])
                    around = -1 if not stack else stack[-1][4] if stack[-1][2] is None else stack[-1][2]
                    stack.append(["", number, None, "", around])
                elif token == ")":
                    if not stack:
                        raise error(number, "bracket", "a closing bracket has no opening bracket", "'(' before it")
                    label, opened, node, form, _ = stack.pop()
                    if form:
                        if label != "-NONE-":
                            own_words.append((form, label))
                    elif node is not None:
                        own_nodes[node][3] = len(own_words)
                    elif label:
                        raise error(opened, "no word", f"the bracket {label} has neither a word nor brackets", "a word")
                    if not stack and own_words:
                        self.add(own_words, own_nodes, begin)
                elif not stack:
                    raise error(number, "no bracket", f"{quoted(token)} is outside of brackets", "'('")
                elif not stack[-1][0] and stack[-1][2] is None:
                    stack[-1][0] = token
                elif stack[-1][2] is not None or stack[-1][3]:
                    raise error(
                        number, "no tag", f"the word {quoted(token)} has no bracket of its own", f"(TAG {token[:40]})"
                    )
                else:
                    stack[-1][3] = token
        if stack:
            raise error(begin, "bracket", f"{len(stack)} brackets are not closed", "as many ')' as '('")

    def add(self, own_words: list[tuple], own_nodes: list[list], line: int) -> None:
        """Add a tree whose first bracket is in this line, without the constituents that have no word."""
        sentence = len(self.sentences)
        self.sentences.append((sentence, self.name, line, len(own_words)))
        self.words += [(sentence, position, form, tag) for position, (form, tag) in enumerate(own_words, start=1)]
        number: dict[int, int] = {-1: -1}
        for old, (parent, text, start, end) in enumerate(own_nodes):
            if start == end:
                continue
            number[old] = len(number) - 1
            label, functions = _parts(text)
            self.nodes.append((sentence, number[old], number[parent], label, functions, start, end))


def _parts(label: str) -> tuple[str, str]:
    """Split a label into category and function tags.

    Examples
    --------
    >>> _parts("NP-SBJ-1"), _parts("S-TPC-2=3"), _parts("ADVP|PRT")
    (('NP', 'SBJ'), ('S', 'TPC'), ('ADVP|PRT', ''))
    """
    category, *others = label.split("=")[0].split("-")
    return category or label, "-".join(part for part in others if part and not part.isdigit())
