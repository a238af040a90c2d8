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
