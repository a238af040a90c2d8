"""Chrupała's clustering: topics against enumeration, divergence against SciPy, the tree against brute force."""

import itertools
import math
import os
import signal

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.distance import jensenshannon
from scipy.stats import entropy

from analysis.categories.models import chrupala_kernels as kernels
from analysis.categories.models.chrupala_clustering import ChrupalaClustering, neighbours


def table(*sentences):
    rows = [(i, form) for i, sentence in enumerate(sentences) for form in sentence.split()]
    return pd.DataFrame(rows, columns=["sentence", "form"])


def small(utterances=80, seed=3):
    """Determiner, noun, verb in turn; each word belongs to one class."""
    generator = np.random.default_rng(seed)
    sentences = []
    for _ in range(utterances):
        length = generator.integers(1, 9)
        sentences.append(" ".join("dnv"[i % 3] + str(generator.integers(0, 5)) for i in range(length)))
    return table(*sentences)


def model(**options):
    defaults = {"n_topics": 5, "sweeps": 8, "min_count": 3, "progress": False}
    if "prefix_length" not in options:
        defaults["n_clusters"] = 4
    return ChrupalaClustering(**(defaults | options))


def assert_same(one, other):
    for name in ("labels_", "log_probability_", "changed_", "linkage_", "topics_"):
        np.testing.assert_array_equal(getattr(one, name), getattr(other, name))


# ---------------------------------------------------------------------------------------------------------------
# Stage 1.


def test_the_features_of_a_type_are_its_neighbours_marked_left_and_right():
    codes, starts = np.array([0, 1, 0, 2]), np.array([True, False, False, True])
    documents, features = neighbours(codes, starts, 3, "symbol")
    left, right = 0, 1
    expected = {
        0: [2 * 3 + left, 2 * 1 + right, 2 * 1 + left, 2 * 3 + right],
        1: [2 * 0 + left, 2 * 0 + right],
        2: [2 * 3 + left, 2 * 3 + right],
    }
    assert {d: features[documents == d].tolist() for d in range(3)} == expected
    documents, features = neighbours(codes, starts, 3, "separate")
    assert {d: features[documents == d].tolist() for d in range(3)} == {0: [3, 2], 1: [0, 1], 2: []}


def joint(documents, features, topics, Z, n_features, alpha, beta):
    """Log joint probability, feature after feature."""
    log_p = 0.0
    for i, (d, f, z) in enumerate(zip(documents, features, topics, strict=True)):
        before = list(zip(documents[:i], features[:i], topics[:i], strict=True))
        in_document = [c for a, _, c in before if a == d]
        with_topic = [b for _, b, c in before if c == z]
        log_p += math.log((in_document.count(z) + alpha) / (len(in_document) + Z * alpha))
        log_p += math.log((with_topic.count(f) + beta) / (len(with_topic) + n_features * beta))
    return log_p


DOCUMENTS, FEATURES = np.array([0, 0, 0, 1, 1]), np.array([0, 0, 1, 1, 2])


def counts(topics, Z):
    made = np.empty((2, Z), np.int32), np.empty((3, Z), np.int32), np.empty(Z, np.int64)
    kernels.count(DOCUMENTS, FEATURES, topics, *made)
    return made


def test_the_conditional_of_a_topic_is_the_ratio_of_joint_probabilities():
    Z, alpha, beta = 3, 0.7, 0.2
    for topics in itertools.product(range(Z), repeat=5):
        for i in (0, 3):
            weights = np.exp([
                joint(DOCUMENTS, FEATURES, (*topics[:i], z, *topics[i + 1 :]), Z, 3, alpha, beta) for z in range(Z)
            ])  # fmt: skip
            in_document, in_feature, totals = counts(np.array(topics), Z)
            in_document[DOCUMENTS[i], topics[i]] -= 1
            in_feature[FEATURES[i], topics[i]] -= 1
            totals[topics[i]] -= 1
            summed = np.empty(Z)
            kernels.conditional(
                in_document[DOCUMENTS[i]], in_feature[FEATURES[i]], 1 / (totals + 3 * beta), alpha, beta, summed
            )
            found = np.diff(summed, prepend=0) / summed[-1]
            np.testing.assert_allclose(found, weights / weights.sum(), rtol=1e-10)


