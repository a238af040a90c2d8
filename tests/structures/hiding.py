"""Packages that a program does as if they were not installed."""

import importlib.abc
import sys

HIDDEN = ("numba", "llvmlite", "pyarrow")


class Hiding(importlib.abc.MetaPathFinder):
    """Finds nothing, and lets nobody else find what is hidden."""

    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in HIDDEN:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name.partition(".")[0])


def hide():
    """Let nothing import the packages from now on."""
    sys.meta_path.insert(0, Hiding())
