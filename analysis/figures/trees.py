"""Figures of one sentence: its dependency arcs, and its CCG derivation in the classical layout."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from analysis.figures.style import BLUE, GREEN, GREY, ORANGE, VERMILLION, new_axes, require, use_style
from analysis.figures.words import display_width, right_to_left

CHARACTER = 0.085  # width of a letter in inches, at the font size below
SIZE = 8
#: Colour and line of an edge by the reason why it counts; see `analysis.dependencies.REASONS`.
REASON_LOOKS: dict[str, tuple[str, Any]] = {
    "same head": (BLUE, "-"), "reversed": (GREEN, "-."), "grandparent": (ORANGE, ":"), "wrong": (VERMILLION, "--"),
    "not scored": (GREY, "-"),
}  # fmt: skip
ARROWS = {"conj": "<Φ>", "coord": "<Φ>", "lex": "", "unary": "*"}


def arc_levels(heads: list[int]) -> dict[int, int]:
    """Compute the height of each arc: one more than the highest arc nested in it.

    Parameters
    ----------
    heads : list of int
        Head of each word, from 1; 0 for the root, which has no arc.

    Returns
    -------
    dict
        Level, from 1, by dependent.

    Examples
    --------
    >>> arc_levels([2, 0, 5, 5, 2])
    {1: 1, 4: 1, 3: 2, 5: 3}
    """
    spans = [
        (abs(head - word), min(head, word), max(head, word), word) for word, head in enumerate(heads, 1) if head > 0
    ]
    levels: dict[int, int] = {}
    placed: list[tuple[int, int, int]] = []
    for _, left, right, word in sorted(spans):
        inside = [level for start, end, level in placed if left <= start and end <= right]
        levels[word] = 1 + max(inside, default=0)
        placed.append((left, right, levels[word]))
    return levels


def dependency_arcs(
    tokens: pd.DataFrame,
    *,
    gold: pd.DataFrame | None = None,
    counts_as: Sequence[str] | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Draw arcs from heads to dependents over the words of one sentence; right-to-left scripts run from right to left.

    Parameters
    ----------
    tokens : DataFrame
        One sentence: ``form``, ``head`` (0 = root), and optionally ``relation`` and a word class ``universal`` or
        ``coarse``.
    gold : DataFrame, optional
        The same words with the gold ``head``: arcs that differ are drawn dashed, in another colour.
    counts_as : sequence of str, optional
        Reason why the edge of each word counts (same head, reversed, grandparent, wrong, not scored), shown by colour
        and line with a legend. Has priority over `gold`.
    ax : Axes, optional

    Returns
    -------
    Axes

    Raises
    ------
    ValueError
        If a column is missing, there is no word, a head is not a word of the sentence, or a reason is unknown.

    Examples
    --------
    >>> sentence = pd.DataFrame({"form": ["dogs", "bark"], "head": [2, 0], "relation": ["SUBJ", "ROOT"]})
    >>> [text.get_text() for text in dependency_arcs(sentence).texts if text.get_text()]
    ['dogs', 'bark', 'SUBJ', 'ROOT']
    """
    require(tokens, ["form", "head"], "tokens")
    words = [str(word) for word in tokens["form"]]
    heads = [int(head) for head in tokens["head"]]
    outside = [head for head in heads if not 0 <= head <= len(words)]
    if outside:
        raise ValueError(f"the head {outside[0]} is not a word of a sentence of {len(words)}.")
    relations = [str(name) for name in tokens["relation"]] if "relation" in tokens.columns else [""] * len(words)
    classes = next(
        (tokens[name].astype("str").tolist() for name in ("universal", "coarse") if name in tokens.columns), None
    )
    reasons = _reasons(tokens, gold, counts_as)
    pairs = zip(words, classes or words, strict=True)
    widths = [max(map(display_width, pair)) * CHARACTER + 0.35 for pair in pairs]
    places = [sum(widths[:number]) + widths[number] / 2 for number in range(len(words))]
    levels = arc_levels(heads)
    top = max(levels.values(), default=0) + 1
    right = right_to_left(words)
    with new_axes(ax, width=max(2.0, sum(widths)), height=0.38 * top + 0.75) as ax:
        for place, word in zip(places, words, strict=True):
            ax.text(place, -0.25, word, ha="center", va="top", fontsize=SIZE + 1)
        if classes:
            for place, tag in zip(places, classes, strict=True):
                ax.text(place, -0.75, tag, ha="center", va="top", fontsize=SIZE - 1, color=GREY)
        for number, head in enumerate(heads):
            colour, style = REASON_LOOKS[reasons[number]]
            if head:
                _arc(ax, places[head - 1], places[number], levels[number + 1], relations[number], colour, style)
            else:
                ax.annotate(
                    "", (places[number], 0), (places[number], top - 0.2),
                    arrowprops={"arrowstyle": "-|>", "color": colour, "linestyle": style, "shrinkA": 0, "shrinkB": 0},
                )  # fmt: skip
                ax.text(
                    places[number] + 0.06, top - 0.25, relations[number], ha="right" if right else "left", va="top",
                    fontsize=SIZE - 1, color=colour,
                )  # fmt: skip
        ax.set(xlim=(sum(widths), 0) if right else (0, sum(widths)), ylim=(-1.3 if classes else -0.8, top))
        ax.set_axis_off()
        if counts_as is not None:
            shown = [reason for reason in REASON_LOOKS if reason in reasons]
            lines = [Line2D([], [], color=REASON_LOOKS[name][0], linestyle=REASON_LOOKS[name][1]) for name in shown]
            ax.legend(lines, shown, loc="lower left", bbox_to_anchor=(0, 1), ncols=len(shown), fontsize=SIZE - 1)
    return ax


