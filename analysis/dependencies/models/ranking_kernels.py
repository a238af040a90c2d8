"""Kernels that rank the words of a sentence by PageRank over votes for heads, and build a tree from the ranking."""

# mypy: ignore-errors
# ruff: noqa: ANN001, ANN201, ANN202
from typing import NamedTuple

import numpy as np

from analysis.structures.compiled import njit


class Words(NamedTuple):
    """A text with information on its words."""

    forms: np.ndarray
    tags: np.ndarray
    first: np.ndarray  # code of the first letters of each form
    last: np.ndarray  # code of the last letters of each form
    function_word: np.ndarray  # whether each form is a function word
    vote: np.ndarray  # [d, h] whether each word of tag d votes for each word of tag h
    rule: np.ndarray  # [h, d] whether tag h may head tag d
    root: np.ndarray  # [h] whether tag h may head the sentence
    ruled: bool  # whether words prefer heads that the rules allow


@njit(nogil=True)
def ranked_trees(starts, words, weights, damping, heads):
    """Compute the heads of each sentence, from 1, in place; 0 is the root.

    ``weights``: of a vote for a neighbour, an additional one for a neighbouring function word, for a word with other
    first or last letters or another tag, and by tags.
    """
    for s in range(len(starts) - 1):
        first, n = starts[s], starts[s + 1] - starts[s]
        if n == 0:
            continue
        rank = page_rank(votes(first, n, words, weights), damping)
        _attach(rank, words.tags[first : first + n], words.rule, words.root, words.ruled, heads[first : first + n])


@njit(nogil=True)
def votes(first, n, words, weights):
    """Compute ``votes[d, h]``: the weight of the votes of word d for word h as its head."""
    forms, tags = words.forms, words.tags
    adjacency, function, morphology, by_tag = weights
    found = np.zeros((n, n))
    for d in range(n):
        for h in range(n):
            if d == h:
                continue
            i, j = first + d, first + h
            if abs(d - h) == 1:
                found[d, h] += adjacency
                if words.function_word[forms[j]]:
                    found[d, h] += function
            one, other = forms[i], forms[j]
            if words.first[one] != words.first[other] or words.last[one] != words.last[other] or tags[i] != tags[j]:
                found[d, h] += morphology
            if words.vote[tags[i], tags[j]]:
                found[d, h] += by_tag
    return found


@njit(nogil=True)
def page_rank(votes, damping):
    """Compute the stationary distribution of a walk that follows votes with probability ``damping``, else jumps
    anywhere.

    From a word without votes the walk jumps. The linear equations are solved directly; without jumps, one equation is
    redundant and every word must be reachable from every other.
    """
    n = len(votes)
    system, right = np.zeros((n, n)), np.full(n, (1.0 - damping) / n)
    for d in range(n):
        total = votes[d].sum()
        for h in range(n):
            system[h, d] = -damping * (votes[d, h] / total if total > 0.0 else 1.0 / n)
        system[d, d] += 1.0
    if damping == 1.0:
        system[0], right[0] = 1.0, 1.0
    return np.linalg.solve(system, right)


@njit(nogil=True)
def _attach(rank, tags, rule, first_choice, ruled, heads):
    """Attach words in order of rank: the first is the root, each other word is attached to the nearest attached word.

    Ranks that differ by less than 1e-9 are ties, which go to the left word.
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
        heads[best] = _nearest(best, placed, rank, tags, rule, ruled) + 1 if turn else 0
        placed[best] = True


@njit(nogil=True)
def _nearest(word, placed, rank, tags, rule, ruled):
    """Find the nearest attached word that a rule allows as head, else the nearest attached; ties go to the higher
    rank.
    """
    n = len(placed)
    for by_rule in (True, False):
        if by_rule and not ruled:
            continue
        for apart in range(1, n):
            best = -1
            for other in (word - apart, word + apart):
                if not 0 <= other < n or not placed[other] or (by_rule and not rule[tags[other], tags[word]]):
                    continue
                if best < 0 or rank[other] > rank[best] + 1e-9:
                    best = other
            if best >= 0:
                return best
    return -1
