"""A corpus of one's own, added from the command line: every format is loaded, divided, explored and recomputed."""

import shlex
from functools import partial
from types import SimpleNamespace

import pandas as pd
import pytest
from click.testing import CliRunner

from analysis import corpora, explore
from analysis.__main__ import main
from analysis.corpora import read_corpus, write_clustering, write_conllx, write_nine_columns, write_plain
from analysis.corpora.exporting import write_generated
from analysis.corpora.fetching import add, added
from analysis.papers import frank2009
from analysis.report import reproducing
from analysis.report.registry import Paper, find_paper
from analysis.structures import DataError
from analysis.structures.publication import Publication

SENTENCES = 40


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """The same sentences in every format."""
    folder = tmp_path_factory.mktemp("files")
    for name, format in (("a.conllu", "conllu"), ("a.auto", "auto"), ("a.cha", "chat")):
        write_generated(SENTENCES, folder / name, format)
    tokens = read_corpus(folder / "a.conllu").tokens
    tagged = tokens.assign(cluster=tokens["universal"].astype("str"), coarse="x-" + tokens["universal"].astype("str"))
    write_plain(tokens, folder / "plain.txt")
    write_clustering(tagged, folder / "tags.txt", format="words-and-tags")
    write_clustering(tagged, folder / "slashed.txt", format="slashed")
    write_conllx(tagged, folder / "x.conllx")
    write_nine_columns(tagged, folder / "nine.txt")
    (folder / "trees.mrg").write_text("(S (NN dogs) (VB bark))\n" * SENTENCES, encoding="utf-8")
    (folder / "forms.tsv").write_text("walk\twalked\tV;PST\n", encoding="utf-8")
    return folder


