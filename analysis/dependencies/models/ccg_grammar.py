r"""The rules of CCG induction over the categories of a lexicon, as tables for the kernels."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

import numpy as np

from analysis.dependencies.models import ccg_kernels as kernels
from analysis.dependencies.models.ccg_lexicon import CONJUNCTION, MARK, NOUN, SENTENCE, Lexicon
from analysis.structures import check_choice
from analysis.structures.ccg_category import Category, functor

#: Rules by name: application, composition with one and with two arguments, and type-raising of N.
RULES: Mapping[str, tuple[int, bool]] = {
    "B0": (0, False),
    "B1": (1, False),
    "B1+TR": (1, True),
    "B2": (2, False),
    "B2+TR": (2, True),
}
#: Largest number of arguments of what composition with two arguments makes.
MOST_COMPOSED = 3

LEFT, RIGHT = 0, 1
_PLAIN, _FORWARD, _BACKWARD, _COORDINATED = "", ">", "<", "coord"


class Symbol(NamedTuple):
    r"""A category, and what the rules need to know of how it was made.

    Attributes
    ----------
    category : Category
        Marked ``[conj]`` after a conjunction.
    composed : int
        One bit for each number of arguments: whether the result with so many arguments is a functor X|X that
        composition made of functors that modify nothing, and therefore no modifier.
    raised : bool
        Whether it is a type-raised noun, modified or not.
    made : str
        In normal form: ``">"`` or ``"<"`` after composition, ``"coord"`` after coordination, else empty.
    order : int
        Arguments passed by that composition.
    """

    category: Category
    composed: int = 0
    raised: bool = False
    made: str = ""
    order: int = 0

    @property
    def is_modifier(self) -> bool:
        """Whether it is a modifier X|X."""
        category = self.category
        if not category.slash or category.conj or category.result != category.argument:
            return False
        return not self.composed >> category.arity & 1

    @property
    def plain(self) -> "Symbol":
        """What the probability model sees: the same without how it was made."""
        return self._replace(made=_PLAIN, order=0)


class Rule(NamedTuple):
    """A rule of the probability model.

    Attributes
    ----------
    kind : int
        See `ccg_kernels`.
    parent : Symbol or None
        None is TOP.
    head : Symbol or str
        Head daughter; the tag of a word.
    sister : Symbol or None
    side : int
        Side of the head daughter: 0 left, 1 right.
    """

    kind: int
    parent: Symbol | None
    head: Symbol | str
    sister: Symbol | None = None
    side: int = LEFT


class Grammar(NamedTuple):
    """Symbols and rules of a lexicon, and the tables that the kernels read."""

    symbols: list[Symbol]
    rules: list[Rule]
    tables: kernels.Tables


def _peel(symbol: Symbol, depth: int) -> tuple[Category, int] | None:
    """The result after so many arguments, and its bits; None if it has fewer arguments."""
    part = symbol.category
    for _ in range(depth):
        if not part.slash:
            return None
        part = part.result
    return part, symbol.composed & ((1 << part.arity + 1) - 1)


def _result(primary: Symbol, secondary: Symbol, order: int) -> Symbol | None:
    """What a functor makes of its neighbour when so many arguments are passed on; None if the rules forbid it."""
    if order == 0:
        part = _peel(primary, 1)
        if part is None or primary.raised or secondary.raised:
            return None
        return Symbol(*part)
    if secondary.is_modifier and not primary.is_modifier:
        return None
    if primary.is_modifier:
        return secondary.plain
    made, composed = _peel(primary, 1) or (primary.category, 0)
    passed = list(secondary.category.arguments())[:order]
    for slash, argument in reversed(passed):
        same = made == argument
        made = functor(made, slash, argument)
        composed |= same << made.arity
    return None if order > 1 and made.arity > MOST_COMPOSED else Symbol(made, composed)


def _normal(primary: Symbol, secondary: Symbol, slash: str, order: int) -> bool:
    """Whether a functor and its neighbour may combine in normal form (Hockenmaier & Bisk 2010)."""
    same, other = (_FORWARD, _BACKWARD) if slash == "/" else (_BACKWARD, _FORWARD)
    if primary.made == same and (order <= 1 or primary.order == 1):
        return False
    if secondary.made == same and order > secondary.order:
        return False
    return not (primary.raised and order > 0 and secondary.made == other and secondary.order > order)


def combine(left: Symbol, right: Symbol, order: int = 1, normal_form: bool = True) -> Iterator[tuple[Symbol, Rule]]:
    r"""List what two neighbours make, with the rule of the probability model.

    Parameters
    ----------
    left, right : Symbol
    order : int
        Largest number of arguments that composition passes on; 0 is application only.
    normal_form : bool

    Yields
    ------
    (Symbol, Rule)

    Examples
    --------
    >>> from analysis.structures.ccg_category import parse_category
    >>> noun, verb = (Symbol(parse_category(text)) for text in ("N", r"S\N"))
    >>> [(made.category, rule.side) for made, rule in combine(noun, verb)]
    [(S, 1)]
    """
    one, two = left.category, right.category
    marks = (one == MARK, two == MARK)
    if any(marks):
        if not all(marks):
            inner, side = (right, RIGHT) if marks[0] else (left, LEFT)
            rule = Rule(kernels.PUNCTUATION, inner.plain, inner.plain, Symbol(MARK), side)
            yield inner, rule
        return
    if one == CONJUNCTION or two == CONJUNCTION:
        if one == CONJUNCTION and two != CONJUNCTION and not two.conj:
            made = right.plain._replace(category=two.with_conj())
            yield made, Rule(kernels.CONJUNCT, made, right.plain, left.plain, RIGHT)
        return
    if one.conj or two.conj:
        same = two.conj and not one.conj and left.plain == right.plain._replace(category=two.with_conj(False))
        if same and not (normal_form and left.made == _COORDINATED):
            made = left.plain._replace(made=_COORDINATED if normal_form else _PLAIN)
            yield made, Rule(kernels.COORDINATION, left.plain, left.plain, right.plain, LEFT)
        return
    for primary, secondary, slash, side in ((left, right, "/", LEFT), (right, left, "\\", RIGHT)):
        if primary.category.slash != slash:
            continue
        for passed in range(order + 1):
            if _peel(secondary, passed) != (primary.category.argument, 0):
                continue
            if normal_form and not _normal(primary, secondary, slash, passed):
                continue
            found = _result(primary, secondary, passed)
            if found is None:
                continue
            if normal_form and passed:
                found = found._replace(made=_FORWARD if slash == "/" else _BACKWARD, order=passed)
            at = 1 - side if primary.is_modifier or primary.raised else side
            head, sister = (left, right) if at == LEFT else (right, left)
            yield found, Rule(kernels.BINARY, found.plain, head.plain, sister.plain, at)


def raised_nouns(lexicon: Lexicon) -> list[Symbol]:
    r"""List the type-raised nouns that a lexicon has a use for: S/(S\N) if it has S\N, S\(S/N) if it has S/N.

    Examples
    --------
    >>> from analysis.structures.ccg_category import parse_category
    >>> [symbol.category for symbol in raised_nouns({"V": (parse_category(r"S\N"),)})]
    [S/(S\N)]
    """
    known = {category for own in lexicon.values() for category in own}
    pairs = (("/", functor(SENTENCE, "\\", NOUN)), ("\\", functor(SENTENCE, "/", NOUN)))
    return [Symbol(functor(SENTENCE, slash, verb), raised=True) for slash, verb in pairs if verb in known]


def make_grammar(
    lexicon: Lexicon,
    tags: list[str],
    *,
    rules: str = "B1+TR",
    normal_form: bool = True,
    verbs: frozenset[str] = frozenset(),
    marks: frozenset[str] = frozenset(),
) -> Grammar:
    r"""Make all symbols and rules that the categories of a lexicon lead to.

    Parameters
    ----------
    lexicon : dict
        See `induce_lexicon`.
    tags : list of str
        In the order of their codes.
    rules : {"B0", "B1", "B1+TR", "B2", "B2+TR"}
        See `RULES`.
    normal_form : bool
    verbs : frozenset of str
        Tags that make a string of tags a sentence, whose root is S; any other string may also be an N.
    marks : frozenset of str
        Tags of punctuation.

    Returns
    -------
    Grammar

    Examples
    --------
    >>> from analysis.structures.ccg_category import parse_category
    >>> lexicon = {"N": (parse_category("N"),), "V": (parse_category(r"S\N"),)}
    >>> grammar = make_grammar(lexicon, ["N", "V"], rules="B0")
    >>> [symbol.category for symbol in grammar.symbols], len(grammar.rules)
    ([N, S\N, S], 5)
    """
    check_choice("rules", rules, tuple(RULES))
    order, raising = RULES[rules]
    closure = _Closure(order, normal_form, raised_nouns(lexicon) if raising else [])
    words = []
    for code, tag in enumerate(tags):
        categories = (MARK,) if tag in marks else lexicon.get(tag, ())
        for category in categories:
            symbol = Symbol(category)
            words.append((code, closure.number(symbol), closure.rule(Rule(kernels.LEXICAL, symbol, tag))))
    closure.close()
    top = np.full((2, len(closure.symbols)), -1, dtype=np.int64)
    for place, symbol in enumerate(closure.symbols):
        if symbol.category in (SENTENCE, NOUN):
            top[0, place] = closure.rule(Rule(kernels.UNARY, None, symbol.plain))
            top[1, place] = top[0, place] if symbol.category == SENTENCE else -1
    is_verb = np.array([tag in verbs for tag in tags] + [False], dtype=np.bool_)
    tables = _tables(closure, words, top, is_verb)
    return Grammar(list(closure.symbols), list(closure.rules), tables)


class _Closure:
    """Symbols, rules, and which pairs of symbols combine, all by number."""

    def __init__(self, order: int, normal_form: bool, raised: list[Symbol]) -> None:
        self.order, self.normal_form, self.raised = order, normal_form, raised
        self.symbols: dict[Symbol, int] = {}
        self.waiting: list[Symbol] = []
        self.rules: dict[Rule, int] = {}
        self.pairs: dict[tuple[int, int], list[tuple[int, int]]] = {}
        self.unary: dict[int, list[tuple[int, int]]] = {}

    def number(self, symbol: Symbol) -> int:
        """The number of a symbol, new or not."""
        if symbol not in self.symbols:
            self.symbols[symbol] = len(self.symbols)
            self.waiting.append(symbol)
        return self.symbols[symbol]

    def rule(self, rule: Rule) -> int:
        """The number of a rule, new or not."""
        return self.rules.setdefault(rule, len(self.rules))

    def close(self) -> None:
        """Combine all symbols with each other until there are no new ones."""
        seen: list[Symbol] = []
        wants: dict[tuple[str, Category], list[Symbol]] = {}  # functors by what they take
        gives: dict[Category, list[Symbol]] = {}  # symbols by their results
        others: list[Symbol] = []  # conj, X[conj], punctuation
        for new in self.waiting:  # it grows
            category = new.category
            seen.append(new)
            if category in (CONJUNCTION, MARK) or category.conj:
                others.append(new)
                partners = seen
            else:
                for depth in range(self.order + 1):
                    if (part := _peel(new, depth)) is not None:
                        gives.setdefault(part[0], []).append(new)
                partners = list(others)
                if category.slash:
                    wants.setdefault((category.slash, category.argument), []).append(new)
                    partners += gives.get(category.argument, [])
                for depth in range(self.order + 1):
                    if (part := _peel(new, depth)) is not None:
                        partners += wants.get(("/", part[0]), []) + wants.get(("\\", part[0]), [])
            for partner in dict.fromkeys(partners):
                self._add(new, partner)
                if partner != new:
                    self._add(partner, new)
            if category == NOUN and not (self.normal_form and new.made == _COORDINATED):
                self.unary[self.symbols[new]] = [
                    (self.number(raised), self.rule(Rule(kernels.UNARY, raised, new.plain))) for raised in self.raised
                ]

    def _add(self, left: Symbol, right: Symbol) -> None:
        made = [(self.number(symbol), self.rule(rule))
                for symbol, rule in combine(left, right, self.order, self.normal_form)]  # fmt: skip
        if made:
            self.pairs[self.symbols[left], self.symbols[right]] = list(dict.fromkeys(made))


def _tables(
    closure: _Closure, words: list[tuple[int, int, int]], top: np.ndarray, is_verb: np.ndarray
) -> kernels.Tables:
    """The arrays of a grammar."""
    n = len(closure.symbols)
    rows = [(*pair, *entry) for pair, entries in sorted(closure.pairs.items()) for entry in entries]
    pairs = np.array(rows, dtype=np.int64).reshape(-1, 4)
    unary = [(source, *entry) for source, entries in sorted(closure.unary.items()) for entry in entries]
    from_unary = np.array(unary, dtype=np.int64).reshape(-1, 3)
    lexical = np.array(words, dtype=np.int64).reshape(-1, 3)
    late = np.zeros(n, dtype=np.bool_)
    late[from_unary[:, 1]] = True
    return kernels.Tables(
        n_symbols=n,
        pair_start=np.searchsorted(pairs[:, 0], np.arange(n + 1)).astype(np.int64),
        pair_right=pairs[:, 1].copy(),
        pair_symbol=pairs[:, 2].copy(),
        pair_rule=pairs[:, 3].copy(),
        unary_start=np.searchsorted(from_unary[:, 0], np.arange(n + 1)).astype(np.int64),
        unary_symbol=from_unary[:, 1].copy(),
        unary_rule=from_unary[:, 2].copy(),
        word_start=np.searchsorted(lexical[:, 0], np.arange(len(is_verb) + 1)).astype(np.int64),
        word_symbol=lexical[:, 1].copy(),
        word_rule=lexical[:, 2].copy(),
        top_rule=top,
        is_verb=is_verb,
        late=late,
    )
