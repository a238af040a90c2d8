"""Implementation of the reader in `analysis.corpora.conll`: rows are parsed and checked column by column."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from analysis.corpora.lines import Lines
from analysis.corpora.opening import Source, open_text
from analysis.corpora.spans import distinct_spans, span_codes
from analysis.corpora.universal_tags import UD_TAGS, UNIVERSAL
from analysis.structures import DataError, Incident, incidents_table
from analysis.structures.columns import Coded, Columns
from analysis.structures.incidents import quoted
from analysis.structures.lazy import pd

_ADVICE = "Give strict=False to keep what can be kept and list such incidents."
_MAXIMUM_SHOWN = 20
_ROWS_AT_ONCE = 50_000


class ConllReading(NamedTuple):
    """Tokens, sentences and incidents of a file.

    Attributes
    ----------
    tokens : DataFrame
        One row per word: ``sentence`` (from 0), ``position`` (from 1), ``form``, then the columns of the format among
        ``lemma``, ``coarse``, ``fine``, ``universal``, ``features``, ``head`` (0 = root), ``relation``. A column that
        is ``_`` throughout the file is absent. Text columns are categoricals; ``_`` in them means unspecified.
    sentences : DataFrame
        One row per sentence: ``sentence``, ``line`` (of its first word), ``words``, ``roots`` (words with head 0, <NA>
        if the file has no heads), ``multiword_tokens``, ``empty_nodes``, ``kept``, ``sent_id`` and ``text`` (from the
        comments of these names, else empty) and ``comments`` (all its comment lines).
    incidents : DataFrame
        One row per incident: ``file``, ``line``, ``kind``, ``found``, ``text``, ``expected``.
    """

    tokens: pd.DataFrame
    sentences: pd.DataFrame
    incidents: pd.DataFrame


class ConllColumns(NamedTuple):
    """The same before there is need of a DataFrame.

    Attributes
    ----------
    tokens, sentences : Columns
        As in `ConllReading`; -1 for missing ``roots``.
    incidents : list of Incident
    """

    tokens: Columns
    sentences: Columns
    incidents: list[Incident]

    def to_frames(self) -> ConllReading:
        """The reading as DataFrames."""
        sentences = self.sentences.to_frame()
        if "roots" in sentences.columns:
            sentences["roots"] = sentences["roots"].astype("Int64").mask(sentences["roots"] < 0)
        return ConllReading(self.tokens.to_frame(), sentences, incidents_table(self.incidents))


@dataclass(frozen=True)
class Format:
    """Columns of a format, the layer of the tokens table for each, and whether further columns may follow."""

    name: str
    columns: tuple[str, ...]
    layers: Mapping[str, str]  # column of the file -> column of the tokens table
    more: bool = False


_SHARED = {"FORM": "form", "LEMMA": "lemma"}
_TREE = {"FEATS": "features", "HEAD": "head", "DEPREL": "relation"}
CONLLU = Format(
    "CoNLL-U",
    ("ID", "FORM", "LEMMA", "UPOS", "XPOS", "FEATS", "HEAD", "DEPREL", "DEPS", "MISC"),
    _SHARED | {"XPOS": "fine", "UPOS": "universal"} | _TREE,
)
CONLLX = Format(
    "CoNLL-X",
    ("ID", "FORM", "LEMMA", "CPOSTAG", "POSTAG", "FEATS", "HEAD", "DEPREL", "PHEAD", "PDEPREL"),
    _SHARED | {"CPOSTAG": "coarse", "POSTAG": "fine"} | _TREE,
)
NINE = Format(
    "nine columns",
    ("ID", "FORM", "LEMMA", "CPOSTAG", "POSTAG", "UPOSTAG", "FEATS", "HEAD", "DEPREL"),
    _SHARED | {"CPOSTAG": "coarse", "POSTAG": "fine", "UPOSTAG": "universal"} | _TREE,
)
CONLL2008 = Format(
    "CoNLL-2008",
    ("ID", "FORM", "LEMMA", "GPOS", "PPOS", "SPLIT_FORM", "SPLIT_LEMMA", "PPOSS", "HEAD", "DEPREL", "PRED"),
    {"SPLIT_FORM": "form", "SPLIT_LEMMA": "lemma", "GPOS": "fine", "HEAD": "head", "DEPREL": "relation"},
    more=True,
)
CONLL2009 = Format(
    "CoNLL-2009",
    ("ID", "FORM", "LEMMA", "PLEMMA", "POS", "PPOS", "FEAT", "PFEAT", "HEAD", "PHEAD", "DEPREL", "PDEPREL", "FILLPRED",
     "PRED"),
    _SHARED | {"POS": "fine", "FEAT": "features", "HEAD": "head", "DEPREL": "relation"},
    more=True,
)  # fmt: skip
WORD_TAG_HEAD = Format("word, tag, head", ("FORM", "TAG", "HEAD"), {"FORM": "form", "TAG": "fine", "HEAD": "head"})

#: By the names of `analysis.corpora.file_formats`.
LAYOUTS = {
    "conllu": CONLLU,
    "conllx": CONLLX,
    "nine-columns": NINE,
    "conll2008": CONLL2008,
    "conll2009": CONLL2009,
    "word-tag-head": WORD_TAG_HEAD,
}


# --------------------------------------------------------------------------------------------------------- findings


@dataclass
class _Findings:
    """Incidents; a strict reading keeps one per kind, which is enough to find the first."""

    lines: Lines
    strict: bool
    incidents: list[Incident] = field(default_factory=list)

    def add(self, kind: str, at: np.ndarray, found: str | Callable[[int], str], expected: str = "") -> None:
        """Add one incident for each line number of ``at``; ``found(i)`` describes ``at[i]``."""
        for i, line in enumerate(at[:1] if self.strict else at):
            text = self.lines.text(line)
            said = found if isinstance(found, str) else found(i)
            self.incidents.append(Incident(self.lines.name, int(line) + 1, kind, said, text, expected))

    def raise_first(self) -> None:
        """Raise the first incident by line, if the reading is strict and there is one."""
        if self.strict and self.incidents:
            raise DataError(min(self.incidents, key=lambda incident: (incident.file, incident.line)), _ADVICE)


# ------------------------------------------------------------------------------------------------------ the reader

_ID = re.compile(r"([1-9][0-9]{0,8})|([1-9][0-9]{0,8})-([1-9][0-9]{0,8})|[0-9]{1,9}\.[1-9][0-9]{0,8}", re.ASCII)
_HEAD = re.compile(r"[0-9]{1,9}", re.ASCII)
_NO_HEAD, _BAD_HEAD = -1, -2
_UNIVERSAL = UD_TAGS | frozenset((*UNIVERSAL, "_"))
_BAD_ID, _RANGE, _EMPTY_NODE = 0, -1, -2


def read(
    source: Source, layout: Format, strict: bool, encoding: str | None = None, *, identifiers: bool = False
) -> ConllReading:
    """Read one format, as DataFrames; see `read_columns`."""
    return read_columns(source, layout, strict, encoding, identifiers=identifiers).to_frames()


def read_columns(
    source: Source, layout: Format, strict: bool, encoding: str | None = None, *, identifiers: bool = False
) -> ConllColumns:
    """Read one format.

    In a strict reading ``incidents`` contains at most skipped files, and ``sentences`` is empty, or has only
    ``sentence`` and ``sent_id`` if identifiers are requested.
    """
    opened = open_text(source, encoding=encoding)
    name = opened.name
    lines = Lines(name, _trimmed(opened.data, len(layout.columns))) if layout.more else opened.places
    findings = _Findings(lines, strict)
    expected_columns = f"{len(layout.columns)} columns separated by tabs ({', '.join(layout.columns)})"

    blank, comment = _kinds_of_lines(lines, "ID" in layout.columns)
    row_line = np.flatnonzero(~(blank | comment)).astype(lines.ends.dtype)  # should be rows, sentence by sentence
    if not len(row_line):
        raise DataError(Incident(name, 0, "no words", f"there is no word in this {layout.name} file"))
    row_sentence, first_line = _sentences_of(row_line, blank)
    n_sentences = int(row_sentence[-1]) + 1
    left_out = np.zeros(n_sentences, dtype=bool)

    tabs = lines.tabs
    wrong = np.flatnonzero(tabs[row_line] != len(layout.columns) - 1)
    number_of_tabs = tabs[row_line[wrong]]
    del tabs
    findings.add("columns", row_line[wrong], lambda i: _counted(number_of_tabs[i] + 1, "column"), expected_columns)
    findings.raise_first()
    left_out[row_sentence[wrong]] = True
    del blank

    line, sentence = (np.delete(rows, wrong) if len(wrong) else rows for rows in (row_line, row_sentence))
    columns = _parsed(lines, line, layout) if len(line) else {}
    _fill_empty(columns, line, findings)

    # Words, ranges, empty nodes; the words of a sentence must be 1, 2, 3 ...
    ids = _ids(columns["ID"]) if "ID" in columns else _running(sentence)
    bad = np.flatnonzero(ids == _BAD_ID)
    findings.add("bad id", line[bad], lambda i: f"the ID is {quoted(_value(columns['ID'], bad[i]))}", "1, 2-3 or 2.1")
    left_out[sentence[bad]] = True
    _check_order(ids, line, sentence, left_out, findings)
    words_of = np.bincount(sentence[ids > 0], minlength=n_sentences)
    if "ID" in columns:
        ranges = np.flatnonzero((ids == _RANGE) & ~left_out[sentence])
        _check_ranges(columns["ID"], ranges, line, sentence, words_of, findings)
    wordless = np.flatnonzero((words_of == 0) & ~left_out)
    findings.add("no words", first_line[wordless], "the sentence has no word", "a line with ID 1")
    left_out[wordless] = True
    findings.raise_first()

    kept = np.flatnonzero((ids > 0) & ~left_out[sentence])
    if not len(kept):
        first = min(findings.incidents, key=lambda incident: (incident.file, incident.line))
        raise DataError(
            first,
            f"No sentence is left of {n_sentences:,}: check whether this is a {layout.name} file.",
            [*opened.incidents, *findings.incidents],
        )
    tokens = _tokens(columns, layout, kept, ids, sentence, words_of, line, findings)
    findings.raise_first()
    if strict:
        known = _identifiers(lines, comment, row_line, row_sentence) if identifiers else {}
        skipped = list(opened.incidents)
        del opened, lines, findings, row_line, row_sentence, line, sentence, ids, kept  # frees memory for the result
        return ConllColumns(_widened(tokens), Columns(known), skipped)
    sentences = Columns(
        {
            "sentence": np.arange(n_sentences),
            "line": first_line + 1,
            "words": words_of,
            "roots": _roots_of(tokens, left_out),
            "multiword_tokens": np.bincount(sentence[ids == _RANGE], minlength=n_sentences),
            "empty_nodes": np.bincount(sentence[ids == _EMPTY_NODE], minlength=n_sentences),
            "kept": ~left_out,
            **_comments(lines, comment, row_line, row_sentence, n_sentences),
        }
    )
    found = [*opened.incidents, *sorted(findings.incidents, key=lambda incident: (incident.file, incident.line))]
    return ConllColumns(_widened(tokens), sentences, found)


def _tokens(
    columns: dict[str, Coded],
    layout: Format,
    kept: np.ndarray,
    ids: np.ndarray,
    sentence: np.ndarray,
    words_of: np.ndarray,
    line: np.ndarray,
    findings: _Findings,
) -> dict[str, Any]:
    """The columns of the tokens table, of the kept rows; numbers have 32 bits. ``columns`` is emptied."""
    whole = len(kept) == len(line)
    position, token_sentence = (ids, sentence) if whole else (ids[kept], sentence[kept])
    tokens: dict[str, Any] = {"sentence": token_sentence, "position": position}
    for column, layer in layout.layers.items():
        coded = columns.pop(column, Coded(np.empty(0, dtype=np.int64), []))
        if layer == "head":
            heads = _heads(coded) if whole else _heads(coded)[kept]
            if (heads != _NO_HEAD).any():
                length = words_of.astype(np.int32)[token_sentence]
                _check_heads(heads, coded, kept, position, length, line, findings)
                tokens["head"] = np.where(heads > length, _NO_HEAD, np.maximum(heads, _NO_HEAD))
        elif layer == "form" or _specified(coded, kept):
            tokens[layer] = coded if whole and "" not in coded.values else coded.take(kept).used()
    if "coarse" in tokens and "universal" not in tokens and _UNIVERSAL.issuperset(tokens["coarse"].values):
        tokens["universal"] = tokens["coarse"]
    return tokens


def _widened(tokens: dict[str, Any]) -> Columns:
    """The columns with numbers of 64 bits; ``tokens`` is emptied."""
    wide: dict[str, Any] = {}
    for name in list(tokens):
        values = tokens.pop(name)
        wide[name] = values.astype(np.int64) if isinstance(values, np.ndarray) else values
    return Columns(wide)


def _roots_of(tokens: dict[str, Any], left_out: np.ndarray) -> np.ndarray:
    """Roots of each sentence; -1 without heads, or if the sentence was left out."""
    if "head" not in tokens:
        return np.full(len(left_out), -1)
    return np.where(left_out, -1, np.bincount(tokens["sentence"][tokens["head"] == 0], minlength=len(left_out)))


def read_forgiving(source: Source, layout: Format, strict: bool) -> ConllColumns:
    """Read with identifiers: first strictly, which is fast; after a defect, unless strict, again with all incidents."""
    try:
        return read_columns(source, layout, True, identifiers=True)
    except DataError:
        if strict:
            raise
        return read_columns(source, layout, False)


def _trimmed(data: bytes, columns: int) -> bytes:
    """Return the lines cut off after this number of columns."""
    further = rb"(?m)^((?:[^\t\n]*\t){%d}[^\t\n]*)\t.*$" % (columns - 1)
    return re.sub(further, rb"\1", data)


def _sentences_of(row_line: np.ndarray, blank: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the sentence of each row, and the line of the first row of each sentence."""
    blanks_before = np.cumsum(blank, dtype=np.int32)[row_line]
    begins = np.empty(len(row_line), dtype=bool)
    begins[0] = True
    np.not_equal(blanks_before[1:], blanks_before[:-1], out=begins[1:])
    return np.cumsum(begins, dtype=np.int32) - 1, row_line[begins]


