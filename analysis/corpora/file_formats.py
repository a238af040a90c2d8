"""Detection of file formats, from all rows and the name of a file, not from its first row or the order of sentences.

================  =====================================================================================
format            a file of
================  =====================================================================================
conllu            ten columns, the fourth with the tags of Universal Dependencies
conllx            ten columns of CoNLL-X (2006, 2007)
nine-columns      nine columns of the challenge (Gelling et al. 2012)
conll2008         eleven columns of CoNLL-2008, and one more per predicate
conll2009         fourteen columns of CoNLL-2009, and one more per predicate
word-tag-head     word TAB tag TAB head
words-and-tags    word TAB tag, one token per line
types             word TAB class, one word type per line (mkcls, Clark 2003, ClusterCat)
paths, map        word types in the output of wcluster (Brown clustering)
tags              one tag per line
slashed           ``the/D cat/N``, one sentence per line
ccg               derivations of CCGbank and its parsers (AUTO)
brackets          phrase-structure trees in brackets
chat              CHAT transcripts
forms             lemmas, inflected forms and features of UniMorph and SIGMORPHON
plain             one sentence per line
================  =====================================================================================
"""

import re
from collections import Counter
from collections.abc import Callable, Collection
from pathlib import PurePosixPath
from typing import NamedTuple

import numpy as np

from analysis.corpora.lines import Lines
from analysis.corpora.opening import PACKED_NAMES, Source, Text, open_text
from analysis.corpora.spans import span_codes
from analysis.corpora.universal_tags import UD_TAGS, UNIVERSAL
from analysis.structures import DataError, Incident
from analysis.structures.incidents import FolderName

TREEBANKS = ("conllu", "conllx", "nine-columns", "conll2008", "conll2009", "word-tag-head")
FORMATS = (
    "ccg", "chat", "brackets", "conllu", "conllx", "nine-columns", "conll2008", "conll2009", "slashed",
    "map", "paths", "word-tag-head", "types", "words-and-tags", "forms", "tags", "plain",
)  # fmt: skip

PATHS = re.compile(r"(?P<cluster>[01]*)\t(?P<form>[^\t]+)\t(?P<frequency>[0-9]{1,18})")
MAP = re.compile(
    r"(?P<form>[^\t]+)\t(?P<cluster>[01]*)-L [^\t]+\t(?P=cluster)-R [^\t]+"
    r"\t(?P=cluster)-freq (?P<frequency>[0-9]{1,18})"
)
_NUMBER = re.compile(r"[-+]?[0-9.]+(?:[eE][-+]?[0-9]+)?", re.ASCII)
_LINES_AT_ONCE = 50_000
_OF_CONLLU = re.compile(rb"(?m)^(?:[0-9]+-[0-9]+\t|[0-9]+\.[0-9]+\t|# (?:sent_id|text|newdoc|newpar)\b)")
_HEADS_2009 = re.compile(rb"(?m)^[0-9]+(?:\t[^\t\n]*){7}\t(?:[0-9]+|_)\t(?:[0-9]+|_)\t")
_TYPE_NAMES = ("mkcls", ".classes", ".cats", ".clusters", ".clustercat")


class Decision(NamedTuple):
    """A format, and an incident if the file could also have another format (else None)."""

    format: str
    notice: Incident | None


def format_named(name: str, among: Collection[str] = FORMATS) -> str:
    """Look up a format by name; case is ignored, and blanks may replace hyphens.

    Raises
    ------
    ValueError
        If it is not one of these formats.

    Examples
    --------
    >>> format_named("Nine columns")
    'nine-columns'
    """
    found = name.lower().replace(" ", "-").replace("_", "-")
    if found not in among:
        raise ValueError(f"format is {name!r}; it must be 'auto' or one of {', '.join(map(repr, among))}.")
    return found


def decide_format(source: Source, among: Collection[str] = FORMATS) -> Decision:
    r"""Detect the format of a file, among some formats.

    A format is chosen if most rows fit it. Ranges, empty nodes, comments and blank lines do not count as rows. A file
    of ten columns is CoNLL-U if the name ends in ``.conllu``, if all or nearly all tags in the fourth column are those
    of Universal Dependencies, or if most are and the file has ranges, empty nodes or comments of CoNLL-U; else it is
    CoNLL-X. A file of word TAB class is a list of word types if no word occurs twice, no blank line separates sentences
    and every class is a number.

    Parameters
    ----------
    source : Text, or another source of `analysis.corpora.opening.open_text`
    among : collection of str
        The possible formats.

    Returns
    -------
    Decision

    Raises
    ------
    DataError
        If no row fits any of these formats.

    Examples
    --------
    >>> decide_format("1-2\tdu\t_\t_\t_\t_\t_\t_\t_\t_\n1\tde\t_\tADP\t_\t_\t0\t_\t_\t_\n").format
    'conllu'
    >>> decide_format("the\t2\ncat\t3\n").notice.found
    "taken as word types, since no word occurs twice and every class is a number; name the format 'words-and-tags' ..."
    """
    text = open_text(source)
    lines = text.places
    first = lines.buffer[lines.starts]
    cells = lines.tabs + 1
    row = first != ord("\n")
    comment = row & (first == ord("#"))
    numbers = np.bincount(cells[row & ~comment])
    widths = {int(width): int(numbers[width]) for width in np.flatnonzero(numbers)}
    wide = {width: count for width, count in widths.items() if width >= 9}
    if sum(wide.values()) * 2 >= sum(widths.values()) > 0:
        decision = _of_treebank(text, lines, wide, among)
        if decision is not None:
            return decision
    return _of_lines(text, [line for line in text.lines() if line.strip()], among)


