"""Scores of a clustering by group, and the confusion of classes."""

import numpy as np
import pandas as pd
import pytest

from analysis.categories import many_to_one, one_to_one
from analysis.categories.breakdowns import confusion, costliest_words, read_as, score_breakdowns

RNG = np.random.default_rng(0)
TOKENS = pd.DataFrame(
    {
        "sentence": np.repeat(np.arange(60), RNG.integers(1, 12, 60)),
    }
)
TOKENS["form"] = RNG.choice(list("aaaaabbbccdefgh"), len(TOKENS))
TOKENS["gold"] = RNG.choice(["N", "V", "D"], len(TOKENS))
TOKENS["predicted"] = np.where(RNG.random(len(TOKENS)) < 0.5, TOKENS["gold"].map({"N": 1, "V": 2, "D": 3}), 4)


def test_the_readings_give_the_measures():
    gold = TOKENS["gold"].to_numpy(dtype=object)
    for mapping, measure in (("many-to-one", many_to_one), ("one-to-one", one_to_one)):
        assert int((read_as(TOKENS, mapping) == gold).sum()) == measure(TOKENS["gold"], TOKENS["predicted"]).numerator


def test_every_breakdown_sums_to_the_whole():
    table = score_breakdowns(TOKENS, TOKENS.iloc[:30])
    assert set(table["by"]) == {"all", "frequency", "sentence length", "tag", "cluster", "seen"}
    sums = table.groupby(["by", "measure"])[["numerator", "denominator"]].sum().unstack("by")
    for column in ("numerator", "denominator"):
        assert (sums[column].nunique(axis=1) == 1).all()


def test_types_are_counted_in_each_cell():
    table = score_breakdowns(TOKENS).query("by == 'tag' and measure == 'one-to-one'").set_index("group")["types"]
    assert table.to_dict() == TOKENS.groupby("gold")["form"].nunique().to_dict()


def test_an_empty_band_is_undefined_and_an_unseen_word_is_in_band_0():
    tokens = pd.DataFrame({"form": list("ab"), "gold": list("NV"), "predicted": [1, 2]})
    table = score_breakdowns(tokens, pd.DataFrame({"form": list("aaa")})).query("measure == 'one-to-one'")
    found = table.query("by == 'frequency'").set_index("group")
    assert found["denominator"].tolist() == [1, 0, 1, 0, 0, 0]
    assert found.loc["0", "value"] == 1 and pd.isna(found.loc["1", "value"])
    assert table.query("by == 'seen'")[["group", "denominator"]].values.tolist() == [["seen", 1], ["unseen", 1]]


def test_tagging_accuracy_has_rows_only_if_clusters_are_named_as_classes():
    assert "tagging accuracy" not in set(score_breakdowns(TOKENS)["measure"])
    named = TOKENS.assign(predicted=["N"] * len(TOKENS))
    row = score_breakdowns(named).query("by == 'all' and measure == 'tagging accuracy'").iloc[0]
    assert row["value"] == pytest.approx((TOKENS["gold"] == "N").mean())


def test_without_words_and_sentences_there_are_fewer_breakdowns():
    table = score_breakdowns(TOKENS[["gold", "predicted"]])
    assert set(table["by"]) == {"all", "tag", "cluster"} and (table["types"] == 0).all()


def test_the_confusion_is_the_crosstab_and_its_diagonal_the_correct_tokens():
    plain = confusion(TOKENS, None)
    expected = pd.crosstab(TOKENS["gold"], TOKENS["predicted"].astype(str))
    for row in plain.itertuples():
        assert row.numerator == expected.loc[row.gold, row.predicted]
        assert row.denominator == (TOKENS["gold"] == row.gold).sum()
    mapped = confusion(TOKENS, "many-to-one")
    diagonal = mapped[mapped["gold"].astype(str) == mapped["predicted"].astype(str)]
    assert diagonal["numerator"].sum() == many_to_one(TOKENS["gold"], TOKENS["predicted"]).numerator
    assert len(mapped) == 9  # square, though no cluster may be read as some class


def test_a_cluster_beyond_the_classes_has_no_tag_one_to_one():
    mapped = confusion(TOKENS, "one-to-one")
    assert mapped["predicted"].cat.categories[-1] == "no tag"


def test_of_equally_frequent_classes_the_first_name_is_read():
    tokens = pd.DataFrame({"gold": list("VN"), "predicted": [1, 1]})
    assert read_as(tokens, "many-to-one").tolist() == ["N", "N"]


def test_the_costliest_words_hold_every_error():
    table = costliest_words(TOKENS, "many-to-one", most=1000)
    errors = len(TOKENS) - many_to_one(TOKENS["gold"], TOKENS["predicted"]).numerator
    assert table["wrong"].sum() == errors
    pairs = costliest_words(TOKENS, "many-to-one", most=1000, pairs=True)
    assert pairs["wrong"].sum() == errors and (pairs["gold"] != pairs["read_as"]).all()
    assert len(costliest_words(TOKENS, most=3)) == 3


def test_an_unknown_mapping_is_refused():
    with pytest.raises(ValueError, match="mapping"):
        read_as(TOKENS, "best")


def test_classes_of_one_size_are_in_the_order_of_their_names():
    tokens = pd.DataFrame({"gold": list("VNNDV"), "predicted": list("21123")})
    assert list(confusion(tokens)["gold"].cat.categories) == ["N", "V", "D"]
