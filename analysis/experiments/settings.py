"""The suite's environment variables, which other processes take over."""

import os
from collections.abc import Mapping


def settings_now() -> dict[str, str]:
    """Environment variables that the suite reads: folders of data and of the cache.

    Examples
    --------
    >>> all(name.startswith("ANALYSIS_") for name in settings_now())
    True
    """
    return {name: value for name, value in os.environ.items() if name.startswith("ANALYSIS_")}


def take_settings(settings: Mapping[str, str]) -> None:
    """Make the suite's environment variables those of the process that asks; a worker's may be older.

    Examples
    --------
    >>> take_settings(settings_now())
    """
    for name in set(settings_now()) - set(settings):
        os.environ.pop(name, None)
    os.environ.update(settings)
