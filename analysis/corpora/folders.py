"""Folders of data, notebooks, cache and copies of corpora."""

import os
from pathlib import Path

PACKAGE = Path(__file__).resolve().parent.parent


def checkout() -> Path | None:
    """Return the folder of the source checkout that this package runs from, or None in an installation.

    A checkout is recognised by the file ``pyproject.toml`` beside the package ``analysis``.
    """
    root = PACKAGE.parent
    return root if (root / "pyproject.toml").is_file() and (root / "data").is_dir() else None


def _shipped(name: str) -> Path:
    root = checkout()
    folder = root / name if root else PACKAGE / "shipped" / name
    if not folder.is_dir():
        raise FileNotFoundError(
            f"The folder {folder} is missing: this installation of language-yardstick is incomplete. Install it again."
        )
    return folder


def data_folder() -> Path:
    """Return the folder ``data/`` of the checkout, or the copy in an installed wheel.

    Returns
    -------
    Path

    Raises
    ------
    FileNotFoundError
        If the installation is incomplete.

    Examples
    --------
    >>> (data_folder() / "published").is_dir()
    True
    """
    return _shipped("data")


def notebooks_folder() -> Path:
    """Return the folder ``notebooks/`` of the checkout, or the copy in an installed wheel.

    Returns
    -------
    Path

    Raises
    ------
    FileNotFoundError
        If the installation is incomplete.
    """
    return _shipped("notebooks")


def cache_folder() -> Path:
    """Return the folder of fetched files and parsed corpora; it is created on first writing.

    It is set by the environment variable ``ANALYSIS_CACHE``; the default is the user's cache folder.

    Returns
    -------
    Path
    """
    named = os.environ.get("ANALYSIS_CACHE", "").strip()
    if named:
        return Path(named).expanduser().resolve()
    import pooch

    return Path(pooch.os_cache("language-yardstick"))


def user_data_folder() -> Path:
    """Return the folder of the registry of the user's corpora; it is created on first writing.

    It is set by the environment variable ``ANALYSIS_DATA_HOME``; the default is the user's data folder. It is not a
    cache: its content cannot be computed or fetched again.
    """
    named = os.environ.get("ANALYSIS_DATA_HOME", "").strip()
    if named:
        return Path(named).expanduser().resolve()
    import platformdirs

    return Path(platformdirs.user_data_dir("language-yardstick"))


def mirror() -> Path | str | None:
    """Return the location of copies of the catalogue's files: the environment variable ``ANALYSIS_MIRROR``.

    Returns
    -------
    Path, str or None
        A folder as a Path, a web address (``http:``, ``https:``) as a string without the last slash,
        None if the variable is not set. A ``file:`` address is a folder.
    """
    named = os.environ.get("ANALYSIS_MIRROR", "").strip()
    if not named:
        return None
    if named.startswith(("http://", "https://")):
        return named.rstrip("/")
    if named.startswith("file:"):
        from urllib.parse import urlparse
        from urllib.request import url2pathname

        return Path(url2pathname(urlparse(named).path))
    return Path(named).expanduser()
