"""pyproject.toml, environment.yml, the lock, the data folder and the README are in step."""

import re
import tomllib
from pathlib import Path

import pandas as pd
import yaml

from benchmarks.mutations import read_faults

ROOT = Path(__file__).parents[1]
CONDA_NAMES = {"matplotlib": "matplotlib-base"}


def requirements() -> dict[str, str]:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return dict(re.fullmatch(r"([\w-]+)(>=[\d.]+)", line).groups() for line in project["dependencies"])


def test_environment_yml_asks_for_what_pyproject_asks_for():
    environment = yaml.safe_load((ROOT / "environment.yml").read_text(encoding="utf-8"))
    conda = [line for line in environment["dependencies"] if isinstance(line, str)]
    expected = {CONDA_NAMES.get(name, name) + bound for name, bound in requirements().items()}
    assert set(conda) - {"python>=3.11", "pip"} == expected


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


def test_the_workflow_has_the_windows_commands_of_the_readme():
    workflow = yaml.safe_load((ROOT / ".github" / "workflows" / "tests.yml").read_text(encoding="utf-8"))
    lines = workflow["jobs"]["windows"]["steps"][-1]["run"].splitlines()
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert all(f"`{line}`" in readme for line in lines[:3])
    assert lines[3].startswith(r".venv\Scripts\python -m pytest") and r"`.venv\Scripts\python -m pytest`" in readme


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
    import subprocess

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
