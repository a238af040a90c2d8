"""The systems that go over the text again and again: stored as they grow, sampled, and with other priors."""

from functools import partial

import numpy as np
import pytest

from analysis.categories import align_labels, lexicon, micro_i, v_measure
from analysis.categories.models import BayesianHMM, VariationalHMM
from analysis.experiments import growing, is_long
from analysis.experiments.cache import place
from analysis.experiments.resumed import progress_of, steps_done
from analysis.papers import reichart2010
from analysis.papers.reichart2010.runs import CHAINS, chain, estimator, fit, fit_key

FEW = {"sweeps": 4, "gj_clusters": 6, "gj_sweeps": 5, "vb_passes": 3, "infinite_sweeps": 3, "infinite_start": 4}
SETTING = reichart2010.Setting(corpus="nursery", gold="coarse", runs=1, **FEW)


@pytest.fixture
def empty_cache(monkeypatch, tmp_path):
    monkeypatch.setenv("ANALYSIS_CACHE", str(tmp_path))
    monkeypatch.delenv("ANALYSIS_NO_CACHE", raising=False)
    return tmp_path


@pytest.mark.parametrize("name", CHAINS)
def test_a_chain_in_pieces_is_the_chain_in_one(name):
    tokens = reichart2010.data("nursery").tokens.head(2000)
    run = chain(name, SETTING, steps=6)
    whole = estimator(run).fit(tokens)
    part = estimator(run).fit(tokens, until=2)
    assert steps_done(part) == 2
    rest = estimator(run).fit(tokens, resume=part.state())
    np.testing.assert_array_equal(rest.labels_, whole.labels_)
    assert steps_done(rest) == 6


def test_a_long_run_is_stored_as_it_grows_and_forgotten_when_it_is_done(empty_cache, monkeypatch):
    monkeypatch.setattr("analysis.experiments.labelled.LONG", 5)
    run, tokens = chain("GJ08", SETTING), reichart2010.data("nursery").tokens
    key = fit_key("nursery", run)
    assert is_long(estimator(run)) and not place("labelling", key).is_stored()
    with growing([("GJ08", estimator(run), tokens, key)], processes=1) as long:
        assert long
        states = list((empty_cache / "results" / "unfinished").iterdir())
        assert len(states) == 1 and progress_of(key).steps == 3
        found = fit("nursery", run)
    assert found.steps == 5 and len(found.trace) == 5 and place("labelling", key).is_stored()
    assert not states[0].exists()
    with growing([("GJ08", estimator(run), tokens, key)], processes=1) as long:
        assert not long
    np.testing.assert_array_equal(found.labels, estimator(run).fit(tokens).labels_)


def test_gj08_is_the_bigram_model_with_fixed_priors_by_sampling_and_by_variational_bayes():
    tokens = reichart2010.data("nursery").tokens.head(3000)
    setting = reichart2010.Setting(gj_clusters=5, gj_priors=(0.3, 0.02), seed=4)
    gibbs = estimator(chain("GJ08", setting, steps=4)).fit(tokens)
    options = {"transition_prior": 0.3, "emission_prior": 0.02, "random_state": 4, "progress": False}
    same = BayesianHMM(5, "bigram", sweeps=4, resample_priors=False, **options).fit(tokens)
    np.testing.assert_array_equal(gibbs.labels_, same.labels_)
    assert (gibbs.transition_prior_ == 0.3).all() and (gibbs.emission_prior_ == 0.02).all()
    soft = estimator(chain("GJ08 VB", setting, steps=4)).fit(tokens)
    np.testing.assert_array_equal(soft.labels_, VariationalHMM(5, iterations=4, **options).fit(tokens).labels_)


@pytest.mark.parametrize(("name", "process", "learn"), [
    ("GVG09(1)", "dirichlet", False), ("GVG09(2)", "pitman-yor", False), ("GVG09(3)", "dirichlet", True)])  # fmt: skip
