"""CGS of the joint task: features counted by hand, and the loop of classes and trees on a small text."""

import numpy as np
import pandas as pd
import pytest

from analysis.categories import many_to_one
from analysis.categories.models import MultinomialMixture
from analysis.dependencies import attachment_scores
from analysis.dependencies.models import DMV
from analysis.papers.gelling2012.joint import cgs_loop, dependency_features, loop_scores
from analysis.papers.gelling2012.setting import data

CHOICES = {"rounds": 3, "sweeps": 15, "iterations": 4}


@pytest.fixture(scope="module")
def text():
    tokens = data("nursery").tokens
    return tokens[tokens["sentence"] < 300].reset_index(drop=True)


@pytest.fixture(scope="module")
def loop(text):
    return cgs_loop(text, 10, **CHOICES)


# Features --------------------------------------------------------------------------------------------------------

# "the dog sees the cat ." with dog <- sees -> cat, and "dog , cat" with dog -> cat; the full stop and the comma hang
# under the word before.
TWO = pd.DataFrame({"sentence": [0] * 6 + [1] * 3, "form": "the dog sees the cat . dog , cat".split()})  # noqa: SIM905
HEADS = [2, 3, 0, 5, 3, 5, 0, 1, 1]
CLASSES = ["D", "N", "V", "D", "N", "P", "N", "P", "N"]


def rows(table):
    return {(kind, form, value): count for kind, form, value, count in table.to_numpy().tolist()}


def test_the_features_of_two_sentences_are_counted_by_hand():
    assert rows(dependency_features(TWO, HEADS, CLASSES)) == {
        ("head", "the", "N"): 2, ("head", "dog", "V"): 1, ("head", "dog", "(root)"): 1, ("head", "sees", "(root)"): 1,
        ("head", "cat", "V"): 1, ("head", "cat", "N"): 1,
        ("dependent", "dog", "D"): 1, ("dependent", "dog", "N"): 1, ("dependent", "cat", "D"): 1,
        ("dependent", "sees", "N"): 2,
    }  # fmt: skip


def test_heads_and_dependents_can_be_words_the_rare_ones_together():
    assert rows(dependency_features(TWO, HEADS, values="words", n_words=2)) == {
        ("head", "the", "dog"): 1, ("head", "the", "(other)"): 1, ("head", "dog", "(other)"): 1,
        ("head", "dog", "(root)"): 1, ("head", "sees", "(root)"): 1, ("head", "cat", "(other)"): 1,
        ("head", "cat", "dog"): 1,
        ("dependent", "dog", "the"): 1, ("dependent", "dog", "(other)"): 1, ("dependent", "cat", "the"): 1,
        ("dependent", "sees", "dog"): 1, ("dependent", "sees", "(other)"): 1,
    }  # fmt: skip


def test_one_kind_can_be_left_out():
    both = rows(dependency_features(TWO, HEADS, CLASSES))
    for kind in ("head", "dependent"):
        assert rows(dependency_features(TWO, HEADS, CLASSES, kinds=[kind])) == {
            key: count for key, count in both.items() if key[0] == kind
        }


def test_every_word_has_one_head_and_is_the_dependent_of_every_head_that_is_a_word(text, loop):
    found = dependency_features(text, loop.heads[0], loop.labels[0])
    sums = found.groupby("kind")["count"].sum()
    roots = found.loc[(found["kind"] == "head") & (found["value"] == "(root)"), "count"].sum()
    assert sums["head"] == sums["dependent"] + roots and roots == text["sentence"].nunique()


# The loop --------------------------------------------------------------------------------------------------------


def test_the_same_seed_gives_the_same_loop(text, loop):
    again = cgs_loop(text, 10, **CHOICES)
    np.testing.assert_array_equal(again.labels, loop.labels)
    np.testing.assert_array_equal(again.heads, loop.heads)
    pd.testing.assert_frame_equal(again.rounds.drop(columns="seconds"), loop.rounds.drop(columns="seconds"))
    assert not np.array_equal(cgs_loop(text, 10, **CHOICES, random_state=1).labels, loop.labels)


