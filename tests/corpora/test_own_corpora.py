"""Corpora of the reader's own: what is registered can be loaded."""

import json
import os
import shutil
import zipfile

import pandas as pd
import pytest

from analysis.corpora import corpus_names, corpus_version, counts, dataset, incidents, load, parts, read_chat
from analysis.corpora.fetching import add, added, status
from analysis.corpora.own_corpora import own_tokens
from analysis.structures import DataError

HEAD = "@UTF8\n@Begin\n@Participants:\tCHI Target_Child , MOT Mother\n"
CHAT = HEAD + "*MOT:\tthe kite .\n%mor:\tdet|the n|kite .\n*CHI:\tkite .\n%mor:\tn|kite .\n@End\n"
OTHER = HEAD + "*MOT:\tlook .\n%mor:\tv|look .\n*MOT:\tit flies .\n@End\n"
TREE = "1\tLook\tlook\tVERB\t_\t_\t0\troot\t_\t_\n2\t!\t!\tPUNCT\t_\t_\t1\tpunct\t_\t_\n\n"
HEADLESS = "1\tNA\tNA\tNOUN\tNN\t_\t_\t_\t_\t_\n\n"
KINDS = {
    "chat": {"b.cha": OTHER, "a/a.cha": CHAT},
    "conllu": {"b.conllu": HEADLESS, "a.conllu": TREE + TREE},
    "penn treebank": {"b.mrg": "( (S (VP (VB Look))))\n", "a.mrg": "((NP (DT the) (NN kite)))((NP (NN kite)))"},
}


@pytest.fixture(autouse=True)
def own_cache(monkeypatch, tmp_path):
    monkeypatch.setenv("ANALYSIS_CACHE", str(tmp_path / "cache"))


@pytest.fixture(autouse=True)
def own_data_home(monkeypatch, tmp_path):
    monkeypatch.setenv("ANALYSIS_DATA_HOME", str(tmp_path / "home"))


def laid_down(tmp_path, files, zipped=False):
    if zipped:
        with zipfile.ZipFile(tmp_path / "mine.zip", "w") as archive:
            for name, text in files.items():
                archive.writestr(name, text)
        return tmp_path / "mine.zip"
    for name, text in files.items():
        (tmp_path / "mine" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "mine" / name).write_text(text, encoding="utf-8", newline="\n")
    return tmp_path / "mine"


@pytest.mark.parametrize("zipped", [False, True])
def test_added_transcripts_are_loaded_and_kept(tmp_path, zipped):
    add("mine", laid_down(tmp_path, KINDS["chat"], zipped))
    tokens = load("mine")
    assert tokens["form"].tolist() == ["the", "kite", "look"]
    assert tokens["coarse"].tolist() == ["DET", "N", "V"]
    assert tokens["sentence"].tolist() == [0, 0, 1]
    assert tokens["file"].tolist() == ["a/a.cha", "a/a.cha", "b.cha"]
    pd.testing.assert_frame_equal(load("mine", "all"), tokens)
    assert len(list((tmp_path / "cache" / "parsed").glob("mine-*/tokens.parquet"))) == 1
    assert incidents("mine")["kind"].tolist() == ["no tier"]
    assert counts("mine").set_index("outcome").loc[["read", "kept", "excluded role"], "utterances"].tolist() == [
        4,
        2,
        1,
    ]
    assert parts("mine") == ["all", "train", "test"] and corpus_names()[-1] == "mine"


def test_tags_that_have_no_category_leave_the_column_away(tmp_path):
    path = laid_down(tmp_path, {"a.cha": CHAT.replace("n|kite", "made:up|kite")})
    add("mine", path)
    pd.testing.assert_frame_equal(load("mine"), read_chat(path))


@pytest.mark.parametrize("zipped", [False, True])
def test_added_treebanks_are_numbered_on_from_file_to_file(tmp_path, zipped):
    add("mine", laid_down(tmp_path, KINDS["conllu"], zipped))
    tokens = load("mine")
    assert tokens["sentence"].tolist() == [0, 0, 1, 1, 2]
    assert tokens["position"].tolist() == [1, 2, 1, 2, 1]
    assert tokens["form"].tolist() == ["Look", "!", "Look", "!", "NA"]
    assert tokens["head"].tolist() == [0, 1, 0, 1, -1]
    assert own_tokens(added()["mine"])["fine"].tolist() == ["_", "_", "_", "_", "NN"]
    assert tokens["fine"].tolist() == ["VERB", "PUNCT", "VERB", "PUNCT", "NOUN"], "most words have no tag of their own"
    assert tokens["file"].tolist() == ["a.conllu"] * 4 + ["b.conllu"]
    with pytest.raises(DataError, match="not read from transcripts"):
        counts("mine")


