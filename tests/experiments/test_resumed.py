"""Long fits: stored as they grow, gone on with after an interruption, with the time that is left."""

import numpy as np
import pandas as pd
import pytest

from analysis.categories.models import BayesianHMM, InfiniteHMM, PosteriorRegularisedHMM, VariationalHMM
from analysis.experiments import cache_key, fit_resumed, forget, resumed, steps_spread, time_left
from analysis.experiments.resumed import Progress, progress_of, time_estimate

KEY = cache_key(data="none", parameters={"model": "GJ08"}, function=fit_resumed)
TOKENS = pd.DataFrame({"sentence": np.repeat(np.arange(12), 5), "form": list("abcdabacbdacdbb") * 4})


@pytest.fixture
def empty_cache(monkeypatch, tmp_path):
    monkeypatch.setenv("ANALYSIS_CACHE", str(tmp_path))
    monkeypatch.delenv("ANALYSIS_NO_CACHE", raising=False)
    return tmp_path


class Counting:
    """A chain whose sweeps do nothing: breaks down after ``stop`` sweeps, converges after ``ends``."""

    def __init__(self, sweeps, stop=None, ends=None):
        self.sweeps, self.stop, self.ends, self.calls, self.sweeps_done_ = sweeps, stop, ends, [], 0

    def fit(self, tokens, resume=None, until=None):
        done = resume["done"] if isinstance(resume, dict) else self.sweeps_done_
        self.calls.append((done, until))
        if self.stop is not None and until > self.stop:
            raise KeyboardInterrupt
        self.sweeps_done_ = max(done, until if self.ends is None else min(until, self.ends))
        self.labels_ = np.full(2, self.sweeps_done_)
        self.seconds_ = np.full(self.sweeps_done_, 0.25)
        return self

    def state(self):
        return {"done": self.sweeps_done_}


def test_a_fit_keeps_its_labels_after_steps_on_a_logarithmic_scale():
    model, kept = fit_resumed(Counting(100), TOKENS, keep=steps_spread(100))
    assert model.sweeps_done_ == 100 and list(kept) == steps_spread(100)
    assert all((labels == step).all() for step, labels in kept.items())
    assert [until for _, until in model.calls] == steps_spread(100), "no other pause"
    model, kept = fit_resumed(Counting(100), TOKENS)
    assert kept == {} and model.calls == [(0, 100)], "nothing is kept unless asked for"


def test_a_fit_that_was_interrupted_goes_on_from_what_was_stored(empty_cache, monkeypatch):
    monkeypatch.setattr(resumed, "EVERY", 0)
    with pytest.raises(KeyboardInterrupt):
        fit_resumed(Counting(100, stop=40), TOKENS, KEY, keep=steps_spread(100))
    before = progress_of(KEY)
    assert 30 < before.steps <= 40 and before.total == 100 and before.seconds == 0.25
    model, kept = fit_resumed(Counting(100), TOKENS, KEY, keep=steps_spread(100))
    assert model.calls[0] == (before.steps, 0) and model.calls[1][0] == before.steps, "nothing is done twice"
    assert model.sweeps_done_ == 100 and list(kept) == steps_spread(100)
    assert all((labels == step).all() for step, labels in kept.items())
    assert progress_of(KEY) == Progress(100, 100, 0.25)
    forget(KEY)
    model, _ = fit_resumed(Counting(100), TOKENS, KEY)
    assert model.calls[0][0] == 0, "what was forgotten is done again"


def test_a_fit_that_converges_is_done(empty_cache):
    model, kept = fit_resumed(Counting(100, ends=7), TOKENS, KEY, keep=steps_spread(100))
    assert model.sweeps_done_ == 7 and max(kept) == 7
    assert progress_of(KEY) == Progress(100, 100, 0.25), "nothing is left to do"
    model, _ = fit_resumed(Counting(100, ends=7), TOKENS, KEY, keep=steps_spread(100))
    assert len(model.calls) == 2, "it is restored and asked once more, and does nothing"


@pytest.mark.parametrize(
    "make",
    [
        lambda: BayesianHMM(3, sweeps=9, annealing=(2.0, 0.1), progress=False),
        lambda: InfiniteHMM(initial_clusters=3, sweeps=9, progress=False),
        lambda: VariationalHMM(3, iterations=9, tolerance=0, progress=False),
        lambda: PosteriorRegularisedHMM(3, iterations=9, warm_up=2, constrained_from=2, progress=False),
    ],
    ids=["BayesianHMM", "InfiniteHMM", "VariationalHMM", "PosteriorRegularisedHMM"],
)
def test_each_sampler_stored_at_every_step_and_interrupted_gives_the_same_labels(empty_cache, monkeypatch, make):
    monkeypatch.setattr(resumed, "EVERY", 0)
    whole = make().fit(TOKENS)
    for until in (2, 5):
        part, _ = fit_resumed(make(), TOKENS, KEY, keep=[4], until=until)
        assert resumed.steps_done(part) == until
    found, kept = fit_resumed(make(), TOKENS, KEY, keep=[4])
    np.testing.assert_array_equal(found.labels_, whole.labels_)
    np.testing.assert_array_equal(kept[9], whole.labels_)
    np.testing.assert_array_equal(kept[4], make().fit(TOKENS, until=4).labels_)


def test_the_time_left_is_at_least_that_of_the_longest_fit():
    fits = [Progress(0, 10, 1.0), Progress(5, 10, 0.2), Progress(10, 10, 9.0)]
    assert time_estimate(fits) == 11
    assert time_estimate(fits, processes=8) == 10
    assert time_estimate([]) == 0


def test_the_bar_over_long_fits_tells_the_time_left(empty_cache, capsys):
    with time_left([("GJ08", KEY)]):
        pass
    assert capsys.readouterr().err == "", "nothing is known of a fit that has not begun"
    fit_resumed(Counting(1000), TOKENS, KEY, until=200)
    with time_left([("GJ08", KEY)]):
        pass
    shown = capsys.readouterr().err
    assert "20%" in shown and "about 03:20 left" in shown and "GJ08 20 %" in shown  # 800 sweeps of 0.25 s
