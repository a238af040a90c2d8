"""Kernels of the normal-form parser: hashed counts, interpolation, and CKY with a beam."""

from typing import Any, NamedTuple

import numpy as np

from analysis.structures.compiled import njit

LEAF, UNARY, LEFT, RIGHT = 0, 1, 2, 3

# kinds of context, in the order in which levels are interpolated (least specific first)
EXPANSION, HEAD, SISTER, CATEGORY, WORD, ROOT = 0, 3, 6, 9, 11, 14

OUTCOME_BITS = 20
WORD_BITS, CATEGORY_BITS, PLACE_BITS = 20, 15, 17
CANDIDATE_BITS = 26
SLOTS = 2**16

TIE = 1e-9
NEGATIVE = -1e300


@njit
def context_key(kind: Any, place: Any, category: Any, word: Any) -> Any:
    """Hash a context to one number: its kind, a category, pair or rule, a lexical category and a word."""
    return ((np.int64(kind) * 131072 + place) * 32768 + category) * 1048576 + word


@njit
def _slot(key: Any, mask: Any) -> Any:
    mixed = key * np.int64(-7046029254386353131)
    mixed ^= mixed >> np.int64(29)
    return mixed & mask


@njit
def hash_table(keys: np.ndarray) -> np.ndarray:
    """Make a hash table with open addressing: for each slot the number of its key, or -1."""
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


@njit
def find(table: np.ndarray, keys: np.ndarray, key: Any) -> int:
    """Return the number of a key, or -1."""
    mask = len(table) - 1
    slot = _slot(key, mask)
    while table[slot] >= 0:
        if keys[table[slot]] == key:
            return table[slot]
        slot = (slot + 1) & mask
    return -1


@njit
def _level(lower: float, key: Any, outcome: int, smoothing: float, tables: tuple) -> float:
    """Interpolate the relative frequency of one level with the probability of the level below."""
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


@njit
def probability(
    kind: Any, levels: int, place: Any, category: Any, word: Any, outcome: int, smoothing: float, tables: tuple
) -> float:
    """Compute the probability of an outcome given (place), (place, category), (place, category, word), up to
    ``levels``.
    """
    p = max(_level(-1.0, context_key(kind, place, 0, 0), outcome, smoothing, tables), 0.0)
    if levels > 1:
        p = _level(p, context_key(kind + 1, place, category, 0), outcome, smoothing, tables)
    if levels > 2:
        p = _level(p, context_key(kind + 2, place, category, word), outcome, smoothing, tables)
    return p


@njit
def word_probability(
    levels: int, rule: int, category: Any, head_word: Any, word: Any, smoothing: float, tables: tuple
) -> float:
    """Compute the probability of a word given its lexical category, the rule that introduces it, and the head word."""
    p = max(_level(-1.0, context_key(WORD, 0, category, 0), word, smoothing, tables), 0.0)
    if levels > 1:
        p = _level(p, context_key(WORD + 1, rule, category, 0), word, smoothing, tables)
    if levels > 2:
        p = _level(p, context_key(WORD + 2, rule, category, head_word), word, smoothing, tables)
    return p


@njit
def category_probability(levels: int, sister: int, rule: int, category: Any, smoothing: float, tables: tuple) -> float:
    """Compute the probability of the head category of a sister, given the sister's category and the rule."""
    p = max(_level(-1.0, context_key(CATEGORY, sister, 0, 0), category, smoothing, tables), 0.0)
    if levels > 1:
        p = _level(p, context_key(CATEGORY + 1, rule, 0, 0), category, smoothing, tables)
    return p


@njit
def _log(p: float) -> float:
    return np.log(p) if p > 0 else NEGATIVE


@njit
def rule_score(
    rule: int, category: Any, word: Any, levels: int, rules: np.ndarray, smoothing: float, tables: tuple
) -> float:
    """Compute the log probability of expansion, head daughter and sister, given the parent and its head."""
    parent, kind, head, sister, pair, triple = rules[rule]
    score = _log(probability(EXPANSION, levels, parent, category, word, kind, smoothing, tables))
    score += _log(probability(HEAD, levels, pair, category, word, head, smoothing, tables))
    if sister >= 0:
        score += _log(probability(SISTER, levels, triple, category, word, sister, smoothing, tables))
    return score


@njit
def _grown(array: np.ndarray, size: int) -> np.ndarray:
    larger = np.empty((size, *array.shape[1:]), dtype=array.dtype)
    target, source = larger.reshape(-1), array.reshape(-1)
    for i in range(len(source)):  # the assignment of an array to a slice takes seconds to compile
        target[i] = source[i]
    return larger


class Entries(NamedTuple):
    """The candidate lexical categories of the words of a sentence."""

    position: np.ndarray
    candidate: np.ndarray  # its number in the lexicon
    category: np.ndarray
    word: np.ndarray
    score: np.ndarray
    prior: np.ndarray