def _kinds_of_lines(lines: Lines, has_comments: bool) -> tuple[np.ndarray, np.ndarray]:
    """Find blank lines (also with white space only) and comments."""
    first = lines.buffer[lines.starts]
    blank = first == ord("\n")
    for line in np.flatnonzero((first == ord(" ")) | (first == ord("\t"))):
        blank[line] = not lines.text(line).strip()
    return blank, (first == ord("#")) & has_comments


def _parsed(lines: Lines, rows: np.ndarray, layout: Format) -> dict[str, Coded]:
    """Parse the rows, which have the columns of the format, column by column: codes and distinct values."""
    wanted = [place for place, column in enumerate(layout.columns) if column == "ID" or column in layout.layers]
    codes = {place: np.empty(len(rows), dtype=np.int32) for place in wanted}
    firsts: dict[int, list[tuple[slice, np.ndarray, np.ndarray]]] = {place: [] for place in wanted}
    for begin in range(0, len(rows), _ROWS_AT_ONCE):  # limits the memory
        own = slice(begin, begin + _ROWS_AT_ONCE)
        first = lines.first[rows[own]].astype(np.int64)
        for place in wanted:
            before = lines.marks[first + (place - 1)] if place else lines.starts[rows[own]] - 1
            begins, ends = before.astype(np.int64) + 1, lines.marks[first + place].astype(np.int64)
            codes[place][own], new = span_codes(lines.data, begins, ends)
            firsts[place].append((own, begins[new], ends[new]))
    return {layout.columns[place]: _joined(lines.data, codes[place], firsts[place]) for place in wanted}


