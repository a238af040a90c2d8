"""Kernels of the Pitman-Yor HMM: seating, the step of one word type, sweeps, log probability.

Layout
------
Tags are 0 .. K-1, the boundary is K, so there are M = K + 1 symbols; word types are 0 .. W-1 and the boundary is W.
An event is a position in the text whose tag is generated from the two previous tags; ``tags`` are these three in order.

A restaurant is a context. Restaurants ("rows") are stored in one array: M * M of tag pairs, M of single tags, one
without context, then K of emitting tags. So are their dishes ("cells"): [i, j, k], [j, k], [k], then one per word type,
because a type has a single tag. ``customers`` and ``tables`` are counts of cells, ``all_customers`` and ``all_tables``
those of rows. A table of one level is a customer of the next. Counts are floating-point numbers because of expected
tables; simulated ones are integers. ``parameters`` are discounts and concentrations, one value per level: trigram,
bigram, unigram, emission.

``size``, ``after`` and ``head`` are lists of the simulated tables, one list per cell; ``free`` holds the first table
that is not in use.
"""

# mypy: ignore-errors
# ruff: noqa: ANN001, ANN202
import math
from typing import NamedTuple

import numpy as np

from analysis.categories.models.multinomial_mixture_kernels import draw
from analysis.structures.compiled import njit

TINY = 1e-200
NONE = 1e-9  # fewer expected customers than this count as none


class Seating(NamedTuple):
    """Customers and tables of all restaurants, and the sizes of simulated tables."""

    customers: np.ndarray
    tables: np.ndarray
    all_customers: np.ndarray
    all_tables: np.ndarray
    head: np.ndarray
    size: np.ndarray
    after: np.ndarray
    free: np.ndarray


class Text(NamedTuple):
    """Words and tags; the boundary is the last type and the last tag."""

    words: np.ndarray  # two boundaries before each sentence and two at the end
    places: np.ndarray  # the events, in their order
    event_start: np.ndarray  # the first event of each type
    events: np.ndarray  # the events that a type's tag takes part in, type after type
    tag_of: np.ndarray  # tag of each type and of the boundary
    tokens_of: np.ndarray
    M: int  # number of tags, including the boundary


def empty(K: int, W: int, room: int) -> Seating:
    """Allocate restaurants without customers, with space for simulated tables."""
    M = K + 1
    cells, rows = M * M * M + M * M + M + W, M * M + M + 1 + K
    after = np.arange(1, room + 1)
    return Seating(
        np.zeros(cells), np.zeros(cells), np.zeros(rows), np.zeros(rows), np.full(cells, -1), np.zeros(room, np.int64),
        after, np.zeros(1, np.int64),
    )  # fmt: skip


@njit
def clear(s: Seating) -> None:
    """Empty all restaurants."""
    s.customers[:] = 0.0
    s.tables[:] = 0.0
    s.all_customers[:] = 0.0
    s.all_tables[:] = 0.0
    s.head[:] = -1
    for i in range(len(s.after)):
        s.after[i] = i + 1
    s.free[0] = 0


@njit
def _tags(words, tag_of, e):
    """The tags of an event."""
    return tag_of[words[e - 2]], tag_of[words[e - 1]], tag_of[words[e]]


@njit
def _mine(text, w):
    return text.events[text.event_start[w] : text.event_start[w + 1]]


@njit(forceinline=True)
def _trigram(M, tags):
    """Cell and row of an event in the restaurant of two tags."""
    return (tags[0] * M + tags[1]) * M + tags[2], tags[0] * M + tags[1]


@njit(forceinline=True)
def _bigram(M, tags):
    return M * M * M + tags[1] * M + tags[2], M * M + tags[1]


@njit(forceinline=True)
def _unigram(M, tags):
    return M * M * M + M * M + tags[2], M * M + M


@njit
def _emission_place(text, w):
    M = text.M
    return M * M * M + M * M + M + w, M * M + M + 1 + text.tag_of[w]


@njit
def _times(log_p, product, p):
    """Multiply by p; the result is a number and a log factor, so that it does not underflow."""
    product *= p
    if product < TINY:
        return log_p + math.log(product), 1.0
    return log_p, product


