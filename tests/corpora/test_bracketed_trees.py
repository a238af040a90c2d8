"""Phrase-structure trees."""

import pytest

from analysis.corpora.bracketed_trees import read_bracketed_trees
from analysis.corpora.penn_trees import read_penn_trees
from analysis.structures import DataError


def test_penn_trees_have_any_number_of_daughters():
    bank = read_bracketed_trees(b"( (S (NP (DT the) (JJ big) (NN cat)) (VP (VBD sat))) )\n(NP (NN cat))\n")
    assert bank.nodes[["category", "start", "end"]].values.tolist()[:2] == [["S", 0, 4], ["NP", 0, 3]]
    assert bank.tokens["form"].tolist() == ["the", "big", "cat", "sat", "cat"]
    with pytest.raises(DataError):
        read_bracketed_trees(b"(S (NP (NN cat)")


SPOILT = {
    "(NP (NN cat)\n": "1 brackets are not closed",
    "(NP (NN cat)))\n": "a closing bracket has no opening bracket",
    "(NP cat dog)\n": "the word 'dog' has no bracket of its own",
    "(NP\n": "1 brackets are not closed",
    "(S (NN a))\nFAILED\n": "'FAILED' is outside of brackets",
}


@pytest.mark.parametrize("spoilt", SPOILT)
def test_a_lax_reading_leaves_out_trees_with_a_defect_and_lists_them(spoilt):
    text = "(S\n (NN one))\n" + spoilt + "( (S (NN two)) )\n(S (NN three))\n"
    with pytest.raises(DataError, match=r"text, line \d: .*"):
        read_bracketed_trees(text)
    bank, penn = read_bracketed_trees(text, strict=False), read_penn_trees(text, strict=False)
    more = ["a"] if "FAILED" in spoilt or ")))" in spoilt else []
    assert [form for form in bank.tokens["form"] if form not in ("a", "cat")] == ["one", "two", "three"]
    assert penn.tokens["form"].tolist() == bank.tokens["form"].tolist()
    assert bank.sentences["status"].tolist().count("failed") == 1 == (penn.sentences["words"] == 0).sum()
    assert bank.incidents["found"].tolist() == penn.incidents["found"].tolist()
    assert len(bank.sentences) == len(penn.sentences) == 4 + len(more)
    assert SPOILT[spoilt].split(" ", 1)[1] in bank.incidents["found"].iloc[0]
    assert set(bank.tokens["sentence"]) == set(bank.nodes["sentence"]) == set(penn.tokens["sentence"])


def test_trees_that_do_not_begin_their_lines_are_read_whole_or_refused():
    text = "(S\n(NP\n(NN one)\n)\n)\n" * 3
    assert len(read_bracketed_trees(text, strict=False).sentences) == 3
    for read in (read_bracketed_trees, read_penn_trees):
        with pytest.raises(DataError, match="brackets are not closed"):
            read(text.replace(")\n)\n", "\n\n"), strict=False)


def test_many_open_brackets_are_read_in_one_pass():
    text = "(S (NN a))\n" * 3000 + "(S (NN a)\n" * 2000
    assert (read_bracketed_trees(text, strict=False).sentences["status"] == "failed").sum() == 2000
