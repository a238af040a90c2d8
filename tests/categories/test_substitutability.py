from collections import Counter, defaultdict

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis.categories import substitutability as module
from analysis.categories.substitutability import (
    LEFT_BOUNDARY,
    RIGHT_BOUNDARY,
    prepare_words,
    substitutable_precision_recall,
    substitution_clusters,
)

SWITCHES = [
    {"boundaries": boundaries, "frames_in_training": in_training, "annotate": annotate, "minimum_frequency": minimum}
    for boundaries in (True, False)
    for in_training in (True, False)
    for annotate in (True, False)
    for minimum in (1, 2, 3)
]


def corpus(*sentences):
    rows = [(number, *token.split("/")) for number, text in enumerate(sentences) for token in text.split()]
    return pd.DataFrame(rows, columns=["sentence", "form", "cluster"])


WORKED = (
    corpus("the/D cat/N ran/V", "the/D dog/N ran/V"),
    corpus("the/D cat/N ran/V", "the/D dog/N ran/V", "a/D dog/N ran/V", "cat/N ran/V"),
)


def by_dictionaries(train, test, boundaries, minimum_frequency, frames_in_training, annotate):
    """The definition, word by word: the S-cluster of each kept frame, with its frame tokens and member tokens."""

    def frames(table):
        for _, sentence in table.groupby("sentence"):
            tokens = list(zip(sentence["form"], sentence["cluster"], strict=True))
            padded = [("<L>", None), *tokens, ("<R>", None)]
            for i, filler in enumerate(tokens, start=1):
                yield padded[i - 1], filler, padded[i + 1]

    vocabulary = set(train["form"])

    def strip(side):
        return side if annotate else (side[0], None)

    def usable(side):
        return boundaries if side[0] in ("<L>", "<R>") else side[0] in vocabulary

    in_training = {(strip(left), strip(right)) for left, _, right in frames(train)}
    frame_tokens, members = Counter(), defaultdict(Counter)
    for left, filler, right in frames(test):
        frame = (strip(left), strip(right))
        if usable(left) and usable(right) and (frame in in_training or not frames_in_training):
            frame_tokens[frame] += 1
            if filler[0] in vocabulary:
                members[frame][filler] += 1
    kept = {frame for frame, tokens in frame_tokens.items() if tokens >= minimum_frequency}
    return len(kept), {f: (frame_tokens[f], members[f]) for f in kept if members[f]}


def sums(s_clusters):
    table = Counter()
    for frame, (_, members) in s_clusters.items():
        for _, cluster in members:
            table[frame, cluster] += 1
    rows, columns = Counter(), Counter()
    for (frame, cluster), size in table.items():
        rows[frame] += size
        columns[cluster] += size
    return tuple(sum(n * (n - 1) for n in sizes.values()) for sizes in (table, columns, rows))


@st.composite
def corpora(draw):
    cluster = st.one_of(st.sampled_from("XYZ"), st.sampled_from("XY"))
    train_word, test_word = st.sampled_from("abc"), st.sampled_from("abcuv")

    def table(word):
        lengths = draw(st.lists(st.integers(1, 6), min_size=1, max_size=7))
        sentence = np.repeat(np.cumsum(draw(st.lists(st.integers(1, 2), min_size=len(lengths), max_size=len(lengths)))),
                             lengths)  # fmt: skip
        n = len(sentence)
        form, label = (draw(st.lists(kind, min_size=n, max_size=n)) for kind in (word, cluster))
        return pd.DataFrame({"sentence": sentence, "form": form, "cluster": label})

    return table(train_word), table(test_word)


def counts(result):
    return result.matched, result.predicted, result.gold


def test_the_worked_case_of_the_definition():
    result = substitutable_precision_recall(*WORKED)
    assert counts(result) == (2, 4, 2)
    # kept: (the,ran) with cat and dog; (cat,R) and (dog,R) with ran; (L,dog) with the
    assert result.parts == {"frames": 4, "s_clusters": 4, "members": 5, "clusters": 3, "test_tokens": 11}
    assert result.conventions["minimum_frequency"] == 2


def test_the_worked_case_as_a_table():
    table = substitution_clusters(*WORKED)
    rows = list(
        table[["left", "right", "frame_tokens", "word", "cluster", "tokens"]].itertuples(index=False, name=None)
    )
    assert sorted(rows) == [
        ("<L>", "dog", 2, "the", "D", 1),
        ("cat", "<R>", 2, "ran", "V", 2),
        ("dog", "<R>", 2, "ran", "V", 2),
        ("the", "ran", 2, "cat", "N", 1),
        ("the", "ran", 2, "dog", "N", 1),
    ]
    assert table.loc[table["left"] == "the", ["left_cluster", "right_cluster"]].to_numpy().tolist() == [["D", "V"]] * 2
    assert table.loc[table["left"] == LEFT_BOUNDARY, "left_cluster"].isna().all()


