"""Docstrings as they are written, made safe for reStructuredText: ``|A|`` is a size, and ``coef_`` an attribute."""

import re

from sphinx.application import Sphinx

_LITERAL = re.compile(r"(``.*?``|`[^`]*`)")
_HEADER = re.compile(r"[\w*, ]+( : .*)?")


def safe_lines(lines: list[str]) -> list[str]:
    r"""The lines with bars and underscores at the end of words escaped, up to the examples.

    >>> safe_lines(["sum |A| of ``|B|``", "one_, two_ : int", "    as in one_.", "Examples", "--------", ">>> one_"])
    ['sum \\\\|A\\\\| of ``|B|``', 'one\\\\_, two_ : int', '    as in one\\\\_.', 'Examples', '--------', '>>> one_']
    """
    end = next(
        (n for n, line in enumerate(lines) if line == "Examples" and lines[n + 1 : n + 2] == ["--------"]), len(lines)
    )
    return [_safe(line) for line in lines[:end]] + lines[end:]


def _safe(line: str) -> str:
    if _HEADER.fullmatch(line):  # numpydoc escapes the last name itself
        names, colon, kind = line.partition(" : ")
        return names.replace("_,", r"\_,") + colon + _escaped(kind)
    parts = _LITERAL.split(line)
    return "".join(part if number % 2 else _escaped(part) for number, part in enumerate(parts))


def _escaped(text: str) -> str:
    return re.sub(r"(?<=\w)_(?=\W|$)", r"\_", text.replace("|", r"\|"))


def _process(app: Sphinx, what: str, name: str, obj: object, options: object, lines: list[str]) -> None:
    lines[:] = safe_lines(lines)


def setup(app: Sphinx) -> dict[str, bool]:
    """Make docstrings safe before numpydoc reads them."""
    app.connect("autodoc-process-docstring", _process, priority=400)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
