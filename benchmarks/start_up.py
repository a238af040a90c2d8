"""CPU time (user and system) of whole commands on a hundred words, beside that of importing pandas, in the same run.

The modules are compiled before, as those of an installed package are.
"""

import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

import pandas as pd

from analysis.corpora.exporting import write_generated
from benchmarks.bracketed_trees import generated

REPEATS = 7
GOAL = 0.75  # times the import of pandas


def seconds(words: tuple[str, ...]) -> float:
    """CPU time of a run of Python with these arguments."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, *words], check=True, capture_output=True, env=environment)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> pd.DataFrame:
    """One row per command: ``what``, seconds (``median``, ``min``, ``max``), ``over_pandas``, ``goal``."""
    with tempfile.TemporaryDirectory() as folder:
        names = ("a.conllu", "a.auto", "a.mrg", "a.tsv")
        trees, derivations, phrases, forms = (str(Path(folder) / name) for name in names)
        write_generated(20, trees, "conllu", random_state=0)
        write_generated(20, derivations, "auto", random_state=0)
        Path(phrases).write_text(generated(5, random_state=0), encoding="utf-8")
        lines = [f"walk{number}\twalked{number}\tV;PST\n" for number in range(100)]
        Path(forms).write_text("".join(lines), encoding="utf-8")
        commands = {
            "trees": (trees,), "tags": (trees, "--no-intervals"), "types": (trees, "--no-intervals"),
            "inflections": (forms, "--no-intervals"),
            "ccg": (derivations, "--no-intervals"), "brackets": (phrases, "--no-intervals"),
        }  # fmt: skip
        runs: dict[str, tuple[str, ...]] = {"import pandas": ("-c", "import pandas")}
        for name, (file, *options) in commands.items():
            runs[f"evaluate {name}"] = ("-m", "analysis", "evaluate", name, file, file, *options)
        times = pd.DataFrame([{what: seconds(words) for what, words in runs.items()} for _ in range(REPEATS + 1)])
    times = times.iloc[1:]
    table = times.agg(["median", "min", "max"]).T.rename_axis("what").reset_index()
    table["over_pandas"] = table["median"] / table["median"].iloc[0]
    table["goal"] = [None, *[GOAL] * len(commands)]
    print(table.to_string(index=False))
    return table


if __name__ == "__main__":
    main()
