"""The installed version of the suite.

Examples
--------
>>> __version__ != ""
True
"""

from importlib.metadata import PackageNotFoundError, version

try:
    __version__ = version("language-yardstick")
except PackageNotFoundError:  # run from a folder, not installed
    __version__ = "0+unknown"
