"""Branching and random trees beside a system."""

import pandas as pd
import pytest

from analysis.dependencies.references import reference_scores

# a <- b <- c(root): left branching (each word below the next) has all of it; three words have 7 projective trees
CHAIN = pd.DataFrame({"sentence": 0, "form": list("abc"), "head": [2, 3, 0]})


def test_a_chain_to_the_right_is_left_branching():
    found = reference_scores(CHAIN, runs=2, resamples=10).set_index(["system", "measure"])["value"]
    assert found["left branching", "directed"] == 1
    assert found["right branching", "directed"] == 0
    assert found["right branching", "undirected"] == pytest.approx(2 / 3)  # both edges reversed, not the root


def test_the_mean_of_random_trees_is_that_of_all_projective_trees():
    # heads of a, b, c: (2,3,0) (2,0,2) (0,1,2) (0,3,1) (0,1,1) (3,1,0) (3,3,0); right: 3 1 0 1 0 1 2 of 3
    expected = (3 + 1 + 0 + 1 + 0 + 1 + 2) / 7 / 3
    row = reference_scores(CHAIN, ["directed"], runs=400, resamples=10).iloc[-1]
    assert row["system"] == "random trees" and row["runs"] == 400
    assert abs(row["value"] - expected) < 4 * row["sd_runs"] / 20


def test_conventions_are_those_of_the_scores():
    gold = pd.DataFrame({"sentence": 0, "form": ["look", "!"], "head": [0, 1], "universal": ["VERB", "PUNCT"]})
    found = reference_scores(gold, ["directed"], runs=2, resamples=10, conventions={"punctuation": False})
    assert (found["value"] == 1).all()
