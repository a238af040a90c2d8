"""Score a parser's phrase-structure trees against gold trees from files: what ``evaluate brackets`` prints."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from analysis.constituents import BracketConventions, bracket_scores, scored_brackets
from analysis.constituents.brackets import in_common
from analysis.constituents.conventions import EVALB
from analysis.corpora.bracketed_trees import read_bracketed_trees, tree_a_line
from analysis.evaluation.incidents import check_systems, incidents_of, opened
from analysis.evaluation.parts import check_by, evaluations_by, group_records
from analysis.evaluation.records import Record, score_record, tabulated
from analysis.evaluation.scoring import IntervalOptions, Run, with_intervals
from analysis.statistics.sentence_counts import DROPPED, FAILED, Evaluation
from analysis.structures import DataError, Incident
from analysis.structures.columns import as_given, equal_to
from analysis.structures.derivation import Derivations
from analysis.structures.digests import slug
from analysis.structures.lazy import pd


def score_brackets(
    gold: str | Path,
    systems: Sequence[str | Path],
    conventions: BracketConventions = EVALB,
    *,
    by: str | None = None,
    common: bool = False,
    strict: bool = False,
    encoding: str | None = None,
    incidents: list[Incident] | None = None,
) -> list[Run]:
    r"""Score the brackets of each system.

    Parameters
    ----------
    gold, systems : path
        Files of bracketed trees. Where every line of a file holds whole trees, a line is a sentence and an empty one a
        failed parse; otherwise a tree may take several lines.
    conventions : BracketConventions
    by : {"relation", "sentence length"}, optional
        One record per measure and group: label of the bracket, or length of the gold sentence.
    common : bool
        Whether a sentence that one system's file leaves out (no parse, other words) is left out of all, so that systems
        can be compared.
    strict : bool
        Whether the first defect of a file is an error, and a sentence without a parse or with other words.
    encoding : str, optional
    incidents : list of Incident, optional
        Gets what was wrong with the files.

    Returns
    -------
    list of Run
        One per file.

    Raises
    ------
    DataError
        If a file cannot be read, or the files have not equally many sentences.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = Path(folder) / "gold.mrg"
    ...     _ = file.write_text("(S (NP (NN corn)) (VP (VBZ grows)))\n", encoding="utf-8")
    ...     (run,) = score_brackets(file, [file])
    >>> run.measures[:2], run.scored.values()[0, :2].tolist()
    (['labelled precision', 'labelled recall'], [1.0, 1.0])
    """
    check_by("brackets", by)
    check_systems(systems)
    told = [] if incidents is None else incidents
    texts = [opened(path, encoding) for path in (gold, *systems)]
    by_line = all(tree_a_line(text) for text in texts)
    banks = []
    for text in texts:
        banks.append(read_bracketed_trees(text, strict=strict, by_line=by_line))
        told += incidents_of(as_given(banks[-1], "incidents"))
    every = []
    for text, bank in zip(texts[1:], banks[1:], strict=True):
        found = bracket_scores(banks[0], bank, conventions)
        named = [replace(incident, file=text.name) for incident in incidents_of(as_given(found, "incidents"))]
        if strict and named:
            raise DataError(named[0])
        told += named
        every.append(found)
    shared = in_common(every) if common else every
    lost = _lost(every, shared, [text.name for text in texts[1:]])
    told += lost
    alone = frozenset(_CROSSING) if common and _failures_differ(shared) else frozenset()
    pairs = zip(texts[1:], shared, strict=True)
    return [_run(text.name, banks[0], found, conventions, by, alone, bool(lost)) for text, found in pairs]


#: Measures of the parses that there are; of failed ones they count nothing.
_CROSSING = ("average crossing", "no crossing", "at most 2 crossing")


def _run(
    name: str,
    gold: Derivations,
    found: Evaluation,
    conventions: BracketConventions,
    by: str | None,
    alone: frozenset[str],
    lost: bool,
) -> Run:
    """Scores of one system; `lost`: sentences were left out because another system's file lacks them."""
    said = "; ".join(f"{name}={value}" for name, value in found.parts.items())
    said += "; sentences=those of all systems" if lost else ""
    records = []
    for score in found.scores():
        record = score_record(score)
        records.append({"system": name, **record, "conventions": f"{record.pop('convention')}; {said}"})
    scored = scored_brackets(found, gold, {"sentences": "of all systems"} if lost else None)
    if by is not None:
        words = gold.tokens.groupby("sentence", observed=True).size()
        scored = evaluations_by([_without_dropped(found)], scored, by, words)
        records = group_records(name, scored, by, said)
    measures = [measure.name for measure in scored.measures]
    own = frozenset(measure for measure in measures if measure.startswith(tuple(alone))) if alone else alone
    return Run(name, records, measures, scored, own, references=None if by else partial(_references, gold, conventions))


