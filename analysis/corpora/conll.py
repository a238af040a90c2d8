"""Read and write tab-separated treebanks: CoNLL-U, CoNLL-X and the challenge's nine columns.

A word is a line whose ID is a whole number. Multiword-token ranges (``3-4``) and empty nodes (``3.1``) are counted but
are not words. The tokens table does not contain them, nor DEPS, MISC, PHEAD and PDEPREL, so they are lost when a file
is read and written again.

The defects of a file are listed below. With ``strict=True`` the first defect raises an error; with ``strict=False``
each is an incident, and the sentence is kept or left out as in the last column:

=====================  ==========================================================  ===================================
kind                   defect                                                      with ``strict=False``
=====================  ==========================================================  ===================================
columns                a line has too few or too many columns                      sentence left out
bad id                 an ID is not a whole number, range or empty node            sentence left out
duplicate id           two words of a sentence have the same ID                    sentence left out
id out of order        the IDs are not 1, 2, 3 and so on                           sentence left out
no words               only ranges and empty nodes between two blank lines         sentence left out
empty field            a column is empty, without even ``_``                       kept, read as ``_``
bad range              a multiword token is not within its sentence                kept
no head                HEAD is ``_`` though other words of the file have heads     kept, head -1
head is not a number   HEAD is something else                                      kept, head -1
head out of range      HEAD is greater than the number of words                    kept, head -1
self-head              a word is its own head                                      kept unchanged
cycle                  the heads form a cycle; reported once per sentence          kept unchanged
=====================  ==========================================================  ===================================

A sentence that is left out keeps its number, so that the other sentences still match those of another file. A head of
-1 means no head; it never agrees with a gold head.

The following are accepted without an incident: a byte-order mark, CRLF or CR line ends, no blank line at the end,
several blank lines in a row, comments anywhere, several roots (they are counted), spaces in a form, characters in
decomposed form (kept unchanged), ``NA``, ``null`` and quotation marks as words, sentences of any length. An HTML page
instead of the file, bytes that are invalid in the encoding, and a file without words are always errors.
"""

from collections.abc import Sequence
from numbers import Integral
from typing import Literal, overload

import numpy as np
import pandas as pd

from analysis.corpora.conll_reading import CONLLU, CONLLX, LAYOUTS, NINE, WORD_TAG_HEAD, ConllReading, Format, read
from analysis.corpora.file_formats import TREEBANKS, decide_format, format_named
from analysis.corpora.opening import Source, open_text
from analysis.corpora.writing import Target, write_target
from analysis.structures import check_tokens, incidents_table

__all__ = [
    "ConllReading",
    "read_conll",
    "read_conllu",
    "read_conllx",
    "read_nine_columns",
    "read_word_tag_head",
    "write_conllu",
    "write_conllx",
    "write_nine_columns",
]

# ------------------------------------------------------------------------------------------------- public: reading


def read_conll(
    source: Source, *, format: str = "auto", strict: bool = True, encoding: str | None = None, identifiers: bool = True
) -> ConllReading:
    r"""Read a tab-separated treebank and detect its format.

    Parameters
    ----------
    source : path, text, bytes, zipfile.Path or open file
        See `analysis.corpora.opening.open_text`.
    format : {"auto", "conllu", "conllx", "nine-columns", "conll2008", "conll2009", "word-tag-head"}
        Auto: detected from all rows and the name (`analysis.corpora.file_formats.decide_format`).
    strict : bool
        Whether the first defect raises an error (default), or all are listed; see the table at the top of this module.
    encoding : str, optional
    identifiers : bool
        Whether a strict reading also fills ``sentences``, with ``sentence`` and ``sent_id``.

    Returns
    -------
    ConllReading
        An incident reports an uncertain format.

    Raises
    ------
    DataError
        See `read_conllu`; also if no row has one of these formats.
    ValueError
        If there is no such format.

    Examples
    --------
    >>> read_conll("1\tLook\tlook\tVB\tVB\t_\t0\tROOT\t_\t_\n").tokens.columns.tolist()
    ['sentence', 'position', 'form', 'lemma', 'coarse', 'fine', 'head', 'relation']
    """
    text = open_text(source, encoding=encoding)
    notice = None
    if format == "auto":
        format, notice = decide_format(text, TREEBANKS)
    reading = read(text, LAYOUTS[format_named(format, TREEBANKS)], strict, identifiers=identifiers)
    if notice is None:
        return reading
    found = [incidents_table([notice]), *([reading.incidents] if len(reading.incidents) else [])]
    return reading._replace(incidents=pd.concat(found, ignore_index=True))


