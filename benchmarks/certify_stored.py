"""Certify the stored runs of ``data/results``: recompute some cells of each system and compare them with the file.

    python -m benchmarks.certify_stored                     # every plan; needs the corpora and an hour of CPU time
    python -m benchmarks.certify_stored frank2009_full      # the plans of some stored runs
    python -m benchmarks.certify_stored frank2009_full HC   # of one system

One line per plan: stored run, rows, how many cells agree, CPU seconds; or the first difference, and then the rows keep
their old note. A plan computes at most some cells of ten minutes; MZ, the chains of `convergence`, Tu's grid and the
neural models have none. Columns of `HOW` are not compared. Begin with an empty cache (set
ANALYSIS_CACHE to an empty folder): what a cache holds of the present source is not computed again.
"""

import ast
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict
from functools import partial
from importlib import import_module
from time import process_time
from typing import Any, NamedTuple

import pandas as pd

from analysis.experiments import certify
from analysis.papers import frank2009, gelling2012, recipe, reichart2010
from analysis.papers.frank2009.runs import CONVENTIONS
from analysis.papers.frank2009.runs import evaluate as evaluate_frank
from analysis.papers.frank2009.runs import systems as systems_of_frank
from analysis.papers.gelling2012.bc import bc_cell
from analysis.papers.gelling2012.regularised import regularised_cell, regularised_cells
from analysis.papers.gelling2012.runs import evaluate as evaluate_gelling
from analysis.papers.gelling2012.runs import run_named
from analysis.papers.gelling2012.setting import data as text_of
from analysis.papers.reichart2010.runs import ASSIGNED, CHAINS, cells, evaluate_samples, systems
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


HOW = ("command", "seconds", "data_version", "convention", "sweeps", "log_probability")  # not compared
ROUNDED = {"proportion": 6, "bits": 4}
DIGITS = 12  # the last bits of a sum may depend on the processor


def setting_of(paper: Any, command: str) -> Any:
    """The setting of a command that is written in a stored table.

    Examples
    --------
    >>> setting_of(frank2009, 'frank2009.scores(corpus="manchester", sweeps=2000)').sweeps
    2000
    >>> setting_of(reichart2010, "python -m analysis reproduce reichart2010 --corpus nursery --full").sweeps > 100
    True
    """
    if told := re.search(r"--corpus (\S+) --full", command):
        return paper.Setting.choose(corpus=told[1], **paper.PAPER.full)
    call = ast.parse(command, mode="eval").body
    assert isinstance(call, ast.Call), command
    return paper.Setting.choose(**{str(each.arg): ast.literal_eval(each.value) for each in call.keywords})


def frank_cell(command: str, system: str, k: str, seed: str) -> pd.DataFrame:
    """The scores of one run of Frank et al."""
    setting = setting_of(frank2009, command)
    conventions = {name: value for name, value in asdict(setting).items() if name in CONVENTIONS}
    runs = systems_of_frank(setting)
    run = next(one for one in runs if (one.system, str(one.k), str(one.seed)) == (system, k, seed))
    return evaluate_frank(setting.corpus, asdict(run), conventions)["scores"]


def gelling_cell(command: str, system: str, testset: str, track: str) -> pd.DataFrame:
    """The scores of one run of the challenge."""
    setting = setting_of(gelling2012, command)
    run, version = run_named(testset, system, track, setting), text_of(testset).version
    return evaluate_gelling(testset, asdict(run), version, setting.short, setting.assignment)["scores"]


def reichart_cell(command: str, system: str, seed: str) -> pd.DataFrame:
    """The scores of one run of Reichart et al."""
    setting = setting_of(reichart2010, command)
    run = next(one for one in systems(setting) if (one.system, str(one.seed)) == (system, seed))
    return evaluate_reichart(**cells(setting, (run,))[0])["scores"]


def samples_cell(command: str, system: str) -> pd.DataFrame:
    """The scores of samples of one chain of Reichart et al."""
    setting = setting_of(reichart2010, command)
    run = next(one for one in systems(setting) if one.system == system)
    return evaluate_samples(**cells(setting, (run,))[0])["samples"].assign(corpus=setting.corpus)


def bc_rows(testset: str) -> pd.DataFrame:
    """All rows of one test set of the tree substitution grammar: two runs of 50 sweeps, on en-ptb of 200."""
    steps = {} if testset == "en-ptb" else {"steps": (10, 20, 50)}
    return gelling2012.bc_runs(corpus="treebanks", testsets=(testset,), runs=2, **steps)


def regularised_rows(testset: str, system: str, seed: str) -> pd.DataFrame:
    """The rows of one run of G or a variant, or of the gold tags."""
    setting = gelling2012.Setting(corpus="treebanks", testsets=(testset,), g_iterations=200)
    variant = system.removesuffix("-u")
    grid = regularised_cells(setting, int(seed) + 1, [variant], ["universal"])
    wanted = next(each for each in grid if (each["variant"], str(each["seed"])) == (variant, seed))
    return regularised_cell(**wanted)["scores"]


