import math
from collections import Counter

import numpy as np
import pandas as pd
import pytest

from analysis.categories.models.clark_clustering import CLARK_ASSIGNED, ClarkClustering
from analysis.categories.models.class_bigrams import adjacent_pairs
from analysis.categories.models.exchange_clustering import ExchangeClustering, Search
from analysis.categories.models.letter_models import LetterModels


def random_tokens(seed, n_types=60, n_sentences=150):
    random = np.random.default_rng(seed)
    weights = 1 / np.arange(1, n_types + 1)
    forms = ["".join(random.choice(list("abcdef"), size=random.integers(1, 6))) for _ in range(4 * n_types)]
    forms = list(dict.fromkeys(forms))[:n_types]
    rows = [
        (number, form)
        for number in range(n_sentences)
        for form in random.choice(forms, size=random.integers(1, 9), p=weights / weights.sum())
    ]
    return pd.DataFrame(rows, columns=["sentence", "form"])


def objective(pairs, classes, prior):
    """F and the prior from scratch."""
    cells, first, second = Counter(), Counter(), Counter()
    for v, w, n in zip(pairs.left.tolist(), pairs.right.tolist(), pairs.counts.tolist(), strict=True):
        c, d = classes[v], classes[w]
        cells[c, d] += n
        first[c] += n
        second[d] += n
    value = sum(n * math.log(n) for n in cells.values())
    value -= sum(n * math.log(n) for counts in (first, second) for n in counts.values())
    return value + sum(prior[t, classes[t]] for t in range(len(prior)))


def test_with_a_prior_the_change_of_the_objective_equals_recomputation_at_every_move():
    pairs = adjacent_pairs(random_tokens(0))
    n_types, n_clusters = len(pairs.forms), 4
    random = np.random.default_rng(1)
    prior = 20 * random.normal(size=(n_types, n_clusters))
    search = Search(pairs, n_clusters, random.integers(n_clusters, size=n_types), "assigned")
    classes = search.classes.tolist()
    moves, changes = search.one_pass(0, n_types, prior)
    assert len(moves) > 20
    for (t, origin, target), change in zip(moves.tolist(), changes, strict=True):
        assert classes[t] == origin
        value = objective(pairs, classes, prior)
        others = [objective(pairs, [*classes[:t], k, *classes[t + 1 :]], prior) for k in range(n_clusters)]
        classes[t] = target
        assert change == pytest.approx(others[target] - value, abs=1e-7)
        assert others[target] == pytest.approx(max(others), abs=1e-5)
    assert classes == search.classes.tolist()


def test_the_model_uses_the_shares_and_letter_models_that_were_trained_after_the_pass_before():
    tokens = random_tokens(2)
    settings = CLARK_ASSIGNED | {"n_clusters": 4, "min_count": 1, "progress": False, "random_state": 5}
    one, two = (ClarkClustering(**settings | {"max_passes": n}).fit(tokens) for n in (1, 2))
    assert len(one.clusters_["cluster"].unique()) == 4
    # two's second pass, step by step: prior from the classes and letter models that one ended with
    log_p = one.letter_models_.log_probabilities()
    shares = one.clusters_["cluster"].value_counts(normalize=True).sort_index().to_numpy()
    prior = log_p + np.log(shares)
    start = one.clusters_["cluster"].to_numpy()
    pairs = adjacent_pairs(tokens)
    assert one.clusters_["form"].tolist() == pairs.forms.tolist()
    search = Search(pairs, 4, start.astype(np.int64), "assigned")
    moves, changes = search.one_pass(0, len(pairs.forms), prior)
    second = two.moves_[two.moves_["pass"] == 2]
    assert len(second) > 3
    assert second["form"].tolist() == pairs.forms[moves[:, 0]].tolist()
    assert second["change"].tolist() == pytest.approx(changes.tolist())
    final = search.classes[: len(pairs.forms)]
    assert two.trace_["prior"].iloc[1] == pytest.approx(prior[np.arange(len(final)), final].sum())


@pytest.mark.parametrize(("min_count", "rare"), [(1, "assigned"), (4, "assigned"), (4, "one class"), (4, "left out")])
def test_with_constant_priors_it_is_the_exchange_algorithm(min_count, rare):
    tokens = random_tokens(3)
    shared = {"n_clusters": 5, "min_count": min_count, "rare": rare, "progress": False, "initialisation": "frequent"}
    clark = ClarkClustering(morphology=False, max_passes=50, **shared).fit(tokens)
    exchange = ExchangeClustering(**shared).fit(tokens)
    pd.testing.assert_frame_equal(clark.clusters_, exchange.clusters_)
    pd.testing.assert_frame_equal(clark.moves_, exchange.moves_)
    pd.testing.assert_frame_equal(clark.trace_.drop(columns="prior"), exchange.trace_)
    assert clark.trace_["prior"].eq(0).all()
    assert clark.letter_models_ is None


