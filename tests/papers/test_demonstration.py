"""Beside printed numbers stand results on recorded data only; what is generated stands apart, without them."""

import importlib
import re

import pandas as pd
import pytest
from matplotlib.figure import Figure

from analysis.corpora.folders import notebooks_folder
from analysis.papers import clark2002, frank2009, recipe
from analysis.papers.recipe import without_printed

SMALL = {"sweeps": 4, "random_seeds": 2, "sentences": 1500, "threshold": 0.0004}


def test_a_table_of_numbers_only_stays_as_it_is():
    table = pd.DataFrame({"measure": ["PP"], "value": [0.5], "why": ["a reason"]})
    assert without_printed(table) is table


def test_columns_of_print_go_and_those_recomputed_lose_their_mark():
    table = pd.DataFrame({"k": [12], "PP printed": [0.2], "PP recomputed": [0.3], "printed_pool": [7]})
    assert without_printed(table).to_dict("list") == {"k": [12], "PP": [0.3]}


def test_rows_of_print_and_systems_that_only_print_has_go():
    source = ["printed", "recomputed", "printed"]
    table = pd.DataFrame({"system": ["A", "A", "B"], "source": source, "V": [0.1, 0.2, 0.3], "B": [1.0, None, 2.0]})
    assert without_printed(table).to_dict("list") == {"system": ["A"], "V": [0.2]}


def test_of_several_recomputed_sources_the_names_stay():
    sources = ["Table 2, printed", "Table 2, recomputed", "Table 3, recomputed"]
    table = pd.DataFrame({"source": sources, "rho": [0.1, 0.2, 0.3]}, index=[0, 0, 1])  # two tables in one
    assert without_printed(table).to_dict("list") == {
        "source": ["Table 2", "Table 3"],
        "rho": [0.2, 0.3],
    }


def test_what_stands_beside_printed_numbers_is_stored_unless_the_corpus_is_recorded(monkeypatch):
    styled = recipe.beside_printed(frank2009.PAPER, "table3_coarse", frank2009.Setting(**SMALL))
    assert "Stored" in styled.to_html() and styled.data["PP printed"].notna().any()
    assert recipe.beside_printed(frank2009.PAPER, "claims").data["corpus"].unique().tolist() == ["manchester"]
    monkeypatch.setattr(frank2009.Setting, "generated", False)  # as on a corpus of recorded speech
    live = recipe.beside_printed(frank2009.PAPER, "table3_coarse", frank2009.Setting(**SMALL))
    assert "Stored" not in live.to_html()
    assert list(live.data.columns) == list(styled.data.columns)
    assert live.data["PP recomputed"].tolist() != styled.data["PP recomputed"].tolist()


def test_a_notebook_shows_the_places_that_the_paper_prints_and_the_best_in_bold():
    html = recipe.beside_printed(frank2009.PAPER, "table3_coarse").to_html()
    assert ">0.570<" in html and ">0.513<" in html, "three places, as printed"
    assert ">0.000347<" in html and ">0.001526<" in html, "six places, as printed"
    bold = re.findall(r"([^{}]*){\s*font-weight: bold;", html)
    assert len(bold) == 1 and bold[0].count("#T_") >= 10 and "Bold: the best" in html
    assert "Bold" not in recipe.beside_printed(frank2009.PAPER, "claims").to_html()


def test_an_unknown_table_is_named():
    with pytest.raises(ValueError, match="clark2002 has no table or figure 'table9"):
        recipe.beside_printed(clark2002.PAPER, "table9")


def test_what_a_notebook_shows_beside_printed_numbers_is_one_table_or_one_figure():
    shown = re.compile(r'beside_printed\((\w+)\.PAPER, \\"(\w+)\\"')
    found = {pair for path in notebooks_folder().glob("*.ipynb") for pair in shown.findall(path.read_text("utf-8"))}
    assert len(found) > 10
    for paper, name in found:
        entries = importlib.import_module(f"analysis.papers.{paper}").PAPER.entries
        assert sum(entry.name == name for entry in entries) <= 1, f"{name} of {paper} is a table and a figure"


def test_the_scores_of_clark_and_hockenmaier_are_a_table_and_a_figure_of_other_names():
    assert recipe.beside_printed(clark2002.PAPER, "table2").data["printed"].notna().all()
    assert isinstance(recipe.beside_printed(clark2002.PAPER, "evaluations"), Figure)
