"""Measures of derivations by sentence length and relation."""

from analysis.ccg import evaluate, worked_example
from analysis.ccg.breakdowns import score_breakdowns


def test_sentence_lengths_sum_to_the_whole_and_relations_to_precision_and_recall():
    gold, predicted = worked_example()
    evaluations = evaluate(gold, predicted)
    table = score_breakdowns(evaluations, gold, lengths=(3, 6))
    for evaluation in evaluations:
        for score in evaluation.scores():
            part = table[table["measure"] == f"{evaluation.name}: {score.measure}"]
            for by in ("all", "sentence length"):
                rows = part[part["by"] == by]
                assert (rows["numerator"].sum(), rows["denominator"].sum()) == (score.numerator, score.denominator)
    relations = table[(table["by"] == "relation") & table["measure"].str.startswith("tree dependencies: recall")]
    whole = next(each for each in evaluations if each.name == "tree dependencies").relations
    assert relations["denominator"].sum() == whole["ref"].sum()
    empty = table[table["denominator"] == 0]
    assert len(empty) and empty["value"].isna().all()
