"""The results of a grid: a measure against a numeric factor, other factors as colour and marker."""

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.lines import Line2D

from analysis.figures.style import COLOURS, GREY, MARKERS, floats, legend_below, new_axes, note, require


def grid_plot(
    table: pd.DataFrame,
    *,
    x: str,
    y: str = "value",
    colour: str = "system",
    marker: str | None = None,
    ax: Axes | None = None,
    log: bool = False,
    legend: bool = True,
) -> Axes:
    """Draw a measure against a numeric factor of a grid; the colour shows a second factor, the marker a third.

    The points of a colour and marker are joined. The table is drawn as it is: means and intervals over seeds are
    computed before, for instance by `analysis.statistics.intervals.bootstrap_means`.

    Parameters
    ----------
    table : DataFrame
        The columns ``x``, ``y``, ``colour`` and ``marker``, one row per combination, and optionally ``lower`` and
        ``upper``, the ends of an interval.
    x, y, colour : str
        Columns; x and y are numeric. The axes are labelled with their names.
    marker : str, optional
    ax : Axes, optional
    log : bool
        Whether x is logarithmic.
    legend : bool

    Returns
    -------
    Axes

    Raises
    ------
    ValueError
        If a column is missing, there is no row, a combination occurs more than once, or there are more than 8 colours
        or markers.

    Examples
    --------
    >>> table = pd.DataFrame({"k": [12, 53, 12, 53], "system": list("AABB"), "value": [0.5, 0.6, 0.4, 0.3]})
    >>> [line.get_xydata().tolist() for line in grid_plot(table, x="k").lines[:2]]
    [[[12.0, 0.5], [53.0, 0.6]], [[12.0, 0.4], [53.0, 0.3]]]
    """
    factors = [colour] if marker is None else [colour, marker]
    require(table, [x, y, *factors], "table")
    if table.duplicated([x, *factors]).any():
        raise ValueError(
            f"a combination of {', '.join([x, *factors])} occurs more than once: give means over the rest."
        )
    colours = _looks(table[colour], COLOURS)
    markers = {} if marker is None else _looks(table[marker], MARKERS)
    drawable = np.isfinite(floats(table[x])) & np.isfinite(floats(table[y]))
    own = ax is None
    with new_axes(ax) as ax:
        for levels, part in table[drawable].groupby(factors, sort=False, observed=True, dropna=False):
            look = {"color": colours[levels[0]], "marker": MARKERS[0] if marker is None else markers[levels[1]]}
            _draw(ax, part.sort_values(x, kind="stable"), x, y, look)
        if log:
            ax.set_xscale("log")
        ax.set(xlabel=x, ylabel=y)
        if not drawable.all():
            count = int((~drawable).sum())
            note(ax, f"not drawn: {count} row{'' if count == 1 else 's'} without a number")
        if legend:
            handles = [Line2D([], [], color=look, label=str(level)) for level, look in colours.items()]
            handles += [
                Line2D([], [], color=GREY, marker=look, linestyle="none", label=str(level))
                for level, look in markers.items()
            ]
            legend_below(ax, handles, grow=own)
    return ax


def _looks(column: pd.Series, looks: list[str]) -> dict[Any, str]:
    levels = list(column.unique())
    if len(levels) > len(looks):
        raise ValueError(f"{column.name} has {len(levels)} levels; at most {len(looks)} can be told apart.")
    return dict(zip(levels, looks, strict=False))


def _draw(ax: Axes, part: pd.DataFrame, x: str, y: str, look: dict[str, Any]) -> None:
    across, up = floats(part[x]), floats(part[y])
    ax.plot(across, up, linewidth=1.2, markersize=4, zorder=3, **look)
    if {"lower", "upper"} <= set(part.columns):
        low, high = floats(part["lower"]), floats(part["upper"])
        known = np.isfinite(low) & np.isfinite(high)
        ax.vlines(across[known], low[known], high[known], color=look["color"], linewidth=0.9, alpha=0.7, zorder=2)
