"""Which papers there are: the packages of `analysis.papers`, and folders that the reader names."""

import importlib
import importlib.util
import os
import sys
from functools import cache
from pathlib import Path
from types import ModuleType

from analysis.papers.recipe.settings import nearest
from analysis.structures import DataError

#: Folders (as in PATH) of papers that are not the suite's own: each a package with an object PAPER.
VARIABLE = "ANALYSIS_PAPERS"


def paper_folders() -> dict[str, Path]:
    """Name and folder of each paper, the suite's own first, without importing any.

    Examples
    --------
    >>> sorted(paper_folders())[:2]
    ['clark2002', 'frank2009']
    """
    own = Path(__file__).parents[1]
    elsewhere = [Path(name) for name in os.environ.get(VARIABLE, "").split(os.pathsep) if name.strip()]
    found: dict[str, Path] = {}
    for folder in (own, *elsewhere):
        for path in sorted(folder.glob("*/__init__.py"), key=lambda path: path.parent.name):
            if path.parent.name not in found and path.parent.name != "recipe":
                found[path.parent.name] = path.parent
    return found


def folder_of(name: str) -> Path:
    """The folder of a paper's package.

    Raises
    ------
    DataError
        If there is no paper of that name; names the nearest.
    """
    folders = paper_folders()
    if name not in folders:
        raise DataError(f"there is no paper {name!r}; {nearest(name, list(folders))}")
    return folders[name]


def paper_module(name: str) -> ModuleType:
    """The package of a paper, imported.

    Raises
    ------
    DataError
        If there is none of that name.
    """
    folder = folder_of(name)
    if folder.parent == Path(__file__).parents[1]:
        return importlib.import_module(f"analysis.papers.{name}")
    return _imported(name, folder)


@cache
def _imported(name: str, folder: Path) -> ModuleType:
    """A package from a folder that is on no path."""
    spec = importlib.util.spec_from_file_location(name, folder / "__init__.py", submodule_search_locations=[str(folder)])
    if spec is None or spec.loader is None:
        raise DataError(f"{folder} is no package of a paper.")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module
