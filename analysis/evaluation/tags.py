"""Score a system's word classes against a gold standard from files: what ``evaluate tags`` and ``types`` print."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from analysis.categories import (
    AlignedLabels,
    align_labels,
    contingency,
    lexicon,
    many_to_one,
    one_to_one,
    pairwise_precision_recall,
    scored_tokens,
    scored_types,
    token_level_scores,
    type_table,
)
from analysis.categories.assignment import ASSIGNMENTS
from analysis.categories.by_sentence import ScoredTokens
from analysis.categories.by_type import ScoredTypes
from analysis.categories.chance_adjusted import sentence_numbers
from analysis.categories.type_table import TypeTable, type_table_of_tokens
from analysis.categories.unclustered import MERGED
from analysis.corpora.clusterings import read_clustering_columns
from analysis.corpora.conll_reading import LAYOUTS, read_columns, read_forgiving
from analysis.corpora.file_formats import decide_format, format_named
from analysis.corpora.opening import Text
from analysis.evaluation.incidents import check_systems, opened
from analysis.evaluation.parts import check_by, group_of, group_records, said_of_groups, training_words
from analysis.evaluation.records import Record, score_record, tabulated
from analysis.evaluation.scoring import IntervalOptions, Run, with_intervals
from analysis.statistics.scored_groups import Items, scored_groups
from analysis.structures import DataError, Incident, PrecisionRecall, Score
from analysis.structures.columns import Coded, Columns, as_frame
from analysis.structures.digests import divided, gold_digest, joined
from analysis.structures.labels import first_tagged, tag_codes
from analysis.structures.lazy import pd
from analysis.structures.matching import match_identifiers, not_shared, repeated_identifiers, unmatched

TREEBANKS = ("conllu", "conllx", "nine-columns", "conll2008", "conll2009")
CLUSTERINGS = ("tags", "words-and-tags", "slashed", "types", "paths", "map")
FORMATS = ("auto", *TREEBANKS, *CLUSTERINGS)
LABELS = ("fine", "universal", "coarse", "cluster")
MAPPED = ("many-to-one", "one-to-one")
MISSING = ""  #: in place of a gold tag that is missing
ENTROPIES = ("H(C)", "H(K)", "H(C|K)", "H(K|C)")
_RANDOM_RUNS = 20  # random clusterings of each kind


class Labelled(NamedTuple):
    """A file with labels.

    Attributes
    ----------
    path : str
    columns : Columns
        Tokens, or word types.
    format : str
        One of `FORMATS`, as found.
    label : str
        Column of the labels.
    kind : str
        ``"tokens"`` or ``"types"``.
    identifiers : tuple of str
        ``sent_id`` of each sentence of a treebank, also of those that could not be read; empty if it has none.
    incidents : tuple of Incident
    source : Text, optional
        What was read.
    """

    path: str
    columns: Columns
    format: str
    label: str
    kind: str
    identifiers: tuple[str, ...] = ()
    incidents: tuple[Incident, ...] = ()
    source: Text | None = None

    @property
    def table(self) -> pd.DataFrame:
        """Tokens, or word types, as a DataFrame."""
        return self.columns.to_frame()

    @property
    def unread(self) -> int:
        """Sentences of a treebank that could not be read."""
        if not self.identifiers:
            return 0
        return len(self.identifiers) - 1 - int(np.count_nonzero(np.diff(self.columns["sentence"])))

    def lines(self) -> list[int]:
        """The first line of each sentence; 0 where it is not known."""
        if self.source is None:
            return [0] * (1 + int(self.columns["sentence"][-1]))
        if self.format in TREEBANKS:
            return list(read_columns(self.source, LAYOUTS[self.format], False).sentences["line"].tolist())
        left_out = {(each.file, each.line) for each in self.incidents if each.kind == "other format"}
        first, inside = [], False
        for number, line in enumerate(self.source.lines(), start=1):
            place = Incident(self.path, number, "", "")
            if not line.strip():
                inside = False
            elif not inside and (place.file, place.line) not in left_out:
                first.append(number)
                inside = self.format != "slashed"
        return first

    @property
    def labels(self) -> Coded:
        """The labels."""
        column = self.columns[self.label]
        return column if isinstance(column, Coded) else Coded.of(column)


def read_labelled(
    path: str | Path | Text,
    *,
    format: str = "auto",
    column: str = "auto",
    strict: bool = True,
    encoding: str | None = None,
) -> Labelled:
    r"""Read labels of tokens or word types in whatever format they are.

    Parameters
    ----------
    path : path
        CoNLL-U, CoNLL-X, CoNLL-2008 and 2009, the nine columns of Gelling et al., word TAB tag, one tag per line,
        ``the/D cat/N``, word TAB class of word types, or the ``paths`` or ``map`` of Brown clustering.
    format : str
        One of `FORMATS`. Auto: as `analysis.corpora.file_formats.decide_format` finds.
    column : str
        Column of a treebank with the labels: ``"fine"``, ``"universal"`` or ``"coarse"``; ``_`` is no label. Auto: the
        first of these in which most tokens have one.
    strict : bool
        Whether the first defect is an error; else what can be kept is kept, and the defects are listed.
    encoding : str, optional

    Returns
    -------
    Labelled

    Raises
    ------
    DataError
        If the file is not there or not as described.
    ValueError
        If the format is unknown.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = Path(folder) / "gold.txt"
    ...     _ = file.write_text("the\tD\ndog\tN\n", encoding="utf-8")
    ...     read_labelled(file).format
    'words-and-tags'
    """
    text = opened(path, encoding)
    notice = None
    if format == "auto":
        if next(iter(text.lines()), "").startswith(("@UTF8", "@Begin")):
            raise DataError(
                f"{text.name}, line 1: this is a CHAT transcript, whose labels are not read here.",
                "Write its words and tags as CoNLL-U or word TAB tag, and score that file.",
            )
        found, notice = decide_format(text, FORMATS[1:])
    else:
        found = format_named(format, FORMATS[1:])
    told = [notice] if notice else []
    if found in TREEBANKS:
        read = read_forgiving(text, LAYOUTS[found], strict)
        has = [name for name in LABELS[:3] if name in read.tokens.columns]
        if not has:
            raise DataError(f"{text.name} ({found}) has no column of tags.")
        if column not in ("auto", *has):
            raise DataError(f"{text.name} ({found}) has no column {column!r}; it has {', '.join(has)}.")
        label = column if column != "auto" else first_tagged(read.tokens, has) or has[0]
        tokens = read.tokens.assign(**{label: tag_codes(read.tokens[label])})
        told += read.incidents
        ids = tuple(read.sentences["sent_id"])
        return Labelled(text.name, tokens, found, label, "tokens", ids, tuple(told), text)
    reading = read_clustering_columns(text, format=found, strict=strict)
    if column not in ("auto", "cluster"):
        raise DataError(f"{text.name} is a clustering ({reading.format}): it has no column {column!r}.")
    told += reading.incidents
    return Labelled(text.name, reading.table, reading.format, "cluster", reading.kind, (), tuple(told), text)


def _untagged(gold: Labelled) -> list[Incident]:
    """The tokens of a gold treebank that have no tag."""
    if gold.format not in TREEBANKS:
        return []  # named by the reader
    places = np.flatnonzero(gold.labels.codes < 0)
    if not len(places):
        return []
    line = gold.lines()[int(gold.columns["sentence"][places[0]])]
    said = (
        f"{len(places):,} of {len(gold.columns):,} tokens have no tag in the column {gold.label!r} and are not scored"
    )
    return [Incident(gold.path, line, "no tag", said)]


def align(
    gold: Labelled, system: Labelled, leave_out: Collection[str], unlabelled: str, strict: bool = False
) -> tuple[AlignedLabels, list[Incident]]:
    """Gold and system labels of the same tokens, and the sentences that only one side has.

    Sentences are matched by ``sent_id`` where all of both files have one and some are shared; else by order.

    Raises
    ------
    DataError
        If the gold file has word types instead of tokens, or the words differ (with the first difference).
    """
    if gold.kind != "tokens":
        raise DataError(f"{gold.path} lists word types ({gold.format}); a gold file has one line per token.")
    absent = sorted(set(leave_out) - set(gold.labels.used().values))
    if absent:
        raise DataError(f"{gold.path} has no tag {absent[0]!r} to leave out (column {gold.label}).")
    if system.kind == "types" and "form" not in gold.columns.columns:
        raise DataError(f"{gold.path} has no words, so the word types of {system.path} cannot be found in it.")
    plain = _plainly_aligned(gold, system, leave_out, unlabelled)
    if plain is not None:
        return plain, []
    reference = gold.table
    if reference[gold.label].isna().any():  # named by the reader, and not scored
        labels = reference[gold.label].astype(object)
        reference = reference.assign(**{gold.label: labels.where(labels.notna(), MISSING)})
        leave_out = [*leave_out, MISSING]
    predicted, lost = _in_gold_order(gold, system)
    if system.kind == "tokens":
        predicted, more = _with_missing_sentences(reference, predicted, gold, system)
        lost += more
    unequal = [incident for incident in lost if incident.kind.startswith("missing")]
    if strict and unequal:
        raise DataError(unequal[0])
    twice = [str(incident) for incident in lost if incident.kind == "identifier twice"]
    try:
        aligned = align_labels(
            reference, predicted, label=gold.label, cluster=system.label, leave_out=leave_out,
            unlabelled="one cluster" if unlabelled == "wrong" else unlabelled,
        )  # fmt: skip
    except ValueError as error:
        raise DataError(f"{gold.path} and {system.path}: {error}", "\n".join(twice[:1])) from error
    return aligned, lost


def _with_missing_sentences(
    reference: pd.DataFrame, table: pd.DataFrame, gold: Labelled, system: Labelled
) -> tuple[pd.DataFrame, list[Incident]]:
    """A system's tokens, matched by order, without a label in the last gold sentences, if only these are missing."""
    n = min(len(reference), len(table))
    if not n or len(reference) == len(table) or not {"form", "sentence"} <= set(reference) & set(table):
        return table, []
    longer = reference if len(reference) > n else table
    first, last = longer["sentence"].iloc[n], longer["sentence"].iloc[n - 1]
    if first == last or not _same_words(*(list(each["form"].iloc[:n].astype("str")) for each in (reference, table))):
        return table, []
    owner = gold if longer is reference else system
    numbers, lines = range(int(first), int(longer["sentence"].iloc[-1]) + 1), owner.lines()
    names = [(owner.identifiers and owner.identifiers[at]) or f"sentence {at + 1}" for at in numbers]
    rest = list(zip(names, (lines[at] for at in numbers), strict=True))
    sides = [rest, []] if owner is gold else [[], rest]
    found = {
        "sentence": reference["sentence"].to_numpy(),
        system.label: table[system.label].astype(object).reindex(range(len(reference))).to_numpy(),
        "form": reference["form"].astype(object).to_numpy(),
    }
    return pd.DataFrame(found), unmatched(sides, (gold.path, system.path))


