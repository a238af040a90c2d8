"""Score a parser's phrase-structure trees against gold trees from files: what ``evaluate brackets`` prints."""

from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from functools import partial
from pathlib import Path
from typing import Any

from analysis.constituents import BracketConventions, bracket_scores, scored_brackets
from analysis.constituents.conventions import EVALB
from analysis.corpora.bracketed_trees import read_bracketed_trees, tree_a_line
from analysis.corpora.opening import open_text
from analysis.evaluation.incidents import check_systems, incidents_of
from analysis.evaluation.parts import check_by, evaluations_by, group_records
from analysis.evaluation.records import Record, score_record, tabulated
from analysis.evaluation.scoring import IntervalOptions, Run, with_intervals
from analysis.structures import DataError, Incident
from analysis.structures.derivation import Derivations
from analysis.structures.digests import slug
from analysis.structures.lazy import pd


def score_brackets(
    gold: str | Path,
    systems: Sequence[str | Path],
    conventions: BracketConventions = EVALB,
    *,
    by: str | None = None,
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
    texts = [open_text(Path(path), encoding=encoding) for path in (gold, *systems)]
    by_line = all(tree_a_line(text) for text in texts)
    banks = []
    for text in texts:
        banks.append(read_bracketed_trees(text, strict=strict, by_line=by_line))
        told += incidents_of(banks[-1].incidents)
    runs = []
    for text, bank in zip(texts[1:], banks[1:], strict=True):
        found = bracket_scores(banks[0], bank, conventions)
        named = [replace(incident, file=text.name) for incident in incidents_of(found.incidents)]
        if strict and named:
            raise DataError(named[0])
        told += named
        said = "; ".join(f"{name}={value}" for name, value in found.parts.items())
        records = []
        for score in found.scores():
            record = score_record(score)
            stated = f"{record.pop('convention')}; {said}"
            records.append({"system": text.name, **record, "conventions": stated})
        scored = scored_brackets(found, banks[0])
        if by is not None:
            words = banks[0].tokens.groupby("sentence", observed=True).size()
            scored = evaluations_by([found], scored, by, words)
            records = group_records(text.name, scored, by, said)
        references = None if by else partial(_references, banks[0], conventions)
        runs.append(
            Run(text.name, records, [measure.name for measure in scored.measures], scored, references=references)
        )
    return runs


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
    return {"conventions": BracketConventions.from_texts(named), "by": parts.get("by")}
