"""Read phrase-structure trees in Penn brackets.

With ``strict=False`` a tree with a defect is left out, and reading continues with the next line that begins with a
bracket. If most trees do not begin at the start of a line, a defect is always an error.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Protocol, TypeVar

import numpy as np

from analysis.corpora.bracket_scan import scanned_trees
from analysis.corpora.opening import Source, Text, open_text
from analysis.structures import DataError, Incident
from analysis.structures.columns import Coded, Columns
from analysis.structures.derivation import FAILED, NODE_COLUMNS, PARSED, Derivations
from analysis.structures.incidents import quoted

_TOKEN = re.compile(r"[()]|[^\s()]+")
ADVICE = "Give strict=False to leave such trees out and list the incidents."

#: Lines with their numbers.
Numbered = list[tuple[int, str]]


def read_bracketed_trees(
    source: Source, *, strict: bool = True, encoding: str | None = None, by_line: bool = False
) -> Derivations:
    """Read phrase-structure trees in Penn brackets, for Parseval; nodes may have any number of daughters.

    The nodes table has only the rules ``lex`` and ``phrase``; ``head_daughter`` is 0. An outer bracket without a label
    is left out. Part-of-speech tags are the categories of the leaves.

    Parameters
    ----------
    source : path, text, or another source of `analysis.corpora.opening.open_text`
    strict : bool
        Whether the first defect raises an error (default); else a tree with a defect becomes a sentence with the status
        ``failed``, and the defects are listed.
    encoding : str, optional
    by_line : bool
        Whether each line is a sentence, as parsers write them: an empty line, or brackets without a word, such as
        ``(())``, is a sentence whose status is ``failed``. By default a tree may take several lines.

    Returns
    -------
    Derivations

    Raises
    ------
    DataError
        If the brackets do not match, or a word has no tag, and ``strict``; or if there is no tree.

    Examples
    --------
    >>> trees = read_bracketed_trees(b"( (S (NP (NN dogs)) (VP (VBP bark))) )")
    >>> trees.nodes[["category", "rule", "start", "end"]].values.tolist()[:2]
    [['S', 'phrase', 0, 2], ['NP', 'phrase', 0, 1]]
    """
    opened = open_text(source, encoding=encoding)
    incidents = list(opened.incidents)
    scanned = scanned_trees(opened.data, by_line=by_line)
    if scanned is not None:
        return Derivations(*scanned, incidents)
    if by_line:
        trees = _read_lines(opened, incidents, strict)
    else:
        trees = read_trees(opened, lambda: _Trees(opened.name), incidents, strict)
    if not trees.rows:
        nothing = Incident(opened.name, 0, "empty", "the file has no tree", "", "(S (NP (NN dogs)) ...)")
        raise DataError(nothing, gathered=incidents)
    tables = (
        (trees.rows, NODE_COLUMNS),
        (trees.tokens, ("sentence", "position", "form", "category")),
        (trees.sentences, ("sentence", "id", "status", "words", "line")),
    )
    nodes, tokens, sentences = (_table(rows, names) for rows, names in tables)
    return Derivations(nodes, tokens, sentences, incidents)


def _table(rows: Sequence[Sequence], names: Iterable[str]) -> Columns:
    """Rows, at least one, as columns of text and of whole numbers."""
    columns = zip(names, zip(*rows, strict=True), strict=True)
    return Columns(
        {name: Coded.of(column) if isinstance(column[0], str) else np.array(column) for name, column in columns}
    )


def tree_a_line(source: Text) -> bool:
    r"""Whether each line that is not empty is whole trees, and at least one is.

    Examples
    --------
    >>> [tree_a_line(open_text(text)) for text in (b"(S (A a))\n\n(S (B b))", b"(S\n (A a))")]
    [True, False]
    """
    lines = [line for line in source.lines() if line.strip()]
    return bool(lines) and all(line.count("(") == line.count(")") for line in lines)


def _read_lines(text: Text, incidents: list[Incident], strict: bool) -> "_Trees":
    trees = _Trees(text.name)
    for number, line in enumerate(text.lines(), start=1):
        before = len(trees.sentences)
        if not line.strip("() \t\r\n"):
            trees.leave_out(number)
            continue
        try:
            trees.read([(number, line)])
        except DataError as error:
            if strict or error.incident is None:
                raise
            incidents.append(error.incident)
            del trees.sentences[before:]
            trees.leave_out(number)
        if len(trees.sentences) - before > 1:
            several = f"the line has {len(trees.sentences) - before} trees"
            raise DataError(Incident(text.name, number, "several trees", several, line, "one tree per line"))
    return trees


class Trees(Protocol):
    """Collector of the trees of a file."""

    def read(self, lines: Numbered) -> None:
        """Read lines of whole trees; a `DataError` at the first defect."""

    def leave_out(self, line: int) -> None:
        """Remove the part read of a tree with a defect, which began in this line."""


_Collected = TypeVar("_Collected", bound=Trees)


def read_trees(text: Text, new: Callable[[], _Collected], incidents: list[Incident], strict: bool) -> _Collected:
    """Read the trees of a file; if not strict and a tree has a defect, one by one.

    Parameters
    ----------
    text : Text
    new : function
        Makes an empty collector of trees.
    incidents : list of Incident
        List to which defects are appended.
    strict : bool

    Raises
    ------
    DataError
        At the first defect if strict, or if most lines that begin with a bracket do not begin a complete tree.
    """
    lines = list(enumerate(text.lines(), start=1))
    trees = new()
    try:
        trees.read(lines)
        return trees
    except DataError as error:
        first = error.incident
    assert first is not None
    blocks: list[Numbered] = []
    for number, line in lines:
        if line.startswith("(") or not blocks:
            blocks.append([])
        blocks[-1].append((number, line))
    whole = sum(sum(line.count("(") - line.count(")") for _, line in block) == 0 for block in blocks)
    if strict or 2 * whole <= len(blocks):
        raise DataError(first, ADVICE if strict else "")
    trees = new()
    for block in blocks:
        try:
            trees.read(block)
        except DataError as error:
            assert error.incident is not None
            incidents.append(error.incident)
            trees.leave_out(block[0][0])
    return trees


class _Trees:
    """Rows of the trees of a file."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.rows: list[list] = []  # sentence, node, parent, category, rule, start, end, head daughter
        self.tokens: list[tuple] = []
        self.sentences: list[tuple] = []

    def leave_out(self, line: int) -> None:
        number = len(self.sentences)
        while self.rows and self.rows[-1][0] == number:
            self.rows.pop()
        while self.tokens and self.tokens[-1][0] == number:
            self.tokens.pop()
        self.sentences.append((number, str(number), FAILED, 0, line))

    def read(self, lines: Numbered) -> None:
        rows, tokens, sentences = self.rows, self.tokens, self.sentences
        stack: list[int] = []  # rows of the open brackets; -1 for an outer bracket without a label
        fresh = False  # a bracket was just opened; its label follows
        first = line = words = begin = 0
        text = opening = ""

        def error(kind: str, found: str, expected: str) -> DataError:
            return DataError(Incident(self.name, line, kind, found, text, expected))

        for line, text in lines:  # read in case of an error
            for token in _TOKEN.findall(text):
                if token == "(":
                    if not stack:
                        first, words, begin, opening = len(rows), 0, line, text
                    elif fresh:
                        if len(stack) > 1 or len(rows) > first:
                            raise error("no label", "a bracket has no label", "a category after '('")
                        stack[-1] = -1
                    elif stack[-1] >= 0 and rows[stack[-1]][4] == "lex":
                        raise error("brackets", "a bracket opens after a word", "')'")
                    stack.append(-2)
                    fresh = True
                elif token == ")":
                    if not stack:
                        raise error("brackets", "a closing bracket has no opening bracket", "'(' before it")
                    node = stack.pop()
                    if fresh or (node >= 0 and rows[node][6] < 0):
                        raise error("no word", "a bracket contains neither a word nor brackets", "a word")
                    fresh = False
                    if node >= 0 and rows[node][2] >= 0:
                        rows[first + rows[node][2]][6] = words
                    if not stack and len(rows) > first:
                        sentences.append((len(sentences), str(len(sentences)), PARSED, words, begin))
                elif not stack:
                    raise error("brackets", f"{quoted(token)} is outside of brackets", "'('")
                elif fresh:
                    parent = -1 if len(stack) < 2 else stack[-2]
                    number = len(rows) - first
                    if parent < 0 and number:
                        raise error("brackets", "an outer bracket without a label contains two trees", "one tree")
                    above = parent - first if parent >= 0 else -1
                    stack[-1] = len(rows)
                    rows.append([len(sentences), number, above, token, "phrase", words, -1, 0])
                    fresh = False
                else:
                    row = rows[stack[-1]] if stack[-1] >= 0 else None
                    if row is None or row[6] >= 0 or row[1] != len(rows) - first - 1:
                        raise error(
                            "no tag", f"the word {quoted(token)} has no bracket of its own", f"(TAG {token[:40]})"
                        )
                    words += 1
                    row[4], row[6], row[7] = "lex", words, -1
                    tokens.append((len(sentences), words, token, row[3]))
        if stack:
            line, text = begin, opening
            raise error("brackets", f"{len(stack)} brackets are not closed", "as many ')' as '('")
