"""Figures: derivations with heads, the two trees of the example, long-range dependencies."""

from typing import Any

import pandas as pd
from matplotlib.figure import Figure

from analysis.ccg import extract_dependencies, parseval, treebank, worked_example
from analysis.experiments import read_stored
from analysis.figures import ccg_derivation, dependency_links, derivation_pair, new_axes, score_intervals
from analysis.figures.style import PAGE_WIDTH
from analysis.papers.clark2002.example import figure1_tree
from analysis.papers.clark2002.setting import Setting, data, first_sentences
from analysis.papers.clark2002.tables import table2
from analysis.papers.recipe import in_percent, printed, stands_beside_print, takes_setting
from analysis.statistics.sentence_counts import Evaluation
from analysis.structures.ccg_category import PUNCTUATION
from analysis.structures.derivation import Derivation, Derivations

#: A sentence for a figure like Figure 3: coordination under control.
LONG_RANGE = (
    "S[dcl]",
    ("NP", ("NP", ("N", "mice")), ("NP[conj]", ("conj", "and"), ("NP", ("N", "cats")))),
    (
        r"S[dcl]\NP",
        (r"(S[dcl]\NP)/(S[to]\NP)", "want"),
        (
            r"S[to]\NP",
            (r"(S[to]\NP)/(S[b]\NP)", "to"),
            (r"S[b]\NP", (r"(S[b]\NP)/NP", "eat"), ("NP", ("NP/N", "the"), ("N", "cheese"))),
        ),
    ),
)


def nodes_with_heads(tree: Derivation) -> pd.DataFrame:
    """The nodes of one sentence with ``head``: the head word of each node that is not a leaf.

    Examples
    --------
    >>> nodes_with_heads(figure1_tree())["head"].tolist()
    ['has', '', 'has', '', 'bought', '', '']
    """
    nodes, _ = tree.to_tables()
    nodes["head"] = [tree.words[node.head - 1] if node.daughters else "" for node in tree.nodes]
    return nodes


def nodes_with_matches(bank: Derivations, sentence: int, evaluation: Evaluation, side: str) -> pd.DataFrame:
    """The nodes of one sentence with ``matched``: whether Parseval counts the node's bracket as found.

    Missing in nodes that are not counted. Of equal brackets, as many are matched as the other tree has.

    Parameters
    ----------
    bank : Derivations
    sentence : int
    evaluation : Evaluation
        Of `analysis.ccg.parseval`.
    side : {"gold", "predicted"}
    """
    few = bank.select([sentence])
    items = evaluation.items.query("side == @side and sentence == @sentence")
    waiting = items.groupby(["label", "start", "end"])["matched"].agg(list).to_dict()
    counted = ~few.tokens["category"].astype("str").isin(PUNCTUATION) | (
        evaluation.conventions.get("punctuation") == "counted"
    )
    before = [0, *counted.cumsum()]
    matched: list[Any] = []
    for row in few.nodes.itertuples():
        places = waiting.get((row.category, before[row.start], before[row.end]), [])
        matched.append(places.pop(0) if row.rule != "lex" and places else None)
    return few.nodes.assign(sentence=sentence, matched=pd.array(matched, dtype="boolean"))


def figure1() -> Figure:
    """Figure 1: a derivation tree marked with heads, *IBM has bought Lotus*.

    Returns
    -------
    Figure

    Examples
    --------
    >>> len(figure1().axes)
    1
    """
    tree = figure1_tree()
    ax = ccg_derivation(nodes_with_heads(tree), list(tree.words))
    return ax.figure  # type: ignore[return-value]


def figure2(level: str = "same label", unary: bool = True) -> Figure:
    """Figure 2: the gold derivation and the wrong one, with the brackets that match.

    Parameters
    ----------
    level, unary
        Conventions of `analysis.ccg.parseval`.

    Returns
    -------
    Figure

    Examples
    --------
    >>> [ax.get_title() for ax in figure2().axes]
    ['gold standard', 'output']
    """
    gold, output = worked_example()
    evaluation = parseval(gold, output, level=level, unary=unary, punctuation=False)  # type: ignore[arg-type]
    return derivation_pair(
        nodes_with_matches(gold, 0, evaluation, "gold"),
        nodes_with_matches(output, 0, evaluation, "predicted"),
        gold.tree(0).words,
        titles=("gold standard", "output"),
    )


