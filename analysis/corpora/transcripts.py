"""Corpora of CHAT transcripts, cached as Parquet, with the collapsed word classes of Frank et al. (2009).

Importing this module registers those of the catalogue.
"""

import contextlib
import hashlib
import io
import json
from collections.abc import Callable, Mapping
from typing import Any

import pandas as pd

from analysis.corpora.catalogue import data_version, dataset, locate
from analysis.corpora.chat import CHILDREN, UNINTELLIGIBLE, ChatReading, read_chat
from analysis.corpora.folders import cache_folder, data_folder
from analysis.corpora.loaders import Loader, register
from analysis.structures import DataError
from analysis.structures.kept import kept
from analysis.structures.source import source_digest
from analysis.structures.writing import write_whole

#: Compressed size in bytes above which a second process saves time.
LARGE = 15_000_000


# Word classes ---------------------------------------------------------------------------------------------------------


@kept
def _collapse() -> pd.DataFrame:
    path = data_folder() / "categories" / "collapse.csv"
    return pd.read_csv(path, dtype="str", keep_default_na=False, encoding="utf-8")


def collapsed_categories() -> pd.DataFrame:
    """Read the mapping of fine tags to the 12 categories of Frank et al. (2009), Table 1.

    Returns
    -------
    DataFrame
        Columns ``fine``, ``coarse`` and ``judgement`` (empty if the paper's examples determine it).

    Examples
    --------
    >>> table = collapsed_categories().set_index("fine")["coarse"]
    >>> table["v:cop"], table["pro:sub"], table.nunique()
    ('V', 'N', 12)
    """
    return _collapse()


def collapse(fine: pd.Series) -> pd.Categorical:
    """Map each fine tag to its collapsed category.

    Parameters
    ----------
    fine : Series
        Fine tags.

    Returns
    -------
    Categorical

    Raises
    ------
    DataError
        If a tag is not in the table; the message lists all such tags.

    Examples
    --------
    >>> list(collapse(pd.Series(["det", "n", "v:cop"])))
    ['DET', 'N', 'V']
    """
    table = _collapse()
    tags = fine if isinstance(fine.dtype, pd.CategoricalDtype) else fine.astype("category")
    names = list(tags.cat.categories)
    known = dict(zip(table["fine"], table["coarse"], strict=True))
    unknown = [name for name in names if name not in known]
    if unknown:
        raise DataError(
            f"{len(unknown)} fine tag(s) have no category: {', '.join(map(str, unknown))}.",
            "Add a row for each to data/categories/collapse.csv, with the judgement.",
        )
    categories = sorted({known[name] for name in names})
    place = {name: number for number, name in enumerate(categories)}
    codes = pd.Series([place[known[name]] for name in names], dtype="int8").to_numpy()
    return pd.Categorical.from_codes(codes[tags.cat.codes.to_numpy()], categories=pd.Index(categories, dtype="str"))


# Transcripts, cached as Parquet
# -----------------------------------------------------------------------------------------


def cached_reading(
    name: str, key: Mapping[str, Any], read: Callable[[], ChatReading], tokens_only: bool = False
) -> ChatReading:
    """Return a reading from the cache (``tokens``, ``incidents`` and ``counts`` as Parquet); read and cache it if it is
    missing.

    The folder name contains the corpus and a hash of ``key``; ``tokens.parquet`` is written last, so a folder with it
    is complete. Damaged files are replaced by reading the transcripts again. If the cache cannot be written, nothing is
    cached. With ``tokens_only`` the other tables may be empty.
    """
    text = json.dumps(dict(key), sort_keys=True, default=str)
    folder = cache_folder() / "parsed" / f"{name}-{hashlib.sha256(text.encode()).hexdigest()[:16]}"
    if (folder / "tokens.parquet").is_file():
        wanted = ("tokens",) if tokens_only else ChatReading._fields
        try:
            tables = {table: pd.read_parquet(folder / f"{table}.parquet") for table in wanted}
            return ChatReading(**(dict.fromkeys(ChatReading._fields, pd.DataFrame()) | tables))
        except (OSError, ValueError):  # includes the errors of pyarrow
            with contextlib.suppress(OSError):
                (folder / "tokens.parquet").unlink(missing_ok=True)
    reading = read()
    with contextlib.suppress(OSError):
        write_whole(folder / "key.json", text.encode())
        for table in ("counts", "incidents", "tokens"):
            buffer = io.BytesIO()
            getattr(reading, table).to_parquet(buffer, index=False, compression="zstd")
            write_whole(folder / f"{table}.parquet", buffer.getvalue())
    return reading


def collapse_version() -> str:
    """Return the checksum of `collapsed_categories`."""
    return hashlib.sha256(_collapse().to_csv(index=False).encode()).hexdigest()


def chat_reader() -> str:
    """Return the digest of the source that reads transcripts and collapses their tags."""
    return source_digest((read_chat, collapse))[:16]


def _reading_key(name: str) -> dict[str, Any]:
    """Return what the tokens of a corpus of transcripts depend on."""
    return {
        "data": data_version(name),
        "reader": chat_reader(),
        "collapse": collapse_version(),
        "exclude_roles": CHILDREN,
        "unintelligible": UNINTELLIGIBLE,
    }


def _reading_version(name: str) -> str:
    key = _reading_key(name)
    return f"{key['data']} reader {key['reader'][:8]} collapse {key['collapse'][:8]}"


def _transcripts(name: str, tokens_only: bool = False) -> ChatReading:
    key = _reading_key(name)
    conventions = {choice: key[choice] for choice in ("exclude_roles", "unintelligible")}

    def read() -> ChatReading:
        large = dataset(name).size_bytes > LARGE
        reading = read_chat(locate(name), strict=False, n_jobs=2 if large else 1, progress=True, **conventions)
        reading.tokens.insert(6, "coarse", collapse(reading.tokens["fine"]))
        return reading

    return cached_reading(name, key, read, tokens_only)


def _tokens(name: str) -> pd.DataFrame:
    return _transcripts(name, tokens_only=True).tokens


register(
    "manchester",
    Loader(
        parts={"train": lambda: _tokens("manchester"), "test": lambda: _tokens("childes")},
        reading=lambda: _transcripts("manchester"),
        version=lambda: _reading_version("manchester"),
    ),
)
register(
    "childes",
    Loader(
        parts={"all": lambda: _tokens("childes")},
        reading=lambda: _transcripts("childes"),
        version=lambda: _reading_version("childes"),
    ),
)
