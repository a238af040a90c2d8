"""Kernels that draw derivations top-down, with spans, heads and variables."""

from typing import NamedTuple

import numpy as np

from analysis.structures.compiled import njit

_LEX = 1  # the code of the rule of leaves
_OPEN = 3
_POOL, _VARIABLES, _EDGES = 0, 1, 2


@njit(nogil=True)
def _uniform(state: np.ndarray) -> float:
    """Draw a number in [0, 1) with SplitMix64."""
    state[0] = state[0] + np.uint64(0x9E3779B97F4A7C15)
    z = state[0]
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    z = z ^ (z >> np.uint64(31))
    return float(z >> np.uint64(11)) * (1.0 / 9007199254740992.0)


@njit(nogil=True)
def _draw(cumulative: np.ndarray, first: int, last: int, u: float) -> int:
    """Return the first index in [first, last) whose cumulative probability is above u."""
    last -= 1
    while first < last:
        middle = (first + last) // 2
        if cumulative[middle] > u:
            last = middle
        else:
            first = middle + 1
    return first


@njit(nogil=True)
def _find(link: np.ndarray, variable: int) -> int:
    while link[variable] != variable:
        link[variable] = link[link[variable]]
        variable = link[variable]
    return variable


@njit(nogil=True)
def _join(link: np.ndarray, one: int, other: int) -> None:
    one = _find(link, one)
    other = _find(link, other)
    if one < other:
        link[other] = one
    elif other < one:
        link[one] = other


class Grammar(NamedTuple):
    """Rules and lexicon of the language; for the last seven fields see `meaning.Variables`."""

    rule_first: np.ndarray  # start of each state's entries, and the end
    rule_cumulative: np.ndarray
    rule_kind: np.ndarray
    rule_daughters: np.ndarray
    rule_head: np.ndarray
    rule_relation: np.ndarray
    entry_first: np.ndarray
    entry_cumulative: np.ndarray
    source: np.ndarray
    status: np.ndarray
    joined: np.ndarray
    within: np.ndarray
    parts: np.ndarray
    leaf_class: np.ndarray
    slots: np.ndarray


class Drawing(NamedTuple):
    """One derivation while it is drawn: the stack, its nodes in preorder, its variables and its words."""

    size: np.ndarray  # used of the pool, variables, edges between variables
    stack_state: np.ndarray
    stack_parent: np.ndarray
    stack_pool: np.ndarray
    node_parent: np.ndarray
    node_state: np.ndarray
    node_rule: np.ndarray
    node_entry: np.ndarray
    node_pool: np.ndarray
    node_start: np.ndarray
    node_end: np.ndarray
    node_word: np.ndarray
    head_of: np.ndarray
    relation_of: np.ndarray
    pool: np.ndarray
    pool_status: np.ndarray
    link: np.ndarray
    word_of: np.ndarray
    edge_from: np.ndarray
    edge_to: np.ndarray
    open_variables: np.ndarray
    new: np.ndarray
    representative: np.ndarray
    filled: np.ndarray


def _room(longest: int, width: int) -> Drawing:
    """Allocate arrays for utterances of up to ``longest`` words."""
    nodes, variables = 16 * longest, 16 * longest * width
    sizes = (3, *[nodes] * 11, *[longest + 2] * 2, *[variables] * 7, 3 * width, width + 1, longest + 1)
    return Drawing(*(np.empty(size, dtype=np.int64) for size in sizes))


def draw_block(
    seed: np.uint64, utterances: int, longest: int, grammar: Grammar, nodes: np.ndarray, tokens: np.ndarray,
    dependencies: np.ndarray,
) -> tuple[int, int, int, int]:  # fmt: skip
    """Fill nodes (sentence, parent, state, rule, start, end, head), tokens (sentence, position, entry, head, relation)
    and dependencies (sentence, functor, state, slot, spine, argument, range); return their numbers, and utterances
    that were drawn again because they were longer than ``longest``, or -1 for nodes if an array is too small.
    """
    generator, drawing = np.array([seed], dtype=np.uint64), _room(longest, grammar.source.shape[2])
    return draw_all(generator, utterances, longest, grammar, drawing, nodes, tokens, dependencies)


@njit(nogil=True)
def draw_all(
    generator: np.ndarray, utterances: int, longest: int, grammar: Grammar, drawing: Drawing, nodes: np.ndarray,
    tokens: np.ndarray, dependencies: np.ndarray,
) -> tuple[int, int, int, int]:  # fmt: skip
    """Draw until there are enough utterances; see `draw_block`."""
    n_nodes, n_tokens, n_dependencies, redrawn, sentence = 0, 0, 0, 0, 0
    while sentence < utterances:
        count, words = _derive(generator, longest, grammar, drawing)
        if count < 0:
            redrawn += 1
            continue
        if (
            n_nodes + count > nodes.shape[0]
            or n_tokens + words > tokens.shape[0]
            or n_dependencies + 8 * words * words > dependencies.shape[0]
        ):
            return -1, 0, 0, 0
        _find_heads(count, words, grammar, drawing)
        _write(sentence, count, grammar, drawing, nodes[n_nodes:], tokens[n_tokens:])
        for node in range(count):
            if drawing.node_rule[node] < 0:
                n_dependencies = _write_dependencies(
                    sentence, node, words, grammar, drawing, dependencies, n_dependencies
                )
        n_nodes += count
        n_tokens += words
        sentence += 1
    return n_nodes, n_tokens, n_dependencies, redrawn


