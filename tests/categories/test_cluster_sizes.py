from collections import Counter, defaultdict

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.categories.cluster_sizes import ambiguity, cluster_sizes, coverage, memberships
from analysis.structures import check_memberships

TOKENS = st.lists(st.tuples(st.sampled_from("abcd"), st.integers(0, 4)), min_size=1, max_size=30)
DUCKS = pd.DataFrame(
    {"form": ["the", "duck", "duck", "pond", "duck", "the"], "cluster": ["D", "N", "V", "N", "N", "D"]}
)


def table(pairs):
    return pd.DataFrame(pairs, columns=["form", "cluster"])


def test_clusters_are_ranked_by_their_types():
    sizes = cluster_sizes(DUCKS)
    assert list(sizes.columns) == ["cluster", "rank", "types"]
    # N has duck and pond; D (first to appear) and V have one type each
    assert list(sizes.itertuples(index=False, name=None)) == [("N", 1, 2), ("D", 2, 1), ("V", 3, 1)]


def test_clusters_are_ranked_by_their_tokens():
    sizes = cluster_sizes(DUCKS.astype({"cluster": "category"}), unit="tokens")
    assert list(sizes.itertuples(index=False, name=None)) == [("N", 1, 3), ("D", 2, 2), ("V", 3, 1)]


@given(TOKENS)
def test_sizes_are_counted_form_by_form(pairs):
    types = {cluster: len({form for form, other in pairs if other == cluster}) for _, cluster in pairs}
    found = cluster_sizes(table(pairs))
    assert dict(zip(found["cluster"], found["types"], strict=True)) == types
    assert found["types"].is_monotonic_decreasing
    assert cluster_sizes(table(pairs), unit="tokens")["tokens"].sum() == len(pairs)


@given(TOKENS)
def test_memberships_list_each_pair_once_with_its_tokens(pairs):
    found = memberships(table(pairs))
    check_memberships(found)
    assert {(row.form, row.cluster): row.tokens for row in found.itertuples()} == Counter(pairs)


@given(TOKENS)
def test_ambiguity_is_the_mean_number_of_clusters(pairs):
    clusters = defaultdict(set)
    for form, cluster in pairs:
        clusters[form].add(cluster)
    by_type, by_token = ambiguity(table(pairs)), ambiguity(table(pairs), weight="tokens")
    assert (by_type.numerator, by_type.denominator) == (sum(map(len, clusters.values())), len(clusters))
    assert (by_token.numerator, by_token.denominator) == (sum(len(clusters[form]) for form, _ in pairs), len(pairs))


def test_coverage_counts_a_type_with_one_clustered_token():
    tokens = pd.DataFrame({"form": ["a", "a", "b", "c"], "cluster": pd.array([1, None, None, None], dtype="Int32")})
    types, share = coverage(tokens), coverage(tokens, unit="tokens")
    assert (types.numerator, types.denominator) == (1, 3)
    assert (share.numerator, share.denominator) == (1, 4)
    nothing = tokens.assign(cluster=None)
    assert (coverage(nothing).numerator, coverage(nothing, unit="tokens").numerator) == (0, 0)


def test_a_column_of_any_name_may_hold_the_clusters():
    renamed = DUCKS.rename(columns={"cluster": "fine"})
    pd.testing.assert_frame_equal(cluster_sizes(renamed, "fine"), cluster_sizes(DUCKS))
    assert float(coverage(renamed, "fine")) == 1


@pytest.mark.parametrize("measure", [cluster_sizes, ambiguity, memberships])
def test_unclustered_tokens_are_refused_where_sizes_are_counted(measure):
    with pytest.raises(ValueError, match="1 of 6 tokens have no 'cluster', the first in row 1"):
        measure(DUCKS.assign(cluster=["D", None, "V", "N", "N", "D"]))


def test_unknown_units_and_columns_are_refused():
    with pytest.raises(ValueError, match="unit is 'words'; it must be 'types' or 'tokens'"):
        cluster_sizes(DUCKS, unit="words")
    with pytest.raises(ValueError, match="tokens lacks the column 'tag'"):
        coverage(DUCKS, "tag")
    with pytest.raises(ValueError, match="tokens has no token"):
        cluster_sizes(DUCKS.iloc[:0])
