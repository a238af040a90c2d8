"""The model with valence worked out by listing every tree: an independent route for small sentences."""

import itertools
from collections import Counter
from functools import cache
from math import inf, log


@cache
def projective_trees(n):
    """Heads of every projective tree with one root of n words, found by trying all heads."""
    found = []
    for heads in itertools.product(range(n + 1), repeat=n):
        if heads.count(0) == 1 and all(head != i + 1 for i, head in enumerate(heads)) and is_projective_tree(heads):
            found.append(heads)
    return tuple(found)


def is_projective_tree(heads):
    """Whether every word leads to the root, and every word between a head and its child is below that head."""
    n = len(heads)

    def ancestors(word):
        above = []
        while word and len(above) <= n:
            word = heads[word - 1]
            above.append(word)
        return above

    if any(0 not in ancestors(word) for word in range(1, n + 1)):
        return False
    return all(
        head in ancestors(between)
        for child, head in enumerate(heads, start=1)
        if head
        for between in range(min(child, head) + 1, max(child, head))
    )


def uses(tags, heads):
    """The parameters that a tree uses, and how often: the generative story, head by head."""
    used = Counter()
    for position, tag in enumerate(tags, start=1):
        if heads[position - 1] == 0:
            used["root", tag] += 1
        left = [i for i in range(position - 1, 0, -1) if heads[i - 1] == position]
        right = [i for i in range(position + 1, len(tags) + 1) if heads[i - 1] == position]
        for side, children in enumerate((left, right)):
            adjacent = True
            for child in children:
                used["go", side, tag, adjacent] += 1
                used["attach", side, tag, tags[child - 1]] += 1
                adjacent = False
            used["stop", side, tag, adjacent] += 1
    return used


def factor(parameters, name):
    """Value of one parameter that `uses` names; tags are codes."""
    root, attach, stop, go = parameters
    if name[0] == "root":
        return root[name[1]]
    if name[0] == "attach":
        return attach[name[1]][name[2]][name[3]]
    table = stop if name[0] == "stop" else go
    return table[name[1]][name[2]][0 if name[3] else 1]


def tree_probability(tags, heads, parameters):
    product = 1.0
    for name, times in uses(tags, heads).items():
        product *= factor(parameters, name) ** times
    return product


def enumerated(tags, parameters, power=1.0):
    """Probability of the tags, expected uses of each parameter, of each edge, log-probability of the best tree."""
    trees = projective_trees(len(tags))
    values = [tree_probability(tags, heads, parameters) ** power for heads in trees]
    total = sum(values)
    counts, edges = Counter(), Counter()
    for heads, value in zip(trees, values, strict=True):
        if not total or not value:
            continue
        for name, times in uses(tags, heads).items():
            counts[name] += times * value / total
        for child, head in enumerate(heads, start=1):
            edges[head, child] += value / total
    return total, counts, edges, log(max(values)) if max(values) else -inf
