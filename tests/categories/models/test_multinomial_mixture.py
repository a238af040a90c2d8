"""The multinomial mixture: features by hand, conditionals and chains against enumeration, resuming, bad input."""

import itertools
import math
import os
import signal
from collections import Counter

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis.categories import v_measure
from analysis.categories.models import MultinomialMixture
from analysis.categories.models import multinomial_mixture_kernels as kernels
from analysis.categories.models.type_features import Draws, gather, value_table


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
    return MultinomialMixture(**({"n_clusters": 3, "sweeps": 8, "suffix_min_types": 2, "progress": False} | options))


def restless(**options):
    """A chain so hot that classes go on changing."""
    return model(**({"n_clusters": 4, "annealing": (60.0, 60.0)} | options))


def assert_same(one, other):
    for name in ("labels_", "log_probability_", "changed_", "feature_counts_"):
        np.testing.assert_array_equal(getattr(one, name), getattr(other, name))


def features_of(fitted, form):
    """Kind, value and count of the features of one type."""
    w, M = fitted.clusters_["form"].tolist().index(form), len(fitted._kinds)
    bounds, values, amounts = fitted._arrays
    entries = range(bounds[w * M], bounds[(w + 1) * M])
    rows = fitted.features_.loc[values[entries.start : entries.stop], ["kind", "value"]]
    return {tuple(row): int(amounts[e]) for row, e in zip(rows.to_numpy().tolist(), entries, strict=True)}


# ---------------------------------------------------------------------------------------------------------------
# Features.


def test_the_features_of_a_type_are_counted_by_hand():
    text = table("the dogs ran", "the cats ran the dogs", "dogs")
    fitted = model(sweeps=1, n_context_words=2, suffix_lengths=(1, 2), suffix_min_types=2).fit(text)
    assert fitted.clusters_["form"].tolist()[:2] == ["the", "dogs"]  # the two context words
    assert features_of(fitted, "dogs") == {
        ("left", "the"): 2, ("left", "(boundary)"): 1, ("right", "(other)"): 1, ("right", "(boundary)"): 2,
        ("suffix", "-s"): 1, ("suffix", "(other) 2"): 1,
    }  # fmt: skip
    assert features_of(fitted, "ran") == {
        ("left", "dogs"): 1, ("left", "(other)"): 1, ("right", "(boundary)"): 1, ("right", "the"): 1,
        ("suffix", "(other) 1"): 1, ("suffix", "(other) 2"): 1,
    }  # fmt: skip


def test_what_is_no_value_can_be_left_out():
    text = table("the dogs ran", "the cats ran the dogs", "dogs")
    fitted = model(
        sweeps=1, n_context_words=2, suffix_lengths=(1, 2), rest="left out", boundaries="separate"
    ).fit(text)  # fmt: skip
    assert features_of(fitted, "dogs") == {("left", "the"): 2, ("suffix", "-s"): 1}
    assert features_of(fitted, "the") == {("right", "dogs"): 2}


def test_all_words_are_contexts_without_a_limit():
    fitted = model(sweeps=1, n_context_words=None, features=("left",)).fit(table("a b c", "c b"))
    assert fitted.features_["value"].tolist().count("(other)") == 0
    assert features_of(fitted, "b") == {("left", "a"): 1, ("left", "c"): 1}


def test_given_features_count_like_those_of_the_text():
    text = table("a b", "b c")
    extra = pd.DataFrame({"kind": "head", "form": ["a", "a", "c"], "value": ["V", "V", 7], "count": [1, 2, 4]})
    fitted = model(sweeps=1, features=()).fit(text, extra=extra)
    assert features_of(fitted, "a") == {("head", "V"): 3} and features_of(fitted, "b") == {}
    assert fitted.features_.to_numpy().tolist() == [["head", "V", 3], ["head", "7", 4]]
    as_well = model(sweeps=1, features=("right",)).fit(text, extra=extra)
    assert features_of(as_well, "a") == {("right", "b"): 1, ("head", "V"): 3}


def test_words_that_look_like_nothing_are_words():
    text = table("NA (other) null", "nan NA (boundary)")
    fitted = model(sweeps=1, features=("left",)).fit(text)
    assert features_of(fitted, "null") == {("left", "'(other)'"): 1}
    assert set(fitted.clusters_["form"]) == {"NA", "(other)", "null", "nan", "(boundary)"}


# ---------------------------------------------------------------------------------------------------------------
# The sampler.

#: Types with the values of two kinds: four types, three values of the one kind, two of the other.
ONE = [{"x": 2, "y": 1}, {"x": 1}, {"y": 3, "z": 1}, {}]
OTHER = [{"p": 1}, {"q": 1}, {"q": 1}, {"p": 2}]
ALPHA, PRIORS = 0.7, (0.3, 1.4)


