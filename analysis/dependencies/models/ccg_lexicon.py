r"""Induction of CCG categories of tags from a few seeds (Bisk & Hockenmaier 2012)."""

from collections.abc import Collection, Iterable, Mapping, Sequence

import pandas as pd

from analysis.structures import check_at_least
from analysis.structures.ccg_category import Category, atom, functor

#: Atomic categories; a conjunction has no other use.
NOUN, SENTENCE, CONJUNCTION, MARK = atom("N"), atom("S"), atom("conj"), atom(".")

#: Seeds for the tags of the Penn Treebank, as printed.
PENN_SEEDS: Mapping[str, str] = {
    **dict.fromkeys(("NN", "NNS", "NNP", "PRP", "DT"), "N"),
    **dict.fromkeys(("MD", "VB", "VBZ", "VBG", "VBN", "VBD"), "S"),
    "CC": "conj",
}
#: Seeds for universal tags, of Universal Dependencies and of Petrov, Das & McDonald.
UNIVERSAL_SEEDS: Mapping[str, str] = {
    **dict.fromkeys(("NOUN", "PROPN", "PRON", "DET"), "N"),
    **dict.fromkeys(("VERB", "AUX"), "S"),
    **dict.fromkeys(("CCONJ", "CONJ"), "conj"),
}
#: Tags with the category S that do not make a string of tags a sentence.
NOT_FINITE = frozenset({"VBG"})

#: Largest number of arguments of a lexical category, and of one that contains a modifier.
MOST_ARGUMENTS, MOST_OF_MODIFIER = 3, 2

#: Categories of each tag, in the order in which they were found.
Lexicon = dict[str, tuple[Category, ...]]


def is_modifier(category: Category) -> bool:
    r"""Whether a lexical category is a modifier, X|X.

    Examples
    --------
    >>> is_modifier(functor(SENTENCE, "/", SENTENCE)), is_modifier(functor(SENTENCE, "\\", NOUN))
    (True, False)
    """
    return bool(category.slash) and category.result == category.argument


def may_be_modified(category: Category) -> bool:
    r"""Whether words may modify a category: N, S, and X|X with an atomic X.

    Examples
    --------
    >>> modifier = functor(NOUN, "/", NOUN)
    >>> may_be_modified(modifier), may_be_modified(functor(modifier, "/", modifier))
    (True, False)
    """
    return category in (NOUN, SENTENCE) or (is_modifier(category) and category.result.is_atom)


def may_take(category: Category, slash: str, argument: Category) -> bool:
    r"""Whether a category may take one more argument.

    N and conj take none. S takes N only; a modifier takes N or S, but there is no (X/X)\X. At most 3 arguments, at most
    2 if a modifier is among the results. Nothing is added to the left of X/Y with atomic Y, unless it is a modifier.

    Parameters
    ----------
    category : Category
    slash : {"/", "\\"}
    argument : Category

    References
    ----------
    Bisk & Hockenmaier (2012), "Simple robust grammar induction with combinatory categorial grammars"; the bounds on
    the number of arguments follow Bisk (2015) and his program.

    Examples
    --------
    >>> verb = functor(SENTENCE, "\\", NOUN)
    >>> may_take(verb, "/", NOUN), may_take(verb, "/", SENTENCE), may_take(functor(verb, "/", NOUN), "\\", NOUN)
    (True, False, False)
    """
    if argument not in (NOUN, SENTENCE) or category in (NOUN, CONJUNCTION, MARK):
        return False
    parts = [category]
    while parts[-1].slash:
        parts.append(parts[-1].result)
    modifiers = any(is_modifier(part) for part in parts)
    if len(parts) > (MOST_OF_MODIFIER if modifiers else MOST_ARGUMENTS):
        return False
    if not modifiers:
        if argument != NOUN:
            return False
        return not (slash == "\\" and category.slash == "/")
    return not (slash == "\\" and category.slash == "/" and category.argument == argument)


