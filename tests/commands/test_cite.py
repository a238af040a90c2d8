"""What to cite, in the library and from the command line."""

import re

import pytest
from click.testing import CliRunner

from analysis.__main__ import main
from analysis.corpora.citing import _works, author_year, bibtex, citable, cite
from analysis.structures import DataError


def run(*words):
    return CliRunner().invoke(main, ["cite", *words])


def test_a_sentence_and_one_entry_for_each_work():
    result = run("gelling2012", "many-to-one", "V", "brown")
    assert result.exit_code == 0
    sentence, _, entries = result.stdout.partition("\n\n")
    assert "many-to-one accuracy (Frank, Goldwater & Keller 2009; Gelling et al. 2012) and V-measure" in sentence
    keys = re.findall(r"^@\w+\{(\w+),$", entries, flags=re.MULTILINE)
    assert keys == ["Gelling2012", "Brown1992", "Frank2009", "Rosenberg2007", "LanguageYardstick"]


def test_latex_has_keys_and_escapes_what_tex_would_read():
    found = cite(["clark2002", "V"], format="latex").sentence
    assert r"Clark \& Hockenmaier \citep{ClarkHockenmaier2002}" in found
    assert r"V-measure \citep{Rosenberg2007}" in found


def test_every_special_character_is_escaped(monkeypatch):
    special = r"\{}&%$#_~^"
    work = {**_works()["Brown1992"], "title": special, "author": special, "container": special}
    monkeypatch.setattr("analysis.corpora.citing._works", lambda: {"Brown1992": work})
    shown = r"\textbackslash{}\{\}\&\%\$\#\_\textasciitilde{}\textasciicircum{}"
    entry = bibtex("Brown1992")
    assert f"title = {{{{{shown}}}}}," in entry and entry.count(shown) == 3


def test_an_unknown_name_gives_the_nearest_and_exit_code_2():
    result = run("many-to-on")
    assert result.exit_code == 2 and "did you mean many-to-one" in result.stderr
    assert "yardstick cite --list" in result.stderr and len(result.stderr.splitlines()) == 2
    with pytest.raises(DataError, match="there is no work 'Frank2010'; did you mean Frank2009"):
        bibtex("Frank2010")


def test_capitals_do_not_matter_and_a_name_given_twice_is_cited_once():
    assert cite(["v", "V", "BROWN", "brown"]) == cite(["V", "brown"])


@pytest.mark.parametrize("words", [(), ("V", "--list"), ("V", "--format", "html")])
def test_no_name_and_options_that_contradict_are_refused(words):
    assert run(*words).exit_code == 2


def test_the_list_has_every_name():
    result = run("--list")
    assert result.exit_code == 0
    assert all(name in result.stdout for name in ("many-to-one", "brown", "ud-english-ewt", "McNemar"))


def test_every_name_has_works_that_there_are_and_every_work_is_cited_somewhere():
    cited = {key for keys in citable()["keys"] for key in keys.split(";") if key}
    assert cited <= set(_works()) and set(_works()) - cited == {"LanguageYardstick", "Rimell2008"}
    assert citable()["name"].str.lower().is_unique


def test_every_measure_and_every_model_of_a_command_can_be_cited():
    from analysis.categories.by_sentence import MEASURES
    from analysis.categories.models.named import MODELS
    from analysis.dependencies import MEASURES as OF_TREES
    from analysis.dependencies.models.named import LEARNT, RULES

    names = set(citable()["name"])
    assert {name for name in MEASURES if not name.startswith("H(")} | set(OF_TREES) <= names
    assert set(MODELS) | set(LEARNT) | set(RULES) <= names


@pytest.mark.parametrize("key", sorted(_works()))
def test_every_entry_is_complete_and_its_braces_balance(key):
    entry = bibtex(key)
    fields = dict(re.findall(r"^  (\w+) = \{(.*)\},$", entry, flags=re.MULTILINE))
    assert {"author", "title", "year"} <= set(fields) and re.fullmatch(r"\d{4}", fields["year"])
    depth = 0
    for sign in re.sub(r"\\[{}]", "", entry):
        depth += {"{": 1, "}": -1}.get(sign, 0)
        assert depth >= 0
    assert depth == 0
    work = _works()[key]
    assert work["title"] in work["citation"] and work["year"] in work["citation"]
    assert all(
        person == "others" or ", " in person or person.startswith("{") for person in work["author"].split(" and ")
    )
    assert author_year(key).endswith(work["year"])


def test_the_names_of_papers_agree_with_the_citation_file_of_the_suite():
    from pathlib import Path

    import yaml

    listed = yaml.safe_load((Path(__file__).parents[2] / "CITATION.cff").read_text(encoding="utf-8"))["references"]
    papers = citable().query("subject == 'paper'")["keys"]
    ours = {_works()[key]["title"].lower(): _works()[key] for key in papers}
    assert {each["title"].lower() for each in listed} == set(ours)
    for each in listed:
        work = ours[each["title"].lower()]
        families = [author["family-names"] for author in each["authors"]]
        assert [person.split(",")[0] for person in work["author"].split(" and ")] == families
        assert int(work["year"]) == each["year"]
