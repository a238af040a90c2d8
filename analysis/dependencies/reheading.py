"""Derive other gold standards by re-heading rules, one construction at a time (Gelling et al. 2012, Table 5).

Each rule takes a dependency treebank with Penn Treebank tags in which prepositions, subordinating conjunctions,
relative words and auxiliaries are heads, as in nltk's sample, and returns a new tree for each sentence. Well-formed
trees remain well-formed and projective trees remain projective; only edges of the construction change.

The paper makes five conversions with options of a converter; `STANDARDS` has corresponding combinations of rules. They
do not reproduce that converter, only its choice of heads.
"""

from collections.abc import Callable, Iterable, Mapping
from itertools import pairwise
from typing import Any

import numpy as np
import pandas as pd

from analysis.dependencies.alignment import find_sentences, head_array
from analysis.structures import check_choice, check_tokens

_BE = frozenset(["be", "am", "is", "are", "was", "were", "been", "being", "'s", "'m", "'re", "ai"])
_HAVE = frozenset(["have", "has", "had", "having", "'ve", "'d", "'s"])
_DO = frozenset(["do", "does", "did"])
_MARKS = frozenset({",", ":", "``", "''", ".", "-LRB-", "-RRB-"})
_ADVERBS = frozenset({"RB", "RBR", "RBS"})
_PRONOUNS = frozenset({"PRP", "EX"})


class SentenceTree:
    """One sentence: words from 1, their heads (0 = root), tags and forms."""

    def __init__(self, heads: np.ndarray, tags: list[str], forms: list[str]) -> None:
        self.heads = [0, *heads.tolist()]
        self.tags = ["", *tags]
        self.forms = ["", *(form.lower() for form in forms)]
        self.n = len(tags)

    def children(self, word: int) -> list[int]:
        """List the words whose head is this word, from the left."""
        return [child for child in range(1, self.n + 1) if self.heads[child] == word and child != word]

    def deepest_first(self) -> list[int]:
        """List all words, deepest first; ties from left to right."""
        depths = []
        for word in range(1, self.n + 1):
            depth, above = 0, self.heads[word]
            while above > 0 and depth <= self.n:
                depth, above = depth + 1, self.heads[above]
            depths.append((-depth, word))
        return [word for _, word in sorted(depths)]


def _is_verb(tag: str) -> bool:
    return tag.startswith("VB") or tag == "MD"


def _prepositions_below(tree: SentenceTree) -> None:
    """Make prepositions dependents of their objects: ``at -> home`` becomes ``home -> at``.

    This applies to a preposition (IN, TO) with an object: its first child to the right that is not an adverb or
    punctuation mark, if it is not a verb. The object replaces the preposition, and the preposition and its other
    children become dependents of the object.
    """
    _demote(tree, lambda f: tree.tags[f] in ("IN", "TO"), lambda f, c: not _is_verb(tree.tags[c]), _MARKS | _ADVERBS)


def _subordinators_below(tree: SentenceTree) -> None:
    """Make subordinating conjunctions and relative words dependents of the verb of their clause.

    This applies to a word tagged IN, WDT, WP or WRB whose first child to the right, without adverbs and marks, is a
    verb. The verb replaces it, and the word and its other children become dependents of the verb.
    """
    words = ("IN", "WDT", "WP", "WRB")
    _demote(tree, lambda f: tree.tags[f] in words, lambda f, c: _is_verb(tree.tags[c]), _MARKS | _ADVERBS)


def _auxiliaries_below(tree: SentenceTree) -> None:
    """Make auxiliaries and modals dependents of the lexical verb, which takes over their other children.

    This applies to a modal or a form of *do* with a base form (VB), a form of *have* with a past participle, and a form
    of *be* with a participle as its first child to the right, without adverbs, pronouns and marks.
    """

    def goes_with(f: int, c: int) -> bool:
        tag, form, other = tree.tags[f], tree.forms[f], tree.tags[c]
        if tag == "MD":
            return other == "VB"
        return (
            (form in _DO and other == "VB")
            or (form in _HAVE and other in ("VBN", "VBD"))
            or (form in _BE and other in ("VBN", "VBG"))
        )

    _demote(tree, lambda f: _is_verb(tree.tags[f]), goes_with, _MARKS | _ADVERBS | _PRONOUNS)


