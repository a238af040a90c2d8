"""Layer 1: readers and writers of corpora, the catalogue, and loading of corpora by name."""

from typing import TYPE_CHECKING

from analysis.corpora.catalogue import catalogue
from analysis.structures.lazy import lazy_names

if TYPE_CHECKING:
    from analysis.corpora.any_format import CorpusReading, read_corpus
    from analysis.corpora.catalogue import Dataset, NotAtHandError, data_version, locate, where
    from analysis.corpora.chat import ChatReading, read_chat, read_chat_text
    from analysis.corpora.clusterings import ClusteringReading, read_clustering, write_clustering
    from analysis.corpora.conll import (
        ConllReading,
        read_conll,
        read_conllu,
        read_conllx,
        read_nine_columns,
        write_conllu,
        write_conllx,
        write_nine_columns,
    )
    from analysis.corpora.examples import ExampleFiles, write_examples
    from analysis.corpora.folders import cache_folder, data_folder, mirror, notebooks_folder
    from analysis.corpora.loaders import Loader, register
    from analysis.corpora.loading import corpus_names, corpus_version, counts, dataset, incidents, load, parts, sample
    from analysis.corpora.plain import read_plain, write_plain
    from analysis.corpora.slashed import read_slashed
    from analysis.corpora.transcripts import collapse, collapsed_categories
    from analysis.corpora.unimorph import read_forms, write_forms

_HOMES = {
    "ChatReading": "chat",
    "ClusteringReading": "clusterings",
    "ConllReading": "conll",
    "CorpusReading": "any_format",
    "Dataset": "catalogue",
    "ExampleFiles": "examples",
    "Loader": "loaders",
    "NotAtHandError": "catalogue",
    "cache_folder": "folders",
    "collapse": "transcripts",
    "collapsed_categories": "transcripts",
    "corpus_names": "loading",
    "corpus_version": "loading",
    "counts": "loading",
    "data_folder": "folders",
    "data_version": "catalogue",
    "dataset": "loading",
    "incidents": "loading",
    "load": "loading",
    "locate": "catalogue",
    "mirror": "folders",
    "notebooks_folder": "folders",
    "parts": "loading",
    "read_chat": "chat",
    "read_chat_text": "chat",
    "read_clustering": "clusterings",
    "read_conll": "conll",
    "read_conllu": "conll",
    "read_conllx": "conll",
    "read_corpus": "any_format",
    "read_forms": "unimorph",
    "read_nine_columns": "conll",
    "read_plain": "plain",
    "read_slashed": "slashed",
    "register": "loaders",
    "sample": "loading",
    "where": "catalogue",
    "write_clustering": "clusterings",
    "write_conllu": "conll",
    "write_conllx": "conll",
    "write_examples": "examples",
    "write_forms": "unimorph",
    "write_nine_columns": "conll",
    "write_plain": "plain",
}

__all__ = [
    "ChatReading",
    "ClusteringReading",
    "ConllReading",
    "CorpusReading",
    "Dataset",
    "ExampleFiles",
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
    "read_corpus",
    "read_forms",
    "read_nine_columns",
    "read_plain",
    "read_slashed",
    "register",
    "sample",
    "where",
    "write_clustering",
    "write_conllu",
    "write_conllx",
    "write_examples",
    "write_forms",
    "write_nine_columns",
    "write_plain",
]

__getattr__, __dir__ = lazy_names(__name__, _HOMES)