def _joined(data: bytes, codes: np.ndarray, blocks: list[tuple[slice, np.ndarray, np.ndarray]]) -> Coded:
    """One column from the codes of each block of rows and where the values of each block stand."""
    starts, ends = (np.concatenate([block[side] for block in blocks]) for side in (1, 2))
    all_values = distinct_spans(data, starts, ends)
    done = 0
    for own, values, _ in blocks:
        codes[own] = all_values.codes[done : done + len(values)][codes[own]]
        done += len(values)
    return Coded(codes, all_values.values)


def _specified(coded: Coded, rows: np.ndarray) -> bool:
    """Return some rows of a column as categories, in order of first use in the file."""
    values = list(coded.values)
    return bool(len(rows)) and ("_" not in values or bool((coded.codes[rows] != values.index("_")).any()))


def _ids(coded: Coded) -> np.ndarray:
    """Return the position of each word; special codes for ranges, empty nodes and anything else."""

    def read(value: str) -> int:
        match = _ID.fullmatch(value)
        if match is None:
            return _BAD_ID
        return int(match[1]) if match[1] else _RANGE if match[2] else _EMPTY_NODE

    return np.array([read(value) for value in coded.values], dtype=np.int32)[coded.codes]


def _heads(coded: Coded) -> np.ndarray:
    """Return the head of each row; special codes for ``_`` and for non-numbers."""
    heads = [
        _NO_HEAD if value == "_" else int(value) if _HEAD.fullmatch(value) else _BAD_HEAD for value in coded.values
    ]
    return np.array(heads, dtype=np.int32)[coded.codes]


