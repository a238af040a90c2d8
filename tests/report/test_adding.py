"""A report that is there already: papers are added to it or replaced in it; a killed run leaves it whole."""

import copy
import dataclasses
import json
import os
import shutil
import subprocess
import sys

import pytest

from analysis.report import check_manifest, folders, reproduce, write_report, writing
from analysis.report.folders import without_run_times
from analysis.report.writing import Part, render_publication, standing_parts, with_notebooks
from analysis.structures import DataError

pytestmark = pytest.mark.thorough


def files(folder):
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def without_times(folder):
    found = files(folder)
    del found["run_times.json"]
    return found | {"run_times.html": without_run_times(found["run_times.html"])}


@pytest.fixture(scope="module")
def rendered():
    """What the first test of this file rendered, for the others."""
    return []


@pytest.fixture
def parts(fake_paper, rendered):
    """The tiny paper on two corpora, and another paper with a notebook."""
    if not rendered:
        publication = fake_paper.publish()
        other = render_publication(dataclasses.replace(publication, paper="other2010", title="Other (2010)"))
        rendered += [
            render_publication(publication),
            render_publication(dataclasses.replace(publication, corpus="other")),
            with_notebooks(other, {"04_other": b"<html></html>"}, {"notebook": 1.5}),
        ]
    return copy.deepcopy(rendered)


def test_a_paper_is_added_and_what_is_there_stays(parts, tmp_path):
    fake, other = parts[0], parts[2]
    page = write_report([fake], tmp_path / "report")
    before, seconds = files(page.parent), json.loads((page.parent / "run_times.json").read_bytes())
    write_report([other], tmp_path / "report")
    after = files(page.parent)
    kept = [name for name in before if "/" in name]  # pages are written again: each links to all others
    assert {name: after[name] for name in kept} == {name: before[name] for name in kept}
    text = after["other2010.html"].decode()
    assert 'id="fake2009_nursery"' in after["fake2009.html"].decode() and 'id="other2010_nursery"' in text
    assert "notebooks/04_other.html" in after and 'href="notebooks/04_other.html"' in text
    assert check_manifest(page.parent) == []
    times = json.loads(after["run_times.json"])
    assert [row for row in times if row["paper"] == "fake2009"] == seconds
    assert times[-1] == {"paper": "other2010", "corpus": "nursery", "stage": "notebook", "seconds": 1.5}


def test_the_order_in_which_papers_are_added_changes_nothing(parts, tmp_path):
    write_report(parts, tmp_path / "at once")
    for part in reversed(parts):
        page = write_report([part], tmp_path / "one by one")
    assert files(page.parent) == files(tmp_path / "at once")


def test_what_is_read_back_is_what_was_written(parts, tmp_path):
    write_report(parts, tmp_path / "report")
    read = {part.name: part for part in standing_parts(tmp_path / "report")}
    assert read == {part.name: part for part in parts}


def test_the_command_replaces_its_paper_and_keeps_the_others(parts, tmp_path):
    write_report(parts, tmp_path / "report")
    before = without_times(tmp_path / "report")
    reproduce(["fake2009"], output=tmp_path / "report", full=True)
    after = without_times(tmp_path / "report")
    names = {name for name in before if before[name] != after[name]}
    assert names == {"manifest.json", "papers/fake2009_nursery.json"}, "the number of sweeps only"
    assert set(before) == set(after)
    reproduce(["fake2009"], output=tmp_path / "report")
    assert without_times(tmp_path / "report") == before


def test_the_page_says_which_papers_another_version_wrote(parts, tmp_path, monkeypatch):
    old = Part({**parts[0].about, "library": "0.0.9 sha256:ab"}, parts[0].files)
    write_report([old], tmp_path / "report")
    page = write_report([parts[2]], tmp_path / "report").with_name("fake2009.html")
    text = page.read_text(encoding="utf-8")
    assert text.count("another version of the suite: 0.0.9 sha256:ab") == text.count("another version") == 1
    assert "another version" not in page.with_name("other2010.html").read_text(encoding="utf-8")
    versions = [entry["library"] for entry in json.loads((tmp_path / "report" / "manifest.json").read_text())["papers"]]
    assert versions == ["0.0.9 sha256:ab", writing.library_version()]


@pytest.mark.parametrize("file", ["tables/fake2009_other_table1.csv", "papers/fake2009_other.json", "run_times.json"])
@pytest.mark.parametrize("change", ["altered", "deleted"])
def test_an_altered_file_of_a_paper_that_stays_is_refused_before_anything_is_computed(
    file, change, parts, fake_paper, tmp_path
):
    write_report(parts, tmp_path / "report")
    path = tmp_path / "report" / file
    path.write_bytes(path.read_bytes()[:-5]) if change == "altered" else path.unlink()
    before = files(tmp_path)
    fake_paper.BROKEN["error"] = "value"
    with pytest.raises(DataError, match=r"other again too, or name another folder with --output"):
        reproduce(["fake2009"], output=tmp_path / "report")
    assert files(tmp_path) == before