def _plainly_aligned(
    gold: Labelled, system: Labelled, leave_out: Collection[str], unlabelled: str
) -> AlignedLabels | None:
    """The same without pandas where both files have the same tokens in the same order, all with a label; else None."""
    own, other = gold.columns, system.columns
    labels, clusters = gold.labels, system.labels
    if system.kind == "types" or len(own) != len(other) or (labels.codes < 0).any() or (clusters.codes < 0).any():
        return None
    if gold.identifiers and system.identifiers:
        placed = all(np.array_equal(own[name], other[name]) for name in ("sentence", "position"))
        if not placed or gold.identifiers != system.identifiers or gold.unread or system.unread:
            return None
    if "form" in own.columns and "form" in other.columns and not _same_words(own["form"], other["form"]):
        return None
    left_out = np.array([value in leave_out for value in labels.values], dtype=bool)[labels.codes]
    rows = np.flatnonzero(~left_out)
    if not len(rows):
        return None
    classes = labels.take(rows)
    tokens = Columns({
        **({"form": own.take(rows)["form"]} if "form" in own.columns else {}),
        "gold": classes if gold.format in TREEBANKS else classes.by_first_use(),
        "predicted": clusters.take(rows).by_first_use(),
    })  # fmt: skip
    how = "one cluster" if unlabelled == "wrong" else unlabelled
    return AlignedLabels(tokens, len(own), int(left_out.sum()), 0, how, own["sentence"][rows])


