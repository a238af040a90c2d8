import pandas as pd
import pytest

from analysis.corpora.language import with_penn_tags
from analysis.dependencies import rehead


def table(words):
    rows = [word.split("/") for word in words.split()]
    tokens = pd.DataFrame(rows, columns=["form", "fine", "head", "relation"]).astype({"head": "int64"})
    return tokens.assign(sentence=0, position=range(1, len(rows) + 1))


@pytest.mark.parametrize(
    ("words", "standard", "heads"),
    [
        ("sand/n/2/SUBJ is/v:cop/0/ROOT for/prep/2/PRED Mummy/n:fam/3/POBJ", "conll2007", [2, 0, 2, 3]),
        ("sand/n/2/SUBJ is/v:cop/0/ROOT for/prep/2/PRED Mummy/n:fam/3/POBJ", "oldLTH", [2, 0, 4, 2]),
        ("bags/n/0/ROOT or/coord/3/CC ears/n/1/COORD", "conll2007", [0, 1, 1]),
        ("bags/n/0/ROOT or/coord/3/CC ears/n/1/COORD", "standard", [0, 1, 2]),
        ("bags/n/0/ROOT or/coord/3/CC ears/n/1/COORD", "functional", [2, 0, 2]),
        ("I/pro:sub/2/SUBJ can/mod/0/ROOT see/v/2/VC it/pro/3/OBJ", "conll2007", [2, 0, 2, 3]),
        ("I/pro:sub/2/SUBJ can/mod/0/ROOT see/v/2/VC it/pro/3/OBJ", "lexical", [3, 3, 0, 3]),
        ("go/v/0/ROOT if/conj/1/MOD it/pro/4/SUBJ rains/v/2/COMP", "functional", [0, 1, 4, 2]),
        ("go/v/0/ROOT if/conj/1/MOD it/pro/4/SUBJ rains/v/2/COMP", "lexical", [0, 4, 4, 1]),
    ],
)
def test_conversions_of_the_built_in_language_by_hand(words, standard, heads):
    assert rehead(with_penn_tags(table(words)), standard)["head"].tolist() == heads


@pytest.mark.parametrize(
    ("word", "tag"),
    [("he/pro:sub", "PRP"), ("my/pro:poss:det", "PRP$"), ("there/adv:loc", "RB"), ("where/adv:wh", "WRB"),
     ("going/part", "VBG"), ("GOING/part", "VBG"), ("gone/part", "VBN"), ("sees/v", "VBP"), ("oh/co", "XX")],
)  # fmt: skip
def test_a_word_has_the_tag_of_the_penn_treebank_that_the_rules_know(word, tag):
    assert with_penn_tags(table(f"{word}/0/ROOT"))["fine"].tolist() == [tag]


def test_a_verb_is_a_base_form_only_below_a_modal_or_to():
    tokens = table("see/v/0/ROOT want/v/0/ROOT to/inf/2/VC go/v/3/INF can/mod/0/ROOT see/v/5/VC")
    assert with_penn_tags(tokens)["fine"].tolist() == ["VBP", "VBP", "TO", "VB", "MD", "VB"]


def test_a_conjunction_that_heads_nothing_of_a_coordination_stays_where_it_is():
    assert with_penn_tags(table("and/coord/2/CC go/v/0/ROOT"))["head"].tolist() == [2, 0]
