"""The style of figures, and the style of each system in all figures."""

import itertools
import textwrap
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import pandas as pd
from matplotlib import rc_context
from matplotlib import style as mpl_style
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.transforms import ScaledTranslation, blended_transform_factory

from analysis.figures.words import draw_plainly, fit_words, lay_out, plain_words, write_above
from analysis.structures import check_columns

STYLE_FILE = Path(__file__).with_name("yardstick.mplstyle")

#: Widths in inches: one and two columns of a journal page.
COLUMN_WIDTH, PAGE_WIDTH = 3.4, 7.0

#: Colours after Okabe and Ito (2008), distinguishable with common colour vision deficiencies; and grey.
BLUE, VERMILLION, GREEN, PURPLE = "#0072B2", "#D55E00", "#009E73", "#CC79A7"
ORANGE, SKY, BLACK, GREY = "#E69F00", "#56B4E9", "#000000", "#7A7A7A"
COLOURS = [BLUE, VERMILLION, GREEN, PURPLE, ORANGE, SKY, BLACK]
MARKERS = ["o", "s", "^", "D", "v", "P", "X", "<", ">", "h"]
LINES: list[Any] = ["-", "--", "-.", ":", (0, (5, 1, 1, 1, 1, 1)), (0, (8, 2)), (0, (3, 2, 1, 2)), (0, (1, 3))]
HATCHES = ["", "////", "....", "\\\\\\\\", "xxxx", "++++", "oooo", "----"]


@dataclass(frozen=True)
class SystemStyle:
    """Colour, marker, line and hatch of one system; each of them alone distinguishes it from its neighbours.

    Examples
    --------
    >>> SystemStyle("#000000", "o", "-", "").marker
    'o'
    """

    color: str
    marker: str
    linestyle: Any
    hatch: str


#: Systems with a fixed style.
KNOWN = {
    "gold": SystemStyle(BLACK, "X", "-", ""),
    "Random": SystemStyle(GREY, "D", (0, (1, 3)), "...."),
    "FF": SystemStyle(GREEN, "^", "-.", "\\\\\\\\"),
    "HC": SystemStyle(VERMILLION, "s", "--", "////"),
    "BHMM": SystemStyle(BLUE, "o", "-", ""),
}


def system_styles(systems: Iterable[str]) -> dict[str, SystemStyle]:
    """Assign a style to each system, in the order given; the papers' best-known systems have a fixed style.

    Up to 70 systems differ in colour or marker.

    Parameters
    ----------
    systems : iterable of str

    Returns
    -------
    dict of str to SystemStyle

    Examples
    --------
    >>> styles = system_styles(["BHMM", "my own", "another"])
    >>> styles["BHMM"].color, len({style.marker for style in styles.values()})
    ('#0072B2', 3)
    """
    names = list(dict.fromkeys(str(system) for system in systems))
    styles = {name: KNOWN[name] for name in names if name in KNOWN}
    colours = {style.color for style in styles.values()}
    markers = {style.marker for style in styles.values()}
    free_colours = [colour for colour in COLOURS if colour not in colours] or COLOURS
    free_markers = [marker for marker in MARKERS if marker not in markers] or MARKERS
    used = {(style.color, style.marker) for style in styles.values()}
    others = [name for name in names if name not in KNOWN]
    for number, name in enumerate(others):
        pairs = itertools.chain(_pairs(free_colours, free_markers), _pairs(COLOURS, MARKERS))
        colour, marker = next((pair for pair in pairs if pair not in used), (GREY, "o"))
        used.add((colour, marker))
        styles[name] = SystemStyle(colour, marker, LINES[number % len(LINES)], HATCHES[number % len(HATCHES)])
    return {name: styles[name] for name in names}


def _pairs(colours: list[str], markers: list[str]) -> Iterator[tuple[str, str]]:
    """List every pair of colour and marker, both changing at each step."""
    for shift, step in itertools.product(range(len(markers)), range(len(colours))):
        yield colours[step], markers[(step + shift) % len(markers)]


@contextmanager
def use_style() -> Iterator[None]:
    """Use the suite's style inside a ``with`` block; matplotlib's settings are restored afterwards.

    Yields
    ------
    None

    Examples
    --------
    >>> with use_style():
    ...     float(Figure().get_figwidth())
    3.4
    """
    with mpl_style.context(["default", str(STYLE_FILE)]), rc_context({"text.parse_math": False}):
        yield


