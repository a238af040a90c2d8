"""Posterior regularisation: exact small cases, the dual, features, and the model against enumeration and plain EM."""

import itertools
import math
import os
import signal

import numpy as np
import pandas as pd
import pytest
from scipy.optimize import check_grad, minimize
from scipy.sparse import eye_array

from analysis.categories.models import PosteriorRegularisedHMM
from analysis.categories.models import posterior_regularised_hmm as module
from analysis.categories.models.maxent_emissions import Fitting, fit_weights, log_probabilities, loss
from analysis.categories.models.posterior_regularised_hmm import UNKNOWN, VARIANTS
from analysis.categories.models.sparse_posteriors import Descent, Expected, projected, sparse_posteriors
from analysis.categories.models.spelling_features import (
    FeatureChoices,
    Inventory,
    feature_inventory,
    feature_matrix,
    word_features,
)

EXACT = Descent(most_steps=3000, gradient_tolerance=1e-12, value_tolerance=0.0)


def table(corpus):
    return pd.DataFrame(
        [(number, word) for number, sentence in enumerate(corpus) for word in sentence], columns=["sentence", "form"]
    )


def random_corpus(seed, sentences=40, types=12):
    generator = np.random.default_rng(seed)
    words = [f"w{number}" for number in range(types)]
    weight = 1 / np.arange(1, types + 1)
    return [
        list(generator.choice(words, size, p=weight / weight.sum())) for size in generator.integers(1, 12, sentences)
    ]


def model(**options):
    usual = {"n_clusters": 3, "iterations": 8, "warm_up": 3, "constrained_from": 2, "progress": False}
    return PosteriorRegularisedHMM(**(usual | options))


def of_independent(rows):
    """The forward-backward pass of tokens whose tags do not depend on one another."""
    p = np.array(rows)

    def expect(multipliers):
        weights = p * np.exp(-multipliers)
        totals = weights.sum(axis=1, keepdims=True)
        return Expected(float(np.log(totals).sum()), weights / totals)

    return expect


def one_type(rows, strength, descent=EXACT):
    start, begins = np.zeros(np.shape(rows)), np.array([0, len(rows)])
    return sparse_posteriors(of_independent(rows), start, begins, strength, descent)


# The dual problem -------------------------------------------------------------------------------------------------

TWO = [(0.9, 0.1), (0.2, 0.8)]
CASES = [  # from minimising the penalised divergence directly
    (TWO, 0.5, [(0.8452, 0.1548), (0.2919, 0.7081)], 0.81515),
    (TWO, 1.0, [(0.7680, 0.2320), (0.4046, 0.5954)], 1.54604),
    (TWO, 10.0, [(0.6, 0.4), (0.6, 0.4)], 10.69315),
    ([(0.9, 0.1), (0.6, 0.4)], 0.2, [(0.8805, 0.1195), (0.6469, 0.3531)], 0.25337),
]


@pytest.mark.parametrize(("rows", "strength", "posteriors", "objective"), CASES)
def test_two_tokens_of_a_type_have_the_posteriors_of_the_exact_solution(rows, strength, posteriors, objective):
    found = one_type(rows, strength)
    np.testing.assert_allclose(found.expected.posteriors, posteriors, atol=6e-5)
    assert -found.expected.log_z == pytest.approx(objective, abs=6e-6)


@pytest.mark.parametrize("strength", [0.3, 1.0, 5.0])
def test_the_dual_optimum_is_that_of_the_primal_problem(strength):
    generator = np.random.default_rng(1)
    p = generator.dirichlet(np.ones(3), 4)

    def primal(values):  # q of each token and tag, then a bound of each tag's maximum
        q, highest = values[:12].reshape(p.shape), values[12:]
        return float((q * np.log(q / p)).sum() + strength * highest.sum())

    limits = [{"type": "eq", "fun": lambda values: values[:12].reshape(p.shape).sum(axis=1) - 1},
              {"type": "ineq", "fun": lambda values: (values[12:] - values[:12].reshape(p.shape)).ravel()}]  # fmt: skip
    start = np.r_[p.ravel(), p.max(axis=0)]
    found = minimize(primal, start, method="SLSQP", constraints=limits, bounds=[(1e-9, 1)] * 15,
                     options={"ftol": 1e-14, "maxiter": 1000})  # fmt: skip
    assert -one_type(p, strength).expected.log_z == pytest.approx(found.fun, abs=1e-6)


