"""Measures of the lexicon of an induced clustering: word types may have several classes."""

from __future__ import annotations

import sys
from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np

from analysis.categories.assignment import Edges, best_edges
from analysis.categories.type_table import Sets, TypeTable, as_type_table, cells_of_types, sets_of
from analysis.structures import Score, check_at_least, check_choice
from analysis.structures.lazy import pd, sparse

MEASURES = {"macro_i": "MacroI", "micro_i": "MicroI", "micro_c": "MicroC"}
MAPPINGS = ("one-to-one", "many-to-one")
INITIALISATIONS = ("random", "edges")
_LITTLE_WORK = 4_000  #: memberships times starts

RandomState: TypeAlias = "int | np.random.Generator | None"
Lexicon: TypeAlias = "pd.DataFrame | TypeTable"


def macro_i(
    gold: Lexicon,
    predicted: pd.DataFrame | None = None,
    *,
    mapping: str = "one-to-one",
    restarts: int = 10,
    initialisation: str = "random",
    random_state: RandomState = 0,
    missing: str = "refuse",
) -> Score:
    """Compute MacroI: F-score over all memberships of word types.

    Type i has the gold classes A_i and the clusters B_i, which are mapped to the classes h(B_i); two clusters mapped to
    one class count once. MacroI = 2 sum |A_i ∩ h(B_i)| / (sum |A_i| + sum |h(B_i)|), for the mapping h that maximises
    it. It equals the macro average over clusters (MacroC).

    Parameters
    ----------
    gold, predicted : DataFrame
        Memberships (``form``, ``cluster``; one row per pair) of the same word types; the clusters of `gold` are the
        gold classes. A single `TypeTable` may replace both.
    mapping : {"one-to-one", "many-to-one"}
        One-to-one: found exactly, as a maximum weight matching; |h(B_i)| is |B_i| also if some of the clusters are not
        mapped. Many-to-one: found by hill climbing from several starts; the best is kept.
    restarts : int
        Number of starts (many-to-one only). More starts never lower the value.
    initialisation : {"random", "edges"}
        Start with a random class for each cluster, or with the class of the heaviest edge in the one-to-one graph; the
        order in which clusters are visited is random in both cases (many-to-one only).
    random_state : int, Generator or None
        Seed (many-to-one only).
    missing : {"refuse", "empty", "leave out"}
        Treatment of forms that only one lexicon lists; see `type_table`.

    Returns
    -------
    Score
        Counts; parts: types, classes, clusters, precision, recall; with many-to-one also the worst start and the
        number of starts within 1 % of the best.

    Raises
    ------
    ValueError
        If a lexicon is empty or lists a pair twice, the forms of the lexicons differ (unless ``missing`` allows it), or
        an argument is unknown.

    References
    ----------
    Reichart, Abend & Rappoport (2010), section 4.

    Examples
    --------
    >>> gold = pd.DataFrame({"form": ["run", "run", "dog"], "cluster": ["N", "V", "N"]})
    >>> predicted = pd.DataFrame({"form": ["run", "dog", "dog"], "cluster": [1, 1, 2]})
    >>> macro_i(gold, predicted)
    MacroI 0.667 (4/6)
    """
    return _measure("macro_i", gold, predicted, mapping, restarts, initialisation, random_state, missing)


def micro_i(
    gold: Lexicon,
    predicted: pd.DataFrame | None = None,
    *,
    mapping: str = "one-to-one",
    restarts: int = 10,
    initialisation: str = "random",
    random_state: RandomState = 0,
    missing: str = "refuse",
) -> Score:
    """Compute MicroI: mean over word types of the F-score of each type, 2 |A_i ∩ h(B_i)| / (|A_i| + |h(B_i)|).

    Parameters
    ----------
    gold, predicted, mapping, restarts, initialisation, random_state, missing
        See `macro_i`.

    Returns
    -------
    Score
        numerator = sum of F (not an integer), denominator = types; parts as in `macro_i`, without precision and recall.

    Raises
    ------
    ValueError
        See `macro_i`.

    References
    ----------
    Reichart, Abend & Rappoport (2010), section 4.1.

    Examples
    --------
    >>> gold = pd.DataFrame({"form": ["run", "run", "dog"], "cluster": ["N", "V", "N"]})
    >>> predicted = pd.DataFrame({"form": ["run", "dog", "dog"], "cluster": [1, 1, 2]})
    >>> round(float(micro_i(gold, predicted)), 3)
    0.667
    """
    return _measure("micro_i", gold, predicted, mapping, restarts, initialisation, random_state, missing)


