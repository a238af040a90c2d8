"""One source of each number: what the prose of a notebook says is printed in the paper, computed or asserted."""

import re
from functools import cache
from pathlib import Path

import nbformat
import pytest

import analysis
from analysis.corpora.folders import data_folder, notebooks_folder

NOTEBOOKS = sorted(path.name for path in notebooks_folder().glob("*.ipynb"))
#: What is not a statement: formulas, code, links, list numbers, years, tables, figures, sections, notebooks, exercises.
_NO_STATEMENT = re.compile(
    r"\$\$.*?\$\$|\$[^$]*\$|`[^`]*`|\]\([^)]*\)|^\s*\d+\.\s|\b(?:19|20)\d\d[a-z]?\b"
    r"|\b(?:Tables?|Figures?|[Ss]ections?|[Ff]ootnotes?|[Nn]otebooks?|[Ee]xercises?)\s+\d[\d.]*"
    r"(?:(?:,| and| to|–|-)\s*\d[\d.]*)*",
    re.DOTALL | re.MULTILINE,
)
_NUMBER = re.compile(r"(?<![\w.])\d[\d,]*(?:\.\d+)?(?![\w])")


@cache
def printed_numbers() -> frozenset[str]:
    """Every number in the printed tables, in the facts and in the passages that carry them."""
    texts = [path.read_text(encoding="utf-8") for path in (data_folder() / "published").glob("*/*.csv")]
    return frozenset(_plain(number) for text in texts for number in _NUMBER.findall(text.replace('"', " ")))


def _plain(number: str) -> str:
    text = number.replace(",", "").replace("_", "")
    return text.rstrip("0").rstrip(".") if "." in text else text


def unsupported(notebook) -> list[str]:
    """Numbers of the prose that stand neither in a cell nor among the printed numbers, each with its surroundings."""
    code = "\n".join(cell.source for cell in notebook.cells if cell.cell_type == "code")
    known = printed_numbers() | {_plain(number) for number in re.findall(r"\d[\d_,]*(?:\.\d+)?", code)}
    found = []
    for cell in notebook.cells:
        if cell.cell_type != "markdown":
            continue
        text = _NO_STATEMENT.sub(" ", cell.source)
        for match in _NUMBER.finditer(text):
            if _plain(match.group().rstrip(",")) not in known and len(match.group()) > 1:
                found.append(text[max(0, match.start() - 40) : match.end() + 20].replace("\n", " "))
    return found


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_numbers_in_prose_are_printed_computed_or_asserted(name):
    assert not unsupported(nbformat.read(notebooks_folder() / name, as_version=4))


def test_a_number_from_nowhere_is_found():
    cells = [
        nbformat.v4.new_markdown_cell("In Table 3 of 2009 it is 0.98765, in $k = 77$ cells `41`; here 53 of 4,321."),
        nbformat.v4.new_code_cell("assert len(table) == 4_321"),
    ]
    (only,) = unsupported(nbformat.v4.new_notebook(cells=cells))
    assert "0.98765" in only


#: Words for which there are plainer ones: available, again.
_ODD = re.compile(r"\b(?:at hand|anew)\b")


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_the_words_of_a_notebook_are_plain(name):
    cells = nbformat.read(notebooks_folder() / name, as_version=4).cells
    assert not [cell.source for cell in cells if _ODD.search(cell.source)]


@pytest.mark.parametrize("module", ["explore/menu.py", "__main__.py", "commands"])
def test_the_words_of_menus_and_help_are_plain(module):
    place = Path(analysis.__file__).parent / module
    files = sorted(place.glob("*.py")) if place.is_dir() else [place]
    assert files and not [file.name for file in files if _ODD.search(file.read_text(encoding="utf-8"))]
