import math

import pandas as pd
import pytest

from analysis.categories import scored_tokens, token_level_scores
from analysis.dependencies import attachment_scores, bootstrap_intervals, scores_by_relation
from analysis.inflection import accuracy_table
from analysis.structures import Score, results_table, scores_table
from analysis.structures.units import in_percent

MIXED = pd.DataFrame({"value": [0.5, 3.0], "lower": [0.25, 2.0], "unit": ["proportion", "bits"], "n": [4, 4]})


def test_percent_is_made_of_proportions_only_and_once():
    table = in_percent(MIXED)
    assert table["value"].tolist() == [50, 3] and table["lower"].tolist() == [25, 2]
    assert table["unit"].tolist() == ["percent", "bits"] and table["n"].tolist() == [4, 4]
    pd.testing.assert_frame_equal(in_percent(table), table)
    assert MIXED["value"].tolist() == [0.5, 3.0], "the table given is left as it is"


def test_named_columns_of_a_wide_table_become_percent():
    table = in_percent(pd.DataFrame({"LP": [0.5, None], "ref": [2, 3]}), ["LP", "LR"])
    assert table["LP"].iloc[0] == 50 and table["LP"].isna().iloc[1] and table["ref"].tolist() == [2, 3]


@pytest.mark.parametrize(("base", "unit"), [(2, "bits"), (math.e, "nats"), (10, "log base 10")])
def test_entropies_have_the_unit_of_their_base_and_the_rest_are_proportions(base, unit):
    table = scores_table(token_level_scores(["N", "N", "V"], [1, 2, 2], base=base)).set_index("measure")["unit"]
    assert set(table[["VI", "H(C|K)", "H(K|C)"]]) == {unit}
    assert set(table.drop(["VI", "H(C|K)", "H(K|C)"])) == {"proportion"}
    scored = scored_tokens(["N", "N", "V"], [1, 2, 2], [0, 1, 1], ["V", "VI"], base=base)
    assert [measure.unit for measure in scored.measures] == ["proportion", unit]


def test_every_long_table_of_the_library_has_a_unit():
    gold = pd.DataFrame({"sentence": [0, 0], "form": ["at", "home"], "head": [0, 1], "relation": ["root", "obl"]})
    scores = attachment_scores(gold, gold)
    forms = pd.DataFrame({"lemma": ["fly"], "form": ["flew"]})
    tables = [
        Score("accuracy", 1, 2).to_frame(),
        scores.to_frame(),
        scores_by_relation(scores),
        bootstrap_intervals(scores, resamples=5),
        accuracy_table(forms, forms.rename(columns={"form": "predicted"})),
        results_table([{"measure": "PP", "value": 0.5}]),
    ]
    for table in tables:
        assert set(table["unit"]) == {"proportion"}
    assert results_table([{"value": 0.5}, {"value": 3, "unit": "bits"}])["unit"].tolist() == ["proportion", "bits"]
