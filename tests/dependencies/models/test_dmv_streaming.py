"""The DMV trained on chunks that a function returns again for every pass."""

import weakref
from itertools import pairwise

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis.corpora.language import generate, generate_blocks
from analysis.dependencies.models import DMV
from analysis.dependencies.models.dmv_parameters import Parameters, enlarged
from analysis.dependencies.models.sequences import distinct_sequences
from tests.dependencies.models.test_dmv import CORPORA, SENTENCES, arrays

CHUNKS = [SENTENCES[:4], SENTENCES[4:5], SENTENCES[5:]]


def close(a, b):
    """Whether two models are the same up to rounding, whatever the order of their tags."""
    assert set(a.tags_) == set(b.tags_)
    order = a.tags_
    for side in ("attach_left_", "attach_right_"):
        found = getattr(b, side).loc[order, order].to_numpy()
        np.testing.assert_allclose(getattr(a, side).to_numpy(), found, rtol=1e-10, atol=1e-12)
    np.testing.assert_allclose(a.root_, b.root_[order], rtol=1e-10, atol=1e-12)
    keys = ["head", "direction", "adjacent"]
    stops = [model.stop_.set_index(keys)["stop"].sort_index() for model in (a, b)]
    pd.testing.assert_series_equal(*stops, check_exact=False, rtol=1e-10, atol=1e-12)
    np.testing.assert_allclose(a.log_likelihoods_, b.log_likelihoods_, rtol=1e-12)
    np.testing.assert_allclose(a.objectives_, b.objectives_, rtol=1e-12)
    assert (a.n_sentences_, a.n_iter_, a.impossible_) == (b.n_sentences_, b.n_iter_, b.impossible_)


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"initializer": "uniform"},
        {"normalise": "head", "smoothing": 0.2},
        {"unambiguity": 0.4},
        {"unambiguity": 1.0},
        {"unambiguity": "annealed", "annealing": 4},
        {"prior": 0.3},
        {"max_length": 4},
        {"iterations": 0},
    ],
    ids=str,
)
def test_chunks_teach_what_all_sentences_at_once_teach(options):
    options = {"iterations": 6} | options
    close(DMV(**options).fit(SENTENCES), DMV(**options).fit(lambda: iter(CHUNKS)))


@settings(deadline=None)
@given(CORPORA, st.lists(st.integers(0, 12), max_size=4))
def test_it_does_not_matter_where_chunks_end(sentences, ends):
    bounds = [0, *sorted(min(end, len(sentences)) for end in ends), len(sentences)]
    chunks = [sentences[begin:end] for begin, end in pairwise(bounds)]
    close(DMV(iterations=4).fit(sentences), DMV(iterations=4).fit(lambda: chunks))


def test_one_chunk_is_training_on_all_sentences_bit_for_bit():
    plain, chunked = DMV(iterations=8).fit(SENTENCES), DMV(iterations=8).fit(lambda: [SENTENCES])
    assert plain.tags_.equals(chunked.tags_)
    assert all((a == b).all() for a, b in zip(arrays(plain), arrays(chunked), strict=True))
    assert (plain.log_likelihoods_ == chunked.log_likelihoods_).all()


def test_the_built_in_language_is_learnt_block_by_block():
    options = {"iterations": 3, "n_jobs": 2}
    tokens = generate(5_000, random_state=3).tokens
    whole = DMV(**options).fit(tokens)
    blocks = DMV(**options).fit(lambda: (block.tokens for block in generate_blocks(5_000, random_state=3)))
    close(whole, blocks)
    assert whole.n_distinct_ < blocks.n_distinct_ < whole.n_sentences_
    assert blocks.score(lambda: (block.tokens for block in generate_blocks(5_000, random_state=3))) == pytest.approx(
        blocks.score(tokens)
    )
    # not the trees themselves: where two are equally probable, rounding may choose
    np.testing.assert_allclose(
        blocks.parse(tokens).sentences["log_probability"], whole.parse(tokens).sentences["log_probability"], rtol=1e-9
    )