def _running(sentence: np.ndarray) -> np.ndarray:
    """Return 1, 2, 3 ... in each sentence."""
    begins = np.flatnonzero(np.r_[True, sentence[1:] != sentence[:-1]])
    before = np.repeat(begins.astype(np.int32), np.diff(np.r_[begins, len(sentence)]))
    return np.arange(1, len(sentence) + 1, dtype=np.int32) - before


def _fill_empty(columns: dict[str, Coded], line: np.ndarray, findings: _Findings) -> None:
    """Read empty fields as ``_`` and report an incident for each."""
    for column, coded in columns.items():
        codes, values = coded.codes, list(coded.values)
        if "" in values:
            empty = np.flatnonzero(codes == values.index(""))
            findings.add("empty field", line[empty], f"{column} is empty", "_ for a missing value")
            if "_" in values:
                columns[column] = Coded(np.where(codes == values.index(""), values.index("_"), codes), values)
            else:
                columns[column] = Coded(codes, [value or "_" for value in values])


def _check_order(
    ids: np.ndarray, line: np.ndarray, sentence: np.ndarray, left_out: np.ndarray, findings: _Findings
) -> None:
    """Check that the words of a sentence are numbered 1, 2, 3 ...; one incident per sentence, at the first error."""
    if _in_order(ids, sentence):
        return
    words = np.flatnonzero((ids > 0) & ~left_out[sentence])
    if not len(words):
        return
    expected = _running(sentence[words])
    wrong = np.flatnonzero(ids[words] != expected)
    wrong = wrong[np.unique(sentence[words[wrong]], return_index=True)[1]]
    repeated = ids[words[wrong]] < expected[wrong]
    twice, apart = wrong[repeated], wrong[~repeated]
    findings.add("duplicate id", line[words[twice]], lambda i: f"the ID {ids[words[twice[i]]]} occurs twice")
    findings.add(
        "id out of order",
        line[words[apart]],
        lambda i: f"the ID {ids[words[apart[i]]]} is in the place of {expected[apart[i]]}",
    )
    left_out[sentence[words[wrong]]] = True


