"""Utterances a minute of the built-in language with all tables, against drawing words alone in plain Python."""

import argparse
import random
from time import perf_counter

import pandas as pd

from analysis.corpora.language import generate, generate_blocks, load_grammar
from benchmarks._memory import forget_peak, peak_mebibytes


def plain_python(utterances: int, seed: int = 0) -> list[list[str]]:
    """The words of utterances from the same rules and lexicon: a stack, and `random.choices` at each step."""
    grammar = load_grammar()
    expansions: dict[int, tuple[list[tuple[int, ...]], list[float]]] = {}
    for row in grammar.rules.itertuples():
        daughters, weights = expansions.setdefault(row.parent, ([], []))
        daughters.append((row.left,) if row.right < 0 else (row.left, row.right))
        weights.append(row.probability)
    words: dict[int, tuple[list[str], list[float]]] = {}
    for row in grammar.entries.itertuples():
        forms, weights = words.setdefault(row.state_code, ([], []))
        forms.append(row.form)
        weights.append(row.probability)
    drawn, chance = [], random.Random(seed)
    while len(drawn) < utterances:
        stack, utterance = [0], []
        while stack and len(utterance) + len(stack) <= 20:
            state = stack.pop()
            if state in words:
                utterance += chance.choices(*words[state])
            else:
                stack += reversed(chance.choices(*expansions[state])[0])
        if not stack:
            drawn.append(utterance)
    return drawn


def main(utterances: int = 200_000, plain: int = 20_000) -> pd.DataFrame:
    """One row per way of drawing: utterances, seconds, utterances a minute, how many times plain Python, memory
    added.
    """
    generate(4_000, random_state=0)
    start = perf_counter()
    plain_python(plain)
    peer = plain / (perf_counter() - start)
    rows = [("plain Python, words only", plain, plain / peer, 60 * peer, 1.0, None)]

    def timed(name: str, draw) -> None:
        forget_peak()
        before, start = peak_mebibytes(), perf_counter()
        draw()
        seconds = perf_counter() - start
        speed = utterances / seconds
        rows.append((name, utterances, seconds, 60 * speed, speed / peer, peak_mebibytes() - before))

    def stream() -> None:
        for _ in generate_blocks(utterances, random_state=1):
            pass

    timed("all tables, block by block", stream)
    timed("all tables, in memory", lambda: generate(utterances, random_state=1))
    timed("all tables, in memory, two threads", lambda: generate(utterances, random_state=1, n_jobs=2))
    columns = ["way", "utterances", "seconds", "utterances a minute", "ratio", "megabytes added"]
    table = pd.DataFrame(rows, columns=columns)
    print(table.to_string(index=False))
    return table


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--utterances", type=int, default=200_000)
    main(parser.parse_args().utterances)
