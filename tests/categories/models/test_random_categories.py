from collections import Counter, defaultdict

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.categories.models import RandomCategories

TOKENS = st.lists(st.tuples(st.sampled_from("abcdefg"), st.sampled_from(["N", "V", "DET", "NA"])), min_size=1)


@given(TOKENS, st.integers(0, 5))
def test_clusters_are_as_large_as_the_classes_by_most_frequent_tag(pairs, seed):
    tags = defaultdict(Counter)
    for form, tag in pairs:
        tags[form][tag] += 1
    first = {form: min(counts, key=lambda tag: (-counts[tag], tag)) for form, counts in tags.items()}
    tokens = pd.DataFrame(pairs, columns=["form", "coarse"])
    model = RandomCategories(random_state=seed).fit(tokens)
    assert model.sizes_.to_dict() == {tag: Counter(first.values())[tag] for tag in sorted({tag for _, tag in pairs})}
    assert model.clusters_["form"].tolist() == sorted(tags)
    found = Counter(model.clusters_["cluster"])
    assert [found[k] for k in range(len(model.sizes_))] == model.sizes_.tolist()


@given(TOKENS)
def test_all_tokens_of_a_type_share_its_cluster(pairs):
    tokens = pd.DataFrame(pairs, columns=["form", "coarse"])
    labels = RandomCategories().fit(tokens).predict(tokens)
    assert labels.groupby(tokens["form"]).nunique().max() == 1
    assert (labels.dtype, labels.name, labels.index.equals(tokens.index)) == ("Int32", "cluster", True)


def corpus():
    forms = [f"word{i}" for i in range(200)]
    return pd.DataFrame({"form": forms, "tag": ["N"] * 150 + ["V"] * 50})


def test_a_seed_gives_the_same_draw_and_another_seed_another():
    tokens = corpus()
    first, again, other = (RandomCategories("tag", seed).fit(tokens).predict(tokens) for seed in (1, 1, 2))
    assert first.equals(again)
    assert not first.equals(other)
    generator = RandomCategories("tag", np.random.default_rng(1)).fit(tokens).predict(tokens)
    assert generator.equals(first)


def test_the_order_of_the_tokens_does_not_change_the_draw():
    tokens = corpus()
    reverse = RandomCategories("tag").fit(tokens.iloc[::-1]).predict(tokens)
    assert reverse.equals(RandomCategories("tag").fit(tokens).predict(tokens))


def test_words_as_categories_are_drawn_like_words_as_strings():
    tokens = corpus()
    categories = tokens.astype("category")
    assert (
        RandomCategories("tag")
        .fit(categories)
        .predict(categories)
        .equals(RandomCategories("tag").fit(tokens).predict(tokens))
    )


def test_words_unknown_to_training_are_unclustered():
    labels = RandomCategories("tag").fit(corpus()).predict(pd.DataFrame({"form": ["new", "word3"]}))
    assert labels.isna().tolist() == [True, False]


def test_a_corpus_without_gold_classes_is_refused():
    with pytest.raises(ValueError, match="tokens lacks the column 'coarse'"):
        RandomCategories().fit(corpus())
