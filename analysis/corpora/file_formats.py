"""Which format a file of tab-separated lines has, as its first line tells."""

import gzip
import lzma
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal

from analysis.corpora.universal_tags import tag_map


def first_cells(path: Path) -> list[str]:
    r"""Cells, divided by tabs, of the first line of a file that is neither empty nor a comment; none without one.

    Files that end in .gz or .xz are unpacked.

    Raises
    ------
    OSError
        If there is no such file.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = Path(folder) / "one.tsv"
    ...     _ = file.write_bytes(b"\n# a comment\nLook\tVB\n")
    ...     first_cells(file)
    ['Look', 'VB']
    """
    openers: dict[str, Any] = {".gz": gzip.open, ".xz": lzma.open}
    with openers.get(path.suffix, open)(path, "rb") as file:
        for raw in file:
            line = raw.decode("utf-8", errors="replace").lstrip("\ufeff").rstrip("\r\n")
            cells = line.split("\t")
            if line.strip() and not (line.startswith("#") and len(cells) < 9):
                return cells
    return []


def treebank_format(cells: Sequence[str]) -> Literal["conllu", "conllx", "nine"] | None:
    """Ten cells are CoNLL-U if the fourth is one of its 17 tags and CoNLL-X otherwise, nine those of the challenge.

    Examples
    --------
    >>> treebank_format("1 Look look VERB VB _ 0 root _ _".split()), treebank_format("Look VB".split())
    ('conllu', None)
    """
    if len(cells) == 10:
        return "conllu" if cells[3] in set(tag_map().query("scheme == 'ud'")["tag"]) else "conllx"
    return "nine" if len(cells) == 9 else None
