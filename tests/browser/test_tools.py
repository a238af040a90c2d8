"""The buttons of an explorer, the menu of corpora and the note of a computation, each clicked once."""

import csv
import io

import pytest

from analysis import explore

expect = pytest.importorskip("playwright.sync_api").expect
pytestmark = pytest.mark.browser
PRINTED = "explore.printed_rankings("
CELLS = (
    "from analysis import explore\nexplore.printed_rankings()",
    "from pathlib import Path\nfrom analysis.corpora.fetching import add\n"
    "Path('mine.txt').write_text('the/D dog/N barks/V\\n' * 30, encoding='utf-8')\nentry = add('mine', 'mine.txt')",
    "menu = explore.choose_corpus(explore.frames, 'nursery')\nmenu",
    "import time, ipywidgets\nk = ipywidgets.IntSlider(1, 1, 5, description='k')\n"
    "slow = explore.Explorer({'k': k}, lambda k: time.sleep(k) or {'k': k})\nslow",
)


@pytest.fixture(autouse=True)
def without_mirror(monkeypatch):
    monkeypatch.delenv("ANALYSIS_MIRROR", raising=False)


def saved(page, place, folder):
    """Click on the button and on every link that it gives, and return what the browser has saved, by name."""
    place.get_by_role("button", name="Save figure and numbers").click()
    links = place.locator("a[download]")
    expect(links).not_to_have_count(0, timeout=60_000)  # two drawings, on a machine that may be busy
    files = {}
    for link in links.all():
        with page.expect_download() as begun:
            link.click()
        target = folder / begun.value.suggested_filename
        begun.value.save_as(target)
        files[target.name] = target.read_bytes()
    return files


def check_files(files, made):
    """The files are the figure and the numbers of an explorer in its state."""
    assert set(files) == set(made.files()) and len(files) > 2
    ends = {"pdf": (b"%PDF-", b"%%EOF"), "svg": (b"<?xml", b"</svg>"), "csv": (b"", b"")}
    for name, content in files.items():
        begin, end = ends[name.rsplit(".")[-1]]
        assert content.startswith(begin) and content.strip().endswith(end), name
    for name, content in made.files().items():
        if name.endswith(".csv"):
            assert list(csv.reader(io.StringIO(files[name].decode()))) == list(
                csv.reader(io.StringIO(content.decode()))
            )


def copied(page, place):
    """Click on the two buttons of the code and return what is on the clipboard then."""
    place.get_by_role("button", name="Show the code").click()
    page.evaluate("navigator.clipboard.writeText('nothing')")
    place.get_by_role("button", name="Copy", exact=True).click()
    page.wait_for_function("navigator.clipboard.readText().then(text => text != 'nothing')")
    return page.evaluate("navigator.clipboard.readText()")


def test_the_buttons_of_an_explorer_save_and_copy_what_is_shown_in_jupyterlab(open_notebook, tmp_path):
    lab = open_notebook("tools.ipynb", cells=CELLS)
    assert lab.complaints() == []
    lab.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    place = lab.cell(PRINTED)
    number = lab.explorer(PRINTED).dropdown("table")
    number.select_option(index=1)
    lab.settle()
    made = explore.printed_rankings().set(number=3)
    check_files(saved(lab.page, place, tmp_path), made)
    assert copied(lab.page, place) == made.code()
    number.select_option(index=0)
    lab.settle()
    expect(place.locator("a[download], pre", has_text="explorer")).to_have_count(0)

    cell = lab.cell("explore.choose_corpus(")
    chosen = lab.explorer("explore.choose_corpus(")
    assert chosen.dropdown("corpus").locator("option").all_text_contents() == ["nursery", "mine"]
    chosen.dropdown("corpus").select_option("mine")
    expect(cell.locator("tbody tr td").first).to_have_text("dog")
    assert [chosen.text(side).input_value() for side in ("left", "right")] == ["the", "barks"]

    cell, slow = lab.cell("slow = explore.Explorer("), lab.explorer("slow = explore.Explorer(")
    note = cell.get_by_role("status")
    expect(note).to_have_count(0)
    slow.slider("k").focus()
    lab.page.keyboard.press("ArrowRight")
    expect(note).to_be_visible()
    expect(note).to_have_count(0)
    assert lab.complaints() == []


def test_the_buttons_of_an_explorer_save_and_copy_what_is_shown_in_voila(open_dashboard, tmp_path):
    page = open_dashboard(CELLS[:1])
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    place = page.locator("body")
    made = explore.printed_rankings()
    check_files(saved(page, place, tmp_path), made)
    assert copied(page, place) == made.code()
    page.evaluate(
        "window.board = navigator.clipboard; board.writeText('nothing');"
        "Object.defineProperty(navigator, 'clipboard', {value: undefined})"  # as on a page of another machine
    )
    place.get_by_role("button", name="Copy", exact=True).click()
    page.wait_for_function("board.readText().then(text => text != 'nothing')")
    assert page.evaluate("board.readText()").strip() == made.code()
