"""The installed version of the suite.

Examples
--------
>>> __version__ != ""
True
"""

import os
import re
import sys

_RECORD = re.compile(r"language_yardstick-([^-]+)\.dist-info")


def _installed() -> str:
    """The version that the name of the installation's record gives: importing `importlib.metadata` takes longer."""
    for folder in sys.path:
        try:
            names = os.listdir(folder or ".")  # noqa: PTH208  (names alone, without a Path of each)
        except OSError:
            continue
        found = next(filter(None, map(_RECORD.fullmatch, names)), None)
        if found:
            return found[1]
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("language-yardstick")
    except PackageNotFoundError:  # run from a folder, not installed
        return "0+unknown"


__version__ = _installed()
