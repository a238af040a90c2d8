"""Fit each system, label the tokens and score the labels."""

from collections.abc import Callable, Mapping
from dataclasses import asdict, replace
from typing import Any

import numpy as np
import pandas as pd
from joblib import effective_n_jobs

from analysis.categories import (
    TypeTable,
    align_labels,
    contingency,
    lexicon,
    quick_scores,
    restart_values,
    token_level_scores,
    type_level_scores,
    type_table,
)
from analysis.categories.models import (
    BayesianHMM,
    BrownClustering,
    ChrupalaClustering,
    ClarkClustering,
    ExchangeClustering,
    InfiniteHMM,
    PitmanYorHMM,
    PrototypeClustering,
    VariationalHMM,
)
from analysis.categories.models.clark_clustering import CLARK_ASSIGNED
from analysis.categories.models.infinite_hmm import CONFIGURATIONS
from analysis.categories.type_measures import INITIALISATIONS
from analysis.categories.type_measures import MEASURES as TYPE_MEASURES
from analysis.experiments import Labelling, cache_key, fit_labels, growing
from analysis.papers.recipe import Run, check_known, counted, evaluate_all, kept
from analysis.papers.reichart2010.setting import ANNEALING, CASED, Setting, data, number_of_clusters, tagged
from analysis.structures import results_table

CLASSES: dict[str, Any] = {
    "Clark03": ClarkClustering,
    "GG07": BayesianHMM,
    "GVG09(1)": InfiniteHMM,
    "GVG09(2)": InfiniteHMM,
    "GVG09(3)": InfiniteHMM,
    "GJ08": BayesianHMM,
    "GJ08 VB": VariationalHMM,
    "Brown": BrownClustering,
    "Exchange": ExchangeClustering,
    "ARR10": PrototypeClustering,
}
#: Clark's program, and the same with rare words assigned to their best class at the end.
ASSIGNED = "Clark03, assigned"
SYSTEMS = ("Clark03", ASSIGNED, *tuple(CLASSES)[1:])
#: A row of the paper that is made in its spirit only: the paper names the system and does not define it. Its printed
#: numbers are no target, and no claim counts it.
IN_THE_SPIRIT = "ARR10"
#: Systems of Gelling et al. (2012) that are not in this paper's tables; `challenge_evaluations` evaluates them.
CLASSES |= {"BC": PitmanYorHMM, "C": ChrupalaClustering}
#: Systems of the curves, which can run with any number of clusters.
CURVE_SYSTEMS = ("Clark03", "GG07", "Brown", "Exchange")
#: Iterative systems, with the field of `Setting` for their number of iterations.
CHAINS = {
    "GG07": "sweeps",
    "GVG09(1)": "infinite_sweeps",
    "GVG09(2)": "infinite_sweeps",
    "GVG09(3)": "infinite_sweeps",
    "GJ08": "gj_sweeps",
    "GJ08 VB": "vb_passes",
}
#: Arguments of a model that the setting cannot change.
FIXED: dict[str, dict[str, Any]] = {
    "GJ08": {"order": "bigram", "resample_priors": False},
    **{f"GVG09({number})": dict(CONFIGURATIONS[number]) for number in (1, 2, 3)},
}
STEPS = {"ARR10": "mergers", "Clark03": "passes", "Brown": "mergers", "Exchange": "passes", "GJ08 VB": "passes"}
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


# Which runs -----------------------------------------------------------------------------------------------------------


def systems(setting: Setting) -> list[Run]:
    """Every run of Table 1, the slowest first.

    Examples
    --------
    >>> [run.system for run in systems(Setting(runs=1))][:6]
    ['GG07', 'GVG09(1)', 'GVG09(2)', 'GVG09(3)', 'GJ08', 'GJ08 VB']
    >>> [(run.system, run.k, run.seed) for run in systems(Setting(clusters=34, runs=1))][6:]
    [('Clark03', 34, 0), ('Clark03, assigned', 34, 0), ('Brown', 34, 0), ('Exchange', 34, 0), ('ARR10', 34, 0)]
    """
    k = number_of_clusters(setting)
    return [
        *(chain(name, setting) for name in CHAINS),
        *(
            clark(name, setting, k, setting.seed + number)
            for name in ("Clark03", ASSIGNED)
            for number in range(setting.runs)
        ),
        Run("Brown", k=k, seed=setting.seed),
        Run("Exchange", k=k, seed=setting.seed),
        Run(IN_THE_SPIRIT, k=k, seed=setting.seed),
    ]


def clark(name: str, setting: Setting, k: int, seed: int) -> Run:
    """A run of Clark03, whose rare words are one of K classes, or of the same with rare words assigned at the end."""
    if name == ASSIGNED:
        return Run(name, "Clark03", k, seed, (("min_count", max(setting.cutoff, 1)), *CLARK_ASSIGNED.items()))
    return Run(name, "Clark03", k, seed, (("n_clusters", max(k - 1, 1)), ("min_count", setting.cutoff + 1)))


