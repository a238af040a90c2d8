"""Plots of printed and recomputed numbers, and grouped bars."""

import itertools
from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from matplotlib.ticker import MaxNLocator

from analysis.figures.style import (
    BLUE,
    VERMILLION,
    floats,
    legend_below,
    new_axes,
    note,
    require,
    small,
    system_styles,
)


def printed_beside_recomputed(
    comparison: pd.DataFrame,
    *,
    label: str | Sequence[str],
    ax: Axes | None = None,
    log: bool = False,
    legend: bool = True,
    xlabel: str = "Value",
) -> Axes:
    """Draw one line per number: the printed value as a ring, the recomputed value as a dot, and a bar between them.

    Parameters
    ----------
    comparison : DataFrame
        Columns ``printed`` and ``recomputed`` (either may be missing in a row), the columns named by ``label``, and
        optionally ``lower`` and ``upper`` of the recomputed value. Drawn from top to bottom in the order of the table.
    label : str or list of str
        Columns that label a row; with several columns, a gap separates groups of rows with the same value of the first.
    ax : Axes, optional
    log : bool
        Whether the axis of values is logarithmic; values of 0 are then not drawn, and a note above the plot counts
        them.
    legend : bool
        Whether to draw a legend below the axes.
    xlabel : str
        Label of the axis of values.

    Returns
    -------
    Axes

    Raises
    ------
    ValueError
        If a column is missing or there is no row.

    Examples
    --------
    >>> comparison = pd.DataFrame({"measure": ["PP", "PR"], "printed": [0.5, 0.4], "recomputed": [0.52, None]})
    >>> [text.get_text() for text in printed_beside_recomputed(comparison, label="measure").get_yticklabels()]
    ['PP', 'PR']
    """
    names = [label] if isinstance(label, str) else list(label)
    require(comparison, [*names, "printed", "recomputed"], "comparison")
    columns = [comparison[name].astype("str").tolist() for name in names]
    written = [" ".join(parts) for parts in zip(*columns, strict=True)]
    first = columns[0] if len(names) > 1 else [""] * len(written)
    places = np.arange(len(written)) + 0.6 * np.cumsum([0, *(a != b for a, b in itertools.pairwise(first))])
    printed, recomputed = floats(comparison["printed"]), floats(comparison["recomputed"])
    height = 0.155 * (places[-1] + 1) + 0.85
    with new_axes(ax, height=max(height, 1.4)) as ax:
        if log:
            ax.set_xscale("log")
            hidden = int((printed <= 0).sum() + (recomputed <= 0).sum())
            if hidden:
                note(ax, f"not drawn: {hidden} value{'s' if hidden > 1 else ''} of 0")
            printed, recomputed = (np.where(values > 0, values, np.nan) for values in (printed, recomputed))
        ax.hlines(places, printed, recomputed, color="#9A9A9A", linewidth=1.6, zorder=2)
        if {"lower", "upper"} <= set(comparison.columns):
            ax.hlines(
                places, floats(comparison["lower"]), floats(comparison["upper"]), color=BLUE, linewidth=0.8, zorder=2
            )
        ax.plot(recomputed, places, linestyle="none", marker="o", markersize=3.6, color=BLUE, zorder=3, clip_on=False)
        ax.plot(
            printed, places, linestyle="none", marker="o", markersize=6.4, color=VERMILLION, markerfacecolor="none",
            markeredgewidth=1.1, zorder=4, clip_on=False,
        )  # fmt: skip
        ax.set_yticks(places, written)
        ax.set_ylim(places[-1] + 0.8, -0.8)
        ax.tick_params(axis="y", length=0)
        ax.set_xlabel(xlabel)
        ax.margins(x=0.04)
        if not log and np.nanmin([*printed, *recomputed, 0.0]) >= 0:
            ax.set_xlim(left=0)
        if legend:
            shared = {"linestyle": "none", "marker": "o"}
            legend_below(
                ax,
                [
                    Line2D([], [], color=VERMILLION, markerfacecolor="none", markersize=6.4, label="printed", **shared),  # type: ignore[arg-type]
                    Line2D([], [], color=BLUE, markersize=3.6, label="recomputed", **shared),  # type: ignore[arg-type]
                ],
            )
    return ax


