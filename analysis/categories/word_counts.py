"""Words by class and frequency: counts, statistics of a lexicon, clusterings with one cluster per word."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import NamedTuple

import numpy as np

from analysis.categories.assignment import one_to_one
from analysis.categories.contingency import Contingency
from analysis.categories.type_measures import micro_i
from analysis.categories.type_table import TypeTable
from analysis.structures import Score
from analysis.structures.labels import word_codes
from analysis.structures.lazy import pd, sparse


class WordCounts(NamedTuple):
    """Frequency of each word with each gold class.

    Attributes
    ----------
    forms : Index
        The words, in code-point order.
    classes : Index
        In code-point order.
    tokens : csr_array of int64, shape (n_types, n_classes)
    """

    forms: pd.Index
    classes: pd.Index
    tokens: sparse.csr_array


def word_counts(tokens: pd.DataFrame, gold: str = "gold", *, leave_out: Collection[str] = ()) -> WordCounts:
    """Count the tokens of each word by gold class, for several clusterings of the same words.

    Parameters
    ----------
    tokens : DataFrame
        One row per token: ``form`` and the column `gold`.
    gold : str
    leave_out : collection of str
        Gold classes whose tokens are left out.

    Returns
    -------
    WordCounts

    Examples
    --------
    >>> tokens = pd.DataFrame({"form": ["run", "run", "dog"], "gold": ["V", "N", "N"]})
    >>> words = word_counts(tokens)
    >>> list(words.forms), words.tokens.toarray().tolist()
    (['dog', 'run'], [[1, 0], [1, 1]])
    """
    table = _scored(tokens, gold, leave_out)
    forms, classes = (pd.Index(sorted(table[column].unique())) for column in ("form", "gold"))
    places = (forms.get_indexer(table["form"]), classes.get_indexer(table["gold"]))
    counts = sparse.csr_array((np.ones(len(table), dtype=np.int64), places), shape=(len(forms), len(classes)))
    counts.sum_duplicates()
    return WordCounts(forms, classes, counts)


def word_frequencies(words: WordCounts) -> pd.DataFrame:
    """List the words, most frequent first; ties in code-point order.

    Parameters
    ----------
    words : WordCounts

    Returns
    -------
    DataFrame
        ``form``, ``rank`` (from 1), ``frequency``, ``classes`` (number of its classes), ``gold`` (its most frequent
        class, ties by name), ``in_gold`` (number of its tokens with that class).

    Examples
    --------
    >>> tokens = pd.DataFrame({"form": ["run", "run", "dog"], "gold": ["V", "N", "N"]})
    >>> word_frequencies(word_counts(tokens)).values.tolist()
    [['run', 1, 2, 2, 'N', 1], ['dog', 2, 1, 1, 'N', 1]]
    """
    frequency, best = words.tokens.sum(axis=1), words.tokens.argmax(axis=1)
    table = pd.DataFrame(
        {
            "form": words.forms,
            "rank": 0,
            "frequency": frequency,
            "classes": np.diff(words.tokens.indptr),
            "gold": words.classes[best],
            "in_gold": words.tokens.max(axis=1).toarray().ravel(),
        }
    )
    table = table.iloc[np.argsort(-frequency, kind="stable")].reset_index(drop=True)
    return table.assign(rank=np.arange(1, len(table) + 1))


def score_word_clusters(words: WordCounts, clusters: pd.Series) -> tuple[Score, Score]:
    """Score a clustering with one cluster per word on tokens and on types, with one-to-one mapping.

    Parameters
    ----------
    words : WordCounts
    clusters : Series
        Name of the cluster by word.

    Returns
    -------
    accuracy, micro_i : Score
        One-to-one accuracy of tokens (optimal), and MicroI 1-1.

    Examples
    --------
    >>> words = word_counts(pd.DataFrame({"form": ["run", "run", "dog"], "gold": ["V", "N", "N"]}))
    >>> accuracy, _ = score_word_clusters(words, pd.Series({"run": "a", "dog": "b"}))
    >>> accuracy.numerator, accuracy.denominator
    (2, 3)
    """
    codes, names = word_codes(clusters.reindex(words.forms).astype("str"))
    n = len(words.forms)
    predicted = sparse.csr_array((np.ones(n, dtype=np.int64), (np.arange(n), codes)), shape=(n, len(names)))
    gold = words.tokens.astype(bool).astype(np.int64)
    tokens = Contingency.of(sparse.csr_array(words.tokens.T @ predicted), words.classes, names)
    return one_to_one(tokens, assignment="optimal"), micro_i(
        TypeTable.of(gold, predicted, words.forms, words.classes, names)
    )


def scores_of_words_right(words: WordCounts, *, points: int = 25) -> pd.DataFrame:
    """Score clusterings that are correct for some words only: the most frequent or the rarest ones.

    Correct words are in the cluster of their most frequent class; all others are in one cluster.

    Parameters
    ----------
    words : WordCounts
    points : int
        Number of points, evenly spaced on a logarithmic scale of the number of words.

    Returns
    -------
    DataFrame
        ``order`` (frequent words first, rare words first), ``right`` (number of types), ``share`` of types,
        ``measure`` (1-1 on tokens, MicroI 1-1 on types), ``value``, ``unit``.

    References
    ----------
    Reichart, Abend & Rappoport (2010), section 2.

    Examples
    --------
    >>> words = word_counts(pd.DataFrame({"form": ["run", "run", "dog"], "gold": ["V", "V", "N"]}))
    >>> scores_of_words_right(words, points=2).query("order == 'frequent words first' and right == 2")["value"].tolist()
    [1.0, 1.0]
    """
    table, n = word_frequencies(words), len(words.forms)
    rows = []
    for order, ranked in (("frequent words first", table), ("rare words first", table.iloc[::-1])):
        for right in np.unique(np.r_[0, np.geomspace(1, n, points).round().astype(int)]).tolist():
            clusters = ranked["gold"].where(np.arange(n) < right, "all others")
            pair = score_word_clusters(words, pd.Series(clusters.to_numpy(), index=ranked["form"]))
            rows += [
                (order, right, right / n, measure, float(score))
                for measure, score in zip(("1-1", "MicroI 1-1"), pair, strict=True)
            ]
    return pd.DataFrame(rows, columns=["order", "right", "share", "measure", "value"]).assign(unit="proportion")


def cluster_words(tokens: pd.DataFrame, *, clusters: int | None = None, words: int = 6) -> pd.DataFrame:
    """List the clusters, largest first, with their most frequent words and class.

    Parameters
    ----------
    tokens : DataFrame
        One row per token: ``form``, ``gold``, ``predicted``; see `align_labels`.
    clusters : int, optional
        Number of clusters; by default all.
    words : int
        Number of words per cluster; ties in code-point order.

    Returns
    -------
    DataFrame
        ``cluster``, ``tokens``, ``types``, ``words``, ``gold`` (the most frequent class of its tokens), ``share`` (the
        proportion of tokens with this class).

    Examples
    --------
    >>> tokens = pd.DataFrame({"form": ["run", "run", "dog"], "gold": ["V", "V", "N"], "predicted": [1, 1, 1]})
    >>> cluster_words(tokens).drop(columns="share").values.tolist()
    [[1, 3, 2, 'run dog', 'V']]
    """
    tokens = tokens.astype({"form": "str", "gold": "str"})
    rows = []
    for cluster in tokens["predicted"].value_counts().index[:clusters]:
        part = tokens[tokens["predicted"] == cluster]
        forms, classes = (part[column].value_counts().sort_index().sort_values(ascending=False, kind="stable")
                          for column in ("form", "gold"))  # fmt: skip
        share = classes.iloc[0] / len(part)
        rows.append((int(cluster), len(part), len(forms), " ".join(forms.index[:words]), classes.index[0], share))
    return pd.DataFrame(rows, columns=["cluster", "tokens", "types", "words", "gold", "share"])


def lexicon_statistics(
    tokens: pd.DataFrame,
    gold: str = "gold",
    *,
    leave_out: Collection[str] = (),
    classes: Mapping[str, Collection[str]] | None = None,
    frequent: int = 100,
    prominent: int = 17,
    weakly: float = 0.95,
) -> pd.DataFrame:
    """Compute statistics of words, gold classes and tokens: ambiguity, and the proportion of frequent words and
    classes.

    Parameters
    ----------
    tokens : DataFrame
        One row per token: ``sentence``, ``form`` and the column `gold`.
    gold : str
    leave_out : collection of str
        Gold classes that are not scored: punctuation.
    classes : mapping of str to collection of str, optional
        Named groups of gold classes whose types and tokens are also counted, if all of them occur.
    frequent, prominent : int
        Numbers of the most frequent types and of the most frequent gold classes to consider.
    weakly : float
        A polysemous type is weakly polysemous if more than this proportion of its tokens has one class.

    Returns
    -------
    DataFrame
        ``statistic``, ``value``, ``unit`` (proportion if there is a denominator, else count), ``numerator``,
        ``denominator``.

    References
    ----------
    Reichart, Abend & Rappoport (2010), sections 2, 5.1 and 5.2.

    Examples
    --------
    >>> tokens = pd.DataFrame({"sentence": 0, "form": ["run", "run", "dog", "."], "gold": ["V", "N", "N", "."]})
    >>> table = lexicon_statistics(tokens, leave_out=["."]).set_index("statistic")
    >>> float(table.loc["polysemous types", "value"]), int(table.loc["types", "value"])
    (0.5, 3)
    """
    table, kept = _scored(tokens, gold, ()), _scored(tokens, gold, leave_out)
    words, tags, everything = kept["form"].value_counts(), kept["gold"].value_counts(), table["form"].value_counts()
    pairs = kept.groupby(["form", "gold"]).size()
    n_classes = pairs.groupby(level="form").size()
    top_share = pairs.groupby(level="form").max() / words.reindex(n_classes.index)
    several = n_classes.index[n_classes > 1]
    strongly = n_classes.index[(n_classes > 1) & (top_share <= weakly)]
    of_prominent = pairs[pairs.index.get_level_values("gold").isin(tags.index[:prominent])].index.get_level_values(
        "form"
    )
    n, types, gold_classes = len(kept), len(words), int(table["gold"].nunique())
    of_frequent = kept[kept["form"].isin(words.index[:frequent])]
    rows: list[tuple[str, int, int | None]] = [
        ("sentences", int(tokens["sentence"].nunique()), None),
        ("tokens", len(table), None),
        ("types", len(everything), None),
        ("tokens that are scored", n, None),
        ("types that are scored", types, None),
        ("tokens that are scored, share", n, len(table)),
        ("punctuation tokens, share", len(table) - n, len(table)),
        ("gold classes", gold_classes, None),
        ("gold classes that are punctuation", gold_classes - len(tags), None),
        ("gold classes that are scored", len(tags), None),
        (f"tokens of the {frequent} most frequent types", len(of_frequent), n),
        (f"classes with one of the {frequent} most frequent types", of_frequent["gold"].nunique(), None),
        (f"tokens of the {prominent} most frequent tags", int(tags.iloc[:prominent].sum()), n),
        (f"types with one of the {prominent} most frequent tags", int(of_prominent.nunique()), types),
        *((f"types with {name}", int(found.sum()), types) for name, found in (
            ("one tag", n_classes == 1), ("two tags", n_classes == 2), ("three tags", n_classes == 3),
            ("more than three tags", n_classes > 3))),
        ("polysemous types", len(several), types),
        ("tokens of polysemous types, of all tokens", int(everything[several].sum()), len(table)),
        ("tokens of polysemous types, punctuation left out", int(words[several].sum()), n),
        ("tokens of types that are polysemous but not weakly", int(words[strongly].sum()), n),
    ]  # fmt: skip
    for name, group in (classes or {}).items():
        if set(group) <= set(tags.index):
            of = kept[kept["gold"].isin(group)]
            rows.append((f"types that are {name}", int(of["form"].nunique()), types))
            rows.append((f"tokens that are {name}", len(of), n))
            rows.append((f"tokens that are {name}, of all tokens", len(of), len(table)))
    result = pd.DataFrame(rows, columns=["statistic", "numerator", "denominator"])
    result = result.astype({"numerator": "Int64", "denominator": "Int64"})
    shares = result["numerator"].astype("Float64") / result["denominator"].astype("Float64")
    result.insert(1, "value", shares.fillna(result["numerator"].astype("Float64")))
    result.insert(2, "unit", np.where(result["denominator"].isna(), "count", "proportion"))
    return result


def _scored(tokens: pd.DataFrame, gold: str, leave_out: Collection[str]) -> pd.DataFrame:
    table = pd.DataFrame({"form": tokens["form"].astype("str"), "gold": tokens[gold].astype("str")})
    return table[~table["gold"].isin(list(leave_out))]
