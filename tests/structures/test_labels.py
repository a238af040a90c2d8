import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.structures import encode_labels, encode_pair

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
        (3, "gold is no sequence of labels but a int: 3"),
        (None, "gold is no sequence of labels but a NoneType: None"),
        (b"NV", "one string"),
        (["N", ("N", "V")], r"the label at index 1 is a tuple, \('N', 'V'\); expected a string"),
        ([["N"], ["V"]], r"must have one dimension, one label a token: the label at index 0 is a list"),
        ([("N", "V"), ("N",)], "the label at index 0 is a tuple"),
        (zip("NV", "VN", strict=True), "the label at index 0 is a tuple"),
        (pd.Series([["N"], ["V"]]), "gold has a label that is none .*list.*; expected strings, integers or booleans"),
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