def _same_words(gold: Sequence[str], predicted: Sequence[str]) -> bool:
    """Whether two columns have the same words in composed form."""
    ours, theirs = (column if isinstance(column, Coded) else Coded.of(column) for column in (gold, predicted))
    composed: dict[str, int] = {}
    sides = []
    for side in (ours, theirs):
        places = [composed.setdefault(unicodedata.normalize("NFC", value), len(composed)) for value in side.values]
        sides.append(np.array(places, dtype=np.int64)[side.codes])
    return np.array_equal(*sides)


def _token_table(aligned: AlignedLabels, gold: Labelled) -> pd.DataFrame:
    """The tokens as a DataFrame, of the types that `align_labels` gives."""
    texts = ["predicted"] if gold.format in TREEBANKS else ["gold", "predicted"]
    tokens = aligned.tokens
    return as_frame(tokens).astype(dict.fromkeys(texts, "str")) if isinstance(tokens, Columns) else tokens


def _repeated(labelled: Labelled) -> list[Incident]:
    return repeated_identifiers(labelled.identifiers, labelled.lines, labelled.path)


def _in_gold_order(gold: Labelled, system: Labelled) -> tuple[pd.DataFrame, list[Incident]]:
    """A system's tokens beside the gold ones where sentences have identifiers or could not be read."""
    table, reference = system.table, gold.table
    if not (gold.identifiers and system.identifiers):
        return table, []
    place = match_identifiers(gold.identifiers, system.identifiers)
    if place is None and not gold.unread + system.unread:
        twice = _repeated(gold) + _repeated(system)
        return table, twice + not_shared(gold.identifiers, system.identifiers, (gold.path, system.path))
    twice = []
    if place is None:
        twice = _repeated(gold) + _repeated(system)
        n_gold, n_system = len(gold.identifiers), len(system.identifiers)
        place = np.where(np.arange(n_gold) < n_system, np.arange(n_gold), -1)
    numbers = np.full(len(system.identifiers), -1, dtype=np.int64)
    numbers[place[place >= 0]] = np.flatnonzero(place >= 0)
    sides = []
    for labelled, places in ((gold, np.flatnonzero(place < 0)), (system, np.flatnonzero(numbers < 0))):
        lines = labelled.lines() if len(places) else []
        sides.append([(labelled.identifiers[at] or f"sentence {at + 1}", lines[at]) for at in places.tolist()])
    lost = twice + unmatched(sides, (gold.path, system.path))
    known = set(reference["sentence"])
    table = table.assign(sentence=numbers[table["sentence"].to_numpy()])
    table = table[table["sentence"].isin(known)].reset_index(drop=True)
    keys = ["sentence", "position"]
    rows = pd.MultiIndex.from_frame(table[keys]).get_indexer(pd.MultiIndex.from_frame(reference[keys]))
    partial = set(table["sentence"]) & set(reference["sentence"][rows < 0])
    if partial or len(table) != (rows >= 0).sum():
        own, other = reference["sentence"].value_counts(), table["sentence"].value_counts()
        number = next(number for number in sorted(set(other.index)) if own[number] != other[number])
        name = gold.identifiers[number] or f"sentence {number + 1}"
        found = f"{name!r} has {other[number]} words, and {own[number]} in {gold.path}"
        raise DataError(Incident(system.path, 0, "other words", found))
    result = pd.DataFrame({"sentence": reference["sentence"].to_numpy()})
    result[system.label] = pd.Series(table[system.label].array.take(rows, allow_fill=True), dtype=object)
    if "form" in table.columns and "form" in reference.columns:
        forms = table["form"].astype(object).array.take(rows, allow_fill=True)
        result["form"] = np.where(rows < 0, reference["form"].astype(object).to_numpy(), forms)
    return result, lost


