"""Kernels of CCG induction: packed forests, inside and expected counts, k best derivations, and the best derivation.

A forest is a list of nodes, daughters before parents; the edges of a node are consecutive. The last node of a sentence
is TOP. Scores are natural logarithms of the probabilities of rules.
"""

from typing import Any, NamedTuple

import numpy as np

from analysis.structures.compiled import njit

NEGATIVE = -1e300
TIE = 1e-10

#: Kinds of rules.
LEXICAL, UNARY, BINARY, CONJUNCT, COORDINATION, PUNCTUATION = 0, 1, 2, 3, 4, 5

#: What heads a coordination of X1 and X2, by number: see ``CONVENTIONS`` in `ccg_induction`.
CHAIN, FIRST, SECOND, CONJUNCTION, LAST = 0, 1, 2, 3, 4


class Tables(NamedTuple):
    """A grammar as arrays; a symbol is a category with what the rules need to know of its history."""

    n_symbols: int
    pair_start: np.ndarray  # first pair of each left symbol
    pair_right: np.ndarray
    pair_symbol: np.ndarray
    pair_rule: np.ndarray
    unary_start: np.ndarray
    unary_symbol: np.ndarray
    unary_rule: np.ndarray
    word_start: np.ndarray  # by tag; one more tag, without entries, for unknown ones
    word_symbol: np.ndarray
    word_rule: np.ndarray
    top_rule: np.ndarray  # row 0: any string, row 1: string with a verb; -1 = not a root
    is_verb: np.ndarray  # by tag
    late: np.ndarray  # symbols that a unary rule makes


class Forest(NamedTuple):
    """Forests of all sentences, one after the other."""

    first_edge: np.ndarray  # of each node; one more than there are nodes
    rule: np.ndarray
    left: np.ndarray  # daughter, -1 in a leaf
    right: np.ndarray  # -1 in a leaf and a unary edge
    first_node: np.ndarray  # of each sentence; one more than there are sentences
    weights: np.ndarray  # frequency of each sentence


@njit
def _larger(array: np.ndarray, rows: Any) -> np.ndarray:
    """Copy a table into one with at least so many rows; itself if it has them."""
    if rows <= len(array):
        return array
    size = max(rows, 2 * len(array))
    made = np.empty((size, array.shape[1]), dtype=array.dtype)
    target, source = made.reshape(-1), array.reshape(-1)
    for i in range(len(source)):
        target[i] = source[i]
    return made


@njit
def _number(start: Any, end: Any) -> Any:
    """Number the spans of a sentence."""
    return end * (end - 1) // 2 + start


class Cell(NamedTuple):
    """What the symbols of the current cell need: place of a symbol in it (-1 = none), and the symbol of each place."""

    where: np.ndarray
    made: np.ndarray
    order: np.ndarray


@njit
def _place(cell: Cell, symbol: Any, count: Any) -> Any:
    """Add a symbol to the cell if it is new; return the number of symbols."""
    if cell.where[symbol] < 0:
        cell.made[count] = symbol
        cell.where[symbol] = count
        return count + 1
    return count


@njit
def _combine(
    start: int, end: int, nodes: np.ndarray, chart: tuple, pending: np.ndarray, tables: Tables, cell: Cell
) -> tuple:
    """Apply binary rules; return the number of symbols, the edges (place, rule, left, right) and their number."""
    cells, at = chart
    count, n_pending = 0, 0
    for split in range(start + 1, end):
        beside = at[_number(split, end)]
        for a in range(cells[0, start, split], cells[1, start, split]):
            begin, stop = tables.pair_start[nodes[a, 0]], tables.pair_start[nodes[a, 0] + 1]
            pending = _larger(pending, n_pending + stop - begin)
            for k in range(begin, stop):
                b = beside[tables.pair_right[k]]
                if b < 0:
                    continue
                count = _place(cell, tables.pair_symbol[k], count)
                pending[n_pending, 0] = cell.where[tables.pair_symbol[k]]
                pending[n_pending, 1] = tables.pair_rule[k]
                pending[n_pending, 2], pending[n_pending, 3] = a, b
                n_pending += 1
    return count, pending, n_pending


