import importlib

import pytest

from analysis.report import systems
from analysis.report.site import _systems_of
from analysis.structures import DataError


def test_every_system_that_runs_is_where_the_table_says():
    table = systems.systems_table()
    assert len(table) >= 30
    for where in table.loc[table["state"] == "runs", "where"]:
        module, _, name = where.rpartition(".")
        assert hasattr(importlib.import_module(module), name), where


def test_every_row_of_the_table_is_a_line_of_the_markdown():
    lines = systems.systems_markdown().splitlines()
    assert len(lines) == len(systems.systems_table()) + 2
    assert {line.count(" | ") for line in lines} == {4}


def test_baselines_of_today_are_shown_apart_from_the_systems_of_papers():
    table = systems.systems_table()
    baselines = table.loc[table["follows"] == systems.BASELINE]
    assert len(baselines) == 6 and baselines.index.tolist() == table.index[-6:].tolist(), "after all others"
    shown = [line for line in systems.systems_markdown().splitlines() if "baseline of today, in no paper" in line]
    assert len(shown) == 6 and all(" | none | " in line for line in shown)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("A,P,t,n,perhaps,,", "state 'perhaps'"),
        ("A,P,t,n,runs,,the text", "state 'runs' with where ''"),
        ("A,P,t,n,printed only,x.Y,", "with where 'x.Y'"),
        ("A,P,t,n,runs,x.Y,", "state 'runs' with follows ''"),
        ("A,P,t,n,printed only,,after", "with follows 'after'"),
        ("A,P,t,n,runs,x.Y,baseline of today", "paper 'P' with follows 'baseline of today'"),
        ("A,,t,n,runs,x.Y,the text", "paper '' with follows 'the text'"),
        ("A,,t,n,printed only,,baseline of today", "with follows 'baseline of today'"),
        ("A,P,t,n,printed only,,\nA,P,t,m,printed only,,", "'A' is listed twice"),
    ],
)
def test_an_untruthful_row_is_refused(line, message, tmp_path, monkeypatch):
    (tmp_path / "systems.csv").write_text(f"system,paper,task,name,state,where,follows\n{line}\n", encoding="utf-8")
    monkeypatch.setattr(systems, "data_folder", lambda: tmp_path)
    with pytest.raises(DataError, match=message):
        systems.systems_table()


def test_only_what_stands_between_the_marks_is_replaced(tmp_path):
    path = tmp_path / "README.md"
    path.write_text("before\n<!-- systems: begin -->\nold\n<!-- systems: end -->\nafter\n", encoding="utf-8")
    assert systems.write_between(path, "systems", "| new |\n")
    expected = "before\n<!-- systems: begin -->\n| new |\n<!-- systems: end -->\nafter\n"
    assert path.read_text(encoding="utf-8") == expected
    path.write_text("no marks", encoding="utf-8")
    with pytest.raises(DataError, match="has no line '<!-- systems: begin -->'"):
        systems.write_between(path, "systems", "new")


@pytest.mark.parametrize(
    ("paper", "systems"),
    [("frank2009", {"FF", "HC", "BHMM"}), ("reichart2010", {"GG07", "ARR10"}), ("gelling2012", {"BC", "MZ", "S1"}),
     ("kodner2023", {"NONNEUR"}), ("clark2002", {"Collins's parser"})],
)  # fmt: skip
def test_the_page_of_a_paper_has_a_key_of_its_systems(paper, systems):
    assert systems <= {row["system"] for row in _systems_of(paper)}
