"""What enters a training set when, the kinds of inflection in it, and an unseen word."""

import pandas as pd
import pytest

from analysis.inflection import (
    CopyBaseline,
    MajoritySuffix,
    NonNeural,
    as_given,
    items_by_size,
    kinds_by_size,
    wug_test,
)

VERBS = pd.DataFrame(
    {
        "lemma": ["go", "see", "walk", "hug"],
        "form": ["went", "saw", "walked", "hugged"],
        "features": "V;PST",
        "frequency": [50, None, 0, 9],
    }
)


@pytest.fixture
def drawn():
    return as_given(VERBS, VERBS, VERBS, [1, 3, 4], 0)


def test_items_enter_in_the_order_of_the_sample(drawn):
    table = items_by_size(drawn, "English")
    assert table["lemma"].tolist() == VERBS["lemma"].tolist() and table["size"].tolist() == [1, 3, 3, 4]
    assert table["frequency"].tolist() == [50, 1, 1, 9], "missing and 0 count as 1"
    assert table["kind"].tolist() == ["irregular", "irregular", "regular", "regular"]
    assert (
        items_by_size(as_given(VERBS.drop(columns="frequency"), VERBS, VERBS, [4], 0), "English")["frequency"]
        .eq(1)
        .all()
    )


def test_the_shares_of_the_kinds_are_those_counted_by_hand(drawn):
    shares = kinds_by_size(items_by_size(drawn, "English")).set_index(["size", "kind"])
    assert shares.loc[(3, "irregular"), "types"] == pytest.approx(2 / 3)
    assert shares.loc[(3, "irregular"), "tokens"] == pytest.approx(51 / 52)
    assert shares.loc[(4, "regular"), "tokens"] == pytest.approx(10 / 61)
    assert shares.groupby("size").sum().eq(1).all(axis=None)


def test_an_unseen_word_gets_an_answer_from_each_model_with_the_rule(drawn):
    models = {"NONNEUR": NonNeural, "Majority suffix": MajoritySuffix, "Copy": CopyBaseline}
    table = wug_test(models, drawn, " wug ", "V;PST")
    assert table["size"].tolist() == [1, 3, 4] * 3
    largest = table[table["size"] == 4].set_index("model")
    assert largest.loc["Copy", "predicted"] == "wug"
    assert largest.loc["NONNEUR", "predicted"] in ("wugged", "wuged") and "becomes" in largest.loc["NONNEUR", "why"]
    with pytest.raises(ValueError, match="type a word"):
        wug_test(models, drawn, " ", "V;PST")
