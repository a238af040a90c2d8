"""Words of a sentence ranked by PageRank over votes for heads, and the tree that the ranking gives."""

# mypy: ignore-errors
# ruff: noqa: ANN001, ANN201, ANN202
from typing import NamedTuple

import numpy as np

from analysis.structures.compiled import njit

STEPS = 1000  # PageRank with damping d converges as d^steps


class Words(NamedTuple):
    """A text and what is known of its words."""

    forms: np.ndarray
    tags: np.ndarray
    endings: np.ndarray  # of each form, -1 for none
    function_word: np.ndarray  # whether each form is one
    rule: np.ndarray  # [h, d] whether tag h may head tag d
    root: np.ndarray  # [h] whether tag h may head the sentence
    ruled: bool  # whether words look for heads that the rules allow before they take any


@njit(nogil=True)
def ranked_trees(starts, words, weights, reach, damping, heads):
    """Heads of each sentence, from 1, in place; 0 is the root.

    ``weights``: of a vote for a neighbour, once more for a content word beside, for a word with the same ending, by a
    rule.
    """
    tags = words.tags
    longest = 0
    for s in range(len(starts) - 1):
        longest = max(longest, starts[s + 1] - starts[s])
    votes = np.zeros((longest, longest))
    for s in range(len(starts) - 1):
        first, n = starts[s], starts[s + 1] - starts[s]
        if n == 0:
            continue
        here = votes[:n, :n]
        _votes(first, n, words, weights, reach, here)
        rank = page_rank(here, damping)
        _attach(rank, tags[first : first + n], words.rule, words.root, words.ruled, heads[first : first + n])


@njit(nogil=True)
def _votes(first, n, words, weights, reach, votes):
    """Fill ``votes[d, h]``: how much word d wants word h as its head."""
    forms, tags, endings, function_word, rule, _, _ = words
    adjacency, function, morphology, by_rule = weights
    for d in range(n):
        for h in range(n):
            votes[d, h] = 0.0
            if d == h:
                continue
            i, j = first + d, first + h
            apart = abs(d - h)
            if apart <= reach:
                votes[d, h] += adjacency
                if not function_word[forms[j]]:
                    votes[d, h] += function
            if endings[forms[i]] >= 0 and endings[forms[i]] == endings[forms[j]]:
                votes[d, h] += morphology
            if rule[tags[j], tags[i]]:
                votes[d, h] += by_rule


@njit(nogil=True)
def page_rank(votes, damping):
    """Stationary distribution of a walk that follows votes with probability ``damping`` and else jumps anywhere.

    A word without votes for any other jumps.
    """
    n = len(votes)
    rank, after = np.full(n, 1.0 / n), np.empty(n)
    out = np.empty(n)
    for d in range(n):
        out[d] = votes[d].sum()
    for _ in range(STEPS):
        lost = 0.0
        for d in range(n):
            if out[d] == 0.0:
                lost += rank[d]
        after[:] = (1.0 - damping + damping * lost) / n
        for d in range(n):
            if out[d] > 0.0:
                share = damping * rank[d] / out[d]
                for h in range(n):
                    after[h] += share * votes[d, h]
        change = np.abs(after - rank).sum()
        rank[:] = after
        if change < 1e-13:
            break
    return rank


@njit(nogil=True)
def _attach(rank, tags, rule, first_choice, ruled, heads):
    """Place words by falling rank: the first is the root, each other goes under the nearest word already placed.

    Ranks that differ by less than 1e-9 are equal, and the word further left comes first.
    """
    n = len(rank)
    placed = np.zeros(n, dtype=np.bool_)
    for turn in range(n):
        best = -1
        for pass_ in range(2):
            for i in range(n):
                allowed = turn > 0 or pass_ == 1 or not ruled or first_choice[tags[i]]
                if not placed[i] and allowed and (best < 0 or rank[i] > rank[best] + 1e-9):
                    best = i
            if best >= 0:
                break
        if turn == 0:
            heads[best] = 0
        else:
            heads[best] = _nearest(best, placed, tags, rule, ruled) + 1
        placed[best] = True


@njit(nogil=True)
def _nearest(word, placed, tags, rule, ruled):
    """Nearest word placed that a rule allows as head, else the nearest placed; of two as near, the left one."""
    n = len(placed)
    for by_rule in (True, False):
        if by_rule and not ruled:
            continue
        for apart in range(1, n):
            for other in (word - apart, word + apart):
                if 0 <= other < n and placed[other] and (not by_rule or rule[tags[other], tags[word]]):
                    return other
    return -1
