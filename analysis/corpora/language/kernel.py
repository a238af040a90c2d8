"""The drawing of derivations: from the start down, with spans, heads and variables, in compiled loops."""

import numpy as np

from analysis.structures.compiled import njit

_LEX = 1  # the code of the rule of leaves
_OPEN = 3


@njit(cache=True, nogil=True)
def _uniform(state: np.ndarray) -> float:
    """A number in [0, 1): SplitMix64."""
    state[0] = state[0] + np.uint64(0x9E3779B97F4A7C15)
    z = state[0]
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    z = z ^ (z >> np.uint64(31))
    return float(z >> np.uint64(11)) * (1.0 / 9007199254740992.0)


@njit(cache=True, nogil=True)
def _draw(cumulative: np.ndarray, first: int, last: int, u: float) -> int:
    """The first index in [first, last) whose cumulative probability is above u."""
    last -= 1
    while first < last:
        middle = (first + last) // 2
        if cumulative[middle] > u:
            last = middle
        else:
            first = middle + 1
    return first


@njit(cache=True, nogil=True)
def _find(link: np.ndarray, variable: int) -> int:
    while link[variable] != variable:
        link[variable] = link[link[variable]]
        variable = link[variable]
    return variable


@njit(cache=True, nogil=True)
def _join(link: np.ndarray, one: int, other: int) -> None:
    one = _find(link, one)
    other = _find(link, other)
    if one < other:
        link[other] = one
    elif other < one:
        link[one] = other


