"""Tables as plain columns: what readers give and measures take before there is need of a DataFrame.

Importing pandas takes longer than scoring two files of some thousand words. So the readers and measures behind the
commands work on `Columns`, whose few methods (``columns``, ``[name]``, ``take``, ``len``) a DataFrame has too; the
public functions turn them into a DataFrame at their end.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from analysis.structures.lazy import pd


@dataclass(frozen=True, eq=False)
class Coded:
    """A column of text: one code a row and the distinct values.

    Parameters
    ----------
    codes : ndarray of integers, shape (n_rows,)
        -1 where the value is missing.
    values : sequence of str
        ``values[code]`` is the text.

    Examples
    --------
    >>> column = Coded.of(["the", "cat", None, "the"])
    >>> column.codes.tolist(), column.values
    ([0, 1, -1, 0], ['the', 'cat'])
    >>> list(column.take([3, 2]))
    ['the', None]
    """

    codes: np.ndarray
    values: Sequence[str]

    @classmethod
    def of(cls, texts: Sequence[str | None]) -> Coded:
        """Texts as a column; values in order of their first use."""
        places: dict[str, int] = {}
        codes = [-1 if text is None else places.setdefault(text, len(places)) for text in texts]
        return cls(np.array(codes, dtype=np.int32), list(places))

    def __len__(self) -> int:
        return len(self.codes)

    def __iter__(self) -> Iterator[str | None]:
        texts = [*self.values, None]
        return iter([texts[code] for code in self.codes.tolist()])

    def take(self, rows: Any) -> Coded:
        """Some rows, in this order."""
        return Coded(self.codes[np.asarray(rows, dtype=np.intp)], self.values)

    def by_first_use(self) -> Coded:
        """The same column with the values in order of their first use, none unused.

        Examples
        --------
        >>> Coded(np.array([2, 0, 2, -1]), ["a", "b", "c"]).by_first_use().values
        ['c', 'a']
        """
        used = list(dict.fromkeys(self.codes.tolist()))
        used = [code for code in used if code >= 0]
        places = np.full(len(self.values) + 1, -1, dtype=np.int64)
        places[used] = np.arange(len(used))
        return Coded(places[self.codes], [self.values[code] for code in used])

    def used(self) -> Coded:
        """The same column without values that no row has."""
        used = np.bincount(self.codes[self.codes >= 0], minlength=len(self.values)) > 0
        if used.all():
            return self
        names = [value for value, is_used in zip(self.values, used.tolist(), strict=True) if is_used]
        return Coded(np.append(np.cumsum(used) - 1, -1)[self.codes], names)


Column = np.ndarray | Coded | list[str] | list[str | None]


class Columns:
    """A table of columns of the same length.

    Parameters
    ----------
    columns : mapping of str to ndarray, Coded or list of str
        None in a list is a missing value.

    Examples
    --------
    >>> table = Columns({"sentence": np.array([0, 0]), "form": Coded.of(["look", "up"])})
    >>> len(table), table.columns, list(table.take([1])["form"])
    (2, ['sentence', 'form'], ['up'])
    >>> table.to_frame()
       sentence  form
    0         0  look
    1         0    up
    """

    def __init__(self, columns: Mapping[str, Column]) -> None:
        self._columns = dict(columns)

    @property
    def columns(self) -> list[str]:
        """Names of the columns."""
        return list(self._columns)

    def __getitem__(self, name: str) -> Any:
        return self._columns[name]

    def __len__(self) -> int:
        return len(next(iter(self._columns.values()), ()))

    def assign(self, **columns: Column) -> Columns:
        """The table with further columns, or others in place of its own."""
        return Columns({**self._columns, **columns})

    def take(self, rows: Any) -> Columns:
        """Some rows, in this order."""
        rows = np.asarray(rows, dtype=np.intp)
        return Columns(
            {
                name: [column[row] for row in rows] if isinstance(column, list) else column.take(rows)
                for name, column in self._columns.items()
            }
        )

    def to_frame(self) -> pd.DataFrame:
        """The table as a DataFrame: coded columns are categoricals."""
        return pd.DataFrame({name: _series_of(column) for name, column in self._columns.items()})


def _series_of(column: Column) -> Any:
    if isinstance(column, Coded):
        return pd.Categorical.from_codes(column.codes, categories=pd.Index(column.values, dtype="str"))
    return pd.array(column, dtype="str") if isinstance(column, list) else column


def numbers_of(column: Any) -> np.ndarray:
    """A column of whole numbers, of `Columns` or of a DataFrame, as 64-bit integers.

    Examples
    --------
    >>> numbers_of(np.array([1, 2], dtype=np.int32)).dtype
    dtype('int64')
    """
    if isinstance(column, np.ndarray):
        return np.ascontiguousarray(column, dtype=np.int64)
    return np.ascontiguousarray(column.to_numpy(dtype=np.int64))


def texts_at(column: Any, rows: Any) -> list[str]:
    """Some values of a column, of `Columns` or of a DataFrame, as text.

    Examples
    --------
    >>> texts_at(Coded.of(["look", "up"]), [1]), texts_at(pd.Series(["look", "up"]), slice(1))
    (['up'], ['look'])
    """
    if isinstance(rows, slice):
        rows = np.arange(len(column))[rows]
    return [str(value) for value in column.take(rows)]


def as_frame(table: Any) -> Any:
    """A DataFrame as it is, and `Columns` as one.

    Examples
    --------
    >>> as_frame(Columns({"sentence": np.array([0])})).columns.tolist()
    ['sentence']
    """
    return table.to_frame() if isinstance(table, Columns) else table