def draws_of(rows):
    entries = [(w, name, n) for w, row in enumerate(rows) for name, n in row.items()]
    types, names, amounts = zip(*entries, strict=True)
    return Draws(np.array(types), np.array(names, dtype=object), np.array(amounts))


DRAWS = {"one": draws_of(ONE), "other": draws_of(OTHER)}
VALUES = value_table(DRAWS)
ARRAYS = gather(DRAWS, VALUES, 4)
KIND_OF = (VALUES["kind"] == "other").to_numpy().astype(np.int64)
RISING, MASS = kernels.rising_factorials(np.array(PRIORS), 20), np.array([3 * PRIORS[0], 2 * PRIORS[1]])
TABLES = kernels.Priors(ALPHA, RISING, MASS)


def sequential_joint(classes, K):
    """Log joint probability, class after class and feature after feature: an urn for each distribution."""
    log_p = 0.0
    for w, k in enumerate(classes):
        log_p += math.log((list(classes[:w]).count(k) + ALPHA) / (w + K * ALPHA))
    for rows, prior in ((ONE, PRIORS[0]), (OTHER, PRIORS[1])):
        n_values = len({name for row in rows for name in row})
        seen = [Counter() for _ in range(K)]
        for row, k in zip(rows, classes, strict=True):
            for name in Counter(row).elements():
                log_p += math.log((seen[k][name] + prior) / (seen[k].total() + n_values * prior))
                seen[k][name] += 1
    return log_p


def gamma_joint(classes, K):
    """The same by the formula with gamma functions."""
    log_p = math.lgamma(K * ALPHA) - math.lgamma(len(classes) + K * ALPHA)
    for k in range(K):
        members = [w for w, other in enumerate(classes) if other == k]
        log_p += math.lgamma(len(members) + ALPHA) - math.lgamma(ALPHA)
        for rows, prior in ((ONE, PRIORS[0]), (OTHER, PRIORS[1])):
            names = sorted({name for row in rows for name in row})
            counts = [sum(rows[w].get(name, 0) for w in members) for name in names]
            log_p += math.lgamma(len(names) * prior) - math.lgamma(sum(counts) + len(names) * prior)
            log_p += sum(math.lgamma(n + prior) - math.lgamma(prior) for n in counts)
    return log_p


def counted(classes, K):
    made = kernels.Counts(np.empty((len(VALUES), K), np.int32), np.empty((2, K), np.int64), np.empty(K, np.int64))
    kernels.count(np.asarray(classes), ARRAYS, made)
    return made


def test_the_log_probability_is_that_of_the_draws_one_after_another_and_of_the_formula():
    for classes in itertools.product(range(3), repeat=4):
        found = kernels.log_probability(4, KIND_OF, counted(classes, 3), TABLES)
        assert math.isclose(found, sequential_joint(classes, 3), rel_tol=1e-12)
        assert math.isclose(found, gamma_joint(classes, 3), rel_tol=1e-12)


def test_the_conditional_of_a_class_is_the_ratio_of_joint_probabilities():
    K, out = 3, np.empty(3)
    for classes in itertools.product(range(K), repeat=4):
        for w in range(4):
            expected = np.exp([sequential_joint((*classes[:w], k, *classes[w + 1 :]), K) for k in range(K)])
            made = counted(classes, K)
            kernels.shift(w, classes[w], -1, ARRAYS, made)
            kernels.log_weights(w, ARRAYS, made, TABLES, out)
            weights = np.exp(out)
            np.testing.assert_allclose(weights / weights.sum(), expected / expected.sum(), rtol=1e-10)


@pytest.mark.thorough
def test_sweeps_visit_classes_as_often_as_they_are_probable():
    sweeps, generator = 60_000, np.random.default_rng(2)
    chains = list(itertools.product(range(2), repeat=4))
    posterior = np.exp([gamma_joint(classes, 2) for classes in chains])
    posterior /= posterior.sum()
    classes, seen = np.zeros(4, np.int64), np.zeros(len(chains))
    made = counted(classes, 2)
    for _ in range(sweeps):
        kernels.sweep(classes, ARRAYS, made, TABLES, 1.0, generator)
        seen[int("".join(map(str, classes)), 2)] += 1
    assert abs(seen / sweeps - posterior).sum() / 2 < 0.01


