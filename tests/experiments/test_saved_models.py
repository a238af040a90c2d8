"""Every model comes back from its file as it was, goes on as if it had never stopped, and the file holds no code."""

import io
import json
import zipfile

import numpy as np
import pandas as pd
import pytest

from analysis import corpora
from analysis.categories import models
from analysis.dependencies.models import DMV, CCGInduction, ReducibilityModel, TreeSubstitutionGrammar
from analysis.experiments import saved_models
from analysis.experiments.saved_models import fit_keeping_state, load_model, model_bytes, model_from, save_model
from analysis.inflection.models import CopyBaseline, MajoritySuffix, NonNeural
from analysis.structures import DataError
from analysis.structures.model import Model

QUIET = {"progress": False}
WORD_CLASSES = [
    models.BayesianHMM(3, sweeps=6, **QUIET),
    models.BrownClustering(4, **QUIET),
    models.ChrupalaClustering(n_clusters=3, n_topics=4, sweeps=6, min_count=2, **QUIET),
    models.ClarkClustering(3, **QUIET),
    models.ExchangeClustering(3, **QUIET),
    models.FrequentFrames(2),
    models.HierarchicalClustering(3),
    models.InfiniteHMM(sweeps=6, initial_clusters=4, **QUIET),
    models.MultinomialMixture(3, sweeps=6, **QUIET),
    models.PitmanYorHMM(3, sweeps=6, **QUIET),
    models.PmiAgglomerative(3),
    models.PmiKMeans(3),
    models.PosteriorRegularisedHMM(3, iterations=6, warm_up=2, **QUIET),
    models.PrototypeClustering(3, min_count=3, **QUIET),
    models.RandomCategories(),
    models.VariationalHMM(3, iterations=6, tolerance=0, **QUIET),
]
LONG = [model for model in WORD_CLASSES if hasattr(model, "sweeps") or hasattr(model, "iterations")]


def named(model):
    return type(model).__name__


@pytest.fixture(scope="module")
def tokens():
    return corpora.load("nursery").query("sentence < 150").reset_index(drop=True)


def again(model):
    """A new model with the same parameters."""
    return type(model)(**model.get_params())


@pytest.mark.parametrize("model", WORD_CLASSES, ids=named)
def test_a_model_comes_back_and_labels_new_text_alike(model, tokens, tmp_path):
    fitted = again(model).fit(tokens)
    save_model(fitted, tmp_path / "a.model")
    loaded = load_model(tmp_path / "a.model")
    assert type(loaded) is type(model) and repr(loaded) == repr(fitted)
    pd.testing.assert_series_equal(loaded.predict(tokens), fitted.predict(tokens))
    assert [path.name for path in tmp_path.iterdir()] == ["a.model"]


def test_every_model_of_word_classes_is_saved_here():
    classes = {name for name in models.__all__ if isinstance(getattr(models, name), type)}
    assert {named(model) for model in WORD_CLASSES} == classes


@pytest.mark.parametrize("model", LONG, ids=named)
def test_a_loaded_chain_goes_on_as_if_it_had_never_stopped(model, tokens):
    whole = again(model).fit(tokens)
    name = "sweeps" if hasattr(model, "sweeps") else "iterations"
    half = again(model).set_params(**{name: 3}).fit(tokens)
    gone_on = again(model).fit(tokens, resume=model_from(model_bytes(half)))
    assert np.array_equal(gone_on.labels_, whole.labels_)


@pytest.mark.parametrize("model", LONG, ids=named)
def test_a_killed_fit_goes_on_and_ends_alike(model, tokens, tmp_path, monkeypatch):
    monkeypatch.setenv("ANALYSIS_CACHE", str(tmp_path))
    monkeypatch.setattr(saved_models, "EVERY", 0)
    asked, fit = [], saved_models._fit_until

    def killed(*arguments):
        asked.append(arguments[-2])
        if len(asked) == 3:
            raise MemoryError
        return fit(*arguments)

    whole = fit_keeping_state(again(model), tokens, progress=False)
    monkeypatch.setattr(saved_models, "_fit_until", killed)
    with pytest.raises(MemoryError):
        fit_keeping_state(again(model), tokens, progress=False)
    gone_on = fit_keeping_state(again(model), tokens, progress=False)
    assert asked == [3, 4, 5, 6], "after 4 steps, which were stored, come the others"
    assert np.array_equal(gone_on.labels_, whole.labels_) and repr(gone_on) == repr(whole)
    assert not list((tmp_path / "results" / "unfinished_model").iterdir())


