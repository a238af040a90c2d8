"""The systems that go over the text again and again: stored as they grow, sampled, and with other priors."""

from functools import partial
from types import SimpleNamespace

import numpy as np
import pytest

from analysis.categories import align_labels, lexicon, micro_i, v_measure
from analysis.categories.models import BayesianHMM, VariationalHMM
from analysis.experiments import cache_key
from analysis.papers import reichart2010
from analysis.papers.reichart2010 import chains
from analysis.papers.reichart2010.chains import Done, kept_sweeps, progress_of, run_chain, time_estimate
from analysis.papers.reichart2010.systems import CHAINS, advanced, begin, chain, fit, fit_key, is_fitted, is_long

FEW = {"sweeps": 4, "gj_clusters": 6, "gj_sweeps": 5, "vb_passes": 3, "infinite_sweeps": 3, "infinite_start": 4}
SETTING = reichart2010.Setting(corpus="nursery", gold="coarse", runs=1, **FEW)
KEY = cache_key(data="none", parameters={"model": "GJ08"}, version="1")


@pytest.fixture
def empty_cache(monkeypatch, tmp_path):
    monkeypatch.setenv("ANALYSIS_CACHE", str(tmp_path))
    monkeypatch.delenv("ANALYSIS_NO_CACHE", raising=False)
    return tmp_path


def counting(stop=None, ends=None):
    """A chain whose sweeps do nothing: breaks down after ``stop`` sweeps, converges after ``ends``."""
    calls = []

    def advance(model, until):
        calls.append((0 if model is None else model.sweeps_done_, until))
        if stop is not None and until > stop:
            raise KeyboardInterrupt
        done = until if ends is None else min(until, ends)
        return SimpleNamespace(sweeps_done_=done, labels_=np.full(2, done), seconds_=np.full(done, 0.25))

    return advance, calls


def test_a_chain_keeps_its_tags_after_sweeps_on_a_logarithmic_scale():
    advance, calls = counting()
    model, kept = run_chain(advance, 100)
    assert model.sweeps_done_ == 100 and list(kept) == kept_sweeps(100)
    assert all((labels == sweep).all() for sweep, labels in kept.items())
    assert [until for _, until in calls] == kept_sweeps(100), "no other pause"


def test_a_chain_that_was_interrupted_goes_on_from_what_was_stored(empty_cache, monkeypatch):
    monkeypatch.setattr(chains, "EVERY", 0)
    advance, _ = counting(stop=40)
    with pytest.raises(KeyboardInterrupt):
        run_chain(advance, 100, KEY)
    before = progress_of(KEY)
    assert 30 < before.steps <= 40 and before.total == 100 and before.seconds == 0.25
    advance, calls = counting()
    model, kept = run_chain(advance, 100, KEY)
    assert calls[0][0] == before.steps, "nothing is done twice"
    assert model.sweeps_done_ == 100 and list(kept) == kept_sweeps(100)
    assert progress_of(KEY) == Done(100, 100, 0.25)


def test_a_chain_that_converges_is_done(empty_cache):
    advance, calls = counting(ends=7)
    model, kept = run_chain(advance, 100, KEY)
    assert model.sweeps_done_ == 7 and max(kept) == 7
    assert progress_of(KEY) == Done(100, 100, 0.25), "nothing is left to do"
    first = len(calls)
    run_chain(advance, 100, KEY)
    assert len(calls) == first + 1, "it is asked once more, and does nothing"


def test_the_time_left_is_at_least_that_of_the_longest_chain():
    chains_left = [Done(0, 10, 1.0), Done(5, 10, 0.2), Done(10, 10, 9.0)]
    assert time_estimate(chains_left) == 11
    assert time_estimate(chains_left, processes=8) == 10
    assert time_estimate([]) == 0


