"""From a declaration to a publication: every table and figure of a paper on one corpus."""

import time
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

import pandas as pd

from analysis import corpora
from analysis.papers.recipe.declaration import Paper, Table
from analysis.structures import publication
from analysis.structures.publication import Publication, Source

Result = TypeVar("Result")


class Stages:
    """Call stages by name and keep their seconds; the one thing in a report that differs from run to run.

    Examples
    --------
    >>> stages = Stages()
    >>> stages("sum", lambda: 1 + 1)
    2
    >>> list(stages.total())
    ['sum', 'all']
    """

    def __init__(self) -> None:
        self.times: dict[str, float] = {}
        self._started = time.perf_counter()

    def __call__(self, stage: str, compute: Callable[[], Result]) -> Result:
        """What ``compute()`` returns."""
        begun = time.perf_counter()
        result = compute()
        self.times[stage] = time.perf_counter() - begun
        return result

    def total(self) -> dict[str, float]:
        """All stages, and the seconds since the first was announced as ``all``."""
        return self.times | {"all": time.perf_counter() - self._started}


def title_of(corpus: str) -> str:
    """A corpus by its title in the catalogue."""
    return corpora.dataset(corpus).title


def sources_of(names: Iterable[str]) -> tuple[Source, ...]:
    """Version, licence and citation of corpora and other data sets, as a report lists them.

    Examples
    --------
    >>> [source.generated for source in sources_of(["nursery"])]
    [True]
    """
    return tuple(
        Source(
            name=name,
            version=corpora.corpus_version(name) if name in corpora.corpus_names() else corpora.data_version(name),
            licence=corpora.dataset(name).licence,
            citation=corpora.dataset(name).citation,
            generated=corpora.dataset(name).how == "built in",
        )
        for name in names
    )


def publish(paper: Paper, corpus: str, *, full: bool = False, n_jobs: int = -1, **choices: Any) -> Publication:
    """Recompute every table and figure of a paper on one corpus.

    Parameters
    ----------
    paper : Paper
    corpus : str
        One of the paper's.
    full : bool
        Whether to compute as long as the paper did; see ``Paper.full``.
    n_jobs : int
        Processes; the numbers do not depend on it.
    **choices
        Further choices of the paper's setting.

    Returns
    -------
    Publication
    """
    stages = Stages()
    setting = paper.setting.choose(corpus=corpus, **{**(paper.full if full else {}), **choices})
    for stage, compute in paper.stages:
        stages(stage, lambda compute=compute: compute(setting, n_jobs=n_jobs))  # type: ignore[misc]
    words = paper.words(setting)
    tables = stages("tables", lambda: tuple(_tables(paper, setting, words)))
    figures = stages("figures", lambda: tuple(_figures(paper, setting, words)))
    stages.times.update(paper.times(setting) if paper.times else {})
    return Publication(
        paper=paper.name,
        title=paper.title,
        corpus=corpus,
        tables=tables,
        figures=figures,
        sources=tuple(paper.sources(setting)),
        notes=tuple(paper.notes(setting)),
        not_reproduced=pd.DataFrame(list(paper.not_reproduced(setting)), columns=["what", "why", "needs"]),
        run_times=stages.total(),
        parameters={name: getattr(setting, name) for name in paper.parameters},
    )


def _tables(paper: Paper, setting: Any, words: Any) -> Iterable[publication.Table]:
    for table in (entry for entry in paper.entries if isinstance(entry, Table)):
        for arguments, one in table.expanded(setting):
            texts = table.texts(words, one)
            frame = table.frame(setting, arguments)
            yield publication.Table(texts["name"], texts["title"], frame, texts["caption"], table.digits)


def _figures(paper: Paper, setting: Any, words: Any) -> Iterable[publication.Figure]:
    for figure in paper.figures:
        for arguments, one in figure.expanded(setting):
            texts = figure.texts(words, one)
            drawn = figure.compute(setting, arguments)
            yield publication.Figure(
                texts["name"], texts["title"], drawn, texts["alt"], texts["caption"], figure.printed
            )
