import gzip
import lzma

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis import corpora
from analysis.corpora import exporting, language
from analysis.corpora.exporting import read_tokens, write_generated, write_tokens
from analysis.structures import DataError

words = st.text(st.characters(blacklist_characters="\0\t\r\n", blacklist_categories=("Cs",)), min_size=1)


@given(st.lists(words, min_size=1))
def test_a_tokens_table_comes_back_word_for_word(tmp_path_factory, forms):
    path = tmp_path_factory.mktemp("tokens") / "tokens.tsv"
    table = pd.DataFrame({"sentence": range(len(forms)), "form": forms})
    assert write_tokens(table, path) == len(forms)
    assert read_tokens(path)["form"].tolist() == forms


def test_parquet_keeps_every_column(tmp_path):
    drawn = language.generate(50, 1).tokens
    write_tokens(drawn, tmp_path / "t.parquet")
    back = read_tokens(tmp_path / "t.parquet")
    assert list(back.columns) == list(drawn.columns)
    assert all((back[name].astype("str") == drawn[name].astype("str").to_numpy()).all() for name in drawn)


def test_a_word_with_a_tab_is_refused_and_nothing_is_written(tmp_path):
    with pytest.raises(ValueError, match="row 1: form is"):
        write_tokens(pd.DataFrame({"sentence": [0, 0], "form": ["a", "b\tc"]}), tmp_path / "t.tsv")
    assert list(tmp_path.iterdir()) == []


def test_a_line_of_too_few_cells_is_named(tmp_path):
    (tmp_path / "t.tsv").write_text("sentence\tform\n0\ta\n1\n", encoding="utf-8")
    with pytest.raises(DataError, match=r"t\.tsv, line 3: 1 cells; expected 2"):
        read_tokens(tmp_path / "t.tsv")


def truth(tokens):
    return tokens[["sentence", "position", "form"]].astype({"form": "str"}).to_numpy().tolist()


@pytest.mark.thorough
def test_every_format_written_is_read_back_with_the_same_words(tmp_path):
    drawn = language.generate(5000, 4).tokens  # more than one block
    for kind in exporting.FORMATS:
        assert write_generated(5000, tmp_path / f"g.{kind}", kind, random_state=4) == 5000
    assert truth(read_tokens(tmp_path / "g.tokens")) == truth(drawn)
    trees = corpora.read_conllu(tmp_path / "g.conllu")
    assert truth(trees) == truth(drawn) and trees["head"].tolist() == drawn["head"].tolist()
    speech = corpora.read_chat(tmp_path / "g.chat")
    assert (
        truth(speech) == truth(drawn) and speech["fine"].astype("str").tolist() == drawn["fine"].astype("str").tolist()
    )
    assert corpora.collapse(speech["fine"]).tolist() == drawn["coarse"].astype("str").tolist()
    derivations = (tmp_path / "g.auto").read_text(encoding="utf-8").splitlines()
    assert len(derivations) == 2 * 5000


def test_an_interrupted_writing_leaves_the_old_file(tmp_path, monkeypatch):
    path = tmp_path / "g.tsv"
    path.write_text("old", encoding="utf-8")

    def interrupted(*arguments, **choices):
        yield language.generate(10, 0)
        raise KeyboardInterrupt

    monkeypatch.setattr(exporting, "generate_blocks", interrupted)
    with pytest.raises(KeyboardInterrupt):
        write_generated(100, path, "tokens")
    assert path.read_text(encoding="utf-8") == "old" and len(list(tmp_path.iterdir())) == 1


def test_an_unknown_format_or_folder_is_refused(tmp_path):
    with pytest.raises(ValueError, match="conllu"):
        write_generated(1, tmp_path / "g", "xml")
    with pytest.raises(DataError, match="no folder"):
        write_generated(1, tmp_path / "nowhere" / "g")


@pytest.mark.parametrize(("ending", "module"), [("xz", lzma), ("gz", gzip)])
@pytest.mark.parametrize("kind", exporting.FORMATS)
def test_text_is_compressed_where_the_name_says_so(tmp_path, ending, module, kind):
    plain, packed = tmp_path / f"g.{kind}", tmp_path / f"g.{kind}.{ending}"
    assert write_generated(50, plain, kind, random_state=4) == write_generated(50, packed, kind, random_state=4) == 50
    assert module.decompress(packed.read_bytes()) == plain.read_bytes()
    assert {path.name for path in tmp_path.iterdir()} == {plain.name, packed.name}
    if kind == "conllu":
        pd.testing.assert_frame_equal(corpora.read_conllu(packed), corpora.read_conllu(plain))
    if kind == "tokens":
        pd.testing.assert_frame_equal(read_tokens(packed), read_tokens(plain))


def test_parquet_is_parquet(tmp_path):
    write_generated(5, tmp_path / "g.parquet", "tokens")
    assert (tmp_path / "g.parquet").read_bytes()[:4] == b"PAR1"
