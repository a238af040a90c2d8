"""Precision against recall, one point per system and number of clusters."""

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.lines import Line2D

from analysis.figures.style import floats, handle, legend_below, new_axes, note, require, system_styles

LARGEST = 110.0  # area of the largest point, in square points
SMALLEST = 7.0


def precision_against_recall(
    points: pd.DataFrame,
    *,
    size: str | None = "k",
    ax: Axes | None = None,
    printed: pd.DataFrame | None = None,
    log: bool = False,
    legend: bool = True,
    labels: tuple[str, str] = ("Recall", "Precision"),
) -> Axes:
    """Draw precision (y) against recall (x), one point per row (Frank et al. 2009, Figure 1).

    Parameters
    ----------
    points : DataFrame
        Columns ``system``, ``precision``, ``recall``; the column named by ``size``; and optionally ``precision_lower``,
        ``precision_upper``, ``recall_lower``, ``recall_upper``, drawn as error bars.
    size : str, optional
        Column of numbers; the area of a point is proportional to it (never below a visible minimum).
    ax : Axes, optional
    printed : DataFrame, optional
        The same columns with a paper's printed numbers: hollow points, connected to the filled point of the same system
        and size.
    log : bool
        Whether the axes are logarithmic. Values of 0 are then not drawn; a note above the plot lists them, and
        undefined values on any scale.
    legend : bool
        Whether to put a legend under the axes.
    labels : pair of str
        Labels of the two axes.

    Returns
    -------
    Axes

    Raises
    ------
    ValueError
        If a column is missing or there is no row.

    Examples
    --------
    >>> points = pd.DataFrame({"system": ["HC", "FF"], "k": [12, 12], "precision": [0.5, 0.4], "recall": [0.2, 0.3]})
    >>> precision_against_recall(points).get_ylabel()
    'Precision'
    """
    columns = ["system", "precision", "recall", *([size] if size else [])]
    require(points, columns, "points")
    if printed is not None:
        require(printed, columns, "printed")
    styles = system_styles(pd.concat([points["system"], *([printed["system"]] if printed is not None else [])]))
    largest = float(np.nanmax(floats(points[size]))) if size else 1.0
    own = ax is None
    with new_axes(ax, height=2.9) as ax:
        if log:
            ax.set(xscale="log", yscale="log")
        missing = _scatter(ax, points, size, largest, styles, log, hollow=False)
        if printed is not None:
            missing += [f"{name} (printed)" for name in _scatter(ax, printed, size, largest, styles, log, hollow=True)]
            _tie(ax, points, printed, size, styles, log)
        ax.set(xlabel=labels[0], ylabel=labels[1])
        _limits(ax, log)
        if missing:
            shown = ", ".join(missing[:3]) + (f" and {len(missing) - 3} more" if len(missing) > 3 else "")
            note(ax, f"not drawn: {shown}")
        if legend:
            legend_below(ax, _handles(points, printed, size, largest, styles), grow=own)
    return ax


def _written(size: str) -> str:
    return "K" if size == "k" else size


def _areas(table: pd.DataFrame, size: str | None, largest: float) -> Any:
    if size is None:
        return np.full(len(table), 30.0)
    return np.maximum(floats(table[size]) / largest * LARGEST, SMALLEST)


def _drawable(table: pd.DataFrame, log: bool) -> Any:
    recall, precision = floats(table["recall"]), floats(table["precision"])
    sound = np.isfinite(recall) & np.isfinite(precision)
    return sound & (recall > 0) & (precision > 0) if log else sound


def _scatter(
    ax: Axes, table: pd.DataFrame, size: str | None, largest: float, styles: dict, log: bool, hollow: bool
) -> list[str]:
    """Draw the rows, large points first so that small ones are on top; return the names of those not drawn."""
    drawable = _drawable(table, log)
    areas = _areas(table, size, largest)
    recall, precision = floats(table["recall"]), floats(table["precision"])
    names = [str(system) for system in table["system"]]
    for row in sorted(np.flatnonzero(drawable), key=lambda row: -areas[row]):
        style = styles[names[row]]
        if not hollow:
            errors: dict[str, Any] = {}
            for axis, middle in (("recall", recall), ("precision", precision)):
                if {f"{axis}_lower", f"{axis}_upper"} <= set(table.columns):
                    ends = floats(table.iloc[[row]][f"{axis}_lower"]), floats(table.iloc[[row]][f"{axis}_upper"])
                    if np.isfinite(ends).all():
                        key = "xerr" if axis == "recall" else "yerr"
                        errors[key] = np.abs([ends[0] - middle[row], ends[1] - middle[row]])
            if errors:
                ax.errorbar(
                    recall[row], precision[row], fmt="none", ecolor=style.color, elinewidth=0.8, alpha=0.8, zorder=2,
                    **errors,
                )  # fmt: skip
        ax.scatter(
            recall[row],
            precision[row],
            s=areas[row],
            marker=style.marker,
            facecolor="none" if hollow else style.color,
            edgecolor=style.color if hollow else "white",
            linewidth=0.9 if hollow else 0.6,
            alpha=0.9,
            zorder=4 if hollow else 3,
            clip_on=False,
        )
    return [
        names[row] + (f" ({_written(size)} = {table[size].iloc[row]})" if size else "")
        for row in np.flatnonzero(~drawable)
    ]


def _tie(ax: Axes, points: pd.DataFrame, printed: pd.DataFrame, size: str | None, styles: dict, log: bool) -> None:
    keys = ["system", *([size] if size else [])]
    left = points[_drawable(points, log)].astype({"system": "str"})
    right = printed[_drawable(printed, log)].astype({"system": "str"})
    both = left.merge(right[[*keys, "recall", "precision"]], on=keys, suffixes=("", "_printed"))
    for system, *ends in zip(
        both["system"],
        *(floats(both[name]) for name in ("recall", "recall_printed", "precision", "precision_printed")),
        strict=True,
    ):
        ax.plot(ends[:2], ends[2:], color=styles[system].color, linewidth=0.6, alpha=0.5, zorder=1)


def _limits(ax: Axes, log: bool) -> None:
    if log:
        ax.margins(0.09)
        return
    ax.margins(0.07)
    ax.autoscale_view()
    for limits, change in ((ax.dataLim.intervalx, ax.set_xlim), (ax.dataLim.intervaly, ax.set_ylim)):
        low, high = limits
        if np.isfinite(limits).all() and 0 <= low <= 0.7 * high:
            change(0, 1.07 * high if high > 0 else 1)


def _handles(
    points: pd.DataFrame, printed: pd.DataFrame | None, size: str | None, largest: float, styles: dict
) -> list[Line2D]:
    handles = [handle(style, name) for name, style in styles.items()]
    if size:
        values = np.unique(floats(points[size])[np.isfinite(floats(points[size]))])
        if len(values) > 3:
            values = values[[0, len(values) // 2, -1]]
        for value in values:
            area = max(value / largest * LARGEST, SMALLEST)
            label = f"{_written(size)} = {value:g}"
            handles.append(
                Line2D([], [], color="#8A8A8A", marker="o", linestyle="none", markersize=area**0.5, label=label)
            )
    if printed is not None:
        for label, fill in (("recomputed", "#404040"), ("printed", "none")):
            handles.append(
                Line2D(
                    [],
                    [],
                    color="#404040",
                    marker="o",
                    linestyle="none",
                    markerfacecolor=fill,
                    markersize=5,
                    label=label,
                )
            )
    return handles
