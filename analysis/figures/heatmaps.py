"""Heat maps: tables of two factors as coloured cells with numbers."""

from collections.abc import Collection, Sequence

import numpy as np
import pandas as pd
from matplotlib import colormaps
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.colors import LogNorm, Normalize
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from analysis.figures.style import GREY, PAGE_WIDTH, floats, in_lines, new_axes, require, small, use_style
from analysis.figures.words import lay_out
from analysis.structures.labels import value_codes

CHARACTER = 4.9  # width of a digit of 7 pt, in points, with some margin
LONGEST_NAME = 44  # letters of the longest name of a row or column that is drawn whole


def heatmap(
    table: pd.DataFrame,
    *,
    row: str,
    column: str,
    value: str = "value",
    ax: Axes | None = None,
    limits: tuple[float, float] | None = None,
    log: bool = False,
    colours: str = "cividis",
    digits: int = 2,
    bar: bool = True,
    label: str = "",
    labels: tuple[str, str] = ("", ""),
) -> Axes:
    """Draw a heat map: one cell per pair of factors, with its number where it fits.

    Parameters
    ----------
    table : DataFrame
        One row per cell: the columns named by ``row``, ``column`` and ``value``. Rows and columns of the plot are in
        order of appearance (categories in their own order). Missing pairs and missing values are hatched.
    row, column, value : str
        Names of columns.
    ax : Axes, optional
    limits : pair of float, optional
        Values at the ends of the colour scale; the default is the smallest and the largest value.
    log : bool
        Whether the colour scale is logarithmic; values of 0 have the lowest colour.
    colours : str
        Name of a colour map.
    digits : int
        Decimal places of the numbers in the cells; whole numbers have none.
    bar : bool
        Whether to draw the colour scale beside the plot.
    label : str
        Label of the colour scale.
    labels : pair of str
        Labels of the two axes.

    Returns
    -------
    Axes

    Raises
    ------
    ValueError
        If a column is missing, there is no row, or a pair occurs twice.

    Examples
    --------
    >>> cells = pd.DataFrame({"gold": ["N", "N", "V"], "cluster": [1, 2, 1], "value": [5, 1, 3]})
    >>> [text.get_text() for text in heatmap(cells, row="gold", column="cluster").texts]
    ['5', '1', '3']
    """
    require(table, [row, column, value], "table")
    twice = table.duplicated([row, column])
    if twice.any():
        first = table[twice].iloc[0]
        raise ValueError(f"the pair ({first[row]!r}, {first[column]!r}) occurs in the table more than once.")
    rows, row_codes = _ordered(table[row])
    columns, column_codes = _ordered(table[column])
    cells = np.full((len(rows), len(columns)), np.nan)
    cells[row_codes, column_codes] = floats(table[value])

    written = {
        (line, place): _written(cells[line, place], digits)
        for line in range(len(rows))
        for place in range(len(columns))
        if np.isfinite(cells[line, place])
    }
    rows, columns = ([in_lines(name, LONGEST_NAME, most=1) for name in names] for names in (rows, columns))
    longest = max((len(text) for text in written.values()), default=1)
    cell = max(CHARACTER * longest + 4, 17) / 72
    margin = 0.075 * max(len(name) for name in rows) + 0.4
    width = min(max(cell * len(columns) + margin + (0.6 if bar else 0), 2.2), 9.0)
    height = min(max(0.24 * len(rows) + 0.07 * max(len(name) for name in columns) + 0.5, 1.5), 9.0)
    with new_axes(ax, width=width, height=height) as ax:
        finite = cells[np.isfinite(cells)]
        low, high = limits or ((finite.min(), finite.max()) if finite.size else (0.0, 1.0))
        norm: Normalize
        if log:
            positive = finite[finite > 0]
            low = positive.min() if positive.size else 1.0
            norm = LogNorm(low, max(high, low * 1.001), clip=True)
        else:
            norm = Normalize(low, high if high > low else low + 1e-9, clip=True)
        colour_map = colormaps[colours]
        ax.grid(False)
        ax.set_facecolor("white")
        ax.patch.set_hatch("//////")
        ax.patch.set_edgecolor("#C8C8C8")
        mesh = ax.pcolormesh(
            np.ma.masked_invalid(np.where(cells == 0, low, cells) if log else cells),
            norm=norm, cmap=colour_map, edgecolor="white", linewidth=0.6,
        )  # fmt: skip
        ax.invert_yaxis()
        ax.set_xticks(np.arange(len(columns)) + 0.5, columns)
        ax.set_yticks(np.arange(len(rows)) + 0.5, rows)
        ax.set(xlabel=labels[0], ylabel=labels[1])
        ax.tick_params(length=0)
        for spine in ax.spines.values():
            spine.set_visible(False)
        figure = ax.get_figure(root=True)
        assert figure is not None
        if bar:
            scale = figure.colorbar(mesh, ax=ax, fraction=0.05, pad=0.02, label=label)
            scale.outline.set_visible(False)
        lay_out(ax)
        box = ax.get_window_extent()
        cell_width, cell_height = (
            box.width / len(columns) / figure.dpi * 72,
            box.height / len(rows) / figure.dpi * 72,
        )
        if max(len(name) for name in columns) * CHARACTER > cell_width:
            ax.tick_params(axis="x", rotation=90)
            _thin(ax.xaxis, columns, cell_width)
        _thin(ax.yaxis, rows, cell_height)
        if cell_width >= CHARACTER * longest - 1 and cell_height >= 9:
            for (line, place), text in written.items():
                shade = colour_map(norm(max(cells[line, place], low)))
                dark = 0.299 * shade[0] + 0.587 * shade[1] + 0.114 * shade[2] < 0.55
                ax.text(
                    place + 0.5, line + 0.5, text, ha="center", va="center", fontsize=small(),
                    color="white" if dark else "black",
                )  # fmt: skip
    return ax


