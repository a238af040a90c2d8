"""The chart of the normal-form parser: hashed counts, interpolation, and CKY with a beam. Used by its module only."""

from typing import Any

import numpy as np

from analysis.structures.compiled import njit

LEAF, UNARY, LEFT, RIGHT = 0, 1, 2, 3

# kinds of context, in the order in which levels are interpolated (least specific first)
EXPANSION, HEAD, SISTER, CATEGORY, WORD, ROOT = 0, 3, 6, 9, 11, 14

OUTCOME_BITS = 20
WORD_BITS, CATEGORY_BITS, PLACE_BITS = 20, 15, 17

TIE = 1e-9
NEGATIVE = -1e300


@njit(cache=True)
def context_key(kind: Any, place: Any, category: Any, word: Any) -> Any:
    """One number for a context: its kind, a category, pair or rule, a lexical category and a word."""
    return ((np.int64(kind) * 131072 + place) * 32768 + category) * 1048576 + word


@njit(cache=True)
def _slot(key: Any, mask: Any) -> Any:
    mixed = key * np.int64(-7046029254386353131)
    mixed ^= mixed >> np.int64(29)
    return mixed & mask


@njit(cache=True)
def hash_table(keys: np.ndarray) -> np.ndarray:
    """Open addressing: for each slot the number of its key, or -1."""
    size: Any = np.int64(8)
    while size < 2 * len(keys) + 2:
        size *= 2
    table = np.full(size, -1, dtype=np.int64)
    for number in range(len(keys)):
        slot = _slot(keys[number], size - 1)
        while table[slot] >= 0:
            slot = (slot + 1) & (size - 1)
        table[slot] = number
    return table


@njit(cache=True)
def find(table: np.ndarray, keys: np.ndarray, key: Any) -> int:
    """Number of a key, or -1."""
    mask = len(table) - 1
    slot = _slot(key, mask)
    while table[slot] >= 0:
        if keys[table[slot]] == key:
            return table[slot]
        slot = (slot + 1) & mask
    return -1


@njit(cache=True)
def _level(lower: float, key: Any, outcome: int, smoothing: float, tables: tuple) -> float:
    """One step of the interpolation: the level's relative frequency mixed with the probability of the level below."""
    context_table, contexts, frequency, different, joint_table, joints, joint_count = tables
    place = find(context_table, contexts, key)
    if place < 0:
        return lower
    joint = find(joint_table, joints, place * 1048576 + outcome)
    seen = joint_count[joint] if joint >= 0 else 0.0
    f = frequency[place]
    if lower < 0:  # the least specific level is not smoothed
        return seen / f
    weight = f / (f + smoothing * different[place])
    return weight * seen / f + (1.0 - weight) * lower


@njit(cache=True)
def probability(
    kind: Any, levels: int, place: Any, category: Any, word: Any, outcome: int, smoothing: float, tables: tuple
) -> float:
    """Of an outcome given (place), (place, category), (place, category, word), interpolated as far as ``levels``."""
    p = _level(-1.0, context_key(kind, place, 0, 0), outcome, smoothing, tables)
    if p < 0:
        p = 0.0
    if levels > 1:
        p = _level(p, context_key(kind + 1, place, category, 0), outcome, smoothing, tables)
    if levels > 2:
        p = _level(p, context_key(kind + 2, place, category, word), outcome, smoothing, tables)
    return p


@njit(cache=True)
def word_probability(
    levels: int, rule: int, category: Any, head_word: Any, word: Any, smoothing: float, tables: tuple
) -> float:
    """Of a word given its lexical category; then the rule that brings it in; then the head word there."""
    p = _level(-1.0, context_key(WORD, 0, category, 0), word, smoothing, tables)
    if p < 0:
        p = 0.0
    if levels > 1:
        p = _level(p, context_key(WORD + 1, rule, category, 0), word, smoothing, tables)
    if levels > 2:
        p = _level(p, context_key(WORD + 2, rule, category, head_word), word, smoothing, tables)
    return p


@njit(cache=True)
def category_probability(levels: int, sister: int, rule: int, category: Any, smoothing: float, tables: tuple) -> float:
    """Of the lexical category that heads a sister, given the sister's category; then the rule that brings it in."""
    p = _level(-1.0, context_key(CATEGORY, sister, 0, 0), category, smoothing, tables)
    if p < 0:
        p = 0.0
    if levels > 1:
        p = _level(p, context_key(CATEGORY + 1, rule, 0, 0), category, smoothing, tables)
    return p


