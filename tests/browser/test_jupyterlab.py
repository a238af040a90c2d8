import re
from collections import Counter

import pandas as pd
import pytest

from analysis.explore.categories import word_class_scores
from analysis.papers import frank2009

expect = pytest.importorskip("playwright.sync_api").expect
pytestmark = pytest.mark.browser
WORD_CLASSES = "explore.word_classes"
SOON = 60_000  # milliseconds for one answer, on a busy machine


def check_scores(explorer, corpus, model, k, **choices):
    """The printed table of the first explorer is the library's answer for these parameters, to the digits shown."""
    expected = word_class_scores(corpus, model, k, **choices)
    rows = explorer.rows()
    assert [row["measure"] for row in rows] == list(expected["measure"])
    for row, value, numerator, denominator in zip(
        rows, expected["value"], expected["numerator"], expected["denominator"], strict=True
    ):
        assert float(row["value"]) == pytest.approx(float(value), abs=5.1e-7)
        assert (float(row["numerator"]), float(row["denominator"])) == (float(numerator), float(denominator))


def wait_for_change(explorer, before):
    expect(explorer.image).to_have_count(1)
    expect(explorer.image).not_to_have_attribute("src", before, timeout=SOON)


def commonest_frames(tokens):
    """Frames by frequency with the words in them, counted token by token."""
    found = {}
    tokens = list(zip(tokens["sentence"], tokens["form"].astype("str"), strict=True))
    for (first, left), (_, word), (last, right) in zip(tokens, tokens[1:], tokens[2:], strict=False):
        if first == last:
            found.setdefault((left, right), Counter())[word] += 1
    return sorted(found.items(), key=lambda item: -item[1].total())


def test_all_cells_run_without_an_error_and_without_a_word_on_stderr(lab):
    assert lab.complaints() == []
    prompts = lab.cells.locator(".jp-InputPrompt").all_text_contents()
    assert len(prompts) > 5 and all(re.fullmatch(r"\s*\[\d+\]:\s*", prompt) for prompt in prompts)


def test_a_slider_moved_by_keyboard_changes_picture_and_numbers_to_those_of_the_library(lab, corpus):
    lab.run_again(WORD_CLASSES)
    explorer = lab.explorer(WORD_CLASSES)
    expect(explorer.readout("K")).to_have_text("12", timeout=SOON)
    expect(explorer.image).to_have_count(1)
    check_scores(explorer, corpus, "HC", 12)
    before = explorer.image.get_attribute("src")
    explorer.slider("K").focus()
    lab.page.keyboard.press("ArrowRight")
    expect(explorer.readout("K")).to_have_text("20")
    wait_for_change(explorer, before)
    check_scores(explorer, corpus, "HC", 20)


def test_a_fixed_choice_leaves_fewer_specifications_in_picture_and_table(lab):
    explorer = lab.explorer("explore.specification_choices(")
    before, counted = explorer.image.get_attribute("src"), explorer.rows()
    whole = sum(int(row["specifications"]) for row in counted)
    factor = explorer.place.locator(".widget-inline-hbox").filter(has=lab.page.locator("select")).first
    levels = factor.locator("option").all_text_contents()
    assert levels[0] == "all" and len(levels) > 2
    factor.locator("select").select_option(levels[1])
    wait_for_change(explorer, before)
    lab.settle()
    assert 0 < sum(int(row["specifications"]) for row in explorer.rows()) < whole
    assert f": {levels[1]}; " in explorer.place.locator("pre").all_text_contents()[0]


def test_quick_changes_leave_one_figure_that_of_the_last_choice(lab, corpus):
    explorer = lab.explorer(WORD_CLASSES)
    for model in ("FF", "HC"):
        explorer.dropdown("model").select_option(model)
        explorer.slider("K").focus()
        for key in ("Home", "ArrowRight", "ArrowRight", "ArrowRight", "ArrowRight", "ArrowLeft"):
            lab.page.keyboard.press(key)
        explorer.dropdown("unclustered").select_option("split")
    expect(explorer.readout("K")).to_have_text("12")
    expected = word_class_scores(corpus, "HC", 12, condition="split")["value"].iloc[0]
    expect(explorer.place.locator("table")).to_contain_text(f"{expected:.6f}", timeout=SOON)
    lab.settle()
    expect(explorer.image).to_have_count(1)
    check_scores(explorer, corpus, "HC", 12, condition="split")
    picture = explorer.image.get_attribute("src")
    explorer.dropdown("gold tags").select_option("fine")  # and the slow way round, one change at a time
    wait_for_change(explorer, picture)
    explorer.dropdown("gold tags").select_option("coarse")
    expect(explorer.image).to_have_attribute("src", picture, timeout=SOON)


