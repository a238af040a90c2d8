"""Time of the bootstrap of learning curves, against seaborn's own interval on the same curves and resamples."""

import argparse
from time import perf_counter

import numpy as np
import pandas as pd
from seaborn.algorithms import bootstrap

from analysis.inflection import learning_curve


def theirs(runs: pd.DataFrame, resamples: int) -> pd.DataFrame:
    """What seaborn's lineplot computes for each point: percentiles of its bootstrap."""
    rows = []
    for key, values in runs.groupby(["model", "size"], sort=False)["accuracy"]:
        low, high = np.percentile(bootstrap(values.to_numpy(), n_boot=resamples, seed=0), [2.5, 97.5])
        rows.append((*key, low, high))
    return pd.DataFrame(rows, columns=["model", "size", "lower", "upper"])


def main(seeds: int = 50, resamples: int = 2000, repeats: int = 3) -> pd.DataFrame:
    """One row per number of seeds: seconds of both, the ratio, and how far the bounds differ at most (points)."""
    rng = np.random.default_rng(0)
    rows = []
    for count in (5, seeds):
        runs = pd.DataFrame(
            [(model, size, seed) for model in range(24) for size in range(100, 1001, 100) for seed in range(count)],
            columns=["model", "size", "seed"],
        )
        runs["accuracy"] = rng.normal(70, 2, len(runs))
        mine, other = [], []
        for _ in range(repeats):
            start = perf_counter()
            ours = learning_curve(runs, by=["model"], resamples=resamples)
            mine.append(perf_counter() - start)
            start = perf_counter()
            peer = theirs(runs, resamples)
            other.append(perf_counter() - start)
        apart = np.abs(ours[["lower", "upper"]].to_numpy() - peer[["lower", "upper"]].to_numpy()).max()
        rows.append((count, len(peer), min(mine), min(other), min(other) / min(mine), apart))
    columns = ["seeds", "points", "seconds", "seaborn seconds", "ratio", "bounds differ by at most"]
    table = pd.DataFrame(rows, columns=columns)
    print(table.to_string(index=False))
    return table


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=50)
    main(parser.parse_args().seeds)