def test_an_altered_file_of_the_paper_that_is_replaced_is_repaired(parts, tmp_path):
    write_report(parts, tmp_path / "report")
    before = files(tmp_path)
    (tmp_path / "report" / "tables" / "fake2009_nursery_table1.csv").unlink()
    write_report(parts[:1], tmp_path / "report")
    assert files(tmp_path) == before


def test_a_report_that_cannot_be_added_to_is_refused_unless_all_of_it_is_replaced(parts, tmp_path):
    folder = tmp_path / "report"
    write_report(parts[:2], folder)
    shutil.rmtree(folder / "papers")  # as written before reports could be read back
    with pytest.raises(DataError, match=r"what .* has of fake2009 on nursery cannot be read by this version"):
        write_report(parts[2:], folder)
    write_report(parts[:2], folder)
    assert check_manifest(folder) == []


KILLED = """
import json, os, random, signal, sys, time
from pathlib import Path
from analysis.report.folders import check_manifest
from analysis.report.writing import Part, write_report

def part(paper, number):
    about = {"paper": paper, "corpus": "nursery", "title": paper, "library": "1", "parameters": {"number": number},
             "generated": True, "demonstration": True, "notes": [], "sources": [], "figures": [], "tables": [],
             "not_reproduced": None, "notebooks": []}
    return Part(about, {f"tables/{paper}_{n}.csv": b"x" * 1000 for n in range(20)}, {"all": 1.0})

home = Path(sys.argv[1])
folder, draw = home / "report", random.Random(0)
write_report([part("kept", 0)], folder)
kept = json.loads((folder / "papers" / "kept_nursery.json").read_text())
missing, interrupted = 0, 0
for attempt in range(20):
    begun, begin = os.pipe()
    child = os.fork()
    if not child:
        for number in range(1000):
            write_report([part("new", 1000 * attempt + number)], folder)
            os.write(begin, b".")
    os.read(begun, 1)
    end = time.monotonic() + draw.uniform(0, 0.1)
    while time.monotonic() < end:
        missing += not folder.exists()
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    assert check_manifest(folder) == []
    assert json.loads((folder / "papers" / "kept_nursery.json").read_text()) == kept
    interrupted += len(list(home.iterdir())) > 1
write_report([part("new", 0)], folder)
print(json.dumps([missing, interrupted, [path.name for path in home.iterdir()]]))
"""


@pytest.mark.skipif(sys.platform != "linux", reason="kills forked processes, and exchanges folders in one step")
def test_a_kill_at_any_moment_leaves_a_whole_report_which_is_never_missing(tmp_path):
    done = subprocess.run([sys.executable, "-c", KILLED, str(tmp_path)], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    missing, interrupted, names = json.loads(done.stdout)
    assert missing == 0
    assert interrupted > 3, "some were killed while they wrote"
    assert names == ["report"], "the next run deletes what killed runs left"


@pytest.mark.skipif(sys.platform != "linux", reason="exchanges folders in one step")
def test_old_and_new_folder_exchange_their_names_in_one_step(parts, tmp_path, monkeypatch):
    write_report(parts[:1], tmp_path / "report")
    monkeypatch.setattr(folders.Path, "replace", lambda *_: pytest.fail("a step of its own"))
    write_report(parts[1:], tmp_path / "report")
    assert len(standing_parts(tmp_path / "report")) == 3


def test_a_run_that_was_killed_between_two_renamings_is_put_right(parts, tmp_path):
    write_report(parts[:1], tmp_path / "report")
    before = files(tmp_path / "report")
    (tmp_path / "report").replace(tmp_path / ".report.report-old")
    (tmp_path / ".report.report-new").mkdir()
    write_report(parts[2:], tmp_path / "report")
    assert [path.name for path in tmp_path.iterdir()] == ["report"]
    assert {name for name in before if name.startswith("tables")} < set(files(tmp_path / "report"))


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such locks")
def test_two_runs_into_one_folder_at_a_time_lose_nothing(parts, tmp_path):
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(3) as pool:
        list(pool.map(lambda part: write_report([part], tmp_path / "report"), parts))
    assert {part.name for part in standing_parts(tmp_path / "report")} == {part.name for part in parts}
    assert check_manifest(tmp_path / "report") == []
