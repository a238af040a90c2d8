"""The grid runner on a Dask cluster: a scheduler of this machine with two worker processes."""

import os
import signal
import sys
import time
from pathlib import Path

import joblib
import numpy as np
import pandas as pd
import pytest

from analysis import experiments

distributed = pytest.importorskip("distributed", reason="the backend 'dask' is an optional extra")

GRID = experiments.cross(size=[1, 60, 3], seed=[4, 2])
KEPT = {"data": "none"}


@pytest.fixture(scope="module")
def cluster():
    with distributed.LocalCluster(
        n_workers=2, processes=True, threads_per_worker=1, dashboard_address="127.0.0.1:0", memory_limit="1GiB"
    ) as running:
        yield running


@pytest.fixture
def client(cluster):
    with distributed.Client(cluster) as connected:
        yield connected


@pytest.fixture(autouse=True)
def results(tmp_path, monkeypatch):
    monkeypatch.setenv("ANALYSIS_CACHE", str(tmp_path))
    monkeypatch.delenv("ANALYSIS_NO_CACHE", raising=False)


def draw(size, seed):
    matrix = np.random.default_rng(seed).normal(size=(size, size))
    return {"total": float((matrix @ matrix).sum()), "first": float(matrix[0, 0])}


def where(name):
    return os.getpid(), os.environ.get(name)


def echo(**cell):
    return cell


def fail_at(x):
    if x == 2:
        raise ZeroDivisionError("cell 2")
    return x


def test_a_cluster_gives_the_serial_numbers_in_grid_order(client):
    serial = experiments.run_grid(draw, GRID, progress=False)
    remote = experiments.run_grid(draw, GRID, backend="dask", progress=False)
    pd.testing.assert_frame_equal(serial, remote, check_exact=True)


def test_the_cells_are_run_by_the_workers_with_the_environment_of_the_caller(client, monkeypatch):
    workers = set(client.run(os.getpid).values())
    for value in ("one", "two"):
        monkeypatch.setenv("ANALYSIS_OF_A_TEST", value)
        found = experiments.run_cells(where, [{"name": "ANALYSIS_OF_A_TEST"}] * 4, backend="dask", progress=False)
        assert {pid for pid, _ in found} <= workers
        assert {seen for _, seen in found} == {value}
    monkeypatch.delenv("ANALYSIS_OF_A_TEST")
    assert experiments.run_cells(where, [{"name": "ANALYSIS_OF_A_TEST"}], backend="dask", progress=False)[0][1] is None


def test_cells_and_results_arrive_as_they_were_sent(client):
    cell = {
        "task": (len, [1, 2]),  # what Dask would otherwise call
        "array": np.arange(100_000),
        "table": pd.DataFrame({"form": pd.Categorical(["a", "b"])}),
        "nothing": None,
    }
    (found,) = experiments.run_cells(echo, [cell], backend="dask", progress=False)
    assert found["task"] == (len, [1, 2])
    assert found["array"].flags.writeable
    pd.testing.assert_frame_equal(found["table"], cell["table"])
    assert found["nothing"] is None


def test_this_process_stores_the_cells_and_finds_them_again_without_a_cluster(client, tmp_path):
    first = experiments.run_grid(draw, GRID[:3], backend="dask", cache=KEPT, progress=False)
    assert len(list(tmp_path.rglob("*.zip"))) == 3
    whole = experiments.run_grid(draw, GRID, backend="dask", cache=KEPT, progress=False)
    pd.testing.assert_frame_equal(whole[:3], first, check_exact=True)
    client.close()
    again = experiments.run_grid(draw, GRID, backend="dask", cache=KEPT, progress=False)
    pd.testing.assert_frame_equal(again, whole, check_exact=True)


def test_the_functions_own_error_passes_through(client):
    with pytest.raises(ZeroDivisionError, match="cell 2"):
        experiments.run_cells(fail_at, [{"x": x} for x in range(5)], backend="dask", progress=False)
    assert experiments.run_cells(fail_at, [{"x": 7}], backend="dask", progress=False) == [7]


def test_an_interrupted_grid_keeps_the_cells_that_came_back_and_goes_on(client, tmp_path, monkeypatch):
    cells = [{"x": x} for x in (0, 1, 3, 4)]
    write, stored = experiments.grid.Place.write, []

    def write_then_interrupt(self, value):
        write(self, value)
        stored.append(value)
        if len(stored) == 2:
            raise KeyboardInterrupt

    with monkeypatch.context() as patched, pytest.raises(KeyboardInterrupt):
        patched.setattr(experiments.grid.Place, "write", write_then_interrupt)
        experiments.run_cells(fail_at, cells, backend="dask", cache=KEPT, progress=False)
    assert len(list(tmp_path.rglob("*.zip"))) == len(stored) == 2
    assert experiments.run_cells(fail_at, cells, backend="dask", cache=KEPT, progress=False) == [0, 1, 3, 4]
    assert len(list(tmp_path.rglob("*.zip"))) == 4


def test_a_bar_is_shown(client, capsys):
    experiments.run_cells(draw, GRID[:2], backend="dask", progress=True)
    assert "draw" in capsys.readouterr().err


