"""Scoring of files of trees."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any, Literal, NamedTuple

import numpy as np
import pandas as pd

from analysis.corpora.conll_reading import LAYOUTS, ConllReading, read, read_forgiving
from analysis.corpora.opening import Source, Text, open_text
from analysis.dependencies.attachment import AttachmentScores, attachment_scores, ill_formed
from analysis.structures import DataError, Incident, check_choice, incidents_table
from analysis.structures.incidents import gathering, incidents_of
from analysis.structures.matching import match_identifiers, not_shared, unmatched

FileFormat = Literal["conllu", "conllx", "nine-columns", "conll2008", "conll2009", "word-tag-head"]

_DEFECTS = {
    "cycle": "a cycle",
    "self-head": "a word that is its own head",
    "no head": "a word without a head",
    "no root": "no root",
    "several roots": "several roots",
}
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
    for name in (file_format, predicted_format or file_format):
        check_choice("file_format", name, tuple(LAYOUTS))
    names = (file_format, predicted_format or file_format)
    sources = [open_text(source, encoding=encoding) for source in (gold, predicted)]
    with ThreadPoolExecutor(2) as pool:
        waiting = [pool.submit(_read, *pair, strict) for pair in zip(sources, names, strict=True)]
        readings = [future.result() for future in waiting]
    with gathering([found for reading in readings for found in incidents_of(reading.incidents)]):
        for side, source, reading in zip(("gold", "predicted"), sources, readings, strict=True):
            if "head" not in reading.tokens.columns:
                raise DataError(f"the {side} file has no heads: the column HEAD of {source.name} is _ throughout.")
        predicted_tokens, lost = _matched(readings, sources, names)
        if strict and lost and lost[0].kind != "identifiers not shared":
            raise DataError(lost[0])
        scores = attachment_scores(readings[0].tokens, predicted_tokens, strict=strict, **options)
    found = [reading.incidents for reading in readings] + [incidents_table(lost)]
    if scores.ill_formed["predicted_sentences"].iloc[:-2].sum():
        found.append(incidents_table(_ill_formed_trees(readings[1].tokens, sources[1], names[1])))
    filled = [table for table in found if len(table)]
    unread = len(readings[0].sentences) - readings[0].tokens["sentence"].nunique()
    return FileScores(scores, pd.concat(filled, ignore_index=True) if filled else found[-1], unread)


def _matched(
    readings: list[ConllReading], sources: list[Text], names: tuple[str, str]
) -> tuple[pd.DataFrame, list[Incident]]:
    """Give predicted tokens the gold numbers of their sentences, and report what is missing on each side."""
    ids = [reading.sentences["sent_id"].astype("str").tolist() for reading in readings]
    if ids[0] == ids[1] and "" not in ids[0]:
        place: np.ndarray | None = np.arange(len(ids[0]))
    else:
        place = match_identifiers(*ids)
    if place is None:  # by order
        n_gold, n_predicted = map(len, ids)
        place = np.where(np.arange(n_gold) < n_predicted, np.arange(n_gold), -1)
    numbers = np.full(len(ids[1]), -1, dtype=np.int64)
    numbers[place[place >= 0]] = np.flatnonzero(place >= 0)
    surplus = np.flatnonzero(numbers < 0)
    missing = np.flatnonzero(place < 0)
    tokens = readings[1].tokens
    if (numbers != np.arange(len(numbers))).any():
        numbers[surplus] = len(ids[0]) + np.arange(len(surplus))
        tokens = tokens.assign(sentence=numbers[tokens["sentence"].to_numpy()])
        tokens = tokens.sort_values("sentence", kind="stable", ignore_index=True)
    files = (sources[0].name, sources[1].name)
    if not len(missing) and not len(surplus):
        return tokens, not_shared(ids[0], ids[1], files)
    sides = []
    for side, places in enumerate((missing, surplus)):
        lines = read(sources[side], LAYOUTS[names[side]], False).sentences["line"].to_numpy()
        named = [ids[side][at] or f"sentence {at + 1}" for at in places.tolist()]
        sides.append(list(zip(named, lines[places].tolist(), strict=True)))
    return tokens, unmatched(sides, files)


def _ill_formed_trees(tokens: pd.DataFrame, source: Text, name: str) -> list[Incident]:
    """Report one incident per predicted sentence and kind of defect."""
    lines = read(source, LAYOUTS[name], False).sentences["line"].to_numpy()
    found = []
    for row in ill_formed(tokens).itertuples():
        line = int(lines[row.sentence])
        kinds = {"cycle": row.cycles, "self-head": row.self_heads, "no head": row.no_head}
        kinds["no root"], kinds["several roots"] = row.roots == 0, row.roots > 1
        found += [
            Incident(source.name, line, kind, f"the tree that begins here has {_DEFECTS[kind]}")
            for kind, count in kinds.items()
            if count
        ]
    return found


def _read(source: Text, name: str, strict: bool) -> ConllReading:
    """Read the columns for scoring."""
    layout = LAYOUTS[name]
    lean = replace(layout, layers={column: layer for column, layer in layout.layers.items() if layer in _LAYERS})
    return read_forgiving(source, lean, strict)
