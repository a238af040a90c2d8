"""The notebooks as pages: with outputs where those are at hand or quickly made, and with links to the glossary.

``tutorials = "quick"`` executes the notebooks of `QUICK`, once; the others are shown with outputs if an earlier build
with ``-D tutorials=all`` has stored them in the cache and nothing has changed since, else without outputs.
"""

from pathlib import Path

import nbformat
from nbformat import NotebookNode
from pages import ROOT, heading, with_links, write_if_changed
from sphinx.util import logging

from analysis.experiments import cache_key, cached
from analysis.experiments.cache import place
from analysis.explore import tour
from analysis.report.notebooks import execute, freeze, read_notebook, shipped_data_version, versions

#: What runs in half a minute each, on a machine that has compiled the kernels.
QUICK = ("00_tour", "01_frank2009", "05_clark2002")
WITHOUT = (
    '*Shown without outputs: `make docs ARGUMENTS="-D tutorials=all"` runs all notebooks once and keeps their outputs.*'
)

LOGGER = logging.getLogger(__name__)


def write_tutorials(folder: Path, which: str = "quick") -> list[Path]:
    """Write the notebooks as pages, and their list.

    Parameters
    ----------
    folder : Path
    which : {"none", "quick", "all"}
        Which notebooks are executed if their outputs are not stored.
    """
    files = sorted((ROOT / "notebooks").glob("*.ipynb"))
    for path in files:
        notebook = with_outputs(path, run=which == "all" or (which == "quick" and path.stem in QUICK))
        write_if_changed(folder / path.name, nbformat.writes(as_page(notebook)) + "\n")
    listed = "".join(f"   {path.stem}\n" for path in files)
    text = (
        "The notebooks, in the order in which to read them. `yardstick notebook` opens copies of them to work on.\n\n"
    )
    text = text.replace("`", "``")
    write_if_changed(folder / "index.rst", f"{heading('Tutorials')}{text}.. toctree::\n   :maxdepth: 1\n\n{listed}")
    return files


def with_outputs(path: Path, *, run: bool) -> NotebookNode:
    """A notebook with its outputs from the cache; executed if it may ``run``, else without outputs."""
    notebook = read_notebook(path)
    cells = [(cell.cell_type, cell.source) for cell in notebook.cells]
    key = cache_key(
        data={"shipped": shipped_data_version()},
        parameters={"cells": cells, "versions": versions()},
        function=freeze,
    )

    def executed() -> dict[str, bytes]:
        LOGGER.info("executing %s", path.name)
        return {"notebook": nbformat.writes(freeze(execute(read_notebook(path)))).encode()}

    stored = place("documented_notebook", key).is_stored()
    if run or stored:
        return nbformat.reads(cached("documented_notebook", key, executed)["notebook"].decode(), as_version=4)
    notebook.cells.insert(1, nbformat.v4.new_markdown_cell(WITHOUT, id="without-outputs"))
    return notebook


def write_tour_page(path: Path, *, fewer: int = 1) -> Path:
    """Write the tour's explorers as a page without Python; what an earlier build stored is written again."""
    template = Path(tour.__file__).with_name("tour.html.j2").read_text(encoding="utf-8")
    key = cache_key(
        data={"shipped": shipped_data_version()},
        parameters={"fewer": fewer, "template": template, "versions": versions()},
        function=tour.write_tour,
    )

    def computed() -> dict[str, bytes]:
        LOGGER.info("computing the states of %s", path.name)
        return {"page": tour.write_tour(path, fewer=fewer).read_bytes()}

    return write_if_changed(path, cached("documented_tour", key, computed)["page"].decode())


def as_page(notebook: NotebookNode) -> NotebookNode:
    """A notebook for Sphinx: the first mention of each term leads to the glossary, magic commands are not shown."""
    seen: set[str] = set()
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            cell.source = with_links(cell.source, seen)
        else:
            cell.source = cell.source.replace("%matplotlib inline\n", "")
            cell.metadata.pop("tags", None)
    return notebook
