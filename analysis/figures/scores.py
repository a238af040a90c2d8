"""Scores of systems, or their differences from a baseline, with intervals."""

from functools import partial

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from analysis.figures.style import (
    COLUMN_WIDTH,
    GREY,
    floats,
    handle,
    in_lines,
    legend_below,
    new_axes,
    note,
    require,
    small_multiples,
    system_styles,
    use_style,
)

_LEAST = 2.0  # inches of a panel
_WIDEST = 32  # letters of a line below a panel
_WIDEST_NAME = 26  # of a line beside it

COLUMNS = ("system", "measure", "value", "lower", "upper")


def score_intervals(
    table: pd.DataFrame, *, ax: Axes | None = None, baseline: str | None = None, legend: bool = True, xlabel: str = ""
) -> Axes:
    """Draw one line per measure with a point and an interval per system.

    Parameters
    ----------
    table : DataFrame
        ``system``, ``measure``, ``value``, ``lower``, ``upper``, one row per point; optionally ``corrected``, the value
        without its bias, drawn as a stroke across the interval. A missing interval is not drawn; a missing value is
        named above the plot.
    ax : Axes, optional
    baseline : str, optional
        The values are differences from this system: a line marks 0.
    legend : bool
    xlabel : str

    Returns
    -------
    Axes

    Raises
    ------
    ValueError
        If a column is missing or there is no row.

    Examples
    --------
    >>> table = pd.DataFrame({"system": ["a", "b"], "measure": "V", "value": [0.5, 0.6], "lower": [0.4, 0.5],
    ...                       "upper": [0.6, 0.7]})
    >>> [label.get_text() for label in score_intervals(table).get_yticklabels()]
    ['V']
    """
    require(table, COLUMNS, "scores")
    systems, measures = (list(dict.fromkeys(table[name].astype("str"))) for name in ("system", "measure"))
    styles = system_styles(systems)
    own = ax is None
    with new_axes(ax, height=_height(table)) as ax:
        if baseline is not None:
            ax.axvline(0, color=GREY, linewidth=0.8, zorder=1)
        for row, style in zip(table.itertuples(), (styles[str(name)] for name in table["system"]), strict=True):
            place = measures.index(str(row.measure)) + _shift(systems.index(str(row.system)), len(systems))
            value, low, high = floats(pd.Series([row.value, row.lower, row.upper], dtype="Float64"))
            if np.isfinite([low, high]).all():
                ax.hlines(place, low, high, color=style.color, linewidth=1.2, zorder=2)
            ax.plot(value, place, marker=style.marker, color=style.color, markersize=4.5, zorder=3, clip_on=False)
            corrected = getattr(row, "corrected", pd.NA)
            if not pd.isna(corrected):
                ax.plot(corrected, place, "|", color=style.color, markersize=7, zorder=3)
        ax.set_yticks(range(len(measures)), [in_lines(name, _WIDEST_NAME) for name in measures])
        ax.set_ylim(len(measures) - 0.5, -0.5)
        ax.tick_params(axis="y", length=0)
        ax.grid(False, axis="y")
        ax.xaxis.set_major_locator(MaxNLocator(4))
        ax.set_xlabel(xlabel or ("Value" if baseline is None else in_lines(f"Difference from {baseline}", _WIDEST)))
        missing = table[pd.isna(table["value"])]
        if len(missing):
            note(ax, "not drawn: " + ", ".join(f"{row.system}, {row.measure}" for row in missing.itertuples()))
        if legend:
            legend_below(ax, [handle(styles[name], name) for name in systems], grow=own)
    return ax


def score_figure(table: pd.DataFrame, *, baseline: str | None = None) -> Figure:
    """Draw `score_intervals` for each unit in a panel of its own: a proportion and bits share no axis.

    Parameters
    ----------
    table : DataFrame
        The columns of `score_intervals`, and ``unit``.
    baseline : str, optional

    Returns
    -------
    Figure

    Examples
    --------
    >>> table = pd.DataFrame({"system": "a", "measure": ["V", "VI"], "value": [0.5, 3.0], "lower": [0.4, 2.9],
    ...                       "upper": [0.6, 3.1], "unit": ["proportion", "bits"]})
    >>> [ax.get_xlabel() for ax in score_figure(table).axes]
    ['proportion', 'bits']
    """
    require(table, [*COLUMNS, "unit"], "scores")
    units = list(dict.fromkeys(table["unit"].astype("str")))
    said = "" if baseline is None else in_lines(f"difference from {baseline}", _WIDEST)
    labels = [f"{said}\n({unit})" if said else unit for unit in units]
    parts = [table[table["unit"] == unit] for unit in units]
    if len(parts) == 1:
        figure = score_intervals(parts[0], baseline=baseline, xlabel=labels[0]).get_figure(root=True)
        assert figure is not None
        return figure
    panels = [
        ("", partial(score_intervals, part, baseline=baseline, legend=False, xlabel=label))
        for part, label in zip(parts, labels, strict=True)
    ]
    heights = [max(_LEAST, _height(part)) for part in parts]
    figure = small_multiples(panels, columns=1, height=sum(heights), width=COLUMN_WIDTH, heights=heights)
    names = list(dict.fromkeys(table["system"].astype("str")))
    with use_style():
        entries = [handle(style, name) for name, style in system_styles(names).items()]
        legend_below(figure.axes[-1], entries, grow=True)
    return figure


def _height(table: pd.DataFrame) -> float:
    """Height in inches: more for more measures, systems, and lines of a name."""
    names = list(dict.fromkeys(table["measure"].astype("str")))
    lines = max((len(in_lines(name, _WIDEST_NAME).splitlines()) for name in names), default=1)
    return 0.8 + len(names) * max(0.12 + 0.09 * table["system"].nunique(), 0.15 * lines)


def _shift(number: int, of: int) -> float:
    """Where a system stands round the line of its measure."""
    return 0.7 * ((number + 0.5) / of - 0.5)
