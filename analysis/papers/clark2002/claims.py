"""Every number of the paper's text, and each claim of it, with a verdict."""

from typing import Any

import pandas as pd

from analysis.ccg import equivalent_derivations, parseval, predicate_argument_dependencies, tree_dependencies, treebank
from analysis.ccg.models import NormalFormParser
from analysis.papers.clark2002.example import SLIP, example_evaluations, example_scores, subjects_of_john, table1
from analysis.papers.clark2002.setting import (
    LEXICALISED,
    TEST_SECTION,
    TRAIN_SECTIONS,
    Setting,
    evaluations,
    make_setting,
)
from analysis.papers.clark2002.tables import implied_numbers, relations_seen, table4
from analysis.papers.comparison import Claim, claims_table, printed
from analysis.structures.derivation import join

_CAT, _DOG, _COW = (("NP", ("N", word)) for word in ("cats", "dogs", "cows"))
_SLEEP = (r"S[dcl]\NP", "sleep")

#: *cats, dogs and cows sleep*, with the list bracketed to the right and to the left.
LISTS = (
    ("S[dcl]",
        ("NP", _CAT, ("NP[conj]", (",", ","), ("NP", _DOG, ("NP[conj]", ("conj", "and"), _COW)))), _SLEEP),
    ("S[dcl]",
        ("NP", ("NP", _CAT, ("NP[conj]", (",", ","), _DOG)), ("NP[conj]", ("conj", "and"), _COW)), _SLEEP),
)  # fmt: skip


def claims(setting: Setting | None = None, **choices: Any) -> pd.DataFrame:
    """Judge every row of ``facts.csv`` and each claim of the text: same, different, or not testable, and why.

    Parameters
    ----------
    setting, **choices
        As in `analysis.papers.clark2002.tables.table2`; the project's lexicalised parser is judged.

    Returns
    -------
    DataFrame
        ``id``, ``claim``, ``printed``, ``recomputed``, ``tolerance``, ``verdict``, ``why``.
    """
    chosen = make_setting(setting, choices)
    return claims_table([*_facts(chosen), *_text(chosen), *_printed_tables()])


def _facts(setting: Setting) -> list[Claim]:
    facts = printed("clark2002", "facts").set_index("id")

    def fact(id: str, recomputed: float | None, tolerance: float = 0.0, why: str = "") -> Claim:
        row = facts.loc[id]
        return Claim(id, str(row["quantity"]), float(row["value"]), recomputed, tolerance, why)

    found = example_evaluations()["Parseval"]
    counts = found.sentences.iloc[0]
    relations = table4(setting)
    gold = relations[relations["ref"] > 0]
    theirs = printed("clark2002", "table2_results").set_index(["evaluation", "measure"])["value"]
    real = setting.corpus == "ccgbank"
    here = f"of CCGbank; {setting.corpus} has {{:,}} {{}}"
    others = "a number of Collins (1999): his parser's output on section 23 is not at hand"
    return [
        fact("C01", TRAIN_SECTIONS[0]),
        fact("C02", TRAIN_SECTIONS[-1]),
        fact("C03", TEST_SECTION),
        fact("C04", int(counts["gold"])),
        fact("C05", int(counts["matched"])),
        fact("C06", int(counts["predicted"])),
        fact("C07", None, why=here.format(gold["functor"].nunique(), "functor categories with slots in its test part")),
        fact(
            "C08",
            float(len(gold)) if real else None,
            100,
            "section 23 alone need not hold all relations" if real else here.format(len(gold), "relations"),
        ),
        fact("C09", None, why="the scheme of Carroll et al. (1998), not part of this evaluation"),
        fact("C10", None, why=others),
        fact("C11", None, why=others),
        fact("C12", float(theirs["dependency evaluation 1", "UR"])),
        fact("C13", None, why=others),
        fact("C14", None, why=others),
        fact("C15", len(subjects_of_john())),
    ]


