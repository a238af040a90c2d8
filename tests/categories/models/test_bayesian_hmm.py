"""The estimator: resuming, saving, interruption, new text, bad input."""

import itertools
import math
import os
import signal
import threading

import numpy as np
import pandas as pd
import pytest

from analysis.categories.models import hmm_kernels as kernels
from analysis.categories.models.bayesian_hmm import BayesianHMM

ORDERS = pytest.mark.parametrize("order", ["bigram", "trigram"])


def small(utterances=80, seed=3):
    """Determiner, noun, verb in turn; each word belongs to one class."""
    generator = np.random.default_rng(seed)
    rows = []
    for sentence in range(utterances):
        for position in range(generator.integers(1, 9)):
            kind = position % 3
            rows.append((sentence, "dnv"[kind] + str(generator.integers(0, 5)), kind))
    return pd.DataFrame(rows, columns=["sentence", "form", "kind"])


def model(**options):
    return BayesianHMM(**({"n_clusters": 3, "sweeps": 12, "progress": False} | options))


def assert_same_chain(one, other):
    for name in ("labels_", "log_probability_", "transition_prior_", "emission_prior_", "changed_"):
        np.testing.assert_array_equal(getattr(one, name), getattr(other, name))
    np.testing.assert_array_equal(one._random, other._random)


@ORDERS
@pytest.mark.parametrize("way", ["model", "state", "file"])
def test_stopping_and_going_on_changes_no_bit(order, way, tmp_path):
    tokens = small()
    whole = model(order=order, sweeps=12).fit(tokens)
    part = model(order=order, sweeps=5).fit(tokens)
    if way == "state":
        part = part.state()
    elif way == "file":
        part.save(tmp_path / "chain.npz")
        part = tmp_path / "chain.npz"
    rest = model(order=order, sweeps=12, random_state=99).fit(tokens, resume=part)
    assert rest.sweeps_done_ == 12
    assert_same_chain(rest, whole)


def test_a_pause_leaves_the_annealing_as_it_is():
    tokens, options = small(), {"annealing": (2.0, 0.08)}
    whole = model(**options).fit(tokens)
    part = model(**options).fit(tokens, until=5)
    assert part.sweeps_done_ == 5
    np.testing.assert_array_equal(part.log_probability_, whole.log_probability_[:5])
    assert_same_chain(model(**options).fit(tokens, resume=part), whole)


@ORDERS
def test_the_same_seed_gives_the_same_chain_and_another_seed_another(order):
    tokens = small()
    assert_same_chain(model(order=order).fit(tokens), model(order=order).fit(tokens))
    other = model(order=order, random_state=1).fit(tokens)
    assert (other.log_probability_ != model(order=order).fit(tokens).log_probability_).any()
    generators = [model(random_state=np.random.default_rng(4)).fit(tokens) for _ in range(2)]
    assert_same_chain(*generators)


def test_a_saved_model_tags_as_the_model_itself(tmp_path):
    tokens = small()
    fitted = model(annealing=(2, 0.5)).fit(tokens)
    fitted.save(tmp_path / "chain.npz")
    loaded = BayesianHMM.load(tmp_path / "chain.npz")
    assert loaded.annealing == (2, 0.5)
    np.testing.assert_array_equal(loaded.predict(tokens), fitted.predict(tokens))
    assert [path.name for path in tmp_path.iterdir()] == ["chain.npz"]


def test_categories_and_strings_and_numbers_of_sentences_do_not_matter():
    tokens = small()
    as_categories = tokens.assign(form=tokens["form"].astype("category"), sentence=tokens["sentence"] * 7)
    plain = model().fit(tokens)
    resumed = model(sweeps=15).fit(as_categories, resume=plain)
    assert resumed.sweeps_done_ == 15


@ORDERS
def test_the_classes_of_a_regular_language_are_found(order):
    tokens = small(400)
    found = model(order=order, sweeps=300, annealing=(2, 0.3)).fit(tokens)
    table = pd.crosstab(tokens["kind"], found.labels_)
    assert table.max(axis=0).sum() == len(tokens)
    assert found.log_probability_[-1] > found.log_probability_[0]
    for method in ("gibbs", "mode", "viterbi"):
        new = found.predict(tokens, method)
        assert (new == found.labels_).mean() > 0.97


@ORDERS
def test_new_text_changes_nothing_in_the_model(order):
    tokens = small()
    fitted = model(order=order).fit(tokens)
    before = fitted.state()
    first = fitted.predict(tokens.head(50))
    np.testing.assert_array_equal(first, fitted.predict(tokens.head(50)))
    assert_same_chain(fitted, BayesianHMM.from_state(before))
    fresh = BayesianHMM.from_state(before)
    for name in ("_cells", "_totals", "_inverses"):
        np.testing.assert_array_equal(getattr(fitted, name), getattr(fresh, name))


