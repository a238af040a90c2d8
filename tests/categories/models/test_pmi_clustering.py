"""Vectors of positive PMI by hand, and clusters that neither signs, rotations nor processes change."""

import subprocess
import sys
from math import log2

import numpy as np
import pandas as pd
import pytest
from scipy.sparse import csr_array

from analysis import corpora
from analysis.categories.models import PmiAgglomerative, PmiKMeans
from analysis.categories.models.pmi_clustering import context_counts, positive_pmi, reduced_vectors
from analysis.experiments import run_grid

BOTH = (PmiKMeans, PmiAgglomerative)


def text(*sentences):
    rows = [(number, form) for number, sentence in enumerate(sentences) for form in sentence.split()]
    return pd.DataFrame(rows, columns=["sentence", "form"])


@pytest.fixture(scope="module")
def nursery():
    return corpora.load("nursery").query("sentence < 200").reset_index(drop=True)


def partition(labels):
    return pd.factorize(np.asarray(labels))[0].tolist()


@pytest.mark.parametrize("model", BOTH)
@pytest.mark.parametrize("weighting", [0, 0.5, 1])
def test_words_with_the_same_contexts_are_one_class(model, weighting):
    tokens = text(*(f"{one} {other}" for one in ("a", "the", "my") for other in ("cat", "dog", "cow", "pig")))
    found = model(n_clusters=2, weighting=weighting).fit(tokens).targets_
    classes = found.groupby("cluster")["form"].agg(set).tolist()
    assert classes == [{"a", "the", "my"}, {"cat", "dog", "cow", "pig"}]


def test_contexts_are_counted_by_position_with_boundaries():
    # words: a 0, b 1, c 2; sentences "a b c" and "a c"; only a and b are contexts
    counts = context_counts(np.array([0, 1, 2, 0, 2]), np.array([0, 0, 0, 7, 7]), np.arange(3), np.arange(2), 2)
    expected = [  # columns a, b, boundary at -2, -1, 1, 2
        [0, 0, 2, 0, 0, 2, 0, 1, 0, 0, 0, 1],
        [0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 1],
        [1, 0, 1, 1, 1, 0, 0, 0, 2, 0, 0, 2],
    ]
    assert counts.toarray().tolist() == expected


def test_positive_pmi_by_hand():
    # n = 8; rows 4, 3, 1; columns 5, 3
    found = positive_pmi(np.array([[4, 0], [1, 2], [0, 1]])).toarray()
    expected = [[log2(4 * 8 / 20), 0], [0, log2(2 * 8 / 9)], [0, log2(8 / 3)]]
    np.testing.assert_allclose(found, expected, rtol=1e-14)


def test_with_weight_one_and_all_dimensions_the_angles_are_those_of_the_table():
    table = np.random.default_rng(3).poisson(1.0, (7, 30)).astype(float)
    found = reduced_vectors(csr_array(table), 50, 1.0, 0)
    unit = table / np.linalg.norm(table, axis=1, keepdims=True)
    np.testing.assert_allclose(found @ found.T, unit @ unit.T, atol=1e-8)


def test_the_truncated_decomposition_is_the_beginning_of_the_whole_one():
    table = np.random.default_rng(4).poisson(1.0, (20, 30)).astype(float)
    left, values, _ = np.linalg.svd(table)
    expected = left[:, :5] * values[:5]
    expected /= np.linalg.norm(expected, axis=1, keepdims=True)
    found = reduced_vectors(csr_array(table), 5, 1.0, 0)
    np.testing.assert_allclose(found @ found.T, expected @ expected.T, atol=1e-8)


@pytest.mark.parametrize("model", BOTH)
def test_signs_and_rotations_of_the_vectors_change_no_cluster(model, nursery):
    fitted = model(n_clusters=8).fit(nursery)
    size = fitted.vectors_.shape[1]
    seed = int(np.random.default_rng(0).integers(2**31 - 1))
    signs = np.where(np.arange(size) % 2, -1.0, 1.0)
    rotation = np.linalg.qr(np.random.default_rng(5).normal(size=(size, size)))[0]
    for changed in (fitted.vectors_ * signs, fitted.vectors_ @ rotation):
        assert partition(fitted._cluster(changed, seed)) == fitted.targets_["cluster"].tolist()


def labels_of(name, seed):
    tokens = corpora.load("nursery").query("sentence < 200").reset_index(drop=True)
    kind = {"PmiKMeans": PmiKMeans, "PmiAgglomerative": PmiAgglomerative}[name]
    return kind(n_clusters=8, random_state=seed).fit(tokens).targets_


def test_a_seed_has_one_result_serial_and_parallel():
    grid = [{"name": model.__name__, "seed": seed} for model in BOTH for seed in (0, 1)]
    serial = run_grid(labels_of, grid, progress=False)
    parallel = run_grid(labels_of, grid, n_jobs=2, progress=False)
    direct = pd.concat([labels_of(**cell) for cell in grid], ignore_index=True)
    pd.testing.assert_frame_equal(serial, parallel)
    assert serial["cluster"].tolist() == direct["cluster"].tolist()


@pytest.mark.parametrize("model", BOTH)
def test_a_generator_is_a_seed_and_rare_words_have_no_cluster(model, nursery):
    one, other = (model(n_clusters=4, random_state=np.random.default_rng(7)).fit(nursery) for _ in range(2))
    pd.testing.assert_frame_equal(one.targets_, other.targets_)
    tokens = text("a dog", "a dog", "a cat")
    fitted = model(n_clusters=2, min_count=2).fit(tokens)
    assert fitted.predict(text("dog cat a cow")).isna().tolist() == [False, True, False, True]


@pytest.mark.parametrize("model", BOTH)
def test_limits_are_refused_or_defined(model):
    with pytest.raises(ValueError, match="2 words cannot form 3 clusters"):
        model(n_clusters=3).fit(text("a dog"))
    with pytest.raises(ValueError, match="window is 0"):
        model(window=0).fit(text("a dog"))
    assert model(n_clusters=1).fit(text("a")).predict(text("a b")).fillna(-1).tolist() == [0, -1]


def test_there_are_no_more_clusters_than_vectors():
    tokens = text("a dog", "a cat", "the dog", "the cat")
    assert PmiKMeans(n_clusters=3).fit(tokens).targets_["cluster"].nunique() == 2


def test_scikit_learn_is_imported_only_when_it_is_used():
    program = (
        "import sys; from analysis.categories.models import PmiKMeans; PmiKMeans();assert 'sklearn' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", program], check=True, timeout=120)
