"""The explorers for derivations."""

import pytest

from analysis import ccg, explore
from analysis.ccg.examples import MODIFIERS
from analysis.corpora.ccgbank import write_auto
from analysis.explore.derivations import VIEWS
from analysis.papers import clark2002

pytestmark = pytest.mark.thorough


@pytest.fixture(scope="module")
def explorer():
    return explore.two_derivations("nursery", sentences=120)


def test_the_scores_are_those_of_the_library(explorer):
    setting = clark2002.Setting(test_sentences=120)
    found = clark2002.evaluations(setting, clark2002.LEXICALISED)
    scores = explorer.value["scores"]
    for name, evaluation in found.items():
        part = scores[scores["evaluation"] == name]
        assert part["numerator"].tolist() == [score.numerator for score in evaluation.scores()]


def test_each_convention_moves_what_it_should_and_nothing_else():
    mark = explore.derivations_by_hand(
        ("S[dcl]", ("S[dcl]", ("NP", ("N", "dogs")), (r"S[dcl]\NP", "bark")), (".", ".")),
        ("S[dcl]", ("NP", ("N", "dogs")), (r"S[dcl]\NP", (r"S[dcl]\NP", "bark"), (".", "."))),
    )

    def count(measure, evaluation="Parseval"):
        scores = mark.value["scores"]
        row = scores[(scores["measure"] == measure) & (scores["evaluation"] == evaluation)].iloc[0]
        return row["numerator"], row["denominator"]

    assert count("labelled recall") == (2, 2)
    mark.set(level="never")
    assert count("labelled recall") == (2, 3)
    mark.set(level="same label", unary=False)
    assert count("labelled recall") == (1, 1)
    mark.set(unary=True, punctuation=True)
    assert count("labelled recall") == (2, 3)
    assert count("accuracy", "lexical categories") == (3, 3)
    assert count("labelled recall", "predicate-argument dependencies") == (1, 1)


def test_heads_and_direction_are_switches():
    hand = explore.derivations_by_hand(
        ("NP", ("NP/N", "the"), ("N", "cat")), ("NP", ("N", "the"), (r"NP\N", "cat"))
    )  # fmt: skip

    def count(measure, evaluation):
        scores = hand.value["scores"]
        row = scores[(scores["measure"] == measure) & (scores["evaluation"] == evaluation)].iloc[0]
        return row["numerator"]

    deep, local = "predicate-argument dependencies", "tree dependencies"
    assert (count("unlabelled recall", local), count("unlabelled recall", deep)) == (2, 1)
    hand.set(unlabelled="directed")
    assert (count("unlabelled recall", local), count("unlabelled recall", deep)) == (2, 0)
    hand.set(unlabelled="undirected")
    assert (count("unlabelled recall", local), count("unlabelled recall", deep)) == (2, 1)
    hand.set(heads="rule")
    assert hand.value["evaluations"]["tree dependencies"].conventions["heads"] == "rule"


@pytest.mark.parametrize("view", VIEWS)
def test_each_view_is_drawn_as_svg_with_a_text_alternative(explorer, view):
    explorer.set(view=view)
    assert explorer.error == ""
    picture = explorer._output.outputs[0]["data"]["text/html"]
    assert "data:image/svg+xml" in picture
    assert f'alt="{view} of ' in picture


def test_the_table_by_relation_is_sorted_as_asked(explorer):
    explorer.set(table="evaluation 2", sort="test")
    assert explorer.value["relations"]["test"].is_monotonic_decreasing
    assert "slot" in explorer.value["relations"]
    explorer.set(table="evaluation 1", sort="LR")
    assert explorer.value["relations"]["LR"].is_monotonic_decreasing


def test_a_sentence_without_a_parse_shows_the_gold_derivation(explorer):
    setting = clark2002.Setting(test_sentences=2000)
    output = clark2002.output(setting)
    failed = output.sentences.loc[output.sentences["status"] == "failed", "sentence"]
    many = explore.two_derivations("nursery", sentences=2000).set(sentence=int(failed.iloc[0]))
    assert many.error == ""
    assert "no derivation" in many.figure().axes[0].get_title()
    many.set(view="links of evaluation 2")
    assert many.error == ""


def test_the_exercise_of_section_5_1_can_be_done_by_hand():
    hand = explore.derivations_by_hand(*MODIFIERS)
    scores = hand.value["scores"].set_index(["evaluation", "measure"])["percent"]
    assert scores["Parseval", "labelled recall"] < 100
    assert scores["tree dependencies", "labelled recall"] == 100
    assert scores["predicate-argument dependencies", "labelled recall"] == 100


def test_a_tree_that_cannot_be_read_or_another_sentence_is_one_line():
    hand = explore.derivations_by_hand()
    hand.set(gold="(<T NP 0 2> (<L NP/N DT")
    assert "the line ends within" in hand.error
    hand.set(gold=write_auto(ccg.treebank(("NP", ("N", "dogs"))), ids=False))
    assert "do not align" in hand.error
