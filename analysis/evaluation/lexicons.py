"""What stands beside the type-level scores of a lexicon: its groups, what costs most, ceilings and floors."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any

import numpy as np

from analysis.categories.by_type import ScoredTypes, scored_types
from analysis.categories.type_measures import merged_memberships
from analysis.categories.type_table import TypeTable
from analysis.evaluation.parts import group_records, said_of_groups
from analysis.evaluation.scoring import IntervalOptions, Run
from analysis.statistics.breakdowns import FREQUENCIES, frequency_of, in_bands
from analysis.statistics.scored import Measure, ScoredRatios
from analysis.statistics.scored_groups import divided_by_unit
from analysis.structures.columns import as_frame
from analysis.structures.lazy import pd

CEILING = "ceiling of MacroI and MicroI with one cluster per word type"
READ_BY = "MacroI (one-to-one)"  #: the mapping by which lists read clusters as classes
_RANDOM_RUNS = 20  # random lexicons of each kind


def run_by_frequency(name: str, scored: ScoredTypes, tokens: Any, stated: str) -> Run:
    """MacroI and MicroI of the word types in each band of frequency, read by the mapping of all types.

    Parameters
    ----------
    name : str
        Of the system.
    scored : ScoredTypes
    tokens : DataFrame or Columns
        The tokens whose ``form`` is counted.
    stated : str
        What the records say of the files.

    Returns
    -------
    Run
    """
    table = scored.table
    names = [each for each in scored.names if not each.startswith("MicroC")]
    above, below = zip(*(_fractions(table, each, scored.readings[each]) for each in names), strict=True)
    said = {**scored.choices, **said_of_groups("frequency"), "map": "of all types"}
    measures = tuple(Measure(each) for each in names)
    whole = ScoredRatios("types", measures, np.column_stack(above), np.column_stack(below), "type", scored.data, said)
    bands = in_bands(frequency_of(pd.Series(table.forms), pd.Series(as_frame(tokens)["form"])), FREQUENCIES)
    divided = divided_by_unit(whole, "frequency", bands)
    sizes = pd.Series(bands).value_counts()
    records = group_records(name, divided, "frequency", f"mapping=of all types; {stated}")
    records = [{**record, "n": int(sizes[record["frequency"]])} for record in records]
    return Run(name, records, [measure.name for measure in divided.measures], divided)


def _fractions(table: TypeTable, name: str, reading: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Numerator and denominator of each type in MacroI or MicroI under one mapping."""
    matches, entries = _matches(table, name, reading)
    if name.startswith("MacroI"):
        return 2.0 * matches, entries.astype(np.float64)
    return 2 * matches / np.maximum(entries, 1), np.ones(table.n_types)


