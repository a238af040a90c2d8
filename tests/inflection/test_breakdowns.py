"""Accuracy by group of items."""

import pandas as pd

from analysis.inflection import accuracy_table
from analysis.inflection.breakdowns import costliest_answers, score_breakdowns

GOLD = pd.DataFrame({"lemma": ["go", "walk", "walk", "NA"], "form": ["went", "walked", "walks", "NAs"],
                     "features": ["PST", "PST", "PRS", "PRS"]})  # fmt: skip
PREDICTED = GOLD[["lemma", "features"]].assign(predicted=["goed", "walked", "walked", "NAs"])
TRAINING = pd.DataFrame({"lemma": ["walk", "walk", "talk"], "form": ["walked", "walks", "talked"],
                         "features": ["PST", "PRS", "PST"]})  # fmt: skip


def test_the_groups_of_accuracy_table_are_kept_and_bands_are_added():
    found = score_breakdowns(GOLD, PREDICTED, TRAINING, frequencies=(1, 2))
    known = accuracy_table(GOLD, PREDICTED, TRAINING)
    assert found.iloc[: len(known)][["by", "group"]].values.tolist() == known[["by", "group"]].values.tolist()
    bands = found.query("by == 'frequency'").set_index("group")
    assert bands[["numerator", "denominator"]].values.tolist() == [[1, 2], [0, 0], [1, 2], [0, 0]]
    assert pd.isna(bands.loc["1", "value"])


def test_without_training_there_are_no_frequencies():
    assert set(score_breakdowns(GOLD, PREDICTED)["by"]) == {"all", "features", "letters"}


def test_the_costliest_answers_are_the_wrong_ones():
    found = costliest_answers(GOLD, PREDICTED)
    assert found[["form", "predicted"]].values.tolist() == [["walks", "walked"], ["went", "goed"]]