def score_tags(
    gold: str | Path | Text,
    systems: Sequence[str | Path | Text],
    *,
    gold_format: str = "auto",
    system_format: str = "auto",
    gold_column: str = "auto",
    system_column: str = "auto",
    leave_out: Collection[str] = (),
    unlabelled: str = "wrong",
    strict: bool = False,
    encoding: str | None = None,
    incidents: list[Incident] | None = None,
    assignment: str = "optimal",
    base: float = 2,
    by: str | None = None,
    training: str | Path | None = None,
) -> list[Run]:
    r"""Score the word classes of each system by token.

    Parameters
    ----------
    gold, systems : path
        See `read_labelled`.
    gold_format, system_format, gold_column, system_column : str
        As `format` and `column` there.
    leave_out : collection of str
        Gold tags that are not scored, such as punctuation.
    unlabelled : {"wrong", "refuse", "leave out", "one cluster"}
        What to do with tokens without a cluster. Wrong: no mapping gives them a tag, and they count; in measures
        without a mapping they are one cluster.
    strict : bool
        Whether the first defect of a file is an error, and a sentence that one side lacks.
    encoding : str, optional
        Of all files.
    incidents : list of Incident, optional
        Gets what was wrong with the files.
    assignment : {"optimal", "greedy"}
        Of the one-to-one mapping.
    base : float
        Of the logarithm.
    by : {"tag", "cluster", "frequency", "sentence length", "seen"}, optional
        One record per group of tokens and mapping of clusters to tags, which is that of all tokens.
    training : path, optional
        Text, in any format, in which words were seen, and of which frequencies are.

    Returns
    -------
    list of Run
        One per file.

    Raises
    ------
    DataError
        If a file cannot be read, or the words of two files differ (says where first).

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = Path(folder) / "gold.txt"
    ...     _ = file.write_text("the\tD\ndog\tN\n", encoding="utf-8")
    ...     (run,) = score_tags(file, [file])
    >>> run.scored.n, run.measures[0], run.records[0]["value"]
    (1, 'many-to-one', 1.0)
    """
    check_by("tags", by, training)
    seen = training_words(training, encoding) if by else None
    rule = Reading(gold_format, system_format, gold_column, system_column, tuple(leave_out), unlabelled)
    runs = []
    for reference, system, aligned, stated, choices in _aligned(gold, systems, rule, strict, encoding, incidents):
        tokens = aligned.tokens
        if by is not None:
            aligned = replace(aligned, tokens=_token_table(aligned, reference))
            runs.append(_run_by(system.path, aligned, by, seen, assignment, (choices, stated)))
            continue
        table = contingency(tokens["gold"], tokens["predicted"])
        scores = token_level_scores(table, assignment=assignment, base=base)
        unread = unlabelled == "wrong" and aligned.n_unlabelled
        if unread:
            scores = _unlabelled_wrong(scores, tokens, assignment)
        pairs = pairwise_precision_recall(table)
        scored = scored_tokens(
            tokens["gold"], tokens["predicted"], aligned.sentences, base=base, assignment=assignment,
            unread=MERGED if unread else None, choices=choices,
        )  # fmt: skip
        scores += [*pairs.scores(), *_further(scored, pairs, table.n)]
        records = _records(system, scores, table.n, stated, ENTROPIES)
        framed = partial(_token_table, aligned, reference)
        references = partial(_references, framed, aligned.sentences, {"assignment": assignment, "base": base})
        measures = [score.measure for score in scores]
        lists = _lists(framed, "form" in tokens.columns, bool(unread), assignment)
        runs.append(Run(system.path, records, measures, scored, references=references, lists=lists))
    return runs


