"""Certify the stored runs of ``data/results``: recompute some cells of each system and compare them with the file.

    python -m benchmarks.certify_stored                     # every plan; needs the corpora and 20 minutes of CPU time
    python -m benchmarks.certify_stored frank2009_full      # the plans of some stored runs
    python -m benchmarks.certify_stored frank2009_full HC   # of one system

One line per plan: stored run, rows, how many cells agree, CPU seconds; or the first difference, and then the rows keep
their old note. Systems whose cells take more than some minutes have no plan. Begin with an empty cache (set
ANALYSIS_CACHE to an empty folder): what a cache holds of the present source is not computed again.
"""

import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict
from time import process_time
from typing import Any, NamedTuple

import pandas as pd

from analysis.experiments import certify
from analysis.papers import frank2009, gelling2012, reichart2010
from analysis.papers.frank2009.runs import CONVENTIONS
from analysis.papers.frank2009.runs import evaluate as evaluate_frank
from analysis.papers.frank2009.runs import systems as systems_of_frank
from analysis.papers.gelling2012.runs import evaluate as evaluate_gelling
from analysis.papers.gelling2012.runs import run_named
from analysis.papers.gelling2012.setting import data as text_of
from analysis.papers.reichart2010.runs import ASSIGNED, cells, systems
from analysis.papers.reichart2010.runs import evaluate as evaluate_reichart


class Plan(NamedTuple):
    """Which rows of a stored run are certified, and how its cells are recomputed; see `certify`."""

    name: str
    function: Callable[..., Any]
    recompute: Callable[..., pd.DataFrame]
    by: tuple[str, ...]
    where: dict[str, str]
    cells: int
    ignore: tuple[str, ...]
    decimals: Mapping[str, int] | None = None


FRANK = frank2009.Setting(corpus="manchester", sweeps=2000)
FULL = gelling2012.Setting(corpus="treebanks", iterations=200)
ENTRANTS = gelling2012.Setting(corpus="treebanks", bc_sweeps=20, c_sweeps=200, cgs_sweeps=100)
HOW = ("command", "seconds", "data_version", "convention")
ROUNDED = {"proportion": 6, "bits": 4}


def frank_cell(system: str, k: int, seed: int) -> pd.DataFrame:
    """The scores of one run of Frank et al."""
    conventions = {name: value for name, value in asdict(FRANK).items() if name in CONVENTIONS}
    run = next(one for one in systems_of_frank(FRANK) if (one.system, one.k, one.seed) == (system, k, seed))
    scores = evaluate_frank(FRANK.corpus, asdict(run), conventions)["scores"]
    return scores.assign(sweeps=run.choices.get("sweeps"))


def gelling_cell(setting: gelling2012.Setting) -> Callable[..., pd.DataFrame]:
    """What gives the scores of one run of the challenge."""

    def recompute(system: str, testset: str, track: str) -> pd.DataFrame:
        run = run_named(testset, system, track, setting)
        version = text_of(testset).version
        return evaluate_gelling(testset, asdict(run), version, setting.short, setting.assignment)["scores"]

    return recompute


def reichart_cell(system: str, corpus: str, seed: int) -> pd.DataFrame:
    """The scores of one run of Reichart et al."""
    setting = reichart2010.Setting(corpus=corpus)
    run = next(one for one in systems(setting) if (one.system, one.seed) == (system, seed))
    return evaluate_reichart(**cells(setting, (run,))[0])["scores"]


def plans() -> Iterator[Plan]:
    """Every plan; as many cells as are cheap."""
    for corpus in ("nursery", "manchester"):
        for system in ("Brown", "Exchange", "Clark03", ASSIGNED, "ARR10"):
            yield Plan("reichart2010_full", evaluate_reichart, reichart_cell, ("system", "corpus", "seed"),
                       {"system": system, "corpus": corpus}, 1, HOW)  # fmt: skip
    by = ("system", "testset", "track")
    trees, classes = "dependencies", "word classes"
    for track, names in {
        trees: ("LB", "RB", "R", "H", "DMV-u", "DMV-c", "DMV-p"),
        "joint": ("DMV-u", "DMV-c", "DMV-p"),
        classes: ("B-u", "B-c", "B-p", "MK-u", "MK-c", "MK-p"),
    }.items():
        for system in names:
            where = {"system": system, "track": track}
            yield Plan("gelling2012_full", evaluate_gelling, gelling_cell(FULL), by, where, 11, HOW, ROUNDED)
    for system, track, most, decimals in (
        ("S1", trees, 11, None), ("S2", trees, 11, None), ("Tu", trees, 2, ROUNDED),
        ("C-c", classes, 2, None), ("C-p", classes, 1, None), ("CGS", classes, 2, ROUNDED),
    ):  # fmt: skip
        where = {"system": system, "track": track}
        yield Plan("gelling2012_entrants", evaluate_gelling, gelling_cell(ENTRANTS), by, where, most, HOW, decimals)
    for system, most in (("FF", 3), ("Random", 20), ("HC", 3)):
        yield Plan("frank2009_full", evaluate_frank, frank_cell, ("system", "k", "seed"), {"system": system}, most, HOW)


def main(names: list[str]) -> None:
    """Certify what the plans say, and print what came out."""
    for number, plan in enumerate(plans()):
        if names and (plan.name != names[0] or (names[1:] and plan.where["system"] not in names[1:])):
            continue
        started, rows = process_time(), " ".join(plan.where.values())
        try:
            drawn = certify(plan.name, plan.function, plan.recompute, plan.by, where=plan.where, cells=plan.cells,
                            random_state=number, ignore=plan.ignore, decimals=plan.decimals)  # fmt: skip
            told = f"{len(drawn)} cells agree"
        except ValueError as error:
            told = f"not certified: {error}"
        print(f"{plan.name}  {rows}  {told}  {process_time() - started:.1f} s", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
