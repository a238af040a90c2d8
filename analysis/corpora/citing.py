"""What to cite: a sentence for a methods section, and BibTeX, of papers, measures, tests, models and data sets."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable
from typing import Literal, NamedTuple

from analysis.corpora.catalogue import unknown_name
from analysis.corpora.folders import data_folder
from analysis.structures import check_choice
from analysis.structures.lazy import pd
from analysis.structures.markup import latex_text
from analysis.structures.version import __version__

#: What can be cited, in the order of the sentence, with the words before its list.
SUBJECTS = {
    "paper": "followed",
    "data": "used",
    "model": "fitted",
    "measure": "reported",
    "test": "applied",
}
FORMATS = ("text", "latex")
SUITE = "LanguageYardstick"

#: Fields of BibTeX by kind of work: where the container goes.
_CONTAINERS = {"article": "journal", "inproceedings": "booktitle", "book": "publisher", "misc": "howpublished"}


class Citation(NamedTuple):
    """What to write and what to cite.

    Attributes
    ----------
    sentence : str
        For a methods section.
    bibtex : str
        One entry per work, in the order of the keys.
    keys : tuple of str
    """

    sentence: str
    bibtex: str
    keys: tuple[str, ...]


def cite(names: Iterable[str], *, format: Literal["text", "latex"] = "text") -> Citation:
    r"""Write the sentence and the BibTeX of what was used; this suite is always cited.

    Parameters
    ----------
    names : iterable of str
        Of `citable`; capitals do not matter.
    format : {"text", "latex"}
        Of the sentence: names and years, or ``\citep`` with the keys.

    Returns
    -------
    Citation

    Raises
    ------
    DataError
        If a name does not exist; with the nearest names.
    ValueError
        If the format is unknown.

    Examples
    --------
    >>> found = cite(["V", "brown"])
    >>> found.sentence.partition(", with")[0]
    'We fitted Brown clustering (Brown et al. 1992) and reported V-measure (Rosenberg & Hirschberg 2007)'
    >>> found.keys
    ('Brown1992', 'Rosenberg2007', 'LanguageYardstick')
    """
    check_choice("format", format, FORMATS)
    chosen = list(dict.fromkeys(map(_found, names)))
    parts: list[str] = []
    keys: list[str] = []
    for subject, verb in SUBJECTS.items():
        own = [name for name in chosen if _subjects()[name].subject == subject]
        if own:
            listed = [_mention(name, format) for name in own]
            parts.append(f"{verb} {_listed(listed)}")
            keys += [key for name in own for key in _subjects()[name].keys]
    keys = list(dict.fromkeys([*keys, SUITE]))
    suite = f"with Language Yardstick {__version__}{_references((SUITE,), format)}"
    sentence = f"We {_listed(parts)}, {suite}." if parts else f"We computed all scores {suite}."
    return Citation(sentence, "\n\n".join(map(bibtex, keys)) + "\n", tuple(keys))


def citable() -> pd.DataFrame:
    """List what can be cited.

    Returns
    -------
    DataFrame
        ``name``, ``subject`` (paper, data, model, measure, test), ``phrase`` (in the sentence), ``keys``.

    Examples
    --------
    >>> table = citable()
    >>> table[table["name"] == "VI"].values.tolist()
    [['VI', 'measure', 'variation of information', 'Meila2007']]
    """
    rows = [(name, own.subject, own.phrase, ";".join(own.keys)) for name, own in _subjects().items()]
    return pd.DataFrame(rows, columns=["name", "subject", "phrase", "keys"])


def bibtex(key: str) -> str:
    r"""One work as a BibTeX entry, in UTF-8, its special characters escaped and the capitals of its title kept.

    Parameters
    ----------
    key : str
        Of ``data/catalogue/references.csv``.

    Returns
    -------
    str

    Raises
    ------
    DataError
        If there is no such work.

    Examples
    --------
    >>> print(bibtex("Efron1993"))
    @book{Efron1993,
      author = {Efron, B. and Tibshirani, R. J.},
      title = {{An introduction to the bootstrap}},
      publisher = {Chapman \& Hall},
      year = {1993},
    }
    """
    if key not in _works():
        raise unknown_name(key, _works(), "work", "")
    work = _works()[key]
    authors = work["author"]
    whole = authors.startswith("{") and authors.endswith("}")  # a group, not a person
    fields = {
        "author": "{" + latex_text(authors[1:-1]) + "}" if whole else latex_text(authors),
        "title": "{" + latex_text(work["title"]) + "}",
        _CONTAINERS.get(work["kind"], "howpublished"): latex_text(work["container"]),
        "volume": work["volume"],
        "number": work["number"],
        "pages": latex_text(work["pages"]),
        "version": __version__ if key == SUITE else "",
        "year": work["year"],
    }
    kind = work["kind"] if work["kind"] in _CONTAINERS else "misc"
    lines = [f"  {name} = {{{text}}}," for name, text in fields.items() if text]
    return "\n".join([f"@{kind}{{{key},", *lines, "}"])


class _Subject(NamedTuple):
    subject: str
    phrase: str
    keys: tuple[str, ...]


@functools.cache
def _works() -> dict[str, dict[str, str]]:
    return {row["key"]: row for row in _read("references.csv")}


@functools.cache
def _subjects() -> dict[str, _Subject]:
    """What can be cited, by name: the table of names, and the data sets of the catalogue."""
    rows = [(row["name"], row["subject"], row["phrase"], row["keys"]) for row in _read("cited.csv")]
    rows += [(row["name"], "data", row["title"], row["citation_keys"]) for row in _read("datasets.csv")]
    return {name: _Subject(kind, phrase, tuple(filter(None, keys.split(";")))) for name, kind, phrase, keys in rows}


def _read(name: str) -> list[dict[str, str]]:
    table = pd.read_csv(data_folder() / "catalogue" / name, dtype=str, keep_default_na=False, encoding="utf-8")
    return table.to_dict("records")


def _found(name: str) -> str:
    known = _subjects()
    if name in known:
        return name
    same = [other for other in known if other.lower() == name.strip().lower()]
    if same:
        return same[0]
    raise unknown_name(name, known, "paper, measure, test, model or data set", "`yardstick cite --list` lists all.")


def _mention(name: str, format: str) -> str:
    subject = _subjects()[name]
    phrase = latex_text(subject.phrase) if format == "latex" else subject.phrase
    return phrase + _references(subject.keys, format)


def _references(keys: Iterable[str], format: str) -> str:
    """Names and years, or the command of LaTeX; nothing where there is nothing to cite."""
    keys = tuple(keys)
    if not keys:
        return ""
    if format == "latex":
        return rf" \citep{{{','.join(keys)}}}"
    return f" ({'; '.join(map(author_year, keys))})"


def author_year(key: str) -> str:
    """Authors and year of a work as they stand in a text.

    Parameters
    ----------
    key : str

    Returns
    -------
    str

    Examples
    --------
    >>> author_year("Rosenberg2007"), author_year("Brown1992"), author_year("Black1991")
    ('Rosenberg & Hirschberg 2007', 'Brown et al. 1992', 'Black et al. 1991')
    """
    work = _works()[key]
    people = [re.sub(r", .*", "", person).strip("{}") for person in work["author"].split(" and ")]
    if people[-1] == "others" or len(people) > 3:
        who = f"{people[0]} et al."
    else:
        who = " & ".join(filter(None, [", ".join(people[:-1]), people[-1]]))
    return f"{who} {work['year']}"


def _listed(items: list[str]) -> str:
    return " and ".join(filter(None, [", ".join(items[:-1]), items[-1]]))
