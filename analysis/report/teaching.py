"""Editions of the notebooks for a class: the students', and the lecturer's with solutions; and the checks of answers.

The notebooks are the only source of the text and of the cells in which an exercise begins, which have the tag
``exercise-NUMBER`` and set ``answer_NUMBER``. ``data/solutions.toml`` has the rest of each: its solution, what an
answer is compared with, and wrong answers that the check must refuse. Editions are written anew and never committed.
"""

import hashlib
import math
import re
import tomllib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import nbformat
from nbformat import NotebookNode

from analysis.corpora.folders import data_folder, notebooks_folder
from analysis.report.notebooks import NotebookError, execute, freeze, page, read_notebook
from analysis.report.working_copies import keep_copies
from analysis.structures import DataError
from analysis.structures.writing import write_whole

RECORD = ".edition.json"  #: SHA-256 of each notebook of an edition as it was written
SOLUTIONS = "solutions.toml"  #: In the folder of data
_TAG = re.compile(r"exercise-(\d+)")
_IMPORT = "from analysis.report.teaching import check\n\n"


@dataclass(frozen=True)
class Verdict:
    """Whether an answer is right; ``None`` if there is none yet. It shows itself as a sentence.

    Examples
    --------
    >>> Verdict("01.1", None)
    01.1: no answer yet
    """

    exercise: str
    right: bool | None
    why: str = ""

    def __repr__(self) -> str:
        """The exercise and the verdict."""
        said = {True: "right", False: "not right", None: "no answer yet"}[self.right]
        return f"{self.exercise}: {said}{f' ({self.why})' if self.why else ''}"


@dataclass(frozen=True)
class Exercise:
    """What `data/solutions.toml` says about one exercise.

    Attributes
    ----------
    name : str
        Notebook and number, such as ``01.3``.
    solution : str
        Code that sets ``answer_NUMBER``.
    note : str
        What a lecturer says about it, in Markdown.
    expected : str
        Code of what an answer is compared with: the `answer_digest` of the right one, or a function that tests it.
    wrong : mapping of str to str
        Expressions whose values must be refused, by what is wrong with them.
    unchecked : str
        Why no answer is checked, where the question is open.

    Examples
    --------
    >>> Exercise("01.3", "answer_3 = 2", "", "'ab'").variable
    'answer_3'
    """

    name: str
    solution: str
    note: str
    expected: str = ""
    wrong: Mapping[str, str] = field(default_factory=dict)
    unchecked: str = ""

    @property
    def variable(self) -> str:
        """Name of the answer in the notebook."""
        return f"answer_{self.name.rpartition('.')[2]}"

    @property
    def check(self) -> str:
        """Expression that checks the answer; empty if none is checked."""
        return f'check("{self.name}", {self.variable}, {self.expected})' if self.expected else ""


def exercises(notebook: str) -> dict[int, Exercise]:
    """Read the solutions to one notebook.

    Parameters
    ----------
    notebook : str
        Its name without ending.

    Returns
    -------
    dict of int to Exercise

    Raises
    ------
    DataError
        If an entry has a wrong part, or neither a check nor a reason why there is none.

    Examples
    --------
    >>> exercises("01_frank2009")[1].name
    '01.1'
    """
    path = data_folder() / SOLUTIONS
    entries = tomllib.loads(path.read_text(encoding="utf-8")).get(notebook, {})
    found = {}
    for number, entry in entries.items():
        name = f"{notebook.partition('_')[0]}.{number}"
        unknown = entry.keys() - {"solution", "note", "expected", "wrong", "unchecked"}
        if unknown or bool(entry.get("expected")) == bool(entry.get("unchecked")):
            what = f"has the unknown part {sorted(unknown)[0]}" if unknown else "needs either expected or unchecked"
            raise DataError(f"{path}, {notebook}.{number}: {what}.")
        texts = {part: entry.get(part, "").strip() for part in ("solution", "note", "expected", "unchecked")}
        found[int(number)] = Exercise(name=name, wrong=entry.get("wrong", {}), **texts)
    return found