def test_the_log_probability_is_that_of_the_features_one_after_another():
    for topics in ([0, 1, 0, 2, 2], [1, 1, 1, 1, 1]):
        found = kernels.log_probability(*counts(np.array(topics), 3), 0.7, 0.2)
        assert math.isclose(found, joint(DOCUMENTS, FEATURES, topics, 3, 3, 0.7, 0.2), rel_tol=1e-12)


def test_sweeps_visit_topics_as_often_as_they_are_probable():
    Z, alpha, beta, sweeps = 2, 0.7, 0.2, 40_000
    chains = list(itertools.product(range(Z), repeat=5))
    posterior = np.exp([joint(DOCUMENTS, FEATURES, topics, Z, 3, alpha, beta) for topics in chains])
    posterior /= posterior.sum()
    topics, generator = np.zeros(5, np.int64), np.random.default_rng(2)
    made, seen = counts(topics, Z), np.zeros(len(chains))
    for _ in range(sweeps):
        kernels.sweep(DOCUMENTS, FEATURES, topics, *made, (alpha, beta), generator)
        seen[int("".join(map(str, topics)), 2)] += 1
    assert abs(seen / sweeps - posterior).sum() / 2 < 0.02
    for kept, fresh in zip(made, counts(topics, Z), strict=True):
        np.testing.assert_array_equal(kept, fresh)


# ---------------------------------------------------------------------------------------------------------------
# Stage 2.

seeds = st.integers(0, 2**32 - 1)


def distributions(seed, n, Z=4):
    generator = np.random.default_rng(seed)
    return generator.dirichlet(np.full(Z, 0.5), n), generator.integers(1, 50, n).astype(float)


def plain_entropy(p):
    return -sum(x * math.log2(x) for x in p.tolist() if x > 0)


def plain_divergence(p, q, a):
    return plain_entropy(a * p + (1 - a) * q) - a * plain_entropy(p) - (1 - a) * plain_entropy(q)


@given(seeds)
@settings(max_examples=50, deadline=None)
def test_the_divergence_is_that_of_scipy(seed):
    (p, q), (one, other) = distributions(seed, 2)
    h = kernels.entropies(np.array([p, q]))
    np.testing.assert_allclose(h, entropy([p, q], base=2, axis=1), atol=1e-12)
    assert math.isclose(kernels.divergence(p, q, 0.5, *h), jensenshannon(p, q, 2) ** 2, abs_tol=1e-12)
    a = one / (one + other)
    assert math.isclose(kernels.divergence(p, q, a, *h), plain_divergence(p, q, a), abs_tol=1e-12)


def test_divergence_is_1_bit_without_common_topics_and_0_with_the_same():
    p, q = np.array([1.0, 0.0]), np.array([0.0, 1.0])
    assert kernels.divergence(p, q, 0.5, 0.0, 0.0) == 1.0
    assert kernels.divergence(p, p, 0.3, 0.0, 0.0) == 0.0


def brute_force(rows, weights, by_frequency):
    """Look at all pairs before every step."""
    nodes = [(i, row, weight) for i, (row, weight) in enumerate(zip(rows, weights, strict=True))]
    children, heights = [], []
    for step in range(len(rows) - 1):
        pairs = [
            (plain_divergence(p, q, m / (m + n) if by_frequency else 0.5), x, y)
            for (x, (_, p, m)), (y, (_, q, n)) in itertools.combinations(enumerate(nodes), 2)
        ]
        height, x, y = min(pairs)
        (one, p, m), (other, q, n) = nodes[x], nodes[y]
        nodes[x] = (len(rows) + step, (m * p + n * q) / (m + n), m + n)
        del nodes[y]
        children.append([one, other])
        heights.append(height)
    return children, heights


