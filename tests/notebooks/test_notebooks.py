import nbformat
import pytest

from analysis.corpora.folders import notebooks_folder
from analysis.report.teaching import exercises

NOTEBOOKS = sorted(notebooks_folder().glob("*.ipynb"))
pytestmark = pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)


def code(path):
    return [cell for cell in nbformat.read(path, as_version=4).cells if cell.cell_type == "code"]


def first_line(cell):
    return cell.source.partition("\n")[0]


def test_the_first_code_cell_holds_the_parameters(path):
    first, *others = code(path)
    assert first.metadata["tags"] == ["parameters"]
    assert all(" = " in line for line in first.source.splitlines())
    assert not any("parameters" in cell.metadata.get("tags", []) for cell in others)


def test_no_outputs_are_kept_and_the_file_is_valid(path):
    nbformat.validate(nbformat.read(path, as_version=4))
    assert all(cell.outputs == [] and cell.execution_count is None for cell in code(path))


def test_no_code_cell_is_longer_than_ten_lines_and_a_title_comes_first(path):
    long = [first_line(cell) for cell in code(path) if len(cell.source.splitlines()) > 10]
    assert long == []
    assert nbformat.read(path, as_version=4).cells[0].source.startswith("# ")


def test_each_explorer_is_followed_by_a_still_picture_of_itself(path):
    cells = nbformat.read(path, as_version=4).cells
    found = 0
    for cell, following in zip(cells, [*cells[1:], None], strict=True):
        name = cell.source.splitlines()[-1].strip()
        if cell.cell_type == "code" and f"{name} = explore." in cell.source:
            found += 1
            assert following is not None and following.cell_type == "code"
            assert following.source.startswith((f"{name}.still(", f"{name}.value"))
    assert found > 0, "every notebook lets the reader explore"


@pytest.fixture
def executed(path, executed_notebook):
    """Code cells of the notebook after its one execution, and the cell that then moved its sliders."""
    *cells, moved = [cell for cell in executed_notebook(path).cells if cell.cell_type == "code"]
    return [cell for cell in cells if not cell.id.endswith("-proof")], moved


def complaints(cells):
    return [
        (first_line(cell), output.get("text", output.get("evalue")))
        for cell in cells
        for output in cell.outputs
        if output.output_type == "error" or output.get("name") == "stderr"
    ]


@pytest.mark.notebook
def test_all_cells_run_with_the_defaults_without_an_error_and_without_a_word_on_stderr(executed):
    cells, _ = executed
    assert all(cell.execution_count is not None for cell in cells)
    assert complaints(cells) == []


@pytest.mark.notebook
def test_every_still_picture_is_there(executed):
    cells, _ = executed
    for cell in cells:
        pictures = [output for output in cell.outputs if "image/png" in output.get("data", {})]
        assert len(pictures) >= (".still(" in cell.source), first_line(cell)


@pytest.mark.notebook
def test_the_first_sliders_move_without_a_complaint(executed):
    _, moved = executed
    assert complaints([moved]) == []
    printed = "".join(output.text for output in moved.outputs if output.get("name") == "stdout").splitlines()
    for line in printed:
        name, before, after = line.split(" | ")
        assert before != after, name


@pytest.mark.notebook
def test_every_solution_is_accepted_and_every_wrong_answer_refused(path, executed_notebook):
    proofs = [cell for cell in executed_notebook(path).cells if cell.id.endswith("-proof")]
    assert len(proofs) == len(exercises(path.stem)) > 0
    for cell in proofs:
        assert cell.execution_count is not None
        assert [output.evalue for output in cell.outputs if output.output_type == "error"] == [], cell.id


def test_every_exercise_has_a_cell_to_begin_in_a_solution_and_three_wrong_answers(path):
    known = exercises(path.stem)
    starters = {
        tag: cell for cell in code(path) for tag in cell.metadata.get("tags", []) if tag.startswith("exercise-")
    }
    assert set(starters) == {f"exercise-{number}" for number in known}
    for number, exercise in known.items():
        assert f"answer_{number} = " in starters[f"exercise-{number}"].source
        assert f"answer_{number} = " in exercise.solution
        assert len(exercise.wrong) == 3 if exercise.expected else exercise.unchecked, exercise.name
    assert sum(bool(exercise.expected) for exercise in known.values()) >= 2