@njit
def _lexical(tag: Any, pending: np.ndarray, tables: Tables, cell: Cell) -> tuple:
    """Put the categories of a word into its cell."""
    count = 0
    begin, stop = tables.word_start[tag], tables.word_start[tag + 1]
    pending = _larger(pending, stop - begin)
    for k in range(begin, stop):
        pending[k - begin, 0], pending[k - begin, 1] = count, tables.word_rule[k]
        pending[k - begin, 2], pending[k - begin, 3] = -1, -1
        count = _place(cell, tables.word_symbol[k], count)
    return count, pending, stop - begin


@njit
def _unary(base: int, count: Any, pending: np.ndarray, n_pending: Any, tables: Tables, cell: Cell) -> tuple:
    """Put what unary rules make after all other symbols, and apply these rules."""
    ordinary = 0
    for late in (False, True):
        for place in range(count):
            if tables.late[cell.made[place]] == late:
                cell.order[place] = ordinary
                ordinary += 1
    for edge in range(n_pending):
        pending[edge, 0] = cell.order[pending[edge, 0]]
    for place in range(count):
        cell.where[cell.made[place]] = cell.order[place]
    for place in range(count):  # the order of places by number
        cell.order[place] = cell.made[place]
    ordinary = 0
    for place in range(count):
        cell.made[cell.where[cell.order[place]]] = cell.order[place]
        ordinary += not tables.late[cell.order[place]]
    for place in range(ordinary):
        source = cell.made[place]
        for k in range(tables.unary_start[source], tables.unary_start[source + 1]):
            count = _place(cell, tables.unary_symbol[k], count)
            pending = _larger(pending, n_pending + 1)
            pending[n_pending, 0], pending[n_pending, 1] = cell.where[tables.unary_symbol[k]], tables.unary_rule[k]
            pending[n_pending, 2], pending[n_pending, 3] = base + place, -1
            n_pending += 1
    return count, pending, n_pending


@njit
def _has_verb(words: np.ndarray, tables: Tables) -> int:
    for word in words:
        if tables.is_verb[word]:
            return 1
    return 0


