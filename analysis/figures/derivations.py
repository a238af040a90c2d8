"""Figures of CCG derivations: two trees with matches marked, and dependencies as links over the words."""

from collections.abc import Sequence

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from analysis.figures.style import BLUE, GREY, VERMILLION, new_axes, require, use_style
from analysis.figures.trees import CHARACTER, SIZE, ccg_derivation
from analysis.figures.words import display_width, draw_plainly, right_to_left

#: Marks of matched and unmatched items, in addition to the colour.
MATCHED, UNMATCHED = "✓", "✗"


def derivation_size(nodes: pd.DataFrame, words: Sequence[str]) -> tuple[float, float]:
    """Compute the width and height in inches that a derivation needs.

    Parameters
    ----------
    nodes : DataFrame
        As in `ccg_derivation`.
    words : sequence of str

    Returns
    -------
    width, height : float

    Examples
    --------
    >>> nodes = pd.DataFrame({"parent": [-1], "category": ["N"], "rule": ["lex"], "node": [0]})
    >>> derivation_size(nodes, ["dogs"])[0] > 0.5
    True
    """
    leaves = nodes.loc[nodes["rule"].astype("str") == "lex", "category"].astype("str")
    width = sum(
        max(display_width(word), len(category) + 2) * CHARACTER + 0.3
        for word, category in zip(words, leaves, strict=True)
    )
    parents = dict(zip(nodes["node"].tolist(), nodes["parent"].tolist(), strict=True))
    depth: dict[int, int] = {}
    for node in sorted(parents, reverse=True):
        above = parents[node]
        depth.setdefault(node, 1)
        if above >= 0:
            depth[above] = max(depth.get(above, 1), depth[node] + 1)
    return max(2.0, width), 0.36 * (max(depth.values()) + 1) + 0.5


def derivation_pair(
    gold: pd.DataFrame,
    predicted: pd.DataFrame,
    words: Sequence[str],
    *,
    titles: tuple[str, str] = ("gold", "output"),
    beside: bool | None = None,
) -> Figure:
    r"""Draw two derivations of one sentence; matched nodes are blue with a tick, others red with a cross.

    Parameters
    ----------
    gold, predicted : DataFrame
        Rows of a nodes table of one sentence each. Optional columns: ``matched`` (True, False, or missing if not
        judged) and ``head`` (a word to show under a category).
    words : sequence of str
    titles : tuple of str
    beside : bool, optional
        Whether to draw them side by side; by default if both together are at most 12 inches wide.

    Returns
    -------
    Figure

    Examples
    --------
    >>> nodes = pd.DataFrame({"node": [0, 1, 2], "parent": [-1, 0, 0], "category": ["S", "NP", "S\\NP"],
    ...     "rule": ["<", "lex", "lex"], "start": [0, 0, 1], "end": [2, 1, 2], "matched": [True, None, None]})
    >>> len(derivation_pair(nodes, nodes, ["dogs", "bark"]).axes)
    2
    """
    sizes = [derivation_size(nodes, words) for nodes in (gold, predicted)]
    across = sum(width for width, _ in sizes) + 0.6
    with use_style():
        beside = across <= 12 if beside is None else beside
        shape = (1, 2) if beside else (2, 1)
        height = max(size[1] for size in sizes) if beside else sum(size[1] for size in sizes)
        width = across if beside else max(size[0] for size in sizes)
        figure = Figure(figsize=(width, height + 0.3), layout="constrained")
        ratios = {"width_ratios" if beside else "height_ratios": [size[0 if beside else 1] for size in sizes]}
        axes = figure.subplots(*shape, squeeze=False, gridspec_kw=ratios).ravel()
        for ax, nodes, title in zip(axes, (gold, predicted), titles, strict=True):
            ccg_derivation(nodes, list(words), ax=ax)
            ax.set_title(title)
        draw_plainly(figure)
    return figure


def dependency_links(links: pd.DataFrame, words: Sequence[str], *, ax: Axes | None = None) -> Axes:
    """Draw predicate-argument dependencies as links over the words of one sentence, as in Figure 3.

    Parameters
    ----------
    links : DataFrame
        ``functor``, ``argument`` (positions from 1), and optionally ``slot`` (written on the link), ``range``
        (``local`` grey, others coloured and dashed) and ``matched`` (False is red and crossed).
    words : sequence of str
    ax : Axes, optional

    Returns
    -------
    Axes

    Raises
    ------
    ValueError
        If a column is missing, or a position is not a word.

    Examples
    --------
    >>> links = pd.DataFrame({"functor": [2], "argument": [1], "slot": [1], "range": ["local"]})
    >>> [text.get_text() for text in dependency_links(links, ["dogs", "bark"]).texts]
    ['dogs', 'bark', '1']
    """
    if len(links):
        require(links, ["functor", "argument"], "links")
    positions = [*links["functor"], *links["argument"]] if len(links) else []
    if any(not 1 <= int(position) <= len(words) for position in positions):
        raise ValueError(f"a link leads outside the sentence of {len(words)}.")
    widths = [display_width(word) * CHARACTER * 1.15 + 0.45 for word in words]
    places = [sum(widths[:number]) + width / 2 for number, width in enumerate(widths)]
    spans = links.to_dict("records")
    for row in spans:
        row["low"], row["high"] = sorted((row["functor"], row["argument"]))
    spans.sort(key=lambda row: (row["high"] - row["low"], row["low"]))
    levels: list[tuple[int, int, int]] = []
    for row in spans:
        taken = {level for low, high, level in levels if low < row["high"] and row["low"] < high}
        row["level"] = next(level for level in range(1, len(spans) + 2) if level not in taken)
        levels.append((row["low"], row["high"], row["level"]))
    top = max((level for _, _, level in levels), default=0) + 1
    with new_axes(ax, width=max(2.0, sum(widths)), height=0.3 * top + 0.6) as ax:
        for place, word in zip(places, words, strict=True):
            ax.text(place, -0.35, word, ha="center", va="top", fontsize=SIZE + 1)
        for row in spans:
            functor, argument = places[int(row["functor"]) - 1], places[int(row["argument"]) - 1]
            shift = 0.08 if argument > functor else -0.08
            start, end, level = functor + shift, argument - shift, row["level"]
            wrong = row.get("matched") is False
            near = row.get("range", "local") == "local"
            colour = VERMILLION if wrong else (GREY if near else BLUE)
            ax.plot(
                [start, start, end, end], [0, level, level, 0.15], color=colour, linewidth=1,
                linestyle="-" if near else "--", solid_joinstyle="round",
            )  # fmt: skip
            ax.plot([end], [0.1], marker="v", color=colour, markersize=4)
            label = str(row.get("slot", "")) + (f" {UNMATCHED}" if wrong else "")
            if label:
                ax.text(
                    (start + end) / 2, level, label, ha="center", va="center", fontsize=SIZE - 1, color=colour,
                    bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.6},
                )  # fmt: skip
        ax.set(xlim=(sum(widths), 0) if right_to_left(words) else (0, sum(widths)), ylim=(-1.1, top))
        ax.set_axis_off()
    return ax
