"""Read and write predicate-argument dependencies in the format of the C&C parser."""

import re
from os import PathLike
from typing import Literal, NamedTuple, overload

import pandas as pd

from analysis.corpora.opening import Source, open_text, write_text
from analysis.structures import DataError, Incident, incidents_table
from analysis.structures.ccg_category import parse_category

_ADVICE = "Give strict=False to keep what can be kept and list such incidents."
_WORD = re.compile(r"(.+)_(\d+)")
_MARKUP = re.compile(r"\{[^{}]*\}|<\d+>|\*")


class DependenciesReading(NamedTuple):
    """Dependencies, and incidents for lines that are not dependencies."""

    dependencies: pd.DataFrame
    incidents: pd.DataFrame


@overload
def read_dependencies(source: Source, *, strict: Literal[True] = True, encoding: str | None = None) -> pd.DataFrame: ...
@overload
def read_dependencies(
    source: Source, *, strict: Literal[False], encoding: str | None = None
) -> DependenciesReading: ...
def read_dependencies(
    source: Source, *, strict: bool = True, encoding: str | None = None
) -> pd.DataFrame | DependenciesReading:
    r"""Read predicate-argument dependencies in C&C format, one ``functor_2 category slot argument_1`` per line.

    Sentences are separated by empty lines; comments begin with ``#``; further fields, and lines that begin with
    ``<c>``, are ignored. Head indices in a category (``NP{Y}<1>``) are removed. A sentence without dependencies is
    written as an additional empty line.

    Returns
    -------
    DataFrame or DependenciesReading
        The table; with ``strict=False`` the table and the incidents. The table has
        ``sentence`` (from 0), ``functor``, ``argument`` (positions from 1), ``category``, ``spine_slot``,
        ``functor_form``, ``argument_form``, ``line``. The slot is numbered on the whole category.

    Raises
    ------
    DataError
        At the first line that is not a dependency, if strict.

    Examples
    --------
    >>> table = read_dependencies("is_2 (S[dcl]\\NP)/NP 2 cat_4\nthe_3 NP/N 1 cat_4\n\n")
    >>> table[["sentence", "functor", "category", "spine_slot", "argument"]]
       sentence  functor        category  spine_slot  argument
    0         0        2  (S[dcl]\NP)/NP           2         4
    1         0        3            NP/N           1         4
    """
    opened = open_text(source, encoding=encoding)
    name, lines = opened.name, opened.lines()
    first = 0
    while first < len(lines) and lines[first].startswith("#"):
        first += 1
    if first and first < len(lines) and not lines[first].strip():
        first += 1  # the empty line after the comments at the head
    rows: list[tuple] = []
    incidents = list(opened.incidents)
    sentence = 0
    for number, line in enumerate(lines[first:], start=first + 1):
        text = line.strip()
        if not text:
            sentence += 1
            continue
        if text.startswith(("#", "<c>")):
            continue
        fields = text.split()
        one, two = _WORD.fullmatch(fields[0]), _WORD.fullmatch(fields[3]) if len(fields) > 3 else None
        category = ""
        if one and two and fields[2].isdecimal():
            try:
                category = str(parse_category(_MARKUP.sub("", fields[1])))
            except ValueError:
                category = ""
        if not category or one is None or two is None:
            incident = Incident(
                name, number, "no dependency", "this line is not a dependency", line, "word_2 category slot word_1"
            )
            if strict:
                raise DataError(incident, _ADVICE)
            incidents.append(incident)
            continue
        rows.append((sentence, int(one[2]), int(two[2]), category, int(fields[2]), one[1], two[1], number))
    columns = [
        "sentence", "functor", "argument", "category", "spine_slot", "functor_form", "argument_form", "line",
    ]  # fmt: skip
    table = pd.DataFrame(rows, columns=columns)
    return table if strict else DependenciesReading(table, incidents_table(incidents))


def write_dependencies(dependencies: pd.DataFrame, tokens: pd.DataFrame, file: str | PathLike | None = None) -> str:
    r"""Write dependencies in C&C format, with slots of the whole category; an empty line ends each sentence.

    Parameters
    ----------
    dependencies : DataFrame
        ``sentence``, ``functor``, ``category``, ``spine_slot``, ``argument``.
    tokens : DataFrame
        ``sentence``, ``position``, ``form``.

    Examples
    --------
    >>> columns = ["sentence", "functor", "category", "spine_slot", "argument"]
    >>> table = pd.DataFrame([[0, 1, "NP/N", 1, 2]], columns=columns)
    >>> write_dependencies(table, pd.DataFrame({"sentence": 0, "position": [1, 2], "form": ["the", "cat"]}))
    'the_1 NP/N 1 cat_2\n\n'
    """
    forms = dict(
        zip(
            zip(tokens["sentence"].tolist(), tokens["position"].tolist(), strict=True),
            tokens["form"].astype("str").tolist(),
            strict=True,
        )
    )
    lines: dict[int, list[str]] = {sentence: [] for sentence in dict.fromkeys(tokens["sentence"].tolist())}
    columns = [dependencies[name].tolist() for name in ("sentence", "functor", "category", "spine_slot", "argument")]
    for sentence, functor, category, slot, argument in zip(*columns, strict=True):
        one, two = forms[sentence, functor], forms[sentence, argument]
        lines[sentence].append(f"{one}_{functor} {category} {slot} {two}_{argument}")
    text = "".join("".join(line + "\n" for line in entries) + "\n" for entries in lines.values())
    if file is not None:
        write_text(file, text)
    return text
