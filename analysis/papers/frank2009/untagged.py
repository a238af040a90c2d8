"""Models ranked on a corpus without tags: by substitutable precision and recall alone."""

import time
from collections.abc import Mapping
from typing import Any

import pandas as pd

from analysis.figures import precision_against_recall
from analysis.papers.frank2009.figures import precision_recall_points
from analysis.papers.frank2009.runs import labels, score_labels, systems
from analysis.papers.frank2009.setting import FULL_SWEEPS, TITLE, Setting, parts, sources
from analysis.papers.recipe import Run, sources_of, title_of
from analysis.structures import DataError
from analysis.structures.publication import Figure, Publication, Table


def without_gold(corpus: str = "nursery", **choices: Any) -> pd.DataFrame:
    """SP and SR of each model on a corpus that needs no tags, unclustered words merged.

    PP, PR and MA compare clusters with gold tags; SP and SR compare contexts of words in training and test text, and
    rank models of any corpus. Random needs the sizes of gold classes and is left out.

    Parameters
    ----------
    corpus : str
        Any with the parts ``train`` and ``test``, such as one of the reader's own in plain text.
    **choices
        Of `Setting`: ``clusters``, ``sweeps``, ``sentences`` and others.

    Returns
    -------
    DataFrame
        One row a model, number of clusters and measure: ``system``, ``k``, ``measure``, ``value``, ``numerator``,
        ``denominator``, ``n`` (test tokens), ``rank`` (1: the highest of the measure).

    References
    ----------
    Frank, Goldwater & Keller (2009), section "Substitutability".
    """
    setting = _setting(corpus, choices)
    return _ranked([row for run in systems(setting) for row in _rows(setting, run)])


def _setting(corpus: str, choices: Mapping[str, Any]) -> Setting:
    found: Setting = Setting.choose(None, **{"models": ("BHMM", "HC", "FF"), "corpus": corpus, **choices})
    return found


def _rows(setting: Setting, run: Run) -> list[dict[str, Any]]:
    """SP and SR of one model with one number of clusters."""
    scores = score_labels(
        setting.corpus, labels(setting.corpus, run, setting.sentences), "merge", setting.sentences, inventories=()
    )
    return [
        {"system": run.system, "k": run.k, "measure": measure, "value": score.value, "numerator": score.numerator,
         "denominator": score.denominator, "n": n}
        for measure, _, score, n, _ in scores
    ]  # fmt: skip


def _ranked(rows: list[dict[str, Any]]) -> pd.DataFrame:
    table = pd.DataFrame(rows)
    rank = table.groupby("measure")["value"].rank(ascending=False, method="min").astype("Int64")
    return table.assign(rank=rank).sort_values(["measure", "rank"], kind="stable", ignore_index=True)


def publish_without_gold(
    corpus: str, *, full: bool = False, robustness: bool = False, n_jobs: int = -1, **choices: Any
) -> Publication:
    """The report of a corpus without tags: `without_gold` as a table and a figure, and what is missing.

    Parameters
    ----------
    corpus : str
    full : bool
        Whether the Bayesian HMM makes the paper's 2,000 sweeps.
    robustness : bool
        Whether specification curves were asked for; a note says that the headline claims need tags.
    n_jobs
        Not used: the models are fitted one after the other.
    **choices
        As in `without_gold`.

    Returns
    -------
    Publication
        A model that cannot be fitted, such as frequent frames with more clusters than frames, is listed as missing.

    Raises
    ------
    DataError
        If no model can be fitted.
    """
    started = time.perf_counter()
    setting = _setting(corpus, ({"sweeps": FULL_SWEEPS} if full else {}) | choices)
    rows, failed = list[dict[str, Any]](), list[list[str]]()
    for run in systems(setting):
        try:
            rows += _rows(setting, run)
        except ValueError as error:  # such as fewer frequent frames than clusters
            failed.append([f"{run.system} with K = {run.k}", str(error), "a larger corpus"])
    if not rows:
        raise DataError(f"no model can be fitted to {corpus}: {failed[0][1]}")
    table, own = _ranked(rows), parts(corpus, setting.sentences)
    caption = (
        f"{title_of(corpus)}, {own.version}; n = {len(own.train):,} training and {len(own.test):,} test tokens. "
        f"{setting.sweeps:,} Gibbs sweeps. rank 1 is the highest of the measure."
    )
    axes = precision_against_recall(precision_recall_points(table, "none", "substitutable"), labels=("SR", "SP"))
    lacking = "PP, PR and MA, and with them Tables 1 to 4, Figures 1 and 2 and the claims"
    return Publication(
        paper="frank2009",
        title=TITLE,
        corpus=corpus,
        tables=(Table("without_gold", "Substitutable precision and recall, without gold tags", table, caption, 4),),
        figures=(
            Figure(
                "without_gold",
                "Substitutable precision against recall",
                axes.figure,
                "Scatter plot of substitutable precision against recall; colour and marker name the model, the area of "
                "a point is K.",
                caption,
            ),
        ),
        sources=sources_of(sources(corpus)),
        notes=(
            f"{title_of(corpus)} has no tags. SP and SR need none and are computed; {lacking}, compare clusters with "
            "gold tags and are missing.",
            "Random needs the sizes of gold classes and is left out.",
            "SP depends on the size of the test corpus: compare it by order and within one run only.",
            *(["The headline claims need tags too: there is no specification curve."] if robustness else []),
        ),
        not_reproduced=pd.DataFrame(
            [[lacking, "the corpus has no tags", "a tagged text: data add"], *failed], columns=["what", "why", "needs"]
        ),
        run_times={"all": time.perf_counter() - started},
        parameters={"sweeps": setting.sweeps},
    )