def some_trees(tokens: pd.DataFrame, *, number: int = 4, longest: int = 12) -> Figure:
    """The first short sentences of a text with their trees, one below the other.

    Parameters
    ----------
    tokens : DataFrame
        As for `dependency_arcs`, and ``sentence``; word classes are ``universal``, ``coarse`` or ``fine``.
    number : int
        So many sentences at most.
    longest : int
        Words that a sentence may have; where all have more, the shortest one is drawn.

    Examples
    --------
    >>> tokens = pd.DataFrame({"sentence": [0, 0, 1], "form": ["a", "dog", "yes"], "head": [2, 0, 0]})
    >>> len(some_trees(tokens).axes)
    2
    """
    if "universal" not in tokens and "coarse" not in tokens and "fine" in tokens:
        tokens = tokens.rename(columns={"fine": "coarse"})
    lengths = tokens["sentence"].value_counts().sort_index()
    chosen = lengths.index[lengths <= longest][:number].tolist() or [lengths.idxmin()]
    width = max(4.0, 0.75 * int(lengths.loc[chosen].max()))
    with use_style():
        figure = Figure(figsize=(width, 2.2 * len(chosen)), layout="constrained")
        for place, sentence in enumerate(chosen, start=1):
            axes = figure.add_subplot(len(chosen), 1, place)
            dependency_arcs(tokens[tokens["sentence"] == sentence].reset_index(drop=True), ax=axes)
    return figure


def posterior_arcs(
    posteriors: pd.DataFrame, heads: Sequence[int], words: Sequence[str], *, ax: Axes | None = None
) -> Axes:
    """Draw the probable edges of a sentence as arcs from head to dependent; the width is proportional to the
    probability.

    Parameters
    ----------
    posteriors : DataFrame of shape (n + 1, n)
        Probability of each head (row 0 is the root) of each word. Edges below 0.01 are left out.
    heads : sequence of int
        The tree to mark, from 1; 0 is the root. Its edges are blue, others dashed and vermilion.
    words : sequence of str
    ax : Axes, optional

    Returns
    -------
    Axes

    Raises
    ------
    ValueError
        If the numbers of words, heads and posteriors do not agree.

    Examples
    --------
    >>> table = pd.DataFrame([[0.25, 0.75], [0.0, 0.25], [0.75, 0.0]])
    >>> lines = posterior_arcs(table, [2, 0], ["a", "dog"]).lines
    >>> sorted(line.get_linewidth() for line in lines if line.get_marker() != "v")
    [1.0, 1.0, 3.0, 3.0]
    """
    values, n = posteriors.to_numpy(dtype=float), len(words)
    if values.shape != (n + 1, n) or len(heads) != n:
        raise ValueError(f"there are {n} words, {len(heads)} heads and posteriors of shape {values.shape}.")
    with new_axes(ax) as ax:
        for word in range(1, n + 1):
            for head in range(n + 1):
                probability = values[head, word - 1]
                if probability < 0.01:
                    continue
                best = heads[word - 1] == head
                colour, style = (BLUE, "-") if best else (VERMILLION, "--")
                across, up = _bow(head, word, n)
                over = 3 if best else 2
                ax.plot(across, up, color=colour, linestyle=style, linewidth=4 * probability,
                        alpha=1 if best else 0.6, zorder=over)  # fmt: skip
                ax.plot([word], [0.12], marker="v", color=colour, markersize=2 + 4 * probability, linestyle="none",
                        zorder=over)  # fmt: skip
        for place, form in enumerate(words, start=1):
            ax.text(place, -0.15, form, ha="center", va="top", fontsize=SIZE)
        ax.set(xlim=(n + 0.7, 0.3) if right_to_left(words) else (0.3, n + 0.7), ylim=(-0.8, n / 2 + 0.7))
        ax.set_axis_off()
    return ax


