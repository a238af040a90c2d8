"""Score every run once, with every breakdown that the tables and the figure need."""

import math
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import pandas as pd

from analysis.categories import (
    contingency,
    many_to_one,
    one_to_one,
    v_measure,
    variation_of_information,
)
from analysis.dependencies import (
    AttachmentScores,
    attachment_scores,
    compare_standards,
    find_punctuation,
    scores_by_length,
    scores_by_relation,
    scores_by_sentence_length,
)
from analysis.experiments import run_cells
from analysis.papers.gelling2012.conversions import CONVERTED, gold_standards
from analysis.papers.gelling2012.setting import Setting, data, treebank
from analysis.papers.gelling2012.systems import (
    STEPS,
    System,
    curve_systems,
    fit_classes,
    fit_trees,
    relations,
    run_named,
    systems,
)
from analysis.structures import Score, results_table
from analysis.structures.units import in_percent

#: Measures of the word classes as the paper prints them; all in percent but VI, which is in bits.
CLASS_MEASURES = ("M-1", "1-1", "VM", "VI")
TREE_MEASURES = ("directed", "undirected", "NED")
LOWER_IS_BETTER = ("VI",)
GOLDS = ("universal", "fine")
PARTS = ("scores", "relations", "lengths", "sentence_lengths", "standards", "runs")


class Evaluations(NamedTuple):
    """Long tables over runs; see `evaluate`."""

    scores: pd.DataFrame
    relations: pd.DataFrame
    lengths: pd.DataFrame
    sentence_lengths: pd.DataFrame
    standards: pd.DataFrame
    runs: pd.DataFrame


@lru_cache(maxsize=8)
def evaluations(setting: Setting, n_jobs: int = -1) -> Evaluations:
    """Fit and score every run on every test set; each is cached, so it is computed once.

    Parameters
    ----------
    setting : Setting
    n_jobs : int
        Processes; the numbers do not depend on it.
    """
    runs = [(testset, run) for testset in setting.testsets or () for run in systems(testset, setting)]
    first = [pair for pair in runs if pair[1].track == "word classes"]  # the joint track rests on these
    then = [pair for pair in runs if pair[1].track != "word classes"]
    cells = [*_cells(first, setting, n_jobs), *_cells(then, setting, n_jobs)]
    order = {(testset, run.track, run.name): place for place, (testset, run) in enumerate(runs)}
    tables = {}
    for part in PARTS:
        table = pd.concat([cell[part] for cell in cells if len(cell[part])] or [cells[0][part]], ignore_index=True)
        if len(table):
            keys = [order[key] for key in zip(table["testset"], table["track"], table["system"], strict=True)]
            table = table.iloc[pd.Series(keys, dtype="int64").argsort(kind="stable")].reset_index(drop=True)
        tables[part] = table
    return Evaluations(**tables)


@lru_cache(maxsize=8)
def curve_evaluations(setting: Setting, n_jobs: int = -1) -> pd.DataFrame:
    """Scores of B and MK at each number of clusters of the curves, on one test set."""
    runs = [(str(setting.curve_testset), run) for run in curve_systems(setting)]
    return pd.concat([cell["scores"] for cell in _cells(runs, setting, n_jobs)], ignore_index=True)


def _cells(runs: Sequence[tuple[str, System]], setting: Setting, n_jobs: int) -> list[Any]:
    slow = sorted(range(len(runs)), key=lambda place: -runs[place][1].k)
    grid: list[dict[str, Any]] = [
        {
            "testset": runs[place][0],
            "data_version": data(runs[place][0]).version,
            "system": vars(runs[place][1]) | {"parameters": dict(runs[place][1].parameters)},
            "conventions": {"short": setting.short, "assignment": setting.assignment},
        }
        for place in slow
    ]
    if not grid:
        return []
    stored = {"data": "each cell names its own", "name": "gelling2012_evaluate"}
    done = run_cells(evaluate, grid, n_jobs=n_jobs, cache=stored)
    results: list[Any] = [None] * len(runs)
    for place, result in zip(slow, done, strict=True):
        results[place] = result
    return results


def evaluate(
    testset: str,
    system: dict[str, Any],
    conventions: dict[str, Any],
    data_version: str,
) -> dict[str, pd.DataFrame]:
    """One run's tables.

    Returns
    -------
    dict
        ``scores`` for every track; of trees also ``relations`` and ``lengths`` (directed, undirected, NED),
        ``sentence_lengths``, and, on the Penn sample and the built-in language, ``standards``; ``runs`` with what the
        run did. ``data_version`` is there so that changed data are evaluated again.
    """
    run = System(**system | {"parameters": tuple(system["parameters"].items())})
    row = treebank(testset)
    stated = [f"{name}={value}" for name, value in run.parameters]
    stated.append(f"trained on {row['train'].replace(';', ' + ')}, scored on {row['test']} of {row['corpus']}")
    common = {
        "system": run.name, "corpus": row["corpus"], "k": run.k or None, "testset": testset, "track": run.track,
        "data_version": data_version, "seed": str(dict(run.parameters).get("random_state", "")),
    }  # fmt: skip
    if run.track == "word classes":
        return _evaluate_classes(testset, run, common, stated, conventions)
    return _evaluate_trees(testset, run, common, stated, conventions)


