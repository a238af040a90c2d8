"""The DMV on ever more sentences of the built-in language, read block by block: is a sentence always as cheap?

The language is drawn again in every pass: one for the harmonic initialiser, one for the iteration of EM, both on
sentences of at most ten words by fine tag. Each row is a process of its own, so that the most memory that it held is
its own. Sentences of a block that are equal are worked out once; blocks are not compared with each other.
"""

import argparse
import json
import subprocess
import sys
from time import perf_counter

import pandas as pd

from analysis.corpora.language import generate_blocks
from analysis.dependencies.models.dmv import DMV
from benchmarks._memory import peak_mebibytes

SIZES = (10_000, 100_000, 1_000_000, 10_000_000)
DRAWN = 1_000_000  # no more are drawn a third time, only to see how long that takes


def drawing(sentences: int) -> float:
    """Seconds to draw the sentences once."""
    start = perf_counter()
    for _ in generate_blocks(sentences, random_state=1):
        pass
    return perf_counter() - start


def fitting(sentences: int, iterations: int = 1) -> dict[str, float]:
    """One fit in this process: sentences, seconds, and the most mebibytes held before and in the end."""
    DMV(iterations=1).fit(lambda: (block.tokens for block in generate_blocks(3_000, random_state=0)))  # compiles
    before = peak_mebibytes()
    start = perf_counter()
    model = DMV(iterations=iterations).fit(
        lambda: (block.tokens for block in generate_blocks(sentences, random_state=1))
    )
    seconds = perf_counter() - start
    return {
        "sentences": sentences,
        "trained on": model.n_sentences_,
        "passes": iterations + 1,
        "seconds": seconds,
        "of these drawing": drawing(sentences) * (iterations + 1) if sentences <= DRAWN else None,
        "sentences a second and pass": sentences * (iterations + 1) / seconds,
        "peak memory, MiB": peak_mebibytes(),
        "before training, MiB": before,
    }


def main(sizes: tuple[int, ...] = SIZES) -> pd.DataFrame:
    """One row per number of sentences; the ratio is of microseconds a sentence to those of the first row."""
    rows = []
    for size in sizes:
        command = [sys.executable, "-m", "benchmarks.dmv_streaming", "--one", str(size)]
        done = subprocess.run(command, stdout=subprocess.PIPE, check=True, encoding="utf-8")
        rows.append(json.loads(done.stdout))
    table = pd.DataFrame(rows)
    cost = table["seconds"] / table["sentences"]
    table["ratio of cost"] = cost / cost[0]
    print(table.to_string(index=False, float_format="%.6g"))
    return table


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--one", type=int, metavar="N", help="fit once on so many sentences and print it as JSON")
    parser.add_argument("--sizes", type=int, nargs="+", metavar="N", default=SIZES, help="rows; the last takes minutes")
    arguments = parser.parse_args()
    if arguments.one:
        print(json.dumps(fitting(arguments.one)))
    else:
        main(tuple(arguments.sizes))
