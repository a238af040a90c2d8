"""Ceiling, floors and random clusterings that stand beside the scores of a clustering."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal

import numpy as np
import pandas as pd

from analysis.categories.assignment import name_order
from analysis.categories.by_sentence import ScoredTokens, scored_tokens
from analysis.categories.contingency import contingency
from analysis.statistics.references import fixed_rows, random_rows, references_table
from analysis.structures import check_choice, check_columns, encode_labels
from analysis.structures.labels import word_codes

CEILING = "ceiling of clusterings with one cluster per word type"


def reference_scores(
    tokens: pd.DataFrame,
    measures: Sequence[str] | None = None,
    *,
    runs: int = 100,
    sizes: Literal["tokens", "types"] = "tokens",
    resamples: int = 1000,
    confidence: float = 0.95,
    random_state: int = 0,
    conventions: Mapping[str, object] | None = None,
) -> pd.DataFrame:
    """Score what a clustering is compared with: a ceiling, a floor, and random clusterings of two kinds of sizes.

    - ``one tag per type``: every word has its most frequent gold class; no clustering of word types has a higher
      many-to-one accuracy, and no tagger that gives a word one tag is more often right. Needs ``form``.
    - ``most frequent tag``: all tokens are one cluster, which has the name of the most frequent gold class.
    - ``random, own sizes``: the sizes of the clusters of the system, filled at random.
    - ``random, gold sizes``: the sizes of the gold classes, filled at random.

    Parameters
    ----------
    tokens : DataFrame
        One row per token: ``sentence``, ``gold``, ``predicted``, and ``form`` if it is known.
    measures : sequence of str, optional
        As in `scored_tokens`; by default all that it gives there.
    runs : int
        Number of random clusterings of each kind.
    sizes : {"tokens", "types"}
        What is drawn at random: tokens, so that a cluster has exactly as many, or whole word types, as in Frank et al.
        (2009), where a type counts for its most frequent label.
    resamples, confidence : int and float
        Of the intervals of the first two. Those of random clusterings hold this share of the runs.
    random_state : int
    conventions : mapping, optional
        ``base``, ``assignment``, ``folds`` of `scored_tokens`.

    Returns
    -------
    DataFrame
        The columns of `analysis.statistics.differences.SystemScore`; ``note`` says which rows are ceiling and floor.

    Raises
    ------
    ValueError
        If a column is missing, or a number is out of range.

    Examples
    --------
    >>> tokens = pd.DataFrame({"sentence": [0, 0, 1, 1], "form": list("aaab"), "gold": list("NNVV"),
    ...                        "predicted": [1, 1, 1, 2]})
    >>> table = reference_scores(tokens, ["many-to-one"], runs=10, resamples=100)
    >>> table[["system", "value"]].head(2).values.tolist()
    [['one tag per type', 0.75], ['most frequent tag', 0.5]]
    """
    check_columns(tokens, ["sentence", "gold", "predicted"], "tokens")
    check_choice("sizes", sizes, ("tokens", "types"))
    if runs < 1:
        raise ValueError(f"runs must be at least 1, not {runs!r}.")
    chosen: dict[str, Any] = dict(conventions or {})
    gold, sentences = tokens["gold"], tokens["sentence"]

    def scored(labels: object) -> ScoredTokens:
        return scored_tokens(gold, labels, sentences, list(wanted), **chosen)

    wanted: Sequence[str] = measures or [
        name for name in scored_tokens(gold, gold, sentences, **chosen).names if name != "tagging accuracy"
    ]
    fixed = {}
    if "form" in tokens.columns:
        fixed["one tag per type"] = (scored(most_frequent_labels(tokens["form"], gold)), CEILING)
    fixed["most frequent tag"] = (scored(np.repeat(_largest(gold), len(tokens))), "floor")
    rows = fixed_rows(fixed, resamples=resamples, confidence=confidence, random_state=random_state)
    seeds = np.random.default_rng(random_state).spawn(2)
    for name, labels, generator in zip(("own", "gold"), (tokens["predicted"], gold), seeds, strict=True):
        codes, _ = encode_labels(labels, labels.name)
        codes = np.array([f"cluster {code}" for code in range(int(codes.max()) + 1)], dtype=object)[codes]
        drawn = _shuffled(tokens, codes, sizes, runs, generator)
        rows += random_rows(f"random, {name} sizes", f"floor; sizes in {sizes}", map(scored, drawn),
                            [each for each in wanted if each != "tagging accuracy"] or wanted,
                            confidence=confidence)  # fmt: skip
    return references_table(rows)


def most_frequent_labels(forms: pd.Series, labels: pd.Series) -> np.ndarray:
    """The most frequent label of each token's word type; of equally frequent ones the first in code-point order.

    Examples
    --------
    >>> most_frequent_labels(pd.Series(list("aab")), pd.Series(list("VNN"))).tolist()
    ['N', 'N', 'N']
    """
    codes, _ = word_codes(forms)
    table = contingency(codes, labels)
    order = name_order(table.predicted_names)
    counts = table.counts[:, order].tocsr()
    counts.sort_indices()
    largest = np.maximum.reduceat(counts.data, counts.indptr[:-1])
    ties = np.flatnonzero(counts.data == np.repeat(largest, np.diff(counts.indptr)))
    first = ties[np.searchsorted(ties, counts.indptr[:-1])]
    names = np.array([str(name) for name in table.predicted_names], dtype=object)[order]
    by_type = pd.Series(names[counts.indices[first]], index=table.gold_names)
    return by_type.reindex(codes).to_numpy(dtype=object)


def _largest(labels: pd.Series) -> str:
    """The most frequent label; of equally frequent ones the first in code-point order."""
    counts = labels.astype("str").value_counts()
    return min(counts.index[counts == counts.max()])


def _shuffled(
    tokens: pd.DataFrame, labels: np.ndarray, sizes: str, runs: int, generator: np.random.Generator
) -> Iterator[np.ndarray]:
    if sizes == "tokens":
        for _ in range(runs):
            yield generator.permutation(labels)
        return
    check_columns(tokens, ["form"], "tokens")
    codes, _ = word_codes(tokens["form"])
    of_type = pd.Series(most_frequent_labels(tokens["form"], pd.Series(labels))).groupby(codes).first().to_numpy()
    for _ in range(runs):
        yield generator.permutation(of_type)[codes]
