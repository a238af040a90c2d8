"""Mapping of treebank relations to those of Gelling et al. (2012), Table 6."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from analysis.structures.labels import value_codes
from analysis.structures.lazy import pd

#: Name of the relation of a token whose head is the root.
ROOT = "ROOT"

#: The rows of Table 6, in order.
TABLE6 = ("ROOT", "SBJ", "OBJ", "PRD", "NMOD", "COORD", "CC")

#: Universal Dependencies to the relations of Table 6. PRD has no counterpart, because the predicate is the head in UD.
UNIVERSAL_RELATIONS = {
    "nsubj": "SBJ",
    "csubj": "SBJ",
    "obj": "OBJ",
    "det": "NMOD",
    "amod": "NMOD",
    "nmod": "NMOD",
    "nummod": "NMOD",
    "appos": "NMOD",
    "acl": "NMOD",
    "conj": "COORD",
    "cc": "CC",
}


class Scheme(NamedTuple):
    """Mapping of the relations of a treebank to those of Table 6.

    Attributes
    ----------
    names : mapping
    modifiers : frozenset of str
        Relations that are NMOD if the head is a noun.
    noun : str
        Coarse class of nouns.
    """

    names: Mapping[str, str]
    modifiers: frozenset[str]
    noun: str


#: Schemes of Basque in CoNLL 2007 (3LB), and of the built-in language. CC has no counterpart in 3LB: a conjunction
#: heads its conjuncts (lot) and has the relation of the whole coordination.
SCHEMES: Mapping[str, Scheme] = {
    "basque-3lb": Scheme(
        {"ncsubj": "SBJ", "ccomp_subj": "SBJ", "xcomp_subj": "SBJ", "ncobj": "OBJ", "ccomp_obj": "OBJ",
         "xcomp_obj": "OBJ", "ncpred": "PRD", "xpred": "PRD", "detmod": "NMOD", "aponcmod": "NMOD",
         "apocmod": "NMOD", "apoxmod": "NMOD", "lot": "COORD"},
        frozenset({"ncmod", "cmod", "xmod"}), "IZE",
    ),
    "nursery": Scheme(
        {"SUBJ": "SBJ", "OBJ": "OBJ", "PRED": "PRD", "DET": "NMOD", "POSS": "NMOD", "COORD": "COORD", "CC": "CC"},
        frozenset({"MOD"}), "N",
    ),
}  # fmt: skip


def rename_relations(tokens: pd.DataFrame, scheme: str) -> pd.Series:
    """Rename the relations of a treebank as in Table 6; others keep their names.

    Parameters
    ----------
    tokens : DataFrame
        Tokens table with ``position``, ``coarse``, ``head`` and ``relation``; whole sentences.
    scheme : str
        One of `SCHEMES`.

    Returns
    -------
    Series of str
        One relation per token.

    Examples
    --------
    >>> tokens = pd.DataFrame({"position": [1, 2, 3], "coarse": ["IZE", "IZE", "ADI"], "head": [2, 3, 0],
    ...                        "relation": ["ncmod", "ncsubj", "ROOT"]})
    >>> rename_relations(tokens, "basque-3lb").tolist()
    ['NMOD', 'SBJ', 'ROOT']
    """
    names, modifiers, noun = SCHEMES[scheme]
    head = tokens["head"].to_numpy()
    above = np.where(head > 0, np.arange(len(tokens)) - tokens["position"].to_numpy() + head, 0)
    of_noun = (head > 0) & (tokens["coarse"].astype("str").to_numpy()[above] == noun)
    own = tokens["relation"].astype("str")
    return own.map(lambda name: names.get(name, name)).mask(of_noun & own.isin(modifiers), "NMOD")


def table6_relations(relations: Any, is_root: np.ndarray) -> pd.Categorical:
    """Map relations to those of Table 6; others are missing.

    Names of the table are unchanged (``SBJ``); those of Universal Dependencies are mapped, including subtypes
    (``nsubj:pass`` is ``SBJ``). A token whose head is the root is always ``ROOT``.

    Parameters
    ----------
    relations : array-like of shape (n_tokens,)
    is_root : ndarray of bool, shape (n_tokens,)
        Tokens whose gold head is the root.

    Returns
    -------
    Categorical
        With the categories `TABLE6`.

    Examples
    --------
    >>> list(table6_relations(["nsubj:pass", "root", "det", "case"], np.array([False, True, False, False])))
    ['SBJ', 'ROOT', 'NMOD', nan]
    """
    codes, names = value_codes(pd.Series(relations))
    known = {name: place for place, name in enumerate(TABLE6)}
    mapped = []
    for name in map(str, names):
        general = UNIVERSAL_RELATIONS.get(name.split(":")[0], name)
        mapped.append(known.get(general, -1))
    places = np.array([*mapped, -1], dtype=np.int64)[codes]
    places[places == 0] = -1  # the root is identified by its head
    places[np.asarray(is_root, dtype=bool)] = 0
    return pd.Categorical.from_codes(places, list(TABLE6))
