import numpy as np
import pandas as pd
import pytest
from hypothesis import given

from analysis.dependencies import (
    CONVENTIONS,
    attachment_scores,
    bootstrap_intervals,
    compare_conventions,
    compare_standards,
    rename_relations,
    scores_by,
    scores_by_length,
    scores_by_relation,
    scores_by_sentence_length,
    sentence_counts_by,
    table6_relations,
)
from analysis.dependencies.breakdowns import costliest_pairs, score_breakdowns
from analysis.dependencies.models.named import tags_of
from tests.dependencies.trees import cases, table

UD = ["nsubj:pass", "root", "punct", "obj", "cc", "conj", "amod", "case"]


def example():
    gold = table([2, 0, 2, 2, 6, 4, 6, 4], relation=UD, punctuation=[label == "punct" for label in UD])
    return gold, attachment_scores(gold, [2, 0, 2, 6, 4, 2, 6, 4], punctuation=False)


def cells(frame, label, measure="directed"):
    rows = frame[frame["measure"] == measure]
    return {row[label]: (row["numerator"], row["denominator"]) for _, row in rows.iterrows()}


def test_accuracy_by_relation_of_table_6():
    _, scores = example()
    found = cells(scores_by_relation(scores), "relation")
    assert found == {"ROOT": (1, 1), "SBJ": (1, 1), "OBJ": (0, 1), "NMOD": (1, 1), "COORD": (0, 1), "CC": (0, 1)}
    assert cells(scores_by_relation(scores), "relation", "NED")["CC"] == (1, 1)  # under its gold grandparent
    assert cells(scores_by_relation(scores), "relation", "undirected")["OBJ"] == (1, 1)  # word 6 is its child in gold


def test_relations_as_they_are_keep_their_subtypes():
    _, scores = example()
    found = cells(scores_by_relation(scores, scheme=None), "relation")
    assert found["nsubj:pass"] == (1, 1)
    assert found["ROOT"] == (1, 1)
    assert "punct" not in found


def test_relations_are_demanded_where_there_are_none():
    gold = table([0, 1])
    with pytest.raises(ValueError, match="gold has no column 'relation'"):
        scores_by_relation(attachment_scores(gold, gold))


def test_a_root_is_known_by_its_head_not_by_its_label():
    labels = table6_relations(["SBJ", "ROOT", "ROOT"], np.array([True, True, False]))
    assert labels.codes.tolist() == [0, 0, -1]


def test_length_is_counted_without_punctuation():
    gold = table([0, 1, 1, 1], punctuation=[False, True, False, False])
    scores = attachment_scores(gold, [0, 1, 1, 3], punctuation=False)
    assert scores.tokens["distance"].tolist() == [pd.NA, pd.NA, 1, 2]
    assert cells(scores_by_length(scores, [1, 2, 3]), "length") == {1: (1, 1), 2: (0, 1), 3: (0, 0)}
    table_ = scores_by_length(scores)
    assert table_["length"].unique().tolist() == list(range(1, 10))
    assert table_[table_["length"] == 3]["value"].isna().all()


def test_sentences_are_grouped_by_their_length_with_or_without_punctuation():
    gold = table([0, 1, 1], [0], [0, 1], punctuation=[False, False, True, False, False, False])
    scores = attachment_scores(gold, [0, 1, 1, 0, 2, 0], punctuation=False)
    assert cells(scores_by_sentence_length(scores), "sentence_length") == {1: (1, 1), 2: (0, 2), 3: (2, 2)}
    assert cells(scores_by_sentence_length(scores, punctuation=False), "sentence_length") == {1: (1, 1), 2: (2, 4)}
    grouped = scores_by_sentence_length(scores, [1, 2])
    assert grouped["sentence_length"].tolist() == [1, 1, 1, 2, 2, 2, pd.NA, pd.NA, pd.NA]
    assert grouped["sentences"].tolist() == [1] * 9


@given(cases())
def test_the_parts_of_a_breakdown_add_up_to_the_whole(case):
    gold, predicted, marks = case
    tokens = table(*gold, punctuation=np.concatenate(marks))
    tokens["fine"] = [f"tag{i % 3}" for i in range(len(tokens))]
    scores = attachment_scores(tokens, np.concatenate(predicted), punctuation=False)
    for frame in (scores_by(scores, "fine"), scores_by_sentence_length(scores), scores_by_sentence_length(scores, [3])):
        for score in scores.scores():
            rows = frame[frame["measure"] == score.measure]
            assert (rows["numerator"].sum(), rows["denominator"].sum()) == (score.numerator, score.denominator)


