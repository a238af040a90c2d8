"""Time of the six type-level measures on a lexicon of the size of the Wall Street Journal's, and of encoding it.

The lexicon is generated: types under Zipf's law with gold classes as skewed as tags are, one type in six with
several; clusters are drawn given the class, and a frequent type is in more of them. A plain version beside it finds
MacroI for one mapping with Python's sets, as the formulas say; hill climbing tries thousands of mappings.
"""

import argparse
from time import perf_counter

import numpy as np
import pandas as pd

from analysis.categories.type_measures import macro_i, micro_c, micro_i
from analysis.categories.type_table import type_table

TYPES, CLASSES, CLUSTERS = 40_000, 34, 192
MEASURES = {"MacroI": macro_i, "MicroI": micro_i, "MicroC": micro_c}


def generated(random_state: int = 0) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Gold and predicted memberships."""
    rng = np.random.default_rng(random_state)
    share = 1 / np.arange(1, CLASSES + 1) ** 1.3
    own = rng.choice(CLASSES, size=TYPES, p=share / share.sum())
    several = np.flatnonzero(rng.random(TYPES) < 0.166)
    gold_types = np.concatenate([np.arange(TYPES), several])
    gold_classes = np.concatenate([own, rng.choice(CLASSES, size=len(several), p=share / share.sum())])
    given_class = rng.dirichlet(np.full(CLUSTERS, 0.05), size=CLASSES).cumsum(axis=1)
    tokens = np.minimum(1 + (20_000 / np.arange(1, TYPES + 1)).astype(int), 300)
    types = np.repeat(np.arange(TYPES), tokens)
    clusters = (given_class[own[types]] < rng.random(len(types))[:, None]).sum(axis=1)
    return memberships(gold_types, gold_classes), memberships(types, np.minimum(clusters, CLUSTERS - 1))


def memberships(types, labels) -> pd.DataFrame:
    """One row per pair."""
    forms = np.array([f"word{number}" for number in range(TYPES)])
    return pd.DataFrame({"form": forms[types], "cluster": labels}).drop_duplicates(ignore_index=True)


def plain_macro_i(gold: dict, predicted: dict, reading: dict) -> float:
    """MacroI of one many-to-one mapping with sets."""
    read = {form: {reading[k] for k in clusters} for form, clusters in predicted.items()}
    matched = sum(len(classes & read[form]) for form, classes in gold.items())
    return 2 * matched / (sum(map(len, gold.values())) + sum(map(len, read.values())))


def main(restarts: int = 10) -> pd.DataFrame:
    """One row per measure: seconds."""
    gold, predicted = generated()
    start = perf_counter()
    table = type_table(gold, predicted)
    rows = [("encoding both lexicons", "", perf_counter() - start, None)]
    sets = [side.groupby("form")["cluster"].agg(set).to_dict() for side in (gold, predicted)]
    start = perf_counter()
    plain_macro_i(*sets, {k: k % CLASSES for k in range(CLUSTERS)})
    rows.append(("MacroI of one mapping, with sets", "many-to-one", perf_counter() - start, None))
    for name, measure in MEASURES.items():
        for mapping in ("one-to-one", "many-to-one"):
            measure(table, mapping=mapping, restarts=1, random_state=0)  # compiles
            start = perf_counter()
            score = measure(table, mapping=mapping, restarts=restarts, random_state=0)
            rows.append((name, mapping, perf_counter() - start, score.value))
    result = pd.DataFrame(rows, columns=["task", "mapping", "seconds", "value"])
    result["memberships"] = len(predicted)
    print(result.to_string(index=False))
    return result


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--restarts", type=int, default=10)
    main(parser.parse_args().restarts)