def _lists(
    framed: Callable[[], pd.DataFrame], has_forms: bool, unread: bool, assignment: str
) -> dict[str, Callable[[], pd.DataFrame]]:
    """What costs most, and the confusion, both read one-to-one; without tokens that no mapping reads, if `unread`."""

    def tokens() -> pd.DataFrame:
        table = framed()
        return table[table["predicted"] != MERGED] if unread else table

    found: dict[str, Callable[[], pd.DataFrame]] = {"confusion": lambda: _confused(tokens(), assignment)}
    if has_forms:
        found["costliest"] = lambda: _costliest(tokens(), assignment)
    return found


def _costliest(tokens: pd.DataFrame, assignment: str) -> pd.DataFrame:
    from analysis.categories.breakdowns import costliest_words

    return costliest_words(tokens, pairs=True, assignment=assignment, most=len(tokens))


def _confused(tokens: pd.DataFrame, assignment: str) -> pd.DataFrame:
    """Pairs that occur, the most frequent first."""
    from analysis.categories.breakdowns import confusion

    table = confusion(tokens, assignment=assignment).rename(columns={"predicted": "read as"})
    table = table[table["numerator"] > 0].astype({"gold": "str", "read as": "str"})
    return table.sort_values(["numerator", "gold", "read as"], ascending=[False, True, True], ignore_index=True)


def _run_by(
    name: str,
    aligned: AlignedLabels,
    by: str,
    training: pd.DataFrame | None,
    assignment: str,
    said: tuple[Mapping[str, object], str],
) -> Run:
    """Tokens read rightly, by group."""
    from analysis.categories.breakdowns import read_rightly, token_groups

    tokens, (choices, stated) = aligned.tokens, said
    numbers = sentence_numbers(aligned.sentences, len(tokens))
    unread = choices["unlabelled"] == "wrong" and aligned.n_unlabelled
    known = (tokens["predicted"] != MERGED).to_numpy() | (not unread)
    with_sentence = tokens if aligned.sentences is None else tokens.assign(sentence=numbers)
    groups = group_of(token_groups(with_sentence, training), by, "the gold file")
    items, rightly = [], read_rightly(tokens[known], assignment=assignment) if known.any() else {}
    for measure, own in rightly.items():
        right = np.zeros(len(tokens), dtype=bool)
        right[known] = own
        items.append(Items(measure, groups, numbers, right))
    digest = gold_digest(tokens["gold"].astype("str"), numbers)
    choices = {**choices, "assignment": assignment, **said_of_groups(by, training)}
    scored = scored_groups("tags", by, items, int(numbers.max()) + 1, data=digest, choices=choices)
    records = group_records(name, scored, by, f"mapping=of all tokens; assignment={assignment}; {stated}")
    measures = [measure.name for measure in scored.measures]
    alone = frozenset(measures if by == "cluster" else ())  # clusters of two systems are not the same
    return Run(name, records, measures, scored, alone)