def _bow(head: int, word: int, n: int) -> tuple[np.ndarray, np.ndarray]:
    """Compute a half ellipse from beside the head to above the word, so that edges in both directions do not coincide.

    An edge from the root, 0, is a line from above.
    """
    if head == 0:
        return np.array([word, word]), np.array([n / 2 + 0.6, 0.2])
    start = head + (0.22 if word > head else -0.22)
    turn = np.linspace(0, np.pi, 40)
    middle, half = (start + word) / 2, (word - start) / 2
    return middle - half * np.cos(turn), 0.2 + abs(half) * np.sin(turn)


def _reasons(tokens: pd.DataFrame, gold: pd.DataFrame | None, counts_as: Sequence[str] | None) -> list[str]:
    """Return the reason for each edge: as given, or whether it is the gold edge; without both, all are correct."""
    if counts_as is not None:
        reasons = [str(reason) for reason in counts_as]
        unknown = [reason for reason in reasons if reason not in REASON_LOOKS]
        if unknown or len(reasons) != len(tokens):
            wrong = (
                f"{unknown[0]!r} is not a reason" if unknown else f"there are {len(reasons)} for {len(tokens)} words"
            )
            raise ValueError(f"counts_as takes one of {', '.join(REASON_LOOKS)} per word; {wrong}.")
        return reasons
    if gold is None:
        return ["same head"] * len(tokens)
    same = gold["head"].to_numpy() == tokens["head"].to_numpy()
    return ["same head" if right else "wrong" for right in same]


def _arc(ax: Axes, head: float, word: float, level: int, relation: str, colour: str, style: str) -> None:
    """Draw a flat arc with an arrow at the dependent; low arcs start farther from the head."""
    beside = max(0.04, 0.15 - 0.03 * level)
    start = head + (beside if word > head else -beside)
    corner = min(0.12, abs(word - start) / 3) * (1 if word > start else -1)
    across = [start, start, start + corner, word - corner, word, word]
    up = [0, level - 0.25, level, level, level - 0.25, 0.12]
    ax.plot(across, up, color=colour, linestyle=style, linewidth=1, solid_joinstyle="round")
    ax.plot([word], [0.08], marker="v", color=colour, markersize=4)
    middle = (start + word) / 2
    ax.text(
        middle, level, relation, ha="center", va="center", fontsize=SIZE - 1, color=colour,
        bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.6},
    )  # fmt: skip


