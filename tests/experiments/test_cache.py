import json
import os
import subprocess
import sys
import zipfile

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis import experiments
from analysis.experiments import cache


@pytest.fixture(autouse=True)
def results(tmp_path, monkeypatch):
    monkeypatch.setenv("ANALYSIS_CACHE", str(tmp_path))
    monkeypatch.delenv("ANALYSIS_NO_CACHE", raising=False)
    return tmp_path / "results"


class Counted:
    def __init__(self, value):
        self.value, self.calls = value, 0

    def __call__(self):
        self.calls += 1
        return self.value


KEY = experiments.cache_key(data="sha256:ab", parameters={"k": 12, "seed": 1}, function=pd.crosstab)


def test_a_result_is_computed_once_and_then_read():
    compute = Counted({"a": np.arange(3)})
    first, second = (experiments.cached("model", KEY, compute) for _ in range(2))
    assert compute.calls == 1
    assert (first["a"] == second["a"]).all()
    assert second["a"].dtype == first["a"].dtype


@pytest.mark.parametrize(
    "changed",
    [
        {"source": "another"},
        {"data": "sha256:cd"},
        {"parameters": {"k": 13, "seed": 1}},
        {"parameters": {"k": 12, "seed": 2}},
        {"parameters": {"k": 12.0, "seed": 1}},
        {"parameters": {"k": 12, "seed": 1, "order": None}},
    ],
)
def test_another_source_checksum_or_parameter_is_computed_anew(changed):
    compute = Counted(1)
    experiments.cached("model", KEY, compute)
    experiments.cached("model", KEY | changed, compute)
    assert compute.calls == 2


def test_another_name_is_another_result():
    assert experiments.cached("one", KEY, lambda: 1) == 1
    assert experiments.cached("two", KEY, lambda: 2) == 2


@pytest.mark.parametrize("damage", [b"", b"abc", "half", "flipped"])
def test_a_damaged_file_is_computed_again_and_replaced(damage, results):
    compute = Counted(list(range(100)))
    experiments.cached("model", KEY, compute)
    (path,) = results.rglob("*.zip")
    whole = path.read_bytes()
    if damage == "half":
        damage = whole[: len(whole) // 2]
    elif damage == "flipped":
        damage = whole[:-20] + bytes([whole[-20] ^ 1]) + whole[-19:]
    path.write_bytes(damage)
    assert experiments.cached("model", KEY, compute) == list(range(100))
    assert compute.calls == 2
    assert path.read_bytes() == whole


def test_a_sound_file_of_another_key_is_not_taken(results):
    experiments.cached("model", KEY, lambda: "theirs")
    (path,) = results.rglob("*.zip")
    other = cache.place("model", KEY | {"source": "another"}).path
    path.rename(other)
    assert experiments.cached("model", KEY | {"source": "another"}, lambda: "ours") == "ours"


@pytest.mark.parametrize("error", [KeyboardInterrupt, OSError])
def test_an_interrupted_write_leaves_neither_result_nor_rest(error, results, monkeypatch):
    experiments.cached("model", KEY | {"source": "old"}, lambda: "old")
    before = sorted(results.rglob("*"))

    def interrupted(*_):
        raise error

    monkeypatch.setattr(cache.Path, "replace", interrupted)
    if error is KeyboardInterrupt:
        with pytest.raises(KeyboardInterrupt):
            experiments.cached("model", KEY, lambda: 1)
    else:
        assert experiments.cached("model", KEY, lambda: 1) == 1
    assert sorted(results.rglob("*")) == before


def test_the_cache_can_be_switched_off(monkeypatch, results):
    monkeypatch.setenv("ANALYSIS_NO_CACHE", "1")
    compute = Counted(1)
    experiments.cached("model", KEY, compute)
    experiments.cached("model", KEY, compute)
    assert compute.calls == 2
    assert not results.exists()


def test_a_table_is_read_back_as_it_was():
    table = pd.DataFrame(
        {
            "form": pd.Categorical(["NA", "null", "look"], categories=["look", "NA", "null", "unused"]),
            "count": pd.array([1, None, 3], dtype="Int64"),
            "value": [0.1 + 0.2, float("nan"), -0.0],
        },
        index=[5, 7, 9],
    )
    experiments.cached("table", KEY, lambda: table)
    again = experiments.cached("table", KEY, lambda: None)
    pd.testing.assert_frame_equal(again, table, check_exact=True, check_categorical=True)


plain = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=8,
)


@given(st.dictionaries(st.text(max_size=3), plain, max_size=4))
def test_the_order_of_names_does_not_change_a_key(key):
    assert experiments.canonical_json(key) == experiments.canonical_json(dict(reversed(key.items())))


@pytest.mark.thorough
def test_a_key_is_the_same_in_every_process():
    code = (
        "from analysis.experiments import canonical_json; print(canonical_json({'s': {'b', 'a', 'c'}, 'x': (1, 2.5)}))"
    )
    printed = {
        subprocess.run(
            [sys.executable, "-c", code], env=os.environ | {"PYTHONHASHSEED": seed}, capture_output=True, check=True
        ).stdout
        for seed in ("1", "2", "3")
    }
    assert printed == {b'{"s":{"set":["a","b","c"]},"x":[1,2.5]}\n'} or printed == {
        b'{"s":{"set":["a","b","c"]},"x":[1,2.5]}\r\n'
    }


@pytest.mark.parametrize("value", [np.random.default_rng(1), object(), b"bytes", {1: "a"}])
def test_a_key_without_one_written_form_is_refused(value):
    with pytest.raises(ValueError, match="cache key"):
        experiments.cached("model", {"parameters": value}, lambda: 1)


def test_a_name_that_is_no_file_name_is_refused():
    with pytest.raises(ValueError, match="not a name for a cached result"):
        experiments.cached("../model", KEY, lambda: 1)


def test_a_fingerprint_sees_values_order_names_and_kinds():
    table = pd.DataFrame({"sentence": [0, 0, 1], "form": ["look", "there", "NA"]})
    same = experiments.fingerprint(table)
    assert experiments.fingerprint(table.set_axis([4, 5, 6])) == same
    assert experiments.fingerprint(table.astype({"form": pd.CategoricalDtype(["there", "NA", "look", "x"])})) == same
    others = [
        table[::-1],
        table[["form", "sentence"]],
        table.rename(columns={"form": "fine"}),
        table.astype({"sentence": float}),
        table.assign(form=["look", "there", None]),
        table.iloc[:2],
    ]
    assert len({same, *(experiments.fingerprint(other) for other in others)}) == 7


def test_a_file_in_the_cache_carries_its_key_and_is_a_zip_file(results):
    experiments.cached("model", KEY, lambda: 1)
    (path,) = results.rglob("*.zip")
    with zipfile.ZipFile(path) as archive:
        assert json.loads(archive.read("result.json"))["key"] == experiments.canonical_json(KEY)
