"""How well the brackets of phrase-structure trees fit a gold standard, as EVALB counts them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from analysis.constituents.conventions import EVALB, BracketConventions
from analysis.statistics.scored import Measure, ScoredRatios
from analysis.statistics.sentence_counts import (
    DROPPED,
    FAILED,
    SCORED,
    Evaluation,
    multiset_matches,
    per_sentence,
    relation_table,
)
from analysis.structures import DataError, Incident
from analysis.structures.columns import Coded, Columns, as_given, equal_to, numbers_of, texts_of
from analysis.structures.derivation import Derivations
from analysis.structures.digests import gold_digest
from analysis.structures.labels import encode_rows, shared_codes
from analysis.structures.lazy import pd

#: The measures, where labels count; without, "labelled" is "bracketed".
MEASURES = (
    "labelled precision",
    "labelled recall",
    "labelled F1",
    "complete match",
    "average crossing",
    "no crossing",
    "at most 2 crossing",
    "tagging accuracy",
)

_QUOTES = ("'", '"', "/")
_PAIRS_AT_ONCE = 1 << 16  # of a gold and a predicted bracket
_SPAN = ("sentence", "start", "end")


def bracket_scores(gold: Derivations, predicted: Derivations, conventions: BracketConventions = EVALB) -> Evaluation:
    """Precision, recall and F1 of brackets, crossing brackets, complete match, and accuracy of tags.

    Brackets are a multiset of (label, first word, last word), tags of words not among them. A predicted bracket crosses
    if it overlaps some gold bracket and neither holds the other.

    Parameters
    ----------
    gold, predicted : Derivations
        Trees of `analysis.corpora.bracketed_trees.read_bracketed_trees`, sentence by sentence.
    conventions : BracketConventions
        By default EVALB's with its usual parameter file.

    Returns
    -------
    Evaluation
        Measures: `MEASURES`. ``sentences``: counts of each sentence, ``status`` ``scored``, ``failed`` (counted
        without a parse) or ``dropped``. ``items``: one row per bracket. Average crossing is a number of brackets per
        sentence.

    Raises
    ------
    DataError
        If there are not as many sentences on both sides, or words differ and are refused.

    References
    ----------
    Black et al. (1991), A procedure for quantitatively comparing the syntactic coverage of English grammars; Sekine &
    Collins (1997), EVALB.

    Examples
    --------
    >>> from analysis.corpora.bracketed_trees import read_bracketed_trees
    >>> gold = read_bracketed_trees(b"(S (NP (DT the) (NN hen)) (VP (VBZ eats)))")
    >>> bracket_scores(gold, read_bracketed_trees(b"(S (DT the) (VP (NN hen) (VBZ eats)))"))
    labelled precision 0.500 (1/2)
    labelled recall 0.333 (1/3)
    labelled F1 0.400 (2/5)
    complete match 0.000 (0/1)
    average crossing 1 (1/1)
    no crossing 0.000 (0/1)
    at most 2 crossing 1.000 (1/1)
    tagging accuracy 1.000 (3/3)
    """
    n = len(gold)
    if len(predicted) != n:
        raise DataError(
            f"the gold file has {n:,} sentences and the predicted one {len(predicted):,}: one tree per line is needed, "
            "and an empty line where there is no parse."
        )
    whole, texts = _sides((gold, predicted), n, conventions)
    kept = _with_quotes(whole, texts, conventions)
    sides = [side.reduced(own, texts, conventions) for side, own in zip(whole, kept, strict=True)]
    too_long = _too_long(whole[0], texts[2], conventions)
    status, incidents, tags = _statuses(gold, sides, too_long, texts[1].merged, conventions)
    scored = status == SCORED
    chosen = [
        np.flatnonzero(side.counted & (scored[side.sentence] | (own & (status == FAILED))[side.sentence]))
        for side, own in zip(sides, (True, False), strict=True)
    ]
    spans = [[s.sentence[rows], s.start[rows], s.end[rows]] for s, rows in zip(sides, chosen, strict=True)]
    labels = [s.label[rows] for s, rows in zip(sides, chosen, strict=True)]
    keys = [[*span, label] for span, label in zip(spans, labels, strict=True)] if conventions.labelled else spans
    matched = multiset_matches(*(encode_rows(*keys) if any(map(len, labels)) else labels))
    crossing = _crossing(spans, n)
    counts = [per_sentence(span[0], n) for span in spans]
    both = per_sentence(spans[0][0], n, matched[0])
    sentences = Columns(
        {
            "sentence": np.arange(n),
            "id": texts_of(as_given(gold, "sentences")["id"]),
            "status": Coded.of(status.tolist()),
            "gold": counts[0],
            "predicted": counts[1],
            "matched": both,
            "matched_twice": 2 * both,
            "brackets": counts[0] + counts[1],
            "complete": (scored & (both == counts[0]) & (both == counts[1])).astype(np.int64),
            "crossing": crossing,
            "none_crosses": (scored & (crossing == 0)).astype(np.int64),
            "few_cross": (scored & (crossing <= 2)).astype(np.int64),
            "words": np.where(status == DROPPED, 0, sides[0].words),
            "tags": tags,
            "trees": (status != DROPPED).astype(np.int64),
            "parses": scored.astype(np.int64),
        }
    )

    def items() -> pd.DataFrame:
        tables = []
        for name, span, label, found in zip(("gold", "predicted"), spans, labels, matched, strict=True):
            names = pd.Index(texts[0].merged, dtype="str").take(label)
            own = {"side": name, "sentence": span[0], "label": names, "start": span[1], "end": span[2]}
            tables.append(pd.DataFrame({**own, "matched": found}))
        return pd.concat(tables, ignore_index=True)

    return Evaluation(
        "brackets",
        sentences,
        _ratios(conventions.labelled),
        items,
        lambda table: relation_table(table[["label"]].astype("str"), table["side"] == "gold", table["matched"]),
        conventions.described(),
        _parts(status.tolist()),
        incidents,
        {"average crossing": Measure("average crossing", "count", "percentile", 0.0, float("inf"), True)},
    )


def scored_brackets(
    evaluation: Evaluation, gold: Derivations, choices: Mapping[str, object] | None = None
) -> ScoredRatios:
    """Counts of each sentence in `bracket_scores`, for intervals and for comparing systems.

    Units and digest are of the sentences that are scored. Systems that fail on different sentences are therefore not
    compared, unless such sentences are counted (`BracketConventions.failed`), or left out of all of them
    (`in_common`).

    Parameters
    ----------
    evaluation : Evaluation
    gold : Derivations
    choices : mapping, optional
        What the numbers depend on besides the conventions, for the signature.

    Returns
    -------
    ScoredRatios

    Examples
    --------
    >>> from analysis.corpora.bracketed_trees import read_bracketed_trees
    >>> gold = read_bracketed_trees(b"(S (NP (NN hens)) (VP (VBP eat)))")
    >>> scored_brackets(bracket_scores(gold, gold), gold).values()[0, :4].tolist()
    [1.0, 1.0, 1.0, 1.0]
    """
    counted = evaluation.counted()
    above, below = (
        np.column_stack([evaluation.counts(name)[counted] for name in columns])
        for columns in zip(*evaluation.ratios.values(), strict=True)
    )
    measures = tuple(evaluation.kinds.get(name, Measure(name)) for name in evaluation.ratios)
    numbers = evaluation.counts("sentence")[counted]
    nodes, tokens = (as_given(gold, name) for name in ("nodes", "tokens"))
    rows, words = (np.flatnonzero(np.isin(numbers_of(table["sentence"]), numbers)) for table in (nodes, tokens))
    digest = gold_digest(
        *(numbers_of(nodes[name])[rows] for name in _SPAN),
        texts_of(nodes["category"].take(rows)),
        numbers_of(tokens["sentence"])[words],
        texts_of(tokens["form"].take(words)),
    )
    conventions = {**(choices or {}), **evaluation.conventions}
    return ScoredRatios("brackets", measures, above, below, "sentence", digest, conventions)


def in_common(evaluations: Sequence[Evaluation]) -> list[Evaluation]:
    r"""Drop from every system the sentences that some system drops, so that all are scored on the same ones.

    Parameters
    ----------
    evaluations : sequence of Evaluation
        What `bracket_scores` gave for several systems and one gold standard.

    Returns
    -------
    list of Evaluation

    Examples
    --------
    >>> from analysis.corpora.bracketed_trees import read_bracketed_trees
    >>> gold = read_bracketed_trees(b"(S (NN hens) (VP (VBP eat)))\n(S (NN hens))\n", by_line=True)
    >>> fails = read_bracketed_trees(b"(S (NN hens) (VP (VBP eat)))\n\n", by_line=True)
    >>> [len(scored_brackets(each, gold).numerators) for each in in_common([bracket_scores(gold, side) for side in
    ...                                                                     (gold, fails)])]
    [1, 1]
    """
    dropped = ~np.all([each.counted() for each in evaluations], axis=0)
    found = []
    for each in evaluations:
        table = as_given(each, "sentences")
        status = np.where(dropped, DROPPED, texts_of(table["status"])).tolist()
        sentences = table.assign(status=Coded.of(status))
        incidents = as_given(each, "incidents")
        found.append(replace(each, sentences=sentences, parts={**each.parts, **_parts(status)}, incidents=incidents))
    return found


def _parts(status: list[str]) -> dict[str, int]:
    """How many sentences are scored, failed, dropped."""
    return {f"sentences {name}": status.count(name) for name in (SCORED, FAILED, DROPPED)}


def _ratios(labelled: bool) -> dict[str, tuple[str, str]]:
    columns = (
        ("matched", "predicted"), ("matched", "gold"), ("matched_twice", "brackets"), ("complete", "trees"),
        ("crossing", "parses"), ("none_crosses", "parses"), ("few_cross", "parses"), ("tags", "words"),
    )  # fmt: skip
    names = [name if labelled else name.replace("labelled", "bracketed") for name in MEASURES]
    return dict(zip(names, columns, strict=True))


@dataclass(frozen=True)
class _Names:
    """Texts of both sides, which have codes, and the code of each when equal ones count as the same.

    Attributes
    ----------
    raw, merged : list of str
    merge : ndarray of int64
        Index in ``merged`` of each of ``raw``.
    """

    raw: list[str]
    merged: list[str]
    merge: np.ndarray

    def among(self, texts: Sequence[str]) -> np.ndarray:
        """Which of the texts as they stand are among these."""
        return np.array([name in texts for name in self.raw], dtype=bool)


@dataclass(frozen=True)
class _Side:
    """Brackets and words of one side, as they stand, in codes; positions count from 0."""

    sentence: np.ndarray
    start: np.ndarray
    end: np.ndarray
    label: np.ndarray
    token_sentence: np.ndarray
    form: np.ndarray
    tag: np.ndarray
    n: int

    @property
    def first(self) -> np.ndarray:
        """Row of the first word of each sentence, then the number of words."""
        return np.searchsorted(self.token_sentence, np.arange(self.n + 1))

    def reduced(
        self, kept: np.ndarray, texts: tuple[_Names, _Names, _Names], conventions: BracketConventions
    ) -> _Reduced:
        """Without the words and brackets that do not count; equal labels, words and tags have equal codes."""
        labels, forms, tags = texts
        first, before = self.first, np.concatenate([[0], np.cumsum(kept)])
        origin = before[first[self.sentence]]
        start, end = (before[first[self.sentence] + at] - origin for at in (self.start, self.end))
        same = _representatives(conventions.equal_labels)
        deleted = {same.get(each, each) for each in conventions.delete_labels}
        label = labels.merge[self.label]
        counted = (start < end) & ~np.array([name in deleted for name in labels.merged], dtype=bool)[label]
        form, tag = forms.merge[self.form[kept]], tags.merge[self.tag[kept]]
        return _Reduced(self.sentence, start, end, label, counted, form, tag, before[first])


@dataclass(frozen=True)
class _Reduced:
    sentence: np.ndarray
    start: np.ndarray
    end: np.ndarray
    label: np.ndarray
    counted: np.ndarray
    form: np.ndarray
    tag: np.ndarray
    first: np.ndarray

    @property
    def words(self) -> np.ndarray:
        """Words of each sentence."""
        return np.diff(self.first)


def _sides(
    banks: Sequence[Derivations], n: int, conventions: BracketConventions
) -> tuple[list[_Side], tuple[_Names, _Names, _Names]]:
    """Both sides, and the texts of their labels, forms and tags."""
    nodes, tokens = ([as_given(bank, name) for bank in banks] for name in ("nodes", "tokens"))
    phrases = [np.flatnonzero(~equal_to(table["rule"], "lex")) for table in nodes]
    same = _representatives(conventions.equal_labels)

    def label_of(text: str) -> str:
        text = text if conventions.function_tags else text.replace("=", "-").split("-")[0]
        return same.get(text, text)

    words = _representatives(conventions.equal_words)
    categories = [table["category"].take(rows) for table, rows in zip(nodes, phrases, strict=True)]
    label, labels = _in_codes(categories, label_of)
    form, forms = _in_codes([table["form"] for table in tokens], lambda text: words.get(text, text))
    tag, tags = _in_codes([table["category"] for table in tokens], lambda text: same.get(text, text))
    sides = []
    for at, (table, rows) in enumerate(zip(nodes, phrases, strict=True)):
        sentence, start, end = (numbers_of(table[name])[rows] for name in _SPAN)
        sides.append(_Side(sentence, start, end, label[at], numbers_of(tokens[at]["sentence"]), form[at], tag[at], n))
    return sides, (labels, forms, tags)


def _in_codes(columns: Sequence[pd.Series | Coded], merged: Callable[[str], str]) -> tuple[list[np.ndarray], _Names]:
    """Codes of the texts of columns, and the texts, each with what it counts as."""
    codes, raw = shared_codes(*columns)
    places: dict[str, int] = {}
    merge = np.array([places.setdefault(merged(text), len(places)) for text in raw], dtype=np.int64)
    return codes, _Names(raw, list(places), merge)


def _representatives(pairs: Sequence[tuple[str, str]]) -> dict[str, str]:
    """One name for all that are linked by pairs."""
    found: dict[str, str] = {}
    for one, other in pairs:
        a, b = found.get(one, one), found.get(other, other)
        found |= dict.fromkeys([one, other, *(name for name, of in found.items() if of == b)], a)
    return found


def _with_quotes(
    sides: Sequence[_Side], texts: tuple[_Names, _Names, _Names], conventions: BracketConventions
) -> list[np.ndarray]:
    """Words that stay on each side; a quotation mark that only one side deletes stays on both, if counts differ."""
    _, forms, tags = texts
    kept = [~tags.among(conventions.delete_labels)[side.tag] for side in sides]
    if not conventions.quote_labels:
        return kept
    first = [side.first for side in sides]
    counts = [
        np.add.reduceat(np.append(own, False), at[:-1]) * (np.diff(at) > 0) for own, at in zip(kept, first, strict=True)
    ]
    quotes, labels = forms.among(_QUOTES), tags.among(conventions.quote_labels)
    marks = [quotes[side.form] & labels[side.tag] for side in sides]
    for sentence in np.flatnonzero(counts[0] != counts[1]):
        rows = [np.arange(at[sentence], at[sentence + 1]) for at in first]
        if len(rows[0]) != len(rows[1]):
            continue
        for one, other in zip(*rows, strict=True):
            if (
                (marks[0][one] and marks[1][other])
                and sides[0].tag[one] != sides[1].tag[other]
                and kept[0][one] != kept[1][other]
            ):
                kept[0][one] = kept[1][other] = True
    return kept


def _statuses(
    gold: Derivations,
    sides: Sequence[_Reduced],
    too_long: np.ndarray,
    forms: Sequence[str],
    conventions: BracketConventions,
) -> tuple[np.ndarray, list[Incident], np.ndarray]:
    """What becomes of each sentence, what is wrong with it, and how many of its tags are right."""
    n = len(gold)
    ours, theirs = sides
    status = np.full(n, SCORED, dtype=object)
    sentences = as_given(gold, "sentences")
    lines = sentences["line"].tolist() if "line" in sentences.columns else [0] * n
    dropped = (ours.words == 0) | too_long
    long = ours.words == theirs.words
    rows = [np.repeat(long, side.words) for side in sides]  # words of the sentences that are equally long
    sentence = np.repeat(np.arange(n), np.where(long, ours.words, 0))
    differs, agrees = (
        np.bincount(sentence[chosen], minlength=n)
        for chosen in (
            ours.form[rows[0]] != theirs.form[rows[1]],
            ours.tag[rows[0]] == theirs.tag[rows[1]],
        )
    )
    other = ~long | (differs > 0)
    tags = np.where(dropped | other, 0, agrees)
    status[dropped] = DROPPED
    incidents, left = [], {"leave out": DROPPED, "count": FAILED}
    for number in np.flatnonzero(other & ~dropped).tolist():
        a, b = (side.form[side.first[number] : side.first[number + 1]] for side in sides)
        if not len(b):
            status[number] = left[conventions.failed]
            incidents.append(Incident("predicted", 0, "no parse", f"sentence {number + 1} has no parse"))
            continue
        words = [[forms[code] for code in side] for side in (a, b)]
        incident = Incident("predicted", 0, "other words", _difference(number, words, lines[number]))
        if conventions.mismatch == "refuse":
            raise DataError(incident)
        status[number] = left[conventions.mismatch]
        incidents.append(incident)
    return status, incidents, tags


def _too_long(gold: _Side, tags: _Names, conventions: BracketConventions) -> np.ndarray:
    """Which sentences have more words than are scored."""
    if conventions.max_length is None:
        return np.zeros(gold.n, dtype=bool)
    counted = ~tags.among(conventions.delete_for_length)[gold.tag]
    return per_sentence(gold.token_sentence, gold.n, counted) > conventions.max_length


def _difference(sentence: int, words: Sequence[list[str]], line: int) -> str:
    ours, theirs = words
    at = next((i for i, pair in enumerate(zip(ours, theirs, strict=False)) if pair[0] != pair[1]), min(map(len, words)))
    shown = [repr(side[at]) if at < len(side) else "nothing" for side in words]
    return f"word {at + 1} of sentence {sentence + 1} (gold line {line}) is {shown[1]}, and {shown[0]} in gold"


def _crossing(spans: Sequence[list[np.ndarray]], n: int) -> np.ndarray:
    """Predicted brackets of each sentence that cross a gold one."""
    (gold_sentence, *gold), (sentence, *predicted) = spans
    order = np.argsort(gold_sentence, kind="stable")
    gold_start, gold_end = (side[order] for side in gold)
    bounds = np.searchsorted(gold_sentence[order], np.arange(n + 1))
    number = np.diff(bounds)[sentence]  # gold brackets to compare with
    block = (np.cumsum(number) - number) // _PAIRS_AT_ONCE
    crosses = np.zeros(len(sentence), dtype=bool)
    for rows in np.split(np.arange(len(sentence)), np.flatnonzero(np.diff(block)) + 1):
        pair = np.repeat(rows, number[rows])
        within = np.arange(len(pair)) - np.repeat(np.cumsum(number[rows]) - number[rows], number[rows])
        other = bounds[sentence[pair]] + within
        start, end, first, last = gold_start[other], gold_end[other], predicted[0][pair], predicted[1][pair]
        found = ((start < first) & (first < end) & (end < last)) | ((first < start) & (start < last) & (last < end))
        crosses[pair[found]] = True
    return per_sentence(sentence, n, crosses)
