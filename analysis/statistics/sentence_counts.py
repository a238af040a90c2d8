"""Evaluations of trees: counts per sentence, totals over all sentences, and every bracket or dependency counted."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from analysis.statistics.scored import Measure, ScoredRatios, estimates
from analysis.structures import Score, check_choice, scores_table
from analysis.structures.columns import as_given, as_text_frame, equal_to, framed, numbers_of
from analysis.structures.incidents import incidents_frame
from analysis.structures.labels import number_codes
from analysis.structures.lazy import pd
from analysis.structures.scores import describe_conventions, scores_html

#: What may become of a gold sentence in an evaluation.
SCORED, FAILED, DROPPED = "scored", "failed", "dropped"


@framed(sentences=as_text_frame, incidents=incidents_frame)
@dataclass(frozen=True)
class Evaluation:
    """One evaluation of a parser.

    Attributes
    ----------
    name : str
        ``"lexical categories"``, ``"Parseval"``, ``"tree dependencies"``, ``"predicate-argument dependencies"``,
        ``"brackets"``.
    sentences : DataFrame
        One row per gold sentence: ``sentence``, ``id``, ``status`` (``scored``, ``failed``, ``dropped``) and the
        counts.
    ratios : mapping
        For each measure the columns of ``sentences`` that are its numerator and denominator.
    make_items, make_relations : callable
        Functions that compute ``items`` and, from these, ``relations``, on first access.
    conventions : mapping
    parts : mapping
        Numbers of sentences scored, failed, dropped; of words that differ.
    incidents : DataFrame
    kinds : mapping
        Measures that are no plain proportions.

    Examples
    --------
    >>> sentences = pd.DataFrame({"status": ["scored"], "matched": [3], "gold": [6]})
    >>> Evaluation("Parseval", sentences, {"labelled recall": ("matched", "gold")}, pd.DataFrame)
    labelled recall 0.500 (3/6)
    """

    name: str
    sentences: pd.DataFrame
    ratios: Mapping[str, tuple[str, str]]
    make_items: Callable[[], pd.DataFrame]
    make_relations: Callable[[pd.DataFrame], pd.DataFrame] = lambda items: pd.DataFrame()
    conventions: Mapping[str, Any] = field(default_factory=dict)
    parts: Mapping[str, int] = field(default_factory=dict)
    incidents: pd.DataFrame = field(default_factory=tuple)
    kinds: Mapping[str, Measure] = field(default_factory=dict)

    @cached_property
    def items(self) -> pd.DataFrame:
        """The counted items, with ``side`` (``gold``, ``predicted``) and ``matched``."""
        return self.make_items()

    @cached_property
    def relations(self) -> pd.DataFrame:
        """Counts and scores by relation, if the evaluation has relations."""
        return self.make_relations(self.items)

    def counted(self) -> np.ndarray:
        """Whether each sentence counts: all but those that are dropped."""
        return ~equal_to(as_given(self, "sentences")["status"], DROPPED)

    def counts(self, name: str) -> np.ndarray:
        """A column of whole numbers of ``sentences``."""
        return numbers_of(as_given(self, "sentences")[name])

    def score(self, measure: str) -> Score:
        """Compute one measure, accumulated over all sentences.

        Raises
        ------
        ValueError
            If the evaluation has no such measure; the message lists its measures.
        """
        check_choice("measure", measure, tuple(self.ratios))
        numerator, denominator = self.ratios[measure]
        counted = self.counted()
        return Score(
            measure,
            int(self.counts(numerator)[counted].sum()),
            int(self.counts(denominator)[counted].sum()),
            conventions=self.conventions,
            parts=self.parts,
            unit=self.kinds[measure].unit if measure in self.kinds else "proportion",
        )

    def scores(self) -> list[Score]:
        """Compute all measures."""
        return [self.score(measure) for measure in self.ratios]

    def to_frame(self) -> pd.DataFrame:
        """Return one row per measure, with counts, conventions, and numbers of sentences scored, failed, dropped."""
        table = scores_table(self.scores())
        table.insert(0, "evaluation", self.name)
        return table

    def scored(self, task: str, data: str = "", choices: Mapping[str, Any] | None = None) -> ScoredRatios:
        """Counts of each sentence that was not dropped, for intervals and for comparing systems.

        Parameters
        ----------
        task : str
            As in `analysis.statistics.scored.Scored`.
        data : str
            Digest of the gold standard.
        choices : mapping, optional
            What the numbers depend on besides `conventions`, for the signature.

        Raises
        ------
        ValueError
            If no sentence was counted.
        """
        counted = self.sentences[self.sentences["status"] != DROPPED]
        if not len(counted):
            raise ValueError("no sentence was counted.")
        above, below = (
            counted[list(columns)].to_numpy(dtype=np.float64) for columns in zip(*self.ratios.values(), strict=True)
        )
        measures = tuple(self.kinds.get(name, Measure(name)) for name in self.ratios)
        return ScoredRatios(task, measures, above, below, "sentence", data, {**(choices or {}), **self.conventions})

    def __repr__(self) -> str:
        return "\n".join(map(repr, self.scores()))

    def _repr_html_(self) -> str:
        caption = describe_conventions({**self.conventions, **self.parts})
        return scores_html(self.to_frame(), f"{self.name}. {caption}")


def bootstrap_intervals(
    evaluation: Evaluation,
    *,
    resamples: int = 1000,
    confidence: float = 0.95,
    random_state: int | np.random.Generator | None = 0,
) -> pd.DataFrame:
    """Compute percentile bootstrap intervals of every measure, resampling sentences.

    Parameters
    ----------
    evaluation : Evaluation
    resamples : int
        Number of resamples.
    confidence : float
        Proportion of resamples inside the interval.
    random_state : None, int or numpy Generator

    Returns
    -------
    DataFrame
        ``measure``, ``value``, ``lower``, ``upper``, ``n`` (sentences), ``unit``. Resamples in which a measure is
        undefined are left out; ``<NA>`` if it is always undefined.

    Raises
    ------
    ValueError
        If ``resamples`` or ``confidence`` is out of range, or no sentence was counted.

    Examples
    --------
    >>> sentences = pd.DataFrame({"status": "scored", "matched": [3, 3], "gold": [6, 6]})
    >>> recall = Evaluation("Parseval", sentences, {"labelled recall": ("matched", "gold")}, pd.DataFrame)
    >>> bootstrap_intervals(recall, resamples=10)
               measure  value  lower  upper  n        unit
    0  labelled recall    0.5    0.5    0.5  2  proportion
    """
    scored = evaluation.scored("")
    found = estimates(scored, resamples=resamples, confidence=confidence, random_state=random_state)
    rows = [(row.measure, row.value, row.lower, row.upper, row.n, row.unit) for row in found]
    table = pd.DataFrame(rows, columns=["measure", "value", "lower", "upper", "n", "unit"])
    return table.astype({"value": "Float64", "lower": "Float64", "upper": "Float64"})


def multiset_matches(gold: np.ndarray, predicted: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return whether each item of two multisets has a match in the other; of equal items the first ones match.

    Examples
    --------
    >>> [side.tolist() for side in multiset_matches(np.array([5, 5, 7]), np.array([5, 9]))]
    [[True, False, False], [True, False]]
    """
    codes, distinct = number_codes(np.concatenate([gold, predicted]).astype(np.int64).view(np.uint64))
    sides = np.split(codes, [len(gold)])
    counts = [np.bincount(side, minlength=len(distinct)) for side in sides]
    result = []
    for side, own, other in ((sides[0], *counts), (sides[1], *counts[::-1])):
        matched = other[side] > 0
        rows = np.flatnonzero(matched & (own > other)[side])  # equal items, of which some have no match
        rows = rows[np.argsort(side[rows], kind="stable")]
        item = side[rows]
        matched[rows] = np.arange(len(item)) - np.searchsorted(item, item) < other[item]
        result.append(matched)
    return result[0], result[1]


