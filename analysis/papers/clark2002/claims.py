"""Quantities that the claims of the paper are about: one function each, named in ``data/claims/clark2002.csv``."""

from analysis.ccg import equivalent_derivations, evaluate, treebank
from analysis.ccg.models import NormalFormParser
from analysis.papers.clark2002.example import example_evaluations
from analysis.papers.clark2002.headlines import COMPLEMENT_OR_ADJUNCT
from analysis.papers.clark2002.setting import TEST_SECTION, TRAIN_SECTIONS, Setting
from analysis.papers.clark2002.tables import list_scores, relations_seen
from analysis.papers.recipe import Evidence
from analysis.structures.derivation import join


def section(setting: Setting, which: str) -> float:
    """A section of CCGbank."""
    return float({"first": TRAIN_SECTIONS[0], "last": TRAIN_SECTIONS[-1], "test": TEST_SECTION}[which])


def equivalent(of: Evidence, evaluation: str) -> dict[str, float]:
    """Labelled recall of one of two equivalent derivations against the other."""
    found = {one.name: one for one in evaluate(*equivalent_derivations(), heads="rule", punctuation=False)}
    return {name.strip(): float(found[name.strip()].score("labelled recall")) for name in evaluation.split(",")}


#: A sentence by application alone, and by type-raising and composition.
_SPURIOUS = (
    ("S[dcl]", ("NP", "Tom"), (r"S[dcl]\NP", (r"(S[dcl]\NP)/NP", "saw"), ("NP", "Ann"))),
    ("S[dcl]", ("S[dcl]/NP", (r"S/(S\NP)", ("NP", "Tom")), (r"(S[dcl]\NP)/NP", "saw")), ("NP", "Ann")),
)


def spurious(of: Evidence, evaluation: str) -> dict[str, float]:
    """Labelled recall of the one derivation of a sentence against the other."""
    gold, output = (treebank(one) for one in _SPURIOUS)
    found = {one.name: one for one in evaluate(gold, output, heads="rule", punctuation=False)}
    return {name.strip(): float(found[name.strip()].score("labelled recall")) for name in evaluation.split(",")}


def spoiled(of: Evidence) -> dict[str, float]:
    """Labelled tree dependencies that are lost if one complement is read as an adjunct, of a verb and of a noun."""
    lost = {}
    for phrase, pair in COMPLEMENT_OR_ADJUNCT.items():
        found = {one.name: one for one in evaluate(*map(treebank, pair), heads="rule", punctuation=False)}
        recall = found["tree dependencies"].score("labelled recall")
        lost[phrase] = float(recall.denominator or 0) - float(recall.numerator or 0)
    return lost


def probability_difference(of: Evidence) -> float:
    """Difference of the log probabilities of two equivalent derivations under the lexicalised parser."""
    both = join(equivalent_derivations())
    first, second = NormalFormParser(lexicalised=True, rare=1).fit(both).log_probability(both).tolist()
    return first - second


def lists(of: Evidence) -> dict[str, float]:
    """Labelled recall of the dependency evaluations for a list in two bracketings."""
    return dict(list_scores().set_index("evaluation")["labelled_recall"].drop("Parseval"))


def dependencies_a_word(of: Evidence) -> float:
    """Number of tree dependencies divided by the number of words without punctuation, per sentence."""
    found = of("evaluations")
    words = found["lexical categories"].sentences["gold"]
    return float((found["tree dependencies"].sentences["gold"] / words).mean())


def trees_over_brackets(of: Evidence) -> dict[str, float]:
    """By how much the recall of tree dependencies exceeds that of brackets, with the best available parser."""
    found, pairs = of("evaluations"), {"labelled": "labelled recall", "unlabelled": "bracketed recall"}
    return {
        name: float(found["tree dependencies"].score(f"{name} recall")) - float(found["Parseval"].score(bracket))
        for name, bracket in pairs.items()
    }


def has_and_that(of: Evidence) -> list[str]:
    """Whether the worked example has the dependency of *has* and the category of *has* right."""
    found = example_evaluations()
    dependency = found["tree dependencies"].items.query("side == 'predicted' and dependent == 5")
    category = found["lexical categories"].items.query("position == 5")
    return ["right" if bool(items["matched"].iloc[0]) else "wrong" for items in (dependency, category)]


def seen(of: Evidence, relations: str) -> list[str]:
    """Which relations an evaluation represents: ``object in situ 1`` is the object in situ in evaluation 1."""
    table = relations_seen()
    table = table.set_index(table["relation"].str.replace(",", ""))
    asked = [relation.strip().rsplit(" ", 1) for relation in relations.split(",")]
    return ["none" if table.loc[name, f"evaluation_{number}"] == "none" else "seen" for name, number in asked]


def postmodifiers(of: Evidence) -> list[str]:
    """How many relations a preposition and a relative clause have in each evaluation."""
    table = relations_seen().set_index("relation")
    rows = table.loc[["attachment of a prepositional phrase", "attachment of a relative clause"]]
    return [str(rows[f"evaluation_{number}"].nunique()) for number in (1, 2)]