def _infinitives_below_to(tree: SentenceTree) -> None:
    """Make the infinitive a dependent of ``to``: ``go -> to`` becomes ``to -> go``.

    This applies to ``to`` (TO) whose head is a verb to its right with only adverbs between them. It replaces the verb;
    children of the verb on the left of ``to`` become dependents of ``to``.
    """
    for to in tree.deepest_first():
        verb = tree.heads[to]
        if tree.tags[to] != "TO" or verb <= to or not tree.tags[verb].startswith("VB"):
            continue
        if any(not tree.tags[between].startswith("RB") for between in range(to + 1, verb)):
            continue
        for child in tree.children(verb):
            if child < to:
                tree.heads[child] = to
        tree.heads[to], tree.heads[verb] = tree.heads[verb], to


def _coordination_first(tree: SentenceTree) -> None:
    """Make the first conjunct the head of the others and of the conjunctions: ``ducks -> and``, ``ducks -> swans``."""
    _coordinate(tree, "first")


def _coordination_chain(tree: SentenceTree) -> None:
    """Make the first conjunct the head of the conjunction, and the conjunction the head of the next conjunct: ``ducks
    -> and -> swans``.

    In a list the conjuncts before the last conjunction are dependents of the first one.
    """
    _coordinate(tree, "chain")


def _coordination_conjunction(tree: SentenceTree) -> None:
    """Make the (last) conjunction the head of all conjuncts: ``and -> ducks``, ``and -> swans``."""
    _coordinate(tree, "conjunction")


Rule = Callable[[SentenceTree], None]

#: The rules by name.
RULES: Mapping[str, Rule] = {
    "prepositions below": _prepositions_below,
    "subordinators below": _subordinators_below,
    "auxiliaries below": _auxiliaries_below,
    "infinitives below to": _infinitives_below_to,
    "coordination first": _coordination_first,
    "coordination chain": _coordination_chain,
    "coordination conjunction": _coordination_conjunction,
}

#: Combinations of rules with the choice of heads of the paper's five conversions: prepositions are heads in
#: standard, conll2007 and functional, not in lexical and oldLTH; coordination, subordinate and infinitival clauses
#: also differ.
STANDARDS: Mapping[str, tuple[str, ...]] = {
    "standard": ("coordination chain", "infinitives below to"),
    "oldLTH": ("coordination first", "prepositions below"),
    "conll2007": ("coordination first",),
    "functional": ("coordination conjunction", "infinitives below to"),
    "lexical": ("coordination first", "prepositions below", "subordinators below", "auxiliaries below"),
}


def rehead(tokens: pd.DataFrame, rules: str | Iterable[str]) -> pd.DataFrame:
    """Apply rules to every tree, one after the other.

    Parameters
    ----------
    tokens : DataFrame
        Tokens table with ``sentence``, ``form``, ``fine`` (tags of the Penn Treebank) and ``head``.
    rules : str or iterable of str
        Names of `RULES`, in the order in which they are applied; or one name of `STANDARDS`.

    Returns
    -------
    DataFrame
        The table with new heads.

    Raises
    ------
    ValueError
        If a name is unknown, or a column is missing.

    References
    ----------
    Gelling et al. (2012), section 6.4 and Table 5.

    Examples
    --------
    >>> tokens = pd.DataFrame({"sentence": 0, "form": ["swim", "at", "home"], "fine": ["VB", "IN", "NN"],
    ...                        "head": [0, 1, 2]})
    >>> rehead(tokens, ["prepositions below"])["head"].tolist()
    [0, 3, 1]
    """
    if isinstance(rules, str):
        check_choice("rules", rules, tuple(STANDARDS))
        rules = STANDARDS[rules]
    names = list(rules)
    for name in names:
        check_choice("rule", name, tuple(RULES))
    check_tokens(tokens, ["sentence", "form", "fine", "head"])
    starts = find_sentences(tokens).starts.tolist()
    heads = head_array(tokens["head"], "tokens").copy()
    tags, forms = tokens["fine"].astype("str").tolist(), tokens["form"].astype("str").tolist()
    for first, last in pairwise(starts):
        tree = SentenceTree(heads[first:last], tags[first:last], forms[first:last])
        for name in names:
            RULES[name](tree)
        heads[first:last] = tree.heads[1:]
    return tokens.assign(head=heads)