def _of_treebank(text: Text, lines: Lines, wide: dict[int, int], among: Collection[str]) -> Decision | None:
    """Detect a treebank of nine columns or more, if such formats are possible."""
    more = sum(count for width, count in wide.items() if width > 10)
    ten, nine = wide.get(10, 0), wide.get(9, 0)
    if ten >= max(nine, more) and {"conllu", "conllx"} & set(among):
        found, doubt = _ten_columns(text, lines)
        if found not in among:
            return Decision("conllx" if found == "conllu" else "conllu", None)
        return _decision(text, found, doubt)
    if nine >= more and nine and "nine-columns" in among:
        return Decision("nine-columns", None)
    if more and {"conll2008", "conll2009"} & set(among):
        of_2009 = len(_HEADS_2009.findall(text.data)) * 2 > more
        return Decision("conll2009" if of_2009 else "conll2008", None)
    return None


def _fourth_cells(lines: Lines) -> Counter[bytes]:
    """Count the cells in the fourth column of the rows whose first is a whole number; others may follow them."""
    counts: Counter[bytes] = Counter()
    rows = np.flatnonzero(lines.tabs >= 4)
    for begin in range(0, len(rows), _LINES_AT_ONCE):
        own = rows[begin : begin + _LINES_AT_ONCE]
        own = own[_numbered(lines, own)]
        first = lines.first[own]
        begins, ends = lines.marks[first + 2].astype(np.int64) + 1, lines.marks[first + 3].astype(np.int64)
        codes, new = span_codes(lines.data, begins, ends)
        numbers = np.bincount(codes, minlength=len(new)).tolist()
        bounds = zip(begins[new].tolist(), ends[new].tolist(), numbers, strict=True)
        counts.update({lines.data[a:b]: number for a, b, number in bounds})
    return counts


def _numbered(lines: Lines, rows: np.ndarray) -> np.ndarray:
    """Whether the first cell of each line is a whole number."""
    starts = lines.starts[rows].astype(np.int64)
    size = lines.marks[lines.first[rows]] - starts
    number, left, place = size > 0, np.flatnonzero(size > 0), 0
    while len(left):
        letter = lines.buffer[starts[left] + place]
        number[left] &= (letter >= ord("0")) & (letter <= ord("9"))
        place += 1
        left = left[number[left] & (size[left] > place)]
    return number


def _ten_columns(text: Text, lines: Lines) -> tuple[str, str]:
    """Decide between CoNLL-U and CoNLL-X; return also why this is not certain."""
    tags = _fourth_cells(lines)
    tags.pop(b"_", None)
    rows = sum(tags.values())
    known = sum(count for tag, count in tags.items() if tag.decode() in UD_TAGS)
    name = _stem(text.name)
    if name.endswith(".conllu"):
        doubt = "" if 2 * known >= rows else "its name ends in .conllu, but most of its tags are not those of CoNLL-U"
        return "conllu", doubt
    if name.endswith((".conllx", ".conll06", ".conll07")):
        return "conllx", ""
    marked = bool(_OF_CONLLU.search(text.data))
    if known < rows and all(tag.decode() in UNIVERSAL for tag in tags):
        return "conllx", ""
    if known == rows:
        return ("conllu" if rows or marked else "conllx"), ""
    share = f"{known:,} of {rows:,} tags are those of CoNLL-U"
    if marked and 2 * known >= rows:
        return "conllu", share if 10 * known < 9 * rows else ""
    if 10 * known >= 9 * rows:
        return "conllu", share
    return "conllx", share if 2 * known > rows else ""


def type_of(line: str) -> tuple[str, str] | None:
    r"""Parse a line of a list of word types into word and class; None if it does not fit.

    Examples
    --------
    >>> type_of("the\t12"), type_of("the 12 0.25"), type_of("the\tclass 12")
    (('the', '12'), ('the', '12'), None)
    """
    cells = line.split("\t")
    if len(cells) == 1:
        cells = line.split(" ")
        if len(cells) != 3 or not cells[1].isdecimal():
            return None
    if not 2 <= len(cells) <= 3 or not cells[0].strip() or len(cells[1].split()) != 1:
        return None
    if len(cells) == 3 and not (cells[1].isdecimal() and _NUMBER.fullmatch(cells[2])):
        return None
    return cells[0], cells[1].strip()


