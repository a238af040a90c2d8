"""Why a cell is computed again, and whether a shipped result is of the present source."""

import json

import pandas as pd
import pytest

from analysis import experiments
from analysis.experiments import explain, stored
from analysis.structures import DataError


@pytest.fixture(autouse=True)
def results(tmp_path, monkeypatch):
    monkeypatch.setenv("ANALYSIS_CACHE", str(tmp_path))
    monkeypatch.delenv("ANALYSIS_NO_CACHE", raising=False)


def step(x):
    return x + 1


def cell(x, times=1):
    return times * step(x)


GRID = [{"x": 1, "times": 2}, {"x": 2, "times": 2}]
CACHE = {"data": "one", "name": "grid"}


def states(grid=GRID, **cache):
    table = explain(cell, grid, cache=CACHE | cache)
    return list(zip(table["state"], table["changed"], strict=True))


def test_a_grid_says_of_each_cell_why_it_would_be_computed(monkeypatch):
    assert states() == [("never computed", "")] * 2
    experiments.run_cells(cell, GRID[:1], cache=CACHE, progress=False)
    assert states() == [("stored", ""), ("never computed", "")]
    experiments.run_cells(cell, GRID, cache=CACHE, progress=False)
    assert states() == [("stored", "")] * 2
    assert states(data="two") == [("data changed", "one -> two")] * 2
    assert states([{"x": 1, "times": 3}]) == [("parameters changed", "times")]
    assert states([{"x": 9, "times": 9}]) == [("never computed", "")]
    monkeypatch.setitem(globals(), "step", lambda x: x + 2)
    for state, changed in states():
        assert state == "source changed" and changed.endswith(":cell"), "which now names another function"


def test_a_cache_that_is_switched_off_explains_nothing(monkeypatch):
    monkeypatch.setenv("ANALYSIS_NO_CACHE", "1")
    assert states() == [("switched off", "")] * 2


def test_a_damaged_result_counts_as_nothing_stored(tmp_path):
    experiments.run_cells(cell, GRID, cache=CACHE, progress=False)
    for path in tmp_path.rglob("*.zip"):
        path.write_bytes(path.read_bytes()[:-1])
    assert states() == [("never computed", "")] * 2


def test_what_the_older_source_was_is_said_to_be_unknown_where_it_is(tmp_path, monkeypatch):
    experiments.run_cells(cell, GRID, cache=CACHE, progress=False)
    for path in tmp_path.rglob(".sources/*.json"):
        path.unlink()
    monkeypatch.setitem(globals(), "step", lambda x: x + 2)
    assert all(state == "source changed" and "unknown" in changed for state, changed in states())


# Shipped results ------------------------------------------------------------------------------------------------------


def table():
    rows = [{"x": x, "value": cell(x) / 3, "seconds": 0.5} for x in (1, 2, 3, 4)]
    return pd.DataFrame(rows)


def again(x):
    return pd.DataFrame([{"x": x, "value": cell(x) / 3, "seconds": 9.0}])


@pytest.fixture
def shipped(tmp_path):
    folder = tmp_path / "shipped"
    stored.write_stored("long", table(), cell, command="make long", seeds=[0, 1], folder=folder)
    return folder


def test_a_shipped_result_is_read_with_its_record(shipped):
    run = stored.read_stored("long", cell, folder=shipped)
    pd.testing.assert_frame_equal(run.table, table())
    assert run.about["command"] == "make long" and run.about["seeds"] == [0, 1] and run.note == run.changed == ""
    assert {"python", "language-yardstick"} <= set(run.about["versions"])


def test_a_shipped_result_of_another_source_says_so_and_is_certified_by_some_of_its_cells(shipped, monkeypatch):
    monkeypatch.setitem(globals(), "step", lambda x: 1 + x)
    run = stored.read_stored("long", cell, folder=shipped)
    assert run.note == "made by other source" and run.changed.endswith(":cell")
    drawn = stored.certify("long", cell, again, ["x"], cells=2, random_state=3, folder=shipped)
    assert len(drawn) == 2
    renewed = stored.read_stored("long", cell, folder=shipped)
    assert renewed.note == "" and renewed.about["certified"] == [{"random_state": 3, "cells": drawn.to_dict("records")}]
    assert renewed.about["command"] == "make long"


def test_a_result_that_comes_out_otherwise_is_not_certified(shipped, monkeypatch):
    monkeypatch.setitem(globals(), "step", lambda x: x + 1 + 1e-12)
    before = (shipped / "long.json").read_bytes()
    with pytest.raises(ValueError, match=r"long, \{'x': .*value is '.*'; stored is '.*'"):
        stored.certify("long", cell, again, ["x"], cells=4, folder=shipped)
    with pytest.raises(ValueError, match="2 rows with other columns"):
        stored.certify("long", cell, lambda x: pd.concat([again(x)] * 2), ["x"], folder=shipped)
    assert (shipped / "long.json").read_bytes() == before


def test_a_shipped_table_that_was_edited_is_refused(shipped):
    path = shipped / "long.csv"
    content = path.read_bytes()
    path.write_bytes(content.replace(b"0.5", b"0.6", 1))
    for read in (
        lambda: stored.read_stored("long", cell, folder=shipped),
        lambda: stored.certify("long", cell, again, ["x"], folder=shipped),
    ):
        with pytest.raises(DataError, match="its SHA-256 is another"):
            read()
    path.write_bytes(content)
    (shipped / "long.json").unlink()
    with pytest.raises(DataError, match=r"long\.json cannot be read"):
        stored.read_stored("long", cell, folder=shipped)


def test_a_record_is_plain_json(shipped):
    assert isinstance(json.loads((shipped / "long.json").read_text(encoding="utf-8"))["definitions"], dict)