def chain(name: str, setting: Setting, steps: int | None = None) -> Run:
    """The run of an iterative system, by default with the number of iterations in the setting.

    Raises
    ------
    ValueError
        If the system is none of these.

    Examples
    --------
    >>> chain("GJ08", Setting(), steps=5).parameters
    (('sweeps', 5), ('priors', (0.1, 0.1)))
    """
    check_known([name], CHAINS, "sampler is")
    sweeps = ("sweeps", getattr(setting, CHAINS[name]) if steps is None else steps)
    size, further = {
        "GG07": ("hmm_clusters", (("annealing", ANNEALING),)),
        "GVG0": ("infinite_start", ()),  # K is the number at the start; the sampler changes it
        "GJ08": ("gj_clusters", (("priors", setting.gj_priors),)),
    }[name[:4]]
    return Run(name, "", getattr(setting, size), setting.seed, (sweeps, *further))


def infinite_starts(setting: Setting) -> tuple[int, ...]:
    """Numbers of tags with which chains of GVG09 begin: a fifth of that of Table 1, the same, and four times it.

    Examples
    --------
    >>> infinite_starts(Setting()), infinite_starts(Setting(corpus="nltk-dependency-treebank"))
    ((2, 10, 40), (10, 50, 200))
    """
    start = setting.infinite_start
    return max(start // 5, 1), start, 4 * start


def infinite_runs(setting: Setting) -> list[Run]:
    """A chain of each configuration of GVG09 from each of `infinite_starts`, the dearest first."""
    names = [name for name in CHAINS if name.startswith("GVG09")]
    return [
        replace(chain(name, setting), k=k) for k in sorted(infinite_starts(setting), reverse=True) for name in names
    ]


def curve_systems(setting: Setting) -> list[Run]:
    """One run per system and number of clusters of the curves, the slowest first."""
    ks = sorted(set(setting.curve), reverse=True)
    annealed = (("sweeps", setting.curve_sweeps), ("annealing", ANNEALING))
    return [
        *(Run("GG07", "", k, setting.seed, annealed) for k in ks),
        *(clark("Clark03", setting, k, setting.seed) for k in ks),
        *(Run(name, "", k, setting.seed) for name in ("Brown", "Exchange") for k in ks),
    ]


def first_run(system: str, setting: Setting) -> Run:
    """The first run of a system in Table 1.

    Raises
    ------
    ValueError
        If there is no such system.
    """
    check_known([system], SYSTEMS, "system is")
    return next(run for run in systems(setting) if run.system == system)


# Fit ------------------------------------------------------------------------------------------------------------------


def fit(corpus: str, run: Run) -> Labelling:
    """One run on a corpus, punctuation included; stored under data, parameters and source."""
    return fit_labels(estimator(run), data(corpus).tokens, fit_key(corpus, run), chain=run.model in CHAINS)


def fit_key(corpus: str, run: Run) -> dict[str, Any]:
    """Cache key of a run."""
    parameters = {"model": run.model, "k": run.k, "seed": run.seed, **run.choices}
    return cache_key(
        data=data(corpus).version, parameters=parameters, function=(CLASSES[run.model], options, fit_labels)
    )


def estimator(run: Run) -> Any:
    """The model of a run, to be fitted.

    Examples
    --------
    >>> estimator(Run("GJ08 VB", k=5, seed=0, parameters=(("sweeps", 7), ("priors", (0.3, 0.02))))).emission_prior
    0.02
    """
    return CLASSES[run.model](progress=False, **options(run))


def options(run: Run) -> dict[str, Any]:
    """Arguments of the model's class.

    Examples
    --------
    >>> options(Run("Brown", k=34, seed=0))
    {'n_clusters': 34}
    """
    size = "initial_clusters" if run.model.startswith("GVG09") else "n_clusters"
    seed = {} if run.model in ("Brown", "Exchange") else {"random_state": run.seed}
    chosen: dict[str, Any] = {size: run.k, **run.choices, **FIXED.get(run.model, {}), **seed}
    if "priors" in chosen:
        chosen["transition_prior"], chosen["emission_prior"] = chosen.pop("priors")
    if run.model == "GJ08 VB":
        chosen["iterations"] = chosen.pop("sweeps")
    return chosen


# Score ----------------------------------------------------------------------------------------------------------------


def conventions(setting: Setting) -> dict[str, Any]:
    """The conventions of the setting that affect the scores."""
    classes = set(tagged(setting.text)[setting.gold].astype("str").unique())
    return {
        "gold": setting.gold,
        "leave_out": [name for name in setting.leave_out if name in classes],
        "assignment": setting.assignment,
        "base": setting.base,
        "restarts": setting.restarts,
        "initialisation": setting.initialisation,
        "climbing_seed": setting.seed,
    }


def scored_tokens(corpus: str, labels: np.ndarray, chosen: Mapping[str, Any]) -> pd.DataFrame:
    """Tokens that are scored under these `conventions`: ``form``, ``gold``, ``predicted``."""
    tokens = tagged(corpus)
    predicted = pd.Series(labels[: len(tokens)], tokens.index)
    return align_labels(tokens, predicted, label=chosen["gold"], leave_out=chosen["leave_out"]).tokens


def first_tokens(system: str, setting: Setting) -> pd.DataFrame:
    """The tokens that are scored with their clusters in a system's first run; see `scored_tokens`."""
    labels = fit(setting.text, first_run(system, setting)).labels
    return scored_tokens(setting.text, labels, conventions(setting))


def lexicons(system: str, setting: Setting) -> TypeTable:
    """The gold classes of each word, and its clusters in a system's first run."""
    return _types(first_tokens(system, setting))


def _types(tokens: pd.DataFrame) -> TypeTable:
    return type_table(lexicon(tokens, "gold"), lexicon(tokens, "predicted"))


def cells(setting: Setting, runs: tuple[Run, ...]) -> list[dict[str, Any]]:
    """The arguments of `evaluate` and the like, one mapping per run."""
    chosen = conventions(setting)
    return [{"corpus": setting.text, "run": asdict(run), "chosen": chosen} for run in runs]


@kept
def evaluate_runs(
    evaluate: Callable[..., dict[str, pd.DataFrame]], setting: Setting, runs: tuple[Run, ...], n_jobs: int = -1
) -> dict[str, pd.DataFrame]:
    """Fit and score some runs; each is stored, so it is computed once. While long ones run, the time left is shown.

    Parameters
    ----------
    evaluate : callable
        `evaluate` or `evaluate_samples`.
    setting : Setting
    runs : tuple of Run
    n_jobs : int
        Processes; the numbers do not depend on it.
    """
    corpus, (tokens, version) = setting.text, data(setting.text)
    chains = [(run.system, estimator(run), tokens, fit_key(corpus, run)) for run in runs if run.model in CHAINS]
    with growing(chains, processes=min(effective_n_jobs(n_jobs), len(runs))) as long:
        return evaluate_all(evaluate, cells(setting, runs), data=version, n_jobs=n_jobs, progress=not long)


def evaluations(setting: Setting, n_jobs: int = -1) -> dict[str, pd.DataFrame]:
    """Every run of Table 1: ``scores``, ``runs`` and ``restarts``; see `evaluate`."""
    return evaluate_runs(evaluate, setting, tuple(systems(setting)), n_jobs)


def curve_evaluations(setting: Setting, n_jobs: int = -1) -> dict[str, pd.DataFrame]:
    """Every run of the curves of each measure against K, as `evaluations`."""
    return evaluate_runs(evaluate, setting, tuple(curve_systems(setting)), n_jobs)


def challenge_evaluations(
    setting: Setting, bc_sweeps: int = 20, c_sweeps: int = 100, k: int | None = None, n_jobs: int = 1
) -> dict[str, pd.DataFrame]:
    """BC and C of Gelling et al. (2012) on this paper's twelve measures.

    Parameters
    ----------
    setting : Setting
    bc_sweeps, c_sweeps : int
        Gibbs sweeps of BC, and of the first stage of C.
    k : int, optional
        Clusters; by default as many as for Clark03.
    n_jobs : int
        Processes.

    Returns
    -------
    dict of str to DataFrame
        As `evaluations`.
    """
    runs = tuple(
        Run(name, "", k or number_of_clusters(setting), setting.seed, (("sweeps", sweeps),))
        for name, sweeps in (("BC", bc_sweeps), ("C", c_sweeps))
    )
    return evaluate_runs(evaluate, setting, runs, n_jobs)


def chain_evaluations(setting: Setting, n_jobs: int = -1) -> pd.DataFrame:
    """Clusters and log probability after each sweep of each of `infinite_runs`; see `evaluate_chain`."""
    runs, version = tuple(infinite_runs(setting)), data(setting.text).version
    return evaluate_all(evaluate_chain, cells(setting, runs), data=version, n_jobs=n_jobs)["chains"]


def evaluate_chain(corpus: str, run: dict[str, Any], chosen: dict[str, Any]) -> dict[str, pd.DataFrame]:
    """The trace of one chain of GVG09; its labels are not scored, so ``chosen`` is not used.

    Returns
    -------
    dict of str to DataFrame
        ``chains``: ``system``, ``start``, ``sweep``, ``clusters``, ``log_probability``.
    """
    one = Run(**run)
    model = estimator(one).fit(data(corpus).tokens)
    sweeps = {"sweep": np.arange(1, model.sweeps_done_ + 1), "clusters": model.clusters_}
    trace = pd.DataFrame({**sweeps, "log_probability": model.log_probability_})
    return {"chains": trace.assign(system=one.system, start=one.k)}


def evaluate(corpus: str, run: dict[str, Any], chosen: dict[str, Any]) -> dict[str, pd.DataFrame]:
    """One run's tables.

    Returns
    -------
    dict of str to DataFrame
        ``scores``: a long result table with ``level``, ``clusters``, ``steps``, ``unit``. ``runs``: one row with
        details of the run and the size of its lexicon. ``restarts``: one row per start of hill climbing.
    """
    one = Run(**run)
    found = fit(corpus, one)
    tokens = scored_tokens(corpus, found.labels, chosen)
    table, types = contingency(tokens["gold"], tokens["predicted"]), _types(tokens)
    scores = [
        *token_level_scores(table, assignment=chosen["assignment"], base=chosen["base"])[:6],
        *type_level_scores(types, restarts=chosen["restarts"], initialisation=chosen["initialisation"],
                           random_state=chosen["climbing_seed"]),
    ]  # fmt: skip
    named = {"system": one.system, "corpus": corpus.removesuffix(CASED), "k": one.k, "seed": str(one.seed)}
    did = {"clusters": table.counts.shape[1], "steps": f"{found.steps:,} {STEPS.get(one.model, 'sweeps')}"}
    stated = [f"{name}={list(value) if isinstance(value, tuple) else value}" for name, value in one.parameters]
    left_out = f"not scored: {' '.join(chosen['leave_out']) or 'nothing'}"
    rows = [
        {**named, "data_version": data(corpus).version, **did, "measure": name, "level": level,
         "n": table.n if level == "token" else types.n_types, **counted(score, *stated, then=left_out)}
        for (level, _, _, name), score in zip(COLUMNS, scores, strict=True)
    ]  # fmt: skip
    several = types.forms[types.predicted_entries > 1]
    run_did = {
        "system": one.system, "k": one.k, "seed": str(one.seed), **did, "moves": found.moves,
        "objective": found.objective, "seconds": found.seconds, "tokens": len(tokens), "types": types.n_types,
        "polysemous_types": len(several), "polysemous_tokens": int(tokens["form"].astype("str").isin(several).sum()),
        "clusters_a_type": float(types.predicted_entries.mean()),
    }  # fmt: skip
    starts = [
        restart_values(types, measure=measure, restarts=chosen["restarts"], initialisation=initialisation,
                       random_state=chosen["climbing_seed"])
        for measure in TYPE_MEASURES
        for initialisation in INITIALISATIONS
    ]  # fmt: skip
    return {
        "scores": results_table(rows),
        "runs": pd.DataFrame([run_did]).astype({"moves": "Int64"}),
        "restarts": pd.concat(starts, ignore_index=True).assign(**named),
    }


def evaluate_samples(corpus: str, run: dict[str, Any], chosen: dict[str, Any]) -> dict[str, pd.DataFrame]:
    """The ``traces`` (objective after each sweep) and ``samples`` (scores after some of them) of one chain."""
    one = Run(**run)
    found = fit(corpus, one)
    trace = pd.Series(found.trace, name="objective")
    rows = [
        {"system": one.system, "sweep": sweep, "clusters": len(np.unique(labels)), "objective": trace[sweep - 1]}
        | quick_scores(scored_tokens(corpus, labels, chosen), assignment=chosen["assignment"], base=chosen["base"])
        for sweep, labels in found.kept.items()
    ]
    traces = pd.DataFrame({"system": one.system, "sweep": np.arange(1, len(trace) + 1), "objective": trace})
    return {"traces": traces, "samples": pd.DataFrame(rows)}


def evaluate_priors(corpus: str, run: dict[str, Any], chosen: dict[str, Any]) -> dict[str, pd.DataFrame]:
    """The ``scores`` of GJ08 at one pair of priors, with the number of clusters and the seconds."""
    one = Run(**run)
    model = estimator(one).fit(data(corpus).tokens)
    (_, sweeps), (_, (transition, emission)) = one.parameters
    tokens = scored_tokens(corpus, model.labels_, chosen)
    row = {"system": one.system, "k": one.k, "seed": one.seed, "sweeps": sweeps, "transition_prior": transition,
           "emission_prior": emission, "clusters": len(np.unique(model.labels_)),
           "seconds": float(model.seconds_.sum()),
           **quick_scores(tokens, assignment=chosen["assignment"], base=chosen["base"])}  # fmt: skip
    return {"scores": pd.DataFrame([row])}
