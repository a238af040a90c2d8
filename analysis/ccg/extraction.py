r"""Extraction of predicate-argument dependencies: variables are passed up a CCG derivation and unified.

Every part of a node's category has a variable. A rule unifies variables: in X/Y Y those of the parts of both Y, and
similarly in composition and type-raising. In a coordination the conjuncts share their missing arguments, and the
variable of the whole has the heads of both as fillers. At the end, an argument slot is filled by the words whose
variable is that of the slot.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from analysis.ccg.unification import EXTRACTED, LOCAL, OPEN, SHARED, Effect, Lists, Nodes, fill
from analysis.ccg.variables import argument_part, is_clause_with_gap, lexical_variables, size
from analysis.structures.ccg_category import (
    PUNCTUATION,
    Category,
    argument_slots,
    is_determiner,
    is_modifier,
    is_type_raised,
    parse_category,
)
from analysis.structures.ccg_rules import binary_rule, unary_rule
from analysis.structures.derivation import Coded, Derivations
from analysis.structures.incidents import Incident, incidents_table
from analysis.structures.labels import number_codes, value_codes
from analysis.structures.lazy import pd

_BITS = 21  # of the code of a category

#: Ranges of a dependency.
RANGES = ("local", "shared", "extracted")


@dataclass(frozen=True)
class Extraction:
    """Dependencies, and sentences for which they could not be extracted.

    Attributes
    ----------
    dependencies : DataFrame
        ``sentence``; ``functor`` and ``argument`` (positions of the words); ``category`` of the functor; ``slot`` (from
        the innermost argument outwards, a modifier X|X counted once); ``spine_slot`` (number in the whole category);
        ``range``: ``local`` if filled by the adjacent constituent, ``shared`` for control, raising, auxiliaries and
        adjuncts, ``extracted`` for relative clauses and questions; ``extracted``: whether the range is extracted.
    unknown : DataFrame
        One row per node with an unknown rule: ``sentence``, ``node``, ``parent``, ``left``, ``right``.
    incidents : DataFrame
        The unknown rules as incidents.
    """

    dependencies: pd.DataFrame
    unknown: pd.DataFrame
    incidents: pd.DataFrame


class UnknownRule(NamedTuple):
    """A node whose rule is unknown: a row of ``unknown`` of an `Extraction`."""

    sentence: int
    node: int
    parent: str
    left: str
    right: str


class Dependencies(NamedTuple):
    """Dependencies as arrays, one entry per dependency; the columns of `Extraction` that they are made from.

    Attributes
    ----------
    sentence, functor, category, slot, spine_slot, argument, range : ndarray of int64
        ``category`` and ``range`` are indices in ``labels`` and `RANGES`.
    labels : list of str

    Examples
    --------
    >>> from analysis.ccg.examples import worked_example
    >>> found = extract_dependencies(worked_example()[0]).dependencies
    >>> Dependencies.of(found).to_frame().equals(found)
    True
    """

    sentence: np.ndarray
    functor: np.ndarray
    category: np.ndarray
    slot: np.ndarray
    spine_slot: np.ndarray
    argument: np.ndarray
    range: np.ndarray
    labels: list[str]

    @classmethod
    def of(cls, table: pd.DataFrame) -> Dependencies:
        """The dependencies of an `Extraction`."""
        numbers = (table[name].to_numpy(dtype=np.int64) for name in ("sentence", "functor", "slot", "spine_slot"))
        sentence, functor, slot, spine_slot = numbers
        category, labels = value_codes(table["category"])
        argument, name = table["argument"].to_numpy(dtype=np.int64), pd.Index(RANGES).get_indexer(table["range"])
        return cls(sentence, functor, category, slot, spine_slot, argument, name, [str(label) for label in labels])

    def where(self, chosen: np.ndarray) -> Dependencies:
        """Only the chosen dependencies."""
        return (
            self if chosen.all() else self._replace(**{name: getattr(self, name)[chosen] for name in self._fields[:-1]})
        )

    def to_frame(self) -> pd.DataFrame:
        """The table of an `Extraction`."""
        return pd.DataFrame(
            {
                "sentence": self.sentence,
                "functor": self.functor,
                "category": pd.Index(self.labels, dtype="str").take(self.category),
                "slot": self.slot,
                "spine_slot": self.spine_slot,
                "argument": self.argument,
                "range": pd.Index(RANGES, dtype="str").take(self.range),
                "extracted": self.range == RANGES.index("extracted"),
            }
        )


@dataclass(frozen=True)
class _Template:
    """Effect of a rule on variables.

    ``parent``: for each part of the parent, (0, part) of the left or (1, part) of the right daughter, or (2, k): the
    k-th new variable. ``equal``: pairs of such references that are unified. ``within``: (k, side, part): the words of
    the daughter's part are among those of the k-th new variable. ``up``: for each daughter and part: the part of the
    parent, or a range, or OPEN.
    """

    category: str  # the parent's label, with [conj] if it is a conjunction in the other notation
    new: int
    parent: tuple[tuple[int, int], ...]
    equal: tuple[tuple[tuple[int, int], tuple[int, int]], ...]
    within: tuple[tuple[int, int, int], ...]
    up: tuple[tuple[int, ...], ...]


def _spine(category: Category) -> list[int]:
    """List the parts that are the category and its results, down to and including a modifier or determiner."""
    parts, place = [0], 0
    while category.slash and not is_modifier(category) and not is_determiner(category):
        category, place = category.result, place + 1
        parts.append(place)
    return parts


def _copy(category: str, side: int, parts: int, other: int | None) -> _Template:
    """Make the template of a parent with the variables of one daughter; the other, a mark, is ignored."""
    up = tuple(range(parts))
    beside = () if other is None else ((OPEN,) * other,)
    return _Template(
        category,
        0,
        tuple((side, part) for part in range(parts)),
        (),
        (),
        (*beside, up) if side == 1 else (up, *beside),
    )


@lru_cache(maxsize=100_000)
def unary_template(parent: str, child: str) -> _Template | None:
    """Make the template of a node with one daughter; see `extract_dependencies`."""
    above, below = parse_category(parent), parse_category(child)
    size_above, size_below = size(above), size(below)
    if unary_rule(parent, child).name in (">T", "<T"):
        target = size(above.result)
        inside = 1 + target  # the part T\X, then T, then X
        raised = inside + 1 + target
        sources: list[tuple[int, int]] = [(2, 0)] * size_above
        for part in range(target):
            sources[1 + part] = sources[inside + 1 + part] = (2, 1 + part)
        sources[inside] = (2, 1)
        for part in range(size_below):
            sources[raised + part] = (0, part)
        return _Template(parent, 1 + target, tuple(sources), (), (), (tuple(range(raised, raised + size_below)),))
    if _same_shape(above, below):
        return _copy(parent, 0, size_above, None)
    if above.slash and above.result.without_features() == above.argument.without_features():
        return _to_modifier(parent, above, below)
    spine = set(_spine(above)) if not above.is_atom else {0}
    sources = [(0, 0) if part in spine else (2, part) for part in range(size_above)]
    return _Template(parent, size_above, tuple(sources), (), (), ((0, *[OPEN] * (size_below - 1)),))


def _to_modifier(parent: str, above: Category, below: Category) -> _Template:
    """Make the template of a change to X|X: the gap is the modified noun, or the subject of the modified verb
    phrase.
    """
    half = size(above.result)
    sources = [(0, 0)] + [(2, part) for part in range(half)] * 2
    up = [0] + [OPEN] * (size(below) - 1)
    equal: list[tuple[tuple[int, int], tuple[int, int]]] = []
    if is_clause_with_gap(below):
        gap = 1 + size(below.result)
        modified = above.argument
        if modified.is_atom and modified.name in ("NP", "N"):
            equal.append(((0, gap), (2, 0)))
            up[gap] = EXTRACTED
        elif is_clause_with_gap(modified):
            equal.append(((0, gap), (2, half - 1)))
            up[gap] = SHARED
    return _Template(parent, half, tuple(sources), tuple(equal), (), (tuple(up),))


def _same_shape(one: Category, other: Category) -> bool:
    return one.without_features() == other.without_features() or (one.is_atom and other.is_atom)


@lru_cache(maxsize=100_000)
def binary_template(parent: str, left: str, right: str) -> _Template | None:
    """Make the template of a node with two daughters; None if the rule is unknown. See `extract_dependencies`."""
    above, one, two = parse_category(parent), parse_category(left), parse_category(right)
    rule = binary_rule(parent, left, right)
    if rule.name == "unknown":
        return None
    other = size((one, two)[1 - rule.functor])
    if rule.name == "conj":
        conjunct = (one, two)[rule.functor]
        return _copy(str(conjunct.with_conj(True)), rule.functor, size(conjunct), other)
    if rule.name == "punct":
        stays = (one, two)[rule.functor]
        return _copy(str(stays), rule.functor, size(stays), other)
    if rule.name == "punct unary":
        stays = (one, two)[rule.functor]
        template = unary_template(parent, str(stays.with_conj(False)))
        if template is None:
            return None
        return _moved(template, rule.functor, other)
    if rule.name == "coord":
        return _coordination(parent, one)
    primary, secondary = (one, two) if rule.functor == 0 else (two, one)
    p, s = rule.functor, 1 - rule.functor
    taken = primary.argument
    size_x, size_y = size(primary.result), size(taken)
    order = rule.order
    equal = tuple(((p, 1 + size_x + part), (s, order + part)) for part in range(size_y))
    beyond = size(secondary) - order - size_y  # parts of the arguments that are passed to the result
    head = (p, 1)
    sources = [head] * order + [(p, 1 + part) for part in range(size_x)]
    sources += [(s, order + size_y + part) for part in range(beyond)]
    inner = _ranges(primary, size_y)
    primary_up = [OPEN, *range(order, order + size_x), LOCAL, *[OPEN] * (size_y - 1)]
    if is_modifier(primary):
        inside = [order + part for part in range(size_y)] if size_x == size_y else [OPEN] * size_y
    else:
        inside = list(inner)
    secondary_up = [OPEN] * order + inside + [order + size_x + part for part in range(beyond)]
    if len(sources) != size(above):
        return None
    ups = [tuple(primary_up), tuple(secondary_up)]
    return _Template(parent, 0, tuple(sources), equal, (), tuple(ups if p == 0 else ups[::-1]))


def _moved(template: _Template, side: int, other: int) -> _Template:
    """Adapt the template of a type change to a daughter next to a mark."""

    def move(pair: tuple[int, int]) -> tuple[int, int]:
        return (side, pair[1]) if pair[0] == 0 else pair

    up = [template.up[0], (OPEN,) * other]
    return _Template(
        template.category,
        template.new,
        tuple(move(pair) for pair in template.parent),
        tuple((move(one), move(two)) for one, two in template.equal),
        (),
        tuple(up if side == 0 else up[::-1]),
    )


def _ranges(primary: Category, parts: int) -> list[int]:
    """Return the ranges of the arguments inside the primary functor's argument."""
    if is_type_raised(primary):
        return [LOCAL] * parts
    forward = primary.argument.slash == "/" and not is_modifier(primary.argument)
    noun = primary.result.slash and primary.result.result.is_atom and primary.result.result.name in ("NP", "N")
    relative = bool(noun and is_modifier(primary.result)) or primary.target.feature in ("wq", "qem")
    return [EXTRACTED if forward or relative else SHARED] * parts


