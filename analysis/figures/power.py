"""Power of a test against the number of units."""

import pandas as pd
from matplotlib.axes import Axes

from analysis.figures.style import GREY, floats, handle, new_axes, require, system_styles


def power_curve(
    table: pd.DataFrame,
    *,
    series: str = "difference",
    ax: Axes | None = None,
    goal: float | None = 0.8,
    legend: bool = True,
    labels: tuple[str, str] = ("", "power"),
) -> Axes:
    """Draw power against the number of units, one line per difference or measure, with the interval of the simulation.

    Parameters
    ----------
    table : DataFrame
        ``n``, ``power``, ``lower``, ``upper``, ``unit``, and the column of the series: tables of
        `analysis.statistics.power.power_of_difference`, one below the other.
    series : str
        Column whose values are lines.
    ax : Axes, optional
    goal : float, optional
        Power that is marked by a dotted line; None for no line.
    legend : bool
    labels : pair of str
        Labels of the two axes; by default the unit of the table and "power".

    Returns
    -------
    Axes

    Raises
    ------
    ValueError
        If a column is missing or there is no row.

    Examples
    --------
    >>> table = pd.DataFrame({"n": [100, 200], "power": [0.5, 0.9], "lower": [0.4, 0.8], "upper": [0.6, 1.0],
    ...                       "unit": "sentence", "difference": 0.01})
    >>> ax = power_curve(table)
    >>> ax.get_xlabel(), ax.lines[0].get_ydata().tolist()
    ('sentences', [0.5, 0.9])
    """
    require(table, ["n", "power", "lower", "upper", "unit", series], "table")
    names = table[series].map(lambda name: f"{name:g}" if isinstance(name, float) else str(name))
    styles = system_styles(names)
    with new_axes(ax) as ax:
        for name, style in styles.items():
            part = table[names == name].sort_values("n")
            across, up, low, high = (floats(part[column]) for column in ("n", "power", "lower", "upper"))
            ax.plot(across, up, color=style.color, linestyle=style.linestyle, marker=style.marker, markersize=3.5,
                    linewidth=1.2, label=name)  # fmt: skip
            ax.fill_between(across, low, high, color=style.color, alpha=0.2, linewidth=0)
        if goal is not None:
            ax.axhline(goal, color=GREY, linewidth=0.8, linestyle=(0, (1, 2)))
        ax.set_xscale("log")
        ax.set_ylim(0, 1.02)
        ax.set(xlabel=labels[0] or f"{table['unit'].iloc[0]}s", ylabel=labels[1])
        if legend:
            ax.legend(handles=[handle(style, name, line=True) for name, style in styles.items()], title=series)
    return ax
