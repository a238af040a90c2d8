"""The wheel, built and installed into an environment of its own, works in an empty folder."""

import json
import os
import signal
import subprocess
import sys
import sysconfig
import time
import venv
import zipfile
from pathlib import Path

import pytest

from analysis.corpora.folders import checkout
from analysis.report.folders import check_manifest, without_run_times

ROOT = checkout()
pytestmark = [
    pytest.mark.thorough,
    pytest.mark.skipif(ROOT is None, reason="builds from the source checkout, and this is an installation"),
]
CORPUS_FILES = (".cha", ".conllu", ".conll", ".tar.xz", ".tar.gz", ".zip", ".parquet", ".mrg", ".auto", ".txt.gz")


def clean_environment():
    """The environment without what steers Python or the suite."""
    return {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "ANALYSIS"))}


def run(command, folder, timeout=300, **environment):
    """Run a command in a folder; give its output, or fail with what it printed."""
    done = subprocess.run(
        command, cwd=folder, env=clean_environment() | environment, capture_output=True, encoding="utf-8",
        timeout=timeout,
    )  # fmt: skip
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
        expected = {f"analysis/shipped/{file.as_posix()}" for file in files if not any(p[0] == "." for p in file.parts)}
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


def killed(command, folder, moment, **environment):
    """Begin a command and kill it with all its processes at a moment: when ``moment(what it printed)`` is true."""
    log = folder / "killed.log"
    with log.open("wb") as file:
        process = subprocess.Popen(
            command, cwd=folder, env=clean_environment() | environment, stdout=file, stderr=file, start_new_session=True
        )
        end = time.monotonic() + 600
        while not moment(log.read_text(encoding="utf-8")):
            assert process.poll() is None, "it ended before"
            assert time.monotonic() < end
            time.sleep(0.05)
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()


@pytest.mark.slow
@pytest.mark.timeout(1800)
@pytest.mark.skipif(os.name == "nt", reason="kills a group of processes")
def test_two_reports_from_empty_caches_differ_in_nothing_but_run_times(python, tmp_path):
    """One by the checkout and one job; one by the wheel and two jobs, killed in a grid and in a notebook, resumed."""
    one, other = tmp_path / "one", tmp_path / "another folder"
    for home in (one, other):
        home.mkdir()
    command = ["-m", "analysis", "reproduce", "frank2009", "--corpus", "nursery", "--output", "report", "--n-jobs"]
    run([sys.executable, *command, "1"], one, 900, PYTHONPATH=str(ROOT), ANALYSIS_CACHE=str(one / "cache"))

    cache = other / "cache"
    resumed = [python, *command, "2"]
    environment = {"ANALYSIS_CACHE": str(cache), "JUPYTER_PATH": str(Path(sys.prefix) / "share" / "jupyter")}
    killed(resumed, other, lambda _: sum(path.is_file() for path in cache.rglob("*")) >= 12, **environment)
    killed(resumed, other, lambda printed: "frank2009: notebook" in printed, **environment)
    assert not (other / "report").exists()
    run(resumed, other, 900, **environment)

    reports = [home / "report" for home in (one, other)]
    found = [{path.relative_to(report): path.read_bytes() for path in report.rglob("*") if path.is_file()}
             for report in reports]  # fmt: skip
    assert found[0].keys() == found[1].keys()
    assert any(path.parent.name == "notebooks" for path in found[0])
    for files in found:
        del files[Path("run_times.json")]
        files[Path("run_times.html")] = without_run_times(files[Path("run_times.html")])
    assert [str(path) for path in found[0] if found[0][path] != found[1][path]] == []
    for place in (ROOT, tmp_path, Path(python).parent.parent):
        named = [str(path) for files in found for path in files if str(place).encode() in files[path]]
        assert named == [], f"pages that name the folder {place}"
    assert [check_manifest(report) for report in reports] == [[], []]
