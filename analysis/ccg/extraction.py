r"""Extraction of predicate-argument dependencies: variables are passed up a CCG derivation and unified.

Every part of a node's category has a variable. A rule unifies variables: in X/Y Y those of the parts of both Y, and
similarly in composition and type-raising. In a coordination the conjuncts share their missing arguments, and the
variable of the whole has the heads of both as fillers. At the end, an argument slot is filled by the words whose
variable is that of the slot.
"""

from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import pandas as pd

from analysis.ccg.variables import argument_part, is_clause_with_gap, lexical_variables, size
from analysis.corpora.ccgbank import daughters
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
from analysis.structures.derivation import Derivations
from analysis.structures.incidents import Incident, incidents_table

#: Ranges of a dependency.
RANGES = ("local", "shared", "extracted")
LOCAL, SHARED, EXTRACTED, OPEN = -1, -2, -3, -4

#: Columns of a dependencies table.
COLUMNS = [
    "sentence",
    "functor",
    "category",
    "slot",
    "spine_slot",
    "argument",
    "range",
    "extracted",
]


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


class _Variables:
    """Variables of one sentence: unified variables, their words, and inclusion."""

    def __init__(self) -> None:
        self.link: list[int] = []
        self.words: dict[int, list[int]] = {}
        self.among: list[tuple[int, int]] = []

    def new(self, count: int) -> int:
        first = len(self.link)
        self.link += range(first, first + count)
        return first

    def find(self, variable: int) -> int:
        link = self.link
        while link[variable] != variable:
            link[variable] = link[link[variable]]
            variable = link[variable]
        return variable

    def join(self, one: int, other: int) -> None:
        self.link[self.find(other)] = self.find(one)

    def fillers(self) -> "dict[int, set[int]]":
        """Return the words of each variable, including those of the variables within it."""
        own: dict[int, set[int]] = {}
        for variable, words in self.words.items():
            own.setdefault(self.find(variable), set()).update(words)
        below: dict[int, list[int]] = {}
        for whole, part in self.among:
            below.setdefault(self.find(whole), []).append(self.find(part))
        for whole in below:
            seen, waiting = {whole}, [whole]
            while waiting:
                for part in below.get(waiting.pop(), ()):
                    if part not in seen:
                        seen.add(part)
                        waiting.append(part)
            below[whole] = list(seen)
        return {
            variable: set().union(*(own.get(part, set()) for part in below.get(variable, [variable])))
            for variable in {*own, *below}
        }


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
    nodes = bank.nodes
    left, right = (side.tolist() for side in daughters(nodes))
    labels = nodes["category"].astype("str").tolist()
    sentences = nodes["sentence"].to_numpy()
    bounds = np.flatnonzero(np.r_[True, sentences[1:] != sentences[:-1]]).tolist() if len(nodes) else []
    listed = _Nodes(left, right, labels, nodes["start"].tolist())
    rows: list[tuple] = []
    unknown: list[tuple] = []
    for begin, end in pairwise([*bounds, len(nodes)]):
        sentence = int(sentences[begin])
        _one(sentence, begin, end, listed, rows, unknown)
    dependencies = pd.DataFrame(rows, columns=COLUMNS[:-1])
    dependencies["extracted"] = dependencies["range"] == "extracted"
    table = pd.DataFrame(unknown, columns=["sentence", "node", "parent", "left", "right"])
    incidents = [
        Incident(
            "derivations",
            0,
            "unknown rule",
            f"sentence {row.sentence}: no rule makes {row.parent} of {row.left} and {row.right}",
            f"{row.left} {row.right} -> {row.parent}",
        )
        for row in table.itertuples()
    ]
    return Extraction(dependencies, table, incidents_table(incidents))


class _Nodes(NamedTuple):
    """Nodes of a treebank: daughters, categories and first words."""

    left: list[int]
    right: list[int]
    labels: list[str]
    starts: list[int]


def _one(sentence: int, begin: int, end: int, bank: _Nodes, rows: list[tuple], unknown: list[tuple]) -> None:
    """Extract from the nodes ``begin`` to ``end`` of one sentence."""
    left, right, labels, starts = bank
    variables = _Variables()
    parts: list[list[int]] = [[]] * (end - begin)
    effective = [""] * (end - begin)
    templates: list[_Template | None] = [None] * (end - begin)
    for row in range(end - 1, begin - 1, -1):
        node = row - begin
        label = labels[row]
        if left[row] < 0:
            pattern, count, _ = _lexical(label)
            first = variables.new(count)
            parts[node] = [first + number for number in pattern]
            variables.words[first] = [starts[row] + 1]
            effective[node] = label
            continue
        one = left[row] - begin
        two = right[row] - begin if right[row] >= 0 else -1
        if two < 0:
            template = unary_template(label, effective[one])
        else:
            template = binary_template(label, effective[one], effective[two])
            if template is None and (effective[one], effective[two]) != (labels[begin + one], labels[begin + two]):
                template = binary_template(label, labels[begin + one], labels[begin + two])
                if template is not None and not _fits(template, parts[one], parts[two]):
                    template = None
        if template is None:
            unknown.append((sentence, node, label, labels[begin + one], labels[begin + two] if two >= 0 else ""))
            return
        templates[node] = template
        first = variables.new(template.new)
        sides = (parts[one], parts[two] if two >= 0 else [], range(first, first + template.new))
        for (side, part), (other, place) in template.equal:
            variables.join(sides[side][part], sides[other][place])
        for number, side, part in template.within:
            variables.among.append((first + number, sides[side][part]))
        parts[node] = [sides[side][part] for side, part in template.parent]
        effective[node] = template.category
    found = variables.fillers()
    # top-down: the range of each open argument
    ranges: list[list[int]] = [[]] * (end - begin)
    ranges[0] = [OPEN] * len(parts[0])
    for node, template in enumerate(templates):
        if template is None:
            continue
        above = ranges[node]
        for side, below in enumerate((left[begin + node], right[begin + node])):
            if below >= 0:
                ranges[below - begin] = [code if code < 0 else above[code] for code in template.up[side]]
    for node in range(end - begin):
        if left[begin + node] >= 0:
            continue
        functor = starts[begin + node] + 1
        label = labels[begin + node]
        for paper, spine, part in _lexical(label)[2]:
            words = found.get(variables.find(parts[node][part]), ())
            code = ranges[node][part] if part < len(ranges[node]) else OPEN
            name = RANGES[-1 - code] if code > OPEN else "local"
            for argument in sorted(words):
                if argument != functor:
                    rows.append((sentence, functor, label, paper, spine, argument, name))


def _fits(template: _Template, one: list[int], two: list[int]) -> bool:
    return len(template.up[0]) == len(one) and len(template.up[1]) == len(two)