def _thin(axis: Axis, names: list[str], room: float) -> None:
    """Label only every second, third … line if the labels would overlap."""
    step = int(np.ceil(9.5 / room))
    if step > 1:
        axis.set_ticks(np.arange(0, len(names), step) + 0.5, names[::step])


def _ordered(column: pd.Series) -> tuple[list[str], np.ndarray]:
    """Return names in order of appearance, or of the categories in use, and the code of each row."""
    if isinstance(column.dtype, pd.CategoricalDtype):
        column = column.cat.remove_unused_categories()
    codes, names = value_codes(column)
    return [str(name) for name in names], codes


def _written(number: float, digits: int) -> str:
    return f"{int(number):,}" if float(number).is_integer() else f"{number:.{digits}f}"


def confusion_heatmap(
    table: pd.DataFrame,
    *,
    value: str = "value",
    ax: Axes | None = None,
    diagonal: bool = True,
    digits: int = 2,
    bar: bool = True,
    labels: tuple[str, str] = ("system", "gold"),
) -> Axes:
    """Draw a confusion table: gold classes as rows, the system's labels as columns, the diagonal framed.

    Parameters
    ----------
    table : DataFrame
        One row per pair, such as `analysis.categories.confusion` gives: ``gold``, ``predicted``, and the value.
    value : str
        Column of the cells: ``"value"``, the share of the gold class, on a scale from 0 to 1, or ``"numerator"``, the
        number of tokens; its scale is logarithmic if the largest is a hundred times the smallest.
    ax : Axes, optional
    diagonal : bool
        Whether cells whose two labels are the same have a frame.
    digits : int
        Decimal places.
    bar : bool
        Whether to draw the colour scale beside the plot.
    labels : pair of str
        Labels of the two axes.

    Returns
    -------
    Axes

    Raises
    ------
    ValueError
        If a column is missing, there is no row, or a pair occurs twice.

    Examples
    --------
    >>> table = pd.DataFrame({"gold": ["N", "V"], "predicted": ["N", "N"], "value": [0.9, 0.1]})
    >>> ax = confusion_heatmap(table)
    >>> [text.get_text() for text in ax.texts], len(ax.patches)
    (['0.90', '0.10'], 1)
    """
    require(table, ["gold", "predicted", value], "table")
    share = value == "value"
    cells = floats(table[value])
    wide = not share and (cells > 0).any() and np.nanmax(cells) >= 100 * cells[cells > 0].min()
    ax = heatmap(
        table, row="gold", column="predicted", value=value, ax=ax, limits=(0.0, 1.0) if share else None, log=bool(wide),
        digits=digits, bar=bar, label="share of the gold class" if share else "tokens", labels=labels,
    )  # fmt: skip
    if diagonal:
        (rows, _), (columns, _) = _ordered(table["gold"]), _ordered(table["predicted"])
        for place, name in enumerate(rows):
            if name in columns:
                corner = (columns.index(name), place)
                ax.add_patch(Rectangle(corner, 1, 1, fill=False, linewidth=0.8, edgecolor="black"))
    return ax


