import dataclasses
import hashlib
import json
import re
import shutil
import subprocess
from html.parser import HTMLParser

import pandas as pd
import pytest
from matplotlib.figure import Figure

from analysis.report import check_manifest, folders, reproduce, write_report, writing
from analysis.report.notebooks import library_version
from analysis.report.site import site_pages
from analysis.report.writing import render_publication, with_notebooks
from analysis.structures import DataError
from analysis.structures.publication import Figure as PublishedFigure
from analysis.structures.publication import Publication, Table

PAGES = ["data.html", "fake2009.html", "files.html", "index.html", "run_times.html"]


def files(folder):
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


class Page(HTMLParser):
    """Tags that are open, addresses that the page loads, and links."""

    VOID = ("meta", "img", "br", "link", "hr", "input")

    def __init__(self, text):
        super().__init__()
        self.open, self.loaded, self.links, self.ids, self.images = [], [], [], [], []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        if tag not in self.VOID:
            self.open.append(tag)
        if "src" in attributes:
            self.loaded.append(attributes["src"])
        if tag == "link":
            self.loaded.append(attributes["href"])
        if tag == "a":
            self.links.append(attributes["href"])
        if tag == "img":
            self.images.append(attributes)
        if "id" in attributes:
            self.ids.append(attributes["id"])
        assert tag != "script" or "src" not in attributes

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


@pytest.mark.thorough
def test_the_report_has_every_kind_of_file(fake_paper, tmp_path):
    index = reproduce(output=tmp_path / "report")
    assert index == tmp_path / "report" / "index.html"
    figures = [f"figures/fake2009_nursery_figure{n}.{kind}" for n in (1, 2) for kind in ("pdf", "png", "svg", "txt")]
    tables = [f"tables/fake2009_nursery_{name}.{kind}" for name in ("counts", "table1") for kind in ("csv", "tex")]
    others = [*PAGES, "manifest.json", "papers/fake2009_nursery.json", "run_times.json"]
    assert sorted(files(index.parent)) == sorted([*figures, *tables, *others])


@pytest.mark.thorough
def test_no_page_needs_anything_but_its_folder(fake_paper, tmp_path):
    folder = reproduce(output=tmp_path / "report").parent
    texts = {name: (folder / name).read_text(encoding="utf-8") for name in PAGES}
    pages = {name: Page(text) for name, text in texts.items()}
    for name, page in pages.items():
        assert page.open == []
        assert len(page.ids) == len(set(page.ids))
        assert not re.search(r"url\(|@import|https?://", texts[name])
        assert {source.partition(",")[0] for source in page.loaded} <= {"data:image/png;base64"}
        for link in page.links:
            target, _, place = link.partition("#")
            assert (folder / (target or name)).is_file()
            assert not place or place in pages[target or name].ids
        assert set(PAGES) <= set(page.links)
    assert len(pages["fake2009.html"].images) == 2


def test_a_papers_page_says_what_was_asked_of_it(fake_paper, tmp_path):
    folder = reproduce(output=tmp_path / "report").parent
    text = (folder / "fake2009.html").read_text(encoding="utf-8")
    assert {image["alt"] for image in Page(text).images} == {'A "falling" line', "Rings and dots"}
    for part in (
        "Fake &amp; Sons (2009)", "SP &lt;b&gt;&amp;", "0.000065", "Few sweeps.", "no corpus", "Generated data",
        "prefers-color-scheme: dark", "width=device-width", "57 rows",
    ):  # fmt: skip
        assert part in text
    data = (folder / "data.html").read_text(encoding="utf-8")
    assert "nursery sha256:ab" in data and "BSD-3-Clause" in data


def test_long_tables_are_folded_unless_they_are_the_papers_own_and_the_longest_are_not_printed():
    tables = [Table(name, title, pd.DataFrame({"n": range(rows)}), "Made up.")
              for name, title, rows in (("own", "Table 2: the systems", 60), ("runs", "Every run", 60),
                                        ("scores", "Table 3, one row per number", 300), ("few", "Few", 9))]  # fmt: skip
    part = render_publication(Publication("fake2009", "Fake & Sons (2009), A Paper", corpus="nursery", tables=tables))
    pages = site_pages([(part.about, part.files)], [])
    page = pages["fake2009.html"].decode()
    folded = re.findall(r"<details([^>]*)><summary>(.*?)</summary>", page)
    assert folded == [(" open", "60 rows"), ("", "60 rows"),
                      (' class="long"', '300 rows<span class="on-paper">: see the CSV file</span>')]  # fmt: skip
    assert 'querySelectorAll("details:not(.long)")' in page
    for name, content in pages.items():  # each table scrolls by itself in a narrow window
        text = content.decode()
        assert text.count("<table") == len(re.findall(r'<div class="wide" tabindex="0">\s*<table', text)), name
    assert re.search(r"<a href=\"fake2009.html\">\s*Fake 2009</a>", pages["index.html"].decode())


