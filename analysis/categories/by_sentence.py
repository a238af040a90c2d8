"""What a clustering scores, sentence by sentence: every token-level measure on sentences drawn again or left out."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from analysis.categories.assignment import ASSIGNMENTS, name_order
from analysis.categories.chance_adjusted import expected_mutual_information, fold_of_sentences, sentence_numbers
from analysis.categories.information import unit_of_entropy
from analysis.statistics.scored import Measure
from analysis.structures import Labels, check_choice
from analysis.structures.assignment_problem import linear_sum_assignment
from analysis.structures.digests import gold_digest, plain_number
from analysis.structures.labels import encode_pair
from analysis.structures.lazy import sparse
from analysis.structures.special_functions import xlogy

ENTROPIES = ("H(C|K)", "H(K|C)")

#: Every token-level measure, in the order in which they are shown.
MEASURES = (
    "many-to-one",
    "cross-validated many-to-one",
    "one-to-one",
    "NVI",
    "V",
    *ENTROPIES,
    "VI",
    "pairwise precision",
    "pairwise recall",
    "pairwise F1",
    "ARI",
    "AMI",
    "tagging accuracy",
)

#: Groups of sentences that are left out in turn for AMI, whose expectation is dear.
GROUPS = 40

_OF_ENTROPIES = ("NVI", "V", *ENTROPIES, "VI", "AMI")
_BASED = ("NVI", *ENTROPIES, "VI")  # the base matters for NVI where there is one class


@dataclass(frozen=True, eq=False)
class ScoredTokens:
    """Token-level measures of one clustering as functions of the sentences; see `analysis.statistics.scored.Scored`.

    Made by `scored_tokens`.

    Attributes
    ----------
    names : tuple of str
        Of `MEASURES`.
    base, assignment, folds
        Conventions.
    data : str
        Digest of the scored gold standard.
    choices : mapping
        What else the numbers depend on, such as which tokens are scored.

    Examples
    --------
    >>> found = scored_tokens(["N", "V", "N"], [1, 2, 2], [0, 0, 1], ["many-to-one"])
    >>> found.n, found.values().round(3).tolist()
    (2, [[0.667]])
    """

    names: tuple[str, ...]
    base: float
    assignment: str
    folds: int
    data: str
    choices: Mapping[str, object]
    _tokens: tuple[tuple[np.ndarray, np.ndarray], ...] = field(repr=False)  # cell and sentence of each, part by part
    _n: int = field(repr=False)  # sentences
    _rows: np.ndarray = field(repr=False)  # class of each cell, rising
    _columns: np.ndarray = field(repr=False)  # its cluster
    _by_name: np.ndarray = field(repr=False)  # cells by the class's name, then by the cluster's, both as strings
    _unread: int = field(repr=False)  # cluster that no mapping reads, or -1
    _equal: np.ndarray = field(repr=False)  # whether class and cluster of a cell have the same name

    task = "tags"
    resampled = "sentence"

    @property
    def n(self) -> int:
        """Number of sentences."""
        return self._n

    @cached_property
    def _by_fold(self) -> tuple[sparse.csr_array, ...]:
        """Tokens of each cell in each sentence; sentences of other parts are empty."""
        tables = []
        for places in self._tokens:
            ones = np.ones(len(places[0]), dtype=np.int32)  # tokens are fewer than 2 thousand million
            tables.append(sparse.csr_array((ones, places), shape=(len(self._rows), self._n)))
            tables[-1].sum_duplicates()
        return tuple(tables)

    @property
    def measures(self) -> tuple[Measure, ...]:
        """The measures, and how their intervals are found."""
        return tuple(_measure(name, self.base) for name in self.names)

    def conventions(self, measure: str) -> Mapping[str, object]:
        """The choices on which the number of a measure depends."""
        own: dict[str, object] = {}
        if measure == "many-to-one":
            own["map"] = "majority"
        elif measure == "cross-validated many-to-one":
            own |= {"map": "majority of other parts", "folds": self.folds}
        elif measure == "one-to-one":
            own["map"] = self.assignment
        elif measure in _BASED:
            own["base"] = "e" if self.base == math.e else plain_number(self.base)
        return {**self.choices, **own}

    def values(self, times: np.ndarray | None = None) -> np.ndarray:
        """As in `Scored`; NaN where a measure is undefined, and for AMI on sentences drawn again."""
        if times is None:
            whole = (np.bincount(cell, minlength=len(self._rows)) for cell, _ in self._tokens)
            by_fold = [counts.astype(np.int32)[:, None] for counts in whole]
        else:
            drawn = times.T.astype(np.int32, order="C")
            by_fold = [counts @ drawn for counts in self._by_fold]
        counts = by_fold[0] if len(by_fold) == 1 else np.add.reduce(by_fold)
        found = self._measured(counts, by_fold)
        if "AMI" in self.names:
            found["AMI"] = np.full(counts.shape[1], math.nan)
            if times is None:
                found["AMI"][0] = self._mutual_information(counts[:, 0])
        return np.stack([found[name] for name in self.names], axis=1)

    def _measured(self, counts: np.ndarray, by_fold: Sequence[np.ndarray]) -> dict[str, np.ndarray]:
        """Measures of tables whose cells are the columns of `counts`, but for AMI."""
        order, starts = self._column_order
        by_column = counts[order]
        gold = np.add.reduceat(counts, self._row_starts, axis=0)
        predicted = np.add.reduceat(by_column, starts, axis=0)
        n = gold.sum(axis=0)
        found: dict[str, np.ndarray] = {}
        with np.errstate(divide="ignore", invalid="ignore"):
            if "many-to-one" in self.names:
                best = np.maximum.reduceat(by_column, starts, axis=0)
                found["many-to-one"] = best[self._columns[order][starts] != self._unread].sum(axis=0) / n
            if "cross-validated many-to-one" in self.names:
                found["cross-validated many-to-one"] = self._cross_validated(counts, by_fold) / n
            if "one-to-one" in self.names:
                found["one-to-one"] = self._one_to_one(counts) / n
            if "tagging accuracy" in self.names:
                found["tagging accuracy"] = counts[self._equal].sum(axis=0) / n
            if any(name.startswith("pairwise") or name == "ARI" for name in self.names):
                found |= _of_pairs(counts, gold, predicted, n)
        if set(self.names) & {*_OF_ENTROPIES}:
            sums = [xlogy(sizes, sizes).sum(axis=0) for sizes in (gold, predicted, counts)]
            alone = [(sizes > 0).sum(axis=0) == 1 for sizes in (gold, predicted)]
            found |= _of_entropies(sums, n, alone, self.base)
        return found

    @property
    def _row_starts(self) -> np.ndarray:
        return np.flatnonzero(np.diff(self._rows, prepend=-1))

    @property
    def _column_order(self) -> tuple[np.ndarray, np.ndarray]:
        order = np.argsort(self._columns, kind="stable")
        return order, np.flatnonzero(np.diff(self._columns[order], prepend=-1))

    def _cross_validated(self, counts: np.ndarray, by_fold: Sequence[np.ndarray]) -> np.ndarray:
        """Tokens read correctly by the mapping of the other parts."""
        readable = self._by_name[self._columns[self._by_name] != self._unread]
        order = readable[np.argsort(self._columns[readable], kind="stable")]  # by cluster, then by the class's name
        total = np.zeros(counts.shape[1], dtype=np.int64)
        if not len(order):
            return total
        starts = np.flatnonzero(np.diff(self._columns[order], prepend=-1))
        size = len(order)
        place = np.arange(size)[:, None]
        tables = np.arange(counts.shape[1])
        for own in by_fold:
            others = (counts - own)[order].astype(np.int64)
            best = np.maximum.reduceat(others * size + (size - 1 - place), starts, axis=0)
            cell = size - 1 - best % size  # of equal cells the first
            total += np.where(best >= size, own[order][cell, tables], 0).sum(axis=0)
        return total

    def _one_to_one(self, counts: np.ndarray) -> np.ndarray:
        """Tokens of the cells that `one_to_one` takes in each table."""
        if self._unread >= 0:
            counts = np.where((self._columns == self._unread)[:, None], 0, counts)
        if self.assignment == "greedy":
            from analysis.categories.bootstrap_kernels import greedy_totals

            size = len(counts)
            keys = counts[self._by_name].T * np.int64(size) + np.arange(size - 1, -1, -1)
            keys = np.sort(np.ascontiguousarray(keys), axis=1)
            rows, columns = (
                np.ascontiguousarray(codes[self._by_name], dtype=np.int64) for codes in (self._rows, self._columns)
            )
            row_free, column_free = (np.empty(int(codes.max()) + 1, dtype=bool) for codes in (rows, columns))
            totals = np.empty(len(keys), dtype=np.int64)
            greedy_totals(keys, rows, columns, row_free, column_free, totals)
            return totals

        dense = np.zeros((int(self._rows.max()) + 1, int(self._columns.max()) + 1), dtype=np.int64)
        totals = np.empty(counts.shape[1], dtype=np.int64)
        for table in range(counts.shape[1]):
            dense[self._rows, self._columns] = counts[:, table]
            totals[table] = dense[linear_sum_assignment(dense, maximize=True)].sum()
        return totals

    def _mutual_information(self, cells: np.ndarray) -> float:
        margins = (np.bincount(codes, cells).astype(np.int64) for codes in (self._rows, self._columns))
        gold, predicted = (sizes[sizes > 0] for sizes in margins)
        n = int(cells.sum())
        if (len(gold), len(predicted)) in ((1, 1), (n, n)):
            return 1.0
        classes, clusters, both = (float(xlogy(sizes, sizes).sum()) for sizes in (gold, predicted, cells))
        total, expected = float(xlogy(n, n)), expected_mutual_information(gold, predicted)
        shared, mean = (total + both - classes - clusters) / n, (2 * total - classes - clusters) / n / 2
        return (shared - expected) / (mean - expected) if n else math.nan

    def left_out(self) -> dict[str, np.ndarray]:
        """Entropies and what is made of them without each sentence; AMI without each of `GROUPS` groups of them."""
        wanted = [name for name in self.names if name in _OF_ENTROPIES]
        if not wanted:
            return {}
        cells = self._by_fold[0] if len(self._by_fold) == 1 else sum(self._by_fold[1:], self._by_fold[0])
        sides = [cells.tocsc()]
        for codes in (self._rows, self._columns):
            ones = np.ones(len(codes), dtype=np.int32)
            by_label = sparse.csr_array(
                (ones, (codes, np.arange(len(codes)))), shape=(int(codes.max()) + 1, len(codes))
            )
            sides.append((by_label @ cells).tocsc())
        both, gold, predicted = (_without_each(side) for side in sides)
        n = int(sides[0].data.sum()) - np.asarray(sides[0].sum(axis=0)).ravel()
        sums = [gold.sums, predicted.sums, both.sums]
        with np.errstate(divide="ignore", invalid="ignore"):
            found = _of_entropies(sums, n, [gold.left == 1, predicted.left == 1], self.base)
        left = {name: np.where(n > 0, found[name], math.nan) for name in wanted if name != "AMI"}
        if "AMI" in wanted:
            groups = min(self.n, GROUPS)
            drawn = (np.arange(self.n)[:, None] % groups != np.arange(groups)).astype(np.int32)
            left["AMI"] = np.array([self._mutual_information(table) for table in (cells @ drawn).T])
        return left


def scored_tokens(
    gold: Labels,
    predicted: Labels,
    sentences: Labels,
    measures: Sequence[str] | None = None,
    *,
    base: float = 2,
    assignment: str = "optimal",
    folds: int = 2,
    unread: object = None,
    choices: Mapping[str, object] | None = None,
) -> ScoredTokens:
    """Score a clustering so that its measures can be had on sentences that are drawn again or left out.

    Parameters
    ----------
    gold, predicted : array-like of shape (n_tokens,)
        Class and cluster of each token.
    sentences : array-like of shape (n_tokens,)
        Sentence of each token.
    measures : sequence of str, optional
        Of `MEASURES`. By default all; tagging accuracy if clusters and classes share a name, cross-validated
        many-to-one if there are as many sentences as folds.
    base : float
        Of the logarithm of VI and the entropies.
    assignment : {"optimal", "greedy"}
        As in `one_to_one`.
    folds : int
        As in `cross_validated_many_to_one`.
    unread : object
        A cluster that no mapping reads: its tokens are never right. By default none.
    choices : mapping, optional
        What else the numbers depend on, for the signature.

    Returns
    -------
    ScoredTokens

    Raises
    ------
    ValueError
        If the lengths differ, a label is missing, there is no token, a measure is unknown, or a number out of range.

    Examples
    --------
    >>> from analysis.statistics.scored import estimates
    >>> gold, sentences = ["N", "V"] * 20, np.repeat(np.arange(20), 2)
    >>> found = scored_tokens(gold, [1, 1, 1, 2] * 10, sentences, ["many-to-one", "V"])
    >>> [(row.measure, row.method, round(row.value, 2)) for row in estimates(found)]
    [('many-to-one', 'basic', 0.75), ('V', 'jackknife', 0.34)]
    """
    check_choice("assignment", assignment, ASSIGNMENTS)
    if not base > 0 or base == 1 or not math.isfinite(base):
        raise ValueError(f"the base of a logarithm is above 0 and not 1; it is {base!r}.")
    codes, names, clusters, cluster_names = encode_pair(gold, predicted)
    numbers = sentence_numbers(sentences, len(codes))
    n = int(numbers.max()) + 1
    width = int(clusters.max()) + 1
    cells, cell = np.unique(codes.astype(np.int64) * width + clusters, return_inverse=True)
    rows, columns = np.divmod(cells, width)
    texts = [np.array([str(name) for name in own], dtype=object) for own in (names, cluster_names)]
    equal = texts[0][rows] == texts[1][columns]
    chosen = _chosen(measures, n, folds, bool(equal.any()))
    folded = "cross-validated many-to-one" in chosen
    part = fold_of_sentences(n, folds)[numbers] if folded else np.zeros(len(numbers), dtype=np.int64)
    by_part = [(cell[part == own], numbers[part == own]) for own in range(folds if folded else 1)]
    row_rank, column_rank = (np.argsort(name_order(own)) for own in (names, cluster_names))
    place = np.flatnonzero(texts[1] == str(unread)) if unread is not None else np.zeros(0, dtype=np.int64)
    return ScoredTokens(
        chosen,
        base,
        assignment,
        folds,
        gold_digest(texts[0][codes], numbers),
        dict(choices or {}),
        tuple(by_part),
        n,
        np.unique(rows, return_inverse=True)[1],
        np.unique(columns, return_inverse=True)[1],
        np.lexsort((column_rank[columns], row_rank[rows])),
        int(np.searchsorted(np.unique(columns), place[0])) if len(place) else -1,
        equal,
    )


def _chosen(measures: Sequence[str] | None, n: int, folds: int, share_names: bool) -> tuple[str, ...]:
    if measures is None:
        absent = set() if n >= folds else {"cross-validated many-to-one"}
        return tuple(name for name in MEASURES if name not in absent | (set() if share_names else {MEASURES[-1]}))
    if isinstance(measures, str) or not set(measures) <= set(MEASURES) or not len(measures):
        raise ValueError(f"measures must be a list of some of {', '.join(MEASURES)}, not {measures!r}.")
    return tuple(measures)


def _measure(name: str, base: float) -> Measure:
    if name in _OF_ENTROPIES:
        unit = unit_of_entropy(base) if name in ("VI", *ENTROPIES) else "proportion"
        bounds = {"V": (0.0, 1.0), "AMI": (-math.inf, 1.0)}.get(name, (0.0, math.inf))
        return Measure(name, unit, "jackknife", *bounds, lower_is_better=name not in ("V", "AMI"))
    method = "basic" if name == "many-to-one" else "percentile"
    return Measure(name, "proportion", method, -math.inf if name == "ARI" else 0.0)


def _of_pairs(counts: np.ndarray, gold: np.ndarray, predicted: np.ndarray, n: np.ndarray) -> dict[str, np.ndarray]:
    both, in_clusters, in_classes, pairs = (
        (sizes * (sizes - 1) // 2).sum(axis=0).astype(np.float64)
        for sizes in (part.astype(np.int64) for part in (counts, predicted, gold, n[None, :]))
    )
    expected = in_classes * in_clusters / pairs
    same = (in_classes == in_clusters) & ((in_classes == 0) | (in_classes == pairs))
    return {
        "pairwise precision": both / in_clusters,
        "pairwise recall": both / in_classes,
        "pairwise F1": 2 * both / (in_clusters + in_classes),
        "ARI": np.where(same, 1.0, (both - expected) / ((in_classes + in_clusters) / 2 - expected)),
    }


def _of_entropies(
    sums: Sequence[np.ndarray], n: np.ndarray, alone: Sequence[np.ndarray], base: float
) -> dict[str, np.ndarray]:
    """Measures from the sums of x log x over classes, clusters and cells; `alone`: one class, one cluster."""
    classes, clusters, both = sums
    one_class, one_cluster = alone
    unit = n * math.log(base)
    total = xlogy(n, n)
    h_c, h_k = (total - classes) / unit, (total - clusters) / unit
    h_c_k, h_k_c = np.maximum(clusters - both, 0.0) / unit, np.maximum(classes - both, 0.0) / unit
    h = np.where(one_class, 1.0, np.maximum(1 - h_c_k / np.where(one_class, 1.0, h_c), 0.0))
    c = np.where(one_cluster, 1.0, np.maximum(1 - h_k_c / np.where(one_cluster, 1.0, h_k), 0.0))
    return {
        "H(C|K)": h_c_k,
        "H(K|C)": h_k_c,
        "VI": h_c_k + h_k_c,
        "NVI": np.where(one_class, h_k, (h_c_k + h_k_c) / np.where(one_class, 1.0, h_c)),
        "V": np.where(h + c > 0, 2 * h * c / np.where(h + c > 0, h + c, 1.0), 0.0),
    }


@dataclass(frozen=True)
class _Without:
    sums: np.ndarray  # of x log x over the cells without each sentence
    left: np.ndarray  # cells that are left


def _without_each(counts: sparse.csr_array) -> _Without:
    """What is left of a table (cells by sentences, by sentence) without each sentence: only its own cells change."""
    totals = np.asarray(counts.sum(axis=1)).ravel().astype(np.float64)
    sentence = np.repeat(np.arange(counts.shape[1]), np.diff(counts.indptr))
    before = totals[counts.indices]
    after = before - counts.data
    change = np.bincount(sentence, xlogy(after, after) - xlogy(before, before), minlength=counts.shape[1])
    emptied = np.bincount(sentence, after == 0, minlength=counts.shape[1])
    return _Without(float(xlogy(totals, totals).sum()) + change, (totals > 0).sum() - emptied)