def test_counts_after_sweeps_are_those_of_the_classes():
    classes, generator = np.array([0, 1, 2, 0]), np.random.default_rng(5)
    made = counted(classes, 3)
    changed = sum(kernels.sweep(classes, ARRAYS, made, TABLES, 1.0, generator) for _ in range(50))
    assert changed > 0
    for kept, anew in zip(made, counted(classes, 3), strict=True):
        np.testing.assert_array_equal(kept, anew)


@given(st.lists(st.integers(0, 2), min_size=4, max_size=4), st.permutations(range(3)))
@settings(max_examples=30, deadline=None)
def test_renaming_classes_changes_no_probability(classes, renamed):
    found = []
    for some in (classes, [renamed[k] for k in classes]):
        found.append(kernels.log_probability(4, KIND_OF, counted(some, 3), TABLES))
    assert math.isclose(*found, rel_tol=1e-12)


def test_the_traced_probability_is_that_of_the_last_classes():
    text = small()
    fitted = model(n_clusters=4, class_prior=0.6, feature_prior={"left": 0.2, "right": 0.5, "suffix": 1.1}).fit(text)
    classes = fitted.clusters_["cluster"].to_numpy()
    log_p = math.lgamma(4 * 0.6) - math.lgamma(len(classes) + 4 * 0.6)
    log_p += sum(math.lgamma((classes == k).sum() + 0.6) - math.lgamma(0.6) for k in range(4))
    for kind, prior in {"left": 0.2, "right": 0.5, "suffix": 1.1}.items():
        counts = fitted.feature_counts_[(fitted.features_["kind"] == kind).to_numpy()]
        for k in range(4):
            log_p += math.lgamma(len(counts) * prior) - math.lgamma(counts[:, k].sum() + len(counts) * prior)
            log_p += sum(math.lgamma(n + prior) - math.lgamma(prior) for n in counts[:, k])
    assert math.isclose(fitted.log_probability_[-1], log_p, rel_tol=1e-10)


# ---------------------------------------------------------------------------------------------------------------
# The model.


def test_words_of_three_classes_fall_into_three_classes():
    text = small()
    fitted = model(sweeps=60, annealing=(3.0, 0.5), features=("left", "right")).fit(text)
    assert float(v_measure(text["form"].str[0], fitted.labels_)) == 1.0


def test_every_token_has_the_class_of_its_type():
    text = small()
    fitted = model().fit(text)
    of_type = fitted.clusters_.set_index("form")["cluster"]
    assert (of_type.loc[text["form"]].to_numpy() == fitted.labels_).all()
    pd.testing.assert_series_equal(fitted.predict(text), model().fit_predict(text))
    assert fitted.clusters_["frequency"].is_monotonic_decreasing and fitted.clusters_["frequency"].sum() == len(text)


def test_a_cold_chain_never_becomes_less_probable():
    fitted = model(annealing=(1e-9, 1e-9), sweeps=12).fit(small())
    assert (np.diff(fitted.log_probability_) >= -1e-9).all() and fitted.changed_[-1] == 0


def test_the_seed_decides_and_nothing_else_does():
    text = small()
    assert_same(restless(random_state=4).fit(text), restless(random_state=4).fit(text))
    assert_same(restless(random_state=np.random.default_rng(4)).fit(text), restless(random_state=4).fit(text))
    other = restless(random_state=5).fit(text)
    assert not np.array_equal(other.log_probability_, restless(random_state=4).fit(text).log_probability_)


def test_a_resumed_chain_is_the_unbroken_one():
    text = small()
    first = restless(sweeps=3).fit(text)
    before = first.log_probability_.copy()
    assert first.changed_.min() > 0
    resumed = restless(sweeps=8).fit(text, resume=first)
    assert_same(resumed, restless(sweeps=8).fit(text))
    np.testing.assert_array_equal(first.log_probability_, before)  # the paused chain is left as it was
    assert_same(first.set_params(sweeps=8).fit(text, resume=first), resumed)


def test_a_chain_starts_from_given_classes():
    text = small()
    start = {form: "dnv".index(form[0]) for form in set(text["form"])}
    fitted = model(sweeps=0, initialisation=start).fit(text)
    assert fitted.labels_.tolist() == [start[form] for form in text["form"]]
    assert fitted.sweeps_done_ == 0 and len(fitted.log_probability_) == 0


def test_what_does_not_belong_to_the_chain_cannot_be_resumed():
    text = small()
    extra = pd.DataFrame({"kind": ["head"], "form": ["d0"], "value": ["x"], "count": [1]})
    first = model().fit(text)
    with pytest.raises(ValueError, match="other tokens"):
        model().fit(small(seed=4), resume=first)
    for options in ({"n_clusters": 4}, {"feature_prior": 0.3}, {"class_prior": 2.0}, {"rest": "left out"}):
        with pytest.raises(ValueError, match="other classes, priors or features"):
            model(**options).fit(text, resume=first)
    more = pd.concat([extra, extra.assign(form="d1")])
    with pytest.raises(ValueError, match="extra"):
        model().fit(text, resume=model().fit(text, extra=extra), extra=more)
    with pytest.raises(ValueError, match="not fitted"):
        model().fit(text, resume=model())