def test_the_overview_shows_the_stored_curve_of_a_paper_once_and_no_curve_of_a_demonstration_beside_it():
    parts = []
    for corpus, names in (("nursery", ("stored_specifications_a", "stored_specifications_b", "specifications_a")),
                          ("manchester", ("stored_specifications_a", "specifications_a"))):  # fmt: skip
        drawn = [PublishedFigure(name, "A curve", Figure(figsize=(1, 1)), "Points", "One claim.") for name in names]
        parts.append(render_publication(Publication("fake2009", "Fake & Sons (2009), A Paper", corpus=corpus,
                                                    figures=drawn, demonstration=corpus == "nursery")))  # fmt: skip
    index = site_pages([(part.about, part.files) for part in parts], [])["index.html"].decode()
    assert re.findall(r'href="fake2009.html#(fake2009_\w+_specifications_\w+)"', index) == [
        "fake2009_nursery_stored_specifications_a", "fake2009_manchester_specifications_a"]  # fmt: skip
    alone = site_pages([(parts[0].about | {"figures": parts[0].about["figures"][2:]}, parts[0].files)], [])
    assert "fake2009_nursery_specifications_a" in alone["index.html"].decode(), "where nothing is stored"


def test_stored_results_stand_first_and_once(fake_paper):
    published = fake_paper.publish()
    table = Table("long", "Kept", published.tables[0].frame, "Kept with the suite.", stored=True)
    kept = dataclasses.replace(published, tables=(*published.tables, table))
    real = dataclasses.replace(kept, corpus="real", sources=())
    parts = [render_publication(one) for one in (kept, real)]
    page = site_pages([(part.about, part.files) for part in parts], [])["fake2009.html"].decode()
    assert page.count('<h3 id="fake2009_real_long">Kept</h3>') == 1 and "fake2009_nursery_long" not in page
    order = [page.index(f'<section id="{name}"') for name in ("stored", "fake2009_real", "fake2009_nursery")]
    assert order == sorted(order)


def test_the_overview_counts_verdicts_and_offers_each_claim_to_the_search(fake_paper):
    claims = pd.DataFrame(
        [("A01", "recomputed", "FF is <best>", "within .03", "same"),
         ("A02", "recomputed", "BHMM is best", "order", "different"),
         ("A03", "arithmetic", "Averages", "equal", "same"),
         ("A04", "set", "Seeds", "", "set"),
         ("A05", "not testable", "Children", "", "not testable")],
        columns=["id", "kind", "claim", "criterion", "verdict"],
    )  # fmt: skip
    published = fake_paper.publish()
    tables = (*published.tables, Table("claims", "Every claim", claims, "Judged."))
    part = render_publication(dataclasses.replace(published, tables=tables))
    page = site_pages([(part.about, part.files)], [])["index.html"].decode()
    assert re.findall(r'<td class="n">(\d+)</td>', page) == ["1", "1", "1", "1", "1"]
    assert 'href="fake2009.html#fake2009_nursery_claims"' in page
    entries = json.loads(re.search(r"const entries = (.*);", page)[1])
    assert [
        "Children",
        "not testable – Fake & Sons (2009), nursery",
        "fake2009.html#fake2009_nursery_claims",
    ] in entries
    assert "(demonstration)" in page and "(stored)" not in page and "<details" not in page
    kept = Table("claims_stored", "Kept", claims.assign(corpus="real", source=""), "Kept with the suite.", stored=True)
    part = render_publication(dataclasses.replace(published, tables=(*tables, kept)))
    page = site_pages([(part.about, part.files)], [])["index.html"].decode()
    rows = re.findall(r"<td>(\w+) <em>\((\w+)\)", page)
    assert rows == [("real", "stored"), ("nursery", "demonstration")]
    assert "FF is &lt;best&gt;" in page and "FF is <best>" not in page
    assert "real: 2 claims" in page and "nursery: 2 claims" not in page
    assert ["Figure 1", "Fake & Sons (2009), nursery", "fake2009.html#fake2009_nursery_figure1"] in entries