@overload
def read_conllu(source: Source, *, strict: Literal[True] = True, encoding: str | None = None) -> pd.DataFrame: ...
@overload
def read_conllu(source: Source, *, strict: Literal[False], encoding: str | None = None) -> ConllReading: ...
def read_conllu(source: Source, *, strict: bool = True, encoding: str | None = None) -> pd.DataFrame | ConllReading:
    r"""Read CoNLL-U: ``universal`` is UPOS, ``fine`` is XPOS if the file has any, ``features`` is FEATS.

    Parameters
    ----------
    source : path, text, bytes, zipfile.Path or open file
        See `analysis.corpora.opening.open_text`.
    strict : bool
        Whether the first defect raises an error (default), or all are listed; see the table at the top of this module.
    encoding : str, optional
        The default is UTF-8, or UTF-16 if there is a byte-order mark.

    Returns
    -------
    DataFrame or ConllReading
        The tokens table; or, with ``strict=False``, tokens, sentences (with their comments) and incidents.

    Raises
    ------
    DataError
        At the first defect if strict; always for a file that cannot be used. The message gives file, line and text.

    References
    ----------
    The format: universaldependencies.org/format.html.

    Examples
    --------
    >>> text = "1\tLook\tlook\tVERB\t_\t_\t0\troot\t_\t_\n2\t!\t!\tPUNCT\t_\t_\t1\tpunct\t_\t_\n"
    >>> read_conllu(text)
       sentence  position  form lemma universal  head relation
    0         0         1  Look  look      VERB     0     root
    1         0         2     !     !     PUNCT     1    punct
    >>> read_conllu(text.replace("_\t1\t", "_\t7\t"))
    Traceback (most recent call last):
    ...
    analysis.structures.incidents.DataError: text, line 2: the head of word 2 is 7, but the sentence has 2 words
    ...
    """
    reading = read(source, CONLLU, strict, encoding)
    return reading.tokens if strict else reading


@overload
def read_conllx(source: Source, *, strict: Literal[True] = True, encoding: str | None = None) -> pd.DataFrame: ...
@overload
def read_conllx(source: Source, *, strict: Literal[False], encoding: str | None = None) -> ConllReading: ...
def read_conllx(source: Source, *, strict: bool = True, encoding: str | None = None) -> pd.DataFrame | ConllReading:
    r"""Read CoNLL-X: ``coarse`` is CPOSTAG, ``fine`` is POSTAG. Errors are those of `read_conllu`.

    Parameters
    ----------
    source : path, text, bytes, zipfile.Path or open file
    strict : bool
    encoding : str, optional
        All three as in `read_conllu`.

    Returns
    -------
    DataFrame or ConllReading
        As from `read_conllu`.

    References
    ----------
    Buchholz & Marsi (2006), CoNLL-X shared task on multilingual dependency parsing, section 3.

    Examples
    --------
    >>> read_conllx("1\tLook\tlook\tV\tVB\t_\t0\tROOT\t_\t_\n")
       sentence  position  form lemma coarse fine  head relation
    0         0         1  Look  look      V   VB     0     ROOT
    """
    reading = read(source, CONLLX, strict, encoding)
    return reading.tokens if strict else reading


