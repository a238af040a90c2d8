"""Figures of the paper and of its claims; each draws a table that a reader can print, and computes nothing."""

from collections.abc import Iterable

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from analysis.figures import heatmap, new_axes, printed_beside_recomputed, share_legend, system_styles, use_style
from analysis.figures.style import PAGE_WIDTH, floats, handle, require
from analysis.papers.gelling2012.agreement import OVERALL, agreement, clusters, curves, ranks
from analysis.papers.gelling2012.evaluation import CLASS_MEASURES, LOWER_IS_BETTER
from analysis.papers.gelling2012.setting import Setting, make_setting
from analysis.papers.gelling2012.tables import (
    MEASURES,
    compare_averages,
    figure1,
    table2,
    table3,
    table6,
)


def lengths_panel(table: pd.DataFrame, *, ax: Axes | None = None, legend: bool = True) -> Axes:
    """Accuracy against the length of the gold dependency, one line a system.

    Parameters
    ----------
    table : DataFrame
        ``system``, ``length``, ``value`` (percent).
    ax : Axes, optional
    legend : bool
    """
    require(table, ["system", "length", "value"], "table")
    with new_axes(ax) as ax:
        styles = system_styles(table["system"])
        for name, style in styles.items():
            part = table[table["system"] == name].sort_values("length")
            ax.plot(part["length"], floats(part["value"]), color=style.color, marker=style.marker,
                    linestyle=style.linestyle, markersize=3.5, linewidth=1.2, label=name)  # fmt: skip
        ax.set_xlabel("Length of the dependency")
        ax.set_ylabel("Percent right")
        ax.set_ylim(0, None)
        if legend:
            ax.legend(handles=[handle(style, name, line=True) for name, style in styles.items()], fontsize=7)
    return ax


def figure1_figure(setting: Setting | None = None, **choices: object) -> Figure:
    """Figure 1: directed accuracy by length of the dependency, on en-ptb, or on the first test set there is."""
    chosen = make_setting(setting, choices)
    testsets = chosen.testsets or ()
    testset = "en-ptb" if "en-ptb" in testsets else testsets[0]
    table = figure1(chosen)
    rows = table[(table["testset"] == testset) & (table["measure"] == "directed")]
    with use_style():
        figure = Figure(figsize=(4.6, 3.1), layout="constrained")
        ax = figure.subplots()
        lengths_panel(rows, ax=ax)
        ax.set_title(f"{testset}, directed")
        share_legend(figure, columns=7)
    return figure


def agreement_figure(number: int, table: pd.DataFrame | None = None, *, digits: int = 2) -> Figure:
    """Rank correlations of the measures on each test set and on the averages, as one heat map.

    Parameters
    ----------
    number : int
        Table 2, 3, 4, 7, 8 or 9.
    table : DataFrame, optional
        What its function returned; by default the printed table.
    digits : int
    """
    found = agreement(number, table)
    signed = {name: f"−{name}" if name in LOWER_IS_BETTER else name for name in MEASURES[number]}
    pairs = zip(found["measure_a"], found["measure_b"], strict=True)
    cells = found.assign(pair=[f"{signed[a]}, {signed[b]}" for a, b in pairs])
    with use_style():
        size = (min(PAGE_WIDTH, 2.6 + 0.5 * cells["testset"].nunique()), 1.5 + 0.27 * cells["pair"].nunique())
        figure = Figure(figsize=size, layout="constrained")
        ax = figure.subplots()
        heatmap(cells, row="pair", column="testset", value="rho", ax=ax, limits=(-1.0, 1.0), colours="PuOr",
                digits=digits, label="Spearman's ρ")  # fmt: skip
        where = "printed" if table is None else "recomputed"
        most = found["n"].max()
        ax.set_title(f"Table {number}, {where}, up to {most} systems", loc="left")
    return figure


def bump_panel(table: pd.DataFrame, measures: tuple[str, ...], *, ax: Axes, marked: str | None = None) -> Axes:
    """Rank of each system by each measure, 1 at the top; lines that cross are measures that disagree.

    Parameters
    ----------
    table : DataFrame
        ``measure``, ``system``, ``rank``: what `ranks` gives.
    measures : tuple of str
        From left to right.
    ax : Axes
    marked : str, optional
        A system to draw strongly; all others are then pale.
    """
    require(table, ["measure", "system", "rank"], "table")
    styles = system_styles(table["system"])
    place = {name: x for x, name in enumerate(measures)}
    for name, style in styles.items():
        rows = table[table["system"] == name]
        rows = rows[rows["measure"].isin(measures)]
        rows = rows.sort_values("measure", key=lambda column: column.map(place))
        across, up = rows["measure"].map(place).to_numpy(dtype=float), floats(rows["rank"])
        pale = marked is not None and name != marked
        ax.plot(across, up, color=style.color, marker=style.marker, linestyle=style.linestyle, markersize=5,
                alpha=0.25 if pale else 1, linewidth=2.2 if name == marked else 1.3)  # fmt: skip
        for shift, end, align in ((-0.09, 0, "right"), (0.09, -1, "left")):
            same = table[(table["measure"] == rows["measure"].iloc[end]) & (table["rank"] == rows["rank"].iloc[end])]
            if same["system"].iloc[0] == name:  # systems that share a rank are named together
                ax.annotate(
                    ", ".join(same["system"]), (across[end] + shift, up[end]), ha=align, va="center", fontsize=7
                )
    names = [f"{name}\n(less is better)" if name in LOWER_IS_BETTER else name for name in measures]
    ax.set_xticks(range(len(measures)), names)
    ax.set_xlim(-0.75, len(measures) - 0.25)
    ax.set_ylim(floats(table["rank"]).max() + 0.6, 0.4)
    ax.set_yticks([])
    ax.tick_params(length=0)
    for side in ("left", "bottom"):
        ax.spines[side].set_visible(False)
    ax.grid(False)
    return ax


