"""Prototype clusters: cases whose classes are known, the landmarks by hand, and what must not change the result."""

import random
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest

from analysis import corpora
from analysis.categories.models import HierarchicalClustering, PrototypeClustering
from analysis.categories.models.last_morphs import last_morphs
from analysis.categories.models.prototype_clustering import distant
from analysis.experiments import run_grid

LEFT, RIGHT = ("a", "the", "my", "your", "this"), ("cat", "dog", "cow", "pig", "hen")
EVERY = {"min_count": 1, "min_share": 0, "progress": False}
PLAIN = EVERY | {"morphology_weight": 0, "rare_morphology_weight": 0}


def text(*sentences):
    rows = [(number, form) for number, sentence in enumerate(sentences) for form in sentence.split()]
    return pd.DataFrame(rows, columns=["sentence", "form"])


@pytest.fixture(scope="module")
def two_classes():
    """Words with right neighbours only and words with left neighbours only, each with all of the other class."""
    return text(*(f"{one} {other}" for one in LEFT for other in RIGHT))


@pytest.fixture(scope="module")
def nursery():
    return corpora.load("nursery").query("sentence < 400").reset_index(drop=True)


@pytest.fixture(scope="module")
def fitted(nursery):
    return PrototypeClustering(6, min_count=4, progress=False).fit(nursery)


def partition(labels):
    return pd.factorize(np.asarray(labels))[0].tolist()


def test_without_morphology_pruning_and_choice_it_is_the_hierarchical_clustering_of_cosines(nursery):
    least, n_targets = 12, int((nursery["form"].value_counts() >= 12).sum())
    peer = HierarchicalClustering(7, n_targets, n_context=20, window=2, similarity="cosine").fit(nursery)
    assert len(np.unique(peer.linkage_[:, 2].round(9))) == n_targets - 1, "no tie: there is only one tree"
    same = {"n_context": 20, "window": 2, "power": 1, "morphology_weight": 0, "rare_morphology_weight": 0}
    every = {"min_count": least, "min_share": 0, "clusters_per_landmark": 1, "prototype_share": 1, "progress": False}
    model = PrototypeClustering(7, **same, **every).fit(nursery)
    targets = model.targets_.head(n_targets)
    assert targets["form"].tolist() == peer.targets_["form"].tolist() and targets["prototype"].all()
    assert partition(targets["cluster"]) == partition(peer.targets_["cluster"])
    np.testing.assert_allclose(model.merges_, peer.linkage_[: n_targets - 7], atol=1e-9)
    assert not model.targets_["prototype"][n_targets:].any()


@pytest.mark.parametrize("k", range(2, 11))
@pytest.mark.parametrize("weight", [0, 0.3])
def test_two_classes_with_disjoint_contexts_are_found_with_any_number_of_clusters(two_classes, k, weight):
    model = PrototypeClustering(k, **(EVERY | {"morphology_weight": weight})).fit(two_classes)
    classes = model.targets_["form"].isin(LEFT)
    assert (classes.groupby(model.targets_["cluster"]).nunique() == 1).all()
    assert model.targets_["cluster"].nunique() == k


def test_every_type_has_exactly_one_cluster_and_every_cluster_a_prototype(nursery, fitted):
    labels = fitted.predict(nursery)
    assert labels.notna().all()
    assert (labels.groupby(nursery["form"].astype(str)).nunique() == 1).all()
    found = fitted.targets_
    assert sorted(found["form"]) == sorted(nursery["form"].astype(str).unique())
    assert found["tokens"].sum() == len(nursery)
    prototypes = found[found["prototype"]]
    assert prototypes.groupby("cluster").size().tolist() == fitted.landmarks_["prototypes"].tolist()
    assert set(prototypes["cluster"]) == set(range(6)) == set(labels)
    assert prototypes["tokens"].min() >= 4
    assert fitted.predict(text("the zyx")).isna().tolist() == [False, True]


def test_the_order_of_the_sentences_and_of_the_categories_changes_nothing(nursery, fitted):
    order = np.random.default_rng(1).permutation(nursery["sentence"].max() + 1)
    moved = [nursery[nursery["sentence"] == old].assign(sentence=new) for new, old in enumerate(order)]
    shuffled = pd.concat(moved, ignore_index=True)
    forms = shuffled["form"].astype(str)
    backwards = shuffled.assign(form=pd.Categorical(forms, categories=sorted(forms.unique(), reverse=True)))
    for changed in (shuffled, backwards):
        again = PrototypeClustering(6, min_count=4, progress=False).fit(changed)
        pd.testing.assert_frame_equal(again.targets_, fitted.targets_)
        pd.testing.assert_frame_equal(again.landmarks_, fitted.landmarks_)


