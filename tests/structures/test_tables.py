import pandas as pd
import pytest

from analysis.structures import (
    RESULT_COLUMNS,
    DataError,
    Incident,
    check_memberships,
    check_tokens,
    first_difference,
    incidents_table,
    results_table,
)

TOKENS = pd.DataFrame({"sentence": [0, 0, 1], "form": ["look", "NA", "null"]})


def test_a_sound_tokens_table_passes_with_words_that_look_like_missing_values():
    check_tokens(TOKENS)


@pytest.mark.parametrize(
    ("tokens", "message"),
    [
        (TOKENS.drop(columns="form"), "lacks the column 'form'"),
        (TOKENS.iloc[:0], "no token"),
        (TOKENS.assign(form=["look", None, "x"]), "1 of 3 tokens have no 'form', the first in row 1"),
        (TOKENS.assign(sentence=[1, 0, 2]), "sentence numbers fall at row 1"),
        (pd.concat([TOKENS, TOKENS[["form"]]], axis=1), "tokens has 2 columns named 'form'; keep one of them"),
        ([1, 2], "must be a DataFrame"),
    ],
)
def test_a_defective_tokens_table_is_refused_by_what_is_wrong(tokens, message):
    with pytest.raises(ValueError, match=message):
        check_tokens(tokens)


def test_memberships_refuse_repeated_rows():
    check_memberships(pd.DataFrame({"form": ["to", "to"], "cluster": [1, 2]}))
    with pytest.raises(ValueError, match="'to' in cluster 1 more than once"):
        check_memberships(pd.DataFrame({"form": ["to", "to"], "cluster": [1, 1]}))


def test_the_first_difference_is_a_word_or_a_length():
    assert first_difference(TOKENS, TOKENS) == ""
    assert "row 2" in first_difference(TOKENS, TOKENS.assign(form=["look", "NA", "x"]))
    assert "3 rows and the second 2" in first_difference(TOKENS, TOKENS.iloc[:2])


def test_every_result_table_has_all_result_columns_and_keeps_missing_apart_from_zero():
    table = results_table([{"measure": "PP", "value": 0.0}, {"measure": "PR", "value": None, "condition": "merge"}])
    assert list(table.columns) == [*RESULT_COLUMNS, "condition"]
    assert table["value"].isna().tolist() == [False, True]


def test_an_error_names_file_line_text_and_advice():
    error = DataError(Incident("a.conllu", 7, "head", "the head is 31", "7\thuse", "0 to 12"), "Give strict=False.")
    assert str(error) == "a.conllu, line 7: the head is 31; expected 0 to 12\n  7\thuse\nGive strict=False."
    assert incidents_table([error.incident])["line"].tolist() == [7]