@contextmanager
def new_axes(ax: Axes | None = None, width: float = COLUMN_WIDTH, height: float = 2.8) -> Iterator[Axes]:
    """Yield the Axes to draw on: the caller's, in the caller's style, or those of a new Figure in the suite's style.

    Parameters
    ----------
    ax : Axes, optional
        Axes to use instead of new ones.
    width, height : float
        Size of the new Figure in inches.

    Yields
    ------
    Axes

    Examples
    --------
    >>> with new_axes(width=2) as ax:
    ...     float(ax.figure.get_figwidth())
    2.0
    """
    if ax is not None:
        with plain_words(ax):
            yield ax
        return
    with use_style():
        figure = Figure(figsize=(width, height), layout="constrained")
        ax = figure.subplots()
        yield ax
        draw_plainly(figure)


def in_lines(name: str, width: int, most: int = 3) -> str:
    r"""A name in lines of at most so many letters; of one that needs more than `most` lines the middle is left out.

    Examples
    --------
    >>> in_lines("random, sizes of a.txt", 14)
    'random, sizes\nof a.txt'
    >>> in_lines("runs/" + "x" * 99 + "/seed1", 12, most=2)
    'runs/xxxx …\nxxxx/seed1'
    """
    if len(name) <= width:
        return name
    lines, side = textwrap.wrap(name, width), most * width // 2
    while len(lines) > most and side > 1:
        lines = textwrap.wrap(f"{name[:side].rstrip()} … {name[-side:].lstrip()}", width, break_on_hyphens=False)
        side -= 1
    return "\n".join(lines) or name


def legend_below(ax: Axes, handles: list[Any], *, grow: bool = False) -> None:
    """Draw a legend below the labels of the axes, where it covers nothing; constrained layout reserves space for it.

    With ``grow`` (for a new figure) it is centred on the figure, whose height grows with further lines of the legend,
    so that the plot keeps its size.
    """
    if not handles:
        return
    figure = lay_out(ax)
    room = (figure.bbox if grow else ax.bbox).width / figure.dpi * 72
    labels = [in_lines(str(handle.get_label()), max(12, int((room - 32) / 5))) for handle in handles]
    longest = max(len(line) for label in labels for line in label.split("\n"))
    columns = max(1, min(len(handles), int(room / (4.4 * longest + 32))))
    below = ax.get_tightbbox(for_layout_only=True)
    assert below is not None
    offset = (ax.bbox.y0 - below.y0) / figure.dpi + 4 / 72
    shift = ScaledTranslation(0, -offset, figure.dpi_scale_trans)
    legend = ax.legend(
        handles,
        labels,
        loc="upper center",
        ncols=columns,
        bbox_to_anchor=(0.5, 0.0),
        bbox_transform=blended_transform_factory(figure.transFigure if grow else ax.transAxes, ax.transAxes + shift),
        borderaxespad=0,
    )
    fit_words(ax)
    if grow:
        lines = legend.get_window_extent().height / figure.dpi
        figure.set_figheight(figure.get_figheight() + max(lines - 0.25, 0))


def mark_generated(figure: Figure) -> Figure:
    """Write into a figure that its data are generated; repeated calls have no effect.

    Parameters
    ----------
    figure : matplotlib.figure.Figure

    Returns
    -------
    Figure
        The same figure.

    Examples
    --------
    >>> figure = mark_generated(mark_generated(Figure()))
    >>> [text.get_text() for text in figure.texts]
    ['generated data']
    """
    write_above(figure, "generated data", "generated")
    return figure