def test_interrupted_by_hand_it_goes_on_too(tokens, tmp_path, monkeypatch):
    monkeypatch.setenv("ANALYSIS_CACHE", str(tmp_path))
    model = models.BayesianHMM(3, sweeps=6, **QUIET)
    fit = saved_models._fit_until

    def interrupted(model, tokens, so_far, name, asked, total):
        fit(model, tokens, so_far, name, 2, total)
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(saved_models, "_fit_until", interrupted)
        with pytest.raises(KeyboardInterrupt):
            fit_keeping_state(again(model), tokens, progress=False)
    (state,) = (tmp_path / "results" / "unfinished_model").iterdir()
    assert state.is_file()
    assert np.array_equal(fit_keeping_state(again(model), tokens, progress=False).labels_,
                          again(model).fit(tokens).labels_)  # fmt: skip


def test_trees_and_forms_come_back_alike(tokens):
    tree = DMV(iterations=3, keep_history=True).fit(tokens)
    pd.testing.assert_series_equal(model_from(model_bytes(tree)).predict(tokens), tree.predict(tokens))
    chains = TreeSubstitutionGrammar(sweeps=2, runs=2, **QUIET).fit(tokens)
    pd.testing.assert_series_equal(model_from(model_bytes(chains)).predict(tokens), chains.predict(tokens))
    grammar = CCGInduction(n_best=5, iterations=3, max_length=4).fit(tokens)
    loaded = model_from(model_bytes(grammar))
    pd.testing.assert_series_equal(loaded.predict(tokens), grammar.predict(tokens))
    pd.testing.assert_frame_equal(loaded.parse(tokens).derivations.nodes, grammar.parse(tokens).derivations.nodes)
    sampled = ReducibilityModel(sweeps=3, parse_sweeps=3, max_length=4, lexical=True).fit(tokens)
    pd.testing.assert_series_equal(model_from(model_bytes(sampled)).predict(tokens), sampled.predict(tokens))
    forms = pd.DataFrame({"lemma": ["walk", "sing", "go"], "form": ["walked", "sang", "went"], "features": "V;PST"})
    for model in (NonNeural(), MajoritySuffix(), CopyBaseline()):
        fitted = model.fit(forms)
        again = model_from(model_bytes(fitted)).predict(forms.assign(lemma=["talk", "ring", "undergo"]))
        assert again.tolist() == fitted.predict(forms.assign(lemma=["talk", "ring", "undergo"])).tolist()


def changed(content, **entries):
    """A model's file with other entries in its outline."""
    stream = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as old, zipfile.ZipFile(stream, "w") as new:
        for name in old.namelist():
            data = old.read(name)
            if name == "result.json":
                data = json.dumps(json.loads(data) | entries).encode()
            new.writestr(name, data)
    return stream.getvalue()


@pytest.mark.parametrize(
    ("entries", "message"),
    [
        ({"model": "os.system"}, "not a class of this suite"),
        ({"model": "analysis.structures.model.Mode"}, "has no analysis.structures.model.Mode"),
        ({"model": "analysis.structures.scores.Score"}, "is not a model"),
        ({"model": "analysis.experiments.saved_models.importlib"}, "not a class of this suite"),
        ({"kind": "another"}, "says nothing of a model"),
        ({"value": {"object": "Popen", "fields": {}}}, "Popen, which is not in `classes`"),
        ({"value": {"object": "_Object", "fields": {"of": "subprocess.Popen", "attributes": {"dict": []}}}},
         "not a class of this suite"),
    ],
)  # fmt: skip
def test_a_file_names_no_code_of_others(entries, message, tmp_path):
    file = tmp_path / "a.model"
    file.write_bytes(changed(model_bytes(CopyBaseline()), **entries))
    with pytest.raises(DataError, match=message):
        load_model(file)


def test_a_file_that_is_none_is_said_in_one_line(tmp_path):
    (tmp_path / "a.txt").write_text("no model", encoding="utf-8")
    with pytest.raises(DataError, match=r"a\.txt: it holds no saved model \(it is not a zip file\)"):
        load_model(tmp_path / "a.txt")
    with pytest.raises(DataError, match=r"none: it cannot be read: No such file"):
        load_model(tmp_path / "none")
    save_model(CopyBaseline(), tmp_path / "copy.model")
    with pytest.raises(DataError, match="it holds a CopyBaseline, not a DMV"):
        load_model(tmp_path / "copy.model", DMV)
    content = (tmp_path / "copy.model").read_bytes()
    (tmp_path / "cut.model").write_bytes(content[: len(content) // 2])
    with pytest.raises(DataError, match="it holds no saved model"):
        load_model(tmp_path / "cut.model")


def test_what_cannot_be_stored_is_refused_before_anything_is_written(tmp_path):
    class Own(Model):
        """A model of somebody else's."""

    with pytest.raises(TypeError, match="not a model of this suite"):
        save_model(Own(), tmp_path / "own.model")
    assert not list(tmp_path.iterdir())