def test_round_0_is_the_plain_mixture_and_the_model_trained_on_its_classes(text, loop):
    plain = MultinomialMixture(10, 15, progress=False, random_state=0).fit(text)
    np.testing.assert_array_equal(loop.labels[0], plain.labels_)
    assert loop.rounds["log_probability"][0] == plain.log_probability_[-1]
    tagged = text.assign(cluster=pd.Categorical(plain.labels_))
    model = DMV(tags="cluster", punctuation_rule="form", iterations=4).fit(tagged)
    np.testing.assert_array_equal(loop.heads[0], model.parse(tagged).heads)


def test_round_1_is_the_mixture_with_the_features_of_the_trees(text, loop):
    generator = np.random.default_rng(0)
    first = MultinomialMixture(10, 15, progress=False, random_state=generator).fit(text)
    features = dependency_features(text, loop.heads[0], first.labels_)
    second = MultinomialMixture(10, 15, progress=False, random_state=generator).fit(text, extra=features)
    np.testing.assert_array_equal(loop.labels[1], second.labels_)
    assert set(second.features_["kind"]) == {"left", "right", "suffix", "head", "dependent"}


def test_later_rounds_can_go_on_with_the_classes(text, loop):
    gone_on = cgs_loop(text, 10, rounds=2, sweeps=0, iterations=1, start="continue")
    np.testing.assert_array_equal(gone_on.labels[0], gone_on.labels[1])  # no sweep, so the classes stay
    assert gone_on.rounds["log_probability"].isna().all()
    np.testing.assert_array_equal(cgs_loop(text, 10, rounds=1, sweeps=15, iterations=4).labels[0], loop.labels[0])


def test_every_tree_of_every_round_is_well_formed(text, loop):
    assert loop.heads.shape == loop.labels.shape == (3, len(text))
    for heads in loop.heads:
        scores = attachment_scores(text, heads, strict=True)
        assert not scores.ill_formed["predicted_sentences"].iloc[:-1].any()


def test_every_token_has_the_class_of_its_type_in_every_round(text, loop):
    for labels in loop.labels:
        assert pd.Series(labels).groupby(text["form"].to_numpy()).nunique().eq(1).all()


def test_the_table_of_rounds_says_what_moved(text, loop):
    assert loop.rounds["round"].tolist() == [0, 1, 2] and np.isnan(loop.rounds["moved"][0])
    words = text["form"].astype(str).str.contains(r"\w").to_numpy()
    expected = [(loop.heads[r] != loop.heads[r - 1])[words].mean() for r in (1, 2)]
    np.testing.assert_allclose(loop.rounds["moved"][1:].astype(float), expected)
    assert loop.rounds["classes"].tolist() == [len(np.unique(labels)) for labels in loop.labels]


def test_scores_by_round_are_those_of_the_measures(text, loop):
    scores = loop_scores(loop, text, level="coarse")
    assert scores["many-to-one"][2] == float(many_to_one(text["coarse"], loop.labels[2]))
    assert scores["directed"][1] == float(attachment_scores(text, loop.heads[1]).directed)
    half = text.assign(scored=text["sentence"] < 150)
    part = half["scored"].to_numpy()
    alone = attachment_scores(text[part].reset_index(drop=True), loop.heads[0][part])
    assert loop_scores(loop, half)["NED"][0] == float(alone.ned)


def test_gold_columns_are_not_looked_at(text, loop):
    shuffled = text.assign(head=0, fine="x", coarse="x", universal="x")
    np.testing.assert_array_equal(cgs_loop(shuffled, 10, **CHOICES).heads, loop.heads)


def test_bad_input_is_refused_in_words(text):
    for options, message in (
        ({"rounds": 0}, "rounds is 0"),
        ({"kinds": ()}, "kinds is"),
        ({"kinds": ("head", "child")}, "kinds is"),
        ({"values": "tags"}, "values is 'tags'"),
        ({"n_words": 0}, "n_words is 0"),
        ({"start": "again"}, "start is 'again'"),
    ):
        with pytest.raises(ValueError, match=message):
            cgs_loop(text, 10, **options)
    with pytest.raises(ValueError, match="a head is not in its sentence"):
        dependency_features(TWO, [7, *HEADS[1:]], CLASSES)
    with pytest.raises(ValueError, match="8 values for 9 tokens"):
        dependency_features(TWO, HEADS[1:], CLASSES)
    with pytest.raises(ValueError, match="8 values for 9 tokens"):
        dependency_features(TWO, HEADS, CLASSES[1:])
    with pytest.raises(ValueError, match="labels were not given"):
        dependency_features(TWO, HEADS)