def _in_order(ids: np.ndarray, sentence: np.ndarray) -> bool:
    """Whether all rows are words, numbered 1, 2, 3 ... in each sentence; quick."""
    follows = sentence[1:] == sentence[:-1]
    return bool(len(ids)) and ids[0] == 1 and np.array_equal(ids[1:], np.where(follows, ids[:-1], 0) + 1)


def _check_ranges(
    coded: Coded, rows: np.ndarray, line: np.ndarray, sentence: np.ndarray, words_of: np.ndarray, findings: _Findings
) -> None:
    """Check that a multiword token covers words of its own sentence."""
    if not len(rows):
        return
    of_value = np.zeros((len(coded.values), 2), dtype=np.int64)
    used = np.flatnonzero(np.bincount(coded.codes[rows]))
    of_value[used] = [coded.values[code].split("-") for code in used.tolist()]
    bounds = of_value[coded.codes[rows]]
    wrong = rows[(bounds[:, 0] > bounds[:, 1]) | (bounds[:, 1] > words_of[sentence[rows]])]
    findings.add(
        "bad range",
        line[wrong],
        lambda i: (
            f"the multiword token is {_value(coded, wrong[i])}, but the sentence has "
            f"{_counted(words_of[sentence[wrong[i]]], 'word')}"
        ),
    )