def _coordination(parent: str, conjunct: Category) -> _Template:
    spine = _spine(conjunct)
    parts = size(conjunct)
    sources: list[tuple[int, int]] = [(0, part) for part in range(parts)]
    within = []
    for number, part in enumerate(spine):
        sources[part] = (2, number)
        within += [(number, 0, part), (number, 1, part)]
    equal = tuple(((0, part), (1, part)) for part in range(parts) if part not in spine)
    up = tuple(range(parts))
    return _Template(parent, len(spine), tuple(sources), equal, tuple(within), (up, up))


@lru_cache(maxsize=100_000)
def _lexical(text: str) -> tuple[tuple[int, ...], int, tuple[tuple[int, int, int], ...]]:
    """Return the variables of a lexical category, their number, and its slots: paper number, spine number, part."""
    category = parse_category(text)
    variables = lexical_variables(category)
    if category.is_atom and (category.name in PUNCTUATION or category.name == "conj"):
        return variables, 1, ()
    slots = tuple((slot.paper, slot.spine, argument_part(category, slot.paper)) for slot in argument_slots(category))
    return variables, max(variables) + 1, slots


def extract_dependencies(bank: Derivations) -> Extraction:
    r"""Extract the predicate-argument dependencies of all derivations of a treebank.

    The head variables of lexical categories come from `analysis.ccg.variables.lexical_variables`. Variables are unified
    by application, composition (up to four arguments) and type-raising. A unary change to a modifier X|X fills the gap
    of its clause with the modified noun, or the subject of the modified verb phrase. ``conj X`` in either notation
    (``X[conj]``, ``X\X``) is a conjunct. Punctuation is ignored.

    Parameters
    ----------
    bank : Derivations

    Returns
    -------
    Extraction
        A sentence with an unknown rule has no dependencies; it is listed in ``unknown``.

    References
    ----------
    Clark & Hockenmaier (2002), section 4.3; Clark, Hockenmaier & Steedman (2002).

    Examples
    --------
    >>> from analysis.structures.derivation import Derivation, derivations
    >>> tree = Derivation.build(("S[dcl]", ("NP", "dogs"), (r"S[dcl]\NP", "bark")))
    >>> found = extract_dependencies(derivations(*tree.to_tables())).dependencies
    >>> found[["functor", "category", "slot", "argument", "range"]]
       functor   category  slot  argument  range
    0        2  S[dcl]\NP     1         1  local
    """
    dependencies, unknown = found_dependencies(bank)
    table = pd.DataFrame(unknown, columns=list(UnknownRule._fields))
    return Extraction(dependencies.to_frame(), table, incidents_table(unknown_rules(unknown)))


