"""Specification curve: the statistic of a claim, sorted, with the choices marked below."""

import textwrap
from collections.abc import Sequence

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from analysis.figures.style import BLUE, GREY, ORANGE, PAGE_WIDTH, VERMILLION, floats, require, small, use_style

#: Colour and marker of each verdict that is drawn on the curve.
_LOOKS = {"stands": (BLUE, "o"), "undecided": (GREY, "D"), "turned": (VERMILLION, "v")}


def specification_figure(
    curve: pd.DataFrame,
    factors: Sequence[str],
    *,
    label: str = "Statistic",
    margin: float = 0.0,
    departures: pd.DataFrame | None = None,
) -> Figure:
    """Draw the statistic of every specification in order of size, and below it the choices of each.

    Parameters
    ----------
    curve : DataFrame
        One row per specification: the factors' columns, ``estimate``, ``lower``, ``upper`` (missing without
        replicates), ``verdict``. Rows without an estimate are counted in a note.
    factors : sequence of str
        Factors from top to bottom; a factor with a single level is left out.
    label : str
        Label of the statistic.
    margin : float
        Half width of the band around 0 in which the claim is undecided.
    departures : DataFrame, optional
        ``factor``, ``level``, ``estimate``: settings that the paper excludes, drawn to the right of the curve.

    Returns
    -------
    Figure
        Two panels: the curve and the choices.

    Examples
    --------
    >>> curve = pd.DataFrame({"gold": ["a", "b"], "estimate": [2.0, -1.0], "lower": [1.0, -2.0], "upper": [3.0, 0.0],
    ...                       "verdict": ["stands", "turned"]})
    >>> [label.get_text() for label in specification_figure(curve, ["gold"]).axes[1].get_yticklabels()]
    ['a', 'b']
    """
    require(curve, [*factors, "estimate", "lower", "upper", "verdict"], "specifications")
    shown = curve[curve["estimate"].notna()].sort_values("estimate", kind="stable", ignore_index=True)
    rows = [
        (factor, level)
        for factor in factors
        if curve[factor].nunique() > 1
        for level in dict.fromkeys(curve[factor].astype("str"))
    ]
    gaps = [place for place in range(1, len(rows)) if rows[place][0] != rows[place - 1][0]]
    heights = (2.0, 0.15 * len(rows) + 0.1 * len(gaps) + 0.15)
    with use_style():
        figure = Figure(figsize=(PAGE_WIDTH, sum(heights) + 0.5), layout="constrained")
        above, below = figure.subplots(2, 1, sharex=True, height_ratios=heights)
        _draw_curve(above, shown, label, margin)
        if departures is not None and len(departures):
            _draw_departures(above, departures, len(shown))
        missing = len(curve) - len(shown)
        if missing:
            above.set_title(f"{missing} of {len(curve)} specifications have no value", loc="right", fontsize=small())
        _draw_choices(below, shown, rows, gaps)
        below.set_xlabel(f"{len(shown)} specifications, sorted")
        entries = figure.axes[0].get_legend_handles_labels()
        figure.legend(*entries, loc="outside lower center", ncols=len(entries[0]) or 1)
    return figure


def _draw_curve(ax: Axes, shown: pd.DataFrame, label: str, margin: float) -> None:
    places, size = np.arange(len(shown)), 4.0 if len(shown) <= 80 else 2.0
    middle, low, high = (floats(shown[name]) for name in ("estimate", "lower", "upper"))
    ax.axhline(0, color=GREY, linewidth=0.8, zorder=1)
    if margin:
        ax.axhspan(-margin, margin, color=GREY, alpha=0.15, linewidth=0, zorder=0)
    for verdict, (colour, marker) in _LOOKS.items():
        chosen = (shown["verdict"] == verdict).to_numpy()
        if chosen.any():
            ax.vlines(places[chosen], low[chosen], high[chosen], color=colour, linewidth=0.7, alpha=0.6, zorder=2)
            name = f"{verdict} ({chosen.sum()})"
            ax.plot(places[chosen], middle[chosen], marker, color=colour, markersize=size, zorder=3, label=name)
    ax.set_ylabel(textwrap.fill(label, 32))
    ax.tick_params(axis="x", length=0)
    ax.grid(False, axis="x")


def _draw_departures(ax: Axes, departures: pd.DataFrame, first: int) -> None:
    places = first + 1 + np.arange(len(departures))
    ax.axvline(first, color=GREY, linewidth=0.6, linestyle=":")
    ax.plot(places, floats(departures["estimate"]), "s", color=ORANGE, markerfacecolor="none", markersize=4.0,
            label="departure from the paper")  # fmt: skip


def _draw_choices(ax: Axes, shown: pd.DataFrame, rows: list[tuple[str, str]], gaps: list[int]) -> None:
    heights = np.arange(len(rows)) + 0.7 * np.searchsorted(gaps, np.arange(len(rows)), side="right")
    colours = np.array([_LOOKS.get(verdict, (GREY, ""))[0] for verdict in shown["verdict"]])
    size = 9 if len(shown) <= 80 else 4
    for height, (factor, level) in zip(heights, rows, strict=True):
        chosen = np.flatnonzero(shown[factor].astype("str") == level)
        ax.scatter(chosen, np.full(len(chosen), height), s=size, marker="|", c=colours[chosen], linewidth=1.0)
    ax.set_yticks(heights, [level for _, level in rows])
    for place, (factor, _) in enumerate(rows):
        if place == 0 or place in gaps:
            ax.annotate(factor, (1.0, heights[place]), xytext=(4, 0), xycoords=("axes fraction", "data"),
                        textcoords="offset points", va="center", fontsize=8, annotation_clip=False)  # fmt: skip
    ax.set_ylim((heights[-1] if len(rows) else 0) + 0.8, -0.8)
    ax.tick_params(axis="y", length=0)
    ax.set_xticks([])
    ax.grid(False)
