r"""The three evaluations of Clark & Hockenmaier (2002), and the accuracy of lexical categories.

Each takes gold and predicted derivations, aligns them, and returns an `Evaluation`: counts per sentence, totals over
all sentences, all counted brackets or dependencies, and scores by relation.
"""

from __future__ import annotations

from functools import cached_property, partial
from operator import add
from typing import NamedTuple

import numpy as np

from analysis.ccg.alignment import Alignment, DifferingWords, align
from analysis.ccg.extraction import Dependencies, Extraction, UnknownRule, found_dependencies, unknown_rules
from analysis.ccg.reduced import Heads, Level, Reduced, head_field_means_nothing, kept_words, reduce
from analysis.statistics.sentence_counts import (
    DROPPED,
    FAILED,
    SCORED,
    Evaluation,
    multiset_matches,
    per_sentence,
    relation_table,
)
from analysis.statistics.sentence_counts import (
    bootstrap_intervals as bootstrap_intervals,
)
from analysis.structures import check_choice
from analysis.structures.columns import Coded, as_given
from analysis.structures.derivation import Derivations
from analysis.structures.incidents import Incident, incidents_of
from analysis.structures.labels import encode_rows, number_codes, shared_codes
from analysis.structures.lazy import pd

#: Relation of the root.
HEAD = "HEAD"


class _Pair:
    """A gold standard and a system, aligned, and what several evaluations need of them, each found once."""

    def __init__(
        self,
        gold: Derivations,
        predicted: Derivations,
        differing_words: DifferingWords,
        punctuation: bool = True,
        level: Level = "same label",
    ) -> None:
        self.banks = {"gold": gold, "predicted": predicted}
        self.alignment = align(gold, predicted, differing_words=differing_words)
        self.punctuation, self.level = punctuation, level

    def __len__(self) -> int:
        return len(self.banks["gold"])

    @cached_property
    def keep(self) -> tuple[np.ndarray, np.ndarray]:
        """Whether each word counts, for each side."""
        return kept_words(self.alignment, self.punctuation)

    @cached_property
    def reduced(self) -> list[Reduced]:
        """Both sides without the words that do not count."""
        banks = (self.alignment.gold, self.alignment.predicted)
        return [reduce(bank, kept, self.level) for bank, kept in zip(banks, self.keep, strict=True)]

    @cached_property
    def parts(self) -> dict[str, int]:
        """Numbers of sentences and of words that differ."""
        return self.alignment.parts()


def lexical_category_accuracy(
    gold: Derivations,
    predicted: Derivations,
    *,
    punctuation: bool = True,
    differing_words: DifferingWords = "count",
) -> Evaluation:
    r"""Compute the proportion of words with the gold lexical category.

    Parameters
    ----------
    gold, predicted : Derivations
    punctuation : bool
        Whether punctuation marks (according to the gold categories) count; in the paper they do not.
    differing_words : {"count", "refuse"}
        See `analysis.ccg.alignment.align`.

    Returns
    -------
    Evaluation
        ``accuracy``; the words of sentences without a parse count as wrong. ``items``: one row per word.

    Raises
    ------
    DataError
        If the sentences do not align.

    References
    ----------
    Clark & Hockenmaier (2002), section 4.1.

    Examples
    --------
    The trees of the paper's Figure 2:

    >>> from analysis.ccg.examples import worked_example
    >>> lexical_category_accuracy(*worked_example())
    accuracy 0.667 (4/6)
    """
    return _lexical_categories(_Pair(gold, predicted, differing_words, punctuation))


