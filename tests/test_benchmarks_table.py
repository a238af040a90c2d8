"""The file of measurements: what is measured again replaces its own section only."""

from pathlib import Path
from types import SimpleNamespace

import pandas as pd
import pytest

import benchmarks.__main__ as benchmarks
from analysis.corpora.folders import data_folder
from benchmarks import certify_stored
from benchmarks.__main__ import LONG, NAMES, main, merged
from benchmarks.whole_jobs import with_rows

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


def test_jobs_that_are_not_measured_again_stay():
    columns = ["job", "unit", "min", "median", "max", "peer", "peer, median", "times the peer", "peak, MiB", "goal"]
    table = pd.DataFrame(
        [["AUTO, lines: AMI 1.5", "s", 1.0, 2.0, 3.0, "", None, None, 40.0, "met"],
         ["a new job", "s", 1.0, 2.0, 3.0, "mkcls (not installed)", None, None, 40.0, "met"]],
        columns=columns,
    )  # fmt: skip
    before = next(section for section in merged(TEXT, []) if name(section) == "whole jobs").split("\n")
    once = with_rows(TEXT, table)
    after = once.split("\n")
    assert (
        after[-1].startswith("| a new job | s | 1 | 2 | 3 | mkcls (not installed) |") and len(after) == len(before) + 1
    )
    changed = [new for old, new in zip(before, after, strict=False) if old != new]
    assert len(changed) == 1 and changed[0].startswith("| AUTO, lines: AMI 1.5 |")
    table.loc[1, ["peer", "median"]] = ["mkcls", 5.0]  # installed since
    again = with_rows(once + "\n", table).split("\n")
    assert len(again) == len(after) and again[-1].startswith("| a new job | s | 1 | 5 | 3 | mkcls |")


def test_what_is_certified_is_stored_and_rounded_as_the_plan_says():
    for plan in certify_stored.plans():
        rows = pd.read_csv(data_folder() / "results" / f"{plan.name}.csv", dtype="str", keep_default_na=False)
        for column, value in plan.where.items():
            rows = rows[rows[column] == value]
        assert len(rows) and set(plan.by) <= set(rows.columns), plan
        for value, unit in zip(rows["value"], rows["unit"], strict=True) if plan.decimals else ():
            assert round(float(value), plan.decimals[unit]) == float(value), plan


def test_a_stored_run_without_a_plan_is_named():
    with pytest.raises(SystemExit, match="there is no plan for 'frank2009_ful'"):
        certify_stored.main(["frank2009_ful"])


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