def test_a_strong_constraint_gives_all_tokens_the_geometric_mean():
    p = np.random.default_rng(2).dirichlet(np.ones(4), 6)
    mean = np.exp(np.log(p).mean(axis=0))
    found = one_type(p, 1e3).expected.posteriors
    np.testing.assert_allclose(found, np.tile(mean / mean.sum(), (6, 1)), atol=1e-5)


def test_a_maximum_that_one_token_attains_costs_it_the_whole_strength():
    found = one_type([(0.9, 0.1), (0.2, 0.8)], 0.5)
    odds = found.expected.posteriors[0, 0] / found.expected.posteriors[0, 1]
    # tag 0 has its maximum at token 0 only, tag 1 at token 1 only
    assert odds == pytest.approx(9 * math.exp(-0.5), rel=1e-6)
    np.testing.assert_allclose(found.multipliers, [[0.5, 0.0], [0.0, 0.5]], atol=1e-9)


def test_the_constraint_is_for_all_tokens_of_a_type_and_for_each_type_alone():
    rows = [(0.9, 0.1), (0.2, 0.8), (0.9, 0.1), (0.6, 0.4)]
    both = sparse_posteriors(of_independent(rows), np.zeros((4, 2)), np.array([0, 2, 4]), 0.2, EXACT)
    for part, own in ((slice(0, 2), rows[:2]), (slice(2, 4), rows[2:])):
        np.testing.assert_allclose(both.expected.posteriors[part], one_type(own, 0.2).expected.posteriors, atol=1e-6)


def projected_by_sorting(points, begins, size):
    out = np.maximum(points, 0.0)
    for first, last in itertools.pairwise(begins):
        for column in out[first:last].T:
            if column.sum() > size:
                down = np.sort(column)[::-1]
                thresholds = (np.cumsum(down) - size) / np.arange(1, len(down) + 1)
                column[:] = np.maximum(column - thresholds[np.flatnonzero(down > thresholds)[-1]], 0.0)
    return out


@pytest.mark.parametrize("size", [0.5, 3.0, 32.0])
def test_projection_is_that_on_the_simplex_by_sorting(size):
    generator = np.random.default_rng(3)
    points, begins = generator.normal(2, 10, (40, 5)), np.array([0, 1, 3, 20, 40])
    points[5:10] = points[5]  # equal entries
    found = projected(points, begins, size)
    np.testing.assert_allclose(found, projected_by_sorting(points, begins, size), atol=1e-12)
    np.testing.assert_allclose(projected(found, begins, size), found, atol=1e-12)
    assert (found >= 0).all() and (np.add.reduceat(found, begins[:-1]) <= size + 1e-9).all()


@pytest.mark.parametrize(
    ("column", "size"),
    [((0.2, 0.3), 0.1), ((0.7, 0.4), 0.3), ((0.8, 0.5, 0.4, 0.6, 0.7), 1.0), ((0.42, 0.68, 0.32, 0.98), 0.3)],
)
def test_projection_ends_where_an_entry_lies_on_the_threshold(column, size):
    points, begins = np.array(column)[:, None], np.array([0, len(column)])
    np.testing.assert_allclose(projected(points, begins, size), projected_by_sorting(points, begins, size), atol=1e-12)


# Emissions --------------------------------------------------------------------------------------------------------


def test_the_gradient_of_the_weights_is_that_of_finite_differences():
    generator = np.random.default_rng(4)
    features = generator.integers(0, 2, (9, 6)).astype(float)
    counts = generator.gamma(1.0, 5.0, 9)
    for variance in (1.0, 0.3, np.inf):
        weights = generator.normal(size=6)
        error = check_grad(lambda at, v=variance: loss(at, counts, features, features.T, v)[0],
                           lambda at, v=variance: loss(at, counts, features, features.T, v)[1], weights)  # fmt: skip
        assert error < 1e-4


