"""All papers on the built-in data, offline, with nothing compiled, as after an installation: CPU time of all processes.

It takes many minutes, so it runs only where it is named: ``python -m benchmarks reproduction``. One run is measured;
caches, compiled code and report are in a folder that is deleted.
"""

import os
import sys
import tempfile
from pathlib import Path
from unittest import mock

import pandas as pd

from benchmarks.whole_jobs import one_run

GOAL = 150.0  # seconds of CPU time


def main(*papers: str) -> pd.DataFrame:
    """One row: user and system time of the command and of the processes that it started and waited for."""
    job = f"reproduce {' '.join(papers)}".strip() + ", offline, nothing compiled"
    with tempfile.TemporaryDirectory() as folder:
        places = {"ANALYSIS_CACHE": "cache", "NUMBA_CACHE_DIR": "numba", "MPLCONFIGDIR": "matplotlib"}
        empty = {name: str(Path(folder) / place) for name, place in places.items()}
        kept = {name: value for name, value in os.environ.items() if name != "ANALYSIS_MIRROR"}
        with mock.patch.dict(os.environ, kept | empty, clear=True):
            found = one_run([sys.executable, "-m", "analysis", "reproduce", *papers, "--output", f"{folder}/report"])
    if found is None:
        raise RuntimeError(f"{job} failed.")
    seconds = found[1]
    goal = f"at most {GOAL:.0f} s: {'met' if seconds <= GOAL else 'missed'}"
    table = pd.DataFrame([{"job": job, "CPU, s": seconds, "goal": goal}])
    print(table.to_string(index=False))
    return table
