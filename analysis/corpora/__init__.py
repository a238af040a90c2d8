"""Floor 1: readers of corpora (one format a file), the catalogue, and corpora by name."""

from analysis.corpora.catalogue import (
    Dataset,
    NotAtHandError,
    catalogue,
    data_version,
    dataset,
    locate,
    where,
)
from analysis.corpora.chat import ChatReading, read_chat, read_chat_text
from analysis.corpora.folders import cache_folder, data_folder, mirror, notebooks_folder
from analysis.corpora.loading import (
    Loader,
    collapse,
    collapsed_categories,
    corpus_names,
    corpus_version,
    counts,
    incidents,
    load,
    parts,
    register,
    sample,
)

__all__ = [
    "ChatReading",
    "Dataset",
    "Loader",
    "NotAtHandError",
    "cache_folder",
    "catalogue",
    "collapse",
    "collapsed_categories",
    "corpus_names",
    "corpus_version",
    "counts",
    "data_folder",
    "data_version",
    "dataset",
    "incidents",
    "load",
    "locate",
    "mirror",
    "notebooks_folder",
    "parts",
    "read_chat",
    "read_chat_text",
    "register",
    "sample",
    "where",
]
