"""Read phrase-structure trees in Penn brackets."""

import re

import pandas as pd

from analysis.corpora.opening import Source, open_text
from analysis.structures import DataError, Incident, incidents_table
from analysis.structures.derivation import PARSED, Derivations
from analysis.structures.incidents import quoted

_TOKEN = re.compile(r"[()]|[^\s()]+")


def read_bracketed_trees(source: Source, *, encoding: str | None = None) -> Derivations:
    """Read phrase-structure trees in Penn brackets, for Parseval; nodes may have any number of daughters.

    The nodes table has no rules but ``lex`` and ``phrase``, ``head_daughter`` is 0. A tree's outer bracket without a
    label is left out. Part-of-speech tags are the leaves' categories.

    Raises
    ------
    DataError
        If the brackets do not match, a word has no tag, or there is no tree.

    Examples
    --------
    >>> trees = read_bracketed_trees(b"( (S (NP (NN dogs)) (VP (VBP bark))) )")
    >>> trees.nodes[["category", "rule", "start", "end"]].values.tolist()[:2]
    [['S', 'phrase', 0, 2], ['NP', 'phrase', 0, 1]]
    """
    opened = open_text(source, encoding=encoding)
    rows: list[list] = []  # sentence, node, parent, category, rule, start, end, head daughter
    tokens: list[tuple] = []
    sentences: list[tuple] = []
    stack: list[int] = []  # rows of the open brackets; -1 for an outer bracket without a label
    fresh = False  # a bracket has just been opened, and what follows is its label
    first = line = words = begin = 0

    def error(kind: str, found: str, expected: str) -> DataError:
        return DataError(Incident(opened.name, line, kind, found, text, expected))

    for line, text in enumerate(opened.lines(), start=1):  # read by error
        for token in _TOKEN.findall(text):
            if token == "(":
                if not stack:
                    first, words, begin = len(rows), 0, line
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
                    raise error("brackets", "a bracket closes that none opened", "'(' before it")
                node = stack.pop()
                if fresh or (node >= 0 and rows[node][6] < 0):
                    raise error("no word", "a bracket has neither word nor brackets", "a word")
                fresh = False
                if node >= 0 and rows[node][2] >= 0:
                    rows[first + rows[node][2]][6] = words
                if not stack and len(rows) > first:
                    sentences.append((len(sentences), str(len(sentences)), PARSED, words, begin))
            elif not stack:
                raise error("brackets", f"{quoted(token)} stands outside of brackets", "'('")
            elif fresh:
                parent = -1 if len(stack) < 2 else stack[-2]
                number = len(rows) - first
                if parent < 0 and number:
                    raise error("brackets", "an outer bracket without a label has two trees in it", "one tree")
                above = parent - first if parent >= 0 else -1
                stack[-1] = len(rows)
                rows.append([len(sentences), number, above, token, "phrase", words, -1, 0])
                fresh = False
            else:
                row = rows[stack[-1]] if stack[-1] >= 0 else None
                if row is None or row[6] >= 0 or row[1] != len(rows) - first - 1:
                    raise error("no tag", f"the word {quoted(token)} has no bracket of its own", f"(TAG {token[:40]})")
                words += 1
                row[4], row[6], row[7] = "lex", words, -1
                tokens.append((len(sentences), words, token, row[3]))
    if stack:
        line, text = begin, opened.lines()[begin - 1]
        raise error("brackets", f"{len(stack)} brackets are not closed", "as many ')' as '('")
    if not sentences:
        raise DataError(Incident(opened.name, 0, "empty", "the file has no tree", "", "(S (NP (NN dogs)) ...)"))
    nodes = pd.DataFrame(
        rows, columns=["sentence", "node", "parent", "category", "rule", "start", "end", "head_daughter"]
    )
    return Derivations(
        nodes,
        pd.DataFrame(tokens, columns=["sentence", "position", "form", "category"]),
        pd.DataFrame(sentences, columns=["sentence", "id", "status", "words", "line"]),
        incidents_table(opened.incidents),
    )
