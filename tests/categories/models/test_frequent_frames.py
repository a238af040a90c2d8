from collections import Counter, defaultdict
from fractions import Fraction
from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from analysis.categories.models import FrequentFrames, frequent_frames


def corpus(*sentences):
    rows = [(number, form) for number, text in enumerate(sentences) for form in text.split()]
    return pd.DataFrame(rows, columns=["sentence", "form"])


def frame_tokens(tokens):
    """(left, right), filler and row of each token with a word on either side."""
    rows = list(tokens[["sentence", "form"]].itertuples(index=False, name=None))
    for i in range(1, len(rows) - 1):
        if rows[i - 1][0] == rows[i][0] == rows[i + 1][0]:
            yield (rows[i - 1][1], rows[i + 1][1]), rows[i][1], i


def by_sets(tokens, minimum, k):
    """Frames, and clusters as lists of frames and sets of types, merged with exact fractions."""
    counts, types = Counter(), defaultdict(set)
    for frame, filler, _ in frame_tokens(tokens):
        counts[frame] += 1
        types[frame].add(filler)
    frames = sorted((frame for frame in counts if counts[frame] >= minimum), key=lambda frame: (-counts[frame], frame))
    clusters = [([frame], set(types[frame])) for frame in frames]
    while len(clusters) > k:
        i, j = max(
            combinations(range(len(clusters)), 2),
            key=lambda pair: (
                Fraction(
                    len(clusters[pair[0]][1] & clusters[pair[1]][1]),
                    max(len(clusters[pair[0]][1]), len(clusters[pair[1]][1])),
                ),
                -pair[0],
                -pair[1],
            ),
        )
        clusters[i] = (clusters[i][0] + clusters[j][0], clusters[i][1] | clusters[j][1])
        del clusters[j]
    return frames, counts, types, clusters


SENTENCES = st.lists(
    st.lists(st.sampled_from("abcd"), min_size=1, max_size=8).map(" ".join), min_size=1, max_size=12
)  # fmt: skip


@given(SENTENCES, st.integers(1, 3), st.integers(1, 6))
@settings(deadline=None)
def test_frames_merge_as_the_definition_says(sentences, minimum, k):
    tokens = corpus(*sentences)
    frames, counts, types, clusters = by_sets(tokens, minimum, k)
    assume(len(frames) >= k)
    model = FrequentFrames(k, minimum=minimum).fit(tokens)
    found = model.frames_
    assert list(zip(found["left"], found["right"], strict=True)) == frames
    assert found["tokens"].tolist() == [counts[frame] for frame in frames]
    assert found["types"].tolist() == [len(types[frame]) for frame in frames]
    cluster_of = {frame: number for number, (members, _) in enumerate(clusters) for frame in members}
    assert found["cluster"].tolist() == [cluster_of[frame] for frame in frames]
    assert model.sizes_.tolist() == [len(members) for _, members in clusters]
    expected = {(form, number) for number, (_, members) in enumerate(clusters) for form in members}
    assert set(model.clusters_.itertuples(index=False, name=None)) == expected

    labels = model.predict(tokens)
    frame_of = {row: frame for frame, _, row in frame_tokens(tokens)}
    for row, (form, label) in enumerate(zip(tokens["form"], labels, strict=True)):
        allowed = {number for number, (_, members) in enumerate(clusters) if form in members}
        if frame_of.get(row) in cluster_of:
            assert label == cluster_of[frame_of[row]]
        elif allowed:
            assert label in allowed
        else:
            assert pd.isna(label)


@given(SENTENCES)
@settings(deadline=None)
def test_cutting_is_fitting_with_another_number_of_clusters(sentences):
    tokens = corpus(*sentences)
    assume(any(True for _ in frame_tokens(tokens)))
    fitted = FrequentFrames(1, minimum=1).fit(tokens)
    for k in range(1, len(fitted.frames_) + 1):
        direct = FrequentFrames(k, minimum=1).fit(tokens)
        pd.testing.assert_frame_equal(fitted.cut(k).frames_, direct.frames_)
        assert fitted.cut(k).predict(tokens).equals(direct.predict(tokens))
    assert fitted.n_clusters == 1


