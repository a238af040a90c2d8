import numpy as np
import pandas as pd
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from analysis import explore
from analysis.inflection import items_by_size
from analysis.papers import kodner2023

pytestmark = pytest.mark.thorough

for package in ("wordfreq", "lemminflect", "german_nouns"):
    pytest.importorskip(package, reason="the extra 'lexical' is not installed")


@pytest.fixture(scope="module", autouse=True)
def cache(small_cache):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ANALYSIS_CACHE", str(small_cache))
        yield


def printed(explorer):
    return [output["data"]["text/plain"] for output in explorer.children[1].outputs]


@pytest.mark.parametrize("language", ["Arabic", "English", "German"])
def test_the_sampling_explorer_shows_who_enters(language):
    explorer = explore.training_samples().set(language=language, strategy="UNIFORM", seed=3, share="tokens")
    assert explorer.error == ""
    drawn = kodner2023.draw("lexical", language, "UNIFORM", 3)
    pd.testing.assert_frame_equal(explorer.value["entering"], items_by_size(drawn, language))
    assert np.allclose(explorer.value["kinds"].groupby("size")["share"].sum(), 1)
    assert isinstance(explorer.figure(), Figure)


def test_the_curves_are_those_of_the_paper_module():
    explorer = explore.inflection_curves().set(
        language="German", model="NONNEUR", strategy="UNIFORM", seeds=2, interval="sd"
    )
    expected = kodner2023.curves(language="German", seeds=2, models=("NONNEUR",), languages=("German",), interval="sd")
    shown = explorer.value["means"].reset_index(drop=True)
    pd.testing.assert_frame_equal(shown, expected[expected["strategy"] == "UNIFORM"].reset_index(drop=True))
    assert len(explorer.figure().axes[0].lines) == 2 + 1


def test_the_errors_are_those_of_the_paper_module_as_numbers_or_shares():
    explorer = explore.inflection_errors().set(language="German", by="by model", seed=1)
    expected = kodner2023.errors(language="German", by="model", strategy="WEIGHTED", seed=1)
    assert explorer.value["errors"].tolist() == expected["errors"].tolist()
    heights = sum(bar.get_height() for bar in explorer.figure().axes[0].patches)
    assert heights == expected["errors"].sum()
    shares = explorer.set(value="share").figure().axes[0].patches
    assert sum(bar.get_height() for bar in shares) == pytest.approx(3), "three models, each all of its errors"


def test_the_regression_explorer_states_rank_coding_and_problems():
    explorer = explore.inflection_regressions().set(terms="model * size", coding="treatment", model="NONNEUR")
    fit = kodner2023.accuracy_regression(terms="model * size", base_levels={"model": "NONNEUR"})
    assert explorer.value.estimate("size")["estimate"] == fit.estimate("size")["estimate"]
    said = printed(explorer)[1]
    assert "observations 440" in said and "rank 4" in said and "base NONNEUR" in said
    assert explorer.set(response="score range").value.quantity("observations") == 88
    assert explorer.set(coding="sum").error == ""


def test_the_wug_test_answers_by_model_and_by_size_and_asks_for_a_word():
    explorer = explore.wug_test(lemma="spling")
    assert set(explorer.value["model"]) == set(kodner2023.MODELS) and explorer.value["size"].unique().tolist() == [1000]
    explorer.set(size="all")
    assert explorer.value["size"].tolist() == list(kodner2023.sizes("lexical", "English"))
    explorer.set(word="")
    assert explorer.error == "type a word." and explorer.value is None
    german = next(option for option in explorer.controls["form"].options if option.startswith("German"))
    assert explorer.set(word="Bral", form=german).value["predicted"].str.startswith("Bral").all()


def ink(text):
    """The picture of a text, cut to its ink: True where it is dark."""
    from analysis.figures import use_style

    with use_style():
        figure = Figure(figsize=(3, 1), dpi=100)
        FigureCanvasAgg(figure)
        figure.text(0.1, 0.4, text, fontsize=30)
        figure.canvas.draw()
        pixels = np.asarray(figure.canvas.buffer_rgba())[..., 0] < 128
    columns, rows = np.flatnonzero(pixels.any(axis=0)), np.flatnonzero(pixels.any(axis=1))
    return pixels[rows.min() : rows.max() + 1, columns.min() : columns.max() + 1]


def test_arabic_labels_are_joined_and_run_from_right_to_left():
    """Warnings are errors, so a letter without a glyph would fail already."""
    alif_first = ink("اس")  # alif, a tall stroke, is the first letter: it must stand on the right
    top = np.flatnonzero(alif_first[:3].any(axis=0))
    assert top.mean() > 0.8 * alif_first.shape[1]
    assert ink("سلم").shape[1] < ink("س ل م").shape[1] - 10, "letters are joined"


def test_newcomers_are_the_most_frequent():
    explorer = explore.training_samples()
    shown, entering = explorer._table(explorer.value).iloc[0], explorer.value["entering"]
    first = shown["new, most frequent"].split(", ")
    rows = entering[entering["size"] == shown["size"]]
    assert first[0] == rows.loc[rows["frequency"].idxmax(), "lemma"]
