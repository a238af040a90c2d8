"""Figures of the paper's claims; each draws a table that a reader can print, and computes nothing of its own."""

import textwrap

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from analysis.figures import correlation_heatmap, new_axes, share_legend, system_styles, use_style
from analysis.figures.style import BLUE, GREY, PAGE_WIDTH, VERMILLION, floats, handle, require
from analysis.papers.reichart2010.evaluation import LOWER_IS_BETTER, MEASURES, TOKEN_MEASURES
from analysis.papers.reichart2010.setting import Setting, make_setting
from analysis.papers.reichart2010.tables import correlations, curves
from analysis.papers.reichart2010.words import mapping, restarts, word_frequencies, zipf

INITIAL_COLOURS = {"random": (BLUE, "o"), "edges": (VERMILLION, "D")}


def _shown(name: str) -> str:
    return f"−{name}" if name in LOWER_IS_BETTER else name


def clustered_order(table: pd.DataFrame, coefficient: str = "rho") -> tuple[list[str], np.ndarray]:
    """Measures in the order of a hierarchical clustering by their correlations, and its mergers.

    Parameters
    ----------
    table : DataFrame
        ``measure_a``, ``measure_b`` and the coefficient; one row a pair. A missing coefficient counts as 0.
    coefficient : {"rho", "tau"}

    Returns
    -------
    order : list of str
    mergers : ndarray
        As `scipy.cluster.hierarchy.linkage` gives them: average linkage of 1 minus the coefficient.

    Examples
    --------
    >>> pairs = pd.DataFrame({"measure_a": ["A", "A", "B"], "measure_b": ["B", "C", "C"], "rho": [-0.5, 0.9, 0.0]})
    >>> clustered_order(pairs)[0]
    ['B', 'A', 'C']
    """
    from scipy.cluster.hierarchy import leaves_list, linkage

    names = list(dict.fromkeys([*table["measure_a"], *table["measure_b"]]))
    place = {name: number for number, name in enumerate(names)}
    pairs = {
        (place[a], place[b]): 1 - (0.0 if np.isnan(value) else value)
        for a, b, value in zip(table["measure_a"], table["measure_b"], floats(table[coefficient]), strict=True)
    }
    condensed = [pairs[i, j] for i in range(len(names)) for j in range(i + 1, len(names))]
    mergers = linkage(condensed, method="average")
    return [names[leaf] for leaf in leaves_list(mergers)], mergers


def correlations_figure(
    setting: Setting | None = None, *, source: str = "recomputed", coefficient: str = "rho", **choices: object
) -> Figure:
    """Clustered heat map of the rank correlations between the twelve measures, with the tree of the clustering.

    Names of token-level measures are in italics. Measures of which less is better stand with a minus.

    Parameters
    ----------
    source : {"recomputed", "printed"}
        See `correlations`.
    coefficient : {"rho", "tau"}
    """
    from scipy.cluster.hierarchy import dendrogram

    table = correlations(make_setting(setting, choices), source=source)
    order, mergers = clustered_order(table, coefficient)
    place = {name: number for number, name in enumerate(order)}
    pairs = table[["measure_a", "measure_b", coefficient]]
    both = pd.concat([pairs, pairs.rename(columns={"measure_a": "measure_b", "measure_b": "measure_a"})])
    both = both.sort_values(["measure_a", "measure_b"], key=lambda names: names.map(place))
    for column in ("measure_a", "measure_b"):
        both[column] = both[column].map(_shown)
    with use_style():
        figure = Figure(figsize=(PAGE_WIDTH, 4.9), layout="constrained")
        tree, map_ax = figure.subplots(2, 1, height_ratios=(1, 5))
        drawn = dendrogram(mergers, no_plot=True)
        for x, y in zip(drawn["icoord"], drawn["dcoord"], strict=True):
            tree.plot(np.array(x) / 10, y, color=GREY, linewidth=1)
        tree.set_xlim(0, len(order))
        tree.set_axis_off()
        label = {"rho": "Spearman's ρ", "tau": "Kendall's τ"}[coefficient]
        correlation_heatmap(both, value=coefficient, ax=map_ax, bar=True, label=label)
        token = {_shown(name) for name in TOKEN_MEASURES}
        for text in [*map_ax.get_xticklabels(), *map_ax.get_yticklabels()]:
            if text.get_text() in token:
                text.set_fontstyle("italic")
        tree.set_title(f"{source}, n = {table['n'].iloc[0]}; italics: token level", loc="left")
    return figure


