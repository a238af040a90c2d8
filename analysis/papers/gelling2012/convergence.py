"""Whether BC and GJ08 VB have converged: their scores after more and more sweeps, stored."""

from typing import Any

import numpy as np
import pandas as pd

from analysis.categories.contingency import contingency
from analysis.categories.models import PitmanYorHMM, VariationalHMM
from analysis.papers.gelling2012.runs import class_scores
from analysis.papers.gelling2012.setting import Setting, data
from analysis.papers.recipe import evaluate_all, stored, takes_setting

#: Systems: class, the argument of its number of steps, and its objective after each step.
SYSTEMS: dict[str, tuple[Any, str, str]] = {
    "BC": (PitmanYorHMM, "sweeps", "log_probability_"),
    "GJ08 VB": (VariationalHMM, "iterations", "bound_"),
}
STEPS = (10, 20, 50, 100, 200, 500, 1000)
MEASURES = ("M-1", "1-1", "VM")


def convergence_cell(
    testset: str, version: str, system: str, steps: tuple[int, ...], assignment: str, random_state: int
) -> dict[str, pd.DataFrame]:
    """Scores of one chain against fine tags after some of its steps; K is the number of fine tags of the text."""
    tokens = data(testset).tokens
    scored, k = tokens["scored"].to_numpy(), int(tokens["fine"].astype("str").nunique())
    gold = tokens["fine"].astype("str")[scored]
    kind, length, objective = SYSTEMS[system]
    model, rows = None, []
    for step in steps:
        longer = kind(n_clusters=k, random_state=random_state, progress=False, **{length: step})
        model = longer.fit(tokens, resume=model)
        done = len(getattr(model, objective))
        about = {"testset": testset, "system": system, "k": k, "random_state": random_state, "step": done,
                 "objective": float(getattr(model, objective)[-1]), "data_version": version}  # fmt: skip
        scores = class_scores(contingency(gold, np.asarray(model.labels_)[scored]), assignment)
        rows += [
            {**about, "measure": score.measure, "value": score.value, "unit": "proportion"}
            for score in scores if score.measure in MEASURES
        ]  # fmt: skip
        if done < step:  # it has converged
            break
    return {"scores": pd.DataFrame(rows)}


@takes_setting(Setting)
def convergence_runs(
    setting: Setting, systems: tuple[str, ...] = tuple(SYSTEMS), seeds: int = 2, steps: tuple[int, ...] = STEPS,
    n_jobs: int = 1,
) -> pd.DataFrame:  # fmt: skip
    """Scores of BC and of GJ08 VB after more and more steps, as a long table.

    Parameters
    ----------
    setting, **choices
        As for `scores`; its test sets and its ``assignment``.
    systems : tuple of str
        Of "BC" and "GJ08 VB".
    seeds : int
        Chains of each system, with the seeds 0, 1, ...
    steps : tuple of int
        Sweeps, or passes of GJ08 VB, after which the clusters are scored; the same chain goes on in between.
    n_jobs : int
        Processes; the numbers do not depend on it.

    Returns
    -------
    DataFrame
        ``testset``, ``system``, ``k``, ``random_state``, ``step``, ``objective`` (nats), ``measure``, ``value``
        (proportion), ``data_version``. GJ08 VB stops where its bound has converged.
    """
    cells = [
        {"testset": testset, "version": data(testset).version, "system": system, "steps": tuple(steps),
         "assignment": setting.assignment, "random_state": seed}
        for testset in setting.testsets for system in systems for seed in range(seeds)
    ]  # fmt: skip
    return evaluate_all(convergence_cell, cells, data="each cell names its own", n_jobs=n_jobs)["scores"]


def convergence() -> pd.DataFrame:
    """The stored chains, one row a chain and number of steps.

    On arabic, an open edition and not the paper's, V of BC rises from .305 and .338 after 20 sweeps to .565 and .581
    after 1,000 (.62 printed): there most of its distance to print goes with more sweeps. Both chains rise steeply after
    500, so that where they end is open. The bound of GJ08 VB converges within 155 passes, on arabic at V of .209 and
    .223: more passes do not move it; other priors were not tried.

    Returns
    -------
    DataFrame
        ``testset``, ``system``, ``k``, ``random_state``, ``step``, ``objective`` (nats), ``M-1``, ``1-1``, ``VM``
        (proportions, fine tags, punctuation scored).
    """
    runs = stored("gelling2012_convergence", convergence_cell)
    keys = ["testset", "system", "k", "random_state", "step", "objective"]
    table = runs.pivot(index=keys, columns="measure", values="value")[list(MEASURES)]
    types = {"k": "int64", "random_state": "int64", "step": "int64", "objective": "float64"}
    table = table.astype("float64").rename_axis(columns=None).reset_index().astype(types)
    return table.sort_values([*keys[:4], "step"], ignore_index=True)