def bump_figure(number: int, table: pd.DataFrame | None = None, testset: str = OVERALL) -> Figure:
    """Ranks of the systems of a table by each of its measures."""
    found = ranks(number, table, testset)
    with use_style():
        figure = Figure(figsize=(1.3 * len(MEASURES[number]) + 0.8, 0.8 + 0.24 * found["system"].nunique()),
                        layout="constrained")  # fmt: skip
        ax = figure.subplots()
        bump_panel(found, MEASURES[number], ax=ax)
        where = "printed" if table is None else "recomputed"
        ax.set_title(f"Table {number}, {where}, {testset}", loc="left")
    return figure


def clusters_panel(
    table: pd.DataFrame,
    measure: str,
    *,
    ax: Axes,
    lines: bool,
    legend: bool = True,
    models: Iterable[str] | None = None,
) -> Axes:
    """One measure against the number of clusters, on a logarithmic scale; points, or lines by system.

    Parameters
    ----------
    table : DataFrame
        ``model``, ``k``, ``measure``, ``value``: what `clusters` or `curves` gives.
    measure : str
    ax : Axes
    lines : bool
        Whether the points of a model are joined: one test set only.
    legend : bool
    models : iterable of str, optional
        Which share out the looks, so that panels with other models agree; by default those of the table.
    """
    require(table, ["model", "k", "measure", "value"], "table")
    rows = table[table["measure"] == measure]
    styles = system_styles(rows["model"] if models is None else models)
    styles = {name: style for name, style in styles.items() if name in set(rows["model"])}
    for name, style in styles.items():
        part = rows[rows["model"] == name].sort_values("k")
        ax.plot(part["k"].to_numpy(dtype=float), floats(part["value"]), color=style.color, marker=style.marker,
                linestyle=style.linestyle if lines else "none", markersize=3.5, linewidth=1.2)  # fmt: skip
    ax.set_xscale("log")
    ks = table["k"].to_numpy(dtype=float)
    ax.set_xlim(ks.min() / 1.4, ks.max() * 1.4)
    ticks = [k for k in (3, 10, 30, 100, 300, 1000) if ks.min() / 1.4 <= k <= ks.max() * 1.4]
    ax.set_xticks(ticks, [str(k) for k in ticks])
    ax.minorticks_off()
    ax.set_title(f"{measure} (bits; less is better)" if measure in LOWER_IS_BETTER else f"{measure} (percent)")
    if legend:
        ax.legend(handles=[handle(style, name, line=lines) for name, style in styles.items()])
    return ax


def clusters_figure(setting: Setting | None = None, **choices: object) -> Figure:
    """Each measure against the number of clusters: above, every system on every test set; below, B and MK on one."""
    chosen = make_setting(setting, choices)
    points, lines = clusters(chosen), curves(chosen)
    with use_style():
        figure = Figure(figsize=(PAGE_WIDTH, 3.9), layout="constrained")
        grid = figure.subplots(2, 4)
        for column, measure in enumerate(CLASS_MEASURES):
            clusters_panel(points, measure, ax=grid[0, column], lines=False)
            clusters_panel(lines, measure, ax=grid[1, column], lines=True, models=points["model"])
            grid[1, column].set_title("")
            grid[1, column].set_xlabel("Clusters")
        grid[0, 0].set_ylabel("all test sets")
        grid[1, 0].set_ylabel(str(chosen.curve_testset))
        share_legend(figure)
    return figure


def averages_figure(number: int, setting: Setting | None = None, **choices: object) -> Figure:
    """Averages of Table 2 or 3, the printed and the recomputed, for the systems that run here.

    Raises
    ------
    ValueError
        For another number.
    """
    chosen = make_setting(setting, choices)
    tables = {2: table2, 3: table3}
    if number not in tables:
        raise ValueError(f"number is 2 or 3, not {number!r}.")
    found = compare_averages(tables[number](chosen), number)
    found = found[found["recomputed"].notna()]
    measures = [name for name in MEASURES[number] if name not in LOWER_IS_BETTER]
    with use_style():
        figure = Figure(figsize=(PAGE_WIDTH, 1.1 + 0.21 * found["system"].nunique()), layout="constrained")
        for ax, measure in zip(np.atleast_1d(figure.subplots(1, len(measures))), measures, strict=True):
            printed_beside_recomputed(found[found["measure"] == measure], label="system", ax=ax, xlabel="Percent")
            ax.set_xlim(0, 100)
            ax.set_title(measure)
        share_legend(figure)
    return figure


def scores_figure(setting: Setting | None = None, measure: str = "directed", **choices: object) -> Figure:
    """One measure of every system on every test set, as a heat map."""
    table = table3(setting, **choices)
    return _cells_figure(table[table["measure"] == measure], "testset", f"{measure}, percent")


def relations_figure(setting: Setting | None = None, testset: str | None = None, **choices: object) -> Figure:
    """Directed accuracy by relation and system on one test set, as a heat map."""
    chosen = make_setting(setting, choices)
    table = table6(chosen)
    name = testset or ("en-ptb" if "en-ptb" in set(table["testset"]) else table["testset"].iloc[0])
    figure = _cells_figure(table[table["testset"] == name], "relation", "directed, percent")
    figure.axes[0].set_title(name, loc="left")
    return figure


def _cells_figure(cells: pd.DataFrame, row: str, label: str) -> Figure:
    with use_style():
        figure = Figure(figsize=(5.4, 1.2 + 0.27 * cells[row].nunique()), layout="constrained")
        heatmap(cells, row=row, column="system", ax=figure.subplots(), digits=1, label=label, limits=(0.0, 100.0))
    return figure
