import pytest

pytest.importorskip("playwright.sync_api")
pytestmark = pytest.mark.browser
TREES = "04_gelling2012_dependencies.ipynb"


def test_two_clicks_give_a_word_another_head_and_change_its_scores(open_notebook):
    from playwright.sync_api import expect

    lab = open_notebook(TREES, only="arcs_by_hand(")
    assert lab.complaints() == []
    cell = lab.cell("explore.arcs_by_hand(")
    cell.scroll_into_view_if_needed()
    image, scores = cell.locator("img[src^='data:image/png']"), cell.locator("pre", has_text="directed")
    told = cell.get_by_text("Click a word, then its new head.")

    def click(button):
        cell.get_by_role("button", name=button, exact=True).click()

    expect(told).to_have_count(1)
    expect(scores).to_contain_text("directed 50.0 (3/6)")
    before = image.get_attribute("src")
    click("3 swims")
    expect(told).to_have_count(0)
    expect(cell.locator(".mod-primary")).to_have_text("3 swims")
    expect(cell.locator(".mod-info")).to_have_text("4 in")
    expect(scores).to_contain_text("directed 50.0 (3/6)")
    click("ROOT")
    expect(scores).to_contain_text("directed 66.7 (4/6)")
    expect(image).to_have_count(1)
    expect(image).not_to_have_attribute("src", before)
    cell.get_by_role("button", name="4 in", exact=True).focus()
    lab.page.keyboard.press("Enter")
    click("3 swims")
    expect(scores).to_contain_text("directed 83.3 (5/6)")
    cell.get_by_role("button", name="Reset to gold").click()  # an icon is a part of its name
    expect(scores).to_contain_text("directed 100.0 (6/6)")
    expect(cell.locator("pre")).to_have_count(1)
    assert lab.complaints() == []
