import math
from itertools import combinations, pairwise

import numpy as np
import pandas as pd
import pytest

from analysis.categories.models import class_bigram_kernels
from analysis.categories.models.brown_clustering import BrownClustering


def random_tokens(seed, n_types, n_sentences=60):
    random = np.random.default_rng(seed)
    weights = 1 / np.arange(1, n_types + 1)
    forms = [f"w{i}" for i in range(n_types)]
    rows = [
        (number, form)
        for number in range(n_sentences)
        for form in random.choice(forms, size=random.integers(1, 9), p=weights / weights.sum())
    ]
    return pd.DataFrame(rows, columns=["sentence", "form"])


def text_of(tokens, boundary="#"):
    text = [boundary]
    for _, sentence in tokens.groupby("sentence"):
        text += [*sentence["form"], boundary]
    return text


def mutual_information(text, class_of):
    """Sum of N(c,d) log2 N(c,d) n / (N(c,.) N(.,d)) over pairs of words that are in, divided by nothing yet."""
    cells = {}
    for v, w in pairwise(text):
        if v in class_of and w in class_of:
            cell = class_of[v], class_of[w]
            cells[cell] = cells.get(cell, 0) + 1
    first, second = {}, {}
    for (c, d), n in cells.items():
        first[c] = first.get(c, 0) + n
        second[d] = second.get(d, 0) + n
    total = sum(cells.values())
    return sum(n * math.log2(n * total / (first[c] * second[d])) for (c, d), n in cells.items())


@pytest.mark.parametrize(("seed", "n_clusters"), [(0, 3), (1, 4), (2, 5), (3, 2), (4, 15), (5, 1)])
@pytest.mark.parametrize("boundaries", ["symbol", "cross"])
def test_every_merger_is_the_best_by_a_naive_recomputation_on_15_types(boundaries, seed, n_clusters):
    tokens = random_tokens(seed, 15)
    model = BrownClustering(n_clusters=n_clusters, boundaries=boundaries, progress=False).fit(tokens)
    text = text_of(tokens) if boundaries == "symbol" else tokens["form"].tolist()
    words = model.clusters_["form"].tolist()  # by frequency
    class_of = {"#": "#"} if boundaries == "symbol" else {}
    entering = iter(words)
    n_pairs = len(text) - 1
    for merge in model.merges_.itertuples():
        while not merge.tree and len(set(class_of.values()) - {"#"}) <= n_clusters:
            word = next(entering)
            class_of[word] = word
        if merge.tree and set(words) - set(class_of):
            class_of |= {word: word for word in entering}
        before = mutual_information(text, class_of)
        losses = {
            (one, two): before - mutual_information(text, {w: one if c == two else c for w, c in class_of.items()})
            for one, two in combinations(sorted(set(class_of.values()) - {"#"}, key=words.index), 2)
        }
        assert merge.loss * n_pairs == pytest.approx(losses[merge.left, merge.right], abs=1e-8)
        assert losses[merge.left, merge.right] == pytest.approx(min(losses.values()), abs=1e-5)
        # of equal losses the pair of the most frequent words
        near = [pair for pair, loss in losses.items() if loss < min(losses.values()) + 1e-7]
        assert (merge.left, merge.right) == near[0]
        class_of = {w: merge.left if c == merge.right else c for w, c in class_of.items()}
    assert len(model.merges_) == 14
    assert set(class_of.values()) - {"#"} == {words[0]}


def test_losses_stay_exact_over_many_words():
    # the incremental losses of 400 words, the last mergers checked from scratch through the mutual information
    tokens = random_tokens(7, 400, 800)
    model = BrownClustering(n_clusters=12, progress=False).fit(tokens)
    text, class_of = text_of(tokens), dict(zip(model.clusters_["form"], model.clusters_["cluster"], strict=True))
    first = model.clusters_.drop_duplicates("cluster").set_index("form")["cluster"]
    class_of["#"] = -1
    information = mutual_information(text, class_of)
    assert model.average_mutual_information_ == pytest.approx(information / (len(text) - 1))
    for merge in model.merges_[model.merges_["tree"]].itertuples():
        class_of = {w: first[merge.left] if c == first[merge.right] else c for w, c in class_of.items()}
        after = mutual_information(text, class_of)
        assert merge.loss == pytest.approx((information - after) / (len(text) - 1), abs=1e-10)
        information = after


def test_paths_are_a_prefix_code_and_follow_the_tree():
    model = BrownClustering(n_clusters=8, progress=False).fit(random_tokens(3, 40))
    clusters = model.clusters_
    paths = clusters.groupby("cluster")["path"].unique()
    assert paths.map(len).eq(1).all()
    paths = [path[0] for path in paths]
    assert len(set(paths)) == 8
    assert sum(2.0 ** -len(path) for path in paths) == 1  # every leaf of a binary tree, and nothing else
    last = model.merges_.iloc[-1]
    top = clusters.set_index("form")["path"]
    assert (top[last["left"]][0], top[last["right"]][0]) == ("0", "1")
    undone = model.merges_[model.merges_["tree"]].iloc[0]  # the first merger of the tree joins two sisters
    assert top[undone["left"]][:-1] == top[undone["right"]][:-1]


