"""Brown, exchange and Clark clustering of the Brown corpus, and Brown clustering beside the package brown-clustering.

The package gets the first words of the corpus only: it takes a time that grows with the square of the types. Both
compile before the clock starts; the package uses all cores, ours one. Where the corpus is not at hand the text is
generated, which the table says.
"""

import argparse
import contextlib
import io
import zipfile
from time import perf_counter

import numpy as np
import pandas as pd

from analysis.categories.models.brown_clustering import BrownClustering
from analysis.categories.models.clark_clustering import CLARK_ASSIGNED, ClarkClustering
from analysis.categories.models.exchange_clustering import ExchangeClustering
from analysis.corpora import NotAtHandError, locate


def brown_corpus() -> pd.DataFrame:
    """The tokens table of the Brown corpus, ``sentence`` and ``form``."""
    sentences, forms = [], []
    with zipfile.ZipFile(locate("nltk-brown")[0]) as archive:
        for name in sorted(archive.namelist()):
            if not name.rpartition("/")[2].startswith("c") or name.endswith((".txt", "/")):
                continue
            for line in archive.read(name).decode("utf-8").split("\n"):
                words = [token.rpartition("/")[0] for token in line.split()]
                if words:
                    sentences.append(len(words))
                    forms += words
    return pd.DataFrame({"sentence": np.repeat(np.arange(len(sentences)), sentences), "form": pd.Categorical(forms)})


def generated(tokens: int = 1_160_000, types: int = 56_000, random_state: int = 0) -> pd.DataFrame:
    """A text of about as many words and types, from a hidden Markov model of 50 classes."""
    rng = np.random.default_rng(random_state)
    steps = rng.dirichlet(np.full(50, 0.2), 50).cumsum(axis=1)
    classes = np.zeros((20, tokens // 20), dtype=np.int64)
    classes[0] = rng.integers(0, 50, tokens // 20)
    for position in range(1, 20):
        chance = rng.random(tokens // 20)[:, None]
        classes[position] = np.minimum((steps[classes[position - 1]] < chance).sum(axis=1), 49)
    weight = 1 / np.arange(1, types // 50 + 1)
    words = 50 * rng.choice(len(weight), tokens, p=weight / weight.sum()) + classes.T.ravel()
    return pd.DataFrame({"sentence": np.repeat(np.arange(tokens // 20), 20), "form": np.char.mod("word%d", words)})


def package(tokens: pd.DataFrame, n_clusters: int) -> float:
    """Seconds that brown-clustering takes."""
    import brown_clustering

    text = [sentence["form"].astype(str).tolist() for _, sentence in tokens.groupby("sentence")]
    with contextlib.redirect_stderr(io.StringIO()):
        small = brown_clustering.BigramCorpus(text[:20], alpha=0.001)
        brown_clustering.BrownClustering(small, 5).train()
        start = perf_counter()
        brown_clustering.BrownClustering(brown_clustering.BigramCorpus(text, alpha=0.001), n_clusters).train()
        return perf_counter() - start


def main(peer_tokens: int = 10_000, peer_clusters: int = 100) -> pd.DataFrame:
    """One row per task: seconds, and the average mutual information that is reached."""
    try:
        tokens, corpus = brown_corpus(), "Brown corpus"
    except NotAtHandError:
        tokens, corpus = generated(), "generated"
    for model in (BrownClustering, ExchangeClustering, ClarkClustering):
        model(5, min_count=1, progress=False).fit(tokens.iloc[:2000])  # compiles
    models = {
        "Brown": BrownClustering(100, progress=False),
        "exchange": ExchangeClustering(100, progress=False),
        "exchange, random start": ExchangeClustering(100, initialisation="random", progress=False),
        "Clark, with morphology": ClarkClustering(45, min_count=5, progress=False, **CLARK_ASSIGNED),
    }
    rows = []
    for name, model in models.items():
        start = perf_counter()
        model.fit(tokens)
        rows.append((name, corpus, tokens, model, perf_counter() - start, None))
    beginning = tokens.iloc[:peer_tokens]
    model = BrownClustering(peer_clusters, progress=False)
    start = perf_counter()
    model.fit(beginning)
    own = perf_counter() - start
    rows.append(("Brown, against brown-clustering", corpus, beginning, model, own, package(beginning, peer_clusters)))
    table = pd.DataFrame(
        {
            "task": name,
            "text": text,
            "tokens": len(part),
            "types": part["form"].nunique(),
            "classes": model.n_clusters,
            "seconds": seconds,
            "mutual information, bits": model.average_mutual_information_,
            "package seconds": other,
            "ratio": other / seconds if other else None,
        }
        for name, text, part, model, seconds, other in rows
    )
    print(table.to_string(index=False))
    return table


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--peer-tokens", type=int, default=10_000)
    main(parser.parse_args().peer_tokens)