@pytest.fixture(autouse=True)
def home(monkeypatch, tmp_path):
    monkeypatch.setenv("ANALYSIS_DATA_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("ANALYSIS_CACHE", str(tmp_path / "cache"))


def yardstick(words):
    return CliRunner().invoke(main, shlex.split(words), prog_name="yardstick")


KINDS = {
    "a.conllu": "conllu", "a.auto": "ccgbank", "a.cha": "chat", "plain.txt": "plain", "tags.txt": "words-and-tags",
    "slashed.txt": "slashed", "x.conllx": "conllx", "nine.txt": "nine-columns", "trees.mrg": "penn treebank",
}  # fmt: skip


@pytest.mark.parametrize("file", KINDS)
def test_every_format_is_added_loaded_and_divided(file, files):
    result = yardstick(f"data add mine {files / file} --share 0.5 --licence 'CC BY 4.0' --citation 'I (2020)'")
    assert result.exit_code == 0 and f"1 file of kind {KINDS[file]}" in result.stdout, result.output
    whole, train, test = (corpora.load("mine", part) for part in ("all", "train", "test"))
    assert whole["sentence"].nunique() == SENTENCES
    assert train["sentence"].nunique() == test["sentence"].nunique() == SENTENCES // 2
    assert [*train["form"].astype("str"), *test["form"].astype("str")] == whole["form"].astype("str").tolist()
    assert ("coarse" in whole) == ("fine" in whole) == (file != "plain.txt")
    entry = corpora.dataset("mine")
    assert (entry.licence, entry.citation) == ("CC BY 4.0", "I (2020)")
    assert corpora.corpus_version("mine").startswith("added ")


def test_two_files_are_the_two_parts(files, tmp_path):
    (tmp_path / "other.txt").write_text("you sing\nI sing\n", encoding="utf-8")
    assert yardstick(f"data add mine {files / 'plain.txt'} --test {tmp_path / 'other.txt'}").exit_code == 0
    assert corpora.load("mine", "test")["form"].tolist() == ["you", "sing", "I", "sing"]
    assert corpora.load("mine", "train")["sentence"].nunique() == SENTENCES
    whole = corpora.load("mine")
    assert whole["sentence"].nunique() == SENTENCES + 2 and whole["sentence"].is_monotonic_increasing
    before = corpora.corpus_version("mine")
    (tmp_path / "other.txt").write_text("you sing\n", encoding="utf-8")
    assert corpora.corpus_version("mine") != before
    result = yardstick(f"data add mine {files / 'plain.txt'} --test {files / 'a.conllu'}")
    assert result.exit_code == 2 and "is of another kind" in result.stderr


def test_a_random_split_follows_the_seed_and_loses_nothing(files):
    found = []
    for seed in (1, 1, 2):
        add("mine", files / "plain.txt", split="random", share=0.7, random_state=seed)
        train, test = (corpora.load("mine", part) for part in ("train", "test"))
        assert train["sentence"].nunique() == 28 and test["sentence"].nunique() == 12
        both = pd.concat([train["form"].astype("str"), test["form"].astype("str")])
        assert sorted(both) == sorted(corpora.load("mine")["form"].astype("str"))
        found.append(test["form"].tolist())
    assert found[0] == found[1] != found[2]


def test_forms_are_registered_and_have_no_running_text(files):
    assert "of kind forms" in yardstick(f"data add mine {files / 'forms.tsv'}").stdout
    with pytest.raises(DataError, match="has inflected forms and no running text"):
        corpora.load("mine")


@pytest.mark.parametrize(
    ("options", "message"), [("--share 1", "share is 1.0"), ("--format trees", "format is 'trees'")]
)  # fmt: skip
def test_an_impossible_choice_is_refused(options, message, files):
    result = yardstick(f"data add mine {files / 'plain.txt'} {options}")
    assert result.exit_code == 2 and message in result.stderr
    assert "mine" not in corpora.corpus_names()


@pytest.mark.thorough
@pytest.mark.parametrize("file", ["a.conllu", "a.cha"])
def test_own_treebanks_and_transcripts_are_in_three_explorers_and_in_table_3(file, files):
    assert yardstick(f"data add mine {files / file}").exit_code == 0
    words = corpora.load("mine", "train")["form"].astype("str").tolist()
    frames = explore.frames("mine").set(left=words[0], right=words[2])
    assert words[1] in set(frames.value["filler"])
    contents = explore.cluster_contents("mine")
    assert not contents.error and set(contents.value["form"]) <= set(words)
    classes = explore.word_classes("mine", sentences=10).set(model="BHMM", k=2)
    assert not classes.error and classes.value["scores"]["measure"].tolist() == ["PP", "PR", "MA", "SP", "SR"]
    table = frank2009.table3(corpus="mine", sweeps=2, clusters=(2, 3, 4), random_seeds=1)
    assert set(table["system"]) == {"Random", "BHMM", "HC", "FF"} and set(table["corpus"]) == {"mine"}
    assert table.loc[table["measure"] == "PR", "value"].astype("float64").between(0, 1).all()


@pytest.mark.parametrize(
    "explorer",
    [explore.frames, explore.cluster_contents, lambda corpus: explore.word_classes(corpus, sentences=10)],
)
def test_explorers_that_need_tags_say_that_a_text_has_none(explorer, files):
    add("mine", files / "plain.txt", share=0.5)
    assert explorer("mine").error.startswith("mine has no gold tags; frank2009.without_gold(corpus='mine')")


def test_without_tags_models_are_ranked_by_sp_and_sr_and_the_rest_is_said_to_lack(files, tmp_path):
    add("mine", files / "plain.txt", share=0.5)
    table = frank2009.without_gold("mine", clusters=(2, 3), sweeps=2, models=("BHMM", "HC"))
    assert table.groupby("measure")["rank"].min().to_dict() == {"SP": 1, "SR": 1}
    assert len(table) == 8 and set(table["measure"]) == {"SP", "SR"}
    best = table[table["rank"] == 1].groupby("measure")["value"].max()
    assert (best == table.groupby("measure")["value"].max()).all()


def test_the_report_of_a_corpus_without_tags_has_sp_and_sr_and_says_what_is_missing(files, tmp_path):
    add("mine", files / "plain.txt", share=0.5)
    result = yardstick(f"reproduce frank2009 --corpus mine --output {tmp_path / 'report'}")
    assert result.exit_code == 0, result.output
    assert "mine has no tags: SP and SR are computed, PP, PR and MA are missing" in result.output
    table = pd.read_csv(next((tmp_path / "report").rglob("*_without_gold.csv")))
    assert set(table["measure"]) == {"SP", "SR"} and set(table["system"]) == {"BHMM", "HC", "FF"}
    page = next((tmp_path / "report").rglob("frank2009*.html")).read_text(encoding="utf-8")
    assert "has no tags. SP and SR need none and are computed" in page
    assert "FF with K = 80" in page and "frames are frequent, too few for 80 clusters" in page
    assert list((tmp_path / "report").rglob("*_without_gold.svg"))
    result = yardstick(f"reproduce reichart2010 --corpus mine --output {tmp_path / 'other'}")
    assert result.exit_code == 2 and not (tmp_path / "other").exists()
    assert "reichart2010 compares classes with gold tags, and mine has none" in result.stderr


def test_fine_tags_that_most_words_lack_are_said_by_reproduce_and_in_the_report(tmp_path, monkeypatch):
    rows = "".join(f"{place}\tw\t_\tNOUN\t{tag}\t_\t0\troot\t_\t_\n" for place, tag in enumerate("N___", 1))
    texts = {
        "few": rows, "most": rows.replace("\t_\t_\t0", "\tV\t_\t0"), "none": rows.replace("\tN\t", "\t_\t"),
        "bare": rows.replace("NOUN", "_"),
    }  # fmt: skip
    for name, text in texts.items():
        (tmp_path / f"{name}.conllu").write_text((text + "\n") * 20, encoding="utf-8")
        add(name, tmp_path / f"{name}.conllu")
    told: list[str] = []
    paper = find_paper("reichart2010")
    for name in texts:
        assert reproducing._corpora(paper, name, told.append) == [name]
    note, of_bare = told
    assert "reichart2010: 20 of 80 words of few have a fine tag (XPOS). They are not used" in note
    assert "20 of 80 words of bare have a fine tag (XPOS)" in of_bare and "_, for no tag, is a tag" in of_bare
    fine = {name: set(corpora.load(name)["fine"]) for name in texts}
    assert fine == {"few": {"NOUN"}, "most": {"N", "V"}, "none": {"NOUN"}, "bare": {"N", "_"}}
    module = SimpleNamespace(publish=lambda corpus: Publication("mine", "Mine", corpus, notes=("one",)))
    monkeypatch.setattr(Paper, "load", lambda self: module)
    notes = {name: paper.publish(corpus=name).notes for name in ("few", "most", "none", "nursery")}
    assert [len(found) for found in notes.values()] == [2, 1, 1, 1] and notes["few"][1] in note


@pytest.mark.parametrize("how", ["added again", "file changed"])
def test_another_corpus_of_the_same_name_gives_other_results(how, tmp_path, monkeypatch):
    text = tmp_path / "a.txt"
    text.write_text("a b a c\n" * 10, encoding="utf-8")
    add("mine", text)
    seen = corpora.own_corpora.time.monotonic
    assert set(frank2009.data("mine").train["form"]) == {"a", "b", "c"}
    assert set(frank2009.runs.parts("mine").train["form"]) == {"a", "b", "c"}
    if how == "added again":
        text = tmp_path / "b.txt"
    text.write_text("x y x\n" * 10, encoding="utf-8")
    if how == "added again":
        add("mine", text)
    else:
        monkeypatch.setattr(corpora.own_corpora.time, "monotonic", lambda: seen() + 2)
    assert set(frank2009.runs.parts("mine").train["form"]) == {"x", "y"}
    assert set(frank2009.data("mine").train["form"]) == {"x", "y"}


def test_explorers_have_a_menu_of_the_corpora_that_fit(files):
    add("tagged", files / "a.conllu", share=0.5)
    add("plain", files / "plain.txt")
    add("ccg", files / "a.auto")
    for_frames = explore.corpora_for(explore.frames)
    assert {"nursery", "tagged", "ccg"} <= set(for_frames) and "plain" not in for_frames
    assert {"tagged", "ccg"} <= set(explore.corpora_for(explore.token_against_type))
    assert set(explore.corpora_for(explore.two_derivations)) & {"tagged", "plain", "ccg"} == {"ccg"}
    box = explore.choose_corpus(explore.frames, "tagged")
    menu, shown = box.children
    assert box.explorer is shown and box.value is shown.value
    words = corpora.load("tagged", "train")["form"].astype("str").tolist()
    assert words[1] in set(shown.set(left=words[0], right=words[2]).value["filler"])
    menu.value = "ccg"
    assert box.children[1] is not shown and isinstance(box.children[1], explore.Explorer)
    assert {"nursery", "tagged"} <= set(explore.corpora_for(explore.restarts_of_hill_climbing))
    with pytest.raises(ValueError, match="no corpus 'plain' available that fits"):
        explore.choose_corpus(explore.frames, "plain")
    with pytest.raises(ValueError, match="utterance has no choice of corpora"):
        explore.corpora_for(explore.utterance)


def test_another_path_takes_a_name_only_if_that_is_asked_for(files):
    yardstick = partial(CliRunner().invoke, main)
    words = ["data", "add", "mine"]
    assert yardstick([*words, str(files / "plain.txt")]).exit_code == 0
    assert yardstick([*words, str(files / "plain.txt"), "--share", "0.5"]).exit_code == 0
    refused = yardstick([*words, str(files / "a.conllu")])
    assert refused.exit_code == 2 and f"mine is already the name of {files / 'plain.txt'}" in refused.stderr
    assert added()["mine"].kind == "plain"
    assert yardstick([*words, str(files / "a.conllu"), "--replace"]).exit_code == 0
    assert added()["mine"].kind == "conllu"


def test_tags_without_words_are_refused_for_what_they_are(files):
    (files / "tags.txt").write_text("D\nN\n\nV\n", encoding="utf-8")
    refused = CliRunner().invoke(main, ["data", "add", "mine", str(files / "tags.txt")])
    assert refused.exit_code == 2 and "every line is one word" in refused.stderr and ".auto" not in refused.stderr
    (files / "empty.txt").write_text("", encoding="utf-8")
    refused = CliRunner().invoke(main, ["data", "add", "mine", str(files / "empty.txt")])
    assert "has no line" in refused.stderr and "Name the format" not in refused.stderr
