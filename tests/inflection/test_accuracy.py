import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.evaluation import evaluate_inflections
from analysis.inflection import (
    accuracy,
    accuracy_table,
    aligned,
    costliest_answers,
    learning_curve,
    score_breakdowns,
    seed_variability,
    seen_in_training,
)

GOLD = pd.DataFrame(
    [("fly", "flew", "V;PST"), ("walk", "walked", "V;PST"), ("walk", "walks", "V;PRS"), ("Bär", "Bären", "N;PL")],
    columns=["lemma", "form", "features"],
)
ANSWERS = GOLD[["lemma", "features"]].assign(predicted=["flied", "walked", "walks", "Ba\u0308ren"])


@given(st.permutations(range(4)))
def test_the_order_of_the_predictions_changes_nothing(order):
    score = accuracy(GOLD, ANSWERS.iloc[order].reset_index(drop=True))
    assert (score.numerator, score.denominator) == (3, 4)


def test_forms_and_lemmas_are_compared_in_nfc():
    decomposed = ANSWERS.assign(lemma=["fly", "walk", "walk", "Ba\u0308r"])
    assert aligned(GOLD, decomposed)["correct"].tolist() == [False, True, True, True]


def test_the_same_lemma_with_other_features_is_another_item():
    swapped = ANSWERS.assign(features=["V;PST", "V;PRS", "V;PST", "N;PL"])
    assert aligned(GOLD, swapped)["predicted"].tolist()[1:3] == ["walks", "walked"]


def test_a_mismatch_names_the_first_row_that_differs():
    with pytest.raises(ValueError, match=r"the predictions lack 1 of 4; the first is row 2 of gold: 'walk', 'V;PRS'"):
        aligned(GOLD, ANSWERS.drop(index=2))
    more = pd.concat([ANSWERS, pd.DataFrame([("go", "V;PST", "went")], columns=ANSWERS.columns)])
    with pytest.raises(ValueError, match=r"gold lacks 1 of 5; the first is row 4 of the predictions: 'go'"):
        aligned(GOLD, more)
    with pytest.raises(ValueError, match="'features'"):
        aligned(GOLD, ANSWERS.drop(columns="features"))


def test_items_that_stand_twice_are_matched_in_order():
    gold = pd.DataFrame({"lemma": ["lie", "lie"], "form": ["lay", "lied"]})
    answers = pd.DataFrame({"lemma": ["lie", "lie"], "predicted": ["lay", "lay"]})
    assert aligned(gold, answers)["correct"].tolist() == [True, False]
    with pytest.raises(ValueError, match="number 2"):
        aligned(gold, answers.head(1))


def test_a_missing_prediction_is_wrong_and_no_error():
    assert accuracy(GOLD, ANSWERS.assign(predicted=[None, "walked", "walks", ""])).numerator == 2


def test_accuracy_is_broken_down_by_features_and_by_what_was_seen():
    training = pd.DataFrame({"lemma": ["fly", "walk"], "form": "x", "features": ["V;PST", "A"]})
    table = accuracy_table(GOLD, ANSWERS, training).set_index(["by", "group"])
    assert table.loc[("all", "all"), ["numerator", "denominator"]].tolist() == [3, 4]
    assert table.loc[("features", "V;PST"), ["numerator", "denominator"]].tolist() == [1, 2]
    seen = table.loc["seen"]
    assert seen["denominator"].to_dict() == {"lemma and features": 2, "lemma only": 1, "features only": 0, "neither": 1}
    assert seen["value"].isna().to_dict()["features only"] and seen["lower"].isna().sum() == 1
    assert table.loc[("all", "all"), "lower"] < 0.75 < table.loc[("all", "all"), "upper"]


def test_a_lemma_and_a_tag_may_be_seen_in_different_items():
    training = pd.DataFrame({"lemma": ["walk", "go"], "form": "x", "features": ["V;PST", "V;PRS"]})
    assert seen_in_training(GOLD, training).tolist()[2] == "lemma and features"


def runs(accuracies, **factors):
    rows = [{"seed": seed, "accuracy": value, "size": 100, **factors} for seed, value in enumerate(accuracies)]
    return pd.DataFrame(rows)


