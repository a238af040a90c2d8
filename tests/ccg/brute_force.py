"""The measures once more, slowly: trees as nested lists, sets and counters, recursion, nothing of the suite's but the
reading of a category."""

import re
from collections import Counter

from analysis.structures.ccg_category import parse_category

MARKS = {",", ".", ":", ";", "LRB", "RRB", "LQU", "RQU"}


def trees(path):
    """Nested lists: [label, [daughters]], or [label, word]."""
    result = []
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("ID="):
            continue
        stack = [["TOP", []]]
        for piece in re.split(r" (?=\(<[TL] )", line):
            fields = piece.lstrip("(").split()
            if fields[0] == "<T":
                stack.append([fields[1], []])
                stack[-2][1].append(stack[-1])
            else:
                stack[-1][1].append([fields[1], fields[4]])
                for _ in fields[6:]:
                    stack.pop()
        result.append(stack[0][1][0])
    return result


def leaves(tree):
    return [tree] if isinstance(tree[1], str) else [leaf for daughter in tree[1] for leaf in leaves(daughter)]


def numbered(tree, counter):
    """The same with positions in place of words."""
    if isinstance(tree[1], str):
        counter[0] += 1
        return [tree[0], str(counter[0])]
    return [tree[0], [numbered(daughter, counter) for daughter in tree[1]]]


def without(tree, deleted):
    """The tree without some leaves; a node left with one daughter of its own label is that daughter."""
    if isinstance(tree[1], str):
        return None if int(tree[1]) in deleted else tree
    kept = [found for daughter in tree[1] if (found := without(daughter, deleted))]
    if not kept:
        return None
    if len(kept) == 1 < len(tree[1]) and kept[0][0] == tree[0]:
        return kept[0]
    return [tree[0], kept]


def with_conjuncts(tree):
    """The tree in the notation of CCGbank: X\\X over ``conj X`` is X[conj]."""
    if isinstance(tree[1], str):
        return tree
    label, daughters = parse_category(tree[0]), [with_conjuncts(daughter) for daughter in tree[1]]
    joined = len(daughters) == 2 and daughters[0][0] == "conj" and label.slash == "\\"
    if joined and {plain(str(label.result)), plain(str(label.argument))} == {plain(daughters[1][0])}:
        return [f"{daughters[1][0]}[conj]", daughters]
    return [tree[0], daughters]


def brackets(tree):
    """(label, words) of every node that is not a leaf."""
    if isinstance(tree[1], str):
        return []
    words = tuple(leaf[1] for leaf in leaves(tree))
    return [(tree[0], words)] + [found for daughter in tree[1] for found in brackets(daughter)]


def plain(text):
    return re.sub(r"\[[^]]*\]", "", text)


def head_side(parent, left, right):
    """The head rule, told in other words."""
    if left in MARKS or left == "conj":
        return 1
    if right in MARKS or right == "conj":
        return 0
    if right.endswith("[conj]"):
        return 0
    for side, (one, other, slash) in enumerate(((left, right, "/"), (right, left, "\\"))):
        functor = parse_category(one)
        if functor.slash != slash:
            continue
        wanted, inner, taken = plain(str(functor.argument)), parse_category(other), []
        while plain(str(inner)) != wanted and inner.slash:
            taken.append((inner.slash, inner.argument))
            inner = inner.result
        made = str(functor.result)
        for mark, argument in reversed(taken):
            made = f"({made}){mark}({argument})"
        if plain(str(inner)) != wanted or parse_category(plain(made)) != parse_category(plain(parent)):
            continue
        same = str(functor.result) == str(functor.argument)
        verbal = re.match(r"\(*S\[(dcl|b|ng|pt|pss|to|q|wq|em|bem|qem)\]", str(functor.result))
        determiner = plain(one) == "NP/N"
        raised = functor.argument.slash and str(functor.argument.result) == str(functor.result)
        raised = raised and functor.argument.slash != slash
        return 1 - side if (same and not verbal) or determiner or raised else side
    return 0


def relations(tree):
    """{word: (parent, head daughter, sister, head word)} and the head of the tree."""
    if isinstance(tree[1], str):
        return {}, tree[1]
    found = {}
    heads = []
    for daughter in tree[1]:
        below, head = relations(daughter)
        found |= below
        heads.append(head)
    if len(heads) == 1:
        return found, heads[0]
    side = head_side(tree[0], tree[1][0][0], tree[1][1][0])
    found[heads[1 - side]] = (tree[0], tree[1][side][0], tree[1][1 - side][0], heads[side])
    return found, heads[side]


def compare(gold, system):
    """All counts of two lists of trees but those of evaluation 2."""
    counts: Counter = Counter()
    for one, other in zip(gold, system, strict=True):
        one, other = (numbered(with_conjuncts(tree), [0]) for tree in (one, other))
        deleted = {int(leaf[1]) for leaf in leaves(one) if leaf[0] in MARKS}
        one, other = without(one, deleted), without(other, deleted)
        categories = dict(map(reversed, leaves(other)))
        counts["words"] += len(leaves(one))
        counts["categories"] += sum(categories[word] == label for label, word in leaves(one))
        ours, theirs = Counter(brackets(one)), Counter(brackets(other))
        counts["gold"] += ours.total()
        counts["predicted"] += theirs.total()
        counts["labelled"] += (ours & theirs).total()
        spans = [Counter(words for _, words in side.elements()) for side in (ours, theirs)]
        counts["bracketed"] += (spans[0] & spans[1]).total()
        (gold_relations, gold_head), (other_relations, other_head) = relations(one), relations(other)
        gold_relations[gold_head] = other_relations[other_head] = ("", "HEAD", "", "0")
        gold_relations[gold_head] = ("", "HEAD", "", "0")
        assert len(gold_relations) == len(leaves(one)) == len(other_relations)
        counts["relations"] += sum(other_relations[word] == found for word, found in gold_relations.items())
        counts["heads"] += sum(other_relations[word][3] == found[3] for word, found in gold_relations.items())
    return counts


def compare_dependencies(gold, system):
    """Counts of evaluation 2 from two lists of (sentence, functor, category, slot, argument)."""
    pairs = [{(d[0], frozenset((d[1], d[4]))) for d in side} for side in (gold, system)]
    return {
        "matched": sum(d in system for d in gold),
        "UP": sum((d[0], frozenset((d[1], d[4]))) in pairs[0] for d in system),
        "UR": sum((d[0], frozenset((d[1], d[4]))) in pairs[1] for d in gold),
    }