def _evaluate_classes(
    testset: str, run: System, common: dict[str, Any], stated: list[str], conventions: dict[str, Any]
) -> dict[str, pd.DataFrame]:
    found = fit_classes(testset, run.model, run.k, run.parameters)
    scored = data(testset).tokens["scored"].to_numpy()
    test = data(testset).test
    labels = pd.Series(found.labels[scored])
    marks = find_punctuation(test)
    rows = []
    for punctuation in ("scored", "left out"):
        kept = ~marks.mask if punctuation == "left out" else slice(None)
        if punctuation == "left out" and marks.mask.all():
            continue
        for gold in GOLDS:
            table = contingency(test[gold][kept].astype("str"), labels[kept])
            for score in class_scores(table, conventions["assignment"]):
                choices = [*stated, *(f"{n}={v}" for n, v in score.conventions.items())]
                choices.append(f"gold={gold} tags; punctuation {punctuation} ({marks.rule})")
                rows.append(
                    common | _value(score) | {"gold": gold, "punctuation": punctuation, "length": "all", "n": table.n}
                    | {"classes": table.counts.shape[0], "clusters": table.counts.shape[1],
                       "convention": "; ".join(choices)}
                )  # fmt: skip
    info = {"steps": found.steps, "unit": STEPS[run.model], "seconds": found.seconds}
    return {
        "scores": results_table(rows),
        "runs": pd.DataFrame([_named(common) | {"level": run.level, "k": run.k} | info]),
        **{part: pd.DataFrame() for part in ("relations", "lengths", "sentence_lengths", "standards")},
    }


def class_scores(table: Any, assignment: str) -> list[Score]:
    """The challenge's four measures of one contingency table, in the order of `CLASS_MEASURES`."""
    return [
        many_to_one(table),
        one_to_one(table, assignment=assignment),
        v_measure(table, base=math.e),
        variation_of_information(table, base=2),
    ]


def _value(score: Score) -> dict[str, Any]:
    """A word class score as the paper prints it: percent, or bits."""
    names = {"many-to-one": "M-1", "one-to-one": "1-1", "V": "VM", "VI": "VI"}
    name = names[score.measure]
    counts = {"numerator": score.numerator, "denominator": score.denominator}
    unit = "bits" if name == "VI" else "percent"
    return {"measure": name, "value": float(score) * (1 if name == "VI" else 100), "unit": unit} | counts


def _evaluate_trees(
    testset: str, run: System, common: dict[str, Any], stated: list[str], conventions: dict[str, Any]
) -> dict[str, pd.DataFrame]:
    found = fit_trees(testset, run)
    test = data(testset).test
    rows = []
    scores = {"all": attachment_scores(test, found.heads, punctuation=False)}
    scores["short"] = attachment_scores(test, found.heads, max_length=conventions["short"], punctuation=False)
    for length, attached in scores.items():
        for measure, score in zip(TREE_MEASURES, attached.scores(), strict=True):
            choices = [*stated, *(f"{n}={v}" for n, v in score.conventions.items())]
            rows.append(
                common | {"measure": measure, "value": None if score.value is None else 100 * score.value}
                | {"unit": "percent"}
                | {"numerator": score.numerator, "denominator": score.denominator, "n": score.denominator}
                | {"gold": "heads", "punctuation": "left out", "length": length, "convention": "; ".join(choices)}
            )  # fmt: skip
    whole = scores["all"]
    tables = {
        "relations": scores_by_relation(whole, relations(testset)),
        "lengths": scores_by_length(whole),
        "sentence_lengths": scores_by_sentence_length(whole, [5, 10, 20, 40]),
        "standards": _standards(testset, found.heads) if testset in CONVERTED else None,
    }
    info = {"steps": found.iterations, "unit": "iterations", "seconds": found.seconds, "trained": found.trained,
            "smoothed": found.smoothed}  # fmt: skip
    if len(found.log_likelihoods):
        info |= {"log_likelihood": float(found.log_likelihoods[-1])}
    return {
        "scores": results_table(rows),
        "runs": pd.DataFrame([_named(common) | {"level": run.level, "k": run.k} | info]),
        **{part: _percent(table, common) for part, table in tables.items()},
    }


def _standards(testset: str, heads: Any) -> pd.DataFrame:
    golds = gold_standards(testset)
    first = len(next(iter(golds.values())))
    table = compare_standards(golds, {"": heads[:first]}, punctuation=False).drop(columns="system")
    return table.rename(columns={"standard": "conversion"})


def _percent(table: pd.DataFrame | None, common: dict[str, Any]) -> pd.DataFrame:
    if table is None:
        return pd.DataFrame()
    return in_percent(table.astype({"value": "Float64"})).assign(**_named(common))


def _named(common: dict[str, Any]) -> dict[str, Any]:
    return {name: common[name] for name in ("testset", "track", "system", "corpus", "data_version")}


@lru_cache(maxsize=64)
def attached(testset: str, name: str, track: str, setting: Setting) -> AttachmentScores:
    """The scores of one run on one test set, with the counts of every token and sentence."""
    run = run_named(testset, name, track, setting)
    return attachment_scores(data(testset).test, fit_trees(testset, run).heads, punctuation=False)