def _check_heads(
    heads: np.ndarray,
    coded: Coded,
    rows: np.ndarray,
    position: np.ndarray,
    length: np.ndarray,
    line: np.ndarray,
    findings: _Findings,
) -> None:
    """Check that each head is 0 or another word of the sentence, and that following heads ends at 0."""

    def add(kind: str, at: np.ndarray, found: Callable[[int], str], expected: str = "") -> None:
        findings.add(kind, line[rows[at]], lambda i: found(at[i]), expected)

    add("no head", np.flatnonzero(heads == _NO_HEAD), lambda i: f"word {position[i]} has no head", "a number")
    add(
        "head is not a number",
        np.flatnonzero(heads == _BAD_HEAD),
        lambda i: f"the head of word {position[i]} is {quoted(_value(coded, rows[i]))}",
        "a whole number, 0 for the root",
    )
    add(
        "head out of range",
        np.flatnonzero(heads > length),
        lambda i: f"the head of word {position[i]} is {heads[i]}, but the sentence has {_counted(length[i], 'word')}",
    )
    add("self-head", np.flatnonzero(heads == position), lambda i: f"word {position[i]} is its own head")
    for at, members in _cycles(heads, position, length):
        shown = members[:_MAXIMUM_SHOWN] + ["…"] * (len(members) > _MAXIMUM_SHOWN)
        chain = ", ".join(map(str, shown))
        findings.add("cycle", line[rows[[at]]], f"the heads of words {chain} form a cycle")
        if findings.strict:
            break


def _cycles(heads: np.ndarray, position: np.ndarray, length: np.ndarray) -> Iterator[tuple[int, list[int]]]:
    """Find one cycle in each sentence that has any: row of its first word, and positions of its words."""
    starts = np.flatnonzero(position == 1)
    places = np.searchsorted(starts, np.arange(0, starts[-1] + 1, _ROWS_AT_ONCE))
    cuts = starts[places[np.diff(places, prepend=-1) > 0]]
    for begin, end in pairwise([*cuts.tolist(), len(heads)]):
        rows = slice(begin, end)
        for row, members in _cycles_of(heads[rows], position[rows], length[rows]):
            yield begin + row, members


