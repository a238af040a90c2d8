"""Score a system's trees against a gold standard from files: what ``evaluate trees`` prints."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, cast, get_args

import numpy as np

from analysis.corpora.file_formats import TREEBANKS, decide_format, format_named
from analysis.corpora.opening import Text
from analysis.dependencies.attachment import MEASURES, AttachmentScores
from analysis.dependencies.by_sentence import scored_trees, scored_trees_by
from analysis.dependencies.files import FileFindings, FileFormat, compare_files
from analysis.dependencies.labelled import LabelledScores
from analysis.dependencies.punctuation import find_punctuation
from analysis.evaluation.incidents import check_systems, opened
from analysis.evaluation.parts import check_by, group_of, group_records, said_of_groups, training_words
from analysis.evaluation.records import Record, frame_records, score_record, tabulated
from analysis.evaluation.scoring import IntervalOptions, Run, with_intervals
from analysis.statistics.scored import Measure, ScoredRatios
from analysis.statistics.scored_groups import group_names
from analysis.structures import DataError, Incident
from analysis.structures.columns import texts_at
from analysis.structures.digests import gold_digest
from analysis.structures.lazy import pd
from analysis.structures.scores import describe_conventions

FORMATS = ("auto", *get_args(FileFormat))
COLUMNS = ("measure", "value", "unit", "numerator", "denominator")


def score_trees(
    gold: str | Path,
    systems: Sequence[str | Path | Text],
    *,
    gold_format: str = "auto",
    system_format: str = "auto",
    punctuation: bool = True,
    punctuation_rule: str | None = None,
    max_length: int | None = None,
    root_edges: bool = True,
    by: str | None = None,
    scheme: str | None = "table6",
    training: str | Path | None = None,
    strict: bool = False,
    encoding: str | None = None,
    incidents: list[Incident] | None = None,
) -> list[Run]:
    r"""Score the trees of each system: directed and undirected accuracy and NED; UAS and LAS where there are relations.

    Parameters
    ----------
    gold, systems : path
        Files of trees, matched by ``sent_id`` or by order, and word by word.
    gold_format, system_format : {"auto", "conllu", "conllx", "nine-columns", "conll2008", "conll2009", "word-tag-head"}
        Auto: as `analysis.corpora.file_formats.decide_format` finds.
    punctuation, punctuation_rule, max_length, root_edges, strict
        As in `analysis.dependencies.attachment_scores`.
    by : {"relation", "tag", "distance", "length", "frequency", "sentence length", "seen"}, optional
        One record per measure and group of words: by gold relation, length of the gold dependency (1 to 9), its band
        (distance, all words), tag, frequency of the word, length of the sentence, or whether training has the word.
    scheme : {"table6", None}
        Relations of the paper's Table 6, or as the gold file has them.
    training : path, optional
        Text, in any format, in which words were seen, and of which frequencies are.
    encoding : str, optional
        Of all files.
    incidents : list of Incident, optional
        Gets what was wrong with the files.

    Returns
    -------
    list of Run
        One per file.

    Raises
    ------
    DataError
        If a file cannot be read or has no heads, or the words of two files differ (says where first).

    Examples
    --------
    >>> import tempfile
    >>> line = "1\tLook\t_\tVERB\t_\t_\t0\t_\t_\t_\n2\there\t_\tADV\t_\t_\t1\t_\t_\t_\n"
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = Path(folder) / "gold.conllu"
    ...     _ = file.write_text(line, encoding="utf-8")
    ...     (run,) = score_trees(file, [file])
    >>> run.scored.n, run.measures
    (1, ['directed', 'undirected', 'NED'])
    """
    check_by("trees", by, training)
    seen = training_words(training, encoding) if by else None
    check_systems(systems)
    reference = opened(gold, encoding)
    told = [] if incidents is None else incidents
    gold_kind = _format_of(reference, gold_format, told)
    choices: dict[str, object] = {}
    given = {"punctuation rule": punctuation_rule, "gold format": gold_format, "system format": system_format}
    choices |= {name: value for name, value in given.items() if value not in (None, "auto")}
    if by == "relation":
        choices["scheme"] = scheme or "as gold"
    runs = []
    for path in systems:
        system = opened(path, encoding)
        found = compare_files(
            reference,
            system,
            file_format=gold_kind,
            predicted_format=_format_of(system, system_format, told),
            strict=strict,
            punctuation=punctuation,
            punctuation_rule=punctuation_rule,
            max_length=max_length,
            root_edges=root_edges,
        )
        removed = [] if punctuation else [_removed(found.scores, punctuation_rule)]
        rows, scored = _scored(found, by, scheme, choices, seen)
        records = _records(system.name, found, rows, by, removed)
        measures = [f"{row['measure']}: {row[by]}" if by else row["measure"] for row in rows]
        options = {"punctuation": punctuation, "punctuation_rule": punctuation_rule, "max_length": max_length,
                   "root_edges": root_edges}  # fmt: skip
        references = None if by else partial(_references, found.scores, options)
        lists = {"costliest": partial(_costliest, found.scores)}
        runs.append(Run(system.name, records, measures, scored, references=references, lists=lists))
        _tell(found.incidents, told)
    return runs


def _costliest(scores: AttachmentScores) -> pd.DataFrame:
    from analysis.dependencies.breakdowns import costliest_pairs

    return costliest_pairs(scores, most=max(len(scores.tokens), 1))


def _references(scores: AttachmentScores, conventions: Mapping[str, Any], options: IntervalOptions) -> pd.DataFrame:
    from analysis.dependencies.references import reference_scores
    from analysis.structures.columns import as_frame

    return reference_scores(as_frame(scores.given), resamples=max(options.resamples, 2), confidence=options.confidence,
                            random_state=options.random_state, conventions=conventions)  # fmt: skip


@tabulated
def evaluate_trees(
    gold: str | Path, systems: Sequence[str | Path], *, intervals: IntervalOptions | None = None, **choices: Any
) -> list[Record]:
    r"""Directed and undirected accuracy and NED of each system, with intervals by sentence.

    Parameters
    ----------
    gold, systems : path
        See `score_trees`.
    intervals : IntervalOptions, optional
    **choices
        As in `score_trees`.

    Returns
    -------
    DataFrame
        One row per system and measure: ``system``, ``relation`` or ``length`` if asked for, ``measure``, ``value``,
        ``numerator``, ``denominator``, ``lower``, ``upper``, ``signature``, ``conventions`` (sentences, and what was
        wrong with the files or the trees, among them).

    Raises
    ------
    DataError
        As `score_trees`.

    Examples
    --------
    >>> import tempfile
    >>> line = "1\tLook\t_\tVERB\t_\t_\t0\t_\t_\t_\n2\there\t_\tADV\t_\t_\t1\t_\t_\t_\n"
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = Path(folder) / "gold.conllu"
    ...     _ = file.write_text(line, encoding="utf-8")
    ...     evaluate_trees(file, [file])["value"].tolist()
    [1.0, 1.0, 1.0]
    """
    return with_intervals(score_trees(gold, systems, **choices), intervals)


def choices_of_trees(parts: Mapping[str, str]) -> dict[str, Any]:
    """The arguments of `score_trees` that a signature names.

    Examples
    --------
    >>> choices_of_trees({"punctuation": "kept", "max_length": "10 with punctuation", "root_edges": "scored"})
    {'punctuation': True, 'max_length': 10, 'root_edges': True}
    """
    length = parts["max_length"].partition(" ")[0]
    found: dict[str, Any] = {
        "punctuation": parts["punctuation"] == "kept",
        "max_length": None if length == "none" else int(length),
        "root_edges": parts["root_edges"] == "scored",
    }
    if "by" in parts:
        found["by"] = parts["by"]
    if "scheme" in parts:
        found["scheme"] = None if parts["scheme"] == "as gold" else parts["scheme"]
    named = ("punctuation_rule", "gold_format", "system_format")
    return found | {name: parts[name.replace("_", "-")] for name in named if name.replace("_", "-") in parts}


def _format_of(text: Text, format: str, told: list[Incident]) -> FileFormat:
    if format != "auto":
        return cast(FileFormat, format_named(format, TREEBANKS))
    decision = decide_format(text, TREEBANKS)
    if decision.notice is not None:
        _tell([decision.notice], told)
    return cast(FileFormat, decision.format)


def _tell(new: list[Incident], told: list[Incident]) -> None:
    """Add what has not been told; what is wrong with the gold file is found again with each system."""
    known = set(told)
    told += [incident for incident in dict.fromkeys(new) if incident not in known]


def _scored(
    found: FileFindings,
    by: str | None,
    scheme: str | None,
    choices: Mapping[str, object],
    training: pd.DataFrame | None,
) -> tuple[list[Record], ScoredRatios]:
    """Rows of scores, and the counts of each sentence."""
    scores = found.scores
    if by is None:
        rows = [score_record(score) for score in scores.scores()]
        scored = scored_trees(scores, choices)
        if found.labelled is None:
            return rows, scored
        rows += [score_record(score) for score in (found.labelled.uas, found.labelled.las)]
        return rows, _with_labelled(scored, found.labelled)
    from analysis.dependencies.breakdowns import relation_labels, scores_by_length, scores_by_relation, word_groups

    if by not in ("length", "relation"):
        labels = group_of(word_groups(scores, training), by, "the gold file")
        said = {**choices, **said_of_groups(by, training)}
        scored = scored_trees_by(scores, labels, by, said, names=group_names([labels]))
        return group_records("", scored, by, describe_conventions(scores.conventions)), scored
    if by == "length":
        rows = frame_records(scores_by_length(scores))
        labels = scores.tokens["distance"].astype(object)
    else:
        if "relation" not in scores.given.columns:
            raise DataError("the gold file has no relations, so there is nothing to divide by.")
        rows = frame_records(scores_by_relation(scores, scheme=scheme))
        labels = relation_labels(scores, scheme=scheme)
    return rows, scored_trees_by(scores, labels, by, choices, names=[str(row[by]) for row in rows])


def _with_labelled(scored: ScoredRatios, labelled: LabelledScores) -> ScoredRatios:
    """With UAS and LAS; what these depend on more is in the signature of LAS alone."""
    gold, kept = labelled.attachment.given["relation"], labelled.attachment.scored_gold()["kept"]
    counts = [scored.numerators[:, :1], labelled.right_of_sentences()[:, None].astype(scored.numerators.dtype)]
    texts = texts_at(gold, np.flatnonzero(kept))
    own = {"relations": labelled.las.conventions["relations"], "gold relations": gold_digest(texts)}
    return replace(
        scored,
        measures=(*scored.measures, Measure("UAS"), Measure("LAS")),
        numerators=np.hstack([scored.numerators, *counts]),
        denominators=np.hstack([scored.denominators, scored.denominators[:, :1], scored.denominators[:, :1]]),
        own_choices={**scored.own_choices, "LAS": own},
    )


def _records(path: str, found: FileFindings, rows: list[Record], by: str | None, removed: list[str]) -> list[Record]:
    defects = found.scores.defects()
    stated = [f"sentences={found.scores.directed.parts['sentences']:,}"]
    if found.unread:
        stated.append(f"{found.unread:,} gold sentences could not be read and are not scored")
    stated += removed
    if by:
        stated += _not_shown(found.scores, rows, by)
    counts = zip(defects["kind"], defects["predicted_sentences"], strict=True)
    stated += [f"{count:,} predicted sentences: {kind}" for kind, count in counts if count]
    names = [*([by] if by else []), *COLUMNS]
    return [
        {"system": path}
        | {name: row[name] for name in names}
        | {"conventions": "; ".join([row.get("convention") or row["conventions"], *stated])}
        for row in rows
    ]


def _removed(scores: AttachmentScores, rule: str | None) -> str:
    """How many tokens were taken out as punctuation, and where a rule finds none though there are marks."""
    removed = int(find_punctuation(scores.given, rule).mask.sum())
    said = f"punctuation: {removed:,} tokens removed"
    if not removed and "form" in scores.given.columns:
        marks = int(find_punctuation(scores.given, "form").mask.sum())
        if marks:
            said += f", though {marks:,} tokens are only punctuation marks; the rule 'form' removes those"
    return said


def _not_shown(scores: AttachmentScores, rows: list[Record], by: str) -> list[str]:
    """How many scored words no row of a division has, and what they are."""
    total = int(scores.directed.denominator or 0)
    left = total - sum(row["denominator"] for row in rows if row["measure"] == MEASURES[0])
    if left <= 0:
        return []
    said = f"not shown: {left:,} of {total:,} words"
    if by in ("length", "distance"):
        return [f"{said}, roots" + (" and words farther from their heads than 9" if by == "length" else "")]
    if by != "relation":
        return [f"{said}, which belong to no group"]
    from analysis.dependencies.breakdowns import scores_by_relation
    from analysis.dependencies.relations import ROOT, table6_relations

    every = scores_by_relation(scores, scheme=None)
    every = every[every["measure"] == MEASURES[0]]
    shown = table6_relations(every["relation"], (every["relation"] == ROOT).to_numpy())
    others = every[np.asarray(pd.isna(shown))].sort_values("denominator", ascending=False, kind="stable")
    kinds = [f"{row.relation} {row.denominator:,}" for row in others.itertuples()]
    return [f"{said} have other relations ({', '.join(kinds)})"]
