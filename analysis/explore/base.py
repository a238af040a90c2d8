"""Base of all explorers: controls above one output that is redrawn as a whole, without pyplot and race conditions."""

import base64
import dataclasses
import functools
import inspect
import os
import re
from collections import OrderedDict
from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import ipywidgets as widgets
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from analysis.figures.saving import PAGE, figure_bytes
from analysis.figures.style import use_style
from analysis.structures import check_choice
from analysis.structures.markup import html_frame, html_text
from analysis.structures.writing import write_whole

REMEMBERED = 64  # number of results that an explorer keeps
_KINDS = {"pdf": "application/pdf", "svg": "image/svg+xml", "csv": "text/csv"}
#: Appears after 0.3 seconds, by itself: the kernel is busy then.
COMPUTING = (
    "<style>@keyframes yardstick-appear { to { visibility: visible } }</style>"
    '<span role="status" style="visibility: hidden; animation: yardstick-appear 0s .3s forwards">'
    "&#8987; computing …</span>"
)
#: A page that is neither of this machine nor encrypted has no `navigator.clipboard`.
_COPY = (
    '<button onclick="const code = this.nextElementSibling; if (navigator.clipboard) '
    "navigator.clipboard.writeText(code.textContent); else { getSelection().selectAllChildren(code); "
    'document.execCommand(\'copy\') }" title="Copy to the clipboard">Copy</button>'
)


class Shown(NamedTuple):
    """What an explorer shows for some values of its controls.

    Attributes
    ----------
    value
        Result of the explorer's ``compute``; None after an error.
    figure : matplotlib.figure.Figure or None
    alt, text : str
        Alternative text of the figure, and the line below it.
    table : DataFrame or None
        The last one, if there are several.
    error : str
        What is shown instead if the values are not possible.
    """

    value: Any
    figure: Figure | None
    alt: str
    text: str
    table: pd.DataFrame | None
    error: str


