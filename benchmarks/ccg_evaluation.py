"""Time of reading derivations, of all evaluations, and of the parser, on the built-in language."""

import argparse

import pandas as pd

from analysis.ccg import evaluate, extract_dependencies, parseval, tree_dependencies
from analysis.ccg.models import NormalFormParser
from analysis.corpora.ccgbank import read_auto, write_auto
from analysis.corpora.language import generate
from analysis.structures.derivation import derivations
from benchmarks.ccg_parseval import best_of, treebanks


def main(sentences: int = 10_000, repeats: int = 3) -> pd.DataFrame:
    """One row per task: seconds, and sentences or lines a second."""
    gold, system = treebanks(sentences)
    text = write_auto(gold)
    rows = [("read an AUTO file", "lines", text.count("\n"), best_of(repeats, read_auto, text))]
    for name, function in (
        ("Parseval", lambda: parseval(gold, system, punctuation=False)),
        ("tree dependencies", lambda: tree_dependencies(gold, system, punctuation=False)),
        ("extraction of dependencies", lambda: extract_dependencies(gold)),
        ("all evaluations", lambda: evaluate(gold, system, punctuation=False)),
    ):
        rows.append((name, "sentences", sentences, best_of(repeats, function)))
    drawn = generate(20_000, random_state=1)
    train = derivations(drawn.nodes, drawn.tokens)
    for lexicalised in (True, False):
        name = "lexicalised" if lexicalised else "unlexicalised"
        parser = NormalFormParser(lexicalised=lexicalised)
        rows.append((f"train, {name}", "sentences", len(train), best_of(repeats, parser.fit, train)))
        rows.append((f"parse, {name}", "sentences", sentences, best_of(repeats, parser.predict, gold)))
    table = pd.DataFrame(rows, columns=["task", "unit", "number", "seconds"])
    table["a second"] = table["number"] / table["seconds"]
    print(table.to_string(index=False))
    return table


if __name__ == "__main__":
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--sentences", type=int, default=10_000)
    main(arguments.parse_args().sentences)
