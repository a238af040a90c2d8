"""Read words with labels, ``the/D cat/N ran/V``, one sentence per line."""

from typing import Literal, overload

import pandas as pd

from analysis.corpora.clusterings import ClusteringReading, read_clustering
from analysis.corpora.opening import Source, Text, decoded, open_text


@overload
def read_slashed(
    text: Source,
    label: str = "cluster",
    name: str = "text",
    *,
    strict: Literal[True] = True,
    encoding: str | None = None,
) -> pd.DataFrame: ...
@overload
def read_slashed(
    text: Source, label: str = "cluster", name: str = "text", *, strict: Literal[False], encoding: str | None = None
) -> ClusteringReading: ...
def read_slashed(
    text: Source, label: str = "cluster", name: str = "text", *, strict: bool = True, encoding: str | None = None
) -> pd.DataFrame | ClusteringReading:
    r"""Read lines of ``word/label`` tokens.

    Parameters
    ----------
    text : text, path, or another source of `analysis.corpora.opening.open_text`
        One sentence per line, tokens separated by blanks; the last slash of a token separates word and label.
        Blank lines are left out. A string is the text itself; a path is a `Path`.
    label : str
        Name of the column of labels.
    name : str
        Name of a text in error messages.
    strict : bool
        Whether the first token that is not a ``word/label`` raises an error (default); else its label is missing, and
        all such tokens are listed.
    encoding : str, optional

    Returns
    -------
    DataFrame or ClusteringReading
        ``sentence`` (from 0), ``position`` (from 1), ``form`` and the column of labels; with ``strict=False``, the
        table and the incidents.

    Raises
    ------
    DataError
        If strict and a token has no slash or nothing on one side of it; or if there is no token.

    Examples
    --------
    >>> read_slashed("the/D cat/N\nran/V")
       sentence  position form cluster
    0         0         1  the       D
    1         0         2  cat       N
    2         1         1  ran       V
    >>> read_slashed("the/D cat", strict=False).incidents["found"].tolist()
    ["'cat' is not a word/label"]
    """
    if isinstance(text, str):
        text = Text(name, decoded(name, text.encode("utf-8", "surrogatepass"), "utf-8"))
    reading = read_clustering(open_text(text, encoding=encoding), format="slashed", strict=strict)
    table = reading.table.rename(columns={"cluster": label})
    return table if strict else reading._replace(table=table)
