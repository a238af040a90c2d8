"""From files to scores: the columns that scoring needs, both files at once."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any, Literal, NamedTuple

import pandas as pd

from analysis.corpora.conll_reading import LAYOUTS, ConllReading, read
from analysis.corpora.opening import Source, Text, open_text
from analysis.dependencies.attachment import AttachmentScores, attachment_scores
from analysis.structures import DataError, incidents_table

FileFormat = Literal["conllu", "conllx", "nine-columns", "conll2008", "conll2009", "word-tag-head"]

_LAYERS = frozenset({"form", "coarse", "fine", "universal", "head", "relation"})


class FileScores(NamedTuple):
    """Scores of a file, and what was wrong with the files.

    Attributes
    ----------
    scores : AttachmentScores
        ``scores.gold`` has the columns ``form``, ``coarse``, ``fine``, ``universal``, ``head``, ``relation`` that the
        gold file has.
    incidents : DataFrame
        ``file``, ``line``, ``kind``, ``found``, ``text``, ``expected``; empty if the files are as they should be.
    """

    scores: AttachmentScores
    incidents: pd.DataFrame


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
    gold, predicted : path, text, or what else `analysis.corpora.opening.open_text` takes
    file_format : {"conllu", "conllx", "nine-columns", "conll2008", "conll2009", "word-tag-head"}
        Format of both files.
    predicted_format : optional
        Format of the predicted file, if it is another.
    strict : bool
        Refuse the first defect of a file, and ill-formed predictions. By default a sentence that cannot be read is
        left out of its file, and defects are listed.
    encoding : str
    **options
        Passed to `attachment_scores`.

    Returns
    -------
    FileScores

    Raises
    ------
    DataError
        If a file cannot be read, has no heads, or the files are not the same text; says where.
    ValueError
        If a format is unknown.

    Examples
    --------
    >>> text = "1\tLook\t_\tVERB\t_\t_\t0\t_\t_\t_\n2\there\t_\tADV\t_\t_\t1\t_\t_\t_\n"
    >>> score_files(text, text.replace("0", "2").replace("\t1\t", "\t0\t")).scores
    directed 0.000 (0/2), undirected 0.500 (1/2), NED 1.000 (2/2)
    """
    for name in (file_format, predicted_format or file_format):
        if name not in LAYOUTS:
            raise ValueError(f"there is no format {name!r}; there are {', '.join(LAYOUTS)}.")
    with ThreadPoolExecutor(2) as pool:
        waiting = [
            pool.submit(lambda source, name: _read(open_text(source, encoding=encoding), name, strict), source, name)
            for source, name in ((gold, file_format), (predicted, predicted_format or file_format))
        ]
        readings = [future.result() for future in waiting]
    for side, reading in zip(("gold", "predicted"), readings, strict=True):
        if "head" not in reading.tokens.columns:
            raise DataError(f"the {side} file has no heads: its column HEAD is _ throughout.")
    scores = attachment_scores(readings[0].tokens, readings[1].tokens, strict=strict, **options)
    found = [reading.incidents for reading in readings if len(reading.incidents)]
    return FileScores(scores, pd.concat(found, ignore_index=True) if found else incidents_table([]))


def _read(source: Text, name: str, strict: bool) -> ConllReading:
    """Read what scoring needs; most files have no defect, and need not be read with all that lists them."""
    layout = LAYOUTS[name]
    lean = replace(layout, layers={column: layer for column, layer in layout.layers.items() if layer in _LAYERS})
    try:
        return read(source, lean, True)
    except DataError:
        if strict:
            raise
        return read(source, lean, False)
