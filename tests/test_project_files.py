"""pyproject.toml, environment.yml, the lock, the data folder and the README are in step."""

import os
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pandas as pd
import pytest
import yaml
from packaging.requirements import Requirement

from benchmarks.mutations import read_faults

ROOT = Path(__file__).parents[1]
CONDA_NAMES = {"matplotlib": "matplotlib-base"}


def text_of(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def project() -> dict:
    return tomllib.loads(text_of("pyproject.toml"))["project"]


def requirements() -> dict[str, str]:
    return dict(re.fullmatch(r"([\w-]+)(>=[\d.]+)", line).groups() for line in project()["dependencies"])


def locked_for(**environment: str) -> dict[str, str]:
    """Exact versions of the lock for a machine, by name."""
    lines = [Requirement(line) for line in text_of("requirements.txt").splitlines()]
    here = [line for line in lines if line.marker is None or line.marker.evaluate(environment)]
    return {line.name.lower(): str(line.specifier).removeprefix("==") for line in here}


def test_environment_yml_asks_for_what_pyproject_asks_for():
    environment = yaml.safe_load(text_of("environment.yml"))
    conda = [line for line in environment["dependencies"] if isinstance(line, str)]
    expected = {CONDA_NAMES.get(name, name) + bound for name, bound in requirements().items()}
    assert set(conda) - {"python=3.11", "pip"} == expected
    assert "pip" in conda and environment["channels"] == ["conda-forge"]


def test_environment_yml_names_the_python_of_the_lock_and_what_is_locked_fits_it():
    (python,) = re.findall(r"^  - python=(3\.\d+)$", text_of("environment.yml"), flags=re.MULTILINE)
    assert f"--python-version {python} " in text_of("Makefile")
    assert Requirement(f"python{project()['requires-python']}").specifier.contains(python)
    locked = locked_for(python_version=python, python_full_version=f"{python}.9")
    for line in project()["dependencies"]:
        asked = Requirement(line)
        assert asked.specifier.contains(locked[asked.name.lower()]), line


def test_environment_yml_and_postbuild_install_the_package_and_the_word_lists():
    (pip,) = [part["pip"] for part in yaml.safe_load(text_of("environment.yml"))["dependencies"]
              if isinstance(part, dict)]  # fmt: skip
    lexical = set(project()["optional-dependencies"]["lexical"])
    alone = {line for line in lexical if line.startswith("german-nouns")}  # it asks for what is not needed
    assert set(pip) == {"--editable .", *(lexical - alone)}
    assert [f'python -m pip install --no-deps "{line}"' for line in alone] == [
        line for line in text_of("postBuild").splitlines() if " pip " in line
    ]
    assert os.name == "nt" or os.access(ROOT / "postBuild", os.X_OK)


@pytest.mark.thorough
def test_postbuild_compiles_without_what_only_tests_need():
    (line,) = [line for line in text_of("postBuild").splitlines() if line.startswith("python -c ")]
    _, option, code = shlex.split(line)
    tests = sorted(Requirement(name).name.replace("-", "_") for name in project()["optional-dependencies"]["tests"])
    assert "hypothesis" in tests and "pytest" in tests
    hidden = f"import sys; sys.modules.update(dict.fromkeys({[*tests, 'yaml']})); {code}"
    done = subprocess.run([sys.executable, option, hidden], cwd=ROOT, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr


def test_linear_algebra_has_one_thread_in_each_worker_of_the_tests():
    import scipy.linalg  # noqa: F401  its library is counted too
    from threadpoolctl import threadpool_info

    libraries = [each for each in threadpool_info() if each["user_api"] == "blas"]
    assert libraries and {each["num_threads"] for each in libraries} == {int(os.environ["OPENBLAS_NUM_THREADS"])}


def test_the_lock_has_exact_versions_of_everything_and_names_no_index():
    lines = (ROOT / "requirements.txt").read_text(encoding="utf-8").splitlines()
    assert all(re.match(r"[\w.-]+==[\w.+!]+( ; .*)?$", line) for line in lines), "only name==version lines"
    locked = {line.split("==")[0].lower() for line in lines}
    assert {name.lower() for name in requirements()} <= locked


def test_the_papers_printed_numbers_are_all_there():
    folder = ROOT / "data" / "published"
    assert len(list(folder.rglob("*.csv"))) == 33
    assert len(pd.read_csv(folder / "frank2009" / "table3_merge.csv")) == 55


def test_no_notebook_has_outputs():
    import nbformat

    for path in (ROOT / "notebooks").glob("*.ipynb"):
        for cell in nbformat.read(path, as_version=4).cells:
            assert not cell.get("outputs") and cell.get("execution_count") is None, f"{path.name} has outputs"


def test_the_documentation_has_the_table_of_systems_as_its_data_file_gives_it():
    from analysis.report.systems import systems_markdown

    readme = (ROOT / "docs" / "systems.md").read_text(encoding="utf-8")
    assert systems_markdown().strip() in readme, "run `make readme`"


def commands_of(job: str) -> list[str]:
    """Commands of a job of the workflow, a line each."""
    steps = yaml.safe_load(text_of(".github/workflows/tests.yml"))["jobs"][job]["steps"]
    assert not any("run" in step and "uses" in step for step in steps)
    return [line for step in steps if "run" in step for line in step["run"].splitlines()]


def windows_commands() -> list[str]:
    """The commands that the README names for Windows, in their order."""
    (said,) = re.findall(r"On Windows: (.*?)\n\n", text_of("README.md"), flags=re.DOTALL)
    return re.findall(r"`([^`]+)`", " ".join(said.split()))


def test_the_windows_job_has_the_commands_of_the_readme_one_a_step():
    named, run = windows_commands(), commands_of("windows")
    assert len(named) == len(run) == 5
    steps = yaml.safe_load(text_of(".github/workflows/tests.yml"))["jobs"]["windows"]["steps"]
    assert all("\n" not in step.get("run", "") for step in steps), "PowerShell goes on after a command that fails"
    for name, line in zip(named, run, strict=True):
        assert line == name or line in (f"{name} clark2002", f'{name} -m "not slow"'), line


@pytest.mark.thorough
@pytest.mark.parametrize("line", windows_commands())
def test_a_windows_command_of_the_readme_has_an_equivalent_here(line, tmp_path):
    """Its program is there and takes its options; what needs the network is only asked for help."""
    program, *words = line.split()
    folder = Path(sys.executable).parent
    if program == "py":
        command = [sys.executable, *words[:-1], "--without-pip", str(tmp_path / words[-1])]
    else:
        home, scripts, name = program.split("\\")
        assert (home, scripts) == (".venv", "Scripts")
        assert all((ROOT / words[place + 1]).exists() for place, word in enumerate(words) if word in ("-r", "-e"))
        module = {"pip": ["-m", "pip"], "yardstick": ["-m", "analysis"], "python": []}[name]
        assert name != "yardstick" or project()["scripts"] == {"yardstick": "analysis.__main__:main"}
        command = [str(folder / Path(sys.executable).name), *module, *words, "--help"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    assert program == "py" or all(word in done.stdout for word in words if word.startswith("--"))


@pytest.mark.parametrize("system", ["win32", "darwin", "linux"])
@pytest.mark.parametrize("python", ["3.11.9", "3.13.1"])
def test_the_lock_has_everything_once_for_each_system(system, python):
    name = {"win32": "Windows", "darwin": "Darwin", "linux": "Linux"}[system]
    short = ".".join(python.split(".")[:2])
    machine = {"sys_platform": system, "platform_system": name, "os_name": "nt" if system == "win32" else "posix",
               "python_version": short, "python_full_version": python}  # fmt: skip
    lines = [Requirement(line) for line in text_of("requirements.txt").splitlines()]
    here = [line.name.lower() for line in lines if line.marker is None or line.marker.evaluate(machine)]
    assert len(here) == len(set(here))
    assert {name.lower() for name in requirements()} <= set(here)
    assert ("pywinpty" in here, "appnope" in here) == (system == "win32", system == "darwin")


def test_jobs_of_the_workflow_run_what_is_there():
    targets = set(re.findall(r"^(\w[\w-]*):", text_of("Makefile"), flags=re.MULTILINE))
    made = [shlex.split(line) for line in commands_of("posix")]
    assert all(words[0] == "make" and words[1] in targets for words in made) and len(made) > 2
    from analysis.report.registry import find_paper

    for line in [*commands_of("conda"), *commands_of("windows")]:
        words = line.replace("\\", "/").split()
        if words[0].endswith("yardstick"):
            assert words[1] == "reproduce" and find_paper(words[2])
    assert commands_of("conda")[0] == "./postBuild"


@pytest.mark.skipif(shutil.which("make") is None, reason="needs make")
@pytest.mark.parametrize(("features", "option"), [("output-sync", True), ("", False)])
def test_make_of_macos_is_asked_for_nothing_that_it_lacks(features, option):
    command = ["make", "--dry-run", "test", f".FEATURES={features}"]
    printed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert ("--output-sync" in printed) == option and "lint kernels" in printed


def test_the_readme_is_short_and_its_links_lead_somewhere():
    for path in (ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").glob("*.md")):
        for link in re.findall(r"\]\(([^)#:]+)\)", path.read_text(encoding="utf-8")):
            assert (path.parent / link).exists(), f"{path.name} links to {link}"
    assert len((ROOT / "README.md").read_text(encoding="utf-8").splitlines()) < 150


def test_each_fault_of_the_documentation_has_a_test():
    named = re.findall(r"`([\w/]+\.py)::(test_\w+)`", (ROOT / "docs" / "faults.md").read_text(encoding="utf-8"))
    assert len(named) > 20
    for file, test in named:
        assert f"\ndef {test}(" in (ROOT / "tests" / file).read_text(encoding="utf-8"), f"{file} has no {test}"


def test_the_example_of_a_grid_runs_as_it_stands(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    example = re.search(r"```python\n(.*?)```", (ROOT / "docs" / "grids.md").read_text(encoding="utf-8"), re.DOTALL)
    assert example is not None
    names: dict = {}
    exec(example[1], names)
    assert (tmp_path / "grid.pdf").stat().st_size > 1000
    assert names["means"][["linkage", "k"]].drop_duplicates().shape == (6, 2)
    assert names["runs"]["value"].between(0, 1).all()


def test_every_notebook_is_in_the_readme():
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    for path in (ROOT / "notebooks").glob("*.ipynb"):
        assert f"`notebooks/{path.name}`" in readme


def test_no_file_names_a_package_registry():
    names = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False).stdout.split(
        "\n"
    )
    for name in filter(None, names):
        content = (ROOT / name).read_bytes()
        for word in (b"index" + b"-url", b"find" + b"-links", b"trusted" + b"-host", b"pypi" + b".org"):
            assert word not in content, name


def test_planted_faults_fit_the_source():
    faults = read_faults()
    assert len(faults) >= 100
    assert [fault.file for fault in faults if fault.source(ROOT)[0] == fault.source(ROOT)[1]] == []