def rules_table() -> pd.DataFrame:
    """List the rules: ``rule``, ``effect`` and the ``standards`` that use it.

    Returns
    -------
    DataFrame

    Examples
    --------
    >>> rules_table().set_index("rule")["standards"]["prepositions below"]
    'oldLTH, lexical'
    """
    rows = [
        (
            name,
            (rule.__doc__ or "").partition("\n")[0],
            ", ".join(standard for standard, names in STANDARDS.items() if name in names),
        )
        for name, rule in RULES.items()
    ]
    return pd.DataFrame(rows, columns=["rule", "effect", "standards"])


def all_standards(tokens: pd.DataFrame, standards: Mapping[str, Any] = STANDARDS) -> dict[str, pd.DataFrame]:
    """Convert a treebank to each standard, for `compare_standards`.

    Parameters
    ----------
    tokens : DataFrame
        See `rehead`.
    standards : mapping
        Rules by standard.

    Returns
    -------
    dict of str to DataFrame

    Examples
    --------
    >>> tokens = pd.DataFrame({"sentence": 0, "form": ["at", "home"], "fine": ["IN", "NN"], "head": [0, 1]})
    >>> {name: table["head"].tolist() for name, table in all_standards(tokens).items()}["oldLTH"]
    [2, 0]
    """
    return {name: rehead(tokens, rules) for name, rules in standards.items()}


def _demote(
    tree: SentenceTree,
    is_functor: Callable[[int], bool],
    goes_with: Callable[[int, int], bool],
    skipped: frozenset[str],
) -> None:
    """Swap functors with their complements: the complement takes the head and all other children of the functor.

    The complement is the first child to the right whose tag is not in `skipped`, if it is allowed with the functor.
    """
    pairs = {}
    for functor in range(1, tree.n + 1):
        if is_functor(functor):
            right = [child for child in tree.children(functor) if child > functor]
            first = next((child for child in right if tree.tags[child] not in skipped), 0)
            if first and goes_with(functor, first):
                pairs[functor] = first
    stands_for = list(range(tree.n + 1))  # the word that has replaced each word
    for functor in tree.deepest_first():
        if functor not in pairs:
            continue
        complement = stands_for[pairs[functor]]
        for child in tree.children(functor):
            if child != complement:
                tree.heads[child] = complement
        tree.heads[complement] = tree.heads[functor]
        tree.heads[functor] = complement
        stands_for[functor] = complement


def _kind(tag: str) -> str:
    """Return the kind of a tag; possible conjuncts have the same kind."""
    for kind, tags in (
        ("nominal", ("NN", "PRP", "CD", "DT", "$", "EX", "WP")),
        ("finite", ("VBD", "VBZ", "VBP", "MD")),
        ("adjectival", ("JJ",)),
        ("adverbial", ("RB",)),
        ("prepositional", ("IN", "TO")),
    ):
        if tag.startswith(tags):
            return kind
    return tag


