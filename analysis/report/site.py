"""The pages of a report: overview, one page per paper, data, run times, files."""

import base64
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from analysis.report.folders import RUN_TIME_MARK, RUN_TIMES_PAGE
from analysis.report.notebooks import library_version
from analysis.report.pages import render
from analysis.report.systems import systems_table
from analysis.report.tables import html_table
from analysis.structures.markup import html_text

CURVES_SHOWN = 1  #: of a paper, on the overview
#: What only sentences have that say where numbers are from.
_ORIGIN = re.compile(
    r"sha256|reader [0-9a-f]{8}|Stored[:;]|\bseeds?\b|sweeps|iterations|resamples|recipe\.|PAPER\.|with the command|"
    r"\d\.\d+\.\d"
)

About = Mapping[str, Any]


def site_pages(
    parts: Sequence[tuple[About, Mapping[str, bytes]]], times: Sequence[Mapping[str, Any]]
) -> dict[str, bytes]:
    """Every page of a report, by file name.

    Parameters
    ----------
    parts : sequence of (mapping, mapping)
        Each paper on each corpus: its description, and its files by path; see `analysis.report.writing.Part`.
    times : sequence of mapping
        ``paper``, ``corpus``, ``stage``, ``seconds``.

    Returns
    -------
    dict of str to bytes

    Examples
    --------
    >>> sorted(site_pages([], []))
    ['data.html', 'files.html', 'index.html', 'run_times.html']
    """
    papers: dict[str, list[tuple[About, Mapping[str, bytes]]]] = {}
    for part in parts:
        papers.setdefault(part[0]["paper"], []).append(part)
    pages = [
        ("index.html", "Overview"),
        *((f"{name}.html", _short(own[0][0]["title"])) for name, own in papers.items()),
    ]
    pages += [("data.html", "Data"), (RUN_TIMES_PAGE, "Run times"), ("files.html", "Files")]
    sources = {(source["name"], source["version"]): source for about, _ in parts for source in about["sources"]}
    abouts = [{**about, "name": _name(about)} for about, _ in parts]
    values: dict[str, tuple[str, str, dict[str, Any]]] = {
        "index.html": ("index.html.j2", "Overview", _overview(abouts, dict(map(_named_files, parts)))),
        "data.html": ("data.html.j2", "Data", {"sources": list(sources.values())}),
        RUN_TIMES_PAGE: ("run_times.html.j2", "Run times", {"times": times, "mark": RUN_TIME_MARK}),
        "files.html": ("files.html.j2", "Files", {"parts": abouts}),
    }
    for name, own in papers.items():
        values[f"{name}.html"] = ("paper.html.j2", own[0][0]["title"], _paper(own))
    return {
        page: render(template, title=title, page=page, pages=pages, version=library_version(), **of).encode()
        for page, (template, title, of) in values.items()
    }


def _name(about: About) -> str:
    return f"{about['paper']}_{about['corpus']}"


def _named_files(part: tuple[About, Mapping[str, bytes]]) -> tuple[str, Mapping[str, bytes]]:
    return _name(part[0]), part[1]


def split_caption(caption: str) -> tuple[str, str]:
    r"""Divide a caption into what explains and the sentences that say where the numbers are from.

    If it has two lines, the first explains.

    Parameters
    ----------
    caption : str

    Returns
    -------
    (str, str)

    Examples
    --------
    >>> split_caption("One row a system. Nursery, sha256:ab; seed 0. Higher is better.")
    ('One row a system. Higher is better.', 'Nursery, sha256:ab; seed 0.')
    >>> split_caption("Scores after some of the sweeps.\nNursery, sha256:ab; seed 0. Higher is better.")
    ('Scores after some of the sweeps. Higher is better.', 'Nursery, sha256:ab; seed 0.')
    """
    said, _, rest = caption.rpartition("\n")
    sentences = re.split(r"(?<=[.!?])\s+(?=[A-Z])", rest.strip())
    origin = [bool(_ORIGIN.search(sentence)) for sentence in sentences]
    parts = ([one for one, is_one in zip(sentences, origin, strict=True) if is_one == which] for which in (False, True))
    explaining, provenance = map(" ".join, parts)
    return f"{said.strip()} {explaining}".strip(), provenance


