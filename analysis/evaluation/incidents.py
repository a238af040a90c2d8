"""What was wrong with the files that a command was given: named by kind, as a field of a record, or all in a file."""

import os
from collections.abc import Iterable, Mapping, Sequence
from os import PathLike
from pathlib import Path, PurePath
from typing import Any

from analysis.corpora.opening import Text, open_text, write_text
from analysis.evaluation.records import Record, csv_text
from analysis.structures import DataError, Incident
from analysis.structures.incidents import incidents_of, printable

__all__ = [
    "by_kind",
    "check_systems",
    "incident_lines",
    "incidents_of",
    "opened",
    "with_incidents",
    "write_incidents",
]


def by_kind(incidents: Iterable[Incident]) -> list[dict[str, Any]]:
    """One record per kind: ``kind``, ``count``, and ``file``, ``line`` and ``found`` of the first.

    Examples
    --------
    >>> by_kind([Incident("a", 3, "blank line", "the line is blank"), Incident("a", 7, "blank line", "again")])
    [{'kind': 'blank line', 'count': 2, 'file': 'a', 'line': 3, 'found': 'the line is blank'}]
    """
    records: dict[str, dict[str, Any]] = {}
    for incident in incidents:
        first = {"kind": incident.kind, "count": 0, "file": incident.file, "line": incident.line}
        records.setdefault(incident.kind, first | {"found": incident.found})["count"] += 1
    return list(records.values())


def incident_lines(incidents: Iterable[Incident]) -> list[str]:
    """One line per kind: its count and the first.

    Examples
    --------
    >>> incident_lines([Incident("a.tsv", 3, "blank line", "the line is blank")])
    ['blank line: 1, in a.tsv, line 3: the line is blank']
    """
    lines = []
    for record in by_kind(incidents):
        where = f"{record['file']}, line {record['line']}" if record["line"] else record["file"]
        found = " ".join(str(record["found"]).split())
        first = "" if record["count"] == 1 else "the first "
        lines.append(printable(f"{record['kind']}: {record['count']:,}, {first}in {where}: {found}"))
    return lines


def with_incidents(
    records: Sequence[Record],
    incidents: Sequence[Incident],
    *,
    as_text: bool,
    files: Mapping[str, Sequence[str]] | None = None,
) -> list[Record]:
    """Records with a field ``incidents``: those of the system's file and of what all systems share.

    Parameters
    ----------
    records : sequence of dict
        One per measure; ``system`` names the file, if there are several.
    incidents : sequence of Incident
    as_text : bool
        One text per record (CSV) instead of a list of records (JSON).
    files : mapping of str to sequence of str, optional
        Files of each system; by default its name is the one.
    """
    several = {record["system"] for record in records if "system" in record}
    own_files = {name: {name, *(files or {}).get(name, ())} for name in several | set(files or {})}
    cells: dict[str, Any] = {}
    for system in [*several, ""]:
        others = set().union(*(own for name, own in own_files.items() if name != system))
        own = [incident for incident in incidents if not {incident.file, *_folders(incident.file)} & others]
        cells[system] = "; ".join(incident_lines(own)) if as_text else by_kind(own)
    return [{**record, "incidents": cells[record.get("system", "")]} for record in records]


def _folders(file: str) -> list[str]:
    return [str(folder) for folder in PurePath(file).parents]


def write_incidents(file: str | PathLike, incidents: Iterable[Incident]) -> None:
    """Write all incidents as a table (CSV): ``file``, ``line``, ``kind``, ``found``, ``text``, ``expected``."""
    names = list(Incident.__dataclass_fields__)
    write_text(file, csv_text([{name: getattr(each, name) for name in names} for each in incidents], names))


def opened(source: str | Path | Text, encoding: str | None = None) -> Text:
    """The text of a file; what was opened already is given back."""
    return source if isinstance(source, Text) else open_text(Path(source), encoding=encoding)


def check_systems(systems: Iterable[object]) -> None:
    """Refuse a system that is named twice, also by two names of one file: its records could not be told apart.

    Raises
    ------
    DataError
    """
    seen: dict[object, str] = {}
    for system in map(str, systems):
        place = _place(system)
        if place in seen:
            other = "" if seen[place] == system else f": {seen[place]} is the same file"
            found = f"this system is named twice{other}; name each once"
            raise DataError(Incident(system, 0, "named twice", found))
        seen[place] = system


def _place(system: str) -> object:
    """What two names of one file have in common."""
    try:
        found = Path(system).stat()
    except (OSError, ValueError):
        return os.path.normpath(system)
    return found.st_dev, found.st_ino
