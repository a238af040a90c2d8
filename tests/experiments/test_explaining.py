"""Why a cell is computed again, and whether a shipped result is of the present source."""

import functools
import json

import pandas as pd
import pytest

from analysis import experiments
from analysis.experiments import explain, stored
from analysis.experiments.stored import _agree, certify, write_stored
from analysis.structures import DataError
from analysis.structures.source import source_digest


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
    x = int(x)
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
    assert set(run.notes) == {"made by other source"}
    drawn = stored.certify("long", cell, again, ["x"], cells=2, random_state=3, folder=shipped)
    assert len(drawn) == 2
    renewed = stored.read_stored("long", cell, folder=shipped)
    assert renewed.note == "certified: 2 of 4 cells" and set(renewed.notes) == {renewed.note}
    (told,) = renewed.about["certified"]
    assert told["random_state"] == 3 and told["cells"] == drawn.to_dict("records") and told["of"] == 4
    assert told["source"] == source_digest(cell) and told["ignore"] == ["seconds"]
    assert renewed.about["command"] == "make long" and renewed.about["source"] != told["source"]


def test_after_another_change_of_the_source_a_certificate_no_longer_counts(shipped, monkeypatch):
    monkeypatch.setitem(globals(), "step", lambda x: 1 + x)
    stored.certify("long", cell, again, ["x"], folder=shipped)
    monkeypatch.setitem(globals(), "step", lambda x: 2 + x)
    assert stored.read_stored("long", cell, folder=shipped).note == "made by other source"


def test_a_certificate_is_of_the_rows_that_were_drawn_from(shipped, monkeypatch):
    monkeypatch.setitem(globals(), "step", lambda x: 1 + x)
    for cells in (1, 5):
        stored.certify("long", cell, again, ["x"], where={"x": "3"}, cells=cells, folder=shipped)
    run = stored.read_stored("long", cell, folder=shipped)
    others = "made by other source"
    assert run.notes.tolist() == [others, others, "certified: 1 of 1 cells", others] and run.note == others
    assert len(run.about["certified"]) == 1, "a later certificate of the same rows takes the place of the first"
    with pytest.raises(ValueError, match=r"long has no row with \{'x': '7'\}"):
        stored.certify("long", cell, again, ["x"], where={"x": "7"}, folder=shipped)


def test_a_remark_in_the_record_stands_beside_the_rows_that_it_is_of(shipped):
    path = shipped / "long.json"
    record = json.loads(path.read_text(encoding="utf-8"))
    path.write_text(json.dumps(record | {"remarks": [{"where": {"x": "2"}, "text": "as written"}]}), encoding="utf-8")
    assert stored.read_stored("long", cell, folder=shipped).notes.tolist() == ["", "as written", "", ""]


def test_a_result_that_comes_out_otherwise_is_not_certified(shipped, monkeypatch):
    monkeypatch.setitem(globals(), "step", lambda x: x + 1 + 1e-12)
    before = (shipped / "long.json").read_bytes()
    with pytest.raises(ValueError, match=r"long, \{'x': .*value is '.*'; stored is '.*'"):
        stored.certify("long", cell, again, ["x"], cells=4, folder=shipped)
    with pytest.raises(ValueError, match="2 rows with other columns"):
        stored.certify("long", cell, lambda x: pd.concat([again(x)] * 2), ["x"], folder=shipped)
    with pytest.raises(ValueError, match="missing: value"):
        stored.certify("long", cell, lambda x: again(x).drop(columns="value"), ["x"], folder=shipped)
    assert (shipped / "long.json").read_bytes() == before


def test_numbers_may_be_asked_to_agree_to_some_digits_only_and_words_never(shipped, monkeypatch):
    monkeypatch.setitem(globals(), "step", lambda x: (x + 1) * (1 + 1e-13))
    certify = functools.partial(stored.certify, "long", cell, by=["x"], cells=4, folder=shipped)
    for digits in (None, 14):
        with pytest.raises(ValueError, match="value is"):
            certify(again, digits=digits)
    certify(again, digits=12)
    assert stored.read_stored("long", cell, folder=shipped).about["certified"][0]["digits"] == 12
    monkeypatch.undo()
    rows = again(1).assign(note="a")
    stored.write_stored("worded", rows, cell, command="make", folder=shipped)
    with pytest.raises(ValueError, match="note is 'b'; stored is 'a'"):
        stored.certify("worded", cell, lambda x: rows.assign(note="b"), ["x"], digits=1, folder=shipped)


def test_cells_are_told_apart_by_empty_fields_too(tmp_path):
    rows = pd.DataFrame({"x": [1, 1, 2], "of": ["a", "", ""], "value": [1.5, 2.5, 3.5]})
    stored.write_stored("empty", rows, cell, command="make", folder=tmp_path)
    drawn = stored.certify(
        "empty", cell, lambda x, of: rows[(rows["x"] == int(x)) & (rows["of"] == of)], ["x", "of"], folder=tmp_path
    )
    assert len(drawn) == 3


def test_a_rounded_table_is_certified_by_numbers_that_round_to_it_and_by_no_others(tmp_path):
    rows = pd.DataFrame({"x": [1, 2], "value": [0.666667, 1.0], "unit": ["proportion", "bits"], "clusters": [3, pd.NA]})
    stored.write_stored("rounded", rows, cell, command="make rounded", folder=tmp_path)
    exact = {1: (2 / 3, "proportion"), 2: (1.00004, "bits")}

    def recomputed(x, error=0.0):
        value, unit = exact[int(x)]
        found = pd.DataFrame({"x": [x], "value": [value + error], "unit": [unit]})
        return found.assign(clusters=3) if x == "1" else found

    certify = functools.partial(stored.certify, "rounded", cell, by=["x"], folder=tmp_path)
    certify(recomputed, decimals={"proportion": 6, "bits": 4})
    assert stored.read_stored("rounded", cell, folder=tmp_path).about["certified"][0]["decimals"]["bits"] == 4
    for wrong in ({"proportion": 6, "bits": 5}, {"proportion": 7, "bits": 4}, None):
        with pytest.raises(ValueError, match="value is"):
            certify(recomputed, decimals=wrong)
    with pytest.raises(ValueError, match=r"value is '0\.666668'; stored is '0\.666667'"):
        certify(functools.partial(recomputed, error=1e-6), decimals={"proportion": 6, "bits": 4})


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


def test_other_seeds_draw_other_cells(tmp_path):
    table = pd.DataFrame({"k": range(20), "value": range(20)})
    write_stored("a", table, pow, command="x", folder=tmp_path)
    drawn = [
        certify("a", pow, lambda k: table[table["k"] == int(k)], ["k"], random_state=seed, folder=tmp_path)[
            "k"
        ].tolist()
        for seed in (0, 1, 1)
    ]
    assert drawn[0] != drawn[1] == drawn[2]


def test_digits_of_a_certificate_are_significant():
    assert _agree("1000.0", "1000.4", 3) and not _agree("1000.0", "1000.9", 3)