def _of_lines(text: Text, lines: list[str], among: Collection[str]) -> Decision:
    """Return the format that most lines fit; if there are several, the first of `FORMATS`."""
    lines = [line for line in lines if line[0] != "#" or line.startswith("#ID=") or "\t" in line] or lines
    widths = Counter(line.count("\t") + 1 for line in lines)
    distinct = Counter(lines)
    best, most = "", 0
    for name in FORMATS:
        if name in among and name in _ROWS:
            allowed, needed, fits = _ROWS[name]
            possible = sum(widths[width] for width in allowed) if needed in text.data else 0
            if name == "plain" and 2 * most >= len(lines):
                continue  # every line is plain text
            if possible <= most:
                continue
            fit = sum(count for line, count in distinct.items() if fits(line)) if fits else possible
            if fit > most:
                best, most = name, fit
    if not best:
        first = lines[0] if lines else ""
        found = f"no line is one of {', '.join(among)}" if lines else "the file has no line"
        raise DataError(Incident(text.name, 1 if lines else 0, "format", found, first), "Name the format.")
    if best in ("types", "words-and-tags"):
        best, doubt = _two_columns(text, lines, among)
        return _decision(text, best, doubt)
    return Decision(best, None)


def _two_columns(text: Text, lines: list[str], among: Collection[str]) -> tuple[str, str]:
    """Decide between tokens and word types; return also why this is not certain."""
    if "types" not in among:
        return "words-and-tags", ""
    if "words-and-tags" not in among:
        return "types", ""
    if b"\n\n" in text.data.strip():
        return "words-and-tags", ""
    types = [found for line in lines if (found := type_of(line))]
    if len({word for word, _ in types}) < len(types):
        return "words-and-tags", ""
    if _stem(text.name).endswith(_TYPE_NAMES) or not any("\t" in line for line in lines):
        return "types", ""
    if all(found.isdecimal() for _, found in types):
        reason = "no word occurs twice and every class is a number; name the format 'words-and-tags' if it lists tokens"
        return "types", reason
    return "words-and-tags", ""


def _decision(text: Text, format: str, doubt: str) -> Decision:
    if not doubt:
        return Decision(format, None)
    if format == "types":
        found = f"taken as word types, since {doubt}"
    else:
        found = f"taken as {format}: {doubt}; name the format if it is not {format!r}"
    return Decision(format, Incident(text.name, 0, "format not certain", found))


def _stem(name: str) -> str:
    """Return the name (for a folder, of its first file) in lower case without the suffix of compression."""
    path = PurePosixPath((name.files[0][1] if isinstance(name, FolderName) else name).lower())
    return path.stem if path.suffix in PACKED_NAMES else path.name


def _is_ccg(line: str) -> bool:
    return line.startswith(("ID=", "#ID=")) or line.lstrip().startswith(("(<", ")"))


def _is_chat(line: str) -> bool:
    return line.startswith(("@", "*", "%", "\t"))


def _is_bracketed(line: str) -> bool:
    return line.strip().startswith(("(", ")")) or line.rstrip().endswith(")")


def _is_head(line: str) -> bool:
    cells = line.split("\t")
    return len(cells) == 3 and bool(cells[0].strip()) and cells[2].isdecimal()


def _is_slashed(line: str) -> bool:
    tokens = line.split()
    return (
        len(tokens) > 1
        and "\t" not in line.strip()
        and all(token.rpartition("/")[0] and token[-1] != "/" for token in tokens)
    )


#: Properties of the rows of a format: number of cells, bytes that the file must contain, and the pattern.
_ROWS: dict[str, tuple[tuple[int, ...], bytes, Callable[[str], bool] | None]] = {
    "ccg": ((1,), b"(<", _is_ccg),
    "chat": ((1, 2), b"@Begin", _is_chat),
    "brackets": ((1,), b"(", _is_bracketed),
    "map": ((4,), b"-freq ", lambda line: MAP.fullmatch(line) is not None),
    "paths": ((3,), b"\t", lambda line: PATHS.fullmatch(line) is not None),
    "word-tag-head": ((3,), b"\t", _is_head),
    "types": ((1, 2, 3), b"", lambda line: type_of(line) is not None),
    "words-and-tags": ((2,), b"\t", None),
    "forms": ((2, 3, 4), b"\t", None),
    "slashed": ((1, 2), b"/", _is_slashed),
    "tags": ((1,), b"", lambda line: len(line.split(None, 1)) == 1 and "\t" not in line),
    "plain": ((1,), b"", lambda line: len(line.split(None, 1)) == 2 and "\t" not in line),
}
