"""The readers and writers of tab-separated treebanks."""

import csv
import gzip
import io
import lzma
import os
import zipfile
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.corpora import conll_reading
from analysis.corpora.conll import (
    read_conllu,
    read_conllx,
    read_nine_columns,
    read_word_tag_head,
    write_conllu,
    write_conllx,
    write_nine_columns,
)
from analysis.corpora.conll_reading import CONLLU, read_columns
from analysis.corpora.lines import Lines
from analysis.structures import DataError

FILES = Path(__file__).parent / "conll"
GOOD_FORMS = ["Dogs", "chase", "cats", ".", "Cats", "sleep"]
GOOD_HEADS = [2, 0, 2, 2, 2, 0]

# File, kind, line, what is said, whether the first sentence is kept, its heads or None.
DEFECTS = [
    ("columns_missing", "columns", 4, "8 columns; expected 10 columns separated by tabs", False, None),
    ("columns_too_many", "columns", 4, "11 columns", False, None),
    ("spaces_for_tabs", "columns", 4, "1 column; expected 10 columns separated by tabs", False, None),
    ("bad_id", "bad id", 4, "the ID is 'two'", False, None),
    ("duplicate_id", "duplicate id", 5, "the ID 2 occurs twice", False, None),
    ("id_skipped", "id out of order", 5, "the ID 5 is in the place of 3", False, None),
    ("no_words", "no words", 3, "the sentence has no word", False, None),
    ("empty_field", "empty field", 5, "LEMMA is empty", True, [2, 0, 2, 2]),
    ("range_outside_sentence", "bad range", 6, "the multiword token is 4-5, but", True, [2, 0, 2, 2]),
    ("head_underscore", "no head", 5, "word 3 has no head", True, [2, 0, -1, 2]),
    ("head_is_no_number", "head is not a number", 5, "the head of word 3 is 'two'", True, [2, 0, -1, 2]),
    ("head_negative", "head is not a number", 5, "the head of word 3 is '-1'", True, [2, 0, -1, 2]),
    ("head_out_of_range", "head out of range", 5, "word 3 is 31, but the sentence has 4 words", True, [2, 0, -1, 2]),
    ("self_head", "self-head", 5, "word 3 is its own head", True, [2, 0, 3, 2]),
    ("cycle", "cycle", 4, "the heads of words 2, 3 form a cycle", True, [2, 3, 2, 2]),
]


@pytest.mark.parametrize("stem", [defect[0] for defect in DEFECTS])
def test_each_defect_is_an_error_that_says_where_what_and_what_to_do(stem):
    _, kind, line, said, _, _ = next(defect for defect in DEFECTS if defect[0] == stem)
    path = FILES / f"{stem}.conllu"
    with pytest.raises(DataError) as caught:
        read_conllu(path)
    message = str(caught.value)
    assert message.startswith(f"{path}, line {line}: ")
    assert said in message
    assert path.read_text("utf-8").split("\n")[line - 1] in message
    assert message.endswith("Give strict=False to keep what can be kept and list such incidents.")
    assert caught.value.incident.kind == kind


@pytest.mark.parametrize("stem", [defect[0] for defect in DEFECTS])
def test_each_defect_is_one_incident_of_a_lenient_reading(stem):
    _, kind, line, said, kept, heads = next(defect for defect in DEFECTS if defect[0] == stem)
    tokens, sentences, incidents = read_conllu(FILES / f"{stem}.conllu", strict=False)
    assert incidents[["line", "kind"]].to_numpy().tolist() == [[line, kind]]
    assert said.split(";")[0] in incidents["found"][0]
    assert sentences["kept"].tolist() == [kept, True]
    assert tokens.loc[tokens["sentence"] == 0, "head"].tolist() == (heads or [])
    assert tokens.loc[tokens["sentence"] == 1, "form"].tolist() == ["Cats", "sleep"]


