"""The relations of Gelling et al. (2012), Table 6, on treebanks that name them otherwise."""

from typing import Any

import numpy as np
import pandas as pd

#: Name of the relation of a token whose head is the root.
ROOT = "ROOT"

#: The rows of Table 6, in its order.
TABLE6 = ("ROOT", "SBJ", "OBJ", "PRD", "NMOD", "COORD", "CC")

#: Universal Dependencies to the relations of Table 6. PRD has no counterpart: there the predicate is the head.
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


def table6_relations(relations: Any, is_root: np.ndarray) -> pd.Categorical:
    """Relations as Table 6 names them; what it does not list is missing.

    Names of the table stay as they are (``SBJ``); those of Universal Dependencies are mapped, subtypes with them
    (``nsubj:pass`` is ``SBJ``). A token whose head is the root is ``ROOT``, whatever its relation.

    Parameters
    ----------
    relations : array-like of shape (n_tokens,)
    is_root : ndarray of bool, shape (n_tokens,)
        Tokens whose gold head is the root.

    Examples
    --------
    >>> list(table6_relations(["nsubj:pass", "root", "det", "case"], np.array([False, True, False, False])))
    ['SBJ', 'ROOT', 'NMOD', nan]
    """
    codes, names = pd.factorize(pd.Series(relations))
    known = {name: place for place, name in enumerate(TABLE6)}
    mapped = []
    for name in map(str, names):
        general = UNIVERSAL_RELATIONS.get(name.split(":")[0], name)
        mapped.append(known.get(general, -1))
    places = np.array([*mapped, -1], dtype=np.int64)[codes]
    places[places == 0] = -1  # the root is known by its head
    places[np.asarray(is_root, dtype=bool)] = 0
    return pd.Categorical.from_codes(places, list(TABLE6))
