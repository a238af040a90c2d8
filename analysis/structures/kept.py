"""An in-memory cache of function results that is safe against callers who change what they get."""

from __future__ import annotations

import copy
import dataclasses
import functools
import sys
from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar, overload

import numpy as np

from analysis.structures.lazy import pd

Parameters = ParamSpec("Parameters")
Result = TypeVar("Result")

_SHARED = (str, bytes, int, float, complex, bool, type(None), np.generic, frozenset, range, type)


@overload
def kept(function: Callable[Parameters, Result]) -> Callable[Parameters, Result]: ...
@overload
def kept(
    *, maxsize: int | None = None, copied: bool = True
) -> Callable[[Callable[Parameters, Result]], Callable[Parameters, Result]]: ...
def kept(function: Any = None, *, maxsize: int | None = None, copied: bool = True) -> Any:
    """Decorate a function: the same arguments are computed once, and each caller gets a copy of the result.

    Use it instead of `functools.lru_cache` for functions that return tables, arrays or containers. Tables are copied
    lazily (pandas copies a column when it is changed). Containers, named tuples and dataclasses are copied with their
    contents, objects of the suite with their attributes, other objects deeply. Functions are shared.

    Parameters
    ----------
    maxsize : int, optional
        Number of most recently used results to keep; by default all.
    copied : bool
        Whether each caller gets a copy; False for results that only the suite itself sees.

    Returns
    -------
    callable
        The function, with ``cache_clear()`` and ``cache_info()`` of `functools.lru_cache`. Arguments must be
        hashable; they may be given by name or by position.

    Examples
    --------
    >>> @kept(maxsize=2)
    ... def words(language: str) -> pd.DataFrame:
    ...     return pd.DataFrame({"form": ["look", language]})
    >>> table = words("English")
    >>> table["form"] = "changed"
    >>> words(language="English")["form"].tolist()
    ['look', 'English']
    """
    if function is None:
        return functools.partial(kept, maxsize=maxsize, copied=copied)
    stored = functools.lru_cache(maxsize=maxsize)(function)
    _CACHES.append(stored)
    import inspect

    signature = inspect.signature(function)

    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        if kwargs:
            bound = signature.bind(*args, **kwargs)
            args, kwargs = bound.args, bound.kwargs
        refresh()
        found = stored(*args, **kwargs)
        return handed_out(found) if copied else found

    call.cache_clear, call.cache_info = stored.cache_clear, stored.cache_info  # type: ignore[attr-defined]
    return call


def keep_while(state: Callable[[], object]) -> None:
    """Register what kept results depend on besides their arguments: when it changes, all of them are computed again.

    Parameters
    ----------
    state : callable
        Is called before every use of a kept result, so it must be quick.

    Examples
    --------
    >>> texts = ["a word"]
    >>> keep_while(lambda texts=texts: tuple(texts))
    >>> @kept
    ... def words() -> list[str]:
    ...     return texts[0].split()
    >>> words(), texts.__setitem__(0, "another word"), words()
    (['a', 'word'], None, ['another', 'word'])
    """
    _STATES.append([state, state()])


def refresh() -> None:
    """Empty the caches of all kept functions if anything has changed that they depend on; see `keep_while`."""
    for watched in _STATES:
        state = watched[0]()
        if state != watched[1]:
            watched[1] = state
            for cache in _CACHES:
                cache.cache_clear()


_CACHES: list[Any] = []  # of all kept functions
_STATES: list[list[Any]] = []  # each function of `keep_while` with what it last returned


def handed_out(value: Any) -> Any:
    """Copy a result so that changes to the copy do not affect the original.

    Examples
    --------
    >>> result = {"counts": np.zeros(2), "names": ["a"]}
    >>> other = handed_out(result)
    >>> other["counts"][0], other["names"][0] = 1, "b"
    >>> result
    {'counts': array([0., 0.]), 'names': ['a']}
    """
    if isinstance(value, _SHARED) or callable(value):
        return value
    if "pandas" in sys.modules and isinstance(value, pd.DataFrame | pd.Series | pd.Index):
        return value.view() if isinstance(value, pd.Index) else _table(value)
    if isinstance(value, np.ndarray):
        return copy.deepcopy(value) if value.dtype == object else value.copy()
    if isinstance(value, tuple):
        parts = [handed_out(entry) for entry in value]
        return type(value)(*parts) if hasattr(value, "_fields") else type(value)(parts)
    if isinstance(value, list | set):
        return type(value)(handed_out(entry) for entry in value)
    if isinstance(value, dict):
        other = copy.copy(value)
        for key, entry in value.items():
            other[key] = handed_out(entry)
        return other
    if dataclasses.is_dataclass(value) or type(value).__module__.partition(".")[0] == "analysis":
        return _object(value)
    return copy.deepcopy(value)


def _table(table: Any) -> Any:
    """Copy a table shallowly; mutable objects in it are copied."""
    other = table.copy(deep=False)
    if isinstance(table, pd.Series):
        return _column(table) if _holds_objects(table) else other
    for place in range(table.shape[1]):
        column = table.iloc[:, place]
        if _holds_objects(column):
            other.isetitem(place, _column(column))
    return other


def _holds_objects(column: pd.Series) -> bool:
    return column.dtype == np.dtype(object) and not all(isinstance(entry, _SHARED) for entry in column)


def _column(column: pd.Series) -> pd.Series:
    entries = np.empty(len(column), dtype=object)
    for place, entry in enumerate(column):
        entries[place] = handed_out(entry)
    return pd.Series(entries, index=column.index.view(), name=column.name, dtype=object)


def _object(value: Any) -> Any:
    other = copy.copy(value)
    for name, entry in list(getattr(value, "__dict__", {}).items()):
        object.__setattr__(other, name, handed_out(entry))
    return other
