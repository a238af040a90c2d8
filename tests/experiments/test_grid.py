import os
import shutil
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pandas as pd
import pytest

from analysis import experiments
from analysis.structures import Score


@pytest.fixture(autouse=True)
def results(tmp_path, monkeypatch):
    monkeypatch.setenv("ANALYSIS_CACHE", str(tmp_path))
    monkeypatch.delenv("ANALYSIS_NO_CACHE", raising=False)


def draw(size, seed):
    generator = np.random.default_rng(seed)
    matrix = generator.normal(size=(size, size))
    return {"total": float((matrix @ matrix).sum()), "first": float(matrix[0, 0])}


def power(base, exponent=2):
    return base**exponent


GRID = experiments.cross(size=[1, 60, 3], seed=[4, 2])


def test_a_cross_is_every_combination_with_the_last_factor_fastest():
    assert [(cell["size"], cell["seed"]) for cell in GRID] == [(1, 4), (1, 2), (60, 4), (60, 2), (3, 4), (3, 2)]


@pytest.mark.parametrize("backend", ["loky", "threading"])
def test_serial_and_parallel_give_the_same_numbers_in_grid_order(backend):
    serial = experiments.run_grid(draw, GRID, progress=False)
    parallel = experiments.run_grid(draw, GRID, n_jobs=2, backend=backend, progress=False)
    pd.testing.assert_frame_equal(serial, parallel, check_exact=True)
    assert serial[["size", "seed"]].to_dict("records") == GRID


def test_cells_done_in_other_processes_are_stored(tmp_path, monkeypatch):
    kept = {"data": "none"}
    parallel = experiments.run_grid(draw, GRID, n_jobs=2, cache=kept, progress=False)
    assert len(list(tmp_path.rglob("*.zip"))) == len(GRID)
    monkeypatch.setattr(experiments.grid, "_run", None)  # nothing is left to run
    again = experiments.run_grid(draw, GRID, cache=kept, progress=False)
    pd.testing.assert_frame_equal(again, parallel, check_exact=True)


def test_an_interrupted_grid_goes_on_where_it_stopped():
    calls = []

    def interrupted(x):
        calls.append(x)
        if len(calls) == 3:
            raise KeyboardInterrupt
        return x * 10

    grid, kept = [{"x": x} for x in range(4)], {"data": "none", "name": "interrupted"}
    with pytest.raises(KeyboardInterrupt):
        experiments.run_cells(interrupted, grid, cache=kept, progress=False)
    assert experiments.run_cells(interrupted, grid, cache=kept, progress=False) == [0, 10, 20, 30]
    assert calls == [0, 1, 2, 2, 3]


def test_another_checksum_recomputes_the_grid():
    calls = []

    def counted(x):
        calls.append(x)
        return x

    kept = {"data": "none"}
    for cache_of_run in (kept, kept, kept | {"data": "other"}):
        experiments.run_grid(counted, [{"x": 1}, {"x": 2}], cache=cache_of_run, progress=False)
    assert calls == [1, 2, 1, 2]


def test_a_grid_may_be_a_table_whose_empty_fields_are_none():
    grid = pd.DataFrame({"base": pd.array([2, None], dtype="Int64")})
    assert experiments.run_cells(lambda base: base, grid, progress=False) == [2, None]


def test_numbers_mappings_tables_and_scores_become_rows():
    made = {
        "number": 3,
        "mapping": {"value": 3},
        "table": pd.DataFrame({"value": [1, 2]}),
        "score": Score("accuracy", 1, 2),
    }
    table = experiments.run_grid(lambda kind: made[kind], [{"kind": kind} for kind in made], progress=False)
    assert list(table["kind"]) == ["number", "mapping", "table", "table", "score"]
    assert list(table["value"]) == [3, 3, 1, 2, 0.5]


def test_a_result_that_fits_no_table_is_refused_and_returned_by_run_cells():
    with pytest.raises(ValueError, match="run_cells"):
        experiments.run_grid(lambda x: "text", [{"x": 1}], progress=False)
    assert experiments.run_cells(lambda x: "text", [{"x": 1}], progress=False) == ["text"]


@pytest.mark.thorough
def test_the_functions_own_error_passes_through_in_parallel():
    with pytest.raises(TypeError, match="unexpected keyword"):
        experiments.run_cells(power, [{"base": 1}, {"basis": 2}], n_jobs=2, progress=False)


def test_an_empty_grid_is_an_empty_table():
    assert experiments.run_grid(power, [], progress=False).empty


def test_a_cell_or_a_cache_that_makes_no_sense_is_refused():
    with pytest.raises(ValueError, match="cell 1 of the grid is a int"):
        experiments.run_cells(power, [{"base": 1}, 2], progress=False)
    with pytest.raises(ValueError, match="lacks data"):
        experiments.run_cells(power, [{"base": 1}], cache={"name": "none"}, progress=False)


def test_the_bar_goes_to_standard_error_only(capsys):
    experiments.run_cells(power, [{"base": 1}], progress=True)
    printed = capsys.readouterr()
    assert printed.out == ""
    assert "power" in printed.err


def test_spawned_seeds_are_distinct_and_repeatable():
    seeds = experiments.spawn_seeds(50, 7)
    assert len(set(seeds)) == 50
    assert seeds == experiments.spawn_seeds(50, 7)
    assert seeds[:10] == experiments.spawn_seeds(10, 7)
    assert seeds != experiments.spawn_seeds(50, 8)