def _cycles_of(heads: np.ndarray, position: np.ndarray, length: np.ndarray) -> Iterator[tuple[int, list[int]]]:
    """Find the cycles in a part of the file.

    By pointer doubling, every word moves to its head, its head's head and so on, twice as far each time; words that
    have not reached the root after more steps than the sentence has words are on or below a cycle. Self-heads count as
    roots here.
    """
    root = len(heads)
    row = np.arange(root)
    follows = (heads > 0) & (heads <= length) & (heads != position)
    up = np.append(np.where(follows, row - position + heads, root), root)
    jumps, longest = up, int(length.max(initial=0))
    while longest and (jumps != root).any():
        jumps = jumps[jumps]
        longest >>= 1
    lost = np.flatnonzero(jumps[:root] != root)
    starts = (row - position + 1)[lost]
    for at in lost[np.unique(starts, return_index=True)[1]]:
        begin = int(jumps[at])  # on a cycle: as many steps away as the longest sentence has words
        members = [begin]
        while (following := int(up[members[-1]])) != begin:
            members.append(following)
        members.sort()
        yield members[0], [int(position[member]) for member in members]


def _comments(
    lines: Lines, comment: np.ndarray, row_line: np.ndarray, row_sentence: np.ndarray, n_sentences: int
) -> dict[str, list[str]]:
    """Return the comments of each sentence: those before its last word; the last sentence also has those after it."""
    of: dict[int, list[str]] = {}
    where = np.flatnonzero(comment)
    nearest = np.minimum(np.searchsorted(row_line, where), len(row_line) - 1)
    for line, sentence in zip(where.tolist(), row_sentence[nearest].tolist(), strict=True):
        of.setdefault(sentence, []).append(lines.text(line))

    def filled(found: Mapping[int, str]) -> list[str]:
        values = [""] * n_sentences
        for sentence, value in found.items():
            values[sentence] = value
        return values

    def named(name: str) -> list[str]:
        pattern = re.compile(rf"#\s*{name}\s*=\s*(.*)")
        values = {sentence: [match[1] for text in texts if (match := pattern.match(text))]
                  for sentence, texts in of.items()}  # fmt: skip
        return filled({sentence: found[0].strip() for sentence, found in values.items() if found})

    joined = filled({sentence: "\n".join(texts) for sentence, texts in of.items()})
    return {"sent_id": named("sent_id"), "text": named("text"), "comments": joined}


_SENT_ID = re.compile(rb"#\s*sent_id\s*=(.*)", re.DOTALL)
_SPACES = np.frombuffer(b" \t\v\f\r", dtype=np.uint8)


def _identifiers(lines: Lines, comment: np.ndarray, row_line: np.ndarray, row_sentence: np.ndarray) -> dict[str, Any]:
    """Read the comments ``sent_id``, fast; empty if there is none."""
    found = [""] * (int(row_sentence[-1]) + 1)
    where = np.flatnonzero(comment)
    second, third = (lines.buffer[np.minimum(lines.starts[where] + place, lines.ends[where])] for place in (1, 2))
    space = np.isin(second, _SPACES)
    where = where[(second == ord("s")) | (space & ((third == ord("s")) | np.isin(third, _SPACES)))]  # may be one
    nearest = np.minimum(np.searchsorted(row_line, where), len(row_line) - 1)
    bounds = zip(lines.starts[where].tolist(), lines.ends[where].tolist(), strict=True)
    for (start, end), sentence in zip(reversed(list(bounds)), row_sentence[nearest][::-1].tolist(), strict=True):
        match = _SENT_ID.match(lines.data, start, end)
        if match:
            found[sentence] = match[1].decode("utf-8").strip()
    return {"sentence": np.arange(len(found)), "sent_id": found}


def _value(coded: Coded, row: int | np.integer) -> str:
    return coded.values[int(coded.codes[row])]


def _counted(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