def test_tags_may_be_given_as_an_array_and_missing_ones_are_left_out():
    gold = table([0, 1, 1])
    scores = attachment_scores(gold, gold, punctuation=True)
    assert cells(scores_by(scores, ["a", None, "b"]), "label") == {"a": (1, 1), "b": (1, 1)}
    with pytest.raises(ValueError, match="there are 1 labels and 3 gold tokens"):
        scores_by(scores, ["a"])
    with pytest.raises(ValueError, match="gold lacks the column 'tag'"):
        scores_by(scores, "tag")


def test_the_best_of_several_standards_is_the_highest_of_each_system():
    one, two = table([0, 1, 2]), table([2, 0, 2])
    found = compare_standards({"one": one, "two": two}, {"A": [0, 1, 2], "B": [2, 0, 1]}, punctuation=True)
    best = found[(found["standard"] == "best") & (found["measure"] == "directed")].set_index("system")
    assert best["of"].to_dict() == {"A": "one", "B": "two"}
    assert best["numerator"].to_dict() == {"A": 3, "B": 2}
    assert len(found) == 2 * 3 * 3


def test_of_equally_good_standards_the_first_is_the_best():
    gold = table([2, 0])
    best = compare_standards({"one": gold, "two": gold}, {"RB": [2, 0]}).query("standard == 'best'")
    assert best["of"].tolist() == ["one"] * len(best)


def test_labels_come_by_frequency_and_equally_frequent_ones_as_they_appear():
    scores = attachment_scores(table([0, 1, 1, 1, 1]), [0, 1, 1, 1, 1])
    by = scores_by(scores, list("CABBD"), name="tag").query("measure == 'directed'")
    assert by["tag"].tolist() == ["B", "C", "A", "D"]


def test_without_a_scored_token_no_standard_is_best():
    gold = table([0], forms=["!"])
    found = compare_standards({"one": gold}, {"A": [0]}, punctuation=False)
    best = found[found["standard"] == "best"]
    assert best["value"].isna().all()
    assert (best["of"] == "").all()
    with pytest.raises(ValueError, match="no gold standard"):
        compare_standards({}, {"A": [0]})


def test_counts_of_a_label_add_up_to_its_scores_and_keep_sentences_without_it():
    gold = table([2, 0, 1], [0, 1], [0], punctuation=[False, False, False, False, False, True])
    scores = attachment_scores(gold, [2, 0, 2, 2, 0, 0], punctuation=False)
    counts = sentence_counts_by(scores, ["N", "V", "N", "V", None, "N"], "tag")
    assert counts[["tag", "sentence", "scored", "directed"]].to_numpy().tolist() == [
        ["N", 0, 2, 1], ["N", 1, 0, 0], ["V", 0, 1, 1], ["V", 1, 1, 0],
    ]  # fmt: skip
    with pytest.raises(ValueError, match="there are 2 labels and 6 gold tokens"):
        sentence_counts_by(scores, ["N", "V"])


@given(cases())
def test_all_tokens_under_one_label_have_the_counts_of_the_sentences(case):
    gold, predicted, _ = case
    scores = attachment_scores(table(*gold), table(*predicted))
    counts = sentence_counts_by(scores, ["all"] * len(scores.gold))
    columns = ["sentence", "scored", "directed", "undirected", "NED"]
    pd.testing.assert_frame_equal(counts[columns], scores.sentences[columns], check_dtype=False)


def test_the_value_of_an_interval_by_label_is_the_score_of_that_label():
    gold, scores = example()
    counts = sentence_counts_by(scores, table6_relations(gold["relation"], (gold["head"] == 0).to_numpy()), "relation")
    by_relation = scores_by_relation(scores).set_index(["relation", "measure"])["value"]
    for relation, rows in counts.groupby("relation"):
        found = bootstrap_intervals(rows, resamples=10).set_index("measure")["value"]
        assert found["NED"] == by_relation[relation, "NED"] and found["directed"] == by_relation[relation, "directed"]