def test_no_more_than_two_chunks_are_alive_at_a_time_and_each_pass_reads_all_once():
    class Sentences(list):
        pass

    calls, alive, most = [], weakref.WeakSet(), []
    Sentences.__hash__ = object.__hash__

    def chunks():
        calls.append(0)
        for _ in range(6):
            chunk = Sentences([["D", "N"], ["N", "V"]])
            alive.add(chunk)
            most.append(len(alive))
            yield chunk

    DMV(iterations=3).fit(chunks)
    assert len(calls) == 4
    assert max(most) <= 2


def test_tags_that_appear_in_a_later_chunk_are_learnt_and_those_of_long_sentences_are_not():
    model = DMV(iterations=2, max_length=2).fit(lambda: [[["N", "V"]], [["X"] * 3], [["D", "N"], ["Z"]]])
    assert model.tags_.tolist() == ["N", "V", "D", "Z"]
    assert model.n_sentences_ == 3


def test_a_function_that_cannot_be_read_again_is_refused():
    once = iter(CHUNKS)
    with pytest.raises(ValueError, match="10 sentences at first and 0 now"):
        DMV(iterations=1).fit(lambda: once)
    with pytest.raises(ValueError, match="must return chunks of sentences"):
        DMV().fit(lambda: pd.DataFrame({"sentence": [0], "fine": ["N"]}))
    with pytest.raises(ValueError, match="must return chunks of sentences"):
        DMV().fit(lambda: None)
    with pytest.raises(ValueError, match="there is no sentence of 1 to 10 words"):
        DMV().fit(lambda: [[[]], []])
    with pytest.raises(ValueError, match="sentence 0 is the string 'DNV'"):
        DMV().fit(lambda: [["DNV"]])


@given(st.integers(1, 12), st.sampled_from([1, 5, 45, 200, 2**40]), st.integers(0, 2**32 - 1))
def test_different_sequences_are_those_of_a_set(length, tags, seed):
    rows = np.random.default_rng(seed).integers(0, tags + 1, (30, length)) % (tags + 1)
    rows = np.concatenate([rows, rows[:7]])
    starts = np.arange(0, (len(rows) + 1) * length, length, dtype=np.int64)
    words, bounds, weights = distinct_sequences(rows.reshape(-1).astype(np.int64), starts, None)
    counted = {}
    for row in map(tuple, rows.tolist()):
        counted[row] = counted.get(row, 0) + 1
    found = [tuple(words[a:b].tolist()) for a, b in pairwise(bounds)]
    assert found == sorted(counted)
    assert weights.tolist() == [counted[row] for row in found]


def test_counts_of_more_tags_keep_what_was_counted():
    counts = Parameters(np.array([1.0]), np.full((2, 1, 1), 2.0), np.full((2, 1, 2), 3.0), np.full((2, 1, 2), 4.0))
    larger = enlarged(counts, 2)
    assert larger.root.tolist() == [1, 0]
    assert [array.sum() for array in larger.arrays()] == [array.sum() for array in counts.arrays()]
    assert larger.attach[:, 0, 0].tolist() == [2, 2]
    assert enlarged(counts, 1) is counts


def test_a_tag_that_comes_up_in_a_later_pass_only_is_refused():
    passes = iter([[["N", "V"], ["V"]], [["N", "Z"], ["Y"]], [["N", "V"], ["V"]]])
    with pytest.raises(ValueError, match="a tag that it did not give at first"):
        DMV(iterations=2).fit(lambda: iter([next(passes)]))


def test_a_later_pass_with_more_sentences_is_refused_as_one_with_fewer_is():
    passes = iter([[["N", "V"]], [["N", "V"], ["V"]], [["N", "V"]]])
    with pytest.raises(ValueError, match="1 sentences at first and 2 now"):
        DMV(iterations=2).fit(lambda: iter([next(passes)]))
