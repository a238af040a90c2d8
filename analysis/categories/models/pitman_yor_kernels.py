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

The counts of a cell lie side by side in memory, and so do those of a row: ``customers`` and ``tables`` are every other
number of one array.

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
    cells, rows = np.zeros((M * M * M + M * M + M + W, 2)), np.zeros((M * M + M + 1 + K, 2))
    after = np.arange(1, room + 1)
    return Seating(
        cells[:, 0], cells[:, 1], rows[:, 0], rows[:, 1], np.full(len(cells), -1), np.zeros(room, np.int64), after,
        np.zeros(1, np.int64),
    )  # fmt: skip


def packed(s: Seating) -> Seating:
    """A copy whose counts lie as those of `empty` do."""
    cells, rows = np.column_stack([s.customers, s.tables]), np.column_stack([s.all_customers, s.all_tables])
    lists = (part.copy() for part in s[4:])
    return Seating(cells[:, 0], cells[:, 1], rows[:, 0], rows[:, 1], *lists)


class Room(NamedTuple):
    """Where the events of a type are noted while its tag is drawn."""

    undo: np.ndarray  # what was there before each group of events
    groups: np.ndarray  # tags of equal events, -1 for the type's own, and how many there are
    number: np.ndarray  # [i, j, k] number of the group of those tags, or -1
    emission: np.ndarray  # of each tag: expected tables, all tables, product