def test_words_used_alike_share_a_class():
    random = np.random.default_rng(0)
    rows = []
    classes = [(["the", "a"], [0.7, 0.3]), (["dog", "cat", "cow"], [0.6, 0.2, 0.2]), (["ran", "sat"], [0.7, 0.3])]
    for number in range(400):  # the three most frequent words, with which it starts, are one of each class
        rows += [(number, random.choice(words, p=shares)) for words, shares in classes]
    model = BrownClustering(n_clusters=3, progress=False).fit(pd.DataFrame(rows, columns=["sentence", "form"]))
    found = set(model.clusters_.groupby("cluster")["form"].apply(frozenset))
    assert found == {frozenset({"the", "a"}), frozenset({"dog", "cat", "cow"}), frozenset({"ran", "sat"})}


def test_rare_words_are_left_out_or_are_one_more_class():
    tokens = random_tokens(1, 30)
    frequency = tokens["form"].value_counts()
    rare = set(frequency.index[frequency < 4])
    assert rare
    left_out = BrownClustering(n_clusters=4, min_count=4, progress=False).fit(tokens)
    assert set(left_out.clusters_["form"]) == set(frequency.index) - rare
    assert left_out.predict(tokens).isna().to_numpy().tolist() == tokens["form"].isin(rare).tolist()
    one_class = BrownClustering(n_clusters=4, min_count=4, rare="one class", progress=False).fit(tokens)
    assert one_class.n_clusters_ == 5
    of_rare = one_class.clusters_[one_class.clusters_["form"].isin(rare)]
    assert of_rare["cluster"].eq(4).all() and of_rare["path"].eq("").all()


def test_fewer_words_than_clusters_are_one_class_each():
    model = BrownClustering(n_clusters=10, progress=False).fit(random_tokens(0, 3))
    assert model.n_clusters_ == 3
    assert sorted(model.clusters_["path"]) == ["0", "10", "11"] or sorted(map(len, model.clusters_["path"])) == [
        1,
        2,
        2,
    ]


def test_one_word_alone_has_an_empty_path():
    model = BrownClustering(n_clusters=3, progress=False).fit(pd.DataFrame({"sentence": [0, 0], "form": ["a", "a"]}))
    assert model.clusters_.to_numpy().tolist() == [["a", 0, 2, ""]]


def test_unknown_words_are_missing_and_the_index_is_kept():
    model = BrownClustering(n_clusters=2, progress=False).fit(random_tokens(0, 5))
    found = model.predict(pd.DataFrame({"form": ["w0", "new"]}, index=[7, 9]))
    assert (found.name, str(found.dtype), found.index.tolist()) == ("cluster", "Int32", [7, 9])
    assert found.isna().tolist() == [False, True]


def test_wrong_arguments_are_refused():
    tokens = random_tokens(0, 5)
    with pytest.raises(ValueError, match="n_clusters is 0"):
        BrownClustering(n_clusters=0).fit(tokens)
    with pytest.raises(ValueError, match="'left out' or 'one class'"):
        BrownClustering(rare="assigned").fit(tokens)
    with pytest.raises(ValueError, match="nothing to cluster"):
        BrownClustering(min_count=10**6).fit(tokens)
    with pytest.raises(ValueError, match="not fitted"):
        BrownClustering().predict(tokens)


def test_of_equal_losses_with_one_first_word_the_most_frequent_second_word_is_merged():
    # each word is a sentence: all stand between two boundaries, so that no merger loses anything and all tie; after
    # the first merger a new word takes the free first slot, so that the order of the slots is not that of the words
    rows = [word for count, word in zip(range(9, 2, -1), "abcdefg", strict=True) for _ in range(count)]
    tokens = pd.DataFrame({"sentence": range(len(rows)), "form": rows})
    merges = BrownClustering(n_clusters=3, progress=False).fit(tokens).merges_
    assert merges["loss"].to_numpy() == pytest.approx(0, abs=1e-9)
    assert merges[["left", "right"]].to_numpy().tolist() == [["a", word] for word in "bcdefg"]


@pytest.mark.parametrize(("difference", "merged"), [(0.5, (1, 0)), (2, (3, 2))])
def test_losses_within_the_tolerance_are_equal_also_between_rows(difference, merged):
    cells = np.full((4, 4), np.inf)
    cells[1, 0], cells[3, 2] = 1 + difference * class_bigram_kernels.TOLERANCE, 1.0
    assert class_bigram_kernels._least_loss(cells, np.zeros((4, 4)), np.arange(4)) == merged