def per_sentence(sentence: np.ndarray, n: int, chosen: np.ndarray | None = None) -> np.ndarray:
    """Count the (chosen) items of each of ``n`` sentences."""
    numbers = sentence if chosen is None else sentence[chosen]
    return np.bincount(numbers, minlength=n).astype(np.int64)


def relation_table(relations: pd.DataFrame, gold: pd.Series, predicted: pd.Series) -> pd.DataFrame:
    """Compute counts and scores by relation: ``ref``, ``test``, ``matched_ref``, ``matched_test``, ``LP``, ``LR``,
    ``F`` (proportions).

    Parameters
    ----------
    relations : DataFrame
        One row per item: the columns of its relation.
    gold, predicted : Series of bool and of int
        Matched items of each side, with the index of ``relations``.
    """
    names = list(relations.columns)
    table = relations.assign(
        ref=gold.astype("int64"),
        test=(~gold).astype("int64"),
        matched_ref=(gold & predicted).astype("int64"),
        matched_test=(~gold & predicted).astype("int64"),
    )
    counts = table.groupby(names, observed=True, sort=False, dropna=False).sum().reset_index()
    counts = counts.sort_values(["ref", "test", *names], ascending=[False, False, *[True] * len(names)])
    counts["LP"] = _share(counts["matched_test"], counts["test"])
    counts["LR"] = _share(counts["matched_ref"], counts["ref"])
    both = counts["LP"] + counts["LR"]
    counts["F"] = (2 * counts["LP"] * counts["LR"] / both.where(both > 0)).astype("Float64")
    return counts.reset_index(drop=True)


def _share(numerator: pd.Series, denominator: pd.Series) -> pd.Series:
    """Divide numerator by denominator; <NA> if the denominator is 0."""
    return (numerator / denominator.where(denominator > 0)).astype("Float64")
