"""Editions of the notebooks, and the checks of answers."""

import math
import re

import nbformat
import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner

from analysis.__main__ import main
from analysis.corpora.folders import notebooks_folder
from analysis.report import teaching
from analysis.report.notebooks import NotebookError, execute, read_notebook
from analysis.report.teaching import Exercise, answer_digest, check, edition, exercises, write_editions
from analysis.structures import DataError, Score

NOTEBOOKS = sorted(path.stem for path in notebooks_folder().glob("*.ipynb"))


def notebook(*sources):
    """A notebook with one exercise for each source."""
    cells = [
        nbformat.v4.new_code_cell(source, id=f"start-{number}", metadata={"tags": [f"exercise-{number}"]})
        for number, source in enumerate(sources, 1)
    ]
    return nbformat.v4.new_notebook(cells=[nbformat.v4.new_markdown_cell("# A title", id="title"), *cells])


HALF = Exercise("09.1", "answer_1 = 1 / 2", "One of two.", repr(answer_digest("09.1", 0.5)))
OPEN = Exercise("09.2", "answer_2 = None", "", unchecked="a judgement")


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_the_students_edition_has_checks_and_no_solution(name):
    source, known = read_notebook(notebooks_folder() / f"{name}.ipynb"), exercises(name)
    made = edition(source, known, solutions=False)
    nbformat.validate(made)
    checks = [cell for cell in made.cells if cell.get("id", "").endswith("-check")]
    assert len(checks) == sum(bool(exercise.check) for exercise in known.values())
    assert [cell for cell in made.cells if cell not in checks] == source.cells, "nothing else is added or changed"
    text = "\n".join(cell.source for cell in made.cells)
    for exercise in known.values():
        own = exercise.solution.splitlines()[-1]
        assert own.strip() == f"{exercise.variable} = None" or own not in text, exercise.name
        assert not exercise.note or exercise.note not in text


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_the_lecturers_edition_has_every_solution_and_note(name):
    known = exercises(name)
    made = edition(read_notebook(notebooks_folder() / f"{name}.ipynb"), known, solutions=True)
    nbformat.validate(made)
    sources = [cell.source for cell in made.cells]
    for exercise in known.values():
        assert exercise.solution in sources and (not exercise.note or exercise.note in sources)
    assert len({cell.id for cell in made.cells}) == len(made.cells)


def test_an_edition_leaves_the_notebook_as_it_was():
    source = notebook("answer_1 = ...")
    before = nbformat.writes(source)
    made = edition(source, {1: HALF}, solutions=True)
    made.cells[1].source += "\n# changed"
    assert nbformat.writes(source) == before


@pytest.mark.thorough
def test_a_student_is_told_before_and_after_an_answer():
    made = edition(notebook("answer_1 = ..."), {1: HALF}, solutions=False)
    for answer, expected in (("...", "no answer yet"), ("2 / 4", "right"), ("0.25", "not right")):
        made.cells[1].source = f"answer_1 = {answer}"
        said = execute(made).cells[2].outputs[0].data["text/plain"]
        assert said == f"09.1: {expected}"


def test_an_exercise_without_an_entry_or_an_entry_without_an_exercise_is_named():
    with pytest.raises(DataError, match="exercise 2 "):
        edition(notebook("answer_1 = ...", "answer_2 = ..."), {1: HALF}, solutions=False)
    with pytest.raises(DataError, match="exercise 2 "):
        edition(notebook("answer_1 = ..."), {1: HALF, 2: OPEN}, solutions=True)


@pytest.mark.parametrize(
    ("entry", "told"),
    [
        ("solution = 'x'", "needs either expected or unchecked"),
        ("expected = 'a'\nunchecked = 'b'", "needs either expected or unchecked"),
        ("expected = 'a'\nanswer = 'b'", "unknown part answer"),
    ],
)
def test_an_entry_with_a_wrong_part_is_refused(entry, told, tmp_path, monkeypatch):
    (tmp_path / "solutions.toml").write_text(f"[09_x.1]\n{entry}\n")
    monkeypatch.setattr(teaching, "data_folder", lambda: tmp_path)
    with pytest.raises(DataError, match=f"09_x.1: .*{told}"):
        exercises("09_x")


# Checks ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("answer", "same"),
    [
        (2 / 3, 0.667),
        (1, 1.0),
        (np.float64(0.5), 0.5),
        (np.array([1, 2]), [1, 2]),
        (pd.Series([0.25]), (0.25,)),
        (Score("V", numerator=1, denominator=2), 0.5),
        ("  Two  words ", "two words"),
        ({"b", "a"}, frozenset("ab")),
        ({"x": 1, "y": 2}, {"y": 2, "x": 1.0}),
        (float("nan"), None),
        (pd.NA, None),
        (-0.0, 0),
    ],
)
def test_answers_that_mean_the_same_have_one_digest(answer, same):
    assert answer_digest("09.1", answer) == answer_digest("09.1", same)


