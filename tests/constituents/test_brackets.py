"""Brackets as EVALB counts them: its printed numbers for ten sentences, and each convention by itself."""

from dataclasses import replace

import numpy as np
import pytest

from analysis.constituents import (
    CONVENTIONS,
    EVALB,
    BracketConventions,
    bracket_scores,
    read_parameters,
    scored_brackets,
)
from analysis.constituents.brackets import _crossing, in_common
from analysis.corpora.bracketed_trees import read_bracketed_trees, tree_a_line
from analysis.corpora.opening import open_text
from analysis.structures import DataError

HENS = "(S (NP (NNS hens)) (VP (VBP eat) (NP (NN corn)) (PP (IN at) (NP (NN noon)))))"
GOLD = f"""(S (NP-SBJ-1 (DT the) (NN hen)) (VP (VBZ sees) (NP (PRP it))) (. .))
(TOP (S (NP (DT the) (NN hen)) (VP (VBZ sees) (NP (PRP it))) (. .)))
{HENS.replace("PP", "PP-TMP")}
{HENS}
{HENS}
(S (NP-SBJ (-NONE- *T*-1)) (VP (VB look) (ADVP (RB up)) (, ,) (ADVP (RB now))))
(S (NP (NN corn)) (VP (VBZ is) (ADJP (JJ red))))
(S (NP (NN corn)) (VP (VBZ is) (ADJP (JJ red))))
(S (`` ``) (NP (NN corn)) (VP (VBZ is) (ADJP (JJ red))) ('' '') (. .))
(NP (NP (NN corn)) (CC and) (NP (NN hay)))
"""
TEST = """(S (NP (DT the) (NN hen)) (VP (VBZ sees) (NP (PRP it))) (. .))
(S (NP (DT the) (NN hen)) (VP (VBZ sees) (NP (PRP it))) (. .))
(S (NP (NNS hens)) (VP (VBP eat) (NP (NP (NN corn)) (PP (IN at) (NP (NN noon))))))
(S (NP (NNS hens)) (VP (VBP eat) (NN corn)) (PP (IN at) (NN noon)))

(S (VP (VB look) (PRT (RB up)) (, ,) (ADVP (JJ now))))
(S (NP (NN corn)) (VP (VBZ was) (ADJP (JJ red))))
(S (NP (NN corn) (VBZ is)) (VP (ADJP (JJ red))))
(S (`` ``) (NP (NN corn)) (VP (VBZ is) (ADJP (JJ red)) ('' '')) (. .))
(NP (NN corn) (CC and) (NN hay))
"""


def read(text):
    return read_bracketed_trees(text.encode(), by_line=True)


def scores(gold, test, conventions=EVALB):
    found = bracket_scores(read(gold), read(test), conventions)
    return {score.measure: (score.numerator, score.denominator) for score in found.scores()}


def test_ten_sentences_are_scored_as_evalb_prints_them():
    found = bracket_scores(read(GOLD), read(TEST))
    columns = ["matched", "gold", "predicted", "crossing", "tags", "words"]
    rows = found.sentences[columns].astype(int).values.tolist()
    assert rows[0] == rows[1] == [4, 4, 4, 0, 4, 4]
    assert rows[2:4] == [[6, 6, 7, 0, 5, 5], [3, 6, 4, 0, 5, 5]]
    assert rows[5] == [4, 4, 4, 0, 2, 3]
    assert rows[7:] == [[2, 4, 4, 1, 3, 3], [4, 4, 4, 0, 3, 3], [1, 3, 1, 0, 3, 3]]
    assert found.sentences["status"].tolist() == ["scored"] * 4 + ["dropped", "scored", "dropped"] + ["scored"] * 3
    printed = {score.measure: round(100 * float(score), 2) for score in found.scores()}
    assert [printed[f"labelled {name}"] for name in ("recall", "precision", "F1")] == [80.0, 87.5, 83.58]
    assert (printed["complete match"], printed["no crossing"], printed["average crossing"]) == (50.0, 87.5, 12.5)
    assert (found.score("tagging accuracy").numerator, found.score("tagging accuracy").denominator) == (29, 30)
    kinds = found.incidents["kind"].tolist()
    assert kinds == ["no parse", "other words"] and "'was', and 'is' in gold" in found.incidents["found"].iloc[1]


def test_what_evalb_leaves_out_may_count_in_recall():
    counted = BracketConventions(**(vars(EVALB) | {"failed": "count", "mismatch": "count"}))
    found = scores(GOLD, TEST, counted)
    assert found["labelled recall"] == (28, 45) and found["labelled precision"] == (28, 32)
    assert found["complete match"] == (4, 10) and found["tagging accuracy"] == (29, 38)
    assert found["average crossing"] == (1, 8)
    with pytest.raises(DataError, match=r"word 2 of sentence 7 \(gold line 7\) is 'was', and 'is' in gold"):
        scores(GOLD, TEST, BracketConventions(**(vars(EVALB) | {"mismatch": "refuse"})))


