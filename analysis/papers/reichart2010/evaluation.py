"""Score every run once: twelve measures, the size of its lexicon, what hill climbing reaches."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from analysis.categories import (
    TypeTable,
    align_labels,
    contingency,
    lexicon,
    restart_values,
    token_level_scores,
    type_level_scores,
    type_table,
)
from analysis.categories.type_measures import INITIALISATIONS
from analysis.categories.type_measures import MEASURES as TYPE_MEASURES
from analysis.experiments import run_cells, time_left
from analysis.papers.reichart2010.setting import Setting, data, number_of_clusters
from analysis.papers.reichart2010.systems import (
    STEPS,
    System,
    begin,
    curve_systems,
    fit,
    fit_key,
    is_fitted,
    is_long,
    systems,
)
from analysis.structures import Score, results_table

#: The twelve columns of Table 1: level, measure, mapping (as in data/published), and our name.
COLUMNS = (
    ("token", "accuracy", "M-1", "M-1"),
    ("token", "accuracy", "1-1", "1-1"),
    ("token", "NVI", "", "NVI"),
    ("token", "V", "", "V"),
    ("token", "H(C|K)", "", "H(C|K)"),
    ("token", "H(K|C)", "", "H(K|C)"),
    ("type", "MacroI", "M-1", "MacroI M-1"),
    ("type", "MacroI", "1-1", "MacroI 1-1"),
    ("type", "MicroI", "M-1", "MicroI M-1"),
    ("type", "MicroI", "1-1", "MicroI 1-1"),
    ("type", "MicroC", "M-1", "MicroC M-1"),
    ("type", "MicroC", "1-1", "MicroC 1-1"),
)
MEASURES = tuple(name for *_, name in COLUMNS)
TOKEN_MEASURES = MEASURES[:6]
LOWER_IS_BETTER = ("NVI", "H(C|K)", "H(K|C)")


class Evaluations(NamedTuple):
    """Long tables over runs.

    Attributes
    ----------
    scores : DataFrame
        A long result table with ``level``, ``clusters``, ``steps``.
    runs : DataFrame
        One row a run: what it did, and the size of its lexicon.
    restarts : DataFrame
        One row a start of hill climbing.
    """

    scores: pd.DataFrame
    runs: pd.DataFrame
    restarts: pd.DataFrame


@lru_cache(maxsize=8)
def evaluations(setting: Setting, n_jobs: int = -1) -> Evaluations:
    """Fit and score every run of Table 1; each is cached, so it is computed once.

    Parameters
    ----------
    setting : Setting
    n_jobs : int
        Processes; the numbers do not depend on it.
    """
    return _evaluate_all(setting, systems(setting), n_jobs)


@lru_cache(maxsize=8)
def curve_evaluations(setting: Setting, n_jobs: int = -1) -> Evaluations:
    """Fit and score every run of the curves of each measure against K."""
    return _evaluate_all(setting, curve_systems(setting), n_jobs)


def challenge_evaluations(
    setting: Setting, bc_sweeps: int = 20, c_sweeps: int = 100, k: int | None = None, n_jobs: int = 1
) -> Evaluations:
    """BC and C of Gelling et al. (2012) by this paper's twelve measures.

    Parameters
    ----------
    setting : Setting
    bc_sweeps, c_sweeps : int
        Gibbs sweeps of BC, and of the first stage of C.
    k : int, optional
        Clusters; by default as many as Clark03's.
    n_jobs : int
        Processes.
    """
    clusters = k or number_of_clusters(setting)
    runs = [
        System(model, clusters, setting.seed, (("sweeps", sweeps),))
        for model, sweeps in (("BC", bc_sweeps), ("C", c_sweeps))
    ]
    return _evaluate_all(setting, runs, n_jobs)


def _evaluate_all(setting: Setting, runs: Sequence[System], n_jobs: int) -> Evaluations:
    found = data(setting.corpus).tokens[setting.gold]
    conventions = {
        "gold": setting.gold,
        "leave_out": [name for name in setting.leave_out if (found == name).any()],
        "assignment": setting.assignment,
        "base": setting.base,
        "restarts": setting.restarts,
        "initialisation": setting.initialisation,
        "climbing_seed": setting.seed,
    }
    grid = [
        {
            "corpus": setting.corpus,
            "model": run.model,
            "k": run.k,
            "seed": run.seed,
            "parameters": {name: list(value) if isinstance(value, tuple) else value for name, value in run.parameters},
            "conventions": conventions,
        }
        for run in runs
    ]
    long = [run for run in runs if is_long(run) and not is_fitted(setting.corpus, run)]
    for run in long:
        begin(setting.corpus, run)
    from joblib import effective_n_jobs

    unfinished = [(run.model, fit_key(setting.corpus, run)) for run in long]
    with time_left(unfinished, processes=min(effective_n_jobs(n_jobs), len(runs))):
        cells = run_cells(
            evaluate,
            grid,
            n_jobs=n_jobs,
            cache={"data": data(setting.corpus).version, "name": "reichart2010_evaluate"},
            progress=not long,
        )
    return Evaluations(*(pd.concat([cell[part] for cell in cells], ignore_index=True) for part in Evaluations._fields))


def scored_tokens(corpus: str, labels: np.ndarray, gold: str, leave_out: Sequence[str]) -> pd.DataFrame:
    """Tokens that are scored: ``form``, ``gold``, ``predicted``."""
    tokens = data(corpus).tokens
    return align_labels(tokens, pd.Series(labels, index=tokens.index), label=gold, leave_out=leave_out).tokens


def lexicons(corpus: str, system: System, setting: Setting) -> TypeTable:
    """The gold classes and the clusters of each word, as the type-level measures take them."""
    found = scored_tokens(corpus, fit(corpus, system).labels, setting.gold, setting.leave_out)
    return type_table(lexicon(found, "gold"), lexicon(found, "predicted"))


def evaluate(
    corpus: str,
    model: str,
    k: int,
    seed: int,
    parameters: dict[str, Any],
    conventions: dict[str, Any],
) -> dict[str, pd.DataFrame]:
    """One run's tables: ``scores``, ``runs``, ``restarts``."""
    chosen = tuple((name, tuple(value) if isinstance(value, list) else value) for name, value in parameters.items())
    found = fit(corpus, System(model, k, seed, chosen))
    tokens = scored_tokens(corpus, found.labels, conventions["gold"], conventions["leave_out"])
    table = contingency(tokens["gold"], tokens["predicted"])
    types = type_table(lexicon(tokens, "gold"), lexicon(tokens, "predicted"))
    climbing = {name: conventions[name] for name in ("restarts", "initialisation")}
    scores = [
        *token_level_scores(table, assignment=conventions["assignment"], base=conventions["base"])[:6],
        *type_level_scores(types, random_state=conventions["climbing_seed"], **climbing),
    ]
    stated = [f"{name}={value}" for name, value in parameters.items()]
    left_out = " ".join(conventions["leave_out"]) or "nothing"
    common = {
        "system": model,
        "corpus": corpus,
        "k": k,
        "seed": str(seed),
        "data_version": data(corpus).version,
        "clusters": table.counts.shape[1],
        "steps": f"{found.steps:,} {STEPS.get(model, 'sweeps')}",
    }
    rows = []
    for (level, _, _, name), score in zip(COLUMNS, scores, strict=True):
        choices = [*stated, *(f"{n}={v}" for n, v in score.conventions.items())]
        choices.append(f"not scored: {left_out}")
        rows.append(
            common
            | {
                "measure": name,
                "level": level,
                "value": score.value,
                "unit": score.unit,
                "convention": "; ".join(choices),
            }
            | {"n": table.n if level == "token" else types.n_types}
            | _counts(score)
        )
    run = common | {
        "moves": found.moves,
        "objective": found.objective,
        "seconds": found.seconds,
        "types": types.n_types,
        **polysemy(tokens, types.predicted_entries, types),
        "clusters_a_type": float(types.predicted_entries.mean()),
    }
    starts = [
        restart_values(
            types,
            measure=measure,
            restarts=conventions["restarts"],
            initialisation=initialisation,
            random_state=conventions["climbing_seed"],
        )
        for measure in TYPE_MEASURES
        for initialisation in INITIALISATIONS
    ]
    named = {name: common[name] for name in ("system", "corpus", "k", "seed")}
    return {
        "scores": results_table(rows),
        "runs": pd.DataFrame([run]).drop(columns=["corpus", "data_version"]),
        "restarts": pd.concat(starts, ignore_index=True).assign(**named),
    }


def polysemy(tokens: pd.DataFrame, entries: np.ndarray, types: TypeTable) -> dict[str, int]:
    """Types with several labels, and the tokens of such types."""
    several = set(types.forms[entries > 1])
    if isinstance(tokens["form"].dtype, pd.CategoricalDtype):
        counts = tokens["form"].value_counts()
        inside = int(counts[counts.index.isin(several)].sum())
    else:
        inside = int(tokens["form"].isin(several).sum())
    return {"polysemous_types": len(several), "polysemous_tokens": inside, "tokens": len(tokens)}


def _counts(score: Score) -> dict[str, int | None]:
    """Numerator and denominator, if both are whole (MicroI and MicroC sum fractions)."""
    pair = (score.numerator, score.denominator)
    if all(isinstance(number, int) for number in pair):
        return {"numerator": int(score.numerator or 0), "denominator": int(score.denominator or 0)}
    return {"numerator": None, "denominator": None}