def _references(
    framed: Callable[[], pd.DataFrame],
    sentences: np.ndarray | None,
    conventions: Mapping[str, object],
    options: IntervalOptions,
) -> pd.DataFrame:
    from analysis.categories.references import reference_scores

    tokens = framed()
    tokens = tokens.assign(sentence=range(len(tokens)) if sentences is None else sentences)
    return reference_scores(tokens, runs=_RANDOM_RUNS, resamples=max(options.resamples, 2),
                            confidence=options.confidence, random_state=options.random_state,
                            conventions=conventions)  # fmt: skip


@tabulated
def evaluate_tags(
    gold: str | Path | Text,
    systems: Sequence[str | Path | Text],
    *,
    intervals: IntervalOptions | None = None,
    **choices: Any,
) -> list[Record]:
    r"""Token-level measures of each system, with intervals.

    Parameters
    ----------
    gold, systems : path
        See `score_tags`.
    intervals : IntervalOptions, optional
    **choices
        As in `score_tags`.

    Returns
    -------
    DataFrame
        One row per system and measure: ``system``, ``measure``, ``value``, ``numerator``, ``denominator`` (empty for V,
        VI, NVI, the conditional entropies, ARI and AMI), ``n`` tokens, the four entropies, ``lower``, ``upper``,
        ``corrected`` (without the bias, of what is made of entropies), ``signature``, ``conventions``.

    Raises
    ------
    DataError
        As `score_tags`.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = Path(folder) / "gold.txt"
    ...     _ = file.write_text("the\tD\ndog\tN\n", encoding="utf-8")
    ...     table = evaluate_tags(file, [file])
    >>> table["measure"].tolist()[0], table["value"].tolist()[0]
    ('many-to-one', 1.0)
    """
    return with_intervals(score_tags(gold, systems, **choices), intervals)


def _further(scored: ScoredTokens, pairs: PrecisionRecall, n: int) -> list[Score]:
    """The measures that are not among the token-level scores of the papers."""
    values = dict(zip(scored.names, scored.values()[0].tolist(), strict=True))
    found = []
    for name in ("cross-validated many-to-one", "pairwise F1", "ARI", "AMI", "tagging accuracy"):
        value = values.get(name)
        if value is None:
            continue
        if name == "pairwise F1":
            undefined = "" if pairs.predicted and pairs.gold else "precision or recall is undefined"
            found.append(Score(name, 2 * pairs.matched, pairs.predicted + pairs.gold, undefined=undefined))
        elif name in ("ARI", "AMI"):
            found.append(Score(name, number=value, undefined="" if np.isfinite(value) else "chance leaves no room"))
        else:
            conventions = {"folds": scored.folds} if name.startswith("cross") else {}
            found.append(Score(name, round(value * n), n, conventions=conventions))
    return found


def _unlabelled_wrong(scores: list[Score], tokens: pd.DataFrame, assignment: str) -> list[Score]:
    """Scores by a mapping, in which tokens without a cluster are never right."""
    labelled = tokens[tokens["predicted"] != MERGED]
    right = dict.fromkeys(MAPPED, 0)
    if len(labelled):
        table = contingency(labelled["gold"], labelled["predicted"])
        mapped = (many_to_one(table), one_to_one(table, assignment=assignment))
        right = {score.measure: int(score.numerator or 0) for score in mapped}
    return [replace(score, numerator=right[score.measure]) if score.measure in right else score for score in scores]


