"""Explorers for CCG derivations and their evaluation (Clark & Hockenmaier 2002)."""

from typing import Any

import ipywidgets as widgets
import pandas as pd
from matplotlib.figure import Figure

from analysis.ccg import Evaluation, lexical_category_accuracy, parseval, treebank
from analysis.ccg import predicate_argument_dependencies as deep_dependencies
from analysis.ccg import tree_dependencies as local_dependencies
from analysis.ccg.examples import FIGURE_2
from analysis.corpora.ccgbank import read_auto, write_auto
from analysis.explore.base import Explorer, dropdown, made_by_call
from analysis.figures import ccg_derivation, dependency_links, derivation_pair
from analysis.figures.words import display_width
from analysis.papers.clark2002.figures import nodes_with_matches
from analysis.papers.clark2002.setting import Setting, output, system_names, test_part
from analysis.structures.derivation import Derivations
from analysis.structures.units import in_percent

VIEWS = ("two derivations", "gold derivation with heads", "links of evaluation 1", "links of evaluation 2")
DIRECTIONS = ("as in the paper", "directed", "undirected")
SORTS = ("ref", "test", "LP", "LR")
SHOWN = 15


def _controls() -> dict[str, widgets.Widget]:
    def check(name: str, value: bool) -> widgets.Checkbox:
        return widgets.Checkbox(value=value, description=name, indent=False, layout=widgets.Layout(width="13em"))

    return {
        "view": dropdown("view", VIEWS, VIEWS[0]),
        "beside": check("side by side", True),
        "punctuation": check("count punctuation", False),
        "level": dropdown("its level", ("same label", "always", "never"), "same label"),
        "unary": check("count unary nodes", True),
        "heads": dropdown("heads", ("auto", "field", "rule"), "auto"),
        "unlabelled": dropdown("unlabelled", DIRECTIONS, DIRECTIONS[0]),
        "table": dropdown("by relation", ("evaluation 1", "evaluation 2"), "evaluation 1"),
        "sort": dropdown("sorted by", SORTS, "ref"),
    }


def compute_evaluations(
    gold: Derivations, predicted: Derivations, punctuation: bool, level: str, unary: bool, heads: str, unlabelled: str
) -> dict[str, Evaluation]:
    """Compute all evaluations of two treebanks with the selected conventions, by name.

    Unlabelled as in the paper: evaluation 1 takes the direction of the dependency into account, evaluation 2 does not.
    """
    local, deep = (unlabelled != "undirected"), (unlabelled == "directed")
    choices: dict[str, Any] = {"punctuation": punctuation}
    found = [
        lexical_category_accuracy(gold, predicted, punctuation=punctuation),
        parseval(gold, predicted, level=level, unary=unary, **choices),  # type: ignore[arg-type]
        local_dependencies(gold, predicted, heads=heads, directed=local, level=level, **choices),  # type: ignore[arg-type]
        deep_dependencies(gold, predicted, directed=deep),
    ]
    return {evaluation.name: evaluation for evaluation in found}


def _scores(found: dict[str, Evaluation], sentence: int) -> pd.DataFrame:
    """Return every measure for all sentences and for one."""
    rows = []
    for name, evaluation in found.items():
        one = evaluation.sentences[evaluation.sentences["sentence"] == sentence].iloc[0]
        for score in evaluation.scores():
            above, below = evaluation.ratios[score.measure]
            value = None if score.value is None else round(100 * score.value, 1)
            rows.append((name, score.measure, value, score.numerator, score.denominator, f"{one[above]}/{one[below]}"))
    return pd.DataFrame(rows, columns=["evaluation", "measure", "percent", "numerator", "denominator", "this sentence"])


def _relations(found: dict[str, Evaluation], table: str, sort: str) -> pd.DataFrame:
    name = "tree dependencies" if table == "evaluation 1" else "predicate-argument dependencies"
    relations = found[name].relations
    ordered = relations.sort_values(sort, ascending=False, kind="stable", na_position="last").head(SHOWN)
    shown = in_percent(ordered.drop(columns=["matched_ref", "matched_test"]), ["LP", "LR", "F"])
    return shown.round(1).reset_index(drop=True)


def _links(evaluation: Evaluation, sentence: int, side: str) -> pd.DataFrame:
    items = evaluation.items
    items = items[(items["sentence"] == sentence) & (items["side"] == side)]
    if "functor" in items.columns:
        return items[["functor", "argument", "slot", "range", "matched"]]
    items = items[items["head"] > 0]
    return pd.DataFrame(
        {
            "functor": items["head"].to_numpy(),
            "argument": items["dependent"].to_numpy(),
            "slot": items["sister"].to_numpy(),
            "matched": items["matched"].to_numpy(),
        }
    )


def _draw(value: dict[str, Any]) -> Figure:
    gold, predicted, sentence = value["gold"], value["predicted"], value["sentence"]
    tree = gold.tree(sentence)
    found, view = value["evaluations"], value["view"]
    if view == VIEWS[1]:
        nodes = gold.nodes[gold.nodes["sentence"] == sentence].copy()
        nodes["head"] = [tree.words[node.head - 1] if node.daughters else "" for node in tree.nodes]
        return ccg_derivation(nodes, list(tree.words)).figure  # type: ignore[return-value]
    parsed = bool((predicted.nodes["sentence"] == sentence).any())
    if view == VIEWS[0]:
        ours = nodes_with_matches(gold, sentence, found["Parseval"], "gold")
        if not parsed:
            ax = ccg_derivation(ours, list(tree.words))
            ax.set_title("gold; the parser found no derivation")
            return ax.figure  # type: ignore[return-value]
        theirs = nodes_with_matches(predicted, sentence, found["Parseval"], "predicted")
        return derivation_pair(ours, theirs, tree.words, beside=value["beside"])
    name = "tree dependencies" if view == VIEWS[2] else "predicate-argument dependencies"
    width = max(5.0, sum(display_width(word) * 0.1 + 0.45 for word in tree.words))
    figure = Figure(figsize=(width, 6), layout="constrained")
    for ax, side, title in zip(figure.subplots(2, 1), ("gold", "predicted"), ("gold", "output"), strict=True):
        dependency_links(_links(found[name], sentence, side), tree.words, ax=ax)
        ax.set_title(title)
    return figure


