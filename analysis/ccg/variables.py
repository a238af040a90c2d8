r"""Head variables of CCG categories: parts of a lexical category that refer to the same words.

Every part of a category (in the order of `Category.parts`) has a variable that refers to one or more words. The
variables of a lexical category follow from its structure, without an annotated lexicon; see `lexical_variables`.
"""

import csv
from functools import lru_cache

from analysis.corpora.folders import data_folder
from analysis.structures.ccg_category import Category, argument_slots, is_determiner, is_modifier, parse_category
from analysis.structures.kept import kept

#: Features of clauses that never share their subject with another clause.
_OWN_SUBJECT = frozenset({"dcl"})


@kept
def exceptions() -> dict[str, str]:
    r"""Read the exceptions to the rules of `lexical_variables` for filling gaps, from ``data/ccg``.

    Returns
    -------
    dict
        By category: ``"2=1"`` gives the gap of argument 2 the variable of argument 1, ``"2=gap 1"`` that of the gap of
        argument 1, an empty string leaves it open. Arguments are numbered from the innermost outwards, a modifier X|X
        counted once.

    Examples
    --------
    >>> exceptions()[r"((NP\NP)/(S[dcl]\NP))/N"]
    '2=3'
    """
    with (data_folder() / "ccg" / "exceptions.csv").open(encoding="utf-8", newline="") as file:
        return {str(parse_category(row["category"])): row["gap"] for row in csv.DictReader(file)}


@lru_cache(maxsize=200_000)
def size(category: Category) -> int:
    r"""Count the parts of a category.

    Examples
    --------
    >>> size(parse_category(r"(S\NP)/NP"))
    5
    """
    return sum(1 for _ in category.parts())


def argument_part(category: Category, paper_slot: int) -> int:
    r"""Return the index of the part that is an argument, in the order of `Category.parts`.

    Examples
    --------
    >>> category = parse_category(r"((S\NP)\(S\NP))/NP")
    >>> list(category.parts())[argument_part(category, 1)], argument_part(category, 2)
    (S\NP, 8)
    """
    slots = argument_slots(category)
    depth = len(slots) - paper_slot
    part, place = category, 0
    for _ in range(depth):
        part, place = part.result, place + 1
    return place + 1 + size(part.result)


def _gap_of(category: Category, place: int) -> int:
    """Return the part index of the gap of a clause argument at index ``place``."""
    return place + 1 + size(category.result)


def is_clause_with_gap(category: Category) -> bool:
    r"""Return whether a category is S[..]\NP or S[..]/NP.

    Examples
    --------
    >>> is_clause_with_gap(parse_category(r"S[to]\NP")), is_clause_with_gap(parse_category("S[dcl]/PP"))
    (True, False)
    """
    return bool(
        category.slash
        and category.result.is_atom
        and category.result.name == "S"
        and category.argument.is_atom
        and category.argument.name == "NP"
    )


@lru_cache(maxsize=100_000)
def gap_filler(category: Category) -> str:
    r"""Determine from the structure of a lexical category which argument fills the gap of another.

    Returns
    -------
    str
        In the notation of `exceptions`; empty if no gap is filled.

    Examples
    --------
    >>> texts = [r"(NP\NP)/(S[dcl]/NP)", r"((S[b]\NP)/(S[to]\NP))/NP", r"(S[dcl]\NP)/(S[pt]\NP)"]
    >>> [gap_filler(parse_category(text)) for text in texts]
    ['2=1', '2=3', '2=1']
    >>> gap_filler(parse_category(r"((S\NP)\(S\NP))/(S[ng]\NP)"))
    '2=gap 1'
    """
    slots = {slot.paper: slot for slot in argument_slots(category)}
    if is_modifier(category):
        return ""
    for number in sorted(slots):
        slot = slots[number]
        if not is_clause_with_gap(slot.argument):
            continue
        feature = slot.argument.result.feature
        outer, inner = slots.get(number + 1), slots.get(number - 1)
        modified = slots[1].argument
        is_inner_modifier = _innermost(category) is not None and is_modifier(_innermost(category))  # type: ignore[arg-type]
        if outer is not None and outer.argument.is_atom:
            if outer.argument.name == "N" and category.target.feature in ("wq", "qem"):
                return f"{number}={number + 1}"  # determiner of a question
            if outer.argument.name == "NP" and outer.argument.feature != "expl" and slot.slash == "/":
                return f"{number}={number + 1}"  # object control, inverted subject, with + NP + verb phrase
        if outer is not None or slot.slash != "/":
            continue
        if is_inner_modifier and number == 2:
            if modified.is_atom and modified.name in ("NP", "N") and feature in ("dcl", "ng"):
                return f"{number}=1"  # relative pronoun
            if is_verb_phrase(modified) and slot.argument.slash == "\\" and feature not in ("dcl", "to"):
                return f"{number}=gap 1"  # adjunct of a verb phrase
            continue
        if (
            inner is not None
            and inner.slash == "\\"
            and inner.argument.is_atom
            and inner.argument.name == "NP"
            and inner.argument.feature not in ("expl", "thr")
            and slot.argument.slash == "\\"
            and category.target.name == "S"
            and feature not in _OWN_SUBJECT
        ):
            return f"{number}={number - 1}"  # auxiliary, raising, subject control
    return ""