def test_the_bar_over_long_chains_tells_the_time_left(empty_cache, capsys):
    with chains.time_left([KEY]):
        pass
    assert capsys.readouterr().err == "", "nothing is known of a chain that has not begun"
    advance, _ = counting()
    run_chain(advance, 1000, KEY, until=200)
    with chains.time_left([KEY]):
        pass
    shown = capsys.readouterr().err
    assert "20%" in shown and "about 03:20 left" in shown and "GJ08 20 %" in shown  # 800 sweeps of 0.25 s


@pytest.mark.parametrize("name", CHAINS)
def test_a_chain_in_pieces_is_the_chain_in_one(name):
    tokens = reichart2010.data("nursery").tokens.head(2000)
    run = chain(name, SETTING, steps=6)
    whole = advanced(tokens, run, None, 6)
    part = advanced(tokens, run, None, 2)
    rest = advanced(tokens, run, part, 6)
    np.testing.assert_array_equal(rest.labels_, whole.labels_)
    assert chains.steps_done(part) in (2, 6) and chains.steps_done(rest) == 6


def test_a_long_run_is_stored_as_it_grows_and_forgotten_when_it_is_done(empty_cache, monkeypatch):
    monkeypatch.setattr("analysis.papers.reichart2010.systems.LONG", 5)
    run = chain("GJ08", SETTING)
    assert is_long(run) and not is_fitted("nursery", run)
    begin("nursery", run)
    states = list((empty_cache / "results" / "reichart2010_chain").iterdir())
    assert len(states) == 1 and progress_of(fit_key("nursery", run)).steps == 3
    found = fit("nursery", run)
    assert found.steps == 5 and len(found.trace) == 5 and is_fitted("nursery", run)
    assert not states[0].exists()
    tokens = reichart2010.data("nursery").tokens
    np.testing.assert_array_equal(found.labels, advanced(tokens, run, None, 5).labels_)


def test_gj08_is_the_bigram_model_with_fixed_priors_by_sampling_and_by_variational_bayes():
    tokens = reichart2010.data("nursery").tokens.head(3000)
    setting = reichart2010.Setting(gj_clusters=5, gj_priors=(0.3, 0.02), seed=4)
    gibbs = advanced(tokens, chain("GJ08", setting, steps=4), None, 4)
    options = {"transition_prior": 0.3, "emission_prior": 0.02, "random_state": 4, "progress": False}
    same = BayesianHMM(5, "bigram", sweeps=4, resample_priors=False, **options).fit(tokens)
    np.testing.assert_array_equal(gibbs.labels_, same.labels_)
    assert (gibbs.transition_prior_ == 0.3).all() and (gibbs.emission_prior_ == 0.02).all()
    soft = advanced(tokens, chain("GJ08 VB", setting, steps=4), None, 4)
    np.testing.assert_array_equal(soft.labels_, VariationalHMM(5, iterations=4, **options).fit(tokens).labels_)


@pytest.mark.parametrize(("name", "process", "learn"), [
    ("GVG09(1)", "dirichlet", False), ("GVG09(2)", "pitman-yor", False), ("GVG09(3)", "dirichlet", True)])  # fmt: skip
def test_the_three_configurations_of_gvg09_are_the_papers(name, process, learn):
    model = advanced(reichart2010.data("nursery").tokens.head(500), chain(name, SETTING, steps=2), None, 2)
    assert (model.process, model.learn_concentrations, model.initial_clusters) == (process, learn, 4)


