"""SciPy's solver of the assignment problem, without the rest of ``scipy.optimize``.

Importing ``scipy.optimize`` takes as long as importing pandas, and longer than scoring a small file; the solver itself
is one compiled module of SciPy, which depends on nothing but NumPy.
"""

import sys
from collections.abc import Callable
from functools import cache
from importlib import import_module
from importlib.machinery import PathFinder
from importlib.util import find_spec, module_from_spec
from pathlib import Path
from typing import Any

import numpy as np


def linear_sum_assignment(weights: np.ndarray, *, maximize: bool = False) -> tuple[np.ndarray, np.ndarray]:
    """Match rows and columns so that the sum of the weights is smallest, or largest.

    Parameters
    ----------
    weights : ndarray of shape (n_rows, n_columns)
    maximize : bool

    Returns
    -------
    rows, columns : ndarray of int64, shape (min(n_rows, n_columns),)
        As `scipy.optimize.linear_sum_assignment` gives them.

    Examples
    --------
    >>> rows, columns = linear_sum_assignment(np.array([[5, 4], [4, 0]]), maximize=True)
    >>> rows.tolist(), columns.tolist()
    ([0, 1], [1, 0])
    """
    return _solver()(weights, maximize=maximize)


@cache
def _solver() -> Callable[..., Any]:
    return compiled_part("optimize", "_lsap", "linear_sum_assignment")


def compiled_part(package: str, module: str, name: str) -> Any:
    """A function of a compiled module of SciPy, or that of the package if it is loaded or laid out otherwise.

    Parameters
    ----------
    package, module, name : str
        Package below ``scipy``, its compiled module, and the function, which both have.

    Examples
    --------
    >>> float(compiled_part("special", "_special_ufuncs", "gammaln")(1.0))
    0.0
    """
    scipy = None if f"scipy.{package}" in sys.modules else find_spec("scipy")
    if scipy is not None and scipy.submodule_search_locations:
        folders = [str(Path(place) / package) for place in scipy.submodule_search_locations]
        found = PathFinder.find_spec(module, folders)
        if found is not None and found.loader is not None:
            try:
                part = module_from_spec(found)
                found.loader.exec_module(part)
                return getattr(part, name)
            except (ImportError, AttributeError):
                pass
    return getattr(import_module(f"scipy.{package}"), name)