def test_the_penalty_is_the_squared_norm_divided_by_the_variance():
    weights = np.array([3.0, -1.0])
    free, bound = (loss(weights, np.ones(2), np.eye(2), np.eye(2), v)[0] for v in (np.inf, 4.0))
    assert bound - free == pytest.approx(10 / 4)


def test_one_feature_for_each_type_and_no_penalty_equal_the_multinomial():
    counts = np.array([7.0, 2.0, 0.5, 11.0])
    weights, _ = fit_weights(counts, np.eye(4), np.eye(4), np.zeros(4), Fitting(np.inf, 1e-14))
    np.testing.assert_allclose(np.exp(log_probabilities(np.eye(4), weights)[0]), counts / counts.sum(), atol=1e-5)


def test_a_model_with_one_feature_for_each_type_and_no_penalty_is_the_multinomial_one(monkeypatch):
    tokens = table(random_corpus(5))
    monkeypatch.setattr(module, "feature_matrix", lambda forms, _: eye_array(len(forms), format="csr"))
    monkeypatch.setattr(module, "feature_inventory", lambda forms, *_: Inventory(
        {str(form): number for number, form in enumerate(forms)}, frozenset(), CHOICES))  # fmt: skip
    exact = {"variance": np.inf, "fit_tolerance": 1e-14}
    found = model(strength=0.0, iterations=4, **exact).fit(tokens)
    plain = model(strength=0.0, iterations=4, emissions="multinomial").fit(tokens)
    np.testing.assert_allclose(found.objective_, plain.objective_, rtol=1e-6)
    np.testing.assert_allclose(found.emissions_, plain.emissions_, atol=1e-4)


CHOICES = FeatureChoices(5, (2, 3), (10, 10), 0.8, 4, "A-Z")


def named(word, inventory):
    names = list(inventory.columns)
    return {names[column] for column in word_features(word, inventory)}


def test_features_have_the_thresholds_as_given():
    words = [f"{letter}xing" for letter in "abcdefghijk"] + ["ing", "six", "five"]  # 11 types longer than the suffix
    counts = np.array([1] * 12 + [6, 5])
    inventory = feature_inventory(words, counts, CHOICES)
    assert named("axing", inventory) == {"bias", "suffix 2 ng", "suffix 3 ing"}
    assert named("ing", inventory) == {"bias", "short", "suffix 2 ng"}  # it is no longer than "ing"
    assert {name for name in inventory.columns if name.startswith("word")} == {"word six"}  # more than 5 tokens
    ten = feature_inventory(words[1:], counts[1:], CHOICES)
    assert "suffix 3 ing" not in ten.columns and "suffix 2 ng" in ten.columns


def test_frequent_words_make_up_the_top_fifth_of_the_tokens_from_the_rare_end():
    # accumulated from the rare end: 1, 3, 6, 10 of 10; above 0.8 only the last, though it holds 40 % of the tokens
    inventory = feature_inventory(["a", "b", "c", "d"], np.array([4, 3, 2, 1]), CHOICES)
    assert inventory.frequent == {"a"}


@pytest.mark.parametrize(
    ("word", "latin", "unicode"),
    [
        ("IBM", {"short", "capital", "all capitals"}, {"short", "capital", "all capitals"}),
        ("Ærø", {"short"}, {"short", "capital"}),
        ("ÅBO-X", {"hyphen"}, {"capital", "hyphen"}),
        ("a_b", {"short", "underscore"}, {"short", "underscore"}),
        ("1.5", set(), set()),
        ("--", {"hyphen"}, {"hyphen"}),
        ("Word", {"capital"}, {"capital"}),
        ("p.1", {"short"}, {"short"}),
    ],
)
def test_shapes_of_words(word, latin, unicode):
    for capitals, expected in (("A-Z", latin), ("unicode", unicode)):
        inventory = feature_inventory(["some"], np.array([1]), CHOICES._replace(capitals=capitals))
        assert named(word, inventory) - {"bias"} == expected