@pytest.mark.parametrize(
    ("stem", "forms", "heads"),
    [
        ("good", GOOD_FORMS, GOOD_HEADS),
        ("byte_order_mark", GOOD_FORMS, GOOD_HEADS),
        ("crlf", GOOD_FORMS, GOOD_HEADS),
        ("no_last_blank_line", GOOD_FORMS, GOOD_HEADS),
        ("double_blank_lines", GOOD_FORMS, GOOD_HEADS),
        ("blank_line_with_spaces", GOOD_FORMS, GOOD_HEADS),
        ("comment_inside_sentence", GOOD_FORMS, GOOD_HEADS),
        ("several_roots", GOOD_FORMS, [2, 0, 0, 2, 2, 0]),
        ("multiword_token", GOOD_FORMS, GOOD_HEADS),
        ("empty_node", GOOD_FORMS, GOOD_HEADS),
        ("form_with_spaces", ["Dogs", "chase", "New York cats", ".", "Cats", "sleep"], GOOD_HEADS),
        ("decomposed_form", ["Dogs", "chase", "cafe\u0301s", ".", "Cats", "sleep"], GOOD_HEADS),
        ("word_na", ["Dogs", "chase", "NA", ".", "null", "sleep"], GOOD_HEADS),
        ("quotation_marks", ["Dogs", "chase", '"', ".", "''", "sleep"], GOOD_HEADS),
    ],
)
def test_what_is_no_defect_is_read_as_it_stands(stem, forms, heads):
    path = FILES / f"{stem}.conllu"
    tokens = read_conllu(path)
    assert tokens["form"].tolist() == forms
    assert tokens["head"].tolist() == heads
    assert tokens["sentence"].tolist() == [0, 0, 0, 0, 1, 1]
    assert tokens["position"].tolist() == [1, 2, 3, 4, 1, 2]
    lenient = read_conllu(path, strict=False)
    assert not len(lenient.incidents)
    pd.testing.assert_frame_equal(lenient.tokens, tokens)


def test_layers_have_their_names_and_absent_layers_are_absent():
    tokens = read_conllu(FILES / "good.conllu")
    expected = ["sentence", "position", "form", "lemma", "universal", "features", "head", "relation"]
    assert list(tokens.columns) == expected
    assert tokens["universal"].tolist() == ["NOUN", "VERB", "NOUN", "PUNCT", "NOUN", "VERB"]
    assert tokens["features"].tolist() == ["Number=Plur", "_", "Number=Plur", "_", "Number=Plur", "_"]
    assert all(isinstance(tokens[name].dtype, pd.CategoricalDtype) for name in ("form", "lemma", "relation"))
    assert tokens["head"].dtype == tokens["sentence"].dtype == tokens["position"].dtype == np.int64
    nine = read_nine_columns("1\tLook\tlook\tV\tVB\tVERB\tMood=Imp\t0\troot\n")
    assert nine.iloc[0, 2:].tolist() == ["Look", "look", "V", "VB", "VERB", "Mood=Imp", 0, "root"]
    assert list(nine.columns[2:]) == ["form", "lemma", "coarse", "fine", "universal", "features", "head", "relation"]
    ten = read_conllx("1\tLook\tlook\tV\tVB\tMood=Imp\t0\troot\t0\troot\n")
    assert list(ten.columns[2:]) == ["form", "lemma", "coarse", "fine", "features", "head", "relation"]


def test_a_file_without_heads_has_no_column_head():
    tokens = read_nine_columns("1\tLook\t_\tV\t_\t_\t_\t_\t_\n2\t!\t_\tP\t_\t_\t_\t_\t_\n")
    assert list(tokens.columns) == ["sentence", "position", "form", "coarse"]


