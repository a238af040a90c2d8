"""How corpora are had: a loader for each name, put there by the module that knows the corpus."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import pandas as pd

from analysis.corpora.chat import ChatReading


@dataclass(frozen=True)
class Loader:
    """How a corpus is had, part by part.

    Parameters
    ----------
    parts : mapping of str to callable
        Name of each part, and a function without arguments that gives its tokens table (cached by itself, as
        `cached_reading` does). The first part is the one that ``load(name)`` gives.
    reading : callable, optional
        A function without arguments that gives the `ChatReading` of the corpus, for its incidents and counts.
    version : callable, optional
        Gives the version string of the data; by default that of the catalogue.
    """

    parts: Mapping[str, Callable[[], pd.DataFrame]]
    reading: Callable[[], ChatReading] | None = None
    version: Callable[[], str] | None = None


LOADERS: dict[str, Loader] = {}


def register(name: str, loader: Loader) -> None:
    """Make a corpus known to `load`."""
    LOADERS[name] = loader
