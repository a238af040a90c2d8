r"""Which rule made a node of a CCG derivation, and which daughter heads it.

A treebank in the style of CCGbank names no rules: they are read off the categories of a node and its daughters. Beside
the combinators of the theory (application, composition, type-raising) there are changes of type, punctuation that is
absorbed, and coordination in two notations, ``conj X`` gives ``X[conj]`` or ``X\X``; `conjunct` reads both as one.
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

#: Marks that may stand for a conjunction.
CONJUNCTIONS = frozenset({"conj", ",", ";", ":"})

#: Largest number of arguments that composition hands on.
MAXIMUM_ORDER = 4


class Rule(NamedTuple):
    """The rule of one node.

    Attributes
    ----------
    name : str
        ``>``, ``<`` application; ``>B``, ``<B`` composition, with ``x`` if crossed and the order from 2 (``>B2``,
        ``<Bx2``); ``>T``, ``<T`` type-raising; ``unary`` change of type; ``conj`` a conjunction with its right
        conjunct; ``coord`` conjuncts joined; ``punct`` a mark absorbed; ``punct unary`` absorbed with a change of
        type; ``lex`` a leaf; ``unknown``.
    functor : int
        Daughter that is the (primary) functor: 0 or 1; -1 where there is none. For ``punct`` and ``conj`` the daughter
        that stays.
    order : int
        Arguments handed on: 0 in application.
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
    r"""The rule of a node with one daughter, from their categories as text.

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
    r"""The rule of a node with two daughters, from the three categories as text.

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
    """The rule of a node whose one daughter is a punctuation mark or conjunction; ``place`` is the other's."""
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
    r"""Whether the category is X\X for the conjunct X; ``features`` says whether these must be the same, too.

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
    r"""The label of a node with two daughters: X[conj] where a file writes X\\X over ``conj X``, else as it stands.

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
    r"""Which of two daughters heads, by the rule of Clark & Hockenmaier (2002) for trees without marked heads.

    A conjunct is to be labelled X[conj], see `conjunct`. Punctuation never heads; ``conj`` and ``X[conj]`` leave the
    head to the conjunct X, and conjuncts are headed by the left one; else the functor heads, unless it is a modifier
    X|X, a determiner NP/N, or type-raised: then the other daughter does. See `is_modifier` for what is none. Where no
    rule is known, the daughter that is most like the parent heads, or else the left one.

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
