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
LEAST = 1e-300  # smaller products may have lost digits
NONE = 1e-9  # fewer expected customers than this count as none
LANES = 64  # tags that are weighed side by side


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

    groups: np.ndarray  # tags of equal events, -1 for the type's own, how many there are, and where their joint end
    number: np.ndarray  # [i, j, k] number of the group of those tags, or -1
    turned: np.ndarray  # [0 or 1, site] customers and tables of transitions, in every order of the tags
    filled: np.ndarray  # whether they are there
    places: np.ndarray  # [group, level] slot of its counts, or -1; their site with the first tag, and the step of sites
    joint: np.ndarray  # level, lane and slot of what a group shares with others if the type has the lane's tag
    shared: np.ndarray  # [slot, 0 or 1, lane] customers and tables that several groups change
    ready: np.ndarray  # [slot] whether it holds the counts of all tags


@njit
def room(text: Text) -> Room:
    """Room for the type with the most events."""
    M = text.M
    most = min(_longest(text), 3 * M * M + 3 * M + 1)  # no more groups can differ
    return Room(
        np.empty((most, 5), np.int64), np.full((M + 1) ** 3, -1, np.int32),
        np.zeros((2, M * (3 * M * M + 4 * M + 2) + LANES)), np.zeros(1, np.bool_),
        np.empty((most, 5, 3), np.int64), np.empty((10 * most, 3), np.int64),
        np.zeros((9 * (M + 1), 2, LANES)), np.empty(9 * (M + 1), np.bool_),
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


@njit(forceinline=True)
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


@njit(forceinline=True)
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
def _add_expected(s, M, tags, times, levels):
    """Add an event so many times with the expected number of new tables, and return log and rest of its probability."""
    (a3, a2, a1, _), (b3, b2, b1, _) = levels
    cell3, row3 = _trigram(M, tags)
    cell2, row2 = _bigram(M, tags)
    cell1, row1 = _unigram(M, tags)
    n3, t3, all3, every3 = s.customers[cell3], s.tables[cell3], s.all_customers[row3], s.all_tables[row3]
    n2, t2, all2, every2 = s.customers[cell2], s.tables[cell2], s.all_customers[row2], s.all_tables[row2]
    n1, t1, all1, every1 = s.customers[cell1], s.tables[cell1], s.all_customers[row1], s.all_tables[row1]
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


@njit(forceinline=True)
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


@njit(forceinline=True)
def _remove_expected(s, M, tags):
    gone = _take(s, _trigram(M, tags), 1.0)
    gone = _take(s, _bigram(M, tags), gone)
    _take(s, _unigram(M, tags), gone)


@njit(error_model="numpy", forceinline=True)
def _emit_expected(s, text, w, first, last, parameters, log_p) -> None:
    """Set ``log_p`` to the log probability that a type without tokens has all its own from the tag, of up to LANES."""
    M, W, n = text.M, len(text.tokens_of), last - first
    discount, concentration = parameters[0][3], parameters[1][3]
    start = M * M + M + 1 + first
    work = np.empty((5, LANES))  # tables, all tables, all customers, product, log probability
    for lane in range(n):
        work[0, lane], work[1, lane], work[2, lane] = 0.0, s.all_tables[start + lane], s.all_customers[start + lane]
        work[3, lane], work[4, lane] = 1.0, 0.0
    for token in range(text.tokens_of[w]):
        for lane in range(n):
            new = (concentration + discount * work[1, lane]) / W
            whole = token - discount * work[0, lane] + new
            work[3, lane] *= whole / (work[2, lane] + token + concentration)
            work[0, lane] += new / whole
            work[1, lane] += new / whole
        if token % 8 == 7:
            for lane in range(n):
                work[4, lane] += math.log(work[3, lane])
                work[3, lane] = 1.0
    for lane in range(n):
        log_p[first + lane] = work[4, lane] + math.log(work[3, lane])


@njit(error_model="numpy", forceinline=True)
def _add_emissions(s, text, w, parameters):
    """Add the tokens of a type with their expected tables; return their log probability."""
    (cell, row), W = _emission_place(text, w), len(text.tokens_of)
    discount, concentration = parameters[0][3], parameters[1][3]
    customers, every, tables, log_p, product = s.all_customers[row], s.all_tables[row], 0.0, 0.0, 1.0
    for token in range(text.tokens_of[w]):
        new = (concentration + discount * every) / W
        whole = token - discount * tables + new
        product *= whole / (customers + token + concentration)
        tables += new / whole
        every += new / whole
        if token % 8 == 7:
            log_p += math.log(product)
            product = 1.0
    _change(s, (cell, row), float(text.tokens_of[w]), tables)
    return log_p + math.log(product)


@njit
def build_expected(s, text, parameters) -> float:
    """Seat the whole text in order, from empty restaurants; return the log probability of tags and words."""
    clear(s)
    total, product = 0.0, 1.0
    words, tag_of, M, levels = text.words, text.tag_of, text.M, _levels(parameters)
    for e in text.places:
        log, rest = _add_expected(s, M, _tags(words, tag_of, e), 1, levels)
        total, product = _times(total + log, product, rest)
    total += math.log(product)
    for w in range(len(text.tokens_of)):
        total += _add_emissions(s, text, w, parameters)
    return total


@njit
def group(text: Text, w: int, room: Room) -> int:
    """Note the events of a type, equal ones together, in the order of their first ones; return how many differ."""
    words, tag_of, M, events, found = text.words, text.tag_of, text.M, text.events, 0
    groups, number = room.groups, room.number
    for at in range(text.event_start[w], text.event_start[w + 1]):
        e = events[at]
        i, j, k = _tags(words, tag_of, e)
        i, j, k = -1 if words[e - 2] == w else i, -1 if words[e - 1] == w else j, -1 if words[e] == w else k
        key = ((i + 1) * (M + 1) + j + 1) * (M + 1) + k + 1
        if number[key] < 0:
            number[key] = found
            groups[found, 0], groups[found, 1], groups[found, 2], groups[found, 3] = i, j, k, 0
            found += 1
        groups[number[key], 3] += 1
    for at in range(found):
        number[((groups[at, 0] + 1) * (M + 1) + groups[at, 1] + 1) * (M + 1) + groups[at, 2] + 1] = -1
    return found


@njit(forceinline=True)
def _with_tag(note, k):
    """Tags of a group of events if those of the type are k."""
    return k if note[0] < 0 else note[0], k if note[1] < 0 else note[1], k if note[2] < 0 else note[2]


# Tags are weighed side by side, in the lanes of vector instructions. Each lane has counts of its own, copied from those
# without the type. So that the counts of all tags lie side by side, those of transitions are there in every order of
# the tags ("turned"). What two groups change is copied once, to a slot. If the type has the tag k, groups whose tags
# differ in nothing but k and the type's own change the same counts: in the lane of k, they go to the slot in which k is
# the type's own.


@njit(forceinline=True)
def _sites(M, note, tags):
    """Where the counts of an event are: cell and row of the trigram, cell and row of the bigram, cell of the unigram.

    They lie such that the first tag of the type's own in ``note`` is the last index.
    """
    (own1, own2, _), (i, j, k) = note, tags
    M2, M3 = M * M, M * M * M
    if own1 < 0:
        cell3 = (j * M + k) * M + i
    elif own2 < 0:
        cell3 = M3 + (i * M + k) * M + j
    else:
        cell3 = 2 * M3 + (i * M + j) * M + k
    row3 = 3 * M3 + (j * M + i if own1 < 0 else M2 + i * M + j)
    cell2 = 3 * M3 + 2 * M2 + (k * M + j if own2 < 0 else M2 + j * M + k)
    return cell3, row3, cell2, 3 * M3 + 4 * M2 + j, 3 * M3 + 4 * M2 + M + k


@njit(forceinline=True)
def _turn_event(s, M, tags, turned):
    """Copy the counts of an event in every order."""
    (cell3, row3), (cell2, row2), (cell1, _) = _trigram(M, tags), _bigram(M, tags), _unigram(M, tags)
    site3, at3, site2, at2, site1 = _sites(M, (-1, 0, 0), tags)
    turned[0, site3], turned[1, site3] = s.customers[cell3], s.tables[cell3]
    turned[0, at3], turned[1, at3] = s.all_customers[row3], s.all_tables[row3]
    turned[0, site2], turned[1, site2] = s.customers[cell2], s.tables[cell2]
    turned[0, at2], turned[1, at2] = s.all_customers[row2], s.all_tables[row2]
    turned[0, site1], turned[1, site1] = s.customers[cell1], s.tables[cell1]
    site3, at3, site2, _, _ = _sites(M, (0, -1, 0), tags)
    turned[0, site3], turned[1, site3] = s.customers[cell3], s.tables[cell3]
    turned[0, at3], turned[1, at3] = s.all_customers[row3], s.all_tables[row3]
    turned[0, site2], turned[1, site2] = s.customers[cell2], s.tables[cell2]
    site3 = _sites(M, (0, 0, -1), tags)[0]
    turned[0, site3], turned[1, site3] = s.customers[cell3], s.tables[cell3]


@njit
def _turn(s, M, turned) -> None:
    """Copy all counts of transitions in every order."""
    customers, tables, M3 = s.customers, s.tables, M * M * M
    for i in range(M):
        for j in range(M):
            _turn_event(s, M, (i, j, i), turned)  # all pairs are in such events
            for k in range(M):
                cell = (i * M + j) * M + k
                for site in ((j * M + k) * M + i, M3 + (i * M + k) * M + j, 2 * M3 + cell):
                    turned[0, site], turned[1, site] = customers[cell], tables[cell]


@njit(forceinline=True)
def _slots(M, i, j, k):
    """The slots of the same counts, of a group of events; -1 for those that no other group of the type has."""
    Q, cell3, row3, cell2 = M + 1, -1, -1, -1
    if i < 0 and j < 0:
        cell3 = k + 1
    elif i < 0 and k < 0:
        cell3 = Q + j + 1
    elif j < 0 and k < 0:
        cell3 = 2 * Q + i + 1
    if i < 0:
        row3 = 3 * Q + j + 1
    elif j < 0:
        row3 = 4 * Q + i + 1
    if j < 0:
        cell2 = 5 * Q + k + 1
    elif k < 0:
        cell2 = 6 * Q + j + 1
    return cell3, row3, cell2, 7 * Q + j + 1, 8 * Q + k + 1


@njit(forceinline=True)
def _prepare(M, first, n, found, room) -> None:
    """Find the counts of each group, and copy those that several groups change."""
    groups, turned, places, joint = room.groups, room.turned, room.places, room.joint
    shared, ready, end = room.shared, room.ready, 0
    ready[:] = False
    for at in range(found):
        note = groups[at, 0], groups[at, 1], groups[at, 2]
        i, j, k = note
        slots = _slots(M, i, j, k)
        sites, following = _sites(M, note, _with_tag(note, first)), _sites(M, note, _with_tag(note, first + 1))
        for level in range(5):
            slot, site, step = slots[level], sites[level], following[level] - sites[level]
            places[at, level, 0], places[at, level, 1], places[at, level, 2] = slot, site, step
            if slot >= 0 and not ready[slot]:
                ready[slot], start = True, np.uint64(site)  # never negative: the compiler makes vector instructions
                if step == 1:
                    for lane in range(LANES):
                        shared[slot, 0, lane] = turned[0, start + np.uint64(lane)]
                        shared[slot, 1, lane] = turned[1, start + np.uint64(lane)]
                elif step == 0:
                    customers, tables = turned[0, site], turned[1, site]
                    for lane in range(LANES):
                        shared[slot, 0, lane] = customers
                        shared[slot, 1, lane] = tables
                else:
                    for lane in range(n):
                        shared[slot, 0, lane] = turned[0, site + lane * step]
                        shared[slot, 1, lane] = turned[1, site + lane * step]
        for tag in note:
            if first <= tag < first + n:
                lane = tag - first
                others = _slots(M, -1 if i == tag else i, -1 if j == tag else j, -1 if k == tag else k)
                for level in range(5):
                    slot = others[level]
                    if slot != slots[level]:
                        joint[end, 0], joint[end, 1], joint[end, 2] = level, lane, slot
                        end += 1
                        if not ready[slot]:
                            site = sites[level] + lane * (following[level] - sites[level])
                            shared[slot, 0, lane], shared[slot, 1, lane] = turned[0, site], turned[1, site]
        groups[at, 4] = end


@njit(error_model="numpy", forceinline=True)
def _seat_lanes(work, sums, n, M, levels) -> int:
    """Add an event in all lanes as `_add_expected` does; return in how many its probability is as good as lost."""
    (a3, a2, a1, _), (b3, b2, b1, _) = levels
    low = 0
    for lane in range(n):
        n3, t3, all3, every3 = work[0, 0, lane], work[0, 1, lane], work[1, 0, lane], work[1, 1, lane]
        n2, t2, all2, every2 = work[2, 0, lane], work[2, 1, lane], work[3, 0, lane], work[3, 1, lane]
        n1, t1, all1, every1 = work[4, 0, lane], work[4, 1, lane], work[5, 0, lane], work[5, 1, lane]
        new1 = (b1 + a1 * every1) / M
        whole1 = n1 - a1 * t1 + new1
        new2 = (b2 + a2 * every2) * (whole1 / (all1 + b1))
        whole2 = n2 - a2 * t2 + new2
        new3 = (b3 + a3 * every3) * (whole2 / (all2 + b2))
        whole3 = n3 - a3 * t3 + new3
        product = sums[3, lane] * (whole3 / (all3 + b3))
        sums[3, lane] = product
        low += product < TINY
        share3 = new3 / whole3
        share2 = share3 * (new2 / whole2)
        share1 = share2 * (new1 / whole1)
        work[0, 0, lane], work[0, 1, lane] = n3 + 1.0, t3 + share3
        work[1, 0, lane], work[1, 1, lane] = all3 + 1.0, every3 + share3
        work[2, 0, lane], work[2, 1, lane] = n2 + share3, t2 + share2
        work[3, 0, lane], work[3, 1, lane] = all2 + share3, every2 + share2
        work[4, 0, lane], work[4, 1, lane] = n1 + share2, t1 + share1
        work[5, 0, lane], work[5, 1, lane] = all1 + share2, every1 + share1
    return low


@njit(forceinline=True)
def _weigh(s, M, first, found, parameters, room, weights) -> None:
    """Add to the weights of up to LANES tags the log probabilities of adding all events of a type with each."""
    groups, turned, places, joint, shared = room.groups, room.turned, room.places, room.joint, room.shared
    n, start, levels = min(M - 1 - first, LANES), 0, _levels(parameters)
    wide = (n + 7) // 8 * 8
    work, sums = np.zeros((6, 2, LANES)), np.empty((4, LANES))
    _prepare(M, first, n, found, room)
    row = _unigram(M, (0, 0, 0))[1]
    for lane in range(LANES):
        work[5, 0, lane], work[5, 1, lane] = s.all_customers[row], s.all_tables[row]
        sums[0, lane], sums[1, lane] = 0.0, 1.0
    for at in range(found):
        for level in range(5):
            slot, site = places[at, level, 0], np.uint64(places[at, level, 1])
            if slot >= 0:
                for lane in range(LANES):
                    work[level, 0, lane] = shared[slot, 0, lane]
                    work[level, 1, lane] = shared[slot, 1, lane]
            elif level == 0:
                for lane in range(LANES):
                    work[level, 0, lane] = turned[0, site + np.uint64(lane)]
                    work[level, 1, lane] = turned[1, site + np.uint64(lane)]
            else:  # neither dish nor restaurant has the type's own tag
                customers, tables = turned[0, site], turned[1, site]
                for lane in range(LANES):
                    work[level, 0, lane] = customers
                    work[level, 1, lane] = tables
        for which in range(start, groups[at, 4]):
            level, lane, slot = joint[which, 0], joint[which, 1], joint[which, 2]
            work[level, 0, lane], work[level, 1, lane] = shared[slot, 0, lane], shared[slot, 1, lane]
        for lane in range(LANES):
            sums[2, lane], sums[3, lane] = 0.0, 1.0
        for _ in range(groups[at, 3]):
            if _seat_lanes(work, sums, wide, M, levels):
                _rescue(sums, 2, 3)
        low = 0
        for lane in range(LANES):
            sums[0, lane] += sums[2, lane]
            sums[2, lane] = sums[1, lane]
            sums[1, lane] *= sums[3, lane]
            low += sums[1, lane] < TINY
        if low:
            _join(sums)
        for level in range(5):
            slot = places[at, level, 0]
            if slot >= 0:
                for lane in range(LANES):
                    shared[slot, 0, lane] = work[level, 0, lane]
                    shared[slot, 1, lane] = work[level, 1, lane]
        for which in range(start, groups[at, 4]):
            level, lane, slot = joint[which, 0], joint[which, 1], joint[which, 2]
            shared[slot, 0, lane], shared[slot, 1, lane] = work[level, 0, lane], work[level, 1, lane]
        start = groups[at, 4]
    for lane in range(n):
        weights[first + lane] += sums[0, lane] + math.log(sums[1, lane])


@njit
def _rescue(sums, log, product) -> None:
    """Move products that would underflow to the logarithms."""
    for lane in range(LANES):
        if sums[product, lane] < TINY:
            sums[log, lane] += math.log(sums[product, lane])
            sums[product, lane] = 1.0


@njit
def _join(sums) -> None:
    """As `_rescue`, of the product of two factors, which may have underflowed although neither has."""
    for lane in range(LANES):
        if sums[1, lane] < LEAST:
            sums[0, lane] += math.log(sums[2, lane]) + math.log(sums[3, lane])
            sums[1, lane] = 1.0
    _rescue(sums, 0, 1)


@njit(forceinline=True, no_cpython_wrapper=False)
def weights_expected(s, text, w, parameters, room, weights) -> int:
    """Take type w out of the counts, and set ``weights`` to the log probabilities of adding it with each tag.

    Equal events are added together, in the order of their first ones; returns how many differ.
    """
    words, tag_of, M, events, turned = text.words, text.tag_of, text.M, text.events, room.turned
    if not room.filled[0]:
        room.filled[0] = True
        _turn(s, M, turned)
    for at in range(text.event_start[w + 1] - 1, text.event_start[w] - 1, -1):
        tags = _tags(words, tag_of, events[at])
        _remove_expected(s, M, tags)
        _turn_event(s, M, tags, turned)
    _take(s, _emission_place(text, w), float(text.tokens_of[w]))
    found = group(text, w, room)
    for first in range(0, M - 1, LANES):
        _emit_expected(s, text, w, first, min(first + LANES, M - 1), parameters, weights)
        _weigh(s, M, first, found, parameters, room, weights)
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
    tag_of, M, moves, levels = text.tag_of, text.M, 0, _levels(parameters)
    notes, weights = room(text), np.empty(text.M - 1)
    groups, turned = notes.groups, notes.turned
    for w in order:
        before = tag_of[w]
        found = weights_expected(s, text, w, parameters, notes, weights)
        k = draw(weights, power, generator)
        tag_of[w] = k
        moves += k != before
        for at in range(found):
            tags = _with_tag((groups[at, 0], groups[at, 1], groups[at, 2]), k)
            _add_expected(s, M, tags, groups[at, 3], levels)
            _turn_event(s, M, tags, turned)
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
