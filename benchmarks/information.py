"""Time of all token-level measures from one table, against scikit-learn's two nearest functions on the same arrays."""

import argparse
from collections.abc import Callable
from time import perf_counter

import numpy as np
import pandas as pd
from sklearn.metrics import homogeneity_completeness_v_measure
from sklearn.metrics.cluster import pair_confusion_matrix

from analysis.categories.information import token_level_scores

CLASSES, CLUSTERS = 45, 500


def theirs(gold, predicted):
    """Scikit-learn's two functions that need the same counts."""
    return homogeneity_completeness_v_measure(gold, predicted), pair_confusion_matrix(gold, predicted)


def best_of(repeats: int, function: Callable, *arguments) -> float:
    """Least time of several runs, in seconds."""
    times = []
    for _ in range(repeats):
        start = perf_counter()
        function(*arguments)
        times.append(perf_counter() - start)
    return min(times)


def main(tokens: int = 10_000_000, strings: int = 1_000_000, repeats: int = 3, random_state: int = 0) -> pd.DataFrame:
    """One row per kind of labels: seconds of both, and how many times faster ours is."""
    rng = np.random.default_rng(random_state)
    codes = rng.integers(0, CLASSES, tokens), rng.integers(0, CLUSTERS, tokens)
    names = np.array([f"label {number}" for number in range(CLUSTERS)])
    words = names[codes[0][:strings]], names[codes[1][:strings]]
    other = {"codes": best_of(1, theirs, *codes), "strings": best_of(1, theirs, *words)}
    rows = []
    for labels, peer, pair in (
        ("codes", "codes", codes),
        ("codes, 16 bits", "codes", tuple(side.astype(np.int16) for side in codes)),
        ("strings, array", "strings", words),
        ("strings, column", "strings", tuple(pd.Series(side) for side in words)),
    ):
        mine = best_of(repeats, token_level_scores, *pair)
        rows.append((labels, len(pair[0]), mine, other[peer], other[peer] / mine))
    table = pd.DataFrame(rows, columns=["labels", "tokens", "seconds", "scikit-learn seconds", "ratio"])
    print(table.to_string(index=False))
    return table


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tokens", type=int, default=10_000_000)
    main(parser.parse_args().tokens)