def _text(setting: Setting) -> list[Claim]:
    found = evaluations(setting, LEXICALISED)
    where = f"the project's parser on {setting.corpus}"

    def value(evaluation: str, measure: str) -> float:
        return 100 * float(found[evaluation].score(measure))

    labelled = value("tree dependencies", "labelled recall"), value("Parseval", "labelled recall")
    unlabelled = value("tree dependencies", "unlabelled recall"), value("Parseval", "bracketed recall")
    words = found["tree dependencies"].sentences
    kept = found["lexical categories"].sentences["gold"]
    one_a_word = bool((words["gold"] == kept).all())
    seen = relations_seen().set_index("relation")
    postmodifiers = seen.loc[["attachment of a prepositional phrase", "attachment of a relative clause"]]
    one, other = equivalent_derivations()
    brackets = parseval(one, other, punctuation=False).score("labelled recall")
    trees = tree_dependencies(one, other, heads="rule", punctuation=False).score("labelled recall")
    deep = predicate_argument_dependencies(one, other).score("labelled recall")
    right, left = (treebank(tree) for tree in LISTS)
    lists = {
        "Parseval": parseval(right, left, punctuation=False).score("labelled recall"),
        "evaluation 1": tree_dependencies(right, left, heads="rule", punctuation=False).score("labelled recall"),
        "evaluation 2": predicate_argument_dependencies(right, left).score("labelled recall"),
    }
    model = NormalFormParser(lexicalised=True, rare=1).fit(join([one, other]))
    first, second = model.log_probability(join([one, other])).tolist()
    example = example_evaluations()
    of_has = example["tree dependencies"].items.query("side == 'predicted' and dependent == 5")
    category = example["lexical categories"].items.query("position == 5")
    return [
        Claim(
            "T01",
            "derivations that differ in the order of a left and a right modifier differ in Parseval",
            "not taken into account",
            f"labelled recall {brackets.numerator}/{brackets.denominator}",
            holds=float(brackets) < 1,
        ),
        Claim(
            "T02",
            "both dependency evaluations give the same for such derivations",
            "the same dependencies",
            f"evaluation 1 {trees.numerator}/{trees.denominator}, evaluation 2 {deep.numerator}/{deep.denominator}",
            holds=float(trees) == 1 and float(deep) == 1,
        ),
        Claim(
            "T03",
            "a model of local trees gives such derivations the same probability, the lexicalised parser too",
            "equivalent",
            f"log probabilities {first:.6f} and {second:.6f}",
            holds=abs(first - second) < 1e-9,
        ),
        Claim(
            "T04",
            "lists of more than two conjuncts: Parseval depends on the bracketing, the dependency evaluations do not",
            "the same dependencies",
            "; ".join(f"{name} {score.numerator}/{score.denominator}" for name, score in lists.items()),
            holds=float(lists["evaluation 1"]) == 1 and float(lists["evaluation 2"]) == 1,
            why="true of evaluation 2 only: in evaluation 1 the last conjunct depends on the second or on the first",
        ),
        Claim(
            "T05",
            "a tree dependency a word",
            "identical to the number of words",
            f"{int(words['gold'].sum()):,} dependencies, {int(kept.sum()):,} words without punctuation",
            holds=one_a_word,
        ),
        Claim(
            "T06",
            "tree dependencies score higher than Parseval, labelled and unlabelled",
            "84.0 > 81.9, 90.1 > 85.9",
            f"{labelled[0]:.1f} and {labelled[1]:.1f}, {unlabelled[0]:.1f} and {unlabelled[1]:.1f}",
            holds=labelled[0] > labelled[1] and unlabelled[0] > unlabelled[1],
            why=f"{where}: not both are higher here; failed parses and another tree shape weigh on the two unequally",
        ),
        Claim(
            "T07",
            "the tree dependency between 'has' and 'that' is right although the category of 'has' is wrong",
            "correct",
            f"dependency {'right' if bool(of_has['matched'].iloc[0]) else 'wrong'}, "
            f"category {category['predicted'].iloc[0]} for {category['category'].iloc[0]}",
            holds=bool(of_has["matched"].iloc[0]) and not bool(category["matched"].iloc[0]),
        ),
        Claim(
            "T08",
            "evaluation 1 sees objects in situ only; in evaluation 2 the extracted object is the same relation",
            "only non-extracted cases",
            f"extracted: {seen.loc['object, extracted', 'evaluation_1']} in 1, "
            f"{seen.loc['object, extracted', 'evaluation_2']} in 2",
            holds=seen.loc["object, extracted", "evaluation_1"] == "none"
            and seen.loc["object, extracted", "evaluation_2"] != "none"
            and seen.loc["object in situ", "evaluation_1"] != "none",
        ),
        Claim(
            "T09",
            "the head of the sentence and coordination are relations of evaluation 1 and not of evaluation 2",
            "separate relation; not represented explicitly",
            f"coordination: {seen.loc['coordination', 'evaluation_1']} in 1, "
            f"{seen.loc['coordination', 'evaluation_2']} in 2",
            holds=all(
                seen.loc[name, "evaluation_1"] != "none" and seen.loc[name, "evaluation_2"] == "none"
                for name in ("head of the sentence", "coordination")
            ),
        ),
        Claim(
            "T10",
            "evaluation 2 tells prepositions from other modifiers of nouns; evaluation 1 sees postmodifiers only",
            "how well nominal prepositions have been recovered",
            f"preposition and relative clause: {' and '.join(postmodifiers['evaluation_1'])} in 1, "
            f"{' and '.join(postmodifiers['evaluation_2'])} in 2",
            holds=postmodifiers["evaluation_1"].nunique() == 1 and postmodifiers["evaluation_2"].nunique() == 2,
        ),
        Claim(
            "T11",
            "Penn trees have far fewer brackets than CCG derivations",
            "very flat",
            None,
            why="needs the same sentences in both annotations: CCGbank and the Penn Treebank are not at hand",
        ),
    ]


def _printed_tables() -> list[Claim]:
    implied = implied_numbers()
    scores = implied["F_same"].dropna()
    wrong = implied[~implied["consistent"]]
    example = example_scores()
    dependencies = table1()
    slips = dependencies[~dependencies["same"]]
    return [
        Claim(
            "P01",
            "every F-score of Table 4 is 2 LP LR / (LP + LR)",
            "19 of 19",
            f"{int(scores.sum())} of {len(scores)}",
            holds=bool(scores.all()),
        ),
        Claim(
            "P02",
            "every relation of Tables 3 and 4 has a whole number of correct dependencies",
            "25 of 25",
            f"{int(implied['consistent'].sum())} of {len(implied)}; not {' and '.join(wrong['relation'])}",
            holds=wrong.empty,
            why="no whole number fits both LP of #test and LR of #ref in these rows of Table 3: "
            + "; ".join(f"{row.relation}: {row.fits_LP} by LP, {row.fits_LR} by LR" for row in wrong.itertuples()),
        ),
        Claim(
            "P03",
            "the scores of the worked example follow from its trees",
            f"{len(example)} of {len(example)}",
            f"{int(example['same'].sum())} of {len(example)}",
            holds=bool(example["same"].all()),
        ),
        Claim(
            "P04",
            "Table 1 lists the dependencies of the trees of Figure 2",
            "13 of 13",
            f"{len(dependencies)} found, {int(dependencies['same'].sum())} with the printed category",
            holds=slips.empty,
            why=f"a slip in all {len(slips)} rows of 'that': printed {SLIP[0]}, an object relative needs {SLIP[1]}",
        ),
    ]
