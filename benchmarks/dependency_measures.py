"""Time of the three dependency measures, against udapi's measure and its command, on the same trees.

In memory: udapi's block ``eval.Parsing`` counts the right heads of trees that it holds already, ours counts directed,
undirected and NED of tables that are there already, the comparison of the words included. From files: the ``udapy``
command reads two files and prints its scores; ours reads the same two files and gives the three, once in a session
that is running and once by the command ``yardstick evaluate trees``, which imports for some tenths of a second
whatever the files; so both are timed on a second, larger size too. Resampling: 1,000 resamples of 10,000 sentences.
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

from analysis.corpora.conll import read_conllu, write_conllu
from analysis.dependencies import attachment_scores, paired_bootstrap, score_files
from benchmarks.reading_conllu import generated


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


def write_trees(words: int, folder: Path) -> tuple[Path, Path]:
    """Generated gold trees in a file, and random trees over the same words in another."""
    gold_file, predicted_file = folder / f"gold_{words}.conllu", folder / f"predicted_{words}.conllu"
    gold_file.write_text(generated(words), encoding="utf-8")
    gold = read_conllu(gold_file)
    write_conllu(gold.assign(head=random_heads(gold, 1)), predicted_file)
    return gold_file, predicted_file


def commands(gold_file: Path, predicted_file: Path) -> tuple[list[str], list[str]]:
    """Our command and udapi's, which count the same."""
    ours = [sys.executable, "-m", "analysis", "evaluate", "trees", str(gold_file), str(predicted_file)]
    theirs = [str(Path(sys.executable).parent / "udapy"), "read.Conllu", f"files={gold_file}", "zone=gold"]
    theirs += ["read.Conllu", f"files={predicted_file}", "zone=pred", "eval.Parsing", "gold_zone=gold"]
    return ours, theirs


def main(words: int = 200_000, more_words: int = 1_000_000, repeats: int = 3) -> pd.DataFrame:
    """One row per comparison: seconds of both, and how many times faster ours is."""
    rows: list[tuple] = []
    with tempfile.TemporaryDirectory() as folder:
        files = {size: write_trees(size, Path(folder)) for size in (words, more_words)}
        measure = udapi_trees(*files[words])
        gold, predicted = map(read_conllu, files[words])
        ours = attachment_scores(gold, predicted, punctuation=True)
        if float(ours.directed) != measure():
            raise RuntimeError(f"the two disagree: {float(ours.directed)} and {measure()}")
        other = best_of(5 * repeats, measure)
        for punctuation in (True, False):
            mine = best_of(
                5 * repeats, lambda how=punctuation: attachment_scores(gold, predicted, punctuation=how).directed
            )
            rows.append((f"in memory, punctuation {'kept' if punctuation else 'removed'}", words, mine, other))
        for size, pair in files.items():
            own, other = (
                best_of(repeats, lambda line=command: subprocess.run(line, check=True, capture_output=True))
                for command in commands(*pair)
            )
            session = best_of(repeats, lambda both=pair: score_files(*both, punctuation=True))
            rows += [("files to scores, session", size, session, other), ("files to scores, command", size, own, other)]
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
