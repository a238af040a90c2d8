r"""Identify the rule and the head daughter of a node of a CCG derivation.

A treebank in CCGbank format does not name rules: they are inferred from the categories of a node and its daughters.
Besides the combinators of the theory (application, composition, type-raising) there are type-changing rules, absorbed
punctuation, and coordination in two notations: ``conj X`` gives ``X[conj]`` or ``X\X``. `conjunct` treats both alike.
"""

from functools import lru_cache
from typing import NamedTuple

from analysis.structures.ccg_category import (
    PUNCTUATION,
    Category,
    application,
    composition,
    is_determiner,
    is_modifier,
    is_type_raised,
    parse_category,
)

#: Punctuation marks that may act as a conjunction.
CONJUNCTIONS = frozenset({"conj", ",", ";", ":"})

#: Largest number of arguments that composition passes to the result.
MAXIMUM_ORDER = 4


class Rule(NamedTuple):
    """The rule of one node.

    Attributes
    ----------
    name : str
        ``>``, ``<`` application; ``>B``, ``<B`` composition, with ``x`` if crossed and the order from 2 (``>B2``,
        ``<Bx2``); ``>T``, ``<T`` type-raising; ``unary`` type change; ``conj`` a conjunction with its right conjunct;
        ``coord`` conjuncts joined; ``punct`` punctuation absorbed; ``punct unary`` punctuation absorbed with a type
        change; ``lex`` a leaf; ``unknown``.
    functor : int
        Daughter that is the (primary) functor: 0 or 1; -1 if there is none. For ``punct`` and ``conj``, the daughter
        that is not the mark or conjunction.
    order : int
        Number of arguments passed to the result: 0 in application.
    """

    name: str
    functor: int = -1
    order: int = 0


def _plain(category: Category) -> Category:
    return category.without_features()


def _is_mark(category: Category) -> bool:
    return category.is_atom and (category.name in PUNCTUATION or category.name == "conj")


@lru_cache(maxsize=200_000)
def unary_rule(parent: str, child: str) -> Rule:
    r"""Name the rule of a node with one daughter, from their categories as text.

    Examples
    --------
    >>> unary_rule(r"S/(S\NP)", "NP").name, unary_rule("NP", "N").name
    ('>T', 'unary')
    """
    above, below = parse_category(parent), parse_category(child)
    if is_type_raised(above) and _plain(above.argument.argument) == _plain(below):
        return Rule(">T" if above.slash == "/" else "<T", 0)
    return Rule("unary", 0)


@lru_cache(maxsize=200_000)
def binary_rule(parent: str, left: str, right: str) -> Rule:
    r"""Name the rule of a node with two daughters, from the three categories as text.

    The features of the parent are not compared: they may come from either daughter.

    Examples
    --------
    >>> binary_rule("S[dcl]", "NP", r"S[dcl]\NP")
    Rule(name='<', functor=1, order=0)
    >>> binary_rule(r"(S[dcl]\NP)/NP", r"(S[dcl]\NP)/(S[pt]\NP)", r"(S[pt]\NP)/NP")
    Rule(name='>B', functor=0, order=1)
    >>> binary_rule("NP[conj]", "conj", "NP").name, binary_rule(r"NP\NP", ",", "NP").name
    ('conj', 'conj')
    >>> binary_rule("NP", "NP", "NP[conj]").name, binary_rule("S[dcl]", "S[dcl]", ".").name
    ('coord', 'punct')
    >>> binary_rule("PP", "NP", "NP").name
    'unknown'
    """
    above, one, two = parse_category(parent), parse_category(left), parse_category(right)
    wanted = _plain(above)
    if _is_mark(one) and not _is_mark(two):
        return _after_mark(above, one, two, 1)
    if _is_mark(two) and not _is_mark(one):
        return _after_mark(above, two, one, 0)
    if _is_mark(one) and _is_mark(two):
        if above in (one, two):
            return Rule("punct", 0 if above == one else 1)
        return Rule("unknown")
    if two.conj and not one.conj and wanted == _plain(one) == _plain(two):
        return Rule("coord", 0)
    if one.conj and not two.conj and wanted == _plain(one) == _plain(two):
        return Rule("coord", 1)
    one, two = one.with_conj(False), two.with_conj(False)
    for functor, slash in ((0, "/"), (1, "\\")):
        primary, secondary = (one, two) if functor == 0 else (two, one)
        made = application(primary, secondary, slash)
        if made is not None and _plain(made) == wanted:
            return Rule(">" if functor == 0 else "<", functor)
    for order in range(1, MAXIMUM_ORDER + 1):
        for functor, slash in ((0, "/"), (1, "\\")):
            primary, secondary = (one, two) if functor == 0 else (two, one)
            for crossed in (False, True):
                made = composition(primary, secondary, slash, crossed=crossed, order=order)
                if made is not None and _plain(made) == wanted:
                    name = (">B" if functor == 0 else "<B") + "x" * crossed + (str(order) if order > 1 else "")
                    return Rule(name, functor, order)
    return Rule("unknown")