def test_two_rare_words_with_the_same_features_have_the_same_probabilities():
    corpus = [["the", "sabing"], ["the", "rubing", "the"], ["a", "the"]]
    fitted = model(suffix_above=(0, 0), identity_above=2).fit(table(corpus))
    one, other = (fitted.emissions_[fitted.vocabulary_.get_loc(word)] for word in ("sabing", "rubing"))
    np.testing.assert_array_equal(one, other)


def test_the_matrix_has_the_features_of_each_word():
    inventory = feature_inventory(["a", "IBM"], np.array([9, 1]), CHOICES)
    found = feature_matrix(["IBM", "new"], inventory).toarray()
    for row, word in zip(found, ("IBM", "new"), strict=True):
        assert set(np.flatnonzero(row)) == set(word_features(word, inventory))


# The model --------------------------------------------------------------------------------------------------------


def enumerated(fitted, corpus, multipliers, final_state):
    """log Z, posteriors of tokens and expected transitions, by every tagging of every sentence."""
    K, place, log_z = fitted.n_clusters, 0, 0.0
    posteriors, transitions = [], np.zeros((K + 1, K + 1))
    A = fitted.transitions_
    for sentence in corpus:
        words = [fitted.vocabulary_.get_loc(word) for word in sentence]
        weights = {}
        for tags in itertools.product(range(K), repeat=len(words)):
            weight = math.prod(A[j, k] for j, k in itertools.pairwise([K, *tags, *([K] if final_state else [])]))
            for t, (w, k) in enumerate(zip(words, tags, strict=True)):
                weight *= fitted.emissions_[w, k] * math.exp(-multipliers[place + t, k])
            weights[tags] = weight
        total = sum(weights.values())
        log_z += math.log(total)
        share = np.zeros((len(words), K))
        for tags, weight in weights.items():
            for t, k in enumerate(tags):
                share[t, k] += weight / total
            for j, k in itertools.pairwise([K, *tags, K]):
                transitions[j, k] += weight / total
        posteriors.append(share)
        place += len(words)
    return log_z, np.concatenate(posteriors), transitions


@pytest.mark.parametrize("final_state", [True, False])
@pytest.mark.parametrize("K", [1, 2, 3])
def test_a_pass_equals_the_sum_over_all_taggings(K, final_state):
    corpus = [["a", "b", "a", "a"], ["b"], ["c", "a", "b"]]
    fitted = model(n_clusters=K, final_state=final_state, emissions="multinomial").fit(table(corpus))
    multipliers = np.random.default_rng(6).gamma(1.0, 20.0, (8, K))
    log_z, posteriors, transitions = enumerated(fitted, corpus, multipliers, final_state)
    found, expected = fitted._pass(fitted._words, fitted._begins, np.log(fitted.emissions_), np.arange(8), multipliers)
    assert found == pytest.approx(log_z, rel=1e-12)
    np.testing.assert_allclose(expected.posteriors, posteriors, atol=1e-12)
    np.testing.assert_allclose(expected.transitions, transitions, atol=1e-12)
    assert expected.tags.tolist() == posteriors.argmax(axis=1).tolist()


def test_labels_are_the_most_probable_tags_without_the_constraint():
    corpus = [["a", "b", "a"], ["b", "c"], ["c", "a"]]
    fitted = model(strength=5.0, random_state=3).fit(table(corpus))
    assert fitted._multipliers.any()
    _, posteriors, _ = enumerated(fitted, corpus, np.zeros((7, 3)), True)
    assert fitted.labels_.tolist() == posteriors.argmax(axis=1).tolist()


def test_the_final_state_is_entered_exactly_once_in_a_sentence():
    fitted = model().fit(table(random_corpus(7)))
    np.testing.assert_allclose(fitted.transitions_.sum(axis=1), 1.0)
    assert fitted.transitions_[-1, -1] == 0 and (fitted.transitions_[:-1, -1] > 0).any()
    without = model(final_state=False).fit(table(random_corpus(7)))
    np.testing.assert_allclose(without.transitions_.sum(axis=1), 1.0)
    assert (without.transitions_[:, -1] == 0).all()


