"""The systems that go over the text again and again: from sweep to sweep, and what their priors do."""

from collections.abc import Sequence
from typing import Any

import pandas as pd

from analysis import categories
from analysis.categories.models.infinite_hmm import agreement_of_chains
from analysis.papers.recipe import check_known, evaluate_all, stored, takes_setting
from analysis.papers.reichart2010.runs import (
    CHAINS,
    cells,
    chain,
    chain_evaluations,
    conventions,
    evaluate_priors,
    evaluate_runs,
    evaluate_samples,
    fit,
    scored_tokens,
)
from analysis.papers.reichart2010.setting import Setting, data

PRIORS = (1.0, 0.1, 0.01, 0.001)


def sampled(setting: Setting, systems: Sequence[str] = tuple(CHAINS), n_jobs: int = -1) -> dict[str, pd.DataFrame]:
    """The ``traces`` and ``samples`` of some chains, and nothing computed of the others."""
    return evaluate_runs(evaluate_samples, setting, tuple(chain(name, setting) for name in systems), n_jobs)


@takes_setting(Setting)
def traces(setting: Setting, systems: Sequence[str] = tuple(CHAINS)) -> pd.DataFrame:
    """Objective after each sweep: log probability of words and tags, of variational Bayes its lower bound.

    Parameters
    ----------
    setting, **choices
        Setting of the paper, or single fields of it by name; see `Setting`.
    systems : sequence of str
        Among GG07, GVG09(1) to (3), GJ08, GJ08 VB.

    Returns
    -------
    DataFrame
        ``system``, ``sweep`` (from 1), ``objective`` (in nats).
    """
    return sampled(setting, systems)["traces"]


@takes_setting(Setting)
def samples(setting: Setting, systems: Sequence[str] = tuple(CHAINS)) -> pd.DataFrame:
    """Number of clusters and some scores after some of the sweeps.

    Parameters
    ----------
    setting, **choices
        Setting of the paper, or single fields of it by name; see `Setting`.
    systems : sequence of str
        As for `traces`.

    Returns
    -------
    DataFrame
        ``system``, ``sweep``, ``clusters`` (with at least one token, scored or not), ``objective``, and one column a
        measure: V, M-1 and 1-1 of tokens, MacroI 1-1 and MicroI 1-1 of types.
    """
    return sampled(setting, systems)["samples"]


@takes_setting(Setting)
def cluster_words(
    setting: Setting, system: str = "GJ08", sweep: int = 1, clusters: int = 10, words: int = 6
) -> pd.DataFrame:
    """The largest clusters after a sweep, with their most frequent words.

    Parameters
    ----------
    setting, **choices
        Setting of the paper, or single fields of it by name; see `Setting`.
    system : str
        As for `traces`.
    sweep : int
        One of those in `samples`.
    clusters, words : int
        How many are shown, and how many words of each.

    Returns
    -------
    DataFrame
        `analysis.categories.cluster_words` of the tokens that are scored.

    Raises
    ------
    ValueError
        If the labels after that sweep were not kept.
    """
    labels = fit(setting.text, chain(system, setting)).kept
    if sweep not in labels:
        raise ValueError(f"the tags of {system} after sweep {sweep} were not kept; there are {list(labels)}.")
    tokens = scored_tokens(setting.text, labels[sweep], conventions(setting))
    return categories.cluster_words(tokens, clusters=clusters, words=words)


@takes_setting(Setting)
def priors(
    setting: Setting,
    values: Sequence[float] = PRIORS,
    system: str = "GJ08",
    sweeps: int | None = None,
    n_jobs: int = -1,
) -> pd.DataFrame:
    """GJ08 at every pair of priors.

    Parameters
    ----------
    setting, **choices
        Setting of the paper, or single fields of it by name; see `Setting`.
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
        and one column per measure, as in `samples`.

    Raises
    ------
    ValueError
        If the system is not one of the two.
    """
    check_known([system], ("GJ08", "GJ08 VB"), "system is")
    steps = sweeps or (30 if setting.generated else 300)
    runs = tuple(chain(system, Setting.choose(setting, gj_priors=(a, b)), steps) for a in values for b in values)
    return evaluate_all(evaluate_priors, cells(setting, runs), data=data(setting.text).version, n_jobs=n_jobs)["scores"]


@takes_setting(Setting)
def infinite_chains(setting: Setting) -> pd.DataFrame:
    """How many clusters GVG09 ends with from few, some and many tags at the start, and whether the chains agree.

    Parameters
    ----------
    setting, **choices
        Setting of the paper, or single fields of it by name; see `Setting`.

    Returns
    -------
    DataFrame
        ``system``, then the columns of `analysis.categories.models.infinite_hmm.agreement_of_chains`: one row a
        configuration and start. While ``r_hat`` is above 1.1 no number of clusters has been found.
    """
    tables = []
    for system, rows in chain_evaluations(setting).groupby("system", sort=True):
        starts = sorted(set(rows["start"]))
        chains = [rows[rows["start"] == start].sort_values("sweep") for start in starts]
        traces = [(chain["clusters"].to_numpy(), chain["log_probability"].to_numpy(float)) for chain in chains]
        tables.append(agreement_of_chains(starts, traces).assign(system=system))
    table = pd.concat(tables, ignore_index=True)
    return table[["system", *(name for name in table.columns if name != "system")]]


def stored_samples() -> pd.DataFrame:
    """What `samples` gave for the stored long runs, one more column naming the ``corpus``, one the ``command``.

    Returns
    -------
    DataFrame
    """
    numbers: Any = dict.fromkeys(("objective", *categories.QUICK_MEASURES), "float64")
    return stored("reichart2010_samples", evaluate_samples).astype({**numbers, "sweep": "int64"})