def _lexical_categories(pair: _Pair) -> Evaluation:
    alignment, (keep, keep_predicted) = pair.alignment, pair.keep
    n = len(pair)
    ours, theirs = (as_given(bank, "tokens")["category"] for bank in (alignment.gold, alignment.predicted))
    sentence, of_theirs = alignment.gold.coded.token_sentence, alignment.predicted.coded.token_sentence
    (codes, codes_of_theirs), _ = shared_codes(ours, theirs)
    scored = per_sentence(of_theirs, n)[sentence] > 0
    matched = np.zeros(len(ours), dtype=bool)
    matched[scored] = codes[scored] == codes_of_theirs

    def items() -> pd.DataFrame:
        words = alignment.gold.tokens[["sentence", "position", "form", "category"]][keep].reset_index(drop=True)
        found = pd.Series(pd.NA, index=range(len(keep)), dtype="str")
        found[scored] = alignment.predicted.tokens["category"].astype("str").to_numpy()
        return words.assign(predicted=found[keep].to_numpy(), matched=matched[keep])

    def relations(words: pd.DataFrame) -> pd.DataFrame:
        side = pd.concat(
            [words[["category", "matched"]], words.loc[words["predicted"].notna(), ["predicted", "matched"]]
             .rename(columns={"predicted": "category"})],
            ignore_index=True,
        )  # fmt: skip
        is_gold = pd.Series(np.arange(len(side)) < len(words))
        return relation_table(side[["category"]].astype("str"), is_gold, side["matched"])

    sentences = as_given(alignment, "sentences").assign(
        gold=per_sentence(sentence, n, keep),
        predicted=per_sentence(of_theirs, n, keep_predicted),
        matched=per_sentence(sentence, n, keep & matched),
    )
    return Evaluation(
        "lexical categories",
        sentences,
        {"accuracy": ("matched", "gold")},
        items,
        relations,
        {"punctuation": "counted" if pair.punctuation else "disregarded"},
        pair.parts,
        as_given(alignment, "incidents"),
    )


def parseval(
    gold: Derivations,
    predicted: Derivations,
    *,
    punctuation: bool = True,
    level: Level = "same label",
    unary: bool = True,
    lexical: bool = False,
    differing_words: DifferingWords = "count",
) -> Evaluation:
    r"""Compute labelled and bracketed precision and recall of the nonterminal nodes.

    Brackets are a multiset of (label, first word, last word). Labels are compared unchanged, including features; only
    conjuncts are normalised to X[conj], also if a file writes X\X over ``conj X``. The measure also works for
    phrase-structure trees (`analysis.corpora.bracketed_trees.read_bracketed_trees`).

    Parameters
    ----------
    gold, predicted : Derivations
    punctuation : bool
        Whether punctuation marks and the level that each adds to the tree count. In the paper they do not; the gold
        tree determines the punctuation of both trees.
    level : {"same label", "always", "never"}
        When to drop a node that has a single daughter after punctuation is deleted: if its label equals the daughter's,
        always, or never. According to the paper the level is disregarded.
    unary : bool
        Whether nodes with one daughter count; in the paper they do.
    lexical : bool
        Whether lexical categories count; in the paper they do not, but their unary projections do.
    differing_words : {"count", "refuse"}
        See `analysis.ccg.alignment.align`.

    Returns
    -------
    Evaluation
        Measures ``labelled precision``, ``labelled recall``, ``bracketed precision``, ``bracketed recall``. A sentence
        without a parse counts in recall. ``items``: one row per bracket, ``matched`` with and ``matched_bracket``
        without labels.

    Raises
    ------
    DataError
        If the sentences do not align.

    References
    ----------
    Clark & Hockenmaier (2002), section 4.1.

    Examples
    --------
    The trees of the paper's Figure 2:

    >>> from analysis.ccg.examples import worked_example
    >>> parseval(*worked_example())
    labelled precision 0.429 (3/7)
    labelled recall 0.500 (3/6)
    bracketed precision 0.429 (3/7)
    bracketed recall 0.500 (3/6)
    """
    return _parseval(_Pair(gold, predicted, differing_words, punctuation, level), unary, lexical)