def plans() -> Iterator[Plan]:
    """Every plan; as many cells as are cheap."""
    run = ("command", "system", "seed")
    for corpus in ("nursery", "manchester", "nltk-dependency-treebank"):
        for system in ("Brown", "Exchange", "Clark03", ASSIGNED, "ARR10", *CHAINS):
            where = {"system": system, "corpus": corpus}
            yield Plan("reichart2010_full", evaluate_reichart, reichart_cell, run, where, 1, HOW)
            if system in CHAINS:
                yield Plan("reichart2010_samples", evaluate_samples, samples_cell, run[:2], where, 1, HOW)
    for corpus in ("nltk-dependency-treebank + nltk-conll2000", "nltk-brown"):
        for system in ("Brown", "Exchange", "Clark03", ASSIGNED, "ARR10"):
            where = {"system": system, "corpus": corpus}
            yield Plan("reichart2010_larger", evaluate_reichart, reichart_cell, run, where, 1, HOW)
    for system in ("GJ08", "GVG09(1)"):
        yield Plan("reichart2010_sweeps", evaluate_reichart, reichart_cell, run, {"system": system}, 1,
                   (*HOW, "factor"))  # fmt: skip
    by = ("command", "system", "testset", "track")
    trees, classes = "dependencies", "word classes"
    for track, names in {
        trees: ("LB", "RB", "R", "H", "DMV-u", "DMV-c", "DMV-p"),
        "joint": ("DMV-u", "DMV-c", "DMV-p"),
        classes: ("B-u", "B-c", "B-p", "MK-u", "MK-c", "MK-p"),
    }.items():
        for system in names:
            where = {"system": system, "track": track}
            yield Plan("gelling2012_full", evaluate_gelling, gelling_cell, by, where, 11, HOW, ROUNDED)
    for system, track, most, decimals in (
        ("S1", trees, 11, None), ("S2", trees, 11, None), ("Tu", trees, 2, None), ("BC", classes, 1, None),
        ("C-c", classes, 2, None), ("C-p", classes, 1, None), ("CGS", classes, 2, None),
        ("G-c", classes, 1, None), ("G-u", classes, 2, None),
        ("CGS", "joint", 1, None),
    ):  # fmt: skip
        where = {"system": system, "track": track}
        yield Plan("gelling2012_entrants", evaluate_gelling, gelling_cell, by, where, most, HOW, decimals)
    for testset in ("en-ptb", "arabic", "czech", "dutch", "danish", "swedish", "slovene"):
        yield Plan("gelling2012_bc", bc_cell, bc_rows, ("testset",), {"testset": testset}, 1, HOW)
    for system in ("gold", "HMM-u", "HMM+ME-u", "HMM+Sp-u", "G-u"):
        yield Plan("gelling2012_regularised", regularised_cell, regularised_rows, ("testset", "system", "seed"),
                   {"testset": "danish", "system": system}, 1, HOW, {"proportion": 6, "bits": 6})  # fmt: skip
    for system, most in (("FF", 3), ("Random", 20), ("HC", 3), ("BHMM", 2)):
        yield Plan("frank2009_full", evaluate_frank, frank_cell, ("command", "system", "k", "seed"), {"system": system},
                   most, HOW)  # fmt: skip


CURVES = ("frank2009", "reichart2010")  # the specification curves that take long


def main(names: list[str]) -> None:
    """Certify what the plans say, and print what came out."""
    known = {plan.name for plan in plans()} | {f"{paper}_specifications" for paper in CURVES}
    if names and names[0] not in known:
        sys.exit(f"there is no plan for {names[0]!r}; there are {', '.join(sorted(known))}.")
    for number, plan in enumerate(plans()):
        if not names or (plan.name == names[0] and (not names[1:] or plan.where.get("system") in names[1:])):
            rows = f"{plan.name}  {' '.join(plan.where.values())}"
            say(rows, partial(certify, plan.name, plan.function, plan.recompute, plan.by, where=plan.where,
                              cells=plan.cells, random_state=number, ignore=plan.ignore, decimals=plan.decimals,
                              digits=DIGITS))  # fmt: skip
    for paper in CURVES:
        if not names or names[0] == f"{paper}_specifications":
            declared = import_module(f"analysis.papers.{paper}").PAPER
            say(f"{paper}_specifications", partial(recipe.certify_robustness, declared, cells=8, digits=DIGITS))


def say(rows: str, certified: Callable[[], pd.DataFrame]) -> None:
    """Print what came of a plan, with the CPU time."""
    started = process_time()
    try:
        told = f"{len(certified())} cells agree"
    except (ValueError, StopIteration) as error:  # a number differs, or the command has no such run any more
        told = f"not certified: {error}"
    print(f"{rows}  {told}  {process_time() - started:.1f} s", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
