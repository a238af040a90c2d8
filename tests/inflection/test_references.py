"""Copy, majority suffix, and one form per item."""

import pandas as pd
import pytest

from analysis.inflection.references import reference_scores

GOLD = pd.DataFrame({"lemma": ["put", "walk", "dream", "dream"], "form": ["put", "walked", "dreamt", "dreamed"],
                     "features": "V;PST"})  # fmt: skip


def values(table):
    return dict(zip(table["system"], table["value"], strict=True))


def test_each_reference_has_what_it_gets_right():
    training = pd.DataFrame({"lemma": ["talk", "look"], "form": ["talked", "looked"], "features": "V;PST"})
    found = values(reference_scores(GOLD, training))
    assert found == {"copy": 1 / 4, "majority suffix": 2 / 4, "one form per item": 3 / 4}


def test_without_training_there_is_no_majority_suffix():
    assert list(values(reference_scores(GOLD))) == ["copy", "one form per item"]


def test_intervals_are_wilsons():
    row = reference_scores(GOLD).iloc[0]
    assert (row["method"], row["n"]) == ("wilson", 4)
    assert (row["lower"], row["upper"]) == pytest.approx((0.0456, 0.6994), abs=1e-4)  # Wilson (1927) for 1 of 4
