"""How corpora are written: whole or not at all, UTF-8 with LF line ends, compressed if the name says so."""

import gzip
import lzma
from pathlib import Path
from typing import IO

from analysis.corpora.opening import written_whole

Target = str | Path | IO[str] | None


def opened_for_writing(path: Path) -> IO[str]:
    """A text file to write (UTF-8, LF line ends), compressed if its name ends in .xz or .gz."""
    if path.suffix == ".xz":
        return lzma.open(path, "wt", encoding="utf-8", newline="\n")
    if path.suffix == ".gz":
        return gzip.open(path, "wt", encoding="utf-8", newline="\n")
    return path.open("w", encoding="utf-8", newline="\n")


def write_target(text: str, file: Target) -> str | None:
    r"""Write text to a file, whole, or to an open one; without a file, give it back.

    Examples
    --------
    >>> write_target("a\n", None)
    'a\n'
    """
    if file is None:
        return text
    if not isinstance(file, str | Path):
        file.write(text)
        return None
    with written_whole(file) as part, opened_for_writing(part) as stream:
        stream.write(text)
    return None