@njit
def build_forest(words: np.ndarray, tables: Tables, prune: bool) -> tuple:
    """Parse one sentence; with ``prune`` only what is in a complete derivation is returned.

    Returns the nodes (symbol, -1 = TOP, start, end), the first edge of each node, and the edges (rule, left, right).
    Nothing is returned if there is no derivation and ``prune`` is set.
    """
    n = len(words)
    at = np.full((n * (n + 1) // 2, tables.n_symbols), -1, dtype=np.int32)
    made, order = np.empty(tables.n_symbols, np.int32), np.empty(tables.n_symbols, np.int32)
    nodes, edges = np.empty((256, 3), np.int32), np.empty((1024, 3), np.int32)
    first_edge = np.zeros((257, 1), np.int64)
    cells = np.zeros((2, n + 1, n + 1), dtype=np.int32)
    pending = np.empty((1024, 4), np.int32)
    base, n_edges = 0, 0
    for length in range(1, n + 1):
        for start in range(n - length + 1):
            end = start + length
            cell = Cell(at[_number(start, end)], made, order)
            if length == 1:
                count, pending, n_pending = _lexical(words[start], pending, tables, cell)
            else:
                count, pending, n_pending = _combine(start, end, nodes, (cells, at), pending, tables, cell)
            count, pending, n_pending = _unary(base, count, pending, n_pending, tables, cell)
            nodes, first_edge = _larger(nodes, base + count + 1), _larger(first_edge, base + count + 2)
            edges = _larger(edges, n_edges + n_pending)
            for place in range(count):
                nodes[base + place, 0], nodes[base + place, 1], nodes[base + place, 2] = cell.made[place], start, end
                cell.where[cell.made[place]] = base + place
                cell.order[place] = 0
            for edge in range(n_pending):
                cell.order[pending[edge, 0]] += 1
            for place in range(count):
                first_edge[base + place, 0] = n_edges
                n_edges += cell.order[place]
                cell.order[place] = 0
            for edge in range(n_pending):
                place = pending[edge, 0]
                to = first_edge[base + place, 0] + cell.order[place]
                cell.order[place] += 1
                edges[to, 0], edges[to, 1], edges[to, 2] = pending[edge, 1], pending[edge, 2], pending[edge, 3]
            cells[0, start, end], cells[1, start, end] = base, base + count
            base += count
    first_edge[base, 0] = n_edges
    edges = _larger(edges, n_edges + tables.n_symbols)
    verb = _has_verb(words, tables)
    for a in range(cells[0, 0, n], cells[1, 0, n]):
        if tables.top_rule[verb, nodes[a, 0]] >= 0:
            edges[n_edges, 0], edges[n_edges, 1], edges[n_edges, 2] = tables.top_rule[verb, nodes[a, 0]], a, -1
            n_edges += 1
    nodes[base, 0], nodes[base, 1], nodes[base, 2] = -1, 0, n
    first_edge[base + 1, 0] = n_edges
    nodes, first, edges = nodes[: base + 1], first_edge[: base + 2].copy().reshape(-1), edges[:n_edges]
    return _pruned(nodes, first, edges) if prune else (nodes.copy(), first, edges.copy())


@njit
def _pruned(nodes: np.ndarray, first_edge: np.ndarray, edges: np.ndarray) -> tuple:
    """Keep the nodes and edges that TOP reaches."""
    n = len(nodes)
    number = np.full(n, -1, dtype=np.int32)
    n_edges, n_nodes = 0, 0
    if first_edge[n] > first_edge[n - 1]:
        number[n - 1] = 0
    for node in range(n - 1, -1, -1):
        if number[node] < 0:
            continue
        n_edges += first_edge[node + 1] - first_edge[node]
        for edge in range(first_edge[node], first_edge[node + 1]):
            for column in (1, 2):
                if edges[edge, column] >= 0:
                    number[edges[edge, column]] = 0
    for node in range(n):
        if number[node] >= 0:
            number[node] = n_nodes
            n_nodes += 1
    kept, ways = np.empty((n_nodes, 3), np.int32), np.empty((n_edges, 3), np.int32)
    first = np.zeros(n_nodes + 1, np.int64)
    at = 0
    for node in range(n):
        own = number[node]
        if own < 0:
            continue
        kept[own, 0], kept[own, 1], kept[own, 2] = nodes[node, 0], nodes[node, 1], nodes[node, 2]
        for edge in range(first_edge[node], first_edge[node + 1]):
            ways[at, 0] = edges[edge, 0]
            for column in (1, 2):
                ways[at, column] = number[edges[edge, column]] if edges[edge, column] >= 0 else -1
            at += 1
        first[own + 1] = at
    return kept, first, ways


@njit
def _edge_score(edge: int, forest: Forest, scores: np.ndarray, values: np.ndarray) -> float:
    score = scores[forest.rule[edge]]
    if forest.left[edge] >= 0:
        score += values[forest.left[edge]]
    if forest.right[edge] >= 0:
        score += values[forest.right[edge]]
    return score


@njit
def inside(forest: Forest, scores: np.ndarray, values: np.ndarray) -> float:
    """Fill in the log inside probability of each node; return the log-likelihood of the sentences with weights."""
    for node in range(len(forest.first_edge) - 1):
        best = NEGATIVE
        for edge in range(forest.first_edge[node], forest.first_edge[node + 1]):
            best = max(best, _edge_score(edge, forest, scores, values))
        total = 0.0
        if best > NEGATIVE / 2:
            for edge in range(forest.first_edge[node], forest.first_edge[node + 1]):
                total += np.exp(_edge_score(edge, forest, scores, values) - best)
            best += np.log(total)
        values[node] = best
    total = 0.0
    for sentence in range(len(forest.weights)):
        total += forest.weights[sentence] * values[forest.first_node[sentence + 1] - 1]
    return total


@njit
def expected_counts(forest: Forest, scores: np.ndarray, values: np.ndarray, counts: np.ndarray) -> None:
    """Add the expected number of uses of each rule, given the log inside probabilities."""
    share = np.zeros(len(values))
    for sentence in range(len(forest.weights)):
        root = forest.first_node[sentence + 1] - 1
        if values[root] > NEGATIVE / 2:
            share[root] = forest.weights[sentence]
    for node in range(len(values) - 1, -1, -1):
        if share[node] == 0.0:
            continue
        for edge in range(forest.first_edge[node], forest.first_edge[node + 1]):
            part = share[node] * np.exp(_edge_score(edge, forest, scores, values) - values[node])
            counts[forest.rule[edge]] += part
            if forest.left[edge] >= 0:
                share[forest.left[edge]] += part
            if forest.right[edge] >= 0:
                share[forest.right[edge]] += part


class Lists(NamedTuple):
    """The derivations found of each node of one sentence, best first, and the candidates for the next one."""

    found: np.ndarray  # number of derivations
    state: np.ndarray  # 0 not looked at, 1 has candidates, 2 has no more derivations
    edge: np.ndarray  # shape (n_nodes, k), as the three below
    left: np.ndarray  # rank of the derivation of the left daughter
    right: np.ndarray
    score: np.ndarray
    size: np.ndarray  # number of candidates
    first: np.ndarray  # place of the first candidate
    heap: np.ndarray  # edge and both ranks
    heap_score: np.ndarray


@njit
def _before(lists: Lists, one: Any, other: Any) -> bool:
    """Decide whether a candidate comes before another: by score, then by edge and ranks."""
    if lists.heap_score[one] != lists.heap_score[other]:
        return lists.heap_score[one] > lists.heap_score[other]
    for column in range(3):
        if lists.heap[one, column] != lists.heap[other, column]:
            return lists.heap[one, column] < lists.heap[other, column]
    return False


@njit
def _swap(lists: Lists, one: Any, other: Any) -> None:
    score = lists.heap_score[one]
    lists.heap_score[one] = lists.heap_score[other]
    lists.heap_score[other] = score
    for column in range(3):
        kept = lists.heap[one, column]
        lists.heap[one, column] = lists.heap[other, column]
        lists.heap[other, column] = kept


@njit
def _sink(lists: Lists, first: Any, size: Any, place: Any) -> None:
    while True:
        below = 2 * place + 1
        if below >= size:
            return
        if below + 1 < size and _before(lists, first + below + 1, first + below):
            below += 1
        if not _before(lists, first + below, first + place):
            return
        _swap(lists, first + below, first + place)
        place = below


@njit
def _push(lists: Lists, node: Any, edge: Any, left: Any, right: Any, score: float) -> None:
    first, place = lists.first[node], lists.size[node]
    lists.heap[first + place, 0], lists.heap[first + place, 1], lists.heap[first + place, 2] = edge, left, right
    lists.heap_score[first + place] = score
    lists.size[node] += 1
    while place > 0:
        above = (place - 1) // 2
        if not _before(lists, first + place, first + above):
            return
        _swap(lists, first + place, first + above)
        place = above


@njit
def _has(node: Any, rank: Any, base: Any, forest: Forest, scores: np.ndarray, best: np.ndarray, lists: Lists) -> bool:
    """Find the derivations of a node up to a rank (from 0); whether there are so many (Huang & Chiang, algorithm 3)."""
    if lists.found[node] > rank:
        return True
    if lists.state[node] == 2:
        return False
    if lists.state[node] == 0:
        first, size = lists.first[node], 0
        for edge in range(forest.first_edge[base + node], forest.first_edge[base + node + 1]):
            score = _edge_score(edge, forest, scores, best)
            if score > NEGATIVE / 2:
                lists.heap[first + size, 0], lists.heap[first + size, 1], lists.heap[first + size, 2] = edge, 0, 0
                lists.heap_score[first + size] = score
                size += 1
        lists.size[node], lists.state[node] = size, 1
        for place in range(size // 2 - 1, -1, -1):
            _sink(lists, first, size, place)
    while lists.found[node] <= rank:
        done = lists.found[node]
        if done > 0:
            edge, i, j = lists.edge[node, done - 1], lists.left[node, done - 1], lists.right[node, done - 1]
            one, two = forest.left[edge] - base, forest.right[edge] - base
            if forest.left[edge] >= 0:
                fixed = scores[forest.rule[edge]]
                if j == 0 and _has(one, i + 1, base, forest, scores, best, lists):
                    other = lists.score[two, j] if forest.right[edge] >= 0 else 0.0
                    _push(lists, node, edge, i + 1, j, fixed + lists.score[one, i + 1] + other)
                if forest.right[edge] >= 0 and _has(two, j + 1, base, forest, scores, best, lists):
                    _push(lists, node, edge, i, j + 1, fixed + lists.score[one, i] + lists.score[two, j + 1])
        if lists.size[node] == 0:
            lists.state[node] = 2
            return False
        first = lists.first[node]
        edge = lists.heap[first, 0]
        lists.edge[node, done], lists.score[node, done] = edge, lists.heap_score[first]
        lists.left[node, done], lists.right[node, done] = lists.heap[first, 1], lists.heap[first, 2]
        lists.size[node] -= 1
        _swap(lists, first, first + lists.size[node])
        _sink(lists, first, lists.size[node], 0)
        lists.found[node] += 1
        if forest.left[edge] >= 0:  # whoever reads this derivation reads those of its daughters
            _has(forest.left[edge] - base, lists.left[node, done], base, forest, scores, best, lists)
        if forest.right[edge] >= 0:
            _has(forest.right[edge] - base, lists.right[node, done], base, forest, scores, best, lists)
    return True


@njit
def _best_values(forest: Forest, scores: np.ndarray, values: np.ndarray) -> None:
    for node in range(len(values)):
        best = NEGATIVE
        for edge in range(forest.first_edge[node], forest.first_edge[node + 1]):
            best = max(best, _edge_score(edge, forest, scores, values))
        values[node] = best


@njit
def k_best_counts(forest: Forest, scores: np.ndarray, k: int, equal: bool, counts: np.ndarray) -> float:
    """Add the expected number of uses of each rule in the k best derivations of each sentence.

    A derivation has its share of the probability of the k, or with ``equal`` 1/k. Returns the log-probability of the
    best derivations, with weights.
    """
    best = np.empty(len(forest.first_edge) - 1)
    _best_values(forest, scores, best)
    most_nodes, most_edges = 1, 1
    for sentence in range(len(forest.weights)):
        begin, end = forest.first_node[sentence], forest.first_node[sentence + 1]
        most_nodes = max(most_nodes, end - begin)
        most_edges = max(most_edges, forest.first_edge[end] - forest.first_edge[begin])
    room = most_edges + 2 * k * most_nodes
    lists = Lists(
        np.zeros(most_nodes, np.int64), np.zeros(most_nodes, np.int64), np.empty((most_nodes, k), np.int64),
        np.empty((most_nodes, k), np.int64), np.empty((most_nodes, k), np.int64), np.empty((most_nodes, k)),
        np.zeros(most_nodes, np.int64), np.zeros(most_nodes, np.int64), np.empty((room, 3), np.int64), np.empty(room),
    )  # fmt: skip
    share = np.empty((most_nodes, k))
    total = 0.0
    for sentence in range(len(forest.weights)):
        base, end = forest.first_node[sentence], forest.first_node[sentence + 1]
        root, at = end - 1 - base, 0
        for node in range(end - base):
            lists.found[node], lists.state[node], lists.size[node], lists.first[node] = 0, 0, 0, at
            at += forest.first_edge[base + node + 1] - forest.first_edge[base + node] + 2 * k
        if root < 0 or not _has(root, 0, base, forest, scores, best, lists):
            continue
        _has(root, k - 1, base, forest, scores, best, lists)
        weight = forest.weights[sentence]
        total += weight * lists.score[root, 0]
        for node in range(root + 1):
            for rank in range(lists.found[node]):
                share[node, rank] = 0.0
        mass = 0.0
        for rank in range(lists.found[root]):
            share[root, rank] = 1.0 if equal else np.exp(lists.score[root, rank] - lists.score[root, 0])
            mass += share[root, rank]
        for rank in range(lists.found[root]):
            share[root, rank] *= weight / mass
        for node in range(root, -1, -1):
            for rank in range(lists.found[node]):
                part = share[node, rank]
                if part == 0.0:
                    continue
                edge = lists.edge[node, rank]
                counts[forest.rule[edge]] += part
                if forest.left[edge] >= 0:
                    share[forest.left[edge] - base, lists.left[node, rank]] += part
                if forest.right[edge] >= 0:
                    share[forest.right[edge] - base, lists.right[node, rank]] += part
    return total


class Chart(NamedTuple):
    """The best items so far: symbol, rule, left and right item; their scores."""

    item: np.ndarray
    score: np.ndarray  # shape (n, 1)


@njit
def _offer(chart: Chart, where: np.ndarray, count: Any, made: tuple, value: float) -> Any:
    """Keep an item if it is new in its cell, or better; return the number of items."""
    if value <= NEGATIVE / 2:
        return count
    place = where[made[0]]
    if place < 0:
        place = count
        where[made[0]] = place
        count += 1
    elif value <= chart.score[place, 0] + TIE:
        return count
    item = chart.item
    item[place, 0], item[place, 1], item[place, 2], item[place, 3] = made
    chart.score[place, 0] = value
    return count


@njit
def _best_of_cell(
    start: int, end: int, chart: Chart, cells: np.ndarray, at: np.ndarray, count: Any, tables: Tables,
    scores: np.ndarray,
) -> Any:  # fmt: skip
    """Apply binary and then unary rules to the best items; return the number of items."""
    item, score, base, where = chart.item, chart.score, count, at[_number(start, end)]
    for split in range(start + 1, end):
        beside = at[_number(split, end)]
        for a in range(cells[0, start, split], cells[1, start, split]):
            for k in range(tables.pair_start[item[a, 0]], tables.pair_start[item[a, 0] + 1]):
                b = beside[tables.pair_right[k]]
                if b >= 0:
                    made = (tables.pair_symbol[k], tables.pair_rule[k], a, b)
                    count = _offer(chart, where, count, made, scores[made[1]] + score[a, 0] + score[b, 0])
    return _raise_best(base, chart, count, tables, scores, where)


@njit
def _raise_best(base: Any, chart: Chart, count: Any, tables: Tables, scores: np.ndarray, where: np.ndarray) -> Any:
    for a in range(base, count):
        source = chart.item[a, 0]
        if tables.late[source]:
            continue
        for k in range(tables.unary_start[source], tables.unary_start[source + 1]):
            made = (tables.unary_symbol[k], tables.unary_rule[k], a, -1)
            count = _offer(chart, where, count, made, scores[made[1]] + chart.score[a, 0])
    return count


@njit
def best_derivation(words: np.ndarray, tables: Tables, scores: np.ndarray) -> tuple:
    """Find the best derivation of a sentence, without its forest.

    Returns its nodes in preorder (symbol, rule, start, end, parent), none if there is no derivation, and its score.
    Of equal derivations the one with the first split is returned.
    """
    n = len(words)
    at = np.full((n * (n + 1) // 2, tables.n_symbols), -1, dtype=np.int32)
    item, score = np.empty((1024, 4), np.int32), np.empty((1024, 1))
    cells = np.zeros((2, n + 1, n + 1), dtype=np.int32)
    count = 0
    for length in range(1, n + 1):
        for start in range(n - length + 1):
            end, base = start + length, count
            item, score = _larger(item, count + tables.n_symbols), _larger(score, count + tables.n_symbols)
            chart = Chart(item, score)
            if length == 1:
                tag, where = words[start], at[_number(start, end)]
                for k in range(tables.word_start[tag], tables.word_start[tag + 1]):
                    made = (tables.word_symbol[k], tables.word_rule[k], -1, -1)
                    count = _offer(chart, where, count, made, scores[made[1]])
                count = _raise_best(base, chart, count, tables, scores, where)
            else:
                count = _best_of_cell(start, end, chart, cells, at, count, tables, scores)
            cells[0, start, end], cells[1, start, end] = base, count
    root, best, verb = -1, NEGATIVE, _has_verb(words, tables)
    for a in range(cells[0, 0, n], cells[1, 0, n]):
        rule = tables.top_rule[verb, item[a, 0]]
        if rule >= 0 and scores[rule] + score[a, 0] > max(best, NEGATIVE / 2):
            root, best = a, scores[rule] + score[a, 0]
    return _preorder(root, item, n), best


@njit
def _preorder(root: Any, item: np.ndarray, n: int) -> np.ndarray:
    """List the nodes below an item: symbol, rule, start, end, parent."""
    rows = np.empty((4 * n, 5), np.int32)
    count = 0
    if root >= 0:
        stack = np.empty((4 * n, 2), np.int32)  # item, parent
        stack[0, 0], stack[0, 1] = root, -1
        size, word = 1, 0
        while size > 0:
            size -= 1
            at, parent = stack[size, 0], stack[size, 1]
            rows[count, 0], rows[count, 1], rows[count, 4] = item[at, 0], item[at, 1], parent
            rows[count, 2], rows[count, 3] = word, word + 1
            for column in (3, 2):
                if item[at, column] >= 0:
                    stack[size, 0], stack[size, 1] = item[at, column], count
                    size += 1
            if item[at, 2] < 0:
                word += 1
            count += 1
        for row in range(count - 1, 0, -1):
            above = rows[row, 4]
            rows[above, 3] = max(rows[above, 3], rows[row, 3])
    return rows[:count]


@njit
def word_heads(rows: np.ndarray, kind: np.ndarray, side: np.ndarray, convention: int, heads: np.ndarray) -> None:
    """Fill in the heads of the words of one derivation; positions from 1, 0 is the root.

    ``kind`` and ``side`` (0 = left, 1 = right daughter is the head) are of the rules.
    """
    n = len(rows)
    head, mark = np.zeros(n, np.int64), np.zeros(n, np.int64)  # head word; conjunction that is not attached yet
    daughters = np.full((n, 2), -1, dtype=np.int64)
    for row in range(n - 1, 0, -1):
        above = rows[row, 4]
        daughters[above, 1] = daughters[above, 0]
        daughters[above, 0] = row
    for row in range(n - 1, -1, -1):
        own = kind[rows[row, 1]]
        one, two = daughters[row, 0], daughters[row, 1]
        if own == LEXICAL:
            head[row] = rows[row, 3]
        elif own == UNARY:
            head[row], mark[row] = head[one], mark[one]
        elif own == CONJUNCT:
            if convention in (CHAIN, CONJUNCTION):
                head[row] = head[one]
                heads[head[two] - 1] = head[one]
            else:
                head[row] = head[two]
                mark[row] = head[one]
                if convention != FIRST:
                    heads[head[one] - 1] = head[two]
        elif own == COORDINATION and convention in (CONJUNCTION, LAST):
            head[row] = head[two]
            heads[head[one] - 1] = head[two]
        else:
            top, other = (two, one) if side[rows[row, 1]] == 1 else (one, two)
            head[row] = head[top]
            heads[head[other] - 1] = head[top]
            if own == COORDINATION and convention == FIRST:
                heads[mark[two] - 1] = head[top]
            if own == PUNCTUATION:
                mark[row] = mark[top]
    heads[head[0] - 1] = 0
