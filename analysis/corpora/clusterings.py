r"""Clusterings in the formats that people have.

==============  ==========================================  =============================================
format          one line                                    table
==============  ==========================================  =============================================
tags            the tag of one token                        ``sentence``, ``position``, ``cluster``
words and tags  word TAB tag, of one token                  ``sentence``, ``position``, ``form``, ``cluster``
paths           bits TAB word TAB count, of one word type   ``form``, ``cluster``, ``frequency``
map             word TAB bits-L number TAB bits-R number    ``form``, ``cluster``, ``frequency``
                TAB bits-freq count, of one word type
==============  ==========================================  =============================================

The last two are what the program wcluster of Brown clustering writes; the cluster is the string of bits.
In the first two a blank line ends a sentence. Defects, and what ``strict=False`` makes of them:

==============  =====================================================  =======================================
no tag          a word with nothing after the TAB                      kept, its cluster is missing
blank in tag    a tag with a blank: perhaps a word and its tag         kept as it is
other format    a line that is not of the format of the first line     left out
listed twice    a word type on two lines                               the first line is kept
not UTF-8       bytes that the encoding does not have                  kept, U+FFFD in their place
==============  =====================================================  =======================================
"""

import re
from typing import NamedTuple

import pandas as pd

from analysis.corpora.conll_reading import Source, _decoded
from analysis.structures import DataError, Incident, incidents_table

FORMATS = {
    "tags": "a tag",
    "words and tags": "word TAB tag",
    "paths": "bits TAB word TAB count",
    "map": "word TAB bits-L number TAB bits-R number TAB bits-freq count",
}
_PATHS = re.compile(r"([01]*)\t([^\t]+)\t([0-9]+)")
_MAP = re.compile(r"([^\t]+)\t([01]*)-L [^\t]+\t\2-R [^\t]+\t\2-freq ([0-9]+)")
_ADVICE = "Give strict=False to keep what can be kept and list such incidents, or format= if the format is another one."


class ClusteringReading(NamedTuple):
    """A clustering and how it was found.

    Attributes
    ----------
    table : DataFrame
        See the module's table of formats.
    format : str
        ``"tags"``, ``"words and tags"``, ``"paths"`` or ``"map"``.
    kind : str
        ``"tokens"``: one row a token; ``"types"``: one row a word type.
    incidents : DataFrame
        One row a finding: ``file``, ``line``, ``kind``, ``found``, ``text``, ``expected``.
    """

    table: pd.DataFrame
    format: str
    kind: str
    incidents: pd.DataFrame


def read_clustering(
    source: Source, *, format: str = "auto", strict: bool = True, encoding: str = "utf-8"
) -> ClusteringReading:
    r"""Read a clustering and say which format it has.

    Parameters
    ----------
    source : str, Path, bytes or file
        A file (``.gz``, ``.xz`` or inside a zip too), or its content.
    format : {"auto", "tags", "words and tags", "paths", "map"}
        ``"auto"``: the format of the first line that is not blank.
    strict : bool
        Raise at the first defect; else keep what can be kept and list the defects.
    encoding : str

    Returns
    -------
    ClusteringReading

    Raises
    ------
    DataError
        At the first defect if strict; in any case if the file is an HTML page or holds no line of its format.
    ValueError
        If the format is unknown.

    Examples
    --------
    >>> reading = read_clustering("the\tD\ncat\tN\n")
    >>> reading.format, reading.kind
    ('words and tags', 'tokens')
    >>> read_clustering("00\tthe\t5\n01\tcat\t2\n").table
      form cluster  frequency
    0  the      00          5
    1  cat      01          2
    """
    if format != "auto" and format not in FORMATS:
        raise ValueError(f"format is {format!r}; it must be 'auto' or one of {', '.join(map(repr, FORMATS))}.")
    name, data, incidents = _decoded(source, encoding, strict)
    lines = data.decode("utf-8").split("\n")
    first = next((line for line in lines if line.strip()), None)
    if first is None:
        raise DataError(Incident(name, 0, "empty", "the file has no line", "", "one tag or one word a line"))
    found = _format_of(first) if format == "auto" else format
    reading = _Reading(name, found, strict, incidents)
    rows = reading.types(lines) if found in ("paths", "map") else reading.tokens(lines)
    if not len(rows):
        raise DataError(Incident(name, 0, "empty", f"no line has the format {found!r}", first, FORMATS[found]))
    kind = "types" if found in ("paths", "map") else "tokens"
    return ClusteringReading(rows, found, kind, incidents_table(incidents))


def _format_of(line: str) -> str:
    if _MAP.fullmatch(line):
        return "map"
    if _PATHS.fullmatch(line):
        return "paths"
    return "words and tags" if "\t" in line else "tags"


class _Reading:
    def __init__(self, name: str, format: str, strict: bool, incidents: list[Incident]) -> None:
        self.name, self.format, self.strict, self.incidents = name, format, strict, incidents

    def note(self, line: int, kind: str, found: str, text: str) -> None:
        incident = Incident(self.name, line, kind, found, text, FORMATS[self.format])
        if self.strict:
            raise DataError(incident, _ADVICE)
        self.incidents.append(incident)

    def tokens(self, lines: list[str]) -> pd.DataFrame:
        with_words = self.format == "words and tags"
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
                self.note(number, "no tag", f"{cells[0]!r} has no tag", line)
                tag = None
            elif len(tag.split()) > 1:
                self.note(number, "blank in tag", f"the tag {tag!r} has a blank in it", line)
            position += 1
            sentences.append(sentence)
            positions.append(position)
            forms.append(cells[0])
            tags.append(tag)
        table = pd.DataFrame({"sentence": sentences, "position": positions}, dtype="int64")
        if with_words:
            table["form"] = pd.array(forms, dtype="str")
        table["cluster"] = pd.array(tags, dtype="str")
        return table

    def types(self, lines: list[str]) -> pd.DataFrame:
        pattern = _PATHS if self.format == "paths" else _MAP
        place: dict[str, int] = {}
        clusters, frequencies = [], []
        for number, line in enumerate(lines, start=1):
            if not line.strip():
                continue
            match = pattern.fullmatch(line)
            if match is None:
                self.note(number, "other format", f"this line is no line of {self.format!r}", line)
                continue
            one, two, frequency = match.groups()
            cluster, form = (one, two) if self.format == "paths" else (two, one)
            if form in place:
                self.note(number, "listed twice", f"{form!r} stands already in line {place[form]}", line)
                continue
            place[form] = number
            clusters.append(cluster)
            frequencies.append(int(frequency))
        return pd.DataFrame(
            {
                "form": pd.array(list(place), dtype="str"),
                "cluster": pd.array(clusters, dtype="str"),
                "frequency": pd.array(frequencies, dtype="int64").to_numpy(dtype="int64"),
            }
        )