def test_running_the_cell_again_leaves_one_figure_equal_to_the_first(lab):
    lab.run_again(WORD_CLASSES)
    explorer = lab.explorer(WORD_CLASSES)
    expect(explorer.dropdown("unclustered")).to_have_value("merge", timeout=SOON)
    first = explorer.image.get_attribute("src")
    explorer.dropdown("HC linkage").select_option("single")
    wait_for_change(explorer, first)
    lab.run_again(WORD_CLASSES)
    expect(explorer.dropdown("HC linkage")).to_have_value("average", timeout=SOON)
    expect(explorer.image).to_have_count(1)
    expect(explorer.image).to_have_attribute("src", first, timeout=SOON)
    assert lab.complaints() == []


def test_two_typed_words_show_the_words_between_them(lab, corpus):
    explorer = lab.explorer("explore.frames")
    expect(explorer.image).to_have_count(1)
    frames = commonest_frames(frank2009.data(corpus).train)
    (left, right), fillers = next(frame for frame in frames if len(frame[1]) > 2 and frame[0] != ("to", "it"))
    before = explorer.image.get_attribute("src")
    explorer.text("left").fill(left)
    explorer.text("left").press("Enter")
    explorer.text("right").fill(right)
    explorer.text("right").press("Enter")
    word, tokens = fillers.most_common(1)[0]
    expect(explorer.place.locator("tbody tr td").first).to_have_text(word, timeout=SOON)
    wait_for_change(explorer, before)
    by_word = pd.DataFrame(explorer.rows()).astype({"tokens": int}).groupby("filler")["tokens"].sum()
    assert by_word[word] <= tokens and set(by_word.index) <= set(fillers)
    if len(explorer.rows()) < 15:  # all are shown
        assert by_word.to_dict() == dict(fillers)


def test_a_word_that_does_not_occur_is_named_in_one_line(lab, corpus):
    explorer = lab.explorer("explore.frames")
    explorer.text("left").fill("xyzzy")
    explorer.text("left").press("Enter")
    message = f"'xyzzy' (left word) does not occur in {corpus}."
    expect(explorer.place.locator("pre", has_text="xyzzy")).to_have_text(message, timeout=SOON)
    expect(explorer.image).to_have_count(0)


def test_edited_sentences_change_precision_and_recall_by_hand(lab):
    explorer = lab.explorer("explore.substitution_clusters_by_hand(")
    result = explorer.place.locator(".jp-OutputArea pre").first
    explorer.text("training").fill("the/D cat/N ran/V\nthe/D dog/N ran/V")
    explorer.text("training").press("Tab")
    explorer.text("test").fill("the/D cat/N ran/V\nthe/D dog/N ran/V\na/D dog/N ran/V\ncat/N ran/V")
    explorer.text("test").press("Tab")
    expect(result).to_contain_text("2/4", timeout=SOON)  # cat and dog in the __ ran; ran's and the's clusters besides
    expect(result).to_contain_text("2/2")
    explorer.text("test").fill("the/D cat/N ran/V\nthe/D dog/A ran/V\na/D dog/A ran/V\ncat/N ran/V")
    explorer.text("test").press("Tab")
    expect(result).to_contain_text("0/2", timeout=SOON)  # cat and dog share the frame, but no cluster any more


def test_a_wrong_sentence_is_shown_as_one_line_and_mended_by_the_next(lab):
    explorer = lab.explorer("explore.substitution_clusters_by_hand(")
    good = explorer.text("test").input_value()
    explorer.text("test").fill("the/D cat ran/V")
    explorer.text("test").press("Tab")
    message = explorer.place.locator(".jp-OutputArea pre")
    expect(explorer.place.locator("table")).to_have_count(0, timeout=SOON)
    expect(message).to_have_count(1)
    expect(message).to_have_text(re.compile("^test, line 1: 'cat' is not a word/label"))
    explorer.text("test").fill(good)
    explorer.text("test").press("Tab")
    expect(explorer.place.locator("table")).to_have_count(1, timeout=SOON)
    assert lab.complaints() == []