@pytest.mark.parametrize("by_frequency", [True, False])
@given(seeds, st.integers(2, 15))
@settings(max_examples=25, deadline=None)
def test_the_tree_is_that_of_looking_at_all_pairs_before_every_step(by_frequency, seed, n):
    rows, weights = distributions(seed, n)
    children, heights = kernels.agglomerate(rows.copy(), weights.copy(), by_frequency)
    expected, apart = brute_force(rows, weights, by_frequency)
    assert children.tolist() == expected
    np.testing.assert_allclose(heights, apart, atol=1e-12)


@pytest.mark.parametrize("by_frequency", [True, False])
@given(seeds)
@settings(max_examples=20, deadline=None)
def test_the_leaf_passed_over_is_never_the_nearest(by_frequency, seed):
    rows, weights = distributions(seed, 30)
    found = kernels.nearest_leaves(rows, weights, rows[:12], weights[:12], by_frequency)
    for p, m, leaf in zip(rows, weights, found, strict=True):
        apart = [
            plain_divergence(p, q, m / (m + n) if by_frequency else 0.5)
            for q, n in zip(rows[:12], weights[:12], strict=True)
        ]
        assert apart[leaf] <= min(apart) + 1e-12


# ---------------------------------------------------------------------------------------------------------------
# The model.


def test_the_first_joining_is_of_the_two_types_of_least_divergence_with_equal_weights():
    fitted = model().fit(small())
    n = len(fitted.linkage_) + 1
    apart = {
        (i, j): jensenshannon(fitted.topics_[i], fitted.topics_[j], base=2) ** 2
        for i, j in itertools.combinations(range(n), 2)
    }
    assert set(fitted.linkage_[0, :2]) == set(min(apart, key=apart.get))
    assert fitted.linkage_[0, 2] == pytest.approx(min(apart.values()))
    by_frequency = model(weighting="frequency").fit(small())
    assert not np.allclose(by_frequency.linkage_[:, 2], fitted.linkage_[:, 2])


def test_a_longer_prefix_divides_the_clusters_of_a_shorter_one():
    fitted = model(prefix_length=0).fit(small())
    assert fitted.n_clusters_ == 1
    longest = fitted.clusters_["path"].str.len().max()
    before = fitted
    for length in range(1, longest + 1):
        after = fitted.cut(prefix_length=length)
        assert (before.clusters_.groupby(after.clusters_["cluster"])["cluster"].nunique() == 1).all()
        assert before.n_clusters_ < after.n_clusters_
        before = after
    leaves = (fitted.clusters_["frequency"] >= 3).sum()
    assert before.n_clusters_ == leaves
    assert before.clusters_["path"].nunique() == leaves


def test_the_tag_is_the_beginning_of_the_path_of_the_nearest_leaf():
    tokens = pd.concat([small(), table("rare d1 n1").assign(sentence=1000)], ignore_index=True)
    fitted = model(prefix_length=2).fit(tokens)
    found = fitted.clusters_
    assert found["frequency"].is_monotonic_decreasing
    prefixes = found["path"].str[:2]
    assert (prefixes.groupby(found["cluster"]).nunique() == 1).all()
    assert sorted(prefixes.unique()) == prefixes.groupby(found["cluster"]).first().tolist()
    leaves = found["frequency"] >= 3
    assert (found["leaf"] == found["form"])[leaves].all()
    rare = found.index[found["form"] == "rare"][0]
    n = int(leaves.sum())
    apart = [plain_divergence(fitted.topics_[rare], fitted.topics_[leaf], 0.5) for leaf in range(n)]
    assert found["leaf"][rare] == found["form"][int(np.argmin(apart))]
    assert found["path"][rare] == found["path"][int(np.argmin(apart))]