def figure3(corpus: str = "nursery", sentence: int | None = None) -> Figure:
    """A figure like Figure 3: all dependencies of a sentence as links, the long-range ones dashed.

    Parameters
    ----------
    corpus : str
        The sentence is taken from its test part.
    sentence : int, optional
        By default the first whose dependencies include a shared and an extracted one, or a coordination under control.

    Returns
    -------
    Figure

    Raises
    ------
    ValueError
        If no sentence has such dependencies.
    """
    bank = data(corpus).test
    return _links(bank.select([_long_range_sentence(bank) if sentence is None else sentence]))


def _links(bank: Derivations) -> Figure:
    """The dependencies of one sentence as links."""
    dependencies = extract_dependencies(bank).dependencies
    return dependency_links(dependencies, bank.tree(0).words).figure  # type: ignore[return-value]


def has_long_range(corpus: str) -> bool:
    """Whether the test part has a sentence for `figure3`."""
    try:
        _long_range_sentence(data(corpus).test)
    except ValueError:
        return False
    return True


def _long_range_sentence(bank: Derivations, among: int = 2000) -> int:
    """The first sentence with the most long-range dependencies among the first ``among`` sentences."""
    part = first_sentences(bank, among)
    far = extract_dependencies(part).dependencies.query("range != 'local'")
    chosen = far.groupby("sentence")["range"].agg(["size", "nunique"])
    if not len(chosen):
        raise ValueError("no sentence has long-range dependencies.")
    chosen["length"] = part.tokens.groupby("sentence").size()
    for better in (chosen["nunique"] > 1, chosen["length"] <= 14):
        part_of = chosen[better[chosen.index]]
        chosen = part_of if len(part_of) else chosen
    return int(chosen["size"].idxmax())


def coordination_figure() -> Figure:
    """Both conjuncts are subjects of every verb under control: *mice and cats want to eat the cheese*.

    Returns
    -------
    Figure

    Examples
    --------
    >>> len(coordination_figure().axes)
    1
    """
    return _links(treebank(LONG_RANGE))


@takes_setting(Setting)
def table2_figure(setting: Setting) -> Figure:
    """The scores of Table 2 as bars: printed, and of every available parser on its own corpus.

    Parameters
    ----------
    setting, **choices
        Setting of the paper, or single fields of it by name; see `Setting`.

    Returns
    -------
    Figure
    """
    ours = in_percent(table2(setting))
    ours = ours.assign(series=ours["system"].astype("str") + " on " + ours["corpus"].astype("str"))
    return setting.marked(_scores_figure(ours, beside=stands_beside_print(setting)))


def stored_table2_figure() -> Figure:
    """As `table2_figure`, of the scores that are stored in the suite, computed on the open geometry problems.

    Returns
    -------
    Figure
    """
    ours = read_stored("clark2002_table2", table2).table.rename(columns={"recomputed": "value"})
    return _scores_figure(ours.assign(series=ours["system"] + " on ccg-geometry"), beside=True)


def _scores_figure(ours: pd.DataFrame, beside: bool) -> Figure:
    """The scores of each ``series`` of Table 2 in percent, with the printed ones if they may stand beside them."""
    theirs = printed("clark2002", "table2_results").assign(series="printed (CCGbank 23)")
    both = pd.concat([theirs] * beside + [ours], ignore_index=True)
    short = {"lexical categories": "lexical categories,", "accuracy": "accuracy",
             "dependency evaluation 1": "evaluation 1", "dependency evaluation 2": "evaluation 2"}  # fmt: skip
    shown = [
        " ".join(short.get(name, name) for name in key) for key in zip(both["evaluation"], both["measure"], strict=True)
    ]
    both = both.reindex(columns=["series", "value", "lower", "upper"]).rename(columns={"series": "system"})
    with new_axes(width=PAGE_WIDTH, height=4.6) as ax:
        score_intervals(both.assign(measure=shown), ax=ax, xlabel="Percent")
        ax.grid(True, axis="y")
    return ax.figure  # type: ignore[return-value]