class Lexicon(NamedTuple):
    """The candidate lexical categories of each of some words, one after the other."""

    start: np.ndarray  # the first of each word, and the end
    category: np.ndarray
    word: np.ndarray
    score: np.ndarray
    prior: np.ndarray


class Memory(NamedTuple):
    """Scores that were computed, each in the slot of its key until another one takes its place."""

    keys: np.ndarray  # 0: empty
    values: np.ndarray

    @classmethod
    def empty(cls) -> "Memory":
        """Make a memory of no score."""
        return cls(np.zeros(SLOTS, dtype=np.int64), np.zeros(SLOTS))


class Grammar(NamedTuple):
    """A fitted parser: rules by their daughters, and the tables for scoring them."""

    lexicalised: bool
    n_categories: int
    rules: np.ndarray
    static: np.ndarray  # score of each rule without head words
    pair_of: np.ndarray  # number of a pair of daughters, -1: no rule
    pair_start: np.ndarray
    pair_rules: np.ndarray
    unary_start: np.ndarray
    unary_rules: np.ndarray
    prior: np.ndarray  # log probability of each category
    root: np.ndarray  # log probability of each category as root
    smoothing: float
    tables: tuple
    by_rule: Memory  # scores of rules with a head, of sisters with both heads, and logarithms of frequencies
    by_sister: Memory
    by_head: Memory


class Chart(NamedTuple):
    """Items with their scores, the item of each category and head in the current cell, and cached rule scores."""

    item: np.ndarray  # category, entry of the head, rule (-1: leaf), left and right item
    score: np.ndarray
    where: np.ndarray
    memo: np.ndarray


@njit
def leaf_probabilities(
    levels: int, category: np.ndarray, word: np.ndarray, smoothing: float, tables: tuple
) -> np.ndarray:
    """Compute the probability that each category, with itself and a word as head, is a leaf."""
    found = np.empty(len(category))
    for i in range(len(category)):
        found[i] = probability(EXPANSION, levels, category[i], category[i], word[i], LEAF, smoothing, tables)
    return found


@njit
def parse_all(words: np.ndarray, edges: np.ndarray, lexicon: Lexicon, grammar: Grammar, beam: float) -> tuple:
    """Find the best derivation of each sentence.

    ``words`` are numbers in the lexicon, sentence after sentence, ``edges`` the first word of each sentence and the
    end. Returns the score of each sentence (NaN: no parse), and the nodes in preorder: sentence, node, parent,
    category, start, end, head daughter.
    """
    best, nodes, count = np.full(len(edges) - 1, np.nan), np.empty((4096, 7), dtype=np.int64), 0
    for sentence in range(len(edges) - 1):
        own = words[edges[sentence] : edges[sentence + 1]]
        root, score, item = parse(len(own), _entries(own, lexicon), grammar, beam)
        if root < 0:
            continue
        best[sentence] = score
        while count + len(item) > len(nodes):
            nodes = _grown(nodes, 2 * len(nodes))
        count = _write_tree(sentence, root, item, grammar.rules, nodes, count)
    return best, nodes[:count]


@njit
def _entries(words: np.ndarray, lexicon: Lexicon) -> Entries:
    """List the candidates of a sentence."""
    total = 0
    for word in words:
        total += lexicon.start[word + 1] - lexicon.start[word]
    position, place = np.empty(total, dtype=np.int64), np.empty(total, dtype=np.int64)
    count = 0
    for number in range(len(words)):
        for candidate in range(lexicon.start[words[number]], lexicon.start[words[number] + 1]):
            position[count], place[count] = number, candidate
            count += 1
    category, word, score, prior = lexicon.category, lexicon.word, lexicon.score, lexicon.prior
    return Entries(position, place, category[place], word[place], score[place], prior[place])


@njit
def _write_tree(sentence: int, root: int, item: np.ndarray, rules: np.ndarray, nodes: np.ndarray, count: int) -> int:
    """Add the nodes of a tree in preorder; return the number of nodes."""
    first, at, waiting = count, 0, 1
    stack = np.empty((len(item) + 1, 2), dtype=np.int64)
    stack[0, 0], stack[0, 1] = root, -1
    while waiting:
        waiting -= 1
        place, parent = stack[waiting]
        rule = item[place, 2]
        node = nodes[count]
        node[0], node[1], node[2], node[3] = sentence, count - first, parent, item[place, 0]
        node[4], node[5], node[6] = at, at + (rule < 0), -1
        if rule < 0:
            at += 1
        else:
            node[6] = rules[rule, 1] == RIGHT
            for side in (4, 3):
                if item[place, side] >= 0:
                    stack[waiting, 0], stack[waiting, 1] = item[place, side], count - first
                    waiting += 1
        count += 1
    for row in range(count - 1, first, -1):
        above = first + nodes[row, 2]
        nodes[above, 5] = max(nodes[above, 5], nodes[row, 5])
    return count