@pytest.mark.parametrize(
    ("answer", "other"),
    [
        (0.666, 0.667),
        ([1, 2], [2, 1]),
        ("1", 1),
        ({"a"}, {"a", "b"}),
        (["a,b"], ["a", "b"]),
        (None, 0),
        (math.inf, 1e300),
        ({"a": "b"}, {"b": "a"}),
        ([], set()),
    ],
)
def test_answers_that_differ_have_different_digests(answer, other):
    assert answer_digest("09.1", answer) != answer_digest("09.1", other)


def test_a_digest_does_not_show_the_answer_and_differs_between_exercises():
    assert "17" not in repr(check("09.1", 18, answer_digest("09.1", 17)))
    assert answer_digest("09.1", 17) != answer_digest("09.2", 17)


def test_an_answer_of_another_type_is_not_right_and_says_why():
    verdict = check("09.1", pd.DataFrame({"a": [1]}), answer_digest("09.1", 1))
    assert verdict.right is False and "DataFrame" not in str(verdict.right) and "table" not in verdict.exercise
    assert check("09.1", 3, lambda pair: pair[0] == 1).right is False
    assert "TypeError" in repr(check("09.1", 3, lambda pair: pair[0] == 1))


@pytest.mark.parametrize("answer", [..., [..., 1], (1, ...), [...]])
def test_an_ellipsis_is_no_answer_yet(answer):
    assert check("09.1", answer, "ab").right is None


# The command ----------------------------------------------------------------------------------------------------------


def run(*words):
    return CliRunner().invoke(main, ["teach", *map(str, words)])


def test_teach_writes_the_notebooks_that_are_asked_for(tmp_path):
    done = run(tmp_path / "class", "--notebook", "01", "--notebook", "04")
    assert done.exit_code == 0, done.output
    written = sorted(path.name for path in (tmp_path / "class").glob("*.ipynb"))
    assert written == ["01_frank2009.ipynb", "04_gelling2012_dependencies.ipynb"]
    assert [line.rpartition("/")[2] for line in done.stdout.splitlines()] == written
    assert run("--solutions", tmp_path / "mine").exit_code == 0
    assert len(list((tmp_path / "mine").glob("*.ipynb"))) == len(NOTEBOOKS)
    student, lecturer = (tmp_path / each / written[0] for each in ("class", "mine"))
    assert "common.get(word" in lecturer.read_text() and "common.get(word" not in student.read_text()


def test_teach_keeps_what_was_changed(tmp_path):
    run(tmp_path, "--notebook", "00")
    path = tmp_path / "00_tour.ipynb"
    path.write_text(path.read_text().replace("A tour", "My tour"))
    done = run(tmp_path, "--notebook", "00")
    assert "My tour" in path.read_text() and done.exit_code == 0
    assert run("--solutions", tmp_path, "--notebook", "00").exit_code == 0
    assert "My tour" in path.read_text()


def test_execute_writes_a_page_of_each_notebook(tmp_path, monkeypatch):
    monkeypatch.setattr(teaching, "execute", lambda notebook: notebook)
    done = run(tmp_path, "--notebook", "00", "--execute")
    assert done.exit_code == 0 and (tmp_path / "00_tour.html").stat().st_size > 1000
    assert [line.rpartition(".")[2] for line in done.stdout.splitlines()] == ["ipynb", "html"]


@pytest.mark.thorough
def test_an_edition_is_executed_as_a_page_and_a_failing_cell_is_named(tmp_path):
    path = tmp_path / "09_x.ipynb"
    path.write_text(nbformat.writes(edition(notebook("answer_1 = ..."), {1: HALF}, solutions=True)))
    text = teaching.write_page(path).read_text(encoding="utf-8")
    assert "09.1: right" in text and "One of two." in text and "<script" not in text
    assert re.findall(r'href="(?!#)[^"]*', text) == [], "the page stands alone"
    path.write_text(nbformat.writes(notebook("1 / 0")))
    with pytest.raises(NotebookError, match=r"09_x\.ipynb, cell 2: ZeroDivisionError"):
        teaching.write_page(path)


def test_a_notebook_that_is_not_there_is_named(tmp_path):
    done = run(tmp_path, "--notebook", "99")
    assert done.exit_code == 2 and "there is no notebook 99; there are 00_tour" in done.output
    with pytest.raises(DataError):
        write_editions(tmp_path, solutions=False, notebooks=["x"])


def test_no_edition_is_committed():
    found = [
        path for path in notebooks_folder().rglob("*.ipynb") if "exercise-1-check" in path.read_text(encoding="utf-8")
    ]
    assert found == []