def test_a_grid_inside_joblibs_context_goes_to_the_cluster(client):
    workers = set(client.run(os.getpid).values())
    cells = [{"name": "HOME"}] * 2
    with joblib.parallel_config("dask"):
        assert {pid for pid, _ in experiments.run_cells(where, cells, progress=False)} <= workers
        named = experiments.run_cells(where, cells, backend="threading", n_jobs=2, progress=False)
    assert {pid for pid, _ in named} == {os.getpid()}
    assert {pid for pid, _ in experiments.run_cells(where, cells, progress=False)} == {os.getpid()}


@pytest.mark.thorough
def test_a_missing_client_or_package_is_said_with_the_lines_to_type(monkeypatch):
    lines = r'client = Client\("scheduler:8786"\)(.|\n)*run_grid\(function, grid, backend="dask"\)'
    with pytest.raises(RuntimeError, match="no connected client(.|\n)*" + lines):
        experiments.run_grid(draw, GRID, backend="dask", progress=False)
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(ImportError, match=r"language-yardstick\[cluster\](.|\n)*" + lines):
        experiments.run_grid(draw, GRID, backend="dask", progress=False)


def test_a_failing_cell_is_named_and_the_others_go_on_if_asked(client, tmp_path):
    cells = [{"x": x} for x in range(5)]
    with pytest.raises(ZeroDivisionError) as caught:
        experiments.run_cells(fail_at, cells, backend="dask", cache=KEPT, progress=False)
    assert caught.value.__notes__ == ["in cell 2 of the grid: fail_at(x=2)"]
    table = experiments.run_grid(fail_at, cells, backend="dask", cache=KEPT, progress=False, on_error="keep")
    assert table["error"].dropna().to_dict() == {2: "ZeroDivisionError: cell 2"}
    assert table["value"].dropna().tolist() == [0, 1, 3, 4]
    assert len(list(tmp_path.rglob("*.zip"))) == 4
    assert list(tmp_path.rglob("*.claim")) == []


def size_of(table, x):
    table["form"] = x  # its own copy
    return len(table)


def test_what_cells_have_in_common_is_sent_once_and_few_cells_are_sent_at_a_time(client, monkeypatch):
    table = pd.DataFrame({"form": np.arange(50_000)})
    sent, at_once = [], []
    submit = distributed.Client.submit

    def watched(self, *arguments, **options):
        sent.append(sum(len(part) for part in arguments[1:] if isinstance(part, bytes)))
        at_once.append(len(self.futures))
        return submit(self, *arguments, **options)

    monkeypatch.setattr(distributed.Client, "submit", watched)
    cells = [{"table": table, "x": x} for x in range(40)]
    assert experiments.run_cells(size_of, cells, backend="dask", progress=False) == [50_000] * 40
    assert sum(size > 100_000 for size in sent) == 1
    assert sum(sent) < 1_000_000, "not 40 times 0.4 MB"
    assert max(at_once) <= 2 + 2 * 2 + 1, "twice the threads and two, and the table"
    assert table["form"].tolist() == list(range(50_000))


def dies_once(x, folder):
    mark = Path(folder) / f"{x}"
    if x == 1 and not mark.exists():
        mark.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return x * 10


@pytest.mark.skipif(os.name == "nt", reason="kills a process")
def test_a_worker_that_dies_costs_nothing_but_time(client, tmp_path):
    cells = [{"x": x, "folder": str(tmp_path)} for x in range(6)]
    assert experiments.run_cells(dies_once, cells, backend="dask", progress=False) == [0, 10, 20, 30, 40, 50]
    assert (tmp_path / "1").exists()


def dies(x):
    os.kill(os.getpid(), signal.SIGKILL)


@pytest.mark.skipif(os.name == "nt", reason="kills a process")
def test_a_cell_that_kills_every_worker_is_given_up_with_advice(client):
    with pytest.raises(RuntimeError, match="give each worker more memory") as caught:
        experiments.run_cells(dies, [{"x": 1}], backend="dask", progress=False)
    assert caught.value.__notes__ == ["in cell 0 of the grid: dies(x=1)"]


def large(megabytes):
    return np.zeros(megabytes * 125_000)


def test_a_result_near_the_memory_of_a_worker_is_refused_with_advice(client):
    with pytest.raises(MemoryError, match=r"the result takes 360 MB, and a worker has 1,074 MB: return less"):
        experiments.run_cells(large, [{"megabytes": 360}], backend="dask", progress=False)
    assert experiments.run_cells(large, [{"megabytes": 1}], backend="dask", progress=False)[0].nbytes == 10**6


def slowly(x):
    time.sleep(0.2)
    return x, os.getpid()


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such locks")
def test_two_clients_on_one_cache_compute_each_cell_once(client, tmp_path):
    from concurrent.futures import ThreadPoolExecutor

    def run(backend):
        return experiments.run_cells(slowly, [{"x": x} for x in range(6)], backend=backend, cache=KEPT, progress=False)

    with ThreadPoolExecutor(2) as pool:
        first, second = pool.map(run, ["dask", None])
    assert first == second
    assert [x for x, _ in first] == list(range(6))


def test_no_port_is_open_to_the_network(client):
    psutil = pytest.importorskip("psutil")
    processes = [psutil.Process(), *psutil.Process().children(recursive=True)]
    ports = [one.laddr.ip for process in processes for one in process.net_connections() if one.status == "LISTEN"]
    assert len(ports) >= 3, "the scheduler and two workers"
    assert set(ports) <= {"127.0.0.1", "::1"}