def micro_c(
    gold: Lexicon,
    predicted: pd.DataFrame | None = None,
    *,
    mapping: str = "one-to-one",
    restarts: int = 10,
    initialisation: str = "random",
    random_state: RandomState = 0,
    missing: str = "refuse",
) -> Score:
    """Compute MicroC: mean over clusters of the F-score of each cluster and its class, weighted by the number of types.

    Clusters mapped to the same class are first merged by set union: U_c. F_c = 2 |U_c ∩ c| / (|c| + |U_c|), and
    MicroC = sum |U_c| F_c / sum |U_c| over the classes to which a cluster is mapped. With one-to-one mapping an
    unmapped cluster has F = 0 and keeps its weight.

    Parameters
    ----------
    gold, predicted, mapping, restarts, initialisation, random_state, missing
        See `macro_i`.

    Returns
    -------
    Score
        numerator = sum of |U_c| F_c (not an integer), denominator = sum of |U_c|; parts as in `micro_i`.

    Raises
    ------
    ValueError
        See `macro_i`.

    References
    ----------
    Reichart, Abend & Rappoport (2010), section 4.2.

    Examples
    --------
    >>> gold = pd.DataFrame({"form": ["run", "run", "dog"], "cluster": ["N", "V", "N"]})
    >>> predicted = pd.DataFrame({"form": ["run", "dog", "dog"], "cluster": [1, 1, 2]})
    >>> micro_c(gold, predicted)
    MicroC 0.667 (2/3)
    """
    return _measure("micro_c", gold, predicted, mapping, restarts, initialisation, random_state, missing)


def type_level_scores(
    gold: Lexicon,
    predicted: pd.DataFrame | None = None,
    *,
    restarts: int = 10,
    initialisation: str = "random",
    random_state: RandomState = 0,
    missing: str = "refuse",
) -> list[Score]:
    """Compute the six type-level measures in the order of the paper's Table 1: MacroI, MicroI, MicroC, each M-1 then
    1-1.

    Parameters
    ----------
    gold, predicted, restarts, initialisation, random_state, missing
        See `macro_i`. The three many-to-one measures share one stream of random numbers.

    Returns
    -------
    list of Score

    References
    ----------
    Reichart, Abend & Rappoport (2010), Table 1.

    Examples
    --------
    >>> gold = pd.DataFrame({"form": ["run", "run", "dog"], "cluster": ["N", "V", "N"]})
    >>> [score.value for score in type_level_scores(gold, gold)]
    [1.0, 1.0, 1.0, 1.0, 1.0, 1.0]
    """
    table = as_type_table(gold, predicted, missing=missing)
    random = np.random.default_rng(random_state)
    return [
        _measure(measure, table, None, mapping, restarts, initialisation, random, missing)
        for measure in MEASURES
        for mapping in reversed(MAPPINGS)
    ]


def type_mapping(
    gold: Lexicon,
    predicted: pd.DataFrame | None = None,
    *,
    measure: str = "macro_i",
    mapping: str = "one-to-one",
    restarts: int = 10,
    initialisation: str = "random",
    random_state: RandomState = 0,
    missing: str = "refuse",
) -> pd.DataFrame:
    """Return the mapping used by a measure: one row per cluster.

    Parameters
    ----------
    gold, predicted, measure, mapping, restarts, initialisation, random_state, missing
        See `macro_i`; ``measure`` is one of ``macro_i``, ``micro_i``, ``micro_c``.

    Returns
    -------
    DataFrame
        ``cluster``; ``gold``, the class to which it is mapped (missing if none); ``types`` in the cluster; ``shared``,
        the number of these that have the class; ``weight``, the edge's weight in the one-to-one graph.

    Examples
    --------
    >>> gold = pd.DataFrame({"form": ["run", "run", "dog"], "cluster": ["N", "V", "N"]})
    >>> predicted = pd.DataFrame({"form": ["run", "dog", "dog"], "cluster": [1, 1, 2]})
    >>> type_mapping(gold, predicted)[["cluster", "gold", "types", "shared"]].values.tolist()
    [[1, 'N', 2, 2], [2, None, 1, 0]]
    """
    table = as_type_table(gold, predicted, missing=missing)
    _check(measure, mapping, restarts, initialisation)
    if mapping == "one-to-one":
        reading = _best_matching(table, measure)
    else:
        readings, values, _ = _climb(table, measure, restarts, initialisation, np.random.default_rng(random_state))
        reading = readings[int(np.argmax(values))]
    read = reading >= 0
    clusters = np.flatnonzero(read)
    shared, weight = np.zeros(len(reading), dtype=np.int64), np.zeros(len(reading))
    shared[read] = edge_weights(table, "macro_i")[reading[read], clusters]
    weight[read] = edge_weights(table, measure)[reading[read], clusters]
    names = table.gold_names.to_numpy(dtype=object)
    classes = pd.Series([names[c] if c >= 0 else None for c in reading], dtype=object)
    return pd.DataFrame(
        {
            "cluster": table.predicted_names,
            "gold": classes,
            "types": table.cluster_sizes,
            "shared": shared,
            "weight": weight,
        }
    )