def _from_right(own: Iterable[Category], right: Iterable[Category]) -> list[Category]:
    """Categories that a word gets from what is on its right."""
    modifiers = [functor(other, "/", other) for other in right if may_be_modified(other)]
    return modifiers + [functor(one, "/", other) for one in own for other in right if may_take(one, "/", other)]


def _from_left(own: Iterable[Category], left: Iterable[Category]) -> list[Category]:
    """Categories that a word gets from what is on its left."""
    modifiers = [functor(other, "\\", other) for other in left if may_be_modified(other)]
    return modifiers + [functor(one, "\\", other) for one in own for other in left if may_take(one, "\\", other)]


def next_round(
    lexicon: Lexicon,
    sentences: Iterable[Sequence[str]],
    marks: Collection[str] = (),
) -> Lexicon:
    r"""One round of induction over adjacent tags; the lexicon changes at its end only.

    Parameters
    ----------
    lexicon : dict
    sentences : iterable of sequences of tags
    marks : collection of str
        Tags of punctuation, which take no part. Tags with the category conj take part at the start and the end of a
        sentence only.

    Returns
    -------
    dict

    References
    ----------
    Bisk & Hockenmaier (2012).

    Examples
    --------
    >>> lexicon = next_round(seed_lexicon({"NNS": "N", "VBD": "S"}), [["DT", "NNS", "VBD", "RB"]])
    >>> {tag: [str(category) for category in found] for tag, found in lexicon.items()}
    {'NNS': ['N', 'S/S'], 'VBD': ['S', 'N\\N', 'S\\N'], 'DT': ['N/N'], 'RB': ['S\\S']}
    """
    pairs: dict[tuple[str, str], None] = {}
    for tags in sentences:
        last = len(tags) - 1
        for place in range(last):
            one, other = tags[place], tags[place + 1]
            if one in marks or other in marks:
                continue
            inside = (one, place > 0), (other, place + 1 < last)
            if any(within and CONJUNCTION in lexicon.get(tag, ()) for tag, within in inside):
                continue
            pairs[one, other] = None
    found: dict[str, dict[Category, None]] = {tag: dict.fromkeys(own) for tag, own in lexicon.items()}
    for one, other in pairs:
        left, right = lexicon.get(one, ()), lexicon.get(other, ())
        found.setdefault(one, {}).update(dict.fromkeys(_from_right(left, right)))
        found.setdefault(other, {}).update(dict.fromkeys(_from_left(right, left)))
    return {tag: tuple(own) for tag, own in found.items()}


def next_to_constituents(
    lexicon: Lexicon, neighbours: Iterable[tuple[str, str, Category]], marks: Collection[str] = ()
) -> Lexicon:
    r"""One round in which a word looks at the categories of whole constituents next to it ("+d").

    Parameters
    ----------
    lexicon : dict
    neighbours : iterable of (tag, side, category)
        A tag, ``"left"`` or ``"right"``, and the category of a constituent on that side of it.
    marks : collection of str
        See `next_round`.

    Returns
    -------
    dict

    Examples
    --------
    A preposition before a noun phrase, after one round over *VBD IN DT NN*:

    >>> lexicon = {"IN": (functor(SENTENCE, "\\", SENTENCE),)}
    >>> next_to_constituents(lexicon, [("IN", "right", NOUN)])["IN"]
    (S\S, N/N, (S\S)/N)
    """
    found: dict[str, dict[Category, None]] = {tag: dict.fromkeys(own) for tag, own in lexicon.items()}
    for tag, side, category in dict.fromkeys(neighbours):
        own = lexicon.get(tag, ())
        if tag in marks or CONJUNCTION in own:
            continue
        made = _from_right(own, [category]) if side == "right" else _from_left(own, [category])
        found.setdefault(tag, {}).update(dict.fromkeys(made))
    return {tag: tuple(own) for tag, own in found.items()}


