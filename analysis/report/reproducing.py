"""From the names of papers to a written report."""

import dataclasses
import time
from collections.abc import Callable, Iterable
from importlib import metadata
from pathlib import Path

from analysis.corpora.catalogue import data_version
from analysis.corpora.folders import notebooks_folder
from analysis.experiments import cache_key, cached
from analysis.report.folders import check_target
from analysis.report.notebooks import library_version, notebook_page, shipped_data_version
from analysis.report.registry import PACKAGE, PAPERS, Paper, default_corpora, find_paper, missing
from analysis.report.writing import Rendered, Result, render_publication, write_report
from analysis.structures import DataError
from analysis.structures.publication import Publication

#: Packages whose versions change the bytes of figures and tables.
DRAWN_WITH = ("matplotlib", "numpy", "pandas", "scipy", "seaborn", "statsmodels")


def reproduce(
    papers: Iterable[str] = (),
    *,
    corpus: str | None = None,
    full: bool = False,
    output: str | Path = "report",
    n_jobs: int = -1,
    tell: Callable[[str], None] = lambda line: None,
) -> Path:
    """Recompute papers and write the report.

    Parameters
    ----------
    papers : iterable of str
        Names of papers; all if empty.
    corpus : str, optional
        The corpus to run on; by default each of a paper's corpora that is at hand, the built-in language always.
    full : bool
        Whether to compute as long as the papers did.
    output : path
        Folder of the report.
    n_jobs : int
        Processes; -1 for all cores. The numbers are the same for any.
    tell : callable
        Gets a line about each stage.

    Returns
    -------
    Path
        The report's ``index.html``.

    Raises
    ------
    DataError
        If a paper or corpus is unknown or cannot be read, or the folder holds something else than a report.
    """
    chosen = [find_paper(name) for name in dict.fromkeys(papers)] or list(PAPERS.values())
    check_target(output)
    runs = [(paper, name) for paper in chosen for name in _corpora(paper, corpus, tell)]
    results = []
    for paper, name in runs:
        tell(f"{paper.name} on {name}: tables and figures")
        publication, rendered = _published(paper, name, full, n_jobs)
        results.append(_with_notebooks(paper, publication, rendered, tell))
    tell(f"writing {output}")
    return write_report(results, output)


def _corpora(paper: Paper, name: str | None, tell: Callable[[str], None]) -> list[str]:
    if name is None:
        for corpus in paper.corpora:
            absent = missing(paper, corpus)
            if absent:
                tell(f"{paper.name}: not on {corpus}, for want of {', '.join(absent)} (see `data list`)")
        return default_corpora(paper)
    if name not in paper.corpora:
        raise DataError(f"{paper.name} runs on {', '.join(paper.corpora)}, not on {name!r}.")
    return [name]


def _published(paper: Paper, corpus: str, full: bool, n_jobs: int) -> tuple[Publication, Rendered]:
    """Tables and figures of one paper on one corpus, from the cache if data, parameters and library are the same."""
    started = time.perf_counter()
    computed: list[float] = []

    def compute() -> tuple[Publication, Rendered]:
        computed.append(time.perf_counter())
        publication = paper.load().publish(corpus=corpus, full=full, n_jobs=n_jobs)
        rendered = render_publication(publication)
        return dataclasses.replace(publication, tables=(), figures=()), rendered

    data = {name: _version(name) for name in paper.corpora[corpus]} | {"data": shipped_data_version()}
    parameters = {"paper": paper.name, "module": paper.module, "corpus": corpus, "full": full}
    version = {"library": library_version()} | {name: metadata.version(name) for name in DRAWN_WITH}
    key = cache_key(data=data, parameters=parameters, version=version)
    publication, rendered = cached("report_pages", key, compute)
    if not computed:
        times = {"read from the cache": time.perf_counter() - started}
        publication = dataclasses.replace(publication, run_times=times)
    return publication, rendered


def _version(needed: str) -> str:
    """Version of a data set, or of a package that a paper takes its words from."""
    return metadata.version(needed.removeprefix(PACKAGE)) if needed.startswith(PACKAGE) else data_version(needed)


def _with_notebooks(paper: Paper, publication: Publication, rendered: Rendered, tell: Callable[[str], None]) -> Result:
    parameters = {"corpus": publication.corpus, **publication.parameters}
    data = {source.name: source.version for source in publication.sources}
    times = dict(publication.run_times)
    pages = {}
    for file in paper.notebooks:
        tell(f"{paper.name}: notebook {file}")
        started = time.perf_counter()
        name = f"{Path(file).stem}_{publication.corpus}"
        pages[name] = notebook_page(notebooks_folder() / file, parameters, data)
        times["notebook" if len(paper.notebooks) == 1 else f"notebook {file}"] = time.perf_counter() - started
    return Result(dataclasses.replace(publication, run_times=times), pages, rendered)
