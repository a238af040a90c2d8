"""Write a report: pages, figures, tables, notebooks and manifest, in one atomic step.

A report can be read back: ``papers/NAME.json`` contains the texts, numbers and file names of the pages of one paper
on one corpus.
"""

import dataclasses
import json
import tempfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

from matplotlib.figure import Figure as MatplotlibFigure

from analysis.figures import mark_generated, save_figure
from analysis.report.folders import (
    MANIFEST,
    RUN_TIMES,
    check_manifest,
    check_target,
    replaced_folder,
    write_manifest,
)
from analysis.report.notebooks import library_version
from analysis.report.registry import PAPERS
from analysis.report.site import site_pages
from analysis.report.tables import csv_bytes, latex_bytes, shown_table
from analysis.structures import DataError
from analysis.structures.publication import Figure, Publication, Table

FORM = 3  # of papers/NAME.json


@dataclass(frozen=True)
class Part:
    """One paper on one corpus in a report.

    Parameters
    ----------
    about : mapping
        Content of its pages; plain values, as from JSON.
    files : mapping of str to bytes
        Figures, tables and executed notebooks, by path in the report's folder.
    run_times : mapping of str to float
        Seconds by stage.
    """

    about: Mapping[str, Any]
    files: Mapping[str, bytes]
    run_times: Mapping[str, float] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """Paper and corpus, as in the names of its files."""
        return f"{self.about['paper']}_{self.about['corpus']}"


def write_report(parts: Iterable[Part], folder: str | Path) -> Path:
    """Add papers to the report in a folder, or create the report.

    Parameters
    ----------
    parts : iterable of Part
        See `render_publication`. They replace the same papers on the same corpora in the report; others stay.
    folder : path
        After an error, Ctrl-C or the end of the process it is unchanged.

    Returns
    -------
    Path
        Its ``index.html``.

    Raises
    ------
    DataError
        If the folder contains anything other than a report, or the report was changed (see `standing_parts`).

    Notes
    -----
    Two runs on the same data, parameters and versions differ in ``run_times.json`` and in the lines of
    ``run_times.html`` that contain ``class="run-time"`` only:
    ``diff -r -x run_times.json -I 'class="run-time"' ONE OTHER`` prints nothing.

    Examples
    --------
    >>> import tempfile
    >>> part = render_publication(Publication("mine2009", "Mine et al. (2009)", corpus="nursery"))
    >>> with tempfile.TemporaryDirectory() as home:
    ...     page = write_report([part], Path(home) / "report")
    ...     sorted(path.stem for path in page.parent.iterdir())
    ['data', 'files', 'index', 'manifest', 'mine2009', 'papers', 'run_times', 'run_times']
    """
    new = {part.name: part for part in parts}
    order = {f"{paper.name}_{corpus}": n for n, paper in enumerate(PAPERS.values()) for corpus in paper.corpora}
    with replaced_folder(folder) as filling:
        merged = {part.name: part for part in standing_parts(folder, without=new)} | new
        whole = [merged[name] for name in sorted(merged, key=lambda name: (order.get(name, len(order)), name))]
        for part in whole:
            _write_part(part, filling)
        times = [
            {"paper": part.about["paper"], "corpus": part.about["corpus"], "stage": stage, "seconds": seconds}
            for part in whole
            for stage, seconds in part.run_times.items()
        ]
        (filling / RUN_TIMES).write_bytes(_json(times))
        for page, content in site_pages([(part.about, part.files) for part in whole], times).items():
            (filling / page).write_bytes(content)
        listed = ("paper", "corpus", "library", "parameters")
        papers = [
            {name: part.about[name] for name in listed}
            | {"data": {source["name"]: source["version"] for source in part.about["sources"]}}
            for part in whole
        ]
        write_manifest(filling, {"library": library_version(), "papers": papers})
    return Path(folder) / "index.html"