@overload
def read_nine_columns(source: Source, *, strict: Literal[True] = True, encoding: str | None = None) -> pd.DataFrame: ...
@overload
def read_nine_columns(source: Source, *, strict: Literal[False], encoding: str | None = None) -> ConllReading: ...
def read_nine_columns(
    source: Source, *, strict: bool = True, encoding: str | None = None
) -> pd.DataFrame | ConllReading:
    r"""Read the challenge's nine columns: CoNLL-X without its last two columns and with UPOSTAG as a sixth.

    ``coarse`` is CPOSTAG, ``fine`` POSTAG, ``universal`` UPOSTAG. Errors are those of `read_conllu`.

    Parameters
    ----------
    source : path, text, bytes, zipfile.Path or open file
    strict : bool
    encoding : str, optional
        All three as in `read_conllu`.

    Returns
    -------
    DataFrame or ConllReading
        As from `read_conllu`.

    References
    ----------
    Gelling et al. (2012), section 3.

    Examples
    --------
    >>> read_nine_columns("1\tLook\t_\tV\tVB\tVERB\t_\t0\t_\n")
       sentence  position  form coarse fine universal  head
    0         0         1  Look      V   VB      VERB     0
    """
    reading = read(source, NINE, strict, encoding)
    return reading.tokens if strict else reading


@overload
def read_word_tag_head(
    source: Source, *, strict: Literal[True] = True, encoding: str | None = None
) -> pd.DataFrame: ...
@overload
def read_word_tag_head(source: Source, *, strict: Literal[False], encoding: str | None = None) -> ConllReading: ...
def read_word_tag_head(
    source: Source, *, strict: bool = True, encoding: str | None = None
) -> pd.DataFrame | ConllReading:
    r"""Read three columns, word, tag and head, as in nltk's dependency_treebank; the tag is ``fine``.

    There are no comments in this format: a line that begins with ``#`` is a word. See `read_conllu` for arguments,
    result and errors.

    Examples
    --------
    >>> read_word_tag_head("Look\tVB\t0\n#\t#\t1\n")
       sentence  position  form fine  head
    0         0         1  Look   VB     0
    1         0         2     #    #     1
    """
    reading = read(source, WORD_TAG_HEAD, strict, encoding)
    return reading.tokens if strict else reading


# ------------------------------------------------------------------------------------------------- public: writing

_FORBIDDEN = frozenset("\t\n\r\0")


def write_conllu(tokens: pd.DataFrame, file: Target = None, *, sentences: pd.DataFrame | None = None) -> str | None:
    r"""Write CoNLL-U: UPOS from ``universal``, XPOS from ``fine``; missing columns are ``_``.

    Parameters
    ----------
    tokens : DataFrame
        Columns ``sentence`` and ``form``, and optionally ``lemma``, ``universal``, ``fine``, ``features``, ``head`` (-1
        and missing are written ``_``), ``relation``. Other columns are not written.
    file : path or open text file, optional
        File to write (UTF-8, LF line ends; compressed if the name ends in .xz or .gz); without it the text is returned.
    sentences : DataFrame, optional
        Columns ``sentence`` and ``comments`` (as in `ConllReading`); comments are written before their sentence.

    Returns
    -------
    str or None
        The text, if no file is given.

    Raises
    ------
    ValueError
        If a cell holds a tab, a line end or a NUL, a word is empty, a head is not a whole number, or ``position`` is
        not 1, 2, 3 … in each sentence (heads would point elsewhere).

    Examples
    --------
    >>> print(write_conllu(pd.DataFrame({"sentence": [0], "form": ["Look"], "head": [0]})).replace("\t", " "))
    1 Look _ _ _ _ 0 _ _ _
    <BLANKLINE>
    <BLANKLINE>
    """
    return _write(tokens, CONLLU, file, sentences)


def write_conllx(tokens: pd.DataFrame, file: Target = None) -> str | None:
    r"""Write CoNLL-X: CPOSTAG from ``coarse``, POSTAG from ``fine``, or from ``coarse`` again. See `write_conllu`.

    Parameters
    ----------
    tokens : DataFrame
        See `write_conllu`.
    file : Target, optional
        See `write_conllu`.

    Returns
    -------
    str or None

    Examples
    --------
    >>> tokens = pd.DataFrame({"sentence": [0], "form": ["Look"], "coarse": ["V"]})
    >>> print(write_conllx(tokens).replace("\t", " ").strip())
    1 Look _ V V _ _ _ _ _
    """
    return _write(tokens, CONLLX, file, None)


