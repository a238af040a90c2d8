"""Sizes and frequencies against rank, and ranks by several measures."""

from collections.abc import Sequence

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from analysis.figures.style import floats, handle, legend_below, new_axes, note, require, small, system_styles


def ranked_sizes(
    sizes: pd.DataFrame,
    *,
    ax: Axes | None = None,
    log: bool = True,
    legend: bool = True,
    labels: tuple[str, str] = ("Rank of the cluster", "Size of the cluster"),
) -> Axes:
    """Draw cluster sizes against rank, one line per system (Frank et al. 2009, Figure 2).

    Parameters
    ----------
    sizes : DataFrame
        Columns ``system``, ``rank`` (from 1) and ``size``; drawn in order of rank.
    ax : Axes, optional
    log : bool
        Whether the axis of sizes is logarithmic; clusters of size 0 are then not drawn, and a note above the plot
        counts them.
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
    >>> sizes = pd.DataFrame({"system": ["HC", "HC", "FF"], "rank": [1, 2, 1], "size": [90, 4, 40]})
    >>> len(ranked_sizes(sizes).lines)
    2
    """
    require(sizes, ["system", "rank", "size"], "sizes")
    own = ax is None
    with new_axes(ax) as ax:
        styles = _lines(ax, sizes, "system", "rank", "size", log_x=False, log_y=log)
        ax.set(xlabel=labels[0], ylabel=labels[1])
        ranks = floats(sizes["rank"])
        ax.set_xlim(0, float(np.nanmax(ranks)) * 1.03 + 0.5)
        if not log:
            ax.set_ylim(bottom=0)
        if legend:
            legend_below(ax, [handle(style, name, line=True) for name, style in styles.items()], grow=own)
    return ax


def frequency_rank(
    counts: pd.DataFrame,
    *,
    series: str = "corpus",
    ax: Axes | None = None,
    legend: bool = True,
    labels: tuple[str, str] = ("Rank", "Frequency"),
) -> Axes:
    """Draw frequency against rank on logarithmic axes, one line per series.

    Parameters
    ----------
    counts : DataFrame
        Columns ``rank`` (from 1) and ``frequency`` and, if there are several lines, the one named by ``series``.
    series : str
        Column that identifies the lines; without it there is one line.
    ax : Axes, optional
    legend : bool
        Whether to put a legend under the axes, if there are several lines.
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
    >>> frequency_rank(pd.DataFrame({"rank": [1, 2, 3], "frequency": [90, 40, 31]})).get_xscale()
    'log'
    """
    require(counts, ["rank", "frequency"], "counts")
    several = series in counts.columns
    table = counts if several else counts.assign(**{series: ""})
    own = ax is None
    with new_axes(ax) as ax:
        styles = _lines(ax, table, series, "rank", "frequency", log_x=True, log_y=True)
        ax.set(xlabel=labels[0], ylabel=labels[1])
        if legend and several:
            legend_below(ax, [handle(style, name, line=True) for name, style in styles.items()], grow=own)
    return ax


def _lines(ax: Axes, table: pd.DataFrame, series: str, x: str, y: str, *, log_x: bool, log_y: bool) -> dict:
    styles = system_styles(table[series])
    if log_x:
        ax.set_xscale("log")
    if log_y:
        ax.set_yscale("log")
    names = table[series].astype("str")
    missing = 0
    for name, style in styles.items():
        rows = table[names == name].sort_values(x, kind="stable")
        across, up = floats(rows[x]), floats(rows[y])
        sound = np.isfinite(across) & np.isfinite(up)
        if log_y:
            sound &= up > 0
        if log_x:
            sound &= across > 0
        missing += int((~sound).sum())
        ax.plot(
            across[sound], up[sound], label=name, color=style.color, linestyle=style.linestyle, marker=style.marker,
            markersize=3.5, markevery=0.09 if len(rows) > 8 else 1, markeredgecolor="white", markeredgewidth=0.4,
        )  # fmt: skip
    if missing:
        note(ax, f"not drawn: {missing:,} row{'s' if missing > 1 else ''} of size 0 or without a value")
    return styles


def rank_lines(
    table: pd.DataFrame,
    measures: Sequence[str],
    *,
    ax: Axes | None = None,
    marked: str | None = None,
    lower_is_better: Sequence[str] = (),
) -> Axes:
    """Draw the rank of each system by each measure, 1 at the top; crossing lines show disagreement.

    Parameters
    ----------
    table : DataFrame
        ``measure``, ``system``, ``rank``: the result of `analysis.statistics.rank_systems`.
    measures : sequence of str
        Measures from left to right.
    ax : Axes, optional
    marked : str, optional
        A system to highlight; all others are then pale.
    lower_is_better : sequence of str
        Measures labelled as such.

    Returns
    -------
    Axes

    Examples
    --------
    >>> table = pd.DataFrame({"measure": ["V", "V", "VI", "VI"], "system": ["A", "B"] * 2, "rank": [1, 2, 2, 1]})
    >>> len(rank_lines(table, ["V", "VI"], lower_is_better=["VI"]).lines)
    2
    """
    require(table, ["measure", "system", "rank"], "table")
    place = {name: x for x, name in enumerate(measures)}
    table = table[table["measure"].isin(measures)]
    table = table.sort_values("measure", key=lambda names: names.map(place), kind="stable")
    with new_axes(ax) as ax:
        for name, style in system_styles(table["system"]).items():
            rows = table[table["system"] == name]
            across, up = rows["measure"].map(place).to_numpy(dtype=float), floats(rows["rank"])
            ax.plot(across, up, color=style.color, marker=style.marker, linestyle=style.linestyle, markersize=5,
                    alpha=1 if marked in (None, name) else 0.25, linewidth=2.2 if name == marked else 1.3)  # fmt: skip
            for shift, end, align in ((-0.09, 0, "right"), (0.09, -1, "left")):
                same = table[table["measure"].eq(rows["measure"].iloc[end]) & table["rank"].eq(rows["rank"].iloc[end])]
                if same["system"].iloc[0] == name:  # systems that share a rank are named together
                    at = (across[end] + shift, up[end])
                    ax.annotate(", ".join(same["system"]), at, ha=align, va="center", fontsize=small())
        names = [f"{name}\n(less is better)" if name in lower_is_better else name for name in measures]
        ax.set_xticks(range(len(measures)), names)
        ax.set_xlim(-0.75, len(measures) - 0.25)
        ax.set_ylim(float(np.nanmax(floats(table["rank"]))) + 0.6, 0.4)
        ax.set_yticks([])
        ax.tick_params(length=0)
        ax.spines[["left", "bottom"]].set_visible(False)
        ax.grid(False)
    return ax
