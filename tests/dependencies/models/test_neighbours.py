"""The better direction and the neighbour by tag: counted by hand, and trees for any tags."""

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.dependencies import attachment_scores
from analysis.dependencies.models import ConstantDirection, NeighbourByTag, left_branching, right_branching
from analysis.experiments.saved_models import model_bytes, model_from
from tests.dependencies.models.enumeration import is_projective_tree


def text(*sentences):
    """Tokens of sentences written as ``TAG/head TAG/head``; the forms are the tags."""
    rows = [(number, *word.split("/")) for number, sentence in enumerate(sentences) for word in sentence.split()]
    table = pd.DataFrame(rows, columns=["sentence", "fine", "head"]).astype({"head": "Int64"})
    return table.assign(form=table["fine"], position=table.groupby("sentence").cumcount() + 1)


LEFT = ("D/2 N/3 V/0", "D/2 N/0", "V/0 N/1 A/2 A/2")
RIGHT = ("V/0 N/1 A/2", "D/2 N/0")


def test_the_direction_is_the_one_with_more_correct_heads():
    model = ConstantDirection().fit(text(*LEFT))
    assert model.correct_ == {"left": 5, "right": 3} and model.direction_ == "left"
    assert model.predict(text(*RIGHT)).equals(left_branching(text(*RIGHT)))
    model.fit(text(*RIGHT))
    assert model.correct_ == {"left": 2, "right": 3} and model.direction_ == "right"
    assert model.predict(text(*LEFT)).equals(right_branching(text(*LEFT)))


def test_with_equal_counts_trees_branch_right():
    assert ConstantDirection().fit(text("D/2 N/0", "V/0 N/1")).correct_ == {"left": 2, "right": 2}
    assert ConstantDirection().fit(text("D/2 N/0", "V/0 N/1")).direction_ == "right"


def test_punctuation_can_decide_the_direction():
    tokens = text("D/2 N/0 ./2 ./3 ./4").assign(universal=["DET", "NOUN", "PUNCT", "PUNCT", "PUNCT"])
    assert ConstantDirection().fit(tokens).direction_ == "right"
    assert ConstantDirection(punctuation=False).fit(tokens).direction_ == "left"


def test_a_tag_goes_where_more_of_its_heads_are():
    model = NeighbourByTag().fit(text(*LEFT))
    counts = model.counts_.set_index("tag")
    assert counts.loc["D"].tolist() == [0, 2, 0, 2]
    assert counts.loc["N"].tolist() == [1, 1, 1, 3]  # the second N is a root
    assert counts.loc["V"].tolist() == [0, 0, 2, 2]
    assert counts.loc["A"].tolist() == [1, 0, 0, 2]  # the head of the second A is two words away
    assert model.default_ == "right"  # 3 words against 2
    assert model.directions_ == {"D": "right", "N": "right", "V": "right", "A": "left"}


def test_free_words_and_the_root_by_hand():
    model = NeighbourByTag().fit(text(*LEFT))
    # D and N go right, A left: N and A meet, and N (root in 1 of 3) is free; V, the last, is free and the root
    assert model.predict(text("D/0 N/0 A/0 V/0")).tolist() == [2, 4, 2, 0]
    # the first word, which goes left, is free; so is the last; unseen tags go right and are never roots
    assert model.predict(text("A/0 X/0")).tolist() == [0, 1]
    assert model.predict(text("V/0", "X/0 D/0")).tolist() == [0, 2, 0]


def test_a_training_text_of_another_order_goes_the_other_way():
    model = NeighbourByTag().fit(text("V/0 N/1 D/2", "V/0 N/1"))
    assert model.default_ == "left" and model.directions_ == {"V": "left", "N": "left", "D": "left"}
    assert model.predict(text("V/0 X/0 D/0")).tolist() == [0, 1, 2]


@given(st.lists(st.text("DNVAX", min_size=1, max_size=9), min_size=1, max_size=4),
       st.lists(st.text("DNVA", min_size=1, max_size=6), min_size=1, max_size=4), st.data())  # fmt: skip
def test_every_sentence_has_a_projective_tree(sentences, training, data):
    gold = text(*(" ".join(f"{tag}/{data.draw(st.integers(0, len(tags)))}" for tag in tags) for tags in training))
    tokens = text(*(" ".join(f"{tag}/0" for tag in tags) for tags in sentences))
    model = NeighbourByTag().fit(gold)
    heads = model.predict(tokens)
    for _, tree in heads.groupby(tokens["sentence"]):
        assert is_projective_tree(tuple(tree))
    # a word that does not go to its neighbour is free or the root: its neighbour goes to it, or is not there
    wanted = tokens["fine"].map(lambda tag: model.directions_.get(tag, model.default_))
    neighbour = tokens["position"] + wanted.map({"left": -1, "right": 1})
    length = tokens.groupby("sentence")["position"].transform("max")
    for i in heads.index[heads != neighbour]:
        other = neighbour[i]
        alone = not 1 <= other <= length[i]
        assert alone or neighbour[i + (1 if wanted[i] == "right" else -1)] == tokens["position"][i]


def test_on_one_tag_it_is_a_branching_tree():
    tokens = text("D/2 D/3 D/0", "D/2 D/0")
    assert NeighbourByTag().fit(tokens).predict(tokens).equals(left_branching(tokens))
    assert attachment_scores(tokens, NeighbourByTag().fit(tokens).predict(tokens)).directed.numerator == 5


@pytest.mark.parametrize("model", [ConstantDirection(), NeighbourByTag()])
def test_without_gold_heads_there_is_nothing_to_learn(model):
    with pytest.raises(ValueError, match="not fitted yet"):
        type(model)().predict(text("D/0"))
    with pytest.raises(ValueError, match="has no column 'head'"):
        model.fit(text(*LEFT).drop(columns="head"))
    with pytest.raises(ValueError, match="has no head"):
        model.fit(text(*LEFT).assign(head=pd.NA))


@pytest.mark.parametrize("model", [ConstantDirection(), NeighbourByTag()])
def test_a_saved_model_gives_the_same_trees(model):
    fitted = model.fit(text(*LEFT))
    assert model_from(model_bytes(fitted)).predict(text(*RIGHT)).equals(fitted.predict(text(*RIGHT)))
