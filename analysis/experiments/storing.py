"""Serialisation of results as data only: tables as Parquet, arrays as npy, other values as JSON, in one zip file.

Reading a result runs no stored code. A result may consist of None, booleans, numbers, strings, bytes, lists, tuples,
sets, mappings, NumPy arrays and numbers, and pandas tables, columns and indexes. Named tuples and dataclasses are
stored by their fields; to read them, the caller must name the expected classes.
"""

import base64
import dataclasses
import io
import json
import math
import zipfile
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

MANIFEST = "result.json"
_LARGE = 1000  # size in bytes from which a byte string becomes a separate file
_TIME = (1980, 1, 1, 0, 0, 0)  # date of the files in the zip file, so that equal results are equal bytes


def encode(value: Any, about: Mapping[str, Any], classes: Sequence[type] = ()) -> bytes:
    """Serialise a result as the bytes of a zip file.

    Parameters
    ----------
    value : object
    about : mapping
        The key; stored unchanged in the manifest.
    classes : sequence of type
        Named tuples and dataclasses that are stored by their fields.

    Raises
    ------
    TypeError
        If something in the result has another type; the message says where.

    Examples
    --------
    >>> decode(encode({"k": (1, np.float64(0.5))}, {}))
    {'k': (1, np.float64(0.5))}
    """
    writer = _Writer(classes)
    tree = writer.tree(value, "result")
    text = json.dumps({**about, "value": tree}, ensure_ascii=True, allow_nan=False)
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for name, content in [(MANIFEST, text.encode()), *writer.files.items()]:
            packed = name.endswith(".parquet")
            entry = zipfile.ZipInfo(name, _TIME)
            entry.compress_type = zipfile.ZIP_STORED if packed else zipfile.ZIP_DEFLATED
            archive.writestr(entry, content, compresslevel=None if packed else 3)
    return stream.getvalue()


