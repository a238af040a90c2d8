"""Explorer of iterative systems (Reichart, Abend & Rappoport 2010)."""

from typing import Any

import ipywidgets as widgets
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from analysis.categories import QUICK_MEASURES
from analysis.explore.base import Explorer, made_by_call
from analysis.figures import line_plot
from analysis.figures.style import BLUE
from analysis.papers.reichart2010.chains import cluster_words, samples
from analysis.papers.reichart2010.setting import Setting


@made_by_call
def clusters_over_sweeps(system: str = "GJ08", setting: Setting | None = None) -> Explorer:
    """Step through the sweeps of one sampler; see its largest clusters, the number of clusters, and the scores.

    Parameters
    ----------
    system : {"GG07", "GVG09(1)", "GVG09(2)", "GVG09(3)", "GJ08", "GJ08 VB"}
    setting : Setting, optional
        Setting with the length of the chain, which is run once before the explorer is shown.

    Returns
    -------
    Explorer
        ``value`` maps ``samples`` to the rows of `analysis.papers.reichart2010.samples`, ``sweep`` to the selected one,
        ``words`` to the table of `analysis.papers.reichart2010.cluster_words`.
    """
    chosen = setting or Setting()
    table = samples(chosen, systems=[system])
    long = table.melt(["sweep"], ["V", "MicroI 1-1"], "measure")

    def compute(sweep: int, clusters: int) -> dict[str, Any]:
        return {"samples": table, "sweep": sweep, "words": cluster_words(chosen, system, sweep, clusters=clusters)}

    def draw(value: dict[str, Any]) -> Figure:
        figure = Figure(figsize=(8.2, 0.9 + 0.19 * max(len(value["words"]), 9)), layout="constrained")
        left, right = figure.subplots(1, 2, width_ratios=(3, 2))
        draw_sizes(value["words"], left)
        line_plot(long, x="sweep", series="measure", ax=right, scale="log", limits=(0, 1), mark=value["sweep"],
                  labels=("Sweep", "Score"))  # fmt: skip
        left.set_title(f"{system}: the largest clusters after sweep {value['sweep']}")
        return figure

    def now(value: dict[str, Any]) -> pd.Series:
        return table[table["sweep"] == value["sweep"]].iloc[0]

    def text(value: dict[str, Any]) -> str:
        row = now(value)
        return f"sweep {row['sweep']:,}: {row['clusters']} clusters, log probability {row['objective']:,.0f}"

    def alt(value: dict[str, Any]) -> str:
        row, first = now(value), value["words"].iloc[0]
        return (
            f"Bars: the largest clusters of {system}, the first with {first['words']}. Lines: V {row['V']:.3f} and "
            f"MicroI 1-1 {row['MicroI 1-1']:.3f} after sweep {row['sweep']}, with {row['clusters']} clusters"
        )

    sweeps = table["sweep"].tolist()
    return Explorer(
        {
            "sweep": widgets.SelectionSlider(options=sweeps, value=sweeps[-1], description="sweep"),
            "clusters": widgets.IntSlider(value=min(10, int(table["clusters"].max())), min=3, max=25,
                                          description="clusters"),
        },
        compute,
        draw=draw,
        text=text,
        table=lambda value: table[["sweep", "clusters", "objective", *QUICK_MEASURES]].round(3),
        alt=alt,
    )  # fmt: skip


def draw_sizes(table: pd.DataFrame, ax: Axes) -> None:
    """Draw the largest clusters with their size in tokens and their most frequent words.

    Parameters
    ----------
    table : DataFrame
        Result of `analysis.papers.reichart2010.cluster_words`.
    ax : Axes
    """
    places, of_class = range(0, -len(table), -1), table["tokens"] * table["share"]
    ax.barh(places, of_class, color=BLUE)
    ax.barh(places, table["tokens"] - of_class, left=of_class, color="#C8C8C8")
    ax.set_yticks(places, [f"{row.words}  [{row.cluster}]" for row in table.itertuples()], fontsize=7)
    for place, row in zip(places, table.itertuples(), strict=True):
        ax.annotate(str(row.gold), (float(str(row.tokens)), place), xytext=(3, 0), textcoords="offset points",
                    va="center", fontsize=7)  # fmt: skip
    ax.set_xlim(0, 1.15 * table["tokens"].max())
    ax.set_xlabel("Tokens; blue: of the named class")
    ax.grid(False, axis="y")
