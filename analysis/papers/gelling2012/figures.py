"""Figures of the paper and of its claims; each draws a table that a reader can print, and computes nothing."""

import pandas as pd
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from analysis.dependencies.models import DMV_VARIANTS, parse_ambiguity
from analysis.figures import (
    heatmap,
    posterior_arcs,
    printed_beside_recomputed,
    rank_lines,
    share_legend,
    system_lines,
    use_style,
)
from analysis.figures.style import PAGE_WIDTH
from analysis.papers.gelling2012.runs import CLASS_MEASURES, LOWER_IS_BETTER, TREE_MEASURES
from analysis.papers.gelling2012.setting import Setting
from analysis.papers.gelling2012.tables import (
    MEASURES,
    OVERALL,
    TABLES,
    agreement,
    clusters,
    compare_averages,
    curves,
    figure1_points,
    ranks,
    short_sentences,
    table3,
    table6,
    trained,
)
from analysis.papers.recipe import in_percent, takes_setting


def _shown(testsets: tuple[str, ...]) -> str:
    """The paper's own test set of Figure 1 and Table 6, or the first that there is."""
    return "en-ptb" if "en-ptb" in testsets else testsets[0]


@takes_setting(Setting)
def figure1(setting: Setting) -> Figure:
    """Directed accuracy by length of the dependency, on en-ptb, or on the first test set there is.

    References
    ----------
    Gelling et al. (2012), Figure 1.
    """
    testset, table = _shown(setting.testsets), in_percent(figure1_points(setting))
    rows = table[(table["testset"] == testset) & (table["measure"] == "directed")]
    with use_style():
        figure = Figure(figsize=(4.6, 3.1), layout="constrained")
        ax = system_lines(rows, x="length", ax=figure.subplots(), labels=("Length of the dependency", "Percent right"))
        ax.set_ylim(0, None)
        ax.set_title(f"{testset}, directed")
        share_legend(figure, columns=7)
    return setting.marked(figure)


def agreement_figure(number: int, table: pd.DataFrame | None = None, *, digits: int = 2) -> Figure:
    """Rank correlations of the measures on each test set and on the averages, as one heat map.

    Parameters
    ----------
    number : int
        Table 2, 3, 4, 7, 8 or 9.
    table : DataFrame, optional
        What its function returned; by default the printed table.
    digits : int
    """
    found, signed = agreement(number, table), {name: f"−{name}" for name in LOWER_IS_BETTER}
    pairs = zip(*(found[name].replace(signed) for name in ("measure_a", "measure_b")), strict=True)
    cells = found.assign(pair=[f"{a}, {b}" for a, b in pairs])
    with use_style():
        size = (min(PAGE_WIDTH, 2.6 + 0.5 * cells["testset"].nunique()), 1.5 + 0.27 * cells["pair"].nunique())
        figure = Figure(figsize=size, layout="constrained")
        ax = heatmap(cells, row="pair", column="testset", value="rho", ax=figure.subplots(), limits=(-1.0, 1.0),
                     colours="PuOr", digits=digits, label="Spearman's ρ")  # fmt: skip
        where = "printed" if table is None else "recomputed"
        ax.set_title(f"Table {number}, {where}, up to {found['n'].max()} systems", loc="left")
    return figure


def bump_figure(number: int, table: pd.DataFrame | None = None, testset: str = OVERALL) -> Figure:
    """Ranks of the systems of a table by each of its measures."""
    found, where = ranks(number, table, testset), "printed" if table is None else "recomputed"
    size = (1.3 * len(MEASURES[number]) + 0.8, 0.8 + 0.24 * found["system"].nunique())
    with use_style():
        figure = Figure(figsize=size, layout="constrained")
        ax = rank_lines(found, MEASURES[number], ax=figure.subplots(), lower_is_better=LOWER_IS_BETTER)
        ax.set_title(f"Table {number}, {where}, {testset}", loc="left")
    return figure


@takes_setting(Setting)
def clusters_figure(setting: Setting) -> Figure:
    """Each measure against the number of clusters: above, every system on every test set; below, B and MK on one."""
    points, lines = in_percent(clusters(setting)), in_percent(curves(setting))
    with use_style():
        figure = Figure(figsize=(PAGE_WIDTH, 3.9), layout="constrained")
        for column, (above, below) in enumerate(figure.subplots(2, 4).T):
            measure, first = CLASS_MEASURES[column], column == 0
            for table, ax, where in ((points, above, "all test sets"), (lines, below, setting.curve_testset)):
                labels = ("" if ax is above else "Clusters", where if first else "")
                system_lines(table[table["measure"] == measure], x="k", series="model", ax=ax, joined=ax is below,
                             log=True, systems=points["model"], labels=labels)  # fmt: skip
            above.set_title(
                f"{measure} (bits; less is better)" if measure in LOWER_IS_BETTER else f"{measure} (percent)"
            )
        share_legend(figure)
    return setting.marked(figure)


