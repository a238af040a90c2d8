"""Descriptive statistics of a clustering: cluster sizes, ambiguity and coverage."""

from __future__ import annotations

from typing import Literal

import numpy as np

from analysis.categories.contingency import Contingency, contingency
from analysis.structures import Score, check_choice, check_tokens
from analysis.structures.labels import word_codes
from analysis.structures.lazy import pd

Unit = Literal["types", "tokens"]


def cluster_sizes(tokens: pd.DataFrame, cluster: str = "cluster", unit: Unit = "types") -> pd.DataFrame:
    """Compute the size and rank of each cluster, largest first.

    Parameters
    ----------
    tokens : DataFrame
        Tokens table with ``form`` and the column named by `cluster`, which may also hold gold classes.
    cluster : str
        Column with one cluster per token. No value may be missing: fill them (`fill_unclustered`) or leave these tokens
        out first.
    unit : {"types", "tokens"}
        Types of a cluster are the distinct forms with at least one token in it, so a form counts in several clusters.

    Returns
    -------
    DataFrame
        ``cluster``, ``rank`` (from 1), and ``types`` or ``tokens``. Clusters of equal size are in the order of
        categories, of integers, or of first appearance.

    Raises
    ------
    ValueError
        If a column or a value is missing, or `unit` is unknown.

    References
    ----------
    Frank, Goldwater & Keller (2009), Figure 2.

    Examples
    --------
    >>> tokens = pd.DataFrame({"form": ["the", "duck", "duck", "duck"], "cluster": [1, 2, 2, 1]})
    >>> cluster_sizes(tokens)
       cluster  rank  types
    0        1     1      2
    1        2     2      1
    >>> cluster_sizes(tokens, unit="tokens")["tokens"].tolist()
    [2, 2]
    """
    _check_unit(unit)
    table = _forms_by_cluster(tokens, cluster)
    if unit == "types":
        sizes = np.bincount(table.counts.indices, minlength=table.counts.shape[1])
    else:
        sizes = table.predicted_sizes
    order = np.argsort(-sizes, kind="stable")
    return pd.DataFrame(
        {"cluster": table.predicted_names[order], "rank": np.arange(1, len(order) + 1), unit: sizes[order]}
    )


def memberships(tokens: pd.DataFrame, cluster: str = "cluster") -> pd.DataFrame:
    """Derive the lexicon of a clustering of tokens: each form with each of its clusters.

    Parameters
    ----------
    tokens, cluster
        See `cluster_sizes`.

    Returns
    -------
    DataFrame
        ``form``, ``cluster``, ``tokens``; one row per pair that occurs.

    Examples
    --------
    >>> memberships(pd.DataFrame({"form": ["the", "duck", "duck", "duck"], "cluster": [1, 2, 2, 1]}))
       form  cluster  tokens
    0   the        1       1
    1  duck        1       1
    2  duck        2       2
    """
    return _forms_by_cluster(tokens, cluster).to_frame().rename(columns={"gold": "form", "predicted": "cluster"})


def ambiguity(tokens: pd.DataFrame, cluster: str = "cluster", weight: Unit = "types") -> Score:
    """Compute the mean number of clusters per word type.

    Parameters
    ----------
    tokens, cluster
        See `cluster_sizes`.
    weight : {"types", "tokens"}
        Whether each type counts once, or in proportion to its frequency.

    Returns
    -------
    Score
        numerator = clusters summed over types (over tokens), denominator = types (tokens).

    Examples
    --------
    >>> tokens = pd.DataFrame({"form": ["the", "duck", "duck", "duck"], "cluster": [1, 2, 2, 1]})
    >>> ambiguity(tokens)
    clusters per type 1.500 (3/2)
    >>> ambiguity(tokens, weight="tokens")
    clusters per type 1.750 (7/4)
    """
    _check_unit(weight)
    table = _forms_by_cluster(tokens, cluster)
    clusters = np.diff(table.counts.indptr).astype(np.int64)
    weights = np.ones(len(clusters), dtype=np.int64) if weight == "types" else table.gold_sizes
    return Score(
        "clusters per type",
        numerator=int((clusters * weights).sum()),
        denominator=int(weights.sum()),
        conventions={"weight": weight},
    )


def coverage(tokens: pd.DataFrame, cluster: str = "cluster", unit: Unit = "types") -> Score:
    """Compute the proportion of types or tokens that have a cluster.

    Parameters
    ----------
    tokens : DataFrame
        Tokens table with ``form`` and the column named by `cluster`, missing where a token is unclustered.
    cluster : str
        Column with one cluster per token, or a missing value.
    unit : {"types", "tokens"}
        A type is clustered if at least one of its tokens is.

    Returns
    -------
    Score
        numerator = types (tokens) with a cluster, denominator = types (tokens).

    Examples
    --------
    >>> tokens = pd.DataFrame({"form": ["the", "duck", "duck", "pond"], "cluster": [1, 2, 2, None]})
    >>> coverage(tokens)
    coverage 0.667 (2/3)
    >>> coverage(tokens, unit="tokens")
    coverage 0.750 (3/4)
    """
    _check_unit(unit)
    check_tokens(tokens, ["form"])
    if cluster not in tokens.columns:
        check_tokens(tokens, [cluster])
    clustered = tokens[cluster].notna().to_numpy()
    if unit == "tokens":
        covered, total = int(clustered.sum()), len(tokens)
    else:
        codes, vocabulary = word_codes(tokens["form"])
        covered, total = int((np.bincount(codes[clustered], minlength=1) > 0).sum()), len(vocabulary)
    return Score("coverage", numerator=covered, denominator=total, conventions={"unit": unit})


def _forms_by_cluster(tokens: pd.DataFrame, cluster: str) -> Contingency:
    check_tokens(tokens, ["form", cluster])
    return contingency(tokens["form"], tokens[cluster])


def _check_unit(unit: str) -> None:
    check_choice("unit", unit, ("types", "tokens"))
