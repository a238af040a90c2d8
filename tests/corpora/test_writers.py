"""What is written is read again: clusterings, forms, plain text; a file is whole or not there; any text is read."""

import tracemalloc

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis import corpora
from analysis.corpora import (
    read_clustering,
    read_corpus,
    read_forms,
    read_plain,
    write_clustering,
    write_conllu,
    write_conllx,
    write_forms,
    write_nine_columns,
    write_plain,
)
from analysis.corpora.exporting import write_generated
from analysis.structures import DataError

WORDS = st.text(st.characters(exclude_categories=("C", "Z"), exclude_characters="/"), min_size=1, max_size=4)
BITS = st.text("01", min_size=1, max_size=5)
SENTENCES = st.lists(st.lists(st.tuples(WORDS, WORDS), min_size=1, max_size=4), min_size=1, max_size=4)
TYPES = st.dictionaries(WORDS, st.tuples(BITS, st.integers(1, 10**9)), min_size=1, max_size=6)


def tokens_of(sentences):
    rows = [(number, place, *token) for number, sentence in enumerate(sentences)
            for place, token in enumerate(sentence, start=1)]  # fmt: skip
    return pd.DataFrame(rows, columns=["sentence", "position", "form", "cluster"])


@given(SENTENCES)
@pytest.mark.parametrize("format", ["tags", "words-and-tags", "slashed"])
def test_clusters_of_tokens_are_read_as_they_were_written(format, sentences):
    table = tokens_of(sentences)
    again = read_clustering(write_clustering(table, format=format), format=format)
    assert again.kind == "tokens" and again.format == format
    for column in again.table:
        assert again.table[column].tolist() == table[column].tolist()


@given(TYPES)
@pytest.mark.parametrize("format", ["types", "paths", "map"])
def test_clusters_of_types_are_read_as_they_were_written(format, types):
    table = pd.DataFrame([(form, *rest) for form, rest in types.items()], columns=["form", "cluster", "frequency"])
    again = read_clustering(write_clustering(table.assign(left=0.5, right=0), format=format), format=format).table
    for column in again:
        assert again[column].tolist() == table[column].tolist()


def test_a_token_without_a_cluster_comes_back_missing_in_words_and_tags_only():
    table = pd.DataFrame({"sentence": [0, 0], "form": ["the", "cat"], "cluster": ["1", None]})
    written = write_clustering(table, format="words-and-tags")
    assert read_clustering(written, format="words-and-tags", strict=False).table["cluster"].isna().tolist() == [
        False,
        True,
    ]
    for format in ("tags", "slashed", "types"):
        with pytest.raises(ValueError, match=f"row 1 has no cluster, which '{format}' cannot say"):
            write_clustering(table, format=format)


@pytest.mark.parametrize(
    ("changes", "format", "message"),
    [
        ({"form": ["a b"]}, "slashed", "the word 'a b' cannot be written"),
        ({"form": ["a\tb"]}, "types", r"the word 'a\\tb' cannot"),
        ({"cluster": ["N/P"]}, "slashed", "the cluster 'N/P' cannot"),
        ({"cluster": ["N P"]}, "tags", "the cluster 'N P' cannot"),
        ({"cluster": ["12"]}, "paths", "'12' is not a path of bits"),
    ],
)
def test_what_a_format_cannot_hold_is_refused_with_its_row(changes, format, message):
    table = pd.DataFrame({"sentence": [0], "form": ["a"], "cluster": ["1"], "frequency": [1]}).assign(**changes)
    with pytest.raises(ValueError, match="row 0: " + message):
        write_clustering(table, format=format)
    with pytest.raises(ValueError, match="has no row"):
        write_clustering(table[:0], format=format)


FORMS = st.lists(st.tuples(WORDS, WORDS, WORDS.map(lambda word: f"V;{word}")), min_size=1, max_size=5)


@given(FORMS)
def test_forms_are_read_as_they_were_written(rows):
    forms = pd.DataFrame(rows, columns=["lemma", "form", "features"])
    again = read_forms(write_forms(forms), columns=("lemma", "form", "features"))
    pd.testing.assert_frame_equal(again.forms, forms.astype("str"))
    with_counts = forms.assign(frequency=[float(place) / 2 for place in range(len(forms))])
    read = read_forms(write_forms(with_counts), columns=tuple(with_counts.columns)).forms
    assert read["frequency"].tolist() == with_counts["frequency"].tolist()


def test_a_form_that_a_line_cannot_hold_is_refused():
    for form in ("", " ", "a\tb", "a\n"):
        with pytest.raises(ValueError, match="row 0: form is"):
            write_forms(pd.DataFrame({"lemma": ["a"], "form": [form]}))
    with pytest.raises(ValueError, match="begins with lemma"):
        write_forms(pd.DataFrame({"form": ["a"], "lemma": ["a"]}))


@given(SENTENCES)
def test_plain_text_is_read_as_it_was_written(sentences):
    table = tokens_of(sentences)
    again = read_plain(write_plain(table))
    for column in again:
        assert again[column].tolist() == table[column].tolist()


def test_reading_plain_text_keeps_each_word_type_once(tmp_path):
    file = tmp_path / "text.txt"
    file.write_text("".join(f"a{n % 7} b{n % 11} c{n % 13} d{n % 17} e f g h\n" for n in range(5000)), encoding="utf-8")
    read_plain(file)
    tracemalloc.start()
    try:
        tokens = read_plain(file)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak / len(tokens) < 70  # bytes; with every token as a string of its own, more than 120
    forms = file.read_text(encoding="utf-8").split()
    pd.testing.assert_series_equal(tokens["form"], pd.Series(pd.Categorical(forms), name="form"))


