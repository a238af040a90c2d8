"""Explorers for the lexicon of an induced clustering (Reichart, Abend & Rappoport 2010)."""

from typing import Any

import ipywidgets as widgets
import pandas as pd
import traitlets
from matplotlib.figure import Figure

from analysis.categories import (
    r_of_n,
    restart_values,
    score_word_clusters,
    type_level_scores,
    type_mapping,
    type_table,
)
from analysis.categories.type_measures import MEASURES as TYPE_MEASURES
from analysis.explore.base import Explorer, dropdown, made_by_call, panels
from analysis.figures import line_plot, mapping_graph, strip_plot
from analysis.figures.style import BLUE, GREY, VERMILLION
from analysis.papers.reichart2010.runs import CURVE_SYSTEMS, LOWER_IS_BETTER, MEASURES, SYSTEMS, lexicons
from analysis.papers.reichart2010.setting import Setting
from analysis.papers.reichart2010.tables import curves
from analysis.papers.reichart2010.words import counts, word_frequencies
from analysis.structures import scores_table
from analysis.structures.kept import kept

WORDS = ("dog", "run", "fast", "the", "that", "sing")
CLASSES = ("N", "V", "A", "D")
CLUSTERS = ("1", "2", "3", "4")
GOLD = {"dog": "N", "run": "NV", "fast": "A", "the": "D", "that": "D", "sing": "V"}
INDUCED = {"dog": "1", "run": "2", "fast": "3", "the": "4", "that": "34", "sing": "2"}
NAMES = {name: key for key, name in TYPE_MEASURES.items()}


class CheckboxGrid(widgets.VBox):
    """Checkboxes in rows and columns; ``value`` is the set of ticked pairs.

    Parameters
    ----------
    title : str
    rows, columns : sequence of str
    ticked : set of (row, column)

    Examples
    --------
    >>> grid = CheckboxGrid("gold", ["dog", "run"], ["N", "V"], {("dog", "N")})
    >>> grid.boxes["run", "V"].value = True
    >>> sorted(grid.value)
    [('dog', 'N'), ('run', 'V')]
    """

    value = traitlets.Any()

    def __init__(self, title: str, rows: Any, columns: Any, ticked: set[tuple[str, str]]) -> None:
        self.boxes = {
            (row, column): widgets.Checkbox(
                value=(row, column) in ticked,
                indent=False,
                description="",
                tooltip=f"{title}: {row} in {column}",
                layout=widgets.Layout(width="2.2em", margin="0"),
            )
            for row in rows
            for column in columns
        }
        self._setting = False
        widest = 0.6 * max(len(str(word)) for word in (title, *rows)) + 0.8  # em a character, and a margin
        cell, name = (widgets.Layout(width=width, margin="0") for width in ("2.2em", f"{widest:.1f}em"))
        head = [widgets.Label(title, layout=name), *(widgets.Label(str(column), layout=cell) for column in columns)]
        lines = [
            widgets.HBox([widgets.Label(str(row), layout=name), *(self.boxes[row, column] for column in columns)])
            for row in rows
        ]
        super().__init__([widgets.HBox(head), *lines], layout=widgets.Layout(margin="0 1.5em 0 0"))
        self._read()
        for box in self.boxes.values():
            box.observe(self._read, "value")
        self.observe(self._write, "value")

    def _read(self, _change: object = None) -> None:
        if not self._setting:
            self.value = frozenset(pair for pair, box in self.boxes.items() if box.value)

    def _write(self, _change: object = None) -> None:
        unknown = set(self.value) - set(self.boxes)
        if unknown:
            raise ValueError(f"there is no box {next(iter(unknown))!r}.")
        self._setting = True
        try:
            for pair, box in self.boxes.items():
                box.value = pair in self.value
        finally:
            self._setting = False


def _memberships(pairs: frozenset[tuple[str, str]], what: str) -> pd.DataFrame:
    if not pairs:
        raise ValueError(f"tick at least one box of {what}.")
    return pd.DataFrame(sorted(pairs), columns=["form", "cluster"])


def _score_bars(scores: pd.DataFrame, ax: Any) -> None:
    colours = [VERMILLION if level == "token" else BLUE for level in scores["level"]]
    values = scores["value"].astype("float64")
    bars = ax.barh(range(len(scores)), values, color=colours)
    ax.set_yticks(range(len(scores)), scores["measure"])
    ax.invert_yaxis()
    ax.set(xlim=(0, 1.12), xlabel="Score")
    ax.bar_label(bars, fmt="%.3f", padding=2, fontsize=7)


