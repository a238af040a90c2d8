r"""Reference of the parts of a category, rule by rule: the gold head variables of a derivation.

Every part of the category of a node (in the order of ``Category.parts``) has a variable that refers to one or more
words. A derivation is built top-down: a rule defines which variables of its parent each daughter inherits and which are
new. At a leaf the parts of its category share variables as defined in ``categories.csv``; the word fills the variables
of the category and of its results, down to a modifier or determiner. See the README of ``data/language``.
"""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from analysis.corpora.language.grammar import RULES, Grammar
from analysis.corpora.language.lexicon import read_list
from analysis.structures.ccg_category import (
    Category,
    argument_slots,
    is_determiner,
    is_modifier,
    is_type_raised,
    parse_category,
)
from analysis.structures.kept import kept

#: Ranges of an argument, in the order of the codes.
RANGES = ("local", "shared", "extracted", "open")
LOCAL, SHARED, EXTRACTED, OPEN = range(4)

#: Maximum number of parts of a category, of new variables of a rule, and of slots of a category.
WIDTH, SLOTS = 16, 4


@dataclass(frozen=True)
class Variables:
    """Tables for the kernel.

    Attributes
    ----------
    source : ndarray of int64, shape (n_rules, 2, WIDTH)
        For each part of each daughter: the part of the parent whose variable it inherits, or -1 - k for the rule's k-th
        new variable.
    status : ndarray of int64, shape (n_rules, 2, WIDTH)
        The range of an argument, or -1 - part for the range of that part of the parent.
    joined : ndarray of int64, shape (n_rules, WIDTH, 2)
        Pairs of parts of the parent that share a variable; ended by -1.
    within : ndarray of int64, shape (n_rules, WIDTH, 2)
        Pairs of a part of the parent and a new variable (k) whose words are among its words; ended by -1.
    parts : ndarray of int64, shape (n_states,)
        Number of parts of each state's category.
    leaf_class : ndarray of int64, shape (n_states, WIDTH)
        Parts of a lexical category with the same number share a variable; 0 is the variable of the word.
    slots : ndarray of int64, shape (n_states, SLOTS, 3)
        Slot number, slot number in the whole category, and part of each argument; ended by 0.
    """

    source: np.ndarray
    status: np.ndarray
    joined: np.ndarray
    within: np.ndarray
    parts: np.ndarray
    leaf_class: np.ndarray
    slots: np.ndarray


def _size(category: Category) -> int:
    return sum(1 for _ in category.parts())


def _spine(category: Category) -> list[int]:
    """List the parts that are the category and its results, down to and including a modifier or determiner."""
    parts, place = [0], 0
    while category.slash and not is_modifier(category) and not is_determiner(category):
        category, place = category.result, place + 1
        parts.append(place)
    return parts


@kept
def gaps() -> dict[str, str]:
    r"""Read from ``categories.csv`` which argument fills the gap of another, by lexical category.

    Examples
    --------
    >>> gaps()[r"((S[b]\NP)/(S[to]\NP))/NP"]
    '2=3'
    """
    table = read_list("categories")
    return dict(zip(table["category"], table["gap"], strict=True))