def _parseval(pair: _Pair, unary: bool = True, lexical: bool = False) -> Evaluation:
    alignment, sides = pair.alignment, pair.reduced
    n = len(pair)
    chosen = [_brackets(side, unary, lexical) for side in sides]
    place = {name: number for number, name in enumerate(sides[0].names)}
    theirs = np.array([place.setdefault(name, len(place)) for name in sides[1].names], dtype=np.int64)
    labels = [sides[0].code[chosen[0]], theirs[sides[1].code[chosen[1]]] if len(theirs) else chosen[1]]
    spans = [[side.sentence[rows], side.start[rows], side.end[rows]] for side, rows in zip(sides, chosen, strict=True)]
    labelled = multiset_matches(*encode_rows(*([*span, label] for span, label in zip(spans, labels, strict=True))))
    bracketed = multiset_matches(*encode_rows(*spans))

    def items() -> pd.DataFrame:
        tables = [
            pd.DataFrame(
                {
                    "side": name,
                    "sentence": span[0],
                    "label": side.label[rows],
                    "start": span[1],
                    "end": span[2],
                    "matched": found,
                    "matched_bracket": without,
                }
            )
            for name, side, rows, span, found, without in zip(
                ("gold", "predicted"), sides, chosen, spans, labelled, bracketed, strict=True
            )
        ]
        return pd.concat(tables, ignore_index=True)

    sentences = as_given(alignment, "sentences").assign(
        gold=np.bincount(spans[0][0], minlength=n),
        predicted=np.bincount(spans[1][0], minlength=n),
        matched=per_sentence(spans[0][0], n, labelled[0]),
        matched_bracket=per_sentence(spans[0][0], n, bracketed[0]),
    )
    return Evaluation(
        "Parseval",
        sentences,
        {
            "labelled precision": ("matched", "predicted"),
            "labelled recall": ("matched", "gold"),
            "bracketed precision": ("matched_bracket", "predicted"),
            "bracketed recall": ("matched_bracket", "gold"),
        },
        items,
        partial(_by_relation, ["label"]),
        {
            "punctuation": "counted" if pair.punctuation else "disregarded",
            "level of punctuation": pair.level,
            "unary nodes": "counted" if unary else "left out",
            "lexical categories": "counted" if lexical else "left out",
        },
        pair.parts,
        as_given(alignment, "incidents"),
    )


def _by_relation(names: list[str], items: pd.DataFrame) -> pd.DataFrame:
    """Make a `relation_table` of the counted items, by the columns of a relation."""
    relations = items[names].astype({name: "str" for name in names if name != "slot"})
    return relation_table(relations, items["side"] == "gold", items["matched"])


def _brackets(side: Reduced, unary: bool, lexical: bool) -> np.ndarray:
    rows = np.ones(len(side.leaf), dtype=bool) if lexical else ~side.leaf
    if not unary:
        rows &= side.leaf | (side.right >= 0)
    return np.flatnonzero(rows)


def tree_dependencies(
    gold: Derivations,
    predicted: Derivations,
    *,
    heads: Heads = "auto",
    directed: bool = True,
    punctuation: bool = True,
    level: Level = "same label",
    differing_words: DifferingWords = "count",
) -> Evaluation:
    r"""Compute evaluation 1: one relation ⟨parent, head daughter, sister⟩ per word, from local trees (Collins 1999).

    A word depends on the head of the node in which it heads a non-head daughter; the head of the sentence has the
    relation ⟨HEAD⟩. Labels are those of the nodes; conjuncts are normalised to X[conj].

    Parameters
    ----------
    gold, predicted : Derivations
    heads : {"auto", "field", "rule"}
        Heads from the files' head field, or from the head rule of `analysis.structures.ccg_rules.head_daughter`.
        ``"auto"`` uses the field unless one of the files marks every left daughter as head, as some parsers do: then
        the field has no meaning (all words would depend on the first), and the rule is used for both.
    directed : bool
        Whether the unlabelled score takes direction into account; in the paper it does.
    punctuation, level : bool, {"same label", "always", "never"}
        See `parseval`.
    differing_words : {"count", "refuse"}
        See `analysis.ccg.alignment.align`.

    Returns
    -------
    Evaluation
        Measures ``labelled recall``, ``unlabelled recall``, and the precisions, which differ only because of sentences
        without a parse. ``relations``: Table 3. ``conventions`` states the source of the heads.

    Raises
    ------
    DataError
        If the sentences do not align.
    ValueError
        If a node has more than two daughters.

    References
    ----------
    Clark & Hockenmaier (2002), section 4.2; Collins (1999).

    Examples
    --------
    The trees of the paper's Figure 2:

    >>> from analysis.ccg.examples import worked_example
    >>> result = tree_dependencies(*worked_example())
    >>> result.score("labelled recall")
    labelled recall 0.833 (5/6)
    >>> result.items.query("side == 'predicted' and not matched")[["parent", "head_label", "sister"]].values.tolist()
    [['NP', 'NP', 'NP\\NP']]
    """
    check_choice("heads", heads, ("auto", "field", "rule"))
    return _tree_dependencies(_Pair(gold, predicted, differing_words, punctuation, level), heads, directed)


