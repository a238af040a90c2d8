"""Files that commands read and write: no output replaces an input, and runs are named without doubt."""

import os
import stat

import pytest
from click.testing import CliRunner

from analysis.__main__ import main
from analysis.commands.base import Problem
from analysis.commands.files import systems_of
from analysis.structures import DataError
from analysis.structures.writing import whole_file

GOLD = "the\tD\ndog\tN\n\nthe\tD\ncat\tN\n"
OPTIONS = ("--output", "--incidents")


@pytest.fixture(autouse=True)
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("gold.txt", "mine.txt", "other.txt", "a,b.txt", "train.tsv"):
        (tmp_path / name).write_text(GOLD, encoding="utf-8")
    (tmp_path / "folder").mkdir()
    (tmp_path / "link.txt").symlink_to("gold.txt")
    os.link("gold.txt", "hard.txt")
    return tmp_path


def run(words, code=0):
    result = CliRunner().invoke(main, words.split() if isinstance(words, str) else words)
    assert result.exit_code == code, result.output
    return result


@pytest.mark.parametrize("option", OPTIONS)
@pytest.mark.parametrize("name", ["gold.txt", "./folder/../gold.txt", "link.txt", "hard.txt", "mine.txt"])
def test_an_output_never_replaces_an_input(option, name, files):
    assert "which is read" in run(f"evaluate tags gold.txt mine.txt --no-intervals {option} {name}", 2).output
    assert (files / "gold.txt").read_text("utf-8") == (files / "mine.txt").read_text("utf-8") == GOLD


@pytest.mark.parametrize(
    "words",
    [
        "evaluate tags gold.txt base=mine.txt,other.txt --output other.txt",
        "evaluate inflections gold.tsv mine.tsv --training train.tsv --output train.tsv",
        "cluster gold.txt --model random --classes 2 --output gold.txt",
        "cluster gold.txt --model random --classes 2 --save-model gold.txt",
        "parse gold.txt --model left --output gold.txt",
        "inflect gold.txt --train train.tsv --output train.tsv",
        "derive mine.txt --train gold.txt --output gold.txt",
    ],
)
def test_every_command_that_writes_keeps_what_it_reads(words):
    assert "which is read" in run(words, 2).output


def test_an_archive_and_a_folder_that_are_read_are_kept(files):
    import zipfile

    with zipfile.ZipFile("gold.zip", "w") as archive:
        archive.writestr("gold.txt", GOLD)
    (files / "folder" / "gold.txt").write_text(GOLD, encoding="utf-8")
    for gold, output in (("gold.zip/gold.txt", "gold.zip"), ("folder", "folder/gold.txt")):
        assert "would replace" in run(f"evaluate tags {gold} mine.txt --output {output}", 2).output


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("--output x.csv --incidents ./x.csv", "name the same file"),
        ("--output x.svg --plot x.svg", "name the same file"),
        ("--output absent/x.csv", "there is no folder absent"),
        ("--plot absent/x.svg", "there is no folder absent"),
        ("--incidents absent/x.csv", "there is no folder absent"),
        ("--output absent/x.csv --incidents gold.txt", "there is no folder absent"),
        ("--output folder", "is a directory"),
        ("--incidents -", "cannot be standard output"),
    ],
)
def test_what_cannot_be_written_is_refused_before_anything_is_computed(options, message, files, monkeypatch):
    before = {path: path.is_file() and path.read_bytes() for path in files.rglob("*")}
    monkeypatch.setattr("analysis.evaluation.tags.score_tags", lambda *_, **__: pytest.fail("it was computed"))
    assert message in run(f"evaluate tags gold.txt mine.txt {options}", 2).output
    assert {path: path.is_file() and path.read_bytes() for path in files.rglob("*")} == before


def test_a_protected_file_is_not_replaced(files, monkeypatch):
    (files / "old.csv").write_text("kept", encoding="utf-8")
    monkeypatch.setattr(os, "access", lambda path, mode: str(path) != "old.csv")  # root may write to any file
    assert "write-protected" in run("evaluate tags gold.txt mine.txt --output old.csv", 2).output


def test_a_dash_is_standard_output_and_no_file(files):
    words = "evaluate tags gold.txt mine.txt --no-intervals --format csv"
    assert run(f"{words} --output -").stdout == run(words).stdout
    assert not (files / "-").exists()
    run(f"{words} --output /dev/null")


@pytest.mark.parametrize("command", ["evaluate tags gold.txt mine.txt", "cluster gold.txt --model random -o x",
                                     "parse gold.txt --model random -o x", "data generate --output x"])  # fmt: skip
def test_a_seed_below_0_is_refused_with_the_range(command):
    assert "x>=0" in run(f"{command} --seed -1", 2).output


def test_a_link_stays_and_a_file_keeps_its_permissions(files):
    (files / "real.csv").write_text("old", encoding="utf-8")
    (files / "real.csv").chmod(0o600)
    (files / "linked.csv").symlink_to(files / "real.csv")
    with whole_file("linked.csv") as part:
        part.write_text("new", encoding="utf-8")
    assert (files / "linked.csv").is_symlink()
    assert (files / "real.csv").read_text("utf-8") == "new"
    assert stat.S_IMODE((files / "real.csv").stat().st_mode) == 0o600


def test_names_of_files_may_have_commas_and_equals_signs(files):
    (files / "x=y.txt").write_text(GOLD, encoding="utf-8")
    assert systems_of(["m=a,b.txt,mine.txt"]) == {"m": ("a,b.txt", "mine.txt")}
    assert systems_of(["m=a,b.txt"]) == {"m": ("a,b.txt",)}
    assert systems_of(["a,b.txt", "x=y.txt"]) == {"a,b.txt": ("a,b.txt",), "x=y.txt": ("x=y.txt",)}
    assert systems_of(["m=x=y.txt,absent.txt"]) == {"m": ("x=y.txt", "absent.txt")}


@pytest.mark.parametrize("words", [["mine.txt", "./mine.txt"], ["gold.txt", "link.txt"], ["m=gold.txt,hard.txt"],
                                   ["a=mine.txt", "b=mine.txt"], ["m=mine.txt", "m=other.txt"]])  # fmt: skip
def test_a_file_or_a_name_that_comes_twice_is_refused(words):
    with pytest.raises(DataError, match="named twice"):
        systems_of(words)


@pytest.mark.parametrize("word", ["=mine.txt", "m=", "m=mine.txt,", "m\tn=mine.txt", "m\nn=mine.txt", " =mine.txt"])
def test_a_name_is_one_line_and_not_empty(word):
    with pytest.raises(Problem):
        systems_of([word])
