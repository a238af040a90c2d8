"""Reports on corpora that a reader has added: what runs, and what is said of one that lacks something."""

import pytest

from analysis.corpora.fetching import add
from analysis.papers import frank2009, gelling2012, recipe, reichart2010
from analysis.report import reproduce
from analysis.structures import DataError

ROWS = (
    "1\tthe\tthe\tDET\t{d}\t_\t2\tdet\t_\t_\n2\tdog\tdog\tNOUN\t{n}\t_\t3\tnsubj\t_\t_\n"
    "3\tsees\tsee\tVERB\t{v}\t_\t0\troot\t_\t_\n4\t!\t!\tPUNCT\t{p}\t_\t3\tpunct\t_\t_\n\n"
)
FINE = ROWS.format(d="DT", n="NN", v="VB", p="MARK")


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("ANALYSIS_CACHE", str(tmp_path / "cache"))
    return tmp_path


def added(folder, text, name, ending):
    file = folder / f"{name}.{ending}"
    file.write_text(text, encoding="utf-8")
    return add(name, file)


def test_an_added_treebank_is_a_test_set_of_gelling(folder):
    added(folder, FINE * 20, "mine", "conllu")
    setting = gelling2012.Setting(corpus="mine")
    assert setting.testsets == ("mine",) and not setting.generated
    found = gelling2012.data("mine")
    assert len(found.tokens) == 80 and found.tokens["scored"].sum() == 8  # the last tenth is scored
    assert set(found.tokens["universal"].astype("str")) == {"DET", "NOUN", "VERB", "."}
    assert found.tokens["fine"].astype("str").unique().tolist() == ["DT", "NN", "VB", "MARK"]


def test_no_printed_number_stands_beside_results_on_an_added_corpus(folder):
    added(folder, FINE * 20, "mine", "conllu")
    for paper in (frank2009, gelling2012, reichart2010):
        assert not recipe.stands_beside_print(paper.Setting(corpus="mine"))
    assert recipe.stands_beside_print(gelling2012.Setting(corpus="treebanks"))
    assert recipe.stands_beside_print(frank2009.Setting(corpus="manchester"))
    table = next(each for each in gelling2012.PAPER.tables if each.name == "table1_long")
    setting = gelling2012.Setting(corpus="mine")
    shown = table.published(setting, {"number": 1}, {"name": "t", "title": "T", "caption": "C"}).frame
    assert "printed" not in shown.columns and set(shown["testset"]) == {"mine"} and len(shown) > 3
    stored = recipe.beside_printed(gelling2012.PAPER, "table2", setting).data
    assert set(stored["source"]) == {"printed", "recomputed"} and "danish" in set(stored["testset"])
    why = gelling2012.compare(gelling2012.table1(setting), 1)["why"].dropna()
    assert set(why) - {""} == {"no test set of the paper is run on this corpus"}


def test_punctuation_of_an_added_corpus_is_not_scored_by_reichart(folder):
    added(folder, FINE * 20, "mine", "conllu")
    setting = reichart2010.Setting(corpus="mine")
    assert "MARK" in setting.leave_out and sorted(reichart2010.gold_classes(setting)) == ["DT", "NN", "VB"]
    assert reichart2010.gold_classes(reichart2010.Setting(corpus="mine", punctuation=True))[-1:] != []
    assert "MARK" in reichart2010.gold_classes(reichart2010.Setting(corpus="mine", punctuation=True))


def test_what_a_corpus_lacks_is_said(folder):
    added(folder, FINE.replace("\t2\tdet", "\t_\t_").replace("\t3\tnsubj", "\t_\t_").replace("\t0\troot", "\t_\t_")
          .replace("\t3\tpunct", "\t_\t_") * 9, "headless", "conllu")  # fmt: skip
    added(folder, "the dog sees\nthe dog\n" * 9, "plain", "txt")
    added(folder, "walk\twalked\tV;PST\n", "forms", "tsv")
    with pytest.raises(DataError, match="headless has no heads and no relations"):
        gelling2012.data("headless")
    for paper, corpus, message in (
        ("gelling2012", "plain", "CoNLL files with heads"),
        ("reichart2010", "plain", "plain has none of its own"),
        ("reichart2010", "forms", "running text with tags.*which is of kind forms"),
        ("kodner2023", "forms", "its tables are of Arabic, English and German"),
        ("clark2002", "plain", "AUTO files.*which is of kind plain"),
        ("frank2009", "absent", "which is in no list"),
    ):
        with pytest.raises(DataError, match=message):
            reproduce([paper], corpus=corpus, output=folder / "report")
