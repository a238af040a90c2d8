r"""Read and write CCG derivations in the AUTO format of CCGbank.

An AUTO file has a line for each sentence, with or without an ``ID=`` line before it. Nodes are
``(<T category head daughters> ...)``, leaves ``(<L category tag tag word category>)``; the leaf's last field is its
category with head indices. Words may contain brackets, so the reader does not rely on counting them. The head field is
0 (left) or 1 (right); in a node with one daughter it has no meaning and may be 1.

Variants of other programs are read too: ``#ID=`` lines (the Chinese CCGbank); comments that begin with ``#`` and a
header of such lines and blank lines (C&C); trees over several lines; the extended form of depccg and EasyCCG, with
nodes ``(<T category rule head daughters> ...)`` and leaves ``(<L category word lemma tag entity chunk category>)``;
several parses with one ID (the first is used), and lines with a score.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from os import PathLike
from pathlib import Path, PurePosixPath
from typing import Any, NamedTuple

import numpy as np

from analysis.corpora.auto_scan import EXTENDED, PLAIN, Layout, Scanned, scanned_derivations
from analysis.corpora.opening import Source, Text, contents, decoded, open_text, write_text
from analysis.structures import DataError, Incident
from analysis.structures.ccg_category import parse_category
from analysis.structures.ccg_rules import binary_rule, unary_rule
from analysis.structures.columns import Coded, Column, Columns, numbers_of
from analysis.structures.derivation import FAILED, PARSED, Derivations, daughter_rows, join
from analysis.structures.incidents import line_named, quoted
from analysis.structures.labels import number_codes, shared_codes, value_codes
from analysis.structures.lazy import pd

_ADVICE = "Give strict=False to keep what can be kept and list such incidents."


class _Dialect(NamedTuple):
    """Format of nodes and leaves, and the meaning of their fields."""

    node: re.Pattern[str]
    leaf: re.Pattern[str]
    node_fields: tuple[str, ...]
    leaf_fields: tuple[str, ...]
    layout: Layout
    further: str


_PLAIN = _Dialect(
    re.compile(r"\(<T (?P<category>\S+) (?P<head>\S+) (?P<daughters>\S+?)>(?=[\s()]|$)"),
    re.compile(
        r"\(<L (?P<category>\S+) (?P<fine>\S+) (?P<original>\S+) (?P<word>\S+) (?P<annotated>\S+?)>\)(?=[\s()]|$)"
    ),
    ("category", "head", "number of daughters"),
    ("category", "tag", "tag", "word", "category"),
    PLAIN,
    "fine_original",
)
_EXTENDED = _Dialect(
    re.compile(r"\(<T (?P<category>\S+) \S+ (?P<head>\S+) (?P<daughters>\S+?)>(?=[\s()]|$)"),
    re.compile(
        r"\(<L (?P<category>\S+) (?P<word>\S+) (?P<lemma>\S+) (?P<fine>\S+) \S+ \S+ (?P<annotated>\S+?)>\)(?=[\s()]|$)"
    ),
    ("category", "rule", "head", "number of daughters"),
    ("category", "word", "lemma", "tag", "entity", "chunk", "category"),
    EXTENDED,
    "lemma",
)
_ANY_LEAF = re.compile(r"\(<L (?:\S+ ){2,6}?\S+?>\)(?=[\s()]|$)")
_OPENING = re.compile(r"\(<[TL]")
_END = re.compile(r">\)?(?=[\s()]|$)")
_BLANK = re.compile(r"\s*")
_FAILED = re.compile(
    r"\W*((parse(r)? )?(failed|failure|fail|no ?parse|skimmed|none|null)|\(\s*\)|\(<[TL]\s*>\s*\))\W*", re.I
)
_FAILED_WORD = re.compile(r"\W*(failed|fail|no ?parse)\W*", re.I)
_ID = re.compile(r"#?ID=")
_SCORE = re.compile(
    r"(?:#\s*)?(?:score|log[ _-]?prob(?:ability)?|probability|weight)?\s*[:=]?\s*[-+]?\d+(?:\.\d+)?(?:e[-+]?\d+)?", re.I
)
_UNIT_ESCAPES = (("\\<", "<"), ("\\>", ">"), ("\\/", "/"), ("\\*", "*"))

_NODE = ("node", "parent", "category", "rule", "start", "end", "head_daughter", "spelling")

#: Escapes of brackets in Penn trees and CCGbank, used to compare words.
BRACKETS = {"-LRB-": "(", "-RRB-": ")", "-LCB-": "{", "-RCB-": "}", "-LSB-": "[", "-RSB-": "]"}


def unescape(word: str) -> str:
    r"""Remove the escapes of CCGbank from a word, for comparison.

    Examples
    --------
    >>> unescape(r"1\/2"), unescape(r"\<"), unescape("-LRB-"), unescape("sqrt(2)")
    ('1/2', '<', '(', 'sqrt(2)')
    """
    for escaped, plain in _UNIT_ESCAPES:
        word = word.replace(escaped, plain)
    return BRACKETS.get(word, word)


class _Defect(Exception):  # noqa: N818  # never leaves this module
    def __init__(self, kind: str, found: str, text: str, expected: str) -> None:
        self.kind, self.found, self.text, self.expected = kind, found, text, expected


class _Tree:
    """Rows of one derivation, read from its line."""

    def __init__(self, line: str, cache: dict[str, str], dialect: _Dialect) -> None:
        self.cache, self.dialect = cache, dialect
        self.rows: list[list] = []  # the columns `_NODE`
        self.leaves: list[tuple[str, ...]] = []  # form, category, fine, fine_original or lemma, annotated
        self._read(line)

    def _category(self, text: str, line: str) -> str:
        found = self.cache.get(text)
        if found is None:
            try:
                found = str(parse_category(text))
            except ValueError as error:
                raise _Defect("category", str(error).rstrip("."), text, "a CCG category") from None
            self.cache[text] = found
        return found

    def _read(self, line: str) -> None:
        place, open_nodes, wanted = _skip(line, 0), [], []  # type: ignore[var-annotated]
        end = len(line)
        node_at, leaf_at = self.dialect.node.match, self.dialect.leaf.match
        extended = self.dialect is _EXTENDED
        while True:
            if place >= end:
                raise _Defect("truncated", "the line ends within the tree", line[-60:], "')'")
            leaf = leaf_at(line, place)
            if leaf:
                if extended:
                    category, word, original, tag, annotated = leaf.groups()
                else:
                    category, tag, original, word, annotated = leaf.groups()
                number, words = len(self.rows), len(self.leaves)
                parent = open_nodes[-1] if open_nodes else -1
                plain = self._category(category, line)
                self.rows.append([number, parent, plain, "lex", words, words + 1, -1, category])
                self.leaves.append((word, plain, tag, original, annotated))
                place = leaf.end()
            else:
                node = node_at(line, place)
                if node is None:
                    raise self._defect(line, place)
                category, head, daughters = node.groups()
                if daughters not in ("1", "2") or not head.isdigit():
                    raise _Defect(
                        "daughters",
                        f"a node has the head field {quoted(head)} and {quoted(daughters)} daughters",
                        node.group(),
                        "head 0 or 1, and 1 or 2 daughters",
                    )
                if head not in ("0", "1"):
                    raise _Defect("head", f"a node has the head field {quoted(head)}", node.group(), "0 or 1")
                number = len(self.rows)
                parent = open_nodes[-1] if open_nodes else -1
                marked = int(head) if daughters == "2" else 0
                plain = self._category(category, line)
                self.rows.append([number, parent, plain, "", len(self.leaves), 0, marked, category])
                open_nodes.append(number)
                wanted.append(int(daughters))
                place = _skip(line, node.end())
                continue
            place = _skip(line, place)
            while open_nodes:  # a complete constituent may complete those above it
                wanted[-1] -= 1
                if wanted[-1]:
                    break
                if place >= end:
                    raise _Defect("truncated", "the line ends within the tree", line[-60:], "')'")
                if line[place] != ")":
                    raise _Defect(
                        "daughters",
                        "a node has more daughters than it says",
                        line[place : place + 60],
                        "')'",
                    )
                place = _skip(line, place + 1)
                self.rows[open_nodes.pop()][5] = len(self.leaves)
                wanted.pop()
            if not open_nodes:
                if place < end:
                    raise _Defect("after the tree", "something follows the tree", line[place : place + 60], "nothing")
                break

    def _defect(self, line: str, place: int) -> _Defect:
        text = line[place : place + 80]
        if line[place] == ")":
            return _Defect("daughters", "a node has fewer daughters than it says", text, "another daughter")
        opening = _OPENING.match(line, place)
        if not opening:
            return _Defect("no tree", "there is neither a node nor a leaf here", text, "'(<T' or '(<L'")
        end = _END.search(line, place)
        if end is None:
            return _Defect("truncated", "the line ends within a node", text, "'>'")
        inside = line[opening.end() : end.start()]
        fields = len(inside.split())
        whole = line[place : end.end()]
        of_leaf = opening.group() == "(<L"
        shape = self.dialect.leaf_fields if of_leaf else self.dialect.node_fields
        first = inside.split()[0] if fields else ""
        if fields > len(shape) and (first.count("(") != first.count(")") or first[-1:] in "/\\"):
            return _Defect("category", f"the category beginning {quoted(first)} has a blank in it", whole, "no blank")
        return _Defect("fields", f"a {'leaf' if of_leaf else 'node'} has {fields} fields", whole, ", ".join(shape))


def _skip(line: str, place: int) -> int:
    match = _BLANK.match(line, place)
    return match.end() if match else place


def read_auto(source: Source, *, strict: bool = True, encoding: str | None = None) -> Derivations:
    r"""Read an AUTO file.

    Parameters
    ----------
    source : str, Path, bytes or file
        A file (``.gz``, ``.xz`` or inside a zip too), or its content.
    strict : bool
        Whether the first defect raises an error; else the sentence is kept without a derivation and the defect is
        listed.
    encoding : str

    Returns
    -------
    Derivations
        A sentence whose parse failed has the status ``failed``: an ``ID=`` line without a tree or with an empty line
        instead of it, a line such as ``FAILED`` or ``(())``, or a tree of one leaf with such a word. These are counted
        and listed as incidents, also if strict. If several trees have the same ID, the first is used.

    Raises
    ------
    DataError
        At the first defect if strict; always if the file is empty or an HTML page.

    Examples
    --------
    >>> read_auto("ID=1\n(<T S[dcl] 1 2> (<L NP NN NN dogs NP>) (<L S[dcl]\\NP VB VB bark S[dcl]\\NP>) )\n").tree(0)
    (S[dcl] (NP dogs) (S[dcl]\NP bark))
    >>> read_auto("ID=1\nFAILED\n")
    0 derivations, 0 words, 1 without a derivation
    """
    opened = open_text(source, encoding=encoding)
    name, lines, incidents = opened.name, opened.lines(), list(opened.incidents)
    if not any(line.strip() for line in lines):
        raise DataError(Incident(name, 0, "empty", "the file has no derivation", "", "lines that begin with '(<'"))
    dialect = _dialect(opened.data)
    scanned = _scanned(_Reading(name, strict, incidents.copy(), dialect, whole=True), lines)
    if scanned is not None:
        return scanned
    reading = _Reading(name, strict, incidents, dialect)
    _read_all(reading, lines)
    if not reading.sentences:
        raise DataError(Incident(name, 0, "empty", "the file has no derivation", "", "lines that begin with '(<'"))
    if reading.defect is not None and not reading.rows:
        advice = "No derivation could be read: check whether this is an AUTO file."
        raise DataError(reading.defect, advice, reading.incidents)
    return reading.result()


def _read_all(reading: _Reading, lines: list[str]) -> None:
    for sentence in _sentences(lines):
        if sentence.text is None:
            reading.failed(sentence.header, sentence.header_line, sentence.found)
        elif sentence.found:
            reading.note(sentence.line, "no ID" if sentence.text else "empty line", sentence.found, sentence.text, "")
            reading.tree(sentence.text, sentence.line, "")
        elif sentence.header or sentence.text:
            reading.tree(sentence.text, sentence.line, sentence.header, sentence.header_line)
        else:
            found = "an empty line between sentences"
            reading.incidents.append(Incident(reading.name, sentence.line, "empty line", found))


def _scanned(reading: _Reading, lines: list[str]) -> Derivations | None:
    """Read all trees at once; None if one has a defect, or the first defect is to be named."""
    try:
        if not _read_alternating(reading, lines):
            _read_all(reading, lines)
    except DataError:
        return None
    if not reading.texts:
        return None
    found = scanned_derivations(reading.texts, reading.dialect.layout, reading.dialect.further)
    if found is None or any(map(_FAILED_WORD.fullmatch, found.single)):
        return None
    return reading.with_trees(found)


def _read_alternating(reading: _Reading, lines: list[str]) -> bool:
    """Collect the trees of a file of ID lines, each with a line of a tree after it; False if it is another file."""
    headers, texts = ([line.strip() for line in lines[first::2]] for first in (0, 1))
    ids = list(map(_id, headers))
    if (
        len(headers) != len(texts)
        or not all(line.startswith("ID=") for line in lines[::2])
        or not all(line.startswith("(<") for line in lines[1::2])
        or len(set(ids)) < len(ids)
        or not all(ids)
        or any(map(_FAILED.fullmatch, texts))
    ):
        return False
    reading.texts, reading.of_text = texts, list(range(len(texts)))
    reading.sentences = [
        (*named, PARSED, 0, line)
        for line, named in zip(range(2, len(lines) + 1, 2), zip(ids, headers, strict=True), strict=True)
    ]
    return True


def _dialect(data: bytes) -> _Dialect:
    """Choose the extended form if more nodes have four fields than three, or, without nodes, if leaves have seven."""
    extended, plain = (len(re.findall(rb"\(<T%s [01] [12]>" % (rb" \S+" * n), data)) for n in (2, 1))
    if not extended and not plain:
        extended, plain = (len(re.findall(rb"\(<L%s>\)" % (rb" \S+" * n), data)) for n in (7, 5))
    return _EXTENDED if extended > plain else _PLAIN


class _Sentence(NamedTuple):
    """One sentence of a file; without text if there is only an ID line."""

    line: int
    text: str | None
    header: str = ""
    header_line: int = 0
    found: str = ""


def _sentences(lines: list[str]) -> Iterator[_Sentence]:
    """Return the sentences of a file, each with its ID line if it has one, without comments, headers and scores."""
    with_ids = any(map(_ID.match, lines))
    in_lines = not with_ids and sum(map(bool, map(_depth, lines))) * 2 > sum(map(bool, lines))
    waiting: _Sentence | None = None  # an ID line
    tree: list[str] = []  # lines of a tree, and its first line
    begun = _Sentence(0, "")
    measured = depth = 0  # lines of the tree, and the number of open nodes; only counted when needed
    fresh = True  # neither a tree nor an ID line has been seen
    preface = False

    def complete() -> Iterator[_Sentence]:
        if tree:
            found = "a tree has no ID line" if with_ids and not begun.header else ""
            yield begun._replace(text=" ".join(tree), found=found)
            tree.clear()

    def is_open() -> bool:
        nonlocal measured, depth
        depth += sum(map(_depth, tree[measured:]))
        measured = len(tree)
        return depth > 0

    for number, line in enumerate(lines, start=1):
        text = line.strip()
        if _ID.match(text):
            yield from complete()
            if waiting is not None:
                yield waiting._replace(found="no line follows the ID line")
            waiting, fresh = _Sentence(number, None, text, number), False
        elif text.startswith("#"):
            preface = fresh
        elif text and not text.startswith("(") and _SCORE.fullmatch(text):
            continue
        elif tree and text and _continues(line, with_ids or in_lines) and is_open():
            tree.append(text)
        elif text:
            yield from complete()
            tree.append(text)
            measured, depth, fresh = 0, 0, False
            begun = _Sentence(number, "", waiting.header, waiting.line) if waiting else _Sentence(number, "")
            waiting = None
        else:
            yield from complete()
            if waiting is not None:
                yield waiting._replace(line=number, text="")
                waiting = None
            elif not (fresh and (preface or with_ids)):
                yield _Sentence(number, "", found="" if with_ids else "there is an empty line instead of a tree")
    yield from complete()
    if waiting is not None:
        yield waiting._replace(found="the file ends after the ID line")


def _continues(line: str, anywhere: bool) -> bool:
    """Return whether a line can continue a tree: it is indented, closes a bracket, or begins with a node."""
    return line[0].isspace() or line.startswith(")") or (anywhere and line.startswith("(<"))


def _depth(line: str) -> int:
    """Count the nodes that a line opens but does not close."""
    if not line.lstrip().startswith(("(<", ")")):
        return 0
    rest = _ANY_LEAF.sub("", line)
    return rest.count("(<T") - rest.count(")")


class _Reading:
    def __init__(
        self, name: str, strict: bool, incidents: list[Incident], dialect: _Dialect, *, whole: bool = False
    ) -> None:
        self.name, self.strict, self.incidents, self.dialect = name, strict, incidents, dialect
        self.whole = whole  # whether trees are only collected, to be read at once
        self.texts: list[str] = []
        self.of_text: list[int] = []
        self.defect: Incident | None = None  # the first tree that could not be read
        self.rows: list[list] = []
        self.starts: list[int] = []
        self.leaves: list[tuple[str, ...]] = []
        self.leaf_sentences: list[int] = []
        self.node_sentences: list[int] = []
        self.sentences: list[tuple[str, str, str, int, int]] = []  # id, header, status, words, line
        self.ids: dict[str, int] = {}
        self.cache: dict[str, str] = {}

    def note(self, line: int, kind: str, found: str, text: str, expected: str) -> None:
        incident = Incident(self.name, line, kind, found, text, expected)
        if self.strict:
            raise DataError(incident, _ADVICE)
        self.incidents.append(incident)

    def _known(self, header: str, line: int) -> bool:
        identity = _id(header)
        if identity and self.sentences and identity == self.sentences[-1][0] and "NUMPARSE=1" not in header.split():
            found = f"another parse of the sentence {quoted(identity)}; the first is used"
            self.incidents.append(Incident(self.name, line, "further parse", found, header))
            return True
        if identity and identity in self.ids:
            where = line_named(self.name, self.ids[identity])
            found = f"the ID {quoted(identity)} occurs already in {where}; the first tree is used"
            self.note(line, "duplicated ID", found, header, "each ID once")
            return True
        if identity:
            self.ids[identity] = line
        return False

    def failed(self, header: str, line: int, why: str, known: bool = False) -> None:
        if not known and self._known(header, line):
            return
        self.incidents.append(Incident(self.name, line, "failed parse", why, header))
        self.sentences.append((_id(header) or str(len(self.sentences)), header, FAILED, 0, line))

    def tree(self, text: str, line: int, header: str, header_line: int = 0) -> None:
        if self._known(header, header_line):
            return
        if not text or _FAILED.fullmatch(text):
            self.failed(header, line, "the parse failed" if text else "no tree", known=True)
            return
        if self.whole:
            self.texts.append(text)
            self.of_text.append(len(self.sentences))
            self.sentences.append((_id(header) or str(len(self.sentences)), header, PARSED, 0, line))
            return
        try:
            tree = _Tree(text, self.cache, self.dialect)
        except _Defect as defect:
            if self.defect is None:
                self.defect = Incident(self.name, line, defect.kind, defect.found, defect.text, defect.expected)
            self.note(line, defect.kind, defect.found, defect.text, defect.expected)
            self.sentences.append((_id(header) or str(len(self.sentences)), header, FAILED, 0, line))
            return
        if len(tree.leaves) == 1 and _FAILED_WORD.fullmatch(tree.leaves[0][0]):
            self.failed(header, line, "the parse failed: one leaf that says so", known=True)
            return
        number = len(self.sentences)
        self.rows += tree.rows
        self.node_sentences += [number] * len(tree.rows)
        self.leaves += tree.leaves
        self.leaf_sentences += [number] * len(tree.leaves)
        self.sentences.append((_id(header) or str(number), header, PARSED, len(tree.leaves), line))

    def result(self) -> Derivations:
        """What was read, tree by tree."""
        numbers = dict(zip(_NODE, _columns_of(self.rows, len(_NODE)), strict=True))
        nodes: dict[str, Column] = {"sentence": np.array(self.node_sentences, dtype=np.int64)}
        for name, column in numbers.items():
            text = name in ("category", "rule", "spelling")
            nodes[name] = Coded.of(column) if text else np.array(column, dtype=np.int64)
        sentence = np.array(self.leaf_sentences, dtype=np.int64)
        tokens: dict[str, Column] = {
            "sentence": sentence, "position": np.arange(len(sentence)) - np.searchsorted(sentence, sentence) + 1
        }  # fmt: skip
        names = ("form", "category", "fine", self.dialect.further, "annotated")
        leaves = _columns_of(self.leaves, len(names))
        tokens |= {name: Coded.of(column) for name, column in zip(names, leaves, strict=True)}
        words = np.array([sentence[3] for sentence in self.sentences], dtype=np.int64)
        return self._derivations(Columns(nodes), Columns(tokens), words)

    def with_trees(self, found: Scanned) -> Derivations:
        """What was read, with the trees that were collected."""
        number = np.array(self.of_text)
        nodes, tokens = (table.assign(sentence=number[table["sentence"]]) for table in (found.nodes, found.tokens))
        words = np.zeros(len(self.sentences), dtype=np.int64)
        words[number] = found.words
        return self._derivations(nodes, tokens, words)

    def _derivations(self, nodes: Columns, tokens: Columns, words: np.ndarray) -> Derivations:
        """Derivations with the rules of the nodes; spellings only where one differs."""
        (category, spelling), _ = shared_codes(nodes["category"], nodes["spelling"])
        names = ["sentence", *_NODE[: -1 if np.array_equal(category, spelling) else None]]
        nodes = nodes.assign(rule=_rules_of(nodes))
        identity, header, status, _, line = _columns_of(self.sentences, 5)
        sentences: dict[str, Column] = {
            "sentence": np.arange(len(self.sentences)), "id": Coded.of(identity), "header": Coded.of(header),
            "status": Coded.of(status), "words": words, "line": np.array(line, dtype=np.int64),
        }  # fmt: skip
        return Derivations(Columns({name: nodes[name] for name in names}), tokens, Columns(sentences), self.incidents)


def _columns_of(rows: list[Any], width: int) -> list[Any]:
    """The columns of rows, also if there is no row."""
    return list(zip(*rows, strict=True)) if rows else [()] * width


def _id(header: str) -> str:
    return header.removeprefix("#").removeprefix("ID=").split(" ")[0].rstrip(",") if header else ""


def rules(nodes: pd.DataFrame) -> list[str]:
    """Name the rule of each node, from the categories; ``lex`` for a leaf.

    Parameters
    ----------
    nodes : DataFrame
        ``sentence``, ``node``, ``parent``, ``category``, in preorder.

    Examples
    --------
    >>> table = pd.DataFrame({"sentence": 0, "node": [0, 1], "parent": [-1, 0], "category": ["NP", "N"]})
    >>> rules(table)
    ['unary', 'lex']
    """
    return [str(rule) for rule in _rules_of(nodes)]


def _rules_of(nodes: pd.DataFrame | Columns) -> Coded:
    """The same as a column; each combination of categories is looked up once."""
    codes, names = value_codes(nodes["category"])
    codes, labels = codes.astype(np.int64), [str(name) for name in names]
    left, right = (np.where(side >= 0, codes[side], -1) for side in daughters(nodes))
    width = len(labels) + 1
    kinds = (codes * width + left + 1) * width + right + 1
    kind, first = number_codes(kinds.view(np.uint64))
    found = []
    for each in kinds[first].tolist():
        (label, one), two = divmod(each // width, width), each % width
        if not one:
            found.append("lex")
        elif not two:
            found.append(unary_rule(labels[label], labels[one - 1]).name)
        else:
            found.append(binary_rule(labels[label], labels[one - 1], labels[two - 1]).name)
    return Coded.of(found).take(kind)


def daughters(nodes: pd.DataFrame | Columns) -> tuple[np.ndarray, np.ndarray]:
    """Return the row of the left (or only) and of the right daughter of each node; -1 if there is none."""
    number, parent = numbers_of(nodes["node"]), numbers_of(nodes["parent"])
    return daughter_rows(np.where(parent >= 0, np.arange(len(number)) - number + parent, -1))


def write_auto(bank: Derivations, file: str | PathLike | None = None, *, ids: bool = True) -> str:
    r"""Write derivations as an AUTO file, which `read_auto` reads; a file that was read is reproduced except for
    blanks.

    Parameters
    ----------
    bank : Derivations
    file : path, optional
        Overwritten; without it nothing is written.
    ids : bool
        Whether to write ``ID=`` lines. A sentence without a derivation is ``FAILED``.

    Returns
    -------
    str
        The text.

    Examples
    --------
    >>> text = "ID=1\n(<T NP 0 1> (<L N NN NN dogs N>) )\n"
    >>> write_auto(read_auto(text)) == text
    True
    """
    spelling = "spelling" if "spelling" in bank.nodes.columns else "category"
    columns = [bank.nodes[name].tolist() for name in ("sentence", "parent", "head_daughter")]
    texts = bank.nodes[spelling].astype("str").tolist()
    leaf = (bank.nodes["rule"].astype("str") == "lex").tolist()
    left, right = daughters(bank.nodes)
    arity = ((left >= 0).astype(int) + (right >= 0)).tolist()
    tokens = bank.tokens
    fine = tokens["fine"].astype("str") if "fine" in tokens.columns else pd.Series(["_"] * len(tokens))
    original = tokens["fine_original"].astype("str") if "fine_original" in tokens.columns else fine
    annotated = tokens["annotated"] if "annotated" in tokens.columns else tokens["category"]
    words = zip(
        fine.tolist(),
        original.tolist(),
        tokens["form"].astype("str").tolist(),
        annotated.astype("str").tolist(),
        strict=True,
    )
    trees: dict[int, str] = {}
    pieces: list[str] = []
    waiting: list[int] = []
    for row, (sentence, _, head) in enumerate(zip(*columns, strict=True)):
        if not leaf[row]:
            waiting.append(arity[row])
            pieces.append(f"(<T {texts[row]} {head} {arity[row]}>")
            continue
        one, two, form, indexed = next(words)
        pieces.append(f"(<L {texts[row]} {one} {two} {form} {indexed}>)")
        while waiting:
            waiting[-1] -= 1
            if waiting[-1]:
                break
            waiting.pop()
            pieces.append(")")
        if not waiting:
            trees[sentence] = " ".join(pieces)
            pieces = []
    lines = []
    for entry in bank.sentences.to_dict("records"):
        if ids:
            lines.append(entry.get("header") or f"ID={entry['id']}")
        lines.append(trees.get(entry["sentence"], "FAILED"))
    text = "\n".join(lines) + "\n"
    if file is not None:
        write_text(file, text)
    return text


def read_sections(
    corpus: Path, sections: Iterable[int], *, strict: bool = True, encoding: str | None = None
) -> Derivations:
    """Read some sections of CCGbank from a folder or archive, in the order of the files.

    Parameters
    ----------
    corpus : Path
        The folder, or an archive of it; the files ``wsj_SSNN.auto`` may be anywhere in it.
    sections : iterable of int
    strict, encoding
        See `read_auto`.

    Returns
    -------
    Derivations

    Raises
    ------
    DataError
        If a section has no file, or a file has a defect and ``strict``.
    """
    wanted = [f"wsj_{section:02d}" for section in sections]
    chosen = {}
    for member, content in contents(corpus, (".auto",)):
        name = PurePosixPath(member).name
        if re.match(r"wsj_\d{4}\.auto", name) and name.startswith(tuple(wanted)):
            chosen[name] = Text(f"{corpus}/{member}", decoded(f"{corpus}/{member}", content, encoding))
    banks = []
    for section in wanted:
        files = sorted(name for name in chosen if name.startswith(section))
        if not files:
            raise DataError(f"{corpus} has no file {section}NN.auto of section {section[-2:]}.")
        banks += [read_auto(chosen[name], strict=strict) for name in files]
    return join(banks)