def curve_panel(table: pd.DataFrame, measure: str, *, ax: Axes, legend: bool = True, mark: int | None = None) -> Axes:
    """One measure against the number of clusters, one line a system.

    Parameters
    ----------
    table : DataFrame
        ``system``, ``k``, ``measure``, ``value``.
    measure : str
    ax : Axes
    legend : bool
    mark : int, optional
        A number of clusters to mark with a line.
    """
    require(table, ["system", "k", "measure", "value"], "table")
    rows = table[table["measure"] == measure]
    styles = system_styles(rows["system"])
    for name, part in rows.groupby("system", sort=False):
        part = part.sort_values("k")
        style = styles[str(name)]
        ax.plot(
            part["k"], floats(part["value"]), color=style.color, marker=style.marker, linestyle=style.linestyle,
            markersize=3.5, linewidth=1.2, label=str(name),
        )  # fmt: skip
    if mark is not None:
        ax.axvline(mark, color=GREY, linewidth=0.8, linestyle=(0, (1, 2)))
    ax.set_title(f"{measure} (less is better)" if measure in LOWER_IS_BETTER else measure)
    if legend:
        ax.legend(handles=[handle(style, name, line=True) for name, style in styles.items()])
    return ax


def curves_figure(setting: Setting | None = None, **choices: object) -> Figure:
    """Each of the twelve measures against the number of clusters K; the dotted line marks 17, the prominent tags."""
    table = curves(setting, **choices)
    with use_style():
        figure = Figure(figsize=(PAGE_WIDTH, 6.4), layout="constrained")
        grid = figure.subplots(4, 3, sharex=True)
        for number, (ax, measure) in enumerate(zip(grid.flat, MEASURES, strict=True)):
            curve_panel(table, measure, ax=ax, mark=17)
            if number >= 9:
                ax.set_xlabel("Clusters K")
        share_legend(figure)
    return figure


def restarts_panel(table: pd.DataFrame, *, ax: Axes, group: str = "measure", legend: bool = True) -> Axes:
    """Strip plot: what each start of hill climbing reaches, random starts and starts from the heaviest edges.

    Parameters
    ----------
    table : DataFrame
        ``initialisation``, ``of_best`` (1 is the best start) and the column `group`, whose values stand side by side.
    ax : Axes
    group : str
    legend : bool
    """
    require(table, ["initialisation", "of_best", group], "table")
    names = list(dict.fromkeys(table[group]))
    random = np.random.default_rng(0)
    for side, (initialisation, (colour, marker)) in zip((-0.2, 0.2), INITIAL_COLOURS.items(), strict=True):
        part = table[table["initialisation"] == initialisation]
        x = part[group].map({name: place for place, name in enumerate(names)}).to_numpy(dtype=float)
        x = x + side + random.uniform(-0.12, 0.12, size=len(part))
        ax.plot(x, 100 * floats(part["of_best"]), linestyle="none", marker=marker, color=colour, markersize=3,
                alpha=0.6, markeredgewidth=0, label=f"{initialisation} start")  # fmt: skip
    ax.axhline(99, color=GREY, linewidth=0.8, linestyle=(0, (1, 2)))
    ax.set_xticks(range(len(names)), names)
    ax.set_xlim(-0.5, len(names) - 0.5)
    ax.set_ylabel("Percent of the best start")
    if legend:
        ax.legend()
    return ax