def _tree_dependencies(pair: _Pair, heads: Heads, directed: bool = True) -> Evaluation:
    alignment = pair.alignment
    n = len(pair)
    senseless = [name for name, bank in pair.banks.items() if heads == "auto" and head_field_means_nothing(bank)]
    source = "rule" if heads == "rule" or senseless else "field"
    said = source if not senseless else f"rule (the head field of {' and '.join(senseless)} is 0 everywhere)"
    sides = [_tree_relations(side, source) for side in pair.reduced]
    places = [[side.sentence, side.dependent, side.head] for side in sides]
    names = {name: code for code, name in enumerate(dict.fromkeys((*sides[0].names, *sides[1].names)))}
    relations = [list(np.array([names[name] for name in side.names])[side.relation]) for side in sides]
    labelled = multiset_matches(*encode_rows(*map(add, places, relations)))
    if directed:
        unlabelled = multiset_matches(*encode_rows(*places))
    else:
        one, two = encode_rows(*(_unordered(*place) for place in places))
        unlabelled = _in_both(one, two)

    def items() -> pd.DataFrame:
        tables = [
            side.to_frame().assign(side=name, matched=found, matched_head=without)
            for name, side, found, without in zip(("gold", "predicted"), sides, labelled, unlabelled, strict=True)
        ]
        return pd.concat(tables, ignore_index=True)

    sentences = as_given(alignment, "sentences").assign(
        gold=per_sentence(places[0][0], n),
        predicted=per_sentence(places[1][0], n),
        matched=per_sentence(places[0][0], n, labelled[0]),
        matched_head=per_sentence(places[0][0], n, unlabelled[0]),
        matched_head_test=per_sentence(places[1][0], n, unlabelled[1]),
    )
    return Evaluation(
        "tree dependencies",
        sentences,
        {
            "labelled recall": ("matched", "gold"),
            "unlabelled recall": ("matched_head", "gold"),
            "labelled precision": ("matched", "predicted"),
            "unlabelled precision": ("matched_head_test", "predicted"),
        },
        items,
        partial(_by_relation, _RELATION),
        {
            "heads": said,
            "unlabelled": "directed" if directed else "undirected",
            "punctuation": "counted" if pair.punctuation else "disregarded",
            "level of punctuation": pair.level,
        },
        pair.parts,
        as_given(alignment, "incidents"),
    )


_RELATION = ["parent", "head_label", "sister"]


class _TreeRelations(NamedTuple):
    """The relation of each word and its head, 0 for the head of the sentence; in the order of the words.

    ``relation`` has the codes of the three labels in ``names``.
    """

    sentence: np.ndarray
    relation: np.ndarray
    head: np.ndarray
    dependent: np.ndarray
    names: list[str]

    def to_frame(self) -> pd.DataFrame:
        """The labels as text."""
        texts = pd.Index(self.names, dtype="str")
        labels = {name: texts.take(codes) for name, codes in zip(_RELATION, self.relation, strict=True)}
        return pd.DataFrame({"sentence": self.sentence, **labels, "head": self.head, "dependent": self.dependent})