class Explorer(widgets.VBox):
    """Controls, and below them the figure and table of the selected values.

    Parameters
    ----------
    controls : mapping of str to widget
        Each has a ``value``; the name is the argument of ``compute``.
    compute : callable
        Takes the values of the controls by name and returns the result to show (a DataFrame, or a mapping of them).
        Results are cached by the values of the controls.
    draw : callable, optional
        Takes the result and returns a matplotlib Figure made without pyplot (so no figure stays open).
    text : callable, optional
        Takes the result and returns a line to print below the figure.
    table : callable, optional
        Takes the result and returns a DataFrame to print below the text, or several by the line that stands above each.
    alt : callable, optional
        Takes the result and returns the alternative text of the figure.
    image : {"png", "svg"}
        Format of the figure.
    idle : callable, optional
        Takes the values of the controls by name and returns the names of those that have no effect now; they are
        disabled.
    offered : callable, optional
        Takes the values of the controls by name and returns the possible choices of some menus, or the ends of
        some sliders, by name.

    Attributes
    ----------
    value
        Result of ``compute`` for the current values; None after an error.
    error : str
        The message shown instead of a figure, if the selected values are not possible.
    call : str
        The call that made the explorer, as in Python; see `code`.

    Notes
    -----
    The output is replaced as one synchronised state, so quick changes never leave two figures, and it is saved with the
    notebook. A ``ValueError`` of ``compute`` is shown as one line instead of the figure. While a result is computed for
    more than 0.3 seconds, a line says so.
    """

    def __init__(
        self,
        controls: Mapping[str, widgets.Widget],
        compute: Callable[..., Any],
        *,
        draw: Callable[[Any], Figure] | None = None,
        text: Callable[[Any], str] | None = None,
        table: Callable[[Any], pd.DataFrame | Mapping[str, pd.DataFrame]] | None = None,
        alt: Callable[[Any], str] | None = None,
        image: str = "png",
        idle: Callable[..., Collection[str]] | None = None,
        offered: Callable[..., Mapping[str, Any]] | None = None,
    ) -> None:
        self.controls = dict(controls)
        self.value: Any = None
        self.error, self.call = "", ""
        self._image, self._idle, self._offered, self._offering = image, idle, offered, False
        self._compute, self._draw, self._text, self._table, self._alt = compute, draw, text, table, alt
        self._remembered: OrderedDict[tuple, Any] = OrderedDict()
        self._output = widgets.Output()
        for control in self.controls.values():
            if hasattr(control, "continuous_update"):
                control.continuous_update = False
            control.observe(self._redraw, "value")
        row = widgets.HBox(list(self.controls.values()), layout=widgets.Layout(flex_flow="row wrap"))
        self._busy, self._tools = widgets.HTML(), Tools(self)
        super().__init__([widgets.VBox([row, self._tools, self._busy]), self._output])
        self._redraw()

    def settings(self) -> dict[str, Any]:
        """Return the values of the controls by name."""
        return {name: control.value for name, control in self.controls.items()}

    def set(self, **values: Any) -> "Explorer":
        """Set controls by name, as a user would, and return the explorer."""
        for name, value in values.items():
            check_choice("control", name, tuple(self.controls))
            self.controls[name].value = value
        return self

    def shown(self, **values: Any) -> Shown:
        """Compute what is shown for other values of the controls, and leave the controls as they are.

        Parameters
        ----------
        **values
            By name; the other controls count with their present values.
        """
        for name in values:
            check_choice("control", name, tuple(self.controls))
        try:
            value = self._compute(**(self.settings() | values))
        except ValueError as problem:
            return Shown(None, None, "", "", None, _said(problem))
        with use_style():
            figure = self._draw(value) if self._draw else None
        alt, text = (part(value) if part else "" for part in (self._alt, self._text))
        tables = list(self._tables(value).values())
        return Shown(value, figure, alt, text, tables[-1] if tables else None, "")

    def figure(self) -> Figure:
        """Return the current figure as a static figure, for readers without a kernel.

        Raises
        ------
        ValueError
            If the explorer has no figure, or the selected values are not possible.
        """
        if self._draw is None:
            raise ValueError("this explorer shows no figure; its `value` holds the numbers.")
        if self.error:
            raise ValueError(self.error)
        with use_style():
            return self._draw(self.value)

    def still(self) -> Figure | None:
        """Return the current figure in a notebook that is executed for a page; None in a running one, whose reader has
        the explorer itself.
        """
        return self.figure() if os.environ.get(PAGE) else None

    def numbers(self) -> dict[str, pd.DataFrame]:
        """Return the tables of the current value by name; a single one is called ``numbers``.

        Raises
        ------
        ValueError
            If the selected values are not possible.
        """
        if self.error:
            raise ValueError(self.error)
        whole = self.value if isinstance(self.value, Mapping) else {"numbers": self.value}
        found = {str(name): table for name, table in whole.items() if isinstance(table, pd.DataFrame)}
        return found or self._tables(self.value)

    def _tables(self, value: Any) -> dict[str, pd.DataFrame]:
        """The tables to print, by the line above each; one that has none is called ``numbers``."""
        if self._table is None:
            return {}
        found = self._table(value)
        return {"numbers": found} if isinstance(found, pd.DataFrame) else dict(found)

    def code(self) -> str:
        """Return the lines of Python that make this explorer again, with the current values of its controls.

        Objects that have no short written form, such as tables, are called by the name of the argument.
        """
        written = {name: value for name, value in self.settings().items() if not _is_upload(value)}
        chosen = ", ".join(f"{name}={value!r}" for name, value in written.items())
        papers = dict.fromkeys(re.findall(r"\b(\w+)\.(?:Setting\(|PAPER\b)", self.call))
        lines = ["from analysis import explore", *(f"from analysis.papers import {', '.join(papers)}" for _ in papers)]
        last = "figure()" if self._draw else "value"
        return "\n".join([*dict.fromkeys(lines), f"explorer = {self.call}", f"explorer.set({chosen}).{last}"])

    def files(self) -> dict[str, bytes]:
        """Return the current figure as PDF and SVG and the numbers as CSV, by file name."""
        stem = self.call.partition("(")[0].rpartition(".")[2] or "explorer"
        files = {f"{stem}.{kind}": figure_bytes(self.figure(), kind) for kind in ("pdf", "svg") if self._draw}
        tables = self.numbers()
        return files | {
            f"{stem}{'' if len(tables) == 1 else '_' + name}.csv": table.to_csv(index=_named(table)).encode()
            for name, table in tables.items()
        }

    def save(self, folder: str | Path = ".") -> list[Path]:
        """Write the current figure as PDF and SVG and the numbers as CSV into a folder, and return their paths.

        Parameters
        ----------
        folder : str or Path
        """
        paths = []
        for name, content in self.files().items():
            write_whole(Path(folder) / name, content)
            paths.append(Path(folder) / name)
        return paths

    def _result(self) -> Any:
        key = tuple(self.settings().values())
        if key not in self._remembered:
            self._busy.value = COMPUTING
            try:
                self._remembered[key] = self._compute(**self.settings())
            finally:
                self._busy.value = ""
            if len(self._remembered) > REMEMBERED:
                self._remembered.popitem(last=False)
        self._remembered.move_to_end(key)
        return self._remembered[key]

    def _offer(self) -> None:
        """Offer the possible choices only, and disable what has no effect."""
        self._offering = True
        try:
            for name, options in (self._offered(**self.settings()) if self._offered else {}).items():
                control, value = self.controls[name], self.controls[name].value
                if isinstance(options, int):  # the end of a slider
                    control.max = options
                elif tuple(control.options) != tuple(options):
                    control.options = tuple(options)
                    values = [option[1] if isinstance(option, tuple) else option for option in options]
                    control.value = value if value in values else values[0]
            idle = self._idle(**self.settings()) if self._idle else ()
            for name, control in self.controls.items():
                control.disabled = name in idle
        finally:
            self._offering = False

    def _redraw(self, _change: object = None) -> None:
        if self._offering:
            return
        self._offer()
        self._tools.clear()
        outputs: list[dict[str, Any]] = []
        try:
            self.value, self.error = self._result(), ""
            if self._draw is not None:
                alt = self._alt(self.value) if self._alt else "figure"
                outputs.append(figure_output(self.figure(), alt, self._image))
            if self._text is not None:
                outputs.append(text_output(self._text(self.value)))
            for line, table in self._tables(self.value).items():
                outputs += [text_output(line)] if line != "numbers" else []
                outputs.append(table_output(table))
        except ValueError as problem:
            self.value, self.error = None, (said := _said(problem))
            outputs = [text_output(said)]
        self._output.outputs = tuple(outputs)


