import pytest

from analysis.explore.categories import word_class_scores

expect = pytest.importorskip("playwright.sync_api").expect
pytestmark = pytest.mark.browser


def test_the_dashboard_shows_prose_tables_and_pictures_but_no_code(dashboard):
    page, _ = dashboard
    expect(page.get_by_role("heading", name="Word classes without a gold standard")).to_be_visible()
    text = page.locator("body").inner_text()
    assert "import " not in text and "explore." not in text
    assert page.locator(".cm-editor, .jp-InputArea-editor, .highlight").count() == 0
    assert page.locator("table").count() > 5 and page.locator("img").count() > 3


def test_a_slider_of_the_dashboard_answers_with_the_numbers_of_the_library(dashboard, corpus):
    page, explorer = dashboard
    before = explorer.image.get_attribute("src")
    explorer.slider("K").focus()
    page.keyboard.press("ArrowRight")
    expect(explorer.readout("K")).to_have_text("20")
    expect(explorer.image).to_have_count(1)
    expect(explorer.image).not_to_have_attribute("src", before, timeout=60_000)
    expected = word_class_scores(corpus, "HC", 20)
    shown = [float(row["value"]) for row in explorer.rows()]
    assert shown == pytest.approx(list(expected["value"].astype("float64")), abs=5.1e-7)


def test_no_cell_of_the_dashboard_shows_an_error(dashboard):
    page, _ = dashboard
    kinds = ", ".join(f'[data-mime-type="application/vnd.jupyter.{kind}"]' for kind in ("stderr", "error"))
    assert page.locator(kinds).all_text_contents() == []
    assert "Traceback" not in page.locator("body").inner_text()


def test_the_dashboard_asks_no_other_machine(open_dashboard):
    page = open_dashboard(["print('one cell')"])
    asked, refused = [], []
    page.on("request", lambda request: asked.append(request))
    page.on("requestfailed", lambda request: refused.append((request.url, request.failure)))
    page.reload(wait_until="domcontentloaded")
    expect(page.get_by_text("one cell")).to_be_visible(timeout=60_000)
    own = page.url.split("/")[2]
    others = {request.url for request in asked if request.url.startswith("http")} - {
        request.url for request in asked if request.url.split("/")[2] == own
    }
    assert len(asked) > 3 and others == {url for url, why in refused if why == "csp"}
    assert all("cdn.jsdelivr.net" in url and "fontawesome" in url for url in others), others
