"""Load corpora by name; they are read once and then cached as Parquet.

A loader returns the tokens table of each part of a corpus: see `analysis.corpora.loaders`. The modules in `PROVIDERS`
register the corpora of the suite; the user's own corpora, added with ``data add``, come after them.
"""

import importlib
from collections.abc import Sequence
from typing import Any

import pandas as pd

from analysis.corpora.catalogue import Dataset, catalogue, data_version, unknown_name
from analysis.corpora.catalogue import dataset as catalogued
from analysis.corpora.chat import ChatReading
from analysis.corpora.fetching import added
from analysis.corpora.loaders import LOADERS, Loader
from analysis.corpora.own_corpora import own_loader
from analysis.corpora.sampling import sample_sentences
from analysis.structures import DataError

#: Modules that register further corpora on import; imported when a name is not known yet.
PROVIDERS = (
    "analysis.corpora.transcripts",
    "analysis.corpora.language.corpus",
    "analysis.corpora.tagged_texts",
    "analysis.corpora.treebanks",
)


def _all_loaders() -> dict[str, Loader]:
    for module in PROVIDERS:
        importlib.import_module(module)
    return LOADERS


def _loader(name: str) -> Loader:
    if name in LOADERS or name in _all_loaders():
        return LOADERS[name]
    if loader := own_loader(name):
        return loader
    raise unknown_name(name, corpus_names(), "corpus")


def load(name: str, part: str | None = None) -> pd.DataFrame:
    """Load the tokens table of a corpus.

    Parameters
    ----------
    name : str
        ``"manchester"``: child-directed speech of the CHILDES Manchester corpus, the training set of Frank,
        Goldwater & Keller (2009). ``"childes"``: the other English CHILDES corpora, their test set (about 5 million
        words of adults are openly available, not 9). `corpus_names` lists all.
    part : str, optional
        A part of the corpus (`parts` lists them); the default is the first. Manchester's parts are ``"train"``
        (itself) and ``"test"`` (``"childes"``).

    Returns
    -------
    DataFrame
        The columns of `read_chat`, and ``coarse``, the category of Frank et al.'s Table 1 (`collapsed_categories`).
        Utterances by speakers whose role is Target_Child or Child are left out; `counts` and `incidents` report what
        else was left out.

    Raises
    ------
    DataError
        If there is no such corpus or part, or its files are not available (the message says what to do) or damaged.
    """
    loader = _loader(name)
    if part is None:
        part = next(iter(loader.parts))
    try:
        read = loader.parts[part]
    except KeyError:
        raise DataError(f"the corpus {name} has no part {part!r}; it has {', '.join(loader.parts)}.") from None
    return read()


def load_parts(name: str, parts: Sequence[str], *, adults: bool = False) -> pd.DataFrame:
    """Concatenate parts of a treebank, sentences numbered consecutively, with a column ``part``; words and tags are
    text.

    Parameters
    ----------
    name : str
        Name in the catalogue.
    parts : sequence of str
    adults : bool
        Whether to leave out utterances of the target child.
    """
    pieces, first = [], 0
    for part in parts:
        piece = load(name, part).assign(part=part)
        piece = piece[piece["role"].astype("str") != "Target_Child"] if adults else piece
        piece = piece.assign(sentence=pd.factorize(piece["sentence"])[0] + first)
        first = int(piece["sentence"].iloc[-1]) + 1
        pieces.append(piece.astype(dict.fromkeys(set(piece.columns) - {"sentence", "position", "head"}, "str")))
    return pd.concat(pieces, ignore_index=True)


def dataset(name: str) -> Dataset:
    """Look up a data set of the catalogue, or a corpus that the user has added.

    Parameters
    ----------
    name : str
        Name of a data set, or of an added corpus.

    Returns
    -------
    Dataset

    Raises
    ------
    DataError
        If there is no data set of that name; the nearest names are listed.
    """
    entry = added().get(name)
    if entry is None or name in catalogue()["name"].to_numpy():
        return catalogued(name)
    words = {"language": "und", "licence": entry.licence or "as supplied", "licence_note": "", "size": ""}
    words |= {"citation": entry.citation}
    what = f"{entry.files:,} files of kind {entry.kind}"
    return Dataset(name, f"{name} (added by the user)", citation_keys=(), what=what, how="supply", files=(), **words)


def corpus_names() -> list[str]:
    """List the names for `load`; corpora registered with ``data add`` come last.

    Returns
    -------
    list of str
    """
    return list(dict.fromkeys([*_all_loaders(), *added()]))


def parts(name: str) -> list[str]:
    """List the parts of a corpus; the first is the default of ``load(name)``.

    Parameters
    ----------
    name : str
        Name of a corpus.

    Returns
    -------
    list of str
    """
    return list(_loader(name).parts)


def corpus_version(name: str) -> str:
    """Return the version string of a corpus (data, and reader if relevant), used in cache keys and results.

    Parameters
    ----------
    name : str
        Name of the corpus.

    Returns
    -------
    str
    """
    loader = _loader(name)
    return loader.version() if loader.version else data_version(name)


def incidents(name: str) -> pd.DataFrame:
    """Return the problems found when the corpus was read: file, line, kind, found, text, expected.

    Parameters
    ----------
    name : str
        Name of a corpus.

    Returns
    -------
    DataFrame
    """
    return _reading(name).incidents


def counts(name: str) -> pd.DataFrame:
    """Return the numbers of utterances read, kept, and left out by reason: outcome, utterances.

    Parameters
    ----------
    name : str
        Name of a corpus.

    Returns
    -------
    DataFrame
    """
    return _reading(name).counts


def _reading(name: str) -> ChatReading:
    loader = _loader(name)
    if loader.reading is None:
        raise DataError(f"the corpus {name} is not read from transcripts: it has no incidents and counts.")
    return loader.reading()


def sample(corpus: str | pd.DataFrame, sentences: int, random_state: Any = 0) -> pd.DataFrame:
    """Draw whole sentences of a corpus (or of a tokens table) at random, in order; see `sample_sentences`.

    Parameters
    ----------
    corpus : str or DataFrame
        Name of a corpus, or a tokens table.
    sentences : int
        Number of sentences.
    random_state : object
        Seed or generator.

    Returns
    -------
    DataFrame
    """
    return sample_sentences(load(corpus) if isinstance(corpus, str) else corpus, sentences, random_state)