def restart_values(
    gold: Lexicon,
    predicted: pd.DataFrame | None = None,
    *,
    measure: str = "macro_i",
    restarts: int = 10,
    initialisation: str = "random",
    random_state: RandomState = 0,
    missing: str = "refuse",
) -> pd.DataFrame:
    """Return the value reached by each start of hill climbing (many-to-one): one row per start.

    Parameters
    ----------
    gold, predicted, measure, restarts, initialisation, random_state, missing
        See `type_mapping`.

    Returns
    -------
    DataFrame
        ``measure``, ``initialisation``, ``restart`` (from 1), ``value``, ``passes`` over the clusters.

    References
    ----------
    Reichart, Abend & Rappoport (2010), section 5.2: the best 9 of 10 starts (7 for MicroC) were within 1 %.

    Examples
    --------
    >>> gold = pd.DataFrame({"form": ["run", "dog"], "cluster": ["V", "N"]})
    >>> restart_values(gold, gold, restarts=2)["value"].tolist()
    [1.0, 1.0]
    """
    table = as_type_table(gold, predicted, missing=missing)
    _check(measure, "many-to-one", restarts, initialisation)
    _, values, passes = _climb(table, measure, restarts, initialisation, np.random.default_rng(random_state))
    return pd.DataFrame(
        {
            "measure": MEASURES[measure],
            "initialisation": initialisation,
            "restart": np.arange(1, restarts + 1),
            "value": values,
            "passes": passes,
        }
    )


def restart_spread(
    starts: pd.DataFrame, by: Sequence[str] = ("measure", "initialisation"), *, share: float = 0.9, micro_c: float = 0.7
) -> pd.DataFrame:
    """Compute how much the best starts of hill climbing differ from the best one, relative to it.

    Parameters
    ----------
    starts : DataFrame
        Rows of `restart_values`, with further columns that identify runs.
    by : sequence of str
        Columns that identify runs; ``measure`` is one of them.
    share, micro_c : float
        Proportion of the starts that is counted, and that for MicroC.

    Returns
    -------
    DataFrame
        The columns of `by`, ``best``, ``counted`` (starts), ``spread`` (best minus the last counted one, divided by the
        best), ``all`` (the same for all starts).

    References
    ----------
    Reichart, Abend & Rappoport (2010), section 5.2.

    Examples
    --------
    >>> starts = pd.DataFrame({"measure": "MacroI", "initialisation": "random", "value": [0.5, 0.4, 0.2]})
    >>> restart_spread(starts, share=0.7).round(1).values.tolist()
    [['MacroI', 'random', 0.5, 2, 0.2, 0.6]]
    """
    rows = []
    for key, group in starts.groupby(list(by), sort=False):
        values = np.sort(group["value"].to_numpy())[::-1]
        part = micro_c if key[list(by).index("measure")] == "MicroC" else share
        counted = max(1, round(part * len(values)))
        spread, whole = (1 - values[last] / values[0] for last in (counted - 1, -1))
        rows.append((*key, values[0], counted, spread, whole))
    return pd.DataFrame(rows, columns=[*by, "best", "counted", "spread", "all"])


