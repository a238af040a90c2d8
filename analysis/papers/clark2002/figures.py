"""Figures: derivations with heads, the two trees of the example, long-range dependencies."""

from typing import Any

import pandas as pd
from matplotlib.figure import Figure

from analysis.ccg import extract_dependencies, parseval, treebank, worked_example
from analysis.ccg.evaluation import Evaluation
from analysis.figures import ccg_derivation, dependency_links, derivation_pair, grouped_bars, new_axes
from analysis.papers.clark2002.example import figure1_tree
from analysis.papers.clark2002.setting import Setting, data
from analysis.papers.clark2002.tables import TABLE_2, table2
from analysis.papers.recipe import in_percent, printed, takes_setting
from analysis.structures.derivation import Derivation, Derivations

#: A sentence in the manner of Figure 3: coordination under control.
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
    """The nodes of one sentence with ``head``: the head word of each node that is no leaf.

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

    Missing in nodes that are not counted. Of equal brackets, so many are matched as the other tree has.

    Parameters
    ----------
    bank : Derivations
    sentence : int
    evaluation : Evaluation
        Of `analysis.ccg.parseval`.
    side : {"gold", "predicted"}
    """
    nodes = bank.nodes[bank.nodes["sentence"] == sentence].copy()
    items = evaluation.items
    items = items[(items["side"] == side) & (items["sentence"] == sentence)]
    waiting: dict[tuple, list[bool]] = {}
    for row in items.itertuples():
        waiting.setdefault((row.label, row.start, row.end), []).append(bool(row.matched))
    tokens = bank.tokens[bank.tokens["sentence"] == sentence]
    kept = [0]
    for category in tokens["category"].astype("str"):
        kept.append(kept[-1] + (category not in _marks() or evaluation.conventions.get("punctuation") == "counted"))
    matched: list[Any] = []
    for row in nodes.itertuples():
        places = waiting.get((row.category, kept[row.start], kept[row.end]), [])
        matched.append(places.pop(0) if row.rule != "lex" and places else None)
    nodes["matched"] = pd.array(matched, dtype="boolean")
    return nodes


def _marks() -> frozenset[str]:
    from analysis.structures.ccg_category import PUNCTUATION

    return PUNCTUATION


def figure1() -> Figure:
    """Figure 1: a derivation tree marked with heads, *IBM has bought Lotus*.

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
    """In the manner of Figure 3: all dependencies of a sentence as links, the long-range ones dashed.

    Parameters
    ----------
    corpus : str
        The sentence is taken from its test part.
    sentence : int, optional
        By default the first whose dependencies include a shared and an extracted one, or a coordination under control.

    Raises
    ------
    ValueError
        If no sentence has such dependencies.
    """
    bank = data(corpus).test
    if sentence is None:
        sentence = _long_range_sentence(bank)
    few = bank.select([sentence])
    words = few.tokens["form"].astype("str").tolist()
    return dependency_links(extract_dependencies(few).dependencies, words).figure  # type: ignore[return-value]


def _long_range_sentence(bank: Derivations, among: int = 2000) -> int:
    """The first sentence with the most long-range dependencies among some."""
    n = min(among, len(bank))
    nodes = bank.nodes[bank.nodes["sentence"] < n]
    tokens = bank.tokens[bank.tokens["sentence"] < n]
    part = Derivations(nodes, tokens, bank.sentences.iloc[:n])
    found = extract_dependencies(part).dependencies
    far = found[found["range"] != "local"]
    counts = far.groupby("sentence")["range"].agg(["size", "nunique"])
    both = counts[counts["nunique"] > 1]
    chosen = both if len(both) else counts
    if not len(chosen):
        raise ValueError("no sentence has long-range dependencies.")
    lengths = tokens.groupby("sentence").size()
    short = chosen[lengths.loc[chosen.index] <= 14]
    chosen = short if len(short) else chosen
    return int(chosen["size"].idxmax())


def coordination_figure() -> Figure:
    """Both conjuncts are subjects of every verb under control: *mice and cats want to eat the cheese*.

    Examples
    --------
    >>> len(coordination_figure().axes)
    1
    """
    bank = treebank(LONG_RANGE)
    return dependency_links(extract_dependencies(bank).dependencies, bank.tree(0).words).figure  # type: ignore[return-value]


@takes_setting(Setting)
def table2_figure(setting: Setting) -> Figure:
    """The scores of Table 2 as bars: printed, and of every parser at hand on its own corpus."""
    ours = in_percent(table2(setting))
    ours = ours.assign(series=ours["system"].astype("str") + " on " + ours["corpus"].astype("str"))
    theirs = printed("clark2002", "table2_results").assign(series="printed (CCGbank 23)")
    both = pd.concat([theirs, ours], ignore_index=True)[["evaluation", "measure", "series", "value"]]
    short = {name: f"dep. {name[-1]}" if name[-1].isdigit() else name for name, _ in TABLE_2} | {
        "lexical categories": "cat."
    }
    both["score"] = both["evaluation"].map(short) + "\n" + both["measure"].replace({"accuracy": "acc."})
    order = [f"{short[name]}\n{'acc.' if measure == 'accuracy' else measure}" for name, measure in TABLE_2]
    both["score"] = pd.Categorical(both["score"], categories=order, ordered=True)
    with new_axes(width=7, height=5) as ax:
        grouped_bars(both.sort_values("score", kind="stable"), x="score", group="series", ax=ax, labels=("", "percent"))
    return ax.figure  # type: ignore[return-value]
