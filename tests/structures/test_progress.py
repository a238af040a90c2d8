import nbformat
import pytest

from analysis.report.notebooks import execute
from analysis.structures.progress import progress_bar


def test_a_terminal_sees_the_bar_on_standard_error_and_nothing_after_it(capsys):
    with progress_bar(2, label="reading") as bar:
        bar.update()
        bar.refresh()
    printed = capsys.readouterr()
    assert printed.out == "" and "reading:  50%" in printed.err
    assert printed.err.endswith("\r") and printed.err.split("\r")[-2].strip() == ""


def test_a_hidden_bar_shows_nothing(capsys):
    with progress_bar(2, label="reading", shown=False) as bar:
        bar.update()
    assert capsys.readouterr() == ("", "")


def run(source):
    """The outputs of a cell in which bars are shown; in the report's notebooks they are not."""
    source = f"import os\nos.environ.pop('TQDM_DISABLE', None)\n{source}"
    notebook = execute(nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source)]), timeout=120)
    return notebook.cells[0].outputs


@pytest.mark.thorough
def test_a_notebook_sees_one_line_that_is_empty_at_the_end():
    source = """
from analysis.structures.progress import progress_bar
with progress_bar(2, label="a < b") as bar:
    bar.update()
    bar.refresh()
"done"
"""
    bar, result = run(source)
    assert (bar.output_type, bar.data) == ("display_data", {"text/plain": "", "text/html": ""})
    assert result.data["text/plain"] == "'done'"


@pytest.mark.thorough
def test_a_notebook_sees_how_far_it_is_while_it_runs():
    source = """
from analysis.structures.progress import progress_bar
bar = progress_bar(2, label="a < b")
bar.update()
_ = bar.refresh()
"""
    (bar,) = run(source)
    assert "a < b:  50%" in bar.data["text/plain"] and "a &lt; b:  50%" in bar.data["text/html"]
