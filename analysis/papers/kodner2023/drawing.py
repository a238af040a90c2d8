"""The kinds of plot of this paper: learning curves, stacked error types, coefficients with their intervals."""

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from analysis.figures.style import BLUE, GREY, VERMILLION, floats, legend_below, new_axes, require, system_styles


def learning_curves(
    means: pd.DataFrame, runs: pd.DataFrame | None = None, *, ax: Axes | None = None, legend: bool = True
) -> Axes:
    """Accuracy against training size, one colour a model: thin lines are seeds, thick lines their mean.

    Parameters
    ----------
    means : DataFrame
        ``model``, ``size``, ``value`` (percent) and, if wished, ``lower``, ``upper``, drawn as a band.
    runs : DataFrame, optional
        ``model``, ``size``, ``seed``, ``accuracy``.
    ax : Axes, optional
    legend : bool

    Returns
    -------
    Axes

    Examples
    --------
    >>> table = pd.DataFrame({"model": "NONNEUR", "size": [100, 200], "value": [60.0, 70.0]})
    >>> len(learning_curves(table).lines)
    1
    """
    require(means, ["model", "size", "value"], "means")
    styles = system_styles(means["model"])
    with new_axes(ax) as ax:
        if runs is not None:
            for (model, _), seed in runs.groupby(["model", "seed"], sort=False):
                if str(model) in styles:
                    style = styles[str(model)]
                    ax.plot(seed["size"], seed["accuracy"], color=style.color, linewidth=0.5, alpha=0.5, zorder=2)
        for model, curve in means.groupby("model", sort=False):
            style = styles[str(model)]
            look = {"color": style.color, "linestyle": style.linestyle, "marker": style.marker, "markersize": 3}
            ax.plot(curve["size"], curve["value"], linewidth=1.8, zorder=3, **look)
            if {"lower", "upper"} <= set(curve.columns):
                low, high = floats(curve["lower"]), floats(curve["upper"])
                ax.fill_between(curve["size"], low, high, color=style.color, alpha=0.15, linewidth=0)
        ax.set_xlabel("Training items")
        ax.set_ylabel("Accuracy (%)")
        ax.set_ylim(bottom=0)
        if legend:
            marks = [
                Line2D([], [], color=s.color, linestyle=s.linestyle, marker=s.marker, markersize=3, label=name)
                for name, s in styles.items()
            ]
            legend_below(ax, marks)
    return ax


def stacked_errors(
    errors: pd.DataFrame, *, x: str = "size", value: str = "errors", ax: Axes | None = None, legend: bool = True
) -> Axes:
    """Numbers or shares of errors stacked by type, one bar a value of ``x``.

    Parameters
    ----------
    errors : DataFrame
        ``x``, ``type`` (in stacking order) and ``value``.
    x : str
        Such as ``"size"`` or ``"model"``.
    value : {"errors", "share"}
    ax : Axes, optional
    legend : bool

    Returns
    -------
    Axes

    Examples
    --------
    >>> table = pd.DataFrame({"size": [100, 100], "type": ["-e", "?"], "errors": [3, 1]})
    >>> [float(bar.get_height()) for bar in stacked_errors(table).patches]
    [3.0, 1.0]
    """
    require(errors, [x, "type", value], "errors")
    types = list(dict.fromkeys(errors["type"].astype("str")))
    styles = system_styles(types)
    places = list(dict.fromkeys(errors[x].astype("str")))
    with new_axes(ax) as ax:
        bottom = np.zeros(len(places))
        for name in types:
            rows = errors[errors["type"].astype("str") == name]
            heights = pd.Series(floats(rows[value]), index=rows[x].astype("str")).reindex(places).fillna(0).to_numpy()
            style = styles[name]
            ax.bar(
                range(len(places)), heights, 0.75, bottom, color=style.color, hatch=style.hatch, edgecolor="white",
                linewidth=0.4,
            )  # fmt: skip
            bottom += heights
        ax.set_xticks(
            range(len(places)), [place.replace(" (", "\n(").replace("suffix", "\nsuffix") for place in places]
        )
        ax.tick_params(axis="x", length=0)
        ax.grid(False, axis="x")
        ax.set_xlabel({"size": "Training items", "model": ""}.get(x, x))
        ax.set_ylabel({"errors": "Wrong predictions", "share": "Share of wrong predictions"}.get(value, value))
        if legend:
            legend_below(
                ax,
                [Patch(facecolor=s.color, hatch=s.hatch, edgecolor="white", label=name) for name, s in styles.items()],
            )
    return ax


def coefficients(table: pd.DataFrame, *, ax: Axes | None = None, scale: float = 1.0, xlabel: str = "Estimate") -> Axes:
    """Coefficients with their intervals, one line a term; a term without an estimate is marked as such.

    Parameters
    ----------
    table : DataFrame
        ``term``, ``estimate``, ``lower``, ``upper``, ``note``.
    ax : Axes, optional
    scale : float
        Factor of all values, such as 100 to read slopes for 100 items.
    xlabel : str

    Returns
    -------
    Axes

    Examples
    --------
    >>> table = pd.DataFrame({"term": ["size"], "estimate": [0.02], "lower": [0.01], "upper": [0.03], "note": [""]})
    >>> [label.get_text() for label in coefficients(table).get_yticklabels()]
    ['size']
    """
    require(table, ["term", "estimate", "lower", "upper", "note"], "coefficients")
    middle, low, high = (scale * floats(table[name]) for name in ("estimate", "lower", "upper"))
    places = np.arange(len(table))
    with new_axes(ax, height=0.7 + 0.17 * len(table)) as ax:
        ax.axvline(0, color=GREY, linewidth=0.8, zorder=1)
        sure = (low > 0) | (high < 0)
        for chosen, colour, label in ((sure, VERMILLION, "interval without 0"), (~sure, BLUE, "interval with 0")):
            if chosen.any():
                ax.hlines(places[chosen], low[chosen], high[chosen], color=colour, linewidth=1.2, zorder=2, label=label)
                ax.plot(middle[chosen], places[chosen], "o", color=colour, markersize=3.5, zorder=3)
        for place in places[np.isnan(middle)]:
            ax.text(0, place, " " + str(table["note"].iloc[place]).split(":")[0], fontsize=7, va="center", color=GREY)
        ax.set_yticks(places, table["term"].astype("str"))
        ax.set_ylim(len(table) - 0.5, -0.5)
        ax.tick_params(axis="y", length=0)
        ax.grid(False, axis="y")
        ax.set_xlabel(xlabel)
    return ax
