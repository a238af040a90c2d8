"""What is done with a column of fine tags in an added treebank that most words lack."""

from analysis.corpora.fetching import added
from analysis.corpora.own_corpora import TREEBANKS, own_tokens
from analysis.structures.labels import first_tagged, tag_codes


def sparse_fine_tags(name: str) -> str:
    """What to know of the fine tags of an added treebank, if half of its words or more have none; else nothing.

    Parameters
    ----------
    name : str
        As given to ``data add``.

    Returns
    -------
    str

    Examples
    --------
    >>> sparse_fine_tags("nursery")
    ''
    """
    entry = added().get(name)
    if entry is None or entry.kind not in TREEBANKS:
        return ""
    tokens = own_tokens(entry)
    if "fine" not in tokens or first_tagged(tokens, ["fine"]):
        return ""
    tagged = int((tag_codes(tokens["fine"]).codes >= 0).sum())
    if first_tagged(tokens, ["universal"]):
        instead = "They are not used: the fine tags are the universal tags with their features."
    else:
        instead = "The column is read as it is: _, for no tag, is a tag of its own in all that uses fine tags."
    return f"{tagged:,} of {len(tokens):,} words of {name} have a fine tag (XPOS). {instead}"
