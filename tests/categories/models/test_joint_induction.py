"""The loop of classes and trees: features counted by hand, and the loop on a small text."""

import numpy as np
import pandas as pd
import pytest

from analysis.categories.models import MultinomialMixture, class_tree_loop, dependency_features
from analysis.corpora.language import nursery
from analysis.dependencies import attachment_scores, find_punctuation
from analysis.dependencies.models import DMV


def dmv(tagged):
    """Trees of the dependency model with valence, trained on the classes."""
    model = DMV(tags="cluster", punctuation_rule="form", iterations=4).fit(tagged)
    return model.predict(tagged).to_numpy(), {"log_likelihood": model.log_likelihoods_[-1]}


def looped(text, sweeps=15, seed=0, **choices):
    mixture = MultinomialMixture(10, sweeps, progress=False, random_state=seed)
    words = ~find_punctuation(text, "form").mask
    return class_tree_loop(text, mixture, dmv, words=words, **choices)


@pytest.fixture(scope="module")
def text():
    tokens = nursery()
    return tokens[tokens["sentence"] < 300].reset_index(drop=True)


@pytest.fixture(scope="module")
def loop(text):
    return looped(text)


# Features --------------------------------------------------------------------------------------------------------

# "the dog sees the cat ." with dog <- sees -> cat, and "dog , cat" with dog -> cat; the full stop and the comma hang
# under the word before.
TWO = pd.DataFrame({"sentence": [0] * 6 + [1] * 3, "form": "the dog sees the cat . dog , cat".split()})  # noqa: SIM905
HEADS = [2, 3, 0, 5, 3, 5, 0, 1, 1]
CLASSES = ["D", "N", "V", "D", "N", "P", "N", "P", "N"]
WORDS = np.array([form.isalpha() for form in TWO["form"]])


def rows(table):
    return {(kind, form, value): count for kind, form, value, count in table.to_numpy().tolist()}


def test_the_features_of_two_sentences_are_counted_by_hand():
    assert rows(dependency_features(TWO, HEADS, CLASSES, words=WORDS)) == {
        ("head", "the", "N"): 2, ("head", "dog", "V"): 1, ("head", "dog", "(root)"): 1, ("head", "sees", "(root)"): 1,
        ("head", "cat", "V"): 1, ("head", "cat", "N"): 1,
        ("dependent", "dog", "D"): 1, ("dependent", "dog", "N"): 1, ("dependent", "cat", "D"): 1,
        ("dependent", "sees", "N"): 2,
    }  # fmt: skip


def test_heads_and_dependents_can_be_words_the_rare_ones_together():
    assert rows(dependency_features(TWO, HEADS, values="words", n_words=2, words=WORDS)) == {
        ("head", "the", "dog"): 1, ("head", "the", "(other)"): 1, ("head", "dog", "(other)"): 1,
        ("head", "dog", "(root)"): 1, ("head", "sees", "(root)"): 1, ("head", "cat", "(other)"): 1,
        ("head", "cat", "dog"): 1,
        ("dependent", "dog", "the"): 1, ("dependent", "dog", "(other)"): 1, ("dependent", "cat", "the"): 1,
        ("dependent", "sees", "dog"): 1, ("dependent", "sees", "(other)"): 1,
    }  # fmt: skip


def test_one_kind_can_be_left_out():
    both = rows(dependency_features(TWO, HEADS, CLASSES, words=WORDS))
    for kind in ("head", "dependent"):
        assert rows(dependency_features(TWO, HEADS, CLASSES, kinds=[kind], words=WORDS)) == {
            key: count for key, count in both.items() if key[0] == kind
        }


def test_without_a_choice_of_words_every_token_is_one():
    found = rows(dependency_features(TWO, HEADS, CLASSES))
    assert found["head", ".", "N"] == 1 and found["dependent", "cat", "P"] == found["dependent", "dog", "P"] == 1


def test_every_word_has_one_head_and_is_the_dependent_of_every_head_that_is_a_word(text, loop):
    words = ~find_punctuation(text, "form").mask
    found = dependency_features(text, loop.heads[0], loop.labels[0], words=words)
    sums = found.groupby("kind")["count"].sum()
    roots = found.loc[(found["kind"] == "head") & (found["value"] == "(root)"), "count"].sum()
    assert sums["head"] == sums["dependent"] + roots and roots == text["sentence"].nunique()


# The loop --------------------------------------------------------------------------------------------------------