TABLE = pd.DataFrame({"sentence": [0, 0], "position": [1, 2], "form": ["look", "up"], "lemma": ["look", "up"],
                      "cluster": ["1", "0"], "frequency": [2, 1], "left": 0, "right": 0})  # fmt: skip
WRITERS = {
    "clustering": lambda file: write_clustering(TABLE, file, format="map"),
    "conllu": lambda file: write_conllu(TABLE, file),
    "conllx": lambda file: write_conllx(TABLE, file),
    "forms": lambda file: write_forms(TABLE[["lemma", "form"]], file),
    "nine columns": lambda file: write_nine_columns(TABLE, file),
    "plain": lambda file: write_plain(TABLE, file),
}


@pytest.mark.parametrize("name", WRITERS)
def test_an_error_of_the_disk_leaves_the_old_file_and_no_other(name, tmp_path, monkeypatch):
    file = tmp_path / "a.txt"
    file.write_text("old", encoding="utf-8")

    class Full:
        def __init__(self, *_):
            pass

        def __enter__(self):
            return self

        def __exit__(self, *_):
            return False

        def write(self, _text):
            raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr("analysis.corpora.writing.opened_for_writing", Full)
        with pytest.raises(DataError, match=r"a\.txt: it cannot be written: No space left"):
            WRITERS[name](file)
    assert file.read_text("utf-8") == "old" and [path.name for path in tmp_path.iterdir()] == ["a.txt"]
    WRITERS[name](file)
    assert file.read_text("utf-8") != "old" and [path.name for path in tmp_path.iterdir()] == ["a.txt"]
    with pytest.raises(DataError, match="there is no folder"):
        WRITERS[name](tmp_path / "none" / "a.txt")


def test_every_reader_of_a_format_has_its_writer():
    for name in ("clustering", "conllu", "conllx", "forms", "nine_columns", "plain"):
        assert {f"read_{name}", f"write_{name}"} <= set(corpora.__all__)


CHAT = "@UTF8\n@Begin\n@Participants:\tMOT Mother\n*MOT:\tlook up .\n%mor:\tv|look adv|up .\n@End\n"
TEXTS = {
    "conllu": write_conllu(TABLE.assign(universal=["VERB", "ADV"])),
    "conllx": write_conllx(TABLE.assign(coarse=["V", "Adv"], fine=["V", "Adv"])),
    "nine-columns": write_nine_columns(TABLE.assign(coarse=["V", "Adv"], universal=["VERB", "ADV"])),
    "words-and-tags": "look\tV\nup\tA\n\n",
    "slashed": "look/V up/A\n",
    "plain": "look up\n",
    "ccg": "ID=1\n(<T NP 0 2> (<L N/N VB VB look N/N>) (<L N RB RB up N>) )\n",
    "brackets": "(S (VB look) (RB up))\n",
    "chat": CHAT,
}


@pytest.mark.parametrize("format", TEXTS)
def test_any_text_is_read_as_a_tokens_table(format, tmp_path):
    for name in ("a.txt", "a.data"):
        (tmp_path / name).write_text(TEXTS[format], encoding="utf-8")
        reading = read_corpus(tmp_path / name)
        assert reading.format == format
        assert reading.tokens["form"].astype("str").tolist() == ["look", "up"]
        assert reading.tokens["position"].tolist() == [1, 2] and not len(reading.incidents)
    again = read_corpus(tmp_path / "a.txt", format=format, strict=True).tokens
    assert again.drop(columns="file", errors="ignore").equals(reading.tokens.drop(columns="file", errors="ignore"))


def test_a_folder_and_an_archive_of_transcripts_are_one_text(tmp_path):
    import zipfile

    for name in ("a.cha", "b.cha"):
        (tmp_path / "talk" / "one").mkdir(parents=True, exist_ok=True)
        (tmp_path / "talk" / "one" / name).write_text(CHAT, encoding="utf-8")
    with zipfile.ZipFile(tmp_path / "talk.zip", "w") as archive:
        for name in ("a.cha", "b.cha"):
            archive.writestr(name, CHAT)
    for source in (tmp_path / "talk", tmp_path / "talk.zip"):
        reading = read_corpus(source)
        assert reading.format == "chat" and reading.tokens["sentence"].tolist() == [0, 0, 1, 1]
        assert reading.tokens["coarse"].astype("str").tolist()[:2] == ["V", "ADV"]


def test_what_is_no_text_is_refused(tmp_path):
    (tmp_path / "a.txt").write_text("0\tlook\t2\n1\tup\t1\n", encoding="utf-8")
    with pytest.raises(DataError, match="it is a list of word types"):
        read_corpus(tmp_path / "a.txt")
    with pytest.raises(ValueError, match="format is 'paths'"):
        read_corpus(tmp_path / "a.txt", format="paths")


def test_the_built_in_language_is_the_same_text_in_three_formats(tmp_path):
    for format in ("conllu", "auto", "chat"):
        write_generated(30, tmp_path / f"a.{format}", format)
    one, two, three = (read_corpus(tmp_path / f"a.{format}").tokens["form"].astype("str").tolist()
                       for format in ("conllu", "auto", "chat"))  # fmt: skip
    assert one == two == three
