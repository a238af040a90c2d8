import sys

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from analysis.dependencies import tree_arrays, tree_kernels


@st.composite
def sentences(draw):
    """Where sentences start, two heads a word (none, out of range, cycles), which words are removed or chosen."""
    lengths = draw(st.lists(st.integers(1, 7), min_size=1, max_size=5))
    starts = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
    heads = [
        np.concatenate([draw(st.lists(st.integers(-2, n + 2), min_size=n, max_size=n)) for n in lengths]).astype(
            np.int64
        )
        for _ in range(2)
    ]
    removed = np.array(draw(st.lists(st.booleans(), min_size=sum(lengths), max_size=sum(lengths))))
    chosen = np.array(draw(st.lists(st.booleans(), min_size=len(lengths), max_size=len(lengths))))
    return starts, heads, removed, chosen


@given(sentences(), st.booleans())
def test_numpy_and_compiled_code_find_the_same_defects_heads_and_counts(case, root_edges):
    starts, heads, removed, chosen = case
    clean = []
    for side in heads:
        (ours, defects), (theirs, expected) = (m.find_defects(starts, side) for m in (tree_arrays, tree_kernels))
        assert ours.tolist() == theirs.tolist() and defects.tolist() == expected.tolist()
        (moved, cycles), (target, count) = (m.reattach(starts, ours, removed) for m in (tree_arrays, tree_kernels))
        assert moved.tolist() == target.tolist() and cycles == count
        clean.append(ours)
    (why, counts), (reasons, totals) = (
        m.agreement(starts, *clean, removed, chosen, root_edges) for m in (tree_arrays, tree_kernels)
    )
    assert why.tolist() == reasons.tolist() and counts.tolist() == totals.tolist()


@given(st.lists(st.integers(0, 2), max_size=8), st.booleans(), st.data())
def test_numpy_and_compiled_code_find_the_same_sentences_and_the_same_faults(steps, with_positions, data):
    numbers = np.cumsum(np.array(steps, dtype=np.int64))
    if len(numbers) and data.draw(st.booleans()):
        numbers[data.draw(st.integers(0, len(numbers) - 1))] -= 1
    positions = np.array(data.draw(st.lists(st.integers(1, 3), min_size=len(steps), max_size=len(steps))), np.int64)
    positions = positions if with_positions else positions[:0]
    (ours, *faults), (theirs, *others) = (m.sentence_starts(numbers, positions) for m in (tree_arrays, tree_kernels))
    assert ours.tolist() == theirs.tolist() and faults == others


def test_kernels_are_loaded_once_that_pays(monkeypatch):
    assert tree_arrays.tree_functions(1) is tree_kernels  # they are loaded: this file does it
    monkeypatch.delitem(sys.modules, "analysis.dependencies.tree_kernels")
    monkeypatch.setattr(tree_arrays, "_words_so_far", 0)
    assert tree_arrays.tree_functions(4_000_000) is tree_arrays
    assert tree_arrays.tree_functions(2_000_000).__name__ == "analysis.dependencies.tree_kernels"


def test_a_long_chain_of_removed_words_ends_where_it_should():
    n = 5_000
    heads, removed = np.arange(n), np.arange(n) > 0
    removed[-1] = False
    found, cycles = tree_arrays.reattach(np.array([0, n]), heads, removed)
    assert (found[0], found[-1], cycles) == (0, 1, 0) and set(found[1:].tolist()) == {1}