def test_the_same_seed_gives_the_same_loop(text, loop):
    again = looped(text)
    np.testing.assert_array_equal(again.labels, loop.labels)
    np.testing.assert_array_equal(again.heads, loop.heads)
    pd.testing.assert_frame_equal(again.rounds.drop(columns="seconds"), loop.rounds.drop(columns="seconds"))
    assert not np.array_equal(looped(text, seed=1, rounds=1).labels[0], loop.labels[0])


def test_round_0_is_the_plain_mixture_and_the_model_trained_on_its_classes(text, loop):
    plain = MultinomialMixture(10, 15, progress=False, random_state=0).fit(text)
    np.testing.assert_array_equal(loop.labels[0], plain.labels_)
    assert loop.rounds["log_probability"][0] == plain.log_probability_[-1]
    heads, report = dmv(text.assign(cluster=pd.Categorical(plain.labels_)))
    np.testing.assert_array_equal(loop.heads[0], heads)
    assert loop.rounds["log_likelihood"][0] == report["log_likelihood"]


def test_round_1_is_the_mixture_with_the_features_of_the_trees(text, loop):
    generator = np.random.default_rng(0)
    first = MultinomialMixture(10, 15, progress=False, random_state=generator).fit(text)
    words = ~find_punctuation(text, "form").mask
    features = dependency_features(text, loop.heads[0], first.labels_, words=words)
    second = MultinomialMixture(10, 15, progress=False, random_state=generator).fit(text, extra=features)
    np.testing.assert_array_equal(loop.labels[1], second.labels_)
    assert set(second.features_["kind"]) == {"left", "right", "suffix", "head", "dependent"}


def test_later_rounds_can_go_on_with_the_classes(text, loop):
    gone_on = looped(text, sweeps=0, rounds=2, start="continue")
    np.testing.assert_array_equal(gone_on.labels[0], gone_on.labels[1])  # no sweep, so the classes stay
    assert gone_on.rounds["log_probability"].isna().all()
    np.testing.assert_array_equal(looped(text, rounds=1).labels[0], loop.labels[0])


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


def test_the_mixture_and_the_inducer_are_the_callers_and_stay_as_they_were(text):
    mixture = MultinomialMixture(4, 5, features=("left",), progress=False)
    seen = []

    def first_word(tagged):
        seen.append(tagged.columns.tolist())
        first = tagged.groupby("sentence").cumcount().eq(0)
        return (~first).astype(int), {"trees": "left"}

    loop = class_tree_loop(text, mixture, first_word, rounds=2, kinds=["head"])
    assert seen == [["sentence", "form", "cluster"]] * 2 and loop.rounds["trees"].eq("left").all()
    assert not hasattr(mixture, "labels_") and mixture.random_state == 0
    assert (loop.heads[1] == (text["position"] > 1)).all() and loop.rounds["moved"][1] == 0


def test_gold_columns_are_not_looked_at(text, loop):
    shuffled = text.assign(head=0, fine="x", coarse="x", universal="x")
    np.testing.assert_array_equal(looped(shuffled).heads, loop.heads)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"rounds": 0}, "rounds is 0"),
        ({"kinds": ()}, "kinds is"),
        ({"kinds": ("head", "child")}, "kinds is"),
        ({"values": "tags"}, "values is 'tags'"),
        ({"n_words": 0}, "n_words is 0"),
        ({"start": "again"}, "start is 'again'"),
        ({"words": [True]}, "words must hold True or False for each of 9 tokens"),
        ({"induce_trees": lambda tagged: ([7] * 9, {})}, "a head is not in its sentence"),
    ],
)
def test_a_bad_argument_of_the_loop_is_refused(options, message):
    chosen = {"induce_trees": lambda tagged: (HEADS, {}), **options}
    with pytest.raises(ValueError, match=message):
        class_tree_loop(TWO, MultinomialMixture(3, 1, progress=False), **chosen)


@pytest.mark.parametrize(
    ("heads", "classes", "message"),
    [
        ([7, *HEADS[1:]], CLASSES, "a head is not in its sentence"),
        ([-1, *HEADS[1:]], CLASSES, "a head is not in its sentence"),
        (HEADS[1:], CLASSES, "heads has 8 values for 9 tokens"),
        (HEADS, CLASSES[1:], "labels has 8 values for 9 tokens"),
        (HEADS, None, "labels were not given"),
    ],
)
def test_trees_and_classes_that_do_not_fit_the_text_are_refused(heads, classes, message):
    with pytest.raises(ValueError, match=message):
        dependency_features(TWO, heads, classes)
