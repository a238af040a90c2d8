import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.structures import PrecisionRecall, Score, UndefinedScoreError, scores_table

counts = st.integers(min_value=0, max_value=10**15)


def test_a_score_is_its_numerator_over_its_denominator():
    score = Score("accuracy", 3, 4)
    assert float(score) == 0.75
    assert repr(score) == "accuracy 0.750 (3/4)"


def test_a_ratio_over_nothing_is_undefined_and_neither_zero_nor_nan():
    score = Score("accuracy", 0, 0)
    assert score.value is None
    assert "undefined" in repr(score)
    with pytest.raises(UndefinedScoreError, match="denominator is 0"):
        float(score)
    frame = score.to_frame()
    assert frame["value"].isna().all() and frame["undefined"].item() == "the denominator is 0"


def test_a_score_that_is_no_ratio_keeps_its_parts():
    frame = Score("v-measure", number=0.5, parts={"n": 10, "H(C)": 1.5}, conventions={"base": 2}).to_frame()
    assert frame["numerator"].isna().all()
    assert frame["n"].item() == 10 and frame["H(C)"].item() == 1.5 and frame["convention"].item() == "base=2"


def test_numpy_counts_become_python_integers_that_do_not_overflow():
    import numpy as np

    score = Score("pairs", np.int64(2**62), np.int64(2**62))
    assert isinstance(score.numerator, int) and score.numerator * 4 == 2**64


@given(counts, counts, counts)
def test_f1_is_the_harmonic_mean_where_both_are_defined(matched, more_predicted, more_gold):
    result = PrecisionRecall("pairs", matched, matched + more_predicted, matched + more_gold)
    if not result.predicted or not result.gold:
        assert result.f1 is None
    elif matched:
        assert result.f1 == pytest.approx(2 / (1 / result.precision + 1 / result.recall))
    else:
        assert result.f1 == 0


def test_precision_of_nothing_predicted_is_undefined_while_recall_is_zero():
    result = PrecisionRecall("pairs", 0, 0, 5)
    assert result.precision is None and result.recall == 0.0 and result.f1 is None
    frame = result.to_frame()
    assert frame["value"].isna().tolist() == [True, False, True]


def test_results_display_as_tables():
    assert "<table" in Score("accuracy", 1, 2)._repr_html_()
    assert "pairs recall" in PrecisionRecall("pairs", 1, 2, 3)._repr_html_()


def test_scores_of_different_measures_share_one_table():
    table = scores_table([Score("a", 1, 2), Score("b", number=0.25, parts={"n": 7})])
    assert isinstance(table, pd.DataFrame) and table["n"].isna().tolist() == [True, False]


def test_scores_are_equal_when_counts_and_conventions_are():
    assert Score("a", 1, 2) == Score("a", 1, 2)
    assert Score("a", 1, 2) != Score("a", 2, 4)
    assert Score("a", 1, 2, conventions={"base": 2}) != Score("a", 1, 2)


def test_results_survive_pickling_as_a_cache_or_a_worker_needs():
    import pickle

    for result in (Score("a", 1, 2, conventions={"base": 2}), PrecisionRecall("b", 1, 2, 3)):
        assert pickle.loads(pickle.dumps(result)) == result


def test_a_value_shows_the_digits_that_it_has_as_text_and_as_html():
    precise = Score("substitutable", 1, 2425)
    assert repr(precise) == "substitutable 0.000412 (1/2,425)"
    cases = [
        (precise, "0.000412"),
        (Score("SP", number=0.205), "0.205"),
        (Score("frames", number=1234.0, unit="count"), "1,234"),
        (Score("P", 0, 0), "undefined"),
    ]
    for score, shown in cases:
        assert shown in repr(score) and f"<td>{shown}</td>" in score._repr_html_()
    assert precise.to_frame()["value"].iloc[0] == 1 / 2425, "the table keeps full precision"
