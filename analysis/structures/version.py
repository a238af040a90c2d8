"""The version of the suite, as it was installed.

Examples
--------
>>> __version__ != ""
True
"""

from importlib.metadata import PackageNotFoundError, version

try:
    __version__ = version("language-yardstick")
except PackageNotFoundError:  # read from a folder that was never installed
    __version__ = "0+unknown"
