import pytest

pytest.importorskip("playwright.sync_api")
pytestmark = pytest.mark.browser
GOLD = "the\tD\ndog\tN\nbarks\tV\n\nthe\tD\ncat\tN\nsleeps\tV\n"
CELLS = (
    f"from pathlib import Path\nfrom analysis import explore\nPath('gold.txt').write_text({GOLD!r}, encoding='utf-8')",
    "explore.score_upload('gold.txt', 'gold.txt')",
)


def test_an_uploaded_file_is_scored_and_a_bad_one_is_refused_in_one_line(open_notebook):
    from playwright.sync_api import expect

    lab = open_notebook("upload.ipynb", cells=CELLS)
    cell, explorer = lab.cell("explore.score_upload("), lab.explorer("explore.score_upload(")
    names = ["many-to-one", "one-to-one"]

    def scores():
        return {row["measure"]: row["value"] for row in explorer.rows() if row["measure"] in names}

    def upload(name, text):
        with lab.page.expect_file_chooser() as chooser:
            cell.locator("button", has_text="system").click()
        chooser.value.set_files({"name": name, "mimeType": "text/plain", "buffer": text.encode()})
        expect(cell.get_by_text(f"{name} (")).to_have_count(1)
        lab.settle()

    assert [float(value) for value in scores().values()] == [1, 1]
    before = explorer.image.get_attribute("src")
    upload("one_cluster.txt", GOLD.replace("\tN", "\tD").replace("\tV", "\tD"))
    assert {name: round(float(value), 3) for name, value in scores().items()} == dict.fromkeys(names, 0.333)
    expect(explorer.image).to_have_count(1)
    assert explorer.image.get_attribute("src") != before
    upload("other_words.txt", GOLD.replace("dog", "wolf"))
    expect(cell.locator("table")).to_have_count(0)
    expect(cell.locator("pre")).to_contain_text("'wolf' in the second (sentence 1, word 2)")
    upload("again.txt", GOLD)
    assert [float(value) for value in scores().values()] == [1, 1]
    assert lab.complaints() == []