def found_dependencies(bank: Derivations) -> tuple[Dependencies, list[UnknownRule]]:
    """Extract dependencies as arrays, with the unknown rules; see `extract_dependencies`.

    Examples
    --------
    >>> from analysis.ccg.examples import worked_example
    >>> found, unknown = found_dependencies(worked_example()[0])
    >>> len(found.functor), len(unknown)
    (7, 0)
    """
    coded, labels = bank.coded, bank.coded.labels.tolist()
    sentence, left, right, codes = coded.sentence, coded.left, coded.right, coded.label
    grammar = _Grammar(labels)
    kind, lost = grammar.kinds(codes, left, right)
    known = np.bincount(sentence[lost], minlength=sentence.max(initial=-1) + 1)[sentence] == 0
    rows = np.flatnonzero(known)
    place = np.append(np.cumsum(known) - 1, -1)
    leaf = (left < 0)[rows]
    of_leaf, (slot, spine, part) = Lists(grammar.slots, 3).of(np.where(leaf, kind[rows], 0))
    asked = Nodes(kind[rows], place[left[rows]], place[right[rows]], np.where(leaf, coded.start[rows] + 1, -1))
    filled = fill(asked, grammar.effects, of_leaf, part)
    functor = asked.word[of_leaf][filled.asked]
    chosen = np.flatnonzero(filled.word != functor)
    item = filled.asked[chosen]
    row = rows[of_leaf[item]]
    name = np.where(filled.range[chosen] > OPEN, LOCAL - filled.range[chosen], 0)
    dependencies = Dependencies(
        sentence[row], functor[chosen], codes[row], slot[item], spine[item], filled.word[chosen], name, labels
    )
    return dependencies, _unknown(lost, coded)


