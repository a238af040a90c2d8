from collections import Counter
from math import comb

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chisquare

from analysis.dependencies import attachment_scores
from analysis.dependencies.models import left_branching, random_projective_trees, random_trees, right_branching
from tests.dependencies.models.enumeration import is_projective_tree, projective_trees
from tests.dependencies.trees import table


def test_left_and_right_branching_of_sentences_with_gaps_in_their_numbers():
    tokens = pd.DataFrame({"sentence": [0, 0, 0, 7, 9, 9]}, index=list("abcdef"))
    assert left_branching(tokens).to_dict() == {"a": 2, "b": 3, "c": 0, "d": 0, "e": 2, "f": 0}
    assert right_branching(tokens).to_dict() == {"a": 0, "b": 1, "c": 2, "d": 0, "e": 0, "f": 1}


@given(st.lists(st.booleans(), min_size=2, max_size=8))
def test_branching_trees_without_punctuation_are_branching_trees(marks):
    marks[-1] = marks[0] = False  # the root stays
    tokens = table([0] * len(marks), punctuation=marks)
    bare = tokens[~tokens["punctuation"]].assign(position=range(1, marks.count(False) + 1))
    for system in (left_branching, right_branching):
        scores = attachment_scores(bare.assign(head=system(bare)), system(bare), punctuation=False)
        whole = attachment_scores(tokens.assign(head=system(tokens)), system(tokens), punctuation=False)
        assert whole.directed.denominator == scores.directed.denominator
        distances = whole.tokens["distance"].dropna()
        assert (distances == 1).all()


@pytest.mark.parametrize("n", range(1, 6))
def test_random_trees_are_uniform_over_all_projective_trees(n):
    drawn = Counter(
        map(tuple, random_projective_trees(n, size=60 * len(projective_trees(n)), random_state=11).tolist())
    )
    assert set(drawn) == set(projective_trees(n))
    if n > 1:
        assert chisquare(list(drawn.values())).pvalue > 0.001
    assert len(drawn) == comb(3 * n - 2, n - 1) // n


@given(st.integers(1, 30), st.integers(0, 10**6))
def test_random_trees_are_projective_trees_with_one_root(n, seed):
    for heads in random_projective_trees(n, 3, seed).tolist():
        assert heads.count(0) == 1
        assert is_projective_tree(tuple(heads))


def test_random_trees_of_a_table_follow_the_seed():
    tokens = pd.DataFrame({"sentence": np.repeat([0, 5, 6], [4, 1, 12])})
    one, same, other = (random_trees(tokens, seed).tolist() for seed in (3, 3, 4))
    assert one == same != other
    assert one[4] == 0
    assert random_projective_trees(6, 2, random_state=3).tolist() == random_projective_trees(6, 2, 3).tolist()
    assert random_projective_trees(6, 2, np.random.default_rng(3)).tolist() == random_projective_trees(6, 2, 3).tolist()


def test_a_sentence_of_ten_thousand_words_has_a_random_tree():
    heads = random_projective_trees(10_000, random_state=0)[0]
    assert (heads == 0).sum() == 1


def test_a_tree_without_words_is_refused():
    with pytest.raises(ValueError, match="n is 0; it must be at least 1"):
        random_projective_trees(0)
