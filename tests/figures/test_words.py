"""Words of the data are drawn as they stand, in their own script, through every kind of figure that draws words."""

import unicodedata
import warnings

import matplotlib as mpl
import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from matplotlib.figure import Figure
from matplotlib.text import Text

from analysis import figures
from analysis.explore.base import figure_output
from analysis.figures import words as gate

pytestmark = pytest.mark.thorough

MARKUP = ["$$", "me$$age", "$_$", "$ometime$", r"$\frac$", "PP$$", "100%", "a_b^c", "<b>", "&amp;", r"\$5", "`x`"]
SCRIPTS = ["هو", "הוא", "खाना", "क्ष्म", "привет", "ʃəˈt"]
HAN = ["他", "要", "吃", "すし", "한국"]


def tree(words):
    return pd.DataFrame({"form": words, "head": [0] + [1] * (len(words) - 1), "relation": words, "universal": words})


def nodes(words):
    """A right-branching derivation whose categories are the words, too."""
    rows = []
    for start in range(len(words) - 1):
        rows.append({"parent": 2 * start - 2, "category": words[start], "rule": ">", "start": start, "end": len(words)})
        rows.append({"parent": 2 * start, "category": words[start], "rule": "lex", "start": start, "end": start + 1})
    rows.append({**rows[-1], "parent": rows[-2]["parent"] + 2, "start": len(words) - 1, "end": len(words)})
    table = pd.DataFrame(rows).assign(node=range(len(rows)), matched=True, head=words[0])
    table.loc[0, "parent"] = -1
    return table


def links(words):
    return pd.DataFrame({"functor": [2], "argument": [1], "slot": [words[0]], "range": ["local"], "matched": [True]})


def crossed(words):
    table = pd.DataFrame([{"gold": gold, "cluster": cluster} for gold in words for cluster in words])
    return table.assign(value=range(len(table)))


def numbered(words):
    """One row per word, for the kinds that name systems, types of error, or groups."""
    value = np.linspace(0.2, 0.8, len(words))
    table = pd.DataFrame({"system": words, "precision": value, "recall": value, "value": value, "x": 1, "k": 12})
    return table.assign(measure=words, model=words, printed=value, recomputed=value, lower=value - 0.1)


KINDS = {
    "dependency arcs": lambda words, ax: figures.dependency_arcs(tree(words), ax=ax),
    "posteriors": lambda words, ax: figures.posterior_arcs(
        pd.DataFrame(np.full((len(words) + 1, len(words)), 0.1)), [0] * len(words), words, ax=ax
    ),
    "CCG derivation": lambda words, ax: figures.ccg_derivation(nodes(words), words, ax=ax),
    "dependency links": lambda words, ax: figures.dependency_links(links(words), words, ax=ax),
    "confusion": lambda words, ax: figures.heatmap(crossed(words), row="gold", column="cluster", bar=False, ax=ax),
    "logarithmic confusion": lambda words, ax: figures.heatmap(
        crossed(words), row="gold", column="cluster", log=True, ax=ax
    ),
    "bars": lambda words, ax: figures.grouped_bars(numbered(words), x="x", group="system", ax=ax),
    "points": lambda words, ax: figures.precision_against_recall(numbered(words), log=True, ax=ax),
    "comparison": lambda words, ax: figures.printed_beside_recomputed(numbered(words), label=["measure"], ax=ax),
}
FIGURES = {
    "two derivations": lambda words: figures.derivation_pair(nodes(words), nodes(words), words),
    "an utterance": lambda words: figures.utterance(tree(words), nodes(words)),
    "panels": lambda words: figures.small_multiples(
        [(word, lambda ax, word=word: ax.plot([1], label=word)) for word in words], columns=3, height=2
    ),
}


def drawn(kind, words, own=True):
    """A figure of a kind, its own or in axes of a caller."""
    if kind in FIGURES:
        return FIGURES[kind](words)
    return KINDS[kind](words, None if own else Figure(figsize=(9, 9)).subplots()).get_figure(root=True)


def texts(figure):
    return [text for text in figure.findobj(Text) if text.get_text() and text.get_visible()]