def edition(notebook: NotebookNode, known: Mapping[int, Exercise], *, solutions: bool) -> NotebookNode:
    """Add the checks to a notebook, and the solutions if asked.

    Parameters
    ----------
    notebook : NotebookNode
        Is not changed.
    known : mapping of int to Exercise
    solutions : bool
        Whether the first cell of each exercise becomes its solution, with a note below.

    Returns
    -------
    NotebookNode

    Raises
    ------
    DataError
        If an exercise of the notebook has no entry, or the reverse.

    Examples
    --------
    >>> cell = nbformat.v4.new_code_cell("answer_1 = ...", id="start", metadata={"tags": ["exercise-1"]})
    >>> one = {1: Exercise("09.1", "answer_1 = 6", "Six.", "'ab'")}
    >>> for each in edition(nbformat.v4.new_notebook(cells=[cell]), one, solutions=True).cells:
    ...     print(each.source.splitlines()[-1])
    answer_1 = 6
    check("09.1", answer_1, 'ab')
    Six.
    """
    there = {number for cell in notebook.cells if (number := _number(cell))}
    if there != set(known):
        missing = sorted(there ^ set(known))[0]
        raise DataError(f"exercise {missing} is in the notebook or in {SOLUTIONS}, but not in both.")
    cells: list[NotebookNode] = []
    for old in notebook.cells:
        cell, number = nbformat.from_dict(dict(old)), _number(old)
        cells.append(cell)
        if not number:
            continue
        exercise = known[number]
        if solutions:
            cell.source = exercise.solution
        if exercise.check:
            cells.append(nbformat.v4.new_code_cell(_IMPORT + exercise.check, id=f"exercise-{number}-check"))
        if solutions and exercise.note:
            cells.append(nbformat.v4.new_markdown_cell(exercise.note, id=f"exercise-{number}-note"))
    return nbformat.from_dict({**notebook, "cells": cells})


def _number(cell: NotebookNode) -> int:
    """Number of the exercise that begins in a cell; 0 if none does."""
    tags = [_TAG.fullmatch(tag) for tag in cell.get("metadata", {}).get("tags", [])]
    return next((int(tag[1]) for tag in tags if tag), 0)


def proof_cells(known: Mapping[int, Exercise]) -> list[NotebookNode]:
    """Cells that assert that each check accepts its solution and refuses each wrong answer; tests append them.

    Parameters
    ----------
    known : mapping of int to Exercise

    Returns
    -------
    list of NotebookNode

    Examples
    --------
    >>> one = Exercise("09.1", "answer_1 = 6", "", "'ab'", {"one too many": "7"})
    >>> print(proof_cells({1: one})[0].source)
    from analysis.report.teaching import answer_digest, check
    answer_1 = 6
    assert check("09.1", answer_1, 'ab').right, ("09.1", answer_digest("09.1", answer_1))
    answer_1 = 7
    assert check("09.1", answer_1, 'ab').right is False, "09.1: one too many"
    """
    cells = []
    for number, exercise in sorted(known.items()):
        lines = ["from analysis.report.teaching import answer_digest, check", exercise.solution]
        if exercise.check:
            told = f'("{exercise.name}", answer_digest("{exercise.name}", {exercise.variable}))'
            lines.append(f"assert {exercise.check}.right, {told}")
        for what, expression in exercise.wrong.items():
            lines.append(f"{exercise.variable} = {expression}")
            lines.append(f'assert {exercise.check}.right is False, "{exercise.name}: {what}"')
        cells.append(nbformat.v4.new_code_cell("\n".join(lines), id=f"exercise-{number}-proof"))
    return cells


def write_editions(
    folder: str | Path,
    *,
    solutions: bool,
    notebooks: Iterable[str] = (),
    tell: Callable[[str], None] = lambda line: None,
) -> list[Path]:
    """Write the students' or the lecturer's edition of notebooks; a notebook that was changed since is kept.

    Parameters
    ----------
    folder : path
        Created if it does not exist.
    solutions : bool
        The lecturer's edition.
    notebooks : iterable of str
        Names or beginnings of names, such as ``01``; all if there are none.
    tell : callable
        As in `working_copies`.

    Returns
    -------
    list of Path

    Raises
    ------
    DataError
        If there is no such notebook.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as home:
    ...     [path.name for path in write_editions(home, solutions=False, notebooks=["01"])]
    ['01_frank2009.ipynb']
    """
    files = sorted(notebooks_folder().glob("*.ipynb"))
    wanted = list(notebooks)
    for name in wanted:
        if not any(path.name.startswith(name) for path in files):
            raise DataError(f"there is no notebook {name}; there are {', '.join(path.stem for path in files)}.")
    chosen = [path for path in files if not wanted or any(path.name.startswith(name) for name in wanted)]
    contents = {}
    for path in chosen:
        made = edition(read_notebook(path), exercises(path.stem), solutions=solutions)
        contents[path.name] = (nbformat.writes(made) + "\n").encode()
    keep_copies(contents, Path(folder), RECORD, tell)
    return [Path(folder) / path.name for path in chosen]


