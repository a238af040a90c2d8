"""The tour's page from the disk, in Chromium: mouse, keyboard, a narrow window, and no request."""

import json

import pytest

from analysis.explore import tour

pytest.importorskip("playwright.sync_api")
pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    return tour.write_tour(tmp_path_factory.mktemp("tour") / "tour.html", fewer=20)


@pytest.fixture(params=[400, 1280])
def opened(request, browser, file):
    """The page from the disk, its width, and what it asked for and complained of."""
    page, told = browser.new_page(viewport={"width": request.param, "height": 900}), []
    page.on("request", lambda asked: told.append(asked.url) if asked.url != file.as_uri() else None)
    page.on("pageerror", lambda error: told.append(str(error)))
    page.on("console", lambda message: told.append(message.text))
    page.goto(file.as_uri())
    yield page, request.param, told
    page.close()


def shown(section):
    rows = section.locator("table").evaluate(
        "t => [...t.rows].map(row => [...row.cells].map(cell => cell.textContent))"
    )
    return {"columns": rows[0], "rows": rows[1:], "alt": section.locator(".picture").get_attribute("aria-label"),
            "text": section.locator("figcaption").text_content()}  # fmt: skip


def test_every_state_is_reached_and_shows_its_picture_and_numbers(opened):
    page, width, told = opened
    for section in page.locator(".explorer").all():
        data = json.loads(section.locator("script").text_content())
        pictures = set()
        for state in data["states"]:
            for control, at in zip(data["controls"], state["at"], strict=True):
                field = section.locator(f"[id$='-{control['name']}']")
                field.fill(str(at)) if control["slides"] else field.select_option(str(at))
            assert shown(section) == {name: state[name] for name in ("columns", "rows", "alt", "text")}
            box = section.locator(".picture svg").bounding_box()
            assert box["width"] > 200 and box["height"] > 100
            pictures.add(section.locator(".picture").inner_html())
        assert len(pictures) == len({state["picture"] for state in data["states"]}) > 1
    assert page.evaluate("document.documentElement.scrollWidth") <= width, (
        "nothing but a table or figure scrolls sideways"
    )
    assert told == []


def test_the_arrow_keys_move_a_slider_and_choices_without_a_state_are_not_offered(opened):
    page, _, told = opened
    slider = page.get_by_role("slider", name="utterance")
    section = page.locator("#utterances")
    before = shown(section)
    slider.focus()
    page.keyboard.press("ArrowRight")
    assert shown(section)["rows"] != before["rows"]
    assert section.locator("output").all_text_contents() == ["0", "2"]
    assert slider.get_attribute("aria-valuetext") == "2"
    page.keyboard.press("ArrowLeft")
    assert shown(section) == before
    frames = page.locator("#frames")
    states = json.loads(frames.locator("script").text_content())["states"]
    left, right = (page.get_by_role("combobox", name=name) for name in ("left", "right"))
    for at in sorted({state["at"][0] for state in states}):
        left.select_option(str(at))
        offered = {str(state["at"][1]) for state in states if state["at"][0] == at}
        assert set(right.locator("option:not([disabled])").evaluate_all("all => all.map(one => one.value)")) == offered
        assert right.input_value() in offered
    assert told == []