def grouped_bars(
    table: pd.DataFrame,
    *,
    x: str,
    group: str,
    y: str = "value",
    ax: Axes | None = None,
    horizontal: bool | None = None,
    legend: bool = True,
    labels: tuple[str, str] | None = None,
) -> Axes:
    """Draw grouped bars: one group of bars per value of ``x``, one colour and hatch per value of ``group``.

    Parameters
    ----------
    table : DataFrame
        One row per bar, with the named columns; ``lower`` and ``upper``, if present, become error bars. A missing value
        is shown as a dash.
    x, group, y : str
        Names of columns. A numeric ``x`` is drawn on a numeric axis, with ticks at its values.
    ax : Axes, optional
    horizontal : bool, optional
        Whether bars are horizontal; by default if the names of ``x`` are long or many.
    legend : bool
        Whether to draw a legend below the axes.
    labels : pair of str, optional
        Labels of the axis of ``x`` and of the axis of ``y``; by default the columns' names.

    Returns
    -------
    Axes

    Raises
    ------
    ValueError
        If a column is missing, there is no row, or a bar occurs twice.

    Examples
    --------
    >>> table = pd.DataFrame({"k": [12, 53, 12, 53], "system": ["HC", "HC", "FF", "FF"], "value": [1, 2, 3, 4]})
    >>> [float(tick) for tick in grouped_bars(table, x="k", group="system").get_xticks()]
    [12.0, 53.0]
    """
    require(table, [x, group, y], "table")
    twice = table.duplicated([x, group])
    if twice.any():
        first = table[twice].iloc[0]
        raise ValueError(f"the bar ({first[x]!r}, {first[group]!r}) occurs in the table more than once.")
    styles = system_styles(table[group])
    numeric = pd.api.types.is_numeric_dtype(table[x]) and not pd.api.types.is_bool_dtype(table[x])
    if numeric:
        centres = np.unique(floats(table[x]))
        at = dict(zip(centres, centres, strict=True))
        names = [f"{centre:g}" for centre in centres]
        step = float(np.diff(centres).min()) if len(centres) > 1 else 1.0
        where = [at[value] for value in floats(table[x])]
    else:
        names = list(dict.fromkeys(table[x].astype("str")))
        if isinstance(table[x].dtype, pd.CategoricalDtype):
            names = [str(name) for name in table[x].cat.categories if str(name) in names]
        at_name = {name: float(place) for place, name in enumerate(names)}
        centres, step = np.arange(len(names), dtype=float), 1.0
        where = [at_name[value] for value in table[x].astype("str")]
    if horizontal is None:
        horizontal = not numeric and (max(map(len, names)) > 9 or len(names) * max(map(len, names)) > 45)
    width = 0.8 * step / len(styles)
    offsets = {name: (number - (len(styles) - 1) / 2) * width for number, name in enumerate(styles)}
    length = max(0.115 * len(styles) * len(names) + 0.14 * len(names) + 0.9, 1.6) if horizontal else 2.8
    own = ax is None
    with new_axes(ax, height=min(length, 9.0)) as ax:
        _draw_bars(
            ax, table, y, [*zip(where, table[group].astype("str"), strict=True)], offsets, styles, width, horizontal
        )
        along, across = (ax.yaxis, ax.xaxis) if horizontal else (ax.xaxis, ax.yaxis)
        along.set_ticks(centres, names)
        along.set_tick_params(length=0)
        along.grid(False)
        edge = 0.55 * step
        if horizontal:
            ax.set_ylim(centres[-1] + edge, centres[0] - edge)
        else:
            ax.set_xlim(centres[0] - edge, centres[-1] + edge)
        texts = labels or (x, y)
        along.set_label_text(texts[0])
        across.set_label_text(texts[1])
        if pd.api.types.is_integer_dtype(table[y]) and isinstance(locator := across.get_major_locator(), MaxNLocator):
            locator.set_params(integer=True)  # there are no halves of tokens
        if legend:
            entries = [
                Patch(facecolor=style.color, hatch=style.hatch, edgecolor="white", label=name)
                for name, style in styles.items()
            ]
            legend_below(ax, entries, grow=own)
    return ax