def score_type_mapping(
    gold: Lexicon,
    predicted: pd.DataFrame | None,
    reading: Mapping[Hashable, Hashable],
    *,
    measure: str = "macro_i",
    mapping: str = "one-to-one",
    missing: str = "refuse",
) -> Score:
    """Compute a measure under a given mapping instead of the best one.

    Parameters
    ----------
    gold, predicted, missing
        See `macro_i`.
    reading : mapping
        Class of each cluster; missing clusters are not mapped, which only one-to-one allows.
    measure : {"macro_i", "micro_i", "micro_c"}
    mapping : {"one-to-one", "many-to-one"}
        Which definition of |h(B_i)| is used.

    Returns
    -------
    Score

    Raises
    ------
    ValueError
        If the reading contains an unknown class or cluster, maps two clusters to one class with one-to-one, or lacks a
        cluster with many-to-one.

    Examples
    --------
    >>> gold = pd.DataFrame({"form": ["run", "dog"], "cluster": ["V", "N"]})
    >>> score_type_mapping(gold, gold, {"V": "N", "N": "V"})
    MacroI 0.000 (0/4)
    """
    table = as_type_table(gold, predicted, missing=missing)
    _check(measure, mapping, 1, "random")
    codes = np.full(len(table.clusters), -1, dtype=np.int64)
    clusters, classes = ({name: place for place, name in enumerate(side)} for side in (table.clusters, table.classes))
    for cluster, name in reading.items():
        if cluster not in clusters or name not in classes:
            raise ValueError(f"the reading of cluster {cluster!r} as {name!r} names an unknown cluster or class.")
        codes[clusters[cluster]] = classes[name]
    read = codes[codes >= 0]
    if mapping == "one-to-one" and len(set(read.tolist())) < len(read):
        raise ValueError("the reading gives one class to several clusters: it is not one-to-one.")
    if mapping == "many-to-one" and len(read) < len(codes):
        raise ValueError(f"the reading lacks cluster {table.predicted_names.tolist()[int((codes < 0).argmax())]!r}.")
    top, bottom = _value(table, measure, mapping, codes)
    return Score(MEASURES[measure], top, bottom, conventions={"mapping": f"given, {mapping}"}, parts=_shape(table))


def edge_weights(table: TypeTable, measure: str) -> sparse.csr_array:
    """Compute the weight of mapping a cluster to a class in the one-to-one graph, shape (n_classes, n_clusters).

    MacroI: |k ∩ c|. MicroI: sum over the types in both of 2 / (|A_i| + |B_i|). MicroC: |k| 2 |k ∩ c| / (|k| + |c|).
    The measure is the sum over the edges of a matching, divided by half of sum |A_i| + sum |B_i| (MacroI), the number
    of types (MicroI), or the sum of |k| (MicroC).

    Parameters
    ----------
    table : TypeTable
    measure : {"macro_i", "micro_i", "micro_c"}

    Returns
    -------
    csr_array of shape (n_classes, n_clusters)

    References
    ----------
    Reichart, Abend & Rappoport (2010), section 4.

    Examples
    --------
    >>> lexicon = pd.DataFrame({"form": ["run", "run", "dog"], "cluster": ["N", "V", "N"]})
    >>> edge_weights(as_type_table(lexicon, lexicon), "micro_i").toarray()
    array([[1.5, 0.5],
           [0.5, 0.5]])
    """
    return _as_table(table, _edges(table, measure))


def _edges(table: TypeTable, measure: str) -> Edges:
    place, types, cells = cells_of_types(table)
    classes, clusters = np.divmod(cells, len(table.clusters))
    if measure == "micro_i":
        shares = 2 / (table.gold_entries + table.predicted_entries)
        return Edges(classes, clusters, np.bincount(place, shares[types], minlength=len(cells)))
    overlap = np.bincount(place, minlength=len(cells))
    if measure == "macro_i":
        return Edges(classes, clusters, overlap)
    sizes = table.cluster_sizes[clusters]
    return Edges(classes, clusters, 2.0 * sizes * overlap / (sizes + table.class_sizes[classes]))


def _as_table(table: TypeTable, edges: Edges) -> sparse.csr_array:
    shape = (len(table.classes), len(table.clusters))
    return sparse.csr_array((edges.weights, (edges.rows, edges.columns)), shape=shape)


