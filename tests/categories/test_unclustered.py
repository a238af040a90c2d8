import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.categories import MERGED, fill_unclustered, many_to_one, substitutable_precision_recall

WORDS = st.lists(st.tuples(st.sampled_from(["a", "b", "NA"]), st.sampled_from([0, 7, None])), min_size=1, max_size=20)


def columns(pairs):
    forms, labels = zip(*pairs, strict=True)
    tokens = pd.DataFrame({"form": forms}, index=range(5, 5 + len(forms)))
    return tokens, pd.Series(labels, dtype="Int32", index=tokens.index, name="cluster")


@given(WORDS, st.sampled_from(["merge", "split"]))
def test_tokens_keep_their_clusters_and_the_others_get_one(pairs, condition):
    tokens, labels = columns(pairs)
    filled = fill_unclustered(labels, tokens, condition)
    expected = [
        str(label) if label is not None else MERGED if condition == "merge" else f"{MERGED}: {form}"
        for form, label in pairs
    ]
    assert filled.tolist() == expected
    assert filled.name == "cluster"
    assert filled.index.equals(tokens.index)
    assert filled.cat.categories.nunique() == len(set(expected))


@given(WORDS)
def test_words_as_categories_are_filled_like_words_as_strings(pairs):
    tokens, labels = columns(pairs)
    categories = tokens.assign(form=pd.Categorical(tokens["form"], ["other", "NA", "b", "a"]))
    assert fill_unclustered(labels, categories, "split").tolist() == fill_unclustered(labels, tokens, "split").tolist()


def test_a_word_has_the_same_cluster_in_training_and_test():
    train = pd.DataFrame({"sentence": [0, 0, 0, 1, 1, 1], "form": ["see", "a", "end", "see", "b", "end"]})
    test = pd.DataFrame({"sentence": [0, 0, 0, 1, 1, 1], "form": ["see", "b", "end", "see", "a", "end"]})
    tables = [
        table.assign(cluster=fill_unclustered(pd.Series([1, None, None] * 2, dtype="Int32"), table, "split"))
        for table in (train, test)
    ]
    result = substitutable_precision_recall(*tables)
    # kept: (L, a) and so on occur once; (see, end) and (b, R), (a, R) do not repeat: only frame (see, end) is kept
    assert (result.parts["frames"], result.parts["members"]) == (1, 2)


@given(WORDS, st.data())
def test_splitting_never_scores_lower_than_merging(pairs, data):
    tokens, labels = columns(pairs)
    gold = data.draw(st.lists(st.sampled_from("NV"), min_size=len(pairs), max_size=len(pairs)))
    merged, split = (fill_unclustered(labels, tokens, condition) for condition in ("merge", "split"))
    assert many_to_one(gold, split).numerator >= many_to_one(gold, merged).numerator


@pytest.mark.parametrize("dtype", ["Int64", "str", "category", "object"])
def test_labels_of_any_type_are_filled(dtype):
    labels = pd.Series(["3", None] if dtype == "str" else [3, None], dtype="Int64" if dtype == "category" else dtype)
    labels = labels.astype("category") if dtype == "category" else labels
    assert fill_unclustered(labels, pd.DataFrame({"form": ["a", "b"]}), "merge").tolist() == ["3", MERGED]


@pytest.mark.parametrize(
    ("labels", "condition", "message"),
    [
        ([1, None], "drop", "condition is 'drop'; it must be 'merge' or 'split'"),
        ([1], "merge", "there are 1 labels for 2 tokens"),
        (["unclustered: a", None], "split", "a cluster is already named 'unclustered: a'"),
    ],
)
def test_what_cannot_be_filled_is_refused(labels, condition, message):
    with pytest.raises(ValueError, match=message):
        fill_unclustered(pd.Series(labels), pd.DataFrame({"form": ["a", "b"]}), condition)


@pytest.mark.parametrize("name", [MERGED, f"{MERGED}: duck"])
def test_a_cluster_that_is_named_like_the_unclustered_is_refused(name):
    labels = pd.Series([name, None], dtype="str")
    with pytest.raises(ValueError, match="already named"):
        fill_unclustered(labels, pd.DataFrame({"form": ["a", "b"]}), "merge")