class Tools(widgets.HBox):
    """The buttons of an explorer: save what is shown, show the code that shows it again.

    Parameters
    ----------
    explorer : Explorer
    """

    def __init__(self, explorer: "Explorer") -> None:
        self._explorer, self._shown = explorer, widgets.HTML()
        wide = widgets.Layout(width="auto")
        self.saving = widgets.Button(description="Save figure and numbers", icon="download", layout=wide)
        self.coding = widgets.Button(description="Show the code", icon="code", layout=wide)
        self.saving.on_click(self._save)
        self.coding.on_click(self._code)
        super().__init__([self.saving, self.coding, self._shown], layout=widgets.Layout(flex_flow="row wrap"))

    @property
    def shown(self) -> str:
        """What the last click shows, as HTML: links to files, or code; empty after a change of the controls."""
        return str(self._shown.value)

    def clear(self) -> None:
        """Take away links and code of an earlier state."""
        self._shown.value = ""

    def _save(self, _button: object) -> None:
        try:
            files = self._explorer.files()
        except ValueError as problem:
            self._shown.value = html_text(problem)
            return
        self._shown.value = "Download: " + ", ".join(
            f'<a download="{html_text(name)}" href="data:{_KINDS[name.rpartition(".")[2]]};base64,'
            f'{base64.b64encode(content).decode()}">{html_text(name)}</a>'
            for name, content in files.items()
        )

    def _code(self, _button: object) -> None:
        text = html_text(self._explorer.code())
        self._shown.value = f"{_COPY}<pre>{text}</pre>"


def made_by_call(function: Callable[..., Any]) -> Callable[..., Any]:
    """Decorate a function that returns an explorer: the explorer knows the call; see `Explorer.code`."""

    @functools.wraps(function)
    def making(*values: Any, **named: Any) -> Any:
        explorer = function(*values, **named)
        given = inspect.signature(function).bind(*values, **named).arguments
        written = ", ".join(f"{name}={written_as(value, name)}" for name, value in given.items())
        explorer.call = f"explore.{function.__name__}({written})"
        return explorer

    return making


def written_as(value: Any, name: str) -> str:
    """Write an argument as in Python; a paper's setting by the fields that differ from its defaults.

    Parameters
    ----------
    value : object
    name : str
        Of the argument: it stands for a value without a short written form.

    Examples
    --------
    >>> written_as("nursery", "corpus"), written_as(pd.DataFrame(), "found")
    ("'nursery'", 'found')
    """
    module = type(value).__module__.split(".")
    setting: Any = value
    if dataclasses.is_dataclass(value) and not isinstance(value, type) and module[:2] == ["analysis", "papers"]:
        if hasattr(value, "notebooks"):
            return f"{value.name}.PAPER"  # type: ignore[attr-defined]
        plain = setting.choose(corpus=setting.corpus)
        fields = [field.name for field in dataclasses.fields(value)]
        chosen = [field for field in fields if field == "corpus" or getattr(value, field) != getattr(plain, field)]
        return f"{module[2]}.Setting({', '.join(f'{field}={getattr(value, field)!r}' for field in chosen)})"
    plain_value = value is None or isinstance(value, (bool, int, float, str, tuple, list, Path))
    return (repr(str(value)) if isinstance(value, Path) else repr(value)) if plain_value else name