@pytest.mark.parametrize("own", [True, False])
@pytest.mark.parametrize("kind", [*KINDS, *FIGURES])
def test_no_word_is_read_as_markup(kind, own, tmp_path):
    figure = drawn(kind, MARKUP, own)
    figure.savefig(tmp_path / "a.png", dpi=30)
    formulas = [text.get_text() for text in texts(figure) if text._preprocess_math(text.get_text())[1]]
    assert all(text.startswith(r"$\mathdefault{") for text in formulas)
    assert {text.get_text().partition(" [")[0].removesuffix(" ✓") for text in texts(figure)} >= set(MARKUP[:2])
    for ending in figures.saving.FORMATS:
        assert figures.figure_bytes(figure, ending)


@pytest.mark.parametrize("kind", [*KINDS, *FIGURES])
def test_each_script_is_drawn_with_a_font_that_has_it_or_the_figure_names_one(kind, tmp_path):
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        figure = drawn(kind, SCRIPTS)
        figure.savefig(tmp_path / "a.pdf")
        figure_output(figure, "words", "svg")
    assert not [str(warning.message) for warning in told if "missing from font" in str(warning.message)]
    assert len(told) == len([text for text in figure.texts if text.get_gid() == "missing font"]) <= 1


@pytest.fixture
def only_dejavu(monkeypatch):
    fonts = [entry for entry in mpl.font_manager.fontManager.ttflist if entry.name.startswith(("DejaVu", "Last"))]
    monkeypatch.setattr(mpl.font_manager.fontManager, "ttflist", fonts)
    gate._fonts_with.cache_clear()
    yield
    gate._fonts_with.cache_clear()


@pytest.mark.parametrize("kind", [*KINDS, *FIGURES])
def test_a_figure_says_once_which_font_to_install_and_draws_no_boxes(kind, only_dejavu, tmp_path):
    with pytest.warns(gate.MissingFontWarning, match=r"Noto Sans CJK .*fonts-noto-cjk") as told:
        figure = drawn(kind, HAN)
        figure.savefig(tmp_path / "a.png")
        figures.figure_bytes(figure, "svg")
    assert len(told) == 1
    (note,) = [text for text in figure.texts if text.get_gid() == "missing font"]
    assert "install Noto Sans CJK" in " ".join(note.get_text().split())
    box, page = note.get_window_extent(), figure.bbox
    assert page.x0 <= box.x0 and box.x1 <= page.x1 and box.y1 <= page.y1
    assert not [text for text in texts(figure) if set(text.get_text()) & set("".join(HAN))]


def test_letters_of_which_some_are_drawn_lose_only_the_others(only_dejavu):
    with pytest.warns(gate.MissingFontWarning):
        ax = figures.dependency_arcs(tree(["a他b"]))
    assert ax.texts[0].get_text() == "a·b"


def test_a_sentence_runs_as_its_script_does():
    for kind in ("dependency arcs", "posteriors", "CCG derivation", "dependency links"):
        assert KINDS[kind](["הוא", "רוצה", "CD"], None).xaxis_inverted(), kind
        assert not KINDS[kind](["he", "wants", "הוא"], None).xaxis_inverted(), kind
    figure = figures.utterance(tree(["هو", "يريد"]), nodes(["هو", "يريد"]).assign(head=""))
    assert [ax.xaxis_inverted() for ax in figure.axes] == [True, True]
    figure.draw_without_rendering()
    assert all(text.get_window_extent().x0 >= 0 for ax in figure.axes for text in ax.texts)


def test_texts_of_the_caller_stay_as_they_are():
    ax = Figure().subplots()
    ax.set(title=r"$\alpha$", xlabel="$x$")
    figures.dependency_arcs(tree(["$x$", "b"]), ax=ax)
    assert ax.title.get_parse_math() and ax.xaxis.label.get_parse_math() and not ax.texts[0].get_parse_math()


@given(st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=6))
def test_any_word_is_drawn_without_a_warning_but_of_fonts(word):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.simplefilter("ignore", gate.MissingFontWarning)
        figure = Figure(figsize=(2, 1))
        figure.text(0, 0.5, word)
        svg = figures.figure_bytes(figure, "svg", alt=word)
    assert not any(unicodedata.category(character) == "Cc" and character not in "\n\t" for character in svg.decode())
