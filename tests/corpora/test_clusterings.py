import gzip
import tracemalloc

import numpy as np
import pandas as pd
import pytest

from analysis.categories.clusterings import clustering_table
from analysis.corpora.clusterings import read_clustering
from analysis.structures import DataError

TAGS = "D\nN\n\nV\nN\n"
WORDS = "the\tD\ncat\tN\n\nran\tV\nhome\tN\n"
PATHS = "00\tthe\t5\n01\tcat\t2\n1\tNA\t1\n"
MAP = "".join(
    f"{word}\t{bits}-L 0.5\t{bits}-R 1.25\t{bits}-freq {n}\n" for bits, word, n in [("00", "the", 5), ("01", "cat", 2)]
)


def rows(reading):
    return reading.table.to_numpy().tolist()


def test_one_tag_a_line_is_a_clustering_of_tokens_and_blank_lines_end_sentences():
    reading = read_clustering(TAGS)
    assert (reading.format, reading.kind) == ("tags", "tokens")
    assert reading.table.columns.tolist() == ["sentence", "position", "cluster"]
    assert rows(reading) == [[0, 1, "D"], [0, 2, "N"], [1, 1, "V"], [1, 2, "N"]]


def test_word_tab_tag_is_a_clustering_of_tokens():
    reading = read_clustering(WORDS)
    assert (reading.format, reading.kind) == ("words-and-tags", "tokens")
    assert rows(reading) == [[0, 1, "the", "D"], [0, 2, "cat", "N"], [1, 1, "ran", "V"], [1, 2, "home", "N"]]


def test_paths_are_a_clustering_of_types():
    reading = read_clustering(PATHS)
    assert (reading.format, reading.kind) == ("paths", "types")
    assert rows(reading) == [["the", "00", 5], ["cat", "01", 2], ["NA", "1", 1]]


def test_a_map_is_the_same_clustering_of_types():
    reading = read_clustering(MAP)
    assert (reading.format, reading.kind) == ("map", "types")
    assert rows(reading) == [["the", "00", 5], ["cat", "01", 2]]


def test_a_single_cluster_has_an_empty_path():
    assert rows(read_clustering("\tthe\t5\n")) == [["the", "", 5]]


@pytest.mark.parametrize("content", [TAGS, WORDS, PATHS, MAP])
def test_byte_order_mark_line_ends_and_a_missing_last_line_end_change_nothing(content):
    plain = read_clustering(content)
    for other in (
        b"\xef\xbb\xbf" + content.encode(),
        content.replace("\n", "\r\n").encode(),
        content.rstrip("\n").encode(),
        ("\n" + content + "\n\n").encode(),
    ):
        again = read_clustering(other)
        assert (rows(again), again.format) == (rows(plain), plain.format)


def test_files_are_read_plain_and_packed(tmp_path):
    (tmp_path / "paths").write_text(PATHS, encoding="utf-8")
    (tmp_path / "paths.gz").write_bytes(gzip.compress(PATHS.encode()))
    assert (
        rows(read_clustering(tmp_path / "paths"))
        == rows(read_clustering(tmp_path / "paths.gz"))
        == rows(read_clustering(PATHS))
    )


def test_na_and_null_are_words_and_tags():
    assert rows(read_clustering("NA\tnull\nnull\tNA\n")) == [[0, 1, "NA", "null"], [0, 2, "null", "NA"]]
    assert rows(read_clustering("NA\nnull\n")) == [[0, 1, "NA"], [0, 2, "null"]]


def test_a_given_format_is_not_guessed():
    # word TAB tag, where the words are bits: with a third cell it would look like paths
    assert read_clustering("01\t7\n", format="words-and-tags").format == "words-and-tags"
    with pytest.raises(DataError, match="line 1: this line is not a line of 'paths'"):
        read_clustering(WORDS, format="paths")
    with pytest.raises(ValueError, match="format is 'brown'"):
        read_clustering(WORDS, format="brown")


# one defect each: content, kind, line, what strict=False keeps
DEFECTS = {
    "no tag": ("the\tD\ncat\t\nran\tV\n", 2, [[0, 1, "the", "D"], [0, 2, "cat", None], [0, 3, "ran", "V"]]),
    "blank in tag": ("D\ncat N\n", 2, [[0, 1, "D"], [0, 2, "cat N"]]),
    "other format": ("D\ncat\tN\nN\n", 2, [[0, 1, "D"], [0, 2, "N"]]),
    "listed twice": ("00\tthe\t5\n01\tthe\t2\n", 2, [["the", "00", 5]]),
}


@pytest.mark.parametrize("kind", DEFECTS)
def test_a_defect_is_named_with_its_line_and_kept_as_an_incident_if_so_wished(kind):
    content, line, kept = DEFECTS[kind]
    with pytest.raises(DataError) as raised:
        read_clustering(content)
    assert (raised.value.incident.kind, raised.value.incident.line) == (kind, line)
    reading = read_clustering(content, strict=False)
    assert reading.incidents[["kind", "line"]].to_numpy().tolist() == [[kind, line]]
    assert reading.table.astype(object).where(reading.table.notna(), None).to_numpy().tolist() == kept


@pytest.mark.parametrize(
    ("content", "line"),
    [
        ("the\tD\ncat\tN\tx\n", 2),
        ("the\tD\n\tN\n", 2),
        ("the\tD\ncat\n", 2),
        ("00\tthe\t5\n02\tcat\t2\n", 2),
        ("00\tthe\t5\n01\tcat\tmany\n", 2),
        (MAP + "dog\t01-L 1\t11-R 1\t01-freq 2\n", 3),
        (MAP + "01\tdog\t2\n", 3),
    ],
)
def test_lines_of_another_format_than_the_most_are_refused(content, line):
    with pytest.raises(DataError) as raised:
        read_clustering(content)
    assert (raised.value.incident.kind, raised.value.incident.line) == ("other format", line)
    assert len(read_clustering(content, strict=False).table) == line - 1


def test_empty_files_and_html_pages_are_refused_in_any_case():
    for content in ("", "\n\n  \n", "<!DOCTYPE html>\n<p>404</p>\n"):
        with pytest.raises(DataError):
            read_clustering(content.encode(), strict=False)
    with pytest.raises(DataError, match="no line has the format 'map'"):
        read_clustering(WORDS, format="map", strict=False)


def test_the_table_of_word_types_makes_no_string_of_each_token():
    codes = np.arange(20_000) % 40
    forms = pd.Categorical.from_codes(codes, [f"word{number}" for number in range(40)])
    tokens = pd.DataFrame({"sentence": np.arange(20_000) // 8, "form": forms})
    clusters = pd.Series(codes % 7).astype("str")
    clustering_table(tokens, clusters, "types")
    tracemalloc.start()
    try:
        table = clustering_table(tokens, clusters, "types")
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak / len(tokens) < 100  # bytes
    assert table["frequency"].tolist() == [500] * 40
    assert table["form"].tolist() == sorted(f"word{number}" for number in range(40))
    assert table["cluster"].tolist() == [str(int(form.removeprefix("word")) % 7) for form in table["form"]]
