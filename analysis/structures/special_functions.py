"""Two functions of ``scipy.special``, without the rest of it.

Importing ``scipy.special`` takes longer than scoring a small file; the functions are in one compiled module of SciPy.
"""

from functools import cache
from typing import Any

from analysis.structures.assignment_problem import compiled_part


def xlogy(x: Any, y: Any) -> Any:
    """Compute x log y, 0 where x is 0; as `scipy.special.xlogy`.

    Examples
    --------
    >>> float(xlogy(0, 0)), float(xlogy(2, 1))
    (0.0, 0.0)
    """
    return _function("xlogy")(x, y)


def gammaln(x: Any) -> Any:
    """Compute the logarithm of the gamma function; as `scipy.special.gammaln`.

    Examples
    --------
    >>> float(gammaln(2.0))
    0.0
    """
    return _function("gammaln")(x)


@cache
def _function(name: str) -> Any:
    return compiled_part("special", "_special_ufuncs", name)
