from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.dependencies.tree_arrays import agreement, find_defects, reattach, sentence_starts


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


def pieces(starts, *columns):
    """The columns of each sentence, as lists."""
    for begin, end in pairwise(starts):
        yield [column[begin:end].tolist() for column in columns]


def way_up(word, heads, goes_on=lambda word: True):
    """Words above a word, as long as the way goes on and comes upon none of them again; and where it ends."""
    passed, head = [], heads[word - 1]
    while head > 0 and head not in passed and goes_on(head):
        passed.append(head)
        head = heads[head - 1]
    return passed, head


def cycles_of(heads, members):
    """Sets of words that come back to themselves through words that are members."""
    found = set()
    for word in members:
        passed, head = way_up(word, heads, members.__contains__)
        if head in passed and word in passed:
            found.add(frozenset(passed))
    return found


@given(sentences())
def test_defects_are_those_found_by_walking_up_from_every_word(case):
    starts, (heads, _), _, _ = case
    clean, defects = find_defects(starts, heads)
    for (given_heads, cleaned), found in zip(pieces(starts, heads, clean), defects.tolist(), strict=True):
        n = len(given_heads)
        assert cleaned == [head if -1 <= head <= n else -1 for head in given_heads]
        own = [word for word in range(1, n + 1) if given_heads[word - 1] == word]
        cycles = [cycle for cycle in cycles_of(cleaned, range(1, n + 1)) if len(cycle) > 1]
        outside = [head for head in given_heads if not -1 <= head <= n]
        assert found == [len(cycles), len(own), given_heads.count(0), given_heads.count(-1), len(outside)]


@given(sentences())
def test_removed_words_are_passed_over_as_by_walking_up_from_every_word(case):
    starts, (heads, _), removed, _ = case
    clean, _ = find_defects(starts, heads)
    moved, cycles = reattach(starts, clean, removed)
    expected_cycles = 0
    for own, gone, found in pieces(starts, clean, removed, moved):
        marks = {word for word in range(1, len(own) + 1) if gone[word - 1]}
        expected_cycles += len(cycles_of(own, marks))
        for word in range(1, len(own) + 1):
            passed, head = way_up(word, own, marks.__contains__)
            if head in passed:
                head = 0
            elif passed and head == word and word not in marks:
                head, expected_cycles = 0, expected_cycles + 1
            assert found[word - 1] == head
    assert cycles == expected_cycles


@given(sentences(), st.booleans())
def test_words_count_by_the_definitions_of_the_three_measures(case, root_edges):
    starts, heads, removed, chosen = case
    gold, predicted = (find_defects(starts, side)[0] for side in heads)
    why, counts = agreement(starts, gold, predicted, removed, chosen, root_edges)
    found = pieces(starts, gold, predicted, removed, why)
    for (g, p, gone, reasons), counted, wanted in zip(found, counts.tolist(), chosen, strict=True):
        expected = []
        for i in range(len(g)):
            if gone[i] or not wanted or g[i] < 0 or (g[i] == 0 and not root_edges):
                expected.append(0)
            elif p[i] == g[i]:
                expected.append(4)
            elif p[i] > 0 and g[p[i] - 1] == i + 1:
                expected.append(3)
            elif g[i] > 0 and g[g[i] - 1] == p[i] and (p[i] > 0 or (p[i] == 0 and root_edges)):
                expected.append(2)
            else:
                expected.append(1)
        assert reasons == expected
        assert counted == [sum(reason >= least for reason in expected) for least in (1, 4, 3, 2)]


@given(st.lists(st.integers(0, 2), max_size=8), st.booleans(), st.data())
def test_sentences_and_faults_of_their_order_are_those_found_row_by_row(steps, with_positions, data):
    numbers = np.cumsum(np.array(steps, dtype=np.int64))
    if len(numbers) and data.draw(st.booleans()):
        numbers[data.draw(st.integers(0, len(numbers) - 1))] -= 1
    positions = np.array(data.draw(st.lists(st.integers(1, 3), min_size=len(steps), max_size=len(steps))), np.int64)
    positions = positions if with_positions else positions[:0]
    starts, falls, misplaced = sentence_starts(numbers, positions)
    places = range(1, len(numbers))
    falling = [row for row in places if numbers[row] < numbers[row - 1]]
    if falling:
        assert (starts.tolist(), falls, misplaced) == ([], falling[0], -1)
        return
    begins = [row for row in range(len(numbers)) if row == 0 or numbers[row] != numbers[row - 1]]
    wrong = [
        row
        for row in range(len(positions))
        if positions[row] != row - max(begin for begin in begins if begin <= row) + 1
    ]
    assert (starts.tolist(), falls, misplaced) == ([*begins, len(numbers)], -1, (wrong or [-1])[0])


def test_a_long_chain_of_removed_words_ends_where_it_should():
    n = 5_000
    heads, removed = np.arange(n), np.arange(n) > 0
    removed[-1] = False
    found, cycles = reattach(np.array([0, n]), heads, removed)
    assert (found[0], found[-1], cycles) == (0, 1, 0) and set(found[1:].tolist()) == {1}


@pytest.mark.parametrize("n", [2, 3, 4, 5, 7, 8, 9, 127, 128, 129])
def test_a_cycle_as_long_as_its_sentence_is_one_cycle(n):
    around = np.roll(np.arange(1, n + 1), 1)
    starts, heads = np.array([0, n, 2 * n, 2 * n + 1]), np.concatenate([around, np.arange(n), [0]])
    assert find_defects(starts, heads)[1][:, 0].tolist() == [1, 0, 0]
    assert reattach(starts, heads, np.ones(2 * n + 1, dtype=bool))[1] == 1
    tail = np.concatenate([[2, 1], np.arange(2, n)]) if n > 2 else around  # a long way to a short cycle
    assert find_defects(np.array([0, n]), tail)[1][0, 0] == 1