def standing_parts(folder: str | Path, without: Iterable[str] = ()) -> list[Part]:
    """Parts of the report in a folder, except for some; empty if there is no report.

    Parameters
    ----------
    folder : path
    without : iterable of str
        Names of parts (paper and corpus, joined by ``_``).

    Raises
    ------
    DataError
        If the folder contains anything other than a report, a file of these papers was changed or deleted, or the
        report was written by a version of the suite whose reports cannot be added to.

    Examples
    --------
    >>> standing_parts("no such folder")
    []
    """
    folder = Path(folder)
    check_target(folder)
    if not (folder / MANIFEST).is_file():
        return []
    listed = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))["papers"]
    left_out, altered, parts = set(without), set(check_manifest(folder)), []
    for paper, corpus in [(entry["paper"], entry["corpus"]) for entry in listed]:
        name = f"{paper}_{corpus}"
        if name in left_out:
            continue
        again = f"Reproduce {paper} on {corpus} again too, or name another folder with --output."
        try:
            about = json.loads((folder / _place(name)).read_bytes())
            times = json.loads((folder / RUN_TIMES).read_bytes())
            files, form = about.pop("files"), about.pop("form")
        except (OSError, ValueError, KeyError, TypeError):
            files, form = [], None
        if form != FORM:
            raise DataError(f"what {folder} has of {paper} on {corpus} cannot be read by this version.", again)
        wrong = sorted(altered & {_place(name), *files})
        if wrong:
            raise DataError(f"{folder / wrong[0]} is not as the report was written.", again)
        parts.append(
            Part(
                about,
                {file: (folder / file).read_bytes() for file in files},
                {row["stage"]: row["seconds"] for row in times if (row["paper"], row["corpus"]) == (paper, corpus)},
            )
        )
    return parts


def _place(name: str) -> str:
    return f"papers/{name}.json"


def _json(value: Any) -> bytes:
    return (json.dumps(value, indent=1, ensure_ascii=False) + "\n").encode()


def _write_part(part: Part, folder: Path) -> None:
    about = {**part.about, "form": FORM, "files": sorted(part.files)}
    for path, content in {**part.files, _place(part.name): _json(about)}.items():
        place = folder / path
        place.parent.mkdir(exist_ok=True)
        place.write_bytes(content)


def render_publication(publication: Publication) -> Part:
    """A publication for a report: its figures as PDF, SVG, PNG and text, its tables as CSV and LaTeX.

    Parameters
    ----------
    publication : Publication

    Returns
    -------
    Part

    Raises
    ------
    DataError
        If a parameter has no form in JSON.

    Examples
    --------
    >>> render_publication(Publication("mine2009", "Mine et al. (2009)", corpus="nursery")).name
    'mine2009_nursery'
    """
    run = f"{publication.paper}_{publication.corpus}"
    generated = any(source.generated for source in publication.sources)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        figures = [_figure(figure, run, folder, generated) for figure in publication.figures]
        tables = [_write_table(table, run, folder) for table in publication.tables]
        paths = sorted(path for path in folder.rglob("*") if path.is_file())
        files = {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}
    missing = publication.not_reproduced
    about = {
        "paper": publication.paper,
        "corpus": publication.corpus,
        "title": publication.title,
        "library": library_version(),
        "parameters": publication.parameters,
        "generated": generated,
        "demonstration": generated or publication.demonstration,
        "notes": publication.notes,
        "sources": [dataclasses.asdict(source) for source in publication.sources],
        "figures": figures,
        "tables": tables,
        "not_reproduced": None if missing is None or missing.empty else shown_table(Table("a", "A", missing, "")),
        "notebooks": [],
    }
    try:
        plain = json.loads(_json(about))
    except TypeError as error:
        raise DataError(f"the parameters of {run} must be plain values: {error}.") from error
    return Part(plain, files, {stage: float(seconds) for stage, seconds in publication.run_times.items()})


def with_notebooks(part: Part, pages: Mapping[str, bytes], run_times: Mapping[str, float] | None = None) -> Part:
    """The part with its executed notebooks, by file name without ending, and their run times."""
    files = {f"notebooks/{name}.html": page for name, page in pages.items()}
    about = {**part.about, "notebooks": list(files)}
    return Part(about, {**part.files, **files}, {**part.run_times, **(run_times or {})})


def _figure(figure: Figure, run: str, folder: Path, made_up: bool) -> dict[str, Any]:
    name = f"{run}_{figure.name}"
    drawn = cast(MatplotlibFigure, figure.figure)
    if made_up and not (figure.printed or figure.stored):
        mark_generated(drawn)
    paths = save_figure(drawn, folder / "figures", name, alt=figure.alt, caption=figure.caption)
    return {
        "id": name,
        "title": figure.title,
        "alt": figure.alt,
        "caption": figure.caption,
        "width": round(drawn.get_figwidth() * 125),
        "stored": figure.stored,
        "printed": figure.printed,
        "files": [path.relative_to(folder).as_posix() for path in paths],
    }


def _write_table(table: Table, run: str, folder: Path) -> dict[str, Any]:
    name = f"{run}_{table.name}"
    (folder / "tables").mkdir(exist_ok=True)
    files = {"csv": csv_bytes(table), "tex": latex_bytes(table, name)}
    for kind, content in files.items():
        (folder / "tables" / f"{name}.{kind}").write_bytes(content)
    return {
        "id": name,
        "title": table.title,
        "caption": table.caption,
        "shown": shown_table(table),
        "stored": table.stored,
        "printed": table.printed,
        "files": [f"tables/{name}.{kind}" for kind in files],
    }