@lru_cache(maxsize=1000)
def leaf_classes(text: str) -> tuple[int, ...]:
    r"""Return the variable of each part of a lexical category; 0 is the variable of the word.

    Raises
    ------
    ValueError
        If ``categories.csv`` does not list the category.

    Examples
    --------
    In (S[to]\NP)/(S[b]\NP) the category, S[to]\NP and S[to] have the variable of the word; S[b]\NP and S[b] share one;
    both NPs share one.

    >>> leaf_classes(r"(S[to]\NP)/(S[b]\NP)")
    (0, 0, 0, 3, 1, 1, 3)
    """
    if text not in gaps():
        raise ValueError(f"categories.csv lacks the lexical category {text}.")
    category = parse_category(text)
    classes = [-1] * _size(category)
    fresh = iter(range(1, len(classes) + 1))

    def argument(part: Category, place: int) -> None:
        """Assign new variables to an argument; results share the variable, modifiers share theirs internally."""
        own = next(fresh)
        while True:
            classes[place] = own
            if not part.slash:
                return
            inner = place + 1 + _size(part.result)
            argument(part.argument, inner)
            if is_modifier(part) or is_determiner(part):
                copy(inner, place + 1, _size(part.result), _size(part.argument))
                return
            part, place = part.result, place + 1

    def copy(origin: int, target: int, size: int, other: int) -> None:
        for offset in range(size):
            classes[target + offset] = classes[origin + (offset if size == other else 0)]

    part, place = category, 0
    while part.slash:
        classes[place] = 0
        inner = place + 1 + _size(part.result)
        argument(part.argument, inner)
        if is_modifier(part) or is_determiner(part):
            copy(inner, place + 1, _size(part.result), _size(part.argument))
            break
        part, place = part.result, place + 1
    else:
        classes[place] = 0
    return tuple(_fill_gap(category, classes, gaps()[text]))


def _fill_gap(category: Category, classes: list[int], gap: str) -> list[int]:
    """Identify the gap NP of one argument with another argument, or with the gap NP of that argument."""
    if not gap:
        return classes
    open_slot, _, filler = gap.partition("=")
    places = {slot: place for slot, _, place in slot_places(category)}
    arguments = {slot.paper: slot.argument for slot in argument_slots(category)}

    def missing(slot: int) -> int:
        argument = arguments[slot]
        if not argument.slash or not argument.argument.is_atom:
            raise ValueError(f"categories.csv, {category}: argument {slot}, {argument}, has no gap.")
        return places[slot] + 1 + _size(argument.result)

    source = missing(int(filler.removeprefix("gap "))) if filler.startswith("gap ") else places[int(filler)]
    old, new = classes[missing(int(open_slot))], classes[source]
    return [new if number == old else number for number in classes]


def slot_places(category: Category) -> list[tuple[int, int, int]]:
    r"""List slot number as in the paper, slot number in the whole category, and part of each argument.

    Examples
    --------
    >>> slot_places(parse_category(r"((S\NP)\(S\NP))/NP"))
    [(1, 2, 5), (2, 3, 8)]
    """
    places, part, place = [], category, 0
    for _ in argument_slots(category):
        places.append(place + 1 + _size(part.result))
        part, place = part.result, place + 1
    return [
        (slot.paper, slot.spine, where) for slot, where in zip(argument_slots(category), reversed(places), strict=True)
    ]


def variables(grammar: Grammar) -> Variables:
    """Make the tables for a grammar."""
    categories = [parse_category(text) if text else None for text in grammar.categories]
    n_rules, n_states = len(grammar.rules), len(categories)
    source = np.zeros((n_rules, 2, WIDTH), dtype=np.int64)
    status = np.full((n_rules, 2, WIDTH), OPEN, dtype=np.int64)
    joined = np.full((n_rules, WIDTH, 2), -1, dtype=np.int64)
    within = np.full((n_rules, WIDTH, 2), -1, dtype=np.int64)
    for number, row in enumerate(grammar.rules.itertuples()):
        rule = RULES[row.rule]
        parent, left = categories[row.parent], categories[row.left]
        right = categories[row.right] if row.right >= 0 else None
        if rule == "=":
            continue
        if parent is None or left is None:
            raise ValueError("the start of the grammar has no category: it can only be rewritten as another state.")
        maps = _rule(rule, parent, left, right)
        for side, (sources, statuses) in enumerate(maps.daughters):
            source[number, side, : len(sources)] = sources
            status[number, side, : len(statuses)] = statuses
        for table, pairs in ((joined, maps.joined), (within, maps.within)):
            if pairs:
                table[number, : len(pairs)] = pairs
    parts = np.array([_size(category) if category else 0 for category in categories], dtype=np.int64)
    leaf_class = np.zeros((n_states, WIDTH), dtype=np.int64)
    slots = np.zeros((n_states, SLOTS, 3), dtype=np.int64)
    for state in np.unique(grammar.entries["state_code"]):
        category = categories[state]
        if category is None:
            raise ValueError("the start of the grammar is not a word.")
        leaf_class[state, : parts[state]] = leaf_classes(str(category))
        if category.name != "conj":
            for place, slot in enumerate(slot_places(category)):
                slots[state, place] = slot
    return Variables(source, status, joined, within, parts, leaf_class, slots)