def _tree_relations(side: Reduced, source: str) -> _TreeRelations:
    daughters_of = np.bincount(side.parent[side.parent >= 0], minlength=len(side.leaf))
    if (daughters_of > 2).any():
        raise ValueError("tree dependencies need derivations: a node has more than two daughters.")
    which, leaf = side.head_leaves(source)  # type: ignore[arg-type]
    parent = side.parent
    child = np.flatnonzero(parent >= 0)
    above = parent[child]
    sister = np.where(side.left[above] == child, side.right[above], side.left[above])
    is_head = np.where(which[above] == 1, side.right[above], side.left[above]) == child
    rows = (side.right[above] >= 0) & ~is_head
    dependents = child[rows]
    roots = np.flatnonzero(parent < 0)
    names = [*side.names.tolist(), "", HEAD]
    none, head = (np.full(len(roots), code) for code in (len(names) - 2, len(names) - 1))
    labels = [side.code[above[rows]], side.code[sister[rows]], side.code[dependents]]
    sentence = np.r_[side.sentence[dependents], side.sentence[roots]]
    dependent = np.r_[side.position[leaf[dependents]], side.position[leaf[roots]]]
    order = np.lexsort((dependent, sentence))
    return _TreeRelations(
        sentence[order],
        np.stack([np.r_[label, root] for label, root in zip(labels, (none, head, none), strict=True)])[:, order],
        np.r_[side.position[leaf[above[rows]]], np.zeros(len(roots), dtype=np.int64)][order],
        dependent[order],
        names,
    )


