"""How often the suite's intervals contain the population's value: the simulation behind ``docs/coverage.md``.

    python -m benchmarks.coverage --write docs/coverage.md     # about 20 minutes of CPU time, one process
    python -m benchmarks.coverage --draws 10 5 2               # a trial

A population is a pool of sentences; samples of 200, 1,000 and 10,000 sentences are drawn from it with replacement, so
the value on the whole pool is exactly the population's. Every sample is scored with intervals as ``evaluate`` does. Two
populations: utterances of the built-in language, and a made corpus with a Zipfian tail (20,000 word types), in which
words repeat within a sentence and sentences differ in difficulty. Items of inflection are drawn one by one, and also in
groups of eight that share a lemma, which Wilson's interval takes for independent.

A killed run goes on: draws that are done stand in the file of ``--state``, which goes when the table is written.
"""

import argparse
import csv
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd

from analysis.categories import scored_tokens
from analysis.statistics.intervals import wilson_bounds
from analysis.statistics.scored import Measure, Scored, ScoredRatios, estimates

SIZES = (200, 1_000, 10_000)
DRAWS = (2_000, 1_500, 800)
TAGS = ("many-to-one", "one-to-one", "V", "VI", "pairwise F1")
KEYS = ["population", "measure", "method", "sentences"]
STATE = ["population", "sentences", "draw", "measure", "method", "truth", "value", "corrected", "lower", "upper"]


class Population(NamedTuple):
    """A pool of units, and what scores some of them; without units, the whole pool."""

    name: str
    size: int
    scored: Callable[[np.ndarray | None], Scored]


def tags_of(name: str, gold: np.ndarray, clusters: np.ndarray, sentences: np.ndarray) -> Population:
    """A clustering of a pool of sentences."""
    starts = np.append(np.flatnonzero(np.diff(sentences, prepend=-1)), len(sentences))

    def scored(chosen: np.ndarray | None) -> Scored:
        if chosen is None:
            return scored_tokens(gold, clusters, sentences, TAGS)
        sizes = starts[chosen + 1] - starts[chosen]
        first = np.repeat(starts[chosen] - np.append(0, np.cumsum(sizes)[:-1]), sizes)
        rows = first + np.arange(sizes.sum())
        return scored_tokens(gold[rows], clusters[rows], np.repeat(np.arange(len(chosen)), sizes), TAGS)

    return Population(f"{name}: tags", len(starts) - 1, scored)


def trees_of(name: str, gold: pd.DataFrame, heads: np.ndarray) -> Population:
    """Predicted trees of a pool of sentences."""
    from analysis.dependencies import attachment_scores

    counts = attachment_scores(gold, heads).sentences
    above, below = counts[["directed", "NED"]].to_numpy(), counts[["scored", "scored"]].to_numpy()
    return ratios_of(f"{name}: trees", (Measure("directed"), Measure("NED")), above, below)