def test_a_cut_to_a_number_of_clusters_undoes_the_last_joinings():
    fitted = model(n_clusters=1).fit(small())
    n = len(fitted.linkage_) + 1
    for k in range(1, n + 1):
        cut = fitted.cut(n_clusters=k)
        members = {i: {i} for i in range(n)}
        for step, (one, other) in enumerate(fitted.linkage_[: n - k, :2].astype(int)):
            members[n + step] = members.pop(one) | members.pop(other)
        clusters = cut.clusters_["cluster"].to_numpy()[:n]
        assert {frozenset(np.flatnonzero(clusters == c).tolist()) for c in range(k)} == set(
            map(frozenset, members.values())
        )
        assert cut.n_clusters_ == k
    assert fitted.linkage_[-1, 3] == n


def test_the_classes_of_a_regular_language_are_found():
    tokens = small(300)
    fits = [model(n_clusters=3, sweeps=100, random_state=seed).fit(tokens) for seed in range(2)]
    for fitted in fits:
        shared = pd.crosstab(tokens["form"].str[0], fitted.labels_)
        assert shared.max(axis=0).sum() == len(tokens)
        assert fitted.log_probability_[-1] > fitted.log_probability_[0]
        new = fitted.predict(pd.concat([table("d1 new v1")] * 3, ignore_index=True))
        assert new[1] == fitted.predict(table("n1"))[0]


def test_an_unknown_word_is_missing_on_request_and_otherwise_in_some_cluster():
    fitted = model().fit(small())
    new = table("d1 unheard v1", "unseen")
    assert fitted.predict(new, unknown="missing").isna().tolist() == [False, True, False, True]
    assert fitted.predict(new).between(0, 3).all()
    assert fitted.predict(new, "context").equals(fitted.predict(new))
    separate = model(boundaries="separate").fit(small())
    assert separate.predict(table("alone")).between(0, 3).all()


def test_clusters_keep_the_index_of_the_tokens():
    tokens = small().set_axis(range(1000, 1000 + len(small())))
    fitted = model()
    trained = fitted.fit_predict(tokens)
    assert trained.tolist() == fitted.labels_.tolist() == fitted.predict(tokens).tolist()
    assert (trained.name, trained.dtype, trained.index.equals(tokens.index)) == ("cluster", "Int32", True)
    assert len(fitted.seconds_) == len(fitted.changed_) == fitted.sweeps_done_ == 8


def test_the_same_seed_gives_the_same_clusters_and_another_seed_another_chain():
    tokens = small()
    assert_same(model().fit(tokens), model().fit(tokens))
    other = model(random_state=1).fit(tokens)
    assert (other.log_probability_ != model().fit(tokens).log_probability_).any()
    assert_same(*[model(random_state=np.random.default_rng(4)).fit(tokens) for _ in range(2)])


def test_stopping_and_going_on_changes_no_bit():
    tokens = small()
    whole = model().fit(tokens)
    part = model(sweeps=3).fit(tokens)
    assert_same(model(random_state=9).fit(tokens, resume=part), whole)
    assert part.sweeps_done_ == 3
    part.sweeps = 8
    assert_same(part.fit(tokens, resume=part), whole)


def test_interruption_leaves_a_model_that_can_go_on(monkeypatch):
    tokens = small()
    whole = model().fit(tokens)
    step, calls = kernels.sweep, []

    def interrupted_step(*arguments):
        calls.append(1)
        if len(calls) == 3:
            os.kill(os.getpid(), signal.SIGINT)
        return step(*arguments)

    monkeypatch.setattr(kernels, "sweep", interrupted_step)
    stopped = model()
    with pytest.raises(KeyboardInterrupt):
        stopped.fit(tokens)
    monkeypatch.undo()
    assert stopped.sweeps_done_ == 3
    assert len(stopped.predict(tokens)) == len(tokens)
    assert_same(stopped.fit(tokens, resume=stopped), whole)


