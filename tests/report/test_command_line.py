"""The command line, with a tiny paper in place of the real ones."""

import csv
import dataclasses
import io
import json
import os
import re
import shlex
import signal
import subprocess
import sys
import time
import types

import pytest
from click.testing import CliRunner

from analysis.__main__ import main
from analysis.report import registry
from analysis.report.systems import systems_markdown


def command(*arguments):
    return CliRunner().invoke(main, [str(argument) for argument in arguments], prog_name="analysis")


def test_reproduce_writes_the_report_and_prints_where(fake_paper, tmp_path):
    result = command("reproduce", "--output", tmp_path / "report", "--n-jobs", 1)
    assert result.exit_code == 0, result.output
    assert result.stdout == f"{tmp_path / 'report' / 'index.html'}\n"
    assert "fake2009 on nursery" in result.stderr
    assert (tmp_path / "report" / "index.html").is_file()


@pytest.mark.thorough
def test_full_is_passed_on(fake_paper, tmp_path):
    assert command("reproduce", "fake2009", "--full", "--output", tmp_path / "report").exit_code == 0
    manifest = json.loads((tmp_path / "report" / "manifest.json").read_text(encoding="utf-8"))
    assert manifest["papers"][0]["parameters"] == {"sweeps": 500}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["reproduce", "frank2010"], "there is no paper 'frank2010'"),
        (["reproduce", "--corpus", "brown"], "runs on nursery only, not on 'brown'"),
        (["reproduce", "--n-jobs", "0"], "--n-jobs must be -1 or at least 1"),
        (["reproduce", "--n-jobs", "many"], "'many' is not a valid integer"),
        (["evaluate", "tags", "--colour"], "Error: No such option '--colour'. See: analysis evaluate tags --help\n"),
        (["evaluate", "tags"], "Error: Missing argument 'GOLD'. See: analysis evaluate tags --help\n"),
        (["evaluate", "tags", "a", "b", "--format", "xml"], "Error: Invalid value for '--format': 'xml' is not one of"),
        (["evaluate", "words"], "Error: No such command 'words'. See: analysis evaluate --help\n"),
        (["--colour"], "Error: No such option '--colour'. See: analysis --help\n"),
        (["systems", "--write", "no such file"], "does not exist"),
        (["dashboard", "nothing"], "there is no paper 'nothing'"),
    ],
)
def test_a_wrong_argument_ends_in_one_message_and_two(arguments, message, fake_paper, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    result = command(*arguments)
    assert result.exit_code == 2
    assert message in result.stderr
    assert "Traceback" not in result.output and result.stderr.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


def test_memory_that_does_not_suffice_ends_in_one_line(monkeypatch):
    def fail():
        raise MemoryError

    monkeypatch.setattr("analysis.report.systems.systems_markdown", fail)
    result = command("systems")
    assert result.exit_code == 2
    assert result.stderr == "Error: memory does not suffice; give less data, or fewer processes with --n-jobs.\n"


@pytest.mark.parametrize(
    ("kind", "message"),
    [
        ("data", "Error: a.cha, line 3: the utterance has no %mor tier\n"),
        ("value", "Error: k must be positive, not -1.\n"),
    ],
)
def test_bad_data_end_in_one_message_and_two(kind, message, fake_paper, tmp_path):
    fake_paper.BROKEN["error"] = kind
    result = command("reproduce", "--output", tmp_path / "report")
    assert result.exit_code == 2
    assert result.stderr.endswith(message)
    assert result.stderr.count("\n") <= 3
    assert list(tmp_path.iterdir()) == []
    assert isinstance(command("--debug", "reproduce", "--output", tmp_path / "report").exception, ValueError)


def test_ctrl_c_ends_in_one_line_and_130(fake_paper, tmp_path):
    fake_paper.BROKEN["error"] = "interrupt"
    result = command("reproduce", "--output", tmp_path / "report")
    assert result.exit_code == 130
    assert result.stderr.splitlines()[-1] == "Interrupted; no incomplete file was left."
    assert list(tmp_path.iterdir()) == []


@pytest.mark.thorough
@pytest.mark.skipif(sys.platform == "win32", reason="signals are another thing there")
def test_a_real_ctrl_c_ends_in_130(tmp_path):
    code = (
        "import time, types, sys; from analysis.report import registry; from analysis.__main__ import main\n"
        "module = types.ModuleType('slow')\n"
        "module.publish = lambda **_: (print('started', flush=True), time.sleep(60))\n"
        "sys.modules['slow'] = module; registry.PAPERS.clear()\n"
        "registry.PAPERS['slow'] = registry.Paper('slow', 'slow', '', {'nursery': ('nursery',)})\n"
        "main(['reproduce', '--output', 'report'])\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code], cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout.readline() == "started\n"
        time.sleep(0.1)
        os.kill(process.pid, signal.SIGINT)
        _, errors = process.communicate(timeout=20)
    assert process.returncode == 130
    assert errors.splitlines()[-1] == "Interrupted; no incomplete file was left."
    assert list(tmp_path.iterdir()) == []


def test_data_list_says_where_each_data_set_stands():
    lines = command("data", "list").output.splitlines()
    assert lines[0].split() == ["name", "language", "licence", "size", "where"]
    (manchester,) = (line for line in lines if line.startswith("manchester "))
    assert "CC BY-NC-SA 3.0" in manchester
    rows = list(csv.DictReader(io.StringIO(command("data", "list", "--format", "csv").output)))
    records = json.loads(command("data", "list", "--format", "json").output)
    assert len(rows) == len(records) == len(lines) - 1
    assert rows == records


def test_systems_prints_the_table_and_writes_it_between_its_marks(tmp_path):
    assert command("systems").output == systems_markdown()
    path = tmp_path / "README.md"
    path.write_text("<!-- systems: begin -->\n<!-- systems: end -->\n", encoding="utf-8")
    assert command("systems", "--write", path).exit_code == 0
    assert systems_markdown() in path.read_text(encoding="utf-8")


def test_help_loads_nothing_heavy():
    code = (
        "import sys\nfrom analysis.__main__ import main\n"
        "try:\n    main(['reproduce', '--help'])\nexcept SystemExit:\n    pass\n"
        "print([name for name in ('numpy', 'pandas', 'matplotlib', 'numba', 'nbformat') if name in sys.modules])"
    )
    printed = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert printed.splitlines()[-1] == "[]"


def examples(*path):
    return re.findall(r"^ *yardstick (.+)$", command(*path, "--help").output, re.MULTILINE)


@pytest.fixture
def three_papers(fake_paper, monkeypatch):
    """The tiny paper under the names of three real ones."""
    for name in ("frank2009", "clark2002", "kodner2023"):
        module = types.ModuleType(name)
        module.publish = lambda name=name, **choices: dataclasses.replace(fake_paper.publish(**choices), paper=name)
        monkeypatch.setitem(sys.modules, f"{name}_of_the_tests", module)
        paper = registry.Paper(name, f"{name}_of_the_tests", "fake.ipynb", {"nursery": ("nursery",)})
        monkeypatch.setitem(registry.PAPERS, name, paper)
    monkeypatch.delitem(registry.PAPERS, "fake2009")
    monkeypatch.delenv("ANALYSIS_MIRROR", raising=False)


@pytest.mark.thorough
@pytest.mark.parametrize("path", ["reproduce", "data list", "data add", "data generate", "data check", "systems"])
def test_the_three_examples_of_each_help_work(path, three_papers, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ANALYSIS_DATA_HOME", str(tmp_path / "home"))
    chat = "@UTF8\n@Begin\n@Participants:\tMOT Mother\n*MOT:\tlook .\n%mor:\tv|look .\n@End\n"
    row = "1\tlook\t_\tVERB\t_\t_\t0\troot\t_\t_\n"
    files = {"transcripts/a.cha": chat, "treebank/a.conllu": row, "treebank/b.conllu": row}
    for name, text in (files | {"text.txt": "look up\n"}).items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    for name in ("README.md", "notes.md"):
        (tmp_path / name).write_text("<!-- systems: begin -->\n<!-- systems: end -->\n", encoding="utf-8")
    found = examples(*path.split())
    assert len(found) == 3
    for example in found:
        assert example.startswith(path)
        result = command(*shlex.split(example))
        assert result.exit_code == 0, (example, result.output)


@pytest.fixture
def started(three_papers, fake_paper, monkeypatch):
    """Commands that were started, and copies in a folder of the test's own."""
    found = []
    monkeypatch.setattr(
        "analysis.__main__.subprocess.run",
        lambda words, check: found.append(words[2:]) or subprocess.CompletedProcess(words, 0),
    )
    monkeypatch.setattr("analysis.corpora.folders.notebooks_folder", lambda: fake_paper.notebooks)
    return found


@pytest.mark.parametrize(("path", "server"), [("notebook", "jupyterlab"), ("dashboard", "voila")])
def test_the_examples_of_what_opens_a_page_start_its_server(path, server, started, tmp_path, monkeypatch):
    monkeypatch.setattr("analysis.report.working_copies.working_folder", lambda: tmp_path / "work")
    monkeypatch.chdir(tmp_path)
    found = examples(path)
    assert [command(*shlex.split(example)).exit_code for example in found] == [0] * len(found)
    assert [words[0] for words in started] == [server] * 3


def test_pages_are_opened_from_copies(started, fake_paper, tmp_path):
    folder = tmp_path / "class"
    done = command("notebook", "--folder", str(folder))
    assert done.exit_code == 0 and ": copied" in done.stderr
    assert command("dashboard", "frank2009", "--folder", str(folder), "--idle", "3", "--visitors", "2").exit_code == 0
    assert started[0] == ["jupyterlab", str(folder)]
    assert started[1][:2] == ["voila", str(folder / "fake.ipynb")]
    assert "--MappingKernelManager.cull_idle_timeout=180" in started[1]
    assert "--LimitedKernels.limit=2" in started[1]
    assert sorted(path.name for path in folder.glob("*.ipynb")) == ["fake.ipynb"]


def test_every_command_explains_itself():
    for name in ("reproduce", "data", "systems", "notebook", "dashboard"):
        assert command(name, "--help").exit_code == 0