def _measure(
    measure: str,
    gold: Lexicon,
    predicted: pd.DataFrame | None,
    mapping: str,
    restarts: int,
    initialisation: str,
    random_state: RandomState,
    missing: str,
) -> Score:
    _check(measure, mapping, restarts, initialisation)
    table = as_type_table(gold, predicted, missing=missing)
    conventions: dict[str, object] = {"mapping": mapping}
    parts = _shape(table)
    if mapping == "one-to-one":
        reading = _best_matching(table, measure)
        conventions["|h(B)|"] = "|B|"
    else:
        random = np.random.default_rng(random_state)
        readings, values, _ = _climb(table, measure, restarts, initialisation, random)
        reading = readings[int(np.argmax(values))]
        conventions |= {"search": "hill climbing", "restarts": restarts, "initialisation": initialisation}
        parts["worst start"] = float(values.min())
        parts["starts within 1 %"] = int((values >= 0.99 * values.max()).sum())
    if table.missing != "refuse":
        conventions["missing"] = table.missing
    top, bottom = _value(table, measure, mapping, reading)
    if measure == "macro_i":
        gold_total = int(table.gold_entries.sum())
        parts["recall"] = top / 2 / gold_total
        parts["precision"] = top / 2 / (bottom - gold_total) if bottom > gold_total else 0.0
    return Score(MEASURES[measure], top, bottom, conventions=conventions, parts=parts)


