"""Time of many-to-one and pairwise precision and recall, against scikit-learn's nearest measures on the same arrays.

And of the paired bootstrap: 1,000 resamples of 10,000 sentences for the difference of two clusterings, which has no
peer.
"""

import argparse
from collections.abc import Callable
from time import perf_counter

import numpy as np
import pandas as pd
from sklearn.metrics import homogeneity_completeness_v_measure
from sklearn.metrics.cluster import pair_confusion_matrix

from analysis.categories import contingency, many_to_one, pairwise_precision_recall, scored_tokens
from analysis.statistics.differences import compare_scored

CLASSES, CLUSTERS = 45, 500


def ours(gold, predicted):
    """Both measures from one table."""
    table = contingency(gold, predicted)
    return many_to_one(table), pairwise_precision_recall(table)


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


def compared(gold, pair, sentences, measures):
    """Score two clusterings, with intervals and tests."""
    return compare_scored({str(k): scored_tokens(gold, side, sentences, measures) for k, side in enumerate(pair)})


def main(tokens: int = 1_000_000, repeats: int = 3, random_state: int = 0) -> pd.DataFrame:
    """One row per kind of labels: seconds of both, and how many times faster ours is."""
    rng = np.random.default_rng(random_state)
    codes = rng.integers(0, CLASSES, tokens), rng.integers(0, CLUSTERS, tokens)
    names = np.array([f"label {number}" for number in range(CLUSTERS)])
    strings = names[codes[0]], names[codes[1]]
    peer = {"codes": codes, "strings": strings}
    rows = []
    for labels, kind, pair in (
        ("codes", "codes", codes),
        ("strings, array", "strings", strings),
        ("strings, column", "strings", tuple(pd.Series(side) for side in strings)),
        ("categories", "strings", tuple(pd.Categorical(side) for side in strings)),
    ):
        mine, other = best_of(repeats, ours, *pair), best_of(repeats, theirs, *peer[kind])
        rows.append((labels, tokens, mine, other, other / mine))
    sentences = np.repeat(np.arange(10_000), 20)
    gold = rng.integers(0, CLASSES, len(sentences))
    pair = [np.where(rng.random(len(gold)) < share, gold, rng.integers(0, CLASSES, len(gold))) for share in (0.6, 0.5)]
    for measure in ("many-to-one", "one-to-one", "V", "all"):
        seconds = best_of(repeats, compared, gold, pair, sentences, None if measure == "all" else [measure])
        rows.append((f"two systems of 10,000 sentences, intervals and p, {measure}", len(gold), seconds, None, None))
    table = pd.DataFrame(rows, columns=["labels", "tokens", "seconds", "scikit-learn seconds", "ratio"])
    print(table.to_string(index=False))
    return table


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tokens", type=int, default=1_000_000)
    main(parser.parse_args().tokens)
