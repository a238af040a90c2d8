import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.structures import encode_labels, encode_pair, labels
from analysis.structures.labels import encode_rows, number_codes, value_codes, word_codes

words = st.lists(st.sampled_from(["NA", "null", "nan", "", "N", "V", "é", "é"]), min_size=1)


@given(words)
def test_names_of_codes_give_the_labels_back(labels):
    codes, names = encode_labels(labels)
    assert [names[code] for code in codes] == labels
    assert sorted(set(codes.tolist())) == list(range(len(names)))


@given(words)
def test_strings_arrays_series_and_categories_are_coded_alike(labels):
    expected = encode_labels(labels)[0].tolist()
    assert encode_labels(np.array(labels, dtype=object))[0].tolist() == expected
    assert encode_labels(pd.Series(labels))[0].tolist() == expected
    ordered = pd.Categorical(labels, categories=[*dict.fromkeys(labels), "unused"])
    assert encode_labels(ordered)[0].tolist() == expected


def test_integer_labels_need_no_order_and_no_start():
    codes, names = encode_labels([7, -1, 7])
    assert codes.tolist() == [0, 1, 0] and names.tolist() == [7, -1]


@pytest.mark.parametrize(
    "labels", [["N", None], ["N", float("nan")], pd.array([1, None], dtype="Int64"), pd.Categorical(["N", None])]
)
def test_a_missing_label_is_refused_with_its_place(labels):
    with pytest.raises(ValueError, match="1 missing labels of 2, the first at index 1"):
        encode_labels(labels)


def test_one_string_is_no_sequence_of_labels():
    with pytest.raises(ValueError, match="one string"):
        encode_labels("NNV")


def test_two_dimensions_are_refused():
    with pytest.raises(ValueError, match="one dimension"):
        encode_labels(np.zeros((2, 2)))


def test_nothing_to_score_is_refused():
    with pytest.raises(ValueError, match="no token"):
        encode_pair([], [])


@pytest.mark.parametrize(
    ("labels", "said"),
    [
        (pd.DataFrame({"a": [1], "b": [2]}), "gold is a DataFrame; give one column of it"),
        ({"a": 1, "b": 2}, "gold is a dict, which has no order of tokens"),
        ({"a", "b"}, "gold is a set, which has no order of tokens"),
        (frozenset("ab"), "gold is a frozenset, which has no order of tokens"),
        ({"a": 1}.keys(), "gold is a dict_keys, which has no order of tokens"),
        (3, "gold is not a sequence of labels but a int: 3"),
        (None, "gold is not a sequence of labels but a NoneType: None"),
        (b"NV", "one string"),
        (["N", ("N", "V")], r"the label at index 1 is a tuple, \('N', 'V'\); expected a string"),
        ([["N"], ["V"]], r"must have one dimension, one label per token: the label at index 0 is a list"),
        ([("N", "V"), ("N",)], "the label at index 0 is a tuple"),
        (zip("NV", "VN", strict=True), "the label at index 0 is a tuple"),
        (pd.Series([["N"], ["V"]]), "gold has an invalid label .*list.*; expected strings, integers or booleans"),
    ],
)
def test_what_is_no_sequence_of_labels_is_refused_by_its_name(labels, said):
    with pytest.raises(ValueError, match=said):
        encode_labels(labels, "gold")


def test_any_iterable_of_labels_will_do():
    assert encode_labels(label for label in "NVN")[0].tolist() == [0, 1, 0]
    assert encode_labels(("N", "V", "N"))[0].tolist() == [0, 1, 0]


@pytest.mark.parametrize(
    "labels",
    [
        [0.5, 1.5, 2.0],
        ["a", 1.5, "b"],
        pd.Categorical([0.5, 1.5, 0.5]),
        pd.array([1.0, None, 2.5]),
        [1.0, float("inf")],
    ],
)
def test_numbers_with_fractions_are_no_labels(labels):
    with pytest.raises(ValueError, match=r"has the number .* expected a string, an integer or a boolean"):
        encode_labels(labels)


def test_whole_numbers_are_labels_though_they_are_floats():
    assert encode_labels([1.0, 2.0, 1.0])[0].tolist() == [0, 1, 0]


@given(words)
def test_values_are_coded_as_they_stand_and_missing_ones_by_minus_one(labels):
    with_gap = [*labels, None]
    for column in (
        pd.Series(with_gap, dtype=object),
        pd.Series(with_gap, dtype="str"),
        pd.Series(with_gap, dtype="category"),
    ):
        codes, values = value_codes(column)
        assert codes[-1] == -1 and [values[code] for code in codes[:-1]] == labels


rows = st.lists(st.tuples(st.integers(-9, 9), st.sampled_from(["NP", "S", "", None]), st.integers(0, 2)))


def columns(rows):
    kinds = (np.int64, object, np.int8)
    return [np.array([row[place] for row in rows], dtype=kind) for place, kind in enumerate(kinds)]


@given(rows, rows)
def test_equal_rows_of_two_tables_and_only_equal_rows_have_equal_numbers(one, other):
    numbers = encode_rows(columns(one), columns(other))
    assert [len(found) for found in numbers] == [len(one), len(other)]
    pairs = list(zip(np.concatenate(numbers).tolist(), [*one, *other], strict=True))
    assert len(dict(pairs)) == len({row for _, row in pairs}) == len(set(pairs))


def test_numbers_too_large_for_64_bits_together_are_told_apart():
    large = [np.array([0, 2**40, 2**40, 5]), np.array([2**40, 0, 0, 2**40]), np.array([1, 2**50, 2**50, 1])]
    (found,) = encode_rows(large)
    assert found[1] == found[2] and len(set(found.tolist())) == 3


def test_an_unused_category_with_a_fraction_does_no_harm_and_a_used_one_is_named_with_its_place():
    assert encode_labels(pd.Categorical([2.0, 2.0], categories=[0.5, 2.0]))[1].tolist() == [2.0]
    with pytest.raises(ValueError, match=r"the number 0\.5 at index 1"):
        encode_labels(pd.Categorical([2.0, 0.5], categories=[0.5, 2.0]))


@pytest.mark.parametrize("kind", ["str", object, "category"])
def test_words_are_coded_in_the_order_of_their_code_points(kind):
    codes, vocabulary = word_codes(pd.Series(["é", "Z", "a", "Z"], dtype=kind))
    assert vocabulary.tolist() == ["Z", "a", "é"] and codes.tolist() == [2, 0, 1, 0]
    assert word_codes(pd.Series(["b", "a"], dtype=kind), vocabulary)[0].tolist() == [-1, 1]
    with pytest.raises(ValueError, match="1 of 2 tokens have no form, the first in row 1"):
        word_codes(pd.Series(["a", None], dtype=kind))


@given(st.lists(st.integers(0, 2**64 - 1) | st.integers(0, 3)), st.booleans())
def test_numbers_are_coded_in_order_of_first_use_also_where_all_collide(numbers, collide):
    array = np.array(numbers, dtype=np.uint64)
    with pytest.MonkeyPatch.context() as patch:
        if collide:
            patch.setattr(labels, "_FACTORS", np.zeros(2, dtype=np.uint64))
        codes, first = number_codes(array)
    places = {number: place for place, number in enumerate(dict.fromkeys(numbers))}
    assert codes.tolist() == [places[number] for number in numbers]
    assert array[first].tolist() == list(places)
