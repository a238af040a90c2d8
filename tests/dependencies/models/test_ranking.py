import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.dependencies.models import ranked_trees, universal_rule_trees
from analysis.dependencies.models.ranking_kernels import page_rank
from tests.dependencies.models.enumeration import is_projective_tree

SENTENCES = st.lists(
    st.lists(
        st.tuples(
            st.sampled_from(["the", "a", "walking", "talking", "dog", "singer", "NA", "of"]),
            st.sampled_from(["NOUN", "VERB", "DET", "ADP", "ADJ", "X", "AUX"]),
        ),
        min_size=1,
        max_size=9,
    ),
    min_size=1,
    max_size=4,
)


def table(sentences):
    rows = [(number, *word) for number, sentence in enumerate(sentences) for word in sentence]
    return pd.DataFrame(rows, columns=["sentence", "form", "universal"])


def is_tree(heads):
    """One root, and every word reaches it."""
    for word in range(1, len(heads) + 1):
        steps = 0
        while word:
            word, steps = heads[word - 1], steps + 1
            if steps > len(heads):
                return False
    return heads.count(0) == 1


@given(SENTENCES, st.integers(0, 3), st.integers(0, 4))
def test_ranked_trees_are_projective_trees(sentences, function_words, letters):
    tokens = table(sentences)
    heads = ranked_trees(tokens, function_words=function_words, ending_letters=letters)
    for _, found in heads.groupby(tokens["sentence"]):
        assert is_tree(found.tolist()) and is_projective_tree(tuple(found))


@given(SENTENCES)
def test_trees_by_universal_rules_are_trees_whose_root_is_a_verb_if_there_is_one(sentences):
    tokens = table(sentences)
    heads = universal_rule_trees(tokens)
    for number, found in heads.groupby(tokens["sentence"]):
        assert is_tree(found.tolist())
        tags = [tag for _, tag in sentences[number]]
        if {"VERB", "AUX"} & set(tags):
            assert tags[found.tolist().index(0)] in ("VERB", "AUX")


@given(SENTENCES)
def test_rules_see_tags_and_no_words(sentences):
    tokens = table(sentences)
    renamed = tokens.assign(form=[f"w{number}" for number in range(len(tokens))])
    assert universal_rule_trees(tokens).tolist() == universal_rule_trees(renamed).tolist()


def test_adjacency_alone_ranks_a_word_by_its_neighbours():
    # Of four words the inner two have two neighbours each and tie, so the left of them is the root; next comes the
    # other inner one, then the ends, each under the word beside it.
    tokens = pd.DataFrame({"sentence": [0] * 4, "form": list("abcd")})
    assert ranked_trees(tokens, function_words=0, ending_letters=0).tolist() == [2, 0, 2, 3]


def test_function_words_are_voted_down_and_words_of_one_ending_up():
    tokens = pd.DataFrame({"sentence": [0] * 5 + [1], "form": ["of", "walking", "x", "y", "talking", "of"]})
    # In a chain of five the words before the ends have the most votes: the left of them, then the right, come first.
    plain = ranked_trees(tokens, function_words=0, ending_letters=0)
    assert plain.tolist() == [2, 0, 2, 2, 4, 0]
    # With ten votes for each other the words in -ing come first and second; the others go under a word beside them.
    found = ranked_trees(tokens, function_words=0, ending_letters=3, weights=(1, 1, 10))
    assert found.tolist() == [2, 0, 2, 3, 2, 0]
    # The second and third word have equal votes until the left of them is found to be a function word.
    tokens = pd.DataFrame({"sentence": [0] * 4 + [1], "form": ["x", "of", "y", "z", "of"]})
    assert ranked_trees(tokens, function_words=0, ending_letters=0).tolist() == [2, 0, 2, 3, 0]
    assert ranked_trees(tokens, function_words=1, ending_letters=0).tolist() == [2, 3, 0, 3, 0]


def test_universal_rules_worked_by_hand():
    # Votes: DET for NOUN, NOUN for VERB, VERB for none, so its own rank is spread evenly: VERB has most, then NOUN.
    # VERB is the root; NOUN goes under it; DET goes under NOUN, which a rule allows, though VERB is nearer.
    tokens = pd.DataFrame({"sentence": [0] * 3, "universal": ["DET", "VERB", "NOUN"]})
    assert universal_rule_trees(tokens).tolist() == [3, 0, 2]
    # Where no rule allows any head, the nearest word with a place is taken.
    assert universal_rule_trees(tokens.assign(universal=["X", "VERB", "X"])).tolist() == [2, 0, 2]


def test_rules_are_an_argument():
    tokens = pd.DataFrame({"sentence": [0] * 2, "tag": ["B", "A"]})
    keep = {"keep_punctuation": True}
    assert universal_rule_trees(tokens, column="tag", rules={"ROOT": ["A"], "A": ["B"]}, **keep).tolist() == [2, 0]
    assert universal_rule_trees(tokens, column="tag", rules={"ROOT": ["B"], "B": ["A"]}, **keep).tolist() == [0, 1]


@given(st.integers(1, 7), st.floats(0, 0.95), st.integers(0, 10**6))
def test_page_rank_is_the_eigenvector_of_the_walk(n, damping, seed):
    votes = np.random.default_rng(seed).integers(0, 3, (n, n)).astype(float)
    np.fill_diagonal(votes, 0)
    totals = votes.sum(axis=1, keepdims=True)
    walk = np.where(totals > 0, votes / np.where(totals > 0, totals, 1), 1 / n)
    google = damping * walk + (1 - damping) / n
    values, vectors = np.linalg.eig(google.T)
    leading = np.real(vectors[:, np.argmax(np.real(values))])
    np.testing.assert_allclose(page_rank(votes, damping), leading / leading.sum(), atol=1e-7)


def test_punctuation_is_taken_out_and_put_under_the_word_before_it():
    tokens = pd.DataFrame(
        {"sentence": [0] * 4, "form": ["the", "cat", "slept", "."], "universal": ["DET", "NOUN", "VERB", "PUNCT"]}
    )
    assert ranked_trees(tokens, function_words=1).tolist() == [2, 0, 2, 3]
    assert universal_rule_trees(tokens).tolist() == [2, 3, 0, 3]
    marks = tokens.iloc[[3]].reset_index(drop=True)
    assert ranked_trees(marks).tolist() == universal_rule_trees(marks).tolist() == [0]


def test_bad_arguments_are_refused():
    tokens = table([[("a", "X")]])
    with pytest.raises(ValueError, match="three numbers"):
        ranked_trees(tokens, weights=(1, 1))
    with pytest.raises(ValueError, match="two numbers"):
        universal_rule_trees(tokens, weights=(1, 1, 1))
    with pytest.raises(ValueError, match="cannot be negative"):
        ranked_trees(tokens, weights=(1, -1, 1))
    with pytest.raises(ValueError, match="damping is 1"):
        ranked_trees(tokens, damping=1)
    with pytest.raises(ValueError, match="reach is 0"):
        ranked_trees(tokens, reach=0)
    with pytest.raises(ValueError, match="function_words is -1"):
        ranked_trees(tokens, function_words=-1)
    with pytest.raises(ValueError, match="lacks the column 'universal'"):
        universal_rule_trees(tokens.drop(columns="universal"))