def test_ties_go_to_the_landmark_that_was_taken_first(two_classes):
    # "off" has no context word, so it is equally (0) similar to all prototypes
    tokens = pd.concat([two_classes, text("off").assign(sentence=99)], ignore_index=True)
    model = PrototypeClustering(2, **(PLAIN | {"n_context": 10, "min_count": 5, "clusters_per_landmark": 1})).fit(
        tokens
    )
    # both classes have five types, all equally similar: the one of the first word (in code-point order) is taken first
    assert model.targets_["form"].iloc[0] == "a" and model.landmarks_["score"].tolist() == [5, 5]
    clusters = model.targets_.set_index("form")["cluster"]
    assert clusters["a"] == clusters["off"] == 0 and clusters["cat"] == 1
    # of equally near types, the first become prototypes: half of five, rounded up
    assert model.targets_.query("prototype and cluster == 0")["form"].tolist() == ["a", "my", "the"]


def test_the_best_cluster_that_is_unlike_those_taken_is_next_and_the_limit_is_relaxed_where_there_is_none():
    cosines = np.array([[1, 0.85, 0.1, 0.7], [0.85, 1, 0.95, 0.7], [0.1, 0.95, 1, 0.7], [0.7, 0.7, 0.7, 1]])
    scores = np.array([4.0, 3.0, 2.0, 1.0])
    # 1 is too near to 0, so 2 and 3 come first; 1 needs a limit above 0.95
    assert distant(scores, cosines, 3, 0.8, 0.05) == [0, 2, 3]
    assert distant(scores, cosines, 4, 0.8, 0.05) == [0, 2, 3, 1]
    assert distant(scores, cosines, 4, 0.9, 0.05) == [0, 1, 3, 2]
    # with a limit of 0.1, 0.1 is not below it: one step allows 2, and 3 is allowed before 1
    assert distant(scores, cosines, 4, 0.1, 0.05) == [0, 2, 3, 1]
    assert distant(np.ones(3), np.ones((3, 3)), 3, 0.8, 0.05) == [0, 1, 2]


def test_scores_and_prototypes_by_hand():
    # "x" stands before m, n; "y" before m, n; "z" before m only: cos(x, y) = 1, cos(x, z) = 1 / sqrt(2)
    tokens = text("x m", "x n", "y m", "y n", "z m", "z m")
    model = PrototypeClustering(
        1, **(PLAIN | {"power": 1, "min_count": 2, "clusters_per_landmark": 2, "min_prototypes": 1})
    ).fit(tokens)
    # by frequency m, n, x, y, z; the two clusters are {m, n} and {x, y, z}; cos(m, n): m has x, y, 2 z, n has x, y
    assert model.landmarks_["types"].tolist() == [3]
    assert model.landmarks_["score"].item() == pytest.approx(3 * (1 + 2 / 2**0.5) / 3)
    assert model.targets_.query("prototype")["form"].tolist() == ["x", "y"]  # half of 3 types, rounded up
    similarity = model.targets_.set_index("form")["similarity"]
    assert similarity[["x", "y", "z"]].tolist() == pytest.approx([1, 1, 1 / 2**0.5])
    assert similarity[["m", "n"]].tolist() == [0, 0]
    assert model.objective_ == pytest.approx((2 + 1 / 2**0.5) / 5)


def test_morphology_is_whole_half_or_none_and_weighs_more_for_rare_words():
    stems = [first + rest for first in "bdfgklmnprst" for rest in ("olam", "irek")]
    suffixed = " ".join(stem + ending for stem in stems for ending in ("", "ing"))
    tokens = text(suffixed.replace("bolaming", "bolaming bolaming"), "Dirving", "4-ing")
    options = {"min_count": 2, "min_share": 0, "progress": False, "n_context": 1, "min_suffix_types": 5}
    model = PrototypeClustering(1, **options).fit(tokens)
    rows = model.targets_.set_index("form")
    assert rows[rows["prototype"]].index.tolist() == ["bolaming"], "the only word with two tokens"
    assert rows.loc["bolaming", "suffix"] == rows.loc["dolaming", "suffix"] == "ing"
    # no other word has a neighbour in common with it: what is left is 0.7 of morphology, 0.3 if the word is not rare
    assert rows.loc["dolaming", "similarity"] == pytest.approx(0.7)
    assert rows.loc["dolam", "similarity"] == 0
    assert rows.loc["Dirving", "similarity"] == pytest.approx(0.7 * 0.5), "a capital"
    assert rows.loc["4-ing", "similarity"] == pytest.approx(0.7 * 0.5)
    less = PrototypeClustering(1, **options, rare_count=1, suffix_similarity=0.25).fit(tokens)
    rows = less.targets_.set_index("form")
    assert rows.loc["dolaming", "similarity"] == pytest.approx(0.3)
    assert rows.loc["Dirving", "similarity"] == pytest.approx(0.3 * 0.25)