def test_comments_and_counts_are_kept_by_sentence():
    sentences = read_conllu(FILES / "good.conllu", strict=False).sentences
    assert sentences["sent_id"].tolist() == ["first", "second"]
    assert sentences["text"].tolist() == ["Dogs chase cats.", ""]
    assert sentences["comments"].tolist() == ["# sent_id = first\n# text = Dogs chase cats.", "# sent_id = second"]
    assert sentences[["line", "words", "roots"]].to_numpy().tolist() == [[3, 4, 1], [9, 2, 1]]
    inside = read_conllu(FILES / "comment_inside_sentence.conllu", strict=False).sentences
    assert inside["comments"][0].endswith("\n# a remark")
    assert read_conllu(FILES / "several_roots.conllu", strict=False).sentences["roots"].tolist() == [2, 1]
    assert read_conllu(FILES / "multiword_token.conllu", strict=False).sentences["multiword_tokens"].tolist() == [1, 0]
    assert read_conllu(FILES / "empty_node.conllu", strict=False).sentences["empty_nodes"].tolist() == [2, 0]


def test_comments_are_written_back():
    reading = read_conllu(FILES / "comment_inside_sentence.conllu", strict=False)
    again = read_conllu(write_conllu(reading.tokens, sentences=reading.sentences), strict=False)
    assert again.sentences["comments"].tolist() == reading.sentences["comments"].tolist()
    with pytest.raises(ValueError, match="begin with '#'"):
        write_conllu(reading.tokens, sentences=pd.DataFrame({"sentence": [0], "comments": ["no sign"]}))


def test_a_chain_of_1500_words_is_one_tree():
    tokens = read_conllu(FILES / "chain_of_1500.conllu")
    assert tokens["head"].tolist() == list(range(1500))
    closed = (
        (FILES / "chain_of_1500.conllu").read_text("utf-8").replace("1\tw1\t_\tX\t_\t_\t0", "1\tw1\t_\tX\t_\t_\t1500")
    )
    with pytest.raises(DataError, match=r"line 1: the heads of words 1, 2, 3, .*20, … form a cycle"):
        read_conllu(closed)


def test_an_html_page_and_a_file_without_a_word_are_errors_in_any_case():
    for strict in (True, False):
        with pytest.raises(DataError, match=r"html_page.conllu, line 1: this is an HTML page; expected text"):
            read_conllu(FILES / "html_page.conllu", strict=strict)
        with pytest.raises(DataError, match="no word in this CoNLL-U file"):
            read_conllu(FILES / "no_word_at_all.conllu", strict=strict)
        with pytest.raises(DataError, match="no word"):
            read_conllu("", strict=strict)


def test_another_encoding_is_named_or_refused():
    path = FILES / "latin1.conllu"
    with pytest.raises(DataError, match=r"line 5: byte 0xe9 is not UTF-8[^$]*Give encoding="):
        read_conllu(path)
    assert read_conllu(path, encoding="latin-1")["form"].tolist()[2] == "cafés"
    with pytest.raises(DataError, match="line 5: byte 0xe9 is not UTF-8"):
        read_conllu(path, strict=False)  # U+FFFD in its place would make different words equal


def test_the_first_defect_by_line_is_the_one_raised():
    text = (FILES / "good.conllu").read_text("utf-8")
    both = text.replace("3\tcats\tcat\tNOUN\t_\tNumber=Plur\t2", "3\tcats\tcat\tNOUN\t_\tNumber=Plur\t3").replace(
        "2\tsleep\tsleep\tVERB\t_\t_\t0", "2\tsleep\tsleep\tVERB\t_\t_\t9"
    )
    with pytest.raises(DataError, match="line 5: word 3 is its own head"):
        read_conllu(both)
    assert read_conllu(both, strict=False).incidents["line"].tolist() == [5, 10]


def test_an_empty_field_beside_an_underscore_is_one_category():
    text = "1\ta\t\tX\t_\t_\t0\t_\t_\t_\n2\tb\t_\tX\t_\t_\t1\t_\t_\t_\n3\tc\tc\tX\t_\t_\t1\t_\t_\t_\n"
    assert read_conllu(text, strict=False).tokens["lemma"].tolist() == ["_", "_", "c"]


