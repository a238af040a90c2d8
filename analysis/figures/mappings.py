"""Graph of a mapping from clusters to classes."""

import textwrap

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from analysis.figures.style import BLUE, GREY, PAGE_WIDTH, VERMILLION, in_lines, new_axes, require, small

#: Letters of the longest name of a class, and of the longest words of a cluster, that are drawn whole.
LONGEST_CLASS, LONGEST_WORDS = 44, 28


def mapping_graph(
    table: pd.DataFrame,
    *,
    ax: Axes | None = None,
    classes: list[str] | None = None,
    words: bool = True,
    largest: int | None = None,
) -> Axes:
    """Draw the bipartite graph of a mapping: clusters on the left, the classes that they are mapped to on the right.

    The width of a line is the number of types that cluster and class share, the size of a point the number of types
    in the cluster. Hollow points are not mapped.

    Parameters
    ----------
    table : DataFrame
        ``cluster``, ``gold``, ``types``, ``shared`` (`analysis.categories.type_mapping`) and optionally ``words``.
    ax : Axes, optional
    classes : list of str, optional
        Gold classes in the order to draw; the default is those of the mapping. Without it, classes to which no cluster
        is mapped are not shown.
    words : bool
        Whether to write the column ``words``, if present, beside each cluster.
    largest : int, optional
        Draw so many clusters only, those with most types; a note counts the others.

    Returns
    -------
    Axes

    Examples
    --------
    >>> table = pd.DataFrame({"cluster": [1, 2], "gold": ["N", None], "types": [5, 2], "shared": [4, 0]})
    >>> [text.get_text() for text in mapping_graph(table).texts]
    ['1', '2', 'N']
    """
    require(table, ["cluster", "gold", "types", "shared"], "table")
    hidden = max(len(table) - largest, 0) if largest else 0
    table = table.nlargest(largest, "types").sort_index() if largest and hidden else table
    read = table[table["gold"].notna()].astype({"gold": "str"})
    if classes is None:
        classes = list(dict.fromkeys(read.sort_values("shared", ascending=False, kind="stable")["gold"]))
    order = table["gold"].map(lambda name: classes.index(str(name)) if str(name) in classes else len(classes))
    rows = table.assign(at=order).sort_values(["at", "shared"], ascending=[True, False], kind="stable")
    height, most = max(len(rows), len(classes), 2), max(int(rows["types"].max()), 1)
    left, right = (_spread(count, height) for count in (len(rows), len(classes)))
    with new_axes(ax, width=PAGE_WIDTH, height=0.8 + 0.17 * height) as ax:
        for y, row in zip(left, rows.itertuples(), strict=True):
            tied = not pd.isna(row.gold)
            if tied:
                ax.plot([0, 1], [y, right[row.at]], color=BLUE, alpha=0.55, linewidth=0.6 + 5 * row.shared / most)
            _point(ax, 0, y, "o", BLUE if tied else None, 3 + 7 * np.sqrt(row.types / most))
            text = str(row.words) if words and "words" in rows.columns else ""
            said = textwrap.shorten(text, LONGEST_WORDS, placeholder="…")
            _name(ax, f"{said}  [{row.cluster}]" if said else f"{row.cluster}", (0, y), -9)
        for y, gold in zip(right, classes, strict=True):
            _point(ax, 1, y, "s", VERMILLION if gold in set(read["gold"]) else None, 5)
            _name(ax, in_lines(gold, LONGEST_CLASS, most=1), (1, y), 7)
        ax.set(xlim=(-0.1, 1.1), ylim=(-height + 0.3, 0.7), yticks=[])
        ax.set_xticks([0, 1], ["cluster", "read as"])
        ax.tick_params(length=0)
        ax.grid(False)
        ax.spines[:].set_visible(False)
        if hidden:
            ax.set_xlabel(f"{hidden} smaller clusters are not drawn")
    return ax


def _spread(count: int, height: int) -> np.ndarray:
    """Compute positions from top to bottom; a single point is in the middle."""
    return -np.linspace(0, height - 1, count) if count > 1 else np.full(count, -(height - 1) / 2)


def _point(ax: Axes, x: float, y: float, marker: str, colour: str | None, size: float) -> None:
    """Draw a filled point, or a hollow grey one."""
    ax.plot([x], [y], marker=marker, color=colour or GREY, markersize=size, markerfacecolor=colour or "white")


def _name(ax: Axes, name: str, place: tuple[float, float], points: int) -> None:
    """Write a name so many points to the right of a place, or to the left of it."""
    ax.annotate(
        name, place, (points, 0), textcoords="offset points", ha="left" if points > 0 else "right", va="center",
        fontsize=small(), annotation_clip=False,
    )  # fmt: skip
