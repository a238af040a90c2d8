"""From a declaration to a publication: every table and figure of a paper on one corpus."""

import time
from collections.abc import Callable
from functools import partial
from typing import Any

import pandas as pd

from analysis.papers.recipe.declaration import Paper, Words, published_entries
from analysis.papers.recipe.demonstration import demonstrates
from analysis.papers.recipe.settings import takes_setting
from analysis.papers.recipe.specifications import robustness_entries, robustness_of, stored_robustness_entries
from analysis.papers.recipe.stored_tables import stored_tables
from analysis.structures import publication


def publish(
    paper: Paper, corpus: str, *, full: bool = False, robustness: bool = False, n_jobs: int = -1, **choices: Any
) -> publication.Publication:
    """Recompute every table and figure of a paper on one corpus.

    Parameters
    ----------
    paper : Paper
    corpus : str
        One of the paper's.
    full : bool
        Whether to compute as long as the paper did; see ``Paper.full``.
    robustness : bool
        Whether to judge the headline claims under every combination of conventions too; see
        `analysis.papers.recipe.robustness`. For a paper without headline claims nothing is added.
    n_jobs : int
        Processes; the numbers do not depend on it.
    **choices
        Further choices of the paper's setting.

    Returns
    -------
    analysis.structures.publication.Publication
    """
    setting = paper.setting.choose(corpus=corpus, **{**(paper.full if full else {}), **choices})
    words = Words(paper.words, setting)
    stages: dict[str, Callable[[], Any]] = {
        **{stage: partial(compute, setting, n_jobs=n_jobs) for stage, compute in paper.stages},
        "tables": lambda: published_entries(paper.all_tables, words),
        "figures": lambda: published_entries(paper.figures, words),
        "stored tables": lambda: stored_tables(paper),
    }
    if paper.statistics:
        stages["stored robustness"] = lambda: stored_robustness_entries(paper)
    if robustness and paper.statistics:
        stages["robustness"] = lambda: robustness_entries(paper, setting)
    found, times, started = dict[str, Any](), dict[str, float](), time.perf_counter()
    for stage, compute in stages.items():  # only the seconds differ from run to run
        begun = time.perf_counter()
        found[stage] = compute()
        times[stage] = time.perf_counter() - begun
    kept, more = (found.get(stage, ((), ())) for stage in ("stored robustness", "robustness"))
    times |= paper.times(setting) if paper.times else {}
    missing = [row(setting) if callable(row) else row for row in paper.not_reproduced]
    return publication.Publication(
        paper=paper.name,
        title=paper.title,
        corpus=corpus,
        tables=(*found["tables"], *found["stored tables"], *kept[0], *more[0]),
        figures=(*found["figures"], *kept[1], *more[1]),
        sources=tuple(paper.sources(setting)),
        notes=tuple(filter(None, map(words.fill, paper.notes))),
        not_reproduced=pd.DataFrame([[*map(words.fill, row)] for row in missing if row],
                                    columns=["what", "why", "needs"]),
        run_times=times | {"all": time.perf_counter() - started},
        parameters={name: getattr(setting, name) for name in paper.parameters},
        demonstration=demonstrates(setting),
    )  # fmt: skip


def public(paper: Paper) -> tuple[Callable[..., pd.DataFrame], Callable[..., Any], Callable[..., Any]]:
    """The functions ``claims``, ``robustness`` and ``publish`` that the package of a paper exports.

    The first two take a setting or single choices of it; see `Paper.claims_table`, `robustness` and `publish`.

    Parameters
    ----------
    paper : Paper

    Returns
    -------
    tuple of callable
    """
    return takes_setting(paper.setting)(paper.claims_table), robustness_of(paper), partial(publish, paper)
