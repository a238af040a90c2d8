"""Explorers for dependency trees and their measures (Gelling, Cohn, Blunsom & Graça 2012)."""

from collections.abc import Sequence
from functools import partial
from typing import Any

import ipywidgets as widgets
import numpy as np
import pandas as pd
import traitlets
from matplotlib.figure import Figure

from analysis.dependencies import CONVENTIONS, attachment_scores, find_punctuation
from analysis.explore.base import Explorer, dropdown, made_by_call, panels
from analysis.figures import dependency_arcs, line_plot, system_styles
from analysis.figures.style import floats
from analysis.papers.gelling2012.measures import conventions
from analysis.papers.gelling2012.runs import TREE_MEASURES, TREES, evaluations, prepared_model, run_named
from analysis.papers.gelling2012.setting import LEVELS, Setting, data
from analysis.papers.recipe import in_percent

#: The sentence shown first.
EXAMPLE = pd.DataFrame(
    {
        "sentence": 0,
        "form": ["the", "duck", "swims", "in", "the", "pond"],
        "universal": ["DET", "NOUN", "VERB", "ADP", "DET", "NOUN"],
        "head": [2, 3, 0, 3, 6, 4],
    }
)


class HeadsEditor(widgets.VBox):
    """Editor of heads: choose a sentence, then click a word and its new head in a row of buttons (ROOT and the words).

    The word clicked first is dark and its present head light; clicking it again deselects it. ``value`` is
    (sentence, heads).

    Parameters
    ----------
    sentences : sequence of sequence of str
        Words of each sentence.
    heads : sequence of sequence of int
        Initial heads, from 1; 0 is the root.
    gold : sequence of sequence of int, optional
        Gold heads, for a button that resets to them.

    Attributes
    ----------
    buttons : list of Button
        ROOT, then one button per word of the sentence.
    resets : dict of str to Button
        ``"prediction"`` resets to the initial heads; ``"gold"`` to the gold heads, if given.
    selected : int
        The word whose head the next click sets, from 1; 0 if none.

    Examples
    --------
    >>> editor = HeadsEditor([["ducks", "swim"]], [[2, 0]])
    >>> editor.buttons[1].click()
    >>> editor.buttons[0].click()
    >>> editor.value
    (0, (0, 0))
    """

    value = traitlets.Any()

    def __init__(
        self,
        sentences: Sequence[Sequence[str]],
        heads: Sequence[Sequence[int]],
        gold: Sequence[Sequence[int]] | None = None,
    ) -> None:
        self._words = [list(map(str, words)) for words in sentences]
        self._first = [tuple(int(head) for head in tree) for tree in heads]
        self._setting = False
        self.selected = 0
        self.buttons: list[widgets.Button] = []
        names = [(" ".join(words), place) for place, words in enumerate(self._words)]
        self.chooser = dropdown("sentence", names, 0, "42em")
        trees = {"prediction": self._first}
        if gold is not None:
            trees["gold"] = [tuple(int(head) for head in tree) for tree in gold]
        self.resets = {name: self._reset_button(name, those) for name, those in trees.items()}
        self._row = widgets.HBox(layout=widgets.Layout(flex_flow="row wrap", width="100%"))
        self._told = widgets.Label()
        below = widgets.HBox([*self.resets.values(), self._told], layout=widgets.Layout(flex_flow="row wrap"))
        super().__init__([self.chooser, self._row, below])
        self.observe(self._write, "value")
        self.value = (0, self._first[0])
        self.chooser.observe(self._choose, "value")

    def _reset_button(self, name: str, trees: list[tuple[int, ...]]) -> widgets.Button:
        button = widgets.Button(description=f"Reset to {name}", icon="undo", layout=widgets.Layout(width="auto"))

        def reset(_button: object) -> None:
            self.selected = 0
            self.value = (self.chooser.value, trees[self.chooser.value])
            self._show()

        button.on_click(reset)
        return button

    def _build(self, words: list[str]) -> None:
        self.buttons = []
        for place, word in enumerate(["ROOT", *words]):
            text = f"{place} {word}" if place else word
            layout = widgets.Layout(width="auto", min_width="3.5em")
            button = widgets.Button(description=text, layout=layout)
            button.on_click(partial(self._click, place))
            self.buttons.append(button)
        self._row.children = self.buttons

    def _click(self, place: int, _button: object = None) -> None:
        sentence, heads = self.value
        if not self.selected or place == self.selected:
            self.selected = 0 if self.selected else place
            self._show("" if place else "ROOT has no head; click a word first.")
            return
        changed = list(heads)
        changed[self.selected - 1] = place
        self.selected = 0
        self.value = (sentence, tuple(changed))
        self._show()

    def _show(self, told: str = "") -> None:
        """Show what the next click does, as text and by the style of the buttons."""
        sentence, heads = self.value
        names = ["ROOT", *self._words[sentence]]
        head = heads[self.selected - 1] if self.selected else -1
        for place, button in enumerate(self.buttons):
            button.button_style = "primary" if self.selected and place == self.selected else ""
            if place == head:
                button.button_style = "info"
            button.tooltip = f"{names[place]}, under {names[heads[place - 1]]}" if place else "the root"
        if self.selected:
            word = names[self.selected]
            told = f"“{word}” is under “{names[head]}”: click its new head, or “{word}” again to deselect it."
        self._told.value = told or "Click a word, then its new head."

    def _choose(self, _change: object = None) -> None:
        if not self._setting:
            self.value = (self.chooser.value, self._first[self.chooser.value])

    def _write(self, change: Any) -> None:
        sentence, heads = self.value
        words = self._words[sentence]
        if len(heads) != len(words):
            self.value = change["old"]
            raise ValueError(f"there are {len(heads)} heads for {len(words)} words.")
        if sentence != self.chooser.value:
            self._setting = True
            self.chooser.value = sentence
            self._setting = False
        if not self.buttons or change["old"][0] != sentence:
            self.selected = 0
            self._build(words)
        self._show()


