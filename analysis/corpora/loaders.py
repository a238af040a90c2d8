"""Registry of loaders: one per corpus name, registered by the module of the corpus."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import pandas as pd

from analysis.corpora.chat import ChatReading


@dataclass(frozen=True)
class Loader:
    """Functions that load a corpus, part by part.

    Parameters
    ----------
    parts : mapping of str to callable
        Name of each part, and a function without arguments that returns its tokens table (and caches it, as
        `cached_reading` does). The first part is the default of ``load(name)``.
    reading : callable, optional
        A function without arguments that returns the `ChatReading` of the corpus, for its incidents and counts.
    version : callable, optional
        A function that returns the version string of the data; the default is that of the catalogue.
    """

    parts: Mapping[str, Callable[[], pd.DataFrame]]
    reading: Callable[[], ChatReading] | None = None
    version: Callable[[], str] | None = None


LOADERS: dict[str, Loader] = {}


def register(name: str, loader: Loader) -> None:
    """Register a corpus for `load`.

    Parameters
    ----------
    name : str
        Name for ``load``.
    loader : Loader
        Functions that load it.
    """
    LOADERS[name] = loader