def _type_scores(gold: pd.DataFrame, predicted: pd.DataFrame) -> pd.DataFrame:
    found = scores_table(type_level_scores(gold, predicted, random_state=0, missing="empty"))
    return found[["measure", "value", "numerator", "denominator"]].assign(measure=MEASURES[6:], level="type")


@made_by_call
def checkbox_lexicon() -> Explorer:
    """Tick the gold classes and the clusters of six words; see the six type-level measures and the mapping.

    A word without a tick on one side counts as wrong there.

    Returns
    -------
    Explorer
        ``value`` maps ``scores`` and ``mapping`` to tables.
    """

    def compute(gold: frozenset, predicted: frozenset, measure: str, how: str) -> dict[str, pd.DataFrame]:
        table = type_table(_memberships(gold, "gold"), _memberships(predicted, "predicted"), missing="empty")
        mapped = type_mapping(table, measure=NAMES[measure], mapping=how, random_state=0)
        words = _memberships(predicted, "predicted").groupby("cluster")["form"].agg(" ".join)
        scores = _type_scores(_memberships(gold, "gold"), _memberships(predicted, "predicted"))
        return {"scores": scores, "mapping": mapped.assign(words=words.reindex(mapped["cluster"]).to_numpy())}

    def draw(value: dict[str, pd.DataFrame]) -> Figure:
        figure, (left, right) = panels(8, 2.8, 2, left=1.0)
        _score_bars(value["scores"], left)
        mapping_graph(value["mapping"], ax=right, classes=list(CLASSES))
        right.set_xlim(-0.9, 1.2)
        return figure

    def alt(value: dict[str, pd.DataFrame]) -> str:
        scores = ", ".join(f"{row.measure} {row.value:.3f}" for row in value["scores"].itertuples())
        edges = ", ".join(
            f"{row.cluster} as {row.gold if isinstance(row.gold, str) else 'nothing'}"
            for row in value["mapping"].itertuples()
        )
        return f"Bars: {scores}. Graph: cluster {edges}"

    ticked = [{(word, mark) for word, marks in side.items() for mark in marks} for side in (GOLD, INDUCED)]
    return Explorer(
        {
            "gold": CheckboxGrid("gold", WORDS, CLASSES, ticked[0]),
            "predicted": CheckboxGrid("predicted", WORDS, CLUSTERS, ticked[1]),
            "measure": dropdown("mapping for", tuple(NAMES), "MacroI"),
            "how": dropdown("mapping", ("one-to-one", "many-to-one"), "one-to-one"),
        },
        compute,
        draw=draw,
        table=lambda value: value["mapping"].round(3),
        alt=alt,
    )


@made_by_call
def each_in_r_of_n() -> Explorer:
    """Show the paper's example: every word has r of n gold classes and is in all n clusters; V and NVI do not depend on
    r.

    Returns
    -------
    Explorer
        ``value`` maps ``curve`` to the table of `analysis.categories.r_of_n`, ``r`` to the selected r, at most n.
    """
    for size in range(2, 13):
        _r_of_n(size)

    def compute(n: int, r: int) -> dict[str, Any]:
        return {"curve": _r_of_n(n), "n": n, "r": r}

    def draw(value: dict[str, Any]) -> Figure:
        figure, axes = panels(5.5, 3)
        rows = value["curve"][value["curve"]["measure"].isin(["MacroI 1-1", "MicroC 1-1", "V", "NVI"])]
        names = {"MacroI 1-1": "MacroI = MicroI, 1-1", "NVI": "NVI (less is better)"}
        line_plot(rows.replace({"measure": names}), x="r", series="measure", ax=axes[0], mark=value["r"],
                  limits=(-0.05, 2.1), labels=("r: gold classes of each word", "Score"))  # fmt: skip
        axes[0].set_title(f"n = {value['n']} classes and clusters; r = {value['r']}")
        return figure

    def chosen(value: dict[str, Any]) -> pd.DataFrame:
        curve = value["curve"]
        return curve[curve["r"] == value["r"]][["measure", "value"]].round(3)

    return Explorer(
        {
            "n": widgets.IntSlider(value=6, min=2, max=12, description="n"),
            "r": widgets.IntSlider(value=3, min=1, max=12, description="r"),
        },
        compute,
        draw=draw,
        table=chosen,
        offered=lambda n, r: {"r": n},
        alt=lambda value: (
            "Lines against r; at r = "
            f"{value['r']}: " + ", ".join(f"{row.measure} {row.value:.3f}" for row in chosen(value).itertuples())
        ),
    )


@kept(maxsize=16)
def _r_of_n(n: int) -> pd.DataFrame:
    return r_of_n(n)