def test_an_ending_that_few_types_have_is_none(nursery):
    words = sorted(nursery["form"].astype(str).unique())
    every, common = last_morphs(words), last_morphs(words, min_types=10)
    sizes = pd.Series(every).value_counts()
    assert sizes.drop("").min() < 10 <= sizes.drop("").max()
    assert common == [ending if sizes[ending] >= 10 else "" for ending in every]
    assert all(word.endswith(ending) and word != ending for word, ending in zip(words, every, strict=True))


def test_the_endings_depend_on_the_seed_not_on_the_order_of_the_words_and_leave_the_shared_generator_alone(nursery):
    words = sorted(nursery["form"].astype(str).unique())
    random.seed(5)
    expected = random.random()
    random.seed(5)
    found = dict(zip(words, last_morphs(words, random_state=3), strict=True))
    assert random.random() == expected
    shuffled = np.random.default_rng(0).permutation(words).tolist()
    assert dict(zip(shuffled, last_morphs(shuffled, random_state=3), strict=True)) == found
    assert last_morphs(words, random_state=np.random.default_rng(3)) == list(found.values())
    assert last_morphs([]) == [] and last_morphs(["a", ""]) == ["", ""]


def test_below_1_the_weight_of_the_words_divides_more_of_them(nursery):
    words = sorted(nursery["form"].astype(str).unique())
    divided = [sum(map(bool, last_morphs(words, corpus_weight=weight))) for weight in (0.3, 1, 5)]
    assert divided[0] > divided[1] > divided[2]


def labels_of(seed):
    tokens = corpora.load("nursery").query("sentence < 400").reset_index(drop=True)
    return PrototypeClustering(6, min_count=4, progress=False, random_state=seed).fit(tokens).targets_


def test_a_seed_has_one_result_serial_and_parallel(fitted):
    grid = [{"seed": seed} for seed in (0, 1)]
    serial = run_grid(labels_of, grid, progress=False)
    parallel = run_grid(labels_of, grid, n_jobs=2, progress=False)
    pd.testing.assert_frame_equal(serial, parallel)
    assert serial.query("seed == 0")["cluster"].tolist() == fitted.targets_["cluster"].tolist()


@pytest.mark.parametrize(
    ("choice", "message"),
    [
        ({"n_clusters": 0}, "n_clusters is 0"),
        ({"morphology_weight": 1.5}, "morphology_weight is 1.5; it must be from 0 to 1"),
        ({"relaxation": 0}, "relaxation is 0; it must be a number above 0"),
        ({"prototype_share": -1}, "prototype_share is -1"),
        ({"power": -0.5}, "power is -0.5"),
        ({"min_share": 0.5}, "no word has 25 tokens: lower min_count and min_share"),
    ],
)
def test_impossible_choices_are_refused(two_classes, choice, message):
    with pytest.raises(ValueError, match=message):
        PrototypeClustering(**(EVERY | choice)).fit(two_classes)


def test_without_a_weight_of_morphology_morfessor_is_not_imported():
    program = (
        "import sys, pandas as pd; from analysis.categories.models import PrototypeClustering;"
        "tokens = pd.DataFrame({'sentence': [0, 0], 'form': ['a', 'cat']});"
        "weights = {'morphology_weight': 0, 'rare_morphology_weight': 0};"
        "PrototypeClustering(2, min_count=1, progress=False, **weights).fit(tokens);"
        "assert 'morfessor' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", program], check=True, timeout=120)


def test_there_are_no_more_clusters_than_candidates(two_classes):
    tokens = pd.concat([two_classes, text("a zebu").assign(sentence=99)], ignore_index=True)
    model = PrototypeClustering(12, **(EVERY | {"min_count": 5})).fit(tokens)
    assert model.targets_["cluster"].nunique() == 10 and model.predict(tokens).max() == 9


def test_a_text_of_one_word_is_one_cluster():
    model = PrototypeClustering(1, **EVERY).fit(text("a a", "a"))
    assert model.targets_[["form", "cluster", "prototype"]].values.tolist() == [["a", 0, True]]