def score_types(
    gold: str | Path | Text,
    systems: Sequence[str | Path | Text],
    *,
    gold_format: str = "auto",
    system_format: str = "auto",
    gold_column: str = "auto",
    system_column: str = "auto",
    leave_out: Collection[str] = (),
    unlabelled: str = "wrong",
    strict: bool = False,
    encoding: str | None = None,
    incidents: list[Incident] | None = None,
    restarts: int = 10,
    initialisation: str = "random",
    random_state: int = 0,
    by: str | None = None,
) -> list[Run]:
    r"""Score each system's lexicon, the set of clusters with which each word occurs.

    Parameters
    ----------
    gold, systems, gold_format, system_format, gold_column, system_column, leave_out
        As in `score_tags`; the files must have words.
    unlabelled, strict, encoding, incidents
        As there. Wrong: tokens without a cluster give their word type none, so a type of such tokens alone has an empty
        set, and all its gold classes are missed; MicroC, a mean over clusters, does not see it.
    restarts, initialisation, random_state
        Of hill climbing (many-to-one).
    by : {"frequency"}, optional
        MacroI and MicroI by band of the word type's frequency in the gold file, read by the mapping of all types.

    Returns
    -------
    list of Run
        One per file.

    Raises
    ------
    DataError
        As `score_tags`, or if there are no words, or no word of a system has a cluster.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = Path(folder) / "gold.txt"
    ...     _ = file.write_text("the\tD\ndog\tN\n", encoding="utf-8")
    ...     score_types(file, [file])[0].scored.n
    2
    """
    check_by("types", by)
    rule = Reading(gold_format, system_format, gold_column, system_column, tuple(leave_out), unlabelled)
    runs = []
    found = _aligned(gold, systems, rule, strict, encoding, incidents, words=True)
    for _, system, aligned, stated, choices in found:
        table = _lexicons(aligned.tokens, system.path, unread=unlabelled == "wrong" and aligned.n_unlabelled > 0)
        search: dict[str, Any] = {
            "restarts": restarts, "initialisation": initialisation, "random_state": random_state
        }  # fmt: skip
        scored = scored_types(table, choices=choices, **search)
        stated = f"{stated}; seed={random_state}"
        runs.append(_run_of_types(system, scored, aligned.tokens, by, search, stated))
    return runs


def _run_of_types(
    system: Labelled, scored: ScoredTypes, tokens: Any, by: str | None, search: Mapping[str, Any], stated: str
) -> Run:
    def lists_of(name: str) -> Any:
        from analysis.evaluation.lexicons import type_lists

        return type_lists(scored, tokens)[name]()

    def references(options: IntervalOptions) -> Any:
        from analysis.evaluation.lexicons import type_references

        return type_references(scored, tokens, search, options)

    if by is not None:
        from analysis.evaluation.lexicons import run_by_frequency

        return run_by_frequency(system.path, scored, tokens, stated)
    records = _records(system, scored.scores(), scored.n, stated)
    lists = {name: partial(lists_of, name) for name in ("costliest", "confusion")}
    measures = [record["measure"] for record in records]
    return Run(system.path, records, measures, scored, references=references, lists=lists)


def _lexicons(tokens: Any, path: str, *, unread: bool) -> TypeTable:
    """Gold and predicted lexicon; if `unread`, tokens without a cluster are in no set of the predicted one."""
    if isinstance(tokens, Columns):
        return type_table_of_tokens(tokens)
    labelled = tokens[tokens["predicted"] != MERGED] if unread else tokens
    if not len(labelled):
        raise DataError(f"{path}: no word of the gold file has a cluster.")
    missing = "empty" if unread else "refuse"
    return type_table(lexicon(tokens, "gold"), lexicon(labelled, "predicted"), missing=missing)


@tabulated
def evaluate_types(
    gold: str | Path | Text,
    systems: Sequence[str | Path | Text],
    *,
    intervals: IntervalOptions | None = None,
    **choices: Any,
) -> list[Record]:
    r"""Type-level measures of each system, with intervals over word types; the mapping stays that of all types.

    Parameters
    ----------
    gold, systems : path
        See `score_types`.
    intervals : IntervalOptions, optional
    **choices
        As in `score_types`.

    Returns
    -------
    DataFrame
        As `evaluate_tags`, with ``n`` word types and no entropies. MicroI and MicroC have a sum of fractions as
        ``numerator``.

    Raises
    ------
    DataError
        As `score_types`.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = Path(folder) / "gold.txt"
    ...     _ = file.write_text("the\tD\ndog\tN\n", encoding="utf-8")
    ...     evaluate_types(file, [file])["value"].unique().tolist()
    [1.0]
    """
    return with_intervals(score_types(gold, systems, **choices), intervals)


