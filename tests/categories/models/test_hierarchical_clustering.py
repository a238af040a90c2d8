from collections import Counter
from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.cluster.hierarchy import cut_tree
from scipy.stats import spearmanr

from analysis.categories.models import HierarchicalClustering
from analysis.categories.models.hierarchical_clustering import _similarities

SENTENCES = st.lists(st.lists(st.sampled_from("abcdefg"), min_size=1, max_size=7), min_size=1, max_size=12)


def corpus(sentences):
    rows = [(number, form) for number, sentence in enumerate(sentences) for form in sentence]
    return pd.DataFrame(rows, columns=["sentence", "form"])


def generated(seed=0, n=4000, words=30):
    rng = np.random.default_rng(seed)
    weight = 1 / np.arange(1, words + 1)
    form = np.array([f"w{i:02}" for i in range(words)])[rng.choice(words, n, p=weight / weight.sum())]
    return pd.DataFrame({"sentence": np.arange(n) // 6, "form": form})


@given(SENTENCES, st.integers(1, 3), st.integers(1, 4), st.integers(1, 4))
@settings(deadline=None)
def test_contexts_are_counted_by_word_and_position_within_the_sentence(sentences, window, n_targets, n_context):
    frequencies = Counter(form for sentence in sentences for form in sentence)
    by_frequency = sorted(frequencies, key=lambda form: (-frequencies[form], form))
    targets, context = by_frequency[:n_targets], by_frequency[:n_context]
    counts = Counter()
    for sentence in sentences:
        for i, form in enumerate(sentence):
            for offset in range(-window, window + 1):
                if offset and 0 <= i + offset < len(sentence):
                    counts[form, offset, sentence[i + offset]] += 1
    offsets = [offset for offset in range(-window, window + 1) if offset]
    expected = [[counts[target, offset, word] for offset in offsets for word in context] for target in targets]
    model = HierarchicalClustering(1, n_targets, n_context, window).fit(corpus(sentences))
    assert model.vectors_.tolist() == expected
    assert model.context_words_ == context
    assert model.targets_["form"].tolist() == targets
    assert model.targets_["tokens"].tolist() == [frequencies[target] for target in targets]


def test_similarity_is_spearman_with_average_ranks():
    vectors = np.random.default_rng(0).poisson(0.7, (12, 40))
    expected, _ = spearmanr(vectors, axis=1)
    np.testing.assert_allclose(_similarities(vectors, "spearman"), expected, atol=1e-12)


def test_similarity_may_be_pearson_or_cosine():
    vectors = np.random.default_rng(1).poisson(2, (6, 30))
    np.testing.assert_allclose(_similarities(vectors, "pearson"), np.corrcoef(vectors), atol=1e-12)
    # (1, 0) and (1, 1) stand at 45 degrees
    assert _similarities(np.array([[1, 0], [1, 1]]), "cosine")[0, 1] == pytest.approx(np.sqrt(0.5))


@pytest.mark.parametrize("kind", ["spearman", "pearson", "cosine"])
def test_a_zero_vector_is_similar_to_nothing(kind):
    similarity = _similarities(np.array([[0, 0, 0], [1, 2, 0], [0, 0, 0]]), kind)
    assert similarity.tolist() == np.eye(3).tolist()


def test_counts_that_are_all_equal_have_no_correlation():
    assert _similarities(np.array([[3, 3, 3], [1, 2, 0]]), "spearman")[0, 1] == 0
    assert _similarities(np.array([[0.1] * 3, [1, 2, 0]]), "pearson")[0, 1] == 0


@pytest.mark.parametrize("linkage", ["average", "complete", "single"])
def test_clusters_are_those_of_joining_the_most_similar_by_hand(linkage):
    tokens = generated()
    model = HierarchicalClustering(5, 20, 10, linkage=linkage).fit(tokens)
    join = {"average": np.mean, "complete": np.min, "single": np.max}[linkage]
    clusters = [[word] for word in range(20)]
    while len(clusters) > 5:
        one, other = max(combinations(clusters, 2), key=lambda pair: join(model.similarity_[np.ix_(pair[0], pair[1])]))
        clusters = [cluster for cluster in clusters if cluster not in (one, other)] + [one + other]
    found = model.targets_.groupby("cluster")["form"].apply(set).tolist()
    words = model.targets_["form"].to_numpy()
    assert sorted(map(sorted, found)) == sorted(sorted(words[cluster]) for cluster in clusters)


@pytest.mark.parametrize("linkage", ["average", "complete", "single", "weighted"])
def test_cutting_is_fitting_with_another_number_of_clusters(linkage):
    tokens = generated(1)
    fitted = HierarchicalClustering(7, linkage=linkage).fit(tokens)
    for k in range(1, 31):
        cut = fitted.cut(k)
        labels = cut.targets_["cluster"].to_numpy()
        assert labels.max() == k - 1
        # numbered by their most frequent word
        assert [int(np.flatnonzero(labels == cluster)[0]) for cluster in range(k)] == sorted(
            int(np.flatnonzero(labels == cluster)[0]) for cluster in range(k)
        )
        pairs = pd.crosstab(labels, cut_tree(fitted.linkage_, n_clusters=k).ravel())
        assert (pairs > 0).to_numpy().sum() == k
    assert fitted.n_clusters == 7


def test_another_linkage_needs_no_new_counts():
    tokens = generated(2)
    relinked = HierarchicalClustering(4, linkage="average").fit(tokens).link("single")
    assert relinked.targets_.equals(HierarchicalClustering(4, linkage="single").fit(tokens).targets_)


def test_tokens_have_the_cluster_of_their_type_and_others_none():
    tokens = generated(3)
    model = HierarchicalClustering(3, n_targets=10).fit(tokens)
    cluster = dict(zip(model.targets_["form"], model.targets_["cluster"], strict=True))
    new = pd.DataFrame({"form": ["w00", "unknown", "w29", "w03"]}, index=[9, 8, 7, 6])
    labels = model.predict(new)
    assert labels.tolist() == [cluster["w00"], pd.NA, pd.NA, cluster["w03"]]
    assert (labels.dtype, labels.name, labels.index.tolist()) == ("Int32", "cluster", [9, 8, 7, 6])
    assert model.predict(new.astype("category")).equals(labels)
    assert HierarchicalClustering(3, n_targets=10).fit(tokens.astype({"form": "category"})).predict(new).equals(labels)


def test_one_word_is_one_cluster():
    assert HierarchicalClustering(1).fit(corpus([["a", "a"]])).targets_["cluster"].tolist() == [0]


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"linkage": "ward"}, "linkage is 'ward'; it must be 'average', 'complete'"),
        ({"similarity": "kendall"}, "similarity is 'kendall'; it must be 'spearman'"),
        ({"n_clusters": 8}, "7 words cannot form 8 clusters"),
        ({"n_clusters": 0}, "choose from 1 to 7"),
        ({"window": 0}, "window is 0; it must be at least 1"),
    ],
)
def test_parameters_that_make_no_sense_are_refused(parameters, message):
    with pytest.raises(ValueError, match=message):
        HierarchicalClustering(**{"n_clusters": 2} | parameters).fit(corpus([list("abcdefg")]))
