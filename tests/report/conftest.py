import importlib.util
import sys
from pathlib import Path

import nbformat
import pytest

from analysis.report import registry, reproduce

NAME = "a_paper_of_the_tests"


@pytest.fixture(autouse=True)
def cache(tmp_path_factory, monkeypatch):
    monkeypatch.setenv("ANALYSIS_CACHE", str(tmp_path_factory.mktemp("cache")))
    monkeypatch.delenv("ANALYSIS_NO_CACHE", raising=False)


def notebook():
    """A notebook with parameters, prose, a table, a widget that holds a picture, and a progress bar."""
    cells = [
        nbformat.v4.new_markdown_cell("# A question\n\nHow large is $k^2$?", id="question"),
        nbformat.v4.new_code_cell("corpus = 'none'\nsweeps = 1", id="parameters", metadata={"tags": ["parameters"]}),
        nbformat.v4.new_code_cell(
            "import pandas as pd\npd.DataFrame({'corpus': [corpus], 'sweeps': [sweeps * 3]})", id="table"
        ),
        nbformat.v4.new_code_cell(
            "import ipywidgets as widgets\noutput = widgets.Output()\n"
            "output.outputs = ({'output_type': 'display_data', 'metadata': {},"
            " 'data': {'text/plain': 'shown by the widget'}},)\n"
            "widgets.VBox([widgets.IntSlider(), output])",
            id="widget",
        ),
        nbformat.v4.new_code_cell("import sys\nprint('\\r 50 %', end='', file=sys.stderr)", id="progress"),
    ]
    return nbformat.v4.new_notebook(cells=cells)


@pytest.fixture
def fake_paper(monkeypatch, tmp_path_factory):
    """The tiny paper, as the only one of the suite."""
    specification = importlib.util.spec_from_file_location(NAME, Path(__file__).with_name("fake_paper.py"))
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    monkeypatch.setitem(sys.modules, NAME, module)
    for name in list(registry.PAPERS):
        monkeypatch.delitem(registry.PAPERS, name)
    folder = tmp_path_factory.mktemp("notebooks")
    nbformat.write(notebook(), folder / "fake.ipynb")
    monkeypatch.setattr(sys.modules[reproduce.__module__], "notebooks_folder", lambda: folder)
    monkeypatch.setitem(registry.PAPERS, "fake2009", registry.Paper("fake2009", NAME, "", {"nursery": ("nursery",)}))
    module.notebooks = folder
    return module


@pytest.fixture
def with_notebook(fake_paper, monkeypatch):
    """The tiny paper with its notebook."""
    monkeypatch.setitem(
        registry.PAPERS, "fake2009", registry.Paper("fake2009", NAME, "fake.ipynb", {"nursery": ("nursery",)})
    )
    return fake_paper
