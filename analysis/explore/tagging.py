"""Explorers for induced word classes, scored as in the PASCAL challenge (Gelling, Cohn, Blunsom & Graça 2012)."""

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from analysis.categories import contingency, one_to_one_mapping
from analysis.explore.base import Explorer, dropdown, made_by_call, panels
from analysis.figures import rank_lines
from analysis.figures.style import BLUE, GREY, floats
from analysis.papers.gelling2012.chance import class_intervals, labelled
from analysis.papers.gelling2012.measures import ranks
from analysis.papers.gelling2012.runs import LOWER_IS_BETTER, WORD_CLASSES
from analysis.papers.gelling2012.setting import LEVELS, Setting
from analysis.papers.gelling2012.tables import MEASURES, OVERALL, WITH_AVERAGES, printed_table
from analysis.papers.recipe import in_percent

SHOWN = 40  # maximum number of clusters or classes drawn


def confusion(testset: str, system: str, gold: str, setting: Setting) -> dict[str, pd.DataFrame]:
    """Compute the confusion matrix of a system, ordered by its one-to-one mapping, and the words of each cluster.

    Returns
    -------
    dict
        ``matrix``: gold classes by clusters, in tokens; matched classes and clusters are on the diagonal, the largest
        pair first, followed by the others by size. ``clusters``: ``cluster``, ``gold`` (the class it is mapped to;
        empty if none), ``tokens``, ``shared``, ``words``, the six most frequent.
    """
    tokens = labelled(testset, system, setting)
    table = contingency(tokens[gold].astype("str"), tokens["predicted"])
    matched = one_to_one_mapping(table, assignment=setting.assignment)
    matrix = pd.DataFrame(table.counts.toarray(), index=table.gold_names.astype("str"), columns=table.predicted_names)
    rest = {
        "gold": [name for name in matrix.sum(axis=1).sort_values(ascending=False).index
                 if name not in set(matched["gold"].astype("str"))],
        "cluster": [name for name in matrix.sum().sort_values(ascending=False).index
                    if name not in set(matched["cluster"])],
    }  # fmt: skip
    matrix = matrix.loc[
        [*matched["gold"].astype("str"), *rest["gold"]], [*matched["cluster"], *rest["cluster"]]
    ].rename_axis(index="gold", columns="cluster")
    sizes = tokens.groupby(["predicted", "form"], observed=True).size().rename("tokens").reset_index()
    sizes = sizes.astype({"form": "str"}).sort_values(["tokens", "form"], ascending=[False, True])
    words = sizes.groupby("predicted")["form"].agg(lambda forms: " ".join(forms[:6]))
    read = matched.set_index("cluster")
    clusters = pd.DataFrame(
        {
            "cluster": matrix.columns,
            "gold": [str(read["gold"].get(name, "")) for name in matrix.columns],
            "tokens": matrix.sum().to_numpy(),
            "shared": [int(read["tokens"].get(name, 0)) for name in matrix.columns],
            "words": words.reindex(matrix.columns).to_numpy(),
        }
    )
    return {"matrix": matrix, "clusters": clusters}


