"""Line plots and strip plots, one style per series."""

from collections.abc import Iterable
from typing import Literal

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from analysis.figures.style import GREY, floats, handle, new_axes, require, system_styles

DOTTED = (0, (1, 2))


def line_plot(
    table: pd.DataFrame,
    *,
    x: str,
    y: str = "value",
    series: str = "system",
    ax: Axes | None = None,
    scale: Literal["linear", "log", "log counts", "symlog"] = "linear",
    limits: tuple[float | None, float | None] = (None, None),
    systems: Iterable[str] | None = None,
    joined: bool = True,
    path: bool = False,
    markers: bool = True,
    legend: bool = True,
    labels: tuple[str, str] = ("", ""),
    mark: float | None = None,
) -> Axes:
    """Draw one variable against another, one line per series.

    Parameters
    ----------
    table : DataFrame
        The columns ``x``, ``y`` and ``series``; each line is drawn in ascending order of x.
    x, y, series : str
    ax : Axes, optional
    scale : {"linear", "log", "log counts", "symlog"}
        Scale of x; symlog is logarithmic from 1 upwards, log counts has ticks at 1, 3, 10, 30 and so on.
    limits : (float or None, float or None)
        Limits of y.
    systems : iterable of str, optional
        Systems among which styles are distributed, so that panels with different series agree; the default is those of
        the table.
    joined : bool
        Whether to connect the points of a series.
    path : bool
        Whether each line is a path in the order of the table, with a ring at its end. Later lines are then thinner, so
        that overlapping lines remain visible.
    markers : bool
        Whether to mark each row.
    legend : bool
    labels : pair of str
        Labels of the two axes.
    mark : float, optional
        An x to mark with a dotted line.

    Returns
    -------
    Axes

    Raises
    ------
    ValueError
        If a column is missing or there is no row.

    Examples
    --------
    >>> table = pd.DataFrame({"system": ["A", "A", "B"], "k": [10, 5, 5], "value": [0.5, 0.4, 0.3]})
    >>> line_plot(table, x="k").lines[0].get_xdata().tolist()
    [5.0, 10.0]
    """
    require(table, [x, y, series], "table")
    names, styles = table[series].astype("str"), system_styles(table[series] if systems is None else systems)
    shown = [name for name in styles if name in set(names)]
    with new_axes(ax) as ax:
        for place, name in enumerate(shown):
            part, style = table[names == name], styles[name]
            part = part if path else part.sort_values(x, kind="stable")
            width, size = (2.8 - 0.7 * place, 6 - place) if path else (1.2, 3.5 if joined else 5)
            across, up = floats(part[x]), floats(part[y])
            ax.plot(
                across, up, color=style.color, linestyle=style.linestyle if joined else "none",
                linewidth=width, marker=style.marker if markers else None, markersize=size, label=name,
            )  # fmt: skip
            if path:
                ax.plot(
                    across[-1:], up[-1:], marker="o", markersize=9, fillstyle="none",
                    color=style.color, linestyle="none",
                )  # fmt: skip
        if mark is not None:
            ax.axvline(mark, color=GREY, linewidth=0.8, linestyle=DOTTED)
        ax.set_xscale(scale.removesuffix(" counts"), **({"linthresh": 1} if scale == "symlog" else {}))
        if scale == "log counts":
            lowest, highest = floats(table[x]).min() / 1.4, floats(table[x]).max() * 1.4
            ticks = [tick for tick in (1, 3, 10, 30, 100, 300, 1000, 3000) if lowest <= tick <= highest]
            ax.set_xlim(lowest, highest)
            ax.set_xticks(ticks, [str(tick) for tick in ticks])
            ax.minorticks_off()
        ax.set(xlabel=labels[0], ylabel=labels[1])
        ax.set_ylim(*limits, auto=None)  # other panels that share the axis may extend it
        if legend:
            ax.legend(handles=[handle(styles[name], name, line=joined) for name in shown])
    return ax


def strip_plot(
    table: pd.DataFrame,
    *,
    x: str,
    y: str = "value",
    series: str,
    ax: Axes | None = None,
    legend: bool = True,
    labels: tuple[str, str] = ("", ""),
    mark: float | None = None,
) -> Axes:
    """Draw single values as points with random horizontal jitter, grouped by ``x`` and then by series.

    Parameters
    ----------
    table : DataFrame
        The columns ``x``, ``y`` and ``series``.
    x, y, series : str
    ax : Axes, optional
    legend : bool
    labels : pair of str
        Labels of the two axes.
    mark : float, optional
        A y to mark with a dotted line.

    Returns
    -------
    Axes

    Examples
    --------
    >>> table = pd.DataFrame({"measure": ["V", "V"], "start": ["random", "edges"], "value": [0.5, 0.4]})
    >>> [text.get_text() for text in strip_plot(table, x="measure", series="start").get_legend().get_texts()]
    ['random', 'edges']
    """
    require(table, [x, y, series], "table")
    names, sides = (list(dict.fromkeys(table[column])) for column in (x, series))
    random = np.random.default_rng(0)
    with new_axes(ax) as ax:
        styles = system_styles(map(str, sides))
        for number, name in enumerate(sides):
            part = table[table[series] == name]
            places = part[x].map(names.index).to_numpy(dtype=float) + 0.8 * (number + 0.5) / len(sides) - 0.4
            ax.plot(
                places + random.uniform(-0.24, 0.24, size=len(part)) / len(sides), floats(part[y]), linestyle="none",
                marker=styles[str(name)].marker, color=styles[str(name)].color, markersize=3,
                alpha=0.6, markeredgewidth=0, label=str(name),
            )  # fmt: skip
        if mark is not None:
            ax.axhline(mark, color=GREY, linewidth=0.8, linestyle=DOTTED)
        ax.set_xticks(range(len(names)), names)
        ax.set(xlabel=labels[0], ylabel=labels[1], xlim=(-0.5, len(names) - 0.5))
        if legend:
            ax.legend()
    return ax
