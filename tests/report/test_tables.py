import numpy as np
import pandas as pd
import pytest

from analysis.report import tables
from analysis.structures.publication import Table


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (np.float64(0.5), "0.500"), (np.int64(1234567), "1,234,567"), (pd.NA, "–"), (float("nan"), "–"), (None, "–"),
        (np.bool_(False), "no"), (-0.00042, "-0.00042"), (1e-12, "1.0e-12"),
        (12345.6789, "12,345.679"), ("null", "null"), (0.0005, "0.001"), (0.00049, "0.00049"),
    ],
)  # fmt: skip
def test_a_cell_is_written_so_that_it_can_be_read(value, expected):
    assert tables.written(value, 3) == expected


def test_numbers_stand_at_the_right_and_text_at_the_left():
    frame = pd.DataFrame({"word": ["a"], "count": pd.array([1], dtype="Int64"), "sure": [True]})
    table = Table("a", "A", frame, "made up")
    assert r"\begin{tabular}{lrl}" in tables.latex_bytes(table, "a").decode()
    assert "<tr><td>a</td><td class='n'>1</td><td>yes</td></tr>" in tables.html_table(tables.shown_table(table))


@pytest.mark.parametrize(("rows", "environment"), [(tables.LONG, "table"), (tables.LONG + 1, "longtable")])
def test_a_table_of_more_rows_than_a_page_holds_may_break_over_pages(rows, environment):
    table = Table("a", "A", pd.DataFrame({"n": range(rows)}), "made up")
    assert rf"\end{{{environment}}}" in tables.latex_bytes(table, "a").decode()


def test_a_name_of_a_column_cannot_break_the_page():
    table = Table("a", "A", pd.DataFrame({"<script>": ["<b>"]}), "made up")
    assert "<script>" not in tables.html_table(tables.shown_table(table))
    assert "<b>" not in tables.html_table(tables.shown_table(table))


def test_k_and_seeds_are_written_without_commas():
    table = Table("a", "A", pd.DataFrame({"seed": [123456], "n": [123456]}), "made up")
    assert "<td class='n'>123456</td><td class='n'>123,456</td>" in tables.html_table(tables.shown_table(table))