@pytest.mark.parametrize("zipped", [False, True])
def test_added_trees_are_loaded(tmp_path, zipped):
    add("mine", laid_down(tmp_path, KINDS["penn treebank"], zipped))
    tokens = load("mine")
    assert tokens["sentence"].tolist() == [0, 0, 1, 2]
    assert tokens["form"].tolist() == ["the", "kite", "kite", "Look"]
    assert tokens["fine"].tolist() == ["DT", "NN", "NN", "VB"]


@pytest.mark.parametrize("kind", KINDS)
def test_the_version_follows_the_files(tmp_path, kind):
    path = laid_down(tmp_path, KINDS[kind])
    add("mine", path)
    before = corpus_version("mine")
    assert corpus_version("mine") == before
    file = next(file for file in path.rglob("b.*"))
    os.utime(file, ns=(1, 1))
    touched = corpus_version("mine")
    file.rename(file.with_stem("c"))
    assert len({before, touched, corpus_version("mine")}) == 3


@pytest.mark.parametrize("zipped", [False, True])
def test_a_part_of_ccgbank_is_read_and_divided_into_training_and_test_sentences(tmp_path, zipped):
    text = "".join(f"ID=wsj_0001.{n} PARSER=GOLD NUMPARSE=1\n(<L N NN NN w{n} N>)\n" for n in range(10))
    add("mine", laid_down(tmp_path, {"b.auto": text, "a/a.auto": text.replace(" w", " v")}, zipped))
    assert load("mine")["form"].tolist() == [f"{letter}{n}" for letter in "vw" for n in range(10)]
    assert load("mine", "test")[["sentence", "form"]].to_numpy().tolist() == [[0, "w8"], [1, "w9"]]
    assert load("mine", "train")["sentence"].tolist() == list(range(18))
    assert "2 files of kind ccgbank" in status()["size"].tolist()
    assert dataset("mine").title == "mine (added by the user)" and dataset("manchester").files


def test_a_corpus_that_is_gone_or_damaged_is_named(tmp_path):
    path = laid_down(tmp_path, KINDS["conllu"], zipped=True)
    add("mine", path)
    content = path.read_bytes()
    path.write_bytes(content.replace(b"Look", b"Loot", 1))
    with pytest.raises(DataError, match=r"mine\.zip: the file is damaged"):
        load("mine")
    path.unlink()
    with pytest.raises(DataError, match=r"does not exist any more"):
        load("mine")
    with pytest.raises(DataError, match="did you mean mine"):
        load("mines")


@pytest.mark.parametrize(
    "content", ["[]", '{"mine": 3}', '{"mine": {"path": "x"}}', '{"mine": {"path": 1, "kind": "chat", "files": 1}}']
)
@pytest.mark.parametrize("folder", ["home", "cache"])
def test_a_list_of_another_shape_is_named(tmp_path, content, folder):
    (tmp_path / folder).mkdir()
    (tmp_path / folder / "added.json").write_text(content)
    with pytest.raises(DataError, match=r"added\.json: .*expected"):
        added()


def test_what_is_registered_survives_the_clearing_of_the_cache(tmp_path):
    path = laid_down(tmp_path, KINDS["chat"])
    add("mine", path)
    before = load("mine")
    shutil.rmtree(tmp_path / "cache")
    assert added()["mine"].path == str(path)
    pd.testing.assert_frame_equal(load("mine"), before)


def test_what_an_earlier_release_registered_in_the_cache_is_taken_over(tmp_path):
    path = laid_down(tmp_path, KINDS["conllu"])
    add("mine", path)
    add("both", path)
    old = {
        "theirs": {"path": str(path), "kind": "conllu", "files": 2},
        "both": {"path": "x", "kind": "chat", "files": 1},
    }
    (tmp_path / "cache").mkdir(exist_ok=True)
    (tmp_path / "cache" / "added.json").write_text(json.dumps(old), encoding="utf-8")
    found = added()
    assert set(found) == {"mine", "both", "theirs"} and found["both"].kind == "conllu", "the newer entry holds"
    shutil.rmtree(tmp_path / "cache")
    assert added() == found and len(load("theirs")) == 5


def test_a_registry_that_cannot_be_written_leaves_the_old_one_where_it_is(tmp_path, monkeypatch):
    path = laid_down(tmp_path, KINDS["conllu"])
    (tmp_path / "cache").mkdir()
    old = tmp_path / "cache" / "added.json"
    old.write_text(json.dumps({"theirs": {"path": str(path), "kind": "conllu", "files": 2}}), encoding="utf-8")
    (tmp_path / "home").write_text("no folder", encoding="utf-8")
    assert set(added()) == {"theirs"} and old.exists()