def _after_mark(above: Category, mark: Category, other: Category, place: int) -> Rule:
    """Name the rule of a node with a punctuation mark or conjunction; ``place`` is the other daughter (0 or 1)."""
    stays = above.with_conj(False) == other.with_conj(False)
    if mark.name in CONJUNCTIONS and place == 1:
        if above.conj and not other.conj and stays:
            return Rule("conj", place)
        if is_same_pair(above, other, features=mark.name != "conj"):
            return Rule("conj", place)
    if _plain(above) == _plain(other) and above.conj == other.conj:
        return Rule("punct", place)
    if mark.name == "conj" and place == 0:
        return Rule("unknown")
    return Rule("punct unary", place)


def is_same_pair(category: Category, conjunct: Category, features: bool = False) -> bool:
    r"""Whether the category is X\X for the conjunct X; ``features``: whether features must be equal too.

    Examples
    --------
    >>> is_same_pair(parse_category(r"NP\NP"), parse_category("NP"))
    True
    >>> is_same_pair(parse_category(r"(S\NP)\(S\NP)"), parse_category(r"S[ng]\NP"), features=True)
    False
    """
    if category.slash != "\\":
        return False
    if features:
        return category.result == conjunct.with_conj(False) == category.argument
    return _plain(category.result) == _plain(conjunct) == _plain(category.argument)


@lru_cache(maxsize=200_000)
def conjunct(parent: str, left: str, right: str) -> str:
    r"""Return the label of a node with two daughters: X[conj] where a file has X\\X over ``conj X``, else unchanged.

    Examples
    --------
    >>> conjunct(r"S[dcl]\S[dcl]", "conj", "S[dcl]"), conjunct(r"NP\NP", r"(NP\NP)/NP", "NP")
    ('S[dcl][conj]', 'NP\\NP')
    """
    if left != "conj" or binary_rule(parent, left, right).name != "conj":
        return parent
    return str(parse_category(right).with_conj())


@lru_cache(maxsize=200_000)
def head_daughter(parent: str, left: str, right: str) -> int:
    r"""Find the head daughter of two, by the rule of Clark & Hockenmaier (2002) for trees without marked heads.

    A conjunct must be labelled X[conj]; see `conjunct`. Punctuation is never the head. Of ``conj X`` the head is X; of
    ``X X[conj]`` it is the left conjunct. Otherwise the functor is the head, unless it is a modifier X|X (see
    `is_modifier`), a determiner NP/N, or type-raised: then the other daughter is. If no rule applies, the daughter most
    similar to the parent is the head, by default the left one.

    Returns
    -------
    int
        0 or 1.

    References
    ----------
    Clark & Hockenmaier (2002), section 4.2 and Figure 1.

    Examples
    --------
    >>> head_daughter("S[dcl]", "NP", r"S[dcl]\NP"), head_daughter("NP", "NP/N", "N")
    (1, 1)
    >>> head_daughter(r"S[dcl]\NP", r"(S[dcl]\NP)/(S[pt]\NP)", r"S[pt]\NP")
    0
    >>> head_daughter("S[dcl]/NP", r"S/(S\NP)", r"(S[dcl]\NP)/NP")
    1
    """
    rule = binary_rule(parent, left, right)
    if rule.name in ("punct", "punct unary", "conj"):
        return rule.functor
    if rule.name == "coord":
        return 0
    if rule.name == "unknown":
        above, one, two = parse_category(parent), parse_category(left), parse_category(right)
        if _is_mark(one) != _is_mark(two):
            return 1 if _is_mark(one) else 0
        return int(_plain(two) == _plain(above) and _plain(one) != _plain(above))
    functor = parse_category(left if rule.functor == 0 else right)
    passes_on = is_modifier(functor) or is_determiner(functor) or is_type_raised(functor)
    return 1 - rule.functor if passes_on else rule.functor