def _said(problem: ValueError) -> str:
    """A message without advice on arguments."""
    return str(getattr(problem, "incident", None) or problem)


def _is_upload(value: Any) -> bool:
    """Whether the value of a control is a file: its name and its content."""
    return isinstance(value, tuple) and any(isinstance(part, bytes) for part in value)


def _named(table: pd.DataFrame) -> bool:
    """Whether the index of a table says something."""
    return any(name is not None for name in table.index.names) or not isinstance(table.index, pd.RangeIndex)


def dropdown(name: str, options: Any, value: Any, width: str = "17em") -> widgets.Dropdown:
    """Make a dropdown with its name beside it."""
    layout, style = widgets.Layout(width=width), {"description_width": "auto"}
    return widgets.Dropdown(options=options, value=value, description=name, layout=layout, style=style)


def panels(width: float, height: float, columns: int = 1, left: float = 0.6) -> tuple[Figure, list[Axes]]:
    """Make a figure with fixed margins and axes side by side; the fixed layout makes redrawing fast.

    Parameters
    ----------
    width, height : float
        Size of the figure in inches.
    columns : int
        Number of axes.
    left : float
        Space for the labels to the left of each, in inches.

    Examples
    --------
    >>> figure, axes = panels(7, 3, 2)
    >>> len(axes)
    2
    """
    figure = Figure(figsize=(width, height))
    axes = figure.subplots(1, columns, squeeze=False)[0]
    room = width / columns
    figure.subplots_adjust(
        left=left / width,
        right=1 - 0.12 / width,
        bottom=0.55 / height,
        top=1 - 0.3 / height,
        wspace=left / (room - left),
    )
    return figure, list(axes)


def figure_output(figure: Figure, alt: str, image: str = "png") -> dict[str, Any]:
    """Convert a figure to one notebook output: an image (PNG or SVG) with its alternative text.

    Examples
    --------
    >>> output = figure_output(Figure(figsize=(1, 1)), "an empty figure")
    >>> sorted(output["data"]), 'alt="an empty figure"' in output["data"]["text/html"]
    (['text/html', 'text/plain'], True)
    """
    encoded = base64.b64encode(figure_bytes(figure, image, dpi=100)).decode()
    kind = "image/svg+xml" if image == "svg" else "image/png"
    picture = f'<img alt="{html_text(alt)}" src="data:{kind};base64,{encoded}" style="max-width:100%">'
    return _display({"text/plain": alt, "text/html": picture})


def text_output(text: str) -> dict[str, Any]:
    """Convert lines of text to one notebook output.

    Examples
    --------
    >>> text_output("two frames")["data"]["text/plain"]
    'two frames'
    """
    return _display({"text/plain": text, "text/html": f'<pre style="word-break:normal">{html_text(text)}</pre>'})


def table_output(table: pd.DataFrame) -> dict[str, Any]:
    """Convert a table to one notebook output; a missing value is a dash, and long numbers have six digits.

    Examples
    --------
    >>> print(table_output(pd.DataFrame({"k": pd.array([12, None], dtype="Int64")}))["data"]["text/plain"])
        k
    0  12
    1   –
    """
    shown = table.apply(_shortened)
    return _display({"text/plain": shown.to_string(), "text/html": html_frame(shown)})


def _shortened(column: pd.Series) -> pd.Series:
    """A column with dashes for its missing values, and six digits where numbers are long or very small.

    Examples
    --------
    >>> _shortened(pd.Series([1.5e-9, None])).tolist()
    ['1.5e-09', '–']
    >>> _shortened(pd.Series([105490.695648, 0.25])).tolist()
    ['105491', '0.25']
    """
    numbers = pd.to_numeric(column[column.notna()]) if pd.api.types.is_float_dtype(column) else pd.Series(dtype=float)
    long = (numbers.abs() >= 1000).any() or ((numbers != 0) & (numbers.abs() < 1e-4)).any()
    if column.notna().all() and not long:
        return column
    written = [_in_six_digits(each) if isinstance(each, float) else each for each in column]
    return pd.Series(written, column.index, dtype="object").where(column.notna(), "–")


def _in_six_digits(number: float) -> str:
    """Six significant digits; from 100,000 on the nearest whole number."""
    return f"{number:.0f}" if abs(number) >= 1e5 else f"{number:.6g}"


def _display(data: dict[str, str]) -> dict[str, Any]:
    return {"output_type": "display_data", "metadata": {}, "data": data}
