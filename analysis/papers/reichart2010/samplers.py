"""The systems that go over the text again and again: what changes from sweep to sweep, and what the priors do."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np
import pandas as pd

from analysis import categories
from analysis.categories import (
    contingency,
    lexicon,
    macro_i,
    many_to_one,
    micro_i,
    one_to_one,
    type_table,
    v_measure,
)
from analysis.corpora.folders import data_folder
from analysis.experiments import cross, run_grid
from analysis.papers.reichart2010.evaluation import scored_tokens
from analysis.papers.reichart2010.setting import Setting, data, generated, make_setting
from analysis.papers.reichart2010.systems import CHAINS, Fit, System, chain, estimator, fit
from analysis.structures.units import in_percent

PRIORS = (1.0, 0.1, 0.01, 0.001)
#: What is measured of each sample: without hill climbing, so that it is quick.
SAMPLE_MEASURES = ("V", "M-1", "1-1", "MacroI 1-1", "MicroI 1-1")


def traces(
    setting: Setting | None = None, *, systems: Sequence[str] = tuple(CHAINS), **choices: object
) -> pd.DataFrame:
    """Objective after each sweep: log probability of words and tags, of variational Bayes its lower bound.

    Parameters
    ----------
    setting, **choices
        As for `analysis.papers.reichart2010.scores`.
    systems : sequence of str
        Among GG07, GVG09(1) to (3), GJ08, GJ08 VB.

    Returns
    -------
    DataFrame
        ``system``, ``sweep`` (from 1), ``objective`` (in nats).
    """
    chosen = make_setting(setting, choices)
    parts = []
    for system in systems:
        trace = _trace(_chain_fit(system, chosen))
        parts.append(pd.DataFrame({"system": system, "sweep": np.arange(1, len(trace) + 1), "objective": trace}))
    return pd.concat(parts, ignore_index=True)


def samples(
    setting: Setting | None = None, *, systems: Sequence[str] = tuple(CHAINS), **choices: object
) -> pd.DataFrame:
    """Number of clusters and some scores after some of the sweeps.

    Parameters
    ----------
    setting, systems, **choices
        As for `traces`.

    Returns
    -------
    DataFrame
        ``system``, ``sweep``, ``clusters`` (with at least one token, scored or not), ``objective``, and one column a
        measure: V, M-1 and 1-1 of tokens, MacroI 1-1 and MicroI 1-1 of types.
    """
    chosen = make_setting(setting, choices)
    return pd.concat([_samples(system, chosen) for system in systems], ignore_index=True)


def stored_samples() -> pd.DataFrame:
    """What `samples` gave for the stored long runs, one more column naming the ``corpus``, one the ``command``."""
    path = data_folder() / "results" / "reichart2010_samples.csv"
    return pd.read_csv(path, keep_default_na=False, na_values=[""], encoding="utf-8")


@lru_cache(maxsize=32)
def _samples(system: str, setting: Setting) -> pd.DataFrame:
    found = _chain_fit(system, setting)
    trace, rows = _trace(found), []
    for sweep, labels in found.kept.items():
        row = {"system": system, "sweep": sweep, "clusters": len(np.unique(labels))}
        rows.append(row | {"objective": trace[sweep - 1]} | quick_scores(labels, **_conventions(setting)))
    return pd.DataFrame(rows)


def _chain_fit(system: str, setting: Setting) -> Fit:
    return _fitted(setting.corpus, chain(system, setting))


@lru_cache(maxsize=16)
def _fitted(corpus: str, run: System) -> Fit:
    return fit(corpus, run)


def _trace(found: Fit) -> np.ndarray:
    return np.array([]) if found.trace is None else found.trace


def _conventions(setting: Setting) -> dict[str, Any]:
    """What the scores of a labelling depend on."""
    return {
        "corpus": setting.corpus,
        "gold": setting.gold,
        "leave_out": list(setting.leave_out),
        "assignment": setting.assignment,
        "base": setting.base,
    }


def quick_scores(
    labels: np.ndarray, corpus: str, gold: str, leave_out: Sequence[str], assignment: str, base: float
) -> dict[str, float]:
    """The measures of `SAMPLE_MEASURES` of one labelling of the tokens of a corpus."""
    tokens = scored_tokens(corpus, labels, gold, leave_out)
    types = type_table(lexicon(tokens, "gold"), lexicon(tokens, "predicted"))
    table = contingency(tokens["gold"], tokens["predicted"])
    found = (
        v_measure(table, base=base), many_to_one(table), one_to_one(table, assignment=assignment),
        macro_i(types), micro_i(types),
    )  # fmt: skip
    return dict(zip(SAMPLE_MEASURES, map(float, found), strict=True))


def sample_labels(system: str, sweep: int, setting: Setting) -> np.ndarray:
    """Cluster of each token after a sweep that was kept.

    Raises
    ------
    ValueError
        If that sweep was not kept.
    """
    kept = _chain_fit(system, setting).kept
    if sweep not in kept:
        raise ValueError(f"the tags of {system} after sweep {sweep} were not kept; there are {list(kept)}.")
    return kept[sweep]


def cluster_words(
    system: str, sweep: int, setting: Setting | None = None, *, clusters: int = 10, words: int = 6, **choices: object
) -> pd.DataFrame:
    """The largest clusters after a sweep, with their most frequent words.

    Parameters
    ----------
    system : str
        As for `traces`.
    sweep : int
        One of those in `samples`.
    clusters, words : int
        How many are shown, and how many words of each.

    Returns
    -------
    DataFrame
        `analysis.categories.cluster_words` of the tokens that are scored, ``share`` in percent.
    """
    chosen = make_setting(setting, choices)
    labels = sample_labels(system, sweep, chosen)
    tokens = scored_tokens(chosen.corpus, labels, chosen.gold, chosen.leave_out)
    return in_percent(categories.cluster_words(tokens, clusters=clusters, words=words), ["share"])


def priors(
    setting: Setting | None = None,
    *,
    values: Sequence[float] = PRIORS,
    system: str = "GJ08",
    sweeps: int | None = None,
    n_jobs: int = -1,
    **choices: object,
) -> pd.DataFrame:
    """GJ08 at every pair of priors.

    Parameters
    ----------
    values : sequence of float
        Of the priors a (transitions) and b (emissions). Gao & Johnson tried 1, 0.5, 0.1 and so on down to 0.0001.
    system : {"GJ08", "GJ08 VB"}
    sweeps : int, optional
        Of each run; by default 30 on the generated corpus and 300 on others.
    n_jobs : int
        Processes.

    Returns
    -------
    DataFrame
        ``system``, ``k``, ``seed``, ``sweeps``, ``transition_prior``, ``emission_prior``, ``clusters``, ``seconds``
        and one column a measure, as in `samples`.

    Raises
    ------
    ValueError
        If the system is not one of the two.
    """
    chosen = make_setting(setting, choices)
    if system not in ("GJ08", "GJ08 VB"):
        raise ValueError(f"system is {system!r}; it must be 'GJ08' or 'GJ08 VB'.")
    steps = sweeps or (30 if generated(chosen.corpus) else 300)
    common = {"system": system, "k": chosen.gj_clusters, "seed": chosen.seed, "sweeps": steps}
    common |= {"conventions": _conventions(chosen)}
    grid = [common | cell for cell in cross(transition_prior=values, emission_prior=values)]
    cache = {"data": data(chosen.corpus).version, "name": "reichart2010_priors"}
    return run_grid(scores_at, grid, n_jobs=n_jobs, cache=cache).drop(columns="conventions")


def scores_at(
    system: str,
    k: int,
    seed: int,
    sweeps: int,
    transition_prior: float,
    emission_prior: float,
    conventions: dict[str, Any],
) -> dict[str, float]:
    """Number of clusters, seconds and scores of GJ08 at one pair of priors."""
    run = System(system, k, seed, (("sweeps", sweeps), ("priors", (transition_prior, emission_prior))))
    model = estimator(run).fit(data(conventions["corpus"]).tokens)
    found = {"clusters": len(np.unique(model.labels_)), "seconds": float(model.seconds_.sum())}
    return found | quick_scores(model.labels_, **conventions)
