import numpy as np
import pandas as pd
import pytest

from analysis.papers.recipe.demonstration import shown as recipe_shown
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


def shown(frame, digits=3):
    """The cells of a table, the best ones between stars."""
    found = tables.shown_table(Table("a", "A", pd.DataFrame(frame), "made up", digits))
    best = {tuple(place) for place in found["best"]}
    return [[f"*{cell}*" if (row, place) in best else cell for place, cell in enumerate(cells)]
            for row, cells in enumerate(found["rows"])]  # fmt: skip


def test_printed_numbers_and_those_beside_them_have_the_places_of_the_paper():
    beside = {"system": ["B", "H"], "MA printed": [0.57, 0.5], "MA recomputed": [0.56789, None], "n": [1.5, 2.5],
              "SP printed": [0.000221, 0.01], "SP recomputed": [0.0009034, 0.02]}  # fmt: skip
    assert shown(beside, 6) == [["B", "*0.57*", "0.57", "1.500000", "0.000221", "0.000903"],
                                ["H", "0.50", "–", "2.500000", "*0.010000*", "*0.020000*"]]  # fmt: skip
    counts = {"measure": ["LP", "LR", "ref"], "printed": [75.2, 80.0, 3765.0], "recomputed": [86.207, 60.24, 83.0],
              "difference": [11.007, -19.76, -3682.0]}  # fmt: skip
    assert [row[1:] for row in shown(counts)] == [["75.2", "86.2", "11.0"], ["80.0", "60.2", "-19.8"],
                                                  ["3,765", "83", "-3,682"]]  # fmt: skip


def test_the_best_system_of_a_row_is_bold_in_print_and_among_recomputed_numbers():
    frame = {"measure": ["V", "V", "VI", "VI"], "testset": "danish", "source": ["printed", "recomputed"] * 2,
             "BC": [50.1, 40.04, 2.5, None], "DMV": [49.0, 39.96, 2.6, 3.0]}  # fmt: skip
    assert [row[3:] for row in shown(frame)] == [["*50.1*", "49.0"], ["*40.0*", "*40.0*"], ["*2.5*", "2.6"],
                                                 ["–", "3.0"]]  # fmt: skip
    page = tables.html_table(tables.shown_table(Table("a", "A", pd.DataFrame(frame), "made up")))
    assert "<td class='n'><b>50.1</b></td><td class='n'>49.0</td>" in page
    assert (
        r"\textbf{50.1} & 49.0 \\" in tables.latex_bytes(Table("a", "A", pd.DataFrame(frame), "made up"), "a").decode()
    )


def test_the_best_system_of_a_column_is_bold_by_source_and_that_of_a_measure_by_condition():
    wide = {"system": ["A", "A", "B", "B"], "source": ["printed", "recomputed"] * 2, "NVI": [0.8, 1.1, 0.9, 1.0],
            "MacroI M-1": [0.5, 0.4, 0.6, 0.3], "k": [1, 2, 3, 4]}  # fmt: skip
    assert [row[2:] for row in shown(wide, 1)] == [["*0.8*", "0.5", "1"], ["1.1", "*0.4*", "2"], ["0.9", "*0.6*", "3"],
                                                   ["*1.0*", "0.3", "4"]]  # fmt: skip
    long = {"system": ["A", "B", "A", "B"], "evaluation": ["first", "first", "second", "second"], "measure": "LP",
            "printed": [1.0, 2.0, 4.0, 3.0],
            "recomputed": [0.0, None, 5.0, 6.0]}  # fmt: skip
    assert [row[3:] for row in shown(long, 1)] == [["1", "0"], ["*2*", "–"], ["*4*", "5"], ["3", "*6*"]]


def test_nothing_is_bold_in_a_table_that_does_not_compare_systems():
    bands = {"band": ["1", "2"], "M-1": [0.1, 0.2], "system": "A"}
    spread = {"measure": ["V", "VI"], "mean": [0.1, 0.2], "range": [0.3, 0.4], "source": ["printed", "recomputed"]}
    assert [tables.shown_table(Table("a", "A", pd.DataFrame(frame), ""))["best"] for frame in (bands, spread)] == [
        [],
        [],
    ]


def test_a_column_with_a_long_text_has_a_least_width_and_no_other_one():
    frame = pd.DataFrame({"why": ["short", "a reason that is told in more than forty characters"], "n": ["B", "C"]})
    page = tables.html_table(tables.shown_table(Table("a", "A", frame, "made up")))
    assert page.count("<td class='long-text'>") == 2 and "<th class='long-text'>why</th><th>n</th>" in page


def test_a_unit_that_all_rows_share_stands_in_the_heads_of_the_numbers():
    frame = pd.DataFrame({"system": ["B", "C"], "value": [0.5, 0.25], "n": [4, 4], "unit": "proportion"})
    table = Table("a", "A", frame, "made up")
    shown = tables.shown_table(table)
    assert shown["columns"] == ["system", "value (proportion)", "n"] and shown["rows"][1] == ["C", "0.250", "4"]
    assert r"system & value (proportion) & n \\" in tables.latex_bytes(table, "a").decode()
    assert tables.csv_bytes(table).splitlines()[0] == b"system,value,n,unit"
    page = recipe_shown(table).to_html()
    assert "value (proportion)" in page and ">unit<" not in page and ">proportion<" not in page
    mixed = tables.shown_table(Table("a", "A", frame.assign(unit=["proportion", "bits"]), "made up"))
    assert mixed["columns"] == ["system", "value", "n", "unit"]


def test_nothing_is_bold_where_a_system_has_several_rows_or_columns_are_no_systems():
    several = pd.DataFrame({"system": ["B", "B"], "V": [0.5, 0.4]})
    lengths = pd.DataFrame({"testset": ["danish"], "mean length": [2.5], "crossing share": [0.1]})
    for frame in (several, lengths):
        assert tables.shown_table(Table("a", "A", frame, "made up"))["best"] == []
    one = several.assign(system=["B", "H"])
    assert tables.shown_table(Table("a", "A", one, "made up"))["best"] == [[0, 1]]
