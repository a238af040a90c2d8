"""Word types and features a second a sweep of the multinomial mixture (`MultinomialMixture`, the word classes of CGS).

The text is that of the benchmark of word clustering where no corpus is at hand: words of 50 hidden classes by Zipf's
law. A sweep costs K times the different features of all types, so growth is shown with K at one length, and with the
length at K = 45. The number is that of the quickest sweep of some; the log probability, worked out after every sweep,
is counted. Features are those of tokens and types: neighbours and suffixes. Compilation is not counted.
"""

import pandas as pd

from analysis.categories.models import MultinomialMixture
from benchmarks.word_clustering import generated

CLASSES = (12, 45, 90, 180)
TOKENS = (10_000, 100_000, 1_000_000)


def main(classes: tuple = CLASSES, tokens: tuple = TOKENS, sweeps: int = 10) -> pd.DataFrame:
    """A row a K and length: seconds a sweep, thousand types and million features a second."""
    tables = {length: generated(length) for length in tokens}
    MultinomialMixture(2, sweeps=1, progress=False).fit(tables[tokens[0]].head(100))
    rows = []
    for k, length in [(k, tokens[-1]) for k in classes] + [(45, length) for length in tokens[:-1]]:
        model = MultinomialMixture(k, sweeps=sweeps, progress=False).fit(tables[length])
        types, features, seconds = len(model.clusters_), int(model.features_["count"].sum()), model.seconds_.min()
        rows.append((k, length, types, features, types / seconds / 1e3, features / seconds / 1e6, seconds))
    columns = ["K", "tokens", "types", "features", "thousand types/s", "million features/s", "seconds a sweep"]
    result = pd.DataFrame(rows, columns=columns)
    print(result.to_string(index=False))
    return result


if __name__ == "__main__":
    main()