@njit(nogil=True, forceinline=True)
def _derive(generator: np.ndarray, longest: int, grammar: Grammar, drawing: Drawing) -> tuple[int, int]:
    """Draw a derivation top-down; return the numbers of nodes and words, or -1 for both if it is too long."""
    rule_first, rule_cumulative, rule_kind, rule_daughters = grammar[:4]
    entry_first, entry_cumulative, parts = grammar.entry_first, grammar.entry_cumulative, grammar.parts
    size, stack_state, stack_parent, stack_pool = drawing[:4]
    node_parent, node_state, node_rule, node_entry, node_pool, node_start = drawing[4:10]
    room, width = len(stack_state), grammar.source.shape[2]
    count, words, depth = 0, 0, 1
    size[:] = 0
    stack_state[0], stack_parent[0], stack_pool[0] = 0, -1, -1
    while depth > 0:
        depth -= 1
        state, place, rule = stack_state[depth], stack_pool[depth], -1
        while rule_first[state] < rule_first[state + 1]:
            u = _uniform(generator)
            rule = _draw(rule_cumulative, rule_first[state], rule_first[state + 1], u)
            if rule_kind[rule] != 0:
                break
            state = rule_daughters[rule, 0]
            rule = -1
        if place < 0:  # the root: all its variables are new
            place = size[_POOL]
            for part in range(parts[state]):
                drawing.pool[place + part] = _new_variable(size, drawing.link, drawing.word_of)
                drawing.pool_status[place + part] = _OPEN
            size[_POOL] += parts[state]
        node = count
        count += 1
        node_parent[node], node_state[node] = stack_parent[depth], state
        node_pool[node], node_rule[node] = place, rule
        if rule < 0:
            words += 1
            if words + depth > longest:
                return -1, -1
            u = _uniform(generator)
            node_entry[node] = _draw(entry_cumulative, entry_first[state], entry_first[state + 1], u)
            node_start[node] = words - 1
            _join_parts(state, place, grammar, drawing)
            continue
        where = _refer(rule, place, grammar, drawing)
        for side in (1, 0):
            daughter = rule_daughters[rule, side]
            if daughter >= 0:
                where -= parts[daughter]
                stack_state[depth], stack_parent[depth], stack_pool[depth] = daughter, node, where
                depth += 1
        if words + depth > longest or count + depth + 2 > room or size[_POOL] + 4 * width > room * width:
            return -1, -1
    return count, words


@njit(nogil=True, forceinline=True)
def _new_variable(size: np.ndarray, link: np.ndarray, word_of: np.ndarray) -> int:
    number = size[_VARIABLES]
    link[number] = number
    word_of[number] = 0
    size[_VARIABLES] += 1
    return number


@njit(nogil=True, forceinline=True)
def _join_parts(state: int, place: int, g: Grammar, d: Drawing) -> None:
    """Unify the parts of a leaf that share a variable."""
    pool, link, representative, leaf_class = d.pool, d.link, d.representative, g.leaf_class
    representative[:] = -1
    for part in range(g.parts[state]):
        number = leaf_class[state, part]
        if representative[number] < 0:
            representative[number] = pool[place + part]
        else:
            _join(link, representative[number], pool[place + part])


@njit(nogil=True, forceinline=True)
def _refer(rule: int, place: int, g: Grammar, d: Drawing) -> int:
    """Fill the pool with the variables of the daughters of a node; return the end of the pool."""
    source, status, joined, within, parts, rule_daughters = g.source, g.status, g.joined, g.within, g.parts, g[3]
    pool, pool_status, new, size, link, word_of = d.pool, d.pool_status, d.new, d.size, d.link, d.word_of
    width = source.shape[2]
    new[:] = -1
    for k in range(width):
        if joined[rule, k, 0] < 0:
            break
        _join(link, pool[place + joined[rule, k, 0]], pool[place + joined[rule, k, 1]])
    where = size[_POOL]
    for side in range(2):
        daughter = rule_daughters[rule, side]
        if daughter < 0:
            break
        for part in range(parts[daughter]):
            origin = source[rule, side, part]
            if origin >= 0:
                pool[where + part] = pool[place + origin]
            else:
                k = -1 - origin
                if new[k] < 0:
                    new[k] = _new_variable(size, link, word_of)
                pool[where + part] = new[k]
            how = status[rule, side, part]
            pool_status[where + part] = how if how >= 0 else pool_status[place - 1 - how]
        where += parts[daughter]
    size[_POOL] = where
    edge_from, edge_to, edge = d.edge_from, d.edge_to, size[_EDGES]
    for k in range(width):
        if within[rule, k, 0] < 0:
            break
        edge_from[edge] = pool[place + within[rule, k, 0]]
        edge_to[edge] = new[within[rule, k, 1]]
        edge += 1
    size[_EDGES] = edge
    return where


