"""Words with their labels as people type them: ``the/D cat/N ran/V``, one sentence a line."""

import pandas as pd

from analysis.corpora.opening import Source, Text, decoded, open_text
from analysis.structures import DataError, Incident
from analysis.structures.incidents import quoted


def read_slashed(
    text: Source, label: str = "cluster", name: str = "text", *, encoding: str | None = None
) -> pd.DataFrame:
    r"""Read lines of ``word/label`` tokens.

    Parameters
    ----------
    text : text, path, or what else `analysis.corpora.opening.open_text` takes
        One sentence a line, tokens parted by blanks; the last slash of a token parts word and label.
        Blank lines are left out. A string is the text itself; a path is a `Path`.
    label : str
        Name of the column that gets the labels.
    name : str
        How an error names a text.
    encoding : str, optional

    Returns
    -------
    DataFrame
        ``sentence`` (from 0), ``position`` (from 1), ``form`` and the label's column.

    Raises
    ------
    DataError
        If a token has no slash, or nothing on one side of it, or there is no token.

    Examples
    --------
    >>> read_slashed("the/D cat/N\nran/V")
       sentence  position form cluster
    0         0         1  the       D
    1         0         2  cat       N
    2         1         1  ran       V
    """
    rows = []
    sentence = 0
    if isinstance(text, str):
        text = Text(name, decoded(name, text.encode("utf-8", "surrogatepass"), "utf-8"))
    opened = open_text(text, encoding=encoding)
    name = opened.name
    for number, line in enumerate(opened.lines(), start=1):
        tokens = line.split()
        for position, token in enumerate(tokens, start=1):
            form, slash, value = token.rpartition("/")
            if not (form and slash and value):
                raise DataError(
                    Incident(name, number, "no label", f"{quoted(token)} is no word/label", line, "the/D cat/N")
                )
            rows.append((sentence, position, form, value))
        sentence += bool(tokens)
    if not rows:
        raise DataError(Incident(name, 0, "empty", "there is no token", "", "lines such as the/D cat/N ran/V"))
    return pd.DataFrame(rows, columns=["sentence", "position", "form", label])