@njit
def parse(n: int, entries: Entries, grammar: Grammar, beam: float) -> tuple:
    """Find the best derivation of one sentence.

    Returns the item of the root (-1: no parse), its score, and the items.
    """
    width = len(entries.position) if grammar.lexicalised else 1
    most = grammar.n_categories * width  # items of a cell
    where, memo = np.full(most, -1, dtype=np.int64), np.full((len(grammar.rules), width), np.nan)
    size = max(4096, 2 * most)
    item, score = np.empty((size, 5), dtype=np.int64), np.empty(size, dtype=np.float64)
    active = np.empty((2, 4096), dtype=np.int64)  # items, and their categories
    cells = np.zeros((2, n, n + 1), dtype=np.int64)  # first of the active items of a cell, and their end
    count, n_active = 0, 0
    for length in range(1, n + 1):
        for start in range(n - length + 1):
            end, begin = start + length, count
            if count + most > len(score):
                item, score = _grown(item, 2 * len(score)), _grown(score, 2 * len(score))
            chart = Chart(item, score, where, memo)
            if length == 1:
                count = _add_leaves(start, chart, count, entries, width)
            count = _add_binary(start, end, chart, active, cells, count, entries, grammar)
            count = _add_unary(chart, begin, count, entries, grammar)
            while n_active + count - begin > active.shape[1]:
                active = np.concatenate((active, np.empty_like(active)), axis=1)
            cells[0, start, end] = n_active
            n_active = _keep(chart, begin, count, active, n_active, entries, grammar, beam)
            cells[1, start, end] = n_active
    root, best = _best_root(item, score, active[0, cells[0, 0, n] : cells[1, 0, n]], entries, grammar)
    return root, best, item[:count]


@njit
def _add_leaves(start: int, chart: Chart, count: int, entries: Entries, width: int) -> int:
    for entry in range(len(entries.position)):
        if entries.position[entry] == start:
            category = entries.category[entry]
            chart.where[category * width + entry % width] = count
            chart.item[count, 0], chart.item[count, 1] = category, entry
            chart.item[count, 2:] = -1
            chart.score[count] = entries.score[entry]
            count += 1
    return count


@njit(forceinline=True)
def _offer(
    item: np.ndarray, score: np.ndarray, where: np.ndarray, count: int, key: int, made: float, row: tuple
) -> tuple[int, bool]:  # fmt: skip
    """Add an item if it is new in its cell or better than the existing one; return the number of items, and whether
    added.
    """
    place = where[key]
    if place < 0:
        place = count
        where[key] = place
        score[place] = NEGATIVE
        count += 1
    if made > score[place] + TIE:
        item[place, 0], item[place, 1], item[place, 2], item[place, 3], item[place, 4] = row
        score[place] = made
        return count, True
    return count, False


@njit
def _rule_score(rule: int, entry: int, memo: np.ndarray, entries: Entries, grammar: Grammar) -> float:
    """Compute the score of a rule with its head, if any."""
    if grammar.lexicalised:
        keys, values = grammar.by_rule
        key = (np.int64(rule) << CANDIDATE_BITS) + entries.candidate[entry] + 1
        slot = _slot(key, SLOTS - 1)
        if keys[slot] != key:
            keys[slot] = key
            values[slot] = rule_score(
                rule, entries.category[entry], entries.word[entry], 3, grammar.rules, grammar.smoothing, grammar.tables
            )
        memo[rule, entry] = values[slot]
    else:
        memo[rule, 0] = grammar.static[rule]
    return memo[rule, entry]


@njit
def _sister_score(rule: int, entry: int, sister: int, entries: Entries, grammar: Grammar) -> float:
    """Compute the score of the head category and head word of a sister."""
    category, smoothing, tables = entries.category[sister], grammar.smoothing, grammar.tables
    p = category_probability(2, grammar.rules[rule, 3], rule, category, smoothing, tables)
    q = word_probability(3, rule, category, entries.word[entry], entries.word[sister], smoothing, tables)
    return _log(p) + _log(q)