@njit
def predictive(s, M, tags, parameters) -> tuple[float, float, float, float]:
    """Compute P(k | i, j), then for trigram, bigram, unigram the part that comes from a new table."""
    discounts, concentrations = parameters
    cell, row = _unigram(M, tags)
    new1 = (concentrations[2] + discounts[2] * s.all_tables[row]) / M
    whole1 = s.customers[cell] - discounts[2] * s.tables[cell] + new1
    p = whole1 / (s.all_customers[row] + concentrations[2])
    cell, row = _bigram(M, tags)
    new2 = (concentrations[1] + discounts[1] * s.all_tables[row]) * p
    whole2 = s.customers[cell] - discounts[1] * s.tables[cell] + new2
    p = whole2 / (s.all_customers[row] + concentrations[1])
    cell, row = _trigram(M, tags)
    new3 = (concentrations[0] + discounts[0] * s.all_tables[row]) * p
    whole3 = s.customers[cell] - discounts[0] * s.tables[cell] + new3
    p = whole3 / (s.all_customers[row] + concentrations[0])
    return p, new3 / whole3, new2 / whole2, new1 / whole1


@njit
def _change(s, place, customers, tables):
    cell, row = place
    s.customers[cell] += customers
    s.all_customers[row] += customers
    s.tables[cell] += tables
    s.all_tables[row] += tables


@njit
def _change_depth(s, M, tags, depth, sign):
    """Add or remove a customer with ``depth`` new tables: at no level, at the trigram, also at the bigram, ..."""
    _change(s, _trigram(M, tags), sign, sign * (depth > 0))
    if depth > 0:
        _change(s, _bigram(M, tags), sign, sign * (depth > 1))
    if depth > 1:
        _change(s, _unigram(M, tags), sign, sign * (depth > 2))


# ---------------------------------------------------------------------------------------------------------------
# Expected tables.


@njit
def _note(s, place, note, at):
    cell, row = place
    note[at], note[at + 1] = s.customers[cell], s.all_customers[row]
    note[at + 2], note[at + 3] = s.tables[cell], s.all_tables[row]


@njit
def _restore(s, place, note, at):
    cell, row = place
    s.customers[cell], s.all_customers[row] = note[at], note[at + 1]
    s.tables[cell], s.all_tables[row] = note[at + 2], note[at + 3]


@njit
def _add_expected(s, M, tags, parameters, undo, at):
    """Add an event with the expected number of new tables; store the previous values in ``undo[at]``."""
    p, share3, share2, share1 = predictive(s, M, tags, parameters)
    trigram, bigram, unigram = _trigram(M, tags), _bigram(M, tags), _unigram(M, tags)
    if at >= 0:
        note = undo[at]
        note[0], note[1] = s.tables[trigram[0]], s.all_tables[trigram[1]]
        _note(s, bigram, note, 2)
        _note(s, unigram, note, 6)
    share2 *= share3
    share1 *= share2
    _change(s, trigram, 1.0, share3)
    _change(s, bigram, share3, share2)
    _change(s, unigram, share2, share1)
    return p


@njit
def _undo(s, M, tags, note):
    cell, row = _trigram(M, tags)
    s.customers[cell] -= 1.0
    s.all_customers[row] -= 1.0
    s.tables[cell], s.all_tables[row] = note[0], note[1]
    _restore(s, _bigram(M, tags), note, 2)
    _restore(s, _unigram(M, tags), note, 6)


@njit
def _take(s, place, customers):
    """Remove customers with their average fraction of the tables; return the tables removed."""
    cell, row = place
    before = s.customers[cell]
    if before - customers < NONE:
        customers, tables = before, s.tables[cell]
        s.customers[cell], s.tables[cell] = 0.0, 0.0
        s.all_customers[row] = max(s.all_customers[row] - customers, 0.0)
        s.all_tables[row] = max(s.all_tables[row] - tables, 0.0)
        return tables
    tables = s.tables[cell] * customers / before
    _change(s, place, -customers, -tables)
    return tables


@njit
def _remove_expected(s, M, tags):
    gone = _take(s, _trigram(M, tags), 1.0)
    gone = _take(s, _bigram(M, tags), gone)
    _take(s, _unigram(M, tags), gone)