class Reading(NamedTuple):
    """How files of labels are read, and what is scored; names as in `score_tags`."""

    gold_format: str
    system_format: str
    gold_column: str
    system_column: str
    leave_out: tuple[str, ...]
    unlabelled: str

    def choices(self, gold: Labelled) -> dict[str, object]:
        """What of this a number depends on, for its signature: what is left to the files is not part of it."""
        found: dict[str, object] = {
            "gold": gold.label, "left out": joined(sorted(set(self.leave_out)), "nothing"),
            "unlabelled": self.unlabelled,
        }  # fmt: skip
        given = {name: getattr(self, name) for name in ("gold_format", "system_format", "system_column")}
        return found | {name.replace("_", " "): value for name, value in given.items() if value != "auto"}


def choices_of_labels(parts: Mapping[str, str]) -> dict[str, Any]:
    """The arguments of `score_tags` or `score_types` that a signature names.

    Examples
    --------
    >>> choices_of_labels({"gold": "fine", "left-out": ". ,", "unlabelled": "wrong", "base": "e"})["leave_out"]
    ('.', ',')
    """
    import math

    found: dict[str, Any] = {
        "gold_column": "auto" if parts["gold"] == "cluster" else parts["gold"],
        "leave_out": divided(parts["left-out"], "nothing"),
        "unlabelled": parts["unlabelled"],
    }
    found |= {
        name: parts[name.replace("_", "-")]
        for name in ("gold_format", "system_format", "system_column")
        if name.replace("_", "-") in parts
    }
    if parts.get("map") in ASSIGNMENTS:
        found["assignment"] = parts["map"]
    found |= {name: parts[name] for name in ("by", "assignment") if name in parts}
    if "base" in parts:
        found["base"] = math.e if parts["base"] == "e" else float(parts["base"])
    if "search-seed" in parts:
        found |= {"restarts": int(parts["restarts"]), "initialisation": parts["initialisation"]}
        found["random_state"] = int(parts["search-seed"])
    return found


def _aligned(
    gold: str | Path | Text,
    systems: Sequence[str | Path | Text],
    rule: Reading,
    strict: bool,
    encoding: str | None,
    incidents: list[Incident] | None,
    *,
    words: bool = False,
) -> Iterator[tuple[Labelled, Labelled, AlignedLabels, str, dict[str, object]]]:
    """The gold standard and each system beside it, with what is said of it and what its signatures have."""
    check_systems(systems)
    told = [] if incidents is None else incidents
    reference = read_labelled(
        gold, format=rule.gold_format, column=rule.gold_column, strict=strict, encoding=encoding
    )  # fmt: skip
    untagged = _untagged(reference)
    if strict and untagged:
        raise DataError(untagged[0], "Give strict=False to score the others.")
    told += [*reference.incidents, *untagged]
    if words and "form" not in reference.columns.columns:
        raise DataError(f"{gold} has no words: type-level measures need them.")
    for path in systems:
        system = read_labelled(
            path, format=rule.system_format, column=rule.system_column, strict=strict, encoding=encoding
        )
        told += system.incidents
        aligned, lost = align(reference, system, rule.leave_out, rule.unlabelled, strict)
        told += lost
        stated = _stated(reference, system, aligned, rule.leave_out, rule.unlabelled)
        yield reference, system, aligned, stated, rule.choices(reference)


def _stated(
    gold: Labelled, system: Labelled, aligned: AlignedLabels, leave_out: Collection[str], unlabelled: str
) -> str:
    left = [*leave_out, *(["tokens without a tag"] if (gold.labels.codes < 0).any() else [])]
    parts = [
        f"gold={gold.format}, {gold.label}",
        f"system={system.format}, {system.label}",
        f"not scored={' '.join(left) or 'nothing'} ({aligned.n_left_out:,} of {aligned.n_tokens:,} tokens)",
        f"without a cluster={aligned.n_unlabelled:,} tokens ({unlabelled})",
    ]
    if gold.unread:
        parts.append(f"{gold.unread:,} gold sentences could not be read and are not scored")
    return "; ".join(parts)


def _records(system: Labelled, scores: Iterable[Score], n: int, stated: str, parts: Sequence[str] = ()) -> list[Record]:
    records: list[Record] = []
    for score in scores:
        mapping = f" ({score.conventions['mapping']})" if score.measure in ("MacroI", "MicroI", "MicroC") else ""
        record = score_record(score)
        own = record.pop("convention")
        record |= {"measure": score.measure + mapping, "n": int(n)}
        record |= {name: score.parts.get(name) if parts[0] in score.parts else None for name in parts}
        record |= {"conventions": f"{own}; {stated}" if own else stated}
        records.append({"system": system.path} | record)
    return records
