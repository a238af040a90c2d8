"""Escape text for HTML, LaTeX and Markdown."""

from __future__ import annotations

import re
from html import escape

from analysis.structures.incidents import printable
from analysis.structures.lazy import pd

#: Jupyter renders formulas in HTML too, except in elements of these classes.
NO_FORMULAS = "tex2jax_ignore mathjax_ignore"

_LATEX = {
    "\\": r"\textbackslash{}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_", "{": r"\{", "}": r"\}",
    "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "–": "--", "−": "$-$", "ρ": r"$\rho$", "≥": r"$\geq$",
    "≤": r"$\leq$", "±": r"$\pm$", "×": r"$\times$", "<": r"\textless{}", ">": r"\textgreater{}", "…": r"\ldots{}",
    "|": r"\textbar{}", "`": r"\textasciigrave{}", "[": "{[}", "]": "{]}", "*": "{*}", "\n": " ", "\t": " ",
}  # fmt: skip
_LIGATURE = re.compile(r"([-'])(?=\1)|,(?=,)")
_MARKDOWN = re.compile(r"([\\`*_\[\]<|$~]|&(?=#?\w+;))")


def html_text(text: object) -> str:
    """Escape text for HTML, also in attributes.

    Examples
    --------
    >>> html_text("<b> & c")
    '&lt;b&gt; &amp; c'
    """
    return escape(printable(str(text)), quote=True)


def html_frame(table: pd.DataFrame, *, index: bool = False, max_rows: int | None = None) -> str:
    """Convert a DataFrame to HTML; no cell is interpreted as markup or formula.

    Examples
    --------
    >>> html = html_frame(pd.DataFrame({"form": ["<b>$x$"]}))
    >>> "&lt;b&gt;$x$" in html, "mathjax_ignore" in html
    (True, True)
    """
    plain = table.map(lambda cell: printable(cell) if isinstance(cell, str) else cell)
    return plain.to_html(border=0, index=index, na_rep="", max_rows=max_rows, classes=NO_FORMULAS)


def latex_text(text: object) -> str:
    r"""Escape text for LaTeX, in a cell or a caption.

    Examples
    --------
    >>> latex_text("R&D_1 50%"), latex_text("[``"), latex_text("---")
    ('R\\&D\\_1 50\\%', '{[}\\textasciigrave{}\\textasciigrave{}', '-{}-{}-')
    """
    parted = _LIGATURE.sub(lambda match: match.group() + "\0", str(text))
    return "".join(_LATEX.get(c, "{}" if c == "\0" else printable(c)) for c in parted)


def markdown_text(text: object) -> str:
    r"""Escape text for Markdown, also in table cells.

    Examples
    --------
    >>> markdown_text("a|b `c` $x$ <i>")
    'a\\|b \\`c\\` \\$x\\$ \\<i>'
    """
    return _MARKDOWN.sub(r"\\\1", printable(str(text)).replace("\n", " "))
