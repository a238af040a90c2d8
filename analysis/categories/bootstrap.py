"""Bootstrap over sentences of measures of word classes, and of the difference between two systems."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy.sparse import csr_array
from scipy.special import xlogy

from analysis.categories.assignment import ASSIGNMENTS, name_order
from analysis.categories.information import unit_of_entropy
from analysis.statistics.resampling import check_resampling, count_draws, paired_difference, percentile_interval
from analysis.structures import Labels, check_choice
from analysis.structures.labels import label_codes

MEASURES = (
    "many-to-one",
    "one-to-one",
    "V",
    "VI",
    "NVI",
    "H(C|K)",
    "H(K|C)",
    "pairwise precision",
    "pairwise recall",
    "pairwise F1",
)

_NUMBERS = 1 << 21  # cells of a block of resampled tables (16 MB)


def paired_bootstrap(
    gold: Labels,
    predicted_a: Labels,
    predicted_b: Labels,
    sentences: Labels,
    measures: Sequence[str] = ("many-to-one", "V", "VI"),
    *,
    resamples: int = 1000,
    confidence: float = 0.95,
    base: float = 2,
    assignment: str = "optimal",
    random_state: int | np.random.Generator | None = 0,
) -> pd.DataFrame:
    """Compute bootstrap intervals for the difference between two clusterings of the same tokens.

    As many sentences as in the data are drawn with replacement, the same for both clusterings; every measure is
    computed from all tokens drawn.

    Parameters
    ----------
    gold, predicted_a, predicted_b : array-like of shape (n_tokens,)
        Class and cluster of each token.
    sentences : array-like of shape (n_tokens,)
        Sentence of each token.
    measures : sequence of str
        Any of `MEASURES`.
    resamples : int
    confidence : float
        Between 0 and 1.
    base : float
        Base of the logarithm of VI and the entropies.
    assignment : {"optimal", "greedy"}
        See `one_to_one`.
    random_state : None, int or numpy Generator

    Returns
    -------
    DataFrame
        One row per measure: ``measure``; ``a``, ``b`` and ``difference`` on the original sentences; ``lower`` and
        ``upper`` of the percentile interval of the difference; ``opposite``, the proportion of resamples in which the
        difference is zero or has the opposite sign; ``resamples``, the number in which both values are defined.

    Raises
    ------
    ValueError
        If the lengths differ, a label is missing, there is no token, a measure is unknown, or a number is out of range.

    References
    ----------
    Efron & Tibshirani (1993), An Introduction to the Bootstrap, section 13.3; measures as in Gelling et al. (2012),
    section 2.2, and Reichart et al. (2010), section 3.

    Examples
    --------
    >>> gold, sentences = ["N", "V"] * 20, np.repeat(np.arange(20), 2)
    >>> found = paired_bootstrap(gold, [1, 2] * 20, [1, 1, 1, 2] * 10, sentences, ["many-to-one"])
    >>> row = found.iloc[0]
    >>> float(row["difference"]), bool(row["lower"] > 0), float(row["opposite"])
    (0.25, True, 0.0)
    """
    _check(measures, resamples, confidence, base, assignment)
    both = {"a": predicted_a, "b": predicted_b}
    drawn, whole = _resampled(gold, both, sentences, measures, resamples, base, assignment, random_state)
    rows = []
    for number, measure in enumerate(measures):
        a, b = whole["a"][number], whole["b"][number]
        found = paired_difference(drawn["a"][:, number], drawn["b"][:, number], a - b, confidence)
        own = {"measure": measure, "a": a, "b": b, "difference": a - b}
        rows.append(own | found._asdict() | {"unit": _unit(measure, base)})
    return pd.DataFrame(rows)


def bootstrap_intervals(
    gold: Labels,
    predicted: Labels,
    sentences: Labels,
    measures: Sequence[str] = ("many-to-one", "V", "VI"),
    *,
    resamples: int = 1000,
    confidence: float = 0.95,
    base: float = 2,
    assignment: str = "optimal",
    random_state: int | np.random.Generator | None = 0,
) -> pd.DataFrame:
    """Compute a percentile bootstrap interval of each measure of one clustering, resampling sentences.

    On average the value of a resample is higher (VI: lower) than that of the original sentences, since a sentence that
    is drawn twice agrees with itself; the bias is larger for small samples. Errors are those of `paired_bootstrap`.

    Parameters
    ----------
    gold, predicted, sentences, measures, resamples, confidence, base, assignment, random_state
        See `paired_bootstrap`; ``predicted`` is that of one system.

    Returns
    -------
    DataFrame
        One row per measure: ``measure``, ``value``, ``lower``, ``upper``, ``resamples``, ``unit``.

    Examples
    --------
    >>> gold, sentences = ["N", "V"] * 20, np.repeat(np.arange(20), 2)
    >>> bootstrap_intervals(gold, [1, 1, 1, 2] * 10, sentences, ["many-to-one"]).round(2)
           measure  value  lower  upper  resamples        unit
    0  many-to-one   0.75   0.62   0.88       1000  proportion
    """
    _check(measures, resamples, confidence, base, assignment)
    drawn, whole = _resampled(gold, {"": predicted}, sentences, measures, resamples, base, assignment, random_state)
    rows = [
        (measure, value, *percentile_interval(column, confidence), _unit(measure, base))
        for measure, value, column in zip(measures, whole[""], drawn[""].T, strict=True)
    ]
    return pd.DataFrame(rows, columns=["measure", "value", "lower", "upper", "resamples", "unit"])


def _unit(measure: str, base: float) -> str:
    return unit_of_entropy(base) if measure in ("VI", "H(C|K)", "H(K|C)") else "proportion"


@dataclass(frozen=True)
class _Cells:
    """The cells of a table of classes and clusters, by class, with their numbers of tokens per sentence."""

    of_sentence: csr_array  # (n_cells, n_sentences)
    rows: np.ndarray
    columns: np.ndarray
    by_name: np.ndarray  # their order by the name of the class, then of the cluster, both as strings

    @property
    def row_starts(self) -> np.ndarray:
        return np.flatnonzero(np.diff(self.rows, prepend=-1))

    @property
    def by_column(self) -> np.ndarray:
        return np.argsort(self.columns, kind="stable")


def _cells(gold: np.ndarray, predicted: np.ndarray, sentences: np.ndarray, names: tuple[pd.Index, pd.Index]) -> _Cells:
    width, n_sentences = int(predicted.max()) + 1, int(sentences.max()) + 1
    cells, cell = np.unique(gold.astype(np.int64) * width + predicted, return_inverse=True)
    ones = np.ones(len(cell), dtype=np.int32)  # there are fewer than 2 ** 31 tokens
    of_sentence = csr_array((ones, (cell, sentences)), shape=(len(cells), n_sentences))
    of_sentence.sum_duplicates()
    rows, columns = np.divmod(cells, width)
    row_rank, column_rank = (np.argsort(name_order(own)) for own in names)
    return _Cells(of_sentence, rows, columns, np.lexsort((column_rank[columns], row_rank[rows])))


def _resampled(
    gold: Labels,
    clusterings: Mapping[str, Labels],
    sentences: Labels,
    measures: Sequence[str],
    resamples: int,
    base: float,
    assignment: str,
    random_state: int | np.random.Generator | None,
) -> tuple[dict[str, np.ndarray], dict[str, np.ndarray]]:
    """Compute measures of each clustering in each resample, shape (resamples, n_measures), and on the original data."""
    gold_codes, gold_names = label_codes(gold, "gold")
    sentence_codes = label_codes(sentences, "sentences")[0]
    tables = {}
    for name, labels in clusterings.items():
        codes, names = label_codes(labels, f"predicted {name}".strip())
        if not len(codes) == len(gold_codes) == len(sentence_codes):
            raise ValueError(
                f"gold has {len(gold_codes):,} labels, predicted {len(codes):,}, sentences {len(sentence_codes):,}: "
                "they must label the same tokens."
            )
        if not len(codes):
            raise ValueError("there is no token to score: gold and predicted are empty.")
        sentence = np.unique(sentence_codes, return_inverse=True)[1]
        tables[name] = _cells(gold_codes, codes, sentence, (gold_names, names))
    n = next(iter(tables.values())).of_sentence.shape[1]
    largest = max(n, *(table.of_sentence.shape[0] for table in tables.values()))
    drawn: dict[str, list[np.ndarray]] = {name: [] for name in tables}
    for times in count_draws(n, resamples, random_state, block=max(1, _NUMBERS // largest)):
        for name, table in tables.items():
            counts = table.of_sentence @ times.T.astype(np.int32, order="C")
            drawn[name].append(_measured(table, counts, measures, base, assignment))
    as_it_is = np.ones((n, 1), dtype=np.int32)
    whole = {
        name: _measured(table, table.of_sentence @ as_it_is, measures, base, assignment)[0]
        for name, table in tables.items()
    }
    return {name: np.concatenate(parts) for name, parts in drawn.items()}, whole


def _measured(cells: _Cells, counts: np.ndarray, measures: Sequence[str], base: float, assignment: str) -> np.ndarray:
    """Compute measures (columns) of tables whose cells are the columns of `counts`; NaN if undefined."""
    by_column = cells.by_column
    column_starts = np.flatnonzero(np.diff(cells.columns[by_column], prepend=-1))
    gold = np.add.reduceat(counts, cells.row_starts, axis=0)
    predicted = np.add.reduceat(counts[by_column], column_starts, axis=0)
    n = gold.sum(axis=0)
    found: dict[str, np.ndarray] = {}
    if "many-to-one" in measures:
        found["many-to-one"] = np.maximum.reduceat(counts[by_column], column_starts, axis=0).sum(axis=0) / n
    if "one-to-one" in measures:
        found["one-to-one"] = _one_to_one(cells, counts, assignment) / n
    if any(measure.startswith("pairwise") for measure in measures):
        both, in_clusters, in_classes = (
            (sizes * (sizes - 1) // 2).sum(axis=0).astype(np.float64)
            for sizes in (counts.astype(np.int64), predicted.astype(np.int64), gold.astype(np.int64))
        )
        with np.errstate(invalid="ignore"):
            found["pairwise precision"], found["pairwise recall"] = both / in_clusters, both / in_classes
            found["pairwise F1"] = 2 * both / (in_clusters + in_classes)
    if set(measures) & {"V", "VI", "NVI", "H(C|K)", "H(K|C)"}:
        found |= _of_entropies(counts, gold, predicted, n, base)
    return np.stack([found[measure] for measure in measures], axis=1)


def _of_entropies(
    counts: np.ndarray, gold: np.ndarray, predicted: np.ndarray, n: np.ndarray, base: float
) -> dict[str, np.ndarray]:
    classes, clusters, both = (xlogy(sizes, sizes).sum(axis=0) for sizes in (gold, predicted, counts))
    unit = n * math.log(base)
    total = xlogy(n, n)
    h_c, h_k = (total - classes) / unit, (total - clusters) / unit
    h_c_k, h_k_c = np.maximum(clusters - both, 0.0) / unit, np.maximum(classes - both, 0.0) / unit
    one_class, one_cluster = ((sizes > 0).sum(axis=0) == 1 for sizes in (gold, predicted))
    h = np.where(one_class, 1.0, np.maximum(1 - h_c_k / np.where(one_class, 1.0, h_c), 0.0))
    c = np.where(one_cluster, 1.0, np.maximum(1 - h_k_c / np.where(one_cluster, 1.0, h_k), 0.0))
    return {
        "H(C|K)": h_c_k,
        "H(K|C)": h_k_c,
        "VI": h_c_k + h_k_c,
        "NVI": np.where(one_class, h_k, (h_c_k + h_k_c) / np.where(one_class, 1.0, h_c)),
        "V": np.where(h + c > 0, 2 * h * c / np.where(h + c > 0, h + c, 1.0), 0.0),
    }


def _one_to_one(cells: _Cells, counts: np.ndarray, assignment: str) -> np.ndarray:
    """Sum the tokens of the cells that `one_to_one` matches in each table."""
    if assignment == "greedy":
        from analysis.categories.bootstrap_kernels import greedy_totals

        size = len(counts)
        keys = counts[cells.by_name].T * np.int64(size) + np.arange(size - 1, -1, -1)
        keys = np.sort(np.ascontiguousarray(keys), axis=1)
        rows, columns = (
            np.ascontiguousarray(codes[cells.by_name], dtype=np.int64) for codes in (cells.rows, cells.columns)
        )
        row_free, column_free = (np.empty(int(codes.max()) + 1, dtype=bool) for codes in (rows, columns))
        totals = np.empty(len(keys), dtype=np.int64)
        greedy_totals(keys, rows, columns, row_free, column_free, totals)
        return totals
    from scipy.optimize import linear_sum_assignment

    dense = np.zeros((int(cells.rows.max()) + 1, int(cells.columns.max()) + 1), dtype=np.int64)
    totals = np.empty(counts.shape[1], dtype=np.int64)
    for table in range(counts.shape[1]):
        dense[cells.rows, cells.columns] = counts[:, table]
        totals[table] = dense[linear_sum_assignment(dense, maximize=True)].sum()
    return totals


def _check(measures: Sequence[str], resamples: int, confidence: float, base: float, assignment: str) -> None:
    if isinstance(measures, str) or not set(measures) <= set(MEASURES) or not len(measures):
        raise ValueError(f"measures must be a list of some of {', '.join(MEASURES)}, not {measures!r}.")
    check_choice("assignment", assignment, ASSIGNMENTS)
    check_resampling(resamples, confidence)
    if not base > 0 or base == 1 or not math.isfinite(base):
        raise ValueError(f"the base of a logarithm is above 0 and not 1; it is {base!r}.")
