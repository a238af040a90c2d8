"""The estimator: seeds, resuming, the toy language, new text, bad input."""

import numpy as np
import pandas as pd
import pytest

from analysis.categories.models.infinite_hmm import CONFIGURATIONS, InfiniteHMM, overdispersed_starts


def small(utterances=60, seed=3):
    """Two classes in turn, with no word in common."""
    generator = np.random.default_rng(seed)
    rows = []
    for sentence in range(utterances):
        for position in range(generator.integers(1, 9)):
            rows.append((sentence, "ab"[position % 2] + str(generator.integers(0, 4)), position % 2))
    return pd.DataFrame(rows, columns=["sentence", "form", "kind"])


def model(**options):
    return InfiniteHMM(**({"initial_clusters": 5, "sweeps": 12, "progress": False} | options))


def assert_same_chain(one, other):
    for name in ("labels_", "log_probability_", "clusters_", "concentration_", "base_concentration_", "changed_"):
        np.testing.assert_array_equal(getattr(one, name), getattr(other, name))
    np.testing.assert_array_equal(one._random, other._random)


@pytest.mark.parametrize("number", CONFIGURATIONS)
def test_stopping_and_going_on_changes_no_bit(number):
    tokens, options = small(), {**CONFIGURATIONS[number], "keep_every": 4}
    whole = model(**options).fit(tokens)
    part = model(**options).fit(tokens, until=5)
    assert part.sweeps_done_ == 5
    for resume in (part, part.state()):
        rest = model(**options, random_state=99).fit(tokens, resume=resume)
        assert_same_chain(rest, whole)
        np.testing.assert_array_equal(rest.kept_labels_, whole.kept_labels_)
    assert whole.kept_sweeps_.tolist() == [4, 8, 12]
    np.testing.assert_array_equal(whole.kept_labels_[-1], whole.labels_)
    assert len(set(whole.concentration_)) == (12 if number == 3 else 1)


def test_seeds_reproduce_names_of_words_carry_nothing_and_numbers_have_no_gap():
    tokens = small()
    fitted = model().fit(tokens)
    assert_same_chain(fitted, model().fit(tokens))
    assert (model(random_state=1).fit(tokens).log_probability_ != fitted.log_probability_).any()
    assert_same_chain(fitted, model().fit(tokens.assign(form="x" + tokens["form"])))
    assert sorted(set(fitted.labels_)) == list(range(fitted.n_clusters_))
    assert fitted.n_clusters_ == fitted.clusters_[-1]


@pytest.mark.parametrize("threads", [2, 3, -1])
def test_threads_change_no_number(threads):
    tokens, options = small(150), CONFIGURATIONS[2]
    assert_same_chain(model(**options).fit(tokens), model(n_jobs=threads, **options).fit(tokens))


def test_splits_and_mergers_are_counted_and_may_be_left_out():
    tokens = small()
    without, some = model(split_merge=0).fit(tokens), model(split_merge=7, sweeps=40).fit(tokens)
    assert (without.split_merge_ == 0).all() and without.split_merge_.shape == (12, 4)
    assert (some.split_merge_[:, [0, 2]].sum(axis=1) == 7).all()
    assert (some.split_merge_[:, 1] <= some.split_merge_[:, 0]).all() and some.split_merge_[:, 3].sum() > 0
    counts = some._tables.followed[: some.n_clusters_ + 1, : some.n_clusters_ + 1]
    assert counts.sum() == len(tokens) + tokens["sentence"].nunique(), "every transition is counted after the moves"


def test_learnt_values_have_a_trace_and_others_stay():
    fitted = model(learn_emission_prior=True).fit(small())
    assert len(set(fitted.emission_concentration_)) == 12 and len(set(fitted.concentration_)) == 1


def test_splits_and_mergers_bring_chains_from_few_and_from_many_tags_together():
    options = {"starts": (1, 12), "sweeps": 60, "progress": False}
    without, some = (overdispersed_starts(small(150), split_merge=moves, **options) for moves in (0, 20))
    assert some["start"].tolist() == [1, 12] and (some["lower"] <= some["mean"]).all()
    assert without["clusters"].iloc[1] >= 10 > some["clusters"].iloc[1]
    assert some["r_hat"].nunique() == 1 and some["r_hat"].iloc[0] < without["r_hat"].iloc[0]
    with pytest.raises(ValueError, match="burn_in is 1"):
        overdispersed_starts(small(), starts=(2, 3), sweeps=8, burn_in=1.0, progress=False)


def test_two_classes_in_turn_are_found():
    tokens = small(150)
    fitted = model(sweeps=200).fit(tokens)
    table = pd.crosstab(tokens["kind"], fitted.labels_)
    assert table.max(axis=0).sum() > 0.97 * len(tokens)
    new = pd.crosstab(tokens["kind"], fitted.predict(tokens))  # a class may have several clusters
    assert new.max(axis=0).sum() > 0.97 * len(tokens)
    assert len(fitted.predict(pd.DataFrame({"sentence": [0], "form": ["unheard"]}))) == 1


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"process": "beta"}, "process is 'beta'"),
        ({"discount": 1.0}, "discount is 1.0"),
        ({"concentration": 0.0}, "concentration is 0.0"),
        ({"base_concentration_prior": (1.0, 0.0)}, "base_concentration_prior is"),
        ({"emission_prior_prior": (0.0, 1.0)}, "emission_prior_prior is"),
        ({"initial_clusters": 0}, "initial_clusters is 0"),
        ({"split_merge": -1}, "split_merge is -1"),
        ({"sweeps": -1}, "sweeps is -1"),
        ({"keep_every": 0}, "keep_every is 0"),
        ({"initialisation": "zeros"}, "initialisation is 'zeros'"),
        ({"initialisation": [0, 1]}, "initialisation must give"),
    ],
)
def test_a_wrong_parameter_is_refused(options, message):
    with pytest.raises(ValueError, match=message):
        model(**options).fit(small())


def test_other_tokens_no_tokens_and_a_model_not_fitted_are_refused():
    tokens = small()
    with pytest.raises(ValueError, match="other tokens"):
        model().fit(tokens.iloc[1:], resume=model(sweeps=1).fit(tokens))
    with pytest.raises(ValueError, match="not fitted"):
        model().predict(tokens)
    with pytest.raises(ValueError, match="token"):
        model().fit(tokens.head(0))