def share_legend(figure: Figure, columns: int = 6) -> None:
    """Draw one legend below all panels of a figure instead of the legends of the panels (which must agree).

    Parameters
    ----------
    figure : Figure
        With constrained layout, which reserves space for the legend.
    columns : int
        Number of entries side by side.

    Examples
    --------
    >>> figure = Figure(layout="constrained")
    >>> for ax in figure.subplots(1, 2):
    ...     _ = ax.plot([0, 1], label="line")
    ...     _ = ax.legend()
    >>> share_legend(figure)
    >>> len(figure.legends), [ax.get_legend() for ax in figure.axes]
    (1, [None, None])
    """
    entries: dict[str, Any] = {}
    for ax in figure.axes:
        legend = ax.get_legend()
        if legend is not None:
            for text, mark in zip(legend.get_texts(), legend.legend_handles, strict=True):
                entries.setdefault(text.get_text(), mark)
            legend.remove()
    if entries:
        letters = int((figure.get_figwidth() * 72 - 32) / 5)
        labels = [in_lines(name, letters) for name in entries]
        widest = max(len(line) for label in labels for line in label.split("\n"))
        fitting = max(1, int(figure.get_figwidth() * 72 / (4.4 * widest + 32)))
        columns = min(columns, len(entries), fitting)
        figure.legend(entries.values(), labels, loc="outside lower center", ncols=columns)


def small_multiples(
    panels: Sequence[tuple[str, Callable[..., Any]]],
    *,
    columns: int,
    height: float,
    width: float = PAGE_WIDTH,
    share: tuple[bool | Literal["row", "col"], bool | Literal["row", "col"]] = (False, False),
    legend_columns: int = 6,
    heights: Sequence[float] | None = None,
) -> Figure:
    """Draw several plots in one figure, with one legend for all.

    Parameters
    ----------
    panels : sequence of (str, callable)
        Title and drawing function of each panel, row by row; the function takes the argument ``ax``.
    columns : int
    height, width : float
        Size of the figure in inches.
    share : (bool or {"row", "col"}, bool or {"row", "col"})
        Whether panels share x and y: all of them, or those of a row or column; inner panels then have no label on that
        axis.
    legend_columns : int
        Number of legend entries side by side.
    heights : sequence of float, optional
        Of the rows, in any unit; by default equal.

    Returns
    -------
    Figure

    Examples
    --------
    >>> plain = lambda ax: ax.plot([1, 2])
    >>> figure = small_multiples([("left", plain), ("right", plain)], columns=2, height=2)
    >>> [ax.get_title() for ax in figure.axes]
    ['left', 'right']
    """
    rows = -(-len(panels) // columns)
    with use_style():
        figure = Figure(figsize=(width, height), layout="constrained")
        grid = figure.subplots(rows, columns, sharex=share[0], sharey=share[1], squeeze=False, height_ratios=heights)
        for ax, (title, draw) in zip(grid.flat, panels, strict=False):
            draw(ax=ax)
            ax.set_title(title)
        for inner, name in ((grid[:-1], "x"), (grid[:, 1:], "y")):
            for ax in inner.flat if share["xy".index(name)] else ():
                ax.set(**{f"{name}label": ""})
        for ax in grid.flat[len(panels) :]:
            ax.remove()
        share_legend(figure, legend_columns)
        draw_plainly(figure)
    return figure


def note(ax: Axes, text: str) -> None:
    """Write a note above the axes, at the right: what the plot could not show."""
    figure = ax.get_figure(root=True)
    assert figure is not None
    text = textwrap.fill(text, max(20, int(ax.bbox.width / figure.dpi * 72 / 4.2)))
    ax.annotate(
        text, (1, 1), xytext=(0, 2), xycoords="axes fraction", textcoords="offset points", ha="right", va="bottom",
        fontsize=7, color="#505050",
    )  # fmt: skip


def handle(style: SystemStyle, label: str, line: bool = False) -> Line2D:
    """Make a legend entry for one system."""
    return Line2D(
        [], [], color=style.color, marker=style.marker, linestyle=style.linestyle if line else "none",
        markerfacecolor=style.color, markersize=5, label=label,
    )  # fmt: skip


def require(table: pd.DataFrame, columns: Iterable[str], what: str) -> None:
    """Raise an error if a table lacks a column or has no row.

    Raises
    ------
    ValueError
        If a column is missing or there is no row.
    """
    if not isinstance(table, pd.DataFrame):
        raise ValueError(f"{what} must be a DataFrame, not {type(table).__name__}.")
    check_columns(table, columns, what)
    if not len(table):
        raise ValueError(f"{what} has no row.")


def floats(column: pd.Series) -> Any:
    """Convert a column to 64-bit floats, missing values to NaN."""
    return column.astype("Float64").to_numpy(dtype="float64", na_value=float("nan"))