def write_page(path: Path) -> Path:
    """Run a notebook and write it beside as a page that needs no scripts and no network.

    Parameters
    ----------
    path : Path

    Returns
    -------
    Path
        The page.

    Raises
    ------
    NotebookError
        If a cell fails; with notebook and cell.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as home:
    ...     write_page(Path(home) / "none.ipynb")
    Traceback (most recent call last):
    analysis.structures.incidents.DataError: the notebook ...none.ipynb is missing.
    """
    try:
        content = page(freeze(execute(read_notebook(path))), path.stem, in_report=False)
    except NotebookError as error:
        raise NotebookError(f"{path.name}, {error}") from error
    write_whole(path.with_suffix(".html"), content)
    return path.with_suffix(".html")


# Checks ---------------------------------------------------------------------------------------------------------------


def check(exercise: str, answer: object, expected: str | Callable[[Any], object]) -> Verdict:
    """Say whether an answer is right, without showing the right one.

    Parameters
    ----------
    exercise : str
        Its name, such as ``01.3``.
    answer : object
        A number (three decimals count), a text, a score, or a list, tuple, set or mapping of those; or whatever the
        function takes. ``...`` stands for none yet.
    expected : str or callable
        `answer_digest` of the right answer; or a function of the answer that is true if it is right.

    Returns
    -------
    Verdict

    Examples
    --------
    >>> check("09.1", 2 / 3, answer_digest("09.1", 0.667)), check("09.1", 0.5, answer_digest("09.1", 0.667))
    (09.1: right, 09.1: not right)
    >>> check("09.2", "even", lambda number: number % 2 == 0)
    09.2: not right (TypeError: not all arguments converted during string formatting)
    """
    if answer is ... or (isinstance(answer, (tuple, list)) and any(part is ... for part in answer)):
        return Verdict(exercise, None)
    try:
        right = answer_digest(exercise, answer) == expected if isinstance(expected, str) else bool(expected(answer))
    except Exception as error:  # an answer of another type than was asked for
        return Verdict(exercise, False, f"{type(error).__name__}: {error}")
    return Verdict(exercise, right)


def answer_digest(exercise: str, answer: object) -> str:
    """Compute the salted SHA-256 of an answer, its numbers rounded to three decimals.

    Parameters
    ----------
    exercise : str
        Part of what is hashed, so that equal answers to two exercises differ.
    answer : object
        See `check`.

    Returns
    -------
    str
        16 hexadecimal digits.

    Raises
    ------
    TypeError
        If the answer is of a type that has no plain form, such as a table.

    Examples
    --------
    >>> answer_digest("09.1", 1) == answer_digest("09.1", 1.0), answer_digest("09.1", 1) == answer_digest("09.2", 1)
    (True, False)
    """
    return hashlib.sha256(f"{exercise}|{_plain(answer)}".encode()).hexdigest()[:16]


def _plain(answer: Any) -> str:
    """One way to write an answer: text without capitals and outer blanks, numbers with three decimals."""
    if hasattr(answer, "value") and hasattr(answer, "measure"):  # a score
        answer = answer.value
    if hasattr(answer, "tolist"):  # arrays, columns and numbers of NumPy
        answer = answer.tolist()
    if isinstance(answer, str):
        return repr(" ".join(answer.split()).casefold())
    if answer is None or (isinstance(answer, float) and math.isnan(answer)) or type(answer).__name__ == "NAType":
        return "undefined"
    if isinstance(answer, (bool, int, float)):
        return f"{answer + 0.0:.3f}".replace("-0.000", "0.000")
    if isinstance(answer, (set, frozenset)):
        return f"set({','.join(sorted(map(_plain, answer)))})"
    if isinstance(answer, Mapping):
        return f"map({','.join(sorted(f'{_plain(name)}:{_plain(value)}' for name, value in answer.items()))})"
    if isinstance(answer, (list, tuple)):
        return f"list({','.join(map(_plain, answer))})"
    raise TypeError(f"an answer is a number, a text, or a list, set or mapping of those, not {type(answer).__name__}")