def test_the_samples_are_scored_on_the_tags_of_their_sweep():
    table = reichart2010.samples(SETTING, systems=["GJ08", "GJ08 VB"])
    assert table["sweep"].tolist() == [1, 2, 3, 4, 5, 1, 2, 3]
    found = fit("nursery", chain("GJ08", SETTING))
    tokens = reichart2010.data("nursery").tokens
    row = table.iloc[4]
    np.testing.assert_array_equal(found.kept[5], found.labels)
    aligned = align_labels(tokens, tokens.index.to_series() * 0 + found.labels, label="coarse").tokens
    assert row["V"] == pytest.approx(float(v_measure(aligned["gold"], aligned["predicted"])))
    assert row["MicroI 1-1"] == pytest.approx(float(micro_i(lexicon(aligned, "gold"), lexicon(aligned, "predicted"))))
    assert row["clusters"] == len(np.unique(found.labels)) and row["objective"] == found.objective
    traces = reichart2010.traces(SETTING, systems=["GJ08"])
    assert traces["objective"].tolist() == found.trace.tolist() and traces["sweep"].tolist() == [1, 2, 3, 4, 5]


def test_the_words_of_a_cluster_are_counted_by_hand():
    table = reichart2010.cluster_words("GJ08", 3, SETTING, clusters=2, words=3)
    labels = fit("nursery", chain("GJ08", SETTING)).kept[3]
    tokens = reichart2010.data("nursery").tokens.assign(label=labels)
    first = table.iloc[0]
    part = tokens[tokens["label"] == first["cluster"]]
    assert first["tokens"] == len(part) == tokens["label"].value_counts().max()
    assert first["types"] == part["form"].nunique()
    counts = part["form"].astype(str).value_counts()
    assert counts[first["words"].split()].tolist() == counts.head(3).tolist()
    share = (part["coarse"].astype(str) == first["gold"]).mean()
    assert first["share"] == pytest.approx(100 * share) and len(table) == 2
    with pytest.raises(ValueError, match="after sweep 17 were not kept"):
        reichart2010.cluster_words("GJ08", 17, SETTING)


def test_every_pair_of_priors_is_a_run_with_those_priors():
    table = reichart2010.priors(SETTING, values=(1.0, 0.01), sweeps=3, n_jobs=1)
    pairs = table[["transition_prior", "emission_prior"]].itertuples(index=False, name=None)
    assert list(pairs) == [(1, 1), (1, 0.01), (0.01, 1), (0.01, 0.01)]
    setting = reichart2010.Setting(corpus="nursery", gold="coarse", gj_priors=(0.01, 1), **FEW)
    found = fit("nursery", chain("GJ08", setting, steps=3))
    gold = reichart2010.data("nursery").tokens["coarse"]
    assert table["V"].iloc[2] == pytest.approx(float(v_measure(gold, found.labels)))
    with pytest.raises(ValueError, match="it must be 'GJ08' or 'GJ08 VB'"):
        reichart2010.priors(SETTING, system="GG07")


def test_the_figures_show_what_the_tables_hold(monkeypatch):
    monkeypatch.setattr("analysis.papers.reichart2010.sampler_figures.priors",
                        partial(reichart2010.priors, values=(1.0, 0.01), sweeps=3, n_jobs=1))  # fmt: skip
    left, right = reichart2010.traces_figure(SETTING).axes
    lines = {line.get_label(): line for line in left.get_lines()}
    trace = reichart2010.traces(SETTING, systems=["GVG09(2)"])["objective"] / 1000
    assert set(lines) == set(CHAINS) and lines["GVG09(2)"].get_ydata().tolist() == trace.tolist()
    clusters = {line.get_label(): line.get_ydata().tolist() for line in right.get_lines()}
    assert clusters["GG07"] == reichart2010.samples(SETTING, systems=["GG07"])["clusters"].tolist()
    assert [len(ax.texts) for ax in reichart2010.priors_figure(SETTING).axes] == [4, 4, 4]


def test_unknown_samplers_and_impossible_priors_are_refused():
    with pytest.raises(ValueError, match="'Brown' is not among the samplers"):
        reichart2010.samples(SETTING, systems=["Brown"])
    with pytest.raises(ValueError, match="gj_priors must be two numbers above 0"):
        reichart2010.Setting(gj_priors=(0.1, 0))
    with pytest.raises(ValueError, match="infinite_start must be at least 1"):
        reichart2010.Setting(infinite_start=0)
