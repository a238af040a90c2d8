"""Score a system's inflected forms against gold forms from files: what ``evaluate inflections`` prints."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from analysis.corpora.opening import Text, open_text
from analysis.corpora.unimorph import FormColumns, read_form_columns
from analysis.evaluation.incidents import check_systems
from analysis.evaluation.records import Record, frame_records, tabulated
from analysis.inflection.accuracy import accuracy_records, answers_of, unmatched_items
from analysis.statistics.intervals import wilson
from analysis.structures import DataError, Incident
from analysis.structures.columns import Columns
from analysis.structures.lazy import pd
from analysis.structures.matching import unmatched

_LEFT_OUT = ("missing column", "extra tab", "empty field", "no frequency")


@tabulated
def evaluate_inflections(
    gold: str | Path,
    systems: Sequence[str | Path],
    *,
    training: str | Path | None = None,
    language: str | None = None,
    columns: Sequence[str] | None = None,
    sort_features: bool = False,
    confidence: float = 0.95,
    strict: bool = False,
    encoding: str | None = None,
    incidents: list[Incident] | None = None,
) -> list[Record]:
    r"""Accuracy of each system's forms: over all items, by feature set, by what training had, and its error types.

    Parameters
    ----------
    gold : str or Path
        Lemma, form and features, tab-separated.
    systems : sequence of str or Path
        Lemma, predicted form and features of the items, in any order. An item that is missing or has no form is a
        wrong answer; an item that gold lacks is not scored.
    training : str or Path, optional
        Lemma, form and features of the training items; without it nothing is said by what was seen.
    language : {"Arabic", "English", "German"}, optional
        Class the wrong forms by the rules of this language (noun plurals, English past tense).
    columns : sequence of str, optional
        Names of the columns of all files in their order. By default the features of each file say; where these do
        not tell, a file is taken to have the columns of gold.
    sort_features : bool
        Whether the order of features does not matter.
    confidence : float
        Of the Wilson intervals.
    strict : bool
        Whether a line that cannot be read, or an item that one side lacks, is an error.
    encoding : str, optional
        Of all files.
    incidents : list of Incident, optional
        Gets what was wrong with the files.

    Returns
    -------
    DataFrame
        ``system`` (path), ``by`` (all, features, seen, whole item, errors), ``group``, ``value``, ``numerator``,
        ``denominator``, ``lower``, ``upper``, ``convention``. For errors the denominator is the wrong forms.

    Raises
    ------
    DataError
        If a file is missing or cannot be read (names file and line), a system is named twice, or no item of a system
        is an item of gold.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     gold, mine = Path(folder) / "gold.tsv", Path(folder) / "mine.tsv"
    ...     _ = gold.write_text("sing\tsang\tV;PST\nlook\tlooked\tV;PST\n", encoding="utf-8")
    ...     _ = mine.write_text("sing\tsinged\tV;PST\nlook\tlooked\tV;PST\n", encoding="utf-8")
    ...     table = evaluate_inflections(gold, [mine])
    >>> table["by"].tolist()[0], table["value"].tolist()[0]
    ('all', 0.5)
    """
    check_systems(systems)
    found = [] if incidents is None else incidents
    names = None if columns is None else tuple(columns)

    def read(path: str | Path, like: Sequence[str] | None = None) -> tuple[Text, Columns]:
        text = open_text(Path(path), encoding=encoding)
        reading = _read(text, names, like, sort_features, strict)
        found.extend(reading.incidents)
        return text, reading.forms

    first, reference = read(gold)
    if "form" not in reference.columns:
        raise DataError(f"{first.name} has no forms; its columns are {', '.join(reference.columns)}.")
    unread = sum(incident.kind in _LEFT_OUT for incident in found)
    seen = None if training is None else read(training, reference.columns)[1]
    records: list[Record] = []
    for path in systems:
        text, answers = read(path, reference.columns)
        try:
            scored = accuracy_records(reference, answers, seen, confidence=confidence, strict=strict)
        except ValueError as error:
            raise DataError(f"{text.name}: {error}") from None
        found += _unmatched(reference, answers, first.name, text.name)
        if language is not None:
            scored += _errors(reference, answers_of(reference, answers, strict=strict)[0], language, confidence)
        records += [{"system": text.name} | record for record in scored]
    if unread:
        for record in records:
            record["convention"] += f"; {unread:,} gold items could not be read and are not scored"
    return records


def _read(
    text: Text, names: Sequence[str] | None, like: Sequence[str] | None, sort_features: bool, strict: bool
) -> FormColumns:
    """Read forms; where the features do not tell the columns, they are as in another file, if it has as many."""
    reading = read_form_columns(text, columns=names, sort_features=sort_features, strict=strict)
    doubtful = any(incident.kind == "columns not certain" for incident in reading.incidents)
    if like and doubtful and len(like) == len(reading.forms.columns):
        reading = read_form_columns(text, columns=like, sort_features=sort_features, strict=strict)
    return reading


def _unmatched(gold: Columns, answers: Columns, name: str, other: str) -> list[Incident]:
    sides = []
    for table, rows in zip((gold, answers), unmatched_items(gold, answers), strict=True):
        keys = [key for key in ("lemma", "features") if key in table.columns]
        sides.append([(", ".join(table[key][row] for key in keys), 0) for row in rows])
    return unmatched(sides, (name, other))


def _errors(gold: Columns, answers: list[str], language: str, confidence: float) -> list[Record]:
    from analysis.inflection.errors import classify_errors, error_counts

    counts = error_counts(classify_errors(language, gold["lemma"], gold["form"], answers))
    wrong = int(counts["errors"].sum())
    bounds = wilson(counts["errors"], [wrong] * len(counts), confidence=confidence)
    table = pd.DataFrame(
        {
            "by": "errors",
            "group": counts["type"].astype("str"),
            "value": bounds["value"],
            "unit": "proportion",
            "numerator": counts["errors"],
            "denominator": wrong,
            "lower": bounds["lower"],
            "upper": bounds["upper"],
            "convention": "share of wrong forms, classed by rule; exact match in NFC; Wilson interval, "
            f"{confidence:.0%}",
        }
    )
    return frame_records(table)
