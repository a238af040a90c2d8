"""Results as files of data: they come back as they were, and nothing in them is run."""

import io
import json
import math
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.experiments.storing import decode, encode, manifest


def there_and_back(value, classes=()):
    return decode(encode(value, {}, classes), classes)


TABLE = pd.DataFrame(
    {
        "ordered": pd.Categorical(["x", None, "y"], categories=["y", "x", "unused"], ordered=True),
        "numbers": pd.Categorical([3, 1, 3], categories=[3, 2, 1]),
        "Int32": pd.array([1, None, 3], dtype="Int32"),
        "Float64": pd.array([1.5, None, -0.0], dtype="Float64"),
        "boolean": pd.array([True, None, False], dtype="boolean"),
        "float": [1.0, float("nan"), -0.0],
        "float32": np.array([0.1, math.inf, -math.inf], dtype=np.float32),
        "str": ["ä", None, "NA"],
        "string": pd.array(["a", pd.NA, ""], dtype="string"),
        "object": pd.Series(["u", None, (1, 2)], dtype=object),
        "int8": np.array([1, -2, 3], np.int8),
        "uint64": np.array([0, 2**64 - 1, 5], np.uint64),
        "bool": [True, False, True],
        "time": pd.to_datetime(["2020-01-01", None, "2021-01-01"]),
    }
)
TABLES = {
    "all kinds of columns": TABLE,
    "no rows": TABLE[:0],
    "no columns": pd.DataFrame(index=range(3)),
    "nothing": pd.DataFrame(),
    "names only": pd.DataFrame(columns=["a", "b"]),
    "other order": TABLE.iloc[[2, 0]],
    "named index": TABLE.set_index("str"),
    "two levels": TABLE.set_index(["ordered", "int8"]),
    "a range": TABLE[["bool"]].set_axis(pd.RangeIndex(4, 10, 2, name="row")),
    "numbers as names": pd.DataFrame([[1, 2.5]], columns=[7, 3]),
    "a name twice": pd.DataFrame([[1, 2]], columns=["a", "a"]),
    "levels of names": TABLE.groupby("bool")[["int8"]].agg(["min", "max"]),
}


@pytest.mark.parametrize("name", TABLES)
def test_a_table_comes_back_as_it_was(name):
    table = TABLES[name]
    again = there_and_back(table)
    pd.testing.assert_frame_equal(again, table, check_exact=True, check_column_type=True, check_categorical=True)
    assert list(again.dtypes) == list(table.dtypes)
    assert type(again.index) is type(table.index) and type(again.columns) is type(table.columns)
    assert again.index.names == table.index.names and again.columns.names == table.columns.names
    if len(again) and "float" in again:
        assert np.signbit(again["float"].to_numpy()).tolist() == np.signbit(table["float"].to_numpy()).tolist()
        again.loc[again.index[0], "float"] = 3.0  # it may be changed


@pytest.mark.parametrize("name", TABLE.columns)
def test_a_column_and_an_index_come_back_as_they_were(name):
    pd.testing.assert_series_equal(there_and_back(TABLE[name]), TABLE[name], check_exact=True)
    if name != "object":
        index = pd.Index(TABLE[name], name="name")
        pd.testing.assert_index_equal(there_and_back(index), index, exact=True)


@pytest.mark.parametrize(
    "array",
    [
        np.arange(6, dtype=np.int16).reshape(2, 3),
        np.asfortranarray(np.eye(3)),
        np.array([], dtype=np.float32),
        np.array(["a", "bc"]),
        np.array(3.5),
        np.array([(1, 2.0)], dtype=[("a", "i4"), ("b", "f8")]),
        np.array([["a", None], [1, (2, 3)]], dtype=object),
        np.array([1 + 2j]),
    ],
)
def test_an_array_comes_back_as_it_was(array):
    again = there_and_back(array)
    assert (
        again.dtype == array.dtype
        and again.shape == array.shape
        and again.flags.f_contiguous == array.flags.f_contiguous
    )
    assert again.tolist() == array.tolist()


def test_the_state_of_a_generator_comes_back():
    generator = np.random.default_rng(3)
    state = there_and_back(generator.bit_generator.state)
    drawn = generator.random(5).tolist()
    generator.bit_generator.state = state
    assert generator.random(5).tolist() == drawn


small = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text() | st.binary(max_size=1200)
keys = st.text(max_size=3) | st.integers() | st.tuples(st.integers(), st.text(max_size=2))
values = st.recursive(
    small,
    lambda inner: (
        st.lists(inner, max_size=3) | st.lists(inner, max_size=3).map(tuple) | st.dictionaries(keys, inner, max_size=3)
    ),
    max_leaves=8,
)


@given(values)
def test_small_things_come_back_with_their_types(value):
    again = there_and_back(value)
    assert again == value and repr(again) == repr(value)


@pytest.mark.parametrize(
    "value", [np.float32(0.1), np.int64(-1), np.bool_(True), np.uint8(3), np.str_("a"), pd.NA, {1, 2}, frozenset("ab")]
)
def test_numbers_of_numpy_missing_values_and_sets_come_back(value):
    again = there_and_back(value)
    assert type(again) is type(value) and (again is value or again == value)


class Pair(NamedTuple):
    first: object
    second: object = None


@dataclass(frozen=True)
class Point:
    x: float
    inside: object


def test_a_named_tuple_and_a_dataclass_come_back_where_they_are_expected():
    value = {"a": Pair(1, Point(0.5, (Pair("x"),)))}
    assert there_and_back(value, (Pair, Point)) == value
    with pytest.raises(TypeError, match=r"result\['a'\] is of type .*Pair"):
        encode(value, {})
    with pytest.raises(ValueError, match="contains a Pair, which is not in `classes`"):
        decode(encode(Pair(1), {}, (Pair,)))


@pytest.mark.parametrize(
    ("value", "where"),
    [
        (object(), "result is of type"),
        ({"a": [1, {2: io.StringIO()}]}, r"result\['a'\]\[1\]\[2\] is of type"),
        (lambda: 1, "result is of type"),
        (pd.DataFrame({"a": [object()]}), r"result\[0\] is of type"),
        (np.random.default_rng(1), "result is of type"),
        (pd.DataFrame({"p": pd.period_range("2020", periods=2, freq="M")}), "result is of dtype period"),
        (np.array([{1}, object()], dtype=object), r"result\[1\] is of type"),
        (Path("a"), "result is of type"),
    ],
)
def test_what_cannot_be_stored_is_an_error_with_its_place(value, where):
    with pytest.raises(TypeError, match=where):
        encode(value, {})


def test_equal_results_are_equal_bytes():
    assert encode({"a": TABLE, "b": {3, 1, 2}}, {"key": "k"}) == encode(
        {"a": TABLE.copy(), "b": {2, 3, 1}}, {"key": "k"}
    )


def test_the_outline_is_read_without_the_result():
    assert manifest(encode(TABLE, {"key": "k"}))["key"] == "k"


def test_a_file_with_a_pickle_in_it_runs_nothing(tmp_path):
    ran = []

    class Bomb:
        def __reduce__(self):
            return ran.append, (1,)

    stream = io.BytesIO()
    np.save(stream, np.array([Bomb()], dtype=object), allow_pickle=True)
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w") as archive:
        archive.writestr("result.json", json.dumps({"value": {"array": "0.npy"}}))
        archive.writestr("0.npy", stream.getvalue())
    with pytest.raises(ValueError, match="allow_pickle"):
        decode(held.getvalue())
    assert ran == []
    with pytest.raises(ValueError, match="'pickle' is not a known kind of stored value"):
        held = io.BytesIO()
        with zipfile.ZipFile(held, "w") as archive:
            archive.writestr("result.json", json.dumps({"value": {"pickle": "0"}}))
        decode(held.getvalue())


def test_nothing_in_the_suite_reads_a_pickle_but_what_travels_to_a_cluster():
    package = Path(encode.__code__.co_filename).parents[1]
    found = {
        path.relative_to(package).as_posix()
        for path in package.rglob("*.py")
        if any(
            word in path.read_text(encoding="utf-8")
            for word in ("pickle.load", "import pickle", "joblib.load", "read_pickle", "allow_pickle=True")
        )
    }
    assert found == {"experiments/cluster.py"}