def ratios_of(
    name: str, measures: tuple[Measure, ...], above: np.ndarray, below: np.ndarray, groups: int = 1
) -> Population:
    """Ratios of sums over units that are drawn in groups of neighbours."""

    def scored(chosen: np.ndarray | None) -> Scored:
        rows = slice(None) if chosen is None else (chosen[:, None] * groups + np.arange(groups)).ravel()
        return ScoredRatios("", measures, above[rows], below[rows])

    return Population(name, len(above) // groups, scored)


def built_in(rng: np.random.Generator) -> Iterator[Population]:
    """20,000 utterances of the built-in language: Brown clusters and right branching."""
    from analysis.categories.models import BrownClustering
    from analysis.corpora.language import generate
    from analysis.dependencies.models import right_branching

    tokens = generate(20_000, rng).tokens
    clusters = BrownClustering(45, progress=False).fit(tokens).predict(tokens).to_numpy(dtype=np.int64)
    yield tags_of("built-in language", tokens["fine"].astype("str").to_numpy(), clusters, tokens["sentence"].to_numpy())
    yield trees_of("built-in language", tokens, right_branching(tokens).to_numpy())


def zipfian(rng: np.random.Generator) -> Iterator[Population]:
    """50,000 made sentences of 20,000 word types, 30 classes and 200 clusters."""
    from analysis.dependencies.models import random_trees

    types, classes, clusters, n = 20_000, 30, 200, 50_000
    chances = 1 / np.arange(1, types + 1)
    main, other = (rng.choice(classes, types, p=rng.dirichlet(np.full(classes, 0.7))) for _ in range(2))
    ambiguity = rng.beta(0.3, 3, types)  # share of the second class
    home = rng.integers(0, classes, clusters)
    of_type = np.array([rng.choice(np.flatnonzero(home == own)) if (home == own).any() else 0 for own in main])
    of_type = np.where(rng.random(types) < 0.3, rng.integers(0, clusters, types), of_type)
    lengths = np.clip(rng.geometric(1 / 9, n), 1, 40)
    sentences = np.repeat(np.arange(n), lengths)
    words = rng.choice(types, len(sentences), p=chances / chances.sum())
    first = np.repeat(np.cumsum(lengths) - lengths, lengths)
    words = np.where(rng.random(len(words)) < 0.15, words[first], words)  # a sentence repeats its first word
    gold = np.where(rng.random(len(words)) < ambiguity[words], other[words], main[words])
    yield tags_of("Zipfian tail", gold, of_type[words], sentences)
    tokens = pd.DataFrame({"sentence": sentences, "form": words.astype(str), "head": 0})
    tokens["head"] = random_trees(tokens, rng).to_numpy()
    wrong = rng.random(len(words)) < np.repeat(rng.beta(1, 1.5, n), lengths)
    drawn = rng.integers(0, np.repeat(lengths, lengths) + 1)
    yield trees_of("Zipfian tail", tokens, np.where(wrong, drawn, tokens["head"]))


def inflected(rng: np.random.Generator) -> Iterator[Population]:
    """400,000 items, eight of a lemma, some lemmas harder than others."""
    right = (rng.random((50_000, 8)) < rng.beta(3, 0.6, 50_000)[:, None]).astype(np.int64).reshape(-1, 1)
    accuracy = (Measure("accuracy", method="wilson"),)
    yield ratios_of("items: inflection", accuracy, right, np.ones_like(right))
    yield ratios_of("lemmas of 8 items: inflection", accuracy, right, np.ones_like(right), 8)


def populations(seed: int) -> Iterator[Population]:
    """All populations of a seed, each made from a stream of its own."""
    for place, make in enumerate((built_in, zipfian, inflected)):
        yield from make(np.random.default_rng([seed, place]))


def simulate(arguments: argparse.Namespace) -> None:
    """Draw, score and write every draw that the state does not have."""
    state: Path = arguments.state
    if not state.exists():
        state.write_text(",".join(STATE) + "\n", encoding="utf-8", newline="\n")
    kept = pd.read_csv(state)
    done = set(kept[["population", "sentences", "draw"]].drop_duplicates().itertuples(index=False, name=None))
    for place, population in enumerate(populations(arguments.seed)):
        truth = population.scored(None).values()[0]
        for size, draws in zip(SIZES, arguments.draws, strict=True):
            for draw in range(draws):
                if (population.name, size, draw) in done:
                    continue
                rng = np.random.default_rng([arguments.seed, 3, place, size, draw])
                sample = population.scored(rng.integers(0, population.size, size))
                found = estimates(sample, resamples=arguments.resamples, random_state=rng)
                rows = [
                    (population.name, size, draw, row.measure, row.method, true, row.value, row.corrected, row.lower,
                     row.upper)
                    for row, true in zip(found, truth.tolist(), strict=True)
                ]  # fmt: skip
                with state.open("a", encoding="utf-8", newline="") as stream:
                    csv.writer(stream, lineterminator="\n").writerows(rows)


def summary(state: pd.DataFrame) -> pd.DataFrame:
    """Coverage of each measure with Wilson's interval, and the mean distances from the population's value.

    ``naive`` is the coverage of the plug-in value's interval of the same width, moved to be round that value: what the
    correction for bias is worth. It is empty where nothing is corrected.
    """
    covered = (state["lower"] <= state["truth"]) & (state["truth"] <= state["upper"])
    half = (state["upper"] - state["lower"]) / 2
    naive = ((state["value"] - state["truth"]).abs() <= half).where(state["corrected"].notna())
    table = state.assign(
        covered=covered.astype(int), naive=naive.astype("Float64"), bias=state["value"] - state["truth"],
        left=state["corrected"] - state["truth"], width=state["upper"] - state["lower"],
    )  # fmt: skip
    sums = table.groupby(KEYS, sort=False).agg(
        draws=("covered", "size"), covered=("covered", "sum"), naive=("naive", "mean"), truth=("truth", "first"),
        bias=("bias", "mean"), left=("left", "mean"), width=("width", "mean"),
    )  # fmt: skip
    found = sums.reset_index()
    bounds = wilson_bounds(found["covered"], found["draws"])
    found.insert(5, "coverage", found["covered"] / found["draws"])
    found.insert(6, "lower", bounds["lower"])
    found.insert(7, "upper", bounds["upper"])
    return found.rename(columns={"left": "bias_corrected"}).round(4)


def page(table: pd.DataFrame, command: str) -> str:
    """The table as Markdown: coverage with its own interval, by number of sentences."""
    lines = [f"`{command}`; nominal 95 %.", ""]
    lines += ["| population | measure | method | " + " | ".join(f"{size:,}" for size in SIZES) + " |"]
    lines += ["| --- | --- | --- |" + " --- |" * len(SIZES)]
    for names, part in table.groupby(KEYS[:3], sort=False):
        by_size = part.set_index("sentences")
        cells = [
            f"{row.coverage:.2f} [{row.lower:.2f}, {row.upper:.2f}]"
            for row in (by_size.loc[size] for size in SIZES if size in by_size.index)
        ]
        lines.append("| " + " | ".join([*map(str, names), *cells]) + " |")
    return "\n".join(lines)


def main() -> None:
    """Simulate, and write the table."""
    from analysis.report.systems import write_between

    parser = argparse.ArgumentParser(prog="python -m benchmarks.coverage", description=__doc__)
    parser.add_argument(
        "--draws", type=int, nargs=len(SIZES), default=DRAWS, help="samples of each number of sentences"
    )
    parser.add_argument("--resamples", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--state", type=Path, default=Path("coverage.partial.csv"), help="draws that are done")
    parser.add_argument("--csv", type=Path, help="where the table goes")
    parser.add_argument("--write", type=Path, metavar="FILE", help="put the table between the marks of this page")
    arguments = parser.parse_args()
    simulate(arguments)
    table = summary(pd.read_csv(arguments.state))
    draws = " ".join(map(str, arguments.draws))
    command = f"python -m benchmarks.coverage --draws {draws} --resamples {arguments.resamples} --seed {arguments.seed}"
    print(page(table, command))
    if arguments.csv:
        table.assign(command=command).to_csv(arguments.csv, index=False, lineterminator="\n")
    if arguments.write:
        write_between(arguments.write, "coverage", page(table, command))
    if arguments.csv or arguments.write:
        arguments.state.unlink()


if __name__ == "__main__":
    main()
