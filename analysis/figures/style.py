"""The style of figures, and the style of each system in all figures."""

import textwrap
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

import pandas as pd
from cycler import cycler
from matplotlib import rc_context, rcParams, rcParamsOrig
from matplotlib import style as mpl_style
from matplotlib.axes import Axes
from matplotlib.collections import Collection
from matplotlib.colors import to_hex, to_rgba
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from matplotlib.text import Text
from matplotlib.transforms import ScaledTranslation, blended_transform_factory

from analysis.figures.words import draw_plainly, fit_words, lay_out, plain_words, write_above
from analysis.structures import check_choice, check_columns

STYLE_FILE = Path(__file__).with_name("yardstick.mplstyle")

#: Widths in inches: one and two columns of a journal page.
COLUMN_WIDTH, PAGE_WIDTH = 3.4, 7.0

#: Colours after Okabe and Ito (2008), distinguishable with common colour vision deficiencies; and grey.
BLUE, VERMILLION, GREEN, PURPLE = "#0072B2", "#D55E00", "#009E73", "#CC79A7"
ORANGE, SKY, BLACK, GREY = "#E69F00", "#56B4E9", "#000000", "#7A7A7A"
COLOURS = [BLUE, VERMILLION, GREEN, PURPLE, ORANGE, SKY, BLACK]
#: Filled markers that are told apart at the size of a line's points.
MARKERS: list[Any] = [
    "o", "s", "^", "D", "v", "P", "X", "<", ">", "h", "*", "p", "d", "8", (4, 1, 0), (6, 1, 0), (3, 1, 0), (3, 1, 180),
    (8, 1, 0), (4, 1, 45), (7, 0, 0), (5, 0, 180), (5, 1, 36), "H",
]  # fmt: skip
LINES: list[Any] = ["-", "--", "-.", ":", (0, (5, 1, 1, 1, 1, 1)), (0, (8, 2)), (0, (3, 2, 1, 2)), (0, (1, 3))]
HATCHES = [
    "",
    "////",
    "....",
    "\\\\\\\\",
    "xxxx",
    "++++",
    "oooo",
    "----",
    "-/-/",
    "**",
    "//",
    "\\\\",
    "..",
    "xx",
    "++",
    "oo",
]
#: Groups of ``rcParams`` in which figures follow the caller.
_LOOKS = ("axes.", "errorbar.", "figure.", "font.", "grid.", "hatch.", "image.cmap", "legend.", "lines.", "patch.",
          "savefig.", "scatter.", "text.color", "xtick.", "ytick.")  # fmt: skip


@dataclass(frozen=True)
class SystemStyle:
    """Colour, marker, line and hatch of one system; the marker alone distinguishes it from the others of a figure.

    Examples
    --------
    >>> SystemStyle("#000000", "o", "-", "").marker
    'o'
    """

    color: str
    marker: Any
    linestyle: Any
    hatch: str


#: Systems of each subject, in the order in which they get their looks: those of one subject never share a marker.
_SUBJECTS = (
    ("BHMM", "HC", "FF", "Random", "Clark03", "GG07", "gold", "GJ08", "GJ08 VB", "GVG09(1)", "GVG09(2)", "GVG09(3)",
     "Clark03, assigned", "Brown", "Exchange", "ARR10"),
    ("BC", "CGS", "C-p", "Random classes", "C-c", "G-c", "gold tags", "G-u", "B-c", "B-p", "B-u", "MK-c", "MK-p",
     "MK-u", "C-u", "G-p", "C", "G", "B", "MK"),
    ("BC", "CGS", "DMV-p", "R", "DMV-c", "DMV-u", "gold trees", "Tu", "BH", "H", "LB", "RB", "S1", "S2", "MZ-c",
     "MZ-p", "MZ-u", "DMV"),
    ("NONNEUR", "CHR-TRM", "Majority suffix", "Copy", "CLUZH-B4", "CLUZH-GR", "CLUZH (2022)", "Nearest analogy"),
)  # fmt: skip
_FIXED = {
    "Random": 7,
    "Random classes": 7,
    "R": 7,
    "Copy": 7,
    "gold": 6,
    "gold tags": 6,
    "gold trees": 6,
}  # grey, black