def test_conventions_change_what_they_say():
    gold = table([0, 1, 2], [2, 0], punctuation=[False, False, True, False, False])
    found = compare_conventions(gold, {"RB": [0, 1, 2, 0, 1], "LB": [2, 3, 0, 2, 0]})
    directed = found[found["measure"] == "directed"].set_index(["convention", "system"])
    sizes = directed.xs("RB", level="system")["denominator"].to_dict()
    assert sizes == {"the challenge's": 4, "punctuation kept": 5, "at most 10 tokens": 4, "root edges left out": 2}
    assert directed.loc[("the challenge's", "RB"), ["numerator", "rank"]].tolist() == [2, 1.5]  # a tie
    assert directed.loc[("the challenge's", "LB"), ["numerator", "rank"]].tolist() == [2, 1.5]
    assert directed.loc[("punctuation kept", "RB"), ["numerator", "rank"]].tolist() == [3, 1]
    short = compare_conventions(gold, {"RB": [0, 1, 2, 0, 1]}, {"short": {"max_length": 2}})
    assert short["denominator"].tolist() == [2, 2, 2] and next(iter(CONVENTIONS)) == "the challenge's"


def test_modifiers_of_nouns_alone_become_nmod():
    tokens = table(
        [2, 4, 2, 0, 4], coarse=["ADJ", "N", "P", "V", "ADV"], relation=["MOD", "SUBJ", "MOD", "ROOT", "MOD"]
    )
    assert rename_relations(tokens, "nursery").tolist() == ["NMOD", "SBJ", "NMOD", "ROOT", "MOD"]
    second = pd.concat([tokens.assign(sentence=0), tokens.assign(sentence=1, coarse="V")], ignore_index=True)
    assert rename_relations(second, "nursery").tolist()[5:] == ["MOD", "SBJ", "MOD", "ROOT", "MOD"]


def test_the_groups_of_each_breakdown_have_the_counts_of_the_reused_ones():
    gold, scores = example()
    gold = gold.assign(form=list("aabbccde"))
    scores = attachment_scores(gold, [2, 0, 2, 6, 4, 2, 6, 4], punctuation=False)
    found = score_breakdowns(scores, gold.iloc[:2], lengths=(4, 10), distances=(1, 2), scheme="table6")
    assert set(found["by"]) == {"all", "frequency", "sentence length", "distance", "relation", "seen"}
    of = dict(iter(found.groupby("by", sort=False)))
    assert cells(of["all"], "group") == {"all": (scores.directed.numerator, scores.directed.denominator)}
    assert cells(of["relation"], "group") == cells(scores_by_relation(scores), "relation")
    distances = cells(scores_by_length(scores, range(1, 9)), "length")
    assert cells(of["distance"], "group")["1"] == distances[1]
    longer = [distances[length] for length in range(3, 9)]
    assert cells(of["distance"], "group")["3+"] == tuple(map(sum, zip(*longer, strict=True)))
    assert cells(of["sentence length"], "group")["1–4"] == (0, 0)
    assert of["sentence length"].iloc[0][["value"]].isna().all()
    assert cells(of["seen"], "group")["seen"][1] == 2
    assert cells(of["frequency"], "group")["0"] == cells(of["seen"], "group")["unseen"]


def test_a_column_of_tags_that_is_not_there_is_refused():
    _, scores = example()
    with pytest.raises(ValueError, match="xpos"):
        score_breakdowns(scores, tags="xpos")


def test_the_costliest_pairs_hold_every_error_and_name_the_gold_head():
    gold, _ = example()
    gold = gold.assign(form=list("abcdefgh"))
    scores = attachment_scores(gold, [2, 0, 2, 6, 4, 2, 6, 4], punctuation=False)
    found = costliest_pairs(scores)
    assert found["wrong"].sum() == scores.directed.denominator - scores.directed.numerator
    assert set(zip(found["form"], found["head_form"], strict=True)) == {("d", "b"), ("e", "f"), ("f", "d")}


def test_a_column_with_few_tags_is_not_taken_for_the_tags():
    gold, _ = example()
    few = gold.assign(fine=["x", *["_"] * (len(gold) - 1)], universal="NOUN")
    groups = score_breakdowns(attachment_scores(few, few["head"]))
    assert set(groups.loc[groups["by"] == "tag", "group"]) == {"NOUN"}
    assert tags_of(few.assign(universal=["VERB", *["NOUN"] * (len(gold) - 1)]), "dmv") == "universal"
