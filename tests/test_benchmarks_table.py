"""The file of measurements: what is measured again replaces its own section only."""

from pathlib import Path
from types import SimpleNamespace

import benchmarks.__main__ as benchmarks
from benchmarks.__main__ import LONG, NAMES, main, merged

TEXT = (Path(__file__).parents[1] / "benchmarks" / "README.md").read_text(encoding="utf-8")


def test_sections_that_are_not_measured_again_stay():
    before = merged(TEXT, [])
    assert all(section in TEXT for section in before)
    assert [name(section) for section in before] == sorted(map(name, before))
    after = merged(TEXT, ["**dmv**\n\nnew", "**a first one**\n\nnew"])
    assert after[0] == "**a first one**\n\nnew" and "**dmv**\n\nnew" in after
    assert [section for section in after if not section.endswith("new")] == [
        section for section in before if name(section) != "dmv"
    ]


def test_long_benchmarks_run_only_where_they_are_named(monkeypatch):
    run = []
    monkeypatch.setattr(
        benchmarks.importlib, "import_module", lambda module: SimpleNamespace(main=lambda: run.append(module))
    )
    monkeypatch.setattr(benchmarks, "markdown", str)
    monkeypatch.setattr(benchmarks, "machine", str)
    monkeypatch.setattr(benchmarks.sys, "argv", ["benchmarks"])
    main()
    assert run == [f"benchmarks.{each}" for each in NAMES if each not in LONG] and set(NAMES) > LONG
    monkeypatch.setattr(benchmarks.sys, "argv", ["benchmarks", *LONG])
    main()
    assert run[-1] == "benchmarks.reproduction"


def name(section):
    return section.partition("\n")[0].strip("*")
