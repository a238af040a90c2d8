"""Time of the three dependency measures, against udapi's measure and its command, on the same trees.

In memory: udapi's block ``eval.Parsing`` counts the right heads of trees that it holds already, ours counts directed,
undirected and NED of tables that are there already, the comparison of the words included. From files: the ``udapy``
command reads two files and prints its scores; ours reads the same two files and gives the three, once in a session
that is running and once in a new Python process, most of whose time goes into imports. Resampling: 1,000 resamples of
10,000 sentences.
"""

import argparse
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from time import perf_counter

import numpy as np
import pandas as pd

from analysis.corpora.conll import to_conllu
from analysis.dependencies import attachment_scores, paired_bootstrap, score_files
from benchmarks.reading_conllu import generated

_OURS = """
import sys
from analysis.dependencies import score_files
print(score_files(sys.argv[1], sys.argv[2], punctuation="keep").scores)
"""


def best_of(repeats: int, function: Callable, *arguments) -> float:
    """Least time of several runs, in seconds."""
    times = []
    for _ in range(repeats):
        start = perf_counter()
        function(*arguments)
        times.append(perf_counter() - start)
    return min(times)


def random_heads(tokens: pd.DataFrame, random_state: int) -> np.ndarray:
    """A head among the words before it for each word: trees, so that udapi can hold them."""
    rng = np.random.default_rng(random_state)
    position = tokens["position"].to_numpy()
    return np.where(position == 1, 0, rng.integers(1, np.maximum(position, 2)))


def udapi_trees(gold: Path, predicted: Path):
    """A document with both zones, and the block that compares them."""
    from udapi.block.eval.parsing import Parsing
    from udapi.block.read.conllu import Conllu
    from udapi.core.document import Document

    document = Document()
    for path, zone in ((gold, "gold"), (predicted, "pred")):
        Conllu(files=[str(path)], zone=zone).process_document(document)
    trees = [bundle.get_tree("pred") for bundle in document.bundles]

    def measure() -> float:
        block = Parsing(gold_zone="gold")
        for tree in trees:
            block.process_tree(tree)
        return block.correct_uas / block.total

    return measure


def main(words: int = 200_000, repeats: int = 3) -> pd.DataFrame:
    """One row a comparison: seconds of both, and how many times faster ours is."""
    from analysis.corpora.conll import read_conllu

    rows = []
    with tempfile.TemporaryDirectory() as folder:
        gold_file, predicted_file = Path(folder) / "gold.conllu", Path(folder) / "predicted.conllu"
        gold_file.write_text(generated(words), encoding="utf-8")
        gold = read_conllu(gold_file)
        to_conllu(gold.assign(head=random_heads(gold, 1)), predicted_file)
        predicted = read_conllu(predicted_file)

        measure = udapi_trees(gold_file, predicted_file)
        ours = attachment_scores(gold, predicted, punctuation="keep")  # loads the kernels
        if float(ours.directed) != measure():
            raise RuntimeError(f"the two disagree: {float(ours.directed)} and {measure()}")
        for punctuation in ("keep", "remove"):
            mine = best_of(
                repeats, lambda how=punctuation: attachment_scores(gold, predicted, punctuation=how).directed
            )
            rows.append((f"in memory, punctuation {punctuation}", words, mine, best_of(repeats, measure)))

        command = [sys.executable, "-c", _OURS, str(gold_file), str(predicted_file)]
        udapy = ["udapy", "read.Conllu", f"files={gold_file}", "zone=gold"]
        udapy = [str(Path(sys.executable).parent / udapy[0]), *udapy[1:]]
        udapy += ["read.Conllu", f"files={predicted_file}", "zone=pred", "eval.Parsing", "gold_zone=gold"]
        other = best_of(repeats, lambda: subprocess.run(udapy, check=True, capture_output=True))
        mine = best_of(repeats, lambda: score_files(gold_file, predicted_file, punctuation="keep"))
        rows.append(("files to scores, session", words, mine, other))
        mine = best_of(repeats, lambda: subprocess.run(command, check=True, capture_output=True))
        rows.append(("files to scores, process", words, mine, other))
    rng = np.random.default_rng(0)
    counts = [
        pd.DataFrame({"sentence": range(10_000), "scored": 20, "directed": rng.binomial(20, share, 10_000)})
        for share in (0.5, 0.51)
    ]
    rows.append(("1,000 resamples of 10,000 sentences", 10_000, best_of(repeats, paired_bootstrap, *counts), None))
    table = pd.DataFrame(rows, columns=["task", "size", "seconds", "udapi seconds"])
    table["ratio"] = table["udapi seconds"] / table["seconds"]
    print(table.to_string(index=False))
    return table


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--words", type=int, default=200_000)
    main(parser.parse_args().words)
