import _thread
import re
import sys
import threading
import time

import nbformat
import psutil
import pytest

from analysis.corpora.folders import notebooks_folder
from analysis.report import notebooks, reproduce
from analysis.structures import DataError

pytestmark = pytest.mark.thorough


def code(*sources):
    return nbformat.v4.new_notebook(
        cells=[nbformat.v4.new_code_cell(text, id=f"c{n}") for n, text in enumerate(sources)]
    )


def kernels():
    return [
        child
        for child in psutil.Process().children(recursive=True)
        if "ipykernel_launcher" in " ".join(child.cmdline())
    ]


def test_the_executed_notebook_is_in_the_report_with_the_runs_parameters(with_notebook, tmp_path):
    index = reproduce(output=tmp_path / "report")
    page = (index.parent / "notebooks" / "fake_nursery.html").read_text(encoding="utf-8")
    assert "A question" in page
    assert re.search(r"<td>nursery</td>\s*<td>15</td>", page), "corpus and three times five sweeps"
    assert "shown by the widget" in page
    assert "50 %" in page, "the code"
    assert "output_stderr" not in page.replace(".output_stderr", ""), "no progress bar"
    assert '<a href="notebooks/fake_nursery.html">' in index.with_name("fake2009.html").read_text(encoding="utf-8")


def test_the_page_loads_nothing(with_notebook, tmp_path):
    page = (reproduce(output=tmp_path / "report").parent / "notebooks" / "fake_nursery.html").read_text(
        encoding="utf-8"
    )
    assert "<script" not in page
    assert "<link" not in page
    assert not re.search(r"(src|url\()\s*=?\s*[\"']?(https?:)?//", page)


def test_formulas_are_drawn_without_a_script_in_the_page_of_every_notebook():
    drawn = 0
    for path in sorted(notebooks_folder().glob("*.ipynb")):
        notebook = notebooks.read_notebook(path)
        notebook.cells = [cell for cell in notebook.cells if cell.cell_type == "markdown"]
        written = len(re.findall(r"\$\$", "".join(cell.source for cell in notebook.cells))) / 2
        body = notebooks.page(notebook, "A notebook").decode().partition("<main>")[2]
        assert body.count('<span class="formula"><math') == written and "FORMULA" not in body, path.name
        assert "$" not in re.sub(r"<code>.*?</code>", "", body, flags=re.DOTALL), path.name
        drawn += body.count("<math")
    assert drawn > 20


def test_text_that_is_no_formula_stays_as_it_is():
    found = []
    text = "`$a$` costs 5$, and $ a $ too; \\(x\\)"
    assert notebooks.with_marked_formulas(text, found) == text and found == []


def test_a_page_that_is_in_no_report_has_no_links_to_pages_of_a_report():
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_markdown_cell("A question")])
    pages = [notebooks.page(notebook, "A notebook", in_report=which).decode() for which in (True, False)]
    assert ['href="../' in page for page in pages] == [True, False]


def test_the_page_is_computed_once_for_the_same_source_data_and_library(with_notebook, tmp_path, monkeypatch):
    runs = []
    monkeypatch.setattr(notebooks, "execute", lambda notebook: runs.append(1) or notebook)
    path = with_notebook.notebooks / "fake.ipynb"

    def run(parameters=None, data="1"):
        return notebooks.notebook_page(path, parameters or {"corpus": "nursery"}, data)

    assert run() == run()
    assert len(runs) == 1
    run(data="2")
    assert len(runs) == 2
    run({"corpus": "other"})
    assert len(runs) == 3
    monkeypatch.setattr(notebooks, "library_version", lambda: "another")
    run()
    assert len(runs) == 4
    nbformat.write(code("2 + 2"), path)
    with pytest.raises(DataError, match="no cell tagged 'parameters'"):
        run()


def test_it_runs_in_this_python_and_an_empty_folder_without_a_warning(capfd):
    notebook = notebooks.execute(code("import sys, os; print(sys.executable, os.listdir())"))
    assert capfd.readouterr().err == ""
    assert notebook.cells[0].outputs[0].text == f"{sys.executable} []\n"


def test_two_executions_of_a_notebook_give_the_same_page_whatever_was_cached():
    styled = "import pandas as pd\npd.DataFrame({'a': [1]}).style.hide(axis='index').set_properties(color='red')"
    bar = "from analysis.structures.progress import progress_bar\nwith progress_bar(2, label='x') as bar: bar.update()"
    worked, cached = (notebooks.execute(code(styled, text)) for text in (bar, "pass"))
    for notebook in (worked, cached):
        assert notebook.cells[1].outputs == [], "no progress bar, not even one that is gone"
        notebook.cells[1].source = bar
    pages = [notebooks.page(notebooks.freeze(notebook), "A notebook") for notebook in (worked, cached)]
    assert pages[0] == pages[1]
    assert b'<table id="T_c0-0-0">' in pages[0] and b"#T_c0-0-0_row0_col0" in pages[0], "the style still applies"


def test_a_failing_cell_is_named_with_its_error():
    with pytest.raises(notebooks.NotebookError, match="cell 2: ZeroDivisionError: division by zero"):
        notebooks.execute(code("1", "1 / 0", "print('not reached')"))


@pytest.mark.parametrize("seconds", [0, 3])
def test_ctrl_c_ends_the_kernel_and_is_passed_on(seconds):
    seen = []

    def press():
        for _ in range(600):
            seen[:] = kernels()
            if seen:
                break
            time.sleep(0.05)
        time.sleep(seconds)  # at once: the kernel is still starting
        _thread.interrupt_main()

    thread = threading.Thread(target=press)
    thread.start()
    with pytest.raises(KeyboardInterrupt):
        notebooks.execute(code("import time; time.sleep(60)"))
    thread.join()
    assert seen, "a kernel ran"
    _, alive = psutil.wait_procs(seen, timeout=10)
    assert not alive


def test_a_widget_without_output_leaves_a_line_that_says_so():
    notebook = code("slider")
    view = "application/vnd.jupyter.widget-view+json"
    data = {view: {"model_id": "abc"}, "text/plain": "IntSlider()"}
    notebook.cells[0].outputs = [nbformat.v4.new_output("display_data", data=data)]
    notebooks.freeze(notebook)
    assert notebook.cells[0].outputs[0].data == {"text/plain": "(a control: open the notebook to use it)"}


def test_text_printed_in_two_pieces_is_one_output():
    notebook = code("print")
    pieces = [("stdout", "a"), ("stdout", "b\n"), ("stderr", "\r 50 %"), ("stdout", "c\n"), ("stderr", "d\n")]
    notebook.cells[0].outputs = [nbformat.v4.new_output("stream", name=name, text=text) for name, text in pieces]
    notebooks.freeze(notebook)
    assert [(output.name, output.text) for output in notebook.cells[0].outputs] == [
        ("stdout", "ab\nc\n"), ("stderr", "d\n"),
    ]  # fmt: skip


def test_a_file_that_is_no_notebook_is_refused(tmp_path):
    with pytest.raises(DataError, match="is missing"):
        notebooks.read_notebook(tmp_path / "none.ipynb")
    (tmp_path / "page.ipynb").write_text("<html></html>", encoding="utf-8")
    with pytest.raises(DataError, match="is not a notebook"):
        notebooks.read_notebook(tmp_path / "page.ipynb")


def test_a_parameter_without_a_plain_form_is_refused():
    with pytest.raises(DataError, match="cannot be a notebook's parameter"):
        notebooks.with_parameters(code("1"), {"corpus": object()})