@takes_setting(Setting)
def averages_figure(setting: Setting, number: int = 2) -> Figure:
    """Averages of Table 2, 3, 4, 7, 8 or 9, the printed and the recomputed, for the systems that run here."""
    found = compare_averages(TABLES[number](setting), number)
    found = found[found["recomputed"].notna()]
    measures = [name for name in MEASURES[number] if name not in LOWER_IS_BETTER]
    with use_style():
        figure = Figure(figsize=(PAGE_WIDTH, 1.1 + 0.21 * found["system"].nunique()), layout="constrained")
        for ax, measure in zip(figure.subplots(1, len(measures)), measures, strict=True):
            printed_beside_recomputed(found[found["measure"] == measure], label="system", ax=ax, xlabel="Percent")
            ax.set(xlim=(0, 100), title=measure)
        share_legend(figure)
    return setting.marked(figure)


@takes_setting(Setting)
def scores_figure(setting: Setting, measure: str = "directed") -> Figure:
    """One measure of every system on every test set, as a heat map."""
    table = table3(setting)
    return setting.marked(_cells_figure(table[table["measure"] == measure], "testset", f"{measure}, percent"))


@takes_setting(Setting)
def relations_figure(setting: Setting, testset: str | None = None) -> Figure:
    """Directed accuracy by relation and system on one test set, as a heat map."""
    table = table6(setting)
    name = testset or _shown(tuple(table["testset"].unique()))
    figure = _cells_figure(table[table["testset"] == name], "relation", "directed, percent")
    figure.axes[0].set_title(name, loc="left")
    return setting.marked(figure)


def _cells_figure(cells: pd.DataFrame, row: str, label: str) -> Figure:
    with use_style():
        figure = Figure(figsize=(5.4, 1.2 + 0.27 * cells[row].nunique()), layout="constrained")
        heatmap(in_percent(cells), row=row, column="system", ax=figure.subplots(), digits=1, label=label,
                limits=(0.0, 100.0))  # fmt: skip
    return figure


def joint_figure(table: pd.DataFrame, x: str = "VM") -> Figure:
    """What `joint_quality` returned as a scatter, a panel a measure of trees: a mark a clustering.

    Parameters
    ----------
    table : DataFrame
    x : {"VM", "M-1"}
    """
    shown = in_percent(table, (x, *TREE_MEASURES))
    with use_style():
        figure = Figure(figsize=(PAGE_WIDTH, 3.3), layout="constrained")
        for ax, measure in zip(figure.subplots(1, len(TREE_MEASURES)), TREE_MEASURES, strict=True):
            labels = (f"{x} of the tags (percent)", "")
            system_lines(shown, x=x, y=measure, series="model", ax=ax, joined=False, labels=labels)
            ax.set(xlim=(-3, 103), title=f"{measure} (percent)")
        share_legend(figure, columns=(shown["model"].nunique() + 1) // 2)
    return figure


def variants_figure(table: pd.DataFrame, measure: str = "directed") -> Figure:
    """What `variants` returned: ambiguity by iteration, and accuracy against ambiguity; ring: last iteration."""
    bits, shown = "Ambiguity (bits a word)", in_percent(table, (measure,))
    with use_style():
        figure = Figure(figsize=(PAGE_WIDTH, 3.0), layout="constrained")
        left, right = figure.subplots(1, 2)
        system_lines(shown, x="iteration", y="ambiguity", ax=left, labels=("Iteration", bits))
        system_lines(shown, x="ambiguity", y=measure, ax=right, ends=True, labels=(bits, f"{measure} (percent)"))
        left.xaxis.set_major_locator(MaxNLocator(integer=True))
        left.set_ylim(bottom=0)
        share_legend(figure)
    return figure


def variants_arcs_figure(
    testset: str = "nursery",
    level: str = "fine",
    *,
    steps: tuple[int, ...] = (0, 3, 15),
    sentences: int = 500,
    iterations: int = 15,
    words: int = 6,
) -> Figure:
    """Posteriors of one sentence as arc widths, a row a variant and a column an iteration.

    Parameters
    ----------
    testset, level, sentences, iterations
        As for `variants`.
    steps : tuple of int
        Iterations that are shown; of a model with fewer, its last.
    words : int
        The sentence is the first with so many words.

    Raises
    ------
    ValueError
        If no sentence has so many words.
    """
    some = short_sentences(testset, sentences)
    part = some[some.groupby("sentence")["form"].transform("size") == words].head(words).reset_index(drop=True)
    if part.empty:
        raise ValueError(f"none of the {sentences} sentences has {words} words.")
    with use_style():
        figure = Figure(figsize=(PAGE_WIDTH, 1.35 * len(DMV_VARIANTS)), layout="constrained")
        grid = figure.subplots(len(DMV_VARIANTS), len(steps), squeeze=False)
        for row, (name, parameters) in zip(grid, DMV_VARIANTS.items(), strict=True):
            model = trained(testset, level, sentences, iterations, tuple(parameters.items()))
            for ax, step in zip(row, (min(asked, model.n_iter_) for asked in steps), strict=True):
                version = model.at_iteration(step)
                found = version.posteriors(part[level].astype("str").tolist())
                posterior_arcs(found, version.parse(part).heads.tolist(), part["form"].astype("str").tolist(), ax=ax)
                ax.set_title(f"{name}, iteration {step}: {parse_ambiguity(found):.2f} bits", fontsize=7)
    return figure
