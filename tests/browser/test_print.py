"""A page of the report, printed on A4: whole words and numbers, tables of many columns across, tables in one piece."""

import re

import pandas as pd
import pytest

from analysis.report.writing import render_publication, write_report
from analysis.structures.publication import Publication, Source, Table

pytest.importorskip("playwright.sync_api")
pytestmark = pytest.mark.browser
SIDES = re.compile(rb"/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]")
MILLIMETRE = 96 / 25.4  # pixels
#: Cells whose words or numbers do not fit, and the tables that are wider than the page.
TOO_WIDE = """widest => [
    ...[...document.querySelectorAll('td, th')].filter(cell => cell.scrollWidth > cell.clientWidth + 1),
    ...[...document.querySelectorAll('table')].filter(table => table.offsetWidth > widest)
  ].map(each => each.innerText.slice(0, 60))"""
#: The largest number of lines of a cell of numbers.
LINES = """() => Math.max(...[...document.querySelectorAll('td.n')].map(cell => {
    const range = document.createRange(); range.selectNodeContents(cell);
    return new Set([...range.getClientRects()].map(box => box.top)).size; }))"""


def table(name, columns, rows):
    numbers = {f"measure {column}": [1234.567891 + row for row in range(rows)] for column in range(columns - 2)}
    frame = pd.DataFrame({"system": ["predicate-argument dependencies"] * rows, "corpus": ["ccg-geometry"] * rows})
    return Table(name, f"Table of {columns} columns", frame.assign(**numbers), "Made up.", digits=3)


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    tables = [table("narrow", 8, 30), table("other", 8, 30), table("across", 14, 30)]
    source = Source("nursery", "nursery sha256:ab", "BSD-3-Clause", "The suite", generated=True)
    made = Publication(
        paper="fake2009", title="Fake & Sons (2009)", corpus="nursery", tables=tables, figures=[], sources=[source],
        notes=[], not_reproduced=pd.DataFrame({"what": ["SP"], "why": ["no corpus"], "needs": ["the corpus"]}),
        run_times={"all": 1.0}, parameters={},
    )  # fmt: skip
    folder = tmp_path_factory.mktemp("printed") / "report"
    write_report([render_publication(made)], folder)
    return folder


def test_words_and_numbers_stay_whole_and_tables_of_many_columns_lie_across(browser, report):
    page = browser.new_page()
    page.goto((report / "fake2009.html").as_uri())
    sides = [tuple(float(side) for side in pair) for pair in SIDES.findall(page.pdf(prefer_css_page_size=True))]
    upright = [width < height for width, height in sides]
    assert {round(min(pair)) for pair in sides} == {595} and {round(max(pair)) for pair in sides} == {842}, "A4"
    assert upright == [True, True, False, True], "two tables that fit, one across, and what could not be reproduced"
    page.emulate_media(media="print")
    for hidden, width in ((".entry:not(.many)", 269), (".entry.many", 182)):
        page.set_viewport_size({"width": round(width * MILLIMETRE), "height": 900})
        page.evaluate("hidden => document.querySelectorAll('.entry').forEach(each => "
                      "{ each.style.display = each.matches(hidden) ? 'none' : 'block' })", hidden)  # fmt: skip
        assert page.evaluate(TOO_WIDE, width * MILLIMETRE + 1) == []
        assert page.evaluate(LINES) == 1
    page.close()
