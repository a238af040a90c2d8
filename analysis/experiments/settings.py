"""The suite's environment variables, passed on to other processes."""

import os
from collections.abc import Mapping


def settings_now() -> dict[str, str]:
    """Return the environment variables that the suite reads: folders of data and of the cache.

    Examples
    --------
    >>> all(name.startswith("ANALYSIS_") for name in settings_now())
    True
    """
    return {name: value for name, value in os.environ.items() if name.startswith("ANALYSIS_")}


def take_settings(settings: Mapping[str, str]) -> None:
    """Set the suite's environment variables to those of the calling process; a worker's may be outdated.

    Examples
    --------
    >>> take_settings(settings_now())
    """
    for name in set(settings_now()) - set(settings):
        os.environ.pop(name, None)
    os.environ.update(settings)
