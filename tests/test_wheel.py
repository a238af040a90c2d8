"""The wheel, built and installed into an environment of its own, works in an empty folder."""

import json
import os
import subprocess
import sys
import sysconfig
import venv
import zipfile
from pathlib import Path

import pytest

from analysis.corpora.folders import checkout

ROOT = checkout()
pytestmark = pytest.mark.skipif(ROOT is None, reason="builds from the source checkout, and this is an installation")
CORPUS_FILES = (".cha", ".conllu", ".conll", ".tar.xz", ".tar.gz", ".zip", ".parquet", ".mrg", ".auto", ".txt.gz")


def run(command, folder, **environment):
    """Run a command in a folder; give its output, or fail with what it printed."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "ANALYSIS"))}
    done = subprocess.run(
        command, cwd=folder, env=clean | environment, capture_output=True, encoding="utf-8", timeout=300
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """The wheel of this checkout, built without the network."""
    folder = tmp_path_factory.mktemp("dist")
    run([sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder), str(ROOT)], folder)
    (built,) = folder.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def python(wheel, tmp_path_factory):
    """The Python of a fresh environment with the wheel in it, and the dependencies of the one that runs the tests."""
    home = tmp_path_factory.mktemp("installed") / "venv"
    venv.create(home, with_pip=False, symlinks=os.name != "nt")
    binary = home / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    (site,) = [Path(line) for line in run([binary, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"],
                                          home).splitlines()]  # fmt: skip
    installer = [sys.executable, "-m", "pip", "--python", str(binary), "install", "--no-index", "--no-deps", "--quiet"]
    run([*installer, str(wheel)], home, PIP_DISABLE_PIP_VERSION_CHECK="1")
    # The paths are added after the environment's own, without their .pth files: an editable `analysis` stays out.
    paths = {sysconfig.get_path("purelib"), sysconfig.get_path("platlib")}
    (site / "dependencies.pth").write_text("".join(f"{path}\n" for path in sorted(paths)), encoding="utf-8")
    return binary


@pytest.fixture
def empty(tmp_path):
    folder = tmp_path / "empty"
    folder.mkdir()
    return folder


def evaluate(python, folder, code):
    """What a few lines print, as JSON, run by the installed Python in an empty folder with an empty cache."""
    return json.loads(run([python, "-W", "error", "-c", code], folder, ANALYSIS_CACHE=str(folder.parent / "cache")))


def test_the_wheel_carries_data_and_notebooks_but_no_corpus_and_no_tests(wheel):
    with zipfile.ZipFile(wheel) as opened:
        names = opened.namelist()
        sizes = {entry.filename: entry.file_size for entry in opened.infolist()}
    for part in ("data", "notebooks"):
        files = [path.relative_to(ROOT) for path in (ROOT / part).rglob("*") if path.is_file()]
        expected = {f"analysis/house/{file.as_posix()}" for file in files if not any(p[0] == "." for p in file.parts)}
        assert expected <= set(names)
    assert [name for name in names if name.lower().endswith(CORPUS_FILES)] == []
    assert [name for name in names if not name.startswith(("analysis/", "language_yardstick-"))] == []
    assert [name for name in names if "__pycache__" in name or name.endswith((".nbi", ".nbc", ".pyc"))] == []
    assert max(sizes.values()) < 2_000_000, "no file of the wheel is as large as a corpus"


def test_the_package_comes_from_the_wheel_and_finds_its_data(python, empty):
    code = """
import json, analysis
from analysis.corpora.folders import checkout, data_folder, notebooks_folder
print(json.dumps([analysis.__file__, analysis.__version__, str(checkout()), str(data_folder()),
                  sorted(path.name for path in notebooks_folder().iterdir())]))
"""
    file, version, source, data, notebooks = evaluate(python, empty, code)
    home = Path(python).parent.parent.resolve()
    assert Path(file).resolve().is_relative_to(home) and Path(data).resolve().is_relative_to(home)
    assert source == "None" and version != "0+unknown"
    assert "01_frank2009.ipynb" in notebooks


def test_the_printed_numbers_are_there(python, empty):
    code = """
import json
from analysis import papers
print(json.dumps(papers.printed("frank2009", "table2_spearman")["value"].astype("float64").tolist()))
"""
    assert evaluate(python, empty, code) == [0.638, 0.755, 0.677]


def test_the_command_line_runs(python, empty):
    text = run([python, "-m", "analysis", "--help"], empty)
    assert "reproduce" in text and "data" in text
    assert "manchester" in run([python, "-m", "analysis", "data", "list"], empty)
    assert list(empty.iterdir()) == []


def test_the_built_in_corpus_is_drawn_and_a_measure_counted(python, empty):
    code = """
import json
from analysis import corpora
from analysis.categories import many_to_one
tokens = corpora.load("nursery", part="train")
perfect = many_to_one(tokens["coarse"], tokens["fine"])
print(json.dumps([len(tokens), int(perfect.numerator), int(many_to_one(["N", "N", "V"], [1, 1, 1]).numerator)]))
"""
    tokens, numerator, two = evaluate(python, empty, code)
    assert tokens == numerator > 1000, "a fine tag belongs to one coarse class"
    assert two == 2
    assert list(empty.iterdir()) == []
