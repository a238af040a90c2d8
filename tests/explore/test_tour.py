"""The tour without Python: one small file that needs nothing else, with the library's numbers in every state."""

import json
import re

import pytest
from click.testing import CliRunner

from analysis.__main__ import main
from analysis.corpora import load
from analysis.explore import tour, utterance
from analysis.explore.categories import frame_fillers
from analysis.explore.lexicon import moved_words
from analysis.papers.reichart2010 import Setting
from analysis.structures.incidents import DataError

pytestmark = pytest.mark.thorough
FEWER = 20


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    return tour.write_tour(tmp_path_factory.mktemp("tour") / "tour.html", fewer=FEWER).read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def states(page):
    """For each explorer, the values of its controls as they are written, and what is shown for them."""
    found = {}
    for name, text in re.findall(r'id="(\w+)" aria-labelledby.*?application/json">(.*?)</script>', page, re.DOTALL):
        data = json.loads(text)
        names = [control["name"] for control in data["controls"]]
        values = [control["values"] for control in data["controls"]]
        found[name] = [
            (dict(zip(names, (own[at] for own, at in zip(values, state["at"], strict=True)), strict=True)), state)
            for state in data["states"]
        ]
    return found


def written(table):
    return [list(map(str, table.columns)), *([str(cell) for cell in row] for row in table.to_numpy(dtype=object))]


def test_each_combination_that_is_offered_has_a_state_with_a_picture_and_a_table(states):
    for still in tour.tour_explorers(FEWER):
        kept = [values for values, _ in states[still.name]]
        assert kept == [{name: str(value) for name, value in values.items()} for values in still.values]
        assert len({tuple(values.items()) for values in kept}) == len(kept) >= 4
    for values, state in (entry for own in states.values() for entry in own):
        assert state["picture"].startswith("<svg") and state["picture"].count("<use") > 3, values
        assert state["alt"] and state["rows"] and all(len(row) == len(state["columns"]) for row in state["rows"])


def test_the_numbers_of_each_state_are_those_of_the_functions(states):
    for values, state in states["utterances"]:
        tokens = utterance(int(values["seed"]), int(values["number"]))["tokens"].drop(columns="sentence")
        assert [state["columns"], *state["rows"]] == written(tokens)
        assert state["text"].startswith(" ".join(tokens["form"]))
    for values, state in states["frames"]:
        assert [state["columns"], *state["rows"]] == written(frame_fillers("nursery", **values).head(15))
    for values, state in states["token_against_type"]:
        moved = moved_words(Setting(corpus="nursery"), int(values["first"]), int(values["count"]), values["target"])
        for row, (_, ours) in zip(state["rows"], moved["scores"].iterrows(), strict=True):
            shown = dict(zip(state["columns"], row, strict=True))
            assert shown["measure"] == ours["measure"] and float(shown["before"]) == round(ours["before"], 4)
            assert float(shown["change"]) == round(ours["after"] - ours["before"], 4)


def test_the_frames_are_the_most_frequent_of_the_text():
    tokens = load("nursery", part="train")
    counts = {}
    for _, form in tokens["form"].astype("str").groupby(tokens["sentence"]):
        words = form.tolist()
        for pair in zip(words, words[2:], strict=False):
            counts[pair] = counts.get(pair, 0) + 1
    best = sorted(counts, key=lambda pair: (-counts[pair], pair))
    assert tour.frequent_frames(5) == best[:5]


def test_the_page_is_one_small_file_that_loads_nothing(page):
    assert len(page.encode()) < tour.LARGEST
    assert "demonstration, built-in data" in page and "<noscript>" in page
    assert not re.search(r"https?:|//\w+\.\w|@import|url\((?!#)|fetch\(|XMLHttpRequest|\ssrc=", page)
    used = set(re.findall(r"(?:href=[\"']|url\()#([\w.-]+)", page))
    defined = set(re.findall(r"\sid=[\"']([\w.-]+)", page))
    assert used and used <= defined, "each letter, marker and clip of a picture is on the page"


def test_controls_pictures_and_tables_are_named_for_readers_who_hear_the_page(page):
    ids = re.findall(r'<(?:input|select)[^>]* id="([\w-]+)"', page)
    assert len(ids) == 8 and all(f'<label for="{name}">' in page for name in ids)
    assert len(re.findall(r'role="img" tabindex="0" aria-label="[^"]{20,}"', page)) == 3
    assert '<html lang="en">' in page and 'aria-live="polite"' in page and '<th scope="col">' in page


def test_an_outline_that_two_figures_have_differently_is_kept_in_its_figure():
    found = {"DejaVuSans-61": 'd="M 1 1"'}
    picture = '<svg><defs><path id="DejaVuSans-61" d="M 2 2"/></defs></svg>'
    assert "M 2 2" in tour.compact_svg(picture, found) and found["DejaVuSans-61"] == 'd="M 1 1"'


def test_impossible_states_and_pages_that_are_too_large_are_refused(tmp_path, monkeypatch):
    first = tour.tour_explorers(FEWER)[0]
    with pytest.raises(DataError, match=r"utterances with .*number"):
        tour.tour_page([first._replace(values=[{"seed": 0, "number": 1000}])])
    monkeypatch.setattr(tour, "LARGEST", 10)
    monkeypatch.setattr(tour, "tour_page", lambda stills: "x" * 11)
    with pytest.raises(DataError, match="more than 10"):
        tour.write_tour(tmp_path / "tour.html", fewer=FEWER)
    assert not (tmp_path / "tour.html").exists()


def test_the_command_writes_the_page(tmp_path, monkeypatch):
    asked = []
    monkeypatch.setattr(tour, "tour_page", lambda stills: asked.append(stills) or "page")
    done = CliRunner().invoke(main, ["tour", "--output", str(tmp_path / "tour.html")])
    assert done.exit_code == 0 and done.output == f"{tmp_path / 'tour.html'}: 4 bytes\n"
    assert [len(still.values) for still in asked[0]] == [80, 40, 50]


def test_what_an_explorer_shows_for_other_values_leaves_its_controls():
    explorer = tour.utterances()
    before, value = explorer.settings(), explorer.value
    shown = explorer.shown(seed=7, number=3)
    assert explorer.settings() == before and explorer.value is value
    assert shown.table["form"].tolist() == utterance(7, 3)["tokens"]["form"].tolist() and shown.error == ""
    assert explorer.shown(number=99).error and explorer.shown(number=99).figure is None
    with pytest.raises(ValueError, match="control is 'size'"):
        explorer.shown(size=3)