def _coordinate(tree: SentenceTree, shape: str) -> None:
    """Convert every coordination to one structure.

    A coordination is a word with conjunctions (CC) and conjuncts among its children on one side. Conjuncts have the
    same kind of tag as the word. On its right these are the child after a conjunction, ignoring adverbs and marks, and
    before the last conjunction children directly after a comma. On its left they are the child directly before a
    conjunction, and before it children separated by commas.

    Commas and other marks between the conjuncts become dependents of the new head, and so do other children of the old
    head that are now separated from it by a conjunct or conjunction; all others are unchanged.
    """
    stands_for = list(range(tree.n + 1))  # the word that has replaced each word
    found = [group for word in tree.deepest_first() for group in _coordinations(tree, word)]
    for word, others, conjunctions in found:
        old = stands_for[word]
        conjuncts = sorted({old, *(stands_for[other] for other in others)})
        top = conjunctions[-1] if shape == "conjunction" else conjuncts[0]
        parts = [*conjuncts, *conjunctions]
        above = tree.heads[old]
        for child in tree.children(old):
            if child in parts:
                continue
            is_mark = tree.tags[child] in _MARKS and min(parts) < child < max(parts)
            low, high = min(child, old), max(child, old)
            if is_mark or any(low < part < high for part in parts):
                tree.heads[child] = top
        for part in parts:
            tree.heads[part] = top
        tree.heads[top] = above
        stands_for[word] = top
        if shape == "chain":
            _chain(tree, top, conjuncts, conjunctions)


def _chain(tree: SentenceTree, top: int, conjuncts: list[int], conjunctions: list[int]) -> None:
    """Attach each conjunct to the preceding conjunction, with the words between the two."""
    for conjunct in conjuncts[1:]:
        before = [conjunction for conjunction in conjunctions if conjunction < conjunct]
        if before:
            for child in tree.children(top):
                if before[-1] < child <= conjunct:
                    tree.heads[child] = before[-1]


def _coordinations(tree: SentenceTree, word: int) -> list[tuple[int, list[int], list[int]]]:
    """List the coordinations headed by a word, to its left and right: the word, other conjuncts, conjunctions."""
    children = tree.children(word)
    kind = _kind(tree.tags[word])
    found = []
    for others, conjunctions in (
        _conjuncts_before(tree, [child for child in reversed(children) if child < word], kind),
        _conjuncts_after(tree, [child for child in children if child > word], kind),
    ):
        if others:
            found.append((word, others, sorted(conjunctions)))
    return found


def _conjuncts_before(tree: SentenceTree, children: list[int], kind: str) -> tuple[list[int], list[int]]:
    """Find conjuncts and conjunctions among children to the left of a word, given from the word outwards."""
    others: list[int] = []
    conjunctions: list[int] = []
    waiting, comma = 0, False
    for child in children:
        tag = tree.tags[child]
        if tag == "CC":
            waiting = child
        elif tag in _MARKS:
            comma = comma or tag == ","
        elif waiting or (others and comma):
            if _kind(tag) != kind:
                break
            others.append(child)
            conjunctions += [waiting] if waiting else []
            waiting, comma = 0, False
        elif others:
            break
    return others, conjunctions


def _conjuncts_after(tree: SentenceTree, children: list[int], kind: str) -> tuple[list[int], list[int]]:
    """Find conjuncts and conjunctions among children to the right of a word."""
    others: list[int] = []
    listed: list[int] = []
    conjunctions: list[int] = []
    waiting, comma = 0, False
    for child in children:
        tag = tree.tags[child]
        if tag == "CC":
            waiting = child
        elif tag in _MARKS:
            comma = tag == ","
        elif waiting and tag in _ADVERBS and kind != "adverbial":
            continue
        elif waiting:
            if _kind(tag) == kind:
                others += [*listed, child]
                conjunctions.append(waiting)
                listed = []
            waiting, comma = 0, False
        else:
            if comma and _kind(tag) == kind:
                listed.append(child)
            comma = False
    return others, conjunctions