@njit
def _emit_expected(s, text, w, parameters):
    """Compute the log probability of all tokens of an uncounted type given its tag, and their expected tables."""
    row, W = _emission_place(text, w)[1], len(text.tokens_of)
    discount, concentration = parameters[0][3], parameters[1][3]
    log_p, product, tables, every = 0.0, 1.0, 0.0, s.all_tables[row]
    for n in range(text.tokens_of[w]):
        new = (concentration + discount * every) / W
        whole = n - discount * tables + new
        product *= whole / (s.all_customers[row] + n + concentration)
        if product < TINY:
            log_p += math.log(product)
            product = 1.0
        tables += new / whole
        every += new / whole
    return log_p + math.log(product), tables


@njit
def _add_emissions(s, text, w, parameters):
    """Add the tokens of a type with their expected tables; return their log probability."""
    log_p, tables = _emit_expected(s, text, w, parameters)
    _change(s, _emission_place(text, w), float(text.tokens_of[w]), tables)
    return log_p


@njit
def build_expected(s, text, parameters) -> float:
    """Seat the whole text in order, from empty restaurants; return the log probability of tags and words."""
    clear(s)
    log_p, product = 0.0, 1.0
    nothing = np.empty((0, 10))
    words, tag_of, M = text.words, text.tag_of, text.M
    for e in text.places:
        log_p, product = _times(log_p, product, _add_expected(s, M, _tags(words, tag_of, e), parameters, nothing, -1))
    log_p += math.log(product)
    for w in range(len(text.tokens_of)):
        log_p += _add_emissions(s, text, w, parameters)
    return log_p


@njit
def weights_expected(s, text, w, parameters, undo, weights) -> None:
    """Remove type w from the counts, and set ``weights`` to the log probabilities of adding it with each tag."""
    words, tag_of, M, events = text.words, text.tag_of, text.M, _mine(text, w)
    for at in range(len(events) - 1, -1, -1):
        _remove_expected(s, M, _tags(words, tag_of, events[at]))
    _take(s, _emission_place(text, w), float(text.tokens_of[w]))
    for k in range(M - 1):
        tag_of[w] = k
        log_p, _ = _emit_expected(s, text, w, parameters)
        product = 1.0
        for at in range(len(events)):
            p = _add_expected(s, M, _tags(words, tag_of, events[at]), parameters, undo, at)
            log_p, product = _times(log_p, product, p)
        weights[k] = log_p + math.log(product)
        for at in range(len(events) - 1, -1, -1):
            _undo(s, M, _tags(words, tag_of, events[at]), undo[at])


@njit
def _longest(text):
    """Return the maximum numbers of events and of tokens of a type."""
    events, tokens = 0, 0
    for w in range(len(text.tokens_of)):
        events = max(events, text.event_start[w + 1] - text.event_start[w])
        tokens = max(tokens, text.tokens_of[w])
    return events, tokens


@njit
def sweep_expected(s, text, order, parameters, power, generator) -> int:
    """Draw the tag of every type in turn; return how many changed."""
    words, tag_of, M, moves = text.words, text.tag_of, text.M, 0
    undo, weights = np.empty((_longest(text)[0], 10)), np.empty(text.M - 1)
    for w in order:
        before = tag_of[w]
        weights_expected(s, text, w, parameters, undo, weights)
        tag_of[w] = draw(weights, power, generator)
        moves += tag_of[w] != before
        for e in _mine(text, w):
            _add_expected(s, M, _tags(words, tag_of, e), parameters, undo, -1)
        _add_emissions(s, text, w, parameters)
    return moves


# ---------------------------------------------------------------------------------------------------------------
# Simulated tables.


@njit
def _sit(s, cell, is_new, discount, generator):
    """Seat a customer at a new table, or at an old one with probability proportional to its size minus the discount."""
    if is_new:
        table = s.free[0]
        s.free[0] = s.after[table]
        s.size[table] = 1
        s.after[table] = s.head[cell]
        s.head[cell] = table
        return
    total, table = 0.0, s.head[cell]
    while table >= 0:
        total += s.size[table] - discount
        table = s.after[table]
    mark, table = generator.random() * total, s.head[cell]
    while True:
        mark -= s.size[table] - discount
        if mark < 0.0 or s.after[table] < 0:
            break
        table = s.after[table]
    s.size[table] += 1


