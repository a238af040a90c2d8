"""Score a system's trees against a gold standard from files: what ``evaluate trees`` prints."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, cast, get_args

import pandas as pd

from analysis.corpora.file_formats import TREEBANKS, decide_format, format_named
from analysis.corpora.opening import Text, open_text
from analysis.dependencies import score_files, scores_by_length, scores_by_relation
from analysis.dependencies.files import FileFormat, FileScores
from analysis.structures import DataError

FORMATS = ("auto", *get_args(FileFormat))
COLUMNS = ["system", "measure", "value", "unit", "numerator", "denominator", "conventions"]


def evaluate_trees(
    gold: str | Path,
    systems: Sequence[str | Path],
    *,
    gold_format: str = "auto",
    system_format: str = "auto",
    punctuation: bool = True,
    punctuation_rule: str | None = None,
    max_length: int | None = None,
    root_edges: bool = True,
    by: str | None = None,
    scheme: str | None = "table6",
    strict: bool = False,
) -> pd.DataFrame:
    r"""Directed and undirected accuracy and NED of each system.

    Parameters
    ----------
    gold, systems : path
        Files of trees, matched by sentence and word by word.
    gold_format, system_format : {"auto", "conllu", "conllx", "nine-columns", "conll2008", "conll2009", "word-tag-head"}
        Auto: as `analysis.corpora.file_formats.decide_format` finds.
    punctuation, punctuation_rule, max_length, root_edges, strict
        As in `analysis.dependencies.attachment_scores`.
    by : {"relation", "length"}, optional
        One record a measure and gold relation, or length of the gold dependency (1 to 9).
    scheme : {"table6", None}
        Relations of the paper's Table 6, or as the gold file has them.

    Returns
    -------
    DataFrame
        One row a system and measure: ``system``, ``relation`` or ``length`` if asked for, ``measure``, ``value``,
        ``numerator``, ``denominator``, ``conventions`` (sentences, and what was wrong with the files or the trees,
        among them).

    Raises
    ------
    DataError
        If a file cannot be read or has no heads, or the words of two files differ (says where first).

    Examples
    --------
    >>> import tempfile
    >>> line = "1\tLook\t_\tVERB\t_\t_\t0\t_\t_\t_\n2\there\t_\tADV\t_\t_\t1\t_\t_\t_\n"
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = Path(folder) / "gold.conllu"
    ...     _ = file.write_text(line, encoding="utf-8")
    ...     evaluate_trees(file, [file])["value"].tolist()
    [1.0, 1.0, 1.0]
    """
    if by not in (None, "relation", "length"):
        raise ValueError(f"by is {by!r}; it must be 'relation' or 'length'.")
    reference = open_text(Path(gold))
    gold_kind = _format_of(reference, gold_format)
    frames = []
    for path in systems:
        system = open_text(Path(path))
        found = score_files(
            reference,
            system,
            file_format=gold_kind,
            predicted_format=_format_of(system, system_format),
            strict=strict,
            punctuation=punctuation,
            punctuation_rule=punctuation_rule,
            max_length=max_length,
            root_edges=root_edges,
        )
        frames.append(_records(str(path), found, by, scheme))
    return pd.concat(frames, ignore_index=True)


def _format_of(text: Text, format: str) -> FileFormat:
    found = decide_format(text, TREEBANKS).format if format == "auto" else format_named(format, TREEBANKS)
    return cast(FileFormat, found)


def _records(path: str, found: FileScores, by: str | None, scheme: str | None) -> pd.DataFrame:
    scores = found.scores
    if by == "relation":
        if "relation" not in scores.gold.columns:
            raise DataError("the gold file has no relations, so there is nothing to divide by.")
        table = scores_by_relation(scores, scheme=scheme)
    elif by == "length":
        table = scores_by_length(scores)
    else:
        table = scores.to_frame()
    defects = scores.ill_formed
    predicted = defects.set_index("kind")["predicted_sentences"].dropna()
    stated = [f"sentences={len(scores.sentences):,}"]
    stated += [f"{int(count):,} predicted sentences: {kind}" for kind, count in predicted.items() if count]
    if len(found.incidents):
        stated.append(f"{len(found.incidents):,} defects of the files")
    rows: dict[str, Any] = {"system": path, "measure": table["measure"]}
    if by:
        rows |= {by: table[by]}
    rows |= {name: table[name] for name in ("value", "unit", "numerator", "denominator")}
    rows["conventions"] = table["convention"] + "; " + "; ".join(stated)
    result = pd.DataFrame(rows)
    return result[[*COLUMNS[:1], *([by] if by else []), *COLUMNS[1:]]]
