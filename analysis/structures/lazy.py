"""Lazy imports: a package imports a name, or pandas, only when it is accessed (PEP 562).

A package whose modules are slow to import names them in ``_HOMES`` (name to module) and ends with::

    __getattr__, __dir__ = lazy_names(__name__, _HOMES)

Modules that are fast to import are imported as usual. Editors and type checkers read the imports under
``TYPE_CHECKING``, which are not executed; ``__all__`` is written out. `tests/test_glossary.py` checks that the three
lists agree.

A module that needs pandas or scipy.sparse only for some of its functions takes `pd` or `sparse` from here, and begins
with ``from __future__ import annotations``, for an annotation would import it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

__all__ = ["lazy_names", "pd", "sparse"]


def lazy_names(package: str, homes: Mapping[str, str]) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """Make the functions ``__getattr__`` and ``__dir__`` of a package.

    Parameters
    ----------
    package : str
        Its ``__name__``.
    homes : mapping of str to str
        Module of the package that defines each name.

    Returns
    -------
    tuple of two functions

    Examples
    --------
    >>> get, names = lazy_names("analysis.structures", {"Score": "scores"})
    >>> get("Score").__name__, names()
    ('Score', ['Score'])
    """

    def get(name: str) -> Any:
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}; it has {', '.join(sorted(homes))}.")
        return getattr(import_module(f"{package}.{homes[name]}"), name)

    return get, lambda: sorted(homes)


class _LazyModule(ModuleType):
    """A module in name, which is imported when one of its names is asked for."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):  # asked by what looks at a module, such as `inspect`
            raise AttributeError(name)
        value = self.__dict__[name] = getattr(import_module(self.__name__), name)
        return value


if TYPE_CHECKING:
    import pandas as pd
    from scipy import sparse
else:
    pd, sparse = _LazyModule("pandas"), _LazyModule("scipy.sparse")
