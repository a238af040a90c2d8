"""Learning curves: a measure against the size of the training set."""

from collections.abc import Iterable

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.lines import Line2D

from analysis.figures.style import floats, legend_below, new_axes, require, system_styles


def learning_curves(
    means: pd.DataFrame,
    runs: pd.DataFrame | None = None,
    *,
    systems: Iterable[str] | None = None,
    ax: Axes | None = None,
    legend: bool = True,
) -> Axes:
    """Draw accuracy against training size, one colour per model: thin lines are seeds, thick lines their mean.

    Parameters
    ----------
    means : DataFrame
        ``model``, ``size``, ``value`` (percent) and optionally ``lower``, ``upper``, drawn as a band.
    runs : DataFrame, optional
        ``model``, ``size``, ``seed``, ``accuracy``.
    systems : iterable of str, optional
        The models of all panels of a figure, so that each has one style in all; by default those of ``means``.
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
    models = set(means["model"].astype("str"))
    styles = system_styles(means["model"] if systems is None else systems)
    styles = {name: style for name, style in styles.items() if name in models}
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
        ax.set(xlabel="Training items", ylabel="Accuracy (%)")
        ax.set_ylim(bottom=0)
        if legend:
            marks = [
                Line2D([], [], color=s.color, linestyle=s.linestyle, marker=s.marker, markersize=3, label=name)
                for name, s in styles.items()
            ]
            legend_below(ax, marks)
    return ax