def _columns(sentence: pd.DataFrame) -> pd.DataFrame:
    kept = [name for name in ("form", "universal") if name in sentence.columns]
    return sentence[kept].astype("str").assign(sentence=0, head=sentence["head"].to_numpy()).reset_index(drop=True)


@made_by_call
def arcs_by_hand(sentences: pd.DataFrame | None = None, predicted: Any = None, *, punctuation: bool = True) -> Explorer:
    """Click a word, then its new head, and see the gold tree, your tree, and how each measure counts every edge.

    Parameters
    ----------
    sentences : DataFrame, optional
        Gold tokens of some sentences (``sentence``, ``form``, ``head``); the default is an invented sentence.
    predicted : array-like of shape (n_tokens,), optional
        Initial heads; by default the head of every word is the next word.
    punctuation : bool
        Initial value: whether punctuation is scored.

    Returns
    -------
    Explorer
        ``value`` maps ``gold`` and ``predicted`` to tables, ``scores`` to the three measures and ``tokens`` to the
        reason why each edge counts.
    """
    gold = EXAMPLE if sentences is None else sentences
    parts = [_columns(part) for _, part in gold.groupby("sentence", sort=False, observed=True)]
    if predicted is None:
        trees = [[*range(2, len(part) + 1), 0] for part in parts]
    else:
        sizes = np.cumsum([len(part) for part in parts])[:-1]
        trees = [tree.tolist() for tree in np.split(np.asarray(predicted), sizes)]

    def compute(heads: tuple[int, tuple[int, ...]], kept: str) -> dict[str, Any]:
        sentence, tree = heads
        part = parts[sentence]
        scores = attachment_scores(part, np.array(tree), punctuation=kept == "scored")
        found = part.assign(head=list(tree))
        return {"gold": part, "predicted": found, "scores": scores.to_frame(), "tokens": scores.tokens}

    def draw(value: dict[str, Any]) -> Figure:
        words = max(len(value["gold"]), 4)
        figure = Figure(figsize=(min(0.95 * words + 0.8, 11), 4.2))
        above, below = figure.subplots(2, 1)
        figure.subplots_adjust(left=0.02, right=0.98, top=0.93, bottom=0.02, hspace=0.35)
        dependency_arcs(value["gold"], ax=above)
        above.set_title("gold", loc="left")
        dependency_arcs(value["predicted"], counts_as=value["tokens"]["counts_as"].astype("str").tolist(), ax=below)
        return figure

    def alt(value: dict[str, Any]) -> str:
        edges = zip(value["gold"]["form"], value["predicted"]["head"], value["tokens"]["counts_as"], strict=True)
        names = ["ROOT", *value["gold"]["form"]]
        return "Arcs: " + ", ".join(f"{word} under {names[head]}: {reason}" for word, head, reason in edges)

    return Explorer(
        {
            "heads": HeadsEditor(
                [part["form"].tolist() for part in parts], trees, [part["head"].tolist() for part in parts]
            ),
            "kept": dropdown("punctuation", ("left out", "scored"), "scored" if punctuation else "left out"),
        },
        compute,
        draw=draw,
        text=lambda value: ", ".join(
            f"{row.measure} {'undefined' if pd.isna(row.value) else f'{100 * row.value:.1f}'} "
            f"({row.numerator}/{row.denominator})"
            for row in value["scores"].itertuples()
        ),
        alt=alt,
    )