def test_every_cycle_has_an_incident_a_sentence():
    heads = [[2, 3, 1, 1], [0, 1, 2, 3], [2, 1, 4, 3]]
    tokens = pd.DataFrame(
        [(s, p + 1, "w", head) for s, row in enumerate(heads) for p, head in enumerate(row)],
        columns=["sentence", "position", "form", "head"],
    )
    incidents = read_conllu(write_conllu(tokens), strict=False).incidents
    assert incidents["found"].tolist() == [
        "the heads of words 1, 2, 3 form a cycle",
        "the heads of words 1, 2 form a cycle",
    ]


def _has_cycle(heads: list[int]) -> bool:
    for start in range(1, len(heads) + 1):
        word, steps = start, 0
        while word and steps <= len(heads):
            word, steps = heads[word - 1], steps + 1
        if word:
            return True
    return False


@given(st.lists(st.integers(1, 8).flatmap(lambda n: st.lists(st.integers(0, n), min_size=n, max_size=n)), min_size=1))
def test_self_heads_and_cycles_are_found_exactly_where_a_walk_finds_them(trees):
    rows = [(s, "w", head) for s, heads in enumerate(trees) for head in heads]
    text = write_conllu(pd.DataFrame(rows, columns=["sentence", "form", "head"]))
    incidents = read_conllu(text, strict=False).incidents
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(conll_reading, "_ROWS_AT_ONCE", 5)
        assert read_conllu(text, strict=False).incidents.equals(incidents)
    first = np.cumsum([0] + [len(heads) + 1 for heads in trees])
    found = {int(np.searchsorted(first, line, side="left")) - 1 for line in incidents["line"]}
    assert found == {s for s, heads in enumerate(trees) if _has_cycle(heads)}


@pytest.mark.parametrize("suffix", ["", ".xz", ".gz"])
def test_files_may_be_compressed(tmp_path, suffix):
    tokens = read_conllu(FILES / "good.conllu")
    path = tmp_path / f"again.conllu{suffix}"
    assert write_conllu(tokens, path) is None
    opened = {"": open, ".xz": lzma.open, ".gz": gzip.open}[suffix]
    with opened(path, "rb") as stream:
        assert stream.read().decode("utf-8") == write_conllu(tokens)
    pd.testing.assert_frame_equal(read_conllu(path), tokens)
    pd.testing.assert_frame_equal(read_conllu(str(path)), tokens)


def test_a_damaged_archive_is_named(tmp_path):
    path = tmp_path / "cut.conllu.xz"
    path.write_bytes(lzma.compress((FILES / "good.conllu").read_bytes())[:-20])
    with pytest.raises(DataError, match=r"cut\.conllu\.xz: the file is damaged: it is truncated"):
        read_conllu(path)


def test_sources_may_be_zip_members_bytes_and_open_files(tmp_path):
    tokens = read_conllu(FILES / "good.conllu")
    archive = tmp_path / "treebank.zip"
    with zipfile.ZipFile(archive, "w") as opened:
        opened.write(FILES / "good.conllu", "en/good.conllu")
    content = (FILES / "good.conllu").read_bytes()
    with zipfile.ZipFile(archive) as opened:
        for source in (
            archive / "en" / "good.conllu",
            f"{archive}/en/good.conllu",
            zipfile.Path(opened, "en/good.conllu"),
            content,
            io.BytesIO(content),
            io.StringIO(content.decode("utf-8")),
        ):
            pd.testing.assert_frame_equal(read_conllu(source), tokens)
    with pytest.raises(DataError, match=r"no file 'en/bad\.conllu'"):
        read_conllu(archive / "en" / "bad.conllu")
    with pytest.raises(DataError, match=r"nothing\.conllu: there is no file"):
        read_conllu(tmp_path / "nothing.conllu")


