from itertools import permutations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import linear_sum_assignment
from scipy.sparse import csr_array

from analysis.categories.assignment import (
    greedy_matching,
    one_to_one,
    one_to_one_mapping,
    optimal_matching,
)
from analysis.categories.contingency import contingency

PAIRS = st.lists(st.tuples(st.sampled_from("NVADP"), st.integers(0, 4)), min_size=1, max_size=40)


def sides(pairs):
    gold, predicted = zip(*pairs, strict=True)
    return list(gold), list(predicted)


def greedy_by_hand(gold, predicted):
    """Counts in a dictionary; the largest cell first, ties by the names as strings."""
    cells = pd.Series(list(zip(gold, predicted, strict=True))).value_counts().to_dict()
    correct = 0
    while cells:
        best = min(cells, key=lambda cell: (-cells[cell], str(cell[0]), str(cell[1])))
        correct += cells[best]
        cells = {cell: n for cell, n in cells.items() if cell[0] != best[0] and cell[1] != best[1]}
    return correct


def optimal_by_hand(gold, predicted):
    """All ways to give five clusters to five classes."""
    return max(
        sum(readings[k] == c for c, k in zip(gold, predicted, strict=True)) for readings in permutations("NVADP")
    )


@given(PAIRS)
def test_greedy_takes_the_largest_remaining_cell_each_time(pairs):
    gold, predicted = sides(pairs)
    assert one_to_one(gold, predicted, assignment="greedy").numerator == greedy_by_hand(gold, predicted)


@given(PAIRS)
def test_optimal_is_the_best_of_all_matchings(pairs):
    gold, predicted = sides(pairs)
    assert one_to_one(gold, predicted).numerator == optimal_by_hand(gold, predicted)


@given(PAIRS)
def test_greedy_reaches_at_least_half_of_the_optimum_and_never_more_than_it(pairs):
    gold, predicted = sides(pairs)
    greedy, optimal = (one_to_one(gold, predicted, assignment=name).numerator for name in ("greedy", "optimal"))
    assert optimal / 2 <= greedy <= optimal


@given(PAIRS, st.permutations(range(5)), st.permutations("NVADP"))
def test_optimal_does_not_depend_on_names(pairs, clusters, classes):
    gold, predicted = sides(pairs)
    renamed = ([dict(zip("NVADP", classes, strict=True))[c] for c in gold], [clusters[k] for k in predicted])
    assert one_to_one(*renamed, assignment="optimal") == one_to_one(gold, predicted, assignment="optimal")


@given(PAIRS, st.randoms())
@pytest.mark.parametrize("assignment", ["greedy", "optimal"])
def test_the_mapping_does_not_depend_on_the_order_of_tokens_and_is_one_to_one(assignment, pairs, random):
    gold, predicted = sides(pairs)
    mapping = one_to_one_mapping(gold, predicted, assignment=assignment)
    assert mapping["cluster"].is_unique and mapping["gold"].is_unique
    assert mapping["tokens"].sum() == one_to_one(gold, predicted, assignment=assignment).numerator
    shuffled = list(pairs)
    random.shuffle(shuffled)
    again = one_to_one_mapping(*sides(shuffled), assignment=assignment)
    assert set(again.itertuples(index=False, name=None)) == set(mapping.itertuples(index=False, name=None))


def test_greedy_ties_go_to_the_first_class_then_to_the_first_cluster_by_name_as_string():
    # every cell holds one token: class "10" comes before "9", and of its clusters "a" before "b"
    assert one_to_one_mapping([9, 9, 10, 10], list("baba"), assignment="greedy").to_numpy().tolist() == [
        ["a", 10, 1],
        ["b", 9, 1],
    ]
    # N-1 first would leave V nothing but 1; V-1 first leaves N its cluster 2: only the names decide
    assert one_to_one(list("NNV"), [1, 2, 1], assignment="greedy").numerator == 1
    assert one_to_one(list("VVN"), [1, 2, 1], assignment="greedy").numerator == 2


def test_equal_pairs_are_listed_by_class_not_by_cluster():
    assert one_to_one_mapping(list("NV"), [2, 1], assignment="greedy")["gold"].tolist() == ["N", "V"]


def test_a_pair_that_shares_no_token_is_not_matched():
    rows, columns = optimal_matching(csr_array([[5, 1], [1, 0]]), "NV", "ab")
    assert (rows.tolist(), columns.tolist()) == ([0], [0])


def test_clusters_left_over_count_as_errors():
    assert one_to_one(["N"] * 4, [1, 2, 3, 4]).numerator == 1
    score = one_to_one(["N"] * 4, [1, 2, 3, 4], assignment="optimal")
    assert (score.numerator, score.parts) == (1, {"classes": 1, "clusters": 4})


def test_one_cluster_scores_the_share_of_the_largest_class():
    assert float(one_to_one(["N", "N", "V", "V", "V"], [1] * 5)) == 3 / 5


def test_a_clustering_agrees_perfectly_with_itself():
    for assignment in ("greedy", "optimal"):
        assert float(one_to_one(list("NVNA"), list("NVNA"), assignment=assignment)) == 1


def test_parts_of_a_table_that_do_not_hang_together_are_matched_apart(monkeypatch):
    solved = []

    def recorded(block, **options):
        solved.append(block.shape)
        return linear_sum_assignment(block, **options)

    monkeypatch.setattr("analysis.categories.assignment.linear_sum_assignment", recorded)
    n = 100  # pairs of classes, each with two clusters of its own; the heavier cells lie off the diagonal
    pair = np.repeat(np.arange(n), 5)
    classes, clusters = 2 * pair + np.tile([0, 0, 0, 1, 1], n), 2 * pair + np.tile([0, 1, 1, 0, 0], n)
    assert one_to_one(contingency(classes, clusters), assignment="optimal").numerator == 4 * n
    assert solved == [(2, 2)] * n


def test_matchings_of_an_empty_graph_are_empty():
    nothing = csr_array((2, 3))
    assert [len(side) for side in optimal_matching(nothing, "ab", "xyz")] == [0, 0]
    assert [len(side) for side in greedy_matching(nothing, "ab", "xyz")] == [0, 0]


def test_an_unknown_assignment_is_refused():
    with pytest.raises(ValueError, match="assignment"):
        one_to_one(["N"], [1], assignment="best")


def test_no_token_and_missing_labels_are_refused():
    with pytest.raises(ValueError, match="no token"):
        one_to_one([], [])
    with pytest.raises(ValueError, match="missing labels"):
        one_to_one(["N", None], [1, 2])