def test_the_curve_is_the_mean_over_seeds_with_the_named_interval():
    table = runs([60.0, 64.0, 68.0], model="A")
    row = learning_curve(table, by=["model"], interval="sd").iloc[0]
    assert (row["value"], row["lower"], row["upper"], row["n"]) == (64.0, 60.0, 68.0, 3)
    row = learning_curve(table, by=["model"], interval="range").iloc[0]
    assert (row["lower"], row["upper"]) == (60.0, 68.0)
    row = learning_curve(table, by=["model"]).iloc[0]
    assert 60 <= row["lower"] < 64 < row["upper"] <= 68 and "bootstrap" in row["convention"]


def test_a_single_seed_has_no_interval():
    for interval in ("bootstrap", "sd", "range", "none"):
        row = learning_curve(runs([60.0], model="A"), by=["model"], interval=interval).iloc[0]
        assert row["value"] == 60.0 and np.isnan(row["lower"]) and np.isnan(row["upper"])


@given(st.lists(st.floats(0, 100), min_size=2, max_size=6))
def test_range_and_deviation_are_those_of_the_definitions(values):
    row = seed_variability(runs(values, model="A"), by=["model", "size"]).iloc[0]
    assert row["range"] == pytest.approx(max(values) - min(values), abs=1e-9)
    assert row["deviation"] == pytest.approx(np.std(values, ddof=1), abs=1e-9)


def test_the_deviation_of_one_seed_is_missing_and_its_range_0():
    row = seed_variability(runs([50.0], model="A"), by=["model"]).iloc[0]
    assert np.isnan(row["deviation"]) and row["range"] == 0


def test_runs_that_stand_twice_or_lack_a_number_are_refused():
    twice = pd.concat([runs([1.0], model="A")] * 2)
    with pytest.raises(ValueError, match="more than once"):
        seed_variability(twice, by=["model"])
    with pytest.raises(ValueError, match="no accuracy"):
        learning_curve(runs([np.nan], model="A"), by=["model"])
    with pytest.raises(ValueError, match="interval is"):
        learning_curve(runs([1.0], model="A"), by=["model"], interval="se")


@pytest.mark.parametrize("order", [[0, 1], [1, 0]])
def test_conflicting_answers_count_as_wrong_in_any_order_of_rows_as_the_command_counts_them(order, tmp_path):
    gold = pd.DataFrame({"lemma": ["go", "do"], "form": ["went", "did"], "features": ["V;PST", "V;PST"]})
    two = pd.DataFrame({"lemma": "go", "form": ["went", "goed"], "features": "V;PST"}).iloc[order]
    answers = pd.concat([two, gold.iloc[[1]]], ignore_index=True)
    table = accuracy_table(gold, answers, strict=False)
    assert table["numerator"].tolist() == [1, 1]
    assert table["convention"].str.contains("conflicting answers count as wrong: 1").all()
    groups = score_breakdowns(gold, answers, strict=False, letters=(2,))
    assert groups["numerator"].tolist() == [1, 1, 1, 0]
    assert costliest_answers(gold, answers, strict=False)[["form", "predicted"]].to_numpy().tolist() == [["went", ""]]
    for name, rows in (("gold", gold), ("mine", answers)):
        rows.to_csv(tmp_path / f"{name}.tsv", sep="\t", header=False, index=False, encoding="utf-8")
    scored = evaluate_inflections(tmp_path / "gold.tsv", [tmp_path / "mine.tsv"])
    assert scored["numerator"].tolist() == table["numerator"].tolist()


def test_an_equal_answer_again_and_further_gold_forms_change_nothing():
    gold = pd.DataFrame({"lemma": ["dream", "dream"], "form": ["dreamed", "dreamt"]})
    found = [
        accuracy_table(gold, pd.DataFrame({"lemma": "dream", "predicted": forms}), strict=False)["numerator"][0]
        for forms in (["dreamed", "dreamt"], ["dreamed", "dreamed", "dreamt"], ["dreamed", "dreamt", "drempt"])
    ]
    assert found == [2, 2, 0]


def test_items_that_share_a_lemma_are_said_not_to_be_independent():
    said = accuracy_table(GOLD, ANSWERS)["convention"]
    assert said.str.contains("2 items share a lemma: intervals take them for independent").all()
    alone = accuracy_table(GOLD.iloc[:2], ANSWERS.iloc[:2])["convention"]
    assert not alone.str.contains("share a lemma").any()