def moved_words(setting: Setting, first: int, count: int, target: str) -> dict[str, Any]:
    """Compute scores before and after some words are moved out of the correct cluster.

    Before, each word is in the cluster of its most frequent class.

    Parameters
    ----------
    setting : Setting
    first : int
        Rank of the first word moved, by frequency.
    count : int
        Number of words moved.
    target : str
        Class whose cluster they are moved to.

    Returns
    -------
    dict
        ``scores``: a table with ``measure``, ``level``, ``before``, ``after``; ``words``: the words moved, with their
        frequency and class; ``share``: their share of the tokens, in percent.
    """
    words = word_frequencies_of(setting)
    moved = (words["rank"] >= first) & (words["rank"] < first + count)
    before = words.set_index("form")["gold"]
    after = before.mask(moved.to_numpy(), target)
    counted = counts(setting)
    pairs = [score_word_clusters(counted, clusters) for clusters in (before, after)]
    scores = pd.DataFrame(
        {
            "measure": ["1-1", "MicroI 1-1"],
            "level": ["token", "type"],
            "before": [float(score) for score in pairs[0]],
            "after": [float(score) for score in pairs[1]],
        }
    )
    chosen = words.loc[moved, ["form", "rank", "frequency", "gold"]].reset_index(drop=True)
    return {
        "scores": scores,
        "words": chosen,
        "share": 100 * float(chosen["frequency"].sum() / words["frequency"].sum()),
        "frequencies": words[["rank", "frequency"]],
    }


@kept(maxsize=4)
def word_frequencies_of(setting: Setting) -> pd.DataFrame:
    """Return the words of a setting by frequency, cached; see `analysis.papers.reichart2010.word_frequencies`."""
    return word_frequencies(setting)


def _words(number: int) -> str:
    return f"{number:,} word{'' if number == 1 else 's'}"


@made_by_call
def token_against_type(corpus: str = "nursery") -> Explorer:
    """Move frequent or rare words into a wrong cluster; see the token score and the type score.

    Parameters
    ----------
    corpus : str

    Returns
    -------
    Explorer
        ``value`` is the result of `moved_words`.
    """
    setting = Setting(corpus=corpus)
    words = word_frequencies_of(setting)
    classes = words["gold"].value_counts()
    steps = [rank for rank in (1, 2, 3, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000) if rank <= len(words)]

    def draw(value: dict[str, Any]) -> Figure:
        figure, (left, right) = panels(7.5, 2.9, 2, left=0.85)
        every, moved = value["frequencies"], value["words"]
        left.plot(every["rank"], every["frequency"], color=GREY)
        left.plot(moved["rank"], moved["frequency"], color=VERMILLION, marker="o", markersize=3, linestyle="none")
        left.set(xscale="log", yscale="log", xlabel="Rank of the word", ylabel="Tokens")
        left.minorticks_off()  # minor ticks take a third of the redrawing time
        left.set_title(f"{_words(len(moved))} moved, {value['share']:.1f} % of tokens")
        for side, (name, colour, hatch) in enumerate((("before", GREY, ""), ("after", VERMILLION, "////"))):
            places = [place + 0.4 * side - 0.2 for place in range(len(value["scores"]))]
            bars = right.bar(
                places, value["scores"][name], width=0.36, color=colour, hatch=hatch, edgecolor="white", label=name
            )
            right.bar_label(bars, fmt="%.3f", fontsize=7)
        right.set_xticks([0, 1], ["tokens, 1-1", "types, MicroI 1-1"])
        right.set_ylabel("Score")
        right.set_ylim(0, 1.3)
        right.legend(loc="upper center", ncols=2)
        return figure

    def alt(value: dict[str, Any]) -> str:
        rows = value["scores"].itertuples()
        numbers = "; ".join(f"{row.measure} {row.before:.3f} before, {row.after:.3f} after" for row in rows)
        return f"Bars: {numbers}. {_words(len(value['words']))} moved, {value['share']:.1f} percent of the tokens"

    return Explorer(
        {
            "first": widgets.SelectionSlider(options=steps, value=1, description="from rank"),
            "count": widgets.SelectionSlider(options=steps, value=min(10, steps[-1]), description="words"),
            "target": dropdown("moved to", tuple(classes.index), classes.index[-1]),
        },
        lambda first, count, target: moved_words(setting, first, count, target),
        draw=draw,
        text=lambda value: (
            "moved: " + ", ".join(value["words"]["form"].head(12)) + (", …" if len(value["words"]) > 12 else "")
        ),
        table=lambda value: (
            value["scores"].assign(change=value["scores"]["after"] - value["scores"]["before"]).round(4)
        ),
        alt=alt,
    )


