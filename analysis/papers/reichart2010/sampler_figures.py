"""Figures of the systems that go over the text again and again; each draws a table of `samplers`."""

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from analysis.figures import heatmap, share_legend, system_styles, use_style
from analysis.figures.style import BLUE, GREY, PAGE_WIDTH, floats, handle, require
from analysis.papers.reichart2010.samplers import priors, samples, stored_samples, traces
from analysis.papers.reichart2010.setting import Setting, generated, make_setting


def trace_panel(table: pd.DataFrame, column: str, *, ax: Axes, markers: bool = False, legend: bool = True) -> Axes:
    """One number against the sweep, one line a system.

    Parameters
    ----------
    table : DataFrame
        ``system``, ``sweep`` and the column.
    column : str
    ax : Axes
    markers : bool
        Whether to mark each row.
    legend : bool
    """
    require(table, ["system", "sweep", column], "table")
    styles = system_styles(table["system"])
    for name, part in table.groupby("system", sort=False):
        style = styles[str(name)]
        ax.plot(
            part["sweep"], floats(part[column]), color=style.color, linestyle=style.linestyle, linewidth=1.2,
            marker=style.marker if markers else None, markersize=3.5, label=str(name),
        )  # fmt: skip
    ax.set_xscale("log")
    ax.set_xlabel("Sweep (GJ08 VB: pass)")
    if legend:
        ax.legend(handles=[handle(style, name, line=True) for name, style in styles.items()])
    return ax


def traces_figure(setting: Setting | None = None, **choices: object) -> Figure:
    """Log probability (of variational Bayes, its lower bound) after each sweep, and clusters after some of them."""
    chosen = make_setting(setting, choices)
    with use_style():
        figure = Figure(figsize=(PAGE_WIDTH, 3.0), layout="constrained")
        left, right = figure.subplots(1, 2)
        table = traces(chosen)
        trace_panel(table.assign(objective=table["objective"] / 1000), "objective", ax=left)
        left.set_ylabel("Thousand nats")
        left.set_title("Log probability")
        trace_panel(samples(chosen), "clusters", ax=right, markers=True)
        right.set_ylim(bottom=0)
        right.set_ylabel("Clusters with a token")
        right.set_title("Number of clusters")
        share_legend(figure)
    return figure


def stored_samples_figure(table: pd.DataFrame | None = None) -> Figure:
    """The stored long runs: number of clusters, and V, against the sweep, one column a corpus.

    Parameters
    ----------
    table : DataFrame, optional
        What `analysis.papers.reichart2010.stored_samples` gives.
    """
    table = stored_samples() if table is None else table
    corpora = list(dict.fromkeys(table["corpus"]))
    with use_style():
        figure = Figure(figsize=(PAGE_WIDTH, 4.2), layout="constrained")
        grid = figure.subplots(2, len(corpora), sharex=True, sharey="row", squeeze=False)
        for corpus, (above, below) in zip(corpora, grid.T, strict=True):
            part = table[table["corpus"] == corpus]
            trace_panel(part, "clusters", ax=above, markers=True)
            trace_panel(part, "V", ax=below, markers=True)
            above.set_title(f"{corpus} (generated)" if generated(corpus) else corpus)
            above.set_xlabel("")
        grid[0, 0].set_ylabel("Clusters with a token")
        grid[1, 0].set_ylabel("V (tokens)")
        grid[0, 0].set_ylim(bottom=0)
        share_legend(figure)
    return figure


def priors_figure(setting: Setting | None = None, *, system: str = "GJ08", **choices: object) -> Figure:
    """Token and type scores of GJ08 at every pair of priors, and the clusters that are left."""
    table = priors(make_setting(setting, choices), system=system)
    panels = {"V": "tokens: V", "MicroI 1-1": "types: MicroI 1-1", "clusters": "clusters"}
    table = table.assign(a=table["transition_prior"].map("{:g}".format), b=table["emission_prior"].map("{:g}".format))
    with use_style():
        figure = Figure(figsize=(PAGE_WIDTH, 2.6), layout="constrained")
        for ax, (column, title) in zip(figure.subplots(1, 3, sharey=True), panels.items(), strict=True):
            heatmap(table, row="a", column="b", value=column, ax=ax, bar=False)
            ax.set_title(f"{system}, {title}")
            ax.set_xlabel("Emission prior b")
            ax.set_ylabel("Transition prior a")
            ax.label_outer()
    return figure


def sample_panel(table: pd.DataFrame, sweep: int, *, ax: Axes, measures: tuple[str, ...] = ("V", "MicroI 1-1")) -> Axes:
    """Scores of one system against the sweep, with one sweep marked.

    Parameters
    ----------
    table : DataFrame
        Rows of `samples` of one system.
    sweep : int
    ax : Axes
    measures : tuple of str
    """
    require(table, ["sweep", *measures], "table")
    for measure, line, marker in zip(measures, ("-", "--", ":"), ("o", "s", "^"), strict=False):
        ax.plot(table["sweep"], table[measure], linestyle=line, marker=marker, markersize=3.5, label=measure)
    ax.axvline(sweep, color=GREY, linewidth=1)
    ax.set_xscale("log")
    ax.set_ylim(0, 1)
    ax.set_xlabel("Sweep")
    ax.set_ylabel("Score")
    ax.legend()
    return ax


def sizes_panel(table: pd.DataFrame, *, ax: Axes) -> Axes:
    """The largest clusters, their size in tokens and their most frequent words.

    Parameters
    ----------
    table : DataFrame
        What `analysis.papers.reichart2010.cluster_words` returned.
    ax : Axes
    """
    require(table, ["cluster", "tokens", "words", "gold", "share"], "table")
    places = -np.arange(len(table))
    ax.barh(places, table["tokens"] * table["share"] / 100, color=BLUE)
    rest = table["tokens"] * (1 - table["share"] / 100)
    ax.barh(places, rest, left=table["tokens"] - rest, color="#C8C8C8")
    ax.set_yticks(places, [f"{row.words}  [{row.cluster}]" for row in table.itertuples()], fontsize=7)
    for place, row in zip(places, table.itertuples(), strict=True):
        ax.annotate(str(row.gold), (row.tokens, place), xytext=(3, 0), textcoords="offset points", va="center",
                    fontsize=7)  # fmt: skip
    ax.set_xlim(0, 1.15 * table["tokens"].max())
    ax.set_xlabel("Tokens; blue: of the class that is written")
    ax.grid(False, axis="y")
    return ax