def spelt_and_used():
    """Nouns end in -o and verbs in -it; four sentences in ten are one word without context."""
    random = np.random.default_rng(0)
    nouns, verbs = ([f"{a}{b}{c}{end}" for a in "bdgk" for b in "aei" for c in "lmnr"] for end in ("o", "it"))
    weights = 1 / np.arange(1, len(nouns) + 1) ** 2
    weights /= weights.sum()
    rows = []
    for number in range(1500):
        sentence = ["the", random.choice(nouns, p=weights), random.choice(verbs, p=weights)]
        if random.random() < 0.4:
            sentence = [sentence[random.integers(1, 3)]]
        rows += [(number, form) for form in sentence]
    return pd.DataFrame(rows, columns=["sentence", "form"])


def agreement(clusters):
    """Share of the nouns and verbs that are in the larger cluster of their kind."""
    kind = clusters["form"].str.extract("(o|it)$")[0]
    table = pd.crosstab(kind[kind.notna()], clusters["cluster"][kind.notna()])
    return table.max(axis=0).sum() / table.to_numpy().sum()


def test_spelling_helps_with_rare_words():
    tokens = spelt_and_used()
    shared = CLARK_ASSIGNED | {"n_clusters": 3, "min_count": 5, "progress": False}
    with_letters = agreement(ClarkClustering(random_state=0, **shared).fit(tokens).clusters_)
    without = agreement(ClarkClustering(morphology=False, **shared).fit(tokens).clusters_)
    assert with_letters > 0.97
    assert with_letters > without


def test_the_letter_models_are_those_of_the_numbered_clusters():
    model = ClarkClustering(3, 5, progress=False, random_state=0, **CLARK_ASSIGNED).fit(spelt_and_used())
    cluster = model.clusters_.set_index("form")["cluster"]
    log_p = pd.DataFrame(model.letter_models_.log_probabilities(), index=model.clusters_["form"])
    for end in ("o", "it"):
        words = [form for form in cluster.index if form.endswith(end)]
        own = cluster[words].mode()[0]
        assert (log_p.loc[words].idxmax(axis=1) == own).mean() > 0.9


def test_the_same_seed_gives_the_same_classes():
    tokens = random_tokens(6)
    one, two = (ClarkClustering(4, progress=False, random_state=s).fit(tokens) for s in (3, np.random.default_rng(3)))
    pd.testing.assert_frame_equal(one.clusters_, two.clusters_)
    pd.testing.assert_frame_equal(one.trace_, two.trace_)


def test_rare_words_that_are_not_assigned_have_no_letter_model():
    tokens = random_tokens(7)
    model = ClarkClustering(n_clusters=4, min_count=6, rare="one class", progress=False).fit(tokens)
    assert model.n_clusters_ == 5
    assert len(model.letter_models_.initial) == 4
    frequency = tokens["form"].value_counts()
    rare = model.clusters_["frequency"] < 6
    assert rare.sum() == (frequency < 6).sum() > 0
    assert model.clusters_.loc[rare, "cluster"].eq(4).all()


def by_hand(tokens, n_clusters, seed, passes):
    """Clark's program step by step: random start, frequent words moved, one step of the letter models a pass."""
    pairs = adjacent_pairs(tokens, min_count=6)
    random = np.random.default_rng(seed)
    start = random.integers(n_clusters, size=pairs.n_frequent)
    search = Search(pairs, n_clusters, start, "one class")
    letters = LetterModels(pairs.forms, n_clusters, 5, 0.1, random)
    prior = np.zeros((0, 0))
    for _ in range(passes):
        search.one_pass(0, pairs.n_frequent, prior)
        letters.train(search.classes[: pairs.n_frequent], 1)
        prior = letters.log_probabilities(0, pairs.n_frequent)
    return dict(zip(pairs.forms, search.classes[:-1].tolist(), strict=True))


@pytest.mark.parametrize("seed", [0, 4])
def test_by_default_it_works_as_the_program_does(seed):
    tokens = random_tokens(8)
    model = ClarkClustering(4, progress=False, random_state=seed).fit(tokens)
    assert len(model.trace_) == 10 or model.converged_
    expected = by_hand(tokens, 4, seed, len(model.trace_))
    found = dict(zip(model.clusters_["form"], model.clusters_["cluster"], strict=True))
    assert len(set(zip((expected[form] for form in found), found.values(), strict=True))) == len(set(found.values()))
    rare = tokens["form"].value_counts()[lambda counts: counts <= 5].index
    assert len(rare) > 5 and {found[form] for form in rare} == {model.n_clusters_ - 1}
    assert set(model.moves_["form"]).isdisjoint(rare)


def test_a_start_without_moves_still_meets_the_prior():
    # as many clusters as words: nothing moves without a prior
    model = ClarkClustering(n_clusters=3, min_count=1, initialisation="frequent", progress=False).fit(
        pd.DataFrame({"sentence": 0, "form": ["a", "b", "c", "a"]})
    )
    assert model.trace_["moves"].iloc[0] == 0
    assert len(model.trace_) > 1


def test_wrong_arguments_are_refused():
    tokens = random_tokens(0)
    for arguments, message in [
        ({"max_passes": 0}, "must be at least 1"),
        ({"letter_iterations": 0}, "must be at least 1"),
        ({"letter_states": 0}, "at least one state"),
        ({"rare": "dropped"}, "'assigned', 'one class' or 'left out'"),
        ({"min_count": 10**6}, "nothing to cluster"),
    ]:
        with pytest.raises(ValueError, match=message):
            ClarkClustering(progress=False, **arguments).fit(tokens)
