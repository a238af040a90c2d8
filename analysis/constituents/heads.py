"""Heads of phrases of the Penn Treebank: the published table of Collins (1999), after Magerman (1995)."""

from collections.abc import Mapping, Sequence
from typing import Literal

from analysis.structures import check_choice

Coordination = Literal["first", "table"]

#: One search: the side at which it begins (``left``, ``right``); whether the earliest label of the list wins (``in
#: order``), or the first daughter that has one of them (``any``); the labels.
Search = tuple[str, str, tuple[str, ...]]

#: Tags of the words that are no heads unless there are no others.
PUNCTUATION = frozenset({",", ":", "``", "''", ".", "-LRB-", "-RRB-"})

_LISTS = """
ADJP    left   NNS QP NN $ ADVP JJ VBN VBG ADJP JJR NP JJS DT FW RBR RBS SBAR RB
ADVP    right  RB RBR RBS FW ADVP TO CD JJR JJ IN NP JJS NN
CONJP   right  CC RB IN
FRAG    right
INTJ    left
LST     right  LS :
NAC     left   NN NNS NNP NNPS NP NAC EX $ CD QP PRP VBG JJ JJS JJR ADJP FW
PP      right  IN TO VBG VBN RP FW
PRN     left
PRT     right  RP
QP      left   $ IN NNS NN JJ RB DT CD NCD QP JJR JJS
RRC     right  VP NP ADVP ADJP PP
S       left   TO IN VP S SBAR ADJP UCP NP
SBAR    left   WHNP WHPP WHADVP WHADJP IN DT S SQ SINV SBAR FRAG
SBARQ   left   SQ S SINV SBARQ FRAG
SINV    left   VBZ VBD VBP VB MD VP S SINV ADJP NP
SQ      left   VBZ VBD VBP VB MD VP SQ
UCP     right
VP      left   TO VBD VBN MD VBZ VB VBG VBP VP ADJP NN NNS NP
WHADJP  left   CC WRB JJ ADJP
WHADVP  right  CC WRB
WHNP    left   WDT WP WP$ WHADJP WHPP WHNP
WHPP    right  IN TO FW
"""
_NOUN_PHRASE: tuple[Search, ...] = (
    ("right", "any", ("NN", "NNP", "NNPS", "NNS", "NX", "POS", "JJR")),
    ("left", "any", ("NP",)),
    ("right", "any", ("$", "ADJP", "PRN")),
    ("right", "any", ("CD",)),
    ("right", "any", ("JJ", "JJS", "RB", "QP")),
    ("right", "any", ()),
)

#: The searches for each of 24 parents, in order; if all fail, the daughter at which the last one begins is the head.
HEAD_TABLE: Mapping[str, tuple[Search, ...]] = {
    "NP": _NOUN_PHRASE,
    **{parent: ((side, "in order", tuple(labels)),)
       for parent, side, *labels in map(str.split, _LISTS.strip().splitlines())},
}  # fmt: skip
#: For other parents: the leftmost daughter.
DEFAULT: tuple[Search, ...] = (("left", "any", ()),)


def head_daughter(parent: str, daughters: Sequence[str], *, coordination: Coordination = "first") -> int:
    """Find the head daughter of a phrase.

    Parameters
    ----------
    parent : str
        Its label, without function tags.
    daughters : sequence of str
        Labels of its daughters from left to right; tags of words. Punctuation is passed over, unless there is nothing
        else.
    coordination : {"first", "table"}
        Whether the head moves from a conjunct to the one before it if a conjunction (CC) stands between them, except
        in a noun phrase without a noun phrase in it; or what the table says.

    Returns
    -------
    int
        Index of the head among the daughters.

    Raises
    ------
    ValueError
        If there is no daughter.

    Notes
    -----
    The table, of 23 parents with a list each and of noun phrases, is as public re-implementations give it, which name
    the thesis (pages 236 to 240); the thesis itself was not at hand.

    References
    ----------
    Magerman (1995), Statistical decision-tree models for parsing; Collins (1999), Head-driven statistical models for
    natural language parsing, appendix A.

    Examples
    --------
    >>> head_daughter("NP", ["DT", "NN", "NN"]), head_daughter("S", ["NP", "VP", "."])
    (2, 1)
    >>> [head_daughter("VP", ["VP", "CC", "VP"], coordination=rule) for rule in ("first", "table")]
    [0, 0]
    >>> [head_daughter("PP", ["PP", "CC", "PP"], coordination=rule) for rule in ("first", "table")]
    [0, 2]
    """
    check_choice("coordination", coordination, ("first", "table"))
    if not daughters:
        raise ValueError(f"the phrase {parent} has no daughter.")
    words = [place for place, label in enumerate(daughters) if label not in PUNCTUATION]
    places = words or list(range(len(daughters)))
    head = _searched(HEAD_TABLE.get(parent, DEFAULT), [daughters[place] for place in places])
    base = parent == "NP" and "NP" not in daughters
    if coordination == "first" and not base and head >= 2 and daughters[places[head - 1]] == "CC":
        head -= 2
    return places[head]


def _searched(searches: Sequence[Search], daughters: Sequence[str]) -> int:
    side = ""
    for side, how, labels in searches:
        order = list(range(len(daughters)))[:: 1 if side == "left" else -1]
        for wanted in [labels] if how == "any" else [(label,) for label in labels]:
            for place in order:
                if daughters[place] in wanted:
                    return place
    return 0 if side == "left" else len(daughters) - 1