def unknown_rules(rules: Iterable[UnknownRule]) -> list[Incident]:
    """Unknown rules as incidents.

    Examples
    --------
    >>> unknown_rules([UnknownRule(3, 0, "S", "N", "N")])[0].found
    'sentence 3: no rule makes S of N and N'
    """
    return [
        Incident(
            "derivations",
            0,
            "unknown rule",
            f"sentence {row.sentence}: no rule makes {row.parent} of {row.left} and {row.right}",
            f"{row.left} {row.right} -> {row.parent}",
        )
        for row in rules
    ]


def _unknown(lost: np.ndarray, coded: Coded) -> list[UnknownRule]:
    """The last node with an unknown rule of each sentence."""
    of = coded.sentence[lost]
    last = lost[np.append(of[1:] != of[:-1], True)] if len(lost) else lost
    first = np.searchsorted(coded.sentence, coded.sentence[last])
    names = np.append(coded.labels[coded.label], "") if len(lost) else coded.labels
    return [
        UnknownRule(int(coded.sentence[row]), row - begin, names[row], names[coded.left[row]], names[coded.right[row]])
        for row, begin in zip(last.tolist(), first.tolist(), strict=True)
    ]


def _key(label: np.ndarray, left: np.ndarray, right: np.ndarray) -> np.ndarray:
    """One number for the codes of a node and of its daughters, -1 = none."""
    return (((label << _BITS) + left + 1) << _BITS) + right + 1


