"""Corpora that the user has registered with ``data add``: read in place, by the reader for their kind.

A corpus of CHAT transcripts is cached as Parquet once read, like those of the catalogue; its tokens have a column
``coarse`` if every fine tag has a category in `collapsed_categories`.
"""

import functools
import hashlib
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from analysis.corpora.any_format import read_corpus
from analysis.corpora.ccgbank import read_auto
from analysis.corpora.chat import CHILDREN, UNINTELLIGIBLE, ChatReading, read_chat
from analysis.corpora.conll import read_conllu
from analysis.corpora.fetching import Added, added, members_of, registry_stamp, suffixes_of
from analysis.corpora.loaders import Loader
from analysis.corpora.opening import Text, contents, decoded
from analysis.corpora.penn_trees import read_penn_trees
from analysis.corpora.transcripts import cached_reading, chat_reader, collapse, collapse_version, collapsed_categories
from analysis.structures import DataError
from analysis.structures.derivation import Derivations, join
from analysis.structures.kept import keep_while
from analysis.structures.labels import first_tagged
from analysis.structures.source import source_digest

#: Columns that hold numbers.
NUMBERS = ("sentence", "position", "head")

#: Reading function for each kind of file.
READERS: dict[str, Callable[..., Any]] = {
    "chat": read_chat, "conllu": read_conllu, "penn treebank": read_penn_trees, "ccgbank": read_auto,
}  # fmt: skip
#: Kinds of files that can have heads.
TREEBANKS = ("conllu", "conllx", "nine-columns", "conll2008", "conll2009")
#: Proportion of the sentences of a user's corpus for training, from the beginning; the rest is for testing.
TRAINING = 0.9


def own_loader(name: str) -> Loader | None:
    """Return the loader of a corpus registered with ``data add``; None if there is no such corpus.

    Its parts are ``all``, ``train`` and ``test``: two files of the reader's, or the sentences of one, divided as the
    reader said (without a word: the first nine tenths, and the rest).
    """
    entry = added().get(name)
    if entry is None:
        return None
    if name not in _LOADED:
        _LOADED[name] = _seen(entry)

    def whole() -> pd.DataFrame:
        return _with_tag_columns(own_tokens(entry))

    def given(train: bool) -> pd.DataFrame:
        tokens = own_tokens(entry) if train else own_tokens(replace(entry, path=entry.test))
        return _with_tag_columns(tokens)

    def both() -> pd.DataFrame:
        one, other = given(True), given(False)
        first = int(one["sentence"].iloc[-1]) + 1
        return _joined([one, other.assign(sentence=other["sentence"] + first)])

    def part(train: bool) -> pd.DataFrame:
        tokens = whole()
        sentences = pd.factorize(tokens["sentence"])[0]
        n = int(sentences[-1]) + 1
        in_training = np.arange(n) < training_sentences(n, entry.share)
        if entry.split == "random":
            in_training = np.random.default_rng(entry.random_state).permutation(in_training)
        chosen = in_training[sentences] == train
        number = np.cumsum(in_training == train) - 1
        return tokens[chosen].assign(sentence=number[sentences[chosen]]).reset_index(drop=True)

    parts = {"all": whole, "train": lambda: part(True), "test": lambda: part(False)}
    if entry.test:
        parts = {"all": both, "train": lambda: given(True), "test": lambda: given(False)}
    reading = (lambda: _transcripts(entry)) if entry.kind == "chat" else None
    return Loader(parts=parts, reading=reading, version=functools.partial(own_version, entry))


def own_tokens(entry: Added) -> pd.DataFrame:
    """The tokens of one file or folder of an own corpus, with the columns of the file."""
    if entry.kind == "forms":
        raise DataError(
            f"{entry.name} has inflected forms and no running text.", "Read it with analysis.corpora.read_forms."
        )
    if entry.kind == "chat":
        return _transcripts(entry).tokens
    if entry.kind == "ccgbank":
        return own_derivations(entry).tokens
    if entry.kind in READERS:
        return _treebank(entry)
    _places(entry)
    return read_corpus(Path(entry.path), format=entry.kind).tokens


def _with_tag_columns(tokens: pd.DataFrame) -> pd.DataFrame:
    """A tagged text with ``coarse`` and ``fine``, which the papers on word classes read, where it has but others.

    Fine tags that a treebank lacks, or that most of its words lack, are its universal tags with their features; coarse
    ones are the universal tags, or else the fine ones. Transcripts keep what they have: their coarse tags are those of
    `collapse`.
    """
    if "spoken" in tokens:
        return tokens
    if "universal" in tokens and first_tagged(tokens, ("fine", "universal")) == "universal":
        tokens = tokens.drop(columns="fine", errors="ignore")
    if "fine" not in tokens and "universal" in tokens:
        from analysis.corpora.treebanks import fine_tags

        tokens = tokens.assign(fine=fine_tags(tokens))
    if "coarse" not in tokens and "fine" in tokens:
        tokens = tokens.assign(coarse=tokens["universal"] if "universal" in tokens else tokens["fine"])
    return tokens


def training_sentences(sentences: int, share: float = TRAINING) -> int:
    """How many sentences of an own corpus are for training; one at least is left.

    Examples
    --------
    >>> training_sentences(20), training_sentences(2), training_sentences(100, 0.29)
    (18, 1, 29)
    """
    return min(max(1, int(round(share * sentences, 6))), max(sentences - 1, 1))