def with_code(text: str) -> str:
    """A text as HTML, with what stands in backticks as code.

    Parameters
    ----------
    text : str

    Returns
    -------
    str

    Examples
    --------
    >>> with_code("`--full` makes < 200")
    '<code>--full</code> makes &lt; 200'
    """
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", html_text(text))


def _captions(entry: About) -> dict[str, str]:
    explaining, provenance = map(with_code, split_caption(entry["caption"]))
    return {"explaining": explaining, "provenance": provenance}


def _with_image(figure: About, files: Mapping[str, bytes]) -> dict[str, Any]:
    return {**figure, **_captions(figure), "image": base64.b64encode(files[f"figures/{figure['id']}.png"]).decode()}


def _with_html(table: About) -> dict[str, Any]:
    return {**table, **_captions(table), "html": html_table(table["shown"])}


# ------------------------------------------------------------------------------------------------- a paper's page


def _paper(own: Sequence[tuple[About, Mapping[str, bytes]]]) -> dict[str, Any]:
    """What is stored first, then what follows from the paper alone, each once; then the recorded corpora; the
    demonstrations last.
    """
    once: dict[str, dict[str, dict[str, Any]]] = {
        place: {"figures": {}, "tables": {}} for place in ("stored", "printed")
    }
    parts = []
    for about, files in sorted(own, key=lambda part: part[0]["demonstration"]):
        shown: dict[str, list[Any]] = {"figures": [], "tables": []}
        for kind in shown:
            for entry in about[kind]:
                whole = _with_image(entry, files) if kind == "figures" else _with_html(entry)
                place = "stored" if entry["stored"] else "printed" if entry["printed"] else ""
                if place:
                    once[place][kind].setdefault(entry["id"].removeprefix(f"{_name(about)}_"), whole)
                else:
                    shown[kind].append(whole)
        missing, judged = about["not_reproduced"], f"{_name(about)}_claims" if _rows(about, "claims") else ""
        missing = html_table(missing) if missing else ""
        parts.append({**about, **shown, "name": _name(about), "claims": judged, "missing": missing,
                      "notes": [with_code(note) for note in about["notes"]]})  # fmt: skip
    listed = {place: {kind: list(found.values()) for kind, found in kinds.items()} for place, kinds in once.items()}
    return {**listed, "parts": parts, "systems": _systems_of(own[0][0]["paper"])}


def _systems_of(paper: str) -> list[dict[str, Any]]:
    """The rows of the systems table for a paper, named as its module."""
    table = systems_table().astype("str")
    modules = table["paper"].str.lower().str.replace(r"(\w+).*?(\d{4})", r"\1\2", regex=True)
    return [{**row, "name": with_code(str(row["name"]))} for row in table[modules == paper].to_dict("records")]


# ---------------------------------------------------------------------------------------------------- the overview


def _rows(about: About, name: str) -> list[dict[str, str]]:
    """A table of a paper on a corpus, as dicts of texts by column; empty if there is no such table."""
    for table in about["tables"]:
        if table["id"] == f"{_name(about)}_{name}":
            return [dict(zip(table["shown"]["columns"], row, strict=True)) for row in table["shown"]["rows"]]
    return []


def _judged(abouts: Sequence[About]) -> list[dict[str, Any]]:
    """The claims of each paper on each corpus; stored verdicts too, unless they are of a corpus of the report."""
    own = [
        {"about": about, "corpus": about["corpus"], "id": f"{_name(about)}_claims", "rows": _rows(about, "claims"),
         "generated": about["demonstration"], "stored": False}
        for about in abouts
        if _rows(about, "claims") or not _rows(about, "claims_stored")
    ]  # fmt: skip
    computed = {(about["paper"], about["corpus"]) for about in abouts}
    kept = {about["paper"]: about for about in reversed(abouts)}
    own += [
        {"about": about, "corpus": rows[0]["corpus"], "id": f"{_name(about)}_claims_stored", "rows": rows,
         "generated": False, "stored": True}
        for about in kept.values()
        if (rows := _rows(about, "claims_stored")) and (about["paper"], rows[0]["corpus"]) not in computed
    ]  # fmt: skip
    order = {about["paper"]: place for place, about in reversed(list(enumerate(abouts)))}
    return sorted(own, key=lambda one: (one["generated"], order[one["about"]["paper"]], not one["stored"]))