@njit
def _leave(s, cell, generator):
    """Remove a uniformly drawn customer; return whether the table closes."""
    mark = int(generator.random() * s.customers[cell])
    before, table = -1, s.head[cell]
    while True:
        mark -= s.size[table]
        if mark < 0 or s.after[table] < 0:
            break
        before, table = table, s.after[table]
    s.size[table] -= 1
    if s.size[table] > 0:
        return False
    if before < 0:
        s.head[cell] = s.after[table]
    else:
        s.after[before] = s.after[table]
    s.after[table] = s.free[0]
    s.free[0] = table
    return True


@njit
def _depth(share3, share2, share1, generator):
    """Draw the number of levels at which the customer opens a table."""
    if generator.random() >= share3:
        return 0
    if generator.random() >= share2:
        return 1
    return 3 if generator.random() < share1 else 2


@njit
def _seat(s, M, tags, depth, parameters, generator):
    discounts = parameters[0]
    _sit(s, _trigram(M, tags)[0], depth > 0, discounts[0], generator)
    if depth > 0:
        _sit(s, _bigram(M, tags)[0], depth > 1, discounts[1], generator)
    if depth > 1:
        _sit(s, _unigram(M, tags)[0], depth > 2, discounts[2], generator)
    _change_depth(s, M, tags, depth, 1.0)


@njit
def _unseat(s, M, tags, generator):
    """Remove an event; return the number of levels at which a table closed."""
    depth = 0
    if _leave(s, _trigram(M, tags)[0], generator):
        depth = 1
        if _leave(s, _bigram(M, tags)[0], generator):
            depth = 3 if _leave(s, _unigram(M, tags)[0], generator) else 2
    _change_depth(s, M, tags, depth, -1.0)
    return depth


@njit
def _emission(s, W, place, discount, concentration):
    """Compute the probability of the word of a cell, and the part that comes from a new table."""
    cell, row = place
    new = (concentration + discount * s.all_tables[row]) / W
    whole = s.customers[cell] - discount * s.tables[cell] + new
    return whole / (s.all_customers[row] + concentration), new / whole


@njit
def _seat_emission(s, place, is_new, discount, generator):
    _sit(s, place[0], is_new, discount, generator)
    _change(s, place, 1.0, 1.0 * is_new)


@njit
def build_simulated(s, text, parameters, generator) -> None:
    """Seat the whole text in order, from empty restaurants."""
    clear(s)
    W, a, b = len(text.tokens_of), parameters[0][3], parameters[1][3]
    words, tag_of, M = text.words, text.tag_of, text.M
    for e in text.places:
        tags = _tags(words, tag_of, e)
        _, share3, share2, share1 = predictive(s, M, tags, parameters)
        _seat(s, M, tags, _depth(share3, share2, share1, generator), parameters, generator)
    for w in range(len(text.tokens_of)):
        place = _emission_place(text, w)
        for _ in range(text.tokens_of[w]):
            share = _emission(s, W, place, a, b)[1]
            _seat_emission(s, place, generator.random() < share, a, generator)


@njit
def remove_simulated(s, text, w, parameters, depths, opened, generator) -> float:
    """Remove type w, last event first; return the log probability of adding its events again; tables are recorded."""
    words, tag_of, M, events = text.words, text.tag_of, text.M, _mine(text, w)
    log_p, product, place, W = 0.0, 1.0, _emission_place(text, w), len(text.tokens_of)
    a, b = parameters[0][3], parameters[1][3]
    for at in range(len(events) - 1, -1, -1):
        tags = _tags(words, tag_of, events[at])
        depths[at] = _unseat(s, M, tags, generator)
        log_p, product = _times(log_p, product, predictive(s, M, tags, parameters)[0])
    for n in range(text.tokens_of[w] - 1, -1, -1):
        opened[n] = _leave(s, place[0], generator)
        _change(s, place, -1.0, -1.0 * opened[n])
        log_p, product = _times(log_p, product, _emission(s, W, place, a, b)[0])
    return log_p + math.log(product)