@made_by_call
def induced_classes(setting: Setting | None = None) -> Explorer:
    """Choose a test set, a system, and the gold tags; see the confusion matrix, words of each cluster, all measures.

    Parameters
    ----------
    setting : Setting, optional

    Returns
    -------
    Explorer
        ``value`` maps ``matrix`` and ``clusters`` to the results of `confusion` and ``scores`` to the measures with
        their 95 % bootstrap intervals.
    """
    chosen = setting or Setting()
    testsets = chosen.testsets

    def compute(testset: str, system: str, gold: str) -> dict[str, pd.DataFrame]:
        scores = class_intervals(testset, system, chosen, gold=gold, resamples=100)
        return {**confusion(testset, system, gold, chosen), "scores": scores}

    for system in WORD_CLASSES:  # so that the first selection responds quickly
        compute(testsets[0], system, "universal")

    def draw(value: dict[str, pd.DataFrame]) -> Figure:
        matrix = value["matrix"].iloc[:SHOWN, :SHOWN]
        shares = matrix.to_numpy() / np.maximum(value["matrix"].sum().to_numpy()[: matrix.shape[1]], 1)
        height = 1.6 + 0.17 * len(matrix)
        figure, axes = panels(min(2.2 + 0.26 * matrix.shape[1], 10), height, left=1.2)
        ax = axes[0]
        ax.imshow(shares, cmap="cividis", vmin=0, vmax=1, aspect="auto")
        ax.set_yticks(range(len(matrix)), matrix.index, fontsize=7)
        ax.set_xticks(range(matrix.shape[1]), [str(name) for name in matrix.columns], fontsize=6, rotation=90)
        ax.set_xlabel("Cluster")
        ax.grid(False)
        ax.set_title("Share of each cluster's tokens", loc="left")
        return figure

    def alt(value: dict[str, pd.DataFrame]) -> str:
        read = value["clusters"][value["clusters"]["gold"] != ""].head(12)
        pairs = ", ".join(f"{row.cluster} as {row.gold}" for row in read.itertuples())
        return (
            f"Confusion matrix of {value['matrix'].shape[0]} classes and {value['matrix'].shape[1]} clusters: {pairs}"
        )

    return Explorer(
        {
            "testset": dropdown("test set", testsets, testsets[0]),
            "system": dropdown("system", WORD_CLASSES, "MK-u"),
            "gold": dropdown("gold tags", tuple(LEVELS.values()), "universal"),
        },
        compute,
        draw=draw,
        text=lambda value: "; ".join(
            f"{row.measure} {row.value:.2f} ({row.lower:.2f} to {row.upper:.2f})"
            for row in in_percent(value["scores"]).itertuples()
        ),
        table=lambda value: value["clusters"].head(SHOWN),
        alt=alt,
    )


@made_by_call
def printed_rankings() -> Explorer:
    """Choose a printed table, a test set, a measure and a system; see sorted values, and ranks by every measure.

    Returns
    -------
    Explorer
        ``value`` maps ``order`` to ``system``, ``value``, ``rank`` by the chosen measure and ``ranks`` to the result of
        `analysis.papers.gelling2012.ranks`.

    """
    titles = {2: "classes, universal", 7: "classes, fine", 3: "trees", 8: "trees, short", 4: "joint", 9: "joint, short"}
    names = [(f"{number} ({titles[number]})", number) for number in WITH_AVERAGES]
    testsets = (OVERALL, *dict.fromkeys(printed_table(3)["testset"]))

    def compute(number: int, testset: str, measure: str, system: str) -> dict[str, Any]:
        table = ranks(number, testset=testset)
        order = table[table["measure"] == measure].sort_values("rank", kind="stable")
        known = system in set(table["system"])
        return {"order": order[["system", "value", "rank"]].reset_index(drop=True), "ranks": table, "number": number,
                "measure": measure, "system": system if known else None}  # fmt: skip

    def draw(value: dict[str, Any]) -> Figure:
        order = value["order"]
        figure, (left, right) = panels(9, 1 + 0.23 * len(order), 2, left=0.9)
        values = floats(order["value"])
        colours = [BLUE if name == value["system"] or value["system"] is None else GREY for name in order["system"]]
        bars = left.barh(range(len(order)), values, color=colours)
        left.set_yticks(range(len(order)), order["system"])
        left.invert_yaxis()
        measure = value["measure"]
        left.set_xlabel(f"{measure}, bits (less is better)" if measure in LOWER_IS_BETTER else f"{measure}, percent")
        left.bar_label(bars, fmt="%.1f", padding=2, fontsize=7)
        rank_lines(value["ranks"], MEASURES[value["number"]], ax=right, marked=value["system"],
                   lower_is_better=LOWER_IS_BETTER)  # fmt: skip
        return figure

    def alt(value: dict[str, Any]) -> str:
        order = ", ".join(f"{row.system} {row.value:.1f}" for row in value["order"].itertuples())
        return f"Bars by {value['measure']}: {order}. Bump chart of the ranks by {', '.join(MEASURES[value['number']])}"

    def offered(number: int, testset: str, **_: Any) -> dict[str, list[str]]:
        ranked = ranks(number, testset=testset)
        systems = [name for name in dict.fromkeys(printed_table(number)["system"]) if name in set(ranked["system"])]
        return {"measure": list(MEASURES[number]), "system": ["none", *systems]}

    return Explorer(
        {
            "number": dropdown("table", names, 2),
            "testset": dropdown("test set", testsets, OVERALL),
            "measure": dropdown("measure", MEASURES[2], "VM"),
            "system": dropdown("mark", ("none", "G-u"), "G-u"),
        },
        compute,
        draw=draw,
        alt=alt,
        offered=offered,
    )
