"""Added treebanks whose column of fine tags most words lack, which is said and not mended."""

from analysis.corpora.fetching import added
from analysis.corpora.loading import load
from analysis.corpora.own_corpora import TREEBANKS
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
    tokens = load(name)
    if "fine" not in tokens or first_tagged(tokens, ["fine"]):
        return ""
    tagged = int((tag_codes(tokens["fine"]).codes >= 0).sum())
    other = "they are the universal tags with their features" if "universal" in tokens else "there are none"
    return (
        f"{tagged:,} of {len(tokens):,} words of {name} have a fine tag (XPOS). The column is read as it is: _, for no "
        f"tag, is a tag of its own in all that is computed with fine tags. With _ in all of the column, {other}."
    )
