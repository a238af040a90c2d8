"""Where a clustering goes wrong: scores by group of tokens, confusion of classes, and the costliest words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np

from analysis.categories.assignment import one_to_one_mapping
from analysis.categories.by_sentence import MEASURES
from analysis.categories.contingency import contingency
from analysis.statistics.breakdowns import (
    FREQUENCIES,
    LENGTHS,
    costliest,
    frequency_of,
    in_bands,
    scores_of_groups,
    seen_before,
    with_values,
)
from analysis.structures import check_choice, check_columns
from analysis.structures.lazy import pd

Mapping = Literal["many-to-one", "one-to-one", "by name"]
MAPPINGS = ("many-to-one", "one-to-one", "by name")
NO_TAG = "no tag"

_BY_NAME = MEASURES[-1]


def read_as(tokens: pd.DataFrame, mapping: Mapping = "one-to-one", *, assignment: str = "optimal") -> np.ndarray:
    """The gold class as which each token's cluster is read.

    Parameters
    ----------
    tokens : DataFrame
        ``gold``, ``predicted``.
    mapping : {"one-to-one", "many-to-one", "by name"}
        Many-to-one: the class with which a cluster shares most tokens, of equal ones the first in code-point order.
        One-to-one: as in `one_to_one_mapping`; a cluster without a class is read as ``"no tag"``. By name: clusters
        are tags.
    assignment : {"optimal", "greedy"}
        As in `one_to_one`.

    Returns
    -------
    ndarray of str, shape (n_tokens,)

    Raises
    ------
    ValueError
        If a column or a label is missing, or the mapping is unknown.

    Examples
    --------
    >>> tokens = pd.DataFrame({"gold": list("NNVV"), "predicted": [1, 1, 1, 2]})
    >>> read_as(tokens).tolist(), read_as(tokens.assign(predicted=[1, 2, 3, 3])).tolist()
    (['N', 'N', 'N', 'V'], ['N', 'no tag', 'V', 'V'])
    """
    check_columns(tokens, ["gold", "predicted"], "tokens")
    check_choice("mapping", mapping, MAPPINGS)
    table = contingency(tokens["gold"], tokens["predicted"])
    predicted = tokens["predicted"].astype("str")
    if mapping == "by name":
        return predicted.to_numpy(dtype=object)
    if mapping == "one-to-one":
        pairs = one_to_one_mapping(table, assignment=assignment)
    else:
        cells = table.counts.tocoo()
        rows, columns = cells.coords
        pairs = pd.DataFrame({
            "cluster": [str(table.predicted_names[at]) for at in columns],
            "gold": [str(table.gold_names[at]) for at in rows],
            "tokens": cells.data,
        }).sort_values(["tokens", "gold"], ascending=[False, True])  # fmt: skip
        pairs = pairs.drop_duplicates("cluster")
    tags = dict(zip(pairs["cluster"].astype("str"), pairs["gold"].astype("str"), strict=True))
    return predicted.map(lambda cluster: tags.get(cluster, NO_TAG)).to_numpy(dtype=object)


def score_breakdowns(
    tokens: pd.DataFrame,
    training: pd.DataFrame | None = None,
    *,
    frequencies: Sequence[int] = FREQUENCIES,
    lengths: Sequence[int] = LENGTHS,
    assignment: str = "optimal",
) -> pd.DataFrame:
    """Score tokens by word frequency, sentence length, gold class, cluster, and whether the word is in training.

    Clusters are mapped to classes once, on all tokens, so the scores of the groups, weighted by their tokens, have the
    score of the whole as their mean.

    Parameters
    ----------
    tokens : DataFrame
        One row per scored token: ``gold``, ``predicted``; optionally ``form`` and ``sentence``. A breakdown that needs
        a column that is not there is left out.
    training : DataFrame, optional
        ``form`` of each token of the training text: its words are seen, and frequencies are those of training.
    frequencies, lengths : sequence of int
        Largest number of each band but the last; see `analysis.statistics.breakdowns.band_names`. Lengths count the
        tokens of the table.
    assignment : {"optimal", "greedy"}
        As in `one_to_one`.

    Returns
    -------
    DataFrame
        ``by`` (all, frequency, sentence length, tag, cluster, seen), ``group``, ``measure`` (many-to-one, one-to-one;
        tagging accuracy if a cluster and a class share a name), ``value``, ``unit``, ``numerator`` (correct tokens),
        ``denominator`` (tokens), ``types`` (0 where words are unknown). A group without tokens is ``<NA>``.

    Raises
    ------
    ValueError
        If a column or a label is missing, or bands do not rise.

    Examples
    --------
    >>> tokens = pd.DataFrame({"form": list("aab"), "gold": list("NNV"), "predicted": [1, 1, 1]})
    >>> table = score_breakdowns(tokens, frequencies=(1, 2)).query("by == 'frequency' and measure == 'many-to-one'")
    >>> table[["group", "value", "numerator", "denominator", "types"]].values.tolist()
    [['1', 0.0, 0, 1, 1], ['2', 1.0, 2, 2, 1], ['3+', <NA>, 0, 0, 0]]
    """
    right = read_rightly(tokens, assignment=assignment)
    groups = {"all": np.repeat("all", len(tokens))} | token_groups(
        tokens, training, frequencies=frequencies, lengths=lengths
    )
    has_forms = "form" in tokens.columns
    types = tokens["form"].astype("str") if has_forms else np.zeros(len(tokens))
    frames = [scores_of_groups(by, group, right, sizes={"types": types}) for by, group in groups.items()]
    table = pd.concat(frames, ignore_index=True)
    return table if has_forms else table.assign(types=0)


def read_rightly(tokens: pd.DataFrame, *, assignment: str = "optimal") -> dict[str, np.ndarray]:
    """Which tokens have their gold class when clusters are mapped to classes once, on all tokens.

    Parameters
    ----------
    tokens : DataFrame
        ``gold``, ``predicted``.
    assignment : {"optimal", "greedy"}

    Returns
    -------
    dict of str to ndarray of bool
        For many-to-one and one-to-one; for tagging accuracy if a cluster and a class share a name.

    Examples
    --------
    >>> found = read_rightly(pd.DataFrame({"gold": list("NNV"), "predicted": [1, 1, 1]}))
    >>> {name: right.tolist() for name, right in found.items()}
    {'many-to-one': [True, True, False], 'one-to-one': [True, True, False]}
    """
    gold = tokens["gold"].astype("str").to_numpy(dtype=object)
    right = {name: read_as(tokens, name, assignment=assignment) == gold for name in ("many-to-one", "one-to-one")}
    if set(gold) & set(tokens["predicted"].astype("str")):
        right[_BY_NAME] = read_as(tokens, "by name") == gold
    return right


def token_groups(
    tokens: pd.DataFrame,
    training: pd.DataFrame | None = None,
    *,
    frequencies: Sequence[int] = FREQUENCIES,
    lengths: Sequence[int] = LENGTHS,
) -> dict[str, Any]:
    """The groups of tokens of `score_breakdowns`: what they are divided by, and the group of each token.

    Parameters
    ----------
    tokens, training, frequencies, lengths
        As there.

    Examples
    --------
    >>> tokens = pd.DataFrame({"form": list("aab"), "gold": list("NNV"), "predicted": [1, 1, 1]})
    >>> token_groups(tokens, frequencies=(1,))["frequency"].tolist()
    ['2+', '2+', '1']
    """
    groups: dict[str, Any] = {}
    has_forms = "form" in tokens.columns
    if has_forms:
        groups["frequency"] = _by_frequency(tokens["form"], training, frequencies)
    if "sentence" in tokens.columns:
        sizes = tokens.groupby("sentence", observed=True)["sentence"].transform("size")
        groups["sentence length"] = in_bands(sizes, lengths)
    groups["tag"] = tokens["gold"].astype("str").to_numpy(dtype=object)
    groups["cluster"] = tokens["predicted"].astype("str").to_numpy(dtype=object)
    if has_forms and training is not None:
        groups["seen"] = seen_before(tokens["form"], training["form"])
    return groups


def _by_frequency(forms: pd.Series, training: pd.DataFrame | None, frequencies: Sequence[int]) -> pd.Categorical:
    if training is None:
        return in_bands(frequency_of(forms), frequencies)
    return in_bands(frequency_of(forms, training["form"]), (0, *frequencies), first=0)


def confusion(
    tokens: pd.DataFrame, mapping: Mapping | None = "one-to-one", *, assignment: str = "optimal"
) -> pd.DataFrame:
    """Count each pair of gold class and cluster, or, after mapping, of gold class and class as which it is read.

    Parameters
    ----------
    tokens : DataFrame
        ``gold``, ``predicted``.
    mapping : {"one-to-one", "many-to-one", "by name", None}
        As in `read_as`; None counts clusters as they are.
    assignment : {"optimal", "greedy"}

    Returns
    -------
    DataFrame
        Every pair: ``gold``, ``predicted``, ``numerator`` (tokens of the pair), ``denominator`` (tokens of the gold
        class), ``value`` (their ratio). Both sides are categories, most frequent first; after mapping both in the order
        of the gold classes, so that correct tokens lie on the diagonal.

    Raises
    ------
    ValueError
        If a column or a label is missing, or the mapping is unknown.

    Examples
    --------
    >>> tokens = pd.DataFrame({"gold": list("NNVV"), "predicted": [1, 1, 1, 2]})
    >>> confusion(tokens, "one-to-one")[["gold", "predicted", "numerator", "denominator"]].values.tolist()
    [['N', 'N', 2, 2], ['N', 'V', 0, 2], ['V', 'N', 1, 2], ['V', 'V', 1, 2]]
    """
    check_columns(tokens, ["gold", "predicted"], "tokens")
    labels = tokens["predicted"] if mapping is None else read_as(tokens, mapping, assignment=assignment)
    return confusion_table(tokens["gold"], labels, same_order=mapping is not None)


def confusion_table(gold: object, predicted: object, *, same_order: bool = True) -> pd.DataFrame:
    """Count each pair of a gold label and a label of the system; see `confusion`.

    Parameters
    ----------
    gold, predicted : array-like of shape (n,)
        Labels, such as relations, categories or tags.
    same_order : bool
        Whether both sides have the same labels: then both have every gold label, in the order of gold.

    Returns
    -------
    DataFrame
        As `confusion`.

    Examples
    --------
    >>> confusion_table(["subj", "obj"], ["obj", "obj"])["numerator"].tolist()
    [1, 0, 1, 0]
    """
    ours, theirs = (pd.Series(side).astype("str").reset_index(drop=True) for side in (gold, predicted))
    rows, columns = (_by_size(side) for side in (ours, theirs))
    if same_order:
        columns = [*rows, *(name for name in columns if name not in set(rows))]
    counts = pd.crosstab(ours, theirs).reindex(index=rows, columns=columns, fill_value=0)
    table = pd.DataFrame({
        "gold": pd.Categorical(np.repeat(rows, len(columns)), rows),
        "predicted": pd.Categorical(np.tile(columns, len(rows)), columns),
        "numerator": counts.to_numpy().ravel(),
        "denominator": np.repeat(counts.to_numpy().sum(axis=1), len(columns)),
    })  # fmt: skip
    result = with_values(table)
    return result[["gold", "predicted", "numerator", "denominator", "value"]]


def _by_size(labels: pd.Series) -> list[str]:
    counts = labels.value_counts()
    return sorted(counts.index, key=lambda name: (-int(counts[name]), name))


def costliest_words(
    tokens: pd.DataFrame,
    mapping: Mapping = "one-to-one",
    *,
    most: int = 100,
    pairs: bool = False,
    assignment: str = "optimal",
) -> pd.DataFrame:
    """The words that cost a clustering most tokens, or the pairs of gold class and class as which they are read.

    Parameters
    ----------
    tokens : DataFrame
        ``form``, ``gold``, ``predicted``.
    mapping, assignment
        As in `read_as`.
    most : int
        Number of rows.
    pairs : bool
        Whether a row is a pair of a word's gold class and the class as which it is read, instead of a word.

    Returns
    -------
    DataFrame
        ``form``, and if `pairs` ``gold`` and ``read_as``; ``wrong``, ``n``, ``share``, ``cumulative``: see
        `analysis.statistics.breakdowns.costliest`. Words of licensed corpora are for looking at, not for storing.

    Examples
    --------
    >>> tokens = pd.DataFrame({"form": list("aab"), "gold": list("NNV"), "predicted": [1, 1, 1]})
    >>> costliest_words(tokens, pairs=True)[["form", "gold", "read_as", "wrong"]].values.tolist()
    [['b', 'V', 'N', 1]]
    """
    check_columns(tokens, ["form", "gold", "predicted"], "tokens")
    items = tokens[["form", "gold"]].assign(read_as=read_as(tokens, mapping, assignment=assignment))
    keys = ["form", "gold", "read_as"] if pairs else ["form"]
    return costliest(items, keys, items["gold"].astype("str") == items["read_as"].astype("str"), most)