def test_a_name_that_the_result_has_too_is_taken_from_the_result_and_stands_once():
    table = experiments.run_grid(lambda k, x: {"k": 5, "value": x}, [{"k": 12, "x": 1}], progress=False)
    assert table.to_dict("list") == {"x": [1], "k": [5], "value": [1]}


def test_an_empty_field_of_a_table_is_passed_as_none_and_a_zero_as_zero():
    grid = pd.DataFrame({"x": [0.0, np.nan, 1.5]})
    assert experiments.run_cells(lambda x: x, grid, progress=False) == [0.0, None, 1.5]


def test_a_thousand_seeds_differ():
    seeds = experiments.spawn_seeds(1000, 0)
    assert len(set(seeds)) == 1000 and min(seeds) >= 0 and max(seeds) > 2**30


def fail_at_two(x):
    if x == 2:
        raise ZeroDivisionError("two")
    return x * 10


NUMBERS = [{"x": x} for x in (1, 2, 3, 4)]


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_a_failing_cell_is_named_and_what_was_finished_is_stored(tmp_path, n_jobs):
    numbers = [{"x": x} for x in (1, 3, 4, 2)]  # the last: a process that starts late can miss what was before it
    with pytest.raises(ZeroDivisionError, match="two") as caught:
        experiments.run_grid(fail_at_two, numbers, n_jobs=n_jobs, cache={"data": "none"}, progress=False)
    assert caught.value.__notes__ == ["in cell 3 of the grid: fail_at_two(x=2)"]
    assert len(list(tmp_path.rglob("*.zip"))) >= 1
    last = time.monotonic() + 10  # another process may still be in a cell when the error arrives
    while list(tmp_path.rglob("*.claim")) and time.monotonic() < last:
        time.sleep(0.05)
    assert list(tmp_path.rglob("*.claim")) == []


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_the_other_cells_are_computed_if_errors_are_kept_and_the_failed_one_is_tried_again(tmp_path, n_jobs):
    options = {"n_jobs": n_jobs, "cache": {"data": "none"}, "progress": False, "on_error": "keep"}
    table = experiments.run_grid(fail_at_two, NUMBERS, **options)
    assert table["x"].tolist() == [1, 2, 3, 4]
    assert table["value"].dropna().tolist() == [10, 30, 40]
    assert table["error"].dropna().to_dict() == {1: "ZeroDivisionError: two"}
    assert len(list(tmp_path.rglob("*.zip"))) == 3
    (failed,) = experiments.run_cells(fail_at_two, NUMBERS[1:2], **options)
    assert isinstance(failed, ZeroDivisionError)
    with pytest.raises(ValueError, match="on_error"):
        experiments.run_cells(fail_at_two, NUMBERS, on_error="ignore")


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such locks")
def test_two_runs_of_a_grid_at_a_time_compute_each_cell_once():
    calls = []

    def counted(x):
        calls.append(x)
        time.sleep(0.05)
        return x * 10

    grid, kept = [{"x": x} for x in range(6)], {"data": "none", "name": "counted"}

    def run(_):
        return experiments.run_cells(counted, grid, cache=kept, progress=False)

    with ThreadPoolExecutor(3) as pool:
        assert list(pool.map(run, range(3))) == [[0, 10, 20, 30, 40, 50]] * 3
    assert sorted(calls) == list(range(6))


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such locks")
def test_a_cell_claimed_by_a_process_that_was_killed_is_taken_over(tmp_path):
    kept = {"data": "none"}
    _, (place,) = experiments.grid.grid_places(power, [{"base": 3}], kept)
    lines = (
        "import sys, time; from analysis.structures.locks import locked_file\n"
        "with locked_file(sys.argv[1]) as mine: print(mine, flush=True); time.sleep(60)"
    )
    command = [sys.executable, "-c", lines, str(place.path.with_suffix(".claim"))]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as other, ThreadPoolExecutor(1) as pool:
        assert other.stdout.readline() == "True\n"
        running = pool.submit(experiments.run_cells, power, [{"base": 3}], cache=kept, progress=False)
        time.sleep(0.3)
        assert not running.done(), "it waits for the other process"
        other.send_signal(signal.SIGKILL)
        assert running.result(timeout=30) == [9]
    assert list(tmp_path.rglob("*.claim")) == []


def test_a_grid_half_run_on_each_of_two_machines_goes_on_elsewhere_from_their_folders(tmp_path, monkeypatch):
    calls = []

    def counted(x):
        calls.append(x)
        return pd.DataFrame({"value": [x * 10.0]})

    grid, kept = [{"x": x} for x in range(6)], {"data": "none", "name": "moved"}
    for machine, cells in (("first", grid[:2]), ("second", grid[3:5])):
        monkeypatch.setenv("ANALYSIS_CACHE", str(tmp_path / machine))
        experiments.run_grid(counted, cells, cache=kept, progress=False)
    assert calls == [0, 1, 3, 4]
    for machine in ("first", "second"):
        shutil.copytree(tmp_path / machine / "results", tmp_path / "third" / "results", dirs_exist_ok=True)
        shutil.rmtree(tmp_path / machine)
    monkeypatch.setenv("ANALYSIS_CACHE", str(tmp_path / "third"))
    whole = experiments.run_grid(counted, grid, cache=kept, progress=False)
    assert calls == [0, 1, 3, 4, 2, 5] and whole["value"].tolist() == [0, 10, 20, 30, 40, 50]