def _in_both(one: np.ndarray, two: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return whether each number occurs in the other array."""
    codes, distinct = number_codes(np.concatenate([one, two]).view(np.uint64))
    sides = np.split(codes, [len(one)])
    first, second = (np.bincount(side, minlength=len(distinct)) > 0 for side in sides)
    return second[sides[0]], first[sides[1]]


def _unordered(sentence: np.ndarray, one: np.ndarray, other: np.ndarray) -> list[np.ndarray]:
    return [sentence, np.minimum(one, other), np.maximum(one, other)]


def predicate_argument_dependencies(
    gold: Derivations,
    predicted: Derivations,
    *,
    directed: bool = False,
    differing_words: DifferingWords = "count",
    extractions: tuple[Extraction, Extraction] | None = None,
) -> Evaluation:
    r"""Compute evaluation 2: dependencies ⟨functor, its category, slot, argument⟩, including long-range ones.

    Parameters
    ----------
    gold, predicted : Derivations
        Dependencies of both are extracted by `analysis.ccg.extraction.extract_dependencies`.
    directed : bool
        Whether the unlabelled scores take direction into account; in the paper they do not.
    differing_words : {"count", "refuse"}
        See `analysis.ccg.alignment.align`.
    extractions : tuple of Extraction, optional
        Extractions of the gold standard and the system, if already computed.

    Returns
    -------
    Evaluation
        Measures ``labelled precision``, ``labelled recall`` (all four equal), ``unlabelled precision``: dependencies of
        the system whose pair of words occurs in a gold dependency, and ``unlabelled recall``, the reverse; both count
        dependencies, not distinct pairs. ``relations``: Table 4, by category and slot. A sentence whose gold
        dependencies cannot be extracted is dropped from both sides; if those of the system cannot be extracted, it
        counts as failed.

    Raises
    ------
    DataError
        If the sentences do not align.

    References
    ----------
    Clark & Hockenmaier (2002), section 4.3; Clark, Hockenmaier & Steedman (2002).

    Examples
    --------
    The trees of the paper's Figure 2:

    >>> from analysis.ccg.examples import worked_example
    >>> predicate_argument_dependencies(*worked_example())
    labelled precision 0.500 (3/6)
    labelled recall 0.429 (3/7)
    unlabelled precision 0.833 (5/6)
    unlabelled recall 0.714 (5/7)
    """
    return _predicate_argument(_Pair(gold, predicted, differing_words), directed, extractions)


def _predicate_argument(
    pair: _Pair, directed: bool = False, extractions: tuple[Extraction, Extraction] | None = None
) -> Evaluation:
    alignment = pair.alignment
    status, sides, incidents = _extracted(alignment, extractions)
    counted = status != DROPPED
    kept = [counted[sides[0].sentence], (counted & (status != FAILED))[sides[1].sentence]]
    sides = [side.where(chosen) for side, chosen in zip(sides, kept, strict=True)]
    n = len(status)
    columns = [[side.sentence, side.functor, side.argument, side.slot] for side in sides]
    categories, _ = shared_codes(*(Coded(side.category, side.labels) for side in sides))
    labelled = multiset_matches(*encode_rows(*([*side, own] for side, own in zip(columns, categories, strict=True))))
    one, two = encode_rows(*(side[:3] if directed else _unordered(*side[:3]) for side in columns))
    unlabelled = _in_both(one, two)

    def items() -> pd.DataFrame:
        tables = [
            side.to_frame().assign(side=name, matched=matched, matched_pair=pair)
            for name, side, matched, pair in zip(("gold", "predicted"), sides, labelled, unlabelled, strict=True)
        ]
        return pd.concat(tables, ignore_index=True)

    sentences = as_given(alignment, "sentences").assign(
        status=Coded.of(status.tolist()),
        gold=per_sentence(columns[0][0], n),
        predicted=per_sentence(columns[1][0], n),
        matched=per_sentence(columns[0][0], n, labelled[0]),
        unlabelled_predicted=per_sentence(columns[1][0], n, unlabelled[1]),
        unlabelled_gold=per_sentence(columns[0][0], n, unlabelled[0]),
    )
    parts = {f"sentences {name}": int((status == name).sum()) for name in (SCORED, FAILED, DROPPED)}
    return Evaluation(
        "predicate-argument dependencies",
        sentences,
        {
            "labelled precision": ("matched", "predicted"),
            "labelled recall": ("matched", "gold"),
            "unlabelled precision": ("unlabelled_predicted", "predicted"),
            "unlabelled recall": ("unlabelled_gold", "gold"),
        },
        items,
        partial(_by_relation, ["category", "slot"]),
        {
            "unlabelled": "directed" if directed else "in any order",
            "slots": "from the innermost, a modifier once",
        },
        pair.parts | parts,
        incidents,
    )


def _extracted(
    alignment: Alignment, extractions: tuple[Extraction, Extraction] | None
) -> tuple[np.ndarray, list[Dependencies], list[Incident]]:
    """Return the status of the sentences after extraction, the dependencies of both sides, and all incidents."""
    if extractions is not None and alignment.in_order:
        found = [
            (Dependencies.of(each.dependencies), [UnknownRule(*row) for row in each.unknown.itertuples(index=False)])
            for each in extractions
        ]
    else:
        found = [found_dependencies(bank) for bank in (alignment.gold, alignment.predicted)]
    status = np.array(list(as_given(alignment, "sentences")["status"]), dtype=object)
    for rule in found[1][1]:
        if status[rule.sentence] != DROPPED:
            status[rule.sentence] = FAILED
    status[[rule.sentence for rule in found[0][1]]] = DROPPED
    incidents = [incident for _, unknown in found for incident in unknown_rules(unknown)]
    return (
        status,
        [dependencies for dependencies, _ in found],
        incidents_of(as_given(alignment, "incidents")) + incidents,
    )


def evaluate(
    gold: Derivations,
    predicted: Derivations,
    *,
    punctuation: bool = True,
    heads: Heads = "auto",
    differing_words: DifferingWords = "count",
) -> list[Evaluation]:
    """Compute all evaluations of Clark & Hockenmaier (2002), who do not count punctuation.

    Parameters
    ----------
    gold, predicted : Derivations
    punctuation, heads, differing_words
        See `tree_dependencies`; predicate-argument dependencies never involve punctuation.

    Returns
    -------
    list of Evaluation
        Lexical categories, Parseval, tree dependencies, predicate-argument dependencies.

    Examples
    --------
    >>> from analysis.ccg.examples import worked_example
    >>> [evaluation.name for evaluation in evaluate(*worked_example())]
    ['lexical categories', 'Parseval', 'tree dependencies', 'predicate-argument dependencies']
    """
    check_choice("heads", heads, ("auto", "field", "rule"))
    pair = _Pair(gold, predicted, differing_words, punctuation)
    return [_lexical_categories(pair), _parseval(pair), _tree_dependencies(pair, heads), _predicate_argument(pair)]
