import lzma

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.corpora.unimorph import columns_of_forms, parse_forms, read_forms
from analysis.structures import DataError

WORDS = st.text(st.characters(exclude_categories=["Cs", "Cc", "Cf", "Z"]), min_size=1, max_size=8)


def kinds(reading):
    return reading.incidents["kind"].tolist()


def test_two_three_and_four_columns_are_told_apart_by_the_first_line():
    assert list(parse_forms("a\tb").forms.columns) == ["lemma", "form"]
    assert list(parse_forms("a\tb\tN").forms.columns) == ["lemma", "form", "features"]
    four = parse_forms("a\tb\tN\t2.5").forms
    assert list(four.columns) == ["lemma", "form", "features", "frequency"] and four["frequency"].tolist() == [2.5]


def test_a_test_file_of_lemmas_and_features_is_read_by_naming_its_columns():
    assert parse_forms("fly\tV;PST", columns=("lemma", "features")).forms["features"].tolist() == ["V;PST"]


def test_null_na_and_a_lone_quotation_mark_are_words():
    forms = parse_forms('null\tnulled\tV\nNA\tNaN\tN\n"\t""\tPUNCT\nNone\tnan\tN').forms
    assert forms["lemma"].tolist() == ["null", "NA", '"', "None"]
    assert forms["form"].tolist() == ["nulled", "NaN", '""', "nan"]


def test_byte_order_mark_and_foreign_line_ends_are_no_part_of_a_word(tmp_path):
    path = tmp_path / "a.train"
    path.write_bytes("\ufefffly\tflew\tV;PST\r\nwalk\twalked\tV;PST\r\n".encode())
    reading = read_forms(path)
    assert reading.forms["lemma"].tolist() == ["fly", "walk"] and reading.forms["features"].tolist() == ["V;PST"] * 2
    assert kinds(reading) == []


def test_a_packed_file_reads_like_the_plain_one(tmp_path):
    text = b"fly\tflew\tV;PST\n"
    (tmp_path / "a.txt").write_bytes(text)
    (tmp_path / "a.txt.xz").write_bytes(lzma.compress(text))
    assert read_forms(tmp_path / "a.txt").forms.equals(read_forms(tmp_path / "a.txt.xz").forms)


@pytest.mark.parametrize(
    ("text", "line", "found"),
    [
        ("a\tb\tN\nc\td", 2, "2 columns"),
        ("a\tb\tN\nc\td\t\tN", 2, "4 columns"),
        ("a\tb\tN\nc\t\tN", 2, "form is empty"),
        ("a\tb\tN\t1\nc\td\tN\tmany", 2, "'many'"),
        ("a\tb\tN\t1\nc\td\tN\t-1", 2, "'-1'"),
        ("a\tb\tN\t1\nc\td\tN\tnan", 2, "'nan'"),
        ("alone", 1, "1 column"),
    ],
)
def test_a_line_that_cannot_be_used_is_named(text, line, found):
    with pytest.raises(DataError, match=f"line {line}: .*{found}"):
        parse_forms(text)


def test_without_strict_such_lines_are_left_out_and_listed():
    reading = parse_forms("a\tb\tN\nc\td\ne\tf\tN\tx\ng\th\tN", strict=False)
    assert reading.forms["lemma"].tolist() == ["a", "g"]
    assert list(zip(reading.incidents["line"], kinds(reading), strict=True)) == [
        (2, "missing column"),
        (3, "extra tab"),
    ]


def test_blank_lines_and_blanks_around_a_field_are_reported_and_do_no_harm():
    reading = parse_forms("a\tb \tN\n\n  \nc\td\tN")
    assert reading.forms["form"].tolist() == ["b", "d"]
    assert kinds(reading) == ["blanks", "blank line", "blank line"]


def test_duplicates_are_reported_and_kept_or_dropped():
    text = "a\tä\tN\na\ta\u0308\tN\nb\tb\tN"  # the second form is decomposed
    kept, dropped = parse_forms(text), parse_forms(text, duplicates="drop")
    assert kinds(kept) == kinds(dropped) == ["duplicate"]
    assert (len(kept.forms), len(dropped.forms)) == (3, 2)
    said = [reading.incidents["found"].iloc[0].rpartition("; ")[2] for reading in (kept, dropped)]
    assert said == ["kept", "left out"]
    assert kept.forms["form"][1] == "a\u0308", "words stay as they were written"


def test_an_item_with_another_frequency_is_a_duplicate_too():
    assert kinds(parse_forms("a\tb\tN\t1\na\tb\tN\t2")) == ["duplicate"]


def test_text_that_is_not_utf8_is_refused_with_the_file(tmp_path):
    (tmp_path / "latin.tsv").write_bytes("Bär\tBären\tN".encode("latin-1"))
    with pytest.raises(DataError, match=r"latin\.tsv.*not UTF-8"):
        read_forms(tmp_path / "latin.tsv")


def test_an_empty_file_and_a_missing_one_say_so(tmp_path):
    with pytest.raises(DataError, match="no item"):
        parse_forms("\n")
    with pytest.raises(DataError, match="there is no file"):
        read_forms(tmp_path / "nothing.train")


def test_columns_must_name_a_lemma_and_each_once():
    for wrong in (("form",), ("lemma", "word"), ("lemma", "lemma")):
        with pytest.raises(ValueError, match="columns must name lemma"):
            parse_forms("a\tb", columns=wrong)


@given(st.lists(st.tuples(WORDS, WORDS, WORDS), min_size=1, max_size=8))
def test_what_is_written_is_read_again(rows):
    reading = parse_forms("\n".join("\t".join(row) for row in rows))
    assert list(reading.forms.itertuples(index=False, name=None)) == rows


def test_a_fourth_column_is_a_frequency_if_half_of_it_are_numbers():
    rows = ["walk\twalked\tV;PST\twalk|ed", "fly\tflew\tV;PST\tflew", "go\twent\tV;PST\t7"]
    assert columns_of_forms(rows)[0][3] == "segmentation"
    assert columns_of_forms([*rows[1:], "do\tdid\tV;PST\t3", "see\tsaw\tV;PST\tsaw"])[0][3] == "frequency"