def test_a_frame_does_not_cross_sentences_or_use_their_boundaries():
    tokens = corpus("a b", "c a b c", "d")
    model = FrequentFrames(1, minimum=1).fit(tokens)
    assert list(model.frames_[["left", "right"]].itertuples(index=False, name=None)) == [("a", "c"), ("c", "b")]
    assert model.n_frame_tokens_ == 2


def test_the_threshold_is_a_share_of_frame_tokens_and_is_itself_enough():
    # ten frame tokens: x_y three times, then seven others once; 0.3 of ten is three
    tokens = corpus("x a y", "x b y", "x c y", *(f"{i} a {i}{i}" for i in range(7)))
    assert FrequentFrames(1, threshold=0.3).fit(tokens).frames_["tokens"].tolist() == [3]
    with pytest.raises(ValueError, match="0 frames are frequent"):
        FrequentFrames(1, threshold=0.31).fit(tokens)


def test_ambiguous_words_are_drawn_by_the_size_of_their_clusters():
    # "a" stands in l_r with a, b, c, and in m_s with a: three to one
    tokens = corpus("l a r", "l b r", "l c r", "m a s", *["a"] * 40_000)
    model = FrequentFrames(2, minimum=1).fit(tokens)
    large = int(model.frames_.loc[model.frames_["left"] == "l", "cluster"].iloc[0])
    labels = model.predict(tokens)
    assert labels[[1, 4, 7]].tolist() == [large] * 3
    assert labels[10] != large
    share = (labels[12:] == large).mean()
    assert abs(share - 0.75) < 5 * np.sqrt(0.75 * 0.25 / 40_000)


def test_a_seed_gives_the_same_clusters_and_another_seed_others():
    tokens = corpus("l a r", "m a s", *["a"] * 100)
    fitted = FrequentFrames(2, minimum=1, random_state=1).fit(tokens)
    assert fitted.predict(tokens).equals(fitted.predict(tokens))
    other = FrequentFrames(2, minimum=1, random_state=2).fit(tokens)
    assert not fitted.predict(tokens).equals(other.predict(tokens))


def test_searching_the_line_of_clusters_gives_what_looking_up_gives(monkeypatch):
    tokens = corpus("l a r", "l b r", "m a s", "m c s", "m b s", *["a b c"] * 50)
    model = FrequentFrames(3, minimum=1).fit(tokens)
    looked_up = model.predict(tokens)
    monkeypatch.setattr(frequent_frames, "_LINE", 0)
    assert model.predict(tokens).equals(looked_up)


def test_new_text_is_clustered_by_frame_even_for_unknown_words():
    model = FrequentFrames(1, minimum=1).fit(corpus("see the dog"))
    new = corpus("see a dog", "the", "a", "see the", "see new dog").set_axis(range(5, 15))
    labels = model.predict(new)
    # the frame holds a and new, the type holds "the"; a alone is unknown
    assert labels.fillna(-1).tolist() == [-1, 0, -1, 0, -1, -1, 0, -1, 0, -1]
    assert (labels.dtype, labels.name, labels.index.tolist()) == ("Int32", "cluster", list(range(5, 15)))


def test_coverage_counts_tokens_in_frames_and_tokens_of_their_types():
    tokens = corpus("see the dog", "see a dog", "the", "look")
    coverage = FrequentFrames(1, minimum=2).fit(tokens).coverage().set_index("measure")
    counts = coverage[["numerator", "denominator"]].to_numpy().tolist()
    assert counts == [[2, 8], [3, 8], [2, 5]]


def test_words_as_categories_are_clustered_like_words_as_strings():
    tokens = corpus("to eat it", "to see it", "to eat up", "to run up", "eat")
    categories = tokens.astype({"form": pd.CategoricalDtype(["up", "unused", "to", "see", "run", "it", "eat"])})
    fitted = [FrequentFrames(2, minimum=2).fit(table) for table in (tokens, categories)]
    assert fitted[0].predict(categories).equals(fitted[1].predict(tokens))
    assert fitted[0].frames_.equals(fitted[1].frames_)


def test_a_corpus_without_frames_is_refused():
    with pytest.raises(ValueError, match="0 frames are frequent, too few for 12 clusters"):
        FrequentFrames().fit(corpus("a b", "c"))
    with pytest.raises(ValueError, match="choose fewer clusters"):
        FrequentFrames(3, minimum=1).fit(corpus("a b c", "d e f"))
