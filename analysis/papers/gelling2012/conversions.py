"""The gold standards of Table 5: trees re-headed by rule, of the Penn sample and of the built-in language."""

import numpy as np
import pandas as pd

from analysis.corpora.language import with_penn_tags
from analysis.dependencies import all_standards
from analysis.experiments import cache_key, cached
from analysis.papers.gelling2012.setting import NURSERY, data

#: Test sets whose trees can be re-headed.
CONVERTED = ("en-ptb", NURSERY)
SENTENCES = 2000  # of the built-in language, which is as large as one likes, so many are converted


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
    test = tagged = data(testset).test
    if testset == NURSERY:
        test = test[test["sentence"].isin(test["sentence"].unique()[:SENTENCES])]
        tagged = with_penn_tags(test)
    key = cache_key(data=data(testset).version, parameters={"testset": testset}, function=(with_penn_tags, _heads))
    heads = cached("gelling2012_standards", key, lambda: _heads(tagged))
    return {name: test.assign(head=found) for name, found in heads.items()}


def _heads(tagged: pd.DataFrame) -> dict[str, np.ndarray]:
    return {name: table["head"].to_numpy(dtype=np.int32) for name, table in all_standards(tagged).items()}
