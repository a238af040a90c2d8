"""The results of a grid: a measure against a numeric factor, other factors as colour and marker."""

from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from analysis.figures.style import (
    COLOURS,
    GREY,
    MARKERS,
    SystemStyle,
    floats,
    handle,
    legend_below,
    new_axes,
    note,
    require,
    system_styles,
)


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
    """Draw a measure against a numeric factor of a grid; the colour and line show a second factor, the marker a third.

    Without a third factor the marker shows the second too. The points of a combination are joined. The table is
    drawn as it is: means and intervals over seeds are computed before, for instance by
    `analysis.statistics.intervals.bootstrap_means`.

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
    systems = _levels(table[colour], len(COLOURS))
    styles = dict(zip(systems, system_styles(map(str, systems)).values(), strict=True))
    shapes = [] if marker is None else _levels(table[marker], len(MARKERS))
    markers = dict(zip(shapes, MARKERS, strict=False))
    drawable = np.isfinite(floats(table[x])) & np.isfinite(floats(table[y]))
    own = ax is None
    with new_axes(ax) as ax:
        for levels, part in table[drawable].groupby(factors, sort=False, observed=True, dropna=False):
            style = styles[levels[0]]
            shape = style.marker if marker is None else markers[levels[1]]
            _draw(ax, part.sort_values(x, kind="stable"), (x, y), style, shape)
        if log:
            ax.set_xscale("log")
        ax.set(xlabel=x, ylabel=y)
        if not drawable.all():
            count = int((~drawable).sum())
            note(ax, f"not drawn: {count} row{'' if count == 1 else 's'} without a number")
        if legend:
            plain = [replace(style, marker="") if markers else style for style in styles.values()]
            handles = [handle(style, str(level), line=True) for level, style in zip(styles, plain, strict=True)]
            handles += [handle(SystemStyle(GREY, shape, "", ""), str(level)) for level, shape in markers.items()]
            legend_below(ax, handles, grow=own)
    return ax


def _levels(column: pd.Series, most: int) -> list[Any]:
    levels = list(column.unique())
    if len(levels) > most:
        raise ValueError(f"{column.name} has {len(levels)} levels; at most {most} can be told apart.")
    return levels


def _draw(ax: Axes, part: pd.DataFrame, columns: tuple[str, str], style: SystemStyle, marker: str) -> None:
    across, up = (floats(part[name]) for name in columns)
    ax.plot(
        across, up, color=style.color, linestyle=style.linestyle, marker=marker, linewidth=1.2, markersize=4, zorder=3
    )
    if {"lower", "upper"} <= set(part.columns):
        low, high = floats(part["lower"]), floats(part["upper"])
        known = np.isfinite(low) & np.isfinite(high)
        ax.vlines(across[known], low[known], high[known], color=style.color, linewidth=0.9, alpha=0.7, zorder=2)