def correlation_heatmap(
    table: pd.DataFrame,
    *,
    row: str = "measure_a",
    column: str = "measure_b",
    value: str = "rho",
    ax: Axes | None = None,
    mirror: bool = True,
    digits: int = 2,
    bar: bool = True,
    label: str = "Spearman's ρ",
) -> Axes:
    """Draw a heat map of correlations between measures, −1 to 1.

    Parameters
    ----------
    table : DataFrame
        One row per pair: ``measure_a``, ``measure_b``, ``rho`` (or the columns named).
    row, column, value : str
        Names of columns.
    ax : Axes, optional
    mirror : bool
        Whether a pair given once is drawn on both sides of the diagonal. The diagonal is empty unless it is given.
    digits : int
        Decimal places.
    bar : bool
        Whether to draw the colour scale beside the plot.
    label : str
        Name of the correlation.

    Returns
    -------
    Axes

    Raises
    ------
    ValueError
        If a column is missing, there is no row, or a pair occurs twice.

    Examples
    --------
    >>> table = pd.DataFrame({"measure_a": ["SP"], "measure_b": ["PP"], "rho": [0.64]})
    >>> [text.get_text() for text in correlation_heatmap(table).texts]
    ['0.64', '0.64']
    """
    require(table, [row, column, value], "table")
    pairs = table[[row, column, value]].astype({row: "str", column: "str"})
    if mirror:
        names = list(dict.fromkeys([*pairs[row], *pairs[column]]))
        turned = pairs.rename(columns={row: column, column: row})
        known = set(zip(pairs[row], pairs[column], strict=True))
        turned = turned[[pair not in known for pair in zip(turned[row], turned[column], strict=True)]]
        pairs = pd.concat([pairs, turned[pairs.columns]], ignore_index=True)
        for name in (row, column):
            pairs[name] = pd.Categorical(pairs[name], categories=names)
    return heatmap(
        pairs, row=row, column=column, value=value, ax=ax, limits=(-1.0, 1.0), colours="PuOr", digits=digits,
        bar=bar, label=label,
    )  # fmt: skip


def clustered_correlations(
    table: pd.DataFrame,
    order: Sequence[str],
    mergers: np.ndarray,
    *,
    value: str = "rho",
    label: str = "Spearman's ρ",
    italic: Collection[str] = (),
) -> Figure:
    """Draw a `correlation_heatmap` in the order of a hierarchical clustering, with the dendrogram above.

    Parameters
    ----------
    table : DataFrame
        One row per pair: ``measure_a``, ``measure_b`` and the coefficient.
    order : sequence of str
        The measures from left to right.
    mergers : ndarray of shape (n - 1, 4)
        Result of `scipy.cluster.hierarchy.linkage`; see `analysis.statistics.clustered_order`.
    value, label : str
        Column of the coefficient, and its name.
    italic : collection of str
        Measures to write in italics.

    Returns
    -------
    Figure

    Examples
    --------
    >>> table = pd.DataFrame({"measure_a": ["SP"], "measure_b": ["PP"], "rho": [0.5]})
    >>> figure = clustered_correlations(table, ["PP", "SP"], np.array([[0, 1, 0.5, 2]]))
    >>> [text.get_text() for text in figure.axes[1].get_xticklabels()]
    ['PP', 'SP']
    """
    from scipy.cluster.hierarchy import dendrogram

    pairs = table[["measure_a", "measure_b", value]]
    both = pd.concat([pairs, pairs.rename(columns={"measure_a": "measure_b", "measure_b": "measure_a"})])
    both = both.sort_values(["measure_a", "measure_b"], key=lambda names: names.map(list(order).index))
    with use_style():
        figure = Figure(figsize=(PAGE_WIDTH, 4.9), layout="constrained")
        tree, ax = figure.subplots(2, 1, height_ratios=(1, 5))
        drawn = dendrogram(mergers, no_plot=True)
        for x, y in zip(drawn["icoord"], drawn["dcoord"], strict=True):
            tree.plot(np.array(x) / 10, y, color=GREY, linewidth=1)
        tree.set_xlim(0, len(order))
        tree.set_axis_off()
        correlation_heatmap(both, value=value, ax=ax, label=label)
        for text in [*ax.get_xticklabels(), *ax.get_yticklabels()]:
            text.set_fontstyle("italic" if text.get_text() in italic else "normal")
    return figure