def own_names(kind: str) -> list[str]:
    """Names of the corpora of a kind that were registered with ``data add``.

    What reads transcripts (``"chat"``) reads any other text as well: all that have running text. A ``"treebank"`` is
    of any kind of file that can have heads.
    """
    return [
        name for name, entry in added().items()
        if entry.kind == kind
        or (kind == "chat" and entry.kind != "forms")
        or (kind == "treebank" and entry.kind in TREEBANKS)
    ]  # fmt: skip


def own_derivations(entry: Added) -> Derivations:
    """Read all derivations of an added corpus of AUTO files, in the order of the files."""
    return join([read_auto(Text(name, decoded(name, content)), strict=False) for name, content in _contents(entry)])


def own_version(entry: Added) -> str:
    """Return the version of an added corpus: checksum of the paths, sizes and times of its files, and of the reader."""
    state = hashlib.sha256()
    places = _places(entry) + (_places(replace(entry, path=entry.test)) if entry.test else [])
    for name, file in places:
        known = file.stat()
        state.update(f"{name}\0{known.st_size}\0{known.st_mtime_ns}\n".encode("utf-8", "surrogateescape"))
    readers = (READERS.get(entry.kind, read_corpus), _treebank, _with_tag_columns)
    reader = chat_reader() if entry.kind == "chat" else source_digest(readers)
    version = f"added {state.hexdigest()[:16]} reader {reader[:8]}"
    return f"{version} collapse {collapse_version()[:8]}" if entry.kind == "chat" else version


_LOADED: dict[str, str] = {}  # the version of each corpus that this process has asked for


def changes_of_own_corpora() -> int:
    """How often a corpus that was loaded has been added again or its files have changed, as far as was noticed.

    The list of corpora is looked at each time, their files at most once a second.

    Examples
    --------
    >>> changes_of_own_corpora() == changes_of_own_corpora()
    True
    """
    if not _LOADED:
        return _noticed[0]
    stamp = registry_stamp()
    if stamp != _noticed[1] or time.monotonic() - _noticed[2] > 1:
        _noticed[1:] = stamp, time.monotonic()  # before the versions, which depend on kept results themselves
        entries = added()
        now = {name: _seen(entries[name]) if name in entries else "" for name in _LOADED}
        if now != _LOADED:
            _LOADED.update(now)
            _noticed[0] += 1
    return _noticed[0]


def _seen(entry: Added) -> str:
    """What an own corpus is, as it was added and as its files are; how it was added only, if they are gone."""
    try:
        return f"{entry} {own_version(entry)}"
    except (DataError, OSError):
        return str(entry)


_noticed: list[Any] = [0, None, 0.0]  # changes, the stamp of the list of corpora, and when files were looked at
keep_while(changes_of_own_corpora)


def _places(entry: Added) -> list[tuple[str, Path]]:
    """Return name and path of each file; for a zip file, the zip file itself."""
    path = Path(entry.path)
    if path.is_dir():
        return [(member, path / member) for member in members_of(entry)]
    if not path.exists():
        raise DataError(
            f"{entry.name} is not available: {entry.path} does not exist any more.",
            f"Put it back, or add it again: yardstick data add {entry.name} PATH",
        )
    return [(path.name, path)]


def _contents(entry: Added) -> list[tuple[str, bytes]]:
    """Yield name and content of each file of the corpus, in the order of the names."""
    _places(entry)
    return sorted(contents(entry.path, suffixes_of(entry)))


def _transcripts(entry: Added) -> ChatReading:
    def read() -> ChatReading:
        conventions: dict[str, Any] = {"exclude_roles": CHILDREN, "unintelligible": UNINTELLIGIBLE}
        reading = read_chat(_contents(entry), strict=False, progress=True, **conventions)
        fine = reading.tokens["fine"]
        if set(fine.cat.categories) <= set(collapsed_categories()["fine"]):
            reading.tokens.insert(6, "coarse", collapse(fine))
        return reading

    key = {
        "data": own_version(entry),
        "path": entry.path,
        "collapse": collapse_version(),
        "exclude_roles": CHILDREN,
        "unintelligible": UNINTELLIGIBLE,
    }
    return cached_reading(entry.name, key, read)


def _treebank(entry: Added) -> pd.DataFrame:
    """Return the tokens of all files, sentences numbered consecutively; a column missing in a file is ``_`` there."""
    tables: list[pd.DataFrame] = []
    first = 0
    for name, content in _contents(entry):
        opened = Text(name, decoded(name, content))
        if entry.kind == "conllu":
            reading = read_conllu(opened, strict=False)
            table, sentences = reading.tokens, len(reading.sentences)
        else:
            if b"(" not in opened.data:
                raise DataError(f"{name} of {entry.name} contains no tree.", "Remove it from the corpus.")
            trees = read_penn_trees(opened)
            table, sentences = trees.tokens, len(trees.sentences)
        tables.append(table.assign(sentence=table["sentence"] + first, file=name))
        first += sentences
    whole = _joined(tables)
    order = [column for column in whole if column != "file"]
    return whole[[*order, "file"]]


def _joined(tables: Sequence[pd.DataFrame]) -> pd.DataFrame:
    """Tables under each other; a column that one lacks is ``_`` there."""
    text = [column for column in dict.fromkeys(column for table in tables for column in table) if column not in NUMBERS]
    plain = [table.astype({column: "str" for column in text if column in table}) for table in tables]
    whole = pd.concat(plain, ignore_index=True)
    whole[text] = whole[text].fillna("_")
    if "head" in whole:
        whole["head"] = whole["head"].fillna(-1).astype("int64")
    return whole.astype(dict.fromkeys(text, "category"))