def write_nine_columns(tokens: pd.DataFrame, file: Target = None) -> str | None:
    r"""Write the challenge's nine columns: POSTAG is ``coarse`` again without ``fine``. See `write_conllu`.

    Parameters
    ----------
    tokens : DataFrame
        See `write_conllu`.
    file : Target, optional
        See `write_conllu`.

    Returns
    -------
    str or None

    References
    ----------
    Gelling et al. (2012), section 3.

    Examples
    --------
    >>> tokens = pd.DataFrame({"sentence": [0], "form": ["Look"], "coarse": ["V"], "universal": ["VERB"]})
    >>> print(write_nine_columns(tokens).replace("\t", " ").strip())
    1 Look _ V V VERB _ _ _
    """
    return _write(tokens, NINE, file, None)


def _write(tokens: pd.DataFrame, layout: Format, file: Target, sentences: pd.DataFrame | None) -> str | None:
    check_tokens(tokens)
    numbers = tokens["sentence"].to_numpy()
    first = np.flatnonzero(np.r_[True, numbers[1:] != numbers[:-1]])
    length = np.diff(np.r_[first, len(tokens)])
    positions = np.arange(len(tokens)) - np.repeat(first, length) + 1
    if "position" in tokens.columns and (wrong := tokens["position"].to_numpy() != positions).any():
        row = int(wrong.argmax())
        raise ValueError(
            f"tokens: row {row} has position {tokens['position'].iloc[row]}, but is word {positions[row]} of its "
            "sentence; renumber positions and heads before writing."
        )
    cells: list[Sequence[str]] = []
    for column in layout.columns:
        layer = layout.layers.get(column, "")
        if layer == "fine" and "fine" not in tokens.columns and layout is not CONLLU:
            layer = "coarse"
        if column == "ID":
            cells.append(positions.astype("str").tolist())
        elif layer not in tokens.columns:
            cells.append(["_"] * len(tokens))
        else:
            cells.append(_cells(tokens[layer], layer))
    lines = list(map("\t".join, zip(*cells, strict=True)))
    before = [""] * len(first)
    if sentences is not None:
        comments = dict(zip(sentences["sentence"], sentences["comments"], strict=True))
        before = [_comment_lines(comments.get(number, "")) for number in numbers[first].tolist()]

    blocks = zip(before, first.tolist(), (first + length).tolist(), strict=True)
    text = "".join(comment + "\n".join(lines[start:end]) + "\n\n" for comment, start, end in blocks)
    return write_target(text, file)


def _cells(column: pd.Series, layer: str) -> list[str]:
    """Convert the cells of a column to text; each distinct value is checked once."""
    codes, values = pd.factorize(column)
    written: list[str] = []
    for value in values:
        if layer == "head":
            row = int((codes == len(written)).argmax())
            text = _head_cell(value, row)
        else:
            text = str(value)
        if not _FORBIDDEN.isdisjoint(text) or (layer == "form" and not text):
            row = int((codes == len(written)).argmax())
            raise ValueError(f"tokens: row {row} has {layer} {text!r}, which a tab-separated line cannot contain.")
        written.append(text or "_")
    written.append("_")  # code -1: missing
    return np.array(written, dtype=object)[codes].tolist()


def _head_cell(head: object, row: int) -> str:
    """Convert a head to text; whole numbers may be floats, which pandas uses if some heads are missing."""
    if isinstance(head, float) and head.is_integer():
        head = int(head)
    if not isinstance(head, Integral) or isinstance(head, bool):
        raise ValueError(f"tokens: row {row} has head {head!r}; expected a whole number, 0 for the root, or nothing.")
    return str(int(head)) if int(head) >= 0 else "_"


def _comment_lines(comments: str) -> str:
    for line in comments.split("\n") if comments else []:
        if not line.startswith("#") or "\r" in line:
            raise ValueError(f"sentences: a comment must be lines that begin with '#', not {line!r}.")
    return comments + "\n" if comments else ""
