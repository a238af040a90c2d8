"""The signed statistics of the headline claims, named in ``data/specifications/clark2002.csv``.

Where a parser is scored, fifths of the test sentences are the replicates; statistics on our own sentences have none.
"""

from collections.abc import Mapping

from analysis.ccg import evaluate, treebank
from analysis.ccg.examples import MODIFIERS
from analysis.papers.clark2002.tables import LISTS
from analysis.papers.recipe import Evidence

_PARSEVAL, _FIRST, _SECOND = "Parseval", "tree dependencies", "predicate-argument dependencies"
#: Recall of each evaluation with labels and without.
_RECALLS = {
    "labelled": dict.fromkeys((_PARSEVAL, _FIRST, _SECOND), "labelled recall"),
    "unlabelled": {_PARSEVAL: "bracketed recall", _FIRST: "unlabelled recall", _SECOND: "unlabelled recall"},
}
_DOGS, _PARKS = ("NP", ("N", "dogs")), ("NP", ("N", "parks"))
_PP = ("PP", ("PP/NP", "in"), _PARKS)
_VERBAL, _NOMINAL = r"(S\NP)\(S\NP)", r"N\N"
#: The same words with a prepositional phrase as a complement and as an adjunct, of a verb and of a noun.
COMPLEMENT_OR_ADJUNCT = {
    "verb": (("S[dcl]", _DOGS, (r"S[dcl]\NP", (r"(S[dcl]\NP)/PP", "live"), _PP)),
             ("S[dcl]", _DOGS, (r"S[dcl]\NP", (r"S[dcl]\NP", "live"), (_VERBAL, (f"({_VERBAL})/NP", "in"), _PARKS)))),
    "noun": (("S[dcl]", ("NP", ("N", ("N/PP", "life"), _PP)), (r"S[dcl]\NP", "ends")),
             ("S[dcl]", ("NP", ("N", ("N", "life"), (_NOMINAL, (f"({_NOMINAL})/NP", "in"), _PARKS))),
              (r"S[dcl]\NP", "ends"))),
}  # fmt: skip
#: Two derivations of one meaning: a list of three, and a verb phrase with modifiers on both sides.
_AMBIGUITIES = {"list": LISTS, "modifiers": MODIFIERS}


def _gap(of: Evidence, one: str, other: str, labels: str, parser: str, heads: str, marks: bool) -> dict[str, float]:
    """Recall of one evaluation minus that of another in points, by fifth of the test sentences."""
    names = _RECALLS[labels]
    fifths = of("fifths", system=parser, heads=heads, punctuation=marks)
    return {str(number): 100 * (float(found[one].score(names[one])) - float(found[other].score(names[other])))
            for number, found in enumerate(fifths)}  # fmt: skip


def trees_over_parseval(
    of: Evidence,
    labels: str = "labelled",
    parser: str = "normal-form parser",
    heads: str = "auto",
    marks: bool = False,
) -> Mapping[str, float]:
    """By how many points the recall of evaluation 1 is above that of Parseval."""
    return _gap(of, _FIRST, _PARSEVAL, labels, parser, heads, marks)


def close(
    of: Evidence,
    within: float = 2.0,
    parser: str = "normal-form parser",
    heads: str = "auto",
    marks: bool = False,
) -> Mapping[str, float]:
    """How far the difference of the unlabelled recalls of evaluations 1 and 2 is below a bound, in points."""
    gaps = _gap(of, _FIRST, _SECOND, "unlabelled", parser, heads, marks)
    return {name: within - abs(gap) for name, gap in gaps.items()}


def _losses(gold: tuple, output: tuple, labels: str, heads: str) -> dict[str, float]:
    """Loss of recall in points, by evaluation, if one derivation replaces another."""
    found = evaluate(treebank(gold), treebank(output), heads=heads, punctuation=False)  # type: ignore[arg-type]
    return {one.name: 100 * (1 - float(one.score(_RECALLS[labels][one.name]))) for one in found
            if one.name in _RECALLS[labels]}  # fmt: skip


def spared(
    of: Evidence,
    ambiguity: str = "modifiers",
    against: str = _PARSEVAL,
    labels: str = "labelled",
    heads: str = "rule",
    turned: bool = False,
) -> float:
    """How much less recall evaluation 2 loses than another on a second derivation of the same meaning, in points."""
    one, other = _AMBIGUITIES[ambiguity][:: -1 if turned else 1]
    lost = _losses(one, other, labels, heads)
    return lost[against] - lost[_SECOND]


def adjunct_costs(
    of: Evidence, phrase: str = "verb", against: str = _SECOND, heads: str = "rule", turned: bool = False
) -> float:
    """How much more recall labelled evaluation 1 loses than another if a complement is read as an adjunct, in
    points.
    """
    gold, output = COMPLEMENT_OR_ADJUNCT[phrase][:: -1 if turned else 1]
    lost = _losses(gold, output, "labelled", heads)
    return lost[_FIRST] - lost[against]
