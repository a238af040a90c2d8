"""Time of Table 3's own columns (Gelling et al. 2012): LB, RB, R, H and DMV on three granularities of tags.

On every treebank that stands for one of the paper's ten, if they are at hand, otherwise on the built-in language:
training, parsing and scoring, nothing from the cache, one process. The whole is to take less than three minutes.
"""

import argparse
from time import perf_counter

import pandas as pd

from analysis.corpora.catalogue import where
from analysis.dependencies import attachment_scores
from analysis.papers.gelling2012.runs import fit_anew, systems
from analysis.papers.gelling2012.setting import NURSERY, TESTSETS, Setting, data, treebank
from analysis.report.registry import AT_HAND

BOUND = 180  # seconds for all


def main(iterations: int = 30) -> pd.DataFrame:
    """Print and return one row per test set, and one for all of them.

    Parameters
    ----------
    iterations : int
        Of each DMV.

    Returns
    -------
    DataFrame
        ``what``, ``tokens`` trained on, ``scored`` tokens of the test set, ``seconds``; for all, how many times the
        three minutes hold it as ``ratio``, and the ``bound``, 1.
    """
    at_hand = all(where(treebank(name)["corpus"]) in AT_HAND for name in TESTSETS)
    corpus, names = ("treebanks", TESTSETS) if at_hand else (NURSERY, (NURSERY,))
    setting = Setting(corpus=corpus, testsets=names, iterations=iterations)
    rows = []
    for name in names:
        tokens, test = data(name).tokens, data(name).test
        start = perf_counter()
        for run in systems(name, setting, "dependencies"):
            attachment_scores(test, fit_anew(name, run).labels, punctuation=False)
        rows.append({"what": name, "tokens": len(tokens), "scored": len(test), "seconds": perf_counter() - start})
    table = pd.DataFrame(rows)
    whole = table[["tokens", "scored", "seconds"]].sum().to_dict()
    whole = {"what": f"all, {iterations} iterations"} | whole | {"ratio": BOUND / whole["seconds"], "bound": 1}
    table = pd.concat([table, pd.DataFrame([whole])], ignore_index=True).astype({"tokens": "int64", "scored": "int64"})
    print(table.to_string(index=False, float_format="{:.3g}".format))
    return table


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--iterations", type=int, default=30)
    main(parser.parse_args().iterations)