def test_stored_verdicts_stand_beside_those_on_other_recorded_data_but_not_on_the_same(fake_paper):
    claims = pd.DataFrame([("A01", "recomputed", "FF is best", "in order", "same")],
                          columns=["id", "kind", "claim", "criterion", "verdict"])  # fmt: skip
    kept = Table("claims_stored", "Kept", claims.assign(corpus="real", source=""), "Kept with the suite.", stored=True)
    published = fake_paper.publish()
    rows = {}
    for corpus in ("other", "real"):
        tables = (Table("claims", "Every claim", claims, "Judged."), kept)
        recorded = [dataclasses.replace(source, generated=False) for source in published.sources]
        part = render_publication(dataclasses.replace(published, corpus=corpus, tables=tables, sources=recorded))
        page = site_pages([(part.about, part.files)], [])["index.html"].decode()
        rows[corpus] = re.findall(r"<td>(\w+)(?: <em>\((\w+)\)</em>)?</td>", page)
    assert rows == {"other": [("real", "stored"), ("other", "")], "real": [("real", "")]}


def test_a_stored_figure_is_not_marked_as_made_from_generated_data(fake_paper):
    published = fake_paper.publish()
    first, second = published.figures
    render_publication(dataclasses.replace(published, figures=[dataclasses.replace(first, stored=True), second]))
    said = [[text.get_text() for text in one.figure.texts] for one in (first, second)]
    assert "generated data" not in said[0] and "generated data" in said[1]


@pytest.mark.thorough
def test_a_csv_keeps_every_digit_and_latex_is_escaped(fake_paper, tmp_path):
    folder = reproduce(output=tmp_path / "report").parent / "tables"
    read = pd.read_csv(folder / "fake2009_nursery_table1.csv")
    assert list(read["printed"]) == [0.5, 0.000065]
    assert list(read["measure"]) == ["PP", "SP <b>&"]
    latex = (folder / "fake2009_nursery_table1.tex").read_text(encoding="utf-8")
    assert r"SP \textless{}b\textgreater{}\&" in latex
    assert r"\caption{Table 1. Made up, n = 2; 50 \% of it}" in latex
    assert r"\begin{longtable}" in (folder / "fake2009_nursery_counts.tex").read_text(encoding="utf-8")


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="no LaTeX on this machine")
def test_latex_sets_the_tables(fake_paper, tmp_path):
    tables = sorted((reproduce(output=tmp_path / "report").parent / "tables").glob("*.tex"))
    body = "\n".join(f"\\input{{{path.as_posix()}}}" for path in tables)
    packages = r"\documentclass{article}\usepackage{booktabs,longtable}\begin{document}"
    (tmp_path / "all.tex").write_text(f"{packages}\n{body}\n\\end{{document}}", encoding="utf-8")
    subprocess.run(["pdflatex", "-halt-on-error", "all.tex"], cwd=tmp_path, check=True, capture_output=True)


@pytest.mark.thorough
def test_two_runs_differ_in_run_times_only(fake_paper, tmp_path):
    first = files(reproduce(output=tmp_path / "one").parent)
    second = files(reproduce(output=tmp_path / "two").parent)
    assert {name for name in first if first[name] != second[name]} <= {"run_times.html", "run_times.json"}
    assert first["run_times.json"] != second["run_times.json"]
    one, two = (folders.without_run_times(run["run_times.html"]) for run in (first, second))
    assert one == two
    assert len(one.splitlines()) == len(first["run_times.html"].splitlines()) - 1


def test_the_manifest_names_every_file_with_its_checksum(fake_paper, tmp_path):
    folder = reproduce(output=tmp_path / "report").parent
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    sums = {entry["path"]: entry["sha256"] for entry in manifest["files"]}
    assert set(sums) == set(files(folder)) - {"manifest.json"}
    for name, content in files(folder).items():
        if name not in ("run_times.html", "manifest.json", "run_times.json"):
            assert sums[name] == hashlib.sha256(content).hexdigest()
    assert manifest["papers"] == [
        {
            "paper": "fake2009",
            "corpus": "nursery",
            "library": library_version(),
            "parameters": {"sweeps": 5},
            "data": {"nursery": "nursery sha256:ab"},
        }
    ]


