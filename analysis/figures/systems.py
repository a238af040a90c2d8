"""One line a system: a number against another, and ranks by several measures."""

from collections.abc import Iterable, Sequence

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from analysis.figures.style import floats, handle, new_axes, require, system_styles


def system_lines(
    table: pd.DataFrame,
    *,
    x: str,
    y: str = "value",
    series: str = "system",
    ax: Axes | None = None,
    joined: bool = True,
    ends: bool = False,
    log: bool = False,
    systems: Iterable[str] | None = None,
    limits: tuple[float | None, float | None] = (None, None),
    labels: tuple[str, str] | None = None,
) -> Axes:
    """One number against another, a line (or points) a system, in the order of the table.

    Parameters
    ----------
    table : DataFrame
        The columns named.
    x, y, series : str
        Names of columns; ``series`` tells the lines apart.
    ax : Axes, optional
    joined : bool
        Whether the points of a system are joined.
    ends : bool
        Whether the last point of each system has a ring. Later lines are then thinner, so that one that lies on another
        does not hide it.
    log : bool
        Logarithmic ``x``.
    systems : iterable of str, optional
        Which share out the looks, so that panels with other systems agree; by default those of the table.
    limits : (float or None, float or None)
        Of ``y``.
    labels : pair of str, optional
        Of the two axes; by default the columns' names.

    Examples
    --------
    >>> table = pd.DataFrame({"system": ["A", "A", "B"], "length": [1, 2, 1], "value": [0.5, 0.4, 0.1]})
    >>> len(system_lines(table, x="length").lines)
    2
    """
    require(table, [series, x, y], "table")
    styles = system_styles(table[series] if systems is None else systems)
    styles = {name: style for name, style in styles.items() if name in set(table[series].astype("str"))}
    with new_axes(ax) as ax:
        for place, (name, style) in enumerate(styles.items()):
            rows = table[table[series].astype("str") == name]
            across, up = floats(rows[x]), floats(rows[y])
            ax.plot(across, up, color=style.color, marker=style.marker, linestyle=style.linestyle if joined else "none",
                    markersize=6 - place if ends else 3.5, linewidth=2.8 - 0.7 * place if ends else 1.2)  # fmt: skip
            if ends:
                ax.plot(across[-1:], up[-1:], marker="o", markersize=9, fillstyle="none", color=style.color,
                        linestyle="none")  # fmt: skip
        if log:
            lowest, highest = floats(table[x]).min() / 1.4, floats(table[x]).max() * 1.4
            ticks = [tick for tick in (1, 3, 10, 30, 100, 300, 1000, 3000) if lowest <= tick <= highest]
            ax.set_xscale("log")
            ax.set_xlim(lowest, highest)
            ax.set_xticks(ticks, [str(tick) for tick in ticks])
            ax.minorticks_off()
        across_label, up_label = labels or (x, y)
        ax.set(xlabel=across_label, ylabel=up_label, ylim=limits)
        ax.legend(handles=[handle(style, name, line=joined) for name, style in styles.items()])
    return ax


def rank_lines(
    table: pd.DataFrame,
    measures: Sequence[str],
    *,
    ax: Axes | None = None,
    marked: str | None = None,
    lower_is_better: Sequence[str] = (),
) -> Axes:
    """Rank of each system by each measure, 1 at the top; lines that cross are measures that disagree.

    Parameters
    ----------
    table : DataFrame
        ``measure``, ``system``, ``rank``: what `analysis.statistics.rank_systems` gives.
    measures : sequence of str
        From left to right.
    ax : Axes, optional
    marked : str, optional
        A system to draw strongly; all others are then pale.
    lower_is_better : sequence of str
        Measures that are labelled so.

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
                    ax.annotate(", ".join(same["system"]), at, ha=align, va="center", fontsize=7)
        names = [f"{name}\n(less is better)" if name in lower_is_better else name for name in measures]
        ax.set_xticks(range(len(measures)), names)
        ax.set_xlim(-0.75, len(measures) - 0.25)
        ax.set_ylim(float(np.nanmax(floats(table["rank"]))) + 0.6, 0.4)
        ax.set_yticks([])
        ax.tick_params(length=0)
        ax.spines[["left", "bottom"]].set_visible(False)
        ax.grid(False)
    return ax