def test_after_an_interruption_the_chain_goes_on(monkeypatch):
    text, whole = small(), restless().fit(small())
    started, sweep = restless(), kernels.sweep
    calls = []

    def interrupted(*arguments):
        calls.append(1)
        if len(calls) == 3:
            os.kill(os.getpid(), signal.SIGINT)
        return sweep(*arguments)

    monkeypatch.setattr(kernels, "sweep", interrupted)
    with pytest.raises(KeyboardInterrupt):
        started.fit(text)
    assert started.sweeps_done_ == 3 and len(started.labels_) == len(text)
    assert_same(started.fit(text, resume=started), whole)


def test_an_unknown_type_gets_the_class_that_its_features_have():
    fitted = model(sweeps=60, annealing=(3.0, 0.5)).fit(small())
    new = table("d0 nx v0", "d1 nx v1 d2", "d0 n1 vy d1 n0")
    of_type = fitted.clusters_.set_index("form")["cluster"]
    like = table("d0 n0 v0", "d1 n0 v1 d2", "d0 n1 v0 d1 n0")
    assert fitted.predict(new).tolist() == of_type.loc[like["form"]].tolist()
    assert fitted.predict(new, unknown="missing").isna().tolist() == [
        form in ("nx", "vy") for form in new["form"]
    ]  # fmt: skip


def test_given_features_of_an_unknown_type_decide_where_the_text_says_nothing():
    text = table("a b", "b a")
    extra = pd.DataFrame({"kind": "head", "form": ["a", "b"], "value": ["V", "N"], "count": [9, 9]})
    fitted = model(n_clusters=2, features=(), initialisation={"a": 0, "b": 1}, sweeps=0).fit(text, extra=extra)
    new = extra.assign(form="c").iloc[1:]
    assert fitted.predict(table("c"), extra=new).tolist() == [1]
    assert fitted.predict(table("c"), extra=new.assign(value="V")).tolist() == [0]
    assert fitted.predict(table("c"), extra=new.assign(value="W")).tolist() == [0]  # nothing known: first of equals


def test_bad_input_is_refused_in_words():
    text = small()
    for options, message in (
        ({"n_clusters": 0}, "n_clusters is 0"),
        ({"sweeps": -1}, "sweeps is -1"),
        ({"features": ("left", "shape")}, "'shape' is not a kind"),
        ({"features": "left"}, "give different kinds"),
        ({"features": ("left", "left")}, "give different kinds"),
        ({"features": ()}, "no type has a feature"),
        ({"n_context_words": 0}, "n_context_words is 0"),
        ({"boundaries": "none"}, "boundaries is 'none'"),
        ({"suffix_lengths": ()}, "suffix_lengths"),
        ({"suffix_lengths": (0,)}, "suffix_lengths"),
        ({"suffix_min_types": 0}, "suffix_min_types is 0"),
        ({"rest": "away"}, "rest is 'away'"),
        ({"class_prior": 0.0}, "class_prior is 0.0"),
        ({"feature_prior": -1.0}, "feature_prior is -1.0"),
        ({"feature_prior": {"left": 1.0, "right": 1.0}}, "not the kind 'suffix'"),
        ({"annealing": (1.0, 0.0)}, "annealing"),
        ({"initialisation": "type"}, "initialisation is 'type'"),
        ({"initialisation": {"d0": 1}}, "a class from 0 to 2"),
    ):
        with pytest.raises(ValueError, match=message):
            model(**options).fit(text)
    extra = pd.DataFrame({"kind": ["head"], "form": ["d0"], "value": ["x"], "count": [1]})
    for wrong, message in (
        (extra.drop(columns="value"), "lacks the column 'value'"),
        (extra.assign(count=0), "whole numbers from 1"),
        (extra.assign(count=1.5), "whole numbers from 1"),
        (extra.assign(form="zebra"), "'zebra', which the text lacks"),
        (extra.assign(kind="left"), "extracted from the text"),
        (extra.assign(value=None), "missing value"),
    ):
        with pytest.raises(ValueError, match=message):
            model().fit(text, extra=wrong)
    with pytest.raises(ValueError, match="not fitted"):
        model().predict(text)
    with pytest.raises(ValueError, match="unknown is 'guess'"):
        model().fit(text).predict(text, unknown="guess")
