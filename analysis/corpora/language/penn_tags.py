"""The built-in language with tags like those of the Penn Treebank, for the re-heading rules."""

from collections.abc import Mapping

import numpy as np
import pandas as pd

#: Fine tags of the built-in language by Penn Treebank tags used in the re-heading rules. For verbs see
#: `with_penn_tags`.
PENN_TAGS: Mapping[str, str] = {
    "prep": "IN", "conj": "IN", "cmpl": "IN", "rel": "WDT", "pro:wh": "WP", "adv:wh": "WRB", "inf": "TO",
    "coord": "CC", "mod": "MD", "mod:do": "VBP", "aux": "VBP", "v:cop": "VBP", "v": "VBP", "neg": "RB", "post": "RB",
    "pro:exist": "EX", "n": "NN", "n:fam": "NNP", "n:prop": "NNP", "n:pt": "NNS", "adj": "JJ", "ptl": "RP",
    "poss": "POS", "pro:poss:det": "PRP$", "det:num": "CD", "det:wh": "WDT",
}  # fmt: skip


def with_penn_tags(tokens: pd.DataFrame) -> pd.DataFrame:
    """Convert the built-in language to tags like those of the Penn Treebank, with conjunctions under the first
    conjunct.

    Prepositions, auxiliaries, subordinators and infinitival *to* are heads in the built-in language; the head of a
    conjunction is the conjunct after it. A verb is a base form (VB) if a modal, a form of *do* or *to* governs it;
    participles in -ing are VBG, others VBN. XX marks words that the re-heading rules do not mention.

    Parameters
    ----------
    tokens : DataFrame
        ``sentence``, ``position``, ``form``, ``fine``, ``relation``, ``head`` of the built-in language.

    Returns
    -------
    DataFrame
        The table with other ``fine`` and ``head``.

    Examples
    --------
    >>> tokens = pd.DataFrame({"sentence": 0, "position": [1, 2, 3], "form": ["cats", "and", "dogs"],
    ...     "fine": ["n", "coord", "n"], "relation": ["ROOT", "CC", "COORD"], "head": [0, 3, 1]})
    >>> with_penn_tags(tokens)[["fine", "head"]].values.tolist()
    [['NN', 0], ['CC', 1], ['NN', 1]]
    """
    fine, relation = tokens["fine"].astype("str"), tokens["relation"].astype("str")
    general = {"adv": "RB", "pro": "PRP"}  # all other adverbs and pronouns
    tags = fine.map(lambda tag: PENN_TAGS.get(tag, general.get(tag.split(":")[0], "XX")))
    tags = tags.mask((fine == "v") & relation.isin(["VC", "INF"]), "VB")
    ing = tokens["form"].astype("str").str.lower().str.endswith("ing")
    tags = tags.mask(fine == "part", ing.map({True: "VBG", False: "VBN"}))
    head = tokens["head"].to_numpy()
    first = np.arange(len(tokens)) - tokens["position"].to_numpy() + 1
    above = np.where(head > 0, first + head - 1, 0)
    lifted = (relation == "CC").to_numpy() & (head > 0) & (relation.to_numpy()[above] == "COORD")
    return tokens.assign(fine=tags, head=np.where(lifted, head[above], head))
