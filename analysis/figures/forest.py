"""Forest plot: estimates with their intervals, one line each."""

import re

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from analysis.figures.style import BLUE, GREY, VERMILLION, floats, new_axes, require, small


def readable_term(term: str) -> str:
    """A term of a regression in words: the levels of its factors, joined by a sign of multiplication.

    Parameters
    ----------
    term : str

    Returns
    -------
    str

    Examples
    --------
    >>> readable_term("language[English]:size:strategy[WEIGHTED]")
    'English × size × WEIGHTED'
    """
    return re.sub(r"\w+\[(?:T\.|S\.)?([^\]]*)\]", r"\1", term).replace(":", " × ")


def forest_plot(table: pd.DataFrame, *, ax: Axes | None = None, scale: float = 1.0, xlabel: str = "Estimate") -> Axes:
    """Draw coefficients with their intervals, one line per term; a term without an estimate is marked.

    Parameters
    ----------
    table : DataFrame
        ``term``, ``estimate``, ``lower``, ``upper``, ``note``.
    ax : Axes, optional
    scale : float
        Factor by which all values are multiplied, such as 100 to show slopes per 100 items.
    xlabel : str

    Returns
    -------
    Axes

    Examples
    --------
    >>> table = pd.DataFrame({"term": ["size"], "estimate": [0.02], "lower": [0.01], "upper": [0.03], "note": [""]})
    >>> [label.get_text() for label in forest_plot(table).get_yticklabels()]
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
            ax.text(
                0, place, " " + str(table["note"].iloc[place]).split(":")[0], fontsize=small(), va="center", color=GREY
            )
        ax.set_yticks(places, [readable_term(str(term)) for term in table["term"]])
        ax.set_ylim(len(table) - 0.5, -0.5)
        ax.tick_params(axis="y", length=0)
        ax.grid(False, axis="y")
        ax.set_xlabel(xlabel)
    return ax