def expected_probabilities(fitted, tokens):
    """Smoothed transitions and emissions from the labels, counted in plain Python."""
    size = {"bigram": 2, "trigram": 3}[fitted.order]
    K, W = fitted.n_clusters, tokens["form"].nunique()
    alpha, beta = fitted.transition_prior_[-1], fitted.emission_prior_[-1]
    events, contexts, emitted, tags = {}, {}, {}, {}
    for _, sentence in tokens.assign(tag=fitted.labels_).groupby("sentence"):
        chain = [K] * (size - 1) + sentence["tag"].tolist() + [K]
        for start in range(len(chain) - size + 1):
            event = tuple(chain[start : start + size])
            events[event] = events.get(event, 0) + 1
            contexts[event[:-1]] = contexts.get(event[:-1], 0) + 1
        for word, tag in zip(sentence["form"], sentence["tag"], strict=True):
            emitted[word, tag] = emitted.get((word, tag), 0) + 1
            tags[tag] = tags.get(tag, 0) + 1

    def transition(*event):
        return (events.get(event, 0) + alpha) / (contexts.get(event[:-1], 0) + (K + 1) * alpha)

    def emission(word, tag):
        return (emitted.get((word, tag), 0) + beta) / (tags.get(tag, 0) + W * beta)

    return size, transition, emission


def probability_of(chain, words, K, size, transition, emission):
    padded = [K] * (size - 1) + list(chain) + [K]
    steps = [transition(*padded[i : i + size]) for i in range(len(padded) - size + 1)]
    return math.prod(steps) * math.prod(emission(w, k) for w, k in zip(words, chain, strict=True))


@ORDERS
def test_viterbi_finds_the_most_probable_tags_of_each_utterance(order):
    tokens = small()
    fitted = model(order=order, sweeps=3).fit(tokens)
    size, transition, emission = expected_probabilities(fitted, tokens)
    new = [["d1", "n3", "unheard", "v2"], ["n0"], ["v1", "v1", "d0", "d0", "n4"]]
    table = pd.DataFrame([(i, w) for i, words in enumerate(new) for w in words], columns=["sentence", "form"])
    found = fitted.predict(table, "viterbi")
    for sentence, words in enumerate(new):
        best = max(
            itertools.product(range(3), repeat=len(words)),
            key=lambda chain: probability_of(chain, words, 3, size, transition, emission),
        )
        assert found[table["sentence"] == sentence].tolist() == list(best)
    np.testing.assert_array_equal(fitted.predict(table, "viterbi", beam=16), found)
    assert fitted.predict(table, "viterbi", beam=1).shape == found.shape


@ORDERS
def test_gibbs_tags_of_new_text_come_from_their_posterior(order):
    tokens = small()
    fitted = model(order=order, n_clusters=2, sweeps=3).fit(tokens)
    size, transition, emission = expected_probabilities(fitted, tokens)
    words = ["d1", "unheard", "v2"]
    chains = list(itertools.product(range(2), repeat=3))
    posterior = np.array([probability_of(chain, words, 2, size, transition, emission) for chain in chains])
    posterior /= posterior.sum()
    copies = 40_000
    table = pd.DataFrame({"sentence": np.repeat(np.arange(copies), 3), "form": words * copies})
    found = fitted.predict(table, "gibbs", sweeps=8).to_numpy().reshape(copies, 3) @ [4, 2, 1]
    assert abs(np.bincount(found, minlength=8) / copies - posterior).sum() / 2 < 0.02
    mode = fitted.predict(table.head(3), "mode", sweeps=2000).tolist()
    marginal = [sum(p for p, chain in zip(posterior, chains, strict=True) if chain[i]) for i in range(3)]
    clear = [i for i in range(3) if abs(marginal[i] - 0.5) > 0.1]  # elsewhere the more frequent is a matter of luck
    assert clear
    assert [mode[i] for i in clear] == [int(marginal[i] > 0.5) for i in clear]


def test_a_text_longer_than_a_chunk_is_tagged_whole(monkeypatch):
    from analysis.categories.models import bayesian_hmm

    monkeypatch.setattr(bayesian_hmm, "_CHUNK", 10)
    tokens = small()
    fitted = model(sweeps=200, annealing=(2, 0.2)).fit(tokens)
    assert (fitted.predict(tokens) == fitted.labels_).mean() > 0.95
    lengths = np.array([3, 12, 2, 8, 1])
    runs = list(bayesian_hmm._chunks(lengths))
    assert [run[:2] for run in runs] == [(0, 1), (1, 2), (2, 4), (4, 5)]
    assert [run[2:] for run in runs] == [(0, 3), (3, 15), (15, 25), (25, 26)]


def test_interruption_leaves_a_model_that_can_go_on(monkeypatch):
    tokens = small()
    whole = model(sweeps=12).fit(tokens)
    step, calls = kernels.step_beta, []

    def interrupted_step(*arguments):
        calls.append(1)
        if len(calls) == 4:
            os.kill(os.getpid(), signal.SIGINT)
        return step(*arguments)

    monkeypatch.setattr(kernels, "step_beta", interrupted_step)
    stopped = model(sweeps=12)
    with pytest.raises(KeyboardInterrupt):
        stopped.fit(tokens)
    monkeypatch.undo()
    assert stopped.sweeps_done_ == 4
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    assert_same_chain(stopped.fit(tokens, resume=stopped), whole)


