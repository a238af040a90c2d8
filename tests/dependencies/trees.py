"""Trees for the tests: random ones, and a transcription of the definitions that takes one word at a time."""

import pandas as pd
from hypothesis import strategies as st


def table(*sentences, forms=None, **columns):
    """Tokens table from lists of heads; a word's form is its sentence and position unless given."""
    rows = [
        {"sentence": s, "position": i + 1, "form": f"word{s}.{i + 1}", "head": head}
        for s, heads in enumerate(sentences)
        for i, head in enumerate(heads)
    ]
    frame = pd.DataFrame(rows)
    if forms is not None:
        frame["form"] = forms
    return frame.assign(**columns)


@st.composite
def trees(draw, length):
    """Heads of a random tree, projective or not: words in a random order, each under one before it, or the root."""
    order = draw(st.permutations(range(1, length + 1)))
    heads = [0] * length
    for place, word in enumerate(order[1:], start=1):
        heads[word - 1] = order[draw(st.integers(0, place - 1))]
    return heads


@st.composite
def cases(draw):
    """Gold trees, arbitrary predicted heads (cycles, self-heads, none at all) and which words are punctuation."""
    lengths = draw(st.lists(st.integers(1, 7), min_size=1, max_size=5))
    gold = [draw(trees(n)) for n in lengths]
    predicted = [draw(st.lists(st.integers(-1, n), min_size=n, max_size=n)) for n in lengths]
    marks = [draw(st.lists(st.booleans(), min_size=n, max_size=n)) for n in lengths]
    return gold, predicted, marks


def without(heads, marks):
    """Heads after marks are taken out, by walking up word by word; the head of a mark is None."""
    result = []
    for i, head in enumerate(heads, start=1):
        passed = {i}
        while head > 0 and marks[head - 1]:
            if head in passed:
                head = 0
                break
            passed.add(head)
            head = heads[head - 1]
        if head == i and len(passed) > 1:  # came back to itself through marks
            head = 0
        result.append(None if marks[i - 1] else head)
    return result


def counted(gold, predicted, marks, root_edges=True):
    """Words scored, directed, undirected, NED, by the definitions."""
    counts = [0, 0, 0, 0]
    g, p = without(gold, marks), without(predicted, marks)
    for i in range(1, len(gold) + 1):
        if g[i - 1] is None or (g[i - 1] == 0 and not root_edges):
            continue
        head, guess = g[i - 1], p[i - 1]
        directed = guess == head
        undirected = directed or (guess > 0 and g[guess - 1] == i)
        neutral = undirected or (head > 0 and guess == g[head - 1] and (guess > 0 or root_edges))
        counts = [n + m for n, m in zip(counts, (1, directed, undirected, neutral), strict=True)]
    return counts
