"""CPU time and memory as a text grows to 100 million tokens; the numbers go into a table, and a figure from the table.

    python -m benchmarks.scaling --csv benchmarks/scaling.csv    # measures; what the table has is not measured again
    python -m benchmarks.scaling --csv benchmarks/scaling.csv --draw docs/scaling.svg --write docs/scaling.md

The text is a million tokens of a hidden Markov model of 50 classes (that of `benchmarks.word_clustering`), of which
sentences are drawn with replacement: word types stay at some 50,000, so what is linear in tokens is seen. Each
measurement is a process of its own: CPU seconds (user and system) of the call, the text not counted; the most memory of
the process, and what it held before the call, text included. The call is made on a small text first, which compiles. A
size is left out if the one before it says that it would take longer than the limit.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path
from time import process_time

import numpy as np
import pandas as pd

from analysis.categories import models, substitutable_precision_recall, token_level_scores
from benchmarks._memory import forget_peak, peak_mebibytes
from benchmarks.word_clustering import generated

SIZES = (1_000_000, 3_000_000, 10_000_000, 30_000_000, 100_000_000)
TASKS = ("token measures", "SP and SR", "BHMM, 2 sweeps", "Brown", "exchange")
CLUSTERS, SMALL = 45, 2_000
COLUMNS = ["task", "tokens", "seconds", "peak_mebibytes", "mebibytes_before"]


def base_text() -> pd.DataFrame:
    """A million tokens: ``sentence``, ``form``, ``coarse`` (the class that wrote the word)."""
    table = generated(1_000_000)
    form = table["form"].astype("category")
    classes = form.cat.categories.str.removeprefix("word").astype(int) % 50
    coarse = pd.Categorical.from_codes(classes.to_numpy()[form.cat.codes], [f"class {number}" for number in range(50)])
    return pd.DataFrame({"sentence": table["sentence"], "form": form, "coarse": coarse})


def resampled(base: pd.DataFrame, tokens: int, random_state: int = 1) -> pd.DataFrame:
    """A text of that many tokens, whose utterances are drawn from another text; the last may be cut."""
    numbers = base["sentence"].to_numpy()
    starts = np.flatnonzero(np.concatenate([[True], numbers[1:] != numbers[:-1]]))
    lengths = np.diff(np.append(starts, len(numbers)))
    rng = np.random.default_rng(random_state)
    drawn = rng.integers(len(starts), size=int(1.02 * tokens / lengths.mean()) + 100)
    taken = lengths[drawn]
    rows = np.repeat((starts[drawn] - np.cumsum(taken) + taken).astype(np.int32), taken)[:tokens]
    rows += np.arange(tokens, dtype=np.int32)
    sentence = np.repeat(np.arange(len(drawn), dtype=np.int32), taken)[:tokens]
    columns = {name: pd.Categorical.from_codes(base[name].cat.codes.to_numpy()[rows], dtype=base[name].dtype)
               for name in ("form", "coarse")}  # fmt: skip
    return pd.DataFrame({"sentence": sentence, **columns})


def call(task: str, text: pd.DataFrame, base: pd.DataFrame) -> None:
    """Do what is measured."""
    if task == "token measures":
        token_level_scores(text["coarse"], text["form"].cat.codes.to_numpy() % CLUSTERS)
    elif task == "SP and SR":
        train, test = (each.assign(cluster=each["form"].cat.codes.to_numpy() % CLUSTERS) for each in (base, text))
        substitutable_precision_recall(train, test)
    elif task == "Brown":
        models.BrownClustering(100, progress=False).fit(text)
    elif task == "exchange":
        models.ExchangeClustering(100, progress=False).fit(text)
    else:
        models.BayesianHMM(CLUSTERS, sweeps=2, progress=False).fit(text)


def measure(task: str, tokens: int, file: str) -> None:
    """Print one row; run in a process of its own."""
    base = pd.read_pickle(file)
    call(task, resampled(base, SMALL), base)
    text = resampled(base, tokens)
    forget_peak()
    before, start = peak_mebibytes(), process_time()
    call(task, text, base)
    print(json.dumps([task, tokens, round(process_time() - start, 3), round(peak_mebibytes()), round(before)]))


def run(csv: Path, limit: float, sizes: list[int], tasks: list[str]) -> pd.DataFrame:
    """Measure what the table lacks, and store each row as soon as it is there."""
    table = pd.read_csv(csv) if csv.exists() else pd.DataFrame(columns=COLUMNS)
    with tempfile.TemporaryDirectory() as folder:
        file = f"{folder}/base.pickle"
        base_text().to_pickle(file)
        for tokens in sizes:
            for task in tasks:
                done = table[table["task"] == task]
                last = done[done["tokens"] < tokens].tail(1)
                if (done["tokens"] == tokens).any() or (last["seconds"] * tokens / last["tokens"] > limit).any():
                    continue
                command = [sys.executable, "-m", "benchmarks.scaling", "--one", task, str(tokens), file]
                printed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
                table.loc[len(table)] = json.loads(printed.strip().rpartition("\n")[2])
                table = table.sort_values(["task", "tokens"], key=lambda column: column.map(_place), ignore_index=True)
                table.to_csv(csv, index=False, lineterminator="\n")
                print(printed.strip(), flush=True)
    return table


def _place(value: object) -> int:
    return TASKS.index(value) if isinstance(value, str) else int(str(value))


def draw(table: pd.DataFrame, file: Path) -> None:
    """Time and memory against tokens, on logarithmic axes: one marker and one colour a task."""
    from matplotlib.figure import Figure
    from matplotlib.ticker import FixedLocator, LogLocator, NullLocator

    from analysis.figures.style import MARKERS, current_colours, use_style

    with use_style():
        figure = Figure(figsize=(7, 3.4), layout="constrained")
        looks = dict(zip(TASKS, zip(current_colours(), MARKERS, strict=False), strict=False))
        panels = (("seconds", "CPU time of the call (s)"), ("peak_mebibytes", "peak memory of the process (MiB)"))
        for ax, (column, label) in zip(figure.subplots(1, 2), panels, strict=True):
            for task in TASKS:
                rows = table[table["task"] == task]
                ax.plot(rows["tokens"], rows[column], color=looks[task][0], marker=looks[task][1], label=task)
            ax.set(xscale="log", yscale="log", xlabel="tokens (millions)", ylabel=label)
            ax.xaxis.set(major_locator=FixedLocator(SIZES), minor_locator=NullLocator())
            ax.xaxis.set_major_formatter(lambda tokens, _: f"{tokens / 1e6:g}")
            ax.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
            ax.yaxis.set(major_formatter=lambda value, _: f"{value:,g}", minor_locator=NullLocator())
        figure.legend(*ax.get_legend_handles_labels(), loc="outside lower center", ncols=len(TASKS))
        figure.savefig(file, metadata={"Date": None} if file.suffix == ".svg" else None)


def page(table: pd.DataFrame) -> str:
    """The table as Markdown."""
    from benchmarks.__main__ import markdown

    names = {"seconds": "CPU, s", "peak_mebibytes": "peak, MiB", "mebibytes_before": "before, MiB"}
    named = table.rename(columns=names)
    return markdown(named.astype({"peak, MiB": int, "before, MiB": int, "tokens": int}))


def main() -> None:
    """Measure, draw, or write the page's table."""
    from analysis.report.systems import write_between

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--csv", type=Path, help="the table; measured on, unless drawn or written only")
    parser.add_argument("--limit", type=float, default=180, help="CPU seconds")
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES)
    parser.add_argument("--tasks", nargs="+", default=TASKS, choices=TASKS)
    parser.add_argument("--draw", type=Path, metavar="FILE", help="draw the table, measure nothing")
    parser.add_argument("--write", type=Path, metavar="FILE", help="put the table into a page, measure nothing")
    parser.add_argument("--one", nargs=3, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.one:
        measure(arguments.one[0], int(arguments.one[1]), arguments.one[2])
        return
    if not (arguments.draw or arguments.write):
        run(arguments.csv, arguments.limit, arguments.sizes, arguments.tasks)
    if arguments.draw:
        draw(pd.read_csv(arguments.csv), arguments.draw)
    if arguments.write:
        write_between(arguments.write, "scaling", page(pd.read_csv(arguments.csv)))


if __name__ == "__main__":
    main()
