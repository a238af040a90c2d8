"""CPU time of reading two files of phrase-structure trees, and of the command that scores them; generated trees.

PYEVALB (``pip install pyevalb``) takes part if it is installed: it reads the same two files and counts their brackets.
"""

import resource
import subprocess
import sys
import tempfile
from pathlib import Path
from time import process_time

import numpy as np
import pandas as pd

from analysis.corpora.bracketed_trees import read_bracketed_trees

REPEATS = 5
PEER = "from PYEVALB import scorer; import sys; scorer.Scorer().evalb(*sys.argv[1:], sys.argv[1] + '.out')"


def generated(trees: int, random_state: int) -> str:
    """One tree a line: the same sentences of 22 words, divided at random places down to the words."""
    rng = np.random.default_rng(random_state)
    lines = []
    for words in np.random.default_rng(0).zipf(1.3, (trees, 22)) % 20_000:
        pieces = [f"(T{word % 40} w{word})" for word in words.tolist()]
        while len(pieces) > 1:
            at = int(rng.integers(len(pieces) - 1))
            pieces[at : at + 3] = [f"(X{rng.integers(25)} {' '.join(pieces[at : at + 3])})"]
        lines.append(pieces[0])
    return "\n".join(lines) + "\n"


def seconds(words: tuple[str, ...]) -> float:
    """CPU time of a run of Python with these arguments."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, *words], check=True, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def reading(*files: Path) -> float:
    """CPU time of reading these files in this process."""
    start = process_time()
    for file in files:
        read_bracketed_trees(file, by_line=True)
    return process_time() - start


def main(trees: int = 3914) -> pd.DataFrame:
    """One row per task: seconds of CPU time (``median``, ``min``, ``max``) and ``goal``."""
    with tempfile.TemporaryDirectory() as folder:
        files = [Path(folder) / name for name in ("gold.mrg", "mine.mrg")]
        for number, file in enumerate(files):
            file.write_text(generated(trees, number), encoding="utf-8")
        names = tuple(map(str, files))
        reading(*files)
        rows = {
            "reading two files": [reading(*files) for _ in range(REPEATS)],
            "evaluate brackets, command": [
                seconds(("-m", "analysis", "evaluate", "brackets", *names, "--no-intervals")) for _ in range(REPEATS)
            ],
        }
        try:
            rows["PYEVALB, process"] = [seconds(("-c", PEER, *names)) for _ in range(REPEATS)]
        except subprocess.CalledProcessError:
            print("PYEVALB is not installed: it does not take part.")
    table = pd.DataFrame(rows).agg(["median", "min", "max"]).T.rename_axis("task").reset_index()
    table.insert(1, "trees", trees)
    table["goal"] = [0.03, 0.73, None][: len(table)]
    print(table.to_string(index=False))
    return table


if __name__ == "__main__":
    main()
