"""The Brown corpus and the text of CoNLL-2000: small archives of the same layout, and the corpora themselves."""

import zipfile

import pytest

from analysis.corpora import tagged_texts
from analysis.corpora.catalogue import NotAtHandError
from analysis.corpora.loading import load
from analysis.corpora.tagged_texts import base_tag, read_brown, read_conll2000
from analysis.structures import DataError


@pytest.fixture
def archive(tmp_path, monkeypatch):
    def write(**members):
        path = tmp_path / "archive.zip"
        with zipfile.ZipFile(path, "w") as file:
            for name, text in members.items():
                file.writestr(name.replace("__", "/").replace("_txt", ".txt"), text)
        monkeypatch.setattr(tagged_texts, "_path", lambda name: path)

    return write


@pytest.mark.parametrize(
    ("tag", "base"),
    [("nn", "NN"), ("NN-TL-HL", "NN"), ("fw-at", "AT"), ("FW-IN+NN-TL", "IN"), ("ppss+bem", "PPSS"), ("bez*", "BEZ"),
     ("*", "*"), ("*-hl", "*"), ("--", "--"), ("---hl", "--"), ("''", "''"), ("np$-tl", "NP$")],
)  # fmt: skip
def test_a_base_tag_has_nothing_that_its_place_adds(tag, base):
    assert base_tag(tag) == base


def test_texts_of_brown_follow_each_other_by_name_and_other_files_are_left(archive):
    archive(brown__cb01="\n\tBut/cc no/at\n", brown__ca01="\n\n\tThe/at-tl cat/nn 1/2/cd\n\n\tran/vbd ./.\n",
            brown__CONTENTS="a list", brown__cats_txt="ca01 news")  # fmt: skip
    table = read_brown()
    assert table.columns.tolist() == ["sentence", "position", "form", "fine", "annotated", "text"]
    assert table.astype("str").agg(" ".join, axis=1).tolist() == [
        "0 1 The AT AT-TL ca01", "0 2 cat NN NN ca01", "0 3 1/2 CD CD ca01", "1 1 ran VBD VBD ca01", "1 2 . . . ca01",
        "2 1 But CC CC cb01", "2 2 no AT AT cb01",
    ]  # fmt: skip


def test_a_token_of_brown_without_a_tag_is_named_with_its_file_and_line(archive):
    archive(brown__ca01="The/at cat/nn\nran\n")
    with pytest.raises(DataError, match=r"ca01.*line 2.*'ran'"):
        read_brown()
    archive(other__text="x/y")
    with pytest.raises(DataError, match="no text of the corpus"):
        read_brown()


def test_sentences_of_conll2000_end_at_blank_lines(archive):
    archive(conll2000__train_txt="The DT B-NP\ncat NN I-NP\n\n\nran VBD B-VP\n\n", conll2000__README="x y z")
    table = read_conll2000("train")
    assert table[["sentence", "position"]].to_numpy().tolist() == [[0, 1], [0, 2], [1, 1]]
    assert table["form"].tolist() == ["The", "cat", "ran"] and table["tagged"].tolist() == ["DT", "NN", "VBD"]
    assert "fine" not in table
    with pytest.raises(DataError, match=r"test.txt is not in the archive; it has train.txt"):
        read_conll2000("test")


def test_only_line_ends_divide_the_lines_of_conll2000(archive):
    archive(conll2000__train_txt="a\u2028b NN I-NP\r\nran\x0c VBD B-VP\r\n")
    assert read_conll2000("train")["form"].tolist() == ["a\u2028b", "ran\x0c"]


@pytest.mark.parametrize("line", ["The DT", "The DT B-NP x", "The  DT B-NP"])
def test_a_line_of_conll2000_has_three_columns(archive, line):
    archive(conll2000__train_txt=f"a DT B-NP\n{line}\n")
    with pytest.raises(DataError, match=r"train.txt, line 2: .*is not a word, a tag and a chunk"):
        read_conll2000("train")


@pytest.mark.real_corpus
def test_the_corpora_have_the_sizes_that_their_distributor_states():
    try:
        brown = load("nltk-brown")
        conll = [load("nltk-conll2000", part) for part in ("train", "test")]
    except NotAtHandError as error:
        pytest.skip(str(error).split("\n")[0])
    assert (brown["sentence"].nunique(), len(brown), brown["text"].nunique()) == (57_340, 1_161_192, 500)
    assert brown["fine"].nunique() == 92 and brown["annotated"].nunique() == 472
    assert [(part["sentence"].nunique(), len(part)) for part in conll] == [(8_936, 211_727), (2_012, 47_377)]
