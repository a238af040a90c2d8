"""The paper's figures; each draws one of the tables and computes nothing itself."""

from functools import partial

import pandas as pd
from matplotlib.figure import Figure

from analysis.experiments import read_stored
from analysis.figures import correlation_heatmap, precision_against_recall, ranked_sizes, small_multiples
from analysis.papers.frank2009.setting import Setting
from analysis.papers.frank2009.tables import condition, ranked_cluster_sizes, stored_full_run, table2, table3
from analysis.papers.recipe import printed, takes_setting

PAIRS = {"pairwise": ("PP", "PR"), "substitutable": ("SP", "SR")}


def precision_recall_points(table: pd.DataFrame, inventory: str, measure: str) -> pd.DataFrame:
    """One row per system and K: ``system``, ``k``, ``precision``, ``recall`` of the measure.

    Parameters
    ----------
    table : DataFrame
        What `table3` returned, or the printed Table 3.
    inventory : {"coarse", "fine"}
        Gold tags of the pairwise measure.
    measure : {"pairwise", "substitutable"}

    Returns
    -------
    DataFrame
    """
    names = dict(zip(PAIRS[measure], ("precision", "recall"), strict=True))
    if "inventory" in table.columns:
        table = table[table["inventory"].isin([inventory, "none"])]
    rows = table[table["measure"].isin(list(names))]
    points = rows.pivot(index=["system", "k"], columns="measure", values="value").reset_index()
    return points.rename(columns=names).rename_axis(columns=None)


@takes_setting(Setting)
def figure1(setting: Setting, inventory: str = "coarse") -> Figure:
    """Pairwise (left) and substitutable (right) precision against recall; the size of the points is K.

    Hollow points are the printed ones, shown where the corpus is a real one.

    Parameters
    ----------
    setting, **choices
        Setting of the paper, or single fields of it by name; see `Setting`.
    inventory : str
        Gold tags: coarse or fine.

    Returns
    -------
    Figure

    References
    ----------
    Frank, Goldwater & Keller (2009), Figure 1.
    """
    return setting.marked(_precision_recall(table3(setting), inventory, beside=not setting.generated))


def stored_figure1(inventory: str = "coarse") -> Figure:
    """As `figure1`, of the run that is stored in the suite, computed on the Manchester corpus.

    Parameters
    ----------
    inventory : str
        Gold tags: coarse or fine.

    Returns
    -------
    Figure
    """
    return _precision_recall(condition(stored_full_run(), "merge"), inventory, beside=True)


def _precision_recall(ours: pd.DataFrame, inventory: str, beside: bool) -> Figure:
    theirs = printed("frank2009", "table3_merge")
    panels = [
        (f"{name} precision and recall",
         partial(precision_against_recall, precision_recall_points(ours, inventory, name), labels=(recall, precision),
                 printed=precision_recall_points(theirs, inventory, name) if beside else None))
        for name, (precision, recall) in PAIRS.items()
    ]  # fmt: skip
    return small_multiples(panels, columns=2, height=3.4, legend_columns=9)


@takes_setting(Setting)
def figure2(setting: Setting, unit: str = "types", inventory: str | None = None) -> Figure:
    """Ranked cluster sizes on a logarithmic scale, one panel per K.

    Parameters
    ----------
    setting, **choices
        Setting of the paper, or single fields of it by name; see `Setting`.
    unit : {"types", "tokens"}
    inventory : {"coarse", "fine"}, optional
        Gold classes shown; by default the collapsed ones in the first panel and the fine ones in the others.

    Returns
    -------
    Figure

    References
    ----------
    Frank, Goldwater & Keller (2009), Figure 2.
    """
    sizes, panels = ranked_cluster_sizes(setting, unit=unit), []
    for place, k in enumerate(setting.clusters):
        gold = inventory or ("coarse" if place == 0 else "fine")
        truth = sizes[sizes["system"] == f"gold {gold}"].assign(system="gold")
        shown = pd.concat([truth, sizes[(sizes["k"] == k) & sizes["system"].isin(["BHMM", "HC", "FF"])]])
        draw = partial(ranked_sizes, shown, labels=("Cluster, by size", f"Word {unit} in the cluster"))
        panels.append((f"K = {k} (gold: {gold} tags)", draw))
    return setting.marked(small_multiples(panels, columns=len(panels), height=3.0, share=(False, True)))


@takes_setting(Setting)
def correlations_figure(setting: Setting) -> Figure:
    """Rank correlations between the measures: from the printed Table 3, and recomputed with either gold inventory.

    Parameters
    ----------
    setting, **choices
        Setting of the paper, or single fields of it by name; see `Setting`.

    Returns
    -------
    Figure
    """
    tables = {} if setting.generated else {"printed": table2(source="printed")}
    return setting.marked(_correlations(tables, table2(setting)))


def stored_correlations_figure() -> Figure:
    """As `correlations_figure`, of the correlations that are stored in the suite, computed on the Manchester corpus.

    Returns
    -------
    Figure
    """
    stored = read_stored("frank2009_table2", table2).table
    printed_ones = stored["source"] == "printed"
    return _correlations({"printed": stored[printed_ones]}, stored[~printed_ones])


def _correlations(tables: dict[str, pd.DataFrame], recomputed: pd.DataFrame) -> Figure:
    """A heat map of each table by its title, then of each gold inventory."""
    tables |= {f"{name} tags": part for name, part in recomputed.groupby("inventory", sort=False)}
    panels = [(title, partial(correlation_heatmap, table, bar=False)) for title, table in tables.items()]
    return small_multiples(panels, columns=max(len(panels), 2), height=2.4)
