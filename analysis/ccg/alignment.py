"""Alignment of the sentences of a parser's output with gold sentences."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from analysis.corpora.ccgbank import unescape
from analysis.statistics.sentence_counts import DROPPED, FAILED, SCORED
from analysis.structures import check_choice
from analysis.structures.columns import (
    Coded,
    Columns,
    as_given,
    as_text_frame,
    equal_to,
    framed,
    numbered,
    numbers_of,
    texts_at,
    texts_of,
)
from analysis.structures.derivation import PARSED, Derivations
from analysis.structures.incidents import DataError, Incident, incidents_frame, incidents_of
from analysis.structures.lazy import pd
from analysis.structures.matching import match_identifiers, not_shared, unmatched

DifferingWords = Literal["count", "refuse"]


@framed(sentences=as_text_frame, incidents=incidents_frame)
@dataclass(frozen=True)
class Alignment:
    """Aligned sentences of two treebanks.

    Attributes
    ----------
    sentences : DataFrame
        One row per gold sentence: ``sentence``, ``id``, ``status`` (``scored``; ``failed``: the system has no
        derivation; ``dropped``: the gold standard has none), ``words`` of the gold derivation.
    gold, predicted : Derivations
        The system's sentences have the gold numbers; sentences that are not scored have no nodes.
    incidents : DataFrame
        Sentences that one side lacks, and words that differ.
    in_order : bool
        Whether the order of both sides is the same.
    """

    sentences: pd.DataFrame
    gold: Derivations
    predicted: Derivations
    incidents: pd.DataFrame
    in_order: bool = True

    def parts(self) -> dict[str, int]:
        """Numbers of sentences that were scored, failed, dropped, and of words that differ."""
        statuses = list(as_given(self, "sentences")["status"])
        found = {f"sentences {status}": statuses.count(status) for status in (SCORED, FAILED, DROPPED)}
        kinds = [incident.kind for incident in incidents_of(as_given(self, "incidents"))]
        return found | {"words that differ": kinds.count("different word")}


def align(gold: Derivations, predicted: Derivations, *, differing_words: DifferingWords = "count") -> Alignment:
    r"""Align a system's sentences with the gold ones.

    Sentences are matched by ID if both sides have IDs and share some, in any order: a gold sentence whose ID is missing
    counts as a failed parse, a sentence that the gold standard lacks is not scored, and both are listed. Otherwise they
    are matched by order, if there are equally many; then the words must agree.

    Parameters
    ----------
    gold, predicted : Derivations
    differing_words : {"count", "refuse"}
        Two sentences with one ID match if they have equally many words, of which at least half are the same (escapes
        such as ``\/`` and ``-LRB-`` are resolved). Words that differ are listed and counted, or raise an error. If
        matched by order, they always raise an error.

    Returns
    -------
    Alignment

    Raises
    ------
    DataError
        If the sentences do not align; the message shows the first two that differ.

    Examples
    --------
    >>> from analysis.structures.derivation import Derivation, derivations
    >>> tree = derivations(*Derivation.build(("NP", ("N", "dogs"))).to_tables())
    >>> align(tree, tree).sentences["status"].tolist()
    ['scored']
    """
    check_choice("differing_words", differing_words, ("count", "refuse"))
    partner, by_id = _partners(gold, predicted)
    ours, theirs = (as_given(bank, "sentences") for bank in (gold, predicted))
    status = np.where(equal_to(ours["status"], PARSED), SCORED, DROPPED).astype(object)
    parsed = equal_to(theirs["status"], PARSED)
    place = np.asarray(partner, dtype=np.int64)
    without = (place < 0) | ~parsed[place] if len(parsed) else place < 0
    status[(status == SCORED) & without] = FAILED
    gold_of_predicted = np.full(len(predicted), -1, dtype=np.int64)
    gold_of_predicted[place[place >= 0]] = np.flatnonzero(place >= 0)
    scored = status == SCORED
    moved = _renumbered(predicted, gold_of_predicted, scored)
    kept = _renumbered(gold, np.arange(len(gold)), scored | (status == FAILED))
    if by_id:
        incidents = _unmatched(gold, predicted, partner)
    else:
        incidents = not_shared(_identifiers(gold), _identifiers(predicted), ("gold", "system"))
    incidents += _compare_words(kept, moved, gold, scored, differing_words if by_id else "refuse")
    sentences = Columns({
        "sentence": np.arange(len(gold)), "id": texts_of(ours["id"]), "status": Coded.of(status.tolist()),
        "words": numbers_of(ours["words"]),
    })  # fmt: skip
    in_order = len(gold) == len(predicted) and np.array_equal(place, np.arange(len(gold)))
    return Alignment(sentences, kept, moved, incidents, in_order)


def _renumbered(bank: Derivations, numbers: np.ndarray, kept: np.ndarray) -> Derivations:
    """Renumber the sentences in order, without those that are not kept."""
    if len(kept) == len(numbers) and kept.all() and np.array_equal(numbers, np.arange(len(numbers))):
        return bank
    tables = []
    for table in (as_given(bank, "nodes"), as_given(bank, "tokens")):
        new = numbers[numbers_of(table["sentence"])]
        rows = np.flatnonzero((new >= 0) & np.append(kept, False)[new])
        rows = rows[np.argsort(new[rows], kind="stable")]
        tables.append(numbered(table, rows, new[rows]))
    return Derivations(tables[0], tables[1], as_given(bank, "sentences"), as_given(bank, "incidents"))


def _partners(gold: Derivations, predicted: Derivations) -> tuple[list[int], bool]:
    """Return the index of each gold sentence among the predicted ones, and whether it was found by ID."""
    place = match_identifiers(_identifiers(gold), _identifiers(predicted))
    if place is not None:
        return place.tolist(), True
    if len(gold) == len(predicted):
        return list(range(len(gold))), False
    first = _first_different(gold, predicted)
    advice = "Give both files the same ID= lines, or a line for each sentence (FAILED where there is no parse)."
    raise DataError(f"the gold standard has {len(gold):,} sentences and the system {len(predicted):,}. {first}", advice)


def _identifiers(bank: Derivations) -> list[str]:
    """Return the ID of each sentence; empty if the file has none."""
    sentences = as_given(bank, "sentences")
    if "header" not in sentences.columns:
        return [""] * len(bank)
    pairs = zip(texts_of(sentences["id"]), texts_of(sentences["header"]), strict=True)
    return [identity if header else "" for identity, header in pairs]


def _unmatched(gold: Derivations, predicted: Derivations, partner: list[int]) -> list[Incident]:
    taken = set(partner)
    lost = [number for number, place in enumerate(partner) if place < 0]
    more = [number for number in range(len(predicted)) if number not in taken]
    sides = []
    for bank, numbers in ((gold, lost), (predicted, more)):
        sentences = as_given(bank, "sentences")
        ids = texts_at(sentences["id"], numbers)
        lines = numbers_of(sentences["line"])[numbers].tolist() if "line" in sentences.columns else [0] * len(ids)
        sides.append(list(zip(ids, lines, strict=True)))
    return unmatched(sides, ("gold", "system"))


def _words(bank: Derivations, sentence: int) -> list[str]:
    tokens = as_given(bank, "tokens")
    begin, end = (np.searchsorted(numbers_of(tokens["sentence"]), sentence, side) for side in ("left", "right"))
    return texts_at(tokens["form"], slice(int(begin), int(end)))


def _first_different(gold: Derivations, predicted: Derivations) -> str:
    for number in range(min(len(gold), len(predicted))):
        one, two = _words(gold, number), _words(predicted, number)
        if one and two and not _same(one, two):
            return _shown(number, one, two)
    number = min(len(gold), len(predicted))
    longer = "gold standard" if len(gold) > len(predicted) else "system"
    words = _words(gold if len(gold) > len(predicted) else predicted, number)
    return f"The first sentence that only the {longer} has is number {number + 1}: {' '.join(words)}"


def _shown(number: int, one: list[str], two: list[str]) -> str:
    return (
        f"The first two that differ are number {number + 1}:\n"
        f"  gold:   {' '.join(one)}\n  system: {' '.join(two)}"
    )  # fmt: skip


def _same(one: list[str], two: list[str]) -> bool:
    if len(one) != len(two):
        return False
    equal = sum(unescape(a) == unescape(b) for a, b in zip(one, two, strict=True))
    return 2 * equal >= len(one) and equal > 0


def _compare_words(
    ours: Derivations, theirs: Derivations, gold: Derivations, scored: np.ndarray, differing_words: DifferingWords
) -> list[Incident]:
    one, two = ours.coded, theirs.coded
    rows = np.flatnonzero(scored[one.token_sentence]) if len(scored) else np.zeros(0, dtype=np.int64)
    counts_gold = np.bincount(one.token_sentence[rows], minlength=len(scored))
    counts_system = np.bincount(two.token_sentence, minlength=len(scored))
    unequal = np.flatnonzero(counts_gold != counts_system)
    if len(unequal):
        number = int(unequal[0])
        raise DataError(f"the sentences do not align. {_shown(number, _words(ours, number), _words(theirs, number))}")
    place = {form: number for number, form in enumerate(one.forms)}
    same = np.array([place.get(form, -1) for form in two.forms], dtype=np.int64)
    different = np.flatnonzero(one.form[rows] != (same[two.form] if len(same) else two.form))
    words = [(one.forms[one.form[rows[row]]], two.forms[two.form[row]]) for row in different]
    unlike = [number for number, (a, b) in enumerate(words) if unescape(a) != unescape(b)]
    if not unlike:
        return []
    different, words = different[unlike], [words[number] for number in unlike]
    sentences = one.token_sentence[rows[different]]
    errors = np.bincount(sentences, minlength=len(scored))
    wrong = np.flatnonzero((2 * errors > counts_gold) & (errors > 0))
    if differing_words == "refuse":
        wrong = np.flatnonzero(errors)
    if len(wrong):
        number = int(wrong[0])
        raise DataError(f"the sentences do not align. {_shown(number, _words(ours, number), _words(theirs, number))}")
    ids = texts_at(as_given(gold, "sentences")["id"], sentences)
    return [
        Incident("system", 0, "different word", f"sentence {identity}: the gold word is {mine!r}", their, mine)
        for identity, (mine, their) in zip(ids, words, strict=True)
    ]