@njit(cache=True)
def _log(p: float) -> float:
    return np.log(p) if p > 0 else NEGATIVE


@njit(cache=True)
def rule_score(
    rule: int, category: Any, word: Any, levels: int, rules: np.ndarray, smoothing: float, tables: tuple
) -> float:
    """Log probability of expansion, head daughter and sister, given the parent and its head."""
    parent, kind, head, sister, pair, triple = rules[rule]
    score = _log(probability(EXPANSION, levels, parent, category, word, kind, smoothing, tables))
    score += _log(probability(HEAD, levels, pair, category, word, head, smoothing, tables))
    if sister >= 0:
        score += _log(probability(SISTER, levels, triple, category, word, sister, smoothing, tables))
    return score


@njit(cache=True)
def _grown(array: np.ndarray, size: int) -> np.ndarray:
    larger = np.empty(size, dtype=array.dtype)
    larger[: len(array)] = array
    return larger


@njit(cache=True)
def _grown_rows(array: np.ndarray, size: int) -> np.ndarray:
    larger = np.empty((size, array.shape[1]), dtype=array.dtype)
    larger[: len(array)] = array
    return larger


@njit(cache=True)
def parse(
    n: int,
    entry_position: np.ndarray,
    entry_category: np.ndarray,
    entry_word: np.ndarray,
    entry_score: np.ndarray,
    entry_prior: np.ndarray,
    lexicalised: bool,
    n_categories: int,
    rules: np.ndarray,
    rule_static: np.ndarray,
    pair_of: np.ndarray,
    pair_start: np.ndarray,
    pair_rules: np.ndarray,
    unary_start: np.ndarray,
    unary_rules: np.ndarray,
    prior: np.ndarray,
    root_score: np.ndarray,
    beam: float,
    smoothing: float,
    tables: tuple,
) -> tuple:
    """Best derivation of one sentence.

    ``entry_*`` are the candidate lexical categories of the words. Returns the number of items, the item of the root
    (-1: no parse), its score, and the items: category, entry of the head, rule (-1: leaf), left and right item.
    """
    n_entries = len(entry_position)
    width = n_entries if lexicalised else 1
    levels = 3 if lexicalised else 1
    where = np.full(n_categories * width, -1, dtype=np.int64)
    memo = np.full((len(rules), width), np.nan)
    capacity = 4096
    item = np.empty((capacity, 5), dtype=np.int64)
    score = np.empty(capacity, dtype=np.float64)
    active = np.empty(capacity, dtype=np.int64)
    cell_start = np.zeros((n, n + 1), dtype=np.int64)
    cell_end = np.zeros((n, n + 1), dtype=np.int64)
    count = 0
    n_active = 0
    for length in range(1, n + 1):
        for start in range(n - length + 1):
            end = start + length
            begin = count
            if length == 1:
                for entry in range(n_entries):
                    if entry_position[entry] == start:
                        if count == capacity:
                            capacity *= 2
                            item, score = _grown_rows(item, capacity), _grown(score, capacity)
                        key = entry_category[entry] * width + (entry if lexicalised else 0)
                        where[key] = count
                        item[count, 0] = entry_category[entry]
                        item[count, 1] = entry
                        item[count, 2] = -1
                        item[count, 3] = -1
                        item[count, 4] = -1
                        score[count] = entry_score[entry]
                        count += 1
            for split in range(start + 1, end):
                for a in range(cell_start[start, split], cell_end[start, split]):
                    left = active[a]
                    for b in range(cell_start[split, end], cell_end[split, end]):
                        right = active[b]
                        pair = pair_of[item[left, 0] * n_categories + item[right, 0]]
                        if pair < 0:
                            continue
                        inside = score[left] + score[right]
                        for k in range(pair_start[pair], pair_start[pair + 1]):
                            rule = pair_rules[k]
                            head, other = (left, right) if rules[rule, 1] == LEFT else (right, left)
                            entry = item[head, 1]
                            if lexicalised:
                                made = memo[rule, entry]
                                if np.isnan(made):
                                    made = rule_score(
                                        rule, entry_category[entry], entry_word[entry], levels, rules, smoothing, tables
                                    )
                                    memo[rule, entry] = made
                                sister = item[other, 1]
                                category = entry_category[sister]
                                made += _log(
                                    category_probability(2, rules[rule, 3], rule, category, smoothing, tables)
                                ) + _log(
                                    word_probability(
                                        3, rule, category, entry_word[entry], entry_word[sister], smoothing, tables
                                    )
                                )
                            else:
                                made = rule_static[rule]
                            made += inside
                            if made <= NEGATIVE / 2:
                                continue
                            key = rules[rule, 0] * width + (entry if lexicalised else 0)
                            place = where[key]
                            if place < 0:
                                if count == capacity:
                                    capacity *= 2
                                    item, score = _grown_rows(item, capacity), _grown(score, capacity)
                                place = count
                                where[key] = place
                                score[place] = NEGATIVE
                                count += 1
                            if made > score[place] + TIE:
                                item[place, 0] = rules[rule, 0]
                                item[place, 1] = entry
                                item[place, 2] = rule
                                item[place, 3] = left
                                item[place, 4] = right
                                score[place] = made
            changed = True
            while changed:  # unary rules, until nothing improves
                changed = False
                place = begin
                while place < count:
                    category = item[place, 0]
                    for k in range(unary_start[category], unary_start[category + 1]):
                        rule = unary_rules[k]
                        entry = item[place, 1]
                        if lexicalised:
                            made = memo[rule, entry]
                            if np.isnan(made):
                                made = rule_score(
                                    rule, entry_category[entry], entry_word[entry], levels, rules, smoothing, tables
                                )
                                memo[rule, entry] = made
                        else:
                            made = rule_static[rule]
                        made += score[place]
                        if made <= NEGATIVE / 2:
                            continue
                        key = rules[rule, 0] * width + (entry if lexicalised else 0)
                        target = where[key]
                        if target < 0:
                            if count == capacity:
                                capacity *= 2
                                item, score = _grown_rows(item, capacity), _grown(score, capacity)
                            target = count
                            where[key] = target
                            score[target] = NEGATIVE
                            count += 1
                        if made > score[target] + TIE:
                            item[target, 0] = rules[rule, 0]
                            item[target, 1] = entry
                            item[target, 2] = rule
                            item[target, 3] = place
                            item[target, 4] = -1
                            score[target] = made
                            changed = True
                    place += 1
            best = NEGATIVE
            for place in range(begin, count):
                merit = score[place] + _merit(item[place], entry_category, entry_prior, lexicalised, prior, tables)
                best = max(best, merit)
            cell_start[start, end] = n_active
            while n_active + count - begin > len(active):
                active = _grown(active, 2 * len(active))
            for place in range(begin, count):
                where[item[place, 0] * width + (item[place, 1] if lexicalised else 0)] = -1
                merit = score[place] + _merit(item[place], entry_category, entry_prior, lexicalised, prior, tables)
                if beam <= 0 or merit >= best + np.log(beam):
                    active[n_active] = place
                    n_active += 1
            cell_end[start, end] = n_active
    root, best = -1, NEGATIVE
    for a in range(cell_start[0, n], cell_end[0, n]):
        place = active[a]
        made = score[place] + root_score[item[place, 0]]
        if lexicalised:
            entry = item[place, 1]
            made += _log(
                _level(-1.0, context_key(ROOT, item[place, 0], 0, 0), entry_category[entry], smoothing, tables)
            )
            made += entry_prior[entry]
        if made > best + TIE and made > NEGATIVE / 2:
            root, best = place, made
    return count, root, best, item[:count]


@njit(cache=True)
def _merit(
    item: np.ndarray,
    entry_category: np.ndarray,
    entry_prior: np.ndarray,
    lexicalised: bool,
    prior: np.ndarray,
    tables: tuple,
) -> float:
    """What is added to an item's score before it is compared with others: how probable its category and head are."""
    if not lexicalised:
        return prior[item[0]]
    category = entry_category[item[1]]
    context_table, contexts, frequency = tables[0], tables[1], tables[2]
    place = find(context_table, contexts, context_key(EXPANSION + 1, item[0], category, 0))
    seen = frequency[place] if place >= 0 else 0.1
    return np.log(seen) + entry_prior[item[1]]
