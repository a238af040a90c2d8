"""Fast scores, without hill climbing, for many labellings of the same tokens."""

import pandas as pd

from analysis.categories.assignment import one_to_one
from analysis.categories.contingency import contingency
from analysis.categories.information import v_measure
from analysis.categories.token_measures import many_to_one
from analysis.categories.type_measures import macro_i, micro_i
from analysis.categories.type_table import lexicon, type_table

#: Measures of `quick_scores`.
QUICK_MEASURES = ("V", "M-1", "1-1", "MacroI 1-1", "MicroI 1-1")


def quick_scores(tokens: pd.DataFrame, *, assignment: str = "optimal", base: float = 2) -> dict[str, float]:
    """Compute V, M-1 and 1-1 of tokens, and MacroI and MicroI (one-to-one) of types.

    Parameters
    ----------
    tokens : DataFrame
        ``form``, ``gold``, ``predicted``; see `analysis.categories.align_labels`.
    assignment, base
        Conventions of `one_to_one` and `v_measure`.

    Returns
    -------
    dict of str to float
        Proportions by measure; see `QUICK_MEASURES`.

    Examples
    --------
    >>> tokens = pd.DataFrame({"form": ["run", "dog", "the"], "gold": ["V", "N", "D"], "predicted": [1, 2, 2]})
    >>> quick_scores(tokens)["M-1"].__round__(2)
    0.67
    """
    table = contingency(tokens["gold"], tokens["predicted"])
    types = type_table(lexicon(tokens, "gold"), lexicon(tokens, "predicted"))
    token_level = v_measure(table, base=base), many_to_one(table), one_to_one(table, assignment=assignment)
    scores = (*token_level, macro_i(types), micro_i(types))
    return dict(zip(QUICK_MEASURES, map(float, scores), strict=True))
