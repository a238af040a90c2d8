"""Incidents (problems found in an input), and the error raised for unusable input."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from analysis.structures.lazy import pd

#: Maximum number of characters that an error quotes.
LONGEST_QUOTED = 80

_UNPRINTABLE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")


def printable(text: str) -> str:
    r"""Escape control characters, which a terminal would interpret; keep tabs and line ends.

    Examples
    --------
    >>> printable("\x1b[2Jlook")
    '\\x1b[2Jlook'
    """
    return _UNPRINTABLE.sub(lambda match: ascii(match.group())[1:-1], text)


def quoted(text: str) -> str:
    r"""Quote text for an error message: in quotation marks, printable, cut after 80 characters.

    Examples
    --------
    >>> quoted("a\tb"), len(quoted("x" * 1000))
    ("'a\\tb'", 84)
    """
    return repr(text) if len(text) <= LONGEST_QUOTED else repr(text[:LONGEST_QUOTED]) + " …"


class FolderName(str):
    """Name of a folder whose files are read as one text; maps a line number to a file.

    Parameters
    ----------
    name : str
    files : sequence of (int, str)
        For each file, the number of the line before its first line, and its name; in ascending order.

    Examples
    --------
    >>> Incident(FolderName("ud", [(0, "ud/a.conllu"), (7, "ud/b.conllu")]), 9, "columns", "9 columns").file
    'ud/b.conllu'
    """

    files: Sequence[tuple[int, str]]

    def __new__(cls, name: str, files: Sequence[tuple[int, str]] = ()) -> FolderName:  # noqa: D102
        made = super().__new__(cls, name)
        made.files = files
        return made


def line_named(file: str, line: int) -> str:
    """Name a line in a message; for a folder, with the file that contains the line.

    Examples
    --------
    >>> line_named("a.tsv", 3), line_named(FolderName("ud", [(0, "ud/a.tsv"), (7, "ud/b.tsv")]), 9)
    ('line 3', 'line 2 of ud/b.tsv')
    """
    if not isinstance(file, FolderName):
        return f"line {line}"
    found = Incident(file, line, "", "")
    return f"line {found.line} of {found.file}"


@dataclass(frozen=True, slots=True)
class Incident:
    """One problem found in an input.

    Parameters
    ----------
    file : str
        Name of the file, as the user gave it. For a `FolderName` with a line, the file that contains the line, and the
        line is counted in that file.
    line : int
        Line number from 1; 0 if unknown.
    kind : str
        A short fixed name, such as ``"misaligned"``, for counting.
    found : str
        Description of the problem, in one sentence.
    text : str
        The text in the file.
    expected : str
        What was expected instead.

    Examples
    --------
    >>> print(Incident("a.cha", 3, "no tier", "the utterance has no %mor tier", "*MOT: look ."))
    a.cha, line 3: the utterance has no %mor tier
      *MOT: look .
    """

    file: str
    line: int
    kind: str
    found: str
    text: str = ""
    expected: str = ""

    def __post_init__(self) -> None:
        if isinstance(self.file, FolderName) and self.line:
            before, file = next(found for found in reversed(self.file.files) if found[0] < self.line)
            object.__setattr__(self, "file", file)
            object.__setattr__(self, "line", self.line - before)

    def __str__(self) -> str:
        where = f"{self.file}, line {self.line}" if self.line else self.file
        expectation = f"; expected {self.expected}" if self.expected else ""
        shown = self.text if len(self.text) <= LONGEST_QUOTED else self.text[:LONGEST_QUOTED] + " …"
        text = "\n  " + shown.replace("\n", " ") if shown else ""
        return printable(f"{where}: {self.found}{expectation}{text}")


class DataError(ValueError):
    """An input cannot be used; the message says where, what was found, and what to do.

    Examples
    --------
    >>> raise DataError(Incident("b.cha", 1, "not CHAT", "this is an HTML page", "<html>"), "Fetch it again.")
    Traceback (most recent call last):
    ...
    analysis.structures.incidents.DataError: b.cha, line 1: this is an HTML page
      <html>
    Fetch it again.
    """

    def __init__(self, incident: Incident | str, advice: str = "", gathered: Iterable[Incident] = ()) -> None:
        #: Incidents found before the error.
        self.gathered = list(gathered)
        self.incident = incident if isinstance(incident, Incident) else None
        self.advice = advice
        super().__init__(printable(str(incident) + (f"\n{advice}" if advice else "")))


@contextmanager
def gathering(incidents: Sequence[Incident]) -> Iterator[None]:
    """Attach incidents that were found earlier to errors raised within the context."""
    try:
        yield
    except ValueError as error:
        error.gathered = [*incidents, *getattr(error, "gathered", ())]  # type: ignore[attr-defined]
        raise


@contextmanager
def advising(advice: str) -> Iterator[None]:
    """Add a line to the message of an unusable input that is found within the context, if there is one to add."""
    try:
        yield
    except DataError as error:
        if not advice:
            raise
        message = "\n".join(part for part in (error.advice, advice) if part)
        first = error.incident or str(error).removesuffix(f"\n{error.advice}" if error.advice else "")
        raise DataError(first, message, error.gathered) from error


def incidents_of(table: pd.DataFrame | Sequence[Incident]) -> list[Incident]:
    """Convert a table of incidents to a list; a list stays one."""
    if isinstance(table, Sequence):
        return list(table)
    return [Incident(*row) for row in table[list(Incident.__dataclass_fields__)].itertuples(index=False)]


def incidents_frame(incidents: pd.DataFrame | Sequence[Incident]) -> pd.DataFrame:
    """Incidents as a table; a table stays as it is.

    Examples
    --------
    >>> incidents_frame(incidents_frame(())).columns.tolist()
    ['file', 'line', 'kind', 'found', 'text', 'expected']
    """
    return incidents_table(incidents) if isinstance(incidents, Sequence) else incidents


def incidents_table(incidents: Iterable[Incident]) -> pd.DataFrame:
    """Convert incidents to a table: ``file``, ``line``, ``kind``, ``found``, ``text``, ``expected``.

    Parameters
    ----------
    incidents : iterable of Incident

    Returns
    -------
    DataFrame

    Examples
    --------
    >>> incidents_table([Incident("a.cha", 3, "no tier", "no %mor tier")])[["file", "line", "kind"]]
        file  line     kind
    0  a.cha     3  no tier
    """
    names = list(Incident.__dataclass_fields__)
    rows = [[getattr(incident, name) for name in names] for incident in incidents]
    return pd.DataFrame(rows, columns=names).astype({"line": "int64"})
