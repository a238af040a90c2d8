"""Parseval on the same trees, against PYEVALB and nltk.

In memory: all hold the trees already; PYEVALB and ours compare the words, too. Ours and nltk's trees count labelled
and unlabelled brackets. nltk has trees and set precision and recall, no Parseval: its trees are walked for their spans.
From text: each reads the trees from strings (ours from an AUTO file, the others from Penn brackets) and counts. PYEVALB
(``pip install pyevalb``) takes part if it is installed; it counts sets of brackets, so that a label that occurs twice
over one span counts once, and the number of its gold brackets is then smaller.
"""

import argparse
import contextlib
import io
from collections import Counter
from collections.abc import Callable
from time import perf_counter

import numpy as np
import pandas as pd

from analysis.ccg import parseval
from analysis.ccg.models import NormalFormParser
from analysis.corpora.ccgbank import read_auto, write_auto
from analysis.corpora.language import generate
from analysis.structures.derivation import Derivations, derivations


def best_of(repeats: int, function: Callable, *arguments) -> float:
    """Least time of several runs, in seconds."""
    times = []
    for _ in range(repeats):
        start = perf_counter()
        function(*arguments)
        times.append(perf_counter() - start)
    return min(times)


def treebanks(sentences: int) -> tuple[Derivations, Derivations]:
    """Generated derivations, and what a parser trained on others makes of them; single words, and sentences without a
    parse, left out.
    """
    train, test = (generate(count, random_state=seed) for count, seed in ((10_000, 1), (2 * sentences, 2)))
    gold = derivations(test.nodes, test.tokens)
    system = NormalFormParser().fit(derivations(train.nodes, train.tokens)).predict(gold)
    parsed = (system.sentences["status"] == "parsed") & (system.sentences["words"] > 1)
    parsed = np.flatnonzero(parsed.to_numpy())[:sentences]
    return gold.select(parsed), system.select(parsed)


def bracket_lines(bank: Derivations) -> list[str]:
    """Penn brackets, with square brackets in the categories."""
    lines = []
    for sentence in range(len(bank)):
        tree = bank.tree(sentence)
        text: list[str] = []
        for number, node in enumerate(tree.nodes):
            label = node.category.replace("(", "{").replace(")", "}")
            text.append(f"({label}" if node.daughters else f"({label} {tree.words[node.start]})")
            while not node.daughters and tree.nodes[number].parent >= 0:
                above = tree.nodes[number].parent
                if tree.nodes[above].daughters[-1] != number:
                    break
                text[-1] += ")"
                number = above
        lines.append(" ".join(text))
    return lines


def nltk_brackets(tree) -> Counter:
    """(label, start, end) of the nodes of an nltk tree above its part-of-speech tags."""
    found: Counter = Counter()

    def walk(node, start: int) -> int:
        if len(node) == 1 and isinstance(node[0], str):
            return start + 1
        end = start
        for daughter in node:
            end = walk(daughter, end)
        found[node.label(), start, end] += 1
        return end

    walk(tree, 0)
    return found


def main(sentences: int = 10_000, repeats: int = 3) -> pd.DataFrame:
    """One row per comparison: seconds of both, and how many times faster ours is."""
    from nltk import Tree

    gold, system = treebanks(sentences)
    texts = [write_auto(bank) for bank in (gold, system)]
    lines = [bracket_lines(bank) for bank in (gold, system)]
    ours = parseval(gold, system, punctuation=False).sentences
    rows = []

    nltk_trees = [[Tree.fromstring(line) for line in side] for side in lines]

    def with_nltk(trees) -> int:
        matched = unlabelled = 0
        for one, two in zip(*trees, strict=True):
            ours, theirs = nltk_brackets(one), nltk_brackets(two)
            matched += (ours & theirs).total()
            spans = [Counter(span[1:] for span in side.elements()) for side in (ours, theirs)]
            unlabelled += (spans[0] & spans[1]).total()
        return matched

    if with_nltk(nltk_trees) != ours["matched"].sum():
        raise RuntimeError("nltk's trees have other brackets.")
    in_memory = best_of(repeats, parseval, gold, system)
    from_text = best_of(repeats, lambda: parseval(*(read_auto(text) for text in texts), punctuation=False))
    rows.append(("nltk", "trees in memory", in_memory, best_of(repeats, with_nltk, nltk_trees)))
    parse_all = best_of(
        repeats, lambda: with_nltk([[Tree.fromstring(line) for line in side] for side in lines])
    )  # fmt: skip
    rows.append(("nltk", "text to counts", from_text, parse_all))
    try:
        from PYEVALB import parser, scorer
    except ImportError:
        print("PYEVALB is not installed: it does not take part.")
    else:
        count = scorer.Scorer()
        trees = [[parser.create_from_bracket_string(line) for line in side] for side in lines]

        def with_pyevalb() -> int:
            return sum(count.score_trees(one, two).matched_brackets for one, two in zip(*trees, strict=True))

        def from_strings() -> None:
            with contextlib.redirect_stdout(io.StringIO()):
                count.score_corpus(*lines)

        matched = with_pyevalb()
        if not 0.98 * ours["matched"].sum() <= matched <= ours["matched"].sum():
            raise RuntimeError(f"PYEVALB counts {matched} matched brackets, we {ours['matched'].sum()}.")
        rows.append(("PYEVALB", "trees in memory", in_memory, best_of(repeats, with_pyevalb)))
        rows.append(("PYEVALB", "text to counts", from_text, best_of(repeats, from_strings)))
    table = pd.DataFrame(rows, columns=["peer", "task", "seconds", "peer seconds"])
    table.insert(2, "sentences", sentences)
    table["ratio"] = table["peer seconds"] / table["seconds"]
    print(table.to_string(index=False))
    return table


if __name__ == "__main__":
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--sentences", type=int, default=10_000)
    main(arguments.parse_args().sentences)
