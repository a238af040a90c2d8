"""Grids of runs on a Dask cluster of 1, 2 and 4 worker processes of this machine, and what they imply for more.

- *empty cells*: return a number; what is left is scheduling.
- *a shared table*: each cell reads a table of 16 MB, which is sent once.
- *Kodner et al. (2023)*: every sample of `kodner2023.runs` (languages x strategies x seeds; ten seeds instead of five)
  with NONNEUR, all sizes, on the offline word lists; a cell is one sample.

Counted is processor time, which other jobs of the machine do not change: in cells; of the workers outside of cells
(receiving, unpacking, answering); and of the one process that has both client and scheduler. "lost" is the share of the
last two. Before, each worker computes the first cell, in which it loads the suite and reads the word lists: "start".
"most cells a second" is what the client and scheduler could hand out at most, with any number of workers.

The projection for N workers is the largest of three times: all seconds in cells over N, the client's for all cells,
and the longest cell; "lost" is then the share of the workers' time in which they have nothing to do. It assumes that a
core is as fast as here, and a network no slower than the loopback; nothing of it was run on more than one machine.
"""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any

import numpy as np
import pandas as pd

from analysis.experiments import cross, run_cells
from analysis.papers.kodner2023.runs import sample_runs
from analysis.papers.kodner2023.setting import STRATEGIES, Setting

WORKERS = (1, 2, 4)
PROJECTED = (16, 100, 400)
PAPER = "Kodner et al. (2023)"
COLUMNS = [
    "grid", "cells", "workers", "start, s a worker", "in cells, s", "workers otherwise, s", "client and scheduler, s",
    "lost", "most cells a second", "wall, s",
]  # fmt: skip


def nothing(number: int) -> int:
    """An empty cell."""
    return number


def column_sum(table: pd.DataFrame, number: int) -> float:
    """A cell that reads a shared table."""
    return float(table["value"].sum()) + number


def timed(function: Callable[..., Any], arguments: Mapping[str, Any], shared: Any = None) -> float:
    """Seconds of processor time of one cell."""
    begun = time.thread_time()
    function(**arguments, **({} if shared is None else {"table": shared}))
    return time.thread_time() - begun


def grids(seeds: int, empty: int) -> dict[str, list[dict[str, Any]]]:
    """The cells of each grid, as `timed` takes them."""
    setting = Setting(corpus="lexical")
    table = pd.DataFrame({"value": np.arange(2_000_000)})  # 16 MB
    samples = cross(corpus=["lexical"], language=setting.languages, strategy=STRATEGIES, seed=range(seeds),
                    models=[("NONNEUR",)])  # fmt: skip
    numbers = [{"number": number} for number in range(empty)]
    return {
        PAPER: [{"function": sample_runs, "arguments": sample} for sample in samples],
        "empty cells": [{"function": nothing, "arguments": each} for each in numbers],
        "a shared table": [{"function": column_sum, "arguments": each, "shared": table} for each in numbers[::5]],
    }


@contextmanager
def cluster_of(workers: int) -> Iterator[Any]:
    """A client of so many worker processes of one thread each."""
    from distributed import Client, LocalCluster

    quiet = {"dashboard_address": None, "silence_logs": 50}
    with (
        LocalCluster(workers, threads_per_worker=1, memory_limit="2GB", host="127.0.0.1", **quiet) as cluster,
        Client(cluster) as client,
    ):
        yield client


def measure(client: Any, cells: Sequence[Mapping[str, Any]]) -> tuple[dict[str, float], np.ndarray]:
    """One grid on a cluster: the numbers of a row, and the seconds of each cell."""
    start = client.run(partial(timed, **cells[0]))
    before, own, begun = client.run(time.process_time), time.process_time(), time.time()
    seconds = np.array(run_cells(timed, cells, backend="dask", progress=False))
    wall, own = time.time() - begun, time.process_time() - own
    after = client.run(time.process_time)
    whole = sum(after[name] - before[name] for name in before)
    row = {
        "start, s a worker": float(np.mean(list(start.values()))),
        "in cells, s": float(seconds.sum()),
        "workers otherwise, s": whole - float(seconds.sum()),
        "client and scheduler, s": own,
        "lost": 1 - float(seconds.sum()) / (whole + own),
        "most cells a second": len(cells) / own,
        "wall, s": wall,
    }
    return row, seconds


def main(
    workers: Sequence[int] = WORKERS, projected: Sequence[int] = PROJECTED, seeds: int = 10, empty: int = 300
) -> pd.DataFrame:
    """A row a grid and number of workers, then the projections of the paper's grid."""
    rows: list[dict[str, Any]] = []
    later: list[dict[str, Any]] = []
    for number in workers:
        with cluster_of(number) as client:
            for name, cells in grids(seeds, empty).items():
                row, seconds = measure(client, cells)
                rows.append({"grid": name, "cells": len(cells), "workers": str(number), **row})
                whole, bound = float(seconds.sum()), max(row["client and scheduler, s"], float(seconds.max()))
                for more in projected if number == min(workers) and name == PAPER else ():
                    wall = max(whole / more, bound)
                    lost = 1 - whole / (more * wall)
                    later.append({"grid": name, "cells": len(cells), "workers": f"{more} (projected)",
                                  "in cells, s": whole, "lost": lost, "wall, s": wall})  # fmt: skip
    result = pd.DataFrame(rows + later, columns=COLUMNS)
    print(result.to_string(index=False))
    return result


if __name__ == "__main__":
    main()