def test_without_strength_it_is_expectation_maximisation():
    """One iteration computed by hand: expected counts of all taggings, normalised."""
    corpus = [["a", "b"], ["b", "a", "a"]]
    begun = model(n_clusters=2, strength=0.0, emissions="multinomial", iterations=1, warm_up=0).fit(table(corpus))
    after = model(n_clusters=2, strength=0.0, emissions="multinomial", iterations=2, warm_up=0).fit(table(corpus))
    log_z, posteriors, transitions = enumerated(begun, corpus, np.zeros((5, 2)), True)
    assert after.objective_[-1] == pytest.approx(log_z, rel=1e-12)
    counts = np.zeros((2, 2))
    np.add.at(counts, begun._words, posteriors)
    np.testing.assert_allclose(after.emissions_, counts / counts.sum(axis=0), atol=1e-12)
    np.testing.assert_allclose(after.transitions_, transitions / transitions.sum(axis=1, keepdims=True), atol=1e-12)


def test_no_strength_and_endless_warm_up_are_the_same():
    tokens = table(random_corpus(8))
    one, other = model(strength=0.0).fit(tokens), model(warm_up=8).fit(tokens)
    np.testing.assert_array_equal(one.objective_, other.objective_)
    assert (one.passes_ == 1).all()


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("strength", [0.0, 2.0, 32.0])
def test_the_objective_never_falls(seed, strength):
    tokens = table(random_corpus(seed))
    exact = {"dual_steps": 2000, "dual_tolerances": (1e-9, 1e-13), "fit_tolerance": 1e-12, "restart_weights": False}
    for emissions in ("multinomial", "maxent"):
        fitted = model(strength=strength, emissions=emissions, iterations=15, warm_up=0, random_state=seed, **exact)
        trace = fitted.fit(tokens).objective_[1:]  # the first emissions come from no weights and have no penalty
        assert (np.diff(trace) >= -1e-6 * np.abs(trace[1:])).all()


def test_the_constraint_makes_word_types_use_fewer_tags():
    tokens = table(random_corpus(9, sentences=150))
    spread = {}
    for strength in (0.0, 32.0):
        fits = [model(strength=strength, emissions="multinomial", iterations=40, random_state=seed).fit(tokens)
                for seed in range(3)]  # fmt: skip
        highest = [pd.DataFrame(fitted._expect(0)[0].posteriors).groupby(
            fitted._words[fitted._constrained.tokens]).max().sum(axis=1).mean() for fitted in fits]  # fmt: skip
        spread[strength] = np.mean(highest)
    assert spread[32.0] < spread[0.0] - 0.2


def test_the_variants_are_arguments_of_the_model():
    tokens = table(random_corpus(10))
    kinds = {name: model(**options).fit(tokens) for name, options in VARIANTS.items()}
    assert {name: len(kind.weights_) > 0 for name, kind in kinds.items()} == {
        "HMM": False, "HMM+ME": True, "HMM+Sp": False, "G": True}  # fmt: skip
    assert {name: bool(kind._multipliers.any()) for name, kind in kinds.items()} == {
        "HMM": False, "HMM+ME": False, "HMM+Sp": True, "G": True}  # fmt: skip
    assert len(model(warm_up=2, iterations=2, warm_up_emissions="multinomial").fit(tokens).weights_) == 0


def test_training_text_is_tagged_as_in_training_and_an_unseen_word_by_its_features():
    tokens = table(random_corpus(11))
    for options in ({}, {"decode": "viterbi"}, {"emissions": "multinomial"}, {"final_state": False}):
        fitted = model(**options).fit(tokens)
        assert fitted.predict(tokens).tolist() == fitted.labels_.tolist()
        found = fitted.predict(pd.DataFrame({"sentence": [5, 5], "form": ["w0", "Never"]}, index=[7, 3]))
        assert found.index.tolist() == [7, 3] and found.between(0, 2).all()
    fitted = model(suffix_above=(0, 0), identity_above=0).fit(table([["the", "sabing"], ["the", "rubing"]]))
    unseen = np.exp(fitted._log_emissions(pd.Index(["mobing"], dtype=object))[0])
    weights = fitted.weights_[[fitted.features_.index(name) for name in ("bias", "suffix 2 ng", "suffix 3 ing")]]
    totals = np.exp(fitted._features @ fitted.weights_).sum(axis=0)
    np.testing.assert_allclose(unseen, np.exp(weights.sum(axis=0)) / totals, rtol=1e-9)


