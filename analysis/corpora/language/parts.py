"""The built-in corpus: two parts of fixed size from fixed seeds, cached as Parquet."""

import contextlib
import hashlib
import io
import json

import numpy as np
import pandas as pd

from analysis.corpora.catalogue import data_version
from analysis.corpora.folders import cache_folder
from analysis.corpora.language.drawing import TABLES, Generated, generate_blocks
from analysis.structures.kept import kept
from analysis.structures.source import source_digest
from analysis.structures.writing import write_whole

#: The parts of ``nursery``: number of tokens and seed.
PARTS = {"train": (100_000, 2009), "test": (600_000, 2010)}


def nursery(part: str = "train") -> pd.DataFrame:
    """Return the tokens of a part of the built-in corpus.

    Parameters
    ----------
    part : {"train", "test"}
        100,000 or 600,000 words, each part from its own fixed seed. Utterances are in the order in which they are
        drawn; utterances that would exceed the number of words are left out.

    Returns
    -------
    DataFrame
        See ``tokens`` of `Generated`. The data are generated; say so wherever they are shown.

    Examples
    --------
    >>> tokens = nursery("train")
    >>> len(tokens), tokens["coarse"].nunique()
    (100000, 12)
    """
    return nursery_part(part).tokens


def nursery_derivations(part: str = "train") -> pd.DataFrame:
    """Return the derivations of a part of the built-in corpus: ``nodes`` of `Generated`, for the sentences of
    `nursery`.

    Parameters
    ----------
    part : str
        Part of the corpus: train or test.

    Returns
    -------
    DataFrame

    Examples
    --------
    >>> nodes = nursery_derivations("train")
    >>> int((nodes["rule"] == "lex").sum())
    100000
    """
    return nursery_part(part).nodes


def nursery_dependencies(part: str = "train") -> pd.DataFrame:
    """Return the predicate-argument dependencies of a part of the built-in corpus, for the sentences of `nursery`.

    Parameters
    ----------
    part : str
        Part of the corpus: train or test.

    Returns
    -------
    DataFrame

    Examples
    --------
    >>> sorted(nursery_dependencies("train")["range"].unique())
    ['extracted', 'local', 'shared']
    """
    return nursery_part(part).dependencies


@kept(maxsize=2)
def nursery_part(part: str = "train") -> Generated:
    """Return words, derivations and dependencies of a part of the built-in corpus together.

    Parameters
    ----------
    part : str
        Part of the corpus: train or test.

    Returns
    -------
    Generated

    Raises
    ------
    ValueError
        If there is no such part.
    """
    if part not in PARTS:
        raise ValueError(f"the built-in language has the parts {' and '.join(PARTS)}, not {part!r}.")
    folder = cache_folder() / "parsed" / f"nursery-{part}-{_key(part)}"
    try:
        return Generated(*(pd.read_parquet(folder / f"{name}.parquet") for name in TABLES))
    except (OSError, ValueError, ImportError):  # missing or damaged, or no pyarrow: drawn again
        drawn = _draw_part(part)
    with contextlib.suppress(OSError, ImportError):  # the folder cannot be written, or no pyarrow: nothing is cached
        for name in TABLES:
            buffer = io.BytesIO()
            getattr(drawn, name).to_parquet(buffer, index=False, compression="zstd")
            write_whole(folder / f"{name}.parquet", buffer.getvalue())
    return drawn


def _key(part: str) -> str:
    """Make a key that changes with the part's seed and size, the lists, and the source code."""
    text = json.dumps([PARTS[part], source_digest(_draw_part), data_version("nursery")])
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _draw_part(part: str) -> Generated:
    wanted, seed = PARTS[part]
    kept: list[Generated] = []
    total = sentences = 0
    for block in generate_blocks(None, seed):
        block, total, sentences = _fit(block, wanted, total, sentences)
        kept.append(block)
        if total == wanted:
            break
    return Generated(*(pd.concat([getattr(block, name) for block in kept], ignore_index=True) for name in TABLES))


def _fit(block: Generated, wanted: int, total: int, sentences: int) -> tuple[Generated, int, int]:
    """Return the utterances of a block that fit into the remaining size, numbered consecutively."""
    numbers, lengths = np.unique(block.tokens["sentence"].to_numpy(), return_counts=True)
    if total + lengths.sum() <= wanted:
        keep = np.ones(len(numbers), dtype=bool)
        total += int(lengths.sum())
    else:
        keep = np.zeros(len(numbers), dtype=bool)
        for index, length in enumerate(lengths):
            if total + length <= wanted:
                keep[index] = True
                total += int(length)
    renumbered = np.cumsum(keep) - 1 + sentences
    tables = []
    for name in TABLES:
        table = getattr(block, name)
        row = table["sentence"].to_numpy() - numbers[0]
        tables.append(table[keep[row]].assign(sentence=renumbered[row][keep[row]]))
    return Generated(*tables), total, sentences + int(keep.sum())
