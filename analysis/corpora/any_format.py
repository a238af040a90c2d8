r"""A text in whatever format it is, as a tokens table: the one way in which commands and own corpora are read.

==============  ============================  ================================================================
format          read by                       columns beside ``sentence``, ``position`` and ``form``
==============  ============================  ================================================================
conllu          `read_conllu`                 ``lemma``, ``universal``, ``fine``, ``features``, ``head``,
                                              ``relation``, as far as the file has them
conllx, ...     `read_conll`                  likewise, ``coarse`` for ``universal``
words-and-tags  `read_clustering`             ``fine``
slashed         `read_clustering`             ``fine``
plain           `read_plain`                  none
ccg             `read_auto`                   ``fine``, ``category``
brackets        `read_penn_trees`             ``fine``
chat            `read_chat`                   ``lemma``, ``fine``, ``speaker`` and others; ``coarse`` if each
                                              tag has a category of Frank et al. (2009)
==============  ============================  ================================================================
"""

from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd

from analysis.corpora.ccgbank import read_auto
from analysis.corpora.chat import CHILDREN, UNINTELLIGIBLE, read_chat
from analysis.corpora.clusterings import read_clustering
from analysis.corpora.conll_reading import LAYOUTS, read_forgiving
from analysis.corpora.file_formats import TREEBANKS, decide_format, format_named
from analysis.corpora.opening import Source, Text, contents, open_text
from analysis.corpora.penn_trees import read_penn_trees
from analysis.corpora.plain import read_plain
from analysis.structures import DataError, Incident, incidents_table

#: Formats that hold running text.
TEXTS = ("ccg", "chat", "brackets", *TREEBANKS, "slashed", "words-and-tags", "plain")
_LISTS = ("paths", "map")
_CHAT = (".cha",)
_MISSING = "_"  # in place of a tag that a token does not have


class CorpusReading(NamedTuple):
    """A text as it was read.

    Attributes
    ----------
    tokens : DataFrame
        See the module's table of formats.
    format : str
        One of `TEXTS`, as found.
    incidents : DataFrame
        One row per finding: ``file``, ``line``, ``kind``, ``found``, ``text``, ``expected``.
    """

    tokens: pd.DataFrame
    format: str
    incidents: pd.DataFrame


def read_corpus(
    source: Source, *, format: str = "auto", strict: bool = False, encoding: str | None = None
) -> CorpusReading:
    r"""Read a text in whatever format it is.

    Parameters
    ----------
    source : path, text, or what else `analysis.corpora.opening.open_text` takes
        A file, packed or not, a folder of files of one kind, or an archive of transcripts.
    format : str
        ``"auto"``: as all lines and the name say (`analysis.corpora.file_formats.decide_format`), or one of `TEXTS`.
    strict : bool
        Whether the first defect is an error; else what can be kept is kept, and the defects are listed.
    encoding : str, optional

    Returns
    -------
    CorpusReading

    Raises
    ------
    DataError
        If the file is not there, cannot be read, holds no text (but a list of word types, say), or has a defect and
        `strict`.
    ValueError
        If there is no such format.

    Examples
    --------
    >>> reading = read_corpus("the/D cat/N\nran/V away/A\n")
    >>> reading.format, reading.tokens["fine"].tolist()
    ('slashed', ['D', 'N', 'V', 'A'])
    >>> read_corpus("the cat ran\nlook here\n").format
    'plain'
    """
    asked = format if format == "auto" else format_named(format, TEXTS)
    transcripts = _transcripts(source) if asked in ("auto", "chat") else None
    if transcripts is not None:
        return CorpusReading(*_read_transcripts(transcripts, strict, encoding))
    text = open_text(source, encoding=encoding)
    found, notice = (asked, None) if asked != "auto" else decide_format(text, (*TEXTS, *_LISTS))
    if found in _LISTS:
        raise DataError(Incident(text.name, 0, "no text", f"it is a list of word types ({found})", "", "running text"))
    tokens, incidents = _read(text, found, strict)
    told = [*text.incidents, *([notice] if notice else [])]
    return CorpusReading(tokens, found, pd.concat([incidents_table(told), incidents], ignore_index=True))


def with_collapsed(tokens: pd.DataFrame) -> pd.DataFrame:
    """Transcripts with the column ``coarse``, the categories of Frank et al. (2009), if each tag has one."""
    from analysis.corpora.transcripts import collapse, collapsed_categories

    fine = tokens["fine"]
    if "coarse" in tokens or not set(fine.cat.categories) <= set(collapsed_categories()["fine"]):
        return tokens
    place = tokens.columns.get_loc("fine") + 1
    tokens.insert(place, "coarse", collapse(fine))
    return tokens


def _transcripts(source: Source) -> str | Path | None:
    """The source, if it is a folder or an archive of CHAT transcripts, or one that is named so."""
    if not isinstance(source, str | Path) or (isinstance(source, str) and any(mark in source for mark in "\n\t")):
        return None
    path = Path(source)
    if path.is_file() and path.name.lower().endswith(".cha"):
        return path
    if path.is_dir() or (path.is_file() and path.suffix.lower() in (".zip", ".tar", ".xz", ".gz", ".bz2", ".tgz")):
        if not path.is_dir() and not _is_archive(path):
            return None
        return path if next(contents(path, _CHAT), None) is not None else None
    return None


def _is_archive(path: Path) -> bool:
    import tarfile
    import zipfile

    return zipfile.is_zipfile(path) or tarfile.is_tarfile(path)


def _read(text: Text, format: str, strict: bool) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Tokens and incidents of a text whose format is known."""
    if format in TREEBANKS:
        reading = read_forgiving(text, LAYOUTS[format], strict).to_frames()
        return reading.tokens, reading.incidents
    if format in ("words-and-tags", "slashed"):
        clustering = read_clustering(text, format=format, strict=strict)
        tags = clustering.table["cluster"].fillna(_MISSING).astype("category")
        tokens = clustering.table.drop(columns="cluster").astype({"form": "category"})
        return tokens.assign(fine=tags), clustering.incidents
    if format == "plain":
        return read_plain(text), incidents_table([])
    if format == "ccg":
        bank = read_auto(text, strict=strict)
        if not len(bank.tokens):
            raise DataError(Incident(text.name, 0, "empty", "no sentence has a derivation", "", "derivations (AUTO)"))
        return bank.tokens, bank.incidents
    if format == "brackets":
        trees = read_penn_trees(text, strict=strict)
        return trees.tokens, trees.incidents
    tokens, _, incidents = _read_transcripts([(text.name, text.data)], strict, None)
    return tokens, incidents


def _read_transcripts(source: Any, strict: bool, encoding: str | None) -> tuple[pd.DataFrame, str, pd.DataFrame]:
    """Tokens, format and incidents of transcripts."""
    conventions: dict[str, Any] = {"exclude_roles": CHILDREN, "unintelligible": UNINTELLIGIBLE, "encoding": encoding}
    reading = read_chat(source, strict=strict, **conventions)
    tokens, incidents = (reading, incidents_table([])) if strict else (reading.tokens, reading.incidents)
    return with_collapsed(tokens), "chat", incidents