def manifest(content: bytes) -> dict[str, Any]:
    """Read the manifest: the ``about`` of `encode`, and the outline of the result."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        found = json.loads(archive.read(MANIFEST))
    if not isinstance(found, dict):
        raise ValueError("it has no manifest")
    return found


def decode(content: bytes, classes: Sequence[type] = ()) -> Any:
    """Read a result written by `encode`.

    Raises
    ------
    ValueError, KeyError, OSError, zipfile.BadZipFile
        If the bytes were not written by `encode`, or contain a class that is not in ``classes``.
    """
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        tree = json.loads(archive.read(MANIFEST))["value"]
        return _Reader(archive, classes).value(tree)


def _names(classes: Sequence[type]) -> dict[str, type]:
    return {kind.__name__: kind for kind in classes}


def _fields(kind: type) -> tuple[str, ...]:
    if dataclasses.is_dataclass(kind):
        return tuple(field.name for field in dataclasses.fields(kind))
    return tuple(kind._fields)  # type: ignore[attr-defined]


class _Writer:
    def __init__(self, classes: Sequence[type]) -> None:
        self.files: dict[str, bytes] = {}
        self.classes = set(classes)
        self.writers: list[tuple[type | tuple[type, ...], Callable[[Any, str], Any]]] = [
            (pd.DataFrame, self._table),
            (pd.Series, self._series),
            (pd.Index, self._index),
            (pd.api.extensions.ExtensionArray, lambda found, at: {"pandas": self._columns([pd.Series(found)], at)}),
            (np.ndarray, self._array),
            (np.generic, self._scalar),
        ]

    def tree(self, value: Any, at: str) -> Any:
        kind = type(value)
        if value is None or kind in (bool, int, str):
            return value
        if kind is float:
            return value if math.isfinite(value) else {"float": repr(value)}
        if kind is list:
            return [self.tree(entry, f"{at}[{place}]") for place, entry in enumerate(value)]
        if kind in (tuple, set, frozenset):
            ordered = list(value) if kind is tuple else sorted(value, key=repr)
            return {kind.__name__: [self.tree(entry, f"{at}[{place}]") for place, entry in enumerate(ordered)]}
        if kind is dict:
            return {
                "dict": [[self.tree(key, f"a key of {at}"), self.tree(value[key], f"{at}[{key!r}]")] for key in value]
            }
        if kind is bytes:
            if len(value) < _LARGE:
                return {"bytes": base64.b64encode(value).decode()}
            return {"file": self._file("bin", value)}
        if value is pd.NA or value is pd.NaT:
            return {"missing": "NA" if value is pd.NA else "NaT"}
        if kind in self.classes:
            fields = {name: self.tree(getattr(value, name), f"{at}.{name}") for name in _fields(kind)}
            return {"object": kind.__name__, "fields": fields}
        for kinds, write in self.writers:
            if isinstance(value, kinds):
                return write(value, at)
        raise TypeError(
            f"{at} is of type {kind.__module__}.{kind.__qualname__} and cannot be stored: give numbers, strings, "
            "lists, tuples, dicts, arrays or tables, or name the class (a named tuple or dataclass) in `classes`."
        )

    def _file(self, ending: str, content: bytes) -> str:
        name = f"{len(self.files)}.{ending}"
        self.files[name] = content
        return name

    def _scalar(self, value: np.generic, at: str) -> Any:
        if value.dtype.kind not in "biufU":
            raise TypeError(f"{at} is a NumPy {value.dtype} and cannot be stored.")
        return {"scalar": value.dtype.str, "value": self.tree(value.item(), at)}

    def _array(self, array: np.ndarray, at: str) -> Any:
        if type(array) is not np.ndarray:
            raise TypeError(f"{at} is of type {type(array).__name__} and cannot be stored: give a plain array.")
        if array.dtype == object:
            return {"objects": self.tree(array.ravel().tolist(), at), "shape": list(array.shape)}
        if array.dtype.hasobject:
            raise TypeError(f"{at} is an array of {array.dtype} and cannot be stored.")
        stream = io.BytesIO()
        np.save(stream, array, allow_pickle=False)
        return {"array": self._file("npy", stream.getvalue())}

    def _table(self, table: pd.DataFrame, at: str) -> Any:
        columns = [table.iloc[:, place] for place in range(table.shape[1])]
        about = {"names": self.tree(table.columns, f"the columns of {at}"), "index": self.tree(table.index, at)}
        return {"table": self._columns(columns, at), "rows": len(table), **about}

    def _series(self, series: pd.Series, at: str) -> Any:
        about = {"name": self.tree(series.name, f"the name of {at}"), "index": self.tree(series.index, at)}
        return {"series": self._columns([series], at), **about}

    def _index(self, index: pd.Index, at: str) -> Any:
        names = self.tree(list(index.names), f"the name of {at}")
        if isinstance(index, pd.RangeIndex):
            return {"range": [index.start, index.stop, index.step], "names": names}
        if isinstance(index, pd.MultiIndex):
            levels = [self.tree(level, at) for level in index.levels]
            return {
                "levels": levels,
                "codes": [self.tree(np.asarray(codes), at) for codes in index.codes],
                "names": names,
            }
        return {"labels": self._columns([pd.Series(index.array, dtype=index.dtype)], at), "names": names}

    def _columns(self, columns: Sequence[pd.Series], at: str) -> Any:
        """Store columns in one Parquet file; columns of objects and category names separately."""
        import pyarrow as pa
        import pyarrow.parquet as pq

        kinds, arrays = [], {}
        for place, column in enumerate(columns):
            where = at if len(columns) == 1 else f"column {column.name!r} of {at}"
            dtype = column.dtype
            if isinstance(dtype, pd.CategoricalDtype):
                kinds.append({"categories": self.tree(dtype.categories, where), "ordered": bool(dtype.ordered)})
                arrays[str(place)] = pa.array(column.cat.codes.to_numpy())
            elif pd.api.types.is_object_dtype(dtype):
                kinds.append({"objects": self.tree(column.tolist(), where)})
            elif isinstance(dtype, pd.StringDtype):
                kinds.append({"string": dtype.storage, "missing": "NA" if dtype.na_value is pd.NA else "nan"})
                arrays[str(place)] = pa.array(column.astype(object), pa.large_string(), from_pandas=True)
            elif isinstance(dtype, pd.core.dtypes.dtypes.BaseMaskedDtype):
                kinds.append({"masked": dtype.name})
                arrays[str(place)] = pa.array(column.array)
            elif isinstance(dtype, np.dtype) and dtype.kind in "biufmM":
                kinds.append({"dtype": dtype.str})
                plain = column.to_numpy()
                arrays[str(place)] = pa.array(plain.view("int64") if dtype.kind in "mM" else plain, from_pandas=False)
            else:
                raise TypeError(f"{where} is of dtype {dtype} and cannot be stored.")
        if not arrays:
            return {"kinds": kinds}
        stream = io.BytesIO()
        pq.write_table(pa.table(arrays), stream, compression="zstd")
        return {"kinds": kinds, "parquet": self._file("parquet", stream.getvalue())}


class _Reader:
    def __init__(self, archive: zipfile.ZipFile, classes: Sequence[type]) -> None:
        self.archive, self.classes = archive, _names(classes)

    def value(self, tree: Any) -> Any:
        if isinstance(tree, list):
            return [self.value(entry) for entry in tree]
        if not isinstance(tree, dict):
            return tree
        kind = next(iter(tree))
        held = tree[kind]
        if kind == "dict":
            return {self.value(key): self.value(entry) for key, entry in held}
        if kind in ("tuple", "set", "frozenset"):
            return {"tuple": tuple, "set": set, "frozenset": frozenset}[kind](self.value(entry) for entry in held)
        read: dict[str, Callable[[], Any]] = {
            "float": lambda: float(held),
            "bytes": lambda: base64.b64decode(held),
            "file": lambda: self.archive.read(held),
            "missing": lambda: {"NA": pd.NA, "NaT": pd.NaT}[held],
            "scalar": lambda: np.dtype(held).type(self.value(tree["value"])),
            "array": lambda: np.load(io.BytesIO(self.archive.read(held)), allow_pickle=False),
            "objects": lambda: self._objects(held, tree["shape"]),
            "object": lambda: self._object(held, tree["fields"]),
            "pandas": lambda: self._columns(held)[0].array,
            "table": lambda: self._table(tree),
            "series": lambda: self._series(tree),
            "range": lambda: pd.RangeIndex(*held, name=self.value(tree["names"])[0]),
            "labels": lambda: self._labels(tree),
            "levels": lambda: self._levels(tree),
        }
        if kind not in read:
            raise ValueError(f"{kind!r} is not a known kind of stored value")
        return read[kind]()

    def _objects(self, held: Any, shape: Sequence[int]) -> np.ndarray:
        flat = np.empty(len(held), dtype=object)
        for place, entry in enumerate(self.value(held)):
            flat[place] = entry
        return flat.reshape(shape)

    def _object(self, name: str, fields: Mapping[str, Any]) -> Any:
        if name not in self.classes:
            raise ValueError(f"it contains a {name}, which is not in `classes`")
        return self.classes[name](**{field: self.value(entry) for field, entry in fields.items()})

    def _table(self, tree: Mapping[str, Any]) -> pd.DataFrame:
        index = self.value(tree["index"])
        columns = [column.set_axis(index) for column in self._columns(tree["table"])]
        table = pd.DataFrame(dict(enumerate(columns)), index=index)
        table.columns = self.value(tree["names"])
        return table

    def _series(self, tree: Mapping[str, Any]) -> pd.Series:
        return self._columns(tree["series"])[0].set_axis(self.value(tree["index"])).rename(self.value(tree["name"]))

    def _labels(self, tree: Mapping[str, Any]) -> pd.Index:
        column = self._columns(tree["labels"])[0]
        return pd.Index(column.array, dtype=column.dtype, name=self.value(tree["names"])[0])

    def _levels(self, tree: Mapping[str, Any]) -> pd.MultiIndex:
        levels, codes = self.value(tree["levels"]), self.value(tree["codes"])
        return pd.MultiIndex(levels=levels, codes=codes, names=self.value(tree["names"]))

    def _columns(self, held: Mapping[str, Any]) -> list[pd.Series]:
        import pyarrow.parquet as pq

        read = pq.read_table(io.BytesIO(self.archive.read(held["parquet"]))) if "parquet" in held else None
        columns = []
        for place, kind in enumerate(held["kinds"]):
            if "objects" in kind:
                columns.append(pd.Series(self.value(kind["objects"]), dtype=object))
                continue
            assert read is not None
            column = read.column(str(place))
            if "categories" in kind:
                categories = self.value(kind["categories"])
                values: Any = pd.Categorical.from_codes(
                    np.array(column.to_numpy()), categories=categories, ordered=kind["ordered"]
                )
            elif "string" in kind:
                dtype = pd.StringDtype(kind["string"], na_value=pd.NA if kind["missing"] == "NA" else np.nan)
                values = dtype.__from_arrow__(column)
            elif "masked" in kind:
                values = pd.api.types.pandas_dtype(kind["masked"]).__from_arrow__(column)
            else:
                dtype_ = np.dtype(kind["dtype"])
                plain = np.array(column.to_numpy())
                values = plain.view(dtype_) if dtype_.kind in "mM" else plain.astype(dtype_)
            columns.append(pd.Series(values))
        return columns