@made_by_call
def clusters_against_measures(setting: Setting | None = None) -> Explorer:
    """Choose a system and two measures, and see which of them rewards more clusters.

    Parameters
    ----------
    setting : Setting, optional
        Its curves are computed once, before the explorer is shown.

    Returns
    -------
    Explorer
        ``value`` maps ``curve`` to rows of `analysis.papers.reichart2010.curves`, ``measures`` to the two selected.
    """
    table = curves(setting or Setting())

    def compute(system: str, first: str, second: str) -> dict[str, Any]:
        names = list(dict.fromkeys([first, second]))
        rows = table[table["measure"].isin(names)]
        rows = rows if system == "all" else rows[rows["system"] == system]
        return {"curve": rows[["system", "k", "measure", "value"]].reset_index(drop=True), "measures": names}

    def draw(value: dict[str, Any]) -> Figure:
        figure, axes = panels(3.7 * len(value["measures"]), 2.9, len(value["measures"]))
        for ax, measure in zip(axes, value["measures"], strict=True):
            rows = value["curve"][value["curve"]["measure"] == measure]
            line_plot(rows, x="k", ax=ax, mark=17, legend=ax is axes[0], labels=("Clusters K", ""))
            ax.set_title(f"{measure} (less is better)" if measure in LOWER_IS_BETTER else measure)
        return figure

    def alt(value: dict[str, Any]) -> str:
        parts = []
        for (system, measure), rows in value["curve"].groupby(["system", "measure"], sort=False):
            rows = rows.sort_values("k")
            ends = rows.iloc[[0, -1]]
            parts.append(f"{measure} of {system} from {ends['value'].iloc[0]:.3f} at K = {ends['k'].iloc[0]} to "
                         f"{ends['value'].iloc[1]:.3f} at K = {ends['k'].iloc[1]}")  # fmt: skip
        return "Lines: " + "; ".join(parts)

    return Explorer(
        {
            "system": dropdown("system", ("all", *CURVE_SYSTEMS), "all"),
            "first": dropdown("measure", MEASURES, "M-1"),
            "second": dropdown("and", MEASURES, "MacroI 1-1"),
        },
        compute,
        draw=draw,
        table=lambda value: (
            value["curve"].pivot(index=["system", "measure"], columns="k", values="value").astype("float64").round(3)
            .reset_index().rename_axis(columns=None)
        ),
        alt=alt,
    )  # fmt: skip


@made_by_call
def restarts_of_hill_climbing(setting: Setting | None = None) -> Explorer:
    """Choose a system, the number of starts and their seed, and see how much the starts differ.

    Parameters
    ----------
    setting : Setting, optional

    Returns
    -------
    Explorer
        ``value`` is a table: ``measure``, ``initialisation``, ``restart``, ``value``, ``passes``, ``of_best``.
    """
    chosen = setting or Setting()
    tables = {system: lexicons(system, chosen) for system in SYSTEMS}

    def compute(system: str, starts: int, seed: int) -> pd.DataFrame:
        parts = [
            restart_values(
                tables[system], measure=measure, restarts=starts, initialisation=initialisation, random_state=seed
            )
            for measure in TYPE_MEASURES
            for initialisation in ("random", "edges")
        ]
        table = pd.concat(parts, ignore_index=True)
        return table.assign(of_best=table["value"] / table.groupby("measure")["value"].transform("max"))

    def draw(value: pd.DataFrame) -> Figure:
        figure, axes = panels(5.5, 2.9)
        percent = value.assign(percent=100 * value["of_best"])
        labels = ("", "Percent of the best start")
        strip_plot(percent, x="measure", y="percent", series="initialisation", ax=axes[0], mark=99, labels=labels)
        return figure

    def worst(value: pd.DataFrame) -> pd.DataFrame:
        grouped = value.groupby(["measure", "initialisation"], sort=False)
        table = grouped["value"].agg(best="max", worst="min", starts="size").reset_index()
        return table.assign(percent=100 * (1 - table["worst"] / table["best"])).round(4)

    return Explorer(
        {
            "system": dropdown("system", SYSTEMS, "Clark03"),
            "starts": widgets.SelectionSlider(options=(1, 2, 5, 10, 20), value=10, description="starts"),
            "seed": widgets.IntSlider(value=0, min=0, max=20, description="seed"),
        },
        compute,
        draw=draw,
        table=worst,
        alt=lambda value: (
            "Strip plot: worst start below the best: "
            + ", ".join(f"{r.measure} {r.initialisation} {r.percent:.2f} percent" for r in worst(value).itertuples())
        ),
    )