def ccg_derivation(nodes: pd.DataFrame, words: list[str], *, ax: Axes | None = None) -> Axes:
    r"""Draw a CCG derivation: words at the top; below the daughters of each node a line with its rule, then the result.

    Parameters
    ----------
    nodes : DataFrame
        One sentence of a nodes table: ``node`` (preorder), ``parent``, ``category``, ``rule``, ``start``, ``end``.
        Optional columns: ``matched``, True drawn blue with a tick and False red with a cross; ``head`` (text), written
        beside each category.
    words : list of str
    ax : Axes, optional

    Returns
    -------
    Axes

    Raises
    ------
    ValueError
        If a column is missing or the numbers of leaves and words differ.

    Examples
    --------
    >>> nodes = pd.DataFrame({"node": [0, 1, 2], "parent": [-1, 0, 0], "category": ["S", "NP", "S\\NP"],
    ...     "rule": ["<", "lex", "lex"], "start": [0, 0, 1], "end": [2, 1, 2]})
    >>> len(ccg_derivation(nodes, ["dogs", "bark"]).texts)
    6
    """
    require(nodes, ["node", "parent", "category", "rule", "start", "end"], "nodes")
    rows = nodes.sort_values("node").to_dict("records")
    number = {row["node"]: place for place, row in enumerate(rows)}
    daughters: list[list[int]] = [[] for _ in rows]
    for place, row in enumerate(rows):
        if row["parent"] in number:
            daughters[number[row["parent"]]].append(place)
    leaves = [place for place, below in enumerate(daughters) if not below]
    if len(leaves) != len(words):
        raise ValueError(f"the derivation has {len(leaves)} leaves for {len(words)} words.")
    widths = [
        max(display_width(word), len(_node_text(rows[leaf])[0])) * CHARACTER + 0.3
        for leaf, word in zip(leaves, words, strict=True)
    ]
    edges = [sum(widths[:place]) for place in range(len(widths) + 1)]
    depth = [0] * len(rows)
    for place in reversed(range(len(rows))):  # in preorder daughters come after their mother
        depth[place] = 1 + max((depth[below] for below in daughters[place]), default=0)
    turned = right_to_left(words)
    with new_axes(ax, width=max(2.0, edges[-1]), height=0.36 * (depth[0] + 1) + 0.3) as ax:
        for place, word in enumerate(words):
            ax.text((edges[place] + edges[place + 1]) / 2, 0, word, ha="center", va="center", fontsize=SIZE + 1)
        for place, row in enumerate(rows):
            left, right = edges[int(row["start"])] + 0.06, edges[int(row["end"])] - 0.06
            if daughters[place]:
                height = -depth[place] + 0.45
                symbol = ARROWS.get(str(row["rule"]), str(row["rule"]))
                end = right - CHARACTER * len(symbol) - 0.06
                ax.plot([left, end], [height, height], color="black", linewidth=0.8)
                side = "left" if turned else "right"
                ax.text(right, height, symbol, ha=side, va="center", fontsize=SIZE - 1, color=BLUE)
            text, colour = _node_text(row)
            ax.text((left + right) / 2, -depth[place], text, ha="center", va="center", fontsize=SIZE, color=colour)
        ax.set(xlim=(edges[-1], 0) if turned else (0, edges[-1]), ylim=(-depth[0] - 0.6, 0.6))
        ax.set_axis_off()
    return ax


def utterance(tokens: pd.DataFrame, nodes: pd.DataFrame) -> Figure:
    """Draw one sentence with its dependency arcs above and its CCG derivation below, at the same scale.

    Parameters
    ----------
    tokens, nodes : DataFrame
        As for `dependency_arcs` and `ccg_derivation`.

    Returns
    -------
    Figure
        As wide as the sentence needs.

    Examples
    --------
    >>> tokens = pd.DataFrame({"form": ["look"], "head": [0], "relation": ["ROOT"]})
    >>> leaf = {"node": [0], "parent": [-1], "category": ["S[b]"], "rule": ["lex"], "start": [0], "end": [1]}
    >>> nodes = pd.DataFrame(leaf)
    >>> len(utterance(tokens, nodes).axes)
    2
    """
    with use_style():
        figure = Figure()
        above, below = figure.subplots(2, 1)
        dependency_arcs(tokens, ax=above)
        ccg_derivation(nodes, [str(word) for word in tokens["form"]], ax=below)
        width = max(*above.get_xlim(), *below.get_xlim(), 2.0)
        heights = [
            0.38 * (above.get_ylim()[1] - above.get_ylim()[0]),
            0.36 * (below.get_ylim()[1] - below.get_ylim()[0]),
        ]
        figure.set_size_inches(width + 0.2, sum(heights) + 0.2)
        for ax in (above, below):
            ax.set_xlim(*((width, 0) if ax.xaxis_inverted() else (0, width)))
        share = heights[1] / (sum(heights) + 0.2)
        across = 0.1 / (width + 0.2)
        below.set_position((across, 0.0, 1 - 2 * across, share))
        above.set_position((across, share, 1 - 2 * across, heights[0] / (sum(heights) + 0.2)))
    return figure


def _node_text(row: dict) -> tuple[str, str]:
    """Return the text of a node (category and head) and its colour (matched or not)."""
    text = str(row["category"])
    head, matched = row.get("head"), row.get("matched")
    if isinstance(head, str) and head:
        text += f" [{head}]"
    if matched is None or pd.isna(matched):
        return text, "black"
    return (f"{text} ✓", BLUE) if matched else (f"{text} ✗", VERMILLION)
