"""The systems that give sentences trees, by the names that the command line calls them."""

from collections.abc import Callable, Mapping
from functools import partial
from os import PathLike
from typing import Any

import pandas as pd

from analysis.dependencies.models.baselines import left_branching, random_trees, right_branching
from analysis.dependencies.models.ccg_induction import CCGInduction
from analysis.dependencies.models.dmv import DMV
from analysis.dependencies.models.dmv_variants import DMV_VARIANTS
from analysis.dependencies.models.neighbours import ConstantDirection, NeighbourByTag
from analysis.dependencies.models.ranking import ranked_trees, universal_rule_trees
from analysis.dependencies.models.reducibility_model import ReducibilityModel
from analysis.dependencies.models.tree_substitution import TreeSubstitutionGrammar
from analysis.experiments.saved_models import fit_keeping_state, load_model
from analysis.structures import DataError, Incident, check_choice
from analysis.structures.labels import first_tagged
from analysis.structures.model import Model

#: Models that learn from tags: parameters of `DMV`, of `CCGInduction` for bh, of `ReducibilityModel` for mz, and of
#: `TreeSubstitutionGrammar` for tsg.
LEARNT: Mapping[str, Mapping[str, Any]] = {
    "dmv": DMV_VARIANTS["EM"],
    "dmv-sparse": DMV_VARIANTS["sparse prior"],
    "dmv-annealed": DMV_VARIANTS["annealed"],
    "dmv-viterbi": DMV_VARIANTS["Viterbi EM"],
    "harmonic": {"iterations": 0},
    "bh": {},
    "mz": {},
    "tsg": {},
}
#: Baselines that learn from gold trees.
SUPERVISED: Mapping[str, type[ConstantDirection] | type[NeighbourByTag]] = {
    "direction": ConstantDirection,
    "neighbour": NeighbourByTag,
}
#: Systems that learn nothing.
RULES: Mapping[str, Callable[..., pd.Series]] = {
    "left": left_branching,
    "right": right_branching,
    "random": random_trees,
    "s1": ranked_trees,
    "s2": universal_rule_trees,
}
TAGGED = (*LEARNT, "neighbour", "s1", "s2")  #: What reads tags
_UNIVERSAL_FIRST = ("universal", "coarse", "fine")
_FINE_FIRST = ("fine", "universal", "coarse")


def tags_of(tokens: pd.DataFrame, system: str, tags: str = "auto") -> str:
    """The column of tags that a system reads.

    Parameters
    ----------
    tokens : DataFrame
    system : str
        Of `TAGGED`.
    tags : str
        A column; ``"auto"``: the first of ``fine``, ``universal``, ``coarse`` that the text has with more than one tag
        in it, and a tag other than ``_`` for most words; universal tags first for S1 and S2, whose rules speak of them.

    Raises
    ------
    ValueError
        If the text has no such column.

    Examples
    --------
    >>> tags_of(pd.DataFrame({"universal": ["NOUN", "VERB"], "fine": ["_", "_"]}), "dmv")
    'universal'
    """
    here = [name for name in tokens.columns if name not in ("sentence", "position", "form", "head")]
    if tags != "auto":
        if tags not in tokens:
            raise ValueError(f"the text has no column of tags {tags!r}; it has {', '.join(here) or 'words only'}.")
        return tags
    first = _UNIVERSAL_FIRST if system in ("s1", "s2") else _FINE_FIRST
    found = first_tagged(tokens, (name for name in first if name in tokens and tokens[name].nunique() > 1))
    if found is not None:
        return found
    raise ValueError(
        f"{system} needs tags, and the text has none: take one with tags, or give it classes first "
        "(yardstick cluster ... --format conllu)."
    )


def fit_parser(
    system: str, tokens: pd.DataFrame, *, tags: str = "auto", random_state: Any = 0, progress: bool = False,
    **parameters: Any,
) -> Any:  # fmt: skip
    """Train a system that learns.

    Parameters
    ----------
    system : str
        Of `LEARNT` or `SUPERVISED`.
    tokens : DataFrame
        ``sentence``, ``form`` and tags; for `SUPERVISED`, ``head``.
    tags : str
        See `tags_of`.
    random_state : None, int or Generator
        Of mz and tsg; the state of tsg is stored while it runs, see `fit_keeping_state`.
    progress : bool
        Whether tsg shows a bar.
    **parameters
        Of the model.

    Returns
    -------
    DMV, CCGInduction, ReducibilityModel, TreeSubstitutionGrammar, ConstantDirection or NeighbourByTag

    Examples
    --------
    >>> tokens = pd.DataFrame({"sentence": [0, 0, 1], "form": ["a", "dog", "dogs"], "fine": ["D", "N", "N"]})
    >>> fit_parser("harmonic", tokens).predict(tokens).tolist()
    [2, 0, 0]
    """
    check_choice("system", system, (*LEARNT, *SUPERVISED))
    if system in SUPERVISED:
        made: Any = SUPERVISED[system]()
        if system in TAGGED:
            made.set_params(tags=tags_of(tokens, system, tags))
        return made.set_params(**parameters).fit(tokens)
    column = tags_of(tokens, system, tags)
    if system == "tsg":
        grammar = TreeSubstitutionGrammar(tags=column, random_state=random_state).set_params(**parameters)
        return fit_keeping_state(grammar, tokens, progress=progress)
    if system == "mz":
        return ReducibilityModel(tags=column, random_state=random_state).set_params(**parameters).fit(tokens)
    model = CCGInduction if system == "bh" else DMV
    return model(tags=column).set_params(**LEARNT[system], **parameters).fit(tokens)


def trees_by_rule(
    system: str, tokens: pd.DataFrame, *, tags: str = "auto", random_state: Any = 0, **parameters: Any
) -> pd.Series:
    """Heads by a system that learns nothing.

    Parameters
    ----------
    system : str
        Of `RULES`.
    tokens : DataFrame
    tags : str
        Of S1 and S2: see `tags_of`.
    random_state : None, int or Generator
        Of random trees.
    **parameters
        Of the function in `RULES`.

    Returns
    -------
    Series of int64
        Named ``head``, with the index of ``tokens``.

    Raises
    ------
    ValueError
        If the system has no such parameter, or needs tags that the text lacks.

    Examples
    --------
    >>> trees_by_rule("left", pd.DataFrame({"sentence": [0, 0], "form": ["a", "dog"]})).tolist()
    [2, 0]
    """
    from inspect import signature

    check_choice("system", system, tuple(RULES))
    function = RULES[system]
    known = signature(function).parameters
    own = [name for name in known if name not in ("tokens", "column", "random_state")]
    unknown = [name for name in parameters if name not in own]
    if unknown:
        raise ValueError(f"{system} has no parameter {unknown[0]!r}; it has {', '.join(own) or 'none'}.")
    if "column" in known:
        function = partial(function, column=tags_of(tokens, system, tags))
    if "random_state" in known:
        function = partial(function, random_state=random_state)
    return function(tokens, **parameters)


def load_parser(file: str | PathLike) -> Any:
    """A saved model of trees.

    Raises
    ------
    DataError
        If the file holds none; see `analysis.experiments.saved_models.load_model`.
    """
    model: Model = load_model(file)
    known = DMV | CCGInduction | ReducibilityModel | TreeSubstitutionGrammar | ConstantDirection | NeighbourByTag
    if not isinstance(model, known):
        found = f"it holds a {type(model).__name__}, which is not a model of trees"
        raise DataError(Incident(str(file), 0, "another model", found))
    return model