def _draw_bars(
    ax: Axes,
    table: pd.DataFrame,
    y: str,
    where: list[tuple[float, str]],
    offsets: dict[str, float],
    styles: dict,
    width: float,
    horizontal: bool,
) -> None:
    values = floats(table[y])
    bounded = {"lower", "upper"} <= set(table.columns)
    lower, upper = (floats(table["lower"]), floats(table["upper"])) if bounded else (values, values)
    for (centre, name), value, low, high in zip(where, values, lower, upper, strict=True):
        place, style = centre + offsets[name], styles[name]
        look: dict[str, Any] = {"color": style.color, "hatch": style.hatch, "edgecolor": "white"}
        error: dict[str, Any] = {}
        if bounded and np.isfinite([value, low, high]).all():
            error = {"xerr" if horizontal else "yerr": [[max(value - low, 0)], [max(high - value, 0)]]}
            error["error_kw"] = {"ecolor": "#202020", "elinewidth": 0.9}
        if not np.isfinite(value):
            x, y_place = (0.0, place) if horizontal else (place, 0.0)
            sides = {"ha": "left", "va": "center"} if horizontal else {"ha": "center", "va": "bottom"}
            ax.text(x, y_place, "–", fontsize=small(), color=style.color, **sides)  # type: ignore[arg-type]
        elif horizontal:
            ax.barh(place, value, height=width * 0.94, **look, **error)
        else:
            ax.bar(place, value, width=width * 0.94, **look, **error)


def stacked_bars(
    table: pd.DataFrame, *, x: str = "size", value: str = "errors", ax: Axes | None = None, legend: bool = True
) -> Axes:
    """Draw stacked bars of numbers or proportions by type, such as error type, one bar per value of ``x``.

    Parameters
    ----------
    table : DataFrame
        ``x``, ``type`` (in stacking order) and ``value``.
    x : str
        Column of the bars, such as ``"size"`` or ``"model"``.
    value : {"errors", "share"}
    ax : Axes, optional
    legend : bool

    Returns
    -------
    Axes
        Types that never occur are not in the legend; each type has its colour whether or not others occur.

    Examples
    --------
    >>> table = pd.DataFrame({"size": [100, 100], "type": ["-e", "?"], "errors": [3, 1]})
    >>> [float(bar.get_height()) for bar in stacked_bars(table).patches]
    [3.0, 1.0]
    """
    require(table, [x, "type", value], "bars")
    types = list(dict.fromkeys(table["type"].astype("str")))
    styles = system_styles(types)
    places = list(dict.fromkeys(table[x].astype("str")))
    with new_axes(ax) as ax:
        bottom = np.zeros(len(places))
        occurs = {}
        for name in types:
            rows = table[table["type"].astype("str") == name]
            occurs[name] = bool((floats(rows[value]) > 0).any())
            heights = pd.Series(floats(rows[value]), index=rows[x].astype("str")).reindex(places).fillna(0).to_numpy()
            style = styles[name]
            ax.bar(
                range(len(places)), heights, 0.75, bottom, color=style.color, hatch=style.hatch, edgecolor="white",
                linewidth=0.4,
            )  # fmt: skip
            bottom += heights
        ax.set_ylim(0, max(1.08 * bottom.max(), 1e-9))
        ax.set_xticks(
            range(len(places)), [place.replace(" (", "\n(").replace("suffix", "\nsuffix") for place in places]
        )
        ax.tick_params(axis="x", length=0)
        ax.grid(False, axis="x")
        ax.set(
            xlabel={"size": "Training items", "model": ""}.get(x, x),
            ylabel={"errors": "Wrong predictions", "share": "Share of wrong predictions"}.get(value, value),
        )
        if legend:
            legend_below(
                ax,
                [
                    Patch(facecolor=s.color, hatch=s.hatch, edgecolor="white", label=name)
                    for name, s in styles.items()
                    if occurs[name]
                ],
            )
    return ax