@njit
def try_simulated(s, text, w, parameters, depths, opened, generator) -> float:
    """Add type w with its current tag, draw and record tables, and remove it again; return the log probability."""
    words, tag_of, M, events = text.words, text.tag_of, text.M, _mine(text, w)
    log_p, product, place, W = 0.0, 1.0, _emission_place(text, w), len(text.tokens_of)
    a, b = parameters[0][3], parameters[1][3]
    for at in range(len(events)):
        tags = _tags(words, tag_of, events[at])
        p, share3, share2, share1 = predictive(s, M, tags, parameters)
        depths[at] = _depth(share3, share2, share1, generator)
        _change_depth(s, M, tags, depths[at], 1.0)
        log_p, product = _times(log_p, product, p)
    for at in range(len(events)):
        _change_depth(s, M, _tags(words, tag_of, events[at]), depths[at], -1.0)
    for n in range(text.tokens_of[w]):
        p, share = _emission(s, W, place, a, b)
        opened[n] = generator.random() < share
        _change(s, place, 1.0, 1.0 * opened[n])
        log_p, product = _times(log_p, product, p)
    for n in range(text.tokens_of[w]):
        _change(s, place, -1.0, -1.0 * opened[n])
    return log_p + math.log(product)


@njit
def sweep_simulated(s, text, order, parameters, power, generator) -> int:
    """Draw tag and tables of every type in turn, from the present ones and one simulation for each other tag.

    The present tables count as the simulation of the present tag, so the exact posterior of tags and tables is
    invariant. Return how many tags changed.
    """
    words, tag_of, M, moves = text.words, text.tag_of, text.M, 0
    longest, most = _longest(text)
    depths, opened = np.empty(longest, np.int64), np.empty(most, np.bool_)
    best_depths, best_opened = np.empty(longest, np.int64), np.empty(most, np.bool_)
    for w in order:
        mine, before, tokens = _mine(text, w), tag_of[w], text.tokens_of[w]
        n = len(mine)
        weight = remove_simulated(s, text, w, parameters, best_depths, best_opened, generator)
        best, highest = before, weight * power + _gumbel(generator)
        for k in range(M - 1):
            if k == before:
                continue
            tag_of[w] = k
            weight = try_simulated(s, text, w, parameters, depths, opened, generator)
            value = weight * power + _gumbel(generator)
            if value > highest:
                best, highest = k, value
                best_depths[:n] = depths[:n]
                best_opened[:tokens] = opened[:tokens]
        tag_of[w] = best
        moves += best != before
        for at in range(n):
            _seat(s, M, _tags(words, tag_of, mine[at]), best_depths[at], parameters, generator)
        place = _emission_place(text, w)
        for at in range(tokens):
            _seat_emission(s, place, best_opened[at], parameters[0][3], generator)
    return moves


@njit
def _gumbel(generator):
    """Draw a Gumbel variable: the argmax of log weights plus Gumbel variables is a draw in proportion to the
    weights.
    """
    return -math.log(generator.standard_exponential())


@njit
def log_simulated(s, text, parameters) -> float:
    """Compute the log of the joint probability of words, tags and tables."""
    log_p, M, W, (discounts, concentrations) = 0.0, text.M, len(text.tokens_of), parameters
    rows = (0, M * M, M * M + M, M * M + M + 1, len(s.all_customers))
    cells = (0, M * M * M, M * M * M + M * M, M * M * M + M * M + M, len(s.customers))
    for level in range(4):
        a, b = discounts[level], concentrations[level]
        closed = math.lgamma(1.0 - a)
        for row in range(rows[level], rows[level + 1]):
            for table in range(int(s.all_tables[row])):
                log_p += math.log(b + a * table)
            if s.all_customers[row] > 0:
                log_p -= math.lgamma(b + s.all_customers[row]) - math.lgamma(b)
        for cell in range(cells[level], cells[level + 1]):
            table = s.head[cell]
            while table >= 0:
                log_p += math.lgamma(s.size[table] - a) - closed
                table = s.after[table]
    log_p -= s.all_tables[M * M + M] * math.log(M)
    for k in range(M - 1):
        log_p -= s.all_tables[M * M + M + 1 + k] * math.log(W)
    return log_p
