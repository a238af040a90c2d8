"""Processes that a report starts end with it."""

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import psutil
import pytest

from analysis.report.ending import ended_together

CODE = """
import sys, time, types
from pathlib import Path
from analysis.__main__ import main
from analysis.experiments import run_cells
from analysis.report import registry

module = types.ModuleType("slow")
module.publish = lambda **_: run_cells(wait, [{"name": "a"}, {"name": "b"}], n_jobs=2, progress=False)
sys.modules["slow"] = module
registry.PAPERS.clear()
registry.PAPERS["slow"] = registry.Paper("slow", "slow", "", {"nursery": ("nursery",)})

def wait(name):
    import os, pathlib, time
    pathlib.Path(name).write_text(str(os.getpid()))
    time.sleep(120)

main(["reproduce", "--output", "report"])
"""


@pytest.mark.thorough
@pytest.mark.skipif(sys.platform == "win32", reason="signals are another thing there")
@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, 143), (signal.SIGINT, 130)])
def test_a_signal_ends_the_workers_of_a_report_too(number, code, tmp_path):
    environment = os.environ | {"PYTHONPATH": str(Path(__file__).parents[2]), "ANALYSIS_CACHE": str(tmp_path / "cache")}
    started = [tmp_path / "a", tmp_path / "b"]
    with subprocess.Popen([sys.executable, "-c", CODE], cwd=tmp_path, env=environment) as process:
        while not all(path.is_file() and path.read_text() for path in started):
            assert process.poll() is None
            time.sleep(0.05)
        workers = [psutil.Process(int(path.read_text())) for path in started]
        process.send_signal(number)
        assert process.wait(timeout=60) == code
    _, alive = psutil.wait_procs(workers, timeout=30)
    assert alive == []
    assert not (tmp_path / "report").exists()


def test_handlers_are_as_before_after_the_block_and_untouched_in_threads():
    numbers = (signal.SIGTERM, signal.SIGINT)
    before = [signal.getsignal(number) for number in numbers]
    within = []

    def enter():
        with ended_together():
            within.append([signal.getsignal(number) for number in numbers])

    enter()
    assert within.pop() != before == [signal.getsignal(number) for number in numbers]
    thread = threading.Thread(target=enter)
    thread.start()
    thread.join()
    assert within == [before]


@pytest.mark.skipif(sys.platform == "win32", reason="signals are another thing there")
def test_a_signal_that_is_ignored_stays_ignored():
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)  # as in the background of a script
    try:
        with ended_together():
            os.kill(os.getpid(), signal.SIGINT)
            assert signal.getsignal(signal.SIGINT) == signal.SIG_IGN
        assert signal.getsignal(signal.SIGINT) == signal.SIG_IGN
    finally:
        signal.signal(signal.SIGINT, before)
