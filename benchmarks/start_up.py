"""CPU time (user and system) of whole commands on a hundred words, beside that of importing pandas, in the same run."""

import resource
import subprocess
import sys
import tempfile
from pathlib import Path

import pandas as pd

from analysis.corpora.exporting import write_generated

REPEATS = 5


def seconds(*words: str) -> float:
    """Least CPU time of several runs of Python with these arguments."""
    times = []
    for _ in range(REPEATS):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([sys.executable, *words], check=True, capture_output=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        times.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return min(times)


def main() -> pd.DataFrame:
    """One row per command: ``what``, ``seconds``, ``over_pandas``."""
    with tempfile.TemporaryDirectory() as folder:
        trees, derivations, forms = (str(Path(folder) / name) for name in ("a.conllu", "a.auto", "a.tsv"))
        write_generated(20, trees, "conllu", random_state=0)
        write_generated(20, derivations, "auto", random_state=0)
        lines = [f"walk{number}\twalked{number}\tV;PST\n" for number in range(100)]
        Path(forms).write_text("".join(lines), encoding="utf-8")
        commands = {
            "trees": (trees,), "tags": (trees,), "types": (trees,), "inflections": (forms, "--no-intervals"),
            "ccg": (derivations, "--no-intervals"),
        }  # fmt: skip
        rows = [("import pandas", seconds("-c", "import pandas"))]
        rows += [
            (f"evaluate {name}", seconds("-m", "analysis", "evaluate", name, file, file, *options))
            for name, (file, *options) in commands.items()
        ]
    table = pd.DataFrame(rows, columns=["what", "seconds"])
    table["over_pandas"] = table["seconds"] / table["seconds"].iloc[0]
    print(table.to_string(index=False))
    return table


if __name__ == "__main__":
    main()
