r"""Read clusterings in common formats.

==============  ==========================================  =============================================
format          one line                                    table
==============  ==========================================  =============================================
tags            the tag of one token                        ``sentence``, ``position``, ``cluster``
words-and-tags  word TAB tag, of one token                  ``sentence``, ``position``, ``form``, ``cluster``
slashed         ``the/D cat/N``, of one sentence            ``sentence``, ``position``, ``form``, ``cluster``
types           word TAB class, of one word type            ``form``, ``cluster``
paths           bits TAB word TAB count, of one word type   ``form``, ``cluster``, ``frequency``
map             word TAB bits-L number TAB bits-R number    ``form``, ``cluster``, ``frequency``
                TAB bits-freq count, of one word type
==============  ==========================================  =============================================

``types`` is the output of mkcls, ClusterCat and the program of Clark (2003); a number may follow the class, and blanks
may replace the TABs if every line has a word, a class and a number. The last two are the output of the Brown clustering
program wcluster; the cluster is the string of bits. In the first two a blank line ends a sentence; in slashed text the
last slash of a token separates word and tag. Defects, and their treatment with ``strict=False``:

==============  =====================================================  =======================================
no tag          a word with nothing after the TAB, or no word/tag      kept, its cluster is missing
blank in tag    a tag with a blank: perhaps a word and its tag         kept unchanged
other format    a line that is not of the format of the file           left out
listed twice    a word type on two lines                               the first line is kept
==============  =====================================================  =======================================
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from analysis.corpora.file_formats import MAP, PATHS, decide_format, format_named, type_of
from analysis.corpora.opening import Source, open_text
from analysis.corpora.writing import Target, write_target
from analysis.structures import DataError, Incident, check_columns, incidents_table
from analysis.structures.columns import Columns
from analysis.structures.incidents import line_named, quoted
from analysis.structures.lazy import pd

FORMATS = {
    "tags": "a tag",
    "words-and-tags": "word TAB tag",
    "slashed": "the/D cat/N",
    "types": "word TAB class",
    "paths": "bits TAB word TAB count",
    "map": "word TAB bits-L number TAB bits-R number TAB bits-freq count",
}
_OF_BROWN = {"paths": PATHS, "map": MAP}
_ADVICE = "Give strict=False to keep what can be kept and list such incidents, or format= if the format is another one."


class ClusteringReading(NamedTuple):
    """A clustering, its format, and incidents.

    Attributes
    ----------
    table : DataFrame
        See the module's table of formats.
    format : str
        One of `FORMATS`.
    kind : str
        ``"tokens"``: one row per token; ``"types"``: one row per word type.
    incidents : DataFrame
        One row per incident: ``file``, ``line``, ``kind``, ``found``, ``text``, ``expected``.
    """

    table: pd.DataFrame
    format: str
    kind: str
    incidents: pd.DataFrame


class ClusteringColumns(NamedTuple):
    """The same before there is need of a DataFrame: words and clusters are lists, None for a missing cluster."""

    table: Columns
    format: str
    kind: str
    incidents: list[Incident]

    def to_frames(self) -> ClusteringReading:
        """The reading as DataFrames."""
        return ClusteringReading(self.table.to_frame(), self.format, self.kind, incidents_table(self.incidents))


def read_clustering(
    source: Source, *, format: str = "auto", strict: bool = True, encoding: str | None = None
) -> ClusteringReading:
    r"""Read a clustering and detect its format.

    Parameters
    ----------
    source : path, text, or another source of `analysis.corpora.opening.open_text`
    format : {"auto", "tags", "words-and-tags", "slashed", "types", "paths", "map"}
        ``"auto"``: detected from all lines (`analysis.corpora.file_formats.decide_format`).
    strict : bool
        Whether the first defect raises an error; else usable lines are kept and the defects are listed.
    encoding : str, optional

    Returns
    -------
    ClusteringReading

    Raises
    ------
    DataError
        At the first defect if strict; always if the file is an HTML page or has no line of its format.
    ValueError
        If the format is unknown.

    Examples
    --------
    >>> reading = read_clustering("the\tD\ncat\tN\n")
    >>> reading.format, reading.kind
    ('words-and-tags', 'tokens')
    >>> read_clustering("00\tthe\t5\n01\tcat\t2\n").table
      form cluster  frequency
    0  the      00          5
    1  cat      01          2
    >>> read_clustering("the\t2\ncat\t3\n").format
    'types'
    """
    return read_clustering_columns(source, format=format, strict=strict, encoding=encoding).to_frames()


def read_clustering_columns(
    source: Source, *, format: str = "auto", strict: bool = True, encoding: str | None = None
) -> ClusteringColumns:
    r"""Read a clustering as columns; arguments and errors as of `read_clustering`.

    Examples
    --------
    >>> read_clustering_columns("the\tD\ncat\tN\n").table["cluster"]
    ['D', 'N']
    """
    opened = open_text(source, encoding=encoding)
    incidents = list(opened.incidents)
    if format == "auto":
        found, notice = decide_format(opened, FORMATS)
        incidents += [notice] if notice else []
    else:
        found = format_named(format, FORMATS)
    lines = opened.lines()
    first = next((line for line in lines if line.strip()), None)
    if first is None:
        raise DataError(Incident(opened.name, 0, "empty", "the file has no line", "", "one tag or one word per line"))
    reading = _Reading(opened.name, found, strict, incidents)
    kind = "types" if found in ("types", *_OF_BROWN) else "tokens"
    read = reading.types if kind == "types" else reading.slashed if found == "slashed" else reading.tokens
    rows = read(lines)
    if not len(rows):
        nothing = Incident(opened.name, 0, "empty", f"no line has the format {found!r}", first, FORMATS[found])
        raise DataError(nothing, gathered=incidents)
    return ClusteringColumns(rows, found, kind, incidents)


class _Reading:
    def __init__(self, name: str, format: str, strict: bool, incidents: list[Incident]) -> None:
        self.name, self.format, self.strict, self.incidents = name, format, strict, incidents

    def note(self, line: int, kind: str, found: str, text: str) -> None:
        incident = Incident(self.name, line, kind, found, text, FORMATS[self.format])
        if self.strict:
            raise DataError(incident, _ADVICE)
        self.incidents.append(incident)

    def tokens(self, lines: list[str]) -> Columns:
        with_words = self.format == "words-and-tags"
        sentences, positions, forms, tags = [], [], [], []
        sentence, position = 0, 0
        for number, line in enumerate(lines, start=1):
            if not line.strip():
                sentence += position > 0
                position = 0
                continue
            cells = line.split("\t")
            if len(cells) != 1 + with_words or not cells[0].strip():
                what = "a word and a tag" if with_words else "a tag alone"
                self.note(number, "other format", f"this line is not {what}: it has {len(cells)} cells", line)
                continue
            tag: str | None = cells[-1].strip()
            if not tag:
                self.note(number, "no tag", f"{quoted(cells[0])} has no tag", line)
                tag = None
            elif len(tag.split()) > 1:
                self.note(number, "blank in tag", f"the tag {quoted(tag)} has a blank in it", line)
            position += 1
            sentences.append(sentence)
            positions.append(position)
            forms.append(cells[0])
            tags.append(tag)
        numbers = {"sentence": _whole(sentences), "position": _whole(positions)}
        return Columns({**numbers, **({"form": forms} if with_words else {}), "cluster": tags})

    def slashed(self, lines: list[str]) -> Columns:
        sentences, positions, forms, tags = [], [], [], []
        sentence = 0
        for number, line in enumerate(lines, start=1):
            tokens = line.split()
            for position, token in enumerate(tokens, start=1):
                form, _, tag = token.rpartition("/")
                if not (form and tag):
                    self.note(number, "no tag", f"{quoted(token)} is not a word/label", line)
                sentences.append(sentence)
                positions.append(position)
                forms.append(form or token)
                tags.append(tag if form and tag else None)
            sentence += bool(tokens)
        numbers = {"sentence": _whole(sentences), "position": _whole(positions)}
        return Columns({**numbers, "form": forms, "cluster": tags})

    def types(self, lines: list[str]) -> Columns:
        pattern = _OF_BROWN.get(self.format)
        place: dict[str, int] = {}
        clusters, frequencies = [], []
        for number, line in enumerate(lines, start=1):
            if not line.strip():
                continue
            match = pattern.fullmatch(line) if pattern else None
            found = (match["form"], match["cluster"]) if match else None if pattern else type_of(line)
            if found is None:
                self.note(number, "other format", f"this line is not a line of {self.format!r}", line)
                continue
            form, cluster = found
            if form in place:
                self.note(
                    number,
                    "listed twice",
                    f"{quoted(form)} occurs already in {line_named(self.name, place[form])}",
                    line,
                )
                continue
            place[form] = number
            clusters.append(cluster)
            if match:
                frequencies.append(int(match["frequency"]))
        counted = {"frequency": _whole(frequencies)} if pattern else {}
        return Columns({"form": list(place), "cluster": clusters, **counted})


def _whole(numbers: list[int]) -> np.ndarray:
    return np.array(numbers, dtype=np.int64)


def write_clustering(table: pd.DataFrame, file: Target = None, *, format: str) -> str | None:
    r"""Write a clustering: what `read_clustering` reads, the same again.

    Parameters
    ----------
    table : DataFrame
        The columns of the format; see the module's table. Of a table of tokens ``sentence`` says where sentences end.
    file : path or open text file, optional
        Written whole or not at all (UTF-8, LF line ends; .xz and .gz compress); without it the text is returned.
    format : {"tags", "words-and-tags", "slashed", "types", "paths", "map"}
        ``"map"`` also has the columns ``left`` and ``right``, the numbers that stand after ``bits-L`` and ``bits-R``.

    Returns
    -------
    str or None
        The text, if no file is given.

    Raises
    ------
    ValueError
        If a column is missing, or the format cannot hold a word or a cluster: a word with a tab, a cluster with a
        blank, a token without a cluster (only ``"words-and-tags"`` can leave it out), a path that is not a bits.

    Examples
    --------
    >>> write_clustering(pd.DataFrame({"form": ["the", "cat"], "cluster": ["00", "01"]}), format="types")
    'the\t00\ncat\t01\n'
    >>> tokens = pd.DataFrame({"sentence": [0, 0, 1], "form": ["the", "cat", "ran"], "cluster": ["D", "N", "V"]})
    >>> write_clustering(tokens, format="slashed")
    'the/D cat/N\nran/V\n'
    """
    named = format_named(format, FORMATS)
    check_columns(table, _WRITTEN[named], "the clustering")
    cells = {name: table[name].astype(object).where(table[name].notna(), "").map(str).tolist()
             for name in _WRITTEN[named] if name != "sentence"}  # fmt: skip
    _refuse_cells(cells, named)
    clusters = cells["cluster"]
    if named == "paths":
        lines = list(map("\t".join, zip(clusters, cells["form"], cells["frequency"], strict=True)))
    elif named == "map":
        lines = [f"{form}\t{bits}-L {left}\t{bits}-R {right}\t{bits}-freq {count}"
                 for form, bits, left, right, count in zip(cells["form"], clusters, cells["left"], cells["right"],
                                                           cells["frequency"], strict=True)]  # fmt: skip
    elif named == "types":
        lines = list(map("\t".join, zip(cells["form"], clusters, strict=True)))
    else:
        between = {"tags": "", "words-and-tags": "\t", "slashed": "/"}[named]
        words = cells.get("form", [""] * len(clusters))
        tokens = [word + between + cluster for word, cluster in zip(words, clusters, strict=True)]
        numbers = table["sentence"].to_numpy()
        ends = [*(place + 1 for place in range(len(tokens) - 1) if numbers[place] != numbers[place + 1]), len(tokens)]
        join = " " if named == "slashed" else "\n"
        lines = [join.join(tokens[start:end]) for start, end in zip([0, *ends], ends, strict=False)]
        if named != "slashed":
            lines = "\n\n".join(lines).split("\n")
    return write_target("\n".join(lines) + "\n", file)


_WRITTEN = {
    "tags": ("sentence", "cluster"),
    "words-and-tags": ("sentence", "form", "cluster"),
    "slashed": ("sentence", "form", "cluster"),
    "types": ("form", "cluster"),
    "paths": ("form", "cluster", "frequency"),
    "map": ("form", "cluster", "frequency", "left", "right"),
}
_LINE_ENDS = "\n\r\0"


def _refuse_cells(cells: dict[str, list[str]], format: str) -> None:
    """Refuse a table without rows, and what a line of the format cannot hold."""
    if not cells["cluster"]:
        raise ValueError("there is nothing to write: the clustering has no row.")
    words = {"slashed": " \t" + _LINE_ENDS, "tags": ""}.get(format, "\t" + _LINE_ENDS)
    for row, form in enumerate(cells.get("form", [])):
        if not form.strip() or any(mark in form for mark in words):
            raise ValueError(f"row {row}: the word {form!r} cannot be written as {format!r}.")
    for row, cluster in enumerate(cells["cluster"]):
        bits = format in _OF_BROWN
        if not cluster and not bits and format != "words-and-tags":
            raise ValueError(
                f"row {row} has no cluster, which {format!r} cannot say: leave it out, or give it one, or take "
                "'words-and-tags'."
            )
        if len(cluster.split()) > 1 or cluster.strip() != cluster or (format == "slashed" and "/" in cluster):
            raise ValueError(f"row {row}: the cluster {cluster!r} cannot be written as {format!r}.")
        if bits and cluster.strip("01"):
            raise ValueError(f"row {row}: {cluster!r} is not a path of bits, as {format!r} has them.")