def _matches(table: TypeTable, name: str, reading: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Classes that each type has and is read as, and the sizes of both sets together."""
    merged = merged_memberships(table, reading)
    matches = np.asarray(table.gold.multiply(merged).sum(axis=1)).ravel()
    given = table.predicted_entries if "one-to-one" in name else np.asarray(merged.sum(axis=1)).ravel()
    return matches, table.gold_entries + given


def type_lists(scored: ScoredTypes, tokens: Any) -> dict[str, Callable[[], pd.DataFrame]]:
    """Lists of what costs most and of the confusion, both read by the mapping of MacroI, one-to-one."""
    return {"costliest": partial(costliest_types, scored, tokens), "confusion": partial(type_confusion, scored)}


def costliest_types(scored: ScoredTypes, tokens: Any) -> pd.DataFrame:
    """Word types by how many classes are missing or too many; of equal ones the more frequent first.

    Examples
    --------
    >>> gold = pd.DataFrame({"form": ["run", "run", "dog"], "cluster": ["N", "V", "N"]})
    >>> found = scored_types(gold, pd.DataFrame({"form": ["run", "dog"], "cluster": [1, 1]}))
    >>> costliest_types(found, pd.DataFrame({"form": ["run", "dog"]})).values.tolist()
    [['run', 'N V', 'N', 1, 1, 1]]
    """
    table, reading = scored.table, scored.readings[READ_BY]
    matches, entries = _matches(table, READ_BY, reading)
    read = merged_memberships(table, reading)
    found = pd.DataFrame(
        {
            "form": np.asarray(table.forms, dtype=object),
            "gold": _names_of_rows(table.gold, table.gold_names),
            "read as": _names_of_rows(read, table.gold_names),
            "wrong": entries - 2 * matches,
            "right": matches,
            "tokens": frequency_of(pd.Series(table.forms), pd.Series(as_frame(tokens)["form"])),
        }
    )
    found = found[found["wrong"] > 0]
    return found.sort_values(["wrong", "tokens", "form"], ascending=[False, False, True], ignore_index=True)


def _names_of_rows(table: Any, names: Any) -> list[str]:
    return [
        " ".join(str(names[column]) for column in table.indices[table.indptr[row] : table.indptr[row + 1]])
        for row in range(table.shape[0])
    ]


def type_confusion(scored: ScoredTypes) -> pd.DataFrame:
    """Word types that have a gold class and are read as another, or the same; a type counts in every such pair.

    Examples
    --------
    >>> gold = pd.DataFrame({"form": ["run", "run", "dog"], "cluster": ["N", "V", "N"]})
    >>> found = scored_types(gold, pd.DataFrame({"form": ["run", "dog"], "cluster": [1, 1]}))
    >>> type_confusion(found)[["gold", "read as", "numerator", "denominator"]].values.tolist()
    [['N', 'N', 2, 2], ['V', 'N', 1, 1]]
    """
    table = scored.table
    counts = (table.gold.T @ merged_memberships(table, scored.readings[READ_BY])).tocoo()
    rows, columns = counts.coords
    names = np.array([str(name) for name in table.gold_names], dtype=object)
    sizes = np.asarray(table.gold.sum(axis=0)).ravel()
    found = pd.DataFrame(
        {"gold": names[rows], "read as": names[columns], "numerator": counts.data, "denominator": sizes[rows]}
    )
    found = found[found["numerator"] > 0].assign(value=found["numerator"] / found["denominator"])
    return found.sort_values(["numerator", "gold", "read as"], ascending=[False, True, True], ignore_index=True)


def type_references(
    scored: ScoredTypes, tokens: Any, search: Mapping[str, Any], options: IntervalOptions
) -> pd.DataFrame:
    """Score one tag per word type, one cluster for all types, and random lexicons.

    Random ones give the cluster sets of the system (own sizes) or the class sets of the gold lexicon (gold sizes) to
    word types at random, so that clusters have as many types; many-to-one mappings are climbed to once for each.

    Parameters
    ----------
    scored : ScoredTypes
    tokens : DataFrame or Columns
        ``form`` and ``gold`` of each token.
    search : mapping
        ``restarts``, ``initialisation``, ``random_state`` of `scored_types`.
    options : IntervalOptions

    Returns
    -------
    DataFrame
        The columns of `analysis.statistics.differences.SystemScore`.
    """
    from analysis.categories.references import most_frequent_labels
    from analysis.statistics.references import fixed_rows, random_rows, references_table

    words, table = as_frame(tokens), scored.table
    gold = _lexicon(table.gold, table.forms, table.gold_names)
    tags = most_frequent_labels(words["form"], words["gold"])
    one = pd.DataFrame({"form": words["form"].astype("str"), "cluster": tags}).drop_duplicates("form")
    flat = gold[["form"]].drop_duplicates().assign(cluster="all")
    fixed = {
        "one tag per type": (scored_types(gold, one, **search), CEILING),
        "one cluster": (scored_types(gold, flat, **search), "floor"),
    }
    rows = fixed_rows(fixed, list(scored.names), resamples=max(options.resamples, 2), confidence=options.confidence,
                      random_state=options.random_state)  # fmt: skip
    seeds = np.random.default_rng(options.random_state).spawn(2)
    own = _lexicon(table.predicted, table.forms, table.predicted_names)
    once = {**search, "restarts": 1}

    def drawn(lexicon: pd.DataFrame, generator: np.random.Generator) -> Iterator[ScoredTypes]:
        forms = np.array([str(form) for form in table.forms], dtype=object)
        for _ in range(_RANDOM_RUNS):
            other = dict(zip(forms, generator.permutation(forms), strict=True))
            yield scored_types(gold, lexicon.assign(form=lexicon["form"].map(other)), missing=table.missing, **once)

    for name, lexicon, generator in zip(("own", "gold"), (own, gold), seeds, strict=True):
        note = "floor; sizes in types; many-to-one searched from one start"
        rows += random_rows(f"random, {name} sizes", note, drawn(lexicon, generator), list(scored.names),
                            confidence=options.confidence)  # fmt: skip
    return references_table(rows)


def _lexicon(table: Any, forms: Any, names: Any) -> pd.DataFrame:
    rows, columns = table.tocoo().coords
    forms, labels = (np.array([str(each) for each in side], dtype=object) for side in (forms, names))
    return pd.DataFrame({"form": forms[rows], "cluster": labels[columns]})
