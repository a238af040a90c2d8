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
def test_ranked_trees_without_tags_are_projective_trees(sentences, function_words, letters):
    tokens = table(sentences)
    heads = ranked_trees(tokens, column=None, function_words=function_words, letters=(letters, letters))
    for _, found in heads.groupby(tokens["sentence"]):
        assert is_tree(found.tolist()) and is_projective_tree(tuple(found))


def by_definition(forms, tags, frequent):
    """S1 as its definition reads, slowly: votes as a list of pairs, the stationary walk by powers of a lazy one."""
    n, places = len(forms), range(len(forms))
    votes = [(u, v) for u in places for v in (u - 1, u + 1) if 0 <= v < n]
    votes += [(u, v) for u, v in votes if forms[v] in frequent]
    pairs = [(u, v) for u in places for v in places if u != v]
    votes += [
        (u, v) for u, v in pairs
        if forms[u][:2] != forms[v][:2] or forms[u][-3:] != forms[v][-3:] or tags[u] != tags[v]
    ]  # fmt: skip
    verb, noun = [tag in ("VERB", "AUX") for tag in tags], [tag == "NOUN" for tag in tags]
    votes += [(u, v) for u, v in pairs if verb[v]] + [(u, v) for u, v in pairs if verb[u] and noun[v]]
    walk = np.zeros((n, n))
    for u, v in votes:
        walk[u, v] += 1
    walk /= np.maximum(walk.sum(axis=1, keepdims=True), 1)
    rank = np.full(n, 1 / n) @ np.linalg.matrix_power((walk + np.eye(n)) / 2, 4096)
    order = sorted(places, key=lambda place: (-round(rank[place], 7), place))
    root = next((place for place in order if verb[place]), order[0])
    heads = {root: 0}
    for word in [place for place in order if place != root]:
        allowed = [head for head in heads if tags[word] in HEADS.get(tags[head], ())] or list(heads)
        best = min(allowed, key=lambda head: (abs(head - word), order.index(head)))
        heads[word] = best + 1
    return [heads[place] for place in places]


HEADS = {
    "VERB": ("VERB", "AUX", "NOUN", "ADJ", "DET", "ADP"),
    "AUX": ("VERB", "AUX", "NOUN", "ADJ", "DET", "ADP"),
    "NOUN": ("NOUN", "ADJ", "DET"),
    "ADP": ("NOUN",),
}


@given(SENTENCES)
def test_ranked_trees_are_those_of_the_definition(sentences):
    tokens = table(sentences)
    frequent = tokens["form"].value_counts().index[:1]
    if tokens["form"].value_counts().eq(tokens["form"].value_counts().iloc[0]).sum() > 1:
        frequent = [tokens["form"][tokens["form"].isin(tokens["form"].mode())].iloc[0]]
    heads = ranked_trees(tokens, function_words=1, punctuation_rule="form")
    for number, found in heads.groupby(tokens["sentence"]):
        forms, tags = zip(*sentences[number], strict=True)
        assert found.tolist() == by_definition(forms, tags, set(frequent))


def test_the_root_is_the_verb_of_highest_rank_and_words_look_for_possible_heads():
    # Every word votes for the verb, the verb for both nouns: it is the root. "big" is an adjective: its possible heads
    # are nouns and verbs, the nearest placed of which is "dogs"; "of" may be headed by the verb only.
    tokens = pd.DataFrame({"sentence": 0, "form": ["big", "dogs", "of", "cats", "ran"],
                           "universal": ["ADJ", "NOUN", "ADP", "NOUN", "VERB"]})  # fmt: skip
    heads = ranked_trees(tokens, function_words=0)
    assert heads.tolist()[4] == 0 and heads.tolist()[0] == 2 and heads.tolist()[2] == 5


def test_the_ranks_of_a_chain_of_three_words_are_solved_for():
    # Neighbours alone: a step leads from the ends to the middle and back, so powers of the walk swing for ever; the
    # stationary distribution is 1/4, 1/2, 1/4.
    votes = np.array([[0.0, 1, 0], [1, 0, 1], [0, 1, 0]])
    np.testing.assert_allclose(page_rank(votes, 1.0), [0.25, 0.5, 0.25])


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


def test_neighbours_alone_rank_a_word():
    # Of four words the inner two have two neighbours each and tie, so the left of them is the root; next comes the
    # other inner one, then the ends, each under the word beside it.
    tokens = pd.DataFrame({"sentence": [0] * 4, "form": list("abcd")})
    plain = {"column": None, "function_words": 0, "letters": (0, 0)}
    assert ranked_trees(tokens, **plain).tolist() == [2, 0, 2, 3]


def test_function_words_and_words_of_other_letters_are_voted_up():
    tokens = pd.DataFrame({"sentence": [0] * 4 + [1], "form": ["x", "y", "of", "z", "of"]})
    plain = {"column": None, "letters": (0, 0)}
    # The two inner words tie until the right one is found to be a function word.
    assert ranked_trees(tokens, function_words=0, **plain).tolist() == [2, 0, 2, 3, 0]
    assert ranked_trees(tokens, function_words=1, **plain).tolist() == [2, 3, 0, 3, 0]
    # Three words begin and end alike, the last differs from all: it has votes from three words, the others from one.
    tokens = pd.DataFrame({"sentence": 0, "form": ["talking", "tasking", "tanning", "of"]})
    assert ranked_trees(tokens, column=None, function_words=0, weights=(1, 0, 10, 0)).tolist()[3] == 0
    assert ranked_trees(tokens, column=None, function_words=0, letters=(0, 0)).tolist()[3] != 0


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
    chain = votes + np.eye(n, k=1) + np.eye(n, k=-1)
    rank = page_rank(chain, 1.0) if n > 1 else np.ones(1)
    np.testing.assert_allclose(rank @ (chain / np.maximum(chain.sum(axis=1, keepdims=True), 1)), rank if n > 1 else 0)


def test_punctuation_is_taken_out_and_put_under_the_word_before_it():
    tokens = pd.DataFrame(
        {"sentence": [0] * 4, "form": ["the", "cat", "slept", "."], "universal": ["DET", "NOUN", "VERB", "PUNCT"]}
    )
    assert ranked_trees(tokens, function_words=1).tolist() == [2, 3, 0, 3]
    assert universal_rule_trees(tokens).tolist() == [2, 3, 0, 3]
    marks = tokens.iloc[[3]].reset_index(drop=True)
    assert ranked_trees(marks).tolist() == universal_rule_trees(marks).tolist() == [0]


def test_bad_arguments_are_refused():
    tokens = table([[("a", "X")]])
    with pytest.raises(ValueError, match="four numbers"):
        ranked_trees(tokens, weights=(1, 1))
    with pytest.raises(ValueError, match="two numbers"):
        universal_rule_trees(tokens, weights=(1, 1, 1))
    with pytest.raises(ValueError, match="cannot be negative"):
        ranked_trees(tokens, weights=(1, -1, 1, 1))
    with pytest.raises(ValueError, match="damping is 2"):
        ranked_trees(tokens, damping=2)
    with pytest.raises(ValueError, match="damping must be below 1"):
        ranked_trees(tokens, weights=(0, 1, 1, 1))
    with pytest.raises(ValueError, match="function_words is -1"):
        ranked_trees(tokens, function_words=-1)
    with pytest.raises(ValueError, match="letters are"):
        ranked_trees(tokens, letters=(-1, 3))
    for function in (ranked_trees, universal_rule_trees):
        with pytest.raises(ValueError, match="lacks the column 'universal'"):
            function(tokens.drop(columns="universal"), punctuation_rule="form")
