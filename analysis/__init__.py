"""Evaluate models of language learning, and recompute how five papers did it.

Layers, from below: ``structures``; ``corpora``; ``statistics``, ``figures``, ``experiments``; the subjects
(``categories``); ``papers``, ``explore``, ``report``. A module imports from its own package or from lower layers.
"""

import time
from importlib.metadata import PackageNotFoundError, version

#: When this process began to import the suite, in seconds; a file that was changed later is not what runs here.
IMPORTED = time.time()

try:
    __version__ = version("language-yardstick")
except PackageNotFoundError:  # read from a folder that was never installed
    __version__ = "0+unknown"