@pytest.mark.thorough
def test_a_changed_missing_or_added_file_is_noticed(fake_paper, tmp_path):
    folder = reproduce(output=tmp_path / "report").parent
    assert check_manifest(folder) == []
    (folder / "fake2009.html").write_bytes((folder / "fake2009.html").read_bytes().replace(b"0.250", b"0.750"))
    (folder / "figures" / "fake2009_nursery_figure1.png").unlink()
    (folder / "new.txt").touch()
    assert check_manifest(folder) == ["fake2009.html", "figures/fake2009_nursery_figure1.png", "new.txt"]


@pytest.mark.thorough
@pytest.mark.parametrize("moment", ["figure", "table", "manifest", "swap"])
def test_ctrl_c_leaves_the_old_report_and_nothing_else(moment, fake_paper, tmp_path, monkeypatch):
    reproduce(output=tmp_path / "report")
    before = files(tmp_path)

    def interrupted(*_, **__):
        raise KeyboardInterrupt

    if moment == "swap":
        replace = folders.Path.replace

        def once(self, target):
            if self.name.endswith("-new"):
                raise KeyboardInterrupt
            return replace(self, target)

        monkeypatch.setattr(folders.Path, "replace", once)
        monkeypatch.setattr(folders, "_exchanged", lambda *_: False)  # as on a system that cannot
    else:
        name = {"figure": "save_figure", "table": "latex_bytes", "manifest": "write_manifest"}[moment]
        monkeypatch.setattr(writing, name, interrupted)
    with pytest.raises(KeyboardInterrupt):
        reproduce(output=tmp_path / "report", full=True)
    assert files(tmp_path) == before
    assert [path.name for path in tmp_path.iterdir()] == ["report"]


@pytest.mark.thorough
def test_ctrl_c_at_the_first_report_leaves_not_even_a_folder(fake_paper, tmp_path, monkeypatch):
    def interrupted(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr(writing, "write_manifest", interrupted)
    with pytest.raises(KeyboardInterrupt):
        reproduce(output=tmp_path / "deep" / "er" / "report")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.thorough
def test_the_same_paper_on_the_same_corpus_is_replaced_as_a_whole(fake_paper, tmp_path):
    part = render_publication(fake_paper.publish())
    write_report([with_notebooks(part, {"old": b"<html></html>"})], tmp_path / "report")
    assert (tmp_path / "report" / "notebooks" / "old.html").is_file()
    write_report([part], tmp_path / "report")
    assert not (tmp_path / "report" / "notebooks").exists()


@pytest.mark.parametrize("after_a_report", [False, True])
def test_a_folder_with_anything_else_in_it_is_refused(after_a_report, fake_paper, tmp_path):
    folder = tmp_path / "mine"
    folder.mkdir()
    if after_a_report:
        reproduce(output=folder)
    (folder / "thesis.tex").write_text("mine", encoding="utf-8")
    before = files(tmp_path)
    with pytest.raises(DataError, match=r"thesis.tex|is not a report"):
        reproduce(output=folder)
    assert files(tmp_path) == before


def test_an_unknown_corpus_or_paper_is_refused_by_name(fake_paper, tmp_path):
    with pytest.raises(DataError, match="fake2009 runs on nursery only, not on 'brown'"):
        reproduce(corpus="brown", output=tmp_path / "report")
    with pytest.raises(DataError, match="did you mean fake2009"):
        reproduce(["fake2008"], output=tmp_path / "report")


@pytest.mark.thorough
def test_a_second_run_reads_tables_and_figures_from_the_cache_and_says_so(fake_paper, tmp_path, monkeypatch):
    from analysis.report import reproduce

    first = reproduce(output=tmp_path / "first")
    calls = []
    monkeypatch.setattr("analysis.report.registry.Paper.load", lambda paper: calls.append(paper))
    second = reproduce(output=tmp_path / "second")
    assert calls == []
    before, after = files(first.parent), files(second.parent)
    assert {name for name in before if before[name] != after[name]} <= {"run_times.html", "run_times.json"}
    assert "read from the cache" in (second.parent / "run_times.json").read_text(encoding="utf-8")
