"""The gold standards of Table 5: trees re-headed by rule, of the Penn sample and of the built-in language."""

from collections.abc import Mapping

import numpy as np
import pandas as pd

from analysis.dependencies import rehead
from analysis.dependencies.reheading import STANDARDS
from analysis.experiments import cache_key, cached
from analysis.papers.gelling2012.setting import NURSERY, data

#: Test sets whose trees can be re-headed.
CONVERTED = ("en-ptb", NURSERY)
SENTENCES = 2000  # of the built-in language, which is as large as one likes, so many are converted
VERSION = "1"  # changes when the standards change

#: Fine tags of the built-in language by the tags of the Penn Treebank that the rules of re-heading speak of. Verbs see
#: `penn_like`.
NURSERY_PENN: Mapping[str, str] = {
    "prep": "IN", "conj": "IN", "cmpl": "IN", "rel": "WDT", "pro:wh": "WP", "adv:wh": "WRB", "inf": "TO",
    "coord": "CC", "mod": "MD", "mod:do": "VBP", "aux": "VBP", "v:cop": "VBP", "v": "VBP", "neg": "RB", "post": "RB",
    "pro:exist": "EX", "n": "NN", "n:fam": "NNP", "n:prop": "NNP", "n:pt": "NNS", "adj": "JJ", "ptl": "RP",
    "poss": "POS", "pro:poss:det": "PRP$", "det:num": "CD", "det:wh": "WDT",
}  # fmt: skip


def gold_standards(testset: str) -> dict[str, pd.DataFrame]:
    """The test set's trees under each conversion, `analysis.dependencies.reheading.STANDARDS`; cached.

    Of the built-in language the first `SENTENCES` sentences.

    Parameters
    ----------
    testset : str
        One of `CONVERTED`.

    Returns
    -------
    dict of str to DataFrame
        Tokens tables that differ in ``head``; the first tokens of the test set, all of en-ptb.

    Raises
    ------
    ValueError
        If the test set has no tags that the rules know.
    """
    if testset not in CONVERTED:
        raise ValueError(f"the trees of {testset!r} cannot be re-headed here; those of {', '.join(CONVERTED)} can.")
    test = data(testset).test
    if testset == NURSERY:
        test = test[test["sentence"].isin(test["sentence"].unique()[:SENTENCES])]
    key = cache_key(data=data(testset).version, parameters={"testset": testset}, version=VERSION)

    def convert() -> dict[str, np.ndarray]:
        tree = penn_like(test) if testset == NURSERY else test
        return {name: rehead(tree, name)["head"].to_numpy(dtype=np.int32) for name in STANDARDS}

    heads = cached("gelling2012_standards", key, convert)
    return {name: test.assign(head=found) for name, found in heads.items()}


def penn_like(tokens: pd.DataFrame) -> pd.DataFrame:
    """The built-in language with tags like those of the Penn Treebank and conjunctions under the first conjunct.

    Prepositions, auxiliaries, subordinators and infinitival *to* are heads there already; a conjunction stands under
    the conjunct after it. A verb is a base form (VB) if a modal, a form of *do* or *to* governs it; participles in
    -ing are VBG, others VBN.

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
    >>> penn_like(tokens)[["fine", "head"]].values.tolist()
    [['NN', 0], ['CC', 1], ['NN', 1]]
    """
    fine, relation = tokens["fine"].astype("str"), tokens["relation"].astype("str")
    tags = fine.map({tag: _penn_tag(tag) for tag in fine.unique()})
    tags = tags.mask((fine == "v") & relation.isin(["VC", "INF"]), "VB")
    ing = tokens["form"].astype("str").str.lower().str.endswith("ing")
    tags = tags.mask(fine == "part", ing.map({True: "VBG", False: "VBN"}))
    head = tokens["head"].to_numpy()
    first = np.arange(len(tokens)) - tokens["position"].to_numpy() + 1
    above = np.where(head > 0, first + head - 1, 0)
    lifted = (relation == "CC").to_numpy() & (head > 0) & (relation.to_numpy()[above] == "COORD")
    return tokens.assign(fine=tags, head=np.where(lifted, head[above], head))


def _penn_tag(fine: str) -> str:
    """A tag of `NURSERY_PENN`, or of all other adverbs and pronouns; XX of which the rules do not speak."""
    general = {"adv": "RB", "pro": "PRP"}.get(fine.split(":")[0], "XX")
    return NURSERY_PENN.get(fine, general)
