import itertools

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.inflection import as_given, inclusion_probabilities, one_item_a_lemma, sample


def pool(items, frequencies=None):
    words = [f"w{number}" for number in range(items)]
    table = pd.DataFrame({"lemma": words, "form": [word + "s" for word in words]}, dtype="str")
    return table.assign(frequency=np.arange(items, 0, -1.0) if frequencies is None else frequencies)


def lemmas(table):
    return table["lemma"].tolist()


@given(st.sampled_from(["UNIFORM", "WEIGHTED"]), st.integers(0, 10_000), st.integers(0, 5), st.integers(0, 5))
def test_sets_are_nested_disjoint_and_together_the_pool(strategy, seed, dev, extra):
    forms = pool(12 + dev + extra)
    drawn = sample(forms, strategy, sizes=[3, 7, 12], dev=dev, random_state=seed)
    assert lemmas(drawn.training(12))[:7] == lemmas(drawn.training(7)) and lemmas(drawn.training(7))[:3] == lemmas(
        drawn.training(3)
    )
    parts = lemmas(drawn.training(12)) + lemmas(drawn.dev) + lemmas(drawn.test)
    assert sorted(parts) == sorted(lemmas(forms)), "every lemma in exactly one set"
    assert (len(drawn.dev), len(drawn.test)) == (dev, extra)


@given(st.sampled_from(["UNIFORM", "WEIGHTED"]), st.integers(0, 1000))
def test_a_fifth_of_each_training_set_is_for_fine_tuning(strategy, seed):
    drawn = sample(pool(30), strategy, sizes=[10, 20], dev=5, random_state=seed)
    for size in (10, 20):
        train, tune = lemmas(drawn.train(size)), lemmas(drawn.tune(size))
        assert len(tune) == size // 5 and sorted(train + tune) == sorted(lemmas(drawn.training(size)))


@pytest.mark.parametrize(("test", "left_out"), [(None, 0), (3, 2), (5, 0)])
def test_the_test_set_has_the_size_asked_or_all_that_is_left(test, left_out):
    drawn = sample(pool(12), sizes=[4], dev=3, test=test, random_state=0)
    assert (len(drawn.dev), len(drawn.test)) == (3, 5 - left_out)


def test_the_same_seed_draws_the_same_and_another_draws_otherwise():
    first, again, other = (sample(pool(50), "WEIGHTED", [20], 10, random_state=seed) for seed in (1, 1, 2))
    assert first.ordered.equals(again.ordered) and first.test.equals(again.test)
    assert not first.ordered.equals(other.ordered)


@pytest.mark.thorough
@pytest.mark.parametrize("strategy", ["UNIFORM", "WEIGHTED"])
def test_items_are_included_as_often_as_the_exact_probabilities_say(strategy):
    weights = [8.0, 4.0, 2.0, 1.0, 1.0]
    exact = inclusion_probabilities(weights if strategy == "WEIGHTED" else [1.0] * 5, 2)
    draws = 1000
    counts = np.zeros(5)
    generator = np.random.default_rng(5)
    for _ in range(draws):
        drawn = sample(pool(5, weights), strategy, [2], 1, random_state=generator)
        counts[[int(word[1:]) for word in drawn.training(2)["lemma"]]] += 1
    error = np.sqrt(exact * (1 - exact) / draws)
    assert (np.abs(counts / draws - exact) < 4.5 * error).all()


def test_exact_probabilities_are_those_of_drawing_one_by_one():
    weights = [5.0, 3.0, 2.0]
    by_hand = np.zeros(3)
    for first, second in itertools.permutations(range(3), 2):
        chance = weights[first] / 10 * weights[second] / (10 - weights[first])
        by_hand[[first, second]] += chance
    assert inclusion_probabilities(weights, 2) == pytest.approx(by_hand)
    assert inclusion_probabilities(weights, 2).sum() == pytest.approx(2)
    assert inclusion_probabilities(weights, 0).tolist() == [0, 0, 0]


def test_under_weighted_the_first_item_is_drawn_in_proportion_to_frequency():
    heavy = [97.0, 1.0, 1.0, 1.0]
    first = [sample(pool(4, heavy), "WEIGHTED", [1], 1, random_state=seed).ordered["lemma"][0] for seed in range(300)]
    assert first.count("w0") > 270


def test_missing_and_zero_frequencies_get_the_named_weight():
    frequencies = [1.0, np.nan, 0.0, 1.0]
    wide = [sample(pool(4, frequencies), "WEIGHTED", [2], 1, random_state=s, missing_weight=1e6) for s in range(50)]
    assert all(set(lemmas(drawn.training(2))) == {"w1", "w2"} for drawn in wide)
    equal = [sample(pool(4, frequencies), "WEIGHTED", [1], 1, random_state=s).ordered["lemma"][0] for s in range(400)]
    assert all(70 < equal.count(f"w{n}") < 130 for n in range(4)), "weight 1 for all"


def test_impossible_sizes_are_refused_with_the_numbers():
    with pytest.raises(ValueError, match=r"8 training, 3 development and 2 test items are 13, but there are 12"):
        sample(pool(12), sizes=[8], dev=3, test=2)
    for wrong in ([], [0], [5, 5], [5, 3]):
        with pytest.raises(ValueError, match="ascending"):
            sample(pool(12), sizes=wrong, dev=1)
    with pytest.raises(ValueError, match="dev is -1; it must be at least 0"):
        sample(pool(12), sizes=[3], dev=-1)


def test_a_lemma_that_stands_twice_in_either_normal_form_is_refused():
    forms = pd.DataFrame({"lemma": ["Bär", "Ba\u0308r", "Tag"], "form": ["Bären", "Bären", "Tage"]})
    with pytest.raises(ValueError, match="1 lemmas occur in the pool more than once"):
        sample(forms, sizes=[1], dev=1)
    assert one_item_a_lemma(forms)["lemma"].tolist() == ["Bär", "Tag"]


def test_one_item_a_lemma_keeps_the_most_frequent():
    forms = pd.DataFrame({"lemma": ["lie", "go", "lie"], "form": ["lied", "went", "lay"], "frequency": [1, 5, 3]})
    assert one_item_a_lemma(forms)["form"].tolist() == ["went", "lay"]


def test_strategies_frequencies_and_sizes_are_checked():
    with pytest.raises(ValueError, match="SIGM22"):
        sample(pool(5), "SIGM22", [2], 1)
    with pytest.raises(ValueError, match="'frequency'"):
        sample(pool(5).drop(columns="frequency"), "WEIGHTED", [2], 1)
    with pytest.raises(ValueError, match="negative"):
        sample(pool(5, [1, 1, 1, 1, -1]), "WEIGHTED", [2], 1)
    with pytest.raises(ValueError, match="no set of 3 items"):
        sample(pool(5), sizes=[2], dev=1).training(3)


def test_a_given_split_stays_as_it_is():
    forms = pool(10)
    given_split = as_given(forms[:6], forms[6:8], forms[8:], [2, 5], 0)
    assert lemmas(given_split.training(5)) == lemmas(forms[:5]) and given_split.strategy == "SIGM22"
    assert len(given_split.tune(5)) == 1
    with pytest.raises(ValueError, match="there are 6"):
        as_given(forms[:6], forms[6:8], forms[8:], [7])