@made_by_call
def dmv_iterations(
    testset: str = "nursery", level: str = "fine", setting: Setting | None = None, *, sentences: int = 300
) -> Explorer:
    """Step through the iterations of DMV: log-likelihood, scores, and the tree and posteriors of one sentence.

    Parameters
    ----------
    testset : str
    level : {"coarse", "fine", "universal"}
        Granularity of tags.
    setting : Setting, optional
        Number of iterations, and other parameters of DMV.
    sentences : int
        Number of test sentences scored at each iteration: the first ones with 4 to 10 tokens.

    Returns
    -------
    Explorer
        ``value`` maps ``trace`` to a table (``iteration``, ``log_likelihood`` of the parameters, and the three
        measures in percent), ``sentence`` to the sentence with its tree and ``posteriors`` to a table
        (head by word, punctuation left out).
    """
    chosen = setting or Setting()
    letter = {name: letter for letter, name in LEVELS.items()}[level]
    run = run_named(testset, f"DMV-{letter}", "dependencies", chosen)
    model, text = prepared_model(testset, run, keep_history=True)
    model.fit(text)
    test = data(testset).test
    sizes = test.groupby("sentence")["position"].transform("size")
    some = test[sizes.between(4, 10)]
    some = some[some["sentence"].isin(some["sentence"].drop_duplicates().head(sentences))].reset_index(drop=True)
    versions = [model.at_iteration(step) for step in range(model.n_iter_ + 1)]
    trees = [version.parse(some).heads for version in versions]
    rows = []
    for step, tree in enumerate(trees):
        scores = [100 * float(score) for score in attachment_scores(some, tree, punctuation=False).scores()]
        value = model.log_likelihoods_[step] if step < model.n_iter_ else versions[-1].score(_trained(model, text))
        rows.append((step, value, *scores))
    trace = pd.DataFrame(rows, columns=["iteration", "log_likelihood", *TREE_MEASURES])
    long = trace.melt("iteration", var_name="quantity")
    numbers = some["sentence"].drop_duplicates().tolist()[:40]
    names = {" ".join(some["form"][some["sentence"] == n].astype("str")): n for n in numbers}

    def compute(iteration: int, sentence: str) -> dict[str, Any]:
        rows = (some["sentence"] == names[sentence]).to_numpy()
        part = some[rows].reset_index(drop=True)
        tree = _columns(part).assign(head=trees[iteration][rows])
        scores = attachment_scores(_columns(part), tree["head"].to_numpy(), punctuation=False)
        reasons = scores.tokens["counts_as"].astype("str")
        kept = part[~find_punctuation(part).mask]
        posteriors = versions[iteration].posteriors(kept[level].astype("str").tolist())
        words = kept["form"].astype("str").tolist()
        posteriors = posteriors.set_axis(words, axis=1).set_axis(["ROOT", *words], axis=0)
        return {"trace": trace, "iteration": iteration, "sentence": tree.assign(counts_as=reasons.to_numpy()),
                "posteriors": posteriors}  # fmt: skip

    def draw(value: dict[str, Any]) -> Figure:
        figure = Figure(figsize=(10.5, 5.6))
        rows = figure.add_gridspec(2, 1, height_ratios=(1.2, 1), hspace=0.5, left=0.08, right=0.98, top=0.9,
                                   bottom=0.02)  # fmt: skip
        left, right, posterior = _panels(rows[0], 3)
        lines = partial(
            line_plot, x="iteration", series="quantity", mark=value["iteration"], markers=False, legend=False
        )
        is_score = long["quantity"].isin(TREE_MEASURES)
        lines(long[~is_score], ax=left, labels=("Iteration", "Log-likelihood (nats)"))
        lines(long[is_score], ax=right, labels=("Iteration", "Percent right"))
        right.legend(loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=3, fontsize=7)
        _posteriors(posterior, value["posteriors"])
        part = value["sentence"]
        reasons = part["counts_as"].tolist()
        dependency_arcs(part.drop(columns="counts_as"), counts_as=reasons, ax=_panels(rows[1], 1)[0])
        return figure

    def alt(value: dict[str, Any]) -> str:
        row = value["trace"].iloc[value["iteration"]]
        numbers = ", ".join(f"{measure} {row[measure]:.1f}" for measure in TREE_MEASURES)
        return f"After {value['iteration']} iterations: log-likelihood {row['log_likelihood']:,.1f}, {numbers}"

    steps = widgets.IntSlider(value=0, min=0, max=model.n_iter_, description="iteration")
    return Explorer(
        {"iteration": steps, "sentence": dropdown("sentence", tuple(names), next(iter(names)), "40em")},
        compute,
        draw=draw,
        text=alt,
        alt=alt,
    )


