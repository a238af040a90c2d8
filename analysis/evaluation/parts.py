"""Scores divided by groups: what tags, trees, inflections, CCG derivations and brackets have in common."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from analysis.evaluation.records import Record
from analysis.statistics.breakdowns import DISTANCES, FREQUENCIES, LENGTHS, LETTERS, in_bands
from analysis.statistics.scored import ScoredRatios
from analysis.statistics.scored_groups import BY, Items, divided_by_unit, scored_groups
from analysis.structures import DataError, check_choice
from analysis.structures.digests import gold_digest
from analysis.structures.lazy import pd

if TYPE_CHECKING:
    from analysis.statistics.sentence_counts import Evaluation

#: Largest number of each band but the last.
_BANDS = {"frequency": FREQUENCIES, "sentence length": LENGTHS, "distance": DISTANCES, "letters": LETTERS}
_NUMBERS = {"ref", "test", "matched_ref", "matched_test", "LP", "LR", "F"}  # columns of relations that are no labels


def check_by(task: str, by: str | None, training: object = None) -> None:
    """Refuse a division that a subject does not have, or that needs a training text.

    Raises
    ------
    ValueError
    """
    if by is None:
        return
    check_choice("by", by, BY[task])
    if by == "seen" and training is None:
        raise ValueError("to divide by seen words, give the text that they were seen in: training (--training FILE).")


def training_words(path: str | Path | None, encoding: str | None = None) -> pd.DataFrame | None:
    """The words of a training text in any format, as a table with the column ``form``.

    Raises
    ------
    DataError
        If the text cannot be read.
    """
    if path is None:
        return None
    from analysis.corpora import read_corpus

    return read_corpus(Path(path), encoding=encoding).tokens[["form"]]


def said_of_groups(by: str, training: pd.DataFrame | None = None) -> dict[str, object]:
    """What the groups depend on, for a signature: the bands of numbers, and the training text.

    Examples
    --------
    >>> said_of_groups("frequency")
    {'bands': '1,5,20,100'}
    """
    found: dict[str, object] = {"bands": ",".join(map(str, _BANDS[by]))} if by in _BANDS else {}
    if training is not None and by in ("frequency", "seen"):
        found["training"] = gold_digest(training["form"].astype("str"))
    return found


def group_of(groups: Mapping[str, Any], by: str, name: str) -> Any:
    """The groups of one division.

    Raises
    ------
    DataError
        If the gold standard lacks what it needs.
    """
    if by not in groups:
        needs = {"frequency": "words", "seen": "words", "tag": "tags"}.get(by, "sentences")
        raise DataError(f"{name} has no {needs} to divide by {by}; it can be divided by {', '.join(groups)}.")
    return groups[by]


def group_records(system: str, scored: ScoredRatios, by: str, stated: str) -> list[Record]:
    """One record per group and measure: the column `by` has the group.

    Examples
    --------
    >>> words = Items("accuracy", ["N", "V"], np.array([0, 0]), np.array([True, False]))
    >>> group_records("a.txt", scored_groups("tags", "tag", [words], 1), "tag", "")[0]["tag"]
    'N'
    """
    above, below = (counts.sum(axis=0).tolist() for counts in (scored.numerators, scored.denominators))
    records = []
    for place, measure in enumerate(scored.measures):
        group = str(scored.own_choices[measure.name]["group"])
        records.append({
            "system": system,
            by: group,
            "measure": measure.name.removesuffix(f": {group}"),
            "value": above[place] / below[place] if below[place] else None,
            "unit": measure.unit,
            "numerator": above[place],
            "denominator": below[place],
            "conventions": stated,
        })  # fmt: skip
    return records


def sentence_bands(words: pd.Series, sentences: Any) -> pd.Categorical:
    """The band of lengths of each sentence; one without a word is in the first."""
    return in_bands(words.reindex(sentences).fillna(1).to_numpy(dtype=np.int64), LENGTHS)


def evaluations_by(evaluations: Sequence[Evaluation], scored: ScoredRatios, by: str, words: pd.Series) -> ScoredRatios:
    """Evaluations of trees divided by the length of the gold sentence, or by label or relation.

    Parameters
    ----------
    evaluations : sequence of Evaluation
        Of one system.
    scored : ScoredRatios
        The same as a whole; a row per gold sentence.
    by : {"relation", "sentence length"}
    words : Series
        Words of each gold sentence, by its number.

    Returns
    -------
    ScoredRatios
        By relation precision and recall of each evaluation, of lexical categories accuracy.
    """
    from analysis.statistics.sentence_counts import DROPPED

    first = evaluations[0].sentences
    if by == "sentence length":
        found = divided_by_unit(scored, by, sentence_bands(words, first["sentence"]))
        return replace(found, choices={**found.choices, **said_of_groups(by, None)})
    several = len(evaluations) > 1
    items: list[Items] = []
    own: dict[str, Mapping[str, object]] = {}
    for evaluation in evaluations:
        table = evaluation.items
        names = [name for name in evaluation.relations.columns if name not in _NUMBERS]
        labels = table[names].astype("str").agg(" ".join, axis=1) if len(table) else pd.Series([], dtype="str")
        counted = (evaluation.sentences["status"] != DROPPED).to_numpy()
        unit = pd.Index(evaluation.sentences["sentence"]).get_indexer(table["sentence"])
        sides = {"recall": "gold", "precision": "predicted"} if "side" in table.columns else {"accuracy": None}
        for measure, side in sides.items():
            chosen = counted[unit] & ((table["side"] == side).to_numpy() if side else True)
            name = f"{evaluation.name}: {measure}" if several else measure
            right = table["matched"].to_numpy(dtype=bool)
            items.append(Items(name, labels[chosen].to_numpy(dtype=object), unit[chosen], right[chosen]))
            own[name] = evaluation.conventions if several else {}
    found = scored_groups(scored.task, by, items, scored.n, data=scored.data, choices=scored.choices)
    said = {
        name: {**own[name.removesuffix(f": {group['group']}")], **group} for name, group in found.own_choices.items()
    }
    return replace(found, own_choices=said)