def is_verb_phrase(category: Category) -> bool:
    r"""Return whether a category is S\NP, with any features.

    Examples
    --------
    >>> is_verb_phrase(parse_category(r"S\NP")), is_verb_phrase(parse_category("S/NP"))
    (True, False)
    """
    return is_clause_with_gap(category) and category.slash == "\\"


def _innermost(category: Category) -> Category | None:
    """Return the category that is left when all arguments of `argument_slots` except the first are applied."""
    part = category
    for _ in range(len(argument_slots(category)) - 1):
        part = part.result
    return part if part.slash else None


@lru_cache(maxsize=100_000)
def lexical_variables(category: Category) -> tuple[int, ...]:
    r"""Assign a variable to each part of a lexical category; equal numbers are one variable, 0 is that of the word.

    The category is processed from the outermost argument inwards. In a modifier X|X and a determiner NP/N, result and
    argument share all variables, and the word is not their head. Otherwise an argument gets new variables: its results
    share the variable of the whole argument, and modifiers in it share theirs. The result is processed in the same way,
    down to the innermost one, whose head is the word.

    Then the missing NP of an argument S[..]\NP or S[..]/NP, its gap, is shared with another argument:

    - relative pronouns, (NP\NP)/(S[dcl]\NP), /(S[dcl]/NP), also S[ng] and N: the modified noun;
    - a verb's clause on the right, when the next argument outside is an NP: that object, or inverted subject
      ((S\NP)/(S[to]\NP))/NP, (S[q]/(S[b]\NP))/NP; not NP[expl]. Also after *with* + NP;
    - else, if there is no further argument outside: the subject on the left, as with auxiliaries, raising and subject
      control; not for S[dcl];
    - an adjunct ((S\NP)\(S\NP))/(S[ng]\NP): the subject of the modified verb phrase; not for S[to], S[dcl];
    - determiner of a question (S[wq]/(S[q]/NP))/N: the noun.

    All other gaps remain open. ``data/ccg/exceptions.csv`` overrides this for a few categories.

    Parameters
    ----------
    category : Category

    Returns
    -------
    tuple of int
        One number per part, in the order of `Category.parts`.

    References
    ----------
    Clark & Hockenmaier (2002), section 4.3; Clark, Hockenmaier & Steedman (2002).

    Examples
    --------
    In (S[to]\NP)/(S[b]\NP) the category, S[to]\NP and S[to] have the variable of the word; S[b]\NP and S[b] share one;
    both NPs share one.

    >>> lexical_variables(parse_category(r"(S[to]\NP)/(S[b]\NP)"))
    (0, 0, 0, 1, 2, 2, 1)
    >>> lexical_variables(parse_category("N/N"))
    (0, 1, 1)
    """
    variables = [0] * size(category)
    counter = 0
    part, place = category, 0
    while part.slash:
        counter = _argument(part.argument, place + 1 + size(part.result), counter, variables)
        if is_modifier(part) or is_determiner(part):
            _share(variables, place + 1, size(part.result), place + 1 + size(part.result), size(part.argument))
            break
        part, place = part.result, place + 1
    gap = exceptions().get(str(category), gap_filler(category))
    if gap:
        left, _, filler = gap.partition("=")
        slots = {slot.paper: slot.argument for slot in argument_slots(category)}
        open_part = _gap_of(slots[int(left)], argument_part(category, int(left)))
        if filler.startswith("gap "):
            number = int(filler.removeprefix("gap "))
            source = _gap_of(slots[number], argument_part(category, number))
        else:
            source = argument_part(category, int(filler))
        old, new = variables[open_part], variables[source]
        variables = [new if variable == old else variable for variable in variables]
    names = {0: 0}
    return tuple(names.setdefault(variable, len(names)) for variable in variables)


def _argument(category: Category, place: int, counter: int, variables: list[int]) -> int:
    """Assign variables to an argument and the arguments in it, without recursion; return the last number."""
    waiting = [(category, place)]
    shared: list[tuple[int, int, int, int]] = []
    while waiting:
        part, start = waiting.pop()
        counter += 1
        own = counter
        while True:
            variables[start] = own
            if not part.slash:
                break
            inner = start + 1 + size(part.result)
            waiting.append((part.argument, inner))
            if is_modifier(part) or is_determiner(part):
                shared.append((start + 1, size(part.result), inner, size(part.argument)))
                break
            part, start = part.result, start + 1
    for numbers in reversed(shared):  # deeper nested parts come later
        _share(variables, *numbers)
    return counter


def _share(variables: list[int], target: int, target_size: int, origin: int, origin_size: int) -> None:
    """Copy the variables of the parts from ``origin`` to those from ``target``; different shapes share the head
    only.
    """
    for offset in range(target_size):
        variables[target + offset] = variables[origin + (offset if target_size == origin_size else 0)]
