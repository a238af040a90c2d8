"""Tokens a second a sweep of the samplers of two systems of the challenge of Gelling et al. (2012).

BC is the Pitman-Yor HMM, whose sweep draws one tag for each word type, with expected and with simulated tables and
fixed parameters; C is the topic model of Chrupała's first stage, two neighbours a token, K its topics. Beside C stands
scikit-learn's LatentDirichletAllocation, a different algorithm for the same model: a fit of one pass of batch
variational Bayes over the same counts, the bound that it ends with included. The text is that of the benchmark of the
Bayesian HMM. A sampler's number is that of its second sweep. Compilation is not counted.
"""

from time import perf_counter

import numpy as np
import pandas as pd
from scipy.sparse import coo_array

from analysis.categories.codes import sentence_starts
from analysis.categories.models import ChrupalaClustering, PitmanYorHMM
from analysis.categories.models.chrupala_clustering import neighbours
from analysis.structures import encode_labels
from benchmarks.bayesian_hmm import generated

CASES = ((1_000_000, 10), (1_000_000, 20), (1_000_000, 45), (100_000, 45))
SYSTEMS = ("BC, expected tables", "BC, simulated tables", "C, topics", "scikit-learn, topics")


def seconds_of_a_sweep(system: str, table: pd.DataFrame, k: int) -> float:
    """Seconds of the second sweep, or of scikit-learn's first pass."""
    if system == "scikit-learn, topics":
        return seconds_of_scikit_learn(table, k)
    if system == "C, topics":
        # few leaves: the tree is not a part of what is measured
        least = int(table["form"].value_counts().iloc[20])
        topics = ChrupalaClustering(n_clusters=1, n_topics=k, sweeps=2, min_count=least, progress=False)
        return float(topics.fit(table).seconds_[1])
    model = PitmanYorHMM(k, sweeps=2, tables=system.split()[1], resample=False, progress=False)
    return float(model.fit(table).seconds_[1])


def seconds_of_scikit_learn(table: pd.DataFrame, topics: int) -> float:
    """A fit of one pass of batch variational Bayes over the counts of types and neighbours."""
    from sklearn.decomposition import LatentDirichletAllocation

    codes, names = encode_labels(table["form"], "form")
    documents, features = neighbours(codes, sentence_starts(table), len(names), "symbol")
    counts = coo_array((np.ones(len(documents)), (documents, features))).tocsr()
    alpha = min(10 / topics, 1.0)  # scikit-learn takes none above 1
    model = LatentDirichletAllocation(
        topics, doc_topic_prior=alpha, topic_word_prior=0.1, learning_method="batch", max_iter=1, random_state=0
    )
    start = perf_counter()
    model.fit(counts)
    return perf_counter() - start


def main(cases: tuple = CASES) -> pd.DataFrame:
    """A row a system, length and K: seconds a sweep, thousand tokens a second, million tokens x K a second."""
    tables = {length: generated(length) for length in {length for length, _ in cases}}
    warm = generated(1_000)
    rows = []
    for system in SYSTEMS:
        seconds_of_a_sweep(system, warm, 2)
        for length, k in cases:
            table = tables[length]
            seconds = seconds_of_a_sweep(system, table, k)
            rows.append((system, k, len(table), seconds, len(table) / seconds / 1e3, len(table) * k / seconds / 1e6))
    columns = ["system", "K", "tokens", "seconds a sweep", "thousand tokens/s", "million tokens x K/s"]
    result = pd.DataFrame(rows, columns=columns)
    print(result.to_string(index=False))
    return result


if __name__ == "__main__":
    main()