def test_the_three_configurations_of_gvg09_are_the_papers(name, process, learn):
    model = estimator(chain(name, SETTING, steps=2)).fit(reichart2010.data("nursery").tokens.head(500))
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
    table = reichart2010.cluster_words(SETTING, "GJ08", 3, clusters=2, words=3)
    labels = fit("nursery", chain("GJ08", SETTING)).kept[3]
    tokens = reichart2010.data("nursery").tokens.assign(label=labels)
    first = table.iloc[0]
    part = tokens[tokens["label"] == first["cluster"]]
    assert first["tokens"] == len(part) == tokens["label"].value_counts().max()
    assert first["types"] == part["form"].nunique()
    counts = part["form"].astype(str).value_counts()
    assert counts[first["words"].split()].tolist() == counts.head(3).tolist()
    share = (part["coarse"].astype(str) == first["gold"]).mean()
    assert first["share"] == pytest.approx(share) and len(table) == 2
    with pytest.raises(ValueError, match="after sweep 17 were not kept"):
        reichart2010.cluster_words(SETTING, "GJ08", 17)


def test_every_pair_of_priors_is_a_run_with_those_priors():
    table = reichart2010.priors(SETTING, values=(1.0, 0.01), sweeps=3, n_jobs=1)
    pairs = table[["transition_prior", "emission_prior"]].itertuples(index=False, name=None)
    assert list(pairs) == [(1, 1), (1, 0.01), (0.01, 1), (0.01, 0.01)]
    setting = reichart2010.Setting(corpus="nursery", gold="coarse", gj_priors=(0.01, 1), **FEW)
    found = fit("nursery", chain("GJ08", setting, steps=3))
    gold = reichart2010.data("nursery").tokens["coarse"]
    assert table["V"].iloc[2] == pytest.approx(float(v_measure(gold, found.labels)))
    with pytest.raises(ValueError, match="system is 'GG07'"):
        reichart2010.priors(SETTING, system="GG07")


def test_the_figures_show_what_the_tables_hold(monkeypatch):
    monkeypatch.setattr("analysis.papers.reichart2010.figures.priors",
                        partial(reichart2010.priors, values=(1.0, 0.01), sweeps=3, n_jobs=1))  # fmt: skip
    left, right = reichart2010.traces_figure(SETTING).axes
    lines = {line.get_label(): line for line in left.get_lines()}
    trace = reichart2010.traces(SETTING, systems=["GVG09(2)"])["objective"] / 1000
    assert set(lines) == set(CHAINS) and lines["GVG09(2)"].get_ydata().tolist() == trace.tolist()
    clusters = {line.get_label(): line.get_ydata().tolist() for line in right.get_lines()}
    assert clusters["GG07"] == reichart2010.samples(SETTING, systems=["GG07"])["clusters"].tolist()
    assert [len(ax.texts) for ax in reichart2010.priors_figure(SETTING).axes] == [4, 4, 4]


def test_in_the_figure_of_the_stored_runs_each_row_has_its_own_scale():
    figure = reichart2010.stored_samples_figure()
    above, below = figure.axes[:3], figure.axes[3:]
    assert {ax.get_ylim() for ax in above} != {ax.get_ylim() for ax in below}
    assert len({ax.get_ylim() for ax in above}) == len({ax.get_ylim() for ax in below}) == 1
    assert below[0].get_ylim()[1] <= 1.1, "V is at most 1"


def test_unknown_samplers_and_impossible_priors_are_refused():
    with pytest.raises(ValueError, match="sampler is 'Brown'; there are GG07"):
        reichart2010.samples(SETTING, systems=["Brown"])
    with pytest.raises(ValueError, match="gj_priors must be above 0, not 0"):
        reichart2010.Setting(gj_priors=(0.1, 0))
    with pytest.raises(ValueError, match="infinite_start must be at least 1"):
        reichart2010.Setting(infinite_start=0)