def restarts_figure(setting: Setting | None = None, **choices: object) -> Figure:
    """What each start of hill climbing reaches, by measure, one panel a system; the dotted line is 1 % off the best."""
    table = restarts(setting, **choices)
    names = list(dict.fromkeys(table["system"]))
    with use_style():
        columns = min(len(names), 5)
        lines = -(-len(names) // columns)
        figure = Figure(figsize=(PAGE_WIDTH, 0.5 + 2.2 * lines), layout="constrained")
        grid = figure.subplots(lines, columns, sharey=True, squeeze=False)
        for ax, system in zip(grid.flat, names, strict=False):
            restarts_panel(table[table["system"] == system], ax=ax)
            ax.set_title(system)
            ax.set_ylabel("Percent of the best" if ax in grid[:, 0] else "")
        for ax in grid.flat[len(names) :]:
            ax.remove()
        share_legend(figure)
    return figure


def mapping_graph(
    table: pd.DataFrame, *, ax: Axes | None = None, classes: list[str] | None = None, words: bool = True
) -> Axes:
    """Bipartite graph of a mapping: clusters on the left, the classes that they are read as on the right.

    The width of a line is the number of types that cluster and class share, the size of a point the number of types
    in the cluster. Hollow points are read as nothing.

    Parameters
    ----------
    table : DataFrame
        ``cluster``, ``gold``, ``types``, ``shared`` (`analysis.categories.type_mapping`) and, if wished, ``words``.
    ax : Axes, optional
    classes : list of str, optional
        Gold classes in the order in which they are to stand; by default those of the mapping, and those that no
        cluster is read as are not shown.
    words : bool
        Whether to write the column ``words`` beside each cluster, if there is one.
    """
    require(table, ["cluster", "gold", "types", "shared"], "table")
    read = table[table["gold"].notna()]
    if classes is None:
        classes = list(dict.fromkeys(read.sort_values("shared", ascending=False, kind="stable")["gold"].astype("str")))
    place = {name: -number for number, name in enumerate(classes)}
    rows = table.assign(at=table["gold"].map(lambda name: place.get(str(name), -len(table) - len(place))))
    rows = rows.sort_values(["at", "shared"], ascending=[False, False], kind="stable").reset_index(drop=True)
    height = max(len(rows), len(classes), 2)
    left = -np.linspace(0, height - 1, len(rows)) if len(rows) > 1 else np.array([-(height - 1) / 2])
    right = dict(zip(classes, -np.linspace(0, height - 1, len(classes)), strict=True))
    if len(classes) == 1:
        right = {classes[0]: -(height - 1) / 2}
    most = max(int(rows["types"].max()), 1)
    with new_axes(ax, width=PAGE_WIDTH, height=0.8 + 0.17 * height) as ax:
        for y, row in zip(left, rows.itertuples(), strict=True):
            has = isinstance(row.gold, str) or not pd.isna(row.gold)
            size = 3 + 7 * np.sqrt(row.types / most)
            if has:
                width = 0.6 + 5 * row.shared / most
                ax.plot([0, 1], [y, right[str(row.gold)]], color=BLUE, alpha=0.55, linewidth=width)
            ax.plot([0], [y], marker="o", color=BLUE if has else GREY, markersize=size,
                    markerfacecolor=BLUE if has else "white")  # fmt: skip
            name = f"{row.cluster}"
            if words and "words" in rows.columns:
                name = f"{textwrap.shorten(str(row.words), 34, placeholder='…')}  [{row.cluster}]"
            ax.annotate(name, (-0.06, y), ha="right", va="center", fontsize=7, annotation_clip=False)
        for name, y in right.items():
            taken = (read["gold"].astype("str") == name).any()
            ax.plot([1], [y], marker="s", color=VERMILLION if taken else GREY, markersize=5,
                    markerfacecolor=VERMILLION if taken else "white")  # fmt: skip
            ax.annotate(name, (1.06, y), ha="left", va="center", fontsize=7, annotation_clip=False)
        ax.set_xlim(-0.1, 1.1)
        ax.set_ylim(-height + 0.3, 0.7)
        ax.set_xticks([0, 1], ["cluster", "read as"])
        ax.tick_params(length=0)
        ax.set_yticks([])
        ax.grid(False)
        for spine in ax.spines.values():
            spine.set_visible(False)
    return ax


def mapping_figure(
    setting: Setting | None = None,
    *,
    systems: tuple[str, ...] = ("Clark03", "GG07"),
    measure: str = "macro_i",
    how: str = "one-to-one",
    **choices: object,
) -> Figure:
    """Which class each cluster of two systems is read as, with its three most frequent words."""
    chosen = make_setting(setting, choices)
    tables = {system: mapping(system, chosen, measure=measure, how=how) for system in systems}
    rows = max(len(table) for table in tables.values())
    with use_style():
        figure = Figure(figsize=(4.6 * len(tables), 0.8 + 0.17 * rows), layout="constrained")
        for ax, (system, table) in zip(np.atleast_1d(figure.subplots(1, len(tables))), tables.items(), strict=True):
            mapping_graph(table, ax=ax)
            ax.set_title(f"{system}, {how}")
    return figure


def zipf_figure(setting: Setting | None = None, **choices: object) -> Figure:
    """Left: frequency of words by rank. Right: scores of clusterings that are right about some words only."""
    from analysis.figures import frequency_rank

    chosen = make_setting(setting, choices)
    with use_style():
        figure = Figure(figsize=(PAGE_WIDTH, 2.9), layout="constrained")
        left, right = figure.subplots(1, 2)
        frequency_rank(word_frequencies(chosen), ax=left, labels=("Rank of the word", "Tokens"))
        left.set_title("Tokens of each word")
        zipf_panel(zipf(chosen), ax=right)
    return figure


def zipf_panel(table: pd.DataFrame, *, ax: Axes, legend: bool = True) -> Axes:
    """Token and type score against the number of words that are right: frequent words first, or rare words first.

    Parameters
    ----------
    table : DataFrame
        What `zipf` gives.
    ax : Axes
    legend : bool
    """
    require(table, ["order", "right", "measure", "value"], "table")
    looks = {"1-1": (BLUE, "tokens, 1-1"), "MicroI 1-1": (VERMILLION, "types, MicroI 1-1")}
    lines = {"frequent words first": "-", "rare words first": "--"}
    for (order, measure), part in table.groupby(["order", "measure"], sort=False):
        colour, name = looks[measure]
        ax.plot(part["right"], part["value"], color=colour, linestyle=lines[order], label=f"{name}; {order}")
    ax.set_xscale("symlog", linthresh=1)
    ax.set_ylim(0, 1)
    ax.set_xlabel("Word types in the right cluster")
    ax.set_ylabel("Score")
    ax.set_title("Right about some words only")
    if legend:
        ax.legend(fontsize=6.5)
    return ax


def r_of_n_panel(table: pd.DataFrame, *, ax: Axes, mark: int | None = None, legend: bool = True) -> Axes:
    """The paper's example: new measures, V and NVI against r.

    Parameters
    ----------
    table : DataFrame
        What `r_of_n` gives.
    ax : Axes
    mark : int, optional
        An r to mark.
    legend : bool
    """
    looks = {"MacroI 1-1": ("-", BLUE, "o"), "MicroC 1-1": (":", BLUE, "s"), "V": ("--", VERMILLION, "^"),
             "NVI": ("-.", VERMILLION, "v")}  # fmt: skip
    for measure, (line, colour, marker) in looks.items():
        part = table[table["measure"] == measure]
        name = "MacroI = MicroI, 1-1" if measure == "MacroI 1-1" else measure
        name += " (less is better)" if measure == "NVI" else ""
        ax.plot(part["r"], part["value"], linestyle=line, color=colour, marker=marker, markersize=4, label=name)
    if mark is not None:
        ax.axvline(mark, color=GREY, linewidth=0.8)
    ax.set_ylim(-0.05, 2.1)
    ax.set_xlabel("r: gold classes of each word")
    ax.set_ylabel("Score")
    if legend:
        ax.legend()
    return ax