def _without_dropped(found: Evaluation) -> Evaluation:
    """Only the sentences that are scored, with their brackets."""
    sentences = found.sentences[found.sentences["status"] != DROPPED].reset_index(drop=True)
    return replace(
        found,
        sentences=sentences,
        make_items=lambda: found.items[found.items["sentence"].isin(sentences["sentence"])].reset_index(drop=True),
    )


def _failures_differ(evaluations: Sequence[Evaluation]) -> bool:
    first, *others = [equal_to(as_given(each, "sentences")["status"], FAILED) for each in evaluations]
    return any((first != other).any() for other in others)


def _lost(every: Sequence[Evaluation], shared: Sequence[Evaluation], names: Sequence[str]) -> list[Incident]:
    """The sentences that are left out of all systems since one lacks them, each with the first that does."""
    before, after = ([each.counted() for each in side] for side in (every, shared))
    found = []
    for number in np.flatnonzero(np.any([own != new for own, new in zip(before, after, strict=True)], axis=0)).tolist():
        file = next(name for name, own in zip(names, before, strict=True) if not own[number])
        said = f"sentence {number + 1} has no parse or other words here; no system is scored on it"
        found.append(Incident(file, 0, "left out of all systems", said))
    return found


def _references(gold: Derivations, conventions: BracketConventions, options: IntervalOptions) -> pd.DataFrame:
    from analysis.constituents.references import reference_scores

    return reference_scores(gold, conventions, resamples=max(options.resamples, 2), confidence=options.confidence,
                            random_state=options.random_state)  # fmt: skip


@tabulated
def evaluate_brackets(
    gold: str | Path,
    systems: Sequence[str | Path],
    conventions: BracketConventions = EVALB,
    *,
    intervals: IntervalOptions | None = None,
    **choices: Any,
) -> list[Record]:
    r"""Brackets of each system as EVALB counts them, with intervals by sentence.

    Parameters
    ----------
    gold, systems, conventions
        See `score_brackets`.
    intervals : IntervalOptions, optional
    **choices
        As in `score_brackets`.

    Returns
    -------
    DataFrame
        One row per system and measure: ``system``, ``measure``, ``value``, ``unit``, ``numerator``, ``denominator``,
        ``lower``, ``upper``, ``signature``, ``conventions``.

    Raises
    ------
    DataError
        As `score_brackets`.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = Path(folder) / "gold.mrg"
    ...     _ = file.write_text("(S (NP (NN corn)) (VP (VBZ grows)))\n", encoding="utf-8")
    ...     evaluate_brackets(file, [file])["value"].tolist()[:4]
    [1.0, 1.0, 1.0, 1.0]
    """
    return with_intervals(score_brackets(gold, systems, conventions, **choices), intervals)


def choices_of_brackets(parts: Mapping[str, str]) -> dict[str, Any]:
    """The arguments of `score_brackets` that a signature names.

    Examples
    --------
    >>> from analysis.structures.digests import slug
    >>> parts = {slug(name): str(value) for name, value in EVALB.described().items()}
    >>> choices_of_brackets(parts)["conventions"] == EVALB
    True
    """
    named = {each.name: parts[slug(each.name.replace("_", " "))] for each in fields(BracketConventions)}
    common = parts.get("sentences") == "of all systems"
    return {"conventions": BracketConventions.from_texts(named), "by": parts.get("by"), "common": common}
