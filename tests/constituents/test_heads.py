"""Heads of phrases: a hand-made phrase for every parent of the table, each search of noun phrases, coordination."""

from itertools import pairwise

import pytest

from analysis.constituents.heads import DEFAULT, HEAD_TABLE, head_daughter

#: Parent, daughters with the head in brackets.
PHRASES = [
    ("ADJP", "RB [JJ]"), ("ADJP", "[NNS] JJ"), ("ADJP", "[JJ] PP"),
    ("ADVP", "RB [RB]"), ("ADVP", "NP [RB]"), ("ADVP", "[IN] NP"),
    ("CONJP", "RB [CC]"), ("CONJP", "[RB] IN"),
    ("FRAG", "NP [PP]"), ("INTJ", "[UH] NN"), ("LST", "[LS] :"),
    ("NAC", "[NNP] NNP PP"), ("NAC", "NNP [NN]"),
    ("PP", "[IN] NP"), ("PP", "ADVP [TO] NP"), ("PP", "[VBG] PP"), ("PP", "VBG [TO] NP"),
    ("PRN", "[S] NP"), ("PRT", "[RP]"),
    ("QP", "[RB] CD CD"), ("QP", "[CD] CD"), ("QP", "[$] CD CD"), ("QP", "JJR [IN] CD"),
    ("RRC", "ADVP [VP]"), ("RRC", "[NP] ADVP"),
    ("S", "NP [VP]"), ("S", "NP ADVP [VP] ."), ("S", "[S] CC S"), ("S", "NP [ADJP]"),
    ("SBAR", "[WHNP] S"), ("SBAR", "[IN] S"), ("SBAR", "ADVP [IN] S"), ("SBAR", "NP [S]"),
    ("SBARQ", "WHNP [SQ] ."), ("SINV", "S [VBZ] NP"), ("SINV", "S [VP] NP"), ("SQ", "[VBZ] NP VP"),
    ("UCP", "NP [ADJP]"),
    ("VP", "[VBD] NP"), ("VP", "[TO] VP"), ("VP", "[MD] VP"), ("VP", "ADVP [VBN] NP PP"), ("VP", "ADVP [VP]"),
    ("WHADJP", "[WRB] JJ"), ("WHADVP", "[WRB] RB"), ("WHNP", "[WDT] NN"), ("WHNP", "[WHADJP] NNS"),
    ("WHPP", "[IN] WHNP"),
    # the searches of noun phrases, in turn
    ("NP", "DT NN [NN]"), ("NP", "NNP [POS]"), ("NP", "[NNP] CD"), ("NP", "[NP] PP"), ("NP", "[NP] SBAR NP"),
    ("NP", "DT [ADJP]"), ("NP", "[$] CD"), ("NP", "DT [CD]"), ("NP", "DT [JJ]"), ("NP", "JJ [QP]"), ("NP", "VBG [PRP]"),
]  # fmt: skip


@pytest.mark.parametrize(("parent", "phrase"), PHRASES)
def test_the_head_of_a_phrase_is_that_of_the_published_table(parent, phrase):
    daughters = phrase.split()
    head = next(place for place, daughter in enumerate(daughters) if daughter.startswith("["))
    assert head_daughter(parent, [daughter.strip("[]") for daughter in daughters]) == head


def test_the_table_has_24_parents_and_each_has_a_phrase_here():
    assert len(HEAD_TABLE) == 24
    assert {parent for parent, _ in PHRASES} == set(HEAD_TABLE)


@pytest.mark.parametrize("parent", sorted(set(HEAD_TABLE) - {"NP"}))
def test_of_two_labels_of_a_list_the_earlier_wins_wherever_it_stands_and_ties_go_to_the_side(parent):
    ((side, _, labels),) = HEAD_TABLE[parent]
    for one, other in pairwise(labels):
        if ":" not in (one, other):
            assert head_daughter(parent, [one, other], coordination="table") == 0
            assert head_daughter(parent, [other, one], coordination="table") == 1
    for label in [*labels[:1], "XX"]:  # XX is in no list: the side decides
        found = head_daughter(parent, ["XX", label, label, label, "XX"], coordination="table")
        assert found == ({"left": 0, "right": 4} if label == "XX" else {"left": 1, "right": 3})[side]


def test_unlike_other_phrases_a_noun_phrase_takes_whichever_of_several_labels_comes_first():
    assert head_daughter("NP", ["NN", "NNS"]) == head_daughter("NP", ["NNS", "NN"]) == 1
    assert head_daughter("ADJP", ["NN", "NNS"]) == 1 and head_daughter("ADJP", ["NNS", "NN"]) == 0
    assert head_daughter("NP", ["NP", "PP", "NP"]) == 0  # noun phrases from the left


def test_the_first_conjunct_heads_a_coordination_but_for_a_flat_noun_phrase():
    assert head_daughter("PP", ["PP", ",", "PP", "CC", "PP"]) == 2  # moves once, over the conjunction
    assert head_daughter("PP", ["PP", ",", "CC", "PP"]) == 0  # punctuation does not count
    assert head_daughter("PP", ["PP", "CC", "PP"], coordination="table") == 2
    assert head_daughter("NP", ["NN", "CC", "NN"]) == 2
    assert head_daughter("NP", ["NP", "CC", "NP"]) == head_daughter("NP", ["NP", "CC", "NP"], coordination="table") == 0
    assert head_daughter("UCP", ["CC", "NP"]) == 1  # there is nothing before the conjunction


def test_punctuation_is_no_head_unless_there_is_nothing_else():
    assert head_daughter("FRAG", ["NP", "."]) == 0
    assert head_daughter("PRN", ["-LRB-", "NP", "-RRB-"]) == 1
    assert head_daughter("NP", [":", ":"]) == 1 and head_daughter("LST", [":"]) == 0


def test_the_leftmost_daughter_heads_other_phrases():
    assert DEFAULT == (("left", "any", ()),)
    assert head_daughter("X", ["JJ", "NN"]) == head_daughter("NX", ["JJ", "NN"]) == 0
    with pytest.raises(ValueError, match="no daughter"):
        head_daughter("NP", [])
    with pytest.raises(ValueError, match="coordination"):
        head_daughter("NP", ["NN"], coordination="last")
