"""Tokens a second of the Bayesian HMM, by order and number of clusters, beside a plain sampler in numba.

The text is generated: utterances of 4.3 words on average, 11,000 types under Zipf's law, words and their order from
a hidden Markov model of 20 classes. The plain sampler is the textbook's: from left to right take the counts of a
token away, weigh each tag, draw, put the counts back. Both go on from the same tags, those after some sweeps, when
most tags stay as they are; the first sweep, in which nearly every tag changes, is given as well. Compilation is not
counted. Memory is the largest that a fit holds beyond the tokens table.
"""

import tracemalloc
from time import perf_counter

import numpy as np
import pandas as pd
from numba import njit

from analysis.categories.models.bayesian_hmm import BayesianHMM

CASES = (("trigram", 12), ("trigram", 45), ("trigram", 53), ("trigram", 80),
         ("bigram", 12), ("bigram", 45), ("bigram", 53), ("bigram", 80))  # fmt: skip
TYPES, CLASSES = 11_000, 20


def generated(tokens: int, random_state: int = 0) -> pd.DataFrame:
    """A tokens table of about so many words, whose classes follow one another by fixed probabilities."""
    rng = np.random.default_rng(random_state)
    lengths = rng.geometric(1 / 4.3, int(tokens / 4.3))
    steps = rng.dirichlet(np.full(CLASSES, 0.2), CLASSES).cumsum(axis=1)
    classes = np.zeros((lengths.max(), len(lengths)), np.int64)
    classes[0] = rng.integers(0, CLASSES, len(lengths))
    for position in range(1, len(classes)):
        chance = rng.random(len(lengths))[:, None]
        classes[position] = np.minimum((steps[classes[position - 1]] < chance).sum(axis=1), CLASSES - 1)
    drawn = np.concatenate([classes[:length, i] for i, length in enumerate(lengths)])
    weight = 1 / np.arange(1, TYPES // CLASSES + 1) ** 1.1
    words = CLASSES * rng.choice(len(weight), len(drawn), p=weight / weight.sum()) + drawn
    forms = pd.Categorical.from_codes(words, [f"word{number}" for number in range(TYPES)])
    return pd.DataFrame({"sentence": np.repeat(np.arange(len(lengths)), lengths), "form": forms})


@njit
def plain_trigram_sweep(tags, places, words, n3, n2, emission, tokens, alpha, beta):
    """Draw every tag once; ``n3``, ``n2`` and ``emission`` are plain tables of counts."""
    K, W = emission.shape[1], emission.shape[0]
    M = K + 1
    weights = np.empty(K)
    for j in range(len(places)):
        i, w = places[j], words[j]
        p, q, k, r, s = tags[i - 2], tags[i - 1], tags[i], tags[i + 1], tags[i + 2]
        for change in (-1, 1):
            if change == 1:
                total = 0.0
                for k in range(K):
                    weight = (emission[w, k] + beta) / (tokens[k] + W * beta) * (n3[p, q, k] + alpha)
                    same = p == q and q == k
                    weight *= (n3[q, k, r] + (same and k == r) + alpha) / (n2[q, k] + same + M * alpha)
                    if r != K:
                        around = p == k and q == r
                        level = q == k and k == r
                        weight *= n3[k, r, s] + (around and k == s) + (level and r == s) + alpha
                        weight /= n2[k, r] + around + level + M * alpha
                    total += weight
                    weights[k] = total
                chance = np.random.random() * total  # noqa: NPY002  (numba's own)
                k = 0
                while k < K - 1 and weights[k] <= chance:
                    k += 1
                tags[i] = k
            emission[w, k] += change
            tokens[k] += change
            n2[p, q] += change
            n2[q, k] += change
            n3[p, q, k] += change
            n3[q, k, r] += change
            if r != K:
                n2[k, r] += change
                n3[k, r, s] += change


@njit
def plain_bigram_sweep(tags, places, words, n2, n1, emission, tokens, alpha, beta):
    """Draw every tag once; ``n1`` counts contexts."""
    K, W = emission.shape[1], emission.shape[0]
    M = K + 1
    weights = np.empty(K)
    for j in range(len(places)):
        i, w = places[j], words[j]
        q, k, r = tags[i - 1], tags[i], tags[i + 1]
        for change in (-1, 1):
            if change == 1:
                total = 0.0
                for k in range(K):
                    weight = (emission[w, k] + beta) / (tokens[k] + W * beta) * (n2[q, k] + alpha)
                    total += weight * (n2[k, r] + (q == k and k == r) + alpha) / (n1[k] + (q == k) + M * alpha)
                    weights[k] = total
                chance = np.random.random() * total  # noqa: NPY002  (numba's own)
                k = 0
                while k < K - 1 and weights[k] <= chance:
                    k += 1
                tags[i] = k
            emission[w, k] += change
            tokens[k] += change
            n1[q] += change
            n1[k] += change
            n2[q, k] += change
            n2[k, r] += change


def plain_seconds(state: dict, order: str, K: int, sweeps: int) -> float:
    """Seconds of the quickest of so many plain sweeps from the tags of a state."""
    words, lengths = state["words"].astype(np.int64), state["lengths"]
    places = np.arange(len(words)) + 2 * np.repeat(np.arange(1, len(lengths) + 1), lengths)
    tags = np.full(len(words) + 2 * len(lengths) + 2, K)
    tags[places] = state["tags"]
    emission = np.zeros((words.max() + 1, K), np.int64)
    np.add.at(emission, (words, tags[places]), 1)
    M = K + 1
    size = 3 if order == "trigram" else 2
    events, contexts = np.zeros((M,) * size, np.int64), np.zeros((M,) * (size - 1), np.int64)
    after = np.concatenate([places, 2 * np.arange(1, len(lengths) + 1) + np.cumsum(lengths)])  # and the ends
    history = tuple(tags[after - back] for back in range(size - 1, -1, -1))
    np.add.at(events, history, 1)
    np.add.at(contexts, history[:-1], 1)
    tokens = emission.sum(axis=0)
    sweep = plain_trigram_sweep if order == "trigram" else plain_bigram_sweep
    priors = state["transition_prior"][-1], state["emission_prior"][-1]
    sweep(tags, places[:1], words[:1], events, contexts, emission, tokens, *priors)
    times = []
    for _ in range(sweeps):
        start = perf_counter()
        sweep(tags, places, words, events, contexts, emission, tokens, *priors)
        times.append(perf_counter() - start)
    assert events.min() >= 0 and contexts.sum() == len(after)
    return min(times)


def main(tokens: int = 1_000_000, burn_in: int = 50, sweeps: int = 6, cases: tuple = CASES) -> pd.DataFrame:
    """A row an order and K: million tokens a second of first and later sweeps, the plain sampler's, the ratio."""
    table = generated(tokens)
    BayesianHMM(2, sweeps=1, progress=False).fit(table.head(100))
    rows = []
    for order, K in cases:
        tracemalloc.start()
        BayesianHMM(K, order, sweeps=0, progress=False).fit(table)
        memory = tracemalloc.get_traced_memory()[1] / 1e6
        tracemalloc.stop()
        chain = BayesianHMM(K, order, sweeps=1, progress=False).fit(table)
        first = chain.seconds_[0]
        chain = BayesianHMM(K, order, sweeps=burn_in, progress=False).fit(table, resume=chain)
        ours = BayesianHMM(K, order, sweeps=burn_in + sweeps, progress=False).fit(table, resume=chain)
        plain = plain_seconds(chain.state(), order, K, max(sweeps // 2, 1))
        later = ours.seconds_[burn_in:].min()
        million = len(table) / 1e6
        changed = chain.changed_[-1] / len(table)
        rows.append((order, K, million / first, million / later, changed, million / plain, plain / later, memory))
    columns = ["order", "K", "first sweep, million tokens/s", "later, million tokens/s", "share of tags changed",
               "plain numba, million tokens/s", "ratio to plain", "memory, MB"]  # fmt: skip
    result = pd.DataFrame(rows, columns=columns)
    print(result.to_string(index=False))
    return result


if __name__ == "__main__":
    main()
