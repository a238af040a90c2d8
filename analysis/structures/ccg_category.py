r"""CCG categories: immutable, compared by structure, read and written without recursion.

Result first: ``X/Y`` takes a ``Y`` on its right, ``X\Y`` on its left, and gives an ``X``. A category is written with
the brackets that are needed and no others, so two spellings of one category are equal once read.

Features. A bare ``S`` (or ``S[X]``) agrees with every ``S[..]``; all of them in one category stand for the same
feature, so ``(S\NP)\(S\NP)`` applied to ``S[dcl]\NP`` gives ``S[dcl]\NP``. A bare ``NP`` agrees with every ``NP[..]``,
and ``NP[nb]`` with every ``NP``. Two different features do not agree.

``X[conj]`` marks a conjunction with the conjunct on its right. CCGbank writes the mark without brackets
(``S[dcl]\NP[conj]``), where it belongs to the whole category; it is read and written in the same way here.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

#: Features of clauses that a verb heads; a functor (S[f]\NP)/(S[f]\NP) with one of them is an auxiliary, not a
#: modifier.
VERBAL_FEATURES = frozenset({"dcl", "b", "ng", "pt", "pss", "to", "q", "wq", "em", "bem", "qem"})

#: Categories of punctuation marks.
PUNCTUATION = frozenset({",", ".", ":", ";", "LRB", "RRB", "LQU", "RQU"})

_TOKEN = re.compile(r"(?P<bracket>[()])|(?P<slash>[/\\])|\[(?P<feature>[^\[\]()/\\\s]+)\]|(?P<atom>[^\[\]()/\\\s]+)")
_INDEX = re.compile(r"_\d+(:[A-Z]+)?")
_VARIABLES = frozenset({"", "X"})


class Category:
    r"""A CCG category; make one with `parse_category`, `atom` or `functor`.

    Attributes
    ----------
    name, feature : str
        Name and feature of an atom, such as ``"S"`` and ``"dcl"``; empty in a functor.
    slash : str
        ``"/"``, ``"\\"``, or empty in an atom.
    result, argument : Category
        Result and argument of a functor; an atom raises ``AttributeError``.
    conj : bool
        Whether the category is marked ``[conj]``.

    Examples
    --------
    >>> category = parse_category(r"((S[dcl]\NP))/(NP)")
    >>> category
    (S[dcl]\NP)/NP
    >>> category.result, category.slash, category.argument, category.arity
    (S[dcl]\NP, '/', NP, 2)
    >>> category == parse_category(r"(S[dcl]\NP)/NP")
    True
    """

    __slots__ = ("_argument", "_result", "_text", "conj", "feature", "name", "slash")

    name: str
    feature: str
    slash: str
    conj: bool
    _result: "Category | None"
    _argument: "Category | None"
    _text: str

    def __init__(
        self,
        name: str = "",
        feature: str = "",
        *,
        slash: str = "",
        result: "Category | None" = None,
        argument: "Category | None" = None,
        conj: bool = False,
    ) -> None:
        if slash:
            if slash not in ("/", "\\") or result is None or argument is None or name or feature:
                raise ValueError(
                    f"a functor needs a slash, a result and an argument, and nothing else; slash {slash!r}."
                )
            text = _bracketed(result) + slash + _bracketed(argument)
        else:
            if not name or result is not None or argument is not None:
                raise ValueError("an atom needs a name, and has neither result nor argument.")
            text = f"{name}[{feature}]" if feature else name
        values = (name, feature, slash, result, argument, conj, text + "[conj]" * conj)
        for slot, value in zip(
            ("name", "feature", "slash", "_result", "_argument", "conj", "_text"), values, strict=True
        ):
            object.__setattr__(self, slot, value)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a category cannot be changed: {name}")

    def __reduce__(self) -> tuple:
        return parse_category, (self._text,)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Category) and self._text == other._text

    def __hash__(self) -> int:
        return hash(self._text)

    def __str__(self) -> str:
        return self._text

    __repr__ = __str__

    @property
    def is_atom(self) -> bool:
        """Whether it takes no argument."""
        return not self.slash

    @property
    def result(self) -> "Category":
        """Result of the functor."""
        if self._result is None:
            raise AttributeError(f"{self} is an atom: it has no result.")
        return self._result

    @property
    def argument(self) -> "Category":
        """Argument of the functor."""
        if self._argument is None:
            raise AttributeError(f"{self} is an atom: it has no argument.")
        return self._argument

    @property
    def arity(self) -> int:
        """Number of arguments before the innermost result."""
        return sum(1 for _ in self.arguments())

    def arguments(self) -> Iterator[tuple[str, "Category"]]:
        r"""Yield slash and argument, from the outermost (applied first) inwards.

        Examples
        --------
        >>> list(parse_category(r"((S[b]\NP)/PP)/NP").arguments())
        [('/', NP), ('/', PP), ('\\', NP)]
        """
        category = self
        while category.slash:
            yield category.slash, category.argument
            category = category.result

    @property
    def target(self) -> "Category":
        r"""The innermost result.

        Examples
        --------
        >>> parse_category(r"(S[dcl]\NP)/NP").target
        S[dcl]
        """
        category = self
        while category.slash:
            category = category.result
        return category

    def parts(self) -> Iterator["Category"]:
        r"""The category and every category in it: itself, then the parts of its result, then those of its argument.

        Examples
        --------
        >>> list(parse_category(r"(S\NP)/N").parts())
        [(S\NP)/N, S\NP, S, NP, N]
        """
        stack = [self]
        while stack:
            category = stack.pop()
            yield category
            if category.slash:
                stack += [category.argument, category.result]

    def with_conj(self, conj: bool = True) -> "Category":
        """The same category with, or without, the mark ``[conj]``."""
        if conj == self.conj:
            return self
        return Category(
            self.name, self.feature, slash=self.slash, result=self._result, argument=self._argument, conj=conj
        )

    def without_features(self) -> "Category":
        r"""The same category with every feature and ``[conj]`` left out.

        Examples
        --------
        >>> parse_category(r"(S[dcl]\NP[nb])/(S[b]\NP)").without_features()
        (S\NP)/(S\NP)
        """
        return self._map(lambda _: "").with_conj(False)

    def _map(self, feature: Callable[["Category"], str]) -> "Category":
        """The category with ``feature(atom)`` as the feature of each atom, built from the inside without recursion."""
        done: list[Category] = []
        for part in reversed(list(self.parts())):
            if part.slash:
                result, argument = done.pop(), done.pop()
                made = Category(slash=part.slash, result=result, argument=argument, conj=part.conj)
            else:
                made = Category(part.name, feature(part), conj=part.conj)
            done.append(made)
        return done[0]


def _bracketed(category: Category) -> str:
    return f"({category})" if category.slash else str(category)


def atom(name: str, feature: str = "") -> Category:
    """An atomic category.

    Examples
    --------
    >>> atom("S", "dcl")
    S[dcl]
    """
    return Category(name, feature)


def functor(result: Category, slash: str, argument: Category) -> Category:
    r"""A category that takes an argument.

    Examples
    --------
    >>> functor(atom("S", "dcl"), "\\", atom("NP"))
    S[dcl]\NP
    """
    return Category(slash=slash, result=result, argument=argument)


@lru_cache(maxsize=100_000)
def parse_category(text: str, *, drop_indices: bool = False) -> Category:
    r"""Read a category.

    Slashes of equal rank group to the left: ``S\NP/NP`` is ``(S\NP)/NP``.

    Parameters
    ----------
    text : str
        Such as ``(S[dcl]\NP)/NP``, ``NP[conj]``, ``S[X]/S[X]``, ``,`` or ``LRB``; redundant brackets are accepted.
    drop_indices : bool
        Remove the head indices of CCGbank's last field, ``_10`` or ``_10:B``.

    Raises
    ------
    ValueError
        If the text is not a category. The message gives the text, the position (from 1) and what was expected.

    Examples
    --------
    >>> parse_category(r"S[dcl]\NP[conj]").conj
    True
    >>> parse_category(r"(S[dcl]\NP_10)/(S[b]_11\NP_10:B)_11", drop_indices=True)
    (S[dcl]\NP)/(S[b]\NP)
    >>> parse_category(r"(S\NP")
    Traceback (most recent call last):
    ...
    ValueError: '(S\\NP' is not a CCG category: at character 6: expected ')'.
    """

    def error(place: int, expected: str) -> ValueError:
        return ValueError(f"{text!r} is not a CCG category: at character {place + 1}: expected {expected}.")

    source = _INDEX.sub("", text) if drop_indices else text
    open_brackets: list[tuple[Category | None, str]] = []
    left: Category | None = None  # what has been read at this level
    slash = ""  # a slash whose argument has not been read yet
    place = 0
    while place < len(source):
        match = _TOKEN.match(source, place)
        if match is None:
            raise error(place, "an atom, a slash, a bracket or a feature")
        complete: Category | None = None
        if match["slash"]:
            if left is None or slash:
                raise error(place, "a category before the slash")
            slash = match["slash"]
        elif match["bracket"] == "(":
            if left is not None and not slash:
                raise error(place, "a slash")
            open_brackets.append((left, slash))
            left, slash = None, ""
        elif match["bracket"] == ")":
            if left is None or slash:
                raise error(place, "a category before ')'")
            if not open_brackets:
                raise error(place, "no ')' without its '('")
            complete = left
            left, slash = open_brackets.pop()
        elif match["atom"]:
            if left is not None and not slash:
                raise error(place, "a slash")
            place = match.end()
            feature = ""
            while (following := _TOKEN.match(source, place)) and following["feature"]:
                if following["feature"] == "conj":
                    break
                if feature:
                    raise error(place, "at most one feature")
                feature = following["feature"]
                place = following.end()
            complete = Category(match["atom"], feature)
        elif match["feature"] != "conj" or left is None or slash:
            raise error(place, "a category before its feature")
        else:
            left = left.with_conj()
        if complete is not None:
            left = complete if left is None else Category(slash=slash, result=left, argument=complete)
            slash = ""
        place = max(place, match.end())
    if slash or left is None:
        raise error(len(source), "a category")
    if open_brackets:
        raise error(len(source), "')'")
    return left


# What a functor is


def is_modifier(category: Category) -> bool:
    r"""Whether a category is a modifier, X/X or X\X: its result equals its argument.

    Result and argument have the same features. (S[f]\NP)/(S[f]\NP) and S[f]/S[f] with a verbal f (see
    ``VERBAL_FEATURES``) are auxiliaries and similar words, not modifiers; S[adj] functors are modifiers (*very good*).

    References
    ----------
    Clark & Hockenmaier (2002), sections 4.2 and 4.3.

    Examples
    --------
    >>> [is_modifier(parse_category(text)) for text in ("N/N", r"(S\NP)\(S\NP)", r"(S[b]\NP)/(S[b]\NP)")]
    [True, True, False]
    >>> is_modifier(parse_category(r"(S[adj]\NP)/(S[adj]\NP)"))
    True
    """
    if not category.slash or category.result != category.argument:
        return False
    return category.result.target.feature not in VERBAL_FEATURES


def is_determiner(category: Category) -> bool:
    """Whether a category is a determiner, NP/N or NP[nb]/N.

    Examples
    --------
    >>> is_determiner(parse_category("NP[nb]/N")), is_determiner(parse_category("NP/NP"))
    (True, False)
    """
    return category.slash == "/" and (category.result.name, category.argument.name) == ("NP", "N")


def is_type_raised(category: Category) -> bool:
    r"""Whether a category is type-raised, T/(T\X) or T\(T/X).

    Examples
    --------
    >>> is_type_raised(parse_category(r"S/(S\NP)")), is_type_raised(parse_category(r"S/(S/NP)"))
    (True, False)
    """
    if not category.slash or not category.argument.slash:
        return False
    return category.argument.slash != category.slash and category.argument.result == category.result


class Slot(NamedTuple):
    """One argument of a lexical category.

    ``paper`` counts from the innermost argument outwards and counts a modifier X|X once; ``spine`` is the argument's
    position in the whole category, including the arguments of a modifier's result.
    """

    paper: int
    spine: int
    argument: Category
    slash: str


@lru_cache(maxsize=100_000)
def argument_slots(category: Category) -> tuple[Slot, ...]:
    r"""List the argument slots of a lexical category, from the innermost outwards, in both numberings.

    Going inwards, each argument has a slot; the first modifier or determiner that is reached has one slot and ends the
    list.

    References
    ----------
    Clark & Hockenmaier (2002), section 4.3, for ``paper``; dependency files in the style of CCGbank have ``spine``.

    Examples
    --------
    >>> [slot[:3] for slot in argument_slots(parse_category(r"((S\NP)\(S\NP))/NP"))]
    [(1, 2, S\NP), (2, 3, NP)]
    >>> [slot[:3] for slot in argument_slots(parse_category(r"(S[dcl]\NP)/NP"))]
    [(1, 1, NP), (2, 2, NP)]
    """
    found: list[tuple[int, Category, str]] = []
    part = category
    while part.slash:
        found.append((part.arity, part.argument, part.slash))
        if is_modifier(part) or is_determiner(part):
            break
        part = part.result
    return tuple(
        Slot(paper, spine, argument, slash) for paper, (spine, argument, slash) in enumerate(reversed(found), start=1)
    )


# How categories combine


@dataclass(frozen=True, slots=True)
class _Agreement:
    """Features that the bare S of the wanted and of the found category stand for; empty: none yet."""

    wanted: str = ""
    found: str = ""


def _agree(wanted: Category, found: Category) -> _Agreement | None:
    """Decide whether two categories agree up to features, and which features their bare S take from each other."""
    pairs = [(wanted, found)]
    wanted_feature = found_feature = ""
    while pairs:
        one, other = pairs.pop()
        if one.slash != other.slash or one.name != other.name or one.conj != other.conj:
            return None
        if one.slash:
            pairs += [(one.result, other.result), (one.argument, other.argument)]
            continue
        if one.feature == other.feature:
            continue
        if one.name != "S":
            if one.feature and other.feature and "nb" not in (one.feature, other.feature):
                return None
        elif one.feature in _VARIABLES:
            if other.feature not in _VARIABLES:
                if wanted_feature not in ("", other.feature):
                    return None
                wanted_feature = other.feature
        elif other.feature in _VARIABLES:
            if found_feature not in ("", one.feature):
                return None
            found_feature = one.feature
        else:
            return None
    return _Agreement(wanted_feature, found_feature)


def _bind(category: Category, feature: str) -> Category:
    """The category with ``feature`` on each of its bare S."""
    if not feature:
        return category

    def bound(part: Category) -> str:
        return feature if part.name == "S" and part.feature in _VARIABLES else part.feature

    return category._map(bound)


def agrees(wanted: Category, found: Category) -> bool:
    r"""Whether ``found`` can fill an argument ``wanted``.

    Examples
    --------
    >>> agrees(parse_category(r"S\NP"), parse_category(r"S[dcl]\NP"))
    True
    >>> agrees(parse_category(r"S[b]\NP"), parse_category(r"S[dcl]\NP"))
    False
    """
    return _agree(wanted, found) is not None


def application(function: Category, argument: Category, slash: str) -> Category | None:
    r"""X/Y Y gives X (slash ``"/"``, the function on the left); Y X\Y gives X (slash ``"\\"``, on the right).

    Returns
    -------
    Category or None
        None if the two do not combine by this rule.

    Examples
    --------
    >>> application(parse_category(r"(S[dcl]\NP)/NP"), parse_category("NP"), "/")
    S[dcl]\NP
    >>> application(parse_category(r"(S\NP)\(S\NP)"), parse_category(r"S[b]\NP"), "\\")
    S[b]\NP
    """
    if function.slash != slash or function.conj or argument.conj:
        return None
    agreement = _agree(function.argument, argument)
    return None if agreement is None else _bind(function.result, agreement.wanted)


def composition(
    primary: Category, secondary: Category, slash: str, *, crossed: bool = False, order: int = 1
) -> Category | None:
    r"""X/Y Y/Z gives X/Z (slash ``"/"``, primary on the left); Y\Z X\Y gives X\Z (slash ``"\\"``, on the right).

    Parameters
    ----------
    primary, secondary : Category
        X|Y and Y|Z.
    slash : str
        Slash of the primary functor.
    crossed : bool
        Whether the slash of the secondary functor differs, as in X/Y Y\Z or Y/Z X\Y. With several arguments Z, the
        first slash counts.
    order : int
        Number of arguments Z; above 1 the composition is generalised, and the other slashes are free.

    Returns
    -------
    Category or None
        None if the two do not combine by this rule.

    Examples
    --------
    >>> composition(parse_category(r"(S[dcl]\NP)/(S[pt]\NP)"), parse_category(r"(S[pt]\NP)/NP"), "/")
    (S[dcl]\NP)/NP
    >>> composition(parse_category(r"(S\NP)\(S\NP)"), parse_category(r"(S[dcl]\NP)/(S[b]\NP)"), "\\", crossed=True)
    (S[dcl]\NP)/(S[b]\NP)
    """
    if primary.slash != slash or primary.conj or secondary.conj or order < 1:
        return None
    taken: list[tuple[str, Category]] = []
    inner = secondary
    for _ in range(order):
        if not inner.slash:
            return None
        taken.append((inner.slash, inner.argument))
        inner = inner.result
    if (taken[-1][0] != slash) != crossed:
        return None
    agreement = _agree(primary.argument, inner)
    if agreement is None:
        return None
    made = _bind(primary.result, agreement.wanted)
    for mark, argument in reversed(taken):
        made = Category(slash=mark, result=made, argument=_bind(argument, agreement.found))
    return made


def type_raising(category: Category, target: Category, slash: str) -> Category:
    r"""X gives T/(T\X) (slash ``"/"``) or T\(T/X) (slash ``"\\"``).

    Examples
    --------
    >>> type_raising(parse_category("NP"), parse_category("S"), "/")
    S/(S\NP)
    """
    return functor(target, slash, functor(target, "\\" if slash == "/" else "/", category))


def coordination(left: Category, right: Category) -> Category | None:
    r"""Give X[conj] for conj X, X for X X[conj], None for anything else.

    Examples
    --------
    >>> coordination(parse_category("conj"), parse_category(r"S[dcl]\NP"))
    S[dcl]\NP[conj]
    >>> coordination(parse_category(r"S[dcl]\NP"), parse_category(r"S[dcl]\NP[conj]"))
    S[dcl]\NP
    """
    if left.name == "conj" and not right.conj:
        return right.with_conj()
    if right.conj and not left.conj and left == right.with_conj(False):
        return left
    return None