def test_rows_come_by_frequency_of_the_frame_then_of_the_word_then_by_the_word():
    test = corpus(*["the/D dog/N ran/V"] * 2, *["the/D cat/N ran/V"] * 2, *["the/D cow/N ran/V"] * 3)
    test = pd.concat([test, corpus(*["a/D dog/N sat/V"] * 8).assign(sentence=lambda table: table["sentence"] + 10)])
    table = substitution_clusters(test, test, boundaries=False)
    assert list(zip(table["left"], table["word"], table["tokens"], strict=True)) == [
        ("a", "dog", 8), ("the", "cow", 3), ("the", "cat", 2), ("the", "dog", 2)
    ]  # fmt: skip


@pytest.mark.parametrize("arguments", SWITCHES, ids=str)
@given(corpora())
@settings(max_examples=25, deadline=None)
@pytest.mark.thorough
def test_frames_and_sums_are_those_of_the_definition(arguments, tables):
    train, test = tables
    kept, expected = by_dictionaries(train, test, **arguments)
    result = substitutable_precision_recall(train, test, **arguments)
    assert counts(result) == sums(expected)
    assert result.parts["frames"] == kept
    assert result.parts["s_clusters"] == len(expected)
    assert result.parts["members"] == sum(len(members) for _, members in expected.values())

    def given_or_none(value):
        return None if pd.isna(value) else value

    found = {}
    for row in substitution_clusters(train, test, **arguments).itertuples():
        frame = ((row.left, given_or_none(row.left_cluster)), (row.right, given_or_none(row.right_cluster)))
        found.setdefault(frame, (row.frame_tokens, {}))[1][row.word, row.cluster] = row.tokens
    assert found == {frame: (tokens, dict(members)) for frame, (tokens, members) in expected.items()}


@pytest.mark.thorough
@given(corpora(), st.permutations("XYZ"))
@settings(deadline=None)
def test_renaming_clusters_changes_nothing(tables, names):
    renamed = [table.assign(cluster=table["cluster"].map(dict(zip("XYZ", names, strict=True)))) for table in tables]
    assert substitutable_precision_recall(*renamed) == substitutable_precision_recall(*tables)


@pytest.mark.thorough
@given(corpora())
@settings(deadline=None)
def test_values_lie_between_zero_and_one_also_when_every_word_is_a_cluster(tables):
    for train, test in (tables, [table.assign(cluster=table["form"]) for table in tables]):
        result = substitutable_precision_recall(train, test, minimum_frequency=1)
        assert all(value is None or 0 <= value <= 1 for value in (result.precision, result.recall))


@given(corpora())
@settings(deadline=None)
def test_with_one_cluster_recall_is_perfect(tables):
    train, test = (table.assign(cluster=0) for table in tables)
    result = substitutable_precision_recall(train, test, minimum_frequency=1)
    assert result.matched == result.gold


@pytest.mark.thorough
@pytest.mark.parametrize("numbered", [{"X": 3, "Y": 0, "Z": -2}, {"X": 10**12, "Y": 0, "Z": -7}])
@given(tables=corpora())
@settings(max_examples=20, deadline=None)
def test_strings_integers_and_categories_are_alike(numbered, tables):
    expected = counts(substitutable_precision_recall(*tables, minimum_frequency=1))
    train, test = tables
    numbers = [table.assign(cluster=table["cluster"].map(numbered)) for table in tables]
    nullable = [table.astype({"cluster": "Int64"}) for table in numbers]
    categories = [
        train.assign(cluster=pd.Categorical(train["cluster"], ["Z", "unused", "Y", "X"])).astype({"form": "category"}),
        test.assign(
            cluster=pd.Categorical(test["cluster"], ["X", "Z", "Y"]),
            form=pd.Categorical(test["form"], ["v", "u", "other", "c", "b", "a"]),
        ),
    ]
    for variant in (numbers, nullable, categories, [numbers[0], nullable[1]], [train, categories[1]]):
        assert counts(substitutable_precision_recall(*variant, minimum_frequency=1)) == expected


