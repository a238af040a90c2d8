"""Where the suite keeps its data, its notebooks and its cache, and where copies of corpora lie."""

import os
from pathlib import Path

PACKAGE = Path(__file__).resolve().parent.parent


def checkout() -> Path | None:
    """The folder of the source checkout that this package runs from, or None in an installation.

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
    """The folder ``data/`` of the checkout, or the copy that an installed wheel carries.

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
    """The folder ``notebooks/`` of the checkout, or the copy that an installed wheel carries.

    Raises
    ------
    FileNotFoundError
        If the installation is incomplete.
    """
    return _shipped("notebooks")


def cache_folder() -> Path:
    """Where fetched files and parsed corpora are kept; created by whoever writes there.

    The environment variable ``ANALYSIS_CACHE`` names it; else it is the user's own cache folder.
    """
    named = os.environ.get("ANALYSIS_CACHE", "").strip()
    if named:
        return Path(named).expanduser().resolve()
    import pooch

    return Path(pooch.os_cache("language-yardstick"))


def user_data_folder() -> Path:
    """Where the suite notes what the reader has registered; created by whoever writes there.

    The environment variable ``ANALYSIS_DATA_HOME`` names it; else it is the user's own data folder. It is not a cache:
    nothing in it can be had again by computing or fetching.
    """
    named = os.environ.get("ANALYSIS_DATA_HOME", "").strip()
    if named:
        return Path(named).expanduser().resolve()
    import platformdirs

    return Path(platformdirs.user_data_dir("language-yardstick"))


def mirror() -> Path | str | None:
    """Where copies of the catalogue's files lie: the environment variable ``ANALYSIS_MIRROR``.

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
