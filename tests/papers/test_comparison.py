import pandas as pd
import pytest

from analysis.papers.recipe import compare, printed

THEIRS = pd.DataFrame({"model": ["HC", "FF"], "value": [0.5, 0.25]})


def test_printed_rows_stay_in_printed_order_and_keep_what_cannot_be_recomputed():
    table = compare(pd.DataFrame({"model": ["FF"], "value": [0.3]}), THEIRS, on=["model"])
    assert table["model"].tolist() == ["HC", "FF"]
    assert table["reproducible"].tolist() == ["not at all", "at best approximately"]
    assert table["difference"].isna().tolist() == [True, False]
    assert float(table["difference"].iloc[1]) == pytest.approx(0.05)


def test_rows_that_the_paper_does_not_print_come_last_and_say_so():
    ours = pd.DataFrame({"model": ["NEW", "HC", "FF"], "value": [0.9, 0.5, 0.25], "n": [1, 2, 3]})
    table = compare(ours, THEIRS, on=["model"], reproducible="exactly")
    assert table["model"].tolist() == ["HC", "FF", "NEW"]
    assert table["reproducible"].tolist() == ["exactly", "exactly", "not printed"]
    assert table["n"].tolist() == [2, 3, 1]


def test_an_undefined_recomputed_number_is_not_called_reproduced():
    ours = pd.DataFrame({"model": ["HC"], "value": pd.array([None], dtype="Float64")})
    assert compare(ours, THEIRS, on=["model"])["reproducible"].tolist() == ["not at all", "not at all"]


def test_two_numbers_for_one_name_are_refused():
    with pytest.raises(ValueError, match="two numbers"):
        compare(pd.concat([THEIRS, THEIRS]), THEIRS, on=["model"])


def test_an_unknown_table_names_those_there_are():
    with pytest.raises(ValueError, match="table3_merge"):
        printed("frank2009", "table9")


def test_the_word_na_is_a_word_in_printed_tables():
    names = printed("gelling2012", "table2_pos_upos")
    assert names["system"].notna().all()