def test_rare_words_can_share_a_type():
    corpus = [["a", "b", "a"], ["c", "a", "d"], ["b"]]
    fitted = model(emissions="multinomial", rare_as_one=1).fit(table(corpus))
    assert fitted.vocabulary_.tolist() == ["a", "b", UNKNOWN] and len(fitted.labels_) == 7
    rare, unseen = (fitted._log_emissions(pd.Index([word], dtype=object)) for word in ("c", "new"))
    np.testing.assert_array_equal(rare, unseen)
    assert fitted.predict(table(corpus)).tolist() == fitted.labels_.tolist()


def test_stopping_and_going_on_changes_no_bit():
    tokens = table(random_corpus(12))
    whole = model(iterations=9).fit(tokens)
    part = model(iterations=5).fit(tokens)
    rest = model(iterations=9, random_state=99).fit(tokens, resume=part)
    stored = model(iterations=9).fit(tokens, resume=part.state())
    paused = model(iterations=9).fit(tokens, until=6)
    assert paused.iterations_done_ == 6
    later = paused.fit(tokens, resume=paused)
    for other in (rest, stored, later):
        np.testing.assert_array_equal(other.objective_, whole.objective_)
        np.testing.assert_array_equal(other.emissions_, whole.emissions_)
        np.testing.assert_array_equal(other.labels_, whole.labels_)


def test_interruption_leaves_a_model_that_can_go_on(monkeypatch):
    tokens = table(random_corpus(13))
    whole, part, steps = model(iterations=7).fit(tokens), model(iterations=7), []
    one = PosteriorRegularisedHMM._expect

    def stopped(self, step):
        steps.append(step)
        if len(steps) == 4:
            os.kill(os.getpid(), signal.SIGINT)
        return one(self, step)

    with monkeypatch.context() as patched:
        patched.setattr(PosteriorRegularisedHMM, "_expect", stopped)
        with pytest.raises(KeyboardInterrupt):
            part.fit(tokens)
    assert part.iterations_done_ == 4
    np.testing.assert_array_equal(part.fit(tokens, resume=part).objective_, whole.objective_)


def test_the_same_seed_gives_the_same_and_another_seed_another():
    tokens = table(random_corpus(14))
    one, again, other = (model(random_state=seed).fit(tokens) for seed in (0, 0, 1))
    np.testing.assert_array_equal(one.objective_, again.objective_)
    assert (one.objective_ != other.objective_).any()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"n_clusters": 0}, "n_clusters is 0"),
        ({"iterations": 0}, "iterations is 0"),
        ({"strength": -1}, "strength is -1"),
        ({"variance": 0}, "variance is 0"),
        ({"emissions": "gaussian"}, "emissions is 'gaussian'"),
        ({"capitals": "greek"}, "capitals is 'greek'"),
        ({"decode": "best"}, "decode is 'best'"),
        ({"suffix_lengths": (2,)}, "as many lengths"),
        ({"dual_tolerances": (1e-3,)}, "give two numbers"),
        ({"rare_as_one": 1}, "rare_as_one is for multinomial"),
        ({"frequent_above": 2}, "frequent_above is 2"),
    ],
)
def test_a_wrong_parameter_is_refused(options, message):
    with pytest.raises(ValueError, match=message):
        model(**options).fit(table([["a"]]))


def test_wrong_calls_are_refused():
    tokens = table([["a", "b"]])
    with pytest.raises(ValueError, match="not fitted yet"):
        model().predict(tokens)
    fitted = model().fit(tokens)
    with pytest.raises(ValueError, match="decode is 'best'"):
        fitted.predict(tokens, decode="best")
    with pytest.raises(ValueError, match="fitted on other tokens"):
        model().fit(table([["a"], ["b"]]), resume=fitted)
    with pytest.raises(ValueError, match="has 3 tags, this one 2"):
        model(n_clusters=2).fit(tokens, resume=fitted)
