import pandas as pd
import pytest

from analysis.categories.type_table import as_type_table, lexicon, type_table

TOKENS = pd.DataFrame(
    {
        "sentence": [0, 0, 0, 0, 0],
        "form": ["run", "run", ".", "dogs", "run"],
        "fine": ["N", "V", ".", "N", "N"],
        "predicted": [2, 2, 1, 1, 10],
    }
)


def memberships(*pairs):
    return pd.DataFrame(pairs, columns=["form", "cluster"])


def test_one_token_is_enough_for_an_entry_of_the_lexicon():
    assert lexicon(TOKENS, "fine").to_numpy().tolist() == [["run", "N"], ["run", "V"], [".", "."], ["dogs", "N"]]


def test_punctuation_is_left_out_on_both_sides_by_the_gold_class():
    assert set(lexicon(TOKENS, "fine", leave_out=["."])["form"]) == {"run", "dogs"}
    predicted = lexicon(TOKENS, "predicted", gold="fine", leave_out={"."})
    assert predicted.to_numpy().tolist() == [["run", 2], ["dogs", 1], ["run", 10]]


def test_a_lexicon_of_nothing_but_what_is_left_out_is_refused():
    with pytest.raises(ValueError, match="no token is left"):
        lexicon(TOKENS.iloc[[2]], "fine", leave_out=["."])


def test_tokens_without_a_label_are_refused_with_their_number():
    with pytest.raises(ValueError, match=r"1 of 5 tokens have no 'predicted', the first in row 3"):
        lexicon(TOKENS.assign(predicted=[1, 1, 1, None, 1]), "predicted")


def test_rows_are_types_and_columns_are_labels_in_the_order_of_their_names():
    table = type_table(lexicon(TOKENS, "fine"), lexicon(TOKENS, "predicted"))
    assert table.forms.tolist() == [".", "dogs", "run"]
    assert table.gold_names.tolist() == [".", "N", "V"]
    assert table.predicted_names.tolist() == [1, 10, 2]  # as strings
    assert table.gold.toarray().tolist() == [[1, 0, 0], [0, 1, 0], [0, 1, 1]]
    assert table.predicted.toarray().tolist() == [[1, 0, 0], [1, 0, 0], [0, 1, 1]]
    assert table.gold_entries.tolist() == [1, 1, 2] and table.predicted_entries.tolist() == [1, 1, 2]
    assert table.class_sizes.tolist() == [1, 2, 1] and table.cluster_sizes.tolist() == [2, 1, 1]


def test_categories_of_the_two_sides_need_not_be_shared():
    gold, predicted = memberships(("a", "N"), ("b", "V")), memberships(("b", 1), ("a", 2))
    categorical = [side.astype({"form": "category", "cluster": "category"}) for side in (gold, predicted)]
    plain, coded = type_table(gold, predicted), type_table(*categorical)
    assert (plain.predicted.toarray() == coded.predicted.toarray()).all()
    assert plain.forms.tolist() == coded.forms.tolist()


GOLD, OTHER = memberships(("a", "N"), ("b", "N"), ("c", "V")), memberships(("b", 1), ("c", 1), ("d", 2))


def test_other_forms_on_one_side_are_refused_with_the_first():
    with pytest.raises(ValueError, match=r"1 of 3 forms of the gold lexicon are not in the predicted one.*'a'"):
        type_table(GOLD, OTHER)
    with pytest.raises(ValueError, match=r"1 of 2 forms of the predicted lexicon are not in the gold one.*'d'"):
        type_table(memberships(("a", "N")), memberships(("a", 1), ("d", 1)))


def test_other_forms_can_count_as_wrong():
    table = type_table(GOLD, OTHER, missing="empty")
    assert table.forms.tolist() == ["a", "b", "c", "d"]
    assert table.gold_entries.tolist() == [1, 1, 1, 0] and table.predicted_entries.tolist() == [0, 1, 1, 1]
    assert (table.without_gold, table.without_cluster) == (1, 1)


def test_other_forms_can_be_left_out_with_the_clusters_that_then_are_empty():
    table = type_table(GOLD, OTHER, missing="leave out")
    assert table.forms.tolist() == ["b", "c"]
    assert table.predicted_names.tolist() == [1]
    assert (table.without_gold, table.without_cluster) == (1, 1)


def test_empty_repeated_and_wrong_input_is_refused():
    with pytest.raises(ValueError, match="predicted lexicon is empty"):
        type_table(GOLD, GOLD.iloc[:0])
    with pytest.raises(ValueError, match="share no form"):
        type_table(GOLD, memberships(("x", 1)), missing="leave out")
    with pytest.raises(ValueError, match="lists 'a' in cluster N more than once"):
        type_table(pd.concat([GOLD, GOLD]), GOLD)
    with pytest.raises(ValueError, match="must be 'refuse', 'empty' or 'leave out'"):
        type_table(GOLD, GOLD, missing="ignore")
    with pytest.raises(ValueError, match="not both"):
        as_type_table(type_table(GOLD, GOLD), GOLD)
    with pytest.raises(ValueError, match="predicted is missing"):
        as_type_table(GOLD)