def _look(number: int, colours: Sequence[str]) -> SystemStyle:
    """The look of this number: each has its own marker and, with its colour, its own hatch and line."""
    own = [*colours[:7], *COLOURS[len(colours[:7]) :], GREY]
    colour, hatch = own[(number + number // len(HATCHES)) % 8], HATCHES[number % len(HATCHES)]
    return SystemStyle(colour, MARKERS[number % len(MARKERS)], LINES[(number + number // 8) % len(LINES)], hatch)


def _numbers() -> dict[str, int]:
    """The number of the look of each system of the papers."""
    numbers: dict[str, int] = {}
    for systems in _SUBJECTS:
        taken = {numbers[name] for name in systems if name in numbers}
        taken |= {_FIXED[name] for name in systems if name in _FIXED}
        for name in systems:
            free = next(number for number in range(len(MARKERS)) if number not in taken | {6, 7})
            numbers.setdefault(name, _FIXED.get(name, free))
            taken.add(numbers[name])
    return numbers


#: Systems of the papers with the number of their look; a system has it in every figure.
KNOWN = _numbers()


def current_colours() -> list[str]:
    """The colours of systems: the suite's, or those of the caller's palette (``axes.prop_cycle``, `seaborn.set_theme`).

    Returns
    -------
    list of str

    Examples
    --------
    >>> current_colours()[0]
    '#0072B2'
    """
    given = rcParams["axes.prop_cycle"].by_key().get("color", [])
    if not given or given == rcParamsOrig["axes.prop_cycle"].by_key().get("color"):
        return list(COLOURS)
    return [to_hex(colour).upper() for colour in given]


def system_styles(systems: Iterable[str]) -> dict[str, SystemStyle]:
    """Assign a style to each system; the papers' systems have the same one in every figure.

    No two of 24 systems share a marker; up to 190 differ in colour or marker. A system of a paper loses its own look
    only if a system before it, of another subject, has the same marker.

    Parameters
    ----------
    systems : iterable of str

    Returns
    -------
    dict of str to SystemStyle
        In the order given.

    Examples
    --------
    >>> styles = system_styles(["BHMM", "my own", "another"])
    >>> styles["BHMM"].color, len({style.marker for style in styles.values()})
    ('#0072B2', 3)
    """
    names, colours = list(dict.fromkeys(str(system) for system in systems)), current_colours()
    numbers: dict[str, int] = {}
    for name in names:
        if name in KNOWN and KNOWN[name] not in numbers.values():
            numbers[name] = KNOWN[name]
    reserved = {6, 7} if numbers else set()  # among systems black and grey are for the gold standard and chance
    free = [number for number in range(len(MARKERS)) if number not in {*numbers.values(), *reserved}]
    free += sorted(reserved - set(numbers.values()))
    others = [name for name in names if name not in numbers]
    numbers |= dict(zip(others, free, strict=False))
    styles = {name: _look(number, colours) for name, number in numbers.items()}
    used = {(style.color, style.marker) for style in styles.values()}
    pairs = ((colour, number) for number in range(len(MARKERS)) for colour in (*COLOURS, GREY))
    for name in others[len(free) :]:  # more systems than markers
        colour, number = next((pair for pair in pairs if (pair[0], MARKERS[pair[1]]) not in used), (GREY, 0))
        styles[name] = replace(_look(number, colours), color=colour)
    return {name: styles[name] for name in names}


_PAPER: ContextVar[tuple[float | None, bool]] = ContextVar("paper", default=(None, False))  # width, monochrome
_WIDTHS = {"column": COLUMN_WIDTH, "page": PAGE_WIDTH}


@contextmanager
def paper(
    width: str | None = None, *, monochrome: bool = False, font_size: float | None = None, palette: Any = None
) -> Iterator[None]:
    """Draw figures for print inside a ``with`` block: their width, size of letters, and colours or greys.

    Parameters
    ----------
    width : {"column", "page"}, optional
        Width of new figures: 3.4 or 7 inches. By default each figure has its own.
    monochrome : bool
        Whether figures are drawn in greys; systems differ in marker, line and hatch.
    font_size : float, optional
        Size of titles and labels in points; ticks, legends and notes are one point smaller. By default 8.
    palette : str or sequence of colours, optional
        Colours of the systems: a name that `seaborn.color_palette` knows, or colours.

    Yields
    ------
    None

    Raises
    ------
    ValueError
        If the width is unknown.

    Notes
    -----
    Figures also follow ``matplotlib.rcParams`` and `seaborn.set_theme` as they are set when a figure is drawn.

    Examples
    --------
    >>> with paper(width="page", monochrome=True, font_size=9), new_axes() as ax:
    ...     float(ax.figure.get_figwidth()), ax.title.get_fontsize()
    (7.0, 9.0)
    """
    if width is not None:
        check_choice("width", width, tuple(_WIDTHS))
    settings: Any = {}
    if font_size is not None:
        large = ("font.size", "axes.titlesize", "axes.labelsize", "figure.labelsize", "figure.titlesize")
        small = ("xtick.labelsize", "ytick.labelsize", "legend.fontsize", "legend.title_fontsize")
        settings |= dict.fromkeys(large, font_size) | dict.fromkeys(small, font_size - 1)
    if palette is not None:
        if isinstance(palette, str):
            from seaborn import color_palette

            palette = color_palette(palette)
        settings["axes.prop_cycle"] = cycler(color=[to_hex(colour) for colour in palette])
    token = _PAPER.set((_WIDTHS[width] if width else None, monochrome))
    try:
        with rc_context(settings):
            yield
    finally:
        _PAPER.reset(token)


def small() -> float:
    """Size of notes and numbers inside a plot, in points: that of the labels of ticks."""
    size = rcParams["xtick.labelsize"]
    return float(size) if isinstance(size, (int, float)) else 7.0


def finish(figure: Figure) -> None:
    """Prepare a new figure: texts literally and, inside of `paper` with ``monochrome``, every colour as a grey."""
    draw_plainly(figure)
    if _PAPER.get()[1]:
        _to_greys(figure)


def _to_greys(figure: Figure) -> None:
    for artist in figure.findobj(lambda one: isinstance(one, (Line2D, Patch, Text))):
        for part in ("color", "facecolor", "edgecolor", "markerfacecolor", "markeredgecolor"):
            given, change = getattr(artist, f"get_{part}", None), getattr(artist, f"set_{part}", None)
            if given is None or change is None or (part == "color" and isinstance(artist, Patch)):
                continue
            change(_grey(given()))
    for collection in figure.findobj(Collection):
        if collection.get_array() is None:
            collection.set_facecolor([_grey(colour) for colour in collection.get_facecolor()])
            collection.set_edgecolor([_grey(colour) for colour in collection.get_edgecolor()])


def _grey(colour: Any) -> Any:
    """The grey that is as light as a colour."""
    if isinstance(colour, str) and colour.lower() in ("none", "auto", "inherit"):
        return colour
    red, green, blue, alpha = to_rgba(colour)
    light = 0.2126 * red**2.2 + 0.7152 * green**2.2 + 0.0722 * blue**2.2
    return (*(3 * [light ** (1 / 2.2)]), alpha)


@contextmanager
def use_style() -> Iterator[None]:
    """Use the suite's style inside a ``with`` block; matplotlib's settings are restored afterwards.

    What the caller has changed in ``matplotlib.rcParams`` since the start, also by `seaborn.set_theme`, comes first.

    Yields
    ------
    None

    Examples
    --------
    >>> with use_style():
    ...     float(Figure().get_figwidth())
    3.4
    """
    looks = (name for name in rcParams if name.startswith(_LOOKS))
    chosen = {name: rcParams[name] for name in looks if rcParams[name] != rcParamsOrig.get(name)}
    with mpl_style.context(["default", str(STYLE_FILE)]), rc_context({**chosen, "text.parse_math": False}):
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
        figure = Figure(figsize=(_PAPER.get()[0] or width, height), layout="constrained")
        ax = figure.subplots()
        yield ax
        finish(figure)


def in_lines(name: str, width: int, most: int = 3) -> str:
    r"""A name in lines of at most so many letters; of one that needs more than `most` lines the middle is left out.

    Examples
    --------
    >>> in_lines("random, sizes of a.txt", 14)
    'random, sizes\nof a.txt'
    >>> in_lines("runs/" + "x" * 99 + "/seed1", 12, most=2)
    'runs/xxxxx …\nxxxx/seed1'
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
    rows, room = -(-len(panels) // columns), _PAPER.get()[0] or width
    if room < width:  # inside of `paper`: fewer panels side by side
        columns = max(1, int(columns * room / width))
        height, rows = height / rows * -(-len(panels) // columns), -(-len(panels) // columns)
        legend_columns = min(legend_columns, 3)
        heights = heights and [heights[place * len(heights) // rows] for place in range(rows)]
    with use_style():
        figure = Figure(figsize=(room, height), layout="constrained")
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
        finish(figure)
    return figure


def note(ax: Axes, text: str) -> None:
    """Write a note above the axes, at the right: what the plot could not show."""
    figure = ax.get_figure(root=True)
    assert figure is not None
    text = textwrap.fill(text, max(20, int(ax.bbox.width / figure.dpi * 72 / 4.2)))
    ax.annotate(
        text, (1, 1), xytext=(0, 2), xycoords="axes fraction", textcoords="offset points", ha="right", va="bottom",
        fontsize=small(), color="#505050",
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
