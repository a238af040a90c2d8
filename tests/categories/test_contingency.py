import sys
from collections import Counter

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.categories.contingency import Contingency, as_contingency, contingency

module = sys.modules[contingency.__module__]  # the package has a function of the same name

LABELS = st.lists(st.tuples(st.integers(-3, 3), st.sampled_from(["a", "b", "NA", "null"])), min_size=1, max_size=40)


def cells(table: Contingency) -> dict:
    frame = table.to_frame()
    return dict(zip(zip(frame["gold"], frame["predicted"], strict=True), frame["tokens"], strict=True))


@given(LABELS)
def test_the_table_counts_each_pair_of_labels(pairs):
    gold, predicted = zip(*pairs, strict=True)
    table = contingency(list(gold), list(predicted))
    assert cells(table) == Counter(pairs)
    assert table.n == len(pairs)
    assert dict(zip(table.gold_names, table.gold_sizes, strict=True)) == Counter(gold)
    assert dict(zip(table.predicted_names, table.predicted_sizes, strict=True)) == Counter(predicted)


@given(LABELS)
def test_a_sparse_count_is_the_dense_count(pairs):
    gold, predicted = (pd.Categorical(side) for side in zip(*pairs, strict=True))
    dense = contingency(gold, predicted)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "_DENSE_CELLS", 0)
        sparse = contingency(gold, predicted)
    assert cells(sparse) == cells(dense)
    assert (sparse.counts != dense.counts).nnz == 0


def test_counting_in_chunks_loses_nothing(monkeypatch):
    monkeypatch.setattr(module, "_CHUNK", 7)
    gold, predicted = np.arange(100) % 3, np.arange(100) % 2
    assert cells(contingency(gold, predicted)) == Counter(zip(gold.tolist(), predicted.tolist(), strict=True))


@pytest.mark.parametrize(
    "convert",
    [
        list,
        np.array,
        pd.Series,
        lambda labels: np.array(labels, dtype=object),
        lambda labels: pd.Categorical(labels),
        lambda labels: pd.Series(pd.Categorical(labels, categories=["unused", "V", "null", "NA"])),
        lambda labels: pd.Series(labels, index=[5, 5, 0, 1]),
    ],
)
def test_words_like_na_are_labels_in_every_container(convert):
    table = contingency(convert(["NA", "null", "NA", "V"]), [1, 1, 1, 2])
    assert cells(table) == {("NA", 1): 2, ("null", 1): 1, ("V", 2): 1}


@pytest.mark.parametrize(
    "dtype", ["int8", "uint8", "int32", "int64", "uint64", "Int32", "Int64", "UInt8", "int64[pyarrow]", "float64"]
)
def test_integer_labels_of_every_type_are_counted_alike(dtype):
    labels = pd.Series([7, 9, 7, 0], dtype=dtype)
    assert cells(contingency(labels, labels)) == {(7, 7): 2, (9, 9): 1, (0, 0): 1}


@pytest.mark.parametrize("labels", [[2**62, -(2**62), 5], [10**9, 0, -(10**9)], [2**62 + 3, 2**62 + 1, 2**62 + 2]])
def test_integers_far_apart_or_large_are_names_like_others(labels):
    table = contingency(labels, ["a", "b", "c"])
    assert cells(table) == dict.fromkeys(zip(labels, ["a", "b", "c"], strict=True), 1)
    assert table.gold_names.tolist() == sorted(labels)


def test_true_and_false_are_labels():
    assert cells(contingency([True, False, True], [0, 0, 1])) == {(True, 0): 1, (False, 0): 1, (True, 1): 1}


def test_names_keep_the_order_of_the_categories_and_leave_out_unused_ones():
    gold = pd.Categorical(["V", "N"], categories=["V", "unused", "N"])
    assert contingency(gold, [1, 2]).gold_names.tolist() == ["V", "N"]


@pytest.mark.parametrize(
    ("gold", "predicted", "message"),
    [
        ([], [], "there is no token"),
        (np.array([], dtype=int), np.array([], dtype=int), "there is no token"),
        (["N"], ["a", "b"], "gold has 1 labels, predicted has 2"),
        (["N", None], [1, 2], "gold has 1 missing labels of 2, the first at index 1"),
        ([1, 2], [1.0, np.nan], "predicted has 1 missing labels of 2, the first at index 1"),
        ([1, 2], pd.Series([1, None], dtype="Int64"), "predicted has 1 missing labels of 2"),
        (pd.Categorical(["N", None]), [1, 2], "gold has 1 missing labels of 2"),
        (np.zeros((2, 2), dtype=int), [1, 2], "must have one dimension"),
        ("NV", [1, 2], "gold is one string"),
    ],
)
def test_input_that_cannot_be_scored_is_refused(gold, predicted, message):
    with pytest.raises(ValueError, match=message):
        contingency(gold, predicted)


def test_a_ready_table_is_used_as_it_is_and_alone():
    table = contingency(["N"], [1])
    assert as_contingency(table) is table
    with pytest.raises(ValueError, match="not a table and an array"):
        as_contingency(table, [1])
    with pytest.raises(ValueError, match="predicted is missing"):
        as_contingency(["N"])


def test_a_table_shows_its_shape():
    assert repr(contingency(["N", "V"], [1, 1])) == "2 classes × 1 clusters, 2 tokens"
    assert "2 classes" in contingency(["N", "V"], [1, 1])._repr_html_()