def test_fitting_in_a_thread_gives_the_same():
    tokens = small()
    fitted = model()
    thread = threading.Thread(target=fitted.fit, args=(tokens,))
    thread.start()
    thread.join()
    assert_same_chain(fitted, model().fit(tokens))


def test_tags_keep_the_index_of_the_tokens():
    tokens = small().set_index(pd.Index(range(1000, 1000 + len(small()))))
    fitted = model()
    trained = fitted.fit_predict(tokens)
    assert trained.tolist() == fitted.labels_.tolist()
    for tags in (trained, fitted.predict(tokens), fitted.predict(tokens, "viterbi")):
        assert (tags.name, tags.dtype, tags.index.equals(tokens.index)) == ("cluster", "Int32", True)
    assert len(fitted.seconds_) == 12


def test_the_bar_tells_the_log_probability(capsys):
    model(progress=True, sweeps=2).fit(small())
    captured = capsys.readouterr()
    assert "log probability -" in captured.err
    assert not captured.out


def test_types_can_start_with_one_tag_each_and_tokens_with_given_tags():
    tokens = small()
    start = model(initialisation="type", sweeps=0).fit(tokens)
    assert (tokens.assign(tag=start.labels_).groupby("form")["tag"].nunique() == 1).all()
    given = model(initialisation=tokens["kind"], sweeps=0).fit(tokens)
    np.testing.assert_array_equal(given.labels_, tokens["kind"])
    assert len(set(model(sweeps=0).fit(tokens).labels_)) == 3


def test_a_very_cold_chain_only_climbs():
    tokens = small()
    cold = model(annealing=(1e-3, 1e-3), resample_priors=False, sweeps=30).fit(tokens)
    assert (np.diff(cold.log_probability_) > -1e-9 * abs(cold.log_probability_[0])).all()


def test_temperature_falls_by_a_constant_factor_to_its_last_value():
    annealed = model(annealing=(2, 0.08), sweeps=5)
    found = [annealed._temperature(sweep) for sweep in range(5)]
    assert found[0] == 2
    assert math.isclose(found[4], 0.08)
    np.testing.assert_allclose(np.diff(np.log(found)), math.log(0.04) / 4)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"order": "fourgram"}, "order is 'fourgram'"),
        ({"n_clusters": 0}, "n_clusters is 0"),
        ({"sweeps": -1}, "sweeps is -1"),
        ({"emission_prior": 0.0}, "emission_prior is 0.0"),
        ({"annealing": (2, 0)}, "annealing is"),
        ({"initialisation": "zeros"}, "initialisation is 'zeros'"),
        ({"initialisation": [0, 1]}, "initialisation must give"),
    ],
)
def test_a_wrong_parameter_is_refused(options, message):
    with pytest.raises(ValueError, match=message.replace("(", r"\(")):
        model(**options).fit(small())


def test_a_chain_of_other_tokens_or_another_model_is_refused():
    tokens = small()
    fitted = model().fit(tokens)
    with pytest.raises(ValueError, match="other tokens"):
        model().fit(tokens.iloc[1:], resume=fitted)
    with pytest.raises(ValueError, match="other tokens"):
        model().fit(tokens.assign(form=tokens["form"].iloc[::-1].to_numpy()), resume=fitted)
    with pytest.raises(ValueError, match="a trigram with 3 clusters"):
        model(n_clusters=4).fit(tokens, resume=fitted)
    with pytest.raises(ValueError, match="another source of BayesianHMM"):
        BayesianHMM.from_state(fitted.state() | {"source": "0"})


def test_a_model_that_is_not_fitted_and_wrong_calls_are_refused():
    tokens = small()
    with pytest.raises(ValueError, match="not fitted"):
        model().predict(tokens)
    fitted = model(sweeps=1).fit(tokens)
    for options, message in (
        ({"method": "guess"}, "method is"),
        ({"sweeps": 0}, "sweeps is"),
        ({"beam": 0}, "beam is"),
    ):
        with pytest.raises(ValueError, match=message):
            fitted.predict(tokens, **options)
    with pytest.raises(ValueError, match="lacks the column 'form'"):
        fitted.predict(tokens[["sentence"]])


def test_exact_viterbi_that_would_never_end_is_refused(monkeypatch):
    from analysis.categories.models import bayesian_hmm

    tokens = small()
    fitted = model(sweeps=1).fit(tokens)
    monkeypatch.setattr(bayesian_hmm, "_VITERBI_STEPS", 100)
    with pytest.raises(ValueError, match="give a beam"):
        fitted.predict(tokens, "viterbi")
    assert len(fitted.predict(tokens, "viterbi", beam=4)) == len(tokens)


def test_a_file_of_something_else_is_refused(tmp_path):
    np.savez(tmp_path / "other.npz", a=np.zeros(1))
    with pytest.raises(ValueError, match="holds no saved"):
        BayesianHMM.load(tmp_path / "other.npz")
