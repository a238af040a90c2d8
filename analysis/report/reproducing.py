"""From the names of papers to a written report."""

import json
import time
from collections.abc import Callable, Iterable, Mapping
from importlib import metadata
from pathlib import Path

from analysis.corpora.catalogue import data_version
from analysis.corpora.fetching import added
from analysis.corpora.folders import notebooks_folder
from analysis.corpora.loading import corpus_version
from analysis.corpora.own_corpora import own_names
from analysis.experiments import cache_key, cached
from analysis.report.ending import ended_together
from analysis.report.notebooks import notebook_page, shipped_data_version, versions
from analysis.report.registry import PACKAGE, PAPERS, Paper, default_corpora, find_paper, missing
from analysis.report.writing import Part, render_publication, standing_parts, with_notebooks, write_report
from analysis.structures import DataError


def reproduce(
    papers: Iterable[str] = (),
    *,
    corpus: str | None = None,
    full: bool = False,
    robustness: bool = False,
    output: str | Path = "report",
    n_jobs: int = -1,
    tell: Callable[[str], None] = lambda line: None,
) -> Path:
    """Recompute papers and write them into a report.

    Parameters
    ----------
    papers : iterable of str
        Names of papers; all if empty.
    corpus : str, optional
        The corpus to run on; by default each of a paper's corpora that needs no download.
    full : bool
        Whether to compute as long as the papers did.
    robustness : bool
        Whether to judge the headline claims under every combination of conventions too; see
        `analysis.papers.recipe.robustness`.
    output : path
        Folder of the report. If a report is there, its other papers, and other corpora of the same, stay.
    n_jobs : int
        Processes; -1 for all cores. The numbers are the same for any.
    tell : callable
        Called with a line of text for each stage.

    Returns
    -------
    Path
        The report's ``index.html``.

    Raises
    ------
    DataError
        If a paper or corpus is unknown or cannot be read, or the folder contains anything other than a report.
    """
    chosen = [find_paper(name) for name in dict.fromkeys(papers)] or list(PAPERS.values())
    runs = [(paper, name) for paper in chosen for name in _corpora(paper, corpus, tell)]
    standing_parts(output, without=[f"{paper.name}_{name}" for paper, name in runs])  # refuses before hours of work
    parts = []
    with ended_together():
        for paper, name in runs:
            tell(f"{paper.name} on {name}: tables and figures")
            choices = {"full": full} | ({"robustness": True} if robustness else {})
            parts.append(_with_notebooks(paper, _published(paper, name, choices, n_jobs), tell))
        tell(f"writing {output}")
        return write_report(parts, output)


def _corpora(paper: Paper, name: str | None, tell: Callable[[str], None]) -> list[str]:
    if name is None:
        for corpus in paper.corpora:
            absent = missing(paper, corpus)
            if absent:
                are = "is" if len(absent) == 1 else "are"
                tell(f"{paper.name}: skipped {corpus}: {', '.join(absent)} {are} missing (see `data list`)")
        return default_corpora(paper)
    if name not in paper.corpora and name not in own_names(paper.own):
        raise DataError(f"{paper.name} runs on {', '.join(paper.corpora)}{_own(paper)}, not on {name!r}{_why(name)}.")
    if paper.lacks_tags(name):
        if not hasattr(paper.load(), "publish_without_gold"):
            raise DataError(f"{paper.name} compares classes with gold tags, and {name} has none of its own.")
        tell(f"{paper.name}: {name} has no tags: SP and SR are computed, PP, PR and MA are missing")
    if note := paper.note_on_tags(name):
        tell(f"{paper.name}: {note}")
    return [name]


#: Why a paper takes no added corpora.
_NO_OWN = {
    "kodner2023": " (its tables are of Arabic, English and German, with word frequencies and rules for the error types "
    "of each; for your own forms: inflect and evaluate inflections)"
}


def _own(paper: Paper) -> str:
    """What added corpora a paper runs on."""
    if not paper.own:
        return f" only{_NO_OWN.get(paper.name, '')}"
    kinds = {"chat": "running text with tags", "ccgbank": "AUTO files", "treebank": "CoNLL files with heads"}
    return f" and on added corpora ({kinds.get(paper.own, paper.own)})"


def _why(name: str) -> str:
    """What a name is: an added corpus of some kind, or none at all."""
    entry = added().get(name)
    return f", which is of kind {entry.kind}" if entry else ", which is in no list (see data list)"


def _published(paper: Paper, corpus: str, choices: Mapping[str, bool], n_jobs: int) -> Part:
    """Tables and figures of one paper on one corpus, from the cache if data, parameters and library are the same."""
    started = time.perf_counter()
    computed: list[Mapping[str, float]] = []

    def compute() -> dict[str, bytes]:
        part = render_publication(paper.publish(corpus=corpus, n_jobs=n_jobs, **choices))
        computed.append(part.run_times)
        return {**part.files, "about": json.dumps(part.about).encode()}

    data = {name: _version(name) for name in paper.corpora.get(corpus, (corpus,))} | {"data": shipped_data_version()}
    parameters = {"paper": paper.name, "module": paper.module, "corpus": corpus, **choices}
    key = cache_key(data=data, parameters=parameters | {"versions": versions()}, function=render_publication)
    files = dict(cached("report_pages", key, compute))
    about = json.loads(files.pop("about"))
    return Part(about, files, computed[0] if computed else {"read from the cache": time.perf_counter() - started})


def _version(needed: str) -> str:
    """Version of a data set, or of a package with a paper's word list."""
    if needed.startswith(PACKAGE):
        return metadata.version(needed.removeprefix(PACKAGE))
    return corpus_version(needed) if needed in added() else data_version(needed)


def _with_notebooks(paper: Paper, part: Part, tell: Callable[[str], None]) -> Part:
    corpus = part.about["corpus"]
    data = {source["name"]: source["version"] for source in part.about["sources"]}
    pages, times = {}, {}
    for file in paper.notebooks if corpus in paper.corpora else ():  # their text is about the paper's own corpus
        tell(f"{paper.name}: notebook {file}")
        started = time.perf_counter()
        page = notebook_page(notebooks_folder() / file, {"corpus": corpus, **part.about["parameters"]}, data)
        pages[f"{Path(file).stem}_{corpus}"] = page
        times["notebook" if len(paper.notebooks) == 1 else f"notebook {file}"] = time.perf_counter() - started
    return with_notebooks(part, pages, times)
