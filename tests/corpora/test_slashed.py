import pytest

from analysis.corpora.slashed import read_slashed
from analysis.structures import DataError


def test_the_last_slash_parts_word_and_label():
    assert read_slashed("1/2/NUM x/X")["form"].tolist() == ["1/2", "x"]


def test_blank_lines_byte_order_mark_and_carriage_returns_are_no_tokens():
    table = read_slashed("\ufeffa/A\r\n\r\n  \nb/B\r\n")
    assert table["sentence"].tolist() == [0, 1] and table["cluster"].tolist() == ["A", "B"]


@pytest.mark.parametrize("token", ["cat", "/N", "cat/"])
def test_a_token_without_word_or_label_is_refused_with_its_line_or_listed(token):
    with pytest.raises(DataError, match=r"text, line 2: .*the/D"):
        read_slashed(f"a/A\n{token} b/B")
    table, _, _, incidents = read_slashed(f"a/A\n{token} b/B", "tag", strict=False)
    assert incidents[["line", "kind"]].to_numpy().tolist() == [[2, "no tag"]]
    assert table["tag"].isna().tolist() == [False, True, False] and table["position"].tolist() == [1, 1, 2]


@pytest.mark.parametrize("strict", [True, False])
def test_no_token_at_all_is_refused(strict):
    with pytest.raises(DataError, match="the file has no line"):
        read_slashed("\n \n", strict=strict)
