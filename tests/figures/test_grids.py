import itertools

import pandas as pd
import pytest
from matplotlib.figure import Figure

from analysis import figures

ROWS = pd.DataFrame(
    [
        {
            "k": k,
            "system": system,
            "linkage": linkage,
            "value": k / 100 + 0.1 * (system == "HC") + 0.05 * (linkage == "b"),
        }
        for k, system, linkage in itertools.product((53, 12, 80), ("BHMM", "HC"), ("a", "b"))
    ]
)


def test_each_combination_is_a_line_in_order_of_x_with_its_colour_and_marker():
    ax = figures.grid_plot(ROWS, x="k", marker="linkage")
    lines = [(line.get_color(), line.get_marker(), line.get_xydata().tolist()) for line in ax.lines]
    assert len(lines) == 4
    assert len({line[0] for line in lines}) == len({line[1] for line in lines}) == 2
    for (colour, marker, points), (system, linkage) in zip(lines, itertools.product(("BHMM", "HC"), "ab"), strict=True):
        part = ROWS[(ROWS["system"] == system) & (ROWS["linkage"] == linkage)].sort_values("k")
        assert points == part[["k", "value"]].astype("float64").values.tolist()
        assert (colour == lines[0][0]) == (system == "BHMM")
        assert (marker == lines[0][1]) == (linkage == "a")
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["BHMM", "HC", "a", "b"]
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("k", "value")


def test_without_a_third_factor_marker_and_line_tell_the_levels_apart_too():
    lines = figures.grid_plot(ROWS[ROWS["linkage"] == "a"], x="k").lines[:2]
    for look in ("color", "marker", "linestyle"):
        assert len({getattr(line, f"get_{look}")() for line in lines}) == 2


def test_intervals_span_lower_to_upper_and_a_missing_one_is_left_out():
    table = pd.DataFrame({"k": [1, 2], "system": "HC", "value": [0.5, 0.6], "lower": [0.4, None], "upper": [0.7, None]})
    (bars,) = figures.grid_plot(table, x="k").collections
    assert [segment.tolist() for segment in bars.get_segments()] == [[[1, 0.4], [1, 0.7]]]


def test_a_row_without_a_number_is_named():
    table = ROWS[ROWS["linkage"] == "a"].copy()
    table.loc[0, "value"] = None
    ax = figures.grid_plot(table, x="k", log=True)
    assert [text.get_text() for text in ax.texts] == ["not drawn: 1 row without a number"]
    assert ax.get_xscale() == "log"


def test_what_cannot_be_told_apart_is_refused():
    with pytest.raises(ValueError, match="k, system occurs more than once"):
        figures.grid_plot(ROWS, x="k")
    many = pd.DataFrame({"k": 1, "system": range(100), "value": 0.5})
    with pytest.raises(ValueError, match="system has 100 levels"):
        figures.grid_plot(many, x="k")
    with pytest.raises(ValueError, match="table"):
        figures.grid_plot(ROWS, x="nothing")


def test_it_draws_on_the_callers_axes():
    ax = Figure(layout="constrained").subplots()
    assert figures.grid_plot(ROWS, x="k", marker="linkage", ax=ax) is ax
