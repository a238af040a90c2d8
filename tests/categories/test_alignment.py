import pandas as pd
import pytest

from analysis.categories.alignment import align_labels
from analysis.categories.information import token_level_scores

GOLD = pd.DataFrame(
    {"sentence": [0, 0, 0, 1], "form": ["the", "dog", ".", "ran"], "fine": ["D", "N", ".", "V"]},
    index=[10, 11, 12, 13],
)


def scored(aligned):
    return aligned.tokens.astype(object).to_numpy().tolist()


def test_clusters_stand_beside_classes_by_place_not_by_index():
    aligned = align_labels(GOLD, pd.Series([1, 2, 3, 2], index=[3, 2, 1, 0]))
    assert scored(aligned) == [["the", "D", 1], ["dog", "N", 2], [".", ".", 3], ["ran", "V", 2]]
    assert (aligned.n_tokens, aligned.n_left_out, aligned.n_unlabelled) == (4, 0, 0)


def test_punctuation_is_left_out_and_counted():
    aligned = align_labels(GOLD, pd.Series([1, 2, None, 2], dtype="Int32"), leave_out=["."])
    assert scored(aligned) == [["the", "D", 1], ["dog", "N", 2], ["ran", "V", 2]]
    assert (aligned.n_left_out, aligned.n_unlabelled) == (1, 0)  # a cluster that is not scored may be missing


def test_unlabelled_tokens_are_refused_or_counted():
    clusters = pd.Series([1, None, 3, None], dtype="Int32")
    with pytest.raises(ValueError, match=r"2 of 4 tokens have no cluster, the first in row 1 \('dog'\)"):
        align_labels(GOLD, clusters)
    left_out = align_labels(GOLD, clusters, unlabelled="leave out")
    assert scored(left_out) == [["the", "D", 1], [".", ".", 3]]
    one_cluster = align_labels(GOLD, clusters, unlabelled="one cluster")
    assert [row[2] for row in scored(one_cluster)] == [1, "unclustered", 3, "unclustered"]
    assert left_out.n_unlabelled == one_cluster.n_unlabelled == 2
    assert "2 without a cluster (leave out)" in repr(left_out)
    assert token_level_scores(one_cluster.tokens["gold"], one_cluster.tokens["predicted"])[0].numerator == 3


def test_a_missing_label_in_the_text_na_is_none():
    gold = GOLD.assign(fine=["NA", "null", "N", "N"])
    aligned = align_labels(gold, pd.Series(["null", "NA", "x", "x"]))
    assert [row[1:] for row in scored(aligned)] == [["NA", "null"], ["null", "NA"], ["N", "x"], ["N", "x"]]


def test_clusters_of_types_are_given_to_all_their_tokens():
    gold = GOLD.assign(form=["the", "dog", "the", "dog"])
    aligned = align_labels(gold, pd.DataFrame({"form": ["dog", "the"], "cluster": ["00", "1"]}))
    assert [row[2] for row in scored(aligned)] == ["1", "00", "1", "00"]
    with pytest.raises(ValueError, match="2 of 4 tokens have no cluster"):
        align_labels(gold, pd.DataFrame({"form": ["dog"], "cluster": ["00"]}))
    with pytest.raises(ValueError, match="'dog' more than once"):
        align_labels(gold, pd.DataFrame({"form": ["dog", "dog"], "cluster": [1, 2]}))


def test_composed_and_decomposed_forms_are_the_same_word():
    gold = GOLD.assign(form=pd.Categorical(["caf\u00e9", "dog", ".", "ran"]))
    system = pd.DataFrame({"sentence": 0, "form": ["cafe\u0301", "dog", ".", "ran"], "cluster": [1, 2, 3, 4]})
    assert [row[2] for row in scored(align_labels(gold, system))] == [1, 2, 3, 4]


def test_different_lengths_and_words_are_refused_with_the_first_difference():
    system = GOLD.assign(cluster=1)
    with pytest.raises(ValueError, match="row 1: form is 'dog' in the first table and 'cat' in the second"):
        align_labels(GOLD, system.assign(form=["the", "cat", ".", "run"]))
    with pytest.raises(ValueError, match="the first table has 4 rows and the second 3"):
        align_labels(GOLD, system.iloc[:3])
    with pytest.raises(ValueError, match="gold has 4 rows, predicted 3"):
        align_labels(GOLD, system[["cluster"]].iloc[:3])
    with pytest.raises(ValueError, match="gold has 4 rows, predicted 1"):
        align_labels(GOLD, pd.Series([1]))


def test_bad_input_is_refused():
    clusters = pd.Series([1, 2, 3, 4])
    with pytest.raises(ValueError, match="1 of 4 tokens have no 'fine'"):
        align_labels(GOLD.assign(fine=["D", None, ".", "V"]), clusters)
    with pytest.raises(ValueError, match="predicted lacks the column 'cluster'"):
        align_labels(GOLD, GOLD)
    with pytest.raises(ValueError, match="no token is left"):
        align_labels(GOLD, clusters, leave_out=["D", "N", ".", "V"])
    with pytest.raises(ValueError, match="'refuse', 'leave out' or 'one cluster'"):
        align_labels(GOLD, clusters, unlabelled="drop")
