"""Ceiling, floors and random clusterings of the same sizes."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.categories import many_to_one
from analysis.categories.references import _shuffled, most_frequent_labels, reference_scores
from analysis.statistics.differences import SystemScore


def tokens(n=300, seed=0):
    rng = np.random.default_rng(seed)
    return pd.DataFrame(
        {
            "sentence": np.arange(n) // 5,
            "form": rng.choice(list("abcdefgh"), n),
            "gold": rng.choice(["N", "V", "D"], n, p=[0.5, 0.3, 0.2]),
            "predicted": rng.integers(0, 4, n),
        }
    )


def value(table, system, measure):
    (found,) = table[(table["system"] == system) & (table["measure"] == measure)]["value"]
    return found


def test_the_ceiling_is_the_sum_of_the_most_frequent_tags_of_words():
    table = tokens()
    right = pd.crosstab(table["form"], table["gold"]).max(axis=1).sum()
    found = reference_scores(table, ["many-to-one", "tagging accuracy"], runs=2, resamples=10)
    assert value(found, "one tag per type", "many-to-one") == right / 300
    assert value(found, "one tag per type", "tagging accuracy") == right / 300


@given(st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from("NVD"), st.integers(0, 3)), min_size=1, max_size=30))
def test_no_clustering_of_word_types_passes_the_ceiling(rows):
    forms, gold, clusters = (pd.Series(list(column)) for column in zip(*rows, strict=True))
    of_type = forms.map(dict(zip(forms, clusters, strict=True)))
    ceiling = (most_frequent_labels(forms, gold) == gold.to_numpy()).mean()
    assert many_to_one(gold, of_type).value <= ceiling + 1e-12


def test_the_floor_is_the_share_of_the_most_frequent_tag_and_tells_nothing():
    table = tokens()
    share = table["gold"].value_counts(normalize=True).max()
    found = reference_scores(table, ["many-to-one", "V", "tagging accuracy", "ARI"], runs=2, resamples=10)
    assert value(found, "most frequent tag", "many-to-one") == pytest.approx(share)
    assert value(found, "most frequent tag", "tagging accuracy") == pytest.approx(share)
    assert value(found, "most frequent tag", "V") == 0
    assert value(found, "most frequent tag", "ARI") == 0


def test_random_clusterings_have_an_adjusted_rand_index_of_0_on_average():
    found = reference_scores(tokens(), ["ARI"], runs=200, resamples=10)
    for row in found[found["system"].str.startswith("random")].itertuples():
        assert abs(row.value) < 4 * row.sd_runs / np.sqrt(row.runs)
        assert row.lower < 0 < row.upper and row.runs == 200


@pytest.mark.parametrize("sizes", ["tokens", "types"])
def test_a_random_clustering_keeps_the_sizes(sizes):
    table = tokens()
    by_type = table["form"].map(dict(zip("abcdefgh", "xxxyyzzz", strict=True)))
    labels = by_type.to_numpy(dtype=object)
    for drawn in _shuffled(table, labels, sizes, 5, np.random.default_rng(1)):
        if sizes == "tokens":
            assert pd.Series(drawn).value_counts().to_dict() == by_type.value_counts().to_dict()
        else:
            pairs = pd.DataFrame({"form": table["form"], "cluster": drawn}).drop_duplicates()
            assert sorted(pairs["cluster"]) == list("xxxyyzzz")


def test_the_expected_accuracy_of_a_random_clustering_of_two_tokens():
    two = pd.DataFrame({"sentence": [0, 1], "gold": ["N", "V"], "predicted": [7, 8]})
    found = reference_scores(two, ["pairwise precision", "many-to-one"], runs=5, resamples=10)
    assert value(found, "random, own sizes", "many-to-one") == 1  # two clusters of one token are always right
    row = found[(found["system"] == "random, own sizes") & (found["measure"] == "pairwise precision")].iloc[0]
    assert np.isnan(row["value"]) and row["runs"] == 0 and "undefined in 5 of 5 runs" in row["note"]


def test_rows_have_the_columns_of_scores_and_forms_are_optional():
    found = reference_scores(tokens().drop(columns="form"), ["V"], runs=2, resamples=10)
    assert found.columns.tolist() == list(SystemScore._fields)
    assert found["system"].tolist() == ["most frequent tag", "random, own sizes", "random, gold sizes"]


def test_the_same_seed_gives_the_same_table():
    one, two = (reference_scores(tokens(), ["V"], runs=3, resamples=10, random_state=4) for _ in range(2))
    pd.testing.assert_frame_equal(one, two)


def test_a_missing_cluster_and_no_run_are_refused():
    table = tokens()
    with pytest.raises(ValueError, match="predicted"):
        reference_scores(table.assign(predicted=[None, *table["predicted"][1:]]), ["V"])
    with pytest.raises(ValueError, match="runs must be at least 1"):
        reference_scores(table, ["V"], runs=0)
