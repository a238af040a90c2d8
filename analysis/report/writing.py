"""Write what was recomputed: index page, figures, tables, notebooks, manifest; whole or not at all."""

import base64
import json
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

import pandas as pd
from matplotlib.figure import Figure as MatplotlibFigure

from analysis.figures import mark_generated, save_figure
from analysis.report.folders import RUN_TIME_MARK, RUN_TIMES, replaced_folder, write_manifest
from analysis.report.notebooks import library_version
from analysis.report.pages import render
from analysis.report.tables import csv_bytes, html_table, latex_bytes
from analysis.structures.publication import Figure, Publication, Table


@dataclass(frozen=True)
class Rendered:
    """The figures and tables of one paper as files, and what the index page says of them.

    Parameters
    ----------
    files : mapping of str to bytes
        By path in the report's folder.
    context : mapping
        For the template of the index page.
    """

    files: Mapping[str, bytes]
    context: Mapping[str, Any]


@dataclass(frozen=True)
class Result:
    """One paper, ready to be written.

    Parameters
    ----------
    publication : Publication
    pages : mapping of str to bytes
        The executed notebooks as HTML, by file name without ending.
    rendered : Rendered, optional
        Figures and tables as files, where they are at hand already; the publication's own are then not looked at.

    Examples
    --------
    >>> dict(Result(Publication("frank2009", "Frank et al. (2009)", corpus="nursery")).pages)
    {}
    """

    publication: Publication
    pages: Mapping[str, bytes] = field(default_factory=dict)
    rendered: Rendered | None = None


def write_report(results: Sequence[Result], folder: str | Path) -> Path:
    """Write the report of some papers into a folder.

    Parameters
    ----------
    results : sequence of Result
    folder : path
        Replaced as a whole when everything is written; an error or Ctrl-C before leaves it as it was.

    Returns
    -------
    Path
        Its ``index.html``.

    Raises
    ------
    DataError
        If the folder holds anything that is not from an earlier report.

    Notes
    -----
    Two runs on the same data, parameters and versions differ in ``run_times.json`` and in the lines of
    ``index.html`` that contain ``class="run-time"`` only.

    Examples
    --------
    >>> import tempfile
    >>> publication = Publication("frank2009", "Frank et al. (2009)", corpus="nursery")
    >>> with tempfile.TemporaryDirectory() as home:
    ...     page = write_report([Result(publication)], Path(home) / "report")
    ...     sorted(path.name for path in page.parent.iterdir())
    ['index.html', 'manifest.json', 'run_times.json']
    """
    with replaced_folder(folder) as filling:
        papers = [_write_paper(result, filling) for result in results]
        times = [
            {
                "paper": result.publication.paper,
                "corpus": result.publication.corpus,
                "stage": stage,
                "seconds": float(seconds),
            }
            for result in results
            for stage, seconds in result.publication.run_times.items()
        ]
        sources = {source.name: source for result in results for source in result.publication.sources}
        index = render(
            "index.html.j2", version=library_version(), papers=papers, sources=list(sources.values()), times=times,
            mark=RUN_TIME_MARK,
        )  # fmt: skip
        (filling / "index.html").write_bytes(index.encode())
        (filling / RUN_TIMES).write_bytes((json.dumps(times, indent=1) + "\n").encode())
        about = {
            "library": library_version(),
            "papers": [
                {
                    "paper": result.publication.paper,
                    "corpus": result.publication.corpus,
                    "parameters": dict(result.publication.parameters),
                    "data": {source.name: source.version for source in result.publication.sources},
                }
                for result in results
            ],
        }
        write_manifest(filling, about)
    return Path(folder) / "index.html"


def _write_paper(result: Result, folder: Path) -> dict[str, Any]:
    rendered = result.rendered or render_publication(result.publication)
    pages = {f"notebooks/{name}.html": page for name, page in result.pages.items()}
    for path, content in {**rendered.files, **pages}.items():
        place = folder / path
        place.parent.mkdir(exist_ok=True)
        place.write_bytes(content)
    return {**rendered.context, "notebooks": list(pages)}


def render_publication(publication: Publication) -> Rendered:
    """Figures and tables of a publication as files (PDF, SVG, PNG, text; CSV, LaTeX).

    Examples
    --------
    >>> render_publication(Publication("frank2009", "Frank et al. (2009)", corpus="nursery")).context["name"]
    'frank2009_nursery'
    """
    run = f"{publication.paper}_{publication.corpus}"
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        made_up = any(source.generated for source in publication.sources)
        figures = [_figure(figure, run, folder, made_up) for figure in publication.figures]
        tables = [_write_table(table, run, folder) for table in publication.tables]
        paths = sorted(path for path in folder.rglob("*") if path.is_file())
        files = {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}
    missing = publication.not_reproduced
    context = {
        "name": run,
        "title": publication.title,
        "corpus": publication.corpus,
        "generated": any(source.generated for source in publication.sources),
        "notes": publication.notes,
        "figures": figures,
        "tables": tables,
        "missing": "" if missing is None or missing.empty else _missing(missing),
    }
    return Rendered(files, context)


def _figure(figure: Figure, run: str, folder: Path, made_up: bool) -> dict[str, Any]:
    name = f"{run}_{figure.name}"
    drawn = cast(MatplotlibFigure, figure.figure)
    if made_up and not figure.printed:
        mark_generated(drawn)
    paths = save_figure(drawn, folder / "figures", name, alt=figure.alt, caption=figure.caption)
    image = next(path for path in paths if path.suffix == ".png").read_bytes()
    return {
        "id": name,
        "title": figure.title,
        "alt": figure.alt,
        "caption": figure.caption,
        "width": round(drawn.get_figwidth() * 125),
        "image": base64.b64encode(image).decode(),
        "files": [path.relative_to(folder).as_posix() for path in paths],
    }


def _missing(frame: pd.DataFrame) -> str:
    return html_table(Table("missing", "What could not be reproduced", frame, "missing"))


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
        "rows": len(table.frame),
        "html": html_table(table),
        "files": [f"tables/{name}.{kind}" for kind in files],
    }