def _alt(value: dict[str, Any]) -> str:
    scores = value["scores"]
    words = " ".join(value["gold"].tree(value["sentence"]).words)
    counts = "; ".join(
        f"{row.evaluation}, {row.measure}: {row._6}" for row in scores.itertuples(index=True) if "recall" in row.measure
    )
    return f"{value['view']} of '{words}'. This sentence: {counts}."


def _text(value: dict[str, Any]) -> str:
    found = value["evaluations"]
    stated = {
        key: words for name in ("Parseval", "tree dependencies") for key, words in found[name].conventions.items()
    }
    conventions = "; ".join(f"{key}: {words}" for key, words in stated.items())
    parts = ", ".join(f"{key} {number}" for key, number in found["tree dependencies"].parts.items())
    return f"{conventions}\nheads: {parts}"


def _tables(value: dict[str, Any]) -> dict[str, pd.DataFrame]:
    by_relation = f"by relation, {value['table']}, sorted by {value['sort']} (the first {SHOWN}):"
    return {"all sentences, and this one:": value["scores"], by_relation: value["relations"]}


def _explorer(controls: dict[str, widgets.Widget], banks: Any) -> Explorer:
    def compute(**values: Any) -> dict[str, Any]:
        switches = {name: values.pop(name) for name in ("punctuation", "level", "unary", "heads", "unlabelled")}
        view, table, sort = (values.pop(name) for name in ("view", "table", "sort"))
        beside = values.pop("beside")
        gold, predicted, sentence = banks(**values)
        found = compute_evaluations(gold, predicted, **switches)
        if not (gold.nodes["sentence"] == sentence).any():
            raise ValueError(f"sentence {sentence} has no gold derivation.")
        return {
            "gold": gold,
            "predicted": predicted,
            "sentence": sentence,
            "view": view,
            "beside": beside,
            "table": table,
            "sort": sort,
            "evaluations": found,
            "scores": _scores(found, sentence),
            "relations": _relations(found, table, sort),
        }

    return Explorer(
        controls,
        compute,
        draw=_draw,
        text=_text,
        table=_tables,
        alt=_alt,
        image="svg",
        idle=lambda view, punctuation, **_: ["beside"] * (view != VIEWS[0]) + ["level"] * punctuation,
    )


@made_by_call
def two_derivations(corpus: str = "nursery", sentences: int = 300, system: str | None = None) -> Explorer:
    """See gold and parser derivations with matches marked; change the conventions and see the scores.

    Parameters
    ----------
    corpus : {"nursery", "ccg-geometry", "ccgbank"}
    sentences : int
        Number of test sentences to score, from the first.
    system : str, optional
        The parser selected first; the default is the first of `analysis.papers.clark2002.system_names`.

    Returns
    -------
    Explorer
        ``value`` has ``scores`` (all sentences, and the one shown), ``relations``, and ``evaluations`` by name.
    """
    setting = Setting(corpus=corpus, test_sentences=sentences)
    names = system_names(setting)
    gold = test_part(setting)
    wrong = _first_wrong(gold, output(setting, system or names[0]))
    controls = {
        "parser": dropdown("parser", names, system or names[0]),
        "sentence": widgets.BoundedIntText(value=wrong, min=0, max=len(gold) - 1, description="sentence"),
        **_controls(),
    }

    def banks(parser: str, sentence: int) -> tuple[Derivations, Derivations, int]:
        return gold, output(setting, parser), sentence

    return _explorer(controls, banks)


def _first_wrong(gold: Derivations, predicted: Derivations) -> int:
    """Find the first short sentence whose parse has a wrong bracket; 0 if there is none."""
    sentences = parseval(gold, predicted).sentences
    wrong = sentences[(sentences["status"] == "scored") & (sentences["matched"] < sentences["gold"])]
    short = wrong[wrong["words"].between(4, 9)]
    chosen = short if len(short) else wrong
    return int(chosen["sentence"].iloc[0]) if len(chosen) else 0


@made_by_call
def derivations_by_hand(gold: tuple | None = None, predicted: tuple | None = None) -> Explorer:
    """Write two derivations of one sentence, and see all scores; for the exercise of section 5.1.

    Parameters
    ----------
    gold, predicted : tuple, optional
        Nested tuples as for `analysis.structures.derivation.Derivation.build`; the default is the trees of Figure 2.
        They can be edited in AUTO format in the text boxes.

    Returns
    -------
    Explorer
    """
    texts = [
        write_auto(treebank(tree or FIGURE_2[name]), ids=False).strip()
        for name, tree in (("gold", gold), ("output", predicted))
    ]
    layout = widgets.Layout(width="48%", height="9em")
    controls = {
        name: widgets.Textarea(value=text, description=name, layout=layout, continuous_update=False)
        for name, text in zip(("gold", "predicted"), texts, strict=True)
    }

    def banks(gold: str, predicted: str) -> tuple[Derivations, Derivations, int]:
        one, other = (read_auto(text.strip() + "\n") for text in (gold, predicted))
        return one, other, 0

    return _explorer({**controls, **_controls()}, banks)
