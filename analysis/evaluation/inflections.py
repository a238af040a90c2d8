"""Score a system's inflected forms against gold forms from files: what ``evaluate inflections`` prints."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from analysis.corpora.opening import Text
from analysis.corpora.unimorph import FormColumns, nfc, read_form_columns
from analysis.evaluation.incidents import check_systems, opened
from analysis.evaluation.parts import check_by, said_of_groups
from analysis.evaluation.records import Record, tabulated
from analysis.evaluation.scoring import IntervalOptions, Run, with_intervals
from analysis.inflection.accuracy import (
    answers_of,
    item_groups,
    items_sharing_a_lemma,
    one_answer_each,
    texts_of,
    unmatched_items,
)
from analysis.inflection.by_item import scored_items
from analysis.statistics.breakdowns import FREQUENCIES, LETTERS, frequency_of, in_bands
from analysis.statistics.scored import ScoredRatios
from analysis.structures import DataError, Incident
from analysis.structures.columns import Columns
from analysis.structures.digests import gold_digest
from analysis.structures.incidents import line_named, quoted
from analysis.structures.lazy import pd
from analysis.structures.matching import unmatched

_LEFT_OUT = ("missing column", "extra tab", "empty field", "no frequency")


def score_inflections(
    gold: str | Path,
    systems: Sequence[str | Path | Text],
    *,
    training: str | Path | None = None,
    language: str | None = None,
    columns: Sequence[str] | None = None,
    sort_features: bool = False,
    by: str | None = None,
    strict: bool = False,
    encoding: str | None = None,
    incidents: list[Incident] | None = None,
) -> list[Run]:
    r"""Score each system's forms: over all items, by feature set, by what training had, and by type of error.

    Parameters
    ----------
    gold : str or Path
        Lemma, form and features, tab-separated.
    systems : sequence of str or Path
        Lemma, predicted form and features of the items, in any order. An item that is missing, has no form, or has
        more different forms than in gold is a wrong answer; an item that gold lacks is not scored. Where gold has an
        item several times, the answers to it are compared in the order of the lines.
    training : str or Path, optional
        Lemma, form and features of the training items; without it nothing is said by what was seen.
    language : {"Arabic", "English", "German"}, optional
        Class the wrong forms by the rules of this language (noun plurals, English past tense).
    columns : sequence of str, optional
        Names of the columns of all files in their order. By default the features of each file say; where these do
        not tell, a file is taken to have the columns of gold.
    sort_features : bool
        Whether the order of features does not matter.
    by : {"features", "frequency", "letters", "seen"}, optional
        Only scores of these groups of items, by features, training items of the lemma, length of the lemma, or what
        training had of the item. Default: all items, features, what training had, and errors.
    strict : bool
        Whether a line that cannot be read, an item that one side lacks, or a second, other answer is an error.
    encoding : str, optional
        Of all files.
    incidents : list of Incident, optional
        Gets what was wrong with the files.

    Returns
    -------
    list of Run
        One per file.

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
    ...     (run,) = score_inflections(gold, [mine])
    >>> run.measures, run.scored.values().tolist()
    (['accuracy', 'features: V;PST'], [[0.5, 0.5]])
    """
    check_by("inflections", by, training)
    if by == "frequency" and training is None:
        raise ValueError("to divide by frequency in training, give the training items: training (--training FILE).")
    check_systems(systems)
    found = [] if incidents is None else incidents
    names = None if columns is None else tuple(columns)

    def read(path: str | Path | Text, like: Sequence[str] | None = None) -> tuple[Text, FormColumns]:
        text = opened(path, encoding)
        reading = _read(text, names, like, sort_features, strict)
        found.extend(reading.incidents)
        return text, reading

    first, gold_reading = read(gold)
    reference = gold_reading.forms
    if "form" not in reference.columns:
        raise DataError(f"{first.name} has no forms; its columns are {', '.join(reference.columns)}.")
    unread = sum(incident.kind in _LEFT_OUT for incident in found)
    seen = None if training is None else read(training, reference.columns)[1].forms
    choices: dict[str, object] = {"columns": ",".join(names)} if names else {}
    choices |= {"features": "sorted"} if sort_features else {}
    dependent = items_sharing_a_lemma(reference)
    said = f"{dependent:,} items share a lemma" if dependent else ""
    tested = f"{said}: the test takes them for independent" if said else ""
    groups = item_groups(reference, seen) if by is None else _groups_by(reference, seen, by)
    runs = []
    for path in systems:
        text, reading = read(path, reference.columns)
        try:
            answers, rows, conflicts = _one_answer_each(reference, text, reading)
            if strict and conflicts:
                raise DataError(conflicts[0])
            given, correct = answers_of(reference, answers, strict=strict)
        except DataError:
            raise
        except ValueError as error:
            raise DataError(f"{text.name}: {error}") from None
        found += conflicts + _unmatched((first, text), (gold_reading, reading), answers, rows)
        errors = {} if language is None or by else _errors(reference, given, language)
        scored = scored_items(reference.assign(correct=correct), choices, groups=groups, errors=errors)
        scored = replace(scored, own_choices=_own_choices(scored, seen, language))
        scored = scored if by is None else _without_first(scored)
        stated = f"; {unread:,} gold items could not be read and are not scored" if unread else ""
        stated += f"; {said}: intervals take them for independent" if said else ""
        records = _records(text.name, scored, stated)
        alone = frozenset(f"errors: {kind}" for kind in errors)
        measures = [measure.name for measure in scored.measures]
        lists = {"costliest": partial(_costliest, reference, given, correct)}
        references = partial(_references, reference, seen)
        runs.append(Run(text.name, records, measures, scored, alone, references, lists, tested))
    return runs


def _costliest(gold: Columns, answers: Sequence[str], correct: Any) -> pd.DataFrame:
    from analysis.statistics.breakdowns import costliest
    from analysis.structures.columns import as_frame

    items = as_frame(gold).assign(predicted=list(answers))
    keys = [name for name in ("form", "predicted", "features") if name in items.columns]
    return costliest(items, keys, correct, max(len(items), 1))


def _references(gold: Columns, training: Columns | None, options: IntervalOptions) -> pd.DataFrame:
    from analysis.inflection.references import reference_scores
    from analysis.structures.columns import as_frame

    seen = None if training is None else as_frame(training)
    return reference_scores(as_frame(gold), seen, confidence=options.confidence)


@tabulated
def evaluate_inflections(
    gold: str | Path, systems: Sequence[str | Path], *, intervals: IntervalOptions | None = None, **choices: Any
) -> list[Record]:
    r"""Accuracy of each system's forms, with Wilson's intervals.

    Parameters
    ----------
    gold, systems : path
        See `score_inflections`.
    intervals : IntervalOptions, optional
    **choices
        As in `score_inflections`.

    Returns
    -------
    DataFrame
        ``system`` (path), ``by`` (all, features, seen, whole item, errors), ``group``, ``value``, ``numerator``,
        ``denominator``, ``lower``, ``upper``, ``signature``, ``convention``. For errors the denominator is the wrong
        forms.

    Raises
    ------
    DataError
        As `score_inflections`.

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
    names = {"measure": "group", "conventions": "convention"}
    records = with_intervals(score_inflections(gold, systems, **choices), intervals)
    return [{names.get(name, name): value for name, value in record.items()} for record in records]


