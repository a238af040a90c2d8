"""Tables as plain columns: what readers give and measures take before there is need of a DataFrame.

Importing pandas takes longer than scoring two files of some thousand words. So the readers and measures behind the
commands work on `Columns`, whose few methods (``columns``, ``[name]``, ``take``, ``len``) a DataFrame has too; the
public functions turn them into a DataFrame at their end.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

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


Class = TypeVar("Class")
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


def as_text_frame(table: Any) -> Any:
    """A DataFrame as it is, and `Columns` as one in which coded columns are text.

    Examples
    --------
    >>> as_text_frame(Columns({"form": Coded.of(["look", "up"])}))["form"].dtype
    <StringDtype(na_value=nan)>
    """
    if not isinstance(table, Columns):
        return table
    columns = {name: table[name] for name in table.columns}
    return pd.DataFrame(
        {
            name: pd.Index([*column.values, None], dtype="str").take(column.codes)
            if isinstance(column, Coded)
            else _series_of(column)
            for name, column in columns.items()
        }
    )


def texts_of(column: Any) -> list[str]:
    """All values of a column, of `Columns` or of a DataFrame, as text.

    Examples
    --------
    >>> texts_of(Coded.of(["look", "up"])), texts_of(pd.Series([1, 2]))
    (['look', 'up'], ['1', '2'])
    """
    return list(map(str, column)) if isinstance(column, Coded) else column.astype("str").tolist()


def numbered(table: Any, rows: Any, sentence: np.ndarray) -> Any:
    """Some rows of `Columns` or of a DataFrame, with new numbers of sentences.

    Examples
    --------
    >>> table = pd.DataFrame({"sentence": [0, 1], "form": ["look", "up"]})
    >>> numbered(table, [1], np.array([0]))
       sentence form
    0         0   up
    """
    part = table.take(rows)
    if not isinstance(part, Columns):
        part = part.reset_index(drop=True)
    return part.assign(sentence=sentence)


def equal_to(column: Any, text: str) -> np.ndarray:
    """Which rows of a column of text, of `Columns` or of a DataFrame, have this text.

    Examples
    --------
    >>> equal_to(Coded.of(["look", "up"]), "up"), equal_to(pd.Series(["look", "up"]), "down")
    (array([False,  True]), array([False, False]))
    """
    if isinstance(column, Coded):
        return np.isin(column.codes, [code for code, value in enumerate(column.values) if value == text])
    return (column.astype("str") == text).to_numpy(dtype=bool)


class _Framed:
    """A field of a dataclass, of which a DataFrame is made when it is first read."""

    def __init__(self, name: str, frame: Callable[[Any], Any]) -> None:
        self._name, self._frame = name, frame

    def __get__(self, instance: Any, owner: type | None = None) -> Any:
        if instance is None:
            return self
        fields = vars(instance)
        fields[self._name] = self._frame(fields[self._name])
        return fields[self._name]

    def __set__(self, instance: Any, table: Any) -> None:
        vars(instance)[self._name] = table


def framed(**frames: Callable[[Any], Any]) -> Callable[[type[Class]], type[Class]]:
    """Decorate a dataclass: some fields may be given as what a DataFrame is made of, and are read as a DataFrame.

    The DataFrame is made when the field is first read, and kept: from then on it is what `as_given` finds too, so that
    what is changed in it counts.

    Parameters
    ----------
    **frames : callable
        By name of the field: makes the DataFrame, and gives one back as it is.

    Examples
    --------
    >>> @framed(tokens=as_text_frame)
    ... @dataclass(frozen=True)
    ... class Text:
    ...     tokens: pd.DataFrame
    >>> text = Text(Columns({"form": Coded.of(["look", "up"])}))
    >>> list(as_given(text, "tokens")["form"])
    ['look', 'up']
    >>> text.tokens
       form
    0  look
    1    up
    """

    def decorate(made: type[Class]) -> type[Class]:
        for name, frame in frames.items():
            setattr(made, name, _Framed(name, frame))
        return made

    return decorate


def as_given(instance: Any, name: str) -> Any:
    """A field that is `framed`, without making a DataFrame of it."""
    return vars(instance)[name]
