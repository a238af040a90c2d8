"""Tokens a second a sweep of the systems of Reichart et al. (2010) that go over a text again and again.

GJ08 is the collapsed bigram HMM with fixed priors and the same model by variational Bayes; GVG09(1) is the infinite
HMM by beam sampling, K the tags that it begins with. The text is that of the benchmark of the Bayesian HMM. Growth is
shown with the number of tags K at one length, and with the length at K = 45. A sampler's number is that of its
quickest sweep after some others, when most tags stay as they are; the first sweep, in which nearly every tag changes,
is given as well. Compilation is not counted.
"""

import pandas as pd

from analysis.categories.models import BayesianHMM, InfiniteHMM, VariationalHMM
from benchmarks.bayesian_hmm import generated

TAGS = (10, 20, 45, 90)
TOKENS = (10_000, 100_000, 1_000_000)
FIXED = {"transition_prior": 0.1, "emission_prior": 0.1, "progress": False}


def seconds_of_sweeps(system: str, table: pd.DataFrame, k: int, sweeps: int) -> list[float]:
    """Seconds of each of so many sweeps or passes."""
    if system == "GVG09(1)":
        return list(InfiniteHMM(initial_clusters=k, sweeps=sweeps, progress=False).fit(table).seconds_)
    if system == "GJ08, VB":
        return list(VariationalHMM(k, iterations=sweeps, tolerance=0, **FIXED).fit(table).seconds_)
    return list(BayesianHMM(k, "bigram", sweeps=sweeps, resample_priors=False, **FIXED).fit(table).seconds_)


def main(
    tags: tuple = TAGS, tokens: tuple = TOKENS, sweeps: int = 60, passes: int = 4, beam_sweeps: int = 6
) -> pd.DataFrame:
    """A row a system, K and length: million tokens a second of the first sweep and of the quickest."""
    tables = {length: generated(length) for length in tokens}
    cases = [(k, tokens[-1]) for k in tags] + [(45, length) for length in tokens[:-1]]
    rows = []
    for system, repeated in (("GJ08, Gibbs", sweeps), ("GJ08, VB", passes), ("GVG09(1)", beam_sweeps)):
        seconds_of_sweeps(system, tables[tokens[0]].head(100), 2, 1)
        for k, length in cases:
            table = tables[length]
            found = seconds_of_sweeps(system, table, k, repeated)
            million = len(table) / 1e6
            rows.append((system, k, len(table), million / found[0], million / min(found), min(found)))
    columns = [
        "system",
        "K",
        "tokens",
        "first sweep, million tokens/s",
        "quickest, million tokens/s",
        "seconds a sweep",
    ]
    result = pd.DataFrame(rows, columns=columns)
    print(result.to_string(index=False))
    return result


if __name__ == "__main__":
    main()
