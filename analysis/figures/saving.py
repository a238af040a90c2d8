"""Saving figures: the same bytes for the same figure, with alternative text and caption."""

import hashlib
import io
from collections.abc import Iterable
from pathlib import Path

from matplotlib.figure import Figure

from analysis.figures.style import use_style
from analysis.figures.words import draw_plainly
from analysis.structures import check_choice
from analysis.structures.incidents import printable
from analysis.structures.writing import write_whole

FORMATS = ("pdf", "svg", "png")
#: Environment variable of a notebook that is executed for a page, whose readers have no running kernel.
PAGE = "ANALYSIS_PAGE"


def figure_bytes(figure: Figure, kind: str, *, title: str = "", alt: str = "", dpi: int = 200) -> bytes:
    """Render a figure as the content of a file, without dates, so that the same figure gives the same bytes.

    Parameters
    ----------
    figure : matplotlib.figure.Figure
    kind : {"pdf", "svg", "png"}
    title, alt : str
        Written into the file if its format supports them.
    dpi : int
        Dots per inch of a PNG.

    Returns
    -------
    bytes

    Notes
    -----
    The files contain matplotlib's version; bytes are comparable under one version only.

    Raises
    ------
    ValueError
        If the format is unknown.

    Examples
    --------
    >>> figure_bytes(Figure(figsize=(1, 1)), "png")[1:4]
    b'PNG'
    """
    check_choice("format", kind, FORMATS)
    title, alt = printable(title), printable(alt)
    metadata: dict[str, str | None] = {"pdf": {"CreationDate": None}, "svg": {"Date": None}, "png": {}}[kind]  # type: ignore[assignment]
    if kind != "png":
        metadata |= {"Title": title} if title else {}
        metadata |= {"Subject" if kind == "pdf" else "Description": alt} if alt else {}
    buffer = io.BytesIO()
    with use_style():
        draw_plainly(figure)
        figure.savefig(buffer, format=kind, metadata=metadata, dpi=dpi)
    return buffer.getvalue()


def fingerprint(figure: Figure) -> str:
    """Compute the SHA-256 of a figure as SVG: equal for figures that look the same under one version of matplotlib.

    Parameters
    ----------
    figure : matplotlib.figure.Figure

    Returns
    -------
    str
        64 hexadecimal digits.

    Examples
    --------
    >>> fingerprint(Figure(figsize=(1, 1))) == fingerprint(Figure(figsize=(1, 1)))
    True
    """
    return hashlib.sha256(figure_bytes(figure, "svg")).hexdigest()


def save_figure(
    figure: Figure, folder: str | Path, name: str, *, alt: str, caption: str, formats: Iterable[str] = FORMATS
) -> list[Path]:
    """Write a figure as PDF, SVG and PNG, and its alt text and caption as ``name.txt`` beside them.

    Parameters
    ----------
    figure : matplotlib.figure.Figure
    folder : path
        Created if it does not exist.
    name : str
        File name without ending.
    alt : str
        Alternative text for readers who cannot see the figure.
    caption : str
        Data version, statistic, n and seeds.
    formats : iterable of {"pdf", "svg", "png"}

    Returns
    -------
    list of Path
        The files, in the order of ``formats``, then the text.

    Raises
    ------
    ValueError
        If the alt text or the caption is empty, or a format is unknown.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     paths = save_figure(Figure(figsize=(1, 1)), folder, "empty", alt="An empty figure", caption="No data")
    ...     [path.name for path in paths]
    ['empty.pdf', 'empty.svg', 'empty.png', 'empty.txt']
    """
    if not alt.strip() or not caption.strip():
        raise ValueError(f"figure {name!r} needs an alt text and a caption.")
    folder = Path(folder)
    paths = []
    for kind in formats:
        path = folder / f"{name}.{kind}"
        write_whole(path, figure_bytes(figure, kind, title=name, alt=alt))
        paths.append(path)
    text = folder / f"{name}.txt"
    write_whole(text, f"Alt text: {alt.strip()}\n\nCaption: {caption.strip()}\n".encode())
    return [*paths, text]


def save_drawing(figure: Figure, file: str | Path, *, alt: str = "") -> None:
    """Write a figure to one file, whole or not at all, in the format that its name ends in.

    Raises
    ------
    ValueError
        If the name ends in none of .svg, .pdf and .png.

    Examples
    --------
    >>> save_drawing(Figure(), "figure.docx")
    Traceback (most recent call last):
    ...
    ValueError: figure.docx: a figure is written as .svg, .pdf or .png.
    """
    kind = Path(file).suffix.lower().removeprefix(".")
    if kind not in ("svg", "pdf", "png"):
        raise ValueError(f"{file}: a figure is written as .svg, .pdf or .png.")
    write_whole(file, figure_bytes(figure, kind, alt=alt))
