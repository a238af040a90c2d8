import itertools
import math
from collections import Counter

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis.categories.models.brown_clustering import BrownClustering
from analysis.categories.models.clark_clustering import ClarkClustering
from analysis.categories.models.class_bigrams import ClassCounts, adjacent_pairs
from analysis.categories.models.exchange_clustering import ExchangeClustering

SENTENCES = st.lists(st.lists(st.sampled_from("abcdef"), min_size=1, max_size=6), min_size=1, max_size=6)


def table(sentences):
    return pd.DataFrame(
        [(number, form) for number, s in enumerate(sentences) for form in s], columns=["sentence", "form"]
    )


def pairs_by_hand(sentences, boundaries):
    if boundaries == "symbol":
        text = ["#"] + [form for sentence in sentences for form in [*sentence, "#"]]
        return Counter(itertools.pairwise(text))
    if boundaries == "cross":
        text = [form for sentence in sentences for form in sentence]
        return Counter(itertools.pairwise(text))
    return Counter(pair for sentence in sentences for pair in itertools.pairwise(sentence))


@given(SENTENCES)
@pytest.mark.parametrize("boundaries", ["symbol", "separate", "cross"])
def test_pairs_are_those_counted_by_hand(boundaries, sentences):
    pairs = adjacent_pairs(table(sentences), boundaries=boundaries)
    names = [*pairs.forms, "#"]
    found = {(names[v], names[w]): n for v, w, n in zip(pairs.left, pairs.right, pairs.counts, strict=True)}
    assert found == dict(pairs_by_hand(sentences, boundaries))
    after_start, after, after_counts, before_start, before, before_counts = pairs.neighbours()
    for t, form in enumerate(names):
        there = slice(after_start[t], after_start[t + 1])
        assert {(form, names[r]): n for r, n in zip(after[there], after_counts[there], strict=True)} == {
            pair: n for pair, n in found.items() if pair[0] == form
        }
        there = slice(before_start[t], before_start[t + 1])
        assert {(names[v], form): n for v, n in zip(before[there], before_counts[there], strict=True)} == {
            pair: n for pair, n in found.items() if pair[1] == form
        }


@given(SENTENCES)
def test_types_stand_by_frequency_and_then_by_first_occurrence(sentences):
    words = [form for sentence in sentences for form in sentence]
    pairs = adjacent_pairs(table(sentences), min_count=2)
    expected = [form for form, _ in Counter(words).most_common()]  # stable: ties by first occurrence
    assert pairs.forms.tolist() == expected
    assert pairs.frequencies.tolist() == [words.count(form) for form in expected]
    assert pairs.n_frequent == sum(n >= 2 for n in Counter(words).values())


@settings(deadline=None)  # the first call compiles
@given(SENTENCES, st.lists(st.integers(0, 2), min_size=6, max_size=6))
def test_the_objective_is_the_log_likelihood_up_to_the_words_own_term(sentences, drawn):
    pairs = adjacent_pairs(table(sentences))
    n_types = len(pairs.forms)
    classes = np.array([*drawn[:n_types], 3], dtype=np.int64)
    counts = ClassCounts(pairs, classes, 4)
    # sum over pairs of log p(g(w)|g(v)) p(w|g(w)), with frequencies as probabilities
    by_class, first, second, word = Counter(), Counter(), Counter(), Counter()
    for v, w, n in zip(pairs.left.tolist(), pairs.right.tolist(), pairs.counts.tolist(), strict=True):
        by_class[classes[v], classes[w]] += n
        first[classes[v]] += n
        second[classes[w]] += n
        word[w] += n
    likelihood = sum(
        n * math.log(by_class[classes[v], classes[w]] / first[classes[v]] * word[w] / second[classes[w]])
        for v, w, n in zip(pairs.left.tolist(), pairs.right.tolist(), pairs.counts.tolist(), strict=True)
    )
    own = sum(n * math.log(n) for n in word.values())
    assert counts.objective + own == pytest.approx(likelihood, abs=1e-9)
    total = int(pairs.counts.sum())
    information = sum(n / total * math.log2(n * total / (first[c] * second[d])) for (c, d), n in by_class.items())
    assert counts.average_mutual_information == pytest.approx(information, abs=1e-9)


def test_a_table_without_a_pair_has_no_information():
    pairs = adjacent_pairs(table([["a"]]), boundaries="separate")
    assert ClassCounts(pairs, np.array([0, 1]), 2).average_mutual_information == 0


def test_a_category_that_no_token_has_is_no_type():
    tokens = table([["a", "b"]]).astype({"form": pd.CategoricalDtype(["z", "b", "a"])})
    assert adjacent_pairs(tokens).forms.tolist() == ["a", "b"]


def test_na_and_null_are_words():
    assert adjacent_pairs(table([["NA", "null", "NA"]])).forms.tolist() == ["NA", "null"]


def test_unknown_arguments_and_bad_tables_are_refused():
    with pytest.raises(ValueError, match="'symbol', 'separate' or 'cross'"):
        adjacent_pairs(table([["a"]]), boundaries="none")
    with pytest.raises(ValueError, match="at least 1"):
        adjacent_pairs(table([["a"]]), min_count=0)
    with pytest.raises(ValueError, match="lacks the column 'sentence'"):
        adjacent_pairs(table([["a"]])[["form"]])
    with pytest.raises(ValueError, match="not fitted"):
        BrownClustering(2).predict(table([["a"]]))


def test_parameters_are_had_and_set_by_name_as_in_scikit_learn():
    for model in (BrownClustering(7), ExchangeClustering(7), ClarkClustering(7)):
        assert model.get_params()["n_clusters"] == 7
        assert model.set_params(n_clusters=8, progress=False).n_clusters == 8
        assert "n_clusters=8" in repr(model)
