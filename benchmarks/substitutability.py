"""Time and memory of substitutable precision and recall as the test corpus grows; text and clusters are generated.

Words follow Zipf's law, a word has one of two clusters, a sentence has five words. Growth is the time (memory) for
twice the tokens over that before: 2 is linear. The first call, which may compile, is not counted.
"""

import tracemalloc
from time import perf_counter

import numpy as np
import pandas as pd

from analysis.categories import prepare_words, substitutable_precision_recall

WORDS, CLUSTERS, TRAINING = 12_000, 80, 1_500_000


def generated(tokens: int, random_state: int) -> pd.DataFrame:
    """A tokens table of random words."""
    rng = np.random.default_rng(random_state)
    weight = 1 / np.arange(1, WORDS + 1) ** 1.1
    words = rng.choice(WORDS, tokens, p=weight / weight.sum())
    return pd.DataFrame(
        {
            "sentence": np.arange(tokens) // 5,
            "form": pd.Categorical.from_codes(words, [f"word{number}" for number in range(WORDS)]),
            "cluster": (7919 * words + rng.integers(0, 2, tokens)) % CLUSTERS,
        }
    )


def main(sizes: tuple[int, ...] = (500_000, 1_000_000, 2_000_000, 4_000_000), repeats: int = 3) -> pd.DataFrame:
    """One row per size of the test corpus: seconds in all, seconds with prepared words, largest memory in MB."""
    train = generated(TRAINING, random_state=0)
    substitutable_precision_recall(train, generated(1000, random_state=1))
    rows: list[tuple] = []
    for tokens in sizes:
        test = generated(tokens, random_state=2)
        words = prepare_words(train, test)
        times: dict[str, list[float]] = {"whole": [], "prepared": []}
        for _ in range(repeats):
            for kind, prepared in (("whole", None), ("prepared", words)):
                start = perf_counter()
                result = substitutable_precision_recall(train, test, prepared=prepared)
                times[kind].append(perf_counter() - start)
        tracemalloc.start()
        substitutable_precision_recall(train, test)
        memory = tracemalloc.get_traced_memory()[1] / 1e6
        tracemalloc.stop()
        whole = min(times["whole"])
        growth = (whole / rows[-1][2], memory / rows[-1][4]) if rows else (None, None)
        rows.append((tokens, result.parts["frames"], whole, min(times["prepared"]), memory, *growth))
    columns = ["test tokens", "frames", "seconds", "seconds, prepared", "memory, MB", "growth of time", "of memory"]
    table = pd.DataFrame(rows, columns=columns)
    print(table.to_string(index=False))
    return table


if __name__ == "__main__":
    main()