def choices_of_inflections(parts: Mapping[str, str]) -> dict[str, Any]:
    """The arguments of `score_inflections` that a signature names; the training file is not among them.

    Examples
    --------
    >>> choices_of_inflections({"columns": "lemma,form", "by": "errors", "language": "English"})
    {'columns': ('lemma', 'form'), 'language': 'English'}
    """
    found: dict[str, Any] = {"columns": tuple(parts["columns"].split(","))} if "columns" in parts else {}
    if parts.get("features") == "sorted":
        found["sort_features"] = True
    if parts.get("by") in ("frequency", "letters"):
        found["by"] = parts["by"]
    return found | ({"language": parts["language"]} if "language" in parts else {})


def _groups_by(gold: Columns, training: Columns | None, by: str) -> list[tuple[str, str, np.ndarray]]:
    """The groups of items of one division."""
    if by in ("features", "seen"):
        found = [group for group in item_groups(gold, training) if group[0] == by]
        if not found:
            raise DataError("the gold file has no features to divide by.")
        return found
    lemmas = pd.Series(list(gold["lemma"])).astype("str")
    if by == "letters":
        bands = in_bands(lemmas.str.len().clip(lower=1), LETTERS)
    else:
        assert training is not None
        known = pd.Series(list(training["lemma"])).astype("str")
        bands = in_bands(frequency_of(lemmas, known), (0, *FREQUENCIES), first=0)
    return [(by, str(name), np.asarray(bands == name)) for name in bands.categories]


