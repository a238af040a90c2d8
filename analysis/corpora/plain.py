"""Plain text: one sentence per line, words divided by blanks."""

from array import array

import numpy as np
import pandas as pd

from analysis.corpora.opening import Source, open_text
from analysis.corpora.writing import Target, write_target
from analysis.structures import DataError, Incident, check_tokens


def read_plain(source: Source, *, encoding: str | None = None) -> pd.DataFrame:
    r"""Read plain text.

    Parameters
    ----------
    source : path, text, or what else `analysis.corpora.opening.open_text` takes
        One sentence per line; words are what stands between blanks, and nothing else is divided. Blank lines are no
        sentences.
    encoding : str, optional

    Returns
    -------
    DataFrame
        ``sentence`` (from 0), ``position`` (from 1), ``form`` (a category).

    Raises
    ------
    DataError
        If there is no word, or the file cannot be read.

    Examples
    --------
    >>> read_plain("the cat ran\n\nthe dog sat\n")["form"].tolist()
    ['the', 'cat', 'ran', 'the', 'dog', 'sat']
    """
    text = open_text(source, encoding=encoding)
    seen: dict[str, int] = {}
    codes, sizes = array("i"), array("i")  # of each word its number in seen: a word type is kept once
    for line in text.lines():
        if words := line.split():
            sizes.append(len(words))
            codes.extend([seen.setdefault(word, len(seen)) for word in words])
    if not sizes:
        raise DataError(Incident(text.name, 0, "empty", "the file has no word", "", "one sentence per line"))
    lengths = np.array(sizes, dtype=np.int64)
    starts = np.cumsum(lengths) - lengths
    types = pd.Categorical(list(seen))
    return pd.DataFrame(
        {
            "sentence": np.repeat(np.arange(len(lengths)), lengths),
            "position": np.arange(lengths.sum()) - np.repeat(starts, lengths) + 1,
            "form": pd.Categorical.from_codes(types.codes[np.frombuffer(codes, dtype=np.intc)], dtype=types.dtype),
        }
    )


def write_plain(tokens: pd.DataFrame, file: Target = None) -> str | None:
    r"""Write plain text, one sentence per line: what `read_plain` reads.

    Parameters
    ----------
    tokens : DataFrame
        ``sentence``, ``form``.
    file : path or open text file, optional
        Written whole or not at all (UTF-8, LF line ends; .xz and .gz compress); without it the text is returned.

    Returns
    -------
    str or None

    Raises
    ------
    ValueError
        If a word is empty or has a blank in it.

    Examples
    --------
    >>> write_plain(pd.DataFrame({"sentence": [0, 0, 1], "form": ["look", "here", "yes"]}))
    'look here\nyes\n'
    """
    check_tokens(tokens)
    forms = tokens["form"].astype("str").tolist()
    for row, form in enumerate(forms):
        if form.split() != [form]:
            raise ValueError(
                f"row {row}: the word {form!r} has a blank, which divides words in plain text, or is empty."
            )
    numbers = tokens["sentence"].to_numpy()
    ends = [*(np.flatnonzero(numbers[1:] != numbers[:-1]) + 1).tolist(), len(forms)]
    lines = [" ".join(forms[start:end]) for start, end in zip([0, *ends], ends, strict=False)]
    return write_target("\n".join(lines) + "\n", file)


def without_empty_forms(tokens: pd.DataFrame) -> pd.DataFrame:
    """A text without tokens that have no form of their own, such as parts of fused words in transcripts.

    Positions are counted again; a text that has none of them is the same.

    Examples
    --------
    >>> tokens = pd.DataFrame({"sentence": [0, 0], "position": [1, 2], "form": ["", "casa"]})
    >>> without_empty_forms(tokens).values.tolist()
    [[0, 1, 'casa']]
    """
    kept = (tokens["form"].astype("str") != "").to_numpy()
    if kept.all():
        return tokens
    left = tokens[kept].reset_index(drop=True)
    return left.assign(position=left.groupby("sentence").cumcount() + 1)
