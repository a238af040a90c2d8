"""SciPy's solver of the assignment problem, without the rest of ``scipy.optimize``.

Importing ``scipy.optimize`` takes as long as importing pandas, and longer than scoring a small file; the solver itself
is one compiled module of SciPy, which depends on nothing but NumPy.
"""

import sys
from collections.abc import Callable
from functools import cache
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
    """The function of the compiled module, or that of the whole package if it is loaded or laid out otherwise."""
    scipy = None if "scipy.optimize" in sys.modules else find_spec("scipy")
    if scipy is not None and scipy.submodule_search_locations:
        folders = [str(Path(place) / "optimize") for place in scipy.submodule_search_locations]
        found = PathFinder.find_spec("_lsap", folders)
        if found is not None and found.loader is not None:
            try:
                module = module_from_spec(found)
                found.loader.exec_module(module)
                return module.linear_sum_assignment
            except (ImportError, AttributeError):
                pass
    from scipy.optimize import linear_sum_assignment as whole

    return whole
