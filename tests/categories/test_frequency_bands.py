"""Scores by word frequency against the measures of the whole text and of the whole lexicon."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis.categories import lexicon, many_to_one, micro_i, scores_by_frequency

TOKENS = pd.DataFrame(
    [("the", "D", 1)] * 6
    + [("dog", "N", 2)] * 3
    + [("run", "N", 3), ("run", "V", 2), ("sat", "V", 3), ("ran", "V", 3)],
    columns=["form", "gold", "predicted"],
)


def test_bands_of_a_small_text_are_counted_by_hand():
    # M-1: 1 is D, 2 is N, 3 is V; run is right in no token. MicroI: run has {N, V} and is read so, all are right.
    table = scores_by_frequency(TOKENS, bands=(1, 5))
    expected = [["1", 2, 2, 1.0, 1.0, 1.0], ["2–5", 2, 5, 0.6, 1.0, 1.0], ["6+", 1, 6, 1.0, 1.0, 1.0]]
    assert table.values.tolist() == expected


@given(st.integers(0, 2**32 - 1))
@settings(max_examples=20, deadline=None)
def test_the_means_over_bands_are_the_measures(seed):
    random = np.random.default_rng(seed)
    tokens = pd.DataFrame({
        "form": random.geometric(0.1, 200).astype(str),
        "gold": random.choice(list("NVD"), 200),
        "predicted": random.integers(4, size=200),
    })  # fmt: skip
    table = scores_by_frequency(tokens, random_state=seed)
    lexicons = lexicon(tokens, "gold"), lexicon(tokens, "predicted")
    whole = float(micro_i(*lexicons, mapping="many-to-one", random_state=seed))
    assert np.average(table["MicroI"], weights=table["types"]) == pytest.approx(whole)
    accuracy = float(many_to_one(tokens["gold"], tokens["predicted"]))
    assert np.average(table["M-1"], weights=table["tokens"]) == pytest.approx(accuracy)
    assert table["tokens"].sum() == 200


def test_bands_that_do_not_rise_are_refused():
    with pytest.raises(ValueError, match="rising"):
        scores_by_frequency(TOKENS, bands=(5, 1))