def test_prepared_words_serve_several_clusterings():
    train, test = WORKED
    words = prepare_words(train, test)
    for table in (test, test.assign(cluster=test["form"])):
        assert substitutable_precision_recall(train, table, prepared=words) == substitutable_precision_recall(
            train, table
        )
    with pytest.raises(ValueError, match="prepare these tables"):
        substitutable_precision_recall(train, test.iloc[:-1], prepared=words)


def test_an_unknown_filler_counts_for_the_frame_but_is_no_member():
    train, test = corpus("see/V the/D dog/N"), corpus("see/V a/D dog/N", "see/V the/D dog/N")
    table = substitution_clusters(train, test, left="see", right="dog")
    assert table[["frame_tokens", "word", "tokens"]].to_numpy().tolist() == [[2, "the", 1]]


def test_unknown_words_make_no_frame_even_if_frames_need_not_occur_in_training():
    train, test = corpus("a/X b/X a/X"), corpus("u/X b/X u/X", "u/X a/X u/X")
    result = substitutable_precision_recall(train, test, frames_in_training=False, minimum_frequency=1)
    # (L, b), (b, R), (L, a), (a, R) hold only the unknown u; (u, u) is not a frame
    assert (result.parts["frames"], result.parts["members"]) == (4, 0)
    assert (result.precision, result.recall) == (None, None)


def test_a_word_with_two_clusters_in_one_frame_is_two_members():
    train = corpus("to/P cake/N to/P")
    test = corpus("to/P cake/N to/P", "to/P cake/V to/P")
    result = substitutable_precision_recall(train, test, boundaries=False)
    assert (result.parts["members"], counts(result)) == (2, (0, 0, 2))


def test_a_frame_whose_words_have_other_clusters_is_another_frame():
    train = corpus("to/I eat/V cake/N")
    test = corpus("to/P his/D cake/N", "to/I eat/V cake/N", "to/I his/V cake/N")
    assert substitutable_precision_recall(train, test, boundaries=False).parts["frames"] == 1
    assert set(substitution_clusters(train, test, left="to", annotate=False)["frame_tokens"]) == {3}


def test_frames_are_chosen_by_their_words_or_boundaries():
    rows = substitution_clusters(*WORKED, right=RIGHT_BOUNDARY)
    assert set(rows["left"]) == {"cat", "dog"}
    assert substitution_clusters(*WORKED, left="nowhere").empty
    assert list(substitution_clusters(*WORKED, left="nowhere").columns) == list(rows.columns)


def test_only_unknown_test_words_may_lack_a_cluster():
    train, test = WORKED
    lacking = test.assign(cluster=test["cluster"].where(test["form"] != "a", None))
    assert substitutable_precision_recall(train, lacking) == substitutable_precision_recall(train, test)
    with pytest.raises(ValueError, match=r"test: 2 of 11 tokens are words of the training corpus .* in row 1"):
        substitutable_precision_recall(train, test.assign(cluster=test["cluster"].where(test["form"] != "cat", None)))
    with pytest.raises(ValueError, match="train: 6 of 6"):
        substitutable_precision_recall(train.assign(cluster=None), test)


def test_a_test_corpus_of_unknown_words_has_no_frames():
    train, test = corpus("a/X b/X"), corpus("u/X v/X")
    for table in (test, test.assign(cluster=None)):
        result = substitutable_precision_recall(train, table)
        assert (result.precision, result.recall, result.parts["frames"]) == (None, None, 0)
        assert substitution_clusters(train, table).empty


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"cluster": "class"}, "train lacks the column 'class'"),
        ({"minimum_frequency": 0}, "minimum_frequency is 0; it must be at least 1"),
        ({"test": WORKED[1].iloc[:0]}, "test has no token"),
        ({"test": WORKED[1].iloc[::-1]}, "test: sentence numbers fall"),
        ({"train": WORKED[0].drop(columns="form")}, "train lacks the column 'form'"),
    ],
)
def test_input_that_cannot_be_scored_is_refused(change, message):
    arguments = {"train": WORKED[0], "test": WORKED[1]} | change
    with pytest.raises(ValueError, match=message):
        substitutable_precision_recall(**arguments)


def test_the_hash_table_of_frames_grows_without_loss():
    keys = np.random.default_rng(0).integers(0, 10**15, 50_000)
    keys = np.concatenate([keys, keys[:1000], [-1]])
    slots, numbers, distinct = module._number(keys)
    assert distinct == len(np.unique(keys)) - 1
    used = slots >= 0
    assert set(slots[used]) == set(keys) - {-1}
    assert sorted(numbers[used]) == list(range(distinct))
