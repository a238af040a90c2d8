"""The universal tag set of Petrov, Das & McDonald (2011), twelve tags, from the tags of several treebanks."""

from __future__ import annotations

from typing import Any

from analysis.corpora.folders import data_folder
from analysis.structures.kept import kept
from analysis.structures.labels import encode_labels
from analysis.structures.lazy import pd

#: The twelve tags.
UNIVERSAL = ("NOUN", "VERB", "ADJ", "ADV", "PRON", "DET", "ADP", "NUM", "CONJ", "PRT", ".", "X")

#: The 17 tags of Universal Dependencies.
UD_TAGS = frozenset(
    "ADJ ADP ADV AUX CCONJ DET INTJ NOUN NUM PART PRON PROPN PUNCT SCONJ SYM VERB X".split()  # noqa: SIM905
)

#: Tags of the Penn Treebank that Reichart et al. (2010) do not score: the nine mapped to "." in the universal tag set,
#: and LS and SYM. The paper says 11 of 45 without listing them; LS and SYM are inferred.
PENN_PUNCTUATION_AND_SYMBOLS = ("#", "$", "''", ",", "-LRB-", "-RRB-", ".", ":", "``", "LS", "SYM")


@kept
def tag_map() -> pd.DataFrame:
    """Read the maps in ``data/universal_tags.csv``: ``scheme`` (ud, penn, basque-3lb), ``tag``, ``universal``.

    ``ud`` are the 17 tags of Universal Dependencies (INTJ and SYM are mapped to X, a choice of the suite); ``penn`` the
    45 of the Penn Treebank; ``basque-3lb`` the coarse tags of Basque in CoNLL 2007, by the suite's own map.

    Examples
    --------
    >>> tag_map().query("scheme == 'ud' and universal == 'CONJ'")["tag"].tolist()
    ['CCONJ', 'SCONJ']
    """
    path = data_folder() / "universal_tags.csv"
    return pd.read_csv(path, dtype="str", keep_default_na=False, encoding="utf-8")


def universal_tags(tags: Any, scheme: str = "ud") -> pd.Categorical:
    """Map tags to the twelve universal tags.

    Parameters
    ----------
    tags : array-like of shape (n_tokens,)
        Tags of the scheme; for ``basque-3lb`` only the part before the first ``_`` counts.
    scheme : {"ud", "penn", "basque-3lb"}

    Returns
    -------
    pandas.Categorical
        Categories `UNIVERSAL`.

    Raises
    ------
    ValueError
        If the scheme is unknown, or has no such tag.

    References
    ----------
    Petrov, Das & McDonald (2011); Gelling et al. (2012), section 3.

    Examples
    --------
    >>> list(universal_tags(["PROPN", "AUX", "PUNCT"])), list(universal_tags(["NNP", "TO"], "penn"))
    (['NOUN', 'VERB', '.'], ['NOUN', 'PRT'])
    """
    maps = tag_map()
    known = maps[maps["scheme"] == scheme].set_index("tag")["universal"].to_dict()
    if not known:
        raise ValueError(f"there is no map of {scheme!r}; there are {', '.join(maps['scheme'].unique())}.")
    codes, names = encode_labels(tags, "tags")
    places = []
    for name in map(str, names):
        short = name.split("_")[0] if scheme == "basque-3lb" else name
        if short not in known:
            raise ValueError(f"the map of {scheme!r} has no tag {name!r}; it has {', '.join(known)}.")
        places.append(UNIVERSAL.index(known[short]))
    return pd.Categorical.from_codes([places[code] for code in codes], list(UNIVERSAL))