def test_long_lines_and_many_lines_are_read_as_they_are(tmp_path):
    """More tabs than a byte counts, a line longer than the parser's block, more lines than are parsed at once."""
    with pytest.raises(DataError, match="line 1: 266 columns"):
        read_conllu("\t".join("1" * 266) + "\n")
    long = "x" * (3 << 20)
    assert read_conllu(f"1\t{long}\t_\tX\t_\t_\t0\t_\t_\t_\n")["form"].tolist() == [long]
    forms = [f"w{i % 999}" for i in range(50_000)]
    tokens = pd.DataFrame({"sentence": np.arange(50_000) // 7, "form": forms})
    assert read_conllu(write_conllu(tokens))["form"].tolist() == forms


TEXT = st.text(st.characters(codec="utf-8", exclude_characters="\0\t\n\r"), min_size=1, max_size=6)
WORD = st.one_of(
    st.sampled_from(["NA", "null", "nan", '"', "''", "#", "New York", "cafe\u0301", "café", "_", " ", "1"]), TEXT
)


@st.composite
def tables(draw):
    lengths = draw(st.lists(st.integers(1, 5), min_size=1, max_size=4))
    rows = []
    for sentence, length in enumerate(lengths):
        for position in range(1, length + 1):
            labels = [draw(WORD) for _ in range(7)]
            rows.append([sentence, position, *labels, draw(st.integers(0, position - 1))])
    names = ["sentence", "position", "form", "lemma", "coarse", "fine", "universal", "features", "relation", "head"]
    return pd.DataFrame(rows, columns=names)


@pytest.mark.parametrize(
    ("write", "read", "lost"),
    [
        (write_conllu, read_conllu, ["coarse"]),
        (write_conllx, read_conllx, ["universal"]),
        (write_nine_columns, read_nine_columns, []),
    ],
)
@given(tokens=tables())
def test_what_is_written_is_read_again(write, read, lost, tokens):
    again = read(write(tokens))
    for column in tokens.columns:
        if column in lost or (column not in ("form", "head") and (tokens[column] == "_").all()):
            assert column not in again.columns
        else:
            assert again[column].tolist() == tokens[column].tolist(), column
    if (tokens["fine"] == "_").all():  # read as no column, and a table without it is written with coarse in its place
        tokens = tokens.drop(columns="fine")
    assert write(again) == write(tokens)


@given(tables())
def test_the_csv_module_splits_the_lines_in_the_same_way(tokens):
    lines = [line + "\n" for line in write_conllu(tokens).split("\n")]
    rows = [row for row in csv.reader(lines, delimiter="\t", quoting=csv.QUOTE_NONE) if row]
    assert [row[1] for row in rows] == tokens["form"].tolist()
    assert [int(row[6]) for row in rows] == tokens["head"].tolist()


def test_what_a_line_cannot_hold_is_not_written(tmp_path):
    good = pd.DataFrame({"sentence": [0, 0], "form": ["a", "b"]})
    for form in ("a\tb", "a\nb", "a\rb", ""):
        with pytest.raises(ValueError, match="row 1 has form"):
            write_conllu(good.assign(form=["a", form]))
    with pytest.raises(ValueError, match="row 1 has position 3, but is word 2"):
        write_conllu(good.assign(position=[1, 3]))
    with pytest.raises(ValueError, match="lacks the column 'form'"):
        write_conllu(good.drop(columns="form"))


def test_missing_cells_and_heads_are_written_as_underscores():
    tokens = pd.DataFrame({"sentence": [0, 0], "form": ["a", "b"], "lemma": ["a", None], "head": [0, -1]})
    assert write_conllu(tokens).split("\n")[:2] == ["1\ta\ta\t_\t_\t_\t0\t_\t_\t_", "2\tb\t_\t_\t_\t_\t_\t_\t_\t_"]


# ---- the real files: numbers counted by others than this reader

UD_COUNTS = """
ar_pud-ud-test 1000 20747 0 0 16 32 39
eu_bdt-ud-dev 1798 24095 0 0 16 - 33
eu_bdt-ud-test 1799 24374 0 0 17 - 32
cs_pud-ud-test 1000 18609 45 13 15 641 43
da_ddt-ud-dev 564 10332 0 0 16 2 36
da_ddt-ud-test 565 10023 0 0 17 2 38
nl_alpino-ud-dev 718 11541 0 8 16 139 38
nl_alpino-ud-test 596 11046 0 7 15 137 37
Abe_kuczaj_eud_gold 4167 28340 1735 0 16 36 44
Adam_Brown_eud_gold 5324 31242 1555 0 17 40 46
Emma_Weist_eud_gold 2423 17305 1148 0 16 36 44
Eve_Brown_eud_gold 2207 11370 667 0 16 32 40
Laura_Braunwald_eud_gold 4622 27312 1602 0 17 38 44
Lily_Providence_eud_gold 1499 8228 390 0 17 39 41
Naima_Providence_eud_gold 2534 18033 1139 0 16 35 45
Roman_Weist_eud_gold 3653 25779 1558 0 17 38 44
Sarah_Brown_eud_gold 5347 30136 1553 0 17 42 44
Thomas_Thomas_eud_gold 4240 25985 1400 0 17 44 45
Violet_Providence_eud_gold 721 2740 158 0 16 35 35
en_childes-ud-dev 2715 16760 935 0 16 38 44
en_ewt-ud-dev 2001 25147 359 4 17 49 49
en_ewt-ud-test 2077 25094 354 2 17 48 49
pt_bosque-ud-dev 1172 28447 2063 0 16 - 40
pt_bosque-ud-test 1167 27604 2015 0 16 - 39
sl_ssj-ud-dev 1250 26500 0 0 17 729 35
sl_ssj-ud-test 1282 25442 0 0 17 747 35
sv_talbanken-ud-dev 504 9797 0 2 16 114 41
sv_talbanken-ud-test 1219 20377 0 9 17 126 43
""".strip().split("\n")


def mirrored(name: str) -> Path:
    """A file of the mirror, or a skip that names it."""
    root = os.environ.get("ANALYSIS_MIRROR", "")
    path = Path(root) / name
    if not root or not (path.exists() or any(parent.suffix == ".zip" and parent.is_file() for parent in path.parents)):
        pytest.skip(f"{name} is not available: ANALYSIS_MIRROR does not lead to it")
    return path


@pytest.mark.real_corpus
@pytest.mark.parametrize("row", UD_COUNTS, ids=lambda row: row.split()[0])
def test_the_treebanks_have_the_counts_that_the_mirror_states(row):
    name, *numbers = row.split()
    tokens, sentences, incidents = read_conllu(mirrored(f"ud/{name}.conllu.xz"), strict=False)
    counted = [
        len(sentences),
        len(tokens),
        sentences["multiword_tokens"].sum(),
        sentences["empty_nodes"].sum(),
        *(tokens[layer].nunique() if layer in tokens else "-" for layer in ("universal", "fine", "relation")),
    ]
    assert [str(number) for number in counted] == numbers
    assert not len(incidents)
    assert sentences["roots"].eq(1).all()


@pytest.mark.real_corpus
@pytest.mark.parametrize(
    ("part", "encoding", "n_sentences", "n_words", "several_roots"),
    [
        ("eus.train", "cp1252", 2595, 40032, 1007),
        ("eus.test", "cp1252", 580, 10096, 200),
        ("esp.train", "utf-8", 2949, 75822, None),
        ("esp.test", "utf-8", 563, 19206, None),
    ],
)
def test_conll2007_has_the_counts_that_the_mirror_states(part, encoding, n_sentences, n_words, several_roots):
    path = mirrored("nltk/conll2007.zip") / "conll2007" / part
    tokens, sentences, _ = read_conllx(path, strict=False, encoding=encoding)
    assert (len(sentences), len(tokens)) == (n_sentences, n_words)
    assert list(tokens.columns[2:]) == ["form", "lemma", "coarse", "fine", "features", "head", "relation"]
    if several_roots is not None:
        assert (sentences["roots"] > 1).sum() == several_roots


@pytest.mark.real_corpus
def test_the_dependency_treebank_has_the_counts_that_the_mirror_states():
    with zipfile.ZipFile(mirrored("nltk/dependency_treebank.zip")) as archive:
        names = sorted(name for name in archive.namelist() if name.endswith(".dp"))
        readings = [read_word_tag_head(zipfile.Path(archive, name), strict=False) for name in names]
    assert len(names) == 199
    assert sum(len(reading.sentences) for reading in readings) == 3914
    assert sum(len(reading.tokens) for reading in readings) == 94084


HEADED = {"sentence": [0, 0, 1], "form": ["a", "b", "c"]}


@pytest.mark.parametrize(
    "heads",
    [
        [2.0, 0.0, float("nan")],
        np.array([2, 0, np.nan], dtype="float32"),
        pd.array([2, 0, None], dtype="Int64"),
        pd.array([2, 0, None], dtype="Float64"),
        [2, 0, -1],
        pd.Categorical([2, 0, None]),
        pd.Series([2, 0, None], dtype=object),
    ],
)
def test_whole_heads_are_written_whatever_their_type(heads):
    written = write_conllu(pd.DataFrame(HEADED).assign(head=heads))
    assert [line.split("\t")[6] for line in written.split("\n") if line] == ["2", "0", "_"]


@pytest.mark.parametrize(
    ("heads", "row"),
    [
        ([2.0, 0.5, 0.0], 1),
        ([0.0, 1.0, float("inf")], 2),
        (["2", "0", "0"], 0),
        (pd.Series([2, 0, "x"], dtype=object), 2),
    ],
)
def test_what_is_no_head_is_refused_by_row(heads, row):
    with pytest.raises(ValueError, match=f"row {row} has head .*expected a whole number"):
        write_conllu(pd.DataFrame(HEADED).assign(head=heads))


@pytest.mark.parametrize(
    ("read", "text", "kind"),
    [
        (read_conllu, "some words\nand others\n", "columns"),
        (read_conllu, "x\tLook\t_\t_\t_\t_\t_\t_\t_\t_\n", "bad id"),
        (read_conllx, "1.1\tLook\t_\t_\t_\t_\t_\t_\t_\t_\n", "no words"),
        (read_word_tag_head, "# no columns here\n", "columns"),
    ],
)
def test_a_file_of_which_no_sentence_is_left_is_an_error_with_its_first_finding(read, text, kind):
    with pytest.raises(DataError, match="No sentence is left of 1") as error:
        read(text, strict=False)
    assert error.value.incident.kind == kind and error.value.incident.line == 1


@given(
    st.lists(
        st.tuples(*[st.sampled_from(["the", "", '"', "NA", "null", "_", "1", "é", "a b", "'", "\\", "\u2028"])] * 3),
        min_size=1,
    )
)
def test_cells_are_the_same_however_many_rows_are_divided_at_once(rows):
    rows = [("x", "", "")] + [row for row in rows if any(row)]
    lines = Lines("text", "".join("\t".join(row) + "\n" for row in rows).encode())
    chosen = np.arange(len(rows))[::2]
    for rows_at_once in (1, 2, 50_000):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(conll_reading, "_ROWS_AT_ONCE", rows_at_once)
            columns = conll_reading._parsed(lines, chosen, conll_reading.WORD_TAG_HEAD)
        for place, column in enumerate(["FORM", "TAG", "HEAD"]):
            cells = [rows[row][place] for row in chosen]
            assert list(columns[column]) == cells
            assert list(columns[column].values) == list(dict.fromkeys(cells))


def test_of_two_identifiers_the_first_counts():
    text = "# sent_id = a\n# sent_id = b\n1\tgo\t_\tVERB\t_\t_\t0\troot\t_\t_\n\n"
    assert read_conllu(text, strict=False).sentences["sent_id"].tolist() == ["a"]
    found = read_columns(text, CONLLU, True, identifiers=True).sentences
    assert list(found["sent_id"]) == ["a"]


def test_a_range_of_one_word_is_sound():
    text = "1-1\tgo\t_\t_\t_\t_\t_\t_\t_\t_\n1\tgo\t_\tVERB\t_\t_\t0\troot\t_\t_\n\n"
    reading = read_conllu(text, strict=False)
    assert len(reading.incidents) == 0 and reading.sentences["multiword_tokens"].tolist() == [1]
