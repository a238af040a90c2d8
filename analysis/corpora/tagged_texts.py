"""Tagged texts of the catalogue, as nltk distributes them: the Brown corpus, and that of the CoNLL-2000 task."""

import functools
import re
from pathlib import Path

import pandas as pd

from analysis.corpora.catalogue import dataset, locate
from analysis.corpora.loaders import Loader, register
from analysis.corpora.opening import Text, contents, decoded
from analysis.corpora.slashed import read_slashed
from analysis.structures import DataError

_AROUND = re.compile(r"^FW-|(?:-(?:TL|HL|NC))+$")


def base_tag(tag: str) -> str:
    """The tag of a word of the Brown corpus without what its place adds, and of a contraction that of its first part.

    Left out are ``FW-`` of foreign words, ``-TL``, ``-HL`` and ``-NC`` of words in titles, in headlines and that are
    quoted as words, and the negation of a verb with *n't* (*can't* is ``MD*``).

    Parameters
    ----------
    tag : str
        As in the corpus; small letters count as capitals.

    Returns
    -------
    str

    References
    ----------
    Francis & Kučera (1964), A Standard Corpus of Present-Day Edited American English, list of tags.

    Examples
    --------
    >>> [base_tag(tag) for tag in ("np-tl", "fw-in+at-tl", "md*", "ppss+ber", "*", "np$")]
    ['NP', 'IN', 'MD', 'PPSS', '*', 'NP$']
    """
    first = _AROUND.sub("", tag.upper()).split("+")[0]
    return first if first == "*" else first.removesuffix("*")


def read_brown() -> pd.DataFrame:
    """Read the Brown corpus: 500 texts of the year 1961 in fifteen genres.

    Returns
    -------
    DataFrame
        ``sentence``, ``position``, ``form``, ``fine`` (see `base_tag`), ``annotated`` (the tag as it stands, in
        capitals), ``text`` (``"ca01"`` and so on; its second letter is the genre).

    Raises
    ------
    DataError
        If the corpus is not available, or a token is not a word, a slash and a tag.
    """
    pieces, first = [], 0
    for name, content in sorted(contents(_path("nltk-brown"), ("",))):
        if not re.fullmatch(r"(?:.*/)?c[a-r]\d\d", name):
            continue
        piece = read_slashed(Text(name, decoded(name, content)), label="annotated")
        piece = piece.assign(sentence=piece["sentence"] + first, text=name.rpartition("/")[2])
        first = int(piece["sentence"].iloc[-1]) + 1
        pieces.append(piece.astype({"form": "str", "annotated": "str"}))
    if not pieces:
        raise DataError("nltk-brown: no text of the corpus (brown/ca01 and so on) is in the archive.")
    tokens = pd.concat(pieces, ignore_index=True)
    tags = pd.Categorical(tokens["annotated"].str.upper())
    fine = pd.Series([base_tag(tag) for tag in tags.categories])[tags.codes]
    columns = {"form": tokens["form"].astype("category"), "fine": fine.astype("category").array, "annotated": tags}
    return tokens.assign(**columns, text=tokens["text"].astype("category"))[
        ["sentence", "position", "form", "fine", "annotated", "text"]
    ]


def read_conll2000(part: str) -> pd.DataFrame:
    """Read the words of the CoNLL-2000 task: sections 15 to 18 of the Wall Street Journal (train), and 20 (test).

    Parameters
    ----------
    part : {"train", "test"}

    Returns
    -------
    DataFrame
        ``sentence``, ``position``, ``form``, ``tagged``, ``chunk``. The tags come from a tagger, not from the treebank:
        they are no gold standard, so that there is no column ``fine``.

    Raises
    ------
    DataError
        If the corpus is not available, or a line has not three columns.

    References
    ----------
    Tjong Kim Sang & Buchholz (2000), Introduction to the CoNLL-2000 shared task: chunking.
    """
    found = {name.rpartition("/")[2]: (name, content) for name, content in contents(_path("nltk-conll2000"), (".txt",))}
    if f"{part}.txt" not in found:
        raise DataError(f"nltk-conll2000: {part}.txt is not in the archive; it has {', '.join(sorted(found))}.")
    name, content = found[f"{part}.txt"]
    rows, sentence, position = [], 0, 0
    for number, line in enumerate(Text(name, decoded(name, content)).lines(), start=1):
        if not line.strip():
            sentence, position = sentence + (position > 0), 0
            continue
        cells = line.split(" ")
        if len(cells) != 3 or not all(cells):
            raise DataError(f"{name}, line {number}: {line[:80]!r} is not a word, a tag and a chunk divided by blanks.")
        position += 1
        rows.append((sentence, position, *cells))
    table = pd.DataFrame(rows, columns=["sentence", "position", "form", "tagged", "chunk"])
    return table.astype({"form": "category", "tagged": "category", "chunk": "category"})


def _path(name: str) -> Path:
    return locate(name, dataset(name).files[0].path)[0]


register("nltk-brown", Loader(parts={"all": read_brown}))
register(
    "nltk-conll2000",
    Loader(parts={part: functools.partial(read_conll2000, part) for part in ("train", "test")}),
)
