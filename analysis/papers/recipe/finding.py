"""List of the papers: the packages of `analysis.papers`, and folders that the reader names."""

import importlib
import os
import sys
from pathlib import Path
from types import ModuleType

from analysis.papers.recipe.settings import check_known
from analysis.structures import DataError

#: Folders (separated as in PATH) of external papers: each is a package with an object PAPER.
VARIABLE = "ANALYSIS_PAPERS"


def paper_folders() -> dict[str, Path]:
    """Name and folder of each paper, the suite's own first, without importing any.

    Returns
    -------
    dict of str to Path

    Examples
    --------
    >>> sorted(paper_folders())[:2]
    ['clark2002', 'frank2009']
    """
    elsewhere = [Path(name) for name in os.environ.get(VARIABLE, "").split(os.pathsep) if name.strip()]
    found: dict[str, Path] = {}
    for folder in (Path(__file__).parents[1], *elsewhere):
        for path in sorted(folder.glob("*/__init__.py"), key=lambda path: path.parent.name):
            found.setdefault(path.parent.name, path.parent)
    return {name: path for name, path in found.items() if name != "recipe"}


def folder_of(name: str) -> Path:
    """Folder of a paper's package.

    Parameters
    ----------
    name : str
        As on the command line, such as ``"frank2009"``.

    Returns
    -------
    Path

    Raises
    ------
    DataError
        If there is no paper of that name; the message names the nearest.
    """
    folders = paper_folders()
    check_known([name], folders, "there is no paper", DataError)
    return folders[name]


def paper_module(name: str) -> ModuleType:
    """The package of a paper, imported.

    Parameters
    ----------
    name : str
        As on the command line, such as ``"frank2009"``.

    Returns
    -------
    ModuleType

    Raises
    ------
    DataError
        If there is none of that name.
    """
    home = folder_of(name).parent
    if home == Path(__file__).parents[1]:
        return importlib.import_module(f"analysis.papers.{name}")
    if str(home) not in sys.path:  # worker processes find it there too
        sys.path.append(str(home))
    return importlib.import_module(name)
