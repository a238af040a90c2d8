"""Layer 1: readers of corpora (one format a file), the catalogue, and corpora by name."""

from analysis.corpora.catalogue import (
    Dataset,
    NotAtHandError,
    catalogue,
    data_version,
    locate,
    where,
)
from analysis.corpora.chat import ChatReading, read_chat, read_chat_text
from analysis.corpora.clusterings import ClusteringReading, read_clustering
from analysis.corpora.conll import (
    ConllReading,
    read_conll,
    read_conllu,
    read_conllx,
    read_nine_columns,
    to_conllu,
    to_conllx,
    to_nine_columns,
)
from analysis.corpora.folders import cache_folder, data_folder, mirror, notebooks_folder
from analysis.corpora.loaders import Loader, register
from analysis.corpora.loading import corpus_names, corpus_version, counts, dataset, incidents, load, parts, sample
from analysis.corpora.slashed import read_slashed
from analysis.corpora.transcripts import collapse, collapsed_categories
from analysis.corpora.unimorph import read_forms

__all__ = [
    "ChatReading",
    "ClusteringReading",
    "ConllReading",
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
    "read_clustering",
    "read_conll",
    "read_conllu",
    "read_conllx",
    "read_forms",
    "read_nine_columns",
    "read_slashed",
    "register",
    "sample",
    "to_conllu",
    "to_conllx",
    "to_nine_columns",
    "where",
]
