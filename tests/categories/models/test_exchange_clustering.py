import itertools
import math
from collections import Counter

import numpy as np
import pandas as pd
import pytest

from analysis.categories.models.exchange_clustering import ExchangeClustering, perturbed


def random_tokens(seed, n_types=40, n_sentences=120):
    random = np.random.default_rng(seed)
    weights = 1 / np.arange(1, n_types + 1)
    forms = [f"w{i}" for i in range(n_types)]
    rows = [
        (number, form)
        for number in range(n_sentences)
        for form in random.choice(forms, size=random.integers(1, 9), p=weights / weights.sum())
    ]
    return pd.DataFrame(rows, columns=["sentence", "form"])


def pairs_of(tokens, boundaries):
    sentences = [sentence["form"].tolist() for _, sentence in tokens.groupby("sentence")]
    if boundaries == "separate":
        return Counter(pair for s in sentences for pair in itertools.pairwise(s))
    text = [form for s in sentences for form in (["#", *s] if boundaries == "symbol" else s)]
    text += ["#"] if boundaries == "symbol" else []
    return Counter(itertools.pairwise(text))


def objective(pairs, class_of):
    """F from scratch: cells less the two sums, words without a class left out."""
    cells, first, second = Counter(), Counter(), Counter()
    for (v, w), n in pairs.items():
        if v in class_of and w in class_of:
            c, d = class_of[v], class_of[w]
            cells[c, d] += n
            first[c] += n
            second[d] += n
    cost = lambda counts: sum(n * math.log(n) for n in counts.values())  # noqa: E731
    return cost(cells) - cost(first) - cost(second)


def start_of(model, tokens, n_clusters):
    """First class of each word with initialisation="frequent"."""
    words = [form for form, _ in Counter(tokens["form"]).most_common()]
    frequent = [form for form in words if (tokens["form"] == form).sum() >= model.min_count]
    start = {form: min(rank, n_clusters - 1) for rank, form in enumerate(frequent)}
    if model.rare != "left out":
        start |= dict.fromkeys(words[len(frequent) :], "rare")
    return start


@pytest.mark.parametrize("boundaries", ["symbol", "separate", "cross"])
@pytest.mark.parametrize(("min_count", "rare"), [(1, "assigned"), (4, "assigned"), (4, "one class"), (4, "left out")])
def test_the_change_of_the_objective_equals_recomputation_at_every_move(boundaries, min_count, rare):
    tokens, n_clusters = random_tokens(2), 5
    model = ExchangeClustering(n_clusters, min_count=min_count, rare=rare, boundaries=boundaries, progress=False)
    model.fit(tokens)
    pairs, class_of = pairs_of(tokens, boundaries), start_of(model, tokens, n_clusters) | {"#": "#"}
    value = objective(pairs, class_of)
    assert len(model.moves_) > 20
    for move in model.moves_.itertuples():
        assert class_of[move.form] == (move.origin if move.origin < n_clusters else "rare")
        others = [objective(pairs, class_of | {move.form: k}) for k in range(n_clusters)]
        class_of[move.form] = move.target
        after = objective(pairs, class_of)
        if move.origin < n_clusters:
            assert move.change == pytest.approx(after - value, abs=1e-7)
            assert move.change > 0
        assert after == pytest.approx(max(others), abs=1e-5)
        value = after
    assert model.objective_ == pytest.approx(value, abs=1e-7)
    found = dict(zip(model.clusters_["form"], model.clusters_["cluster"], strict=True))
    expected = pd.Series({w: class_of[w] for w in found})
    assert pd.crosstab(expected, pd.Series(found)).gt(0).sum(axis=1).eq(1).all()  # the same classes under other names


def test_at_the_end_no_single_move_raises_the_objective():
    tokens = random_tokens(3)
    model = ExchangeClustering(4, initialisation="random", progress=False, random_state=1).fit(tokens)
    assert model.converged_
    pairs = pairs_of(tokens, "symbol")
    class_of = dict(zip(model.clusters_["form"], model.clusters_["cluster"], strict=True)) | {"#": "#"}
    value = objective(pairs, class_of)
    for form in model.clusters_["form"]:
        for k in range(4):
            assert objective(pairs, class_of | {form: k}) <= value + 1e-6