def test_one_leaf_is_a_tree():
    fitted = model(n_clusters=1, min_count=2).fit(table("a b a c"))
    assert fitted.labels_.tolist() == [0, 0, 0, 0]
    assert fitted.linkage_.shape == (0, 4)


def test_the_bar_tells_the_log_probability(capsys):
    model(progress=True, sweeps=1).fit(small())
    assert "log probability -" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"prefix_length": 3, "n_clusters": 3}, "prefix_length is 3 and n_clusters 3"),
        ({"prefix_length": None}, "prefix_length is None and n_clusters None"),
        ({"prefix_length": -1}, "prefix_length is -1"),
        ({"n_clusters": 0}, "n_clusters is 0"),
        ({"n_clusters": 400}, "cannot make 400 clusters"),
        ({"n_topics": 0}, "n_topics is 0"),
        ({"sweeps": -1}, "sweeps is -1"),
        ({"min_count": 0}, "min_count is 0"),
        ({"min_count": 10**6}, "0 types have at least"),
        ({"document_prior": 0.0}, "document_prior is 0.0"),
        ({"feature_prior": float("nan")}, "feature_prior is nan"),
        ({"boundaries": "cross"}, "boundaries is 'cross'"),
        ({"weighting": "equal"}, "weighting is 'equal'"),
        ({"leaf_weighting": "equal"}, "leaf_weighting is 'equal'"),
    ],
)
def test_a_wrong_parameter_is_refused(options, message):
    with pytest.raises(ValueError, match=message):
        model(**options).fit(small())


def test_wrong_calls_are_refused():
    tokens = small()
    with pytest.raises(ValueError, match="not fitted"):
        model().predict(tokens)
    with pytest.raises(ValueError, match="no token has a neighbour"):
        model(n_clusters=1, min_count=1, boundaries="separate").fit(table("a", "b"))
    fitted = model().fit(tokens)
    with pytest.raises(ValueError, match="other tokens"):
        model().fit(tokens.iloc[1:], resume=fitted)
    with pytest.raises(ValueError, match="other n_topics"):
        model(n_topics=3).fit(tokens, resume=fitted)
    with pytest.raises(ValueError, match="unknown is"):
        fitted.predict(tokens, unknown="guess")
    with pytest.raises(ValueError, match="lacks the column 'form'"):
        fitted.predict(tokens[["sentence"]])


def eighths(*numbers):
    return np.array(numbers, dtype=np.float64) / 16


def test_of_equal_divergences_the_node_that_is_made_counts_by_the_place_of_its_first_leaf():
    # rows 1 and 2 become (6 6 2 2 0 0 0 0) / 16, as far from the uniform row 0 as row 3 is, its mirror image; all
    # numbers are sums of powers of two, so the two divergences are equal to the last digit
    rows = np.array(
        [
            eighths(2, 2, 2, 2, 2, 2, 2, 2),
            eighths(7, 5, 2, 2, 0, 0, 0, 0),
            eighths(5, 7, 2, 2, 0, 0, 0, 0),
            eighths(0, 0, 0, 0, 6, 6, 2, 2),
        ]
    )
    from analysis.categories.models import chrupala_kernels as kernels

    apart = [kernels.divergence(rows[0], row, 0.5, *kernels.entropies(np.array([rows[0], row]))) for row in
             (eighths(6, 6, 2, 2, 0, 0, 0, 0), rows[3])]  # fmt: skip
    assert apart[0] == apart[1]
    children, _ = kernels.agglomerate(rows, np.ones(4), False)
    assert children[:2].tolist() == [[1, 2], [0, 4]]


def test_of_equally_near_leaves_the_first_is_taken():
    from analysis.categories.models import chrupala_kernels as kernels

    leaves = np.array([[0.75, 0.25], [0.25, 0.75], [0.25, 0.75]])
    found = kernels.nearest_leaves(np.array([[0.5, 0.5], [0.25, 0.75]]), np.ones(2), leaves, np.ones(3), False)
    assert found.tolist() == [0, 1]
