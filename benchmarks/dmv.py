"""Time of the E-step of the DMV: inside-outside over all sentences once, and how it grows with their length.

The sentences are those of the gold files of UD English-CHILDES with at most ten words, punctuation counted and kept, by
universal tag, if the corpus is at hand; otherwise as many are generated, of the same lengths. Equal sequences are
worked out once, which is what training does; a row says how long it takes without that.
"""

import argparse
from collections.abc import Callable
from time import perf_counter

import numpy as np
import pandas as pd

from analysis.dependencies.models.dmv import DMV
from analysis.dependencies.models.sequences import distinct_sequences, encode_sequences

SENTENCES, TAGS = 33_591, 16
LENGTHS = np.array([2600, 3300, 4800, 5200, 4800, 4100, 3200, 2500, 1800, 1291])  # of 1 to 10 words, generated only


def best_of(repeats: int, function: Callable, *arguments) -> float:
    """Least time of several runs, in seconds."""
    times = []
    for _ in range(repeats):
        start = perf_counter()
        function(*arguments)
        times.append(perf_counter() - start)
    return min(times)


def childes() -> tuple[str, np.ndarray, np.ndarray]:
    """Where the sentences are from, their tags as codes, and their starts."""
    from analysis.corpora import NotAtHandError
    from analysis.corpora.treebanks import read_treebank, treebank_parts

    try:
        parts = [part for part in treebank_parts("ud-english-childes") if "_" in part]
        tables = [read_treebank("ud-english-childes", part).tokens for part in parts]
    except NotAtHandError:
        rng = np.random.default_rng(0)
        starts = np.append(0, np.cumsum(np.repeat(np.arange(1, 11), LENGTHS)))
        return "generated", rng.zipf(1.5, int(starts[-1])) % TAGS, starts.astype(np.int64)
    tags = [
        tuple(group)
        for table in tables
        for _, group in table["universal"].astype("str").groupby(table["sentence"])
        if len(group) <= 10
    ]
    coded = encode_sequences(tags, "", "keep")
    return "CHILDES", coded.words, coded.starts


def fitted(words: np.ndarray, starts: np.ndarray, n_jobs: int) -> DMV:
    """A model with the initial parameters for these sentences."""
    sentences = [part.tolist() for part in np.split(words, starts[1:-1])]
    return DMV(iterations=0, max_length=None, n_jobs=n_jobs).fit(sentences)


def main(repeats: int = 15) -> pd.DataFrame:
    """One row per measurement: sentences, of how many different sequences, seconds, sentences a second."""
    source, words, starts = childes()
    n = len(starts) - 1
    rows = []
    for n_jobs in (1, 2):
        model = fitted(words, starts, n_jobs)
        place = model.tags_.get_indexer(pd.Index(np.arange(words.max() + 1)))
        codes = place[words].astype(np.int64)
        by_length = np.argsort(np.diff(starts), kind="stable")
        parts = np.split(codes, starts[1:-1])
        for how, (flat, begin, weights) in (
            ("equal sequences once", distinct_sequences(codes, starts, None)),
            (
                "each sentence by itself",
                (
                    np.concatenate([parts[s] for s in by_length]),
                    np.append(0, np.cumsum(np.diff(starts)[by_length])).astype(np.int64),
                    np.ones(n),
                ),
            ),
        ):
            seconds = best_of(repeats, model._expectation, flat, begin, weights, model._parameters, 0.0)
            rows.append((f"E-step, {source}, {how}", n_jobs, n, len(weights), seconds, n / seconds))
    rng = np.random.default_rng(1)
    for length in (5, 10, 20, 40, 80):
        number = 4_000_000 // length**3 + 10
        flat = rng.integers(0, TAGS, number * length)
        model = fitted(flat, np.arange(0, (number + 1) * length, length, dtype=np.int64), 1)
        codes = model.tags_.get_indexer(pd.Index(flat)).astype(np.int64)
        begin = np.arange(0, (number + 1) * length, length, dtype=np.int64)
        seconds = best_of(repeats, model._expectation, codes, begin, np.ones(number), model._parameters, 0.0)
        rows.append((f"E-step, {length} words each", 1, number, number, seconds, number / seconds))
    table = pd.DataFrame(rows, columns=["task", "threads", "sentences", "different", "seconds", "sentences a second"])
    print(table.to_string(index=False, float_format="%.6g"))
    return table


if __name__ == "__main__":
    argparse.ArgumentParser(description=__doc__).parse_args()
    main()