def test_the_objective_rises_with_every_pass_and_the_trace_ends_at_the_result():
    model = ExchangeClustering(5, initialisation="random", runs=3, progress=False, random_state=4).fit(random_tokens(4))
    for _, run in model.trace_.groupby("run"):
        assert run["objective"].is_monotonic_increasing
        assert run["pass"].tolist() == list(range(1, len(run) + 1))
        assert run["moves"].iloc[-1] == 0
    last = model.trace_.groupby("run").last()
    assert model.objective_ == last["objective"].max()
    assert last["objective"].idxmax() == model.best_run_
    kept = model.trace_[model.trace_["run"] == model.best_run_]
    assert model.moves_.groupby("pass").size().tolist() == kept["moves"][kept["moves"] > 0].tolist()


def test_perturbations_continue_from_the_best_result_and_the_objective_never_falls():
    tokens = random_tokens(4)
    fitted = [
        ExchangeClustering(6, perturbations=number, progress=False, random_state=1).fit(tokens) for number in (0, 1, 12)
    ]
    reached = [model.objective_ for model in fitted]
    assert reached == sorted(reached) and reached[2] > reached[0]
    plain, one, many = (model.trace_ for model in fitted)
    assert plain["run"].unique().tolist() == [1] and many["run"].unique().tolist() == list(range(1, 14))
    pd.testing.assert_frame_equal(one, many[many["run"] <= 2])  # what is drawn first does not depend on what follows
    pd.testing.assert_frame_equal(plain, many[many["run"] == 1])
    last = many.groupby("run").last()["objective"]
    assert fitted[2].objective_ == last.max() and fitted[2].best_run_ == last.idxmax()
    class_of = dict(zip(fitted[2].clusters_["form"], fitted[2].clusters_["cluster"], strict=True)) | {"#": "#"}
    assert fitted[2].objective_ == pytest.approx(objective(pairs_of(tokens, "symbol"), class_of), abs=1e-7)


def test_no_single_move_raises_the_objective_after_perturbations_either():
    tokens = random_tokens(3, 12)
    model = ExchangeClustering(4, perturbations=5, progress=False, random_state=2).fit(tokens)
    assert model.converged_
    pairs = pairs_of(tokens, "symbol")
    class_of = dict(zip(model.clusters_["form"], model.clusters_["cluster"], strict=True)) | {"#": "#"}
    value = objective(pairs, class_of)
    moved = [objective(pairs, class_of | {form: k}) for form in model.clusters_["form"] for k in range(4)]
    assert max(moved) <= value + 1e-6


def test_perturbations_find_the_best_classes_of_a_small_text():
    tokens = random_tokens(4, 8, 60)
    pairs, forms = pairs_of(tokens, "symbol"), tokens["form"].unique()
    every = itertools.product(range(2), repeat=len(forms))
    best = max(objective(pairs, dict(zip(forms, classes, strict=True)) | {"#": "#"}) for classes in every)
    plain, searched = (
        ExchangeClustering(2, perturbations=number, progress=False).fit(tokens).objective_ for number in (0, 30)
    )
    assert plain < best - 1e-6
    assert searched == pytest.approx(best, abs=1e-7)


def test_without_perturbations_nothing_is_drawn():
    tokens, random = random_tokens(5), np.random.default_rng(3)
    before = random.bit_generator.state
    ExchangeClustering(4, progress=False, random_state=random).fit(tokens)
    assert random.bit_generator.state == before
    one, two = (
        ExchangeClustering(4, perturbations=3, progress=False, random_state=seed).fit(tokens)
        for seed in (9, np.random.default_rng(9))
    )
    pd.testing.assert_frame_equal(one.clusters_, two.clusters_)
    pd.testing.assert_frame_equal(one.trace_, two.trace_)