def _trained(model: Any, text: pd.DataFrame) -> pd.DataFrame:
    """Return the sentences that the model was trained on: those short enough without punctuation."""
    words = pd.Series(~find_punctuation(text, model.punctuation_rule).mask, index=text.index)
    return text[words.groupby(text["sentence"]).transform("sum").between(1, model.max_length or len(text))]


def _panels(place: Any, columns: int) -> list[Any]:
    cells = place.subgridspec(1, columns, wspace=0.45)
    return [place.get_gridspec().figure.add_subplot(cells[0, column]) for column in range(columns)]


def _posteriors(ax: Any, table: pd.DataFrame) -> None:
    ax.imshow(table.to_numpy(), cmap="cividis", vmin=0, vmax=1, aspect="auto")
    ax.set_xticks(range(table.shape[1]), table.columns, rotation=90, fontsize=7)
    ax.set_yticks(range(len(table)), table.index, fontsize=7)
    ax.set_title("Probability of each head (row)", loc="left")
    ax.grid(False)
    for (row, column), probability in np.ndenumerate(table.to_numpy()):
        if probability >= 0.05:
            ax.text(column, row, f"{probability:.2f}"[1:] if probability < 0.995 else "1", ha="center", va="center",
                    fontsize=6, color="white" if probability < 0.55 else "black")  # fmt: skip


@made_by_call
def accuracy_breakdown(setting: Setting | None = None) -> Explorer:
    """Choose systems, a test set and a measure; see accuracy by dependency length, relation, or sentence length.

    Parameters
    ----------
    setting : Setting, optional

    Returns
    -------
    Explorer
        ``value`` is a table: ``system``, the label (``length``, ``relation``, ``sentence_length``), ``value``
        (proportion), ``numerator``, ``denominator``.

    Raises
    ------
    ValueError
        In the explorer's computation, if no system is selected or the test set has no relations; it is shown as a
        message.
    """
    chosen = setting or Setting()
    testsets, found = chosen.testsets, evaluations(chosen)
    tables = {"length": found["lengths"], "relation": found["relations"], "sentence_length": found["sentence_lengths"]}

    def compute(testset: str, by: str, measure: str, shown: tuple[str, ...]) -> pd.DataFrame:
        if not shown:
            raise ValueError("choose at least one system.")
        table = tables[by]
        rows = table[(table["testset"] == testset) & (table["track"] == "dependencies")]
        rows = rows[(rows["measure"] == measure) & rows["system"].isin(shown)].dropna(subset=by)
        if not len(rows):
            raise ValueError(f"{testset} has no relations of Table 6.")
        rows = rows.astype({by: "str"}) if by == "relation" else rows
        return rows[["system", by, "value", "numerator", "denominator"]].reset_index(drop=True)

    def draw(value: pd.DataFrame) -> Figure:
        by = value.columns[1]
        figure, axes = panels(8, 3.2)
        figure.subplots_adjust(right=0.87)  # the legend is beside the axes, where it covers no point
        names = list(dict.fromkeys(value[by]))
        shown = in_percent(value).assign(place=value[by].map(names.index))
        line_plot(shown, x="place", ax=axes[0], limits=(0, 100), joined=by != "relation", legend=False,
                  labels=(by.replace("_", " "), "Percent right"))  # fmt: skip
        axes[0].set_xticks(range(len(names)), [f"≤ {name}" if by == "sentence_length" else name for name in names])
        axes[0].legend(loc="upper left", bbox_to_anchor=(1, 1), fontsize=7)
        return figure

    def alt(value: pd.DataFrame) -> str:
        by = value.columns[1]
        parts = []
        for name, rows in in_percent(value).groupby("system", sort=False):
            pairs = zip(rows[by], floats(rows["value"]), strict=True)
            parts.append(f"{name}: " + ", ".join(f"{label} {number:.1f}" for label, number in pairs))
        return f"Lines of accuracy by {by.replace('_', ' ')}. " + "; ".join(parts)

    return Explorer(
        {
            "testset": dropdown("test set", testsets, testsets[0]),
            "by": dropdown("by", ("length", "relation", "sentence_length"), "length"),
            "measure": dropdown("measure", TREE_MEASURES, "directed"),
            "shown": widgets.SelectMultiple(options=TREES, value=("DMV-p", "LB", "RB"), description="systems", rows=7),
        },
        compute,
        draw=draw,
        table=lambda value: (
            in_percent(value).assign(value=lambda shown: shown["value"].astype("float64").round(1))
            .pivot(index="system", columns=value.columns[1], values="value").reset_index().rename_axis(columns=None)
        ),
        alt=alt,
    )  # fmt: skip


