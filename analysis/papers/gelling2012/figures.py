"""Figures of the paper and of its claims; each draws one of the tables and computes nothing itself."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import pandas as pd
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from analysis.dependencies.models import DMV_VARIANTS, parse_ambiguity
from analysis.experiments import read_stored
from analysis.figures import (
    grouped_bars,
    heatmap,
    line_plot,
    posterior_arcs,
    printed_beside_recomputed,
    rank_lines,
    small_multiples,
)
from analysis.figures.style import PAGE_WIDTH, use_style
from analysis.papers.gelling2012.convergence import convergence
from analysis.papers.gelling2012.measures import agreement, clusters, curves, ranks, short_sentences, trained
from analysis.papers.gelling2012.regularised import tags_per_type
from analysis.papers.gelling2012.runs import CLASS_MEASURES, LOWER_IS_BETTER, TREE_MEASURES
from analysis.papers.gelling2012.setting import Setting
from analysis.papers.gelling2012.tables import (
    MEASURES,
    OVERALL,
    TABLES,
    compare_averages,
    figure1_points,
    table3,
    table6,
)
from analysis.papers.recipe import in_percent, takes_setting


def shown_testset(testsets: Sequence[str]) -> str:
    """The test set of Figure 1 and Table 6 of the paper, or else the first one."""
    return "en-ptb" if "en-ptb" in testsets else testsets[0]


def _single(title: str, draw: Callable[..., Any], width: float, height: float) -> Figure:
    """One plot with its title at the left."""
    figure = small_multiples([("", draw)], columns=1, width=width, height=height)
    with use_style():
        figure.axes[0].set_title(title, loc="left")
    return figure


@takes_setting(Setting)
def figure1(setting: Setting) -> Figure:
    """Directed accuracy by length of the dependency, on en-ptb, or else on the first test set.

    Parameters
    ----------
    setting, **choices
        Setting of the paper, or single fields of it by name; see `Setting`.

    Returns
    -------
    Figure

    References
    ----------
    Gelling et al. (2012), Figure 1.
    """
    testset, labels = shown_testset(setting.testsets), ("Length of the dependency", "Percent right")
    rows = in_percent(figure1_points(setting)).query("testset == @testset and measure == 'directed'")
    kinds = rows["system"].astype("str").map(_kind)
    panels = [(f"{testset}: {kind}", partial(line_plot, rows[kinds == kind], x="length", labels=labels,
                                             limits=(0, None), systems=rows["system"]))
              for kind in ("baselines", "DMV and its variants", "other systems") if (kinds == kind).any()]  # fmt: skip
    return setting.marked(small_multiples(panels, columns=len(panels), height=2.8, share=(True, True)))


def _kind(system: str) -> str:
    """The panel of Figure 1 that a system is in."""
    if system in ("LB", "RB", "R", "H"):
        return "baselines"
    return "DMV and its variants" if system.startswith(("DMV", "Tu")) else "other systems"


def agreement_figure(number: int, table: pd.DataFrame | None = None, *, digits: int = 2) -> Figure:
    """Rank correlations of the measures on each test set and on the averages, as one heat map.

    Parameters
    ----------
    number : int
        Table 2, 3, 4, 7, 8 or 9.
    table : DataFrame, optional
        Result of the table's function; by default the printed table.
    digits : int

    Returns
    -------
    Figure
    """
    signed = {name: f"−{name}" for name in LOWER_IS_BETTER}
    cells = agreement(number, table).replace({"measure_a": signed, "measure_b": signed})
    if cells["testset"].nunique() == 2:  # averages over one test set say nothing more
        cells = cells[cells["testset"] != OVERALL]
    cells["pair"] = cells["measure_a"] + ", " + cells["measure_b"]
    draw = partial(heatmap, cells, row="pair", column="testset", value="rho", limits=(-1.0, 1.0), colours="PuOr",
                   digits=digits, label="Spearman's ρ")  # fmt: skip
    title = f"Table {number}, {_source(table)}, n ≤ {cells['n'].max()}"
    width = min(PAGE_WIDTH, max(3.6, 2.6 + 0.5 * cells["testset"].nunique()))
    return _single(title, draw, width, 1.5 + 0.27 * cells["pair"].nunique())


def _source(table: pd.DataFrame | None) -> str:
    return "printed" if table is None else "recomputed"


def bump_figure(number: int, table: pd.DataFrame | None = None, testset: str = OVERALL) -> Figure:
    """Ranks of the systems of a table by each of its measures.

    Parameters
    ----------
    number : int
        Number of the table in the paper.
    table : DataFrame, optional
        Result of a table function of the paper.
    testset : str
        Name of a test set.

    Returns
    -------
    Figure

    Examples
    --------
    >>> len(bump_figure(3).axes)
    1
    """
    found = ranks(number, table, testset)
    draw = partial(rank_lines, found, MEASURES[number], lower_is_better=LOWER_IS_BETTER)
    size = (1.3 * len(MEASURES[number]) + 0.8, 0.8 + 0.24 * found["system"].nunique())
    return _single(f"Table {number}, {_source(table)}, {testset}", draw, *size)


@takes_setting(Setting)
def clusters_figure(setting: Setting) -> Figure:
    """Each measure against the number of clusters: above, every system on every test set; below, B and MK on one.

    Parameters
    ----------
    setting, **choices
        Setting of the paper, or single fields of it by name; see `Setting`.

    Returns
    -------
    Figure
    """
    points, lines = in_percent(clusters(setting)), in_percent(curves(setting))
    titles = {name: f"{name} (bits; less is better)" if name in LOWER_IS_BETTER else f"{name} (percent)"
              for name in CLASS_MEASURES}  # fmt: skip
    draw = partial(line_plot, x="k", series="model", scale="log counts", systems=points["model"])
    rows = ((points, "all test sets", "", False), (lines, setting.curve_testset, "Clusters", True))
    panels = [
        ("" if joined else titles[measure],
         partial(draw, table[table["measure"] == measure], labels=(below, where if place == 0 else ""), joined=joined))
        for table, where, below, joined in rows
        for place, measure in enumerate(CLASS_MEASURES)
    ]  # fmt: skip
    return setting.marked(small_multiples(panels, columns=len(CLASS_MEASURES), height=3.9))


@takes_setting(Setting)
def averages_figure(setting: Setting, number: int = 2) -> Figure:
    """Averages of Table 2, 3, 4, 7, 8 or 9, the printed and the recomputed, for the systems that run here.

    Parameters
    ----------
    setting, **choices
        Setting of the paper, or single fields of it by name; see `Setting`.
    number : int
        Number of the table in the paper.

    Returns
    -------
    Figure
    """
    return setting.marked(_averages_beside(compare_averages(TABLES[number](setting), number), number))


def stored_averages_figure(number: int = 2) -> Figure:
    """As `averages_figure`, of the averages that are stored in the suite, computed on the open treebanks.

    Systems that were run on fewer test sets than the others are left out: their averages are of other sets.

    Parameters
    ----------
    number : int
        Number of the table in the paper.

    Returns
    -------
    Figure
    """
    found = read_stored(f"gelling2012_table{number}_averages", TABLES[number]).table
    return _averages_beside(found[found["n"] == found["n"].max()], number)


def _averages_beside(found: pd.DataFrame, number: int) -> Figure:
    found = found.dropna(subset="recomputed")
    draw = partial(printed_beside_recomputed, label="system", xlabel="Percent")
    panels = [(name, partial(draw, found[found["measure"] == name]))
              for name in MEASURES[number] if name not in LOWER_IS_BETTER]  # fmt: skip
    figure = small_multiples(panels, columns=len(panels), height=1.1 + 0.21 * found["system"].nunique())
    for ax in figure.axes:
        ax.set_xlim(0, 100)
    return figure


@takes_setting(Setting)
def scores_figure(setting: Setting, measure: str = "directed") -> Figure:
    """One measure of every system on every test set, as a heat map.

    Parameters
    ----------
    setting, **choices
        Setting of the paper, or single fields of it by name; see `Setting`.
    measure : str
        Name of a measure.

    Returns
    -------
    Figure
    """
    table = table3(setting)
    return setting.marked(_cells("", table[table["measure"] == measure], "testset", measure))


@takes_setting(Setting)
def relations_figure(setting: Setting, testset: str | None = None) -> Figure:
    """Directed accuracy by relation and system on one test set, as a heat map.

    Parameters
    ----------
    setting, **choices
        Setting of the paper, or single fields of it by name; see `Setting`.
    testset : str, optional
        Name of a test set.

    Returns
    -------
    Figure
    """
    table = table6(setting)
    name = testset or shown_testset(table["testset"].unique())
    return setting.marked(_cells(name, table[table["testset"] == name], "relation", "directed"))


def _cells(title: str, cells: pd.DataFrame, row: str, measure: str) -> Figure:
    if cells[row].nunique() == 1:
        bars = in_percent(cells).sort_values("value", ascending=False).assign(group=str(cells[row].iloc[0]))
        draw = partial(grouped_bars, bars[["system", "group", "value"]], x="system", group="group", legend=False,
                       horizontal=True, labels=("", f"{measure}, percent"))  # fmt: skip
        return _single(f"{title} {cells[row].iloc[0]}".strip(), draw, 4.6, 0.9 + 0.2 * len(bars))
    draw = partial(heatmap, in_percent(cells), row=row, column="system", digits=1, label=f"{measure}, percent")
    width = 1.6 + 0.06 * max(map(len, cells[row])) + 0.29 * cells["system"].nunique()  # room for numbers in the cells
    return _single(title, draw, width, 1.2 + 0.27 * cells[row].nunique())


def joint_figure(table: pd.DataFrame, x: str = "VM") -> Figure:
    """Scatter plot of the result of `joint_quality`: one panel per measure of trees, one mark per clustering.

    Parameters
    ----------
    table : DataFrame
    x : {"VM", "M-1"}

    Returns
    -------
    Figure
    """
    draw = partial(line_plot, in_percent(table, (x, *TREE_MEASURES)), x=x, series="model", joined=False,
                   labels=(f"{x} of the tags (percent)", ""))  # fmt: skip
    panels = [(f"{measure} (percent)", partial(draw, y=measure)) for measure in TREE_MEASURES]
    return small_multiples(panels, columns=len(panels), height=3.3)


def variants_figure(table: pd.DataFrame, measure: str = "directed") -> Figure:
    """Plot the result of `variants`: ambiguity by iteration, and accuracy against ambiguity; ring: last iteration.

    Parameters
    ----------
    table : DataFrame
        Result of `variants`.
    measure : str
        Name of a measure.

    Returns
    -------
    Figure
    """
    bits, draw = "Ambiguity (bits per word)", partial(line_plot, in_percent(table, (measure,)))
    left = partial(draw, x="iteration", y="ambiguity", labels=("Iteration", bits), limits=(0, None))
    right = partial(draw, x="ambiguity", y=measure, path=True, labels=(bits, f"{measure} (percent)"))
    figure = small_multiples([("", left), ("", right)], columns=2, height=3.0)
    figure.axes[0].xaxis.set_major_locator(MaxNLocator(integer=True))
    return figure


def convergence_figure(table: pd.DataFrame | None = None) -> Figure:
    """V of BC and GJ08 VB against the number of sweeps or passes.

    Parameters
    ----------
    table : DataFrame, optional
        Result of `convergence`; by default that of the stored chains.

    Returns
    -------
    Figure
        One panel per test set; each point is the mean of the chains, where all of them have made so many steps.

    Examples
    --------
    >>> rows = {"testset": "nursery", "system": "BC", "random_state": [0, 1, 0], "step": [10, 10, 12], "VM": 0.5}
    >>> [len(line.get_xdata()) for line in convergence_figure(pd.DataFrame(rows)).axes[0].get_lines()]
    [1]
    """
    rows = in_percent(convergence() if table is None else table, ["VM"])
    groups = rows.groupby(["testset", "system"], sort=False)
    chains = groups["random_state"].transform("nunique")
    done = rows.groupby(["testset", "system", "step"])["random_state"].transform("nunique")
    means = rows[done == chains].groupby(["testset", "system", "step"], as_index=False, sort=False)["VM"].mean()
    draw = partial(line_plot, x="step", y="VM", scale="log counts", limits=(0, None), systems=["BC", "GJ08 VB"])
    panels = [
        (str(name), partial(draw, part, labels=("Sweeps or passes", "" if place % 2 else "V (percent)")))
        for place, (name, part) in enumerate(means.groupby("testset", sort=False))
    ]
    return small_multiples(panels, columns=min(2, len(panels)), height=3.0, share=(False, True))


def tags_per_type_figure(table: pd.DataFrame | None = None) -> Figure:
    """How many tags frequent word types use, with and without the constraint of G, beside the gold tags.

    Parameters
    ----------
    table : DataFrame, optional
        Result of `tags_per_type`; by default that of the stored grid.

    Returns
    -------
    Figure
        One panel per test set: the share of types that have at least so many tags.

    References
    ----------
    Graça et al. (2011): word types of an HMM have too many tags, and the constraint gives them few.

    Examples
    --------
    >>> rows = {"testset": "nursery", "system": ["gold", "gold", "G-u"], "tags": [1, 2, 1], "value": [1.0, 0.25, 1.0]}
    >>> len(tags_per_type_figure(pd.DataFrame(rows)).axes)
    1
    """
    rows = in_percent(tags_per_type() if table is None else table)
    systems = list(dict.fromkeys(rows["system"]))
    draw = partial(line_plot, x="tags", systems=systems, limits=(0, None))
    panels = [
        (str(name), partial(draw, part, labels=("Number of tags, at least", "" if place % 2 else "Percent of types")))
        for place, (name, part) in enumerate(rows.groupby("testset", sort=False))
    ]
    return small_multiples(panels, columns=min(2, len(panels)), height=2.6 * ((len(panels) + 1) // 2))


def variants_arcs_figure(
    testset: str = "nursery",
    level: str = "fine",
    *,
    steps: tuple[int, ...] = (0, 3, 15),
    sentences: int = 500,
    iterations: int = 15,
    words: int = 6,
) -> Figure:
    """Posteriors of one sentence as arc widths, one row per variant and one column per iteration.

    Parameters
    ----------
    testset, level, sentences, iterations
        As for `variants`.
    steps : tuple of int
        Iterations that are shown; for a model with fewer iterations, its last one.
    words : int
        The first sentence with this number of words is shown.

    Returns
    -------
    Figure

    Raises
    ------
    ValueError
        If no sentence has this number of words.
    """
    some = short_sentences(testset, sentences)
    part = some[some.groupby("sentence")["form"].transform("size") == words].head(words).reset_index(drop=True)
    if part.empty:
        raise ValueError(f"none of the {sentences} sentences has {words} words.")
    forms, tags = (part[name].astype("str").tolist() for name in ("form", level))
    panels = []
    for name, parameters in DMV_VARIANTS.items():
        model = trained(testset, level, sentences, iterations, tuple(parameters.items()))
        for step in (min(asked, model.n_iter_) for asked in steps):
            version = model.at_iteration(step)
            found, heads = version.posteriors(tags), version.parse(part).heads.tolist()
            title = f"{name}, iteration {step}: {parse_ambiguity(found):.2f} bits"
            panels.append((title, partial(posterior_arcs, found, heads, forms)))
    return small_multiples(panels, columns=len(steps), height=1.35 * len(DMV_VARIANTS))