@njit(cache=True, nogil=True)
def draw_block(
    seed: np.uint64,
    utterances: int,
    longest: int,
    rule_first: np.ndarray,
    rule_cumulative: np.ndarray,
    rule_kind: np.ndarray,
    rule_daughters: np.ndarray,
    rule_head: np.ndarray,
    rule_relation: np.ndarray,
    entry_first: np.ndarray,
    entry_cumulative: np.ndarray,
    source: np.ndarray,
    status: np.ndarray,
    joined: np.ndarray,
    within: np.ndarray,
    parts: np.ndarray,
    leaf_class: np.ndarray,
    slots: np.ndarray,
    nodes: np.ndarray,
    tokens: np.ndarray,
    dependencies: np.ndarray,
) -> tuple[int, int, int, int]:
    """Fill nodes (sentence, parent, state, rule, start, end, head), tokens (sentence, position, entry, head, relation)
    and dependencies (sentence, functor, state, slot, spine, argument, range); return their numbers, and utterances
    that were drawn anew because they were longer than ``longest``, or -1 for nodes if an array is too small.
    """
    generator = np.empty(1, dtype=np.uint64)
    generator[0] = seed
    width = source.shape[2]
    room = 16 * longest
    stack_state = np.empty(room, dtype=np.int64)
    stack_parent = np.empty(room, dtype=np.int64)
    stack_pool = np.empty(room, dtype=np.int64)
    node_parent = np.empty(room, dtype=np.int64)
    node_state = np.empty(room, dtype=np.int64)
    node_rule = np.empty(room, dtype=np.int64)
    node_entry = np.empty(room, dtype=np.int64)
    node_pool = np.empty(room, dtype=np.int64)
    node_start = np.empty(room, dtype=np.int64)
    node_end = np.empty(room, dtype=np.int64)
    node_word = np.empty(room, dtype=np.int64)
    head_of = np.empty(longest + 2, dtype=np.int64)
    relation_of = np.empty(longest + 2, dtype=np.int64)
    pool = np.empty(room * width, dtype=np.int64)
    pool_status = np.empty(room * width, dtype=np.int64)
    link = np.empty(room * width, dtype=np.int64)
    word_of = np.empty(room * width, dtype=np.int64)
    edge_from = np.empty(room * width, dtype=np.int64)
    edge_to = np.empty(room * width, dtype=np.int64)
    new = np.empty(3 * width, dtype=np.int64)
    representative = np.empty(width + 1, dtype=np.int64)
    open_variables = np.empty(room * width, dtype=np.int64)
    filled = np.empty(longest + 1, dtype=np.bool_)
    n_nodes = 0
    n_tokens = 0
    n_dependencies = 0
    redrawn = 0
    sentence = 0
    while sentence < utterances:
        # the derivation
        count = 0
        words = 0
        n_pool = 0
        n_variables = 0
        n_edges = 0
        stack_state[0] = 0
        stack_parent[0] = -1
        stack_pool[0] = -1
        depth = 1
        too_long = False
        while depth > 0:
            depth -= 1
            state = stack_state[depth]
            parent = stack_parent[depth]
            place = stack_pool[depth]
            rule = -1
            while rule_first[state] < rule_first[state + 1]:
                u = _uniform(generator)
                rule = _draw(rule_cumulative, rule_first[state], rule_first[state + 1], u)
                if rule_kind[rule] != 0:
                    break
                state = rule_daughters[rule, 0]
                rule = -1
            if place < 0:  # the root: all its variables are new
                place = n_pool
                for part in range(parts[state]):
                    pool[place + part] = n_variables
                    pool_status[place + part] = _OPEN
                    link[n_variables] = n_variables
                    word_of[n_variables] = 0
                    n_variables += 1
                n_pool += parts[state]
            node = count
            count += 1
            node_parent[node] = parent
            node_state[node] = state
            node_pool[node] = place
            node_rule[node] = rule
            if rule < 0:
                words += 1
                if words + depth > longest:
                    too_long = True
                    break
                u = _uniform(generator)
                node_entry[node] = _draw(entry_cumulative, entry_first[state], entry_first[state + 1], u)
                node_start[node] = words - 1
                for number in range(width + 1):
                    representative[number] = -1
                for part in range(parts[state]):
                    number = leaf_class[state, part]
                    if representative[number] < 0:
                        representative[number] = pool[place + part]
                    else:
                        _join(link, representative[number], pool[place + part])
                continue
            # what the daughters refer to
            for k in range(3 * width):
                new[k] = -1
            for k in range(width):
                if joined[rule, k, 0] < 0:
                    break
                _join(link, pool[place + joined[rule, k, 0]], pool[place + joined[rule, k, 1]])
            two = rule_daughters[rule, 1] >= 0
            for side in range(2 if two else 1):
                daughter = rule_daughters[rule, side]
                where = n_pool
                for part in range(parts[daughter]):
                    origin = source[rule, side, part]
                    if origin >= 0:
                        pool[where + part] = pool[place + origin]
                    else:
                        k = -1 - origin
                        if new[k] < 0:
                            new[k] = n_variables
                            link[n_variables] = n_variables
                            word_of[n_variables] = 0
                            n_variables += 1
                        pool[where + part] = new[k]
                    how = status[rule, side, part]
                    pool_status[where + part] = how if how >= 0 else pool_status[place - 1 - how]
                n_pool += parts[daughter]
            for k in range(width):
                if within[rule, k, 0] < 0:
                    break
                edge_from[n_edges] = pool[place + within[rule, k, 0]]
                edge_to[n_edges] = new[within[rule, k, 1]]
                n_edges += 1
            if two:
                stack_state[depth] = rule_daughters[rule, 1]
                stack_parent[depth] = node
                stack_pool[depth] = n_pool - parts[rule_daughters[rule, 1]]
                depth += 1
            stack_state[depth] = rule_daughters[rule, 0]
            stack_parent[depth] = node
            stack_pool[depth] = where - parts[rule_daughters[rule, 0]] if two else where
            depth += 1
            if words + depth > longest or count + depth + 2 > room or n_pool + 4 * width > room * width:
                too_long = True
                break
        if too_long:
            redrawn += 1
            continue
        if (
            n_nodes + count > nodes.shape[0]
            or n_tokens + words > tokens.shape[0]
            or n_dependencies + 8 * words * words > dependencies.shape[0]
        ):
            return -1, 0, 0, 0
        # spans and head words, from the leaves up
        for node in range(count):
            node_word[node] = 0
        for node in range(count - 1, -1, -1):
            if node_rule[node] < 0:
                node_end[node] = node_start[node] + 1
                node_word[node] = node_start[node] + 1
        for node in range(count - 1, 0, -1):
            parent = node_parent[node]
            rule = node_rule[parent]
            left = node == parent + 1
            if left:
                node_start[parent] = node_start[node]
                if rule_daughters[rule, 1] < 0:
                    node_end[parent] = node_end[node]
            else:
                node_end[parent] = node_end[node]
            if rule_head[rule] == (0 if left else 1):
                node_word[parent] = node_word[node]
        for position in range(words + 1):
            head_of[position] = 0
            relation_of[position] = 0
        for node in range(1, count):
            parent = node_parent[node]
            if node_word[node] != node_word[parent]:
                head_of[node_word[node]] = node_word[parent]
                relation_of[node_word[node]] = rule_relation[node_rule[parent]]
        # the words fill their variables
        for node in range(count):
            if node_rule[node] < 0:
                for part in range(parts[node_state[node]]):
                    if leaf_class[node_state[node], part] == 0:
                        word_of[_find(link, pool[node_pool[node] + part])] = node_word[node]
        for node in range(count):
            row = n_nodes + node
            nodes[row, 0] = sentence
            nodes[row, 1] = node
            nodes[row, 2] = node_parent[node]
            nodes[row, 3] = node_state[node]
            nodes[row, 4] = rule_kind[node_rule[node]] if node_rule[node] >= 0 else _LEX
            nodes[row, 5] = node_start[node]
            nodes[row, 6] = node_end[node]
            nodes[row, 7] = rule_head[node_rule[node]] if node_rule[node] >= 0 else -1
            if node_rule[node] >= 0:
                continue
            position = node_word[node]
            row = n_tokens + position - 1
            tokens[row, 0] = sentence
            tokens[row, 1] = position
            tokens[row, 2] = node_entry[node]
            tokens[row, 3] = head_of[position]
            tokens[row, 4] = relation_of[position]
            state = node_state[node]
            for k in range(slots.shape[1]):
                if slots[state, k, 0] == 0:
                    break
                part = node_pool[node] + slots[state, k, 2]
                for number in range(words + 1):
                    filled[number] = False
                n_open = 1
                open_variables[0] = _find(link, pool[part])
                while n_open > 0:
                    n_open -= 1
                    variable = open_variables[n_open]
                    if word_of[variable] > 0:
                        filled[word_of[variable]] = True
                    for edge in range(n_edges):
                        if _find(link, edge_from[edge]) == variable:
                            open_variables[n_open] = _find(link, edge_to[edge])
                            n_open += 1
                for argument in range(1, words + 1):
                    if filled[argument]:
                        dependencies[n_dependencies, 0] = sentence
                        dependencies[n_dependencies, 1] = position
                        dependencies[n_dependencies, 2] = state
                        dependencies[n_dependencies, 3] = slots[state, k, 0]
                        dependencies[n_dependencies, 4] = slots[state, k, 1]
                        dependencies[n_dependencies, 5] = argument
                        dependencies[n_dependencies, 6] = pool_status[part]
                        n_dependencies += 1
        n_nodes += count
        n_tokens += words
        sentence += 1
    return n_nodes, n_tokens, n_dependencies, redrawn