@dataclass
class _Maps:
    daughters: list[tuple[list[int], list[int]]]
    joined: list[tuple[int, int]]
    within: list[tuple[int, int]]


def _rule(rule: str, parent: Category, left: Category, right: Category | None) -> _Maps:
    if rule == ">T":
        # S/(S\NP) over NP: S, its other S and S\NP are one, NP is the daughter's
        return _Maps([([4], [OPEN])], [(1, 3), (1, 2)], [])
    if rule == "unary":
        return _unary(parent, left)
    if right is None:
        raise ValueError(f"the rule {rule} needs two daughters.")
    if rule == "conj":
        size = _size(parent)
        return _Maps([([-1], [OPEN]), (list(range(size)), [-1 - part for part in range(size)])], [], [])
    if rule == "coord":
        return _coordination(parent)
    swapped = rule in ("<", "<Bx")
    primary = right if swapped else left
    taken = primary.argument
    size_x, size_y = _size(primary.result), _size(taken)
    new = [-2 - part for part in range(size_y)]  # -1 is the variable of the primary functor
    inner = _inner_ranges(primary)
    x_parts = list(range(size_x)) if rule in (">", "<") else list(range(1, 1 + size_x))
    primary_map = ([-1, *x_parts, *new], [OPEN, *(-1 - part for part in x_parts), LOCAL, *[OPEN] * (size_y - 1)])
    shared_with_parent = is_modifier(primary)
    statuses = [-1 - x_parts[part] for part in range(size_y)] if shared_with_parent else inner
    if rule in (">", "<"):
        secondary_map = (new, statuses)
    else:
        z_parts = list(range(1 + size_x, _size(parent)))
        own = -2 - size_y
        secondary_map = ([own, *new, *z_parts], [OPEN, *statuses, *(-1 - part for part in z_parts)])
    daughters = [primary_map, secondary_map]
    return _Maps(daughters[::-1] if swapped else daughters, [], [])


def _inner_ranges(primary: Category) -> list[int]:
    """Return the ranges of the arguments inside the primary functor's argument."""
    size = _size(primary.argument)
    if is_type_raised(primary):
        return [LOCAL] * size
    forward = primary.argument.slash == "/" and not is_modifier(primary.argument)
    relative = str(primary.result) == r"NP\NP" or primary.target.feature in ("wq", "qem")
    return [EXTRACTED if forward or relative else SHARED] * size


def _unary(parent: Category, child: Category) -> _Maps:
    if parent.is_atom:
        return _Maps([([0], [OPEN])], [], [])
    # a clause with a gap becomes a modifier X|X: the gap is the modified noun, or the modified verb phrase's subject
    size = _size(parent.result)
    joined = [(1 + part, 1 + size + part) for part in range(size)]
    noun = parent.result.is_atom
    gap = 1 if noun else 1 + size - 1
    return _Maps([([0, 0, gap], [OPEN, OPEN, EXTRACTED if noun else SHARED])], joined, [])


def _coordination(parent: Category) -> _Maps:
    spine = _spine(parent)
    size = _size(parent)
    daughters, within = [], []
    for side in range(2):
        sources = list(range(size))
        for place, part in enumerate(spine):
            number = side * len(spine) + place
            sources[part] = -1 - number
            within.append((part, number))
        daughters.append((sources, [-1 - part for part in range(size)]))
    return _Maps(daughters, [], within)
