import json

import pytest

from analysis.report.working_copies import working_copies


@pytest.fixture
def shipped(tmp_path, monkeypatch):
    folder = tmp_path / "shipped"
    folder.mkdir()
    for name in ("01_a", "02_b"):
        (folder / f"{name}.ipynb").write_text("first", encoding="utf-8")
    monkeypatch.setattr("analysis.corpora.folders.notebooks_folder", lambda: folder)
    return folder


def texts(folder):
    return {path.name: path.read_text(encoding="utf-8") for path in sorted(folder.glob("*.ipynb"))}


def test_the_first_call_copies_and_says_so_and_the_second_does_nothing(shipped, tmp_path):
    told = []
    folder = working_copies(tmp_path / "work", told.append)
    assert texts(folder) == texts(shipped)
    assert told == [f"{folder / name}.ipynb: copied" for name in ("01_a", "02_b")]
    before = {path: path.stat().st_mtime_ns for path in folder.glob("*.ipynb")}
    working_copies(folder, told.append)
    assert len(told) == 2 and before == {path: path.stat().st_mtime_ns for path in folder.glob("*.ipynb")}


def test_a_newer_notebook_replaces_an_unchanged_copy_but_never_the_readers_work(shipped, tmp_path):
    folder = working_copies(tmp_path / "work")
    (folder / "01_a.ipynb").write_text("mine", encoding="utf-8")
    told = []
    working_copies(folder, told.append)
    assert told == []
    for path in shipped.iterdir():
        path.write_text("second", encoding="utf-8")
    working_copies(folder, told.append)
    assert texts(folder) == {"01_a.ipynb": "mine", "02_b.ipynb": "second"}
    assert [line.split(": ")[1][:8] for line in told] == ["kept, si", "replaced"]
    working_copies(folder, told.append)
    assert len(told) == 3, "it is said each time until it is mended"


def test_a_file_of_the_readers_own_name_is_never_overwritten(shipped, tmp_path):
    folder = tmp_path / "work"
    folder.mkdir()
    (folder / "01_a.ipynb").write_text("mine", encoding="utf-8")
    working_copies(folder)
    assert texts(folder)["01_a.ipynb"] == "mine"


@pytest.mark.parametrize("record", ["", "[1]", "{", "null"])
def test_a_damaged_record_loses_nothing(record, shipped, tmp_path):
    folder = working_copies(tmp_path / "work")
    (folder / "01_a.ipynb").write_text("mine", encoding="utf-8")
    (folder / ".copied.json").write_text(record, encoding="utf-8")
    working_copies(folder)
    assert texts(folder)["01_a.ipynb"] == "mine"
    assert "02_b.ipynb" in json.loads((folder / ".copied.json").read_text(encoding="utf-8"))
