"""Evaluate models of language learning, and recompute the evaluations of five papers.

Layers, from below: ``structures``; ``corpora``; ``statistics``, ``figures``, ``experiments``; the subjects
(``categories``); ``papers``, ``explore``, ``report``. A module imports from its own package or from lower layers.
"""

import time
from typing import TYPE_CHECKING

from analysis.structures.lazy import lazy_names

if TYPE_CHECKING:
    from analysis.structures.version import __version__

#: Time at which this process began to import the suite, in seconds; files changed later differ from the running code.
IMPORTED = time.time()

_HOMES = {"__version__": "structures.version"}

__all__ = ["IMPORTED", "__version__"]

__getattr__, __dir__ = lazy_names(__name__, _HOMES)