def _apart(values: pd.Series, least: float = 2.0) -> pd.Series:
    """Compute positions of the labels beside each value so that they do not overlap."""
    ordered = values.sort_values()
    places = ordered.to_numpy(copy=True)
    for place in range(1, len(places)):
        places[place] = max(places[place], places[place - 1] + least)
    return pd.Series(places, index=ordered.index)


@made_by_call
def conventions_and_ranks(setting: Setting | None = None) -> Explorer:
    """Choose a convention (punctuation, length limit, root edges) and see how scores and ranks of the systems change.

    Parameters
    ----------
    setting : Setting, optional

    Returns
    -------
    Explorer
        ``value`` is a table: ``system``, ``value`` and ``rank`` under the challenge's conventions, ``value_then`` and
        ``rank_then`` under the other convention, ``moved`` (ranks gained).
    """
    chosen = setting or Setting()
    testsets, both = chosen.testsets, ("value", "value_then")
    conventions(testsets[0], chosen)

    def compute(testset: str, convention: str, measure: str) -> pd.DataFrame:
        table = conventions(testset, chosen)
        table = table[table["measure"] == measure].set_index("system")
        before = table[table["convention"] == next(iter(CONVENTIONS))][["value", "rank"]]
        after = table[table["convention"] == convention][["value", "rank"]]
        found = before.join(after.add_suffix("_then")).reset_index()
        return found.assign(moved=found["rank"] - found["rank_then"])

    def draw(value: pd.DataFrame) -> Figure:
        figure, axes = panels(4.6, 3.2)
        shown = in_percent(value, both).set_index("system").astype({"value_then": "float64"})
        ends = _apart(shown["value_then"])
        for name, style in system_styles(value["system"]).items():
            row = shown.loc[name]
            axes[0].plot([0, 1], [row["value"], row["value_then"]], color=style.color, marker=style.marker,
                         linestyle=style.linestyle)  # fmt: skip
            axes[0].annotate(name, (1.03, ends[name]), va="center", fontsize=7)
        axes[0].set_xticks([0, 1], ["the challenge's", "selected"])
        axes[0].set_xlim(-0.1, 1.3)
        axes[0].set_ylabel("Percent right")
        return figure

    def alt(value: pd.DataFrame) -> str:
        return "Lines: " + ", ".join(
            f"{row.system} {row.value:.1f} (rank {row.rank:g}) to {row.value_then:.1f} (rank {row.rank_then:g})"
            for row in in_percent(value, both).itertuples()
        )

    return Explorer(
        {
            "testset": dropdown("test set", testsets, testsets[0]),
            "convention": dropdown("convention", tuple(CONVENTIONS)[1:], tuple(CONVENTIONS)[2], "20em"),
            "measure": dropdown("measure", TREE_MEASURES, "directed"),
        },
        compute,
        draw=draw,
        table=lambda value: in_percent(value, both).round(1),
        alt=alt,
    )