def _without_first(scored: ScoredRatios) -> ScoredRatios:
    """Without the accuracy of all items."""
    return replace(scored, measures=scored.measures[1:], numerators=scored.numerators[:, 1:],
                   denominators=scored.denominators[:, 1:])  # fmt: skip


def _own_choices(
    scored: ScoredRatios, training: Columns | None, language: str | None
) -> dict[str, Mapping[str, object]]:
    """The choices of single measures, with the training items that groups are made by, and the rules for errors."""
    found: dict[str, Mapping[str, object]] = {}
    digest = None if training is None else gold_digest(*(training[name] for name in training.columns))
    for name, own in scored.own_choices.items():
        more: dict[str, dict[str, object]] = {
            "seen": {"training": digest}, "whole item": {"training": digest}, "errors": {"language": language},
            "frequency": {"training": digest, **said_of_groups("frequency")}, "letters": said_of_groups("letters"),
        }  # fmt: skip
        found[name] = {**own, **more.get(str(own["by"]), {})}
    return found


def _records(system: str, scored: ScoredRatios, stated: str) -> list[Record]:
    records: list[Record] = []
    right, items = (counts.sum(axis=0).tolist() for counts in (scored.numerators, scored.denominators))
    for place, measure in enumerate(scored.measures):
        own = scored.own_choices.get(measure.name, {"by": "all", "group": "all"})
        share = "share of wrong forms, classed by rule; " if own["by"] == "errors" else ""
        records.append(
            {
                "system": system,
                "by": own["by"],
                "measure": own["group"],
                "value": right[place] / items[place] if items[place] else None,
                "unit": "proportion",
                "numerator": right[place],
                "denominator": items[place],
                "conventions": f"{share}exact match in NFC{stated}",
            }
        )
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


def _one_answer_each(gold: Columns, text: Text, reading: FormColumns) -> tuple[Columns, list[int], list[Incident]]:
    """Answers without further ones to an item, their rows in the file, and where they differ."""
    answers, rows, conflicts = one_answer_each(gold, reading.forms)
    if not conflicts:
        return answers, rows, []
    lines, keys = _lines(text, reading.incidents), _keys(gold)
    forms = texts_of(reading.forms["predicted" if "predicted" in reading.forms.columns else "form"])
    found = []
    for first, second in conflicts:
        other = f"{quoted(forms[first])} in {line_named(text.name, lines[first])}"
        item = quoted(_item(reading.forms, keys, first))
        said = f"{item} has the answer {quoted(forms[second])}, and {other}; it counts as wrong"
        found.append(Incident(text.name, lines[second], "conflicting answers", said))
    return answers, rows, found


def _keys(gold: Columns) -> list[str]:
    return [key for key in ("lemma", "features") if key in gold.columns]


def _item(table: Columns, keys: Sequence[str], row: int) -> str:
    return ", ".join(nfc(str(table[key][row])) for key in keys)


def _lines(text: Text, incidents: Sequence[Incident]) -> list[int]:
    """The line of each item that was read."""
    left_out = {(each.file, each.line) for each in incidents if each.kind in (*_LEFT_OUT, "blank line")}
    places = (Incident(text.name, number, "", "") for number in range(1, len(text.lines()) + 1))
    return [number for number, place in enumerate(places, 1) if (place.file, place.line) not in left_out]


def _unmatched(
    texts: tuple[Text, Text], readings: tuple[FormColumns, FormColumns], answers: Columns, rows: Sequence[int]
) -> list[Incident]:
    """The items that one side lacks; `answers` are these rows of the system's file."""
    missing, surplus = unmatched_items(readings[0].forms, answers)
    keys = _keys(readings[0].forms)
    sides = []
    for text, reading, places in zip(texts, readings, (missing, [rows[row] for row in surplus]), strict=True):
        lines = _lines(text, reading.incidents) if places else []
        sides.append([(_item(reading.forms, keys, row), lines[row]) for row in places])
    return unmatched(sides, (texts[0].name, texts[1].name))


def _errors(gold: Columns, answers: list[str], language: str) -> dict[str, np.ndarray]:
    """Which items have each type of error."""
    from analysis.inflection.errors import classify_errors, error_counts

    classed = classify_errors(language, gold["lemma"], gold["form"], answers)
    types = error_counts(classed)["type"].astype("str")
    found = classed["type"].astype("str").to_numpy()
    return {kind: found == kind for kind in types}
