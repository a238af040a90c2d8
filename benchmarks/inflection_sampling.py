"""Time of a weighted sample of a million lemmas, against NumPy's own weighted choice without replacement."""

import argparse
from time import perf_counter

import numpy as np
import pandas as pd

from analysis.inflection import sample


def main(items: int = 1_000_000, repeats: int = 3, random_state: int = 0) -> pd.DataFrame:
    """One row per strategy: seconds for training, development and test sets, and for NumPy's training set alone."""
    rng = np.random.default_rng(random_state)
    lemmas = pd.Series(np.char.add("w", np.arange(items).astype(str)), dtype="str")
    pool = pd.DataFrame({"lemma": lemmas, "form": lemmas + "s", "frequency": np.ceil(rng.pareto(1.0, items))})
    rows = []
    for strategy in ("UNIFORM", "WEIGHTED"):
        mine, other = [], []
        weights = pool["frequency"].to_numpy()
        shares = weights / weights.sum() if strategy == "WEIGHTED" else None
        for seed in range(repeats):
            start = perf_counter()
            drawn = sample(pool, strategy, random_state=seed)
            mine.append(perf_counter() - start)
            assert len(drawn.ordered) + len(drawn.dev) + len(drawn.test) == items
            start = perf_counter()
            pool.take(np.random.default_rng(seed).choice(items, 1000, replace=False, p=shares))
            other.append(perf_counter() - start)
        rows.append((strategy, items, min(mine), min(other), min(other) / min(mine)))
    table = pd.DataFrame(rows, columns=["strategy", "items", "seconds", "NumPy seconds (training only)", "ratio"])
    print(table.to_string(index=False))
    return table


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--items", type=int, default=1_000_000)
    main(parser.parse_args().items)