def seed_lexicon(seeds: Mapping[str, str]) -> Lexicon:
    """Make a lexicon of seeds: by tag N, S or conj.

    Raises
    ------
    ValueError
        If a category is none of the three, or there is no N or no S.

    Examples
    --------
    >>> seed_lexicon({"NOUN": "N", "VERB": "S"})
    {'NOUN': (N,), 'VERB': (S,)}
    """
    known = {"N": NOUN, "S": SENTENCE, "conj": CONJUNCTION}
    for tag, name in seeds.items():
        if name not in known:
            raise ValueError(f"the seed of {tag} is {name!r}; it must be N, S or conj.")
    if not {"N", "S"} <= set(seeds.values()):
        raise ValueError("the seeds name no noun (N) or no verb (S) among the tags: give seeds, a table of tag and "
                         "category.")  # fmt: skip
    return {tag: (known[name],) for tag, name in seeds.items()}


def seeds_of(tags: Collection[str], universal: pd.DataFrame | None = None) -> dict[str, str]:
    """Choose the seeds for a set of tags.

    Parameters
    ----------
    tags : collection of str
    universal : DataFrame, optional
        ``tag`` and ``universal`` of each token. A tag that is neither of the Penn Treebank nor universal has the seed
        of its most frequent universal tag.

    Returns
    -------
    dict
        By tag; the printed seeds if the tags are those of the Penn Treebank.

    Examples
    --------
    >>> seeds_of(["DT", "NN", "VBD", "IN"])
    {'DT': 'N', 'NN': 'N', 'VBD': 'S'}
    >>> table = pd.DataFrame({"tag": ["n1", "v1", "n1"], "universal": ["NOUN", "VERB", "NOUN"]})
    >>> seeds_of(["n1", "v1"], table)
    {'n1': 'N', 'v1': 'S'}
    """
    for seeds, sure in ((PENN_SEEDS, {"NN", "VBD", "VBZ", "NNS", "VB"}), (UNIVERSAL_SEEDS, {"NOUN", "VERB"})):
        if len(sure.intersection(tags)) >= 2:
            return {tag: seeds[tag] for tag in tags if tag in seeds}
    if universal is None or not len(universal):
        return {tag: UNIVERSAL_SEEDS[tag] for tag in tags if tag in UNIVERSAL_SEEDS}
    counts = universal.astype("str").value_counts(["tag", "universal"]).reset_index()
    counts = counts.sort_values(["tag", "count", "universal"], ascending=[True, False, True], kind="stable")
    usual = counts.drop_duplicates("tag").set_index("tag")["universal"]
    return {tag: UNIVERSAL_SEEDS[usual[tag]] for tag in tags if usual.get(tag) in UNIVERSAL_SEEDS}


def induce_lexicon(
    sentences: Sequence[Sequence[str]], seeds: Mapping[str, str], *, rounds: int = 2, marks: Collection[str] = ()
) -> Lexicon:
    r"""Induce the categories of tags in some rounds.

    Parameters
    ----------
    sentences : sequence of sequences of tags
    seeds : mapping of str to {"N", "S", "conj"}
    rounds : int
    marks : collection of str
        Tags of punctuation.

    Returns
    -------
    dict
        Categories of each tag.

    References
    ----------
    Bisk & Hockenmaier (2012).

    Examples
    --------
    >>> lexicon = induce_lexicon([["DT", "NNS", "VBD", "RB"]], {"NNS": "N", "VBD": "S"})
    >>> [(tag, len(lexicon[tag])) for tag in ("DT", "NNS", "VBD", "RB")]
    [('DT', 3), ('NNS', 5), ('VBD', 7), ('RB', 3)]
    """
    check_at_least(0, rounds=rounds)
    lexicon = seed_lexicon(seeds)
    for _ in range(rounds):
        lexicon = next_round(lexicon, sentences, marks)
    return lexicon
