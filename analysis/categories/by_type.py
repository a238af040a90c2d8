"""What a lexicon of clusters scores, word type by word type: the type-level measures on types that are drawn again."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from analysis.categories.type_measures import (
    MAPPINGS,
    MEASURES,
    best_reading,
    climb_from,
    merged_memberships,
    score_type_mapping,
)
from analysis.categories.type_table import TypeTable, as_type_table, cells_of_types
from analysis.statistics.scored import Measure
from analysis.structures import Score, check_choice
from analysis.structures.assignment_problem import linear_sum_assignment
from analysis.structures.digests import gold_digest
from analysis.structures.lazy import pd, sparse

#: Measure and mapping, as records name them.
NAMES = tuple(f"{name} ({mapping})" for name in MEASURES.values() for mapping in reversed(MAPPINGS))

#: What becomes of the mapping of clusters to classes when types are drawn again.
REMAPPING = ("fixed", "again")


@dataclass(frozen=True, eq=False)
class ScoredTypes:
    """Type-level measures of one clustering as functions of the types; see `analysis.statistics.scored.Scored`.

    Made by `scored_types`.

    Parameters
    ----------
    names : tuple of str
        Of `NAMES`.
    table : TypeTable
    remapping : str
        One of `REMAPPING`.
    readings : mapping of str to ndarray
        Class of each cluster under the best mapping of all types, by name of the measure.
    data : str
        Digest of the scored gold standard.
    choices : mapping
        What else the numbers depend on.

    Examples
    --------
    >>> lexicon = pd.DataFrame({"form": ["run", "dog"], "cluster": ["V", "N"]})
    >>> scored_types(lexicon, lexicon).values().tolist()
    [[1.0, 1.0, 1.0, 1.0, 1.0, 1.0]]
    """

    names: tuple[str, ...]
    table: TypeTable = field(repr=False)
    remapping: str
    readings: Mapping[str, np.ndarray] = field(repr=False)
    data: str
    choices: Mapping[str, object]

    task = "types"
    resampled = "type"

    @property
    def n(self) -> int:
        """Number of word types."""
        return self.table.n_types

    @property
    def measures(self) -> tuple[Measure, ...]:
        """The measures; searched again, many-to-one is raised by resampling, and its interval turned round."""
        turned = self.remapping == "again"
        return tuple(
            Measure(name, method="basic" if turned and "many-to-one" in name else "percentile") for name in self.names
        )

    def conventions(self, measure: str) -> Mapping[str, object]:
        """The choices on which the number of a measure depends."""
        own = {name: value for name, value in self.choices.items() if "many-to-one" in measure or name not in _SEARCH}
        return {**own, "map": "many-to-one" if "many-to-one" in measure else "one-to-one", "mapping": self.remapping}

    def left_out(self) -> dict[str, np.ndarray]:
        """Nothing: no measure of types needs it."""
        return {}

    def scores(self) -> list[Score]:
        """The measures of all types with counts and conventions, as `type_level_scores` has them; nothing is searched.

        Examples
        --------
        >>> lexicon = pd.DataFrame({"form": ["run", "dog"], "cluster": ["V", "N"]})
        >>> scored_types(lexicon, lexicon).scores()[0]
        MacroI 1.000 (4/4)
        """
        found = []
        search = {name: self.choices[name] for name in ("restarts", "initialisation")}
        for name in self.names:
            measure, mapping = _parts(name)
            reading = {
                self.table.clusters[cluster]: self.table.classes[code]
                for cluster, code in enumerate(self.readings[name].tolist())
                if code >= 0
            }
            said: dict[str, object] = {"mapping": mapping}
            said |= {"|h(B)|": "|B|"} if mapping == "one-to-one" else {"search": "hill climbing", **search}
            said |= {"missing": self.table.missing} if self.table.missing != "refuse" else {}
            score = score_type_mapping(self.table, None, reading, measure=measure, mapping=mapping)
            found.append(replace(score, conventions=said))
        return found

    def values(self, times: np.ndarray | None = None) -> np.ndarray:
        """As in `Scored`; with the mapping of all types, or with one that is found again in each resample."""
        weights = np.ones((self.n, 1)) if times is None else times.T.astype(np.float64, order="C")
        if self.remapping == "fixed" or times is None:
            return self._fixed(weights)
        columns = []
        for name in self.names:
            measure, mapping = _parts(name)
            if mapping == "one-to-one":
                columns.append(self._matched(measure, weights.T))
            else:
                columns.append(self._climbed(measure, self.readings[name], times))
        return np.stack(columns, axis=1)

    def _fixed(self, weights: np.ndarray) -> np.ndarray:
        """The measures (columns) with their mappings of all types, on types with weights (a column a resample)."""
        table, columns = self.table, []
        total, classes = weights.sum(axis=0), table.gold.T @ weights
        for name in self.names:
            measure, mapping = _parts(name)
            merged = merged_memberships(table, self.readings[name])
            right = sparse.csr_array(table.gold.multiply(merged))
            given = table.predicted_entries if mapping == "one-to-one" else np.diff(merged.indptr)
            entries, matches = table.gold_entries + given, np.asarray(right.sum(axis=1)).ravel()
            if measure == "macro_i":
                top, bottom = _summed(weights, 2 * matches, entries)
            elif measure == "micro_i":
                top, bottom = _summed(weights, 2 * matches / np.maximum(entries, 1))[0], total
            else:
                union, shared = merged.T @ weights, right.T @ weights
                both = union + classes
                top = (2 * union * shared / np.where(both > 0, both, 1.0)).sum(axis=0)
                bottom = _summed(weights, given)[0] if mapping == "one-to-one" else union.sum(axis=0)
            with np.errstate(divide="ignore", invalid="ignore"):
                columns.append(top / bottom)
        return np.stack(columns, axis=1)

    def _matched(self, measure: str, weights: np.ndarray) -> np.ndarray:
        """A measure with the best one-to-one mapping of each resample."""
        table = self.table
        entries = table.gold_entries + table.predicted_entries
        shape = (table.gold.shape[1], table.predicted.shape[1])
        pairs, of_type, cells = cells_of_types(table)
        share = 2 / entries[of_type] if measure == "micro_i" else np.ones(len(of_type))
        by_type = sparse.csr_array((share, (pairs, of_type)), shape=(len(cells), self.n))
        found = np.empty(len(weights))
        sizes = [(part.T @ weights.T).T for part in (table.gold, table.predicted)]
        overlaps = (by_type @ weights.T).T
        dense, rows, columns = np.zeros(shape), cells // shape[1], cells % shape[1]
        for draw, (weight, overlap) in enumerate(zip(weights, overlaps, strict=True)):
            if measure == "micro_c":
                classes, clusters = sizes[0][draw][rows], sizes[1][draw][columns]
                overlap = 2 * clusters * overlap / np.maximum(clusters + classes, 1)
            dense[rows, columns] = overlap
            top = dense[linear_sum_assignment(dense, maximize=True)].sum()
            bottom = {"macro_i": weight @ entries / 2, "micro_i": weight.sum(), "micro_c": sizes[1][draw].sum()}
            found[draw] = top / bottom[measure] if bottom[measure] else math.nan
        return found

    def _climbed(self, measure: str, reading: np.ndarray, times: np.ndarray) -> np.ndarray:
        """A measure with a many-to-one mapping that is climbed to in each resample, from the one of all types."""
        found = np.empty(len(times))
        for draw, counts in enumerate(times):
            rows = np.repeat(np.arange(self.n), counts)
            table = TypeTable.of(
                sparse.csr_array(self.table.gold[rows]), sparse.csr_array(self.table.predicted[rows]),
                self.table.forms[rows], self.table.gold_names, self.table.predicted_names,
            )  # fmt: skip
            found[draw] = climb_from(table, measure, reading)
        return found


_SEARCH = ("restarts", "initialisation", "search seed")


def scored_types(
    gold: pd.DataFrame | TypeTable,
    predicted: pd.DataFrame | None = None,
    measures: Sequence[str] | None = None,
    *,
    remapping: str = "fixed",
    restarts: int = 10,
    initialisation: str = "random",
    random_state: int | np.random.Generator | None = 0,
    missing: str = "refuse",
    choices: Mapping[str, object] | None = None,
) -> ScoredTypes:
    """Score a lexicon so that its measures can be had on types that are drawn again.

    Parameters
    ----------
    gold, predicted, restarts, initialisation, random_state, missing
        As in `macro_i`.
    measures : sequence of str, optional
        Of `NAMES`; by default all.
    remapping : {"fixed", "again"}
        Whether resamples are read by the mapping of all types, or each by its own best one, searched again. Its
        interval says how much the choice of the mapping adds; many-to-one takes long.
    choices : mapping, optional
        What else the numbers depend on, for the signature.

    Returns
    -------
    ScoredTypes

    Examples
    --------
    >>> from analysis.statistics.scored import estimates
    >>> gold = pd.DataFrame({"form": list("abcdefgh"), "cluster": list("NNNVVVDD")})
    >>> found = scored_types(gold, gold.assign(cluster=list("11222333")), ["MacroI (one-to-one)"])
    >>> (row,) = estimates(found, resamples=50)
    >>> row.value, row.lower < row.value
    (0.75, True)
    """
    check_choice("remapping", remapping, REMAPPING)
    names = NAMES if measures is None else tuple(measures)
    for name in names:
        check_choice("measure", name, NAMES)
    table = as_type_table(gold, predicted, missing=missing)
    random = np.random.default_rng(random_state)
    readings = {
        name: best_reading(table, *_parts(name), restarts=restarts, initialisation=initialisation, random=random)
        for name in NAMES
    }
    entries = zip(table.gold_sets.rows.tolist(), table.gold_sets.members.tolist(), strict=True)
    types, classes = list(table.types), list(table.classes)
    labels = [f"{types[row]}\t{classes[column]}" for row, column in entries]
    seed = random_state if isinstance(random_state, int) else "a generator's"
    own: dict[str, object] = {"restarts": restarts, "initialisation": initialisation, "search seed": seed}
    return ScoredTypes(names, table, remapping, readings, gold_digest(sorted(labels)), {**(choices or {}), **own})


def _summed(weights: np.ndarray, *numbers: np.ndarray) -> np.ndarray:
    """Weighted sums of numbers of the types, a row each; as a sparse product, which uses one thread."""
    return sparse.csr_array(np.stack(numbers).astype(np.float64)) @ weights


def _parts(name: str) -> tuple[str, str]:
    """Measure, as functions name it, and mapping."""
    shown, _, mapping = name.partition(" (")
    (measure,) = (key for key, value in MEASURES.items() if value == shown)
    return measure, mapping.rstrip(")")
