"""Each kind of plot shows the table's numbers, and nothing lies on anything."""

import itertools

import numpy as np
import pandas as pd
import pytest
from matplotlib.colors import to_hex
from matplotlib.figure import Figure

from analysis import figures
from analysis.figures.mappings import LONGEST_CLASS, LONGEST_WORDS
from analysis.figures.scores import score_intervals

pytestmark = pytest.mark.thorough

SYSTEMS = ["BHMM", "HC", "FF", "Random"]
VERY_LONG = [
    *(f"/scratch/user/experiments/2026-11-29/brown/{'x' * 150}/seed{seed}.conllu" for seed in (1, 2)),
    "a name of words that goes on and on, longer than any figure is wide: " * 2,
]
LONG = [f"a system with a very long name {number}" for number in range(12)]


def points(systems=SYSTEMS, spread=0.3):
    generator = np.random.default_rng(1)
    table = pd.DataFrame([{"system": system, "k": k} for system in systems for k in (12, 53, 80)])
    table["precision"] = 0.5 + generator.uniform(-spread, spread, len(table))
    table["recall"] = 0.5 + generator.uniform(-spread, spread, len(table))
    return table


def sizes(systems=SYSTEMS):
    rows = [{"system": s, "rank": r, "size": 5000 // r} for s in systems for r in range(1, 54)]
    return pd.DataFrame(rows)


def pairs(names):
    rows = itertools.combinations(names, 2)
    return pd.DataFrame([{"measure_a": a, "measure_b": b, "rho": (len(a) - 5) / 40} for a, b in rows])


def comparison(count=24):
    value = np.linspace(0.1, 0.9, count)
    names = [f"measure {number // 6}" for number in range(count)]
    return pd.DataFrame(
        {"measure": names, "model": [f"M{n}" for n in range(count)], "printed": value, "recomputed": value + 0.02}
    )


def bars(systems=SYSTEMS, x=(12, 53, 80)):
    table = pd.DataFrame([{"x": at, "system": system} for at in x for system in systems])
    return table.assign(value=np.linspace(0.1, 1, len(table)))


def cells(rows, columns):
    table = pd.DataFrame([{"gold": f"class {r}", "cluster": c} for r in range(rows) for c in range(columns)])
    return table.assign(value=np.arange(len(table)) * 37)


def scores(systems=SYSTEMS[:3], shift=0.0):
    names = ["many-to-one", "cross-validated many-to-one", "V"]
    table = pd.DataFrame([{"system": system, "measure": name} for system in systems for name in names])
    table["value"] = np.linspace(0.2, 0.8, len(table)) + shift
    unit = np.where(table["measure"] == "V", "bits", "proportion")
    return table.assign(lower=table["value"] - 0.1, upper=table["value"] + 0.05, corrected=None, unit=unit)


KINDS = {
    "points": lambda: figures.precision_against_recall(points()),
    "points with printed": lambda: figures.precision_against_recall(points(), printed=points(spread=0.31)),
    "points that nearly coincide": lambda: figures.precision_against_recall(points(LONG, spread=0.001)),
    "points on logarithmic axes": lambda: figures.precision_against_recall(points(), log=True),
    "points without a place": lambda: figures.precision_against_recall(points().assign(recall=0.0), log=True),
    "ranked sizes": lambda: figures.ranked_sizes(sizes()),
    "ranked sizes, long names": lambda: figures.ranked_sizes(sizes(LONG), log=False),
    "frequencies": lambda: figures.frequency_rank(sizes().rename(columns={"size": "frequency", "system": "corpus"})),
    "correlations": lambda: figures.correlation_heatmap(pairs(["PP", "PR", "many-to-one", "variation of information"])),
    "a small confusion table": lambda: figures.heatmap(cells(12, 12), row="gold", column="cluster"),
    "a large confusion table": lambda: figures.heatmap(cells(53, 80), row="gold", column="cluster", log=True),
    "comparison": lambda: figures.printed_beside_recomputed(comparison(), label=["measure", "model"]),
    "a long comparison": lambda: figures.printed_beside_recomputed(
        comparison(60), label=["measure", "model"], log=True
    ),
    "bars": lambda: figures.grouped_bars(bars(), x="x", group="system"),
    "scores": lambda: figures.score_intervals(scores()),
    "scores of many systems with long names": lambda: figures.score_intervals(scores(LONG)),
    "differences": lambda: figures.score_intervals(scores(shift=-0.5), baseline="Random"),
    "scores in two units": lambda: figures.score_figure(scores()).axes[-1],
    "scores of measures with long names": lambda: figures.score_intervals(
        pd.concat(
            [
                scores(["a", "b"]).assign(measure=f"predicate-argument dependencies: unlabelled precision {n}")
                for n in range(3)
            ]
        ).reset_index(drop=True)
    ),
    "differences from a long name": lambda: figures.score_figure(
        scores(shift=-0.5), baseline="exchange_50_classes_of_the_first_run.tags"
    ).axes[0],
    "scores in two units of systems with very long names": lambda: figures.score_figure(scores(VERY_LONG)).axes[-1],
    "differences of systems with very long names": lambda: figures.score_figure(
        scores(VERY_LONG, shift=-0.5), baseline=VERY_LONG[0]
    ).axes[0],
    "points of systems with very long names": lambda: figures.precision_against_recall(points(VERY_LONG)),
    "ranked sizes of systems with very long names": lambda: figures.ranked_sizes(sizes(VERY_LONG)),
    "bars of systems with very long names": lambda: figures.grouped_bars(
        bars(VERY_LONG, ["x", "y"]), x="x", group="system"
    ),
    "bars with long names": lambda: figures.grouped_bars(bars(LONG[:3], LONG[:6]), x="x", group="system"),
}


def visible_texts(ax):
    """Each visible text of the figure with its box in pixels."""
    figure = ax.get_figure(root=True)
    figure.draw_without_rendering()
    found = []
    for each in figure.axes:
        texts = [*each.texts, each.title, each.xaxis.label, each.yaxis.label]
        for axis in (each.xaxis, each.yaxis):
            low, high = sorted(axis.get_view_interval())
            ticks = [*axis.get_major_ticks(), *axis.get_minor_ticks()]
            texts += [tick.label1 for tick in ticks if low <= tick.get_loc() <= high and tick.label1.get_visible()]
        legend = each.get_legend()
        texts += legend.get_texts() if legend else []
        found += [text for text in texts if text.get_text().strip() and text.get_visible()]
    return [(text, text.get_window_extent()) for text in found]


@pytest.mark.parametrize("kind", KINDS)
def test_no_text_lies_on_another_or_leaves_the_figure(kind):
    ax = KINDS[kind]()
    texts = visible_texts(ax)
    assert texts
    page = ax.get_figure(root=True).bbox
    for text, box in texts:
        assert page.x0 - 1 <= box.x0 and box.x1 <= page.x1 + 1, f"{text.get_text()!r} leaves the figure"
        assert page.y0 - 1 <= box.y0 and box.y1 <= page.y1 + 1, f"{text.get_text()!r} leaves the figure"
    for (one, left), (other, right) in itertools.combinations(texts, 2):
        across = min(left.x1, right.x1) - max(left.x0, right.x0)
        up = min(left.y1, right.y1) - max(left.y0, right.y0)
        assert across <= 0.5 or up <= 0.5, f"{one.get_text()!r} lies on {other.get_text()!r}"


@pytest.mark.parametrize("kind", KINDS)
def test_no_text_is_smaller_than_seven_points(kind):
    assert min(text.get_fontsize() for text, _ in visible_texts(KINDS[kind]())) >= 7


@pytest.mark.parametrize("kind", KINDS)
def test_the_legend_covers_no_part_of_the_plot(kind):
    ax = KINDS[kind]()
    ax.get_figure(root=True).draw_without_rendering()
    legend = ax.get_legend()
    if legend is not None:
        assert legend.get_window_extent().y1 <= ax.bbox.y0
        assert ax.bbox.height / ax.figure.dpi > 1.2, "the legend leaves the plot no room"


def test_points_stand_where_the_table_says_with_area_by_size():
    table = points(["HC"])
    ax = figures.precision_against_recall(table)
    drawn = {tuple(np.round(c.get_offsets()[0], 12)): c.get_sizes()[0] for c in ax.collections}
    for row in table.itertuples():
        assert drawn[(round(row.recall, 12), round(row.precision, 12))] == pytest.approx(110 * row.k / 80)


def test_large_points_are_drawn_before_small_ones():
    ax = figures.precision_against_recall(points(["HC"]))
    areas = [collection.get_sizes()[0] for collection in ax.collections]
    assert areas == sorted(areas, reverse=True) and len(set(areas)) == 3


def test_printed_points_are_hollow():
    table = points(["HC"])
    ax = figures.precision_against_recall(table, printed=table.assign(recall=0.5))
    filled = [
        len(collection.get_facecolor()) > 0 and collection.get_facecolor()[0, 3] > 0 for collection in ax.collections
    ]
    assert filled.count(True) == filled.count(False) == 3


def test_a_point_without_a_place_is_named_and_an_undefined_one_too():
    table = points(["HC"])
    table.loc[0, "precision"] = 0
    assert [t.get_text() for t in figures.precision_against_recall(table, log=True).texts] == ["not drawn: HC (K = 12)"]
    table["precision"] = table["precision"].astype("Float64")
    table.loc[0, "precision"] = pd.NA
    assert [t.get_text() for t in figures.precision_against_recall(table).texts] == ["not drawn: HC (K = 12)"]


def test_error_bars_span_lower_to_upper():
    table = points(["HC"]).iloc[:1].assign(precision=0.5, precision_lower=0.4, precision_upper=0.7)
    (bar,) = (c for c in figures.precision_against_recall(table).collections if hasattr(c, "get_segments"))
    assert sorted(bar.get_segments()[0][:, 1]) == pytest.approx([0.4, 0.7])


def test_lines_hold_the_sizes_in_order_of_rank():
    table = pd.DataFrame({"system": ["HC", "HC", "FF", "HC"], "rank": [3, 1, 1, 2], "size": [1, 90, 40, 4]})
    ax = figures.ranked_sizes(table)
    lines = {line.get_label(): line.get_xydata().tolist() for line in ax.lines}
    assert lines == {"HC": [[1, 90], [2, 4], [3, 1]], "FF": [[1, 40]]}
    assert ax.get_yscale() == "log"


def test_sizes_of_zero_are_counted_on_a_logarithmic_axis():
    table = pd.DataFrame({"system": "HC", "rank": [1, 2, 3], "size": [5, 0, 0]})
    assert "not drawn: 2 rows" in figures.ranked_sizes(table).texts[0].get_text()


def test_a_correlation_stands_on_both_sides_of_the_diagonal():
    ax = figures.correlation_heatmap(pd.DataFrame({"measure_a": ["A"], "measure_b": ["B"], "rho": [-0.5]}))
    assert {text.get_text(): None for text in ax.texts} == {"-0.50": None}
    assert sorted(text.get_position() for text in ax.texts) == [(0.5, 1.5), (1.5, 0.5)]


def test_a_number_in_a_cell_stands_out_from_its_colour():
    ax = figures.heatmap(cells(3, 4), row="gold", column="cluster")
    mesh = ax.collections[0]
    shades = mesh.to_rgba(mesh.get_array()).reshape(-1, 4)
    for text in ax.texts:
        place, line = (int(at) for at in text.get_position())
        light = shades[line * 4 + place, :3] @ [0.299, 0.587, 0.114]
        assert abs(light - (1 if to_hex(text.get_color()) == "#ffffff" else 0)) > 0.4


def test_a_pair_or_bar_that_stands_twice_is_refused():
    twice = pd.concat([cells(2, 2), cells(1, 1)])
    with pytest.raises(ValueError, match="more than once"):
        figures.heatmap(twice, row="gold", column="cluster")
    with pytest.raises(ValueError, match="more than once"):
        figures.grouped_bars(twice, x="gold", group="cluster")


def test_ring_and_dot_stand_at_the_printed_and_the_recomputed_value():
    ax = figures.printed_beside_recomputed(comparison(7), label=["measure", "model"])
    recomputed, printed = (line.get_xdata() for line in ax.lines)
    assert list(printed) == pytest.approx(list(comparison(7)["printed"]))
    assert list(recomputed) == pytest.approx(list(comparison(7)["recomputed"]))
    steps = np.diff(ax.lines[0].get_ydata())
    assert list(steps) == pytest.approx([1, 1, 1, 1, 1, 1.6]), "a gap before the second measure"


def test_a_numeric_factor_has_a_numeric_axis():
    ax = figures.grouped_bars(bars(), x="x", group="system")
    assert list(ax.get_xticks()) == [12, 53, 80]
    centres = [bar.get_x() + bar.get_width() / 2 for bar in ax.patches]
    assert np.mean(centres[:4]) == pytest.approx(12)
    assert np.mean(centres[-4:]) == pytest.approx(80)
    assert [bar.get_height() for bar in ax.patches] == pytest.approx(list(bars()["value"]))


def test_bars_of_a_group_stand_in_the_order_of_the_legend():
    ax = figures.grouped_bars(bars(), x="x", group="system")
    middles = [bar.get_x() + bar.get_width() / 2 for bar in ax.patches]
    assert middles == sorted(middles)


def test_a_missing_bar_leaves_a_dash():
    table = bars().assign(value=lambda t: t["value"].where(t.index > 0))
    ax = figures.grouped_bars(table, x="x", group="system")
    assert len(ax.patches) == len(table) - 1
    assert [text.get_text() for text in ax.texts] == ["–"]


def test_every_kind_draws_on_the_callers_axes():
    for number, draw in enumerate(
        [
            lambda ax: figures.precision_against_recall(points(), ax=ax),
            lambda ax: figures.ranked_sizes(sizes(), ax=ax),
            lambda ax: figures.heatmap(cells(2, 2), row="gold", column="cluster", ax=ax),
            lambda ax: figures.printed_beside_recomputed(comparison(), label="model", ax=ax),
            lambda ax: figures.grouped_bars(bars(), x="x", group="system", ax=ax),
            lambda ax: figures.score_intervals(scores(), ax=ax),
        ]
    ):
        ax = Figure(layout="constrained").subplots()
        assert draw(ax) is ax, number


@pytest.mark.parametrize("horizontal", [False, True])
def test_error_bars_of_bars_span_lower_to_upper(horizontal):
    table = pd.DataFrame({"x": ["a"], "system": ["HC"], "value": [0.5], "lower": [0.4], "upper": [0.8]})
    ax = figures.grouped_bars(table, x="x", group="system", horizontal=horizontal)
    (bar,) = (c for c in ax.collections if hasattr(c, "get_segments"))
    assert bar.get_segments()[0][:, 0 if horizontal else 1].tolist() == pytest.approx([0.4, 0.8])


def test_error_bars_of_recall_lie_along_recall():
    table = points(["HC"]).iloc[:1].assign(recall=0.5, recall_lower=0.45, recall_upper=0.8)
    (bar,) = (c for c in figures.precision_against_recall(table).collections if hasattr(c, "get_segments"))
    assert bar.get_segments()[0][:, 0].tolist() == pytest.approx([0.45, 0.8])


def test_lower_and_upper_of_a_comparison_are_drawn_as_they_are():
    table = comparison(1).assign(lower=0.05, upper=0.3)
    ax = figures.printed_beside_recomputed(table, label="model")
    spans = sorted(tuple(c.get_segments()[0][:, 0]) for c in ax.collections if hasattr(c, "get_segments"))
    assert any(span == pytest.approx((0.05, 0.3)) for span in spans)


def test_scores_stand_at_their_values_with_their_intervals_and_systems_differ_in_colour_and_marker():
    table = scores().assign(corrected=[0.25, *[None] * 8])
    ax = figures.score_intervals(table)
    spans = [tuple(c.get_segments()[0][:, 0]) for c in ax.collections]
    assert np.ravel(spans) == pytest.approx(np.ravel(table[["lower", "upper"]]))
    points, strokes = ([line for line in ax.lines if (line.get_marker() == "|") == stroke] for stroke in (False, True))
    assert [line.get_xdata()[0] for line in points] == pytest.approx(table["value"].tolist())
    assert [line.get_xdata()[0] for line in strokes] == [0.25]
    assert len({line.get_marker() for line in points}) == len({to_hex(line.get_color()) for line in points}) == 3
    heights = np.reshape([line.get_ydata()[0] for line in points], (3, 3))
    assert np.array_equal(heights.round(), np.tile([0, 1, 2], (3, 1))) and len(np.unique(heights)) == 9


def test_a_score_without_a_value_is_named_and_one_without_an_interval_is_a_point():
    table = scores().assign(value=[None, *[0.5] * 8], lower=None, upper=None)
    ax = figures.score_intervals(table)
    assert not ax.collections and any("not drawn: BHMM, many-to-one" in text.get_text() for text in ax.texts)


def test_colours_of_a_heatmap_span_the_limits_given_and_numbers_have_the_digits_asked():
    table = cells(2, 2).assign(value=[0.125, 0.25, 0.5, 0.75])
    ax = figures.heatmap(table, row="gold", column="cluster", limits=(0, 1), digits=1)
    assert ax.collections[0].get_clim() == (0, 1)
    assert [text.get_text() for text in ax.texts] == ["0.1", "0.2", "0.5", "0.8"]
    assert figures.heatmap(table, row="gold", column="cluster").collections[0].get_clim() == (0.125, 0.75)


def test_panels_that_share_an_axis_show_the_whole_of_every_line():
    from functools import partial

    tables = [pd.DataFrame({"system": "A", "k": [1, 2], "value": [0.1, top]}) for top in (0.4, 5.0, 1.0)]
    panels = [("", partial(figures.line_plot, table, x="k", y="value", limits=(0, None))) for table in tables]
    drawn = figures.small_multiples(panels, columns=3, height=2, share=(False, "row"))
    for ax in drawn.axes:
        assert ax.get_ylim()[0] == 0 and ax.get_ylim()[1] >= 5


def test_stacked_bars_leave_room_above_the_highest_though_its_last_part_is_empty():
    table = pd.DataFrame({"size": [100, 100, 200, 200], "type": ["-e", "?"] * 2, "errors": [4, 0, 2, 1]})
    assert figures.stacked_bars(table).get_ylim()[1] > 4


def test_a_model_looks_the_same_in_panels_that_lack_others():
    table = pd.DataFrame({"model": ["A", "B", "C"], "size": 100, "value": 50.0})
    whole = figures.learning_curves(table, systems=["A", "B", "C"])
    part = figures.learning_curves(table.tail(1), systems=["A", "B", "C"])
    assert to_hex(part.lines[0].get_color()) == to_hex(whole.lines[2].get_color())
    assert len(part.lines) == 1 == len(part.get_legend().get_texts())


def test_long_names_of_classes_and_words_leave_room_for_the_mapping(drawing_faults):
    table = pd.DataFrame({
        "cluster": range(6), "gold": [f"NOUN|Definite=Ind|Gender=Com|Number=Sing|Case=Gen|{n}" for n in range(6)],
        "types": range(6, 0, -1), "shared": 1, "words": "one two three four five six seven eight",
    })  # fmt: skip
    ax = figures.mapping_graph(table)
    assert drawing_faults(ax.figure) == []
    assert ax.get_position().width > 0.3
    texts = [text.get_text() for text in ax.texts]
    assert all(len(text) <= max(LONGEST_WORDS + 6, LONGEST_CLASS) for text in texts) and len(set(texts)) == len(texts)


def test_long_names_leave_room_for_the_cells_of_a_heat_map(drawing_faults):
    names = [f"DET|Gender=Com|Number=Sing|Number[psor]=Sing|Person=3|Poss=Yes|PronType=Prs|{n}" for n in range(4)]
    table = pd.DataFrame(itertools.product(names, names), columns=["gold", "read as"]).assign(value=0.5)
    ax = figures.heatmap(table, row="gold", column="read as")
    assert drawing_faults(ax.figure) == [] and ax.get_position().width > 0.25
    assert {len(label.get_text()) for label in (*ax.get_xticklabels(), *ax.get_yticklabels())} <= set(range(30, 45))


def test_counts_have_whole_ticks_and_proportions_may_have_parts():
    table = pd.DataFrame({"word": ["cat", "dog"], "series": "tokens", "value": [1, 2]})
    for values, whole in (([1, 2], True), ([0.25, 1.0], False)):
        ax = figures.grouped_bars(table.assign(value=values), x="word", group="series", horizontal=False)
        ticks = ax.get_yticks()
        assert bool((ticks == ticks.round()).all()) == whole


def test_the_first_row_beside_printed_is_on_top():
    table = pd.DataFrame({"model": ["first", "last"], "printed": [0.5, 0.6], "recomputed": [0.4, 0.7]})
    ax = figures.printed_beside_recomputed(table, label="model")
    bottom, top = ax.get_ylim()
    names = dict(zip((t.get_text() for t in ax.get_yticklabels()), ax.get_yticks(), strict=True))
    assert abs(names["first"] - top) < abs(names["last"] - top)
    assert bottom > top


def test_the_first_horizontal_bar_is_on_top():
    table = pd.DataFrame({"x": ["first", "last"], "system": "A", "value": [1.0, 2.0]})
    ax = figures.grouped_bars(table, x="x", group="system", horizontal=True)
    bottom, top = ax.get_ylim()
    assert bottom > top and [t.get_text() for t in ax.get_yticklabels()] == ["first", "last"]


def test_the_legend_has_the_colours_drawn():
    table = pd.DataFrame({"model": ["first", "last"], "printed": [0.5, 0.6], "recomputed": [0.4, 0.7]})
    ax = figures.printed_beside_recomputed(table, label="model")
    (legend,) = [*ax.figure.legends, *([ax.get_legend()] if ax.get_legend() else [])]
    colours = {line.get_label(): line.get_color() for line in legend.legend_handles}
    recomputed, printed = ax.lines
    assert colours == {"printed": printed.get_color(), "recomputed": recomputed.get_color()}


def test_negative_terms_may_be_sure_too():
    table = pd.DataFrame(
        {
            "term": ["up", "down", "open"],
            "estimate": [0.2, -0.2, 0.0],
            "lower": [0.1, -0.3, -0.1],
            "upper": [0.3, -0.1, 0.1],
            "note": "",
        }
    )
    ax = figures.forest_plot(table)
    colours = {float(x): line.get_color() for line in ax.lines[1:] for x in line.get_xdata()}
    assert colours[0.2] == colours[-0.2] != colours[0.0]


def test_measures_and_systems_come_from_top_to_bottom():
    table = pd.DataFrame(
        {
            "system": ["a", "b"] * 2,
            "measure": ["V", "V", "F", "F"],
            "value": [0.5, 0.6, 0.1, 0.2],
            "lower": 0.0,
            "upper": 1.0,
        }
    )
    ax = score_intervals(table)
    bottom, top = ax.get_ylim()
    assert bottom > top, "measures from top to bottom"
    places = [float(line.get_ydata()[0]) for line in ax.lines]
    assert places[0] < places[1] < places[2] < places[3], "systems of a measure in the order of the table"
