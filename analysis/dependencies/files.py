"""Scoring of files of trees."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any, Literal, NamedTuple

import numpy as np

from analysis.corpora.conll_reading import LAYOUTS, ConllColumns, read_columns, read_forgiving
from analysis.corpora.opening import Source, Text, open_text
from analysis.dependencies.attachment import AttachmentScores, attachment_scores, sentence_defects
from analysis.dependencies.labelled import LabelledScores, with_relations
from analysis.structures import DataError, Incident, check_choice, incidents_table
from analysis.structures.columns import Columns
from analysis.structures.incidents import advising, gathering
from analysis.structures.lazy import pd
from analysis.structures.matching import match_identifiers, not_shared, repeated_identifiers, unmatched

FileFormat = Literal["conllu", "conllx", "nine-columns", "conll2008", "conll2009", "word-tag-head"]

_DEFECTS = {
    "cycle": "a cycle",
    "self-head": "a word that is its own head",
    "no head": "a word without a head",
    "no root": "no root",
    "several roots": "several roots",
}
_AT_ONCE = 1 << 23  #: bytes from which two files are read in two threads
_LAYERS = frozenset({"form", "coarse", "fine", "universal", "head", "relation"})


class FileScores(NamedTuple):
    """Scores of a file, and incidents found in the files.

    Attributes
    ----------
    scores : AttachmentScores
        ``scores.gold`` has the columns ``form``, ``coarse``, ``fine``, ``universal``, ``head``, ``relation`` that are
        in the gold file.
    incidents : DataFrame
        ``file``, ``line``, ``kind``, ``found``, ``text``, ``expected``; empty if the files have no defects.
    unread : int
        Number of gold sentences that could not be read and are not scored.
    """

    scores: AttachmentScores
    incidents: pd.DataFrame
    unread: int


class FileFindings(NamedTuple):
    """The same before there is need of a DataFrame: incidents are a list, ``scores.given`` are columns.

    ``labelled`` are UAS and LAS, if both files have relations.
    """

    scores: AttachmentScores
    incidents: list[Incident]
    unread: int
    labelled: LabelledScores | None = None


def score_files(
    gold: Source,
    predicted: Source,
    *,
    file_format: FileFormat = "conllu",
    predicted_format: FileFormat | None = None,
    strict: bool = False,
    encoding: str | None = None,
    **options: Any,
) -> FileScores:
    r"""Score a file of trees against a gold file.

    Parameters
    ----------
    gold, predicted : path, text, or another source of `analysis.corpora.opening.open_text`
    file_format : {"conllu", "conllx", "nine-columns", "conll2008", "conll2009", "word-tag-head"}
        Format of both files.
    predicted_format : optional
        Format of the predicted file, if it differs.
    strict : bool
        Whether the first defect of a file and ill-formed predictions raise an error. By default sentences that cannot
        be read are left out, and defects are listed.
    encoding : str
    **options
        Passed to `attachment_scores`.

    Returns
    -------
    FileScores

    Raises
    ------
    DataError
        If a file cannot be read, has no heads, or the files are not the same text; the message says where.
    ValueError
        If a format is unknown.

    Examples
    --------
    >>> text = "1\tLook\t_\tVERB\t_\t_\t0\t_\t_\t_\n2\there\t_\tADV\t_\t_\t1\t_\t_\t_\n"
    >>> score_files(text, text.replace("0", "2").replace("\t1\t", "\t0\t")).scores
    directed 0.000 (0/2), undirected 0.500 (1/2), NED 1.000 (2/2)
    """
    found = compare_files(
        gold, predicted, file_format=file_format, predicted_format=predicted_format, strict=strict,
        encoding=encoding, **options,
    )  # fmt: skip
    return FileScores(found.scores, incidents_table(found.incidents), found.unread)


def compare_files(
    gold: Source,
    predicted: Source,
    *,
    file_format: FileFormat = "conllu",
    predicted_format: FileFormat | None = None,
    strict: bool = False,
    encoding: str | None = None,
    **options: Any,
) -> FileFindings:
    """What `score_files` gives, without a DataFrame; arguments and errors as there."""
    for name in (file_format, predicted_format or file_format):
        check_choice("file_format", name, tuple(LAYOUTS))
    names = (file_format, predicted_format or file_format)
    sources = [open_text(source, encoding=encoding) for source in (gold, predicted)]
    readings = _read_both(sources, names, strict)
    found = [incident for reading in readings for incident in reading.incidents]
    with gathering(found):
        for side, source, reading in zip(("gold", "predicted"), sources, readings, strict=True):
            if "head" not in reading.tokens.columns:
                raise DataError(f"the {side} file has no heads: the column HEAD of {source.name} is _ throughout.")
        predicted_tokens, lost = _matched(readings, sources, names)
        unequal = [incident for incident in lost if incident.kind.startswith("missing")]
        if strict and unequal:
            raise DataError(unequal[0])
        twice = [incident for incident in lost if incident.kind == "identifier twice"]
        said = f"gold is {sources[0].name}, predicted {sources[1].name}."
        with advising("\n".join([said, *map(str, twice[:1])])):
            scores = attachment_scores(readings[0].tokens, predicted_tokens, strict=strict, **options)
    found += lost
    if sum(scores.defects()["predicted_sentences"][:-2]):
        found += _ill_formed_trees(readings[1].tokens, sources[1], names[1])
    read = 1 + int(np.count_nonzero(np.diff(readings[0].tokens["sentence"])))
    unread = len(readings[0].sentences) - read
    labelled = None
    if all("relation" in reading.tokens.columns for reading in readings):
        labelled = with_relations(scores, readings[0].tokens, predicted_tokens)
    return FileFindings(scores, found, unread, labelled)


def _read_both(sources: list[Text], names: tuple[str, str], strict: bool) -> list[ConllColumns]:
    if sum(len(source.data) for source in sources) < _AT_ONCE:
        return [_read(source, name, strict) for source, name in zip(sources, names, strict=True)]
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(2) as pool:
        waiting = [pool.submit(_read, *pair, strict) for pair in zip(sources, names, strict=True)]
        return [future.result() for future in waiting]


def _matched(
    readings: list[ConllColumns], sources: list[Text], names: tuple[str, str]
) -> tuple[Columns, list[Incident]]:
    """Give predicted tokens the gold numbers of their sentences, and report what is missing on each side."""

    def lines(side: int) -> list[int]:
        return list(read_columns(sources[side], LAYOUTS[names[side]], False).sentences["line"].tolist())

    ids = [reading.sentences["sent_id"] for reading in readings]
    if ids[0] == ids[1] and "" not in ids[0]:
        place: np.ndarray | None = np.arange(len(ids[0]))
    else:
        place = match_identifiers(*ids)
    twice: list[Incident] = []
    if place is None:  # by order
        for side in (0, 1):
            twice += repeated_identifiers(ids[side], partial(lines, side), sources[side].name)
        n_gold, n_predicted = map(len, ids)
        place = np.where(np.arange(n_gold) < n_predicted, np.arange(n_gold), -1)
    numbers = np.full(len(ids[1]), -1, dtype=np.int64)
    numbers[place[place >= 0]] = np.flatnonzero(place >= 0)
    surplus = np.flatnonzero(numbers < 0)
    missing = np.flatnonzero(place < 0)
    tokens = readings[1].tokens
    if (numbers != np.arange(len(numbers))).any():
        numbers[surplus] = len(ids[0]) + np.arange(len(surplus))
        tokens = tokens.assign(sentence=numbers[tokens["sentence"]])
        tokens = tokens.take(np.argsort(tokens["sentence"], kind="stable"))
    files = (sources[0].name, sources[1].name)
    if not len(missing) and not len(surplus):
        return tokens, twice + not_shared(ids[0], ids[1], files)
    sides = []
    for side, places in enumerate((missing, surplus)):
        own = lines(side) if len(places) else []
        sides.append([(ids[side][at] or f"sentence {at + 1}", own[at]) for at in places.tolist()])
    return tokens, twice + unmatched(sides, files)


def _ill_formed_trees(tokens: Columns, source: Text, name: str) -> list[Incident]:
    """Report one incident per predicted sentence and kind of defect."""
    lines = read_columns(source, LAYOUTS[name], False).sentences["line"]
    found = []
    for sentence, (cycles, self_heads, roots, no_head) in zip(*sentence_defects(tokens), strict=True):
        line = int(lines[sentence])
        kinds = {"cycle": cycles, "self-head": self_heads, "no head": no_head}
        kinds["no root"], kinds["several roots"] = roots == 0, roots > 1
        found += [
            Incident(source.name, line, kind, f"the tree that begins here has {_DEFECTS[kind]}")
            for kind, count in kinds.items()
            if count
        ]
    return found


def _read(source: Text, name: str, strict: bool) -> ConllColumns:
    """Read the columns for scoring."""
    layout = LAYOUTS[name]
    lean = replace(layout, layers={column: layer for column, layer in layout.layers.items() if layer in _LAYERS})
    return read_forgiving(source, lean, strict)
