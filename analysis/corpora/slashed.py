"""Words with their labels as people type them: ``the/D cat/N ran/V``, one sentence per line."""

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
    text : text, path, or what else `analysis.corpora.opening.open_text` takes
        One sentence per line, tokens parted by blanks; the last slash of a token parts word and label.
        Blank lines are left out. A string is the text itself; a path is a `Path`.
    label : str
        Name of the column that gets the labels.
    name : str
        How an error names a text.
    strict : bool
        Whether the first token that is not a ``word/label`` is an error (default); else its label is missing, and all
        such tokens are listed.
    encoding : str, optional

    Returns
    -------
    DataFrame or ClusteringReading
        ``sentence`` (from 0), ``position`` (from 1), ``form`` and the label's column; or, with ``strict=False``, that
        table and the incidents.

    Raises
    ------
    DataError
        If a token has no slash, or nothing on one side of it, and ``strict``; or if there is no token.

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
