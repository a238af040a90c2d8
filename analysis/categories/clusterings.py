"""A model's clusters as the tables that `analysis.corpora.write_clustering` writes."""

from typing import Any

import numpy as np
import pandas as pd

from analysis.categories.codes import sentence_starts
from analysis.structures import check_tokens
from analysis.structures.labels import word_codes

#: Formats of a clustering, as far as its tokens or word types have clusters.
OF_TOKENS, OF_TYPES, OF_TREES = ("tags", "words-and-tags", "slashed"), ("types",), ("paths", "map")


def clustering_table(
    tokens: pd.DataFrame, clusters: pd.Series, format: str, paths: pd.Series | None = None
) -> pd.DataFrame:
    """The clusters of a text, as a format of clusterings wants them.

    Parameters
    ----------
    tokens : DataFrame
        ``sentence``, ``form``.
    clusters : Series
        Cluster of each token, missing where there is none; as ``predict`` gives them.
    format : {"tags", "words-and-tags", "slashed", "types", "paths", "map"}
        The first three have one row per token. The others have one row per word type that has a cluster, by falling
        frequency: where its tokens have several, the most frequent one, of equals the first in order.
    paths : Series, optional
        Path of bits of each cluster, indexed by cluster, as `class_paths` gives them; for the last two.

    Returns
    -------
    DataFrame
        The columns of `analysis.corpora.write_clustering`. ``left`` and ``right`` of a map are the Kullback-Leibler
        divergence, in nats, of the clusters beside the word from the clusters beside all words of its cluster; the
        ends of a sentence, and words without a cluster, are one more cluster each.

    Raises
    ------
    ValueError
        If there are no paths and the format needs them.

    Examples
    --------
    >>> tokens = pd.DataFrame({"sentence": [0, 0, 1], "form": ["the", "cat", "the"]})
    >>> clustering_table(tokens, pd.Series([1, 0, 1]), "types")
      form cluster  frequency
    0  the       1          2
    1  cat       0          1
    """
    check_tokens(tokens)
    if format in OF_TOKENS:
        named = clusters.astype("str").where(clusters.notna().to_numpy())
        table = tokens[["sentence", "form"]].reset_index(drop=True)
        return table.assign(cluster=named.to_numpy(dtype=object))
    table = _types(tokens, clusters)
    if format in OF_TREES:
        if paths is None:
            raise ValueError(
                f"{format!r} needs a tree of classes, which Brown clustering, Chrupała's and the hierarchical one make."
            )
        divergences = _divergences(tokens, clusters, table) if format == "map" else {}
        return table.assign(cluster=paths.loc[table["cluster"].tolist()].to_numpy(), **divergences)
    return table.assign(cluster=table["cluster"].astype("str"))


def class_paths(model: Any) -> pd.Series | None:
    """The bits that lead from the root of a model's tree to each of its clusters; None if it makes no tree.

    Parameters
    ----------
    model : Model
        Fitted.

    Returns
    -------
    Series of str, or None
        Indexed by cluster.

    Examples
    --------
    >>> from analysis.categories.models import BrownClustering
    >>> tokens = pd.DataFrame({"sentence": [0, 0, 1, 1], "form": ["a", "cat", "the", "dog"]})
    >>> class_paths(BrownClustering(n_clusters=3, progress=False).fit(tokens)).to_dict()
    {0: '0', 1: '10', 2: '11'}
    """
    known = getattr(model, "clusters_", None)
    if known is not None and "path" in known:
        table = known[["cluster", "path"]]
    elif hasattr(model, "linkage_"):
        leaves = _leaf_paths(model.linkage_[:, :2].astype(np.int64))
        table = model.targets_[["cluster"]].assign(path=leaves)
    else:
        return None
    shared = table.groupby("cluster")["path"].agg(lambda paths: _shared_beginning(list(paths)))
    return shared.astype(object)


def _leaf_paths(children: np.ndarray) -> list[str]:
    """The bits from the root to each leaf of a tree, its mergers in order, as SciPy has them.

    Examples
    --------
    >>> _leaf_paths(np.array([[0, 2], [1, 3]]))
    ['10', '0', '11']
    """
    n = len(children) + 1
    paths = [""] * (2 * n - 1)
    for step in range(n - 2, -1, -1):
        for bit, child in enumerate(children[step]):
            paths[child] = f"{paths[n + step]}{bit}"
    return paths[:n]


def _shared_beginning(paths: list[str]) -> str:
    first, last = min(paths), max(paths)
    size = next((at for at, bit in enumerate(first) if at >= len(last) or bit != last[at]), len(first))
    return first[:size]


def _types(tokens: pd.DataFrame, clusters: pd.Series) -> pd.DataFrame:
    """Cluster and frequency of each word type that has a cluster; ``form``, ``cluster``, ``frequency``."""
    words, names = word_codes(tokens["form"])
    groups, kinds = pd.factorize(clusters, sort=True)
    labelled = groups >= 0
    if not labelled.any():
        raise ValueError("no word of the text has a cluster.")
    pairs, n = np.unique(words[labelled].astype(np.int64) * len(kinds) + groups[labelled], return_counts=True)
    word, group = np.divmod(pairs, len(kinds))
    frequency = np.bincount(words, minlength=len(names))[word]
    chosen = kinds[group].to_numpy(dtype=object)
    counted = pd.DataFrame({"form": names[word].astype("str"), "cluster": chosen, "n": n, "frequency": frequency})
    counted = counted.sort_values(["form", "n"], ascending=[True, False], kind="stable").drop_duplicates("form")
    ordered = counted.sort_values(["frequency", "form"], ascending=[False, True], ignore_index=True)
    return ordered[["form", "cluster", "frequency"]]


def _divergences(tokens: pd.DataFrame, clusters: pd.Series, table: pd.DataFrame) -> dict[str, np.ndarray]:
    """Divergences, to the left and to the right, of the neighbours of each word of the table from its cluster's."""
    words, _ = word_codes(tokens["form"], pd.Index(table["form"]))
    codes, names = pd.factorize(clusters.to_numpy(dtype=object))
    unclustered, edge = len(names), len(names) + 1
    codes = np.where(codes < 0, unclustered, codes)
    of_word = pd.Index(names).get_indexer(table["cluster"])
    starts = sentence_starts(tokens)
    ends = np.append(starts[1:], True)
    left = np.where(starts, edge, np.append(edge, codes[:-1]))
    right = np.where(ends, edge, np.append(codes[1:], edge))
    known = words >= 0
    return {side: _divergence(words[known], beside[known], of_word, edge + 1).round(6)
            for side, beside in (("left", left), ("right", right))}  # fmt: skip


def _divergence(words: np.ndarray, beside: np.ndarray, of_word: np.ndarray, size: int) -> np.ndarray:
    """Of each word: sum over d of p(d|w) log p(d|w) / p(d|c), d a cluster beside it and c the word's own."""
    pairs, counts = np.unique(words.astype(np.int64) * size + beside, return_counts=True)
    word, neighbour = np.divmod(pairs, size)
    of_pair = of_word[word].astype(np.int64) * size + neighbour
    own = counts / np.bincount(words, minlength=len(of_word))[word]
    of_class = np.bincount(of_pair, weights=counts)
    totals = np.bincount(of_word[word], weights=counts)
    shared = of_class[of_pair] / totals[of_word[word]]
    return np.maximum(np.bincount(word, weights=own * np.log(own / shared), minlength=len(of_word)), 0.0)