@njit(nogil=True, forceinline=True)
def _find_heads(count: int, words: int, g: Grammar, d: Drawing) -> None:
    """Compute spans, head words and heads of words bottom-up; words fill their variables."""
    node_parent, node_rule, node_word = d.node_parent, d.node_rule, d.node_word
    node_start, node_end, node_state, node_pool = d.node_start, d.node_end, d.node_state, d.node_pool
    head_of, relation_of, link, pool, word_of = d.head_of, d.relation_of, d.link, d.pool, d.word_of
    rule_daughters, rule_head, rule_relation, parts, leaf_class = g[3], g[4], g[5], g.parts, g.leaf_class
    for node in range(count):
        node_word[node] = 0
        if node_rule[node] < 0:
            node_end[node] = node_start[node] + 1
            node_word[node] = node_start[node] + 1
    for node in range(count - 1, 0, -1):
        parent = node_parent[node]
        rule = node_rule[parent]
        left = node == parent + 1
        if left:
            node_start[parent] = node_start[node]
        if not left or rule_daughters[rule, 1] < 0:
            node_end[parent] = node_end[node]
        if rule_head[rule] == (0 if left else 1):
            node_word[parent] = node_word[node]
    head_of[: words + 1] = 0
    relation_of[: words + 1] = 0
    for node in range(count):
        parent = node_parent[node]
        if node > 0 and node_word[node] != node_word[parent]:
            head_of[node_word[node]] = node_word[parent]
            relation_of[node_word[node]] = rule_relation[node_rule[parent]]
        if node_rule[node] < 0:
            for part in range(parts[node_state[node]]):
                if leaf_class[node_state[node], part] == 0:
                    word_of[_find(link, pool[node_pool[node] + part])] = node_word[node]


@njit(nogil=True, forceinline=True)
def _write(sentence: int, count: int, g: Grammar, d: Drawing, nodes: np.ndarray, tokens: np.ndarray) -> None:
    """Fill the rows of the nodes and words of a derivation."""
    node_parent, node_state, node_rule, node_entry, _, node_start, node_end, node_word, head_of, relation_of = d[4:14]
    rule_kind, rule_head = g.rule_kind, g.rule_head
    for node in range(count):
        rule = node_rule[node]
        nodes[node, 0], nodes[node, 1] = sentence, node
        nodes[node, 2], nodes[node, 3] = node_parent[node], node_state[node]
        nodes[node, 4] = rule_kind[rule] if rule >= 0 else _LEX
        nodes[node, 5], nodes[node, 6] = node_start[node], node_end[node]
        nodes[node, 7] = rule_head[rule] if rule >= 0 else -1
        if rule < 0:
            position = node_word[node]
            row = tokens[position - 1]
            row[0], row[1], row[2] = sentence, position, node_entry[node]
            row[3], row[4] = head_of[position], relation_of[position]


@njit(nogil=True, forceinline=True)
def _write_dependencies(
    sentence: int, node: int, words: int, g: Grammar, d: Drawing, dependencies: np.ndarray, n: int
) -> int:
    """Fill the rows of the dependencies of a word, from row n on; return the end of the rows."""
    slots, filled, open_variables, link, pool, word_of = g.slots, d.filled, d.open_variables, d.link, d.pool, d.word_of
    edge_from, edge_to, edges, pool_status = d.edge_from, d.edge_to, d.size[_EDGES], d.pool_status
    state, place, position = d.node_state[node], d.node_pool[node], d.node_word[node]
    for k in range(slots.shape[1]):
        if slots[state, k, 0] == 0:
            break
        part = place + slots[state, k, 2]
        filled[: words + 1] = 0
        n_open = 1
        open_variables[0] = _find(link, pool[part])
        while n_open > 0:
            n_open -= 1
            variable = open_variables[n_open]
            if word_of[variable] > 0:
                filled[word_of[variable]] = 1
            for edge in range(edges):
                if _find(link, edge_from[edge]) == variable:
                    open_variables[n_open] = _find(link, edge_to[edge])
                    n_open += 1
        for argument in range(1, words + 1):
            if filled[argument]:
                row = dependencies[n]
                row[0], row[1], row[2], row[3] = sentence, position, state, slots[state, k, 0]
                row[4], row[5], row[6] = slots[state, k, 1], argument, pool_status[part]
                n += 1
    return n