def cited(title: str) -> str:
    """Authors and year of a paper's title.

    Parameters
    ----------
    title : str

    Returns
    -------
    str

    Examples
    --------
    >>> cited("Clark & Hockenmaier (2002), Evaluating a Wide-Coverage CCG Parser")
    'Clark & Hockenmaier (2002)'
    """
    return title.partition("), ")[0] + ")" if "), " in title else title


def _short(title: str) -> str:
    """First author and year of a paper's title, for the list of pages; the title if it names none."""
    match = re.match(r"([^\W\d]+)[^(]*\((\d{4})", title)
    return f"{match[1]} {match[2]}" if match else title


def verdict_counts(claims: Iterable[Mapping[str, str]]) -> dict[str, int]:
    """Count claims by verdict; only claims recomputed from data count as ``same`` or ``different``.

    Parameters
    ----------
    claims : iterable of mapping
        ``kind`` and ``verdict``.

    Returns
    -------
    dict of str to int
        ``same``, ``different``, ``arithmetic``, ``set``, ``untestable``.

    Examples
    --------
    >>> verdict_counts([{"kind": "recomputed", "verdict": "same"}, {"kind": "set", "verdict": "set"}])
    {'same': 1, 'different': 0, 'arithmetic': 0, 'set': 1, 'untestable': 0}
    """
    counts = Counter((claim["kind"], claim["verdict"]) for claim in claims)
    kinds = Counter[str]()
    for (kind, _), number in counts.items():
        kinds[kind] += number
    return {
        "same": counts["recomputed", "same"],
        "different": counts["recomputed", "different"],
        "arithmetic": kinds["arithmetic"],
        "set": kinds["set"],
        "untestable": kinds["not testable"],
    }


def _overview(abouts: Sequence[dict[str, Any]], files: Mapping[str, Mapping[str, bytes]]) -> dict[str, Any]:
    verdicts, claims, search = [], [], []
    curves: list[dict[str, Any]] = []
    for judged in _judged(abouts):
        about, found = judged.pop("about"), judged.pop("rows")
        place = {**judged, "page": f"{about['paper']}.html", "title": cited(about["title"])}
        place["id"] = place["id"] if found else about["name"]
        verdicts.append({**place, **verdict_counts(found)})
        rows = [claim for claim in found if claim["kind"] == "recomputed"]
        claims += [{**place, "rows": rows}] if rows and not judged["generated"] else []
        said = f"{place['title']}, {place['corpus']}"
        search += [[row["claim"], f"{row['verdict']} – {said}", f"{place['page']}#{place['id']}"] for row in found]
    for about in abouts:
        page, said = f"{about['paper']}.html", f"{cited(about['title'])}, {about['corpus']}"
        search += [[entry["title"], said, f"{page}#{entry['id']}"] for entry in (*about["tables"], *about["figures"])]
        own = [figure for figure in about["figures"] if figure["id"].startswith(f"{about['name']}_specifications_")]
        kept = [figure for figure in about["figures"] if figure["id"].startswith(f"{about['name']}_stored_spec")]
        known = page in {curve["page"] for curve in curves}
        shown = [
            *([] if known else kept[:CURVES_SHOWN]),
            *([] if kept and about["demonstration"] else own[:CURVES_SHOWN]),
        ]
        curves += [{**_with_image(figure, files[about["name"]]), "page": page, "paper": cited(about["title"])}
                   for figure in shown]  # fmt: skip
    return {"verdicts": verdicts, "claims": claims, "search": search, "curves": curves}