@njit
def room(text: Text) -> Room:
    """Room for the type with the most events."""
    events = _longest(text)
    return Room(
        np.empty((events, 12)), np.empty((events, 4), np.int64), np.full((text.M + 1) ** 3, -1, np.int32),
        np.empty((3, text.M - 1)),
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


@njit(error_model="numpy")
def _add_expected(s, M, tags, times, parameters, undo, at):
    """Add an event so many times with the expected number of new tables, and return log and rest of its probability.

    If ``at`` is not negative, note in ``undo[at]`` what was there before.
    """
    (a3, a2, a1, _), (b3, b2, b1, _) = _levels(parameters)
    cell3, row3 = _trigram(M, tags)
    cell2, row2 = _bigram(M, tags)
    cell1, row1 = _unigram(M, tags)
    n3, t3, all3, every3 = s.customers[cell3], s.tables[cell3], s.all_customers[row3], s.all_tables[row3]
    n2, t2, all2, every2 = s.customers[cell2], s.tables[cell2], s.all_customers[row2], s.all_tables[row2]
    n1, t1, all1, every1 = s.customers[cell1], s.tables[cell1], s.all_customers[row1], s.all_tables[row1]
    if at >= 0:
        note = undo[at]
        note[0], note[1], note[2], note[3] = n3, t3, all3, every3
        note[4], note[5], note[6], note[7] = n2, t2, all2, every2
        note[8], note[9], note[10], note[11] = n1, t1, all1, every1
    log_p, product = 0.0, 1.0
    for _ in range(times):
        new1 = (b1 + a1 * every1) / M
        whole1 = n1 - a1 * t1 + new1
        new2 = (b2 + a2 * every2) * (whole1 / (all1 + b1))
        whole2 = n2 - a2 * t2 + new2
        new3 = (b3 + a3 * every3) * (whole2 / (all2 + b2))
        whole3 = n3 - a3 * t3 + new3
        log_p, product = _times(log_p, product, whole3 / (all3 + b3))
        share3 = new3 / whole3
        share2 = share3 * (new2 / whole2)
        share1 = share2 * (new1 / whole1)
        n3, t3, all3, every3 = n3 + 1.0, t3 + share3, all3 + 1.0, every3 + share3
        n2, t2, all2, every2 = n2 + share3, t2 + share2, all2 + share3, every2 + share2
        n1, t1, all1, every1 = n1 + share2, t1 + share1, all1 + share2, every1 + share1
    s.customers[cell3], s.tables[cell3], s.all_customers[row3], s.all_tables[row3] = n3, t3, all3, every3
    s.customers[cell2], s.tables[cell2], s.all_customers[row2], s.all_tables[row2] = n2, t2, all2, every2
    s.customers[cell1], s.tables[cell1], s.all_customers[row1], s.all_tables[row1] = n1, t1, all1, every1
    return log_p, product


@njit(forceinline=True)
def _levels(parameters):
    a, b = parameters
    return (a[0], a[1], a[2], a[3]), (b[0], b[1], b[2], b[3])


@njit
def _undo(s, M, tags, note):
    cell, row = _trigram(M, tags)
    s.customers[cell], s.tables[cell], s.all_customers[row], s.all_tables[row] = note[0], note[1], note[2], note[3]
    cell, row = _bigram(M, tags)
    s.customers[cell], s.tables[cell], s.all_customers[row], s.all_tables[row] = note[4], note[5], note[6], note[7]
    cell, row = _unigram(M, tags)
    s.customers[cell], s.tables[cell], s.all_customers[row], s.all_tables[row] = note[8], note[9], note[10], note[11]


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


@njit(error_model="numpy")
def _emit_expected(s, text, w, first, last, parameters, emission, log_p) -> None:
    """Of tags ``first`` to ``last``: log probability that a type without tokens has all its own from the tag.

    Sets ``emission[0]`` to their expected tables.
    """
    M, W = text.M, len(text.tokens_of)
    discount, concentration = parameters[0][3], parameters[1][3]
    tables, every, product = emission
    start = M * M + M + 1
    for k in range(first, last):
        tables[k], every[k], product[k], log_p[k] = 0.0, s.all_tables[start + k], 1.0, 0.0
    for n in range(text.tokens_of[w]):
        for k in range(first, last):
            new = (concentration + discount * every[k]) / W
            whole = n - discount * tables[k] + new
            product[k] *= whole / (s.all_customers[start + k] + n + concentration)
            tables[k] += new / whole
            every[k] += new / whole
        if n % 8 == 7:
            for k in range(first, last):
                log_p[k] += math.log(product[k])
                product[k] = 1.0
    for k in range(first, last):
        log_p[k] += math.log(product[k])


@njit
def _add_emissions(s, text, w, parameters, emission, log_p):
    """Add the tokens of a type with their expected tables; return their log probability."""
    k = text.tag_of[w]
    _emit_expected(s, text, w, k, k + 1, parameters, emission, log_p)
    _change(s, _emission_place(text, w), float(text.tokens_of[w]), emission[0, k])
    return log_p[k]


@njit
def build_expected(s, text, parameters) -> float:
    """Seat the whole text in order, from empty restaurants; return the log probability of tags and words."""
    clear(s)
    total, product = 0.0, 1.0
    nothing, emission, log_p = np.empty((0, 12)), np.empty((3, text.M - 1)), np.empty(text.M - 1)
    words, tag_of, M = text.words, text.tag_of, text.M
    for e in text.places:
        log, rest = _add_expected(s, M, _tags(words, tag_of, e), 1, parameters, nothing, -1)
        total, product = _times(total + log, product, rest)
    total += math.log(product)
    for w in range(len(text.tokens_of)):
        total += _add_emissions(s, text, w, parameters, emission, log_p)
    return total


@njit
def group(text: Text, w: int, room: Room) -> int:
    """Note the events of a type, equal ones together, in the order of their first ones; return how many differ."""
    words, tag_of, M, found = text.words, text.tag_of, text.M, 0
    for e in _mine(text, w):
        i, j, k = _tags(words, tag_of, e)
        i, j, k = -1 if words[e - 2] == w else i, -1 if words[e - 1] == w else j, -1 if words[e] == w else k
        key = ((i + 1) * (M + 1) + j + 1) * (M + 1) + k + 1
        if room.number[key] < 0:
            room.number[key] = found
            note = room.groups[found]
            note[0], note[1], note[2], note[3] = i, j, k, 0
            found += 1
        room.groups[room.number[key], 3] += 1
    for at in range(found):
        note = room.groups[at]
        room.number[((note[0] + 1) * (M + 1) + note[1] + 1) * (M + 1) + note[2] + 1] = -1
    return found


@njit(forceinline=True)
def _with_tag(note, k):
    """Tags of a group of events if those of the type are k."""
    return k if note[0] < 0 else note[0], k if note[1] < 0 else note[1], k if note[2] < 0 else note[2]


@njit
def weights_expected(s, text, w, parameters, room, weights) -> int:
    """Take type w out of the counts, and set ``weights`` to the log probabilities of adding it with each tag.

    Equal events are added together, in the order of their first ones; returns how many differ.
    """
    words, tag_of, M, events = text.words, text.tag_of, text.M, _mine(text, w)
    for at in range(len(events) - 1, -1, -1):
        _remove_expected(s, M, _tags(words, tag_of, events[at]))
    _take(s, _emission_place(text, w), float(text.tokens_of[w]))
    _emit_expected(s, text, w, 0, M - 1, parameters, room.emission, weights)
    groups, undo, found = room.groups, room.undo, group(text, w, room)
    for k in range(M - 1):
        total, product = 0.0, 1.0
        for at in range(found):
            log, rest = _add_expected(s, M, _with_tag(groups[at], k), groups[at, 3], parameters, undo, at)
            total, product = _times(total + log, product, rest)
        weights[k] += total + math.log(product)
        for at in range(found - 1, -1, -1):
            _undo(s, M, _with_tag(groups[at], k), undo[at])
    return found


@njit
def _longest(text):
    """The most events of a type."""
    events = 0
    for w in range(len(text.tokens_of)):
        events = max(events, text.event_start[w + 1] - text.event_start[w])
    return events


@njit
def sweep_expected(s, text, order, parameters, power, generator) -> int:
    """Draw the tag of every type in turn; return how many changed."""
    tag_of, M, moves = text.tag_of, text.M, 0
    notes, weights = room(text), np.empty(text.M - 1)
    for w in order:
        before = tag_of[w]
        found = weights_expected(s, text, w, parameters, notes, weights)
        tag_of[w] = draw(weights, power, generator)
        moves += tag_of[w] != before
        for at in range(found):
            tags = _with_tag(notes.groups[at], tag_of[w])
            _add_expected(s, M, tags, notes.groups[at, 3], parameters, notes.undo, -1)
        _add_emissions(s, text, w, parameters, notes.emission, weights)
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
    longest, most = _longest(text), text.tokens_of.max()
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