def test_each_convention_changes_what_it_says():
    gold, test = "(TOP (S (NP-SBJ (NN hen)) (ADVP (RB up))))", "(TOP (S (NP (NN hen)) (PRT (RB up))))"
    assert scores(gold, test)["labelled recall"] == (3, 3)
    assert scores(gold, test, CONVENTIONS["plain"])["labelled recall"] == (2, 4)
    kept = BracketConventions(delete_labels=("TOP",))
    assert scores(gold, test, kept)["labelled recall"] == (2, 3)
    unlabelled = BracketConventions(labelled=False)
    assert scores(gold, test, unlabelled)["bracketed recall"] == (4, 4)
    assert scores(gold, test.replace("hen", "Hen"), BracketConventions(equal_words=(("hen", "Hen"),)))[
        "labelled recall"
    ] == (3, 4)


def test_length_counts_words_but_not_traces():
    gold = "(S (-NONE- *) (VB look) (. .))\n(S (VB look) (RB up) (. .))"
    short = BracketConventions(**(vars(EVALB) | {"max_length": 2}))
    assert scores(gold, gold, short)["complete match"] == (1, 1)


def test_a_quotation_mark_that_one_side_deletes_stays_in_both():
    gold, test = "(S (NN corn) ('' '))", "(S (NN corn) (POS '))"
    assert scores(gold, test + "\n", EVALB)["complete match"][1] == 0
    quoted = BracketConventions(**(vars(EVALB) | {"quote_labels": ("''", "POS")}))
    assert scores(gold, test, quoted)["complete match"] == (1, 1)
    assert scores(gold, test, quoted)["tagging accuracy"] == (1, 2)


def test_the_usual_parameter_file_gives_the_usual_conventions():
    lines = ["##---##", "DEBUG 0", "MAX_ERROR 10", "CUTOFF_LEN 40", "LABELED 1", *(f"DELETE_LABEL {label}" for label
             in EVALB.delete_labels), "DELETE_LABEL_FOR_LENGTH -NONE-", "EQ_LABEL ADVP PRT", ""]  # fmt: skip
    assert read_parameters("\n".join(lines).encode()) == EVALB
    assert read_parameters("\n".join(lines).encode(), cutoff=True).max_length == 40
    with pytest.raises(DataError, match="line 1: the parameter is 'DELETE TOP'"):
        read_parameters(b"DELETE TOP\n")
    with pytest.raises(DataError, match="EQ_LABEL with two values"):
        read_parameters(b"EQ_LABEL ADVP\n")


def test_files_of_different_length_and_lines_of_two_trees_are_refused():
    with pytest.raises(DataError, match="2 sentences and the predicted one 1"):
        bracket_scores(read("(S (A a))\n(S (A a))\n"), read("(S (A a))\n"))
    with pytest.raises(DataError, match="the line has 2 trees"):
        read("(S (A a)) (S (B b))\n")
    assert not tree_a_line(open_text(b"( (S\n (A a)))\n"))


def test_counts_a_sentence_add_up_to_the_scores():
    gold, test = read(GOLD), read(TEST)
    found = bracket_scores(gold, test)
    scored = scored_brackets(found, gold)
    assert scored.n == 8 and scored.values()[0] == pytest.approx([float(score) for score in found.scores()])
    assert scored.data != scored_brackets(found, test).data


def test_trees_as_columns_score_as_the_tables_made_of_them():
    found = []
    for read_first in (False, True):
        gold, tests = read(GOLD), [read(TEST), read(TEST.replace("was", "is").replace("look", "see"))]
        tables = [table for bank in (gold, *tests) for table in (bank.nodes, bank.tokens)] if read_first else []
        assert {str(kind) for table in tables for kind in table.dtypes} <= {"int64", "str"}
        each = [bracket_scores(gold, test, replace(EVALB, max_length=4)) for test in tests]
        if read_first:  # too long are 1 to 5 and 9; the words of 7 differ in the one, of 6 in the other
            assert [one.sentences["status"].tolist().count("dropped") for one in each] == [7, 7]
        common = in_common(each)
        assert common[0].parts["sentences scored"] == 2
        found.append([(repr(one), one.parts, scored_brackets(one, gold).data) for one in each + common])
        assert {str(kind) for kind in common[0].sentences.drop(columns=["id", "status"]).dtypes} == {"int64"}
    assert found[0] == found[1]
    assert len({data for _, _, data in found[0]}) == 3


def test_crossing_brackets_are_counted_pair_by_pair():
    generator = np.random.default_rng(0)
    sides = [
        [np.sort(generator.integers(0, 30, 400)), start := generator.integers(0, 9, 400),
         start + generator.integers(1, 5, 400)]
        for _ in range(2)
    ]  # fmt: skip
    expected = [0] * 30
    for sentence, start, end in zip(*sides[1], strict=True):
        expected[sentence] += any(
            of == sentence and (first < start < last < end or start < first < end < last)
            for of, first, last in zip(*sides[0], strict=True)
        )
    assert _crossing(sides, 30).tolist() == expected
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("analysis.constituents.brackets._PAIRS_AT_ONCE", 7)
        assert _crossing(sides, 30).tolist() == expected
