"""Base of all explorers: controls above one output that is redrawn as a whole, without pyplot and race conditions."""

import base64
from collections import OrderedDict
from collections.abc import Callable, Mapping
from typing import Any

import ipywidgets as widgets
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from analysis.figures.saving import figure_bytes
from analysis.figures.style import use_style
from analysis.structures import check_choice
from analysis.structures.markup import html_frame, html_text

REMEMBERED = 64  # number of results that an explorer keeps


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
        Takes the result and returns a DataFrame to print below the text.
    alt : callable, optional
        Takes the result and returns the alternative text of the figure.
    image : {"png", "svg"}
        Format of the figure.

    Attributes
    ----------
    value
        Result of ``compute`` for the current values; None after an error.
    error : str
        The message shown instead of a figure, if the selected values are not possible.

    Notes
    -----
    The output is replaced as one synchronised state, so quick changes never leave two figures, and it is saved with the
    notebook. A ``ValueError`` of ``compute`` is shown as one line instead of the figure.
    """

    def __init__(
        self,
        controls: Mapping[str, widgets.Widget],
        compute: Callable[..., Any],
        *,
        draw: Callable[[Any], Figure] | None = None,
        text: Callable[[Any], str] | None = None,
        table: Callable[[Any], pd.DataFrame] | None = None,
        alt: Callable[[Any], str] | None = None,
        image: str = "png",
    ) -> None:
        self.controls = dict(controls)
        self.value: Any = None
        self.error = ""
        self._image = image
        self._compute, self._draw, self._text, self._table, self._alt = compute, draw, text, table, alt
        self._remembered: OrderedDict[tuple, Any] = OrderedDict()
        self._output = widgets.Output()
        for control in self.controls.values():
            if hasattr(control, "continuous_update"):
                control.continuous_update = False
            control.observe(self._redraw, "value")
        row = widgets.HBox(list(self.controls.values()), layout=widgets.Layout(flex_flow="row wrap"))
        super().__init__([row, self._output])
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

    def _result(self) -> Any:
        key = tuple(self.settings().values())
        if key not in self._remembered:
            self._remembered[key] = self._compute(**self.settings())
            if len(self._remembered) > REMEMBERED:
                self._remembered.popitem(last=False)
        self._remembered.move_to_end(key)
        return self._remembered[key]

    def _redraw(self, _change: object = None) -> None:
        outputs: list[dict[str, Any]] = []
        try:
            self.value, self.error = self._result(), ""
            if self._draw is not None:
                alt = self._alt(self.value) if self._alt else "figure"
                outputs.append(figure_output(self.figure(), alt, self._image))
            if self._text is not None:
                outputs.append(text_output(self._text(self.value)))
            if self._table is not None:
                outputs.append(table_output(self._table(self.value)))
        except ValueError as problem:
            said = str(getattr(problem, "incident", None) or problem)  # without advice on arguments
            self.value, self.error = None, said
            outputs = [text_output(said)]
        self._output.outputs = tuple(outputs)


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
    return _display({"text/plain": text, "text/html": f"<pre>{html_text(text)}</pre>"})


def table_output(table: pd.DataFrame) -> dict[str, Any]:
    """Convert a table to one notebook output.

    Examples
    --------
    >>> print(table_output(pd.DataFrame({"k": [12]}))["data"]["text/plain"])
        k
    0  12
    """
    return _display({"text/plain": table.to_string(), "text/html": html_frame(table)})


def _display(data: dict[str, str]) -> dict[str, Any]:
    return {"output_type": "display_data", "metadata": {}, "data": data}