def test_a_perturbation_changes_a_fifth_of_the_classes_and_keeps_their_words_among_them():
    classes = np.repeat(np.arange(20), 50)
    changed = perturbed(classes, 20, np.random.default_rng(0))
    drawn = np.unique(classes[changed != classes])
    assert len(drawn) == 4 and set(changed[np.isin(classes, drawn)]) == set(drawn)
    assert (changed[~np.isin(classes, drawn)] == classes[~np.isin(classes, drawn)]).all()
    assert perturbed(np.zeros(5, dtype=int), 1, np.random.default_rng(0)).tolist() == [0] * 5


def test_rare_words_are_assigned_after_each_perturbation():
    tokens = random_tokens(6)
    model = ExchangeClustering(4, min_count=4, perturbations=4, progress=False).fit(tokens)
    assert set(model.clusters_["cluster"]) == {0, 1, 2, 3}
    assert (model.moves_["origin"] == 4).sum() == (model.clusters_["frequency"] < 4).sum()


def test_more_passes_are_not_made_than_allowed():
    model = ExchangeClustering(5, max_passes=1, progress=False).fit(random_tokens(4))
    assert len(model.trace_) == 1 and not model.converged_


def test_the_same_seed_gives_the_same_classes_and_leaves_the_global_state_alone():
    tokens = random_tokens(5)
    np.random.seed(0)  # noqa: NPY002
    before = np.random.get_state()[1].copy()  # noqa: NPY002
    one, two = (
        ExchangeClustering(4, initialisation="random", progress=False, random_state=seed).fit(tokens).clusters_
        for seed in (9, np.random.default_rng(9))
    )
    pd.testing.assert_frame_equal(one, two)
    assert (np.random.get_state()[1] == before).all()  # noqa: NPY002


def test_words_used_alike_share_a_class():
    random = np.random.default_rng(0)
    rows = []
    for number in range(400):
        rows += [(number, random.choice(words)) for words in (["the", "a"], ["dog", "cat", "cow"], ["ran", "sat"])]
    model = ExchangeClustering(3, progress=False).fit(pd.DataFrame(rows, columns=["sentence", "form"]))
    found = set(model.clusters_.groupby("cluster")["form"].apply(frozenset))
    assert found == {frozenset({"the", "a"}), frozenset({"dog", "cat", "cow"}), frozenset({"ran", "sat"})}


def test_rare_words_are_assigned_or_one_more_class_or_left_out():
    tokens = random_tokens(6)
    frequency = tokens["form"].value_counts()
    rare = frequency.index[frequency < 4]
    assert len(rare)
    models = {
        name: ExchangeClustering(4, min_count=4, rare=name, progress=False).fit(tokens)
        for name in ("assigned", "one class", "left out")
    }
    clusters = {name: model.clusters_.set_index("form")["cluster"] for name, model in models.items()}
    assert set(clusters["assigned"][rare]) <= {0, 1, 2, 3}
    assert set(clusters["one class"][rare]) == {4}
    assert not set(rare) & set(clusters["left out"].index)
    assert models["left out"].predict(tokens).isna().sum() == frequency[rare].sum()


def test_one_cluster_and_more_clusters_than_words_need_no_move():
    tokens = random_tokens(0, 6)
    assert ExchangeClustering(1, progress=False).fit(tokens).n_clusters_ == 1
    many = ExchangeClustering(20, progress=False).fit(tokens)
    assert many.n_clusters_ == 6 and len(many.moves_) == 0


def test_wrong_arguments_are_refused():
    tokens = random_tokens(0, 6)
    for arguments, message in [
        ({"initialisation": "best"}, "'frequent' or 'random'"),
        ({"rare": "dropped"}, "'assigned', 'one class' or 'left out'"),
        ({"runs": 0}, "must be at least 1"),
        ({"max_passes": 0}, "must be at least 1"),
        ({"perturbations": -1}, "perturbations is -1"),
        ({"n_clusters": 0}, "n_clusters is 0"),
    ]:
        with pytest.raises(ValueError, match=message):
            ExchangeClustering(progress=False, **arguments).fit(tokens)