def _value(table: TypeTable, measure: str, mapping: str, reading: np.ndarray) -> tuple[int | float, int]:
    """Numerator and denominator of a measure under one mapping (class of each cluster, -1 for none)."""
    n_classes = len(table.classes)
    merged = _merged(table, reading)
    keys = table.gold_sets.keys
    right = keys[_among(keys, merged.keys)]
    given = table.predicted_entries if mapping == "one-to-one" else np.diff(merged.starts)
    if measure == "macro_i":
        return 2 * len(right), int(table.gold_entries.sum() + given.sum())
    if measure == "micro_i":
        matches = np.bincount(right // n_classes, minlength=table.n_types)
        return float((2 * matches / (table.gold_entries + given)).sum()), table.n_types
    union = np.bincount(merged.members, minlength=n_classes)
    matches = np.bincount(right % n_classes, minlength=n_classes)
    total = int(table.cluster_sizes.sum() if mapping == "one-to-one" else union.sum())
    used = union > 0  # a class that a resample lost may be empty on both sides
    return float((2.0 * union[used] * matches[used] / (union + table.class_sizes)[used]).sum()), total


def _merged(table: TypeTable, reading: np.ndarray) -> Sets:
    """Classes that each type is read as; two clusters read as one class count once."""
    classes = reading[table.predicted_sets.members]
    read = classes >= 0
    return sets_of(table.predicted_sets.rows[read], classes[read], table.n_types, len(table.classes))


def _among(numbers: np.ndarray, others: np.ndarray) -> np.ndarray:
    """Whether each number is one of others, which ascend."""
    place = np.searchsorted(others, numbers)
    return np.append(others, -1)[place] == numbers


def merged_memberships(table: TypeTable, reading: np.ndarray) -> sparse.csr_array:
    """Classes that each type is read as under one mapping (class of each cluster, -1 for none): types by classes, 0, 1.

    Examples
    --------
    >>> lexicon = pd.DataFrame({"form": ["run", "run", "dog"], "cluster": ["N", "V", "N"]})
    >>> merged_memberships(as_type_table(lexicon, lexicon), np.array([0, 0])).toarray().tolist()
    [[1, 0], [1, 0]]
    """
    return _merged(table, reading).table()


def best_reading(
    table: TypeTable,
    measure: str,
    mapping: str,
    *,
    restarts: int = 10,
    initialisation: str = "random",
    random: np.random.Generator,
) -> np.ndarray:
    """Class of each cluster under the best mapping that is found, -1 for none.

    Examples
    --------
    >>> lexicon = pd.DataFrame({"form": ["run", "dog"], "cluster": ["V", "N"]})
    >>> table = as_type_table(lexicon, lexicon)
    >>> best_reading(table, "macro_i", "one-to-one", random=np.random.default_rng(0)).tolist()
    [0, 1]
    """
    _check(measure, mapping, restarts, initialisation)
    if mapping == "one-to-one":
        return _best_matching(table, measure)
    readings, values, _ = _climb(table, measure, restarts, initialisation, random)
    return readings[int(np.argmax(values))]


def climb_from(table: TypeTable, measure: str, reading: np.ndarray) -> float:
    """Value that hill climbing reaches from one mapping (many-to-one), clusters visited in their order.

    Examples
    --------
    >>> lexicon = pd.DataFrame({"form": ["run", "dog"], "cluster": ["V", "N"]})
    >>> climb_from(as_type_table(lexicon, lexicon), "macro_i", np.array([0, 0]))
    1.0
    """
    climb = _climber(table, measure, len(table.predicted_sets.members))
    reached, _ = climb(reading.astype(np.int64), np.arange(len(reading)))
    top, bottom = _value(table, measure, "many-to-one", reached)
    return top / bottom


def _best_matching(table: TypeTable, measure: str) -> np.ndarray:
    rows, columns, _ = best_edges(_edges(table, measure), table.classes, table.clusters)
    reading = np.full(len(table.clusters), -1, dtype=np.int64)
    reading[columns] = rows
    return reading


def _climb(
    table: TypeTable, measure: str, restarts: int, initialisation: str, random: np.random.Generator
) -> tuple[list[np.ndarray], np.ndarray, np.ndarray]:
    """Yield mapping, value and passes of each start."""
    climb = _climber(table, measure, len(table.predicted_sets.members) * restarts)
    n_clusters, n_classes = len(table.clusters), len(table.classes)
    heaviest = _heaviest_edges(_edges(table, measure), n_clusters) if initialisation == "edges" else None
    readings, values, passes = [], np.empty(restarts), np.empty(restarts, dtype=np.int64)
    for restart in range(restarts):
        start = random.integers(n_classes, size=n_clusters) if heaviest is None else heaviest
        reading, passes[restart] = climb(start.astype(np.int64), random.permutation(n_clusters))
        top, bottom = _value(table, measure, "many-to-one", reading)
        readings.append(reading)
        values[restart] = top / bottom
    return readings, values, passes


def _climber(table: TypeTable, measure: str, work: int) -> Callable[..., tuple[np.ndarray, int]]:
    """Return a function from a mapping and an order of the clusters to the mapping reached and the number of passes.

    It is compiled, unless numba takes longer to load than plain Python, on lists, to climb.
    """
    from analysis.structures import compiled

    plain = work <= _LITTLE_WORK and "numba" not in sys.modules
    if plain:
        kernels = compiled.plain_kernels("analysis.categories.type_kernels")
    else:
        from analysis.categories import type_kernels as kernels
    number = {"macro_i": kernels.MACRO_I, "micro_i": kernels.MICRO_I, "micro_c": kernels.MICRO_C}[measure]
    every = (table.predicted_sets, table.predicted_sets.turned(), table.gold_sets)
    none, zeros = np.full(len(table.classes), -1, dtype=np.int64), np.zeros(len(table.classes), dtype=np.int64)
    blank = (none, none, zeros, zeros, zeros.astype(float), zeros, zeros)

    def pack(array: np.ndarray) -> Any:
        return array.tolist() if plain else array.copy()

    memberships = kernels.Memberships(*(pack(part) for sets in every for part in (sets.starts, sets.members)))
    class_sizes = pack(table.class_sizes)

    def climb(start: np.ndarray, order: np.ndarray) -> tuple[np.ndarray, int]:
        reached, tally = pack(start), kernels.Tally(*map(pack, blank))
        passes = kernels.climb(number, memberships, class_sizes, reached, pack(order), tally)
        return np.asarray(reached, dtype=np.int64), passes

    return climb


def _heaviest_edges(edges: Edges, n_clusters: int) -> np.ndarray:
    """Return the class with the heaviest edge of each cluster, ties by name; the first class without edges."""
    rows, columns, weights = edges
    order = np.lexsort((rows, -weights, columns))
    heaviest = np.zeros(n_clusters, dtype=np.int64)
    first = np.unique(columns[order], return_index=True)
    heaviest[first[0]] = rows[order][first[1]]
    return heaviest


def _shape(table: TypeTable) -> dict[str, float]:
    parts: dict[str, float] = {
        "types": table.n_types,
        "classes": len(table.classes),
        "clusters": len(table.clusters),
        "gold memberships": int(table.gold_entries.sum()),
        "predicted memberships": int(table.predicted_entries.sum()),
    }
    if table.missing != "refuse":
        parts |= {"types without gold": table.without_gold, "types without cluster": table.without_cluster}
    return parts


def _check(measure: str, mapping: str, restarts: int, initialisation: str) -> None:
    check_choice("measure", measure, tuple(MEASURES))
    check_choice("mapping", mapping, MAPPINGS)
    check_choice("initialisation", initialisation, INITIALISATIONS)
    check_at_least(1, restarts=restarts)