@njit
def _add_binary(
    start: int, end: int, chart: Chart, active: np.ndarray, cells: np.ndarray, count: int, entries: Entries,
    grammar: Grammar,
) -> int:  # fmt: skip
    """Apply binary rules to two adjacent cells.

    Arrays are taken out of their tuples before the loops, since numba counts a reference each time.
    """
    item, score, where, memo = chart
    lexicalised, n_categories, rules = grammar.lexicalised, grammar.n_categories, grammar.rules
    pair_of, pair_start, pair_rules = grammar.pair_of, grammar.pair_start, grammar.pair_rules
    width, word, candidate = memo.shape[1], entries.word, entries.candidate
    keys, values = grammar.by_sister
    for split in range(start + 1, end):
        for a in range(cells[0, start, split], cells[1, start, split]):
            left, row = active[0, a], active[1, a] * n_categories
            for b in range(cells[0, split, end], cells[1, split, end]):
                pair = pair_of[row + active[1, b]]
                if pair < 0:
                    continue
                right = active[0, b]
                inside = score[left] + score[right]
                for k in range(pair_start[pair], pair_start[pair + 1]):
                    rule = pair_rules[k]
                    head, other = (left, right) if rules[rule, 1] == LEFT else (right, left)
                    entry = item[head, 1] if lexicalised else 0
                    made = memo[rule, entry]
                    if np.isnan(made):
                        made = _rule_score(rule, entry, memo, entries, grammar)
                    if lexicalised:
                        sister = item[other, 1]
                        key = (((rule << WORD_BITS) + word[entry]) << CANDIDATE_BITS) + candidate[sister] + 1
                        slot = _slot(key, SLOTS - 1)
                        if keys[slot] != key:
                            keys[slot], values[slot] = key, _sister_score(rule, entry, sister, entries, grammar)
                        made += values[slot]
                    made += inside
                    if made <= NEGATIVE / 2:
                        continue
                    category = rules[rule, 0]
                    new = (category, item[head, 1], rule, left, right)
                    count, _ = _offer(item, score, where, count, category * width + entry, made, new)
    return count


@njit
def _add_unary(chart: Chart, begin: int, count: int, entries: Entries, grammar: Grammar) -> int:
    """Apply unary rules to the items of a cell until nothing improves."""
    item, score, where, memo = chart
    lexicalised, rules = grammar.lexicalised, grammar.rules
    unary_start, unary_rules, width = grammar.unary_start, grammar.unary_rules, memo.shape[1]
    changed = True
    while changed:
        changed = False
        place = begin
        while place < count:
            category = item[place, 0]
            for k in range(unary_start[category], unary_start[category + 1]):
                rule, entry = unary_rules[k], item[place, 1] if lexicalised else 0
                made = memo[rule, entry]
                if np.isnan(made):
                    made = _rule_score(rule, entry, memo, entries, grammar)
                made += score[place]
                if made <= NEGATIVE / 2:
                    continue
                new = (rules[rule, 0], item[place, 1], rule, place, -1)
                count, better = _offer(item, score, where, count, rules[rule, 0] * width + entry, made, new)
                changed |= better
            place += 1
    return count


@njit
def _keep(
    chart: Chart, begin: int, count: int, active: np.ndarray, n_active: int, entries: Entries, grammar: Grammar,
    beam: float,
) -> int:  # fmt: skip
    """Activate the items of a cell within the beam, and finish the cell; return the number of active items."""
    item, score, where, memo = chart
    lexicalised, width, merits = grammar.lexicalised, memo.shape[1], np.empty(count - begin)
    prior, entry_prior, category = grammar.prior, entries.prior, entries.category
    keys, values = grammar.by_head
    best, least = NEGATIVE, np.log(beam) if beam > 0 else NEGATIVE
    for place in range(begin, count):
        if lexicalised:
            key = context_key(EXPANSION + 1, item[place, 0], category[item[place, 1]], 0)
            slot = _slot(key, SLOTS - 1)
            if keys[slot] != key:
                keys[slot], values[slot] = key, _log_frequency(key, grammar)
            merit = values[slot] + entry_prior[item[place, 1]]
        else:
            merit = prior[item[place, 0]]
        merits[place - begin] = score[place] + merit
        best = max(best, merits[place - begin])
    for place in range(begin, count):
        where[item[place, 0] * width + (item[place, 1] if lexicalised else 0)] = -1
        if beam <= 0 or merits[place - begin] >= best + least:
            active[0, n_active], active[1, n_active] = place, item[place, 0]
            n_active += 1
    return n_active


@njit
def _log_frequency(key: int, grammar: Grammar) -> float:
    """Compute the logarithm of how often an item's category and head category were seen, for the beam."""
    place = find(grammar.tables[0], grammar.tables[1], key)
    return np.log(grammar.tables[2][place] if place >= 0 else 0.1)


@njit
def _best_root(
    item: np.ndarray, score: np.ndarray, places: np.ndarray, entries: Entries, grammar: Grammar
) -> tuple[int, float]:
    root, best = -1, NEGATIVE
    for place in places:
        made = score[place] + grammar.root[item[place, 0]]
        if grammar.lexicalised:
            entry, key = item[place, 1], context_key(ROOT, item[place, 0], 0, 0)
            made += _log(_level(-1.0, key, entries.category[entry], grammar.smoothing, grammar.tables))
            made += entries.prior[entry]
        if made > best + TIE and made > NEGATIVE / 2:
            root, best = place, made
    return root, best