class _Grammar:
    """Effects of the categories and rules of a treebank, each found once.

    Attributes
    ----------
    effects : list of Effect
    slots : list of tuples
        Of each effect of a leaf: number in the paper, number in the whole category, and part of each slot.
    """

    def __init__(self, labels: list[str]) -> None:
        self.effects = [Effect(0, ())]
        self.slots: list[tuple[tuple[int, int, int], ...]] = [()]
        self._labels = labels
        self._names = list(dict.fromkeys(labels))
        self._code = {name: code for code, name in enumerate(self._names)}
        self._category = [0]  # code of the effective category of each effect
        self._found: dict[int, int] = {}

    def kinds(self, label: np.ndarray, left: np.ndarray, right: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The effect of each node, -1 where there is none, and the rows where the rule is unknown."""
        names = np.array([self._code[name] for name in self._labels], dtype=np.int64)
        label = names[label] if len(names) else label
        kind = np.full(len(label), -1)
        effective = np.full(len(label) + 1, -1)
        lost = []
        for rows in reversed(_levels(left, right)):
            leaf = left[rows] < 0
            one, two = effective[left[rows]], effective[right[rows]]
            whole = leaf | ((one >= 0) & ((right[rows] < 0) | (two >= 0)))
            rows, leaf, one, two = rows[whole], leaf[whole], one[whole], two[whole]
            one, two = np.where(leaf, -1, one), np.where(right[rows] < 0, -1, two)
            keys = _key(label[rows], one, two)
            which, first = number_codes(keys.view(np.uint64))
            effects = [self._found[key] if key in self._found else self._effect(key) for key in keys[first].tolist()]
            kind[rows] = np.array(effects, dtype=np.int64)[which] if effects else -1
            for row in rows[kind[rows] < 0].tolist():
                kind[row] = self._as_written(label, effective, kind, (row, int(left[row]), int(right[row])))
            lost.append(rows[kind[rows] < 0])
            effective[rows] = np.where(kind[rows] < 0, -1, np.array(self._category)[kind[rows]])
        return kind, np.sort(np.concatenate([np.empty(0, dtype=np.int64), *lost]))

    def _effect(self, key: int) -> int:
        if key in self._found:
            return self._found[key]
        codes = (key >> 2 * _BITS, (key >> _BITS) % 2**_BITS - 1, key % 2**_BITS - 1)
        found = _effect_of(*(self._names[code] if code >= 0 else "" for code in codes))
        self._found[key] = -1 if found is None else self._added(*found)
        return self._found[key]

    def _as_written(self, label: np.ndarray, effective: np.ndarray, kind: np.ndarray, rows: tuple[int, ...]) -> int:
        """The effect of a rule with the daughters' labels as they are written, if they have as many parts."""
        row, one, two = rows
        if two < 0 or (effective[one] == label[one] and effective[two] == label[two]):
            return -1
        found = self._effect(int(_key(label[row], label[one], label[two])))
        if found < 0 or not all(
            len(up) == len(self.effects[kind[side]].parts)
            for up, side in zip(self.effects[found].up, (one, two), strict=True)
        ):
            return -1
        return found

    def _added(self, effect: Effect, category: str, slots: tuple[tuple[int, int, int], ...]) -> int:
        if category not in self._code:
            self._code[category] = len(self._names)
            self._names.append(category)
        self.effects.append(effect)
        self.slots.append(slots)
        self._category.append(self._code[category])
        return len(self.effects) - 1


@lru_cache(maxsize=100_000)
def _effect_of(label: str, left: str, right: str) -> tuple[Effect, str, tuple[tuple[int, int, int], ...]] | None:
    """What a node does, its effective category, and a leaf's slots; None if the rule is unknown."""
    if not left:
        pattern, new, slots = _lexical(label)
        return Effect(new, tuple((2, number) for number in pattern)), label, slots
    template = unary_template(label, left) if not right else binary_template(label, left, right)
    if template is None:
        return None
    equal = tuple((*one, *other) for one, other in template.equal)
    up = (*template.up, ())[:2]
    return Effect(template.new, template.parent, equal, template.within, (up[0], up[1])), template.category, ()


def _levels(left: np.ndarray, right: np.ndarray) -> list[np.ndarray]:
    """Rows of the nodes at each distance from the root."""
    below = np.zeros(len(left), dtype=bool)
    for side in (left, right):
        below[side[side >= 0]] = True
    levels, rows = [], np.flatnonzero(~below)
    while len(rows):
        levels.append(rows)
        rows = np.concatenate([side[rows][side[rows] >= 0] for side in (left, right)])
    return levels
